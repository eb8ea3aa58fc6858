//! Pages made by hand: as small HTML in which every tag is closed, and every text is a block unless it goes on one.

use victor_core::columns::{matrix, Plan};
use victor_core::html::tags::{Tag, NAMES};
use victor_core::markup::{code_of, ROLES};
use victor_core::page::Page;
use victor_core::tree::{Namespace, Span, Tree};

/// Tags, and texts between them; a text that begins with `+` goes on the block before it, and ` role=` is read.
pub fn page(title: &str, html: &str) -> Page {
    let tree = Tree { source: format!("<html>{html}</html>"), ..Tree::default() };
    let mut builder = Builder { page: Page { title: title.into(), tree, ..Page::default() }, ..Builder::default() };
    builder.page.text.push('\n');
    let source = builder.page.tree.source.clone();
    let mut at = 0;
    while at < source.len() {
        at = if source[at..].starts_with('<') { builder.tag(&source, at) } else { builder.text(&source, at) };
    }
    builder.finished()
}

/// One feature of all blocks, in four decimals.
pub fn column(name: &str, html: &str) -> Vec<f32> {
    column_of(name, &page("", html))
}

pub fn column_of(name: &str, page: &Page) -> Vec<f32> {
    let found = matrix(page, &Plan::new(&[name]).expect("a feature"));
    found.row(0).iter().map(|value| (value * 1e4).round() / 1e4).collect()
}

#[derive(Default)]
struct Builder {
    page: Page,
    open: Vec<u32>,
    /// How many tags came before.
    place: u32,
}

impl Builder {
    fn tag(&mut self, source: &str, at: usize) -> usize {
        let end = at + source[at..].find('>').expect("an end of the tag");
        self.place += 1;
        if source[at + 1..].starts_with('/') {
            let element = self.open.pop().expect("an open element") as usize;
            self.page.elements.ends[element] = self.page.elements.len() as u32;
            return end + 1;
        }
        let inner = &source[at + 1..end];
        let name = inner.split(' ').next().expect("a name");
        let number = self.page.elements.len() as u32;
        self.open_element(name, inner, Span::new(at + 1 + name.len(), end));
        self.open.push(number);
        end + 1
    }

    fn open_element(&mut self, name: &str, inner: &str, attributes: Span) {
        let (elements, tree) = (&mut self.page.elements, &mut self.page.tree);
        let role =
            inner.split_once("role=").map_or(0, |(_, role)| 1 + ROLES.iter().position(|one| *one == role).unwrap());
        elements.origin.push(elements.len() as u32);
        elements.codes.push(code_of(name));
        elements.parents.push(self.open.last().copied().unwrap_or(0));
        elements.depths.push(self.open.len() as u32);
        elements.ends.push(0);
        elements.roles.push(role as u8);
        tree.tags.push(Tag(NAMES.binary_search(&name).expect("a known tag") as u16));
        tree.attributes.push(attributes);
        tree.namespaces.push(Namespace::Html);
    }

    fn text(&mut self, source: &str, at: usize) -> usize {
        let end = at + source[at..].find('<').expect("a tag behind the text");
        let (page, text) = (&mut self.page, &source[at..end]);
        let more = text.strip_prefix('+');
        if more.is_none() {
            page.first_runs.push(page.runs.block.len() as u32);
            page.begins.push(page.text.len() as u32);
            page.ends.push(0);
            page.lengths.push(0);
        } else {
            page.text.pop();
        }
        let block = page.begins.len() - 1;
        page.runs.element.push(*self.open.last().expect("an element"));
        page.runs.place.push(self.place);
        page.runs.block.push(block as u32);
        page.runs.start.push(page.lengths[block]);
        page.runs.begin.push(page.text.len() as u32);
        page.text.push_str(more.unwrap_or(text));
        page.ends[block] = page.text.len() as u32;
        page.lengths[block] += more.unwrap_or(text).chars().count() as u32;
        page.text.push('\n');
        end
    }

    fn finished(mut self) -> Page {
        let page = &mut self.page;
        page.first_runs.push(page.runs.block.len() as u32);
        page.is_spaced = vec![true; page.begins.len()];
        page.is_new_line = vec![false; page.begins.len()];
        page.element = page.first_runs.windows(2).map(|runs| common(page, runs[0], runs[1] - 1)).collect();
        self.page
    }
}

fn common(page: &Page, first: u32, last: u32) -> u32 {
    let (mut element, inner) = (page.runs.element[first as usize], page.runs.element[last as usize]);
    while inner < element || inner >= page.elements.ends[element as usize] {
        element = page.elements.parents[element as usize];
    }
    element
}
