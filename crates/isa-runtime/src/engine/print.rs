//! Words to texts.

use super::decode::Limbs;
use super::tables::{
    Common, ENTRY, Entry, FIELD, Field, NO_PLACE, Op, PLAIN, Rows, Tables, Term, UNLESS_DIFFERS, UNLESS_SET, UNLESS_TEST,
};
use super::{Bits, Table};

/// Room that a text needs after its end: strings are copied in steps.
pub const ROOM: usize = 16;

/// A text that is being written.
#[derive(Debug)]
pub struct Out<'b> {
    bytes: &'b mut [u8],
    len: usize,
    is_cut: bool,
}

impl<'b> Out<'b> {
    /// An empty text. A buffer of [`Common::room`] bytes holds every text of undamaged tables; a text that does not fit is cut
    /// off, which [`is_cut`](Self::is_cut) shows.
    #[inline(always)]
    pub fn new(bytes: &'b mut [u8]) -> Self {
        Self { bytes, len: 0, is_cut: false }
    }

    /// Returns true if something did not fit.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Bytes that were written.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&[])
    }

    /// Appends ready strings: all operations are [`ENTRY`].
    #[inline(always)]
    fn entries<W: Bits>(&mut self, ops: Table<'_, Op>, entries: Table<'_, Entry>, limbs: &Limbs<W>) {
        // A local can be kept in a register, unlike a field of `self`.
        let mut len = self.len;
        for op in ops.iter() {
            let index = limbs.index([0, 1].map(|i| Term { at: op.at[i], mask: op.mask[i] }));
            let Some(entry) = entries.get(op.base as usize + index) else { continue };
            if let Some(room) = self.bytes.get_mut(len..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) {
                *room = entry.to_le_bytes();
                len += (entry >> 120) as usize & 15;
            } else {
                self.is_cut = true;
            }
        }
        self.len = len;
    }

    /// Drops all but the first bytes.
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends bytes.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        if let Some(room) = self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len())) {
            room.copy_from_slice(text);
            self.len += text.len();
        } else {
            self.is_cut = true;
        }
    }

    /// Appends `-` if a number is negative, and the number.
    #[inline]
    pub(super) fn number(&mut self, is_negative: bool, magnitude: u128, radix: u8, digits: u8) {
        if is_negative {
            self.push(b"-");
        }
        match u64::try_from(magnitude) {
            Ok(low) if radix == 16 => {
                self.push(b"0x");
                let own = (67 - (low | 1).leading_zeros()) / 4;
                self.zeros(digits, own);
                self.hex(low, own);
            }
            Err(_) if radix == 16 => {
                let high = (magnitude >> 64) as u64;
                self.push(b"0x");
                self.zeros(digits, 16 + (67 - (high | 1).leading_zeros()) / 4);
                self.hex(high, (67 - (high | 1).leading_zeros()) / 4);
                self.hex(magnitude as u64, 16);
            }
            _ => self.decimal(magnitude, digits),
        }
    }

    /// Appends a number of 64 bits.
    #[inline(always)]
    fn plain(&mut self, is_negative: bool, magnitude: u64, [radix, digits]: [u8; 2]) {
        if radix != 16 || digits > 1 {
            return self.number(is_negative, magnitude.into(), radix, digits);
        }
        if let Some(to) = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut::<3>()) {
            // The sign is overwritten if there is none.
            *to = *b"-0x";
            let skip = usize::from(is_negative);
            to[skip] = b'0';
            to[skip + 1] = b'x';
            self.len += 2 + skip;
        } else {
            self.is_cut = true;
        }
        self.hex(magnitude, (67 - (magnitude | 1).leading_zeros()) / 4);
    }

    /// Appends the leading zeros of a number of at least `least` digits that has `own` digits itself.
    fn zeros(&mut self, least: u8, own: u32) {
        for _ in own..least.into() {
            self.push(b"0");
        }
    }

    /// Appends `digits` hexadecimal digits, at most 16.
    #[inline]
    fn hex(&mut self, value: u64, digits: u32) {
        let left = value << (64 - 4 * digits);
        if let Some(to) = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) {
            to[..8].copy_from_slice(&hex8((left >> 32) as u32));
            if digits > 8 {
                to[8..].copy_from_slice(&hex8(left as u32));
            }
            self.len += digits as usize;
        } else {
            self.is_cut = true;
        }
    }

    pub(super) fn decimal(&mut self, value: u128, digits: u8) {
        // 39 digits, or as many as requested.
        let mut all = [b'0'; 256];
        let mut at = all.len();
        let mut rest = value;
        while rest != 0 {
            at -= 1;
            // Most numbers are small: 64-bit division as soon as it will do.
            match u64::try_from(rest) {
                Ok(r) => (all[at], rest) = (b'0' + (r % 10) as u8, (r / 10).into()),
                Err(_) => (all[at], rest) = (b'0' + (rest % 10) as u8, rest / 10),
            }
        }
        self.push(&all[at.min(all.len() - usize::from(digits.max(1)))..]);
    }
}

impl Common<'_> {
    /// Bytes of a buffer that holds every text.
    pub fn room(&self) -> usize {
        // Texts of damaged tables may be cut off.
        (self.head().longest as usize).min(1 << 20) + ROOM
    }

    /// Writes the text of a field's bits in a word at `address`, for a field that the template prints in the usual way.
    pub fn print_value(&self, field: &Field, raw: u128, address: u64, out: &mut Out<'_>) {
        self.print_number(field.spelling, self.shown(field, raw, address), self.number_width(field), out);
    }
}

impl<'a, W: Bits> Tables<'a, W> {
    /// Writes the text of a word at `address`. `names` are those of registers that programs name, by number.
    #[inline]
    pub fn print(&self, text: Rows, word: W, address: u64, names: &[&str], out: &mut Out<'_>) {
        let ops = self.ops.slice(text);
        let limbs = Limbs::new(word);
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            if op.kind == ENTRY {
                let count = u32::from(op.skip) + 1;
                out.entries(ops.slice(Rows { at: at as u32, len: count }), self.entries, &limbs);
                at += count as usize;
                continue;
            }
            at += 1;
            let is_there = match op.kind {
                PLAIN => {
                    let unused = 64 - u32::from(op.at[1].clamp(1, 64));
                    let raw = limbs.turned(op.at[0]) << unused;
                    let value = if op.signed == 1 { (raw as i64) >> unused } else { (raw >> unused) as i64 };
                    let (is_negative, magnitude) = match op.signed {
                        1 => (value < 0, value.unsigned_abs()),
                        _ => (false, value as u64),
                    };
                    out.plain(is_negative, magnitude.wrapping_mul(op.mask[0].into()), op.mask[1].to_le_bytes());
                    true
                }
                FIELD => {
                    if let Some(field) = self.fields.get(op.base as usize) {
                        self.field(&field, word, address, op.spelling, names, out);
                    }
                    true
                }
                UNLESS_TEST => self.tests.get(op.base as usize).is_some_and(|test| self.passes(&test, word)),
                UNLESS_SET => self.is_in(op.base, word),
                UNLESS_DIFFERS => self.cubes.get(op.base as usize).is_some_and(|c| (word ^ c.value) & c.mask != W::zero()),
                _ => true,
            };
            if !is_there {
                at += usize::from(op.skip);
            }
        }
    }

    fn field(&self, field: &Field, word: W, address: u64, spelling: u32, names: &[&str], out: &mut Out<'_>) {
        let raw = self.gather(field.ranges, word);
        match names.get(raw.min(u128::from(u16::MAX)) as usize) {
            Some(name) if field.place != NO_PLACE => out.push(name.as_bytes()),
            _ => self.print_number(spelling, self.shown(field, raw, address), self.number_width(field), out),
        }
    }
}

/// Eight hexadecimal digits, the most significant first: all eight at once, a nibble to a byte.
#[inline(always)]
fn hex8(value: u32) -> [u8; 8] {
    let mut x = u64::from(value);
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // Adding 6 carries into bit 4 exactly for digits above 9, whose characters are 39 higher in ASCII.
    let letters = ((x + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    (x + 0x3030_3030_3030_3030 + letters * 39).to_be_bytes()
}
