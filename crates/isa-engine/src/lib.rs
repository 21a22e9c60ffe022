//! Words and texts of any instruction set, without code that is generated for it.
//!
//! [`open`] makes a [`Codec`] of an image, as `isagen build` writes it: it decodes, prints, assembles and takes words apart. The
//! instruction sets may have words of any length; the interface has one type for them, [`Word`].
//!
//! ```
//! use isa_engine::{Style, Word};
//!
//! # let spec = "isa: tiny\nword: 8\nregisters: { R: { index: 2, text: \"r{n}\" } }\n\
//! #     instructions: { add: { fix: { 7..4: 0 }, fields: { d: 3..2 R, a: 1..0 R }, text: \"add {d}, {a}\" } }\n";
//! # let isa = isa_spec::load_str("tiny.yaml", spec, None).isa.expect("a good specification");
//! // The bytes of `tiny.isat`, in which `add` is an instruction of 8 bits with two registers.
//! let image: Vec<u8>;
//! # image = isa_tables::image(&isa).expect("a small instruction set");
//! let mut codec = isa_engine::open(&image, Style::default())?;
//! let form = codec.decode(Word::from(0x06u8), 8).map_err(|refused| refused.message)?;
//! let mut text = Vec::new();
//! codec.print(form, Word::from(0x06u8), 0, &mut text);
//! assert_eq!(text, b"add r1, r2");
//! let read = codec.read("add r1, r2", 0, &|_| None).map_err(|error| error.message)?;
//! assert_eq!((read.form, read.word), (form, Word::from(0x06u8)));
//! let refused = codec.decode(Word::from(0x16u8), 8).expect_err("no instruction");
//! assert_eq!(refused.message, "no such instruction; the closest is add, but bits 7..4 are 0x1, not 0x0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If the instruction set is fixed when a program is compiled, its instructions can have types instead: `isa-macros`.

mod codec;
pub mod digits;
mod stream;
mod tables;

pub use codec::{
    Accessed, Anatomy, Codec, ControlField, ControlItem, ControlKind, FieldBits, FieldId, FixedBits, FormInfo, ObjectFiles,
    ReadError, Refused, Statement, Style, UsedRegisters, Word, WordShape,
};
pub use isa_runtime::engine::image::BadImage;
pub use isa_runtime::engine::read::{Lengths, Symbol, Symbols, is_local, is_symbol, label_name, no_symbols};
pub use isa_runtime::near::nearest;
pub use isa_runtime::word::BitRange;
pub use isa_runtime::{Assembly, Modifier, Precedence, Pseudo, Relocation};
pub use stream::{Sized, bytes_of, sized, word_at};
pub use tables::{object_files, open, open_widest, reader_of};
