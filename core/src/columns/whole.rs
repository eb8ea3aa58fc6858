//! What a page is as a whole: the same for all of its blocks.

use crate::markup::code_of;

use super::block::{COMMAS, CURRENCY};
use super::inside::bit;
use super::known::Known;
use super::rows::Rows;
use super::tree_parts::above;

const FIGURES: [&str; 19] = [
    "letters",
    "blocks",
    "elements",
    "link-share",
    "sentence-ends",
    "longest",
    "mean-letters",
    "median-letters",
    "blocks-of-100",
    "blocks-of-300",
    "wide-share",
    "lower-share",
    "long-share",
    "digit-share",
    "currency",
    "commas",
    "copies-share",
    "alike-share",
    "most-alike",
];
/// The share of blocks that are copies of others.
const COPIES: usize = 16;
const SHARES: [&str; 8] = ["p", "list", "table", "heading", "main", "article", "nav", "form"];
const TAGS: [&str; 8] = ["h1", "h2", "h3", "article", "p", "li", "time", "form"];

pub fn names() -> Vec<String> {
    let figures = FIGURES.iter().map(|name| format!("page.{name}"));
    let shares = SHARES.iter().map(|name| format!("page.{name}-share"));
    figures.chain(shares).chain(TAGS.iter().map(|tag| format!("page.{tag}s"))).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    for (number, &value) in known.whole(rows.wants(COPIES)).iter().enumerate() {
        rows.put_all(number, value as f32);
    }
}

/// All figures; the share of copies only if anybody asks for it.
pub fn whole(known: &Known, wants_copies: bool) -> Vec<f64> {
    figures(known, wants_copies).into_iter().chain(shares(known)).chain(tags(known)).collect()
}

fn figures(known: &Known, wants_copies: bool) -> [f64; FIGURES.len()] {
    let (found, total, blocks) = (known.letters(), known.total(), known.page.len());
    let sum = |column: &[i32]| column.iter().map(|&count| i64::from(count)).sum::<i64>() as f64;
    let letters = f64::from(total.letters);
    let (some, plain) = (letters.max(1.0), sum(&found.plain));
    let copied = if wants_copies { letters_where(known, |block| known.copies()[block] > 1) } else { 0.0 };
    let most_alike = most_alike(known);
    [
        letters,
        blocks as f64,
        known.page.elements.len() as f64,
        f64::from(total.linked) / some,
        f64::from(total.ends),
        f64::from(found.letters.iter().copied().max().unwrap_or(0)),
        letters / blocks.max(1) as f64,
        median(&found.letters),
        found.letters.iter().filter(|&&count| count >= 100).count() as f64,
        found.letters.iter().filter(|&&count| count >= 300).count() as f64,
        (letters - plain) / plain.max(1.0),
        sum(&found.lower) / plain.max(1.0),
        f64::from(total.long) / some,
        f64::from(total.digits) / some,
        sum(&found.signs[CURRENCY]),
        sum(&found.signs[COMMAS]),
        copied / some,
        letters_where(known, |block| most_alike[block] > 2) / some,
        f64::from(most_alike.iter().copied().max().unwrap_or(0)),
    ]
}

/// How many letters the blocks hold of which this is true.
fn letters_where(known: &Known, is_counted: impl Fn(usize) -> bool) -> f64 {
    let letters = known.letters().letters.iter().enumerate();
    letters.filter(|&(block, _)| is_counted(block)).map(|(_, &count)| f64::from(count)).sum()
}

/// Of each block how many parts are built like the one it is in, on the level where those are most.
fn most_alike(known: &Known) -> Vec<i32> {
    let (branches, likes, above) = (known.branches(), known.likes(), above(known));
    let alike = |branch: u32| likes.of(branch).alike;
    let most = |&element: &u32| {
        let branch = branches[element as usize];
        let next = above(branch);
        alike(branch).max(alike(next)).max(alike(above(next)))
    };
    known.page.element.iter().map(most).collect()
}

/// The upper one of two.
fn median(values: &[i32]) -> f64 {
    let mut ordered = values.to_vec();
    let middle = ordered.len() / 2;
    if ordered.is_empty() {
        0.0
    } else {
        f64::from(*ordered.select_nth_unstable(middle).1)
    }
}

/// The share of the letters that are inside of such elements.
fn shares(known: &Known) -> [f64; SHARES.len()] {
    let bits = SHARES.map(bit);
    let masks = known.page.element.iter().map(|&element| known.masks()[element as usize]);
    let mut held = [0; SHARES.len()];
    for (mask, &letters) in masks.zip(&known.letters().letters) {
        for (sum, bit) in held.iter_mut().zip(bits) {
            *sum += if mask & bit != 0 { letters } else { 0 };
        }
    }
    held.map(|letters| f64::from(letters) / f64::from(known.total().letters).max(1.0))
}

/// How many elements of each tag there are.
fn tags(known: &Known) -> [f64; TAGS.len()] {
    let mut counts = [0_u32; 256];
    for &code in &known.page.elements.codes {
        counts[usize::from(code).min(255)] += 1;
    }
    TAGS.map(|tag| f64::from(counts[code_of(tag) as usize]))
}
