//! The functions of [`soft`](super): by the host's instructions if these give the result and its flags, else by integers.
//!
//! The host rounds to the nearest. Its results are used if no flag but [`INEXACT`] can be raised: the operands are numbers and
//! the result is greater than the least normal number, or it is exact. Everything else, including every NaN and the other
//! directions, is computed by integers. Neither the host's flags nor its direction of rounding are read.

mod binary32;
mod binary64;
pub mod near;
mod slow;

use super::{Format, INEXACT, Raised, Round, Rules, by_integers};

/// A result and its flags, or `None` if integers have to compute them.
type Found = Option<(u64, Raised)>;

/// Returns true if the host rounds as requested.
#[inline(always)]
fn is_host(rules: &Rules, round: Round) -> bool {
    round == Round::Nearest && is_plain(rules)
}

/// Returns true if nothing is flushed, and infinities are results.
#[inline(always)]
fn is_plain(rules: &Rules) -> bool {
    !rules.flush_inputs && !rules.flush_results && !rules.finite_results
}

/// Each function by the host if it can, else by a function that is not inlined: simulators have hundreds of calls.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($x:ident),+);)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(f: Format, rules: &Rules, $($x: u64,)+ round: Round) -> (u64, Raised) {
            match f {
                Format::F32 => {
                    let found = if is_host(rules, round) { binary32::$name($($x),+) } else { None };
                    found.unwrap_or_else(|| slow::binary32::$name(rules, $($x,)+ round))
                }
                Format::F64 => {
                    let found = if is_host(rules, round) { binary64::$name($($x),+) } else { None };
                    found.unwrap_or_else(|| slow::binary64::$name(rules, $($x,)+ round))
                }
                _ => by_integers::$name(f, rules, $($x,)+ round),
            }
        }
    )+};
}

functions! {
    /// `a + b`, rounded once. Raises inexact, underflow and overflow, and invalid for the sum of opposite infinities.
    fn add(a, b);
    /// `a - b`, rounded once. Raises the same as [`add`].
    fn sub(a, b);
    /// `a * b`, rounded once. Raises inexact, underflow and overflow, and invalid for the product of an infinity and zero.
    fn mul(a, b);
    /// `a / b`, rounded once. Raises inexact, underflow and overflow, division by zero for a finite number that is not zero, and
    /// invalid for 0 / 0 and ∞ / ∞.
    fn div(a, b);
    /// `√a`, rounded once. Raises inexact, and invalid for numbers less than zero; the root of -0 is -0.
    fn sqrt(a);
    /// `a * b + c`, rounded once. Raises inexact, underflow and overflow, and invalid for the product of an infinity and zero and
    /// for the sum of opposite infinities.
    ///
    /// An infinity times zero plus a quiet NaN is invalid and the made NaN, unless [`Rules::invalid_product_quiet`]: then it
    /// raises nothing and is `c`, according to [`Rules::nan`].
    fn fma(a, b, c);
}

/// A number in another format, rounded once. Raises inexact, underflow and overflow, and invalid for signalling NaNs.
///
/// An infinity that the other format does not have is inexact. A NaN that is kept (see [`Rules::nan`]) is quiet and keeps the
/// high bits of its fraction.
#[inline(always)]
pub fn convert(from: Format, to: Format, rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    match (from, to) {
        (Format::F32, Format::F64) => {
            // Exact in all directions.
            let found = if is_plain(rules) { binary32::widened(a) } else { None };
            found.unwrap_or_else(|| slow::widened(rules, a, round))
        }
        (Format::F64, Format::F32) => {
            let found = if is_host(rules, round) { binary32::narrowed(a) } else { None };
            found.unwrap_or_else(|| slow::narrowed(rules, a, round))
        }
        _ => by_integers::convert(from, to, rules, a, round),
    }
}

/// An integer in the low `bits` (1 to 64) of `x` as a number, rounded once; 0 is +0. Raises inexact, and overflow if it is too
/// large for the format.
#[inline(always)]
pub fn from_integer(f: Format, rules: &Rules, x: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    match f {
        Format::F32 if round == Round::Nearest => binary32::from_integer(x, bits, signed),
        Format::F64 if round == Round::Nearest => binary64::from_integer(x, bits, signed),
        Format::F32 => slow::binary32::from_integer(rules, x, bits, signed, round),
        Format::F64 => slow::binary64::from_integer(rules, x, bits, signed, round),
        _ => by_integers::from_integer(f, rules, x, bits, signed, round),
    }
}

/// The two formats that hosts have.
macro_rules! format {
    ($float:ident, $bits:ident, $wide:ident, $format:expr) => {
        use super::{Found, INEXACT};
        use crate::soft::{Format, Raised};

        const F: Format = $format;
        /// Bits above a significand in 64.
        const ABOVE: u32 = 64 - F.fraction;

        #[inline(always)]
        pub(super) fn read(a: u64) -> $float {
            $float::from_bits(a as $bits)
        }

        #[inline(always)]
        pub(super) fn bits(x: $float) -> u64 {
            x.to_bits().into()
        }

        #[inline(always)]
        fn magnitude(a: u64) -> u64 {
            a & (F.sign() - 1)
        }

        /// The significand of a normal number.
        #[inline(always)]
        fn significand(a: u64) -> u64 {
            a & (F.least_normal() - 1) | F.least_normal()
        }

        #[inline(always)]
        fn is_zero(a: u64) -> bool {
            magnitude(a) == 0
        }

        /// Returns true for finite numbers that are not zero, not subnormal, and not the least normal ones. Values that round to
        /// them are not tiny, neither before nor after.
        #[inline(always)]
        fn is_safe(a: u64) -> bool {
            magnitude(a).wrapping_sub(F.least_normal() + 1) < F.infinity() - F.least_normal() - 1
        }

        #[inline(always)]
        fn found(bits: u64, inexact: bool) -> Found {
            Some((bits, if inexact { INEXACT } else { 0 }))
        }

        #[inline(always)]
        pub(super) fn add(a: u64, b: u64) -> Found {
            let (x, y) = (read(a), read(b));
            let sum = x + y;
            let part = sum - x;
            // The rounding error of the sum is a number, of any size; it is not finite if the sum or a step is not finite.
            let error = (x - (sum - part)) + (y - part);
            if error.abs() < $float::INFINITY { found(bits(sum), error != 0.0) } else { None }
        }

        #[inline(always)]
        pub(super) fn sub(a: u64, b: u64) -> Found {
            add(a, b ^ F.sign())
        }

        #[inline(always)]
        pub(super) fn mul(a: u64, b: u64) -> Found {
            let product = bits(read(a) * read(b));
            if is_safe(product) && magnitude(a).min(magnitude(b)) >= F.least_normal() {
                let exact = $wide::from(significand(a)) * $wide::from(significand(b));
                // The product has one bit more or not; the number of excess bits is that of the fraction, and then one more.
                let carry = (exact >> (2 * F.fraction + 1)) as u32;
                return found(product, (exact as u64) << (ABOVE - carry) != 0);
            }
            if is_zero(product) && (is_zero(a) || is_zero(b)) { found(product, false) } else { None }
        }

        #[inline(always)]
        pub(super) fn div(a: u64, b: u64) -> Found {
            let quotient = bits(read(a) / read(b));
            if is_safe(quotient) && magnitude(b) >= F.least_normal() {
                // The dividend, in units of the last place of this product, is a multiple of 2^fraction, and less than that away
                // from it, since the quotient is at most half a place off: the product is the dividend if it is such a multiple.
                let product = significand(quotient).wrapping_mul(significand(b));
                return found(quotient, product << ABOVE != 0);
            }
            if is_zero(quotient) && is_zero(a) { found(quotient, false) } else { None }
        }

        #[inline(always)]
        pub(super) fn sqrt(a: u64) -> Found {
            let a = a & (F.sign() << 1).wrapping_sub(1);
            if a.wrapping_sub(F.least_normal()) >= F.infinity() - F.least_normal() {
                return None;
            }
            let root = bits(read(a).sqrt());
            // The square and the radicand differ by less than 2^64 units. An odd exponent field is an even exponent.
            let square = significand(root).wrapping_mul(significand(root));
            let radicand = significand(a) << (F.fraction + 1 - (a >> F.fraction & 1) as u32);
            found(root, square != radicand)
        }

        #[inline(always)]
        pub(super) fn from_integer(x: u64, width: u32, signed: bool) -> (u64, Raised) {
            let unused = 64 - width.clamp(1, 64);
            let signed_x = (x << unused).cast_signed() >> unused;
            let x = x << unused >> unused;
            let (number, size) = if signed { (signed_x as $float, signed_x.unsigned_abs()) } else { (x as $float, x) };
            // The bits that do not fit, of a significand that begins with the highest bit.
            let inexact = size << (size.leading_zeros() & 63) << (F.fraction + 1) != 0;
            (bits(number), if inexact { INEXACT } else { 0 })
        }
    };
}
use format;
