//! Arrays from the files that `numpy.savez` and `numpy.savez_compressed` write.
//!
//! Whatever the bytes are, reading ends with arrays or with a message. Nothing is allocated that the file could not
//! fill.

use std::collections::HashMap;

/// Larger files, files whose arrays together are larger, and single arrays that take more memory are refused.
const MOST_BYTES: usize = 1 << 30;
/// Deflate makes no byte into more than these.
const MOST_OF_A_BYTE: usize = 1032;
/// Header lines of arrays as `numpy` writes them have some 120 characters.
const LONGEST_HEADER: usize = 4096;

pub type Arrays = HashMap<String, Array>;

#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<usize>,
    pub values: Values,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    Singles(Vec<f32>),
    Doubles(Vec<f64>),
    /// All whole numbers.
    Wholes(Vec<i64>),
    Texts(Vec<String>),
}

/// The arrays of a file whose names begin with a prefix, by what follows it.
pub fn read(file: &[u8], prefix: &str) -> Result<Arrays, String> {
    if file.len() > MOST_BYTES {
        return Err(format!("larger than {MOST_BYTES} bytes"));
    }
    let mut arrays = Arrays::new();
    // Of contents that overlap, a small file could hold any number.
    let (mut left, mut left_packed) = (MOST_BYTES, file.len());
    for entry in entries(file)? {
        let Some(name) = entry.name.strip_suffix(".npy").and_then(|name| name.strip_prefix(prefix)) else { continue };
        let within = |error| format!("'{}': {error}", entry.name);
        left = left.checked_sub(entry.size).ok_or_else(|| format!("arrays of more than {MOST_BYTES} bytes"))?;
        left_packed = left_packed.checked_sub(entry.packed).ok_or("more in its table than in the file")?;
        let content = unpacked(file, &entry).map_err(within)?;
        if arrays.insert(name.to_string(), array(&content).map_err(within)?).is_some() {
            return Err(within("twice in the file".to_string()));
        }
    }
    Ok(arrays)
}

// The zip file around the arrays

const OF_END: [u8; 4] = *b"PK\x05\x06";
const OF_ENTRY: [u8; 4] = *b"PK\x01\x02";
const OF_CONTENT: [u8; 4] = *b"PK\x03\x04";
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const ENCRYPTED: u16 = 1;

struct Entry {
    name: String,
    flags: u16,
    method: u16,
    digest: u32,
    packed: usize,
    size: usize,
    /// Where what is said before its content begins.
    place: usize,
}

/// Little-endian numbers at places of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn at(&self, place: usize, count: usize) -> Result<&'a [u8], String> {
        let end = place.checked_add(count).filter(|end| *end <= self.0.len());
        end.map(|end| &self.0[place..end]).ok_or_else(|| "the file was cut off".to_string())
    }

    fn short(&self, place: usize) -> Result<u16, String> {
        self.at(place, 2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn long(&self, place: usize) -> Result<u32, String> {
        self.at(place, 4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}

/// What the table at the end of a zip file says that it holds.
fn entries(file: &[u8]) -> Result<Vec<Entry>, String> {
    const LENGTH_OF_END: usize = 22;
    const LONGEST_COMMENT: usize = 0xffff;
    let latest = file.len().checked_sub(LENGTH_OF_END).ok_or("not a zip file: too short")?;
    let mut places = (latest.saturating_sub(LONGEST_COMMENT)..=latest).rev();
    let end = places.find(|place| file[*place..].starts_with(&OF_END)).ok_or("not a zip file: it has no end")?;
    let bytes = Bytes(file);
    let (count, mut place) = (bytes.short(end + 10)?, bytes.long(end + 16)? as usize);
    let mut entries = Vec::new();
    for _ in 0..count {
        let (entry, next) = entry(&bytes, place)?;
        entries.push(entry);
        place = next;
    }
    Ok(entries)
}

/// One line of the table, and where the next begins.
fn entry(bytes: &Bytes, place: usize) -> Result<(Entry, usize), String> {
    const LENGTH: usize = 46;
    if bytes.at(place, LENGTH)?[..4] != OF_ENTRY {
        return Err("not a zip file: its table is broken".to_string());
    }
    let length = bytes.short(place + 28)? as usize;
    let others = bytes.short(place + 30)? as usize + bytes.short(place + 32)? as usize;
    let name = std::str::from_utf8(bytes.at(place + LENGTH, length)?).map_err(|_| "a name is not UTF-8")?;
    let entry = Entry {
        name: name.to_string(),
        flags: bytes.short(place + 8)?,
        method: bytes.short(place + 10)?,
        digest: bytes.long(place + 16)?,
        packed: bytes.long(place + 20)? as usize,
        size: bytes.long(place + 24)? as usize,
        place: bytes.long(place + 42)? as usize,
    };
    Ok((entry, place + LENGTH + length + others))
}

fn unpacked(file: &[u8], entry: &Entry) -> Result<Vec<u8>, String> {
    const LENGTH: usize = 30;
    let bytes = Bytes(file);
    if bytes.at(entry.place, LENGTH)?[..4] != OF_CONTENT {
        return Err("not where the table says".to_string());
    }
    let before = bytes.short(entry.place + 26)? as usize + bytes.short(entry.place + 28)? as usize;
    let packed = bytes.at(entry.place + LENGTH + before, entry.packed)?;
    let content = match entry.method {
        _ if entry.flags & ENCRYPTED != 0 => return Err("it is encrypted".to_string()),
        STORED => packed.to_vec(),
        DEFLATED => inflated(packed, entry.size)?,
        method => return Err(format!("packed by method {method}; known are 0 (stored) and 8 (deflated)")),
    };
    if content.len() != entry.size {
        return Err(format!("{} bytes, not the {} that the table says", content.len(), entry.size));
    }
    if digest_of(&content) != entry.digest {
        return Err("its bytes are not those that were packed (CRC-32)".to_string());
    }
    Ok(content)
}

fn inflated(packed: &[u8], size: usize) -> Result<Vec<u8>, String> {
    if size / MOST_OF_A_BYTE > packed.len() {
        return Err(format!("{} bytes cannot be packed {size} bytes", packed.len()));
    }
    miniz_oxide::inflate::decompress_to_vec_with_limit(packed, size)
        .map_err(|error| format!("cannot be unpacked: {:?}", error.status))
}

/// CRC-32, by four bytes at once.
fn digest_of(bytes: &[u8]) -> u32 {
    let chunks = bytes.chunks_exact(4);
    let rest = chunks.remainder();
    let digest = chunks.fold(u32::MAX, |digest, chunk| {
        let mixed = digest ^ u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
        (0..4).fold(0, |sum, place| sum ^ CRC[3 - place][(mixed >> (8 * place)) as usize & 255])
    });
    !rest.iter().fold(digest, |digest, byte| digest >> 8 ^ CRC[0][(digest as u8 ^ byte) as usize])
}

/// What each byte does to a digest, before 0 to 3 bytes that are zero.
static CRC: [[u32; 256]; 4] = {
    let mut tables = [[0; 256]; 4];
    let mut place = 0;
    while place < 4 * 256 {
        let (table, byte) = (place / 256, place % 256);
        let (mut digest, mut bits) = (if table == 0 { byte as u32 } else { tables[table - 1][byte] }, 0);
        while bits < 8 {
            digest = digest >> 1 ^ if digest & 1 == 1 { 0xedb8_8320 } else { 0 };
            bits += 1;
        }
        tables[table][byte] = digest;
        place += 1;
    }
    tables
};

// The arrays themselves

/// How each value is written.
#[derive(Clone, Copy)]
enum Kind {
    Single,
    Double,
    /// So many bytes, with a sign or without.
    Whole {
        bytes: usize,
        is_signed: bool,
    },
    /// So many characters of four bytes.
    Text {
        characters: usize,
    },
}

impl Kind {
    /// By what a header says: `<f4`, `|u1`, `<U12`.
    fn named(name: &str) -> Option<Self> {
        if let Some(characters) = name.strip_prefix("<U") {
            return characters.parse().ok().map(|characters| Self::Text { characters });
        }
        match name {
            "<f4" => Some(Self::Single),
            "<f8" => Some(Self::Double),
            "|u1" => Some(Self::Whole { bytes: 1, is_signed: false }),
            "|i1" => Some(Self::Whole { bytes: 1, is_signed: true }),
            "<u2" => Some(Self::Whole { bytes: 2, is_signed: false }),
            "<i2" => Some(Self::Whole { bytes: 2, is_signed: true }),
            "<i4" => Some(Self::Whole { bytes: 4, is_signed: true }),
            "<i8" => Some(Self::Whole { bytes: 8, is_signed: true }),
            _ => None,
        }
    }

    fn bytes(self) -> Option<usize> {
        match self {
            Self::Single => Some(4),
            Self::Double => Some(8),
            Self::Whole { bytes, .. } => Some(bytes),
            Self::Text { characters } => characters.checked_mul(4),
        }
    }

    /// What a value takes once it is read.
    fn memory(self) -> usize {
        match self {
            Self::Single => size_of::<f32>(),
            Self::Double => size_of::<f64>(),
            Self::Whole { .. } => size_of::<i64>(),
            Self::Text { characters } => size_of::<String>().saturating_add(characters.saturating_mul(4)),
        }
    }
}

fn array(file: &[u8]) -> Result<Array, String> {
    let (header, content) = parted(file)?;
    let (kind, shape) = described(header).ok_or_else(|| format!("not understood: {}", header.trim_end()))?;
    let count = shape.iter().try_fold(1_usize, |count, length| count.checked_mul(*length));
    if count.zip(kind.bytes()).and_then(|(count, bytes)| count.checked_mul(bytes)) != Some(content.len()) {
        return Err(format!("{} bytes are not of the shape {shape:?}", content.len()));
    }
    let has_room = |count: &usize| count.checked_mul(kind.memory()).is_some_and(|memory| memory <= MOST_BYTES);
    let count = count.filter(has_room).ok_or("too many values")?;
    Ok(Array { values: values(kind, content, count)?, shape })
}

/// The header of an array, and its bytes.
fn parted(file: &[u8]) -> Result<(&str, &[u8]), String> {
    let bytes = Bytes(file);
    let start = bytes.at(0, 8)?;
    if start[..6] != *b"\x93NUMPY" {
        return Err("not an array of numpy".to_string());
    }
    let (begin, length) = match start[6] {
        1 => (10, bytes.short(8)? as usize),
        2 | 3 => (12, bytes.long(8)? as usize),
        version => return Err(format!("version {version} of the format; known are 1, 2 and 3")),
    };
    if length > LONGEST_HEADER {
        return Err(format!("a header of {length} bytes"));
    }
    let header = std::str::from_utf8(bytes.at(begin, length)?).map_err(|_| "a header that is not UTF-8")?;
    Ok((header, &file[begin + length..]))
}

/// What a header says: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
fn described(header: &str) -> Option<(Kind, Vec<usize>)> {
    let inner = header.trim().strip_prefix('{')?.strip_suffix('}')?;
    let kind = value_of(inner, "descr")?.strip_prefix('\'')?.split_once('\'')?.0;
    let is_in_order = value_of(inner, "fortran_order")?.starts_with("False");
    let shape = value_of(inner, "shape")?.strip_prefix('(')?.split_once(')')?.0;
    let lengths = shape.split(',').map(str::trim).filter(|length| !length.is_empty());
    let lengths: Option<Vec<usize>> = lengths.map(|length| length.parse().ok()).collect();
    is_in_order.then_some(())?;
    Kind::named(kind).zip(lengths)
}

/// What follows a key.
fn value_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, behind) = header.split_once(&format!("'{key}':"))?;
    Some(behind.trim_start())
}

fn values(kind: Kind, content: &[u8], count: usize) -> Result<Values, String> {
    Ok(match kind {
        Kind::Single => {
            Values::Singles(content.chunks_exact(4).map(|bytes| f32::from_bits(whole(bytes) as u32)).collect())
        }
        Kind::Double => Values::Doubles(content.chunks_exact(8).map(|bytes| f64::from_bits(whole(bytes))).collect()),
        Kind::Whole { bytes, is_signed } => {
            let unused = if is_signed { 64 - 8 * bytes as u32 } else { 0 };
            Values::Wholes(content.chunks_exact(bytes).map(|bytes| (whole(bytes) << unused) as i64 >> unused).collect())
        }
        // Numpy writes no characters where all texts are empty.
        Kind::Text { characters: 0 } if count > LONGEST_HEADER => return Err("too many empty texts".to_string()),
        Kind::Text { characters: 0 } => Values::Texts(vec![String::new(); count]),
        Kind::Text { characters } => {
            let texts: Result<Vec<String>, String> = content.chunks_exact(4 * characters).map(text).collect();
            Values::Texts(texts?)
        }
    })
}

/// A number of up to eight bytes.
fn whole(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Up to the zeros at its end.
fn text(bytes: &[u8]) -> Result<String, String> {
    let characters: Option<String> = bytes.chunks_exact(4).map(|bytes| char::from_u32(whole(bytes) as u32)).collect();
    let characters = characters.ok_or("a text has what is not a character")?;
    Ok(characters.trim_end_matches('\0').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, content: &[u8]) -> Vec<u8> {
        [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes(), content].concat()
    }

    #[test]
    fn whatever_stands_in_an_array_gives_values_or_a_message() {
        let header = "{'descr': '<U2', 'fortran_order': False, 'shape': (2, 1), }\n";
        let whole = file(header, &[b"a\0\0\0".repeat(2), b"b\0\0\0".repeat(2)].concat());
        assert_eq!(array(&whole).unwrap().values, Values::Texts(vec!["aa".into(), "bb".into()]));
        for place in 0..whole.len() {
            for byte in 0..=u8::MAX {
                let mut broken = whole.clone();
                broken[place] = byte;
                let _ = array(&broken);
            }
            assert!(array(&whole[..place]).is_err());
        }
    }

    #[test]
    fn shapes_that_overflow_are_refused() {
        for (kind, shape) in [
            ("<f4", "(4294967296, 4294967296)"),
            ("<f4", "(4611686018427387904, 4)"),
            ("<U4611686018427387904", "(1,)"),
            ("<U4611686018427387904", "(0,)"),
            ("<U0", "(99999999999,)"),
            ("<U0", "(9999999,)"),
            ("|u1", "(-1,)"),
            ("|u1", "(18446744073709551616,)"),
        ] {
            let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");

            assert!(array(&file(&header, b"")).is_err(), "{header}");
        }
    }

    #[test]
    fn small_values_that_take_much_memory_are_refused() {
        let count = MOST_BYTES / size_of::<i64>() + 1;
        let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({count},), }}");

        assert_eq!(array(&file(&header, &vec![0; count])).unwrap_err(), "too many values");
    }

    #[test]
    fn versions_2_and_3_have_a_longer_length() {
        let header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
        for version in [2, 3] {
            let start = [b"\x93NUMPY", &[version, 0][..], &(header.len() as u32).to_le_bytes()].concat();
            let found = array(&[&start[..], header, &[7]].concat()).unwrap();

            assert_eq!(found, Array { shape: vec![1], values: Values::Wholes(vec![7]) });
        }
        assert_eq!(array(b"\x93NUMPY\x04\0\0\0").unwrap_err(), "version 4 of the format; known are 1, 2 and 3");
    }

    #[test]
    fn digests_are_those_of_zip() {
        assert_eq!((digest_of(b"123456789"), digest_of(b"")), (0xcbf4_3926, 0));
    }
}
