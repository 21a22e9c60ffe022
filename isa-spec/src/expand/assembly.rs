//! What a form is put together from.

use super::env::Env;
use crate::lang;
use crate::model::{Doc, Field, InstructionId, Owner, Raw};
use crate::read::PartDecl;
use crate::semantics::Semantics;
use crate::yaml::Text;
use std::collections::BTreeSet;

/// A piece of a form: a format, the instruction, an alternative or an operand, with its parameters.
pub(super) struct Instance<'s> {
    pub(super) part: &'s PartDecl,
    pub(super) env: Env,
    /// What stands before the names of its fields: `b.` for operand `b`.
    pub(super) prefix: String,
    pub(super) owner: Owner,
    /// Where its fields stand, as its use says it.
    pub(super) doc: Doc,
    /// The operand's definition, if it is one.
    pub(super) operand: Option<(std::rc::Rc<lang::Head>, &'s Text)>,
}

/// A reading in the place where it is declared.
pub(super) struct ReadingUse {
    /// Its name in the form.
    pub(super) path: String,
    /// What stands before the names of the fields beside it: `b.` in operand `b`.
    pub(super) prefix: String,
    /// The name, where it is declared.
    pub(super) name: Text,
    /// The expression, with the values of parameters.
    pub(super) text: Text,
}

/// All that makes up a form.
pub(super) struct Assembly<'s> {
    pub(super) instruction: InstructionId,
    pub(super) name: &'s Text,
    /// Formats from the root on, the instruction, alternatives, operands.
    pub(super) instances: Vec<Instance<'s>>,
    /// How many of the instances are formats; the next one is the instruction.
    pub(super) formats: usize,
    /// Slot, what it picked, and all alternatives of its choice, those that the instruction leaves out included.
    pub(super) picks: Vec<(String, String, Vec<String>)>,
    /// What was picked where there is something to pick: the form is named so.
    pub(super) named: Vec<String>,
    pub(super) pick_indices: Vec<usize>,
    pub(super) defines: Vec<(String, Text)>,
    /// Numbers that are computed of fields.
    pub(super) readings: Vec<ReadingUse>,
    pub(super) tags: BTreeSet<String>,
    /// What the instruction does.
    pub(super) semantics: Option<std::rc::Rc<Semantics>>,
    /// The instruction that it stands for.
    pub(super) meant: Option<std::rc::Rc<Meant<'s>>>,
    pub(super) observed: bool,
}

/// An instruction that others stand for.
pub(super) struct Meant<'s> {
    pub(super) assembly: Assembly<'s>,
    pub(super) fields: Vec<Field>,
    pub(super) fixed: Vec<(Field, Raw)>,
}
