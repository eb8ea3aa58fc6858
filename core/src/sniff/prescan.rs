//! The encodings that `<meta>` names: the HTML standard's "prescan a byte stream to determine its encoding".

use memchr::{memchr, memmem};

use super::charsets::exact_encoding_of;

/// The encodings of all `<meta>`, in their order.
pub(super) fn prescan(head: &[u8]) -> Vec<&'static str> {
    prescan_with(head, |_, _| None)
}

/// The same, but a tag whose quote is never closed does not end it.
pub(super) fn mended_prescan(head: &[u8]) -> Vec<&'static str> {
    prescan_with(head, |rest, found| {
        let end = memchr(b'>', rest).filter(|_| !rest.starts_with(b"<!--"))?;
        found.extend(broken_meta(&rest[..end]));
        Some(end + 1)
    })
}

/// `mend` says how long the markup is that has no end.
fn prescan_with(head: &[u8], mend: impl Fn(&[u8], &mut Vec<&'static str>) -> Option<usize>) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr(b'<', &head[at..]) {
        let rest = &head[at + open..];
        let Some(length) = markup(rest, &mut found).or_else(|| mend(rest, &mut found)) else { break };
        at += open + length;
    }
    found
}

/// What a `<meta>` says whose quotes are not in pairs.
fn broken_meta(tag: &[u8]) -> Option<&'static str> {
    let has = |word: &[u8]| place_of(tag, word).is_some();
    if !is_meta(tag) || (has(b"content") && !has(b"content-type")) {
        return None;
    }
    let rest = trimmed(&tag[place_of(tag, b"charset")? + b"charset".len()..]).strip_prefix(b"=")?;
    let mut labels = rest.split(|byte| is_space(*byte) || matches!(byte, b'"' | b'\'' | b';'));
    exact_encoding_of(labels.find(|label| !label.is_empty())?)
}

fn is_meta(tag: &[u8]) -> bool {
    tag.len() > 5 && tag[1..5].eq_ignore_ascii_case(b"meta") && (is_space(tag[5]) || tag[5] == b'/')
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
    let mut ends = memmem::find_iter(rest, b">").map(|end| end + 1);
    ends.find(|end| rest[2..*end].ends_with(b"-->") || rest[4..*end].ends_with(b"--!>"))
}

fn tag(rest: &[u8], found: &mut Vec<&'static str>) -> Option<usize> {
    let is_meta = is_meta(rest);
    let at = if is_meta { 5 } else { rest.iter().position(|byte| is_space(*byte) || *byte == b'>')? };
    let mut tag = Tag { rest, at };
    let mut meta = Meta::default();
    while let Some((name, value)) = tag.attribute().ok()? {
        meta.read(name, value);
    }
    if is_meta {
        found.extend(meta.encoding());
    }
    Some(tag.at)
}

/// A tag that is read attribute by attribute.
struct Tag<'a> {
    rest: &'a [u8],
    at: usize,
}

/// A name and a value.
type Attribute<'a> = (&'a [u8], &'a [u8]);

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
    fn attribute(&mut self) -> Result<Option<Attribute<'a>>, Cut> {
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

pub(super) fn place_of(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window.eq_ignore_ascii_case(word))
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

pub(super) fn trimmed(mut text: &[u8]) -> &[u8] {
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
