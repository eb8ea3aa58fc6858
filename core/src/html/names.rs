//! The names of tags beyond the table, numbered in the order in which they come.

use std::collections::HashMap;

use super::tags::{Tag, NAMES};

/// So many numbers are left for other names; those that come later share the last.
const MOST: usize = u16::MAX as usize - NAMES.len() - 1;

const LAST: Tag = Tag((NAMES.len() + MOST - 1) as u16);

#[derive(Default)]
pub struct OtherNames {
    numbers: HashMap<Box<str>, u16>,
    names: Vec<Box<str>>,
}

impl OtherNames {
    /// The tag of a name, which gets a number if it has none.
    pub fn tag(&mut self, name: &str) -> Tag {
        if let Some(tag) = self.find(name) {
            return tag;
        }
        if self.names.len() == MOST {
            return LAST;
        }
        let number = (NAMES.len() + self.names.len()) as u16;
        let name = small(name).into_boxed_str();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Tag(number)
    }

    /// The tag of a name that some element has, else unknown.
    pub fn known_tag(&self, name: &str) -> Tag {
        let otherwise = if self.names.len() == MOST { LAST } else { Tag::UNKNOWN };
        self.find(name).unwrap_or(otherwise)
    }

    /// Most names are written in small letters, and need not be copied to be found.
    fn find(&self, name: &str) -> Option<Tag> {
        let number = self.numbers.get(name).or_else(|| self.numbers.get(small(name).as_str()));
        number.map(|&number| Tag(number))
    }

    pub fn into_names(self) -> Vec<Box<str>> {
        self.names
    }
}

fn small(name: &str) -> String {
    let mut small = name.to_ascii_lowercase();
    if small.contains('\0') {
        small = small.replace('\0', "\u{fffd}");
    }
    small
}
