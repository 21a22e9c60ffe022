//! Text output without `core::fmt`: a buffer on the stack, and names laid out so that copying one is a load and a store.

use crate::form::{Names, Registers};
use core::fmt;

/// A buffer for one line of text, of at most `N` bytes.
///
/// Generated code knows how long its longest text is and names a buffer that holds it; whatever is pushed beyond `N` bytes
/// is left out.
#[derive(Clone)]
pub struct TextBuf<const N: usize> {
    len: usize,
    bytes: [u8; N],
}

impl<const N: usize> TextBuf<N> {
    /// An empty buffer. Clearing one and using it again is cheaper.
    #[inline]
    pub const fn new() -> Self {
        Self { len: 0, bytes: [0; N] }
    }

    /// Makes the buffer empty.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The text, as bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&self.bytes)
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // Only whole strings and ASCII are pushed, so the text is always well-formed.
        core::str::from_utf8(self.as_bytes()).unwrap_or("")
    }

    /// Room for `M` bytes after the text.
    #[inline(always)]
    fn room<const M: usize>(&mut self) -> Option<&mut [u8; M]> {
        self.bytes.get_mut(self.len..)?.first_chunk_mut()
    }

    /// Appends a string.
    #[inline(always)]
    pub fn push_str(&mut self, text: &str) {
        let text = text.as_bytes();
        if let Some(to) = self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len())) {
            to.copy_from_slice(text);
            self.len += text.len();
        }
    }

    /// Appends an ASCII character.
    #[inline(always)]
    pub fn push_ascii(&mut self, c: u8) {
        if let Some(to) = self.bytes.get_mut(self.len) {
            *to = c;
            self.len += 1;
        }
    }

    /// Appends a name: all its bytes are copied, and as many as it has count.
    #[inline(always)]
    pub fn push_name<const M: usize>(&mut self, name: &Name<M>) {
        if let Some(to) = self.room::<M>() {
            *to = name.0;
            self.len += name.len();
        }
    }

    /// Appends `0x1f`.
    #[inline]
    pub fn push_hex(&mut self, value: u64) {
        let digits = (67 - (value | 1).leading_zeros()) / 4;
        self.push_str("0x");
        self.push_digits(value, digits);
    }

    /// Appends so many hexadecimal digits, at most 16.
    #[inline(always)]
    fn push_digits(&mut self, value: u64, digits: u32) {
        let left = value << (64 - 4 * digits);
        if digits <= 8 {
            if let Some(to) = self.room::<8>() {
                *to = hex8((left >> 32) as u32);
                self.len += digits as usize;
            }
        } else if let Some(to) = self.room::<16>() {
            to[..8].copy_from_slice(&hex8((left >> 32) as u32));
            to[8..].copy_from_slice(&hex8(left as u32));
            self.len += digits as usize;
        }
    }

    /// Appends `-0x1f`.
    #[inline]
    pub fn push_signed_hex(&mut self, value: i64) {
        if value < 0 {
            self.push_ascii(b'-');
        }
        self.push_hex(value.unsigned_abs());
    }

    /// Appends `31`.
    #[inline]
    pub fn push_dec(&mut self, value: u64) {
        self.push_padded(value, 1);
    }

    /// Appends `-31`.
    #[inline]
    pub fn push_signed_dec(&mut self, value: i64) {
        self.push_signed_padded(value, 1);
    }

    /// Appends `0031`: at least so many digits.
    pub fn push_padded(&mut self, value: u64, digits: usize) {
        self.push_wide_padded(value.into(), digits);
    }

    /// Appends `-0031`: at least so many digits.
    pub fn push_signed_padded(&mut self, value: i64, digits: usize) {
        if value < 0 {
            self.push_ascii(b'-');
        }
        self.push_padded(value.unsigned_abs(), digits);
    }

    /// Appends a number of up to 128 bits as `-0x1f`.
    pub fn push_wide_hex(&mut self, value: i128) {
        if value < 0 {
            self.push_ascii(b'-');
        }
        let (high, low) = ((value.unsigned_abs() >> 64) as u64, value.unsigned_abs() as u64);
        if high == 0 {
            self.push_hex(low);
        } else {
            self.push_hex(high);
            self.push_digits(low, 16);
        }
    }

    /// Appends a number of up to 128 bits as `-0031`: at least so many digits.
    pub fn push_wide_signed_padded(&mut self, value: i128, digits: usize) {
        if value < 0 {
            self.push_ascii(b'-');
        }
        self.push_wide_padded(value.unsigned_abs(), digits);
    }

    fn push_wide_padded(&mut self, value: u128, digits: usize) {
        let mut all = [b'0'; 40];
        let mut rest = value;
        let mut at = all.len();
        while rest != 0 {
            at -= 1;
            // Most numbers are small: 64-bit division as soon as it will do.
            match u64::try_from(rest) {
                Ok(r) => (all[at], rest) = (b'0' + (r % 10) as u8, (r / 10).into()),
                Err(_) => (all[at], rest) = (b'0' + (rest % 10) as u8, rest / 10),
            }
        }
        let at = at.min(all.len().saturating_sub(digits.max(1)));
        for &digit in &all[at..] {
            self.push_ascii(digit);
        }
    }

    /// Appends a letter for each bit that is set and `-` for each that is clear, bit 0 first.
    pub fn push_letters(&mut self, raw: u64, letters: &str) {
        for (i, c) in letters.bytes().enumerate() {
            self.push_ascii(if raw >> i & 1 == 1 { c } else { b'-' });
        }
    }

    /// Appends the name of a register of a file that is too large for a table.
    pub fn push_register(&mut self, file: &Registers, index: u64) {
        if let Some((_, name)) = file.special.iter().find(|s| s.0 == index) {
            return self.push_str(name);
        }
        self.push_str(file.prefix);
        match file.halves {
            Some(halves) => {
                self.push_dec(index >> 1);
                self.push_str(halves[(index & 1) as usize]);
            }
            None => self.push_dec(index),
        }
        self.push_str(file.suffix);
    }

    /// Appends the text of a value of an enumeration that is too large for a table.
    pub fn push_enum(&mut self, names: &Names, value: u64) {
        if let Ok(i) = names.values.binary_search_by_key(&value, |v| v.0) {
            return self.push_str(names.values[i].1);
        }
        if let Some((before, after)) = names.otherwise {
            self.push_str(before);
            self.push_dec(value);
            self.push_str(after);
        }
    }
}

impl<const N: usize> Default for TextBuf<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Display for TextBuf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for TextBuf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> fmt::Write for TextBuf<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let before = self.len;
        self.push_str(text);
        if self.len == before + text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Eight hexadecimal digits, the most significant first: all eight at once, a nibble to a byte.
#[inline(always)]
fn hex8(value: u32) -> [u8; 8] {
    let mut x = u64::from(value);
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // 6 more carries into bit 4 exactly for digits above 9, which stand 39 farther up in ASCII.
    let letters = ((x + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    (x + 0x3030_3030_3030_3030 + letters * 39).to_be_bytes()
}

/// A name in `N` bytes, the last of which is its length.
#[derive(Clone, Copy)]
pub struct Name<const N: usize>([u8; N]);

impl<const N: usize> Name<N> {
    const EMPTY: Self = Self([0; N]);

    #[inline(always)]
    const fn len(&self) -> usize {
        self.0[N - 1] as usize
    }

    /// The name with a string after it; `N` must exceed the length of both.
    const fn then(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut i = 0;
        while i < text.len() {
            self = self.then_byte(text[i]);
            i += 1;
        }
        self
    }

    const fn then_byte(mut self, byte: u8) -> Self {
        let len = self.len();
        assert!(len + 1 < N, "the generator chooses N by the longest name");
        self.0[len] = byte;
        self.0[N - 1] += 1;
        self
    }

    const fn then_number(self, number: u64) -> Self {
        let name = if number >= 10 { self.then_number(number / 10) } else { self };
        name.then_byte(b'0' + (number % 10) as u8)
    }
}

/// The names of all registers of a file, by index.
pub const fn register_names<const N: usize, const COUNT: usize>(file: &Registers) -> [Name<N>; COUNT] {
    let mut names = [Name::EMPTY; COUNT];
    let mut i = 0;
    while i < COUNT {
        let index = i as u64;
        let name = Name::EMPTY.then(file.prefix);
        let name = match file.halves {
            Some(halves) => name.then_number(index >> 1).then(halves[i & 1]),
            None => name.then_number(index),
        };
        names[i] = name.then(file.suffix);
        i += 1;
    }
    let mut i = 0;
    while i < file.special.len() {
        let (index, name) = file.special[i];
        names[index as usize] = Name::EMPTY.then(name);
        i += 1;
    }
    names
}

/// The texts of all values of an enumeration, by value.
pub const fn enum_names<const N: usize, const COUNT: usize>(of: &Names) -> [Name<N>; COUNT] {
    let mut names = [Name::EMPTY; COUNT];
    let mut i = 0;
    while i < COUNT {
        if let Some((before, after)) = of.otherwise {
            names[i] = Name::EMPTY.then(before).then_number(i as u64).then(after);
        }
        i += 1;
    }
    let mut i = 0;
    while i < of.values.len() {
        let (value, text) = of.values[i];
        if (value as usize) < COUNT {
            names[value as usize] = Name::EMPTY.then(text);
        }
        i += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;
    use std::format;

    #[test]
    fn numbers_like_those_of_fmt() {
        let mut numbers = std::vec![0u64, 1, 9, 10, 15, 16, 0xffff_ffff, 0x1_0000_0000, u64::MAX, 0x1234_5678_9abc_def0];
        numbers.extend((0..64).map(|i| 0x9a5f_0e31_77c2_48bd >> i));
        for n in numbers {
            let mut out = TextBuf::<256>::new();
            out.push_hex(n);
            out.push_ascii(b' ');
            out.push_dec(n);
            out.push_ascii(b' ');
            out.push_padded(n, 5);
            out.push_ascii(b' ');
            out.push_signed_dec(n as i64);
            out.push_ascii(b' ');
            out.push_wide_hex((n as i128) << 60);
            assert_eq!(out.as_str(), format!("{n:#x} {n} {n:05} {} {:#x}", n as i64, (n as i128) << 60));
        }
        let mut out = TextBuf::<64>::new();
        out.push_signed_hex(i64::MIN);
        assert_eq!(out.as_str(), "-0x8000000000000000");
    }

    #[test]
    fn names_come_from_tables() {
        const FILE: Registers =
            Registers { name: "R", prefix: "R", suffix: "", halves: Some(["L", "H"]), count: 30, special: &[(31, "RZ")] };
        const NAMES: [Name<8>; 32] = register_names(&FILE);
        let mut out = TextBuf::<64>::new();
        for i in [0, 29, 31] {
            out.push_name(&NAMES[i]);
            out.push_register(&FILE, i as u64);
        }
        assert_eq!(out.as_str(), "R0LR0LR14HR14HRZRZ");
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut out = TextBuf::<4>::new();
        out.push_str("abc");
        out.push_str("de");
        out.push_hex(0x1234_5678);
        assert_eq!(out.as_str(), "abc");
        out.push_ascii(b'!');
        out.push_ascii(b'!');
        assert_eq!(out.as_str(), "abc!");
    }
}
