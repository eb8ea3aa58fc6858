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

/// A page may have a node for every three of its bytes, so that nothing stands here twice: the last child is the one
/// before the first.
#[derive(Clone, Copy)]
pub struct Node {
    pub parent: u32,
    pub first: u32,
    /// Of a first child the last one.
    pub previous: u32,
    pub next: u32,
    /// Where its start tag stands.
    pub place: u32,
    /// Its attributes, or the text.
    pub span: Span,
    pub tag: Tag,
    kind: u8,
    /// Whether it is on the stack of open elements.
    pub is_open: bool,
}

const _: () = assert!(size_of::<Node>() == 32);

const KINDS: [Kind; 7] = [
    Kind::Element(Namespace::Html),
    Kind::Element(Namespace::Svg),
    Kind::Element(Namespace::MathMl),
    Kind::Text(Form::Plain),
    Kind::Text(Form::Data),
    Kind::Text(Form::Replacing),
    Kind::Text(Form::Raw),
];

impl Node {
    #[inline]
    pub fn kind(&self) -> Kind {
        KINDS[usize::from(self.kind)]
    }
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

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn into_vec(self) -> Vec<Node> {
        self.0
    }

    pub fn add(&mut self, kind: Kind, tag: Tag, place: u32, span: Span) -> u32 {
        let number = self.0.len() as u32;
        let [parent, first, previous, next] = [NONE; 4];
        let kind = match kind {
            Kind::Element(namespace) => namespace as u8,
            Kind::Text(form) => 3 + form as u8,
        };
        self.0.push(Node { parent, first, previous, next, place, span, tag, kind, is_open: false });
        number
    }

    pub fn append(&mut self, parent: u32, child: u32) {
        let first = self.get(parent).first;
        let last = if first == NONE { child } else { std::mem::replace(&mut self.get_mut(first).previous, child) };
        let node = self.get_mut(child);
        (node.parent, node.previous, node.next) = (parent, last, NONE);
        match first {
            NONE => self.get_mut(parent).first = child,
            _ => self.get_mut(last).next = child,
        }
    }

    pub fn insert_before(&mut self, sibling: u32, child: u32) {
        let Node { parent, previous, .. } = *self.get(sibling);
        let node = self.get_mut(child);
        (node.parent, node.previous, node.next) = (parent, previous, sibling);
        self.get_mut(sibling).previous = child;
        if self.get(parent).first == sibling {
            self.get_mut(parent).first = child;
        } else {
            self.get_mut(previous).next = child;
        }
    }

    /// Takes a node out of its parent.
    pub fn detach(&mut self, number: u32) {
        let Node { parent, previous, next, .. } = *self.get(number);
        if parent == NONE {
            return;
        }
        let first = self.get(parent).first;
        match next {
            // Where it was the only one, this is of itself.
            NONE => self.get_mut(first).previous = previous,
            _ => self.get_mut(next).previous = previous,
        }
        if first == number {
            self.get_mut(parent).first = next;
        } else {
            self.get_mut(previous).next = next;
        }
        let node = self.get_mut(number);
        [node.parent, node.previous, node.next] = [NONE; 3];
    }

    /// All children of one become the children of another, which has none.
    pub fn move_children(&mut self, from: u32, to: u32) {
        let first = std::mem::replace(&mut self.get_mut(from).first, NONE);
        let mut child = first;
        while child != NONE {
            let node = self.get_mut(child);
            node.parent = to;
            child = node.next;
        }
        self.get_mut(to).first = first;
    }
}
