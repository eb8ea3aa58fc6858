//! Where a script ends: the script data states of the standard, escaped and double escaped ones too.

use memchr::{memchr, memchr2};

use super::attributes::is_space;
use super::repairs::Repairs;
use super::tokenizer::is_end_tag;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    /// Behind `<!--`.
    Escaped,
    /// Behind `<!-- <script`: the next end tag is not that of the script.
    DoubleEscaped,
}

/// The place of the end tag, else the end of the source.
pub(super) fn end(source: &str, begin: usize, name: &[u8], mut repairs: Option<&mut Repairs>) -> usize {
    let bytes = source.as_bytes();
    let mut state = State::Plain;
    // From where on two dashes before a `>` end what is escaped.
    let mut dashes = begin;
    let mut at = begin;
    while let Some(found) = next(bytes, at, state) {
        at = found + 1;
        if bytes[found] == b'>' {
            if found >= dashes + 2 && bytes[..found].ends_with(b"--") {
                state = State::Plain;
            }
            continue;
        }
        match state {
            State::DoubleEscaped => {
                if is_script_word(bytes, found + 1, true) {
                    state = State::Escaped;
                }
            }
            _ if is_end_tag(bytes, found, name) => {
                if !repairs.as_mut().is_some_and(|repairs| repairs.stands_in_string(found, name.len())) {
                    return found;
                }
            }
            State::Escaped => {
                if is_script_word(bytes, found + 1, false) {
                    state = State::DoubleEscaped;
                }
            }
            State::Plain => {
                if bytes[found..].starts_with(b"<!--") {
                    state = State::Escaped;
                    dashes = found + 2;
                    at = found + 4;
                }
            }
        }
    }
    bytes.len()
}

/// The next byte that may change something.
fn next(bytes: &[u8], at: usize, state: State) -> Option<usize> {
    let rest = &bytes[at..];
    let distance = if state == State::Plain { memchr(b'<', rest) } else { memchr2(b'<', b'>', rest) };
    distance.map(|distance| at + distance)
}

/// Whether `script`, or `/script`, and then the end of the name stand here.
fn is_script_word(bytes: &[u8], at: usize, is_end: bool) -> bool {
    let begin = if is_end { at + 1 } else { at };
    (!is_end || bytes.get(at) == Some(&b'/'))
        && bytes.get(begin..begin + 6).is_some_and(|found| found.eq_ignore_ascii_case(b"script"))
        && bytes.get(begin + 6).is_some_and(|&byte| byte == b'>' || byte == b'/' || is_space(byte))
}
