//! Several networks that label together: the mean of what they say.

use crate::columns::{Columns, Matrix, Plan};
use crate::names::Classes;
use crate::network::{Figures, Network, Output, Workspace, FIELDS, PART};
use crate::npz;
use crate::page::Page;
use crate::scopes;

/// Their figures are computed once for all.
#[derive(Clone, Debug)]
pub struct Networks {
    networks: Vec<Network>,
    /// Those of all networks: a row each.
    features: Vec<String>,
    /// None where the core does not compute all of them.
    plan: Option<Plan>,
    /// Those that all of them have learned, if these are the same.
    fields: Vec<String>,
}

impl Networks {
    /// From the arrays of a file: those of a network begin with one of the prefixes. They label for one scope.
    pub fn read(file: &[u8], prefixes: &[impl AsRef<str>], scope: &str) -> Result<Self, String> {
        let arrays = |prefix: &str| npz::read(file, prefix).and_then(|arrays| scopes::folded(arrays, scope));
        let read = |prefix: &str| arrays(prefix).and_then(|arrays| Network::new(&arrays));
        Self::new(prefixes.iter().map(|prefix| read(prefix.as_ref())).collect::<Result<_, _>>()?)
    }

    pub fn new(networks: Vec<Network>) -> Result<Self, String> {
        let (first, others) = networks.split_first().ok_or("at least one network is needed")?;
        let mut features = first.features().to_vec();
        for feature in others.iter().flat_map(Network::features) {
            if !features.contains(feature) {
                features.push(feature.clone());
            }
        }
        let names: Vec<&str> = features.iter().map(String::as_str).collect();
        let plan = Plan::new(&names).ok();
        let fields = first.fields().to_vec();
        let has_all = others.iter().all(|network| network.fields() == fields);
        let fields = if has_all { fields } else { Vec::new() };
        let networks = networks.into_iter().map(|network| network.reading(&features)).collect();
        Ok(Self { networks, features, plan, fields })
    }

    /// The figures that they take, in this order.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// Does the core compute all that they see?
    pub fn is_native(&self) -> bool {
        self.plan.is_some()
    }

    /// The fields that they have learned, if all have learned the same.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// The likeliest field of each block by its place in `FIELDS`, from 1; 0 where none is likely.
    pub fn chosen_fields(&self, output: &Output) -> Vec<u8> {
        let codes =
            self.fields.iter().map(|name| FIELDS.iter().position(|field| field == name).map_or(0, |at| at as u8 + 1));
        let codes: Vec<u8> = codes.collect();
        let chosen = |scores: &[f32]| {
            let likely = scores.iter().zip(&codes).filter(|(&score, _)| score > 0.0);
            likely.max_by(|one, other| one.0.total_cmp(other.0)).map_or(0, |(_, &code)| code)
        };
        output.fields.chunks_exact(self.fields.len().max(1)).map(chosen).collect()
    }

    /// What they say of each block; figures (feature × block) are needed where they are not native.
    pub fn output(&self, page: &Page, given: Option<&[f32]>, workspace: &mut Workspace) -> Output {
        let (classes, blocks) = (self.classes(page), page.len());
        let shared = if given.is_none() { self.shared(page, workspace) } else { None };
        let figures = || match (given, &shared, &self.plan) {
            (None, Some(matrix), _) => Figures::Given { values: &matrix.data, stride: matrix.stride, blocks },
            (None, None, Some(plan)) => Figures::Computed(Box::new(Columns::new(page, plan))),
            _ => Figures::Given { values: given.unwrap_or(&[]), stride: blocks, blocks },
        };
        let of_network = |network: &Network| {
            let words = network.lexicon().read(page, &classes);
            network.output(figures(), &page.lengths, &words, workspace)
        };
        let mut output = averaged(self.networks.iter().map(of_network).collect());
        if let Some(matrix) = shared {
            workspace.matrix = matrix;
        }
        if self.fields.is_empty() {
            output.fields.clear();
        }
        output
    }

    /// They are read once, if a network wants them.
    fn classes<'a>(&self, page: &'a Page) -> Classes<'a> {
        if self.networks.iter().any(|network| network.lexicon().has_names()) {
            Classes::new(page)
        } else {
            Classes::default()
        }
    }

    /// The figures for several networks. Those of a large page take so much memory that each network computes its own.
    fn shared(&self, page: &Page, workspace: &mut Workspace) -> Option<Matrix> {
        let plan = self.plan.as_ref().filter(|_| self.networks.len() > 1 && page.len() <= PART)?;
        let mut matrix = std::mem::take(&mut workspace.matrix);
        Columns::new(page, plan).fill(0..page.len(), &mut matrix);
        Some(matrix)
    }
}

/// The mean of what several networks say of the same blocks.
pub fn averaged(of_networks: Vec<Output>) -> Output {
    let count = of_networks.len();
    let mut of_networks = of_networks.into_iter();
    let mut means = of_networks.next().unwrap_or_default();
    for other in of_networks {
        let pairs = means.labels.iter_mut().flatten().zip(other.labels.iter().flatten());
        pairs.for_each(|(sum, chance)| *sum += chance);
        means.fields.iter_mut().zip(&other.fields).for_each(|(sum, score)| *sum += score);
    }
    means.labels.iter_mut().flatten().for_each(|sum| *sum /= count as f64);
    means.fields.iter_mut().for_each(|sum| *sum /= count as f32);
    means
}
