//! The modes before the head.

use super::modes::Mode;
use super::nodes::Kind;
use super::{tags, Namespace, Span, Tag, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn initial(&mut self, token: Token) {
        match token {
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_dropped_space(span, kind) {
                    self.is_quirky = true;
                    self.reprocess(Mode::BeforeHtml, rest);
                }
            }
            Token::Comment(_) => {}
            Token::Doctype { is_quirky, .. } => {
                self.is_quirky = is_quirky;
                self.mode = Mode::BeforeHtml;
            }
            _ => {
                self.is_quirky = true;
                self.reprocess(Mode::BeforeHtml, token);
            }
        }
    }

    pub(super) fn before_html(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_dropped_space(span, kind) {
                    self.imply_html(rest);
                }
            }
            Token::Start(start) if start.tag == tags::HTML => {
                self.add_root(start.place, start.attributes);
                self.mode = Mode::BeforeHead;
            }
            Token::End(end) if !may_begin_page(end.tag) => {}
            _ => self.imply_html(token),
        }
    }

    fn imply_html(&mut self, token: Token) {
        self.add_root(self.place, Span::default());
        self.reprocess(Mode::BeforeHead, token);
    }

    fn add_root(&mut self, place: u32, attributes: Span) {
        let root = self.nodes.add(Kind::Element(Namespace::Html), tags::HTML, place, attributes);
        self.push(root, tags::HTML, Namespace::Html);
    }

    pub(super) fn before_head(&mut self, token: Token) {
        match token {
            Token::Doctype { .. } | Token::Comment(_) => {}
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_dropped_space(span, kind) {
                    self.imply_head(rest);
                }
            }
            Token::Start(start) if start.tag == tags::HTML => self.in_body(token),
            Token::Start(start) if start.tag == tags::HEAD => {
                self.insert(&start);
                self.head = self.stack.current().node;
                self.mode = Mode::InHead;
            }
            Token::End(end) if !may_begin_page(end.tag) => {}
            _ => self.imply_head(token),
        }
    }

    fn imply_head(&mut self, token: Token) {
        self.insert_implied(tags::HEAD);
        self.head = self.stack.current().node;
        self.reprocess(Mode::InHead, token);
    }
}

/// The end tags that imply elements where a page begins; others are ignored there.
fn may_begin_page(tag: Tag) -> bool {
    matches!(tag, tags::HEAD | tags::BODY | tags::HTML | tags::BR)
}
