//! Encodings of the Latin alphabet, told from one another by the letters that their languages need.

use super::charsets::{decoded, Origin};

/// The letters beyond ASCII of the languages that are written in each encoding.
const ALPHABETS: [(&str, &[&str]); 5] = [
    ("windows-1252", &WESTERN),
    ("windows-1250", &CENTRAL),
    ("windows-1254", &["çğıöşüâîû"]),
    ("windows-1257", &["ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž"]),
    ("iso-8859-2", &CENTRAL),
];
const WESTERN: [&str; 10] = [
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúü",
    "áâãàçéêíóôõú",
    "àçèéíïòóúü",
    "àèéìòóù",
    "äöüß",
    "éëïèöü",
    "åäöé",
    "åæøé",
    "áðéíóúýþæö",
];
const CENTRAL: [&str; 6] = ["áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîşţ", "čćđšž"];

pub(super) const CENTRAL_EUROPEAN: [&str; 2] = ["iso-8859-2", "windows-1250"];

/// Statistics weigh as much as a tenth of the letters.
const FAVOUR: i64 = 10;

/// One more than the last letter of the alphabets.
const LETTERS: usize = 0x180;

/// Letters with accents stand alone among ASCII; those of other scripts side by side.
pub(super) fn is_latin(sample: &[u8]) -> bool {
    let high = sample.iter().filter(|byte| !byte.is_ascii()).count();
    3 * sample.windows(2).filter(|pair| is_telling(pair)).count() < high
}

/// No-break spaces, rows of bullets and the like say nothing of the script.
fn is_telling(pair: &[u8]) -> bool {
    pair[0] != pair[1] && pair.iter().all(|byte| !byte.is_ascii() && *byte != 0xa0)
}

/// The encoding with the most usual letters; one that statistics favour may have some less, because a short text does
/// without the letters that tell. They favour windows-1252 too often.
pub(super) fn likeliest(sample: &[u8], favoured: &str) -> &'static str {
    first_best(ALPHABETS.map(|(name, _)| {
        let score = usual_letters(sample, name);
        let is_favoured = name == favoured && name != "windows-1252";
        (name, if is_favoured { score + score / FAVOUR } else { score })
    }))
}

/// Which of the two the letters speak for; the named one where they leave it open.
pub(super) fn central_european(sample: &[u8], named: &'static str) -> &'static str {
    first_best([named, CENTRAL_EUROPEAN[0], CENTRAL_EUROPEAN[1]].map(|name| (name, usual_letters(sample, name))))
}

fn first_best<const N: usize>(scores: [(&'static str, i64); N]) -> &'static str {
    scores.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or("", |(name, _)| name)
}

/// How many letters have their place in a language of this encoding, all in the same one; in fifths of a letter.
fn usual_letters(sample: &[u8], name: &'static str) -> i64 {
    let text = decoded(sample, name, Origin::Detected).text;
    let counts = counts_of_letters(&text);
    let fits = alphabets(name).iter().map(|alphabet| 5 * count_of(&counts, alphabet)).max().unwrap_or(0);
    let prior = if name == "windows-1252" { 5 + 4 * mixed_letters(&counts) } else { 0 };
    // A sign that every page has may be a letter elsewhere, and counts as much.
    let signs = count(&text, |sign| matches!(sign, '©' | '®')) + 2 * quotations(&text);
    let controls = count(&text, |sign| matches!(sign, '\u{80}'..='\u{9f}'));
    fits.max(prior) + 5 * (signs - controls)
}

fn count(text: &str, is_counted: impl Fn(char) -> bool) -> i64 {
    text.chars().filter(|sign| is_counted(*sign)).count() as i64
}

/// Between « and », or » and «.
fn quotations(text: &str) -> i64 {
    count(text, |sign| sign == '«').min(count(text, |sign| sign == '»'))
}

fn alphabets(name: &str) -> &'static [&'static str] {
    ALPHABETS.iter().find(|(other, _)| *other == name).map_or(&[], |(_, alphabets)| alphabets)
}

type Counts = [i64; LETTERS];

/// How often each letter beyond ASCII stands in a word.
fn counts_of_letters(text: &str) -> Counts {
    let mut counts = [0; LETTERS];
    let words = text.split(|sign: char| !sign.is_alphabetic()).filter(|word| is_word(word));
    for letter in words.flat_map(str::chars).filter(|letter| !letter.is_ascii()).flat_map(char::to_lowercase) {
        if let Some(count) = counts.get_mut(letter as usize) {
            *count += 1;
        }
    }
    counts
}

/// Unlike a © or ® that was taken for a letter.
fn is_word(letters: &str) -> bool {
    let mut rest = letters.chars();
    let starts_upper = rest.next().is_some_and(char::is_uppercase);
    let (any_upper, any_lower) = (rest.clone().any(char::is_uppercase), rest.clone().any(char::is_lowercase));
    let is_of_one_case = if starts_upper { !(any_upper && any_lower) } else { !any_upper };
    rest.next().is_some() && is_of_one_case
}

fn count_of(counts: &Counts, alphabet: &str) -> i64 {
    alphabet.chars().map(|letter| counts[letter as usize]).sum()
}

/// English with names from everywhere; a language that has all letters to itself is likelier.
fn mixed_letters(counts: &Counts) -> i64 {
    let is_western = |letter: u32| WESTERN.iter().any(|alphabet| alphabet.chars().any(|other| other as u32 == letter));
    (0x80..)
        .zip(&counts[0x80..])
        .filter(|(letter, count)| **count > 0 && is_western(*letter))
        .map(|(_, count)| count)
        .sum()
}
