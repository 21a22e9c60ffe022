//! `pub enum Insn { Iadd3(Iadd3), … }` and `pub enum Form { … }`.

use super::Cx;
use super::docs::doc;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The forms: names for numbers.
pub(super) fn form_enum(cx: &Cx<'_>) -> TokenStream {
    let names = &cx.names.forms;
    let docs = cx.isa.forms.iter().map(|f| doc(&format!("`{}`", f.name)));
    let count = Literal::usize_unsuffixed(names.len());
    quote! {
        /// What words decode to: an instruction with the alternatives that it picks.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(u16)]
        pub enum Form {
            #(#docs #names,)*
        }

        impl Form {
            /// Its name in the specification.
            pub fn name(self) -> &'static str {
                FORM_INFO[self as usize].name
            }

            /// The mnemonic of its instruction.
            pub fn mnemonic(self) -> &'static str {
                FORM_INFO[self as usize].mnemonic
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

        /// All forms, in declared order.
        pub static FORMS: [Form; #count] = [#(Form::#names),*];
    }
}

/// The enum of all instructions.
pub(super) fn insn_enum(cx: &Cx<'_>, has_full: bool) -> TokenStream {
    let names = &cx.names.instructions;
    let docs = cx.isa.instructions.iter().map(|i| doc(&first_line(i)));
    let words = names.iter().zip(&cx.isa.instructions).map(|(name, insn)| pattern(name, cx.is_mixed(insn)));
    let form = if cx.several {
        let arms = names.iter().map(|n| quote!(Self::#n(i) => i.form(),));
        quote!(match self { #(#arms)* })
    } else {
        quote!(form_of(self.word()))
    };
    let public = if cx.isa.is_text() { quote!() } else { quote!(pub) };
    let (methods, impls) = if cx.isa.is_text() { of_text(cx) } else { of_words(cx, has_full) };
    let debug = quote!(TABLES.debug(f, self.mnemonic(), self.form() as u16, self.word().widen()));
    quote! {
        /// An instruction: a tag beside its checked word.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Insn {
            #(#docs #names(#names),)*
        }

        impl Insn {
            /// The word.
            #[inline]
            #public const fn word(self) -> Word {
                match self {
                    #(#words)|* => word,
                }
            }

            /// The form: which alternatives the instruction picks.
            #[inline]
            pub fn form(self) -> Form {
                #form
            }

            /// The mnemonic, without what follows it.
            pub fn mnemonic(self) -> &'static str {
                self.form().mnemonic()
            }

            #methods
        }

        impl ::core::fmt::Debug for Insn {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #debug
            }
        }

        #impls
    }
}

/// What instructions have that are words: methods, and what stands beside them.
fn of_words(cx: &Cx<'_>, has_full: bool) -> (TokenStream, TokenStream) {
    let rt = &cx.rt;
    let bits = if cx.several { quote!(FORM_INFO[self.form() as usize].length.into()) } else { quote!(BITS) };
    let tagged = if cx.several {
        quote!(tagged(info.insn, Word::narrow(parsed.word), info.length.into()))
    } else {
        quote!(tagged(info.insn, Word::narrow(parsed.word)))
    };
    let full = has_full.then(|| {
        quote! {
            /// Appends what the text leaves out, in the words of the specification's `full` template; perhaps nothing.
            pub fn push_full(self, address: u64, out: &mut TextBuf) {
                let (head, push) = &FULL_TEXT[self.form() as usize];
                out.append(|room| push(head, self.word(), address, room));
            }
        }
    });
    let methods = quote! {
        /// The word: encoding is done already.
        #[inline]
        pub const fn encode(self) -> Word {
            self.word()
        }

        /// Bits of the word.
        #[inline]
        pub fn bits(self) -> u32 {
            #bits
        }

        /// Appends the text of the instruction, which stands at `address`.
        #[inline]
        pub fn push_text(self, address: u64, out: &mut TextBuf) {
            let (head, push) = &TEXT[self.form() as usize];
            out.append(|room| push(head, self.word(), address, room));
        }

        #full

        /// The instruction with its address, to be shown: targets are relative to it.
        pub const fn at(self, address: u64) -> At {
            At { insn: self, address }
        }

        /// The instruction that a text stands for, at an address.
        ///
        /// # Errors
        /// The place up to which the text made sense, and what could have gone on there.
        pub fn parse_at(text: &str, address: u64) -> Result<Self, #rt::ParseError> {
            let parsed = TABLES.parse(text, address, form_number)?;
            let info = &FORM_INFO[parsed.form as usize];
            Ok(#tagged)
        }
    };
    let impls = quote! {
        impl ::core::str::FromStr for Insn {
            type Err = #rt::ParseError;

            /// The instruction that a text stands for, at address 0.
            fn from_str(text: &str) -> Result<Self, #rt::ParseError> {
                Self::parse_at(text, 0)
            }
        }

        /// The text at address 0.
        impl ::core::fmt::Display for Insn {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.at(0).fmt(f)
            }
        }

        /// An instruction at an address.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct At {
            /// The instruction.
            pub insn: Insn,
            /// Where it stands.
            pub address: u64,
        }

        impl ::core::fmt::Display for At {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut text = TextBuf::new();
                self.insn.push_text(self.address, &mut text);
                f.pad(text.as_str())
            }
        }
    };
    (methods, impls)
}

/// The same where there is text alone.
fn of_text(cx: &Cx<'_>) -> (TokenStream, TokenStream) {
    let rt = &cx.rt;
    let methods = quote! {
        /// Appends the text of the instruction.
        #[inline]
        pub fn push_text(self, out: &mut TextBuf) {
            let (head, push) = &TEXT[self.form() as usize];
            out.append(|room| push(head, self.word(), 0, room));
        }
    };
    let (body, about) = if cx.names_of_insn() == 0 {
        let body = quote! {
            let parsed = TABLES.parse(text, 0, form_number)?;
            let info = &FORM_INFO[parsed.form as usize];
            Ok(tagged(info.insn, Word::narrow(parsed.word)))
        };
        (body, "The text.")
    } else {
        (quote!(Ok(read(text)?.0)), "The text, in which registers are called as in examples; a `Statement` knows their names.")
    };
    let about = doc(about);
    let impls = quote! {
        impl ::core::str::FromStr for Insn {
            type Err = #rt::ParseError;

            /// The instruction that a text stands for.
            fn from_str(text: &str) -> Result<Self, #rt::ParseError> {
                #body
            }
        }

        #about
        impl ::core::fmt::Display for Insn {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut text = TextBuf::new();
                self.push_text(&mut text);
                f.pad(text.as_str())
            }
        }
    };
    (methods, impls)
}

fn pattern(name: &Ident, mixed: bool) -> TokenStream {
    if mixed { quote!(Self::#name(#name(word, _))) } else { quote!(Self::#name(#name(word))) }
}

fn first_line(insn: &isa_spec::model::Instruction) -> String {
    let summary = insn.summary.trim();
    if summary.is_empty() { format!("`{}`", insn.mnemonic) } else { format!("`{}`: {summary}", insn.mnemonic) }
}
