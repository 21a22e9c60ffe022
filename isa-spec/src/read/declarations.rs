//! Declarations: a file as it is written, before names and small languages mean anything.

use crate::model::PlainKind;
use crate::span::Span;
use crate::yaml::{Node, Text};
use isa_runtime::value::Style;

/// A control code besides the fields of `full`.
#[derive(Debug)]
pub(crate) enum ControlDecl {
    /// A condition.
    Flag(Text),
    /// The items of a list with their conditions.
    List(Vec<(Text, Text)>),
}

/// The files that hold code.
#[derive(Debug)]
pub(crate) struct ObjectDecl {
    pub(crate) elf_machine: u16,
    pub(crate) architectures: Vec<Text>,
    /// The register file that these files count.
    pub(crate) registers: Option<Text>,
}

/// A whole file as declared.
#[derive(Debug, Default)]
pub(crate) struct Spec {
    pub(crate) name: Option<Text>,
    pub(crate) summary: String,
    pub(crate) notes: String,
    pub(crate) word: Option<WordDecl>,
    pub(crate) space: Vec<RegionDecl>,
    pub(crate) holes: Vec<HoleDecl>,
    pub(crate) numbers: Option<Style>,
    pub(crate) follows: Option<Text>,
    pub(crate) also: Vec<Text>,
    pub(crate) object: Option<ObjectDecl>,
    /// Among words with the same text the shortest is assembled.
    pub(crate) shortest: bool,
    pub(crate) assembly: AssemblyDecl,
    pub(crate) groups: Vec<GroupDecl>,
    pub(crate) sources: Vec<SourceDecl>,
    pub(crate) registers: Vec<RegisterDecl>,
    pub(crate) enums: Vec<EnumDecl>,
    pub(crate) codes: Vec<CodeDecl>,
    pub(crate) operands: Vec<(Text, PartDecl)>,
    pub(crate) choices: Vec<(Text, ChoiceDecl)>,
    pub(crate) formats: Vec<(Text, PartDecl)>,
    pub(crate) instructions: Vec<(Text, PartDecl)>,
    pub(crate) errata: Vec<ErratumDecl>,
    pub(crate) machine: Option<Node>,
    pub(crate) span: Span,
}

impl Spec {
    /// The names of what the numbers of a field can be.
    pub(crate) fn meanings(&self) -> impl Iterator<Item = &Text> {
        let registers = self.registers.iter().map(|file| &file.name);
        registers.chain(self.enums.iter().map(|e| &e.name)).chain(self.codes.iter().map(|code| &code.name))
    }
}

/// The syntax of programs.
#[derive(Debug, Default)]
pub(crate) struct AssemblyDecl {
    pub(crate) comments: Option<Vec<Text>>,
    pub(crate) separators: Vec<Text>,
    /// The place of the key that makes texts insensitive to case.
    pub(crate) insensitive: Option<Span>,
    /// Parts of texts that may be missing.
    pub(crate) optional: Vec<Text>,
    pub(crate) octal: bool,
    pub(crate) numbers: Vec<(Text, u32)>,
    pub(crate) here: Vec<Text>,
    pub(crate) as_in_c: bool,
    pub(crate) local: Option<Text>,
    pub(crate) word: Option<u32>,
    pub(crate) align_bytes: bool,
    pub(crate) org_address: bool,
    pub(crate) fill: Vec<Text>,
    pub(crate) directives: Vec<(Text, Text)>,
    pub(crate) sections: Vec<(Text, u64)>,
    pub(crate) modifiers: Vec<ModifierDecl>,
    pub(crate) pseudo: Vec<PseudoDecl>,
    pub(crate) relocations: Vec<RelocationDecl>,
    pub(crate) flags: Vec<(u32, u32)>,
    pub(crate) address: Option<u32>,
}

/// A function of an address.
#[derive(Debug)]
pub(crate) struct ModifierDecl {
    pub(crate) name: Text,
    pub(crate) value: Option<Text>,
    pub(crate) reaches: Option<Text>,
    pub(crate) pair: Option<Text>,
}

/// A statement that becomes others.
#[derive(Debug, Default)]
pub(crate) struct PseudoDecl {
    pub(crate) text: Option<Text>,
    pub(crate) far: bool,
    pub(crate) values: Vec<(Text, Text)>,
    pub(crate) cases: Vec<CaseDecl>,
    pub(crate) does: Option<Text>,
}

/// The expansion of a pseudo-instruction under a condition.
#[derive(Debug, Default)]
pub(crate) struct CaseDecl {
    pub(crate) when: Option<Text>,
    pub(crate) statements: Vec<Text>,
}

/// A relocation as object files number it: bits that a linker fills in.
#[derive(Debug, Default)]
pub(crate) struct RelocationDecl {
    pub(crate) number: u32,
    pub(crate) modifier: Option<Text>,
    pub(crate) bits: Option<Text>,
    pub(crate) data: u32,
}

/// The word, or the words of a mixed stream; without lengths, the instruction set is text-only.
#[derive(Debug)]
pub(crate) struct WordDecl {
    pub(crate) unit: u32,
    pub(crate) low_first: bool,
    pub(crate) little_endian: bool,
    pub(crate) lengths: Vec<(u32, Option<Text>, Span)>,
    /// Words of a length that a stream can't hold.
    pub(crate) apart: Vec<(u32, Text, Span)>,
}

/// A region of the first unit of a stream.
#[derive(Debug)]
pub(crate) struct RegionDecl {
    pub(crate) name: Text,
    pub(crate) is: Text,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

/// Words that have a name and no form.
#[derive(Debug)]
pub(crate) struct HoleDecl {
    pub(crate) name: Text,
    pub(crate) length: Option<(u32, Span)>,
    pub(crate) fix: Vec<(Text, Text)>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

/// Instructions that belong together.
#[derive(Debug)]
pub(crate) struct GroupDecl {
    pub(crate) name: Text,
    pub(crate) summary: String,
    pub(crate) notes: String,
    /// Statements before the semantics of each of its instructions.
    pub(crate) guard: Option<Text>,
}

#[derive(Debug)]
pub(crate) struct SourceDecl {
    pub(crate) name: Text,
    pub(crate) title: String,
    pub(crate) file: String,
    pub(crate) note: String,
}

#[derive(Debug)]
pub(crate) struct RegisterDecl {
    pub(crate) name: Text,
    pub(crate) index: u32,
    pub(crate) width: u32,
    pub(crate) width_span: Span,
    pub(crate) count: Option<(u128, Span)>,
    pub(crate) text: Option<Text>,
    pub(crate) halves: Option<[String; 2]>,
    /// The number, its place, and the name.
    pub(crate) special: Vec<(u128, Span, Text)>,
    /// Other names that are read.
    pub(crate) also: Vec<(u128, Text)>,
    /// The names that programs can give.
    pub(crate) names: Option<Text>,
    /// The file that it is a part of.
    pub(crate) of: Option<Text>,
    /// A warp has them once.
    pub(crate) of_warp: bool,
    /// Its first register there.
    pub(crate) from: u32,
    pub(crate) zero: Option<Text>,
    pub(crate) one: Option<Text>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

#[derive(Debug)]
pub(crate) struct EnumDecl {
    pub(crate) name: Text,
    pub(crate) values: Vec<EnumValueDecl>,
    pub(crate) otherwise: Option<Text>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

/// A code.
#[derive(Debug)]
pub(crate) struct CodeDecl {
    pub(crate) name: Text,
    pub(crate) number: Option<Text>,
    pub(crate) defined: Option<Text>,
    pub(crate) bits: Option<Text>,
    /// If several bits have the same number, the greatest are assembled, or the least.
    pub(crate) several: Option<(bool, Span)>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

#[derive(Debug)]
pub(crate) struct EnumValueDecl {
    pub(crate) value: u128,
    pub(crate) text: Text,
    pub(crate) also: Vec<Text>,
    /// The value that prints the same and is read.
    pub(crate) like: Option<(i128, Span)>,
    pub(crate) name: Option<String>,
    pub(crate) note: String,
    pub(crate) doc: Option<Text>,
    /// Its text could not be read.
    pub(crate) is_lost: bool,
}

/// A choice with its parameters.
#[derive(Debug, Default)]
pub(crate) struct ChoiceDecl {
    pub(crate) summary: String,
    pub(crate) alternatives: Vec<(Text, PartDecl)>,
}

/// The keys of a format, an operand, an alternative or an instruction.
#[derive(Debug, Default)]
pub(crate) struct PartDecl {
    pub(crate) doc: Option<Text>,
    pub(crate) summary: String,
    pub(crate) notes: String,
    pub(crate) status: String,
    pub(crate) observed: bool,
    pub(crate) group: Option<Text>,
    pub(crate) mnemonic: Option<Text>,
    pub(crate) extends: Option<Text>,
    pub(crate) length: Option<(u32, Span)>,
    pub(crate) fields: Vec<FieldDecl>,
    /// Numbers that are computed of fields.
    pub(crate) readings: Vec<(Text, Text)>,
    pub(crate) fix: Vec<(Text, Text)>,
    pub(crate) bind: Vec<(Text, Text)>,
    pub(crate) plain: Vec<(PlainKind, Text)>,
    pub(crate) rest: Option<(PlainKind, Span)>,
    pub(crate) layout: Option<Text>,
    pub(crate) letters: Vec<(Text, Text)>,
    pub(crate) not: Vec<Text>,
    pub(crate) constraints: Vec<ConstraintDecl>,
    /// The registers that are read, by the fields or operands that name them; `None` if not declared.
    pub(crate) reads: Option<Vec<AccessDecl>>,
    /// The registers that are written.
    pub(crate) writes: Option<Vec<AccessDecl>>,
    /// The parts of the text on which no effect depends, each with the reason.
    pub(crate) no_effect: Vec<(Text, Text)>,
    pub(crate) tags: Vec<Text>,
    pub(crate) text: Vec<(Option<Text>, Text)>,
    /// The text, as the document writes it.
    pub(crate) syntax: Option<Text>,
    /// Templates that are read and never printed.
    pub(crate) also: Vec<Text>,
    /// Templates that are printed in the place of the text when their conditions hold.
    pub(crate) aliases: Vec<(Option<Text>, Text)>,
    /// The instruction that this one expands to.
    pub(crate) expands: Option<ExpandsDecl>,
    /// Words that the machine executes as this instruction.
    pub(crate) executes: Option<ExecutesDecl>,
    /// The forms of which it takes words.
    pub(crate) over: Vec<OverDecl>,
    pub(crate) refused: Vec<RefusedDecl>,
    pub(crate) full: Option<Text>,
    pub(crate) control: Vec<(Text, ControlDecl)>,
    pub(crate) value: Option<Text>,
    pub(crate) define: Vec<(Text, Text)>,
    pub(crate) errata: Vec<ErratumDecl>,
    pub(crate) choose: Vec<(Text, Choose)>,
    pub(crate) except: Vec<Text>,
    pub(crate) semantics: Option<Text>,
    pub(crate) entry: Span,
    /// Something in it could not be read: what seems to be missing may be there.
    pub(crate) faulty: bool,
}

impl PartDecl {
    /// True if it says how it is written.
    pub(crate) fn has_text(&self) -> bool {
        !self.text.is_empty() || self.syntax.is_some()
    }
}

#[derive(Debug)]
pub(crate) struct FieldDecl {
    pub(crate) name: Text,
    pub(crate) entry: Text,
    pub(crate) doc: Option<Text>,
    pub(crate) summary: String,
    pub(crate) note: String,
    pub(crate) rust_name: Option<String>,
}

/// The number of registers read or written, the one named by a field first.
#[derive(Debug)]
pub(crate) struct AccessDecl {
    pub(crate) name: Text,
    /// Counts that are added; of each the first whose condition holds, or 0.
    pub(crate) counts: Vec<Vec<(Option<Text>, u32)>>,
}

#[derive(Debug)]
pub(crate) struct ConstraintDecl {
    pub(crate) that: Text,
    pub(crate) why: String,
    pub(crate) doc: Option<Text>,
}

/// The instruction that another one expands to, with the values of its fields.
#[derive(Debug)]
pub(crate) struct ExpandsDecl {
    pub(crate) to: Text,
    pub(crate) fields: Vec<(Text, Text)>,
}

/// Words that the machine executes as an instruction, though they are not words of it.
#[derive(Debug, Default)]
pub(crate) struct ExecutesDecl {
    /// Bits and fields that the machine ignores.
    pub(crate) ignored: Vec<Text>,
    /// Conditions on words that are left out.
    pub(crate) not: Vec<Text>,
    /// Instructions whose words are left out.
    pub(crate) except: Vec<Text>,
    pub(crate) span: Span,
}

/// The name of forms of which words are taken, and the bits with fixed values in these words; none if it does not say.
#[derive(Debug)]
pub(crate) struct OverDecl {
    pub(crate) name: Text,
    pub(crate) fix: Vec<(Text, Text)>,
}

/// The beginning of a text that is known to be wrong, and the reason.
#[derive(Debug)]
pub(crate) struct RefusedDecl {
    pub(crate) begins: Text,
    pub(crate) why: String,
}

#[derive(Debug)]
pub(crate) enum Choose {
    Named(Text),
    Inline(ChoiceDecl),
}

#[derive(Debug, Clone)]
pub(crate) struct ErratumDecl {
    pub(crate) id: String,
    pub(crate) at: Option<Text>,
    pub(crate) kind: String,
    pub(crate) says: String,
    pub(crate) is: String,
    pub(crate) evidence: Vec<(Text, String)>,
    pub(crate) elsewhere: Vec<(Text, String)>,
    pub(crate) by: String,
    pub(crate) span: Span,
}
