//! Spans that Markdown can express: code without marks inside, emphasis that parsers recognise.

use std::collections::HashSet;

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
    marks = merged(marks, |_| true);
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

/// Removes marks inside code and formulas. A link of the whole code moves around it; code with an image is plain text.
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
            matches!(marks[inner].style, Style::Link(_))
                && (marks[inner].start, marks[inner].end) == (code.start, code.end)
        });
        dropped[range.clone()].fill(true);
        if let Some(link) = whole {
            let style = marks[link].style;
            marks[link].style = std::mem::replace(&mut marks[at].style, style);
            dropped[link] = false;
        }
        at = range.end;
    }
    let mut place = 0;
    marks.retain(|_| {
        place += 1;
        !dropped[place - 1]
    });
    marks
}

/// Merges neighbours of the same style.
fn merged(marks: Vec<Mark>, is_included: fn(Style) -> bool) -> Vec<Mark> {
    let mut merged: Vec<Mark> = Vec::with_capacity(marks.len());
    // The marks that are open, and the last of each style with the one around it.
    let mut open: Vec<usize> = Vec::new();
    let mut last: [Option<(usize, Option<usize>)>; 6] = [None; 6];
    for mark in marks {
        while open.last().is_some_and(|&open| merged[open].end <= mark.start) {
            open.pop();
        }
        let around = open.last().copied();
        let slot = mergeable(mark.style).filter(|_| is_included(mark.style));
        let before =
            slot.and_then(|slot| last[slot]).filter(|before| before.1 == around && merged[before.0].end == mark.start);
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

/// Shrinks emphasis to the part that parsers recognise: its signs begin before a letter, or before other signs if no
/// letter precedes them. Tildes come first, because stars may stand beside them.
fn visible(mut marks: Vec<Mark>, text: &str) -> Vec<Mark> {
    for is_star in [false, true] {
        let is_included = |mark: &Mark| mark.is_emphasis() && mark.is_star() == is_star;
        if marks.iter().any(is_included) {
            let around = around(&marks);
            let edges = Edges::new(&marks, is_star);
            for at in 0..marks.len() {
                if is_included(&marks[at]) {
                    let (start, end) = edges.shrunk(&marks, at, text);
                    let outer = around[at].map_or((start, end), |outer| (marks[outer].start, marks[outer].end));
                    (marks[at].start, marks[at].end) = (start.max(outer.0), end.min(outer.1));
                }
            }
            marks.retain(|mark| mark.start < mark.end);
            // A shrunk mark may now begin before the mark around it.
            marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
            if !is_star {
                marks = merged(without_touching(marks, |mark| mark.style == Style::Struck), |_| true);
            }
        }
    }
    let marks = without_touching(marks, Mark::is_star);
    merged(without_ambiguous(marks, text), |style| matches!(style, Style::Code | Style::Struck))
}

/// Drops ambiguous emphasis. Inside other emphasis, stars between two signs could begin or end it.
fn without_ambiguous(marks: Vec<Mark>, text: &str) -> Vec<Mark> {
    let around = around(&marks);
    if !marks.iter().zip(&around).any(|(mark, around)| mark.is_star() && around.is_some()) {
        return marks;
    }
    let edges = Edges::new(&marks, true);
    let is_clear = |at: usize| {
        let Mark { start, end, .. } = marks[at];
        let before = text[..start].chars().next_back();
        let behind = text[end..].chars().next();
        let begins_by_letter =
            edges.starting(start).all(|other| other < at) && text[start..].chars().next().is_some_and(is_letter);
        let ends_by_letter =
            edges.ending(end).all(|other| other < at) && text[..end].chars().next_back().is_some_and(is_letter);
        let is_edge_before = edges.ending(start).next().is_some() || edges.starting(start).any(|other| other < at);
        let is_edge_behind = edges.starting(end).next().is_some() || edges.ending(end).any(|other| other < at);
        let has_sign_before = is_edge_before || before.is_some_and(|before| !is_letter(before));
        let has_sign_behind = is_edge_behind || behind.is_some_and(|behind| !is_letter(behind));
        let is_blank_before = !is_edge_before && before.is_none_or(char::is_whitespace);
        let is_blank_behind = !is_edge_behind && behind.is_none_or(char::is_whitespace);
        (is_blank_before || has_sign_before && begins_by_letter)
            && (is_blank_behind || has_sign_behind && ends_by_letter)
    };
    let is_kept = |at: usize| !marks[at].is_star() || around[at].is_none() || is_clear(at);
    (0..marks.len()).filter(|&at| is_kept(at)).map(|at| marks[at]).collect()
}

/// Drops emphasis that begins where another ends, because their signs would be ambiguous.
fn without_touching(marks: Vec<Mark>, is_included: fn(&Mark) -> bool) -> Vec<Mark> {
    let mut ends: HashSet<(bool, usize)> = HashSet::new();
    let mut is_apart = |mark: &Mark| {
        !is_included(mark)
            || !ends.contains(&(mark.is_star(), mark.start)) && {
                ends.insert((mark.is_star(), mark.end));
                true
            }
    };
    marks.into_iter().filter(|mark| is_apart(mark)).collect()
}

/// The emphasis of the same kind of signs around each mark.
fn around(marks: &[Mark]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let outer = |(at, mark): (usize, &Mark)| {
        while open.last().is_some_and(|&open| marks[open].end <= mark.start) {
            open.pop();
        }
        let outer = open
            .iter()
            .rev()
            .copied()
            .find(|&outer| marks[outer].is_emphasis() && marks[outer].is_star() == mark.is_star());
        open.push(at);
        outer
    };
    marks.iter().enumerate().map(outer).collect()
}

/// The sorted starts and ends of marks beside emphasis, with the numbers of the marks.
struct Edges {
    starts: Vec<(usize, usize)>,
    ends: Vec<(usize, usize)>,
    /// Stars join other stars; tildes join no other mark.
    of_stars: bool,
}

impl Edges {
    fn new(marks: &[Mark], of_stars: bool) -> Self {
        let others = || marks.iter().enumerate().filter(|(_, mark)| !(of_stars && mark.is_star()));
        let mut ends: Vec<_> = others().map(|(number, mark)| (mark.end, number)).collect();
        ends.sort_unstable();
        Self { starts: others().map(|(number, mark)| (mark.start, number)).collect(), ends, of_stars }
    }

    fn starting(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        at(&self.starts, place)
    }

    fn ending(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        at(&self.ends, place)
    }

    /// The part of a mark that parsers recognise as emphasis.
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
        let has_outer =
            self.of_stars && (self.starting(start).any(|other| other < at) || self.ending(start).next().is_some());
        is_letter(first) && !has_inner || has_outer || !text[..start].chars().next_back().is_some_and(is_letter)
    }

    fn can_end(&self, marks: &[Mark], at: usize, start: usize, end: usize, text: &str) -> bool {
        let Some(last) = text[..end].chars().next_back().filter(|last| !last.is_whitespace()) else { return false };
        let is_inner = |other: usize| other > at && marks[other].start >= start;
        let has_inner = self.ending(end).any(is_inner);
        let has_outer =
            self.of_stars && (self.ending(end).any(|other| other < at) || self.starting(end).next().is_some());
        is_letter(last) && !has_inner || has_outer || !text[end..].chars().next().is_some_and(is_letter)
    }
}

/// The numbers of the marks at a place.
fn at(edges: &[(usize, usize)], place: usize) -> impl Iterator<Item = usize> + '_ {
    let first = edges.partition_point(|edge| edge.0 < place);
    edges[first..].iter().take_while(move |edge| edge.0 == place).map(|edge| edge.1)
}

/// Neither white space nor punctuation, by the definition of CommonMark.
pub fn is_letter(character: char) -> bool {
    !character.is_whitespace() && character != PICTURE && !is_sign(character)
}

fn is_sign(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation();
    }
    !character.is_alphanumeric()
}
