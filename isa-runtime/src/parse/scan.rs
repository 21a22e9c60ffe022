//! Reading the pieces of a text.
//!
//! Blanks may stand before punctuation, and after `,`, `[`, `(` and `+`. A blank of a template must be there between two
//! words, and may be left out beside punctuation.

use crate::form::{Names, Registers};
use crate::names::NameRows;

/// Characters that a text must have at some place, laid out so that eight of them are one comparison.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    text: &'static str,
    /// The first eight characters, the first one lowest.
    head: u64,
    mask: u64,
}

impl Literal {
    /// These characters.
    pub const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let (mut head, mut mask) = (0, 0);
        let mut i = 0;
        while i < bytes.len() && i < 8 {
            head |= (bytes[i] as u64) << (8 * i);
            mask |= 0xff << (8 * i);
            i += 1;
        }
        Self { text, head, mask }
    }

    /// The characters.
    pub const fn text(self) -> &'static str {
        self.text
    }

    /// Whether they begin with punctuation, before which blanks may stand.
    pub(super) const fn is_mark(self) -> bool {
        self.mask & 0xff != 0 && !is_word(self.head as u8)
    }
}

/// A text with zeros after it, so that eight characters can be read anywhere in it.
pub(super) struct Padded {
    bytes: [u8; LONGEST + 8],
}

/// Longer texts are read in place, and more slowly.
const LONGEST: usize = 120;

impl Padded {
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [0; LONGEST + 8];
        if let Some(to) = bytes[..LONGEST].get_mut(..text.len()) {
            to.copy_from_slice(text.as_bytes());
        }
        Self { bytes }
    }

    /// The scanner of the text that this was made from.
    pub(super) fn scanner<'t>(&'t self, text: &'t str) -> Scanner<'t> {
        Scanner { text: if text.len() <= LONGEST { &self.bytes } else { text.as_bytes() }, len: text.len() }
    }
}

/// A text, and how its pieces are read. Positions are byte offsets.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'t> {
    /// The text, and perhaps zeros after it.
    text: &'t [u8],
    len: usize,
}

/// Characters of which names and numbers are made.
pub(super) const fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

impl<'t> Scanner<'t> {
    pub(super) fn bytes(self) -> &'t [u8] {
        self.text.get(..self.len).unwrap_or(self.text)
    }

    /// The character there; `None` at the end.
    #[inline(always)]
    fn peek(self, at: usize) -> Option<u8> {
        if at < self.len { self.text.get(at).copied() } else { None }
    }

    /// Eight characters from there, the first one lowest; zeros beyond the end.
    #[inline(always)]
    fn eight(self, at: usize) -> u64 {
        match self.text.get(at..).and_then(|t| t.first_chunk()) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => self.last_eight(at),
        }
    }

    #[cold]
    fn last_eight(self, at: usize) -> u64 {
        let rest = self.text.get(at..).unwrap_or(&[]);
        rest.iter().rev().fold(0, |word, c| word << 8 | u64::from(*c))
    }

    pub(super) fn is_end(self, at: usize) -> bool {
        at >= self.len
    }

    /// The next character that isn't blank.
    #[inline(always)]
    pub(super) fn blanks(self, mut at: usize) -> usize {
        while matches!(self.peek(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    }

    #[inline(always)]
    fn before(self, at: usize) -> Option<u8> {
        self.peek(at.checked_sub(1)?)
    }

    /// Where a name or a number may begin.
    #[inline(always)]
    pub(super) fn token(self, at: usize) -> usize {
        match self.before(at) {
            None | Some(b',' | b'[' | b'(' | b'+') => self.blanks(at),
            Some(_) => at,
        }
    }

    /// Reads the characters of a template: where they end, or where the first that is missing should be.
    #[inline(always)]
    pub(super) fn text(self, at: usize, expected: &Literal) -> Result<usize, usize> {
        // As it is printed, which is how it mostly comes.
        match self.starts(at, expected) {
            Some(end) if expected.text.ends_with(' ') => Ok(self.blanks(end)),
            Some(end) => Ok(end),
            None => self.loose_text(at, expected),
        }
    }

    fn loose_text(self, mut at: usize, expected: &Literal) -> Result<usize, usize> {
        for &c in expected.text.as_bytes() {
            if c == b' ' {
                let next = self.blanks(at);
                let word = |c: Option<u8>| c.is_some_and(is_word);
                if next == at && word(self.before(at)) && word(self.peek(at)) {
                    return Err(at);
                }
                at = next;
                continue;
            }
            let start = if is_word(c) { self.token(at) } else { self.blanks(at) };
            if self.peek(start) != Some(c) {
                return Err(start);
            }
            at = start + 1;
        }
        Ok(at)
    }

    /// Reads exactly these characters.
    #[inline(always)]
    pub(super) fn starts(self, at: usize, expected: &Literal) -> Option<usize> {
        let head = (self.eight(at) ^ expected.head) & expected.mask == 0;
        (head && self.starts_on(at, expected)).then_some(at + expected.text.len())
    }

    /// Whether the characters after the eighth are there as well.
    #[inline(always)]
    fn starts_on(self, at: usize, expected: &Literal) -> bool {
        let long = || self.text.get(at..).is_some_and(|t| t.starts_with(expected.text.as_bytes()));
        expected.text.len() <= 8 || long()
    }

    /// Reads exactly these characters, of any length.
    fn starts_str(self, at: usize, text: &str) -> Option<usize> {
        let there = self.text.get(at..)?.get(..text.len())?;
        // Most are too short for a call to pay.
        there.iter().zip(text.as_bytes()).all(|(a, b)| a == b).then_some(at + text.len())
    }

    /// Where characters can stand: behind blanks, if they are punctuation.
    #[inline(always)]
    pub(super) fn mark(self, at: usize, text: &Literal) -> usize {
        if text.is_mark() { self.blanks(at) } else { at }
    }

    /// Reads the name of a register that a program names: where it ends. What could belong to the word before does.
    pub(super) fn name(self, at: usize, rows: &NameRows) -> Option<usize> {
        let runs_on = self.before(at).is_some_and(is_word) && self.peek(at).is_some_and(|c| rows.goes_on_with(c));
        let length = rows.longest(self.bytes().get(at..)?)?;
        (!runs_on).then_some(at + length)
    }

    /// Reads decimal digits; a number that is too large stays the largest.
    #[inline(always)]
    fn digits(self, at: usize) -> Option<(u64, usize)> {
        // So many digits always fit.
        const SAFE: usize = 19;
        let mut value = 0u64;
        let mut end = at;
        while let Some(c) = self.peek(end).filter(u8::is_ascii_digit) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(c - b'0'));
            end += 1;
        }
        if end == at {
            return None;
        }
        Some((if end - at > SAFE { u64::MAX } else { value }, end))
    }

    /// Reads a register that has a name of its own: its index.
    pub(super) fn special(self, at: usize, file: &Registers) -> Option<(u128, usize)> {
        let mut found: Option<(u128, usize)> = None;
        for (index, name) in file.names {
            if let Some(end) = self.starts(at, name).filter(|end| found.is_none_or(|f| *end > f.1)) {
                found = Some(((*index).into(), end));
            }
        }
        found
    }

    /// Reads a register by number: its index.
    pub(super) fn register(self, at: usize, file: &Registers) -> Option<(u128, usize)> {
        let (number, end) = self.digits(self.starts(at, &file.begin)?)?;
        let (index, end) = match file.halves {
            None => (number, end),
            Some(halves) => {
                let (half, end) = (0..).zip(halves).find_map(|(i, name)| Some((i, self.starts_str(end, name)?)))?;
                (number.saturating_mul(2).saturating_add(half), end)
            }
        };
        let end = if file.suffix.is_empty() { end } else { self.starts_str(end, file.suffix)? };
        (index < file.count).then_some((index.into(), end))
    }

    /// Whether the text of a value can stand there, the empty one aside.
    #[inline(always)]
    pub(super) fn can_begin(self, at: usize, names: &Names) -> bool {
        self.peek(at).is_some_and(|c| !c.is_ascii() || names.begins >> c & 1 == 1)
    }

    /// Reads the number of a value that has no name, `SR5`.
    pub(super) fn numbered(self, at: usize, names: &Names) -> Option<(u128, usize)> {
        let (before, after) = names.otherwise?;
        let (value, end) = self.digits(self.starts_str(at, before)?)?;
        Some((value.into(), self.starts_str(end, after)?))
    }

    /// Reads a number: decimal or `0x…`, perhaps with a sign. Whether it is negative, and its magnitude, if
    /// 128 bits hold that.
    pub(super) fn number(self, at: usize) -> Option<((bool, Option<u128>), usize)> {
        let (negative, at) = match self.peek(at)? {
            b'-' => (true, at + 1),
            b'+' => (false, at + 1),
            _ => (false, at),
        };
        let hex = self.peek(at)? == b'0' && matches!(self.peek(at + 1), Some(b'x' | b'X'));
        let (radix, start) = if hex { (16, at + 2) } else { (10, at) };
        let mut value = Some(0u128);
        let mut end = start;
        while let Some(digit) = self.peek(end).and_then(|c| char::from(c).to_digit(radix)) {
            value = value.and_then(|v| v.checked_mul(radix.into())?.checked_add(digit.into()));
            end += 1;
        }
        let runs_on = self.peek(end).is_some_and(is_word);
        (end > start && !runs_on).then_some(((negative, value), end))
    }

    /// Reads one letter, or `-`, for each bit.
    pub(super) fn letters(self, at: usize, letters: &str) -> Option<(u128, usize)> {
        let text = self.bytes().get(at..)?.get(..letters.len())?;
        let mut raw = 0;
        if letters.len() > 64 {
            return None;
        }
        for (i, (&c, letter)) in text.iter().zip(letters.bytes()).enumerate() {
            match c {
                b'-' => {}
                c if c == letter => raw |= 1 << i,
                _ => return None,
            }
        }
        Some((raw, at + letters.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: Registers = Registers {
        name: "R",
        prefix: "R",
        begin: Literal::new("R"),
        suffix: "",
        halves: None,
        count: 255,
        special: &[(255, "RZ")],
        names: &[(255, Literal::new("RZ"))],
    };
    const H: Registers = Registers { halves: Some(["L", "H"]), ..R };

    fn on(text: &str) -> Scanner<'_> {
        Scanner { text: text.as_bytes(), len: text.len() }
    }

    #[test]
    fn registers_by_number_and_by_name() {
        assert_eq!(on("R12").register(0, &R), Some((12, 3)));
        assert_eq!(on("RZ, R1").special(0, &R), Some((255, 2)));
        assert_eq!(on("R3H").register(0, &H), Some((7, 3)));
        for wrong in ["R255", "R", "r1", "R99999999999999999999999"] {
            assert_eq!(on(wrong).register(0, &R), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_have_a_sign_and_two_radices() {
        assert_eq!(on("-0x1F]").number(0), Some(((true, Some(31)), 5)));
        assert_eq!(on("+42").number(0), Some(((false, Some(42)), 3)));
        for wrong in ["0x", "12z", "--1", "x1", "", "-"] {
            assert_eq!(on(wrong).number(0), None, "{wrong}");
        }
    }

    #[test]
    fn blanks() {
        let text = |text, template| {
            let padded = Padded::new(text);
            let results = [padded.scanner(text), on(text)].map(|s| s.text(0, &Literal::new(template)));
            assert_eq!(results[0], results[1]);
            results[0]
        };
        assert_eq!(text("A  ,B", "A, B"), Ok(5));
        assert_eq!(text("A B", "AB"), Err(1));
        assert_eq!(text("AB", "A B"), Err(1));
        assert_eq!(text("[ \tR1", "[R1"), Ok(5));
        assert_eq!(text("A(B", "A (B"), Ok(3));
        assert_eq!(text("a long name", "a long name"), Ok(11));
        assert_eq!(text("a long nama", "a long name"), Err(10));
        assert_eq!(text("A ", "A "), Ok(2));
        assert_eq!(text("", "A"), Err(0));
    }
}
