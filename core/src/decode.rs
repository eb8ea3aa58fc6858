//! Probabilities → labels.
//!
//! Which blocks to keep is the set with the best expected F1 of the page: with p the probability that a block is content
//! and w its length, the set that maximises 2·Σkept p·w / (Σkept w + Σall p·w). Sorted by p, that set is a prefix
//! (Lewis 1995; Nan Ye et al. 2012).

use std::collections::HashMap;

use crate::kernels::LABELS;
use crate::listings::Listings;
use crate::numeric::{exponential, power};
use crate::page::Page;

/// The probability of every label: p, h, l, c, other.
pub type Chances = [f64; LABELS];

pub const OTHER: u8 = LABELS as u8 - 1;

/// Bias 1 makes odds of content e² times what the model says.
const LOG_ODDS_PER_BIAS: f64 = 2.0;

/// Shorter texts stand on a page again for good reasons: names of columns, of speakers, of parts.
const REPEATED: u32 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    ExpectedF1,
    Threshold,
    Likeliest,
}

/// How labels are chosen; `bias` over 0 keeps more, under 0 keeps less. The log odds of content are divided by the
/// `temperature`: over 1, the model counts as less sure than it says.
///
/// The method `Threshold` keeps every block whose probability is at least `threshold`. `prior_characters` are added to
/// what a page is expected to hold, and nothing is kept whose mean probability is under `least_probability`: both spare
/// pages without content. What the page has already is kept again only where both copies have at least
/// `repeat_probability`; 0 keeps all. The three are for `ExpectedF1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoding {
    pub method: Method,
    pub bias: f64,
    pub temperature: f64,
    pub prior_characters: f64,
    pub least_probability: f64,
    pub threshold: f64,
    pub repeat_probability: f64,
}

impl Default for Decoding {
    fn default() -> Self {
        Self {
            method: Method::ExpectedF1,
            bias: 0.0,
            temperature: 1.0,
            prior_characters: 500.0,
            least_probability: 0.15,
            threshold: 0.5,
            repeat_probability: 0.0,
        }
    }
}

/// The label of each block by its place in p, h, l, c, other; and its probability that it is content at all.
pub fn labels(page: &Page, marginals: &[Chances], decoding: &Decoding) -> (Vec<u8>, Vec<f64>) {
    let probabilities = content(marginals, decoding);
    let labels = match decoding.method {
        Method::ExpectedF1 => likeliest_kinds(marginals, &kept_blocks(&probabilities, page, decoding)),
        Method::Threshold => {
            let keeps: Vec<bool> = probabilities.iter().map(|probability| *probability >= decoding.threshold).collect();
            likeliest_kinds(marginals, &keeps)
        }
        Method::Likeliest => likeliest_labels(marginals, decoding.bias),
    };
    (labels, probabilities)
}

/// The probability of each block that it is content at all.
pub fn content(marginals: &[Chances], decoding: &Decoding) -> Vec<f64> {
    let Decoding { bias, temperature, .. } = *decoding;
    let [keeping, dropping] = factors(bias);
    let of_block = |chances: &Chances| {
        let noise = chances[OTHER as usize];
        if bias == 0.0 && temperature == 1.0 {
            return 1.0 - noise;
        }
        let [kept, dropped] = [1.0 - noise, noise].map(|chance| softened(chance, temperature));
        let (kept, dropped) = (kept * keeping, dropped * dropping);
        kept / (kept + dropped).max(f64::MIN_POSITIVE)
    };
    marginals.iter().map(of_block).collect()
}

fn softened(chance: f64, temperature: f64) -> f64 {
    if temperature == 1.0 {
        chance
    } else {
        power(chance, 1.0 / temperature)
    }
}

/// Of content and of noise: either is made less likely, never more, so that no bias overflows.
fn factors(bias: f64) -> [f64; 2] {
    [bias, -bias].map(|bias| exponential((LOG_ODDS_PER_BIAS * bias).min(0.0)))
}

fn kept_blocks(probabilities: &[f64], page: &Page, decoding: &Decoding) -> Vec<bool> {
    let keeps = best_expected_f1(probabilities, &page.lengths, decoding);
    if decoding.repeat_probability == 0.0 {
        return keeps;
    }
    without_repeated(keeps, probabilities, page, decoding)
}

/// The blocks to keep.
fn best_expected_f1(probabilities: &[f64], lengths: &[u32], decoding: &Decoding) -> Vec<bool> {
    let mut keeps = vec![false; probabilities.len()];
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|one, other| probabilities[*other].total_cmp(&probabilities[*one]));
    let gains = cumulated(order.iter().map(|block| probabilities[*block] * f64::from(lengths[*block])));
    let kept = cumulated(order.iter().map(|block| f64::from(lengths[*block])));
    let all = gains.last().copied().unwrap_or(0.0);
    if all == 0.0 {
        return keeps;
    }
    let scores = gains.iter().zip(&kept).map(|(gain, kept)| gain / (kept + all + decoding.prior_characters));
    let last = first_greatest(scores);
    if gains[last] >= decoding.least_probability * kept[last] {
        order[..=last].iter().for_each(|block| keeps[*block] = true);
    }
    keeps
}

fn cumulated(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let add = |sum: &mut f64, value| {
        *sum += value;
        Some(*sum)
    };
    values.scan(0.0, add).collect()
}

fn first_greatest(values: impl Iterator<Item = f64>) -> usize {
    let first = (0, f64::NEG_INFINITY);
    values.enumerate().fold(first, |best, next| if next.1 > best.1 { next } else { best }).0
}

/// Without what stands on the page before, unless it surely belongs to the text in both places. Lines of code, and those
/// of one table, repeat each other for good reasons.
fn without_repeated(mut keeps: Vec<bool>, probabilities: &[f64], page: &Page, decoding: &Decoding) -> Vec<bool> {
    let is_sure = |block: usize| probabilities[block] >= decoding.repeat_probability;
    let mut listings = None;
    let mut first = HashMap::new();
    for (block, keeps) in keeps.iter_mut().enumerate() {
        if *keeps && page.lengths[block] >= REPEATED {
            let before = *first.entry(page.block(block)).or_insert(block);
            *keeps = before == block
                || is_sure(before) && is_sure(block)
                || listings.get_or_insert_with(|| Listings::new(page)).may_repeat(before, block);
        }
    }
    keeps
}

/// Of what is kept, the likeliest kind of each.
fn likeliest_kinds(marginals: &[Chances], keeps: &[bool]) -> Vec<u8> {
    let kind = |(chances, keeps): (&Chances, &bool)| {
        let kinds = chances[..OTHER as usize].iter().copied();
        if *keeps {
            first_greatest(kinds) as u8
        } else {
            OTHER
        }
    };
    marginals.iter().zip(keeps).map(kind).collect()
}

/// The likeliest label of every block by itself: of no other labels are more expected to be right.
fn likeliest_labels(marginals: &[Chances], bias: f64) -> Vec<u8> {
    let [keeping, dropping] = factors(bias);
    let weights = [keeping, keeping, keeping, keeping, dropping];
    let label =
        |chances: &Chances| first_greatest(chances.iter().zip(weights).map(|(chance, weight)| chance * weight)) as u8;
    marginals.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document;
    use crate::markup::{Markup, Mode, Names};

    fn page(texts: &[&str]) -> Page {
        of_html(&texts.iter().map(|text| format!("<p>{text}</p>")).collect::<String>())
    }

    fn of_html(html: &str) -> Page {
        let block = ["p", "pre", "ul", "li", "table", "tr", "td"].map(str::to_string).to_vec();
        let markup = Markup::new(Mode::Block, &Names { block, ..Names::default() });
        document::of_text(html.to_string(), &markup).page
    }

    fn of_paragraphs(probabilities: &[f64]) -> Vec<Chances> {
        probabilities.iter().map(|probability| [*probability, 0.0, 0.0, 0.0, 1.0 - probability]).collect()
    }

    #[test]
    fn likely_blocks_are_kept_and_unlikely_ones_dropped() {
        let text = "a".repeat(400);
        let (labels, probabilities) =
            labels(&page(&[&text, &text, &text]), &of_paragraphs(&[0.75, 0.125, 0.0625]), &Decoding::default());

        assert_eq!((labels, probabilities), (vec![0, OTHER, OTHER], vec![0.75, 0.125, 0.0625]));
    }

    #[test]
    fn nothing_is_kept_where_all_is_unlikely() {
        let text = "a".repeat(400);
        assert_eq!(labels(&page(&[&text]), &of_paragraphs(&[0.1]), &Decoding::default()).0, [OTHER]);
        assert_eq!(labels(&page(&[&text]), &of_paragraphs(&[0.0]), &Decoding::default()).0, [OTHER]);
        assert_eq!(labels(&page(&[]), &[], &Decoding::default()), (vec![], vec![]));
    }

    #[test]
    fn what_is_repeated_is_kept_once_unless_both_are_sure() {
        let text = "This stands on the page twice, and is long.";
        let decoding = Decoding { repeat_probability: 0.95, prior_characters: 0.0, ..Decoding::default() };
        let twice = |probabilities: &[f64]| labels(&page(&[text, text]), &of_paragraphs(probabilities), &decoding).0;

        assert_eq!((twice(&[0.99, 0.94]), twice(&[0.99, 0.96])), (vec![0, OTHER], vec![0, 0]));
    }

    #[test]
    fn lines_of_a_listing_may_repeat_each_other() {
        let decoding = Decoding { repeat_probability: 0.95, prior_characters: 0.0, ..Decoding::default() };
        let twice = |html: &str| {
            let page = of_html(&html.replace('*', "the very same line, and long"));
            labels(&page, &of_paragraphs(&vec![0.9; page.len()]), &decoding).0
        };

        assert_eq!(twice("<pre>*\n*</pre><pre>*</pre>"), [0, 0, 0]);
        assert_eq!(twice("<table><tr><td>*<td>*<tr><td>*</table>"), [0, 0, 0]);
        assert_eq!(twice("<table><tr><td>*</table><table><tr><td>*</table>"), [0, OTHER]);
        assert_eq!(twice("<ul><li>*<li>*</ul>"), [0, OTHER]);
    }

    #[test]
    fn short_texts_may_repeat() {
        let decoding = Decoding { repeat_probability: 0.95, prior_characters: 0.0, ..Decoding::default() };

        assert_eq!(labels(&page(&["Alice:", "Alice:"]), &of_paragraphs(&[0.9, 0.9]), &decoding).0, [0, 0]);
    }

    #[test]
    fn a_threshold_keeps_what_reaches_it() {
        let decoding = Decoding { method: Method::Threshold, ..Decoding::default() };

        assert_eq!(labels(&page(&["a", "b"]), &of_paragraphs(&[0.5, 0.25]), &decoding).0, [0, OTHER]);
    }

    #[test]
    fn of_equal_kinds_the_first_is_the_likeliest() {
        let decoding = Decoding { method: Method::Likeliest, ..Decoding::default() };
        let chances = [[0.125, 0.25, 0.25, 0.25, 0.125], [0.1, 0.3, 0.1, 0.1, 0.4]];

        assert_eq!(labels(&page(&["a", "b"]), &chances, &decoding).0, [1, OTHER]);
        assert_eq!(labels(&page(&["a", "b"]), &chances, &Decoding { bias: 1.0, ..decoding }).0, [1, 1]);
    }

    #[test]
    fn bias_changes_the_odds() {
        let biased = |chance, bias| content(&of_paragraphs(&[chance]), &Decoding { bias, ..Decoding::default() })[0];
        let odds = |bias| biased(0.5, bias);

        assert!((odds(0.5) - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-15);
        assert!((odds(-0.5) - 1.0 / (1.0 + 1.0_f64.exp())).abs() < 1e-15);
        assert_eq!((odds(100.0), biased(0.0, -100.0)), (1.0, 0.0));
    }

    #[test]
    fn a_temperature_divides_the_log_odds() {
        let decoding = Decoding { temperature: 2.0, ..Decoding::default() };
        let [unlikely, even, likely] = content(&of_paragraphs(&[0.1, 0.5, 0.8]), &decoding)[..] else { panic!() };

        assert!((unlikely - 0.25).abs() < 1e-12 && (even - 0.5).abs() < 1e-12 && (likely - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(content(&of_paragraphs(&[0.0, 1.0]), &decoding), [0.0, 1.0]);
    }
}
