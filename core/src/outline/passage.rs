//! The unfinished text and spans of one node.

use super::{Node, Outline, Part, Span, Style};

/// The separator before the next text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    #[default]
    None,
    Blank,
    Line,
}

/// An open inline element.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub style: Style,
    /// Its span in the unfinished text.
    pub span: Option<u32>,
    /// It applies to no further text.
    pub is_spent: bool,
    /// It applies from the next heading on.
    pub waits: bool,
}

/// An unfinished node with text.
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

    /// Adds a text inside the open inline elements.
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

    /// Adds a text as a span of its own.
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

/// Ends the span of an inline element.
pub fn close(outline: &mut Outline, open: &mut Open) {
    if let Some(span) = open.span.take() {
        outline.spans[span as usize].end = outline.text.len() as u32;
    }
}
