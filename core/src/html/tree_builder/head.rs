//! The modes in the head and behind it.

use super::modes::Mode;
use super::{tags, Model, Namespace, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn in_head(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_inserted_space(span, kind) {
                    self.leave_head(rest);
                }
            }
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::BASE | tags::BASEFONT | tags::BGSOUND | tags::LINK | tags::META => self.insert_void(&start),
                tags::TITLE => self.insert_with_text(&start, Model::Rcdata),
                tags::NOFRAMES | tags::STYLE => self.insert_with_text(&start, Model::Rawtext),
                tags::SCRIPT => self.insert_with_text(&start, Model::Script),
                tags::NOSCRIPT => {
                    self.insert(&start);
                    self.mode = Mode::InHeadNoscript;
                }
                tags::TEMPLATE => self.open_template(&start),
                tags::HEAD => {}
                _ => self.leave_head(token),
            },
            Token::End(end) => match end.tag {
                tags::HEAD => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                }
                tags::BODY | tags::HTML | tags::BR => self.leave_head(token),
                tags::TEMPLATE => self.close_template(),
                _ => {}
            },
            Token::EndOfFile => self.leave_head(token),
        }
    }

    fn leave_head(&mut self, token: Token) {
        self.pop();
        self.reprocess(Mode::AfterHead, token);
    }

    pub(super) fn in_head_noscript(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_inserted_space(span, kind) {
                    self.leave_noscript(rest);
                }
            }
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::BASEFONT | tags::BGSOUND | tags::LINK | tags::META | tags::NOFRAMES | tags::STYLE => {
                    self.in_head(token);
                }
                tags::HEAD | tags::NOSCRIPT => {}
                _ => self.leave_noscript(token),
            },
            Token::End(end) => match end.tag {
                tags::NOSCRIPT => {
                    self.pop();
                    self.mode = Mode::InHead;
                }
                tags::BR => self.leave_noscript(token),
                _ => {}
            },
            Token::EndOfFile => self.leave_noscript(token),
        }
    }

    fn leave_noscript(&mut self, token: Token) {
        self.pop();
        self.reprocess(Mode::InHead, token);
    }

    pub(super) fn after_head(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_inserted_space(span, kind) {
                    self.imply_body(rest);
                }
            }
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::BODY => {
                    self.insert(&start);
                    self.allows_frameset = false;
                    self.mode = Mode::InBody;
                }
                tags::FRAMESET => {
                    self.insert(&start);
                    self.mode = Mode::InFrameset;
                }
                tags::BASE
                | tags::BASEFONT
                | tags::BGSOUND
                | tags::LINK
                | tags::META
                | tags::NOFRAMES
                | tags::SCRIPT
                | tags::STYLE
                | tags::TEMPLATE
                | tags::TITLE => self.once_more_in_head(token),
                tags::HEAD => {}
                _ => self.imply_body(token),
            },
            Token::End(end) => match end.tag {
                tags::TEMPLATE => self.in_head(token),
                tags::BODY | tags::HTML | tags::BR => self.imply_body(token),
                _ => {}
            },
            Token::EndOfFile => self.imply_body(token),
        }
    }

    /// Behind the head its elements still go into it.
    fn once_more_in_head(&mut self, token: Token) {
        let head = self.head;
        self.push(head, tags::HEAD, Namespace::Html);
        self.in_head(token);
        self.remove_from_stack(head);
    }

    fn imply_body(&mut self, token: Token) {
        self.insert_implied(tags::BODY);
        self.reprocess(Mode::InBody, token);
    }
}
