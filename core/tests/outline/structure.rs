//! What becomes of the elements of a page, each shown by a small page and its Markdown.

use victor_core::formats::html::html;
use victor_core::formats::main_html::main_html;
use victor_core::formats::markdown::{markdown, Switches};
use victor_core::outline::{outline, whole};

use super::pages::{document, json, labeled, markdown_of, whole as outlined, written, C, H, L, OTHER, P};

fn check(pages: &[(&str, &str)]) {
    for (page, expected) in pages {
        assert_eq!(markdown_of(page), format!("{expected}\n"), "{page}");
    }
}

#[test]
fn headings_and_paragraphs() {
    check(&[
        ("<h1>One</h1><p>two <b>three</b><p>four", "# One\n\ntwo **three**\n\nfour"),
        ("<h2><div>One</div><div>two</div></h2>", "## One two"),
        ("<h2>One<a class=headerlink href=#one>¶</a></h2>", "## One"),
        ("<p>one<br>two<br><br>three", "one\\\ntwo\n\nthree"),
        ("<p>one<hr><p>two", "one\n\n---\n\ntwo"),
        ("<blockquote><p>one<p>two</blockquote>", "> one\n>\n> two"),
    ]);
}

#[test]
fn lists() {
    check(&[
        ("<ul><li>one<li>two<ul><li>three</ul></ul>", "- one\n- two\n  - three"),
        ("<ol start=3><li>one<li>two</ol>", "3. one\n4. two"),
        ("<ul><li><p>one<p>two<li>three</ul>", "- one\n\n  two\n\n- three"),
        ("<ul><li>one<pre>two\n three</pre></ul>", "- one\n\n  ```\n  two\n   three\n  ```"),
        ("<ul>one<li>two</ul><ul><li>three</ul>", "- one\n- two\n\n* three"),
        ("<li>one<li>two", "- one\n- two"),
        ("<ul><li>one<ul></ul><ul><li>two</ul></ul>", "- one\n  - two"),
        ("<ul><li><h3>One</h3>two<li><h3>Three</h3>four</ul>", "### One\n\ntwo\n\n### Three\n\nfour"),
        ("<dl><dt>one<dd>two</dl>", "one\n\ntwo"),
    ]);
}

#[test]
fn tables() {
    check(&[
        ("<table><tr><th>a<th>b<tr><td>c<td>d|e</table>", "| a | b |\n| --- | --- |\n| c | d\\|e |"),
        ("<table><tr><td>a<td>b<tr><td>c<td></table>", "| | |\n| --- | --- |\n| a | b |\n| c | |"),
        (
            "<table><tr><th>a<th>b<tr><td colspan=2>c<tr><td rowspan=2>d<td>e<tr><td>f</table>",
            "| a | b |\n| --- | --- |\n| c | |\n| d | e |\n| | f |",
        ),
        (
            "<table><caption>A table</caption><tr><th>a<th>b<tr><td><p>c<p>d<td><ul><li>e</ul></table>",
            "A table\n\n| a | b |\n| --- | --- |\n| c d | e |",
        ),
        ("<table><tr><td>one<td>two</table>", "one\n\ntwo"),
        ("<table><tr><td>one<tr><td><table><tr><td>two</table></table>", "one\n\ntwo"),
    ]);
}

#[test]
fn a_table_of_posts_only_places_them() {
    let post = |words: usize| format!("<p>{}<p>Thanks<blockquote>quoted</blockquote>", "word ".repeat(words));
    let page = |cell: &str, words| {
        format!(
            "<table><tr><{cell}>amy<{cell}>post<tr><td>bob<td>{}<tr><td>eve<td>{}</table>",
            post(words),
            post(words)
        )
    };

    assert!(!markdown_of(&page("td", 60)).contains('|'));
    assert!(markdown_of(&page("td", 10)).contains('|'));
    assert!(markdown_of(&page("th", 60)).contains('|'));
}

#[test]
fn listings() {
    let long = format!("```\n{0}{0}\n```", "a ".repeat(101).trim());
    check(&[
        ("<pre><code class=language-rust>fn a() {\n\n  b\n}\n</code></pre>", "```rust\nfn a() {\n\n  b\n}\n```"),
        ("<div class='highlight-source-c++'><pre>a</pre></div>", "```c++\na\n```"),
        ("<pre class='brush: php; x'>a</pre>", "```php\na\n```"),
        (
            "<pre><span class=lineno>1</span>a<button>Copy</button>\n<span class=lineno>2</span>b</pre>",
            "```\na\nb\n```",
        ),
        ("<pre><div class=line>a</div><div class=line>b</div></pre>", "```\na\nb\n```"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        ("<code>a<br>b</code>", "```\na\nb\n```"),
        // What is called a button, but is too long for one, is code.
        (&format!("<pre><code class=copy>{0}</code><button>{0}</button></pre>", "a ".repeat(101).trim()), &long),
        (&format!("<pre><i class=gutter>{}</i>b</pre>", "100 ".repeat(200)), "```\nb\n```"),
        ("<table class=highlight><tr><td>1<td>a b<tr><td>2<td>c</table>", "```\na b\nc\n```"),
        ("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```"),
        ("<pre>```\na</pre>", "````\n```\na\n````"),
        ("<pre><span class=line>a</span><span class=line>  b</span></pre>", "```\na\n  b\n```"),
        ("<pre><span class=line>a</span>\n <span class=line>b</span></pre>", "```\na\n b\n```"),
        (
            "<div class=code>\n <div class='line n1'>a</div>\n <div class='line n2'>  b</div>\n</div>",
            "```\na\n  b\n```",
        ),
        ("<div><div class=cm-line>a</div><div class=cm-line>b</div></div>", "```\na\nb\n```"),
        ("<div><div class=line>a</div><div class=line>b</div></div>", "a\n\nb"),
        (
            "<table class=syntaxhighlighter><tr><td><div class=container><div class=line>1</div><div class=line>2</div></div>\
                <td><div class=container><div class=line>a</div><div class=line>b</div></div></table>",
            "```\na\nb\n```",
        ),
    ]);
}

#[test]
fn spans() {
    check(&[
        ("<base href='http://a.org/b/'><p><a href=c>d</a>", "[d](http://a.org/b/c)"),
        ("<p><a href='javascript:x'>a</a> <a href='data:text/html,x'>b</a>", "a b"),
        (
            "<p>a<s>b</s> <code>c`d</code> e<sup>2</sup> f<sub>3</sub> <q>g</q>",
            "a~~b~~ ``c`d`` e<sup>2</sup> f<sub>3</sub> “g”",
        ),
        ("<p>a <b> b </b>c", "a **b** c"),
        ("<p>a<b>(b)</b>c", "a(**b**)c"),
        ("<p><a href=x><code>a</code></a> <code><a href=x>b</a></code>", "[`a`](x) [`b`](x)"),
        ("<a href=x><h2>One</h2><p>two</p></a>", "## [One](x)\n\ntwo"),
        ("<a href=x><div>zero</div><h2>One</h2><p>two</p></a>", "zero\n\n## [One](x)\n\ntwo"),
        ("<p><i class=icon />one<p>two", "one\n\ntwo"),
    ]);
}

#[test]
fn images() {
    check(&[
        ("<p>a <img src=b.png alt='c'> d", "a ![c](b.png) d"),
        ("<p>a <a href=x><img src=b.png></a>", "a [![](b.png)](x)"),
        ("<p>a<a href=x><img src=b.png></a>", "a[![](b.png)](x)"),
        ("<div><img src=b.png alt=c></div><p>a", "![c](b.png)\n\na"),
        ("<div><img src=b.png></div><p>a", "a"),
        ("<p>a <img src=x.gif data-src=b.png> d", "a ![](b.png) d"),
        ("<p>a <img src='data:x' srcset='b.png 1x, c.png 2x'> d", "a ![](c.png) d"),
        ("<p>a <picture><source srcset='b.png'><img></picture> d", "a ![](b.png) d"),
        ("<p>a <img src='data:x' data-src=b.png><noscript><img src=b.png></noscript> d", "a ![](b.png) d"),
        ("<p>a <img src=b.png width=1 height=1> d", "a d"),
        ("<p>a<figure><img src=b.png><figcaption>c</figcaption></figure>", "a\n\n![](b.png)\n\nc"),
    ]);
}

#[test]
fn formulas() {
    check(&[
        ("<p>a <math alttext='x^2'><mi>x</mi></math> b", "a $x^2$ b"),
        (
            "<p>a <math display=block><semantics><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></semantics></math>",
            "a $$x_1$$",
        ),
        ("<p>a \\(x_1\\) b", "a $x_1$ b"),
        ("<p>$5 and $6", "\\$5 and \\$6"),
        ("<script>MathJax</script><p>$x_1$ and $y$", "$x_1$ and $y$"),
    ]);
}

#[test]
fn footnotes() {
    check(&[(
        "<p>a<sup><a href=#n1>1</a></sup> b<sup><a href=#n2>[2]</a></sup><ol><li id=n1>one <a href=#r>↩</a><li id=n2>two</ol>",
        "a<sup>[^1]</sup> b<sup>[^2]</sup>\n\n[^1]: one\n\n[^2]: two",
    )]);
}

#[test]
fn footnotes_outside_of_lists_begin_with_their_label() {
    let refers = "<p>a<a href=#n1>[1]</a> b<a href=#n2><sup>2</sup></a>";
    check(&[
        (
            &format!("{refers}<p id=n1>1. one <a href=#r>↩</a><p id=n2><sup>2</sup> <b>two</b>"),
            "a[^1] b[^2]\n\n[^1]: one\n\n[^2]: **two**",
        ),
        (
            &format!("{refers}<div id=n1><p>[1] one<p>more</div><p><a name=n2>2</a> two<p>c"),
            "a[^1] b[^2]\n\n[^1]: one\n\n    more\n\n[^2]: two\n\nc",
        ),
        (
            &format!("{refers}<h2 id=n1>1. One</h2><p id=n2>Two"),
            "a[\\[1\\]](#n1) b[<sup>2</sup>](#n2)\n\n## 1\\. One\n\nTwo",
        ),
    ]);
    let written = html(&outlined(&format!("{refers}<p id=n1>1. one<p id=n2>2. two")));
    assert!(written.contains("<ol>\n<li id=\"fn-1\">one</li>\n<li id=\"fn-2\">two</li>\n</ol>"), "{written}");
}

#[test]
fn footnotes_of_one_name_have_labels_of_their_own() {
    let page = "<p>a<a href=#n>1</a><ol><li id=n>one<li id=n>two<li id=n>three</ol>";

    assert_eq!(markdown_of(page), "a[^1]\n\n[^1]: one\n\n[^2]: two\n\n[^3]: three\n");
}

#[test]
fn labels_say_what_is_in_a_document() {
    let page = "<div>Title</div><p>one<p>two<div>item</div><div>other item</div><div>three</div><div>four</div>";
    let labels = [H, P, OTHER, L, L, P, C];

    assert_eq!(written(&labeled(page, &labels)), "# Title\n\none\n\n- item\n- other item\n\nthree four\n");
}

#[test]
fn a_list_of_which_a_heading_is_kept_is_no_list() {
    let page = "<ul><li>a<li>b<li><h1>Title</h1><li>c</ul><p>text";

    assert_eq!(written(&labeled(page, &[OTHER, OTHER, H, OTHER, P])), "# Title\n\ntext\n");
}

#[test]
fn a_continuation_stays_in_its_part_of_the_page() {
    for page in ["<div>a</div><pre>b</pre>", "<table><tr><td>a<td>b</table>", "<h2>a</h2>b", "<ul><li>a</ul>b"] {
        let written = written(&labeled(page, &[P, C]));
        assert!(written.contains("\n"), "{page}");
        assert!(!written.contains("a b"), "{page}: {written}");
    }
}

#[test]
fn dropped_lines_of_a_listing_are_left_out() {
    assert_eq!(written(&labeled("<pre>a\nb\nc</pre>", &[P, OTHER, C])), "```\na\nc\n```\n");
}

#[test]
fn switches_leave_the_text() {
    let outline = outlined("<h2>A <a href=x>b</a></h2><p><b>c</b> <img src=d alt=e> f<ul><li>g</ul><table><tr><th>h<th>i<tr><td>j<td>k</table>");
    let without = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        markdown(&outline, &Switches::without(&names).expect("names"))
    };

    assert!(without(&["links"]).starts_with("## A b\n"));
    assert!(without(&["headings"]).starts_with("A [b](x)\n"));
    assert!(without(&["emphasis"]).contains("\nc ![e](d) f\n"));
    assert!(without(&["lists"]).contains("\n\ng\n\n"));
    assert!(without(&["tables"]).ends_with("h \\| i\n\nj \\| k\n"));
    assert!(Switches::without(&["link".to_string()]).is_err());
}

#[test]
fn html_means_the_same() {
    let page =
        "<p>a <b>b</b><br>c<ul><li>d<p>e</ul><table><tr><th>f<td>g<tr><td colspan=2>h &lt;i></table><pre>j</pre>";
    let expected = "<p>a <strong>b</strong><br>\nc</p>\n<ul>\n<li>\n<p>d</p>\n<p>e</p>\n</li>\n</ul>\n<table>\n<tbody>\n<tr>\n\
        <th>f</th>\n<td>g</td>\n</tr>\n<tr>\n<td colspan=\"2\">h &lt;i&gt;</td>\n</tr>\n</tbody>\n</table>\n<pre><code>j</code></pre>\n";

    assert!(html(&outlined(page)).contains(expected), "{}", html(&outlined(page)));
}

#[test]
fn cells_of_html_take_columns_in_which_others_begin() {
    let spans = |page: &str| -> Vec<String> {
        html(&outlined(page))
            .split("<t")
            .filter_map(|tag| tag.split_once('>'))
            .map(|(tag, _)| tag.to_string())
            .collect()
    };

    let wide = "<table><tr><td colspan=5>a<td>b<tr><td>c<td colspan=9>d<tr><td>e<td>f<td>g</table>";
    assert_eq!(spans(wide)[4..], ["r", "d colspan=\"3\"", "d", "r", "d", "d colspan=\"3\"", "r", "d", "d", "d"]);
    let over = "<table><tr><td>a<td rowspan=2>b<td>c<tr><td colspan=3>d<tr><td>e<td>f<td>g</table>";
    assert_eq!(spans(over)[4..], ["r", "d", "d rowspan=\"2\"", "d", "r", "d", "r", "d", "d", "d"]);
}

#[test]
fn addresses_of_html_are_valid() {
    let page = "<p><a href='http://a.org/b|c\\d?e=[f]\\g^h'>i</a> <a href='http://[::1]/j'>k</a>";

    let written = html(&outlined(page));

    assert!(written.contains("\"http://a.org/b%7Cc/d?e=%5Bf%5D%5Cg%5Eh\""), "{written}");
    assert!(written.contains("\"http://[::1]/j\""), "{written}");
}

#[test]
fn details_of_html_have_a_summary() {
    let details = |page: &str| html(&outlined(page)).contains("<details>");

    assert!(details("<details><summary>a</summary><p>b</details>"));
    assert!(!details("<details><p>b</details>"));
    assert!(!details("<details><p>b</p><summary>a</summary></details>"));
}

#[test]
fn the_language_of_html_is_a_tag() {
    let language = |declared: &str| outlined(&format!("<html lang='{declared}'><p>a")).language;

    assert_eq!(["de_AT", "en-uk", "utf-8", "German!"].map(language), ["de-AT", "en-GB", "", ""].map(String::from));
}

#[test]
fn main_html_leaves_paragraphs_whole() {
    let document = document("<p>a <noscript><i>b</i></noscript> c<p>d");
    let written = main_html(&document.page, &vec![true; document.page.len()], "", "");

    assert!(written.contains("<p>a <span><i>b</i></span> c</p>"), "{written}");
    let document = self::document("<p>a<table><tr><td>b</table>c");
    let written = main_html(&document.page, &vec![true; document.page.len()], "", "");
    assert!(written.contains("<div>a<table>"), "{written}");
}

#[test]
fn main_html_prints_the_first_attribute_of_a_name() {
    let document = document("<p TITLE=a title=b x=c lang=en>quay");
    let written = main_html(&document.page, &[true], "", "");
    assert!(written.contains("<p title=\"a\" lang=\"en\">quay</p>"), "{written}");
}

#[test]
fn main_html_is_inert() {
    let page = "<p onclick=x style=y class=z>a<script>b</script><a href='javascript:c'>d</a></p><form action=e><button>f</button>\
        <iframe src=g></iframe></form><p>h<object data=i>j</object><svg onload=k><text>l</text></svg><img src=m onerror=n>o";
    let document = document(page);
    let labels = vec![P; document.page.len()];
    let written = main_html(&document.page, &vec![true; labels.len()], "", "");

    assert!(written.contains("<p class=\"z\">a<a>d</a></p>"), "{written}");
    for hurtful in ["onclick", "style", "javascript", "script", "form", "iframe", "object", "svg", "onerror"] {
        assert!(!written.contains(hurtful), "{hurtful}: {written}");
    }
}

#[test]
fn main_html_holds_what_is_kept() {
    let document = document("<nav><p>menu</nav><main><p>one <i>two</i><p>noise</main>");
    let written = main_html(&document.page, &[false, true, false], "", "en");

    assert!(written.contains("<main><p>one <i>two</i></p></main>"), "{written}");
    assert!(!written.contains("menu") && !written.contains("noise") && written.contains("lang=\"en\""), "{written}");
}

#[test]
fn places_are_those_of_the_source() {
    let page = "<html><body><p>menu<div><p>é <b>one</b> two<pre>a\nb</pre></div>";
    let document = document(page);
    let outline = outline(&document.page, &vec![P; document.page.len()], "");
    let json: serde_json::Value = serde_json::from_str(&json(&outline, &document.page)).expect("JSON");
    let nodes = json["nodes"].as_array().expect("nodes");

    assert_eq!(nodes[1]["xpath"], "/html[1]/body[1]/div[1]/p[1]");
    assert_eq!(nodes[1]["text"], "é one two");
    assert_eq!(nodes[1]["spans"][0], serde_json::json!({"type": "strong", "start": 2, "end": 5}));
    let source = |node: &serde_json::Value| {
        let range = node["range"].as_array().expect("range");
        let end = |place: usize| range[place].as_u64().expect("place") as usize;
        page[end(0)..end(1)].to_string()
    };
    assert_eq!(source(&nodes[1]), "é <b>one</b> two");
    assert_eq!(source(&nodes[2]), "a\nb");
}

#[test]
fn what_is_mostly_kept_is_kept_as_a_whole() {
    let row = "<tr><td>a long name of something<td>and what it is";
    let page = format!("<table>{}</table><pre>a\nb\nc\nd</pre>", row.repeat(4));
    let document = document(&page);
    let settled = |labels: &[u8]| whole::whole(&document.page, labels, &whole::Thresholds::default());

    assert_eq!(settled(&[P, P, P, P, P, P, P, P, P, OTHER, OTHER, C]), [P, P, P, P, P, P, P, P, P, C, C, C]);
    assert_eq!(settled(&[P, P, P, P, P, P, OTHER, P, OTHER, OTHER, OTHER, OTHER])[6], OTHER);
    assert_eq!(settled(&[OTHER, P, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER]), [OTHER; 12]);
}
