//! The model: an instruction set, complete and validated. Back ends see this and nothing else.
//!
//! An [`Isa`] holds [`Instruction`]s; the choices that an instruction makes have been multiplied out into [`Form`]s, the
//! leaves that a word decodes to. A form is flat: all its fields with their bits, all its fixed bits, its text as a list of
//! [`Piece`]s, its conditions as exact sets of words. What the types in generated code are made of (operands, choices)
//! stands beside it in [`OperandType`] and [`ChoiceType`].

use crate::semantics::{Machine, Semantics, typed};
use crate::sets::{Cube, Order, WordSet};
use crate::span::{SourceMap, Span};
use std::sync::{Arc, LazyLock};

pub use crate::bits::{BitRange, Bits, MAX_FIELD, MAX_WORD, Raw, Word, ones};

macro_rules! id {
    ($($(#[$m:meta])* $name:ident),*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}
id!(
    /// A source, by its place in [`Isa::sources`].
    SourceId,
    /// A register file, by its place in [`Isa::registers`].
    RegisterId,
    /// An enumeration, by its place in [`Isa::enums`].
    EnumId,
    /// An operand type, by its place in [`Isa::operand_types`].
    OperandTypeId,
    /// A choice type, by its place in [`Isa::choice_types`].
    ChoiceTypeId,
    /// A format, by its place in [`Isa::formats`].
    FormatId,
    /// A group, by its place in [`Isa::groups`].
    GroupId,
    /// An instruction, by its place in [`Isa::instructions`].
    InstructionId,
    /// A form, by its place in [`Isa::forms`].
    FormId
);

/// An instruction set.
#[derive(Clone, Debug)]
pub struct Isa {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// Where the name stands.
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
    /// How plain numbers print.
    pub numbers: Radix,
    /// Which of the words of one text is assembled.
    pub prefer: Prefer,
    /// Instructions that belong together, in the order of the files.
    pub groups: Vec<Group>,
    /// The documents and tools that vouch; the first is the default one.
    pub sources: Vec<Source>,
    /// Register files.
    pub registers: Vec<RegisterFile>,
    /// Enumerations.
    pub enums: Vec<Enum>,
    /// Operand types, one for each set of fields that an operand of the spec takes.
    pub operand_types: Vec<OperandType>,
    /// Choice types, one for each set of alternatives that a choice of the spec takes.
    pub choice_types: Vec<ChoiceType>,
    /// Formats.
    pub formats: Vec<Format>,
    /// Instructions in declared order.
    pub instructions: Vec<Instruction>,
    /// All forms; those of one instruction stand together.
    pub forms: Vec<Form>,
    /// Errata that belong to no instruction.
    pub errata: Vec<Erratum>,
    /// What instructions act on besides registers.
    pub machine: Machine,
    /// What each lane does before the first instruction: the machine's `launch`.
    pub launch: typed::Body,
    /// The source whose texts these are, where it prints two words alike.
    pub follows: Option<SourceId>,
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
    /// The architecture by the name that `isa-object` has for it: `sm_80`, `riscv64`.
    pub architecture: String,
}

impl Isa {
    /// The order in which sets of words of so many bits ask for them.
    pub fn order(&self, bits: u32) -> &Order {
        static ANY: LazyLock<Order> = LazyLock::new(|| Order::descending(Word::BITS));
        self.orders.iter().find(|(length, _)| *length == bits).map_or(&ANY, |(_, order)| order)
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
    /// The name of a word of so many bits that no form has: the first hole that has it.
    pub fn hole_of(&self, word: Word, bits: u32) -> Option<&Hole> {
        self.holes.iter().find(|h| h.length == bits && h.words.contains(word))
    }
    /// Whether it is text alone: forms have words then all the same, but they are this program's own, see [`Form::length`].
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
    /// Every erratum with the name of the instruction, operand, … that it stands at; an erratum stands in one place only.
    pub fn all_errata(&self) -> impl Iterator<Item = (&str, &Erratum)> {
        let own = self.errata.iter().map(|e| (self.name.as_str(), e));
        let formats = self.formats.iter().flat_map(|f| f.errata.iter().map(move |e| (f.name.as_str(), e)));
        let insns = self.instructions.iter().flat_map(|i| i.errata.iter().map(move |e| (i.name.as_str(), e)));
        own.chain(formats).chain(insns)
    }
}

/// The lengths of words and the order of a stream.
#[derive(Clone, Debug)]
pub struct Words {
    /// A stream is made of units of this many bits.
    pub unit: u32,
    /// The first unit of a longer word is its low one.
    pub low_first: bool,
    /// Bytes inside a unit are little-endian.
    pub little_endian: bool,
    /// The lengths, ascending; none where there is text alone.
    pub lengths: Vec<Length>,
}

/// One word length.
#[derive(Clone, Debug)]
pub struct Length {
    /// Bits of the word, a multiple of the unit.
    pub bits: u32,
    /// The first units that begin a word of this length (all of them if there is one length).
    pub prefix: WordSet,
    /// The words of this length: those that begin so, and those that are apart, of which only somebody who has the word knows the length.
    pub words: WordSet,
    /// Those of them that no form has.
    pub holes: WordSet,
    /// Where the condition stands.
    pub span: Span,
}

/// First units of a stream that belong together: `1111100 0000xxxxx -> 1111100 1111xxxxx`.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// As it is declared: `1111100 0000xxxxx -> 1111100 1111xxxxx`.
    pub is: String,
    /// The first unit.
    pub first: Word,
    /// The last unit.
    pub last: Word,
    /// Bits at the low end of a unit that belong to no code.
    pub open: u32,
    /// One line.
    pub summary: String,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is declared.
    pub span: Span,
}

/// Words that are known to be something, and are no instruction here.
#[derive(Clone, Debug)]
pub struct Hole {
    /// Its name.
    pub name: String,
    /// Bits of the words.
    pub length: u32,
    /// The words.
    pub words: Cube,
    /// What they are.
    pub summary: String,
    /// Who knows of them.
    pub doc: Doc,
    /// Where it is declared.
    pub span: Span,
}

impl Hole {
    /// What is said of its words: `name is not described here: what they are`.
    pub fn refusal(&self) -> String {
        let about = if self.summary.is_empty() { String::new() } else { format!(": {}", self.summary) };
        format!("{} is not described here{about}", self.name)
    }
}

/// Which of several words of one text is assembled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// That of the first form.
    #[default]
    First,
    /// That of the first of the shortest forms.
    Shortest,
}

/// Instructions that belong together: an extension.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Prose.
    pub notes: String,
    /// Where it is declared.
    pub span: Span,
}

/// How a number prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// `0x1f`, `-0x1f`
    Hex,
    /// `31`
    Dec,
    /// `31`, with leading zeros up to so many digits
    Padded(u8),
    /// `1.5`: the bits are the high bits of an IEEE 754 number of 16, 32 or 64 bits
    Float(u8),
}

/// A document or a tool that vouches for facts.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in the spec.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its file, if it has one.
    pub file: String,
    /// Anything else: licence, version, author.
    pub note: String,
    /// Where it is declared.
    pub span: Span,
}

/// Where a fact stands: a source and its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doc(pub Vec<DocRef>);

/// Lines of a source; no lines means the source as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocRef {
    /// The source.
    pub source: SourceId,
    /// First and last line.
    pub lines: Option<(u32, u32)>,
}

/// A register file.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    /// Its name in the spec.
    pub name: String,
    /// Bits that number a register.
    pub index: u32,
    /// Bits of one register.
    pub width: u32,
    /// Registers are numbered 0…count-1; special names may lie outside.
    pub count: u128,
    /// What stands before the number: `R`.
    pub prefix: String,
    /// What stands after it.
    pub suffix: String,
    /// For halves of registers: names of the low and the high half; the number is the index without its low bit.
    pub halves: Option<[String; 2]>,
    /// Registers with names of their own.
    pub special: Vec<(Raw, String)>,
    /// Other names of registers, which are read and never printed.
    pub also: Vec<(Raw, String)>,
    /// Registers are called what a program calls them: these names. A number then is that of a name in its instruction
    /// ([`Named`]), and [`RegisterFile::name_of`] gives names for examples.
    pub names: Option<Names>,
    /// The registers are some of another file.
    pub part_of: Option<PartOf>,
    /// The register that reads as zero.
    pub zero: Option<Raw>,
    /// The register that reads as all ones.
    pub one: Option<Raw>,
    /// One line.
    pub summary: String,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is declared.
    pub span: Span,
}

/// Consecutive registers of a file, which are a file of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The file that has them.
    pub file: RegisterId,
    /// The number that the first of them has there.
    pub from: u32,
}

impl RegisterFile {
    /// The register's name, if there is such a register.
    pub fn name_of(&self, index: Raw) -> Option<String> {
        if let Some((_, name)) = self.special.iter().find(|(i, _)| *i == index) {
            return Some(name.clone());
        }
        if index >= self.count {
            return None;
        }
        Some(match &self.halves {
            Some(h) => format!("{}{}{}{}", self.prefix, index >> 1, h[(index & 1) as usize], self.suffix),
            None => format!("{}{}{}", self.prefix, index, self.suffix),
        })
    }
    /// The number after the last register, those with names of their own included.
    pub fn end(&self) -> u128 {
        self.special.iter().map(|s| s.0.saturating_add(1)).max().unwrap_or(0).max(self.count)
    }
    /// Whether every index is a register.
    pub fn is_total(&self) -> bool {
        (0..=ones(self.index)).rev().take_while(|i| *i >= self.count).all(|i| self.special.iter().any(|s| s.0 == i))
    }
}

/// How many registers of any name an instruction can have.
pub const MAX_NAMES: usize = 16;

/// The names that registers can have: any of these rows of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<Vec<NamePart>>);

/// A part of a name, which takes as many characters as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamePart {
    /// ASCII characters, one bit each.
    pub of: u128,
    /// Whether it can be missing (`*`).
    pub may_be_missing: bool,
    /// Whether there can be several (`*`, `+`).
    pub repeats: bool,
}

impl Names {
    /// Bytes of the longest name that the text begins with.
    pub fn longest(&self, text: &str) -> Option<usize> {
        let length = |parts: &Vec<NamePart>| {
            parts.iter().try_fold(0, |at, part| {
                let most = if part.repeats { usize::MAX } else { 1 };
                let count = text.bytes().skip(at).take(most).take_while(|b| b.is_ascii() && part.of >> b & 1 == 1).count();
                (count > 0 || part.may_be_missing).then_some(at + count)
            })
        };
        self.0.iter().filter_map(length).max()
    }

    /// The characters that a name can begin with, one bit each.
    pub fn begins(&self) -> u128 {
        let begins = |parts: &Vec<NamePart>| {
            let needed = parts.iter().position(|p| !p.may_be_missing).map_or(parts.len(), |i| i + 1);
            parts[..needed].iter().fold(0, |set, p| set | p.of)
        };
        self.0.iter().fold(0, |set, parts| set | begins(parts))
    }

    /// The characters that a name can go on with, one bit each.
    pub fn goes_on(&self) -> u128 {
        self.0.iter().fold(0, |set, parts| {
            let first = parts.first().filter(|p| p.repeats).map_or(0, |p| p.of);
            parts.iter().skip(1).fold(set | first, |set, p| set | p.of)
        })
    }
}

/// As they are written in a specification: `[A-Za-z][0-9A-Za-z]*, %[a-z]+`.
impl std::fmt::Display for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, parts) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            parts.iter().try_for_each(|part| part.fmt(f))?;
        }
        Ok(())
    }
}

impl std::fmt::Display for NamePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let character = |bit: u32| char::from(bit as u8);
        if self.of.count_ones() == 1 {
            write!(f, "{}", character(self.of.trailing_zeros()))?;
        } else {
            f.write_str("[")?;
            let mut rest = self.of;
            while rest != 0 {
                let first = rest.trailing_zeros();
                let last = first + (rest >> first).trailing_ones() - 1;
                match last - first {
                    0 => write!(f, "{}", character(first))?,
                    1 => write!(f, "{}{}", character(first), character(last))?,
                    _ => write!(f, "{}-{}", character(first), character(last))?,
                }
                rest = if last >= 127 { 0 } else { rest >> (last + 1) << (last + 1) };
            }
            f.write_str("]")?;
        }
        f.write_str(match (self.may_be_missing, self.repeats) {
            (true, _) => "*",
            (false, true) => "+",
            (false, false) => "",
        })
    }
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name in the spec.
    pub name: String,
    /// Its values, ascending.
    pub values: Vec<EnumValue>,
    /// How a value without a name prints (`SR{n}`).
    pub otherwise: Option<Otherwise>,
    /// One line.
    pub summary: String,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is declared.
    pub span: Span,
}

/// How values without a name print: `SR{n}`, `csr{n:x}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// What stands before the number.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// The number is hexadecimal, not decimal.
    pub is_hex: bool,
}

impl Otherwise {
    /// The text of a value.
    pub fn text_of(&self, value: Raw) -> String {
        match self.is_hex {
            true => format!("{}{value:#x}{}", self.before, self.after),
            false => format!("{}{value}{}", self.before, self.after),
        }
    }
}

/// As it is declared.
impl std::fmt::Display for Otherwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.is_hex { "{n:x}" } else { "{n}" };
        write!(f, "{}{place}{}", self.before, self.after)
    }
}

/// One value of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumValue {
    /// The bits.
    pub value: Raw,
    /// What is printed; may be empty.
    pub text: String,
    /// Other texts that are read.
    pub also: Vec<String>,
    /// It prints what another value prints, and that one is read.
    pub like: Option<Raw>,
    /// Name for generated code, if the text doesn't give one.
    pub name: Option<String>,
    /// What it means.
    pub note: String,
    /// Where it stands in the documents.
    pub doc: Doc,
}

impl EnumValue {
    /// All texts that are read as this value, the one that is printed first.
    pub fn read(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.text).chain(&self.also).filter(|_| self.like.is_none())
    }
}

impl Enum {
    /// The text of a value, if it is allowed.
    pub fn text_of(&self, value: Raw) -> Option<std::borrow::Cow<'_, str>> {
        match self.values.iter().find(|v| v.value == value) {
            Some(v) => Some(v.text.as_str().into()),
            None => self.otherwise.as_ref().map(|other| other.text_of(value).into()),
        }
    }
}

/// What the bits of a field mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number: `scale * (raw as signed or not) + bias`; with `target`, relative to the address of the word plus the offset.
    Int {
        /// Two's complement.
        signed: bool,
        /// Factor.
        scale: i64,
        /// Added after scaling.
        bias: i64,
        /// How it prints, if not in the ISA's way.
        radix: Option<Radix>,
        /// What is added, with the address of the word, to print it.
        target: Option<i64>,
    },
    /// A register of a file.
    Register(RegisterId),
    /// A value of an enumeration.
    Enum(EnumId),
    /// One bit, printed as this text when set.
    Flag(String),
    /// The letter of every bit that is set, `-` for one that is clear; bit 0 first.
    Bitset(String),
}

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in the form: `rd`, or `b.r` for field `r` of operand `b`.
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// Who owns it.
    pub owner: Owner,
    /// Where it is.
    pub bits: Bits,
    /// What it means.
    pub kind: Kind,
    /// The value is all ones minus the bits.
    pub inverted: bool,
    /// A number that may also be written as the one that has these bits with a sign, if this one has none, or without one.
    pub wraps: bool,
    /// A number that prints modulo this power of two, without a sign, and is read from every number that is the same so.
    pub modulo: Option<u32>,
    /// Default, as raw bits.
    pub default: Raw,
    /// Whether the spec states the default, so that an instruction can be made without a value.
    pub has_default: bool,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// One line of prose.
    pub summary: String,
    /// Prose.
    pub note: String,
    /// What it is called in Rust, if the spec says so.
    pub rust_name: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Who owns a field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The instruction (or its format).
    Instruction,
    /// Operand `bind` (index into [`Instruction::binds`]).
    Bind(usize),
    /// The alternative picked for slot (index into [`Instruction::slots`]); with the index of the operand bound in it, if any.
    Slot(usize, Option<usize>),
}

/// Bits that are not a field.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Which bits.
    pub bits: BitRange,
    /// What about them.
    pub what: PlainKind,
    /// Where it is declared.
    pub span: Span,
}

/// What about bits that are not a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlainKind {
    /// The machine does not look at them; they are kept.
    Ignored,
    /// The document does not say; they are kept.
    Unknown,
    /// They must be zero.
    Reserved,
}

/// A fixed value in a form.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The field's name; empty for bits without one.
    pub name: String,
    /// Where it is.
    pub bits: Bits,
    /// Its value, raw.
    pub value: Raw,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is fixed.
    pub span: Span,
}

/// A leaf: what a word decodes to.
#[derive(Clone, Debug)]
pub struct Form {
    /// Its number.
    pub id: FormId,
    /// `IADD3.imm`: the instruction and the alternatives that were picked (slots with one alternative left out).
    pub name: String,
    /// Its instruction.
    pub instruction: InstructionId,
    /// Bits of the word. Where there is text alone, the fields stand somewhere from bit 0 on and the number of the form above
    /// them: such a word is no machine's, may differ from version to version, and is shown to nobody.
    pub length: u32,
    /// Which alternative of each slot: index into the slot's [`ChoiceType::alternatives`].
    pub picks: Vec<usize>,
    /// The bits that are fixed (reserved bits included).
    pub mask: Word,
    /// Their values.
    pub value: Word,
    /// The fixed values by name, in declared order.
    pub fixed: Vec<Fixed>,
    /// All fields.
    pub fields: Vec<Field>,
    /// The fields that are names of registers, in declared order.
    pub names: Vec<Named>,
    /// Bits that are no field.
    pub plain: Vec<Plain>,
    /// Exactly the words that decode to this form; what specialisations take is not among them.
    pub words: WordSet,
    /// The words that keep all rules too, those of specialisations included.
    pub legal: WordSet,
    /// Why `words` is smaller than mask and value say.
    pub exclusions: Vec<Exclusion>,
    /// The forms that lie inside this one and win.
    pub specialised_by: Vec<FormId>,
    /// What makes a word of this form illegal.
    pub constraints: Vec<Constraint>,
    /// The text.
    pub text: Vec<Piece>,
    /// Other texts that are read and never printed.
    pub also: Vec<Vec<Piece>>,
    /// The text has aliases, or is that of the instruction that this one stands for: the first text of `also` is the one without.
    pub has_base: bool,
    /// For each [`Piece::OneOf`] in `also` and `refused` the texts that it can be. A list refers to earlier ones alone. Each is
    /// here once, however many texts it stands in, so that texts around texts are a sum and no product.
    pub bodies: Vec<Vec<Vec<Piece>>>,
    /// Texts that are known to be wrong.
    pub refused: Vec<Refused>,
    /// What `--full` adds.
    pub full: Vec<Piece>,
    /// What it does, if the instruction says so.
    pub behaviour: Option<Behaviour>,
    /// A tool shows it and the document does not have it.
    pub observed: bool,
}

/// What a form does, with every name found and every width known.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// Whether a lane takes part, by the machine's `guard`; all do without one.
    pub guard: Option<typed::Value>,
    /// What each lane that takes part does: the instruction's `semantics`.
    pub body: typed::Body,
    /// What every active lane does then, by the machine's `after`.
    pub after: typed::Body,
    /// The conditions that these name.
    pub conditions: Vec<Condition>,
}

impl Form {
    /// The field with this path.
    pub fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.path == path)
    }
    /// The text without aliases.
    pub fn base(&self) -> &[Piece] {
        self.also.first().filter(|_| self.has_base).unwrap_or(&self.text)
    }
    /// The word with every field at its default, and kept bits zero.
    pub fn default_word(&self) -> Word {
        self.fields.iter().fold(self.value, |w, f| f.bits.set(w, f.default))
    }
    /// The words, of whatever other bits, in which all of these fields (indices) are at their defaults.
    pub(crate) fn at_default(&self, fields: &[usize]) -> Cube {
        let field = |i: &usize| (self.fields[*i].bits.mask(), self.fields[*i].bits.place(self.fields[*i].default));
        let (mask, value) = fields.iter().map(field).fold((Word::ZERO, Word::ZERO), |a, b| (a.0 | b.0, a.1 | b.1));
        Cube::new(mask, value)
    }
}

/// A field whose value is the name of a register. Its bits hold a number: the place of the first field of the form that has the
/// same name. So one name is one number, and what the bits mean does not depend on the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Index into [`Form::fields`].
    pub field: usize,
    /// Its place among the names of all forms of the instruction, below [`MAX_NAMES`].
    pub place: usize,
}

/// A wrong way to write a form.
#[derive(Clone, Debug)]
pub struct Refused {
    /// How such a text begins.
    pub begins: Vec<Piece>,
    /// What is wrong with it.
    pub why: String,
}

/// A set of words taken out of a form.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// For which words it holds, of whatever other bits.
    pub when: Condition,
    /// The field concerned, if it is one (a value that is not allowed).
    pub field: Option<usize>,
    /// The reason, as a person reads it.
    pub why: String,
    /// Where it stands.
    pub span: Span,
}

/// A rule that legal words of a form keep.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// What must hold.
    pub that: Condition,
    /// The fields it is about (indices into [`Form::fields`]).
    pub fields: Vec<usize>,
    /// The rule as a person reads it: the `why`, or the condition's own text.
    pub why: String,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it stands.
    pub span: Span,
}

/// A condition and the words, of any other bits, for which it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// As it is composed.
    pub cond: Cond,
    /// The words.
    pub words: WordSet,
    /// Where it stands.
    pub span: Span,
}

impl Condition {
    /// A condition whose words are not known yet.
    pub(crate) fn new(cond: Cond, span: Span) -> Self {
        Self { cond, words: WordSet::empty(), span }
    }
}

/// A condition on the fields of a form. Definitions that are used several times are shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// The field's raw bits are one of the values.
    Test {
        /// Index into [`Form::fields`].
        field: usize,
        /// The raw values: a set of words that have the field's bits alone, the most significant bit asked first.
        values: WordSet,
    },
    /// Two fields (indices into [`Form::fields`]) of one meaning have the same bits.
    Same([usize; 2]),
    /// Not.
    Not(Arc<Cond>),
    /// All.
    And(Arc<Vec<Cond>>),
    /// Any.
    Or(Arc<Vec<Cond>>),
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// These characters.
    Literal(String),
    /// A field (index into [`Form::fields`]), perhaps with a number format of its own.
    Field {
        /// Index into [`Form::fields`].
        field: usize,
        /// How to print the number.
        radix: Option<Radix>,
    },
    /// A part that is there or not.
    Group {
        /// When it is there.
        when: When,
        /// What it prints.
        body: Vec<Piece>,
    },
    /// One of several texts (index into [`Form::bodies`]): only in texts that are read, and in no group of what differs.
    OneOf(usize),
}

impl Piece {
    /// Whether this group is there exactly when the one before is not: its `else`.
    pub fn is_else_of(&self, before: &Self) -> bool {
        let condition = |piece: &Self| match piece {
            Self::Group { when: When::Holds(condition), .. } => Some(condition.words.clone()),
            _ => None,
        };
        condition(before).is_some_and(|words| condition(self) == Some(words.complement()))
    }
}

/// When a group of a text is there.
#[derive(Clone, Debug)]
pub enum When {
    /// When one of these fields (indices) is not at its default; may be missing in text that is read.
    Differs(Vec<usize>),
    /// Exactly when the condition holds.
    Holds(Condition),
}

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
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where the operand is declared.
    pub span: Span,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldType {
    /// Its name.
    pub name: String,
    /// What it is called in Rust, if the spec says so.
    pub rust_name: Option<String>,
    /// What it means.
    pub kind: Kind,
    /// The value is all ones minus the bits.
    pub inverted: bool,
    /// Bits.
    pub width: u32,
}

impl FieldType {
    /// The type of a field of a form.
    pub fn of(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            rust_name: field.rust_name.clone(),
            kind: field.kind.clone(),
            inverted: field.inverted,
            width: field.bits.width(),
        }
    }
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
    /// Where the choice is declared.
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
    /// Where it stands in the documents.
    pub doc: Doc,
    /// A tool shows it and the document does not have it.
    pub observed: bool,
    /// Where it is declared.
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
    /// Where it stands in the documents.
    pub doc: Doc,
    /// What the documents have wrong.
    pub errata: Vec<Erratum>,
    /// Where it is declared.
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
    /// Where it stands in the documents.
    pub doc: Doc,
    /// The document's own word on it (`implemented`, `partial`, …).
    pub status: String,
    /// Its format.
    pub format: Option<FormatId>,
    /// The group that it belongs to.
    pub group: Option<GroupId>,
    /// What is printed in the place of its text, and when.
    pub aliases: Vec<Alias>,
    /// The instruction that it stands for.
    pub expands: Option<Expands>,
    /// The choices it makes, in declared order.
    pub slots: Vec<Slot>,
    /// The operands bound in the instruction itself.
    pub binds: Vec<Bind>,
    /// Paths of the fields of its forms that are names of registers.
    pub names: Vec<String>,
    /// Its forms: from, up to.
    pub forms: std::ops::Range<FormId>,
    /// What the documents have wrong, that of the operands and alternatives it uses included.
    pub errata: Vec<Erratum>,
    /// What it does.
    pub semantics: Option<Semantics>,
    /// A tool shows it and the document does not have it.
    pub observed: bool,
    /// Where it is declared.
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
    /// Where it is declared.
    pub span: Span,
}

/// The instruction that another one stands for.
#[derive(Clone, Debug)]
pub struct Expands {
    /// The instruction.
    pub to: InstructionId,
    /// Its fields that have other names here, or one value, each with what it is, as declared.
    pub fields: Vec<(String, String)>,
    /// Where it is declared.
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

/// What a document has wrong, or leaves out.
#[derive(Clone, Debug)]
pub struct Erratum {
    /// A name for it.
    pub id: String,
    /// Where in the document.
    pub at: Doc,
    /// The kind: `wrong`, `incomplete`, ….
    pub kind: String,
    /// What the document says.
    pub says: String,
    /// What is so.
    pub is: String,
    /// What shows it.
    pub evidence: Vec<Evidence>,
    /// The same of another version of the machine: shown, not tested.
    pub elsewhere: Vec<Evidence>,
    /// Who vouches.
    pub by: String,
    /// Where the operand or the alternative is declared that it stands at, if it stands at one.
    pub piece: Option<Span>,
    /// Where it stands.
    pub span: Span,
}

/// A word and its text, or where there is text alone a text and how it is printed.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What is looked at.
    pub of: Subject,
    /// Bits of the word, if its digits are those of one length exactly.
    pub length: Option<u32>,
    /// Its text; `None`: it is refused.
    pub text: Option<String>,
    /// Where the word or text stands.
    pub span: Span,
}

/// What evidence is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A word.
    Word(Word),
    /// A text, as somebody wrote it.
    Text(String),
}

/// The word in hexadecimal, or the text.
impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word:#x}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
