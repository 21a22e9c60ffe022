//! The result of `define_isa!` for specs in files: the module, the files that the compiler watches, and for faulty specs the
//! error, with the place in the YAML. Nothing is compiled here; the tests of the crate `isa-macros` do that.

use std::path::Path;

/// The expansion of `define_isa!("path")` in this crate, or of `define_isa!("specification")`, as text.
fn expand(path: &str) -> String {
    expand_tokens(&format!("{path:?}"))
}

/// The expansion of `define_isa!` with these tokens.
fn expand_tokens(input: &str) -> String {
    let input: proc_macro2::TokenStream = input.parse().expect("tokens");
    isa_codegen::rust::expand(input, Path::new("")).to_string()
}

/// The text of the `compile_error!` in it.
fn error(expansion: &str) -> String {
    let tokens: proc_macro2::TokenStream = expansion.parse().expect("tokens");
    let mut tokens = tokens.into_iter().skip_while(|t| t.to_string() != "compile_error").skip(2);
    let group = tokens.next().expect("compile_error! has an argument").to_string();
    let literal = group.trim_start_matches(['(', '{', '[']).trim_end_matches([')', '}', ']']).trim();
    let inner = literal.strip_prefix('"').and_then(|l| l.strip_suffix('"')).expect("a string literal");
    inner.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\")
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
1 error in the specification

specs/refused/clash-crossing.yaml:6:3: A and B clash: 0x7 is a word of both, and neither lies inside the other
error[clash]: A and B clash: 0x7 is a word of both, and neither lies inside the other
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
    let places: Vec<String> = error(&expansion).lines().filter(|l| l.contains(": ")).map(str::to_string).collect();
    assert_eq!(places[0], "specs/refused/parts/fault.yaml:2:39: there is no register file, enumeration or code `Q`");
    assert_eq!(watched(&expansion), ["include-fault.yaml", "fault.yaml"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let message = error(&expand("specs/no-such-file.yaml"));
    assert!(
        message.starts_with("1 error in the specification\n\nspecs/no-such-file.yaml:1:1: there is no such file\n"),
        "{message}"
    );
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
1 error in the specification

<inline>:6:3: while parsing a flow mapping, did not find expected ',' or '}'
error[yaml]: while parsing a flow mapping, did not find expected ',' or '}'
 --> <inline>:6:3
  |
6 |   B: { fix: { 7..0: 2 } }
  |   ^"
    );
    let calls = r#"
isa: calls
word: none
registers: { F: { names: "[a-z_]+", width: 32 } }
instructions:
  call: { layout: lsb0 "ffff", fields: { to: F, back: 7..4 F, n: unsigned }, text: "call {to}, {n}" }
"#;
    let message = error(&expand(calls));
    let places: Vec<&str> = message.lines().filter(|line| line.starts_with("<inline>")).collect();
    assert_eq!(
        places,
        [
            "<inline>:4:14: `F0` does not match `names`; `text:` is the name of a register in examples: `r{n}`",
            "<inline>:6:19: a text-only instruction set has no bits",
            "<inline>:6:55: a text-only instruction set has no bits; the width of a number is written `(5)`",
            "<inline>:6:63: `n` has no width: write the number of bits as `(5)`",
        ]
    );
}

#[test]
fn what_is_no_specification() {
    let usage = "define_isa! takes the path of a specification, or the specification itself, as a string literal";
    for input in ["", "tiny", "sim", "\"a.yaml\" \"b.yaml\"", "crates = x, \"a.yaml\"", "1"] {
        assert_eq!(error(&expand_tokens(input)), usage, "{input}");
    }
}
