//! `pub struct Reg { … }` for an operand type, `pub enum SrcB { … }` for a choice type.

use super::Cx;
use super::docs::{DocLines, doc};
use super::fields::ty;
use super::names::{camel, distinct, ident, snake};
use isa_spec::model::{Alternative, ChoiceType, FieldType, Kind, OperandType};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// `pub struct Reg { pub r: R, pub neg: bool }`
pub(super) fn operand(cx: &Cx<'_>, index: usize) -> TokenStream {
    let operand = &cx.isa.operand_types[index];
    let name = &cx.names.operands[index];
    let docs = DocLines::new(cx.isa, &[&operand.summary, &format!("An operand {}.", operand.operand)])
        .cite(&operand.doc)
        .place(operand.span)
        .tokens();
    let fields = member_names(&operand.fields);
    let types = operand.fields.iter().map(|f| ty(cx, f));
    let notes = operand.fields.iter().map(|f| doc(&about(cx, f)));
    let from = from_value(cx, operand, name, &fields);
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct #name {
            #(#notes pub #fields: #types,)*
        }

        #from
    }
}

/// An operand of one value and some flags can be made from the value.
fn from_value(cx: &Cx<'_>, operand: &OperandType, name: &Ident, fields: &[Ident]) -> Option<TokenStream> {
    let is_flag = |f: &FieldType| matches!(f.kind, Kind::Flag(_));
    let mut values = operand.fields.iter().zip(fields).filter(|(f, _)| !is_flag(f));
    let (Some((value, field)), None) = (values.next(), values.next()) else { return None };
    // `From<bool>` would say nothing, and an enumeration alone is a modifier.
    if !matches!(value.kind, Kind::Register(_) | Kind::Int { .. }) {
        return None;
    }
    let ty = ty(cx, value);
    let flags = operand.fields.iter().zip(fields).filter(|(f, _)| is_flag(f)).map(|(f, name)| {
        // A flag that is inverted is clear where its bit is set: the default of the bits is then `true`.
        let clear = f.inverted;
        quote!(#name: #clear)
    });
    let shorthand = if *field == "value" { quote!(value) } else { quote!(#field: value) };
    Some(quote! {
        impl From<#ty> for #name {
            fn from(value: #ty) -> Self {
                Self { #shorthand, #(#flags),* }
            }
        }
    })
}

/// What a field of a type is.
pub(super) fn about(cx: &Cx<'_>, f: &FieldType) -> String {
    match &f.kind {
        Kind::Flag(text) if text.is_empty() => format!("`{}`: one bit.", f.name),
        Kind::Flag(text) => format!("`{text}`"),
        Kind::Register(id) => format!("`{}`: a register of the file {}.", f.name, cx.isa.registers[id.index()].name),
        Kind::Enum(id) => format!("`{}`: a value of {}.", f.name, cx.isa.enums[id.index()].name),
        Kind::Bitset(letters) => format!("`{}`: a bit for each of `{letters}`.", f.name),
        Kind::Int { target: Some(_), .. } => format!("`{}`: a target, {} bits.", f.name, f.width),
        Kind::Int { .. } => format!("`{}`: a number of {} bits.", f.name, f.width),
    }
}

/// The fields' names in Rust.
pub(super) fn member_names(fields: &[FieldType]) -> Vec<Ident> {
    distinct(fields.iter().map(field_name))
}

/// The name that the spec gives for Rust, or the field's own.
fn field_name(field: &FieldType) -> String {
    snake(field.rust_name.as_ref().unwrap_or(&field.name))
}

/// The shape of an alternative as a variant.
pub(super) enum Shape {
    /// `Lo`
    Unit,
    /// `Reg(Reg)`: one operand and nothing else.
    Tuple,
    /// `Const { bank: …, b: … }`: the names of fields, then of operands.
    Struct(Vec<Ident>),
}

pub(super) fn shape(alternative: &Alternative) -> Shape {
    match (alternative.fields.len(), alternative.binds.len()) {
        (0, 0) => Shape::Unit,
        (0, 1) => Shape::Tuple,
        _ => {
            let fields = alternative.fields.iter().map(field_name);
            Shape::Struct(distinct(fields.chain(alternative.binds.iter().map(|(name, _)| snake(name)))))
        }
    }
}

/// The variants of a choice type.
pub(super) fn variants(choice: &ChoiceType) -> Vec<Ident> {
    distinct(choice.alternatives.iter().map(|a| ident(&camel(&a.name)).to_string()))
}

/// `pub enum SrcB { Reg(Reg), Imm(Imm), Const { … } }`
pub(super) fn choice(cx: &Cx<'_>, index: usize) -> TokenStream {
    let choice = &cx.isa.choice_types[index];
    let name = &cx.names.choices[index];
    let docs = DocLines::new(cx.isa, &[&choice.summary, &format!("What {} can be.", choice.name)]).place(choice.span).tokens();
    let names = variants(choice);
    let variants = choice.alternatives.iter().zip(&names).map(|(a, variant)| {
        let mut docs = DocLines::new(cx.isa, &[&a.summary, &format!("`{}`", a.name)]);
        if a.observed {
            docs.paragraph("Observed: a tool shows it, the document does not have it.");
        }
        let docs = docs.cite(&a.doc).tokens();
        let operands = a.binds.iter().map(|(_, id)| &cx.names.operands[id.index()]);
        let body = match shape(a) {
            Shape::Unit => quote!(),
            Shape::Tuple => quote!((#(#operands)*)),
            Shape::Struct(members) => {
                let notes = a.fields.iter().map(|f| about(cx, f)).chain(a.binds.iter().map(|(n, _)| format!("Operand `{n}`.")));
                let notes = notes.map(|n| doc(&n));
                let types = a.fields.iter().map(|f| ty(cx, f)).chain(operands.map(|o| quote!(#o)));
                quote!({ #(#notes #members: #types,)* })
            }
        };
        quote!(#docs #variant #body,)
    });
    let pick = (choice.alternatives.len() > 1).then(|| {
        let arms = choice.alternatives.iter().zip(&names).enumerate().map(|(i, (a, variant))| {
            let rest = match shape(a) {
                Shape::Unit => quote!(),
                Shape::Tuple => quote!((..)),
                Shape::Struct(_) => quote!({ .. }),
            };
            let i = Literal::usize_unsuffixed(i);
            quote!(Self::#variant #rest => #i,)
        });
        quote! {
            impl #name {
                /// The number of the alternative.
                const fn pick(self) -> usize {
                    match self { #(#arms)* }
                }
            }
        }
    });
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum #name {
            #(#variants)*
        }

        #pick
    }
}
