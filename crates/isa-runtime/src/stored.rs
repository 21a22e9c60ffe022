//! Structures in the bytes of an image: their members in order, numbers in groups of seven bits with the lowest first, lists and
//! texts after their length.

use alloc::string::String;
use alloc::vec::Vec;

/// A value that bytes of an image hold.
pub(crate) trait Stored: Sized {
    /// Appends its bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads it from the beginning of `bytes`; `None` if these are no such value.
    fn read(bytes: &mut &[u8]) -> Option<Self>;

    /// Its bytes.
    fn stored(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// The value of all of these bytes; `None` if they are no such value.
    fn of_all(mut bytes: &[u8]) -> Option<Self> {
        Self::read(&mut bytes).filter(|_| bytes.is_empty())
    }
}

impl Stored for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut number = 0u64;
        for shift in (0..Self::BITS).step_by(7) {
            let (first, rest) = bytes.split_first()?;
            *bytes = rest;
            number |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Stored for $ty {
            fn write(&self, out: &mut Vec<u8>) {
                (*self as u64).write(out);
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                u64::read(bytes)?.try_into().ok()
            }
        }
    )*};
}
numbers!(u16, u32, usize);

impl Stored for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        u32::read(bytes).map(|number| number != 0)
    }
}

impl Stored for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::read(bytes)?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        core::str::from_utf8(text).ok().map(Self::from)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(bytes)? { Some(T::read(bytes)?) } else { None })
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        (0..usize::read(bytes)?).map(|_| T::read(bytes)).collect()
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::read(bytes)?, B::read(bytes)?))
    }
}

/// Structures that an image holds, each member named once.
macro_rules! stored {
    ($($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $member:ident: $ty:ty,)* })*) => {$(
        $(#[$about])*
        pub struct $name { $($(#[$doc])* pub $member: $ty,)* }

        impl $crate::stored::Stored for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $($crate::stored::Stored::write(&self.$member, out);)*
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($member: $crate::stored::Stored::read(bytes)?,)* })
            }
        }
    )*};
}

/// Enumerations whose members have names in specifications, each named once.
macro_rules! named {
    ($($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $member:ident $text:literal,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $member,)* }

        impl $name {
            /// All of them, by their numbers in images.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$member),*];

            /// Their names in specifications.
            pub const NAMES: &[&str] = &[$($text),*];

            /// Its name in specifications.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        impl $crate::stored::Stored for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::stored::Stored::write(&(*self as usize), out);
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Self::ALL.get(<usize as $crate::stored::Stored>::read(bytes)?).copied()
            }
        }
    )*};
}
pub(crate) use {named, stored};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_read_as_they_were_written() {
        let value = (Vec::from([0u64, 0x7f, 0x80, u64::MAX]), (Some(String::from("é")), Some(None::<bool>)));
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        assert_eq!(Stored::read(&mut bytes.as_slice()), Some(value));
        for length in 0..bytes.len() {
            assert_eq!(<(Vec<u64>, (Option<String>, Option<Option<bool>>))>::read(&mut &bytes[..length]), None);
        }
        assert_eq!(u64::read(&mut [0xff; 11].as_slice()), None);
        assert_eq!(u32::read(&mut [0xff, 0xff, 0xff, 0xff, 0x7f].as_slice()), None);
    }
}
