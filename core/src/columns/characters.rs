//! What Unicode says of characters, as victorpy/features/characters.py does.
//!
//! The table comes from core/tables/make_characters.py, which says how it is laid out.

/// What is known of a character: a bit each.
pub mod is {
    pub const LETTER: u16 = 1 << 0;
    pub const DIGIT: u16 = 1 << 1;
    pub const PUNCTUATION: u16 = 1 << 2;
    pub const WHITE: u16 = 1 << 3;
    pub const LOWER: u16 = 1 << 4;
    pub const TERMINAL: u16 = 1 << 5;
    pub const OPENING: u16 = 1 << 6;
    pub const CLOSING: u16 = 1 << 7;
    pub const SIGN: u16 = 1 << 8;
    pub const MARK: u16 = 1 << 9;
    /// Letters of scripts that put no spaces between words.
    pub const SOLID: u16 = 1 << 10;
    /// East Asian letters, of which one says about as much as two of an alphabet.
    pub const WIDE: u16 = 1 << 11;
}

/// The kinds of signs by their number, from 1, in the bits above all traits.
const SIGNS: u32 = 12;

static TABLE: &[u8; 38_272] = include_bytes!("characters.bin");

const PAGE_BITS: u32 = 7;
const CLASSES: usize = 0x11_0000 >> PAGE_BITS;
const PAGES: usize = CLASSES + 2 * 256;

const fn class(code: u32) -> u8 {
    let page = TABLE[(code >> PAGE_BITS) as usize] as usize;
    TABLE[PAGES + (page << PAGE_BITS) + (code as usize & ((1 << PAGE_BITS) - 1))]
}

/// By class, all traits, and the kind of signs.
static TRAITS: [u16; 256] = {
    let mut traits = [0; 256];
    let mut class = 0;
    while class < 256 {
        traits[class] = u16::from_le_bytes([TABLE[CLASSES + 2 * class], TABLE[CLASSES + 2 * class + 1]]);
        class += 1;
    }
    traits
};

/// All bits of `is` that a character has.
pub fn traits(character: char) -> u16 {
    known(character as u32) & ((1 << SIGNS) - 1)
}

/// The traits of a character, and its kind of signs.
pub fn known(code: u32) -> u16 {
    TRAITS[class(code) as usize]
}

/// The number of its kind of signs, from 1; 0 where it is none.
pub fn sign(known: u16) -> usize {
    (known >> SIGNS) as usize
}

/// Four counts in one number: letters, letters in lower case, digits, white space. Text has under 2³² characters.
pub type Counts = u128;

pub fn counted(counts: Counts) -> [i32; 4] {
    [counts as u32 as i32, (counts >> 32) as u32 as i32, (counts >> 64) as u32 as i32, (counts >> 96) as u32 as i32]
}

/// What a character with these traits adds.
pub const fn counts(traits: u16) -> Counts {
    let mut counts = 0;
    if traits & is::LETTER != 0 {
        counts |= 1;
    }
    if traits & is::LOWER != 0 {
        counts |= 1 << 32;
    }
    if traits & is::DIGIT != 0 {
        counts |= 1 << 64;
    }
    if traits & is::WHITE != 0 {
        counts |= 1 << 96;
    }
    counts
}

/// The same by the byte of an ASCII character: 0 for all that is neither letter nor digit nor white space.
pub static ASCII_COUNTS: [Counts; 128] = {
    let mut table = [0; 128];
    let mut code = 0;
    while code < 128 {
        table[code] = counts(u16::from_le_bytes([
            TABLE[CLASSES + 2 * class(code as u32) as usize],
            TABLE[CLASSES + 2 * class(code as u32) as usize + 1],
        ]));
        code += 1;
    }
    table
};

/// The code of the character that begins here, and how many bytes it has; `text` is UTF-8.
#[inline]
pub fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let first = u32::from(text[at]);
    let next = |distance: usize| u32::from(text[at + distance] & 0x3F);
    match first {
        0..=0x7F => (first, 1),
        0x80..=0xDF => ((first & 0x1F) << 6 | next(1), 2),
        0xE0..=0xEF => ((first & 0x0F) << 12 | next(1) << 6 | next(2), 3),
        _ => ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
    }
}
