//! A tree as the tests of html5lib write it.

use super::attributes;
use super::tags;
use crate::tree::{Namespace, Tree};

/// The whole tree.
pub fn html5lib(tree: &Tree) -> String {
    let mut lines = String::new();
    if !tree.is_empty() {
        write(tree, 0, 0, &mut lines);
    }
    lines
}

/// What stands in the root: a fragment.
pub fn html5lib_fragment(tree: &Tree) -> String {
    let mut lines = String::new();
    if !tree.is_empty() {
        write(tree, 1, 1, &mut lines);
    }
    lines
}

/// Elements from `first` on; `shift` is the depth of the outermost.
fn write(tree: &Tree, first: usize, shift: u32, lines: &mut String) {
    let mut texts = tree.texts.iter().peekable();
    let mut indents = Indents { levels: Vec::new() };
    let mut open: Vec<usize> = (0..first).collect();
    let mut place = first as u32;
    let mut next = first;
    loop {
        let mut joined = String::new();
        while let Some(text) = texts.next_if(|text| text.place <= place) {
            joined.push_str(&tree.text(text));
        }
        if !joined.is_empty() {
            indents.write(tree.depths[*open.last().unwrap_or(&0)] + 1 - shift, lines);
            lines.push_str(&format!("\"{joined}\"\n"));
        }
        match open.last() {
            Some(&element) if tree.ends[element] as usize <= next => {
                open.pop();
            }
            None if next > 0 => return,
            _ => {
                write_element(tree, next, tree.depths[next] - shift, &mut indents, lines);
                open.push(next);
                next += 1;
            }
        }
        place += 1;
    }
}

/// How far in the lines of each depth stand: the content of a template stands two steps in.
struct Indents {
    levels: Vec<usize>,
}

impl Indents {
    fn write(&self, depth: u32, lines: &mut String) {
        let level = depth.checked_sub(1).map_or(0, |above| self.levels[above as usize]);
        lines.push_str("| ");
        lines.push_str(&"  ".repeat(level));
    }
}

fn write_element(tree: &Tree, element: usize, depth: u32, indents: &mut Indents, lines: &mut String) {
    indents.levels.truncate(depth as usize);
    indents.write(depth, lines);
    let own = depth.checked_sub(1).map_or(0, |above| indents.levels[above as usize]);
    let namespace = tree.namespaces[element];
    lines.push_str(&format!("<{}>\n", full_name(tree.name(element), namespace)));
    let mut attributes: Vec<(String, String)> = attributes::of(tree, element)
        .map(|attribute| (attribute_name(&attribute.small_name(), namespace), attribute.value().into_owned()))
        .collect();
    attributes.sort_by(|one, other| one.0.encode_utf16().cmp(other.0.encode_utf16()));
    for (name, value) in attributes {
        lines.push_str(&format!("| {}{name}=\"{value}\"\n", "  ".repeat(own + 1)));
    }
    if namespace == Namespace::Html && tree.tags[element] == tags::TEMPLATE {
        lines.push_str(&format!("| {}content\n", "  ".repeat(own + 1)));
        indents.levels.push(own + 2);
    } else {
        indents.levels.push(own + 1);
    }
}

fn full_name(name: &str, namespace: Namespace) -> String {
    match namespace {
        Namespace::Html => name.to_owned(),
        Namespace::MathMl => format!("math {name}"),
        Namespace::Svg => format!("svg {}", cased(name, &SVG_NAMES)),
    }
}

/// The name of an attribute with its namespace, as the standard adjusts it in SVG and MathML.
fn attribute_name(name: &str, namespace: Namespace) -> String {
    match (namespace, name) {
        (Namespace::Html, _) => name.to_owned(),
        (Namespace::MathMl, "definitionurl") => "definitionURL".to_owned(),
        (_, "xmlns") => "xmlns".to_owned(),
        _ if PREFIXED.contains(&name) => name.replacen(':', " ", 1),
        (Namespace::Svg, _) => cased(name, &SVG_ATTRIBUTES).to_owned(),
        (Namespace::MathMl, _) => name.to_owned(),
    }
}

fn cased<'a>(name: &'a str, known: &[&'a str]) -> &'a str {
    known.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

const PREFIXED: [&str; 10] = [
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:href",
    "xlink:role",
    "xlink:show",
    "xlink:title",
    "xlink:type",
    "xml:lang",
    "xml:space",
    "xmlns:xlink",
];

#[rustfmt::skip]
const SVG_NAMES: [&str; 37] = [
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
    "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
    "radialGradient", "textPath",
];

#[rustfmt::skip]
const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits", "diffuseConstant",
    "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength",
    "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight", "markerUnits",
    "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength", "patternContentUnits",
    "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures",
    "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
    "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget",
    "xChannelSelector", "yChannelSelector", "zoomAndPan",
];
