//! The tree of another parser: elements in document order, with the text inside and behind each.

use std::collections::HashMap;

use crate::html::tags::{Tag, NAMES};
use crate::tree::{Form, Namespace, Span, Text, Tree};

/// One element as the other parser gives it.
pub struct Given<'a> {
    pub name: &'a str,
    /// How many children it has.
    pub children: u32,
    pub line: u32,
    pub text: &'a str,
    pub tail: &'a str,
    pub attributes: Vec<(&'a str, &'a str)>,
}

/// `source` holds the texts and attributes, one behind the other; `places` are the lines of the elements.
pub fn tree(elements: &[Given<'_>]) -> Tree {
    let (mut tree, mut others) = (Tree::default(), HashMap::new());
    // The elements that are open, and how many children of each are still to come.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut closed = 0;
    for (number, given) in elements.iter().enumerate() {
        let parent = open.last().map_or(0, |&(parent, _)| parent);
        if let Some((_, left)) = open.last_mut() {
            *left -= 1;
        }
        let tag = tag(&mut tree, &mut others, given.name);
        add_element(&mut tree, tag, given, parent, open.len() as u32);
        let tags = number as u32 + 1 + closed;
        add_text(&mut tree, given.text, number as u32, tags);
        open.push((number as u32, given.children));
        while let Some(&(element, 0)) = open.last() {
            open.pop();
            closed += 1;
            tree.ends[element as usize] = number as u32 + 1;
            let around = tree.parents[element as usize];
            add_text(&mut tree, elements[element as usize].tail, around, number as u32 + 1 + closed);
        }
    }
    tree
}

fn add_element(tree: &mut Tree, tag: Tag, given: &Given<'_>, parent: u32, depth: u32) {
    let start = tree.source.len();
    for (name, value) in &given.attributes {
        tree.source.push_str(&format!(" {name}=\"{}\"", value.replace('&', "&amp;").replace('"', "&quot;")));
    }
    tree.tags.push(tag);
    tree.parents.push(parent);
    tree.ends.push(0);
    tree.depths.push(depth);
    tree.places.push(given.line);
    tree.attributes.push(Span::new(start, tree.source.len()));
    tree.namespaces.push(Namespace::Html);
}

/// So many names of its own a tree has at the most; all further ones share the last.
const MOST_NAMES: usize = 1 << 15;

fn tag<'a>(tree: &mut Tree, others: &mut HashMap<&'a str, usize>, name: &'a str) -> Tag {
    if let Ok(place) = NAMES.binary_search(&name) {
        return Tag(place as u16);
    }
    let place = *others.entry(name).or_insert_with(|| {
        if tree.other_names.len() < MOST_NAMES {
            tree.other_names.push(name.into());
        }
        tree.other_names.len() - 1
    });
    Tag((NAMES.len() + place) as u16)
}

fn add_text(tree: &mut Tree, text: &str, element: u32, place: u32) {
    if !text.is_empty() {
        let start = tree.source.len();
        tree.source.push_str(text);
        tree.texts.push(Text { element, place, span: Span::new(start, tree.source.len()), form: Form::Plain });
    }
}
