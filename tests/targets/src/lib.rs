//! Targets of fuzzers: for any input there is an answer, and never a panic. `fuzz/` runs them with libFuzzer; the suite `bounds`
//! runs each on its seeds, and on damaged seeds, so that they stay in use without a fuzzer.

mod program;
mod seeds;
mod session;
mod words;

pub use seeds::sealed;

/// A kind of input.
pub struct Target {
    /// Its name: that of the program in `fuzz/fuzz_targets`, and of the folder of its corpus.
    pub name: &'static str,
    /// Answers an input.
    ///
    /// # Panics
    /// When the answer is wrong.
    pub run: fn(&[u8]),
    /// Inputs to begin with, made of files of the tests.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: [Target; 7] = [
    Target { name: "spec", run: words::spec, seeds: seeds::specs },
    Target { name: "image", run: words::image, seeds: seeds::images },
    Target { name: "text", run: words::text, seeds: seeds::texts },
    Target { name: "object", run: program::object, seeds: seeds::objects },
    Target { name: "listing", run: program::listing, seeds: seeds::listings },
    Target { name: "assembler", run: program::assembler, seeds: seeds::programs },
    Target { name: "gdb", run: session::gdb, seeds: seeds::sessions },
];

/// Answers an input of a target.
///
/// # Panics
/// When there is no such target, or the answer is wrong.
pub fn run(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`"));
    (target.run)(input);
}
