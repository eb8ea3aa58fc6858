//! Which candidate is taken: a score for each, learned from pages whose title, authors and date are known.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::candidates::{number_of, Candidate};

/// A line for each feature: the field, the feature, its weight. Made by benchmarks/train_metadata.py.
const TABLE: &str = include_str!("weights.tsv");

/// The number of a feature is a hash already.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |number, &byte| number << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type Weights = HashMap<u64, f32, BuildHasherDefault<Itself>>;

static WEIGHTS: LazyLock<[Weights; 3]> = LazyLock::new(|| {
    let mut weights = [Weights::default(), Weights::default(), Weights::default()];
    for line in TABLE.lines() {
        let mut parts = line.split('\t');
        let (Some(field), Some(feature), Some(Ok(weight))) = (parts.next(), parts.next(), parts.next().map(str::parse))
        else {
            continue;
        };
        weights[field.parse::<usize>().unwrap_or(0).min(2)].insert(number_of(&[feature]), weight);
    }
    weights
});

/// What is chosen: of titles, authors or dates, in this order of numbers.
#[derive(Clone, Copy)]
pub enum Choice {
    Title,
    Authors,
    Date,
}

/// The candidate with the highest score; None, where that is the one that stands for nothing. The first of equals.
pub fn chosen(choice: Choice, candidates: &[Candidate]) -> Option<&Candidate> {
    let weights = &WEIGHTS[choice as usize];
    let score = |candidate: &Candidate| -> f32 {
        candidate.features.numbers.iter().filter_map(|number| weights.get(number)).sum()
    };
    let mut best: Option<(f32, &Candidate)> = None;
    for candidate in candidates {
        let score = score(candidate);
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate).filter(|candidate| !candidate.value.is_empty())
}
