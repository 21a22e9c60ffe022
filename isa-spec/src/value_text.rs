//! The text of a field's value: what the model says of it, for codec, checks and texts alike.

use crate::model::{Field, Isa, Kind, Radix, Raw, ones};
use crate::span::Span;
use isa_runtime::float_text::FloatText;
use std::fmt::Write;

/// Appends the text of a field's bits. Numbers print as their value; a target as an address.
pub fn print_value(isa: &Isa, field: &Field, raw: Raw, radix: Option<Radix>, address: u64, out: &mut String) {
    let width = field.bits.width();
    let raw = field.flipped(raw);
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
            if let (Some(value), Some(bits)) = (number(&field.kind, width, raw), modulus(isa, field)) {
                let base = target.map_or(0, |offset| address.wrapping_add(offset as u64));
                return print_number(false, u128::from(base.wrapping_add(value as u64)) & ones(bits), radix, out);
            }
            match (number(&field.kind, width, raw), target) {
                (Some(value), Some(offset)) => {
                    let value = (address as i64).wrapping_add(*offset).wrapping_add(value as i64);
                    print_number(value < 0, u128::from(value.unsigned_abs()), radix, out);
                }
                (_, None) if let Radix::Float(format) = radix => {
                    let bits = (raw as u64) << u32::from(format).saturating_sub(width);
                    out.push_str(FloatText::new(bits, format.into()).as_str());
                }
                (Some(value), None) => print_number(value < 0, value.unsigned_abs(), radix, out),
                (None, _) => print_number(false, raw, radix, out),
            }
        }
    }
}

/// Whether fields, perhaps of two versions of an instruction set, have as many bits and print the same for the same bits.
pub(crate) fn print_alike((isa, a): (&Isa, &Field), (other, b): (&Isa, &Field)) -> bool {
    if (a.inverted, a.wraps, a.modulo, a.bits.width()) != (b.inverted, b.wraps, b.modulo, b.bits.width()) {
        return false;
    }
    let is_one = std::ptr::eq(isa, other) && a.kind == b.kind;
    is_one
        || match (&a.kind, &b.kind) {
            (Kind::Register(x), Kind::Register(y)) => {
                let [x, y] = [&isa.registers[x.index()], &other.registers[y.index()]];
                (&x.prefix, &x.suffix, &x.halves, &x.special, &x.names, x.count)
                    == (&y.prefix, &y.suffix, &y.halves, &y.special, &y.names, y.count)
            }
            (Kind::Enum(x), Kind::Enum(y)) => {
                let [x, y] = [&isa.enums[x.index()], &other.enums[y.index()]];
                let values = x.values.len() == y.values.len()
                    && x.values.iter().zip(&y.values).all(|(v, w)| (v.value, &v.text) == (w.value, &w.text));
                values && x.otherwise == y.otherwise
            }
            (Kind::Int { radix, .. }, kind) => {
                let is_style = radix.is_some() || isa.numbers == other.numbers;
                a.kind == *kind && is_style && (!a.wraps || address_bits(isa) == address_bits(other))
            }
            (x, y) => x == y,
        }
}

/// Bits of an address of code, modulo which targets wrap: those of the machine's pc, or 64 where there is no machine.
pub fn address_bits(isa: &Isa) -> u32 {
    if isa.machine.span == Span::default() { 64 } else { isa.machine.pc.clamp(1, 64) }
}

/// Bits in which the number of a field wraps, if it does: those of an address, or as many as the field says.
pub fn modulus(isa: &Isa, field: &Field) -> Option<u32> {
    match field.kind {
        Kind::Int { target: Some(_), .. } if field.wraps => Some(address_bits(isa)),
        _ => field.modulo,
    }
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
        Radix::Dec | Radix::Float(_) => push(out, format_args!("{magnitude}")),
        Radix::Padded(digits) => push(out, format_args!("{magnitude:0width$}", width = usize::from(digits))),
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a String does not fail");
}
