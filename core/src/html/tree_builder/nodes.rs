//! Elements and texts while the tree is built: one flat list, linked by numbers.

use crate::html::tags::Tag;
use crate::tree::{Form, Namespace, Span};

/// No node.
pub const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Element(Namespace),
    Text(Form),
}

#[derive(Clone, Copy)]
pub struct Node {
    pub parent: u32,
    pub first: u32,
    pub last: u32,
    pub previous: u32,
    pub next: u32,
    /// Where its start tag stands.
    pub place: u32,
    /// Its attributes, or the text.
    pub span: Span,
    pub tag: Tag,
    pub kind: Kind,
    /// Whether it is on the stack of open elements.
    pub is_open: bool,
}

#[derive(Default)]
pub struct Nodes(Vec<Node>);

impl Nodes {
    pub fn with_room_for(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    pub fn get(&self, number: u32) -> &Node {
        &self.0[number as usize]
    }

    pub fn get_mut(&mut self, number: u32) -> &mut Node {
        &mut self.0[number as usize]
    }

    pub fn as_slice(&self) -> &[Node] {
        &self.0
    }

    pub fn add(&mut self, kind: Kind, tag: Tag, place: u32, span: Span) -> u32 {
        let number = self.0.len() as u32;
        let [parent, first, last, previous, next] = [NONE; 5];
        self.0.push(Node { parent, first, last, previous, next, place, span, tag, kind, is_open: false });
        number
    }

    pub fn append(&mut self, parent: u32, child: u32) {
        let last = self.get(parent).last;
        let node = self.get_mut(child);
        node.parent = parent;
        node.previous = last;
        node.next = NONE;
        match last {
            NONE => self.get_mut(parent).first = child,
            _ => self.get_mut(last).next = child,
        }
        self.get_mut(parent).last = child;
    }

    pub fn insert_before(&mut self, sibling: u32, child: u32) {
        let Node { parent, previous, .. } = *self.get(sibling);
        let node = self.get_mut(child);
        node.parent = parent;
        node.previous = previous;
        node.next = sibling;
        self.get_mut(sibling).previous = child;
        match previous {
            NONE => self.get_mut(parent).first = child,
            _ => self.get_mut(previous).next = child,
        }
    }

    /// Takes a node out of its parent.
    pub fn detach(&mut self, number: u32) {
        let Node { parent, previous, next, .. } = *self.get(number);
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.get_mut(parent).first = next,
            _ => self.get_mut(previous).next = next,
        }
        match next {
            NONE => self.get_mut(parent).last = previous,
            _ => self.get_mut(next).previous = previous,
        }
        let node = self.get_mut(number);
        [node.parent, node.previous, node.next] = [NONE; 3];
    }

    /// All children of one become the last children of another, which has none.
    pub fn move_children(&mut self, from: u32, to: u32) {
        let Node { first, last, .. } = *self.get(from);
        let mut child = first;
        while child != NONE {
            let node = self.get_mut(child);
            node.parent = to;
            child = node.next;
        }
        let node = self.get_mut(to);
        (node.first, node.last) = (first, last);
        let node = self.get_mut(from);
        (node.first, node.last) = (NONE, NONE);
    }
}
