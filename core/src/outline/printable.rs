//! Outlines without characters that text, XML or JSON forbids, and outlines with an extra first heading.

use std::borrow::Cow;

use super::{Kind, Node, Outline, Part};

/// The text that replaces a character: `None` keeps it, and an empty text drops it.
fn replacement(character: char) -> Option<&'static str> {
    match character {
        '\u{b}'..='\r' | '\u{1c}'..='\u{1f}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(" "),
        '\0'..='\u{8}' | '\u{e}'..='\u{1b}' | '\u{7f}'..='\u{9f}' => Some(""),
        '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
        _ => None,
    }
}

/// The text without characters that XML and HTML forbid. White space becomes blanks, tabs and line ends.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| replacement(character).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    text.chars().for_each(|character| push(&mut kept, character));
    Cow::Owned(kept)
}

fn push(kept: &mut String, character: char) {
    match replacement(character) {
        Some(text) => kept.push_str(text),
        None => kept.push(character),
    }
}

impl Outline {
    /// The same outline, with printable texts only.
    pub fn printable(mut self) -> Self {
        self.text_printable();
        let images = self.images.iter_mut().flat_map(|image| [&mut image.address, &mut image.alt]);
        let others = self.links.iter_mut().chain(&mut self.words).chain([&mut self.title, &mut self.language]);
        for text in images.chain(others) {
            if let Cow::Owned(kept) = printable(text) {
                *text = kept;
            }
        }
        self
    }

    fn text_printable(&mut self) {
        let mut shifts: Vec<(usize, i64)> = vec![(0, 0)];
        let mut kept = String::new();
        for (at, character) in self.text.char_indices() {
            if replacement(character).is_some() {
                if shifts.len() == 1 {
                    kept.push_str(&self.text[..at]);
                }
                push(&mut kept, character);
                let end = at + character.len_utf8();
                shifts.push((end, kept.len() as i64 - end as i64));
            } else if shifts.len() > 1 {
                kept.push(character);
            }
        }
        if shifts.len() == 1 {
            return;
        }
        let moved = |place: u32| {
            let before = shifts.partition_point(|shift| shift.0 <= place as usize) - 1;
            (i64::from(place) + shifts[before].1) as u32
        };
        for node in &mut self.nodes {
            node.text = Part { start: moved(node.text.start), end: moved(node.text.end) };
        }
        for span in &mut self.spans {
            (span.start, span.end) = (moved(span.start), moved(span.end));
        }
        self.text = kept;
    }

    /// The same outline with an extra first heading, which belongs to no block.
    pub fn with_lead(mut self, lead: &str) -> Self {
        let text = Part::new(self.text.len(), self.text.len() + lead.len());
        self.text.push_str(lead);
        self.nodes.iter_mut().for_each(|node| node.end += 1);
        let (none, element, runs) = (Part::default(), 0, (0, 0));
        let heading = Node { kind: Kind::Heading(1), end: 1, text, spans: none, blocks: none, element, runs, word: 0 };
        self.nodes.insert(0, heading);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::{Span, Style};

    #[test]
    fn spans_stay_where_they_are() {
        let part = Part::new(0, 12);
        let node = Node {
            kind: Kind::Paragraph,
            end: 1,
            text: part,
            spans: Part::new(0, 1),
            blocks: Part::default(),
            element: 0,
            runs: (0, 0),
            word: 0,
        };
        let span = Span { style: Style::Strong, start: 4, end: 8 };
        let text = "a\u{1}\u{85}b\u{2}cd\u{2028}e".to_string();
        let outline = Outline { nodes: vec![node], spans: vec![span], text, ..Outline::default() }.printable();

        assert_eq!(outline.text, "a bcd e");
        assert_eq!(&outline.text[outline.spans[0].start as usize..outline.spans[0].end as usize], "bcd");
        assert_eq!(outline.text_of(&outline.nodes[0]), "a bcd e");
    }

    #[test]
    fn a_lead_is_the_first_heading() {
        let outline = Outline::default().with_lead("one").with_lead("two");

        assert_eq!(outline.nodes.iter().map(|node| outline.text_of(node)).collect::<Vec<_>>(), ["two", "one"]);
        assert_eq!(outline.nodes.iter().map(|node| node.end).collect::<Vec<_>>(), [1, 2]);
    }
}
