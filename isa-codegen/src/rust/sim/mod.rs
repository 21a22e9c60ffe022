//! Simulation: what each form does, as a function over the lanes of a warp.
//!
//! Passes over semantics come first (`tree` and `parts` have what they are made of):
//!
//! - `ordered`: accesses to memory in their order, where there is one lane;
//! - `tidy`: names that forms share; `closed`: functions in line, values and bodies that compare equal;
//! - `outline`: functions that bodies call;
//! - `merge`: one body for the forms that differ in their operands only;
//! - `choices`: what is worth a loop of its own.
//!
//! Then there is code:
//!
//! - `uniform`: what is the same for all lanes; `scan`: what a body needs; `shape`: how it goes over the lanes, as a tree;
//! - `warp`: loops over lanes, of that tree; `lower`: expressions and statements as Rust; `unit`: functions;
//! - `names`: what registers and values are called there;
//! - `forms`: which functions a form has, and their arguments;
//! - `machine`: registers, and what the specification says of its machine;
//! - `operands`: what an instruction computes, of the values of its operands, in a text-only instruction set.
//!
//! A form has a guard, which decides which lanes take part, a body, which is what they do, and `after`, what the machine does then.
//! The parts of the word that these need (registers, immediates, conditions) are extracted once, when a program is prepared.

mod choices;
mod closed;
mod forms;
mod lower;
mod machine;
mod merge;
mod names;
mod operands;
mod ordered;
mod outline;
mod parts;
mod scan;
mod scope;
mod shape;
#[cfg(test)]
mod tests;
mod tidy;
mod tree;
mod uniform;
mod unit;
mod warp;

use super::{Cx, sets};
use isa_spec::model::{Form, Isa};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use tidy::{Keys, Tidy};
use unit::Units;

/// Anything can be executed, and words and registers are no larger than the machine of the runtime has them.
pub(super) fn is_simulated(isa: &Isa) -> bool {
    isa.forms.iter().any(|f| f.behaviour.is_some()) && isa.forms.iter().all(|f| f.length <= 128) && machine::fits(isa)
}

/// The words of no form that are executed as others.
fn executes(cx: &Cx<'_>) -> Vec<TokenStream> {
    let entry = |form: &Form| {
        let executes = form.executes.as_ref()?;
        let (bits, words) = (Literal::u32_unsuffixed(form.length), sets::cubes(&sets::list(&executes.words), &cx.rt));
        let (rt, ignored, value) = (&cx.rt, sets::hex(executes.ignored), sets::hex(executes.value));
        Some(quote!(sim::Executes { bits: #bits, words: #rt::Set(#words), ignored: #ignored, value: #value }))
    };
    cx.isa.forms.iter().filter_map(entry).collect()
}

/// The number of functions in a module: compilers compile modules in parallel.
const MODULE: usize = 8;

/// `pub mod sim { … }`, where anything can be executed; `crates` is where `isa_sim` is found. `has_types` says whether it is a part of a
/// module of typed instructions.
pub(super) fn module(cx: &Cx<'_>, crates: &TokenStream, has_types: bool) -> Option<TokenStream> {
    if !is_simulated(cx.isa) {
        return None;
    }
    let mut keys = Keys::default();
    let tidied =
        |form: &Form| form.behaviour.as_ref().map(|behaviour| Tidy::of(form, behaviour, &mut keys, lower::is_one(cx.isa)));
    let tidied: Vec<Option<Tidy>> = cx.isa.forms.iter().map(tidied).collect();
    let mut units = Units::new(cx, &keys);
    let mut forms = forms::forms(&mut units, &tidied);
    let routines = units.routines();
    let own = units.own();
    let evals = (has_types && cx.isa.is_text()).then(|| operands::evals(&mut units, &tidied, &mut forms));
    let Units { functions, bodies, afters, guards, fetches, uniforms, .. } = units;
    let [bodies, afters, guards] = [bodies.table, afters.table, guards.table];
    let [fetches, uniforms] = [fetches.table, uniforms.table];
    let (sets, writes, rows) = (forms.sets(cx), forms.writes(), forms.rows());
    let executes = executes(cx);
    let args = Literal::usize_unsuffixed(forms.most_args());
    let lanes = Literal::usize_unsuffixed(cx.isa.machine.lanes as usize);
    let is_one = lower::is_one(cx.isa);
    let row = if is_one { quote!(u64) } else { quote!([u32; #lanes]) };
    let with = if is_one { quote!(plain) } else { quote!(compiled) };
    let first_own = machine::first_own(cx.isa);
    let machine = machine::machine(cx);
    let floats = lower::rules(cx.isa);
    let engine = machine::engine(cx, &routines);
    let op = has_types.then(machine::op);
    let modules = (1..).zip(functions.chunks(MODULE)).map(|(number, functions)| {
        let name = format_ident!("functions_{number}");
        quote!(use #name::*; mod #name { use super::*; #(#functions)* })
    });
    Some(quote! {
        /// The behaviour of instructions: [`CODE`](sim::CODE) has the functions of each form, [`Compiled`](sim::Compiled) is for
        /// the machine of `isa_sim`.
        // Not every function uses every import.
        #[allow(unreachable_code, unused_variables, unused_mut, unused_assignments, unused_parens, unused_braces, unused_imports, dead_code, clippy::all)]
        pub mod sim {
            use #crates as info;
            use info::bits::{Bits, Long, Pair};
            use info::#with::{self as sim, Cell};
            use info::#with::Arg::{Broadcast, Condition, Const, Fetch, Field, Part, Row, Uniform};
            use info::#with::Pick::{By, Only};
            use info::#with::{NO_FORM, form};
            use info::{float, soft};
            use info::prelude::{Box, String};
            use super::rt;

            #machine

            #floats

            /// The arguments of an instruction's functions.
            pub type Args = [u64; #args];
            /// An instruction made ready.
            pub type Op = sim::Op<State, Lanes, #args>;
            type Step<'a> = info::Step<'a>;
            /// The values of an operand.
            pub type Lanes = #row;

            /// The functions of all forms.
            pub static CODE: sim::Code<State, Lanes, #args> = sim::Code {
                bodies: &[#(#bodies),*],
                guards: &[#(#guards),*],
                afters: &[#(#afters),*],
                fetches: &[#(#fetches),*],
                operands: sim::Operands {
                    uniforms: &[#(#uniforms),*],
                    sets: &[#(#sets),*],
                    rows: #first_own,
                    writes: {
                        use info::{Which::*, Write::*};
                        &[#(#writes),*]
                    },
                    forms: FORMS,
                    executes: &[#(#executes),*],
                },
            };

            /// For each form the numbers of its body, its guard, its `after` and its writes, and their arguments.
            static FORMS: &[sim::Form] = &[#(#rows),*];

            #engine
            #op
            #evals
            #(#own)*
            #(#modules)*
        }
    })
}
