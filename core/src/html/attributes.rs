//! The attributes of an element, read from its start tag when somebody asks.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memchr;

use super::text;
use crate::tree::{Span, Tree};

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

    /// The name as the standard says: small letters, U+FFFD for NUL.
    pub fn small_name(&self) -> String {
        self.name.to_ascii_lowercase().replace('\0', "\u{fffd}")
    }

    pub fn value(&self) -> Cow<'a, str> {
        text::decoded_attribute(self.raw)
    }
}

/// Those of an element, in the order in which they stand; of several with one name only the first.
pub fn of(tree: &Tree, element: usize) -> impl Iterator<Item = Attribute<'_>> {
    let mut seen = Seen::default();
    all(tree, element).filter(move |attribute| seen.is_new(attribute.name))
}

/// The same of the attribute part of a start tag.
pub fn within(source: &str) -> impl Iterator<Item = Attribute<'_>> {
    let mut seen = Seen::default();
    repeated(source).filter(move |attribute| seen.is_new(attribute.name))
}

/// Those of an element with repeated names, which is faster where only the first of a name is looked for.
pub fn all(tree: &Tree, element: usize) -> impl Iterator<Item = Attribute<'_>> {
    let own = tree.attributes[element].of(&tree.source);
    let further = further(tree, element as u32).iter().flat_map(|(_, span)| repeated(span.of(&tree.source)));
    repeated(own).chain(further)
}

/// Those in the attribute part of a start tag, repeated names included.
pub fn repeated(source: &str) -> impl Iterator<Item = Attribute<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || match step(source.as_bytes(), at) {
        Step::Attribute { name, value, next } => {
            at = next;
            Some(Attribute { name: name.of(source), raw: value.of(source) })
        }
        Step::End { .. } | Step::Unfinished => None,
    })
}

/// Those of later start tags of the same element. They are sorted by element, because a page may have a million.
fn further(tree: &Tree, element: u32) -> &[(u32, Span)] {
    let all = &tree.further_attributes;
    if all.is_empty() {
        return all;
    }
    let begin = all.partition_point(|&(owner, _)| owner < element);
    let end = all.partition_point(|&(owner, _)| owner <= element);
    &all[begin..end]
}

/// The names that came before; few are compared one by one, many by hash.
#[derive(Default)]
struct Seen<'a> {
    few: [&'a str; 12],
    count: usize,
    many: HashSet<String>,
}

impl<'a> Seen<'a> {
    fn is_new(&mut self, name: &'a str) -> bool {
        if self.count < self.few.len() {
            let is_new = !self.few[..self.count].iter().any(|other| other.eq_ignore_ascii_case(name));
            if is_new {
                self.few[self.count] = name;
                self.count += 1;
            }
            return is_new;
        }
        if self.many.is_empty() {
            self.many.extend(self.few.iter().map(|other| other.to_ascii_lowercase()));
        }
        self.many.insert(name.to_ascii_lowercase())
    }
}

/// What stands next in a start tag.
pub(super) enum Step {
    Attribute {
        name: Span,
        value: Span,
        next: usize,
    },
    /// `close` is the place of `>`.
    End {
        close: usize,
        is_self_closing: bool,
    },
    /// The source ends within the tag.
    Unfinished,
}

/// Reads one attribute, or the end of the tag, from `at` on, which is behind the tag's name or another attribute.
#[inline]
pub(super) fn step(bytes: &[u8], mut at: usize) -> Step {
    loop {
        match bytes.get(at) {
            None => return Step::Unfinished,
            Some(b'>') => return Step::End { close: at, is_self_closing: false },
            Some(b'/') if bytes.get(at + 1) == Some(&b'>') => {
                return Step::End { close: at + 1, is_self_closing: true }
            }
            Some(b'/') => at += 1,
            Some(&byte) if is_space(byte) => at += 1,
            Some(_) => break,
        }
    }
    let begin = at;
    // The first character belongs to the name even if it is `=`.
    at += 1;
    while bytes.get(at).is_some_and(|&byte| !ENDS_NAME[byte as usize]) {
        at += 1;
    }
    let name = Span::new(begin, at);
    at = behind_space(bytes, at);
    if bytes.get(at) != Some(&b'=') {
        return Step::Attribute { name, value: Span::new(at, at), next: at };
    }
    at = behind_space(bytes, at + 1);
    match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &bytes[at + 1..]) {
            Some(length) => {
                let value = Span::new(at + 1, at + 1 + length);
                Step::Attribute { name, value, next: at + length + 2 }
            }
            None => Step::Unfinished,
        },
        _ => {
            let begin = at;
            while bytes.get(at).is_some_and(|&byte| !ENDS_UNQUOTED[byte as usize]) {
                at += 1;
            }
            Step::Attribute { name, value: Span::new(begin, at), next: at }
        }
    }
}

/// White space in tags. A form feed is, a vertical tab is not.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

#[inline]
fn behind_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

static ENDS_NAME: [bool; 256] = table(b" \t\n\r\x0c/>=");
static ENDS_UNQUOTED: [bool; 256] = table(b" \t\n\r\x0c>");
pub(super) static ENDS_TAG_NAME: [bool; 256] = table(b" \t\n\r\x0c/>");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}
