//! How much of a block the page also says in its head or in JSON-LD, and what short blocks say.

use memchr::memmem::find;

use crate::html::attributes;
use crate::html::tags;
use crate::metadata::dates::{dates_in, Order};
use crate::metadata::json_ld::{self, Kind, Things};
use crate::metadata::text;
use crate::page::Page;
use crate::tree::{Text, Tree};

use super::characters::{is, known as traits_of};
use super::known::Known;
use super::rows::Rows;

const NAMES: [&str; 4] = ["description", "article", "is-told", "date"];
/// Is there an article in JSON-LD at all?
const IS_TOLD: usize = 2;
const DATE: usize = 3;

/// So many letters and digits in a row are the same where a text is repeated.
const WINDOW: usize = 8;
/// Longer texts are read up to here.
const MOST_BYTES: usize = 400_000;
/// Longer blocks are no dates.
const LONGEST_DATE: usize = 60;

pub fn names() -> Vec<String> {
    NAMES.iter().map(|name| format!("said.{name}")).collect()
}

pub fn fill(known: &Known, rows: &mut Rows) {
    let (page, said) = (known.page, known.said());
    for (number, text) in [&said.description, &said.article].into_iter().enumerate() {
        if rows.wants(number) && !text.is_empty() {
            let of_blocks = rows.blocks().map(|block| text.share_of(page.block(block)));
            rows.put(number, of_blocks);
        }
    }
    rows.put_all(IS_TOLD, f32::from(u8::from(!said.article.is_empty())));
    if rows.wants(DATE) {
        let of_blocks = rows.blocks().map(|block| f32::from(u8::from(is_date(page.block(block)))));
        rows.put(DATE, of_blocks);
    }
}

/// Is there a date in a short text?
fn is_date(text: &str) -> bool {
    let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    text.len() <= LONGEST_DATE && has_digit(text) && !dates_in(text, Order::DayFirst).is_empty()
}

/// The texts that a page holds beside its blocks.
pub struct Said {
    description: Windows,
    article: Windows,
}

pub fn said(page: &Page) -> Said {
    let tree = &page.tree;
    let of_tag = |wanted| (0..tree.len() as u32).filter(move |&element| tree.tags[element as usize] == wanted);
    let descriptions: Vec<String> = of_tag(tags::META).filter_map(|element| description(tree, element)).collect();
    let scripts: Vec<u32> = of_tag(tags::SCRIPT).filter(|&element| holds_article(tree, element)).collect();
    Said { description: Windows::of(&descriptions), article: Windows::of(&articles(tree, &scripts)) }
}

fn description(tree: &Tree, element: u32) -> Option<String> {
    let (mut is_meant, mut content) = (false, None);
    for attribute in attributes::all(tree, element as usize) {
        if attribute.is_named("content") {
            content = content.or(Some(attribute));
        } else if attribute.is_named("name") || attribute.is_named("property") {
            is_meant |= ["description", "og:description"].iter().any(|name| attribute.raw.eq_ignore_ascii_case(name));
        }
    }
    content.filter(|_| is_meant).map(|content| content.value().into_owned())
}

/// Only such scripts are read.
fn holds_article(tree: &Tree, element: u32) -> bool {
    let says = |text: &Text| find(text.span.of(&tree.source).as_bytes(), b"\"articleBody\"").is_some();
    text::inside(tree, element).any(says)
}

fn articles(tree: &Tree, scripts: &[u32]) -> Vec<String> {
    let values = json_ld::scripts(tree, scripts);
    let things = Things::new(&values);
    let of_articles = things.all.iter().filter(|thing| !matches!(thing.kind, Kind::Reply));
    of_articles.filter_map(|thing| thing.object.get("articleBody")?.as_str().map(str::to_string)).collect()
}

/// All that stands in some texts, as windows of letters and digits: a bit for each, by its hash.
#[derive(Default)]
struct Windows {
    bits: Vec<u64>,
}

impl Windows {
    fn of(texts: &[String]) -> Self {
        let size: usize = texts.iter().map(|text| text.len().min(MOST_BYTES)).sum();
        if size < WINDOW {
            return Self::default();
        }
        // One bit in 16 is set at most.
        let mut windows = Self { bits: vec![0; (size / 4).next_power_of_two()] };
        for text in texts {
            hashes(text.char_indices().take_while(|&(at, _)| at < MOST_BYTES).map(|(_, one)| one), |hash| {
                let (place, bit) = windows.place(hash);
                windows.bits[place] |= bit;
            });
        }
        windows
    }

    fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & (self.bits.len() - 1), 1 << (hash & 63))
    }

    /// What share of a text's windows stands there as well.
    fn share_of(&self, text: &str) -> f32 {
        let (mut all, mut found) = (0_u32, 0_u32);
        hashes(text.chars(), |hash| {
            let (place, bit) = self.place(hash);
            all += 1;
            found += u32::from(self.bits[place] & bit != 0);
        });
        found as f32 / all.max(1) as f32
    }
}

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of each window, by one that rolls: the window's characters are digits of a number.
fn hashes(text: impl Iterator<Item = char>, mut each: impl FnMut(u64)) {
    let out = (0..WINDOW).fold(1_u64, |power, _| power.wrapping_mul(FACTOR));
    let (mut window, mut count, mut number) = ([0_u64; WINDOW], 0, 0_u64);
    for character in text {
        if traits_of(character as u32) & (is::LETTER | is::DIGIT) == 0 {
            continue;
        }
        let code = u64::from(character.to_ascii_lowercase());
        let leaving = std::mem::replace(&mut window[count % WINDOW], code);
        number = number.wrapping_mul(FACTOR).wrapping_add(code).wrapping_sub(leaving.wrapping_mul(out));
        count += 1;
        if count >= WINDOW {
            each(number ^ number >> 29);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_text_is_found_whatever_its_signs() {
        let windows = Windows::of(&["The ferry to Anholt leaves at noon, from the second pier.".to_string()]);

        assert_eq!(windows.share_of("… the FERRY to Anholt leaves"), 1.0);
        assert!(windows.share_of("Trains to the north run on Sundays") < 0.1);
        assert_eq!((windows.share_of(""), windows.share_of("noon")), (0.0, 0.0));
        assert!(Windows::of(&["short".to_string()]).is_empty());
    }

    #[test]
    fn dates_stand_in_short_texts() {
        assert!(is_date("Posted on 12 March 2024") && is_date("2024-03-12"));
        assert!(!is_date("March") && !is_date("12") && !is_date(&format!("2024-03-12 {}", "a".repeat(60))));
    }
}
