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
        let name = small(name);
        if let Some(&number) = self.numbers.get(name.as_str()) {
            return Tag(number);
        }
        if self.names.len() == MOST {
            return LAST;
        }
        let number = (NAMES.len() + self.names.len()) as u16;
        let name = name.into_boxed_str();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Tag(number)
    }

    /// The tag of a name that some element has, else unknown.
    pub fn known_tag(&self, name: &str) -> Tag {
        match self.numbers.get(small(name).as_str()) {
            Some(&number) => Tag(number),
            None if self.names.len() == MOST => LAST,
            None => Tag::UNKNOWN,
        }
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
