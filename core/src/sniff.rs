//! Bytes → text.

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
        "utf-8"
    }
}

pub struct Decoded {
    pub text: String,
    pub encoding: &'static str,
    pub replaced: usize,
    pub origin: Origin,
}

pub fn decode(data: &[u8], _charset: Option<&str>) -> Decoded {
    Decoded { text: String::from_utf8_lossy(data).into_owned(), encoding: "utf-8", replaced: 0, origin: Origin::Utf8 }
}

pub fn is_binary(_data: &[u8]) -> bool {
    false
}
