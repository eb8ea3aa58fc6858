//! The words of texts that a network knows: of short blocks (`Related stories`, `Photo: …`), and of names.
//!
//! Where no blanks part words, as in Chinese, a word is what stands between signs: often a whole short block.

use crate::page::Page;
use crate::spaces::is_white;

/// A short block has at most so many characters.
const SHORT: u32 = 60;

/// The signs that part words beside white space.
pub struct Signs {
    /// The small letters of ASCII, and what parts words.
    ascii: [u8; 128],
    all: &'static [char],
}

/// Those of text.
pub static OF_TEXT: Signs = Signs::new(&['.', ',', ':', ';', '!', '?', '(', ')', '|', '/', '…']);
/// Those of the names of elements.
pub static OF_NAMES: Signs = Signs::new(&['-', '_']);

/// Behind each text so many zeros, for words are hashed by eight bytes.
const CHUNK: usize = 8;

/// KnownWords words, each with its number.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    letters: Vec<u8>,
    /// Where in `letters` each word begins, and the last ends.
    bounds: Vec<usize>,
    /// A part of the hash of a word, and one more than its number; 0 is an empty place. A power of two of them, at most
    /// half of which are taken.
    places: Vec<(u32, u32)>,
}

impl Vocabulary {
    pub fn new(words: &[String]) -> Self {
        let mut made =
            Self { bounds: vec![0], places: vec![(0, 0); (2 * words.len()).next_power_of_two()], ..Self::default() };
        for word in words {
            made.letters.extend(word.bytes());
            made.bounds.push(made.letters.len());
        }
        // Of equal words the last counts: it is found first.
        for (number, word) in words.iter().enumerate().rev() {
            let (hash, mut place) = made.place(hash_of(word.as_bytes()));
            while made.places[place].1 != 0 {
                place = made.next(place);
            }
            made.places[place] = (hash, number as u32 + 1);
        }
        made
    }

    pub fn len(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a word (in small letters), if it is known.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.find(word.as_bytes(), hash_of(word.as_bytes()))
    }

    fn find(&self, word: &[u8], hash: u64) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let (hash, mut place) = self.place(hash);
        loop {
            let (found, number) = self.places[place];
            let number = number.checked_sub(1)?;
            if found == hash && self.word(number as usize) == word {
                return Some(number);
            }
            place = self.next(place);
        }
    }

    fn word(&self, number: usize) -> &[u8] {
        &self.letters[self.bounds[number]..self.bounds[number + 1]]
    }

    /// The part of a hash by which a word is told from others, and where it stands if nothing is in its place.
    fn place(&self, hash: u64) -> (u32, usize) {
        (hash as u32, (hash >> 32) as usize & (self.places.len() - 1))
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }
}

fn hash_of(word: &[u8]) -> u64 {
    let mut padded = [word, &[0; CHUNK]].concat();
    padded.truncate(word.len() + CHUNK);
    hash_of_padded(&padded, word.len())
}

/// The hash of the first so many bytes, behind which there are others.
fn hash_of_padded(bytes: &[u8], length: usize) -> u64 {
    // That of FxHash: quick, and enough where nobody can add words.
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let mut hash = length as u64;
    for begin in (0..length).step_by(CHUNK) {
        let mut chunk = [0; CHUNK];
        chunk.copy_from_slice(&bytes[begin..begin + CHUNK]);
        let unused = CHUNK.saturating_sub(length - begin);
        let chunk = u64::from_le_bytes(chunk) << (8 * unused);
        hash = (hash.rotate_left(5) ^ chunk).wrapping_mul(FACTOR);
    }
    // The upper bits of a product are its best.
    hash ^ hash >> 32 ^ hash << 32
}

/// The numbers of the known words of several texts, text after text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownWords {
    numbers: Vec<u32>,
    /// Where in `numbers` those of each text begin, and the last ends.
    bounds: Vec<u32>,
}

impl KnownWords {
    /// Those of the blocks of a page; long ones have none.
    pub fn of_short_blocks(page: &Page, vocabulary: &Vocabulary) -> Self {
        let text = |block: usize| if page.lengths[block] <= SHORT { page.block(block) } else { "" };
        Self::new((0..page.len()).map(text), &OF_TEXT, vocabulary)
    }

    pub fn new<'a>(texts: impl Iterator<Item = &'a str>, signs: &Signs, vocabulary: &Vocabulary) -> Self {
        if vocabulary.is_empty() {
            return Self::default();
        }
        let mut known = Self { numbers: Vec::new(), bounds: Vec::with_capacity(texts.size_hint().0 + 1) };
        let mut letters = Vec::new();
        known.bounds.push(0);
        for text in texts {
            known.add(text, signs, vocabulary, &mut letters);
            known.bounds.push(known.numbers.len() as u32);
        }
        known
    }

    fn add(&mut self, text: &str, signs: &Signs, vocabulary: &Vocabulary, letters: &mut Vec<u8>) {
        signs.small_letters(text, letters);
        let end = letters.len();
        letters.resize(end + CHUNK, 0);
        let mut begin = 0;
        while begin < end {
            let length = letters[begin..].iter().position(|&letter| letter == PARTING).unwrap_or(0);
            if length > 0 {
                let word = &letters[begin..];
                self.numbers.extend(vocabulary.find(&word[..length], hash_of_padded(word, length)));
            }
            begin += length + 1;
        }
    }

    /// The known words of a text.
    pub fn of(&self, text: usize) -> &[u32] {
        match self.bounds.get(text..text + 2) {
            Some(&[begin, end]) => &self.numbers[begin as usize..end as usize],
            _ => &[],
        }
    }

    /// Those of all texts.
    pub fn all(&self) -> &[u32] {
        &self.numbers
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

/// All words of short blocks, for who learns which to know: a NUL behind those of each block, and the blocks' numbers.
pub fn listed_blocks(page: &Page) -> (Vec<String>, Vec<u32>) {
    let blocks: Vec<u32> = (0..page.len() as u32).filter(|&block| page.lengths[block as usize] <= SHORT).collect();
    let texts: Vec<&str> = blocks.iter().map(|&block| page.block(block as usize)).collect();
    (listed(&texts, &OF_TEXT), blocks)
}

/// All words of several texts, a NUL behind those of each.
pub fn listed(texts: &[impl AsRef<str>], signs: &Signs) -> Vec<String> {
    let (mut words, mut letters) = (Vec::new(), Vec::new());
    for text in texts {
        signs.small_letters(text.as_ref(), &mut letters);
        let found = letters.split(|&letter| letter == PARTING).filter(|word| !word.is_empty());
        words.extend(found.map(|word| String::from_utf8_lossy(word).into_owned()));
        words.push("\0".to_string());
    }
    words
}

/// What stands between words once a text is cut; no page holds it.
const PARTING: u8 = 0;

impl Signs {
    const fn new(all: &'static [char]) -> Self {
        let mut ascii = [PARTING; 128];
        let mut letter = 0;
        while letter < 128 {
            if !matches!(letter, b'\t'..=b'\r' | 0x1c..=b' ') {
                ascii[letter as usize] = letter.to_ascii_lowercase();
            }
            letter += 1;
        }
        let mut number = 0;
        while number < all.len() {
            if all[number].is_ascii() {
                ascii[all[number] as usize] = PARTING;
            }
            number += 1;
        }
        Self { ascii, all }
    }

    /// A text in small letters, with zeros where words are parted.
    fn small_letters(&self, text: &str, letters: &mut Vec<u8>) {
        letters.clear();
        if text.is_ascii() {
            letters.extend(text.bytes().map(|letter| self.ascii[letter as usize & 127]));
            return;
        }
        // Of the whole text, because the small sigma at the end of a word is another one.
        for letter in text.to_lowercase().chars() {
            if self.all.contains(&letter) || is_white(letter) {
                letters.push(PARTING);
            } else {
                letters.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(texts: &[&str]) -> Page {
        let mut page = Page::default();
        for text in texts {
            page.begins.push(page.text.len() as u32);
            page.text.push_str(text);
            page.ends.push(page.text.len() as u32);
            page.lengths.push(text.chars().count() as u32);
        }
        page
    }

    fn vocabulary(words: &[&str]) -> Vocabulary {
        Vocabulary::new(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    fn words(text: &str, known: &[&str]) -> Vec<u32> {
        KnownWords::of_short_blocks(&page(&[text]), &vocabulary(known)).of(0).to_vec()
    }

    #[test]
    fn known_words_stand_in_the_order_of_the_text() {
        assert_eq!(words("Leave a comment, a COMMENT!", &["comment", "a", "share"]), [1, 0, 1, 0]);
    }

    #[test]
    fn all_white_space_of_python_parts_words() {
        for blank in
            "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}"
                .chars()
        {
            assert_eq!(words(&format!("a{blank}b"), &["a", "b"]), [0, 1], "{blank:?}");
        }
        assert_eq!(words("a\u{200b}b", &["a", "b"]), [0; 0]);
    }

    #[test]
    fn signs_part_words() {
        for sign in OF_TEXT.all {
            assert_eq!(words(&format!("{sign}a{sign}{sign}b"), &["a", "b"]), [0, 1], "{sign:?}");
        }
        assert_eq!(words("a-b", &["a", "b", "a-b"]), [2]);
    }

    #[test]
    fn names_are_parted_by_other_signs() {
        let names = ["comment-list", "Article__BODY a.b", "", "Ä-ä"];
        let known =
            KnownWords::new(names.into_iter(), &OF_NAMES, &vocabulary(&["list", "body", "article", "a.b", "ä"]));

        assert_eq!([0, 1, 2, 3].map(|name| known.of(name)), [&[0][..], &[2, 1, 3], &[], &[4, 4]]);
        assert_eq!(known.all(), [0, 2, 1, 3, 4, 4]);
    }

    #[test]
    fn letters_are_those_of_python() {
        // A sign between them does not end a word for sigma; İ becomes two characters.
        assert_eq!(words("ΟΔΟΣ ΣΟΣ.Α İ Straße", &["οδος", "σοσ", "σος", "i̇", "straße"]), [0, 1, 3, 4]);
    }

    #[test]
    fn long_words_are_found_whole() {
        let known = ["abcdefgh", "abcdefghi", "abcdefghijklmnopq", "abcdefghijklmnopr"];
        for (number, word) in known.iter().enumerate() {
            assert_eq!(words(&format!("a {word} abcdefg"), &known), [number as u32]);
        }
    }

    #[test]
    fn long_blocks_have_no_words() {
        let (short, long) = ("ä ".repeat(30), "a ".repeat(30) + "a");
        let words = KnownWords::of_short_blocks(&page(&[&long, &short, ""]), &vocabulary(&["a", "ä"]));

        assert_eq!((words.of(0), words.of(1).len(), words.of(2)), (&[][..], 30, &[][..]));
    }

    #[test]
    fn of_equal_words_the_last_counts() {
        assert_eq!(words("a b", &["a", "b", "a"]), [2, 1]);
    }

    #[test]
    fn without_known_words_nothing_is_read() {
        assert!(KnownWords::of_short_blocks(&page(&["a"]), &vocabulary(&[])).is_empty());
        assert_eq!(Vocabulary::default().number("a"), None);
    }

    #[test]
    fn a_word_has_its_number() {
        assert_eq!((vocabulary(&["a", "b"]).number("b"), vocabulary(&["a", "b"]).number("c")), (Some(1), None));
    }
}
