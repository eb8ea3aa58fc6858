//! What each word that a network knows says to it: those of the names near to a block, of the names of the page, and of
//! the text of short blocks.

use std::borrow::Cow;
use std::ops::Range;

use crate::kernels::{self, Kernel};
use crate::names::{Classes, NEAR};
use crate::numeric::hyperbolic_tangent;
use crate::page::Page;
use crate::words::{KnownWords, Vocabulary, OF_NAMES};

/// A row of numbers for each word.
#[derive(Clone, Debug, Default)]
pub struct Table {
    values: Vec<f32>,
    numbers: usize,
}

impl Table {
    pub fn new(values: &[f32], numbers: usize) -> Self {
        Self { values: values.to_vec(), numbers }
    }

    /// What some words say together in one of their numbers.
    fn sum(&self, words: &[u32], column: usize) -> f32 {
        words.iter().map(|&word| self.values[word as usize * self.numbers + column]).sum()
    }

    /// The same of several texts, text by text for each of the numbers.
    fn sums<'a>(&self, texts: impl Iterator<Item = &'a [u32]> + Clone) -> Vec<f32> {
        let of_column = |column| texts.clone().map(move |words| self.sum(words, column));
        (0..self.numbers).flat_map(of_column).collect()
    }
}

/// The words that a network knows, and what they say.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub names: Vocabulary,
    pub near: Table,
    pub whole: Table,
    pub text: Vocabulary,
    pub short: Table,
}

/// One of the numbers that words give each block.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    Names(usize),
    Text(usize),
}

/// What a network has read of a page.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// What the names of each class near to a block say, class by class for each number; empty where none is known.
    of_classes: Vec<f32>,
    classes: usize,
    /// The classes near to each block.
    near: Vec<[u32; NEAR]>,
    /// What the names of the page say, as it enters.
    whole: Vec<f32>,
    text: KnownWords,
}

impl Words {
    pub fn text(&self) -> &KnownWords {
        &self.text
    }
}

impl Lexicon {
    pub fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// How many inputs a network has for words: those near, of the page, and of text.
    pub fn inputs(&self) -> usize {
        self.near.numbers + self.whole.numbers + self.short.numbers
    }

    /// The classes are needed where names are known.
    pub fn read(&self, page: &Page, classes: &Classes) -> Words {
        let text = KnownWords::of_short_blocks(page, &self.text);
        if !self.has_names() {
            return Words { text, ..Words::default() };
        }
        let known = |texts: &[Cow<str>]| KnownWords::new(texts.iter().map(AsRef::as_ref), &OF_NAMES, &self.names);
        let (near, whole) = (known(&classes.near), known(&classes.whole));
        let whole = self.whole.sums(std::iter::once(whole.all()));
        let whole = whole.into_iter().map(hyperbolic_tangent).collect();
        if near.is_empty() {
            return Words { whole, text, ..Words::default() };
        }
        let count = classes.near.len();
        let of_classes = self.near.sums((0..count).map(|class| near.of(class)));
        Words { of_classes, classes: count, near: classes.of_blocks.clone(), whole, text }
    }

    /// The inputs that differ from block to block, from the first of all words on.
    pub fn columns(&self, words: &Words) -> Vec<(usize, Column)> {
        let of_names = if words.of_classes.is_empty() { 0 } else { self.near.numbers };
        let of_text = if words.text.is_empty() { 0 } else { self.short.numbers };
        let first_of_text = self.near.numbers + self.whole.numbers;
        let of_names = (0..of_names).map(|number| (number, Column::Names(number)));
        of_names.chain((0..of_text).map(|number| (first_of_text + number, Column::Text(number)))).collect()
    }

    /// The inputs that are the same in all blocks, counted alike.
    pub fn same<'a>(&self, words: &'a Words) -> impl Iterator<Item = (usize, f32)> + 'a {
        (self.near.numbers..).zip(words.whole.iter().copied())
    }

    /// What the words of each block say together.
    pub fn fill(&self, words: &Words, column: Column, blocks: Range<usize>, row: &mut [f32], kernel: Kernel) {
        match column {
            Column::Names(column) => {
                let said = &words.of_classes[column * words.classes..][..words.classes];
                for (sum, classes) in row.iter_mut().zip(&words.near[blocks]) {
                    *sum = classes.iter().map(|&class| said[class as usize]).sum();
                }
            }
            Column::Text(column) => {
                for (sum, block) in row.iter_mut().zip(blocks) {
                    *sum = self.short.sum(words.text.of(block), column);
                }
            }
        }
        kernels::bend(kernel, row);
    }
}
