//! Templates: their content is parsed in modes of its own.

use super::modes::Mode;
use super::{classes, tags, TagToken, Token, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn open_template(&mut self, start: &TagToken) {
        if !self.insert(start) {
            return;
        }
        self.formatting.push_marker();
        self.allows_frameset = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
    }

    pub(super) fn close_template(&mut self) {
        if !self.stack.holds(tags::TEMPLATE) {
            return;
        }
        while self.stack.current().has(classes::IMPLIED_END_OF_TEMPLATE) {
            self.pop();
        }
        self.leave_template();
    }

    fn leave_template(&mut self) {
        self.pop_until(tags::TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn in_template(&mut self, token: Token) {
        match token {
            Token::Text(..) | Token::Comment(_) | Token::Doctype { .. } => self.in_body(token),
            Token::Start(start) => match start.tag {
                tags::BASE
                | tags::BASEFONT
                | tags::BGSOUND
                | tags::LINK
                | tags::META
                | tags::NOFRAMES
                | tags::SCRIPT
                | tags::STYLE
                | tags::TEMPLATE
                | tags::TITLE => self.in_head(token),
                tags::CAPTION | tags::COLGROUP | tags::TBODY | tags::TFOOT | tags::THEAD => {
                    self.go_on_as(Mode::InTable, token);
                }
                tags::COL => self.go_on_as(Mode::InColumnGroup, token),
                tags::TR => self.go_on_as(Mode::InTableBody, token),
                tags::TD | tags::TH => self.go_on_as(Mode::InRow, token),
                _ => self.go_on_as(Mode::InBody, token),
            },
            Token::End(end) => {
                if end.tag == tags::TEMPLATE {
                    self.in_head(token);
                }
            }
            Token::EndOfFile => self.end_of_file_in_template(token),
        }
    }

    /// The first tag in a template says how the rest is read.
    fn go_on_as(&mut self, mode: Mode, token: Token) {
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.reprocess(mode, token);
    }

    pub(super) fn end_of_file_in_template(&mut self, token: Token) {
        if !self.stack.holds(tags::TEMPLATE) {
            return self.stop();
        }
        self.leave_template();
        self.process(token);
    }
}
