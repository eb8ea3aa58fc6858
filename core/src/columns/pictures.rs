//! How far the nearest pictures before and behind a block are.

use crate::html::tags;
use crate::markup::code;
use crate::page::Page;

use super::known::Known;
use super::rows::Rows;

const NAMES: [&str; 2] = ["before", "behind"];

/// Where there is none, or it is as far, in tags.
const NONE: u32 = 1000;

pub fn names() -> Vec<String> {
    NAMES.iter().map(|name| format!("picture.{name}")).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let (page, pictures) = (known.page, known.pictures());
    let distance = |from: u32, to: u32| to.saturating_sub(from).min(NONE) as f32;
    let mut next = pictures.partition_point(|&picture| picture < first_place(page, rows.blocks().start));
    let pairs: Vec<[f32; 2]> = rows
        .blocks()
        .map(|block| {
            let begin = first_place(page, block);
            while pictures.get(next).is_some_and(|&picture| picture < begin) {
                next += 1;
            }
            let end = page.runs.place[page.first_runs[block + 1] as usize - 1];
            let behind = pictures[next..].iter().find(|&&picture| picture >= end);
            let before = next.checked_sub(1).map(|last| pictures[last]);
            [
                before.map_or(NONE as f32, |picture| distance(picture, begin)),
                behind.map_or(NONE as f32, |&picture| distance(end, picture)),
            ]
        })
        .collect();
    for number in 0..NAMES.len() {
        rows.put(number, pairs.iter().map(|pair| pair[number]));
    }
}

fn first_place(page: &Page, block: usize) -> u32 {
    page.first_runs.get(block).and_then(|&run| page.runs.place.get(run as usize)).copied().unwrap_or(u32::MAX)
}

/// Where pictures stand among all tags, in order.
pub fn pictures(page: &Page) -> Vec<u32> {
    let elements = &page.elements;
    let are = (0..elements.len()).filter(|&element| elements.codes[element] == code(tags::IMG));
    let mut places: Vec<u32> = are.map(|element| elements.opening(element)).collect();
    places.sort_unstable();
    places
}
