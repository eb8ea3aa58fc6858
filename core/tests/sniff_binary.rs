//! What is text, and what is not.

mod sniff_texts;

use sniff_texts::*;
use victor_core::sniff::is_binary;

#[test]
fn pictures_archives_and_programs_are_binary() {
    let all_bytes: Vec<u8> = (0..=255).collect();
    let tar = joined(&[b"page.html", &[0; 248], b"ustar\x0000", &[0; 247], b"<p>page"]);
    let cases: [&[u8]; 13] = [
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a;",
        b"\xff\xd8\xff\xe0 jpeg",
        b"\n%PDF-1.4 and text for a long while",
        b"\x1f\x8b\x08\0\0\0\0\0\0\xff",
        b"PK\x03\x04\x14\0\0\0\0\0a.txtplain text",
        b"\x7fELF\x02\x01",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0\0\0\0\0@\0\0\0",
        &all_bytes.repeat(8),
        &[0; 500],
        &joined(&[b"BM6\0\x0c\0", &[0; 8], &b"\xff\xff\xff\0".repeat(1_000)]),
        &tar,
        &b"one\0two\0six\0".repeat(100),
    ];
    for data in cases {
        assert!(is_binary(data), "{:x?}", &data[..data.len().min(20)]);
    }
}

#[test]
fn text_is_not_binary_however_it_is_encoded() {
    for name in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030"] {
        for text in [CZECH, RUSSIAN, CHINESE] {
            assert!(!is_binary(&encoded(&page(text), name)));
            assert!(!is_binary(&encoded(&format!("\u{feff}{}", page(text)), name)));
        }
    }
}

#[test]
fn odd_text_is_not_binary() {
    let stray_nuls = joined(&[page(CZECH).as_bytes(), b"\0\0\0"]);
    let escapes = encoded(&page(JAPANESE), "iso-2022-jp");
    for data in [&b""[..], b"x", &stray_nuls, &escapes, b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9"] {
        assert!(!is_binary(data), "{data:x?}");
    }
}
