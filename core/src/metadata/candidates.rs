//! Values that a field may have, each with what speaks for and against it.

use std::collections::{HashMap, HashSet};

use super::dates::{date_of, Day, Order};
use super::facts::{folded, Fact, Field};
use super::visible::{names_of, Visible, MOST_BLOCKS};
use crate::page::Page;

/// What speaks for and against a candidate: numbers of features, and their names where somebody learns from them.
#[derive(Clone, Debug, Default)]
pub struct Features {
    pub numbers: Vec<u64>,
    pub names: Option<Vec<String>>,
}

impl Features {
    fn new(is_named: bool) -> Self {
        Self { numbers: Vec::new(), names: is_named.then(Vec::new) }
    }

    /// The parts of a name, one behind the other.
    fn add(&mut self, parts: &[&str]) {
        let number = number_of(parts);
        if self.numbers.contains(&number) {
            return;
        }
        self.numbers.push(number);
        if let Some(names) = &mut self.names {
            names.push(parts.concat());
        }
    }

    /// A feature that no other place of the same candidate adds.
    fn add_new(&mut self, parts: &[&str]) {
        self.numbers.push(number_of(parts));
        if let Some(names) = &mut self.names {
            names.push(parts.concat());
        }
    }

    fn claim(&mut self, is: bool, name: &str) {
        if is {
            self.add(&[name]);
        }
    }
}

/// The number of a feature by its name, which may be given in parts: FNV-1a (Fowler, Noll and Vo).
pub fn number_of(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A value; the places that it stands in are gathered.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    pub value: String,
    pub evidence: String,
    pub sources: Vec<String>,
    pub features: Features,
    /// The time and zone behind a date.
    pub time: Option<String>,
}

/// The candidates for the title, the authors and the date. The last of each is that there is none.
#[derive(Debug, Default)]
pub struct Candidates {
    pub titles: Vec<Candidate>,
    pub authors: Vec<Candidate>,
    pub dates: Vec<Candidate>,
}

const MOST: usize = 120;

impl Candidates {
    pub fn new(page: &Page, facts: &[Fact], url: &str, is_named: bool) -> Self {
        let own = facts.iter().find(|fact| fact.field == Field::Canonical && fact.value.contains("://"));
        let url = if url.is_empty() { own.map_or("", |fact| &fact.value) } else { url };
        let context = Context::new(page, facts, url, is_named);
        Self { titles: titles(&context, facts), authors: authors(&context, facts), dates: dates(&context, facts, url) }
    }
}

/// What candidates are compared with.
struct Context {
    visible: Visible,
    /// For each block that is looked at, the element it stands in.
    elements: Vec<u32>,
    title: String,
    site: Vec<String>,
    headings: Vec<String>,
    order: Order,
    /// The words of the last part of the address, which is often made of the title.
    slug: String,
    /// How the first heading and the titles in the head agree.
    heading: &'static str,
    /// What the page is, in words that features end with.
    page: Vec<&'static str>,
    host: String,
    is_named: bool,
}

impl Context {
    fn new(page: &Page, facts: &[Fact], url: &str, is_named: bool) -> Self {
        let of = |field: Field| facts.iter().filter(move |fact| fact.field == field);
        let title = folded(&page.title);
        let mut titles: Vec<String> = vec![title.clone()];
        titles.extend(of(Field::Title).filter(|fact| fact.source.starts_with("meta")).map(|fact| folded(&fact.value)));
        let order = order(of(Field::Language).map(|fact| fact.value.as_str()).next().unwrap_or(""), url);
        let (host, path) = parts_of(url);
        let headings: Vec<String> =
            of(Field::Title).filter(|fact| fact.source.starts_with("h1")).map(|fact| folded(&fact.value)).collect();
        let mut kinds = Vec::new();
        let og = of(Field::Kind).find(|fact| fact.source.starts_with("meta")).map(|fact| fact.value.to_lowercase());
        kinds.push(match og.as_deref() {
            Some("article") => "og-article",
            Some("website") => "og-website",
            Some(_) => "og-other",
            None => "og-none",
        });
        let has = |source: &str| facts.iter().any(|fact| fact.source.starts_with(source));
        kinds.push(if url.is_empty() || path.trim_matches('/').is_empty() { "home" } else { "inner" });
        for (source, name) in [
            ("ld.article", "ld-article"),
            ("ld.forum", "ld-forum"),
            ("ld.question", "ld-question"),
            ("ld.product", "ld-product"),
        ] {
            if has(source) {
                kinds.push(name);
            }
        }
        kinds.push(match headings.len() {
            0 => "h1-none",
            1 => "h1-one",
            _ => "h1-many",
        });
        kinds.extend(kind_of_path(path));
        let slug = slug(path);
        let heading = heading_and_title(headings.first().map_or("", |heading| heading), &titles);
        let site = of(Field::Site).map(|fact| folded(&fact.value)).filter(|site| !site.is_empty()).collect();
        let origin = |&element: &u32| page.elements.origin[element as usize];
        let elements = page.element.iter().take(MOST_BLOCKS).map(origin).collect();
        Self {
            visible: Visible::new(page, order, &titles),
            elements,
            title,
            site,
            headings,
            order,
            slug,
            heading,
            page: kinds,
            host,
            is_named,
        }
    }
}

impl Context {
    /// The first block in an element or behind its beginning.
    fn block_behind(&self, element: u32) -> Option<usize> {
        self.elements.iter().position(|&around| around >= element)
    }
}

/// Parts of addresses that say what a page is.
const PATHS: [(&str, &str); 26] = [
    ("/product", "path-product"),
    ("/p/", "path-product"),
    ("/dp/", "path-product"),
    ("/item", "path-product"),
    ("/shop", "path-listing"),
    ("/collection", "path-listing"),
    ("/categor", "path-listing"),
    ("/c/", "path-listing"),
    ("/tag", "path-listing"),
    ("/topic", "path-thread"),
    ("/thread", "path-thread"),
    ("/forum", "path-thread"),
    ("/discussion", "path-thread"),
    ("/comments/", "path-thread"),
    ("/question", "path-thread"),
    ("/t/", "path-thread"),
    ("/docs", "path-docs"),
    ("/doc/", "path-docs"),
    ("/guide", "path-docs"),
    ("/manual", "path-docs"),
    ("/reference", "path-docs"),
    ("/wiki", "path-docs"),
    ("/blog", "path-article"),
    ("/news", "path-article"),
    ("/article", "path-article"),
    ("/20", "path-article"),
];

fn kind_of_path(path: &str) -> Option<&'static str> {
    let path = path.to_lowercase();
    PATHS.iter().find(|(part, _)| path.contains(part)).map(|&(_, kind)| kind)
}

/// How much of the words of the first heading the titles in the head have.
fn heading_and_title(heading: &str, titles: &[String]) -> &'static str {
    let given = titles.get(1).or(titles.first()).map_or("", |title| title);
    match overlap(heading, given) {
        "0" | "1" => "h1-differs",
        "2" | "3" => "h1-overlaps",
        "4" | "5" => "h1-agrees",
        _ => "h1-unknown",
    }
}

/// The longest part of a path, as words.
fn slug(path: &str) -> String {
    let longest = path.split('/').max_by_key(|part| part.matches(['-', '_']).count()).unwrap_or("");
    let name = longest.split('.').next().unwrap_or("");
    if name.contains(['-', '_']) {
        folded(&name.replace('_', "-"))
    } else {
        String::new()
    }
}

/// American English writes the month first.
fn order(language: &str, url: &str) -> Order {
    let language = language.to_lowercase();
    let host = parts_of(url).0;
    let elsewhere = [".uk", ".au", ".nz", ".ie", ".in", ".za"].iter().any(|ending| host.ends_with(ending));
    let is_american = language.is_empty() || language.starts_with("en") && !elsewhere;
    if is_american
        && !["en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za"].contains(&language.replace('_', "-").as_str())
    {
        Order::MonthFirst
    } else {
        Order::DayFirst
    }
}

/// The host and the path of an address.
fn parts_of(url: &str) -> (String, &str) {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let place = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    (rest[..place].to_lowercase(), rest[place..].split(['?', '#']).next().unwrap_or(""))
}

/// Candidates in the order of their first places, the same value once.
#[derive(Default)]
struct Gathered {
    places: HashMap<String, usize>,
    all: Vec<Candidate>,
}

impl Gathered {
    fn add(&mut self, key: String, value: &str, evidence: &str, source: String) -> Option<usize> {
        let place = match self.places.get(&key) {
            Some(&place) => place,
            None if key.is_empty() || self.all.len() >= MOST => return None,
            None => {
                self.places.insert(key, self.all.len());
                self.all.push(Candidate { value: value.into(), evidence: evidence.into(), ..Candidate::default() });
                self.all.len() - 1
            }
        };
        let sources = &mut self.all[place].sources;
        if !sources.contains(&source) {
            sources.push(source);
        }
        Some(place)
    }

    /// The candidates with their features, and the one that stands for none.
    fn finished(mut self, context: &Context, describe: impl Fn(&str, &Candidate, &mut Features)) -> Vec<Candidate> {
        let mut keys: Vec<_> = self.places.into_iter().collect();
        keys.sort_unstable_by_key(|&(_, place)| place);
        for (key, place) in keys {
            let candidate = &self.all[place];
            let mut features = Features::new(context.is_named);
            for source in &candidate.sources {
                features.add(&[source]);
            }
            features.add(&["agree.", agreement(&candidate.sources)]);
            describe(&key, candidate, &mut features);
            for kind in &context.page {
                for source in &candidate.sources {
                    features.add_new(&[source, "&", kind]);
                }
            }
            self.all[place].features = features;
        }
        let mut none = Features::new(context.is_named);
        for kind in &context.page {
            none.add(&["none.", kind]);
        }
        none.add(&["none"]);
        self.all.push(Candidate { features: none, ..Candidate::default() });
        self.all
    }
}

const COUNTS: [&str; 7] = ["0", "1", "2", "3", "4", "5", "6"];

fn count(number: usize, most: usize) -> &'static str {
    COUNTS[number.min(most)]
}

/// How many sorts of places say the same.
fn agreement(sources: &[String]) -> &'static str {
    let sorts: HashSet<&str> = sources.iter().map(|source| source.split('.').next().unwrap_or("")).collect();
    count(sorts.len(), 4)
}

/// The sorts of places that say the same, and whether each has it whole.
fn together(sources: &[String]) -> String {
    let part = |source: &String| {
        let sort = source.split('.').next().unwrap_or("");
        let is_piece = [".first.", ".last.", ".all-but-"].iter().any(|piece| source.contains(piece));
        format!("{sort}{}", if is_piece { "-piece" } else { "" })
    };
    let mut parts: Vec<String> = sources.iter().map(part).collect();
    parts.sort();
    parts.dedup();
    format!("together.{}", parts.join("+"))
}

const SEPARATORS: [(&str, &str); 12] = [
    (" | ", "bar"),
    (" - ", "hyphen"),
    (" – ", "dash"),
    (" — ", "dash"),
    (" · ", "dot"),
    (" • ", "dot"),
    (" :: ", "colons"),
    (" » ", "quote"),
    (" « ", "quote"),
    (": ", "colon"),
    (" : ", "colon"),
    ("|", "tight-bar"),
];

fn titles(context: &Context, facts: &[Fact]) -> Vec<Candidate> {
    let mut found = Gathered::default();
    for fact in facts.iter().filter(|fact| fact.field == Field::Title && !fact.value.is_empty()) {
        let value = fact.value.trim_end_matches(['¶', '#']).trim();
        found.add(folded(value), value, &fact.evidence, fact.source.to_string());
        let is_split = fact.source == "title" || fact.source.contains("og:title") || fact.source == "h1.1";
        if !is_split {
            continue;
        }
        for (separator, name) in SEPARATORS {
            if name == "tight-bar" && value.contains(" | ") {
                continue;
            }
            let parts: Vec<&str> = value.split(separator).map(str::trim).filter(|part| !part.is_empty()).collect();
            if parts.len() < 2 {
                continue;
            }
            let last = value.rfind(separator).unwrap_or(0);
            let first = value.find(separator).unwrap_or(0) + separator.len();
            let count = if parts.len() == 2 { "two" } else { "more" };
            let pieces = [
                ("first", parts[0]),
                ("last", parts[parts.len() - 1]),
                ("all-but-last", value[..last].trim()),
                ("all-but-first", value[first..].trim()),
            ];
            // Of two parts, the first is all but the last.
            for (piece, part) in pieces.into_iter().take(if parts.len() == 2 { 2 } else { 4 }) {
                let source = format!("{}.{piece}.{name}.{count}", fact.source);
                found.add(folded(part), part, &fact.evidence, source);
            }
        }
    }
    found.finished(context, |key, candidate, features| title_features(context, key, candidate, features))
}

fn title_features(context: &Context, key: &str, candidate: &Candidate, features: &mut Features) {
    let (title, size) = (&context.title, size(key));
    features.add(&["words.", size]);
    features.claim(title == key, "title.same");
    features.claim(title != key && title.starts_with(key), "title.begins");
    features.claim(title != key && title.ends_with(key), "title.ends");
    features.claim(title != key && title.contains(key), "title.holds");
    features.claim(!title.is_empty() && key != title && key.contains(title.as_str()), "holds.title");
    let others = || context.headings.iter().filter(|heading| *heading != key);
    features.claim(context.headings.iter().any(|heading| heading == key), "h1.same");
    features.claim(others().any(|heading| heading.contains(key)), "h1.holds");
    features.claim(others().any(|heading| key.contains(heading.as_str())), "holds.h1");
    features.claim(context.headings.first().is_some_and(|heading| heading == key), "h1.first");
    let sites = || context.site.iter().filter(|site| *site != key);
    features.claim(context.site.iter().any(|site| site == key), "site.same");
    features.claim(sites().any(|site| key.ends_with(site.as_str())), "ends.site");
    features.claim(sites().any(|site| key.starts_with(site.as_str())), "begins.site");
    let host = key.replace(' ', "");
    features.claim(host.len() > 3 && context.host.contains(&host), "host.same");
    features.claim(candidate.value.contains('|'), "has.bar");
    features.claim(candidate.value.contains(" - "), "has.hyphen");
    features.claim(candidate.value.ends_with("..") || candidate.value.ends_with('…'), "is.cut");
    let together = together(&candidate.sources);
    let block = context.visible.block_of(key);
    features.claim(block.is_some(), "visible");
    let distance = context.visible.distance(block);
    features.add(&["visible.", distance]);
    let heading = context.headings.first().map_or("", |heading| heading);
    let overlaps = [
        ("&overlap.title.", overlap(key, title)),
        ("&overlap.h1.", overlap(key, heading)),
        ("&overlap.slug.", overlap(key, &context.slug)),
    ];
    let length = if heading.is_empty() { "no-h1" } else { longer(key, heading) };
    let value = &candidate.value;
    features.claim(value.chars().any(char::is_alphabetic) && !value.chars().any(char::is_lowercase), "is.upper");
    for (name, share) in overlaps {
        features.add(&[&name[1..], share]);
        features.add_new(&[&together, name, share]);
    }
    features.add(&[&together]);
    for kind in &context.page {
        features.add_new(&[&together, "&", kind]);
    }
    features.add_new(&[&together, "&", context.heading]);
    features.add_new(&[&together, "&length.", length]);
    features.add_new(&[&together, "&words.", size]);
    features.add_new(&[&together, "&visible.", distance]);
    for source in candidate.sources.iter().filter(|source| !source.contains("ld.item")) {
        features.add_new(&[source, "&words.", size]);
        features.add_new(&[source, "&visible.", distance]);
        features.add_new(&[source, "&length.", length]);
        features.add_new(&[source, "&", context.heading]);
        for (name, share) in overlaps {
            features.add_new(&[source, name, share]);
        }
    }
}

/// How a text compares in length with a heading.
fn longer(key: &str, heading: &str) -> &'static str {
    match (3 * key.len()).cmp(&(2 * heading.len())) {
        std::cmp::Ordering::Less => "shorter",
        _ if 2 * key.len() > 3 * heading.len() => "longer",
        _ => "same",
    }
}

/// The share of words that two texts have in common, in quarters.
fn overlap(first: &str, second: &str) -> &'static str {
    if first.is_empty() || second.is_empty() {
        return "unknown";
    }
    let (words, others) = (distinct(first), distinct(second));
    let common = words.iter().filter(|word| others.contains(word)).count();
    match 8 * common / (words.len() + others.len() - common) {
        0 => "0",
        1..=2 => "1",
        3..=4 => "2",
        5..=6 => "3",
        7 => "4",
        _ => "5",
    }
}

/// The words of a title, each once; a title has few.
fn distinct(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text.split(' ').take(40) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn size(key: &str) -> &'static str {
    match key.split(' ').count() {
        0 | 1 => "1",
        2 => "2",
        3..=4 => "3-4",
        5..=8 => "5-8",
        9..=14 => "9-14",
        15..=24 => "15-24",
        _ => "25-",
    }
}

fn authors(context: &Context, facts: &[Fact]) -> Vec<Candidate> {
    let mut found = Gathered::default();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for fact in facts.iter().filter(|fact| fact.field == Field::Author) {
        let is_visible = fact.element.is_some();
        let Some(names) = names_in(&fact.value, is_visible) else { continue };
        let count = counts.entry(&fact.source).or_insert(0);
        *count += 1;
        let rank = if *count == 1 { "first" } else { "later" };
        found.add(folded(&names), &names, &fact.evidence, format!("{}.{rank}", fact.source));
    }
    for (number, byline) in context.visible.bylines.iter().enumerate().take(40) {
        let rank = if number == 0 { "first" } else { "later" };
        let distance = context.visible.distance(Some(byline.block));
        let key = folded(&byline.names);
        found.add(key.clone(), &byline.names, "byline", format!("byline.{}.{rank}", byline.cue.replace(' ', "-")));
        found.add(key, &byline.names, "byline", format!("byline.{distance}"));
    }
    found.finished(context, |key, candidate, features| author_features(context, key, candidate, features))
}

/// The names in a value, without what stands around them.
fn names_in(value: &str, is_visible: bool) -> Option<String> {
    let value = value.trim().trim_start_matches('@').trim();
    if value.is_empty() || value.len() > 200 || value.contains("://") || value.starts_with("www.") {
        return None;
    }
    let lower = value.to_lowercase();
    let cues = ["written by", "posted by", "published by", "by:", "by ", "author:", "authors:", "von ", "par ", "por "];
    let cut = cues.iter().find(|cue| lower.starts_with(**cue)).map_or(0, |cue| cue.len());
    let rest = value.get(cut..)?.trim_start_matches([' ', ':']);
    if !is_visible {
        return (!rest.is_empty()).then(|| rest.to_string());
    }
    let part = rest.split(['|', '•', '·', '–', '—']).next()?.trim();
    names_of(part)
        .filter(|names| names.len() * 2 >= part.len())
        .or_else(|| (part.len() <= 40).then(|| part.to_string()))
}

const WORKERS: [&str; 14] = [
    "editor",
    "editors",
    "editorial",
    "team",
    "staff",
    "admin",
    "redaktion",
    "redaccion",
    "redazione",
    "contributor",
    "guest",
    "administrator",
    "reporter",
    "desk",
];
const NO_NAMES: [&str; 26] = [
    "log", "login", "sign", "read", "more", "view", "profile", "share", "comment", "comments", "reply", "follow",
    "about", "contact", "join", "register", "menu", "search", "home", "posts", "your", "account", "member", "members",
    "list", "all",
];

fn author_features(context: &Context, key: &str, candidate: &Candidate, features: &mut Features) {
    let words: Vec<&str> = key.split(' ').collect();
    let value = &candidate.value;
    features.add(&["places.", count(candidate.sources.len(), 6)]);
    features.add(&["words.", size(key)]);
    features.claim(value.contains(','), "has.comma");
    features.claim(value.chars().any(|character| character.is_ascii_digit()), "has.digit");
    features.claim(value.contains('@') || value.contains(".com"), "has.address");
    features.claim(!value.contains(' '), "one.word");
    features.claim(value.chars().all(|character| !character.is_uppercase()), "no.capital");
    let begins = |word: &str| word.chars().next().is_some_and(|first| first.is_uppercase() || !first.is_alphabetic());
    features.claim(value.split_whitespace().all(begins), "all.capitals");
    features.claim(words.iter().any(|word| WORKERS.contains(word)), "is.staff");
    features.claim(words.iter().any(|word| NO_NAMES.contains(word)), "is.no-name");
    let sites = || context.site.iter().filter(|site| *site != key);
    features.claim(context.site.iter().any(|site| site == key), "site.same");
    features.claim(sites().any(|site| site.contains(key) || key.contains(site.as_str())), "site.near");
    features.claim(key.len() > 3 && context.host.contains(&key.replace(' ', "")), "host.same");
    features.claim(context.title == key || context.headings.iter().any(|heading| heading == key), "title.same");
    features.claim(context.title.contains(key), "title.holds");
    let block = context.visible.block_of(key);
    features.claim(block.is_some(), "visible");
    features.add(&["visible.", context.visible.distance(block)]);
    features.add(&["copies.", count(context.visible.count_of(key), 3)]);
    let is_near_date = |block: usize| context.visible.dates.iter().any(|dated| dated.block.abs_diff(block) <= 2);
    features.claim(block.is_some_and(is_near_date), "near.date");
}

fn dates(context: &Context, facts: &[Fact], url: &str) -> Vec<Candidate> {
    let mut found = Gathered::default();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let order = context.order;
    for fact in facts.iter().filter(|fact| matches!(fact.field, Field::Date | Field::Modified)) {
        let Some(date) = date_of(&fact.value, order) else { continue };
        let count = counts.entry(&fact.source).or_insert(0);
        *count += 1;
        let rank = if *count == 1 { "first" } else { "later" };
        let day = date.day.to_string();
        let place = found.add(day.clone(), &day, &fact.evidence, format!("{}.{rank}", fact.source));
        if let Some(element) = fact.element {
            let distance = context.visible.distance(context.block_behind(element));
            found.add(day.clone(), &day, &fact.evidence, format!("{}.{distance}", fact.source));
        }
        set_time(&mut found, place, date.time);
    }
    for (number, dated) in context.visible.dates.iter().enumerate().take(60) {
        let day = dated.date.day.to_string();
        let rank = if number == 0 { "first" } else { "later" };
        let distance = context.visible.distance(Some(dated.block));
        let alone = if dated.is_alone { "alone" } else { "inside" };
        found.add(day.clone(), &day, "date in the text", format!("text.{}.{distance}", dated.cue.name()));
        found.add(day.clone(), &day, "date in the text", format!("text.{alone}.{distance}"));
        found.add(day.clone(), &day, "date in the text", format!("text.{rank}"));
    }
    if let Some(day) = day_of_address(url) {
        let day = day.to_string();
        found.add(day.clone(), &day, "address", "url".into());
    }
    let days: Vec<String> = found.all.iter().map(|candidate| candidate.value.clone()).collect();
    found.finished(context, |key, candidate, features| date_features(key, candidate, &days, features))
}

fn set_time(found: &mut Gathered, place: Option<usize>, time: Option<String>) {
    if let Some(place) = place {
        let candidate = &mut found.all[place];
        candidate.time = candidate.time.take().or(time);
    }
}

fn date_features(key: &str, candidate: &Candidate, days: &[String], features: &mut Features) {
    let year: u32 = key[..4].parse().unwrap_or(0);
    features.add(&[match year {
        ..1995 => "year.old",
        1995..2100 => "year.now",
        _ => "year.future",
    }]);
    features.add(&["places.", count(candidate.sources.len(), 6)]);
    features.add(&["days.", count(days.len(), 5)]);
    let ranks = [("is.last", days.iter().max()), ("is.first", days.iter().min())];
    for (name, _) in ranks.iter().filter(|(_, day)| day.is_some_and(|day| day == key)) {
        features.add(&[name]);
        for source in &candidate.sources {
            features.add(&[source, "&", name]);
        }
    }
}

/// /2024/03/05/ and its like in the path of an address.
fn day_of_address(url: &str) -> Option<Day> {
    let (_, path) = parts_of(url);
    let parts: Vec<&str> = path.split(['/', '-', '_']).collect();
    let number = |part: &str, digits: usize| (part.len() == digits).then(|| part.parse::<u32>().ok()).flatten();
    parts.windows(3).find_map(|three| {
        let year = number(three[0], 4).filter(|year| (1990..2100).contains(year))?;
        Day::new(year, number(three[1], 2).or(number(three[1], 1))?, number(three[2], 2).or(number(three[2], 1))?)
    })
}
