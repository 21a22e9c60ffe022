//! Texts as the reference prints them, of words and of values of fields: used by the codec, messages and docs.

use crate::model::{Field, Form, Piece, Raw, When, Word, ones};
use isa_runtime::float_text::FloatText;
use isa_runtime::value::{Code, Number, Numbered, Other, Spelling, Style};
use std::fmt::Write;

/// Appends the text of some pieces of a form, for a word at `address`. `names` are those of registers that programs name, by
/// number; where a piece is one of several texts, `choose` picks one, given their number.
///
/// # Panics
/// If `choose` returns an index out of range.
pub fn print_pieces(
    form: &Form,
    pieces: &[Piece],
    (word, names): (Word, &[String]),
    address: u64,
    choose: &mut dyn FnMut(usize) -> usize,
    out: &mut String,
) {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.push_str(text),
            Piece::Field { field, spelling } => {
                let is_name = form.names.iter().any(|n| n.field == *field);
                let field = &form.fields[*field];
                let raw = field.bits.get(word);
                match names.get(raw as usize).filter(|_| is_name) {
                    Some(name) => out.push_str(name),
                    None => print_value(&field.code, spelling, raw, address, out),
                }
            }
            Piece::Reading(reading) => {
                let field = &reading.field;
                print_value(&field.code, &field.spelling, field.bits.get(word), address, out);
            }
            Piece::Group { when, body } => {
                let there = match when {
                    When::Differs(fields) => !form.at_default(fields).contains(word),
                    When::Holds(condition) => condition.words.contains(word),
                };
                if there {
                    print_pieces(form, body, (word, names), address, choose, out);
                }
            }
            Piece::OneOf(list) => {
                let texts = &form.bodies[*list];
                print_pieces(form, &texts[choose(texts.len())], (word, names), address, choose, out);
            }
        }
    }
}

/// Appends the text of some bits of a field in a word at an address: a target as an address, and a number that has no text after
/// `?`.
pub fn print_value(code: &Code, spelling: &Spelling, raw: Raw, address: u64, out: &mut String) {
    let number = code.shown(raw, address).unwrap_or(raw.into());
    for part in &spelling.parts {
        // A number with names has no sign.
        let index = number.low() & ones(code.number_width());
        let index = part.of.map_or(index, |bits| bits.of(index));
        if let Some(name) = part.printed(index) {
            out.push_str(name);
            continue;
        }
        match &part.other {
            Some(Other::Number(Style::Float(style))) => {
                let bits = (number.low() as u64) << u32::from(style.format).saturating_sub(code.number_width());
                out.push_str(FloatText::new(bits, *style).as_str());
            }
            Some(Other::Number(style)) => print_number(number, *style, out),
            Some(Other::Numbered(numbered) | Other::Given { example: numbered, .. })
                if numbered.end.is_none_or(|end| index < end) =>
            {
                print_numbered(index, numbered, out);
            }
            // A word with such a value does not match its form; a word that is only being explained may have it.
            _ => push(out, format_args!("?{index}")),
        }
    }
}

/// The text of some bits of a field in a word at address 0.
pub fn value_text(field: &Field, raw: Raw) -> String {
    let mut text = String::new();
    print_value(&field.code, &field.spelling, raw, 0, &mut text);
    text
}

fn print_numbered(index: Raw, numbered: &Numbered, out: &mut String) {
    out.push_str(&numbered.before);
    match &numbered.halves {
        Some(halves) => push(out, format_args!("{}{}", index >> 1, halves[(index & 1) as usize])),
        None if numbered.is_hex => push(out, format_args!("{index:#x}")),
        None => push(out, format_args!("{index}")),
    }
    out.push_str(&numbered.after);
}

fn print_number(number: Number, style: Style, out: &mut String) {
    match style {
        Style::Hex => push(out, format_args!("{number:x}")),
        Style::Dec | Style::Float(_) => push(out, format_args!("{number}")),
        Style::PaddedHex(digits) => {
            let sign = if number.negative { "-" } else { "" };
            push(out, format_args!("{sign}0x{:0width$x}", number.magnitude, width = usize::from(digits)));
        }
        Style::Padded(digits) => {
            let sign = if number.negative { "-" } else { "" };
            push(out, format_args!("{sign}{:0width$}", number.magnitude, width = usize::from(digits)));
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a String does not fail");
}
