//! Numbers of up to 256 bits.

use ethnum::U256;
use std::fmt;

/// The widest value that the language has, in bits.
pub const MAX_WIDTH: u32 = 256;

/// A number of up to 256 bits, without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Int(pub U256);

impl Int {
    /// The two's complement of `value` in `width` bits (1 to 256); higher bits are dropped.
    pub fn from_i128(value: i128, width: u32) -> Self {
        Self(ethnum::I256::from(value).as_u256()).truncated(width)
    }

    /// The number of these limbs, the least significant first.
    pub fn from_limbs(limbs: [u64; 4]) -> Self {
        Self(limbs.into_iter().rev().fold(U256::ZERO, |n, limb| n << 64u32 | U256::from(limb)))
    }

    /// Its limbs, the least significant first.
    pub fn limbs(self) -> [u64; 4] {
        std::array::from_fn(|i| (self.0 >> (64 * i as u32)).as_u64())
    }

    /// The lowest 64 bits.
    pub fn low(self) -> u64 {
        self.0.as_u64()
    }

    /// The lowest 128 bits.
    pub fn low_u128(self) -> u128 {
        self.0.as_u128()
    }

    /// All `width` bits set; 0 to 256.
    pub fn ones(width: u32) -> Self {
        if width >= MAX_WIDTH { Self(U256::MAX) } else { Self((U256::ONE << width) - U256::ONE) }
    }

    /// The lowest `width` bits.
    pub fn truncated(self, width: u32) -> Self {
        Self(self.0 & Self::ones(width).0)
    }

    /// The number of `width` bits with its top bit copied into all bits above.
    pub fn sign_extended(self, width: u32) -> Self {
        if self.bit(width - 1) { Self(self.0 | !Self::ones(width).0) } else { self }
    }

    /// The sum, without what goes beyond 256 bits.
    pub fn wrapping_add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The product, without what goes beyond 256 bits.
    pub fn wrapping_mul(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    /// The number of bits that the number needs; 0 needs none.
    pub fn bits(self) -> u32 {
        MAX_WIDTH - self.0.leading_zeros()
    }

    /// One bit.
    pub fn bit(self, at: u32) -> bool {
        at < MAX_WIDTH && (self.0 >> at).as_u64() & 1 == 1
    }

    /// Returns the value as a signed number, if it is small enough.
    pub fn to_i128(self) -> Option<i128> {
        (self.bits() < 128).then(|| self.0.as_i128())
    }

    /// `0x1f`, `0b11`, `1_000`. `None` if it is not a number or has more than 256 bits.
    pub fn parse(text: &str) -> Option<Self> {
        let (radix, digits) = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
            (Some(digits), _) => (16, digits),
            (_, Some(digits)) => (2, digits),
            _ => (10, text),
        };
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        let is_number = digits.chars().all(|c| c.is_digit(radix));
        U256::from_str_radix(&digits, radix).ok().filter(|_| is_number).map(Self)
    }
}

impl From<u128> for Int {
    fn from(value: u128) -> Self {
        Self(value.into())
    }
}

/// Hexadecimal.
impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written() {
        assert_eq!(Int::parse("0x1f").map(|i| i.to_string()).as_deref(), Some("0x1f"));
        assert_eq!(Int::parse("0b1_01"), Some(Int::from(5)));
        assert_eq!(Int::parse("18446744073709551616"), Some(Int::from_limbs([0, 1, 0, 0])));
        assert_eq!(Int::from_limbs([0, 1, 0, 0]).to_string(), "0x10000000000000000");
        assert_eq!(Int::parse(&format!("0x{}", "f".repeat(64))), Some(Int::from_limbs([u64::MAX; 4])));
        assert_eq!(Int::parse(&format!("0x1{}", "0".repeat(64))), None);
        for bad in ["0x", "", "_", "12a", "+1", "-1", "0x+1", "0b2"] {
            assert_eq!(Int::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn widths_cut_and_count() {
        assert_eq!(Int::from_i128(-1, 34), Int::from((1 << 34) - 1));
        assert_eq!(Int::from_i128(-1, 256), Int::from_limbs([u64::MAX; 4]));
        assert_eq!(Int::from(0x1ff).truncated(8), Int::from(0xff));
        assert_eq!([Int::from(0).bits(), Int::from(1).bits(), Int::from_limbs([0, 0, 0, 1]).bits()], [0, 1, 193]);
        assert_eq!(Int::from(u128::MAX).to_i128(), None);
        let limbs = [1, 2 << 40, 3, 4 << 60];
        assert_eq!(Int::from_limbs(limbs).limbs(), limbs);
        assert_eq!(
            [Int::ones(0), Int::ones(65), Int::ones(256)],
            [0, 65, 256].map(|n| Int::from_limbs([u64::MAX; 4]).truncated(n))
        );
        assert!(Int::from_limbs([0, 2, 0, 0]).bit(65) && !Int::from_limbs([0, 2, 0, 0]).bit(256));
    }
}
