//! Runs of text: where a text begins, continues and ends.

use super::{Builder, Container, End, Frame, DEEPEST};
use crate::html::tags;
use crate::outline::passage::{Draft, Gap};
use crate::outline::roles::{role, Role};
use crate::outline::{math, Kind, Node, Style};

/// The most formulas of a paragraph.
const MOST_FORMULAS: usize = 200;

const HEADER: u8 = 1;
const LIST: u8 = 2;
const CONTINUATION: u8 = 3;

impl<'p> Builder<'p> {
    /// Begins a text.
    pub(super) fn begin(&mut self, kind: Kind, element: u32) {
        self.open_implied_part(element);
        self.write_rule();
        self.write_containers();
        self.draft = Some(Draft::begin(self.node(kind, element), &self.outline));
        self.breaks = 0;
    }

    pub(super) fn end_draft(&mut self) {
        self.breaks = 0;
        if self.in_heading {
            return self.add_gap(Gap::Blank);
        }
        let Some(draft) = self.draft.take() else { return };
        let node = draft.end(&mut self.outline, &mut self.inline);
        self.forget_link(node);
        if !node.text.is_empty() {
            let node = if self.has_formulas { self.with_formulas(node) } else { node };
            self.finish(node);
        }
        self.close_implied();
    }

    /// A link around several texts belongs to the first one; otherwise it would be repeated for each.
    pub(super) fn forget_link(&mut self, node: Node) {
        let spans = &self.outline.spans[node.spans.range()];
        for open in &mut self.inline {
            if matches!(open.style, Style::Link(_)) && spans.iter().any(|span| span.style == open.style) {
                open.is_spent = true;
            }
        }
    }

    pub(super) fn with_formulas(&mut self, mut node: Node) -> Node {
        let text = &self.outline.text[node.text.range()];
        let found = math::formulas(text, node.text.start, self.sets_dollars);
        let first = node.spans.start as usize;
        for formula in found.into_iter().take(MOST_FORMULAS) {
            // Spans inside a formula are part of it; a formula that overlaps others is dropped.
            let spans = &self.outline.spans[first..];
            let is_apart = |start: u32, end: u32| end <= formula.start || start >= formula.end;
            let is_around = |start: u32, end: u32| start <= formula.start && end >= formula.end;
            if spans.iter().all(|span| {
                (is_apart(span.start, span.end) || is_around(span.start, span.end)) && span.style != Style::Code
                    || span.style == Style::Code && is_apart(span.start, span.end)
            }) {
                let at = spans.iter().position(|span| span.start > formula.start).unwrap_or(spans.len());
                self.outline.spans.insert(first + at, formula);
            }
        }
        node.spans.end = self.outline.spans.len() as u32;
        node
    }

    pub(super) fn finish(&mut self, node: Node) {
        let around = self.containers.last().map_or(0, |container| container.number);
        let is_paragraph = node.kind == Kind::Paragraph && self.page.tree.tags[node.element as usize] != tags::P;
        self.resumable = is_paragraph.then_some((self.outline.nodes.len() as u32, around));
        self.outline.nodes.push(node);
    }

    pub(super) fn add_gap(&mut self, gap: Gap) {
        if let Some(draft) = &mut self.draft {
            draft.gap = draft.gap.max(gap);
        }
    }

    /// Adds the runs of text that stand before a tag.
    pub(super) fn add_runs(&mut self, place: u32) {
        while let Some(&run) = self.runs.get(self.next_run) {
            if self.page.runs.place[run as usize] > place {
                break;
            }
            self.prepare(run);
            self.add_run(run);
            self.next_run += 1;
        }
    }

    /// Opens a text for a run if there is none yet.
    pub(super) fn prepare(&mut self, run: u32) {
        let block = self.page.runs.block[run as usize];
        let is_new_block = self.last_run.is_none_or(|last| self.page.runs.block[last as usize] != block);
        if self.draft.is_some() && is_new_block && self.breaks > 0 && self.parts(block) {
            self.end_draft();
        }
        if self.draft.is_none() {
            self.begin_by_label(block, run);
        } else if is_new_block {
            self.add_gap(self.gap_before(block));
        }
        self.breaks = 0;
        self.last_run = Some(run);
    }

    /// Does a block behind a line break begin a new text?
    pub(super) fn parts(&self, block: u32) -> bool {
        let Some(draft) = self.draft.filter(|_| !self.in_heading) else { return false };
        let label = self.labels[block as usize];
        if self.breaks >= 2 {
            return true;
        }
        if self.is_in_closed_part() {
            return false;
        }
        let is_heading = matches!(draft.node.kind, Kind::Heading(_));
        let is_item = label == LIST || matches!(self.innermost(), Some(Kind::Item)) && label != CONTINUATION;
        let is_paragraph = role(self.page.tree.tags[draft.node.element as usize]) == Role::Paragraph;
        is_heading != (label == HEADER) && !(is_heading && label == CONTINUATION)
            || is_item
            || !is_paragraph && label != CONTINUATION
    }

    /// Is the text inside an element whose role overrides labels?
    pub(super) fn is_in_closed_part(&self) -> bool {
        let is_closed = |container: &Container| {
            let kind = container.kind;
            !container.is_implied
                && matches!(
                    kind,
                    Kind::Item | Kind::Cell { .. } | Kind::Caption | Kind::Summary | Kind::Term | Kind::Definition
                )
        };
        self.containers.iter().rev().any(is_closed)
    }

    pub(super) fn begin_by_label(&mut self, block: u32, run: u32) {
        let element = self.element_around();
        let label = self.labels[block as usize];
        if self.is_in_closed_part() || matches!(self.innermost(), Some(Kind::List(_))) {
            return self.begin(Kind::Paragraph, element);
        }
        match label {
            HEADER => {
                let level = self.levels.untagged();
                self.begin(Kind::Heading(level), element);
            }
            LIST if self.containers.len() + 2 < DEEPEST => {
                self.open_implied_list(element);
                self.push(Kind::Item, element, true);
                self.begin(Kind::Paragraph, element);
            }
            CONTINUATION if self.resume(element, run) => {}
            _ => self.begin(Kind::Paragraph, element),
        }
    }

    /// Continues the paragraph before.
    pub(super) fn resume(&mut self, element: u32, run: u32) -> bool {
        let around = self.containers.last().map_or(0, |container| container.number);
        let last = self.outline.nodes.len().wrapping_sub(1) as u32;
        let is_paragraph = self.tag(element as usize) == tags::P;
        if is_paragraph || self.resumable != Some((last, around)) || self.written < self.containers.len() {
            return false;
        }
        let Some(node) = self.outline.nodes.pop() else { return false };
        let gap = self.gap_before(self.page.runs.block[run as usize]).max(Gap::Blank);
        self.draft = Some(Draft { node, gap });
        true
    }

    /// The innermost open block element.
    pub(super) fn element_around(&self) -> u32 {
        let is_block = |frame: &&Frame| frame.role != End::Inline && frame.role != End::Nothing;
        self.frames.iter().rev().find(is_block).map_or(0, |frame| frame.element)
    }

    pub(super) fn gap_before(&self, block: u32) -> Gap {
        if self.breaks > 0 {
            return Gap::Line;
        }
        let is_next = self.last_run.is_some_and(|last| self.page.runs.block[last as usize] + 1 == block);
        if is_next && !self.page.is_spaced[block as usize] {
            Gap::None
        } else {
            Gap::Blank
        }
    }

    pub(super) fn add_run(&mut self, run: u32) {
        let (block, text) = (self.page.runs.block[run as usize], self.run_text(run as usize));
        let Some(draft) = &mut self.draft else { return };
        let trimmed = crate::spaces::trimmed_end(text);
        draft.add(&mut self.outline, &mut self.inline, trimmed);
        draft.add_block(&mut self.outline, block, run);
        if trimmed.len() < text.len() {
            self.add_gap(Gap::Blank);
        }
    }

    /// The text of a run, with the blank behind it.
    pub(super) fn run_text(&self, run: usize) -> &'p str {
        let (page, runs) = (self.page, &self.page.runs);
        let block = runs.block[run] as usize;
        let is_last = run + 1 == page.first_runs[block + 1] as usize;
        let end = if is_last { page.ends[block] } else { runs.begin[run + 1] };
        &page.text[runs.begin[run] as usize..end as usize]
    }
}
