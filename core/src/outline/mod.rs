//! A page with labels → a document: headings, paragraphs, lists, tables, code, with links and emphasis in them.
//!
//! The elements of the page give the structure, the labels select its content. A run of text appears if its block is
//! kept, an element if it holds kept text or images. The order is that of the page.

mod addresses;
mod block_places;
mod builder;
mod footnotes;
mod headings;
mod images;
mod json;
mod listings;
mod math;
mod passage;
mod places;
mod printable;
mod roles;
mod tables;
pub mod whole;

pub use addresses::Addresses;
pub use block_places::{block_places, BlockPlace};
pub use builder::outline;
pub use images::{chosen as chosen_images, image as image_of};
pub use json::{json, Layout, Nodes, Source};
pub use places::{KeptTexts, Places};
pub use printable::printable;
pub use roles::{is_inline, role, Role};

/// A range of the text of an outline, in bytes; or of its spans or blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub start: u32,
    pub end: u32,
}

impl Part {
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// The kind of a node. Only paragraphs, headings and code hold text; all others hold nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Paragraph,
    Heading(u8),
    Code,
    Rule,
    Quote,
    /// With the number of the first item if it is ordered.
    List(Option<u32>),
    Item,
    Definitions,
    Term,
    Definition,
    Table,
    Caption,
    /// Does the row name the columns?
    Row {
        is_header: bool,
    },
    Cell {
        is_header: bool,
        columns: u32,
        rows: u32,
    },
    Figure,
    Details,
    Summary,
    Footnotes,
    Footnote,
}

impl Kind {
    pub fn has_text(self) -> bool {
        matches!(self, Self::Paragraph | Self::Heading(_) | Self::Code)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: Kind,
    /// The number of the node behind its last descendant.
    pub end: u32,
    pub text: Part,
    pub spans: Part,
    pub blocks: Part,
    /// The element in the tree.
    pub element: u32,
    /// The first and the last run of text.
    pub runs: (u32, u32),
    /// The language of code or the label of a footnote, as its place among the words, from 1; 0 if it has no word.
    pub word: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Strong,
    Emphasis,
    Struck,
    Code,
    Sub,
    Sup,
    Quote,
    /// The place of the address.
    Link(u32),
    /// The place of the image, whose text is one character, `PICTURE`.
    Image(u32),
    /// TeX, with the length of the delimiters if the text contains them.
    Math {
        is_display: bool,
        delimiter: u8,
    },
    /// A reference to the footnote with this label, from 1.
    Reference(u32),
}

/// A part of the text of one node with a style. Spans nest properly, and the outer comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub style: Style,
    pub start: u32,
    pub end: u32,
}

/// The placeholder of an image in the text.
pub const PICTURE: char = '\u{fffc}';

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    pub address: String,
    pub alt: String,
}

/// Nodes in document order. A line end in a text is a line break of the page.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub title: String,
    pub language: String,
    pub nodes: Vec<Node>,
    pub text: String,
    pub spans: Vec<Span>,
    pub blocks: Vec<u32>,
    pub links: Vec<String>,
    pub images: Vec<Image>,
    pub words: Vec<String>,
}

impl Outline {
    pub fn text_of(&self, node: &Node) -> &str {
        &self.text[node.text.range()]
    }

    pub fn spans_of(&self, node: &Node) -> &[Span] {
        &self.spans[node.spans.range()]
    }

    pub fn word_of(&self, node: &Node) -> &str {
        self.word(node.word)
    }

    pub fn word(&self, number: u32) -> &str {
        (number as usize).checked_sub(1).map_or("", |place| &self.words[place])
    }

    /// The child nodes of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].end as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end as usize;
                child
            })
        })
    }
}
