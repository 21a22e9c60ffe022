//! The codec on a small instruction set: words to texts, texts to words, and the messages about refused ones.

use isa_reference::codec::Codec;
use isa_spec::model::Word;

const SPEC: &str = "isa: t\nword: 8\nregisters: { R: { index: 2, width: 8, text: 'r{n}', special: { 3: sp } } }\nchoices:\n  S:\n    \
    reg: { fix: { 7: 0 }, fields: { s: 3..2 R }, text: '{s}' }\n    imm: { fix: { 7: 1 }, fields: { n: 3..2 }, text: '{n}' }\n\
    instructions:\n  add: { fields: { d: 5..4 R }, fix: { 6: 1 }, ignored: 1, reserved: 0, choose: { b: S }, text: 'add {d}, {b}' }\n";

fn with_codec(judge: impl Fn(&Codec<'_>)) {
    let loaded = isa_spec::load_str("t.yaml", SPEC, None);
    judge(&Codec::new(&loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))));
}

#[test]
fn words_have_texts() {
    with_codec(|codec| {
        let text = |word: u64| match codec.decode(Word::from(word), 8) {
            Ok(form) => {
                let mut text = String::new();
                codec.print(form, Word::from(word), 0, &mut text);
                text
            }
            Err(why) => format!("! {why}"),
        };
        assert_eq!([text(0x5c), text(0xcc), text(0x7e)], ["add r1, sp", "add r0, 0x3", "add sp, sp"]);
        assert_eq!(text(0x05), "! no such instruction; the closest is add.reg, but bit 6 is 0x0, not 0x1");
    });
}

#[test]
fn a_blank_behind_the_colon_of_a_condition_is_not_text() {
    let spec =
        "isa: t\nword: 8\ninstructions:\n  op: { fields: { c: 0, n: 7..1 }, text: 'op<when c: .c><else: .d> {n}<when c:  x>' }\n";
    let loaded = isa_spec::load_str("t.yaml", spec, None);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let codec = Codec::new(&isa);
    let text = |word: u64| {
        let mut text = String::new();
        codec.print(isa.forms[0].id, Word::from(word), 0, &mut text);
        text
    };
    assert_eq!([text(2), text(3)], ["op.d 0x1", "op.c 0x1 x"]);
}

#[test]
fn texts_have_words() {
    with_codec(|codec| {
        let word = |text: &str| {
            codec
                .parse(text, 0, &|_| None)
                .map(|(form, word)| (form.0, word.low()))
                .map_err(|error| (error.at, error.to_string()))
        };
        assert_eq!(word("add r1, sp"), Ok((0, 0x5c)));
        assert_eq!(word("add  r0 , 3"), Ok((1, 0xcc)));
        assert_eq!(word("add r1, r4").map_err(|error| error.0), Err(8));
    });
}
