//! Lists, their items and definitions; headings, captions and summaries.

use super::{Builder, End};
use crate::html::tags;
use crate::outline::roles::{role, Role};
use crate::outline::{tables, Kind};

/// A heading element with parts and more text than this is no heading.
const LONGEST_HEADING: u32 = 400;

impl<'p> Builder<'p> {
    pub(super) fn open_heading(&mut self, element: usize, level: u8) -> usize {
        self.end_draft();
        let (first, behind) = tables::runs(self.page, element);
        let runs = &self.page.runs;
        let begin = |run: usize| runs.begin.get(run).copied().unwrap_or(self.page.text.len() as u32);
        let elements = &self.page.elements;
        let has_parts = || {
            (element + 1..elements.ends[element] as usize).any(|inner| {
                matches!(role(self.tag(inner)), Role::Paragraph | Role::List | Role::Table | Role::Heading(_))
            })
        };
        if begin(behind) - begin(first) > LONGEST_HEADING && has_parts() {
            return self.enter_block(element);
        }
        if !self.holds_text(element) {
            return self.enter_block(element);
        }
        let level = self.levels.tagged(level);
        self.inline.iter_mut().for_each(|open| open.waits = false);
        self.begin(Kind::Heading(level), element as u32);
        self.in_heading = true;
        self.enter(element, End::Heading)
    }

    pub(super) fn open_item(&mut self, element: usize) -> usize {
        self.end_draft();
        if self.is_card(element) {
            return self.enter_block(element);
        }
        let frame = self.containers.len();
        if !matches!(self.innermost(), Some(Kind::List(_))) {
            self.open_implied_list(element as u32);
        }
        self.push(Kind::Item, element as u32, false);
        self.enter(element, End::Block);
        self.frames.last_mut().expect("just pushed").containers = frame.min(self.containers.len() - 1);
        element + 1
    }

    /// Do the items of a list have headings, like the cards of a shop? Such a list is layout.
    pub(super) fn is_of_cards(&self, list: usize) -> bool {
        let elements = &self.page.elements;
        let (mut items, mut cards, mut kept, mut child) = (0, 0, 0, list + 1);
        let mut keeps_card = false;
        while child < elements.ends[list] as usize {
            if self.tag(child) == tags::LI {
                let is_card = self.holds_heading(child);
                items += 1;
                cards += u32::from(is_card);
                if self.keeps_text(child) {
                    kept += 1;
                    keeps_card = is_card;
                }
            }
            child = elements.ends[child] as usize;
        }
        let is_single_card = kept == 1 && keeps_card;
        cards > 0 && 2 * cards >= items || is_single_card
    }

    /// Is any text of an element kept?
    fn keeps_text(&self, element: usize) -> bool {
        let (first, behind) = tables::runs(self.page, element);
        let place = self.runs.partition_point(|&run| (run as usize) < first);
        self.runs.get(place).is_some_and(|&run| (run as usize) < behind)
    }

    /// Is an element an item of a list that is layout?
    pub(super) fn is_card(&self, element: usize) -> bool {
        let parent = self.page.elements.parents[element] as usize;
        role(self.tag(parent)) == Role::List && !matches!(self.innermost(), Some(Kind::List(_)))
    }

    pub(super) fn open_definition(&mut self, element: usize, role: Role) -> usize {
        if self.innermost() != Some(Kind::Definitions) {
            return self.enter_block(element);
        }
        self.open_container(element, if role == Role::Term { Kind::Term } else { Kind::Definition })
    }

    pub(super) fn open_caption(&mut self, element: usize) -> usize {
        match self.innermost() {
            Some(Kind::Table | Kind::Figure) => self.open_container(element, Kind::Caption),
            _ => self.enter_block(element),
        }
    }

    pub(super) fn open_summary(&mut self, element: usize) -> usize {
        match self.innermost() {
            Some(Kind::Details) => self.open_container(element, Kind::Summary),
            _ => self.enter_block(element),
        }
    }
}
