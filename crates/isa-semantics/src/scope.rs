//! The names that a semantics can use: the rest of the specification, as the checker sees it.

use isa_model::semantics::ast::Expr;
use isa_model::semantics::int::Int;
use isa_model::semantics::machine::{Machine, Routine};
use std::sync::Arc;

/// The names that a semantics can use: those of one form.
///
/// Names of the machine (memory spaces, flags, state, variants, functions) are found in [`Scope::machine`]; a name of the form
/// goes before one of the machine.
pub trait Scope {
    /// The machine.
    fn machine(&self) -> &Machine;

    /// The routine of the machine that this is; `None` for what instructions do.
    fn routine(&self) -> Option<Routine> {
        None
    }

    /// Resolves a name: `rd`, `b` (an operand), `b.imm` (a field of an operand), `R` (a register file).
    fn name(&self, path: &str) -> Option<Referent>;

    /// Answers whether the form has picked this alternative in this slot.
    fn is(&self, slot: &str, alternative: &str) -> Is;

    /// The texts that a field can be compared with, and the raw bits of each: of an enumeration, or the special names of a
    /// register file. `None` for a field that has no texts, and for what is not a field.
    fn texts(&self, path: &str) -> Option<Vec<(String, Int)>>;

    /// The names there are, for proposals.
    fn names(&self) -> Vec<String>;
}

/// The meaning of a name of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referent {
    /// A field: its value, that is the number with scale, bias and sign for a numeric field, and the bits (complemented for an
    /// inverted field) for any other.
    Field {
        /// Index into the fields of the form.
        index: usize,
        /// Bits that its every value fits in. For a field that counts in units: its own and those of the scale.
        width: u32,
        /// Its values have a sign.
        signed: bool,
        /// The register file, if the value is the number of a register.
        register: Option<String>,
        /// Constant bits above those of the field, and their number: the registers are a part of a larger file.
        above: Option<(u128, u32)>,
    },
    /// A field that is fixed in this form.
    Constant {
        /// Its value, as of a field that is not fixed.
        value: Int,
        /// Its bits.
        width: u32,
        /// Its values have a sign.
        signed: bool,
    },
    /// A condition that the instruction defines: one bit.
    Condition {
        /// Index into the conditions of the instruction.
        index: usize,
    },
    /// An operand. In its value, `r` means its own field (`NAME.r`) before any other name.
    Operand(Arc<Expr>),
    /// A register file, to be indexed.
    Registers {
        /// Index into the register files.
        file: usize,
        /// Bits of a register's number.
        index: u32,
        /// Bits of a register.
        width: u32,
    },
}

/// An answer about the alternatives of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Is {
    /// It has.
    Yes,
    /// It has picked another one.
    No,
    /// The instruction has no such slot.
    NoSlot,
    /// The slot has no such alternative, but these.
    NoAlternative(Vec<String>),
}
