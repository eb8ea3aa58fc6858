//! The tokenizer of the standard: source → tags, texts, comments, as spans.
//!
//! Comments, processing instructions and doctypes are passed over; of a doctype only the mode that it asks for stays.

use memchr::{memchr, memmem, memrchr};

use super::attributes::{self, Step};
use super::doctype;
use super::repairs::Repairs;
use super::script;
use super::tags::{self, Tag};
use crate::tree::Span;

/// How the source is read until the next end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    Data,
    /// Text with references.
    Rcdata,
    /// Text without.
    Rawtext,
    Script,
    Plaintext,
    /// Only for tests, which begin there.
    Cdata,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Data,
    Rcdata,
    /// Scripts, styles and the like.
    Raw,
    Cdata,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagToken {
    pub tag: Tag,
    /// Where its `<` stands.
    pub place: u32,
    pub name: Span,
    pub attributes: Span,
    pub is_self_closing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Start(TagToken),
    End(TagToken),
    Text(Span, TextKind),
    Comment(Span),
    Doctype { is_quirky: bool, span: Span },
    EndOfFile,
}

pub struct Tokenizer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    model: Model,
    /// The name of the start tag before: its end tag ends texts.
    opener: &'s [u8],
    repairs: Option<Repairs<'s>>,
}

impl<'s> Tokenizer<'s> {
    pub fn new(source: &'s str, has_repairs: bool) -> Self {
        let repairs = has_repairs.then(|| Repairs::new(source));
        Self { source, bytes: source.as_bytes(), at: 0, model: Model::Data, opener: b"", repairs }
    }

    /// How to read on. `opener` is the name of the element whose end tag ends the text.
    pub fn read_as(&mut self, model: Model, opener: &'s [u8]) {
        self.model = model;
        self.opener = opener;
    }

    /// Does an element of text that closes itself have no end tag in the rest of the page? Then it is empty, which is a
    /// repair.
    pub fn has_no_end(&mut self, name: Span) -> bool {
        let name = &self.bytes[name.start as usize..name.end as usize];
        self.repairs.as_mut().is_some_and(|repairs| repairs.has_no_end(self.at, name))
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// The next token. In SVG and MathML there are CDATA sections.
    #[inline]
    pub fn next(&mut self, has_cdata: bool) -> Token {
        match self.model {
            Model::Data => self.data(has_cdata),
            Model::Rcdata => {
                if let Some(end) = self.unclosed_title() {
                    return end;
                }
                let end = self.end_of_text();
                self.text_until(end, TextKind::Rcdata)
            }
            Model::Rawtext => {
                let end = self.end_of_text();
                self.text_until(end, TextKind::Raw)
            }
            Model::Script => {
                let end = script::end(self.source, self.at, self.opener, self.repairs.as_mut());
                self.text_until(end, TextKind::Raw)
            }
            Model::Plaintext => self.text_until(self.bytes.len(), TextKind::Raw),
            Model::Cdata => {
                self.model = Model::Data;
                self.cdata(self.at).unwrap_or_else(|| self.data(true))
            }
        }
    }

    fn data(&mut self, has_cdata: bool) -> Token {
        loop {
            let begin = self.at;
            let end = self.next_markup();
            if end > begin {
                self.at = end;
                return Token::Text(Span::new(begin, end), TextKind::Data);
            }
            let Some(&first) = self.bytes.get(begin + 1) else { return Token::EndOfFile };
            let token = match first {
                b'/' => self.end_tag(begin),
                b'!' => self.declaration(begin, has_cdata),
                b'?' => Some(self.bogus_comment(begin + 1)),
                _ => Some(self.tag(begin, begin + 1)),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// The next `<` that is more than text.
    #[inline]
    fn next_markup(&self) -> usize {
        let mut at = self.at;
        loop {
            let Some(distance) = memchr(b'<', &self.bytes[at..]) else { return self.bytes.len() };
            at += distance;
            match self.bytes.get(at + 1) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?') => return at,
                Some(b'/') if at + 2 < self.bytes.len() => return at,
                _ => at += 1,
            }
        }
    }

    #[inline]
    fn tag(&mut self, place: usize, begin: usize) -> Token {
        match self.read_tag(place, begin) {
            Some(token) => Token::Start(token),
            None => Token::EndOfFile,
        }
    }

    /// `</>` is nothing.
    fn end_tag(&mut self, place: usize) -> Option<Token> {
        let begin = place + 2;
        match self.bytes[begin] {
            b'a'..=b'z' | b'A'..=b'Z' => Some(self.read_tag(place, begin).map_or(Token::EndOfFile, Token::End)),
            b'>' => {
                self.at = begin + 1;
                None
            }
            _ => Some(self.bogus_comment(begin)),
        }
    }

    /// A tag whose name begins at `begin`; none if the source ends within it.
    #[inline]
    fn read_tag(&mut self, place: usize, begin: usize) -> Option<TagToken> {
        let mut at = begin + 1;
        while self.bytes.get(at).is_some_and(|&byte| !attributes::ENDS_TAG_NAME[byte as usize]) {
            at += 1;
        }
        let name = Span::new(begin, at);
        let behind_name = at;
        loop {
            match attributes::step(self.bytes, at) {
                Step::Attribute { next, .. } => at = next,
                Step::End { close, is_self_closing } => {
                    self.at = close + 1;
                    let attributes = Span::new(behind_name, close - usize::from(is_self_closing));
                    let tag = tags::find(&self.bytes[begin..behind_name]).unwrap_or(Tag::UNKNOWN);
                    return Some(TagToken { tag, place: place as u32, name, attributes, is_self_closing });
                }
                Step::Unfinished => {
                    self.at = self.bytes.len();
                    return None;
                }
            }
        }
    }

    /// What begins with `<!`.
    fn declaration(&mut self, place: usize, has_cdata: bool) -> Option<Token> {
        let begin = place + 2;
        let rest = &self.bytes[begin..];
        if rest.starts_with(b"--") {
            return Some(self.comment(begin + 2));
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            let end = self.end_of_bogus(begin);
            let span = Span::new(begin + 7, end);
            let is_closed = end < self.bytes.len();
            self.at = (end + 1).min(self.bytes.len());
            let is_quirky = doctype::is_quirky(span.of(self.source), is_closed);
            return Some(Token::Doctype { is_quirky, span });
        }
        if has_cdata && rest.starts_with(b"[CDATA[") {
            return self.cdata(begin + 7);
        }
        Some(self.bogus_comment(begin))
    }

    /// Every `>` is looked at once, so that comments which nobody ends do not cost more than others.
    fn comment(&mut self, begin: usize) -> Token {
        let mut at = begin;
        while let Some(distance) = memchr(b'>', &self.bytes[at..]) {
            let close = at + distance;
            // The dashes of `<!--` may be those of `-->`, but not those of `--!>`.
            let length = if close >= begin && self.bytes[begin - 2..close].ends_with(b"--") {
                Some(2)
            } else if self.bytes[begin..close].ends_with(b"--!") {
                Some(3)
            } else {
                None
            };
            if let Some(length) = length {
                self.at = close + 1;
                return Token::Comment(Span::new(begin, (close - length).max(begin)));
            }
            at = close + 1;
        }
        self.at = self.bytes.len();
        let rest = &self.source[begin..];
        let beginnings = ["--!", "--", "-"];
        let content = beginnings.iter().find_map(|end| rest.strip_suffix(end)).unwrap_or(rest);
        Token::Comment(Span::new(begin, begin + content.len()))
    }

    fn bogus_comment(&mut self, begin: usize) -> Token {
        let end = self.end_of_bogus(begin);
        self.at = (end + 1).min(self.bytes.len());
        Token::Comment(Span::new(begin, end))
    }

    fn end_of_bogus(&self, begin: usize) -> usize {
        memchr(b'>', &self.bytes[begin..]).map_or(self.bytes.len(), |distance| begin + distance)
    }

    /// Nothing if the section is empty.
    fn cdata(&mut self, begin: usize) -> Option<Token> {
        let length = memmem::find(&self.bytes[begin..], b"]]>");
        let end = length.map_or(self.bytes.len(), |length| begin + length);
        self.at = (end + 3).min(self.bytes.len());
        (end > begin).then(|| Token::Text(Span::new(begin, end), TextKind::Cdata))
    }

    /// The text from here to its end, if there is any; behind it the source is data again.
    fn text_until(&mut self, end: usize, kind: TextKind) -> Token {
        let begin = self.at;
        self.at = end;
        if self.model != Model::Plaintext {
            self.model = Model::Data;
        }
        if end > begin {
            return Token::Text(Span::new(begin, end), kind);
        }
        self.data(false)
    }

    /// Where the end tag of this text stands, else the end of the source.
    fn end_of_text(&self) -> usize {
        let mut at = self.at;
        while let Some(distance) = memchr(b'<', &self.bytes[at..]) {
            at += distance;
            if is_end_tag(self.bytes, at, self.opener) {
                return at;
            }
            at += 1;
        }
        self.bytes.len()
    }

    /// The end of a title that nobody closed, if this is one; its text comes first.
    fn unclosed_title(&mut self) -> Option<Token> {
        if !self.opener.eq_ignore_ascii_case(b"title") {
            return None;
        }
        let end = self.repairs.as_ref()?.end_of_unclosed_title(self.at)?;
        if end > self.at {
            let text = Span::new(self.at, end);
            self.at = end;
            return Some(Token::Text(text, TextKind::Rcdata));
        }
        self.model = Model::Data;
        let nothing = Span::new(end, end);
        let place = end as u32;
        let implied = TagToken { tag: tags::TITLE, place, name: nothing, attributes: nothing, is_self_closing: false };
        Some(Token::End(implied))
    }
}

/// Whether the end tag of this name stands here.
pub(super) fn is_end_tag(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + 2 + name.len();
    !name.is_empty()
        && bytes.get(at + 1) == Some(&b'/')
        && bytes.get(at + 2..end).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && bytes.get(end).is_some_and(|&byte| byte == b'>' || byte == b'/' || attributes::is_space(byte))
}

/// The last place where this stands, in small or capital letters. The first byte is no letter.
pub(super) fn last_place(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut end = bytes.len();
    while let Some(at) = memrchr(wanted[0], &bytes[..end]) {
        if bytes[at..].get(..wanted.len()).is_some_and(|found| found.eq_ignore_ascii_case(wanted)) {
            return Some(at);
        }
        end = at;
    }
    None
}
