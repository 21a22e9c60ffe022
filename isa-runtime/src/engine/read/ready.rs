//! Rows that every text asks for, decoded once: templates, their forms and steps, fields with their codes, and the texts of numbers.

use super::super::Bits;
use super::super::decode::ones;
use super::super::tables::{self, DIGITS, Form, GIVEN, LITERAL, NO_PLACE, NUMBERED, OTHER_SIGN, Rows, Tables, Template};
use super::attempt::Way;
use super::task::{Literal, is_word};
use crate::value::{Code, Style};
use alloc::vec::Vec;
use core::ops::Deref;

/// Tables that are ready for reading.
#[derive(Debug)]
pub(super) struct Ready<'t, W> {
    tables: Tables<'t, W>,
    pub(super) templates: Vec<Template>,
    pub(super) forms: Vec<Form<W>>,
    pub(super) steps: Vec<Step<'t>>,
    pub(super) all_fields: Vec<Field<W>>,
    pub(super) all_spellings: Vec<Spelling<'t>>,
}

/// A step of a template.
#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) kind: u8,
    pub(super) spelling: u32,
    pub(super) of: u32,
    pub(super) next: u32,
    pub(super) body: u32,
    /// The characters with which what is read from here on can begin.
    pub(super) initials: u128,
    /// The characters of a literal.
    pub(super) text: Literal<'t>,
}

/// A field.
#[derive(Debug)]
pub(super) struct Field<W> {
    pub(super) row: tables::Field,
    /// Ones at its bits.
    pub(super) mask: W,
    pub(super) code: Numbers,
    /// Programs give names to it.
    pub(super) is_given: bool,
}

/// A code, and what is asked of it again and again.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) code: Code,
    pub(super) scale: i64,
    pub(super) bias: i64,
    pub(super) relative: Option<i64>,
    /// The power of two modulo which numbers are shown; 0 if they are not.
    pub(super) modulo: u32,
    pub(super) is_signed: bool,
    /// The greatest value; 0 if all are below that.
    pub(super) greatest: u128,
    /// There are no steps at all.
    is_plain: bool,
    /// Other bits stand in the word than in the number.
    has_other_bits: bool,
    /// Each bit of the word depends on the bit of the number at the same place alone.
    is_bitwise: bool,
}

/// The texts of numbers.
#[derive(Debug)]
pub(super) struct Spelling<'t> {
    pub(super) parts: Vec<Part<'t>>,
    /// So many steps count for looking at all names.
    pub(super) cost: u32,
    /// All names begin with punctuation, if they are any characters at all.
    pub(super) are_marks: bool,
}

/// A part of the texts of numbers.
#[derive(Debug)]
pub(super) struct Part<'t> {
    pub(super) row: tables::Part,
    /// All names by their first characters; of the same first character, the longest first. Empty ones come last.
    names: Vec<Name<'t>>,
    /// Where the names with each first character begin, and where they end; the last one stands for all that are not ASCII.
    first: Vec<u32>,
    /// The numbers below 256 with names that are printed, and whether there are others.
    named: [u128; 2],
    has_other_named: bool,
    pub(super) other: Other<'t>,
}

/// The texts of the numbers that have none of their own.
#[derive(Debug)]
pub(super) enum Other<'t> {
    None,
    /// The number in digits.
    Number(Style),
    Numbered(Numbered<'t>),
    Given,
}

/// A number between two texts.
#[derive(Debug)]
pub(super) struct Numbered<'t> {
    pub(super) before: Literal<'t>,
    pub(super) after: Literal<'t>,
    /// The names of halves, or nothing.
    pub(super) halves: Vec<Literal<'t>>,
    pub(super) is_hex: bool,
    /// Zeros before the digits belong to a name, as letters stand before them.
    pub(super) has_letters: bool,
    /// The digits end the text, and what begins with `before` and a digit is no name.
    pub(super) is_simple: bool,
}

/// A text for a value.
#[derive(Debug)]
pub(super) struct Name<'t> {
    pub(super) text: Literal<'t>,
    pub(super) value: u128,
    pub(super) is_printed: bool,
}

impl Numbers {
    fn new(code: Code) -> Self {
        Self {
            scale: code.scale(),
            bias: code.bias(),
            relative: code.relative(),
            modulo: code.modulo().unwrap_or(0),
            is_signed: code.is_signed(),
            greatest: code.range()[1].to_u128().unwrap_or(0),
            is_plain: code.steps().is_empty(),
            has_other_bits: !code.bit_steps().is_empty(),
            is_bitwise: (0..code.width.min(128)).all(|bit| code.word_bits(1 << bit) ^ code.word_bits(0) == 1 << bit),
            code,
        }
    }

    /// Those of bits that are the number.
    pub(super) fn plain(width: u8) -> Self {
        Self::new(Code::plain(width.into()))
    }

    fn of<W: Bits>(tables: &Tables<'_, W>, field: &tables::Field) -> Self {
        let flags = tables.codes.get(field.code as usize).map_or(0, |code| code.flags);
        let mut code = Code::plain(field.width.into()).then_all(tables.steps_of(field));
        code.reads_other_sign = flags & OTHER_SIGN != 0;
        Self::new(code)
    }

    /// The bits of a number that is not below 0, if some have it.
    #[inline]
    pub(super) fn bits(&self, number: u128) -> Option<u128> {
        match self.is_plain {
            true => (number <= ones(self.code.width)).then_some(number),
            false => self.code.bits(number.into()).ok(),
        }
    }

    /// The bits of the word for those of the number.
    #[inline]
    pub(super) fn word_bits(&self, bits: u128) -> u128 {
        if self.has_other_bits { self.code.word_bits(bits) } else { bits }
    }

    /// The bits of the number for those of the word.
    #[inline]
    pub(super) fn number_bits(&self, raw: u128) -> u128 {
        if self.has_other_bits { self.code.number_bits(raw) } else { raw }
    }

    /// The way to read other bits of a number where some were read; of these, those that are open can be anything.
    pub(super) fn way(&self, bits: u128, open: u128, read: Way) -> Option<Way> {
        (open == 0 || self.is_bitwise).then(|| Way { raw: self.word_bits(bits) & !open, open, ..read })
    }

    /// The number that is shown for some bits, and its sign.
    #[inline]
    pub(super) fn shown(&self, raw: u128, address: u64) -> (bool, u128) {
        match self.is_plain {
            true => (false, raw),
            false => self.code.shown(raw, address).map_or((false, raw), |number| (number.negative, number.magnitude)),
        }
    }
}

impl Spelling<'_> {
    /// The style of numbers in digits; `None` for other texts.
    #[inline]
    pub(super) fn style(&self) -> Option<Style> {
        match self.parts.as_slice() {
            [Part { row, other: Other::Number(style), names, .. }] if row.width == 0 && names.is_empty() => Some(*style),
            _ => None,
        }
    }
}

impl<'t> Part<'t> {
    fn new<W: Bits>(tables: &Tables<'t, W>, row: tables::Part) -> Self {
        let literal = |text| Literal::new(tables.bytes_of(text));
        let named = |row: tables::Named| Name { text: literal(row.text), value: row.value, is_printed: row.also == 0 };
        let mut names: Vec<Name<'t>> = tables.names.slice(row.read).iter().map(named).collect();
        let first_of = |name: &Name<'_>| name.text.text.first().map_or(usize::from(EMPTY), |c| usize::from(*c.min(&127)));
        names.sort_by_key(first_of);
        let first = (0..=usize::from(EMPTY)).map(|c| names.partition_point(|name| first_of(name) < c) as u32).collect();
        let printed = || tables.names.slice(row.printed).iter().map(|row| row.value);
        let bits = |half: u128| printed().filter(|n| n >> 7 == half).fold(0, |set, n| set | 1 << (n & 127));
        let other = match row.other {
            DIGITS => row.style().map_or(Other::None, Other::Number),
            NUMBERED => Other::Numbered(Numbered::new(tables, &row, &names)),
            GIVEN => Other::Given,
            _ => Other::None,
        };
        Self { names, first, named: [bits(0), bits(1)], has_other_named: printed().any(|n| n >> 8 != 0), other, row }
    }

    /// The names that begin with a character.
    #[inline]
    pub(super) fn names_with(&self, first: u8) -> &[Name<'t>] {
        let at = usize::from(first.min(127));
        self.names.get(self.first[at] as usize..self.first[at + 1] as usize).unwrap_or_default()
    }

    /// The names that are no characters at all.
    #[inline]
    pub(super) fn empty_names(&self) -> &[Name<'t>] {
        self.names.get(self.first[usize::from(EMPTY)] as usize..).unwrap_or_default()
    }

    /// Returns true if a number has a name that is printed.
    #[inline]
    pub(super) fn is_named<W: Bits>(&self, tables: &Tables<'_, W>, number: u128) -> bool {
        match number {
            0..128 => self.named[0] >> number & 1 != 0,
            128..256 => self.named[1] >> (number & 127) & 1 != 0,
            _ => self.has_other_named && tables.printed(&self.row, number).is_some(),
        }
    }
}

/// The place of names without a first character, behind those of all first characters.
const EMPTY: u8 = 128;

impl<'t> Numbered<'t> {
    fn new<W: Bits>(tables: &Tables<'t, W>, row: &tables::Part, names: &[Name<'t>]) -> Self {
        let [before, after] = [row.before, row.after].map(|text| tables.bytes_of(text));
        let has_digit = |text: &[u8]| text.first().is_some_and(u8::is_ascii_digit);
        let is_numbered =
            |name: &Name<'_>| name.text.text.strip_prefix(before).is_some_and(|rest| rest.is_empty() || has_digit(rest));
        let is_part = |name: &Name<'_>| before.starts_with(name.text.text);
        let is_hex = row.radix == 16;
        Self {
            is_simple: row.halved == 0
                && !is_hex
                && after.is_empty()
                && !names.iter().any(|name| is_numbered(name) || is_part(name)),
            before: Literal::new(before),
            after: Literal::new(after),
            halves: match row.halved {
                0 => Vec::from([Literal::default()]),
                _ => row.halves.iter().map(|half| Literal::new(tables.bytes_of(*half))).collect(),
            },
            is_hex,
            has_letters: before.last().is_some_and(|c| is_word(*c)),
        }
    }
}

impl<'t, W: Bits> Ready<'t, W> {
    pub(super) fn new(tables: Tables<'t, W>) -> Self {
        let spelling = |rows: Rows| {
            let parts: Vec<Part<'t>> = tables.parts.slice(rows).iter().map(|row| Part::new(&tables, row)).collect();
            let names = || parts.iter().flat_map(|part| &part.names);
            Spelling {
                cost: names().count() as u32 / 16,
                are_marks: names().filter(|name| name.is_printed).all(|n| n.text.text.first().is_none_or(|c| !is_word(*c))),
                parts,
            }
        };
        let text = |string: u32| tables.strings.get(string as usize).map_or(&[][..], |text| tables.bytes_of(text));
        let step = |tables::Step { kind, spelling, of, next, body, initials }| Step {
            text: Literal::new(if kind == LITERAL { text(of) } else { &[] }),
            initials: tables.initials.get(initials as usize).unwrap_or(u128::MAX),
            kind,
            spelling,
            of,
            next,
            body,
        };
        let field = |row: tables::Field| Field {
            mask: tables.place(row.ranges, u128::MAX),
            code: Numbers::of(&tables, &row),
            is_given: row.place != NO_PLACE,
            row,
        };
        Self {
            templates: tables.templates.iter().collect(),
            forms: tables.forms.iter().collect(),
            steps: tables.steps.iter().map(step).collect(),
            all_fields: tables.fields.iter().map(field).collect(),
            all_spellings: tables.spellings.iter().map(spelling).collect(),
            tables,
        }
    }
}

impl<'t, W> Deref for Ready<'t, W> {
    type Target = Tables<'t, W>;

    fn deref(&self) -> &Self::Target {
        &self.tables
    }
}
