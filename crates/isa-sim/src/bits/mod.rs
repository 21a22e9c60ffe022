//! The bit vectors of compiled semantics: [`u32`] for up to 32 bits, [`Pair`] for up to 64, [`u128`] for up to 128, [`Long`] for
//! up to 256. A machine of one lane has [`u64`] in place of pairs.
//!
//! A value has zeros above its width; an operation may leave anything there, and [`Bits::keep`] makes it a value again.

mod long;
mod machine;
mod operations;
mod pair;
#[cfg(test)]
mod tests;

pub use long::Long;
pub use operations::{Bits, bit};
pub use pair::Pair;
