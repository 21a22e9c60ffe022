use super::{Format, Rules};

/// A finite number that is not zero: `significand` · 2^(`exponent` - 63).
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) negative: bool,
    pub(super) exponent: i32,
    /// Its highest bit is set.
    pub(super) significand: u64,
}

/// An operand, with its sign separate.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) negative: bool,
    pub(super) magnitude: u64,
}

impl Operand {
    /// Reads a pattern; a subnormal one is zero if the rules flush inputs.
    #[inline]
    pub(super) fn new(f: Format, rules: &Rules, bits: u64) -> Self {
        let magnitude = bits & (f.sign() - 1);
        let flushed = rules.flush_inputs && magnitude < f.least_normal();
        Self { negative: bits & f.sign() != 0, magnitude: if flushed { 0 } else { magnitude } }
    }

    #[inline]
    pub(super) fn bits(self, f: Format) -> u64 {
        f.signed(self.negative, self.magnitude)
    }

    #[inline]
    pub(super) fn is_nan(self, f: Format) -> bool {
        f.is_nan(self.magnitude)
    }

    #[inline]
    pub(super) fn is_signalling(self, f: Format) -> bool {
        self.is_nan(f) && !f.finite && self.magnitude & f.quiet() == 0
    }

    #[inline]
    pub(super) fn is_infinite(self, f: Format) -> bool {
        !f.finite && self.magnitude == f.infinity()
    }

    #[inline]
    pub(super) fn is_zero(self) -> bool {
        self.magnitude == 0
    }

    /// Returns true for numbers that are neither zero, infinite nor NaN.
    #[inline]
    pub(super) fn is_common(self, f: Format) -> bool {
        self.magnitude.wrapping_sub(1) < f.greatest()
    }

    /// The parts of an operand that [is common](Self::is_common).
    #[inline]
    pub(super) fn number(self, f: Format) -> Number {
        let Self { negative, magnitude } = self;
        let field = (magnitude >> f.fraction) as i32;
        if field != 0 {
            let significand = magnitude << (63 - f.fraction) | 1 << 63;
            return Number { negative, exponent: field - f.bias(), significand };
        }
        // The bit 2^n is worth 2^(n - fraction) of the least normal number, whose exponent is 1 - bias.
        let zeros = magnitude.leading_zeros();
        let exponent = 63 - zeros as i32 + 1 - f.bias() - f.fraction as i32;
        Number { negative, exponent, significand: magnitude << (zeros & 63) }
    }
}

impl Number {
    /// The number of a 128-bit significand that is not zero, `significand` · 2^(`exponent` - 127). If bits that do not fit are
    /// set, the last bit is set.
    #[inline]
    pub(super) fn of_wide(negative: bool, exponent: i32, significand: u128) -> Self {
        let zeros = significand.leading_zeros();
        let high = significand << zeros;
        let rest = u64::from(high as u64 != 0);
        Self { negative, exponent: exponent - zeros as i32, significand: (high >> 64) as u64 | rest }
    }
}

/// `x` / 2^`n`; if bits that are lost are set, the last bit is set.
#[inline]
pub(super) fn shifted(x: u128, n: u32) -> u128 {
    if n < 128 { x >> n | u128::from(x & ((1 << n) - 1) != 0) } else { u128::from(x != 0) }
}

/// [`shifted`], in 64 bits.
#[inline]
pub(super) fn short_shifted(x: u64, n: u32) -> u64 {
    if n < 64 { x >> n | u64::from(x & ((1 << n) - 1) != 0) } else { u64::from(x != 0) }
}
