//! What the tags of HTML mean to whoever cuts a page into blocks.

use std::collections::HashMap;

use crate::html::tags::{Tag, NAMES};
use crate::tree::Tree;

/// Roles that say as much as a tag: https://www.w3.org/TR/wai-aria/#roles_categorization. The code of a role is one
/// more than its place.
pub const ROLES: [&str; 14] = [
    "navigation",
    "main",
    "banner",
    "contentinfo",
    "complementary",
    "dialog",
    "alertdialog",
    "search",
    "article",
    "heading",
    "list",
    "listitem",
    "button",
    "tab",
];

/// Which tags part text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every tag.
    Victor,
    /// Block-level tags, and two `<br>` in a row.
    Block,
    /// Block-level tags, and every `<br>`.
    Line,
}

/// What a tag is to the text around it: a bit each.
pub const APART: u8 = 1;
pub const PARTING: u8 = 2;
pub const BLOCK: u8 = 4;
pub const BREAK: u8 = 8;
pub const PICTURE: u8 = 16;
pub const DELETED: u8 = 32;

#[derive(Clone, Debug)]
pub struct Markup {
    pub mode: Mode,
    /// By the code of a tag; code 0 is any tag that is not known.
    pub bits: Vec<u8>,
    /// The codes of names beyond the table.
    pub others: HashMap<String, u16>,
}

/// What a config says of tags, by their names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Those beyond the table that get a code of their own, in order.
    pub others: Vec<String>,
    pub deleted: Vec<String>,
    pub apart: Vec<String>,
    pub parting: Vec<String>,
    pub block: Vec<String>,
}

impl Markup {
    pub fn new(mode: Mode, names: &Names) -> Self {
        let first = NAMES.len() as u16 + 1;
        let others: HashMap<String, u16> =
            names.others.iter().enumerate().map(|(place, name)| (name.clone(), first + place as u16)).collect();
        let mut markup = Self { mode, bits: vec![0; NAMES.len() + 1 + others.len()], others };
        for (bit, marked) in
            [(DELETED, &names.deleted), (APART, &names.apart), (PARTING, &names.parting), (BLOCK, &names.block)]
        {
            marked.iter().for_each(|name| markup.mark(name, bit));
        }
        for (bit, name) in [(BREAK, "br"), (PICTURE, "img")] {
            markup.mark(name, bit);
        }
        markup
    }

    /// The code of a name; 0 is any that is not known.
    pub fn code_of(&self, name: &str) -> u16 {
        match code_of(name) {
            0 => self.others.get(name).copied().unwrap_or(0),
            code => code,
        }
    }

    fn mark(&mut self, name: &str, bit: u8) {
        let code = self.code_of(name);
        if code > 0 {
            self.bits[code as usize] |= bit;
        }
    }

    /// The code of each of a tree's own names.
    pub fn codes_of_others(&self, tree: &Tree) -> Vec<u16> {
        tree.other_names.iter().map(|name| self.others.get(&**name).copied().unwrap_or(0)).collect()
    }
}

/// The code of a tag of the table.
pub fn code(tag: Tag) -> u16 {
    tag.0 + 1
}

/// The code of a name of the table; for names that are known to be there.
pub fn code_of(name: &str) -> u16 {
    NAMES.binary_search(&name).map_or(0, |place| place as u16 + 1)
}
