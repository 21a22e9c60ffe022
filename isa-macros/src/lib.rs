//! [`define_isa!`]: an instruction set from its isagen specification, in the middle of a program.

use isa_codegen::rust::Place;
use proc_macro::{TokenStream, TokenTree};
use std::path::PathBuf;

/// A module of typed instructions, with their decoder, encoder, disassembler and assembler, from a specification.
///
/// `define_isa!("specs/tiny.yaml")` reads a file, relative to the crate's `Cargo.toml`; `define_isa!(r#" isa: tiny … "#)` has the
/// specification in place. The module has the name of the instruction set.
///
/// Generated code uses the crate `isa_runtime`, so a crate that calls this depends on `isa-runtime` as well; if that goes by
/// another name, `define_isa!(crate = my::runtime, "specs/tiny.yaml")` says which.
///
/// `define_isa!(sim, "specs/tiny.yaml")` adds a simulator, `tiny::sim`, which uses the crate `isa_sim`; `sim = my::sim` says what it
/// is called.
///
/// All errors of the specification are reported at once, each with its place in the YAML. Warnings are shown as uses of a deprecated
/// constant: `#[allow(deprecated)]` at the module around the macro turns them off.
#[proc_macro]
pub fn define_isa(input: TokenStream) -> TokenStream {
    let base = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let last = input.clone().into_iter().filter(|token| !is_comma(token)).last();
    let place = last.map(|token| Place { file: token.span().file(), line: token.span().line() });
    isa_codegen::rust::expand(input.into(), &base, place).into()
}
