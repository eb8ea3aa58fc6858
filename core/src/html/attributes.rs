//! The attributes of an element, read from its start tag when somebody asks.

use std::borrow::Cow;

use crate::tree::{Form, Tree};

/// A name and a value as they stand in the source.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    pub name: &'a str,
    pub raw: &'a str,
}

impl<'a> Attribute<'a> {
    /// `name` is in small letters.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    pub fn value(&self) -> Cow<'a, str> {
        super::text::decoded(self.raw, Form::Replacing)
    }
}

/// Those of an element, in the order in which they stand.
pub fn of(tree: &Tree, element: usize) -> impl Iterator<Item = Attribute<'_>> {
    let _ = (tree, element);
    std::iter::empty()
}
