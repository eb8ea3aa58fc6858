//! NULs, noise, and pages made to be slow.

mod sniff_texts;

use std::time::Instant;

use sniff_texts::*;
use victor_core::sniff::{declared, decode, is_binary};

/// Numbers that look like chance, and are the same each time.
fn noise(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

fn with_nuls(data: &[u8], percent: u64) -> Vec<u8> {
    let mut chance = noise(7);
    data.iter().flat_map(|byte| if chance() % 100 < percent { vec![*byte, 0] } else { vec![*byte] }).collect()
}

#[test]
fn nuls_in_a_page_are_nothing() {
    for text in [CZECH, RUSSIAN, CHINESE, "plain text"] {
        let html = page(text);
        let data = html.as_bytes();
        let damaged = [
            joined(&[data, &[0; 3_000]]),
            joined(&[data, &[0; 100_001]]),
            joined(&[&data[..20], &[0; 2_000], &data[20..]]),
            with_nuls(data, 1),
            with_nuls(data, 10),
            with_nuls(data, 90),
        ];
        for data in damaged {
            assert!(!is_binary(&data));
            let page = decode(&data, None);
            assert_eq!((page.text, page.encoding, page.replaced), (html.clone(), "utf-8", 0));
        }
    }
}

#[test]
fn wide_text_may_be_padded_too() {
    for name in ["utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
        for text in [CZECH, CHINESE, "plain text"] {
            let data = joined(&[&encoded(&page(text), name), &[0; 3_000]]);

            assert!(!is_binary(&data));
            assert_eq!(decode(&data, None).text.trim_end_matches('\0'), page(text));
        }
    }
}

#[test]
fn a_few_nuls_do_not_make_a_small_page_utf_16() {
    assert_eq!(decode(b"<p>a \0b \0c \0d \0e, seven boats.", None).text, "<p>a b c d e, seven boats.");
}

#[test]
fn pages_of_no_length_worth_mentioning_are_decoded() {
    for data in [&b""[..], b"\xef\xbb\xbf", b"\xff\xfe", b"\xff\xfe\0\0", b"\0"] {
        assert_eq!(decode(data, None).text, "");
    }
    for byte in 0..=255 {
        for charset in [None, Some("utf-16"), Some("iso-2022-jp"), Some("big5")] {
            assert!(decode(&[byte], charset).text.chars().count() <= 1);
        }
    }
}

#[test]
fn any_bytes_become_text_whose_faults_are_counted() {
    let alphabets: [&[u8]; 4] = [
        b"\0\0a<\xff\xfe",
        b"<meta charset='\">=/! -",
        b"\x1b$B(J\x0e\x0f\xa4\x21\xff",
        b"\xe4\xb8\xad\xc3\xed\xa0\x80",
    ];
    let mut chance = noise(1);
    let rounds = if cfg!(debug_assertions) { 2_000 } else { 40_000 };
    for round in 0..rounds {
        let alphabet = alphabets[round % alphabets.len()];
        let is_any = chance().is_multiple_of(3);
        let byte = |number: u64| if is_any { number as u8 } else { alphabet[number as usize % alphabet.len()] };
        let data: Vec<u8> = (0..chance() % 200).map(|_| byte(chance())).collect();
        let charset = [None, Some("utf-8"), Some("gbk"), Some("euc-jp"), Some("utf-16"), Some("nonsense")][round % 6];

        is_binary(&data);
        declared(&data);
        let page = decode(&data, charset);

        assert!(page.replaced <= page.text.matches('\u{fffd}').count());
    }
}

#[test]
fn long_monotonous_pages_take_no_time_worth_mentioning() {
    let units: [&[u8]; 16] = [
        b"<meta ",
        b"<meta a=\"",
        b"<!--",
        b"<!-->",
        b"<?xml ",
        b"<text encoding",
        b"<",
        b"</a",
        b"\0",
        b"\xe9",
        b"\xff",
        b"\x1b$",
        b"\x1b$B\x1b(B",
        b"\xe4\xb8",
        b"\xa4\xa4\xff",
        b"\xe9 ",
    ];
    let size = if cfg!(debug_assertions) { 100_000 } else { 2_000_000 };
    for unit in units {
        for charset in ["euc-jp", "iso-2022-jp"] {
            let data = joined(&[&unit.repeat(size / unit.len()), b"\xe9"]);
            let start = Instant::now();

            decode(&data, Some(charset));
            is_binary(&data);

            assert!(start.elapsed().as_secs_f64() < 3.0, "{unit:x?} {charset}");
        }
    }
}
