//! For any spec or program there is an answer, in bounded time and memory, and never a panic. Specs and texts are damaged at
//! random places; a spec that still loads is a partition of all words, reads what it prints, and goes through the back ends; a
//! text that is still accepted is a legal word.

use harness::bounded::{each_input, in_batches};
use harness::{Codec, Random, amount, damage, load, shipped_with_modules, yaml_files};
use isa_reference::certificate::Certificate;
use isa_runtime::engine::read::Symbol;
use isa_runtime::why::Wrong;
use isa_spec::diag::{Severity, render_terminal};
use std::path::{Path, PathBuf};

/// The folder in which children note their inputs.
const NOTES: &str = env!("CARGO_TARGET_TMPDIR");

/// More than a test run has time for: `MUTATIONS=1000000 cargo test --release -p conformance --test bounds mutated`.
fn rounds(usual: u64) -> u64 {
    std::env::var("MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(amount(usual, usual / 8))
}

#[test]
fn damaged_specs_are_answered() {
    let rounds = rounds(2_000);
    let good = in_batches("mutated::examine_specs", NOTES, rounds, 250);
    assert!(
        good * 20 > rounds,
        "only {good} of {rounds} damaged specs were still good: the damage is too great to find anything"
    );
}

#[test]
fn damaged_texts_are_answered() {
    let rounds = rounds(20_000);
    let good = in_batches("mutated::examine_texts", NOTES, rounds, 5_000);
    assert!(
        good * 8 > rounds,
        "only {good} of {rounds} damaged texts were still accepted: the damage is too great to find anything"
    );
}

fn random(input: u64) -> Random {
    let mut random = Random::new(0x5eed_1e55_c0de_cafe ^ (input + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    random.next_u64();
    random
}

#[test]
#[ignore = "`damaged_specs_are_answered` runs it, with limits"]
fn examine_specs() {
    let small: Vec<PathBuf> = ["specs/accepted", "specs/wide", "cases"].into_iter().flat_map(yaml_files).collect();
    let (bad, large) = (yaml_files("specs/refused"), shipped_with_modules());
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/accepted");
    each_input(|input, noted| {
        let mut random = random(input);
        // Large specs take long; most of the damage is to small ones.
        let seeds = match input % 40 {
            0 => &large,
            n if n % 5 == 1 => &bad,
            _ => &small,
        };
        let path = &seeds[random.next_u64() as usize % seeds.len()];
        let mut text = std::fs::read_to_string(path).expect("a text");
        for _ in 0..=random.next_u64() % 2 {
            damage(&mut random, &mut text);
        }
        noted(&text);
        examine(&text, &base, input % 40 != 0)
    });
}

/// Loads a spec and examines the results; returns true if it is good.
fn examine(text: &str, base: &Path, build: bool) -> bool {
    let loaded = isa_spec::load_str("damaged.yaml", text, Some(base));
    // Each finding can be rendered; a thousand of one kind are rendered in the same way.
    for finding in loaded.diagnostics.iter().take(50) {
        assert!(!finding.message.is_empty());
        assert!(!render_terminal(finding, &loaded.files, false).is_empty());
        for (span, _) in &finding.labels {
            assert!(span.start <= span.end && span.end as usize <= loaded.files.file(span.file).text.len(), "{finding:?}");
        }
    }
    let errors = loaded.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let Some(isa) = loaded.isa else {
        assert!(errors, "refused without a reason");
        return false;
    };
    assert!(!errors, "accepted with an error");
    for length in Certificate::new(&isa).lengths {
        assert!(length.is_exact(), "{} bits: {} + {} are not {}", length.bits, length.allocated, length.holes, length.total);
    }
    // A spec too large for tables gives a finding.
    let codec = match Codec::with_words(&isa, 0) {
        Ok(codec) => codec,
        Err(finding) => {
            assert_eq!(finding.code, "too-large", "{finding:?}");
            return true;
        }
    };
    let mut random = Random::new(7);
    // If there are many forms, only some are tried.
    for form in isa.forms.iter().step_by(isa.forms.len().div_ceil(50)) {
        let word = random.word_of(form);
        if let Ok(found) = codec.decode(word, form.length) {
            let mut text = String::new();
            codec.print(found, word, 0x1000, &mut text);
            // The engine says so where a text has more ways than it tries, and the reference codec, which has no such limit, reads it.
            if matches!(&codec.engine_reads(&[&text], 0x1000)[0], Err(e) if matches!(e.wrong, Wrong::TooManyWays { .. })) {
                continue;
            }
            let mut full = String::new();
            codec.print_full(found, word, 0x1000, &mut full);
            let read = codec.parse_statement(&full, 0x1000, &|_| None).unwrap_or_else(|e| panic!("`{full}`: {e}"));
            if isa.is_text() {
                let mut again = String::new();
                codec.print_statement(&read, 0x1000, &mut again);
                assert_eq!(again, full);
            } else {
                assert_eq!((read.form, read.word), (found, word), "`{full}`");
            }
        }
    }
    if build && isa.forms.len() <= 200 {
        // Conditions that are too large for generated code are a finding, and so are words that are too long.
        if let Err(finding) = isa_codegen::rust::module(&isa) {
            assert!(["entangled", "width"].contains(&finding.code), "{finding:?}");
        }
        assert!(!isa_docs::pages::markdown(&isa).is_empty() && !isa_docs::pages::html(&isa).is_empty());
        assert!(isa_docs::json::model(&isa).starts_with('{'));
    }
    true
}

#[test]
#[ignore = "`damaged_texts_are_answered` runs it, with limits"]
fn examine_texts() {
    let codecs = |paths: Vec<PathBuf>| -> Vec<Codec<'static>> { paths.iter().map(|path| Codec::new(load(path))).collect() };
    let small = codecs(["specs/accepted", "specs/wide"].into_iter().flat_map(yaml_files).collect());
    let large = codecs(shipped_with_modules());
    each_input(|input, noted| {
        let mut random = random(input);
        let list = if input % 40 == 0 { &large } else { &small };
        let codec = &list[random.next_u64() as usize % list.len()];
        let isa = codec.isa();
        let form = &isa.forms[random.next_u64() as usize % isa.forms.len()];
        let word = random.word_of(form);
        let mut text = String::new();
        match codec.decode(word, form.length) {
            Ok(found) if input % 2 == 0 => codec.print_full(found, word, 0x1000, &mut text),
            Ok(found) => codec.print(found, word, 0x1000, &mut text),
            // The text of an illegal word is almost right.
            Err(_) => codec.print(form.id, word, 0x1000, &mut text),
        }
        if input % 8 != 0 {
            damage(&mut random, &mut text);
        }
        noted(&format!("{}: {text}", isa.name));
        match codec.parse_statement(&text, 0x1000, &|rest| Symbol::label(rest, |name| (name == "label").then_some(0x40))) {
            Ok(read) => {
                let length = isa.form(read.form).length;
                assert_eq!(codec.decode(read.word, length).ok(), Some(read.form), "`{text}` is read as {:#x}", read.word);
                true
            }
            Err(e) => {
                assert!(!e.to_string().is_empty() && text.is_char_boundary(e.at), "`{text}`: {e:?}");
                false
            }
        }
    });
}
