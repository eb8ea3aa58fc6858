//! What the bytes of a page look like, where it says nothing of its encoding, or lies.

use chardetng::EncodingDetector;

use super::charsets::{decoded, name_of, Origin};
use super::latin;
use super::signs;
use super::wide::is_control;

/// How much of the text that is not ASCII is looked at.
const SAMPLE: usize = 8_192;
const PIECE: usize = 64;
/// Where the text is looked for: so far before the first byte that is not UTF-8, and so far behind it.
const BEFORE: usize = 4_096;
const BEHIND: usize = 1 << 16;

/// The encoding that is likely; `start` is where the first byte stands that is not UTF-8.
pub(super) fn likely(data: &[u8], start: usize) -> Option<&'static str> {
    let text = telling_text(data, start);
    let sample = sample(&text, SAMPLE);
    if let Some(name) = signs::east_asian(sample) {
        return Some(name);
    }
    if latin::is_latin(sample) {
        return Some(latin::likeliest(sample, statistical(sample).unwrap_or("")));
    }
    match other_script(sample).or_else(|| elected(sample)) {
        Some("koi8-r") if has_ukrainian_letters(&data[start..]) => Some("koi8-u"),
        name => name,
    }
}

/// Pages name one of these and are written in the other: which of them the letters speak for, the named one where they
/// leave it open. Any other encoding is what it is named.
pub(super) fn central_european(data: &[u8], start: usize, named: &'static str) -> &'static str {
    if !latin::CENTRAL_EUROPEAN.contains(&named) {
        return named;
    }
    latin::central_european(sample(&telling_text(data, start), SAMPLE), named)
}

/// The lines that are not ASCII, without tags, from `start` on.
fn telling_text(data: &[u8], start: usize) -> Vec<u8> {
    let earliest = start.saturating_sub(BEFORE);
    let begin = data[earliest..start].iter().rposition(|byte| is_border(*byte)).unwrap_or(0);
    let region = &data[earliest + begin..data.len().min(start + BEHIND)];
    let pieces = region.split(|byte| is_border(*byte)).filter(|piece| !piece.is_ascii());
    // A character that a line end cuts tells that the encoding is another.
    pieces.flat_map(|piece| [piece, b"\n"]).collect::<Vec<_>>().concat()
}

/// No encoding has one of these in the middle of a character.
fn is_border(byte: u8) -> bool {
    matches!(byte, b'<' | b'>' | b'\n' | b'\r')
}

/// The beginning of a text, cut behind white space if there is any, because that is never half a character either.
fn sample(text: &[u8], size: usize) -> &[u8] {
    let Some(start) = text.get(..size) else { return text };
    let end = start.iter().rposition(|byte| matches!(byte, b' ' | b'\n')).map(|last| last + 1);
    &start[..end.filter(|end| *end > size / 2).unwrap_or(size)]
}

fn other_script(sample: &[u8]) -> Option<&'static str> {
    if is_noise(sample) {
        return None;
    }
    if is_euc_jp(sample) {
        return Some("euc-jp");
    }
    match statistical(sample)? {
        // What it answers where nothing fits.
        "windows-1252" => None,
        // The larger of the two, which is written in the same way.
        "gbk" => Some("gb18030"),
        // Its name for both.
        "koi8-u" => Some("koi8-r"),
        name => Some(name),
    }
}

/// What most of the text looks like, piece by piece: one bad character rules out the right encoding of a whole text.
fn elected(sample: &[u8]) -> Option<&'static str> {
    let mut votes: Vec<(usize, &'static str)> = Vec::new();
    for piece in pieces(sample) {
        let Some(name) = other_script(piece) else { continue };
        match votes.iter_mut().find(|(_, other)| *other == name) {
            Some((size, _)) => *size += piece.len(),
            None => votes.push((piece.len(), name)),
        }
    }
    votes.into_iter().max().map(|(_, name)| name)
}

/// A text in pieces of at least so many bytes, cut at white space.
fn pieces(sample: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut size = 0;
    sample.split_inclusive(move |byte| {
        size += 1;
        let is_end = size >= PIECE && matches!(byte, b' ' | b'\n');
        if is_end {
            size = 0;
        }
        is_end
    })
}

/// What chardetng takes a text for, which chooses by pairs of letters.
fn statistical(sample: &[u8]) -> Option<&'static str> {
    let mut detector = EncodingDetector::new();
    detector.feed(sample, false);
    let (encoding, is_plausible) = detector.guess_assess(None, false);
    name_of(encoding).filter(|_| is_plausible)
}

/// Bytes among control characters.
fn is_noise(sample: &[u8]) -> bool {
    let controls = sample.iter().filter(|byte| is_control(**byte)).count();
    2 * controls > sample.iter().filter(|byte| !byte.is_ascii()).count()
}

/// Japanese is known by its kana, also in a short text.
fn is_euc_jp(sample: &[u8]) -> bool {
    let kana = sample.windows(2).filter(|pair| matches!(pair, [0xa4 | 0xa5, 0xa1..=0xf6])).count();
    let high = sample.iter().filter(|byte| !byte.is_ascii()).count();
    6 * kana > high && 20 * decoded(sample, "euc-jp", Origin::Detected).replaced <= kana
}

/// KOI8-U has letters where KOI8-R has lines of boxes.
fn has_ukrainian_letters(sample: &[u8]) -> bool {
    let is_letter = |byte: u8| byte >= 0xc0;
    sample
        .windows(2)
        .any(|pair| matches!(pair, [0xa4 | 0xa6 | 0xa7 | 0xad | 0xb4 | 0xb6 | 0xb7 | 0xbd, next] if is_letter(*next)))
}
