//! The columns that the cells of a table span.

use std::collections::HashMap;

use crate::outline::{Kind, Outline};

/// Cells beyond this column have no spans.
const WIDEST: usize = 1000;

/// The column spans of cells that span several columns. No cell leaves its section of rows.
///
/// HTML counts only columns in which a cell begins, and forbids that cells overlap.
pub fn column_spans(outline: &Outline, sections: [&[usize]; 2]) -> HashMap<usize, u32> {
    let mut grid = Grid::default();
    for rows in sections {
        grid.above.clear();
        for (place, &row) in rows.iter().enumerate() {
            grid.add_row(outline, row, (rows.len() - place) as u32);
        }
    }
    grid.spans()
}

#[derive(Default)]
struct Grid {
    /// In which columns a cell begins.
    begins: Vec<bool>,
    /// For each column, how many more rows a cell above spans.
    above: Vec<u32>,
    /// The cells that span several columns: their node, their first column, the number of columns.
    wide: Vec<(usize, usize, usize)>,
}

impl Grid {
    fn add_row(&mut self, outline: &Outline, row: usize, rows_left: u32) {
        let mut column = 0;
        for cell in outline.children(row) {
            let Kind::Cell { columns, rows, .. } = outline.nodes[cell].kind else { continue };
            column += self.above.iter().skip(column).take_while(|&&rows| rows > 0).count();
            if column >= WIDEST {
                break;
            }
            let free = self.above.iter().skip(column).position(|&rows| rows > 0).unwrap_or(WIDEST);
            let columns = (columns as usize).min(free).min(WIDEST - column);
            self.begins.resize(self.begins.len().max(column + columns), false);
            self.begins[column] = true;
            if columns > 1 {
                self.wide.push((cell, column, columns));
            }
            let rows = rows.min(rows_left);
            if rows > 1 {
                self.above.resize(self.above.len().max(column + columns), 0);
                self.above[column..column + columns].fill(rows);
            }
            column += columns;
        }
        self.above.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
    }

    fn spans(&self) -> HashMap<usize, u32> {
        let begun = |&(cell, column, columns): &(usize, usize, usize)| {
            (cell, self.begins[column..column + columns].iter().filter(|&&begins| begins).count() as u32)
        };
        self.wide.iter().map(begun).collect()
    }
}
