//! Where on the page its main text seems to be, by several simple rules, and where a block stands to that.

use std::cell::OnceCell;

use crate::page::Elements;

use super::kinds::{kinds, H1};
use super::known::Known;
use super::letters::{share, Sums};
use super::rows::Rows;
use super::tree_parts::Spans;

// What the element with the most text loses for each linked letter, and for each block.
const PER_LINKED: i64 = 2;
const PER_BLOCK: i64 = 12;
/// So much of a title makes a block its copy.
const MATCH: f64 = 0.7;

const OF_CORE: [&str; 8] = ["inside", "before", "behind", "steps-out", "steps-in", "share", "link-share", "blocks"];
const CORES: [&str; 2] = ["half", "best"];
const OF_BRANCH: [&str; 9] =
    ["letters", "blocks", "link-share", "sentence-ends", "long-share", "kind", "of-core", "position", "gap"];
const REST: [&str; 12] = [
    "stretch.inside",
    "stretch.before",
    "stretch.behind",
    "stretch.share",
    "from.start",
    "from.end",
    "from.start-letters",
    "from.longest",
    "from.h1",
    "from.title",
    "title.covers",
    "title.covered",
];
const BRANCH: usize = CORES.len() * OF_CORE.len();
const STRETCH: usize = BRANCH + OF_BRANCH.len();
const FROM: usize = STRETCH + 4;
const TITLE: usize = FROM + 6;

pub fn names() -> Vec<String> {
    let of_cores = CORES.iter().flat_map(|core| OF_CORE.iter().map(move |name| format!("core.{core}.{name}")));
    let of_branch = OF_BRANCH.iter().map(|name| format!("branch.{name}"));
    of_cores.chain(of_branch).chain(REST.map(String::from)).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let main = known.main_text();
    for (number, core) in main.cores.iter().enumerate() {
        fill_core(known, rows, number * OF_CORE.len(), core);
    }
    if rows.wants_any(BRANCH..STRETCH) {
        fill_branch(known, rows, &main.cores[0]);
    }
    fill_stretch(known, rows, main.stretch);
    fill_from(known, rows, main);
    if rows.wants_any(TITLE - 1..TITLE + 2) {
        fill_title(known, rows, main);
    }
}

/// Where it seems to be by all rules.
pub struct MainText {
    cores: [Core; 2],
    stretch: (i32, i32),
    longest: usize,
    heading: usize,
    title: OnceCell<usize>,
}

pub fn main_text(known: &Known) -> MainText {
    let (before, letters) = (values_before(known), &known.letters().letters);
    MainText {
        cores: [half(known), best(known, &before)],
        stretch: best_stretch(&before),
        longest: (0..letters.len()).rev().max_by_key(|&block| letters[block]).unwrap_or(0),
        heading: known.kinds().iter().position(|&kind| kind == H1).unwrap_or(letters.len()),
        title: OnceCell::new(),
    }
}

/// An element, and the blocks in it.
struct Core {
    element: u32,
    first: i32,
    last: i32,
    branches: OnceCell<Vec<u32>>,
}

impl Core {
    fn held(&self, known: &Known) -> Sums {
        known.sums()[self.last as usize] - known.sums()[self.first as usize]
    }

    /// Does it lie in this element, or is it that?
    fn is_within(&self, elements: &Elements, element: u32) -> bool {
        element <= self.element && elements.ends[element as usize] > self.element
    }

    fn branches(&self, known: &Known) -> &[u32] {
        self.branches.get_or_init(|| branches(known, self))
    }
}

/// The innermost one of elements that lie inside of one another; the root where there is none.
fn core(known: &Known, deepest: Option<usize>) -> Core {
    let (element, spans) = (deepest.unwrap_or(0), known.spans());
    let (first, last) = (spans.first[element] as i32, spans.last[element] as i32);
    Core { element: element as u32, first, last, branches: OnceCell::new() }
}

/// The innermost element with more than half of the letters of long blocks.
fn half(known: &Known) -> Core {
    let (Spans { first, last }, sums) = (known.spans(), known.sums());
    let held = |element: usize| i64::from(sums[last[element] as usize].long - sums[first[element] as usize].long);
    let total = i64::from(known.total().long);
    core(known, (0..first.len()).rev().find(|&element| 2 * held(element) > total))
}

/// The element with the most letters, where those of links, and blocks as such, count against it.
fn best(known: &Known, before: &[i64]) -> Core {
    let Spans { first, last } = known.spans();
    let held = |&element: &usize| before[last[element] as usize] - before[first[element] as usize];
    // The last of equals.
    core(known, (0..first.len()).max_by_key(held))
}

/// What the blocks before each one speak for, or against, the part that they are in; and last, all.
fn values_before(known: &Known) -> Vec<i64> {
    let value = |sums: &Sums| i64::from(sums.letters) - PER_LINKED * i64::from(sums.linked);
    known.sums().iter().zip(0..).map(|(sums, blocks)| value(sums) - PER_BLOCK * blocks).collect()
}

/// The same for any stretch of blocks (Finn et al. 2001): where it begins, and what stands behind it.
fn best_stretch(before: &[i64]) -> (i32, i32) {
    let (mut lowest, mut gain, mut stretch) = (0, 0, (0, 0));
    for (place, &value) in before.iter().enumerate() {
        if value < before[lowest] {
            lowest = place;
        }
        if value - before[lowest] > gain {
            (gain, stretch) = (value - before[lowest], (lowest, place));
        }
    }
    (stretch.0 as i32, stretch.1 as i32)
}

/// Three features: inside of a stretch?; how many blocks before it; how many behind.
fn fill_where(rows: &mut Rows, feature: usize, (first, last): (i32, i32)) {
    let before = move |block: i32| (first - block).max(0);
    let behind = move |block: i32| (block - (last - 1)).max(0);
    let begin = rows.blocks().start as i32;
    rows.put(feature, (begin..).map(|block| f32::from(u8::from(before(block) == behind(block)))));
    rows.put(feature + 1, (begin..).map(|block| before(block) as f32));
    rows.put(feature + 2, (begin..).map(|block| behind(block) as f32));
}

fn fill_core(known: &Known, rows: &mut Rows, feature: usize, core: &Core) {
    fill_where(rows, feature, (core.first, core.last));
    if rows.wants_any(feature + 3..feature + 5) {
        fill_steps(known, rows, feature + 3, core);
    }
    let held = core.held(known);
    rows.put_all(feature + 5, share(held.letters, known.total().letters));
    rows.put_all(feature + 6, share(held.linked, held.letters));
    rows.put_all(feature + 7, (core.last - core.first) as f32);
}

/// Two features: from the core up to what holds both, and from there down to the block.
fn fill_steps(known: &Known, rows: &mut Rows, feature: usize, core: &Core) {
    let (elements, branches) = (&known.page.elements, core.branches(known));
    let depth = |element: u32| elements.depths[element as usize];
    let own = depth(core.element);
    // That of the innermost element that holds both.
    let common = |element: u32| match branches[element as usize] {
        0 => depth(element),
        branch => depth(elements.parents[branch as usize]),
    };
    let element = &known.page.element[rows.blocks()];
    rows.put(feature, element.iter().map(|&element| (own - common(element)) as f32));
    rows.put(feature + 1, element.iter().map(|&element| (depth(element) - common(element)) as f32));
}

/// Of each element the largest one around it without the core; inside of the core, its child; else the root.
fn branches(known: &Known, core: &Core) -> Vec<u32> {
    let elements = &known.page.elements;
    let is_chain = |element: u32| core.is_within(elements, element);
    let mut branches: Vec<u32> = Vec::with_capacity(elements.len());
    for (element, &parent) in (0..).zip(&elements.parents) {
        branches.push(match (is_chain(element), is_chain(parent)) {
            (true, _) => 0,
            (false, true) => element,
            (false, false) => branches[parent as usize],
        });
    }
    branches
}

/// What the branch of a block holds.
struct Branch {
    held: Sums,
    first: i32,
    last: i32,
    code: u16,
}

fn fill_branch(known: &Known, rows: &mut Rows, core: &Core) {
    let (kind, of_core, of_elements) = (kinds(), core.held(known).letters, core.branches(known));
    let (blocks, branch) = (rows.blocks(), |&element: &u32| branch(known, of_elements[element as usize]));
    let branches: Vec<Branch> = known.page.element[blocks.clone()].iter().map(branch).collect();
    let all = || branches.iter();
    let gap = |branch: &Branch| (branch.first - (core.last - 1)).max(0) - (core.first + 1 - branch.last).max(0);
    rows.put(BRANCH, all().map(|branch| branch.held.letters as f32));
    rows.put(BRANCH + 1, all().map(|branch| (branch.last - branch.first) as f32));
    rows.put(BRANCH + 2, all().map(|branch| share(branch.held.linked, branch.held.letters)));
    rows.put(BRANCH + 3, all().map(|branch| branch.held.ends as f32));
    rows.put(BRANCH + 4, all().map(|branch| share(branch.held.long, branch.held.letters)));
    rows.put(BRANCH + 5, all().map(|branch| f32::from(kind(branch.code))));
    rows.put(BRANCH + 6, all().map(|branch| share(branch.held.letters, of_core)));
    rows.put(BRANCH + 8, all().map(|branch| gap(branch) as f32));
    let position = |(block, branch): (i32, &Branch)| share(block - branch.first, branch.last - branch.first);
    rows.put(BRANCH + 7, (blocks.start as i32..).zip(&branches).map(position));
}

fn branch(known: &Known, element: u32) -> Branch {
    let (element, spans, sums) = (element as usize, known.spans(), known.sums());
    let (first, last) = (spans.first[element], spans.last[element]);
    Branch {
        held: sums[last as usize] - sums[first as usize],
        first: first as i32,
        last: last as i32,
        code: known.page.elements.codes[element],
    }
}

fn fill_stretch(known: &Known, rows: &mut Rows, stretch: (i32, i32)) {
    fill_where(rows, STRETCH, stretch);
    let held = known.sums()[stretch.1 as usize].letters - known.sums()[stretch.0 as usize].letters;
    rows.put_all(STRETCH + 3, share(held, known.total().letters));
}

/// Where on the page each block is, and how far behind the longest one and the first heading.
fn fill_from(known: &Known, rows: &mut Rows, main: &MainText) {
    let (count, total, blocks) = (known.page.len() as i32, known.total().letters, rows.blocks());
    let numbers = blocks.start as i32..blocks.end as i32;
    rows.put(FROM, numbers.clone().map(|block| share(block, count)));
    rows.put(FROM + 1, numbers.map(|block| share(count - 1 - block, count)));
    rows.put(FROM + 2, known.sums()[blocks].iter().map(|before| share(before.letters, total)));
    put_distances(rows, FROM + 3, main.longest);
    put_distances(rows, FROM + 4, main.heading);
}

/// How far each block is behind this one.
fn put_distances(rows: &mut Rows, feature: usize, block: usize) {
    let begin = rows.blocks().start as i32;
    rows.put(feature, (begin..).map(|number: i32| (number - block as i32) as f32));
}

/// How far behind the title each block is, and how much of a title each is.
fn fill_title(known: &Known, rows: &mut Rows, main: &MainText) {
    let (overlap, blocks) = (known.overlap(), rows.blocks());
    let count = known.page.len();
    let first = || (0..count).find(|&block| overlap.covered(block) >= MATCH).unwrap_or(count);
    let title = main.title.get_or_init(first);
    put_distances(rows, TITLE - 1, *title);
    if rows.wants(TITLE) {
        let lengths = known.page.lengths[blocks.clone()].iter().map(|&length| (length as i32 - 2).max(1));
        rows.put(TITLE, overlap.hits[blocks.clone()].iter().zip(lengths).map(|(&hits, length)| share(hits, length)));
    }
    rows.put(TITLE + 1, blocks.map(|block| overlap.covered(block) as f32));
}
