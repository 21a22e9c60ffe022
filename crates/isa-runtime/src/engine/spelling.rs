//! The texts of numbers: printing, and the number that a complete text names.

use super::decode::ones;
use super::print::Out;
use super::table::Table;
use super::tables::{Class, Common, DIGITS, FLOAT, GIVEN, MISSING, NUMBERED, Named, Part, REPEATS};
use crate::float_text::FloatText;
use crate::value::{self, FloatStyle, Number};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// No number has more characters: a sign, `0x`, and 39 decimal digits, or as many as a byte counts.
const CHARACTERS: usize = 3 + 255;

impl Part {
    /// The number in the bits of the part; `None` if it is below 0.
    #[inline]
    pub(super) fn of(&self, number: Number) -> Option<u128> {
        match self.width {
            0 => number.to_u128(),
            width => Some(value::Bits { lo: self.lo, width }.of(number.low())),
        }
    }

    /// Returns true if a number without a name has a text.
    #[inline]
    fn has_other(&self, number: u128) -> bool {
        match self.other {
            NUMBERED | GIVEN => number <= self.last,
            other => other == DIGITS,
        }
    }
}

impl<'a> Common<'a> {
    /// The parts of the texts of numbers.
    #[inline]
    pub fn parts_of(&self, spelling: u32) -> Table<'a, Part> {
        self.parts.slice(self.spellings.get(spelling as usize).unwrap_or_default())
    }

    /// The name of a number that is printed.
    #[inline]
    pub(super) fn printed(&self, part: &Part, number: u128) -> Option<Named> {
        self.names.slice(part.printed).find_sorted(&number, |named| named.value)
    }

    /// The name of a number that is printed, in a spelling of one part.
    pub fn name_of(&self, spelling: u32, number: u128) -> Option<&'a str> {
        let part = self.parts_of(spelling).get(0)?;
        self.printed(&part, number).map(|named| self.text(named.text))
    }

    /// Returns true if a number has a name of its own, printed or not, in a spelling of one part.
    pub fn has_name(&self, spelling: u32, number: u128) -> bool {
        let read = self.parts_of(spelling).get(0).map(|part| part.read).unwrap_or_default();
        self.names.slice(read).iter().any(|named| named.value == number)
    }

    /// Writes the text of a number of `width` bits; `?` and the number if it has no text.
    pub fn print_number(&self, spelling: u32, number: Number, width: u32, out: &mut Out<'_>) {
        for part in self.parts_of(spelling).iter() {
            self.print_part(&part, number, width, out);
        }
    }

    /// Writes the text of a part.
    pub(super) fn print_part(&self, part: &Part, number: Number, width: u32, out: &mut Out<'_>) {
        let index = part.of(number);
        if let Some(named) = index.and_then(|index| self.printed(part, index)) {
            return out.push(self.bytes_of(named.text));
        }
        match (part.other, index) {
            (NUMBERED | GIVEN, Some(index)) if index <= part.last => {
                out.push(self.bytes_of(part.before));
                match part.halved {
                    0 => out.number(false, index, part.radix, 1),
                    _ => {
                        out.decimal(index >> 1, 1);
                        out.push(self.bytes_of(part.halves[(index & 1) as usize]));
                    }
                }
                out.push(self.bytes_of(part.after));
            }
            (DIGITS, _) if part.radix == FLOAT => {
                let less = u32::from(part.digits).saturating_sub(width).min(63);
                let bits = number.low() & ones(width);
                let style = FloatStyle { format: part.digits, digits: part.precision };
                out.push(FloatText::new((bits as u64) << less, style).as_str().as_bytes());
            }
            (DIGITS, Some(index)) => out.number(false, index, part.radix, part.digits),
            (DIGITS, None) => out.number(number.negative, number.magnitude, part.radix, part.digits),
            // A word with such a number is refused; one that is only being explained may have it.
            _ => {
                out.push(b"?");
                out.number(index.is_none(), index.unwrap_or(number.magnitude), 10, 1);
            }
        }
    }

    /// The text of a part of a number.
    pub(super) fn part_text(&self, part: &Part, number: u128) -> String {
        let length = |text| self.bytes_of(text).len();
        let names = self.names.slice(part.printed).iter().map(|named| length(named.text)).max().unwrap_or(0);
        let around: usize = [part.before, part.after, part.halves[0], part.halves[1]].map(length).iter().sum();
        let mut room = vec![0; names + around + CHARACTERS + super::print::ROOM];
        let mut out = Out::new(&mut room);
        // The number is that of the part alone.
        self.print_part(&Part { width: 0, ..*part }, number.into(), 128, &mut out);
        String::from_utf8_lossy(out.as_bytes()).into_owned()
    }

    /// Returns true if a number has a text.
    pub fn has_text(&self, spelling: u32, number: u128) -> bool {
        self.parts_of(spelling).iter().all(|part| {
            let index = part.of(number.into()).unwrap_or_default();
            let is_named = || self.names.slice(part.read).iter().any(|named| named.value == index);
            part.has_other(index) || self.printed(&part, index).is_some() || is_named()
        })
    }

    /// The number named by a complete text, in a spelling of one part.
    pub fn number_named(&self, spelling: u32, text: &str) -> Option<u128> {
        let part = self.parts_of(spelling).get(0)?;
        if let Some(named) = self.names.slice(part.read).iter().find(|named| self.text(named.text) == text) {
            return Some(named.value);
        }
        let inside = text.strip_prefix(self.text(part.before))?.strip_suffix(self.text(part.after))?;
        let number = match part.halved {
            0 => digits(inside, part.radix)?,
            _ => [0, 1].into_iter().find_map(|half| {
                let number = digits(inside.strip_suffix(self.text(part.halves[half as usize]))?, 10)?;
                number.checked_mul(2)?.checked_add(half)
            })?,
        };
        let is_other = matches!(part.other, NUMBERED | GIVEN) && number <= part.last;
        (is_other && self.printed(&part, number).is_none()).then_some(number)
    }

    /// The texts of a spelling of one part, for a message: the first and the last with a number, and some with a name.
    pub(crate) fn some_names(&self, spelling: u32) -> String {
        const MOST: usize = 8;
        let Some(part) = self.parts_of(spelling).get(0) else { return String::new() };
        let mut list = Vec::new();
        if matches!(part.other, NUMBERED | GIVEN) {
            let mut numbers = (0..=part.last).filter(|number| self.printed(&part, *number).is_none());
            if let Some(first) = numbers.next() {
                let last = numbers.next_back().unwrap_or(first);
                list.push(format!("`{}` to `{}`", self.part_text(&part, first), self.part_text(&part, last)));
            }
        }
        let names = self.names.slice(part.read);
        let shown = names.iter().map(|named| self.text(named.text)).filter(|name| !name.is_empty());
        list.extend(shown.take(MOST).map(|name| format!("`{name}`")));
        list.join(", ") + if names.len() > MOST { ", …" } else { "" }
    }

    /// The names that programs can give to a number, each a row of classes.
    pub(super) fn patterns_of(&self, spelling: u32) -> impl Iterator<Item = Table<'a, Class>> + Clone + use<'a> {
        let patterns = self.parts_of(spelling).get(0).map(|part| part.patterns).unwrap_or_default();
        let classes = self.classes;
        self.patterns.slice(patterns).iter().map(move |row| classes.slice(row))
    }

    /// Returns true if programs can give this name to a number.
    pub fn is_name(&self, spelling: u32, name: &str) -> bool {
        self.patterns_of(spelling).filter_map(|classes| longest(classes, name.as_bytes())).max() == Some(name.len())
    }
}

impl Class {
    fn has(&self, c: u8) -> bool {
        c.is_ascii() && self.of >> c & 1 == 1
    }
}

/// Returns true if a name of these classes can continue with a character.
pub(super) fn goes_on(classes: Table<'_, Class>, c: u8) -> bool {
    classes.iter().enumerate().any(|(i, class)| (i > 0 || class.flags & REPEATS != 0) && class.has(c))
}

/// The length in bytes of the longest name of these classes at the beginning of the text.
pub(super) fn longest(classes: Table<'_, Class>, text: &[u8]) -> Option<usize> {
    classes.iter().try_fold(0, |at, class| {
        let most = if class.flags & REPEATS != 0 { usize::MAX } else { 1 };
        let count = text.iter().skip(at).take(most).take_while(|c| class.has(**c)).count();
        (count > 0 || class.flags & MISSING != 0).then_some(at + count)
    })
}

/// A number as it is printed between texts: decimal digits without leading zeros, or `0x` and hexadecimal digits.
fn digits(text: &str, radix: u8) -> Option<u128> {
    let digits = if radix == 16 { text.strip_prefix("0x")? } else { text };
    let is_digit = |c: u8| if radix == 16 { matches!(c, b'0'..=b'9' | b'a'..=b'f') } else { c.is_ascii_digit() };
    let is_good = digits.bytes().all(is_digit) && (digits == "0" || !digits.starts_with('0'));
    if is_good { u128::from_str_radix(digits, if radix == 16 { 16 } else { 10 }).ok() } else { None }
}
