//! What a page says about itself, wherever it says so: values with the place each stands in.

use std::borrow::Cow;

use aho_corasick::packed::Searcher;
use std::sync::LazyLock;

use super::json_ld::{self, Kind, Thing, Things};
use super::text;
use crate::html::attributes;
use crate::html::tags::Tag;
use crate::html::text::decoded_attribute;
use crate::markup::code_of;
use crate::page::Page;
use crate::tree::{Namespace, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    Title,
    Author,
    /// The day of a page, whichever of its days that is.
    Date,
    Modified,
    Site,
    Description,
    Language,
    Canonical,
    Image,
    Tag,
    Section,
    Licence,
    Kind,
}

/// A value, and where it stands.
#[derive(Clone, Debug)]
pub struct Fact {
    pub field: Field,
    /// The sort of place, by which a fact is weighed.
    pub source: Cow<'static, str>,
    /// The place as a person looks for it.
    pub evidence: String,
    pub value: String,
    /// The element, where it stands in the body.
    pub element: Option<u32>,
}

/// Longer values are no titles, names or dates.
const MOST_BYTES: usize = 600;
/// More facts of one page say nothing new.
const MOST_FACTS: usize = 1_500;

/// All facts of a page, in the order of their sources.
pub fn facts(page: &Page) -> Vec<Fact> {
    let tree = &page.tree;
    let elements = Elements::new(tree);
    let scripts = json_ld::scripts(tree, &elements.scripts);
    let mut facts = Vec::new();
    let things = Things::new(&scripts);
    for thing in &things.all {
        of_thing(&things, thing, &mut facts);
    }
    for &element in &elements.metas {
        of_meta(tree, element, &mut facts);
    }
    for &element in &elements.links {
        of_link(tree, element, &mut facts);
    }
    of_root(tree, &mut facts);
    headings(tree, &elements, &mut facts);
    if !page.title.is_empty() {
        facts.push(fact(Field::Title, "title", "<title>", &page.title, None));
    }
    marked(tree, &mut facts);
    facts.truncate(MOST_FACTS);
    facts
}

fn fact(
    field: Field,
    source: impl Into<Cow<'static, str>>,
    evidence: impl Into<String>,
    value: &str,
    element: Option<u32>,
) -> Fact {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    Fact { field, source: source.into(), evidence: evidence.into(), value, element }
}

/// The elements that are looked at by their tags.
#[derive(Default)]
struct Elements {
    scripts: Vec<u32>,
    metas: Vec<u32>,
    links: Vec<u32>,
    headings: Vec<u32>,
}

const MOST_ELEMENTS: usize = 500;

impl Elements {
    fn new(tree: &Tree) -> Self {
        let [script, meta, link, first, second] = ["script", "meta", "link", "h1", "h2"].map(tag);
        let mut found = Self::default();
        for (element, &tag) in tree.tags.iter().enumerate() {
            let list = match tag {
                _ if tree.namespaces[element] != Namespace::Html => continue,
                _ if tag == script => &mut found.scripts,
                _ if tag == meta => &mut found.metas,
                _ if tag == link => &mut found.links,
                _ if tag == first || tag == second => &mut found.headings,
                _ => continue,
            };
            if list.len() < MOST_ELEMENTS {
                list.push(element as u32);
            }
        }
        found
    }
}

fn tag(name: &str) -> Tag {
    Tag(code_of(name) - 1)
}

fn of_thing(things: &Things, thing: &Thing, facts: &mut Vec<Fact>) {
    for (key, value) in thing.object {
        for (field, value) in of_property(things, thing.kind, key, value) {
            let place = if thing.is_top { "" } else { ".inner" };
            let source = format!("ld.{}.{key}{place}", thing.kind.name());
            let evidence = format!("json-ld {}.{key}", thing.types);
            facts.push(fact(field, source, evidence, &decoded_attribute(&value), None));
        }
    }
    if thing.is_top && matches!(thing.kind, Kind::Article | Kind::Forum | Kind::Question | Kind::Product) {
        facts.push(fact(Field::Kind, "ld.type", "json-ld @type", &thing.types, None));
    }
}

fn of_property(things: &Things, kind: Kind, key: &str, value: &serde_json::Value) -> Vec<(Field, String)> {
    let text = |field| value.as_str().map(|text| (field, text.to_string()));
    let names = || things.names(value);
    let joined = |field| {
        let names = names();
        (!names.is_empty()).then(|| (field, names.join(", ")))
    };
    let one = match key {
        "headline" | "alternativeHeadline" => text(Field::Title),
        "name" if kind == Kind::Site => text(Field::Site),
        "name" if kind == Kind::Person => text(Field::Author),
        "name" if kind != Kind::Organization => text(Field::Title),
        "author" | "creator" => joined(Field::Author),
        "datePublished" | "dateCreated" | "uploadDate" => text(Field::Date),
        "dateModified" => text(Field::Modified),
        "publisher" => joined(Field::Site),
        "description" if !matches!(kind, Kind::Organization | Kind::Person | Kind::Site) => text(Field::Description),
        "inLanguage" => text(Field::Language),
        "image" | "thumbnailUrl" => json_ld::address(value).map(|address| (Field::Image, address.to_string())),
        "license" => json_ld::address(value).map(|address| (Field::Licence, address.to_string())),
        "articleSection" => joined(Field::Section),
        "keywords" => return keywords(&names()),
        _ => None,
    };
    one.into_iter().collect()
}

fn keywords(names: &[&str]) -> Vec<(Field, String)> {
    let words = names.iter().flat_map(|names| names.split([',', ';'])).map(str::trim);
    words.filter(|word| !word.is_empty()).take(50).map(|word| (Field::Tag, word.to_string())).collect()
}

fn of_meta(tree: &Tree, element: u32, facts: &mut Vec<Fact>) {
    let (mut names, mut content) = (Vec::new(), None);
    for attribute in attributes::all(tree, element as usize) {
        match () {
            () if attribute.is_named("content") => content = content.or(Some(attribute.value())),
            () if ["property", "name", "itemprop", "http-equiv"].iter().any(|name| attribute.is_named(name)) => {
                names.push(attribute.value().trim().to_lowercase());
            }
            () => {}
        }
    }
    let Some(content) = content.filter(|content| !content.trim().is_empty()) else { return };
    for name in names.iter().take(2) {
        let Some(field) = field_of_meta(name) else { continue };
        let evidence = format!("meta {name}");
        if field == Field::Tag {
            facts
                .extend(keywords(&[&content]).iter().map(|(field, word)| fact(*field, "meta", &*evidence, word, None)));
        } else {
            facts.push(fact(field, format!("meta.{name}"), evidence, &content, None));
        }
    }
}

fn field_of_meta(name: &str) -> Option<Field> {
    let has = |part: &str| name.contains(part);
    Some(match name {
        "og:site_name" | "application-name" | "apple-mobile-web-app-title" | "citation_journal_title" => Field::Site,
        "description" | "og:description" | "twitter:description" | "dc.description" | "dcterms.description" => {
            Field::Description
        }
        "og:locale" | "content-language" | "language" | "dc.language" | "dcterms.language" => Field::Language,
        "og:url" => Field::Canonical,
        "og:image" | "og:image:url" | "og:image:secure_url" | "twitter:image" | "twitter:image:src" | "image" => {
            Field::Image
        }
        "keywords" | "news_keywords" | "article:tag" | "parsely-tags" => Field::Tag,
        "article:section" | "parsely-section" | "section" => Field::Section,
        "dc.rights" | "dcterms.rights" | "dcterms.license" | "copyright" => Field::Licence,
        "og:type" => Field::Kind,
        _ if has("image") || has("video") || has("token") || has("verification") => return None,
        _ if has("title") || name == "headline" => Field::Title,
        _ if has("author") || has("creator") || has("byl") => Field::Author,
        _ if has("modif") || has("updated") => Field::Modified,
        _ if has("date") || has("publish") || has("issued") || has("created") || has("pubtime") => Field::Date,
        _ => return None,
    })
}

fn of_link(tree: &Tree, element: u32, facts: &mut Vec<Fact>) {
    let Some(relation) = tree.attribute(element as usize, "rel") else { return };
    let relation = relation.to_ascii_lowercase();
    let field = match relation.trim() {
        "canonical" => Field::Canonical,
        "license" => Field::Licence,
        "image_src" => Field::Image,
        _ => return,
    };
    if let Some(address) = tree.attribute(element as usize, "href") {
        facts.push(fact(field, "link", format!("link rel={}", relation.trim()), &address, None));
    }
}

fn of_root(tree: &Tree, facts: &mut Vec<Fact>) {
    for name in ["lang", "xml:lang"] {
        if let Some(value) = (!tree.is_empty()).then(|| tree.attribute(0, name)).flatten() {
            facts.push(fact(Field::Language, "html", format!("html {name}"), &value, None));
        }
    }
}

fn headings(tree: &Tree, elements: &Elements, facts: &mut Vec<Fact>) {
    let first = tag("h1");
    let mut counts = [0; 2];
    for &element in &elements.headings {
        let level = if tree.tags[element as usize] == first { 0 } else { 1 };
        let Some(value) = text::of(tree, element, MOST_BYTES).filter(|_| counts[level] < 6) else { continue };
        counts[level] += 1;
        let source = match (level, counts[level]) {
            (0, 1) => "h1.1",
            (0, 2) => "h1.2",
            (0, _) => "h1.n",
            (_, 1) => "h2.1",
            (_, 2) => "h2.2",
            _ => "h2.n",
        };
        facts.push(fact(Field::Title, source, format!("h{}", level + 1), &value, Some(element)));
        if level == 0 && has_home_link(tree, element) {
            facts.push(fact(Field::Title, "h1.home-link", "h1", &value, Some(element)));
        }
    }
}

/// The name of a site often stands in a heading that leads to its first page.
fn has_home_link(tree: &Tree, element: u32) -> bool {
    let link = tag("a");
    let around = tree.parents[element as usize] as usize;
    let inside = element as usize + 1..tree.ends[element as usize] as usize;
    let mut links = std::iter::once(around).chain(inside.take(20)).filter(|&inner| tree.tags[inner] == link);
    links.any(|link| {
        let address = tree.attribute(link, "href").unwrap_or_default();
        let path =
            address.split_once("://").map_or(&*address, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        matches!(path, "/" | "" | "./" | "index.html" | "/index.html")
    })
}

/// What the attributes of an element in the body have to hold to be looked at. Not all ways to write a word in capitals,
/// because then no vector instructions could look for it.
static MARKS: LazyLock<Searcher> = LazyLock::new(|| {
    let words = [
        "author",
        "Author",
        "byline",
        "Byline",
        "writer",
        "creator",
        "contributor",
        "username",
        "userName",
        "user-name",
        "poster",
        "date",
        "Date",
        "time=",
        "timestamp",
        "-time",
        "time-",
        "publish",
        "Publish",
        "posted",
        "Posted",
        "itemprop",
        "/user",
        "/member",
        "/profile",
        "/people/",
        "/staff/",
        "rel=",
        "REL=",
        "AUTHOR",
        "DATE",
    ];
    Searcher::new(words).expect("a short list of plain words")
});

/// Of these, long addresses and drawings would be searched in vain.
const UNMARKED: [&str; 14] = [
    "script", "meta", "link", "style", "input", "body", "html", "img", "path", "svg", "iframe", "option", "source",
    "use",
];

/// Elements whose attributes say that they hold an author, a date or a title.
fn marked(tree: &Tree, facts: &mut Vec<Fact>) {
    let time = tag("time");
    let skipped = UNMARKED.map(tag);
    let mut count = 0;
    for element in 0..tree.len() {
        let attributes = tree.attributes[element].of(&tree.source);
        let is_time = tree.tags[element] == time;
        let is_short = attributes.len() < "class=date".len();
        if is_short && !is_time || skipped.contains(&tree.tags[element]) {
            continue;
        }
        if !is_time && MARKS.find(attributes).is_none() {
            continue;
        }
        count += 1;
        if count > MOST_ELEMENTS {
            return;
        }
        of_marked(tree, element as u32, is_time, facts);
    }
}

fn of_marked(tree: &Tree, element: u32, is_time: bool, facts: &mut Vec<Fact>) {
    let text = LazyLock::new(|| text::of(tree, element, 160));
    let mut add = |field, source: &'static str, evidence: String, value: &str| {
        if !value.is_empty() && value.len() <= MOST_BYTES {
            facts.push(fact(field, source, evidence, value, Some(element)));
        }
    };
    let name = tree.name(element as usize);
    let mut content = None;
    for attribute in attributes::all(tree, element as usize) {
        let is = |name| attribute.is_named(name);
        let value = attribute.value();
        match () {
            () if is("content") => content = Some(value.into_owned()),
            () if is("datetime") => add(Field::Date, "datetime", format!("{name} datetime"), &value),
            () if is("data-time") || is("data-timestamp") || is("data-date") || is("data-datetime") => {
                add(Field::Date, "data-time", format!("{name} data-time"), &value);
            }
            () if is("title") && is_time => add(Field::Date, "time.title", "time title".into(), &value),
            () if is("rel") && value.split_whitespace().any(|word| word.eq_ignore_ascii_case("author")) => {
                add(Field::Author, "rel", format!("{name} rel=author"), text.as_deref().unwrap_or(""));
            }
            () if is("itemprop") => {
                let value = value.to_ascii_lowercase();
                let text = content.as_deref().or(text.as_deref()).unwrap_or("");
                match value.trim() {
                    "author" | "creator" => add(Field::Author, "itemprop", format!("itemprop {value}"), text),
                    "headline" => add(Field::Title, "itemprop.headline", "itemprop headline".into(), text),
                    "name" => add(Field::Title, "itemprop.name", "itemprop name".into(), text),
                    "datepublished" | "datecreated" => add(Field::Date, "itemprop", format!("itemprop {value}"), text),
                    "datemodified" => add(Field::Modified, "itemprop", format!("itemprop {value}"), text),
                    _ => {}
                }
            }
            () if is("class") || is("id") || is("data-testid") => {
                for (field, source) in of_class(&value.to_ascii_lowercase()) {
                    add(
                        field,
                        source,
                        format!("{name} {}={value}", attribute.small_name()),
                        text.as_deref().unwrap_or(""),
                    );
                }
            }
            () if is("href") && is_person(&value.to_ascii_lowercase()) => {
                add(Field::Author, "href", "link to a person".into(), text.as_deref().unwrap_or(""));
            }
            () => {}
        }
    }
    if is_time {
        add(Field::Date, "time.text", "time".into(), text.as_deref().unwrap_or(""));
    }
}

fn of_class(class: &str) -> Vec<(Field, &'static str)> {
    let has = |part: &str| class.contains(part);
    let mut found = Vec::new();
    match () {
        () if has("author-name") || has("authorname") || has("author__name") || has("author_name") => {
            found.push((Field::Author, "class.author-name"));
        }
        () if has("byline") => found.push((Field::Author, "class.byline")),
        () if has("author") => found.push((Field::Author, "class.author")),
        () if has("username") || has("user-name") || has("poster") => found.push((Field::Author, "class.user")),
        () if has("writer") || has("creator") || has("contributor") => found.push((Field::Author, "class.writer")),
        () => {}
    }
    if has("updated") || has("modified") {
        found.push((Field::Date, "class.updated"));
    } else if has("publish") || has("posted") {
        found.push((Field::Date, "class.published"));
    } else if has("date") || has("time") {
        found.push((Field::Date, "class.date"));
    }
    found
}

fn is_person(address: &str) -> bool {
    let parts =
        ["/author/", "/authors/", "/user/", "/users/", "/member/", "/members/", "/profile/", "/people/", "/staff/"];
    let more =
        ["/contributor/", "/contributors/", "/writers/", "/team/", "?author=", "/u/", "members.php", "member.php"];
    parts.iter().chain(&more).any(|part| address.contains(part))
}

/// The names of a field's facts are folded for comparison: letters and digits in small letters, a blank between words.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return folded_ascii(text);
    }
    let mut folded = String::with_capacity(text.len());
    for word in text.split(|character: char| !character.is_alphanumeric() && character != '_') {
        if !word.is_empty() {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    folded
}

fn folded_ascii(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut is_open = false;
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            if !is_open && !folded.is_empty() {
                folded.push(' ');
            }
            folded.push(char::from(byte.to_ascii_lowercase()));
            is_open = true;
        } else {
            is_open = false;
        }
    }
    folded
}
