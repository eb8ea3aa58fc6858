//! The arithmetic of a network, once for each set of instructions that a CPU may have. Its `unsafe` is all that the
//! labeling needs; the only other is in `memory.rs`.
//!
//! Rows of numbers stand for features, and the numbers of a row for blocks: one vector holds as many blocks as the CPU
//! likes. All kernels give the same bits. A product adds with fused multiply-adds in the order of its terms, all other
//! loops multiply and add apart, and sums over blocks are made of 16 sums, whatever the vectors hold.

use std::array::from_fn;

use crate::numeric::{exponential, fused_all, hyperbolic_tangent, signed_logarithm};

/// Rows hold a multiple of so many numbers.
pub const LANES: usize = 16;

/// So many labels a block can have.
pub const LABELS: usize = 5;

/// The weights of so many outputs stand side by side.
const PACKED: usize = 16;

/// Sums over more blocks than these are sums of sums, because single precision forgets small addends.
const SUMMED: usize = 512;

/// A set of instructions that this CPU has: no other can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Kernel {
    /// Those of this CPU, the fastest first.
    pub fn all() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if has_avx2 && is_x86_feature_detected!("avx512f") {
                found.push(Self(Instructions::Avx512));
            }
            if has_avx2 {
                found.push(Self(Instructions::Avx2));
            }
        }
        #[cfg(target_arch = "aarch64")]
        found.push(Self(Instructions::Neon));
        found.push(Self(Instructions::Portable));
        found
    }

    pub fn best() -> Self {
        Self::all()[0]
    }

    /// The kernel of this name, if the CPU has it.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|kernel| kernel.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "neon",
            Instructions::Portable => "portable",
        }
    }
}

/// Weights (input × output) in the order in which products read them: 8 outputs of each input, then the next 8.
#[derive(Clone, Debug)]
pub struct Weights {
    packed: Vec<f32>,
    inputs: usize,
    bands: usize,
}

impl Weights {
    pub fn new(rows: &[f32], outputs: usize) -> Self {
        let (inputs, bands) = (rows.len() / outputs, outputs.div_ceil(PACKED));
        let mut packed = vec![0.0; bands * inputs * PACKED];
        for (input, row) in rows.chunks_exact(outputs).enumerate() {
            for (output, weight) in row.iter().enumerate() {
                packed[(output / PACKED * inputs + input) * PACKED + output % PACKED] = *weight;
            }
        }
        Self { packed, inputs, bands }
    }

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many outputs a product has: those that nobody asked for are their bias.
    pub fn outputs(&self) -> usize {
        self.bands * PACKED
    }
}

/// The biases of a product, as many as it has outputs.
pub fn padded(biases: &[f32]) -> Vec<f32> {
    let mut padded = biases.to_vec();
    padded.resize(biases.len().next_multiple_of(PACKED), 0.0);
    padded
}

/// Where the row of an input begins, and which input of the weights it is.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub begin: usize,
    pub input: usize,
}

/// What becomes of the sums of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Stored,
    /// What is under 0 becomes 0.
    Positive,
    /// Added to what stands there.
    Added,
}

/// Rows of outputs: where the first begins, and how far it is from each to the next.
pub struct Rows<'a> {
    pub values: &'a mut [f32],
    pub begin: usize,
    pub stride: usize,
}

/// What a product reads.
#[derive(Clone, Copy)]
pub struct Factors<'a> {
    pub weights: &'a Weights,
    pub biases: &'a [f32],
    pub terms: &'a [Term],
    pub inputs: &'a [f32],
}

/// For each output and each of so many blocks: its bias, and the sum over all terms of weight × input.
pub fn multiply(kernel: Kernel, factors: Factors, blocks: usize, outputs: Rows, ending: Ending) {
    let Factors { weights, biases, terms, inputs } = factors;
    // The kernels check nothing: all that they read and write lies between these bounds.
    assert!(blocks.is_multiple_of(LANES) && biases.len() == weights.outputs());
    assert!(terms.iter().all(|term| term.input < weights.inputs && term.begin <= inputs.len()));
    assert!(terms.iter().all(|term| blocks <= inputs.len() - term.begin));
    let Some(last) = weights.outputs().checked_sub(1) else { return };
    let end = last.checked_mul(outputs.stride).and_then(|last| last.checked_add(outputs.begin)?.checked_add(blocks));
    assert!(end.is_some_and(|end| end <= outputs.values.len()));
    let product = Product { factors, blocks, stride: outputs.stride, ending };
    let outputs = outputs.values[outputs.begin..].as_mut_ptr();
    // Safe: the bounds are checked above, and the CPU has the instructions because a kernel is made for no other.
    unsafe {
        match kernel.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => multiply_avx512(&product, outputs),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => multiply_avx2(&product, outputs),
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => multiply_all::<neon::Vector, 8, 0, 3>(&product, outputs),
            Instructions::Portable => multiply_all::<Plain, 4, 0, 1>(&product, outputs),
        }
    }
}

struct Product<'a> {
    factors: Factors<'a>,
    blocks: usize,
    stride: usize,
    ending: Ending,
}

/// Only for CPUs that have AVX-512; the bounds are those of `multiply`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn multiply_avx512(product: &Product, outputs: *mut f32) {
    multiply_all::<avx512::Vector, 8, 0, 3>(product, outputs);
}

/// Only for CPUs that have AVX2 and FMA; the bounds are those of `multiply`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn multiply_avx2(product: &Product, outputs: *mut f32) {
    multiply_all::<avx2::Vector, 6, 4, 2>(product, outputs);
}

/// Goes over the blocks by some vectors at once, and over the outputs by as many as registers can hold the sums of. What
/// is left over of 16 outputs goes by itself.
#[inline(always)]
unsafe fn multiply_all<V: Vector, const OUTPUTS: usize, const REST: usize, const VECTORS: usize>(
    product: &Product,
    outputs: *mut f32,
) {
    let mut block = 0;
    while product.blocks - block >= VECTORS * V::LANES {
        multiply_blocks::<V, OUTPUTS, REST, VECTORS>(product, block, outputs);
        block += VECTORS * V::LANES;
    }
    while product.blocks - block >= V::LANES {
        multiply_blocks::<V, OUTPUTS, REST, 1>(product, block, outputs);
        block += V::LANES;
    }
}

#[inline(always)]
unsafe fn multiply_blocks<V: Vector, const OUTPUTS: usize, const REST: usize, const VECTORS: usize>(
    product: &Product,
    block: usize,
    outputs: *mut f32,
) {
    for band in (0..product.factors.weights.outputs()).step_by(PACKED) {
        for first in (band..band + PACKED - REST).step_by(OUTPUTS) {
            multiply_some::<V, OUTPUTS, VECTORS>(product, first, block, outputs);
        }
        if REST > 0 {
            multiply_some::<V, REST, VECTORS>(product, band + PACKED - REST, block, outputs);
        }
    }
}

#[inline(always)]
unsafe fn multiply_some<V: Vector, const OUTPUTS: usize, const VECTORS: usize>(
    product: &Product,
    first: usize,
    block: usize,
    outputs: *mut f32,
) {
    let sums = sums_of_products::<V, OUTPUTS, VECTORS>(&product.factors, first, block);
    for (output, sums) in sums.into_iter().enumerate() {
        for (vector, sum) in sums.into_iter().enumerate() {
            let place = outputs.add((first + output) * product.stride + block + vector * V::LANES);
            let value = match product.ending {
                Ending::Stored => sum,
                Ending::Positive => sum.positive(),
                Ending::Added => V::load(place).plus(sum),
            };
            value.store(place);
        }
    }
}

/// The sums of some outputs for some vectors of blocks: what takes the time.
#[inline(always)]
unsafe fn sums_of_products<V: Vector, const OUTPUTS: usize, const VECTORS: usize>(
    factors: &Factors,
    first: usize,
    block: usize,
) -> [[V; VECTORS]; OUTPUTS] {
    let band = first / PACKED * factors.weights.inputs * PACKED + first % PACKED;
    let weights = factors.weights.packed.as_ptr().add(band);
    let inputs = factors.inputs.as_ptr().add(block);
    let mut sums: [[V; VECTORS]; OUTPUTS] =
        from_fn(|output| [V::all(*factors.biases.as_ptr().add(first + output)); VECTORS]);
    for term in factors.terms {
        let input = inputs.add(term.begin);
        let values: [V; VECTORS] = from_fn(|vector| V::load(input.add(vector * V::LANES)));
        let weights = weights.add(term.input * PACKED);
        for (output, sums) in sums.iter_mut().enumerate() {
            let weight = V::all(*weights.add(output));
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = weight.times_plus(value, *sum);
            }
        }
    }
    sums
}

/// Numbers of some blocks side by side.
///
/// The methods are for CPUs that have the instructions, and for places that hold as many numbers. They are inlined
/// because a vector stays in registers only within a function that is compiled for these instructions.
trait Vector: Copy {
    const LANES: usize;

    unsafe fn all(value: f32) -> Self;
    unsafe fn load(place: *const f32) -> Self;
    unsafe fn store(self, place: *mut f32);
    /// self × factor + addend, rounded once.
    unsafe fn times_plus(self, factor: Self, addend: Self) -> Self;
    unsafe fn plus(self, addend: Self) -> Self;
    unsafe fn positive(self) -> Self;
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    pub type Vector = __m512;

    impl super::Vector for Vector {
        const LANES: usize = 16;

        #[inline(always)]
        unsafe fn all(value: f32) -> Self {
            _mm512_set1_ps(value)
        }

        #[inline(always)]
        unsafe fn load(place: *const f32) -> Self {
            _mm512_loadu_ps(place)
        }

        #[inline(always)]
        unsafe fn store(self, place: *mut f32) {
            _mm512_storeu_ps(place, self);
        }

        #[inline(always)]
        unsafe fn times_plus(self, factor: Self, addend: Self) -> Self {
            _mm512_fmadd_ps(self, factor, addend)
        }

        #[inline(always)]
        unsafe fn plus(self, addend: Self) -> Self {
            _mm512_add_ps(self, addend)
        }

        #[inline(always)]
        unsafe fn positive(self) -> Self {
            _mm512_max_ps(self, _mm512_setzero_ps())
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    pub type Vector = __m256;

    impl super::Vector for Vector {
        const LANES: usize = 8;

        #[inline(always)]
        unsafe fn all(value: f32) -> Self {
            _mm256_set1_ps(value)
        }

        #[inline(always)]
        unsafe fn load(place: *const f32) -> Self {
            _mm256_loadu_ps(place)
        }

        #[inline(always)]
        unsafe fn store(self, place: *mut f32) {
            _mm256_storeu_ps(place, self);
        }

        #[inline(always)]
        unsafe fn times_plus(self, factor: Self, addend: Self) -> Self {
            _mm256_fmadd_ps(self, factor, addend)
        }

        #[inline(always)]
        unsafe fn plus(self, addend: Self) -> Self {
            _mm256_add_ps(self, addend)
        }

        #[inline(always)]
        unsafe fn positive(self) -> Self {
            _mm256_max_ps(self, _mm256_setzero_ps())
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;

    pub type Vector = float32x4_t;

    impl super::Vector for Vector {
        const LANES: usize = 4;

        #[inline(always)]
        unsafe fn all(value: f32) -> Self {
            vdupq_n_f32(value)
        }

        #[inline(always)]
        unsafe fn load(place: *const f32) -> Self {
            vld1q_f32(place)
        }

        #[inline(always)]
        unsafe fn store(self, place: *mut f32) {
            vst1q_f32(place, self);
        }

        #[inline(always)]
        unsafe fn times_plus(self, factor: Self, addend: Self) -> Self {
            vfmaq_f32(addend, self, factor)
        }

        #[inline(always)]
        unsafe fn plus(self, addend: Self) -> Self {
            vaddq_f32(self, addend)
        }

        #[inline(always)]
        unsafe fn positive(self) -> Self {
            // Not vmaxq_f32: 0 takes the place of what is no number, as it does on x86.
            vbslq_f32(vcgtq_f32(self, vdupq_n_f32(0.0)), self, vdupq_n_f32(0.0))
        }
    }
}

/// For all other CPUs.
#[derive(Clone, Copy)]
struct Plain([f32; 4]);

impl Vector for Plain {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn all(value: f32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    unsafe fn load(place: *const f32) -> Self {
        // Safe: the caller promises four numbers there; arrays of numbers ask for no other alignment than numbers.
        Self(*place.cast())
    }

    #[inline(always)]
    unsafe fn store(self, place: *mut f32) {
        // Safe as `load` is.
        *place.cast() = self.0;
    }

    #[inline(always)]
    unsafe fn times_plus(self, factor: Self, addend: Self) -> Self {
        Self(fused_all(self.0, factor.0, addend.0))
    }

    #[inline(always)]
    unsafe fn plus(self, addend: Self) -> Self {
        Self(from_fn(|lane| self.0[lane] + addend.0[lane]))
    }

    #[inline(always)]
    unsafe fn positive(self) -> Self {
        Self(self.0.map(positive))
    }
}

/// The sum of numbers, weighted and plain.
pub fn sums(kernel: Kernel, values: &[f32], weights: &[f32]) -> (f32, f32) {
    let (mut weighted, mut plain) = (0.0, 0.0);
    for (values, weights) in values.chunks(SUMMED).zip(weights.chunks(SUMMED)) {
        let [of_weighted, of_plain] = sums_of_some(kernel, values, weights).map(together);
        weighted += f64::from(of_weighted);
        plain += f64::from(of_plain);
    }
    (weighted as f32, plain as f32)
}

/// Weighted and plain, the sums of every 16th number from each of the first 16.
fn sums_of_some(kernel: Kernel, values: &[f32], weights: &[f32]) -> [[f32; LANES]; 2] {
    // Safe: the CPU has the instructions, because a kernel is made for no other.
    unsafe {
        match kernel.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => sums_avx512(values, weights),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => sums_avx2(values, weights),
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => sums_of_lanes::<neon::Vector, 4>(values, weights),
            Instructions::Portable => sums_of_lanes::<Plain, 4>(values, weights),
        }
    }
}

/// Only for CPUs that have AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn sums_avx512(values: &[f32], weights: &[f32]) -> [[f32; LANES]; 2] {
    sums_of_lanes::<avx512::Vector, 1>(values, weights)
}

/// Only for CPUs that have AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn sums_avx2(values: &[f32], weights: &[f32]) -> [[f32; LANES]; 2] {
    sums_of_lanes::<avx2::Vector, 2>(values, weights)
}

/// Only for CPUs that have these vectors, of which so many hold 16 numbers.
#[inline(always)]
unsafe fn sums_of_lanes<V: Vector, const VECTORS: usize>(values: &[f32], weights: &[f32]) -> [[f32; LANES]; 2] {
    const { assert!(VECTORS * V::LANES == LANES) };
    let (mut weighted, mut plain) = ([V::all(0.0); VECTORS], [V::all(0.0); VECTORS]);
    // All reads lie within the chunks, which hold 16 numbers each.
    for (values, weights) in values.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for vector in 0..VECTORS {
            let value = V::load(values.as_ptr().add(vector * V::LANES));
            let weight = V::load(weights.as_ptr().add(vector * V::LANES));
            weighted[vector] = value.times_plus(weight, weighted[vector]);
            plain[vector] = value.plus(plain[vector]);
        }
    }
    let mut lanes = [[0.0_f32; LANES]; 2];
    for vector in 0..VECTORS {
        weighted[vector].store(lanes[0].as_mut_ptr().add(vector * V::LANES));
        plain[vector].store(lanes[1].as_mut_ptr().add(vector * V::LANES));
    }
    lanes
}

/// Always in the same order.
fn together(sums: [f32; LANES]) -> f32 {
    let eight: [f32; 8] = from_fn(|lane| sums[lane] + sums[lane + 8]);
    let four: [f32; 4] = from_fn(|lane| eight[lane] + eight[lane + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// Compiles a function once for each kernel: from plain loops the compiler makes its vectors.
///
/// A macro, because a function cannot be generic over the instructions that it is compiled for.
macro_rules! for_each_kernel {
    ($(#[$note:meta])* $name:ident = $loops:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?) => {
        $(#[$note])*
        pub fn $name(kernel: Kernel, $($argument: $kind),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn on_avx512($($argument: $kind),*) $(-> $result)? {
                $loops($($argument),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn on_avx2($($argument: $kind),*) $(-> $result)? {
                $loops($($argument),*)
            }
            match kernel.0 {
                // Safe: the CPU has the instructions, because a kernel is made for no other.
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => unsafe { on_avx512($($argument),*) },
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => unsafe { on_avx2($($argument),*) },
                // NEON needs no leave: all CPUs of its kind have it.
                _ => $loops($($argument),*),
            }
        }
    };
}

for_each_kernel! {
    /// The least and the greatest number of a row.
    bounds = bounds_of(values: &[f32]) -> [f32; 2]
}

for_each_kernel! {
    /// On a scale where all figures are alike: logarithms, in deviations from the mean.
    standardize = standardize_all(figures: &[f32], scale: Scale, standardized: &mut [f32])
}

for_each_kernel! {
    /// Where in a piece of its range each standardized figure stands.
    place = place_all(standardized: &[f32], piece: Scale, places: &mut [f32])
}

for_each_kernel! {
    /// Adds rows of a matrix to sums, each times its value.
    add_rows = add_all_rows(sums: &mut [f32], matrix: &[f32], rows: &[(usize, f32)])
}

for_each_kernel! {
    /// Of each number its hyperbolic tangent.
    bend = bend_all(values: &mut [f32])
}

for_each_kernel! {
    /// Of each number what it is over 0.
    rectify = rectify_all(known: &[f32], active: &mut [f32])
}

for_each_kernel! {
    /// From scores (label × block, in rows of so many) the probability of every label.
    softmax = softmax_all(scores: &[f32], stride: usize, chances: &mut [[f64; LABELS]])
}

/// Where figures lie: what counts as 0 and, times a number, as how much.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    pub middle: f32,
    pub times: f32,
}

/// Farther from the mean than this many deviations, figures are all the same.
const FARTHEST: f32 = 4.0;
/// Where a figure stands in a piece of its range: from the lower end to the upper.
const LOWER_END: f32 = -0.5;
const UPPER_END: f32 = 0.5;

impl Scale {
    #[inline(always)]
    pub fn standardized(self, figure: f32) -> f32 {
        between((signed_logarithm(figure) - self.middle) * self.times, -FARTHEST, FARTHEST)
    }

    #[inline(always)]
    pub fn place(self, standardized: f32) -> f32 {
        between((standardized - self.middle) * self.times, LOWER_END, UPPER_END)
    }
}

/// As `f32::clamp`, but the upper end for what is no number: one instruction less, and the same on all CPUs.
#[inline(always)]
fn between(value: f32, lower: f32, upper: f32) -> f32 {
    let value = if value < upper { value } else { upper };
    if value > lower {
        value
    } else {
        lower
    }
}

#[inline(always)]
fn positive(value: f32) -> f32 {
    if value > 0.0 {
        value
    } else {
        0.0
    }
}

#[inline(always)]
fn bounds_of(values: &[f32]) -> [f32; 2] {
    // As whole numbers of the same order, of which compilers make vectors; with what is no number at the ends.
    let ordered = |bits: i32| bits ^ ((bits >> 31) & i32::MAX);
    let (mut least, mut greatest) = (i32::MAX, i32::MIN);
    for value in values {
        let value = ordered(value.to_bits() as i32);
        least = least.min(value);
        greatest = greatest.max(value);
    }
    [least, greatest].map(|end| f32::from_bits(ordered(end) as u32))
}

#[inline(always)]
fn standardize_all(figures: &[f32], scale: Scale, standardized: &mut [f32]) {
    for (standardized, &figure) in standardized.iter_mut().zip(figures) {
        *standardized = scale.standardized(figure);
    }
}

#[inline(always)]
fn place_all(standardized: &[f32], piece: Scale, places: &mut [f32]) {
    for (place, &standardized) in places.iter_mut().zip(standardized) {
        *place = piece.place(standardized);
    }
}

#[inline(always)]
fn add_all_rows(sums: &mut [f32], matrix: &[f32], rows: &[(usize, f32)]) {
    let width = sums.len();
    for &(row, value) in rows {
        for (sum, &weight) in sums.iter_mut().zip(&matrix[row * width..(row + 1) * width]) {
            *sum += weight * value;
        }
    }
}

#[inline(always)]
fn bend_all(values: &mut [f32]) {
    for value in values {
        *value = hyperbolic_tangent(*value);
    }
}

#[inline(always)]
fn rectify_all(known: &[f32], active: &mut [f32]) {
    for (active, &known) in active.iter_mut().zip(known) {
        *active = positive(known);
    }
}

#[inline(always)]
fn softmax_all(scores: &[f32], stride: usize, chances: &mut [[f64; LABELS]]) {
    for (chunk, chances) in chances.chunks_mut(LANES).enumerate() {
        let scores: [[f64; LANES]; LABELS] =
            from_fn(|label| from_fn(|lane| f64::from(scores[label * stride + chunk * LANES + lane])));
        for (block, chances) in chances.iter_mut().zip(softmax_of(scores)) {
            *block = chances;
        }
    }
}

#[inline(always)]
fn softmax_of(scores: [[f64; LANES]; LABELS]) -> [[f64; LABELS]; LANES] {
    let mut greatest = scores[0];
    for scores in &scores[1..] {
        for lane in 0..LANES {
            greatest[lane] = if scores[lane] > greatest[lane] { scores[lane] } else { greatest[lane] };
        }
    }
    let mut sums = [0.0; LANES];
    let mut powers = scores;
    for powers in &mut powers {
        for lane in 0..LANES {
            powers[lane] = exponential(powers[lane] - greatest[lane]);
            sums[lane] += powers[lane];
        }
    }
    from_fn(|lane| from_fn(|label| powers[label][lane] / sums[lane]))
}
