//! Compares the columns with numpy's, page by page, and times them.
//!
//!     cargo run --locked --release --example columns_check -- pages.bin [names, one a line]
//!
//! The file holds the names of the features, then of each page what victorpy 0.1 cut it into and its matrix; all
//! numbers are little-endian, texts have their length before them.

use std::collections::BTreeMap;
use std::time::Instant;

use victor_core::columns::{matrix, Matrix, Plan};
use victor_core::page::{Elements, Page, Runs};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let data = std::fs::read(&arguments[1]).expect("a file of pages");
    let mut reader = Reader { data: &data, at: 0 };
    let names = reader.text();
    let names: Vec<&str> = names.split('\n').collect();
    let plan = Plan::new(&names).expect("known features");
    let mut pages = Vec::new();
    let mut differences = Differences::default();
    while reader.at < data.len() {
        let (id, page) = reader.page();
        let expected: Vec<Vec<f32>> = names.iter().map(|_| reader.floats(page.len())).collect();
        differences.compare(&id, &names, &matrix(&page, &plan), &expected);
        pages.push(page);
    }
    differences.report(pages.len());
    let timed = arguments.get(2).map(|path| std::fs::read_to_string(path).expect("a file of names"));
    let timed: Vec<&str> = timed.as_ref().map_or(names, |list| list.lines().collect());
    time(&pages, &timed);
}

#[derive(Default)]
struct Differences {
    /// By feature: how many pages, the largest, and where it is.
    found: BTreeMap<String, (usize, f32, String)>,
}

impl Differences {
    fn compare(&mut self, id: &str, names: &[&str], found: &Matrix, expected: &[Vec<f32>]) {
        for (row, (name, expected)) in names.iter().zip(expected).enumerate() {
            let relative = |(found, expected): (&f32, &f32)| {
                if found == expected {
                    0.0
                } else {
                    (found - expected).abs() / expected.abs().max(1e-6)
                }
            };
            let pairs = || found.row(row).iter().zip(expected);
            let largest = pairs().map(relative).fold(0.0, |one: f32, other| if other >= one { other } else { one });
            let is_count = expected.iter().all(|value| value.fract() == 0.0);
            if largest > 1e-5 || largest.is_nan() || (is_count && largest > 0.0) {
                let block = pairs().position(|pair| relative(pair) == largest).unwrap_or(0);
                let at = format!("{id} block {block}: {} not {}", found.row(row)[block], expected[block]);
                let entry = self.found.entry(name.to_string()).or_default();
                entry.0 += 1;
                if largest > entry.1 {
                    (entry.1, entry.2) = (largest, at);
                }
            }
        }
    }

    fn report(&self, pages: usize) {
        println!("{pages} pages, {} features differ", self.found.len());
        for (name, (count, largest, at)) in &self.found {
            println!("{name}: {count} pages, {largest:.2e} at {at}");
        }
    }
}

fn time(pages: &[Page], names: &[&str]) {
    let plan = Plan::new(names).expect("known features");
    let blocks: usize = pages.iter().map(Page::len).sum();
    let bytes: usize = pages.iter().map(|page| page.text.len()).sum();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let begin = Instant::now();
        let sum: usize = pages.iter().map(|page| std::hint::black_box(matrix(page, &plan)).data.len()).sum();
        std::hint::black_box(sum);
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let each = pages.len() as f64;
    println!(
        "{} features: {:.1} µs a page of {:.0} blocks and {:.0} bytes of text",
        names.len(),
        best * 1e6 / each,
        blocks as f64 / each,
        bytes as f64 / each
    );
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> &[u8] {
        self.at += count;
        &self.data[self.at - count..self.at]
    }

    fn number(&mut self) -> usize {
        self.numbers(1)[0] as usize
    }

    fn numbers(&mut self, count: usize) -> Vec<u32> {
        self.bytes(4 * count).chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four"))).collect()
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.numbers(count).into_iter().map(f32::from_bits).collect()
    }

    fn text(&mut self) -> String {
        let length = self.number();
        self.string(length)
    }

    fn string(&mut self, length: usize) -> String {
        String::from_utf8(self.bytes(length).to_vec()).expect("UTF-8")
    }

    fn page(&mut self) -> (String, Page) {
        let (id, title) = (self.text(), self.text());
        let (elements, runs, blocks) = (self.number(), self.number(), self.number());
        let codes = self.bytes(2 * elements).chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
        let elements = Elements {
            origin: (0..elements as u32).collect(),
            codes,
            parents: self.numbers(elements),
            depths: self.numbers(elements),
            ends: self.numbers(elements),
            roles: self.bytes(elements).to_vec(),
        };
        let mut page = Page { elements, title, ..Page::default() };
        page.runs = Runs {
            element: self.numbers(runs),
            place: self.numbers(runs),
            block: self.numbers(runs),
            start: self.numbers(runs),
            begin: Vec::new(),
        };
        self.fill_texts(&mut page, blocks);
        page.element = self.numbers(blocks);
        page.is_spaced = self.bytes(blocks).iter().map(|&flag| flag > 0).collect();
        page.is_new_line = self.bytes(blocks).iter().map(|&flag| flag > 0).collect();
        (id, page)
    }

    fn fill_texts(&mut self, page: &mut Page, blocks: usize) {
        page.text.push('\n');
        for length in self.numbers(blocks) {
            let text = self.string(length as usize);
            page.begins.push(page.text.len() as u32);
            page.lengths.push(text.chars().count() as u32);
            page.text.push_str(&text);
            page.ends.push(page.text.len() as u32);
            page.text.push('\n');
        }
        for (run, &block) in page.runs.block.iter().enumerate() {
            if block as usize == page.first_runs.len() {
                page.first_runs.push(run as u32);
            }
        }
        page.first_runs.push(page.runs.block.len() as u32);
        page.runs.begin = begins_of_runs(page);
    }
}

fn begins_of_runs(page: &Page) -> Vec<u32> {
    let begin = |(&block, &start): (&u32, &u32)| {
        let text = page.block(block as usize);
        let bytes = text.char_indices().nth(start as usize).map_or(text.len(), |(place, _)| place);
        page.begins[block as usize] + bytes as u32
    };
    page.runs.block.iter().zip(&page.runs.start).map(begin).collect()
}
