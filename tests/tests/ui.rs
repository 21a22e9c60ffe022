//! `define_isa!` in programs that must compile and run, and in programs that must not, with the whole of what the compiler says.
//! Specs in files are compiled by `properties.rs`; what is said of faulty ones is in `expand.rs`.
//!
//! `TRYBUILD=overwrite cargo test -p conformance --test ui` writes the `.stderr` files.

#[test]
fn define_isa() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
}
