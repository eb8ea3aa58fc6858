//! A page cut into blocks: what columns read and labelers label.

use crate::tree::Tree;

/// The elements that are not deleted, in document order; the root is its own parent.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// The number of each in the tree.
    pub origin: Vec<u32>,
    /// The code of each tag: one more than its number in the table of tags, then those that the markup names; 0 is any
    /// other.
    pub codes: Vec<u16>,
    pub parents: Vec<u32>,
    pub depths: Vec<u32>,
    pub ends: Vec<u32>,
    /// By `markup::ROLES`, from 1; 0 is none of them.
    pub roles: Vec<u8>,
}

impl Elements {
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Where an element opens among all tags in the order in which they stand.
    pub fn opening(&self, element: usize) -> u32 {
        2 * element as u32 - self.depths[element]
    }

    /// For every element the nearest one around it, itself included, that has one of these codes.
    pub fn nearest(&self, codes: &[u16]) -> Vec<Option<u32>> {
        let mut nearest: Vec<Option<u32>> = Vec::with_capacity(self.len());
        for (element, code) in self.codes.iter().enumerate() {
            let is_meant = codes.contains(code);
            let around = if element == 0 { None } else { nearest[self.parents[element] as usize] };
            nearest.push(if is_meant { Some(element as u32) } else { around });
        }
        nearest
    }

    /// Where it closes.
    pub fn closing(&self, element: usize) -> u32 {
        2 * self.ends[element] - self.depths[element] - 1
    }
}

/// The stretches of text that no tag interrupts, in document order: a block is one run, or several merged.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    pub element: Vec<u32>,
    /// How many tags stand before it.
    pub place: Vec<u32>,
    pub block: Vec<u32>,
    /// Where in the text of its block it begins, in characters.
    pub start: Vec<u32>,
    /// Where in `Page::text` it begins, in bytes.
    pub begin: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Page {
    /// All of the page, what the markup deletes included.
    pub tree: Tree,
    pub elements: Elements,
    pub runs: Runs,
    /// The text of all blocks, a line end before, between and behind them.
    pub text: String,
    /// Where in `text` each block begins and ends, in bytes.
    pub begins: Vec<u32>,
    pub ends: Vec<u32>,
    /// How many characters each has.
    pub lengths: Vec<u32>,
    pub is_spaced: Vec<bool>,
    pub is_new_line: Vec<bool>,
    /// The first run of each block, and last how many runs there are.
    pub first_runs: Vec<u32>,
    /// The innermost element that holds the whole of each block.
    pub element: Vec<u32>,
    /// What stands in the first `<title>`, white space folded.
    pub title: String,
}

impl Page {
    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.begins.len()
    }

    pub fn is_empty(&self) -> bool {
        self.begins.is_empty()
    }

    pub fn block(&self, number: usize) -> &str {
        &self.text[self.begins[number] as usize..self.ends[number] as usize]
    }
}
