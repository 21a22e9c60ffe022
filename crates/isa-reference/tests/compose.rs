//! Tests of specifications of several files, and of parameters.

use isa_reference::codec::Codec;
use isa_spec::model::Isa;

fn isa(text: &str) -> Isa {
    let loaded = isa_spec::load_str("t.yaml", text, None);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.isa.unwrap_or_else(|| panic!("{messages:?}"))
}

fn names(isa: &Isa) -> Vec<&str> {
    isa.instructions.iter().map(|i| i.name.as_str()).collect()
}

#[test]
fn what_a_file_is_given_wins_over_the_parameters_around_it() {
    let main = "isa: a\nword: 8\nparams: { n: y }\ninclude: [ { file: p.yaml, params: { n: z } } ]\n\
                instructions: { \"main$n\": { fix: { 7..0: 0 }, text: x } }\n";
    let part = "params: { n: own }\ninclude: q.yaml\ninstructions: { \"i$n\": { fix: { 7..0: 1 }, text: \"t$n\" } }\n";
    let inner = "instructions: { \"q$n\": { fix: { 7..0: 2 }, text: \"q$n\" } }\n";
    let loaded = isa_spec::load_texts("m.yaml", &[("m.yaml", main), ("p.yaml", part), ("q.yaml", inner)]);
    assert_eq!(names(&loaded.isa.expect("a good spec")), ["mainy", "iz", "qz"]);
}

#[test]
fn files_that_are_named_are_mappings() {
    let message = |key: &str, other: &str| {
        let main = format!("isa: a\nword: 8\n{key}: o.yaml\ninstructions: {{ x: {{ fix: {{ 7..0: 0 }}, text: x }} }}\n");
        let loaded = isa_spec::load_texts("m.yaml", &[("m.yaml", &main), ("o.yaml", other)]);
        loaded.diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>()
    };
    for key in ["include", "extends", "errata"] {
        for (other, found) in [("- a\n", "is a list"), ("a\n", "is a text"), ("# a\n", "is empty")] {
            let expected = format!("`o.yaml` {found}, not a mapping of sections: `instructions: {{ … }}`");
            assert_eq!(message(key, other), [expected], "{key}: {other}");
        }
    }
}

#[test]
fn lines_of_other_files_elsewhere_are_not_shown() {
    let folder = std::env::temp_dir().join(format!("isa-spec-elsewhere-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("spec")).expect("a folder");
    let messages = |other: &str| {
        std::fs::write(folder.join("other"), other).expect("a file");
        let main = "isa: a\nword: 8\ninclude: ../other\ninstructions: { x: { fix: { 7..0: 0 }, text: x } }\n";
        let loaded = isa_spec::load_str("main.yaml", main, Some(&folder.join("spec")));
        loaded.diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>()
    };
    assert_eq!(messages("root:*:20228:0:::\n"), ["`../other` has none of the sections of a specification"]);
    assert_eq!(messages("[secret\n"), ["`../other` can't be read as YAML at line 1, column 1"]);
    assert_eq!(messages("instructions: { y: { fix: { 7..0: 1 }, txt: y } }\n"), ["an instruction has no `txt`"]);
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}

#[test]
fn rows_of_a_table_are_entries_and_conditions_ask_for_each() {
    let isa =
        isa("isa: t\nword: 8\nparams: { N: 3, M: { N < 3: 1, N % 2 == 1: $N, else: 7 } }\ninstructions:\n  \"a$f${c}x\":\n    \
         for: { f: [s, d, h], c: [1, 2, 3] }\n    when: \"f is s|h && M == 3 || c in { 0, 2 .. 2 } && N > 3\"\n    \
         fix: { 7..4: $c, 3..0: $M }\n    text: \"{mnemonic} $f\"\n");
    assert_eq!(names(&isa), ["as1x", "ah3x"]);
    assert_eq!(isa.forms.iter().map(|f| f.value.to_string()).collect::<Vec<_>>(), ["19", "51"]);
    let mut text = String::new();
    Codec::new(&isa).print(isa.forms[1].id, isa.forms[1].value, 0, &mut text);
    assert_eq!(text, "ah3x h");
}

#[test]
fn alternatives_and_fields_can_depend_on_parameters() {
    let isa =
        isa("isa: t\nword: 8\nparams: { WIDE: 0 }\nchoices: { C: { r: { fix: { 7: 0 } }, w: { when: WIDE, fix: { 7: 1 } } } }\n\
         instructions:\n  A:\n    choose: { c: C, d: { \"x$n\": { for: { n: [0, 1] }, fix: { 6: $n } } } }\n    \
         fields: { a: { is: 5..3, when: WIDE }, b: 2..0 }\n    rest: ignored\n    text: \"A {b}\"\n");
    assert_eq!(isa.forms.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["A.x0", "A.x1"]);
    assert_eq!(isa.forms[0].fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn the_shortest_word_of_a_text_is_assembled_where_the_spec_prefers_it() {
    let word = |prefer: &str| {
        let isa = isa(&format!(
            "isa: t\nword: {{ unit: 8, lengths: {{ 8: \"prefix[0] == 0\", 16: \"prefix[0] == 1\" }} }}\n{prefer}instructions:\n  \
             long: {{ length: 16, fix: {{ 0: 1 }}, fields: {{ n: 15..8 }}, ignored: 7..1, text: \"A {{n}}\" }}\n  \
             short: {{ length: 8, fix: {{ 0: 0 }}, fields: {{ n: 7..1 }}, text: \"A {{n}}\" }}\n"
        ));
        let codec = Codec::new(&isa);
        ["A 0x3", "A 0x83"].map(|text| codec.parse(text, 0, &|_| None).map(|(_, word)| word.to_string()).unwrap_or_default())
    };
    assert_eq!(word(""), ["769", "33537"]);
    assert_eq!(word("prefer: shortest\n"), ["6", "33537"]);
}

#[test]
fn files_can_be_in_memory() {
    let files = [
        ("riscv/m.yaml", "include: ../base/./i.yaml\ngroup: M\ninstructions: { MUL: { fix: { 7..0: 2 }, text: \"MUL$W\" } }\n"),
        ("base/i.yaml", "params: { W: 8 }\ngroup: I\ninstructions: { ADD: { fix: { 7..0: 1 }, text: \"ADD$W\" } }\n"),
        ("t.yaml", "isa: t\nword: 8\nparams: { W: 4 }\ninclude: [riscv/m.yaml, base/i.yaml]\n"),
        ("none.yaml", "isa: t\nword: 8\ninclude: riscv/q.yaml\n"),
    ];
    let isa = isa_spec::load_texts("t.yaml", &files).isa.expect("a good spec");
    assert_eq!(names(&isa), ["MUL", "ADD"]);
    assert_eq!(isa.groups.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["M", "I"]);
    let mut text = String::new();
    Codec::new(&isa).print(isa.forms[1].id, isa.forms[1].value, 0, &mut text);
    assert_eq!(text, "ADD4");
    let messages: Vec<_> = isa_spec::load_texts("none.yaml", &files).diagnostics.into_iter().map(|d| d.message).collect();
    assert_eq!(messages, ["riscv/q.yaml: there is no such file"]);
}

const PARENT: &str = "isa: parent\nalso: [other]\nword: 8\noperands: { \"N(at)\": { fields: { n: $at }, text: \"{n}\" } }\ninstructions:\n  \
                      A: { fix: { 7..4: 1 }, bind: { n: N(3..0) }, text: \"A {n}\", errata: { E1: { is: so, evidence: { 13: A 0x3 }, elsewhere: { 1f: B } } } }\n";

/// The model of a child of `PARENT`, and how many pieces of evidence do not hold.
fn child(text: &str) -> (Isa, usize) {
    let files = [("parent.yaml", PARENT), ("child.yaml", text)];
    let loaded = isa_spec::load_texts("child.yaml", &files);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let isa = loaded.isa.unwrap_or_else(|| panic!("{messages:?}"));
    let wrong = isa_reference::evidence::check(&isa).len();
    (isa, wrong)
}

#[test]
fn evidence_of_what_is_extended_is_evidence_if_it_is_said_so() {
    let changed = "instructions: { A: { text: \"C {n}\" } }\n";
    let (isa, wrong) = child(&format!("isa: child\nextends: parent\n{changed}"));
    assert_eq!((wrong, isa.also.len()), (0, 0));
    let (_, erratum) = isa.all_errata().next().expect("the erratum of the parent");
    assert_eq!((erratum.evidence.len(), erratum.elsewhere.len()), (0, 2));
    assert_eq!(child(&format!("isa: child\nextends: parent.yaml\nevidence: inherited\n{changed}")).1, 1);
}

#[test]
fn what_has_parameters_is_patched_by_its_bare_name() {
    for key in ["N", "\"N(at)\"", "\"N(at, spare?)\""] {
        let (isa, _) = child(&format!("isa: child\nextends: parent\noperands: {{ {key}: {{ text: \"[{{n}}]\" }} }}\n"));
        let mut text = String::new();
        Codec::new(&isa).print(isa.forms[0].id, isa.forms[0].value, 0, &mut text);
        assert_eq!(text, "A [0x0]", "{key}");
    }
}

#[test]
fn a_file_extends_what_is_shipped_by_name() {
    let folder = std::env::temp_dir().join(format!("isa-spec-extends-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("child.yaml");
    let load = |text: &str| {
        std::fs::write(&path, text).expect("a file");
        isa_spec::try_load_beside(&path, &[("parent.yaml", PARENT)]).expect("a file that can be read")
    };
    let isa = load("isa: child\nextends: parent\ninstructions: { B: { fix: { 7..0: 0x20 }, text: B } }\n").isa;
    let fault = load("isa: child\nextends: parnet\n").diagnostics;
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    assert_eq!(names(&isa.expect("a good spec")), ["A", "B"]);
    let message = &fault[0].message;
    assert!(message.ends_with("there is no such file, and no shipped instruction set of this name"), "{message}");
    assert_eq!(fault[0].help.as_deref(), Some("did you mean `parent`?"));
}

#[test]
fn what_tables_make_is_bounded() {
    let list = (0..2000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let keys: String = (0..1000).map(|i| format!("{i}: 1, ")).collect();
    let text = format!(
        "isa: t\nword: 8\nenums: {{ \"E$n\": {{ for: {{ n: [{list}] }}, {keys} }} }}\ninstructions: {{ A: {{ fix: {{ 7..0: 1 }} }} }}\n"
    );
    let loaded = isa_spec::load_str("t.yaml", &text, None);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["the tables make more than 1000000 keys and values"]);
}
