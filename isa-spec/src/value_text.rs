//! The text of a field's value: what the model says of it, for codec, checks and texts alike.

use crate::model::{Field, Isa, Kind, Radix, Raw};
use isa_runtime::float_text::FloatText;
use isa_runtime::value::Number;
use std::fmt::Write;

/// Appends the text of a field's bits. Numbers print as their value; a target as an address.
pub fn print_value(isa: &Isa, field: &Field, raw: Raw, radix: Option<Radix>, address: u64, out: &mut String) {
    let index = || field.index(raw);
    match &field.kind {
        Kind::Flag(text) => {
            if index() != 0 {
                out.push_str(text);
            }
        }
        Kind::Bitset(letters) => {
            let set = index();
            out.extend(letters.chars().enumerate().map(|(i, c)| if set >> i & 1 != 0 { c } else { '-' }));
        }
        Kind::Register(id) => match isa.registers[id.index()].name_of(index()) {
            Some(name) => out.push_str(&name),
            // A word with such a register does not match its form; a word that is only being explained may have it.
            None => push(out, format_args!("?{}", index())),
        },
        Kind::Enum(id) => match isa.enums[id.index()].text_of(index()) {
            Some(text) => out.push_str(&text),
            None => push(out, format_args!("?{}", index())),
        },
        Kind::Number(own) => match radix.or(*own).unwrap_or(isa.numbers) {
            Radix::Float(format) => {
                let bits = (raw as u64) << u32::from(format).saturating_sub(field.code.width);
                out.push_str(FloatText::new(bits, format.into()).as_str());
            }
            radix => print_number(field.code.shown(raw, address).unwrap_or(raw.into()), radix, out),
        },
    }
}

/// Whether fields, perhaps of two versions of an instruction set, have as many bits and print the same for the same bits.
pub(crate) fn print_alike((isa, a): (&Isa, &Field), (other, b): (&Isa, &Field)) -> bool {
    if a.code != b.code {
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
            (Kind::Number(a), Kind::Number(b)) => a == b && (a.is_some() || isa.numbers == other.numbers),
            (x, y) => x == y,
        }
}

fn print_number(number: Number, radix: Radix, out: &mut String) {
    match radix {
        Radix::Hex => push(out, format_args!("{number:x}")),
        Radix::Dec | Radix::Float(_) => push(out, format_args!("{number}")),
        Radix::Padded(digits) => {
            let sign = if number.negative { "-" } else { "" };
            push(out, format_args!("{sign}{:0width$}", number.magnitude, width = usize::from(digits)));
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a String does not fail");
}
