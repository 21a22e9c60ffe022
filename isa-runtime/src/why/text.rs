//! Why a text is not an instruction.

use super::word::{Listed, Shown};
use super::{Ranges, Why};
use crate::word::U256;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Why a text is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError<'t> {
    /// Byte of the text.
    pub at: usize,
    /// The fault there.
    pub wrong: Wrong<'t>,
}

/// The fault of a text. Parts of the text are as it has them, in `shown`, `word`, `entry`, `found` and `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong<'t> {
    /// Something else was expected.
    Expected {
        /// What could have been there, by the sentences that say it.
        expected: Vec<Expected>,
        /// The word before, if it may be at fault: it is too long, or should go on.
        after: String,
        /// What is there; empty at the end of the text.
        found: String,
    },
    /// Each part can be read, and no word prints all of them together.
    NotCanonical,
    /// No word of the form has what the text says.
    Form {
        /// The name of the form.
        form: String,
        /// The rule that is broken, or the reason why the form lacks such words.
        why: String,
    },
    /// It begins in a way that the specification declares to be wrong.
    Known(&'t str),
    /// There is no mnemonic.
    NoMnemonic,
    /// No instruction has this mnemonic.
    NoInstruction {
        /// The mnemonic.
        word: String,
        /// One that is much like it.
        near: Option<String>,
    },
    /// The word that it says is not an instruction, or its name is that of a hole.
    Word(Box<Why<'t>>),
    /// It is an instruction of another length.
    Length {
        /// The length that was asked for, in bits.
        bits: u32,
        /// The length of the instruction.
        said: u32,
    },
    /// It can be read in so many ways that it was given up.
    TooManyWays {
        /// The name of the form.
        form: &'t str,
    },
    /// The form of the instruction has no type in the generated module.
    NoType {
        /// The number of the form.
        form: u32,
    },
    /// A register file has no such number.
    NoRegister {
        /// The register.
        shown: String,
        /// The last one that a field can name.
        last: String,
    },
    /// A number that stands for a value without a name has too many bits.
    NoValue {
        /// The text of the value.
        shown: String,
        /// The last one that a field can hold.
        last: String,
    },
    /// A word begins like a text of an enumeration, and goes on otherwise.
    NotOneOf {
        /// The word.
        word: String,
        /// The texts.
        texts: Texts,
    },
    /// No field holds such a number.
    TooLarge {
        /// The number.
        shown: String,
    },
    /// A floating-point number has more digits than a field holds.
    TooExact {
        /// The number.
        shown: String,
        /// The name of the field.
        field: String,
    },
    /// A number begins with `0`, and its digits are not octal.
    NotOctal {
        /// The number.
        shown: String,
    },
    /// A number begins with `0`, and the instruction set has no octal numbers.
    LeadingZero {
        /// The number.
        shown: String,
        /// Its magnitude if it is octal.
        octal: Option<u128>,
    },
    /// A name is not that of a label.
    NoLabel {
        /// The name.
        shown: String,
    },
    /// A number is not `bias` more than a multiple of `scale`.
    NotMultiple {
        /// The number.
        shown: String,
        /// The factor.
        scale: i128,
        /// What is added to a multiple.
        bias: i128,
        /// Whether multiples are counted from the address of the instruction.
        is_target: bool,
    },
    /// A number is out of the range of a field.
    OutOfRange {
        /// The number.
        shown: String,
        /// The name of the field.
        field: String,
        /// The least number of the field.
        min: i128,
        /// The greatest number of the field.
        max: i128,
        /// Whether the field prints decimal numbers; hexadecimal ones otherwise.
        is_decimal: bool,
    },
    /// In the braces of a full text: not a name and a value.
    NotEntry {
        /// What is there.
        entry: String,
    },
    /// In the braces of a full text: not a number.
    NotNumber {
        /// What is there.
        shown: String,
    },
    /// In the braces of a full text: neither a field of the form nor bits.
    NoField {
        /// The name of the form.
        form: String,
        /// What is there.
        name: String,
    },
    /// In the braces of a full text: a value with too many bits, or bits that the word does not have.
    NoRoom {
        /// The value.
        value: U256,
        /// The bits.
        ranges: Ranges,
    },
}

/// What could stand at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// These characters.
    Text(String),
    /// A blank.
    Blank,
    /// The end of the text.
    End,
    /// A number.
    Number,
    /// The end of a number.
    EndOfNumber,
    /// An address, or the name of a label.
    Address,
    /// A register of the file of this name.
    Register(String),
    /// Letters, any of which can be replaced by `-`.
    Letters(String),
    /// One of many texts.
    OneOf(Many),
}

/// The texts of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Texts {
    /// All of them.
    Few(Vec<String>),
    /// Some of them.
    Many(Many),
}

/// An enumeration with more texts than a message lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Many {
    /// Its name.
    pub name: String,
    /// Its first texts.
    pub first: Vec<String>,
}

/// A number that a field does not have.
#[derive(Clone, Debug)]
pub struct WrongNumber {
    /// Its place in the text.
    pub at: Range<usize>,
    /// The nearest one that the field has.
    pub nearest: i128,
    /// The distance between the least and the greatest one.
    pub span: u128,
    /// What is said of it.
    pub wrong: Wrong<'static>,
}

/// The failures of a text that are farthest to the right, of all ways to read it that were tried.
#[derive(Clone, Debug, Default)]
pub struct Farthest {
    /// Where they count.
    pub reached: usize,
    /// Where they are shown.
    at: usize,
    /// What was expected there.
    expected: Vec<Expected>,
    /// What is wrong there: worth more than what was expected.
    fault: Option<Wrong<'static>>,
    /// Numbers that a field does not have, wherever they are.
    pub numbers: Vec<WrongNumber>,
}

/// Up to so many texts are all listed.
const FEW: usize = 8;

/// So many of more texts are listed.
const FIRST: usize = 3;

impl Farthest {
    /// Something was expected, or `None` if there is nothing to be said about it.
    pub fn fail(&mut self, at: usize, expected: Option<Expected>) {
        if at > self.reached {
            (self.reached, self.at, self.fault) = (at, at, None);
            self.expected.clear();
        }
        if let Some(expected) = expected.filter(|expected| at == self.reached && !self.expected.contains(expected)) {
            self.expected.push(expected);
        }
    }

    /// No text of an enumeration is there.
    pub fn fail_texts(&mut self, at: usize, texts: Texts) {
        match texts {
            Texts::Few(texts) => texts.into_iter().for_each(|text| self.fail(at, Some(Expected::Text(text)))),
            Texts::Many(many) => self.fail(at, Some(Expected::OneOf(many))),
        }
    }

    /// A value that can be read from here to there is wrong.
    pub fn wrong(&mut self, from: usize, to: usize, wrong: Wrong<'static>) {
        if to >= self.reached {
            (self.reached, self.at, self.fault) = (to, from, Some(wrong));
            self.expected.clear();
        }
    }

    /// Both, where the other comes from a way that was tried later.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        if self.reached != other.reached {
            return if self.reached > other.reached { self } else { other };
        }
        self.expected.extend(other.expected);
        self.fault = self.fault.or(other.fault);
        self
    }

    /// The error of a text; `unknown` is what would be said of its mnemonic.
    pub fn error<'t>(self, text: &str, unknown: impl FnOnce() -> ReadError<'t>) -> ReadError<'t> {
        let Self { at, mut expected, fault, .. } = self;
        if let Some(wrong) = fault {
            return ReadError { at, wrong };
        }
        expected.sort_by_cached_key(|expected| expected.to_string());
        expected.dedup();
        // Where the mnemonic is to stand, its name helps more than a long list of what could follow there; and so it does in the
        // middle of it, and behind it if only a longer word would do.
        let (begin, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        let says_more = rest.starts_with(is_word) || expected.len() > FEW;
        let is_cut = begin.ends_with(is_word) && expected.iter().all(Expected::begins_word);
        let is_meant = |unknown: &ReadError<'_>| {
            let word = text.get(unknown.at..).unwrap_or("").chars().take_while(|c| is_word(*c)).count();
            (unknown.at == at && says_more)
                || (unknown.at < at && at < unknown.at + word)
                || (at == unknown.at + word && word > 0 && is_cut)
        };
        Some(unknown()).filter(is_meant).unwrap_or_else(|| ReadError { at, wrong: Wrong::expected(text, at, expected) })
    }
}

impl Texts {
    /// The texts that an enumeration prints; its name where it prints none.
    pub fn new<'e>(name: &str, printed: impl Iterator<Item = &'e str>) -> Self {
        let mut texts: Vec<String> = printed.filter(|text| !text.is_empty()).map(ToOwned::to_owned).collect();
        match texts.len() {
            0 => Self::Few([name.to_owned()].into()),
            1..=FEW => Self::Few(texts),
            _ => {
                texts.truncate(FIRST);
                Self::Many(Many { name: name.to_owned(), first: texts })
            }
        }
    }
}

impl Expected {
    /// Whether it begins with a character of a word.
    fn begins_word(&self) -> bool {
        matches!(self, Self::Text(text) | Self::Letters(text) if text.starts_with(is_word))
    }
}

impl Wrong<'_> {
    fn expected(text: &str, at: usize, expected: Vec<Expected>) -> Self {
        if expected.is_empty() {
            return Self::NotCanonical;
        }
        let found = text.get(word_at(text, at)).unwrap_or("");
        let before = text.get(word_before(text, at)..at).unwrap_or("");
        let goes_on = found.starts_with(is_word) || expected.iter().any(Expected::begins_word);
        Self::Expected { expected, after: if goes_on { before.to_owned() } else { String::new() }, found: found.to_owned() }
    }
}

/// Whether a word has this character.
pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The word that begins there, with the mark before it, or else the character.
pub fn word_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return at..at };
    let mark = usize::from(".@$%-".contains(first));
    let word = rest.chars().skip(mark).take_while(|c| is_word(*c)).count();
    at..at + (mark + word).max(first.len_utf8())
}

/// Where the word begins, with the mark before it, that goes up to there.
pub fn word_before(text: &str, at: usize) -> usize {
    let begin = text.get(..at).unwrap_or("").trim_end_matches(is_word);
    if begin.ends_with(['.', '@', '$', '%']) { begin.len() - 1 } else { begin.len() }
}

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
            Self::NoRegister { shown, last } => write!(f, "there is no `{shown}`: the last is `{last}`"),
            Self::NoValue { shown, last } => write!(f, "`{shown}` is out of range: the last is {last}"),
            Self::NotOneOf { word, texts: Texts::Few(texts) } => {
                let quoted: Vec<Quoted<'_>> = texts.iter().map(|text| Quoted(text)).collect();
                write!(f, "`{word}` is not {}", Listed(&quoted, " or "))
            }
            Self::NotOneOf { word, texts: Texts::Many(many) } => write!(f, "`{word}` is no {many}"),
            Self::TooLarge { shown } => write!(f, "{shown} is too large"),
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
                write!(f, "{shown} is not a multiple of {scale} away from here")
            }
            Self::NotMultiple { shown, scale, bias: 0, .. } => write!(f, "{shown} is not a multiple of {scale}"),
            Self::NotMultiple { shown, scale, bias, .. } => write!(f, "{shown} is not {bias} more than a multiple of {scale}"),
            Self::OutOfRange { shown, field, min, max, is_decimal } => {
                let [min, max] = [*min, *max].map(|number| Number { number, is_decimal: *is_decimal });
                write!(f, "{shown} is out of range: `{field}` takes {min} to {max}")
            }
            Self::NotEntry { entry } => write!(f, "`{entry}` is not `name=value`"),
            Self::NotNumber { shown } => write!(f, "`{shown}` is not a number"),
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
    use alloc::vec;

    fn text(text: &str) -> Expected {
        Expected::Text(text.to_owned())
    }

    fn unknown<'t>(at: usize, word: &str) -> ReadError<'t> {
        ReadError { at, wrong: Wrong::NoInstruction { word: word.to_owned(), near: None } }
    }

    fn error(farthest: Farthest, of: &str) -> (usize, String) {
        let error = farthest.error(of, || unknown(0, "ad"));
        (error.at, error.to_string())
    }

    #[test]
    fn what_was_expected_is_listed_in_order() {
        let mut farthest = Farthest::default();
        farthest.fail(2, Some(text("no more")));
        for expected in [Expected::Register("R".to_owned()), text(","), Expected::End, text(","), Expected::Number] {
            farthest.fail(4, Some(expected));
        }
        farthest.fail(3, Some(Expected::Blank));
        let sentence =
            "expected `,`, a number, a register R or the end, found `x`; there is no label `x`, and the number is not a target";
        assert_eq!(error(farthest.clone(), "add x"), (4, sentence.to_owned()));
        let wrong = Farthest { fault: Some(Wrong::NotCanonical), ..farthest.clone() };
        let sentence = "the instruction is not printed like this; a part of the text belongs elsewhere or is left out";
        assert_eq!(error(farthest.clone().and(wrong), "add x"), (4, sentence.to_owned()));
        // What is farther to the left does not count.
        let mut left = Farthest::default();
        left.wrong(0, 3, Wrong::NoMnemonic);
        assert_eq!(error(left.clone().and(farthest.clone()), "add x").0, 4);
        farthest.wrong(3, 4, Wrong::NoMnemonic);
        assert_eq!(error(left.and(farthest), "add x"), (3, "an instruction begins with its mnemonic".to_owned()));
    }

    #[test]
    fn the_mnemonic_is_named_where_it_is_meant() {
        let at = |at, expected| {
            let mut farthest = Farthest::default();
            farthest.fail(at, Some(expected));
            farthest
        };
        let is_unknown = |of, farthest: Farthest| error(farthest, of).1 == "there is no instruction `ad`";
        assert!(is_unknown("ad r1", at(0, text("add"))));
        assert!(is_unknown("ad r1", at(1, text("dd"))));
        assert!(is_unknown("ad r1", at(2, text("d"))));
        assert_eq!(error(at(2, text(",")), "ad r1").1, "expected `,`, found a blank");
        assert_eq!(error(at(2, text(".x")), "ad").1, "expected `.x`, found the end");
        assert_eq!(error(at(5, text("1")), "ad r1").1, "expected `1` after `r1`, found the end");
        assert_eq!(error(at(2, Expected::Blank), "ad-1").1, "expected a blank, found `-1`");
    }

    #[test]
    fn texts_of_enumerations() {
        let many = |count: usize| {
            let all: Vec<String> = (0..count).map(|i| alloc::format!(".b{i}")).collect();
            Texts::new("Mask", all.iter().map(String::as_str).chain([""]))
        };
        let not = |texts| Wrong::NotOneOf { word: ".b99".to_owned(), texts }.to_string();
        assert_eq!(many(0), Texts::Few(vec!["Mask".to_owned()]));
        assert_eq!(not(many(2)), "`.b99` is not `.b0` or `.b1`");
        assert_eq!(not(many(8)).matches(" or ").count(), 7);
        assert_eq!(not(many(9)), "`.b99` is no Mask (`.b0`, `.b1`, `.b2`, …)");
        let mut farthest = Farthest::default();
        farthest.fail_texts(3, many(2));
        farthest.fail_texts(3, many(9));
        assert_eq!(error(farthest, "add.").1, "expected Mask (`.b0`, `.b1`, `.b2`, …), `.b0` or `.b1`, found `.`");
    }

    #[test]
    fn a_sentence_for_each_fault() {
        let own = ToOwned::to_owned;
        let range = |min, max, is_decimal| Wrong::OutOfRange { shown: own("-9"), field: own("imm"), min, max, is_decimal };
        let multiple = |bias, is_target| Wrong::NotMultiple { shown: own("0x7"), scale: 4, bias, is_target };
        let zero = |shown: &str, octal| Wrong::LeadingZero { shown: shown.to_owned(), octal };
        let near = Some(own("add"));
        let sentences = [
            (Wrong::Form { form: own("add.x"), why: own("they differ") }, "add.x: they differ"),
            (Wrong::Known("there is no fast form"), "there is no fast form"),
            (Wrong::NoInstruction { word: own("ad"), near }, "there is no instruction `ad`; did you mean `add`?"),
            (Wrong::Word(Box::new(Why::Hole { name: "SUB", summary: "" })), "SUB is not described here"),
            (Wrong::Length { bits: 16, said: 32 }, "an instruction with this text has 32 bits, not 16"),
            (Wrong::TooManyWays { form: "add" }, "add: this text can be read in too many ways"),
            (Wrong::NoRegister { shown: own("r9"), last: own("r7") }, "there is no `r9`: the last is `r7`"),
            (Wrong::NoValue { shown: own("SR256"), last: own("SR255") }, "`SR256` is out of range: the last is SR255"),
            (Wrong::TooLarge { shown: own("1e99") }, "1e99 is too large"),
            (Wrong::TooExact { shown: own("1.1"), field: own("imm") }, "1.1 has more digits than `imm` can hold"),
            (Wrong::NotOctal { shown: own("-09") }, "-09 is not octal, as its leading 0 says: write -9"),
            (zero("-010", Some(8)), "-010 begins with 0: write -10, or -0x8 if it is octal"),
            (zero("09", None), "09 begins with 0: write 9"),
            (Wrong::NoLabel { shown: own("loop") }, "there is no label `loop`"),
            (multiple(1, true), "0x7 is not a multiple of 4 away from here"),
            (multiple(0, false), "0x7 is not a multiple of 4"),
            (multiple(1, false), "0x7 is not 1 more than a multiple of 4"),
            (range(-8, 16, true), "-9 is out of range: `imm` takes -8 to 16"),
            (range(-8, 16, false), "-9 is out of range: `imm` takes -0x8 to 0x10"),
            (Wrong::NotEntry { entry: own("x") }, "`x` is not `name=value`"),
            (Wrong::NotNumber { shown: own("x") }, "`x` is not a number"),
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

    #[test]
    fn words_and_their_marks() {
        assert_eq!((word_at("a .b1,", 2), word_at("é1", 0), word_at("a", 1)), (2..5, 0..2, 1..1));
        assert_eq!((word_at("a", 9), word_before("a", 9)), (9..9, 0));
        assert_eq!((word_before("a .b1", 5), word_before("a b1", 4), word_before("a ", 2)), (2, 2, 2));
    }
}
