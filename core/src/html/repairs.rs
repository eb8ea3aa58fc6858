//! What we mend beyond the standard: scripts whose end stands in a string, titles that nobody closed.

use memchr::memchr;

use super::tokenizer::last_place;

/// Each of the last places is looked up at most once, so that asking costs nothing.
pub(super) struct Repairs<'s> {
    source: &'s str,
    last_script_end: Option<Option<usize>>,
    last_title_end: Option<Option<usize>>,
}

/// What no title holds: before these its end tag is missing.
const BEHIND_TITLES: [&[u8]; 7] = [b"</head", b"<body", b"<title", b"<meta", b"<link", b"<script", b"<style"];

impl<'s> Repairs<'s> {
    pub fn new(source: &'s str) -> Self {
        Self { source, last_script_end: None, last_title_end: None }
    }

    /// Whether an end tag is part of a string in the script, as in `document.write("</script>");`. Only if there is
    /// another end tag later.
    pub fn stands_in_string(&mut self, at: usize, name_length: usize) -> bool {
        let Some(rest) = self.source[at + 2 + name_length..].trim_start().strip_prefix('>') else { return false };
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("\\n").unwrap_or(rest);
        let Some(rest) = rest.strip_prefix(['"', '\'', '`']) else { return false };
        if !rest.trim_start().starts_with([')', ';', '+', ',']) {
            return false;
        }
        let source = self.source.as_bytes();
        let last = *self.last_script_end.get_or_insert_with(|| last_place(source, b"</script"));
        last.is_some_and(|last| last > at)
    }

    /// Where a title ends whose text begins at `begin`, if its end tag is missing: at its first `<`.
    pub fn end_of_unclosed_title(&mut self, begin: usize) -> Option<usize> {
        let bytes = self.source.as_bytes();
        let last = *self.last_title_end.get_or_insert_with(|| last_place(bytes, b"</title"));
        let first = memchr(b'<', &bytes[begin..]).map_or(bytes.len(), |distance| begin + distance);
        if !last.is_some_and(|last| last >= begin) {
            return Some(first);
        }
        let mut at = first;
        loop {
            if starts_with(bytes, at, b"</title") {
                return None;
            }
            if BEHIND_TITLES.iter().any(|wanted| starts_with(bytes, at, wanted)) {
                return Some(first);
            }
            at += 1 + memchr(b'<', bytes.get(at + 1..)?)?;
        }
    }
}

fn starts_with(bytes: &[u8], at: usize, wanted: &[u8]) -> bool {
    bytes[at..].get(..wanted.len()).is_some_and(|found| found.eq_ignore_ascii_case(wanted))
}
