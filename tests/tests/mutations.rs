//! Whatever is written into a spec, the front end answers: it does not panic, hang, or stay silent. Small specs, good and bad, are
//! damaged at random places; what then loads must still be a partition of all words and read what it prints.

use conformance::{Random, yaml_files};
use isa_spec::certificate::Certificate;
use isa_spec::codec::Codec;
use isa_spec::diag::{Severity, render_json, render_terminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What damage is made of: extreme numbers, brackets, words of the languages.
const BITS_AND_PIECES: &[&str] = &[
    "0",
    "1",
    "7",
    "8",
    "63",
    "64",
    "127",
    "128",
    "129",
    "255",
    "4294967296",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "-1",
    "-170141183460469231731687303715884105728",
    "0x",
    "0b1",
    "1_0",
    "..",
    "++",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "<when x: ",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    "|",
    "||",
    "&&",
    "!",
    "==",
    "!=",
    "%",
    "&",
    "*",
    "+",
    "=",
    "@",
    "~",
    "$",
    "$at",
    "?",
    ".",
    ",",
    ":",
    ": ",
    "- ",
    "# ",
    "\n",
    "\n  ",
    "\t",
    "é",
    "漢",
    "\u{0}",
    "\u{feff}",
    "only",
    "except",
    "inverted",
    "signed",
    "unsigned",
    "hex",
    "dec",
    "target",
    "bitset \"ab\"",
    "onehot(x)",
    "has t",
    "x is y",
    "prefix[0]",
    "R",
    "null",
    "true",
    "else",
    "rest: ignored",
    "none",
    "[a-z]",
    "names: r[0-9]*",
    "syntax: \"a{.x}\"",
    "(5)",
    "lsb0 \"01\"",
    "{x}",
    "{body}",
    "{x?}",
    "{n}",
    "*a",
    "&a ",
    "!!binary ",
    "<<: ",
    "? ",
    "%YAML 1.2\n---\n",
    "...",
];

#[test]
fn damaged_specs_are_answered() {
    let texts = |folder| yaml_files(folder).into_iter().map(|p| std::fs::read_to_string(p).expect("a text"));
    let (good_seeds, bad_seeds): (Vec<String>, Vec<String>) =
        (texts("specs/accepted").collect(), texts("specs/refused").collect());
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/accepted");
    // More rounds than a test run has time for: MUTATIONS=1000000 cargo test --release -p conformance --test mutations
    let rounds: u64 = std::env::var("MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    let mut random = Random::new(0x5eed_1e55_c0de_cafe ^ rounds);
    let mut good = 0u64;
    for round in 0..rounds {
        let seeds = if round % 4 == 0 { &bad_seeds } else { &good_seeds };
        let mut text = seeds[random.next_u64() as usize % seeds.len()].clone();
        for _ in 0..=random.next_u64() % 2 {
            damage(&mut text, &mut random);
        }
        match catch_unwind(AssertUnwindSafe(|| examine(&text, &base))) {
            Ok(loaded) => good += u64::from(loaded),
            Err(_) => panic!("round {round}: the front end panicked on\n{text}"),
        }
    }
    assert!(good * 20 > rounds, "only {good} damaged specs were still good: the damage is too great to find anything");
}

/// Puts a piece in, takes some characters out, replaces a number, or moves a line.
fn damage(text: &mut String, random: &mut Random) {
    let places: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
    let pick = |random: &mut Random, n: usize| random.next_u64() as usize % n.max(1);
    let at = places[pick(random, places.len())];
    let piece = BITS_AND_PIECES[pick(random, BITS_AND_PIECES.len())];
    match random.next_u64() % 5 {
        0 => text.insert_str(at, piece),
        1 => {
            let end = text[at..].char_indices().nth(1 + pick(random, 4)).map_or(text.len(), |(i, _)| at + i);
            text.replace_range(at..end, "");
        }
        2 | 3 => {
            // Numbers are where the limits are.
            let digits = |b: u8| b.is_ascii_digit();
            let Some(start) = text[at..].bytes().position(digits).map(|i| at + i) else { return };
            let end = text[start..].bytes().position(|b| !digits(b)).map_or(text.len(), |i| start + i);
            text.replace_range(start..end, piece);
        }
        _ => {
            let lines: Vec<&str> = text.lines().collect();
            let (from, to) = (pick(random, lines.len()), pick(random, lines.len()));
            let mut moved = lines.clone();
            if let Some(line) = lines.get(from) {
                moved.insert(to, line);
            }
            *text = moved.join("\n");
        }
    }
}

/// Loads a spec and looks at all that comes of it; says whether it is good.
fn examine(text: &str, base: &Path) -> bool {
    let loaded = isa_spec::load_str("damaged.yaml", text, Some(base));
    for finding in &loaded.diagnostics {
        assert!(!finding.message.is_empty());
        assert!(!render_terminal(finding, &loaded.files, false).is_empty());
        assert!(render_json(finding, &loaded.files).starts_with('{'));
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
    let codec = Codec::new(&isa);
    let mut random = Random::new(7);
    for form in &isa.forms {
        let word = random.word_of(form);
        if let Ok(found) = codec.decode(word, form.length) {
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
    true
}
