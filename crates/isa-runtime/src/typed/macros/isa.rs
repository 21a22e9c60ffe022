//! The instruction set and its forms.

/// Declares the instruction set: its word, its tables and the items that every module has.
#[doc(hidden)]
#[macro_export]
macro_rules! isa {
    (
        $name:literal, word $word:ty, lengths $bits:tt, text $longest:literal, forms [$($count:literal),* $(,)?],
        $(expands [$($of:literal as $to:literal [$($own:literal is $field:literal),*] [$($fixed:literal = $raw:literal),*]),* $(,)?],)?
        tables $image:expr
    ) => {
        /// The instruction set, for code that is generic over it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Isa {}

        /// The word of an instruction.
        pub type Word = $word;

        /// The tables of the instruction set.
        pub static TABLES: $crate::engine::Tables<'static, Word> = $crate::engine::Tables::new($image);

        /// The instruction of each form.
        static INSN_OF: [u16; FORMS.len()] = $crate::typed::form::insn_of(&[$($count),*]);

        /// A buffer for the text of an instruction and the additions of `push_full`.
        pub type TextBuf = $crate::text::TextBuf<$longest>;

        /// The error for a word that is not an instruction.
        pub type DecodeError = $crate::typed::DecodeError<Isa>;

        /// Reads texts, with state that is prepared once.
        pub type Parser = $crate::typed::Parser<Isa>;

        impl $crate::typed::Isa for Isa {
            type Word = Word;
            type Insn = Insn;
            type Form = Form;
            const NAME: &'static str = $name;

            #[inline(always)]
            fn forms() -> &'static [Form] {
                FORMS
            }

            #[inline(always)]
            fn insn(decoded: $crate::typed::Decoded<Self>) -> ::core::option::Option<Insn> {
                Insn::from_decoded(decoded)
            }

            $(
                fn expansions() -> &'static [$crate::typed::expanded::Expansion] {
                    const { &[$($crate::typed::expanded::Expansion { of: $of, to: $to, fields: &[$(($own, $field)),*], values: &[$(($fixed, $raw)),*] }),*] }
                }
            )?

            #[inline(always)]
            fn tables() -> &'static $crate::engine::Tables<'static, Word> {
                &TABLES
            }
        }

        $crate::decode!($bits);

        /// An instruction that is being built or changed; `build` checks it.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Builder<I: $crate::typed::Instruction>($crate::typed::Draft<I>);

        impl<I: $crate::typed::Instruction> Builder<I> {
            /// The instruction.
            ///
            /// # Errors
            /// When the word is not an instruction, or another one, or a value did not fit.
            pub fn build(self) -> ::core::result::Result<I, $crate::typed::Illegal> {
                self.0.finish()
            }
        }
    };
}

/// The functions that decode words: of one length, of several, of none.
#[doc(hidden)]
#[macro_export]
macro_rules! decode {
    ([]) => {};
    ([$bits:literal]) => {
        /// Decodes a word.
        ///
        /// # Errors
        /// If the word is not an instruction.
        #[inline]
        pub fn decode(word: Word) -> ::core::result::Result<Insn, DecodeError> {
            <Isa as $crate::typed::Isa>::decode_bits(word, $bits)
        }

        $crate::decode!(stream);
    };
    ([$($bits:literal),+]) => {
        /// Decodes a word; its first unit determines its length.
        ///
        /// # Errors
        /// If the word is not an instruction.
        #[inline]
        pub fn decode(word: Word) -> ::core::result::Result<Insn, DecodeError> {
            <Isa as $crate::typed::Isa>::decode(word)
        }

        $crate::decode!(stream);
    };
    (stream) => {
        /// Decodes a word of `bits` bits.
        ///
        /// # Errors
        /// If the word is not an instruction.
        #[inline]
        pub fn decode_bits(word: Word, bits: u32) -> ::core::result::Result<Insn, DecodeError> {
            <Isa as $crate::typed::Isa>::decode_bits(word, bits)
        }

        /// The instructions in bytes.
        #[inline]
        pub fn stream(bytes: &[u8]) -> $crate::typed::stream::Stream<'_, Isa> {
            $crate::typed::stream::Stream::new(bytes)
        }
    };
}

/// Declares the forms.
#[doc(hidden)]
#[macro_export]
macro_rules! forms {
    ($($(#[$doc:meta])* $form:ident)*) => {
        /// The result of decoding: an instruction with its alternatives.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Form {
            $($(#[$doc])* $form,)*
        }

        /// All forms, in declared order.
        pub static FORMS: &[Form] = &[$(Form::$form),*];

        impl Form {
            /// Its name in the specification.
            #[inline]
            pub fn name(self) -> &'static str {
                $crate::typed::form::name(&TABLES, self as u16)
            }

            /// The mnemonic of its instruction.
            #[inline]
            pub fn mnemonic(self) -> &'static str {
                $crate::typed::form::mnemonic(&TABLES, self as u16)
            }
        }

        impl ::core::convert::From<Form> for u16 {
            #[inline]
            fn from(form: Form) -> Self {
                form as Self
            }
        }

        impl ::core::fmt::Debug for Form {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
