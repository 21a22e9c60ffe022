//! Control codes: the additions of a form's `full` template to its text, piece by piece, with their bits.

use super::layout::{Cell, diagram};
use super::text::{meaning, provenance};
use isa_reference::codec::print_value;
use isa_spec::model::{Cond, Field, Form, Isa, Label, Piece, Raw, When, Word, ones, shown_fields};

/// The control codes of an instruction set.
pub(super) struct Control {
    /// Two words' control codes: as text leaves them, and with as many of them set as one word allows.
    pub(super) examples: Vec<Vec<Part>>,
    /// The rows of bits that have them.
    pub(super) diagram: Vec<Vec<Cell>>,
    /// Bits of the word.
    pub(super) bits: u32,
    /// Their fields, in the order of the text.
    pub(super) fields: Vec<Code>,
    /// The rules that the codes of a word keep, each with its place.
    pub(super) rules: Vec<(String, String)>,
}

/// A piece of the text.
pub(super) struct Part {
    pub(super) text: String,
    /// The field that it shows; empty for a literal text of the template.
    pub(super) field: String,
    /// Its colour in the diagram.
    pub(super) class: String,
}

/// A field of the control codes.
pub(super) struct Code {
    pub(super) name: String,
    pub(super) class: String,
    pub(super) bits: String,
    pub(super) what: String,
    /// The values with their meanings, if they are few.
    pub(super) values: Vec<(String, String)>,
    pub(super) source: String,
}

/// Lists of values are shown up to this length.
const MOST_VALUES: usize = 16;

/// The number of values of a field that are tried for an example.
const TRIED: Raw = 8;

impl Control {
    /// The control codes of the first form that has any.
    pub(super) fn of(isa: &Isa) -> Option<Self> {
        let has_word = |form: &&Form| !form.full.is_empty() && form.legal.contains(form.default_word());
        let form = isa.forms.iter().find(has_word).filter(|_| !isa.is_text())?;
        let order = shown_fields(&form.full);
        let rows = diagram(form);
        let class = |field: usize| {
            let cells = rows.iter().flatten();
            cells.filter(|c| c.field == form.fields[field].path).map(|c| c.class.clone()).next().unwrap_or_default()
        };
        let mut examples: Vec<Vec<Part>> = Vec::new();
        for word in [form.default_word(), busy(form, &order)] {
            let mut parts = Vec::new();
            print(form, word, &form.full, &class, &mut parts);
            let is_new = examples.iter().all(|other| !other.iter().map(|p| &p.text).eq(parts.iter().map(|p| &p.text)));
            examples.extend(is_new.then_some(parts));
        }
        let has_one = |row: &Vec<Cell>| row.iter().any(|c| order.iter().any(|f| form.fields[*f].path == c.field));
        let fields = order.iter().map(|f| code(isa, &form.fields[*f], class(*f))).collect();
        let everywhere = |why: &str| isa.forms.iter().all(|f| f.constraints.iter().any(|c| c.why == why));
        let is_theirs = |fields: &[usize]| fields.iter().any(|f| order.contains(f));
        let rules = form.constraints.iter().filter(|c| is_theirs(&c.fields) && everywhere(&c.why));
        let rules = rules.map(|c| (c.why.clone(), provenance(isa, &c.doc))).collect();
        let diagram = diagram(form).into_iter().filter(has_one).collect();
        Some(Self { examples, fields, rules, diagram, bits: form.length })
    }
}

/// A legal word in which as many of the fields as can be are not at their defaults.
fn busy(form: &Form, fields: &[usize]) -> Word {
    let mut word = form.default_word();
    // The values allowed for a field can depend on a later one.
    for field in fields.iter().chain(fields).map(|f| &form.fields[*f]) {
        if field.bits.get(word) != field.default {
            continue;
        }
        let most = ones(field.bits.width());
        let values = (1..=most.min(TRIED)).chain([0]).filter(|raw| *raw != field.default);
        let words = values.map(|raw| field.bits.set(word, raw));
        word = words.into_iter().find(|word| form.words.contains(*word) && form.legal.contains(*word)).unwrap_or(word);
    }
    word
}

/// Prints a template for a word, piece by piece.
fn print(form: &Form, word: Word, pieces: &[Piece], class: &dyn Fn(usize) -> String, out: &mut Vec<Part>) {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.push(Part { text: text.clone(), field: String::new(), class: String::new() }),
            Piece::Field { field: at, spelling } => {
                let field = &form.fields[*at];
                let mut text = String::new();
                print_value(&field.code, spelling, field.bits.get(word), 0, &mut text);
                if !text.is_empty() {
                    out.push(Part { text, field: field.path.clone(), class: class(*at) });
                }
            }
            Piece::Reading(reading) => {
                let (field, mut text) = (&reading.field, String::new());
                print_value(&field.code, &field.spelling, field.bits.get(word), 0, &mut text);
                out.push(Part { text, field: String::new(), class: String::new() });
            }
            Piece::Group { when, body } => {
                let is_shown = match when {
                    When::Holds(condition) => condition.words.contains(word),
                    When::Differs(fields) => !form.at_default(fields).contains(word),
                };
                let first = out.len();
                if is_shown {
                    print(form, word, body, class, out);
                }
                // Text that is printed in the absence of a flag depends on the flag's bit.
                if let Some(field) = asked(when) {
                    for part in out[first..].iter_mut().filter(|part| part.field.is_empty()) {
                        (part.field, part.class) = (form.fields[field].path.clone(), class(field));
                    }
                }
            }
            Piece::OneOf(_) => {}
        }
    }
}

/// The one field that a condition asks for.
fn asked(when: &When) -> Option<usize> {
    let mut cond = match when {
        When::Differs(fields) => return fields.first().copied().filter(|_| fields.len() == 1),
        When::Holds(condition) => &condition.cond,
    };
    while let Cond::Not(inner) = cond {
        cond = inner;
    }
    let Cond::Test { field, .. } = cond else { return None };
    Some(*field)
}

fn code(isa: &Isa, field: &Field, class: String) -> Code {
    let prose = if field.summary.trim().is_empty() { field.note.trim() } else { field.summary.trim() };
    let meaning = meaning(isa, field.label, &field.spelling, &field.code);
    let values = match field.label {
        Label::Enum(id) => {
            let e = &isa.enums[id.index()];
            let named = e.values.iter().map(|v| {
                // A number or a word needs no name beside it; a sign does.
                let is_sign = !v.text.contains(char::is_alphanumeric);
                let name = v.name.clone().filter(|_| is_sign).unwrap_or_default();
                (v.text.clone(), if v.note.is_empty() { name } else { v.note.clone() })
            });
            named.collect()
        }
        _ => Vec::new(),
    };
    Code {
        name: field.path.clone(),
        class,
        bits: field.bits.to_string(),
        what: if prose.is_empty() { meaning } else { format!("{prose} ({meaning})") },
        values: if values.len() <= MOST_VALUES { values } else { Vec::new() },
        source: provenance(isa, &field.doc),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"
isa: t
word: 16
numbers: dec
formats:
  f:
    fields: { op: 15..12, wait: { is: '11..9 bitset "abc"', note: what is waited for }, go: '8 "G"', n: 7..4 = 15 }
    constraints: [ { that: "!go || n < 4", why: "`n` with `go` is less than 4" } ]
    full: "[{wait}:{go}<when !go: ->:{n}]"
instructions:
  x: { extends: f, fix: { op: 3 }, ignored: 3..0, text: x }
"#;

    #[test]
    fn codes_of_two_words() {
        let loaded = isa_spec::load_str("t.yaml", SPEC, None);
        let findings: Vec<_> = loaded.diagnostics.iter().map(|d| &d.message).collect();
        let isa = loaded.isa.unwrap_or_else(|| panic!("{findings:?}"));
        let control = Control::of(&isa).expect("there is a full template");
        let text = |parts: &Vec<Part>| parts.iter().map(|p| p.text.as_str()).collect::<String>();
        assert_eq!(control.examples.iter().map(text).collect::<Vec<_>>(), ["[---:-:15]", "[a--:G:1]"]);
        let fields: Vec<_> = control.fields.iter().map(|f| (f.name.as_str(), f.class.as_str(), f.what.as_str())).collect();
        let what = ["what is waited for (set of abc)", "flag G", "unsigned"];
        assert_eq!(fields, [("wait", "f0", what[0]), ("go", "f1", what[1]), ("n", "f2", what[2])]);
        let said: Vec<_> = control.examples[0].iter().map(|p| p.field.as_str()).collect();
        assert_eq!(said, ["", "wait", "", "go", "", "n", ""]);
        assert_eq!(control.rules, [("`n` with `go` is less than 4".to_owned(), String::new())]);
        assert_eq!(control.diagram.len(), 1);
    }
}
