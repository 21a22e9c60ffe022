//! Why a word, a value or a text was refused.
//!
//! Errors are small and made of references to tables: making one costs nothing on the way that succeeds.

use crate::form::{Excluded, FormInfo, Hole, Kind, Names, Rule, Tables};
use crate::parse::{Literal, Op};
use core::fmt;

/// A set of bits of a word; shown as ranges, high ones first: `91, 11..9`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BitMask([u64; 2]);

impl BitMask {
    /// The bits that are set in `word`.
    pub const fn new(word: u128) -> Self {
        Self([word as u64, (word >> 64) as u64])
    }

    /// The bits as a word.
    pub const fn get(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 64
    }
}

impl fmt::Display for BitMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.get();
        let mut separator = "";
        while rest != 0 {
            let hi = 127 - rest.leading_zeros();
            let run = (rest << (127 - hi)).leading_ones();
            let lo = hi + 1 - run;
            f.write_str(separator)?;
            if run == 1 {
                write!(f, "{hi}")?
            } else {
                write!(f, "{hi}..{lo}")?
            }
            rest = if lo == 0 { 0 } else { rest & ((1 << lo) - 1) };
            separator = ", ";
        }
        Ok(())
    }
}

impl fmt::Debug for BitMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a word is no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// No form has these fixed bits.
    NoOpcode {
        /// The form that differs in the fewest fixed bits, if there is any of this length.
        closest: Option<&'static FormInfo>,
        /// The fixed bits in which it differs.
        differs: BitMask,
    },
    /// The word has a name and no form.
    Hole(&'static Hole),
    /// Bits that must be zero are not.
    Reserved {
        /// The form that the word would be.
        form: &'static FormInfo,
        /// The bits that must be zero and are not.
        bits: BitMask,
    },
    /// A field has a value that is not allowed.
    Value {
        /// The form that the word would be.
        form: &'static FormInfo,
        /// The values, and why they are out.
        excluded: &'static Excluded,
    },
    /// A rule of the form is broken.
    Rule {
        /// The form.
        form: &'static FormInfo,
        /// The rule.
        rule: &'static Rule,
    },
    /// There are no words of this length.
    Length {
        /// The length that was asked for, in bits.
        bits: u32,
    },
    /// The word has bits beyond its length.
    TooLong {
        /// The length, in bits.
        bits: u32,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOpcode { closest: None, .. } => f.write_str("no such opcode"),
            Self::NoOpcode { closest: Some(form), differs } => {
                write!(f, "no such opcode; closest is {}, which differs in bits {differs}", form.name)
            }
            Self::Hole(hole) if hole.summary.is_empty() => write!(f, "{} is not described here", hole.name),
            Self::Hole(hole) => write!(f, "{} is not described here: {}", hole.name, hole.summary),
            Self::Reserved { form, bits } => write!(f, "{}: reserved bits {bits} are set", form.name),
            Self::Value { form, excluded } if excluded.field.is_empty() => write!(f, "{}: {}", form.name, excluded.why),
            Self::Value { form, excluded } => write!(f, "{}: {}: {}", form.name, excluded.field, excluded.why),
            Self::Rule { form, rule } => {
                write!(f, "{}: {}", form.name, rule.why)?;
                for (i, field) in rule.fields.iter().enumerate() {
                    write!(f, "{}{field}", if i == 0 { " (" } else { ", " })?;
                }
                if rule.fields.is_empty() { Ok(()) } else { f.write_str(")") }
            }
            Self::Length { bits } => write!(f, "no word has {bits} bits"),
            Self::TooLong { bits } => write!(f, "the word has more than {bits} bits"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// A number that a field can't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The number.
    pub value: i128,
    /// The least that the field holds.
    pub min: i128,
    /// The most that it holds.
    pub max: i128,
    /// It holds multiples of this, counted from `min`.
    pub step: i64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not one of {}..={}", self.value, self.min, self.max)?;
        if self.step.unsigned_abs() > 1 { write!(f, " in steps of {}", self.step.unsigned_abs()) } else { Ok(()) }
    }
}

/// With `{:#x}` in hexadecimal, as texts mostly have it.
impl fmt::LowerHex for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |n: i128| Hex { sign: if n < 0 { "-" } else { "" }, magnitude: n.unsigned_abs() };
        write!(f, "{} is not one of {}..={}", hex(self.value), hex(self.min), hex(self.max))?;
        if self.step.unsigned_abs() > 1 { write!(f, " in steps of {}", self.step.unsigned_abs()) } else { Ok(()) }
    }
}

struct Hex {
    sign: &'static str,
    magnitude: u128,
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:#x}", self.sign, self.magnitude)
    }
}

impl core::error::Error for OutOfRange {}

/// Why a typed instruction can't be made or changed like that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The word would be no instruction.
    Word(DecodeError),
    /// The word would be another instruction: a specialisation of this one.
    Other(&'static FormInfo),
    /// A value doesn't fit.
    Range(OutOfRange),
    /// The form doesn't have this field.
    Absent {
        /// The form.
        form: &'static FormInfo,
        /// The field.
        field: &'static str,
    },
    /// The instruction has no form with these alternatives together.
    NoForm {
        /// The instruction's mnemonic.
        mnemonic: &'static str,
    },
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(e) => e.fmt(f),
            Self::Other(form) => write!(f, "the word would be {}", form.name),
            Self::Range(e) => e.fmt(f),
            Self::Absent { form, field } => write!(f, "{} has no field {field}", form.name),
            Self::NoForm { mnemonic } => write!(f, "{mnemonic} has no form with these alternatives together"),
        }
    }
}

impl core::error::Error for Illegal {}

impl From<DecodeError> for Illegal {
    fn from(e: DecodeError) -> Self {
        Self::Word(e)
    }
}

impl From<OutOfRange> for Illegal {
    fn from(e: OutOfRange) -> Self {
        Self::Range(e)
    }
}

/// What a text should have had at some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// These characters.
    Text(&'static str),
    /// A register of this file.
    Register(&'static str),
    /// A text of this enumeration.
    Name(&'static Names),
    /// A number.
    Number,
    /// One letter or `-` for each bit of a set.
    Letters(&'static str),
    /// The end of the text.
    End,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(t) if t.trim().is_empty() => f.write_str("a blank"),
            Self::Text(t) => write!(f, "`{}`", t.trim()),
            Self::Register(file) => write!(f, "a register {file}"),
            Self::Name(names) => show_texts(f, names),
            Self::Number => f.write_str("a number"),
            Self::Letters(letters) => write!(f, "each of `{letters}`, or `-` in its place"),
            Self::End => f.write_str("the end"),
        }
    }
}

/// All texts of an enumeration, or where there are many, its name and some.
fn show_texts(f: &mut fmt::Formatter<'_>, names: &Names) -> fmt::Result {
    const FEW: usize = 8;
    let texts = || names.values.iter().map(|v| v.1).filter(|text| !text.is_empty());
    let is_few = texts().nth(FEW).is_none();
    if !is_few || texts().next().is_none() {
        write!(f, "{}", names.name)?;
    }
    let shown = if is_few { FEW } else { 3 };
    for (i, text) in texts().take(shown).enumerate() {
        let before = if i > 0 {
            ", "
        } else if is_few {
            ""
        } else {
            " ("
        };
        write!(f, "{before}`{text}`")?;
    }
    if is_few { Ok(()) } else { f.write_str(", …)") }
}

/// A reason that says more than what else could have stood there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason {
    /// The number, counted from the origin, doesn't fit the field; in two halves, which keeps the error small.
    Range { field: u16, number: [u64; 2], origin: i64 },
    /// The word that the text makes is refused.
    Word(DecodeError),
    /// Texts like this are known to be wrong.
    Refused(&'static str),
}

/// Why a text is no instruction: the place up to which it made sense, and what would have gone on there.
#[derive(Clone, Copy)]
pub struct ParseError {
    /// Byte offset in the text.
    pub at: usize,
    tables: &'static Tables,
    reason: Option<Reason>,
    /// What could have stood there: pieces of templates; [`END`] for the end.
    expected: [Option<&'static Op>; 6],
    more: bool,
}

/// Stands for the end of the text.
pub(crate) static END: Op = Op::Text(Literal::new(""));

impl ParseError {
    pub(crate) fn new(tables: &'static Tables) -> Self {
        Self { at: 0, tables, reason: None, expected: [None; 6], more: false }
    }

    /// What would have gone on at that place.
    pub fn expected(&self) -> impl Iterator<Item = Expected> {
        self.expected.iter().flatten().map(|op| match op {
            Op::Field(i) => match self.tables.fields[usize::from(*i)].kind {
                Kind::Int { .. } => Expected::Number,
                Kind::Register(of) | Kind::Name { of, .. } => Expected::Register(of.name),
                Kind::Enum(names) => Expected::Name(names),
                Kind::Flag(text) => Expected::Text(text.text()),
                Kind::Letters(letters) => Expected::Letters(letters),
            },
            Op::Text(text) if !text.text().is_empty() => Expected::Text(text.text()),
            _ => Expected::End,
        })
    }

    /// For a number that doesn't fit: what would.
    pub fn out_of_range(&self) -> Option<OutOfRange> {
        let Some(Reason::Range { field, number: [low, high], origin }) = self.reason else {
            return None;
        };
        let Kind::Int { shape, .. } = self.tables.fields[usize::from(field)].kind else {
            return None;
        };
        let from_here = shape.raw((u128::from(high) << 64 | u128::from(low)) as i128).err()?;
        // A target is said, and therefore limited, as an address.
        let absolute = |n: i128| n.saturating_add(origin.into());
        let OutOfRange { value, min, max, step } = from_here;
        Some(OutOfRange { value: absolute(value), min: absolute(min), max: absolute(max), step })
    }

    /// For a text that makes a word which is refused: why.
    pub fn refused(&self) -> Option<DecodeError> {
        match self.reason {
            Some(Reason::Word(e)) => Some(e),
            _ => None,
        }
    }

    /// Notes that a text is known to be wrong, of which such a part ends at `end`; it is shown at `at`.
    pub(crate) fn refuse(&mut self, end: usize, at: usize, why: &'static str) {
        if end >= self.at {
            *self = Self { at, reason: Some(Reason::Refused(why)), ..Self::new(self.tables) };
        }
    }

    /// Only the farthest failures count: whether one at `at` does.
    fn counts(&mut self, at: usize) -> bool {
        if at > self.at {
            *self = Self { at, ..Self::new(self.tables) };
        }
        at == self.at
    }

    /// Notes what could have stood at a place.
    pub(crate) fn expect(&mut self, at: usize, op: &'static Op) {
        if !self.counts(at) {
            return;
        }
        for slot in &mut self.expected {
            match (&slot, op) {
                (None, _) => {
                    *slot = Some(op);
                    return;
                }
                (Some(Op::Text(a)), Op::Text(b)) if a.text() == b.text() => return,
                (Some(Op::Field(a)), Op::Field(b)) if a == b => return,
                _ => {}
            }
        }
        self.more = true;
    }

    /// Notes a reason at a place; the first one stays.
    pub(crate) fn because(&mut self, at: usize, reason: Reason) {
        if self.counts(at) && self.reason.is_none() {
            self.reason = Some(reason);
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: ", self.at)?;
        if let Some(e) = self.out_of_range() {
            return write!(f, "{e:#x}");
        }
        if let Some(e) = self.refused() {
            return e.fmt(f);
        }
        if let Some(Reason::Refused(why)) = self.reason {
            return f.write_str(why);
        }
        f.write_str("expected ")?;
        let count = self.expected().count();
        if count == 0 {
            return f.write_str("something else");
        }
        for (i, expected) in self.expected().enumerate() {
            let separator = match i {
                0 => "",
                _ if i + 1 == count && !self.more => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{expected}")?;
        }
        if self.more { f.write_str(" or something else") } else { Ok(()) }
    }
}

impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseError({self})")
    }
}

impl core::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;
    use std::string::ToString;

    #[test]
    fn bits_are_shown_as_ranges() {
        assert_eq!(BitMask::new(1 << 91 | 0xe00).to_string(), "91, 11..9");
        assert_eq!(BitMask::new(u128::MAX).to_string(), "127..0");
        assert_eq!(BitMask::new(1).to_string(), "0");
    }

    #[test]
    fn the_farthest_failure_stays() {
        static COMMA: Op = Op::Text(Literal::new(", "));
        static TABLES: Tables = Tables {
            forms: &[],
            fields: &[],
            sets: &[],
            mnemonics: &[],
            initials: [0; 129],
            lanes: [0; 128],
            limits: &[],
            holes: &[],
        };
        let mut e = ParseError::new(&TABLES);
        e.expect(3, &COMMA);
        e.expect(2, &END);
        e.expect(3, &END);
        e.expect(3, &COMMA);
        assert_eq!(e.to_string(), "at 3: expected `,` or the end");
        e.because(3, Reason::Word(DecodeError::Length { bits: 7 }));
        assert_eq!(e.to_string(), "at 3: no word has 7 bits");
    }
}
