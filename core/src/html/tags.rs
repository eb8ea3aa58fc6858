//! The table of tags that the standard, or the labeling, knows by name.

/// The number of a tag: its place in `NAMES`; from `NAMES.len()` on, names that a tree keeps itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u16);

impl Tag {
    /// No tag of any element: an end tag whose name no element of the page has.
    pub const UNKNOWN: Self = Self(u16::MAX);

    pub const fn number(self) -> usize {
        self.0 as usize
    }
}

/// In the order of the alphabet.
pub const NAMES: [&str; 170] = [
    "a",
    "abbr",
    "acronym",
    "address",
    "annotation",
    "annotation-xml",
    "applet",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "basefont",
    "bdi",
    "bdo",
    "bgsound",
    "big",
    "blink",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "circle",
    "cite",
    "clippath",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "defs",
    "del",
    "desc",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fencedframe",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "foreignobject",
    "form",
    "frame",
    "frameset",
    "g",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "ins",
    "isindex",
    "kbd",
    "keygen",
    "label",
    "legend",
    "li",
    "line",
    "link",
    "listing",
    "main",
    "malignmark",
    "map",
    "mark",
    "marquee",
    "math",
    "menu",
    "meta",
    "meter",
    "mglyph",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "multicol",
    "nav",
    "nextid",
    "nobr",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "path",
    "picture",
    "plaintext",
    "polygon",
    "polyline",
    "portal",
    "pre",
    "progress",
    "q",
    "rb",
    "rect",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "selectedcontent",
    "slot",
    "small",
    "source",
    "spacer",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "symbol",
    "table",
    "tbody",
    "td",
    "template",
    "text",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tspan",
    "tt",
    "u",
    "ul",
    "use",
    "var",
    "video",
    "wbr",
    "xmp",
];

/// The tag of a name in the table, in small or capital letters.
pub fn find(name: &[u8]) -> Option<Tag> {
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let mut slot = hash(name);
    loop {
        let number = SLOTS[slot];
        if number == EMPTY {
            return None;
        }
        if NAMES[number as usize].as_bytes().eq_ignore_ascii_case(name) {
            return Some(Tag(number as u16));
        }
        slot = (slot + 1) % SLOTS.len();
    }
}

const LONGEST: usize = 15;
const EMPTY: u8 = u8::MAX;

/// An open hash table of the names, four times as large as they are many, so that most are found at once.
static SLOTS: [u8; 1024] = slots();

const fn slots() -> [u8; 1024] {
    let mut slots = [EMPTY; 1024];
    let mut number = 0;
    while number < NAMES.len() {
        assert!(NAMES[number].len() <= LONGEST);
        let mut slot = hash(NAMES[number].as_bytes());
        while slots[slot] != EMPTY {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = number as u8;
        number += 1;
    }
    slots
}

/// Bit 5 is set everywhere, which makes capital letters small and leaves digits and hyphens alone.
const fn hash(name: &[u8]) -> usize {
    let first = (name[0] | 0x20) as usize;
    let middle = (name[name.len() / 2] | 0x20) as usize;
    let last = (name[name.len() - 1] | 0x20) as usize;
    (first * 7 + middle * 61 + last * 233 + name.len() * 97) % 1024
}

pub(crate) const fn tag(name: &str) -> Tag {
    let mut number = 0;
    while !is_same(NAMES[number].as_bytes(), name.as_bytes()) {
        number += 1;
    }
    Tag(number as u16)
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

pub const A: Tag = tag("a");
pub const ADDRESS: Tag = tag("address");
pub const ANNOTATION_XML: Tag = tag("annotation-xml");
pub const APPLET: Tag = tag("applet");
pub const AREA: Tag = tag("area");
pub const ARTICLE: Tag = tag("article");
pub const ASIDE: Tag = tag("aside");
pub const B: Tag = tag("b");
pub const BASE: Tag = tag("base");
pub const BASEFONT: Tag = tag("basefont");
pub const BGSOUND: Tag = tag("bgsound");
pub const BIG: Tag = tag("big");
pub const BLOCKQUOTE: Tag = tag("blockquote");
pub const BODY: Tag = tag("body");
pub const BR: Tag = tag("br");
pub const BUTTON: Tag = tag("button");
pub const CAPTION: Tag = tag("caption");
pub const CENTER: Tag = tag("center");
pub const CODE: Tag = tag("code");
pub const COL: Tag = tag("col");
pub const COLGROUP: Tag = tag("colgroup");
pub const DD: Tag = tag("dd");
pub const DESC: Tag = tag("desc");
pub const DETAILS: Tag = tag("details");
pub const DIALOG: Tag = tag("dialog");
pub const DIR: Tag = tag("dir");
pub const DIV: Tag = tag("div");
pub const DL: Tag = tag("dl");
pub const DT: Tag = tag("dt");
pub const EM: Tag = tag("em");
pub const EMBED: Tag = tag("embed");
pub const FIELDSET: Tag = tag("fieldset");
pub const FIGCAPTION: Tag = tag("figcaption");
pub const FIGURE: Tag = tag("figure");
pub const FONT: Tag = tag("font");
pub const FOOTER: Tag = tag("footer");
pub const FOREIGNOBJECT: Tag = tag("foreignobject");
pub const FORM: Tag = tag("form");
pub const FRAME: Tag = tag("frame");
pub const FRAMESET: Tag = tag("frameset");
pub const H1: Tag = tag("h1");
pub const H2: Tag = tag("h2");
pub const H3: Tag = tag("h3");
pub const H4: Tag = tag("h4");
pub const H5: Tag = tag("h5");
pub const H6: Tag = tag("h6");
pub const HEAD: Tag = tag("head");
pub const HEADER: Tag = tag("header");
pub const HGROUP: Tag = tag("hgroup");
pub const HR: Tag = tag("hr");
pub const HTML: Tag = tag("html");
pub const I: Tag = tag("i");
pub const IFRAME: Tag = tag("iframe");
pub const IMAGE: Tag = tag("image");
pub const IMG: Tag = tag("img");
pub const INPUT: Tag = tag("input");
pub const KEYGEN: Tag = tag("keygen");
pub const LI: Tag = tag("li");
pub const LINK: Tag = tag("link");
pub const LISTING: Tag = tag("listing");
pub const MAIN: Tag = tag("main");
pub const MALIGNMARK: Tag = tag("malignmark");
pub const MARQUEE: Tag = tag("marquee");
pub const MATH: Tag = tag("math");
pub const MENU: Tag = tag("menu");
pub const META: Tag = tag("meta");
pub const MGLYPH: Tag = tag("mglyph");
pub const MI: Tag = tag("mi");
pub const MN: Tag = tag("mn");
pub const MO: Tag = tag("mo");
pub const MS: Tag = tag("ms");
pub const MTEXT: Tag = tag("mtext");
pub const NAV: Tag = tag("nav");
pub const NOBR: Tag = tag("nobr");
pub const NOEMBED: Tag = tag("noembed");
pub const NOFRAMES: Tag = tag("noframes");
pub const NOSCRIPT: Tag = tag("noscript");
pub const OBJECT: Tag = tag("object");
pub const OL: Tag = tag("ol");
pub const OPTGROUP: Tag = tag("optgroup");
pub const OPTION: Tag = tag("option");
pub const P: Tag = tag("p");
pub const PARAM: Tag = tag("param");
pub const PLAINTEXT: Tag = tag("plaintext");
pub const PRE: Tag = tag("pre");
pub const RB: Tag = tag("rb");
pub const RP: Tag = tag("rp");
pub const RT: Tag = tag("rt");
pub const RTC: Tag = tag("rtc");
pub const RUBY: Tag = tag("ruby");
pub const S: Tag = tag("s");
pub const SCRIPT: Tag = tag("script");
pub const SEARCH: Tag = tag("search");
pub const SECTION: Tag = tag("section");
pub const SELECT: Tag = tag("select");
pub const SMALL: Tag = tag("small");
pub const SOURCE: Tag = tag("source");
pub const SPAN: Tag = tag("span");
pub const STRIKE: Tag = tag("strike");
pub const STRONG: Tag = tag("strong");
pub const STYLE: Tag = tag("style");
pub const SUB: Tag = tag("sub");
pub const SUMMARY: Tag = tag("summary");
pub const SUP: Tag = tag("sup");
pub const SVG: Tag = tag("svg");
pub const TABLE: Tag = tag("table");
pub const TBODY: Tag = tag("tbody");
pub const TD: Tag = tag("td");
pub const TEMPLATE: Tag = tag("template");
pub const TEXTAREA: Tag = tag("textarea");
pub const TFOOT: Tag = tag("tfoot");
pub const TH: Tag = tag("th");
pub const THEAD: Tag = tag("thead");
pub const TITLE: Tag = tag("title");
pub const TR: Tag = tag("tr");
pub const TRACK: Tag = tag("track");
pub const TT: Tag = tag("tt");
pub const U: Tag = tag("u");
pub const UL: Tag = tag("ul");
pub const VAR: Tag = tag("var");
pub const WBR: Tag = tag("wbr");
pub const XMP: Tag = tag("xmp");
