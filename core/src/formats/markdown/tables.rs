//! The rows of a table as Markdown: the first is the header, as wide as the widest, and so are all others.

use super::spans::{self, Place};
use super::Switches;
use crate::outline::{Kind, Outline};

/// Spans, and empty cells at the ends of rows, may make a table at most so many times larger than its cells.
const MOST_TIMES: usize = 4;
const FREE: usize = 1000;

pub fn rows(outline: &Outline, table: usize, switches: &Switches) -> Vec<Vec<String>> {
    let is_row = |&child: &usize| matches!(outline.nodes[child].kind, Kind::Row { .. });
    let rows: Vec<usize> = outline.children(table).filter(is_row).collect();
    let mut written = placed(outline, &rows, switches, true).unwrap_or_default();
    if written.is_empty() {
        written = placed(outline, &rows, switches, false).unwrap_or_default();
    }
    let has_header = rows.first().is_some_and(|&row| outline.nodes[row].kind == Kind::Row { is_header: true });
    if !has_header && !rows.is_empty() && switches.tables {
        written.insert(0, Vec::new());
    }
    fill(&mut written);
    written
}

/// Makes rows as wide as the widest. Where that takes too much, only the header: shorter rows are Markdown, too.
fn fill(rows: &mut [Vec<String>]) {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = rows.iter().map(Vec::len).sum::<usize>();
    let filled = if width * rows.len() > MOST_TIMES * cells + FREE { 1 } else { rows.len() };
    rows.iter_mut().take(filled).for_each(|row| row.resize(width, String::new()));
}

/// The text of a cell is in its first place; the rest of its span is empty. `None` if spans make the table too large.
fn placed(outline: &Outline, rows: &[usize], switches: &Switches, has_spans: bool) -> Option<Vec<Vec<String>>> {
    let cells = rows.iter().map(|&row| outline.children(row).count()).sum::<usize>();
    let (most, mut count) = (MOST_TIMES * cells + FREE, 0);
    // For each column how many rows further a cell above reaches.
    let mut above: Vec<u32> = Vec::new();
    let mut written = Vec::with_capacity(rows.len() + 1);
    for &row in rows {
        let mut line: Vec<String> = Vec::new();
        for cell in outline.children(row) {
            let Kind::Cell { columns, rows, .. } = outline.nodes[cell].kind else { continue };
            let (columns, rows) = if has_spans { (columns, rows) } else { (1, 1) };
            pass(&mut line, &mut above);
            let place = line.len();
            line.push(text(outline, cell, switches));
            line.resize(place + columns as usize, String::new());
            if rows > 1 {
                above.resize(above.len().max(line.len()), 0);
                above[place..place + columns as usize].fill(rows - 1);
            }
            count += columns as usize;
            if has_spans && count > most {
                return None;
            }
        }
        let place = line.len();
        above.iter_mut().skip(place).for_each(|left| *left = left.saturating_sub(1));
        count += above.len();
        written.push(line);
    }
    Some(written)
}

/// Skips the places that cells above span.
fn pass(line: &mut Vec<String>, above: &mut [u32]) {
    while let Some(left) = above.get_mut(line.len()).filter(|left| **left > 0) {
        *left -= 1;
        line.push(String::new());
    }
}

/// All texts of a cell in one line.
fn text(outline: &Outline, cell: usize, switches: &Switches) -> String {
    let mut line = String::new();
    let place = if switches.tables { Place::Cell } else { Place::Paragraph };
    for node in &outline.nodes[cell + 1..outline.nodes[cell].end as usize] {
        if node.kind.has_text() {
            if !line.is_empty() {
                line.push(' ');
            }
            if node.kind == Kind::Code {
                spans::write_code(&mut line, outline.text_of(node), place);
            } else {
                spans::write(&mut line, outline, node, switches, " ", place);
            }
        }
    }
    line
}
