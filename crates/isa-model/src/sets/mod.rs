//! Exact sets of words, which let the checker prove instead of sample.
//!
//! A [`WordSet`] is a reduced ordered binary decision diagram: it tests one bit after another, in a fixed [`Order`], shares equal
//! parts, and says yes or no. Conditions on different fields are below each other in it, so that their sizes add up; as cubes
//! they would multiply. Equal sets are equal diagrams.
//!
//! A [`Cube`] is a word with don't-cares, as decoders know it: a mask and a value. A set becomes cubes where a person or a table
//! needs them, with a limit on how many.

mod count;
mod cover;
mod cube;
mod diagram;
mod order;
mod regions;
mod solver;
mod values;

pub use count::Count;
pub use cube::{Cube, merge};
pub use diagram::WordSet;
pub use order::Order;
pub use regions::Regions;
pub use solver::{Set, Solver, TooLarge};
pub use values::{
    MAX_DIVISOR, VECTOR, bits, congruent, equal, intervals, less, masked, negative, one_hot, plus, remainder, shown, value,
    within,
};
