//! How elements and texts come into the tree.

use super::nodes::Kind;
use super::stack::Open;
use super::{
    classes, tags, Drawing, Mode, Model, Namespace, Span, Tag, TagToken, TextKind, TreeBuilder, DEEPEST, NONE,
};
use crate::html::{attributes, text};
use crate::tree::Form;
use memchr::{memchr2, memchr3};

/// Where the next node goes.
#[derive(Clone, Copy)]
pub(super) enum Spot {
    LastOf(u32),
    Before(u32),
}

impl<'s> TreeBuilder<'s> {
    /// The appropriate place for inserting a node.
    #[inline]
    pub(super) fn spot(&self) -> Spot {
        self.spot_within(self.stack.current())
    }

    pub(super) fn spot_within(&self, target: Open) -> Spot {
        if self.is_fostering && target.has(classes::FOSTERING) {
            return self.foster_spot();
        }
        Spot::LastOf(target.node)
    }

    fn foster_spot(&self) -> Spot {
        let stack = self.stack.as_slice();
        let last = |tag| if self.stack.holds(tag) { stack.iter().rposition(|open| open.is(tag)) } else { None };
        let (template, table) = (last(tags::TEMPLATE), last(tags::TABLE));
        match (template, table) {
            (Some(template), Some(table)) if template > table => Spot::LastOf(stack[template].node),
            (Some(template), None) => Spot::LastOf(stack[template].node),
            (_, None) => Spot::LastOf(stack[0].node),
            (_, Some(table)) if self.nodes.get(stack[table].node).parent != NONE => Spot::Before(stack[table].node),
            (_, Some(table)) => Spot::LastOf(stack[table - 1].node),
        }
    }

    #[inline]
    pub(super) fn put(&mut self, spot: Spot, node: u32) {
        match spot {
            Spot::LastOf(parent) => self.nodes.append(parent, node),
            Spot::Before(sibling) => self.nodes.insert_before(sibling, node),
        }
    }

    #[inline]
    fn add(&mut self, tag: Tag, namespace: Namespace, place: u32, attributes: Span) -> u32 {
        let node = self.nodes.add(Kind::Element(namespace), tag, place, attributes);
        let spot = self.spot();
        self.put(spot, node);
        node
    }

    /// Inserts an element and opens it. False if it is too deep to stay open.
    #[inline]
    pub(super) fn insert(&mut self, token: &TagToken) -> bool {
        let node = self.add(token.tag, Namespace::Html, token.place, token.attributes);
        let is_kept = self.stack.len() < DEEPEST;
        if is_kept {
            self.push(node, token.tag, Namespace::Html);
        } else if classes::of(token.tag, Namespace::Html) & classes::TABLE_PART != 0 {
            self.push(node, token.tag, Namespace::Html);
            return true;
        } else {
            self.too_deep.push(token.tag);
        }
        is_kept
    }

    /// The same for an element that no tag stands for.
    pub(super) fn insert_implied(&mut self, tag: Tag) {
        let node = self.add(tag, Namespace::Html, self.place, Span::default());
        if self.stack.len() < DEEPEST || classes::of(tag, Namespace::Html) & classes::TABLE_PART != 0 {
            self.push(node, tag, Namespace::Html);
        }
    }

    /// An element that is closed at once.
    #[inline]
    pub(super) fn insert_void(&mut self, token: &TagToken) {
        self.add(token.tag, Namespace::Html, token.place, token.attributes);
    }

    /// A copy of a formatting element, not yet in the tree.
    pub(super) fn copy(&mut self, tag: Tag, attributes: Span) -> u32 {
        self.nodes.add(Kind::Element(Namespace::Html), tag, self.place, attributes)
    }

    pub(super) fn insert_foreign(&mut self, token: &TagToken, namespace: Namespace) {
        let node = self.add(token.tag, namespace, token.place, token.attributes);
        if token.is_self_closing {
            return;
        }
        if self.stack.len() >= DEEPEST {
            self.too_deep.push(token.tag);
            return;
        }
        if token.tag == tags::SVG {
            self.drawings.push(Drawing { node, is_closed: false });
        }
        let mut classes = classes::of(token.tag, namespace);
        if namespace == Namespace::MathMl && token.tag == tags::ANNOTATION_XML && self.holds_html(token) {
            classes |= classes::HTML_INTEGRATION;
        }
        self.push_as(node, token.tag, classes);
    }

    fn holds_html(&self, token: &TagToken) -> bool {
        self.value(token, "encoding").is_some_and(|encoding| {
            encoding.eq_ignore_ascii_case("text/html") || encoding.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    /// The value of an attribute of a start tag.
    pub(super) fn value(&self, token: &TagToken, name: &str) -> Option<std::borrow::Cow<'s, str>> {
        let source = token.attributes.of(self.source);
        let found = attributes::repeated(source).find(|attribute| attribute.is_named(name));
        found.map(|attribute| attribute.value())
    }

    /// An element whose content is text. It is open at any depth, because its end tag always comes, or the file ends.
    pub(super) fn insert_with_text(&mut self, token: &TagToken, model: Model) {
        if token.is_self_closing && self.tokenizer.has_no_end(token.name) {
            return self.insert_void(token);
        }
        let node = self.add(token.tag, Namespace::Html, token.place, token.attributes);
        self.push(node, token.tag, Namespace::Html);
        self.tokenizer.read_as(model, token.name.of(self.source).as_bytes());
        self.original_mode = self.mode;
        self.mode = Mode::Text;
    }

    /// A text at the appropriate place. In SVG and MathML NULs are replaced, elsewhere they are dropped.
    #[inline]
    pub(super) fn insert_text(&mut self, span: Span, kind: TextKind, replaces: bool) {
        let source = span.of(self.source).as_bytes();
        let is_plain = match kind {
            TextKind::Data | TextKind::Rcdata => memchr3(b'&', b'\r', b'\0', source).is_none(),
            TextKind::Raw | TextKind::Cdata => memchr2(b'\r', b'\0', source).is_none(),
        };
        let form = match kind {
            _ if is_plain => Form::Plain,
            TextKind::Data if replaces => Form::Replacing,
            TextKind::Data => Form::Data,
            TextKind::Rcdata => Form::Replacing,
            TextKind::Cdata if !replaces => return self.insert_without_nuls(span),
            TextKind::Raw | TextKind::Cdata => Form::Raw,
        };
        self.add_text(span, form);
    }

    fn add_text(&mut self, span: Span, form: Form) {
        let node = self.nodes.add(Kind::Text(form), Tag::UNKNOWN, span.start, span);
        let spot = self.spot();
        self.put(spot, node);
    }

    /// No form drops NULs and leaves references alone, so the stretches between the NULs become texts.
    fn insert_without_nuls(&mut self, span: Span) {
        let mut begin = span.start as usize;
        for part in span.of(self.source).split('\0') {
            if !part.is_empty() {
                self.add_text(Span::new(begin, begin + part.len()), Form::Raw);
            }
            begin += part.len() + 1;
        }
    }

    pub(super) fn without_line_feed(&self, span: Span, kind: TextKind) -> Span {
        let dropped = text::leading_line_feed(span.of(self.source), has_references(kind));
        Span { start: span.start + dropped as u32, end: span.end }
    }

    /// White space at the beginning of a text, and the rest.
    pub(super) fn split_space(&self, span: Span, kind: TextKind) -> (Span, Span) {
        let length = text::leading_space(span.of(self.source), has_references(kind)) as u32;
        let middle = span.start + length;
        (Span { start: span.start, end: middle }, Span { start: middle, end: span.end })
    }
}

pub(super) fn has_references(kind: TextKind) -> bool {
    matches!(kind, TextKind::Data | TextKind::Rcdata)
}

/// The tokenizer leaves the NULs of such texts to the tree builder.
pub(super) fn drops_nuls(kind: TextKind) -> bool {
    matches!(kind, TextKind::Data | TextKind::Cdata)
}
