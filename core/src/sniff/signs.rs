//! English with the quotes, dashes and dots of an East Asian encoding. It has no letter that tells the encoding.

/// An encoding, its usual signs of two bytes beyond ASCII, and those whose second byte is a letter of ASCII.
type Signs = (&'static str, &'static [u16], &'static [u16]);

// ‘ ’ “ ” — … · – ° ×, as far as each has them. EUC-KR writes quotes as GB18030 does.
const SIGNS: [Signs; 5] = [
    ("gb18030", &[0xa1ae, 0xa1af, 0xa1b0, 0xa1b1, 0xa1aa, 0xa1ad, 0xa1a4, 0xa1e3, 0xa1c1], &[0xa843, 0xa844]),
    ("big5", &[0xa1a5, 0xa1a6, 0xa1a7, 0xa1a8, 0xa1d1], &[0xa156, 0xa158, 0xa14b, 0xa150, 0xa145, 0xa258]),
    ("euc-jp", &[0xa1c6, 0xa1c7, 0xa1c8, 0xa1c9, 0xa1bd, 0xa1c4, 0xa1a6, 0xa1eb, 0xa1df], &[]),
    // No single byte of the usual encodings is 0x81.
    ("shift_jis", &[0x8165, 0x8166, 0x8167, 0x8168, 0x815c, 0x8163, 0x8145, 0x818b, 0x817e], &[]),
    ("euc-kr", &[0xa1ae, 0xa1af, 0xa1b0, 0xa1b1, 0xa1aa, 0xa1a6, 0xa1a4, 0xa1c6, 0xa1bf], &[]),
];
/// So many of these signs are needed for each other character.
const LEAST: usize = 4;

/// The encoding whose signs nearly all characters beyond ASCII are.
pub(super) fn east_asian(sample: &[u8]) -> Option<&'static str> {
    let counted = SIGNS.iter().map(|signs| (signs.0, count(sample, signs)));
    let best = counted.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    (best.1 > 0).then_some(best.0)
}

/// How many of its signs there are; none if they are not nearly everything.
fn count(sample: &[u8], (_, pairs, lettered): &Signs) -> usize {
    let (mut usual, mut others) = (0, 0);
    let mut lettered_count = 0;
    let mut rest = sample;
    while let Some(at) = rest.iter().position(|byte| !byte.is_ascii()) {
        let pair = u16::from_be_bytes([rest[at], rest.get(at + 1).copied().unwrap_or(0)]);
        if pairs.contains(&pair) {
            usual += 1;
        } else if lettered.contains(&pair) {
            lettered_count += 1;
        } else {
            others += 1;
        }
        rest = rest.get(at + 2..).unwrap_or(&[]);
    }
    // By themselves these are words of Spanish: ¡En, ¡Por, ¡Viva.
    let all = if usual > 0 { usual + lettered_count } else { 0 };
    if all >= LEAST * others {
        all
    } else {
        0
    }
}
