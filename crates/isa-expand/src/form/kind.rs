//! The label of a field (a number, a register, a value of an enumeration, a flag, a set of bits), its code and its spelling.

use crate::context::Context;
use isa_model::diag::{Diagnostic, nearest};
use isa_model::model::{EnumId, Isa, Label, NumberCode, Numbers, Raw, RegisterId, ones};
use isa_model::span::{Span, Text};
use isa_runtime::value::{Code, Spelling, Step};
use isa_syntax::lang;
use std::sync::Arc;

/// Bits of a number that has a sign, a scale or a bias, once it is scaled.
const MAX_VALUE: u32 = 126;

/// Bits of a bitset.
const MAX_LETTERS: u32 = 64;

/// The way from the bits of a field to their number by a code of the specification.
fn coded(cx: &Context<'_, '_>, code: &NumberCode, entry: &lang::FieldEntry, width: u32, span: Span) -> Option<Code> {
    cx.mark_used(code.span);
    if width != code.width {
        let message = format!("the code `{}` is of {} bits, not {width}", code.name, code.width);
        cx.report(Diagnostic::error("width", message, span).with_label(code.span, "the code"));
        return None;
    }
    let is_inverted = !entry.bit_steps.is_empty();
    let is_moved = entry.signed.is_some() || entry.scale.is_some() || entry.bias.is_some() || entry.target.is_some();
    match &code.numbers {
        Numbers::Listed(_) if is_moved || is_inverted || entry.wraps.is_some() => {
            let message = "numbers that are listed are not signed, scaled, biased, inverted, wrapping or a target";
            let help = format!("`{}` has at most 16 bits: its function can compute what is printed", code.name);
            cx.report(Diagnostic::error("meaning", message, span).with_help(help));
        }
        Numbers::Steps(_) if is_inverted || entry.wraps.is_some() => {
            cx.error("meaning", "the numbers of a code are not inverted or wrapping", span);
        }
        _ => {}
    }
    Some(code.code())
}

/// The label of a field, its spelling, and its code but for what wraps.
pub(crate) fn meaning(
    cx: &Context<'_, '_>,
    isa: &Isa,
    entry: &lang::FieldEntry,
    width: u32,
    text: &Text,
    span: Span,
) -> Option<(Label, Arc<Spelling>, Code)> {
    let number = entry.scale.is_some() || entry.bias.is_some() || entry.style.is_some() || entry.target.is_some();
    let code = Code::plain(width).then_all(entry.bit_steps.iter().copied());
    let int = |code: Code, signed: bool| {
        let scale = entry.scale.as_ref().map_or(1, |s| s.0);
        if scale == 0 {
            cx.error("value", "a scale can't be 0", entry.scale.as_ref().map_or(span, |s| text.at(s.1.clone())));
        }
        let scale = if scale == 0 { 1 } else { scale };
        for (what, number) in [("scale", &entry.scale), ("bias", &entry.bias)] {
            if let Some((_, range)) = number.as_ref().filter(|(n, _)| n.unsigned_abs() > 1 << 62) {
                cx.error("range", format!("a {what} is at most 2^62, with or without a sign"), text.at(range.clone()));
            }
        }
        // With a sign, values are computed in 128 bits.
        let bits = width + Raw::from(scale.unsigned_abs()).next_power_of_two().ilog2();
        if (signed || scale != 1 || entry.bias.is_some()) && bits > MAX_VALUE && scale.unsigned_abs() <= 1 << 62 {
            let message = format!("numbers with a sign, a scale or a bias have at most {MAX_VALUE} bits, and these have {bits}");
            cx.error("range", message, span);
        }
        let code = if signed { code.then(Step::Sign) } else { code };
        let code = code.then(Step::Times(scale)).then(Step::Plus(entry.bias.as_ref().map_or(0, |b| b.0)));
        let spelling = Arc::new(Spelling::number(entry.style.unwrap_or(isa.numbers)));
        (
            Label::Number,
            spelling,
            code.then_all(entry.target.iter().flat_map(|origin| [Step::Page(origin.page), Step::Relative(origin.offset)])),
        )
    };
    let (label, spelling) = match entry.meaning.as_ref().map(|m| &m.0) {
        None => return Some(int(code, entry.signed.is_some())),
        Some(lang::Meaning::Unsigned) => {
            if let Some(range) = &entry.signed {
                cx.error("meaning", "this number is `unsigned`", text.at(range.clone()));
            }
            return Some(int(code, false));
        }
        Some(lang::Meaning::Signed) => return Some(int(code, true)),
        Some(lang::Meaning::Flag(text)) => {
            if width != 1 {
                cx.error("width", format!("a flag is one bit, not {width}"), span);
            }
            (Label::Flag, Arc::new(Spelling::flag(text)))
        }
        Some(lang::Meaning::Bitset(letters)) => {
            if letters.chars().count() as u32 != width {
                cx.error("width", format!("{} letters for {width} bits", letters.chars().count()), span);
            }
            let bad =
                letters.chars().enumerate().find(|(i, c)| !c.is_ascii_graphic() || *c == '-' || letters.find(*c) != Some(*i));
            if let Some((_, c)) = bad {
                let message = match c {
                    '-' => "`-` marks a clear bit, and can't be the letter of a set bit".to_string(),
                    c if c.is_ascii_graphic() => format!("two bits have the letter `{c}`"),
                    c => format!("the letters of a bitset are ASCII characters other than blanks: not {c:?}"),
                };
                cx.error("meaning", message, span);
            } else if width > MAX_LETTERS {
                cx.error("width", format!("a bitset has at most {MAX_LETTERS} bits, not {width}"), span);
            }
            (Label::Set, Arc::new(Spelling::letters(letters)))
        }
        Some(lang::Meaning::Name(name)) => {
            if let Some(i) = isa.registers.iter().position(|r| r.name == *name) {
                let file = &isa.registers[i];
                cx.mark_used(file.span);
                if width > file.index {
                    let message = format!("a register of `{name}` is numbered by {} bits, not {width}", file.index);
                    let error = Diagnostic::error("width", message, span).with_label(file.span, "the register file");
                    cx.report.too_wide.borrow_mut().entry((file.span, width)).or_default().push(error);
                    cx.report.unsound.set(true);
                    return None;
                }
                if width == file.index {
                    cx.report.numbered.borrow_mut().insert(file.span);
                }
                (Label::Register(RegisterId(i as u32)), file.spelling.clone())
            } else if let Some(i) = isa.enums.iter().position(|e| e.name == *name) {
                let e = &isa.enums[i];
                cx.mark_used(e.span);
                if let Some(v) = e.values.iter().find(|v| v.value > ones(width)) {
                    let message = format!("the value {} of `{name}` does not fit into {width} bits", v.value);
                    cx.report(Diagnostic::error("width", message, span).with_label(e.span, "the enumeration"));
                    return None;
                }
                (Label::Enum(EnumId(i as u32)), e.spelling.clone())
            } else if let Some(code) = isa.codes.iter().find(|code| code.name == *name) {
                return coded(cx, code, entry, width, span).map(|code| int(code, entry.signed.is_some()));
            } else if cx.spec.codes.iter().any(|code| code.name.value == *name) {
                // The fault was already reported.
                return None;
            } else {
                let known: Vec<&str> = cx.spec.meanings().map(|name| name.value.as_str()).collect();
                let keywords = if nearest(name, known.iter().copied()).is_some() { &[] } else { lang::FIELD_WORDS };
                let near = nearest(name, keywords.iter().copied());
                cx.unknown("register file, enumeration or code", name, span, known.into_iter().chain(near));
                return None;
            }
        }
    };
    if let Some(range) = &entry.signed {
        cx.error("meaning", "only numbers have a sign", text.at(range.clone()));
    }
    if number {
        cx.error("meaning", "only numbers are scaled, biased, relative or printed in another base", span);
    }
    Some((label, spelling, code))
}
