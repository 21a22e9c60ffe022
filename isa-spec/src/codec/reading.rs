//! What stands at a place of a text: the characters of a template, and the values of fields.

use super::print_value;
use crate::model::{Enum, Field, Form, Isa, Label, Raw, ones};
use crate::sets::Cube;
use isa_runtime::engine::read::Pass;
use isa_runtime::float_text;
use isa_runtime::value::{Code, Numbered, Other, Part, Spelling, Step, Style};
use isa_runtime::why::{Expected, Farthest, Texts, Wrong, WrongNumber, is_word};
use std::ops::Range;

/// So many numbers at an end of a range are looked at, to find one that is not excluded.
const MOST_EXCLUDED: i128 = 64;

/// The addresses of labels.
pub(super) type Labels<'t> = &'t dyn Fn(&str) -> Option<u64>;

/// A way to read a field.
pub(super) struct Way {
    /// Its bits.
    raw: Raw,
    /// Those of them that can be anything.
    open: Raw,
    /// Where it ends.
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
    pub(super) labels: Labels<'t>,
    pub(super) pass: Pass,
    /// What fails, if the reason is wanted.
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

    /// Where a token may begin: after blanks, if they stand after one of `, [ ( +`.
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

    /// Where the text of a value can begin: after blanks, if it begins with punctuation.
    fn mark(&self, text: &str, at: usize) -> usize {
        if text.is_empty() || text.starts_with(is_word) { at } else { self.blanks(at) }
    }

    /// The name of a register that stands here.
    pub(super) fn register_name(&mut self, field: &Field, from: usize) -> Option<Range<usize>> {
        // What could belong to the word before does.
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

    fn number(&mut self, field: &Field, style: Style, at: usize) -> Vec<Way> {
        let read = match style {
            Style::Float(format) if !self.text[at..].starts_with("0x") => self.float(field, format.into(), at),
            _ => self.integer(field, style, at),
        };
        let Some((raw, end)) = read else { return Vec::new() };
        let others = alike(field, style, raw, &self.text[at..end]);
        std::iter::once((raw, 0)).chain(others).map(|(raw, open)| Way { raw, open, end }).collect()
    }

    /// The texts of all parts, one after the other.
    fn parts(&mut self, field: &Field, spelling: &Spelling, at: usize) -> Vec<Way> {
        let mut read: Vec<(Raw, usize)> = vec![(0, at)];
        for part in &spelling.parts {
            let lo = part.of.map_or(0, |bits| u32::from(bits.lo));
            // Blanks can stand before a value, and not within it.
            let is_first = spelling.parts.len() == 1;
            let before = std::mem::take(&mut read);
            for (number, at) in before {
                let more = self.part(field, part, is_first, at);
                read.extend(more.into_iter().map(|(more, end)| (number | more << lo, end)));
            }
        }
        self.expected(field, at, !read.is_empty());
        let bits = |(number, end)| field.bits_of(number).map(|raw| Way { raw, open: 0, end });
        read.into_iter().filter_map(bits).collect()
    }

    /// The numbers of a part that can be read at a place, and where each ends.
    fn part(&mut self, field: &Field, part: &Part, is_first: bool, at: usize) -> Vec<(Raw, usize)> {
        let most = ones(part.of.map_or(field.code.width, |bits| bits.width.into()));
        let mut read = Vec::new();
        // Names that are printed only come last: they are meant where the number that they are read as is not possible.
        for name in part.names.iter().filter(|name| name.number <= most) {
            let start = if is_first { self.mark(&name.text, at) } else { at };
            if self.text[start..].starts_with(&name.text) {
                read.push((name.number, start + name.text.len()));
            }
        }
        if let Some(Other::Numbered(numbered)) = &part.other {
            read.extend(self.numbered(field, numbered, most, at));
        }
        read
    }

    /// The numbers between two texts that can be read at a place.
    fn numbered(&mut self, field: &Field, numbered: &Numbered, most: Raw, at: usize) -> Vec<(Raw, usize)> {
        let Some(rest) = self.text[at..].strip_prefix(numbered.before.as_str()) else { return Vec::new() };
        let (radix, skip) = match numbered.is_hex {
            true if rest.starts_with("0x") => (16, 2),
            true => return Vec::new(),
            false => (10, 0),
        };
        let count = rest[skip..].bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
        let digits = &rest[skip..skip + count];
        let start = at + numbered.before.len();
        let end = start + skip + count;
        // Behind the letters of a name, zeros are a part of it.
        let number = match !numbered.is_hex && !numbered.before.ends_with(is_word) && has_leading_zero(digits) {
            true => self.with_leading_zero(start, end),
            false => Raw::from_str_radix(digits, radix).ok(),
        };
        let Some(number) = number else { return Vec::new() };
        let half = |half: Raw, text: &str| (number.saturating_mul(2).saturating_add(half), text.to_string() + &numbered.after);
        let numbers = match &numbered.halves {
            None => vec![(number, numbered.after.clone())],
            Some([low, high]) => vec![half(0, low), half(1, high)],
        };
        let last = numbered.end.map_or(most, |end| end.saturating_sub(1).min(most));
        let mut read = Vec::new();
        for (number, ending) in numbers.into_iter().filter(|(_, ending)| self.text[end..].starts_with(ending)) {
            let end = end + ending.len();
            if number <= last {
                read.push((number, end));
                continue;
            }
            let shown = self.text[at..end].to_string();
            let mut text = String::new();
            print_value(&Code::plain(field.code.width), &field.spelling, last, 0, &mut text);
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

    fn float(&mut self, field: &Field, format: u32, at: usize) -> Option<(Raw, usize)> {
        let end = at + float_text::length(&self.text.as_bytes()[at..]);
        if end == at {
            self.fail(at, || Expected::Number);
            return None;
        }
        if self.text[end..].starts_with(is_word) {
            self.fail(end, || Expected::EndOfNumber);
            return None;
        }
        let shown = &self.text[at..end];
        let Some(bits) = float_text::parse(shown, format) else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let less = format - field.bits.width();
        if bits & ((1 << less) - 1) != 0 {
            self.wrong(at, end, || Wrong::TooExact { shown: shown.to_string(), field: field.path.clone() });
            return None;
        }
        Some((Raw::from(bits >> less), end))
    }

    fn integer(&mut self, field: &Field, style: Style, at: usize) -> Option<(Raw, usize)> {
        let text = &self.text[at..];
        let sign = text.len() - text.trim_start_matches(['-', '+']).len();
        let negative = text.starts_with('-');
        let digits = &text[sign.min(1)..];
        let (radix, skip) = if digits.starts_with("0x") || digits.starts_with("0X") { (16, 2) } else { (10, 0) };
        let count = digits[skip..].bytes().take_while(|b| (*b as char).is_digit(radix)).count();
        let end = at + sign.min(1) + skip + count;
        let is_name = count == 0 || is_local(self.label_name(at));
        if is_name && sign == 0 && (field.is_target() || self.is_label(at)) {
            return self.label(field, style, at);
        }
        if count == 0 || sign > 1 {
            self.fail(at, || Expected::Number);
            return None;
        }
        if self.text[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            self.fail(end, || Expected::EndOfNumber);
            return None;
        }
        let shown = &self.text[at..end];
        // Where numbers are padded with zeros, these say nothing about the radix.
        let is_padded = matches!(style, Style::Padded(2..));
        let magnitude = match Raw::from_str_radix(&digits[skip..skip + count], radix) {
            _ if radix == 10 && !is_padded && has_leading_zero(&digits[..count]) => self.with_leading_zero(at, end)?,
            Ok(magnitude) => magnitude,
            Err(_) => {
                self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
                return None;
            }
        };
        let width = field.bits.width();
        if width > 126 && !negative && field.code.value_steps().iter().all(|step| step.is_of_bits()) {
            return (magnitude <= ones(width)).then(|| (field.code.word_bits(magnitude), end));
        }
        let Ok(value) = i128::try_from(magnitude) else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let value = if negative { -value } else { value };
        self.encode_number(field, style, value, at..end)
    }

    /// A number that begins with `0`: octal, or refused.
    fn with_leading_zero(&mut self, at: usize, end: usize) -> Option<Raw> {
        let shown = self.text[at..end].to_string();
        let digits = shown.trim_start_matches(['-', '+', '0']);
        let is_octal = digits.bytes().all(|c| matches!(c, b'0'..=b'7'));
        let octal = Raw::from_str_radix(digits, 8).ok().filter(|_| is_octal);
        match (self.isa.assembly.octal, octal) {
            (true, Some(n)) => return Some(n),
            (true, None) if is_octal => self.wrong(at, end, || Wrong::TooLarge { shown }),
            (true, None) => self.wrong(at, end, || Wrong::NotOctal { shown }),
            (false, octal) => self.wrong(at, end, || Wrong::LeadingZero { shown, octal }),
        }
        None
    }

    /// The name that stands here.
    fn label_name(&self, at: usize) -> &str {
        let length = self.text[at..].bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')).count();
        &self.text[at..at + length]
    }

    /// Whether the name of a place in the program stands here: its address can be any number.
    fn is_label(&self, at: usize) -> bool {
        (self.labels)(self.label_name(at)).is_some()
    }

    fn label(&mut self, field: &Field, style: Style, at: usize) -> Option<(Raw, usize)> {
        let text = &self.text[at..];
        let length = self.label_name(at).len();
        let end = at + length;
        if length == 0 || text.starts_with(|c: char| c.is_ascii_digit()) && !is_local(&text[..length]) {
            self.fail(at, || Expected::Address);
            return None;
        }
        match (self.labels)(&text[..length]) {
            Some(address) => {
                let is_shown_with_sign = field.is_target() && field.code.modulo().is_none();
                let shown = if is_shown_with_sign { i128::from(address as i64) } else { address.into() };
                self.encode_number(field, style, shown, at..end)
            }
            None => {
                self.wrong(at, end, || Wrong::NoLabel { shown: text[..length].to_string() });
                None
            }
        }
    }

    /// The bits of a number, if it is one that the field can hold.
    fn encode_number(&mut self, field: &Field, style: Style, value: i128, place: Range<usize>) -> Option<(Raw, usize)> {
        let (bias, target) = (field.code.bias(), field.code.relative());
        let (at, end) = (place.start, place.end);
        let width = field.bits.width();
        let shown = &self.text[at..end];
        let base = match target {
            Some(offset) => i128::from((self.address as i64).wrapping_add(offset)),
            None => 0,
        } + i128::from(bias);
        let scale = i128::from(field.code.scale());
        let wraps = field.code.reads_other_sign;
        let (low, high) = if field.code.is_signed() {
            let most = (ones(width) >> 1) as i128;
            (-most - 1, if wraps && width < 128 { ones(width) as i128 } else { most })
        } else {
            (if wraps { -(1i128 << (width.min(127) - 1)) } else { 0 }, (ones(width) >> u32::from(width > 127)) as i128)
        };
        // The sum of an address and a distance has 64 bits.
        let around = i64::try_from(value).ok().filter(|_| target.is_some());
        let distance = match around {
            Some(value) => Some(i128::from(value.wrapping_sub((base - i128::from(bias)) as i64)) - i128::from(bias)),
            // Such an address is shown below 0.
            None if target.is_some() && field.code.modulo().is_none() => None,
            None => value.checked_sub(base),
        };
        let Some(distance) = distance else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let distance = if let Some(bits) = field.code.modulo() {
            let turn = 1i128 << bits;
            let ahead = (distance + i128::from(bias)).rem_euclid(turn) - i128::from(bias);
            let fits = |d: &i128| d % scale == 0 && (low..=high).contains(&(d / scale));
            let near = if ahead + i128::from(bias) < turn / 2 { ahead } else { ahead - turn };
            let other = || some_turn(ahead, turn, scale, [low * scale, high * scale]);
            [near, ahead].into_iter().find(fits).or_else(other).unwrap_or(near)
        } else {
            distance
        };
        let raw = distance / scale;
        if width <= LISTED && field.code.modulo().is_none() {
            if let Some(raw) = listed(&field.code, value, self.address) {
                return Some((raw, end));
            }
        } else if distance % scale == 0 && (low..=high).contains(&raw) {
            return Some((field.code.word_bits(raw as Raw & ones(width)), end));
        }
        self.notes.as_ref()?;
        let [low, high] = self.allowed(field, low, high);
        let of = |raw: i128| raw.saturating_mul(scale).saturating_add(base);
        let shown = shown.to_string();
        let wrong = if distance % scale != 0 {
            Wrong::NotMultiple { shown, scale, bias: bias.into(), is_target: target.is_some() }
        } else {
            let is_decimal = matches!(style, Style::Dec | Style::Padded(_));
            let (a, b) = (of(low), of(high));
            Wrong::OutOfRange { shown, field: field.path.clone(), min: a.min(b), max: a.max(b), is_decimal }
        };
        let nearest = of(raw.clamp(low, high));
        if let Some(notes) = &mut self.notes {
            notes.numbers.push(WrongNumber { at: place, nearest, span: of(high).abs_diff(of(low)), wrong: wrong.clone() });
            notes.wrong(at, end, wrong);
        }
        None
    }

    /// The least and the greatest number of a field that some word of the form has.
    fn allowed(&self, field: &Field, low: i128, high: i128) -> [i128; 2] {
        let (form, width) = (self.form, field.bits.width());
        let is_possible = |raw: &i128| {
            let bits = field.bits.place(field.code.word_bits(*raw as Raw & ones(width)));
            form.words.meets(form.value | bits, form.mask | field.bits.mask())
        };
        let last = low.saturating_add(MOST_EXCLUDED).min(high);
        let first = high.saturating_sub(MOST_EXCLUDED).max(low);
        [(low..=last).find(is_possible).unwrap_or(low), (first..=high).rev().find(is_possible).unwrap_or(high)]
    }
}

pub(super) fn texts_of(e: &Enum) -> Texts {
    Texts::new(&e.name, e.values.iter().map(|v| v.text.as_str()))
}

/// Whether a name refers to a local label: `1b`, `1f`.
fn is_local(name: &str) -> bool {
    let number = name.strip_suffix(['b', 'f']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
}

/// Whether a decimal number begins with a zero that does not belong there.
fn has_leading_zero(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0') && digits.contains(|c| c != '0')
}

/// The numbers of all bits are compared with one that was read up to so many bits.
const LISTED: u32 = 10;

/// The bits whose number is shown so, or would be if it had a sign, or none.
fn listed(code: &Code, number: i128, address: u64) -> Option<Raw> {
    let find = |code: &Code| (0..=ones(code.width)).find(|raw| code.shown(*raw, address) == Some(number.into()));
    let other_sign = || {
        let sign = (!code.is_signed()).then_some(Step::Sign);
        let rest = code.steps()[code.bit_steps().len()..].iter().filter(|step| **step != Step::Sign);
        let bits = Code::plain(code.width).then_all(code.bit_steps().iter().copied());
        find(&bits.then_all(sign).then_all(rest.copied()))
    };
    find(code).or_else(|| other_sign().filter(|_| code.reads_other_sign))
}

/// Other bits that print as a number that was read from these characters, and which of them can be anything.
fn alike(field: &Field, style: Style, raw: Raw, shown: &str) -> Vec<(Raw, Raw)> {
    let width = field.bits.width();
    match style {
        // Hexadecimal digits are the bits themselves.
        Style::Float(format) if shown.ends_with("NAN") => {
            let less = u32::from(format).saturating_sub(width);
            let nans = float_text::other_nans((raw as u64) << less, format.into());
            let fit = nans.filter(|(bits, _)| bits & ((1 << less) - 1) == 0);
            fit.map(|(bits, open)| ((bits >> less).into(), (open >> less).into())).collect()
        }
        _ => {
            let Some(bits) = field.code.modulo() else { return Vec::new() };
            // What is multiplied by a power of two is the same modulo another one.
            let open = ones(width) & !ones(bits.saturating_sub(field.code.scale().trailing_zeros()));
            if open == 0 { Vec::new() } else { vec![(raw & !open, open)] }
        }
    }
}

/// The least of the numbers between two others, whichever is the lesser, that is a multiple of `scale`, and so many turns away from
/// `distance`.
fn some_turn(distance: i128, turn: i128, scale: i128, ends: [i128; 2]) -> Option<i128> {
    let scale = scale.abs();
    // Euclid's algorithm: `factor * turn` leaves the common divisor when it is divided by the scale.
    let (mut common, mut rest, mut factor, mut next) = (turn, scale, 1i128, 0i128);
    while rest != 0 {
        let times = common / rest;
        (common, rest) = (rest, common - times * rest);
        (factor, next) = (next, factor - times * next);
    }
    if distance % common != 0 {
        return None;
    }
    let period = scale / common;
    let turns = (-distance / common).rem_euclid(period) * factor.rem_euclid(period) % period;
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let first = distance + turns * turn;
    Some(low + (first - low).rem_euclid(turn * period)).filter(|found| *found <= high)
}

#[cfg(test)]
mod tests {
    use super::some_turn;

    #[test]
    fn a_multiple_some_turns_away() {
        for turn in [2, 4, 8, 16] {
            for scale in [-6i128, -4, -3, -1, 1, 2, 3, 5, 12] {
                for (low, high) in [(0, 3), (-4, 3), (5, 40), (-40, -20)] {
                    for distance in -20..20i128 {
                        let (a, b) = (low * scale, high * scale);
                        let is_it = |n: &i128| n % scale == 0 && (n - distance) % turn == 0;
                        let found = (a.min(b)..=a.max(b)).find(is_it);
                        assert_eq!(some_turn(distance, turn, scale, [a, b]), found, "{distance} {turn} {scale} {low}..{high}");
                    }
                }
            }
        }
    }
}
