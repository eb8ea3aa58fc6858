//! Elements of a page by CSS selectors, or by the plain XPath that says where a passage is.

mod css;
mod path;

use crate::page::Page;
use crate::tree::{Form, Tree};

/// Parsing and matching recurse: longer or deeper selectors could overflow the stack.
const LONGEST: usize = 4_000;
const DEEPEST: usize = 32;

/// Values are short facts, such as a title or a date.
const MOST_VALUES: usize = 100;
const LONGEST_VALUE: usize = 1_000;

/// A list of CSS selectors, or one XPath such as `/html[1]/body[1]/div[2]`.
pub enum Selector {
    Css(css::List),
    Path(path::Path),
}

/// Why a selector cannot be read, and at which of its characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub reason: String,
    pub column: usize,
}

impl Selector {
    pub fn new(text: &str) -> Result<Self, Unreadable> {
        let text = text.trim();
        check_size(text)?;
        if text.starts_with('/') {
            return path::Path::new(text).map(Self::Path);
        }
        css::List::new(text).map(Self::Css)
    }

    /// The elements that it selects, in document order.
    pub fn elements(&self, tree: &Tree) -> Vec<u32> {
        match self {
            Self::Css(list) => list.elements(tree),
            Self::Path(path) => path.element(tree).into_iter().collect(),
        }
    }

    /// What the elements say: the attribute `content` or `datetime`, or else their text.
    pub fn values(&self, page: &Page) -> Vec<String> {
        let elements = self.elements(&page.tree);
        let values = elements.iter().take(MOST_VALUES).map(|&element| value_of(&page.tree, element as usize));
        values.filter(|value| !value.is_empty()).collect()
    }

    /// The blocks of which at least half of the characters stand in elements that it selects; and how many elements those are.
    pub fn blocks(&self, page: &Page) -> (Vec<bool>, usize) {
        let elements = self.elements(&page.tree);
        (blocks_in(page, &elements), elements.len())
    }
}

fn check_size(text: &str) -> Result<(), Unreadable> {
    if text.chars().nth(LONGEST).is_some() {
        return Err(Unreadable { reason: format!("longer than {LONGEST} characters"), column: LONGEST + 1 });
    }
    let mut depth = 0_usize;
    for (place, character) in text.chars().enumerate() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(Unreadable { reason: format!("nests deeper than {DEEPEST}"), column: place + 1 });
        }
    }
    Ok(())
}

fn value_of(tree: &Tree, element: usize) -> String {
    let said = ["content", "datetime"].into_iter().find_map(|name| tree.attribute(element, name));
    let value = said.map_or_else(|| text_in(tree, element), |said| said.to_string());
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_in(tree: &Tree, element: usize) -> String {
    let inside = element as u32..tree.ends[element];
    let mut found = String::new();
    for text in tree.texts.iter().filter(|text| inside.contains(&text.element) && text.form != Form::Raw) {
        if found.len() > LONGEST_VALUE {
            break;
        }
        found += &tree.text(text);
    }
    found
}

fn blocks_in(page: &Page, elements: &[u32]) -> Vec<bool> {
    let inside = inside(&page.tree, elements);
    let runs = &page.runs;
    let is_inside = |run: usize| inside[page.elements.origin[runs.element[run] as usize] as usize];
    let characters = |block: usize, run: usize| {
        let end = if run + 1 < page.first_runs[block + 1] as usize { runs.start[run + 1] } else { page.lengths[block] };
        end - runs.start[run]
    };
    let holds = |block: usize| {
        let all = page.first_runs[block] as usize..page.first_runs[block + 1] as usize;
        let inner: u32 = all.filter(|&run| is_inside(run)).map(|run| characters(block, run)).sum();
        inner > 0 && 2 * inner >= page.lengths[block]
    };
    (0..page.len()).map(holds).collect()
}

/// For every element: is it one of these, or in one of them?
fn inside(tree: &Tree, elements: &[u32]) -> Vec<bool> {
    let mut inside = vec![false; tree.len()];
    let mut end = 0;
    for &element in elements {
        // A subtree is a range of numbers, and an inner one lies in an outer one.
        let begin = (element as usize).max(end);
        end = end.max(tree.ends[element as usize] as usize);
        if begin < end {
            inside[begin..end].fill(true);
        }
    }
    inside
}
