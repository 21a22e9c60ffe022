//! Texts of instructions as readers of a manual know them: the names of fields, parts that can be missing, and no notation of the
//! language.

use super::forms::only;
use super::text::condition;
use isa_reference::codec::print_value;
use isa_runtime::value::Spelling;
use isa_spec::model::{Field, Form, Isa, Label, Piece, When};

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Literal(String),
    /// A field or a reading, by its path.
    Field(String),
    /// Parts that can be missing.
    Optional {
        /// The condition, or the field, that decides it.
        when: String,
        body: Vec<Self>,
    },
}

/// A text of an instruction.
pub(super) struct Syntax {
    pub(super) parts: Vec<Part>,
    /// Texts that are read and never printed.
    pub(super) also: Vec<Vec<Part>>,
    /// The forms that have it; empty for all.
    pub(super) forms: String,
}

/// Each different text, with what is also read, and the forms that have it.
pub(super) fn syntaxes(isa: &Isa, forms: &[Form]) -> Vec<Syntax> {
    let mut texts: Vec<(Syntax, Vec<&Form>)> = Vec::new();
    for form in forms {
        let shown = parts(isa, form, form.base());
        let also = also(isa, form);
        match texts.iter_mut().find(|(text, _)| text.parts == shown && text.also == also) {
            Some((_, users)) => users.push(form),
            None => texts.push((Syntax { parts: shown, also, forms: String::new() }, vec![form])),
        }
    }
    texts.into_iter().map(|(text, users)| Syntax { forms: only(isa, &users, forms.len()), ..text }).collect()
}

/// The texts that are read and never printed, without those that differ from others only in marks that can be missing.
fn also(isa: &Isa, form: &Form) -> Vec<Vec<Part>> {
    let own = form.also.iter().skip(usize::from(form.has_base)).filter(|pieces| !has_lists(pieces));
    let mut all: Vec<Vec<Part>> = Vec::new();
    for text in own.map(|pieces| parts(isa, form, pieces)) {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

fn has_lists(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::OneOf(_) => true,
        Piece::Group { body, .. } => has_lists(body),
        _ => false,
    })
}

/// A text with all of its parts.
fn parts<'p>(isa: &Isa, form: &Form, pieces: impl IntoIterator<Item = &'p Piece>) -> Vec<Part> {
    let part = |piece: &Piece| match piece {
        Piece::Literal(text) => Part::Literal(text.clone()),
        Piece::Field { field, spelling } => {
            let field = &form.fields[*field];
            match field.label {
                // What a flag prints says more than its name.
                Label::Flag if is_empty(field, spelling) => {
                    Part::Optional { when: field.path.clone(), body: vec![Part::Literal(spelling.set_text())] }
                }
                _ => Part::Field(field.path.clone()),
            }
        }
        Piece::Reading(reading) => Part::Field(reading.field.path.clone()),
        Piece::OneOf(_) => Part::Field("body".to_owned()),
        Piece::Group { when, body } => {
            let when = match when {
                When::Differs(fields) => {
                    let names: Vec<&str> = fields.iter().map(|field| form.fields[*field].path.as_str()).collect();
                    names.join(", ")
                }
                When::Holds(when) => condition(isa, form, when),
            };
            Part::Optional { when, body: parts(isa, form, body.as_slice()) }
        }
    };
    pieces.into_iter().map(part).collect()
}

/// A template as it is declared, with the fields by name: of `{x:d}` their styles are left out.
pub(super) fn declared(template: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((before, name, after)) = rest.split_once('{').and_then(|(before, behind)| {
        let (name, after) = behind.split_once('}')?;
        Some((before, name, after)).filter(|_| !before.ends_with('\\'))
    }) {
        parts.push(Part::Literal(before.to_owned()));
        parts.push(Part::Field(name.split(':').next().unwrap_or_default().to_owned()));
        rest = after;
    }
    parts.push(Part::Literal(rest.to_owned()));
    parts.retain(|part| *part != Part::Literal(String::new()));
    parts
}

/// The text in short: without the parts that are missing by default, if the others have the mnemonic.
pub(super) fn short(isa: &Isa, form: &Form) -> Vec<Part> {
    fn kept<'p>(form: &Form, pieces: &'p [Piece], out: &mut Vec<&'p Piece>) {
        for piece in pieces {
            match piece {
                Piece::Field { field, spelling } if is_empty(&form.fields[*field], spelling) => {}
                Piece::Group { when: When::Differs(_), .. } => {}
                Piece::Group { when: When::Holds(when), body } => {
                    if when.words.contains(form.default_word()) {
                        kept(form, body, out);
                    }
                }
                _ => out.push(piece),
            }
        }
    }
    let mut pieces = Vec::new();
    kept(form, form.base(), &mut pieces);
    let mnemonic = isa.instruction(form.instruction).mnemonic.as_str();
    match pieces.iter().any(|piece| matches!(piece, Piece::Literal(text) if text.contains(mnemonic))) {
        true => parts(isa, form, pieces),
        false => parts(isa, form, form.base()),
    }
}

/// True if a field prints nothing by default.
fn is_empty(field: &Field, spelling: &Spelling) -> bool {
    if !matches!(field.label, Label::Flag | Label::Enum(_)) || !spelling.has(field.index(field.default)) {
        return false;
    }
    let mut text = String::new();
    print_value(&field.code, spelling, field.default, 0, &mut text);
    text.is_empty()
}

/// True if every text of a form has a field, so that it never has its default for being left out.
pub(super) fn is_in_every_text(form: &Form, field: usize) -> bool {
    fn has(form: &Form, pieces: &[Piece], index: usize) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Field { field, spelling } => *field == index && !is_empty(&form.fields[*field], spelling),
            Piece::OneOf(list) => form.bodies[*list].iter().all(|body| has(form, body, index)),
            Piece::Literal(_) | Piece::Reading(_) | Piece::Group { .. } => false,
        })
    }
    let printed = (!form.has_base).then_some(&form.text);
    printed.into_iter().chain(&form.also).all(|text| has(form, text, field))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"
isa: t
word: 16
registers: { R: { index: 2, width: 8, text: "r{n}" } }
enums: { Size: ["", .b], Target: ["", "a=", "b=", "c="] }
choices:
  B:
    reg: { fix: { 15: 0 }, fields: { r: 1..0 R }, ignored: 14, text: "{r}" }
    sum: { fix: { 15: 1 }, fields: { n: 1..0 }, reserved: 14, text: "{n}+1", also: "1+{n}" }
instructions:
  ld:
    fix: { 13..8: 5 }
    choose: { b: B }
    fields: { s: 7 ".s", z: 6 Size, p: 5..4 R = r3, d: 3..2 R }
    text: "ld{s}{z} {d}, {b}<, {p}><when d == r0: !>"
  c:
    fix: { 15..4: 0xfff }
    fields: { x: 3..2 Target, y: 1..0 R }
    text: "{x}{y}"
"#;

    /// A text without markup: `LD x, DT`; neighbouring fields are separated.
    fn plain(parts: &[Part]) -> String {
        let mut out = String::new();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Field(path) => {
                    let is_neighbour = at > 0 && matches!(parts[at - 1], Part::Field(_));
                    out.push_str(if is_neighbour { " " } else { "" });
                    out.push_str(path);
                }
                Part::Optional { body, .. } => out.push_str(&plain(body)),
            }
        }
        out
    }

    fn isa() -> Isa {
        let loaded = isa_spec::load_str("t.yaml", SPEC, None);
        loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
    }

    #[test]
    fn texts_as_readers_know_them() {
        let isa = isa();
        let texts = |at: usize| syntaxes(&isa, isa.forms_of(&isa.instructions[at]));
        let shown: Vec<_> = texts(0).iter().map(|text| (plain(&text.parts), text.forms.clone())).collect();
        let expected = [("ld.sz d, r, p!", "reg"), ("ld.sz d, n+1, p!", "sum")];
        assert_eq!(shown, expected.map(|(text, forms)| (text.to_owned(), forms.to_owned())));
        assert_eq!(texts(0)[1].also.iter().map(|text| plain(text)).collect::<Vec<_>>(), ["ld.sz d, 1+n, p!"]);
        assert_eq!(plain(&texts(1)[0].parts), "x y");
        let optional: Vec<_> = texts(0)[0].parts.iter().filter(|part| matches!(part, Part::Optional { .. })).cloned().collect();
        let literal = |text: &str| Part::Literal(text.to_owned());
        let part = |when: &str, body: Vec<Part>| Part::Optional { when: when.to_owned(), body };
        let group = part("p", vec![literal(", "), Part::Field("p".to_owned())]);
        assert_eq!(optional, [part("s", vec![literal(".s")]), group, part("d == r0", vec![literal("!")])]);
    }

    #[test]
    fn a_short_text_is_without_what_can_be_missing() {
        let isa = isa();
        let short = |at: usize| plain(&short(&isa, &isa.forms_of(&isa.instructions[at])[0]));
        assert_eq!((short(0).as_str(), short(1).as_str()), ("ld d, r!", "x y"));
    }

    #[test]
    fn declared_templates_by_name() {
        assert_eq!(plain(&declared("beqz {rs1},{to:x}<, {p}>")), "beqz rs1,to<, p>");
        assert_eq!(plain(&declared("{a}{b} }{")), "a b }{");
    }

    #[test]
    fn fields_that_can_be_left_out() {
        let isa = isa();
        let form = &isa.forms[0];
        let left_out: Vec<_> = (0..form.fields.len()).filter(|field| !is_in_every_text(form, *field)).collect();
        let left_out: Vec<_> = left_out.into_iter().map(|field| form.fields[field].path.as_str()).collect();
        assert_eq!(left_out, ["s", "z", "p"]);
    }
}
