//! The values of fields in texts.

use super::super::decode::{flipped, ones};
use super::super::tables::{
    ENUM, FLAG, FLOAT, Field, LETTERS, MISSING, NUMBER, Number, OCTAL, Part, REGISTER, REPEATS, Registers, SIGNED, TARGET,
    Tables, WRAPS,
};
use super::super::{Bits, Table};
use super::alike::alike;
use super::attempt::{Attempt, Way};
use super::nearest::meets;
use super::ready::{File, Name, Ready, Set, Step};
use super::task::{Task, is_word};
use crate::float_text::{self, FloatText};
use crate::why::{Expected, Wrong, WrongNumber};
use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;

/// The digits that a text begins with.
struct Digits {
    /// The number, if it fits; 0 if there are none.
    magnitude: Option<u128>,
    count: usize,
    is_lower: bool,
}

impl Digits {
    /// The number of one digit or more, if it fits.
    fn number(&self) -> Option<u128> {
        self.magnitude.filter(|_| self.count > 0)
    }

    fn new(text: &[u8], radix: u32) -> Self {
        let (mut is_lower, is_hex, last) = (true, radix == 16, b'0' + radix.min(10) as u8 - 1);
        let mut digit = |c: u8| match c {
            b'0'..=b'9' => (c <= last).then_some(c - b'0'),
            b'a'..=b'f' if is_hex => Some(c - b'a' + 10),
            b'A'..=b'F' if is_hex => {
                is_lower = false;
                Some(c - b'A' + 10)
            }
            _ => None,
        };
        let mut rest = text.iter().copied().map_while(&mut digit).fuse();
        let (mut low, mut count) = (0u64, 0);
        // 15 digits fit 64 bits.
        for digit in rest.by_ref().take(15) {
            low = low * u64::from(radix) + u64::from(digit);
            count += 1;
        }
        let mut magnitude = Some(u128::from(low));
        for digit in rest {
            magnitude = magnitude.and_then(|m| m.checked_mul(radix.into())?.checked_add(digit.into()));
            count += 1;
        }
        Self { magnitude, count, is_lower }
    }
}

/// So many numbers at an end of a range are looked at, to find one that is not excluded.
const MOST_EXCLUDED: i128 = 64;

/// So many steps decide whether a message names a value as the end of a range.
const STEPS_FOR_A_RANGE: u32 = 1 << 12;

/// Quotient and remainder, for a divisor that is not 0.
fn divided(n: i128, by: i64) -> (i128, i128) {
    match i64::try_from(n) {
        _ if by == 1 => (n, 0),
        // Division of 64 bits takes a fraction of the time.
        Ok(n) if by > 0 => ((n / by).into(), (n % by).into()),
        _ => (n.wrapping_div(by.into()), n.wrapping_rem(by.into())),
    }
}

impl<W: Bits> Attempt<W> {
    /// Adds the ways in which a field can be read at a place: its bits, and where it ends.
    pub(super) fn ways(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, step: &Step<'_>, field: &Field, at: usize) {
        let first = self.ways.len();
        let of = field.of as usize;
        match field.kind {
            NUMBER => {
                if let Some(number) = tables.numbers.get(of)
                    && let Some(way) = self.number(tables, task, field, &number, step.radix, at)
                {
                    self.ways.push(way);
                    self.ways.extend(alike(field, &number, way, &task.bytes[at..way.end]));
                }
            }
            REGISTER => {
                if let Some(file) = tables.files.get(of) {
                    self.register(tables, task, field, file, at);
                }
            }
            ENUM => {
                if let Some(set) = tables.sets.get(of) {
                    self.enumeration(tables, task, field, set, at);
                }
            }
            FLAG => {
                let text = step.text.text;
                let start = task.mark(text, at);
                if !text.is_empty() && task.stands(&step.text, start) {
                    self.ways.push(Way { raw: flipped(field, 1), open: 0, end: start + text.len(), is_printed: true });
                }
                self.ways.push(Way { raw: flipped(field, 0), open: 0, end: at, is_printed: true });
                self.notes.fail(task, start, || Expected::Text(String::from_utf8_lossy(text).into_owned()));
            }
            LETTERS => {
                let letters = step.text.text;
                let rest = task.rest(at);
                let is_good = rest.len() >= letters.len() && rest.iter().zip(letters).all(|(c, l)| *c == b'-' || c == l);
                if is_good {
                    let set = letters.iter().zip(rest).enumerate().filter(|(_, (_, c))| **c != b'-');
                    let raw = set.fold(0, |raw, (i, _)| raw | 1 << (i & 127));
                    self.ways.push(Way { raw: flipped(field, raw), open: 0, end: at + letters.len(), is_printed: true });
                } else {
                    self.notes.fail(task, at, || Expected::Letters(String::from_utf8_lossy(letters).into_owned()));
                }
            }
            _ => {}
        }
        if task.pass.is_exact() {
            let mut kept = first;
            for i in first..self.ways.len() {
                if self.ways[i].is_printed {
                    self.ways[kept] = self.ways[i];
                    kept += 1;
                }
            }
            self.ways.truncate(kept);
        }
    }

    fn register(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, field: &Field, file: &File<'_>, at: usize) {
        let first = self.ways.len();
        let most = ones(field.width.into());
        for Name { text: name, value, is_printed } in &file.names {
            if task.stands(name, at) && *value <= most {
                self.ways.push(Way { raw: flipped(field, *value), open: 0, end: at + name.len(), is_printed: *is_printed });
            }
        }
        if task.stands(&file.prefix, at) {
            let rest = task.rest(at + file.prefix.len());
            let digits = Digits::new(rest, 10);
            let count = digits.count;
            if let Some(n) = digits.number() {
                let is_plain = count == 1 || rest.first() != Some(&b'0');
                let end = at + file.prefix.len() + count;
                let halves = file.halves.len() as u128;
                for (half, name) in (0..).zip(&file.halves) {
                    let after = end + name.len();
                    if !task.stands(name, end) || !task.stands(&file.suffix, after) {
                        continue;
                    }
                    let (n, end) = (n.saturating_mul(halves).saturating_add(half), after + file.suffix.len());
                    if n < file.row.count && n <= most {
                        let is_printed = is_plain && file.names.iter().all(|name| name.value != n || !name.is_printed);
                        self.ways.push(Way { raw: flipped(field, n), open: 0, end, is_printed });
                    } else {
                        let last = file.row.count.min(most.saturating_add(1)).saturating_sub(1);
                        self.notes.wrong(task, at, end, || {
                            let last = tables.register_name(&file.row, last);
                            Wrong::NoRegister { shown: task.text[at..end].to_string(), last }
                        });
                    }
                }
            }
        }
        if self.ways.len() == first {
            self.notes.fail(task, at, || Expected::Register(tables.text(file.row.of).to_string()));
        }
    }

    fn enumeration(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, field: &Field, set: &Set<'_>, at: usize) {
        let most = ones(field.width.into());
        // Most texts begin with the same mark: what follows blanks is looked up once.
        let after_blanks = task.blanks(at);
        let can_begin = |at: usize| task.bytes.get(at).is_some_and(|c| set.initials >> c.min(&127) & 1 != 0);
        let from = if can_begin(at) || can_begin(after_blanks) { 0 } else { set.empty };
        for Name { text, value, is_printed } in &set.names[from..] {
            let start = if text.text.first().is_none_or(|c| is_word(*c)) { at } else { after_blanks };
            if task.stands(text, start) && *value <= most {
                self.ways.push(Way { raw: flipped(field, *value), open: 0, end: start + text.len(), is_printed: *is_printed });
            }
        }
        let [before, after] = set.around;
        if set.row.open != 0
            && let Some(rest) = task.rest(at).strip_prefix(before)
        {
            let is_hex = set.row.open == 16;
            let mark: &[u8] = if is_hex { b"0x" } else { b"" };
            let first = mark.len();
            let digits = rest.strip_prefix(mark).map(|rest| Digits::new(rest, if is_hex { 16 } else { 10 }));
            if let Some((digits, mut n)) = digits.and_then(|digits| digits.number().map(|n| (digits, n)))
                && rest[first + digits.count..].starts_with(after)
            {
                let start = at + before.len();
                let end = start + first + digits.count + after.len();
                // Behind the letters of a name, zeros are a part of it.
                if !is_hex && !before.last().is_some_and(|c| is_word(*c)) && has_leading_zero(&rest[..digits.count]) {
                    let octal = self.with_leading_zero(tables, task, &rest[..digits.count], start..start + digits.count);
                    let Some(octal) = octal.flatten() else { return };
                    n = octal;
                }
                if n <= most {
                    let values = tables.names.slice(set.row.values);
                    let is_unnamed = values.find_sorted(&n, |v| v.value).is_none();
                    let is_printed = is_unnamed && (digits.count == 1 || rest[first] != b'0') && digits.is_lower;
                    self.ways.push(Way { raw: flipped(field, n), open: 0, end, is_printed });
                } else {
                    self.notes.wrong(task, at, end, || {
                        let [before, after] = set.row.around.map(|text| tables.text(text));
                        let most = if is_hex { format!("{most:#x}") } else { most.to_string() };
                        Wrong::NoValue { shown: task.text[at..end].to_string(), last: format!("{before}{most}{after}") }
                    });
                }
            }
        }
        self.notes.fail_enum(tables, task, &set.row, at);
    }

    /// The one way to read a number.
    pub(super) fn number(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field,
        number: &Number,
        radix: [u8; 2],
        at: usize,
    ) -> Option<Way> {
        let text = task.rest(at);
        if number.radix == FLOAT && !text.starts_with(b"0x") {
            return self.float(tables, task, field, number, radix, at);
        }
        let signs = text.iter().take_while(|c| matches!(c, b'-' | b'+')).count();
        let is_negative = text.first() == Some(&b'-');
        let unsigned = &text[signs.min(1)..];
        let is_hex = unsigned.starts_with(b"0x") || unsigned.starts_with(b"0X");
        let skip = if is_hex { 2 } else { 0 };
        let all = &unsigned[skip..];
        let Digits { magnitude, count, is_lower } = Digits::new(all, if is_hex { 16 } else { 10 });
        let end = at + signs.min(1) + skip + count;
        let is_target = number.flags & TARGET != 0;
        let is_name = count == 0 || is_local(Self::label_name(task, at));
        let [own, least] = if radix[0] == 0 { [number.radix, number.digits] } else { radix };
        if is_name && signs == 0 && (is_target || self.is_label(task, at)) {
            return self.label(tables, task, field, number, own, at);
        }
        if count == 0 || signs > 1 {
            self.notes.fail(task, at, || Expected::Number);
            return None;
        }
        if all.get(count).is_some_and(|c| is_word(*c)) {
            self.notes.fail(task, end, || Expected::EndOfNumber);
            return None;
        }
        let shown = || task.text[at..end].to_string();
        // Where numbers are padded with zeros, these say nothing about the radix.
        let is_padded_place = own == 10 && least > 1;
        let magnitude = match !is_hex && !is_padded_place && has_leading_zero(&all[..count]) {
            true => self.with_leading_zero(tables, task, &all[..count], at..end)?,
            false => magnitude,
        };
        let Some(magnitude) = magnitude else {
            self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown() });
            return None;
        };
        let width = u32::from(field.width);
        let is_plain = (number.scale, number.bias) == (1, 0) && number.flags & SIGNED == 0;
        let raw = if width > 126 && is_plain && !is_negative {
            (magnitude <= ones(width)).then_some(flipped(field, magnitude))?
        } else {
            let Ok(value) = i128::try_from(magnitude) else {
                self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown() });
                return None;
            };
            let value = if is_negative { -value } else { value };
            self.encode(tables, task, field, number, own, value, at..end)?
        };
        // Printed so: the same sign, size, radix and digits.
        let is_padded = if is_hex || least <= 1 {
            count == 1 || all[0] != b'0'
        } else {
            count == least.into() || (count > least.into() && all[0] != b'0')
        };
        let is_printed = is_lower
            && (own == 16) == is_hex
            && !text.starts_with(b"+")
            && unsigned.get(1) != Some(&b'X')
            && is_padded
            && tables.shown(field, number, flipped(field, raw), task.address) == (is_negative, magnitude);
        Some(Way { raw, open: 0, end, is_printed })
    }

    /// A number that begins with `0`, which is octal where the instruction set has such numbers and refused elsewhere: the number, if it
    /// fits.
    #[cold]
    fn with_leading_zero(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        digits: &[u8],
        at: Range<usize>,
    ) -> Option<Option<u128>> {
        let octal = Digits::new(digits, 8);
        let is_octal = octal.count == digits.len();
        if tables.head().flags & OCTAL != 0 && is_octal {
            return Some(octal.magnitude);
        }
        self.notes.wrong(task, at.start, at.end, || {
            let shown = task.text[at.clone()].to_string();
            match tables.head().flags & OCTAL != 0 {
                true => Wrong::NotOctal { shown },
                false => Wrong::LeadingZero { shown, octal: octal.magnitude.filter(|_| is_octal) },
            }
        });
        None
    }

    fn float(
        &mut self,
        tables: &Tables<'_, W>,
        task: &Task<'_>,
        field: &Field,
        number: &Number,
        radix: [u8; 2],
        at: usize,
    ) -> Option<Way> {
        let end = at + float_text::length(task.rest(at));
        if end == at {
            self.notes.fail(task, at, || Expected::Number);
            return None;
        }
        if task.rest(end).first().is_some_and(|c| is_word(*c)) {
            self.notes.fail(task, end, || Expected::EndOfNumber);
            return None;
        }
        let shown = task.text.get(at..end)?;
        let format = u32::from(number.digits);
        let Some(bits) = float_text::parse(shown, format) else {
            self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let less = format.saturating_sub(field.width.into()).min(63);
        if u128::from(bits) & ones(less) != 0 {
            let path = tables.text(field.path);
            self.notes.wrong(task, at, end, || Wrong::TooExact { shown: shown.to_string(), field: path.to_string() });
            return None;
        }
        let is_printed = radix[0] == 0 && FloatText::new(bits, format).as_str() == shown;
        Some(Way { raw: flipped(field, u128::from(bits >> less)), open: 0, end, is_printed })
    }

    /// The name that stands here.
    fn label_name<'x>(task: &Task<'x>, at: usize) -> &'x str {
        let length = task.rest(at).iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')).count();
        task.text.get(at..at + length).unwrap_or_default()
    }

    /// Whether the name of a place in the program stands here: its address can be any number.
    fn is_label(&self, task: &Task<'_>, at: usize) -> bool {
        (task.labels)(Self::label_name(task, at)).is_some()
    }

    fn label(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field,
        number: &Number,
        radix: u8,
        at: usize,
    ) -> Option<Way> {
        let name = Self::label_name(task, at);
        let end = at + name.len();
        if name.is_empty() || (name.starts_with(|c: char| c.is_ascii_digit()) && !is_local(name)) {
            self.notes.fail(task, at, || Expected::Address);
            return None;
        }
        match (task.labels)(name) {
            Some(address) => {
                let raw = self.encode(tables, task, field, number, radix, address.into(), at..end)?;
                Some(Way { raw, open: 0, end, is_printed: false })
            }
            None => {
                self.notes.wrong(task, at, end, || Wrong::NoLabel { shown: name.to_string() });
                None
            }
        }
    }

    /// The bits of a number, if it is one that the field can hold.
    #[expect(clippy::too_many_arguments, reason = "a number, its field and its place")]
    fn encode(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field,
        number: &Number,
        radix: u8,
        value: i128,
        place: Range<usize>,
    ) -> Option<u128> {
        let (at, end) = (place.start, place.end);
        let width = u32::from(field.width);
        let (is_target, field_wraps) = (number.flags & TARGET != 0, field.flags & WRAPS != 0);
        let shown = || task.text[at..end].to_string();
        let bias = i128::from(number.bias);
        let base = if is_target { i128::from((task.address as i64).wrapping_add(number.target)) } else { 0 } + bias;
        let scale = i128::from(number.scale);
        // A target wraps as an address does, and not in its field.
        let wraps = field_wraps && !is_target;
        let (low, high) = if number.flags & SIGNED != 0 {
            let most = (ones(width) >> 1) as i128;
            (-most - 1, if wraps && width < 128 { ones(width) as i128 } else { most })
        } else {
            (if wraps { -(1i128 << (width.clamp(1, 127) - 1)) } else { 0 }, (ones(width) >> u32::from(width > 127)) as i128)
        };
        // The sum of an address and a distance has 64 bits.
        let around = i64::try_from(value).ok().filter(|_| is_target);
        let distance = match around {
            Some(value) => Some(i128::from(value.wrapping_sub((base - bias) as i64)) - bias),
            None => value.checked_sub(base),
        };
        let Some(mut distance) = distance else {
            self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown() });
            return None;
        };
        if scale == 0 {
            return None;
        }
        if number.modulo > 0 {
            let turn = 1i128 << number.modulo.min(64);
            let ahead = distance.checked_add(bias)?.rem_euclid(turn) - bias;
            let fits = |d: &i128| d.wrapping_rem(scale) == 0 && (low..=high).contains(&(d.wrapping_div(scale)));
            let near = if ahead + bias < turn / 2 { ahead } else { ahead - turn };
            let other = || multiple(ahead, scale, number.modulo.min(64), low, high);
            distance = [near, ahead].into_iter().find(fits).or_else(other).unwrap_or(near);
        }
        let (raw, rest) = divided(distance, number.scale);
        if rest == 0 && (low..=high).contains(&raw) {
            return Some(flipped(field, raw as u128 & ones(width)));
        }
        if !task.notes {
            return None;
        }
        let [low, high] = self.allowed(tables, field, low, high);
        let of = |raw: i128| raw.saturating_mul(scale).saturating_add(base);
        let nearest = of(raw.clamp(low, high));
        let wrong = if rest != 0 {
            Wrong::NotMultiple { shown: shown(), scale, bias, is_target }
        } else {
            let (a, b, field) = (of(low), of(high), tables.text(field.path).to_string());
            Wrong::OutOfRange { shown: shown(), field, min: a.min(b), max: a.max(b), is_decimal: radix == 10 }
        };
        let span = of(high).abs_diff(of(low));
        self.notes.farthest.numbers.push(WrongNumber { at: place, nearest, span, wrong: wrong.clone() });
        self.notes.wrong(task, at, end, || wrong);
        None
    }

    /// The least and the greatest number of a field that some word of the form has.
    fn allowed(&self, tables: &Ready<'_, W>, field: &Field, low: i128, high: i128) -> [i128; 2] {
        let mask = tables.place(field.ranges, u128::MAX);
        let is_possible = |raw: &i128| {
            let bits = tables.place(field.ranges, flipped(field, *raw as u128 & ones(field.width.into())));
            meets(tables, self.words, self.fixed.1 | bits, self.fixed.0 | mask, 1, STEPS_FOR_A_RANGE)
        };
        let last = low.saturating_add(MOST_EXCLUDED).min(high);
        let first = high.saturating_sub(MOST_EXCLUDED).max(low);
        [(low..=last).find(is_possible).unwrap_or(low), (first..=high).rev().find(is_possible).unwrap_or(high)]
    }

    /// Reads the name of a register: where it ends.
    pub(super) fn name(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, field: &Field, from: usize) -> Option<usize> {
        let file = tables.registers.get(field.of as usize)?;
        let rows = tables.spellings.slice(file.spellings);
        let parts = rows.iter().map(|row| tables.parts.slice(row));
        // What could belong to the word before does.
        let rest = task.rest(from);
        let is_inside = from.checked_sub(1).and_then(|before| task.bytes.get(before)).is_some_and(|c| is_word(*c));
        let runs_on = is_inside && rest.first().is_some_and(|c| parts.clone().any(|parts| goes_on(parts, *c)));
        let Some(length) = parts.filter_map(|parts| longest(parts, rest)).max().filter(|_| !runs_on) else {
            self.notes.fail(task, from, || Expected::Register(tables.text(file.name).to_string()));
            return None;
        };
        if let Some(name) = self.names.get_mut(usize::from(field.place)) {
            *name = from..from + length;
        }
        Some(from + length)
    }
}

/// Whether a name refers to a local label, which has a number: `1b` to the last one before here, `1f` to the next one.
pub fn is_local(name: &str) -> bool {
    let number = name.strip_suffix(['b', 'f']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
}

/// Whether a decimal number begins with a zero that does not belong there.
fn has_leading_zero(digits: &[u8]) -> bool {
    digits.len() > 1 && digits[0] == b'0' && digits.iter().any(|c| *c != b'0')
}

impl<W: Bits> Tables<'_, W> {
    /// Whether programs can call a register of a file so.
    pub fn is_name(&self, file: &Registers, name: &str) -> bool {
        let rows = self.spellings.slice(file.spellings);
        rows.iter().filter_map(|row| longest(self.parts.slice(row), name.as_bytes())).max() == Some(name.len())
    }
}

/// The least multiple of `scale`, by a factor of `low` to `high`, that differs from `distance` by a multiple of 2^`bits`.
fn multiple(distance: i128, scale: i128, bits: u8, low: i128, high: i128) -> Option<i128> {
    // A power of two and an odd number: the former divides what is left over, the latter has an inverse.
    let zeros = scale.trailing_zeros().min(bits.into());
    if distance & ones(zeros) as i128 != 0 {
        return None;
    }
    let odd = scale >> zeros;
    // Three bits of the inverse are known, and each step doubles them.
    let inverse = (0..6).fold(odd, |x, _| x.wrapping_mul(2i128.wrapping_sub(odd.wrapping_mul(x))));
    let factor = (distance >> zeros).wrapping_mul(inverse);
    // Factors so many apart do as well.
    let period = ones(u32::from(bits) - zeros) as i128;
    let factor = match scale > 0 {
        true => low.checked_add(factor.wrapping_sub(low) & period),
        false => high.checked_sub(high.wrapping_sub(factor) & period),
    };
    factor.filter(|factor| (low..=high).contains(factor)).and_then(|factor| factor.checked_mul(scale))
}

impl Part {
    fn has(&self, c: u8) -> bool {
        c.is_ascii() && self.of >> c & 1 == 1
    }
}

/// Whether a name of these parts can go on with a character.
fn goes_on(parts: Table<'_, Part>, c: u8) -> bool {
    parts.iter().enumerate().any(|(i, part)| (i > 0 || part.flags & REPEATS != 0) && part.has(c))
}

/// Bytes of the longest name of these parts that the text begins with.
fn longest(parts: Table<'_, Part>, text: &[u8]) -> Option<usize> {
    parts.iter().try_fold(0, |at, part| {
        let most = if part.flags & REPEATS != 0 { usize::MAX } else { 1 };
        let count = text.iter().skip(at).take(most).take_while(|c| part.has(**c)).count();
        (count > 0 || part.flags & MISSING != 0).then_some(at + count)
    })
}

#[cfg(test)]
mod tests {
    use super::multiple;

    #[test]
    fn a_multiple_some_turns_away() {
        for bits in 1..=4 {
            for scale in [-6i128, -4, -3, -1, 1, 2, 3, 5, 12, 32] {
                for (low, high) in [(0, 3), (-4, 3), (5, 40), (-40, -20)] {
                    for distance in -20..20i128 {
                        let all = (low..=high).map(|factor| factor * scale);
                        let least = all.filter(|n| (n - distance) % (1 << bits) == 0).min();
                        assert_eq!(multiple(distance, scale, bits, low, high), least, "{distance} {scale} {bits} {low}..{high}");
                    }
                }
            }
        }
        assert_eq!(multiple(1, 3, 64, 0, (1 << 64) - 1), Some(0x2_0000_0000_0000_0001));
    }
}
