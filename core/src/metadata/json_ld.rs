//! What JSON-LD says of a page.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::tree::Tree;

/// Larger scripts say more of a shop than of a page.
const MOST_BYTES: usize = 2_000_000;
/// Of a page that describes a thousand things, the first say what it is about.
const MOST_THINGS: usize = 2_000;

/// An object with what is around it.
pub struct Thing<'a> {
    pub kind: Kind,
    /// The types as the page names them.
    pub types: String,
    /// It is no part of another thing.
    pub is_top: bool,
    pub object: &'a Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Article,
    Forum,
    Question,
    Reply,
    Page,
    Site,
    Organization,
    Person,
    Product,
    Item,
    Other,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Forum => "forum",
            Self::Question => "question",
            Self::Reply => "reply",
            Self::Page => "page",
            Self::Site => "site",
            Self::Organization => "organization",
            Self::Person => "person",
            Self::Product => "product",
            Self::Item => "item",
            Self::Other => "other",
        }
    }

    fn of(types: &str) -> Self {
        let has = |part: &str| types.contains(part);
        match () {
            () if has("DiscussionForumPosting") => Self::Forum,
            () if has("Article") || has("Posting") || has("Report") || has("Recipe") => Self::Article,
            () if has("Question") || has("QAPage") => Self::Question,
            () if has("Comment") || has("Answer") || has("Review") => Self::Reply,
            () if has("WebSite") => Self::Site,
            () if has("Page") => Self::Page,
            () if has("Organization") || has("Business") || has("Corporation") => Self::Organization,
            () if has("Person") => Self::Person,
            () if has("Product") => Self::Product,
            () if has("ListItem") => Self::Item,
            () => Self::Other,
        }
    }
}

/// The scripts of a page that hold JSON-LD, as far as they can be read.
pub fn scripts(tree: &Tree, elements: &[u32]) -> Vec<Value> {
    elements.iter().filter_map(|&element| script(tree, element)).collect()
}

fn script(tree: &Tree, element: u32) -> Option<Value> {
    let kind = tree.attribute(element as usize, "type")?;
    if !kind.to_ascii_lowercase().contains("ld+json") {
        return None;
    }
    let source = super::text::raw_of(tree, element);
    if source.len() > MOST_BYTES {
        return None;
    }
    read(source.trim())
}

/// Strictly, else without what often is wrong: comments around it, line breaks in strings, a semicolon behind it.
fn read(source: &str) -> Option<Value> {
    serde_json::from_str(source).ok().or_else(|| {
        let object = source.find('{')?;
        let before = source[..object].trim_end();
        let begin = if before.ends_with('[') && !before.ends_with("CDATA[") { before.len() - 1 } else { object };
        let cut = source[begin..].replace(['\n', '\r', '\t'], " ");
        // Of a stream of values only the first is read: what follows it may be anything.
        serde_json::Deserializer::from_str(&cut).into_iter().next()?.ok()
    })
}

/// All things of all scripts, and the names of those that are referred to by `@id`.
pub struct Things<'a> {
    pub all: Vec<Thing<'a>>,
    by_id: HashMap<&'a str, &'a Map<String, Value>>,
}

impl<'a> Things<'a> {
    pub fn new(scripts: &'a [Value]) -> Self {
        let mut things = Self { all: Vec::new(), by_id: HashMap::new() };
        // A stack, because JSON may be nested as deeply as its reader allows.
        let mut open: Vec<(&Value, bool)> = scripts.iter().rev().map(|value| (value, true)).collect();
        while let Some((value, is_top)) = open.pop() {
            match value {
                Value::Array(values) => open.extend(values.iter().rev().map(|value| (value, is_top))),
                Value::Object(object) if things.all.len() < MOST_THINGS => {
                    let is_top = is_top && (object.contains_key("@type") || !object.contains_key("@graph"));
                    things.add(object, is_top);
                    let inner = object.iter().filter(|(_, value)| value.is_array() || value.is_object());
                    let inner: Vec<_> = inner.map(|(key, value)| (value, key == "@graph" || is_main(key))).collect();
                    open.extend(inner.into_iter().rev());
                }
                _ => {}
            }
        }
        things
    }

    fn add(&mut self, object: &'a Map<String, Value>, is_top: bool) {
        if let (Some(Value::String(id)), Some(_)) = (object.get("@id"), object.get("name")) {
            self.by_id.entry(id).or_insert(object);
        }
        let types = match object.get("@type") {
            Some(Value::String(one)) => one.clone(),
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            _ => return,
        };
        self.all.push(Thing { kind: Kind::of(&types), types, is_top, object });
    }

    /// The names that a value holds: a string, an object with a name or a reference to one, or several of these.
    pub fn names(&self, value: &'a Value) -> Vec<&'a str> {
        match value {
            Value::String(name) => vec![name],
            Value::Array(values) => {
                values.iter().take(50).filter(|value| !value.is_array()).flat_map(|value| self.names(value)).collect()
            }
            Value::Object(object) => {
                let id = object.get("@id").and_then(Value::as_str);
                let named = object.get("name").or_else(|| self.by_id.get(id?)?.get("name"));
                match named {
                    Some(Value::String(name)) => vec![name],
                    Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }
}

fn is_main(key: &str) -> bool {
    matches!(key, "mainEntity" | "mainEntityOfPage")
}

/// The addresses that a value holds.
pub fn address(value: &Value) -> Option<&str> {
    match value {
        Value::String(address) => Some(address),
        Value::Array(values) => values.iter().find_map(|value| if value.is_array() { None } else { address(value) }),
        Value::Object(object) => ["url", "contentUrl", "@id"].iter().find_map(|key| object.get(*key)?.as_str()),
        _ => None,
    }
}
