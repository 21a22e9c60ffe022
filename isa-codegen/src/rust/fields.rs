//! Fields: their types, and where they are.

use super::Cx;
use isa_runtime::value::{Code, Other, Part, Style};
use isa_spec::model::{Field, FieldType, Label};
use std::fmt;

/// The type of a field's values, and for numbers the one that converts them to the bits of the field and back.
#[derive(PartialEq, Eq)]
pub(super) struct Ty {
    /// `R`, `bool`, `u8`.
    pub(super) value: String,
    /// `rt::Uint<4>`.
    pub(super) codec: Option<String>,
}

impl Ty {
    /// A type that converts itself.
    pub(super) fn of(value: impl ToString) -> Self {
        Self { value: value.to_string(), codec: None }
    }

    /// The type of a field of an operand. Operands compare and hash, as primitive floating-point numbers don't.
    pub(super) fn in_operand(self) -> Self {
        match self.codec {
            Some(codec) if codec.starts_with("rt::Float<") => Self::of(codec),
            codec => Self { value: self.value, codec },
        }
    }

    /// The type of a member that not all forms have.
    pub(super) fn optional(self) -> Self {
        let codec = self.codec.map(|codec| format!("rt::typed::Maybe<{codec}>"));
        Self { value: format!("Option<{}>", self.value), codec }
    }
}

/// `R`, `u8 as rt::Uint<4>`
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.codec {
            Some(codec) => write!(f, "{} as {codec}", self.value),
            None => f.write_str(&self.value),
        }
    }
}

/// The type of a field's values.
pub(super) fn ty(cx: &Cx<'_>, ft: &FieldType) -> Ty {
    let code = &ft.code;
    let (width, is_signed, scale, bias) = (code.width, code.is_signed(), code.scale(), code.bias());
    match ft.label {
        Label::Flag => Ty::of("bool"),
        Label::Register(id) => Ty::of(&cx.names.registers[id.index()]),
        Label::Enum(id) => Ty::of(&cx.names.enums[id.index()]),
        Label::Set => Ty { value: unsigned(width), codec: Some(format!("rt::Uint<{width}>")) },
        Label::Number if let Some(of) = float(ft) => {
            Ty { value: format!("f{of}"), codec: Some(format!("rt::Float<{width}, {of}>")) }
        }
        // The bits, as the word has them.
        Label::Number if code.map().is_some() => Ty { value: unsigned(width), codec: Some(format!("rt::Uint<{width}>")) },
        Label::Number => match code.relative().filter(|origin| origin.page == 0).map(|origin| origin.offset) {
            None if code.relative().is_none() && width == 1 && (is_signed, scale, bias) == (false, 1, 0) => Ty::of("bool"),
            Some(from) if !is_wide(code) => Ty::of(format!("rt::Displacement<{is_signed}, {width}, {scale}, {bias}, {from}>")),
            _ => Ty { value: primitive(code), codec: Some(codec(code)) },
        },
    }
}

/// The bits of the floating-point numbers of a field, if Rust has a type of them.
pub(super) fn float(ft: &FieldType) -> Option<u8> {
    let [Part { of: None, other: Some(Other::Number(Style::Float(of))), .. }] = ft.spelling.parts.as_slice() else { return None };
    let code = &ft.code;
    let is_plain =
        (code.is_signed(), code.scale(), code.bias()) == (false, 1, 0) && code.map().is_none() && code.relative().is_none();
    Some(of.format).filter(|of| is_plain && matches!(of, 32 | 64) && code.width <= u32::from(*of))
}

fn codec(code: &Code) -> String {
    let (width, is_signed, scale, bias) = (code.width, code.is_signed(), code.scale(), code.bias());
    match (scale, bias) {
        (1, 0) if is_signed => format!("rt::Int<{width}>"),
        (1, 0) => format!("rt::Uint<{width}>"),
        (_, 0) => format!("rt::Number<{is_signed}, {width}, {scale}>"),
        _ => format!("rt::Number<{is_signed}, {width}, {scale}, {bias}>"),
    }
}

/// The smallest primitive type that has all values of a number.
fn primitive(code: &Code) -> String {
    let (width, is_signed, scale, bias) = (code.width, code.is_signed(), code.scale(), code.bias());
    if is_wide(code) {
        let is_plain = (is_signed, scale, bias) == (false, 1, 0);
        return if is_plain { "u128" } else { "i128" }.to_owned();
    }
    let half = 1i128 << (width - u32::from(is_signed));
    let ends = [if is_signed { -half } else { 0 }, half - 1].map(|raw| raw * i128::from(scale) + i128::from(bias));
    let [least, most] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    // Bits of a number, without its sign.
    let bits = |n: i128| 128 - (if n < 0 { !n } else { n }).leading_zeros();
    if least < 0 { format!("i{}", size(1 + bits(least).max(bits(most)))) } else { unsigned(bits(most)) }
}

/// The smallest unsigned type with at least `bits` bits.
pub(super) fn unsigned(bits: u32) -> String {
    format!("u{}", size(bits))
}

fn size(bits: u32) -> u32 {
    bits.next_power_of_two().max(8)
}

/// Returns true for a number that needs more than 64 bits.
fn is_wide(code: &Code) -> bool {
    if (code.scale(), code.bias()) == (1, 0) {
        return code.width > 64;
    }
    let most = i128::from(code.scale().unsigned_abs()) << (code.width - u32::from(code.is_signed())).min(63);
    code.width > 63 || most + i128::from(code.bias().unsigned_abs()) > i128::from(i64::MAX)
}

/// The place of a field: `at(23, 16)`.
pub(super) fn place(field: &Field) -> String {
    let place = match field.bits.0.as_slice() {
        [range] => format!("at({}, {})", range.hi, range.lo),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|range| format!("({}, {})", range.hi, range.lo)).collect();
            format!("split({}, {}, &[{}])", first.hi, first.lo, rest.join(", "))
        }
        [] => "NOWHERE".to_owned(),
    };
    let steps: Vec<String> = field.code.bit_steps().iter().map(|step| format!("rt::typed::member::Step::{step:?}")).collect();
    if steps.is_empty() { place } else { format!("{place}.with(&[{}])", steps.join(", ")) }
}
