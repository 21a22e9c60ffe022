//! Characters of templates and values of fields, read at a place of a text.

mod encode;
mod number;

use super::print_value;
use isa_runtime::U256;
use isa_runtime::engine::read::{Pass, Symbols};
use isa_runtime::literal::Digits;
use isa_runtime::value::{Code, Numbered, Other, Part, Spelling};
use isa_runtime::why::{Expected, Farthest, Texts, Wrong, is_word};
use isa_spec::model::{Enum, Field, Form, Isa, Label, Raw, ones};
use isa_spec::sets::Cube;
use number::has_leading_zero;
use std::ops::Range;

/// A way to read a field.
pub(super) struct Way {
    /// Its bits.
    raw: Raw,
    /// The bits that can be anything.
    open: Raw,
    /// The end of its text.
    pub(super) end: usize,
}

impl Way {
    /// The words that have these bits in the field.
    pub(super) fn cube(&self, field: &Field) -> Cube {
        Cube::new(field.bits.mask() & !field.bits.place(self.open), field.bits.place(self.raw & !self.open))
    }
}

/// A text that is read as one form.
#[derive(Clone)]
pub(super) struct Reading<'t> {
    pub(super) isa: &'t Isa,
    pub(super) form: &'t Form,
    pub(super) text: &'t str,
    pub(super) address: u64,
    pub(super) symbols: Symbols<'t>,
    pub(super) pass: Pass,
    /// The failures, if the reason is wanted.
    pub(super) notes: Option<Farthest>,
}

impl Reading<'_> {
    fn fail(&mut self, at: usize, expected: impl FnOnce() -> Expected) {
        if let Some(notes) = &mut self.notes {
            notes.fail(at, Some(expected()));
        }
    }

    fn wrong(&mut self, from: usize, to: usize, wrong: impl FnOnce() -> Wrong<'static>) {
        if let Some(notes) = &mut self.notes {
            notes.wrong(from, to, wrong());
        }
    }

    pub(super) fn blanks(&self, at: usize) -> usize {
        if self.pass.is_exact() {
            return at;
        }
        at + self.text[at..].bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// The place at which a token may begin: after blanks, if these come after one of `, [ ( +`.
    pub(super) fn token(&self, at: usize) -> usize {
        match self.text[..at].bytes().next_back() {
            None | Some(b',' | b'[' | b'(' | b'+') => self.blanks(at),
            Some(_) => at,
        }
    }

    pub(super) fn literal(&mut self, literal: &str, from: usize) -> Option<usize> {
        if self.pass.is_exact() {
            return self.text[from..].starts_with(literal).then_some(from + literal.len());
        }
        let mut at = from;
        let mut chars = literal.chars().peekable();
        while let Some(c) = chars.next() {
            if c == ' ' {
                let next = self.blanks(at);
                let alone = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_');
                let after = self.text[next..].chars().next();
                if next == at && !alone(self.text[..at].chars().next_back()) && !alone(after) {
                    self.fail(at, || Expected::Blank);
                    return None;
                }
                at = next;
                continue;
            }
            let start = if c.is_ascii_alphanumeric() || c == '_' { self.token(at) } else { self.blanks(at) };
            if !self.text[start..].starts_with(c) {
                let rest: String = std::iter::once(c).chain(chars).take_while(|c| *c != ' ').collect();
                self.fail(start, || Expected::Text(rest));
                return None;
            }
            at = start + c.len_utf8();
        }
        Some(at)
    }

    /// The place at which the text of a value can begin: after blanks, if it begins with punctuation.
    fn mark(&self, text: &str, at: usize) -> usize {
        if text.is_empty() || text.starts_with(is_word) { at } else { self.blanks(at) }
    }

    /// The name of a register at a place.
    pub(super) fn register_name(&mut self, field: &Field, from: usize) -> Option<Range<usize>> {
        // Characters that could continue the previous word belong to it.
        let goes_on = |set: u128| self.text[from..].bytes().next().is_some_and(|b| b.is_ascii() && set >> b & 1 == 1);
        let names = field.spelling.given().filter(|names| !(self.text[..from].ends_with(is_word) && goes_on(names.goes_on())));
        let length = names.and_then(|names| names.longest(&self.text[from..]));
        if length.is_none() {
            self.expected(field, from, false);
        }
        length.map(|length| from..from + length)
    }

    /// The ways in which a field that is spelt so can be read at a place, the longest first.
    pub(super) fn values(&mut self, field: &Field, spelling: &Spelling, at: usize) -> Vec<Way> {
        let mut ways = match spelling.style() {
            Some(style) => self.number(field, style, at),
            None => self.parts(field, spelling, at),
        };
        // A value of an enumeration can be written as any number. Its names are not read as symbols.
        let numbers = spelling.else_style().filter(|_| matches!(field.label, Label::Enum(_)) && field.code.map().is_none());
        if let Some(style) = numbers.filter(|_| !self.pass.is_exact()) {
            let named = ways.iter().map(|way| way.end).max().unwrap_or(0);
            ways.extend(self.number(field, style, at).into_iter().filter(|way| way.end > named));
        }
        if self.pass.is_exact() {
            ways.retain(|way| {
                let mut printed = String::new();
                print_value(&field.code, spelling, way.raw, self.address, &mut printed);
                self.text[at..way.end] == printed
            });
        }
        ways.sort_by_key(|way| std::cmp::Reverse(way.end));
        ways
    }

    /// The texts of all parts, one after the other.
    fn parts(&mut self, field: &Field, spelling: &Spelling, at: usize) -> Vec<Way> {
        let mut read: Vec<(Raw, usize)> = vec![(0, at)];
        for part in &spelling.parts {
            let lo = part.of.map_or(0, |bits| u32::from(bits.lo));
            // Blanks are allowed before a value, but not within it.
            let is_first = spelling.parts.len() == 1;
            let before = std::mem::take(&mut read);
            for (number, at) in before {
                let more = self.part(field, part, is_first, at);
                read.extend(more.into_iter().map(|(more, end)| (number | more << lo, end)));
            }
        }
        let bits = |(number, end)| {
            let all = match (field.code.map(), i128::try_from(number)) {
                (Some(map), Ok(number)) => map.bits(number).map(Raw::from).collect(),
                (Some(_), Err(_)) => Vec::new(),
                (None, _) => field.bits_of(number).into_iter().collect(),
            };
            all.into_iter().map(move |raw| Way { raw, open: 0, end })
        };
        let ways: Vec<Way> = read.into_iter().flat_map(bits).collect();
        self.expected(field, at, !ways.is_empty());
        ways
    }

    /// The numbers of a part that can be read at a place, and where each ends.
    fn part(&mut self, field: &Field, part: &Part, is_first: bool, at: usize) -> Vec<(Raw, usize)> {
        let most = ones(part.of.map_or(field.code.number_width(), |bits| bits.width.into()));
        let mut read = Vec::new();
        // Names that are printed only come last: they are meant where the number that they are read as is not possible.
        for name in part.names.iter().filter(|name| name.number <= most) {
            let start = if is_first { self.mark(&name.text, at) } else { at };
            if self.text[start..].starts_with(&name.text) {
                read.push((name.number, start + name.text.len()));
            }
        }
        if let Some(Other::Numbered(numbered)) = &part.other {
            let code = if part.of.is_none() { field.code.value_code() } else { Code::plain(most.count_ones()) };
            read.extend(self.numbered(field, &code, numbered, most, at));
        }
        read
    }

    /// The numbers between two texts that can be read at a place.
    fn numbered(&mut self, field: &Field, code: &Code, numbered: &Numbered, most: Raw, at: usize) -> Vec<(Raw, usize)> {
        let Some(rest) = self.text[at..].strip_prefix(numbered.before.as_str()) else { return Vec::new() };
        let (radix, skip) = match numbered.is_hex {
            true if rest.starts_with("0x") => (16, 2),
            true => return Vec::new(),
            false => (10, 0),
        };
        let read = Digits::read(&rest.as_bytes()[skip..], radix, false);
        let count = read.length;
        let digits = &rest[skip..skip + count];
        let start = at + numbered.before.len();
        let end = start + skip + count;
        // Behind the letters of a name, zeros are a part of it.
        let number = match !numbered.is_hex && !numbered.before.ends_with(is_word) && has_leading_zero(digits) {
            true => self.with_leading_zero(start, end),
            false => read.magnitude.filter(|_| count > 0).and_then(U256::to_u128),
        };
        let Some(number) = number else { return Vec::new() };
        let half = |half: Raw, text: &str| (number.saturating_mul(2).saturating_add(half), text.to_string() + &numbered.after);
        let numbers = match &numbered.halves {
            None => vec![(number, numbered.after.clone())],
            Some([low, high]) => vec![half(0, low), half(1, high)],
        };
        let greatest = code.range()[1].to_u128().unwrap_or(0);
        let last = numbered.end.map_or(most, |end| end.saturating_sub(1).min(most)).min(greatest);
        let mut read = Vec::new();
        for (number, ending) in numbers.into_iter().filter(|(_, ending)| self.text[end..].starts_with(ending)) {
            let end = end + ending.len();
            if number <= last && code.bits(number.into()).is_ok() {
                read.push((number, end));
                continue;
            }
            let shown = self.text[at..end].to_string();
            let mut text = String::new();
            print_value(&Code::plain(field.code.number_width()), &field.spelling, last, 0, &mut text);
            self.wrong(at, end, || match field.label {
                Label::Register(_) => Wrong::NoRegister { shown, last: text },
                _ => Wrong::NoValue { shown, last: text },
            });
        }
        read
    }

    /// Notes what a field can be at a place where it was read, or not.
    fn expected(&mut self, field: &Field, at: usize, is_read: bool) {
        let isa = self.isa;
        match field.label {
            Label::Enum(id) => {
                let e = &isa.enums[id.index()];
                let are_marks = e.values.iter().all(|v| !v.text.starts_with(is_word));
                let place = if are_marks { self.blanks(at) } else { at };
                if let Some(notes) = &mut self.notes {
                    notes.fail_texts(place, texts_of(e));
                }
            }
            Label::Flag => {
                let text = field.spelling.set_text();
                let start = self.mark(&text, at);
                self.fail(start, || Expected::Text(text));
            }
            _ if is_read => {}
            Label::Register(id) => {
                let file = &isa.registers[id.index()];
                let whole = file.part_of.map_or(&file.name, |part| &isa.registers[part.file.index()].name);
                self.fail(at, || Expected::Register(whole.clone()));
            }
            Label::Set => {
                self.fail(at, || Expected::Letters(field.spelling.set_text()));
            }
            Label::Number => self.fail(at, || Expected::Number),
        }
    }
}

pub(super) fn texts_of(e: &Enum) -> Texts {
    Texts::new(&e.name, e.values.iter().map(|v| v.text.as_str()))
}
