use crate::pages::{column, column_of, page};

const LONG: &str =
    "A sentence that is long enough to be taken for a part of an article, and then some more words to be sure.";

#[test]
fn wide_letters_count_as_two() {
    for (text, letters) in [
        ("two words, 3!", 8.0),
        ("猫は眠る。", 8.0),
        ("кот спит", 7.0),
        ("แมว", 3.0),
        ("고양이", 6.0),
        ("12 – 14", 0.0),
    ] {
        assert_eq!(column("block.letters", &format!("<p>{text}</p>")), [letters], "{text}");
    }
}

#[test]
fn what_a_block_says() {
    let html = "<p>Of <a>+boats</a>+, see: 12 Minis.</p>";
    for (name, value) in [
        ("letters", 15.0),
        ("linked", 5.0),
        ("link-share", 0.3333),
        ("lower-share", 0.8667),
        ("digit-share", 0.0833),
        ("sign-share", 0.125),
        ("sentence-ends", 1.0),
        ("letters-per-word", 3.0),
        ("runs", 3.0),
        ("commas", 1.0),
        ("colons", 1.0),
        ("currency", 0.0),
    ] {
        assert_eq!(column(&format!("block.{name}"), html), [value], "{name}");
    }
}

#[test]
fn full_stops_end_a_sentence_only_before_space_or_a_closing_mark() {
    for (text, ends) in
        [("v1.2 is out.", 1.0), ("What?no", 1.0), ("“Yes.” No...", 2.0), ("a.b.c", 0.0), ("Ja?!.x", 1.0)]
    {
        assert_eq!(column("block.sentence-ends", &format!("<p>{text}</p>")), [ends], "{text}");
    }
    assert_eq!(column("block.sentence-ends", "<p>Wait.<b>+..</b>+. No</p>"), [1.0]);
}

#[test]
fn a_block_knows_the_semantic_elements_around_it() {
    let html = "<nav><ul><li>a</li></ul></nav><article><p>b</p><aside>c</aside></article><div role=tab>d</div>";

    assert_eq!(column("inside.nav", html), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(column("inside.article", html), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(column("inside.item", html), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(column("inside.button", html), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn each_next_part_holds_more_blocks() {
    let html = "<div><section><div><p>one</p><p>two</p></div></section><p>three</p></div><p>four</p>";

    assert_eq!(column("part.1.blocks", html), [2.0, 2.0, 3.0, 4.0]);
    assert_eq!(column("part.2.blocks", html), [3.0, 3.0, 4.0, 4.0]);
    assert_eq!(column("part.1.position", html), [0.0, 0.5, 0.6667, 0.75]);
}

#[test]
fn repeated_parts_are_counted_with_their_like() {
    let card = "<div><h3>one</h3><p>two</p></div>";
    let html = format!("<section>{card}{card}{card}<div><p>three</p><p>four</p></div></section><p>five</p>");

    assert_eq!(column("part.1.beside", &html)[0], 4.0);
    assert_eq!(column("part.1.same-tag", &html)[0], 4.0);
    assert_eq!(column("part.1.alike", &html)[0], 3.0);
    assert_eq!(column("part.0.same-tag", &html), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 1.0]);
}

#[test]
fn the_core_of_a_page_is_the_div_of_the_article() {
    let menu = "<div><ul><li><a>Home</a></li><li><a>News</a></li></ul></div>";
    let article = format!("<div><h1>On boats</h1><p>{LONG}</p><p>{LONG}</p></div>");
    let page = page("ON BOATS", &format!("{menu}{article}<div><a>Imprint</a></div>"));

    for core in ["half", "best"] {
        assert_eq!(column_of(&format!("core.{core}.inside"), &page), [0.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(column_of(&format!("core.{core}.before"), &page), [2.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(column_of(&format!("core.{core}.steps-in"), &page), [4.0, 4.0, 1.0, 1.0, 1.0, 2.0]);
    }
    assert_eq!(column_of("from.title", &page), [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
    assert_eq!(column_of("from.h1", &page), [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
    assert_eq!(column_of("title.covered", &page)[2], 1.0);
    assert_eq!(column_of("branch.blocks", &page), [2.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn copies_neighbours_windows_and_sections_are_seen() {
    assert_eq!(column("block.copies", "<p>one</p><p>two</p><p>one</p><p>one!</p>"), [2.0, 1.0, 2.0, 1.0]);
    assert_eq!(column("beside.-1.letters", "<p>a</p><p>bb</p><p>ccc</p>"), [0.0, 1.0, 2.0]);
    assert_eq!(column("beside.+2.letters", "<p>a</p><p>bb</p><p>ccc</p>"), [3.0, 0.0, 0.0]);
    assert_eq!(column("window.2.letters", "<p>a</p><p>bb</p><p>ccc</p><p>dddd</p>"), [6.0, 10.0, 10.0, 9.0]);
    let html = "<p>a</p><h2>bb</h2><p>ccc</p><p>dddd</p><h3>e</h3>";
    assert_eq!(column("section.blocks-before", html), [0.0, 0.0, 1.0, 2.0, 0.0]);
    assert_eq!(column("section.letters-behind", html), [1.0, 9.0, 7.0, 4.0, 1.0]);
    assert_eq!(column("section.number", html), [0.0, 1.0, 1.0, 1.0, 2.0]);
}

#[test]
fn blocks_with_the_same_tags_around_them_belong_together() {
    let html = "<div><p>a</p><p>bb</p></div><div><p>ccc</p></div><p>dddd</p>";

    assert_eq!(column("path.letters", html), [6.0, 6.0, 6.0, 4.0]);
    assert_eq!(column("parent-path.blocks", html), [3.0, 3.0, 3.0, 1.0]);
}
