//! The fields that errata are about.

use super::load;
use isa_spec::errata::of_field;
use isa_spec::model::Form;

const SPEC: &str = r#"
isa: t
word: 8
sources: { doc: { title: a book }, tool: { title: a tool } }
operands:
  N(at):
    fields: { n: $at }
    errata: { E1: { at: 7, is: shared } }
formats:
  f:
    fields: { op: 7..6, s: '5 @2, 12' }
    errata: { E2: { at: 2, is: of the first }, E3: { at: 11-12, is: of the second }, E4: { at: "tool", is: of no line } }
instructions:
  a: { extends: f, doc: 1-9, fix: { op: 0 }, bind: { n: "N(4..0) @7" }, text: "a{s} {n}" }
  b: { extends: f, doc: 10-19, fix: { op: 1 }, bind: { n: "N(4..0) @17" }, text: "b{s} {n}", errata: { E5: { at: 17, is: its own } } }
  c: { extends: f, doc: tool, fix: { op: 2 }, bind: { n: "N(4..0) @7" }, text: "c{s} {n}" }
"#;

#[test]
fn errata_stand_at_the_fields_whose_lines_they_cite() {
    let isa = load(SPEC);
    let of = |form: &Form, path: &str| {
        let field = form.field(path).expect("a field of the form");
        of_field(&isa, form, field).iter().map(|e| e.id.as_str()).collect::<Vec<_>>().join(" ")
    };
    let found: Vec<_> = isa.forms.iter().map(|form| [of(form, "s"), of(form, "n.n")]).collect();
    assert_eq!(found, [["E2", "E1"], ["E3", "E5"], ["E2 E3", "E1"]]);
}
