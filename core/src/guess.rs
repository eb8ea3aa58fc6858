//! Which scope suits a page, where none is asked for. By the chances of the scopes they are mixed: what each adds to the
//! biases of a network is added by its share.

use crate::kernels::{padded, LABELS};
use crate::npz::{Array, Arrays, Values};
use crate::numeric::power_of_e;

/// The arrays of a guess: a column for each scope.
pub const ARRAYS: [&str; 2] = ["guess", "guess-bias"];

#[derive(Clone, Debug)]
pub struct Guess {
    /// The features that count, by their places in the network, and the weights of their means for each scope.
    features: Vec<(usize, Vec<f64>)>,
    biases: Vec<f64>,
    tables: Tables<Vec<Vec<f32>>>,
}

/// What a network has a bias for.
#[derive(Clone, Debug)]
pub struct Tables<T> {
    pub enter: T,
    pub layers: Vec<T>,
    pub leave: T,
}

/// What is added to the biases for a page.
pub type Added = Tables<Vec<f32>>;

impl Guess {
    /// None where the arrays have none: a single scope is part of the biases then.
    pub fn new(arrays: &Arrays, features: usize, layers: usize) -> Result<Option<Self>, String> {
        if !arrays.contains_key(ARRAYS[0]) {
            return Ok(None);
        }
        let weights = rows(arrays, ARRAYS[0], features)?;
        let [biases] = <[Vec<f32>; 1]>::try_from(rows(arrays, ARRAYS[1], 1)?).unwrap_or_default();
        if weights.iter().any(|row| row.len() != biases.len()) {
            return Err(format!("'{}': not a number for each scope", ARRAYS[0]));
        }
        let table = |name: &str| rows(arrays, name, biases.len());
        let tables = Tables {
            enter: table("scope")?,
            layers: (0..layers).map(|number| table(&format!("{number}-scope"))).collect::<Result<_, _>>()?,
            leave: table("leave-scope")?,
        };
        let counting = weights.iter().enumerate().filter(|(_, row)| row.iter().any(|weight| *weight != 0.0));
        Ok(Some(Self {
            features: counting.map(|(feature, row)| (feature, doubles(row))).collect(),
            biases: doubles(&biases),
            tables,
        }))
    }

    /// Those whose means over the page tell its scope.
    pub fn features(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.features.iter().map(|(feature, _)| *feature)
    }

    /// What a page gets, from these means.
    pub fn added(&self, means: &[f64]) -> Added {
        let shares = self.shares(means);
        let mixed = |table: &Vec<Vec<f32>>| padded(&mixed(table, &shares));
        Tables {
            enter: mixed(&self.tables.enter),
            layers: self.tables.layers.iter().map(mixed).collect(),
            leave: mixed(&self.tables.leave),
        }
    }

    fn shares(&self, means: &[f64]) -> Vec<f64> {
        let mut scores = self.biases.clone();
        for ((_, weights), mean) in self.features.iter().zip(means) {
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight * mean);
        }
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = scores.iter().map(|score| power_of_e(score - greatest)).collect();
        let all: f64 = odds.iter().sum();
        odds.iter().map(|odds| odds / all).collect()
    }
}

/// The rows of a table, each by its share.
fn mixed(table: &[Vec<f32>], shares: &[f64]) -> Vec<f32> {
    let width = table.first().map_or(0, Vec::len);
    let of_column = |column: usize| table.iter().zip(shares).map(|(row, share)| f64::from(row[column]) * share).sum();
    (0..width).map(of_column).map(|sum: f64| sum as f32).collect()
}

fn doubles(row: &[f32]) -> Vec<f64> {
    row.iter().copied().map(f64::from).collect()
}

/// An array as so many rows of finite numbers, all of one length.
fn rows(arrays: &Arrays, name: &str, count: usize) -> Result<Vec<Vec<f32>>, String> {
    let Some(Array { values: Values::Singles(numbers), .. }) = arrays.get(name) else {
        return Err(format!("'{name}': expected numbers of single precision"));
    };
    if count == 0 || numbers.is_empty() || numbers.len() % count > 0 || !numbers.iter().all(|number| number.is_finite())
    {
        return Err(format!("'{name}': expected {count} rows of finite numbers"));
    }
    Ok(numbers.chunks_exact(numbers.len() / count).map(<[f32]>::to_vec).collect())
}

/// Do the tables fit what they are added to?
pub fn check_widths(guess: &Guess, enter: usize, inner: usize) -> Result<(), String> {
    let is_wide = |table: &Vec<Vec<f32>>, width: usize| table.iter().all(|row| row.len() == width);
    let Tables { enter: of_enter, layers, leave } = &guess.tables;
    let fits = is_wide(of_enter, enter) && layers.iter().all(|table| is_wide(table, inner)) && is_wide(leave, LABELS);
    if fits {
        Ok(())
    } else {
        Err("'scope': a table of scopes has not as many columns as what it is added to".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[f32]) -> Array {
        Array { shape: vec![values.len()], values: Values::Singles(values.to_vec()) }
    }

    fn arrays() -> Arrays {
        Arrays::from([
            ("guess".to_string(), numbers(&[0.0, 0.0, 2.0, -2.0])),
            ("guess-bias".to_string(), numbers(&[0.0, 0.0])),
            ("scope".to_string(), numbers(&[1.0, 2.0, 10.0, 20.0])),
            ("leave-scope".to_string(), numbers(&[0.0; 10])),
        ])
    }

    #[test]
    fn scopes_are_mixed_by_what_the_page_looks_like() {
        let guess = Guess::new(&arrays(), 2, 0).unwrap().unwrap();

        assert_eq!(guess.features().collect::<Vec<_>>(), [1]);
        assert_eq!(guess.added(&[100.0]).enter[..2], [1.0, 2.0]);
        assert_eq!(guess.added(&[-100.0]).enter[..2], [10.0, 20.0]);
        assert_eq!(guess.added(&[0.0]).enter[..2], [5.5, 11.0]);
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        for (name, array) in [("guess-bias", numbers(&[])), ("guess", numbers(&[f32::NAN; 4]))] {
            let mut broken = arrays();
            broken.insert(name.to_string(), array);
            assert!(Guess::new(&broken, 2, 0).unwrap_err().starts_with(&format!("'{name}': ")), "{name}");
        }
        let guess = Guess::new(&arrays(), 2, 0).unwrap().unwrap();
        assert!(check_widths(&guess, 2, 1).is_ok() && check_widths(&guess, 3, 1).is_err());
        assert!(Guess::new(&Arrays::new(), 2, 0).unwrap().is_none());
    }
}
