//! A tree without the elements that the markup deletes, and all that is in them.

use std::ops::Range;

use crate::tree::{Text, Tree};

/// Takes these elements out of the tree and out of their codes, but never the root.
pub fn delete(tree: &mut Tree, codes: &mut Vec<u16>, is_deleted: impl Fn(u16) -> bool) {
    let kept = kept(tree, |element| is_deleted(codes[element]));
    if kept.iter().map(Range::len).sum::<usize>() == tree.len() {
        return;
    }
    let before = before(&kept, tree.len());
    keep_texts(tree, &before);
    keep(codes, &kept);
    keep(&mut tree.tags, &kept);
    keep(&mut tree.depths, &kept);
    keep(&mut tree.places, &kept);
    keep(&mut tree.attributes, &kept);
    keep(&mut tree.namespaces, &kept);
    for column in [&mut tree.parents, &mut tree.ends] {
        keep(column, &kept);
        column.iter_mut().for_each(|element| *element = before[*element as usize]);
    }
    tree.further_attributes.retain(|&(element, _)| is_kept(element, &before));
    tree.further_attributes.iter_mut().for_each(|(element, _)| *element = before[*element as usize]);
}

/// The elements that stay: between two deleted ones a stretch of numbers.
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

/// How many of those that stay are before each element, and last how many stay.
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

fn is_kept(element: u32, before: &[u32]) -> bool {
    before[element as usize] < before[element as usize + 1]
}

fn keep_texts(tree: &mut Tree, before: &[u32]) {
    tree.texts.retain(|text| is_kept(text.element, before));
    for text in &mut tree.texts {
        text.place = place(text, tree.depths[text.element as usize], before);
        text.element = before[text.element as usize];
    }
}

/// How many of the kept tags stand before a text: of all elements that have begun, those around it have not ended.
fn place(text: &Text, depth: u32, before: &[u32]) -> u32 {
    let begun = (text.place + depth).div_ceil(2);
    2 * before[begun as usize] - depth - 1
}

fn keep<T: Copy>(column: &mut Vec<T>, kept: &[Range<usize>]) {
    let mut end = 0;
    for range in kept {
        column.copy_within(range.clone(), end);
        end += range.len();
    }
    column.truncate(end);
}
