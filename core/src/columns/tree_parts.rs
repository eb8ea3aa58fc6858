//! The parts of a page: which blocks each element holds, the branches around each block, and their like.

use std::ops::Range;

use crate::page::Page;

use super::known::Known;

/// For every element the first block in it, and the first behind it.
pub struct Spans {
    pub first: Vec<u32>,
    pub last: Vec<u32>,
}

impl Spans {
    pub fn count(&self, element: u32) -> u32 {
        self.last[element as usize] - self.first[element as usize]
    }
}

pub fn spans(page: &Page) -> Spans {
    let elements = &page.elements;
    let before = blocks_before(page);
    let first = (0..elements.len()).map(|element| before[elements.opening(element) as usize]).collect();
    let last = (0..elements.len()).map(|element| before[elements.closing(element) as usize]).collect();
    Spans { first, last }
}

/// How many blocks begin before the tag behind each place.
fn blocks_before(page: &Page) -> Vec<u32> {
    let mut before = vec![0; 2 * page.elements.len() + 1];
    for &run in &page.first_runs[..page.len()] {
        before[page.runs.place[run as usize] as usize] += 1;
    }
    let mut total = 0;
    for count in &mut before {
        total += *count;
        *count = total;
    }
    before
}

/// The innermost branch that each element is on: an element whose parent holds more blocks than it does itself.
pub fn branches(known: &Known) -> Vec<u32> {
    let (parents, spans) = (&known.page.elements.parents, known.spans());
    let mut branches: Vec<u32> = Vec::with_capacity(parents.len());
    for (element, &parent) in (0..).zip(parents) {
        let is_alone = element > 0 && spans.count(element) == spans.count(parent);
        branches.push(if is_alone { branches[parent as usize] } else { element });
    }
    branches
}

/// How many levels there are above the branch that a block is on.
pub const LEVELS: usize = 5;

/// The branch that each block is on, and above it branches of ever larger parts.
pub type Levels = [Vec<u32>; LEVELS + 1];

pub fn levels(known: &Known, blocks: Range<usize>) -> Levels {
    let (branches, above) = (known.branches(), above(known));
    let mut levels: Levels = Default::default();
    levels[0] = known.page.element[blocks].iter().map(|&element| branches[element as usize]).collect();
    for level in 0..LEVELS {
        levels[level + 1] = levels[level].iter().map(|&branch| above(branch)).collect();
    }
    levels
}

/// The branch around a branch.
pub fn above<'a>(known: &'a Known) -> impl Fn(u32) -> u32 + 'a {
    let (parents, branches) = (&known.page.elements.parents, known.branches());
    move |branch| branches[parents[branch as usize] as usize]
}

/// How many branches the parent of a branch has, how many of the same tag, and how many are built alike.
#[derive(Clone, Copy, Default)]
pub struct Like {
    pub beside: i32,
    pub same: i32,
    pub alike: i32,
}

/// The likes of all elements; many are the same.
pub struct Likes {
    all: Vec<Like>,
    /// The number of that of each element: 0 is none, for what is no branch or holds no blocks.
    of_elements: Vec<u32>,
}

impl Likes {
    pub fn of(&self, element: u32) -> Like {
        self.all[self.of_elements[element as usize] as usize]
    }
}

pub fn likes(known: &Known) -> Likes {
    let (codes, branches, spans) = (&known.page.elements.codes, known.branches(), known.spans());
    let is_unit = |element: u32| branches[element as usize] == element && spans.count(element) > 0;
    let mut groups = siblings(&known.page.elements.parents, is_unit);
    let builds = builds(known.page);
    let mut likes = Likes { all: vec![Like::default()], of_elements: vec![0; codes.len()] };
    for group in groups.each() {
        group.sort_unstable_by_key(|&element| (codes[element as usize], builds[element as usize]));
        for same in group.chunk_by(|&one, &other| codes[one as usize] == codes[other as usize]) {
            for alike in same.chunk_by(|&one, &other| builds[one as usize] == builds[other as usize]) {
                let number = likes.all.len() as u32;
                let like = Like { beside: group.len() as i32, same: same.len() as i32, alike: alike.len() as i32 };
                likes.all.push(like);
                alike.iter().for_each(|&element| likes.of_elements[element as usize] = number);
            }
        }
    }
    likes
}

/// Elements in the order of their parents.
struct Siblings {
    elements: Vec<u32>,
    /// Where in `elements` the children of each parent end.
    ends: Vec<u32>,
}

impl Siblings {
    fn each(&mut self) -> impl Iterator<Item = &mut [u32]> {
        let mut rest = &mut self.elements[..];
        let mut begin = 0;
        self.ends.iter().filter_map(move |&end| {
            let (group, behind) = std::mem::take(&mut rest).split_at_mut((end - begin) as usize);
            (rest, begin) = (behind, end);
            (!group.is_empty()).then_some(group)
        })
    }
}

/// The chosen elements; the root is a child of its own.
fn siblings(parents: &[u32], is_chosen: impl Fn(u32) -> bool) -> Siblings {
    let chosen: Vec<u32> = (0..parents.len() as u32).filter(|&element| is_chosen(element)).collect();
    let mut places = vec![0; parents.len() + 1];
    for &element in &chosen {
        places[parents[element as usize] as usize + 1] += 1;
    }
    for parent in 0..parents.len() {
        places[parent + 1] += places[parent];
    }
    let mut elements = vec![0; chosen.len()];
    for &element in &chosen {
        let place = &mut places[parents[element as usize] as usize];
        elements[*place as usize] = element;
        *place += 1;
    }
    places.pop();
    Siblings { elements, ends: places }
}

/// Of each element a number for the set of tags of its children.
fn builds(page: &Page) -> Vec<u64> {
    let mut builds = vec![0; page.elements.len()];
    for (&parent, &code) in page.elements.parents.iter().zip(&page.elements.codes) {
        builds[parent as usize] |= 1 << (code & 63);
    }
    builds
}
