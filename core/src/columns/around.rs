//! What stands before and behind a block: its neighbours, the text around it, the section that it is in.

use super::kinds::{FIRST_HEADING, H1};
use super::known::Known;
use super::letters::share;
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
    let row = |feature: usize| WINDOW + feature * WIDTHS.len() + number;
    let windows = rows.blocks().map(held);
    rows.put(row(0), windows.clone().map(|held| held.letters as f32));
    rows.put(row(1), windows.clone().map(|held| share(held.linked, held.letters)));
    rows.put(row(2), windows.clone().map(|held| held.ends as f32));
    rows.put(row(3), windows.map(|held| share(held.long, held.letters)));
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
    let inside = |one: &Section| one.first.max(blocks.start as u32)..one.last.min(blocks.end as u32);
    for (number, one) in (first..).zip(&sections[first..]).take_while(|(_, one)| (one.first as usize) < blocks.end) {
        let held = sums[one.last as usize] - sums[one.first as usize];
        let letters = |begin: u32, end: u32| (sums[end as usize].letters - sums[begin as usize].letters) as f32;
        let mut rows = rows.within(inside(one));
        let mut put_all = |feature: usize, value: f32| rows.put_all(SECTION + feature, value);
        put_all(4, share(held.linked, held.letters));
        put_all(5, share(held.long, held.letters));
        put_all(6, held.ends as f32);
        put_all(7, number as f32);
        put_all(8, f32::from(one.level));
        put_all(9, f32::from(one.next_level));
        rows.put(SECTION, inside(one).map(|block| (block - one.first) as f32));
        rows.put(SECTION + 1, inside(one).map(|block| (one.last - block) as f32));
        rows.put(SECTION + 2, inside(one).map(|block| letters(one.first, block)));
        rows.put(SECTION + 3, inside(one).map(|block| letters(block, one.last)));
    }
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
