//! Words and texts of any instruction set, without code that is generated for it.
//!
//! [`open`] makes a [`Codec`] of an image, as `isagen build` writes it: it decodes, prints, assembles and takes words apart. The
//! instruction sets may have words of any length; the interface has one type for them, [`Word`].
//!
//! A program that knows its instruction set beforehand has types for its instructions instead: `isa-macros`.

mod codec;
mod tables;

pub use codec::{
    Accessed, Anatomy, Codec, ControlField, ControlItem, ControlKind, FieldBits, FixedBits, FormInfo, Labels, ObjectFiles,
    ReadError, Refused, Statement, Style, UsedRegisters, Word, WordShape,
};
pub use isa_runtime::Assembly;
pub use isa_runtime::engine::image::BadImage;
pub use isa_runtime::engine::read::Lengths;
pub use isa_runtime::word::BitRange;
pub use tables::{object_files, open};
