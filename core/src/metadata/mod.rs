//! What a page says of itself: title, authors, dates and more, each with the evidence that it comes from.

pub mod candidates;
mod choice;
pub mod dates;
pub mod facts;
pub mod json_ld;
pub mod systems;
pub mod text;
mod visible;

use candidates::Candidates;
use choice::{chosen, Choice};
use dates::{date_of, dates_in, FoundDate, Order};
use facts::{Fact, Field};

use crate::network::FIELDS;
use crate::outline::Addresses;
use crate::page::Page;

/// A value, and where on the page it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub values: Vec<String>,
    pub evidence: String,
}

/// The facts of a page by the names that outputs give them; a fact that was not found is not there.
pub type Metadata = Vec<(&'static str, Known)>;

/// More tags of one page say nothing.
const MOST_TAGS: usize = 50;

/// All that a page says of itself. The address, where it is known, has a share in what is a home page and in dates. Where
/// the page names no author or no date, the blocks count that a network takes for one: `fields` has a code for each block,
/// or is empty.
pub fn metadata(page: &Page, url: &str, fields: &[u8]) -> Metadata {
    let facts = facts::facts(page);
    let candidates = Candidates::new(page, &facts, url, false);
    let mut found = Metadata::new();
    let mut add = |name, values: Vec<String>, evidence: &str| {
        if !values.is_empty() {
            found.push((name, Known { values, evidence: evidence.to_string() }));
        }
    };
    if let Some(title) = chosen(Choice::Title, &candidates.titles) {
        add("title", vec![title.value.clone()], &title.evidence);
    }
    if let Some(authors) = chosen(Choice::Authors, &candidates.authors) {
        add("authors", names(&authors.value), &authors.evidence);
    } else if let Some(found) = of_field(page, fields, "author").find_map(|block| visible::names_in(page, block)) {
        add("authors", names(&found), "author block");
    }
    if let Some(date) = chosen(Choice::Date, &candidates.dates) {
        let time = date.time.as_deref().unwrap_or("");
        add("date_published", vec![format!("{}{time}", date.value)], &date.evidence);
    } else if let Some(date) = of_field(page, fields, "date").find_map(|block| first_date(page.block(block))) {
        add("date_published", vec![format!("{}{}", date.day, date.time.unwrap_or_default())], "date block");
    }
    if let Some((value, evidence)) = modified(&facts) {
        add("date_modified", vec![value], evidence);
    }
    let addresses = Addresses::new(&page.tree, url);
    for (name, field, sources) in PLAIN {
        if let Some((value, evidence)) = first(&facts, field, sources, &addresses) {
            add(name, vec![value], evidence);
        }
    }
    let mut tags: Vec<&Fact> = facts.iter().filter(|fact| fact.field == Field::Tag).collect();
    tags.sort_by_key(|fact| fact.source != "meta");
    let evidence = tags.first().map_or("", |fact| &fact.evidence);
    let mut values: Vec<String> = Vec::new();
    for tag in &tags {
        if values.len() < MOST_TAGS && !values.contains(&tag.value) {
            values.push(tag.value.clone());
        }
    }
    add("tags", values, evidence);
    if let Some((number, evidence)) = systems::system_of(&page.tree) {
        add("cms", vec![systems::SYSTEMS[number - 1].name.to_string()], &evidence);
    }
    found
}

/// The blocks that are a field.
fn of_field<'a>(page: &Page, fields: &'a [u8], field: &str) -> impl Iterator<Item = usize> + 'a {
    let code = FIELDS.iter().position(|name| *name == field).map_or(0, |place| place as u8 + 1);
    (0..page.len().min(fields.len())).filter(move |&block| fields[block] == code)
}

fn first_date(text: &str) -> Option<FoundDate> {
    dates_in(text, Order::DayFirst).into_iter().next()
}

/// Fields of which the first fact counts, and the sources that come before others.
const PLAIN: [(&str, Field, &[&str]); 8] = [
    ("site_name", Field::Site, &["meta.og:site_name", "ld.site.name", "ld.", "meta."]),
    ("description", Field::Description, &["meta.description", "meta.og:description", "meta."]),
    ("declared_language", Field::Language, &["html", "meta.content-language", "ld.", "meta."]),
    ("canonical_url", Field::Canonical, &["link", "meta."]),
    ("image", Field::Image, &["meta.og:image", "ld.", "meta.", "link"]),
    ("section", Field::Section, &["meta.", "ld."]),
    ("licence", Field::Licence, &["link", "ld.", "meta."]),
    ("page_type", Field::Kind, &["ld.", "meta."]),
];

/// The value of the best source, and the place it stands in.
fn first<'a>(facts: &'a [Fact], field: Field, sources: &[&str], addresses: &Addresses) -> Option<(String, &'a str)> {
    let mut ranked: Vec<&Fact> = facts.iter().filter(|fact| fact.field == field).collect();
    ranked.sort_by_key(|fact| rank(fact, sources));
    ranked.into_iter().find_map(|fact| Some((plain(field, &fact.value, addresses)?, &*fact.evidence)))
}

fn rank(fact: &Fact, sources: &[&str]) -> usize {
    sources.iter().position(|source| fact.source.starts_with(source)).unwrap_or(sources.len())
}

/// A value as it is printed; None if it is not a value of this field.
fn plain(field: Field, value: &str, addresses: &Addresses) -> Option<String> {
    let value = match field {
        Field::Language => language(value)?,
        Field::Canonical | Field::Image => addresses.resolved(value).filter(|address| is_web(address))?,
        // A licence is an address or a text.
        Field::Licence if !value.contains(' ') => addresses.resolved(value)?,
        _ => value.to_string(),
    };
    (!value.is_empty()).then_some(value)
}

fn is_web(address: &str) -> bool {
    let scheme = address.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// The longest tag that RFC 5646 names has 35 characters.
const LONGEST_LANGUAGE: usize = 35;

/// The first language tag of a list, with hyphens.
fn language(value: &str) -> Option<String> {
    let tag = value.split([',', ';', ' ']).next()?.replace('_', "-");
    let is_tag = tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_tag && tag.len() <= LONGEST_LANGUAGE).then_some(tag)
}

/// Those of several names that commas, semicolons or words part.
fn names(value: &str) -> Vec<String> {
    let parts =
        value.split([',', ';', '&', '|']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" und "));
    let mut names: Vec<String> = Vec::new();
    for name in parts.map(str::trim).filter(|name| !name.is_empty()) {
        if !names.iter().any(|other| other == name) {
            names.push(name.to_string());
        }
    }
    names
}

fn modified(facts: &[Fact]) -> Option<(String, &str)> {
    let sources = ["ld.article", "ld.", "meta.", "itemprop"];
    let facts = facts.iter().filter(|fact| fact.field == Field::Modified);
    let dated = facts.filter_map(|fact| Some((fact, date_of(&fact.value, Order::DayFirst)?)));
    let (fact, date) = dated.min_by_key(|(fact, _)| rank(fact, &sources))?;
    Some((format!("{}{}", date.day, date.time.unwrap_or_default()), &fact.evidence))
}
