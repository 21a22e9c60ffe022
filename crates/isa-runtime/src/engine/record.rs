//! Rows of tables: plain numbers, and the bytes that they are in an image.

use alloc::vec::Vec;

/// A row of a table, as bytes: little-endian, without gaps.
pub trait Record: Copy + Default {
    /// Its bytes.
    const SIZE: usize;

    /// Appends its bytes. Only the low `word_bytes` of machine words of 256 bits are written.
    fn write(&self, word_bytes: usize, out: &mut Vec<u8>);

    /// Reads it from the beginning of `bytes`.
    fn read(bytes: &mut &[u8]) -> Option<Self>;

    /// Appends the bytes at the beginning of `bytes` for machine words of 256 bits; those of `bytes` have `word_bytes`. The record
    /// is one with words of 256 bits.
    fn widen(bytes: &mut &[u8], word_bytes: usize, out: &mut Vec<u8>) -> Option<()>;
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Record for $ty {
            const SIZE: usize = size_of::<$ty>();
            fn write(&self, _: usize, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline(always)]
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*first))
            }
            fn widen(bytes: &mut &[u8], _: usize, out: &mut Vec<u8>) -> Option<()> {
                let (own, rest) = bytes.split_at_checked(Self::SIZE)?;
                *bytes = rest;
                out.extend_from_slice(own);
                Some(())
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128, i64);

impl<T: Record, const N: usize> Record for [T; N]
where
    Self: Default,
{
    const SIZE: usize = N * T::SIZE;
    fn write(&self, word_bytes: usize, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.write(word_bytes, out));
    }
    #[inline(always)]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut all = [T::default(); N];
        for item in &mut all {
            *item = T::read(bytes)?;
        }
        Some(all)
    }
    fn widen(bytes: &mut &[u8], word_bytes: usize, out: &mut Vec<u8>) -> Option<()> {
        (0..N).try_for_each(|_| T::widen(bytes, word_bytes, out))
    }
}

macro_rules! record {
    ($(
        $(#[$about:meta])* $name:ident $(<$w:ident>)? {
            $($(#[$doc:meta])* $field:ident: $ty:ty),* $(,)?
        }
    )*) => {
        $(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name $(<$w>)? { $($(#[$doc])* pub $field: $ty),* }

        impl $(<$w: $crate::engine::Bits>)? $crate::engine::record::Record for $name $(<$w>)? {
            const SIZE: usize = 0 $(+ <$ty as $crate::engine::record::Record>::SIZE)*;
            fn write(&self, word_bytes: usize, out: &mut alloc::vec::Vec<u8>) {
                $($crate::engine::record::Record::write(&self.$field, word_bytes, out);)*
            }
            #[inline(always)]
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::engine::record::Record::read(bytes)?),* })
            }
            fn widen(bytes: &mut &[u8], word_bytes: usize, out: &mut alloc::vec::Vec<u8>) -> Option<()> {
                $(<$ty as $crate::engine::record::Record>::widen(bytes, word_bytes, out)?;)*
                Some(())
            }
        }
        )*
    };
}
pub(super) use record;
