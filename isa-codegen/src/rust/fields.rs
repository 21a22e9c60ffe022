//! Fields: their types, and reading and writing them.

use super::Cx;
use super::sets::hex;
use isa_spec::model::{Bits, FieldType, Kind, ones};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The type of a field's values, and how its name stands in an expression: `Uint<8>` and `Uint::<8>`.
struct TypeName {
    name: TokenStream,
    args: TokenStream,
}

fn type_name(cx: &Cx<'_>, ft: &FieldType) -> TypeName {
    let rt = &cx.rt;
    let width = Literal::u32_unsuffixed(ft.width);
    let plain = |name: &proc_macro2::Ident| TypeName { name: quote!(#name), args: quote!() };
    match &ft.kind {
        Kind::Flag(_) => TypeName { name: quote!(bool), args: quote!() },
        Kind::Register(id) => plain(&cx.names.registers[id.index()]),
        Kind::Enum(id) => plain(&cx.names.enums[id.index()]),
        Kind::Bitset(_) => TypeName { name: quote!(#rt::Uint), args: quote!(<#width>) },
        Kind::Int { signed, scale, bias, target, .. } => {
            let (name, args) = match target {
                _ if is_wide(ft) => (quote!(#rt::Wide), quote!(<#signed, #width, #scale, #bias>)),
                Some(from) => (quote!(#rt::Displacement), quote!(<#signed, #width, #scale, #bias, #from>)),
                None if (*scale, *bias) != (1, 0) => (quote!(#rt::Scaled), quote!(<#signed, #width, #scale, #bias>)),
                None if *signed => (quote!(#rt::Int), quote!(<#width>)),
                None => (quote!(#rt::Uint), quote!(<#width>)),
            };
            TypeName { name, args: unsuffixed(args) }
        }
    }
}

/// Literals without their types: the parameters have them.
fn unsuffixed(tokens: TokenStream) -> TokenStream {
    tokens.to_string().replace("i64", "").parse().expect("without suffixes they are literals still")
}

/// Whether a number needs more than 64 bits.
pub(super) fn is_wide(ft: &FieldType) -> bool {
    let Kind::Int { signed, scale, bias, .. } = &ft.kind else { return false };
    if (*scale, *bias) == (1, 0) {
        return ft.width > 64;
    }
    let most = i128::from(scale.unsigned_abs()) << (ft.width - u32::from(*signed)).min(63);
    ft.width > 63 || most + i128::from(bias.unsigned_abs()) > i128::from(i64::MAX)
}

/// `R`, `bool`, `Uint<8>`
pub(super) fn ty(cx: &Cx<'_>, ft: &FieldType) -> TokenStream {
    let TypeName { name, args } = type_name(cx, ft);
    quote!(#name #args)
}

/// The bits of a field as the value has them: `word.field(23, 16)`.
pub(super) fn raw(ft: &FieldType, bits: &Bits, word: &TokenStream) -> TokenStream {
    let method = if is_wide(ft) { quote!(wide_field) } else { quote!(field) };
    let mut rest = bits.width();
    let parts = bits.0.iter().map(|r| {
        rest -= r.width();
        let (hi, lo, shift) = (Literal::u32_unsuffixed(r.hi), Literal::u32_unsuffixed(r.lo), Literal::u32_unsuffixed(rest));
        if rest == 0 { quote!(#word.#method(#hi, #lo)) } else { quote!(#word.#method(#hi, #lo) << #shift) }
    });
    let raw = quote!(#(#parts)|*);
    match ft.inverted {
        false => raw,
        true if bits.0.len() == 1 => {
            let all = hex(ones(bits.width()));
            quote!(#all - #raw)
        }
        true => {
            let all = hex(ones(bits.width()));
            quote!(#all - (#raw))
        }
    }
}

/// The value of a field: `R::from_bits(word.field(23, 16))`.
pub(super) fn get(cx: &Cx<'_>, ft: &FieldType, bits: &Bits, word: &TokenStream) -> TokenStream {
    let raw = raw(ft, bits, word);
    if let Kind::Flag(_) = ft.kind {
        return quote!(#raw != 0);
    }
    let TypeName { name, args } = type_name(cx, ft);
    if args.is_empty() { quote!(#name::from_bits(#raw)) } else { quote!(#name::#args::from_bits(#raw)) }
}

/// Whether the type has values that the field has no bits for: a file of 128 registers in 6 bits.
pub(super) fn is_narrow(cx: &Cx<'_>, ft: &FieldType) -> bool {
    match &ft.kind {
        Kind::Register(id) => cx.isa.registers[id.index()].index > ft.width,
        Kind::Enum(id) => cx.enum_widths[id.index()] > ft.width,
        _ => false,
    }
}

/// The bits of a value, as the field has them; `?` where they may not fit.
fn bits_of(cx: &Cx<'_>, ft: &FieldType, value: &TokenStream) -> TokenStream {
    let rt = &cx.rt;
    let plain = match ft.kind {
        Kind::Flag(_) => quote!(u64::from(#value)),
        _ => quote!(#value.bits()),
    };
    let width = Literal::u32_unsuffixed(ft.width);
    let fit = if is_narrow(cx, ft) { quote!(#rt::Uint::<#width>::new(#plain)?.bits()) } else { plain };
    if !ft.inverted {
        return fit;
    }
    let all = hex(ones(ft.width));
    quote!(#all - #fit)
}

/// The word with the field set to a value: `word.with_field(23, 16, value.bits())`.
pub(super) fn set(cx: &Cx<'_>, ft: &FieldType, bits: &Bits, word: &TokenStream, value: &TokenStream) -> TokenStream {
    let method = if is_wide(ft) { quote!(with_wide_field) } else { quote!(with_field) };
    let value = bits_of(cx, ft, value);
    let mut rest = bits.width();
    let calls = bits.0.iter().map(|r| {
        rest -= r.width();
        let (hi, lo, shift) = (Literal::u32_unsuffixed(r.hi), Literal::u32_unsuffixed(r.lo), Literal::u32_unsuffixed(rest));
        let part = match (ft.inverted, rest) {
            (_, 0) => value.clone(),
            (false, _) => quote!(#value >> #shift),
            (true, _) => quote!((#value) >> #shift),
        };
        quote!(.#method(#hi, #lo, #part))
    });
    quote!(#word #(#calls)*)
}
