//! The macros by which generated modules declare their types. A module has `TABLES`, `Word`, `Isa`, `Form`, `Insn` and `Builder` of its
//! own, which the macros name.

/// Declares the instruction set: its word, its tables and what every module has.
#[doc(hidden)]
#[macro_export]
macro_rules! isa {
    (
        $name:literal, word $word:ty, lengths $bits:tt, text $longest:literal, forms [$($count:literal),* $(,)?],
        tables $image:expr
    ) => {
        /// The instruction set, for code that is generic over it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Isa {}

        /// The word of an instruction.
        pub type Word = $word;

        /// The tables of the instruction set.
        pub static TABLES: $crate::engine::Tables<'static, Word> = $crate::engine::Tables::new($image);

        /// For each form its instruction.
        static INSN_OF: [u16; FORMS.len()] = $crate::typed::form::insn_of(&[$($count),*]);

        /// Room for the text of an instruction and what `push_full` adds.
        pub type TextBuf = $crate::text::TextBuf<$longest>;

        /// Why a word is not an instruction.
        pub type DecodeError = $crate::typed::DecodeError<Isa>;

        /// Reads texts: what it needs is made once.
        pub type Parser = $crate::typed::Parser<Isa>;

        impl $crate::typed::Isa for Isa {
            type Word = Word;
            type Insn = Insn;
            const NAME: &'static str = $name;
            #[inline(always)]
            fn tables() -> &'static $crate::engine::Tables<'static, Word> {
                &TABLES
            }
        }

        $crate::decode!($bits);

        /// An instruction that is being built or changed: `build` checks it.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Builder<I: $crate::typed::Instruction>($crate::typed::Draft<I>);

        impl<I: $crate::typed::Instruction> Builder<I> {
            /// The instruction.
            ///
            /// # Errors
            /// When the word is not an instruction, or another one, or a value did not fit.
            pub fn build(self) -> Result<I, $crate::typed::Illegal> {
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
        /// The instruction that a word is.
        ///
        /// # Errors
        /// When it is none.
        #[inline]
        pub fn decode(word: Word) -> Result<Insn, DecodeError> {
            <Isa as $crate::typed::Isa>::decode_bits(word, $bits)
        }

        $crate::decode!(stream);
    };
    ([$($bits:literal),+]) => {
        /// The instruction that a word is; the first unit of the word says its length.
        ///
        /// # Errors
        /// When it is none.
        #[inline]
        pub fn decode(word: Word) -> Result<Insn, DecodeError> {
            <Isa as $crate::typed::Isa>::decode(word)
        }

        $crate::decode!(stream);
    };
    (stream) => {
        /// The instruction that a word of so many bits is.
        ///
        /// # Errors
        /// When it is none.
        #[inline]
        pub fn decode_bits(word: Word, bits: u32) -> Result<Insn, DecodeError> {
            <Isa as $crate::typed::Isa>::decode_bits(word, bits)
        }

        /// The instructions in bytes.
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
        /// What words decode to: an instruction with the alternatives that it picks.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Form {
            $($(#[$doc])* $form,)*
        }

        /// All forms, in declared order.
        pub static FORMS: &[Form] = &[$(Form::$form),*];

        impl Form {
            /// Its name in the specification.
            pub fn name(self) -> &'static str {
                $crate::typed::form::name(&TABLES, self as u16)
            }

            /// The mnemonic of its instruction.
            pub fn mnemonic(self) -> &'static str {
                $crate::typed::form::mnemonic(&TABLES, self as u16)
            }

            /// The form with this number.
            #[inline]
            fn numbered(number: u16) -> Self {
                // Only the engine makes numbers of forms, out of the tables of this module.
                FORMS.get(usize::from(number)).copied().unwrap_or(FORMS[0])
            }
        }

        impl From<Form> for u16 {
            fn from(form: Form) -> Self {
                form as Self
            }
        }

        impl ::core::fmt::Debug for Form {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

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
            pub fn parse_at(text: &str, address: u64) -> Result<Self, $crate::typed::ParseError> {
                <Isa as $crate::typed::Isa>::parse(text, address)
            }
        }

        $crate::instruction_methods!(Insn);

        impl ::core::cmp::PartialEq for Insn {
            fn eq(&self, other: &Self) -> bool {
                $crate::typed::Instruction::decoded(*self) == $crate::typed::Instruction::decoded(*other)
            }
        }

        impl ::core::cmp::Eq for Insn {}

        impl ::core::cmp::PartialOrd for Insn {
            fn partial_cmp(&self, other: &Self) -> Option<::core::cmp::Ordering> {
                Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl ::core::cmp::Ord for Insn {
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                $crate::typed::Instruction::decoded(*self).cmp(&$crate::typed::Instruction::decoded(*other))
            }
        }

        impl ::core::hash::Hash for Insn {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                $crate::typed::Instruction::decoded(*self).hash(state);
            }
        }

        impl ::core::fmt::Debug for Insn {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$insn(insn) => insn.fmt(f),)*
                }
            }
        }

        impl ::core::str::FromStr for Insn {
            type Err = $crate::typed::ParseError;

            /// The instruction that a text stands for, at address 0.
            fn from_str(text: &str) -> Result<Self, $crate::typed::ParseError> {
                Self::parse_at(text, 0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for Insn {
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
            pub fn length(self) -> u32 {
                $crate::typed::Instruction::length(self)
            }

            /// The mnemonic, without what follows it.
            pub fn mnemonic(self) -> &'static str {
                $crate::typed::Instruction::mnemonic(self)
            }

            /// The instruction with its address, to be shown: targets are relative to it.
            pub fn at(self, address: u64) -> $crate::typed::At<Self> {
                $crate::typed::Instruction::at(self, address)
            }

            /// Its fields, in declared order.
            pub fn fields(self) -> impl Iterator<Item = $crate::typed::FieldValue<Word>> {
                $crate::typed::Instruction::fields(self)
            }

            /// The registers that it reads, as far as its semantics says: those that its fields name, the guard included.
            pub fn reads(self) -> impl Iterator<Item = $crate::typed::RegisterUse<Word>> {
                $crate::typed::Instruction::reads(self)
            }

            /// The registers that it writes, as far as its semantics says.
            pub fn writes(self) -> impl Iterator<Item = $crate::typed::RegisterUse<Word>> {
                $crate::typed::Instruction::writes(self)
            }

            /// Appends the text of the instruction, which stands at `address`.
            #[inline]
            pub fn push_text(self, address: u64, out: &mut TextBuf) {
                $crate::typed::Instruction::push_text(self, address, out);
            }

            /// Appends what the text leaves out, as the specification's `full` template says; perhaps nothing.
            pub fn push_full(self, address: u64, out: &mut TextBuf) {
                $crate::typed::Instruction::push_full(self, address, out);
            }
        }
    };
}

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
            pub fn new($($arg: $arg_ty),*) -> Result<Self, $crate::typed::Illegal> {
                Self::builder($($arg),*).build()
            }

            /// The same, to which more can be added before it is built.
            pub fn builder($($arg: $arg_ty),*) -> Builder<Self> {
                let pick = 0 $(+ u32::from($crate::typed::member::Member::<Word>::pick(&$slot)) * $stride)*;
                Builder::<Self>($crate::typed::Draft::new(&Self::FORMS, pick))$(.$arg($arg))*
            }

            /// The instruction, to be changed.
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
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::fields::debug(f, &TABLES, stringify!($insn), self.0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for $insn {
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

/// Declares an operand of several fields.
#[doc(hidden)]
#[macro_export]
macro_rules! operand {
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
        }

        impl $crate::typed::member::Member<Word> for $name {
            #[inline(always)]
            fn read(_word: Word, _: u16, _places: &mut $crate::typed::member::Places) -> Self {
                Self { $($field: $crate::typed::member::Member::read(_word, 0, _places)),* }
            }

            #[inline(always)]
            fn write(self, word: Word, _places: &mut $crate::typed::member::Places) -> Result<Word, $crate::OutOfRange> {
                $(let word = $crate::typed::member::Member::write(self.$field, word, _places)?;)*
                Ok(word)
            }
        }
    };
}

/// Declares a choice: alternatives without operands, with one, or with several fields.
#[doc(hidden)]
#[macro_export]
macro_rules! choice {
    (
        $(#[$doc:meta])*
        pub enum $name:ident {
            $(
                $(#[$variant_doc:meta])*
                $variant:ident $(($operand:ident: $operand_ty:ty))? $({ $($(#[$field_doc:meta])* $field:ident: $ty:ty),* $(,)? })?
                    = $number:literal $(| $rest:pat)?
            ),* $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant $(($operand_ty))? $({ $($(#[$field_doc])* $field: $ty),* })?,)*
        }

        impl $crate::typed::member::Member<Word> for $name {
            #[inline(always)]
            fn read(_word: Word, pick: u16, _places: &mut $crate::typed::member::Places) -> Self {
                #[allow(unreachable_patterns)]
                match pick {
                    $(
                        $number $(| $rest)? => Self::$variant
                            $((<$operand_ty as $crate::typed::member::Member<Word>>::read(_word, 0, _places)))?
                            $({ $($field: $crate::typed::member::Member::read(_word, 0, _places)),* })?,
                    )*
                }
            }

            #[inline(always)]
            fn write(self, word: Word, _places: &mut $crate::typed::member::Places) -> Result<Word, $crate::OutOfRange> {
                match self {
                    $(
                        Self::$variant $(($operand))? $({ $($field),* })? => {
                            $(let word = $crate::typed::member::Member::write($operand, word, _places)?;)?
                            $($(let word = $crate::typed::member::Member::write($field, word, _places)?;)*)?
                            Ok(word)
                        }
                    )*
                }
            }

            #[inline(always)]
            fn pick(&self) -> u16 {
                match self {
                    $(Self::$variant { .. } => $number,)*
                }
            }
        }
    };
}

/// Declares a register file.
#[doc(hidden)]
#[macro_export]
macro_rules! registers {
    (
        $(#[$doc:meta])*
        pub struct $name:ident($repr:ident), file $file:literal, bits $bits:literal;
        $($(#[$special_doc:meta])* $special:ident = $index:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($repr);

        impl $name {
            $($(#[$special_doc])* pub const $special: Self = Self($index);)*

            /// The register with this index, if there is one.
            ///
            /// # Errors
            /// When there is none.
            pub fn new(index: $repr) -> Result<Self, $crate::typed::names::UnknownValue> {
                $crate::typed::names::register_exists(&TABLES, $file, index.into(), $bits).map(|()| Self(index))
            }

            /// Its index.
            #[inline]
            pub const fn index(self) -> $repr {
                self.0
            }
        }

        $crate::named!($name($repr), $file, show_register, read_register);
    };
}

/// What registers and open enumerations have alike.
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

        impl TryFrom<$repr> for $name {
            type Error = $crate::typed::names::UnknownValue;

            fn try_from(value: $repr) -> Result<Self, Self::Error> {
                Self::new(value)
            }
        }

        impl From<$name> for usize {
            fn from(of: $name) -> Self {
                of.0 as Self
            }
        }

        impl ::core::fmt::Debug for $name {
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
            fn fmt(&$this, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::typed::names::$show(f, &TABLES, $number, $bits)
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::typed::names::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let $value = $crate::typed::names::$read(&TABLES, $number, text)?;
                Ok($of)
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
                    // Decoding lets no other value through.
                    #[allow(unreachable_patterns)]
                    _ => Self::ALL[0],
                }
            }

            #[inline(always)]
            fn raw(self) -> u128 {
                self as $repr as u128
            }
        }

        impl TryFrom<$repr> for $name {
            type Error = $crate::typed::names::UnknownValue;

            fn try_from(value: $repr) -> Result<Self, Self::Error> {
                match value {
                    $($value => Ok(Self::$variant),)*
                    #[allow(unreachable_patterns)]
                    _ => Err($crate::typed::names::UnknownValue { of: stringify!($name), value: value.into() }),
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
            pub fn new(value: $repr) -> Result<Self, $crate::typed::names::UnknownValue> {
                $crate::typed::names::fits(stringify!($name), value.into(), $bits).map(|()| Self(value))
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

/// Declares the trait of simulators, and its dispatch table.
#[doc(hidden)]
#[macro_export]
macro_rules! handler {
    (
        insns { $($(#[$doc:meta])* $method:ident: $insn:ident),* $(,)? }
        forms { $($(#[$form_doc:meta])* $form_method:ident: $form_insn:ident as $of:ident),* $(,)? }
        table { $($table_method:ident: $table_insn:ident),* $(,)? }
    ) => {
        /// Executes instructions, on a state of its own.
        pub trait Handler {
            /// What executing an instruction gives: nothing, or what is to happen next.
            type Output;

            $($(#[$doc])* fn $method(&mut self, insn: $insn) -> Self::Output;)*
            $(
                $(#[$form_doc])*
                fn $form_method(&mut self, insn: $form_insn) -> Self::Output {
                    self.$of(insn)
                }
            )*
        }

        impl Insn {
            /// Has the instruction executed, whatever its form.
            pub fn visit<H: Handler + ?Sized>(self, handler: &mut H) -> H::Output {
                match self {
                    $(Self::$insn(insn) => handler.$method(insn),)*
                }
            }
        }

        /// The dispatch table of a handler.
        pub struct Dispatch<H>(::core::marker::PhantomData<H>);

        impl<H: Handler> Dispatch<H> {
            /// For each form the method that executes it: `Dispatch::<MyCpu>::TABLE[insn.form() as usize](&mut cpu, insn)`.
            pub const TABLE: [fn(&mut H, Insn) -> H::Output; FORMS.len()] = [$(
                |handler, insn| match insn {
                    Insn::$table_insn(insn) => handler.$table_method(insn),
                    // Called with the instruction of another form.
                    #[allow(unreachable_patterns)]
                    other => other.visit(handler),
                }
            ),*];

            /// Executes an instruction.
            #[inline]
            pub fn run(handler: &mut H, insn: Insn) -> H::Output {
                Self::TABLE[insn.form() as usize](handler, insn)
            }
        }
    };
}
