//! Our trees and those of html5ever, over the pages in the folders that `VICTOR_PAGES` names (with `:` between them).
//!
//! Not compared: comments, processing instructions, doctypes; whether letters of names in SVG are capital.
//!
//! Two kinds of pages may differ. Those that are deeper than our limit; html5ever has none. And those with elements in
//! `<select>` that html5ever still drops there, as the standard once did: without the word they must be equal.

use std::path::{Path, PathBuf};

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ns, parse_document, ParseOpts};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use victor_core::html::{attributes, parse, Options};
use victor_core::tree::{Namespace, Tree};

/// Our limit of depth, which html5ever does not have.
const DEEPEST: usize = 512;

#[derive(Debug, PartialEq)]
enum Event {
    Open(String),
    Text(String),
    Close,
}

#[test]
fn trees_are_those_of_html5ever() {
    let Some(folders) = std::env::var_os("VICTOR_PAGES") else {
        eprintln!("skipped: VICTOR_PAGES names no folders of pages");
        return;
    };
    let failures: Vec<String> = std::env::split_paths(&folders).flat_map(|folder| failures_of(&folder)).collect();
    assert!(failures.is_empty(), "{}", failures[..failures.len().min(20)].join("\n"));
}

/// Compares the pages of a folder, and prints what came of it.
fn failures_of(folder: &Path) -> Vec<String> {
    let (mut equal, mut exceptions, mut failures) = (0, 0, Vec::new());
    for path in pages(folder) {
        let source = String::from_utf8_lossy(&std::fs::read(&path).expect("a page")).into_owned();
        // To drop it is the work of those who decode.
        match compared(source.trim_start_matches('\u{feff}')) {
            Outcome::Equal => equal += 1,
            Outcome::Excepted(reason) => {
                let page = path.file_stem().unwrap_or_default().to_string_lossy();
                println!("exception: {} | {page} | {reason}", folder.display());
                exceptions += 1;
            }
            Outcome::Differs(difference) => failures.push(format!("{}: {difference}", path.display())),
        }
    }
    let differing = failures.len();
    println!("conformance: {} | {equal} passed | {exceptions} exceptions | {differing} failed", folder.display());
    failures
}

#[derive(Debug)]
enum Outcome {
    Equal,
    Excepted(String),
    Differs(String),
}

fn compared(source: &str) -> Outcome {
    let (theirs, depth) = events_of_html5ever(source);
    let ours = events(&parse(source.to_owned(), Options { repairs: false }));
    if ours == theirs {
        return Outcome::Equal;
    }
    if depth > DEEPEST {
        return Outcome::Excepted(format!("{depth} elements deep; we stop at {DEEPEST}"));
    }
    if is_equal_without_select(source) {
        return Outcome::Excepted("elements in a select, which html5ever still drops".to_owned());
    }
    Outcome::Differs(difference(&ours, &theirs))
}

fn is_equal_without_select(source: &str) -> bool {
    let mut other = source.to_owned();
    for (from, to) in
        [("<select", "<xelect"), ("</select", "</xelect"), ("<SELECT", "<XELECT"), ("</SELECT", "</XELECT")]
    {
        other = other.replace(from, to);
    }
    other != source && events(&parse(other.clone(), Options { repairs: false })) == events_of_html5ever(&other).0
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of pages");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "html"));
    pages.sort();
    pages
}

fn difference(ours: &[Event], theirs: &[Event]) -> String {
    let at = (0..).find(|&at| ours.get(at) != theirs.get(at)).unwrap_or(0);
    let around = |events: &[Event]| {
        let shown = &events[at.saturating_sub(4).min(events.len())..(at + 3).min(events.len())];
        let short = shown.iter().map(|event| format!("{event:?}").chars().take(150).collect::<String>());
        short.collect::<Vec<_>>().join("\n     ")
    };
    format!("event {at}\nours {}\ntheirs {}", around(ours), around(theirs))
}

fn push_text(events: &mut Vec<Event>, text: &str) {
    match events.last_mut() {
        _ if text.is_empty() => {}
        Some(Event::Text(last)) => last.push_str(text),
        _ => events.push(Event::Text(text.to_owned())),
    }
}

fn events(tree: &Tree) -> Vec<Event> {
    let mut events = Vec::new();
    let mut texts = tree.texts.iter().peekable();
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for place in 0..=2 * tree.len() as u32 {
        while let Some(text) = texts.next_if(|text| text.place == place) {
            assert_eq!(open.last(), Some(&(text.element as usize)));
            push_text(&mut events, &tree.text(text));
        }
        match open.last() {
            Some(&element) if tree.ends[element] as usize <= next => {
                assert_eq!(place, 2 * tree.ends[element] - tree.depths[element] - 1);
                open.pop();
                events.push(Event::Close);
            }
            _ if next < tree.len() => {
                assert_eq!(place, 2 * next as u32 - tree.depths[next]);
                assert_eq!(tree.parents[next] as usize, open.last().copied().unwrap_or(0));
                events.push(Event::Open(described(tree, next)));
                open.push(next);
                next += 1;
            }
            _ => {}
        }
    }
    assert!(texts.next().is_none() && open.is_empty());
    events
}

fn described(tree: &Tree, element: usize) -> String {
    let namespace = match tree.namespaces[element] {
        Namespace::Html => "html",
        Namespace::Svg => "svg",
        Namespace::MathMl => "math",
    };
    let mut description = format!("{namespace} {}", tree.name(element));
    for attribute in attributes::of(tree, element) {
        description.push_str(&format!(" {}={:?}", attribute.small_name(), attribute.value()));
    }
    description
}

/// The events and the depth of the deepest element.
fn events_of_html5ever(source: &str) -> (Vec<Event>, usize) {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = parse_document(RcDom::default(), options).one(source);
    let mut events = Vec::new();
    let mut deepest = 0;
    let mut open: Vec<(Handle, usize)> = vec![(dom.document.clone(), 0)];
    while let Some((node, next)) = open.pop() {
        let contents = match &node.data {
            NodeData::Element { template_contents, .. } => template_contents.borrow().clone(),
            _ => None,
        };
        let child = contents.as_ref().unwrap_or(&node).children.borrow().get(next).cloned();
        let Some(child) = child else {
            if matches!(node.data, NodeData::Element { .. }) {
                events.push(Event::Close);
            }
            continue;
        };
        open.push((node, next + 1));
        match &child.data {
            NodeData::Element { .. } => {
                events.push(Event::Open(described_by_html5ever(&child)));
                open.push((child, 0));
                deepest = deepest.max(open.len() - 1);
            }
            NodeData::Text { contents } => push_text(&mut events, &contents.borrow()),
            _ => {}
        }
    }
    (events, deepest)
}

fn described_by_html5ever(node: &Handle) -> String {
    let NodeData::Element { name, attrs, .. } = &node.data else { return String::new() };
    let namespace = match name.ns {
        ns!(svg) => "svg",
        ns!(mathml) => "math",
        _ => "html",
    };
    let mut description = format!("{namespace} {}", name.local.to_ascii_lowercase());
    for attribute in attrs.borrow().iter() {
        let prefix = attribute.name.prefix.as_ref().filter(|prefix| !prefix.is_empty());
        let prefix = prefix.map(|prefix| format!("{prefix}:")).unwrap_or_default();
        let name = attribute.name.local.to_ascii_lowercase();
        description.push_str(&format!(" {prefix}{name}={:?}", &*attribute.value));
    }
    description
}

/// Tags and texts thrown together: what no page holds, but every rule meets.
#[test]
fn trees_of_soups_are_those_of_html5ever() {
    let count = std::env::var("VICTOR_SOUPS").map_or(3000, |count| count.parse().expect("a number"));
    let (mut equal, mut exceptions, mut failures) = (0, 0, Vec::new());
    for seed in 1..=count {
        let source = soup(seed);
        match compared_soup(&source) {
            Outcome::Equal => equal += 1,
            Outcome::Excepted(reason) => {
                println!("exception: soups | seed {seed} | {reason}");
                exceptions += 1;
            }
            Outcome::Differs(difference) => failures.push(format!("{source:?}: {difference}")),
        }
    }
    failures.sort_by_key(String::len);
    println!("conformance: soups | {equal} passed | {exceptions} exceptions | {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures[..failures.len().min(8)].join("\n"));
}

fn compared_soup(source: &str) -> Outcome {
    match compared(source) {
        Outcome::Differs(difference) => match fault_of_html5ever(source) {
            Some(fault) => Outcome::Excepted(format!("html5ever departs from the standard: {fault}")),
            None => Outcome::Differs(difference),
        },
        outcome => outcome,
    }
}

/// What html5ever does otherwise than the standard, where the source holds what shows it.
fn fault_of_html5ever(source: &str) -> Option<&'static str> {
    let holds_any = |names: &[&str]| names.iter().any(|name| source.contains(&format!("<{name}")));
    let points = ["foreignObject", "desc", "title", "annotation-xml", "mi", "mo", "ms", "mtext"];
    if holds_any(&["svg", "math"]) && holds_any(&points) {
        Some("foreignObject, desc and the like are not special to it, so that end tags reach beyond them")
    } else if holds_any(&["table"]) && source.rfind("<!doctype").is_some_and(|at| at > 0) {
        Some("to it a doctype does not end the text of a table")
    } else if holds_any(&["pre", "listing"]) && source.contains("></>") {
        Some("to it </>, which is no token, stands between <pre> and the line end that is dropped")
    } else if holds_any(&["template"]) && holds_any(&["caption", "col", "tbody", "thead", "tfoot", "tr", "td"]) {
        Some("in a template, a second body of a table does not end the first, and white space is no text of a table")
    } else {
        None
    }
}

const NAMES: &str = "a a a abbr address annotation-xml applet area article b b b base body body br button caption center \
    code col colgroup dd desc div div div dl dt em embed font font foreignObject form form frame frameset frameset h1 h2 \
    h3 head head hr html html i i iframe image img input input li li link listing malignmark marquee math math menu meta \
    mglyph mi mo ms mtext nobr nobr noembed noframes noscript object ol optgroup option p p p p path plaintext pre rb rp \
    rt rtc ruby s script small span span strike strong style svg svg table table table tbody tbody td td template \
    template textarea tfoot th thead title tr tr tr tt u ul unknown var wbr x-y xmp";

const ATTRIBUTES: [&str; 18] = [
    "",
    "",
    "",
    "",
    "",
    " class=a",
    " class='b'",
    " type=hidden",
    " type = \"text\"",
    " color=red",
    " size",
    "/",
    " / ",
    " encoding=text/html",
    " xlink:href=x a a=2",
    " id=\"&amp;&lt&notit;=&copy=1\"",
    " =x ",
    " definitionURL=1 viewBox",
];

const TEXTS: [&str; 24] = [
    " ",
    "\n",
    "x",
    "y z",
    "&amp;",
    "&#32;",
    "&#0;x",
    "&nbsp",
    "\0",
    "\r\n",
    "\r",
    "<!-- c -->",
    "<!-->",
    "<!--x--!>",
    "</>",
    "<?pi?>",
    "<![CDATA[x]]>",
    "<![CDATA[ ]]>",
    "<",
    "</",
    "<!doctype html>",
    "<!--<script>",
    "-->",
    "&#10;",
];

fn soup(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    // A soup of few names meets itself more often.
    let few: Vec<&str> = (0..2 + random.below(12)).map(|_| names[random.below(names.len())]).collect();
    let mut source = String::new();
    if random.below(3) == 0 {
        source.push_str("<!doctype html>");
    }
    for _ in 0..3 + random.below(60) {
        let name = if random.below(4) == 0 { names[random.below(names.len())] } else { few[random.below(few.len())] };
        match random.below(10) {
            // Before these html5ever forgets to open formatting elements again, unless a text does.
            0..=4 if matches!(name, "svg" | "math") => source.push_str(&format!("x<{name}>")),
            0..=4 => source.push_str(&format!("<{name}{}>", ATTRIBUTES[random.below(ATTRIBUTES.len())])),
            5..=7 => source.push_str(&format!("</{name}>")),
            _ => source.push_str(TEXTS[random.below(TEXTS.len())]),
        }
    }
    source
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}
