//! What the author of a page said of its parts: the semantic elements and roles around a block.

use std::sync::OnceLock;

use crate::html::tags::NAMES as TAGS;
use crate::markup::{code_of, ROLES};
use crate::page::Page;

use super::known::Known;
use super::rows::Rows;

/// A name, its tags, and its roles.
const INSIDE: [(&str, &str, &str); 22] = [
    ("a", "a", ""),
    ("nav", "nav", "navigation"),
    ("main", "main", "main"),
    ("article", "article", "article"),
    ("header", "header", "banner"),
    ("footer", "footer", "contentinfo"),
    ("aside", "aside", "complementary"),
    ("dialog", "dialog", "dialog alertdialog"),
    ("section", "section", ""),
    ("form", "form", "search"),
    ("table", "table", ""),
    ("list", "ul ol dl", "list"),
    ("item", "li dd dt", "listitem"),
    ("figure", "figure figcaption picture img", ""),
    ("quote", "blockquote q", ""),
    ("button", "button label select option summary", "button tab"),
    ("bold", "b strong", ""),
    ("p", "p", ""),
    ("heading", "h1 h2 h3 h4 h5 h6", "heading"),
    ("code", "pre code", ""),
    ("details", "details", ""),
    ("noscript", "noscript", ""),
];
/// The bit of `a`.
pub const LINK: u32 = 1;

struct Masks {
    of_codes: Vec<u32>,
    of_roles: Vec<u32>,
}

fn own_masks() -> Masks {
    let mut masks = Masks { of_codes: vec![0; TAGS.len() + 1], of_roles: vec![0; ROLES.len() + 1] };
    for (number, (_, tags, roles)) in INSIDE.iter().enumerate() {
        for tag in tags.split(' ') {
            masks.of_codes[code_of(tag) as usize] |= 1 << number;
        }
        for (place, _) in ROLES.iter().enumerate().filter(|(_, role)| roles.split(' ').any(|name| name == **role)) {
            masks.of_roles[place + 1] |= 1 << number;
        }
    }
    masks
}

pub fn names() -> Vec<String> {
    INSIDE.iter().map(|(name, ..)| format!("inside.{name}")).collect()
}

/// The bit of a name in the masks.
pub fn bit(name: &str) -> u32 {
    INSIDE.iter().position(|inside| inside.0 == name).map_or(0, |place| 1 << place)
}

/// What is around each element, itself included.
pub fn masks(page: &Page) -> Vec<u32> {
    static MASKS: OnceLock<Masks> = OnceLock::new();
    let (elements, own) = (&page.elements, MASKS.get_or_init(own_masks));
    let mut masks = Vec::with_capacity(elements.len());
    for (number, (&code, &role)) in elements.codes.iter().zip(&elements.roles).enumerate() {
        let of_tag = own.of_codes.get(code as usize).copied().unwrap_or(0);
        let of_role = own.of_roles.get(role as usize).copied().unwrap_or(0);
        let around = if number > 0 { masks[elements.parents[number] as usize] } else { 0 };
        masks.push(of_tag | of_role | around);
    }
    masks
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let masks = known.masks();
    let of_blocks: Vec<u32> =
        known.page.element[rows.blocks()].iter().map(|&element| masks[element as usize]).collect();
    for number in 0..INSIDE.len() {
        rows.put(number, of_blocks.iter().map(|mask| (mask >> number & 1) as i32 as f32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_and_role_is_known() {
        let roles = INSIDE.iter().flat_map(|inside| inside.2.split(' ')).filter(|role| !role.is_empty());

        assert!(INSIDE.iter().flat_map(|inside| inside.1.split(' ')).all(|tag| code_of(tag) > 0));
        assert!(roles.clone().all(|role| ROLES.contains(&role)));
        assert_eq!(bit("a"), LINK);
    }
}
