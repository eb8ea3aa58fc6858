//! Elements of a page by CSS selectors, or by the plain XPath that tells where a passage stands.

mod css;
mod path;

use crate::page::Page;
use crate::tree::Tree;

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

    /// The blocks of which at least half of the characters stand in elements that it selects; and how many elements those are.
    pub fn blocks(&self, page: &Page) -> (Vec<bool>, usize) {
        let elements = self.elements(&page.tree);
        (blocks_in(page, &elements), elements.len())
    }
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
