//! The elements of a page as columns, in document order, and the stretches of text between their tags.
//!
//! Nothing is copied from the source: attributes and texts are spans of it, decoded when somebody asks.

use std::borrow::Cow;

use crate::html::tags::{Tag, NAMES};

/// A stretch of the source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub fn of<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start as usize..self.end as usize]
    }

    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// What has to be done to a stretch of the source before it is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Form {
    /// It is text as it stands.
    Plain,
    /// It may hold character references, CR and NUL; NULs are dropped.
    Data,
    /// The same, but a NUL becomes U+FFFD: titles, text areas, and text in SVG and MathML.
    Replacing,
    /// No references, but CR and NUL (U+FFFD): scripts, styles and the like.
    Raw,
}

/// A stretch of text; several that follow each other with the same `place` are one string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The element around it.
    pub element: u32,
    /// How many tags, opening or closing, stand before it in the tree (every element counts twice).
    pub place: u32,
    pub span: Span,
    pub form: Form,
}

/// The parsed page. Element 0 is the root, `html`, and its own parent.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub source: String,
    pub tags: Vec<Tag>,
    pub parents: Vec<u32>,
    /// Behind its last descendant each element ends.
    pub ends: Vec<u32>,
    pub depths: Vec<u32>,
    /// Where in the source the start tag stands (its `<`), or where an implied element begins.
    pub places: Vec<u32>,
    /// From behind the tag's name up to the `>`; empty for implied elements.
    pub attributes: Vec<Span>,
    pub namespaces: Vec<Namespace>,
    pub texts: Vec<Text>,
    /// The names of tags beyond the table: tag `NAMES.len() + n` is the n-th of these.
    pub other_names: Vec<Box<str>>,
    /// Attributes of a second `<html>` or `<body>`, which the first takes over where it has none of the name.
    pub further_attributes: Vec<(u32, Span)>,
    /// Each `<svg>` whose end tag is missing, so that it may hold the text behind it.
    pub unclosed_drawings: Vec<u32>,
}

impl Tree {
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    pub fn name(&self, element: usize) -> &str {
        self.name_of(self.tags[element])
    }

    pub fn name_of(&self, tag: Tag) -> &str {
        let number = tag.0 as usize;
        NAMES.get(number).copied().unwrap_or_else(|| &self.other_names[number - NAMES.len()])
    }

    /// The text of a stretch.
    pub fn text(&self, text: &Text) -> Cow<'_, str> {
        crate::html::text::decoded(text.span.of(&self.source), text.form)
    }

    /// The value of the first attribute of this name (in small letters), decoded.
    pub fn attribute(&self, element: usize, name: &str) -> Option<Cow<'_, str>> {
        let mut found = crate::html::attributes::all(self, element);
        found.find(|attribute| attribute.is_named(name)).map(|attribute| attribute.value())
    }
}
