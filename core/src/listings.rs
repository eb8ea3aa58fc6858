//! Where lines repeat each other for good reasons: code, tables, lists.

use crate::markup::code_of;
use crate::page::Page;

const CODE: [&str; 5] = ["code", "kbd", "listing", "pre", "samp"];
const ROWS: [&str; 6] = ["dir", "dl", "menu", "ol", "table", "ul"];

/// The listing around each element.
pub struct Listings<'p> {
    page: &'p Page,
    code: Vec<Option<u32>>,
    rows: Vec<Option<u32>>,
}

impl<'p> Listings<'p> {
    pub fn new(page: &'p Page) -> Self {
        let (code, rows) = (CODE.map(code_of), ROWS.map(code_of));
        Self { page, code: page.elements.nearest(&code), rows: page.elements.nearest(&rows) }
    }

    /// Are both lines of code, or of one table or list?
    pub fn may_repeat(&self, before: usize, block: usize) -> bool {
        let [before, block] = [before, block].map(|block| self.page.element[block] as usize);
        self.code[before].is_some() && self.code[block].is_some()
            || self.rows[before].is_some() && self.rows[before] == self.rows[block]
    }
}
