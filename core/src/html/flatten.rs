//! Linked nodes → the columns of a tree, in document order.

use super::tree_builder::nodes::{Kind, NONE};
use super::tree_builder::Built;
use crate::tree::{Text, Tree};

/// The tree without its source.
pub(super) fn flattened(built: Built) -> Tree {
    let nodes = built.nodes.as_slice();
    let mut tree =
        with_room_for(nodes.iter().filter(|node| matches!(node.kind, Kind::Element(_))).count(), nodes.len());
    let further: std::collections::HashSet<u32> = built.further_attributes.iter().map(|&(node, _)| node).collect();
    let mut numbers = Vec::new();
    let mut node = 0;
    let mut parent = 0;
    let mut depth = 0;
    let mut place = 0;
    loop {
        let found = &nodes[node as usize];
        match found.kind {
            Kind::Text(form) => tree.texts.push(Text { element: parent, place, span: found.span, form }),
            Kind::Element(namespace) => {
                let number = tree.tags.len() as u32;
                if further.contains(&node) {
                    numbers.push((node, number));
                }
                tree.tags.push(found.tag);
                tree.parents.push(parent);
                tree.ends.push(number + 1);
                tree.depths.push(depth);
                tree.places.push(found.place);
                tree.attributes.push(found.span);
                tree.namespaces.push(namespace);
                place += 1;
                if found.first != NONE {
                    node = found.first;
                    parent = number;
                    depth += 1;
                    continue;
                }
                place += 1;
            }
        }
        // Up to the next sibling of this node or of one around it.
        while nodes[node as usize].next == NONE {
            node = nodes[node as usize].parent;
            if node == NONE {
                tree.further_attributes = sorted(built.further_attributes, &numbers);
                tree.other_names = built.other_names;
                return tree;
            }
            tree.ends[parent as usize] = tree.tags.len() as u32;
            parent = tree.parents[parent as usize];
            depth -= 1;
            place += 1;
        }
        node = nodes[node as usize].next;
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
