//! Bytes → text, as the WHATWG Encoding Standard says; by the bytes themselves where a page says nothing, or lies.
//!
//! The order of evidence: a byte order mark, NULs in the pattern of wide characters, valid UTF-8, UTF-8 with a few
//! faults, the names given for the page if they fit it, what the bytes look like, windows-1252.

mod binary;
mod charsets;
mod detection;
mod labels;
mod latin;
mod prescan;
mod signs;
mod wide;

use std::borrow::Cow;
use std::iter::once_with;

use memchr::{memchr, memmem};

pub use binary::is_binary;
pub use charsets::{encoding_of, Decoded, Origin};
pub use labels::declared;

use charsets::{decoded, faults, is_single_byte, mark_of, HANDFUL, REPLACEMENT};
use labels::Names;

/// How much of damaged UTF-8 is read behind the first fault, to tell whether it is UTF-8 at all.
const DAMAGE_SAMPLE: usize = 1 << 18;

/// The text of a page; `charset` is what is said of it from outside, such as by HTTP.
pub fn decode(data: &[u8], charset: Option<&str>) -> Decoded {
    let mark = mark_of(data);
    let data = &data[mark.map_or(0, |(length, _)| length)..];
    let names = Names::of(data, charset);
    let wide = mark.map(|(_, name)| name).filter(|name| *name != "utf-8").or_else(|| wide::encoding(data, &names));
    if let Some(name) = wide {
        let origin = if mark.is_some() { Origin::Bom } else { names.origin(name).unwrap_or(Origin::Detected) };
        return decoded(data, name, origin);
    }
    narrow(&without_nuls(data), &names.narrow(mark.is_some()))
}

fn without_nuls(data: &[u8]) -> Cow<'_, [u8]> {
    match memchr(0, data) {
        None => Cow::Borrowed(data),
        Some(_) => Cow::Owned(data.iter().copied().filter(|byte| *byte != 0).collect()),
    }
}

fn narrow(data: &[u8], names: &Names) -> Decoded {
    if let Some(pairs) = few_pairs(data, names) {
        return pairs;
    }
    match simdutf8::compat::from_utf8(data) {
        Ok(text) => valid_utf8(text, names),
        Err(error) => {
            let start = error.valid_up_to();
            damaged_utf8(data, names, start).unwrap_or_else(|| legacy(data, names, start))
        }
    }
}

/// In a few words of these, where every character is two bytes from 0xA1 on, both may be a character of UTF-8.
const PAIRED: [&str; 5] = ["gbk", "gb18030", "big5", "euc-kr", "euc-jp"];
const MOST_PAIRED: usize = 32;
const LEAST_PAIRED: u8 = 0xa1;

/// A page that names such an encoding, fits it, and holds too little to be UTF-8 by more than chance. Signs of Latin-1,
/// such as ©, stand on many pages that are UTF-8 and name another encoding.
fn few_pairs(data: &[u8], names: &Names) -> Option<Decoded> {
    let (name, origin) = names.first().filter(|(name, _)| PAIRED.contains(name))?;
    let mut high = data.iter().filter(|byte| !byte.is_ascii());
    if high.by_ref().take(MOST_PAIRED).any(|byte| *byte < LEAST_PAIRED) || high.next().is_some() {
        return None;
    }
    let by_chance = decoded(data, "utf-8", Origin::Detected);
    let mut signs = by_chance.text.chars().filter(|sign| *sign != REPLACEMENT);
    let has_pairs = signs.clone().any(|sign| sign > '\u{ff}') && signs.all(|sign| sign < '\u{800}');
    has_pairs.then(|| decoded(data, name, origin)).filter(|pairs| pairs.replaced == 0)
}

/// Text in another encoding is hardly ever valid UTF-8, which therefore outweighs what a page says of itself.
fn valid_utf8(text: &str, names: &Names) -> Decoded {
    if let Some(japanese) = iso_2022_jp(text.as_bytes(), names) {
        return japanese;
    }
    let said = if text.is_ascii() { names.first() } else { None };
    let (encoding, origin) = said.unwrap_or_else(|| ("utf-8", names.origin("utf-8").unwrap_or(Origin::Utf8)));
    Decoded { text: text.to_owned(), encoding, replaced: 0, origin }
}

/// Japanese between escapes, which is ASCII to everybody else.
fn iso_2022_jp(data: &[u8], names: &Names) -> Option<Decoded> {
    // One byte is looked for first: finding two takes longer.
    memchr(0x1b, data).and_then(|first| memmem::find(&data[first..], b"\x1b$"))?;
    let named = names.origin("iso-2022-jp");
    let japanese = decoded(data, "iso-2022-jp", named.unwrap_or(Origin::Detected));
    let whole = japanese.text.chars().filter(|sign| !sign.is_ascii()).count() - japanese.replaced;
    (whole > 0 && (named.is_some() || 20 * japanese.replaced <= whole)).then_some(japanese)
}

/// UTF-8 with faults: most of its non-ASCII characters are whole, or only the page's last one is cut.
fn damaged_utf8(data: &[u8], names: &Names, damage: usize) -> Option<Decoded> {
    let sample = decoded(&data[..data.len().min(damage + DAMAGE_SAMPLE)], "utf-8", Origin::Detected);
    let named = names.origin("utf-8");
    let is_cut = named.is_some() && sample.replaced == 1 && sample.text.ends_with(REPLACEMENT);
    (is_mostly_whole(&sample) || is_cut).then(|| decoded(data, "utf-8", named.unwrap_or(Origin::Detected)))
}

fn is_mostly_whole(sample: &Decoded) -> bool {
    let high = sample.text.chars().filter(|sign| !sign.is_ascii()).count();
    let long = sample.text.chars().filter(|sign| *sign >= '\u{800}').count();
    let (whole, whole_long) = (high - sample.replaced, long - sample.replaced);
    // Three bytes in a row hardly ever are UTF-8 by chance.
    whole > sample.replaced || (whole_long > HANDFUL && 2 * whole_long > sample.replaced)
}

/// What is named if it fits, else what is likely; `start` is where the first byte stands that is not UTF-8.
fn legacy(data: &[u8], names: &Names, start: usize) -> Decoded {
    let high = data.iter().filter(|byte| !byte.is_ascii()).count();
    let named = names.iter().filter(|(name, _)| *name != "utf-8");
    let named = named.map(|(name, origin)| (detection::central_european(data, start, name), origin));
    let likely = once_with(|| detection::likely(data, start)).flatten().map(|name| (name, Origin::Detected));

    let mut best: Option<(usize, Decoded)> = None;
    for (name, origin) in named.chain(likely) {
        let attempt = decoded(data, name, origin);
        let faults = faults(data, &attempt);
        if faults <= tolerance(high, name) {
            return attempt;
        }
        if best.as_ref().is_none_or(|(least, _)| faults < *least) {
            best = Some((faults, attempt));
        }
    }
    best.map_or_else(|| decoded(data, "windows-1252", Origin::Fallback), |(_, attempt)| attempt)
}

/// Counted against what is not ASCII: markup would hide that half of the words came out wrong.
fn tolerance(high: usize, name: &str) -> usize {
    HANDFUL.max(high / if is_single_byte(name) { 40 } else { 80 })
}
