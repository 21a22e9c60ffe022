//! Small random specs, and the right answers about them, found by trying all words.
//!
//! `spec` has a spec as plain data, `yaml` writes it as a file, `generate` makes one at random, `brute` applies the rules of
//! docs/language.md to it without looking at isa-spec, and `hold` compares the two. `changes` makes another version of one, and
//! `differ` checks the reported difference. `primitives` lists the codes and spellings that a loaded one has.

mod brute;
mod changes;
mod differ;
mod drawing;
mod generate;
mod hold;
mod overlaps;
mod primitives;
mod seeds;
mod spec;
mod tables;
mod text;
mod yaml;

pub use brute::float;
pub use differ::Compared;
pub use generate::Extent;
pub use hold::{Effort, Seen};
pub use primitives::Primitive;
pub use seeds::{asked_for, of_seeds};
pub use spec::Spec;

use brute::{Brute, Class};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A word that a spec has, or does not have.
#[derive(Clone, Debug)]
pub struct Known {
    /// Bits of the word.
    pub bits: u32,
    /// The word.
    pub word: u32,
    /// Its form, its text and what the formats' `full` adds to it, if it is legal.
    pub legal: Option<(String, String, String)>,
}

impl Spec {
    /// The spec of a seed: the same on every machine.
    pub fn random(seed: u64, extent: Extent) -> Self {
        generate::spec(seed, extent)
    }

    /// `count` good specs that are small enough to be compiled, and have much to go wrong: forms inside others, rules, several
    /// lengths.
    pub fn chosen(count: usize) -> Vec<Self> {
        let specs = (1_000_000..).map(|seed| generate::spec(seed, Extent::Compiled)).filter(|spec| {
            let brute = Brute::new(spec);
            let nested = brute.forms.iter().any(|a| brute.forms.iter().any(|b| brute.is_inside(a, b)));
            brute.is_good() && (3..=10).contains(&brute.forms.len()) && nested && spec.lengths.iter().all(|l| l.bits <= 10)
        });
        specs.take(count).collect()
    }

    /// The lengths of its words, in bits.
    pub fn lengths(&self) -> Vec<u32> {
        self.lengths.iter().map(|l| l.bits).collect()
    }

    /// All words of all lengths.
    pub fn known(&self) -> Vec<Known> {
        let brute = Brute::new(self);
        let of_length = |bits: u32| {
            let known = |(word, class): &(spec::Word, Class)| {
                let legal = match class {
                    Class::Legal(form) => {
                        let form = &brute.forms[*form];
                        Some((form.name.clone(), form.text(*word), form.added(*word)))
                    }
                    _ => None,
                };
                Known { bits, word: *word, legal }
            };
            brute.classes(self, bits).iter().map(known).collect::<Vec<_>>()
        };
        self.lengths.iter().flat_map(|l| of_length(l.bits)).collect()
    }
}

/// Holds the spec of a seed against isa-spec.
///
/// # Errors
/// With what is wrong, and the smallest part of the spec of which something is wrong.
pub fn examine(seed: u64, extent: Extent, effort: Effort) -> Result<Seen, String> {
    let spec = Spec::random(seed, extent);
    examine_spec(&spec, effort).map_err(|first| {
        let (spec, fault) = shrink(spec, first, effort);
        format!("seed {seed}: {fault}\n{}", spec.yaml("small"))
    })
}

/// Checks the difference of two versions of the spec of a seed, on at most `words` words of each length.
///
/// # Errors
/// The fault, and the smallest versions that have it.
pub fn compare(seed: u64, words: usize) -> Result<Compared, String> {
    let mut versions = Spec::random(seed, Extent::Full).versions(seed);
    let of = |versions: &[Spec; 2]| caught(|| differ::differ([&versions[0], &versions[1]], words));
    let mut fault = match of(&versions) {
        Ok(compared) => return Ok(compared),
        Err(fault) => fault,
    };
    loop {
        let [old, new] = [0, 1].map(|side| versions[side].smaller());
        let both = old.iter().zip(&new).map(|(old, new)| [old.clone(), new.clone()]);
        let one = old.iter().map(|old| [old.clone(), versions[1].clone()]);
        let other = new.iter().map(|new| [versions[0].clone(), new.clone()]);
        let found = both.chain(one).chain(other).find_map(|smaller| Some((of(&smaller).err()?, smaller)));
        match found {
            Some((other, smaller)) if !other.starts_with("panic: the generator") => (fault, versions) = (other, smaller),
            _ => return Err(format!("seed {seed}: {fault}\n{}\n{}", versions[0].yaml("old"), versions[1].yaml("new"))),
        }
    }
}

fn examine_spec(spec: &Spec, effort: Effort) -> Result<Seen, String> {
    caught(|| hold::hold(spec, effort))
}

/// Makes an error of a panic.
///
/// # Errors
/// Those of the question, and the message of a panic.
pub fn caught<T>(of: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(of)).unwrap_or_else(|panic| {
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
            // A spec that has lost a part that it needs has another fault.
            Some((smaller, other)) if !other.starts_with("panic: the generator") => (spec, fault) = (smaller, other),
            _ => return (spec, fault),
        }
    }
}
