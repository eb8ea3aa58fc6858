//! GitHub's Markdown. A CommonMark parser reads the same outline back.

mod escapes;
mod marks;
mod spans;
mod tables;

pub use marks::{marks, Mark};

use crate::outline::{Kind, Node, Outline};

/// Parts of Markdown that can be switched off; their text stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    pub links: bool,
    pub images: bool,
    pub emphasis: bool,
    pub code: bool,
    pub scripts: bool,
    pub math: bool,
    pub tables: bool,
    pub footnotes: bool,
    pub headings: bool,
    pub lists: bool,
    pub quotes: bool,
    pub rules: bool,
}

/// The names of the switches.
pub const NAMES: [&str; 12] = [
    "links",
    "images",
    "emphasis",
    "code",
    "scripts",
    "math",
    "tables",
    "footnotes",
    "headings",
    "lists",
    "quotes",
    "rules",
];

impl Default for Switches {
    fn default() -> Self {
        Self {
            links: true,
            images: true,
            emphasis: true,
            code: true,
            scripts: true,
            math: true,
            tables: true,
            footnotes: true,
            headings: true,
            lists: true,
            quotes: true,
            rules: true,
        }
    }
}

impl Switches {
    /// All switches are on but these. Unknown names are errors.
    pub fn without(names: &[String]) -> Result<Self, String> {
        let mut switches = Self::default();
        for name in names {
            *match name.as_str() {
                "links" => &mut switches.links,
                "images" => &mut switches.images,
                "emphasis" => &mut switches.emphasis,
                "code" => &mut switches.code,
                "scripts" => &mut switches.scripts,
                "math" => &mut switches.math,
                "tables" => &mut switches.tables,
                "footnotes" => &mut switches.footnotes,
                "headings" => &mut switches.headings,
                "lists" => &mut switches.lists,
                "quotes" => &mut switches.quotes,
                "rules" => &mut switches.rules,
                _ => return Err(format!("unknown part of Markdown '{name}', expected one of: {}", NAMES.join(", "))),
            } = false;
        }
        Ok(switches)
    }
}

/// The whole outline.
pub fn markdown(outline: &Outline, switches: &Switches) -> String {
    let out = String::with_capacity(outline.text.len() * 5 / 4);
    let mut writer = Writer { outline, switches, out, prefix: String::new(), is_at_marker: true };
    writer.nodes(0, outline.nodes.len(), false);
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    writer.out
}

struct Writer<'a> {
    outline: &'a Outline,
    switches: &'a Switches,
    out: String,
    /// The start of every line, for the quotes and items around it.
    prefix: String,
    /// The line already begins with the marker of an item.
    is_at_marker: bool,
}

/// The list before this one, with the same parent.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Before {
    is_ordered: bool,
    is_other: bool,
}

impl Writer<'_> {
    /// Writes siblings, with a blank line between them unless the list is tight.
    fn nodes(&mut self, first: usize, end: usize, is_tight: bool) {
        let mut before = None;
        self.siblings(first, end, is_tight, &mut before);
    }

    fn siblings(&mut self, first: usize, end: usize, is_tight: bool, before: &mut Option<Before>) {
        let mut next = first;
        while next < end {
            let node = &self.outline.nodes[next];
            match node.kind {
                Kind::Paragraph | Kind::Heading(_) | Kind::Code => {
                    self.text(node, is_tight);
                    *before = None;
                }
                Kind::Rule if self.switches.rules => {
                    let rule = if self.is_at_marker && !self.out.is_empty() { "___" } else { "---" };
                    self.gap(is_tight);
                    self.out.push_str(rule);
                    *before = None;
                }
                Kind::Quote if self.switches.quotes => {
                    self.quote(next, is_tight);
                    *before = None;
                }
                Kind::List(start) if self.switches.lists => *before = Some(self.list(next, start, is_tight, *before)),
                Kind::Table => {
                    self.table(next, is_tight);
                    *before = None;
                }
                Kind::Footnote if self.switches.footnotes => {
                    self.footnote(next, is_tight);
                    *before = None;
                }
                Kind::Rule => {}
                _ => self.siblings(next + 1, node.end as usize, is_tight, before),
            }
            next = node.end as usize;
        }
    }

    /// Begins a block, behind a blank line unless the list is tight.
    fn gap(&mut self, is_tight: bool) {
        if std::mem::take(&mut self.is_at_marker) {
            return;
        }
        self.out.push('\n');
        if !is_tight {
            self.out.push_str(self.prefix.trim_end());
            self.out.push('\n');
        }
        self.out.push_str(&self.prefix);
    }

    fn text(&mut self, node: &Node, is_tight: bool) {
        self.gap(is_tight);
        match node.kind {
            Kind::Code => self.code(node),
            Kind::Heading(level) if self.switches.headings => self.heading(node, level),
            _ => {
                let line_end = format!("\\\n{}", self.prefix);
                spans::write(&mut self.out, self.outline, node, self.switches, &line_end, spans::Place::Paragraph);
            }
        }
    }

    fn heading(&mut self, node: &Node, level: u8) {
        (0..level).for_each(|_| self.out.push('#'));
        self.out.push(' ');
        spans::write(&mut self.out, self.outline, node, self.switches, " ", spans::Place::Heading);
    }

    fn code(&mut self, node: &Node) {
        let text = self.outline.text_of(node);
        let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        self.out.push_str(&fence);
        self.out.push_str(self.outline.word_of(node));
        for line in text.split('\n').chain([fence.as_str()]) {
            self.out.push('\n');
            self.out.push_str(if line.is_empty() { self.prefix.trim_end() } else { &self.prefix });
            self.out.push_str(line);
        }
    }

    /// Writes the children of a node with a longer prefix.
    fn inside(&mut self, node: usize, marker: &str, prefix: &str, is_tight: bool) {
        let length = self.prefix.len();
        self.out.push_str(marker);
        self.prefix.push_str(prefix);
        self.is_at_marker = true;
        self.nodes(node + 1, self.outline.nodes[node].end as usize, is_tight);
        self.is_at_marker = false;
        self.prefix.truncate(length);
    }

    fn quote(&mut self, node: usize, is_tight: bool) {
        self.gap(is_tight);
        self.inside(node, "> ", "> ", false);
    }

    fn footnote(&mut self, node: usize, is_tight: bool) {
        self.gap(is_tight);
        let marker = format!("[^{}]: ", self.outline.word_of(&self.outline.nodes[node]));
        self.inside(node, &marker, "    ", false);
    }

    /// Writes a list. Behind another of its kind it has other markers; otherwise both would be one list.
    fn list(&mut self, list: usize, start: Option<u32>, is_tight: bool, before: Option<Before>) -> Before {
        let is_ordered = start.is_some();
        let is_other = before.is_some_and(|before| before.is_ordered == is_ordered && !before.is_other);
        let items_are_tight = self.is_tight(list);
        for (place, item) in self.outline.children(list).collect::<Vec<_>>().into_iter().enumerate() {
            self.gap(if place == 0 { is_tight } else { items_are_tight });
            let marker = match start {
                Some(start) => {
                    let number = (start as usize + place).min(999_999_999);
                    format!("{number}{} ", if is_other { ')' } else { '.' })
                }
                None => (if is_other { "* " } else { "- " }).to_string(),
            };
            self.inside(item, &marker, &" ".repeat(marker.len()), items_are_tight);
        }
        Before { is_ordered, is_other }
    }

    /// Does each item hold one text, with at most a list behind it?
    fn is_tight(&self, list: usize) -> bool {
        let outline = self.outline;
        let is_simple = |item: usize| {
            outline.children(item).enumerate().all(|(place, child)| match outline.nodes[child].kind {
                Kind::Paragraph => place == 0,
                // Others cannot interrupt a paragraph.
                Kind::List(start) => start.unwrap_or(1) == 1 && place < 2,
                _ => false,
            })
        };
        outline.children(list).all(is_simple)
    }

    fn table(&mut self, table: usize, is_tight: bool) {
        let outline = self.outline;
        for caption in outline.children(table).filter(|&child| outline.nodes[child].kind == Kind::Caption) {
            self.nodes(caption + 1, outline.nodes[caption].end as usize, is_tight);
        }
        let rows = tables::rows(outline, table, self.switches);
        let Some((first, others)) = rows.split_first() else { return };
        if !self.switches.tables {
            for row in &rows {
                self.gap(false);
                let cells: Vec<&str> = row.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
                self.out.push_str(&cells.join(" \\| "));
            }
            return;
        }
        self.gap(false);
        self.row(first);
        let rule = vec!["---".to_string(); first.len()];
        for row in std::iter::once(&rule).chain(others) {
            self.out.push('\n');
            let prefix = self.prefix.clone();
            self.out.push_str(&prefix);
            self.row(row);
        }
    }

    fn row(&mut self, cells: &[String]) {
        self.out.push('|');
        for cell in cells {
            self.out.push(' ');
            self.out.push_str(cell);
            self.out.push_str(if cell.is_empty() { "|" } else { " |" });
        }
    }
}
