//! The insertion modes, and which of them an open element asks for.

use super::{Token, TreeBuilder, NONE};
use crate::html::tags;
use crate::tree::Namespace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl TreeBuilder<'_> {
    /// By the rules of the mode.
    #[inline]
    pub(super) fn process(&mut self, token: Token) {
        match self.mode {
            Mode::InBody => self.in_body(token),
            Mode::Text => self.in_text(token),
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    /// The token once more, by the rules of another mode.
    pub(super) fn reprocess(&mut self, mode: Mode, token: Token) {
        self.mode = mode;
        self.process(token);
    }

    /// Resets the insertion mode appropriately, as the standard calls it.
    pub(super) fn reset_mode(&mut self) {
        self.mode = (0..self.stack.len()).rev().find_map(|at| self.mode_of(at)).unwrap_or(Mode::InBody);
    }

    fn mode_of(&self, at: usize) -> Option<Mode> {
        let is_last = at == 0;
        let (tag, is_html) = match self.context {
            Some(context) if is_last => (context.tag, context.namespace == Namespace::Html),
            _ => (self.stack.as_slice()[at].tag, self.stack.as_slice()[at].is_html()),
        };
        match tag {
            _ if !is_html => is_last.then_some(Mode::InBody),
            tags::TD | tags::TH if !is_last => Some(Mode::InCell),
            tags::TR => Some(Mode::InRow),
            tags::TBODY | tags::THEAD | tags::TFOOT => Some(Mode::InTableBody),
            tags::CAPTION => Some(Mode::InCaption),
            tags::COLGROUP => Some(Mode::InColumnGroup),
            tags::TABLE => Some(Mode::InTable),
            tags::TEMPLATE => self.template_modes.last().copied().or(Some(Mode::InBody)),
            tags::HEAD if !is_last => Some(Mode::InHead),
            tags::BODY => Some(Mode::InBody),
            tags::FRAMESET => Some(Mode::InFrameset),
            tags::HTML => Some(if self.head == NONE { Mode::BeforeHead } else { Mode::AfterHead }),
            _ => is_last.then_some(Mode::InBody),
        }
    }
}
