//! An assembler of programs for any instruction set that an image describes.
//!
//! [`Assembler`] reads a program line by line: labels, directives, macros, expressions, and the instructions of the set.
//! [`Program`] is the result: sections with bytes, symbols, and faults. [`output`] writes it in the formats of memories and
//! linkers.
//!
//! ```
//! # let spec = "isa: tiny\nword: 8\nregisters: { R: { index: 2, text: \"r{n}\" } }\n\
//! #     instructions:\n  add: { fix: { 7..4: 0 }, fields: { d: 3..2 R, a: 1..0 R }, text: \"add {d}, {a}\" }\n\
//! #       \n  jump: { fix: { 7..5: 1 }, fields: { to: 4..0 }, text: \"jump {to}\" }\n";
//! # let isa = isa_spec::load_str("tiny.yaml", spec, None).isa.expect("a good specification");
//! # let image = isa_tables::image(&isa).expect("a small instruction set");
//! let codec = isa_engine::open(&image, isa_engine::Style::default())?;
//! let mut assembler = isa_asm::Assembler::new(codec, "loop.s", isa_asm::Options::default())?;
//! for (number, line) in "loop: add r1, r2\n jump loop + one\n one = 1 << 0\n .byte 'a, end - loop\nend:".lines().enumerate() {
//!     assembler.line(number + 1, line).map_err(|full| full.0)?;
//! }
//! let program = assembler.finish();
//! assert!(!program.has_failed());
//! assert_eq!(program.bytes(0), [0x06, 0x21, b'a', 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod assembler;
mod check;
mod conditions;
mod data;
mod deferred;
mod directives;
mod expansion;
mod expr;
mod files;
pub mod foreign;
mod instruction;
mod kept;
pub mod lines;
mod looked;
mod macros;
pub mod output;
mod place;
pub mod placed;
mod program;
mod pseudo;
mod relocate;
mod sample;
mod section;
mod settle;
mod statements;
mod symbols;
mod world;

pub use assembler::Assembler;
pub use check::{check, directive_named};
pub use directives::{DIRECTIVES, Directive, markdown};
pub use place::Fault;
pub use program::{Piece, PieceKind, Program, Relocation, RelocationOf, Section, Symbol};
pub use sample::{Sample, samples};

use isa_engine::{Codec, Style};
use std::path::PathBuf;

/// Settings for a program besides its text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The style in which instructions are read.
    pub style: Style,
    /// Symbols and their values, which are expressions.
    pub defines: Vec<(String, String)>,
    /// The folders in which files are looked for.
    pub include: Vec<PathBuf>,
    /// The addresses of sections.
    pub sections: Vec<(String, u64)>,
    /// A linker determines the addresses of sections and the values of undefined symbols.
    pub relocatable: bool,
    /// Statements may be at the same addresses, as in a list of examples.
    pub overlaps: bool,
}

/// The error for a program that exceeds a limit.
#[derive(Debug)]
pub struct Full(pub String);

/// Assembles the lines of a program.
///
/// # Errors
/// When the syntax of the instruction set can't be used, or the program is too large.
pub fn assemble<'l>(
    codec: &dyn Codec,
    file: &str,
    options: Options,
    lines: impl IntoIterator<Item = &'l str>,
) -> Result<Program, String> {
    let mut assembler = Assembler::new(codec.fork(), file, options)?;
    for (number, line) in lines.into_iter().enumerate() {
        assembler.line(number + 1, line).map_err(|full| full.0)?;
    }
    Ok(assembler.finish())
}

/// Bits of every instruction, if all have the same.
pub fn fixed(codec: &dyn Codec) -> Option<u32> {
    match *codec.shape().lengths {
        [] => Some(0),
        [only] => Some(only),
        _ => None,
    }
}
