//! One engine for all instruction sets: tables in; forms, fields, texts and words out.
//!
//! - [`tables`]: the contents of the tables, as rows of plain numbers;
//! - `decode`: word to form, and fields of a word;
//! - `value`: the numbers of fields;
//! - `spelling`: the texts of numbers;
//! - [`print`]: word to text;
//! - [`read`]: text to word;
//! - `refusal`: why a word is not an instruction, as [`Why`](crate::why::Why);
//! - [`image`]: tables as bytes, checked before they are used.
//!
//! The engine is the same for words of 32 bits and of 256: it is generic over [`Bits`]. It works directly on the bytes of an
//! image, from a file or a static. No table makes it panic or loop, not even a damaged one.

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
pub use tables::{Common, Owned, Str, Tables};
pub use word::Bits;
