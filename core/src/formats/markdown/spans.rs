//! The text of a node with its marks.

use super::escapes::{self, Around};
use super::marks::{marks, Mark};
use super::Switches;
use crate::outline::{Node, Outline, Style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Paragraph,
    Heading,
    Cell,
}

/// Writes a text, with `line_end` for its line breaks.
pub fn write(out: &mut String, outline: &Outline, node: &Node, switches: &Switches, line_end: &str, place: Place) {
    let marks = marks(outline, node, switches);
    let text = outline.text_of(node);
    let signs = |sign: u8| memchr::memchr_iter(sign, text.as_bytes()).take(2).count();
    let has_math = marks.iter().any(|mark| matches!(mark.style, Style::Math { .. }));
    let mut writer = Writer {
        out,
        outline,
        switches,
        text,
        marks: &marks,
        next: 0,
        line_end,
        place,
        at_start: place != Place::Cell,
        is_first: true,
        in_link: false,
        dollars: switches.math && (has_math || signs(b'$') > 1),
        tildes: signs(b'~') > 1 || marks.iter().any(|mark| mark.style == Style::Struck),
    };
    writer.part(0, text.len());
}

/// Writes inline code in a fence longer than any inside it.
pub fn write_code(out: &mut String, code: &str, place: Place) {
    let code = code.replace(['\n', '\r'], " ");
    let runs: Vec<usize> = code.split(|character| character != '`').map(str::len).collect();
    let length = (1..).find(|length| !runs.contains(length)).unwrap_or(1);
    let fence = "`".repeat(length);
    let is_blank = code.chars().all(|character| character == ' ');
    let is_padded =
        code.starts_with('`') || code.ends_with('`') || code.starts_with(' ') && code.ends_with(' ') && !is_blank;
    let pad = if is_padded { " " } else { "" };
    out.push_str(&fence);
    out.push_str(pad);
    if place == Place::Cell {
        out.push_str(&code.replace('|', "\\|"));
    } else {
        out.push_str(&code);
    }
    out.push_str(pad);
    out.push_str(&fence);
}

struct Writer<'a> {
    out: &'a mut String,
    outline: &'a Outline,
    switches: &'a Switches,
    text: &'a str,
    marks: &'a [Mark],
    next: usize,
    line_end: &'a str,
    place: Place,
    at_start: bool,
    is_first: bool,
    in_link: bool,
    dollars: bool,
    tildes: bool,
}

impl Writer<'_> {
    /// Writes a part of the text with its marks, which nest a dozen deep at most.
    fn part(&mut self, start: usize, end: usize) {
        let mut at = start;
        while let Some(&mark) = self.marks.get(self.next).filter(|mark| mark.start < end) {
            self.plain(at, mark.start);
            self.next += 1;
            self.mark(mark);
            at = mark.end;
        }
        self.plain(at, end);
    }

    fn plain(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let mut lines = self.text[start..end].split('\n').peekable();
        while let Some(line) = lines.next() {
            let is_last = lines.peek().is_some() || end == self.text.len();
            if !line.is_empty() {
                let around = Around {
                    place: self.place,
                    in_link: self.in_link,
                    at_start: self.at_start,
                    is_first: self.is_first,
                    is_last,
                    dollars: self.dollars,
                    tildes: self.tildes,
                };
                escapes::write(self.out, line, around);
                (self.at_start, self.is_first) = (false, false);
            }
            if lines.peek().is_some() {
                self.out.push_str(self.line_end);
                self.at_start = self.place == Place::Paragraph;
            }
        }
    }

    fn mark(&mut self, mark: Mark) {
        let text = &self.text[mark.start..mark.end];
        match mark.style {
            Style::Strong => self.between("**", "**", mark),
            Style::Emphasis => self.between("*", "*", mark),
            Style::Struck => self.between("~~", "~~", mark),
            Style::Sub => self.between("<sub>", "</sub>", mark),
            Style::Sup => self.between("<sup>", "</sup>", mark),
            Style::Quote => self.quoted(mark),
            Style::Link(number) => self.link(mark, number),
            Style::Code => {
                write_code(self.out, text, self.place);
                self.leave();
            }
            Style::Image(number) => self.image(number),
            Style::Math { is_display, delimiter } => self.formula(mark, is_display, delimiter as usize),
            Style::Reference(label) => {
                self.out.push_str(&format!("[^{}]", self.outline.word(label)));
                self.leave();
            }
        }
    }

    fn leave(&mut self) {
        (self.at_start, self.is_first) = (false, false);
    }

    fn between(&mut self, open: &str, close: &str, mark: Mark) {
        self.out.push_str(open);
        self.leave();
        self.part(mark.start, mark.end);
        self.out.push_str(close);
    }

    /// Writes no quotation marks if the page contains them.
    fn quoted(&mut self, mark: Mark) {
        let text = &self.text[mark.start..mark.end];
        let is_marked = text.starts_with(['"', '“', '„', '«', '‹', '‘', '「', '『', '»']);
        if is_marked {
            self.part(mark.start, mark.end);
        } else {
            self.between("“", "”", mark);
        }
    }

    fn link(&mut self, mark: Mark, number: u32) {
        self.out.push('[');
        self.leave();
        let before = std::mem::replace(&mut self.in_link, true);
        self.part(mark.start, mark.end);
        self.in_link = before;
        self.out.push_str("](");
        self.address(&self.outline.links[number as usize]);
        self.out.push(')');
    }

    fn image(&mut self, number: u32) {
        if !self.switches.images {
            return;
        }
        self.out.push_str("![");
        self.leave();
        let image = &self.outline.images[number as usize];
        let around = Around {
            place: self.place,
            in_link: true,
            at_start: false,
            is_first: false,
            is_last: false,
            dollars: self.switches.math,
            tildes: true,
        };
        escapes::write(self.out, &image.alt, around);
        self.out.push_str("](");
        self.address(&image.address);
        self.out.push(')');
    }

    /// Writes an address; signs of Markdown are percent-encoded.
    fn address(&mut self, address: &str) {
        for (at, character) in address.char_indices() {
            match character {
                '(' => self.out.push_str("%28"),
                ')' => self.out.push_str("%29"),
                '\\' => self.out.push_str("%5C"),
                '`' => self.out.push_str("%60"),
                '$' => self.out.push_str("%24"),
                '|' if self.place == Place::Cell => self.out.push_str("%7C"),
                '&' if address[at + 1..].split_once(';').is_some_and(|(name, _)| is_name(name)) => {
                    self.out.push_str("&amp;")
                }
                _ => self.out.push(character),
            }
        }
    }

    fn formula(&mut self, mark: Mark, is_display: bool, delimiter: usize) {
        let tex = self.text[mark.start + delimiter..mark.end - delimiter].trim();
        let is_hidden = tex.is_empty()
            || tex.contains(['$', '\n', '`'])
            || tex.ends_with('\\')
            || !is_balanced(tex)
            || self.out.ends_with('$')
            || self.place == Place::Cell && tex.contains('|');
        if is_hidden {
            return self.plain(mark.start, mark.end);
        }
        let sign = if is_display { "$$" } else { "$" };
        self.out.push_str(sign);
        self.out.push_str(tex);
        self.out.push_str(sign);
        self.leave();
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
}

/// Are the braces of a formula balanced? Readers look for its end outside of braces.
fn is_balanced(tex: &str) -> bool {
    let mut depth = 0i32;
    let mut is_escaped = false;
    for byte in tex.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
