//! Positions of blocks: the element around them, and their bytes in the source.

use super::places::Places;
use crate::page::Page;

/// The XPath of the innermost element that holds all blocks, and the bytes from their first to their last.
pub type BlockPlace = (String, Option<(usize, usize)>);

/// The place of each group of blocks. Groups are in order and not empty. Byte ranges count from the start of the
/// document, which has `offset` bytes before the source; without an offset there are none.
pub fn block_places(page: &Page, places: &Places, groups: &[Vec<usize>], offset: Option<usize>) -> Vec<BlockPlace> {
    let path = |group: &[usize]| places.paths.path(&page.tree, page.elements.origin[around(page, group)] as usize);
    let bytes = |group: &[usize]| offset.and_then(|offset| bytes(page, group, &places.ranges, offset));
    groups.iter().map(|group| (path(group), bytes(group))).collect()
}

fn around(page: &Page, group: &[usize]) -> usize {
    let elements = &page.elements;
    let mut element = group.first().map_or(0, |&block| page.element[block] as usize);
    for inner in group.iter().map(|&block| page.element[block] as usize) {
        while element > 0 && !(element <= inner && inner < elements.ends[element] as usize) {
            element = elements.parents[element] as usize;
        }
    }
    element
}

fn bytes(page: &Page, group: &[usize], ranges: &[Option<(u32, u32)>], offset: usize) -> Option<(usize, usize)> {
    let runs = group.iter().flat_map(|&block| page.first_runs[block] as usize..page.first_runs[block + 1] as usize);
    let found = runs.filter_map(|run| ranges[run]);
    let whole = found.reduce(|sum, (start, end)| (sum.0.min(start), sum.1.max(end)))?;
    Some((whole.0 as usize + offset, whole.1 as usize + offset))
}
