//! An outline as a small, semantic HTML document, without scripts, styles and event handlers.

use std::borrow::Cow;
use std::collections::HashMap;

use super::grid::column_spans;
use crate::outline::{Kind, Node, Outline, Span, Style};

/// The whole outline as a document.
pub fn html(outline: &Outline) -> String {
    let mut writer = Writer { outline, out: String::with_capacity(outline.text.len() * 5 / 4 + 200) };
    writer.head();
    writer.nodes(0, outline.nodes.len());
    writer.out.push_str("</body>\n</html>\n");
    writer.out
}

/// Writes text with HTML escapes.
pub fn escape(out: &mut String, text: &str) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[copied..at]);
        out.push_str(reference);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}

/// Writes the head of a document and the start of its body.
pub fn write_head(out: &mut String, title: &str, language: &str) {
    out.push_str("<!DOCTYPE html>\n<html");
    if !language.is_empty() {
        out.push_str(" lang=\"");
        escape(out, language);
        out.push('"');
    }
    out.push_str(">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    // HTML requires a title that is not empty.
    escape(out, if title.is_empty() { "Untitled" } else { title });
    out.push_str("</title>\n</head>\n<body>\n");
}

struct Writer<'a> {
    outline: &'a Outline,
    out: String,
}

impl Writer<'_> {
    fn head(&mut self) {
        write_head(&mut self.out, &self.outline.title, &self.outline.language);
    }

    fn nodes(&mut self, first: usize, end: usize) {
        let mut next = first;
        while next < end {
            self.node(next);
            next = self.outline.nodes[next].end as usize;
        }
    }

    /// Recursive: nodes nest a few dozen deep at most.
    fn node(&mut self, number: usize) {
        let node = &self.outline.nodes[number];
        match node.kind {
            Kind::Paragraph => self.text("p", node),
            Kind::Heading(level) => {
                self.text(["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level.clamp(1, 6)) - 1], node)
            }
            Kind::Code => self.code(node),
            Kind::Rule => self.out.push_str("<hr>\n"),
            Kind::Quote => self.around("blockquote", number),
            Kind::List(None) => self.around("ul", number),
            Kind::List(Some(start)) => self.ordered(number, start),
            Kind::Item => self.part("li", "", number),
            Kind::Definitions => self.definitions(number),
            Kind::Term => self.part("dt", "", number),
            Kind::Definition => self.part("dd", "", number),
            Kind::Table => self.table(number),
            Kind::Caption => self.part("caption", "", number),
            Kind::Row { .. } => self.around("tr", number),
            Kind::Cell { .. } => self.part("td", "", number),
            Kind::Figure => self.figure(number),
            Kind::Details => self.details(number),
            Kind::Summary => self.part("summary", "", number),
            Kind::Footnotes => self.around("ol", number),
            Kind::Footnote => {
                let label = attribute("id", &format!("fn-{}", self.outline.word_of(node)));
                self.part("li", &label, number);
            }
        }
    }

    fn text(&mut self, name: &str, node: &Node) {
        self.out.push_str(&format!("<{name}>"));
        self.spans(node);
        self.out.push_str(&format!("</{name}>\n"));
    }

    fn code(&mut self, node: &Node) {
        let language = self.outline.word_of(node);
        let class =
            if language.is_empty() { String::new() } else { attribute("class", &format!("language-{language}")) };
        self.out.push_str(&format!("<pre><code{class}>"));
        escape(&mut self.out, self.outline.text_of(node));
        self.out.push_str("</code></pre>\n");
    }

    fn around(&mut self, name: &str, number: usize) {
        self.out.push_str(&format!("<{name}>\n"));
        self.nodes(number + 1, self.outline.nodes[number].end as usize);
        self.out.push_str(&format!("</{name}>\n"));
    }

    fn ordered(&mut self, number: usize, start: u32) {
        let start = if start == 1 { String::new() } else { attribute("start", &start.to_string()) };
        self.out.push_str(&format!("<ol{start}>\n"));
        self.nodes(number + 1, self.outline.nodes[number].end as usize);
        self.out.push_str("</ol>\n");
    }

    /// Writes an element with its children; a single first paragraph needs no `<p>`.
    fn part(&mut self, name: &str, attributes: &str, number: usize) {
        let outline = self.outline;
        self.out.push_str(&format!("<{name}{attributes}>"));
        let mut first = number + 1;
        let texts = outline.children(number).filter(|&child| outline.nodes[child].kind.has_text()).count();
        let end = outline.nodes[number].end as usize;
        if texts == 1 && first < end && outline.nodes[first].kind == Kind::Paragraph {
            self.spans(&outline.nodes[first]);
            first += 1;
        }
        if first < end {
            self.out.push('\n');
            self.nodes(first, end);
        }
        self.out.push_str(&format!("</{name}>\n"));
    }

    /// Writes a definition list; without terms its definitions are plain parts.
    fn definitions(&mut self, number: usize) {
        let outline = self.outline;
        let kind = |child: usize| outline.nodes[child].kind;
        let is_whole = outline.children(number).next().is_some_and(|first| kind(first) == Kind::Term)
            && outline.children(number).last().is_some_and(|last| kind(last) == Kind::Definition)
            && outline.children(number).all(|child| matches!(kind(child), Kind::Term | Kind::Definition));
        if is_whole {
            return self.around("dl", number);
        }
        for child in outline.children(number).collect::<Vec<_>>() {
            if matches!(kind(child), Kind::Term | Kind::Definition) {
                self.part("div", "", child);
            } else {
                self.node(child);
            }
        }
    }

    /// Writes details, which need a single summary at the start; others are plain parts.
    fn details(&mut self, number: usize) {
        let outline = self.outline;
        let is_summary = |&child: &usize| outline.nodes[child].kind == Kind::Summary;
        let children: Vec<usize> = outline.children(number).collect();
        let summaries = children.iter().filter(|&child| is_summary(child)).count();
        if summaries == 1 && children.first().is_some_and(is_summary) {
            return self.around("details", number);
        }
        self.out.push_str("<div>\n");
        for child in children {
            if is_summary(&child) {
                self.part("div", "", child);
            } else {
                self.node(child);
            }
        }
        self.out.push_str("</div>\n");
    }

    /// Writes the caption, then the header rows, then the others.
    fn table(&mut self, number: usize) {
        let outline = self.outline;
        let children: Vec<usize> = outline.children(number).collect();
        let kind = |child: usize| outline.nodes[child].kind;
        self.out.push_str("<table>\n");
        let caption = children.iter().copied().find(|&child| kind(child) == Kind::Caption);
        caption.into_iter().for_each(|caption| self.node(caption));
        let rows: Vec<usize> =
            children.iter().copied().filter(|&child| matches!(kind(child), Kind::Row { .. })).collect();
        let names = rows.iter().take_while(|&&row| kind(row) == Kind::Row { is_header: true }).count();
        let spans = column_spans(outline, [&rows[..names], &rows[names..]]);
        for (section, rows) in [("thead", &rows[..names]), ("tbody", &rows[names..])] {
            if !rows.is_empty() {
                self.out.push_str(&format!("<{section}>\n"));
                for (place, &row) in rows.iter().enumerate() {
                    self.row(row, (rows.len() - place) as u32, &spans);
                }
                self.out.push_str(&format!("</{section}>\n"));
            }
        }
        self.out.push_str("</table>\n");
        for &other in children.iter().filter(|&&child| kind(child) == Kind::Caption && Some(child) != caption) {
            self.part("p", "", other);
        }
    }

    fn row(&mut self, row: usize, left: u32, spans: &HashMap<usize, u32>) {
        let outline = self.outline;
        self.out.push_str("<tr>\n");
        for cell in outline.children(row) {
            let Kind::Cell { is_header, rows, .. } = outline.nodes[cell].kind else { continue };
            let mut attributes = String::new();
            let columns = spans.get(&cell).copied().unwrap_or(1);
            for (name, span) in [("colspan", columns), ("rowspan", rows.min(left))] {
                if span > 1 {
                    attributes.push_str(&attribute(name, &span.to_string()));
                }
            }
            self.part(if is_header { "th" } else { "td" }, &attributes, cell);
        }
        self.out.push_str("</tr>\n");
    }

    /// Writes a figure. Its caption has to be the only one, and first or last.
    fn figure(&mut self, number: usize) {
        let outline = self.outline;
        let children: Vec<usize> = outline.children(number).collect();
        let captions = children.iter().filter(|&&child| outline.nodes[child].kind == Kind::Caption).count();
        self.out.push_str("<figure>\n");
        for (place, &child) in children.iter().enumerate() {
            let is_at_end = place == 0 || place + 1 == children.len();
            if outline.nodes[child].kind == Kind::Caption {
                self.part(if captions == 1 && is_at_end { "figcaption" } else { "div" }, "", child);
            } else {
                self.node(child);
            }
        }
        self.out.push_str("</figure>\n");
    }

    fn spans(&mut self, node: &Node) {
        let outline = self.outline;
        let spans = outline.spans_of(node);
        let mut open: Vec<Span> = Vec::new();
        let mut at = node.text.start;
        for span in spans {
            while let Some(last) = open.last().copied().filter(|last| last.end <= span.start) {
                self.plain(&mut at, last.end);
                self.close(open.pop());
            }
            self.plain(&mut at, span.start);
            self.open(span, &mut at);
            open.push(*span);
        }
        while let Some(last) = open.pop() {
            self.plain(&mut at, last.end);
            self.close(Some(last));
        }
        self.plain(&mut at, node.text.end);
    }

    fn plain(&mut self, at: &mut u32, end: u32) {
        if *at >= end {
            return;
        }
        let text = &self.outline.text[*at as usize..end as usize];
        for (place, line) in text.split('\n').enumerate() {
            if place > 0 {
                self.out.push_str("<br>\n");
            }
            escape(&mut self.out, line);
        }
        *at = end;
    }

    fn open(&mut self, span: &Span, at: &mut u32) {
        match span.style {
            Style::Link(link) => {
                let href = attribute("href", &valid_address(&self.outline.links[link as usize]));
                self.out.push_str(&format!("<a{href}>"));
            }
            Style::Image(image) => {
                let image = &self.outline.images[image as usize];
                self.out.push_str(&format!(
                    "<img{}{}>",
                    attribute("src", &valid_address(&image.address)),
                    attribute("alt", &image.alt)
                ));
                *at = span.end;
            }
            Style::Math { is_display, delimiter } => {
                let class = if is_display { "math display" } else { "math" };
                self.out.push_str(&format!("<span class=\"{class}\">"));
                if delimiter == 0 {
                    self.out.push_str(if is_display { "\\[" } else { "\\(" });
                }
            }
            Style::Reference(label) => {
                let href = attribute("href", &format!("#fn-{}", self.outline.word(label)));
                self.out.push_str(&format!("<sup><a{href}>"));
            }
            style => self.out.push_str(&format!("<{}>", name(style))),
        }
    }

    fn close(&mut self, span: Option<Span>) {
        match span.map(|span| span.style) {
            None | Some(Style::Image(_)) => {}
            Some(Style::Link(_)) => self.out.push_str("</a>"),
            Some(Style::Math { is_display, delimiter }) => {
                if delimiter == 0 {
                    self.out.push_str(if is_display { "\\]" } else { "\\)" });
                }
                self.out.push_str("</span>");
            }
            Some(Style::Reference(_)) => self.out.push_str("</a></sup>"),
            Some(style) => self.out.push_str(&format!("</{}>", name(style))),
        }
    }
}

/// The address with forbidden signs percent-encoded. Browsers accept these signs, checkers do not.
fn valid_address(address: &str) -> Cow<'_, str> {
    let is_forbidden =
        |character: char| matches!(character, '|' | '^' | '\\' | '{' | '}' | '`' | '[' | ']' | ' ' | '"' | '<' | '>');
    if !address.contains(is_forbidden) {
        return Cow::Borrowed(address);
    }
    // The brackets of a host stay.
    let host = address.find("//").map_or(0, |slashes| slashes + 2);
    let path = address[host..].find(['/', '?', '#']).map_or(address.len(), |end| host + end);
    let path = if host == 0 { 0 } else { path };
    let query = address[path..].find(['?', '#']).map_or(address.len(), |end| path + end);
    let mut valid = address[..path].to_string();
    for (place, character) in address[path..].char_indices() {
        match character {
            '\\' if path + place < query => valid.push('/'),
            _ if is_forbidden(character) => valid.push_str(&format!("%{:02X}", character as u32)),
            _ => valid.push(character),
        }
    }
    Cow::Owned(valid)
}

fn attribute(name: &str, value: &str) -> String {
    let mut attribute = format!(" {name}=\"");
    escape(&mut attribute, value);
    attribute.push('"');
    attribute
}

fn name(style: Style) -> &'static str {
    match style {
        Style::Strong => "strong",
        Style::Emphasis => "em",
        Style::Struck => "s",
        Style::Code => "code",
        Style::Sub => "sub",
        Style::Sup => "sup",
        Style::Quote => "q",
        _ => "span",
    }
}
