//! The page's own elements: only those with kept content, without scripts, styles and event handlers.

use super::html::{escape, write_head};
use crate::html::attributes;
use crate::html::tags::{self, tag, Tag};
use crate::outline::{chosen_images, image_of, is_inline, role, Addresses, KeptTexts, Role};
use crate::page::Page;
use crate::tree::Namespace;

/// The document of the kept blocks; `url` is that of the page, or empty.
pub fn main_html(page: &Page, is_kept: &[bool], url: &str, language: &str) -> String {
    let mut out = String::new();
    write_head(&mut out, &page.title, language);
    let runs: Vec<u32> =
        (0..page.runs.block.len() as u32).filter(|&run| is_kept[page.runs.block[run as usize] as usize]).collect();
    if !runs.is_empty() {
        let addresses = Addresses::new(&page.tree, url);
        let images = chosen_images(page, is_kept);
        let texts = KeptTexts::new(page);
        let mut writer = Writer {
            page,
            is_kept,
            addresses,
            images,
            runs,
            next_run: 0,
            next_image: 0,
            texts,
            next_text: 0,
            run: 0,
            out,
        };
        writer.walk();
        out = writer.out;
    }
    out.push_str("\n</body>\n</html>\n");
    out
}

/// Deeper elements are dropped; their content stays.
const DEEPEST: usize = 400;

/// How many parents of an element are searched for a paragraph.
const MOST_WRAPPERS: usize = 8;

struct Writer<'p> {
    page: &'p Page,
    is_kept: &'p [bool],
    addresses: Addresses,
    images: Vec<u32>,
    runs: Vec<u32>,
    next_run: usize,
    next_image: usize,
    texts: KeptTexts<'p>,
    next_text: usize,
    /// The next of all runs.
    run: usize,
    out: String,
}

impl Writer<'_> {
    fn walk(&mut self) {
        let elements = &self.page.elements;
        // The elements that are open, each with the name of the end tag that it needs.
        let mut open: Vec<(usize, Option<String>)> = Vec::new();
        let (mut next, mut depth) = (0, 0);
        loop {
            if let Some(&(element, _)) = open.last().filter(|(element, _)| elements.ends[*element] as usize <= next) {
                self.add_texts(elements.closing(element));
                if let Some((_, Some(name))) = open.pop() {
                    self.out.push_str(&format!("</{name}>"));
                    depth -= 1;
                }
                continue;
            }
            if next >= elements.len() {
                return;
            }
            self.add_texts(elements.opening(next));
            if !self.holds_kept(next) && !self.is_void(next) && !is_cell(self.tag(next)) {
                self.skip(next);
                next = elements.ends[next] as usize;
                continue;
            }
            let name = if depth < DEEPEST { self.name(next) } else { None };
            let name = name.filter(|name| self.begin(next, name));
            depth += usize::from(name.is_some());
            open.push((next, name));
            next += 1;
        }
    }

    /// Writes a start tag; does it need an end tag?
    fn begin(&mut self, element: usize, name: &str) -> bool {
        if self.tag(element) == tags::IMG {
            self.image(element, name);
        } else {
            self.start_tag(element, name);
        }
        !self.is_void(element)
    }

    fn tag(&self, element: usize) -> Tag {
        self.page.tree.tags[self.page.elements.origin[element] as usize]
    }

    fn is_void(&self, element: usize) -> bool {
        const WBR: Tag = tag("wbr");
        matches!(self.tag(element), tags::BR | tags::HR | WBR | tags::IMG)
    }

    fn holds_kept(&self, element: usize) -> bool {
        let elements = &self.page.elements;
        let closing = elements.closing(element);
        self.runs.get(self.next_run).is_some_and(|&run| self.page.runs.place[run as usize] <= closing)
            || self.images.get(self.next_image).is_some_and(|&image| image < elements.ends[element])
    }

    /// Skips the texts of a dropped element.
    fn skip(&mut self, element: usize) {
        let closing = self.page.elements.closing(element);
        while self.next_text < self.page.tree.texts.len() {
            match self.texts.place(self.next_text) {
                Some(place) if place > closing => break,
                _ => self.next_text += 1,
            }
        }
        while self.page.runs.place.get(self.run).is_some_and(|&place| place <= closing) {
            self.run += 1;
        }
    }

    /// Adds the kept texts before a tag.
    fn add_texts(&mut self, place: u32) {
        while self.next_text < self.page.tree.texts.len() {
            let own = self.texts.place(self.next_text);
            if own.is_some_and(|own| own > place) {
                break;
            }
            if let Some(own) = own {
                self.add_text(own);
            }
            self.next_text += 1;
        }
        while self.runs.get(self.next_run).is_some_and(|&run| self.page.runs.place[run as usize] <= place) {
            self.next_run += 1;
        }
    }

    /// Adds a text; of several lines in one place, those that are kept.
    fn add_text(&mut self, place: u32) {
        let runs = &self.page.runs;
        while runs.place.get(self.run).is_some_and(|&other| other < place) {
            self.run += 1;
        }
        let is_kept = |run: usize| self.is_kept[runs.block[run] as usize];
        let count = runs.place[self.run..].iter().take_while(|&&other| other == place).count();
        let here = self.run..self.run + count;
        let text = self.page.tree.text(&self.page.tree.texts[self.next_text]);
        if here.clone().all(is_kept) {
            escape(&mut self.out, &text.replace('\0', ""));
            return;
        }
        let mut run = here.start;
        for line in text.split('\n') {
            if line.trim().is_empty() {
                self.out.push('\n');
                continue;
            }
            if count == 1 && is_kept(run) || run < here.end && is_kept(run) {
                escape(&mut self.out, line);
                self.out.push('\n');
            }
            run += usize::from(count > 1);
        }
    }

    /// The name that an element is written with; `None` writes its content only.
    fn name(&self, element: usize) -> Option<String> {
        let origin = self.page.elements.origin[element] as usize;
        let name = self.page.tree.name(origin);
        if matches!(name, "html" | "body" | "head") || self.page.tree.namespaces[origin] == Namespace::Svg {
            return None;
        }
        let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if BLOCKS.contains(&name) {
            return Some(if self.is_in_text(element) { "span" } else { "div" }.to_string());
        }
        if name == "p" && self.holds_blocks(element) {
            return Some("div".to_string());
        }
        if !is_name || !name.starts_with(|first: char| first.is_ascii_lowercase()) || INLINE.contains(&name) {
            return Some("span".to_string());
        }
        Some(name.to_string())
    }

    /// Is an element inside a paragraph or a heading, with only inline elements between?
    fn is_in_text(&self, element: usize) -> bool {
        let mut parent = self.page.elements.parents[element] as usize;
        for _ in 0..MOST_WRAPPERS {
            let role = role(self.tag(parent));
            if !is_inline(role) {
                return matches!(role, Role::Paragraph | Role::Heading(_));
            }
            parent = self.page.elements.parents[parent] as usize;
        }
        false
    }

    /// Does a paragraph hold blocks? Old pages have tables in paragraphs, but modern parsers end the paragraph there.
    fn holds_blocks(&self, element: usize) -> bool {
        (element + 1..self.page.elements.ends[element] as usize).any(|inner| {
            let role = role(self.tag(inner));
            !is_inline(role) || role == Role::Rule
        })
    }

    fn start_tag(&mut self, element: usize, name: &str) {
        self.out.push_str(&format!("<{name}"));
        let origin = self.page.elements.origin[element] as usize;
        let mut seen: Vec<&str> = Vec::new();
        // A tag may have a million attributes, and few names are printed: only these are remembered.
        for attribute in attributes::all(&self.page.tree, origin) {
            let Some(own) = printed_name(attribute.name).filter(|own| !seen.contains(own)) else { continue };
            seen.push(own);
            let value = attribute.value();
            if !ADDRESSES.contains(&own) {
                self.attribute(own, &value);
            } else if let Some(address) = self.addresses.resolved(&value).filter(|_| own == "href" || own == "cite") {
                self.attribute(own, &address);
            }
        }
        self.out.push('>');
    }

    fn image(&mut self, element: usize, name: &str) {
        let is_chosen = self.images.get(self.next_image) == Some(&(element as u32));
        if !is_chosen {
            return;
        }
        self.next_image += 1;
        let origin = self.page.elements.origin[element] as usize;
        if let Some(image) = image_of(&self.page.tree, origin, &self.addresses) {
            self.out.push_str(&format!("<{name}"));
            self.attribute("src", &image.address);
            self.attribute("alt", &image.alt);
            self.out.push('>');
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push_str(&format!(" {name}=\""));
        escape(&mut self.out, &value.replace('\0', ""));
        self.out.push('"');
    }
}

/// A name as it is printed; None for names that are not.
fn printed_name(name: &str) -> Option<&'static str> {
    ADDRESSES.iter().chain(&ATTRIBUTES).find(|own| name.eq_ignore_ascii_case(own)).copied()
}

fn is_cell(tag: Tag) -> bool {
    matches!(tag, tags::TD | tags::TH)
}

const ADDRESSES: [&str; 8] = ["href", "cite", "src", "action", "formaction", "data", "poster", "background"];

const ATTRIBUTES: [&str; 20] = [
    "abbr",
    "alttext",
    "class",
    "colspan",
    "datetime",
    "dir",
    "display",
    "encoding",
    "headers",
    "id",
    "itemprop",
    "itemscope",
    "itemtype",
    "lang",
    "open",
    "reversed",
    "rowspan",
    "scope",
    "start",
    "title",
];

/// Forms, media and elements with special parsing are written as `<div>`.
const BLOCKS: [&str; 26] = [
    "applet",
    "audio",
    "canvas",
    "dialog",
    "embed",
    "fieldset",
    "form",
    "frame",
    "frameset",
    "iframe",
    "listing",
    "marquee",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "optgroup",
    "plaintext",
    "portal",
    "script",
    "select",
    "style",
    "template",
    "textarea",
    "video",
    "xmp",
];

/// Inline elements of this kind are written as `<span>`.
const INLINE: [&str; 20] = [
    "base", "basefont", "bgsound", "blink", "button", "datalist", "font", "input", "keygen", "label", "legend", "link",
    "meta", "option", "output", "param", "slot", "source", "title", "track",
];
