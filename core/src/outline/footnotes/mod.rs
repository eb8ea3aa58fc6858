//! Footnotes and references: a short link inside the page, and the item or paragraph it leads to.

mod loose;

use std::collections::HashMap;

use super::{Kind, Outline, Part, Style};
use crate::html::tags;
use crate::page::Page;

/// The longest reference: a number or a sign, perhaps in brackets.
const LONGEST: usize = 12;

/// Signs that link back to the reference.
const BACK: [char; 8] = ['↩', '↑', '^', '⏎', '↵', '⤴', '\u{fe0e}', '\u{200c}'];

/// How many elements at the start of a footnote are searched for its name.
const MOST_NAMES: usize = 3;

/// How many parents of a footnote are searched for its name.
const FARTHEST: usize = 3;

/// Marks footnotes and references. Footnotes are the items of a list if references lead to most of them, and paragraphs
/// that begin with the text of their reference.
pub fn link(outline: &mut Outline, page: &Page) {
    let references = references(outline);
    if references.is_empty() {
        return;
    }
    let mut labels: HashMap<String, u32> = HashMap::new();
    let lists: Vec<usize> =
        (0..outline.nodes.len()).filter(|&node| matches!(outline.nodes[node].kind, Kind::List(_))).collect();
    for list in lists {
        let items: Vec<usize> = outline.children(list).collect();
        let ids: Vec<Option<String>> = items.iter().map(|&item| id(outline, page, item, &references)).collect();
        let known = ids.iter().flatten().count();
        if known > 0 && 2 * known >= items.len() {
            outline.nodes[list].kind = Kind::Footnotes;
            for (item, id) in items.into_iter().zip(ids) {
                make_footnote(outline, item, id, &mut labels);
            }
        }
    }
    loose::link(outline, page, &references, &mut labels);
    refer(outline, &labels);
}

/// The targets of references, each with the text of its first reference.
fn references(outline: &Outline) -> HashMap<String, String> {
    if !outline.links.iter().any(|link| link.starts_with('#')) {
        return HashMap::new();
    }
    let mut references = HashMap::new();
    for span in &outline.spans {
        if let Some(fragment) = fragment(outline, span) {
            let text = bare(&outline.text[span.start as usize..span.end as usize]);
            references.entry(fragment.to_string()).or_insert_with(|| text.to_string());
        }
    }
    references
}

/// The text of a reference without brackets.
fn bare(text: &str) -> &str {
    text.trim_matches(['[', ']', '(', ')', ' '])
}

/// The target of a span, if it looks like a reference.
fn fragment<'o>(outline: &'o Outline, span: &super::Span) -> Option<&'o str> {
    let Style::Link(link) = span.style else { return None };
    let fragment = outline.links[link as usize].strip_prefix('#')?;
    let text = bare(&outline.text[span.start as usize..span.end as usize]);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign =
        text.chars().all(|character| matches!(character, '*' | '†' | '‡' | '§' | '¶' | '⁰'..='⁹' | '¹' | '²' | '³'));
    let is_letter = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_note = text.strip_prefix("note ").or(text.strip_prefix("nb ")).is_some();
    let is_short = !text.is_empty() && text.len() <= LONGEST;
    (is_short && (is_number || is_sign || is_letter || is_note)).then_some(fragment)
}

/// The name of an item, if a reference leads to it. Items without an element of their own may share one.
fn id(outline: &Outline, page: &Page, node: usize, references: &HashMap<String, String>) -> Option<String> {
    let element = outline.nodes[node].element as usize;
    (page.tree.tags[element] == tags::LI).then(|| name(page, element, references)).flatten()
}

/// The name of an element, or of one of its first elements, if a reference leads to it.
fn name(page: &Page, element: usize, references: &HashMap<String, String>) -> Option<String> {
    let behind = (element + MOST_NAMES).min(page.tree.ends[element] as usize);
    let names = (element..behind).flat_map(|inner| ["id", "name"].map(|name| page.tree.attribute(inner, name)));
    names.flatten().map(String::from).find(|name| references.contains_key(name))
}

fn make_footnote(outline: &mut Outline, item: usize, id: Option<String>, labels: &mut HashMap<String, u32>) {
    let number = outline.words.len() as u32 + 1;
    let label = labels.len() + 1;
    outline.words.push(label.to_string());
    outline.nodes[item].kind = Kind::Footnote;
    outline.nodes[item].word = number;
    // Every footnote has a label of its own, also without a name, or with the name of another.
    let id = id.filter(|id| !labels.contains_key(id)).unwrap_or_else(|| format!(" {number}"));
    labels.insert(id, number);
    let inside = item + 1..outline.nodes[item].end as usize;
    let texts: Vec<usize> = inside.filter(|&node| outline.nodes[node].kind == Kind::Paragraph).collect();
    if let (Some(&first), Some(&last)) = (texts.first(), texts.last()) {
        trim_start(outline, first);
        trim_end(outline, last);
    }
}

fn trim_start(outline: &mut Outline, number: usize) {
    let node = outline.nodes[number];
    let text = outline.text_of(&node);
    let rest = text.trim_start_matches(BACK).trim_start();
    if rest.is_empty() || rest.len() == text.len() {
        return;
    }
    let start = node.text.end - rest.len() as u32;
    outline.nodes[number].text.start = start;
    clip(outline, number);
}

fn trim_end(outline: &mut Outline, number: usize) {
    let node = outline.nodes[number];
    let text = outline.text_of(&node);
    let rest = text.trim_end_matches(BACK).trim_end();
    if rest.is_empty() || rest.len() == text.len() {
        return;
    }
    outline.nodes[number].text.end = node.text.start + rest.len() as u32;
    clip(outline, number);
}

/// Cuts the spans of a node to its text.
fn clip(outline: &mut Outline, number: usize) {
    let node = outline.nodes[number];
    let first = outline.spans.len();
    for place in node.spans.range() {
        let mut span = outline.spans[place];
        span.start = span.start.max(node.text.start);
        span.end = span.end.min(node.text.end);
        if span.start < span.end {
            outline.spans.push(span);
        }
    }
    outline.nodes[number].spans = Part::new(first, outline.spans.len());
}

/// Links to footnotes become references.
fn refer(outline: &mut Outline, labels: &HashMap<String, u32>) {
    for place in 0..outline.spans.len() {
        let label = fragment(outline, &outline.spans[place]).and_then(|fragment| labels.get(fragment)).copied();
        if let Some(label) = label {
            outline.spans[place].style = Style::Reference(label);
        }
    }
}
