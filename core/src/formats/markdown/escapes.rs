//! Escapes text that a reader would take for markup.

use super::spans::Place;

/// The context of an escape.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    pub place: Place,
    /// Inside a link or an image, where brackets have to be escaped.
    pub in_link: bool,
    /// At the beginning of a line.
    pub at_start: bool,
    /// At the beginning of the whole text.
    pub is_first: bool,
    /// At the end of the line.
    pub is_last: bool,
    /// Could a dollar begin a formula?
    pub dollars: bool,
    /// Could a tilde begin a struck text?
    pub tildes: bool,
}

/// Writes a piece of one line.
pub fn write(out: &mut String, text: &str, around: Around) {
    let mut rest = text;
    if around.at_start {
        rest = write_beginning(out, text, around);
    }
    let bytes = rest.as_bytes();
    let mut copied = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if SPECIAL[byte as usize] && is_markup(rest, at, around) {
            out.push_str(&rest[copied..at]);
            out.push('\\');
            copied = at;
        }
    }
    out.push_str(&rest[copied..]);
}

static SPECIAL: [bool; 256] = specials();

const fn specials() -> [bool; 256] {
    let mut table = [false; 256];
    let signs = b"\\`*_[]<&~$|#!";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
}

fn is_markup(text: &str, at: usize, around: Around) -> bool {
    let bytes = text.as_bytes();
    let next = bytes.get(at + 1).copied();
    let before = || text[..at].chars().next_back();
    let behind = || text[at + 1..].chars().next();
    let is_blank = |character: Option<char>| character.is_some_and(char::is_whitespace);
    match bytes[at] {
        b'\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
        b'`' => true,
        b'*' => !(is_blank(before()) && is_blank(behind())),
        b'_' => {
            let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
            !(is_word(before()) && is_word(behind()) || is_blank(before()) && is_blank(behind()))
        }
        b'[' => around.in_link || next.is_none_or(|next| next == b'^'),
        b']' => around.in_link || next.is_none_or(|next| matches!(next, b'(' | b'[' | b':')),
        b'<' => next.is_none_or(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?')),
        b'&' => is_reference(&bytes[at + 1..]),
        b'~' => around.tildes || next.is_none(),
        b'$' => around.dollars,
        b'|' => around.place == Place::Cell,
        b'!' => next.is_none() && !around.is_last,
        // At its end a heading may be closed by these.
        b'#' => {
            around.place == Place::Heading
                && around.is_last
                && bytes[at..].iter().all(|&byte| byte == b'#')
                && (at == 0 || is_blank(before()))
        }
        _ => false,
    }
}

/// `name;`, `#1;` or `#x1;`.
fn is_reference(bytes: &[u8]) -> bool {
    let length = bytes.iter().take(40).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
    length > 0 && bytes.get(length) == Some(&b';')
}

/// Escapes the start of a line that looks like a heading, quote, list, rule, table or task; returns the rest.
fn write_beginning<'t>(out: &mut String, text: &'t str, around: Around) -> &'t str {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else { return text };
    let is_blank_at = |at: usize| bytes.get(at).is_none_or(u8::is_ascii_whitespace);
    match first {
        b'#' => {
            let hashes = bytes.iter().take_while(|&&byte| byte == b'#').count();
            if hashes <= 6 && is_blank_at(hashes) && !(around.place == Place::Heading && hashes == bytes.len()) {
                out.push('\\');
                out.push('#');
                return &text[1..];
            }
        }
        b'>' => {
            out.push_str("\\>");
            return &text[1..];
        }
        b'-' | b'+' | b'=' | b':' | b'|' | b'_' | b'*' if is_blank_at(1) || is_rule(bytes) => {
            out.push('\\');
            out.push(first as char);
            return &text[1..];
        }
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')')) && is_blank_at(digits + 1) {
                out.push_str(&text[..digits]);
                out.push('\\');
                out.push(bytes[digits] as char);
                return &text[digits + 1..];
            }
        }
        b'[' if around.is_first && matches!(bytes.get(1), Some(b' ' | b'x' | b'X')) && bytes.get(2) == Some(&b']') => {
            out.push_str("\\[");
            return &text[1..];
        }
        _ => {}
    }
    text
}

/// Is a line a rule, or the underline of a heading or of a table header?
fn is_rule(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b'-' | b'=' | b':' | b'|' | b'_' | b'*' | b'+' | b' ' | b'\t'))
}
