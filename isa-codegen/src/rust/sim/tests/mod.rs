//! The passes over semantics, each on small bodies: the trees before and after it, as text.

mod show;

use super::choices::{Chosen, choose};
use super::closed::simple;
use super::lower::is_one;
use super::merge::{Merged, merge};
use super::module;
use super::scope::Scope;
use super::shape::Shaper;
use super::tidy::{Keys, Tidy};
use crate::rust::Cx;
use isa_spec::model::Isa;
use isa_spec::semantics::typed::Body;
use quote::quote;
use show::Show;
use std::collections::BTreeMap;

/// A machine of some lanes, and instructions with these semantics.
fn isa(lanes: u32, machine: &str, instructions: &[(&str, &str)]) -> Isa {
    let of = |(op, (name, semantics)): (usize, &(&str, &str))| {
        format!("  {name}: {{ extends: f, fix: {{ op: {op} }}, text: {name}, semantics: \"{semantics}\" }}\n")
    };
    let instructions: String = instructions.iter().enumerate().map(of).collect();
    let text = format!(
        "isa: toy\nword: 32\nregisters:\n  R: {{ index: 3, width: 32, text: \"r{{n}}\" }}\n\
         machine:\n  lanes: {lanes}\n  spaces: {{ global: {{ address: 32 }} }}\n  flags: {{ C: [z] }}\n{machine}\
         formats:\n  f: {{ fields: {{ op: 31..28, k: 27..20, n: 19..12, t: 11..9, d: 8..6 R, a: 5..3 R, b: 2..0 R }},\n\
         \x20      text: \"{{body}} {{k}}, {{n}}, {{t}}, {{d}}, {{a}}, {{b}}\" }}\n\
         instructions:\n{instructions}"
    );
    let loaded = isa_spec::load_str("toy.yaml", &text, None);
    let findings: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.isa.unwrap_or_else(|| panic!("{findings:?}\n{text}"))
}

/// The result of the passes for all instructions together.
struct Passes<'a> {
    isa: &'a Isa,
    keys: Keys,
    tidied: Vec<Tidy>,
}

impl<'a> Passes<'a> {
    fn of(isa: &'a Isa) -> Self {
        let mut keys = Keys::default();
        let behaviour = |form: &'a isa_spec::model::Form| form.behaviour.as_ref().expect("semantics");
        let tidied = isa.forms.iter().map(|form| Tidy::of(form, behaviour(form), &mut keys, is_one(isa))).collect();
        Self { isa, keys, tidied }
    }

    fn show(&self) -> Show<'_> {
        Show { isa: self.isa, keys: &self.keys }
    }

    fn before(&self, form: usize) -> String {
        self.show().stmts(&self.tidied[form].body.stmts).join("\n")
    }

    fn merged(&self) -> Option<Merged> {
        let bodies: Vec<&Body> = self.tidied.iter().map(|tidy| &tidy.body).collect();
        merge(&bodies, is_one(self.isa))
    }

    fn chosen(&self, merged: &Merged) -> Chosen {
        choose(merged, &scope(&merged.body, merged).uniform)
    }

    fn shape(&self, merged: &Merged, body: &Body) -> String {
        let scope = scope(body, merged);
        let shape = Shaper { is_one: is_one(self.isa), scope: &scope, uses: None }.body(&body.stmts);
        let direct = shape.is_direct.then(|| "direct".to_owned());
        direct.into_iter().chain(self.show().nodes(&shape.nodes)).collect::<Vec<_>>().join("\n")
    }

    /// The shape of the first instruction alone, without choices.
    fn first(&self) -> String {
        let merged = Merged { body: simple(&self.tidied[0].body), params: Vec::new() };
        self.shape(&merged, &merged.body)
    }
}

fn scope(body: &Body, merged: &Merged) -> Scope {
    let rows = merged.params.iter().filter(|p| !p.is_uniform).map(|p| p.var);
    Scope::of(body, BTreeMap::new(), rows)
}

/// The shape of one instruction.
fn shape(lanes: u32, machine: &str, semantics: &str) -> String {
    Passes::of(&isa(lanes, machine, &[("x", semantics)])).first()
}

#[test]
fn functions_come_in_line_and_names_of_simple_things_go() {
    let machine = "  functions: |\n    fn twice(x:32) : 32 { let y = x + x; return y; }\n";
    let isa = isa(4, machine, &[("x", "let m = t; R[d] = twice(R[m]);")]);
    let passes = Passes::of(&isa);
    assert_eq!(passes.before(0), "v0 = t;\nR[d] = { v1 = R[t]; v2 = v1 + v1; v2 };");
    let body = simple(&passes.tidied[0].body);
    assert_eq!(passes.show().stmts(&body.stmts).join("\n"), "v1 = R[t];\nv2 = v1 + v1;\nR[d] = v2;");
}

#[test]
fn forms_that_differ_in_operands_have_one_body() {
    let isa = isa(4, "", &[("add", "R[d] = R[a] + R[b];"), ("addi", "R[d] = R[a] + zext(n, 32);"), ("subi", "R[d] = R[a] - 1;")]);
    let mut passes = Passes::of(&isa);
    assert!(passes.merged().is_none(), "a sum and a difference are no body");
    passes.tidied.pop();
    let merged = passes.merged().expect("both are sums");
    assert_eq!(passes.show().stmts(&merged.body.stmts).join("\n"), "R[d] = R[a] + v0;");
    let values: Vec<Vec<String>> =
        merged.params.iter().map(|p| p.values.iter().map(|value| passes.show().expr(&value.value)).collect()).collect();
    assert_eq!(values, [["R[b]", "zext(n)"]]);
    assert_eq!(merged.params.iter().map(|p| p.is_uniform).collect::<Vec<_>>(), [false]);
}

#[test]
fn operands_of_other_fields_have_one_function() {
    let semantics = [
        ("w", "R[d] = R[a] + ~R[b];"),
        ("x", "R[d] = R[a] + R[b];"),
        ("y", "R[d] = R[a] ^ ~R[t];"),
        ("z", "R[d] = R[a] ^ R[t];"),
    ];
    let isa = isa(4, "", &semantics);
    let code = module(&Cx::new(&isa), &quote!(isa_sim), false).expect("a simulator").to_string();
    let count = |name: &str| code.matches(name).count();
    assert_eq!([count("fn body_"), count("fn fetch_")], [2, 1], "{code}");
}

#[test]
fn forms_with_other_statements_have_other_bodies() {
    let semantics = [("x", "let s = R[a]; R[d] = s + 1;"), ("y", "let s = R[a]; R[d] = s + 1; C[0].z = 1;")];
    for lanes in [1, 4] {
        assert!(Passes::of(&isa(lanes, "", &semantics)).merged().is_none());
    }
}

#[test]
fn choices_by_the_word_are_constants_within_a_budget() {
    let choices = "let x = R[a]; if n[0] { x = x + 1; } if n[1] { x = x * 3; } if n[2] { x = ~x; } \
                   if n[3] { x = x << 1; } R[d] = if n[0] { x } else { R[b] };";
    let isa = isa(4, "", &[("x", choices)]);
    let passes = Passes::of(&isa);
    let merged = passes.merged().expect("one form has a body");
    let Chosen { body, choices } = passes.chosen(&merged);
    let conds: Vec<String> = choices.iter().map(|(v, cond)| format!("v{v}: {}", passes.show().expr(cond))).collect();
    // A condition used in two places counts twice. The fourth one remains a choice that is made each time.
    assert_eq!(conds, ["v1: n[0..0]", "v2: n[1..1]", "v3: n[2..2]"]);
    let text = "v0 = R[a];\nif v1 {\n  v0 = v0 + 1;\n}\nif v2 {\n  v0 = v0 * 3;\n}\nif v3 {\n  v0 = ~v0;\n}\n\
                if n[3..3] {\n  v0 = v0 << 1;\n}\nR[d] = if v1 { v0 } else { R[b] };";
    assert_eq!(passes.show().stmts(&body.stmts).join("\n"), text);
}

#[test]
fn a_number_by_which_values_are_chosen_is_part_of_the_loop() {
    let sum = "let x = if n[1..0] == 1 { ~R[a] } else { R[a] }; let c = match n[1..0] { 1 => 1:32, 2 => zext(C[0].z, 32), else => 0:32 }; \
               if n[7] { R[d] = x + c; }";
    let isa = isa(4, "", &[("x", sum)]);
    let passes = Passes::of(&isa);
    let merged = passes.merged().expect("one form has a body");
    let Chosen { body, choices } = passes.chosen(&merged);
    let conds: Vec<String> = choices.iter().map(|(v, cond)| format!("v{v}: {}", passes.show().expr(cond))).collect();
    assert_eq!(conds, ["v2: n[7..7]", "v3: n[1..0] == 1"]);
    let text = "v0 = if v3 { ~R[a] } else { R[a] };\n\
                v1 = match n[1..0] { 1 => 1, 2 => zext(C[0]), else => 0 };\nif v2 {\n  R[d] = v0 + v1;\n}";
    assert_eq!(passes.show().stmts(&body.stmts).join("\n"), text);
}

#[test]
fn what_goes_to_memory_has_no_instances() {
    let isa = isa(4, "", &[("x", "if n[0] { store.global(R[a], R[b]); } else { R[d] = 0; }")]);
    let passes = Passes::of(&isa);
    let merged = passes.merged().expect("one form has a body");
    assert!(passes.chosen(&merged).choices.is_empty());
    // The choice is still made once, around the loops.
    let text =
        "if once n[0..0] {\n  rows in order {\n    store.global(R[a], R[b]);\n  }\n}\nelse {\n  rows {\n    R[d] = 0;\n  }\n}";
    assert_eq!(passes.first(), text);
}

#[test]
fn what_is_the_same_for_all_lanes_is_part_of_the_loop() {
    assert_eq!(shape(4, "", "let m = zext(n, 32) * 5; R[d] = R[a] + m;"), "rows {\n  v0 = zext(n) * 5;\n  R[d] = R[a] + v0;\n}");
}

#[test]
fn registers_with_computed_numbers_go_lane_by_lane() {
    assert_eq!(
        shape(4, "", "let x = load.global(R[a], 32); let m = t + 1; let o = m + 1; R[d] = x + R[o];"),
        "direct\nlanes {\n  v0 = load.global(R[a], 32);\n  v1 = t + 1;\n  v2 = v1 + 1;\n  R[d] = v0 + R[v2];\n}"
    );
    // The word alone says which one it is.
    assert_eq!(shape(4, "", "R[d] = R[t + 1];"), "rows {\n  R[d] = R[t + 1];\n}");
}

#[test]
fn a_choice_that_nothing_depends_on_is_part_of_the_loop() {
    assert_eq!(
        shape(4, "", "let x = R[a] + R[b]; if n[0] { C[0].z = 1; } R[d] = x;"),
        "rows {\n  v0 = R[a] + R[b];\n  if n[0..0] {\n    C[0][0..0] = 1;\n  }\n  R[d] = v0;\n}"
    );
}

#[test]
fn actions_of_all_lanes_are_one() {
    assert_eq!(shape(4, "", "branch(zext(n, 32)); R[d] = next;"), "once branch(zext(n));\nrows {\n  R[d] = next;\n}");
    assert_eq!(shape(4, "", "branch(R[a]);"), "rows in order {\n  branch(R[a]);\n}");
}

#[test]
fn registers_that_lanes_choose_go_lane_by_lane() {
    assert_eq!(shape(4, "", "R[d] = R[R[a][2..0]];"), "direct\nlanes {\n  R[d] = R[R[a][2..0]];\n}");
    // Both may be one register: they are not put back one after the other.
    assert_eq!(shape(4, "", "R[d][7..0] = 1; R[a][15..8] = 2;"), "direct\nlanes {\n  R[d][7..0] = 1;\n  R[a][15..8] = 2;\n}");
}

#[test]
fn a_machine_of_one_lane_has_its_lane_alone() {
    assert_eq!(
        shape(1, "", "let m = zext(n, 32) * 5; if n[0] { R[d] = R[a] + m; } branch(m);"),
        "lanes {\n  v0 = zext(n) * 5;\n  if n[0..0] {\n    R[d] = R[a] + v0;\n  }\n  branch(v0);\n}"
    );
}

#[test]
fn guards_choose_by_the_word_first() {
    let machine = "  guard: \"match t { 0 => 1, 1 => C[0].z, else => R[b] == 0 }\"\n";
    let isa = isa(4, machine, &[("x", "R[d] = 0;")]);
    let passes = Passes::of(&isa);
    let guard = passes.tidied[0].guard.as_ref().expect("a guard");
    let scope = Scope::of_value(guard, BTreeMap::new(), []);
    let mask = Shaper { is_one: false, scope: &scope, uses: None }.mask(&guard.lets.stmts, &guard.value);
    assert_eq!(passes.show().expr(&guard.value), "match t { 0 => 1, 1 => C[0], else => R[b] == 0 }");
    assert_eq!(
        passes.show().mask(&mask).join("\n"),
        "match once t {\n  0 => {\n    all\n  }\n  1 => {\n    rows {\n      C[0]\n    }\n  }\n  else => {\n    rows {\n      \
         R[b] == 0\n    }\n  }\n}"
    );
}
