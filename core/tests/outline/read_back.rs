//! What a reader of CommonMark reads back is the outline that was written.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use victor_core::formats::markdown::{marks, Switches};
use victor_core::outline::{Kind, Node, Outline, Style};

use super::pages::{whole, written};

/// A document as lines: blocks, and texts character by character with what they are.
type Lines = Vec<String>;

const STRONG: u8 = 1;
const EMPHASIS: u8 = 2;
const STRUCK: u8 = 4;
const CODE: u8 = 8;
const SUB: u8 = 16;
const SUP: u8 = 32;

/// A text with marks.
#[derive(Default)]
struct Marked {
    pieces: Vec<(String, u8, String)>,
}

impl Marked {
    fn add(&mut self, text: &str, flags: u8, link: &str) {
        match self.pieces.last_mut() {
            Some((last, last_flags, last_link)) if *last_flags == flags && last_link == link => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.pieces.push((text.to_string(), flags, link.to_string())),
        }
    }

    /// White space is neither here nor there at the ends of a text.
    fn line(&self, name: &str) -> String {
        let pieces = self.pieces.iter().map(|(text, flags, link)| format!("{text:?}/{flags}/{link}"));
        format!("{name} {}", pieces.collect::<Vec<_>>().join(" "))
    }
}

/// As an address is read from Markdown.
fn plain(address: &str) -> String {
    let escapes = [("%28", "("), ("%29", ")"), ("%5C", "\\"), ("%60", "`"), ("%24", "$"), ("%7C", "|")];
    escapes.iter().fold(address.to_string(), |address, (from, to)| address.replace(from, to))
}

fn expected(outline: &Outline) -> Lines {
    let mut lines = Vec::new();
    let mut ends: Vec<(u32, String)> = Vec::new();
    for (number, node) in outline.nodes.iter().enumerate() {
        while ends.last().is_some_and(|(end, _)| *end as usize <= number) {
            lines.push(ends.pop().expect("not empty").1);
        }
        let name = match node.kind {
            Kind::Quote => "quote".to_string(),
            Kind::List(None) => "list".to_string(),
            Kind::List(Some(start)) => format!("list {start}"),
            Kind::Item => "item".to_string(),
            Kind::Table => "table".to_string(),
            Kind::Row { .. } => "row".to_string(),
            Kind::Cell { .. } => "cell".to_string(),
            Kind::Rule => {
                lines.push("rule".to_string());
                continue;
            }
            Kind::Paragraph | Kind::Heading(_) | Kind::Code => {
                lines.push(text(outline, node));
                continue;
            }
            _ => continue,
        };
        lines.push(format!("{name} ("));
        ends.push((node.end, format!(") {name}")));
    }
    lines.extend(ends.into_iter().rev().map(|(_, line)| line));
    lines
}

fn text(outline: &Outline, node: &Node) -> String {
    let text = outline.text_of(node);
    let name = match node.kind {
        Kind::Heading(level) => format!("heading {level}"),
        Kind::Code => return format!("code {:?} {text:?}", outline.word_of(node)),
        _ => "text".to_string(),
    };
    let text = if node.kind == Kind::Paragraph { text.to_string() } else { text.replace('\n', " ") };
    let marks = marks(outline, node, &Switches::default());
    let mut marked = Marked::default();
    for (at, character) in text.char_indices() {
        let (mut flags, mut link, mut image) = (0, String::new(), None);
        for mark in marks.iter().filter(|mark| mark.start <= at && at < mark.end) {
            match mark.style {
                Style::Strong => flags |= STRONG,
                Style::Emphasis => flags |= EMPHASIS,
                Style::Struck => flags |= STRUCK,
                Style::Code => flags |= CODE,
                Style::Sub => flags |= SUB,
                Style::Sup => flags |= SUP,
                Style::Link(number) => link = plain(&outline.links[number as usize]),
                Style::Image(number) => image = Some(&outline.images[number as usize]),
                _ => {}
            }
        }
        match image {
            Some(image) => marked.add(&format!("<{} {}>", plain(&image.address), image.alt), flags, &link),
            // A code span has no line breaks.
            None if character == '\n' && flags & CODE != 0 => marked.add(" ", flags, &link),
            None => marked.add(&character.to_string(), flags, &link),
        }
    }
    marked.line(&name)
}

fn read(markdown: &str) -> Lines {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH;
    let mut reader = Reader::default();
    Parser::new_ext(markdown, options).for_each(|event| reader.event(event));
    reader.end_text("text");
    reader.lines
}

#[derive(Default)]
struct Reader {
    lines: Lines,
    marked: Marked,
    name: Option<String>,
    flags: u8,
    link: String,
    image: Option<(String, String)>,
    code: Option<(String, String)>,
    lists: Vec<String>,
}

impl Reader {
    /// Texts in tight lists have no paragraphs of their own.
    fn end_text(&mut self, name: &str) {
        let marked = std::mem::take(&mut self.marked);
        if !marked.pieces.is_empty() {
            self.lines.push(marked.line(name));
        }
    }

    fn open(&mut self, name: &str) {
        self.end_text("text");
        self.lines.push(format!("{name} ("));
    }

    fn close(&mut self, name: &str) {
        self.end_text("text");
        self.lines.push(format!(") {name}"));
    }

    fn add(&mut self, text: &str, flags: u8) {
        match (&mut self.image, &mut self.code) {
            (Some((_, alt)), _) => alt.push_str(text),
            (_, Some((_, code))) => code.push_str(text),
            _ => self.marked.add(text, self.flags | flags, &self.link),
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.add(&text, 0),
            Event::Code(code) => self.add(&code, CODE),
            Event::HardBreak => self.add("\n", 0),
            Event::SoftBreak => self.add("<soft break>", 0),
            Event::Rule => {
                self.end_text("text");
                self.lines.push("rule".to_string());
            }
            Event::InlineHtml(html) => match &*html {
                "<sub>" => self.flags |= SUB,
                "</sub>" => self.flags &= !SUB,
                "<sup>" => self.flags |= SUP,
                "</sup>" => self.flags &= !SUP,
                other => self.add(&format!("<html {other}>"), 0),
            },
            other => self.add(&format!("<unexpected {other:?}>"), 0),
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Paragraph => self.end_text("text"),
            Tag::Heading { level, .. } => {
                self.end_text("text");
                self.name = Some(format!("heading {}", level as usize));
                let _ = HeadingLevel::H1;
            }
            Tag::BlockQuote(_) => self.open("quote"),
            Tag::CodeBlock(CodeBlockKind::Fenced(language)) => {
                self.end_text("text");
                self.code = Some((language.to_string(), String::new()));
            }
            Tag::List(start) => {
                let name = start.map_or("list".to_string(), |start| format!("list {start}"));
                self.open(&name);
                self.lists.push(name);
            }
            Tag::Item => self.open("item"),
            Tag::Table(_) => self.open("table"),
            Tag::TableHead | Tag::TableRow => self.open("row"),
            Tag::TableCell => self.open("cell"),
            Tag::Emphasis => self.flags |= EMPHASIS,
            Tag::Strong => self.flags |= STRONG,
            Tag::Strikethrough => self.flags |= STRUCK,
            Tag::Link { dest_url, .. } => self.link = plain(&dest_url),
            Tag::Image { dest_url, .. } => self.image = Some((plain(&dest_url), String::new())),
            other => self.add(&format!("<unexpected {other:?}>"), 0),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.end_text("text"),
            TagEnd::Heading(_) => {
                let name = self.name.take().unwrap_or_default();
                self.end_text(&name);
            }
            TagEnd::BlockQuote(_) => self.close("quote"),
            TagEnd::CodeBlock => {
                let (language, code) = self.code.take().unwrap_or_default();
                self.lines.push(format!("code {language:?} {:?}", code.strip_suffix('\n').unwrap_or(&code)));
            }
            TagEnd::List(_) => {
                let name = self.lists.pop().unwrap_or_default();
                self.close(&name);
            }
            TagEnd::Item => self.close("item"),
            TagEnd::Table => self.close("table"),
            TagEnd::TableHead | TagEnd::TableRow => self.close("row"),
            TagEnd::TableCell => self.close("cell"),
            TagEnd::Emphasis => self.flags &= !EMPHASIS,
            TagEnd::Strong => self.flags &= !STRONG,
            TagEnd::Strikethrough => self.flags &= !STRUCK,
            TagEnd::Link => self.link.clear(),
            TagEnd::Image => {
                let (address, alt) = self.image.take().unwrap_or_default();
                self.marked.add(&format!("<{address} {alt}>"), self.flags, &self.link);
            }
            _ => {}
        }
    }
}

/// Small numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

/// What means something to Markdown somewhere.
const TEXTS: [&str; 74] = [
    "word",
    "two words",
    "a",
    "é",
    "中文",
    "。",
    "“quoted”",
    "*",
    "**",
    "***",
    "_",
    "__",
    "snake_case",
    "`",
    "``",
    "~",
    "~~",
    "[",
    "]",
    "](",
    "][",
    "[x]",
    "[ ]",
    "[x](y)",
    "![",
    "!",
    "&lt;",
    "&lt;b>",
    "&lt;/div>",
    "&lt;!--",
    "&amp;amp;",
    "&amp;#35;",
    "&amp;",
    "#",
    "##",
    "# a",
    "#a",
    "-",
    "- a",
    "---",
    "+ b",
    "* c",
    "1.",
    "1. a",
    "12) b",
    "1234567890. c",
    ">",
    "> q",
    "=",
    "===",
    "|",
    "| a | b |",
    "--- | ---",
    ":--",
    "\\",
    "\\*",
    "\\\\",
    "a\\",
    "$",
    "$5",
    "$x$",
    "$$y$$",
    "http://a.b/c_d*e",
    "www.a.org",
    "a@b.org",
    ":::",
    "[^1]",
    "[^1]: a",
    "[a]: b",
    "~~~",
    "```",
    "    four",
    "{#id}",
    "^",
];

fn inline(dice: &mut Dice, depth: usize) -> String {
    let mut html = String::new();
    for _ in 0..1 + dice.below(4) {
        let inner = |dice: &mut Dice| if depth < 3 { inline(dice, depth + 1) } else { dice.of(&TEXTS).to_string() };
        html.push_str(&match dice.below(16) {
            0 => format!("<b>{}</b>", inner(dice)),
            1 => format!("<em>{}</em>", inner(dice)),
            2 => format!("<s>{}</s>", inner(dice)),
            3 => format!("<code>{}</code>", inner(dice)),
            4 => format!(
                "<a href='http://a.org/{}'>{}</a>",
                dice.of(&["", "b(c)", "d_e*f", "g&amp;lt;h", "i`j", "k$l$", "m\\n"]),
                inner(dice)
            ),
            5 => format!("<img src='i{}.png' alt='{}'>", dice.below(100), dice.of(&TEXTS).replace('\'', "")),
            6 => "<br>".to_string(),
            7 => format!("<sup>{}</sup>", inner(dice)),
            8 | 9 => " ".to_string(),
            _ => dice.of(&TEXTS).to_string(),
        });
    }
    html
}

fn block(dice: &mut Dice, depth: usize) -> String {
    let blocks = |dice: &mut Dice| (0..1 + dice.below(3)).map(|_| block(dice, depth + 1)).collect::<String>();
    match dice.below(if depth < 3 { 12 } else { 6 }) {
        0 => format!("<h{0}>{1}</h{0}>", 1 + dice.below(6), inline(dice, 1)),
        1 => format!(
            "<pre class='language-{}'>{}\n{}</pre>",
            dice.of(&["c++", "js", "x"]),
            dice.of(&TEXTS),
            dice.of(&TEXTS)
        ),
        2 => "<hr>".to_string(),
        6 => format!("<blockquote>{}</blockquote>", blocks(dice)),
        7 | 8 => {
            let items: String = (0..1 + dice.below(3))
                .map(|_| {
                    if dice.below(2) == 0 {
                        format!("<li>{}", blocks(dice))
                    } else {
                        format!("<li>{}", inline(dice, 1))
                    }
                })
                .collect();
            if dice.below(2) == 0 {
                format!("<ul>{items}</ul>")
            } else {
                format!("<ol start={}>{items}</ol>", dice.below(5))
            }
        }
        9 => {
            let cell =
                |dice: &mut Dice, name: &str| format!("<{name}>{}</{name}>", inline(dice, 2).replace("<br>", " "));
            let row = |dice: &mut Dice, name: &str| format!("<tr>{}{}</tr>", cell(dice, name), cell(dice, name));
            format!("<table>{}{}{}</table>", row(dice, "th"), row(dice, "td"), row(dice, "td"))
        }
        _ => format!("<p>{}</p>", inline(dice, 0)),
    }
}

/// Where a table has rows of fewer than two texts, readers see more cells than the page had.
fn has_small_tables(outline: &Outline) -> bool {
    outline.nodes.iter().enumerate().any(|(number, node)| {
        let is_row = matches!(node.kind, Kind::Row { .. });
        node.kind == Kind::Table
            && outline
                .children(number)
                .next()
                .is_none_or(|row| outline.nodes[row].kind != Kind::Row { is_header: true })
            || is_row && outline.children(number).count() != 2
    })
}

#[test]
fn readers_read_what_was_written() {
    let pages = std::env::var("VICTOR_PAGES_MADE").ok().and_then(|pages| pages.parse().ok()).unwrap_or(20_000);
    let mut worst: Option<(String, String, Lines, Lines)> = None;
    let mut count = 0;
    for seed in 0..pages {
        let mut dice = Dice(seed);
        let page: String = (0..1 + dice.below(3)).map(|_| block(&mut dice, 0)).collect();
        let outline = whole(&page);
        if has_small_tables(&outline) {
            continue;
        }
        let markdown = written(&outline);
        let (read, expected) = (read(&markdown), expected(&outline));
        if read != expected {
            count += 1;
            if worst.as_ref().is_none_or(|worst| page.len() < worst.0.len()) {
                worst = Some((page, markdown, read, expected));
            }
        }
    }
    if let Some((page, markdown, read, expected)) = worst {
        panic!("{count} of {pages}, such as\n{page}\n-----\n{markdown}\n-----\n{read:#?}\n{expected:#?}");
    }
}
