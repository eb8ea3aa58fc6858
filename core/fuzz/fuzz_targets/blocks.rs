//! Any text becomes blocks: the three modes cut the same runs, and never lose a sign of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use victor_core::document::of_text;
use victor_core::names::Classes;
use victor_core::page::Page;
use victor_core::words;
use victor_core_fuzz::{check_page, markups};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let [victor, block, line] = markups().each_ref().map(|markup| of_text(text.clone().into_owned(), markup));
    for document in [&victor, &block, &line] {
        check_page(&document.page);
        assert!(text.starts_with(&document.wrapper));
        assert_eq!((&document.title, &document.url), (&victor.title, &victor.url));
        words::listed_blocks(&document.page);
        Classes::new(&document.page).listed();
    }
    for other in [&block.page, &line.page] {
        check_same_runs(&victor.page, other);
        assert!(is_part(&other.first_runs, &victor.page.first_runs));
    }
    assert!(is_part(&block.page.first_runs, &line.page.first_runs));
});

fn check_same_runs(one: &Page, other: &Page) {
    assert_eq!((&one.runs.element, &one.runs.place), (&other.runs.element, &other.runs.place));
    let signs = |page: &Page| page.text.chars().filter(|&sign| sign != ' ' && sign != '\n').collect::<String>();
    assert_eq!(signs(one), signs(other));
}

/// Are all of these among those?
fn is_part(these: &[u32], those: &[u32]) -> bool {
    these.iter().all(|number| those.binary_search(number).is_ok())
}
