//! An outline as JSON. Its schema is `docs/schemas/outline.json`.

use super::places::{ranges, Paths};
use super::{Kind, Node, Outline, Span, Style, PICTURE};
use crate::page::Page;

/// The whole outline. Byte ranges count from the start of the document, `offset` bytes before the source; without an
/// offset there are none.
pub fn json(outline: &Outline, page: &Page, offset: Option<usize>) -> String {
    let ranges = offset.map(|_| ranges(page)).unwrap_or_default();
    let out = String::with_capacity(outline.text.len() * 3);
    let mut writer = Writer { outline, paths: Paths::new(&page.tree), ranges, offset: offset.unwrap_or(0), out };
    writer.out.push_str("{\"title\":");
    writer.string(&outline.title);
    writer.out.push_str(",\"language\":");
    writer.string_or_null(&outline.language);
    writer.out.push_str(",\"nodes\":");
    writer.nodes(0, outline.nodes.len());
    writer.out.push('}');
    writer.out
}

struct Writer<'a> {
    outline: &'a Outline,
    paths: Paths<'a>,
    ranges: Vec<Option<(u32, u32)>>,
    offset: usize,
    out: String,
}

impl Writer<'_> {
    fn nodes(&mut self, first: usize, end: usize) {
        self.out.push('[');
        let mut next = first;
        while next < end {
            if next > first {
                self.out.push(',');
            }
            self.node(next);
            next = self.outline.nodes[next].end as usize;
        }
        self.out.push(']');
    }

    /// Recursive: nodes nest a few dozen deep at most.
    fn node(&mut self, number: usize) {
        let node = &self.outline.nodes[number];
        self.out.push_str("{\"type\":\"");
        self.out.push_str(name(node.kind));
        self.out.push('"');
        self.details(node);
        if node.kind.has_text() {
            self.text(node);
        } else if node.kind != Kind::Rule {
            self.out.push_str(",\"children\":");
            self.nodes(number + 1, node.end as usize);
        }
        self.out.push_str(",\"xpath\":");
        let path = self.paths.path(node.element as usize);
        self.string(&path);
        self.out.push('}');
    }

    fn details(&mut self, node: &Node) {
        match node.kind {
            Kind::Heading(level) => self.number("level", u64::from(level)),
            Kind::Code => {
                self.out.push_str(",\"language\":");
                self.string_or_null(self.outline.word_of(node));
            }
            Kind::List(start) => {
                self.flag("ordered", start.is_some());
                start.into_iter().for_each(|start| self.number("start", u64::from(start)));
            }
            Kind::Row { is_header } => self.flag("header", is_header),
            Kind::Cell { is_header, columns, rows } => {
                self.flag("header", is_header);
                self.number("columns", u64::from(columns));
                self.number("rows", u64::from(rows));
            }
            Kind::Footnote => {
                self.out.push_str(",\"label\":");
                self.string(self.outline.word_of(node));
            }
            _ => {}
        }
    }

    fn text(&mut self, node: &Node) {
        let spans = self.outline.spans_of(node);
        let text = Characters::new(self.outline.text_of(node), node.text.start, spans);
        self.out.push_str(",\"text\":");
        self.string(&text.text);
        self.out.push_str(",\"spans\":[");
        for (place, span) in spans.iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            self.span(span, &text);
        }
        self.out.push_str("],\"blocks\":[");
        for (place, block) in self.outline.blocks[node.blocks.range()].iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            self.out.push_str(&block.to_string());
        }
        self.out.push_str("],\"range\":");
        self.range(node);
    }

    /// The byte range of the text in the source.
    fn range(&mut self, node: &Node) {
        let runs = if node.blocks.is_empty() {
            &[]
        } else {
            self.ranges.get(node.runs.0 as usize..=node.runs.1 as usize).unwrap_or(&[])
        };
        let found = runs.iter().flatten().fold(None, |sum: Option<(u32, u32)>, &(start, end)| {
            Some(sum.map_or((start, end), |sum| (sum.0.min(start), sum.1.max(end))))
        });
        match found {
            Some((start, end)) => {
                let (start, end) = (start as usize + self.offset, end as usize + self.offset);
                self.out.push_str(&format!("[{start},{end}]"));
            }
            None => self.out.push_str("null"),
        }
    }

    fn span(&mut self, span: &Span, text: &Characters) {
        self.out.push_str(&format!(
            "{{\"type\":\"{}\",\"start\":{},\"end\":{}",
            style_name(span.style),
            text.place(span.start),
            text.place(span.end)
        ));
        match span.style {
            Style::Link(link) => self.entry("href", &self.outline.links[link as usize]),
            Style::Image(image) => {
                let image = &self.outline.images[image as usize];
                self.entry("src", &image.address);
                self.entry("alt", &image.alt);
            }
            Style::Math { is_display, delimiter } => {
                let (start, end) = (span.start as usize + delimiter as usize, span.end as usize - delimiter as usize);
                self.flag("display", is_display);
                self.entry("tex", self.outline.text[start..end].trim());
            }
            Style::Reference(label) => self.entry("label", self.outline.word(label)),
            _ => {}
        }
        self.out.push('}');
    }

    fn entry(&mut self, name: &str, value: &str) {
        self.out.push_str(&format!(",\"{name}\":"));
        self.string(value);
    }

    fn number(&mut self, name: &str, value: u64) {
        self.out.push_str(&format!(",\"{name}\":{value}"));
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.out.push_str(&format!(",\"{name}\":{value}"));
    }

    fn string_or_null(&mut self, text: &str) {
        if text.is_empty() {
            self.out.push_str("null");
        } else {
            self.string(text);
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                _ if character < ' ' => self.out.push_str(&format!("\\u{:04x}", character as u32)),
                _ => self.out.push(character),
            }
        }
        self.out.push('"');
    }
}

/// A text without placeholders of images, and the number of characters before each border of its spans.
struct Characters {
    text: String,
    /// Sorted byte positions in the outline's text, with the number of characters before each.
    places: Vec<(u32, u32)>,
}

impl Characters {
    fn new(text: &str, start: u32, spans: &[Span]) -> Self {
        let mut ends: Vec<u32> = spans.iter().flat_map(|span| [span.start, span.end]).collect();
        ends.sort_unstable();
        ends.dedup();
        let is_image = |span: &&Span| matches!(span.style, Style::Image(_));
        let mut images = spans.iter().filter(is_image).map(|span| span.start).peekable();
        let mut ends = ends.into_iter().peekable();
        let (mut kept, mut count, mut places) = (String::with_capacity(text.len()), 0, Vec::new());
        for (at, character) in text.char_indices().chain([(text.len(), PICTURE)]) {
            let place = start + at as u32;
            while let Some(end) = ends.next_if(|&end| end <= place) {
                places.push((end, count));
            }
            if at == text.len() || images.next_if(|&image| image == place).is_some() {
                continue;
            }
            kept.push(character);
            count += 1;
        }
        Self { text: kept, places }
    }

    fn place(&self, byte: u32) -> u32 {
        let found = self.places.binary_search_by_key(&byte, |place| place.0);
        found.map_or(0, |found| self.places[found].1)
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Paragraph => "paragraph",
        Kind::Heading(_) => "heading",
        Kind::Code => "code",
        Kind::Rule => "rule",
        Kind::Quote => "quote",
        Kind::List(_) => "list",
        Kind::Item => "item",
        Kind::Definitions => "definitions",
        Kind::Term => "term",
        Kind::Definition => "definition",
        Kind::Table => "table",
        Kind::Caption => "caption",
        Kind::Row { .. } => "row",
        Kind::Cell { .. } => "cell",
        Kind::Figure => "figure",
        Kind::Details => "details",
        Kind::Summary => "summary",
        Kind::Footnotes => "footnotes",
        Kind::Footnote => "footnote",
    }
}

fn style_name(style: Style) -> &'static str {
    match style {
        Style::Strong => "strong",
        Style::Emphasis => "emphasis",
        Style::Struck => "struck",
        Style::Code => "code",
        Style::Sub => "sub",
        Style::Sup => "sup",
        Style::Quote => "quote",
        Style::Link(_) => "link",
        Style::Image(_) => "image",
        Style::Math { .. } => "math",
        Style::Reference(_) => "reference",
    }
}
