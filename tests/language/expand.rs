//! The result of `define_isa!` for specs in files: the module, the files that the compiler watches, and for faulty specs the
//! error, with the place in the YAML. Nothing is compiled here; the tests of the crate `isa-macros` do that.

use isa_codegen::rust::Place;
use std::path::Path;

/// The expansion of `define_isa!("path")` in this crate, or of `define_isa!("specification")`, as text.
fn expand(path: &str) -> String {
    expand_tokens(&format!("{path:?}"))
}

/// The expansion of `define_isa!` with these tokens.
fn expand_tokens(input: &str) -> String {
    let input: proc_macro2::TokenStream = input.parse().expect("tokens");
    isa_codegen::rust::expand(input, Path::new(""), None).to_string()
}

/// The texts of the `compile_error!` in it.
fn errors(expansion: &str) -> Vec<String> {
    let tokens: proc_macro2::TokenStream = expansion.parse().expect("tokens");
    let mut tokens = tokens.into_iter();
    let mut errors = Vec::new();
    while tokens.by_ref().any(|token| token.to_string() == "compile_error") {
        let group = tokens.nth(1).expect("compile_error! has an argument").to_string();
        let literal = group.trim_start_matches(['(', '{', '[']).trim_end_matches([')', '}', ']']).trim();
        errors.push(unquoted(literal));
    }
    errors
}

/// The text of a string literal.
fn unquoted(literal: &str) -> String {
    let inner = literal.strip_prefix('"').and_then(|l| l.strip_suffix('"')).expect("a string literal");
    inner.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The only error.
fn error(expansion: &str) -> String {
    let [error] = errors(expansion).try_into().expect("one error");
    error
}

/// The message of each error, and the line with its place.
fn first_lines(expansion: &str) -> Vec<String> {
    errors(expansion).iter().map(|error| error.lines().take(2).map(str::trim).collect::<Vec<_>>().join(" ")).collect()
}

/// The files that it watches, without their folders.
fn watched(expansion: &str) -> Vec<&str> {
    let paths = expansion.split("include_bytes !").skip(1).filter_map(|rest| rest.split('"').nth(1));
    paths.map(|p| p.rsplit('/').next().unwrap_or(p)).collect()
}

#[test]
fn a_good_file_is_a_module_and_watched_with_what_it_includes() {
    let expansion = expand("specs/accepted/includes.yaml");
    assert!(expansion.contains("pub mod includes {"), "{}", &expansion[..200]);
    assert_eq!(watched(&expansion), ["includes.yaml", "registers.yaml", "operands.yaml"]);
}

#[test]
fn a_fault_stands_at_its_place_in_the_file() {
    let expansion = expand("specs/refused/clash-crossing.yaml");
    assert_eq!(
        error(&expansion),
        "\
A and B clash: 0x7 is a word of both, and neither lies inside the other [clash]
 --> specs/refused/clash-crossing.yaml:6:3
  |
5 |   A: { fix: { 2..1: 3 }, ignored: 0 }
  |   - A
6 |   B: { fix: { 0: 1 }, ignored: 2..1 }
  |   ^ B
  |
  = help: fix bit 0 in A, or bits 2..1 in B, or exclude values with `not`"
    );
    assert_eq!(watched(&expansion), ["clash-crossing.yaml"]);
}

#[test]
fn a_fault_in_an_included_file_stands_there_and_both_are_watched() {
    let expansion = expand("specs/refused/include-fault.yaml");
    let message = "there is no register file, enumeration or code `Q` [unknown-name] --> specs/refused/parts/fault.yaml:2:39";
    assert_eq!(first_lines(&expansion)[0], message);
    assert_eq!(watched(&expansion), ["include-fault.yaml", "fault.yaml"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    assert_eq!(error(&expand("specs/no-such-file.yaml")), "specs/no-such-file.yaml: there is no such file");
    let extends = error(&expand("isa: mine\nextends: sm80\n"));
    assert!(extends.starts_with("`sm80`: there is no such file [read]\n --> <inline>:2:10\n"), "{extends}");
    assert!(extends.ends_with("to `isagen` alone: here, `extends` takes the path of a file"), "{extends}");
}

#[test]
fn faults_of_a_specification_in_place_stand_at_its_lines() {
    let tiny = r#"
isa: tiny
word: 8
instructions:
  A: { fix: { 7..0: 1 }
  B: { fix: { 7..0: 2 } }
"#;
    assert_eq!(
        error(&expand(tiny)),
        "\
`{` is not closed [yaml]
 --> <inline>:5:6
  |
5 |   A: { fix: { 7..0: 1 }
  |      ^
6 |   B: { fix: { 7..0: 2 } }
  |   - expected `,` or `}` before this"
    );
    let calls = r#"
isa: calls
word: none
registers: { F: { names: "[a-z_]+", width: 32 } }
instructions:
  call: { layout: lsb0 "ffff", fields: { to: F, back: 7..4 F, n: unsigned }, text: "call {to}, {n}" }
"#;
    assert_eq!(
        first_lines(&expand(calls)),
        [
            "`F0` does not match `names`; `text:` is the name of a register in examples: `r{n}` [names] --> <inline>:4:14",
            "a text-only instruction set has no bits [no-words] --> <inline>:6:19",
            "a text-only instruction set has no bits; the width of a number is written `(5)` [no-words] --> <inline>:6:55",
            "`n` has no width: write the number of bits as `(5)` [no-bits] --> <inline>:6:63",
        ]
    );
}

#[test]
fn findings_in_place_are_at_lines_of_the_program() {
    let place = || Some(Place { file: "src/lib.rs".to_string(), line: 40 });
    let at_place = |input: &str| {
        let expansion = isa_codegen::rust::expand(input.parse().expect("tokens"), Path::new(""), place());
        first_lines(&expansion.to_string())
    };
    let raw = "r#\"\nisa: t\nwrod: 8\n\"#";
    assert_eq!(at_place(raw), ["a specification has no `wrod` [unknown-key] --> src/lib.rs:42:1"]);
    // The lines of this text are not lines of the program.
    assert_eq!(at_place(r#""isa: t\nwrod: 8\n""#), ["a specification has no `wrod` [unknown-key] --> <inline>:2:1"]);
    assert_eq!(at_place(r#""specs/refused/yaml-list.yaml""#).len(), 1);
}

#[test]
fn a_warning_is_a_use_of_something_deprecated() {
    let spec = "isa: t\nword: 8\nenums: { E: { 0: a } }\ninstructions: { A: { fix: { 7..0: 1 } } }\n";
    let expansion = expand(spec);
    assert_eq!(errors(&expansion), [""; 0]);
    let note = expansion.split("deprecated (note = ").nth(1).and_then(|rest| rest.split(")] const ").next()).expect("a note");
    let note = unquoted(note);
    assert!(note.starts_with("nothing uses the enumeration `E` [unused]\n --> <inline>:3:10\n"), "{note}");
}

#[test]
fn what_is_no_specification() {
    let usage = "define_isa! takes the path of a specification, or the specification itself, as a string literal; options come before \
                 it: define_isa!(sim, \"…\")";
    for input in ["", "tiny", "sim", "\"a.yaml\" \"b.yaml\"", "1", "\"a.yaml\", sim"] {
        assert_eq!(error(&expand_tokens(input)), usage, "{input}");
    }
    for (option, input) in [("crates", "crates = x, \"a.yaml\""), ("simm", "simm, \"a.yaml\"")] {
        let message = format!("define_isa! has no option `{option}`: there are `sim`, `sim = path` and `crate = path`");
        assert_eq!(error(&expand_tokens(input)), message, "{input}");
    }
}
