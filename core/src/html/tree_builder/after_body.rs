//! The modes behind the body.

use super::modes::Mode;
use super::{tags, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn after_body(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_space_in_body(span, kind) {
                    self.reprocess(Mode::InBody, rest);
                }
            }
            Token::Start(start) if start.tag == tags::HTML => self.in_body(token),
            Token::End(end) if end.tag == tags::HTML => {
                if self.context.is_none() {
                    self.mode = Mode::AfterAfterBody;
                }
            }
            Token::EndOfFile => self.stop(),
            _ => self.reprocess(Mode::InBody, token),
        }
    }

    pub(super) fn after_after_body(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_space_in_body(span, kind) {
                    self.reprocess(Mode::InBody, rest);
                }
            }
            Token::Start(start) if start.tag == tags::HTML => self.in_body(token),
            Token::EndOfFile => self.stop(),
            _ => self.reprocess(Mode::InBody, token),
        }
    }
}
