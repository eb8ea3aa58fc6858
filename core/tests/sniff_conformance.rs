//! What a page names as its encoding, by the tests of html5lib: https://github.com/html5lib/html5lib-tests.

use std::path::Path;

use victor_core::sniff::{declared, encoding_of};

/// The beginning of the one test that fails.
const BEHIND_THE_HEAD: &[u8] = b"<!-- multi-script test -->";

const REASON: &str = "its <meta> stands behind 8,192 bytes, where browsers find it while they parse";

#[test]
fn names_are_found_as_html5lib_finds_them() {
    let Ok(folder) = std::env::var("VICTOR_HTML5LIB") else {
        return eprintln!("VICTOR_HTML5LIB names no folder of html5lib-tests: skipped");
    };
    let (mut passed, mut exceptions) = (0, 0);
    let mut failures = Vec::new();
    for name in ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"] {
        let tests = std::fs::read(Path::new(&folder).join("encoding").join(name)).expect(name);
        for (data, expected) in cases(&tests) {
            let found = declared(data).unwrap_or("windows-1252");
            if Some(found) == encoding_of(expected) {
                passed += 1;
            } else if data.starts_with(BEHIND_THE_HEAD) {
                println!("exception: encodings | {name}: {:?} | {REASON}", String::from_utf8_lossy(BEHIND_THE_HEAD));
                exceptions += 1;
            } else {
                failures.push(format!("{name}: {found}, not {expected}: {}", String::from_utf8_lossy(data)));
            }
        }
    }
    println!("conformance: encodings | {passed} passed | {exceptions} exceptions | {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Pages and the names expected, between `#data`, `#encoding` and an empty line.
fn cases(tests: &[u8]) -> Vec<(&[u8], &str)> {
    let starts = memchr::memmem::find_iter(tests, b"#data\n").collect::<Vec<_>>();
    let ends = starts.iter().skip(1).copied().chain([tests.len()]);
    starts.iter().zip(ends).map(|(start, end)| case(&tests[start + b"#data\n".len()..end])).collect()
}

fn case(test: &[u8]) -> (&[u8], &str) {
    let end = memchr::memmem::rfind(test, b"\n#encoding\n").expect("#encoding");
    let name = std::str::from_utf8(&test[end + b"\n#encoding\n".len()..]).expect("a name");
    (&test[..end], name.trim())
}
