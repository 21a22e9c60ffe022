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

    /// Appends what `push` writes: it gets room for `W` bytes and says how many it used.
    #[inline(always)]
    pub fn append<const W: usize>(&mut self, push: impl FnOnce(&mut [u8; W]) -> usize) {
        match self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut()) {
            Some(room) => self.len += push(room),
            None => self.append_what_fits(push),
        }
    }

    #[cold]
    fn append_what_fits<const W: usize>(&mut self, push: impl FnOnce(&mut [u8; W]) -> usize) {
        let mut text = [0; W];
        let count = push(&mut text);
        for (to, from) in self.bytes.iter_mut().skip(self.len).zip(text.iter().take(count)) {
            *to = *from;
            self.len += 1;
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

/// A text that is being pushed into room for `N` bytes; what does not fit is left out.
///
/// A text begins at the beginning of its room, and each push adds a number of bytes of which the compiler knows how large it can
/// be. So where generated code takes enough room, it sees that everything fits, and no push has to ask.
#[derive(Debug)]
pub struct Cursor<'a, const N: usize> {
    bytes: &'a mut [u8; N],
    len: usize,
}

impl<'a, const N: usize> Cursor<'a, N> {
    /// The beginning of a text.
    #[inline(always)]
    pub fn new(bytes: &'a mut [u8; N]) -> Self {
        Self { bytes, len: 0 }
    }

    /// How many bytes have been pushed.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing has been pushed.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Room for so many bytes after the text.
    #[inline(always)]
    fn room(&mut self, count: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(self.len..)?.get_mut(..count)
    }

    /// Appends at most `V` bytes that `push` writes; it says how many.
    #[inline(always)]
    pub fn append<const V: usize>(&mut self, push: impl FnOnce(&mut [u8; V]) -> usize) {
        if let Some(room) = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut()) {
            self.len += push(room).min(V);
        }
    }

    /// Appends a string.
    #[inline(always)]
    pub fn push_str(&mut self, text: &str) {
        self.push_str_if(true, text);
    }

    /// Appends a string, or not. There is no jump, for short strings the cheaper way where flags are as good as random.
    #[inline(always)]
    pub fn push_str_if(&mut self, condition: bool, text: &str) {
        if let Some(to) = self.room(text.len()) {
            to.copy_from_slice(text.as_bytes());
            self.len += if condition { text.len() } else { 0 };
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
    pub fn push_name<const W: usize>(&mut self, name: &Name<W>) {
        if let Some(to) = self.room(8 * W) {
            for (to, from) in to.chunks_exact_mut(8).zip(&name.0) {
                to.copy_from_slice(&from.to_le_bytes());
            }
            self.len += name.len();
        }
    }

    /// Appends `0x1f`.
    #[inline(always)]
    pub fn push_hex(&mut self, value: u64) {
        self.push_str("0x");
        let digits = (67 - (value | 1).leading_zeros()) / 4;
        self.push_digits(value, digits);
    }

    /// Appends so many hexadecimal digits, at most 16.
    #[inline(always)]
    fn push_digits(&mut self, value: u64, digits: u32) {
        let left = value << (64 - 4 * digits);
        if let Some(to) = self.room(16) {
            to[..8].copy_from_slice(&hex8((left >> 32) as u32));
            if digits > 8 {
                to[8..].copy_from_slice(&hex8(left as u32));
            }
            self.len += digits as usize;
        }
    }

    /// Appends `-0x1f`.
    #[inline(always)]
    pub fn push_signed_hex(&mut self, value: i64) {
        self.push_str_if(value < 0, "-");
        self.push_hex(value.unsigned_abs());
    }

    /// Appends `31`.
    #[inline(always)]
    pub fn push_dec(&mut self, value: u64) {
        self.push_padded(value, 1);
    }

    /// Appends `-31`.
    #[inline(always)]
    pub fn push_signed_dec(&mut self, value: i64) {
        self.push_signed_padded(value, 1);
    }

    /// Appends `0031`: at least so many digits.
    #[inline(always)]
    pub fn push_padded(&mut self, value: u64, digits: usize) {
        self.push_huge_padded(value.into(), digits);
    }

    /// Appends `-0031`: at least so many digits.
    #[inline(always)]
    pub fn push_signed_padded(&mut self, value: i64, digits: usize) {
        self.push_str_if(value < 0, "-");
        self.push_padded(value.unsigned_abs(), digits);
    }

    /// Appends a number of up to 128 bits as `-0x1f`.
    #[inline(always)]
    pub fn push_wide_hex(&mut self, value: i128) {
        self.push_str_if(value < 0, "-");
        self.push_huge_hex(value.unsigned_abs());
    }

    /// Appends a number of up to 128 bits without a sign as `0x1f`.
    #[inline(always)]
    pub fn push_huge_hex(&mut self, value: u128) {
        self.append::<HUGE>(|out| huge_hex(out, value));
    }

    /// Appends a number of up to 128 bits as `-0031`: at least so many digits.
    #[inline(always)]
    pub fn push_wide_padded(&mut self, value: i128, digits: usize) {
        self.push_str_if(value < 0, "-");
        self.push_huge_padded(value.unsigned_abs(), digits);
    }

    /// Appends a number of up to 128 bits without a sign as `0031`: at least so many digits.
    #[inline(always)]
    pub fn push_huge_padded(&mut self, value: u128, digits: usize) {
        // Somebody may have asked for more digits than the largest number has.
        let zeros = digits.saturating_sub(HUGE);
        for _ in 0..zeros {
            self.push_ascii(b'0');
        }
        self.append::<HUGE>(|out| padded(out, value, digits - zeros));
    }

    /// Appends a letter for each bit that is set and `-` for each that is clear, bit 0 first: of up to 64 letters, of which those
    /// beyond ASCII print as `?`.
    #[inline(always)]
    pub fn push_letters(&mut self, raw: u64, letters: &str) {
        for (i, c) in letters.chars().take(64).enumerate() {
            let letter = if c.is_ascii() { c as u8 } else { b'?' };
            self.push_ascii(if raw >> i & 1 == 1 { letter } else { b'-' });
        }
    }

    /// Appends the name of a register of a file that is too large for a table.
    #[inline(always)]
    pub fn push_register(&mut self, file: &Registers, index: u64) {
        register(self, file, index);
    }

    /// Appends the text of a value of an enumeration that is too large for a table.
    #[inline(always)]
    pub fn push_enum(&mut self, names: &Names, value: u64) {
        enum_text(self, names, value);
    }
}

/// Room for the longest number, with what is written beyond its end.
const HUGE: usize = 48;

// What follows is too long to stand in line everywhere.

fn huge_hex(out: &mut [u8; HUGE], value: u128) -> usize {
    let mut out = Cursor::new(out);
    let (high, low) = ((value >> 64) as u64, value as u64);
    if high == 0 {
        out.push_hex(low);
    } else {
        out.push_hex(high);
        out.push_digits(low, 16);
    }
    out.len()
}

fn padded(out: &mut [u8; HUGE], value: u128, digits: usize) -> usize {
    let mut all = [b'0'; HUGE];
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
    let digits = &all[at..];
    out[..digits.len()].copy_from_slice(digits);
    digits.len()
}

fn register<const N: usize>(out: &mut Cursor<'_, N>, file: &Registers, index: u64) {
    if let Some((_, name)) = file.special.iter().find(|s| s.0 == index) {
        return out.push_str(name);
    }
    out.push_str(file.prefix);
    match file.halves {
        Some(halves) => {
            out.push_dec(index >> 1);
            out.push_str(halves[(index & 1) as usize]);
        }
        None => out.push_dec(index),
    }
    out.push_str(file.suffix);
}

fn enum_text<const N: usize>(out: &mut Cursor<'_, N>, names: &Names, value: u64) {
    if let Ok(i) = names.values.binary_search_by_key(&value, |v| v.0) {
        out.push_str(names.values[i].1);
    } else if let Some((before, after)) = names.otherwise {
        out.push_str(before);
        out.push_dec(value);
        out.push_str(after);
    }
}

/// Eight hexadecimal digits, the most significant first: all eight at once, a nibble to a byte.
#[inline(always)]
pub(crate) fn hex8(value: u32) -> [u8; 8] {
    let mut x = u64::from(value);
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // 6 more carries into bit 4 exactly for digits above 9, which stand 39 farther up in ASCII.
    let letters = ((x + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    (x + 0x3030_3030_3030_3030 + letters * 39).to_be_bytes()
}

/// A name in `W` words of 8 bytes, the first character lowest; the highest bits of the last word are its length, as many as
/// that can have.
#[derive(Clone, Copy, Debug)]
pub struct Name<const W: usize>([u64; W]);

impl<const W: usize> Name<W> {
    const EMPTY: Self = Self([0; W]);

    /// Where the length begins in the last word.
    const LEN: u32 = u64::BITS - (8 * W).ilog2();

    /// A name of fewer than `8 * W` bytes.
    pub const fn new(text: &str) -> Self {
        Self::EMPTY.then(text)
    }

    #[inline(always)]
    const fn len(&self) -> usize {
        (self.0[W - 1] >> Self::LEN) as usize
    }

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
        assert!(len + 1 < 8 * W, "the generator chooses W by the longest name");
        self.0[len / 8] |= (byte as u64) << (8 * (len % 8));
        self.0[W - 1] += 1 << Self::LEN;
        self
    }

    const fn then_number(self, number: u64) -> Self {
        let name = if number >= 10 { self.then_number(number / 10) } else { self };
        name.then_byte(b'0' + (number % 10) as u8)
    }
}

/// The names of all registers of a file, by index.
pub const fn register_names<const W: usize, const COUNT: usize>(file: &Registers) -> [Name<W>; COUNT] {
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
pub const fn enum_names<const W: usize, const COUNT: usize>(of: &Names) -> [Name<W>; COUNT] {
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

    fn pushed<const N: usize>(push: impl FnOnce(&mut Cursor<'_, N>)) -> std::string::String {
        let mut bytes = [0; N];
        let mut out = Cursor::new(&mut bytes);
        push(&mut out);
        let len = out.len();
        std::string::String::from_utf8(bytes[..len].to_vec()).unwrap()
    }

    #[test]
    fn numbers_like_those_of_fmt() {
        let mut numbers = std::vec![0u64, 1, 9, 10, 15, 16, 0xffff_ffff, 0x1_0000_0000, u64::MAX, 0x1234_5678_9abc_def0];
        numbers.extend((0..64).map(|i| 0x9a5f_0e31_77c2_48bd >> i));
        for n in numbers {
            let text = pushed::<256>(|out| {
                out.push_hex(n);
                out.push_ascii(b' ');
                out.push_dec(n);
                out.push_ascii(b' ');
                out.push_padded(n, 5);
                out.push_ascii(b' ');
                out.push_signed_dec(n as i64);
                out.push_ascii(b' ');
                out.push_huge_hex((n as u128) << 60);
            });
            assert_eq!(text, format!("{n:#x} {n} {n:05} {} {:#x}", n as i64, (n as u128) << 60));
        }
        assert_eq!(pushed::<64>(|out| out.push_signed_hex(i64::MIN)), "-0x8000000000000000");
        assert_eq!(pushed::<64>(|out| out.push_wide_padded(-7, 3)), "-007");
    }

    #[test]
    fn names_come_from_tables() {
        const FILE: Registers = Registers {
            name: "R",
            prefix: "R",
            begin: crate::Literal::new("R"),
            suffix: "",
            halves: Some(["L", "H"]),
            count: 30,
            special: &[(31, "RZ")],
            names: &[],
        };
        const NAMES: [Name<1>; 32] = register_names(&FILE);
        let text = pushed::<64>(|out| {
            for i in [0, 29, 31] {
                out.push_name(&NAMES[i]);
                out.push_register(&FILE, i as u64);
            }
            out.push_name(&Name::<2>::new("fifteen letters"));
        });
        assert_eq!(text, "R0LR0LR14HR14HRZRZfifteen letters");
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let text = pushed::<4>(|out| {
            out.push_str("abc");
            out.push_str("de");
            out.push_hex(0x1234_5678);
            out.push_str_if(false, "f");
        });
        assert_eq!(text, "abc");
        let mut buffer = TextBuf::<6>::new();
        for _ in 0..4 {
            buffer.append::<4>(|out| {
                let mut out = Cursor::new(out);
                out.push_str("!?");
                out.len()
            });
        }
        assert_eq!(buffer.as_str(), "!?!?!?");
        assert_eq!(pushed::<64>(|out| out.push_padded(7, 60)), format!("{:060}", 7));
    }
}
