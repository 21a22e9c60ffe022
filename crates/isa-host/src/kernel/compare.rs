//! Comparison of memory after a run with the expected contents.

use super::file::Expected;
use super::values::Type;

/// A number that is not as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its place, from 0.
    pub index: usize,
    /// The number in memory.
    pub found: u64,
    /// The number in its place.
    pub expected: u64,
}

/// The numbers that differ.
pub(crate) fn compare(of: &Expected, found: &[u8]) -> Vec<Difference> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    let size = of.kind.bytes();
    let pairs = found.chunks(size).zip(of.bytes.chunks(size)).map(|(found, expected)| (number(found), number(expected)));
    let different = |(index, (found, expected)): (usize, (u64, u64))| {
        (!is_as_expected(of, found, expected)).then_some(Difference { index, found, expected })
    };
    pairs.enumerate().filter_map(different).collect()
}

fn is_as_expected(of: &Expected, found: u64, expected: u64) -> bool {
    let kind = of.kind;
    if found == expected || kind.is_nan(found) && kind.is_nan(expected) {
        return true;
    }
    if kind.is_nan(found) || kind.is_nan(expected) {
        return false;
    }
    let apart = (kind.place(found) - kind.place(expected)).unsigned_abs();
    if of.ulp.is_some_and(|ulp| ulp > 0 && apart <= u128::from(ulp)) {
        return true;
    }
    let is_near = || {
        let (a, b) = (kind.value(found), kind.value(expected));
        (a - b).abs() <= of.absolute + of.relative * b.abs()
    };
    matches!(kind, Type::Float { .. }) && (of.absolute > 0.0 || of.relative > 0.0) && is_near()
}

#[cfg(test)]
mod tests {
    use super::super::file::Of;
    use super::*;

    fn differ(kind: &str, found: u64, expected: u64, (ulp, absolute, relative): (Option<u64>, f64, f64)) -> bool {
        let kind = Type::of(kind).expect("it is a type");
        let bytes = expected.to_le_bytes()[..kind.bytes()].to_vec();
        let of = Expected { of: Of::Buffer("x".into()), at: 0, bytes, name: String::new(), kind, ulp, absolute, relative };
        !compare(&of, &found.to_le_bytes()[..kind.bytes()]).is_empty()
    }

    #[test]
    fn numbers_near_each_other() {
        let exact = (Some(0), 0.0, 0.0);
        assert!(!differ("u32", 7, 7, exact) && differ("u32", 7, 8, exact));
        // Zeros of different sign differ in a bit, and all NaNs are equal.
        assert!(differ("f32", 0, 0x8000_0000, exact) && !differ("f32", 0x7fc0_0000, 0xffff_ffff, exact));
        assert!(differ("f32", 0x7fc0_0000, 0, (None, 1e30, 1.0)));
        assert!(!differ("f32", 1, 0x8000_0001, (Some(2), 0.0, 0.0)) && differ("f32", 1, 0x8000_0001, (Some(1), 0.0, 0.0)));
        assert!(!differ("f16", 0x3c01, 0x3c00, (None, 0.0, 1e-3)) && differ("f16", 0x3c02, 0x3c00, (None, 0.0, 1e-3)));
        assert!(!differ("f64", 0, 1, (None, 1e-300, 0.0)));
    }
}
