//! Fields: their types, and where they are.

use super::Cx;
use isa_runtime::value::Code;
use isa_spec::model::{Field, FieldType, Label};

/// The type of a field's values: `R`, `bool`, `rt::Uint<8>`.
pub(super) fn ty(cx: &Cx<'_>, ft: &FieldType) -> String {
    let code = &ft.code;
    let (width, is_signed, scale, bias) = (code.width, code.is_signed(), code.scale(), code.bias());
    match ft.label {
        Label::Flag => "bool".to_owned(),
        Label::Register(id) => cx.names.registers[id.index()].to_string(),
        Label::Enum(id) => cx.names.enums[id.index()].to_string(),
        Label::Set => format!("rt::Uint<{width}>"),
        Label::Number => match code.relative() {
            None if width == 1 && (is_signed, scale, bias) == (false, 1, 0) => "bool".to_owned(),
            _ if is_wide(code) => format!("rt::Wide<{is_signed}, {width}, {scale}, {bias}>"),
            Some(from) => format!("rt::Displacement<{is_signed}, {width}, {scale}, {bias}, {from}>"),
            None if (scale, bias) != (1, 0) => format!("rt::Scaled<{is_signed}, {width}, {scale}, {bias}>"),
            None if is_signed => format!("rt::Int<{width}>"),
            None => format!("rt::Uint<{width}>"),
        },
    }
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
