//! Tree construction: the whole trees of all tests with scripting off.
//!
//! Not compared: comments, processing instructions and doctypes, which are no part of our trees. Texts that only these
//! parted are one.

use victor_core::html::{parse, parse_fragment, serialize, Options};
use victor_core::tree::{Namespace, Tree};

/// Tests that we do not pass, by their data, with the reason.
pub const EXCEPTIONS: [(&str, &str); 4] = [
    ("<select><button><selectedcontent></button><option>X", SELECTED_CONTENT),
    ("<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b", SELECTED_CONTENT),
    ("<select><button><selectedcontent></button><option>X<option>Y", SELECTED_CONTENT),
    ("<select><button><selectedcontent></button><option>X<option selected>Y", SELECTED_CONTENT),
];

pub const SELECTED_CONTENT: &str = "a browser copies the chosen option into selectedcontent, a parser has no need to";

pub struct Test {
    pub data: String,
    pub context: Option<String>,
    pub expected: String,
}

#[test]
fn trees_are_those_of_html5lib() {
    let Some(folder) = super::folder() else { return };
    let mut passed = 0;
    let mut excepted = 0;
    let mut failures = Vec::new();
    for path in super::files(folder.join("tree-construction"), "dat") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for test in tests(&std::fs::read_to_string(&path).expect("a file")) {
            let found = dumped(&test);
            let expected = merged(&test.expected);
            if found == expected {
                passed += 1;
            } else if let Some((_, reason)) = EXCEPTIONS.iter().find(|(data, _)| *data == test.data) {
                println!("exception: trees | {name}: {:?} | {reason}", test.data);
                excepted += 1;
            } else {
                failures
                    .push(format!("{name}: {:?} in {:?}\nexpected\n{expected}found\n{found}", test.data, test.context));
            }
        }
    }
    println!("conformance: trees | {passed} passed | {excepted} exceptions | {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn dumped(test: &Test) -> String {
    let tree = tree_of(test, Options { repairs: false });
    match test.context {
        None => serialize::html5lib(&tree),
        Some(_) => serialize::html5lib_fragment(&tree),
    }
}

/// Of a page or, in a context, of a fragment.
pub fn tree_of(test: &Test, options: Options) -> Tree {
    let Some(context) = &test.context else { return parse(test.data.clone(), options) };
    let (namespace, name) = match context.split_once(' ') {
        Some(("svg", name)) => (Namespace::Svg, name),
        Some(("math", name)) => (Namespace::MathMl, name),
        _ => (Namespace::Html, context.as_str()),
    };
    parse_fragment(test.data.clone(), name, namespace, options)
}

/// The tests of a file, without those for scripting.
pub fn tests(file: &str) -> Vec<Test> {
    let mut tests = Vec::new();
    for part in format!("\n{file}").split("\n#data\n").skip(1) {
        let (data, rest) = part.split_once("#errors\n").expect("errors");
        let (head, expected) = rest.split_once("#document\n").expect("a document");
        let context = head.split_once("#document-fragment\n").map(|(_, rest)| rest.lines().next().expect("a name"));
        if !head.lines().any(|line| line == "#script-on") {
            tests.push(Test {
                data: data.strip_suffix('\n').unwrap_or(data).to_owned(),
                context: context.map(str::to_owned),
                expected: expected.to_owned(),
            });
        }
    }
    tests
}

/// What is expected, without comments and doctypes, and texts that they parted as one.
pub fn merged(expected: &str) -> String {
    let mut nodes: Vec<String> = Vec::new();
    for line in expected.trim_end_matches('\n').split('\n') {
        match nodes.last_mut() {
            Some(node) if !line.starts_with("| ") => node.push_str(&format!("\n{line}")),
            _ => nodes.push(line.to_owned()),
        }
    }
    nodes.retain(|node| {
        let content = node.trim_start_matches("| ").trim_start();
        !content.starts_with("<!--") && !content.starts_with("<!DOCTYPE") && !content.starts_with("<?")
    });
    let mut lines: Vec<String> = Vec::new();
    for node in nodes {
        let (indent, content) = parted(&node);
        let before = lines.last_mut().filter(|last| parted(last).0 == indent && parted(last).1.starts_with('"'));
        if let (Some(before), Some(rest)) = (before, content.strip_prefix('"')) {
            before.pop();
            before.push_str(rest);
            continue;
        }
        lines.push(node);
    }
    lines.iter().map(|line| format!("{line}\n")).collect::<String>()
}

pub fn parted(node: &str) -> (usize, &str) {
    let content = node.trim_start_matches('|').trim_start_matches(' ');
    (node.len() - content.len(), content)
}
