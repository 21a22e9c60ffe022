//! Forms: their bits and words, readings, and the provenance of fields.

use super::load;
use isa_spec::model::{Doc, Form, Isa, PlainKind};

/// Name, fixed bits and their values, and fields with their bits, of each form.
fn forms(isa: &Isa) -> Vec<(&str, u128, u128, String)> {
    let fields = |form: &Form| form.fields.iter().map(|f| format!("{} {}", f.path, f.bits)).collect::<Vec<_>>().join(", ");
    isa.forms.iter().map(|f| (f.name.as_str(), f.mask.low(), f.value.low(), fields(f))).collect()
}

#[test]
fn choices_are_multiplied_out() {
    let isa = load(
        "isa: t\nword: 8\nregisters: { R: { index: 2, width: 8, text: 'r{n}' } }\nchoices:\n  S:\n    \
         reg: { fix: { 7: 0 }, fields: { s: 3..2 R }, text: '{s}' }\n    imm: { fix: { 7: 1 }, fields: { n: 3..2 }, text: '{n}' }\n\
         instructions:\n  add: { fields: { d: 5..4 R }, fix: { 6: 1 }, ignored: 1, reserved: 0, choose: { b: S }, text: 'add {d}, {b}' }\n",
    );
    let wanted = [("add.reg", 0xc1, 0x40, "d 5..4, s 3..2".to_string()), ("add.imm", 0xc1, 0xc0, "d 5..4, n 3..2".to_string())];
    assert_eq!(forms(&isa), wanted);
    let plain: Vec<_> = isa.forms[0].plain.iter().map(|p| (p.bits.hi, p.bits.lo, p.what)).collect();
    assert_eq!(plain, [(1, 1, PlainKind::Ignored), (0, 0, PlainKind::Reserved)]);
}

#[test]
fn layouts_are_drawn_in_three_ways() {
    let isa = load(
        "isa: t\nword: 8\nformats:\n  parts: { layout: 'OP(2)|MOD(3)|IMM(3)', fields: { IMM: unsigned } }\n\
         instructions:\n  a: { layout: 'msb0 \"01dd s-dd\"', where: { d: rd, s: set }, text: 'a {rd}, {set}' }\n  \
         b: { extends: parts, fix: { OP: 2, MOD: 1 }, text: 'b {IMM}' }\n  \
         c: { extends: parts, layout: 'MOD(3): \"sii\"', where: { s: set, i: IMM }, fix: { OP: 3 }, text: 'c {IMM}, {set}' }\n",
    );
    let wanted = [
        ("a", 0xc0, 0x40, "rd 5..4,1..0, set 3".to_string()),
        ("b", 0xf8, 0x88, "IMM 2..0".to_string()),
        ("c", 0xc0, 0xc0, "IMM 4..0, set 5".to_string()),
    ];
    assert_eq!(forms(&isa), wanted);
}

#[test]
fn registers_are_accessed_through_functions_and_variables() {
    let isa = load(
        "isa: t\nword: 16\nregisters: { R: { index: 2, width: 8, text: 'r{n}' } }\nmachine:\n  lanes: 1\n  functions: |\n    \
         fn set(r:2, x:8) { R[r] = x; }\n    fn get(r:2) : 8 { return R[r]; }\n\
         instructions:\n  add: { fields: { d: 5..4 R, a: 3..2 R, b: 1..0 R }, fix: { 15..6: 1 }, text: 'add {d}, {a}, {b}',\n    \
         writes: d, semantics: 'let second = b; set(d, get(a) + R[second]);' }\n",
    );
    let form = &isa.forms[0];
    let found: Vec<_> = form.accesses.iter().map(|a| (form.fields[a.field].path.as_str(), a.reads, a.writes)).collect();
    assert_eq!(found, [("d", 0, 1), ("a", 1, 0), ("b", 1, 0)]);
}

#[test]
fn wide_fields_are_compared_in_small_diagrams() {
    for (meaning, condition) in [("", "a < b"), ("", "a + 5 == b"), ("signed *4 +3", "a + 17 >= b"), ("inverted", "a == b - 1")] {
        let text = format!(
            "isa: t\nword: 128\ninstructions:\n  A: {{ fields: {{ a: '127..64 {meaning}', b: 63..0 }}, not: {condition}, text: 'A {{a}}, {{b}}' }}\n"
        );
        let nodes = load(&text).forms[0].words.nodes();
        assert!(nodes < 1000, "{condition}: {nodes} nodes");
    }
}

/// The faults of `count` readings, each twice the one before.
fn faults(count: usize) -> Vec<String> {
    let chain = (1..count).map(|i| format!("r{i}: (r{0} + r{0}) & 0xff, ", i - 1)).collect::<String>();
    let last = count - 1;
    let text = format!(
        "isa: t\nword: 8\ninstructions:\n  A: {{ fields: {{ a: 7..0 }}, readings: {{ r0: a, {chain} }}, text: 'A {{r{last}}}, {{a}}' }}\n"
    );
    let loaded = isa_spec::load_str("t.yaml", &text, None);
    loaded.diagnostics.iter().map(|d| d.message.clone()).collect()
}

#[test]
fn readings_of_readings_are_bounded() {
    let deep = "readings are computed from readings at most 32 deep";
    assert_eq!(faults(32), Vec::<String>::new());
    // The order in which they are written changes nothing.
    assert_eq!(faults(100), [deep]);
    let text = (0..100).rev().map(|i| format!("r{i}: r{} + 1, ", i + 1)).rev().collect::<String>();
    let text = format!(
        "isa: t\nword: 8\ninstructions:\n  A: {{ fields: {{ a: 7..0 }}, readings: {{ {text} r100: a }}, text: 'A {{r0}}, {{a}}' }}\n"
    );
    let messages: Vec<String> = isa_spec::load_str("t.yaml", &text, None).diagnostics.iter().map(|d| d.message.clone()).collect();
    // Each beyond which others lie.
    assert_eq!(messages, [deep; 3]);
}

#[test]
fn provenance_stands_with_the_bits_at_the_end_or_behind_the_use() {
    let text = "isa: t\nword: 16\nsources: { doc: { title: a }, tool: { title: b } }\noperands:\n  \
                \"N(at, neg?)\": { doc: 9, fields: { n: $at (2), neg: '$neg \"-\"' }, text: \"{neg?}{n}\" }\n\
                choices: { \"C(at)\": { r: { bind: { z: N($at) } } } }\ninstructions:\n  A:\n    \
                fields: { op: 15..12 == 5 @1 }\n    \
                bind: { w: \"N(11..10 @2, neg: 9 @tool:3)\", x: \"N(8..7, neg: 6 @4) @5\", y: N(5..4) }\n    \
                choose: { c: \"C(3..2) @6\" }\n    ignored: 1..0\n    text: \"A {w}, {x}, {y}, {c}\"\n";
    let isa = load(text);
    let form = &isa.forms[0];
    let lines = |doc: &Doc| doc.0.iter().map(|r| (r.source.0, r.lines.map_or(0, |l| l.0))).collect::<Vec<_>>();
    let found: Vec<_> = form.fields.iter().map(|f| (f.path.as_str(), lines(&f.doc))).collect();
    let one = |path, source, line| (path, vec![(source, line)]);
    let expected =
        [one("w.n", 0, 2), one("w.neg", 1, 3), one("x.n", 0, 5), one("x.neg", 0, 4), one("y.n", 0, 9), one("z.n", 0, 6)];
    assert_eq!(found, expected);
    assert_eq!((form.fixed[0].name.as_str(), form.fixed[0].value, lines(&form.fixed[0].doc)), ("op", 5, vec![(0, 1)]));
}
