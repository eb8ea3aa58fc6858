//! Tables of data, and tables that only lay out a page.

use crate::html::tags::{self, Tag};
use crate::page::Page;

/// The kind of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    Data,
    /// Lines of code, each behind its line number.
    Code,
    /// Posts of a forum, each beside its author.
    Posts,
    Layout,
}

/// A cell with more text, in several parts, is a part of the layout.
const LONG: u32 = 1500;

/// A cell with more text and so many parts or lines is a post of a forum, if the table has no header.
const POST: u32 = 250;
const POST_PARTS: u32 = 3;

/// Counts of rows and cells. A nested table ends the count, which keeps the time linear.
#[derive(Default)]
struct Counts {
    rows: u32,
    widest: u32,
    /// Rows of two cells, the first with a line number.
    numbered: u32,
    /// Cells that are posts.
    posts: u32,
    has_table: bool,
    has_header: bool,
    has_place: bool,
}

impl Counts {
    fn is_layout(&self) -> bool {
        self.has_table || self.rows < 2 || self.widest < 2 || self.has_place
    }

    fn is_of_posts(&self) -> bool {
        !self.has_header && self.posts > 0 && POST_SHARE * self.posts >= self.rows
    }
}

/// At least one row of so many holds a post; the others hold titles and signatures.
const POST_SHARE: u32 = 3;

pub fn kind(page: &Page, table: usize) -> TableKind {
    let counts = counts(page, table);
    let is_code = !counts.has_table && counts.rows >= 2 && counts.numbered == counts.rows;
    if is_code && holds_code(page, table) {
        return TableKind::Code;
    }
    let role = page.tree.attribute(page.elements.origin[table] as usize, "role");
    let is_presented = role.is_some_and(|role| matches!(&*role, "presentation" | "none"));
    if counts.is_layout() || is_presented {
        TableKind::Layout
    } else if counts.is_of_posts() {
        TableKind::Posts
    } else {
        TableKind::Data
    }
}

/// A cell, and how many parts were counted in it.
struct Cell {
    element: usize,
    parts: u32,
}

fn counts(page: &Page, table: usize) -> Counts {
    let elements = &page.elements;
    let tag_of = |element: usize| page.tree.tags[elements.origin[element] as usize];
    let mut counts = Counts::default();
    let mut width = 0;
    let mut cell: Option<Cell> = None;
    let mut first_is_number = false;
    for element in table + 1..elements.ends[table] as usize {
        let tag = tag_of(element);
        match tag {
            tags::TABLE => return Counts { has_table: true, ..counts },
            tags::CAPTION => counts.has_header = true,
            tags::TR => {
                (width, first_is_number) = (0, false);
                counts.rows += 1;
            }
            tags::TD | tags::TH => {
                counts.has_header |= tag == tags::TH;
                width += 1;
                counts.widest = counts.widest.max(width);
                if width == 1 {
                    first_is_number = is_number_of_line(page, element);
                } else if width == 2 && first_is_number {
                    counts.numbered += 1;
                }
                cell = Some(Cell { element, parts: 0 });
            }
            _ => {
                if let Some(cell) = cell.as_mut().filter(|cell| element < elements.ends[cell.element] as usize) {
                    count_part(page, tag, cell, &mut counts);
                }
            }
        }
    }
    counts
}

fn count_part(page: &Page, tag: Tag, cell: &mut Cell, counts: &mut Counts) {
    let is_part = is_part(tag);
    if !is_part && tag != tags::BR {
        return;
    }
    cell.parts += 1;
    counts.has_place = counts.has_place || is_part && length(page, cell.element) > LONG;
    counts.posts += u32::from(cell.parts == POST_PARTS && length(page, cell.element) > POST);
}

/// Tags of layout, rather than of cells of data.
fn is_part(tag: Tag) -> bool {
    matches!(
        tag,
        tags::P
            | tags::H1
            | tags::H2
            | tags::H3
            | tags::H4
            | tags::H5
            | tags::H6
            | tags::UL
            | tags::OL
            | tags::DIV
            | tags::BLOCKQUOTE
    )
}

/// The length of the text of an element, in bytes.
fn length(page: &Page, element: usize) -> u32 {
    let (first, behind) = runs(page, element);
    let begin = |run: usize| page.runs.begin.get(run).copied().unwrap_or(page.text.len() as u32);
    begin(behind) - begin(first)
}

/// The runs inside an element.
pub fn runs(page: &Page, element: usize) -> (usize, usize) {
    let (opening, closing) = (page.elements.opening(element), page.elements.closing(element));
    let places = &page.runs.place;
    (places.partition_point(|&place| place <= opening), places.partition_point(|&place| place <= closing))
}

/// Only digits, or empty: the number may be in an attribute.
fn is_number_of_line(page: &Page, cell: usize) -> bool {
    let (first, behind) = runs(page, cell);
    let begin = |run: usize| page.runs.begin.get(run).map_or(page.text.len(), |&begin| begin as usize);
    let text = page.text[begin(first)..begin(behind)].trim();
    text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Is a table a listing, by a tag inside or by its class?
fn holds_code(page: &Page, table: usize) -> bool {
    let elements = &page.elements;
    let mut inside = table + 1..elements.ends[table] as usize;
    let is_code = |element: usize| matches!(page.tree.tags[elements.origin[element] as usize], tags::PRE | tags::CODE);
    inside.any(is_code)
        || super::listings::has_class(page, table, &["highlight", "code", "hljs", "syntaxhighlighter", "js-file-line"])
}

/// `colspan` or `rowspan`, within the limits of HTML.
pub fn span(page: &Page, cell: usize, name: &str) -> u32 {
    let value = page.tree.attribute(page.elements.origin[cell] as usize, name);
    let number = value.and_then(|value| value.trim().parse::<u64>().ok()).unwrap_or(1);
    number.clamp(1, 1000) as u32
}
