//! How far up from a block the nearest element is whose class, id, itemprop or rel names it one of a family.

use crate::html::attributes;
use crate::page::Page;

use super::families::{families, FAMILIES};
use super::known::Known;
use super::rows::Rows;

/// Where there is none, or it is as far.
pub const NONE: u8 = 64;

/// Only so much of a value is read.
const MOST_BYTES: usize = 200;

pub fn names() -> Vec<String> {
    FAMILIES.iter().map(|(name, _)| format!("near.{name}")).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let (elements, own) = (&known.page.elements, known.families());
    let of_blocks = known.page.element[rows.blocks()].chunk_by(|one, other| one == other);
    let distances: Vec<Distances> = of_blocks
        .flat_map(|same| std::iter::repeat_n(distances(&elements.parents, own, same[0]), same.len()))
        .collect();
    for (family, _) in FAMILIES.iter().enumerate() {
        rows.put(family, distances.iter().map(|distances| f32::from(distances[family])));
    }
}

/// By family.
type Distances = [u8; FAMILIES.len()];

/// How far up from an element the nearest one of each family is: 0 is itself.
fn distances(parents: &[u32], own: &[u32], mut element: u32) -> Distances {
    let (mut distances, mut known) = ([NONE; FAMILIES.len()], 0);
    for distance in 0..NONE {
        let mut found = own[element as usize] & !known;
        known |= found;
        while found != 0 {
            distances[found.trailing_zeros() as usize] = distance;
            found &= found - 1;
        }
        if element == 0 {
            break;
        }
        element = parents[element as usize];
    }
    distances
}

/// Of each element a bit for each family that it belongs to; nobody asks for those without a block.
pub fn all_families(known: &Known) -> Vec<u32> {
    let (page, spans, mut values) = (known.page, known.spans(), Values::default());
    let has_blocks = |element: usize| spans.count(element as u32) > 0;
    let families = |element| if has_blocks(element) { families_of(page, element, &mut values) } else { 0 };
    (0..page.elements.len()).map(families).collect()
}

/// A bit for each family that an element belongs to.
fn families_of<'a>(page: &'a Page, element: usize, values: &mut Values<'a>) -> u32 {
    let element = page.elements.origin[element] as usize;
    if page.tree.attributes[element].is_empty() {
        return 0;
    }
    let named = attributes::all(&page.tree, element).filter(|attribute| is_read(attribute.name));
    named.fold(0, |found, attribute| {
        let value = attribute.raw.as_bytes();
        found | values.families(&value[..value.len().min(MOST_BYTES)])
    })
}

/// The families of values read lately, because pages say the same of many elements.
struct Values<'a> {
    known: Vec<(&'a [u8], u32)>,
}

const KNOWN_VALUES: usize = 256;

impl Default for Values<'_> {
    fn default() -> Self {
        Self { known: vec![(&[], 0); KNOWN_VALUES] }
    }
}

impl<'a> Values<'a> {
    fn families(&mut self, value: &'a [u8]) -> u32 {
        // A shorter one is read as fast as it is found.
        let Some((_, last)) = value.split_last_chunk::<8>() else { return families(value) };
        let digest = (u64::from_le_bytes(*last) ^ value.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (digest >> 56) as usize % KNOWN_VALUES;
        let (known, found) = self.known[place];
        if known == value {
            return found;
        }
        let found = families(value);
        self.known[place] = (value, found);
        found
    }
}

fn is_read(name: &str) -> bool {
    let known = match name.len() {
        2 => "id",
        3 => "rel",
        5 => "class",
        8 => "itemprop",
        _ => return false,
    };
    name.eq_ignore_ascii_case(known)
}
