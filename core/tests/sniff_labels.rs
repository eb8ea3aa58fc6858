//! Every label of the WHATWG Encoding Standard, in every place where a page may name it.

mod sniff_texts;

use sniff_texts::*;
use victor_core::sniff::{decode, encoding_of};

/// https://encoding.spec.whatwg.org/#names-and-labels, without those of `replacement`.
const LABELS: [(&str, &str); 39] = [
    ("utf-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
    ("ibm866", "866 cp866 csibm866 ibm866"),
    ("iso-8859-2", "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"),
    ("iso-8859-3", "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"),
    ("iso-8859-4", "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"),
    ("iso-8859-5", "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"),
    (
        "iso-8859-6",
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i \
         iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    ),
    (
        "iso-8859-7",
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
         iso_8859-7:1987 sun_eu_greek",
    ),
    (
        "iso-8859-8",
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
         iso_8859-8:1988 visual",
    ),
    ("iso-8859-8-i", "csiso88598i iso-8859-8-i logical"),
    ("iso-8859-10", "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
    ("iso-8859-13", "iso-8859-13 iso8859-13 iso885913"),
    ("iso-8859-14", "iso-8859-14 iso8859-14 iso885914"),
    ("iso-8859-15", "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"),
    ("iso-8859-16", "iso-8859-16"),
    ("koi8-r", "cskoi8r koi koi8 koi8-r koi8_r"),
    ("koi8-u", "koi8-ru koi8-u"),
    ("macintosh", "csmacintosh mac macintosh x-mac-roman"),
    ("windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"),
    ("windows-1250", "cp1250 windows-1250 x-cp1250"),
    ("windows-1251", "cp1251 windows-1251 x-cp1251"),
    (
        "windows-1252",
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 \
         iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    ),
    ("windows-1253", "cp1253 windows-1253 x-cp1253"),
    (
        "windows-1254",
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
         windows-1254 x-cp1254",
    ),
    ("windows-1255", "cp1255 windows-1255 x-cp1255"),
    ("windows-1256", "cp1256 windows-1256 x-cp1256"),
    ("windows-1257", "cp1257 windows-1257 x-cp1257"),
    ("windows-1258", "cp1258 windows-1258 x-cp1258"),
    ("x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"),
    ("gbk", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"),
    ("gb18030", "gb18030"),
    ("big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
    ("euc-jp", "cseucpkdfmtjapanese euc-jp x-euc-jp"),
    ("iso-2022-jp", "csiso2022jp iso-2022-jp"),
    ("shift_jis", "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"),
    (
        "euc-kr",
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
    ),
    ("utf-16be", "unicodefffe utf-16be"),
    ("utf-16le", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"),
    // Browsers read pages that claim it as windows-1252.
    ("windows-1252", "x-user-defined"),
];

const TEXTS: [&str; 20] = [
    CZECH, FRENCH, RUSSIAN, UKRAINIAN, GREEK, HEBREW, ARABIC, THAI, CHINESE, TAIWANESE, JAPANESE, KOREAN, LATIN, EARLY,
    POLISH, TURKISH, LITHUANIAN, BULGARIAN, ICELANDIC, SPANISH,
];
const POLISH: &str = "Dziś rano listonosz przyniósł nam dwa listy i małą paczkę ze wsi, a później żółtą książkę.";
const TURKISH: &str = "Bu sabah postacı bize iki mektup ve köyden küçük bir paket getirdi, dün gece yağmur yağdı.";
const LITHUANIAN: &str = "Šįryt paštininkas atnešė mums du laiškus ir nedidelį siuntinį iš kaimo, žinią apie orą.";
const BULGARIAN: &str = "Тази сутрин пощальонът ни донесе две писма и малък колет от село.";
const ICELANDIC: &str = "Í morgun færði pósturinn okkur tvö bréf og lítinn böggul úr sveitinni, það þótti gott.";
const SPANISH: &str = "Esta mañana el cartero nos trajo dos cartas y un paquete pequeño: ¿quién lo envió?";
const LATIN: &str = "Der Ärger über den Lärm auf dem Dorf ist groß, sagte der Briefträger.";
/// The Latin letters that Vietnamese and Celtic encodings have as well.
const EARLY: &str = "Élève à côté de l'école, là où.";

/// The texts that the encoding can write, each in another language.
fn texts_in(name: &str) -> impl Iterator<Item = &'static str> {
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect(name);
    TEXTS.into_iter().filter(move |text| !encoding.encode(text).2)
}

fn declarations(label: &str) -> [String; 4] {
    [
        String::new(),
        meta(label),
        format!("<meta http-equiv=Content-Type content='text/html; charset={label}'>"),
        format!("<?xml version='1.0' encoding='{}'?>", label.to_uppercase()),
    ]
}

#[test]
fn every_label_means_its_encoding_wherever_it_stands() {
    let labels = LABELS.iter().flat_map(|(name, labels)| labels.split_whitespace().map(move |label| (*name, label)));
    let mut count = 0;
    for (name, label) in labels {
        assert_eq!(encoding_of(&label.to_uppercase()), Some(name), "{label}");
        let is_wide = name.starts_with("utf-16");
        for (place, declaration) in declarations(label).into_iter().enumerate() {
            let is_from_outside = place == 0;
            // Whoever could read the name inside has not read UTF-16.
            let written = if is_wide && !is_from_outside { "utf-8" } else { name };
            for text in texts_in(written) {
                let html = page_with(text, &declaration);
                let read = decode(&encoded(&html, written), is_from_outside.then_some(label));
                assert_eq!(
                    (read.text.as_str(), read.encoding, read.replaced),
                    (html.as_str(), written, 0),
                    "{label} {place}"
                );
                count += 1;
            }
        }
        let marked = decode(&joined(&[b"\xef\xbb\xbf", page_with(CZECH, &meta(label)).as_bytes()]), Some(label));
        assert_eq!((marked.encoding, marked.origin.as_str()), ("utf-8", "bom"), "{label}");
    }
    println!("labels, declarations and languages: {count} tried, 0 failed");
    assert!(count > 4 * 222);
}

#[test]
fn tables_are_those_of_the_standard_where_others_differ() {
    let cases: [(&str, &[u8], &str); 13] = [
        ("koi8-u", b"\xae\xbe", "ўЎ"),
        ("koi8-u", b"\xa4\xa6\xa7\xad", "єіїґ"),
        ("windows-1255", b"\xca", "\u{5ba}"),
        ("windows-1255", b"\xa4", "₪"),
        ("big5", b"\x88\x62\xa3\xe1", "Ê\u{304}€"),
        ("big5", b"\xf9\xd5\xa1\x45", "龘‧"),
        ("gbk", b"\x80\xa2\xe3", "€€"),
        ("gbk", b"\xa8\xbf\x81\x30\x84\x36", "ǹ¥"),
        ("gb18030", b"\x81\x35\xf4\x37\xa8\xbc", "\u{e7c7}ḿ"),
        ("gb18030", b"\x94\x39\xda\x33", "💩"),
        ("euc-jp", b"\xa1\xc1\xa1\xdd", "～－"),
        ("euc-jp", b"\x8f\xb0\xa1\x8e\xb1", "丂ｱ"),
        ("shift_jis", b"\x81\x60\x87\x40\x5c", "～①\\"),
    ];
    for (name, bytes, text) in cases {
        let before = encoded(texts_in(name).next().expect(name), name);

        assert!(
            decode(&joined(&[&before, b" ", bytes]), Some(name)).text.ends_with(&format!(" {text}")),
            "{name} {text}"
        );
    }
}

#[test]
fn declared_text_of_few_characters_is_not_utf_8_by_chance() {
    let cases = [("gb2312", "图片"), ("gbk", "小站"), ("gb18030", "影片"), ("gb2312", "小图片站新")];
    for (label, text) in cases {
        let name = encoding_of(label).expect(label);
        let html = page_with(text, &meta(label));
        let data = encoded(&html, name);
        let read = decode(&data, None);

        assert_eq!((read.text, read.encoding), (html, name));
    }
}

#[test]
fn utf_8_of_few_characters_stays_what_it_is_whatever_is_declared() {
    for text in ["© 2024 · é", "Привет", "Ευχαριστώ", "čtyři", "图片"] {
        let html = page_with(text, &meta("gbk"));
        let read = decode(html.as_bytes(), None);

        assert_eq!((read.text, read.encoding), (html, "utf-8"));
    }
}
