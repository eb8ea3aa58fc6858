//! A small network over the blocks of a page: each block sees itself, blocks ever further away, and the page.
//!
//! It is that of `victorpy/labelers/network.py`, which explains it. Numbers differ from those of numpy by rounding only.
//! Here a row holds a figure of all blocks, so that a block at some distance is the same row read from a place nearby.
//! What is the same in all blocks of a page enters once, as a bias.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::columns::{Columns, Matrix};
use crate::deadline;
use crate::guess::{self, Added, Guess};
use crate::kernels::{self, padded, Ending, Factors, Kernel, Rows, Scale, Term, Weights, LABELS, LANES};
use crate::lexicon::{Column, Lexicon, Table, Words};
use crate::names::Classes;
use crate::npz::{Array, Arrays, Values};
use crate::page::Page;
use crate::words::Vocabulary;

/// So many blocks go through a layer at once, for their figures stay in the cache.
const TILE: usize = 96;

/// Figures are computed for so many blocks at once. Those of larger pages are computed twice, for they would take most of
/// the memory that a page takes.
pub(crate) const PART: usize = 32 * TILE;

/// A layer sees blocks at a distance of two to the power of its number.
const MOST_LAYERS: usize = 32;

/// A workspace does not keep more numbers than these, 16 MiB, for the next page.
const KEPT: usize = 1 << 22;

/// Rows of figures of a page, in the order of the features of a network.
pub enum Figures<'a> {
    /// Each row begins `stride` numbers behind the one before it.
    Given {
        values: &'a [f32],
        stride: usize,
        blocks: usize,
    },
    Computed(Box<Columns<'a>>),
}

impl Figures<'_> {
    fn blocks(&self) -> usize {
        match self {
            Self::Given { blocks, .. } => *blocks,
            Self::Computed(columns) => columns.blocks(),
        }
    }

    /// Those of a range of blocks, which may be computed into a matrix.
    fn part<'a>(&'a self, blocks: Range<usize>, matrix: &'a mut Matrix) -> Part<'a> {
        match self {
            Self::Given { values, stride, .. } => {
                Part { values: values.get(blocks.start..).unwrap_or(&[]), stride: *stride, blocks }
            }
            Self::Computed(columns) => {
                columns.fill(blocks.clone(), matrix);
                Part { values: &matrix.data, stride: matrix.stride, blocks }
            }
        }
    }
}

/// The figures of a range of blocks.
struct Part<'a> {
    values: &'a [f32],
    stride: usize,
    blocks: Range<usize>,
}

impl Part<'_> {
    fn row(&self, number: usize) -> &[f32] {
        &self.values[number * self.stride..][..self.blocks.len()]
    }

    /// Of a row those of some of the blocks.
    fn some(&self, number: usize, blocks: Range<usize>) -> &[f32] {
        &self.row(number)[blocks.start - self.blocks.start..blocks.end - self.blocks.start]
    }
}

#[derive(Clone, Debug)]
pub struct Network {
    features: Vec<Feature>,
    names: Vec<String>,
    lexicon: Lexicon,
    /// Which input is the first of those of words.
    first_of_words: usize,
    /// The weights of `enter` once more, input × output, for what is the same in all blocks.
    rows: Vec<f32>,
    enter: Dense,
    spread: Dense,
    layers: Vec<Layer>,
    /// The scores of the labels, and behind them those of the fields.
    leave: Dense,
    fields: Vec<String>,
    guess: Option<Guess>,
}

/// What a network says of the blocks of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The probability of every label (p, h, l, c, other) of each block.
    pub labels: Vec<[f64; LABELS]>,
    /// The score of every field of each block: over 0, it is likely. Empty, where no field was learned.
    pub fields: Vec<f32>,
}

/// The fields that a network may have learned, besides the labels.
pub const FIELDS: [&str; 4] = ["title", "date", "author", "comment"];

/// Which row a figure stands in, where it lies, and the pieces of its range.
#[derive(Clone, Debug)]
struct Feature {
    row: usize,
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
    /// What of it is over 0: of one row, or of a tile and the blocks beside it.
    active: Vec<f32>,
    /// The figures of a part of the page.
    pub(crate) matrix: Matrix,
    /// How much each block counts in the weighted mean of the page.
    shares: Vec<f32>,
}

/// Where the numbers of a page lie in a workspace.
#[derive(Clone, Copy)]
struct Layout {
    blocks: usize,
    /// Blocks, up to a full vector.
    padded: usize,
    stride: usize,
}

impl Layout {
    fn new(blocks: usize) -> Self {
        let padded = blocks.next_multiple_of(LANES);
        Self { blocks, padded, stride: odd_lines(padded) }
    }

    fn tiles(self) -> impl Iterator<Item = Range<usize>> {
        self.tiles_of(0..self.blocks)
    }

    /// Those of a part, which ends with a tile.
    fn tiles_of(self, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        part.step_by(TILE).map(move |begin| begin..self.padded.min(begin + TILE)).inspect(|_| deadline::check())
    }

    fn parts(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.blocks).step_by(PART).map(move |begin| begin..self.blocks.min(begin + PART))
    }
}

/// An odd number of cache lines: with a power of two, all rows would share few places of the cache.
fn odd_lines(numbers: usize) -> usize {
    (numbers.div_ceil(LANES) | 1) * LANES
}

/// A tile of blocks and those beside it, as far as a layer sees: what of their numbers is over 0.
#[derive(Clone, Copy)]
struct Window {
    margin: usize,
    stride: usize,
}

impl Window {
    fn new(margin: usize) -> Self {
        let margin = margin.next_multiple_of(LANES);
        Self { margin, stride: odd_lines(TILE + 2 * margin) }
    }

    /// Moves on to a tile. What is known of the blocks before it has changed, but not what they were when the window
    /// stood there.
    fn fill(self, kernel: Kernel, known: &[f32], layout: Layout, tile: Range<usize>, active: &mut [f32]) {
        let end = layout.blocks.min(tile.end + self.margin);
        for (known, active) in known.chunks_exact(layout.stride).zip(active.chunks_exact_mut(self.stride)) {
            if tile.start == 0 {
                active[..self.margin].fill(0.0);
            } else {
                active.copy_within(TILE..TILE + self.margin, 0);
            }
            let (seen, nothing) = active[self.margin..].split_at_mut(end - tile.start);
            kernels::rectify(kernel, &known[tile.start..end], seen);
            nothing.fill(0.0);
        }
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
    Figure { row: usize, scale: Scale },
    Piece { row: usize, scale: Scale },
    Words(Column),
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
        let row = self.push(number, Source::Figure { row: feature.row, scale: feature.scale });
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

/// The least and the greatest figure of each feature.
#[derive(Default)]
struct Ends(Vec<[f32; 2]>);

impl Ends {
    /// Those of another part as well.
    fn widen(&mut self, part: &Part, features: &[Feature], kernel: Kernel) {
        let ends = features.iter().map(|feature| kernels::bounds(kernel, part.row(feature.row)));
        if self.0.is_empty() {
            self.0 = ends.collect();
            return;
        }
        let wider = |new: f32, old: f32, order: Ordering| if new.total_cmp(&old) == order { new } else { old };
        for (old, new) in self.0.iter_mut().zip(ends) {
            *old = [wider(new[0], old[0], Ordering::Less), wider(new[1], old[1], Ordering::Greater)];
        }
    }
}

impl Network {
    /// From the arrays of its file, by their names.
    pub fn new(arrays: &Arrays) -> Result<Self, String> {
        let lists = Lists::of(arrays)?;
        let lexicon = lexicon(arrays, &lists)?;
        let shape = Shape::of(arrays, &lists, &lexicon)?;
        check_names(arrays, &shape, &lists)?;
        let layers: Result<Vec<Layer>, String> =
            (0..shape.layers).map(|number| Layer::new(arrays, number, &shape)).collect();
        let guess = Guess::new(arrays, lists.features.len(), shape.layers)?;
        guess.as_ref().map_or(Ok(()), |guess| guess::check_widths(guess, shape.wide, shape.inner))?;
        Ok(Self {
            guess,
            features: features(arrays, &lists)?,
            first_of_words: shape.inputs - lexicon.inputs(),
            lexicon,
            rows: padded_rows(singles(arrays, "enter", &[shape.inputs, shape.wide])?, shape.wide),
            enter: Dense::new(arrays, "enter", shape.inputs, shape.wide)?,
            spread: Dense::new(arrays, "spread", shape.wide, shape.wide)?,
            layers: layers?,
            leave: leave(arrays, shape.wide, lists.fields.len())?,
            fields: lists.fields,
            names: lists.features,
        })
    }

    /// The same for figures of more features, in this order; its own are among them.
    pub(crate) fn reading(mut self, features: &[String]) -> Self {
        let rows: HashMap<&String, usize> = features.iter().zip(0..).collect();
        for (feature, name) in self.features.iter_mut().zip(&self.names) {
            feature.row = rows[name];
        }
        self
    }

    /// The figures that it takes, in this order.
    pub fn features(&self) -> &[String] {
        &self.names
    }

    /// The fields that it has learned.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// The words that it knows.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// What it reads of a page.
    pub fn words(&self, page: &Page) -> Words {
        let classes = if self.lexicon.has_names() { Classes::new(page) } else { Classes::default() };
        self.lexicon.read(page, &classes)
    }

    /// What it says of each block, from figures, the blocks' lengths in characters, and what was read of the page.
    pub fn output(&self, figures: Figures, lengths: &[u32], words: &Words, workspace: &mut Workspace) -> Output {
        if figures.blocks() == 0 {
            return Output::default();
        }
        let layout = Layout::new(figures.blocks());
        workspace.prepare(self, layout, lengths);
        let added = self.enter(figures, words, layout, workspace);
        for (number, layer) in self.layers.iter().enumerate() {
            let means = self.means(layout, workspace);
            let more = added.as_ref().map(|added| added.layers[number].as_slice());
            layer.add(1 << number, &means, more, layout, workspace);
        }
        let output = self.leave(added.as_ref().map(|added| added.leave.as_slice()), layout, workspace);
        workspace.release();
        output
    }

    /// What the first layer sees, of figures and words. Behind it nobody needs the figures, so that their memory is free.
    /// Returns what the page adds to all biases, if the network guesses its scope.
    fn enter(&self, figures: Figures, words: &Words, layout: Layout, workspace: &mut Workspace) -> Option<Added> {
        let (kernel, mut matrix) = (workspace.kernel, std::mem::take(&mut workspace.matrix));
        let (mut ends, mut means) =
            (Ends::default(), vec![0.0; self.guess.as_ref().map_or(0, |guess| guess.features().len())]);
        for blocks in layout.parts() {
            let part = figures.part(blocks, &mut matrix);
            ends.widen(&part, &self.features, kernel);
            self.add_means(&part, &mut means, workspace);
        }
        let added = self.guess.as_ref().map(|guess| guess.added(&means));
        let inputs = self.inputs(&ends, words);
        let mut biases = with_added(&self.enter.biases, added.as_ref().map(|added| added.enter.as_slice()));
        kernels::add_rows(kernel, &mut biases, &self.rows, &inputs.same);
        grow(&mut workspace.seen, inputs.terms.len() * TILE);
        let is_whole = layout.blocks <= PART;
        for blocks in layout.parts() {
            let part = match &figures {
                Figures::Computed(_) if is_whole => Part { values: &matrix.data, stride: matrix.stride, blocks },
                _ => figures.part(blocks, &mut matrix),
            };
            for tile in layout.tiles_of(part.blocks.clone()) {
                self.fill_inputs(&part, words, &inputs.sources, tile.clone(), workspace);
                let Workspace { seen, hidden, known, .. } = workspace;
                let (weights, terms) = (&self.enter.weights, &inputs.terms);
                let factors = Factors { weights, biases: &biases, terms, inputs: seen };
                let made = Rows { values: hidden, begin: 0, stride: TILE };
                kernels::multiply(kernel, factors, tile.len(), made, Ending::Positive);
                let known = Rows { values: known, begin: tile.start, stride: layout.stride };
                self.spread.multiply(kernel, hidden, tile.len(), known, Ending::Stored);
            }
        }
        workspace.matrix = matrix;
        added
    }

    /// Adds what a part of the page has of the weighted means of those figures that tell its scope.
    fn add_means(&self, part: &Part, means: &mut [f64], workspace: &mut Workspace) {
        let Some(guess) = &self.guess else { return };
        let Workspace { kernel, active, shares, .. } = workspace;
        // Sums are made of full vectors; what stands behind the last block counts for nothing.
        let padded = part.blocks.len().next_multiple_of(LANES);
        let shares = &shares[part.blocks.start..][..padded];
        grow(active, padded);
        let standardized = &mut active[..padded];
        standardized.fill(0.0);
        for (feature, mean) in guess.features().zip(means) {
            let feature = &self.features[feature];
            let row = part.row(feature.row);
            kernels::standardize(*kernel, row, feature.scale, &mut standardized[..row.len()]);
            *mean += f64::from(kernels::sums(*kernel, standardized, shares).0);
        }
    }

    fn inputs(&self, ends: &Ends, words: &Words) -> Inputs {
        let mut inputs = Inputs::default();
        for ((number, feature), &ends) in self.features.iter().enumerate().zip(&ends.0) {
            inputs.add(number, feature, ends);
        }
        inputs.same.extend(self.lexicon.same(words).map(|(input, said)| (self.first_of_words + input, said)));
        for (input, column) in self.lexicon.columns(words) {
            inputs.push(self.first_of_words + input, Source::Words(column));
        }
        inputs
    }

    /// Fills the rows of inputs for a tile of blocks. What stands behind the last block counts for nothing.
    fn fill_inputs(
        &self,
        figures: &Part,
        words: &Words,
        sources: &[Source],
        tile: Range<usize>,
        workspace: &mut Workspace,
    ) {
        let kernel = workspace.kernel;
        let blocks = tile.start..tile.end.min(figures.blocks.end);
        for (place, source) in sources.iter().enumerate() {
            let (before, rest) = workspace.seen.split_at_mut(place * TILE);
            let row = &mut rest[..TILE];
            match *source {
                Source::Figure { row: of, scale } => {
                    kernels::standardize(kernel, figures.some(of, blocks.clone()), scale, row);
                }
                Source::Piece { row: of, scale } => kernels::place(kernel, &before[of * TILE..][..TILE], scale, row),
                Source::Words(column) => self.lexicon.fill(words, column, blocks.clone(), row, kernel),
            }
        }
    }

    /// The means of what of the known numbers is over 0: first the weighted ones, then the plain.
    fn means(&self, layout: Layout, workspace: &mut Workspace) -> Vec<f32> {
        let Workspace { known, active, shares, kernel, .. } = workspace;
        grow(active, layout.padded);
        let active = &mut active[..layout.padded];
        let of_row = |known: &[f32]| {
            kernels::rectify(*kernel, known, active);
            active[layout.blocks..].fill(0.0);
            kernels::sums(*kernel, active, shares)
        };
        let all: Vec<(f32, f32)> = known.chunks_exact(layout.stride).take(self.wide()).map(of_row).collect();
        let each = 1.0 / layout.blocks as f32;
        all.iter().map(|(weighted, _)| *weighted).chain(all.iter().map(|(_, plain)| plain * each)).collect()
    }

    fn wide(&self) -> usize {
        self.spread.weights.inputs()
    }

    fn leave(&self, added: Option<&[f32]>, layout: Layout, workspace: &mut Workspace) -> Output {
        let biases = with_added(&self.leave.biases, added);
        let Workspace { known, active, hidden, kernel, .. } = workspace;
        let (kernel, window) = (*kernel, Window::new(0));
        let terms: Vec<Term> = (0..self.wide()).map(|input| Term { begin: input * window.stride, input }).collect();
        let mut chances = vec![[0.0; LABELS]; layout.blocks];
        let mut fields = Vec::with_capacity(layout.blocks * self.fields.len());
        grow(active, self.spread.outputs() * window.stride);
        for (tile, chances) in layout.tiles().zip(chances.chunks_mut(TILE)) {
            window.fill(kernel, known, layout, tile.clone(), active);
            let factors = Factors { weights: &self.leave.weights, biases: &biases, terms: &terms, inputs: active };
            let scores = Rows { values: hidden, begin: 0, stride: TILE };
            kernels::multiply(kernel, factors, tile.len(), scores, Ending::Stored);
            kernels::softmax(kernel, hidden, TILE, chances);
            for block in 0..chances.len() {
                fields.extend((0..self.fields.len()).map(|field| hidden[(LABELS + field) * TILE + block]));
            }
        }
        Output { labels: chances, fields }
    }
}

impl Workspace {
    pub fn new(kernel: Kernel) -> Self {
        let [seen, hidden, known, active, shares] = [(); 5].map(|()| Vec::new());
        Self { kernel, seen, hidden, known, active, matrix: Matrix::default(), shares }
    }

    fn prepare(&mut self, network: &Network, layout: Layout, lengths: &[u32]) {
        assert_eq!(lengths.len(), layout.blocks, "each block has a length");
        let rows = network.spread.outputs();
        let made = network.layers.iter().map(|layer| layer.around.outputs()).max().unwrap_or(0);
        grow(&mut self.hidden, rows.max(made).max(network.leave.outputs()) * TILE);
        // What a larger page has left behind would be other rows.
        self.known.truncate(rows * layout.stride);
        grow(&mut self.known, rows * layout.stride);
        self.shares.clear();
        self.shares.extend(shares(lengths));
        self.shares.resize(layout.padded, 0.0);
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

/// What the numbers are does not matter; they are new memory where there are too few, which is taken when it is used.
fn grow(numbers: &mut Vec<f32>, length: usize) {
    if numbers.capacity() < length {
        *numbers = vec![0.0; length];
    } else if numbers.len() < length {
        numbers.resize(length, 0.0);
    }
}

/// Biases with what a page adds to the first of them.
fn with_added(biases: &[f32], added: Option<&[f32]>) -> Vec<f32> {
    let mut sums = biases.to_vec();
    sums.iter_mut().zip(added.unwrap_or(&[])).for_each(|(sum, added)| *sum += added);
    sums
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
    fn add(&self, distance: usize, means: &[f32], added: Option<&[f32]>, layout: Layout, workspace: &mut Workspace) {
        let Workspace { kernel, hidden, known, active, .. } = workspace;
        let has_any = distance < layout.blocks;
        let window = Window::new(if has_any { distance } else { 0 });
        let mut biases = with_added(&self.around.biases, added);
        let of_page: Vec<(usize, f32)> = means.iter().copied().enumerate().collect();
        kernels::add_rows(*kernel, &mut biases, &self.page, &of_page);
        let terms = neighbours(means.len() / 2, has_any.then_some(distance), window);
        grow(active, self.back.outputs() * window.stride);
        for tile in layout.tiles() {
            window.fill(*kernel, known, layout, tile.clone(), active);
            let factors = Factors { weights: &self.around.weights, biases: &biases, terms: &terms, inputs: active };
            let made = Rows { values: hidden, begin: 0, stride: TILE };
            kernels::multiply(*kernel, factors, tile.len(), made, Ending::Positive);
            let known = Rows { values: known, begin: tile.start, stride: layout.stride };
            self.back.multiply(*kernel, hidden, tile.len(), known, Ending::Added);
        }
    }
}

/// Where to read what is known of each block, of the block before it at some distance, and of that behind.
fn neighbours(wide: usize, distance: Option<usize>, window: Window) -> Vec<Term> {
    let of_row = |row: usize| {
        let begin = row * window.stride + window.margin;
        let own = Term { begin, input: wide + row };
        let others = distance.map(|distance| {
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

// From arrays to a network

/// The names of the figures that a network takes, the figure that each piece is of, and the words that it knows.
struct Lists {
    features: Vec<String>,
    pieces: Vec<String>,
    words: Vec<String>,
    text_words: Vec<String>,
    fields: Vec<String>,
}

impl Lists {
    fn of(arrays: &Arrays) -> Result<Self, String> {
        Ok(Self {
            features: texts(arrays, "features")?.ok_or("no array 'features'")?,
            pieces: texts(arrays, "pieces")?.unwrap_or_default(),
            words: texts(arrays, "words")?.unwrap_or_default(),
            text_words: texts(arrays, "text-words")?.unwrap_or_default(),
            fields: fields(arrays)?,
        })
    }
}

/// How many there are of all that a network has.
struct Shape {
    inputs: usize,
    wide: usize,
    layers: usize,
    inner: usize,
}

impl Shape {
    fn of(arrays: &Arrays, lists: &Lists, lexicon: &Lexicon) -> Result<Self, String> {
        let layers = (0..=MOST_LAYERS).take_while(|number| arrays.contains_key(&format!("{number}-around"))).count();
        if layers > MOST_LAYERS {
            return Err(format!("more than {MOST_LAYERS} layers"));
        }
        let inner = if layers == 0 { 1 } else { length(arrays, "0-bias", 0)? };
        let inputs = lists.features.len() + lists.pieces.len() + lexicon.inputs();
        Ok(Self { inputs, wide: length(arrays, "enter", 1)?, layers, inner })
    }
}

fn check_names(arrays: &Arrays, shape: &Shape, lists: &Lists) -> Result<(), String> {
    let mut known: HashSet<String> =
        ["features", "means", "scales", "enter", "enter-bias", "spread", "spread-bias", "leave", "leave-bias"]
            .map(String::from)
            .into();
    if !lists.pieces.is_empty() {
        known.extend(["pieces", "piece-middles", "piece-scales"].map(String::from));
    }
    if !lists.words.is_empty() {
        known.extend(["words", "near", "whole"].map(String::from));
    }
    if !lists.text_words.is_empty() {
        known.extend(["text-words", "short"].map(String::from));
    }
    if !lists.fields.is_empty() {
        known.extend(["fields", "field", "field-bias"].map(String::from));
    }
    if arrays.contains_key(guess::ARRAYS[0]) {
        known.extend(guess::ARRAYS.map(String::from));
        known.extend(["scope", "leave-scope"].map(String::from));
        known.extend((0..shape.layers).map(|number| format!("{number}-scope")));
    }
    for number in 0..shape.layers {
        known.extend(["around", "page", "bias", "back", "back-bias"].map(|name| format!("{number}-{name}")));
    }
    match arrays.keys().filter(|name| !known.contains(*name)).min() {
        Some(name) => Err(format!("'{name}': a network has no such array")),
        None => Ok(()),
    }
}

/// Different ones, of those that there are.
fn fields(arrays: &Arrays) -> Result<Vec<String>, String> {
    let fields = texts(arrays, "fields")?.unwrap_or_default();
    let places: Vec<usize> = fields.iter().filter_map(|name| FIELDS.iter().position(|field| field == name)).collect();
    if places.len() < fields.len() || places.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(format!("'fields': expected some of {}, in this order", FIELDS.join(", ")));
    }
    Ok(fields)
}

/// The output for labels and fields, which cost no more than labels alone.
fn leave(arrays: &Arrays, wide: usize, fields: usize) -> Result<Dense, String> {
    if fields == 0 {
        return Dense::new(arrays, "leave", wide, LABELS);
    }
    let labels = singles(arrays, "leave", &[wide, LABELS])?.chunks_exact(LABELS);
    let rows = labels.zip(singles(arrays, "field", &[wide, fields])?.chunks_exact(fields));
    let joined: Vec<f32> = rows.flat_map(|(of_labels, of_fields)| [of_labels, of_fields].concat()).collect();
    let biases = [singles(arrays, "leave-bias", &[LABELS])?, singles(arrays, "field-bias", &[fields])?].concat();
    Ok(Dense { weights: Weights::new(&joined, LABELS + fields), biases: padded(&biases) })
}

fn lexicon(arrays: &Arrays, lists: &Lists) -> Result<Lexicon, String> {
    let table = |name: &str, words: &[String], like: &str| {
        if words.is_empty() {
            return Ok(Table::default());
        }
        let numbers = length(arrays, like, 1)?;
        singles(arrays, name, &[words.len(), numbers]).map(|values| Table::new(values, numbers))
    };
    Ok(Lexicon {
        names: Vocabulary::new(&lists.words),
        near: table("near", &lists.words, "near")?,
        whole: table("whole", &lists.words, "near")?,
        text: Vocabulary::new(&lists.text_words),
        short: table("short", &lists.text_words, "short")?,
    })
}

fn features(arrays: &Arrays, lists: &Lists) -> Result<Vec<Feature>, String> {
    let (names, pieces) = (&lists.features, &lists.pieces);
    let scales = scales(arrays, "means", "scales", names.len())?;
    let plain = |(row, scale)| Feature { row, scale, pieces: Vec::new() };
    let mut features: Vec<Feature> = scales.into_iter().enumerate().map(plain).collect();
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
