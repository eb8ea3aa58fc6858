//! Which elements of a tree stay where the markup deletes some, with all that is in them.

use std::ops::Range;

use crate::spaces::is_white;
use crate::tree::{Text, Tree};

/// The elements that stay. The tree keeps the others: its scripts and titles say something of a page, too.
pub struct Kept {
    /// The number of each in the tree.
    pub origin: Vec<u32>,
    /// How many of these are before each element of the tree, and last how many there are.
    before: Vec<u32>,
}

impl Kept {
    /// All but these, and what is in them; the root always stays. A drawing that nobody closed stays if it holds text,
    /// which then is text behind it.
    pub fn new(tree: &Tree, is_deleted: impl Fn(usize) -> bool) -> Self {
        let drawings = drawings_with_text(tree, &is_deleted);
        let kept = kept(tree, |element| is_deleted(element) && drawings.binary_search(&(element as u32)).is_err());
        let origin = kept.iter().flat_map(|range| range.start as u32..range.end as u32).collect();
        Self { origin, before: before(&kept, tree.len()) }
    }

    /// The number that an element of the tree has, or would have, among those that stay.
    pub fn number(&self, element: u32) -> u32 {
        self.before[element as usize]
    }

    /// The element around a text, and how many tags that stay stand before it; None, where the element is deleted.
    pub fn place(&self, text: &Text, tree: &Tree) -> Option<(u32, u32)> {
        let (element, depth) = (self.number(text.element), tree.depths[text.element as usize]);
        // Of all elements that have begun, those around the text have not ended.
        let begun = (text.place + depth).div_ceil(2);
        (element < self.number(text.element + 1)).then(|| (element, 2 * self.number(begun) - depth - 1))
    }
}

/// Those that nobody closed, in their order.
fn drawings_with_text(tree: &Tree, is_deleted: impl Fn(usize) -> bool) -> Vec<u32> {
    let drawings = &tree.unclosed_drawings;
    let mut with_text = vec![false; drawings.len()];
    if drawings.is_empty() {
        return Vec::new();
    }
    let around = drawings_around(tree, is_deleted);
    for text in &tree.texts {
        let mut drawing = around[text.element as usize];
        let has_words = || tree.text(text).contains(|character: char| !is_white(character));
        if drawing.is_none_or(|drawing| with_text[drawing]) || !has_words() {
            continue;
        }
        // Around what is marked, all is marked.
        while let Some(unmarked) = drawing.filter(|&drawing| !with_text[drawing]) {
            with_text[unmarked] = true;
            drawing = around[tree.parents[drawings[unmarked] as usize] as usize];
        }
    }
    let marked = drawings.iter().zip(with_text).filter(|(_, is_marked)| *is_marked);
    marked.map(|(&drawing, _)| drawing).collect()
}

/// The place among the unclosed drawings of the one around each element, itself included; None where there is none, or
/// where the element is deleted in it.
fn drawings_around(tree: &Tree, is_deleted: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let mut around: Vec<Option<usize>> = Vec::with_capacity(tree.len());
    let mut drawings = tree.unclosed_drawings.iter().copied().enumerate().peekable();
    for (element, &parent) in tree.parents.iter().enumerate() {
        let drawing = drawings.next_if(|&(_, drawing)| drawing as usize == element);
        let of_parent = around.get(parent as usize).copied().flatten();
        around.push(match drawing {
            Some((place, _)) => Some(place),
            None => of_parent.filter(|_| !is_deleted(element)),
        });
    }
    around
}

/// Between two deleted elements a stretch of numbers.
fn kept(tree: &Tree, is_deleted: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let (mut kept, mut begin, mut element) = (Vec::new(), 0, 1);
    while element < tree.len() {
        if !is_deleted(element) {
            element += 1;
            continue;
        }
        if begin < element {
            kept.push(begin..element);
        }
        element = tree.ends[element] as usize;
        begin = element;
    }
    if begin < tree.len() {
        kept.push(begin..tree.len());
    }
    kept
}

fn before(kept: &[Range<usize>], count: usize) -> Vec<u32> {
    let mut before = Vec::with_capacity(count + 1);
    let mut number = 0;
    for range in kept {
        before.resize(range.start, number);
        before.extend(number..number + range.len() as u32);
        number += range.len() as u32;
    }
    before.resize(count + 1, number);
    before
}
