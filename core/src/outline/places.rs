//! Positions of nodes: the XPath of an element, the byte range of a text.

use std::collections::HashMap;

use super::printable;
use crate::html::tags;
use crate::page::Page;
use crate::tree::Tree;

/// Deeper elements are counted through the whole page. Full paths would be longer than the page.
const DEEPEST: u32 = 64;

/// Where the elements and the texts of a page stand.
pub struct Places {
    pub paths: Paths,
    /// The byte range of each run in the source.
    pub ranges: Vec<Option<(u32, u32)>>,
}

impl Places {
    pub fn new(page: &Page) -> Self {
        Self { paths: Paths::new(&page.tree), ranges: ranges(page) }
    }
}

/// The positions of elements among their siblings.
pub struct Paths {
    /// Among siblings of the same name, from 1.
    same: Vec<u32>,
    /// Among all elements of the same name in the page, from 1.
    whole: Vec<u32>,
}

impl Paths {
    fn new(tree: &Tree) -> Self {
        let (mut siblings, mut all) = (HashMap::new(), HashMap::new());
        let (mut same, mut whole) = (Vec::with_capacity(tree.len()), Vec::with_capacity(tree.len()));
        for element in 0..tree.len() {
            let (count, total) = (
                siblings.entry((tree.parents[element], tree.tags[element])).or_insert(0),
                all.entry(tree.tags[element]).or_insert(0),
            );
            *count += 1;
            *total += 1;
            // The root is its own parent, and nobody's sibling.
            if element == 0 {
                *count = 0;
            }
            same.push((*count).max(1));
            whole.push(*total);
        }
        Self { same, whole }
    }

    /// The absolute path, with positions.
    pub fn path(&self, tree: &Tree, element: usize) -> String {
        if tree.depths[element] > DEEPEST {
            return format!("(//{})[{}]", step_name(tree, element), self.whole[element]);
        }
        let mut steps = Vec::new();
        let mut at = element;
        loop {
            steps.push(format!("/{}[{}]", step_name(tree, at), self.same[at]));
            if at == 0 {
                break;
            }
            at = tree.parents[at] as usize;
        }
        steps.reverse();
        steps.concat()
    }
}

/// Names that XPath cannot express are compared as strings.
fn step_name(tree: &Tree, element: usize) -> String {
    let name = &*printable(tree.name(element));
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.bytes().all(is_part) && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        return name.to_string();
    }
    let quote = if name.contains('"') { '\'' } else { '"' };
    format!("*[name()={quote}{}{quote}]", name.replace(quote, ""))
}

/// The byte range of each run in the source; for a line of `<pre>`, that of the line.
fn ranges(page: &Page) -> Vec<Option<(u32, u32)>> {
    let mut ranges = vec![None; page.runs.place.len()];
    let mut next = 0;
    let texts = KeptTexts::new(page);
    for (number, text) in page.tree.texts.iter().enumerate() {
        let Some(place) = texts.place(number) else { continue };
        while page.runs.place.get(next).is_some_and(|&other| other < place) {
            next += 1;
        }
        let runs = page.runs.place[next..].iter().take_while(|&&other| other == place).count();
        let raw = text.span.of(&page.tree.source);
        for (run, (start, end)) in (next..next + runs).zip(lines(raw, runs)) {
            let (start, end) = (text.span.start + start as u32, text.span.start + end as u32);
            ranges[run] = Some(ranges[run].map_or((start, end), |(first, _): (u32, u32)| (first.min(start), end)));
        }
    }
    for (range, &element) in ranges.iter_mut().zip(&page.runs.element) {
        let origin = page.elements.origin[element as usize] as usize;
        if range.is_none() && page.tree.tags[origin] == tags::IMG {
            *range = Some((page.tree.places[origin], page.tree.attributes[origin].end));
        }
    }
    ranges
}

/// The trimmed part of a text for each of its runs: a line each, or else the whole text for each.
fn lines(raw: &str, runs: usize) -> Vec<(usize, usize)> {
    let trimmed = |start: usize, text: &str| {
        let start = start + text.len() - text.trim_start().len();
        (start, start + text.trim().len())
    };
    if runs > 1 {
        let begin = raw.as_ptr() as usize;
        let lines: Vec<_> = raw
            .split('\n')
            .filter(|line| !line.trim().is_empty())
            .map(|line| trimmed(line.as_ptr() as usize - begin, line))
            .collect();
        if lines.len() == runs {
            return lines;
        }
    }
    vec![trimmed(0, raw); runs]
}

/// The texts of a tree whose elements were not deleted.
pub struct KeptTexts<'p> {
    page: &'p Page,
    /// For each element, how many elements before it were not deleted.
    before: Vec<u32>,
}

impl<'p> KeptTexts<'p> {
    pub fn new(page: &'p Page) -> Self {
        let mut before = Vec::with_capacity(page.tree.len() + 1);
        let mut kept = page.elements.origin.iter().peekable();
        let mut count = 0;
        for element in 0..page.tree.len() as u32 {
            before.push(count);
            count += u32::from(kept.next_if(|&&origin| origin == element).is_some());
        }
        before.push(count);
        Self { page, before }
    }

    /// How many tags before a text were not deleted.
    pub fn place(&self, number: usize) -> Option<u32> {
        let (tree, text) = (&self.page.tree, &self.page.tree.texts[number]);
        let element = text.element as usize;
        if self.before[element] == self.before[element + 1] {
            return None;
        }
        let depth = tree.depths[element];
        let begun = (text.place + depth).div_ceil(2) as usize;
        Some(2 * self.before[begun] - depth - 1)
    }
}
