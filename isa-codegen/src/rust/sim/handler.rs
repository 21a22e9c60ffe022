//! For simulators of one's own: a trait with a method for each instruction and each form, and its dispatch table.

use super::super::names::{candidates, distinct, ident, snake};
use crate::rust::Cx;
use crate::rust::docs::doc;
use isa_spec::model::Form;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::collections::HashSet;

/// `pub trait Handler { … }` and `pub struct Dispatch<H>`.
pub(in crate::rust) fn handler(cx: &Cx<'_>) -> TokenStream {
    let isa = cx.isa;
    let name_of = |i: usize| isa.instructions[i].name.clone();
    let insns = distinct((0..isa.instructions.len()).map(|i| snake(&name_of(i))));
    let types = &cx.names.instructions;
    let methods = insns.iter().zip(types).zip(&isa.instructions).map(|((name, ty), insn)| {
        let docs = doc(&format!("Executes `{}`.", insn.mnemonic));
        quote!(#docs fn #name(&mut self, insn: #ty) -> Self::Output;)
    });
    // An instruction with one form has one method.
    let forms: Vec<(Ident, usize, bool)> = {
        let mut taken: HashSet<String> = insns.iter().map(ToString::to_string).collect();
        let one = |f: &Form| {
            let index = f.instruction.index();
            let alone = isa.instructions[index].forms.end.index() - isa.instructions[index].forms.start.index() == 1;
            if alone {
                return (insns[index].clone(), index, alone);
            }
            let name = candidates(&ident(&snake(&f.name)).to_string(), "_form").find(|c| !taken.contains(c));
            let name = name.expect("there is always a larger number");
            taken.insert(name.clone());
            (ident(&name), index, alone)
        };
        isa.forms.iter().map(one).collect()
    };
    let of_forms = forms.iter().zip(&isa.forms).filter(|((.., alone), _)| !alone).map(|((name, index, _), form)| {
        let (insn, ty) = (&insns[*index], &types[*index]);
        let docs = doc(&format!(
            "Executes `{}`, a form of `{}`: unless it is written, as all forms.",
            form.name, isa.instructions[*index].mnemonic
        ));
        quote! {
            #docs
            fn #name(&mut self, insn: #ty) -> Self::Output {
                self.#insn(insn)
            }
        }
    });
    let rows = forms.iter().map(|(name, index, _)| {
        let ty = &types[*index];
        // Called with the instruction of another form.
        let other = (types.len() > 1).then(|| quote!(other => other.visit(handler),));
        quote! {
            |handler, insn| match insn {
                Insn::#ty(insn) => handler.#name(insn),
                #other
            }
        }
    });
    let visits = types.iter().zip(&insns).map(|(ty, name)| quote!(Self::#ty(insn) => handler.#name(insn),));
    let count = Literal::usize_unsuffixed(isa.forms.len());
    quote! {
        /// Somebody who executes instructions, on state of their own.
        pub trait Handler {
            /// What executing gives: nothing, or what is to happen next.
            type Output;

            #(#methods)*
            #(#of_forms)*
        }

        impl Insn {
            /// Has the instruction executed, whatever its form.
            pub fn visit<H: Handler + ?Sized>(self, handler: &mut H) -> H::Output {
                match self {
                    #(#visits)*
                }
            }
        }

        /// The dispatch table of a handler.
        pub struct Dispatch<H>(::core::marker::PhantomData<H>);

        impl<H: Handler> Dispatch<H> {
            /// For each form the method that executes it: `Dispatch::<MyCpu>::TABLE[insn.form() as usize](&mut cpu, insn)`.
            pub const TABLE: [fn(&mut H, Insn) -> H::Output; #count] = [#(#rows),*];

            /// Executes an instruction.
            #[inline]
            pub fn run(handler: &mut H, insn: Insn) -> H::Output {
                Self::TABLE[insn.form() as usize](handler, insn)
            }
        }
    }
}
