//! Fields: their types, and where they are.

use super::Cx;
use isa_spec::model::{Bits, FieldType, Kind};

/// The type of a field's values: `R`, `bool`, `rt::Uint<8>`.
pub(super) fn ty(cx: &Cx<'_>, ft: &FieldType) -> String {
    let width = ft.width;
    match &ft.kind {
        Kind::Flag(_) => "bool".to_owned(),
        Kind::Register(id) => cx.names.registers[id.index()].to_string(),
        Kind::Enum(id) => cx.names.enums[id.index()].to_string(),
        Kind::Bitset(_) => format!("rt::Uint<{width}>"),
        Kind::Int { signed: false, scale: 1, bias: 0, target: None, .. } if width == 1 => "bool".to_owned(),
        Kind::Int { signed, scale, bias, target, .. } => match target {
            _ if is_wide(ft) => format!("rt::Wide<{signed}, {width}, {scale}, {bias}>"),
            Some(from) => format!("rt::Displacement<{signed}, {width}, {scale}, {bias}, {from}>"),
            None if (*scale, *bias) != (1, 0) => format!("rt::Scaled<{signed}, {width}, {scale}, {bias}>"),
            None if *signed => format!("rt::Int<{width}>"),
            None => format!("rt::Uint<{width}>"),
        },
    }
}

/// Whether a number needs more than 64 bits.
fn is_wide(ft: &FieldType) -> bool {
    let Kind::Int { signed, scale, bias, .. } = &ft.kind else { return false };
    if (*scale, *bias) == (1, 0) {
        return ft.width > 64;
    }
    let most = i128::from(scale.unsigned_abs()) << (ft.width - u32::from(*signed)).min(63);
    ft.width > 63 || most + i128::from(bias.unsigned_abs()) > i128::from(i64::MAX)
}

/// Where a field is: `at(23, 16)`.
pub(super) fn place(bits: &Bits, inverted: bool) -> String {
    let place = match bits.0.as_slice() {
        [range] => format!("at({}, {})", range.hi, range.lo),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|range| format!("({}, {})", range.hi, range.lo)).collect();
            format!("split({}, {}, &[{}])", first.hi, first.lo, rest.join(", "))
        }
        [] => "NOWHERE".to_owned(),
    };
    if inverted { place + ".inverted()" } else { place }
}
