//! Reasons why a word is not an instruction.

use crate::word::U256;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// The reason why a word is not an instruction. The names are those of an instruction set: of its model, or of its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why<'t> {
    /// The word does not have the length given.
    Length(Length),
    /// The first unit of the word begins no word.
    NoWord(NoWord<'t>),
    /// The word has a name but no form.
    Hole {
        /// The name.
        name: &'t str,
        /// A description of the words with this name, perhaps empty.
        summary: &'t str,
    },
    /// No form has the fixed bits of the word.
    Fixed {
        /// The form that the word comes closest to.
        closest: FormName<'t>,
        /// The bits that differ in that form.
        differences: Vec<Difference<'t>>,
    },
    /// Bits are set that must be zero; all others are right.
    Reserved {
        /// The form.
        form: FormName<'t>,
        /// The bits that are set, the highest first.
        bits: Ranges,
    },
    /// A field holds a value that the form does not have.
    Value {
        /// The form.
        form: FormName<'t>,
        /// The field.
        field: Held<'t>,
        /// The reason, as the specification gives it.
        why: &'t str,
    },
    /// The form does not have these words, for a reason that is not the value of one field.
    Excluded {
        /// The form.
        form: FormName<'t>,
        /// The reason, as the specification gives it.
        why: &'t str,
    },
    /// A rule of the word's form is broken.
    Rule {
        /// The form.
        form: FormName<'t>,
        /// The rule, as the specification words it.
        why: &'t str,
        /// The fields that it is about.
        fields: Vec<Held<'t>>,
    },
}

/// A length that words do not have, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Length {
    /// No word has this number of bits.
    Unknown {
        /// The length.
        bits: u32,
    },
    /// Bits beyond the length are set.
    TooShort {
        /// The length.
        bits: u32,
    },
    /// The first unit of the word determines another length.
    Other {
        /// The length.
        bits: u32,
        /// The length determined by the first unit.
        said: u32,
    },
    /// No form has this number of bits.
    Unused {
        /// The length.
        bits: u32,
    },
}

/// A first unit of a stream that begins no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoWord<'t> {
    /// The name of the region of first units that it is in, if it is in one, and its code there.
    pub region: Option<(&'t str, U256)>,
}

/// A form that a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormName<'t> {
    /// Its number, in declared order.
    pub number: u32,
    /// Its name.
    pub name: &'t str,
}

/// Ranges of bits, each with both ends, `(hi, lo)`; those of a field have the high part first.
pub type Ranges = Box<[(u8, u8)]>;

/// Bits of a word, with their value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held<'t> {
    /// The name of the field, or of fixed bits; empty for bits without a name.
    pub name: &'t str,
    /// Their places.
    pub ranges: Ranges,
    /// Their value as a number, the bits of the first range highest.
    pub value: U256,
}

/// Bits of a word that differ from those of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference<'t> {
    /// Their value in the word.
    pub held: Held<'t>,
    /// Their value in the form.
    pub fixed: U256,
}

impl<'t> Why<'t> {
    /// The form that the word comes closest to, or whose rule it breaks.
    pub fn form(&self) -> Option<FormName<'t>> {
        match self {
            Self::Length(_) | Self::NoWord(_) | Self::Hole { .. } => None,
            Self::Fixed { closest: form, .. }
            | Self::Reserved { form, .. }
            | Self::Value { form, .. }
            | Self::Excluded { form, .. }
            | Self::Rule { form, .. } => Some(*form),
        }
    }
}

impl fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => length.fmt(f),
            Self::NoWord(unit) => unit.fmt(f),
            Self::Hole { name, summary } => {
                write!(f, "{name} is not described here")?;
                if summary.is_empty() { Ok(()) } else { write!(f, ": {summary}") }
            }
            Self::Fixed { closest, differences } => {
                write!(f, "no such instruction; the closest is {}, but {}", closest.name, Listed(differences, ", "))
            }
            Self::Reserved { form, bits } => {
                let (noun, verb) = noun_and_verb(bits);
                write!(f, "{}: reserved {noun} {} {verb} set", form.name, Shown(bits, ", "))
            }
            Self::Value { form, field, why } => write!(f, "{}: {field}: {why}", form.name),
            Self::Excluded { form, why } => write!(f, "{}: {why}", form.name),
            Self::Rule { form, why, fields } => {
                write!(f, "{}: {why}", form.name)?;
                if fields.is_empty() { Ok(()) } else { write!(f, " ({})", Listed(fields, ", ")) }
            }
        }
    }
}

impl core::error::Error for Why<'_> {}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { bits } => write!(f, "no word has {bits} bits"),
            Self::TooShort { bits } => write!(f, "the word has more than {bits} bits"),
            Self::Other { bits, said } => write!(f, "a word that begins like this has {said} bits, not {bits}"),
            Self::Unused { bits } => write!(f, "no instruction has {bits} bits"),
        }
    }
}

impl fmt::Display for NoWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no word begins like this")?;
        self.region.map_or(Ok(()), |(region, code)| write!(f, ": `{region}` has {code:#x} free"))
    }
}

/// `` `name` 90..87 is 0x3 ``, and without a name `bit 3 is 0x1` or `bits 7..4 are 0x3`.
impl fmt::Display for Held<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = Shown(&self.ranges, ",");
        match self.name {
            "" => {
                let (noun, verb) = noun_and_verb(&self.ranges);
                write!(f, "{noun} {ranges} {verb} {:#x}", self.value)
            }
            name => write!(f, "`{name}` {ranges} is {:#x}", self.value),
        }
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, not {:#x}", self.held, self.fixed)
    }
}

/// `bit` and `is`, or `bits` and `are`.
fn noun_and_verb(ranges: &[(u8, u8)]) -> (&'static str, &'static str) {
    if matches!(ranges, [(hi, lo)] if hi == lo) { ("bit", "is") } else { ("bits", "are") }
}

/// Things with a text between them.
pub(super) struct Listed<'l, T>(pub(super) &'l [T], pub(super) &'static str);

impl<T: fmt::Display> fmt::Display for Listed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(i, item)| {
            f.write_str(if i > 0 { self.1 } else { "" })?;
            item.fmt(f)
        })
    }
}

/// Ranges of bits with a text between them: `59..34,21`.
pub(super) struct Shown<'l>(pub(super) &'l [(u8, u8)], pub(super) &'static str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(i, (hi, lo))| {
            f.write_str(if i > 0 { self.1 } else { "" })?;
            if hi == lo { hi.fmt(f) } else { write!(f, "{hi}..{lo}") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    fn held(name: &'static str, ranges: &[(u8, u8)], value: u32) -> Held<'static> {
        Held { name, ranges: ranges.into(), value: value.into() }
    }

    #[test]
    fn a_sentence_for_each_reason() {
        let form = FormName { number: 3, name: "add.x" };
        let rule = |fields| Why::Rule { form, why: "they differ", fields };
        let sentences = [
            (Why::Length(Length::Unknown { bits: 12 }), "no word has 12 bits"),
            (Why::Length(Length::TooShort { bits: 16 }), "the word has more than 16 bits"),
            (Why::Length(Length::Other { bits: 16, said: 32 }), "a word that begins like this has 32 bits, not 16"),
            (Why::Length(Length::Unused { bits: 16 }), "no instruction has 16 bits"),
            (Why::NoWord(NoWord { region: None }), "no word begins like this"),
            (Why::NoWord(NoWord { region: Some(("short", 0x1fu32.into())) }), "no word begins like this: `short` has 0x1f free"),
            (Why::Hole { name: "SUB", summary: "" }, "SUB is not described here"),
            (Why::Hole { name: "SUB", summary: "subtracts" }, "SUB is not described here: subtracts"),
            (Why::Reserved { form, bits: [(3, 3)].into() }, "add.x: reserved bit 3 is set"),
            (Why::Reserved { form, bits: [(7, 4), (1, 1)].into() }, "add.x: reserved bits 7..4, 1 are set"),
            (
                Why::Value { form, field: held("b", &[(9, 8), (3, 3)], 5), why: "it is negated" },
                "add.x: `b` 9..8,3 is 0x5: it is negated",
            ),
            (Why::Excluded { form, why: "it is a move" }, "add.x: it is a move"),
            (
                rule(vec![held("a", &[(7, 0)], 16), held("b", &[(8, 8)], 1)]),
                "add.x: they differ (`a` 7..0 is 0x10, `b` 8 is 0x1)",
            ),
            (rule(vec![]), "add.x: they differ"),
        ];
        for (why, sentence) in sentences {
            assert_eq!(why.to_string(), sentence);
        }
    }

    #[test]
    fn differences_of_fixed_bits() {
        let closest = FormName { number: 3, name: "add.x" };
        let differs = |held, fixed: u32| Difference { held, fixed: fixed.into() };
        let differences = vec![
            differs(held("opcode", &[(11, 8), (1, 0)], 2), 1),
            differs(held("", &[(3, 3)], 1), 0),
            differs(held("", &[(7, 4), (2, 2)], 0x1f), 3),
        ];
        let why = Why::Fixed { closest, differences };
        let sentence = "no such instruction; the closest is add.x, but `opcode` 11..8,1..0 is 0x2, not 0x1, bit 3 is 0x1, not 0x0, \
                        bits 7..4,2 are 0x1f, not 0x3";
        assert_eq!(why.to_string(), sentence);
        assert_eq!(why.form(), Some(closest));
        assert_eq!(Why::Length(Length::Unknown { bits: 12 }).form(), None);
    }
}
