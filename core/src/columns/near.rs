//! How far up from a block the nearest element is that an attribute names one of a family, or that is not to be seen.

use crate::html::attributes;
use crate::page::Page;

use super::families::{families, FAMILIES};
use super::known::Known;
use super::rows::Rows;

/// Where there is none, or it is as far.
pub const NONE: u8 = 64;

/// Only so much of a value is read.
const MOST_BYTES: usize = 200;

/// The families, and behind them the elements that are not to be seen.
const KINDS: usize = FAMILIES.len() + 1;
const UNSEEN: u32 = 1 << FAMILIES.len();

pub fn names() -> Vec<String> {
    let kinds = FAMILIES.iter().map(|(name, _)| *name).chain(["unseen"]);
    kinds.map(|name| format!("near.{name}")).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let (elements, own) = (&known.page.elements, known.families());
    let of_blocks = known.page.element[rows.blocks()].chunk_by(|one, other| one == other);
    let distances: Vec<Distances> = of_blocks
        .flat_map(|same| std::iter::repeat_n(distances(&elements.parents, own, same[0]), same.len()))
        .collect();
    for kind in 0..KINDS {
        rows.put(kind, distances.iter().map(|distances| f32::from(distances[kind])));
    }
}

/// By kind.
type Distances = [u8; KINDS];

/// How far up from an element the nearest one of each kind is: 0 is itself.
fn distances(parents: &[u32], own: &[u32], mut element: u32) -> Distances {
    let (mut distances, mut known) = ([NONE; KINDS], 0);
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

/// Of each element a bit for each kind that it is of; nobody asks for those without a block.
pub fn all_families(known: &Known) -> Vec<u32> {
    let (page, spans, mut values) = (known.page, known.spans(), Values::default());
    let has_blocks = |element: usize| spans.count(element as u32) > 0;
    let families = |element| if has_blocks(element) { families_of(page, element, &mut values) } else { 0 };
    (0..page.elements.len()).map(families).collect()
}

/// A bit for each kind that an element is of.
fn families_of<'a>(page: &'a Page, element: usize, values: &mut Values<'a>) -> u32 {
    let element = page.elements.origin[element] as usize;
    if page.tree.attributes[element].is_empty() {
        return 0;
    }
    attributes::all(&page.tree, element).fold(0, |found, attribute| match part_of(attribute.name) {
        Some(Part::Name) => {
            let value = attribute.raw.as_bytes();
            found | values.families(&value[..value.len().min(MOST_BYTES)])
        }
        Some(Part::Sight) if hides(attribute.name, attribute.raw) => found | UNSEEN,
        _ => found,
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

/// What an attribute says of its element.
enum Part {
    Name,
    /// Whether it is to be seen.
    Sight,
}

/// Attributes by the lengths of their names: those that name an element, and those that may hide it.
const NAMING: [&[&str]; 15] = [
    &[],
    &[],
    &["id"],
    &["rel"],
    &[],
    &["class"],
    &[],
    &["data-qa"],
    &["itemprop"],
    &["data-type", "data-role", "data-zone"],
    &["aria-label", "data-block"],
    &["data-testid", "data-module", "data-widget", "data-region"],
    &["data-test-id", "data-section"],
    &[],
    &["data-component"],
];
const HIDING: [&str; 3] = ["style", "hidden", "aria-hidden"];

fn part_of(name: &str) -> Option<Part> {
    let is_any = |known: &[&str]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
    if is_any(NAMING.get(name.len())?) {
        return Some(Part::Name);
    }
    is_any(&HIDING).then_some(Part::Sight)
}

fn hides(name: &str, value: &str) -> bool {
    match name.len() {
        5 => declares(value, "display", "none") || declares(value, "visibility", "hidden"),
        6 => true,
        _ => value.trim_ascii().eq_ignore_ascii_case("true"),
    }
}

/// Does a style attribute give a property this value?
fn declares(style: &str, property: &str, value: &str) -> bool {
    let given = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    given.into_iter().any(|(name, said)| {
        let said = said.trim_ascii();
        let said = said.get(..value.len()).filter(|_| name.trim_ascii().eq_ignore_ascii_case(property));
        said.is_some_and(|said| said.eq_ignore_ascii_case(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_name_are_found_in_any_case() {
        for name in NAMING.iter().copied().flatten() {
            assert_eq!(NAMING[name.len()].iter().filter(|known| *known == name).count(), 1, "{name}");
            assert!(matches!(part_of(&name.to_uppercase()), Some(Part::Name)), "{name}");
        }
        for name in ["href", "data-id", "data-components", "a-very-long-attribute"] {
            assert!(part_of(name).is_none(), "{name}");
        }
    }

    #[test]
    fn elements_are_hidden_by_attributes_and_styles() {
        let hiding = [
            ("hidden", ""),
            ("aria-hidden", " TRUE"),
            ("style", "color: red; DISPLAY : None!important"),
            ("style", "visibility:hidden"),
        ];
        for (name, value) in hiding {
            assert!(matches!(part_of(name), Some(Part::Sight)) && hides(name, value), "{name}={value}");
        }
        for (name, value) in [("aria-hidden", "false"), ("style", "display: block; visibility"), ("style", "é:none")] {
            assert!(!hides(name, value), "{name}={value}");
        }
    }
}
