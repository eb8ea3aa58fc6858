//! White space as text has it: folded, trimmed, without controls.

use std::borrow::Cow;

/// White space as Unicode has it, and the four separators of ASCII, which part text as well.
pub fn is_white(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// Blanks, joiners, marks of order and of direction: alone they are no text.
const INVISIBLE: [char; 9] =
    [' ', '\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];

/// Does splitting a page keep the character wherever it stands?
pub fn is_visible(character: char) -> bool {
    let is_ascii_control = character.is_ascii() && is_control(character as u8);
    !(is_white(character) || is_ascii_control || INVISIBLE.contains(&character))
}

/// Neither white space nor anything that a text may hold.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 14..=27 | 127)
}

/// White space to one blank, none at the ends, and no controls: a part of the text, or made in the room.
pub fn folded<'a>(text: &'a str, room: &'a mut String) -> &'a str {
    let text = trimmed_end(trimmed_start(text));
    if is_tidy(text.as_bytes()) {
        return text.trim_matches(INVISIBLE);
    }
    fold(text, room);
    if room.bytes().any(is_control) {
        *room = without_controls(room.trim_matches(INVISIBLE)).into_owned();
        return room;
    }
    room.trim_matches(INVISIBLE)
}

#[inline]
fn is_ascii_white(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=b' ')
}

/// How many bytes the white space has that begins here, 0 where none does; the text is UTF-8.
fn white_length(text: &[u8], at: usize) -> usize {
    match text[at] {
        b'\t'..=b'\r' | 0x1c..=b' ' => 1,
        0xc2 if matches!(text[at + 1], 0x85 | 0xa0) => 2,
        0xe1 if text[at + 1..at + 3] == [0x9a, 0x80] => 3,
        0xe2 if matches!(text[at + 1..at + 3], [0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf] | [0x81, 0x9f]) => 3,
        0xe3 if text[at + 1..at + 3] == [0x80, 0x80] => 3,
        _ => 0,
    }
}

/// The first bytes of white space beyond ASCII.
#[inline]
fn may_begin_white(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xe1..=0xe3)
}

/// No white space but single blanks, and no controls.
fn is_tidy(text: &[u8]) -> bool {
    let Some((&first, others)) = text.split_first() else { return true };
    let is_odd = |byte: u8| (byte < b' ') | (byte == 127);
    let (mut has_odd, mut has_lead) = (is_odd(first), may_begin_white(first));
    // Without an end before the end, so that vectors can do it.
    for (&before, &byte) in text.iter().zip(others) {
        has_odd |= is_odd(byte) | ((before == b' ') & (byte == b' '));
        has_lead |= may_begin_white(byte);
    }
    if has_odd || !has_lead {
        return !has_odd;
    }
    (0..text.len()).all(|at| !may_begin_white(text[at]) || white_length(text, at) == 0)
}

/// The text has no white space at its ends.
fn fold(text: &str, folded: &mut String) {
    folded.clear();
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() {
        let begin = at;
        while at < bytes.len() && white_length(bytes, at) == 0 {
            at += 1;
        }
        folded.push_str(&text[begin..at]);
        let end = at;
        while at < bytes.len() && white_length(bytes, at) > 0 {
            at += white_length(bytes, at);
        }
        if at > end {
            folded.push(' ');
        }
    }
}

fn trimmed_start(text: &str) -> &str {
    let (bytes, mut at) = (text.as_bytes(), 0);
    loop {
        while bytes.get(at).is_some_and(|&byte| is_ascii_white(byte)) {
            at += 1;
        }
        match bytes.get(at) {
            Some(&byte) if may_begin_white(byte) && white_length(bytes, at) > 0 => at += white_length(bytes, at),
            _ => return &text[at..],
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(text: &str) -> String {
        folded(text, &mut String::new()).to_string()
    }

    #[test]
    fn white_space_is_known_by_its_bytes() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            let expected = if is_white(character) { text.len() } else { 0 };
            assert_eq!(white_length(text.as_bytes(), 0), expected, "{character:?}");
        }
    }

    #[test]
    fn white_space_becomes_one_blank() {
        for (text, expected) in [
            ("", ""),
            (" \n\u{a0}", ""),
            ("a", "a"),
            (" a  b\tc\n", "a b c"),
            ("á\u{3000}\u{2003}b\u{85}", "á b"),
            ("« a »", "« a »"),
            ("a\u{1c}b", "a b"),
        ] {
            assert_eq!(fold(text), expected, "{text:?}");
        }
    }

    #[test]
    fn controls_are_dropped_and_what_nobody_sees_at_the_ends() {
        for (text, expected) in [
            ("\u{1}a\u{2}b\u{7f}", "ab"),
            ("\u{200b}a\u{200b}b \u{feff}", "a\u{200b}b"),
            ("\u{200b} \u{ad}", ""),
            ("a \u{1}", "a"),
            ("a \u{1} b", "a  b"),
        ] {
            assert_eq!(fold(text), expected, "{text:?}");
        }
    }
}
