//! `pub struct R(u8);` for a register file, `pub enum Evict { … }` for an enumeration.

use super::Cx;
use super::docs::{DocLines, doc};
use super::names::{camel, distinct, ident, screaming};
use super::sets::hex;
use isa_spec::model::{Enum, EnumValue, Names, RegisterFile, ones};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The smallest unsigned type with so many bits.
pub(super) fn repr(bits: u32) -> Ident {
    let bits = [8, 16, 32].into_iter().find(|b| bits <= *b).unwrap_or(64);
    format_ident!("u{bits}")
}

/// ```text
/// pub struct R(u8);
/// impl R { pub const RZ: Self; pub const fn new(index: u8) -> Result<Self, OutOfRange>; pub const fn index(self) -> u8 }
/// static R_FILE: Registers = …;
/// ```
pub(super) fn register(cx: &Cx<'_>, index: usize) -> TokenStream {
    let file = &cx.isa.registers[index];
    let (rt, name, table) = (&cx.rt, &cx.names.registers[index], &cx.register_files[index]);
    let repr = repr(file.index);
    let docs = DocLines::new(cx.isa, &[&file.summary, &format!("A register of the file {}.", file.name)])
        .cite(&file.doc)
        .place(file.span)
        .tokens();
    let consts = distinct(file.special.iter().map(|(_, n)| screaming(n)));
    let special = file.special.iter().zip(&consts).map(|((i, text), constant)| {
        let role = match () {
            () if file.zero == Some(*i) => ": reads as zero.",
            () if file.one == Some(*i) => ": reads as all ones.",
            () => ".",
        };
        let docs = doc(&format!("`{text}`{role}"));
        let i = Literal::u128_unsuffixed(*i);
        quote! { #docs pub const #constant: Self = Self(#i); }
    });
    let max = hex(ones(file.index));
    let valid = if file.is_total() && file.index == [8, 16, 32, 64].into_iter().find(|b| file.index <= *b).unwrap_or(64) {
        None
    } else {
        let outside = if file.is_total() { quote!(index > #max) } else { quote!(!#table.has(index as u64)) };
        Some(quote! {
            if #outside {
                return Err(#rt::OutOfRange { value: index as i128, min: 0, max: #max, step: 1 });
            }
        })
    };
    let from_bits = from_bits(cx.used_registers[index], &repr);
    let statics = register_table(cx, file, table);
    let (docs, rows, number) = match &file.names {
        None => (docs, None, None),
        Some(names) => {
            let about = doc("\nPrograms name it; this is its number in an instruction, and `Statement` has the names.");
            let rows = name_rows(cx, names, &name_rows_table(name));
            let number = quote! {
                impl From<#name> for usize {
                    fn from(register: #name) -> Self {
                        register.0.into()
                    }
                }
            };
            (quote!(#docs #about), Some(rows), Some(number))
        }
    };
    let new_doc = doc(&format!("The register with this index in {}, if there is one.", file.name));
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct #name(#repr);

        impl #name {
            #(#special)*

            #new_doc
            pub const fn new(index: #repr) -> Result<Self, #rt::OutOfRange> {
                #valid
                Ok(Self(index))
            }

            /// Its index.
            #[inline]
            pub const fn index(self) -> #repr {
                self.0
            }

            #from_bits

            #[inline]
            const fn bits(self) -> u64 {
                self.0 as u64
            }
        }

        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #table.show(f, self.bits())
            }
        }

        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #table.show(f, self.bits())
            }
        }

        #number
        #statics
        #rows
    }
}

/// The table of the names that the registers of a file can have.
pub(super) fn name_rows_table(of: &Ident) -> Ident {
    table_name(of, "NAME_ROWS")
}

/// `static R_NAME_ROWS: NameRows = …;`
fn name_rows(cx: &Cx<'_>, names: &Names, table: &Ident) -> TokenStream {
    let rt = &cx.rt;
    let rows = names.0.iter().map(|parts| {
        let parts = parts.iter().map(|part| {
            let (of, may_be_missing, repeats) = (hex(part.of), part.may_be_missing, part.repeats);
            quote!(#rt::NamePart { of: #of, may_be_missing: #may_be_missing, repeats: #repeats })
        });
        quote!(&[#(#parts),*])
    });
    let goes_on = hex(names.goes_on());
    quote! {
        static #table: #rt::NameRows = #rt::NameRows { rows: &[#(#rows),*], goes_on: #goes_on };
    }
}

/// Only fields are made from bits.
fn from_bits(used: bool, repr: &Ident) -> Option<TokenStream> {
    used.then(|| {
        quote! {
            #[inline]
            const fn from_bits(bits: u64) -> Self {
                Self(bits as #repr)
            }
        }
    })
}

fn register_table(cx: &Cx<'_>, file: &RegisterFile, table: &Ident) -> TokenStream {
    let rt = &cx.rt;
    let RegisterFile { name, prefix, suffix, .. } = file;
    let halves = match &file.halves {
        Some([low, high]) => quote!(Some([#low, #high])),
        None => quote!(None),
    };
    let count = Literal::u64_unsuffixed(u64::try_from(file.count).unwrap_or(u64::MAX));
    let special = file.special.iter().map(|(i, text)| {
        let i = Literal::u128_unsuffixed(*i);
        quote!((#i, #text))
    });
    let names = file.special.iter().map(|(i, text)| {
        let i = Literal::u128_unsuffixed(*i);
        quote!((#i, #rt::Literal::new(#text)))
    });
    quote! {
        static #table: #rt::Registers = #rt::Registers {
            name: #name,
            prefix: #prefix,
            begin: #rt::Literal::new(#prefix),
            suffix: #suffix,
            halves: #halves,
            count: #count,
            special: &[#(#special),*],
            names: &[#(#names),*],
        };
    }
}

/// ```text
/// pub enum Evict { Ef = 0, … }
/// static EVICT_TEXTS: Names = …;
/// ```
/// or, if values without a name are allowed, a newtype with constants for those that have one.
pub(super) fn enumeration(cx: &Cx<'_>, index: usize) -> TokenStream {
    let e = &cx.isa.enums[index];
    let (name, table) = (&cx.names.enums[index], &cx.enum_tables[index]);
    let docs = DocLines::new(cx.isa, &[&e.summary, &format!("A value of {}.", e.name)]).cite(&e.doc).place(e.span).tokens();
    let repr = repr(cx.enum_widths[index]);
    let body = if e.otherwise.is_some() || e.values.is_empty() {
        open(cx, e, index, &docs, &repr)
    } else {
        closed(cx, e, index, &docs, &repr)
    };
    let statics = enum_table(cx, e, table);
    quote! {
        #body

        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #table.show(f, self.bits())
            }
        }

        #statics
    }
}

fn closed(cx: &Cx<'_>, e: &Enum, index: usize, docs: &TokenStream, repr: &Ident) -> TokenStream {
    let name = &cx.names.enums[index];
    let variants = distinct(e.values.iter().map(|v| camel(&value_name(v))));
    let values: Vec<Literal> = e.values.iter().map(|v| Literal::u128_unsuffixed(v.value)).collect();
    let notes = e.values.iter().map(|v| value_doc(cx, v));
    let (last, first) = (variants.len().saturating_sub(1), &variants[..variants.len().saturating_sub(1)]);
    let (last, first_values) = (&variants[last], &values[..last]);
    let from_bits = cx.used_enums[index].then(|| {
        quote! {
            #[inline]
            const fn from_bits(bits: u64) -> Self {
                match bits {
                    #(#first_values => Self::#first,)*
                    // Decoding let no other value through.
                    _ => Self::#last,
                }
            }
        }
    });
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(#repr)]
        pub enum #name {
            #(#notes #variants = #values,)*
        }

        impl #name {
            #from_bits

            #[inline]
            const fn bits(self) -> u64 {
                self as u64
            }
        }
    }
}

fn open(cx: &Cx<'_>, e: &Enum, index: usize, docs: &TokenStream, repr: &Ident) -> TokenStream {
    let (rt, name) = (&cx.rt, &cx.names.enums[index]);
    let consts = distinct(e.values.iter().map(|v| screaming(&value_name(v))));
    let consts = e.values.iter().zip(&consts).map(|(v, constant)| {
        let docs = value_doc(cx, v);
        let value = Literal::u128_unsuffixed(v.value);
        quote! { #docs pub const #constant: Self = Self(#value); }
    });
    let from_bits = from_bits(cx.used_enums[index], repr);
    let width = cx.enum_widths[index];
    let max = hex(ones(width));
    let check = (![8, 16, 32, 64].contains(&width)).then(|| {
        quote! {
            if value > #max {
                return Err(#rt::OutOfRange { value: value as i128, min: 0, max: #max, step: 1 });
            }
        }
    });
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct #name(#repr);

        impl #name {
            #(#consts)*

            /// The value with this number.
            pub const fn new(value: #repr) -> Result<Self, #rt::OutOfRange> {
                #check
                Ok(Self(value))
            }

            /// Its number.
            #[inline]
            pub const fn get(self) -> #repr {
                self.0
            }

            #from_bits

            #[inline]
            const fn bits(self) -> u64 {
                self.0 as u64
            }
        }

        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    }
}

/// A name for a value: the one it was given, else made of its text, else of its number.
fn value_name(v: &EnumValue) -> String {
    if let Some(name) = &v.name {
        return name.clone();
    }
    let text = v.text.trim_start_matches('.');
    // Signs other than separators would vanish, and with them the difference between `+` and `-`.
    let sayable = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    if sayable { text.to_owned() } else { format!("V{}", v.value) }
}

fn value_doc(cx: &Cx<'_>, v: &EnumValue) -> TokenStream {
    let text =
        if v.text.is_empty() { format!("{}, which prints nothing.", v.value) } else { format!("{}, `{}`.", v.value, v.text) };
    DocLines::new(cx.isa, &[&text]).paragraph(&v.note).cite(&v.doc).tokens()
}

fn enum_table(cx: &Cx<'_>, e: &Enum, table: &Ident) -> TokenStream {
    let rt = &cx.rt;
    let name = &e.name;
    let values = e.values.iter().map(|v| {
        let (value, text) = (Literal::u128_unsuffixed(v.value), &v.text);
        quote!((#value, #text))
    });
    let mut texts: Vec<(&str, u128)> =
        e.values.iter().flat_map(|v| std::iter::once(&v.text).chain(&v.also).map(|t| (t.as_str(), v.value))).collect();
    texts.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    let empty = texts.iter().find(|(text, _)| text.is_empty()).map(|(_, value)| *value);
    texts.retain(|(text, _)| !text.is_empty());
    // A numbered value whose name has nothing before the number begins with a digit.
    let numbered =
        e.otherwise.iter().map(|(before, _)| if before.is_empty() { "0123456789" } else { before.get(..1).unwrap_or("") });
    let first = texts.iter().map(|(text, _)| &text.as_bytes()[..1]).chain(numbered.map(str::as_bytes));
    let begins = hex(first.flatten().filter(|c| c.is_ascii()).fold(0u128, |set, c| set | 1 << c));
    let empty = match empty {
        Some(value) => {
            let value = Literal::u128_unsuffixed(value);
            quote!(Some(#value))
        }
        None => quote!(None),
    };
    let texts = texts.into_iter().map(|(text, value)| {
        let value = Literal::u128_unsuffixed(value);
        quote!((#rt::Literal::new(#text), #value))
    });
    let otherwise = match &e.otherwise {
        Some((before, after)) => quote!(Some((#before, #after))),
        None => quote!(None),
    };
    quote! {
        static #table: #rt::Names = #rt::Names {
            name: #name,
            values: &[#(#values),*],
            texts: &[#(#texts),*],
            begins: #begins,
            empty: #empty,
            otherwise: #otherwise,
        };
    }
}

/// `ident` for a table that belongs to a type: `R` and `FILE` give `R_FILE`.
pub(super) fn table_name(of: &Ident, what: &str) -> Ident {
    ident(&format!("{}_{what}", screaming(&of.to_string())))
}
