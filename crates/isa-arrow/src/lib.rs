//! Instructions as columns of Arrow, and in files of Arrow and Parquet. Empty without the feature `arrow`.
//!
//! `Rows` decodes words one after the other into one struct array, whose `fields` are the same for every instruction set;
//! `decode` does so for a column of words. `scan` gives all instructions of an object file in batches, and `Sink` writes batches
//! into a file.
//!
#![cfg_attr(feature = "arrow", doc = "```")]
#![cfg_attr(not(feature = "arrow"), doc = "```ignore")]
//! # let spec = "isa: tiny\nword: 8\nregisters: { R: { index: 2, text: \"r{n}\" } }\n\
//! #     instructions: { add: { fix: { 7..4: 0 }, fields: { d: 3..2 R, a: 1..0 R }, text: \"add {d}, {a}\" } }\n";
//! # let isa = isa_spec::load_str("tiny.yaml", spec, None).isa.expect("a good specification");
//! # let image = isa_tables::image(&isa).expect("a small instruction set");
//! use arrow_array::{Array, UInt8Array, cast::AsArray};
//!
//! let codec = isa_engine::open(&image, isa_engine::Style::default())?;
//! let words = UInt8Array::from(vec![Some(0x06), Some(0x16), None]);
//! let mut rows = isa_arrow::Rows::new(codec, true)?;
//! let rows = isa_arrow::decode(&mut rows, &words, &isa_arrow::Options::default())?;
//! let text = rows.column_by_name("text").expect("it is one of the fields").as_string::<i32>();
//! assert_eq!(text.iter().collect::<Vec<_>>(), [Some("add r1, r2"), None, None]);
//! let error = rows.column_by_name("error").expect("it is one of the fields").as_string::<i32>();
//! assert_eq!(error.value(1), "no such instruction; the closest is add, but bits 7..4 are 0x1, not 0x0");
//! assert!(rows.is_null(2) && !rows.is_null(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg(feature = "arrow")]

mod column;
mod error;
mod file;
mod lists;
mod placed;
mod rows;
mod scan;
mod schema;
mod short;
mod strings;

// The crates of its parameters and results.
pub use arrow_array;
pub use arrow_schema;
pub use column::{Options, decode};
pub use error::Error;
pub use file::{Format, Sink};
pub use placed::Placed;
pub use rows::Rows;
pub use scan::{BATCH, Batches, Scan, Sets, batches, scan};
pub use schema::{fields, scan_schema, struct_type, word_schema};
