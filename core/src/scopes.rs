//! Which content of a page is asked for. What a network has learned of a scope is added to its biases.

use crate::guess;
use crate::npz::{Array, Arrays, Values};

/// The scope that every network has: the page decides.
pub const AUTO: &str = "auto";

/// The arrays of a network for one scope, which is then part of its biases. Where the page decides, and the network has
/// learned to guess which scope suits it, all scopes stay.
pub fn folded(mut arrays: Arrays, scope: &str) -> Result<Arrays, String> {
    if scope == AUTO && arrays.contains_key(guess::ARRAYS[0]) {
        known(&mut arrays)?;
        return Ok(arrays);
    }
    guess::ARRAYS.iter().for_each(|name| drop(arrays.remove(*name)));
    let Some(row) = row(&known(&mut arrays)?, scope)? else { return Ok(arrays) };
    let tables: Vec<String> = arrays.keys().filter(|name| bias_of(name).is_some()).cloned().collect();
    for table in tables {
        let (bias, added) = (bias_of(&table).unwrap_or_default(), arrays.remove(&table));
        let biases = arrays.get_mut(&bias).ok_or_else(|| format!("'{table}': no array '{bias}'"))?;
        add(biases, added.as_ref(), row).ok_or_else(|| format!("'{table}': not a row for each scope"))?;
    }
    Ok(arrays)
}

fn known(arrays: &mut Arrays) -> Result<Vec<String>, String> {
    match arrays.remove("scopes") {
        None => Ok(Vec::new()),
        Some(Array { values: Values::Texts(names), .. }) => Ok(names),
        Some(_) => Err("'scopes': expected a list of texts".to_string()),
    }
}

/// The row of a scope in its tables; none where no scope was learned.
fn row(known: &[String], scope: &str) -> Result<Option<usize>, String> {
    match known.iter().position(|name| name == scope) {
        None if known.is_empty() && scope == AUTO => Ok(None),
        None if known.is_empty() => Err(format!("no scope '{scope}': the network has learned no scopes")),
        None => Err(format!("no scope '{scope}': the network has learned {}", known.join(", "))),
        found => Ok(found),
    }
}

/// The bias that a table of scopes is added to.
fn bias_of(table: &str) -> Option<String> {
    match table {
        "scope" => Some("enter-bias".to_string()),
        "leave-scope" => Some("leave-bias".to_string()),
        _ => table.strip_suffix("-scope").map(|layer| format!("{layer}-bias")),
    }
}

fn add(biases: &mut Array, table: Option<&Array>, row: usize) -> Option<()> {
    let (Values::Singles(biases), Values::Singles(added)) = (&mut biases.values, &table?.values) else { return None };
    let added = added.chunks_exact(biases.len().max(1)).nth(row)?;
    biases.iter_mut().zip(added).for_each(|(bias, added)| *bias += added);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(shape: &[usize], values: &[f32]) -> Array {
        Array { shape: shape.to_vec(), values: Values::Singles(values.to_vec()) }
    }

    fn arrays() -> Arrays {
        let names = [AUTO, "article"].map(String::from).to_vec();
        Arrays::from([
            ("scopes".to_string(), Array { shape: vec![2], values: Values::Texts(names) }),
            ("0-bias".to_string(), numbers(&[2], &[1.0, 2.0])),
            ("0-scope".to_string(), numbers(&[2, 2], &[0.5, 0.0, 0.0, -4.0])),
            ("enter-bias".to_string(), numbers(&[1], &[1.0])),
            ("scope".to_string(), numbers(&[2, 1], &[1.0, 2.0])),
        ])
    }

    fn biases(scope: &str, name: &str) -> Vec<f32> {
        match &folded(arrays(), scope).unwrap()[name].values {
            Values::Singles(numbers) => numbers.clone(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_scope_is_added_to_the_biases() {
        assert_eq!((biases("auto", "0-bias"), biases("article", "0-bias")), (vec![1.5, 2.0], vec![1.0, -2.0]));
        assert_eq!((biases("auto", "enter-bias"), biases("article", "enter-bias")), (vec![2.0], vec![3.0]));
        assert_eq!(folded(arrays(), "auto").unwrap().len(), 2);
    }

    #[test]
    fn all_scopes_stay_where_the_page_decides() {
        let mut guessing = arrays();
        guessing.insert("guess".to_string(), numbers(&[1], &[1.0]));

        assert!(["guess", "scope", "0-scope"]
            .iter()
            .all(|name| folded(guessing.clone(), "auto").unwrap().contains_key(*name)));
        assert_eq!(folded(guessing, "article").unwrap().len(), 2);
    }

    #[test]
    fn a_network_without_scopes_takes_auto_alone() {
        let mut plain = arrays();
        plain.retain(|name, _| name.ends_with("bias"));

        assert_eq!(folded(plain.clone(), "auto").unwrap().len(), 2);
        assert_eq!(folded(plain, "article").unwrap_err(), "no scope 'article': the network has learned no scopes");
    }

    #[test]
    fn an_unknown_scope_names_those_that_are_known() {
        assert_eq!(folded(arrays(), "page").unwrap_err(), "no scope 'page': the network has learned auto, article");
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        for (name, array) in [("0-scope", numbers(&[2], &[0.5, 0.0])), ("7-scope", numbers(&[2, 2], &[0.0; 4]))] {
            let mut broken = arrays();
            broken.insert(name.to_string(), array);
            assert!(folded(broken, "article").unwrap_err().starts_with(&format!("'{name}': ")), "{name}");
        }
    }
}
