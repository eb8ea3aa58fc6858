//! Images that belong to the text, and their addresses.

use super::roles::{is_inline, role};
use super::{Addresses, Image};
use crate::html::tags::{self, tag, Tag};
use crate::page::Page;
use crate::tree::Tree;

/// Images up to this width or height are icons, smileys or tracking pixels.
const ICON: u32 = 32;

/// How many parents of an image are searched for text.
const FARTHEST: usize = 12;

/// Dropped text beside an image may be its caption up to this length, in bytes.
const LONG: u32 = 200;

/// The least share of kept text in the part of the page around an image.
const KEPT_PERCENT: u32 = 50;

/// Parts of a page whose images belong to their text.
const PASSAGES: [Tag; 18] = [
    tags::P,
    tags::LI,
    tags::TD,
    tags::TH,
    tags::H1,
    tags::H2,
    tags::H3,
    tags::H4,
    tags::H5,
    tags::H6,
    tags::PRE,
    tags::DD,
    tags::DT,
    tags::FIGURE,
    tags::FIGCAPTION,
    tags::BLOCKQUOTE,
    tags::CAPTION,
    tags::SUMMARY,
];

/// The number of characters before each run: of all blocks, and of kept blocks.
struct Sums {
    all: Vec<u32>,
    kept: Vec<u32>,
}

impl Sums {
    /// The alternative texts of images do not count: one image is no reason to keep another.
    fn new(page: &Page, is_kept: &[bool]) -> Self {
        let (mut all, mut kept) = (vec![0], vec![0]);
        let (mut sum, mut sum_kept) = (0, 0);
        for run in 0..page.runs.block.len() {
            let block = page.runs.block[run] as usize;
            let end = page.runs.begin.get(run + 1).copied().unwrap_or(page.text.len() as u32);
            let element = page.elements.origin[page.runs.element[run] as usize] as usize;
            let length = if page.tree.tags[element] == tags::IMG { 0 } else { end - page.runs.begin[run] };
            sum += length;
            sum_kept += if is_kept[block] { length } else { 0 };
            all.push(sum);
            kept.push(sum_kept);
        }
        Self { all, kept }
    }
}

/// The elements of images that belong to the text, in order.
pub fn chosen(page: &Page, is_kept: &[bool]) -> Vec<u32> {
    let tag_of = |element: u32| page.tree.tags[page.elements.origin[element as usize] as usize];
    let code = crate::markup::code(tags::IMG);
    let mut images = (0..page.elements.len() as u32).filter(|&element| page.elements.codes[element as usize] == code);
    let Some(first) = images.next() else { return Vec::new() };
    let sums = Sums::new(page, is_kept);
    let around = Around { page, is_kept, sums, tag_of: &tag_of };
    std::iter::once(first)
        .chain(images)
        .filter(|&image| (around.is_kept_itself(image) || around.belongs(image)) && !is_icon(page, image))
        .collect()
}

struct Around<'a> {
    page: &'a Page,
    is_kept: &'a [bool],
    sums: Sums,
    tag_of: &'a dyn Fn(u32) -> Tag,
}

impl Around<'_> {
    /// Is the alternative text of the image kept, as a block of its own?
    fn is_kept_itself(&self, image: u32) -> bool {
        let (first, behind) = self.runs(image);
        let runs = &self.page.runs.block[first..behind];
        let is_alone = |block: usize| {
            self.page.first_runs[block] as usize >= first && self.page.first_runs[block + 1] as usize <= behind
        };
        runs.iter().any(|&block| self.is_kept[block as usize] && is_alone(block as usize))
    }

    /// Is an image inside kept text, or between two kept texts?
    fn belongs(&self, image: u32) -> bool {
        let elements = &self.page.elements;
        let mut element = image;
        for _ in 0..FARTHEST {
            if element == 0 {
                return false;
            }
            element = elements.parents[element as usize];
            let tag = (self.tag_of)(element);
            let (first, behind) = self.runs(element);
            let all = self.sums.all[behind] - self.sums.all[first];
            let kept = self.sums.kept[behind] - self.sums.kept[first];
            if kept == 0 && all > LONG {
                return false;
            }
            if kept == 0 || is_inline(role(tag)) {
                continue;
            }
            return 100 * u64::from(kept) >= u64::from(KEPT_PERCENT) * u64::from(all)
                && (PASSAGES.contains(&tag) || self.is_between(image, first, behind));
        }
        false
    }

    /// Is there kept text before the image and behind it?
    fn is_between(&self, image: u32, first: usize, behind: usize) -> bool {
        let opening = self.page.elements.opening(image as usize);
        let at = self.page.runs.place.partition_point(|&place| place <= opening);
        self.sums.kept[at] > self.sums.kept[first] && self.sums.kept[behind] > self.sums.kept[at]
    }

    fn runs(&self, element: u32) -> (usize, usize) {
        let elements = &self.page.elements;
        let (opening, closing) = (elements.opening(element as usize), elements.closing(element as usize));
        let places = &self.page.runs.place;
        (places.partition_point(|&place| place <= opening), places.partition_point(|&place| place <= closing))
    }
}

fn is_icon(page: &Page, image: u32) -> bool {
    let element = page.elements.origin[image as usize] as usize;
    let size = |name: &str| {
        let value = page.tree.attribute(element, name)?;
        value.trim().trim_end_matches("px").parse::<f64>().ok().map(|size| size as u32)
    };
    size("width").is_some_and(|width| width <= ICON) || size("height").is_some_and(|height| height <= ICON)
}

/// Attributes with the real address, which a script copies into `src`.
const LAZY: [&str; 6] = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-actualsrc", "data-orig-file"];
const LAZY_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "srcset"];

/// The address and the alternative text of an image; `None` without a real address.
pub fn image(tree: &Tree, element: usize, addresses: &Addresses) -> Option<Image> {
    let address = address(tree, element, addresses)?;
    let alt = tree.attribute(element, "alt").unwrap_or_default();
    let alt = alt.split(crate::spaces::is_white).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    Some(Image { address, alt: crate::spaces::without_controls(&alt).into_owned() })
}

fn address(tree: &Tree, element: usize, addresses: &Addresses) -> Option<String> {
    let single = |name: &&str| tree.attribute(element, name).and_then(|value| addresses.resolved(&value));
    let set = |element: usize, name: &str| tree.attribute(element, name).and_then(|value| largest(&value, addresses));
    let lazy = LAZY.iter().find_map(single);
    let own = || single(&"src").filter(|address| !is_placeholder(address));
    let sets = || LAZY_SETS.iter().find_map(|name| set(element, name));
    let picture =
        || sources(tree, element).find_map(|source| set(source, "srcset").or_else(|| set(source, "data-srcset")));
    lazy.or_else(own).or_else(sets).or_else(picture)
}

fn is_placeholder(address: &str) -> bool {
    let name = address.rsplit('/').next().unwrap_or("");
    let name = name.split(['?', '#']).next().unwrap_or("");
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_ascii_lowercase();
    matches!(
        stem.as_str(),
        "blank" | "spacer" | "pixel" | "transparent" | "clear" | "1x1" | "placeholder" | "lazy" | "trans"
    )
}

/// The `<source>`s of the `<picture>` around an image.
fn sources(tree: &Tree, element: usize) -> impl Iterator<Item = usize> + '_ {
    const PICTURE: Tag = tag("picture");
    const MOST: usize = 16;
    let parent = tree.parents[element] as usize;
    let range = if tree.tags[parent] == PICTURE { parent + 1..element } else { 0..0 };
    range.rev().take(MOST).filter(|&other| tree.tags[other] == tags::SOURCE)
}

/// The address of a `srcset` for the widest screen.
fn largest(set: &str, addresses: &Addresses) -> Option<String> {
    let mut words = set.split_ascii_whitespace().take(200).peekable();
    let mut best: Option<(f64, String)> = None;
    while let Some(word) = words.next() {
        let (address, has_size) = (word.trim_matches(','), !word.ends_with(','));
        let size = words.next_if(|next| has_size && is_size(next)).map_or(1.0, size);
        let found = addresses.resolved(address).filter(|address| !is_placeholder(address));
        if let Some(address) = found.filter(|_| best.as_ref().is_none_or(|best| size > best.0)) {
            best = Some((size, address));
        }
    }
    best.map(|(_, address)| address)
}

fn is_size(word: &str) -> bool {
    let word = word.trim_end_matches(',');
    word.ends_with(['w', 'x', 'h']) && word[..word.len() - 1].parse::<f64>().is_ok()
}

fn size(word: &str) -> f64 {
    word.trim_end_matches(',').trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0)
}
