//! The rules in SVG and MathML.

use super::{classes, tags, TagToken, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn in_foreign_content(&mut self, token: Token) {
        match token {
            Token::Text(span, kind) => {
                if self.allows_frameset && self.holds_words(span, kind) {
                    self.allows_frameset = false;
                }
                self.insert_text(span, kind, true);
            }
            Token::Start(start) if self.leaves_foreign(&start) => self.leave_foreign(token),
            Token::End(end) if matches!(end.tag, tags::BR | tags::P) => self.leave_foreign(token),
            Token::Start(start) => self.insert_foreign(&start, self.adjusted_namespace()),
            Token::End(end) => self.end_foreign(end),
            Token::Comment(_) | Token::Doctype { .. } | Token::EndOfFile => {}
        }
    }

    fn leaves_foreign(&self, start: &TagToken) -> bool {
        let is_font = start.tag == tags::FONT;
        classes::is_breakout(start.tag)
            || is_font && ["color", "face", "size"].iter().any(|name| self.value(start, name).is_some())
    }

    fn leave_foreign(&mut self, token: Token) {
        let stays = classes::HTML | classes::HTML_INTEGRATION | classes::MATHML_TEXT;
        while !self.stack.current().has(stays) {
            self.pop();
        }
        self.process(token);
    }

    fn close_drawing(&mut self, node: u32) {
        if let Ok(at) = self.drawings.binary_search_by_key(&node, |drawing| drawing.node) {
            self.drawings[at].is_closed = true;
        }
    }

    /// Ends the nearest element of this name that is not HTML, else it is an end tag in HTML.
    fn end_foreign(&mut self, end: TagToken) {
        for at in (1..self.stack.len()).rev() {
            let open = self.stack.as_slice()[at];
            if open.is_html() {
                return self.process(Token::End(end));
            }
            if open.tag == end.tag {
                self.close_drawing(open.node);
                while self.stack.len() > at {
                    self.pop();
                }
                return;
            }
        }
    }
}
