//! Instructions and their formats, and the types of what they are made of.

use super::{ChoiceTypeId, Doc, Erratum, FieldType, FormId, FormatId, GroupId, InstructionId, OperandTypeId};
use crate::describe::described;
use crate::semantics::Semantics;
use crate::span::Span;

described! {
    /// The type of an operand: its fields, as a struct of generated code has them.
    #[derive(Clone, Debug)]
    pub struct OperandType {
        /// Name, unique among operand types: `Reg`, `RegNeg`.
        pub name: String,
        /// The operand of the spec that it comes from.
        pub operand: String,
        /// Its fields: name, meaning, width, inverted.
        pub fields: Vec<FieldType>,
        /// One line.
        pub summary: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The declaration of the operand.
        pub span: Span,
    }

    /// The type of a choice: an enum of generated code.
    #[derive(Clone, Debug)]
    pub struct ChoiceType {
        /// Name, unique among choice types.
        pub name: String,
        /// Its alternatives in declared order.
        pub alternatives: Vec<Alternative>,
        /// One line.
        pub summary: String,
        /// The declaration of the choice.
        pub span: Span,
    }

    /// One alternative of a choice.
    #[derive(Clone, Debug)]
    pub struct Alternative {
        /// Its name.
        pub name: String,
        /// Fields of its own.
        pub fields: Vec<FieldType>,
        /// Operands bound in it.
        pub binds: Vec<(String, OperandTypeId)>,
        /// One line.
        pub summary: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// A tool shows it and the document does not have it.
        pub observed: bool,
        /// The place of the declaration.
        pub span: Span,
    }

    /// A format.
    #[derive(Clone, Debug)]
    pub struct Format {
        /// Its name.
        pub name: String,
        /// The format that it extends.
        pub extends: Option<FormatId>,
        /// Its layout draws the whole word.
        pub draws: bool,
        /// One line.
        pub summary: String,
        /// Prose.
        pub notes: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// Errors in the documents about it.
        pub errata: Vec<Erratum>,
        /// The place of the declaration.
        pub span: Span,
    }

    /// An instruction.
    #[derive(Clone, Debug)]
    pub struct Instruction {
        /// Its number.
        pub id: InstructionId,
        /// Its key in the spec, unique.
        pub name: String,
        /// Its mnemonic.
        pub mnemonic: String,
        /// One line.
        pub summary: String,
        /// Prose.
        pub notes: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The document's own word on it (`implemented`, `partial`, …).
        pub status: String,
        /// Its format.
        pub format: Option<FormatId>,
        /// The group that it belongs to.
        pub group: Option<GroupId>,
        /// Texts printed in place of its own, with their conditions.
        pub aliases: Vec<Alias>,
        /// The instruction that it expands to.
        pub expands: Option<Expands>,
        /// The choices it makes, in declared order.
        pub slots: Vec<Slot>,
        /// The operands bound in the instruction itself.
        pub binds: Vec<Bind>,
        /// Paths of the fields of its forms that are names of registers.
        pub names: Vec<String>,
        /// Its forms: from, up to.
        pub forms: std::ops::Range<FormId>,
        /// Errors in the documents about it, and about the operands and alternatives it uses.
        pub errata: Vec<Erratum>,
        /// Its semantics, as declared.
        pub semantics: Option<Semantics>,
        /// A tool shows it and the document does not have it.
        pub observed: bool,
        /// The place of the declaration.
        pub span: Span,
        /// The whole entry, for quoting.
        pub entry: Span,
    }

    /// A text that is printed in the place of another one, as it is declared.
    #[derive(Clone, Debug)]
    pub struct Alias {
        /// The condition; none if it always holds.
        pub when: Option<String>,
        /// The template.
        pub is: String,
        /// The place of the declaration.
        pub span: Span,
    }

    /// The expansion of an instruction to another one.
    #[derive(Clone, Debug)]
    pub struct Expands {
        /// The instruction.
        pub to: InstructionId,
        /// Its fields that have other names here, or one value, each with what it is, as declared.
        pub fields: Vec<(String, String)>,
        /// The place of the declaration.
        pub span: Span,
    }

    /// A choice that an instruction makes.
    #[derive(Clone, Debug)]
    pub struct Slot {
        /// Its name in the instruction.
        pub name: String,
        /// Its type.
        pub choice: ChoiceTypeId,
    }

    /// An operand of an instruction.
    #[derive(Clone, Debug)]
    pub struct Bind {
        /// Its name in the instruction.
        pub name: String,
        /// Its type.
        pub operand: OperandTypeId,
    }
}
