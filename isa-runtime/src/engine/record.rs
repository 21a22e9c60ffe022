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
}

/// The layout of a record, for docs/tables.md and for declarations in engines in other languages.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The record.
    pub name: &'static str,
    /// Its description, in Markdown.
    pub about: &'static str,
    /// Its columns in the order of their bytes.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type, in Rust's notation.
    pub ty: &'static str,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its description, in Markdown.
    pub about: &'static str,
}

macro_rules! record {
    ($(
        $(#[doc = $about:literal])* $name:ident $(<$w:ident>)? {
            $($(#[doc = $doc:literal])* $field:ident: $ty:ty),* $(,)?
        }
    )*) => {
        /// The layouts of these records, for words of a type.
        #[allow(clippy::extra_unused_type_parameters, reason = "some of the modules have no record with a word")]
        pub(super) fn layouts<W: $crate::engine::Bits>() -> alloc::vec::Vec<$crate::engine::record::Layout> {
            alloc::vec![$($crate::engine::record::Layout {
                name: stringify!($name),
                about: concat!($($about),*),
                columns: alloc::vec![$($crate::engine::record::Column {
                    name: stringify!($field),
                    ty: stringify!($ty),
                    bytes: <$ty as $crate::engine::record::Record>::SIZE,
                    about: concat!($($doc),*),
                }),*],
            }),*]
        }
        $(
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name $(<$w>)? { $($(#[doc = $doc])* pub $field: $ty),* }

        impl $(<$w: $crate::engine::Bits>)? $crate::engine::record::Record for $name $(<$w>)? {
            const SIZE: usize = 0 $(+ <$ty as $crate::engine::record::Record>::SIZE)*;
            fn write(&self, word_bytes: usize, out: &mut alloc::vec::Vec<u8>) {
                $($crate::engine::record::Record::write(&self.$field, word_bytes, out);)*
            }
            #[inline(always)]
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::engine::record::Record::read(bytes)?),* })
            }
        }
        )*
    };
}
pub(super) use record;
