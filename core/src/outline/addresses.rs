//! The addresses of links and images: resolved, and only inert ones.

use crate::html::tags;
use crate::tree::Tree;

/// Allowed schemes. `data:` holds a file and `javascript:` a program.
const SCHEMES: [&str; 16] = [
    "http", "https", "mailto", "tel", "ftp", "ftps", "sms", "xmpp", "irc", "ircs", "news", "nntp", "geo", "magnet",
    "doi", "urn",
];

/// Longer addresses are dropped.
const LONGEST: usize = 8192;

/// Resolves the addresses of a page.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    base: Option<Parts>,
}

impl Addresses {
    /// Resolves by the `<base>` of the page and by its address, which may be empty.
    pub fn new(tree: &Tree, url: &str) -> Self {
        let page = Parts::read(&cleaned(url)).filter(Parts::is_hierarchical);
        let element = tree.tags.iter().position(|&tag| tag == tags::BASE);
        let href = element.and_then(|element| tree.attribute(element, "href"));
        let own = href.and_then(|href| Self { base: page.clone() }.resolved(&href));
        let base = own.and_then(|href| Parts::read(&href)).filter(Parts::is_hierarchical);
        Self { base: base.or(page) }
    }

    /// The address to print; `None` if it is no address or not inert.
    pub fn resolved(&self, href: &str) -> Option<String> {
        let href = cleaned(href);
        if href.is_empty() || href.len() > LONGEST {
            return None;
        }
        match scheme(&href) {
            Some(scheme) if SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => Some(href),
            Some(_) => None,
            None => Some(self.base.as_ref().map_or(href.clone(), |base| base.join(&href))),
        }
    }
}

/// Without white space at the ends, and without line ends, tabs and other controls anywhere, as browsers read it; blanks
/// inside are written `%20`.
fn cleaned(href: &str) -> String {
    let trimmed = href.trim_matches(|character: char| character <= ' ' || character.is_whitespace());
    let mut text = String::with_capacity(trimmed.len());
    for character in trimmed.chars() {
        match character {
            ' ' => text.push_str("%20"),
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '"' => text.push_str("%22"),
            _ if character.is_control() || character.is_whitespace() => {}
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {}
            _ => text.push(character),
        }
    }
    text
}

/// The text before the first colon, if it can be a scheme.
fn scheme(href: &str) -> Option<&str> {
    let end = href.find([':', '/', '?', '#'])?;
    let (name, rest) = href.split_at(end);
    let is_first = |byte: &u8| byte.is_ascii_alphabetic();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (rest.starts_with(':') && name.as_bytes().first().is_some_and(is_first) && name.bytes().all(is_name))
        .then_some(name)
}

/// RFC 3986, section 3.
#[derive(Clone, Debug)]
struct Parts {
    scheme: String,
    authority: Option<String>,
    path: String,
    query: Option<String>,
}

impl Parts {
    fn read(url: &str) -> Option<Self> {
        let name = scheme(url)?;
        let rest = &url[name.len() + 1..];
        let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query.to_string())));
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(rest[..end].to_string()), rest[end..].to_string())
            }
            None => (None, rest.to_string()),
        };
        Some(Self { scheme: name.to_ascii_lowercase(), authority, path, query })
    }

    fn is_hierarchical(&self) -> bool {
        self.authority.as_ref().is_some_and(|authority| !authority.is_empty())
            && matches!(self.scheme.as_str(), "http" | "https" | "ftp" | "ftps")
    }

    fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority.as_deref().unwrap_or(""))
    }

    /// RFC 3986, section 5.2, of a reference without scheme.
    fn join(&self, href: &str) -> String {
        if href.starts_with("//") {
            return format!("{}:{href}", self.scheme);
        }
        if href.starts_with('#') || href.starts_with('?') {
            let query = self.query.as_ref().filter(|_| href.starts_with('#'));
            let query = query.map_or(String::new(), |query| format!("?{query}"));
            return format!("{}{}{query}{href}", self.origin(), self.rooted());
        }
        let end = href.find(['?', '#']).unwrap_or(href.len());
        let (path, rest) = href.split_at(end);
        let path = if path.starts_with('/') {
            path.to_string()
        } else {
            let rooted = self.rooted();
            format!("{}{path}", &rooted[..=rooted.rfind('/').unwrap_or(0)])
        };
        format!("{}{}{rest}", self.origin(), without_dots(&path))
    }

    fn rooted(&self) -> &str {
        if self.path.is_empty() {
            "/"
        } else {
            &self.path
        }
    }
}

/// RFC 3986, section 5.2.4.
fn without_dots(path: &str) -> String {
    if !path.contains("/.") {
        return path.to_string();
    }
    let mut segments: Vec<&str> = Vec::new();
    let last = path.rsplit('/').next().unwrap_or("");
    for segment in path.split('/').skip(1) {
        match segment {
            "." => {}
            ".." => drop(segments.pop()),
            _ => segments.push(segment),
        }
    }
    if matches!(last, "." | "..") {
        segments.push("");
    }
    format!("/{}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Addresses {
        Addresses::new(&Tree::default(), url)
    }

    #[test]
    fn addresses_are_resolved_by_that_of_the_page() {
        let page = of("https://a.org/b/c/d?q=1#top");
        for (href, expected) in [
            ("e", "https://a.org/b/c/e"),
            ("../e/./f?g#h", "https://a.org/b/e/f?g#h"),
            ("/e", "https://a.org/e"),
            ("//b.org/", "https://b.org/"),
            ("?x", "https://a.org/b/c/d?x"),
            ("#x", "https://a.org/b/c/d?q=1#x"),
            ("../../../../e", "https://a.org/e"),
            ("..", "https://a.org/b/"),
            (" mailto:me@a.org ", "mailto:me@a.org"),
            ("a b", "https://a.org/b/c/a%20b"),
        ] {
            assert_eq!(page.resolved(href).as_deref(), Some(expected), "{href}");
        }
    }

    #[test]
    fn addresses_stay_as_written_where_nobody_knows_the_page() {
        assert_eq!(of("").resolved("/a/../b"), Some("/a/../b".to_string()));
        assert_eq!(of("no address").resolved("b"), Some("b".to_string()));
        assert_eq!(of("http://a").resolved("b"), Some("http://a/b".to_string()));
    }

    #[test]
    fn what_is_not_inert_is_no_address() {
        for href in
            ["javascript:x()", " java\nscript:x", "JAVASCRIPT:x", "\u{1}vbscript:x", "data:image/png,x", "", " "]
        {
            assert_eq!(of("http://a.org").resolved(href), None, "{href:?}");
        }
    }
}
