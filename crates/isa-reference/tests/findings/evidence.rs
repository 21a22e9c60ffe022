//! The evidence of errata: what holds is silent, what does not is reported at its place.

use isa_reference::evidence::check;

/// The findings about a small spec whose only erratum has this evidence, each with the text at its place.
fn findings(word: &str, instructions: &str, evidence: &str) -> Vec<(String, String)> {
    let text = format!(
        "isa: t\nword: {word}\ninstructions: {{ {instructions} }}\nerrata:\n  E1:\n    is: so\n    evidence: {{ {evidence} }}\n"
    );
    let loaded = isa_spec::load_str("t.yaml", &text, None);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let found = check(&isa).into_iter();
    found.map(|d| (d.message.clone(), text[d.span().range()].to_owned())).collect()
}

const BYTE: &str = "A: { fix: { 7..4: 1 }, fields: { x: 3..0 }, text: \"a {x}\" }";

#[test]
fn evidence_that_holds_is_silent() {
    assert_eq!(findings("8", BYTE, "13: a 0x3, 0x10: a 0x0, 23: refused"), []);
}

#[test]
fn evidence_that_does_not_hold_is_an_error_at_the_word() {
    let found = findings("8", BYTE, "13: a 0x4, 1f: refused, 23: a 0x3");
    let expected = [
        ("the evidence of E1 does not hold: 0x13 prints as `a 0x3`, not `a 0x4`", "13"),
        ("the evidence of E1 does not hold: 0x1f is not refused: it prints as `a 0xf`", "1f"),
        (
            "the evidence of E1 does not hold: 0x23 is refused (no such instruction; the closest is A, but bits 7..4 are 0x2, not \
             0x1); it does not print as `a 0x3`",
            "23",
        ),
    ];
    assert_eq!(found, expected.map(|(message, at)| (message.to_owned(), at.to_owned())));
}

#[test]
fn digits_say_the_length() {
    let word = "{ unit: 8, order: low-first, bytes: little, lengths: { 8: \"prefix[0] == 0\", 16: \"prefix[0] == 1\" } }";
    let forms = "S: { length: 8, fix: { 0: 0 }, fields: { x: 7..1 }, text: \"s {x}\" }, \
                 L: { length: 16, fix: { 0: 1 }, fields: { x: 15..1 }, text: \"l {x}\" }";
    assert_eq!(findings(word, forms, "04: s 0x2, 0005: l 0x2, 5: l 0x2, 0004: refused, 05: refused"), []);
}

#[test]
fn a_text_is_evidence_where_there_are_no_words() {
    let found = findings("none", "A: { fields: { x: (4) }, text: \"a {x}\" }", "\"a 3\": a 0x3, \"a 16\": refused, \"a 1\": a 1");
    assert_eq!(
        found,
        [("the evidence of E1 does not hold: `a 1` prints as `a 0x1`, not `a 1`".to_owned(), "\"a 1\"".to_owned())]
    );
}
