//! Specifications, images, and texts of instructions.

use isa_engine::{Codec, Style, Word, no_symbols};
use isa_runtime::engine::image;
use isa_spec::diag::{Severity, render_terminal};
use std::sync::LazyLock;

/// The images of shipped instruction sets: words of one length, and of two.
pub(crate) static IMAGES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| ["ampere", "rv32imac"].map(shipped));

fn shipped(name: &str) -> Vec<u8> {
    let isa = isa_spec::load_texts(&format!("{name}.yaml"), isa_specs::FILES).isa.expect("a shipped specification is good");
    isa_tables::image(&isa).expect("a shipped instruction set has an image")
}

/// A specification: findings with places in it, or an instruction set whose image can be used.
pub(crate) fn spec(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let loaded = isa_spec::load_str("fuzz.yaml", text, None);
    // A thousand of one kind are rendered in the same way.
    for finding in loaded.diagnostics.iter().take(50) {
        assert!(!finding.message.is_empty() && !render_terminal(finding, &loaded.files, false).is_empty());
        for (span, _) in &finding.labels {
            assert!(span.start <= span.end && span.end as usize <= loaded.files.file(span.file).text.len(), "{finding:?}");
        }
    }
    let has_errors = loaded.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    assert_eq!(has_errors, loaded.isa.is_none(), "accepted with an error, or refused without one");
    // The tables of many forms take long, and are like those of few.
    let Some(isa) = loaded.isa.filter(|isa| isa.forms.len() <= 500) else { return };
    match isa_tables::image(&isa) {
        Ok(image) => assert!(is_used(&image), "an image that was just made is one"),
        Err(finding) => assert_eq!(finding.code, "too-large", "{finding:?}"),
    }
}

/// An image, with its checksum corrected: it is refused, or can be used.
pub(crate) fn image(input: &[u8]) {
    let mut image = input.to_vec();
    image::seal(&mut image);
    is_used(&image);
}

/// A text for one of the shipped instruction sets, which the first byte selects.
pub(crate) fn text(input: &[u8]) {
    let Some((which, rest)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let image = &IMAGES[usize::from(*which) % IMAGES.len()];
    let mut codec = isa_engine::open(image, Style::default()).expect("an image of this version");
    reads(&mut *codec, text, true);
}

/// Reads a text. What is read is a word that is decoded and printed, if the image `is_right`.
fn reads(codec: &mut dyn Codec, text: &str, is_right: bool) {
    let statement = match codec.read(text, 0x1000, &no_symbols) {
        Ok(statement) => statement,
        Err(error) => {
            assert!(!error.message.is_empty() && text.is_char_boundary(error.at), "`{text}`: {error:?}");
            return;
        }
    };
    let mut printed = Vec::new();
    codec.print_statement(&statement, 0x1000, &mut printed);
    if is_right && !codec.is_text() {
        let form = codec.decode(statement.word, codec.length(statement.form)).map_err(|refused| refused.message);
        assert_eq!(form, Ok(statement.form), "`{text}` is read as {:#x}", statement.word);
        assert!(!printed.is_empty());
    }
}

/// Uses an image for some words and texts; returns whether it is one.
fn is_used(image: &[u8]) -> bool {
    let mut codec = match isa_engine::open(image, Style::default()) {
        Ok(codec) => codec,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let lengths = codec.shape().lengths.clone();
    let words = [Word::ZERO, !Word::ZERO, Word::from(0x0123_4567_89ab_cdefu64), Word::from(0x13u32)];
    for (bits, word) in lengths.into_iter().flat_map(|bits| words.map(|word| (bits, word & Word::ones(bits)))) {
        // Any form can be asked to print any word.
        let found = codec.decode(word, bits);
        let forms = found.as_ref().ok().copied().into_iter().chain(0..codec.forms().min(3));
        for form in forms {
            let (mut text, mut full) = (Vec::new(), Vec::new());
            codec.print(form, word, 0x1000, &mut text);
            codec.print_full(form, word, 0x1000, &mut full);
            codec.anatomy(form, word);
            reads(&mut *codec, &String::from_utf8_lossy(&full), false);
        }
        assert!(found.is_ok_and(|form| form < codec.forms()) || !codec.no_word(word).is_empty());
    }
    reads(&mut *codec, "none of these, 0x1", false);
    true
}
