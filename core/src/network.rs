//! A small network over the blocks of a page: each block sees itself, blocks ever further away, and the page.
//!
//! It is that of `victorpy/labelers/network.py`, which explains it. Numbers differ from those of numpy by rounding only.
//! Here a row holds a figure of all blocks, so that a block at some distance is the same row read from a place nearby.
//! What is the same in all blocks of a page enters once, as a bias.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::kernels::{self, padded, Ending, Factors, Kernel, Rows, Scale, Term, Weights, LABELS, LANES};
use crate::npz::{Array, Arrays, Values};
use crate::words::{ShortWords, Vocabulary};

/// So many blocks go through a layer at once, for their figures stay in the cache.
const TILE: usize = 96;

/// A layer sees blocks at a distance of two to the power of its number.
const MOST_LAYERS: usize = 32;

/// A workspace does not keep more numbers than these, 16 MiB, for the next page.
const KEPT: usize = 1 << 22;

/// Rows of figures, in the order of the features of a network; each begins `stride` numbers behind the one before it.
#[derive(Clone, Copy, Debug)]
pub struct Figures<'a> {
    pub values: &'a [f32],
    pub stride: usize,
    pub blocks: usize,
}

impl<'a> Figures<'a> {
    fn row(&self, number: usize) -> &'a [f32] {
        &self.values[number * self.stride..][..self.blocks]
    }
}

#[derive(Clone, Debug)]
pub struct Network {
    features: Vec<Feature>,
    names: Vec<String>,
    vocabulary: Vocabulary,
    /// What each known word says: word × number.
    short: Vec<f32>,
    numbers: usize,
    /// Which input is the first of theirs.
    first_of_words: usize,
    /// The weights of `enter` once more, input × output, for what is the same in all blocks.
    rows: Vec<f32>,
    enter: Dense,
    spread: Dense,
    layers: Vec<Layer>,
    leave: Dense,
}

/// Where a figure lies, and the pieces of its range.
#[derive(Clone, Debug)]
struct Feature {
    scale: Scale,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    input: usize,
    scale: Scale,
}

/// Each output is a bias and a weighted sum of all inputs.
#[derive(Clone, Debug)]
struct Dense {
    weights: Weights,
    biases: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Layer {
    /// Of the block before at some distance, of the block, and of that behind.
    around: Dense,
    /// Of the two means of the page.
    page: Vec<f32>,
    back: Dense,
}

/// What networks need while they look at a page; it grows, and is best kept for the next.
#[derive(Clone, Debug)]
pub struct Workspace {
    kernel: Kernel,
    /// What enters, of a tile of blocks.
    seen: Vec<f32>,
    /// What a layer makes of a tile; of the last one the scores.
    hidden: Vec<f32>,
    /// Of all blocks, a row for each number that the layers hand on.
    known: Vec<f32>,
    /// What of it is over 0, with blocks of nothing before the page and behind it.
    active: Vec<f32>,
    /// How much each block counts in the weighted mean of the page.
    shares: Vec<f32>,
}

/// Where the numbers of a page lie in a workspace.
#[derive(Clone, Copy)]
struct Layout {
    blocks: usize,
    /// Blocks, up to a full vector.
    padded: usize,
    /// So many blocks of nothing stand before the page and behind it.
    margin: usize,
    stride: usize,
}

impl Layout {
    fn new(blocks: usize, layers: usize) -> Self {
        let distances = (0..layers).map(|number| 1 << number);
        let farthest = distances.filter(|distance| *distance < blocks).max().unwrap_or(0);
        let (padded, margin) = (blocks.next_multiple_of(LANES), usize::next_multiple_of(farthest, LANES));
        // An odd number of cache lines: with a power of two, all rows would share few places of the cache.
        let lines = ((padded + 2 * margin) / LANES) | 1;
        Self { blocks, padded, margin, stride: lines * LANES }
    }

    fn tiles(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.padded).step_by(TILE).map(move |begin| begin..self.padded.min(begin + TILE))
    }
}

/// What enters of a page: what is the same in all blocks, and for the rest a row of inputs each.
#[derive(Default)]
struct Inputs {
    same: Vec<(usize, f32)>,
    sources: Vec<Source>,
    terms: Vec<Term>,
}

/// Where a row of inputs comes from.
#[derive(Clone, Copy)]
enum Source {
    Figure { number: usize, scale: Scale },
    Piece { row: usize, scale: Scale },
    Words { column: usize },
}

impl Inputs {
    /// The row that holds an input from now on.
    fn push(&mut self, input: usize, source: Source) -> usize {
        let row = self.terms.len();
        self.terms.push(Term { begin: row * TILE, input });
        self.sources.push(source);
        row
    }

    /// A figure and its pieces, of which the least and the greatest are these.
    fn add(&mut self, number: usize, feature: &Feature, ends: [f32; 2]) {
        let ends = ends.map(|end| feature.scale.standardized(end));
        if ends[0] == ends[1] {
            self.same.push((number, ends[0]));
            self.same.extend(feature.pieces.iter().map(|piece| (piece.input, piece.scale.place(ends[0]))));
            return;
        }
        let row = self.push(number, Source::Figure { number, scale: feature.scale });
        for Piece { input, scale } in &feature.pieces {
            let places = ends.map(|end| scale.place(end));
            if places[0] == places[1] {
                self.same.push((*input, places[0]));
            } else {
                self.push(*input, Source::Piece { row, scale: *scale });
            }
        }
    }
}

impl Network {
    /// From the arrays of its file, by their names.
    pub fn new(arrays: &Arrays) -> Result<Self, String> {
        let names = texts(arrays, "features")?.ok_or("no array 'features'")?;
        let pieces = texts(arrays, "pieces")?.unwrap_or_default();
        let words = texts(arrays, "text-words")?.unwrap_or_default();
        let shape = Shape::of(arrays, &names, &pieces, &words)?;
        check_names(arrays, &shape, &pieces, &words)?;
        let layers: Result<Vec<Layer>, String> =
            (0..shape.layers).map(|number| Layer::new(arrays, number, &shape)).collect();
        Ok(Self {
            features: features(arrays, &names, &pieces)?,
            vocabulary: Vocabulary::new(&words),
            short: match words.len() {
                0 => Vec::new(),
                known => singles(arrays, "short", &[known, shape.numbers])?.to_vec(),
            },
            numbers: shape.numbers,
            first_of_words: shape.inputs - shape.numbers,
            rows: padded_rows(singles(arrays, "enter", &[shape.inputs, shape.wide])?, shape.wide),
            enter: Dense::new(arrays, "enter", shape.inputs, shape.wide)?,
            spread: Dense::new(arrays, "spread", shape.wide, shape.wide)?,
            layers: layers?,
            leave: Dense::new(arrays, "leave", shape.wide, LABELS)?,
            names,
        })
    }

    /// The figures that it takes, in this order.
    pub fn features(&self) -> &[String] {
        &self.names
    }

    /// The words of text that it knows.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The probability of every label (p, h, l, c, other) of each block, from figures, the blocks' lengths in
    /// characters, and the known words of those that are short.
    pub fn marginals(
        &self,
        figures: &Figures,
        lengths: &[u32],
        words: &ShortWords,
        workspace: &mut Workspace,
    ) -> Vec<[f64; LABELS]> {
        let mut chances = vec![[0.0; LABELS]; figures.blocks];
        if figures.blocks == 0 {
            return chances;
        }
        let layout = Layout::new(figures.blocks, self.layers.len());
        workspace.prepare(self, layout, lengths);
        self.enter(figures, words, layout, workspace);
        for (number, layer) in self.layers.iter().enumerate() {
            let means = self.activate(layout, workspace);
            layer.add(1 << number, &means, layout, workspace);
        }
        self.activate(layout, workspace);
        self.leave(layout, workspace, &mut chances);
        workspace.release();
        chances
    }

    /// What the first layer sees, of figures and words.
    fn enter(&self, figures: &Figures, words: &ShortWords, layout: Layout, workspace: &mut Workspace) {
        let kernel = workspace.kernel;
        let inputs = self.inputs(figures, words, kernel);
        let mut biases = self.enter.biases.clone();
        kernels::add_rows(kernel, &mut biases, &self.rows, &inputs.same);
        grow(&mut workspace.seen, inputs.terms.len() * TILE);
        for tile in layout.tiles() {
            self.fill_inputs(figures, words, &inputs.sources, tile.clone(), workspace);
            let Workspace { seen, hidden, known, .. } = workspace;
            let factors = Factors { weights: &self.enter.weights, biases: &biases, terms: &inputs.terms, inputs: seen };
            let made = Rows { values: hidden, begin: 0, stride: TILE };
            kernels::multiply(kernel, factors, tile.len(), made, Ending::Positive);
            let known = Rows { values: known, begin: tile.start, stride: layout.stride };
            self.spread.multiply(kernel, hidden, tile.len(), known, Ending::Stored);
        }
    }

    fn inputs(&self, figures: &Figures, words: &ShortWords, kernel: Kernel) -> Inputs {
        let mut inputs = Inputs::default();
        for (number, feature) in self.features.iter().enumerate() {
            inputs.add(number, feature, kernels::bounds(kernel, figures.row(number)));
        }
        if !words.is_empty() {
            for column in 0..self.numbers {
                inputs.push(self.first_of_words + column, Source::Words { column });
            }
        }
        inputs
    }

    /// Fills the rows of inputs for a tile of blocks. What stands behind the last block counts for nothing.
    fn fill_inputs(
        &self,
        figures: &Figures,
        words: &ShortWords,
        sources: &[Source],
        tile: Range<usize>,
        workspace: &mut Workspace,
    ) {
        let kernel = workspace.kernel;
        let blocks = tile.start..tile.end.min(figures.blocks);
        for (place, source) in sources.iter().enumerate() {
            let (before, rest) = workspace.seen.split_at_mut(place * TILE);
            let row = &mut rest[..TILE];
            match *source {
                Source::Figure { number, scale } => {
                    kernels::standardize(kernel, &figures.row(number)[blocks.clone()], scale, row);
                }
                Source::Piece { row: of, scale } => kernels::place(kernel, &before[of * TILE..][..TILE], scale, row),
                Source::Words { column } => self.sum_words(words, column, blocks.clone(), row, kernel),
            }
        }
    }

    /// What the words of each block say together, in one of their numbers.
    fn sum_words(&self, words: &ShortWords, column: usize, blocks: Range<usize>, row: &mut [f32], kernel: Kernel) {
        for (sum, block) in row.iter_mut().zip(blocks) {
            let said = words.of(block).iter().map(|word| self.short[*word as usize * self.numbers + column]);
            *sum = said.sum();
        }
        kernels::bend(kernel, row);
    }

    /// What of the known numbers is over 0, and its means: first the weighted ones, then the plain.
    fn activate(&self, layout: Layout, workspace: &mut Workspace) -> Vec<f32> {
        let Workspace { known, active, shares, kernel, .. } = workspace;
        let rows = known.chunks_exact(layout.stride).zip(active.chunks_exact_mut(layout.stride));
        let of_row = |(known, active): (&[f32], &mut [f32])| {
            let active = &mut active[layout.margin..][..layout.padded];
            kernels::rectify(*kernel, known, active);
            active[layout.blocks..].fill(0.0);
            kernels::sums(*kernel, active, shares)
        };
        let all: Vec<(f32, f32)> = rows.take(self.wide()).map(of_row).collect();
        let each = 1.0 / layout.blocks as f32;
        all.iter().map(|(weighted, _)| *weighted).chain(all.iter().map(|(_, plain)| plain * each)).collect()
    }

    fn wide(&self) -> usize {
        self.spread.weights.inputs()
    }

    fn leave(&self, layout: Layout, workspace: &mut Workspace, chances: &mut [[f64; LABELS]]) {
        let Workspace { active, hidden, kernel, .. } = workspace;
        let terms: Vec<Term> =
            (0..self.wide()).map(|input| Term { begin: input * layout.stride + layout.margin, input }).collect();
        for (tile, chances) in layout.tiles().zip(chances.chunks_mut(TILE)) {
            let factors = self.leave.factors(&terms, &active[tile.start..]);
            let scores = Rows { values: hidden, begin: 0, stride: TILE };
            kernels::multiply(*kernel, factors, tile.len(), scores, Ending::Stored);
            kernels::softmax(*kernel, hidden, TILE, chances);
        }
    }
}

impl Workspace {
    pub fn new(kernel: Kernel) -> Self {
        let [seen, hidden, known, active, shares] = [(); 5].map(|()| Vec::new());
        Self { kernel, seen, hidden, known, active, shares }
    }

    fn prepare(&mut self, network: &Network, layout: Layout, lengths: &[u32]) {
        assert_eq!(lengths.len(), layout.blocks, "each block has a length");
        let rows = network.spread.outputs();
        let made = network.layers.iter().map(|layer| layer.around.outputs()).max().unwrap_or(0);
        grow(&mut self.hidden, rows.max(made).max(network.leave.outputs()) * TILE);
        grow(&mut self.known, rows * layout.stride);
        // What stands beside the blocks has to be 0.
        self.active.clear();
        grow(&mut self.active, rows * layout.stride);
        self.shares.clear();
        self.shares.extend(shares(lengths));
        grow(&mut self.shares, layout.padded);
    }

    /// Gives back what a huge page took.
    fn release(&mut self) {
        for numbers in [&mut self.known, &mut self.active, &mut self.shares] {
            if numbers.capacity() > KEPT {
                *numbers = Vec::new();
            }
        }
    }
}

fn grow(numbers: &mut Vec<f32>, length: usize) {
    if numbers.len() < length {
        numbers.resize(length, 0.0);
    }
}

/// How much each block counts in the weighted mean of a page: by the root of its length.
fn shares(lengths: &[u32]) -> impl Iterator<Item = f32> + '_ {
    let root = |length: &u32| (f64::from(*length) + 1.0).sqrt();
    let all: f64 = lengths.iter().map(root).sum();
    lengths.iter().map(move |length| (root(length) / all) as f32)
}

impl Layer {
    fn new(arrays: &Arrays, number: usize, shape: &Shape) -> Result<Self, String> {
        let named = |name: &str| format!("{number}-{name}");
        let Shape { wide, inner, .. } = *shape;
        let biases = padded(singles(arrays, &named("bias"), &[inner])?);
        Ok(Self {
            around: Dense {
                weights: Weights::new(singles(arrays, &named("around"), &[3, wide, inner])?, inner),
                biases,
            },
            page: padded_rows(singles(arrays, &named("page"), &[2, wide, inner])?, inner),
            back: Dense::new(arrays, &named("back"), inner, wide)?,
        })
    }

    /// Adds to what is known of the blocks what the layer makes of it.
    fn add(&self, distance: usize, means: &[f32], layout: Layout, workspace: &mut Workspace) {
        let Workspace { kernel, hidden, known, active, .. } = workspace;
        let mut biases = self.around.biases.clone();
        let of_page: Vec<(usize, f32)> = means.iter().copied().enumerate().collect();
        kernels::add_rows(*kernel, &mut biases, &self.page, &of_page);
        let terms = neighbours(means.len() / 2, distance, layout);
        for tile in layout.tiles() {
            let inputs = &active[tile.start..];
            let factors = Factors { weights: &self.around.weights, biases: &biases, terms: &terms, inputs };
            let made = Rows { values: hidden, begin: 0, stride: TILE };
            kernels::multiply(*kernel, factors, tile.len(), made, Ending::Positive);
            let known = Rows { values: known, begin: tile.start, stride: layout.stride };
            self.back.multiply(*kernel, hidden, tile.len(), known, Ending::Added);
        }
    }
}

/// Where to read what is known of each block, of the block before it at some distance, and of that behind.
fn neighbours(wide: usize, distance: usize, layout: Layout) -> Vec<Term> {
    let has_any = distance < layout.blocks;
    let of_row = |row: usize| {
        let begin = row * layout.stride + layout.margin;
        let own = Term { begin, input: wide + row };
        let others = has_any.then(|| {
            [Term { begin: begin - distance, input: row }, Term { begin: begin + distance, input: 2 * wide + row }]
        });
        std::iter::once(own).chain(others.into_iter().flatten())
    };
    (0..wide).flat_map(of_row).collect()
}

impl Dense {
    fn new(arrays: &Arrays, name: &str, inputs: usize, outputs: usize) -> Result<Self, String> {
        let weights = Weights::new(singles(arrays, name, &[inputs, outputs])?, outputs);
        let biases = padded(singles(arrays, &format!("{name}-bias"), &[outputs])?);
        Ok(Self { weights, biases })
    }

    fn outputs(&self) -> usize {
        self.weights.outputs()
    }

    fn factors<'a>(&'a self, terms: &'a [Term], inputs: &'a [f32]) -> Factors<'a> {
        Factors { weights: &self.weights, biases: &self.biases, terms, inputs }
    }

    /// Of a tile of blocks.
    fn multiply(&self, kernel: Kernel, tile: &[f32], blocks: usize, outputs: Rows, ending: Ending) {
        let terms: Vec<Term> = (0..self.weights.inputs()).map(|input| Term { begin: input * TILE, input }).collect();
        kernels::multiply(kernel, self.factors(&terms, tile), blocks, outputs, ending);
    }
}

/// The mean of what several networks say of the same blocks.
pub fn averaged(of_networks: &[Vec<[f64; LABELS]>]) -> Vec<[f64; LABELS]> {
    let Some((first, others)) = of_networks.split_first() else { return Vec::new() };
    let mut means = first.clone();
    for chances in others {
        means.iter_mut().flatten().zip(chances.iter().flatten()).for_each(|(sum, chance)| *sum += chance);
    }
    means.iter_mut().flatten().for_each(|sum| *sum /= of_networks.len() as f64);
    means
}

// From arrays to a network

/// How many there are of all that a network has.
struct Shape {
    inputs: usize,
    /// Numbers of each word.
    numbers: usize,
    wide: usize,
    layers: usize,
    inner: usize,
}

impl Shape {
    fn of(arrays: &Arrays, names: &[String], pieces: &[String], words: &[String]) -> Result<Self, String> {
        let layers = (0..=MOST_LAYERS).take_while(|number| arrays.contains_key(&format!("{number}-around"))).count();
        if layers > MOST_LAYERS {
            return Err(format!("more than {MOST_LAYERS} layers"));
        }
        let numbers = if words.is_empty() { 0 } else { length(arrays, "short", 1)? };
        let inner = if layers == 0 { 1 } else { length(arrays, "0-bias", 0)? };
        let inputs = names.len() + pieces.len() + numbers;
        Ok(Self { inputs, numbers, wide: length(arrays, "enter", 1)?, layers, inner })
    }
}

fn check_names(arrays: &Arrays, shape: &Shape, pieces: &[String], words: &[String]) -> Result<(), String> {
    let mut known: HashSet<String> =
        ["features", "means", "scales", "enter", "enter-bias", "spread", "spread-bias", "leave", "leave-bias"]
            .map(String::from)
            .into();
    if !pieces.is_empty() {
        known.extend(["pieces", "piece-middles", "piece-scales"].map(String::from));
    }
    if !words.is_empty() {
        known.extend(["text-words", "short"].map(String::from));
    }
    for number in 0..shape.layers {
        known.extend(["around", "page", "bias", "back", "back-bias"].map(|name| format!("{number}-{name}")));
    }
    match arrays.keys().filter(|name| !known.contains(*name)).min() {
        Some(name) => Err(format!("'{name}': a network has no such array")),
        None => Ok(()),
    }
}

fn features(arrays: &Arrays, names: &[String], pieces: &[String]) -> Result<Vec<Feature>, String> {
    let scales = scales(arrays, "means", "scales", names.len())?;
    let mut features: Vec<Feature> = scales.into_iter().map(|scale| Feature { scale, pieces: Vec::new() }).collect();
    if pieces.is_empty() {
        return Ok(features);
    }
    let numbers: HashMap<&String, usize> = names.iter().enumerate().map(|(number, name)| (name, number)).collect();
    let scales = self::scales(arrays, "piece-middles", "piece-scales", pieces.len())?;
    for ((number, scale), name) in scales.into_iter().enumerate().zip(pieces) {
        let feature = *numbers.get(name).ok_or_else(|| format!("'pieces': '{name}' is not one of the features"))?;
        features[feature].pieces.push(Piece { input: names.len() + number, scale });
    }
    Ok(features)
}

fn scales(arrays: &Arrays, middles: &str, times: &str, count: usize) -> Result<Vec<Scale>, String> {
    let (middles, times) = (singles(arrays, middles, &[count])?, singles(arrays, times, &[count])?);
    Ok(middles.iter().zip(times).map(|(&middle, &times)| Scale { middle, times }).collect())
}

/// Rows of a matrix, each up to as many numbers as a product has outputs.
fn padded_rows(rows: &[f32], outputs: usize) -> Vec<f32> {
    rows.chunks_exact(outputs).flat_map(padded).collect()
}

fn texts(arrays: &Arrays, name: &str) -> Result<Option<Vec<String>>, String> {
    match arrays.get(name) {
        None => Ok(None),
        Some(Array { values: Values::Texts(texts), shape }) if shape.len() == 1 => Ok(Some(texts.clone())),
        Some(_) => Err(format!("'{name}': expected a list of texts")),
    }
}

/// How long an array is along one of its sides; not 0.
fn length(arrays: &Arrays, name: &str, side: usize) -> Result<usize, String> {
    let shape = arrays.get(name).map(|array| &array.shape).ok_or_else(|| format!("no array '{name}'"))?;
    let length = shape.get(side).copied().filter(|length| *length > 0);
    length.ok_or_else(|| format!("'{name}': not of the shape {shape:?}"))
}

fn singles<'a>(arrays: &'a Arrays, name: &str, shape: &[usize]) -> Result<&'a [f32], String> {
    let array = arrays.get(name).ok_or_else(|| format!("no array '{name}'"))?;
    if array.shape != shape {
        return Err(format!("'{name}': expected the shape {shape:?}, got {:?}", array.shape));
    }
    match &array.values {
        Values::Singles(singles) if !singles.iter().all(|single| single.is_finite()) => {
            Err(format!("'{name}': not all are finite numbers"))
        }
        // The shape may have been made by hand.
        Values::Singles(singles) if singles.len() == shape.iter().product::<usize>() => Ok(singles),
        _ => Err(format!("'{name}': expected numbers of single precision, as many as the shape says")),
    }
}
