//! How pages are decoded, case by case.

mod sniff_texts;

use sniff_texts::*;
use victor_core::sniff::{decode, encoding_of, Origin};

/// What is compared of a decoded page: text, encoding, replaced, origin.
fn results(data: &[u8], charset: Option<&str>) -> (String, &'static str, usize, &'static str) {
    let page = decode(data, charset);
    (page.text, page.encoding, page.replaced, page.origin.as_str())
}

#[test]
fn a_page_that_says_nothing_is_utf_8_if_it_can_be() {
    assert_eq!(results(page(CZECH).as_bytes(), None), (page(CZECH), "utf-8", 0, "utf-8"));
}

#[test]
fn a_byte_order_mark_is_believed_and_taken_off() {
    for name in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
        let data = encoded(&format!("\u{feff}{}", page(CZECH)), name);

        assert_eq!(results(&data, Some("windows-1250")), (page(CZECH), name, 0, "bom"));
    }
}

#[test]
fn a_mark_of_utf_8_before_something_else_is_not_believed() {
    let html = page_with(CZECH, &meta("windows-1250"));
    let data = joined(&[b"\xef\xbb\xbf", &encoded(&html, "windows-1250")]);

    assert_eq!(results(&data, None), (html, "windows-1250", 0, "meta"));
}

#[test]
fn a_page_says_its_encoding_in_many_ways() {
    let declarations = [
        "<meta charset=\"windows-1250\">",
        "<META CHARSET=Windows-1250 />",
        "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1250\">",
        "<meta content='text/html;CHARSET = cp1250' http-equiv=content-type>",
        "<meta name=\"generator\"\n content=\"x\"><meta\ncharset=x-cp1250>",
        "<!-- <meta charset=koi8-r> --><meta charset=windows-1250>",
        "<!--><meta charset=windows-1250><!-- -->",
        "<!-- <meta charset=koi8-r> --!><meta charset=windows-1250>",
        "<meta name=\"description\" content=\"charset=koi8-r\"><meta charset=windows-1250>",
        "<meta charset=klingon><meta charset=windows-1250>",
        "<?xml version=\"1.0\" encoding=\"windows-1250\"?>",
        "<text id=\"1\" encoding = 'windows-1250'>",
        "<meta charset='windows-1250>",
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1250>",
        "<a title='x><meta charset=windows-1250>",
    ];
    for declaration in declarations {
        let html = page_with(CZECH, declaration);

        assert_eq!(results(&encoded(&html, "windows-1250"), None), (html, "windows-1250", 0, "meta"));
    }
}

#[test]
fn a_name_behind_the_first_kilobytes_does_not_count() {
    let html = format!("{}{}<p>plain", " ".repeat(8_192), meta("shift_jis"));

    assert_eq!(decode(html.as_bytes(), None).origin, Origin::Utf8);
}

#[test]
fn what_is_said_from_outside_outweighs_what_the_page_says() {
    let html = page_with(RUSSIAN, &meta("windows-1251"));

    assert_eq!(results(&encoded(&html, "koi8-r"), Some("KOI8-R")), (html, "koi8-r", 0, "given"));
}

#[test]
fn the_encoding_of_an_ascii_page_is_what_it_says() {
    let (_, encoding, replaced, origin) = results(b"<meta charset=shift_jis><p>plain", None);

    assert_eq!((encoding, replaced, origin), ("shift_jis", 0, "meta"));
}

#[test]
fn labels_mean_what_browsers_take_them_for() {
    let cases = [
        ("iso-8859-1", FRENCH, "", "windows-1252"),
        ("latin1", FRENCH, "", "windows-1252"),
        ("ascii", FRENCH, "", "windows-1252"),
        ("x-user-defined", FRENCH, "", "windows-1252"),
        ("gb2312", CHINESE, "镕€", "gbk"),
        ("gbk", CHINESE, "", "gbk"),
        ("big5", TAIWANESE, "", "big5"),
        ("shift_jis", JAPANESE, "①㈱～", "shift_jis"),
        ("x-sjis", JAPANESE, "", "shift_jis"),
        ("euc-jp", JAPANESE, "①㈱～", "euc-jp"),
        ("iso-2022-jp", JAPANESE, "①㈱～", "iso-2022-jp"),
        ("euc-kr", KOREAN, "똠방각하", "euc-kr"),
        ("ks_c_5601-1987", KOREAN, "", "euc-kr"),
        ("tis-620", THAI, "…", "windows-874"),
    ];
    for (label, text, more, name) in cases {
        let html = page_with(&format!("{text}{more}"), &meta(label));

        assert_eq!(results(&encoded(&html, name), None), (html, name, 0, "meta"), "{label}");
    }
}

#[test]
fn a_meta_that_could_be_read_does_not_stand_in_utf_16() {
    for label in ["utf-16", "utf-16be", "unicode"] {
        let html = page_with(CZECH, &meta(label));

        assert_eq!(results(html.as_bytes(), None), (html, "utf-8", 0, "meta"));
    }
}

#[test]
fn labels_that_the_web_does_not_know_mean_nothing() {
    for label in ["utf-7", "unicode_escape", "rot13", "hex", "idna", "punycode", "undefined", "replacement", "é", ""] {
        let tricky = "+AGE- \\u0041 68 xn--bcher-kva";

        assert_eq!(encoding_of(label), None);
        assert_eq!(results(tricky.as_bytes(), Some(label)), (tricky.to_owned(), "utf-8", 0, "utf-8"));
    }
}

#[test]
fn labels_are_taken_out_of_quotes_and_white_space() {
    assert_eq!(encoding_of(" \"Latin1\"\r\n"), Some("windows-1252"));
    assert_eq!(encoding_of("x-user-defined"), Some("windows-1252"));
    assert_eq!(encoding_of("iso-8859-8-i"), Some("iso-8859-8-i"));
}

#[test]
fn bytes_without_a_meaning_are_controls_or_replaced_as_in_browsers() {
    let (text, ..) = results(b"caf\xe9 \x81", Some("windows-1252"));
    assert_eq!(text, "café \u{81}");

    let html = page_with(GREEK, &meta("windows-1253"));
    let greek = decode(&joined(&[&encoded(&html, "windows-1253"), b"\xff\xff"]), None);
    assert_eq!((greek.text, greek.encoding, greek.replaced), (html + "\u{fffd}\u{fffd}", "windows-1253", 2));
}

#[test]
fn signs_are_those_of_the_standard() {
    let cases: [(&[u8], &str, &str); 3] = [
        (b"\xa1\xc1 \xad\xa1 \xad\xea", "euc-jp", "～ ① ㈱"),
        (b"\x1b$B!A-!$\"\x1b(B", "iso-2022-jp", "～①あ"),
        (b"\xa4\xa4 \xa1\x45 \xa1\xe3", "big5", "中 ‧ ～"),
    ];
    for (data, name, text) in cases {
        assert_eq!(results(data, Some(name)), (text.to_owned(), name, 0, "given"));
    }
}

#[test]
fn valid_utf_8_is_utf_8_whatever_it_is_said_to_be() {
    for label in ["iso-8859-1", "windows-1251", "gbk", "euc-kr"] {
        let html = page_with(&[CZECH, RUSSIAN, CHINESE].concat(), &meta(label));

        assert_eq!(results(html.as_bytes(), Some(label)), (html, "utf-8", 0, "utf-8"));
    }
}

#[test]
fn utf_8_with_a_few_broken_bytes_stays_utf_8() {
    let html = page_with(&CZECH.repeat(20), &meta("iso-8859-1"));

    let damaged = decode(&joined(&[html.as_bytes(), b"<p>caf\xe9 \xff\xfe"]), None);

    assert_eq!((damaged.encoding, damaged.replaced), ("utf-8", 3));
    assert!(damaged.text.starts_with(&html));
}

#[test]
fn utf_8_of_three_bytes_may_be_broken_half_of_the_time() {
    let quotes = joined(&[&b"it\xe2\x80\x99s \xe2\x80\"so\" "[..]; 20]);

    assert_eq!(decode(&quotes, None).encoding, "utf-8");
}

#[test]
fn a_page_cut_inside_a_character_loses_that_character() {
    for text in ["a plain page with one dash ", CZECH] {
        let html = page_with(text, &meta("utf-8"));
        let start = &html[..html.find("</p>").unwrap()];

        let cut = results(&joined(&[start.as_bytes(), b"\xe2\x80"]), None);

        assert_eq!(cut, (format!("{start}\u{fffd}"), "utf-8", 1, "meta"));
    }
}

#[test]
fn other_encodings_may_be_cut_as_well() {
    for name in ["gbk", "shift_jis", "utf-16le"] {
        let html = page(JAPANESE);
        let start = html.split('た').next().unwrap();
        let data = joined(&[&encoded(start, name), &encoded("た", name)[..1]]);

        let cut = decode(&data, Some(name));

        assert_eq!((cut.text, cut.replaced), (format!("{start}\u{fffd}"), 1), "{name}");
    }
}

#[test]
fn replacement_characters_that_the_page_has_itself_do_not_count() {
    assert_eq!(decode("caf\u{fffd}".as_bytes(), None).replaced, 0);
    assert_eq!(decode(&joined(&["příliš \u{fffd} žluťoučký".as_bytes(), b"\xff"]), None).replaced, 1);
    let chinese = encoded(&page(&format!("{CHINESE}\u{fffd}")), "gb18030");
    assert_eq!(decode(&chinese, Some("gb18030")).replaced, 0);
}

#[test]
fn a_page_that_wrongly_says_utf_8_is_read_as_what_it_is() {
    let html = page_with(FRENCH, &meta("utf-8"));

    assert_eq!(results(&encoded(&html, "windows-1252"), None), (html, "windows-1252", 0, "detected"));
}

#[test]
fn a_lying_charset_gives_way_to_a_truthful_meta() {
    let html = page_with(&JAPANESE.repeat(3), &meta("shift_jis"));

    assert_eq!(results(&encoded(&html, "shift_jis"), Some("utf-8")), (html, "shift_jis", 0, "meta"));
}

#[test]
fn a_lying_single_byte_label_shows_by_its_control_characters() {
    let html = page_with(&JAPANESE.repeat(3), &meta("iso-8859-1"));

    assert_eq!(results(&encoded(&html, "shift_jis"), None), (html, "shift_jis", 0, "detected"));
}

#[test]
fn iso_8859_2_with_letters_of_windows_is_windows_1250() {
    let html = page_with(CZECH, &meta("iso-8859-2"));

    for name in ["windows-1250", "iso-8859-2"] {
        assert_eq!(results(&encoded(&html, name), None), (html.clone(), name, 0, "meta"));
    }
}

#[test]
fn a_damaged_page_keeps_its_multi_byte_label() {
    let html = page_with(&CHINESE.repeat(20), &meta("gb2312"));
    let (head, body) = html.split_once("<p>").unwrap();

    let data = joined(&[&encoded(head, "gbk"), b"<p>", &b"\xff<b>".repeat(8), &encoded(body, "gbk")]);
    let damaged = decode(&data, None);

    assert_eq!((damaged.encoding, damaged.replaced), ("gbk", 8));
    assert!(damaged.text.contains(CHINESE));
}

#[test]
fn a_page_that_says_nothing_is_known_by_its_bytes() {
    let cases = [
        (CZECH, "windows-1250"),
        (FRENCH, "windows-1252"),
        ("It’s “only” © 2004 – plain English…", "windows-1252"),
        ("The café sells NEWTON® and ©Apple, £500 for 3 kg.", "windows-1252"),
        ("El señor dijo «¿qué?» y la niña contestó «mañana».", "windows-1252"),
        (CZECH, "iso-8859-2"),
        (RUSSIAN, "windows-1251"),
        (RUSSIAN, "koi8-r"),
        (UKRAINIAN, "koi8-u"),
        (RUSSIAN, "ibm866"),
        (GREEK, "windows-1253"),
        (HEBREW, "windows-1255"),
        (ARABIC, "windows-1256"),
        (CHINESE, "gb18030"),
        (TAIWANESE, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso-2022-jp"),
        (KOREAN, "euc-kr"),
        (THAI, "windows-874"),
        (CZECH, "utf-16le"),
        (CHINESE, "utf-16be"),
        (CZECH, "utf-32le"),
    ];
    for (text, name) in cases {
        assert_eq!(results(&encoded(&page(text), name), None), (page(text), name, 0, "detected"));
    }
}

#[test]
fn english_is_known_by_the_quotes_of_an_east_asian_encoding() {
    let text = "It’s “only” plain English, isn’t it…";
    for name in ["gb18030", "big5", "euc-jp", "shift_jis"] {
        assert_eq!(results(&encoded(&page(text), name), None), (page(text), name, 0, "detected"));
    }
    let korean = decode(&encoded(&page(text), "euc-kr"), None);
    assert_eq!((korean.text, korean.encoding), (page(text), "euc-kr"));

    for text in ["¡Viva! ¡En fin!", "A footnote¹, and a “quotation”", "¡¿Qué?! – ¡No!"] {
        assert_eq!(results(&encoded(&page(text), "windows-1252"), None).1, "windows-1252", "{text}");
    }
}

#[test]
fn a_ukrainian_letter_anywhere_tells_koi8_u_from_koi8_r() {
    let html = format!("{}<p>Українська", format!("<p>{RUSSIAN}").repeat(200));

    assert_eq!(results(&encoded(&html, "koi8-u"), None), (html.clone(), "koi8-u", 0, "detected"));
    assert_eq!(decode(&encoded(&RUSSIAN.repeat(200), "koi8-r"), None).encoding, "koi8-r");
}

#[test]
fn one_bad_byte_does_not_hide_what_a_page_is_written_in() {
    for (text, name) in [(CHINESE, "gb18030"), (TAIWANESE, "big5"), (KOREAN, "euc-kr"), (JAPANESE, "euc-jp")] {
        let line = format!("<p>{text}</p>\n").repeat(9);
        let data = joined(&[&encoded(&line, name), b"<p>\xff</p>\n", &encoded(&line, name)]);

        assert_eq!(decode(&data, None).encoding, name);
    }
}

#[test]
fn escapes_that_another_follows_at_once_are_no_faults() {
    let data = b"\x1b$B$\"\x1b(B\x1b$B$\"\x1b(B";

    assert_eq!(results(data, None), ("ああ".to_owned(), "iso-2022-jp", 0, "detected"));
}

#[test]
fn bytes_that_fit_nothing_are_windows_1252() {
    assert_eq!(
        results(b"\xff\x01\xfe\x81\x01", None),
        ("ÿ\u{1}þ\u{81}\u{1}".to_owned(), "windows-1252", 0, "fallback")
    );
}
