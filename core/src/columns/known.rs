//! What several groups need, computed once per page and only when somebody asks.

use std::cell::OnceCell;

use crate::page::Page;

use super::around::{sections, Section};
use super::block::copies;
use super::cores::{main_text, MainText};
use super::inside::masks;
use super::kinds::kinds;
use super::letters::{letters, prefix_sums, Letters, Sums};
use super::links::{links, Links};
use super::near::all_families;
use super::path::{paths, Groups};
use super::pictures::pictures;
use super::said::{said, Said};
use super::title::{overlap, Overlap};
use super::tree_parts::{branches, likes, spans, Likes, Spans};
use super::whole::whole;

pub struct Known<'a> {
    pub page: &'a Page,
    masks: OnceCell<Vec<u32>>,
    letters: OnceCell<Letters>,
    sums: OnceCell<Vec<Sums>>,
    spans: OnceCell<Spans>,
    branches: OnceCell<Vec<u32>>,
    likes: OnceCell<Likes>,
    kinds: OnceCell<Vec<u8>>,
    copies: OnceCell<Vec<i32>>,
    overlap: OnceCell<Overlap>,
    whole: OnceCell<Vec<f64>>,
    main_text: OnceCell<MainText>,
    sections: OnceCell<Vec<Section>>,
    paths: [OnceCell<Groups>; 2],
    families: OnceCell<Vec<u32>>,
    links: OnceCell<Links>,
    said: OnceCell<Said>,
    pictures: OnceCell<Vec<u32>>,
}

impl<'a> Known<'a> {
    pub fn new(page: &'a Page) -> Self {
        Self {
            page,
            masks: OnceCell::new(),
            letters: OnceCell::new(),
            sums: OnceCell::new(),
            spans: OnceCell::new(),
            branches: OnceCell::new(),
            likes: OnceCell::new(),
            kinds: OnceCell::new(),
            copies: OnceCell::new(),
            overlap: OnceCell::new(),
            whole: OnceCell::new(),
            main_text: OnceCell::new(),
            sections: OnceCell::new(),
            paths: [OnceCell::new(), OnceCell::new()],
            families: OnceCell::new(),
            links: OnceCell::new(),
            said: OnceCell::new(),
            pictures: OnceCell::new(),
        }
    }

    /// Which semantic elements are around each element, itself included.
    pub fn masks(&self) -> &[u32] {
        self.masks.get_or_init(|| masks(self.page))
    }

    pub fn letters(&self) -> &Letters {
        self.letters.get_or_init(|| letters(self))
    }

    /// What all blocks before each one hold, and last what all hold.
    pub fn sums(&self) -> &[Sums] {
        self.sums.get_or_init(|| prefix_sums(self.letters()))
    }

    /// What all blocks hold.
    pub fn total(&self) -> Sums {
        self.sums()[self.page.len()]
    }

    pub fn spans(&self) -> &Spans {
        self.spans.get_or_init(|| spans(self.page))
    }

    pub fn branches(&self) -> &[u32] {
        self.branches.get_or_init(|| branches(self))
    }

    pub fn likes(&self) -> &Likes {
        self.likes.get_or_init(|| likes(self))
    }

    /// The kind of the innermost element around each block.
    pub fn kinds(&self) -> &[u8] {
        self.kinds.get_or_init(|| {
            let (kind, codes) = (kinds(), &self.page.elements.codes);
            self.page.element.iter().map(|&element| kind(codes[element as usize])).collect()
        })
    }

    /// How many blocks say exactly what each says.
    pub fn copies(&self) -> &[i32] {
        self.copies.get_or_init(|| copies(self.page))
    }

    pub fn overlap(&self) -> &Overlap {
        self.overlap.get_or_init(|| overlap(self.page))
    }

    /// What is the same for all blocks; whoever asks first says whether copies are counted.
    pub fn whole(&self, wants_copies: bool) -> &[f64] {
        self.whole.get_or_init(|| whole(self, wants_copies))
    }

    pub fn main_text(&self) -> &MainText {
        self.main_text.get_or_init(|| main_text(self))
    }

    pub fn sections(&self) -> &[Section] {
        self.sections.get_or_init(|| sections(self.kinds()))
    }

    /// Blocks on the same path, and those whose parents are.
    pub fn paths(&self, number: usize) -> &Groups {
        self.paths[number].get_or_init(|| paths(self, number))
    }

    /// The families of each element.
    pub fn families(&self) -> &[u32] {
        self.families.get_or_init(|| all_families(self))
    }

    /// Where the links around runs lead.
    pub fn links(&self) -> &Links {
        self.links.get_or_init(|| links(self.page))
    }

    /// What the page says in its head and in JSON-LD.
    pub fn said(&self) -> &Said {
        self.said.get_or_init(|| said(self.page))
    }

    /// Where pictures stand among all tags.
    pub fn pictures(&self) -> &[u32] {
        self.pictures.get_or_init(|| pictures(self.page))
    }
}
