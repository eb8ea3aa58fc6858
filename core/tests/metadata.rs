//! What a page says of itself.

use victor_core::document::of_text;
use victor_core::markup::{Markup, Mode, Names};
use victor_core::metadata::metadata;

fn known(html: &str, url: &str) -> Vec<(&'static str, Vec<String>, String)> {
    let names = Names {
        deleted: words("script style title template"),
        block: words(BLOCKS),
        others: vec![],
        apart: vec![],
        parting: vec![],
    };
    let document = of_text(html.to_string(), &Markup::new(Mode::Line, &names));
    metadata(&document.page, url).into_iter().map(|(name, known)| (name, known.values, known.evidence)).collect()
}

const BLOCKS: &str = "p div h1 h2 header article li body";

fn words(list: &str) -> Vec<String> {
    list.split(' ').map(String::from).collect()
}

fn value(html: &str, name: &str) -> Option<String> {
    known(html, "").into_iter().find(|(found, ..)| *found == name).map(|(_, values, _)| values.join("; "))
}

const ARTICLE: &str = r#"<html lang="en_GB"><head><title>How bees dance | The Daily Hive</title>
    <meta property="og:title" content="How bees dance"><meta property="og:site_name" content="The Daily Hive">
    <meta property="og:type" content="article"><meta name="description" content="What a waggle says.">
    <link rel="canonical" href="https://hive.example/bees"><meta property="og:image" content="https://hive.example/b.jpg">
    <meta property="article:tag" content="bees"><meta property="article:tag" content="dance">
    <script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "How bees dance",
      "datePublished": "2024-03-05T10:00:00+02:00", "dateModified": "2024-04-06", "author": [{"@type": "Person",
      "name": "Ann Lee"}, {"@type": "Person", "name": "Bo Ek"}]}</script></head>
    <body><article><h1>How bees dance</h1><p>By Ann Lee and Bo Ek</p><p>March 5, 2024</p><p>Bees dance.</p></article></body>"#;

#[test]
fn an_article_says_all_of_itself() {
    for (name, wanted) in [
        ("title", "How bees dance"),
        ("authors", "Ann Lee; Bo Ek"),
        ("date_published", "2024-03-05T10:00:00+02:00"),
        ("date_modified", "2024-04-06"),
        ("site_name", "The Daily Hive"),
        ("description", "What a waggle says."),
        ("declared_language", "en-GB"),
        ("canonical_url", "https://hive.example/bees"),
        ("image", "https://hive.example/b.jpg"),
        ("tags", "bees; dance"),
        ("page_type", "NewsArticle"),
    ] {
        assert_eq!(value(ARTICLE, name).as_deref(), Some(wanted), "{name}");
    }
}

#[test]
fn each_value_names_the_place_it_stands_in() {
    let known = known(ARTICLE, "");
    let (_, _, evidence) = known.iter().find(|(name, ..)| *name == "date_modified").unwrap();

    assert_eq!(evidence, "json-ld NewsArticle.dateModified");
}

#[test]
fn what_a_page_does_not_say_is_not_there() {
    let names: Vec<_> = known("<p>Nothing but text.</p>", "").into_iter().map(|(name, ..)| name).collect();

    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn a_line_of_text_names_author_and_date_where_nothing_else_does() {
    let page = "<title>A walk in the hills</title><body><h1>A walk in the hills</h1><p>By Ann Lee</p>\
        <p>Published on 3 June 2021</p><p>We set out early, and the sun was still low.</p>";

    assert_eq!(value(page, "authors").as_deref(), Some("Ann Lee"));
    assert_eq!(value(page, "date_published").as_deref(), Some("2021-06-03"));
}

#[test]
fn broken_json_is_read_as_far_as_it_goes_or_passed_over() {
    let page = |json: &str| format!("<h1>A page</h1><script type='application/ld+json'>{json}</script><p>Text.</p>");
    let lines = "/* <![CDATA[ */ {\"@type\": \"Article\", \"headline\": \"A page\",\n \"articleSection\": \"News\nand views\"} /* ]]> */";

    assert_eq!(value(&page(lines), "section").as_deref(), Some("News and views"));
    for broken in ["{", "[[[[", "{\"@type\": \"Article\", \"headline\": ", "null", "1e999", "\"text\"", "[{}, 3, null]"]
    {
        assert_eq!(value(&page(broken), "title").as_deref(), Some("A page"), "{broken}");
    }
}

#[test]
fn dates_that_no_calendar_has_are_not_given() {
    for date in ["0000-00-00", "2024-02-30", "99999-01-01", "-1", "1709632800000000", "tomorrow"] {
        let page = format!("<meta property='article:published_time' content='{date}'><h1>A page</h1><p>Text.");
        assert_eq!(value(&page, "date_published"), None, "{date}");
    }
}

#[test]
fn markup_in_values_stays_text() {
    let page = "<meta property='og:site_name' content='&lt;script&gt;alert(1)&lt;/script&gt;'><h1>A page</h1><p>Text.";

    assert_eq!(value(page, "site_name").as_deref(), Some("<script>alert(1)</script>"));
}

#[test]
fn hostile_pages_end_soon() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let pages = [
        format!("<script type='application/ld+json'>{deep}</script><p>Text."),
        format!(
            "<script type='application/ld+json'>[{}]</script>",
            vec!["{\"@type\":\"Article\",\"name\":\"a\"}"; 60_000].join(",")
        ),
        format!("<script type='application/ld+json'>\"{}\"</script>", "a".repeat(10_000_000)),
        "<meta name='author' content='a b'>".repeat(100_000),
        "<p class='author date'>By Ann Lee, 3 June 2021".repeat(100_000),
        format!("<p class='author'>{}", "<b class='author'>Ann ".repeat(100_000)),
        format!("<h1>{}</h1>", "word | ".repeat(1_000_000)),
        format!("<title>{}</title>", "a - b: c | ".repeat(100_000)),
        format!("<p>{}", "1.2.2024 ".repeat(40)).repeat(20_000),
        format!("<p>By {}", "Ann & ".repeat(30)).repeat(20_000),
    ];
    for (number, page) in pages.iter().enumerate() {
        let begin = std::time::Instant::now();
        known(page, "https://example.org/2024/03/05/");
        assert!(begin.elapsed().as_secs() < 20, "page {number}: {:?}", begin.elapsed());
    }
}
