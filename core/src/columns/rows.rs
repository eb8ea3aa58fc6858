//! Where the figures of a group go.

use std::ops::Range;

/// The row of a feature that nobody asks for.
pub const UNWANTED: u32 = u32::MAX;

/// The rows of one group in the matrix, for a range of blocks; features that nobody asks for are not computed.
pub struct Rows<'a> {
    data: &'a mut [f32],
    stride: usize,
    /// The column of the first block.
    first: usize,
    blocks: Range<usize>,
    /// The row of each feature of the group.
    rows: &'a [u32],
}

impl<'a> Rows<'a> {
    pub fn new(data: &'a mut [f32], stride: usize, blocks: Range<usize>, rows: &'a [u32]) -> Self {
        Self { data, stride, first: 0, blocks, rows }
    }

    /// The same for some of the blocks.
    pub fn within(&mut self, blocks: Range<u32>) -> Rows<'_> {
        let blocks = blocks.start as usize..blocks.end as usize;
        let first = self.first + blocks.start - self.blocks.start;
        Rows { data: self.data, stride: self.stride, first, blocks, rows: self.rows }
    }

    /// The blocks whose figures are asked for.
    pub fn blocks(&self) -> Range<usize> {
        self.blocks.clone()
    }

    pub fn wants(&self, feature: usize) -> bool {
        self.rows[feature] != UNWANTED
    }

    pub fn wants_any(&self, mut features: impl Iterator<Item = usize>) -> bool {
        features.any(|feature| self.wants(feature))
    }

    /// One value for each block of the range, in their order.
    pub fn put(&mut self, feature: usize, values: impl Iterator<Item = f32>) {
        if let Some(row) = self.row(feature) {
            for (slot, value) in row.iter_mut().zip(values) {
                *slot = value;
            }
        }
    }

    /// One value for all blocks.
    pub fn put_all(&mut self, feature: usize, value: f32) {
        if let Some(row) = self.row(feature) {
            row.fill(value);
        }
    }

    fn row(&mut self, feature: usize) -> Option<&mut [f32]> {
        let row = self.rows[feature];
        (row != UNWANTED).then(|| &mut self.data[row as usize * self.stride + self.first..][..self.blocks.len()])
    }
}
