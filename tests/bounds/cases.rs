//! Small specs (`cases/`) and large ones (made here) that once gave wrong answers, crashed, hung or took all memory: each is
//! answered rightly, in two seconds and 300 MiB.

use harness::bounded::{Limits, alone, tell};
use isa_reference::certificate::Certificate;
use isa_reference::codec::Codec;
use isa_spec::diag::Severity;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const LIMITS: Limits = Limits { seconds: 2, mebibytes: 300 };

/// The right answer to a spec.
#[derive(Clone, Copy)]
enum Right {
    /// No error.
    Good,
    /// No error, and a warning with this code.
    Warned(&'static str),
    /// At least this number of errors, all with this code.
    Refused(&'static str, usize),
    /// No error, or only errors: what there is of answers is right.
    Either,
}

use Right::{Either, Good, Refused, Warned};

/// A spec, the right answer, and answers to questions, where it is good:
/// `words BITS` (how many belong to a form), `decode BITS WORD`, `parse TEXT`.
type Case = (&'static str, Right, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    // Two forms, one inside the other.
    ("inner-fewer-fixed.yaml", Good, &[("decode 4 0x0", "B.a"), ("decode 4 0x2", "A 0x2"), ("parse B.a", "B 0x0")]),
    ("inner-not.yaml", Good, &[("decode 8 0x45", "SPECIAL 0x4, 0x5"), ("decode 8 0x50", "LOAD 0x10")]),
    ("hoist.yaml", Good, &[]),
    ("hoist2.yaml", Good, &[]),
    ("hoist3.yaml", Good, &[]),
    // A text that words of two lengths share.
    ("full.yaml", Good, &[("decode 16 0x302", "inc r3"), ("decode 32 0x301", "inc r3")]),
    (
        "newalias.yaml",
        Good,
        &[("decode 16 0x1000", "nop"), ("decode 16 0x100a", "mv r2,r1"), ("decode 16 0x1fc0", "addi r0,r0,-0x1")],
    ),
    // Conditions are about values.
    ("optional-and.yaml", Good, &[("words 8", "16")]),
    ("optional-mod.yaml", Good, &[("decode 8 0x10", "refused"), ("decode 8 0x11", "A 0x3"), ("decode 8 0x1e", "refused")]),
    ("bare-name.yaml", Good, &[("decode 8 0x10", "A 0x7")]),
    ("realistic-spec.yaml", Good, &[("decode 8 0x10", "SHIFT! 0x1")]),
    ("signed-and.yaml", Good, &[("words 8", "8")]),
    ("signed-mod.yaml", Good, &[("words 8", "16")]),
    ("neg-scale.yaml", Either, &[("words 8", "249"), ("decode 8 0x80", "A 0x203"), ("decode 8 0x0", "refused")]),
    // Fields of 127 and 128 bits, and scales at the edge of what fits: right, or refused.
    (
        "wide-bias.yaml",
        Either,
        &[
            ("decode 128 0x0", "A 0x1"),
            ("decode 128 0xffffffffffffffffffffffffffffffff", "A 0x100000000000000000000000000000000"),
        ],
    ),
    (
        "wide-eq.yaml",
        Either,
        &[("decode 128 0x0", "A 0x0"), ("decode 128 0xffffffffffffffffffffffffffffffff", "A 0xffffffffffffffffffffffffffffffff")],
    ),
    (
        "wide-scale.yaml",
        Either,
        &[
            ("decode 128 0x1", "A 0x4"),
            ("decode 128 0xffffffffffffffffffffffffffffffff", "A 0x3fffffffffffffffffffffffffffffffc"),
        ],
    ),
    (
        "wide-signed.yaml",
        Either,
        &[
            ("decode 128 0x4", "A 0x4"),
            ("decode 128 0x5", "refused"),
            ("decode 128 0x7fffffffffffffffffffffffffffffff", "refused"),
            ("decode 128 0x80000000000000000000000000000000", "A -0x80000000000000000000000000000000"),
        ],
    ),
    (
        "wide-unsigned.yaml",
        Either,
        &[
            ("decode 128 0x5", "refused"),
            ("decode 128 0x6", "A 0x6"),
            ("decode 128 0xffffffffffffffffffffffffffffffff", "A 0xffffffffffffffffffffffffffffffff"),
        ],
    ),
    ("big-scale.yaml", Either, &[("decode 64 0x0", "A 0x7fffffffffffffff"), ("decode 64 0x2", "A 0x17ffffffffffffffd")]),
    // Texts that are comments, labels, refusals or addresses when read as lines. `J # x` and `# A` are not comments: marks that
    // occur in texts begin none.
    ("text-is-comment.yaml", Refused("text-line", 4), &[]),
    ("sample.yaml", Warned("same-text"), &[("decode 16 0x302", "inc r3")]),
    ("in-reversed.yaml", Warned(""), &[("words 8", "16")]),
    // Texts and choices that contain themselves.
    ("self-text.yaml", Refused("cycle", 1), &[]),
    ("slot-text-rec2.yaml", Refused("cycle", 1), &[]),
    // Sizes that multiply.
    ("choose-2^14.yaml", Good, &[]),
    ("choose-2^20.yaml", Refused("too-large", 1), &[]),
    (
        "also-exp.yaml",
        Good,
        &[
            ("decode 32 0x5", "A"),
            ("parse 0 1x1 2x9 3x7 4x0 A", "A 0x0"),
            ("parse 59 3x59 A", "A 0x0"),
            ("parse 0 1x1 2x9 3x7 4x60 A", "refused"),
            ("parse 4x0 3x7 2x9 1x1 0 A", "refused"),
            ("parse nonsense", "refused"),
        ],
    ),
    (
        "made: also-behind 60",
        Good,
        &[
            ("decode 32 0x5", "A5 0x0"),
            ("parse A5 0x1 4x0 3x7 2x9 1x1 0x59", "A5 0x15"),
            ("parse a5 4x59 0x0", "A5 0x5"),
            ("parse A5 0x1 4x0 3x7 2x9 1x1 0x60", "refused"),
            ("parse nonsense", "refused"),
        ],
    ),
    // A body that occurs twice has several texts: they multiply.
    ("made: also-twice 60", Refused("too-large", 1), &[]),
    ("format-deep-text.yaml", Refused("too-large", 1), &[]),
    ("define-exp-12.yaml", Good, &[("words 8", "255")]),
    ("define-exp-15.yaml", Good, &[("words 8", "255")]),
    ("define-chain-18.yaml", Good, &[("words 8", "255")]),
    (
        "sparse-enums-3.yaml",
        Good,
        &[("decode 64 0x1000000000000000", "A .e0, .e0, .e0"), ("decode 64 0x1000000000000003", "refused")],
    ),
    ("sparse-enums-4.yaml", Good, &[]),
    ("sparse-enums-5.yaml", Good, &[]),
    ("sparse-enums-6.yaml", Good, &[]),
    ("sparse-enums-7.yaml", Good, &[]),
    ("sparse-enums-8.yaml", Good, &[("decode 64 0x1000000000000013", "A .e19, .e0, .e0, .e0, .e0, .e0, .e0, .e0")]),
    ("made: sparse-enums 11", Good, &[("decode 64 0x1000000000000003", "refused")]),
    ("made: sparse-enums-of-2 20", Good, &[("decode 64 0x1000000000000000", "refused")]),
    ("mod-or-8.yaml", Good, &[("words 16", "34850"), ("decode 16 0x201", "A 0x1, 0x2"), ("decode 16 0x203", "refused")]),
    ("mod-or-10.yaml", Good, &[("words 20", "558558")]),
    ("mod-or-12.yaml", Good, &[("words 24", "8946210")]),
    ("mod-when16.yaml", Good, &[("decode 32 0x10003", "A.q 0x3, 0x1"), ("decode 32 0x10004", "A 0x4, 0x1")]),
    ("eq-12.yaml", Good, &[("words 32", "4293918720")]),
    // Truly entangled, or not.
    ("cnf.yaml", Either, &[]),
    ("dnf.yaml", Either, &[]),
    ("text-amb-16.yaml", Either, &[("parse A aaaaaaaab", "refused")]),
    ("made: bytes 15", Good, &[]),
    ("made: bytes 31", Good, &[]),
    ("made: bytes 63", Good, &[]),
    // Names that generated code has to look after.
    ("gen-keyword.yaml", Either, &[]),
    ("handler.yaml", Either, &[]),
    ("case-fields.yaml", Either, &[]),
    ("bidi.yaml", Either, &[]),
    // Large ones.
    ("made: plain 10000", Good, &[("decode 32 0x270f123", "I9999 0x123")]),
    ("made: catch-all 4000", Good, &[("decode 32 0x7123", "I1 0x123"), ("decode 32 0x1123", "ALL 0x1123")]),
    ("made: findings 10000", Refused("unknown-name", 1), &[]),
    ("made: clash 2000", Refused("clash", 1), &[]),
    ("made: enum 30000", Good, &[("decode 32 0x100002", "A.v1"), ("decode 32 0x100003", "refused")]),
    ("made: texts 1000", Good, &[("decode 32 0x3e7", "t999"), ("decode 32 0x3e8", "A 0x3e8"), ("parse t7", "A 0x7")]),
];

/// The text of a case.
fn text(case: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(made) = case.strip_prefix("made: ") else {
        let path = folder.join("cases").join(case);
        return std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    };
    let (kind, n) = made.split_once(' ').expect("a kind and a number");
    let n: usize = n.parse().expect("a number");
    let mut out = "isa: big\nword: 32\n".to_string();
    let mut instructions = |each: &dyn Fn(usize) -> String| {
        out.push_str("instructions:\n");
        (0..n).for_each(|i| writeln!(out, "  {}", each(i)).expect("writing to a String does not fail"));
    };
    match kind {
        "plain" => instructions(&|i| format!("I{i}: {{ fix: {{ 31..12: {i} }}, fields: {{ x: 11..0 }}, text: \"I{i} {{x}}\" }}")),
        "findings" => {
            instructions(&|i| {
                format!("I{i}: {{ fix: {{ 31..12: {i} }}, fields: {{ x: 11..0 Nowhere }}, text: \"I{i} {{x}}\" }}")
            });
        }
        "clash" => instructions(&|i| format!("I{i}: {{ fields: {{ x: 31..0 }}, text: \"I{i} {{x}}\" }}")),
        "catch-all" => {
            instructions(&|i| format!("I{i}: {{ fix: {{ 31..12: {} }}, fields: {{ x: 11..0 }}, text: \"I{i} {{x}}\" }}", i * 7));
            out.push_str("  ALL: { fields: { x: 31..0 }, text: \"ALL {x}\" }\n");
        }
        "also-behind" | "also-twice" => {
            out.push_str("formats:\n  f0: { fields: { op: 3..0, x: 11..4 }, rest: ignored }\n");
            for level in 0..5 {
                let body = if kind == "also-twice" { "{body} {body}" } else { "{body}" };
                let texts: Vec<String> = (0..n).map(|i| format!("\"{body} {level}x{i}\"")).collect();
                let (texts, above) = (texts.join(", "), level + 1);
                writeln!(out, "  f{above}: {{ extends: f{level}, text: \"{{body}}\", also: [{texts}] }}").expect("as above");
            }
            out.push_str("instructions:\n");
            for i in 0..16 {
                let also = format!("[\"a{i}\", \"<when x == 7: seven >A{i} {{x}} {{x}}\"]");
                writeln!(out, "  A{i}: {{ extends: f5, fix: {{ op: {i} }}, text: \"A{i} {{x}}\", also: {also} }}")
                    .expect("as above");
            }
        }
        "texts" => {
            let variants: Vec<String> = (0..n).map(|i| format!("{{ when: x == {i}, is: \"t{i}\" }}")).collect();
            let variants = variants.join(", ");
            writeln!(out, "instructions:\n  A: {{ fields: {{ x: 31..0 }}, text: [{variants}, \"A {{x}}\"] }}").expect("as above");
        }
        "enum" => {
            let values: Vec<String> = (0..n).map(|i| format!("    {}: .v{i}", 2 * i)).collect();
            let fields = "{ fix: { 31..20: 1 }, fields: { e: 19..0 E }, text: \"A{e}\" }";
            writeln!(out, "enums:\n  E:\n{}\ninstructions:\n  A: {fields}", values.join("\n")).expect("as above");
        }
        "sparse-enums" | "sparse-enums-of-2" => {
            let (width, values) = match kind {
                "sparse-enums" => (5, "0: .e0, 1: .e1, 2: .e2, 5: .e5, 9: .e9, 14: .e14, 19: .e19"),
                _ => (2, "1: .e1, 2: .e2"),
            };
            let fields: Vec<String> = (0..n).map(|i| format!("f{i}: {}..{} E", width * (i + 1) - 1, width * i)).collect();
            let places: Vec<String> = (0..n).map(|i| format!("{{f{i}}}")).collect();
            let (fields, places) = (fields.join(", "), places.join(", "));
            out = format!(
                "isa: t\nword: 64\nenums: {{ E: {{ {values} }} }}\ninstructions:\n  \
                 A: {{ fix: {{ 63..60: 1 }}, fields: {{ {fields} }}, rest: ignored, text: \"A {places}\" }}\n"
            );
        }
        // ptx-vop4 with an enumeration of bytes that is wider and as sparse.
        "bytes" => {
            let path = folder.join("../specs/ptx-vop4.yaml");
            let spec = std::fs::read_to_string(path).expect("it is shipped");
            let (before, byte) = spec.split_once("\n  Byte:").expect("its enumeration");
            out = format!("{before}\n  Byte:{}", byte.replacen("\n    7: ", &format!("\n    {n}: "), 1));
            let width = n.ilog2() + 1;
            out = out.replace("selector:12", &format!("selector:{}", 4 * width));
            out = out.replace("selector[i * 3 +: 3], 6)", &format!("selector[i * {width} +: {width}], 8)"));
        }
        _ => panic!("no such kind: {kind}"),
    }
    out
}

/// One case and its questions, in a process of its own: findings and answers, line by line.
#[test]
#[ignore = "`cases_are_answered` runs it, with limits"]
fn one_case() {
    let case = std::env::var("CASE").expect("`cases_are_answered` sets CASE");
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let loaded = isa_spec::load_str("case.yaml", &text(&case), Some(&base));
    for d in &loaded.diagnostics {
        let severity = if d.severity == Severity::Error { "error" } else { "warning" };
        tell(&format!("{severity} {}: {}", d.code, d.message));
    }
    let Some(isa) = loaded.isa else { return };
    for d in isa_reference::lint::same_text(&isa) {
        tell(&format!("warning {}: {}", d.code, d.message));
    }
    let certificate = Certificate::new(&isa);
    let codec = Codec::new(&isa);
    for question in std::env::var("QUESTIONS").unwrap_or_default().lines() {
        let (what, rest) = question.split_once(' ').expect("a question has two words");
        let answer = match what {
            "words" => {
                let length = certificate.lengths.iter().find(|l| l.bits.to_string() == rest).expect("a length of the spec");
                let count = length.allocated.to_string();
                count.strip_prefix("0x").map_or(count.clone(), |digits| {
                    u128::from_str_radix(digits, 16).map_or(count.clone(), |count| count.to_string())
                })
            }
            "decode" => {
                let (bits, word) = rest.split_once(" 0x").expect("bits and a word");
                let (bits, word) =
                    (bits.parse().expect("bits"), isa_spec::model::Word::from_str_radix(word, 16).expect("a word"));
                match codec.decode(word, bits) {
                    Err(_) => "refused".to_string(),
                    Ok(form) => {
                        let (mut text, mut full) = (String::new(), String::new());
                        codec.print(form, word, 0, &mut text);
                        codec.print_full(form, word, 0, &mut full);
                        // The output of `--full` is read back.
                        match codec.parse(&full, 0, &|_| None) {
                            Ok(read) if read == (form, word) => text,
                            other => format!("{text}, but `{full}` is read as {other:?}"),
                        }
                    }
                }
            }
            "parse" => match codec.parse(rest, 0, &|_| None) {
                Ok((form, word)) => format!("{} {word:#x}", isa.form(form).name),
                Err(_) => "refused".to_string(),
            },
            _ => panic!("no such question: {question}"),
        };
        tell(&format!("answer {question}: {answer}"));
    }
}

/// The fault in the answer to a case.
fn fault((case, right, questions): &Case) -> Option<String> {
    let asked: Vec<&str> = questions.iter().map(|q| q.0).collect();
    let ended = alone("cases::one_case", &[("CASE", case), ("QUESTIONS", &asked.join("\n"))], LIMITS);
    if !ended.well {
        return Some(format!("no answer within {LIMITS:?}: {}", ended.story.chars().take(400).collect::<String>()));
    }
    let of = |what: &str| -> Vec<&str> { ended.told.iter().filter_map(|l| l.strip_prefix(what)).collect() };
    let (errors, warnings, answers) = (of("error "), of("warning "), of("answer "));
    let few = |list: &[&str]| list.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let is = |finding: &&str, code: &str| code.is_empty() || finding.split(':').next() == Some(code);
    match right {
        Refused(code, count) if errors.len() < *count || !errors.iter().all(|e| is(e, code)) => {
            return Some(format!("not refused with {count} errors `{code}`, but {}: {}", errors.len(), few(&errors)));
        }
        Refused(..) => return None,
        Good | Warned(_) if !errors.is_empty() => return Some(format!("refused: {}", few(&errors))),
        Warned(code) if !warnings.iter().any(|w| is(w, code)) => return Some(format!("no warning `{code}`")),
        Either if !errors.is_empty() => return None,
        _ => {}
    }
    let wrong = questions.iter().zip(&answers).find(|((question, right), answer)| **answer != format!("{question}: {right}"));
    match wrong {
        Some(((_, right), answer)) => Some(format!("{answer}; right is {right}")),
        None if answers.len() != questions.len() => Some("not all questions were answered".to_string()),
        None => None,
    }
}

#[test]
fn cases_are_answered() {
    let next = AtomicUsize::new(0);
    let faults = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(fault) = fault(case) {
                        faults.lock().expect("no other thread panics").push(format!("{}: {fault}", case.0));
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no other thread panics");
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), CASES.len(), faults.join("\n"));
}

/// Each file of the folder is in the table.
#[test]
fn all_cases_are_listed() {
    for path in harness::yaml_files("cases") {
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
        assert!(CASES.iter().any(|c| c.0 == name), "{name} is in no line of the table");
    }
}

/// Nested texts contain each template as often as the spec does.
#[test]
fn texts_around_texts_are_written_once() {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let loaded = isa_spec::load_str("case.yaml", &text("also-exp.yaml"), Some(&base));
    let isa = loaded.isa.expect("a good spec");
    let json = isa_docs::json::model(&isa);
    for (level, i) in (0..5).flat_map(|level| (0..60).map(move |i| (level, i))) {
        let prefix = if level == 0 { String::new() } else { format!("{level}x") };
        // The text of the instruction is all that the innermost format has in its `{body}`.
        let literal = if level == 4 { format!("\"{prefix}{i} A\"") } else { format!("\"{prefix}{i} \"") };
        assert_eq!(json.matches(&literal).count(), 1, "{literal}");
    }
}
