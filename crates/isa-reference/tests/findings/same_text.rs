//! Words of different meaning with one text.

use isa_reference::lint;

#[test]
fn targets_that_wrap_are_one_address_in_as_many_bits_as_it_has() {
    let spec = |pc: u32| {
        let to = "fields: { to: \"5..0 target wraps\" }, text: \"J {to}\"";
        let text = format!("isa: wrap\nword: 8\nmachine: {{ pc: {pc} }}\ninstructions:\n  J: {{ fix: {{ 7..6: 0 }}, {to} }}\n");
        let isa = isa_spec::load_str("wrap.yaml", &text, None).isa.expect("a good spec");
        lint::same_text(&isa).into_iter().map(|d| d.message).collect::<Vec<_>>()
    };
    assert_eq!(spec(4), ["two words of different meaning have the text `J 0x0`: 0x00 and 0x10"]);
    assert_eq!(spec(6), [""; 0]);
}

#[test]
fn digits_that_meet_the_digits_of_a_literal_are_decided() {
    let found = |values: &str| {
        let text = format!(
            "isa: digits\nword: 16\nenums:\n  E: {{ {values}, else: \"q{{n}}\" }}\ninstructions:\n  \
             A: {{ fix: {{ 15..0: 0xf007 }}, text: \"op q17\" }}\n  \
             B: {{ fix: {{ 15..12: 0 }}, fields: {{ e: \"11..0 E\" }}, text: \"op {{e}}\" }}\n"
        );
        let isa = isa_spec::load_str("digits.yaml", &text, None).isa.expect("a good spec");
        lint::same_text(&isa).into_iter().map(|d| d.message).collect::<Vec<_>>()
    };
    assert_eq!(found("1: one"), ["`op q17` is a text of B and of A; it is read as the latter"]);
    assert_eq!(found("1: one, 17: seventeen"), [""; 0]);
}
