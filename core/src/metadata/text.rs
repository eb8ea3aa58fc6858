//! The text of an element.

use crate::tree::{Text, Tree};

/// As it stands, for scripts.
pub fn raw_of(tree: &Tree, element: u32) -> String {
    inside(tree, element).map(|text| tree.text(text)).collect()
}

/// With white space folded, and a blank where tags part it; None, where it is longer than `most` bytes.
pub fn of(tree: &Tree, element: u32, most: usize) -> Option<String> {
    let mut joined = String::new();
    for text in inside(tree, element) {
        if text.span.len() > 4 * most {
            return None;
        }
        for word in tree.text(text).split_whitespace() {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word);
        }
        if joined.len() > most {
            return None;
        }
    }
    (!joined.is_empty()).then_some(joined)
}

/// Its stretches of text.
pub fn inside(tree: &Tree, element: u32) -> impl Iterator<Item = &Text> {
    let number = element as usize;
    let opening = 2 * element - tree.depths[number];
    let closing = 2 * tree.ends[number] - tree.depths[number] - 1;
    let first = tree.texts.partition_point(|text| text.place <= opening);
    tree.texts[first..].iter().take_while(move |text| text.place <= closing)
}
