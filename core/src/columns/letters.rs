//! How much text a block holds, counted so that scripts with and without spaces weigh alike.

use std::ops::{Range, Sub};

use super::characters::{counted, counts, decode, is, known, sign, Counts, ASCII_COUNTS};
use super::inside::LINK;
use super::known::Known;

/// How many kinds of signs there are: those of `block::SIGNS`.
pub const SIGNS: usize = 9;

/// Of each block; wide letters count as two in `letters` and `linked`, and only there.
#[derive(Default)]
pub struct Letters {
    pub letters: Vec<i32>,
    pub linked: Vec<i32>,
    pub plain: Vec<i32>,
    pub lower: Vec<i32>,
    pub digits: Vec<i32>,
    pub white: Vec<i32>,
    /// How many sentences end.
    pub ends: Vec<i32>,
    pub signs: [Vec<i32>; SIGNS],
}

pub fn letters(known: &Known) -> Letters {
    let page = known.page;
    let (text, masks) = (page.text.as_bytes(), known.masks());
    let mut found = Letters::for_blocks(page.len());
    for block in 0..page.len() {
        let (first, last) = (page.first_runs[block] as usize, page.first_runs[block + 1] as usize);
        let mut reader = Reader { text, at: page.begins[block] as usize, ..Reader::default() };
        let mut linked = 0;
        for run in first..last {
            let before = reader.weight();
            reader.read(if run + 1 < last { page.runs.begin[run + 1] } else { page.ends[block] } as usize);
            if masks[page.runs.element[run] as usize] & LINK != 0 {
                linked += reader.weight() - before;
            }
        }
        found.push(&reader, linked);
    }
    found
}

impl Letters {
    fn for_blocks(count: usize) -> Self {
        let column = || Vec::with_capacity(count);
        Self {
            letters: column(),
            linked: column(),
            plain: column(),
            lower: column(),
            digits: column(),
            white: column(),
            ends: column(),
            signs: std::array::from_fn(|_| column()),
        }
    }

    fn push(&mut self, reader: &Reader, linked: i32) {
        let [plain, lower, digits, white] = counted(reader.counts);
        self.letters.push(plain + reader.wide);
        self.linked.push(linked);
        self.plain.push(plain);
        self.lower.push(lower);
        self.digits.push(digits);
        self.white.push(white);
        self.ends.push(reader.ends);
        for (column, &count) in self.signs.iter_mut().zip(&reader.signs[1..]) {
            column.push(count);
        }
    }
}

/// Reads a block run by run, and counts all that the columns ask for.
#[derive(Default)]
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    counts: Counts,
    wide: i32,
    ends: i32,
    /// By the number of the kind; 0 is none.
    signs: [i32; SIGNS + 1],
}

impl Reader<'_> {
    /// How many letters so far; wide ones count as two.
    fn weight(&self) -> i32 {
        counted(self.counts)[0] + self.wide
    }

    fn read(&mut self, end: usize) {
        let (mut counts, mut at) = (self.counts, self.at);
        while at < end {
            let byte = self.text[at];
            let added = if byte < 0x80 { ASCII_COUNTS[byte as usize] } else { 0 };
            counts += added;
            at += 1;
            if added == 0 {
                self.at = at - 1;
                counts += self.read_other();
                at = self.at;
            }
        }
        (self.counts, self.at) = (counts, at);
    }

    /// A sign, or any character that is not ASCII.
    fn read_other(&mut self) -> Counts {
        let (code, size) = decode(self.text, self.at);
        let found = known(code);
        self.signs[sign(found)] += 1;
        self.at += size;
        if found & is::TERMINAL != 0 {
            self.read_terminals(code != u32::from('.'));
        }
        self.wide += i32::from(found & is::WIDE != 0);
        counts(found)
    }

    /// The rest of a run of sentence terminals: full stops alone must stand before space or a closing mark.
    fn read_terminals(&mut self, mut is_sure: bool) {
        // There is a line end behind the last block.
        loop {
            let (code, size) = decode(self.text, self.at);
            let found = known(code);
            if found & is::TERMINAL == 0 {
                self.ends += i32::from(is_sure || found & (is::WHITE | is::CLOSING) != 0);
                return;
            }
            is_sure |= code != u32::from('.');
            self.signs[sign(found)] += 1;
            self.at += size;
        }
    }
}

/// What several blocks hold.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    pub letters: i32,
    pub linked: i32,
    pub ends: i32,
    /// Letters without a link in blocks that have many of them.
    pub long: i32,
    pub digits: i32,
}

impl Sub for Sums {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            letters: self.letters - other.letters,
            linked: self.linked - other.linked,
            ends: self.ends - other.ends,
            long: self.long - other.long,
            digits: self.digits - other.digits,
        }
    }
}

/// A block with as many letters without a link is a long one.
const LONG: i32 = 80;

pub fn prefix_sums(found: &Letters) -> Vec<Sums> {
    let mut sums = Vec::with_capacity(found.letters.len() + 1);
    let mut total = Sums::default();
    sums.push(total);
    for block in 0..found.letters.len() {
        let unlinked = found.letters[block] - found.linked[block];
        total.letters += found.letters[block];
        total.linked += found.linked[block];
        total.ends += found.ends[block];
        total.long += if unlinked >= LONG { unlinked } else { 0 };
        total.digits += found.digits[block];
        sums.push(total);
    }
    sums
}

pub fn share(part: i32, whole: i32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// The share of each pair in a range.
pub fn shares<'a>(parts: &'a [i32], wholes: &'a [i32], range: Range<usize>) -> impl Iterator<Item = f32> + 'a {
    parts[range.clone()].iter().zip(&wholes[range]).map(|(&part, &whole)| share(part, whole))
}

/// As they are.
pub fn figures(values: &[i32]) -> impl Iterator<Item = f32> + '_ {
    values.iter().map(|&value| value as f32)
}
