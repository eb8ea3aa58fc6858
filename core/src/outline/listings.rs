//! Code listings: their lines as written and their language, without line numbers and buttons.

use std::cell::OnceCell;

use super::roles::{role, Role};
use crate::html::tags::{self, Tag};
use crate::page::Page;
use crate::spaces::{trimmed_end, without_controls};
use crate::tree::Tree;

/// Classes of line numbers and buttons beside code.
const BESIDE: [&str; 16] = [
    "lineno",
    "linenos",
    "linenumber",
    "linenumbers",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "linenodiv",
    "gutter",
    "blob-num",
    "hljs-ln-numbers",
    "lnt",
    "rouge-gutter",
    "copy",
    "copy-button",
    "copybtn",
];

/// Classes of one line of code.
const LINES: [&str; 9] = [
    "CodeMirror-line",
    "blob-code-inner",
    "cm-line",
    "code-line",
    "crayon-line",
    "ec-line",
    "line",
    "token-line",
    "view-line",
];

/// The class `line` means a line of code inside elements of these classes only.
const AROUND_LINES: [&str; 6] = ["code", "codehilite", "container", "highlight", "hljs", "syntaxhighlighter"];

/// Is an element a listing whose lines are elements with a line class? Editors and highlighters write these instead of
/// a `<pre>`.
pub fn is_of_lines(page: &Page, element: usize) -> bool {
    let elements = &page.elements;
    let end = elements.ends[element] as usize;
    if element + 1 >= end || !has_line_class(page, element + 1) {
        return false;
    }
    let (mut lines, mut child) = (0, element + 1);
    while child < end {
        if !has_line_class(page, child) {
            return false;
        }
        lines += 1;
        child = elements.ends[child] as usize;
    }
    let is_plain = has_class(page, element + 1, &["line"]);
    lines >= 2 && (!is_plain || has_class(page, element, &AROUND_LINES))
}

fn has_line_class(page: &Page, element: usize) -> bool {
    let origin = page.elements.origin[element] as usize;
    let attributes = page.tree.attributes[origin].of(&page.tree.source);
    memchr::memmem::find(attributes.as_bytes(), b"line").is_some() && has_class(page, element, &LINES)
}

/// All text inside an element of the tree, unchanged.
pub fn raw_text(tree: &Tree, element: usize) -> String {
    let inside = text_behind(tree, opening(tree, element))..text_behind(tree, closing(tree, element));
    tree.texts[inside].iter().map(|text| tree.text(text)).collect()
}

/// Does an element have one of these classes?
pub fn has_class(page: &Page, element: usize, words: &[&str]) -> bool {
    let value = page.tree.attribute(page.elements.origin[element] as usize, "class");
    value.is_some_and(|value| value.split_ascii_whitespace().any(|word| words.contains(&word)))
}

/// What stands beside code has digits, and at most so many other characters. Elements with more have code.
const MOST_BESIDE: u32 = 100;

/// The lines of a `<pre>`, or of a table with line numbers; `is_kept` is asked for each run.
pub fn lines(page: &Page, listing: usize, is_kept: &dyn Fn(usize) -> bool) -> String {
    Lines::new(page, listing).read(is_kept)
}

struct Lines<'p> {
    page: &'p Page,
    listing: usize,
    text: String,
    /// Does the next text need a line end before it?
    is_due: bool,
    is_of_lines: bool,
    letters: OnceCell<Letters>,
}

impl<'p> Lines<'p> {
    fn new(page: &'p Page, listing: usize) -> Self {
        let is_of_lines = is_of_lines(page, listing);
        Self { page, listing, text: String::new(), is_due: false, is_of_lines, letters: OnceCell::new() }
    }

    /// Walks the elements and texts of the tree, without those that were deleted from the page.
    fn read(mut self, is_kept: &dyn Fn(usize) -> bool) -> String {
        let (tree, elements) = (&self.page.tree, &self.page.elements);
        let root = elements.origin[self.listing] as usize;
        let end = elements.ends[self.listing] as usize;
        let mut runs = Runs::new(self.page, self.listing);
        let mut texts = Texts::new(tree, root);
        let mut open: Vec<usize> = vec![self.listing];
        let mut next = self.listing + 1;
        while let Some(&top) = open.last() {
            let is_closing = elements.ends[top] as usize <= next;
            let element = if is_closing { top } else { next };
            let origin = elements.origin[element] as usize;
            let place = if is_closing { closing(tree, origin) } else { opening(tree, origin) };
            let kept_place = if is_closing { elements.closing(element) } else { elements.opening(element) };
            let string = texts.before(place, elements.origin[top]);
            if !string.is_empty() {
                let kept = runs.kept_lines(&string, kept_place, is_kept);
                if !self.is_between_lines(top) {
                    self.add(&kept);
                }
            }
            if is_closing {
                open.pop();
                if self.listing != top {
                    self.after(element);
                }
                continue;
            }
            if self.is_beside(element) {
                next = elements.ends[element] as usize;
                texts.skip(closing(tree, origin));
                runs.skip(elements.closing(element));
                continue;
            }
            self.before(element);
            open.push(element);
            next += 1;
            debug_assert!(next <= end);
        }
        tidied(&self.text)
    }

    fn add(&mut self, string: &str) {
        if string.is_empty() {
            return;
        }
        if std::mem::take(&mut self.is_due)
            && !self.text.is_empty()
            && !string.starts_with('\n')
            && !self.text.ends_with('\n')
        {
            self.text.push('\n');
        }
        self.text.push_str(string);
    }

    fn before(&mut self, element: usize) {
        if role(self.tag(element)) == Role::Break {
            self.text.push('\n');
        } else {
            self.after(element);
        }
    }

    fn after(&mut self, element: usize) {
        self.is_due |= self.is_line(element) && !self.is_at_line_start();
    }

    /// Is the last line empty, or only white space?
    fn is_at_line_start(&self) -> bool {
        self.text.bytes().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| byte == b'\n')
    }

    fn is_line(&self, element: usize) -> bool {
        matches!(role(self.tag(element)), Role::Block | Role::Paragraph | Role::Item | Role::Row | Role::Listing)
            || has_line_class(self.page, element)
    }

    fn tag(&self, element: usize) -> Tag {
        self.page.tree.tags[self.page.elements.origin[element] as usize]
    }

    /// Does an element of a listing hold only white space, apart from its inner elements?
    fn is_between_lines(&self, element: usize) -> bool {
        is_part_of_table(self.tag(element)) || element == self.listing && self.is_of_lines
    }

    /// Is an element a line number or a button?
    fn is_beside(&self, element: usize) -> bool {
        self.is_called_so(element) && self.letters_of(element) <= MOST_BESIDE
    }

    /// The characters inside an element that are neither digits nor white space.
    fn letters_of(&self, element: usize) -> u32 {
        let (tree, origins) = (&self.page.tree, &self.page.elements.origin);
        let letters = self.letters.get_or_init(|| Letters::new(tree, origins[self.listing] as usize));
        letters.inside(tree, origins[element] as usize)
    }

    fn is_called_so(&self, element: usize) -> bool {
        let tree = &self.page.tree;
        let origin = self.page.elements.origin[element] as usize;
        if matches!(tree.tags[origin], tags::BUTTON) {
            return true;
        }
        if tree.attributes[origin].is_empty() {
            return self.is_first_cell(element);
        }
        has_class(self.page, element, &BESIDE) || self.is_first_cell(element)
    }

    /// Is an element the line number in a table of lines?
    fn is_first_cell(&self, element: usize) -> bool {
        let (tree, elements) = (&self.page.tree, &self.page.elements);
        let tag_of = |element: usize| tree.tags[elements.origin[element] as usize];
        let is_cell = matches!(tag_of(element), tags::TD | tags::TH);
        is_cell && tag_of(self.listing) == tags::TABLE && elements.parents[element] as usize + 1 == element
    }
}

/// Only white space stands between cells.
fn is_part_of_table(tag: Tag) -> bool {
    matches!(tag, tags::TABLE | tags::TBODY | tags::THEAD | tags::TFOOT | tags::TR)
}

fn opening(tree: &Tree, element: usize) -> u32 {
    2 * element as u32 - tree.depths[element]
}

fn closing(tree: &Tree, element: usize) -> u32 {
    2 * tree.ends[element] - tree.depths[element] - 1
}

/// The text without trailing white space, and without empty first and last lines.
fn tidied(text: &str) -> String {
    let text = without_controls(text);
    let mut lines: Vec<&str> = text.split('\n').map(trimmed_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    lines[first..].join("\n")
}

/// The numbers of characters before each text of a listing that are neither digits nor white space.
struct Letters {
    first: usize,
    sums: Vec<u32>,
}

impl Letters {
    fn new(tree: &Tree, root: usize) -> Self {
        let is_letter = |character: &char| !character.is_numeric() && !crate::spaces::is_white(*character);
        let (first, behind) = (text_behind(tree, opening(tree, root)), text_behind(tree, closing(tree, root)));
        let mut sums = vec![0];
        for text in &tree.texts[first..behind] {
            sums.push(sums[sums.len() - 1] + tree.text(text).chars().filter(is_letter).count() as u32);
        }
        Self { first, sums }
    }

    fn inside(&self, tree: &Tree, element: usize) -> u32 {
        let before = |place: u32| self.sums[text_behind(tree, place) - self.first];
        before(closing(tree, element)) - before(opening(tree, element))
    }
}

/// The number of texts up to a place.
fn text_behind(tree: &Tree, place: u32) -> usize {
    tree.texts.partition_point(|text| text.place <= place)
}

/// The texts of a part of the tree, in order.
struct Texts<'t> {
    tree: &'t Tree,
    next: usize,
}

impl<'t> Texts<'t> {
    fn new(tree: &'t Tree, root: usize) -> Self {
        Self { tree, next: text_behind(tree, opening(tree, root)) }
    }

    /// The texts before a tag that stand directly in this element; others were deleted.
    fn before(&mut self, place: u32, element: u32) -> String {
        let mut string = String::new();
        while let Some(text) = self.tree.texts.get(self.next).filter(|text| text.place <= place) {
            if text.element == element {
                string.push_str(&self.tree.text(text));
            }
            self.next += 1;
        }
        string
    }

    fn skip(&mut self, place: u32) {
        while self.tree.texts.get(self.next).is_some_and(|text| text.place <= place) {
            self.next += 1;
        }
    }
}

/// The runs of a listing, in order.
struct Runs<'p> {
    page: &'p Page,
    next: usize,
    end: usize,
}

impl<'p> Runs<'p> {
    fn new(page: &'p Page, listing: usize) -> Self {
        let (next, end) = super::tables::runs(page, listing);
        Self { page, next, end }
    }

    fn skip(&mut self, place: u32) {
        while self.next < self.end && self.page.runs.place[self.next] <= place {
            self.next += 1;
        }
    }

    /// The string without dropped lines. Each run is one line of it, in order.
    fn kept_lines(&mut self, string: &str, place: u32, is_kept: &dyn Fn(usize) -> bool) -> String {
        let first = self.next;
        self.skip(place);
        let runs = first..self.next;
        if runs.clone().all(is_kept) {
            return string.to_string();
        }
        if runs.len() == 1 {
            let line_ends = string.chars().filter(|&character| character == '\n');
            return line_ends.collect();
        }
        let mut run = first;
        let mut kept = Vec::new();
        for line in string.split('\n') {
            if line.chars().all(|character| crate::spaces::is_white(character) || character.is_control()) {
                kept.push(line);
                continue;
            }
            if run < self.next && is_kept(run) {
                kept.push(line);
            }
            run += 1;
        }
        kept.join("\n")
    }
}

/// How many parents are searched for a class that names the language.
const FARTHEST: usize = 4;

/// The language of a listing, by its classes.
pub fn language(page: &Page, listing: usize) -> Option<String> {
    let (tree, elements) = (&page.tree, &page.elements);
    let behind = (listing + 3).min(elements.ends[listing] as usize);
    let inside = (listing..behind).find_map(|element| of_element(tree, elements.origin[element] as usize, true));
    let mut around = listing;
    inside.or_else(|| {
        (0..FARTHEST).find_map(|_| {
            around = elements.parents[around] as usize;
            of_element(tree, elements.origin[around] as usize, false)
        })
    })
}

fn of_element(tree: &Tree, element: usize, is_own: bool) -> Option<String> {
    if tree.attributes[element].is_empty() || tree.tags[element] == tags::BODY || tree.tags[element] == tags::HTML {
        return None;
    }
    let named = ["data-lang", "data-language"].iter().find_map(|name| tree.attribute(element, name));
    let named = named.and_then(|name| language_name(&name));
    named.or_else(|| tree.attribute(element, "class").and_then(|class| of_class(&class, is_own)))
}

const PREFIXES: [&str; 5] = ["language-", "lang-", "highlight-source-", "highlight-text-", "highlight-"];

fn of_class(class: &str, is_own: bool) -> Option<String> {
    let words: Vec<&str> = class.split_ascii_whitespace().take(20).collect();
    let prefixed = words.iter().find_map(|word| PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix)));
    let brush = || {
        let found = words.iter().position(|word| word.starts_with("brush:"))?;
        Some(words[found]["brush:".len()..].trim_matches(';'))
            .filter(|name| !name.is_empty())
            .or(words.get(found + 1).copied())
    };
    let beside = || {
        let marks = ["hljs", "sourceCode", "src", "prism", "prettyprint", "highlight", "code"];
        let found = words.iter().position(|word| marks.contains(word)).filter(|_| is_own)?;
        let other = words.iter().enumerate().find(|(place, word)| *place != found && is_known(word));
        other.map(|(_, word)| *word)
    };
    let src = || words.iter().find_map(|word| word.strip_prefix("src-")).filter(|name| is_known(name));
    prefixed.or_else(brush).or_else(src).or_else(beside).and_then(language_name)
}

/// Languages that pages write as a plain class, without a prefix.
fn is_known(word: &str) -> bool {
    const KNOWN: [&str; 42] = [
        "bash",
        "c",
        "c++",
        "clojure",
        "cpp",
        "cs",
        "csharp",
        "css",
        "dart",
        "diff",
        "elixir",
        "erlang",
        "go",
        "haskell",
        "html",
        "java",
        "javascript",
        "js",
        "json",
        "julia",
        "kotlin",
        "latex",
        "lisp",
        "lua",
        "makefile",
        "markdown",
        "matlab",
        "objc",
        "ocaml",
        "perl",
        "php",
        "powershell",
        "python",
        "r",
        "ruby",
        "rust",
        "scala",
        "sh",
        "sql",
        "swift",
        "typescript",
        "xml",
    ];
    KNOWN.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
}

fn language_name(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches(';').to_ascii_lowercase();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#' | b'.' | b'_');
    let is_none = matches!(
        name.as_str(),
        "" | "none"
            | "default"
            | "plain"
            | "plaintext"
            | "text"
            | "nohighlight"
            | "no-highlight"
            | "notranslate"
            | "wrapper"
            | "container"
            | "auto"
            | "null"
            | "undefined"
    );
    (!is_none && name.len() <= 30 && name.bytes().all(is_name)).then_some(name)
}
