//! Pages cut as the shipped model cuts them, and their outlines.

use victor_core::document::{of_text, Document};
use victor_core::formats::markdown::{markdown, Switches};
use victor_core::markup::{Markup, Mode, Names};
use victor_core::outline::{outline, Outline, Places, Source};
use victor_core::page::Page;

pub const P: u8 = 0;
pub const H: u8 = 1;
pub const L: u8 = 2;
pub const C: u8 = 3;
pub const OTHER: u8 = 4;

const DELETED: [&str; 9] = ["embed", "frame", "iframe", "noembed", "noframes", "script", "style", "template", "title"];

const BLOCK: [&str; 51] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
];

pub fn document(html: &str) -> Document {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let mut block: Vec<String> = names(&BLOCK);
    block.push("ul".to_string());
    let parting = ["td", "th", "li", "p", "div"];
    let names = Names { deleted: names(&DELETED), block, parting: names(&parting), ..Names::default() };
    of_text(html.to_string(), &Markup::new(Mode::Line, &names))
}

/// All of a page is kept.
pub fn whole(html: &str) -> Outline {
    let document = document(html);
    outline(&document.page, &vec![P; document.page.len()], "")
}

pub fn labeled(html: &str, labels: &[u8]) -> Outline {
    outline(&document(html).page, labels, "")
}

pub fn written(outline: &Outline) -> String {
    markdown(outline, &Switches::default())
}

pub fn markdown_of(html: &str) -> String {
    written(&whole(html))
}

/// The outline as JSON, with byte ranges.
pub fn json(outline: &Outline, page: &Page) -> String {
    let places = Places::new(page);
    victor_core::outline::json(Source { outline, page, places: &places, offset: Some(0) })
}
