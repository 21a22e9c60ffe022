//! Numbers with a separate sign.

use core::cmp::Ordering;
use core::fmt;

/// A number with a separate sign, so that all unsigned words of 128 bits are numbers too. 0 is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    /// It is below 0.
    pub negative: bool,
    /// Its distance from 0.
    pub magnitude: u128,
}

impl Number {
    /// 0.
    pub const ZERO: Self = Self { negative: false, magnitude: 0 };

    fn new(negative: bool, magnitude: u128) -> Self {
        Self { negative: negative && magnitude != 0, magnitude }
    }

    /// Bit `at` of its two's complement, sign-extended indefinitely.
    pub fn bit(self, at: u32) -> bool {
        let magnitude = if self.negative { self.magnitude.wrapping_sub(1) } else { self.magnitude };
        (magnitude.checked_shr(at).unwrap_or(0) & 1 == 1) != self.negative
    }

    /// The lowest 128 bits of its two's complement.
    pub fn low(self) -> u128 {
        if self.negative { self.magnitude.wrapping_neg() } else { self.magnitude }
    }

    /// The number as a signed number of 128 bits, if it is one.
    pub fn to_i128(self) -> Option<i128> {
        if self.negative { 0i128.checked_sub_unsigned(self.magnitude) } else { i128::try_from(self.magnitude).ok() }
    }

    /// The number as an unsigned number of 128 bits, if it is one.
    pub fn to_u128(self) -> Option<u128> {
        (!self.negative || self.magnitude == 0).then_some(self.magnitude)
    }

    /// The number, limited to a quarter of the range of `i128`: beyond any value that has a scale, a bias or a sign.
    pub fn clamped(self) -> i128 {
        let magnitude = self.magnitude.min(1 << 125) as i128;
        if self.negative { -magnitude } else { magnitude }
    }

    /// The sum, if its magnitude fits 128 bits.
    pub fn plus(self, other: Self) -> Option<Self> {
        if self.negative == other.negative {
            return Some(Self::new(self.negative, self.magnitude.checked_add(other.magnitude)?));
        }
        let is_smaller = self.magnitude < other.magnitude;
        Some(Self::new(self.negative != is_smaller, self.magnitude.abs_diff(other.magnitude)))
    }

    /// The product, if its magnitude fits 128 bits.
    pub fn times(self, factor: i64) -> Option<Self> {
        let magnitude = self.magnitude.checked_mul(factor.unsigned_abs().into())?;
        Some(Self::new(self.negative != (factor < 0), magnitude))
    }

    /// The quotient, rounded down, and the remainder, which is not negative; `None` for a divisor of 0.
    pub fn divide(self, divisor: i64) -> Option<(Self, u128)> {
        let size = u128::from(divisor.unsigned_abs());
        let (quotient, rest) = (self.magnitude.checked_div(size)?, self.magnitude.checked_rem(size)?);
        // -7 / 2 is -4 with a remainder of 1.
        let (quotient, rest) = match self.negative && rest != 0 {
            true => (Self::new(true, quotient + 1), size - rest),
            false => (Self::new(self.negative, quotient), rest),
        };
        // n = -size * q + rest
        Some((if divisor < 0 { -quotient } else { quotient }, rest))
    }
}

impl core::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(!self.negative, self.magnitude)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (negative, _) => {
                if negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i128> for Number {
    fn from(value: i128) -> Self {
        Self { negative: value < 0, magnitude: value.unsigned_abs() }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        i128::from(value).into()
    }
}

impl From<u128> for Number {
    fn from(magnitude: u128) -> Self {
        Self { negative: false, magnitude }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.magnitude)
    }
}

impl fmt::LowerHex for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:#x}", if self.negative { "-" } else { "" }, self.magnitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_integers() {
        for a in -20..20i128 {
            let n = Number::from(a);
            assert_eq!((-n).to_i128(), Some(-a));
            assert_eq!((n.low() as i128, n.bit(3)), (a, a >> 3 & 1 == 1));
            for b in -7..7i64 {
                assert_eq!(n.plus(b.into()).and_then(Number::to_i128), Some(a + i128::from(b)));
                assert_eq!(n.times(b).and_then(Number::to_i128), Some(a * i128::from(b)));
                assert_eq!(n.cmp(&b.into()), a.cmp(&b.into()));
                match n.divide(b) {
                    None => assert_eq!(b, 0),
                    Some((quotient, rest)) => {
                        assert_eq!(
                            quotient.to_i128(),
                            Some(i128::from(b.signum()) * a.div_euclid(i128::from(b.abs()))),
                            "{a} / {b}"
                        );
                        assert_eq!(rest as i128, a.rem_euclid(b.into()));
                    }
                }
            }
        }
        let most = Number::from(u128::MAX);
        assert_eq!((most.plus(1i64.into()), most.times(2), most.to_i128()), (None, None, None));
        assert_eq!(most.plus((-1i64).into()), Some(Number::from(u128::MAX - 1)));
    }
}
