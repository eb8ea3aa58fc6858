//! The table of tags that the standard, or the labeling, knows by name.

/// The number of a tag: its place in `NAMES`; from `NAMES.len()` on, names that a tree keeps itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u16);

/// In the order of the alphabet.
pub const NAMES: [&str; 170] = [
    "a", "abbr", "acronym", "address", "annotation", "annotation-xml", "applet", "area", "article", "aside", "audio",
    "b", "base", "basefont", "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas",
    "caption", "center", "circle", "cite", "clippath", "code", "col", "colgroup", "data", "datalist", "dd", "defs",
    "del", "desc", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fencedframe", "fieldset",
    "figcaption", "figure", "font", "footer", "foreignobject", "form", "frame", "frameset", "g", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input", "ins",
    "isindex", "kbd", "keygen", "label", "legend", "li", "line", "link", "listing", "main", "malignmark", "map",
    "mark", "marquee", "math", "menu", "meta", "meter", "mglyph", "mi", "mn", "mo", "ms", "mtext", "multicol", "nav",
    "nextid", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param",
    "path", "picture", "plaintext", "polygon", "polyline", "portal", "pre", "progress", "q", "rb", "rect", "rp", "rt",
    "rtc", "ruby", "s", "samp", "script", "search", "section", "select", "selectedcontent", "slot", "small", "source",
    "spacer", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "symbol", "table", "tbody", "td",
    "template", "text", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tspan", "tt", "u", "ul",
    "use", "var", "video", "wbr", "xmp",
];
