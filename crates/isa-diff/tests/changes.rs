//! Changes of small specifications.

use isa_diff::{Change, Diff, Effect, What};
use isa_spec::model::Isa;

fn isa(text: &str) -> Isa {
    let loaded = isa_spec::load_str("t.yaml", text, None);
    loaded.isa.unwrap_or_else(|| panic!("{text}\n{:#?}", loaded.diagnostics))
}

/// The changes, one a line: effect, message, places, and the example.
fn diff(old: &str, new: &str) -> Vec<String> {
    let line = |change: &Change| {
        let places = if change.places.is_empty() { String::new() } else { format!(" in {}", change.places.join(", ")) };
        let shown = |outcome: &Result<String, String>| match outcome {
            Ok(text) => text.clone(),
            Err(reason) => format!("! {reason}"),
        };
        let example = change
            .example
            .as_ref()
            .map_or(String::new(), |e| format!(" | {} {} → {}", e.word.as_deref().unwrap_or("-"), shown(&e.old), shown(&e.new)));
        format!("{}: {}{places}{example}", change.what.effect().code(), change.message())
    };
    Diff::new(&isa(old), &isa(new)).changes.iter().map(line).collect()
}

const HEAD: &str =
    "isa: t\nword: 8\nregisters: { R: { index: 2, text: \"r{n}\" } }\nenums: { Size: [ .b, .h, \"\" ] }\ninstructions:\n";
const ADD: &str = "  add: { fix: { 7..6: 0 }, fields: { d: 5..4 R, s: 3..2 R, z: 1..0 Size }, text: \"add{z} {d}, {s}\" }\n";
const NOP: &str = "  nop: { fix: { 7..6: 3, 5..0: 0 } }\n";

/// Two versions with this head, of these instructions.
fn of(old: &[&str], new: &[&str]) -> Vec<String> {
    diff(&format!("{HEAD}{}", old.concat()), &format!("{HEAD}{}", new.concat()))
}

#[test]
fn nothing_changed() {
    assert_eq!(of(&[ADD, NOP], &[ADD, NOP]), [""; 0]);
    assert_eq!(of(&[ADD, NOP], &[NOP, ADD]), [""; 0], "the order of instructions");
    let other = "  add:\n    summary: prose\n    fix: { 7..6: 0 }\n    fields: { z: 1..0 Size, s: 3..2 R, d: 5..4 R }\n    text: \"{mnemonic}{z} {d}, {s}\"\n";
    assert_eq!(of(&[ADD, NOP], &[other, NOP]), [""; 0], "another way to say it");
}

#[test]
fn instructions_come_and_go() {
    assert_eq!(
        of(&[ADD], &[ADD, NOP]),
        ["adds: instruction nop is new | 0xc0 ! no such instruction; the closest is add, but bits 7..6 are 0x3, not 0x0 → nop"]
    );
    assert_eq!(
        of(&[ADD, NOP], &[ADD]),
        [
            "breaks: instruction nop is gone | 0xc0 nop → ! no such instruction; the closest is add, but bits 7..6 are 0x3, not 0x0"
        ]
    );
    let hlt = "  hlt: { fix: { 7..6: 3, 5..0: 0 } }\n";
    assert_eq!(
        of(&[ADD, NOP], &[ADD, hlt]),
        ["breaks: instruction nop is called hlt", "breaks: nop has other texts | 0xc0 nop → hlt"]
    );
}

#[test]
fn forms_move_and_words_are_taken() {
    let moved = "  nop: { fix: { 7..6: 3, 5..0: 1 } }\n";
    assert_eq!(
        of(&[ADD, NOP], &[ADD, moved]),
        [
            "breaks: form nop moved from 0=0 to 0=1 | 0xc0 nop → ! no such instruction; the closest is nop, but bits 5..0 are 0x0, not 0x1"
        ]
    );
    let swapped = "  nop: { fix: { 7..6: 0, 5..0: 0 } }\n";
    assert_eq!(
        of(&[ADD, NOP], &[ADD, swapped]),
        [
            "breaks: words of add are words of nop | 0x00 add.b r0, r0 → nop",
            "breaks: form nop moved from 7..6=0b11 to 7..6=0b00 | 0xc0 nop → ! no such instruction; the closest is add, but bits 7..6 are 0x3, not 0x0",
        ]
    );
}

#[test]
fn fields() {
    let moved = ADD.replace("d: 5..4 R, s: 3..2 R", "d: 3..2 R, s: 5..4 R");
    assert_eq!(
        of(&[ADD], &[&moved]),
        [
            "breaks: field `d` moved from 5..4 to 3..2 in add | 0x04 add.b r0, r1 → add.b r1, r0",
            "breaks: field `s` moved from 3..2 to 5..4 in add | 0x04 add.b r0, r1 → add.b r1, r0",
        ]
    );
    let renamed = ADD.replace("d: 5..4 R", "rd: 5..4 R").replace("{d}", "{rd}");
    assert_eq!(of(&[ADD], &[&renamed]), ["breaks: field `d` is called `rd` in add"]);
    let narrow = ADD.replace("s: 3..2 R", "s: 2 (1) R").replace("7..6: 0", "7..6: 0, 3: 0");
    assert_eq!(
        of(&[ADD], &[&narrow]),
        [
            "breaks: words of add are refused | 0x08 add.b r0, r2 → ! no such instruction; the closest is add, but bit 3 is 0x1, not 0x0",
            "breaks: field `s` is narrower: 2, not 3..2 in add",
        ]
    );
    let signed = ADD.replace("s: 3..2 R", "s: 3..2 signed");
    let found = of(&[ADD], &[&signed]);
    assert_eq!(found, ["breaks: field `s` means signed, not R in add | 0x00 add.b r0, r0 → add.b r0, 0x0"]);
    let default = ADD.replace("d: 5..4 R", "d: 5..4 R = r1");
    assert_eq!(of(&[ADD], &[&default]), ["breaks: the default of field `d` is `r1`, not none in add"]);
}

#[test]
fn values_are_said_once() {
    let other = HEAD.replace(".h", ".w");
    let old = format!("{HEAD}{ADD}");
    assert_eq!(diff(&old, &format!("{other}{ADD}")), ["breaks: Size 1 is `.w`, not `.h` | 0x01 add.h r0, r0 → add.w r0, r0"]);
    let more = HEAD.replace("\"\" ]", "\"\", .q ]");
    let found = diff(&old, &format!("{more}{ADD}"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("adds: Size has a new value `.q` | 0x03 ! add: "), "{found:#?}");
    let found = diff(&format!("{more}{ADD}"), &old);
    assert!(
        found.len() == 1 && found[0].starts_with("breaks: Size has no value `.q` any more | 0x03 add.q r0, r0 → ! add: "),
        "{found:#?}"
    );
    let names = HEAD.replace("r{n}", "x{n}");
    assert_eq!(diff(&old, &format!("{names}{ADD}")), ["breaks: R: 4 registers, xn, not 4 registers, rn"]);
}

#[test]
fn texts_are_compared_for_all_words() {
    let other = ADD.replace("add{z} {d}, {s}\"", "add{z} {d}<when d != s: , {s}>\"");
    assert_eq!(of(&[ADD], &[&other]), ["breaks: add has other texts | 0x00 add.b r0, r0 → add.b r0"]);
    // The same texts in other words.
    let same = ADD.replace("\"add{z} {d}, {s}\"", "[ { when: s == r0, is: \"add{z} {d}, r0\" }, \"add{z} {d}, {s}\" ]");
    assert_eq!(of(&[ADD], &[&same]), [""; 0]);
    let one = ADD.replace(
        "\"add{z} {d}, {s}\"",
        "[ { when: \"s == r2 && d == r3 && z == \\\".h\\\"\", is: \"add{z} r3, r1\" }, \"add{z} {d}, {s}\" ]",
    );
    let found = of(&[ADD], &[&one]);
    // A text with a group is read before one without it.
    assert_eq!(found[0], "breaks: texts of add are assembled as other words | - add.h r3, r1 is 0x35 → add.h r3, r1 is 0x39");
    assert_eq!(found[1], "breaks: add has other texts | 0x39 add.h r3, r2 → add.h r3, r1");
}

#[test]
fn rules_take_words_away() {
    let ruled = ADD.replace("text:", "constraints: [ d != s ], text:");
    let lost = "breaks: words of add are refused | 0x00 add.b r0, r0 → ! add: d != s (`d` 5..4 is 0x0, `s` 3..2 is 0x0)";
    assert_eq!(of(&[ADD], &[&ruled]), [lost]);
    let gained = "adds: add has more words | 0x00 ! add: d != s (`d` 5..4 is 0x0, `s` 3..2 is 0x0) → add.b r0, r0";
    assert_eq!(of(&[&ruled], &[ADD]), [gained]);
}

#[test]
fn semantics_are_compared_as_elaborated() {
    let does = |text: &str| format!("{HEAD}{}", ADD.replace("text:", &format!("semantics: \"{text}\", text:")));
    let old = does("R[d] = R[d] + R[s];");
    assert_eq!(diff(&old, &does("R[d]  =  R[d] + R[s]; // a sum")), [""; 0]);
    assert_eq!(diff(&old, &does("R[d] = R[s] + R[d];")), ["breaks: add does something else"]);
    assert_eq!(diff(&format!("{HEAD}{ADD}"), &old), ["adds: add says what it does"]);
}

#[test]
fn text_alone() {
    let spec =
        |text: &str| format!("isa: t\nword: none\ninstructions:\n  a: {{ fields: {{ x: (4), y: (2) }}, text: \"{text}\" }}\n");
    assert_eq!(diff(&spec("a {x}, {y}"), &spec("a {x}, {y}").replace("x: (4), y: (2)", "y: (2), x: (4)")), [""; 0]);
    assert_eq!(diff(&spec("a {x}, {y}"), &spec("b {x}, {y}")), ["breaks: a has other texts | - a 0x0, 0x0 → b 0x0, 0x0"]);
}

/// Two versions in words of four bits.
fn small(old: &str, new: &str) -> Vec<String> {
    let spec = |text: &str| format!("isa: t\nword: 4\ninstructions:\n{text}");
    diff(&spec(old), &spec(new))
}

#[test]
fn texts_of_other_words() {
    let op =
        "  op: { fix: { 3..2: 1 }, fields: { x: 1..0 }, RULE text: \"op<.{x}>\", aliases: [ { when: \"x != 3\", is: op } ] }\n";
    let [ruled, free] = ["constraints: [ \"x >= 2\" ],", ""].map(|rule| op.replace("RULE", rule));
    assert_eq!(
        small(&ruled, &free),
        [
            "breaks: texts of op are assembled as other words | - op is 0x6 → op is 0x4",
            "adds: op has more words | 0x4 ! op: x >= 2 (`x` 1..0 is 0x0) → op"
        ]
    );
    let [a, b] = ["  a: { fix: { 3..0: 1 }, text: op }\n", "  b: { fix: { 3..0: 2 }, text: op }\n"];
    let new = "adds: instruction b is new | 0x2 ! no such instruction; the closest is a, but bits 3..0 are 0x2, not 0x1 → op";
    let taken = "breaks: texts of a are assembled as other words | - op is 0x1 → op is 0x2";
    assert_eq!(small(a, &[b, a].concat()), [taken, new]);
    assert_eq!(small(a, &[a, b].concat()), [new], "what comes after takes no text");
    assert_eq!(small(&[a, b].concat(), &[b, a].concat()), [taken], "the order of forms with one text");
    assert_eq!(small(&[b, a].concat(), &[b, a].concat()), [""; 0]);
}

#[test]
fn texts_that_are_only_read_of_other_words() {
    let [x, y] = [("x", 1), ("y", 2)].map(|(name, bits)| {
        move |more: &str| {
            format!("  {name}: {{ fix: {{ 3..2: {bits} }}, fields: {{ n: 1..0 }}, text: \"{name} {{n}}\"{more} }}\n")
        }
    });
    let z = ", also: \"z {n}\"";
    let taken = "breaks: texts of y are assembled as other words | - z 0x0 is 0x8 → z 0x0 is 0x4";
    assert_eq!(small(&[x(""), y(z)].concat(), &[x(z), y(z)].concat()), [taken, "adds: x can be written in more ways"]);
    assert_eq!(small(&[x(z), y("")].concat(), &[x(z), y(z)].concat()), ["adds: y can be written in more ways"]);
}

/// Without a proof: there are too many texts to compare.
#[test]
fn what_is_equal_piece_by_piece_is_not_compared() {
    assert_eq!(diff(UNDECIDED, UNDECIDED), [""; 0]);
}

const UNDECIDED: &str = r#"
isa: undecided
numbers: hex
word: 9
registers:
  R: { index: 3, width: 8, text: "r{n}" }
  Rc: { of: R, from: 4, index: 1 }
enums:
  E0: { 0: "a", 1: "b1", 2: { like: 0 }, 3: "ab3", 4: "c4", 5: "e5", 6: "b6" }
  E1: { 0: ".d", 2: ".b2", 4: ".e", 5: ".e5", 7: "", else: ".y{n}w" }
  E2: { 0: ".d0", 3: "", 4: ".d4", 5: ".ab" }
instructions:
  add0:
    mnemonic: add0
    fix: { 8: 1 }
    fields:
      f0: "4..3 bitset \"ab\""
      f1: "6..5 ++ 2..1 signed *3"
      f2: "7 ++ 0 unsigned +-3"
    constraints: ["(f0 in {0, 2, 3}) || (f0 != 0)"]
    text: "add0.{f2} {f1:d}, [{f0}]"
    aliases: [{ when: "f0 == 3", is: "add0X<when f1: .w> {f1}, [{f0}]" }]
  and1:
    mnemonic: and1
    fix: { 8: 0 }
    fields:
      f0: "3..2 R = r1"
      f1: "5..4 ++ 1 E0"
      f2: "7..6 ++ 0 f16"
    not: ["f0 == r2"]
    text: "and1 {f1}, {f2}, {f0}"
    aliases: [{ when: "f0 in {1, 2}", is: "LI {f0}, {f1}, {f2}" }, { when: "f0 != r1", is: "LI {f1}, {f2}, {f0}" }]
"#;

#[test]
fn streams() {
    let spec = |order: &str| {
        format!(
            "isa: t\nword: {{ unit: 8, order: {order}, bytes: little, lengths: {{ 8: \"prefix[0] == 0\", 16: \"prefix[0] == 1\" }} }}\n\
             instructions:\n  s: {{ length: 8, fix: {{ 0: 0 }}, ignored: 7..1 }}\n"
        )
    };
    assert_eq!(diff(&spec("low-first"), &spec("high-first")), ["breaks: the order of the stream: low-first is now high-first"]);
}

#[test]
fn every_kind_has_one_code_and_its_own_sentence() {
    for (i, what) in What::ALL.iter().enumerate() {
        let others = &What::ALL[..i];
        assert!(others.iter().all(|o| o.code() != what.code() && o.sentence() != what.sentence()), "{what:?}");
    }
    assert!(What::ALL.iter().any(|what| what.effect() == Effect::Undecided));
    let row = |what: &What| format!("| `{}` | {} | {} |\n", what.code(), what.effect().code(), what.sentence());
    let table: String = What::ALL.iter().map(row).collect();
    let page = include_str!("../../../docs/diff.md");
    assert!(page.ends_with(&format!("|---|---|---|\n{table}")), "the table of docs/diff.md should be\n{table}");
}

#[test]
fn codes_change() {
    let spec = |number: &str| {
        format!(
            "isa: t\nword: 8\ncodes: {{ K: {{ number: \"fn number(x:4) : 8 {{ return {number}; }}\", several: least }} }}\ninstructions:\n  \
             add: {{ fix: {{ 7..4: 0 }}, fields: {{ n: 3..0 K }}, text: \"add {{n}}\" }}\n"
        )
    };
    let old = spec("zext(x, 8) << 1");
    assert_eq!(diff(&old, &old), [""; 0]);
    assert_eq!(diff(&old, &old.replace("K", "L")), [""; 0], "what a code is called is not seen");
    assert_eq!(
        diff(&old, &spec("zext(x, 8) << 2")),
        ["breaks: K gives the bits of field `n` other numbers in add | 0x01 add 0x2 → add 0x4"]
    );
    let plain = old.replace("3..0 K", "3..0");
    assert_eq!(diff(&old, &plain), ["breaks: field `n` means unsigned, not K in add | 0x00 add 0x0 (add) → add 0x0 (add)"]);
}
