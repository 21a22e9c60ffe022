//! A small spec as plain data.

use super::text::quoted;

/// Its name, its parameters with whether each can be missing, and what it is made of.
pub(crate) type Operand = (String, Vec<(&'static str, bool)>, Part);
/// Its name, its parameters, and its alternatives.
pub(crate) type Choice = (String, Vec<&'static str>, Vec<(String, Part)>);

/// A word of at most 24 bits.
pub(crate) type Word = u32;

/// Ranges of bits, the high part first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges(pub(crate) Vec<(u32, u32)>);

impl Ranges {
    pub(crate) fn width(&self) -> u32 {
        self.0.iter().map(|(hi, lo)| hi - lo + 1).sum()
    }

    pub(crate) fn mask(&self) -> Word {
        self.place(Word::MAX)
    }

    /// The bits of the word, put together.
    pub(crate) fn get(&self, word: Word) -> Word {
        self.0.iter().fold(0, |raw, (hi, lo)| raw << (hi - lo + 1) | word >> lo & ((1 << (hi - lo + 1)) - 1))
    }

    /// A value where the bits are.
    pub(crate) fn place(&self, mut raw: Word) -> Word {
        self.0.iter().rev().fold(0, |word, (hi, lo)| {
            let low = raw & ((1 << (hi - lo + 1)) - 1);
            raw >>= hi - lo + 1;
            word | low << lo
        })
    }

    pub(super) fn show(&self, between: &str) -> String {
        let one = |(hi, lo): &(u32, u32)| if hi == lo { hi.to_string() } else { format!("{hi}..{lo}") };
        self.0.iter().map(one).collect::<Vec<_>>().join(between)
    }
}

/// The place of a field of a shared piece: these bits, or those that a parameter gives.
#[derive(Clone, Debug)]
pub(crate) enum At {
    Here(Ranges),
    Param(&'static str),
}

impl At {
    pub(super) fn show(&self, between: &str) -> String {
        match self {
            At::Here(ranges) => ranges.show(between),
            At::Param(name) => format!("${name}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Radix {
    Hex,
    Dec,
    /// Decimal, padded with zeros to this number of digits.
    Padded(u8),
    /// Hexadecimal, in the same manner.
    PaddedHex(u8),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// With a `target`, the printed number is the sum of the address of the word and the first number of `target`, without the
    /// low bits whose number is the second.
    Int {
        signed: bool,
        scale: i64,
        bias: i64,
        wraps: bool,
        /// Shown modulo two to this power.
        modulo: Option<u32>,
        radix: Option<Radix>,
        target: Option<(i64, u32)>,
    },
    /// The high bits of a floating-point number of this width.
    Float(u32),
    /// A number by a code.
    Code(usize, Option<Radix>),
    Register(usize),
    Enum(usize),
    Flag(String),
    Bitset(String),
}

/// A code: the numbers of some bits.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) name: String,
    /// The number of each value of the bits, if it has one.
    pub(crate) numbers: Vec<Option<i64>>,
    /// If several bits have the same number, the greatest are assembled, or the least.
    pub(crate) several: Option<bool>,
    /// The functions, as a specification has them.
    pub(crate) number: String,
    pub(crate) defined: Option<String>,
    /// The steps after its name in a field, which its numbers are computed with.
    pub(crate) steps: String,
}

impl Code {
    /// The bits of a number that are assembled.
    pub(crate) fn bits(&self, number: i64) -> Option<Word> {
        let is_it = |raw: &usize| self.numbers[*raw] == Some(number);
        let mut all = (0..self.numbers.len()).filter(is_it).map(|raw| raw as Word);
        if self.several == Some(true) { all.next_back() } else { all.next() }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) meaning: Meaning,
    pub(crate) inverted: bool,
    /// The value of the default and how it is written, if it is not the bits 0.
    pub(crate) default: Option<Value>,
}

/// A value as conditions, defaults and `fix` have it: what it is, and how it is written.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) number: i64,
    pub(crate) text: String,
}

/// A name in a condition; with a `?`, it may be missing.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) path: String,
    pub(crate) optional: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Cond {
    Or(Vec<Cond>),
    And(Vec<Cond>),
    Not(Box<Cond>),
    /// Not zero.
    Bare(Name),
    Compare(Name, &'static str, Value),
    /// `%` or `&`, its operand, and what it is compared with: equal or not, a number.
    Arith(Name, char, i64, Option<(bool, i64)>),
    In(Name, Vec<(Value, Option<Value>)>),
    OneHot(Name),
    /// Two fields: the first, by its number or not, and what is added to it; how they compare; the second, and what is added.
    Fields(bool, (Name, i64), &'static str, (Name, i64)),
    Is(String, Vec<String>),
    Has(String),
    Define(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Literal(String),
    Place { name: String, optional: bool, radix: Option<Radix> },
    Group(Vec<Piece>),
    When(Cond, Vec<Piece>),
    Body,
}

/// Variants of a text, the last without a condition.
pub(crate) type Text = Vec<(Option<Cond>, Vec<Piece>)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Ignored,
    Unknown,
    Reserved,
}

/// The bits that are fixed: those of a field, those that a parameter gives, or these.
#[derive(Clone, Debug)]
pub(crate) enum FixKey {
    Field(String),
    Bits(At),
}

/// The arguments of a use, by parameter.
pub(crate) type Args = Vec<(&'static str, At)>;

#[derive(Clone, Debug)]
pub(crate) enum Choose {
    Inline(Vec<(String, Part)>),
    Named { choice: usize, args: Args, except: Option<String> },
}

/// The content of a format, alternative, operand or instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) length: Option<u32>,
    pub(crate) extends: Option<usize>,
    pub(crate) fields: Vec<Field>,
    pub(crate) readings: Vec<(String, Reading)>,
    pub(crate) fix: Vec<(FixKey, Value)>,
    pub(crate) bind: Vec<(String, usize, Args)>,
    pub(crate) choose: Vec<(String, Choose)>,
    pub(crate) plain: Vec<(Plain, Ranges)>,
    pub(crate) rest: Option<Plain>,
    pub(crate) define: Vec<(String, Cond)>,
    pub(crate) not: Vec<Cond>,
    pub(crate) constraints: Vec<Cond>,
    pub(crate) except: Vec<Cond>,
    pub(crate) tags: Option<String>,
    pub(crate) text: Text,
    pub(crate) also: Vec<Vec<Piece>>,
    pub(crate) aliases: Text,
    pub(crate) full: Option<Vec<Piece>>,
    /// The layout in which its bits are drawn, and the width of the word.
    pub(crate) layout: Option<(Layout, u32)>,
    /// Its text is written as a line of syntax, if it can be.
    pub(crate) syntax: bool,
    /// The instruction that it expands to.
    pub(crate) expands: Option<Expands>,
    /// The instructions of which it is declared to take words.
    pub(crate) over: Vec<Over>,
}

/// A declared overlap: the name of an instruction, and the bits of the words that are taken, with their value.
#[derive(Clone, Debug)]
pub(crate) struct Over {
    pub(crate) name: String,
    pub(crate) bits: Option<(Ranges, Word)>,
}

/// A number that is computed from fields, and from other readings of the same part.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The names in it.
    pub(crate) of: Vec<String>,
    pub(crate) how: How,
    pub(crate) meaning: ReadAs,
}

/// The way in which the number of a reading is computed.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// The bits, those of the first name on top.
    Joined,
    Sum(Sum),
}

/// An expression of names, by their places in [`Reading::of`].
#[derive(Clone, Debug)]
pub(crate) enum Sum {
    Number(i128),
    Name(usize),
    Binary(Box<Sum>, &'static str, Box<Sum>),
}

impl Sum {
    pub(crate) fn binary(left: Self, operator: &'static str, right: Self) -> Self {
        Self::Binary(Box::new(left), operator, Box::new(right))
    }

    /// The number, for those of the names; `None` if it has more than 126 bits.
    pub(crate) fn number(&self, names: &[i128]) -> Option<i128> {
        let number = match self {
            Self::Number(number) => *number,
            Self::Name(name) => names[*name],
            Self::Binary(left, operator, right) => {
                let (left, right) = (left.number(names)?, right.number(names)?);
                match *operator {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left.checked_mul(right)?,
                    "/" => (left - left.rem_euclid(right)) / right,
                    "%" => left.rem_euclid(right),
                    "<<" => left.checked_mul(1 << right)?,
                    ">>" => (left - left.rem_euclid(1 << right)) / (1 << right),
                    "&" => left & right,
                    "|" => left | right,
                    _ => left ^ right,
                }
            }
        };
        (number.unsigned_abs() < 1 << 126).then_some(number)
    }

    /// The power of two modulo which it is a remainder, if it is one.
    pub(crate) fn turn(&self) -> Option<u32> {
        match self {
            Self::Binary(_, "%", by) => match **by {
                Self::Number(by) if by.count_ones() == 1 => Some(by.trailing_zeros()),
                _ => None,
            },
            _ => None,
        }
    }

    /// True if a name is in it.
    pub(crate) fn has(&self, name: usize) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Name(own) => *own == name,
            Self::Binary(left, _, right) => left.has(name) || right.has(name),
        }
    }

    /// Gives its names other places.
    pub(crate) fn rename(&mut self, to: &impl Fn(usize) -> usize) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => *name = to(*name),
            Self::Binary(left, _, right) => {
                left.rename(to);
                right.rename(to);
            }
        }
    }

    /// Visits the operators, each with the number behind it, if there is one.
    pub(crate) fn each(&self, visit: &mut impl FnMut(&'static str, Option<i128>)) {
        if let Self::Binary(left, operator, right) = self {
            visit(operator, if let Self::Number(number) = **right { Some(number) } else { None });
            left.each(visit);
            right.each(visit);
        }
    }

    fn show(&self, names: &[String], is_inner: bool) -> String {
        match self {
            Self::Number(number) if *number < 0 => format!("({number})"),
            Self::Number(number) => number.to_string(),
            Self::Name(name) => names[*name].clone(),
            Self::Binary(left, operator, right) => {
                let shown = format!("{} {operator} {}", left.show(names, true), right.show(names, true));
                if is_inner { format!("({shown})") } else { shown }
            }
        }
    }
}

/// The meaning of the number of a reading.
#[derive(Clone, Debug)]
pub(crate) enum ReadAs {
    Number,
    Register(usize),
    Enum(usize),
    Flag(String),
    Bitset(String),
}

impl Spec {
    /// A reading as a specification has it.
    pub(crate) fn reading(&self, reading: &Reading) -> String {
        let how = match &reading.how {
            How::Joined => reading.of.join(" ++ "),
            How::Sum(sum) => sum.show(&reading.of, false),
        };
        match &reading.meaning {
            ReadAs::Number => how,
            ReadAs::Register(file) => format!("{how} as {}", self.registers[*file].name),
            ReadAs::Enum(e) => format!("{how} as {}", self.enums[*e].name),
            ReadAs::Flag(text) => format!("{how} as {}", quoted(text)),
            ReadAs::Bitset(letters) => format!("{how} as bitset {}", quoted(letters)),
        }
    }

    /// Bits of the number that a meaning takes, for a reading of fields of this many bits; `None` for all.
    pub(crate) fn read_width(&self, meaning: &ReadAs, bits: u32) -> Option<u32> {
        match meaning {
            ReadAs::Number => None,
            ReadAs::Register(file) => Some(self.registers[*file].index),
            ReadAs::Enum(e) if self.enums[*e].other.is_some() => Some(bits),
            ReadAs::Enum(e) => {
                let most = self.enums[*e].values.iter().map(|value| value.0).max().unwrap_or(0);
                Some((u32::BITS - most.leading_zeros()).max(1))
            }
            ReadAs::Flag(_) => Some(1),
            ReadAs::Bitset(letters) => Some(letters.len() as u32),
        }
    }

    /// The text of a number of a reading that is no plain number, if it has one.
    pub(crate) fn read_text(&self, meaning: &ReadAs, number: i128) -> Option<String> {
        match meaning {
            ReadAs::Number => None,
            ReadAs::Register(file) => self.register(*file, number as u32),
            ReadAs::Enum(e) => self.enum_text(*e, number as u32),
            ReadAs::Flag(text) => Some(if number == 1 { text.clone() } else { String::new() }),
            ReadAs::Bitset(letters) => {
                Some(letters.chars().enumerate().map(|(i, c)| if number >> i & 1 == 1 { c } else { '-' }).collect())
            }
        }
    }

    /// The number in the whole file that the first register of a field has.
    pub(crate) fn first_of(&self, meaning: &Meaning) -> i64 {
        match meaning {
            Meaning::Register(file) => self.registers[*file].part.map_or(0, |part| part.1.into()),
            _ => 0,
        }
    }
}

impl Part {
    /// Returns true if alternatives of its choices say how long the word is.
    pub(crate) fn has_lengths(&self) -> bool {
        let says = |(_, choose): &(String, Choose)| match choose {
            Choose::Inline(alternatives) => alternatives.iter().any(|(_, part)| part.length.is_some()),
            Choose::Named { .. } => false,
        };
        self.choose.iter().any(says)
    }
}

/// The name of an instruction that another one expands to, and the values of its fields.
#[derive(Clone, Debug)]
pub(crate) struct Expands {
    pub(crate) to: String,
    pub(crate) fields: Vec<(String, Is)>,
}

/// The value of a field of the other instruction.
#[derive(Clone, Debug)]
pub(crate) enum Is {
    Field(String),
    Value(Value),
}

/// The style of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Lsb,
    Msb,
    /// Names with their widths, unless these are declared elsewhere.
    Parts,
}

#[derive(Clone, Debug)]
pub(crate) struct Registers {
    pub(crate) name: String,
    pub(crate) index: u32,
    pub(crate) prefix: String,
    pub(crate) suffix: String,
    pub(crate) count: Option<u32>,
    pub(crate) special: Vec<(u32, String)>,
    /// Other names of those.
    pub(crate) also: Vec<(u32, String)>,
    /// The special names are written as a list from 0 up.
    pub(crate) list: bool,
    pub(crate) halves: Option<[String; 2]>,
    /// The file of which it is a part, and the number that its first register has there.
    pub(crate) part: Option<(usize, u32)>,
    /// The names that programs can give the registers.
    pub(crate) names: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) width: u32,
    /// Number, text, other texts.
    pub(crate) values: Vec<(u32, String, Vec<String>)>,
    /// Values that print like one of those.
    pub(crate) likes: Vec<(u32, u32)>,
    /// The characters before and after the number of any other value.
    pub(crate) other: Option<[String; 2]>,
    /// The number is hexadecimal.
    pub(crate) hex: bool,
    /// Written as a list, with `~` for what is missing.
    pub(crate) list: bool,
    /// The texts begin with a dot, and one may be empty.
    pub(crate) dotted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Hole {
    pub(crate) name: String,
    pub(crate) length: u32,
    pub(crate) bits: Ranges,
    pub(crate) value: Word,
}

/// A length, and the first units that have it: these low bits have this value, or any other.
#[derive(Clone, Debug)]
pub(crate) struct Length {
    pub(crate) bits: u32,
    pub(crate) when: Option<(u32, Word, bool)>,
}

/// Instructions that are written as entries with tables of one key: they differ in the first number that they fix and in the
/// number after their mnemonic, both given by the sums.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The instructions, `T0`, `T1`, …: rows of a table, or of several.
    pub(crate) rows: Vec<Vec<usize>>,
    /// The value fixed in row r: the first number plus r times the second.
    pub(crate) fixed: (i64, i64),
}

impl Table {
    /// The first value that a row fixes.
    pub(crate) fn number(&self, row: usize) -> Value {
        let number = self.fixed.0 + self.fixed.1 * row as i64;
        Value { number, text: number.to_string() }
    }
}

/// A spec.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(crate) unit: u32,
    pub(crate) low_first: bool,
    pub(crate) big_endian: bool,
    /// Bits of the address of an instruction, if a machine says so.
    pub(crate) pc: Option<u32>,
    /// The instruction set is text-only: which bits fields have is up to the generator, and forms differ in their texts.
    pub(crate) is_text: bool,
    /// The texts are those of a source.
    pub(crate) follows: bool,
    pub(crate) lengths: Vec<Length>,
    pub(crate) decimal: bool,
    /// A number that begins with `0` is octal.
    pub(crate) octal: bool,
    pub(crate) registers: Vec<Registers>,
    pub(crate) enums: Vec<Enum>,
    pub(crate) codes: Vec<Code>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) formats: Vec<(String, Part)>,
    pub(crate) instructions: Vec<(String, Part)>,
    pub(crate) holes: Vec<Hole>,
    pub(crate) table: Option<Table>,
}

impl Spec {
    /// The instruction that another one expands to, which comes before it.
    pub(crate) fn meant(&self, instruction: usize) -> Option<(&Part, &Expands)> {
        let expands = self.instructions.get(instruction)?.1.expands.as_ref()?;
        let (_, part) = self.instructions[..instruction].iter().find(|(name, _)| *name == expands.to)?;
        Some((part, expands))
    }

    /// This spec with one thing less, for each thing that can go.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut list = Vec::new();
        let mut change = |change: &dyn Fn(&mut Self)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            list.push(smaller);
        };
        for i in 0..self.instructions.len() {
            if self.instructions.len() > 1 {
                change(&|s| {
                    let (name, _) = s.instructions.remove(i);
                    s.instructions.iter_mut().for_each(|(_, part)| part.over.retain(|over| over.name != name));
                });
            }
        }
        for i in 0..self.enums.len() {
            if !self.enums[i].likes.is_empty() {
                change(&|s| s.enums[i].likes.clear());
            }
        }
        if self.follows {
            change(&|s| s.follows = false);
        }
        for i in 0..self.holes.len() {
            change(&|s| drop(s.holes.remove(i)));
        }
        for (i, (_, part)) in self.instructions.iter().enumerate() {
            for k in 0..part.not.len() {
                change(&|s| drop(s.instructions[i].1.not.remove(k)));
            }
            for k in 0..part.constraints.len() {
                change(&|s| drop(s.instructions[i].1.constraints.remove(k)));
            }
            for k in 0..part.except.len() {
                change(&|s| drop(s.instructions[i].1.except.remove(k)));
            }
            for k in 0..part.also.len() {
                change(&|s| drop(s.instructions[i].1.also.remove(k)));
            }
            for k in 0..part.aliases.len() {
                change(&|s| drop(s.instructions[i].1.aliases.remove(k)));
            }
            if part.expands.is_some() {
                change(&|s| s.instructions[i].1.expands = None);
            }
            if part.text.len() > 1 {
                change(&|s| drop(s.instructions[i].1.text.remove(0)));
            }
        }
        list
    }
}
