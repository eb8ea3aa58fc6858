//! `/html[1]/body[1]/div[2]`: the n-th child of each name, from the root down.

use super::Unreadable;
use crate::tree::Tree;

/// The name of each step, and which of the children of that name it is, from 1.
pub struct Path(Vec<(String, usize)>);

impl Path {
    pub fn new(text: &str) -> Result<Self, Unreadable> {
        let mut column = 2;
        let mut steps = Vec::new();
        for step in text[1..].split('/') {
            steps.push(read(step).ok_or_else(|| Unreadable {
                reason: format!("expected a step such as div[2], got '{step}'"),
                column,
            })?);
            column += step.chars().count() + 1;
        }
        Ok(Self(steps))
    }

    pub fn element(&self, tree: &Tree) -> Option<u32> {
        let ((name, 1), steps) = self.0.split_first().map(|((name, place), rest)| ((name, *place), rest))? else {
            return None;
        };
        if tree.is_empty() || tree.name(0) != name {
            return None;
        }
        steps.iter().try_fold(0, |element, (name, place)| child(tree, element, name, *place))
    }
}

fn read(step: &str) -> Option<(String, usize)> {
    let (name, place) = match step.split_once('[') {
        Some((name, rest)) => (name, rest.strip_suffix(']')?.parse().ok().filter(|place| *place > 0)?),
        None => (step, 1),
    };
    let is_name = |character: char| character.is_alphanumeric() || "-_:.".contains(character);
    (!name.is_empty() && name.chars().all(is_name)).then(|| (name.to_ascii_lowercase(), place))
}

fn child(tree: &Tree, element: u32, name: &str, place: usize) -> Option<u32> {
    let mut next = element + 1;
    let mut count = 0;
    while next < tree.ends[element as usize] {
        if tree.name(next as usize) == name {
            count += 1;
            if count == place {
                return Some(next);
            }
        }
        next = tree.ends[next as usize];
    }
    None
}
