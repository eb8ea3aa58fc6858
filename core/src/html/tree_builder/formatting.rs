//! The list of active formatting elements, which are opened again where another element cut them off.

use crate::html::attributes;
use crate::html::tags::Tag;
use crate::tree::Span;

/// So many elements may be active behind the last marker, and so many entries may stand in the list. The standard has
/// no bounds, but every paragraph opens all of them again.
const MOST_ACTIVE: usize = 64;
const MOST_ENTRIES: usize = 1024;

/// Attributes longer than this are not read to compare elements, only their source is.
const MOST_ATTRIBUTES: usize = 16;
const LONGEST_ATTRIBUTES: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    Marker,
    Element(Active),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Active {
    pub node: u32,
    pub tag: Tag,
    pub attributes: Span,
}

#[derive(Default)]
pub struct Formatting(Vec<Entry>);

impl Formatting {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, at: usize) -> Entry {
        self.0[at]
    }

    pub fn set(&mut self, at: usize, active: Active) {
        self.0[at] = Entry::Element(active);
    }

    pub fn insert(&mut self, at: usize, active: Active) {
        self.0.insert(at, Entry::Element(active));
    }

    pub fn remove(&mut self, at: usize) {
        self.0.remove(at);
    }

    pub fn push_marker(&mut self) {
        self.0.push(Entry::Marker);
        self.keep_bound();
    }

    /// Of three equal elements the first goes when a fourth comes, as the standard says.
    pub fn push(&mut self, active: Active, source: &str) {
        let begin = self.begin_of_active();
        let mut likeness = Likeness { active, source, sorted: None };
        let mut equal = |entry: &Entry| matches!(entry, Entry::Element(other) if likeness.is_equal(other));
        let third_last = (begin..self.0.len()).rev().filter(|&at| equal(&self.0[at])).nth(2);
        if let Some(first) = third_last {
            self.0.remove(first);
        } else if self.0.len() - begin >= MOST_ACTIVE {
            self.0.remove(begin);
        }
        self.0.push(Entry::Element(active));
        self.keep_bound();
    }

    pub fn clear_to_marker(&mut self) {
        while let Some(Entry::Element(_)) = self.0.pop() {}
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The last of this tag behind the last marker.
    pub fn last_of(&self, tag: Tag) -> Option<(usize, Active)> {
        for (at, entry) in self.0.iter().enumerate().rev() {
            match entry {
                Entry::Marker => return None,
                Entry::Element(active) if active.tag == tag => return Some((at, *active)),
                Entry::Element(_) => {}
            }
        }
        None
    }

    pub fn place_of(&self, node: u32) -> Option<usize> {
        self.0.iter().rposition(|entry| matches!(entry, Entry::Element(active) if active.node == node))
    }

    fn begin_of_active(&self) -> usize {
        self.0.iter().rposition(|entry| *entry == Entry::Marker).map_or(0, |at| at + 1)
    }

    fn keep_bound(&mut self) {
        if self.0.len() > MOST_ENTRIES {
            self.0.drain(..MOST_ENTRIES / 4);
        }
    }
}

/// Whether elements are equal to one, whose attributes are read only if there is need.
struct Likeness<'s> {
    active: Active,
    source: &'s str,
    sorted: Option<Vec<(String, String)>>,
}

impl<'s> Likeness<'s> {
    fn is_equal(&mut self, other: &Active) -> bool {
        self.active.tag == other.tag && self.has_equal_attributes(other.attributes.of(self.source))
    }

    fn has_equal_attributes(&mut self, other: &str) -> bool {
        let own = self.active.attributes.of(self.source);
        if own == other {
            return true;
        }
        if own.len() > LONGEST_ATTRIBUTES || other.len() > LONGEST_ATTRIBUTES {
            return false;
        }
        let own = self.sorted.get_or_insert_with(|| sorted(own));
        own.len() <= MOST_ATTRIBUTES && *own == sorted(other)
    }
}

fn sorted(source: &str) -> Vec<(String, String)> {
    let mut sorted: Vec<(String, String)> = Vec::new();
    for attribute in attributes::repeated(source).take(MOST_ATTRIBUTES + 1) {
        let name = attribute.small_name();
        if !sorted.iter().any(|(other, _)| *other == name) {
            sorted.push((name, attribute.value().into_owned()));
        }
    }
    sorted.sort_unstable();
    sorted
}
