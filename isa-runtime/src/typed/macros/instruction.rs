//! An instruction and its members.

/// Declares an instruction: its number, its forms, the operands that `new` takes, and its members.
#[doc(hidden)]
#[macro_export]
macro_rules! instruction {
    (
        $(#[$doc:meta])*
        pub struct $insn:ident, forms $first:literal $picks:tt;
        new($($arg_number:literal $arg:ident: $arg_ty:ty $(as $arg_codec:ty)?),* $(,)?) picks($($slot:ident * $stride:literal),*);
        $($(#[$member_doc:meta])* $number:literal $member:ident: $ty:ty $(as $codec:ty)? = $cases:tt $(by $of:tt)? $(choose $stride_of:literal / $count:literal)?;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $insn($crate::typed::Decoded<Isa>);

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention, clippy::too_many_arguments)]
        impl $insn {
            const KIND: $crate::typed::member::Kind = $crate::typed::member::Kind {
                first: $first,
                count: $crate::typed::member::forms(&$picks),
                picks: &$picks,
                members: &[$($crate::placed!($member $cases $($of)?, $($stride_of / $count)?)),*],
            };

            /// The instruction with these operands, and everything else at its default.
            ///
            /// # Errors
            /// When there is no such instruction, or a value is converted to an operand and is none.
            #[inline]
            pub fn new($($arg: impl $crate::typed::Operand<$arg_ty $(, $arg_codec)?>),*) -> ::core::result::Result<Self, $crate::typed::Illegal> {
                Self::builder($($arg),*).build()
            }

            /// The same, to which more can be added before it is built.
            #[inline]
            pub fn builder($($arg: impl $crate::typed::Operand<$arg_ty $(, $arg_codec)?>),*) -> Builder<Self> {
                $(let $arg = $crate::typed::Operand::<$arg_ty $(, $arg_codec)?>::operand($arg);)*
                let pick = 0 $(+ $crate::typed::member::pick::<Word, _>(&$slot) * $stride)*;
                Builder($crate::typed::Draft::new(&Self::KIND, pick)$(.with(&Self::KIND, $arg_number, $arg))*)
            }

            /// The instruction, to be changed.
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
        impl Builder<$insn> {
            $(
                $(#[$member_doc])*
                #[must_use]
                #[inline]
                pub fn $member(self, value: impl $crate::typed::Operand<$ty $(, $codec)?>) -> Self {
                    Self(self.0.with_operand(&$insn::KIND, $number, value))
                }
            )*
        }

        impl ::core::ops::Deref for $insn {
            type Target = $crate::typed::Decoded<Isa>;

            #[inline(always)]
            fn deref(&self) -> &$crate::typed::Decoded<Isa> {
                &self.0
            }
        }

        impl $crate::typed::Instruction for $insn {
            type Isa = Isa;

            #[inline(always)]
            fn of_checked(checked: $crate::typed::draft::Checked<Self>) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(Self(checked.decoded()))
            }
        }

        impl ::core::convert::From<$insn> for Insn {
            #[inline]
            fn from(insn: $insn) -> Self {
                Self::$insn(insn)
            }
        }

        /// The instruction, if it is of this kind; else the instruction as it is.
        impl ::core::convert::TryFrom<Insn> for $insn {
            type Error = Insn;

            // A match would have the compiler look at all variants for each of them.
            #[inline]
            fn try_from(insn: Insn) -> ::core::result::Result<Self, Insn> {
                match Self::KIND.has(*insn) {
                    true => ::core::result::Result::Ok(Self(*insn)),
                    false => ::core::result::Result::Err(insn),
                }
            }
        }

        impl ::core::fmt::Debug for $insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::fields::debug(f, ::core::stringify!($insn), self.0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for $insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// Where a member is: `[at(23, 16)]`, or for each case `{0: [at(23, 16)], 1: []}` and the case of each form; then how it counts, if it is
/// a choice of forms.
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
