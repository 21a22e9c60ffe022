//! `pub struct Statement<N> { … }`: an instruction with the names of its registers, where programs name them.

use super::Cx;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// ```text
/// pub struct Statement<N> { insn: Insn, names: [N; NAMES] }
/// impl Statement<&str> { pub fn read(text: &str) -> Result<Self, ParseError>; }
/// impl<N> FromStr for Statement<N>; impl<N> Display for Statement<N>;
/// ```
pub(super) fn statement(cx: &Cx<'_>) -> TokenStream {
    if cx.names_of_insn() == 0 {
        return TokenStream::new();
    }
    let rt = &cx.rt;
    let count = Literal::usize_unsuffixed(cx.names_of_insn());
    quote! {
        /// How many registers an instruction can name.
        pub const NAMES: usize = #count;

        /// An instruction with the names that a program gives its registers: the instruction has numbers for them, of which each
        /// is that of one name. `N` is what a name is: `&str`, `String`.
        ///
        /// Statements are equal if they have the same text.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct Statement<N> {
            insn: Insn,
            names: [N; NAMES],
        }

        impl<N: AsRef<str>> Statement<N> {
            /// An instruction, and names for the numbers of its registers; names of other numbers don't matter.
            ///
            /// # Errors
            /// If there is no name for a number, or a register can't be called so.
            pub fn new(insn: Insn, names: [N; NAMES]) -> Result<Self, #rt::BadName>
            where
                N: Default,
            {
                let form = insn.form() as u16;
                let (word, names) = TABLES.named(form, insn.word().widen(), names)?;
                Ok(Self { insn: tagged(FORM_INFO[form as usize].insn, Word::narrow(word)), names })
            }

            /// The instruction.
            pub fn insn(&self) -> Insn {
                self.insn
            }

            /// The name of a register of the instruction; empty for one that it does not have.
            pub fn name(&self, register: impl Into<usize>) -> &str {
                self.names.get(register.into()).map_or("", AsRef::as_ref)
            }

            /// The instruction, and the names by their numbers.
            pub fn into_parts(self) -> (Insn, [N; NAMES]) {
                (self.insn, self.names)
            }
        }

        /// Reads an instruction: where the names are.
        fn read(text: &str) -> Result<(Insn, [#rt::NameAt; NAMES]), #rt::ParseError> {
            let mut names = [#rt::NameAt::default(); NAMES];
            let parsed = TABLES.parse_named(text, 0, form_number, &mut names)?;
            let info = &FORM_INFO[parsed.form as usize];
            Ok((tagged(info.insn, Word::narrow(parsed.word)), names))
        }

        impl<'t> Statement<&'t str> {
            /// The statement that a text is, with names out of it.
            ///
            /// # Errors
            /// The place up to which the text made sense, and what could have gone on there.
            pub fn read(text: &'t str) -> Result<Self, #rt::ParseError> {
                let (insn, names) = read(text)?;
                Ok(Self { insn, names: names.map(|name| name.of(text)) })
            }
        }

        impl<N: for<'t> From<&'t str>> ::core::str::FromStr for Statement<N> {
            type Err = #rt::ParseError;

            /// The statement that a text is.
            fn from_str(text: &str) -> Result<Self, #rt::ParseError> {
                let (insn, names) = read(text)?;
                Ok(Self { insn, names: names.map(|name| N::from(name.of(text))) })
            }
        }

        impl<N: AsRef<str>> ::core::fmt::Display for Statement<N> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                TABLES.show(f, self.insn.form() as u16, self.insn.word().widen(), &self.names)
            }
        }

        impl<N: AsRef<str>> ::core::fmt::Debug for Statement<N> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "Statement({self})")
            }
        }
    }
}
