//! How much of the page's title a block says, by three characters in a row.

use crate::page::Page;

pub struct Overlap {
    /// How many places of each block begin three characters that the title has.
    pub hits: Vec<i32>,
    /// How many there are in the title.
    whole: i32,
}

impl Overlap {
    /// What share of the title a block says.
    pub fn covered(&self, block: usize) -> f64 {
        (f64::from(self.hits[block]) / f64::from(self.whole)).min(1.0)
    }
}

pub fn overlap(page: &Page) -> Overlap {
    let title: Vec<u16> = page.title.chars().map(low).collect();
    if title.len() < 3 {
        return Overlap { hits: vec![0; page.len()], whole: 1 };
    }
    let mut known = Trigrams([0; 1 << 10]);
    title.windows(3).for_each(|three| known.add(number(three[0], three[1], three[2])));
    let hits: Vec<i32> = (0..page.len()).map(|block| known.hits(page, block)).collect();
    Overlap { hits, whole: title.len() as i32 - 2 }
}

/// The difference between cases is one bit.
fn low(character: char) -> u16 {
    character as u32 as u16 | 32
}

/// A number for three characters in a row.
fn number(first: u16, second: u16, third: u16) -> u16 {
    first.wrapping_mul(31 * 31).wrapping_add(second.wrapping_mul(31)).wrapping_add(third)
}

/// A bit for each number.
struct Trigrams([u64; 1 << 10]);

impl Trigrams {
    fn add(&mut self, number: u16) {
        self.0[usize::from(number >> 6)] |= 1 << (number & 63);
    }

    fn has(&self, number: u16) -> i32 {
        (self.0[usize::from(number >> 6)] >> (number & 63) & 1) as i32
    }

    /// As in numpy, what begins in a block goes on in the line end behind it and in the next one.
    fn hits(&self, page: &Page, block: usize) -> i32 {
        let begin = page.begins[block] as usize;
        let end = page.begins.get(block + 1).map_or(page.text.len(), |&next| next as usize + 2).min(page.text.len());
        let bytes = &page.text.as_bytes()[begin..end];
        if bytes.is_ascii() {
            return self.hits_in_ascii(bytes);
        }
        let mut characters = page.text[begin..].chars().take(page.lengths[block] as usize + 3).map(low);
        let (Some(mut first), Some(mut second)) = (characters.next(), characters.next()) else { return 0 };
        let mut hits = 0;
        for third in characters {
            hits += self.has(number(first, second, third));
            (first, second) = (second, third);
        }
        hits
    }

    fn hits_in_ascii(&self, bytes: &[u8]) -> i32 {
        let low = |byte: u8| u16::from(byte | 32);
        bytes.windows(3).map(|three| self.has(number(low(three[0]), low(three[1]), low(three[2])))).sum()
    }
}
