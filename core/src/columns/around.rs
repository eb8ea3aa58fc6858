//! What stands before and behind a block: its neighbours, the text around it, the section that it is in.

use std::ops::Range;

use super::kinds::{FIRST_HEADING, H1};
use super::known::Known;
use super::letters::{share, Sums};
use super::rows::Rows;

const STEPS: [isize; 4] = [-2, -1, 1, 2];
const WIDTHS: [usize; 2] = [2, 10];

const OF_NEIGHBOUR: [&str; 3] = ["letters", "link-share", "kind"];
const OF_WINDOW: [&str; 4] = ["letters", "link-share", "sentence-ends", "long-share"];
const OF_SECTION: [&str; 10] = [
    "blocks-before",
    "blocks-behind",
    "letters-before",
    "letters-behind",
    "link-share",
    "long-share",
    "sentence-ends",
    "number",
    "level",
    "next-level",
];
const WINDOW: usize = OF_NEIGHBOUR.len() * STEPS.len();
const SECTION: usize = WINDOW + OF_WINDOW.len() * WIDTHS.len();

pub fn names() -> Vec<String> {
    let beside = OF_NEIGHBOUR.iter().flat_map(|name| STEPS.iter().map(move |step| format!("beside.{step:+}.{name}")));
    let windows = OF_WINDOW.iter().flat_map(|name| WIDTHS.iter().map(move |width| format!("window.{width}.{name}")));
    beside.chain(windows).chain(OF_SECTION.iter().map(|name| format!("section.{name}"))).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    fill_neighbours(known, rows);
    for width in 0..WIDTHS.len() {
        fill_window(known, rows, width);
    }
    if rows.wants_any(SECTION..SECTION + OF_SECTION.len()) {
        fill_sections(known, rows);
    }
}

/// Beyond the ends of the page all are 0.
fn fill_neighbours(known: &Known, rows: &mut Rows) {
    let (found, kinds) = (known.letters(), known.kinds());
    for (number, step) in STEPS.into_iter().enumerate() {
        let numbers = rows.blocks().map(move |block| block.wrapping_add_signed(step));
        let letters = |block: usize| found.letters.get(block).copied().unwrap_or(0);
        let linked = |block: usize| found.linked.get(block).copied().unwrap_or(0);
        rows.put(number, numbers.clone().map(|block| letters(block) as f32));
        rows.put(STEPS.len() + number, numbers.clone().map(|block| share(linked(block), letters(block))));
        rows.put(2 * STEPS.len() + number, numbers.map(|block| kinds.get(block).copied().map_or(0.0, f32::from)));
    }
}

fn fill_window(known: &Known, rows: &mut Rows, number: usize) {
    let (sums, count) = (known.sums(), known.page.len());
    let held =
        |block: usize| sums[(block + WIDTHS[number] + 1).min(count)] - sums[block.saturating_sub(WIDTHS[number])];
    let blocks = rows.blocks();
    let mut put = |feature: usize, figure: fn(Sums) -> f32| {
        rows.put(WINDOW + feature * WIDTHS.len() + number, blocks.clone().map(|block| figure(held(block))));
    };
    put(0, |held| held.letters as f32);
    put(1, |held| share(held.linked, held.letters));
    put(2, |held| held.ends as f32);
    put(3, |held| share(held.long, held.letters));
}

/// A section begins with its heading; the first one with the page.
pub struct Section {
    first: u32,
    last: u32,
    level: u8,
    next_level: u8,
}

fn fill_sections(known: &Known, rows: &mut Rows) {
    let (sums, sections, blocks) = (known.sums(), known.sections(), rows.blocks());
    let first = sections.partition_point(|one| one.last as usize <= blocks.start);
    let mut put = |feature: usize, figure: &dyn Fn(&Section, u32) -> f32| {
        let sections = sections[first..].iter().take_while(|one| (one.first as usize) < blocks.end);
        let of_blocks = sections.flat_map(|one| {
            let (begin, end) = (one.first.max(blocks.start as u32), one.last.min(blocks.end as u32));
            (begin..end).map(move |block| figure(one, block))
        });
        rows.put(SECTION + feature, of_blocks);
    };
    let letters = |range: Range<u32>| (sums[range.end as usize].letters - sums[range.start as usize].letters) as f32;
    let held = |one: &Section| sums[one.last as usize] - sums[one.first as usize];
    put(0, &|one, block| (block - one.first) as f32);
    put(1, &|one, block| (one.last - block) as f32);
    put(2, &|one, block| letters(one.first..block));
    put(3, &|one, block| letters(block..one.last));
    put(4, &|one, _| share(held(one).linked, held(one).letters));
    put(5, &|one, _| share(held(one).long, held(one).letters));
    put(6, &|one, _| held(one).ends as f32);
    put(8, &|one, _| f32::from(one.level));
    put(9, &|one, _| f32::from(one.next_level));
    let numbered = (first..).zip(&sections[first..]);
    let numbers = numbered.flat_map(|(number, one)| {
        let count = one.last.min(blocks.end as u32).saturating_sub(one.first.max(blocks.start as u32));
        std::iter::repeat_n(number as f32, count as usize)
    });
    rows.put(SECTION + 7, numbers);
}

pub fn sections(kinds: &[u8]) -> Vec<Section> {
    let is_heading = |block: u32| (FIRST_HEADING..=H1).contains(&kinds[block as usize]);
    let count = kinds.len() as u32;
    let headings = || (0..count).filter(|&block| is_heading(block));
    // Blocks before the first heading are section 0; there may be none.
    let begins = std::iter::once(0).chain(headings());
    let ends = headings().chain([count]);
    let level = |block: u32| if block < count && is_heading(block) { kinds[block as usize] } else { 0 };
    let section = |(first, last)| Section { first, last, level: level(first), next_level: level(last) };
    begins.zip(ends).map(section).collect()
}
