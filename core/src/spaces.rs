//! White space as text has it: folded, trimmed, without controls.

use std::borrow::Cow;

/// White space as Unicode has it, and the four separators of ASCII, which part text as well.
pub fn is_white(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// Blanks, joiners, marks of order and of direction: alone they are no text.
const INVISIBLE: [char; 9] =
    [' ', '\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];

/// Neither white space nor anything that a text may hold.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 14..=27 | 127)
}

/// White space to one blank, none at the ends, and no controls.
pub fn folded(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(is_white);
    let folded = if is_tidy(text) { Cow::Borrowed(text) } else { with_single_blanks(text) };
    let trimmed = match folded {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(INVISIBLE)),
        Cow::Owned(text) => Cow::Owned(match text.trim_matches(INVISIBLE) {
            trimmed if trimmed.len() == text.len() => text,
            trimmed => trimmed.to_string(),
        }),
    };
    match trimmed {
        Cow::Borrowed(text) => without_controls(text),
        Cow::Owned(text) => match without_controls(&text) {
            Cow::Borrowed(same) if same.len() == text.len() => Cow::Owned(text),
            changed => Cow::Owned(changed.into_owned()),
        },
    }
}

/// No white space but single blanks, as far as ASCII tells.
fn is_tidy(text: &str) -> bool {
    let mut before = 0;
    for &byte in text.as_bytes() {
        if byte < b' ' || byte >= 0x80 || (byte == b' ' && before == b' ') {
            return false;
        }
        before = byte;
    }
    true
}

fn with_single_blanks(text: &str) -> Cow<'_, str> {
    let mut folded = String::with_capacity(text.len());
    for word in text.split(is_white).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    Cow::Owned(folded)
}

pub fn without_controls(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(is_control) {
        return Cow::Borrowed(text);
    }
    let mut kept: String =
        text.chars().filter(|&character| !(character.is_ascii() && is_control(character as u8))).collect();
    kept.truncate(trimmed_end(&kept).len());
    Cow::Owned(kept)
}

pub fn trimmed_end(text: &str) -> &str {
    text.trim_end_matches(is_white)
}

pub fn starts_with_white(text: &str) -> bool {
    text.chars().next().is_some_and(is_white)
}

pub fn ends_with_white(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_white)
}
