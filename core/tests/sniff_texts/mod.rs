//! Sentences in languages and encodings, for the tests of decoding.
#![allow(dead_code)] // Each test reads its own few.

use encoding_rs::Encoding;

pub const CZECH: &str =
    "Dědeček šel na trh koupit žluté jablko, ťuhýka a čtyři švestky; později přišla k němu malá vnučka.";
pub const FRENCH: &str = "Le garçon a mangé une crêpe à côté de l’école, où les élèves étaient déjà très fatigués.";
pub const RUSSIAN: &str = "Сегодня утром почтальон принёс нам два письма и небольшую посылку из деревни.";
pub const UKRAINIAN: &str = "Сьогодні вранці листоноша приніс нам два листи й невелику посилку з їхнього села.";
pub const GREEK: &str = "Το πρωί ο ταχυδρόμος έφερε δύο γράμματα και ένα μικρό δέμα από το χωριό.";
pub const HEBREW: &str = "הבוקר הביא לנו הדוור שני מכתבים וחבילה קטנה מהכפר.";
pub const ARABIC: &str = "أحضر لنا ساعي البريد هذا الصباح رسالتين وطردا صغيرا من القرية.";
pub const CHINESE: &str = "今天早上邮递员给我们送来了两封信和一个从村里寄来的小包裹，大家都很高兴。";
pub const TAIWANESE: &str = "今天早上郵差給我們送來了兩封信和一個從村裡寄來的小包裹，大家都很高興。";
pub const JAPANESE: &str = "けさ郵便屋さんが手紙を二通と、村からの小さな荷物をとどけてくれました。";
pub const KOREAN: &str = "오늘 아침 우체부가 편지 두 통과 마을에서 온 작은 소포를 가져다 주었습니다.";
pub const THAI: &str = "เช้านี้บุรุษไปรษณีย์นำจดหมายสองฉบับมาให้เรา";

pub fn page(text: &str) -> String {
    page_with(text, "")
}

pub fn page_with(text: &str, head: &str) -> String {
    format!("<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>")
}

pub fn meta(label: &str) -> String {
    format!("<meta charset=\"{label}\">")
}

/// A text in an encoding of the standard, or in one of the wide ones.
pub fn encoded(text: &str, name: &str) -> Vec<u8> {
    match name {
        "utf-8" => text.as_bytes().to_vec(),
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text.chars().flat_map(|sign| u32::from(sign).to_le_bytes()).collect(),
        "utf-32be" => text.chars().flat_map(|sign| u32::from(sign).to_be_bytes()).collect(),
        _ => {
            let (bytes, _, has_unmappable) = Encoding::for_label(name.as_bytes()).expect(name).encode(text);
            assert!(!has_unmappable, "{name} cannot write {text}");
            bytes.into_owned()
        }
    }
}

pub fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}
