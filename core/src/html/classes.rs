//! What the standard says of kinds of elements, as bits: which end a scope, which are special, and so on.

use super::tags::{self, Tag, NAMES};
use crate::tree::Namespace;

/// A set of classes.
pub type Classes = u16;

pub const HTML: Classes = 1;
pub const SPECIAL: Classes = 1 << 1;
/// Ends every scope but that of tables.
pub const SCOPE: Classes = 1 << 2;
/// Ends the scope of tables.
pub const TABLE_SCOPE: Classes = 1 << 3;
/// Its end tag may be left out.
pub const IMPLIED_END: Classes = 1 << 4;
/// Its end tag is left out where a template ends.
pub const IMPLIED_END_OF_TEMPLATE: Classes = 1 << 5;
pub const HEADING: Classes = 1 << 6;
pub const MATHML_TEXT: Classes = 1 << 7;
pub const HTML_INTEGRATION: Classes = 1 << 8;
/// Text and elements that stand directly in it are moved before the table.
pub const FOSTERING: Classes = 1 << 9;
/// What a start tag in SVG or MathML leaves them for.
pub const BREAKOUT: Classes = 1 << 10;
/// Their elements stay at the limit of depth, because modes of the parser rely on them.
pub const TABLE_PART: Classes = 1 << 11;

/// The classes of an element. Whether `annotation-xml` is an integration point depends on its attributes.
pub fn of(tag: Tag, namespace: Namespace) -> Classes {
    match namespace {
        Namespace::Html => HTML | TABLE.get(tag.number()).copied().unwrap_or(0),
        Namespace::MathMl => match tag {
            tags::MI | tags::MO | tags::MN | tags::MS | tags::MTEXT => SPECIAL | SCOPE | MATHML_TEXT,
            tags::ANNOTATION_XML => SPECIAL | SCOPE,
            _ => 0,
        },
        Namespace::Svg => match tag {
            tags::FOREIGNOBJECT | tags::DESC | tags::TITLE => SPECIAL | SCOPE | HTML_INTEGRATION,
            _ => 0,
        },
    }
}

/// Whether a start tag leaves SVG and MathML, whatever its attributes.
pub fn is_breakout(tag: Tag) -> bool {
    TABLE.get(tag.number()).is_some_and(|classes| classes & BREAKOUT != 0)
}

static TABLE: [Classes; NAMES.len()] = table();

const fn table() -> [Classes; NAMES.len()] {
    let mut table = [0; NAMES.len()];
    table = with(table, SPECIAL, &SPECIALS);
    table = with(table, SCOPE, &SCOPES);
    table = with(table, TABLE_SCOPE, &[tags::HTML, tags::TABLE, tags::TEMPLATE]);
    table = with(table, IMPLIED_END | IMPLIED_END_OF_TEMPLATE, &IMPLIED);
    table = with(table, IMPLIED_END_OF_TEMPLATE | TABLE_PART, &PARTS_OF_TABLES);
    table = with(table, HEADING, &[tags::H1, tags::H2, tags::H3, tags::H4, tags::H5, tags::H6]);
    table = with(table, FOSTERING, &[tags::TABLE, tags::TBODY, tags::TFOOT, tags::THEAD, tags::TR]);
    with(table, BREAKOUT, &BREAKOUTS)
}

const fn with(mut table: [Classes; NAMES.len()], classes: Classes, members: &[Tag]) -> [Classes; NAMES.len()] {
    let mut at = 0;
    while at < members.len() {
        table[members[at].number()] |= classes;
        at += 1;
    }
    table
}

const SCOPES: [Tag; 10] = [
    tags::APPLET,
    tags::CAPTION,
    tags::HTML,
    tags::TABLE,
    tags::TD,
    tags::TH,
    tags::MARQUEE,
    tags::OBJECT,
    tags::SELECT,
    tags::TEMPLATE,
];

const IMPLIED: [Tag; 10] =
    [tags::DD, tags::DT, tags::LI, tags::OPTGROUP, tags::OPTION, tags::P, tags::RB, tags::RP, tags::RT, tags::RTC];

const PARTS_OF_TABLES: [Tag; 8] =
    [tags::CAPTION, tags::COLGROUP, tags::TBODY, tags::TD, tags::TFOOT, tags::TH, tags::THEAD, tags::TR];

#[rustfmt::skip]
const SPECIALS: [Tag; 83] = [
    tags::ADDRESS, tags::APPLET, tags::AREA, tags::ARTICLE, tags::ASIDE, tags::BASE, tags::BASEFONT, tags::BGSOUND,
    tags::BLOCKQUOTE, tags::BODY, tags::BR, tags::BUTTON, tags::CAPTION, tags::CENTER, tags::COL, tags::COLGROUP,
    tags::DD, tags::DETAILS, tags::DIR, tags::DIV, tags::DL, tags::DT, tags::EMBED, tags::FIELDSET, tags::FIGCAPTION,
    tags::FIGURE, tags::FOOTER, tags::FORM, tags::FRAME, tags::FRAMESET, tags::H1, tags::H2, tags::H3, tags::H4,
    tags::H5, tags::H6, tags::HEAD, tags::HEADER, tags::HGROUP, tags::HR, tags::HTML, tags::IFRAME, tags::IMG,
    tags::INPUT, tags::KEYGEN, tags::LI, tags::LINK, tags::LISTING, tags::MAIN, tags::MARQUEE, tags::MENU, tags::META,
    tags::NAV, tags::NOEMBED, tags::NOFRAMES, tags::NOSCRIPT, tags::OBJECT, tags::OL, tags::P, tags::PARAM,
    tags::PLAINTEXT, tags::PRE, tags::SCRIPT, tags::SEARCH, tags::SECTION, tags::SELECT, tags::SOURCE, tags::STYLE,
    tags::SUMMARY, tags::TABLE, tags::TBODY, tags::TD, tags::TEMPLATE, tags::TEXTAREA, tags::TFOOT, tags::TH,
    tags::THEAD, tags::TITLE, tags::TR, tags::TRACK, tags::UL, tags::WBR, tags::XMP,
];

#[rustfmt::skip]
const BREAKOUTS: [Tag; 44] = [
    tags::B, tags::BIG, tags::BLOCKQUOTE, tags::BODY, tags::BR, tags::CENTER, tags::CODE, tags::DD, tags::DIV, tags::DL,
    tags::DT, tags::EM, tags::EMBED, tags::H1, tags::H2, tags::H3, tags::H4, tags::H5, tags::H6, tags::HEAD, tags::HR,
    tags::I, tags::IMG, tags::LI, tags::LISTING, tags::MENU, tags::META, tags::NOBR, tags::OL, tags::P, tags::PRE,
    tags::RUBY, tags::S, tags::SMALL, tags::SPAN, tags::STRONG, tags::STRIKE, tags::SUB, tags::SUP, tags::TABLE,
    tags::TT, tags::U, tags::UL, tags::VAR,
];
