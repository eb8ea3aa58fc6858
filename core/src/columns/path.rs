//! Blocks that stand in the same place of the page's pattern: those with the same tags from the root down.

use crate::page::Elements;

use super::known::Known;
use super::letters::share;
use super::rows::Rows;

const OF_PATH: [&str; 7] =
    ["blocks", "letters", "link-share", "letters-per-block", "page-share", "sentence-ends", "longest"];
const PATHS: [&str; 2] = ["path", "parent-path"];

pub fn names() -> Vec<String> {
    PATHS.iter().flat_map(|path| OF_PATH.iter().map(move |name| format!("{path}.{name}"))).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    for (number, first) in [0, OF_PATH.len()].into_iter().enumerate() {
        if rows.wants_any(first..first + OF_PATH.len()) {
            fill_from(known, rows, first, known.paths(number));
        }
    }
}

/// The groups of blocks on the same path, or of blocks whose parents are.
pub fn paths(known: &Known, number: usize) -> Groups {
    let (page, keys) = (known.page, path_keys(&known.page.elements));
    let parents = &page.elements.parents;
    let around = |element: u32| if number == 0 { element } else { parents[element as usize] };
    groups(known, page.element.iter().map(|&element| keys[around(element) as usize]))
}

/// Of each element a number for the tags from the root down.
fn path_keys(elements: &Elements) -> Vec<u64> {
    let mut keys: Vec<u64> = Vec::with_capacity(elements.len());
    for (&parent, &code) in elements.parents.iter().zip(&elements.codes) {
        let above = keys.get(parent as usize).copied().unwrap_or(0);
        keys.push(mixed(above.wrapping_add(u64::from(code) + 1)));
    }
    keys
}

/// The last step of SplitMix64, which takes no two numbers to one.
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

#[derive(Clone, Copy, Default)]
struct Group {
    blocks: i32,
    letters: i32,
    linked: i32,
    ends: i32,
    longest: i32,
}

pub struct Groups {
    all: Vec<Group>,
    /// The number of that of each block.
    of_blocks: Vec<u32>,
}

fn fill_from(known: &Known, rows: &mut Rows, first: usize, groups: &Groups) {
    let (total, of_blocks) = (known.total().letters, &groups.of_blocks[rows.blocks()]);
    let groups = || of_blocks.iter().map(|&number| &groups.all[number as usize]);
    rows.put(first, groups().map(|group| group.blocks as f32));
    rows.put(first + 1, groups().map(|group| group.letters as f32));
    rows.put(first + 2, groups().map(|group| share(group.linked, group.letters)));
    rows.put(first + 3, groups().map(|group| share(group.letters, group.blocks)));
    rows.put(first + 4, groups().map(|group| share(group.letters, total)));
    rows.put(first + 5, groups().map(|group| group.ends as f32));
    rows.put(first + 6, groups().map(|group| group.longest as f32));
}

/// Of each block all blocks with its key.
fn groups(known: &Known, keys: impl Iterator<Item = u64>) -> Groups {
    let found = known.letters();
    let mut order: Vec<(u64, u32)> = keys.zip(0..).collect();
    order.sort_unstable();
    let mut groups = Groups { all: Vec::new(), of_blocks: vec![0; order.len()] };
    for same in order.chunk_by(|one, other| one.0 == other.0) {
        let mut group = Group { blocks: same.len() as i32, ..Group::default() };
        for &(_, block) in same {
            let block = block as usize;
            groups.of_blocks[block] = groups.all.len() as u32;
            group.letters += found.letters[block];
            group.linked += found.linked[block];
            group.ends += found.ends[block];
            group.longest = group.longest.max(found.letters[block]);
        }
        groups.all.push(group);
    }
    groups
}
