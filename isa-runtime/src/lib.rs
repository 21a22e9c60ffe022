//! What generated code links to.
//!
//! A generated module holds the tables and types of one instruction set; everything that is the same for all of them is here:
//!
//! - [`word`]: fields of a word, read and written;
//! - [`names`]: registers that have the names that programs give them;
//! - [`number`]: numbers that hold only what a field can hold;
//! - [`table`]: the look-up from a word to its form;
//! - [`form`]: what is known about a form outside the hot path, and [`explain`](form::Tables::explain) for words that are none;
//! - [`text`]: the buffer that text is pushed into, and names ready to be copied;
//! - [`parse`]: text to word, by a matcher that runs the same templates that print;
//! - [`error`]: why a word, a text or a value was refused.
//!
//! No allocation, no standard library, no unsafe code, and no panic on any input. With the feature `sim` there is also the machine
//! that programs run on, in `sim`, which needs the standard library.

#![no_std]
#![deny(clippy::std_instead_of_core)]

extern crate alloc;
#[cfg(feature = "sim")]
extern crate std;

pub mod engine;
pub mod error;
pub mod form;
pub mod names;
pub mod number;
pub mod parse;
pub mod set;
#[cfg(feature = "sim")]
pub mod sim;
pub mod table;
pub mod text;
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

pub use error::{DecodeError, Illegal, OutOfRange, ParseError};
pub use form::{Excluded, Field, FormInfo, Hole, Kind, Names, Radix, Refused, Registers, Rule, Tables, change};
pub use names::{BadName, NameAt, NamePart, NameRows};
pub use number::{Displacement, Int, Scaled, Shape, Uint, Wide};
pub use parse::{Counts, Differs, Limits, Literal, MAX_STEPS, Op, initials, lanes};
pub use set::{Cube, Set};
pub use table::{Check, Row, index};
pub use text::{Cursor, Name, TextBuf, enum_names, register_names};
pub use word::{U256, Word};
