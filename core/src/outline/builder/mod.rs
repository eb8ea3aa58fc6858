//! Walks the kept elements of a page and builds the nodes of its outline.

mod cells;
mod code;
mod containers;
mod inline;
mod items;
mod pictures;
mod texts;

use std::cell::OnceCell;

use containers::container;

use crate::decode::OTHER;
use crate::html::tags;
use crate::outline::headings::Levels;
use crate::outline::passage::{close, Draft, Gap, Open};
use crate::outline::roles::{is_inline, role, Role};
use crate::outline::{footnotes, images, listings, math, Addresses, Kind, Outline};
use crate::page::Page;

/// Deeper containers are not written; their content belongs to the container around them.
const DEEPEST: usize = 40;

/// The outline of a page by the label of each block (p, h, l, c, other, by their numbers); `url` is that of the page,
/// or empty.
pub fn outline(page: &Page, labels: &[u8], url: &str) -> Outline {
    let is_kept: Vec<bool> = labels.iter().map(|&label| label < OTHER).collect();
    let mut builder = Builder::new(page, labels, is_kept, url);
    if !page.elements.is_empty() {
        builder.walk();
    }
    builder.outline.title.clone_from(&page.title);
    builder.outline.language = language(page);
    footnotes::link(&mut builder.outline, page);
    builder.outline
}

/// The language that the page declares, if it is a language tag.
fn language(page: &Page) -> String {
    let declared = if page.tree.is_empty() { None } else { page.tree.attribute(0, "lang") };
    let tag = declared.map(|declared| declared.trim().replace('_', "-")).unwrap_or_default();
    let is_tag = (2..=35).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match tag.to_ascii_lowercase().as_str() {
        // No region has this code.
        "en-uk" => "en-GB".to_string(),
        name if !is_tag || name.starts_with("utf") => String::new(),
        _ => tag,
    }
}

/// The action at the end of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Nothing,
    Inline,
    Block,
    Heading,
}

/// An element that is open.
#[derive(Clone, Copy, Debug)]
struct Frame {
    element: u32,
    end: u32,
    role: End,
    /// How many containers were open before it.
    containers: usize,
}

/// An open node that holds others. It is written with its first content.
#[derive(Clone, Copy, Debug)]
struct Container {
    kind: Kind,
    element: u32,
    /// Its own number among all containers of the page.
    number: u32,
    node: Option<u32>,
    /// The last item of a list.
    last_item: Option<u32>,
    /// It has no element: an item for text in a list, or a list for items outside of lists.
    is_implied: bool,
}

struct Builder<'p> {
    page: &'p Page,
    labels: &'p [u8],
    is_kept: Vec<bool>,
    /// The runs of kept blocks, and the next of them.
    runs: Vec<u32>,
    next_run: usize,
    /// All headings of the page, computed on first use.
    headings: OnceCell<Vec<u32>>,
    images: Vec<u32>,
    next_image: usize,
    addresses: Addresses,
    levels: Levels,
    has_math: bool,
    sets_dollars: bool,
    has_formulas: bool,
    outline: Outline,
    frames: Vec<Frame>,
    containers: Vec<Container>,
    /// How many of the containers are written.
    written: usize,
    count: u32,
    inline: Vec<Open>,
    draft: Option<Draft>,
    /// Inside a heading that a tag marks.
    in_heading: bool,
    /// Inside the head of a table.
    in_head: u32,
    breaks: u32,
    has_rule: Option<u32>,
    last_run: Option<u32>,
    /// The last paragraph and its container, if a continuation may follow.
    resumable: Option<(u32, u32)>,
    /// The last list without an element, and its container.
    implied_list: Option<(u32, u32)>,
}

impl<'p> Builder<'p> {
    fn new(page: &'p Page, labels: &'p [u8], is_kept: Vec<bool>, url: &str) -> Self {
        let runs: Vec<u32> =
            (0..page.runs.block.len() as u32).filter(|&run| is_kept[page.runs.block[run as usize] as usize]).collect();
        let source = page.tree.source.as_str();
        let has_formulas = page.text.contains("\\(") || page.text.contains("\\[");
        let sets_dollars = page.text.contains('$') && math::sets_dollars(source);
        let images = if runs.is_empty() { Vec::new() } else { images::chosen(page, &is_kept) };
        let has_h1 = runs.iter().any(|&run| has_h1(page, page.runs.element[run as usize]));
        Self {
            page,
            labels,
            headings: OnceCell::new(),
            images,
            is_kept,
            runs,
            next_run: 0,
            next_image: 0,
            addresses: Addresses::new(&page.tree, url),
            levels: Levels::new(has_h1),
            has_math: false,
            sets_dollars,
            has_formulas: has_formulas || sets_dollars,
            outline: Outline::default(),
            frames: Vec::new(),
            containers: Vec::new(),
            written: 0,
            count: 0,
            inline: Vec::new(),
            draft: None,
            in_heading: false,
            in_head: 0,
            breaks: 0,
            has_rule: None,
            last_run: None,
            resumable: None,
            implied_list: None,
        }
    }

    fn walk(&mut self) {
        let elements = &self.page.elements;
        let mut next = 0;
        loop {
            if let Some(&frame) = self.frames.last().filter(|frame| frame.end as usize <= next) {
                self.add_runs(elements.closing(frame.element as usize));
                self.frames.pop();
                self.close(frame);
            } else if next < elements.len() {
                self.add_runs(elements.opening(next));
                next = self.open(next);
            } else {
                break;
            }
            if self.is_done() && next < elements.len() {
                next = elements.len();
            }
        }
        self.end_draft();
        self.truncate(0);
    }

    /// Is all kept content written?
    fn is_done(&self) -> bool {
        self.next_run == self.runs.len() && self.next_image == self.images.len()
    }

    fn tag(&self, element: usize) -> tags::Tag {
        self.page.tree.tags[self.page.elements.origin[element] as usize]
    }

    fn attribute(&self, element: usize, name: &str) -> Option<std::borrow::Cow<'p, str>> {
        self.page.tree.attribute(self.page.elements.origin[element] as usize, name)
    }

    fn holds_kept(&self, element: usize) -> bool {
        self.holds_text(element)
            || self.images.get(self.next_image).is_some_and(|&image| image < self.page.elements.ends[element])
    }

    fn holds_text(&self, element: usize) -> bool {
        let closing = self.page.elements.closing(element);
        self.runs.get(self.next_run).is_some_and(|&run| self.page.runs.place[run as usize] <= closing)
    }

    /// Opens or skips an element; returns the next element.
    fn open(&mut self, element: usize) -> usize {
        let role = role(self.tag(element));
        match role {
            Role::Break => self.breaks += 1,
            Role::Rule => self.add_rule(),
            Role::Image => return self.open_image(element),
            _ => {}
        }
        let is_left_out = !(self.holds_kept(element) || role == Role::Cell && self.is_in_row());
        if is_left_out {
            if is_block(role) {
                self.end_draft();
            }
            return self.page.elements.ends[element] as usize;
        }
        if self.in_heading && is_block(role) {
            self.add_gap(Gap::Blank);
            return self.enter(element, End::Nothing);
        }
        match role {
            Role::Inline | Role::Break | Role::Image | Role::Rule => self.open_wrapper(element),
            Role::Styled(style) => self.open_inline(element, style),
            Role::Link => self.open_link(element),
            Role::Code => self.open_code(element),
            Role::Math => self.open_math(element),
            Role::Block if listings::is_of_lines(self.page, element) => self.open_listing(element),
            Role::Block | Role::Paragraph => self.enter_block(element),
            Role::Heading(level) => self.open_heading(element, level),
            Role::Listing => self.open_listing(element),
            Role::Table => self.open_table(element),
            Role::Head => {
                self.in_head = self.page.elements.ends[element];
                self.enter_block(element)
            }
            Role::Row => self.open_row(element),
            Role::Cell => self.open_cell(element),
            Role::Item => self.open_item(element),
            Role::Term | Role::Definition => self.open_definition(element, role),
            Role::Caption => self.open_caption(element),
            Role::Summary => self.open_summary(element),
            Role::List if self.is_of_cards(element) => self.enter_block(element),
            Role::Quote | Role::Figure | Role::Details | Role::List | Role::Definitions => {
                self.open_container(element, container(role, self.page, element))
            }
        }
    }

    fn enter(&mut self, element: usize, role: End) -> usize {
        let end = self.page.elements.ends[element];
        self.frames.push(Frame { element: element as u32, end, role, containers: self.containers.len() });
        element + 1
    }

    fn enter_block(&mut self, element: usize) -> usize {
        self.end_draft();
        self.forget_last(element);
        self.enter(element, End::Block)
    }

    fn close(&mut self, frame: Frame) {
        match frame.role {
            End::Nothing => {
                if self.in_heading {
                    self.add_gap(if is_block(role(self.tag(frame.element as usize))) { Gap::Blank } else { Gap::None });
                }
            }
            End::Inline => {
                if let Some(mut open) = self.inline.pop() {
                    close(&mut self.outline, &mut open);
                }
            }
            End::Block => {
                self.end_draft();
                self.forget_last(frame.element as usize);
                self.truncate(frame.containers);
            }
            End::Heading => {
                self.in_heading = false;
                self.end_draft();
                self.truncate(frame.containers);
            }
        }
    }

    /// No continuation crosses the border of these elements, whatever its label.
    fn forget_last(&mut self, element: usize) {
        let role = role(self.tag(element));
        if matches!(
            role,
            Role::Table | Role::Cell | Role::Item | Role::Term | Role::Definition | Role::Caption | Role::Heading(_)
        ) {
            self.resumable = None;
        }
    }

    /// Skips an element with its content; returns the next element.
    fn skip(&mut self, element: usize) -> usize {
        let (closing, end) = (self.page.elements.closing(element), self.page.elements.ends[element]);
        while self.runs.get(self.next_run).is_some_and(|&run| self.page.runs.place[run as usize] <= closing) {
            let run = self.runs[self.next_run];
            self.last_run = Some(run);
            self.next_run += 1;
            if self.run_text(run as usize).ends_with(' ') {
                self.add_gap(Gap::Blank);
            }
        }
        while self.images.get(self.next_image).is_some_and(|&image| image < end) {
            self.next_image += 1;
        }
        end as usize
    }
}

fn has_h1(page: &Page, element: u32) -> bool {
    const NEAR: usize = 4;
    let mut element = element as usize;
    for _ in 0..NEAR {
        if page.tree.tags[page.elements.origin[element] as usize] == tags::H1 {
            return true;
        }
        element = page.elements.parents[element] as usize;
    }
    false
}

fn is_block(role: Role) -> bool {
    !is_inline(role)
}
