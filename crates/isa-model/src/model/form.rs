//! Forms: what a word decodes to.

use super::{Condition, Doc, Field, Fixed, FormId, InstructionId, NoEffect, Owner, Piece, Plain, Raw, Reading, Word};
use crate::describe::described;
use crate::semantics::typed;
use crate::sets::{Cube, WordSet};
use crate::span::{Span, Text};
use std::sync::Arc;

described! {
    /// A leaf: what a word decodes to.
    #[derive(Clone, Debug)]
    pub struct Form {
        /// Its number.
        pub id: FormId,
        /// `IADD3.imm`: the instruction and the alternatives that were picked (slots with one alternative left out).
        pub name: String,
        /// Its instruction.
        pub instruction: InstructionId,
        /// The width of the word in bits. In a text-only instruction set, the fields are laid out from bit 0 upwards, with the number
        /// of the form above them: such a word is not a machine's, may differ from version to version, and is not shown.
        pub length: u32,
        /// The alternative of each slot: index into the slot's [`ChoiceType::alternatives`](super::ChoiceType::alternatives).
        pub picks: Vec<usize>,
        /// The bits that are fixed (reserved bits included).
        pub mask: Word,
        /// Their values.
        pub value: Word,
        /// The fixed values by name, in declared order.
        pub fixed: Vec<Fixed>,
        /// All fields.
        pub fields: Vec<Field>,
        /// The numbers that texts and conditions can name and that are no fields, in declared order.
        pub readings: Vec<Arc<Reading>>,
        /// The fields that are names of registers, in declared order.
        pub names: Vec<Named>,
        /// Bits that are no field.
        pub plain: Vec<Plain>,
        /// Exactly the words that decode to this form; what specialisations take is not among them.
        pub words: WordSet,
        /// The words that keep all rules too, those of specialisations included.
        pub legal: WordSet,
        /// The reasons why `words` is smaller than the set given by mask and value.
        pub exclusions: Vec<Exclusion>,
        /// The forms that lie inside this one and win.
        pub specialised_by: Vec<FormId>,
        /// The forms of which it takes words, as declared.
        pub over: Vec<Over>,
        /// The rules that a legal word of this form keeps.
        pub constraints: Vec<Constraint>,
        /// The text.
        pub text: Vec<Piece>,
        /// Other texts that are read and never printed.
        pub also: Vec<Vec<Piece>>,
        /// The text has aliases, or is that of the instruction that this one expands to: the first text of `also` is the one without.
        pub has_base: bool,
        /// Each alias and variant as a text of its own, if some word has several: they are read wherever their own condition holds.
        pub spelt: Vec<Spelt>,
        /// For each [`Piece::OneOf`] in `also`, `spelt` and `refused` its list of texts. A list refers only to earlier ones. Each list is
        /// stored once, however many texts contain it, so that nested lists add up instead of multiplying.
        pub bodies: Vec<Vec<Vec<Piece>>>,
        /// Texts that are known to be wrong.
        pub refused: Vec<Refused>,
        /// The text that `--full` adds.
        pub full: Vec<Piece>,
        /// The control codes of a word besides `full`, in declared order; items of one list are neighbours.
        pub control: Vec<ControlItem>,
        /// Its behaviour, if the instruction has semantics.
        pub behaviour: Option<Behaviour>,
        /// The choices on whose alternatives no effect depends, by their declarations: indices into
        /// [`Instruction::slots`](super::Instruction::slots).
        pub no_effect: Vec<(usize, NoEffect)>,
        /// Further words that the machine executes as this form.
        pub executes: Option<Executes>,
        /// The registers that it reads and writes, by the fields that name them, in declared order; none where neither `reads` and
        /// `writes` nor semantics say it.
        pub accesses: Vec<Access>,
        /// The form that it expands to, if there is one.
        pub expanded: Option<Expanded>,
        /// A tool shows it and the document does not have it.
        pub observed: bool,
    }

    /// The form that another one expands to, with the values of its fields. A field gets the same number if it can hold it; if the
    /// number is printed modulo something (`wraps`), one that prints the same.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Expanded {
        /// The form.
        pub to: FormId,
        /// Pairs of a field of the expanded form and the field with its number: indices into [`Form::fields`] of either form.
        pub fields: Vec<(usize, usize)>,
        /// Its fields that have one value, as raw bits.
        pub values: Vec<(usize, Raw)>,
    }

    /// Words that the machine executes as a form, though they have no text: as the form's word with other values in some bits.
    #[derive(Clone, Debug)]
    pub struct Executes {
        /// The bits that the machine ignores.
        pub ignored: Word,
        /// Their values in the word that is executed.
        pub value: Word,
        /// Exactly these words, none of which is an instruction.
        pub words: WordSet,
        /// Conditions on words that are left out.
        pub not: Vec<Condition>,
        /// The fields that these name: those of the form, and the fixed ones.
        pub fields: Vec<Field>,
        /// The names of the instructions whose words are left out.
        pub except: Vec<Text>,
        /// The place of the declaration.
        pub span: Span,
    }
}

impl Executes {
    /// The word that is executed in the place of one of [`words`](Self::words).
    pub fn word(&self, word: Word) -> Word {
        word & !self.ignored | self.value
    }
}

described! {
    /// A control code: a flag, or an item of a list.
    #[derive(Clone, Debug)]
    pub struct ControlItem {
        /// The name of the flag or of the list: `yield`, `reuse`.
        pub list: String,
        /// The item, `A`; none for a flag.
        pub item: Option<String>,
        /// The words that have it.
        pub when: Condition,
    }

    /// An access to the registers that a field names: several consecutive ones, the named one first.
    #[derive(Clone, Debug)]
    pub struct Access {
        /// The field: index into [`Form::fields`].
        pub field: usize,
        /// The condition for it; `None` for always. Among the entries that read (write) the registers of one field, the first whose
        /// condition holds counts; its words exclude those of earlier entries.
        pub when: Option<Condition>,
        /// The number of registers read.
        pub reads: u32,
        /// The number of registers written.
        pub writes: u32,
    }
}

/// The behaviour of a form, with all names resolved and all widths known.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The condition on which a lane takes part, by the machine's `guard`; all do without one.
    pub guard: Option<typed::Value>,
    /// The statements of each lane that takes part: the instruction's `semantics`.
    pub body: typed::Body,
    /// The statements that follow for every active lane: the machine's `after`.
    pub after: typed::Body,
    /// The conditions that these name.
    pub conditions: Vec<Condition>,
}

impl Form {
    /// The field with this path.
    pub fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.path == path)
    }
    /// The texts that are read: the printed one, those of `also`, and aliases and variants, with the words that each of these is for.
    pub fn templates(&self) -> impl Iterator<Item = (&Vec<Piece>, Option<&WordSet>)> {
        let always = std::iter::once(&self.text).chain(&self.also).map(|text| (text, None));
        always.chain(self.spelt.iter().map(|spelt| (&spelt.text, Some(&spelt.when.words))))
    }
    /// The text without aliases.
    pub fn base(&self) -> &[Piece] {
        self.also.first().filter(|_| self.has_base).unwrap_or(&self.text)
    }
    /// The fields that the text without aliases can show, in the order of the text; the other fields of an operand, such as a
    /// sign, follow its first one.
    pub fn operands(&self) -> Vec<usize> {
        fn add(form: &Form, pieces: &[Piece], operands: &mut Vec<usize>) {
            for piece in pieces {
                for field in piece.fields() {
                    if operands.contains(field) {
                        continue;
                    }
                    operands.push(*field);
                    let owner = &form.fields[*field].owner;
                    let is_other = |i: &usize| form.fields[*i].owner == *owner && !operands.contains(i);
                    let others: Vec<usize> = (0..form.fields.len()).filter(is_other).collect();
                    operands.extend(others.into_iter().filter(|_| *owner != Owner::Instruction));
                }
                if let Piece::Group { body, .. } = piece {
                    add(form, body, operands);
                }
            }
        }
        let mut operands = Vec::new();
        add(self, self.base(), &mut operands);
        operands
    }
    /// The word with every field at its default, and kept bits zero.
    pub fn default_word(&self) -> Word {
        self.fields.iter().fold(self.value, |w, f| f.bits.set(w, f.default))
    }
    /// The words, of whatever other bits, in which all of these fields (indices) are at their defaults.
    pub fn at_default(&self, fields: &[usize]) -> Cube {
        let field = |i: &usize| (self.fields[*i].bits.mask(), self.fields[*i].bits.place(self.fields[*i].default));
        let (mask, value) = fields.iter().map(field).fold((Word::ZERO, Word::ZERO), |a, b| (a.0 | b.0, a.1 | b.1));
        Cube::new(mask, value)
    }
}

described! {
    /// A field whose value is the name of a register. Its bits hold a number: the place of the first field of the form that has the
    /// same name. So one name is one number, and what the bits mean does not depend on the names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Named {
        /// Index into [`Form::fields`].
        pub field: usize,
        /// Its place among the names of all forms of the instruction, below [`MAX_NAMES`](super::MAX_NAMES).
        pub place: usize,
    }

    /// An alias or a variant of a text, which is read last of all.
    #[derive(Clone, Debug)]
    pub struct Spelt {
        /// Its own conditions, whether it is printed or another one.
        pub when: Condition,
        /// The text.
        pub text: Vec<Piece>,
    }

    /// A wrong way to write a form.
    #[derive(Clone, Debug)]
    pub struct Refused {
        /// The pieces that such a text begins with.
        pub begins: Vec<Piece>,
        /// The reason why it is wrong.
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
        /// The place of the declaration.
        pub span: Span,
    }

    /// A declaration that a form takes words of others.
    #[derive(Clone, Debug)]
    pub struct Over {
        /// The others, in their order, each with the words that are taken, as far as they are declared.
        pub of: Arc<[(FormId, Cube)]>,
        /// True if the words are declared.
        pub has_words: bool,
        /// The place of the declaration.
        pub span: Span,
    }
}

impl Over {
    /// The declared words of a form; `None` if it is not among the others.
    pub fn words_of(&self, form: FormId) -> Option<Cube> {
        self.of.binary_search_by_key(&form, |(id, _)| *id).ok().map(|place| self.of[place].1)
    }
}

described! {
    /// A rule that legal words of a form keep.
    #[derive(Clone, Debug)]
    pub struct Constraint {
        /// The condition that must hold.
        pub that: Condition,
        /// The fields it is about (indices into [`Form::fields`]).
        pub fields: Vec<usize>,
        /// The rule as a person reads it: the `why`, or the condition's own text.
        pub why: String,
        /// The lines of the documents that state it.
        pub doc: Doc,
        /// The place of the declaration.
        pub span: Span,
    }
}
