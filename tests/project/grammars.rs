//! The parsers of the small languages are generated from their pest grammars, and kept: who uses isagen does not build pest's generator.

use quote::quote;
use std::fs;
use std::path::Path;

/// The file of each parser, and the grammars that it is made of; in the folder `isa-spec/src`.
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
    ("semantics/grammar.rs", &["lang/semantics.pest"]),
];

/// The parser of some grammars as pest generates it.
fn parser(folder: &Path, grammars: &[&str]) -> String {
    let read = |name: &&str| fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let texts = grammars.iter().map(read);
    let code = pest_generator::derive_parser(quote!(#(#[grammar_inline = #texts])* struct Grammar;), false);
    let file = syn::parse2(quote! {
        #![allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
        pub struct Grammar;
        #code
    });
    let code = prettyplease::unparse(&file.expect("pest generates Rust"));
    format!(
        "//! The parser of {}, as pest generates it.\n//!\n//! After a change of a grammar: `BLESS=1 cargo test -p conformance --test project grammars`.\n\n{code}",
        grammars.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    )
}

#[test]
fn parsers_are_those_of_their_grammars() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isa-spec/src");
    for (name, grammars) in PARSERS {
        let (path, parser) = (folder.join(name), parser(&folder, grammars));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &parser).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == parser,
            "{name} is not the parser of its grammars: `BLESS=1 cargo test -p conformance --test project grammars` writes it"
        );
    }
}
