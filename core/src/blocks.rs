//! Tree → Page: the text between tags, cut into blocks as the markup says.

use std::borrow::Cow;

use memchr::memmem::Finder;

use crate::deadline::Turns;
use crate::deletion::Kept;
use crate::html::tags::{Tag, FRAME, NAMES, SCRIPT, STYLE};
use crate::markup::{code, code_of, Markup, Mode, APART, BLOCK, BREAK, DELETED, PARTING, PICTURE, ROLES};
use crate::page::{Elements, Page};
use crate::spaces::{ends_with_white, folded, is_white, starts_with_white, trimmed_end, without_controls};
use crate::tree::{Namespace, Tree};

const CLOSING: u8 = 128;

/// Cuts a page into blocks.
pub fn cut(tree: Tree, markup: &Markup) -> Page {
    let codes = codes(&tree, markup);
    let is_deleted =
        |element: usize| markup.bits[codes[element] as usize] & DELETED != 0 && has_meaning(&tree, element);
    let kept = Kept::new(&tree, is_deleted);
    let elements = elements(&tree, &kept, &codes);
    let blocks = Cutter::new(&elements, markup).cut(&tree, &kept);
    let (title, elements) = (title(&tree), Elements { origin: kept.origin, ..elements });
    Page { tree, elements, title, ..blocks }
}

/// Whether an element is what HTML means by its name. Formulas show the text of all others, and a `<frame>` in a drawing
/// has no end.
fn has_meaning(tree: &Tree, element: usize) -> bool {
    match tree.namespaces[element] {
        Namespace::Html => true,
        Namespace::Svg => tree.tags[element] != FRAME,
        Namespace::MathMl => [SCRIPT, STYLE].contains(&tree.tags[element]),
    }
}

const TABLE: usize = NAMES.len();

fn codes(tree: &Tree, markup: &Markup) -> Vec<u16> {
    let others = markup.codes_of_others(tree);
    let code_of_tag = |&tag: &Tag| match others.get(usize::from(tag.0).wrapping_sub(TABLE)) {
        Some(&code) => code,
        None => code(tag),
    };
    tree.tags.iter().map(code_of_tag).collect()
}

/// Those that stay, but for their numbers in the tree.
fn elements(tree: &Tree, kept: &Kept, codes: &[u16]) -> Elements {
    let (small, capital) = (Finder::new("role"), Finder::new("ROLE"));
    let numbers = || kept.origin.iter().map(|&origin| origin as usize);
    Elements {
        origin: Vec::new(),
        codes: numbers().map(|origin| codes[origin]).collect(),
        roles: numbers().map(|origin| role(tree, origin, [&small, &capital])).collect(),
        parents: numbers().map(|origin| kept.number(tree.parents[origin])).collect(),
        depths: numbers().map(|origin| tree.depths[origin]).collect(),
        ends: numbers().map(|origin| kept.number(tree.ends[origin])).collect(),
    }
}

/// Most elements have none, which a search of the whole start tag tells soonest.
fn role(tree: &Tree, element: usize, finders: [&Finder; 2]) -> u8 {
    let attributes = tree.attributes[element];
    if attributes.len() < "role=x".len() {
        return 0;
    }
    let source = attributes.of(&tree.source).as_bytes();
    if finders.iter().all(|finder| finder.find(source).is_none()) {
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

/// A string: what stands between two tags, or for a picture.
struct Piece<'a> {
    raw: Cow<'a, str>,
    element: u32,
    place: u32,
    is_picture: bool,
}

/// The alternative texts of pictures, as if they stood inside.
fn pictures<'a>(
    tree: &'a Tree,
    kept: &'a Kept,
    elements: &'a Elements,
    markup: &'a Markup,
) -> impl Iterator<Item = Piece<'a>> {
    let is_picture = |&element: &usize| markup.bits[elements.codes[element] as usize] & PICTURE != 0;
    (0..elements.len()).filter(is_picture).filter_map(|element| {
        let raw = tree.attribute(kept.origin[element] as usize, "alt")?;
        Some(Piece { raw, element: element as u32, place: elements.opening(element) + 1, is_picture: true })
    })
}

/// A string, or a line of one, on its way to a run.
#[derive(Clone, Copy)]
struct Line<'a> {
    raw: &'a str,
    element: u32,
    place: u32,
    is_picture: bool,
    is_new_line: bool,
    is_preformatted: bool,
}

/// The run before.
struct Before {
    ends_with_white: bool,
    is_picture: bool,
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

/// Reads strings in document order. Those that hold any text are the runs; runs that no border parts are a block.
struct Cutter<'a> {
    elements: &'a Elements,
    markup: &'a Markup,
    /// What every tag is, of all elements in the order in which they stand.
    tags: Vec<u8>,
    /// Of each element the nearest <pre>; None, where the page has none.
    pre: Option<Vec<Option<u32>>>,
    page: Page,
    /// How many the open block has so far.
    characters: u32,
    /// How many tags stand before the last run.
    tag: usize,
    gap: Gap,
    before: Option<Before>,
    /// The <pre> around the string before.
    pre_before: Option<Option<u32>>,
    /// A line that is blank up to the next tag.
    indentation: Option<String>,
    /// Here text is folded.
    room: String,
    turns: Turns,
}

impl<'a> Cutter<'a> {
    fn new(elements: &'a Elements, markup: &'a Markup) -> Self {
        let pre = code_of("pre");
        Self {
            elements,
            markup,
            tags: tags(elements, markup),
            pre: elements.codes.contains(&pre).then(|| elements.nearest(&[pre])),
            page: Page { text: "\n".to_string(), ..Page::default() },
            characters: 0,
            tag: 0,
            gap: Gap::default(),
            before: None,
            pre_before: None,
            indentation: None,
            room: String::new(),
            turns: Turns::default(),
        }
    }

    fn cut(mut self, tree: &Tree, kept: &Kept) -> Page {
        let mut pictures = pictures(tree, kept, self.elements, self.markup).peekable();
        // Texts in the same place are one string.
        let mut open: Option<Piece> = None;
        for text in &tree.texts {
            let Some((element, place)) = kept.place(text, tree) else { continue };
            while let Some(picture) = pictures.next_if(|picture| picture.place <= place) {
                self.add_string(open.replace(picture));
            }
            let raw = tree.text(text);
            match &mut open {
                Some(last) if last.place == place => last.raw.to_mut().push_str(&raw),
                _ => self.add_string(open.replace(Piece { raw, element, place, is_picture: false })),
            }
        }
        self.add_string(open);
        pictures.for_each(|picture| self.add_string(Some(picture)));
        self.finished()
    }

    fn add_string(&mut self, string: Option<Piece>) {
        let Some(Piece { raw, element, place, is_picture }) = string.filter(|string| !string.raw.is_empty()) else {
            return;
        };
        let line = Line { raw: &raw, element, place, is_picture, is_new_line: false, is_preformatted: false };
        let Some(pre) = &self.pre else { return self.add_line(line) };
        let around = pre[element as usize];
        let is_first = self.pre_before.replace(around) != Some(around);
        if around.is_some() {
            self.add_lines(Line { is_new_line: is_first, is_picture: false, is_preformatted: true, ..line });
        } else {
            self.indentation = None;
            self.add_line(line);
        }
    }

    /// Inside <pre> each line is a string of its own.
    fn add_lines(&mut self, string: Line) {
        let mut lines = string.raw.split('\n').enumerate().peekable();
        while let Some((number, raw)) = lines.next() {
            let (is_blank, is_last) = (raw.chars().all(is_white), lines.peek().is_none());
            let line = Line { raw, is_new_line: number > 0 || string.is_new_line, ..string };
            match (is_blank, is_last) {
                // A blank line before another line changes nothing, and there may be millions.
                (true, false) => {}
                (true, true) => self.add_blank(line),
                _ => self.add_indented(line),
            }
        }
    }

    /// Where a line begins with a tag, its indentation goes to the text behind the tag.
    fn add_blank(&mut self, line: Line) {
        if line.is_new_line {
            self.indentation = Some(line.raw.to_string());
        } else if let Some(indentation) = &mut self.indentation {
            indentation.push_str(line.raw);
        }
        let is_new_line = self.indentation.is_some();
        self.add_empty(Line { is_new_line, ..line });
    }

    fn add_indented(&mut self, line: Line) {
        match self.indentation.take() {
            Some(indentation) if !line.is_new_line => {
                self.add_line(Line { raw: &(indentation + line.raw), is_new_line: true, ..line });
            }
            _ => self.add_line(line),
        }
    }

    fn add_empty(&mut self, line: Line) {
        self.gap.has_empty_string = true;
        self.gap.has_new_line |= line.is_new_line;
    }

    fn add_line(&mut self, line: Line) {
        self.turns.next();
        let mut room = std::mem::take(&mut self.room);
        match tidied(line, &mut room) {
            "" => self.add_empty(line),
            text => self.add_run(line, text),
        }
        self.room = room;
    }

    fn add_run(&mut self, line: Line, text: &str) {
        let gap = self.gap_before(line);
        let is_spaced = is_spaced(line, self.before.as_ref(), gap);
        let is_border = self.before.as_ref().is_none_or(|before| is_border(line, before, gap, self.markup));
        if is_border {
            self.close_block();
            self.open_block(line.is_new_line, is_spaced);
        } else if is_spaced {
            self.page.text.push(' ');
            self.characters += 1;
        }
        let (page, runs) = (&mut self.page.text, &mut self.page.runs);
        runs.element.push(line.element);
        runs.place.push(line.place);
        runs.block.push(self.page.begins.len() as u32 - 1);
        runs.start.push(self.characters);
        runs.begin.push(page.len() as u32);
        page.push_str(text);
        self.characters += text.chars().count() as u32;
        self.before = Some(Before { ends_with_white: ends_with_white(line.raw), is_picture: line.is_picture });
        (self.tag, self.gap) = (line.place as usize, Gap::default());
    }

    /// Apart are only tags that stand side by side: a run behind the closing one parts the two.
    fn gap_before(&self, line: Line) -> Gap {
        let mut gap = self.gap;
        gap.has_new_line |= line.is_new_line;
        let mut before = 0;
        for &tag in &self.tags[self.tag..line.place as usize] {
            let is_side_by_side = before & (CLOSING | APART) == CLOSING | APART && tag & (CLOSING | APART) == APART;
            before = tag;
            gap.bits |= if is_side_by_side { tag } else { tag & !APART };
            gap.breaks += u32::from(tag & (BREAK | CLOSING) == BREAK);
        }
        gap
    }

    fn open_block(&mut self, is_new_line: bool, is_spaced: bool) {
        let page = &mut self.page;
        page.begins.push(page.text.len() as u32);
        page.first_runs.push(page.runs.element.len() as u32);
        page.is_spaced.push(is_spaced);
        page.is_new_line.push(is_new_line);
        self.characters = 0;
    }

    fn close_block(&mut self) {
        let page = &mut self.page;
        if !page.begins.is_empty() {
            page.ends.push(page.text.len() as u32);
            page.lengths.push(self.characters);
            page.text.push('\n');
        }
    }

    fn finished(mut self) -> Page {
        self.close_block();
        let mut page = self.page;
        page.first_runs.push(page.runs.element.len() as u32);
        page.element = common_elements(&page, self.elements);
        page
    }
}

/// White space folded to one blank, but for preformatted text, which keeps it but at its end.
fn tidied<'a>(line: Line<'a>, room: &'a mut String) -> &'a str {
    if !line.is_preformatted {
        return folded(line.raw, room);
    }
    let text = trimmed_end(line.raw);
    match without_controls(if line.is_new_line { text } else { text.trim_start_matches(is_white) }) {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => {
            *room = text;
            room
        }
    }
}

/// Known to be spaced are lines, and what tags set apart; else white space tells, in the text or between.
fn is_spaced(line: Line, before: Option<&Before>, gap: Gap) -> bool {
    let is_parted = gap.bits & PARTING != 0;
    // What colours the words of code sets nothing apart.
    let is_by_side = gap.bits & APART != 0 && !line.is_preformatted;
    line.is_new_line
        || is_parted
        || is_by_side
        || gap.has_empty_string
        || starts_with_white(line.raw)
        || before.is_some_and(|before| before.ends_with_white)
}

/// Does a block begin with this run?
fn is_border(line: Line, before: &Before, gap: Gap, markup: &Markup) -> bool {
    let breaks = match markup.mode {
        Mode::Victor => return true,
        Mode::Block => 2,
        Mode::Line => 1,
    };
    let is_beside_picture = line.is_picture || before.is_picture;
    gap.bits & BLOCK != 0 || gap.breaks >= breaks || gap.has_new_line || is_beside_picture
}

fn tags(elements: &Elements, markup: &Markup) -> Vec<u8> {
    let mut tags = vec![0; 2 * elements.len() + 1];
    for (element, &code) in elements.codes.iter().enumerate() {
        let bits = markup.bits[code as usize] & (APART | PARTING | BLOCK | BREAK);
        tags[elements.opening(element) as usize] = bits;
        tags[elements.closing(element) as usize] = bits | CLOSING;
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
