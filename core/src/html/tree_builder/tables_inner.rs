//! The modes in the bodies of a table, in its rows and in its cells.

use super::modes::Mode;
use super::stack::Scope;
use super::tables::is_table_part;
use super::{tags, Tag, Token, TreeBuilder};

const BODIES: [Tag; 3] = [tags::TBODY, tags::TFOOT, tags::THEAD];

impl TreeBuilder<'_> {
    pub(super) fn in_table_body(&mut self, token: Token) {
        match token {
            Token::Start(start) => match start.tag {
                tags::TR => {
                    self.clear_to(&BODIES);
                    self.insert(&start);
                    self.mode = Mode::InRow;
                }
                tags::TD | tags::TH => {
                    self.clear_to(&BODIES);
                    self.insert_implied(tags::TR);
                    self.reprocess(Mode::InRow, token);
                }
                tags::CAPTION | tags::COL | tags::COLGROUP | tags::TBODY | tags::TFOOT | tags::THEAD => {
                    self.leave_table_body(token);
                }
                _ => self.in_table(token),
            },
            Token::End(end) => match end.tag {
                tags::TBODY | tags::TFOOT | tags::THEAD => {
                    if self.stack.has_in_scope(end.tag, Scope::Table) {
                        self.end_table_body();
                    }
                }
                tags::TABLE => self.leave_table_body(token),
                tags::BODY
                | tags::CAPTION
                | tags::COL
                | tags::COLGROUP
                | tags::HTML
                | tags::TD
                | tags::TH
                | tags::TR => {}
                _ => self.in_table(token),
            },
            _ => self.in_table(token),
        }
    }

    fn leave_table_body(&mut self, token: Token) {
        if BODIES.iter().any(|&tag| self.stack.has_in_scope(tag, Scope::Table)) {
            self.end_table_body();
            self.process(token);
        }
    }

    fn end_table_body(&mut self) {
        self.clear_to(&BODIES);
        self.pop();
        self.mode = Mode::InTable;
    }

    pub(super) fn in_row(&mut self, token: Token) {
        match token {
            Token::Start(start) => match start.tag {
                tags::TD | tags::TH => {
                    self.clear_to(&[tags::TR]);
                    self.insert(&start);
                    self.mode = Mode::InCell;
                    self.formatting.push_marker();
                }
                tag if is_table_part(tag) => self.leave_row(token),
                _ => self.in_table(token),
            },
            Token::End(end) => match end.tag {
                tags::TR => {
                    self.end_row();
                }
                tags::TABLE => self.leave_row(token),
                tags::TBODY | tags::TFOOT | tags::THEAD => {
                    if self.stack.has_in_scope(end.tag, Scope::Table) {
                        self.leave_row(token);
                    }
                }
                tags::BODY | tags::CAPTION | tags::COL | tags::COLGROUP | tags::HTML | tags::TD | tags::TH => {}
                _ => self.in_table(token),
            },
            _ => self.in_table(token),
        }
    }

    fn leave_row(&mut self, token: Token) {
        if self.end_row() {
            self.process(token);
        }
    }

    fn end_row(&mut self) -> bool {
        let is_open = self.stack.has_in_scope(tags::TR, Scope::Table);
        if is_open {
            self.clear_to(&[tags::TR]);
            self.pop();
            self.mode = Mode::InTableBody;
        }
        is_open
    }

    pub(super) fn in_cell(&mut self, token: Token) {
        match token {
            Token::Start(start) if is_table_part(start.tag) => {
                let is_open = |tag| self.stack.has_in_scope(tag, Scope::Table);
                if is_open(tags::TD) || is_open(tags::TH) {
                    self.end_cell();
                    self.process(token);
                }
            }
            Token::End(end) => match end.tag {
                tags::TD | tags::TH => {
                    if self.stack.has_in_scope(end.tag, Scope::Table) {
                        self.imply_ends(Tag::UNKNOWN);
                        self.pop_until(end.tag);
                        self.formatting.clear_to_marker();
                        self.mode = Mode::InRow;
                    }
                }
                tags::BODY | tags::CAPTION | tags::COL | tags::COLGROUP | tags::HTML => {}
                tags::TABLE | tags::TBODY | tags::TFOOT | tags::THEAD | tags::TR => {
                    if self.stack.has_in_scope(end.tag, Scope::Table) {
                        self.end_cell();
                        self.process(token);
                    }
                }
                _ => self.in_body(token),
            },
            _ => self.in_body(token),
        }
    }

    fn end_cell(&mut self) {
        self.imply_ends(Tag::UNKNOWN);
        loop {
            let open = self.pop();
            if open.is(tags::TD) || open.is(tags::TH) || self.stack.len() == 1 {
                break;
            }
        }
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
    }
}
