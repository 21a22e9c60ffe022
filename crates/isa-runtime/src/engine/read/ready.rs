//! Rows needed for every text, decoded once: templates, their forms and steps, fields with their codes, and the texts of numbers.

use super::super::Bits;
use super::super::decode::ones;
use super::super::tables::{
    self, Common, DIGITS, Form, GIVEN, HOLDS, NO_PLACE, NUMBERED, OTHER_SIGN, Rows, Tables, Template, VALUE,
};
use super::task::{Literal, NOTHING, Task, is_word};
use crate::value::{Code, Origin, Several, Style};
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Deref, Range};

/// A reading of a value: its bits, the mask of bits that can be anything, its end, and whether it is printed so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) raw: u128,
    pub(super) open: u128,
    pub(super) end: usize,
    pub(super) is_printed: bool,
}

/// Tables that are ready for reading.
#[derive(Debug)]
pub(super) struct Ready<'t, W> {
    tables: Tables<'t, W>,
    pub(super) templates: Vec<Template>,
    pub(super) forms: Vec<Form<W>>,
    pub(super) steps: Vec<Step>,
    /// All strings, as literals.
    literals: Vec<Literal<'t>>,
    /// Sets of characters that steps can begin with.
    initials: Vec<u128>,
    pub(super) all_fields: Vec<Field<W>>,
    pub(super) all_parts: Vec<Part<'t>>,
    pub(super) all_spellings: Vec<Spelling>,
    /// For each condition of a step, the masks and values that decide that it does not hold, or that it does.
    conditions: Vec<[Option<(W, W)>; 2]>,
    /// The codes of numbers that are the bits themselves, by their widths.
    plain: Vec<Numbers>,
}

/// A step of a template: few bytes, as there are many.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) kind: u8,
    pub(super) spelling: u32,
    pub(super) of: u32,
    pub(super) next: u32,
    pub(super) body: u32,
    initials: u32,
    /// The part of the spelling, if its only part is the whole number; else the row of a condition.
    row: u32,
}

/// A field.
#[derive(Debug)]
pub(super) struct Field<W> {
    pub(super) row: tables::Field,
    /// Ones at its bits.
    pub(super) mask: W,
    /// Its lowest bit, if it has only one range.
    lo: Option<u8>,
    pub(super) code: Arc<Numbers>,
    /// Its names are given by programs.
    pub(super) is_given: bool,
}

/// A code, with the properties that are needed often.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) code: Code,
    pub(super) scale: i64,
    pub(super) bias: i64,
    pub(super) relative: Option<Origin>,
    /// The power of two modulo which numbers are shown; 0 if they are not.
    pub(super) modulo: u32,
    pub(super) is_signed: bool,
    /// All ones.
    most: u128,
    /// There are no steps at all.
    is_plain: bool,
    /// The bits in the word differ from those in the number.
    has_other_bits: bool,
    /// Each bit of the word depends only on the bit of the number at the same place.
    is_bitwise: bool,
    /// Several bit patterns have one number.
    pub(super) has_twins: bool,
    /// Those of the nearest word are assembled.
    pub(super) takes_nearest: bool,
}

/// The texts of numbers.
#[derive(Debug)]
pub(super) struct Spelling {
    /// Its parts, of all.
    pub(super) parts: Range<usize>,
    /// The steps charged for a search of all names.
    pub(super) cost: u32,
    /// All names begin with punctuation, if they are any characters at all.
    pub(super) are_marks: bool,
}

/// A part of the texts of numbers.
#[derive(Debug)]
pub(super) struct Part<'t> {
    pub(super) row: tables::Part,
    /// All names, the longest first; if they are many, by their first characters. Empty ones come last.
    names: Vec<Name<'t>>,
    /// The first empty name.
    empty: usize,
    /// The starts and ends of the names with each first character; empty if there are few names.
    first: Vec<u32>,
    /// The first characters of names; the last bit means all that are not ASCII.
    initials: u128,
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
    /// Zeros before the digits belong to a name, because letters come before them.
    pub(super) has_letters: bool,
    /// The text ends with the digits, and no name begins with `before` and a digit.
    pub(super) is_simple: bool,
}

/// A text for a value.
#[derive(Debug)]
pub(super) struct Name<'t> {
    pub(super) text: Literal<'t>,
    pub(super) value: u128,
    pub(super) is_printed: bool,
}

impl<W: Bits> Field<W> {
    /// A word that is empty but for these bits of the field.
    #[inline]
    pub(super) fn place(&self, tables: &Tables<'_, W>, bits: u128) -> W {
        match self.lo {
            Some(lo) => W::at_bit(bits, lo) & self.mask,
            None => tables.place(self.row.ranges, bits),
        }
    }
}

impl Numbers {
    /// The bits of the hexadecimal number that a text begins with, as it is printed, and its length; `None` if the general way is
    /// needed.
    #[inline]
    pub(super) fn hexadecimal(&self, text: &[u8]) -> Option<(u128, usize)> {
        let digits = text.strip_prefix(b"0x").filter(|_| self.is_plain)?;
        let (mut number, mut count) = (0u64, 0);
        for c in digits.iter().take_while(|c| is_word(**c)) {
            let digit = match c {
                b'0'..=b'9' => c - b'0',
                b'a'..=b'f' => c - b'a' + 10,
                _ => return None,
            };
            // 15 digits fit 64 bits.
            if count == 15 || (count == 1 && number == 0) {
                return None;
            }
            number = number << 4 | u64::from(digit);
            count += 1;
        }
        (count > 0 && u128::from(number) <= self.most).then_some((number.into(), count + 2))
    }

    fn new(code: Code) -> Self {
        Self {
            scale: code.scale(),
            bias: code.bias(),
            relative: code.relative(),
            modulo: code.modulo().unwrap_or(0),
            is_signed: code.is_signed(),
            most: ones(code.width),
            is_plain: code.steps().is_empty() && code.map().is_none(),
            has_other_bits: !code.bit_steps().is_empty(),
            has_twins: !code.is_one_to_one(),
            takes_nearest: code.map().is_some_and(|map| map.several() == Several::Nearest && !map.is_one_to_one()),
            is_bitwise: code.bit_steps().is_empty()
                || (0..code.width.min(128)).all(|bit| code.word_bits(1 << bit) ^ code.word_bits(0) == 1 << bit),
            code,
        }
    }

    fn of(tables: &Common<'_>, field: &tables::Field) -> Self {
        let flags = tables.codes.get(field.code as usize).map_or(0, |code| code.flags);
        let code = match tables.map_of(field) {
            Some(map) => Code::mapped(field.width.into(), Arc::new(map)),
            None => Code::plain(field.width.into()),
        };
        let mut code = code.then_all(tables.steps_of(field));
        code.reads_other_sign = flags & OTHER_SIGN != 0;
        Self::new(code)
    }

    /// The bits of a number that is not below 0, if some have it.
    #[inline]
    pub(super) fn bits(&self, number: u128) -> Option<u128> {
        match self.is_plain {
            true => (number <= self.most).then_some(number),
            false => self.code.bits(number.into()).ok(),
        }
    }

    /// The greatest value; 0 if all are below that.
    pub(super) fn greatest(&self) -> u128 {
        self.code.range()[1].to_u128().unwrap_or(0)
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

    /// The reading with other bits of a number than `read`; the bits of `open` can be anything.
    pub(super) fn way(&self, bits: u128, open: u128, read: Way) -> Option<Way> {
        (open == 0 || self.is_bitwise).then(|| Way { raw: self.word_bits(bits) & !open, open, ..read })
    }

    /// Returns true if a number that several bits have is one reading, of which the end of the text chooses the bits. For messages
    /// each is tried.
    pub(super) fn is_chosen(&self, task: &Task<'_>) -> bool {
        self.takes_nearest && !task.notes
    }

    /// All bits with the number of some bits, themselves included, for a reading of which the nearest are assembled.
    pub(super) fn twins(&self, raw: u128) -> impl Iterator<Item = u128> + '_ {
        let map = self.code.map();
        let number = map.and_then(|map| map.number(raw));
        map.zip(number).into_iter().flat_map(|(map, number)| map.bits(number)).map(u128::from)
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

impl<'t> Part<'t> {
    /// The style of numbers in digits; `None` for other texts.
    #[inline]
    pub(super) fn style(&self) -> Option<Style> {
        if let Other::Number(style) = self.other { Some(style).filter(|_| self.names.is_empty()) } else { None }
    }

    /// The style of numbers without a name, if they are written as numbers.
    pub(super) fn else_style(&self) -> Option<Style> {
        let Other::Numbered(Numbered { before, after, halves, is_hex, .. }) = &self.other else { return None };
        let is_whole = self.row.width == 0 && self.row.halved == 0;
        let is_number = is_whole && before.len() == 0 && after.len() == 0 && halves.len() == 1;
        is_number.then_some(if *is_hex { Style::Hex } else { Style::Dec })
    }

    fn new(tables: &Common<'t>, row: tables::Part) -> Self {
        let literal = |text| Literal::new(tables.bytes_of(text));
        let named = |row: tables::Named| Name { text: literal(row.text), value: row.value, is_printed: row.also == 0 };
        let mut names: Vec<Name<'t>> = tables.names.slice(row.read).iter().map(named).collect();
        let first_of = |name: &Name<'_>| name.text.text.first().map_or(EMPTY, |c| usize::from(*c.min(&127)));
        let initials = names.iter().map(first_of).filter(|c| *c < EMPTY).fold(0, |set, c| set | 1 << c);
        let first = if names.len() <= FEW_NAMES {
            names.sort_by_key(|name| name.text.len() == 0);
            Vec::new()
        } else {
            names.sort_by_key(first_of);
            (0..=EMPTY).map(|c| names.partition_point(|name| first_of(name) < c) as u32).collect()
        };
        let empty = names.iter().position(|name| name.text.len() == 0).unwrap_or(names.len());
        let printed = || tables.names.slice(row.printed).iter().map(|row| row.value);
        let bits = |half: u128| printed().filter(|n| n >> 7 == half).fold(0, |set, n| set | 1 << (n & 127));
        let other = match row.other {
            DIGITS => row.style().map_or(Other::None, Other::Number),
            NUMBERED => Other::Numbered(Numbered::new(tables, &row, &names)),
            GIVEN => Other::Given,
            _ => Other::None,
        };
        Self {
            names,
            empty,
            first,
            initials,
            named: [bits(0), bits(1)],
            has_other_named: printed().any(|n| n >> 8 != 0),
            other,
            row,
        }
    }

    /// All names.
    pub(super) fn names(&self) -> &[Name<'t>] {
        &self.names
    }

    /// All names that begin with a character, and perhaps others.
    #[inline]
    pub(super) fn names_with(&self, first: u8) -> &[Name<'t>] {
        let at = usize::from(first.min(127));
        let half = if at < 64 { self.initials as u64 } else { (self.initials >> 64) as u64 };
        if half >> (at & 63) & 1 == 0 {
            return &[];
        }
        let places = match self.first.get(at..at + 2) {
            Some([from, to]) => *from as usize..*to as usize,
            _ => 0..self.empty,
        };
        self.names.get(places).unwrap_or_default()
    }

    /// The steps charged for a search of all names.
    #[inline]
    pub(super) fn cost(&self) -> u32 {
        self.names.len() as u32 / 16
    }

    /// Returns true if the text can be empty.
    #[inline]
    pub(super) fn has_empty_name(&self) -> bool {
        self.empty < self.names.len()
    }

    /// The empty names.
    #[inline]
    pub(super) fn empty_names(&self) -> &[Name<'t>] {
        self.names.get(self.empty..).unwrap_or_default()
    }

    /// Returns true if a number has a name that is printed.
    #[inline]
    pub(super) fn is_named(&self, tables: &Common<'_>, number: u128) -> bool {
        match number {
            0..128 => self.named[0] >> number & 1 != 0,
            128..256 => self.named[1] >> (number & 127) & 1 != 0,
            _ => self.has_other_named && tables.printed(&self.row, number).is_some(),
        }
    }
}

/// The place of names without a first character, after those of all first characters.
const EMPTY: usize = 128;

/// The number of names up to which they are searched one by one.
const FEW_NAMES: usize = 4;

impl<'t> Numbered<'t> {
    fn new(tables: &Common<'t>, row: &tables::Part, names: &[Name<'t>]) -> Self {
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
    /// The parts of a spelling.
    pub(super) fn ready_parts(&self, spelling: &Spelling) -> &[Part<'t>] {
        self.all_parts.get(spelling.parts.clone()).unwrap_or_default()
    }

    /// The mask and the values that alone decide whether the condition of a step holds; `None` if there are several ways.
    #[inline]
    pub(super) fn says(&self, step: &Step, holds: bool) -> Option<(W, W)> {
        self.conditions.get(step.row as usize)?[usize::from(holds)]
    }

    /// The part of the spelling of a value, if its only part is the whole number.
    #[inline]
    pub(super) fn only_part(&self, step: &Step) -> Option<&Part<'t>> {
        self.all_parts.get(step.row as usize)
    }

    /// A step that reads the value of a field as most texts have it.
    pub(super) fn value_step(&self, field: &tables::Field) -> Step {
        let parts = self.all_spellings.get(field.spelling as usize).map_or(0..0, |spelling| spelling.parts.clone());
        let is_whole = parts.len() == 1 && self.all_parts.get(parts.start).is_some_and(|part| part.row.width == 0);
        let row = if is_whole { parts.start as u32 } else { u32::MAX };
        Step { kind: VALUE, spelling: field.spelling, of: 0, next: 0, body: 0, initials: 0, row }
    }

    /// The parts of the spelling of a value; none if there is no such spelling.
    pub(super) fn spelling_parts(&self, step: &Step) -> &[Part<'t>] {
        self.all_spellings.get(step.spelling as usize).map_or(&[], |spelling| self.ready_parts(spelling))
    }

    /// The characters of a literal.
    #[inline]
    pub(super) fn literal(&self, step: &Step) -> &Literal<'t> {
        self.literals.get(step.of as usize).unwrap_or(&NOTHING)
    }

    /// The first characters of the texts from a step on.
    #[inline]
    pub(super) fn initials(&self, step: &Step) -> u128 {
        self.initials.get(step.initials as usize).copied().unwrap_or(u128::MAX)
    }

    /// The code of numbers of `width` bits that are the bits themselves.
    pub(super) fn plain(&self, width: u8) -> Option<&Numbers> {
        self.plain.get(usize::from(width))
    }

    pub(super) fn new(tables: Tables<'t, W>) -> Self {
        let parts: Vec<Part<'t>> = tables.parts.iter().map(|row| Part::new(&tables, row)).collect();
        let spelling = |rows: Rows| {
            let own = rows.at as usize..(rows.at as usize).saturating_add(rows.len as usize);
            let all = parts.get(own.clone()).unwrap_or_default();
            let names = || all.iter().flat_map(|part| &part.names);
            Spelling {
                cost: names().count() as u32 / 16,
                are_marks: names().filter(|name| name.is_printed).all(|n| n.text.text.first().is_none_or(|c| !is_word(*c))),
                parts: own,
            }
        };
        let spellings: Vec<Spelling> = tables.spellings.iter().map(spelling).collect();
        let only_part = |spelling: u32| match spellings.get(spelling as usize).map(|spelling| spelling.parts.clone()) {
            Some(own) if own.len() == 1 && parts.get(own.start).is_some_and(|part| part.row.width == 0) => own.start as u32,
            _ => u32::MAX,
        };
        let (mut conditions, mut rows) = (Vec::new(), BTreeMap::new());
        let mut condition = |set: u32| {
            *rows.entry(set).or_insert_with(|| {
                conditions.push([0, 1].map(|end| tables.only_way(set, end)));
                conditions.len() as u32 - 1
            })
        };
        let step = |tables::Step { kind, spelling, of, next, body, initials }| {
            let row = match kind {
                VALUE => only_part(spelling),
                HOLDS => condition(of),
                _ => u32::MAX,
            };
            Step { kind, spelling, of, next, body, initials, row }
        };
        let mut codes: BTreeMap<(u32, u8), Arc<Numbers>> = BTreeMap::new();
        let field = |row: tables::Field| Field {
            mask: tables.place(row.ranges, u128::MAX),
            lo: tables.ranges.slice(row.ranges).get(0).filter(|_| row.ranges.len == 1).map(|range| range.lo),
            code: codes.entry((row.code, row.width)).or_insert_with(|| Arc::new(Numbers::of(&tables, &row))).clone(),
            is_given: row.place != NO_PLACE,
            row,
        };
        Self {
            templates: tables.templates.iter().collect(),
            forms: tables.forms.iter().collect(),
            steps: tables.steps.iter().map(step).collect(),
            literals: tables.strings.iter().map(|string| Literal::new(tables.bytes_of(string))).collect(),
            initials: tables.initials.iter().collect(),
            all_fields: tables.fields.iter().map(field).collect(),
            all_spellings: spellings,
            all_parts: parts,
            conditions,
            plain: (0..=128).map(|width| Numbers::new(Code::plain(width))).collect(),
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
