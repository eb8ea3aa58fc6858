//! Where on the page its main text seems to be, by several simple rules, and where a block stands to that.

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
    let before = values_before(known);
    let cores = [half(known), best(known, &before)];
    for (number, core) in cores.iter().enumerate() {
        fill_core(known, rows, number * OF_CORE.len(), core);
    }
    if rows.wants_any(BRANCH..STRETCH) {
        fill_branch(known, rows, &cores[0]);
    }
    fill_stretch(known, rows, best_stretch(&before));
    fill_from(known, rows);
    if rows.wants_any(TITLE - 1..TITLE + 2) {
        fill_title(known, rows);
    }
}

/// An element, and the blocks in it.
struct Core {
    element: u32,
    first: i32,
    last: i32,
}

impl Core {
    fn held(&self, known: &Known) -> Sums {
        known.sums()[self.last as usize] - known.sums()[self.first as usize]
    }
}

/// The innermost one of elements that lie inside of one another; the root where there is none.
fn core(known: &Known, deepest: Option<usize>) -> Core {
    let (element, spans) = (deepest.unwrap_or(0), known.spans());
    Core { element: element as u32, first: spans.first[element] as i32, last: spans.last[element] as i32 }
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
    rows.put(feature, (0..).map(|block| f32::from(u8::from(before(block) == behind(block)))));
    rows.put(feature + 1, (0..).map(|block| before(block) as f32));
    rows.put(feature + 2, (0..).map(|block| behind(block) as f32));
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
    let (depths, element) = (&known.page.elements.depths, &known.page.element);
    let common = common_depths(depths, core.element as usize);
    let own = depths[core.element as usize];
    rows.put(feature, element.iter().map(|&element| (own - common[element as usize]) as f32));
    rows.put(feature + 1, element.iter().map(|&element| (depths[element as usize] - common[element as usize]) as f32));
}

/// How deep the innermost element lies that holds this one and each other: over the least deep between the two.
fn common_depths(depths: &[u32], element: usize) -> Vec<u32> {
    let mut common = vec![depths[element]; depths.len()];
    let mut least = u32::MAX;
    for other in element + 1..depths.len() {
        least = least.min(depths[other]);
        common[other] = least - 1;
    }
    least = u32::MAX;
    for other in (0..element).rev() {
        least = least.min(depths[other + 1]);
        common[other] = least - 1;
    }
    common
}

/// Of each element the largest one around it without the core; inside of the core, its child; else the root.
fn branches(known: &Known, core: u32) -> Vec<u32> {
    let elements = &known.page.elements;
    let is_chain = |element: u32| element <= core && elements.ends[element as usize] > core;
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
    let (kind, of_core, of_elements) = (kinds(), core.held(known).letters, branches(known, core.element));
    let branch = |&element: &u32| branch(known, of_elements[element as usize]);
    let branches: Vec<Branch> = known.page.element.iter().map(branch).collect();
    let mut put = |feature: usize, figure: &dyn Fn(&Branch) -> f32| {
        rows.put(BRANCH + feature, branches.iter().map(figure));
    };
    put(0, &|branch| branch.held.letters as f32);
    put(1, &|branch| (branch.last - branch.first) as f32);
    put(2, &|branch| share(branch.held.linked, branch.held.letters));
    put(3, &|branch| branch.held.ends as f32);
    put(4, &|branch| share(branch.held.long, branch.held.letters));
    put(5, &|branch| f32::from(kind(branch.code)));
    put(6, &|branch| share(branch.held.letters, of_core));
    put(8, &|branch| ((branch.first - (core.last - 1)).max(0) - (core.first + 1 - branch.last).max(0)) as f32);
    let position = |(block, branch): (i32, &Branch)| share(block - branch.first, branch.last - branch.first);
    rows.put(BRANCH + 7, (0..).zip(&branches).map(position));
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
fn fill_from(known: &Known, rows: &mut Rows) {
    let (count, total) = (known.page.len() as i32, known.total().letters);
    rows.put(FROM, (0..count).map(|block| share(block, count)));
    rows.put(FROM + 1, (0..count).rev().map(|block| share(block, count)));
    rows.put(FROM + 2, known.sums().iter().map(|before| share(before.letters, total)));
    let letters = &known.letters().letters;
    let longest = (0..letters.len()).rev().max_by_key(|&block| letters[block]).unwrap_or(0);
    put_distances(rows, FROM + 3, longest);
    put_distances(rows, FROM + 4, first(known.kinds(), |&kind| kind == H1));
}

/// The first of which this is true; where there is none, far behind.
fn first<T>(values: &[T], is_wanted: impl Fn(&T) -> bool) -> usize {
    values.iter().position(is_wanted).unwrap_or(values.len())
}

/// How far each block is behind this one.
fn put_distances(rows: &mut Rows, feature: usize, block: usize) {
    rows.put(feature, (0..).map(|number: i32| (number - block as i32) as f32));
}

/// How far behind the title each block is, and how much of a title each is.
fn fill_title(known: &Known, rows: &mut Rows) {
    let overlap = known.overlap();
    put_distances(rows, TITLE - 1, first(&overlap.covered, |&covered| covered >= MATCH));
    if rows.wants(TITLE) {
        let lengths = known.page.lengths.iter().map(|&length| (length as i32 - 2).max(1));
        rows.put(TITLE, overlap.hits.iter().zip(lengths).map(|(&hits, length)| share(hits, length)));
    }
    rows.put(TITLE + 1, overlap.covered.iter().map(|&covered| covered as f32));
}
