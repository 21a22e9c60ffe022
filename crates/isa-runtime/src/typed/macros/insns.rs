//! The enum of all instructions, and its conversions to and from each of them.

/// Declares the enum of all instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! insns {
    (
        $($(#[$doc:meta])* $insn:ident = $number:pat,)*
        ; all { $($(#[$member_doc:meta])* $member:ident: $ty:ty $(as $codec:ty)? = [$($place:expr),* $(,)?];)* }
    ) => {
        /// An instruction.
        #[derive(Clone, Copy)]
        pub enum Insn {
            $($(#[$doc])* $insn($insn),)*
        }

        impl ::core::ops::Deref for Insn {
            type Target = $crate::typed::Decoded<Isa>;

            #[inline(always)]
            fn deref(&self) -> &$crate::typed::Decoded<Isa> {
                match self {
                    $(Self::$insn(insn) => &insn.0,)*
                }
            }
        }

        impl $crate::typed::Instruction for Insn {
            type Isa = Isa;

            #[inline]
            fn of_checked(checked: $crate::typed::draft::Checked<Self>) -> ::core::option::Option<Self> {
                Self::from_decoded(checked.decoded())
            }
        }

        impl Insn {
            #[inline(always)]
            fn from_decoded(decoded: $crate::typed::Decoded<Isa>) -> ::core::option::Option<Self> {
                match *INSN_OF.get(usize::from(decoded.number()))? {
                    $($number => ::core::option::Option::Some(Self::$insn(<$insn>::__of_decoded(decoded))),)*
                }
            }
        }

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention)]
        impl Insn {
            $(
                $(#[$member_doc])*
                #[inline]
                pub fn $member(self) -> $ty {
                    <$crate::typed::member::As<$ty $(, $codec)?>>::read_common(*self, const { &[$($place),*] })
                }
            )*

            /// A builder that changes fields which all instructions have.
            #[inline]
            pub fn edit(self) -> Builder<Self> {
                Builder($crate::typed::Draft::of(self))
            }
        }

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention)]
        impl Builder<Insn> {
            $(
                $(#[$member_doc])*
                #[must_use]
                #[inline]
                pub fn $member(self, value: impl $crate::typed::Operand<$ty $(, $codec)?>) -> Self {
                    Self(self.0.with_common(const { &[$($place),*] }, value))
                }
            )*
        }

        impl Insn {
            /// The instruction of a text at an address. A `Parser` is faster for many texts.
            ///
            /// # Errors
            /// If the text is not an instruction: the byte at which reading failed, and the reason.
            #[inline]
            pub fn parse_at(text: &str, address: u64) -> ::core::result::Result<Self, $crate::typed::ParseError> {
                <Isa as $crate::typed::Isa>::parse(text, address)
            }
        }

        impl ::core::cmp::PartialEq for Insn {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                **self == **other
            }
        }

        impl ::core::cmp::Eq for Insn {}

        impl ::core::cmp::PartialOrd for Insn {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl ::core::cmp::Ord for Insn {
            #[inline]
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                (**self).cmp(&**other)
            }
        }

        impl ::core::hash::Hash for Insn {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                (**self).hash(state);
            }
        }

        impl ::core::fmt::Debug for Insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$insn(insn) => insn.fmt(f),)*
                }
            }
        }

        impl ::core::str::FromStr for Insn {
            type Err = $crate::typed::ParseError;

            /// The instruction of a text at address 0.
            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::typed::ParseError> {
                Self::parse_at(text, 0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for Insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                (**self).fmt(f)
            }
        }
    };
}
