//! Linked nodes → the columns of a tree, in document order.

use std::collections::HashSet;

use super::tree_builder::nodes::{Kind, Node, NONE};
use super::tree_builder::Built;
use crate::deadline::Turns;
use crate::tree::{Namespace, Text, Tree};

/// The tree without its source.
pub(super) fn flattened(built: Built) -> Tree {
    let mut nodes = Unread::new(built.nodes.into_vec());
    let mut tree = nodes.with_room();
    let further: HashSet<u32> = built.further_attributes.iter().map(|&(node, _)| node).collect();
    let unclosed: HashSet<u32> =
        built.drawings.iter().filter(|drawing| !drawing.is_closed).map(|drawing| drawing.node).collect();
    let mut numbers = Vec::new();
    // What stands behind the elements around the node.
    let mut behind: Vec<u32> = Vec::new();
    let mut node = 0;
    let mut parent = 0;
    let mut place = 0;
    let mut turns = Turns::default();
    loop {
        turns.next();
        let found = nodes.read(node);
        match found.kind() {
            Kind::Text(form) => tree.texts.push(Text { element: parent, place, span: found.span, form }),
            Kind::Element(namespace) => {
                let number = tree.tags.len() as u32;
                if further.contains(&node) {
                    numbers.push((node, number));
                }
                if namespace != Namespace::Html && unclosed.contains(&node) {
                    tree.unclosed_drawings.push(number);
                }
                tree.tags.push(found.tag);
                tree.parents.push(parent);
                tree.ends.push(number + 1);
                tree.depths.push(behind.len() as u32);
                tree.places.push(found.place);
                tree.attributes.push(found.span);
                tree.namespaces.push(namespace);
                place += 1;
                if found.first != NONE {
                    behind.push(found.next);
                    (node, parent) = (found.first, number);
                    continue;
                }
                place += 1;
            }
        }
        node = found.next;
        // Up to the next sibling of one around it.
        while node == NONE {
            let Some(next) = behind.pop() else {
                tree.further_attributes = sorted(built.further_attributes, &numbers);
                tree.other_names = built.other_names;
                return tree;
            };
            tree.ends[parent as usize] = tree.tags.len() as u32;
            parent = tree.parents[parent as usize];
            place += 1;
            node = next;
        }
    }
}

/// So many nodes are worth giving back.
const MANY: usize = 1 << 16;

/// The nodes, each of which is read once. Most stand in the order in which they are read: of a large page a quarter at a
/// time is given back, while the columns grow.
struct Unread {
    nodes: Vec<Node>,
    /// The number of the first that is left.
    first: u32,
    /// Behind it so many are read.
    read: usize,
    quarter: usize,
}

impl Unread {
    fn new(mut nodes: Vec<Node>) -> Self {
        let quarter = if nodes.len() < MANY { usize::MAX } else { nodes.len() / 4 };
        if quarter < usize::MAX {
            nodes.shrink_to_fit();
        }
        Self { nodes, first: 0, read: 0, quarter }
    }

    fn read(&mut self, number: u32) -> Node {
        let node = &mut self.nodes[(number - self.first) as usize];
        let found = *node;
        if self.quarter < usize::MAX {
            node.parent = NONE;
            self.forget();
        }
        found
    }

    /// Nodes without a parent are read, or stand nowhere in the tree.
    fn forget(&mut self) {
        while self.nodes.get(self.read).is_some_and(|node| node.parent == NONE) {
            self.read += 1;
        }
        if self.read >= self.quarter {
            self.nodes.drain(..self.read);
            self.nodes.shrink_to_fit();
            self.first += std::mem::take(&mut self.read) as u32;
        }
    }

    fn with_room(&self) -> Tree {
        let elements = self.nodes.iter().filter(|node| matches!(node.kind(), Kind::Element(_))).count();
        with_room_for(elements, self.nodes.len())
    }
}

fn with_room_for(elements: usize, nodes: usize) -> Tree {
    Tree {
        tags: Vec::with_capacity(elements),
        parents: Vec::with_capacity(elements),
        ends: Vec::with_capacity(elements),
        depths: Vec::with_capacity(elements),
        places: Vec::with_capacity(elements),
        attributes: Vec::with_capacity(elements),
        namespaces: Vec::with_capacity(elements),
        texts: Vec::with_capacity(nodes - elements),
        ..Tree::default()
    }
}

/// By the numbers of the elements in the tree, those of one element in the order in which they came.
fn sorted(further: Vec<(u32, crate::tree::Span)>, numbers: &[(u32, u32)]) -> Vec<(u32, crate::tree::Span)> {
    let number = |node: u32| numbers.iter().find(|&&(other, _)| other == node).map(|&(_, number)| number);
    let mut sorted: Vec<_> =
        further.into_iter().filter_map(|(node, span)| number(node).map(|number| (number, span))).collect();
    sorted.sort_by_key(|&(number, _)| number);
    sorted
}
