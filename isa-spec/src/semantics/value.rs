//! Values of fields, as the semantics see them.

use super::int::{Int, MAX_WIDTH};
use crate::model::{Kind, Raw, Word, flipped, ones};

/// What values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// Bits that every value fits in.
    pub width: u32,
    /// Some are negative.
    pub signed: bool,
}

/// What values a field of so many bits has: numbers with scale, bias and sign; for other kinds the bits.
pub fn value_type(kind: &Kind, width: u32) -> ValueType {
    let Kind::Int { signed, scale, bias, .. } = *kind else { return ValueType { width, signed: false } };
    if (scale, bias) == (1, 0) {
        return ValueType { width, signed };
    }
    let raws = if signed {
        [-(1i128 << (width - 1).min(126)), (1i128 << (width - 1).min(126)) - 1]
    } else {
        [0, ones(width.min(127)) as i128]
    };
    let value = |raw: i128| raw.checked_mul(scale.into())?.checked_add(bias.into());
    let [Some(a), Some(b)] = raws.map(value) else {
        // A wide number with a factor: room for any 64 bits of it.
        return ValueType { width: (width + 66).min(MAX_WIDTH), signed: true };
    };
    let (least, most) = (a.min(b), a.max(b));
    let magnitude = 128 - most.max(0).leading_zeros();
    if least >= 0 {
        return ValueType { width: magnitude.max(1), signed: false };
    }
    ValueType { width: magnitude.max(128 - (!least).leading_zeros()) + 1, signed: true }
}

/// The value of a field's bits (as they stand in the word), in the width of its shape.
pub fn value(kind: &Kind, inverted: bool, width: u32, bits: Raw) -> Int {
    let raw = flipped(inverted, width, bits);
    let Kind::Int { signed, scale, bias, .. } = *kind else { return Int::from(raw) };
    let raw = Int::from(raw);
    let raw = if signed && raw.bit(width - 1) { raw.sign_extended(width) } else { raw };
    let scaled = raw.wrapping_mul(Int::from_i128(scale.into(), MAX_WIDTH)).wrapping_add(Int::from_i128(bias.into(), MAX_WIDTH));
    scaled.truncated(value_type(kind, width).width)
}

/// The value of a field in a word.
pub fn of(field: &crate::model::Field, word: Word) -> Int {
    value(&field.kind, field.inverted, field.bits.width(), field.bits.get(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(signed: bool, scale: i64, bias: i64) -> Kind {
        Kind::Int { signed, scale, bias, radix: None, target: None }
    }

    #[test]
    fn widths_hold_every_value() {
        let of = |kind, width| {
            let s = value_type(&kind, width);
            (s.width, s.signed)
        };
        assert_eq!(of(int(true, 4, 0), 14), (16, true));
        assert_eq!(of(int(false, 4, 0), 14), (16, false));
        assert_eq!(of(int(false, 1, 0), 128), (128, false));
        assert_eq!(of(int(false, 1, 1), 5), (6, false));
        assert_eq!(of(int(false, 1, -1), 5), (6, true));
        assert_eq!(of(int(true, -4, 0), 4), (7, true));
        assert_eq!(of(int(false, 8, 0), 128), (194, true));
        assert_eq!(of(Kind::Flag("x".into()), 1), (1, false));
    }

    #[test]
    fn values_have_sign_scale_and_bias() {
        assert_eq!(value(&int(true, 4, 0), false, 14, 0x3fff), Int::from(0xfffc));
        assert_eq!(value(&int(false, 4, 0), false, 14, 0x3fff), Int::from(0xfffc));
        assert_eq!(value(&int(false, 1, 1), false, 5, 31), Int::from(32));
        assert_eq!(value(&int(false, 1, -1), false, 5, 0), Int::from(0x3f));
        assert_eq!(value(&Kind::Flag(String::new()), true, 1, 1), Int::from(0));
        assert_eq!(value(&int(true, 1, 0), false, 128, u128::MAX), Int::from(u128::MAX));
    }
}
