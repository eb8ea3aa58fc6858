//! Kinds of elements, from what seldom is content to what usually is; 0 is any other.

use std::sync::OnceLock;

use crate::html::tags::NAMES;
use crate::markup::code_of;

const KINDS: [&str; 20] = [
    "nav footer header aside form select button label",
    "a span abbr small time",
    "table tbody tr",
    "td th",
    "ul ol dl menu",
    "li",
    "dt dd",
    "div",
    "section center body",
    "img picture figure",
    "figcaption",
    "h6 h5",
    "h4",
    "h3",
    "h2",
    "h1",
    "pre code",
    "blockquote",
    "article main",
    "p",
];
pub const FIRST_HEADING: u8 = 12;
pub const H1: u8 = 16;

fn table() -> Vec<u8> {
    let mut table = vec![0; NAMES.len() + 1];
    for (kind, tags) in (1..).zip(KINDS) {
        for tag in tags.split(' ') {
            table[code_of(tag) as usize] = kind;
        }
    }
    table
}

/// The kind of a tag by its code.
pub fn kinds() -> impl Fn(u16) -> u8 {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    let table: &[u8] = TABLE.get_or_init(table);
    move |code| table.get(code as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_in_the_table_of_tags() {
        assert!(KINDS.iter().flat_map(|tags| tags.split(' ')).all(|tag| code_of(tag) > 0));
        assert_eq!(table()[0], 0);
    }
}
