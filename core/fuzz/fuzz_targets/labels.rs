//! Any bytes become labeled blocks: all columns are finite, and probabilities are some, by every kernel the same.
#![no_main]

use std::cell::RefCell;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use victor_core::columns::{matrix, names, Columns, Matrix, Plan};
use victor_core::decode::{labels, Chances, Decoding, Method, OTHER};
use victor_core::document::of_bytes;
use victor_core::kernels::Kernel;
use victor_core::network::{Figures, Network, Workspace};
use victor_core::networks::Networks;
use victor_core::npz::{self, Array, Arrays, Values};
use victor_core::page::Page;
use victor_core_fuzz::{check_page, markups};

struct Model {
    network: Network,
    /// The same twice, whose mean is what it says.
    networks: Networks,
    /// What the network takes, and all that there is.
    plans: [Plan; 2],
}

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let file = include_bytes!("../../../tests/golden/network.npz");
        let network = Network::new(&with_names(npz::read(file, "network-").unwrap())).unwrap();
        let networks = Networks::new(vec![network.clone(), network.clone()]).unwrap();
        let taken: Vec<&str> = network.features().iter().map(String::as_str).collect();
        let plans = [Plan::new(&taken).unwrap(), Plan::new(&names().collect::<Vec<_>>()).unwrap()];
        Model { network, networks, plans }
    })
}

/// The words of names that the network knows besides, and how many numbers each has, near to a block and for the page.
const WORDS: [&str; 6] = ["a", "nav", "comment", "post", "main", "größe"];
const NUMBERS: usize = 3;

/// The network, as if it had learned words of names: their inputs stand before those of the words of text.
fn with_names(mut arrays: Arrays) -> Arrays {
    let of_text = arrays["short"].shape[1];
    let enter = &arrays["enter"];
    let (Values::Singles(rows), &[inputs, wide]) = (&enter.values, &enter.shape[..]) else { panic!("{enter:?}") };
    let added = 2 * NUMBERS;
    let (before, behind) = rows.split_at((inputs - of_text) * wide);
    let rows = [before, &numbers(added * wide), behind].concat();
    arrays.insert("enter".into(), Array { shape: vec![inputs + added, wide], values: Values::Singles(rows) });
    for name in ["near", "whole"] {
        let values = Values::Singles(numbers(WORDS.len() * NUMBERS));
        arrays.insert(name.into(), Array { shape: vec![WORDS.len(), NUMBERS], values });
    }
    let values = Values::Texts(WORDS.map(String::from).into());
    arrays.insert("words".into(), Array { shape: vec![WORDS.len()], values });
    arrays
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|number| (number % 7) as f32 / 4.0 - 0.7).collect()
}

thread_local! {
    /// Kept from page to page, as users do.
    static WORKSPACES: RefCell<Vec<Workspace>> =
        RefCell::new(Kernel::all().into_iter().map(Workspace::new).collect());
}

fuzz_target!(|data: &[u8]| {
    for markup in markups() {
        let page = of_bytes(data, None, markup).page;
        check_page(&page);
        let [taken, all] = &model().plans;
        figures(&page, all);
        check_labels(&page, &chances(&page, &figures(&page, taken)));
    }
});

/// The same whether they are computed at once or in two parts.
fn figures(page: &Page, plan: &Plan) -> Matrix {
    let figures = matrix(page, plan);
    assert!(figures.blocks == page.len() && figures.data.len() == figures.rows * figures.stride);
    assert!(figures.data.iter().all(|figure| figure.is_finite()));
    let (columns, middle) = (Columns::new(page, plan), page.len() / 3);
    let parts = [0..middle, middle..page.len()].map(|blocks| columns.matrix(blocks));
    for row in 0..figures.rows {
        assert_eq!(figures.row(row), [parts[0].row(row), parts[1].row(row)].concat());
    }
    figures
}

fn chances(page: &Page, figures: &Matrix) -> Vec<Chances> {
    let Model { network, networks, plans } = model();
    let words = network.words(page);
    let given = || Figures::Given { values: &figures.data, stride: figures.stride, blocks: page.len() };
    let computed = || Figures::Computed(Box::new(Columns::new(page, &plans[0])));
    WORKSPACES.with_borrow_mut(|workspaces| {
        let first = network.output(computed(), &page.lengths, &words, &mut workspaces[0]);
        for workspace in workspaces {
            assert!(networks.output(page, None, workspace) == first);
            assert!(network.output(given(), &page.lengths, &words, workspace) == first);
        }
        first.labels
    })
}

fn check_labels(page: &Page, chances: &[Chances]) {
    assert_eq!(chances.len(), page.len());
    for chances in chances {
        assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    for method in [Method::ExpectedF1, Method::Threshold, Method::Likeliest] {
        for bias in [0.0, 0.5, -1000.0] {
            let decoding = Decoding { method, bias, repeat_probability: 0.9, ..Decoding::default() };
            let (labels, probabilities) = labels(page, chances, &decoding);
            assert!(labels.len() == page.len() && labels.iter().all(|&label| label <= OTHER));
            assert_eq!(probabilities.len(), page.len());
            assert!(probabilities.iter().all(|probability| (0.0..=1.0).contains(probability)));
        }
    }
}
