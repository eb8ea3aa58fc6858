//! Where the links of a block lead, as far as their addresses say: on this page, to the same site, away, to a service
//! that shares pages, or to a part of a site that a family of names tells.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::html::attributes;
use crate::html::tags;
use crate::markup::code;
use crate::page::Page;

use super::families::{families, FAMILIES};
use super::known::Known;
use super::letters::share;
use super::rows::Rows;

/// Shares of the text of a block.
const SHARES: [&str; 3] = ["here-share", "away-share", "service-share"];
/// Families that addresses tell.
const TOLD: [&str; 7] = ["comment", "byline", "tag", "nav", "popup", "forum", "product"];

/// What is known of a link, a bit each; those of the families begin at `FIRST_TOLD`.
const HERE: u16 = 1;
const AWAY: u16 = 2;
const SERVICE: u16 = 4;
const FIRST_TOLD: usize = 3;
const UNREAD: u16 = u16::MAX;

/// Only so much of an address is read.
const MOST_BYTES: usize = 300;
/// Longer parts of an address are words of a title.
const LONGEST_PART: usize = 16;

const SERVICES: [&str; 18] = [
    "/sharer",
    "share?",
    "/share/",
    "/intent/",
    "/submit?",
    "mailto:",
    "whatsapp:",
    "wa.me/",
    "addtoany",
    "addthis",
    "pin/create",
    "sharearticle",
    "//t.me/",
    "//digg.com",
    "del.icio.us",
    "stumbleupon",
    "tel:",
    "twitter.com/home?",
];

/// One search for all of them, because pages have hundreds of links.
static SERVICE_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(SERVICES).ok());

pub fn names() -> Vec<String> {
    let told = TOLD.iter().map(|family| format!("link.{family}"));
    SHARES.iter().map(|name| format!("link.{name}")).chain(told).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let links = known.links();
    for (number, bit) in [HERE, AWAY, SERVICE].into_iter().enumerate() {
        let of_blocks = rows.blocks().map(|block| links.share(known.page, block, bit));
        rows.put(number, of_blocks);
    }
    for number in 0..TOLD.len() {
        let are = links.of_blocks[rows.blocks()].iter().map(|told| told & told_bit(number) != 0);
        rows.put(FIRST_TOLD + number, are.map(|is| f32::from(u8::from(is))));
    }
}

pub struct Links {
    /// Of each run what the link around it is; 0 where there is none.
    of_runs: Vec<u16>,
    of_blocks: Vec<u16>,
}

impl Links {
    /// The share of a block's text in links of a sort.
    fn share(&self, page: &Page, block: usize, bit: u16) -> f32 {
        if self.of_blocks[block] & bit == 0 {
            return 0.0;
        }
        let (first, last) = (page.first_runs[block] as usize, page.first_runs[block + 1] as usize);
        let end = |run: usize| if run + 1 < last { page.runs.begin[run + 1] } else { page.ends[block] };
        let inside = (first..last).filter(|&run| self.of_runs[run] & bit != 0);
        let bytes: u32 = inside.map(|run| end(run) - page.runs.begin[run]).sum();
        share(bytes as i32, (page.ends[block] - page.begins[block]) as i32)
    }
}

pub fn links(page: &Page) -> Links {
    let is_link = code(tags::A);
    let around = if page.elements.codes.contains(&is_link) { page.elements.nearest(&[is_link]) } else { Vec::new() };
    let host = own_host(page);
    let mut of_elements = vec![UNREAD; around.len()];
    let mut of_run = |element: u32| {
        let Some(&Some(link)) = around.get(element as usize) else { return 0 };
        let found = &mut of_elements[link as usize];
        if *found == UNREAD {
            *found = told_of(page, link, host);
        }
        *found
    };
    let of_runs: Vec<u16> = page.runs.element.iter().map(|&element| of_run(element)).collect();
    let runs = |block: usize| page.first_runs[block] as usize..page.first_runs[block + 1] as usize;
    let of_blocks = (0..page.len()).map(|block| of_runs[runs(block)].iter().fold(0, |all, one| all | one)).collect();
    Links { of_runs, of_blocks }
}

/// The host that the page gives as its own, by its canonical address or that of its `<base>`.
fn own_host(page: &Page) -> Option<&str> {
    let tree = &page.tree;
    let of_link = |element: usize| {
        let (mut href, mut is_own) = (None, tree.tags[element] == tags::BASE);
        for attribute in attributes::all(tree, element) {
            is_own |= attribute.is_named("rel") && attribute.raw.eq_ignore_ascii_case("canonical");
            href = href.or_else(|| attribute.is_named("href").then_some(attribute.raw));
        }
        href.filter(|_| is_own).and_then(host_of)
    };
    // They stand in the head.
    let head = tree.tags.iter().position(|&tag| tag == tags::BODY).unwrap_or(tree.len());
    (0..head).filter(|&element| matches!(tree.tags[element], tags::LINK | tags::BASE)).find_map(of_link)
}

/// The host of an address, without `www.`; none where it is relative.
fn host_of(address: &str) -> Option<&str> {
    let begin = address.find("//")?;
    if address[..begin].contains(['/', '?', '#']) {
        return None;
    }
    let rest = &address[begin + 2..];
    let host = &rest[..rest.find(['/', '?', '#', ':']).unwrap_or(rest.len())];
    Some(host.strip_prefix("www.").unwrap_or(host))
}

fn told_of(page: &Page, link: u32, host: Option<&str>) -> u16 {
    let mut found = attributes::all(&page.tree, page.elements.origin[link as usize] as usize);
    let Some(href) = found.find(|attribute| attribute.is_named("href")) else { return 0 };
    let raw = href.raw.trim_start();
    let mut end = raw.len().min(MOST_BYTES);
    while !raw.is_char_boundary(end) {
        end -= 1;
    }
    let small = raw[..end].to_ascii_lowercase();
    let mut told = 0;
    if small.starts_with('#') || small.starts_with("javascript:") {
        told |= HERE;
    }
    if host_of(&small).is_some_and(|of_link| Some(of_link) != host) {
        told |= AWAY;
    }
    if SERVICE_SEARCH.as_ref().is_some_and(|search| search.is_match(&small)) {
        told |= SERVICE;
    }
    told | told_families(behind_host(&small))
}

fn behind_host(address: &str) -> &str {
    match address.find("//") {
        Some(begin) => address[begin + 2..].find('/').map_or("", |slash| &address[begin + 2 + slash..]),
        None => address,
    }
}

/// The families of the short parts of an address.
fn told_families(path: &str) -> u16 {
    let parts = path.split(['/', '?', '&', '=', '#']).filter(|part| !part.is_empty() && part.len() <= LONGEST_PART);
    let found = parts.fold(0, |found, part| found | families(part.as_bytes()));
    TOLD_BITS.iter().fold(0, |told, &(family, bit)| if found & family != 0 { told | bit } else { told })
}

/// Of each told family its bit among all, and its own.
static TOLD_BITS: LazyLock<[(u32, u16); TOLD.len()]> = LazyLock::new(|| {
    std::array::from_fn(|number| {
        let place = FAMILIES.iter().position(|(name, _)| *name == TOLD[number]).unwrap_or(31);
        (1 << place, told_bit(number))
    })
});

fn told_bit(number: usize) -> u16 {
    1 << (FIRST_TOLD + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert_eq!(host_of("https://www.example.org/a"), Some("example.org"));
        assert_eq!(host_of("//cdn.example.org:80"), Some("cdn.example.org"));
        assert_eq!((host_of("/a//b"), host_of("a.html"), host_of("#x")), (None, None, None));
    }

    #[test]
    fn every_told_family_is_one() {
        assert!(TOLD_BITS.iter().all(|&(family, _)| family < 1 << FAMILIES.len()));
    }

    #[test]
    fn short_parts_tell_and_titles_do_not() {
        let bit = |name: &str| told_bit(TOLD.iter().position(|told| *told == name).unwrap());

        assert_eq!(told_families("/tag/harbour/"), bit("tag"));
        assert_eq!(told_families("/2024/a-comment-on-harbour-tags/"), 0);
        assert_eq!(told_families("/post/?replytocom=12#respond"), bit("comment"));
    }
}
