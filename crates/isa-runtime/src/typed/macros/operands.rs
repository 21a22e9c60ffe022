//! Operands and choices.

/// Declares an operand of several fields.
#[doc(hidden)]
#[macro_export]
macro_rules! operand {
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty $(as $codec:ty)?),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
        }

        impl $crate::typed::member::Member<Word> for $name {
            #[inline(always)]
            fn read(_word: Word, _: u16, _places: &mut $crate::typed::member::Places) -> Self {
                Self { $($field: <$crate::typed::member::As<$ty $(, $codec)?>>::read(_word, _places)),* }
            }

            #[inline(always)]
            fn write(self, word: Word, _places: &mut $crate::typed::member::Places) -> ::core::result::Result<Word, $crate::OutOfRange> {
                $(let word = <$crate::typed::member::As<$ty $(, $codec)?>>::write(self.$field, word, _places)?;)*
                ::core::result::Result::Ok(word)
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
                $variant:ident $(($operand:ident: $operand_ty:ty))? $({ $($(#[$field_doc:meta])* $field:ident: $ty:ty $(as $codec:ty)?),* $(,)? })?
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
                            $({ $($field: <$crate::typed::member::As<$ty $(, $codec)?>>::read(_word, _places)),* })?,
                    )*
                }
            }

            #[inline(always)]
            fn write(self, word: Word, _places: &mut $crate::typed::member::Places) -> ::core::result::Result<Word, $crate::OutOfRange> {
                match self {
                    $(
                        Self::$variant $(($operand))? $({ $($field),* })? => {
                            $(let word = $crate::typed::member::Member::write($operand, word, _places)?;)?
                            $($(let word = <$crate::typed::member::As<$ty $(, $codec)?>>::write($field, word, _places)?;)*)?
                            ::core::result::Result::Ok(word)
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
