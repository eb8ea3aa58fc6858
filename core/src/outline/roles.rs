//! The role of each tag in an outline.

use super::Style;
use crate::html::tags::{self, tag, Tag, NAMES};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Wraps text without changing it.
    Inline,
    Styled(Style),
    Link,
    Code,
    Math,
    Break,
    Image,
    Rule,
    /// Begins and ends a text.
    Block,
    Paragraph,
    Heading(u8),
    Listing,
    Quote,
    Figure,
    Caption,
    Details,
    Summary,
    List,
    Item,
    Definitions,
    Term,
    Definition,
    Table,
    Head,
    Row,
    Cell,
}

pub fn role(tag: Tag) -> Role {
    ROLES.get(tag.number()).copied().unwrap_or(Role::Inline)
}

/// Does a role belong inside a text?
pub fn is_inline(role: Role) -> bool {
    matches!(
        role,
        Role::Inline | Role::Styled(_) | Role::Link | Role::Code | Role::Math | Role::Break | Role::Image | Role::Rule
    )
}

static ROLES: [Role; NAMES.len()] = table();

const fn table() -> [Role; NAMES.len()] {
    let mut roles = [Role::Inline; NAMES.len()];
    let mut at = 0;
    while at < BLOCKS.len() {
        roles[tag(BLOCKS[at]).number()] = Role::Block;
        at += 1;
    }
    at = 0;
    while at < OTHERS.len() {
        roles[tag(OTHERS[at].0).number()] = OTHERS[at].1;
        at += 1;
    }
    at = 0;
    while at < HEADINGS.len() {
        roles[HEADINGS[at].number()] = Role::Heading(at as u8 + 1);
        at += 1;
    }
    roles
}

const HEADINGS: [Tag; 6] = [tags::H1, tags::H2, tags::H3, tags::H4, tags::H5, tags::H6];

const BLOCKS: [&str; 29] = [
    "address", "article", "aside", "body", "center", "col", "colgroup", "dialog", "div", "fieldset", "footer", "form",
    "frameset", "head", "header", "hgroup", "html", "isindex", "legend", "main", "nav", "optgroup", "option", "search",
    "section", "select", "tbody", "textarea", "tfoot",
];

const OTHERS: [(&str, Role); 43] = [
    ("a", Role::Link),
    ("b", Role::Styled(Style::Strong)),
    ("blockquote", Role::Quote),
    ("br", Role::Break),
    ("caption", Role::Caption),
    ("code", Role::Code),
    ("dd", Role::Definition),
    ("del", Role::Styled(Style::Struck)),
    ("details", Role::Details),
    ("dir", Role::List),
    ("dl", Role::Definitions),
    ("dt", Role::Term),
    ("em", Role::Styled(Style::Emphasis)),
    ("figcaption", Role::Caption),
    ("figure", Role::Figure),
    ("hr", Role::Rule),
    ("i", Role::Styled(Style::Emphasis)),
    ("img", Role::Image),
    ("kbd", Role::Code),
    ("li", Role::Item),
    ("listing", Role::Listing),
    ("math", Role::Math),
    ("menu", Role::List),
    ("ol", Role::List),
    ("p", Role::Paragraph),
    ("pre", Role::Listing),
    ("q", Role::Styled(Style::Quote)),
    ("s", Role::Styled(Style::Struck)),
    ("samp", Role::Code),
    ("strike", Role::Styled(Style::Struck)),
    ("strong", Role::Styled(Style::Strong)),
    ("sub", Role::Styled(Style::Sub)),
    ("summary", Role::Summary),
    ("sup", Role::Styled(Style::Sup)),
    ("table", Role::Table),
    ("td", Role::Cell),
    ("th", Role::Cell),
    ("thead", Role::Head),
    ("tr", Role::Row),
    ("tt", Role::Code),
    ("ul", Role::List),
    ("wbr", Role::Inline),
    ("xmp", Role::Block),
];
