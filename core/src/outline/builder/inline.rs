//! Inline elements: styles, links, formulas, wrappers.

use super::{Builder, End};
use crate::html::tags;
use crate::outline::passage::Open;
use crate::outline::roles::{role, Role};
use crate::outline::{listings, math, tables, Style};
use crate::page::Page;

impl<'p> Builder<'p> {
    /// Opens a wrapper. KaTeX repeats each formula in pieces, which are skipped.
    pub(super) fn open_wrapper(&mut self, element: usize) -> usize {
        if self.has_math && self.tag(element) == tags::SPAN && listings::has_class(self.page, element, &["katex-html"])
        {
            return self.skip(element);
        }
        self.enter(element, End::Nothing)
    }

    /// Opens a styled element. Inside an element of the same style it changes nothing.
    pub(super) fn open_inline(&mut self, element: usize, style: Style) -> usize {
        // A self-closed element is empty for its author, but HTML parsers open it, and again in each paragraph.
        let attributes = self.page.tree.attributes[self.page.elements.origin[element] as usize];
        let closes_itself =
            attributes.start > 0 && self.page.tree.source.as_bytes().get(attributes.end as usize) == Some(&b'/');
        if closes_itself {
            return self.enter(element, End::Nothing);
        }
        let is_there =
            self.inline.iter().any(|open| std::mem::discriminant(&open.style) == std::mem::discriminant(&style));
        if is_there {
            return self.enter(element, End::Nothing);
        }
        self.inline.push(Open { style, span: None, is_spent: false, waits: false });
        self.enter(element, End::Inline)
    }

    pub(super) fn open_link(&mut self, element: usize) -> usize {
        let href = self.attribute(element, "href");
        let Some(address) = href.and_then(|href| self.address(&href)) else {
            return self.enter(element, End::Nothing);
        };
        if self.in_heading && self.is_permalink(element) {
            return self.skip(element);
        }
        let number = self.outline.links.len() as u32;
        self.outline.links.push(address);
        let next = self.open_inline(element, Style::Link(number));
        let waits = !self.in_heading && self.holds_heading(element);
        if let Some(open) = self.inline.last_mut().filter(|open| open.style == Style::Link(number)) {
            open.waits = waits;
        }
        next
    }

    pub(super) fn holds_heading(&self, element: usize) -> bool {
        let headings = self.headings.get_or_init(|| headings(self.page));
        let first = headings.partition_point(|&heading| heading <= element as u32);
        headings.get(first).is_some_and(|&heading| heading < self.page.elements.ends[element])
    }

    /// The resolved address; addresses inside the page stay as written, because footnotes are found by them.
    pub(super) fn address(&self, href: &str) -> Option<String> {
        let trimmed = href.trim();
        if trimmed.starts_with('#') {
            return (trimmed.len() > 1).then(|| trimmed.to_string());
        }
        self.addresses.resolved(href)
    }

    /// Is a link the sign behind a heading that leads to this heading?
    pub(super) fn is_permalink(&self, element: usize) -> bool {
        let (first, behind) = tables::runs(self.page, element);
        let runs = &self.page.runs;
        let begin = |run: usize| runs.begin.get(run).map_or(self.page.text.len(), |&begin| begin as usize);
        let text = self.page.text[begin(first)..begin(behind)].trim();
        matches!(text, "¶" | "#" | "§" | "🔗" | "\u{f0c1}" | "\u{eb2b}" | "Permalink" | "Link to this heading" | "")
            && first < behind
    }

    pub(super) fn open_math(&mut self, element: usize) -> usize {
        let Some((tex, is_display)) = math::tex(self.page, element) else { return self.enter(element, End::Nothing) };
        if !self.holds_text(element) {
            return self.enter(element, End::Nothing);
        }
        self.has_math = true;
        let run = self.runs[self.next_run];
        self.prepare(run);
        if let Some(draft) = &mut self.draft {
            draft.add_styled(&mut self.outline, &mut self.inline, &tex, Style::Math { is_display, delimiter: 0 });
            draft.add_block(&mut self.outline, self.page.runs.block[run as usize], run);
        }
        self.skip(element)
    }
}

fn headings(page: &Page) -> Vec<u32> {
    let tag_of = |element: u32| page.tree.tags[page.elements.origin[element as usize] as usize];
    (0..page.elements.len() as u32).filter(|&element| matches!(role(tag_of(element)), Role::Heading(_))).collect()
}
