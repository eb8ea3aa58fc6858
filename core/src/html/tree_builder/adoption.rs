//! Active formatting elements: opened again where a block cut them off, and the adoption agency.

use super::formatting::{Active, Entry};
use super::nodes::NONE;
use super::stack::{Open, Scope};
use super::{classes, Namespace, Tag, TagToken, TreeBuilder};

/// How often the adoption agency goes round, as the standard says.
const MOST_ROUNDS: usize = 8;
const MOST_KEPT: usize = 3;

impl TreeBuilder<'_> {
    pub(super) fn activate(&mut self, node: u32, start: &TagToken) {
        self.formatting.push(Active { node, tag: start.tag, attributes: start.attributes }, self.source);
    }

    /// Opens the formatting elements again that are active but not open.
    #[inline]
    pub(super) fn reconstruct(&mut self) {
        let is_closed = |entry: Entry| matches!(entry, Entry::Element(active) if !self.nodes.get(active.node).is_open);
        let count = self.formatting.len();
        let mut first = count;
        while first > 0 && is_closed(self.formatting.get(first - 1)) {
            first -= 1;
        }
        if first < count {
            self.open_again(first);
        }
    }

    fn open_again(&mut self, first: usize) {
        for at in first..self.formatting.len() {
            let Entry::Element(active) = self.formatting.get(at) else { continue };
            if self.is_full() {
                return;
            }
            if self.copies_left == 0 {
                // No page that people wrote comes here; without a bound, a hostile one grows a hundredfold.
                self.formatting.clear();
                return;
            }
            self.copies_left -= 1;
            let node = self.copy(active.tag, active.attributes);
            let spot = self.spot();
            self.put(spot, node);
            self.push(node, active.tag, Namespace::Html);
            self.formatting.set(at, Active { node, ..active });
        }
    }

    /// The adoption agency algorithm for an end tag.
    pub(super) fn adopt(&mut self, tag: Tag) {
        let current = self.stack.current();
        if current.is(tag) && self.formatting.place_of(current.node).is_none() {
            self.pop();
            return;
        }
        for _ in 0..MOST_ROUNDS {
            let Some((at, active)) = self.formatting.last_of(tag) else {
                return self.end_other(tag);
            };
            if !self.adopt_once(at, active) {
                return;
            }
        }
    }

    /// One round; false if it was the last.
    fn adopt_once(&mut self, at: usize, active: Active) -> bool {
        if !self.nodes.get(active.node).is_open {
            self.formatting.remove(at);
            return false;
        }
        if !self.stack.has_any_in_scope(|open| open.node == active.node, Scope::Default) {
            return false;
        }
        let Some(place) = self.stack.place_of(active.node) else { return false };
        let behind = &self.stack.as_slice()[place + 1..];
        let Some(distance) = behind.iter().position(|open| open.has(classes::SPECIAL)) else {
            while self.stack.len() > place {
                self.pop();
            }
            self.formatting.remove(at);
            return false;
        };
        if self.copies_left < MOST_KEPT + 1 {
            self.formatting.remove(at);
            return false;
        }
        self.adopt_block(place, place + 1 + distance, at, active);
        true
    }

    /// `block` is the place of the furthest block on the stack, `place` that of the formatting element.
    fn adopt_block(&mut self, place: usize, block: usize, at: usize, active: Active) {
        let ancestor = self.stack.as_slice()[place - 1];
        let furthest = self.stack.as_slice()[block];
        let (last, mut bookmark, at, block) = self.copy_between(place, block, at);
        self.nodes.detach(last);
        let spot = self.spot_within(ancestor);
        self.put(spot, last);

        self.copies_left = self.copies_left.saturating_sub(1);
        let copy = self.copy(active.tag, active.attributes);
        self.nodes.move_children(furthest.node, copy);
        self.nodes.append(furthest.node, copy);

        self.formatting.remove(at);
        if bookmark > at {
            bookmark -= 1;
        }
        self.formatting.insert(bookmark, Active { node: copy, ..active });

        self.stack.remove(place);
        self.nodes.get_mut(active.node).is_open = false;
        self.nodes.get_mut(copy).is_open = true;
        let classes = classes::of(active.tag, Namespace::Html);
        self.stack.insert(block, Open { node: copy, tag: active.tag, classes });
    }

    /// The inner loop: elements between the formatting element and the block are copied, or leave the stack. Returns
    /// the topmost of the copies, the bookmark, and where formatting element and block are now in list and stack.
    fn copy_between(&mut self, place: usize, mut block: usize, mut at: usize) -> (u32, usize, usize, usize) {
        let furthest = self.stack.as_slice()[block].node;
        let mut last = furthest;
        let mut bookmark = at;
        for (round, number) in (place + 1..block).rev().enumerate() {
            let open = self.stack.as_slice()[number];
            let mut entry = self.formatting.place_of(open.node);
            if let Some(removed) = entry.filter(|_| round >= MOST_KEPT) {
                self.formatting.remove(removed);
                at -= usize::from(removed < at);
                bookmark -= usize::from(removed < bookmark);
                entry = None;
            }
            let Some(entry) = entry else {
                self.stack.remove(number);
                self.nodes.get_mut(open.node).is_open = false;
                block -= 1;
                continue;
            };
            let Entry::Element(active) = self.formatting.get(entry) else { continue };
            self.copies_left = self.copies_left.saturating_sub(1);
            let copy = self.copy(active.tag, active.attributes);
            self.formatting.set(entry, Active { node: copy, ..active });
            self.stack.replace(number, copy);
            self.nodes.get_mut(open.node).is_open = false;
            self.nodes.get_mut(copy).is_open = true;
            if last == furthest {
                bookmark = entry + 1;
            }
            self.nodes.detach(last);
            self.nodes.append(copy, last);
            last = copy;
        }
        debug_assert_ne!(last, NONE);
        (last, bookmark, at, block)
    }
}
