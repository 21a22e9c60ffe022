//! Small random specs, and what is right of them, found by trying all words.
//!
//! `spec` has a spec as plain data and writes it as YAML, `generate` makes one at random, `brute` works out what docs/language.md
//! says of it without looking at isa-spec, and `hold` compares the two.

mod brute;
mod generate;
mod hold;
mod spec;

pub use hold::{Effort, Seen};
pub use spec::Spec;

use std::panic::{AssertUnwindSafe, catch_unwind};

impl Spec {
    /// The spec of a seed: the same on every machine.
    pub fn random(seed: u64) -> Self {
        generate::spec(seed)
    }
}

/// Holds the spec of a seed against isa-spec.
///
/// # Errors
/// With what is wrong, and the smallest part of the spec of which something is wrong.
pub fn examine(seed: u64, effort: Effort) -> Result<Seen, String> {
    let spec = Spec::random(seed);
    examine_spec(&spec, effort).map_err(|first| {
        let (spec, fault) = shrink(spec, first, effort);
        format!("seed {seed}: {fault}\n{}", spec.yaml("small"))
    })
}

fn examine_spec(spec: &Spec, effort: Effort) -> Result<Seen, String> {
    catch_unwind(AssertUnwindSafe(|| hold::hold(spec, effort))).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        Err(format!("panic: {}", message.or(panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()))
    })
}

/// Takes parts away, one at a time, for as long as something is wrong.
fn shrink(mut spec: Spec, mut fault: String, effort: Effort) -> (Spec, String) {
    loop {
        let smaller = spec.smaller();
        let found = smaller.into_iter().find_map(|smaller| {
            let fault = examine_spec(&smaller, effort).err()?;
            Some((smaller, fault))
        });
        match found {
            // What is wrong of a spec that has lost something that it needs is another matter.
            Some((smaller, other)) if !other.starts_with("panic: the generator") => (spec, fault) = (smaller, other),
            _ => return (spec, fault),
        }
    }
}
