//! Code blocks: listings, and `<code>` with line breaks.

use super::Builder;
use crate::html::tags;
use crate::outline::passage::Draft;
use crate::outline::{listings, tables, Kind, Style};

impl<'p> Builder<'p> {
    /// Opens `<code>`: a code block if it has line breaks, else inline code.
    pub(super) fn open_code(&mut self, element: usize) -> usize {
        let is_alone = self.draft.is_none() && !self.in_heading;
        let elements = &self.page.elements;
        let has_lines = || (element + 1..elements.ends[element] as usize).any(|inner| self.tag(inner) == tags::BR);
        if is_alone && self.inline.is_empty() && has_lines() {
            let text = self.lines_of_runs(element);
            return self.add_code(element, &text);
        }
        self.open_inline(element, Style::Code)
    }

    /// The kept blocks of an element, one per line.
    pub(super) fn lines_of_runs(&self, element: usize) -> String {
        let (first, behind) = tables::runs(self.page, element);
        let mut lines: Vec<&str> = Vec::new();
        let mut before = u32::MAX;
        for run in first..behind {
            let block = self.page.runs.block[run];
            if block != before && self.is_kept[block as usize] {
                lines.push(self.page.block(block as usize));
            }
            before = block;
        }
        lines.join("\n")
    }

    pub(super) fn open_listing(&mut self, element: usize) -> usize {
        self.end_draft();
        let (page, is_kept) = (self.page, &self.is_kept);
        let text = listings::lines(page, element, &|run| is_kept[page.runs.block[run] as usize]);
        if self.is_beside_code(&text) {
            return self.skip(element);
        }
        self.add_code(element, &text)
    }

    /// Is a listing the cell of line numbers beside a cell of code?
    pub(super) fn is_beside_code(&self, text: &str) -> bool {
        let is_numbers =
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
        let is_in_cell = || self.frames.iter().rev().take(6).any(|frame| self.tag(frame.element as usize) == tags::TD);
        is_numbers && is_in_cell()
    }

    pub(super) fn add_code(&mut self, element: usize, text: &str) -> usize {
        self.end_draft();
        if !text.is_empty() && self.holds_text(element) {
            self.open_implied_part(element as u32);
            self.write_containers();
            let language = listings::language(self.page, element);
            let mut draft = Draft::begin(self.node(Kind::Code, element as u32), &self.outline);
            draft.node.word = language.map_or(0, |language| self.word(language));
            draft.add(&mut self.outline, &mut [], text);
            let closing = self.page.elements.closing(element);
            let inside =
                self.runs[self.next_run..].iter().take_while(|&&run| self.page.runs.place[run as usize] <= closing);
            inside.for_each(|&run| draft.add_block(&mut self.outline, self.page.runs.block[run as usize], run));
            let node = draft.end(&mut self.outline, &mut []);
            self.outline.nodes.push(node);
            self.close_implied();
        }
        self.skip(element)
    }

    pub(super) fn word(&mut self, word: String) -> u32 {
        self.outline.words.push(word);
        self.outline.words.len() as u32
    }
}
