//! Tables, their rows and cells.

use super::{Builder, DEEPEST};
use crate::html::tags;
use crate::outline::tables::TableKind;
use crate::outline::{listings, tables, Kind};

impl<'p> Builder<'p> {
    pub(super) fn open_table(&mut self, element: usize) -> usize {
        self.end_draft();
        match tables::kind(self.page, element) {
            TableKind::Code => {
                let (page, is_kept) = (self.page, &self.is_kept);
                let text = listings::lines(page, element, &|run| is_kept[page.runs.block[run] as usize]);
                self.add_code(element, &text)
            }
            TableKind::Data if self.containers.len() + 4 < DEEPEST => self.open_container(element, Kind::Table),
            _ => self.enter_block(element),
        }
    }

    pub(super) fn open_row(&mut self, element: usize) -> usize {
        self.end_draft();
        if self.innermost() != Some(Kind::Table) {
            return self.enter_block(element);
        }
        let elements = &self.page.elements;
        let is_in_head = element < self.in_head as usize;
        let mut child = element + 1;
        let mut is_header = false;
        while child < elements.ends[element] as usize {
            is_header = self.tag(child) == tags::TH;
            if !is_header {
                break;
            }
            child = elements.ends[child] as usize;
        }
        self.open_container(element, Kind::Row { is_header: is_header || is_in_head })
    }

    pub(super) fn is_in_row(&self) -> bool {
        matches!(self.innermost(), Some(Kind::Row { .. }))
    }

    /// Opens a cell. An empty cell takes a column, too.
    pub(super) fn open_cell(&mut self, element: usize) -> usize {
        if !self.is_in_row() {
            return self.enter_block(element);
        }
        let is_in_head = element < self.in_head as usize;
        let span = |name: &str| {
            if self.page.tree.attributes[self.page.elements.origin[element] as usize].len() < name.len() {
                return 1;
            }
            tables::span(self.page, element, name)
        };
        let is_header = self.tag(element) == tags::TH || is_in_head;
        let kind = Kind::Cell { is_header, columns: span("colspan"), rows: span("rowspan") };
        let next = self.open_container(element, kind);
        self.write_containers();
        next
    }
}
