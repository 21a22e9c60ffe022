//! Pieces of the model as people read them.

use isa_reference::codec::print_value;
use isa_runtime::value::{Code, FloatStyle, Spelling, Step, Style};
use isa_spec::model::{Compared, Cond, Condition, Doc, DocRef, Field, Form, Isa, Label, Piece, Raw, When, Word, ones};
use isa_spec::sets::{Cube, WordSet};

/// The source of a fact: `ampere-sass.txt:17-59, 62, nvdisasm`; empty if the spec does not give it.
pub fn provenance(isa: &Isa, doc: &Doc) -> String {
    let mut out = String::new();
    let mut last = None;
    for DocRef { source: id, lines } in &doc.0 {
        let source = &isa.sources[id.index()];
        let name = if source.file.is_empty() { &source.name } else { &source.file };
        let name = name.rsplit('/').next().unwrap_or(name);
        let again = lines.is_some() && last == Some(*id);
        last = lines.map(|_| *id);
        out.push_str(if out.is_empty() { "" } else { ", " });
        out.push_str(if again { "" } else { name });
        out.push_str(if again || lines.is_none() { "" } else { ":" });
        match lines {
            None => {}
            Some((first, last)) if first == last => out.push_str(&first.to_string()),
            Some((first, last)) => out.push_str(&format!("{first}-{last}")),
        }
    }
    out
}

/// The style of a number, where it is not the one of the instruction set.
pub(crate) fn own_style(isa: &Isa, spelling: &Spelling) -> Option<Style> {
    spelling.style().filter(|style| *style != isa.numbers)
}

/// A style as in the template of a specification, after the colon: `x`, `d`, `02`, `f32`.
pub(crate) fn style_text(style: Style) -> String {
    match style {
        Style::Hex => "x".into(),
        Style::Dec => "d".into(),
        Style::Padded(digits) => format!("{digits:02}"),
        Style::PaddedHex(digits) => format!("{digits:02}x"),
        Style::Float(FloatStyle { format, digits: 0 }) => format!("f{format}"),
        Style::Float(FloatStyle { format, digits }) => format!("f{format}({digits})"),
    }
}

/// The bits cleared in the address from which a target is counted, in words.
fn page(code: &Code) -> String {
    match code.relative().map_or(0, |origin| origin.page) {
        0 => String::new(),
        1 => " with bit 0 cleared".to_owned(),
        bits => format!(" with bits {}..0 cleared", bits - 1),
    }
}

/// The meaning of the bits of a field, in words: `register R`, `4 × signed`.
pub(super) fn meaning(isa: &Isa, label: Label, spelling: &Spelling, code: &Code) -> String {
    let text = match label {
        Label::Number => {
            let mut text = if let Some(known) = isa.code_of(code) {
                format!("{}number by {}", if code.is_signed() { "signed " } else { "" }, known.name)
            } else if code.is_signed() {
                "signed".to_owned()
            } else {
                "unsigned".to_owned()
            };
            for step in code.steps() {
                match step {
                    Step::Times(factor) => text = format!("{factor} × {text}"),
                    Step::Plus(more) => text = format!("{text} {} {}", if *more < 0 { '-' } else { '+' }, more.unsigned_abs()),
                    Step::Relative(0) => text.push_str(&format!(", relative to this address{}", page(code))),
                    Step::Relative(offset) => text.push_str(&format!(", relative to this address + {offset}{}", page(code))),
                    _ => {}
                }
            }
            match own_style(isa, spelling) {
                Some(Style::Dec) => text.push_str(", printed in decimal"),
                Some(Style::Hex) => text.push_str(", printed in hexadecimal"),
                Some(Style::Float(style)) => {
                    let number = format!("floating-point number of {} bits", style.format);
                    let digits = if style.digits > 0 {
                        format!(", printed with an exponent and {} digits", style.digits)
                    } else {
                        String::new()
                    };
                    text = if text == "unsigned" { number + &digits } else { format!("{text}, a {number}{digits}") };
                }
                Some(Style::Padded(n)) => text.push_str(&format!(", printed with {n} digits")),
                Some(Style::PaddedHex(n)) => text.push_str(&format!(", printed with {n} hexadecimal digits")),
                None => {}
            }
            text
        }
        Label::Register(id) => format!("register {}", isa.registers[id.index()].name),
        Label::Enum(id) => isa.enums[id.index()].name.clone(),
        Label::Flag => format!("flag {}", spelling.set_text()).trim_end().to_owned(),
        Label::Set => format!("set of {}", spelling.set_text()),
    };
    code.bit_steps().iter().fold(text, |text, step| match step {
        Step::Not => format!("{text}, inverted ({:#x} - bits)", ones(code.width)),
        _ => text,
    })
}

/// The value of a field with these raw bits, as text: a register's name, an enumeration's text, a number.
pub(super) fn value(field: &Field, raw: Raw) -> String {
    let bits = field.index(raw);
    let style = field.spelling.style();
    match field.label {
        Label::Flag => if bits == 0 { "clear" } else { "set" }.into(),
        Label::Number if !matches!(style, Some(Style::Float(_))) => match field.code.value(raw) {
            Some(n) if n.magnitude < 10 || !style.is_some_and(Style::is_hex) => n.to_string(),
            Some(n) => format!("{n:x}"),
            None => format!("{bits:#x}"),
        },
        // A number without a text of its own.
        Label::Register(_) | Label::Enum(_) if !field.spelling.has(bits) => format!("{bits:#x}"),
        _ => {
            let mut out = String::new();
            print_value(&field.code, &field.spelling, raw, 0, &mut out);
            out
        }
    }
}

/// The default as a table shows it: empty for a flag or number that is 0, and for a name that programs give.
pub(super) fn default(field: &Field) -> String {
    let nothing = match field.label {
        Label::Flag | Label::Number => field.default == 0,
        // A name that a program gives is never left out.
        _ => field.spelling.given().is_some(),
    };
    match value(field, field.default) {
        _ if nothing => String::new(),
        text if text.is_empty() => "\"\"".into(),
        text => text,
    }
}

/// A text as a template of the language: `IADD3{x} {rd}<, {pu}>`.
pub(super) fn template(isa: &Isa, form: &Form, pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                for c in text.chars() {
                    if "<>{}\\".contains(c) {
                        out.push('\\');
                    }
                    out.push(c);
                }
            }
            Piece::Field { field, spelling } => {
                let field = &form.fields[*field];
                let style = spelling.style().filter(|style| field.spelling.style() != Some(*style));
                let style = style.map_or(String::new(), |style| format!(":{}", style_text(style)));
                out.push_str(&format!("{{{}{style}}}", field.path));
            }
            Piece::Reading(reading) => out.push_str(&format!("{{{}}}", reading.field.path)),
            // A text that is shown is one that is printed.
            Piece::OneOf(_) => out.push_str("{body}"),
            Piece::Group { when, body } => {
                let body = template(isa, form, body);
                match when {
                    When::Differs(_) => out.push_str(&format!("<{body}>")),
                    When::Holds(when) => out.push_str(&format!("<when {}: {body}>", condition(isa, form, when))),
                }
            }
        }
    }
    out
}

/// A larger condition is quoted as the specification has it.
const MAX_SIZE: usize = 64;

/// A condition in the language's notation.
pub(super) fn condition(isa: &Isa, form: &Form, condition: &Condition) -> String {
    if condition.cond.size(MAX_SIZE) < MAX_SIZE {
        return composed(form, &condition.cond);
    }
    let text = &isa.files.file(condition.span.file).text;
    text.get(condition.span.range()).unwrap_or_default().to_owned()
}

fn composed(form: &Form, cond: &Cond) -> String {
    match cond {
        Cond::Const(true) => "always".into(),
        Cond::Const(false) => "never".into(),
        Cond::Not(inner) => match &**inner {
            Cond::Test { field, values } => test(&form.fields[*field], values, true),
            Cond::Read { reading, values } => test(&reading.field, values, true),
            Cond::Same([a, b]) => format!("{} != {}", form.fields[*a].path, form.fields[*b].path),
            Cond::Compared(of) => compared(form, of, true),
            other => format!("!({})", composed(form, other)),
        },
        Cond::Same([a, b]) => format!("{} == {}", form.fields[*a].path, form.fields[*b].path),
        Cond::Compared(of) => compared(form, of, false),
        Cond::Test { field, values } => test(&form.fields[*field], values, false),
        Cond::Read { reading, values } => test(&reading.field, values, false),
        Cond::And(parts) => {
            let part = |c: &Cond| {
                if matches!(c, Cond::Or(_)) { format!("({})", composed(form, c)) } else { composed(form, c) }
            };
            parts.iter().map(part).collect::<Vec<_>>().join(" && ")
        }
        Cond::Or(parts) => parts.iter().map(|c| composed(form, c)).collect::<Vec<_>>().join(" || "),
    }
}

/// `imms < immr`, `imms + 1 == immr`, and by number where the fields are of two kinds.
fn compared(form: &Form, Compared { sides, plus, is_less }: &Compared, negated: bool) -> String {
    let [a, b] = sides.each_ref().map(|side| side.field(&form.fields));
    let term = |field: &Field| match a.label == b.label {
        true => field.path.clone(),
        false => format!("number({})", field.path),
    };
    let sum = match plus {
        0 => String::new(),
        plus => format!(" {} {}", if *plus < 0 { '-' } else { '+' }, plus.unsigned_abs()),
    };
    let operator = match (is_less, negated) {
        (false, false) => "==",
        (false, true) => "!=",
        (true, false) => "<",
        (true, true) => ">=",
    };
    format!("{}{sum} {operator} {}", term(a), term(b))
}

/// The greatest number of values or ranges of values that are listed.
const MAX_RANGES: usize = 12;

/// `x`, `!x`, `rd == RZ`, `size in { .U8, .S8 }`; bits that don't matter are `-`: `op == 0b1--0`.
fn test(field: &Field, values: &WordSet, negated: bool) -> String {
    let width = field.bits.width();
    let name = &field.path;
    if values.is_empty() || values.is_all() {
        return if values.is_all() == negated { "never" } else { "always" }.into();
    }
    if let Some(one) = values.only(width).map(Word::low) {
        if width == 1 && matches!(field.label, Label::Flag | Label::Number) {
            // Sets are of bits, conditions of values.
            let is_set = field.index(one) == 1;
            return if is_set != negated { name.clone() } else { format!("!{name}") };
        }
        return format!("{name} {} {}", if negated { "!=" } else { "==" }, named(field, one));
    }
    if values.complement().only(width).map(|one| field.index(one.low())) == Some(0) {
        return if negated { format!("{name} == 0") } else { format!("{name} != 0") };
    }
    let list = ranges(field, values).unwrap_or_else(|| {
        let cubes = values.largest_cubes(MAX_RANGES + 1);
        let more = (cubes.len() > MAX_RANGES).then(|| "…".to_owned());
        cubes.into_iter().take(MAX_RANGES).map(|cube| pattern(field, cube)).chain(more).collect()
    });
    let test = format!("{name} in {{ {} }}", list.join(", "));
    if negated { format!("!({test})") } else { test }
}

/// The values as names or ranges `1 .. 15`, in order, where there are few enough.
fn ranges(field: &Field, values: &WordSet) -> Option<Vec<String>> {
    let is_number = field.label == Label::Number;
    // Neighbours among the bits must be neighbours among the numbers.
    if !field.code.bit_steps().iter().all(|step| *step == Step::Not) {
        return None;
    }
    let mut ranges: Vec<(Raw, Raw)> =
        values.ranges(field.bits.width(), MAX_RANGES)?.into_iter().map(|(first, last)| (first.low(), last.low())).collect();
    if field.code.number_bits(0) > field.code.number_bits(ones(field.code.width)) {
        // The most bits are the least value.
        ranges = ranges.into_iter().map(|(first, last)| (last, first)).rev().collect();
    }
    // Only numbers have values between others; of names each is listed.
    let ranges: Vec<(Raw, Raw)> = match is_number {
        true => ranges,
        false => ranges.into_iter().flat_map(|(a, b)| (a.min(b)..=a.max(b)).take(MAX_RANGES + 1).map(|v| (v, v))).collect(),
    };
    let range = |(first, last): &(Raw, Raw)| match first == last {
        true => named(field, *first),
        false => format!("{} .. {}", named(field, *first), named(field, *last)),
    };
    (ranges.len() <= MAX_RANGES).then(|| ranges.iter().map(range).collect())
}

/// A value by its name.
fn named(field: &Field, raw: Raw) -> String {
    let text = value(field, raw);
    if matches!(field.label, Label::Enum(_)) { format!("\"{text}\"") } else { text }
}

/// A value by its name, or a bit pattern.
fn pattern(field: &Field, cube: Cube) -> String {
    let width = field.bits.width();
    if cube.mask == Word::ones(width) {
        return named(field, cube.value.low());
    }
    let bit = |i: u32| match (cube.mask.has(i), cube.value.has(i)) {
        (false, _) => '-',
        (true, false) => '0',
        (true, true) => '1',
    };
    format!("0b{}", (0..width).rev().map(bit).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_spec::model::Isa;

    const SPEC: &str = r#"
isa: t
word: 8
sources: { doc: { title: a book, file: books/t.txt }, tool: { title: a tool } }
registers: { R: { index: 2, width: 8, text: "r{n}", special: { 3: zero }, zero: zero } }
enums: { Size: ["", .b] }
instructions:
  x:
    doc: 3-4, tool
    fix: { op: 5 }
    fields: { op: 7..5, s: 4 Size, n: "3..2 signed *4", r: 1..0 R = zero }
    text: "x{s} {n}<, {r}><when s == .b && n != 0: !>"
"#;

    fn isa() -> Isa {
        let loaded = isa_spec::load_str("t.yaml", &SPEC.replace("== .b", "== \\\".b\\\""), None);
        let findings: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
        loaded.isa.unwrap_or_else(|| panic!("{findings:?}"))
    }

    #[test]
    fn a_text_is_shown_as_its_template() {
        let isa = isa();
        let form = &isa.forms[0];
        assert_eq!(template(&isa, form, &form.text), "x{s} {n}<, {r}><when s == \".b\" && n != 0: !>");
    }

    #[test]
    fn fields_in_words() {
        let isa = isa();
        let form = &isa.forms[0];
        let shown: Vec<_> = form
            .fields
            .iter()
            .map(|f| format!("{}: {}; {}", f.path, meaning(&isa, f.label, &f.spelling, &f.code), default(f)))
            .collect();
        assert_eq!(shown, ["s: Size; \"\"", "n: 4 × signed; ", "r: register R; zero"]);
        assert_eq!(value(&form.fields[1], 0b10), "-8");
    }

    #[test]
    fn provenance_names_file_and_lines() {
        let isa = isa();
        assert_eq!(provenance(&isa, &isa.instructions[0].doc), "t.txt:3-4, tool");
    }
}
