//! Dates in text, in the ways that pages write them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

impl Day {
    /// None for a day that no calendar has.
    pub fn new(year: u32, month: u32, day: u32) -> Option<Self> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let longest = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_day = (1..=9999).contains(&year) && (1..=longest).contains(&day);
        is_day.then_some(Self { year: year as u16, month: month as u8, day: day as u8 })
    }

    /// The UTC day of a number of seconds since 1970.
    pub fn of_seconds(seconds: i64) -> Option<Self> {
        // Days → civil date, by Hinnant's algorithm (chrono-Compatible Low-Level Date Algorithms, 2013).
        let shifted = seconds.div_euclid(86_400) + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self::new(u32::try_from(year).ok()?, month as u32, day as u32)
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(to, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Which of two numbers is the month, where both could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    DayFirst,
    MonthFirst,
}

/// A date and where in the text it stands, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDate {
    pub day: Day,
    pub start: usize,
    pub end: usize,
    /// The time behind a date in ISO 8601, as in `T10:00:00+02:00`.
    pub time: Option<String>,
}

/// All dates of a text.
pub fn dates_in(text: &str, order: Order) -> Vec<FoundDate> {
    if !may_hold_date(text) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let (mut found, mut first) = (Vec::new(), 0);
    while let Some(three) = tokens.get(first..first + 3) {
        match day_of(text, three, order) {
            Some(day) => {
                let (start, end) = (three[0].start, three[2].end);
                found.push(FoundDate { day, start, end, time: time_behind(&text[end..]) });
                first += 3;
            }
            None => first += 1,
        }
    }
    found
}

/// Four digits side by side, or digits with a slash or a stop.
fn may_hold_date(text: &str) -> bool {
    let mut digits = 0;
    let mut has_digit = false;
    for byte in text.bytes() {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        if digits == 4 || has_digit && matches!(byte, b'/' | b'.') {
            return true;
        }
        has_digit = digits > 0;
    }
    false
}

/// The date of a value that is nothing but a date, such as an attribute's.
pub fn date_of(value: &str, order: Order) -> Option<FoundDate> {
    let value = value.trim();
    if let Some(found) = of_seconds(value).or_else(|| of_eight_digits(value)) {
        return Some(found);
    }
    dates_in(value, order).into_iter().next()
}

/// Seconds or milliseconds since 1970, within this century.
fn of_seconds(value: &str) -> Option<FoundDate> {
    if !matches!(value.len(), 10 | 13) || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let day = Day::of_seconds(value[..10].parse().ok()?)?;
    Some(FoundDate { day, start: 0, end: value.len(), time: None })
}

/// 20240305, alone or before a time.
fn of_eight_digits(value: &str) -> Option<FoundDate> {
    let digits = value.get(..8)?;
    let is_alone = !value[8..].starts_with(|character: char| character.is_alphanumeric() && character != 'T');
    if !is_alone || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |range: std::ops::Range<usize>| digits[range].parse().ok();
    let day = Day::new(number(0..4)?, number(4..6)?, number(6..8)?)?;
    (1900..2200).contains(&day.year).then_some(FoundDate { day, start: 0, end: 8, time: None })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number { value: u32, digits: u8 },
    Month(u32),
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    start: usize,
    end: usize,
}

fn tokens(text: &str) -> Vec<Token> {
    let (mut tokens, mut rest) = (Vec::new(), 0);
    while let Some(begin) = text[rest..].find(char::is_alphanumeric) {
        let start = rest + begin;
        let is_digit = text.as_bytes()[start].is_ascii_digit();
        let goes_on = |character: char| {
            if is_digit {
                character.is_ascii_digit()
            } else {
                character.is_alphabetic() && !is_unit(character)
            }
        };
        let length = text[start..].find(|character| !goes_on(character)).unwrap_or(text.len() - start);
        // A unit is a token of its own.
        let length = length.max(text[start..].chars().next().map_or(1, char::len_utf8));
        let end = start + length;
        push(&mut tokens, text, start, end);
        rest = end;
    }
    tokens
}

/// The words for year, month and day behind numbers in Chinese, Japanese and Korean.
fn is_unit(character: char) -> bool {
    matches!(character, '年' | '月' | '日' | '년' | '월' | '일')
}

fn push(tokens: &mut Vec<Token>, text: &str, start: usize, end: usize) {
    let word = &text[start..end];
    let is_behind_number = tokens.last().is_some_and(|last| matches!(last.kind, Kind::Number { .. }));
    let is_attached = is_behind_number && tokens.last().is_some_and(|last| last.end == start);
    if is_behind_number && (word.chars().all(is_unit) || is_attached && is_ordinal(word)) || is_filler(word) {
        return;
    }
    tokens.push(Token { kind: kind(word), start, end });
}

fn is_ordinal(word: &str) -> bool {
    ["st", "nd", "rd", "th", "er", "º", "ª", "o", "e", "a"].iter().any(|ending| word.eq_ignore_ascii_case(ending))
}

fn is_filler(word: &str) -> bool {
    ["of", "de", "del", "di", "the", "den", "r", "г"].iter().any(|filler| word.eq_ignore_ascii_case(filler))
}

fn kind(word: &str) -> Kind {
    if word.as_bytes()[0].is_ascii_digit() {
        return match word.parse() {
            Ok(value) if word.len() <= 4 => Kind::Number { value, digits: word.len() as u8 },
            _ => Kind::Other,
        };
    }
    month(word).map_or(Kind::Other, Kind::Month)
}

fn day_of(text: &str, tokens: &[Token], order: Order) -> Option<Day> {
    use Kind::{Month, Number};
    let gaps = [&text[tokens[0].end..tokens[1].start], &text[tokens[1].end..tokens[2].start]];
    if !gaps.iter().all(|gap| is_gap(gap)) || !stands_alone(text, tokens) {
        return None;
    }
    match [tokens[0].kind, tokens[1].kind, tokens[2].kind] {
        [Number { value: year, digits: 4 }, Number { value: month, digits: 1..=2 }, Number { value: day, digits: 1..=2 }]
            if are_parted(gaps) =>
        {
            Day::new(year, month, day)
        }
        [Number { value: first, digits: 1..=2 }, Number { value: second, digits: 1..=2 }, Number { value: year, digits }]
            if are_parted(gaps) =>
        {
            of_numbers(first, second, full_year(year, digits)?, order)
        }
        [Month(month), Number { value: day, digits: 1..=2 }, Number { value: year, digits: 4 }]
        | [Number { value: day, digits: 1..=2 }, Month(month), Number { value: year, digits: 4 }]
        | [Number { value: year, digits: 4 }, Month(month), Number { value: day, digits: 1..=2 }] => {
            Day::new(year, month, day)
        }
        _ => None,
    }
}

/// What may stand between the parts of a date.
fn is_gap(gap: &str) -> bool {
    let is_sign = |character: char| character.is_whitespace() || is_unit(character) || ",.-/·'’‐–".contains(character);
    let is_filler = |part: &str| part.chars().all(is_sign) || is_filler(part.trim_matches(is_sign));
    let is_short = gap.chars().count() <= 8;
    is_short && gap.split_whitespace().all(|part| is_filler(part) || is_ordinal(part.trim_matches(is_sign)))
}

/// Between numbers the same sign stands twice; blanks alone part no date.
fn are_parted(gaps: [&str; 2]) -> bool {
    let sign = |gap: &str| gap.chars().find(|character| !character.is_whitespace());
    match [sign(gaps[0]), sign(gaps[1])] {
        [Some('年'), Some('月')] | [Some('년'), Some('월')] => true,
        [Some(first), Some(second)] => first == second && "-/.".contains(first),
        _ => false,
    }
}

/// No part of a longer number, a version or a telephone number.
fn stands_alone(text: &str, tokens: &[Token]) -> bool {
    let before = text[..tokens[0].start].chars().next_back();
    let mut behind = text[tokens[2].end..].chars();
    let is_number = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    let sign = behind.next();
    let goes_on = sign.is_some_and(|sign| "-/.".contains(sign)) && is_number(behind.next());
    let is_word = matches!(tokens[0].kind, Kind::Month(_));
    let is_part = |before: char| before.is_alphanumeric() || !is_word && "-/.".contains(before);
    !goes_on && !is_number(sign) && !before.is_some_and(is_part)
}

fn full_year(year: u32, digits: u8) -> Option<u32> {
    match digits {
        4 => Some(year),
        2 => Some(2000 + year),
        _ => None,
    }
}

fn of_numbers(first: u32, second: u32, year: u32, order: Order) -> Option<Day> {
    let (day, month) = if order == Order::DayFirst { (first, second) } else { (second, first) };
    Day::new(year, month, day).or_else(|| Day::new(year, day, month))
}

/// `T10:00:00+02:00` and its like, with the blank of other styles as a T.
fn time_behind(text: &str) -> Option<String> {
    let rest = text.strip_prefix(['T', ' '])?;
    let length = rest.find(|character: char| !(character.is_ascii_digit() || ":.+-Z".contains(character)));
    let time = &rest[..length.unwrap_or(rest.len())];
    let is_digit = |place: usize| time.as_bytes().get(place).is_some_and(u8::is_ascii_digit);
    let is_time = is_digit(0) && is_digit(1) && time.as_bytes().get(2) == Some(&b':') && is_digit(3) && is_digit(4);
    is_time.then(|| format!("T{}", time.trim_end_matches(['.', '-', '+'])))
}

/// Names of months: what they begin with, in small letters. A longer name of another month comes before its beginning.
const MONTHS: [(u32, &str); 12] = [
    (1, "jan januar january janvier enero ene gennaio gen janeiro janv januari jänner ocak oca styczeń stycznia sty leden ledna led января январь янв січня січень ianuarie ian január tammikuu tammikuuta ιανουαρίου ιαν janeir siječanj siječnja januara januarie"),
    (2, "feb februar february février févr fevrier febrero febbraio fevereiro fev februari şubat luty lutego lut únor února февраля февраль фев лютого februarie február helmikuu helmikuuta φεβρουαρίου φεβ febr veljače"),
    (3, "mar march märz maerz mars marzo março marco maart mrt mrz mart marzec marca března březen bře марта март мар березня martie március maaliskuu maaliskuuta μαρτίου μαρ ožujka mär"),
    (4, "apr april avril avr abril abr aprile nisan nis kwiecień kwietnia kwi duben dubna апреля апрель апр квітня aprilie április huhtikuu huhtikuuta απριλίου απρ travnja"),
    (5, "may mai mayo maggio mag maio mei mayıs maj maja květen května мая май травня május toukokuu toukokuuta μαΐου μαι μάιος svibnja"),
    (6, "jun june juni juin junio giugno giu junho haziran haz czerwiec czerwca cze červen června июня июнь июн червня iunie iun június kesäkuu kesäkuuta ιουνίου ιουν lipnja juin"),
    (7, "jul july juli juillet juil julio luglio lug julho temmuz tem lipiec lipca lip červenec července июля июль июл липня iulie iul július heinäkuu heinäkuuta ιουλίου ιουλ srpnja"),
    (8, "aug august août aout agosto ago augustus ağustos ağu sierpień sierpnia sie srpen srpna августа август авг серпня augusztus elokuu elokuuta αυγούστου αυγ kolovoza augusti"),
    (9, "sep sept september septembre septiembre set settembre setembro eylül eyl wrzesień września wrz září сентября сентябрь сен вересня septembrie szeptember syyskuu syyskuuta σεπτεμβρίου σεπ rujna"),
    (10, "oct october oktober octobre octubre ottobre ott outubro out okt ekim eki październik października paź říjen října октября октябрь окт жовтня octombrie október lokakuu lokakuuta οκτωβρίου οκτ listopada"),
    (11, "nov november novembre noviembre novembro kasım kas listopad listopadu ноября ноябрь ноя листопада noiembrie marraskuu marraskuuta νοεμβρίου νοε studenog"),
    (12, "dec december dez dezember décembre decembre déc diciembre dic dicembre dezembro aralık ara grudzień grudnia gru prosinec prosince декабря декабрь дек грудня decembrie joulukuu joulukuuta δεκεμβρίου δεκ prosinca"),
];

/// The same for those who look for names.
pub fn names_month(word: &str) -> Option<u32> {
    month(word)
        .filter(|_| !matches!(word, "April" | "May" | "June" | "Jan" | "August" | "Mar" | "Juli" | "Mai" | "Julio"))
}

/// The month that a word names.
fn month(word: &str) -> Option<u32> {
    let is_short = (2..=24).contains(&word.len());
    is_short.then(|| NAMES.get(word.to_lowercase().as_str()).copied()).flatten()
}

static NAMES: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let named = MONTHS.iter().rev().flat_map(|&(month, names)| names.split(' ').map(move |name| (name, month)));
    named.collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn days(text: &str) -> Vec<String> {
        dates_in(text, Order::MonthFirst).iter().map(|found| found.day.to_string()).collect()
    }

    #[test]
    fn dates_are_found_in_the_styles_of_many_languages() {
        for (text, day) in [
            ("Posted on March 5, 2024 by Ann", "2024-03-05"),
            ("Sept. 3rd, 2021", "2021-09-03"),
            ("5. März 2024", "2024-03-05"),
            ("le 1er août 2019", "2019-08-01"),
            ("5 de marzo de 2024", "2024-03-05"),
            ("5 марта 2024 г.", "2024-03-05"),
            ("2024年3月5日", "2024-03-05"),
            ("2024년 3월 5일", "2024-03-05"),
            ("2024-03-05T10:00:00+02:00", "2024-03-05"),
            ("05.03.2024", "2024-05-03"),
            ("25/12/2023", "2023-12-25"),
            ("3/5/24", "2024-03-05"),
            ("05-Mar-2024", "2024-03-05"),
            ("BySummer Swann-June 12, 2025", "2025-06-12"),
        ] {
            assert_eq!(days(text), [day], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_date_is_none() {
        for text in
            ["1.2.3.4", "31/02/2024 was no day", "version 10.4.2024.1", "555-12-2024-33", "May 2024", "1 2 2024"]
        {
            assert!(days(text).is_empty(), "{text}: {:?}", days(text));
        }
    }

    #[test]
    fn the_language_says_which_number_is_the_month() {
        let found = |order| dates_in("05/03/2024", order)[0].day.to_string();

        assert_eq!((found(Order::DayFirst), found(Order::MonthFirst)), ("2024-03-05".into(), "2024-05-03".into()));
    }

    #[test]
    fn a_time_goes_with_its_date() {
        assert_eq!(date_of("2024-03-05T10:00:00+02:00", Order::DayFirst).unwrap().time.unwrap(), "T10:00:00+02:00");
        assert_eq!(date_of("2024-03-05 10:00", Order::DayFirst).unwrap().time.unwrap(), "T10:00");
    }

    #[test]
    fn seconds_since_1970_are_a_day() {
        assert_eq!(date_of("1709632800", Order::DayFirst).unwrap().day.to_string(), "2024-03-05");
        assert_eq!(date_of("1709632800000", Order::DayFirst).unwrap().day.to_string(), "2024-03-05");
        assert_eq!(date_of("20240305", Order::DayFirst).unwrap().day.to_string(), "2024-03-05");
    }
}
