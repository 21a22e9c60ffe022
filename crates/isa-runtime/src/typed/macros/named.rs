//! Register files and enumerations.

/// Declares a register file: its number and its name; the file that contains its registers, and the number of the first one
/// there; the numbers that are registers; those with names of their own, and others with a name.
#[doc(hidden)]
#[macro_export]
macro_rules! registers {
    (
        $(#[$doc:meta])*
        pub struct $name:ident($repr:ident), file $file:literal $spec:literal, of $of:literal + $from:literal,
        exists [$($exists:pat),+ $(,)?];
        $($(#[$special_doc:meta])* $special:ident = $index:literal;)*
        ; others [$($other:ident = $number:literal),* $(,)?];
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($repr);

        impl $name {
            $($(#[$special_doc])* pub const $special: Self = Self($index);)*
            $(#[doc = "The register of this name."] pub const $other: Self = Self($number);)*

            /// The register with this index, if there is one.
            ///
            /// # Errors
            /// When there is none.
            #[inline]
            pub const fn new(index: $repr) -> ::core::result::Result<Self, $crate::typed::names::UnknownValue> {
                #[allow(unreachable_patterns)]
                match index {
                    $($exists)|+ => ::core::result::Result::Ok(Self(index)),
                    _ => ::core::result::Result::Err($crate::typed::names::UnknownValue { of: $spec, value: index as u64 }),
                }
            }

            /// The register with this index.
            ///
            /// # Panics
            /// When there is none; in a constant, it does not compile then.
            #[inline]
            pub const fn n(index: $repr) -> Self {
                match Self::new(index) {
                    ::core::result::Result::Ok(register) => register,
                    ::core::result::Result::Err(_) => ::core::panic!("there is no register with this index"),
                }
            }

            /// Its index.
            #[inline]
            pub const fn index(self) -> $repr {
                self.0
            }

            /// The register, in the type that is common to all files.
            #[inline]
            pub const fn register(self) -> $crate::typed::Register {
                $crate::typed::Register { file: $of, number: self.0 as u128 + $from }
            }
        }

        $crate::named!($name($repr), $file, show_register, read_register);
    };
}

/// The common items of registers and open enumerations.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($name:ident($repr:ident), $number:literal, $show:ident, $read:ident) => {
        impl $crate::typed::member::Value for $name {
            #[inline(always)]
            fn from_raw(raw: u128) -> Self {
                Self(raw as $repr)
            }

            #[inline(always)]
            fn raw(self) -> u128 {
                self.0.into()
            }
        }

        impl ::core::convert::TryFrom<$repr> for $name {
            type Error = $crate::typed::names::UnknownValue;

            #[inline]
            fn try_from(value: $repr) -> ::core::result::Result<Self, $crate::typed::names::UnknownValue> {
                Self::new(value)
            }
        }

        impl ::core::convert::From<$name> for usize {
            #[inline]
            fn from(of: $name) -> Self {
                of.0 as Self
            }
        }

        impl ::core::fmt::Debug for $name {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }

        $crate::texts!($name, $number, self => self.0 as u64, value => Self(value as $repr), $show, $read);
    };
}

/// `Display` and `FromStr` of registers and enumerations.
#[doc(hidden)]
#[macro_export]
macro_rules! texts {
    ($name:ident, $number:literal, $this:ident => $bits:expr, $value:ident => $of:expr, $show:ident, $read:ident) => {
        impl ::core::fmt::Display for $name {
            #[inline]
            fn fmt(&$this, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::names::$show(f, &TABLES, $number, $bits)
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::typed::names::UnknownName;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::typed::names::UnknownName> {
                let $value = $crate::typed::names::$read(&TABLES, $number, text)?;
                ::core::result::Result::Ok($of)
            }
        }
    };
}

/// Declares an enumeration: of the values that it lists, or of all numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! values {
    (
        $(#[$doc:meta])*
        pub enum $name:ident($repr:ident), number $number:literal;
        $($(#[$value_doc:meta])* $variant:ident = $value:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr($repr)]
        pub enum $name {
            $($(#[$value_doc])* $variant = $value,)*
        }

        impl $name {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its number.
            #[inline]
            pub const fn get(self) -> $repr {
                self as $repr
            }
        }

        impl $crate::typed::member::Value for $name {
            #[inline(always)]
            fn from_raw(raw: u128) -> Self {
                match raw as $repr {
                    $($value => Self::$variant,)*
                    // Decoding never yields another value.
                    #[allow(unreachable_patterns)]
                    _ => Self::ALL[0],
                }
            }

            #[inline(always)]
            fn raw(self) -> u128 {
                self as $repr as u128
            }
        }

        impl ::core::convert::TryFrom<$repr> for $name {
            type Error = $crate::typed::names::UnknownValue;

            #[inline]
            fn try_from(value: $repr) -> ::core::result::Result<Self, $crate::typed::names::UnknownValue> {
                match value {
                    $($value => ::core::result::Result::Ok(Self::$variant),)*
                    #[allow(unreachable_patterns)]
                    _ => ::core::result::Result::Err($crate::typed::names::UnknownValue { of: ::core::stringify!($name), value: value.into() }),
                }
            }
        }

        $crate::texts!(
            $name, $number, self => *self as u64, value => $crate::typed::member::Value::from_raw(value.into()), show_value, read_value
        );
    };
    (
        $(#[$doc:meta])*
        pub struct $name:ident($repr:ident), number $number:literal, bits $bits:literal;
        $($(#[$value_doc:meta])* $constant:ident = $value:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($repr);

        impl $name {
            $($(#[$value_doc])* pub const $constant: Self = Self($value);)*

            /// The value with this number.
            ///
            /// # Errors
            /// When it has too many bits.
            #[inline]
            pub fn new(value: $repr) -> ::core::result::Result<Self, $crate::typed::names::UnknownValue> {
                $crate::typed::names::fits(::core::stringify!($name), value.into(), $bits).map(|()| Self(value))
            }

            /// Its number.
            #[inline]
            pub const fn get(self) -> $repr {
                self.0
            }
        }

        $crate::named!($name($repr), $number, show_value, read_value);
    };
}
