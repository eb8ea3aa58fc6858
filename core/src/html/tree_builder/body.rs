//! The mode in the body: texts and start tags.

use super::insertion::drops_nuls;
use super::modes::Mode;
use super::stack::Scope;
use super::{classes, tags, Model, Namespace, Span, Tag, TagToken, TextKind, Token, TreeBuilder, DEEPEST, NONE};
use crate::html::text;

impl TreeBuilder<'_> {
    pub(super) fn in_body(&mut self, token: Token) {
        match token {
            Token::Text(span, kind) => self.text_in_body(span, kind),
            Token::Start(start) => self.start_in_body(start),
            Token::End(end) => self.end_in_body(end),
            Token::Comment(_) | Token::Doctype { .. } => {}
            Token::EndOfFile if self.template_modes.is_empty() => self.stop(),
            Token::EndOfFile => self.end_of_file_in_template(token),
        }
    }

    fn text_in_body(&mut self, span: Span, kind: TextKind) {
        if drops_nuls(kind) && text::is_all_nul(span.of(self.source)) {
            return;
        }
        self.reconstruct();
        if self.allows_frameset && self.holds_words(span, kind) {
            self.allows_frameset = false;
        }
        self.insert_text(span, kind, false);
    }

    fn start_in_body(&mut self, start: TagToken) {
        match start.tag {
            tags::HTML => self.add_to_html(&start),
            tags::BASE
            | tags::BASEFONT
            | tags::BGSOUND
            | tags::LINK
            | tags::META
            | tags::NOFRAMES
            | tags::SCRIPT
            | tags::STYLE
            | tags::TEMPLATE
            | tags::TITLE => self.in_head(Token::Start(start)),
            tags::BODY => self.add_to_body(&start),
            tags::FRAMESET => self.begin_frameset(&start),
            tags::ADDRESS
            | tags::ARTICLE
            | tags::ASIDE
            | tags::BLOCKQUOTE
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
            | tags::MAIN
            | tags::MENU
            | tags::NAV
            | tags::OL
            | tags::P
            | tags::SEARCH
            | tags::SECTION
            | tags::SUMMARY
            | tags::UL => self.begin_block(&start),
            tags::H1 | tags::H2 | tags::H3 | tags::H4 | tags::H5 | tags::H6 => {
                self.close_paragraph();
                if self.stack.current().has(classes::HEADING) {
                    self.pop();
                }
                self.insert(&start);
            }
            tags::PRE | tags::LISTING => {
                self.begin_block(&start);
                self.drops_line_feed = true;
                self.allows_frameset = false;
            }
            tags::FORM => self.begin_form(&start),
            tags::LI => self.begin_item(&start, &[tags::LI]),
            tags::DD | tags::DT => self.begin_item(&start, &[tags::DD, tags::DT]),
            tags::PLAINTEXT => {
                self.begin_block(&start);
                self.tokenizer.read_as(Model::Plaintext, b"");
            }
            tags::BUTTON => {
                if self.stack.has_in_scope(tags::BUTTON, Scope::Default) {
                    self.imply_ends(Tag::UNKNOWN);
                    self.pop_until(tags::BUTTON);
                }
                self.begin_inline(&start);
                self.allows_frameset = false;
            }
            tags::A => self.begin_link(&start),
            tags::B
            | tags::BIG
            | tags::CODE
            | tags::EM
            | tags::FONT
            | tags::I
            | tags::S
            | tags::SMALL
            | tags::STRIKE
            | tags::STRONG
            | tags::TT
            | tags::U => self.begin_formatting(&start),
            tags::NOBR => {
                self.reconstruct();
                if self.stack.has_in_scope(tags::NOBR, Scope::Default) {
                    self.adopt(tags::NOBR);
                }
                self.begin_formatting(&start);
            }
            tags::APPLET | tags::MARQUEE | tags::OBJECT => {
                if self.begin_inline(&start) {
                    self.formatting.push_marker();
                }
                self.allows_frameset = false;
            }
            tags::TABLE => {
                if !self.is_quirky {
                    self.close_paragraph();
                }
                self.allows_frameset = false;
                if self.insert(&start) {
                    self.mode = Mode::InTable;
                }
            }
            tags::AREA | tags::BR | tags::EMBED | tags::IMG | tags::KEYGEN | tags::WBR => self.void_inline(&start),
            tags::IMAGE => self.void_inline(&TagToken { tag: tags::IMG, ..start }),
            tags::INPUT => self.input(&start),
            tags::PARAM | tags::SOURCE | tags::TRACK => self.insert_void(&start),
            tags::HR => {
                self.close_paragraph();
                if self.stack.has_in_scope(tags::SELECT, Scope::Default) {
                    self.imply_ends(Tag::UNKNOWN);
                }
                self.insert_void(&start);
                self.allows_frameset = false;
            }
            tags::TEXTAREA => {
                self.insert_with_text(&start, Model::Rcdata);
                self.drops_line_feed = true;
                self.allows_frameset = false;
            }
            tags::XMP => {
                self.close_paragraph();
                self.reconstruct();
                self.allows_frameset = false;
                self.insert_with_text(&start, Model::Rawtext);
            }
            tags::IFRAME => {
                self.allows_frameset = false;
                self.insert_with_text(&start, Model::Rawtext);
            }
            tags::NOEMBED => self.insert_with_text(&start, Model::Rawtext),
            tags::SELECT => self.begin_select(&start),
            tags::OPTION | tags::OPTGROUP => self.begin_option(&start),
            tags::RB | tags::RTC => self.begin_ruby_part(&start, Tag::UNKNOWN),
            tags::RP | tags::RT => self.begin_ruby_part(&start, tags::RTC),
            tags::MATH => {
                self.reconstruct();
                self.insert_foreign(&start, Namespace::MathMl);
            }
            tags::SVG => {
                self.reconstruct();
                self.insert_foreign(&start, Namespace::Svg);
            }
            tags::CAPTION
            | tags::COL
            | tags::COLGROUP
            | tags::FRAME
            | tags::HEAD
            | tags::TBODY
            | tags::TD
            | tags::TFOOT
            | tags::TH
            | tags::THEAD
            | tags::TR => {}
            _ => {
                self.begin_inline(&start);
            }
        }
    }

    /// The root takes over the attributes that it has not.
    fn add_to_html(&mut self, start: &TagToken) {
        if !self.stack.holds(tags::TEMPLATE) {
            self.add_further(self.stack.as_slice()[0].node, start);
        }
    }

    fn add_to_body(&mut self, start: &TagToken) {
        let Some(body) = self.body() else { return };
        if !self.stack.holds(tags::TEMPLATE) {
            self.allows_frameset = false;
            self.add_further(body, start);
        }
    }

    fn add_further(&mut self, node: u32, start: &TagToken) {
        if !start.attributes.is_empty() {
            self.further_attributes.push((node, start.attributes));
        }
    }

    /// The body, if it is the second open element, where it stands in a page.
    fn body(&self) -> Option<u32> {
        self.stack.as_slice().get(1).filter(|open| open.is(tags::BODY)).map(|open| open.node)
    }

    fn begin_frameset(&mut self, start: &TagToken) {
        let Some(body) = self.body() else { return };
        if !self.allows_frameset {
            return;
        }
        self.nodes.detach(body);
        while self.stack.len() > 1 {
            self.pop();
        }
        self.insert(start);
        self.mode = Mode::InFrameset;
    }

    fn begin_block(&mut self, start: &TagToken) {
        self.close_paragraph();
        self.insert(start);
    }

    fn begin_inline(&mut self, start: &TagToken) -> bool {
        self.reconstruct();
        self.insert(start)
    }

    fn void_inline(&mut self, start: &TagToken) {
        self.reconstruct();
        self.insert_void(start);
        self.allows_frameset = false;
    }

    fn begin_form(&mut self, start: &TagToken) {
        let is_in_template = self.stack.holds(tags::TEMPLATE);
        if self.form != NONE && !is_in_template {
            return;
        }
        self.close_paragraph();
        if self.insert(start) && !is_in_template {
            self.form = self.stack.current().node;
        }
    }

    /// An item ends the one before it, if no other block stands between them.
    fn begin_item(&mut self, start: &TagToken, ended: &[Tag]) {
        self.allows_frameset = false;
        let has_item = ended.iter().any(|&tag| self.stack.holds(tag));
        for at in (0..self.stack.len()).rev().take_while(|_| has_item) {
            let open = self.stack.as_slice()[at];
            if open.is_html() && ended.contains(&open.tag) {
                self.imply_ends(open.tag);
                self.pop_until(open.tag);
                break;
            }
            let is_passed = open.is(tags::ADDRESS) || open.is(tags::DIV) || open.is(tags::P);
            if open.has(classes::SPECIAL) && !is_passed {
                break;
            }
        }
        self.begin_block(start);
    }

    fn begin_link(&mut self, start: &TagToken) {
        if let Some((_, active)) = self.formatting.last_of(tags::A) {
            self.adopt(tags::A);
            if let Some(at) = self.formatting.place_of(active.node) {
                self.formatting.remove(at);
            }
            if self.nodes.get(active.node).is_open {
                self.remove_from_stack(active.node);
            }
        }
        self.begin_formatting(start);
    }

    fn input(&mut self, start: &TagToken) {
        if self.is_within(tags::SELECT) {
            return;
        }
        if self.stack.has_in_scope(tags::SELECT, Scope::Default) {
            self.pop_until(tags::SELECT);
        }
        self.reconstruct();
        self.insert_void(start);
        if self.allows_frameset && !self.is_hidden(start) {
            self.allows_frameset = false;
        }
    }

    pub(super) fn is_hidden(&self, input: &TagToken) -> bool {
        self.value(input, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    /// Whether a fragment is parsed for this element.
    fn is_within(&self, tag: Tag) -> bool {
        self.context.is_some_and(|context| context.tag == tag && context.namespace == Namespace::Html)
    }

    /// A select in a select ends it.
    fn begin_select(&mut self, start: &TagToken) {
        if self.is_within(tags::SELECT) {
            return;
        }
        if self.stack.has_in_scope(tags::SELECT, Scope::Default) {
            self.pop_until(tags::SELECT);
            return;
        }
        self.begin_inline(start);
        self.allows_frameset = false;
    }

    fn begin_option(&mut self, start: &TagToken) {
        if self.stack.has_in_scope(tags::SELECT, Scope::Default) {
            self.imply_ends(if start.tag == tags::OPTION { tags::OPTGROUP } else { Tag::UNKNOWN });
        } else if self.stack.current().is(tags::OPTION) {
            self.pop();
        }
        self.begin_inline(start);
    }

    fn begin_ruby_part(&mut self, start: &TagToken, kept: Tag) {
        if self.stack.has_in_scope(tags::RUBY, Scope::Default) {
            self.imply_ends(kept);
        }
        self.insert(start);
    }

    fn begin_formatting(&mut self, start: &TagToken) {
        self.reconstruct();
        if self.insert(start) {
            self.activate(self.stack.current().node, start);
        }
    }

    pub(super) fn close_paragraph(&mut self) {
        if self.stack.has_in_scope(tags::P, Scope::Button) {
            self.end_paragraph();
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        self.imply_ends(tags::P);
        self.pop_until(tags::P);
    }

    /// Ends elements whose end tags may be left out, but none of the given tag.
    pub(super) fn imply_ends(&mut self, kept: Tag) {
        while self.stack.current().has(classes::IMPLIED_END) && self.stack.current().tag != kept {
            self.pop();
        }
    }

    /// Pops up to the element of this tag, but never the root.
    pub(super) fn pop_until(&mut self, tag: Tag) {
        while self.stack.len() > 1 && !self.pop().is(tag) {}
    }

    pub(super) fn is_full(&self) -> bool {
        self.stack.len() >= DEEPEST
    }
}
