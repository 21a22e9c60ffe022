//! One engine for all instruction sets: tables in; forms, fields, texts and words out.
//!
//! - [`tables`]: what the tables hold, as rows of plain numbers;
//! - `decode`: word to form, and fields of a word;
//! - `value`: the numbers of fields;
//! - `spelling`: the texts of numbers;
//! - [`print`]: word to text;
//! - [`read`]: text to word;
//! - `refusal`: why a word is not an instruction, as [`Why`](crate::why::Why);
//! - [`image`]: tables as bytes, checked before they are used.
//!
//! The engine is the same for words of 32 bits and of 256: it is generic over [`Bits`]. It works on the bytes of an image as they
//! are, be they of a file or of a static. No table makes it panic or loop, be it damaged or not.

mod decode;
pub mod image;
mod message;
pub mod print;
mod ranges;
pub mod read;
pub mod record;
mod refusal;
mod rows;
mod shorter;
mod spelling;
mod table;
pub mod tables;
mod validate;
mod value;
mod word;

pub use record::Record;
pub use table::Table;
pub use tables::{Owned, Str, Tables};
pub use word::Bits;
