//! An instruction set as tables for the engine (`isa_runtime::engine`): plain rows of numbers, made of the model.
//!
//! [`image`] returns them as bytes, which engines read directly; [`tables`] as rows.
//!
//! - `decode`: the bits of the index, the rows, and their conditions on words;
//! - `text`: the operations that print texts; `shown`: pieces with the texts of their fields;
//! - `read`: the steps that read texts;
//! - `back`: the words whose text can be read in one way only; `paths`: texts as graphs of bytes, for `back`;
//! - `rows`: the declarations: registers, enumerations, instructions, fields, forms;
//! - `values`: the codes and spellings of fields;
//! - `builder`: the tables that all of these add to.
//!
//! ```
//! use isa_runtime::engine::image;
//!
//! let spec = "isa: tiny\nword: 8\nregisters: { R: { index: 2, text: \"r{n}\" } }\n\
//!     instructions: { add: { fix: { 7..4: 0 }, fields: { d: 3..2 R, a: 1..0 R }, text: \"add {d}, {a}\" } }\n";
//! let isa = isa_spec::load_str("tiny.yaml", spec, None).isa.expect("a good specification");
//! let bytes = isa_tables::image(&isa).expect("a small instruction set");
//! // The engine's words have 32 bits at least.
//! let tables = image::read::<u32>(&bytes)?;
//! assert_eq!(tables.find(0b0110, 8).expect("an instruction"), 0);
//! # Ok::<(), image::BadImage>(())
//! ```

mod back;
mod builder;
mod decode;
mod paths;
mod read;
mod rows;
mod shown;
mod text;
mod values;

pub use rows::longest_text;

use builder::Builder;
use isa_model::diag::Diagnostic;
use isa_model::model::{Isa, Word};
use isa_runtime::engine::tables as t;
use isa_runtime::engine::{Owned, image as images};

/// The tables of an instruction set.
///
/// # Errors
/// When the tables would be too large for their numbers, or a set of words needs a diagram that is too large.
pub fn tables(isa: &Isa) -> Result<Owned, Box<Diagnostic>> {
    let mut b = Builder::new(isa);
    b.head();
    b.types();
    b.out.machine = isa_model::machine_info(isa).bytes();
    for insn in &isa.instructions {
        b.insn(insn)?;
    }
    for form in &isa.forms {
        b.form(form)?;
    }
    for (i, known) in back::forms(isa).iter().enumerate() {
        let one_way = b.set(&known.one_way);
        let row = &mut b.out.forms[i];
        row.one_way = one_way;
        row.flags |= if known.is_alone { t::ALONE } else { 0 };
    }
    b.shorter()?;
    decode::lengths(&mut b)?;
    b.holes();
    b.longest();
    read::templates(&mut b)?;
    Ok(b.out)
}

/// The tables of an instruction set as bytes, for the smallest words of the engine that hold its own ([`word_bits`]).
///
/// # Errors
/// When there are no such tables, as with [`tables`].
pub fn image(isa: &Isa) -> Result<Vec<u8>, Box<Diagnostic>> {
    Ok(images::write(&tables(isa)?, word_bits(isa)))
}

/// Bits of the smallest words of the engine that hold those of an instruction set: 32, 64, 128 or 256.
pub fn word_bits(isa: &Isa) -> u32 {
    let longest = isa.forms.iter().map(|form| form.length).fold(isa.max_bits(), u32::max);
    [32, 64, 128].into_iter().find(|bits| longest <= *bits).unwrap_or(Word::BITS)
}
