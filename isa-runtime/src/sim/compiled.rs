//! What compiled semantics are made with: registers as rows of lanes, and instructions made ready.
//!
//! A register of a warp is a row: one cell for each lane. An instruction that only computes works on whole rows, lane after lane in
//! one loop, which compilers turn into vector instructions; the lanes that take no part keep what they had when the row is put back.

use super::bits::{Bits, Long, Pair};
use crate::number::Shape;
use crate::set::Set;
use crate::word::{self, Ranges};

/// A register of one lane, as it is kept.
pub trait Cell: Copy + Default + PartialEq {
    /// What it is in computations.
    type Value: Bits;
    /// The value.
    fn value(self) -> Self::Value;
    /// The cell of a value; what does not fit is dropped.
    fn of(value: Self::Value) -> Self;
}

macro_rules! cells {
    ($($cell:ty, $value:ty, $get:expr, $put:expr;)*) => {$(
        impl Cell for $cell {
            type Value = $value;
            #[inline(always)]
            fn value(self) -> $value {
                $get(self)
            }
            #[inline(always)]
            fn of(value: $value) -> Self {
                $put(value)
            }
        }
    )*};
}

cells! {
    u8, u32, u32::from, |v| v as Self;
    u16, u32, u32::from, |v| v as Self;
    u32, u32, |v| v, |v| v;
    u64, Pair, Pair::of64, Pair::low64;
    u128, Long, |v: Self| Long([v as u64, (v >> 64) as u64, 0, 0]), Long::low128;
}

/// A register of each lane; of one that does not exist, zeros.
#[inline(always)]
pub fn row<T: Cell, const L: usize, const N: usize>(file: &[[T; L]; N], index: usize) -> [T; L] {
    file.get(index).copied().unwrap_or([T::default(); L])
}

/// Puts back a register of the lanes of `on`; one that does not exist, or is a constant, stays.
#[inline(always)]
pub fn put<T: Cell, const L: usize, const N: usize>(
    file: &mut [[T; L]; N],
    index: usize,
    constants: [usize; 2],
    row: &[T; L],
    on: u64,
) {
    if constants.contains(&index) {
        return;
    }
    let Some(old) = file.get_mut(index) else { return };
    if on == all(L) {
        *old = *row;
    } else {
        put_some(old, *row, on);
    }
}

/// The same for some of the lanes: a function of its own, since it is rare and long. The row comes by value: of one whose address
/// leaves its function compilers do not know that it overlaps no register, and make no vector instructions of what fills it.
#[cold]
#[inline(never)]
fn put_some<T: Cell, const L: usize>(old: &mut [T; L], row: [T; L], on: u64) {
    for (i, (old, row)) in old.chunks_mut(32).zip(row.chunks(32)).enumerate() {
        let on = (on >> (32 * i)) as u32;
        for ((old, row), lane) in old.iter_mut().zip(row).zip(LANES) {
            *old = if on & lane != 0 { *row } else { *old };
        }
    }
}

/// The bits of 32 lanes.
const LANES: [u32; 32] = {
    let mut lanes = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        lanes[lane] = 1 << lane;
        lane += 1;
    }
    lanes
};

/// Writes a register of one lane; one that does not exist, or is a constant, stays.
#[inline(always)]
pub fn put_lane<T: Cell, const L: usize, const N: usize>(
    file: &mut [[T; L]; N],
    index: usize,
    constants: [usize; 2],
    lane: usize,
    value: T,
) {
    if let Some(row) = file.get_mut(index).filter(|_| !constants.contains(&index)) {
        row[lane] = value;
    }
}

/// A register of one lane; 0 for one that does not exist.
#[inline(always)]
pub fn cell<T: Cell, const L: usize, const N: usize>(file: &[[T; L]; N], index: usize, lane: usize) -> T {
    file.get(index).map_or(T::default(), |row| row[lane])
}

/// One of the parts of so many bits that a register is made of; the low one is 0.
pub const fn part(register: u128, part: usize, width: u32) -> u128 {
    register >> (part as u32 * width) & u128::MAX >> (128 - width)
}

/// The register with such a part replaced.
pub const fn with_part(register: u128, part: usize, width: u32, value: u128) -> u128 {
    let (at, mask) = (part as u32 * width, u128::MAX >> (128 - width));
    register & !(mask << at) | (value & mask) << at
}

/// A mask of so many lanes.
#[inline(always)]
pub const fn all(lanes: usize) -> u64 {
    if lanes >= 64 { u64::MAX } else { (1 << lanes) - 1 }
}

/// The lanes of a mask, ascending.
#[inline(always)]
pub fn lanes(mut mask: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < 64).then_some(lane)
    })
}

/// The lanes whose value is 1; every value is 0 or 1. A function of its own: joined with what computes the values it comes out as a
/// long row of shuffles.
#[inline(never)]
pub fn mask<const L: usize>(values: [u8; L]) -> u64 {
    let mut mask = 0;
    for (i, eight) in values.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..eight.len()].copy_from_slice(eight);
        // The product has bit n of byte n at its top byte.
        mask |= (u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}

/// A file of registers, all zero.
pub fn file<T: Cell, const L: usize, const N: usize>() -> std::boxed::Box<[[T; L]; N]> {
    let rows = std::vec![[T::default(); L]; N].into_boxed_slice();
    // As many as were asked for.
    rows.try_into().unwrap_or_else(|_| std::boxed::Box::new([[T::default(); L]; N]))
}

/// A file of registers of which one reads as ones.
pub fn file_with_ones<T: Cell, const L: usize, const N: usize>(one: usize, width: u32) -> std::boxed::Box<[[T; L]; N]> {
    let mut file = file::<T, L, N>();
    if let Some(row) = file.get_mut(one) {
        *row = [T::of(T::Value::ones(width)); L];
    }
    file
}

/// What an instruction says of itself to the function that executes it: the same for all lanes, and found once.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// The value of a field, of so many bits.
    Field {
        /// Its bits in the word.
        bits: Ranges,
        /// How they make a number.
        shape: Shape,
        /// The value is all ones minus the bits.
        inverted: bool,
        /// The bits of the value that are wanted begin here: values of more than 64 bits are several arguments.
        from: u32,
        /// How many are wanted.
        width: u32,
    },
    /// Whether the word is in a set.
    Condition(&'static Set),
}

impl Arg {
    /// The bits of a field, of which there are `width`.
    pub const fn field(bits: Ranges, width: u32) -> Self {
        let shape = Shape { signed: false, bits: width, scale: 1, bias: 0, wraps: false };
        Self::Field { bits, shape, inverted: false, from: 0, width }
    }

    /// The same of a field that is inverted.
    #[must_use]
    pub const fn inverted(self) -> Self {
        match self {
            Self::Field { bits, shape, from, width, .. } => Self::Field { bits, shape, inverted: true, from, width },
            other => other,
        }
    }

    /// The same of a field whose bits make a number with sign, scale and bias.
    #[must_use]
    pub const fn number(self, signed: bool, scale: i64, bias: i64) -> Self {
        match self {
            Self::Field { bits, shape, inverted, from, width } => {
                Self::Field { bits, shape: Shape { signed, bits: shape.bits, scale, bias, wraps: false }, inverted, from, width }
            }
            other => other,
        }
    }

    /// Of the same so many bits, from `from` up.
    #[must_use]
    pub const fn part(self, from: u32, width: u32) -> Self {
        match self {
            Self::Field { bits, shape, inverted, .. } => Self::Field { bits, shape, inverted, from, width },
            other => other,
        }
    }

    /// The argument for a word.
    pub fn value(&self, word: u128) -> u64 {
        match self {
            Self::Condition(set) => set.contains(word).into(),
            Self::Field { bits, shape, inverted, from, width } => {
                let raw = word::get(bits, word);
                let raw = if *inverted { word::wide_ones(word::width(bits)) - raw } else { raw };
                let value = Long::of_value(shape.value(raw), shape.is_plain());
                value.shr(*from).keep(*width).low64()
            }
        }
    }
}

impl Long {
    /// A number with its sign; without one where all 128 bits are its value.
    fn of_value(value: i128, plain: bool) -> Self {
        let above = if value < 0 && !plain { u64::MAX } else { 0 };
        Self([value as u64, (value >> 64) as u64, above, above])
    }
}

/// An instruction made ready: a function, and what the word says to it.
#[derive(Debug)]
pub struct Op<S, const N: usize> {
    /// The form's number.
    pub form: u16,
    /// What it does.
    pub run: Run<S, N>,
    /// What its function is told.
    pub args: [u64; N],
}

impl<S, const N: usize> Op<S, N> {
    /// Executes it in the lanes of `step.active`, its guard included.
    #[inline(always)]
    pub fn execute(&self, state: &mut S, step: &mut super::Step<'_>) {
        (self.run)(&self.args, state, step);
    }
}

/// What a form does: its guard and its body, and what the machine does after every instruction.
pub type Run<S, const N: usize> = fn(&[u64; N], &mut S, &mut super::Step<'_>);

/// A form that can be executed.
#[derive(Debug)]
pub struct Entry<S: 'static, const N: usize> {
    /// What it does; `None` where the specification does not say.
    pub run: Option<Run<S, N>>,
    /// What its function is told.
    pub args: &'static [Arg],
}

impl<S, const N: usize> Entry<S, N> {
    /// Makes a word of this form ready.
    pub fn prepare(&self, form: u16, word: u128) -> Option<Op<S, N>> {
        Some(Op { form, run: self.run?, args: self.args(word) })
    }

    /// What the function is told of a word of this form.
    pub fn args(&self, word: u128) -> [u64; N] {
        let mut args = [0; N];
        for (value, arg) in args.iter_mut().zip(self.args) {
            *value = arg.value(word);
        }
        args
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_and_lanes() {
        let mut values = [0u8; 32];
        for lane in [0, 5, 8, 31] {
            values[lane] = 1;
        }
        assert_eq!(mask(values), 1 | 1 << 5 | 1 << 8 | 1 << 31);
        assert!(lanes(mask(values)).eq([0, 5, 8, 31]));
        assert_eq!((mask([1u8; 5]), mask([1u8; 64]), all(5)), (31, u64::MAX, 31));
        assert_eq!(lanes(u64::MAX).count(), 64);
    }

    #[test]
    fn rows_keep_the_lanes_that_are_off() {
        let mut file = file_with_ones::<u8, 4, 8>(7, 1);
        put(&mut file, 3, [7, 7], &[1, 1, 0, 1], 0b0011);
        assert_eq!((file[3], row(&file, 9), cell(&file, 7, 2)), ([1, 1, 0, 0], [0; 4], 1));
        put(&mut file, 7, [7, 7], &[0; 4], 0b1111);
        put_lane(&mut file, 7, [7, 7], 0, 0);
        put_lane(&mut file, 9, [7, 7], 0, 0);
        put(&mut file, 9, [7, 7], &[0; 4], 0b1111);
        assert_eq!(file[7], [1; 4]);
    }

    #[test]
    fn arguments_are_values_of_fields() {
        let field = Arg::field(&[(53, 40)], 14);
        assert_eq!(field.number(true, 4, 0).part(0, 16).value(0x3fff << 40), 0xfffc);
        assert_eq!(field.number(false, 4, 0).part(0, 16).value(0x3fff << 40), 0xfffc);
        assert_eq!(field.number(true, 1, -1).part(0, 14).value(0), 0x3fff);
        assert_eq!(field.inverted().value(0x3ffe << 40), 1);
        assert_eq!(Arg::field(&[(127, 0)], 128).inverted().part(64, 64).value(1), u64::MAX);
        assert_eq!(Arg::field(&[(127, 0)], 128).inverted().part(0, 64).value(1), u64::MAX - 1);
    }
}
