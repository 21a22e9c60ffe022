//! The library of compiled semantics for machines of one lane: a register is a number, and writes of an instruction take effect
//! at once. Prepared instructions are in [`Code`]; [`compiled`](super::compiled) has rows of lanes in place of numbers.

use super::bits::Bits;
pub use super::code::{
    Arg, Body, Code, Executes, Fetch, Fetched, Fetching, Form, Guard, NO_FORM, Op, Operands, Pick, Row, Uniform, form, length_of,
};
pub use super::compiled::{NONE, part, with_part};
pub use super::pick;

/// A register in its stored form.
pub trait Cell: Copy + Default {
    /// Its type in computations.
    type Value: Bits;
    /// The value.
    fn value(self) -> Self::Value;
    /// The cell of a value; what does not fit is dropped.
    fn of(value: Self::Value) -> Self;
}

macro_rules! cells {
    ($($cell:ty, $value:ty;)*) => {$(
        impl Cell for $cell {
            type Value = $value;
            #[inline(always)]
            fn value(self) -> $value {
                self.into()
            }
            #[inline(always)]
            fn of(value: $value) -> Self {
                value as Self
            }
        }
    )*};
}

cells! {
    u8, u32;
    u16, u32;
    u32, u32;
    u64, u64;
    u128, u128;
}

/// A register; 0 for one that does not exist.
#[inline(always)]
pub fn get<T: Cell, const N: usize>(file: &[T; N], index: usize) -> T {
    file.get(index).copied().unwrap_or_default()
}

/// Writes a register; one that does not exist, or is a constant, stays.
#[inline(always)]
pub fn put<T: Cell, const N: usize>(file: &mut [T; N], index: usize, constants: [usize; 2], value: T) {
    if let Some(cell) = file.get_mut(index).filter(|_| !constants.contains(&index)) {
        *cell = value;
    }
}

/// A file of registers, all zero.
pub fn file<T: Cell, const N: usize>() -> Box<[T; N]> {
    let cells = vec![T::default(); N].into_boxed_slice();
    // Their number is that of the vector.
    cells.try_into().unwrap_or_else(|_| Box::new([T::default(); N]))
}

/// A file of registers in which one reads as ones.
pub fn file_with_ones<T: Cell, const N: usize>(one: usize, width: u32) -> Box<[T; N]> {
    let mut file = file::<T, N>();
    if let Some(cell) = file.get_mut(one) {
        *cell = T::of(T::Value::ones(width));
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_registers_that_do_not_exist_stay() {
        let mut file = file_with_ones::<u16, 4>(3, 12);
        put(&mut file, 1, [3, 3], 7);
        put(&mut file, 3, [3, 3], 7);
        put(&mut file, 4, [3, 3], 7);
        assert_eq!((*file, get(&file, 1), get(&file, 4)), ([0, 7, 0, 0xfff], 7, 0));
    }
}
