//! The stack of open elements, and what is in scope on it.

use crate::html::classes::{self, Classes};
use crate::html::tags::{self, Tag};

#[derive(Clone, Copy)]
pub struct Open {
    pub node: u32,
    pub tag: Tag,
    pub classes: Classes,
}

impl Open {
    /// Whether this is the HTML element of this tag.
    pub fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.is_html()
    }

    pub fn is_html(&self) -> bool {
        self.has(classes::HTML)
    }

    pub fn has(&self, classes: Classes) -> bool {
        self.classes & classes != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Default,
    Button,
    ListItem,
    Table,
}

#[derive(Default)]
pub struct Stack {
    elements: Vec<Open>,
    /// How many HTML elements of each tag are open: most questions for one that is not end here.
    counts: Vec<u16>,
}

impl Stack {
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    pub fn as_slice(&self) -> &[Open] {
        &self.elements
    }

    /// The current node. The root is always there.
    pub fn current(&self) -> Open {
        self.elements[self.elements.len() - 1]
    }

    pub fn push(&mut self, open: Open) {
        self.insert(self.elements.len(), open);
    }

    pub fn insert(&mut self, at: usize, open: Open) {
        self.elements.insert(at, open);
        if open.is_html() {
            let number = open.tag.number();
            if number >= self.counts.len() {
                self.counts.resize(number + 1, 0);
            }
            self.counts[number] += 1;
        }
    }

    pub fn pop(&mut self) -> Open {
        self.remove(self.elements.len() - 1)
    }

    pub fn remove(&mut self, at: usize) -> Open {
        let open = self.elements.remove(at);
        if open.is_html() {
            self.counts[open.tag.number()] -= 1;
        }
        open
    }

    /// In the place of an element its copy.
    pub fn replace(&mut self, at: usize, node: u32) {
        self.elements[at].node = node;
    }

    pub fn place_of(&self, node: u32) -> Option<usize> {
        self.elements.iter().rposition(|open| open.node == node)
    }

    pub fn holds(&self, tag: Tag) -> bool {
        self.counts.get(tag.number()).is_some_and(|&count| count > 0)
    }

    pub fn has_in_scope(&self, tag: Tag, scope: Scope) -> bool {
        self.holds(tag) && self.has_any_in_scope(|open| open.is(tag), scope)
    }

    pub fn has_any_in_scope(&self, is_wanted: impl Fn(&Open) -> bool, scope: Scope) -> bool {
        let ends = if scope == Scope::Table { classes::TABLE_SCOPE } else { classes::SCOPE };
        for open in self.elements.iter().rev() {
            if is_wanted(open) {
                return true;
            }
            let ends_scope = match scope {
                Scope::Button => open.has(ends) || open.is(tags::BUTTON),
                Scope::ListItem => open.has(ends) || open.is(tags::OL) || open.is(tags::UL),
                Scope::Default | Scope::Table => open.has(ends),
            };
            if ends_scope {
                return false;
            }
        }
        false
    }
}
