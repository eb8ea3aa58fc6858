//! Any file gives arrays, and these a network, or a message; a network that was made labels blocks.
//!
//! A digest hides arrays from who changes a byte at random. An input that begins with `A` is therefore no file, but
//! lists arrays: a letter for the name, a length, the array. The target packs them, each with its digest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use victor_core::decode::Chances;
use victor_core::document::of_text;
use victor_core::kernels::Kernel;
use victor_core::network::{Figures, Network, Workspace};
use victor_core::npz;
use victor_core::page::Page;
use victor_core::scopes;
use victor_core_fuzz::markups;

/// Those that a network has, and one that it has not.
const NAMES: [&str; 35] = [
    "features",
    "means",
    "scales",
    "enter",
    "enter-bias",
    "spread",
    "spread-bias",
    "leave",
    "leave-bias",
    "pieces",
    "piece-middles",
    "piece-scales",
    "text-words",
    "short",
    "0-around",
    "0-page",
    "0-bias",
    "0-back",
    "0-back-bias",
    "1-around",
    "1-page",
    "1-bias",
    "1-back",
    "1-back-bias",
    "2-around",
    "2-page",
    "2-bias",
    "2-back",
    "2-back-bias",
    "3-around",
    "3-bias",
    "other",
    "words",
    "near",
    "whole",
];

fuzz_target!(|data: &[u8]| {
    let file = match data.split_first() {
        Some((b'A', list)) => packed(list),
        _ => data.to_vec(),
    };
    let Ok(arrays) = npz::read(&file, "network-").and_then(|arrays| scopes::folded(arrays, scopes::AUTO)) else {
        return;
    };
    let Ok(network) = Network::new(&arrays) else { return };
    for blocks in [0, 1, 3, 97] {
        check(&network, blocks);
    }
});

/// Weights can be so great that chances are no numbers; but there are as many as blocks, by every kernel the same.
fn check(network: &Network, blocks: usize) {
    let count = network.features().len() * blocks;
    let values: Vec<f32> = (0..count).map(|number| (number % 101) as f32 - 50.0).collect();
    let page = page(blocks);
    let words = network.words(&page);
    let of_kernel = |kernel| -> Vec<Chances> {
        let figures = Figures::Given { values: &values, stride: blocks, blocks };
        network.output(figures, &page.lengths, &words, &mut Workspace::new(kernel)).labels
    };
    let bits = |kernel| of_kernel(kernel).as_flattened().iter().map(|chance| chance.to_bits()).collect::<Vec<_>>();
    let expected = bits(Kernel::best());
    assert_eq!(expected.len(), 5 * blocks);
    for kernel in Kernel::all() {
        assert_eq!(bits(kernel), expected, "{}", kernel.name());
    }
}

fn page(blocks: usize) -> Page {
    let html = |number: usize| format!("<p class='post nav-{}'>a {}", number % 5, "the boats ".repeat(number % 9));
    let page = of_text((0..blocks).map(html).collect(), &markups()[0]).page;
    assert_eq!(page.len(), blocks);
    page
}

/// A zip file of the listed arrays.
fn packed(mut list: &[u8]) -> Vec<u8> {
    let (mut file, mut table, mut count) = (Vec::new(), Vec::new(), 0_u16);
    while let [name, low, high, rest @ ..] = list {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (content, behind) = rest.split_at(length);
        let name = format!("network-{}.npy", NAMES[*name as usize % NAMES.len()]);
        let place = file.len() as u32;
        let line = line(&name, content);
        file.extend([b"PK\x03\x04\x14\0", &line[..], name.as_bytes(), content].concat());
        table.extend([b"PK\x01\x02\x14\0\x14\0", &line[..], &[0; 10], &place.to_le_bytes(), name.as_bytes()].concat());
        (list, count) = (behind, count + 1);
    }
    let (size, place) = (table.len() as u32, file.len() as u32);
    let end = [&count.to_le_bytes()[..], &count.to_le_bytes(), &size.to_le_bytes(), &place.to_le_bytes(), &[0; 2]];
    [file, table, b"PK\x05\x06\0\0\0\0".to_vec(), end.concat()].concat()
}

/// What both the table and the place of a content say of it.
fn line(name: &str, content: &[u8]) -> Vec<u8> {
    let size = (content.len() as u32).to_le_bytes();
    [&[0; 8][..], &digest(content).to_le_bytes(), &size, &size, &(name.len() as u16).to_le_bytes(), &[0; 2]].concat()
}

/// CRC-32.
fn digest(content: &[u8]) -> u32 {
    !content.iter().fold(u32::MAX, |digest, byte| {
        (0..8).fold(digest ^ u32::from(*byte), |digest, _| digest >> 1 ^ if digest & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
