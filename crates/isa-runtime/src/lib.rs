//! The library that generated modules and isagen link to.
//!
//! - [`engine`]: words to forms and texts, and back, for any instruction set, by its tables;
//! - [`typed`]: the parts of the types of a generated module;
//! - [`machine`]: the machine that programs run on; [`float`]: the modes of its floating-point functions;
//! - [`near`]: the nearest known name to a misspelt one;
//! - [`number`]: numbers limited to the range of a field;
//! - [`text`]: buffers for texts;
//! - [`value`]: the numbers that the bits of a field encode;
//! - [`why`]: reasons why a word or a text is not an instruction;
//! - [`word`]: words of 256 bits.
//!
//! No standard library, no unsafe code, and no panic on any input; `alloc` is needed for errors and for reading texts.

#![no_std]
#![deny(clippy::std_instead_of_core)]

extern crate alloc;

pub mod action;
mod assembly;
pub mod engine;
pub mod error;
pub mod float;
pub mod float_text;
pub mod machine;
pub mod near;
pub mod number;
pub mod set;
mod stored;
pub mod text;
pub mod typed;
pub mod value;
pub mod why;
pub mod word;

pub use assembly::{Assembly, Case, Modifier, Precedence, Pseudo, Relocation};
pub use error::{Inexact, OutOfRange};
pub use number::{Displacement, Float, Int, Number, Uint};
pub use set::{Cube, Set};
pub use text::TextBuf;
pub use typed::{DecodeError, Illegal, Instruction, Isa, ParseError};
pub use why::Why;
pub use word::U256;
