//! The tokenizer alone: the tokens of all tests.
//!
//! Not compared: the parse errors; sources with lone surrogates, which are no UTF-8 (the exceptions);
//! `xmlViolation.test`, which asks for changes that no HTML parser makes by itself.

use std::path::Path;

use serde_json::{json, Value};
use victor_core::html::tokenizer::{Model, TagToken, TextKind, Token, Tokenizer};
use victor_core::html::{attributes, doctype, text};
use victor_core::tree::{Form, Span};

#[derive(Default)]
struct Counts {
    passed: usize,
    exceptions: usize,
    failures: Vec<String>,
}

#[test]
fn tokens_are_those_of_html5lib() {
    let Some(folder) = super::folder() else { return };
    let mut counts = Counts::default();
    for path in super::files(folder.join("tokenizer"), "test") {
        run_file(&path, &mut counts);
    }
    let Counts { passed, exceptions, failures } = counts;
    println!("conformance: tokens | {passed} passed | {exceptions} exceptions | {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn run_file(path: &Path, counts: &mut Counts) {
    let file = std::fs::read_to_string(path).expect("a file");
    let content: Value = serde_json::from_str(&file).expect("JSON");
    let name = path.file_name().expect("a name").to_string_lossy();
    for test in content["tests"].as_array().into_iter().flatten() {
        let default = json!(["Data state"]);
        let states = test.get("initialStates").unwrap_or(&default);
        for state in states.as_array().expect("states") {
            let state = state.as_str().expect("a state");
            let Some((input, expected)) = unescaped(test) else {
                println!("exception: tokens | {name}: {} | a lone surrogate is no UTF-8", test["description"]);
                counts.exceptions += 1;
                continue;
            };
            let found = tokens(&input, model(state), test["lastStartTag"].as_str().unwrap_or(""));
            if Value::Array(found.clone()) == expected {
                counts.passed += 1;
            } else {
                let found = Value::Array(found);
                counts.failures.push(format!(
                    "{name}: {} in {state}: {input:?}\n  expected {expected}\n  found    {found}",
                    test["description"]
                ));
            }
        }
    }
}

fn model(state: &str) -> Model {
    match state {
        "Data state" => Model::Data,
        "PLAINTEXT state" => Model::Plaintext,
        "RCDATA state" => Model::Rcdata,
        "RAWTEXT state" => Model::Rawtext,
        "Script data state" => Model::Script,
        "CDATA section state" => Model::Cdata,
        _ => panic!("unknown state {state}"),
    }
}

/// Source and tokens of a test; none if they hold lone surrogates.
fn unescaped(test: &Value) -> Option<(String, Value)> {
    let input = test["input"].as_str().expect("an input");
    if test["doubleEscaped"] != json!(true) {
        return Some((input.to_owned(), test["output"].clone()));
    }
    Some((unescape(input)?, unescape_all(&test["output"])?))
}

fn unescape_all(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(string) => Value::String(unescape(string)?),
        Value::Array(values) => Value::Array(values.iter().map(unescape_all).collect::<Option<_>>()?),
        Value::Object(values) => {
            let pairs = values.iter().map(|(name, value)| Some((unescape(name)?, unescape_all(value)?)));
            Value::Object(pairs.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

fn unescape(escaped: &str) -> Option<String> {
    let mut units = Vec::new();
    let mut parts = escaped.split("\\u");
    units.extend(parts.next().unwrap_or("").encode_utf16());
    for part in parts {
        units.push(u16::from_str_radix(&part[..4], 16).expect("four digits"));
        units.extend(part[4..].encode_utf16());
    }
    String::from_utf16(&units).ok()
}

fn tokens(input: &str, model: Model, opener: &str) -> Vec<Value> {
    let mut tokenizer = Tokenizer::new(input, false);
    tokenizer.read_as(model, opener.as_bytes());
    let mut tokens: Vec<Value> = Vec::new();
    let mut joined = String::new();
    loop {
        let token = tokenizer.next(false);
        if let Token::Text(span, kind) = token {
            joined.push_str(&characters(span.of(input), kind));
            continue;
        }
        if !joined.is_empty() {
            tokens.push(json!(["Character", std::mem::take(&mut joined)]));
        }
        match token {
            Token::Start(tag) => tokens.push(start(input, tag)),
            Token::End(tag) => tokens.push(json!(["EndTag", name(input, tag)])),
            Token::Comment(span) => tokens.push(json!(["Comment", text::decoded(span.of(input), Form::Raw)])),
            Token::Doctype { span, .. } => tokens.push(doctype_token(input, span)),
            Token::EndOfFile => return tokens,
            Token::Text(..) => {}
        }
    }
}

/// The tokenizer leaves NULs in data for the tree builder.
fn characters(source: &str, kind: TextKind) -> String {
    match kind {
        TextKind::Data => parts(source, Form::Data),
        TextKind::Cdata => parts(source, Form::Raw),
        TextKind::Rcdata => text::decoded(source, Form::Replacing).into_owned(),
        TextKind::Raw => text::decoded(source, Form::Raw).into_owned(),
    }
}

fn parts(source: &str, form: Form) -> String {
    source.split('\0').map(|part| text::decoded(part, form)).collect::<Vec<_>>().join("\0")
}

fn name(input: &str, tag: TagToken) -> String {
    tag.name.of(input).to_ascii_lowercase().replace('\0', "\u{fffd}")
}

fn start(input: &str, tag: TagToken) -> Value {
    let attributes: serde_json::Map<String, Value> = attributes::within(tag.attributes.of(input))
        .map(|attribute| (attribute.small_name(), json!(attribute.value())))
        .collect();
    if tag.is_self_closing {
        json!(["StartTag", name(input, tag), attributes, true])
    } else {
        json!(["StartTag", name(input, tag), attributes])
    }
}

fn doctype_token(input: &str, span: Span) -> Value {
    let doctype = doctype::parts(span.of(input), (span.end as usize) < input.len());
    let identifier = |part: Option<&str>| part.map(|part| text::decoded(part, Form::Raw).into_owned());
    let name = identifier(doctype.name).map(|name| name.to_ascii_lowercase());
    json!(["DOCTYPE", name, identifier(doctype.public), identifier(doctype.system), !doctype.forces_quirks])
}
