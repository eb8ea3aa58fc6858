//! Texts in the modes that treat white space in its own manner.

use super::insertion::{drops_nuls, has_references};
use super::modes::Mode;
use super::{Span, TextKind, Token, TreeBuilder};
use crate::html::text;

impl TreeBuilder<'_> {
    /// Inserts the white space that a text begins with; the rest, if there is any.
    pub(super) fn after_inserted_space(&mut self, span: Span, kind: TextKind) -> Option<Token> {
        let (space, rest) = self.split_space(span, kind);
        if !space.is_empty() {
            self.insert_text(space, kind, false);
        }
        (!rest.is_empty()).then_some(Token::Text(rest, kind))
    }

    /// Drops the white space that a text begins with; the rest, if there is any.
    pub(super) fn after_dropped_space(&self, span: Span, kind: TextKind) -> Option<Token> {
        let (_, rest) = self.split_space(span, kind);
        (!rest.is_empty()).then_some(Token::Text(rest, kind))
    }

    /// Processes the white space that a text begins with as in a body; the rest, if there is any.
    pub(super) fn after_space_in_body(&mut self, span: Span, kind: TextKind) -> Option<Token> {
        let (space, rest) = self.split_space(span, kind);
        if !space.is_empty() {
            self.in_body(Token::Text(space, kind));
        }
        (!rest.is_empty()).then_some(Token::Text(rest, kind))
    }

    /// Keeps white space only, in pieces if other characters stand between it.
    pub(super) fn insert_only_space(&mut self, span: Span, kind: TextKind) {
        self.each_space(span, kind, |builder, space| builder.insert_text(space, kind, false));
    }

    pub(super) fn take_only_space_in_body(&mut self, span: Span, kind: TextKind) {
        self.each_space(span, kind, |builder, space| builder.in_body(Token::Text(space, kind)));
    }

    fn each_space(&mut self, span: Span, kind: TextKind, mut take: impl FnMut(&mut Self, Span)) {
        let mut rest = span;
        while !rest.is_empty() {
            let (space, behind) = self.split_space(rest, kind);
            if !space.is_empty() {
                take(self, space);
            }
            rest = Span { start: behind.start + self.character_length(behind, kind), end: behind.end };
        }
    }

    /// How long the next character is, or the reference to one.
    fn character_length(&self, span: Span, kind: TextKind) -> u32 {
        let source = span.of(self.source);
        if has_references(kind) && source.starts_with('&') {
            if let Some((length, _)) = text::reference(source.as_bytes(), false) {
                return length as u32;
            }
        }
        source.chars().next().map_or(0, |character| character.len_utf8() as u32)
    }

    /// Whether a text holds more than white space and NULs.
    pub(super) fn holds_words(&self, span: Span, kind: TextKind) -> bool {
        let mut rest = span;
        loop {
            let (_, behind) = self.split_space(rest, kind);
            if !drops_nuls(kind) || !behind.of(self.source).starts_with('\0') {
                return !behind.is_empty();
            }
            rest = Span { start: behind.start + 1, end: behind.end };
        }
    }

    /// In the text mode: the content of a script, a title and the like.
    pub(super) fn in_text(&mut self, token: Token) {
        match token {
            Token::Text(span, kind) => self.insert_text(span, kind, true),
            Token::EndOfFile => {
                self.pop();
                self.reprocess(self.original_mode, token);
            }
            _ => {
                self.pop();
                self.mode = self.original_mode;
            }
        }
    }

    /// In the table text mode: texts are collected until another token comes.
    pub(super) fn in_table_text(&mut self, token: Token) {
        if let Token::Text(span, kind) = token {
            self.table_text.push((span, kind));
            return;
        }
        let texts = std::mem::take(&mut self.table_text);
        let is_fostered = texts.iter().any(|&(span, kind)| self.holds_words(span, kind));
        for &(span, kind) in &texts {
            if is_fostered {
                self.foster(Token::Text(span, kind));
            } else {
                self.insert_text(span, kind, false);
            }
        }
        self.table_text = texts;
        self.table_text.clear();
        self.reprocess(self.original_mode, token);
    }

    /// As in a body, but what would come into the table comes before it.
    pub(super) fn foster(&mut self, token: Token) {
        self.is_fostering = true;
        self.in_body(token);
        self.is_fostering = false;
    }

    pub(super) fn stop(&mut self) {
        self.is_finished = true;
    }

    /// Waits for the end of a table's text, to see whether it is white space.
    pub(super) fn begin_table_text(&mut self, token: Token) {
        self.original_mode = self.mode;
        self.reprocess(Mode::InTableText, token);
    }
}
