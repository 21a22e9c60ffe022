//! The model: an instruction set, complete and validated. Back ends see this and nothing else.
//!
//! An [`Isa`] holds [`Instruction`]s; the choices that an instruction makes have been multiplied out into [`Form`]s, the leaves
//! that a word decodes to. A form is flat: all its fields with their bits, all its fixed bits, its text as a list of [`Piece`]s,
//! its conditions as exact sets of words. The sources of the types in generated code (operands, choices) are [`OperandType`] and
//! [`ChoiceType`].

mod codes;
pub mod condition;
mod description;
mod enums;
mod field;
mod form;
mod ids;
mod instruction;
mod registers;
mod sources;
mod text;
mod words;

pub use crate::bits::{BitRange, Bits, MAX_FIELD, MAX_WORD, Raw, Word, ones};
use crate::describe::described;
pub use codes::{NumberCode, Numbers};
pub use condition::{Compared, Cond, Condition, Side};
pub use enums::*;
pub use field::*;
pub use form::*;
pub use ids::*;
pub use instruction::*;
pub use isa_runtime::{Assembly, Modifier, Precedence, Pseudo, Relocation};
pub use registers::*;
pub use sources::*;
pub use text::*;
pub use words::*;

use crate::semantics::machine::Routine;
use crate::semantics::{Machine, Semantics, typed};
use crate::sets::Order;
use crate::span::{SourceMap, Span};
use isa_runtime::machine as info;
use isa_runtime::value::Style;
use std::sync::LazyLock;

described! {
    /// An instruction set.
    #[derive(Clone, Debug)]
    pub struct Isa {
        /// Its name: letters, digits, `_` and `-`.
        pub name: String,
        /// The place of the name.
        pub span: Span,
        /// One line.
        pub summary: String,
        /// Prose.
        pub notes: String,
        /// Word lengths and the order of a stream.
        pub words: Words,
        /// The first unit of a stream, divided as the documents divide it.
        pub space: Vec<Region>,
        /// Words that have a name and no form.
        pub holes: Vec<Hole>,
        /// The style of plain numbers.
        pub numbers: Style,
        /// The choice among words with the same text.
        pub prefer: Prefer,
        /// The syntax of programs.
        pub assembly: Assembly,
        /// The declarations of its modifiers, followed by those of its pseudo-instructions.
        pub assembly_places: Vec<Span>,
        /// The semantics of each of its pseudo-instructions, if declared.
        pub pseudo_semantics: Vec<Option<Semantics>>,
        /// Instructions that belong together, in the order of the files.
        pub groups: Vec<Group>,
        /// The documents and tools that are cited; the first is the default one.
        pub sources: Vec<Source>,
        /// Register files.
        pub registers: Vec<RegisterFile>,
        /// Enumerations.
        pub enums: Vec<Enum>,
        /// Codes: numbers of bits.
        pub codes: Vec<NumberCode>,
        /// Operand types, one for each set of fields that an operand of the spec takes.
        pub operand_types: Vec<OperandType>,
        /// Choice types, one for each set of alternatives that a choice of the spec takes.
        pub choice_types: Vec<ChoiceType>,
        /// Formats.
        pub formats: Vec<Format>,
        /// Instructions in declared order.
        pub instructions: Vec<Instruction>,
        /// All forms; those of one instruction are adjacent.
        pub forms: Vec<Form>,
        /// Errata that belong to no instruction.
        pub errata: Vec<Erratum>,
        /// The state that instructions act on besides registers.
        pub machine: Machine,
        /// The behaviour of the machine outside instructions.
        pub routines: Vec<(Routine, typed::Body)>,
        /// The source whose texts these are, if it prints the same text for different words.
        pub follows: Option<SourceId>,
        /// Other names of it, for commands.
        pub also: Vec<String>,
        /// The files that hold such code.
        pub object: Option<ObjectFiles>,
        /// The files of the specification.
        pub files: SourceMap,
        /// For each length of the forms, in bits, the order in which the sets of such words ask for bits.
        pub orders: Vec<(u32, Order)>,
    }

    /// The files that hold code of an instruction set.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ObjectFiles {
        /// The machine as ELF files number it (`e_machine`).
        pub elf_machine: u16,
        /// The architectures by the names that `isa-object` has for them: `sm_80`, `riscv64`.
        pub architectures: Vec<String>,
        /// The register file of which these files say how many registers a kernel has.
        pub registers: Option<RegisterId>,
    }
}

impl ObjectFiles {
    /// The files as an image has them.
    pub fn info(&self, isa: &Isa) -> info::ObjectFiles {
        info::ObjectFiles {
            elf_machine: self.elf_machine,
            architectures: self.architectures.clone(),
            registers: self.registers.map(|id| isa.registers[id.index()].name.clone()),
        }
    }
}

impl Isa {
    /// The order in which sets of words of `bits` bits test them.
    pub fn order(&self, bits: u32) -> &Order {
        static ANY: LazyLock<Order> = LazyLock::new(|| Order::descending(Word::BITS));
        self.orders.iter().find(|(length, _)| *length == bits).map_or(&ANY, |(_, order)| order)
    }
    /// The bits fixed by all forms of this length, except bits that one of them reserves: those that distinguish most forms.
    pub fn opcode_bits(&self, length: u32) -> Word {
        let fixed =
            |form: &Form| form.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(form.mask, |m, p| m & !p.bits.mask());
        self.forms.iter().filter(|form| form.length == length).map(fixed).reduce(|a, b| a & b).unwrap_or(Word::ZERO)
    }

    /// A routine of the machine; `None` if it is not declared.
    pub fn routine(&self, routine: Routine) -> Option<&typed::Body> {
        self.routines.iter().find(|known| known.0 == routine).map(|known| &known.1)
    }

    /// The number in the whole file that the first register of a file has; 0 for other labels.
    pub fn first_of(&self, label: Label) -> u32 {
        match label {
            Label::Register(id) => self.registers[id.index()].part_of.map_or(0, |part| part.from),
            _ => 0,
        }
    }

    /// The form.
    pub fn form(&self, id: FormId) -> &Form {
        &self.forms[id.index()]
    }
    /// The instruction.
    pub fn instruction(&self, id: InstructionId) -> &Instruction {
        &self.instructions[id.index()]
    }
    /// The forms of an instruction.
    pub fn forms_of(&self, instruction: &Instruction) -> &[Form] {
        &self.forms[instruction.forms.start.index()..instruction.forms.end.index()]
    }
    /// The form as which the machine executes a word of `bits` bits that is not an instruction, and the form's word.
    pub fn executed(&self, word: Word, bits: u32) -> Option<(FormId, Word)> {
        let mut all =
            self.forms.iter().filter(|form| form.length == bits).filter_map(|form| Some((form, form.executes.as_ref()?)));
        let (form, executes) = all.find(|(_, executes)| executes.words.contains(word))?;
        Some((form.id, executes.word(word)))
    }
    /// The text of an instruction's semantics, that of its group's guard first; empty where there are none.
    pub fn semantics_text(&self, instruction: &Instruction) -> String {
        let Some(own) = &instruction.semantics else { return String::new() };
        let guard = instruction.group.and_then(|group| self.groups[group.index()].guard.as_ref());
        guard.map_or_else(String::new, |guard| format!("{}\n", guard.source.trim_end())) + &own.source
    }
    /// The name of a word of `bits` bits that no form has: the first hole that contains it.
    pub fn hole_of(&self, word: Word, bits: u32) -> Option<&Hole> {
        self.holes.iter().find(|h| h.length == bits && h.words.contains(word))
    }
    /// True if a field is the name of a register, which a program gives.
    pub fn is_name(&self, field: &Field) -> bool {
        field.spelling.given().is_some()
    }
    /// True if it is text-only: forms have words then all the same, but they are this program's own, see [`Form::length`].
    pub fn is_text(&self) -> bool {
        self.words.lengths.is_empty()
    }
    /// Its name as an identifier.
    pub fn module_name(&self) -> String {
        self.name.replace('-', "_")
    }
    /// The longest word, in bits.
    pub fn max_bits(&self) -> u32 {
        self.words.lengths.iter().map(|l| l.bits).max().unwrap_or(0)
    }
    /// Every erratum with the name of the instruction, operand, … that it belongs to; each erratum occurs once.
    pub fn all_errata(&self) -> impl Iterator<Item = (&str, &Erratum)> {
        let own = self.errata.iter().map(|e| (self.name.as_str(), e));
        let formats = self.formats.iter().flat_map(|f| f.errata.iter().map(move |e| (f.name.as_str(), e)));
        let insns = self.instructions.iter().flat_map(|i| i.errata.iter().map(move |e| (i.name.as_str(), e)));
        own.chain(formats).chain(insns)
    }
}

/// The choice of the word that is assembled, among several with the same text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// The word of the first form.
    #[default]
    First,
    /// The word of the first of the shortest forms.
    Shortest,
}

described! {
    /// Instructions that belong together: an extension.
    #[derive(Clone, Debug)]
    pub struct Group {
        /// Its name.
        pub name: String,
        /// One line.
        pub summary: String,
        /// Prose.
        pub notes: String,
        /// The statements before the semantics of each of its instructions.
        pub guard: Option<Semantics>,
        /// The place of the declaration.
        pub span: Span,
    }
}
