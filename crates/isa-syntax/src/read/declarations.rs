//! Declarations: a file as it is written, before names and small languages mean anything.

use crate::yaml::{Node, Text};
use isa_model::model::PlainKind;
use isa_model::span::Span;
use isa_runtime::value::Style;

/// A control code besides the fields of `full`.
#[derive(Debug)]
pub enum ControlDecl {
    /// A condition.
    Flag(Text),
    /// The items of a list with their conditions.
    List(Vec<(Text, Text)>),
}

/// The files that hold code.
#[derive(Debug)]
pub struct ObjectDecl {
    pub elf_machine: u16,
    pub architectures: Vec<Text>,
    /// The register file that these files count.
    pub registers: Option<Text>,
}

/// A whole file as declared.
#[derive(Debug, Default)]
pub struct Spec {
    pub name: Option<Text>,
    pub summary: String,
    pub notes: String,
    pub word: Option<WordDecl>,
    pub space: Vec<RegionDecl>,
    pub holes: Vec<HoleDecl>,
    pub numbers: Option<Style>,
    pub follows: Option<Text>,
    pub also: Vec<Text>,
    pub object: Option<ObjectDecl>,
    /// Among words with the same text the shortest is assembled.
    pub shortest: bool,
    pub assembly: AssemblyDecl,
    pub groups: Vec<GroupDecl>,
    pub sources: Vec<SourceDecl>,
    pub registers: Vec<RegisterDecl>,
    pub enums: Vec<EnumDecl>,
    pub codes: Vec<CodeDecl>,
    pub operands: Vec<(Text, PartDecl)>,
    pub choices: Vec<(Text, ChoiceDecl)>,
    pub formats: Vec<(Text, PartDecl)>,
    pub instructions: Vec<(Text, PartDecl)>,
    pub errata: Vec<ErratumDecl>,
    pub machine: Option<Node>,
    pub span: Span,
}

impl Spec {
    /// The names of what the numbers of a field can be.
    pub fn meanings(&self) -> impl Iterator<Item = &Text> {
        let registers = self.registers.iter().map(|file| &file.name);
        registers.chain(self.enums.iter().map(|e| &e.name)).chain(self.codes.iter().map(|code| &code.name))
    }
}

/// The syntax of programs.
#[derive(Debug, Default)]
pub struct AssemblyDecl {
    pub comments: Option<Vec<Text>>,
    pub separators: Vec<Text>,
    /// The place of the key that makes texts insensitive to case.
    pub insensitive: Option<Span>,
    /// Parts of texts that may be missing.
    pub optional: Vec<Text>,
    pub octal: bool,
    pub numbers: Vec<(Text, u32)>,
    pub here: Vec<Text>,
    pub as_in_c: bool,
    pub local: Option<Text>,
    pub word: Option<u32>,
    pub align_bytes: bool,
    pub org_address: bool,
    pub fill: Vec<Text>,
    pub directives: Vec<(Text, Text)>,
    pub sections: Vec<(Text, u64)>,
    pub modifiers: Vec<ModifierDecl>,
    pub pseudo: Vec<PseudoDecl>,
    pub relocations: Vec<RelocationDecl>,
    pub flags: Vec<(u32, u32)>,
    pub address: Option<u32>,
}

/// A function of an address.
#[derive(Debug)]
pub struct ModifierDecl {
    pub name: Text,
    pub value: Option<Text>,
    pub reaches: Option<Text>,
    pub pair: Option<Text>,
}

/// A statement that becomes others.
#[derive(Debug, Default)]
pub struct PseudoDecl {
    pub text: Option<Text>,
    pub far: bool,
    pub values: Vec<(Text, Text)>,
    pub cases: Vec<CaseDecl>,
    pub does: Option<Text>,
}

/// The expansion of a pseudo-instruction under a condition.
#[derive(Debug, Default)]
pub struct CaseDecl {
    pub when: Option<Text>,
    pub statements: Vec<Text>,
}

/// A relocation as object files number it: bits that a linker fills in.
#[derive(Debug, Default)]
pub struct RelocationDecl {
    pub number: u32,
    pub modifier: Option<Text>,
    pub bits: Option<Text>,
    pub data: u32,
    pub thread: bool,
}

/// The word, or the words of a mixed stream; without lengths, the instruction set is text-only.
#[derive(Debug)]
pub struct WordDecl {
    pub unit: u32,
    pub low_first: bool,
    pub little_endian: bool,
    pub lengths: Vec<(u32, Option<Text>, Span)>,
    /// Words of a length that a stream can't hold.
    pub apart: Vec<(u32, Text, Span)>,
}

/// A region of the first unit of a stream.
#[derive(Debug)]
pub struct RegionDecl {
    pub name: Text,
    pub is: Text,
    pub summary: String,
    pub doc: Option<Text>,
}

/// Words that have a name and no form.
#[derive(Debug)]
pub struct HoleDecl {
    pub name: Text,
    pub length: Option<(u32, Span)>,
    pub fix: Vec<(Text, Text)>,
    pub summary: String,
    pub doc: Option<Text>,
}

/// Instructions that belong together.
#[derive(Debug)]
pub struct GroupDecl {
    pub name: Text,
    pub summary: String,
    pub notes: String,
    /// Statements before the semantics of each of its instructions.
    pub guard: Option<Text>,
}

#[derive(Debug)]
pub struct SourceDecl {
    pub name: Text,
    pub title: String,
    pub file: String,
    pub note: String,
}

#[derive(Debug)]
pub struct RegisterDecl {
    pub name: Text,
    pub index: u32,
    pub width: u32,
    pub width_span: Span,
    pub count: Option<(u128, Span)>,
    pub text: Option<Text>,
    pub halves: Option<[String; 2]>,
    /// The number, its place, and the name.
    pub special: Vec<(u128, Span, Text)>,
    /// Other names that are read.
    pub also: Vec<(u128, Text)>,
    /// The names that programs can give.
    pub names: Option<Text>,
    /// The file that it is a part of.
    pub of: Option<Text>,
    /// A warp has them once.
    pub of_warp: bool,
    /// Its first register there.
    pub from: u32,
    pub zero: Option<Text>,
    pub one: Option<Text>,
    pub summary: String,
    pub doc: Option<Text>,
}

#[derive(Debug)]
pub struct EnumDecl {
    pub name: Text,
    pub values: Vec<EnumValueDecl>,
    pub otherwise: Option<Text>,
    pub summary: String,
    pub doc: Option<Text>,
}

/// A code.
#[derive(Debug)]
pub struct CodeDecl {
    pub name: Text,
    pub number: Option<Text>,
    pub defined: Option<Text>,
    pub bits: Option<Text>,
    /// If several bits have the same number, the greatest are assembled, or the least.
    pub several: Option<(bool, Span)>,
    pub summary: String,
    pub doc: Option<Text>,
}

#[derive(Debug)]
pub struct EnumValueDecl {
    pub value: u128,
    pub text: Text,
    pub also: Vec<Text>,
    /// The value that prints the same and is read.
    pub like: Option<(i128, Span)>,
    pub name: Option<String>,
    pub note: String,
    pub doc: Option<Text>,
    /// Its text could not be read.
    pub is_lost: bool,
}

/// A choice with its parameters.
#[derive(Debug, Default)]
pub struct ChoiceDecl {
    pub summary: String,
    pub alternatives: Vec<(Text, PartDecl)>,
}

/// The keys of a format, an operand, an alternative or an instruction.
#[derive(Debug, Default)]
pub struct PartDecl {
    pub doc: Option<Text>,
    pub summary: String,
    pub notes: String,
    pub status: String,
    pub observed: bool,
    pub group: Option<Text>,
    pub mnemonic: Option<Text>,
    pub extends: Option<Text>,
    pub length: Option<(u32, Span)>,
    pub fields: Vec<FieldDecl>,
    /// Numbers that are computed of fields.
    pub readings: Vec<(Text, Text)>,
    pub fix: Vec<(Text, Text)>,
    pub bind: Vec<(Text, Text)>,
    pub plain: Vec<(PlainKind, Text)>,
    pub rest: Option<(PlainKind, Span)>,
    pub layout: Option<Text>,
    pub letters: Vec<(Text, Text)>,
    pub not: Vec<Text>,
    pub constraints: Vec<ConstraintDecl>,
    /// The registers that are read, by the fields or operands that name them; `None` if not declared.
    pub reads: Option<Vec<AccessDecl>>,
    /// The registers that are written.
    pub writes: Option<Vec<AccessDecl>>,
    /// The parts of the text on which no effect depends, each with the reason.
    pub no_effect: Vec<(Text, Text)>,
    pub tags: Vec<Text>,
    pub text: Vec<(Option<Text>, Text)>,
    /// The text, as the document writes it.
    pub syntax: Option<Text>,
    /// Templates that are read and never printed.
    pub also: Vec<Text>,
    /// Templates that are printed in the place of the text when their conditions hold.
    pub aliases: Vec<(Option<Text>, Text)>,
    /// The instruction that this one expands to.
    pub expands: Option<ExpandsDecl>,
    /// Words that the machine executes as this instruction.
    pub executes: Option<ExecutesDecl>,
    /// The forms of which it takes words.
    pub over: Vec<OverDecl>,
    pub refused: Vec<RefusedDecl>,
    pub full: Option<Text>,
    pub control: Vec<(Text, ControlDecl)>,
    pub value: Option<Text>,
    pub define: Vec<(Text, Text)>,
    pub errata: Vec<ErratumDecl>,
    pub choose: Vec<(Text, Choose)>,
    pub except: Vec<Text>,
    pub semantics: Option<Text>,
    pub entry: Span,
    /// Something in it could not be read: what seems to be missing may be there.
    pub faulty: bool,
}

impl PartDecl {
    /// True if it says how it is written.
    pub fn has_text(&self) -> bool {
        !self.text.is_empty() || self.syntax.is_some()
    }
}

#[derive(Debug)]
pub struct FieldDecl {
    pub name: Text,
    pub entry: Text,
    pub doc: Option<Text>,
    pub summary: String,
    pub note: String,
    pub rust_name: Option<String>,
}

/// The number of registers read or written, the one named by a field first.
#[derive(Debug)]
pub struct AccessDecl {
    pub name: Text,
    /// Counts that are added; of each the first whose condition holds, or 0.
    pub counts: Vec<Vec<(Option<Text>, u32)>>,
}

#[derive(Debug)]
pub struct ConstraintDecl {
    pub that: Text,
    pub why: String,
    pub doc: Option<Text>,
}

/// The instruction that another one expands to, with the values of its fields.
#[derive(Debug)]
pub struct ExpandsDecl {
    pub to: Text,
    pub fields: Vec<(Text, Text)>,
}

/// Words that the machine executes as an instruction, though they are not words of it.
#[derive(Debug, Default)]
pub struct ExecutesDecl {
    /// Bits and fields that the machine ignores.
    pub ignored: Vec<Text>,
    /// Conditions on words that are left out.
    pub not: Vec<Text>,
    /// Instructions whose words are left out.
    pub except: Vec<Text>,
    pub span: Span,
}

/// The name of forms of which words are taken, and the bits with fixed values in these words; none if it does not say.
#[derive(Debug)]
pub struct OverDecl {
    pub name: Text,
    pub fix: Vec<(Text, Text)>,
}

/// The beginning of a text that is known to be wrong, and the reason.
#[derive(Debug)]
pub struct RefusedDecl {
    pub begins: Text,
    pub why: String,
}

#[derive(Debug)]
pub enum Choose {
    Named(Text),
    Inline(ChoiceDecl),
}

#[derive(Debug, Clone)]
pub struct ErratumDecl {
    pub id: String,
    pub at: Option<Text>,
    pub kind: String,
    pub says: String,
    pub is: String,
    pub evidence: Vec<(Text, String)>,
    pub elsewhere: Vec<(Text, String)>,
    pub by: String,
    pub span: Span,
}
