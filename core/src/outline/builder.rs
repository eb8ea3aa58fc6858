//! Goes through the elements of a page that hold anything kept, and makes nodes of them.

use std::cell::OnceCell;

use super::headings::Levels;
use super::listings;
use super::math;
use super::passage::{close, Draft, Gap, Open};
use super::roles::{is_inline, role, Role};
use super::tables::{self, TableKind};
use super::{footnotes, images, Addresses, Kind, Node, Outline, Part, Style, PICTURE};
use crate::decode::OTHER;
use crate::html::tags;
use crate::page::Page;

/// Deeper parts are parts of what is around them.
const DEEPEST: usize = 40;

/// More text than this is no heading, where it has parts.
const LONGEST_HEADING: u32 = 400;

/// A paragraph has no more formulas.
const MOST_FORMULAS: usize = 200;

const HEADER: u8 = 1;
const LIST: u8 = 2;
const CONTINUATION: u8 = 3;

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

/// What the page says of its language, if it is a tag of one.
fn language(page: &Page) -> String {
    let language = if page.tree.is_empty() { None } else { page.tree.attribute(0, "lang") };
    let is_tag = |tag: &str| {
        (2..=35).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    language.map(|language| language.trim().replace('_', "-")).filter(|tag| is_tag(tag)).unwrap_or_default()
}

/// What has to be done where an element ends.
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

/// A node that is open and holds others. It is written when something comes that it holds.
#[derive(Clone, Copy, Debug)]
struct Container {
    kind: Kind,
    element: u32,
    /// Its own number among all containers of the page.
    number: u32,
    node: Option<u32>,
    /// The last item of a list.
    last_item: Option<u32>,
    /// No element stands for it: text in a list outside its items, items outside a list.
    is_implied: bool,
}

struct Builder<'p> {
    page: &'p Page,
    labels: &'p [u8],
    is_kept: Vec<bool>,
    /// Runs of kept blocks, and the next of them.
    runs: Vec<u32>,
    next_run: usize,
    /// All headings of the page, once somebody asks for them.
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
    /// The last paragraph, where a continuation may go on with it, and the container around it.
    resumable: Option<(u32, u32)>,
    /// The last list that no element stands for, and the container around it.
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

    /// Nothing is left that is kept.
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

    /// Opens an element, or leaves it out; the next element to look at.
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
            Role::Block => self.enter_block(element),
            Role::Paragraph => self.enter_block(element),
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

    /// No text goes on beyond these, whatever labels say.
    fn forget_last(&mut self, element: usize) {
        let role = role(self.tag(element));
        if matches!(
            role,
            Role::Table | Role::Cell | Role::Item | Role::Term | Role::Definition | Role::Caption | Role::Heading(_)
        ) {
            self.resumable = None;
        }
    }

    /// KaTeX and Wikipedia show a formula once more, as pieces or as a picture.
    fn open_wrapper(&mut self, element: usize) -> usize {
        if self.has_math && self.tag(element) == tags::SPAN && listings::has_class(self.page, element, &["katex-html"])
        {
            return self.skip(element);
        }
        self.enter(element, End::Nothing)
    }

    /// Leaves out an element with all that is in it.
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

    /// One style in another of its kind says nothing.
    fn open_inline(&mut self, element: usize, style: Style) -> usize {
        // What closes itself holds nothing; parsers of HTML open it all the same, and again in each paragraph.
        let attributes = self.page.tree.attributes[self.page.elements.origin[element] as usize];
        let closes_itself =
            attributes.start > 0 && self.page.tree.source.as_bytes().get(attributes.end as usize) == Some(&b'/');
        if closes_itself {
            return self.enter(element, End::Nothing);
        }
        let is_there =
            self.inline.iter().any(|open| std::mem::discriminant(&open.style) == std::mem::discriminant(&style));
        if is_there {
            return self.enter(element, End::Nothing);
        }
        self.inline.push(Open { style, span: None, is_spent: false, waits: false });
        self.enter(element, End::Inline)
    }

    fn open_link(&mut self, element: usize) -> usize {
        let href = self.attribute(element, "href");
        let Some(address) = href.and_then(|href| self.address(&href)) else {
            return self.enter(element, End::Nothing);
        };
        if self.in_heading && self.is_permalink(element) {
            return self.skip(element);
        }
        let number = self.outline.links.len() as u32;
        self.outline.links.push(address);
        let next = self.open_inline(element, Style::Link(number));
        let waits = !self.in_heading && self.holds_heading(element);
        if let Some(open) = self.inline.last_mut().filter(|open| open.style == Style::Link(number)) {
            open.waits = waits;
        }
        next
    }

    fn holds_heading(&self, element: usize) -> bool {
        let headings = self.headings.get_or_init(|| headings(self.page));
        let first = headings.partition_point(|&heading| heading <= element as u32);
        headings.get(first).is_some_and(|&heading| heading < self.page.elements.ends[element])
    }

    /// Inside a page, footnotes are found by their addresses as written.
    fn address(&self, href: &str) -> Option<String> {
        let trimmed = href.trim();
        if trimmed.starts_with('#') {
            return (trimmed.len() > 1).then(|| trimmed.to_string());
        }
        self.addresses.resolved(href)
    }

    /// The sign behind a heading that leads to the heading itself.
    fn is_permalink(&self, element: usize) -> bool {
        let (first, behind) = tables::runs(self.page, element);
        let runs = &self.page.runs;
        let begin = |run: usize| runs.begin.get(run).map_or(self.page.text.len(), |&begin| begin as usize);
        let text = self.page.text[begin(first)..begin(behind)].trim();
        matches!(text, "¶" | "#" | "§" | "🔗" | "\u{f0c1}" | "\u{eb2b}" | "Permalink" | "Link to this heading" | "")
            && first < behind
    }

    /// A listing, where it has lines; else code in the text.
    fn open_code(&mut self, element: usize) -> usize {
        let is_alone = self.draft.is_none() && !self.in_heading;
        let elements = &self.page.elements;
        let has_lines = || (element + 1..elements.ends[element] as usize).any(|inner| self.tag(inner) == tags::BR);
        if is_alone && self.inline.is_empty() && has_lines() {
            let text = self.lines_of_runs(element);
            return self.add_code(element, &text);
        }
        self.open_inline(element, Style::Code)
    }

    /// The kept blocks of an element, a line each.
    fn lines_of_runs(&self, element: usize) -> String {
        let (first, behind) = tables::runs(self.page, element);
        let mut lines: Vec<&str> = Vec::new();
        let mut before = u32::MAX;
        for run in first..behind {
            let block = self.page.runs.block[run];
            if block != before && self.is_kept[block as usize] {
                lines.push(self.page.block(block as usize));
            }
            before = block;
        }
        lines.join("\n")
    }

    fn open_math(&mut self, element: usize) -> usize {
        let Some((tex, is_display)) = math::tex(self.page, element) else { return self.enter(element, End::Nothing) };
        if !self.holds_text(element) {
            return self.enter(element, End::Nothing);
        }
        self.has_math = true;
        let run = self.runs[self.next_run];
        self.prepare(run);
        if let Some(draft) = &mut self.draft {
            draft.add_styled(&mut self.outline, &mut self.inline, &tex, Style::Math { is_display, delimiter: 0 });
            draft.add_block(&mut self.outline, self.page.runs.block[run as usize], run);
        }
        self.skip(element)
    }

    fn open_heading(&mut self, element: usize, level: u8) -> usize {
        self.end_draft();
        let (first, behind) = tables::runs(self.page, element);
        let runs = &self.page.runs;
        let begin = |run: usize| runs.begin.get(run).copied().unwrap_or(self.page.text.len() as u32);
        let elements = &self.page.elements;
        let has_parts = || {
            (element + 1..elements.ends[element] as usize).any(|inner| {
                matches!(role(self.tag(inner)), Role::Paragraph | Role::List | Role::Table | Role::Heading(_))
            })
        };
        if begin(behind) - begin(first) > LONGEST_HEADING && has_parts() {
            return self.enter_block(element);
        }
        if !self.holds_text(element) {
            return self.enter_block(element);
        }
        let level = self.levels.tagged(level);
        self.inline.iter_mut().for_each(|open| open.waits = false);
        self.begin(Kind::Heading(level), element as u32);
        self.in_heading = true;
        self.enter(element, End::Heading)
    }

    fn open_listing(&mut self, element: usize) -> usize {
        self.end_draft();
        let (page, is_kept) = (self.page, &self.is_kept);
        let text = listings::lines(page, element, &|run| is_kept[page.runs.block[run] as usize]);
        if self.is_beside_code(&text) {
            return self.skip(element);
        }
        self.add_code(element, &text)
    }

    /// A cell of numbers, beside a cell of code.
    fn is_beside_code(&self, text: &str) -> bool {
        let is_numbers =
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
        let is_in_cell = || self.frames.iter().rev().take(6).any(|frame| self.tag(frame.element as usize) == tags::TD);
        is_numbers && is_in_cell()
    }

    fn add_code(&mut self, element: usize, text: &str) -> usize {
        self.end_draft();
        if !text.is_empty() && self.holds_text(element) {
            self.open_implied_part(element as u32);
            self.write_containers();
            let language = listings::language(self.page, element);
            let mut draft = Draft::begin(self.node(Kind::Code, element as u32), &self.outline);
            draft.node.word = language.map_or(0, |language| self.word(language));
            draft.add(&mut self.outline, &mut [], text);
            let closing = self.page.elements.closing(element);
            let inside =
                self.runs[self.next_run..].iter().take_while(|&&run| self.page.runs.place[run as usize] <= closing);
            inside.for_each(|&run| draft.add_block(&mut self.outline, self.page.runs.block[run as usize], run));
            let node = draft.end(&mut self.outline, &mut []);
            self.outline.nodes.push(node);
            self.close_implied();
        }
        self.skip(element)
    }

    fn word(&mut self, word: String) -> u32 {
        self.outline.words.push(word);
        self.outline.words.len() as u32
    }

    fn open_table(&mut self, element: usize) -> usize {
        self.end_draft();
        match tables::kind(self.page, element) {
            TableKind::Code => {
                let (page, is_kept) = (self.page, &self.is_kept);
                let text = listings::lines(page, element, &|run| is_kept[page.runs.block[run] as usize]);
                self.add_code(element, &text)
            }
            TableKind::Data if self.containers.len() + 4 < DEEPEST => self.open_container(element, Kind::Table),
            _ => self.enter_block(element),
        }
    }

    fn open_row(&mut self, element: usize) -> usize {
        self.end_draft();
        if self.innermost() != Some(Kind::Table) {
            return self.enter_block(element);
        }
        let elements = &self.page.elements;
        let is_in_head = element < self.in_head as usize;
        let mut child = element + 1;
        let mut is_header = false;
        while child < elements.ends[element] as usize {
            is_header = self.tag(child) == tags::TH;
            if !is_header {
                break;
            }
            child = elements.ends[child] as usize;
        }
        self.open_container(element, Kind::Row { is_header: is_header || is_in_head })
    }

    fn is_in_row(&self) -> bool {
        matches!(self.innermost(), Some(Kind::Row { .. }))
    }

    /// A cell has its place, even if there is nothing in it.
    fn open_cell(&mut self, element: usize) -> usize {
        if !self.is_in_row() {
            return self.enter_block(element);
        }
        let is_in_head = element < self.in_head as usize;
        let span = |name: &str| {
            if self.page.tree.attributes[self.page.elements.origin[element] as usize].len() < name.len() {
                return 1;
            }
            tables::span(self.page, element, name)
        };
        let is_header = self.tag(element) == tags::TH || is_in_head;
        let kind = Kind::Cell { is_header, columns: span("colspan"), rows: span("rowspan") };
        let next = self.open_container(element, kind);
        self.write_containers();
        next
    }

    fn open_item(&mut self, element: usize) -> usize {
        self.end_draft();
        if self.is_card(element) {
            return self.enter_block(element);
        }
        let frame = self.containers.len();
        if !matches!(self.innermost(), Some(Kind::List(_))) {
            self.open_implied_list(element as u32);
        }
        self.push(Kind::Item, element as u32, false);
        self.enter(element, End::Block);
        self.frames.last_mut().expect("just pushed").containers = frame.min(self.containers.len() - 1);
        element + 1
    }

    /// Is it a list of parts with headings of their own? It only places them, as the cards of a shop.
    fn is_of_cards(&self, list: usize) -> bool {
        let elements = &self.page.elements;
        let (mut items, mut cards, mut child) = (0, 0, list + 1);
        while child < elements.ends[list] as usize {
            let end = elements.ends[child];
            if self.tag(child) == tags::LI {
                items += 1;
                cards += u32::from(self.holds_heading(child));
            }
            child = end as usize;
        }
        cards > 0 && 2 * cards >= items
    }

    /// An item of a list that only places its items.
    fn is_card(&self, element: usize) -> bool {
        let parent = self.page.elements.parents[element] as usize;
        role(self.tag(parent)) == Role::List && !matches!(self.innermost(), Some(Kind::List(_)))
    }

    fn open_definition(&mut self, element: usize, role: Role) -> usize {
        if self.innermost() != Some(Kind::Definitions) {
            return self.enter_block(element);
        }
        self.open_container(element, if role == Role::Term { Kind::Term } else { Kind::Definition })
    }

    fn open_caption(&mut self, element: usize) -> usize {
        match self.innermost() {
            Some(Kind::Table | Kind::Figure) => self.open_container(element, Kind::Caption),
            _ => self.enter_block(element),
        }
    }

    fn open_summary(&mut self, element: usize) -> usize {
        match self.innermost() {
            Some(Kind::Details) => self.open_container(element, Kind::Summary),
            _ => self.enter_block(element),
        }
    }

    fn innermost(&self) -> Option<Kind> {
        self.containers.last().map(|container| container.kind)
    }

    fn open_container(&mut self, element: usize, kind: Kind) -> usize {
        self.end_draft();
        let next = self.enter(element, End::Block);
        if self.containers.len() < DEEPEST {
            let is_part = matches!(kind, Kind::Row { .. } | Kind::Cell { .. } | Kind::Caption);
            if !is_part {
                self.open_implied_part(element as u32);
            }
            self.push(kind, element as u32, false);
        }
        next
    }

    fn push(&mut self, kind: Kind, element: u32, is_implied: bool) {
        self.count += 1;
        if self.containers.len() < DEEPEST {
            let container = Container { kind, element, number: self.count, node: None, last_item: None, is_implied };
            self.containers.push(container);
        }
    }

    /// Closes all containers beyond the first so many.
    fn truncate(&mut self, count: usize) {
        while self.containers.len() > count {
            if let Some(Container { node: Some(node), .. }) = self.containers.pop() {
                self.outline.nodes[node as usize].end = self.outline.nodes.len() as u32;
            }
        }
        self.written = self.written.min(count);
    }

    /// Lists hold items alone, and tables cells.
    fn open_implied_part(&mut self, element: u32) {
        let cell = Kind::Cell { is_header: false, columns: 1, rows: 1 };
        match self.innermost() {
            Some(Kind::List(_)) => self.open_implied_item(element),
            Some(Kind::Row { .. }) => self.push(cell, element, true),
            Some(Kind::Table) => {
                self.push(Kind::Row { is_header: false }, element, true);
                self.push(cell, element, true);
            }
            _ => {}
        }
    }

    /// What stands in a list, but in none of its items, goes on with the item before it.
    fn open_implied_item(&mut self, element: u32) {
        let last = self.containers.last().and_then(|list| list.last_item);
        self.push(Kind::Item, element, true);
        self.reopen(last);
    }

    /// Opens a node again, if it is the last.
    fn reopen(&mut self, node: Option<u32>) -> bool {
        let length = self.outline.nodes.len() as u32;
        let node = node.filter(|&node| self.outline.nodes[node as usize].end == length);
        let is_next = self.written + 1 == self.containers.len();
        if let (Some(node), Some(last), true) = (node, self.containers.last_mut(), is_next) {
            last.node = Some(node);
            self.written += 1;
            return true;
        }
        false
    }

    /// A list of items that stand in none; it goes on where nothing stands between.
    fn open_implied_list(&mut self, element: u32) {
        let around = self.containers.last().map_or(0, |container| container.number);
        let last = self.implied_list.filter(|&(_, container)| container == around).map(|(list, _)| list);
        self.push(Kind::List(None), element, true);
        self.reopen(last);
    }

    /// Writes the nodes of all containers that are open.
    fn write_containers(&mut self) {
        while self.written < self.containers.len() {
            let container = self.containers[self.written];
            let number = self.outline.nodes.len() as u32;
            let node = self.node(container.kind, container.element);
            self.outline.nodes.push(node);
            self.containers[self.written].node = Some(number);
            match container.kind {
                Kind::Item if self.written > 0 => self.containers[self.written - 1].last_item = Some(number),
                Kind::List(_) if container.is_implied => {
                    let around = self.written.checked_sub(1).map_or(0, |around| self.containers[around].number);
                    self.implied_list = Some((number, around));
                }
                _ => {}
            }
            self.written += 1;
        }
    }

    fn node(&self, kind: Kind, element: u32) -> Node {
        let end = self.outline.nodes.len() as u32 + 1;
        let element = self.page.elements.origin[element as usize];
        let empty = Part::default();
        Node { kind, end, text: empty, spans: empty, blocks: empty, element, runs: (0, 0), word: 0 }
    }

    fn add_rule(&mut self) {
        self.end_draft();
        self.has_rule = (!self.outline.nodes.is_empty()).then(|| self.containers.last().map_or(0, |last| last.number));
    }

    fn write_rule(&mut self) {
        let around = self.containers.last().map_or(0, |last| last.number);
        if self.has_rule.take() == Some(around)
            && !matches!(self.innermost(), Some(Kind::List(_) | Kind::Row { .. } | Kind::Table))
        {
            self.write_containers();
            let element = self.frames.last().map_or(0, |frame| frame.element);
            let node = self.node(Kind::Rule, element);
            self.outline.nodes.push(node);
        }
    }

    /// Begins a text.
    fn begin(&mut self, kind: Kind, element: u32) {
        self.open_implied_part(element);
        self.write_rule();
        self.write_containers();
        self.draft = Some(Draft::begin(self.node(kind, element), &self.outline));
        self.breaks = 0;
    }

    fn end_draft(&mut self) {
        self.breaks = 0;
        if self.in_heading {
            return self.add_gap(Gap::Blank);
        }
        let Some(draft) = self.draft.take() else { return };
        let node = draft.end(&mut self.outline, &mut self.inline);
        self.forget_link(node);
        if !node.text.is_empty() {
            let node = if self.has_formulas { self.with_formulas(node) } else { node };
            self.finish(node);
        }
        self.close_implied();
    }

    /// A link around several texts is that of the first, or there would be as many as there are texts.
    fn forget_link(&mut self, node: Node) {
        let spans = &self.outline.spans[node.spans.range()];
        for open in &mut self.inline {
            if matches!(open.style, Style::Link(_)) && spans.iter().any(|span| span.style == open.style) {
                open.is_spent = true;
            }
        }
    }

    fn with_formulas(&mut self, mut node: Node) -> Node {
        let text = &self.outline.text[node.text.range()];
        let found = math::formulas(text, node.text.start, self.sets_dollars);
        let first = node.spans.start as usize;
        for formula in found.into_iter().take(MOST_FORMULAS) {
            // What stands inside a formula is part of it, what overlaps it is none.
            let spans = &self.outline.spans[first..];
            let is_apart = |start: u32, end: u32| end <= formula.start || start >= formula.end;
            let is_around = |start: u32, end: u32| start <= formula.start && end >= formula.end;
            if spans.iter().all(|span| {
                (is_apart(span.start, span.end) || is_around(span.start, span.end)) && span.style != Style::Code
                    || span.style == Style::Code && is_apart(span.start, span.end)
            }) {
                let at = spans.iter().position(|span| span.start > formula.start).unwrap_or(spans.len());
                self.outline.spans.insert(first + at, formula);
            }
        }
        node.spans.end = self.outline.spans.len() as u32;
        node
    }

    fn finish(&mut self, node: Node) {
        let around = self.containers.last().map_or(0, |container| container.number);
        let is_paragraph = node.kind == Kind::Paragraph && self.page.tree.tags[node.element as usize] != tags::P;
        self.resumable = is_paragraph.then_some((self.outline.nodes.len() as u32, around));
        self.outline.nodes.push(node);
    }

    fn add_gap(&mut self, gap: Gap) {
        if let Some(draft) = &mut self.draft {
            draft.gap = draft.gap.max(gap);
        }
    }

    /// Adds the runs of text that stand before a tag.
    fn add_runs(&mut self, place: u32) {
        while let Some(&run) = self.runs.get(self.next_run) {
            if self.page.runs.place[run as usize] > place {
                break;
            }
            self.prepare(run);
            self.add_run(run);
            self.next_run += 1;
        }
    }

    /// Sees to it that there is a text to which a run can be added.
    fn prepare(&mut self, run: u32) {
        let block = self.page.runs.block[run as usize];
        let is_new_block = self.last_run.is_none_or(|last| self.page.runs.block[last as usize] != block);
        if self.draft.is_some() && is_new_block && self.breaks > 0 && self.parts(block) {
            self.end_draft();
        }
        if self.draft.is_none() {
            self.begin_by_label(block, run);
        } else if is_new_block {
            self.add_gap(self.gap_before(block));
        }
        self.breaks = 0;
        self.last_run = Some(run);
    }

    /// Does a block behind a line break begin a text of its own?
    fn parts(&self, block: u32) -> bool {
        let Some(draft) = self.draft.filter(|_| !self.in_heading) else { return false };
        let label = self.labels[block as usize];
        if self.breaks >= 2 {
            return true;
        }
        if self.is_in_closed_part() {
            return false;
        }
        let is_heading = matches!(draft.node.kind, Kind::Heading(_));
        let is_item = label == LIST || matches!(self.innermost(), Some(Kind::Item)) && label != CONTINUATION;
        let is_paragraph = role(self.page.tree.tags[draft.node.element as usize]) == Role::Paragraph;
        is_heading != (label == HEADER) && !(is_heading && label == CONTINUATION)
            || is_item
            || !is_paragraph && label != CONTINUATION
    }

    /// Labels say nothing new of what stands in these.
    fn is_in_closed_part(&self) -> bool {
        let is_closed = |container: &Container| {
            let kind = container.kind;
            !container.is_implied
                && matches!(
                    kind,
                    Kind::Item | Kind::Cell { .. } | Kind::Caption | Kind::Summary | Kind::Term | Kind::Definition
                )
        };
        self.containers.iter().rev().any(is_closed)
    }

    fn begin_by_label(&mut self, block: u32, run: u32) {
        let element = self.element_around();
        let label = self.labels[block as usize];
        if self.is_in_closed_part() || matches!(self.innermost(), Some(Kind::List(_))) {
            return self.begin(Kind::Paragraph, element);
        }
        match label {
            HEADER => {
                let level = self.levels.untagged();
                self.begin(Kind::Heading(level), element);
            }
            LIST if self.containers.len() + 2 < DEEPEST => {
                self.open_implied_list(element);
                self.push(Kind::Item, element, true);
                self.begin(Kind::Paragraph, element);
            }
            CONTINUATION if self.resume(element, run) => {}
            _ => self.begin(Kind::Paragraph, element),
        }
    }

    /// Ends what no element stands for; it may be opened again.
    fn close_implied(&mut self) {
        let implied = self.containers.iter().rev().take_while(|container| container.is_implied).count();
        self.truncate(self.containers.len() - implied);
    }

    /// Goes on with the paragraph before.
    fn resume(&mut self, element: u32, run: u32) -> bool {
        let around = self.containers.last().map_or(0, |container| container.number);
        let last = self.outline.nodes.len().wrapping_sub(1) as u32;
        let is_paragraph = self.tag(element as usize) == tags::P;
        if is_paragraph || self.resumable != Some((last, around)) || self.written < self.containers.len() {
            return false;
        }
        let Some(node) = self.outline.nodes.pop() else { return false };
        let gap = self.gap_before(self.page.runs.block[run as usize]).max(Gap::Blank);
        self.draft = Some(Draft { node, gap });
        true
    }

    /// The element that a text stands in that has none of its own.
    fn element_around(&self) -> u32 {
        let is_block = |frame: &&Frame| frame.role != End::Inline && frame.role != End::Nothing;
        self.frames.iter().rev().find(is_block).map_or(0, |frame| frame.element)
    }

    fn gap_before(&self, block: u32) -> Gap {
        if self.breaks > 0 {
            return Gap::Line;
        }
        let is_next = self.last_run.is_some_and(|last| self.page.runs.block[last as usize] + 1 == block);
        if is_next && !self.page.is_spaced[block as usize] {
            Gap::None
        } else {
            Gap::Blank
        }
    }

    fn add_run(&mut self, run: u32) {
        let (block, text) = (self.page.runs.block[run as usize], self.run_text(run as usize));
        let Some(draft) = &mut self.draft else { return };
        let trimmed = crate::spaces::trimmed_end(text);
        draft.add(&mut self.outline, &mut self.inline, trimmed);
        draft.add_block(&mut self.outline, block, run);
        if trimmed.len() < text.len() {
            self.add_gap(Gap::Blank);
        }
    }

    /// The part of its block's text that a run is, with the blank behind it.
    fn run_text(&self, run: usize) -> &'p str {
        let (page, runs) = (self.page, &self.page.runs);
        let block = runs.block[run] as usize;
        let is_last = run + 1 == page.first_runs[block + 1] as usize;
        let end = if is_last { page.ends[block] } else { runs.begin[run + 1] };
        &page.text[runs.begin[run] as usize..end as usize]
    }

    /// An image, or the text that stands for it.
    fn open_image(&mut self, element: usize) -> usize {
        let is_chosen = self.images.get(self.next_image) == Some(&(element as u32));
        if !is_chosen {
            return if self.holds_text(element) && self.is_shown_as_text(element) {
                self.enter(element, End::Nothing)
            } else {
                self.skip(element)
            };
        }
        let origin = self.page.elements.origin[element] as usize;
        let alt = self.runs.get(self.next_run).copied().filter(|_| self.holds_text(element));
        if let Some(image) = images::image(&self.page.tree, origin, &self.addresses) {
            // Behind an image that a script will show stands the same for those without scripts.
            let is_again = self.outline.text.ends_with(PICTURE)
                && self.outline.images.last().is_some_and(|last| last.address == image.address);
            if !is_again {
                self.add_image(element, image, alt);
            } else if self.has_white_behind(element) {
                self.add_gap(Gap::Blank);
            }
        }
        self.skip(element)
    }

    fn is_shown_as_text(&self, element: usize) -> bool {
        !(self.has_math
            && listings::has_class(
                self.page,
                element,
                &["mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"],
            ))
    }

    fn add_image(&mut self, element: usize, image: super::Image, alt: Option<u32>) {
        if self.draft.is_none() {
            let around = self.element_around();
            self.begin(Kind::Paragraph, around);
        } else {
            let is_spaced = self.has_white_before(element);
            self.add_gap(if self.breaks > 0 {
                Gap::Line
            } else if is_spaced {
                Gap::Blank
            } else {
                Gap::None
            });
        }
        self.breaks = 0;
        let number = self.outline.images.len() as u32;
        self.outline.images.push(image);
        let Some(draft) = &mut self.draft else { return };
        let mut room = [0; 4];
        draft.add_styled(&mut self.outline, &mut self.inline, PICTURE.encode_utf8(&mut room), Style::Image(number));
        if let Some(run) = alt {
            draft.add_block(&mut self.outline, self.page.runs.block[run as usize], run);
        }
        if self.has_white_behind(element) {
            self.add_gap(Gap::Blank);
        }
    }

    /// Blocks know of white space between texts, and images are none.
    fn has_white_before(&self, element: usize) -> bool {
        let (tree, origin) = (&self.page.tree, self.page.elements.origin[element] as usize);
        let before = (tree.places[origin] as usize).checked_sub(1);
        before.and_then(|before| tree.source.as_bytes().get(before)).is_some_and(u8::is_ascii_whitespace)
    }

    fn has_white_behind(&self, element: usize) -> bool {
        let (tree, origin) = (&self.page.tree, self.page.elements.origin[element] as usize);
        let behind = tree.source.as_bytes().get(tree.attributes[origin].end as usize..).unwrap_or(&[]);
        let behind = behind.strip_prefix(b"/").unwrap_or(behind);
        let parent = tree.parents[origin] as usize;
        matches!(tree.name(parent), "picture" | "noscript") || behind.get(1).is_some_and(u8::is_ascii_whitespace)
    }
}

fn headings(page: &Page) -> Vec<u32> {
    let tag_of = |element: u32| page.tree.tags[page.elements.origin[element as usize] as usize];
    (0..page.elements.len() as u32).filter(|&element| matches!(role(tag_of(element)), Role::Heading(_))).collect()
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

fn container(role: Role, page: &Page, element: usize) -> Kind {
    match role {
        Role::Quote => Kind::Quote,
        Role::Figure => Kind::Figure,
        Role::Details => Kind::Details,
        Role::Definitions => Kind::Definitions,
        _ => Kind::List(start(page, element)),
    }
}

/// The number of the first item of an ordered list.
fn start(page: &Page, element: usize) -> Option<u32> {
    let origin = page.elements.origin[element] as usize;
    if page.tree.tags[origin] != tags::OL {
        return None;
    }
    let start = page.tree.attribute(origin, "start").and_then(|start| start.trim().parse::<u32>().ok());
    Some(start.unwrap_or(1).min(999_999_999))
}
