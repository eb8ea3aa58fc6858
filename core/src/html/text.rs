//! Source → text: character references, line ends, NULs.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

use super::entities::{ENTITIES, LONGEST, LONGEST_WITHOUT_SEMICOLON};
use crate::tree::Form;

pub fn decoded(source: &str, form: Form) -> Cow<'_, str> {
    match form {
        Form::Plain => Cow::Borrowed(source),
        Form::Data => with_references(source, "", false),
        Form::Replacing => with_references(source, "\u{fffd}", false),
        Form::Raw => without_references(source),
    }
}

/// The value of an attribute: an old name without semicolon is no reference before `=`, a letter or a digit.
pub fn decoded_attribute(source: &str) -> Cow<'_, str> {
    with_references(source, "\u{fffd}", true)
}

fn with_references<'a>(source: &'a str, nul: &str, is_attribute: bool) -> Cow<'a, str> {
    let bytes = source.as_bytes();
    let Some(mut at) = memchr3(b'&', b'\r', b'\0', bytes) else { return Cow::Borrowed(source) };
    let mut text = String::with_capacity(source.len());
    let mut copied = 0;
    loop {
        text.push_str(&source[copied..at]);
        copied = at + 1;
        match bytes[at] {
            b'\0' => text.push_str(nul),
            b'\r' => push_line_end(&mut text, bytes.get(at + 1)),
            _ => match reference(&bytes[at..], is_attribute) {
                Some((length, characters)) => {
                    characters.push_to(&mut text);
                    copied = at + length;
                }
                None => text.push('&'),
            },
        }
        match memchr3(b'&', b'\r', b'\0', &bytes[copied..]) {
            Some(next) => at = copied + next,
            None => break,
        }
    }
    text.push_str(&source[copied..]);
    Cow::Owned(text)
}

fn without_references(source: &str) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let Some(mut at) = memchr2(b'\r', b'\0', bytes) else { return Cow::Borrowed(source) };
    let mut text = String::with_capacity(source.len());
    let mut copied = 0;
    loop {
        text.push_str(&source[copied..at]);
        copied = at + 1;
        match bytes[at] {
            b'\0' => text.push('\u{fffd}'),
            _ => push_line_end(&mut text, bytes.get(at + 1)),
        }
        match memchr2(b'\r', b'\0', &bytes[copied..]) {
            Some(next) => at = copied + next,
            None => break,
        }
    }
    text.push_str(&source[copied..]);
    Cow::Owned(text)
}

/// Before an LF a CR is nothing, alone it is an LF.
fn push_line_end(text: &mut String, next: Option<&u8>) {
    if next != Some(&b'\n') {
        text.push('\n');
    }
}

/// What a character reference stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    One(char),
    Named(&'static str),
}

impl Characters {
    fn push_to(self, text: &mut String) {
        match self {
            Self::One(character) => text.push(character),
            Self::Named(characters) => text.push_str(characters),
        }
    }

    pub fn is_space(self) -> bool {
        match self {
            Self::One(character) => matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c'),
            Self::Named(characters) => matches!(characters, "\t" | "\n"),
        }
    }

    pub fn is_line_feed(self) -> bool {
        self == Self::One('\n') || self == Self::Named("\n")
    }
}

/// The reference at the beginning of these bytes, which begin with `&`: its length and its meaning.
pub fn reference(bytes: &[u8], is_attribute: bool) -> Option<(usize, Characters)> {
    match bytes.get(1)? {
        b'#' => numeric(bytes),
        byte if byte.is_ascii_alphanumeric() => named(&bytes[1..], is_attribute),
        _ => None,
    }
}

fn named(bytes: &[u8], is_attribute: bool) -> Option<(usize, Characters)> {
    let run = bytes.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(run) == Some(&b';') {
        if let Some(characters) = entity(&bytes[..=run]) {
            return Some((run + 2, Characters::Named(characters)));
        }
    }
    let lengths = (2..=run.min(LONGEST_WITHOUT_SEMICOLON)).rev();
    let (length, characters) =
        lengths.map(|length| (length, entity(&bytes[..length]))).find(|found| found.1.is_some())?;
    let next = bytes.get(length);
    if is_attribute && next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric()) {
        return None;
    }
    Some((length + 1, Characters::Named(characters?)))
}

fn entity(name: &[u8]) -> Option<&'static str> {
    let found = ENTITIES.binary_search_by(|(other, _)| other.as_bytes().cmp(name));
    found.ok().map(|number| ENTITIES[number].1)
}

fn numeric(bytes: &[u8]) -> Option<(usize, Characters)> {
    let (begin, radix) = if matches!(bytes.get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
    let mut number: u32 = 0;
    let mut at = begin;
    while let Some(digit) = bytes.get(at).and_then(|&byte| (byte as char).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == begin {
        return None;
    }
    if bytes.get(at) == Some(&b';') {
        at += 1;
    }
    Some((at, Characters::One(character(number))))
}

fn character(number: u32) -> char {
    match number {
        0 => '\u{fffd}',
        0x80..=0x9f => WINDOWS_1252[number as usize - 0x80],
        _ => char::from_u32(number).unwrap_or('\u{fffd}'),
    }
}

/// What the standard makes of the numbers 0x80 to 0x9f: windows-1252 where it has a character.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

/// How many bytes at the beginning of a stretch are white space; references to it count if there are any.
pub fn leading_space(source: &str, has_references: bool) -> usize {
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if super::attributes::is_space(byte) {
            at += 1;
        } else if has_references && byte == b'&' {
            match reference(&bytes[at..], false) {
                Some((length, characters)) if characters.is_space() => at += length,
                _ => break,
            }
        } else {
            break;
        }
    }
    at
}

/// How many bytes at the beginning of a stretch are one LF, however it is written.
pub fn leading_line_feed(source: &str, has_references: bool) -> usize {
    let bytes = source.as_bytes();
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [b'&', ..] if has_references => match reference(bytes, false) {
            Some((length, characters)) if characters.is_line_feed() => length,
            _ => 0,
        },
        _ => 0,
    }
}

/// Whether a stretch holds nothing but NULs.
pub fn is_all_nul(source: &str) -> bool {
    source.bytes().all(|byte| byte == 0)
}
