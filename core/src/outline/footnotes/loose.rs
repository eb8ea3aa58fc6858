//! Footnotes outside of lists: paragraphs that begin with the text of the reference to them.

use std::collections::{HashMap, HashSet};

use super::{bare, clip, make_footnote, name, FARTHEST};
use crate::outline::{Kind, Node, Outline};
use crate::page::Page;

/// The nodes of a footnote, and its name.
struct Found {
    start: usize,
    end: usize,
    /// The end of the node around it.
    around: usize,
    id: String,
}

pub fn link(
    outline: &mut Outline,
    page: &Page,
    references: &HashMap<String, String>,
    labels: &mut HashMap<String, u32>,
) {
    let found = found(outline, page, references, labels);
    if found.is_empty() {
        return;
    }
    for footnote in &found {
        trim_label(outline, footnote.start, &references[&footnote.id]);
    }
    let places = wrap(outline, &found);
    for (place, footnote) in places.into_iter().zip(found) {
        make_footnote(outline, place, Some(footnote.id), labels);
    }
}

fn found(
    outline: &Outline,
    page: &Page,
    references: &HashMap<String, String>,
    labels: &HashMap<String, u32>,
) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut known: HashSet<String> = labels.keys().cloned().collect();
    let mut open: Vec<usize> = Vec::new();
    for (number, node) in outline.nodes.iter().enumerate() {
        open.retain(|&node| outline.nodes[node].end as usize > number);
        if !node.kind.has_text() {
            open.push(number);
            continue;
        }
        let is_free = open.iter().all(|&around| matches!(outline.nodes[around].kind, Kind::Quote | Kind::Details));
        let is_behind = found.last().is_none_or(|last| last.end <= number);
        if node.kind == Kind::Paragraph && is_free && is_behind {
            let around = open.last().map_or(outline.nodes.len(), |&around| outline.nodes[around].end as usize);
            let footnote = footnote(outline, page, number, around, references);
            found.extend(footnote.filter(|footnote| known.insert(footnote.id.clone())));
        }
    }
    found
}

/// The footnote that begins with a paragraph; it ends before `around`, the end of the enclosing node.
fn footnote(
    outline: &Outline,
    page: &Page,
    paragraph: usize,
    around: usize,
    references: &HashMap<String, String>,
) -> Option<Found> {
    let tree = &page.tree;
    let element = outline.nodes[paragraph].element as usize;
    let before = paragraph.checked_sub(1).map_or(0, |before| outline.nodes[before].element as usize);
    let mut named = element;
    for _ in 0..FARTHEST {
        if let Some(id) = name(page, named, references) {
            let is_label = label_length(outline.text_of(&outline.nodes[paragraph]), &references[&id]).is_some();
            let is_inside = |&node: &usize| {
                let own = outline.nodes[node].element as usize;
                named <= own && own < tree.ends[named] as usize && outline.nodes[node].kind == Kind::Paragraph
            };
            let end = (paragraph + 1..around).take_while(is_inside).last().map_or(paragraph + 1, |last| last + 1);
            return is_label.then_some(Found { start: paragraph, end, around, id });
        }
        named = tree.parents[named] as usize;
        let begins_before = named <= before && before < tree.ends[named] as usize;
        if begins_before && paragraph > 0 {
            return None;
        }
    }
    None
}

/// The length of a label at the start of a text, with brackets, dot and blanks. Text has to follow it.
fn label_length(text: &str, label: &str) -> Option<usize> {
    let opened = text.trim_start_matches(['[', '(']);
    let behind = opened.strip_prefix(label)?;
    let rest = behind.trim_start_matches([']', ')', '.', ':', ' ', '\n', '\u{a0}']);
    let is_apart = rest.len() < behind.len() || !rest.starts_with(char::is_alphanumeric);
    (bare(label) == label && is_apart && !rest.is_empty()).then_some(text.len() - rest.len())
}

fn trim_label(outline: &mut Outline, number: usize, label: &str) {
    if let Some(length) = label_length(outline.text_of(&outline.nodes[number]), label) {
        outline.nodes[number].text.start += length as u32;
        clip(outline, number);
    }
}

/// Wraps footnotes into nodes, and neighbours into one group; returns the places of the footnotes.
fn wrap(outline: &mut Outline, found: &[Found]) -> Vec<usize> {
    let mut wrappers: Vec<(usize, usize, Kind)> = Vec::new();
    let mut group = 0;
    for (place, footnote) in found.iter().enumerate() {
        let is_next = |before: &Found| before.end == footnote.start && before.around == footnote.around;
        if !place.checked_sub(1).is_some_and(|before| is_next(&found[before])) {
            group = wrappers.len();
            wrappers.push((footnote.start, footnote.end, Kind::Footnotes));
        }
        wrappers[group].1 = footnote.end;
        wrappers.push((footnote.start, footnote.end, Kind::Footnote));
    }
    let moved = |end: usize| end + wrappers.partition_point(|wrapper| wrapper.0 < end);
    let old = std::mem::take(&mut outline.nodes);
    let mut places = Vec::new();
    let mut next = 0;
    for (number, node) in old.into_iter().enumerate() {
        while let Some(&(_, end, kind)) = wrappers.get(next).filter(|wrapper| wrapper.0 == number) {
            if kind == Kind::Footnote {
                places.push(outline.nodes.len());
            }
            outline.nodes.push(Node { kind, end: moved(end) as u32, ..without_text(node) });
            next += 1;
        }
        outline.nodes.push(Node { end: moved(node.end as usize) as u32, ..node });
    }
    places
}

fn without_text(node: Node) -> Node {
    let empty = crate::outline::Part::default();
    Node { text: empty, spans: empty, blocks: empty, runs: (0, 0), word: 0, ..node }
}
