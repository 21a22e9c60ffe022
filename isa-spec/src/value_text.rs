//! The text of a field's value: what the model says of it, for codec, checks and texts alike.

use crate::model::{Field, Isa, Kind, Radix, Raw, ones};
use crate::span::Span;
use std::fmt::Write;

/// Appends the text of a field's bits. Numbers print as their value; a target as an address.
pub fn print_value(isa: &Isa, field: &Field, raw: Raw, radix: Option<Radix>, address: u64, out: &mut String) {
    let width = field.bits.width();
    let raw = if field.inverted { ones(width) - raw } else { raw };
    match &field.kind {
        Kind::Flag(text) => {
            if raw != 0 {
                out.push_str(text);
            }
        }
        Kind::Bitset(letters) => out.extend(letters.chars().enumerate().map(|(i, c)| if raw >> i & 1 != 0 { c } else { '-' })),
        Kind::Register(id) => match isa.registers[id.index()].name_of(raw) {
            Some(name) => out.push_str(&name),
            // A word with such a register does not match its form; a word that is only being explained may have it.
            None => push(out, format_args!("?{raw}")),
        },
        Kind::Enum(id) => match isa.enums[id.index()].text_of(raw) {
            Some(text) => out.push_str(&text),
            None => push(out, format_args!("?{raw}")),
        },
        Kind::Int { radix: own, target, .. } => {
            let radix = radix.or(*own).unwrap_or(isa.numbers);
            match (number(&field.kind, width, raw), target) {
                (Some(value), Some(offset)) if field.wraps => {
                    let value = address.wrapping_add(*offset as u64).wrapping_add(value as u64);
                    print_number(false, u128::from(value) & ones(address_bits(isa)), radix, out);
                }
                (Some(value), Some(offset)) => {
                    let value = (address as i64).wrapping_add(*offset).wrapping_add(value as i64);
                    print_number(value < 0, u128::from(value.unsigned_abs()), radix, out);
                }
                (Some(value), None) => print_number(value < 0, value.unsigned_abs(), radix, out),
                (None, _) => print_number(false, raw, radix, out),
            }
        }
    }
}

/// Bits of an address of code, modulo which targets wrap: those of the machine's pc, or 64 where there is no machine.
pub fn address_bits(isa: &Isa) -> u32 {
    if isa.machine.span == Span::default() { 64 } else { isa.machine.pc.clamp(1, 64) }
}

/// The number that bits stand for: sign, scale and bias applied. `None` for one that only fits unsigned 128 bits.
pub(crate) fn number(kind: &Kind, width: u32, raw: Raw) -> Option<i128> {
    let Kind::Int { signed, scale, bias, .. } = kind else { return i128::try_from(raw).ok() };
    let plain = if *signed && raw >> (width - 1) & 1 != 0 { (raw | !ones(width)) as i128 } else { i128::try_from(raw).ok()? };
    plain.checked_mul(i128::from(*scale))?.checked_add(i128::from(*bias))
}

fn print_number(negative: bool, magnitude: u128, radix: Radix, out: &mut String) {
    if negative {
        out.push('-');
    }
    match radix {
        Radix::Hex => push(out, format_args!("{magnitude:#x}")),
        Radix::Dec => push(out, format_args!("{magnitude}")),
        Radix::Padded(digits) => push(out, format_args!("{magnitude:0width$}", width = usize::from(digits))),
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a String does not fail");
}
