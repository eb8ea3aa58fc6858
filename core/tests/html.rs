//! What users of the parser rely on, each shown by a small page.

use victor_core::html::{attributes, parse, serialize, tags, text, Options};
use victor_core::tree::{Form, Namespace, Tree};

fn tree(source: &str) -> Tree {
    parse(source.to_owned(), Options { repairs: false })
}

fn mended(source: &str) -> Tree {
    parse(source.to_owned(), Options { repairs: true })
}

/// Where the first element of a name stands.
fn first(tree: &Tree, name: &str) -> usize {
    (0..tree.len()).find(|&element| tree.name(element) == name).expect("an element of the name")
}

fn names(tree: &Tree) -> Vec<&str> {
    (0..tree.len()).map(|element| tree.name(element)).collect()
}

fn words(tree: &Tree, element: usize) -> String {
    let is_within =
        |text: &&victor_core::tree::Text| (element..tree.ends[element] as usize).contains(&(text.element as usize));
    tree.texts.iter().filter(is_within).map(|text| tree.text(text)).collect()
}

#[test]
fn the_empty_page_has_its_three_elements() {
    assert_eq!(names(&tree("")), ["html", "head", "body"]);
}

#[test]
fn elements_stand_in_document_order() {
    let tree = tree("<p>a<b>c</b></p><hr>");

    assert_eq!(names(&tree), ["html", "head", "body", "p", "b", "hr"]);
    assert_eq!(tree.parents, [0, 0, 0, 2, 3, 2]);
    assert_eq!(tree.ends, [6, 2, 6, 5, 5, 6]);
    assert_eq!(tree.depths, [0, 1, 1, 2, 3, 2]);
    assert_eq!(tree.places, [0, 0, 0, 0, 4, 16]);
}

#[test]
fn texts_know_how_many_tags_stand_before_them() {
    let tree = tree("<p>a<br>b</p>c");
    let places: Vec<u32> = tree.texts.iter().map(|text| text.place).collect();
    let paragraph = first(&tree, "p");

    // <html><head></head><body><p>a<br></br>b</p>c
    assert_eq!(places, [5, 7, 8]);
    assert_eq!(2 * paragraph as u32 - tree.depths[paragraph], 4);
    assert_eq!(2 * tree.ends[paragraph] - tree.depths[paragraph] - 1, 7);
}

#[test]
fn text_before_a_table_stands_before_it() {
    assert_eq!(names(&tree("<table><b>x<tr><td>y")), ["html", "head", "body", "b", "table", "tbody", "tr", "td"]);
}

#[test]
fn a_table_ends_a_paragraph_only_with_a_doctype() {
    let (standard, quirky) = (tree("<!doctype html><p><table>"), tree("<p><table>"));

    assert_eq!(standard.parents[first(&standard, "table")] as usize, first(&standard, "body"));
    assert_eq!(quirky.parents[first(&quirky, "table")] as usize, first(&quirky, "p"));
}

#[test]
fn attributes_are_read_on_demand() {
    let tree = tree("<p CLASS=\"a&amp;b\" id=x/ class='c' hidden data-a = 1>");
    let paragraph = first(&tree, "p");
    let found: Vec<_> =
        attributes::of(&tree, paragraph).map(|found| (found.small_name(), found.value().into_owned())).collect();

    let expected = [("class", "a&b"), ("id", "x/"), ("hidden", ""), ("data-a", "1")];
    assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(tree.attribute(paragraph, "class").as_deref(), Some("a&b"));
    assert_eq!(tree.attribute(paragraph, "title"), None);
}

#[test]
fn the_body_takes_over_attributes_of_later_ones() {
    let tree = tree("<body a=1><p><body a=2 b=3><html c=4>");
    let body = first(&tree, "body");

    assert_eq!(tree.attribute(body, "a").as_deref(), Some("1"));
    assert_eq!(tree.attribute(body, "b").as_deref(), Some("3"));
    assert_eq!(tree.attribute(0, "c").as_deref(), Some("4"));
    assert_eq!(attributes::of(&tree, body).count(), 2);
}

#[test]
fn many_attributes_are_told_apart_too() {
    let page: String = (0..100).map(|number| format!(" A{number}=1 a{number}=2")).collect();
    let tree = tree(&format!("<p{page}>"));

    assert_eq!(attributes::of(&tree, first(&tree, "p")).filter(|found| found.raw == "1").count(), 100);
    assert_eq!(attributes::of(&tree, first(&tree, "p")).count(), 100);
}

#[test]
fn references_are_decoded() {
    for (source, expected) in [
        ("&amp;&lt;", "&<"),
        ("&notit;&notin;", "¬it;∉"),
        ("&copy2", "©2"),
        ("&#65;&#x42&#128;&#0;", "AB€\u{fffd}"),
        ("&#xD800;&#99999999999;", "\u{fffd}\u{fffd}"),
        ("&never; & &#; &#x;", "&never; & &#; &#x;"),
        ("a\r\nb\rc\0", "a\nb\nc"),
    ] {
        assert_eq!(text::decoded(source, Form::Data), expected);
    }
    assert_eq!(text::decoded("\0&lt;", Form::Replacing), "\u{fffd}<");
    assert_eq!(text::decoded("\0&lt;\r\n", Form::Raw), "\u{fffd}&lt;\n");
    assert_eq!(text::decoded_attribute("?a=1&copy=2&copy;&lt"), "?a=1&copy=2©<");
}

#[test]
fn a_line_end_at_the_beginning_of_preformatted_text_is_dropped() {
    for page in ["<pre>\nx", "<pre>\r\nx", "<textarea>\nx", "<listing>&#10;x"] {
        let tree = tree(page);
        assert_eq!(words(&tree, first(&tree, "body")), "x", "{page}");
    }
}

#[test]
fn scripts_and_styles_are_texts_without_references() {
    let tree = tree("<script>a &amp; <b></script><style>&lt;</style>");

    assert_eq!(words(&tree, first(&tree, "script")), "a &amp; <b>");
    assert_eq!(words(&tree, first(&tree, "style")), "&lt;");
}

#[test]
fn names_beyond_the_table_are_kept() {
    let tree = tree("<My-Element><x:y></x:y></my-element><p>");

    assert_eq!(names(&tree)[3..], ["my-element", "x:y", "p"]);
    assert_eq!(tree.parents[5], 2);
    assert_eq!(tree.tags[5], tags::P);
}

#[test]
fn elements_of_svg_and_mathml_have_their_namespace() {
    let tree = tree("<svg><foreignObject><p></p></foreignObject></svg><math><mi>");
    let namespace = |name| tree.namespaces[first(&tree, name)];

    assert_eq!(namespace("foreignobject"), Namespace::Svg);
    assert_eq!(namespace("p"), Namespace::Html);
    assert_eq!(namespace("mi"), Namespace::MathMl);
}

#[test]
fn content_of_a_template_stands_in_it() {
    let tree = tree("<body><template><tr><td>x</template>");

    assert_eq!(names(&tree)[3..], ["template", "tr", "td"]);
    assert_eq!(tree.parents[4], 3);
}

#[test]
fn without_scripting_noscript_holds_elements() {
    assert_eq!(names(&tree("<body><noscript><p>x</noscript>"))[3..], ["noscript", "p"]);
}

#[test]
fn what_is_too_deep_stands_beside_each_other() {
    let page = format!("{}x{}<p>y", "<div>".repeat(600), "</div>".repeat(600));
    let tree = tree(&page);

    assert_eq!(tree.len(), 604);
    assert_eq!(tree.depths.iter().max(), Some(&512));
    // The end tags still meet their elements.
    assert_eq!(tree.depths[first(&tree, "p")], 2);
}

#[test]
fn a_script_does_not_end_in_a_string() {
    let page = "<script>document.write('<script></script>');</script><p>x";
    let (tree, mended) = (tree(page), mended(page));

    assert_eq!(words(&tree, first(&tree, "script")), "document.write('<script>");
    assert_eq!(words(&mended, first(&mended, "script")), "document.write('<script></script>');");
}

#[test]
fn a_script_ends_in_a_string_if_it_ends_nowhere_else() {
    let tree = mended("<script>document.write('</script>');<p>x");

    assert_eq!(words(&tree, first(&tree, "script")), "document.write('");
}

#[test]
fn a_title_that_nobody_closed_ends_at_its_first_tag() {
    for page in ["<title>a<meta><p>b</title>c", "<title>a</head><p>b", "<title>a<p>b"] {
        let tree = mended(page);
        assert_eq!(words(&tree, first(&tree, "title")), "a", "{page}");
        assert!(names(&tree).contains(&"p"), "{page}");
    }
}

#[test]
fn a_frame_that_closes_itself_is_empty_where_its_end_tag_stands_nowhere() {
    for (page, expected) in [
        ("<iframe src=x /><p>a", true),
        ("<script src=x /><p>a", true),
        ("<iframe src=x /><p>a</iframe>", false),
        ("<iframe src=x><p>a", false),
    ] {
        assert_eq!(names(&mended(page)).contains(&"p"), expected, "{page}");
        assert!(!names(&tree(page)).contains(&"p"), "{page}");
    }
}

#[test]
fn a_closed_title_may_hold_tags() {
    let tree = mended("<title>a<b>c</title><p>");

    assert_eq!(words(&tree, first(&tree, "title")), "a<b>c");
}

#[test]
fn a_title_of_svg_is_no_title_of_the_page() {
    let tree = mended("<body><svg><title>a<b></b></title></svg><p>c");

    assert_eq!(words(&tree, first(&tree, "p")), "c");
}

#[test]
fn trees_are_written_as_html5lib_does() {
    let written = serialize::html5lib(&tree("<body><svg viewbox=1><template><p id=a>x<template>y"));

    let expected = "| <html>\n|   <head>\n|   <body>\n|     <svg svg>\n|       viewBox=\"1\"\n|       <svg template>\n\
        |     <p>\n|       id=\"a\"\n|       \"x\"\n|       <template>\n|         content\n|           \"y\"\n";
    assert_eq!(written, expected);
}
