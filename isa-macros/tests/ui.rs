//! `define_isa!` in programs that must not compile, with the whole of what the compiler says. What is said of faulty specs is in the tests
//! of the crate `conformance`, which ask the expansion; here is where the compiler shows it, and what types refuse.
//!
//! `TRYBUILD=overwrite cargo test -p isa-macros --test ui -- --ignored` writes the `.stderr` files. Each project of trybuild has
//! isa-spec and all else compiled anew, more than a minute: `.ci/run` does it.

#[test]
#[ignore = "a minute: trybuild builds isa-macros once more"]
fn define_isa() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
