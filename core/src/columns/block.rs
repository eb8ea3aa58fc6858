//! What a block's own text and tag say.

use std::cmp::Ordering;

use crate::page::Page;

use super::characters::{is, traits};
use super::known::Known;
use super::letters::{figures, share, shares, SIGNS};
use super::rows::Rows;

const OWN: [&str; 14] = [
    "letters",
    "linked",
    "link-share",
    "lower-share",
    "digit-share",
    "sign-share",
    "sentence-ends",
    "letters-per-sentence",
    "letters-per-word",
    "runs",
    "wide-share",
    "first",
    "last",
    "copies",
];
/// The characters of each kind are in core/tables/make_characters.py.
const KINDS_OF_SIGNS: [&str; SIGNS] =
    ["commas", "colons", "copyright", "currency", "slashes", "bars", "arrows", "quotes", "brackets"];
pub const COMMAS: usize = 0;
pub const CURRENCY: usize = 3;

pub fn names() -> Vec<String> {
    OWN.iter().chain(&KINDS_OF_SIGNS).map(|name| format!("block.{name}")).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let (page, found, numbers) = (known.page, known.letters(), rows.blocks());
    let signs =
        |block: usize| page.lengths[block] as i32 - found.plain[block] - found.digits[block] - found.white[block];
    rows.put(0, figures(&found.letters[numbers.clone()]));
    rows.put(1, figures(&found.linked[numbers.clone()]));
    rows.put(2, shares(&found.linked, &found.letters, numbers.clone()));
    rows.put(3, shares(&found.lower, &found.plain, numbers.clone()));
    rows.put(4, numbers.clone().map(|block| share(found.digits[block], page.lengths[block] as i32)));
    rows.put(5, numbers.clone().map(|block| share(signs(block), page.lengths[block] as i32)));
    rows.put(6, figures(&found.ends[numbers.clone()]));
    rows.put(7, shares(&found.letters, &found.ends, numbers.clone()));
    rows.put(8, numbers.clone().map(|block| share(found.plain[block], found.white[block] + 1)));
    rows.put(9, page.first_runs[numbers.start..=numbers.end].windows(2).map(|runs| (runs[1] - runs[0]) as f32));
    rows.put(10, numbers.clone().map(|block| share(found.letters[block] - found.plain[block], found.plain[block])));
    rows.put(11, numbers.clone().map(|block| border(page.block(block).chars().next())));
    rows.put(12, numbers.clone().map(|block| border(page.block(block).chars().next_back())));
    if rows.wants(13) {
        rows.put(13, figures(&known.copies()[numbers.clone()]));
    }
    for (number, column) in found.signs.iter().enumerate() {
        rows.put(OWN.len() + number, figures(&column[numbers.clone()]));
    }
}

/// What a character at the border of a block is: the last that fits.
fn border(character: Option<char>) -> f32 {
    let found = character.map_or(0, traits);
    let kinds = [is::CLOSING, is::DIGIT, is::LETTER, is::LETTER | is::LOWER, is::TERMINAL];
    kinds.iter().rposition(|&kind| found & kind == kind).map_or(0.0, |place| (place + 1) as f32)
}

/// How many blocks say exactly what each says.
pub fn copies(page: &Page) -> Vec<i32> {
    let mut order: Vec<(u64, u32)> = (0..page.len()).map(|block| (digest(page.block(block)), block as u32)).collect();
    // By the texts as well, so that no two texts with one digest are mistaken for each other.
    let compared = |one: &(u64, u32), other: &(u64, u32)| match one.0.cmp(&other.0) {
        Ordering::Equal => page.block(one.1 as usize).cmp(page.block(other.1 as usize)),
        unequal => unequal,
    };
    order.sort_unstable_by(compared);
    let mut counts = vec![1; page.len()];
    for same in order.chunk_by(|one, other| compared(one, other).is_eq()).filter(|same| same.len() > 1) {
        for &(_, block) in same {
            counts[block as usize] = same.len() as i32;
        }
    }
    counts
}

const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number for a text, eight bytes at a time.
fn digest(text: &str) -> u64 {
    let mut words = text.as_bytes().chunks_exact(8);
    let mixed = |digest: u64, word: u64| {
        let product = u128::from(digest ^ word) * u128::from(MIXER);
        (product as u64) ^ (product >> 64) as u64
    };
    let mut digest = words.by_ref().fold(text.len() as u64, |digest, word| {
        mixed(digest.wrapping_add(MIXER), u64::from_le_bytes(word.try_into().expect("eight bytes")))
    });
    for &byte in words.remainder() {
        digest = digest << 8 ^ digest >> 56 ^ u64::from(byte);
    }
    mixed(digest, MIXER)
}
