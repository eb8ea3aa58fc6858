//! Pages without parts of their texts.

use victor_core::document::of_text;
use victor_core::markup::{Markup, Mode, Names};
use victor_core::omission::{without, Part};
use victor_core::page::Page;

fn markup() -> Markup {
    let words = |list: &str| list.split(' ').map(String::from).collect::<Vec<_>>();
    let names = Names {
        deleted: words("script style"),
        block: words("p div li ul footer body td"),
        others: vec![],
        apart: vec![],
        parting: vec![],
    };
    Markup::new(Mode::Block, &names)
}

fn page(html: &str) -> Page {
    of_text(html.to_string(), &markup()).page
}

fn texts(page: &Page) -> Vec<&str> {
    (0..page.len()).map(|block| page.block(block)).collect()
}

/// Leaves out the first place of each of these texts.
fn left(html: &str, omitted: &[&str]) -> (Vec<String>, Vec<u32>) {
    let page = page(html);
    let part = |omitted: &&str| {
        let blocks = texts(&page);
        let block = blocks.iter().position(|text| text.contains(*omitted)).expect("a text of the page");
        let start = blocks[block].split(*omitted).next().unwrap_or("").chars().count();
        Part { block: block as u32, start: start as u32, end: (start + omitted.chars().count()) as u32 }
    };
    let parts: Vec<Part> = omitted.iter().map(part).collect();
    let (left, origins) = without(&page, &parts, &markup());
    (texts(&left).into_iter().map(String::from).collect(), origins)
}

#[test]
fn a_sentence_goes_and_the_rest_of_its_block_stays() {
    for (html, omitted, wanted) in [
        ("<p>One. Two. Three.", vec!["Two."], vec!["One. Three."]),
        ("<p>One. Two. Three.", vec!["One.", "Three."], vec!["Two."]),
        ("<p>One. <b>Two</b> and more. Three.", vec!["Two and more."], vec!["One. Three."]),
        (
            "<p>One &amp; all. A &lt; b. Fa&shy;st &nbsp; caf&eacute;.",
            vec!["A < b."],
            vec!["One & all. Fa\u{ad}st café."],
        ),
        ("<p>\u{b}One.\u{7f} \0Tw\u{1}o. Three.", vec!["Two."], vec!["One. Three."]),
        ("<pre>One.\n  Two.\n  Three.</pre>", vec!["Two."], vec!["One.", "  Three."]),
        ("<script>Two.</script><p>One. Two.", vec!["Two."], vec!["One."]),
        ("<p>Один. Два. 三。四。", vec!["Два.", "四。"], vec!["Один. 三。"]),
    ] {
        assert_eq!(left(html, &omitted).0, wanted, "{html}");
    }
}

#[test]
fn blocks_know_which_they_were() {
    let (texts, origins) = left("<p>One.<p>Two.<p>Three. Four.<p>Five.", &["Two.", "Three."]);

    assert_eq!(texts, ["One.", "Four.", "Five."]);
    assert_eq!(origins, [0, 2, 3]);
}

#[test]
fn a_block_that_breaks_in_two_was_one() {
    let (texts, origins) = left("<p>One.<br>Two.<br>Three.", &["Two."]);

    assert_eq!(texts, ["One.", "Three."]);
    assert_eq!(origins, [0, 0]);
}

#[test]
fn alternative_texts_of_pictures_stay() {
    let (texts, origins) = left("<p>One.</p><img alt='Two. Three.'><p>Four. Five.", &["Two.", "Four."]);

    assert_eq!(texts, ["One.", "Two. Three.", "Five."]);
    assert_eq!(origins, [0, 1, 2]);
}

#[test]
fn nothing_is_left_of_a_page_without_all_its_text() {
    let (texts, origins) = left("<p>One.<svg>", &["One."]);

    assert!(texts.is_empty() && origins.is_empty());
}
