//! Tree → Page: the text between tags, cut into blocks as the markup says.

use std::borrow::Cow;

use memchr::memmem;

use crate::markup::{code, code_of, Markup, Mode, APART, BLOCK, BREAK, DELETED, PARTING, PICTURE, ROLES};
use crate::page::{Elements, Page};
use crate::spaces::{ends_with_white, folded, is_white, starts_with_white, trimmed_end, without_controls};
use crate::tree::{Namespace, Text, Tree};

const CLOSING: u8 = 128;

/// Cuts a page into blocks.
pub fn cut(tree: Tree, markup: &Markup) -> Page {
    let elements = kept_elements(&tree, markup);
    let strings = strings(&tree, &elements, markup);
    let blocks = blocks(&strings, &elements.kept, markup);
    drop(strings);
    let (title, elements) = (title(&tree), elements.kept);
    Page { tree, elements, title, ..blocks }
}

/// The elements without those that the markup deletes, and what tells places in the tree from places among these.
struct Kept {
    kept: Elements,
    /// How many elements before each of the tree are kept; one more than there are elements.
    before: Vec<u32>,
    is_kept: Vec<bool>,
}

fn kept_elements(tree: &Tree, markup: &Markup) -> Kept {
    let count = tree.len();
    let others = markup.codes_of_others(tree);
    let code_at = |element: usize| match others.get((tree.tags[element].0 as usize).wrapping_sub(TABLE)) {
        Some(&code) => code,
        None => code(tree.tags[element]),
    };
    let mut kept = Elements::default();
    let (mut before, mut is_kept) = (Vec::with_capacity(count + 1), vec![false; count]);
    let mut element = 0;
    while element < count {
        let code = code_at(element);
        if element > 0 && markup.bits[code as usize] & DELETED != 0 {
            let behind = tree.ends[element] as usize;
            before.resize(behind, kept.codes.len() as u32);
            element = behind;
            continue;
        }
        before.push(kept.codes.len() as u32);
        is_kept[element] = true;
        kept.origin.push(element as u32);
        kept.codes.push(code);
        kept.depths.push(tree.depths[element]);
        kept.roles.push(role(tree, element));
        element += 1;
    }
    before.push(kept.codes.len() as u32);
    kept.parents = kept.origin.iter().map(|&origin| before[tree.parents[origin as usize] as usize]).collect();
    kept.ends = kept.origin.iter().map(|&origin| before[tree.ends[origin as usize] as usize]).collect();
    Kept { kept, before, is_kept }
}

const TABLE: usize = crate::html::tags::NAMES.len();

/// Most elements have none, which a search of the whole start tag tells soonest.
fn role(tree: &Tree, element: usize) -> u8 {
    let attributes = tree.attributes[element];
    if attributes.len() < "role=x".len() {
        return 0;
    }
    let source = attributes.of(&tree.source).as_bytes();
    if memmem::find(source, b"role").is_none() && memmem::find(source, b"ROLE").is_none() {
        return 0;
    }
    let value = tree.attribute(element, "role");
    let place = value.and_then(|value| ROLES.iter().position(|role| *role == value));
    place.map_or(0, |place| place as u8 + 1)
}

/// The text of the first title that is not one of a picture.
fn title(tree: &Tree) -> String {
    let tag = code_of("title") - 1;
    let is_title = |&element: &usize| tree.tags[element].0 == tag && tree.namespaces[element] == Namespace::Html;
    let Some(title) = (0..tree.len()).find(is_title) else { return String::new() };
    let first = tree.texts.partition_point(|text| text.place <= 2 * title as u32 - tree.depths[title]);
    let inside = tree.texts[first..].iter().take_while(|text| text.element == title as u32);
    let text: String = inside.map(|text| tree.text(text)).collect();
    text.split(is_white).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A stretch of text between two tags.
struct Piece<'a> {
    raw: Cow<'a, str>,
    element: u32,
    place: u32,
    is_new_line: bool,
    is_preformatted: bool,
    is_picture: bool,
}

impl<'a> Piece<'a> {
    fn new(raw: Cow<'a, str>, element: u32, place: u32) -> Self {
        Self { raw, element, place, is_new_line: false, is_preformatted: false, is_picture: false }
    }
}

/// Text between two tags, in document order, what stands for a picture included.
fn strings<'a>(tree: &'a Tree, elements: &Kept, markup: &Markup) -> Vec<Piece<'a>> {
    let mut pieces: Vec<Piece<'a>> = Vec::with_capacity(tree.texts.len());
    let mut pictures = pictures(tree, &elements.kept, markup).into_iter().peekable();
    for text in tree.texts.iter().filter(|text| elements.is_kept[text.element as usize]) {
        let (element, place) = (elements.before[text.element as usize], place_among(text, tree, elements));
        while let Some(picture) = pictures.next_if(|picture| picture.place <= place) {
            pieces.push(picture);
        }
        let raw = tree.text(text);
        match pieces.last_mut() {
            Some(last) if last.place == place => last.raw.to_mut().push_str(&raw),
            _ => pieces.push(Piece::new(raw, element, place)),
        }
    }
    pieces.extend(pictures);
    pieces.retain(|piece| !piece.raw.is_empty());
    if elements.kept.codes.contains(&code_of("pre")) {
        cut_into_lines(pieces, &elements.kept)
    } else {
        pieces
    }
}

/// How many of the kept tags stand before a text: of all elements that have begun, those around it have not ended.
fn place_among(text: &Text, tree: &Tree, elements: &Kept) -> u32 {
    let depth = tree.depths[text.element as usize];
    let begun = (text.place + depth).div_ceil(2);
    2 * elements.before[begun as usize] - depth - 1
}

/// The alternative texts of pictures, as if they stood inside.
fn pictures<'a>(tree: &'a Tree, kept: &Elements, markup: &Markup) -> Vec<Piece<'a>> {
    let is_picture = |&element: &usize| markup.bits[kept.codes[element] as usize] & PICTURE != 0;
    let pictures = (0..kept.len()).filter(is_picture).filter_map(|element| {
        let raw = tree.attribute(kept.origin[element] as usize, "alt")?;
        let place = kept.opening(element) + 1;
        Some(Piece { is_picture: true, ..Piece::new(raw, element as u32, place) })
    });
    pictures.collect()
}

/// Inside <pre> each line is a string of its own.
fn cut_into_lines<'a>(strings: Vec<Piece<'a>>, elements: &Elements) -> Vec<Piece<'a>> {
    let pre = elements.nearest(&[code_of("pre")]);
    let mut pieces = Vec::with_capacity(strings.len());
    let mut before = None;
    for string in strings {
        let around = pre[string.element as usize];
        let is_first = before != Some(around);
        before = Some(around);
        if around.is_none() {
            pieces.push(string);
            continue;
        }
        let lines = lines(string.raw);
        let last = lines.len() - 1;
        for (number, raw) in lines.into_iter().enumerate() {
            // A blank line before another line changes nothing, and there may be millions.
            if number < last && raw.chars().all(is_white) {
                continue;
            }
            let is_new_line = number > 0 || is_first;
            let (element, place) = (string.element, string.place);
            pieces.push(Piece { is_new_line, is_preformatted: true, ..Piece::new(raw, element, place) });
        }
    }
    move_indentation(&mut pieces);
    pieces
}

fn lines(raw: Cow<'_, str>) -> Vec<Cow<'_, str>> {
    match raw {
        Cow::Borrowed(text) => text.split('\n').map(Cow::Borrowed).collect(),
        Cow::Owned(text) => text.split('\n').map(|line| Cow::Owned(line.to_string())).collect(),
    }
}

/// Where a line begins with a tag, its indentation goes to the text behind the tag.
fn move_indentation(pieces: &mut [Piece<'_>]) {
    for number in 1..pieces.len() {
        let (head, tail) = pieces.split_at_mut(number);
        let (before, behind) = (&mut head[number - 1], &mut tail[0]);
        let is_same_line =
            before.is_preformatted && behind.is_preformatted && before.is_new_line && !behind.is_new_line;
        if is_same_line && before.raw.chars().all(is_white) {
            let moved = std::mem::take(&mut before.raw).into_owned() + &behind.raw;
            behind.raw = Cow::Owned(moved);
            behind.is_new_line = true;
        }
    }
}

/// What stands between a run and the run before it.
#[derive(Clone, Copy, Default)]
struct Gap {
    /// All that the tags are.
    bits: u8,
    breaks: u32,
    has_empty_string: bool,
    has_new_line: bool,
}

/// The strings that hold any text are the runs; runs that no border parts are a block.
fn blocks(strings: &[Piece<'_>], elements: &Elements, markup: &Markup) -> Page {
    let texts: Vec<Cow<'_, str>> = strings.iter().map(tidied).collect();
    let filled: Vec<usize> = (0..texts.len()).filter(|&number| !texts[number].is_empty()).collect();
    let gaps = gaps(strings, &filled, elements, markup);
    let mut page = Page { text: String::with_capacity(capacity(&texts)), ..Page::default() };
    page.text.push('\n');
    let mut characters = 0;
    for (run, &number) in filled.iter().enumerate() {
        let string = &strings[number];
        let before = run.checked_sub(1).map(|before| &strings[filled[before]]);
        let is_spaced = is_spaced(string, before, gaps[run]);
        if run == 0 || is_border(string, before, gaps[run], markup) {
            close_block(&mut page, characters);
            page.begins.push(page.text.len() as u32);
            page.first_runs.push(run as u32);
            page.is_spaced.push(is_spaced);
            page.is_new_line.push(string.is_new_line);
            characters = 0;
        } else if is_spaced {
            page.text.push(' ');
            characters += 1;
        }
        let runs = &mut page.runs;
        runs.element.push(string.element);
        runs.place.push(string.place);
        runs.block.push(page.begins.len() as u32 - 1);
        runs.start.push(characters);
        runs.begin.push(page.text.len() as u32);
        page.text.push_str(&texts[number]);
        characters += length(&texts[number]);
    }
    close_block(&mut page, characters);
    page.first_runs.push(filled.len() as u32);
    page.element = common_elements(&page, elements);
    page
}

fn capacity(texts: &[Cow<'_, str>]) -> usize {
    texts.iter().map(|text| text.len() + 1).sum::<usize>() + 2
}

/// In characters.
fn length(text: &str) -> u32 {
    (if text.is_ascii() { text.len() } else { text.chars().count() }) as u32
}

fn close_block(page: &mut Page, characters: u32) {
    if page.begins.is_empty() {
        return;
    }
    page.ends.push(page.text.len() as u32);
    page.lengths.push(characters);
    page.text.push('\n');
}

/// White space folded to one blank, but for preformatted text, which keeps it but at its end.
fn tidied<'a>(string: &'a Piece<'_>) -> Cow<'a, str> {
    if !string.is_preformatted {
        return folded(&string.raw);
    }
    let text = trimmed_end(&string.raw);
    without_controls(if string.is_new_line { text } else { text.trim_start_matches(is_white) })
}

/// Known to be spaced are lines, and what tags set apart; else white space tells, in the text or between.
fn is_spaced(string: &Piece<'_>, before: Option<&Piece<'_>>, gap: Gap) -> bool {
    let is_parted = gap.bits & PARTING != 0;
    // What colours the words of code sets nothing apart.
    let is_by_side = gap.bits & APART != 0 && !string.is_preformatted;
    string.is_new_line
        || is_parted
        || is_by_side
        || gap.has_empty_string
        || starts_with_white(&string.raw)
        || before.is_some_and(|before| ends_with_white(&before.raw))
}

/// Does a block begin with this run?
fn is_border(string: &Piece<'_>, before: Option<&Piece<'_>>, gap: Gap, markup: &Markup) -> bool {
    let breaks = match markup.mode {
        Mode::Victor => return true,
        Mode::Block => 2,
        Mode::Line => 1,
    };
    let is_beside_picture = string.is_picture || before.is_some_and(|before| before.is_picture);
    gap.bits & BLOCK != 0 || gap.breaks >= breaks || gap.has_new_line || is_beside_picture
}

/// For each run what stands before it; the tags are those of all elements in the order in which they stand.
fn gaps(strings: &[Piece<'_>], filled: &[usize], elements: &Elements, markup: &Markup) -> Vec<Gap> {
    let tags = tags(strings, filled, elements, markup);
    let (mut gaps, mut string, mut tag) = (Vec::with_capacity(filled.len()), 0, 0);
    for &number in filled {
        let mut gap = Gap { has_empty_string: string < number, ..Gap::default() };
        gap.has_new_line = strings[string..=number].iter().any(|piece| piece.is_new_line);
        let place = strings[number].place as usize;
        for &bits in &tags[tag..place] {
            gap.bits |= bits;
            gap.breaks += u32::from(bits & (BREAK | CLOSING) == BREAK);
        }
        (string, tag) = (number + 1, place);
        gaps.push(gap);
    }
    gaps
}

/// What every tag is; apart are only those that stand side by side.
fn tags(strings: &[Piece<'_>], filled: &[usize], elements: &Elements, markup: &Markup) -> Vec<u8> {
    let mut tags = vec![0; 2 * elements.len() + 1];
    for (element, &code) in elements.codes.iter().enumerate() {
        let bits = markup.bits[code as usize] & (APART | PARTING | BLOCK | BREAK);
        tags[elements.opening(element) as usize] = bits;
        tags[elements.closing(element) as usize] = bits | CLOSING;
    }
    let mut before = 0;
    for tag in &mut tags {
        let is_side_by_side = before & (CLOSING | APART) == CLOSING | APART && *tag & (CLOSING | APART) == APART;
        before = *tag;
        *tag &= if is_side_by_side { !0 } else { !APART };
    }
    // A run behind the closing tag parts the two.
    for &number in filled {
        tags[strings[number].place as usize] &= !APART;
    }
    tags
}

/// The innermost element around the whole of each block: a subtree is a range of numbers, so one comparison tells.
fn common_elements(page: &Page, elements: &Elements) -> Vec<u32> {
    let runs = &page.runs.element;
    let common = |block: usize| {
        let (first, behind) = (page.first_runs[block] as usize, page.first_runs[block + 1] as usize);
        let (mut around, last) = (runs[first], runs[behind - 1]);
        while last < around || last >= elements.ends[around as usize] {
            around = elements.parents[around as usize];
        }
        around
    };
    (0..page.begins.len()).map(common).collect()
}
