//! The levels of headings that no tag marks.

/// Follows the headings of a page as they come.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// That of the last heading with a tag.
    last: Option<u8>,
    /// Has a heading without a tag come before all others?
    has_title: bool,
    /// Is there an `<h1>` among what is kept?
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

    /// One below the heading before it; the first of a page without `<h1>` is its title.
    pub fn untagged(&mut self) -> u8 {
        match self.last {
            Some(level) => (level + 1).min(6),
            None if !std::mem::replace(&mut self.has_title, true) && !self.has_h1 => 1,
            None => 2,
        }
    }
}
