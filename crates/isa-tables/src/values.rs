//! Rows of codes and of spellings: the ways from the bits of a field to its number, and to its text.

use super::builder::{Builder, intern, intern_rows};
use isa_runtime::engine::Str;
use isa_runtime::engine::tables as t;
use isa_runtime::value::{Code, Name, Numbered, Other, Part, Role, Several, Spelling, Style};
use std::cmp::Reverse;
use std::sync::Arc;

/// A style as tables have it: radix and least number of digits, or the format of a floating-point number.
pub(super) fn printed(style: Style) -> [u8; 2] {
    match style {
        Style::Hex => [16, 1],
        Style::Dec => [10, 1],
        Style::Padded(digits) => [10, digits],
        Style::PaddedHex(digits) => [16, digits],
        Style::Float(style) => [t::FLOAT, style.format],
    }
}

impl Builder<'_> {
    /// The number of a code.
    pub(super) fn code(&mut self, code: &Code) -> u32 {
        let steps = code.steps().iter().map(|step| step.parts()).map(|(kind, by)| t::CodeStep { kind, by }).collect();
        let steps = intern_rows(&mut self.code_steps, &mut self.out.code_steps, steps);
        let mut flags = if code.reads_other_sign { t::OTHER_SIGN } else { 0 };
        let numbers = code.map().map_or(&[][..], |map| map.numbers());
        let listed = numbers.iter().map(|(bits, number)| t::Mapped { bits: *bits, number: *number as u64 }).collect();
        let map = intern_rows(&mut self.mapped, &mut self.out.mapped, listed);
        flags |= match code.map().map(|map| map.several()) {
            None | Some(Several::Least) => 0,
            Some(Several::Greatest) => t::TAKES_GREATEST,
            Some(Several::Nearest) => t::TAKES_NEAREST,
        };
        if code.map().is_some_and(|map| map.range()[0] < 0) {
            flags |= t::BELOW_ZERO;
        }
        intern(&mut self.codes, &mut self.out.codes, t::Code { steps, map, flags })
    }

    /// The number of a spelling.
    pub(super) fn spelling(&mut self, spelling: &Arc<Spelling>) -> u32 {
        if let Some(known) = self.spellings.get(spelling) {
            return *known;
        }
        let parts: Vec<t::Part> = spelling.parts.iter().map(|part| self.part(part)).collect();
        let rows = t::Rows { at: self.out.parts.len() as u32, len: parts.len() as u32 };
        self.out.parts.extend(parts);
        let number = self.out.spellings.len() as u32;
        self.out.spellings.push(rows);
        self.spellings.insert(spelling.clone(), number);
        number
    }

    fn part(&mut self, part: &Part) -> t::Part {
        let mut row = t::Part {
            lo: part.of.map_or(0, |bits| bits.lo),
            width: part.of.map_or(0, |bits| bits.width),
            printed: self.printed_names(&part.names),
            read: self.read_names(part),
            other: t::NONE,
            radix: 10,
            digits: 1,
            last: u128::MAX,
            ..t::Part::default()
        };
        match &part.other {
            None => {}
            Some(Other::Number(style)) => {
                row.other = t::DIGITS;
                [row.radix, row.digits] = printed(*style);
                row.precision = if let Style::Float(style) = style { style.digits } else { 0 };
            }
            Some(Other::Numbered(numbered)) => self.numbered(&mut row, t::NUMBERED, numbered),
            Some(Other::Given { names, example }) => {
                self.numbered(&mut row, t::GIVEN, example);
                let class = |part: &isa_runtime::value::NamePart| t::Class {
                    of: part.of,
                    flags: if part.may_be_missing { t::MISSING } else { 0 } | if part.repeats { t::REPEATS } else { 0 },
                };
                let mut patterns = Vec::new();
                for parts in &names.0 {
                    patterns.push(t::Rows { at: self.out.classes.len() as u32, len: parts.len() as u32 });
                    self.out.classes.extend(parts.iter().map(class));
                }
                row.patterns = t::Rows { at: self.out.patterns.len() as u32, len: patterns.len() as u32 };
                self.out.patterns.extend(patterns);
            }
        }
        row
    }

    fn numbered(&mut self, row: &mut t::Part, other: u8, numbered: &Numbered) {
        let end = numbered.end.unwrap_or(u128::MAX);
        // A file without numbered registers can still have names given by programs.
        row.other = if end == 0 && other == t::NUMBERED { t::NONE } else { other };
        row.radix = if numbered.is_hex { 16 } else { 10 };
        (row.before, row.after) = (self.str(&numbered.before), self.str(&numbered.after));
        row.halved = numbered.halves.is_some().into();
        row.halves = numbered.halves.as_ref().map_or([Str::default(); 2], |halves| [self.str(&halves[0]), self.str(&halves[1])]);
        row.last = if numbered.end.is_none() { u128::MAX } else { end.saturating_sub(1) };
    }

    /// The names that are printed, by number; of several for one number, the first.
    fn printed_names(&mut self, names: &[Name]) -> t::Rows {
        let mut printed: Vec<&Name> = names.iter().filter(|name| name.role != Role::Read).collect();
        printed.sort_by_key(|name| name.number);
        printed.dedup_by_key(|name| name.number);
        let rows = printed.iter().map(|name| t::Named { value: name.number, text: self.str(&name.text), also: 0 }).collect();
        self.named(rows)
    }

    /// The names that are read, the longest first. A name that is also printed for another number is read as that number where
    /// its own is not possible.
    fn read_names(&mut self, part: &Part) -> t::Rows {
        let mut read: Vec<&Name> = part.names.iter().collect();
        read.sort_by_key(|name| (Reverse(name.text.len()), name.role == Role::Print));
        let row = |name: &&Name| t::Named {
            value: name.number,
            text: self.str(&name.text),
            also: (name.role == Role::Read || part.printed(name.number) != Some(&name.text)).into(),
        };
        let rows = read.iter().map(row).collect();
        self.named(rows)
    }

    fn named(&mut self, rows: Vec<t::Named>) -> t::Rows {
        intern_rows(&mut self.names, &mut self.out.names, rows)
    }
}
