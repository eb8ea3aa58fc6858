//! Probabilities of labels in a linear chain: forward-backward as in Rabiner 1989.
//!
//! The loops go over single numbers in a fixed order, so that all CPUs give the same bits.

use crate::numeric::exponential;

/// The probability of every label of every block, from scores (block × label) and transitions (from × to).
pub fn marginals(scores: &[f64], transitions: &[f64], labels: usize) -> Vec<f64> {
    let states: Vec<f64> = scores.chunks_exact(labels).flat_map(powers).collect();
    let moves = powers(transitions);
    let back = transposed(&moves, labels);
    let mut joint = states.clone();
    pass(joint.chunks_exact_mut(labels).zip(states.chunks_exact(labels)), &moves, labels);
    pass(joint.chunks_exact_mut(labels).zip(states.chunks_exact(labels)).rev(), &back, labels);
    for block in joint.chunks_exact_mut(labels) {
        let total: f64 = block.iter().sum();
        divide(block, total, 1.0 / labels as f64);
    }
    joint
}

/// Multiplies each block by what arrives from those before it, in the order in which they are given.
fn pass<'a>(blocks: impl Iterator<Item = (&'a mut [f64], &'a [f64])>, moves: &[f64], labels: usize) {
    let (mut arriving, mut sent) = (vec![1.0; labels], vec![0.0; labels]);
    for (joint, states) in blocks {
        sent.fill(0.0);
        for ((state, arriving), moves) in states.iter().zip(&arriving).zip(moves.chunks_exact(labels)) {
            for (sum, step) in sent.iter_mut().zip(moves) {
                *sum += state * arriving * step;
            }
        }
        joint.iter_mut().zip(&arriving).for_each(|(joint, arriving)| *joint *= arriving);
        let greatest = sent.iter().copied().fold(0.0, f64::max);
        divide(&mut sent, greatest, 1.0);
        std::mem::swap(&mut arriving, &mut sent);
    }
}

/// Scores too far apart for double precision leave no number above 0: then all labels are equal.
fn divide(values: &mut [f64], divisor: f64, equal: f64) {
    if divisor > 0.0 {
        values.iter_mut().for_each(|value| *value /= divisor);
    } else {
        values.fill(equal);
    }
}

/// e to the power of each score, up to a factor that makes the greatest 1.
fn powers(scores: &[f64]) -> Vec<f64> {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter().map(|score| exponential(score - greatest)).collect()
}

fn transposed(rows: &[f64], size: usize) -> Vec<f64> {
    (0..rows.len()).map(|place| rows[place % size * size + place / size]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_alone_has_the_chances_of_its_scores() {
        let found = marginals(&[3.0_f64.ln(), 0.0], &[0.0, 5.0, 0.0, 0.0], 2);

        assert!((found[0] - 0.75).abs() < 1e-15 && (found[1] - 0.25).abs() < 1e-15);
    }

    #[test]
    fn a_sure_block_pulls_its_neighbours_along() {
        let found = marginals(&[0.0, 0.0, 50.0, 0.0, 0.0, 0.0], &[2.0, 0.0, 0.0, 2.0], 2);

        let expected = 2.0_f64.exp() / (1.0 + 2.0_f64.exp());
        assert!((found[0] - expected).abs() < 1e-15 && (found[4] - expected).abs() < 1e-15);
    }

    #[test]
    fn moves_that_nothing_can_make_leave_all_labels_equal() {
        let found = marginals(&[0.0, -2e3, -2e3, 0.0], &[0.0, -2e3, -2e3, 0.0], 2);

        assert_eq!(found, [0.5; 4]);
    }

    #[test]
    fn no_block_has_no_chances() {
        assert!(marginals(&[], &[0.0], 1).is_empty());
    }
}
