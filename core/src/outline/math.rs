//! Formulas: TeX inside of MathML, and TeX in the text.

use super::{Span, Style};
use crate::html::tags::{tag, Tag};
use crate::page::Page;

/// The TeX of a `<math>`, if the page gives it, and whether it is displayed on its own line.
pub fn tex(page: &Page, math: usize) -> Option<(String, bool)> {
    let (tree, elements) = (&page.tree, &page.elements);
    let is_display = tree.attribute(elements.origin[math] as usize, "display").is_some_and(|value| &*value == "block");
    let annotated = annotation(page, math);
    let tex = annotated.or_else(|| tree.attribute(elements.origin[math] as usize, "alttext").map(String::from))?;
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    let tex = without_display(&tex).trim();
    (!tex.is_empty()).then(|| (tex.to_string(), is_display))
}

/// The TeX without the wrapper that Wikipedia adds.
fn without_display(tex: &str) -> &str {
    let inner = tex.strip_prefix("{\\displaystyle").or_else(|| tex.strip_prefix("{\\textstyle"));
    inner.and_then(|inner| inner.strip_suffix('}')).unwrap_or(tex)
}

fn annotation(page: &Page, math: usize) -> Option<String> {
    const ANNOTATION: Tag = tag("annotation");
    let (tree, elements) = (&page.tree, &page.elements);
    let mut inside = (math + 1..elements.ends[math] as usize).map(|element| elements.origin[element] as usize);
    let found = inside.find(|&element| {
        let encoding = || tree.attribute(element, "encoding");
        tree.tags[element] == ANNOTATION
            && encoding().is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    })?;
    Some(super::listings::raw_text(tree, found)).filter(|text| !text.trim().is_empty())
}

/// Do scripts of the page render text between dollars as formulas?
pub fn sets_dollars(source: &str) -> bool {
    ["MathJax", "mathjax", "katex", "KaTeX"]
        .iter()
        .any(|name| memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some())
}

/// The delimiters of TeX in a text, and whether the formula is displayed on its own line.
const DELIMITERS: [(&str, &str, bool); 4] =
    [("$$", "$$", true), ("\\[", "\\]", true), ("\\(", "\\)", false), ("$", "$", false)];

/// The formulas of a text that begins at `start`, as spans that do not overlap.
pub fn formulas(text: &str, start: u32, with_dollars: bool) -> Vec<Span> {
    let mut spans = Vec::new();
    // Where the search for each end has failed once, no later one will succeed.
    let mut is_hopeless = [false; 4];
    let mut at = 0;
    while let Some(found) = text[at..].find(['$', '\\']) {
        at += found;
        let kinds = DELIMITERS.iter().enumerate();
        let kind = kinds
            .filter(|(_, kind)| with_dollars || !kind.0.starts_with('$'))
            .find(|(_, kind)| text[at..].starts_with(kind.0));
        let Some((number, &(open, close, is_display))) = kind.filter(|(number, _)| !is_hopeless[*number]) else {
            at += 1;
            continue;
        };
        let inner = at + open.len();
        let Some(length) = text[inner..].find(close) else {
            is_hopeless[number] = true;
            at += open.len();
            continue;
        };
        let tex = &text[inner..inner + length];
        if !is_tex(tex, open == "$") {
            at += open.len();
            continue;
        }
        let end = inner + length + close.len();
        let style = Style::Math { is_display, delimiter: open.len() as u8 };
        spans.push(Span { style, start: start + at as u32, end: start + end as u32 });
        at = end;
    }
    spans
}

/// Is a text TeX, rather than the text between two amounts of money?
fn is_tex(tex: &str, is_strict: bool) -> bool {
    let is_spaced = tex.starts_with(char::is_whitespace) || tex.ends_with(char::is_whitespace);
    !tex.trim().is_empty()
        && !tex.contains('\n')
        && !(is_strict && (is_spaced || tex.len() > 300))
        && !tex.contains('$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_found_in_text() {
        let found = |text: &str, with_dollars| -> Vec<String> {
            let spans = formulas(text, 0, with_dollars);
            spans.iter().map(|span| text[span.start as usize..span.end as usize].to_string()).collect()
        };

        assert_eq!(found("a \\(x_1\\) b \\[y\\] $z$", false), ["\\(x_1\\)", "\\[y\\]"]);
        assert_eq!(found("a $x_1$ and $$y$$, $ 5 and $6", true), ["$x_1$", "$$y$$"]);
        assert_eq!(found("\\( \\( \\(", true), [""; 0]);
    }
}
