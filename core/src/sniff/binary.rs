//! Whether bytes are a text at all.

use memchr::memchr2;

use super::charsets::{decoded, mark_of, Origin, HANDFUL, REPLACEMENT};
use super::wide::{by_nuls, is_control, unpadded};

/// Only what may pass for text in its first kilobytes, or is too short to tell.
const MAGIC: [&[u8]; 29] = [
    b"%PDF-",
    b"\x89PNG",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"II*\0",
    b"MM\0*",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\x7fELF",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"!<arch>",
    b"\xde\x12\x04\x95",
    b"\x95\x04\x12\xde",
    b"OggS",
    b"ID3\x02",
    b"ID3\x03",
    b"ID3\x04",
    b"wOFF\0",
    b"wOF2\0",
    b"SQLite format 3\0",
];
const TAR: &[u8] = b"ustar";
const TAR_PLACE: usize = 257;
const SAMPLE: usize = 8_192;
/// White space may stand before what a file begins with.
const MAGIC_SAMPLE: usize = 1_024;

/// A picture, an archive, a program …: by its first bytes, or by the share of control characters in what follows.
///
/// NULs tell only where there is no markup: pages are padded with them, and full of them where something went wrong.
pub fn is_binary(data: &[u8]) -> bool {
    if has_magic(data) {
        return true;
    }
    let mark = mark_of(data);
    let start = mark.map_or(0, |(length, _)| length);
    let bytes = unpadded(&data[start..data.len().min(SAMPLE).max(start)]);
    let wide = mark.map(|(_, name)| name).filter(|name| *name != "utf-8").or_else(|| by_nuls(bytes));
    let sample = wide.map_or_else(|| bytes.to_vec(), |name| narrowed(bytes, name));
    let rest: Vec<u8> = sample.iter().copied().filter(|byte| *byte != 0).collect();
    if rest.is_empty() {
        return data.len() > start;
    }
    let controls = rest.iter().filter(|byte| is_control(**byte)).count();
    let nuls = sample.len() - rest.len();
    let is_text = controls <= rest.len() / 20 + HANDFUL && controls < rest.len();
    !is_text || (nuls > sample.len() / 20 + HANDFUL && !has_tag(&rest))
}

fn has_magic(data: &[u8]) -> bool {
    let head = &data[..data.len().min(MAGIC_SAMPLE)];
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let head = &head[head.iter().position(|byte| !is_space(byte)).unwrap_or(head.len())..];
    MAGIC.iter().any(|magic| head.starts_with(magic)) || data.get(TAR_PLACE..).is_some_and(|rest| rest.starts_with(TAR))
}

/// Wide characters as UTF-8; a control character stands for each that is none.
fn narrowed(bytes: &[u8], name: &'static str) -> Vec<u8> {
    decoded(bytes, name, Origin::Detected).text.replace(REPLACEMENT, "\x01").into_bytes()
}

fn has_tag(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'<').skip(1).any(|rest| {
        let name = rest.strip_prefix(b"/").unwrap_or(rest);
        let is_markup = rest.first() == Some(&b'!') || name.first().is_some_and(u8::is_ascii_alphabetic);
        is_markup && memchr2(b'>', b'<', rest).is_some()
    })
}
