//! `define_isa!` in programs that must compile and run, and in programs that must not, with the whole of what the compiler says.
//! Specs in files are compiled by the tests of the crate `conformance`, as is what is said of faulty ones.
//!
//! `TRYBUILD=overwrite cargo test -p isa-macros --test ui` writes the `.stderr` files.

#[test]
fn define_isa() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
