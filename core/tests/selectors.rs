//! Elements and blocks by CSS selectors and paths.

use victor_core::document::of_text;
use victor_core::markup::{Markup, Mode, Names};
use victor_core::page::Page;
use victor_core::selectors::Selector;

const PAGE: &str = "<html><body><div class='Main wide' id=top><p>One</p><p class=ad data-kind='x y'>Two</p>\
    <ul><li>Three<li>Four <b>bold</b></ul></div><footer><p>Five</p><p></p></footer></body></html>";

fn page(html: &str) -> Page {
    let words = |list: &str| list.split(' ').map(String::from).collect::<Vec<_>>();
    let names = Names {
        deleted: words("script style"),
        block: words("p div li ul footer body"),
        others: vec![],
        apart: vec![],
        parting: vec![],
    };
    of_text(html.to_string(), &Markup::new(Mode::Line, &names)).page
}

fn texts(selector: &str) -> Vec<String> {
    let page = page(PAGE);
    let (holds, _) = Selector::new(selector).unwrap().blocks(&page);
    (0..page.len()).filter(|&block| holds[block]).map(|block| page.block(block).to_string()).collect()
}

#[test]
fn blocks_are_selected_by_all_kinds_of_selectors() {
    for (selector, wanted) in [
        ("p", vec!["One", "Two", "Five"]),
        ("p.ad", vec!["Two"]),
        ("#top > p:first-child", vec!["One"]),
        ("div.Main li:nth-child(2)", vec!["Four bold"]),
        ("[data-kind~=y], footer", vec!["Two", "Five"]),
        ("p:not(.ad)", vec!["One", "Five"]),
        ("ul:has(b)", vec!["Three", "Four bold"]),
        (":is(div, footer) > p + p.ad", vec!["Two"]),
        ("/html[1]/body[1]/div[1]/p[2]", vec!["Two"]),
        ("/html/body/footer", vec!["Five"]),
    ] {
        assert_eq!(texts(selector), wanted, "{selector}");
    }
}

#[test]
fn a_block_counts_where_half_of_it_is_selected() {
    assert_eq!(texts("b"), ["Four bold"; 0]);
    let page = page("<p>An <b>advert in bold letters</b>");

    assert_eq!(Selector::new("b").unwrap().blocks(&page), (vec![true], 1));
}

#[test]
fn what_matches_nothing_says_so() {
    let page = page(PAGE);

    assert_eq!(Selector::new("aside").unwrap().blocks(&page).1, 0);
    assert_eq!(Selector::new("/html[1]/body[1]/div[2]").unwrap().blocks(&page).1, 0);
    // An element without text is there, and selects no block.
    assert_eq!(Selector::new("p:empty").unwrap().blocks(&page), (vec![false; page.len()], 1));
}

#[test]
fn what_cannot_be_read_says_where_and_why() {
    for (selector, column) in
        [("p >", 4), ("div[", 5), ("p:hover", 3), ("", 1), ("p, .", 5), ("/html[1]/div[0]", 10), ("//p", 2)]
    {
        let found = Selector::new(selector).err().unwrap_or_else(|| panic!("{selector} was read"));

        assert_eq!(found.column, column, "{selector}: {}", found.reason);
        assert!(!found.reason.is_empty());
    }
}

#[test]
fn what_could_overflow_the_stack_is_refused() {
    for (selector, column) in [(":is(".repeat(900), 132), ("a ".repeat(100_000), 4_001)] {
        assert_eq!(Selector::new(&selector).err().map(|found| found.column), Some(column));
    }
}

#[test]
fn the_values_of_elements_are_attributes_or_text() {
    let page = page("<meta name=author content='Ann Lee'><time datetime=2024-05-06>Monday</time><h1>The  ferry</h1>");
    let values = |selector| Selector::new(selector).unwrap().values(&page);

    assert_eq!(values("meta, time, h1"), ["Ann Lee", "2024-05-06", "The ferry"]);
    assert!(values("h2").is_empty());
}

#[test]
fn hostile_pages_and_selectors_end_soon() {
    // Counting from the last child takes the square of the children: 50,000 take 3 s, without optimisation ten times that.
    let wide = page(&"<p>a".repeat(10_000));
    let deep = page(&"<div>".repeat(50_000));
    let nested = format!("{}p{}", ":not(".repeat(50), ")".repeat(50));
    for selector in ["p:nth-last-child(2n+1)", "div div div div p", "p ~ p", "body:has(p + p + div)", nested.as_str()] {
        let begin = std::time::Instant::now();
        if let Ok(selector) = Selector::new(selector) {
            selector.blocks(&wide);
            selector.blocks(&deep);
        }
        assert!(begin.elapsed().as_secs() < 10, "{selector}: {:?}", begin.elapsed());
    }
}
