//! The mode in the body: end tags.

use super::modes::Mode;
use super::nodes::NONE;
use super::stack::Scope;
use super::{classes, tags, Span, Tag, TagToken, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn end_in_body(&mut self, end: TagToken) {
        match end.tag {
            tags::TEMPLATE => self.close_template(),
            tags::BODY => {
                if self.stack.has_in_scope(tags::BODY, Scope::Default) {
                    self.mode = Mode::AfterBody;
                }
            }
            tags::HTML => {
                if self.stack.has_in_scope(tags::BODY, Scope::Default) {
                    self.reprocess(Mode::AfterBody, Token::End(end));
                }
            }
            tags::ADDRESS
            | tags::ARTICLE
            | tags::ASIDE
            | tags::BLOCKQUOTE
            | tags::BUTTON
            | tags::CENTER
            | tags::DETAILS
            | tags::DIALOG
            | tags::DIR
            | tags::DIV
            | tags::DL
            | tags::FIELDSET
            | tags::FIGCAPTION
            | tags::FIGURE
            | tags::FOOTER
            | tags::HEADER
            | tags::HGROUP
            | tags::LISTING
            | tags::MAIN
            | tags::MENU
            | tags::NAV
            | tags::OL
            | tags::PRE
            | tags::SEARCH
            | tags::SECTION
            | tags::SELECT
            | tags::SUMMARY
            | tags::UL => {
                self.end_block(end.tag, Scope::Default, Tag::UNKNOWN);
            }
            tags::FORM => self.end_form(),
            tags::P => {
                if !self.stack.has_in_scope(tags::P, Scope::Button) {
                    if self.is_full() {
                        return;
                    }
                    self.insert_implied(tags::P);
                }
                self.end_paragraph();
            }
            tags::LI => {
                self.end_block(tags::LI, Scope::ListItem, tags::LI);
            }
            tags::DD | tags::DT => {
                self.end_block(end.tag, Scope::Default, end.tag);
            }
            tags::H1 | tags::H2 | tags::H3 | tags::H4 | tags::H5 | tags::H6 => self.end_heading(),
            tags::A
            | tags::B
            | tags::BIG
            | tags::CODE
            | tags::EM
            | tags::FONT
            | tags::I
            | tags::NOBR
            | tags::S
            | tags::SMALL
            | tags::STRIKE
            | tags::STRONG
            | tags::TT
            | tags::U => self.adopt(end.tag),
            tags::APPLET | tags::MARQUEE | tags::OBJECT => {
                if self.end_block(end.tag, Scope::Default, Tag::UNKNOWN) {
                    self.formatting.clear_to_marker();
                }
            }
            tags::BR => {
                self.reconstruct();
                self.insert_void(&TagToken { attributes: Span::default(), ..end });
                self.allows_frameset = false;
            }
            _ => self.end_other(end.tag),
        }
    }

    /// Whether there was such an element to end.
    fn end_block(&mut self, tag: Tag, scope: Scope, kept: Tag) -> bool {
        let is_open = self.stack.has_in_scope(tag, scope);
        if is_open {
            self.imply_ends(kept);
            self.pop_until(tag);
        }
        is_open
    }

    fn end_form(&mut self) {
        if self.stack.holds(tags::TEMPLATE) {
            self.end_block(tags::FORM, Scope::Default, Tag::UNKNOWN);
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form != NONE && self.stack.has_any_in_scope(|open| open.node == form, Scope::Default) {
            self.imply_ends(Tag::UNKNOWN);
            self.remove_from_stack(form);
        }
    }

    fn end_heading(&mut self) {
        if self.stack.has_any_in_scope(|open| open.has(classes::HEADING), Scope::Default) {
            self.imply_ends(Tag::UNKNOWN);
            while self.stack.len() > 1 && !self.pop().has(classes::HEADING) {}
        }
    }

    /// Any other end tag.
    pub(super) fn end_other(&mut self, tag: Tag) {
        if !self.stack.holds(tag) {
            return;
        }
        for at in (1..self.stack.len()).rev() {
            let open = self.stack.as_slice()[at];
            if open.is(tag) {
                self.imply_ends(tag);
                while self.stack.len() > at {
                    self.pop();
                }
                return;
            }
            if open.has(classes::SPECIAL) {
                return;
            }
        }
    }
}
