//! What several groups need, computed once per page and only when somebody asks.

use std::cell::OnceCell;

use crate::page::Page;

use super::block::copies;
use super::inside::masks;
use super::kinds::kinds;
use super::letters::{letters, prefix_sums, Letters, Sums};
use super::title::{overlap, Overlap};
use super::tree_parts::{branches, levels, likes, spans, Levels, Like, Spans};

pub struct Known<'a> {
    pub page: &'a Page,
    masks: OnceCell<Vec<u32>>,
    letters: OnceCell<Letters>,
    sums: OnceCell<Vec<Sums>>,
    spans: OnceCell<Spans>,
    branches: OnceCell<Vec<u32>>,
    levels: OnceCell<Levels>,
    likes: OnceCell<Vec<Like>>,
    kinds: OnceCell<Vec<u8>>,
    copies: OnceCell<Vec<i32>>,
    overlap: OnceCell<Overlap>,
}

impl<'a> Known<'a> {
    pub fn new(page: &'a Page) -> Self {
        Self {
            page,
            masks: OnceCell::new(),
            letters: OnceCell::new(),
            sums: OnceCell::new(),
            spans: OnceCell::new(),
            branches: OnceCell::new(),
            levels: OnceCell::new(),
            likes: OnceCell::new(),
            kinds: OnceCell::new(),
            copies: OnceCell::new(),
            overlap: OnceCell::new(),
        }
    }

    /// Which semantic elements are around each element, itself included.
    pub fn masks(&self) -> &[u32] {
        self.masks.get_or_init(|| masks(self.page))
    }

    pub fn letters(&self) -> &Letters {
        self.letters.get_or_init(|| letters(self))
    }

    /// What all blocks before each one hold, and last what all hold.
    pub fn sums(&self) -> &[Sums] {
        self.sums.get_or_init(|| prefix_sums(self.letters()))
    }

    /// What all blocks hold.
    pub fn total(&self) -> Sums {
        self.sums()[self.page.len()]
    }

    pub fn spans(&self) -> &Spans {
        self.spans.get_or_init(|| spans(self.page))
    }

    pub fn branches(&self) -> &[u32] {
        self.branches.get_or_init(|| branches(self))
    }

    pub fn levels(&self) -> &Levels {
        self.levels.get_or_init(|| levels(self))
    }

    pub fn likes(&self) -> &[Like] {
        self.likes.get_or_init(|| likes(self))
    }

    /// The kind of the innermost element around each block.
    pub fn kinds(&self) -> &[u8] {
        self.kinds.get_or_init(|| {
            let (kind, codes) = (kinds(), &self.page.elements.codes);
            self.page.element.iter().map(|&element| kind(codes[element as usize])).collect()
        })
    }

    /// How many blocks say exactly what each says.
    pub fn copies(&self) -> &[i32] {
        self.copies.get_or_init(|| copies(self.page))
    }

    pub fn overlap(&self) -> &Overlap {
        self.overlap.get_or_init(|| overlap(self.page))
    }
}
