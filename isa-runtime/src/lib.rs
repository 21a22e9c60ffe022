//! What generated modules and isagen link to.
//!
//! - [`engine`]: words to forms and texts, and back, for any instruction set, by its tables;
//! - [`typed`]: what the types of a generated module are made of;
//! - [`number`]: numbers that hold only what a field can hold;
//! - [`text`]: room for texts;
//! - [`word`]: words of 256 bits.
//!
//! No standard library, no unsafe code, and no panic on any input; `alloc` is needed for errors and for reading texts. With the
//! feature `sim` there is also the machine that programs run on, in `sim`, which needs the standard library.

#![no_std]
#![deny(clippy::std_instead_of_core)]

extern crate alloc;
#[cfg(feature = "sim")]
extern crate std;

pub mod engine;
pub mod error;
pub mod number;
pub mod set;
#[cfg(feature = "sim")]
pub mod sim;
pub mod text;
pub mod typed;
pub mod word;

/// The items, if the feature `sim` is on: generated modules have a simulator then.
#[cfg(feature = "sim")]
#[macro_export]
macro_rules! if_sim {
    ($($item:item)*) => { $($item)* };
}

/// The items, if the feature `sim` is on: generated modules have a simulator then.
#[cfg(not(feature = "sim"))]
#[macro_export]
macro_rules! if_sim {
    ($($token:tt)*) => {};
}

pub use error::OutOfRange;
pub use number::{Displacement, Int, Scaled, Uint, Wide};
pub use set::{Cube, Set};
pub use text::TextBuf;
pub use typed::{DecodeError, Illegal, Instruction, Isa, ParseError};
pub use word::U256;
