//! What a page says of itself.

use victor_core::document::of_text;
use victor_core::markup::{Markup, Mode, Names};
use victor_core::metadata::metadata;

fn markup() -> Markup {
    let names = Names {
        deleted: words("script style title template"),
        block: words(BLOCKS),
        others: vec![],
        apart: vec![],
        parting: vec![],
    };
    Markup::new(Mode::Line, &names)
}

fn known(html: &str, url: &str) -> Vec<(&'static str, Vec<String>, String)> {
    let document = of_text(html.to_string(), &markup());
    metadata(&document.page, url, &[]).into_iter().map(|(name, known)| (name, known.values, known.evidence)).collect()
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

#[test]
fn each_field_is_found_where_pages_put_it() {
    for (name, expected, html) in [
        ("title", "Bees", "<meta property='og:title' content='Bees'><h1>Bees</h1><p>Text."),
        ("title", "Bees", "<title>Bees | The Hive</title><h1>Bees</h1><p>Text."),
        ("date_modified", "2024-04-06", "<meta property='article:modified_time' content='2024-04-06'><h1>Bees</h1>"),
        ("site_name", "Hive", "<meta name='application-name' content='Hive'><p>Text."),
        ("site_name", "Hive", "<script type='application/ld+json'>{\"@type\":\"WebSite\",\"name\":\"Hive\"}</script>"),
        ("description", "All of it.", "<meta name='DC.Description' content='All of it.'><p>Text."),
        ("declared_language", "pt-BR", "<html lang='pt_BR'><p>Text."),
        ("declared_language", "cs", "<meta http-equiv='Content-Language' content='cs, en'><p>Text."),
        ("canonical_url", "http://a.org/b", "<base href='http://a.org/'><link rel='canonical' href='b'><p>Text."),
        ("canonical_url", "http://a.org/b", "<meta property='og:url' content='http://a.org/b'><p>Text."),
        ("image", "http://a.org/b.png", "<link rel='image_src' href='http://a.org/b.png'><p>Text."),
        ("tags", "bees; dance", "<meta name='keywords' content='bees, dance,, bees'><p>Text."),
        ("section", "News", "<meta property='article:section' content='News'><p>Text."),
        ("licence", "http://a.org/by", "<link rel='license' href='http://a.org/by'><p>Text."),
        ("licence", "All rights reserved", "<meta name='copyright' content='All rights reserved'><p>Text."),
        ("page_type", "website", "<meta property='og:type' content='website'><p>Text."),
    ] {
        assert_eq!(value(html, name).as_deref(), Some(expected), "{name}: {html}");
    }
}

#[test]
fn addresses_lead_to_the_web_or_are_left_out() {
    for address in
        ["javascript:alert(1)", "data:image/png;base64,AA", "b.html", "//", "mailto:me@a.org", " ", "ftp://a.org/b"]
    {
        let page = format!(
            "<link rel='canonical' href='{address}'><meta property='og:image' content='{address}'><h1>A page</h1><p>Text."
        );
        assert_eq!(value(&page, "canonical_url"), None, "{address}");
        assert_eq!(value(&page, "image"), None, "{address}");
    }
}

#[test]
fn an_address_that_is_refused_makes_room_for_the_next() {
    let page = "<meta property='og:image' content='data:image/png;base64,AA'>\
        <meta name='twitter:image' content='https://a.org/b.png'><h1>A page</h1><p>Text.";

    assert_eq!(value(page, "image").as_deref(), Some("https://a.org/b.png"));
}

#[test]
fn a_broken_base_is_ignored() {
    let page = "<base href='::not an address'><link rel='canonical' href='/b'><h1>A page</h1><p>Text.";
    let found = known(page, "https://a.org/c").into_iter().find(|(name, ..)| *name == "canonical_url");

    assert_eq!(found.unwrap().1, ["https://a.org/b"]);
}

#[test]
fn years_at_the_ends_of_the_calendar_are_dates_or_nothing() {
    for (date, expected) in [
        ("0000-01-01", None),
        ("0001-01-01", Some("0001-01-01")),
        ("9999-12-31", Some("9999-12-31")),
        ("10000-01-01", None),
        ("9999-12-31T23:59:59+14:00", Some("9999-12-31T23:59:59+14:00")),
    ] {
        let page = format!("<meta property='article:modified_time' content='{date}'><h1>A page</h1><p>Text.");
        assert_eq!(value(&page, "date_modified").as_deref(), expected, "{date}");
    }
}

#[test]
fn a_language_that_is_none_is_left_out() {
    for language in ["<b>", "{{ lang }}", "x".repeat(100).as_str(), "en\u{0}\"><script>"] {
        let page = format!("<meta http-equiv='content-language' content='{language}'><h1>A page</h1><p>Text.");
        assert_eq!(value(&page, "declared_language"), None, "{language}");
    }
}

#[test]
fn json_in_scripts_of_other_types_is_not_read() {
    for kind in ["application/json", "text/template", "module", ""] {
        let page =
            format!("<script type='{kind}'>{{\"@type\": \"Article\", \"articleSection\": \"News\"}}</script><p>Text.");
        assert_eq!(value(&page, "section"), None, "{kind}");
    }
}

#[test]
fn values_of_odd_types_are_passed_over() {
    let json = r#"{"@type": ["Article", 7], "headline": 3, "author": [[["x"]], 4, {"name": ["Ann Lee"]}], "image": [[{}]],
        "datePublished": {"a": 1}, "keywords": [null, "bees"], "articleSection": false, "license": {"url": "http://a.org/by"}}"#;
    let page = format!("<script type='application/ld+json'>{json}</script><h1>A page</h1><p>Text.");

    assert_eq!(value(&page, "tags").as_deref(), Some("bees"));
    assert_eq!(value(&page, "licence").as_deref(), Some("http://a.org/by"));
    assert_eq!(value(&page, "section"), None);
    assert_eq!(value(&page, "title").as_deref(), Some("A page"));
}

#[test]
fn what_the_page_does_not_name_is_read_from_the_blocks_of_a_field() {
    let page = of_text("<p>Ann Lee<p>Boats in the harbour<p>3 May 2019".to_string(), &markup()).page;
    let said = |fields: &[u8]| {
        let found = metadata(&page, "", fields);
        let value = |name| found.iter().find(|(field, _)| *field == name).map(|(_, known)| known.values.join(","));
        (value("authors"), value("date_published"))
    };

    assert_eq!(said(&[3, 0, 2]).0.as_deref(), Some("Ann Lee"));
    assert_eq!(said(&[3, 0, 2]).1.as_deref(), Some("2019-05-03"));
    assert_eq!(said(&[]).0, None);
    assert_eq!(said(&[0, 3, 9]).0.as_deref(), Some("Boats"));
}
