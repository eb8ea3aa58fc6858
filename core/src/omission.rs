//! A page without parts of its texts: sentences that are dropped, though the rest of their blocks stays.

use std::ops::Range;

use crate::blocks;
use crate::html::text::{decoded, reference};
use crate::markup::{Markup, PICTURE};
use crate::outline::KeptTexts;
use crate::page::Page;
use crate::spaces::is_visible;
use crate::tree::{Form, Span, Text};

/// A part of the text of a block, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub block: u32,
    pub start: u32,
    pub end: u32,
}

/// The page cut again without these parts, and for each of its blocks the block that it was. The alternative texts of
/// pictures stay, because they are not between tags.
pub fn without(page: &Page, parts: &[Part], markup: &Markup) -> (Page, Vec<u32>) {
    let marks = Marks::new(page, parts, markup);
    let mut tree = page.tree.clone();
    tree.texts = texts(page, &marks);
    let mut left = blocks::cut(tree, markup);
    left.title.clone_from(&page.title);
    let origins = origins(&marks, &left);
    (left, origins)
}

/// Splitting a page folds white space and drops controls. All other characters stay in order, so they are counted.
struct Marks {
    /// Of each visible character of the page, whether it is left out.
    is_omitted: Vec<bool>,
    /// How many visible characters stand before each block, and before each run; last how many there are.
    before_block: Vec<usize>,
    before_run: Vec<usize>,
}

impl Marks {
    fn new(page: &Page, parts: &[Part], markup: &Markup) -> Self {
        let mut parts = parts.to_vec();
        parts.sort_unstable();
        let mut marks = Self { is_omitted: Vec::new(), before_block: Vec::new(), before_run: Vec::new() };
        let mut next = 0;
        for block in 0..page.len() {
            let count = parts[next..].iter().take_while(|part| part.block as usize == block).count();
            marks.add_block(page, block, &parts[next..next + count]);
            next += count;
        }
        marks.before_block.push(marks.is_omitted.len());
        marks.before_run.push(marks.is_omitted.len());
        marks.keep_pictures(page, markup);
        marks
    }

    fn add_block(&mut self, page: &Page, block: usize, parts: &[Part]) {
        self.before_block.push(self.is_omitted.len());
        let (mut run, behind) = (page.first_runs[block] as usize, page.first_runs[block + 1] as usize);
        let mut parts = parts.iter().peekable();
        for (place, character) in page.block(block).chars().enumerate() {
            let place = place as u32;
            while run < behind && page.runs.start[run] <= place {
                self.before_run.push(self.is_omitted.len());
                run += 1;
            }
            while parts.next_if(|part| part.end <= place).is_some() {}
            if is_visible(character) {
                self.is_omitted.push(parts.peek().is_some_and(|part| part.start <= place));
            }
        }
        let missing = behind - run;
        self.before_run.extend(std::iter::repeat_n(self.is_omitted.len(), missing));
    }

    fn keep_pictures(&mut self, page: &Page, markup: &Markup) {
        for (run, &element) in page.runs.element.iter().enumerate() {
            if markup.bits[page.elements.codes[element as usize] as usize] & PICTURE != 0 {
                self.is_omitted[self.before_run[run]..self.before_run[run + 1]].fill(false);
            }
        }
    }

    fn of_block(&self, block: usize) -> &[bool] {
        &self.is_omitted[self.before_block[block]..self.before_block[block + 1]]
    }
}

/// The texts of the tree. One that loses a part becomes the stretches around it, in the same place.
fn texts(page: &Page, marks: &Marks) -> Vec<Text> {
    let kept_texts = KeptTexts::new(page);
    let mut texts = Vec::with_capacity(page.tree.texts.len());
    let (mut run, mut last_place, mut next) = (0, None, 0);
    for (number, text) in page.tree.texts.iter().enumerate() {
        let place = kept_texts.place(number);
        if place.is_some() && place != last_place {
            while page.runs.place.get(run).is_some_and(|&other| Some(other) < place) {
                run += 1;
            }
            next = marks.before_run[run];
        }
        last_place = place.or(last_place);
        if place.is_none() || page.runs.place.get(run).copied() != place {
            texts.push(*text);
            continue;
        }
        let visible = visible_count(page, text);
        let is_omitted = &marks.is_omitted[next..next + visible];
        next += visible;
        if is_omitted.contains(&true) {
            let spans = stretches(page, text, is_omitted);
            texts.extend(spans.into_iter().map(|span| Text { span, ..*text }));
        } else {
            texts.push(*text);
        }
    }
    texts
}

fn visible_count(page: &Page, text: &Text) -> usize {
    page.tree.text(text).chars().filter(|&character| is_visible(character)).count()
}

/// The stretches of a text that stay, with the white space beside them.
fn stretches(page: &Page, text: &Text, is_omitted: &[bool]) -> Vec<Span> {
    let (mut spans, mut next) = (Vec::new(), 0);
    // Where the open stretch begins; None behind a part that is left out, which ends at `end`.
    let (mut begin, mut end) = (Some(0), 0);
    let source = text.span.of(&page.tree.source);
    for unit in units(source, text.form) {
        let count = decoded(&source[unit.clone()], text.form).chars().filter(|&one| is_visible(one)).count();
        let is_out = is_omitted[next..next + count].contains(&true);
        next += count;
        if is_out {
            spans.extend(begin.take().map(|begin| begin..unit.start));
            end = unit.end;
        } else if count > 0 && begin.is_none() {
            begin = Some(end);
        }
    }
    spans.push(begin.unwrap_or(end)..source.len());
    let offset = text.span.start as usize;
    let spans = spans.into_iter().filter(|span| !span.is_empty());
    spans.map(|span| Span::new(offset + span.start, offset + span.end)).collect()
}

/// The characters of a source, each character reference as one.
fn units(source: &str, form: Form) -> impl Iterator<Item = Range<usize>> + '_ {
    let has_references = matches!(form, Form::Data | Form::Replacing);
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at;
        let first = source[begin..].chars().next()?;
        let found = if has_references && first == '&' { reference(&source.as_bytes()[begin..], false) } else { None };
        at += found.map_or(first.len_utf8(), |(length, _)| length);
        Some(begin..at)
    })
}

/// The block that each block was: the one that its first visible character was in.
fn origins(marks: &Marks, left: &Page) -> Vec<u32> {
    let kept = |block: usize| marks.of_block(block).iter().filter(|is_omitted| !**is_omitted).count();
    let blocks = marks.before_block.len() - 1;
    let (mut origin, mut behind, mut before) = (0, if blocks > 0 { kept(0) } else { 0 }, 0);
    let mut origins = Vec::with_capacity(left.len());
    for block in 0..left.len() {
        while before >= behind && origin + 1 < blocks {
            origin += 1;
            behind += kept(origin);
        }
        origins.push(origin as u32);
        before += left.block(block).chars().filter(|&character| is_visible(character)).count();
    }
    origins
}
