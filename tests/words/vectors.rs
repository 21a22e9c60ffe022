//! The shipped specs against other tools: nvdisasm's texts, character by character; words bit for
//! bit through `--full`; what nvdisasm refuses is refused; the evidence of every erratum holds.

use harness::{Codec, TEXTS, Vector, all_right, amount, shipped_codec, shipped_isa, vectors};
use isa_reference::evidence;
use isa_runtime::why::Why;
use isa_spec::diag::render_terminal;
use isa_spec::model::{Piece, When, Word};
use std::path::Path;

#[test]
fn words_print_as_those_who_vouch_for_them_say() {
    all(1, |codec, v| v.prints_another_text(codec));
}

#[test]
fn full_text_assembles_to_the_same_word() {
    all(amount(1, 20), |codec, v| full_gives_the_word(codec, v).err());
}

#[test]
fn plain_text_assembles_to_a_word_of_that_text() {
    all(amount(1, 20), |codec, v| plain_gives_a_word(codec, v).err());
}

/// A run of real machine code, in its order.
#[test]
fn a_kernel_prints_as_nvdisasm_does() {
    let file =
        |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(name)).expect("a kernel");
    let (words, texts) = (file("ampere-saxpy-like.hex"), file("ampere-saxpy-like.sass"));
    let codec = shipped_codec("ampere");
    let mut printed = String::new();
    for line in words.lines().filter(|l| !l.starts_with('#')) {
        let (address, word) = line.split_once(": ").expect("an address and a word");
        let address = u64::from_str_radix(address.trim_start_matches("0x"), 16).expect("an address");
        let word = Word::from_str_radix(word, 16).expect("a word");
        match codec.decode(word, 128) {
            Ok(form) => codec.print(form, word, address, &mut printed),
            Err(error) => printed.push_str(&format!("! {error}")),
        }
        printed.push('\n');
    }
    assert_eq!(printed, texts);
}

#[test]
fn what_nvdisasm_refuses_is_refused_for_a_field() {
    let (isa, codec) = (shipped_isa("ampere"), shipped_codec("ampere"));
    let list = vectors("ampere-sm80-rejected.tsv");
    let judge = |v: &Vector| match codec.decode(v.word, v.bits) {
        Ok(form) => Some(format!("{} is accepted as {}: {:?}", v.shown(), isa.form(form).name, v.column("disassembler"))),
        Err(Why::Value { .. }) => None,
        Err(Why::Rule { fields, .. }) if !fields.is_empty() => None,
        Err(Why::Fixed { differences, .. }) if differences.iter().any(|d| !d.held.name.is_empty()) => None,
        Err(why) => Some(format!("{} is refused without naming a field: {why}", v.shown())),
    };
    assert_eq!(list.len(), 4_288);
    all_right("ampere-sm80-rejected.tsv", &list, judge);
}

/// The evidence of every erratum of every shipped spec is right.
#[test]
fn errata_are_true() {
    let mut with_evidence = 0;
    for name in isa_specs::names() {
        let isa = shipped_isa(name);
        with_evidence += usize::from(isa.all_errata().any(|(_, erratum)| !erratum.evidence.is_empty()));
        all_right(&isa.name, &evidence::check(isa), |finding| Some(render_terminal(finding, &isa.files, false)));
    }
    assert!(with_evidence >= 6, "{with_evidence} specifications have errata with evidence");
}

/// Asks a question of each vector, or of each `step`th.
fn all(step: usize, question: fn(&Codec<'_>, &Vector) -> Option<String>) {
    for (name, file, lines) in TEXTS {
        let codec = shipped_codec(name);
        let list = vectors(file);
        assert_eq!(list.len(), lines, "{file}");
        let list: Vec<_> = list.iter().step_by(step).collect();
        all_right(file, &list, |v| question(codec, v));
    }
}

fn full_gives_the_word(codec: &Codec<'_>, v: &Vector) -> Result<(), String> {
    let form = codec.decode(v.word, v.bits).map_err(|e| format!("{} is refused: {e}", v.shown()))?;
    let mut full = String::new();
    codec.print_full(form, v.word, v.address(), &mut full);
    match codec.parse(&full, v.address(), &|_| None) {
        Ok((found, word)) if (found, word) == (form, v.word) => Ok(()),
        Ok((_, word)) => Err(format!("{}: `{full}` is {word:x}", v.shown())),
        Err(error) => Err(format!("{}: `{full}`: {error}", v.shown())),
    }
}

fn plain_gives_a_word(codec: &Codec<'_>, v: &Vector) -> Result<(), String> {
    let (form, word) =
        codec.parse(v.text(), v.address(), &|_| None).map_err(|e| format!("{}: `{}`: {e}", v.shown(), v.text()))?;
    let mut again = String::new();
    codec.print(form, word, v.address(), &mut again);
    if again != v.text() {
        return Err(format!("{}: `{}` is read as {word:x}, which prints `{again}`", v.shown(), v.text()));
    }
    // The emitted word depends on nothing but the text, except for the fields of `--full` (scheduling), bits without meaning, and
    // fields that this text does not show.
    let form = codec.isa().form(form);
    let bits = |fields: Vec<usize>| fields.into_iter().fold(Word::ZERO, |m, f| m | form.fields[f].bits.mask());
    let said = (bits(shown(&form.text, word)) | form.mask) & !bits(all_fields(&form.full));
    let differ = (word ^ v.word) & said;
    if v.is_emitted() && !differ.is_zero() {
        return Err(format!("`{}` is read as {word:x}, not {}: they differ in {differ:#x}", v.text(), v.shown()));
    }
    Ok(())
}

/// The fields that the text of a word says: those that it prints, and those that a missing group leaves at their defaults.
fn shown(pieces: &[Piece], word: Word) -> Vec<usize> {
    let mut fields = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(_) => {}
            Piece::Field { .. } | Piece::Reading(_) => fields.extend(piece.fields()),
            Piece::Group { when: When::Differs(which), body } => {
                fields.extend(which);
                fields.extend(shown(body, word));
            }
            Piece::Group { when: When::Holds(when), body } if when.words.contains(word) => fields.extend(shown(body, word)),
            Piece::Group { .. } | Piece::OneOf(_) => {}
        }
    }
    fields
}

/// The fields in a template, and those that decide what it prints.
fn all_fields(pieces: &[Piece]) -> Vec<usize> {
    let mut fields = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(_) | Piece::OneOf(_) => {}
            Piece::Field { .. } | Piece::Reading(_) => fields.extend(piece.fields()),
            Piece::Group { when, body } => {
                match when {
                    When::Differs(which) => fields.extend(which),
                    When::Holds(when) => fields.extend(when.cond.fields()),
                }
                fields.extend(all_fields(body));
            }
        }
    }
    fields
}
