//! Visible text: that of all our blocks, compared with the text of the expected trees.

use victor_core::blocks;
use victor_core::html::Options;
use victor_core::markup::{Markup, Mode, Names};

use crate::trees::{self, Test};

/// What the standard does not show (15.3.1, and frames), and what the shipped models leave out.
const HIDDEN: [&str; 9] = ["embed", "frame", "iframe", "noembed", "noframes", "script", "style", "template", "title"];

/// By the standard these titles hold what looks like tags; we mend them.
const UNCLOSED_TITLES: [&str; 5] = [
    "<title><!--<title></title>--></title>",
    "<!doctype html><title><!--<title></title>--></title>",
    "<title>foo/title><link></head><body>X",
    "<!doctype html><title>foo/title><link></head><body>X",
    "<title>foo<span>bar</em><i>baz",
];

#[test]
fn no_visible_text_is_lost() {
    let Some(folder) = super::folder() else { return };
    let (mut passed, mut excepted) = (0, 0);
    let mut failures = Vec::new();
    for path in super::files(folder.join("tree-construction"), "dat") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for test in trees::tests(&std::fs::read_to_string(&path).expect("a file")) {
            let (expected, found) = (visible(&test, &HIDDEN), of_blocks(&test));
            if expected == found {
                passed += 1;
            } else if let Some(reason) = reason(&test, &found) {
                println!("exception: visible | {name}: {:?} | {reason}", test.data);
                excepted += 1;
            } else {
                failures.push(format!("{name}: {:?}\nexpected {expected:?}\nfound    {found:?}", test.data));
            }
        }
    }
    println!("conformance: visible | {passed} passed | {excepted} exceptions | {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Why the text differs, where it may.
fn reason(test: &Test, found: &str) -> Option<&'static str> {
    let is_closed = test.data.contains("</svg");
    let is_of_drawing = || is_closed && visible(test, &[&HIDDEN[..], &["svg"]].concat()) == found;
    match trees::EXCEPTIONS.iter().find(|(data, _)| *data == test.data) {
        Some((_, reason)) => Some(reason),
        None if UNCLOSED_TITLES.contains(&test.data.as_str()) => {
            Some("a title that nobody closed ends at its first tag")
        }
        None => is_of_drawing().then_some("text in a drawing whose end tag is there is part of a picture"),
    }
}

/// The text of all blocks, without white space.
fn of_blocks(test: &Test) -> String {
    let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let deleted = words(&[&HIDDEN[..], &["svg"]].concat());
    let markup = Markup::new(Mode::Line, &Names { deleted, ..Names::default() });
    without_blanks(&blocks::cut(trees::tree_of(test, Options { repairs: true }), &markup).text)
}

/// The text of the expected tree that is in no hidden element, and the alternative texts of pictures, without white space.
fn visible(test: &Test, hidden_names: &[&str]) -> String {
    let merged = trees::merged(&test.expected);
    let mut text = String::new();
    // How deep the hidden element is that is open, and the last picture.
    let (mut hidden, mut picture) = (usize::MAX, usize::MAX);
    for node in nodes(&merged) {
        let (indent, content) = trees::parted(&node);
        if indent <= hidden {
            hidden = usize::MAX;
        }
        if indent <= picture {
            picture = usize::MAX;
        }
        if hidden < usize::MAX {
            continue;
        }
        if let Some(tag) = content.strip_prefix('<') {
            let name = tag.trim_end_matches('>').rsplit(' ').next().unwrap_or("");
            if hidden_names.contains(&name) {
                hidden = indent;
            }
            if name == "img" {
                picture = indent;
            }
        } else if let Some(string) = content.strip_prefix('"') {
            text.push_str(string.strip_suffix('"').unwrap_or(string));
        } else if let Some(alt) = content.strip_prefix("alt=\"").filter(|_| picture < usize::MAX) {
            text.push_str(alt.strip_suffix('"').unwrap_or(alt));
        }
    }
    without_blanks(&text)
}

/// A node may have several lines.
fn nodes(merged: &str) -> Vec<String> {
    let mut nodes: Vec<String> = Vec::new();
    for line in merged.trim_end_matches('\n').split('\n') {
        match nodes.last_mut() {
            Some(node) if !line.starts_with("| ") => node.push_str(&format!("\n{line}")),
            _ => nodes.push(line.to_owned()),
        }
    }
    nodes
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && !character.is_control()).collect()
}
