//! Functions that give the same bits on all platforms, which those of the standard library do not promise, and that
//! compilers turn into vectors: no branches, and no multiply-adds but the one that is asked for.

use std::array::from_fn;
use std::f64::consts::{LOG2_E, SQRT_2};

/// a × b + c, each rounded once, where the CPU may have no instruction for it: what std calls then takes ten times as long.
///
/// In double precision the product is exact, and so is the result but for two roundings after one another. These may
/// matter where the first one leaves a half, and for results that are almost 0.
#[inline(always)]
pub fn fused_all<const COUNT: usize>(a: [f32; COUNT], b: [f32; COUNT], c: [f32; COUNT]) -> [f32; COUNT] {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        return from_fn(|place| a[place].mul_add(b[place], c[place]));
    }
    /// Of the bits that rounding to single precision drops.
    const DROPPED: u32 = 0x1fff_ffff;
    const HALF: u32 = 0x1000_0000;
    let sums: [f64; COUNT] = from_fn(|place| f64::from(a[place]) * f64::from(b[place]) + f64::from(c[place]));
    let rounded = sums.map(|sum| sum as f32);
    let is_half = sums.map(|sum| sum.to_bits() as u32 & DROPPED == HALF);
    let is_tiny = rounded.map(|value| value.abs() <= f32::MIN_POSITIVE);
    let is_doubtful = is_half.into_iter().zip(is_tiny).fold(false, |any, (half, tiny)| any | half | tiny);
    if is_doubtful {
        return fused_slowly(a, b, c);
    }
    rounded
}

#[cold]
#[inline(never)]
fn fused_slowly<const COUNT: usize>(a: [f32; COUNT], b: [f32; COUNT], c: [f32; COUNT]) -> [f32; COUNT] {
    from_fn(|place| fused_to_odd(a[place], b[place], c[place]))
}

/// The sum is rounded to odd (Boldo and Melquiond 2008): where it is not exact, its last bit is set, and so rounding it
/// again cannot take an almost half for a half.
fn fused_to_odd(a: f32, b: f32, c: f32) -> f32 {
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    let of_addend = sum - product;
    let rest = (product - (sum - of_addend)) + (addend - of_addend);
    let is_inexact = rest.abs() > 0.0;
    let is_even = sum.to_bits() & 1 == 0;
    if !is_inexact || !is_even {
        return sum as f32;
    }
    let is_farther = (rest > 0.0) == (sum > 0.0);
    f64::from_bits(if is_farther { sum.to_bits() + 1 } else { sum.to_bits() - 1 }) as f32
}

/// The logarithm of one more than a number is, whatever its sign, which it keeps (after logf of Moshier's Cephes).
#[inline(always)]
pub fn signed_logarithm(number: f32) -> f32 {
    const ROOT_OF_HALF: u32 = 0x3f35_04f3;
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    let more = 1.0 + number.abs();
    // Also for what is no number.
    let more = if more < f32::MAX { more } else { f32::MAX };
    // As a power of two times a number between the root of a half and that of two.
    let exponent = more.to_bits().wrapping_sub(ROOT_OF_HALF) as i32 >> 23;
    let rest = f32::from_bits(more.to_bits().wrapping_sub((exponent << 23) as u32)) - 1.0;
    let (exponent, square) = (exponent as f32, rest * rest);
    // Even powers and odd ones apart: the two sums are made side by side.
    let mut even = 7.037_683_6e-2;
    even = even * square + 1.167_699_9e-1;
    even = even * square + 1.424_932_3e-1;
    even = even * square + 2.000_071_5e-1;
    even = even * square + 3.333_333e-1;
    let mut odd = -1.151_461e-1;
    odd = odd * square - 1.242_014_1e-1;
    odd = odd * square - 1.666_805_8e-1;
    odd = odd * square - 2.499_999_4e-1;
    let sum = odd * rest + even;
    let small = sum * rest * square + exponent * LN_2[1] - 0.5 * square;
    (rest + small + exponent * LN_2[0]).copysign(number)
}

/// A quotient of polynomials (that of the library Eigen), right to some units in the last place.
#[inline(always)]
pub fn hyperbolic_tangent(number: f32) -> f32 {
    /// From here on it is 1.
    const END: f32 = 7.905_311;
    let number = if number < END { number } else { END };
    let number = if number > -END { number } else { -END };
    let square = number * number;
    let mut upper = -2.760_768_5e-16;
    upper = upper * square + 2.000_188e-13;
    upper = upper * square - 8.604_672e-11;
    upper = upper * square + 5.122_297e-8;
    upper = upper * square + 1.485_722_4e-5;
    upper = upper * square + 6.372_619_3e-4;
    upper = upper * square + 4.893_524_6e-3;
    let mut lower = 1.198_258_4e-6;
    lower = lower * square + 1.185_347_1e-4;
    lower = lower * square + 2.268_434_6e-3;
    lower = lower * square + 4.893_525e-3;
    number * upper / lower
}

/// eˣ for numbers up to 0; 0 where it is less than the least normal number.
#[inline(always)]
pub fn exponential(number: f64) -> f64 {
    const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    const LEAST: f64 = -708.0;
    /// Added to a number, it leaves the nearest whole one in the last bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let inside = if number > LEAST { number } else { LEAST };
    let shifted = inside * LOG2_E + WHOLE;
    let whole = shifted - WHOLE;
    let rest = (inside - whole * LN_2[0]) - whole * LN_2[1];
    let mut sum = 1.0 / 6_227_020_800.0;
    for factorial in FACTORIALS {
        sum = sum * rest + 1.0 / factorial;
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    if number > LEAST {
        sum * power
    } else {
        0.0
    }
}

/// eˣ for any number.
pub fn power_of_e(number: f64) -> f64 {
    match number {
        number if number.is_nan() => number,
        number if number > 0.0 => 1.0 / exponential(-number),
        number => exponential(number),
    }
}

/// The natural logarithm of a normal number over 0.
pub fn logarithm(number: f64) -> f64 {
    const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = number.to_bits();
    // As a power of two times a number between the root of a half and that of two.
    let mantissa = f64::from_bits(bits & FRACTION | 1.0_f64.to_bits());
    let is_large = mantissa > SQRT_2;
    let exponent = (bits >> 52) as f64 - 1023.0 + f64::from(u8::from(is_large));
    let rest = if is_large { mantissa / 2.0 } else { mantissa };
    // ln m = 2 artanh((m - 1) / (m + 1)), whose series converges fast here.
    let ratio = (rest - 1.0) / (rest + 1.0);
    let square = ratio * ratio;
    let mut sum = 0.0;
    for odd in ODD {
        sum = sum * square + 2.0 / odd;
    }
    exponent * LN_2[0] + (exponent * LN_2[1] + ratio * sum)
}

/// A number from 0 on to a power over 0.
pub fn power(base: f64, exponent: f64) -> f64 {
    if base < f64::MIN_POSITIVE {
        return 0.0;
    }
    power_of_e(exponent * logarithm(base))
}

/// The probability whose log odds are those of another one, times a scale and with a shift. What is certain stays so.
pub fn calibrated(probability: f64, scale: f64, shift: f64) -> f64 {
    let rest = 1.0 - probability;
    if probability < f64::MIN_POSITIVE || rest < f64::MIN_POSITIVE {
        return probability;
    }
    1.0 / (1.0 + power_of_e(-scale * (logarithm(probability) - logarithm(rest)) - shift))
}

/// From 23 down to 1.
const ODD: [f64; 12] = [23.0, 21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];

/// From 12 down to 0.
const FACTORIALS: [f64; 13] =
    [479_001_600.0, 39_916_800.0, 3_628_800.0, 362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0];

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes, the same on every run.
    fn numbers(count: usize) -> impl Iterator<Item = f32> {
        let mut state = 88_172_645_463_325_252_u64;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            f32::from_bits((state >> 20) as u32)
        })
        .filter(|number| number.is_finite())
        .take(count)
    }

    fn fused(a: f32, b: f32, c: f32) -> f32 {
        let [found] = fused_all([a], [b], [c]);
        let slow = fused_to_odd(a, b, c);
        assert!(found.to_bits() == slow.to_bits() || found.is_nan() && slow.is_nan(), "{a:e} × {b:e} + {c:e}");
        found
    }

    #[test]
    fn a_product_and_a_sum_are_rounded_once() {
        let values: Vec<f32> = numbers(300_000).collect();
        for (a, b) in values.iter().zip(&values[1..]) {
            let small = f32::from_bits(b.to_bits() & 0xbfff_f000);
            // Addends near to the negated product, far from it, and of any size.
            for c in [values[7], -a * b, a * b * 3e7, f32::from_bits((a * b).to_bits() ^ 0x8000_0001), small * 1e-9] {
                for b in [*b, small] {
                    let (found, expected) = (fused(*a, b, c), a.mul_add(b, c));
                    assert!(
                        found == expected || expected.is_nan(),
                        "{a:e} × {b:e} + {c:e}: {found:e}, not {expected:e}"
                    );
                }
            }
        }
    }

    #[test]
    fn almost_halves_are_not_rounded_as_halves() {
        let (one, bit) = (1.0_f32, 2.0_f32.powi(-12));
        let tiny = f32::MIN_POSITIVE;

        assert_eq!(fused(one + bit, one + bit, tiny), (one + bit).mul_add(one + bit, tiny));
        assert_eq!(fused(one + bit, one + bit, -tiny), (one + bit).mul_add(one + bit, -tiny));
        assert_eq!(fused(-one - bit, one + bit, tiny), (-one - bit).mul_add(one + bit, tiny));
    }

    #[test]
    fn logarithms_are_near_to_those_of_double_precision() {
        for number in numbers(300_000).chain([0.0, -0.0, 1.0, 0.414_213_5, f32::MAX]) {
            let expected = f64::from((1.0 + number.abs()).min(f32::MAX)).ln().copysign(f64::from(number));
            let error = (f64::from(signed_logarithm(number)) - expected).abs();

            assert!(error <= 2e-7 * expected.abs(), "of {number:e}: wrong by {error:e} of {expected:e}");
        }
    }

    #[test]
    fn tangents_are_near_to_those_of_double_precision() {
        for number in (-100_000..=100_000).map(|step| step as f32 * 1e-4).chain(numbers(10_000)) {
            let expected = f64::from(number).tanh();
            let error = (f64::from(hyperbolic_tangent(number)) - expected).abs();

            assert!(error <= 4e-7, "of {number:e}: wrong by {error:e}");
        }
    }

    #[test]
    fn powers_are_right_to_the_last_places() {
        for number in (0..=7_079).map(|step| f64::from(step) * -0.1) {
            let expected = number.exp();

            assert!((exponential(number) - expected).abs() <= 5e-16 * expected, "of {number}");
        }
        assert_eq!((exponential(0.0), exponential(-1e4), exponential(f64::NEG_INFINITY)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn powers_of_any_number_are_right_to_the_last_places() {
        for number in (-7_079..=7_079).map(|step| f64::from(step) * 0.1) {
            let expected = number.exp();

            assert!((power_of_e(number) - expected).abs() <= 1e-15 * expected, "of {number}");
        }
        assert_eq!((power_of_e(f64::INFINITY), power_of_e(f64::NEG_INFINITY)), (f64::INFINITY, 0.0));
        assert!(power_of_e(f64::NAN).is_nan());
    }

    #[test]
    fn double_logarithms_are_right_to_the_last_places() {
        let large = numbers(100_000).map(|number| f64::from(number.abs())).filter(|number| *number > 0.0);
        for number in large.chain((1..=1_000).map(|step| f64::from(step) * 1e-3)) {
            let (found, expected) = (logarithm(number), number.ln());

            assert!((found - expected).abs() <= 5e-16 * expected.abs(), "of {number:e}: {found:e}, not {expected:e}");
        }
        assert_eq!(logarithm(1.0), 0.0);
    }

    #[test]
    fn squares_and_roots_are_powers() {
        for step in 0..=1_000 {
            let base = f64::from(step) * 1e-3;

            assert!((power(base, 2.0) - base * base).abs() <= 1e-14 * base * base, "of {base}");
            assert!((power(base, 0.5) - base.sqrt()).abs() <= 1e-14 * base.sqrt(), "of {base}");
        }
        assert_eq!((power(0.0, 2.0), power(1.0, 2.0)), (0.0, 1.0));
    }

    #[test]
    fn log_odds_are_scaled_and_shifted() {
        assert!((calibrated(0.2, 1.0, 0.0) - 0.2).abs() < 1e-15);
        assert!((calibrated(0.2, 2.0, 0.0) - 1.0 / 17.0).abs() < 1e-15);
        assert!((calibrated(0.5, 1.0, 3.0_f64.ln()) - 0.75).abs() < 1e-15);
        assert_eq!((calibrated(0.0, 0.5, 9.0), calibrated(1.0, 0.5, -9.0)), (0.0, 1.0));
    }
}
