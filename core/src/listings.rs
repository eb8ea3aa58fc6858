//! Where lines repeat each other for good reasons: code and tables.

use crate::markup::code_of;
use crate::page::Page;

const CODE: [&str; 5] = ["code", "kbd", "listing", "pre", "samp"];

/// The listing around each element.
pub struct Listings<'p> {
    page: &'p Page,
    code: Vec<Option<u32>>,
    tables: Vec<Option<u32>>,
}

impl<'p> Listings<'p> {
    pub fn new(page: &'p Page) -> Self {
        let nearest = |codes: &[u16]| page.elements.nearest(codes);
        Self { page, code: nearest(&CODE.map(code_of)), tables: nearest(&[code_of("table")]) }
    }

    /// Are both lines of code, or both of one table?
    pub fn may_repeat(&self, before: usize, block: usize) -> bool {
        let [before, block] = [before, block].map(|block| self.page.element[block] as usize);
        self.code[before].is_some() && self.code[block].is_some()
            || self.tables[before].is_some() && self.tables[before] == self.tables[block]
    }
}
