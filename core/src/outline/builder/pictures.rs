//! Images inside the text.

use super::{Builder, End};
use crate::outline::passage::Gap;
use crate::outline::roles::{is_inline, role};
use crate::outline::{images, listings, Image, Kind, Style, PICTURE};

/// How many parents of an image are searched for white space.
const MOST_WRAPPERS: usize = 8;

impl<'p> Builder<'p> {
    /// Opens an image, or writes its alternative text.
    pub(super) fn open_image(&mut self, element: usize) -> usize {
        let is_chosen = self.images.get(self.next_image) == Some(&(element as u32));
        if !is_chosen {
            return if self.holds_text(element) && self.is_shown_as_text(element) {
                self.enter(element, End::Nothing)
            } else {
                self.skip(element)
            };
        }
        let origin = self.page.elements.origin[element] as usize;
        let alt = self.runs.get(self.next_run).copied().filter(|_| self.holds_text(element));
        if let Some(image) = images::image(&self.page.tree, origin, &self.addresses) {
            // `<noscript>` repeats an image that a script loads.
            let is_again = self.outline.text.ends_with(PICTURE)
                && self.outline.images.last().is_some_and(|last| last.address == image.address);
            if !is_again {
                self.add_image(element, image, alt);
            } else if self.has_white_behind(element) {
                self.add_gap(Gap::Blank);
            }
        }
        self.skip(element)
    }

    pub(super) fn is_shown_as_text(&self, element: usize) -> bool {
        !(self.has_math
            && listings::has_class(
                self.page,
                element,
                &["mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"],
            ))
    }

    pub(super) fn add_image(&mut self, element: usize, image: Image, alt: Option<u32>) {
        if self.draft.is_none() {
            let around = self.element_around();
            self.begin(Kind::Paragraph, around);
        } else {
            let is_spaced = self.has_white_before(element);
            self.add_gap(if self.breaks > 0 {
                Gap::Line
            } else if is_spaced {
                Gap::Blank
            } else {
                Gap::None
            });
        }
        self.breaks = 0;
        let number = self.outline.images.len() as u32;
        self.outline.images.push(image);
        let Some(draft) = &mut self.draft else { return };
        let mut room = [0; 4];
        draft.add_styled(&mut self.outline, &mut self.inline, PICTURE.encode_utf8(&mut room), Style::Image(number));
        if let Some(run) = alt {
            draft.add_block(&mut self.outline, self.page.runs.block[run as usize], run);
        }
        if self.has_white_behind(element) {
            self.add_gap(Gap::Blank);
        }
    }

    /// Is there white space before an image, or before the inline elements that begin with it? Blocks count the white
    /// space between texts only.
    pub(super) fn has_white_before(&self, element: usize) -> bool {
        let tree = &self.page.tree;
        let mut origin = self.page.elements.origin[element] as usize;
        for _ in 0..MOST_WRAPPERS {
            let Some(before) = (tree.places[origin] as usize).checked_sub(1) else { return false };
            if tree.source.as_bytes().get(before).is_some_and(u8::is_ascii_whitespace) {
                return true;
            }
            let parent = tree.parents[origin] as usize;
            let is_first = tree.attributes[parent].end as usize == before;
            if !is_first || !is_inline(role(tree.tags[parent])) {
                return false;
            }
            origin = parent;
        }
        false
    }

    pub(super) fn has_white_behind(&self, element: usize) -> bool {
        let (tree, origin) = (&self.page.tree, self.page.elements.origin[element] as usize);
        let behind = tree.source.as_bytes().get(tree.attributes[origin].end as usize..).unwrap_or(&[]);
        let behind = behind.strip_prefix(b"/").unwrap_or(behind);
        let parent = tree.parents[origin] as usize;
        matches!(tree.name(parent), "picture" | "noscript") || behind.get(1).is_some_and(u8::is_ascii_whitespace)
    }
}
