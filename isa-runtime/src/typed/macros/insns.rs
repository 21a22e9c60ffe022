//! All instructions as one type, and what it has in common with each of them.

/// Declares the enum of all instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! insns {
    ($($(#[$doc:meta])* $insn:ident = $number:pat),* $(,)?) => {
        /// An instruction.
        #[derive(Clone, Copy)]
        pub enum Insn {
            $($(#[$doc])* $insn($insn),)*
        }

        impl $crate::typed::Instruction for Insn {
            type Isa = Isa;

            #[inline(always)]
            fn decoded(self) -> $crate::typed::Decoded<Word> {
                match self {
                    $(Self::$insn($insn(decoded)))|* => decoded,
                }
            }

            #[inline(always)]
            fn from_decoded(decoded: $crate::typed::Decoded<Word>) -> Option<Self> {
                match *INSN_OF.get(usize::from(decoded.form))? {
                    $($number => Some(Self::$insn($insn(decoded))),)*
                }
            }
        }

        impl Insn {
            /// The instruction that a text stands for, at an address. A `Parser` is faster where there are many.
            ///
            /// # Errors
            /// When it is none: at which byte, and why.
            #[inline]
            pub fn parse_at(text: &str, address: u64) -> Result<Self, $crate::typed::ParseError> {
                <Isa as $crate::typed::Isa>::parse(text, address)
            }
        }

        $crate::instruction_methods!(Insn);

        impl ::core::cmp::PartialEq for Insn {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::typed::Instruction::decoded(*self) == $crate::typed::Instruction::decoded(*other)
            }
        }

        impl ::core::cmp::Eq for Insn {}

        impl ::core::cmp::PartialOrd for Insn {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<::core::cmp::Ordering> {
                Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl ::core::cmp::Ord for Insn {
            #[inline]
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                $crate::typed::Instruction::decoded(*self).cmp(&$crate::typed::Instruction::decoded(*other))
            }
        }

        impl ::core::hash::Hash for Insn {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                $crate::typed::Instruction::decoded(*self).hash(state);
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

            /// The instruction that a text stands for, at address 0.
            #[inline]
            fn from_str(text: &str) -> Result<Self, $crate::typed::ParseError> {
                Self::parse_at(text, 0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for Insn {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.at(0).fmt(f)
            }
        }
    };
}

/// What `Insn` and each instruction have.
#[doc(hidden)]
#[macro_export]
macro_rules! instruction_methods {
    ($insn:ident) => {
        impl $insn {
            /// The word.
            #[inline]
            pub fn word(self) -> Word {
                $crate::typed::Instruction::decoded(self).word
            }

            /// The form: which alternatives the instruction picks.
            #[inline]
            pub fn form(self) -> Form {
                Form::numbered($crate::typed::Instruction::decoded(self).form)
            }

            /// Bits of the word.
            #[inline]
            pub fn length(self) -> u32 {
                $crate::typed::Instruction::length(self)
            }

            /// The mnemonic, without what follows it.
            #[inline]
            pub fn mnemonic(self) -> &'static str {
                $crate::typed::Instruction::mnemonic(self)
            }

            /// The instruction with its address, to be shown: targets are relative to it.
            #[inline]
            pub fn at(self, address: u64) -> $crate::typed::At<Self> {
                $crate::typed::Instruction::at(self, address)
            }

            /// Its fields, in declared order.
            #[inline]
            pub fn fields(self) -> impl Iterator<Item = $crate::typed::FieldValue<Word>> {
                $crate::typed::Instruction::fields(self)
            }

            /// The registers that it reads, as far as its semantics says: those that its fields name, the guard included.
            #[inline]
            pub fn reads(self) -> impl Iterator<Item = $crate::typed::RegisterUse<Word>> {
                $crate::typed::Instruction::reads(self)
            }

            /// The registers that it writes, as far as its semantics says.
            #[inline]
            pub fn writes(self) -> impl Iterator<Item = $crate::typed::RegisterUse<Word>> {
                $crate::typed::Instruction::writes(self)
            }

            /// Appends the text of the instruction, which stands at `address`.
            #[inline]
            pub fn push_text(self, address: u64, out: &mut TextBuf) {
                $crate::typed::Instruction::push_text(self, address, out);
            }

            /// Appends what the text leaves out, as the specification's `full` template says; perhaps nothing.
            #[inline]
            pub fn push_full(self, address: u64, out: &mut TextBuf) {
                $crate::typed::Instruction::push_full(self, address, out);
            }
        }
    };
}
