//! Reading the pieces of a text.
//!
//! Blanks may stand before punctuation, and after `,`, `[`, `(` and `+`. A blank of a template must be there between two
//! words, and may be left out beside punctuation.

use crate::form::{Names, Registers};

/// A text, and how its pieces are read. Positions are byte offsets.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'t> {
    text: &'t [u8],
}

/// Characters of which names and numbers are made.
pub(super) fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text }
    }

    pub(super) fn bytes(self) -> &'t [u8] {
        self.text
    }

    fn peek(self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn rest(self, at: usize) -> &'t [u8] {
        self.text.get(at..).unwrap_or(&[])
    }

    pub(super) fn is_end(self, at: usize) -> bool {
        at >= self.text.len()
    }

    /// The next character that isn't blank.
    #[inline]
    pub(super) fn blanks(self, mut at: usize) -> usize {
        while matches!(self.peek(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    }

    fn before(self, at: usize) -> Option<u8> {
        self.peek(at.checked_sub(1)?)
    }

    /// Where a name or a number may begin.
    #[inline]
    pub(super) fn token(self, at: usize) -> usize {
        match self.before(at) {
            None | Some(b',' | b'[' | b'(' | b'+') => self.blanks(at),
            Some(_) => at,
        }
    }

    /// Reads the characters of a template: where they end, or where the first that is missing should be.
    #[inline]
    pub(super) fn text(self, at: usize, expected: &str) -> Result<usize, usize> {
        // As it is printed, which is how it mostly comes.
        match self.starts(at, expected) {
            Some(end) if expected.ends_with(' ') => Ok(self.blanks(end)),
            Some(end) => Ok(end),
            None => self.loose_text(at, expected),
        }
    }

    fn loose_text(self, mut at: usize, expected: &str) -> Result<usize, usize> {
        for &c in expected.as_bytes() {
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
    #[inline]
    pub(super) fn starts(self, at: usize, text: &str) -> Option<usize> {
        let there = self.text.get(at..)?.get(..text.len())?;
        // Most texts are too short for a call to pay.
        there.iter().zip(text.as_bytes()).all(|(a, b)| a == b).then_some(at + text.len())
    }

    /// Reads decimal digits; a number that is too large stays the largest.
    fn digits(self, at: usize) -> Option<(u64, usize)> {
        let mut value = 0u64;
        let mut end = at;
        while let Some(c) = self.peek(end).filter(u8::is_ascii_digit) {
            value = value.saturating_mul(10).saturating_add(u64::from(c - b'0'));
            end += 1;
        }
        (end > at).then_some((value, end))
    }

    /// Reads a register that has a name of its own: its index.
    pub(super) fn special(self, at: usize, file: &Registers) -> Option<(u128, usize)> {
        let found = file.special.iter().filter_map(|&(index, name)| Some((index.into(), self.starts(at, name)?)));
        found.max_by_key(|f| f.1)
    }

    /// Reads a register by number: its index.
    pub(super) fn register(self, at: usize, file: &Registers) -> Option<(u128, usize)> {
        let (number, end) = self.digits(self.starts(at, file.prefix)?)?;
        let (index, end) = match file.halves {
            None => (number, end),
            Some(halves) => {
                let (half, end) = (0..).zip(halves).find_map(|(i, name)| Some((i, self.starts(end, name)?)))?;
                (number.saturating_mul(2).saturating_add(half), end)
            }
        };
        let end = self.starts(end, file.suffix)?;
        (index < file.count).then_some((index.into(), end))
    }

    /// Reads the number of a value that has no name, `SR5`.
    pub(super) fn numbered(self, at: usize, names: &Names) -> Option<(u128, usize)> {
        let (before, after) = names.otherwise?;
        let (value, end) = self.digits(self.starts(at, before)?)?;
        Some((value.into(), self.starts(end, after)?))
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
        let text = self.rest(at).get(..letters.len())?;
        let mut raw = 0;
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

    const R: Registers = Registers { name: "R", prefix: "R", suffix: "", halves: None, count: 255, special: &[(255, "RZ")] };
    const H: Registers = Registers { halves: Some(["L", "H"]), ..R };

    fn on(text: &str) -> Scanner<'_> {
        Scanner::new(text.as_bytes())
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
        assert_eq!(on("A  ,B").text(0, "A, B"), Ok(5));
        assert_eq!(on("A B").text(0, "AB"), Err(1));
        assert_eq!(on("AB").text(0, "A B"), Err(1));
        assert_eq!(on("[ \tR1").text(0, "[R1"), Ok(5));
        assert_eq!(on("A(B").text(0, "A (B"), Ok(3));
    }
}
