//! An instruction and its members.

/// Declares an instruction: its forms, the operands that `new` takes, and its members.
///
/// Instructions with the same members are one type with a parameter, the kind of the instruction: `pub struct AddLike, like
/// add_like;`, and after the members `kinds { Add: forms 0, Sub: forms 1 }`. They are compiled only once.
#[doc(hidden)]
#[macro_export]
macro_rules! instruction {
    (
        $(#[$doc:meta])*
        pub struct $insn:ident, forms $first:literal $picks:tt;
        $($rest:tt)*
    ) => {
        $(#[$doc])*
        pub struct $insn($crate::typed::Decoded<Isa>);

        impl $insn {
            const FIRST: u16 = $first;
            const NAME: &'static str = ::core::stringify!($insn);

            #[inline(always)]
            const fn __of_decoded(decoded: $crate::typed::Decoded<Isa>) -> Self {
                Self(decoded)
            }

            #[inline(always)]
            const fn __insn(self) -> Insn {
                Insn::$insn(self)
            }
        }

        $crate::instruction_type! { {} {$insn} $picks $($rest)* }
    };
    (
        $(#[$doc:meta])*
        pub struct $like:ident, like $kinds:ident $picks:tt;
        kinds { $($(#[$insn_doc:meta])* $insn:ident = $first:literal,)* }
        $($rest:tt)*
    ) => {
        $(#[$doc])*
        pub struct $like<K>($crate::typed::Decoded<Isa>, ::core::marker::PhantomData<K>);

        /// The kinds of the instructions with these members.
        pub mod $kinds {
            /// One of these instructions.
            pub trait Kind: ::core::marker::Send + ::core::marker::Sync + 'static {
                #[doc(hidden)]
                const FIRST: u16;
                #[doc(hidden)]
                const NAME: &'static str;
                #[doc(hidden)]
                fn insn(insn: super::$like<Self>) -> super::Insn where Self: ::core::marker::Sized;
            }

            $(
                #[doc = ::core::concat!("[`", ::core::stringify!($insn), "`](super::", ::core::stringify!($insn), ")")]
                pub enum $insn {}

                impl Kind for $insn {
                    const FIRST: u16 = $first;
                    const NAME: &'static str = ::core::stringify!($insn);

                    #[inline(always)]
                    fn insn(insn: super::$insn) -> super::Insn {
                        super::Insn::$insn(insn)
                    }
                }
            )*
        }

        $($(#[$insn_doc])* pub type $insn = $like<$kinds::$insn>;)*

        impl<K: $kinds::Kind> $like<K> {
            const FIRST: u16 = K::FIRST;
            const NAME: &'static str = K::NAME;

            #[inline(always)]
            const fn __of_decoded(decoded: $crate::typed::Decoded<Isa>) -> Self {
                Self(decoded, ::core::marker::PhantomData)
            }

            #[inline(always)]
            fn __insn(self) -> Insn {
                K::insn(self)
            }
        }

        $crate::instruction_type! { {K: $kinds::Kind} {$like<K>} $picks $($rest)* }
    };
}

/// The items of an instruction's type, with the parameters of that type.
#[doc(hidden)]
#[macro_export]
macro_rules! instruction_type {
    (
        {$($of:tt)*} {$insn:ty} $picks:tt
        new($($arg_number:literal $arg:ident: $arg_ty:ty $(as $arg_codec:ty)?),* $(,)?) picks($($slot:ident * $stride:literal),*);
        $($(#[$member_doc:meta])* $number:literal $member:ident: $ty:ty $(as $codec:ty)? = $cases:tt $(by $case_of:tt)? $(choose $stride_of:literal / $count:literal)?;)*
    ) => {
        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention, clippy::too_many_arguments)]
        impl<$($of)*> $insn {
            const KIND: $crate::typed::member::Kind = $crate::typed::member::Kind {
                first: Self::FIRST,
                count: $crate::typed::member::forms(&$picks),
                picks: &$picks,
                members: &[$($crate::placed!($member $cases $($case_of)?, $($stride_of / $count)?)),*],
            };

            /// The instruction with these operands, and everything else at its default.
            ///
            /// # Errors
            /// When there is no such instruction, or a value can't be converted to its operand.
            #[inline]
            pub fn new($($arg: impl $crate::typed::Operand<$arg_ty $(, $arg_codec)?>),*) -> ::core::result::Result<Self, $crate::typed::Illegal> {
                Self::builder($($arg),*).build()
            }

            /// The same, for further changes before it is built.
            #[inline]
            pub fn builder($($arg: impl $crate::typed::Operand<$arg_ty $(, $arg_codec)?>),*) -> Builder<Self> {
                $(let $arg = $crate::typed::Operand::<$arg_ty $(, $arg_codec)?>::operand($arg);)*
                let pick = 0 $(+ $crate::typed::member::pick::<Word, _>(&$slot) * $stride)*;
                Builder($crate::typed::Draft::new(&Self::KIND, pick)$(.with(&Self::KIND, $arg_number, $arg))*)
            }

            /// A builder that changes the instruction.
            #[inline]
            pub fn edit(self) -> Builder<Self> {
                Builder($crate::typed::Draft::of(self))
            }

            $(
                $(#[$member_doc])*
                #[inline]
                pub fn $member(self) -> $ty {
                    <$crate::typed::member::As<$ty $(, $codec)?>>::read_of(&Self::KIND, $number, self.0)
                }
            )*
        }

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention)]
        impl<$($of)*> Builder<$insn> {
            $(
                $(#[$member_doc])*
                #[must_use]
                #[inline]
                pub fn $member(self, value: impl $crate::typed::Operand<$ty $(, $codec)?>) -> Self {
                    Self(self.0.with_operand(&<$insn>::KIND, $number, value))
                }
            )*
        }

        impl<$($of)*> ::core::clone::Clone for $insn {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($of)*> ::core::marker::Copy for $insn {}

        impl<$($of)*> ::core::cmp::PartialEq for $insn {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl<$($of)*> ::core::cmp::Eq for $insn {}

        impl<$($of)*> ::core::cmp::PartialOrd for $insn {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl<$($of)*> ::core::cmp::Ord for $insn {
            #[inline]
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                self.0.cmp(&other.0)
            }
        }

        impl<$($of)*> ::core::hash::Hash for $insn {
            #[inline]
            fn hash<HASHER: ::core::hash::Hasher>(&self, state: &mut HASHER) {
                self.0.hash(state);
            }
        }

        impl<$($of)*> ::core::ops::Deref for $insn {
            type Target = $crate::typed::Decoded<Isa>;

            #[inline(always)]
            fn deref(&self) -> &$crate::typed::Decoded<Isa> {
                &self.0
            }
        }

        impl<$($of)*> $crate::typed::Instruction for $insn {
            type Isa = Isa;

            #[inline(always)]
            fn of_checked(checked: $crate::typed::draft::Checked<Self>) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(Self::__of_decoded(checked.decoded()))
            }
        }

        impl<$($of)*> ::core::convert::From<$insn> for Insn {
            #[inline]
            fn from(insn: $insn) -> Self {
                insn.__insn()
            }
        }

        /// The instruction, if it is of this kind; else it is returned unchanged.
        impl<$($of)*> ::core::convert::TryFrom<Insn> for $insn {
            type Error = Insn;

            // A match would make the compiler process all variants for each of them.
            #[inline]
            fn try_from(insn: Insn) -> ::core::result::Result<Self, Insn> {
                match Self::KIND.has(*insn) {
                    true => ::core::result::Result::Ok(Self::__of_decoded(*insn)),
                    false => ::core::result::Result::Err(insn),
                }
            }
        }

        impl<$($of)*> ::core::fmt::Debug for $insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::fields::debug(f, Self::NAME, self.0)
            }
        }

        /// The text at address 0.
        impl<$($of)*> ::core::fmt::Display for $insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// The place of a member: `[at(23, 16)]`, or for each case `{0: [at(23, 16)], 1: []}` and the case of each form; then its slot,
/// if it is a choice of forms.
#[doc(hidden)]
#[macro_export]
macro_rules! placed {
    ($member:ident [$($place:expr),* $(,)?], $($slot:tt)*) => {
        $crate::placed!($member, &[(0, &[$($place),*])], &[], $($slot)*)
    };
    ($member:ident {$($pick:literal: [$($place:expr),* $(,)?]),* $(,)?} $of:tt, $($slot:tt)*) => {
        $crate::placed!($member, &[$(($pick, &[$($place),*])),*], &$of, $($slot)*)
    };
    ($member:ident, $cases:expr, $of:expr,) => {
        $crate::typed::member::Placed { name: ::core::stringify!($member), cases: $cases, of: $of, slot: ::core::option::Option::None }
    };
    ($member:ident, $cases:expr, $of:expr, $stride:literal / $count:literal) => {
        $crate::typed::member::Placed {
            name: ::core::stringify!($member), cases: $cases, of: $of, slot: ::core::option::Option::Some($crate::typed::member::Slot { stride: $stride, count: $count })
        }
    };
}
