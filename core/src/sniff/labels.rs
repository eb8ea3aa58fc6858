//! The encodings that are named for a page: from outside, by `<meta>`, by an XML declaration.

use super::charsets::{encoding_of, mark_of, Origin};
use super::prescan::{is_space, mended_prescan, place_of, prescan, trimmed};

/// Browsers look at 1,024 bytes, and then once more as they meet a `<meta>` further down.
const HEAD: usize = 8_192;

/// The encoding that a page names, as the "prescan" of the HTML standard finds it; a byte order mark outweighs it.
pub fn declared(data: &[u8]) -> Option<&'static str> {
    let marked = mark_of(data).map(|(_, name)| name);
    marked
        .or_else(|| prescan(head(data)).first().copied().map(readable))
        .or_else(|| xml_encoding(head(data)).map(readable))
}

/// The encodings that are named for a page, the weightiest first, each once.
pub(super) struct Names(Vec<(&'static str, Origin)>);

impl Names {
    pub(super) fn of(data: &[u8], charset: Option<&str>) -> Names {
        let given = charset.and_then(encoding_of).map(|name| (name, Origin::Given));
        let inside = mended_prescan(head(data)).into_iter().chain(xml_encoding(head(data)));
        Names::once(given.into_iter().chain(inside.map(|name| (readable(name), Origin::Meta))))
    }

    fn once(names: impl Iterator<Item = (&'static str, Origin)>) -> Names {
        let mut kept: Vec<(&'static str, Origin)> = Vec::new();
        for (name, origin) in names {
            if !kept.iter().any(|(other, _)| *other == name) {
                kept.push((name, origin));
            }
        }
        Names(kept)
    }

    /// Those that bytes without a pattern of NULs may be written in; a mark of UTF-8 comes first.
    pub(super) fn narrow(&self, has_mark: bool) -> Names {
        let mark = has_mark.then_some(("utf-8", Origin::Bom));
        Names::once(mark.into_iter().chain(self.iter().filter(|(name, _)| !name.starts_with("utf-16"))))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, Origin)> + '_ {
        self.0.iter().copied()
    }

    pub(super) fn first(&self) -> Option<(&'static str, Origin)> {
        self.0.first().copied()
    }

    pub(super) fn origin(&self, name: &str) -> Option<Origin> {
        self.iter().find(|(other, _)| *other == name).map(|(_, origin)| origin)
    }
}

fn head(data: &[u8]) -> &[u8] {
    &data[..data.len().min(HEAD)]
}

/// Whoever could read the label so far has not read UTF-16.
fn readable(name: &'static str) -> &'static str {
    if name.starts_with("utf-16") {
        "utf-8"
    } else {
        name
    }
}

/// The encoding of an XML declaration, or of CLEANEVAL's `<text encoding=>`, which speaks for the page it wraps.
fn xml_encoding(head: &[u8]) -> Option<&'static str> {
    let pieces = head.split(|byte| *byte == b'<').skip(1);
    let label = pieces.filter_map(xml_label).next()?;
    encoding_of(std::str::from_utf8(label).ok()?)
}

/// What `encoding=` says; `piece` stands behind a "<".
fn xml_label(piece: &[u8]) -> Option<&[u8]> {
    let begins = |name: &[u8]| {
        piece.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && piece.get(name.len()).is_some_and(|byte| is_space(*byte))
    };
    if !(begins(b"?xml") || begins(b"text")) {
        return None;
    }
    let tag = piece.split(|byte| *byte == b'>').next()?;
    let [b'=', value @ ..] = trimmed(&tag[place_of(tag, b"encoding")? + b"encoding".len()..]) else { return None };
    match trimmed(value) {
        [b'"' | b'\'', label @ ..] => label.split(|byte| matches!(byte, b'"' | b'\'')).next(),
        _ => None,
    }
}
