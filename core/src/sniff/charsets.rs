//! The encodings of the WHATWG Encoding Standard: their labels, and bytes → text in each; and UTF-32 besides.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding};
use memchr::memmem;

pub(super) const REPLACEMENT: char = '\u{FFFD}';

const BUFFER: usize = 1 << 14;

/// So many faults say nothing of a page.
pub(super) const HANDFUL: usize = 5;

/// Text; `replaced` counts the U+FFFD that stand for bytes which meant nothing, not those the page had itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    pub text: String,
    /// The standard's name, in lower case.
    pub encoding: &'static str,
    pub replaced: usize,
    pub origin: Origin,
}

/// What an encoding is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Bom,
    Given,
    Meta,
    Utf8,
    Detected,
    Fallback,
}

impl Origin {
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::Bom => "bom",
            Origin::Given => "given",
            Origin::Meta => "meta",
            Origin::Utf8 => "utf-8",
            Origin::Detected => "detected",
            Origin::Fallback => "fallback",
        }
    }
}

/// The standard's names in lower case: encoding_rs has them as they were registered. `replacement` and
/// `x-user-defined` are left out, because no page is read so.
const NAMES: [&str; 38] = [
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "ibm866",
    "iso-2022-jp",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "shift_jis",
    "utf-16be",
    "utf-16le",
    "utf-8",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "x-mac-cyrillic",
];

/// The mark of UTF-32LE begins with that of UTF-16LE, so it is looked for before that.
const MARKS: [(&[u8], &str); 5] = [
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32le"),
    (b"\0\0\xfe\xff", "utf-32be"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
];

/// The standard's name for a label; quotes around it count for nothing, as pages have them.
pub fn encoding_of(label: &str) -> Option<&'static str> {
    exact_encoding_of(label.trim_matches(|sign| " \t\r\n\x0c\"'".contains(sign)).as_bytes())
}

/// The standard's name for a label that is written as the standard says.
pub(super) fn exact_encoding_of(label: &[u8]) -> Option<&'static str> {
    Encoding::for_label(label).and_then(name_of)
}

pub(super) fn name_of(encoding: &'static Encoding) -> Option<&'static str> {
    if encoding == encoding_rs::X_USER_DEFINED {
        return Some("windows-1252");
    }
    NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(encoding.name()))
}

/// The length of a byte order mark, and the encoding that it stands for.
pub(super) fn mark_of(data: &[u8]) -> Option<(usize, &'static str)> {
    MARKS.iter().find(|(mark, _)| data.starts_with(mark)).map(|(mark, name)| (mark.len(), *name))
}

pub(super) fn decoded(data: &[u8], name: &'static str, origin: Origin) -> Decoded {
    let (text, replaced) = match name {
        "utf-32le" => utf_32(data, u32::from_le_bytes),
        "utf-32be" => utf_32(data, u32::from_be_bytes),
        "iso-2022-jp" => standard_text(&without_idle_escapes(data), encoding_rs::ISO_2022_JP),
        _ => standard_text(data, standard(name)),
    };
    Decoded { text, encoding: name, replaced, origin }
}

fn standard(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(encoding_rs::WINDOWS_1252)
}

pub(super) fn is_single_byte(name: &str) -> bool {
    standard(name).is_single_byte()
}

/// Counts each fault where it is met, because a page may have U+FFFD of its own.
fn standard_text(data: &[u8], encoding: &'static Encoding) -> (String, usize) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(data.len() + data.len() / 8);
    // Not straight into the text, because each call looks at all room that is left.
    let mut buffer = "\0".repeat(BUFFER.min(3 * data.len() + 16));
    let mut replaced = 0;
    let mut rest = data;
    loop {
        let (result, read, written) = decoder.decode_to_str_without_replacement(rest, &mut buffer, true);
        text.push_str(&buffer[..written]);
        rest = &rest[read..];
        match result {
            DecoderResult::InputEmpty => return (text, replaced),
            DecoderResult::OutputFull => (),
            DecoderResult::Malformed(..) => {
                text.push(REPLACEMENT);
                replaced += 1;
            }
        }
    }
}

fn utf_32(data: &[u8], number: fn([u8; 4]) -> u32) -> (String, usize) {
    let mut text = String::with_capacity(data.len() / 4 + 4);
    let mut replaced = 0;
    for unit in data.chunks(4) {
        let sign = <[u8; 4]>::try_from(unit).ok().and_then(|unit| char::from_u32(number(unit)));
        replaced += usize::from(sign.is_none());
        text.push(sign.unwrap_or(REPLACEMENT));
    }
    (text, replaced)
}

/// ISO-2022-JP without escapes that another follows at once. The standard takes these for faults, and pages have them
/// where pieces were encoded one by one.
fn without_idle_escapes(data: &[u8]) -> Cow<'_, [u8]> {
    let is_escape = |place: usize| {
        let escape = data.get(place..place + 3).unwrap_or(b"");
        matches!(escape, b"\x1b(B" | b"\x1b(J" | b"\x1b(I" | b"\x1b$@" | b"\x1b$B")
    };
    let mut kept = Vec::new();
    let mut begin = 0;
    for place in memmem::find_iter(data, b"\x1b").filter(|place| is_escape(*place) && is_escape(place + 3)) {
        kept.extend_from_slice(&data[begin..place]);
        begin = place + 3;
    }
    if begin == 0 {
        return Cow::Borrowed(data);
    }
    kept.extend_from_slice(&data[begin..]);
    Cow::Owned(kept)
}

/// How many bytes or characters tell that a text is not in the encoding it was read in.
pub(super) fn faults(data: &[u8], attempt: &Decoded) -> usize {
    if !is_single_byte(attempt.encoding) {
        return attempt.replaced;
    }
    let is_odd = odd_bytes(standard(attempt.encoding));
    data.iter().filter(|byte| !byte.is_ascii() && is_odd[usize::from(**byte & 0x7f)]).count()
}

/// The bytes from 0x80 on that no text would hold: control characters, and those that mean nothing at all.
fn odd_bytes(encoding: &'static Encoding) -> [bool; 0x80] {
    let high: Vec<u8> = (0x80..=0xff).collect();
    let mut odd = [false; 0x80];
    for (is_odd, sign) in odd.iter_mut().zip(standard_text(&high, encoding).0.chars()) {
        *is_odd = sign == REPLACEMENT || sign.is_control();
    }
    odd
}
