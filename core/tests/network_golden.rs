//! What numpy makes of a small network and a small page; `network_golden.py` wrote both files beside this one.

use serde_json::Value;
use victor_core::kernels::Kernel;
use victor_core::lexicon::Words;
use victor_core::network::{Figures, Network, Output, Workspace};
use victor_core::networks::{averaged, Networks};
use victor_core::npz::{self, Array, Arrays, Values};
use victor_core::page::Page;

const WEIGHTS: &[u8] = include_bytes!("network_golden.npz");

fn arrays() -> Arrays {
    npz::read(WEIGHTS, "network-").unwrap()
}

fn network() -> Network {
    Network::new(&arrays()).unwrap()
}

fn golden() -> Value {
    serde_json::from_str(include_str!("network_golden.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The first blocks of the page.
fn page(golden: &Value, blocks: usize) -> Page {
    let mut page = Page::default();
    for text in golden["texts"].as_array().unwrap().iter().take(blocks) {
        let text = text.as_str().unwrap();
        page.begins.push(page.text.len() as u32);
        page.text.push_str(text);
        page.ends.push(page.text.len() as u32);
        page.lengths.push(text.chars().count() as u32);
    }
    page
}

fn figures(golden: &Value) -> Vec<f32> {
    golden["figures"].as_array().unwrap().iter().flat_map(numbers).map(|figure| figure as f32).collect()
}

fn marginals(golden: &Value, blocks: usize, workspace: &mut Workspace) -> Vec<[f64; 5]> {
    let (network, page, values) = (network(), page(golden, blocks), figures(golden));
    let figures = Figures::Given { values: &values, stride: values.len() / network.features().len(), blocks };
    network.output(figures, &page.lengths, &network.words(&page), workspace).labels
}

#[test]
fn every_kernel_agrees_with_numpy() {
    let golden = golden();
    for kernel in Kernel::all() {
        let mut workspace = Workspace::new(kernel);
        for case in golden["cases"].as_array().unwrap().iter().rev() {
            let blocks = case["blocks"].as_u64().unwrap() as usize;
            let expected = case["marginals"].as_array().unwrap().iter().flat_map(numbers);
            let found = marginals(&golden, blocks, &mut workspace);

            for (found, expected) in found.iter().flatten().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{}, {blocks} blocks: {found}, not {expected}", kernel.name());
            }
        }
    }
}

#[test]
fn all_kernels_give_the_same_bits() {
    let network = network();
    for blocks in [1, 2, 7, 15, 16, 17, 48, 95, 96, 97, 300, 1111] {
        let values: Vec<f32> = (0..blocks * 5).map(|number| (number as f32 * 0.37).sin() * 40.0).collect();
        let figures = || Figures::Given { values: &values, stride: blocks, blocks };
        let lengths: Vec<u32> = (0..blocks as u32).map(|block| block * 7 % 200).collect();
        let of_kernel = |kernel| {
            let found = network.output(figures(), &lengths, &Words::default(), &mut Workspace::new(kernel));
            found.labels.iter().flatten().map(|chance| chance.to_bits()).collect::<Vec<_>>()
        };
        let portable = of_kernel(Kernel::named("portable").unwrap());
        for kernel in Kernel::all() {
            assert_eq!(of_kernel(kernel), portable, "{}, {blocks} blocks", kernel.name());
        }
    }
}

#[test]
fn a_workspace_forgets_the_page_before() {
    let golden = golden();
    let mut used = Workspace::new(Kernel::best());
    marginals(&golden, 21, &mut used);

    assert_eq!(marginals(&golden, 5, &mut used), marginals(&golden, 5, &mut Workspace::new(Kernel::best())));
}

#[test]
fn the_words_of_short_blocks_are_those_of_python() {
    let golden = golden();
    let page = page(&golden, usize::MAX);
    let words = network().words(&page);
    let found: Vec<f64> = words.text().all().iter().map(|word| f64::from(*word)).collect();

    assert_eq!(found, numbers(&golden["words"]));
}

#[test]
fn an_empty_page_has_no_probabilities() {
    assert!(marginals(&golden(), 0, &mut Workspace::new(Kernel::best())).is_empty());
}

#[test]
fn odd_figures_give_probabilities_all_the_same() {
    let network = network();
    let values: Vec<f32> = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MIN_POSITIVE].repeat(5);
    let figures = || Figures::Given { values: &values, stride: 5, blocks: 5 };
    for kernel in Kernel::all() {
        let found = network.output(figures(), &[0, 1, 2, u32::MAX, 4], &Words::default(), &mut Workspace::new(kernel));
        for chances in found.labels {
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
        }
    }
}

#[test]
fn several_networks_say_their_mean() {
    let one = Output { labels: vec![[0.5, 0.25, 0.0, 0.0, 0.25]], fields: vec![-1.0, 3.0] };
    let other = Output { labels: vec![[0.0, 0.25, 0.5, 0.0, 0.25]], fields: vec![-2.0, 1.0] };
    let mean = Output { labels: vec![[0.25, 0.25, 0.25, 0.0, 0.25]], fields: vec![-1.5, 2.0] };

    assert_eq!(averaged(vec![one.clone(), other]), mean);
    assert_eq!(averaged(vec![one.clone()]), one);
    assert_eq!(averaged(Vec::new()), Output::default());
}

#[test]
fn a_message_says_which_array_does_not_fit() {
    let changed = |name: &str, array: Option<Array>| {
        let mut arrays = arrays();
        arrays.remove(name);
        arrays.extend(array.map(|array| (name.to_string(), array)));
        Network::new(&arrays).unwrap_err()
    };
    let singles = |shape: &[usize], value: f32| {
        Some(Array { shape: shape.to_vec(), values: Values::Singles(vec![value; shape.iter().product()]) })
    };

    assert_eq!(changed("features", None), "no array 'features'");
    assert_eq!(changed("1-back", None), "no array '1-back'");
    assert_eq!(changed("leave", singles(&[9, 6], 0.0)), "'leave': expected the shape [9, 5], got [9, 6]");
    assert_eq!(changed("leave-bias", singles(&[5], f32::NAN)), "'leave-bias': not all are finite numbers");
    assert_eq!(changed("near", singles(&[1, 1], 0.0)), "'near': a network has no such array");
    assert_eq!(changed("enter", singles(&[12, 0], 0.0)), "'enter': not of the shape [12, 0]");
    let other = Array { shape: vec![5], values: Values::Texts(vec!["block.letter".to_string(); 5]) };
    assert_eq!(changed("pieces", Some(other)), "'pieces': 'block.letter' is not one of the features");
}

/// The layers see blocks of other tiles and of other parts, and all kernels agree over all of them.
#[test]
fn figures_of_many_parts_are_those_of_one() {
    let network = network();
    let (blocks, rows) = (3 * 3072 + 100, network.features().len());
    // The same figures again and again, so that far from the ends each period has the same probabilities.
    let values: Vec<f32> = (0..rows * blocks).map(|at| ((at / blocks * 7 + at % blocks % 96) as f32).sin()).collect();
    let figures = Figures::Given { values: &values, stride: blocks, blocks };
    let lengths: Vec<u32> = vec![40; blocks];

    let found =
        network.output(figures, &lengths, &network.words(&Page::default()), &mut Workspace::new(Kernel::best())).labels;

    for block in 96..blocks - 192 {
        assert_eq!(found[block], found[block + 96], "{block}");
    }
}
/// The same network, which takes its figures in another order.
fn turned() -> Network {
    let mut arrays = arrays();
    let count = network().features().len();
    for name in ["features", "means", "scales", "enter"] {
        let array = arrays.get_mut(name).unwrap();
        match &mut array.values {
            Values::Texts(texts) => texts.reverse(),
            Values::Singles(singles) => {
                let each = array.shape.get(1).copied().unwrap_or(1);
                let rows: Vec<f32> = singles.chunks(each).take(count).rev().flatten().copied().collect();
                singles[..rows.len()].copy_from_slice(&rows);
            }
            _ => unreachable!(),
        }
    }
    Network::new(&arrays).unwrap()
}

#[test]
fn each_of_several_networks_takes_its_own_figures() {
    let (golden, blocks) = (golden(), 21);
    let (page, values) = (page(&golden, blocks), figures(&golden));
    let stride = values.len() / network().features().len();
    let given: Vec<f32> = values.chunks(stride).flat_map(|row| &row[..blocks]).copied().collect();
    let said = |networks: Vec<Network>| {
        let networks = Networks::new(networks).unwrap();
        assert_eq!(networks.features(), network().features());
        networks.output(&page, Some(&given), &mut Workspace::new(Kernel::best())).labels
    };
    let alone = said(vec![network()]);

    assert_eq!(alone, marginals(&golden, blocks, &mut Workspace::new(Kernel::best())));
    assert_eq!(said(vec![network(), network()]), alone);
    for (found, expected) in said(vec![network(), turned()]).as_flattened().iter().zip(alone.as_flattened()) {
        assert!((found - expected).abs() < 1e-6);
    }
}

#[test]
fn without_a_network_nothing_is_said() {
    assert_eq!(Networks::new(Vec::new()).unwrap_err(), "at least one network is needed");
}

/// The same network, which has learned two fields as well.
fn with_fields(fields: &[&str]) -> Result<Network, String> {
    let mut arrays = arrays();
    let wide = arrays["leave"].shape[0];
    let names = fields.iter().map(ToString::to_string).collect();
    let weights = (0..2 * wide).map(|number| (number as f32).sin()).collect();
    arrays.insert("fields".into(), Array { shape: vec![fields.len()], values: Values::Texts(names) });
    arrays.insert("field".into(), Array { shape: vec![wide, 2], values: Values::Singles(weights) });
    arrays.insert("field-bias".into(), Array { shape: vec![2], values: Values::Singles(vec![100.0, -100.0]) });
    Network::new(&arrays)
}

#[test]
fn fields_are_said_beside_the_labels_and_change_nothing() {
    let (golden, network) = (golden(), with_fields(&["date", "comment"]).unwrap());
    let (page, values) = (page(&golden, 21), figures(&golden));
    let figures = Figures::Given { values: &values, stride: values.len() / network.features().len(), blocks: 21 };
    let output = network.output(figures, &page.lengths, &network.words(&page), &mut Workspace::new(Kernel::best()));

    assert_eq!(output.labels, marginals(&golden, 21, &mut Workspace::new(Kernel::best())));
    assert_eq!(network.fields(), ["date", "comment"]);
    assert_eq!(output.fields.len(), 42);
    assert!(output.fields.chunks(2).all(|scores| scores[0] > 0.0 && scores[1] < 0.0));
    let alone = Networks::new(vec![with_fields(&["date", "comment"]).unwrap()]).unwrap();
    let mixed = Networks::new(vec![network, self::network()]).unwrap();
    assert_eq!((alone.fields().len(), mixed.fields().len()), (2, 0));
    let scores = Output { labels: Vec::new(), fields: vec![-1.0, 0.0, 2.0, 3.0, 2.0, -1.0] };
    assert_eq!(alone.chosen_fields(&scores), [0, 4, 2]);
}

#[test]
fn unknown_or_repeated_fields_are_refused() {
    for fields in [["date", "price"], ["comment", "date"], ["date", "date"]] {
        let error = with_fields(&fields).unwrap_err();
        assert_eq!(error, "'fields': expected some of title, date, author, comment, in this order");
    }
}
