//! How pages are decoded: `sniff_pages PATH…` prints a line for each: path, encoding, origin, replaced, CRC-32 and length
//! of the text, text or binary. Without a PATH they are read from standard input, one a line. `--time` prints only MB/s.

use std::io::{stdin, BufRead};
use std::time::Instant;

use victor_core::sniff::{decode, is_binary};

fn main() {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let is_timed = paths.first().is_some_and(|first| first == "--time");
    if is_timed {
        paths.remove(0);
    }
    if paths.is_empty() {
        paths = stdin().lock().lines().map_while(Result::ok).collect();
    }
    if is_timed {
        return print_speed(&paths);
    }
    for path in paths {
        let Ok(data) = std::fs::read(&path) else { continue };
        let page = decode(&data, None);
        let (origin, sum) = (page.origin.as_str(), crc_32(page.text.as_bytes()));
        println!(
            "{path}\t{}\t{origin}\t{}\t{sum:08x}\t{}\t{}",
            page.encoding,
            page.replaced,
            page.text.len(),
            kind(&data)
        );
    }
}

fn kind(data: &[u8]) -> &'static str {
    if is_binary(data) {
        "binary"
    } else {
        "text"
    }
}

fn print_speed(paths: &[String]) {
    let pages: Vec<Vec<u8>> = paths.iter().filter_map(|path| std::fs::read(path).ok()).collect();
    let size: usize = pages.iter().map(Vec::len).sum();
    let rounds = 1 + 400_000_000 / size.max(1);
    let start = Instant::now();
    let length: usize = (0..rounds).flat_map(|_| &pages).map(|page| decode(page, None).text.len()).sum();
    let seconds = start.elapsed().as_secs_f64();
    println!("{:.0} MB/s, {} pages, {length}", (size * rounds) as f64 / 1e6 / seconds, pages.len());
}

/// As zlib computes it, so that other programs can compare.
fn crc_32(data: &[u8]) -> u32 {
    let table: Vec<u32> =
        (0..256u32).map(|byte| (0..8).fold(byte, |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))).collect();
    !data.iter().fold(!0, |sum, byte| (sum >> 8) ^ table[((sum ^ u32::from(*byte)) & 0xff) as usize])
}
