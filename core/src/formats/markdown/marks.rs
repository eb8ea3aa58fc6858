//! Spans as Markdown can say them: code holds nothing, emphasis begins and ends where readers see it.

use crate::outline::{Node, Outline, Span, Style, PICTURE};

use super::Switches;

/// A span of the text of one node, in bytes of that text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub style: Style,
    pub start: usize,
    pub end: usize,
}

impl Mark {
    fn is_emphasis(&self) -> bool {
        matches!(self.style, Style::Strong | Style::Emphasis | Style::Struck)
    }

    fn is_star(&self) -> bool {
        matches!(self.style, Style::Strong | Style::Emphasis)
    }
}

/// The marks of a node: nested properly, the outer first.
pub fn marks(outline: &Outline, node: &Node, switches: &Switches) -> Vec<Mark> {
    let spans = outline.spans_of(node);
    if spans.is_empty() {
        return Vec::new();
    }
    let text = outline.text_of(node);
    let own = |span: &Span| Mark {
        style: span.style,
        start: (span.start - node.text.start) as usize,
        end: (span.end - node.text.start) as usize,
    };
    let mut marks: Vec<Mark> = spans.iter().map(own).filter(|mark| is_on(mark.style, switches)).collect();
    marks.retain(|mark| mark.start < mark.end);
    marks = simple_code(marks);
    marks = merged(marks);
    visible(marks, text)
}

fn is_on(style: Style, switches: &Switches) -> bool {
    match style {
        Style::Strong | Style::Emphasis | Style::Struck => switches.emphasis,
        Style::Code => switches.code,
        Style::Sub | Style::Sup => switches.scripts,
        Style::Quote => true,
        Style::Link(_) => switches.links,
        Style::Image(_) => true,
        Style::Math { .. } => switches.math,
        Style::Reference(_) => switches.footnotes,
    }
}

/// Code and formulas hold nothing: a link of all of it is around it instead, an image makes it plain text.
fn simple_code(mut marks: Vec<Mark>) -> Vec<Mark> {
    let is_code = |mark: &Mark| matches!(mark.style, Style::Code | Style::Math { .. } | Style::Reference(_));
    let mut dropped = vec![false; marks.len()];
    let mut at = 0;
    while at < marks.len() {
        if !is_code(&marks[at]) || dropped[at] {
            at += 1;
            continue;
        }
        let code = marks[at];
        let inside = marks[at + 1..].iter().take_while(|mark| mark.start < code.end).count();
        let range = at + 1..at + 1 + inside;
        if marks[range.clone()].iter().any(|mark| matches!(mark.style, Style::Image(_) | Style::Math { .. })) {
            dropped[at] = true;
            at += 1;
            continue;
        }
        let whole = range.clone().find(|&inner| {
            matches!(marks[inner].style, Style::Link(_)) && (marks[inner].start, marks[inner].end) == (code.start, code.end)
        });
        dropped[range].fill(true);
        if let Some(link) = whole {
            let style = marks[link].style;
            marks[link].style = std::mem::replace(&mut marks[at].style, style);
            dropped[link] = false;
            at = link;
        }
        at += inside + 1;
    }
    let mut place = 0;
    marks.retain(|_| {
        place += 1;
        !dropped[place - 1]
    });
    marks
}

/// Of two neighbours of one style with nothing between them one is made.
fn merged(marks: Vec<Mark>) -> Vec<Mark> {
    let mut merged: Vec<Mark> = Vec::with_capacity(marks.len());
    // The marks that are open, and the last of each style with the one around it.
    let mut open: Vec<usize> = Vec::new();
    let mut last: [Option<(usize, Option<usize>)>; 6] = [None; 6];
    for mark in marks {
        while open.last().is_some_and(|&open| merged[open].end <= mark.start) {
            open.pop();
        }
        let around = open.last().copied();
        let slot = mergeable(mark.style);
        let before = slot.and_then(|slot| last[slot]).filter(|before| before.1 == around && merged[before.0].end == mark.start);
        let place = match before {
            Some((before, _)) => {
                merged[before].end = mark.end;
                before
            }
            None => {
                merged.push(mark);
                merged.len() - 1
            }
        };
        open.push(place);
        if let Some(slot) = slot {
            last[slot] = Some((place, around));
        }
    }
    merged
}

fn mergeable(style: Style) -> Option<usize> {
    let styles = [Style::Strong, Style::Emphasis, Style::Struck, Style::Code, Style::Sub, Style::Sup];
    styles.iter().position(|other| *other == style)
}

/// Stars begin emphasis before a letter, or before a sign where no letter stands before them. Signs at the ends that
/// would hide it are left outside.
fn visible(mut marks: Vec<Mark>, text: &str) -> Vec<Mark> {
    if marks.iter().any(Mark::is_emphasis) {
        let edges = Edges::new(&marks);
        for at in 0..marks.len() {
            if marks[at].is_emphasis() {
                (marks[at].start, marks[at].end) = edges.shrunk(&marks, at, text);
            }
        }
        marks.retain(|mark| mark.start < mark.end);
    }
    marks
}

/// Where marks begin and end that are written by other signs than stars; with their numbers, sorted.
struct Edges {
    starts: Vec<(usize, usize)>,
    ends: Vec<(usize, usize)>,
}

impl Edges {
    fn new(marks: &[Mark]) -> Self {
        let others = || marks.iter().enumerate().filter(|(_, mark)| !mark.is_star());
        let mut ends: Vec<_> = others().map(|(number, mark)| (mark.end, number)).collect();
        ends.sort_unstable();
        Self { starts: others().map(|(number, mark)| (mark.start, number)).collect(), ends }
    }

    fn starting(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        at(&self.starts, place)
    }

    fn ending(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        at(&self.ends, place)
    }

    /// The part of a mark that readers see as emphasised.
    fn shrunk(&self, marks: &[Mark], at: usize, text: &str) -> (usize, usize) {
        let Mark { mut start, mut end, .. } = marks[at];
        while start < end && !self.can_start(at, start, text) {
            let inner = self.starting(start).find(|&other| other > at && marks[other].end <= end);
            let sign = text[start..].chars().next().map_or(1, char::len_utf8);
            start += inner.map_or(sign, |inner| marks[inner].end - start);
        }
        while start < end && !self.can_end(marks, at, start, end, text) {
            let inner = self.ending(end).find(|&other| other > at && marks[other].start >= start);
            let sign = text[..end].chars().next_back().map_or(1, char::len_utf8);
            end -= inner.map_or(sign, |inner| end - marks[inner].start);
        }
        (start, end)
    }

    fn can_start(&self, at: usize, start: usize, text: &str) -> bool {
        let Some(first) = text[start..].chars().next().filter(|first| !first.is_whitespace()) else { return false };
        let has_inner = self.starting(start).any(|other| other > at);
        let has_outer = self.starting(start).any(|other| other < at) || self.ending(start).next().is_some();
        is_letter(first) && !has_inner || has_outer || !text[..start].chars().next_back().is_some_and(is_letter)
    }

    fn can_end(&self, marks: &[Mark], at: usize, start: usize, end: usize, text: &str) -> bool {
        let Some(last) = text[..end].chars().next_back().filter(|last| !last.is_whitespace()) else { return false };
        let is_inner = |other: usize| other > at && marks[other].start >= start;
        let has_inner = self.ending(end).any(is_inner);
        let has_outer = self.ending(end).any(|other| other < at) || self.starting(end).next().is_some();
        is_letter(last) && !has_inner || has_outer || !text[end..].chars().next().is_some_and(is_letter)
    }
}

/// The numbers of the marks at a place.
fn at(edges: &[(usize, usize)], place: usize) -> impl Iterator<Item = usize> + '_ {
    let first = edges.partition_point(|edge| edge.0 < place);
    edges[first..].iter().take_while(move |edge| edge.0 == place).map(|edge| edge.1)
}

/// Neither white space nor a sign, as CommonMark has it.
pub fn is_letter(character: char) -> bool {
    !character.is_whitespace() && character != PICTURE && !is_sign(character)
}

fn is_sign(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation();
    }
    !character.is_alphanumeric()
}
