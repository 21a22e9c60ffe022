//! `define_isa!` in programs that must not compile, with the whole of what the compiler says. What is said of faulty specs is in the tests
//! of the crate `conformance`, which ask the expansion; here is where the compiler shows it, and what types refuse.
//!
//! `TRYBUILD=overwrite cargo test -p isa-macros --test ui` writes the `.stderr` files.

#[test]
fn define_isa() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
