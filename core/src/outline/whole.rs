//! Keeps or drops tables, lists and listings as a whole, if most of their text is kept or dropped.

use super::roles::{role, Role};
use super::tables::{self, TableKind};
use crate::decode::OTHER;
use crate::page::Page;

const PARAGRAPH: u8 = 0;
const LIST: u8 = 2;
const CONTINUATION: u8 = 3;

/// All of a structure is kept from one share of kept text on, and dropped up to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    pub keep: f64,
    pub drop: f64,
}

/// The shares of each kind of structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    pub table: Shares,
    pub list: Shares,
    pub code: Shares,
}

const OFF: Shares = Shares { keep: 1.0, drop: 0.0 };

/// Chosen on cross-validated labels, without loss of word F1 in any set: docs/outline.md has the figures. Lists keep
/// their labels, because forums write their posts as lists.
impl Default for Thresholds {
    fn default() -> Self {
        Self { table: Shares { keep: 0.9, drop: 0.2 }, list: OFF, code: Shares { keep: 0.25, drop: 0.1 } }
    }
}

/// The labels after whole structures are kept or dropped. All formats use them.
pub fn whole(page: &Page, labels: &[u8], thresholds: &Thresholds) -> Vec<u8> {
    let mut labels = labels.to_vec();
    let elements = &page.elements;
    let mut element = 0;
    while element < elements.len() {
        let shares = match role(page.tree.tags[elements.origin[element] as usize]) {
            Role::Listing => thresholds.code,
            Role::List | Role::Definitions => thresholds.list,
            Role::Table if matches!(tables::kind(page, element), TableKind::Data | TableKind::Posts) => {
                thresholds.table
            }
            _ => OFF,
        };
        if shares == OFF {
            element += 1;
            continue;
        }
        settle(page, element, shares, &mut labels);
        element = elements.ends[element] as usize;
    }
    labels
}

fn settle(page: &Page, element: usize, shares: Shares, labels: &mut [u8]) {
    let blocks = blocks(page, element);
    let length =
        |blocks: &mut dyn Iterator<Item = usize>| blocks.map(|block| f64::from(page.lengths[block])).sum::<f64>();
    let all = length(&mut blocks.clone());
    let kept = length(&mut blocks.clone().filter(|&block| labels[block] < OTHER));
    if kept == all || kept == 0.0 {
        return;
    }
    if kept >= shares.keep * all {
        for block in blocks {
            if labels[block] == OTHER {
                labels[block] = label(page, element, block, labels);
            }
        }
    } else if kept <= shares.drop * all {
        labels[blocks].fill(OTHER);
    }
}

/// The blocks inside an element.
fn blocks(page: &Page, element: usize) -> std::ops::Range<usize> {
    let (first, behind) = tables::runs(page, element);
    if first == behind {
        return 0..0;
    }
    page.runs.block[first] as usize..page.runs.block[behind - 1] as usize + 1
}

/// The label of a block that is kept with its structure: lines of code continue, texts in lists begin items.
fn label(page: &Page, element: usize, block: usize, labels: &[u8]) -> u8 {
    match role(page.tree.tags[page.elements.origin[element] as usize]) {
        Role::Table => PARAGRAPH,
        Role::Listing if block > 0 && labels[block - 1] < OTHER && blocks(page, element).start < block => CONTINUATION,
        Role::Listing => PARAGRAPH,
        _ => {
            let around = page.element[block];
            let before = block.checked_sub(1).map(|before| page.element[before]);
            if before == Some(around) {
                CONTINUATION
            } else {
                LIST
            }
        }
    }
}
