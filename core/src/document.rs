//! The way of a page from bytes to blocks.

use crate::blocks;
use crate::html::{self, Options};
use crate::markup::Markup;
use crate::page::Page;
use crate::sniff::{self, Origin};

/// A page cut into blocks, and how its bytes were read.
#[derive(Debug)]
pub struct Document {
    pub page: Page,
    /// CLEANEVAL's `<text id= title=>` in front of the page, and the address and the title that it names.
    pub wrapper: String,
    pub url: String,
    pub title: String,
    /// None, where the page came as text.
    pub read: Option<Read>,
}

#[derive(Clone, Debug)]
pub struct Read {
    pub encoding: &'static str,
    pub origin: Origin,
    pub replaced: usize,
}

const OPTIONS: Options = Options { repairs: true };

/// Larger pages are asked for memory before they are read, because what then runs out of it ends the process.
const LARGE: usize = 1 << 20;
/// What a large page takes at the most, in its own size.
const TIMES: usize = 8;

/// There is not enough memory for a page.
#[derive(Debug)]
pub struct OutOfMemory;

pub fn check_memory(size: usize) -> Result<(), OutOfMemory> {
    let mut probe: Vec<u8> = Vec::new();
    if size < LARGE {
        return Ok(());
    }
    probe.try_reserve_exact(size.saturating_mul(TIMES)).map_err(|_| OutOfMemory)
}

/// From the bytes of a page.
pub fn of_bytes(data: &[u8], charset: Option<&str>, markup: &Markup) -> Document {
    let decoded = sniff::decode(data, charset);
    let read = Read { encoding: decoded.encoding, origin: decoded.origin, replaced: decoded.replaced };
    Document { read: Some(read), ..of_text(decoded.text, markup) }
}

/// From its text.
pub fn of_text(mut text: String, markup: &Markup) -> Document {
    let wrapper = wrapper(&text);
    let mut document = Document {
        page: Page::default(),
        wrapper: text[..wrapper.end].to_string(),
        url: wrapper.url.map_or(String::new(), attribute),
        title: wrapper.title.map_or(String::new(), attribute),
        read: None,
    };
    let end = wrapper.end;
    if end > 0 {
        text.drain(..end);
    }
    document.page = blocks::cut(html::parse(text, OPTIONS), markup);
    if !document.page.title.is_empty() {
        document.title.clone_from(&document.page.title);
    }
    document.page.title.clone_from(&document.title);
    document
}

#[derive(Default)]
struct Wrapper<'a> {
    end: usize,
    url: Option<&'a str>,
    title: Option<&'a str>,
}

/// `<text id="…" title="…">` in front of all else.
fn wrapper(text: &str) -> Wrapper<'_> {
    found_wrapper(text).unwrap_or_default()
}

fn found_wrapper(text: &str) -> Option<Wrapper<'_>> {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == '\x0b');
    let rest = after_word(rest, "<text")?;
    let rest = rest.strip_prefix(|character: char| character.is_ascii_whitespace())?;
    let (url, rest) = quoted(rest, "id")?;
    let (title, rest) = match quoted(rest, "title") {
        Some((title, behind)) if rest.starts_with(|character: char| character.is_ascii_whitespace()) => {
            (Some(title), behind)
        }
        _ => (None, rest),
    };
    let behind = &rest[rest.find('>')? + 1..];
    Some(Wrapper { end: text.len() - behind.len(), url: Some(url), title })
}

fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let start = text.get(..word.len())?;
    start.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// What stands behind `name=`, in double quotes, and all behind that.
fn quoted<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let rest = after_word(text.trim_start(), name)?.strip_prefix("=\"")?;
    rest.split_once('"')
}

fn attribute(raw: &str) -> String {
    let value = html::text::decoded(raw, crate::tree::Form::Data);
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}
