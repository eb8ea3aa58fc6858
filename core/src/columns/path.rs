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
    let (page, keys) = (known.page, path_keys(&known.page.elements));
    let own = |&element: &u32| keys[element as usize];
    let of_parent = |&element: &u32| keys[page.elements.parents[element as usize] as usize];
    if rows.wants_any(0..OF_PATH.len()) {
        fill_from(known, rows, 0, page.element.iter().map(own));
    }
    if rows.wants_any(OF_PATH.len()..2 * OF_PATH.len()) {
        fill_from(known, rows, OF_PATH.len(), page.element.iter().map(of_parent));
    }
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

fn fill_from(known: &Known, rows: &mut Rows, first: usize, keys: impl Iterator<Item = u64>) {
    let (groups, total) = (groups(known, keys), known.total().letters);
    let mut put = |feature: usize, figure: &dyn Fn(&Group) -> f32| rows.put(first + feature, groups.iter().map(figure));
    put(0, &|group| group.blocks as f32);
    put(1, &|group| group.letters as f32);
    put(2, &|group| share(group.linked, group.letters));
    put(3, &|group| share(group.letters, group.blocks));
    put(4, &|group| share(group.letters, total));
    put(5, &|group| group.ends as f32);
    put(6, &|group| group.longest as f32);
}

/// Of each block all blocks with its key.
fn groups(known: &Known, keys: impl Iterator<Item = u64>) -> Vec<Group> {
    let found = known.letters();
    let mut order: Vec<(u64, u32)> = keys.zip(0..).collect();
    order.sort_unstable();
    let mut groups = vec![Group::default(); order.len()];
    for same in order.chunk_by(|one, other| one.0 == other.0) {
        let mut group = Group { blocks: same.len() as i32, ..Group::default() };
        for &(_, block) in same {
            let block = block as usize;
            group.letters += found.letters[block];
            group.linked += found.linked[block];
            group.ends += found.ends[block];
            group.longest = group.longest.max(found.letters[block]);
        }
        same.iter().for_each(|&(_, block)| groups[block as usize] = group);
    }
    groups
}
