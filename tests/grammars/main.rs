//! The parsers of the small languages are what `#[derive(pest_derive::Parser)]` makes of their grammars, checked in as pest checks in the
//! parser of its own grammar: with `pest_derive` among its dependencies, `define_isa!` would take a quarter longer to build.

use pest_generator::derive_parser;
use quote::quote;
use std::fs;
use std::path::Path;

/// The file of each parser, and the grammars that it is made of; in the folder `crates/isa-syntax/src`.
const PARSERS: [(&str, &[&str]); 2] = [
    (
        "lang/grammar.rs",
        &[
            "lang/common.pest",
            "lang/field.pest",
            "lang/condition.pest",
            "lang/template.pest",
            "lang/layout.pest",
            "lang/syntax.pest",
            "lang/sum.pest",
        ],
    ),
    ("lang/semantics/grammar.rs", &["lang/semantics.pest"]),
];

/// The parser of some grammars: a line for each rule, so that a change of a grammar is seen in the lines of its rules. Rules that
/// are inlined into each other take longer to compile, and are not faster.
fn parser(folder: &Path, grammars: &[&str]) -> String {
    let read = |name: &&str| fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let text = grammars.iter().map(read).collect::<Vec<_>>().join("\n");
    let code = derive_parser(quote!(#[grammar_inline = #text] pub(crate) struct Grammar;), false).to_string();
    let names = grammars.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let code = code.replace("pub enum Rule", "pub(crate) enum Rule").replace(" # [inline] ", "\n");
    format!(
        "//! The parser that pest's generator makes of {names}.\n//!\n\
         //! After a change of a grammar: `BLESS=1 cargo test --manifest-path tests/grammars/Cargo.toml`.\n\n\
         #![allow(dead_code, unreachable_pub)]\n\npub(crate) struct Grammar;\n\n{code}\n"
    )
}

#[test]
fn parsers_are_those_of_their_grammars() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/isa-syntax/src");
    for (name, grammars) in PARSERS {
        let (path, parser) = (folder.join(name), parser(&folder, grammars));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &parser).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == parser,
            "{name} is not the parser of its grammars: `BLESS=1 cargo test --manifest-path tests/grammars/Cargo.toml` writes it"
        );
    }
}
