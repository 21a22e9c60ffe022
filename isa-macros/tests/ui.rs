//! `define_isa!` in programs that must not compile, with the whole of what the compiler says. What is said of faulty specs is in the tests
//! of the crate `conformance`, which ask the expansion; here is where the compiler shows it, and what types refuse.
//!
//! `TRYBUILD=overwrite THOROUGH=1 cargo test -p isa-macros --test ui` writes the `.stderr` files. Each project of trybuild has isa-spec
//! and all else compiled anew, more than a minute: `.ci/run` does it, with `THOROUGH=1`.

#[test]
fn define_isa() {
    if std::env::var_os("THOROUGH").is_none() {
        eprintln!("skipped: `THOROUGH=1` has trybuild build isa-macros once more");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
