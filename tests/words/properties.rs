//! The reference codec and the generated code are two implementations of one meaning: on random words of every form, on wholly
//! random words, and on the texts of both, damaged and not, they agree; and each gives back what it was given.

use harness::{agree, agree_text, generated, generated_text};

/// Random words for each form, and wholly random words.
const PER_FORM: u32 = 500;
const RANDOM: u32 = 300;

// A module and a test for each of them.
include!(concat!(env!("OUT_DIR"), "/accepted.rs"));

/// All occurrences of a body in a text are the same text.
#[test]
fn texts_around_texts_are_read() {
    let word = |text: &str| text.parse::<accepted::texts_around_texts::Insn>().map(|i| i.word()).map_err(|e| e.to_string());
    assert_eq!(word("old 0x3! one B r2 0x1"), Ok(0x3450_0102));
    assert_eq!(word("both y A 0x1, 0x5 and y A 0x1, 0x5"), Ok(0x0058_0105));
    assert_eq!(word("with AI 0x1, 0x0!3"), Ok(0x0c58_0100));
    assert_eq!(word("both x A 0x1, 0x5 and y A 0x1, 0x5"), Err("expected `x`, found `y`".to_owned()));
}
