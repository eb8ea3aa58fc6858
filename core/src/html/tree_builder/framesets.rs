//! Pages of frames.

use super::modes::Mode;
use super::{tags, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn in_frameset(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => self.insert_only_space(span, kind),
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::FRAMESET => {
                    self.insert(&start);
                }
                tags::FRAME => self.insert_void(&start),
                tags::NOFRAMES => self.in_head(token),
                _ => {}
            },
            Token::End(end) => {
                if end.tag == tags::FRAMESET && self.stack.len() > 1 {
                    self.pop();
                    if self.context.is_none() && !self.stack.current().is(tags::FRAMESET) {
                        self.mode = Mode::AfterFrameset;
                    }
                }
            }
            Token::EndOfFile => self.stop(),
        }
    }

    pub(super) fn after_frameset(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => self.insert_only_space(span, kind),
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::NOFRAMES => self.in_head(token),
                _ => {}
            },
            Token::End(end) => {
                if end.tag == tags::HTML {
                    self.mode = Mode::AfterAfterFrameset;
                }
            }
            Token::EndOfFile => self.stop(),
        }
    }

    pub(super) fn after_after_frameset(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) | Token::End(_) => {}
            Token::Text(span, kind) => self.take_only_space_in_body(span, kind),
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::NOFRAMES => self.in_head(token),
                _ => {}
            },
            Token::EndOfFile => self.stop(),
        }
    }
}
