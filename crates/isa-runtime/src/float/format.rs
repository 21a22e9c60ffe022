//! Formats of floats.

/// A binary format: 1 sign bit, then the exponent and the fraction, both in bits.
///
/// Functions of floats accept all formats that [`new`](Self::new) returns. With others their results are unspecified, and debug
/// builds may panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction, without the leading one of normal numbers.
    pub fraction: u32,
    /// No pattern is an infinity, and of each sign only the one of all ones is a NaN, a quiet one; the others of the greatest
    /// exponent are numbers. Results that are infinities in other formats are NaNs.
    pub finite: bool,
}

impl Format {
    /// binary16.
    pub const F16: Self = Self::ieee(5, 10);
    /// binary32.
    pub const F32: Self = Self::ieee(8, 23);
    /// binary64.
    pub const F64: Self = Self::ieee(11, 52);
    /// bfloat16: the upper half of a binary32.
    pub const BF16: Self = Self::ieee(8, 7);
    /// TF32, in the low 19 bits: the range of binary32 with the precision of binary16.
    pub const TF32: Self = Self::ieee(8, 10);

    /// E5M2 of the Open Compute Project: the upper half of a binary16.
    pub const E5M2: Self = Self::ieee(5, 2);
    /// E4M3 of the Open Compute Project, which has numbers to 448 and no infinities.
    pub const E4M3FN: Self = Self { exponent: 4, fraction: 3, finite: true };

    /// The formats that specifications name.
    pub const ALL: [Self; 7] = [Self::F16, Self::F32, Self::F64, Self::BF16, Self::TF32, Self::E4M3FN, Self::E5M2];

    /// The name in specifications; empty for a format that has none.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::BF16 => "bf16",
            Self::TF32 => "tf32",
            Self::E4M3FN => "e4m3fn",
            Self::E5M2 => "e5m2",
            _ => "",
        }
    }

    /// Finds a format by its name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    const fn ieee(exponent: u32, fraction: u32) -> Self {
        Self { exponent, fraction, finite: false }
    }

    /// A format with infinities, with an exponent of 2 to 28 bits, a fraction of at least 1, and a width of at most 64; `None`
    /// for others.
    pub const fn new(exponent: u32, fraction: u32) -> Option<Self> {
        let possible = 2 <= exponent && exponent <= 28 && 1 <= fraction && fraction <= 63 - exponent;
        if possible { Some(Self::ieee(exponent, fraction)) } else { None }
    }

    /// Finds IEEE 754's format of a width in bits: 16, 32 or 64.
    pub const fn of_width(bits: u32) -> Option<Self> {
        match bits {
            16 => Some(Self::F16),
            32 => Some(Self::F32),
            64 => Some(Self::F64),
            _ => None,
        }
    }

    /// The width in bits, sign included.
    #[inline]
    pub const fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The bias of exponents in patterns.
    #[inline]
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bit of the sign.
    #[inline]
    pub const fn sign(self) -> u64 {
        1 << (self.exponent + self.fraction)
    }

    /// The mask of the exponent: the pattern of +∞ if there is one.
    #[inline]
    pub const fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The pattern of the greatest number.
    #[inline]
    pub const fn greatest(self) -> u64 {
        if self.finite { self.sign() - 2 } else { self.infinity() - 1 }
    }

    /// The greatest magnitude that is not a NaN.
    #[inline]
    const fn last(self) -> u64 {
        if self.finite { self.greatest() } else { self.infinity() }
    }

    /// Returns true for NaNs.
    #[inline]
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.last()
    }

    /// Limits a number to 0…1; NaN and -0 give +0.
    #[inline]
    pub const fn limited(self, bits: u64) -> u64 {
        let one = (self.bias() as u64) << self.fraction;
        if bits > self.last() {
            0
        } else if bits > one {
            one
        } else {
            bits
        }
    }

    /// An infinity, or the NaN in its place.
    #[inline]
    pub const fn infinite(self, negative: bool) -> u64 {
        self.signed(negative, if self.finite { self.sign() - 1 } else { self.infinity() })
    }

    /// The bit that distinguishes quiet NaNs from signalling ones.
    #[inline]
    pub const fn quiet(self) -> u64 {
        1 << (self.fraction - 1)
    }

    /// The least normal number, or the lowest bit of the exponent.
    #[inline]
    pub const fn least_normal(self) -> u64 {
        1 << self.fraction
    }

    /// A magnitude with a sign.
    #[inline]
    pub const fn signed(self, negative: bool, magnitude: u64) -> u64 {
        (negative as u64) << (self.exponent + self.fraction) | magnitude
    }
}
