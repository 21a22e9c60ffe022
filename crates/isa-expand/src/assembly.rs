//! The pieces that a form is assembled from.

use super::env::Env;
use isa_model::model::{Doc, Field, FormId, GroupId, InstructionId, Owner, Raw};
use isa_model::semantics::Semantics;
use isa_model::span::Text;
use isa_syntax::lang;
use isa_syntax::read::{OverDecl, PartDecl};
use std::collections::BTreeSet;

/// A piece of a form: a format, the instruction, an alternative or an operand, with its parameters.
pub(super) struct Instance<'s> {
    pub(super) part: &'s PartDecl,
    pub(super) env: Env,
    /// The prefix of the names of its fields: `b.` for operand `b`.
    pub(super) prefix: String,
    pub(super) owner: Owner,
    /// The lines that describe its fields, as given where it is used.
    pub(super) doc: Doc,
    /// The operand's definition, if it is one.
    pub(super) operand: Option<(std::rc::Rc<lang::Head>, &'s Text)>,
}

/// A declaration of words that a form takes of others, with the values of parameters.
pub(super) struct Overlap<'s> {
    pub(super) form: FormId,
    pub(super) decl: &'s OverDecl,
    pub(super) name: Text,
    /// The slot of which the name is an alternative: the others are the same instruction with that alternative.
    pub(super) slot: Option<usize>,
    pub(super) fix: Vec<(Text, Text)>,
}

/// A reading in the place where it is declared.
pub(super) struct ReadingUse {
    /// Its name in the form.
    pub(super) path: String,
    /// The prefix of the names of the fields beside it: `b.` in operand `b`.
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
    /// The number of instances that are formats; the next one is the instruction.
    pub(super) formats: usize,
    /// Slot, what it picked, and all alternatives of its choice, those that the instruction leaves out included.
    pub(super) picks: Vec<(String, String, Vec<String>)>,
    /// The alternatives picked where there is more than one; they make up the form's name.
    pub(super) named: Vec<String>,
    pub(super) pick_indices: Vec<usize>,
    pub(super) defines: Vec<(String, Text)>,
    /// Numbers that are computed of fields.
    pub(super) readings: Vec<ReadingUse>,
    pub(super) tags: BTreeSet<String>,
    pub(super) semantics: Option<std::rc::Rc<Semantics>>,
    /// Its group.
    pub(super) group: Option<GroupId>,
    /// The instruction that this one expands to.
    pub(super) meant: Option<std::rc::Rc<Meant<'s>>>,
    pub(super) observed: bool,
}

/// An instruction that others expand to.
pub(super) struct Meant<'s> {
    pub(super) assembly: Assembly<'s>,
    pub(super) fields: Vec<Field>,
    pub(super) fixed: Vec<(Field, Raw)>,
}
