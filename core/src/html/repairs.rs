//! What we mend beyond the standard: scripts whose end stands in a string, titles that nobody closed, frames and the like
//! that close themselves.

use memchr::memchr_iter;

use super::tokenizer::last_place;

/// The last place is looked up at most once, so that asking costs nothing.
pub(super) struct Repairs<'s> {
    source: &'s str,
    last_script_end: Option<Option<usize>>,
    /// The last end tags of elements of text, by name; there are few such elements.
    last_ends: Vec<(Vec<u8>, Option<usize>)>,
}

/// What no title holds: before these its end tag is missing.
const BEHIND_TITLES: [&[u8]; 7] = [b"</head", b"<body", b"<title", b"<meta", b"<link", b"<script", b"<style"];

impl<'s> Repairs<'s> {
    pub fn new(source: &'s str) -> Self {
        Self { source, last_script_end: None, last_ends: Vec::new() }
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

    /// Whether no end tag of this name stands behind a place.
    pub fn has_no_end(&mut self, at: usize, name: &[u8]) -> bool {
        let end = [b"</", name.to_ascii_lowercase().as_slice()].concat();
        let known = self.last_ends.iter().find(|(known, _)| *known == end).map(|(_, last)| *last);
        let last = known.unwrap_or_else(|| {
            let last = last_place(self.source.as_bytes(), &end);
            self.last_ends.push((end, last));
            last
        });
        last.is_none_or(|last| last < at)
    }

    /// Where a title ends whose text begins at `begin`, if its end tag is missing: at its first `<`. Another title is
    /// among what ends the search, so that many of them take no longer than one.
    pub fn end_of_unclosed_title(&self, begin: usize) -> Option<usize> {
        let bytes = self.source.as_bytes();
        let mut places = memchr_iter(b'<', &bytes[begin..]).map(|distance| begin + distance);
        let first = places.next().unwrap_or(bytes.len());
        for at in std::iter::once(first).chain(places) {
            if starts_with(bytes, at, b"</title") {
                return None;
            }
            if BEHIND_TITLES.iter().any(|wanted| starts_with(bytes, at, wanted)) {
                break;
            }
        }
        Some(first)
    }
}

fn starts_with(bytes: &[u8], at: usize, wanted: &[u8]) -> bool {
    bytes[at..].get(..wanted.len()).is_some_and(|found| found.eq_ignore_ascii_case(wanted))
}
