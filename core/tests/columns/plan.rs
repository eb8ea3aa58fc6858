use std::collections::HashSet;

use victor_core::columns::{matrix, names, Columns, Plan};

use crate::pages::page;

#[test]
fn there_are_as_many_features_as_in_numpy_and_those_of_names_addresses_head_and_pictures() {
    let all: HashSet<&str> = names().collect();
    let of = |group: &str| all.iter().filter(|name| name.split('.').next() == Some(group)).count();
    let later = ["near", "link", "said", "picture"].map(of);

    assert_eq!(all.len(), names().count());
    assert_eq!(later, [21, 10, 4, 2]);
    assert_eq!(all.len() - later.iter().sum::<usize>(), 243);
}

#[test]
fn a_name_that_is_none_is_named() {
    assert_eq!(Plan::new(&["block.letters", "block.lettres"]).err(), Some("block.lettres".to_string()));
}

#[test]
fn rows_stand_in_the_order_of_the_plan_and_may_repeat() {
    let page = page("", "<p>one</p><p>three</p>");

    let found = matrix(&page, &Plan::new(&["page.blocks", "block.letters", "part.depth", "block.letters"]).unwrap());

    assert_eq!((found.rows, found.blocks, found.stride), (4, 2, 16));
    assert_eq!(
        [found.row(0), found.row(1), found.row(2), found.row(3)],
        [[2.0, 2.0], [3.0, 5.0], [1.0, 1.0], [3.0, 5.0]]
    );
    assert!((0..4).all(|row| found.data[row * 16 + 2..row * 16 + 16].iter().all(|value| *value == 0.0)));
}

#[test]
fn each_feature_is_the_same_alone_and_among_all() {
    let page = page("On boats", "<h1>On boats</h1><div><p>Of </p><p>+more.</p><a>boats</a></div><nav>x</nav>");
    let all: Vec<&str> = names().collect();

    let together = matrix(&page, &Plan::new(&all).unwrap());

    for (row, name) in all.iter().enumerate() {
        assert_eq!(matrix(&page, &Plan::new(&[name]).unwrap()).row(0), together.row(row), "{name}");
    }
}

#[test]
fn a_page_without_blocks_has_rows_without_figures() {
    let all: Vec<&str> = names().collect();

    let found = matrix(&page("title", "<p></p>"), &Plan::new(&all).unwrap());

    assert_eq!((found.rows, found.blocks, found.stride, found.data.len()), (all.len(), 0, 0, 0));
}

#[test]
fn ranges_of_blocks_have_the_figures_of_the_page() {
    let part = "<h2>On boats</h2><div class=nav><p>Of </p><p>+more. And</p><a>boats</a></div>";
    let page = page("On boats", &format!("<p>x</p>{}<article>{part}</article>", part.repeat(20)));
    let all: Vec<&str> = names().collect();
    let plan = Plan::new(&all).unwrap();
    let columns = Columns::new(&page, &plan);
    let whole = matrix(&page, &plan);

    for begin in (0..page.len()).step_by(7) {
        let blocks = begin..page.len().min(begin + 7);
        let found = columns.matrix(blocks.clone());
        for (row, name) in all.iter().enumerate() {
            assert_eq!(found.row(row), &whole.row(row)[blocks.clone()], "{name} of {blocks:?}");
        }
    }
}
