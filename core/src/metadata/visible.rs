//! What a reader sees around the title of a page: dates, and lines that name authors.

use super::dates::{dates_in, FoundDate, Order};
use super::facts::folded;
use crate::markup::code_of;
use crate::page::Page;

/// Farther from the beginning hardly a block tells of its page.
pub const MOST_BLOCKS: usize = 800;
/// Longer blocks are the text itself.
const LONGEST: usize = 400;

/// No title and no names are longer.
const LONGEST_TITLE: usize = 250;

/// A date line.
pub struct Dated {
    pub block: usize,
    pub date: FoundDate,
    /// What stands before the date in its block.
    pub cue: Cue,
    /// How much of the block the date is.
    pub is_alone: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    Published,
    Updated,
    Other,
    None,
}

impl Cue {
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Updated => "updated",
            Self::Other => "other",
            Self::None => "none",
        }
    }
}

/// A line that says who wrote.
pub struct Byline {
    pub block: usize,
    pub names: String,
    /// The word that said so.
    pub cue: &'static str,
}

pub struct Visible {
    /// The block of the page's heading.
    pub heading: Option<usize>,
    pub dates: Vec<Dated>,
    pub bylines: Vec<Byline>,
    /// All blocks short enough to be a title or a name, folded.
    pub folded: Vec<(usize, String)>,
}

impl Visible {
    pub fn new(page: &Page, order: Order, titles: &[String]) -> Self {
        let mut visible = Self { heading: None, dates: Vec::new(), bylines: Vec::new(), folded: Vec::new() };
        for block in 0..page.len().min(MOST_BLOCKS) {
            let text = page.block(block);
            if text.len() > LONGEST {
                continue;
            }
            for date in dates_in(text, order).into_iter().take(3) {
                let cue = cue(text, date.start).unwrap_or_else(|| cue_before(page, block));
                let is_alone = text.len() <= date.end - date.start + 12;
                visible.dates.push(Dated { block, date, cue, is_alone });
            }
            visible.bylines.extend(byline(page, block));
            if text.len() <= LONGEST_TITLE {
                visible.folded.push((block, folded(text)));
            }
        }
        visible.heading = heading(page, &visible.folded, titles);
        visible
    }

    /// The first block that holds just this text.
    pub fn block_of(&self, folded: &str) -> Option<usize> {
        self.folded.iter().find(|(_, text)| text == folded).map(|&(block, _)| block)
    }

    /// How many blocks hold just this text.
    pub fn count_of(&self, folded: &str) -> usize {
        self.folded.iter().filter(|(_, text)| text == folded).count()
    }

    /// How far behind the heading a block stands, as a word.
    pub fn distance(&self, block: Option<usize>) -> &'static str {
        let (Some(block), Some(heading)) = (block, self.heading) else { return "unknown" };
        match block as i64 - heading as i64 {
            ..-8 => "far-before",
            -8..-2 => "before",
            -2..0 => "just-before",
            0..=2 => "just-behind",
            3..=5 => "behind",
            6..=10 => "near-behind",
            11..=25 => "later",
            _ => "far-behind",
        }
    }
}

/// The block of the first `h1` that says what a title of the page says; else of the first `h1`, or of the title itself.
fn heading(page: &Page, folded: &[(usize, String)], titles: &[String]) -> Option<usize> {
    let code = code_of("h1");
    let is_inside = |block: usize| {
        let mut element = page.element[block] as usize;
        // A heading holds few levels.
        for _ in 0..8 {
            if page.elements.codes[element] == code {
                return true;
            }
            element = page.elements.parents[element] as usize;
        }
        false
    };
    let says_title = |text: &str| titles.iter().any(|title| !text.is_empty() && title.contains(text));
    let headings: Vec<_> = folded.iter().filter(|(block, _)| is_inside(*block)).collect();
    let by_title = || folded.iter().find(|(_, text)| text.len() > 10 && titles.contains(text));
    let found = headings.iter().find(|(_, text)| says_title(text)).copied();
    found.or_else(|| headings.first().copied()).or_else(by_title).map(|&(block, _)| block)
}

const PUBLISHED: [&str; 22] = [
    "publish",
    "posted",
    "veröffentlicht",
    "publié",
    "publicado",
    "pubblicato",
    "gepubliceerd",
    "опубликован",
    "created",
    "written",
    "issued",
    "released",
    "発行",
    "公開",
    "发布",
    "發布",
    "opublikowano",
    "publicerad",
    "first",
    "started",
    "asked",
    "submitted",
];
const UPDATED: [&str; 18] = [
    "updated",
    "modified",
    "edited",
    "reviewed",
    "revised",
    "aktualisiert",
    "mis à jour",
    "modifié",
    "actualizado",
    "aggiornato",
    "bijgewerkt",
    "обновлен",
    "更新",
    "修改",
    "last",
    "atualizado",
    "stand:",
    "verified",
];

/// What the words before a date say it is.
fn cue(text: &str, start: usize) -> Option<Cue> {
    let before = text[..start].to_lowercase();
    let place = |words: &[&str]| words.iter().filter_map(|word| before.rfind(word)).max();
    match (place(&PUBLISHED), place(&UPDATED)) {
        (None, None) if before.trim().is_empty() => None,
        (None, None) => Some(Cue::Other),
        (published, updated) if published >= updated => Some(Cue::Published),
        _ => Some(Cue::Updated),
    }
}

/// The same of the short block before.
fn cue_before(page: &Page, block: usize) -> Cue {
    let Some(before) = block.checked_sub(1).map(|before| page.block(before)) else { return Cue::None };
    if before.len() > 40 {
        return Cue::None;
    }
    match cue(before, before.len()) {
        Some(cue @ (Cue::Published | Cue::Updated)) => cue,
        _ => Cue::None,
    }
}

const CUES: [&str; 34] = [
    "written by",
    "posted by",
    "published by",
    "story by",
    "words by",
    "text by",
    "article by",
    "reviewed by",
    "medically reviewed by",
    "contributed by",
    "created by",
    "submitted by",
    "asked by",
    "started by",
    "authored by",
    "by",
    "author",
    "authors",
    "von",
    "autor",
    "autorin",
    "par",
    "por",
    "di",
    "door",
    "av",
    "af",
    "przez",
    "автор",
    "作者",
    "文",
    "记者",
    "記者",
    "από",
];

/// The names behind a cue at the beginning of a block, or of a part of it; or in the block behind one that is a cue.
fn byline(page: &Page, block: usize) -> Option<Byline> {
    let text = page.block(block);
    if text.len() > 240 {
        return None;
    }
    if let Some(found) = parts(text).find_map(behind_cue) {
        let (cue, names) = found;
        return Some(Byline { block, names, cue });
    }
    let before = block.checked_sub(1).map(|before| page.block(before)).filter(|before| before.len() <= 24)?;
    let before = before.trim().trim_end_matches(':').trim();
    let cue = CUES.iter().find(|cue| before.len() == cue.len() && begins(before, cue))?;
    let names = names_of(parts(text).next()?)?;
    Some(Byline { block, names, cue })
}

/// The names in a block that is known to hold an author.
pub fn names_in(page: &Page, block: usize) -> Option<String> {
    let named = |line: Byline| line.names;
    byline(page, block).map(named).or_else(|| parts(page.block(block)).find_map(names_of))
}

/// Signs part a line into what is said of its author, date and place.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['|', '•', '·', '–', '—', '／', '/', '\u{2022}', '●']).map(str::trim).filter(|part| !part.is_empty())
}

fn behind_cue(part: &str) -> Option<(&'static str, String)> {
    let bytes = part.as_bytes();
    // Behind most cues a blank or a colon stands, which is soon looked up; letters may follow "By" and signs.
    let may_begin = |cue: &str| match bytes.get(cue.len()) {
        Some(b' ' | b':' | 0x80..) => true,
        Some(_) => cue == "by",
        None => false,
    };
    let cue = CUES.iter().filter(|cue| may_begin(cue) && begins(part, cue)).max_by_key(|cue| cue.len())?;
    let rest = part.get(cue.len()..)?;
    let is_wide = cue.chars().all(|character| character > '\u{2e80}');
    let is_parted = rest.starts_with([' ', ':', '\u{a0}', '：']) || is_wide;
    let is_joined = *cue == "by" && part.starts_with("By") && rest.starts_with(char::is_uppercase);
    if !is_parted && !is_joined {
        return None;
    }
    let names = names_of(rest.trim_start_matches([' ', ':', '\u{a0}', '：']))?;
    Some((cue, names))
}

/// Does a text begin with a word, in small or in capital letters?
fn begins(text: &str, word: &str) -> bool {
    // Nearly all texts differ in the first letter.
    if text.bytes().next().map(|first| first.to_ascii_lowercase()) != word.bytes().next() && word.is_ascii() {
        return false;
    }
    let Some(start) = text.get(..word.len()) else { return false };
    start.eq_ignore_ascii_case(word) || !word.is_ascii() && start.to_lowercase() == word
}

/// Names at the beginning of a text: words that begin with capitals, and what joins names.
pub fn names_of(text: &str) -> Option<String> {
    let text = text.trim();
    let mut end = 0;
    let mut words = 0;
    for (start, word) in words_of(text) {
        let bare = word.trim_matches(|character: char| !character.is_alphanumeric());
        let is_joint = matches!(bare, "and" | "und" | "et" | "y" | "e" | "og" | "och" | "en") || word == "&";
        let is_small = matches!(
            bare,
            "de" | "van" | "von" | "der" | "den" | "la" | "le" | "del" | "di" | "da" | "al" | "bin" | "dos"
        );
        let is_name = bare.chars().next().is_some_and(|first| first.is_uppercase() || first > '\u{2e80}')
            && !bare.chars().any(|character| character.is_ascii_digit())
            && super::dates::names_month(bare).is_none();
        match () {
            () if (is_joint || is_small) && words > 0 => {}
            () if is_name => {
                words += 1;
                end = start + word.trim_end_matches([',', ';', ':', '|']).len();
            }
            () => break,
        }
        if words > 12 {
            return None;
        }
        let is_last = word.ends_with(['|', ':']) || word.ends_with('.') && bare.chars().count() > 4;
        if is_last {
            break;
        }
    }
    (words > 0 && end <= 120).then(|| text[..end].to_string())
}

fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
