//! The levels of headings without a heading tag.

/// Tracks the headings of a page, in order.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// The level of the last heading with a tag.
    last: Option<u8>,
    /// Was the title found already?
    has_title: bool,
    /// Is an `<h1>` kept?
    has_h1: bool,
}

impl Levels {
    pub fn new(has_h1: bool) -> Self {
        Self { last: None, has_title: has_h1, has_h1 }
    }

    pub fn tagged(&mut self, level: u8) -> u8 {
        self.last = Some(level);
        level
    }

    /// One level below the heading before it. The first one of a page without `<h1>` is the title.
    pub fn untagged(&mut self) -> u8 {
        match self.last {
            Some(level) => (level + 1).min(6),
            None if !std::mem::replace(&mut self.has_title, true) && !self.has_h1 => 1,
            None => 2,
        }
    }
}
