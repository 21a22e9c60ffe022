//! An instruction and its members.

/// Declares an instruction: its number, its forms, the operands that `new` takes, and its members.
#[doc(hidden)]
#[macro_export]
macro_rules! instruction {
    (
        $(#[$doc:meta])*
        pub struct $insn:ident, forms $first:literal $picks:tt;
        new($($arg:ident: $arg_ty:ty),* $(,)?) picks($($slot:ident * $stride:literal),*);
        $($(#[$member_doc:meta])* $member:ident: $ty:ty = $cases:tt $(by $of:tt)? $(choose $of_stride:literal / $count:literal)?;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $insn($crate::typed::Decoded<Word>);

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention, clippy::too_many_arguments)]
        impl $insn {
            const FORMS: $crate::typed::draft::Forms = $crate::typed::draft::Forms { first: $first, picks: &$picks };

            /// The instruction with these operands, and everything else at its default.
            ///
            /// # Errors
            /// When there is no such instruction.
            #[inline]
            pub fn new($($arg: $arg_ty),*) -> Result<Self, $crate::typed::Illegal> {
                Self::builder($($arg),*).build()
            }

            /// The same, to which more can be added before it is built.
            #[inline]
            pub fn builder($($arg: $arg_ty),*) -> Builder<Self> {
                let pick = 0 $(+ u32::from($crate::typed::member::Member::<Word>::pick(&$slot)) * $stride)*;
                Builder::<Self>($crate::typed::Draft::new(&Self::FORMS, pick))$(.$arg($arg))*
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
                    const { $crate::cases!($cases $($of)?) }.read(self.0.word, self.0.form.wrapping_sub($first))
                }
            )*
        }

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention)]
        impl Builder<$insn> {
            $(
                $(#[$member_doc])*
                #[must_use]
                #[inline]
                pub fn $member(self, value: $ty) -> Self {
                    let cases = const { &$crate::cases!($cases $($of)?) };
                    let forms = &$insn::FORMS;
                    Self($crate::set!(self, forms, cases, stringify!($member), value $(, $of_stride / $count)?))
                }
            )*
        }

        impl $crate::typed::Instruction for $insn {
            type Isa = Isa;

            #[inline(always)]
            fn decoded(self) -> $crate::typed::Decoded<Word> {
                self.0
            }

            #[inline]
            fn from_decoded(decoded: $crate::typed::Decoded<Word>) -> Option<Self> {
                match Insn::from_decoded(decoded) {
                    Some(Insn::$insn(insn)) => Some(insn),
                    _ => None,
                }
            }
        }

        $crate::instruction_methods!($insn);

        impl From<$insn> for Insn {
            #[inline]
            fn from(insn: $insn) -> Self {
                Self::$insn(insn)
            }
        }

        /// The instruction, if it is of this kind; else the instruction as it is.
        impl TryFrom<Insn> for $insn {
            type Error = Insn;

            #[inline]
            #[allow(unreachable_patterns)]
            fn try_from(insn: Insn) -> Result<Self, Insn> {
                match insn {
                    Insn::$insn(insn) => Ok(insn),
                    other => Err(other),
                }
            }
        }

        impl ::core::fmt::Debug for $insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::fields::debug(f, &TABLES, stringify!($insn), self.0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for $insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.at(0).fmt(f)
            }
        }
    };
}

/// Where a member is: `[at(23, 16)]`, or for each case `{0: [at(23, 16)], 1: []}` and the case of each form.
#[doc(hidden)]
#[macro_export]
macro_rules! cases {
    ([$($place:expr),* $(,)?]) => {
        $crate::typed::member::Cases { cases: &[(0, &[$($place),*])], of: &[] }
    };
    ({$($pick:literal: [$($place:expr),* $(,)?]),* $(,)?} $of:tt) => {
        $crate::typed::member::Cases { cases: &[$(($pick, &[$($place),*])),*], of: &$of }
    };
}

/// What a setter does: a choice of several alternatives can lead to another form.
#[doc(hidden)]
#[macro_export]
macro_rules! set {
    ($this:ident, $forms:ident, $cases:ident, $member:expr, $value:ident) => {
        $this.0.with($forms, $cases, $member, $value)
    };
    ($this:ident, $forms:ident, $cases:ident, $member:expr, $value:ident, $stride:literal / $count:literal) => {
        $this.0.choose($forms, $cases, $member, $value, $crate::typed::draft::Slot { stride: $stride, count: $count })
    };
}
