//! An outline as JSON. Its schema is `docs/schemas/outline.json`.

use super::places::Places;
use super::{Kind, Node, Outline, Span, Style, PICTURE};
use crate::page::Page;

/// What stands between the parts of a printed list.
pub struct Layout {
    comma: &'static str,
    colon: &'static str,
    /// Before, between and behind the outermost nodes.
    first: &'static str,
    next: &'static str,
    last: &'static str,
}

impl Layout {
    pub const DENSE: Self = Self { comma: ",", colon: ":", first: "[", next: ",", last: "]" };
    /// A line for each of the outermost nodes.
    pub const LINES: Self = Self { comma: ", ", colon: ": ", first: "[\n  ", next: ",\n  ", last: "\n ]" };
}

/// A page, its outline, and where its elements stand.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub outline: &'a Outline,
    pub page: &'a Page,
    pub places: &'a Places,
    /// Byte ranges count from the start of the document, so many bytes before the source; without it there are none.
    pub offset: Option<usize>,
}

/// The whole outline.
pub fn json(source: Source) -> String {
    let out = String::with_capacity(source.outline.text.len() * 3);
    let mut writer = Writer { source, layout: &Layout::DENSE, out };
    writer.out.push_str("{\"title\":");
    writer.string(&source.outline.title);
    writer.out.push_str(",\"language\":");
    writer.string_or_null(&source.outline.language);
    writer.out.push_str(",\"nodes\":");
    let mut nodes = Nodes::default();
    while !nodes.are_written {
        writer.step(&mut nodes);
    }
    writer.out.push('}');
    writer.out
}

/// The list of nodes, printed in parts: how far it is written.
#[derive(Default)]
pub struct Nodes {
    next: usize,
    /// The nodes around the next one.
    open: Vec<usize>,
    are_written: bool,
}

impl Nodes {
    /// The next part, of about so many bytes. Only the text of one node is longer.
    pub fn part(&mut self, source: Source, layout: &Layout, size: usize) -> Option<String> {
        let mut writer = Writer { source, layout, out: String::new() };
        while !self.are_written && writer.out.len() < size {
            writer.step(self);
        }
        (!writer.out.is_empty()).then_some(writer.out)
    }
}

struct Writer<'a> {
    source: Source<'a>,
    layout: &'a Layout,
    out: String,
}

impl<'a> Writer<'a> {
    /// Writes a node without its child nodes, or the end of one.
    fn step(&mut self, nodes: &mut Nodes) {
        let all = &self.source.outline.nodes;
        match nodes.open.last() {
            Some(&open) if all[open].end as usize == nodes.next => {
                self.out.push(']');
                self.end(&all[open]);
                nodes.open.pop();
            }
            None if nodes.next == all.len() => {
                self.out.push_str(if all.is_empty() { "[]" } else { self.layout.last });
                nodes.are_written = true;
            }
            parent => {
                self.gap(parent.copied(), nodes.next);
                let node = &all[nodes.next];
                if self.begin(node) {
                    nodes.open.push(nodes.next);
                    nodes.next += 1;
                } else {
                    nodes.next = node.end as usize;
                }
            }
        }
    }

    fn gap(&mut self, parent: Option<usize>, node: usize) {
        self.out.push_str(match parent {
            None if node == 0 => self.layout.first,
            None => self.layout.next,
            Some(parent) if parent + 1 == node => "",
            Some(_) => self.layout.comma,
        });
    }

    /// Writes a node, or its beginning if child nodes follow.
    fn begin(&mut self, node: &Node) -> bool {
        self.out.push('{');
        self.out.push_str("\"type\"");
        self.out.push_str(self.layout.colon);
        self.string(name(node.kind));
        self.details(node);
        let has_children = !node.kind.has_text() && node.kind != Kind::Rule;
        if has_children {
            self.key("children");
            self.out.push('[');
            return true;
        }
        if node.kind.has_text() {
            self.text(node);
        }
        self.end(node);
        false
    }

    fn end(&mut self, node: &Node) {
        self.key("xpath");
        let path = self.source.places.paths.path(&self.source.page.tree, node.element as usize);
        self.string(&path);
        self.out.push('}');
    }

    /// A comma and the name of an entry.
    fn key(&mut self, name: &str) {
        self.out.push_str(self.layout.comma);
        self.string(name);
        self.out.push_str(self.layout.colon);
    }

    fn details(&mut self, node: &Node) {
        match node.kind {
            Kind::Heading(level) => self.number("level", u64::from(level)),
            Kind::Code => {
                self.key("language");
                self.string_or_null(self.source.outline.word_of(node));
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
                self.key("label");
                self.string(self.source.outline.word_of(node));
            }
            _ => {}
        }
    }

    fn text(&mut self, node: &Node) {
        let outline = self.source.outline;
        let spans = outline.spans_of(node);
        let text = Characters::new(outline.text_of(node), node.text.start, spans);
        self.key("text");
        self.string(&text.text);
        self.key("spans");
        self.list(spans, |writer, span| writer.span(span, &text));
        self.key("blocks");
        self.list(&outline.blocks[node.blocks.range()], |writer, block| writer.out.push_str(&block.to_string()));
        self.key("range");
        self.range(node);
    }

    fn list<T>(&mut self, values: &[T], write: impl Fn(&mut Self, &T)) {
        self.out.push('[');
        for (place, value) in values.iter().enumerate() {
            if place > 0 {
                self.out.push_str(self.layout.comma);
            }
            write(self, value);
        }
        self.out.push(']');
    }

    /// The byte range of the text in the source.
    fn range(&mut self, node: &Node) {
        let ranges = &self.source.places.ranges;
        let runs = if node.blocks.is_empty() {
            &[]
        } else {
            ranges.get(node.runs.0 as usize..=node.runs.1 as usize).unwrap_or(&[])
        };
        let found = runs.iter().flatten().fold(None, |sum: Option<(u32, u32)>, &(start, end)| {
            Some(sum.map_or((start, end), |sum| (sum.0.min(start), sum.1.max(end))))
        });
        match found.zip(self.source.offset) {
            Some(((start, end), offset)) => {
                self.list(&[start, end], |writer, &place| writer.out.push_str(&(place as usize + offset).to_string()));
            }
            None => self.out.push_str("null"),
        }
    }

    fn span(&mut self, span: &Span, text: &Characters) {
        self.out.push_str("{\"type\"");
        self.out.push_str(self.layout.colon);
        self.string(style_name(span.style));
        self.number("start", text.place(span.start).into());
        self.number("end", text.place(span.end).into());
        let outline = self.source.outline;
        match span.style {
            Style::Link(link) => self.entry("href", &outline.links[link as usize]),
            Style::Image(image) => {
                let image = &outline.images[image as usize];
                self.entry("src", &image.address);
                self.entry("alt", &image.alt);
            }
            Style::Math { is_display, delimiter } => {
                let (start, end) = (span.start as usize + delimiter as usize, span.end as usize - delimiter as usize);
                self.flag("display", is_display);
                self.entry("tex", outline.text[start..end].trim());
            }
            Style::Reference(label) => self.entry("label", outline.word(label)),
            _ => {}
        }
        self.out.push('}');
    }

    fn entry(&mut self, name: &str, value: &str) {
        self.key(name);
        self.string(value);
    }

    fn number(&mut self, name: &str, value: u64) {
        self.key(name);
        self.out.push_str(&value.to_string());
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.key(name);
        self.out.push_str(if value { "true" } else { "false" });
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
