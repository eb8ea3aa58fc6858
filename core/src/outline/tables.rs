//! Which tables hold data, and which only place things on a screen.

use crate::html::tags::{self, Tag};
use crate::page::Page;

/// What a table is to an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    Data,
    /// Lines of code, each with its number before it.
    Code,
    Layout,
}

/// A cell with more text and with parts of its own is a place of a page.
const LONG: u32 = 1500;

/// What a table consists of; nested tables end the search, so that a page is looked through once.
#[derive(Default)]
struct Counts {
    rows: u32,
    widest: u32,
    cells: u32,
    /// Rows of two cells, a number and something behind it.
    numbered: u32,
    has_table: bool,
    has_place: bool,
}

pub fn kind(page: &Page, table: usize) -> TableKind {
    let counts = counts(page, table);
    if counts.has_table {
        return TableKind::Layout;
    }
    if counts.rows >= 2 && counts.numbered == counts.rows && holds_code(page, table) {
        return TableKind::Code;
    }
    let role = page.tree.attribute(page.elements.origin[table] as usize, "role");
    let is_presented = role.is_some_and(|role| matches!(&*role, "presentation" | "none"));
    if counts.rows < 2 || counts.widest < 2 || counts.has_place || is_presented {
        TableKind::Layout
    } else {
        TableKind::Data
    }
}

fn counts(page: &Page, table: usize) -> Counts {
    let elements = &page.elements;
    let tag_of = |element: usize| page.tree.tags[elements.origin[element] as usize];
    let mut counts = Counts::default();
    let mut width = 0;
    let mut cell: Option<usize> = None;
    let mut first_is_number = false;
    for element in table + 1..elements.ends[table] as usize {
        match tag_of(element) {
            tags::TABLE => return Counts { has_table: true, ..counts },
            tags::TR => {
                (width, first_is_number) = (0, false);
                counts.rows += 1;
            }
            tags::TD | tags::TH => {
                width += 1;
                counts.cells += 1;
                counts.widest = counts.widest.max(width);
                cell = Some(element);
                if width == 1 {
                    first_is_number = is_number_of_line(page, element);
                } else if width == 2 && first_is_number {
                    counts.numbered += 1;
                }
            }
            found if is_part(found) && !counts.has_place => {
                let around = cell.filter(|&cell| element < elements.ends[cell] as usize);
                counts.has_place = around.is_some_and(|cell| length(page, cell) > LONG);
            }
            _ => {}
        }
    }
    counts
}

/// What stands in places of a page, rather than in cells of data.
fn is_part(tag: Tag) -> bool {
    matches!(
        tag,
        tags::P | tags::H1 | tags::H2 | tags::H3 | tags::H4 | tags::H5 | tags::H6 | tags::UL | tags::OL | tags::DIV
    )
}

/// How much text an element holds, in bytes.
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

/// Digits alone, or nothing: numbers may stand in an attribute.
fn is_number_of_line(page: &Page, cell: usize) -> bool {
    let (first, behind) = runs(page, cell);
    let begin = |run: usize| page.runs.begin.get(run).map_or(page.text.len(), |&begin| begin as usize);
    let text = page.text[begin(first)..begin(behind)].trim();
    text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Is it a listing by a tag inside, or by its class?
fn holds_code(page: &Page, table: usize) -> bool {
    let elements = &page.elements;
    let mut inside = table + 1..elements.ends[table] as usize;
    let is_code = |element: usize| matches!(page.tree.tags[elements.origin[element] as usize], tags::PRE | tags::CODE);
    inside.any(is_code)
        || super::listings::has_class(page, table, &["highlight", "code", "hljs", "syntaxhighlighter", "js-file-line"])
}

/// A span as HTML allows it.
pub fn span(page: &Page, cell: usize, name: &str) -> u32 {
    let value = page.tree.attribute(page.elements.origin[cell] as usize, name);
    let number = value.and_then(|value| value.trim().parse::<u64>().ok()).unwrap_or(1);
    number.clamp(1, 1000) as u32
}
