//! The modes in a table, its captions and its groups of columns.

use super::modes::Mode;
use super::stack::Scope;
use super::{classes, tags, Tag, TagToken, Token, TreeBuilder, NONE};

impl TreeBuilder<'_> {
    pub(super) fn in_table(&mut self, token: Token) {
        match token {
            Token::Text(..) if self.is_in_table_part() => self.begin_table_text(token),
            Token::Comment(_) | Token::Doctype { .. } => {}
            Token::Start(start) => self.start_in_table(start),
            Token::End(end) => match end.tag {
                tags::TABLE => {
                    if self.stack.has_in_scope(tags::TABLE, Scope::Table) {
                        self.pop_until(tags::TABLE);
                        self.reset_mode();
                    }
                }
                tags::BODY
                | tags::CAPTION
                | tags::COL
                | tags::COLGROUP
                | tags::HTML
                | tags::TBODY
                | tags::TD
                | tags::TFOOT
                | tags::TH
                | tags::THEAD
                | tags::TR => {}
                tags::TEMPLATE => self.in_head(token),
                _ => self.foster(token),
            },
            Token::EndOfFile => self.in_body(token),
            Token::Text(..) => self.foster(token),
        }
    }

    fn is_in_table_part(&self) -> bool {
        let current = self.stack.current();
        current.has(classes::FOSTERING) || current.is(tags::TEMPLATE)
    }

    fn start_in_table(&mut self, start: TagToken) {
        let token = Token::Start(start);
        match start.tag {
            tags::CAPTION => {
                self.clear_to(&[tags::TABLE]);
                self.formatting.push_marker();
                self.insert(&start);
                self.mode = Mode::InCaption;
            }
            tags::COLGROUP => {
                self.clear_to(&[tags::TABLE]);
                self.insert(&start);
                self.mode = Mode::InColumnGroup;
            }
            tags::COL => {
                self.clear_to(&[tags::TABLE]);
                self.insert_implied(tags::COLGROUP);
                self.reprocess(Mode::InColumnGroup, token);
            }
            tags::TBODY | tags::TFOOT | tags::THEAD => {
                self.clear_to(&[tags::TABLE]);
                self.insert(&start);
                self.mode = Mode::InTableBody;
            }
            tags::TD | tags::TH | tags::TR => {
                self.clear_to(&[tags::TABLE]);
                self.insert_implied(tags::TBODY);
                self.reprocess(Mode::InTableBody, token);
            }
            tags::TABLE => {
                if self.stack.has_in_scope(tags::TABLE, Scope::Table) {
                    self.pop_until(tags::TABLE);
                    self.reset_mode();
                    self.process(token);
                }
            }
            tags::STYLE | tags::SCRIPT | tags::TEMPLATE => self.in_head(token),
            tags::INPUT if self.is_hidden(&start) => self.insert_void(&start),
            tags::FORM => {
                if self.form == NONE && !self.stack.holds(tags::TEMPLATE) {
                    self.insert_void(&start);
                    self.form = self.nodes.len() as u32 - 1;
                }
            }
            _ => self.foster(token),
        }
    }

    /// Clears the stack back to a table, to one of its bodies, or to a row.
    pub(super) fn clear_to(&mut self, context: &[Tag]) {
        loop {
            let current = self.stack.current();
            let is_end = matches!(current.tag, tags::TEMPLATE | tags::HTML) || context.contains(&current.tag);
            if self.stack.len() == 1 || current.is_html() && is_end {
                return;
            }
            self.pop();
        }
    }

    pub(super) fn in_caption(&mut self, token: Token) {
        match token {
            Token::End(end) => match end.tag {
                tags::CAPTION => {
                    self.end_caption();
                }
                tags::TABLE => {
                    if self.end_caption() {
                        self.process(token);
                    }
                }
                tags::BODY
                | tags::COL
                | tags::COLGROUP
                | tags::HTML
                | tags::TBODY
                | tags::TD
                | tags::TFOOT
                | tags::TH
                | tags::THEAD
                | tags::TR => {}
                _ => self.in_body(token),
            },
            Token::Start(start) if is_table_part(start.tag) => {
                if self.end_caption() {
                    self.process(token);
                }
            }
            _ => self.in_body(token),
        }
    }

    fn end_caption(&mut self) -> bool {
        let is_open = self.stack.has_in_scope(tags::CAPTION, Scope::Table);
        if is_open {
            self.imply_ends(Tag::UNKNOWN);
            self.pop_until(tags::CAPTION);
            self.formatting.clear_to_marker();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub(super) fn in_column_group(&mut self, token: Token) {
        match token {
            // Of a template for columns: all but white space is ignored there.
            Token::Text(span, kind) if !self.stack.current().is(tags::COLGROUP) => self.insert_only_space(span, kind),
            Token::Text(span, kind) => {
                if let Some(rest) = self.after_inserted_space(span, kind) {
                    self.leave_column_group(rest);
                }
            }
            Token::Comment(_) | Token::Doctype { .. } => {}
            Token::Start(start) => match start.tag {
                tags::HTML => self.in_body(token),
                tags::COL => self.insert_void(&start),
                tags::TEMPLATE => self.in_head(token),
                _ => self.leave_column_group(token),
            },
            Token::End(end) => match end.tag {
                tags::COLGROUP => {
                    if self.stack.current().is(tags::COLGROUP) {
                        self.pop();
                        self.mode = Mode::InTable;
                    }
                }
                tags::COL => {}
                tags::TEMPLATE => self.in_head(token),
                _ => self.leave_column_group(token),
            },
            Token::EndOfFile => self.in_body(token),
        }
    }

    fn leave_column_group(&mut self, token: Token) {
        if self.stack.current().is(tags::COLGROUP) {
            self.pop();
            self.reprocess(Mode::InTable, token);
        }
    }
}

/// The tags of what a table consists of.
pub(super) fn is_table_part(tag: Tag) -> bool {
    matches!(
        tag,
        tags::CAPTION
            | tags::COL
            | tags::COLGROUP
            | tags::TBODY
            | tags::TD
            | tags::TFOOT
            | tags::TH
            | tags::THEAD
            | tags::TR
    )
}
