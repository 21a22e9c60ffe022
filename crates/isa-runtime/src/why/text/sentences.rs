//! The sentences of faults.

use super::super::word::{Listed, Shown};
use super::{Expected, Many, ReadError, Texts, Wrong};
use crate::literal::NotNumber;
use alloc::vec::Vec;
use core::fmt;

impl fmt::Display for ReadError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wrong.fmt(f)
    }
}

impl core::error::Error for ReadError<'_> {}

impl fmt::Display for Wrong<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected { expected, after, found } => say_expected(expected, after, found, f),
            Self::NotCanonical => {
                f.write_str("the instruction is not printed like this; a part of the text belongs elsewhere or is left out")
            }
            Self::Printed { text } => write!(f, "the instruction with these values is written `{text}`"),
            Self::Taken { form, word, by, text, .. } => {
                write!(f, "this would be {word:#x}, which is `{text}`: `{by}` takes its words from `{form}`")
            }
            Self::Form { form, why } => write!(f, "{form}: {why}"),
            Self::Known(why) => f.write_str(why),
            Self::NoMnemonic => f.write_str("an instruction begins with its mnemonic"),
            Self::NoInstruction { word, near } => {
                write!(f, "there is no instruction `{word}`")?;
                near.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
            }
            Self::Word(why) => why.fmt(f),
            Self::Length { bits, said } => write!(f, "an instruction with this text has {said} bits, not {bits}"),
            Self::TooManyWays { form } => write!(f, "{form}: this text can be read in too many ways"),
            Self::NoType { form } => write!(f, "form {form} has no type"),
            Self::NoRegister { shown, last } => write!(f, "there is no `{shown}`: the last register is `{last}`"),
            Self::NoValue { shown, last } => write!(f, "`{shown}` is out of range: the last is {last}"),
            Self::NotOneOf { word, texts: Texts::Few(texts) } => {
                let quoted: Vec<Quoted<'_>> = texts.iter().map(|text| Quoted(text)).collect();
                write!(f, "`{word}` is not {}", Listed(&quoted, " or "))
            }
            Self::NotOneOf { word, texts: Texts::Many(many) } => write!(f, "`{word}` is no {many}"),
            Self::TooLarge { shown } => write!(f, "{shown} is too large"),
            Self::NoSuchFloat { shown, field } => write!(f, "{shown} is not a number of `{field}`"),
            Self::TooExact { shown, field } => write!(f, "{shown} has more digits than `{field}` can hold"),
            Self::NotOctal { shown } => {
                let (sign, digits) = without_zeros(shown);
                write!(f, "{shown} is not octal, as its leading 0 says: write {sign}{digits}")
            }
            Self::LeadingZero { shown, octal } => {
                let (sign, digits) = without_zeros(shown);
                write!(f, "{shown} begins with 0: write {sign}{digits}")?;
                octal.map_or(Ok(()), |n| write!(f, ", or {sign}{n:#x} if it is octal"))
            }
            Self::NoLabel { shown } => write!(f, "there is no label `{shown}`"),
            Self::NotMultiple { shown, scale, is_target: true, .. } => {
                write!(f, "the distance from here to {shown} is not a multiple of {scale}")
            }
            Self::NotMultiple { shown, scale, bias: 0, .. } => write!(f, "{shown} is not a multiple of {scale}"),
            Self::NotMultiple { shown, scale, bias, .. } => write!(f, "{shown} is not {bias} more than a multiple of {scale}"),
            Self::OutOfRange { shown, field, min, max, is_decimal } => {
                let [min, max] = [*min, *max].map(|number| Number { number, is_decimal: *is_decimal });
                write!(f, "{shown} is out of range: `{field}` takes {min} to {max}")
            }
            Self::NotListed { shown, field, around, is_decimal } => {
                let near = around.iter().flatten().map(|number| Number { number: *number, is_decimal: *is_decimal });
                let near: Vec<Number> = near.collect();
                let noun = if near.len() == 1 { "the nearest number is" } else { "the nearest are" };
                write!(f, "{shown} is not a number of `{field}`: {noun} {}", Listed(&near, " and "))
            }
            Self::NotEntry { entry } => write!(f, "`{entry}` is not `name=value`"),
            Self::NotNumber { shown } => NotNumber::Other { text: shown, is_signed: false }.fmt(f),
            Self::NoField { form, name } => write!(f, "{form} has no field `{name}`"),
            Self::NoRoom { value, ranges } => write!(f, "{value:#x} does not fit into bits {}", Shown(ranges, ",")),
        }
    }
}

fn say_expected(expected: &[Expected], after: &str, found: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("expected ")?;
    if let Some((last, rest)) = expected.split_last() {
        let or = if rest.is_empty() { "" } else { " or " };
        write!(f, "{}{or}{last}", Listed(rest, ", "))?;
    }
    if !after.is_empty() {
        write!(f, " after `{after}`")?;
    }
    match found {
        "" => f.write_str(", found the end"),
        " " | "\t" => f.write_str(", found a blank"),
        found => {
            write!(f, ", found `{found}`")?;
            let is_name = found.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            match is_name && expected.contains(&Expected::Number) {
                true => write!(f, "; there is no label `{found}`, and the number is not a target"),
                false => Ok(()),
            }
        }
    }
}

/// The sign and the digits of a number, without the zeros that it begins with.
fn without_zeros(shown: &str) -> (&'static str, &str) {
    (if shown.starts_with('-') { "-" } else { "" }, shown.trim_start_matches(['-', '+', '0']))
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => Quoted(text).fmt(f),
            Self::Blank => f.write_str("a blank"),
            Self::End => f.write_str("the end"),
            Self::Number => f.write_str("a number"),
            Self::EndOfNumber => f.write_str("the end of the number"),
            Self::Address => f.write_str("an address or a label"),
            Self::Register(file) => write!(f, "a register {file}"),
            Self::Letters(letters) => write!(f, "`{letters}` with `-` for what is clear"),
            Self::OneOf(many) => many.fmt(f),
        }
    }
}

/// ``Mask (`.b0`, `.b1`, `.b10`, …)``
impl fmt::Display for Many {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<Quoted<'_>> = self.first.iter().map(|text| Quoted(text)).collect();
        write!(f, "{} ({}, …)", self.name, Listed(&quoted, ", "))
    }
}

struct Quoted<'q>(&'q str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

/// A number in the radix of its field.
struct Number {
    number: i128,
    is_decimal: bool,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, is_decimal } = *self;
        match is_decimal {
            true => number.fmt(f),
            false => write!(f, "{}{:#x}", if number < 0 { "-" } else { "" }, number.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::Why;
    use alloc::borrow::ToOwned;
    use alloc::boxed::Box;
    use alloc::string::ToString as _;

    #[test]
    fn a_sentence_for_each_fault() {
        let own = ToOwned::to_owned;
        let range = |min, max, is_decimal| Wrong::OutOfRange { shown: own("-9"), field: own("imm"), min, max, is_decimal };
        let multiple = |bias, is_target| Wrong::NotMultiple { shown: own("0x7"), scale: 4, bias, is_target };
        let zero = |shown: &str, octal| Wrong::LeadingZero { shown: shown.to_owned(), octal };
        let near = Some(own("add"));
        let sentences = [
            (
                Wrong::Taken { form: own("li"), word: 0x12u32.into(), bits: 8, by: own("add"), text: own("add r1") },
                "this would be 0x12, which is `add r1`: `add` takes its words from `li`",
            ),
            (Wrong::Printed { text: own("inc r1") }, "the instruction with these values is written `inc r1`"),
            (Wrong::Form { form: own("add.x"), why: own("they differ") }, "add.x: they differ"),
            (Wrong::Known("there is no fast form"), "there is no fast form"),
            (Wrong::NoInstruction { word: own("ad"), near }, "there is no instruction `ad`; did you mean `add`?"),
            (Wrong::Word(Box::new(Why::Hole { name: "SUB", summary: "" })), "SUB is not described here"),
            (Wrong::Length { bits: 16, said: 32 }, "an instruction with this text has 32 bits, not 16"),
            (Wrong::TooManyWays { form: "add" }, "add: this text can be read in too many ways"),
            (Wrong::NoRegister { shown: own("r9"), last: own("r7") }, "there is no `r9`: the last register is `r7`"),
            (Wrong::NoValue { shown: own("SR256"), last: own("SR255") }, "`SR256` is out of range: the last is SR255"),
            (Wrong::TooLarge { shown: own("1e99") }, "1e99 is too large"),
            (Wrong::NoSuchFloat { shown: own("0.3"), field: own("imm") }, "0.3 is not a number of `imm`"),
            (Wrong::TooExact { shown: own("1.1"), field: own("imm") }, "1.1 has more digits than `imm` can hold"),
            (Wrong::NotOctal { shown: own("-09") }, "-09 is not octal, as its leading 0 says: write -9"),
            (zero("-010", Some(8)), "-010 begins with 0: write -10, or -0x8 if it is octal"),
            (zero("09", None), "09 begins with 0: write 9"),
            (Wrong::NoLabel { shown: own("loop") }, "there is no label `loop`"),
            (multiple(1, true), "the distance from here to 0x7 is not a multiple of 4"),
            (multiple(0, false), "0x7 is not a multiple of 4"),
            (multiple(1, false), "0x7 is not 1 more than a multiple of 4"),
            (range(-8, 16, true), "-9 is out of range: `imm` takes -8 to 16"),
            (range(-8, 16, false), "-9 is out of range: `imm` takes -0x8 to 0x10"),
            (Wrong::NotEntry { entry: own("x") }, "`x` is not `name=value`"),
            (Wrong::NotNumber { shown: own("x") }, "`x` is not a number: 10, 0x1f, 0b101, 0o17 and 1_000 are"),
            (Wrong::NoField { form: own("add"), name: own("x") }, "add has no field `x`"),
            (Wrong::NoRoom { value: 31u32.into(), ranges: [(7, 6), (1, 0)].into() }, "0x1f does not fit into bits 7..6,1..0"),
        ];
        for (wrong, sentence) in sentences {
            assert_eq!(wrong.to_string(), sentence);
        }
        let others = [
            (Expected::EndOfNumber, "the end of the number"),
            (Expected::Address, "an address or a label"),
            (Expected::Letters(own("YW")), "`YW` with `-` for what is clear"),
        ];
        for (expected, sentence) in others {
            assert_eq!(expected.to_string(), sentence);
        }
    }
}
