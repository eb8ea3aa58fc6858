//! Pages made to hurt: outlines and formats take time and room by the size of the page.

use std::time::{Duration, Instant};

use victor_core::formats::html::html;
use victor_core::formats::main_html::main_html;
use victor_core::outline::{outline, whole};

use super::pages::{document, json, written, P};

/// What stands once at the beginning, what is repeated, and what stands at the end.
const SHAPES: [(&str, &str, &str, &str); 40] = [
    ("lists", "", "<ul><li>x", ""),
    ("lists without items", "", "<ul>x", ""),
    ("ordered lists", "", "<ol start=999999999><li>x", ""),
    ("items without lists", "", "<li>x", ""),
    ("quotes", "", "<blockquote>x", ""),
    ("definitions", "", "<dl><dt>x<dd>y", ""),
    ("tables", "", "<table><tr><td>x<td>y<tr><td>z", ""),
    ("cells", "<table><tr>", "<td>x", "<tr><td>y<td>z</table>"),
    ("rows", "<table>", "<tr><td>x<td>y", "</table>"),
    ("wide cells", "<table>", "<tr><td colspan=9007199254740992>x<td rowspan=9007199254740992>y", "</table>"),
    ("high cells", "<table><tr><td>a<td>b", "<tr><td rowspan=60000>x<td>y", "</table>"),
    ("links", "<p>", "<a href=x>y</a> ", ""),
    ("links around parts", "", "<a href=x><div>y", ""),
    ("bold words", "<p>", "<b>x</b> y ", ""),
    ("bold in italics", "<p><i>a ", "<b>x</b>y", "</i>"),
    ("styles", "", "<b><i><s><code><sub><sup>x", ""),
    ("styles and paragraphs", "<b><i><s><code><sub><sup>", "<p>x", ""),
    ("spans and paragraphs", "SPANS", "<p>x", ""),
    ("code", "<p>", "<code>x</code>", ""),
    ("listings", "", "<pre>x\ny</pre>", ""),
    ("lines", "<pre>", "x\n", "</pre>"),
    ("empty lines", "<pre>x", "\n", "y</pre>"),
    ("marked lines", "<pre>", "<span class=lineno>1</span><b>x</b>\n", "</pre>"),
    ("listings in listings", "", "<pre>x<pre>", ""),
    ("code in code", "", "<code>x<br>", ""),
    ("images", "<p>a", "<img src=x>", "b"),
    ("sources", "<p>a<picture>", "<source srcset='x 1x'><img>", "b"),
    ("a long srcset", "<p>a<img srcset='", "x 1x, ", "'>b"),
    ("figures", "", "<figure><img src=x><figcaption>y", ""),
    ("details", "", "<details><summary>x</summary>y", ""),
    ("headings", "", "<h1>x", ""),
    ("headings in a list", "<ul>", "<li><h2>x</h2>y", ""),
    ("breaks", "<p>", "x<br>", ""),
    ("rules", "", "<hr>x", ""),
    ("backquotes", "<p>", "`", ""),
    ("stars", "<p>", "*x", ""),
    ("dollars", "<p>MathJax ", "$x$ ", ""),
    ("formulas", "<p>", "\\(x\\) \\[ ", ""),
    ("elements of math", "", "<math><mi>x", ""),
    ("footnotes", "<p>", "<sup><a href=#n>1</a></sup><li id=n>x", ""),
];

fn page(shape: (&str, &str, &str, &str), size: usize) -> String {
    let begin = if shape.1 == "SPANS" { "<span>".repeat(300) } else { shape.1.to_string() };
    begin + &shape.2.repeat(size / shape.2.len()) + shape.3
}

/// The time of everything that an outline is good for, and how much is written.
fn cost(page: &str) -> (Duration, usize) {
    let document = document(page);
    let labels = vec![P; document.page.len()];
    let start = Instant::now();
    let labels = whole::whole(&document.page, &labels, &whole::Thresholds::default());
    let outline = outline(&document.page, &labels, "http://a.org/");
    let is_kept = vec![true; labels.len()];
    let formats = [
        written(&outline),
        html(&outline),
        main_html(&document.page, &is_kept, "", ""),
        json(&outline, &document.page),
    ];
    (start.elapsed(), formats.iter().map(String::len).max().unwrap_or(0))
}

#[test]
fn outlines_take_time_by_the_size_of_the_page() {
    for shape in SHAPES {
        // On a busy machine a page may take any time: what takes too long is tried again.
        assert!((0..10).any(|_| is_linear(shape)), "{}: four times as large takes too long, ten times", shape.0);
    }
}

fn is_linear(shape: (&str, &str, &str, &str)) -> bool {
    const SMALL: usize = 50_000;
    let (small, _) = cost(&page(shape, SMALL));
    let (large, written) = cost(&page(shape, 4 * SMALL));
    assert!(written < 600 * 4 * SMALL, "{}: {written} bytes", shape.0);
    large < small * 12 + Duration::from_millis(100)
}

#[test]
fn a_table_of_a_hundred_thousand_cells_is_a_table() {
    let page = format!("<table>{}</table>", "<tr><td>a<td>b".repeat(50_000));
    let markdown = super::pages::markdown_of(&page);

    assert_eq!(markdown.lines().count(), 50_002);
}

#[test]
fn rows_below_a_very_wide_one_stay_short() {
    let page = format!("<table><tr>{}{}</table>", "<td>a".repeat(5_000), "<tr><td>b<td>c".repeat(5_000));
    let markdown = super::pages::markdown_of(&page);

    assert!(markdown.len() < 2 * page.len());
    assert!(markdown.ends_with("\n| b | c |\n"));
    assert_eq!(markdown.lines().take(2).map(|line| line.matches('|').count()).collect::<Vec<_>>(), [5_001, 5_001]);
}

#[test]
fn lists_ten_thousand_deep_keep_their_text() {
    let markdown = super::pages::markdown_of(&"<ul><li>x".repeat(10_000));

    assert_eq!(markdown.matches('x').count(), 10_000);
}
