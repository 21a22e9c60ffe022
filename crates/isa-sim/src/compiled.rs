//! The library of compiled semantics: registers as rows of lanes; prepared instructions are in [`Code`].
//!
//! A register of a warp is a row: one cell for each lane. An instruction that only computes works on whole rows, lane after lane
//! in one loop, which compilers turn into vector instructions; the lanes that do not participate keep their values when the row
//! is written back.

use super::bits::{Bits, Pair};
pub use super::code::{
    Arg, Body, Code, Executes, Fetch, Fetched, Fetching, Form, Guard, NO_FORM, Op, Operands, Pick, Row, Uniform, form, length_of,
};
pub use super::masks::{all, lanes};
pub use super::pick;

/// A register of one lane, in its stored form.
pub trait Cell: Copy + Default + PartialEq {
    /// Its type in computations.
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
    u128, u128, |v| v, |v| v;
}

/// A register in all lanes; zeros if it does not exist.
#[inline(always)]
pub fn row<T: Cell, const L: usize, const N: usize>(file: &[[T; L]; N], index: usize) -> [T; L] {
    file.get(index).copied().unwrap_or([T::default(); L])
}

/// Writes a register in the lanes of `on`; one that does not exist, or is a constant, stays.
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

/// The same for some of the lanes: a separate function, since it is rare and long. The row is passed by value: if its address
/// escaped, the compiler would have to assume that it overlaps a register, and could not vectorise the code that fills it.
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

/// Writes a register that a warp has once: all lanes get the value of the first lane of `on`.
#[inline(always)]
pub fn put_all<T: Cell, const L: usize, const N: usize>(
    file: &mut [[T; L]; N],
    index: usize,
    constants: [usize; 2],
    row: &[T; L],
    on: u64,
) {
    if let Some(old) = file.get_mut(index).filter(|_| !constants.contains(&index))
        && let Some(first) = row.get(on.trailing_zeros() as usize)
    {
        *old = [*first; L];
    }
}

/// Copies the value of the first lane of `on` in a register to all lanes.
pub fn spread<T: Cell, const L: usize, const N: usize>(file: &mut [[T; L]; N], index: usize, on: u64) {
    if let Some(row) = file.get_mut(index)
        && let Some(first) = row.get(on.trailing_zeros() as usize)
    {
        *row = [*first; L];
    }
}

/// The value of a lane; 0 if it does not participate.
#[inline(always)]
pub fn other<const L: usize>(row: &[u32; L], lane: u32, on: u64) -> u32 {
    let is_on = lane < 64 && on >> lane & 1 != 0;
    row.get(lane as usize).copied().filter(|_| is_on).unwrap_or(0)
}

/// A bit for each participating lane, from values of one bit.
#[inline(always)]
pub fn ballot<const L: usize>(row: &[u32; L], on: u64) -> u64 {
    mask(row.map(|value| value as u8)) & on
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

/// One of the parts of `width` bits of a register; the low one is part 0.
pub const fn part(register: u128, part: usize, width: u32) -> u128 {
    register >> (part as u32 * width) & u128::MAX >> (128 - width)
}

/// The register with such a part replaced.
pub const fn with_part(register: u128, part: usize, width: u32, value: u128) -> u128 {
    let (at, mask) = (part as u32 * width, u128::MAX >> (128 - width));
    register & !(mask << at) | (value & mask) << at
}

/// The absence of registers that are constants.
pub const NONE: [usize; 2] = [usize::MAX; 2];

/// The lanes whose value is 1; every value is 0 or 1. Usually all lanes agree, which is quick to test.
#[inline(always)]
pub fn mask<const L: usize>(values: [u8; L]) -> u64 {
    if values == [1; L] {
        all(L)
    } else if values == [0; L] {
        0
    } else {
        mask_of(values)
    }
}

/// The same, bit by bit. A separate function: inlined into the code that computes the values, it becomes a long sequence of
/// shuffles.
#[inline(never)]
fn mask_of<const L: usize>(values: [u8; L]) -> u64 {
    let mut mask = 0;
    for (i, eight) in values.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..eight.len()].copy_from_slice(eight);
        // The product has bit n of byte n in its top byte.
        mask |= (u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}

/// A file of registers, all zero.
pub fn file<T: Cell, const L: usize, const N: usize>() -> Box<[[T; L]; N]> {
    let rows = vec![[T::default(); L]; N].into_boxed_slice();
    // Their number is that of the vector.
    rows.try_into().unwrap_or_else(|_| Box::new([[T::default(); L]; N]))
}

/// A file of registers in which one reads as ones.
pub fn file_with_ones<T: Cell, const L: usize, const N: usize>(one: usize, width: u32) -> Box<[[T; L]; N]> {
    let mut file = file::<T, L, N>();
    if let Some(row) = file.get_mut(one) {
        *row = [T::of(T::Value::ones(width)); L];
    }
    file
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
}
