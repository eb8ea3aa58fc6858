//! The parts of a page around a block: each next larger one, what it holds, and how often its like is beside it.

use super::kinds::kinds;
use super::known::Known;
use super::letters::{share, Sums};
use super::rows::Rows;
use super::tree_parts::{levels, Levels, LEVELS};

const OF_LEVEL: [&str; 15] = [
    "letters",
    "blocks",
    "link-share",
    "sentence-ends",
    "letters-per-block",
    "page-share",
    "position",
    "kind",
    "beside",
    "same-tag",
    "alike",
    "growth",
    "long-share",
    "letters-per-tag",
    "digit-share",
];
const OF_BRANCH: [&str; 4] = ["kind", "beside", "same-tag", "alike"];
const OF_ELEMENT: [&str; 3] = ["depth", "element-kind", "parent-kind"];
/// The first feature behind those of levels.
const BRANCH: usize = OF_LEVEL.len() * LEVELS;
const ELEMENT: usize = BRANCH + OF_BRANCH.len();

pub fn names() -> Vec<String> {
    let of_levels = OF_LEVEL.iter().flat_map(|name| (1..=LEVELS).map(move |level| format!("part.{level}.{name}")));
    let of_branch = OF_BRANCH.iter().map(|name| format!("part.0.{name}"));
    of_levels.chain(of_branch).chain(OF_ELEMENT.iter().map(|name| format!("part.{name}"))).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let levels = levels(known, rows.blocks());
    fill_sizes(known, rows, &levels);
    fill_likes(known, rows, &levels);
    fill_elements(known, rows);
}

/// What a part holds.
#[derive(Clone, Copy, Default)]
struct Part {
    held: Sums,
    first: i32,
    blocks: i32,
    tags: i32,
}

fn part(known: &Known, element: u32) -> Part {
    let (sums, spans) = (known.sums(), known.spans());
    let (first, last) = (spans.first[element as usize], spans.last[element as usize]);
    Part {
        held: sums[last as usize] - sums[first as usize],
        first: first as i32,
        blocks: (last - first) as i32,
        tags: (known.page.elements.ends[element as usize] - element) as i32,
    }
}

fn fill_sizes(known: &Known, rows: &mut Rows, levels: &Levels) {
    let total = known.total().letters;
    let blocks = rows.blocks();
    let mut inner: Vec<i32> = known.letters().letters[blocks.clone()].to_vec();
    let mut parts = vec![Part::default(); inner.len()];
    for (level, elements) in levels[1..].iter().enumerate() {
        for (part_of, &element) in parts.iter_mut().zip(elements) {
            *part_of = part(known, element);
        }
        // Each by itself, so that no figure is a call.
        let row = |feature: usize| feature * LEVELS + level;
        rows.put(row(0), parts.iter().map(|part| part.held.letters as f32));
        rows.put(row(1), parts.iter().map(|part| part.blocks as f32));
        rows.put(row(2), parts.iter().map(|part| share(part.held.linked, part.held.letters)));
        rows.put(row(3), parts.iter().map(|part| part.held.ends as f32));
        rows.put(row(4), parts.iter().map(|part| share(part.held.letters, part.blocks)));
        rows.put(row(12), parts.iter().map(|part| share(part.held.long, part.held.letters)));
        rows.put(row(13), parts.iter().map(|part| share(part.held.letters, part.tags)));
        rows.put(row(14), parts.iter().map(|part| share(part.held.digits, part.held.letters)));
        rows.put(row(5), parts.iter().map(|part| share(part.held.letters, total)));
        rows.put(
            6 * LEVELS + level,
            (blocks.start as i32..).zip(&parts).map(|(block, part)| share(block - part.first, part.blocks)),
        );
        rows.put(row(11), inner.iter().zip(&parts).map(|(&text, part)| share(text, part.held.letters)));
        for (text, part) in inner.iter_mut().zip(&parts) {
            *text = part.held.letters;
        }
    }
}

/// Of each level the tag of the innermost element that holds the part, and the like of the part beside it.
fn fill_likes(known: &Known, rows: &mut Rows, levels: &Levels) {
    let (kind, elements, likes) = (kinds(), &known.page.elements, known.likes());
    let like = |&branch: &u32| likes.of(branch);
    for (level, branches) in levels.iter().enumerate() {
        let row = |place: usize| if level == 0 { BRANCH + 1 + place } else { (8 + place) * LEVELS + level - 1 };
        rows.put(row(0), branches.iter().map(|branch| like(branch).beside as f32));
        rows.put(row(1), branches.iter().map(|branch| like(branch).same as f32));
        rows.put(row(2), branches.iter().map(|branch| like(branch).alike as f32));
    }
    rows.put(BRANCH, levels[0].iter().map(|&branch| f32::from(kind(elements.codes[branch as usize]))));
    for (level, branches) in levels[..LEVELS].iter().enumerate() {
        let parents = branches.iter().map(|&branch| elements.parents[branch as usize]);
        rows.put(7 * LEVELS + level, parents.map(|parent| f32::from(kind(elements.codes[parent as usize]))));
    }
}

fn fill_elements(known: &Known, rows: &mut Rows) {
    let (kind, elements, blocks) = (kinds(), &known.page.elements, rows.blocks());
    let element = &known.page.element[blocks.clone()];
    let parents = element.iter().map(|&element| elements.parents[element as usize]);
    rows.put(ELEMENT, element.iter().map(|&element| elements.depths[element as usize] as f32));
    rows.put(ELEMENT + 1, known.kinds()[blocks].iter().map(|&kind| f32::from(kind)));
    rows.put(ELEMENT + 2, parents.map(|parent| f32::from(kind(elements.codes[parent as usize]))));
}
