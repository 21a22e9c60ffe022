//! Has cargo build the macro and the library of what it expands to, for the programs of the tests.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
