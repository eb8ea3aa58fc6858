//! What the elements around a block are called, and what the page is: their classes, such as `comment-list`.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::html::{attributes, tags, text};
use crate::markup::code;
use crate::page::Page;
use crate::words::{self, OF_NAMES};

/// So many elements are near to a block: the innermost around it, its parent, and the parent of that. Around the root
/// is the root.
pub const NEAR: usize = 3;

/// A longer list of classes says how an element looks, not what it is.
const LONGEST: usize = 60;

/// In place of the number of a class that nobody has read.
const UNREAD: u32 = u32::MAX;

/// The values of class attributes.
#[derive(Clone, Debug, Default)]
pub struct Classes<'a> {
    /// Each distinct one near to a block; the first is empty.
    pub near: Vec<Cow<'a, str>>,
    /// For each block the numbers of those near to it, the innermost first.
    pub of_blocks: Vec<[u32; NEAR]>,
    /// Those of the page: of `html` and `body`, which are near to no block.
    pub whole: Vec<Cow<'a, str>>,
}

impl<'a> Classes<'a> {
    pub fn new(page: &'a Page) -> Self {
        let mut distinct = Distinct::new(page);
        let of_blocks = page.element.iter().map(|&element| distinct.around(element)).collect();
        let whole = (0..page.elements.len() as u32).filter(|&element| is_whole(page, element));
        let whole = whole.map(|element| text::decoded_attribute(raw_class(page, element))).collect();
        Self { near: distinct.values.iter().map(|raw| short(raw)).collect(), of_blocks, whole }
    }

    /// All words, for who learns which to know: a NUL behind those of each class near to a block; which of these classes
    /// stand around each block, level by level; and the words of the page.
    pub fn listed(&self) -> (Vec<String>, Vec<u32>, Vec<String>) {
        let level = |level: usize| self.of_blocks.iter().map(move |classes| classes[level]);
        let levels = (0..NEAR).flat_map(level).collect();
        (words::listed(&self.near, &OF_NAMES), levels, words::listed(&self.whole, &OF_NAMES))
    }
}

/// The classes that were read so far, as they stand in the source: equal ones have one number.
struct Distinct<'a> {
    page: &'a Page,
    of_elements: Vec<u32>,
    values: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
}

impl<'a> Distinct<'a> {
    fn new(page: &'a Page) -> Self {
        Self { page, of_elements: vec![UNREAD; page.elements.len()], values: vec![""], numbers: [("", 0)].into() }
    }

    fn around(&mut self, mut element: u32) -> [u32; NEAR] {
        [(); NEAR].map(|()| {
            let number = self.number(element);
            element = self.page.elements.parents[element as usize];
            number
        })
    }

    fn number(&mut self, element: u32) -> u32 {
        if self.of_elements[element as usize] == UNREAD {
            self.of_elements[element as usize] = self.read(element);
        }
        self.of_elements[element as usize]
    }

    fn read(&mut self, element: u32) -> u32 {
        if is_whole(self.page, element) {
            return 0;
        }
        let value = raw_class(self.page, element);
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }
}

fn is_whole(page: &Page, element: u32) -> bool {
    let found = page.elements.codes[element as usize];
    found == code(tags::HTML) || found == code(tags::BODY)
}

/// As it stands in the source; empty where there is none.
fn raw_class(page: &Page, element: u32) -> &str {
    let mut found = attributes::all(&page.tree, page.elements.origin[element as usize] as usize);
    found.find(|attribute| attribute.is_named("class")).map_or("", |attribute| attribute.raw)
}

fn short(raw: &str) -> Cow<'_, str> {
    let value = text::decoded_attribute(raw);
    if value.chars().nth(LONGEST).is_some() {
        Cow::Borrowed("")
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks;
    use crate::html::{parse, Options};
    use crate::markup::{Markup, Mode, Names};

    fn page(source: &str) -> Page {
        let block = ["html", "body", "div", "p"].map(String::from).to_vec();
        let markup = Markup::new(Mode::Block, &Names { parting: block.clone(), block, ..Names::default() });
        blocks::cut(parse(source.to_string(), Options { repairs: true }), &markup)
    }

    /// Of each block the classes near to it.
    fn near(source: &str) -> Vec<Vec<String>> {
        let page = page(source);
        let classes = Classes::new(&page);
        let of_block = |numbers: &[u32; NEAR]| numbers.map(|number| classes.near[number as usize].to_string()).into();
        classes.of_blocks.iter().map(of_block).collect()
    }

    #[test]
    fn near_are_three_elements() {
        assert_eq!(
            near("<div class=a><div class=b><p>One<p class=c>Two<p CLASS='d  e'>Three"),
            [["", "b", "a"], ["c", "b", "a"], ["d  e", "b", "a"]]
        );
    }

    #[test]
    fn those_of_the_page_are_near_to_no_block() {
        let source = "<html class=js><body class='home &amp; page'>One<p class=a>Two";
        let page = page(source);

        assert_eq!(near(source), [["", "", ""], ["a", "", ""]]);
        assert_eq!(Classes::new(&page).whole, ["js", "home & page"]);
    }

    #[test]
    fn equal_classes_are_read_once() {
        let page = page("<div class=a><p class=b>One<p class=b>Two<p class='&amp;'>Three</div>");

        assert_eq!(Classes::new(&page).near, ["", "b", "a", "&"]);
    }

    #[test]
    fn long_classes_are_left_out() {
        let source = |class: &str| format!("<p class='{class}'>One");

        assert_eq!(near(&source(&"ä".repeat(60)))[0][0], "ä".repeat(60));
        assert_eq!(near(&source(&"&auml;".repeat(60)))[0][0], "ä".repeat(60));
        assert_eq!(near(&source(&"a".repeat(61)))[0][0], "");
    }

    #[test]
    fn words_are_listed_with_an_end_behind_each_class() {
        let page = page("<body class='Single-Post js'><div class=Comment_LIST><p>One<p class='a b'>Two");
        let (near, levels, whole) = Classes::new(&page).listed();

        assert_eq!(near, ["\0", "comment", "list", "\0", "a", "b", "\0"]);
        assert_eq!(levels, [0, 2, 1, 1, 0, 0]);
        assert_eq!(whole, ["\0", "single", "post", "js", "\0"]);
    }
}
