//! Rows of tables: plain numbers, and the bytes that they are in an image.

use alloc::vec::Vec;

/// A row of a table, as bytes: little-endian, without gaps.
pub trait Record: Copy {
    /// Its bytes.
    const SIZE: usize;

    /// Appends its bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes it from the beginning of `bytes`.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Record for $ty {
            const SIZE: usize = size_of::<$ty>();
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128, i64);

impl<T: Record + Default, const N: usize> Record for [T; N] {
    const SIZE: usize = N * T::SIZE;
    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.write(out));
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut all = [T::default(); N];
        for item in &mut all {
            *item = T::read(bytes)?;
        }
        Some(all)
    }
}

macro_rules! record {
    ($($(#[$about:meta])* $name:ident $(<$w:ident>)? { $($(#[$doc:meta])* $field:ident: $ty:ty),* $(,)? })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name $(<$w>)? { $($(#[$doc])* pub $field: $ty),* }

        impl $(<$w: super::Bits>)? super::record::Record for $name $(<$w>)? {
            const SIZE: usize = 0 $(+ <$ty as super::record::Record>::SIZE)*;
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $(super::record::Record::write(&self.$field, out);)*
            }
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: super::record::Record::read(bytes)?),* })
            }
        }
    )*};
}
pub(super) use record;
