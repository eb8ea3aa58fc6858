//! The text and the spans of one node, while they are put together.

use super::{Node, Outline, Part, Span, Style};

/// What is missing between what is there and what comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    #[default]
    None,
    Blank,
    Line,
}

/// An inline element that is open.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub style: Style,
    /// Its span in the text that is being put together.
    pub span: Option<u32>,
    /// It is not for further texts.
    pub is_spent: bool,
    /// It is for a heading that is still to come.
    pub waits: bool,
}

/// A node with text that is not finished.
#[derive(Clone, Copy, Debug)]
pub struct Draft {
    pub node: Node,
    pub gap: Gap,
}

impl Draft {
    pub fn begin(node: Node, outline: &Outline) -> Self {
        let part = |length: usize| Part::new(length, length);
        let (text, spans) = (part(outline.text.len()), part(outline.spans.len()));
        Self { node: Node { text, spans, blocks: part(outline.blocks.len()), ..node }, gap: Gap::None }
    }

    pub fn is_empty(&self, outline: &Outline) -> bool {
        self.node.text.start as usize == outline.text.len()
    }

    /// Adds a text, within the elements that are open.
    pub fn add(&mut self, outline: &mut Outline, open: &mut [Open], text: &str) {
        if !self.is_empty(outline) {
            match self.gap {
                Gap::None => {}
                Gap::Blank => outline.text.push(' '),
                Gap::Line => outline.text.push('\n'),
            }
        }
        self.gap = Gap::None;
        for open in open.iter_mut().filter(|open| open.span.is_none() && !open.is_spent && !open.waits) {
            open.span = Some(outline.spans.len() as u32);
            let start = outline.text.len() as u32;
            outline.spans.push(Span { style: open.style, start, end: start });
        }
        outline.text.push_str(text);
    }

    /// Adds a text that is a span by itself.
    pub fn add_styled(&mut self, outline: &mut Outline, open: &mut [Open], text: &str, style: Style) {
        self.add(outline, open, "");
        let start = outline.text.len() as u32;
        outline.text.push_str(text);
        outline.spans.push(Span { style, start, end: outline.text.len() as u32 });
    }

    pub fn add_block(&mut self, outline: &mut Outline, block: u32, run: u32) {
        if outline.blocks.len() == self.node.blocks.start as usize {
            self.node.runs.0 = run;
        }
        self.node.runs.1 = run;
        if outline.blocks[self.node.blocks.start as usize..].last() != Some(&block) {
            outline.blocks.push(block);
        }
    }

    /// The finished node.
    pub fn end(self, outline: &mut Outline, open: &mut [Open]) -> Node {
        open.iter_mut().for_each(|open| close(outline, open));
        let mut node = self.node;
        node.text.end = outline.text.len() as u32;
        node.blocks.end = outline.blocks.len() as u32;
        node.spans.end = outline.spans.len() as u32;
        node
    }
}

/// The element ends, or the text that is being put together.
pub fn close(outline: &mut Outline, open: &mut Open) {
    if let Some(span) = open.span.take() {
        outline.spans[span as usize].end = outline.text.len() as u32;
    }
}
