//! Values of fields, as the semantics see them.

use super::int::Int;
use crate::model::{Field, Raw, Word};
use isa_runtime::value::{Code, Step};

/// The type of the values of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// Bits that every value fits in.
    pub width: u32,
    /// Some are negative.
    pub signed: bool,
}

/// The type of the values of a code.
pub fn value_type(code: &Code) -> ValueType {
    if let Some(map) = code.map() {
        return ValueType { width: map.width(), signed: false };
    }
    if code.value_steps().iter().all(|step| step.is_of_bits() || *step == Step::Sign) {
        return ValueType { width: code.width, signed: code.is_signed() };
    }
    let [least, greatest] = code.range();
    let bits = |magnitude: u128| u128::BITS - magnitude.leading_zeros();
    let most = if greatest.negative { 0 } else { bits(greatest.magnitude) };
    match least.negative {
        false => ValueType { width: most.max(1), signed: false },
        true => ValueType { width: most.max(bits(least.magnitude - 1)) + 1, signed: true },
    }
}

/// The value of some bits, in the width of its type.
pub fn value(code: &Code, bits: Raw) -> Int {
    let value = code.value(bits).unwrap_or(bits.into());
    let low = Int::from(value.low());
    let value = if value.negative { low.sign_extended(Raw::BITS) } else { low };
    value.truncated(value_type(code).width)
}

/// The value of a field in a word.
pub fn of(field: &Field, word: Word) -> Int {
    value(&field.code, field.bits.get(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(signed: bool, scale: i64, bias: i64, width: u32) -> Code {
        let code = Code::plain(width);
        let code = if signed { code.then(Step::Sign) } else { code };
        code.then(Step::Times(scale)).then(Step::Plus(bias))
    }

    #[test]
    fn widths_hold_every_value() {
        let of = |signed, scale, bias, width| {
            let s = value_type(&code(signed, scale, bias, width));
            (s.width, s.signed)
        };
        assert_eq!(of(true, 4, 0, 14), (16, true));
        assert_eq!(of(false, 4, 0, 14), (16, false));
        assert_eq!(of(false, 1, 0, 128), (128, false));
        assert_eq!(of(false, 1, 1, 5), (6, false));
        assert_eq!(of(false, 1, -1, 5), (6, true));
        assert_eq!(of(true, -4, 0, 4), (7, true));
        assert_eq!(of(false, 1, 0, 1), (1, false));
    }

    #[test]
    fn values_have_sign_scale_and_bias() {
        assert_eq!(value(&code(true, 4, 0, 14), 0x3fff), Int::from(0xfffc));
        assert_eq!(value(&code(false, 4, 0, 14), 0x3fff), Int::from(0xfffc));
        assert_eq!(value(&code(false, 1, 1, 5), 31), Int::from(32));
        assert_eq!(value(&code(false, 1, -1, 5), 0), Int::from(0x3f));
        assert_eq!(value(&Code::plain(1).then(Step::Not), 1), Int::from(0));
        assert_eq!(value(&code(true, 1, 0, 128), u128::MAX), Int::from(u128::MAX));
    }
}
