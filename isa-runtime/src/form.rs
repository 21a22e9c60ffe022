//! What is known about forms and fields outside the hot path: for errors, `Debug`, and the matcher.

use crate::error::{BitMask, DecodeError};
use crate::names::NameRows;
use crate::number::Shape;
use crate::parse::{Limits, Literal, Op};
use crate::set::{Cube, Set};
use crate::table::Row;
use crate::text::Cursor;
use crate::word::{self, Ranges, Word};
use core::fmt;

/// A register file.
#[derive(Debug)]
pub struct Registers {
    /// Its name in the spec.
    pub name: &'static str,
    /// What stands before the number.
    pub prefix: &'static str,
    /// The same for reading.
    pub begin: Literal,
    /// What stands after it.
    pub suffix: &'static str,
    /// For halves of registers: names of the low and the high half.
    pub halves: Option<[&'static str; 2]>,
    /// Registers are numbered 0…count-1.
    pub count: u64,
    /// Registers with names of their own, by index.
    pub special: &'static [(u64, &'static str)],
    /// The same for reading.
    pub names: &'static [(u64, Literal)],
}

/// The texts of an enumeration.
#[derive(Debug)]
pub struct Names {
    /// Its name in the spec.
    pub name: &'static str,
    /// What is printed, by ascending value.
    pub values: &'static [(u64, &'static str)],
    /// Everything that is read, longest first.
    pub texts: &'static [(Literal, u64)],
    /// The ASCII characters with which those texts begin that aren't empty,
    pub begins: u128,
    /// The value whose text is empty.
    pub empty: Option<u64>,
    /// What stands before and after the number for a value without a name.
    pub otherwise: Option<(&'static str, &'static str)>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.values) == (other.name, other.values)
    }
}
impl Eq for Names {}

impl Names {
    /// Whether all texts begin with punctuation.
    pub(crate) fn marks(&self) -> bool {
        self.values.iter().all(|(_, text)| !text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    }
}

impl Registers {
    /// Whether there is a register with this index.
    pub const fn has(&self, index: u64) -> bool {
        let mut i = 0;
        while i < self.special.len() {
            if self.special[i].0 == index {
                return true;
            }
            i += 1;
        }
        index < self.count
    }

    /// Writes the name of a register.
    pub fn show(&self, f: &mut fmt::Formatter<'_>, index: u64) -> fmt::Result {
        let mut text = crate::TextBuf::<64>::new();
        text.append::<64>(|out| {
            let mut out = Cursor::new(out);
            out.push_register(self, index);
            out.len()
        });
        f.pad(text.as_str())
    }
}

impl Names {
    /// Writes the text of a value.
    pub fn show(&self, f: &mut fmt::Formatter<'_>, value: u64) -> fmt::Result {
        let mut text = crate::TextBuf::<64>::new();
        text.append::<64>(|out| {
            let mut out = Cursor::new(out);
            out.push_enum(self, value);
            out.len()
        });
        f.pad(text.as_str())
    }
}

/// What the bits of a field mean.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number; with a target offset, relative to the address of the word.
    Int {
        /// How the bits make the number.
        shape: Shape,
        /// What is added, with the address of the word, to print it.
        target: Option<i64>,
        /// Bits of an address, if the target wraps: it has no sign then. 0 if it does not.
        modulo: u32,
    },
    /// A register.
    Register(&'static Registers),
    /// A register that a program names: its number in the instruction.
    Name {
        /// The register file, which has names for examples.
        of: &'static Registers,
        /// The names that there can be.
        rows: &'static NameRows,
        /// Its place among the names of the instruction.
        place: u8,
    },
    /// A value of an enumeration.
    Enum(&'static Names),
    /// One bit, printed as this text when set.
    Flag(Literal),
    /// A letter for each bit, bit 0 first.
    Letters(&'static str),
}

/// How a number prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// `0x1f`
    Hex,
    /// `31`, with so many digits at least
    Dec(u8),
}

/// A field of a form.
#[derive(Debug)]
pub struct Field {
    /// Its name in the form: `rd`, or `b.r` for field `r` of operand `b`.
    pub path: &'static str,
    /// Where it is.
    pub bits: Ranges,
    /// What it means.
    pub kind: Kind,
    /// How it prints, if it is a number.
    pub radix: Radix,
    /// The value is all ones minus the bits.
    pub inverted: bool,
    /// The bits in the word.
    pub mask: u128,
    /// The largest value of the bits.
    pub most: u128,
}

impl Field {
    /// The value's bits: those of the word, or their inverse.
    pub fn raw(&self, word: u128) -> u128 {
        let raw = word::get(self.bits, word);
        if self.inverted { self.most - raw } else { raw }
    }

    /// The words with this value; none if it is wider than the field.
    #[inline]
    pub(crate) fn cube(&self, raw: u128) -> Option<Cube> {
        if raw > self.most {
            return None;
        }
        let raw = if self.inverted { self.most - raw } else { raw };
        let value = match self.bits {
            [(_, lo)] => raw << lo,
            split => word::place(split, raw),
        };
        Some(Cube { mask: self.mask, value })
    }
}

/// Values that take a word out of a form.
#[derive(Debug)]
pub struct Excluded {
    /// The words that are out.
    pub out: &'static [Cube],
    /// The field concerned; empty if it isn't one.
    pub field: &'static str,
    /// The reason.
    pub why: &'static str,
}

impl PartialEq for Excluded {
    fn eq(&self, other: &Self) -> bool {
        (self.field, self.why) == (other.field, other.why)
    }
}
impl Eq for Excluded {}

/// A rule that legal words of a form keep.
#[derive(Debug)]
pub struct Rule {
    /// The words that keep it.
    pub holds: &'static [Cube],
    /// The fields it is about.
    pub fields: &'static [&'static str],
    /// The rule as a person reads it.
    pub why: &'static str,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        (self.fields, self.why) == (other.fields, other.why)
    }
}
impl Eq for Rule {}

/// How a text that is known to be wrong begins, and what is wrong with it.
#[derive(Debug)]
pub struct Refused {
    /// Its beginning.
    pub begins: &'static [Op],
    /// The reason.
    pub why: &'static str,
}

/// Words that are known to be something, and are no instruction here.
#[derive(Debug, PartialEq, Eq)]
pub struct Hole {
    /// Its name.
    pub name: &'static str,
    /// What they are.
    pub summary: &'static str,
    /// Bits of the words.
    pub length: u16,
    /// The bits that they have alike.
    pub mask: u128,
    /// Their values.
    pub value: u128,
}

/// A form, for everything but decoding.
pub struct FormInfo {
    /// `IADD3.imm`.
    pub name: &'static str,
    /// The mnemonic of its instruction.
    pub mnemonic: &'static str,
    /// Its instruction, by number.
    pub insn: u16,
    /// Bits of the word.
    pub length: u16,
    /// The bits that are fixed, reserved ones included.
    pub mask: u128,
    /// Their values.
    pub value: u128,
    /// The bits that must be zero.
    pub reserved: u128,
    /// The word with every field at its default.
    pub default: u128,
    /// If its words are fewer than mask and value say, sets that all of its words are in.
    pub words: &'static [&'static [Cube]],
    /// What takes a word out of the form.
    pub excluded: &'static [&'static Excluded],
    /// What makes a word of the form illegal.
    pub rules: &'static [&'static Rule],
    /// Its fields, by their places in [`Tables::fields`].
    pub fields: &'static [u16],
    /// Those of them that are names.
    pub names: &'static [u16],
    /// Which alternatives it picks, as one number.
    pub pick: u16,
    /// For each choice of its instruction the bits of the fields of the alternative that it picks.
    pub slots: &'static [u128],
    /// The characters before its operands; what [`Op::Head`] in its text stands for.
    pub head: Op,
    /// Its text.
    pub text: &'static [Op],
    /// Texts that are read and never printed.
    pub also: &'static [&'static [Op]],
    /// Texts that are known to be wrong.
    pub refused: &'static [Refused],
    /// What `--full` adds.
    pub full: &'static [Op],
}

impl FormInfo {
    /// Whether the word belongs to the form, be it legal or not. (It may belong to a specialisation as well.)
    pub fn owns(&self, word: u128) -> bool {
        word & self.mask == self.value && self.exclusion(word).is_none()
    }

    fn exclusion(&self, word: u128) -> Option<&'static Excluded> {
        self.excluded.iter().copied().find(|e| e.out.iter().any(|c| c.contains(word)))
    }

    /// Whether a word of this form is legal.
    pub fn legal(&'static self, word: u128) -> Result<(), DecodeError> {
        match self.rules.iter().find(|r| !r.holds.iter().any(|c| c.contains(word))) {
            Some(rule) => Err(DecodeError::Rule { form: self, rule }),
            None => Ok(()),
        }
    }
}

/// Goes from one form of an instruction to another, where the alternative of one choice is another: what both have stays, and
/// what only the new one has is at its default, as are the fields of the new alternative.
pub fn change(from: &FormInfo, to: &FormInfo, slot: usize, word: u128) -> u128 {
    let of_slot = |form: &FormInfo| form.slots.get(slot).copied().unwrap_or(0);
    let keep = !(from.mask | to.mask | of_slot(from) | of_slot(to));
    (word & keep) | (to.default & !keep)
}

impl PartialEq for FormInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
impl Eq for FormInfo {}

impl fmt::Debug for FormInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Everything about an instruction set that is needed outside the hot path.
#[derive(Debug)]
pub struct Tables {
    /// Its forms.
    pub forms: &'static [FormInfo],
    /// Words with a name and no form.
    pub holes: &'static [Hole],
    /// The fields of all forms; forms share equal ones.
    pub fields: &'static [Field],
    /// Sets of words that groups in texts depend on.
    pub sets: &'static [Set],
    /// For the matcher: words that instructions begin with, ascending, and the forms that have them in their text.
    pub mnemonics: &'static [(&'static str, &'static [u16])],
    /// The same by first character: [`initials`](crate::initials).
    pub initials: [u16; 129],
    /// The characters that are counted: [`lanes`](crate::lanes).
    pub lanes: [u64; 128],
    /// How often they stand in the texts of each form.
    pub limits: &'static [Limits],
}

impl Tables {
    /// What the word is when the row that the index names doesn't accept it: a form farther on in the chain, or none, and why.
    #[inline(never)]
    pub fn resolve<W: Word, F: Copy + Into<u16>>(
        &'static self,
        rows: &'static [Row<W, F>],
        first: u16,
        word: W,
        length: u32,
    ) -> Result<&'static Row<W, F>, DecodeError> {
        let mut at = first;
        while at != 0 {
            let row = &rows[usize::from(at)];
            let form = &self.forms[usize::from(row.form.into())];
            if form.owns(word.widen()) {
                return form.legal(word.widen()).map(|()| row);
            }
            at = row.next;
        }
        Err(self.explain(word.widen(), length))
    }

    /// Why a word of so many bits belongs to no form: by the form that it is nearest to.
    #[cold]
    pub fn explain(&'static self, word: u128, length: u32) -> DecodeError {
        if let Some(hole) = self.holes.iter().find(|h| u32::from(h.length) == length && word & h.mask == h.value) {
            return DecodeError::Hole(hole);
        }
        let forms = self.forms.iter().filter(|f| u32::from(f.length) == length);
        let differs = |form: &FormInfo| (word ^ form.value) & form.mask;
        // A set bit that should be zero is a smaller difference than any in the opcode.
        let distance = |form: &FormInfo| {
            let differs = differs(form);
            ((differs & !form.reserved).count_ones(), differs.count_ones())
        };
        let Some(form) = forms.min_by_key(|f| distance(f)) else {
            return DecodeError::NoOpcode { closest: None, differs: BitMask::new(0) };
        };
        let bits = differs(form);
        match form.exclusion(word) {
            Some(excluded) if bits == 0 => DecodeError::Value { form, excluded },
            _ if bits & !form.reserved == 0 => DecodeError::Reserved { form, bits: BitMask::new(bits) },
            _ => DecodeError::NoOpcode { closest: Some(form), differs: BitMask::new(bits) },
        }
    }

    /// `Name { rd: R1, … }`
    pub fn debug(&self, f: &mut fmt::Formatter<'_>, name: &str, form: u16, word: u128) -> fmt::Result {
        let mut out = f.debug_struct(name);
        for &i in self.forms[usize::from(form)].fields {
            let field = &self.fields[usize::from(i)];
            out.field(field.path, &Value { field, raw: field.raw(word) });
        }
        out.finish()
    }
}

impl Tables {
    /// Writes the text of a word, with these names for the numbers of registers that a program names.
    pub fn show<N: AsRef<str>>(&self, f: &mut fmt::Formatter<'_>, form: u16, word: u128, names: &[N]) -> fmt::Result {
        let form = &self.forms[usize::from(form)];
        self.show_ops(f, form, form.text, word, names)
    }

    fn show_ops<N: AsRef<str>>(
        &self,
        f: &mut fmt::Formatter<'_>,
        form: &FormInfo,
        ops: &[Op],
        word: u128,
        names: &[N],
    ) -> fmt::Result {
        for op in ops {
            match if let Op::Head = op { &form.head } else { op } {
                // The head is no head itself.
                Op::Head => {}
                Op::Text(text) => f.write_str(text.text())?,
                Op::Field(i) => {
                    let field = &self.fields[usize::from(*i)];
                    let raw = field.raw(word);
                    match field.kind {
                        Kind::Name { .. } => f.write_str(names.get(raw as usize).map_or("", AsRef::as_ref))?,
                        // With a format of its own: what is asked of the whole is not asked of its parts.
                        _ => write!(f, "{}", Shown { field, raw })?,
                    }
                }
                Op::Differs(group) if (word ^ group.default) & group.mask != 0 => {
                    self.show_ops(f, form, group.body, word, names)?;
                }
                Op::Holds(set, body) if self.sets[usize::from(*set)].contains(word) => {
                    self.show_ops(f, form, body, word, names)?;
                }
                Op::Differs(_) | Op::Holds(..) | Op::OneOf(_) => {}
            }
        }
        Ok(())
    }
}

/// The text of a field.
struct Shown {
    field: &'static Field,
    raw: u128,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = self.raw as u64;
        match self.field.kind {
            Kind::Register(of) | Kind::Name { of, .. } => of.show(f, raw),
            Kind::Enum(names) => names.show(f, raw),
            Kind::Flag(text) => f.write_str(if self.raw == 0 { "" } else { text.text() }),
            Kind::Letters(letters) => {
                (0..).zip(letters.chars()).try_for_each(|(i, c)| write!(f, "{}", if self.raw >> i & 1 == 1 { c } else { '-' }))
            }
            Kind::Int { shape, .. } => {
                let value = shape.value(self.raw);
                // The widest numbers without a sign are beyond i128.
                let is_negative = value < 0 && !shape.is_plain();
                let magnitude = if is_negative { value.unsigned_abs() } else { value as u128 };
                f.write_str(if is_negative { "-" } else { "" })?;
                match self.field.radix {
                    Radix::Hex => write!(f, "{magnitude:#x}"),
                    Radix::Dec(digits) => write!(f, "{magnitude:0digits$}", digits = usize::from(digits)),
                }
            }
        }
    }
}

/// The value of a field, for `Debug`.
struct Value {
    field: &'static Field,
    raw: u128,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.kind {
            Kind::Int { shape, .. } if shape.is_plain() => return fmt::Debug::fmt(&self.raw, f),
            Kind::Int { shape, .. } => return fmt::Debug::fmt(&shape.value(self.raw), f),
            Kind::Flag(_) => return fmt::Debug::fmt(&(self.raw != 0), f),
            Kind::Register(_) | Kind::Name { .. } | Kind::Enum(_) | Kind::Letters(_) => {}
        }
        let raw = self.raw as u64;
        let mut text = crate::TextBuf::<128>::new();
        text.append::<128>(|out| {
            let mut out = Cursor::new(out);
            match self.field.kind {
                Kind::Register(of) | Kind::Name { of, .. } => out.push_register(of, raw),
                Kind::Enum(names) => out.push_enum(names, raw),
                Kind::Letters(letters) => out.push_letters(raw, letters),
                Kind::Int { .. } | Kind::Flag(_) => {}
            }
            out.len()
        });
        // The empty text of a default would be nothing to look at.
        if text.as_bytes().is_empty() { write!(f, "{}", self.raw) } else { f.write_str(text.as_str()) }
    }
}
