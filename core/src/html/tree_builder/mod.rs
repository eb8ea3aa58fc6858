//! The tree construction stage of the standard, scripting off, with bounds that keep every page linear.

mod adoption;
mod after_body;
mod before_body;
mod body;
mod body_ends;
mod foreign;
mod formatting;
mod framesets;
mod head;
mod insertion;
mod modes;
pub(super) mod nodes;
mod stack;
mod tables;
mod tables_inner;
mod templates;
mod text_tokens;

use super::classes;
use super::names::OtherNames;
use super::tags::{self, Tag};
use super::tokenizer::{Model, TagToken, TextKind, Token, Tokenizer};
use crate::deadline::Turns;
use crate::tree::{Namespace, Span};
use formatting::Formatting;
use modes::Mode;
use nodes::{Kind, Nodes, NONE};
use stack::{Open, Stack};

/// So deep may elements be nested; browsers have the same limit. What is deeper stands beside each other.
pub const DEEPEST: usize = 512;

/// So many elements may the parser open by itself for formatting, and one more for so many bytes.
const FREE_COPIES: usize = 10_000;
const BYTES_PER_COPY: usize = 8;

/// The element for whose content a fragment is parsed.
#[derive(Clone, Copy)]
pub struct Context {
    pub tag: Tag,
    pub namespace: Namespace,
}

/// What comes out: nodes, of which 0 is the root.
pub struct Built {
    pub nodes: Nodes,
    pub other_names: Vec<Box<str>>,
    /// Attributes of later `<html>` and `<body>` tags, by node.
    pub further_attributes: Vec<(u32, Span)>,
    pub drawings: Vec<Drawing>,
}

/// An `<svg>` that may hold something, and whether its own end tag came.
pub struct Drawing {
    pub node: u32,
    pub is_closed: bool,
}

pub struct TreeBuilder<'s> {
    source: &'s str,
    tokenizer: Tokenizer<'s>,
    names: OtherNames,
    nodes: Nodes,
    further_attributes: Vec<(u32, Span)>,
    /// In the order of their nodes.
    drawings: Vec<Drawing>,
    mode: Mode,
    /// The mode behind text, or behind a table's text.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    stack: Stack,
    /// The tags of elements that are too deep to be on the stack.
    too_deep: Vec<Tag>,
    formatting: Formatting,
    /// How many formatting elements may still be opened again.
    copies_left: usize,
    head: u32,
    form: u32,
    context: Option<Context>,
    is_quirky: bool,
    allows_frameset: bool,
    is_fostering: bool,
    drops_line_feed: bool,
    table_text: Vec<(Span, TextKind)>,
    /// Where the token stands that is being processed.
    place: u32,
    is_finished: bool,
}

impl<'s> TreeBuilder<'s> {
    pub fn new(source: &'s str, has_repairs: bool) -> Self {
        Self {
            source,
            tokenizer: Tokenizer::new(source, has_repairs),
            names: OtherNames::default(),
            nodes: Nodes::with_room_for(source.len() / 32),
            further_attributes: Vec::new(),
            drawings: Vec::new(),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            stack: Stack::default(),
            too_deep: Vec::new(),
            formatting: Formatting::default(),
            copies_left: FREE_COPIES + source.len() / BYTES_PER_COPY,
            head: NONE,
            form: NONE,
            context: None,
            is_quirky: false,
            allows_frameset: true,
            is_fostering: false,
            drops_line_feed: false,
            table_text: Vec::new(),
            place: 0,
            is_finished: false,
        }
    }

    /// Makes this the parser of a fragment.
    pub fn within(mut self, name: &str, namespace: Namespace) -> Self {
        let tag = tags::find(name.as_bytes()).unwrap_or_else(|| self.names.tag(name));
        let root = self.nodes.add(Kind::Element(Namespace::Html), tags::HTML, 0, Span::default());
        self.push(root, tags::HTML, Namespace::Html);
        self.context = Some(Context { tag, namespace });
        if namespace == Namespace::Html {
            // No start tag was read, so no end tag ends the text.
            self.tokenizer.read_as(model_within(tag), b"");
            if tag == tags::TEMPLATE {
                self.template_modes.push(Mode::InTemplate);
            }
        }
        self.reset_mode();
        self
    }

    pub fn build(mut self) -> Built {
        let mut turns = Turns::default();
        while !self.is_finished {
            turns.next();
            self.place = self.tokenizer.at() as u32;
            let token = match self.tokenizer.next(self.stack.len() > 0 && !self.is_html_current()) {
                Token::Start(tag) => Token::Start(self.named(tag)),
                Token::End(tag) => Token::End(self.known(tag)),
                token => token,
            };
            self.take(token);
        }
        Built {
            nodes: self.nodes,
            other_names: self.names.into_names(),
            further_attributes: self.further_attributes,
            drawings: self.drawings,
        }
    }

    #[inline]
    fn named(&mut self, mut token: TagToken) -> TagToken {
        if token.tag == Tag::UNKNOWN {
            token.tag = self.names.tag(token.name.of(self.source));
        }
        token
    }

    #[inline]
    fn known(&mut self, mut token: TagToken) -> TagToken {
        if token.tag == Tag::UNKNOWN {
            token.tag = self.names.known_tag(token.name.of(self.source));
        }
        token
    }

    #[inline]
    fn take(&mut self, token: Token) {
        let drops_line_feed = std::mem::take(&mut self.drops_line_feed);
        match token {
            Token::Text(span, kind) if drops_line_feed => {
                let span = self.without_line_feed(span, kind);
                if !span.is_empty() {
                    self.dispatch(Token::Text(span, kind));
                }
            }
            Token::End(tag) if self.closes_too_deep(tag.tag) => {}
            _ => self.dispatch(token),
        }
    }

    /// By the rules of HTML or those of SVG and MathML.
    #[inline]
    fn dispatch(&mut self, token: Token) {
        if self.is_foreign(&token) {
            self.in_foreign_content(token);
        } else {
            self.process(token);
        }
    }

    /// The classes of the current node, or of the context if only the root of a fragment is open.
    fn adjusted_current(&self) -> (Tag, classes::Classes) {
        match self.context {
            Some(context) if self.stack.len() == 1 => (context.tag, classes::of(context.tag, context.namespace)),
            _ => {
                let current = self.stack.current();
                (current.tag, current.classes)
            }
        }
    }

    fn is_html_current(&self) -> bool {
        self.adjusted_current().1 & classes::HTML != 0
    }

    #[inline]
    fn is_foreign(&self, token: &Token) -> bool {
        if self.stack.len() == 0 {
            return false;
        }
        let (tag, current) = self.adjusted_current();
        if current & classes::HTML != 0 {
            return false;
        }
        let is_text_point = current & classes::MATHML_TEXT != 0;
        let is_html_point = current & classes::HTML_INTEGRATION != 0;
        match token {
            Token::EndOfFile => false,
            Token::Text(..) => !is_text_point && !is_html_point,
            Token::Start(start) => {
                let stays_in_text = !is_text_point || matches!(start.tag, tags::MGLYPH | tags::MALIGNMARK);
                let is_svg_in_mathml =
                    start.tag == tags::SVG && tag == tags::ANNOTATION_XML && self.is_mathml_current();
                stays_in_text && !is_html_point && !is_svg_in_mathml
            }
            Token::End(_) | Token::Comment(_) | Token::Doctype { .. } => true,
        }
    }

    fn is_mathml_current(&self) -> bool {
        self.adjusted_namespace() == Namespace::MathMl
    }

    fn adjusted_namespace(&self) -> Namespace {
        match self.context {
            Some(context) if self.stack.len() == 1 => context.namespace,
            _ => self.namespace_of(self.stack.current().node),
        }
    }

    fn namespace_of(&self, node: u32) -> Namespace {
        match self.nodes.get(node).kind() {
            Kind::Element(namespace) => namespace,
            Kind::Text(_) => Namespace::Html,
        }
    }

    fn push(&mut self, node: u32, tag: Tag, namespace: Namespace) {
        self.push_as(node, tag, classes::of(tag, namespace));
    }

    fn push_as(&mut self, node: u32, tag: Tag, classes: classes::Classes) {
        self.nodes.get_mut(node).is_open = true;
        self.stack.push(Open { node, tag, classes });
    }

    fn pop(&mut self) -> Open {
        let open = self.stack.pop();
        self.nodes.get_mut(open.node).is_open = false;
        if !self.too_deep.is_empty() {
            self.too_deep.clear();
        }
        open
    }

    fn remove_from_stack(&mut self, node: u32) {
        if let Some(at) = self.stack.place_of(node) {
            self.stack.remove(at);
            self.nodes.get_mut(node).is_open = false;
        }
    }

    /// Whether this ends an element that was too deep for the stack. Only a few are looked at.
    fn closes_too_deep(&mut self, tag: Tag) -> bool {
        if self.too_deep.is_empty() {
            return false;
        }
        let first = self.too_deep.len().saturating_sub(8);
        let found = self.too_deep[first..].iter().rposition(|&other| other == tag);
        if let Some(at) = found {
            self.too_deep.truncate(first + at);
        }
        found.is_some()
    }
}

fn model_within(tag: Tag) -> Model {
    match tag {
        tags::TITLE | tags::TEXTAREA => Model::Rcdata,
        tags::STYLE | tags::XMP | tags::IFRAME | tags::NOEMBED | tags::NOFRAMES => Model::Rawtext,
        tags::SCRIPT => Model::Script,
        tags::PLAINTEXT => Model::Plaintext,
        _ => Model::Data,
    }
}
