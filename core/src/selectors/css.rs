//! CSS selectors over a tree: what the crate `selectors` asks of an element.

use std::borrow::Borrow;
use std::fmt;

use cssparser::{
    BasicParseErrorKind, CowRcStr, ParseError, ParseErrorKind, Parser as CssParser, ParserInput, SourceLocation, ToCss,
};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{matches_selector_list, ElementSelectorFlags};
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};
use selectors::{OpaqueElement, SelectorImpl};

use super::Unreadable;
use crate::html::attributes;
use crate::tree::{Namespace, Tree};

/// Selectors that commas part.
pub struct List(SelectorList<Html>);

impl List {
    pub fn new(text: &str) -> Result<Self, Unreadable> {
        let mut input = ParserInput::new(text);
        let mut parser = CssParser::new(&mut input);
        let found = SelectorList::parse(&Rules, &mut parser, ParseRelative::No);
        found.map(Self).map_err(|error| unreadable(&error))
    }

    pub fn elements(&self, tree: &Tree) -> Vec<u32> {
        let nodes = Nodes::new(tree);
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let matches = |&number: &u32| matches_selector_list(&self.0, &Node { nodes: &nodes, number }, &mut context);
        (0..tree.len() as u32).filter(matches).collect()
    }
}

fn unreadable(error: &ParseError<SelectorParseErrorKind>) -> Unreadable {
    let reason = match &error.kind {
        ParseErrorKind::Basic(kind) => reason_of_token(kind),
        ParseErrorKind::Custom(kind) => reason_of(kind),
    };
    Unreadable { reason, column: error.location.column as usize }
}

fn reason_of_token(kind: &BasicParseErrorKind) -> String {
    match kind {
        BasicParseErrorKind::UnexpectedToken(token) => format!("unexpected '{}'", token.to_css_string()),
        BasicParseErrorKind::EndOfInput => "unexpected end".into(),
        other => other.to_string(),
    }
}

fn reason_of(kind: &SelectorParseErrorKind) -> String {
    use SelectorParseErrorKind as Kind;
    match kind {
        Kind::UnsupportedPseudoClassOrElement(name) => format!("unknown pseudo-class or pseudo-element '{name}'"),
        Kind::EmptySelector => "expected a selector, got nothing".into(),
        Kind::DanglingCombinator => "expected a selector after the combinator".into(),
        Kind::ClassNeedsIdent(token) => format!("expected a class name after '.', got '{}'", token.to_css_string()),
        Kind::PseudoElementExpectedIdent(token) | Kind::NoIdentForPseudo(token) => {
            format!("expected a name after ':', got '{}'", token.to_css_string())
        }
        Kind::NoQualifiedNameInAttributeSelector(token) | Kind::InvalidQualNameInAttr(token) => {
            format!("expected the name of an attribute, got '{}'", token.to_css_string())
        }
        Kind::UnexpectedTokenInAttributeSelector(token) | Kind::ExpectedBarInAttr(token) => {
            format!("expected an operator such as '=', got '{}'", token.to_css_string())
        }
        Kind::BadValueInAttr(token) => format!("expected a value in quotes, got '{}'", token.to_css_string()),
        Kind::ExpectedNamespace(name) => format!("unknown namespace '{name}'"),
        Kind::UnexpectedIdent(name) => format!("unexpected '{name}'"),
        Kind::InvalidState => "not allowed here, such as ':has' inside ':has'".into(),
        other => format!("not a CSS selector: {other:?}"),
    }
}

/// What pages have: neither pseudo-elements nor states.
#[derive(Clone, Debug)]
struct Html;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Text(String);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_string())
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ToCss for Text {
    fn to_css<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, to)
    }
}

impl PrecomputedHash for Text {
    fn precomputed_hash(&self) -> u32 {
        // FNV-1a (Fowler, Noll and Vo).
        self.0.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Never {}

impl ToCss for Never {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl selectors::parser::NonTSPseudoClass for Never {
    type Impl = Html;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl selectors::parser::PseudoElement for Never {
    type Impl = Html;
}

impl SelectorImpl for Html {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Text;
    type Identifier = Text;
    type LocalName = Text;
    type NamespaceUrl = Text;
    type NamespacePrefix = Text;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = Never;
    type PseudoElement = Never;
}

struct Rules;

impl<'i> selectors::parser::Parser<'i> for Rules {
    type Impl = Html;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_non_ts_pseudo_class(
        &self,
        location: SourceLocation,
        name: CowRcStr<'i>,
    ) -> Result<Never, ParseError<'i, Self::Error>> {
        Err(location.new_custom_error(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)))
    }
}

/// A tree with the element before each among its parent's children.
struct Nodes<'a> {
    tree: &'a Tree,
    previous: Vec<Option<u32>>,
    has_text: Vec<bool>,
}

impl fmt::Debug for Nodes<'_> {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{} elements", self.tree.len())
    }
}

impl<'a> Nodes<'a> {
    fn new(tree: &'a Tree) -> Self {
        let mut previous = vec![None; tree.len()];
        let mut last: Vec<Option<u32>> = vec![None; tree.len()];
        for element in 1..tree.len() {
            previous[element] = last[tree.parents[element] as usize].replace(element as u32);
        }
        let mut has_text = vec![false; tree.len()];
        for text in tree.texts.iter().filter(|text| !text.span.is_empty()) {
            has_text[text.element as usize] = true;
        }
        Self { tree, previous, has_text }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<'a> {
    nodes: &'a Nodes<'a>,
    number: u32,
}

impl<'a> Node<'a> {
    fn tree(&self) -> &'a Tree {
        self.nodes.tree
    }

    fn place(&self) -> usize {
        self.number as usize
    }

    fn at(&self, number: u32) -> Self {
        Self { number, ..*self }
    }
}

impl selectors::Element for Node<'_> {
    type Impl = Html;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.tree().parents[self.place()])
    }

    fn parent_element(&self) -> Option<Self> {
        (self.number > 0).then(|| self.at(self.tree().parents[self.place()]))
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.nodes.previous[self.place()].map(|number| self.at(number))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let parent = self.tree().parents[self.place()] as usize;
        let next = self.tree().ends[self.place()];
        (self.number > 0 && next < self.tree().ends[parent]).then(|| self.at(next))
    }

    fn first_element_child(&self) -> Option<Self> {
        let first = self.number + 1;
        (first < self.tree().ends[self.place()]).then(|| self.at(first))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.tree().namespaces[self.place()] == Namespace::Html
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.tree().name(self.place()) == name
    }

    fn has_namespace(&self, _: &str) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.tree().tags[self.place()] == self.tree().tags[other.place()]
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&Text>,
        name: &Text,
        operation: &AttrSelectorOperation<&Text>,
    ) -> bool {
        let value = self.tree().attribute(self.place(), &name.0);
        value.is_some_and(|value| operation.eval_str(&value))
    }

    fn match_non_ts_pseudo_class(&self, class: &Never, _: &mut MatchingContext<Html>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &Never, _: &mut MatchingContext<Html>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        let name = self.tree().name(self.place());
        matches!(name, "a" | "area") && self.tree().attribute(self.place(), "href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Text, case: CaseSensitivity) -> bool {
        let found = self.tree().attribute(self.place(), "id");
        found.is_some_and(|found| case.eq(found.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Text, case: CaseSensitivity) -> bool {
        let mut all = attributes::all(self.tree(), self.place());
        let Some(classes) = all.find(|attribute| attribute.is_named("class")) else { return false };
        classes.value().split_ascii_whitespace().any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &Text) -> bool {
        false
    }

    fn imported_part(&self, _: &Text) -> Option<Text> {
        None
    }

    fn is_part(&self, _: &Text) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.first_element_child().is_none() && !self.nodes.has_text[self.place()]
    }

    fn is_root(&self) -> bool {
        self.number == 0
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
