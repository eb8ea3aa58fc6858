//! What a doctype asks for: quirks mode, in which a table may stand in a paragraph.

use super::attributes::is_space;

/// The parts of a doctype, as the standard reads them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Doctype<'a> {
    pub name: Option<&'a str>,
    pub public: Option<&'a str>,
    pub system: Option<&'a str>,
    pub forces_quirks: bool,
}

/// Reads what stands between `<!doctype` and the `>`, which ends a doctype even in quotes.
pub fn parts(source: &str, is_closed: bool) -> Doctype<'_> {
    let mut doctype = Doctype { forces_quirks: !is_closed, ..Doctype::default() };
    let rest = trimmed(source);
    let end = rest.bytes().position(is_space).unwrap_or(rest.len());
    if end == 0 {
        doctype.forces_quirks = true;
        return doctype;
    }
    doctype.name = Some(&rest[..end]);
    let rest = trimmed(&rest[end..]);
    let Some(word) = rest.get(..6) else {
        doctype.forces_quirks |= !rest.is_empty();
        return doctype;
    };
    if word.eq_ignore_ascii_case("public") {
        public(&rest[6..], &mut doctype);
    } else if word.eq_ignore_ascii_case("system") {
        system(&rest[6..], &mut doctype, true);
    } else {
        doctype.forces_quirks = true;
    }
    doctype
}

fn public<'a>(source: &'a str, doctype: &mut Doctype<'a>) {
    let Some((identifier, rest)) = quoted(trimmed(source), doctype) else {
        doctype.forces_quirks = true;
        return;
    };
    doctype.public = Some(identifier);
    if let Some(rest) = rest {
        system(rest, doctype, false);
    }
}

fn system<'a>(source: &'a str, doctype: &mut Doctype<'a>, is_required: bool) {
    let rest = trimmed(source);
    if rest.is_empty() && !is_required {
        return;
    }
    match quoted(rest, doctype) {
        Some((identifier, rest)) => {
            doctype.system = Some(identifier);
            // What stands behind it is passed over, and then the doctype need not even be closed.
            if rest.is_some_and(|rest| !trimmed(rest).is_empty()) {
                doctype.forces_quirks = false;
            }
        }
        None => doctype.forces_quirks = true,
    }
}

/// A string in quotes and what stands behind it, which is nothing if the quotes are not closed.
fn quoted<'a>(source: &'a str, doctype: &mut Doctype<'a>) -> Option<(&'a str, Option<&'a str>)> {
    let quote = source.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let inner = &source[1..];
    match inner.find(quote) {
        Some(end) => Some((&inner[..end], Some(&inner[end + 1..]))),
        None => {
            doctype.forces_quirks = true;
            Some((inner, None))
        }
    }
}

fn trimmed(source: &str) -> &str {
    source.trim_start_matches(|character: char| character.is_ascii() && is_space(character as u8))
}

/// Whether this doctype asks for quirks mode.
pub fn is_quirky(source: &str, is_closed: bool) -> bool {
    let doctype = parts(source, is_closed);
    if doctype.forces_quirks || !doctype.name.is_some_and(|name| name.eq_ignore_ascii_case("html")) {
        return true;
    }
    let system = doctype.system;
    if system.is_some_and(|system| system.eq_ignore_ascii_case(QUIRKY_SYSTEM)) {
        return true;
    }
    let Some(public) = doctype.public else { return false };
    QUIRKY.iter().any(|other| public.eq_ignore_ascii_case(other))
        || QUIRKY_BEGINNINGS.iter().any(|beginning| begins(public, beginning))
        || system.is_none() && QUIRKY_WITHOUT_SYSTEM.iter().any(|beginning| begins(public, beginning))
}

fn begins(identifier: &str, beginning: &str) -> bool {
    identifier.as_bytes().get(..beginning.len()).is_some_and(|found| found.eq_ignore_ascii_case(beginning.as_bytes()))
}

const QUIRKY_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

const QUIRKY: [&str; 3] = ["-//W3O//DTD W3 HTML Strict 3.0//EN//", "-/W3C/DTD HTML 4.0 Transitional/EN", "HTML"];

const QUIRKY_WITHOUT_SYSTEM: [&str; 2] = ["-//W3C//DTD HTML 4.01 Frameset//", "-//W3C//DTD HTML 4.01 Transitional//"];

const QUIRKY_BEGINNINGS: [&str; 55] = [
    "+//Silmaril//dtd html Pro v0r11 19970101//",
    "-//AS//DTD HTML 3.0 asWedit + extensions//",
    "-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//",
    "-//IETF//DTD HTML 2.0 Level 1//",
    "-//IETF//DTD HTML 2.0 Level 2//",
    "-//IETF//DTD HTML 2.0 Strict Level 1//",
    "-//IETF//DTD HTML 2.0 Strict Level 2//",
    "-//IETF//DTD HTML 2.0 Strict//",
    "-//IETF//DTD HTML 2.0//",
    "-//IETF//DTD HTML 2.1E//",
    "-//IETF//DTD HTML 3.0//",
    "-//IETF//DTD HTML 3.2 Final//",
    "-//IETF//DTD HTML 3.2//",
    "-//IETF//DTD HTML 3//",
    "-//IETF//DTD HTML Level 0//",
    "-//IETF//DTD HTML Level 1//",
    "-//IETF//DTD HTML Level 2//",
    "-//IETF//DTD HTML Level 3//",
    "-//IETF//DTD HTML Strict Level 0//",
    "-//IETF//DTD HTML Strict Level 1//",
    "-//IETF//DTD HTML Strict Level 2//",
    "-//IETF//DTD HTML Strict Level 3//",
    "-//IETF//DTD HTML Strict//",
    "-//IETF//DTD HTML//",
    "-//Metrius//DTD Metrius Presentational//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 2.0 Tables//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 3.0 Tables//",
    "-//Netscape Comm. Corp.//DTD HTML//",
    "-//Netscape Comm. Corp.//DTD Strict HTML//",
    "-//O'Reilly and Associates//DTD HTML 2.0//",
    "-//O'Reilly and Associates//DTD HTML Extended 1.0//",
    "-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//",
    "-//SQ//DTD HTML 2.0 HoTMetaL + extensions//",
    "-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//",
    "-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//",
    "-//Spyglass//DTD HTML 2.0 Extended//",
    "-//Sun Microsystems Corp.//DTD HotJava HTML//",
    "-//Sun Microsystems Corp.//DTD HotJava Strict HTML//",
    "-//W3C//DTD HTML 3 1995-03-24//",
    "-//W3C//DTD HTML 3.2 Draft//",
    "-//W3C//DTD HTML 3.2 Final//",
    "-//W3C//DTD HTML 3.2//",
    "-//W3C//DTD HTML 3.2S Draft//",
    "-//W3C//DTD HTML 4.0 Frameset//",
    "-//W3C//DTD HTML 4.0 Transitional//",
    "-//W3C//DTD HTML Experimental 19960712//",
    "-//W3C//DTD HTML Experimental 970421//",
    "-//W3C//DTD W3 HTML//",
    "-//W3O//DTD W3 HTML 3.0//",
    "-//WebTechs//DTD Mozilla HTML 2.0//",
    "-//WebTechs//DTD Mozilla HTML//",
];
