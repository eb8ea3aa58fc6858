//! What the labelers see of a page: one row of figures per feature, one figure per block.
//!
//! What each feature counts is in docs/features.md.

mod around;
mod block;
mod characters;
mod cores;
mod families;
mod inside;
mod kinds;
mod known;
mod letters;
mod links;
mod near;
mod part;
mod path;
mod pictures;
mod rows;
mod said;
mod title;
mod tree_parts;
mod whole;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::deadline;
use crate::page::Page;

use known::Known;
use rows::Rows;

pub use characters::{is, traits};

/// Features that are computed together.
struct Group {
    names: fn() -> Vec<String>,
    fill: fn(&Known, &mut Rows),
}

const GROUPS: [Group; 11] = [
    Group { names: block::names, fill: block::fill },
    Group { names: part::names, fill: part::fill },
    Group { names: inside::names, fill: inside::fill },
    Group { names: whole::names, fill: whole::fill },
    Group { names: cores::names, fill: cores::fill },
    Group { names: around::names, fill: around::fill },
    Group { names: path::names, fill: path::fill },
    Group { names: near::names, fill: near::fill },
    Group { names: links::names, fill: links::fill },
    Group { names: said::names, fill: said::fill },
    Group { names: pictures::names, fill: pictures::fill },
];

/// All features, group by group.
struct Features {
    names: Vec<String>,
    /// Where in `names` each group begins, and last how many there are.
    firsts: [usize; GROUPS.len() + 1],
}

fn features() -> &'static Features {
    static FEATURES: OnceLock<Features> = OnceLock::new();
    FEATURES.get_or_init(|| {
        let mut features = Features { names: Vec::new(), firsts: [0; GROUPS.len() + 1] };
        for (number, group) in GROUPS.iter().enumerate() {
            features.names.extend((group.names)());
            features.firsts[number + 1] = features.names.len();
        }
        features
    })
}

/// The names of all features, always in the same order.
pub fn names() -> impl Iterator<Item = &'static str> {
    features().names.iter().map(String::as_str)
}

/// Which features are asked for, and in which row each goes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The row of every feature there is, or `rows::UNWANTED`.
    rows: Vec<u32>,
    is_needed: [bool; GROUPS.len()],
    /// Rows whose name came before: from where to copy them, and to where.
    copies: Vec<(usize, usize)>,
    len: usize,
}

impl Plan {
    /// Row n is the feature of the n-th name; fails with the first name that is no feature.
    pub fn new(names: &[&str]) -> Result<Self, String> {
        let mut rows = vec![rows::UNWANTED; features().names.len()];
        let numbers: HashMap<&str, usize> = self::names().zip(0..).collect();
        let mut copies = Vec::new();
        for (row, &name) in names.iter().enumerate() {
            let slot = &mut rows[*numbers.get(name).ok_or_else(|| name.to_string())?];
            if *slot == rows::UNWANTED {
                *slot = row as u32;
            } else {
                copies.push((*slot as usize, row));
            }
        }
        let firsts = &features().firsts;
        let is_wanted = |group: usize| rows[firsts[group]..firsts[group + 1]].iter().any(|&row| row != rows::UNWANTED);
        Ok(Self { is_needed: std::array::from_fn(is_wanted), rows, copies, len: names.len() })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The figures of a page, a row per feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    pub data: Vec<f32>,
    /// From one row to the next: a multiple of 16; what lies behind the last block is 0.
    pub stride: usize,
    pub rows: usize,
    pub blocks: usize,
}

impl Matrix {
    pub fn row(&self, number: usize) -> &[f32] {
        &self.data[number * self.stride..][..self.blocks]
    }
}

const LANES: usize = 16;

/// The features of a plan for all blocks of a page. Those of the whole page are rows as well, of one value each.
pub fn matrix(page: &Page, plan: &Plan) -> Matrix {
    Columns::new(page, plan).matrix(0..page.len())
}

/// The features of a plan, computed for a range of blocks at a time: what they share is computed once for the page.
pub struct Columns<'a> {
    known: Known<'a>,
    plan: &'a Plan,
}

impl<'a> Columns<'a> {
    pub fn new(page: &'a Page, plan: &'a Plan) -> Self {
        Self { known: Known::new(page), plan }
    }

    /// How many blocks the page has.
    pub fn blocks(&self) -> usize {
        self.known.page.len()
    }

    pub fn matrix(&self, blocks: Range<usize>) -> Matrix {
        let mut matrix = Matrix::default();
        self.fill(blocks, &mut matrix);
        matrix
    }

    /// The same in the memory of another matrix.
    pub fn fill(&self, blocks: Range<usize>, matrix: &mut Matrix) {
        let stride = blocks.len().next_multiple_of(LANES);
        (matrix.stride, matrix.rows, matrix.blocks) = (stride, self.plan.len, blocks.len());
        matrix.data.clear();
        matrix.data.resize(self.plan.len * stride, 0.0);
        if blocks.is_empty() {
            return;
        }
        for (number, group) in GROUPS.iter().enumerate().filter(|&(number, _)| self.plan.is_needed[number]) {
            deadline::check();
            let of_group = &self.plan.rows[features().firsts[number]..features().firsts[number + 1]];
            (group.fill)(&self.known, &mut Rows::new(&mut matrix.data, stride, blocks.clone(), of_group));
        }
        for &(from, to) in &self.plan.copies {
            matrix.data.copy_within(from * stride..(from + 1) * stride, to * stride);
        }
    }
}
