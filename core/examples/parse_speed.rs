//! How fast pages are parsed: `parse_speed FOLDER [COUNT]`, the best of five rounds over its first pages.

use std::time::Instant;

use victor_core::html::{parse, Options};

const ROUNDS: usize = 5;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("usage: parse_speed FOLDER [COUNT]");
    let count = arguments.next().map_or(250, |count| count.parse().expect("a number of pages"));
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| String::from_utf8_lossy(&std::fs::read(path).expect("a page")).into_owned();
    let pages: Vec<String> = paths.iter().take(count).map(read).collect();
    let bytes: usize = pages.iter().map(String::len).sum();
    let mut best = f64::INFINITY;
    let mut elements = 0;
    for _ in 0..ROUNDS {
        let copies = pages.clone();
        let begin = Instant::now();
        elements = copies.into_iter().map(|page| parse(page, Options { repairs: true }).len()).sum();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let megabytes = bytes as f64 / 1e6;
    let milliseconds = 1e3 * best / pages.len() as f64;
    println!("{} pages, {megabytes:.1} MB, {elements} elements", pages.len());
    println!("{milliseconds:.3} ms per page, {:.0} MB/s", megabytes / best);
}
