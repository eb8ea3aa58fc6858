//! UTF-16 and UTF-32 without a mark: the markup of any page has a NUL in every other byte, or three in four.

use super::labels::Names;

const SAMPLE: usize = 4_096;

pub(super) fn encoding(data: &[u8], names: &Names) -> Option<&'static str> {
    let sample = unpadded(&data[..data.len().min(SAMPLE)]);
    if !sample.contains(&0) {
        return None;
    }
    by_nuls(sample).or_else(|| names.iter().map(|(name, _)| name).find(|name| name.starts_with("utf-16")))
}

/// Without the NULs at its end, but for those that belong to a wide character.
pub(super) fn unpadded(sample: &[u8]) -> &[u8] {
    let end = sample.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &sample[..end.next_multiple_of(4).min(sample.len())]
}

pub(super) fn by_nuls(sample: &[u8]) -> Option<&'static str> {
    if sample.len() < 8 || !sample.contains(&0) {
        return None;
    }
    by_first_tag(sample).or_else(|| by_shares(sample))
}

/// The first characters of nearly all pages. Behind them, a page in Chinese may have hardly any NUL.
fn by_first_tag(sample: &[u8]) -> Option<&'static str> {
    let is_begin = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?');
    let (name, other) = match *sample {
        [b'<', 0, next, 0, third, 0, ..] if is_begin(next) && third != 0 => ("utf-16le", 0),
        [0, b'<', 0, next, 0, third, ..] if is_begin(next) && third != 0 => ("utf-16be", 1),
        _ => return None,
    };
    // The other byte of a character is seldom NUL, unless NULs stand anywhere.
    (share_of_nuls(sample, other) + share_of_nuls(sample, other + 2) < 0.4).then_some(name)
}

fn by_shares(sample: &[u8]) -> Option<&'static str> {
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|place| share_of_nuls(sample, place));
    if first < 0.1 && third.min(fourth) > 0.9 {
        return Some("utf-32le");
    }
    if fourth < 0.1 && first.min(second) > 0.9 {
        return Some("utf-32be");
    }
    let is_little = second.min(fourth) > (4.0 * first.max(third)).max(0.05);
    let is_big = first.min(third) > (4.0 * second.max(fourth)).max(0.05);
    if !(is_little || is_big) || has_stray_nuls(sample) {
        return None;
    }
    Some(if is_little { "utf-16le" } else { "utf-16be" })
}

/// How many of the bytes at one place of each four are NUL.
fn share_of_nuls(sample: &[u8], place: usize) -> f64 {
    let nuls = sample[place..].iter().step_by(4).filter(|byte| **byte == 0).count();
    nuls as f64 / (sample.len() - place).div_ceil(4) as f64
}

/// ASCII with a NUL here and there: in UTF-16 every other byte of it would be one.
fn has_stray_nuls(sample: &[u8]) -> bool {
    let rest = || sample.iter().filter(|byte| **byte != 0);
    10 * rest().count() > 6 * sample.len() && rest().all(|byte| byte.is_ascii() && !is_control(*byte))
}

/// Escape is left out: ISO-2022-JP is written with it.
pub(super) fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | 0x1b)
}
