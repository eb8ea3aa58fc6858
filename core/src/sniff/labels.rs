//! The encodings that are named for a page: from outside, by `<meta>`, by an XML declaration.

use memchr::{memchr, memmem};

use super::charsets::{encoding_of, exact_encoding_of, mark_of, Origin};

/// Browsers look at 1,024 bytes, and then once more as they meet a `<meta>` further down.
const HEAD: usize = 8_192;

/// The encoding that a page names, as the "prescan" of the HTML standard finds it; a byte order mark outweighs it.
pub fn declared(data: &[u8]) -> Option<&'static str> {
    let marked = mark_of(data).map(|(_, name)| name);
    marked.or_else(|| prescan(head(data)).first().copied()).or_else(|| xml_encoding(head(data)))
}

/// The encodings that are named for a page, the weightiest first, each once.
pub(super) struct Names(Vec<(&'static str, Origin)>);

impl Names {
    pub(super) fn of(data: &[u8], charset: Option<&str>) -> Names {
        let given = charset.and_then(encoding_of).map(|name| (name, Origin::Given));
        let inside = prescan(head(data)).into_iter().chain(xml_encoding(head(data))).map(|name| (name, Origin::Meta));
        Names::once(given.into_iter().chain(inside))
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

/// The encodings of all `<meta>`, in their order, by the standard's "prescan a byte stream to determine its encoding".
fn prescan(head: &[u8]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr(b'<', &head[at..]) {
        let rest = &head[at + open..];
        let Some(length) = markup(rest, &mut found) else { break };
        at += open + length;
    }
    found
}

/// How long the markup is that `rest` begins with; nothing where it has no end.
fn markup(rest: &[u8], found: &mut Vec<&'static str>) -> Option<usize> {
    match rest.get(1..)? {
        [b'!', b'-', b'-', ..] => comment(rest),
        [b'/', letter, ..] | [letter, ..] if letter.is_ascii_alphabetic() => tag(rest, found),
        [b'!' | b'/' | b'?', ..] => memchr(b'>', rest).map(|end| end + 1),
        _ => Some(1),
    }
}

/// A comment ends with `-->` or `--!>`; `<!-->` is one, too.
fn comment(rest: &[u8]) -> Option<usize> {
    let ends = memmem::find_iter(rest, b">").map(|end| end + 1);
    ends.skip_while(|end| !(rest[2..*end].ends_with(b"-->") || rest[4..*end].ends_with(b"--!>"))).next()
}

fn tag(rest: &[u8], found: &mut Vec<&'static str>) -> Option<usize> {
    let is_meta = rest.len() > 5 && rest[1..5].eq_ignore_ascii_case(b"meta") && (is_space(rest[5]) || rest[5] == b'/');
    let at = if is_meta { 5 } else { rest.iter().position(|byte| is_space(*byte) || *byte == b'>')? };
    let mut tag = Tag { rest, at };
    let mut meta = Meta::default();
    while let Some((name, value)) = tag.attribute().ok()? {
        meta.read(name, value);
    }
    if is_meta {
        found.extend(meta.encoding().map(readable));
    }
    Some(tag.at)
}

/// A tag that is read attribute by attribute.
struct Tag<'a> {
    rest: &'a [u8],
    at: usize,
}

/// The bytes ended within a tag.
struct Cut;

impl<'a> Tag<'a> {
    fn byte(&self) -> Result<u8, Cut> {
        self.rest.get(self.at).copied().ok_or(Cut)
    }

    /// What stands before the first byte at which `is_end`.
    fn until(&mut self, is_end: impl Fn(u8) -> bool) -> Result<&'a [u8], Cut> {
        let begin = self.at;
        self.at += self.rest[begin..].iter().position(|byte| is_end(*byte)).ok_or(Cut)?;
        Ok(&self.rest[begin..self.at])
    }

    /// The next attribute; nothing behind the last, where the tag is left behind.
    fn attribute(&mut self) -> Result<Option<(&'a [u8], &'a [u8])>, Cut> {
        self.until(|byte| !is_space(byte) && byte != b'/')?;
        if self.byte()? == b'>' {
            self.at += 1;
            return Ok(None);
        }
        let begin = self.at;
        // A name may begin with an equals sign.
        self.at += 1;
        self.until(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))?;
        let name = &self.rest[begin..self.at];
        self.until(|byte| !is_space(byte))?;
        if self.byte()? != b'=' {
            return Ok(Some((name, b"")));
        }
        self.at += 1;
        Ok(Some((name, self.value()?)))
    }

    fn value(&mut self) -> Result<&'a [u8], Cut> {
        self.until(|byte| !is_space(byte))?;
        match self.byte()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.until(|byte| byte == quote)?;
                self.at += 1;
                Ok(value)
            }
            _ => self.until(|byte| is_space(byte) || byte == b'>'),
        }
    }
}

/// The attributes of a `<meta>` that name an encoding; of two with the same name the first counts.
#[derive(Default)]
struct Meta<'a> {
    charset: Option<&'a [u8]>,
    content: Option<&'a [u8]>,
    http_equiv: Option<&'a [u8]>,
}

impl<'a> Meta<'a> {
    fn read(&mut self, name: &[u8], value: &'a [u8]) {
        let place = match name.to_ascii_lowercase().as_slice() {
            b"charset" => &mut self.charset,
            b"content" => &mut self.content,
            b"http-equiv" => &mut self.http_equiv,
            _ => return,
        };
        place.get_or_insert(value);
    }

    fn encoding(&self) -> Option<&'static str> {
        if let Some(label) = self.charset {
            return exact_encoding_of(label);
        }
        let is_content_type = self.http_equiv?.eq_ignore_ascii_case(b"content-type");
        is_content_type.then(|| label_in(self.content?)).flatten().and_then(exact_encoding_of)
    }
}

/// The standard's "extracting a character encoding from a meta element".
fn label_in(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        rest = trimmed(&rest[place_of(rest, b"charset")? + b"charset".len()..]);
        if let [b'=', value @ ..] = rest {
            return label_at(trimmed(value));
        }
    }
}

/// A label in quotes, or up to white space or a semicolon.
fn label_at(value: &[u8]) -> Option<&[u8]> {
    match value {
        [quote @ (b'"' | b'\''), label @ ..] => memchr(*quote, label).map(|end| &label[..end]),
        _ => value.split(|byte| is_space(*byte) || *byte == b';').next(),
    }
}

/// The encoding of an XML declaration, or of CLEANEVAL's `<text encoding=>`, which speaks for the page it wraps.
fn xml_encoding(head: &[u8]) -> Option<&'static str> {
    let pieces = head.split(|byte| *byte == b'<').skip(1);
    let label = pieces.filter_map(xml_label).next()?;
    encoding_of(std::str::from_utf8(label).ok()?).map(readable)
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

fn place_of(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window.eq_ignore_ascii_case(word))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [byte, rest @ ..] = text {
        if !is_space(*byte) {
            break;
        }
        text = rest;
    }
    while let [rest @ .., byte] = text {
        if !is_space(*byte) {
            break;
        }
        text = rest;
    }
    text
}
