//! The tokenizer in every model, which a page only enters behind the tags that ask for it: tokens follow one another
//! from the beginning of the source to its end.
#![no_main]

use std::ops::Range;

use libfuzzer_sys::fuzz_target;
use victor_core::html::tokenizer::{Model, TagToken, Token, Tokenizer};
use victor_core::html::{attributes, doctype, text};
use victor_core::tree::{Form, Span};

const MODELS: [Model; 6] = [Model::Data, Model::Rcdata, Model::Rawtext, Model::Script, Model::Plaintext, Model::Cdata];

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let source = String::from_utf8_lossy(rest);
    let model = MODELS[first as usize % MODELS.len()];
    let opener = ["title", "script", "style", "textarea"][first as usize / 8 % 4];
    for has_repairs in [false, true] {
        let mut tokenizer = Tokenizer::new(&source, has_repairs);
        tokenizer.read_as(model, opener.as_bytes());
        read(tokenizer, &source, first >= 128);
    }
});

fn read(mut tokenizer: Tokenizer, source: &str, has_cdata: bool) {
    let mut before = 0;
    loop {
        let token = tokenizer.next(has_cdata);
        if token == Token::EndOfFile {
            break;
        }
        check(token, source, before..tokenizer.at());
        before = tokenizer.at();
    }
    assert!(tokenizer.next(has_cdata) == Token::EndOfFile);
}

/// A token lies within what was read for it. Only the end of a title that nobody closed is read from nothing.
fn check(token: Token, source: &str, read: Range<usize>) {
    assert!(read.start < read.end || matches!(token, Token::End(tag) if is_implied(tag)));
    let is_inside = |span: Span| {
        let Span { start, end } = span;
        start <= end && read.start <= start as usize && end as usize <= read.end && read.end <= source.len()
    };
    match token {
        Token::Start(tag) | Token::End(tag) => {
            assert!(is_inside(tag.name) && is_inside(tag.attributes));
            assert!(is_implied(tag) || source[tag.place as usize..].starts_with('<'));
            read_attributes(tag.attributes.of(source));
        }
        Token::Text(span, _) => {
            assert!(is_inside(span));
            for form in [Form::Plain, Form::Data, Form::Replacing, Form::Raw] {
                text::decoded(span.of(source), form);
            }
        }
        Token::Comment(span) => assert!(is_inside(span)),
        Token::Doctype { span, .. } => {
            assert!(is_inside(span));
            doctype::parts(span.of(source), true);
            doctype::parts(span.of(source), false);
        }
        Token::EndOfFile => {}
    }
}

fn is_implied(tag: TagToken) -> bool {
    tag.name.is_empty() && tag.attributes.is_empty()
}

fn read_attributes(source: &str) {
    for attribute in attributes::within(source) {
        assert!(!attribute.small_name().is_empty());
        attribute.value();
    }
}
