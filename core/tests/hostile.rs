//! Pages made to hurt: each is parsed in linear time and memory, whatever stands in it.

use std::time::{Duration, Instant};

use victor_core::html::{attributes, parse, parse_fragment, serialize, Options};
use victor_core::tree::{Namespace, Tree};

/// The sizes, in bytes; `VICTOR_HOSTILE` names another for the smaller.
const SMALL: usize = 50_000;

/// How much longer a page four times as large may take. Linear is 4; what the machine does besides is noise.
const MOST_TIMES: f64 = 12.0;
const NOISE: Duration = Duration::from_millis(60);

/// How many elements and texts a byte may become, beyond what the parser gives for free.
const MOST_PER_BYTE: f64 = 0.75;
const FREE: f64 = 25_000.0;

/// Elements that were closed may be wrapped once more, so that trees are deeper than the parser's stack.
const DEEPEST: u32 = 1_200;

/// What stands once at the beginning, what is repeated, and what stands at the end.
const SHAPES: [(&str, &str, &str, &str); 67] = [
    ("nothing", "", " ", ""),
    ("words", "", "word ", ""),
    ("divs", "", "<div>", ""),
    ("divs and text", "", "<div>x", ""),
    ("divs closed", "", "<div></div>", ""),
    ("paragraph ends", "<body>", "</p>", ""),
    ("paragraphs", "", "<p>", ""),
    ("breaks", "<body>", "</br>", ""),
    ("unmatched ends", "<body>", "<b><p></x></span></div></em>", ""),
    ("unmatched ends, deep", "", "<span></li></table></form></x-y></h1>", ""),
    ("deep, then ends", "DEEP", "</x></i></table></ul>", ""),
    ("links", "", "<a>", ""),
    ("links and blocks", "", "<a><div>", ""),
    ("links and text", "", "<a>x<p>", ""),
    ("fonts", "", "<font>", ""),
    ("fonts, all different", "", "<font size=#>", ""),
    ("fonts in paragraphs", "", "<p><font size=#>x", ""),
    ("formatting, then paragraphs", "FORMATTING", "<p>x", ""),
    ("formatting, then paragraph ends", "FORMATTING", "</p>", ""),
    ("misnested", "", "<b><i></b>", ""),
    ("misnested in paragraphs", "", "<b><p><i></b></p>", ""),
    ("misnested, with ends", "", "<b><i><p></b></i>x", ""),
    ("adoptions", "", "<b id=#><div></b>x", ""),
    ("nobr", "", "<nobr>", ""),
    ("nobr in blocks", "", "<nobr><div>", ""),
    ("tables", "", "<table>", ""),
    ("tables in cells", "", "<table><tr><td>", ""),
    ("tables with text", "", "<table>x", ""),
    ("tables in cells with text", "", "<table>x<tr>y<td>z", ""),
    ("tables with formatting", "", "<table><b>x<tr>", ""),
    ("one table, much text", "<table>", "x<tr>", ""),
    ("one table, much formatting", "<table>", "<b>x<tr>", ""),
    ("markers", "", "<table><object></table>", ""),
    ("markers and formatting", "", "<table><object><b id=#></table>", ""),
    ("objects", "", "<object><b>", ""),
    ("templates", "", "<template>", ""),
    ("templates and formatting", "", "<template><p><b><i><u></p>", ""),
    ("selects", "", "<select>", ""),
    ("options", "<select>", "<optgroup><option>", ""),
    ("buttons", "", "<button>", ""),
    ("forms", "", "<form><div></form>", ""),
    ("lists", "", "<ul><li>", ""),
    ("items", "<ul>", "<li>", ""),
    ("definitions", "<dl>", "<dd><div><dt>", ""),
    ("svg", "", "<svg>", ""),
    ("svg integration", "", "<svg><desc>", ""),
    ("math", "", "<math><mi><b>", ""),
    ("foreign ends", "<svg>", "<g></x></p>", ""),
    ("foreign ends, deep", "FOREIGN", "</x>", ""),
    ("items, deep", "DEEP", "<li>", ""),
    ("blocks, deep", "BLOCKS", "<li><dd>", ""),
    ("formatting ends, deep", "DEEP", "</b></a></nobr>", ""),
    ("fonts alike", "<p>", "</p><p><font a# b c d e f g h i j k l m>", ""),
    ("CDATA unclosed", "<svg>", "<g/><![CDATA[x]]><![CDATA[", ""),
    ("framesets", "", "<frameset>", ""),
    ("bodies", "", "<body a#=1>", ""),
    ("htmls", "", "<html a#=1>", ""),
    ("less than", "", "<", ""),
    ("ampersands", "", "&", ""),
    ("references", "", "&amp;&notit;&#x41;&#65", ""),
    ("comments unclosed", "", "<!--", ""),
    ("comments closed otherwise", "", "<!----!><!-- >", ""),
    ("names", "", "<n#></n#>", ""),
    ("attributes", "<p ", "a# ", ">x"),
    ("attribute", "<p title='", "x&amp;", "'>x"),
    ("attribute unclosed", "", "<p title='", ""),
    ("titles unclosed", "", "<title>x<a>", ""),
];

const TEXTS: [(&str, &str, &str, &str); 12] = [
    ("scripts unclosed", "", "<script>", ""),
    ("scripts escaped", "", "<script><!--<script></script>", ""),
    ("scripts in strings", "", "<script>'</script>');", "</script>"),
    ("scripts with spaces", "<script>", "</script    \n   ", "</script>"),
    ("script ends", "<script>", "<!--</scriptx><script", ""),
    ("styles unclosed", "", "<style></styl>", ""),
    ("textareas", "", "<textarea></textarea >", ""),
    ("titles and one end", "", "<title><b>", "</title>"),
    ("titles, ends far away", "", "<title>x</titl>", "<meta></title>"),
    ("doctypes", "", "<!doctype html PUBLIC '", ""),
    ("NULs", "", "\0", ""),
    ("line ends", "<pre>", "\r\n\r", ""),
];

#[test]
fn hostile_pages_are_linear() {
    let small = std::env::var("VICTOR_HOSTILE").map_or(SMALL, |size| size.parse().expect("a size"));
    let mut faults = Vec::new();
    for (name, begin, unit, end) in SHAPES.into_iter().chain(TEXTS) {
        let sizes = [small, 4 * small].map(|size| page(begin, unit, end, size));
        let [(_, once), (tree, four_times)] = sizes.map(timed);
        let mass = (tree.len() + tree.texts.len()) as f64;
        let deepest = tree.depths.iter().copied().max().unwrap_or(0);
        println!(
            "{name:32} {:8.1} ms {:8.1} ms  {mass:9} nodes, {deepest:4} deep",
            1e3 * once.as_secs_f64(),
            1e3 * four_times.as_secs_f64()
        );
        if four_times > NOISE && four_times.as_secs_f64() > MOST_TIMES * once.as_secs_f64() {
            faults.push(format!("{name}: {once:?} and {four_times:?}"));
        }
        if mass > FREE + MOST_PER_BYTE * tree.source.len() as f64 || deepest > DEEPEST {
            faults.push(format!("{name}: {mass} nodes, {deepest} deep of {} bytes", tree.source.len()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn page(begin: &str, unit: &str, end: &str, size: usize) -> String {
    let mut page = match begin {
        "DEEP" => "<span>".repeat(600),
        "BLOCKS" => "<div>".repeat(600),
        "FOREIGN" => format!("<svg>{}", "<g>".repeat(600)),
        "FORMATTING" => (0..600).map(|number| format!("<b id={number}><i>")).collect(),
        _ => begin.to_owned(),
    };
    let mut number = 0;
    while page.len() < size {
        page.push_str(&unit.replace('#', &number.to_string()));
        number += 1;
    }
    page + end
}

/// Nothing that a page holds makes the parser panic, also not as a fragment of whatever element.
#[test]
fn soups_are_parsed_in_every_context() {
    const PARTS: [&str; 40] = [
        "<table>",
        "<tr>",
        "<td>",
        "</td>",
        "</table>",
        "<caption>",
        "<col>",
        "</colgroup>",
        "<template>",
        "</template>",
        "<svg>",
        "<desc>",
        "<math>",
        "<mi>",
        "</svg>",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<a>",
        "</a>",
        "<select>",
        "<option>",
        "</select>",
        "<frameset>",
        "<body>",
        "</body>",
        "</html>",
        "<form>",
        "</form>",
        "<title>",
        "</title",
        "<script>",
        "</script>'+",
        "&",
        "\0",
        " ",
        "<!--",
        "<![CDATA[",
        "é",
    ];
    const CONTEXTS: [&str; 16] = [
        "html",
        "head",
        "body",
        "table",
        "tbody",
        "tr",
        "td",
        "caption",
        "colgroup",
        "template",
        "select",
        "frameset",
        "title",
        "script",
        "desc",
        "annotation-xml",
    ];
    let mut state: u64 = 88_172_645_463_325_252;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % bound
    };
    for _ in 0..5_000 {
        let source: String = (0..below(40)).map(|_| PARTS[below(PARTS.len())]).collect();
        let options = Options { repairs: below(2) == 0 };
        let namespace = [Namespace::Html, Namespace::Html, Namespace::Svg, Namespace::MathMl][below(4)];
        let tree = match below(3) {
            0 => parse(source, options),
            _ => parse_fragment(source, CONTEXTS[below(CONTEXTS.len())], namespace, options),
        };
        serialize::html5lib(&tree);
        assert_eq!(tree.ends[0] as usize, tree.len());
    }
}

/// The tree of a page and how long it took, reading all attributes and texts too.
fn timed(page: String) -> (Tree, Duration) {
    let begin = Instant::now();
    let tree = parse(page, Options { repairs: true });
    let attributes: usize = (0..tree.len()).map(|element| attributes::of(&tree, element).count()).sum();
    let letters: usize = tree.texts.iter().map(|text| tree.text(text).len()).sum();
    assert!(attributes + letters <= 10 * tree.source.len() + 1_000_000);
    (tree, begin.elapsed())
}
