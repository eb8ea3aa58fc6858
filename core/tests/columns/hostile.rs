//! Pages that nobody writes: what would not be linear would take minutes here.

use std::time::{Duration, Instant};

use victor_core::columns::{matrix, names, Matrix, Plan};
use victor_core::page::Page;

use crate::pages::page;

fn all(page: &Page) -> Matrix {
    let begin = Instant::now();
    let found = matrix(page, &Plan::new(&names().collect::<Vec<_>>()).unwrap());
    // Without optimization it takes a few seconds at most.
    assert!(begin.elapsed() < Duration::from_secs(60));
    assert!(found.data.iter().all(|value| value.is_finite()));
    found
}

#[test]
fn a_hundred_thousand_blocks() {
    all(&page("On boats", &"<p>boats</p>".repeat(100_000)));
}

#[test]
fn blocks_beside_elements_nested_deeply() {
    let nested = format!("{}{}{}", "<div>".repeat(512), "<p>a</p><a>b</a>".repeat(20_000), "</div>".repeat(512));
    all(&page("", &nested));
    all(&page("", &format!("{}{}", "<div><p>a</p>".repeat(512), "</div>".repeat(512))));
}

#[test]
fn one_huge_block() {
    let text = "Of boats, and of 12 more… ".repeat(200_000);

    assert_eq!(all(&page("boats", &format!("<p>{text}</p>"))).blocks, 1);
    assert_eq!(all(&page("", &format!("<p>{}</p>", "?!.".repeat(2_000_000)))).blocks, 1);
}

#[test]
fn many_runs_in_one_block() {
    all(&page("", &format!("<p>a{}</p>", "<a>+.</a>".repeat(100_000))));
}
