//! An instruction set as tables for the engine (`isa_runtime::engine`): plain data, from which come images and statics.
//!
//! - `decode`: which bits index, which rows there are, what must be true of a word;
//! - `text`: what prints a text;
//! - `read`: what reads a text;
//! - `back`: which texts can be read in one way only; `paths`: texts as graphs of characters, for that;
//! - `rows`: what is declared: registers, enumerations, instructions, fields, forms;
//! - `values`: the codes and spellings of fields;
//! - `builder`: the tables that all of these add to.

mod back;
mod builder;
mod decode;
mod machine;
mod paths;
mod read;
mod rows;
mod text;
mod values;

pub(crate) use rows::longest_text;

use crate::backend::{Backend, File};
use builder::Builder;
use isa_runtime::engine::tables as t;
use isa_runtime::engine::{Bits, Owned, image};
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Isa, Word};

/// The tables of an instruction set whose words are of type `W`.
///
/// # Errors
/// When the tables would be larger than their numbers can say, or a set of words takes a diagram that is too large.
pub fn tables<W: Bits>(isa: &Isa) -> Result<Owned<W>, Box<Diagnostic>> {
    let mut b = Builder::new(isa);
    b.head();
    b.types();
    b.machine();
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

/// The image back end: `NAME.isat`, an [`image()`].
#[derive(Debug)]
pub struct Image;

impl Backend for Image {
    fn name(&self) -> &'static str {
        "image"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(vec![File::new(format!("{}.isat", isa.name), image(isa)?)])
    }
}

/// The tables of an instruction set as bytes, for the smallest words of the engine that hold its own.
///
/// # Errors
/// When there are no such tables, as with [`tables`].
pub fn image(isa: &Isa) -> Result<Vec<u8>, Box<Diagnostic>> {
    match word_bits(isa) {
        32 => written::<u32>(isa),
        64 => written::<u64>(isa),
        128 => written::<u128>(isa),
        _ => written::<Word>(isa),
    }
}

/// Bits of the smallest words of the engine that hold those of an instruction set.
pub(crate) fn word_bits(isa: &Isa) -> u32 {
    let longest = isa.forms.iter().map(|form| form.length).fold(isa.max_bits(), u32::max);
    [32, 64, 128].into_iter().find(|bits| longest <= *bits).unwrap_or(Word::BITS)
}

fn written<W: Bits>(isa: &Isa) -> Result<Vec<u8>, Box<Diagnostic>> {
    Ok(image::write(&tables::<W>(isa)?))
}
