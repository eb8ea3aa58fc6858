//! HTML as the WHATWG standard says: tokenizer, tree builder, character references, tags.

pub mod attributes;
mod classes;
pub mod doctype;
mod entities;
mod flatten;
mod names;
mod repairs;
mod script;
pub mod serialize;
pub mod tags;
pub mod text;
pub mod tokenizer;
mod tree_builder;

use crate::tree::{Namespace, Tree};
use tree_builder::TreeBuilder;

/// Longer sources are cut, so that places of tags and bytes stay numbers of 32 bits.
const LONGEST_SOURCE: usize = 1 << 30;

/// What a parser may be asked for beyond the standard.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Mends a script whose end stands in a string, and a title that nobody closed.
    pub repairs: bool,
}

/// The tree of a page.
pub fn parse(source: String, options: Options) -> Tree {
    let source = cut(source);
    let built = TreeBuilder::new(&source, options.repairs).build();
    Tree { source, ..flatten::flattened(built) }
}

/// The tree of a part of a page, read as the content of such an element; its root is an `html` that is not part of it.
pub fn parse_fragment(source: String, name: &str, namespace: Namespace, options: Options) -> Tree {
    let source = cut(source);
    let built = TreeBuilder::new(&source, options.repairs).within(name, namespace).build();
    Tree { source, ..flatten::flattened(built) }
}

fn cut(mut source: String) -> String {
    if source.len() > LONGEST_SOURCE {
        let end = (0..=LONGEST_SOURCE).rev().find(|&end| source.is_char_boundary(end));
        source.truncate(end.unwrap_or(0));
    }
    source
}
