//! Pieces of the model as people read them.

use isa_runtime::value::{Code, Step};
use isa_spec::codec::print_value;
use isa_spec::model::{Cond, Condition, Doc, DocRef, Field, Form, Isa, Kind, Piece, Radix, Raw, When, Word, ones};
use isa_spec::sets::{Cube, WordSet};

/// Where a fact stands: `ampere-sass.txt:17-59, 62, nvdisasm`; empty if the spec does not say.
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

/// The meaning of the bits of a field, in words: `register R`, `4 × signed`.
pub(super) fn meaning(isa: &Isa, kind: &Kind, code: &Code) -> String {
    let text = match kind {
        Kind::Number(radix) => {
            let mut text = if code.is_signed() { "signed".to_owned() } else { "unsigned".to_owned() };
            for step in code.steps() {
                match step {
                    Step::Times(factor) => text = format!("{factor} × {text}"),
                    Step::Plus(more) => text = format!("{text} {} {}", if *more < 0 { '-' } else { '+' }, more.unsigned_abs()),
                    Step::Relative(0) => text.push_str(", relative to this address"),
                    Step::Relative(offset) => text.push_str(&format!(", relative to this address + {offset}")),
                    Step::Not | Step::Sign | Step::Modulo(_) => {}
                }
            }
            match radix {
                Some(Radix::Dec) if isa.numbers != Radix::Dec => text.push_str(", printed in decimal"),
                Some(Radix::Hex) if isa.numbers != Radix::Hex => text.push_str(", printed in hexadecimal"),
                Some(Radix::Float(bits)) => text = format!("floating-point number of {bits} bits"),
                Some(Radix::Padded(n)) => text.push_str(&format!(", printed with {n} digits")),
                _ => {}
            }
            text
        }
        Kind::Register(id) => format!("register {}", isa.registers[id.index()].name),
        Kind::Enum(id) => isa.enums[id.index()].name.clone(),
        Kind::Flag(text) if text.is_empty() => "flag".into(),
        Kind::Flag(text) => format!("flag {text}"),
        Kind::Bitset(letters) => format!("set of {letters}"),
    };
    let is_inverted = code.is_inverted();
    let inverted = if is_inverted { format!(", inverted ({:#x} - bits)", ones(code.width)) } else { String::new() };
    text + &inverted
}

/// The value of a field with these raw bits, as text: a register's name, an enumeration's text, a number.
pub(super) fn value(isa: &Isa, field: &Field, raw: Raw) -> String {
    let bits = field.index(raw);
    let plain = || format!("{bits:#x}");
    match &field.kind {
        Kind::Number(Some(Radix::Float(_))) => {
            let mut out = String::new();
            print_value(isa, field, raw, None, 0, &mut out);
            out
        }
        Kind::Number(radix) => {
            let decimal = !matches!(radix.unwrap_or(isa.numbers), Radix::Hex);
            match field.code.value(raw) {
                Some(n) if n.magnitude < 10 || decimal => n.to_string(),
                Some(n) => format!("{n:x}"),
                None => plain(),
            }
        }
        Kind::Register(id) => isa.registers[id.index()].name_of(bits).unwrap_or_else(plain),
        Kind::Enum(id) => match isa.enums[id.index()].text_of(bits) {
            Some(text) => text.into_owned(),
            None => plain(),
        },
        Kind::Flag(_) => if raw == 0 { "clear" } else { "set" }.into(),
        Kind::Bitset(letters) => letters.chars().enumerate().map(|(i, c)| if bits >> i & 1 == 1 { c } else { '-' }).collect(),
    }
}

/// The default as a table shows it: nothing where it is nothing special.
pub(super) fn default(isa: &Isa, field: &Field) -> String {
    let nothing = match field.kind {
        Kind::Flag(_) | Kind::Number(_) => field.default == 0,
        // A name that a program gives is never left out.
        Kind::Register(id) => isa.registers[id.index()].names.is_some(),
        _ => false,
    };
    match value(isa, field, field.default) {
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
            Piece::Field { field, radix } => {
                let style = match radix {
                    None => String::new(),
                    Some(Radix::Hex) => ":x".into(),
                    Some(Radix::Dec) => ":d".into(),
                    Some(Radix::Padded(n)) => format!(":{n:02}"),
                    Some(Radix::Float(bits)) => format!(":f{bits}"),
                };
                out.push_str(&format!("{{{}{style}}}", form.fields[*field].path));
            }
            Piece::Fixed(field) => out.push_str(&format!("{{{}}}", field.path)),
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
        return composed(isa, form, &condition.cond);
    }
    let text = &isa.files.file(condition.span.file).text;
    text.get(condition.span.range()).unwrap_or_default().to_owned()
}

fn composed(isa: &Isa, form: &Form, cond: &Cond) -> String {
    match cond {
        Cond::Const(true) => "always".into(),
        Cond::Const(false) => "never".into(),
        Cond::Not(inner) => match &**inner {
            Cond::Test { field, values } => test(isa, &form.fields[*field], values, true),
            Cond::Same([a, b]) => format!("{} != {}", form.fields[*a].path, form.fields[*b].path),
            other => format!("!({})", composed(isa, form, other)),
        },
        Cond::Same([a, b]) => format!("{} == {}", form.fields[*a].path, form.fields[*b].path),
        Cond::Test { field, values } => test(isa, &form.fields[*field], values, false),
        Cond::And(parts) => {
            let part = |c: &Cond| {
                if matches!(c, Cond::Or(_)) { format!("({})", composed(isa, form, c)) } else { composed(isa, form, c) }
            };
            parts.iter().map(part).collect::<Vec<_>>().join(" && ")
        }
        Cond::Or(parts) => parts.iter().map(|c| composed(isa, form, c)).collect::<Vec<_>>().join(" || "),
    }
}

/// So many values or ranges of values are listed.
const MAX_RANGES: usize = 12;

/// `x`, `!x`, `rd == RZ`, `size in { .U8, .S8 }`; bits that don't matter are `-`: `op == 0b1--0`.
fn test(isa: &Isa, field: &Field, values: &WordSet, negated: bool) -> String {
    let width = field.bits.width();
    let name = &field.path;
    if values.is_empty() || values.is_all() {
        return if values.is_all() == negated { "never" } else { "always" }.into();
    }
    if let Some(one) = values.only(width).map(Word::low) {
        if width == 1 && matches!(field.kind, Kind::Flag(_) | Kind::Number(_)) {
            // Sets are of bits, conditions of values.
            let is_set = field.index(one) == 1;
            return if is_set != negated { name.clone() } else { format!("!{name}") };
        }
        return format!("{name} {} {}", if negated { "!=" } else { "==" }, named(isa, field, one));
    }
    if values.complement().only(width).map(|one| field.index(one.low())) == Some(0) {
        return if negated { format!("{name} == 0") } else { format!("{name} != 0") };
    }
    let list = ranges(isa, field, values).unwrap_or_else(|| {
        let cubes = values.largest_cubes(MAX_RANGES + 1);
        let more = (cubes.len() > MAX_RANGES).then(|| "…".to_owned());
        cubes.into_iter().take(MAX_RANGES).map(|cube| pattern(isa, field, cube)).chain(more).collect()
    });
    let test = format!("{name} in {{ {} }}", list.join(", "));
    if negated { format!("!({test})") } else { test }
}

/// The values as names or ranges `1 .. 15`, in order, where there are few enough.
fn ranges(isa: &Isa, field: &Field, values: &WordSet) -> Option<Vec<String>> {
    let is_number = matches!(field.kind, Kind::Number(_));
    let mut ranges: Vec<(Raw, Raw)> =
        values.ranges(field.bits.width(), MAX_RANGES)?.into_iter().map(|(first, last)| (first.low(), last.low())).collect();
    if field.code.is_inverted() {
        // The most bits are the least value.
        ranges = ranges.into_iter().map(|(first, last)| (last, first)).rev().collect();
    }
    // Only numbers have values between others; of names each is listed.
    let ranges: Vec<(Raw, Raw)> = match is_number {
        true => ranges,
        false => ranges.into_iter().flat_map(|(a, b)| (a.min(b)..=a.max(b)).take(MAX_RANGES + 1).map(|v| (v, v))).collect(),
    };
    let range = |(first, last): &(Raw, Raw)| match first == last {
        true => named(isa, field, *first),
        false => format!("{} .. {}", named(isa, field, *first), named(isa, field, *last)),
    };
    (ranges.len() <= MAX_RANGES).then(|| ranges.iter().map(range).collect())
}

/// A value by its name.
fn named(isa: &Isa, field: &Field, raw: Raw) -> String {
    let text = value(isa, field, raw);
    if matches!(field.kind, Kind::Enum(_)) { format!("\"{text}\"") } else { text }
}

/// A value by its name, or a bit pattern.
fn pattern(isa: &Isa, field: &Field, cube: Cube) -> String {
    let width = field.bits.width();
    if cube.mask == Word::ones(width) {
        return named(isa, field, cube.value.low());
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
            .map(|f| format!("{}: {}; {}", f.path, meaning(&isa, &f.kind, &f.code), default(&isa, f)))
            .collect();
        assert_eq!(shown, ["s: Size; \"\"", "n: 4 × signed; ", "r: register R; zero"]);
        assert_eq!(value(&isa, &form.fields[1], 0b10), "-8");
    }

    #[test]
    fn provenance_names_file_and_lines() {
        let isa = isa();
        assert_eq!(provenance(&isa, &isa.instructions[0].doc), "t.txt:3-4, tool");
    }
}
