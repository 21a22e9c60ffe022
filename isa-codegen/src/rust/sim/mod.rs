//! Simulation: what each form does, as a function over the lanes of a warp.
//!
//! - `uniform`: what is the same for all lanes; `scan`: what a body needs;
//! - `lower`: expressions and statements as Rust; `unit`: a body as a function;
//! - `machine`: registers, and what the specification says of its machine;
//! - `operands`: what an instruction computes, of the values of its operands, where there is text alone.
//!
//! A form is one function: its guard decides which lanes take part, its body is what they do, and `after` what the machine does then.
//! Guards and bodies that come out alike are one function. What a function needs of the word (registers, immediates, conditions) is
//! taken out of it when a program is made ready, once.

mod lower;
mod machine;
mod operands;
mod scan;
mod uniform;
mod unit;

use super::Cx;
use super::docs::DocLines;
use super::names::{distinct_from, snake};
use isa_spec::model::{Behaviour, Field, Form, Isa};
use isa_spec::semantics::machine::StateKind;
use lower::{ArgKey, Args};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;
use unit::Units;

/// `r0`: the rows of a register file.
fn register_name(file: usize) -> Ident {
    format_ident!("r{file}")
}

/// `f0`: registers of flags.
fn flags_name(file: usize) -> Ident {
    format_ident!("f{file}")
}

/// `x0`: a named value.
fn value_name(value: usize) -> Ident {
    format_ident!("x{value}")
}

/// Where a named value of the machine stands among those of its kind.
fn state_place(isa: &Isa, state: usize) -> usize {
    let all = &isa.machine.state;
    all[..state].iter().filter(|s| s.kind == all[state].kind).count()
}

fn states(isa: &Isa, kind: StateKind) -> impl Iterator<Item = &isa_spec::semantics::machine::State> {
    isa.machine.state.iter().filter(move |s| s.kind == kind)
}

/// `[255, 255]`: the registers that are constants.
fn constants(isa: &Isa, file: usize) -> TokenStream {
    let file = &isa.registers[file];
    let mut list = [file.zero, file.one].into_iter().flatten().map(Literal::u128_unsuffixed);
    match (list.next(), list.next()) {
        (Some(a), Some(b)) => quote!([#a, #b]),
        (Some(a), None) => quote!([#a, #a]),
        _ => no_constants(),
    }
}

fn no_constants() -> TokenStream {
    quote!([usize::MAX, usize::MAX])
}

/// Bits of a field's value.
fn field_width(field: &Field) -> u32 {
    isa_spec::semantics::value::shape(&field.kind, field.bits.width()).width
}

/// Anything can be executed, and words and registers are no larger than the machine of the runtime has them.
pub(super) fn is_simulated(isa: &Isa) -> bool {
    isa.forms.iter().any(|f| f.behaviour.is_some()) && isa.forms.iter().all(|f| f.length <= 128) && machine::fits(isa)
}

/// `pub mod sim { … }`, where anything can be executed.
pub(super) fn module(cx: &Cx<'_>) -> Option<TokenStream> {
    if !is_simulated(cx.isa) {
        return None;
    }
    // `machine` is there for every instruction set.
    let mut taken = HashSet::from(["machine".to_owned()]);
    let names = distinct_from(&mut taken, cx.isa.forms.iter().map(|f| snake(&f.name)));
    let mut units = Units::new(cx, taken);
    let mut tables = Vec::new();
    let mut all = |(f, name): (&Form, &Ident)| {
        let mut args = Args::default();
        let made = form(&mut units, f, name, &mut args);
        tables.push(args);
        made
    };
    let (functions, entries): (Vec<_>, Vec<_>) = cx.isa.forms.iter().zip(&names).map(&mut all).unzip();
    let launch = units.launch();
    let evals = cx.isa.is_text().then(|| operands::evals(&mut units, &tables));
    let (units, args) = units.finish();
    let rt = &cx.rt;
    let count = Literal::usize_unsuffixed(cx.isa.forms.len());
    let args = Literal::usize_unsuffixed(args);
    let machine = machine::machine(cx);
    let engine = machine::engine(cx, &launch);
    Some(quote! {
        /// What instructions do: [`DISPATCH`](sim::DISPATCH) has a function for each form, [`Compiled`](sim::Compiled) is for
        /// the machine of `isa_runtime::sim`.
        // Bodies have all names that there are; not all name all.
        #[allow(unused_variables, unused_mut, unused_assignments, unused_parens, unused_imports, dead_code, clippy::all)]
        pub mod sim {
            use #rt::sim::bits::{Bits, Long, Pair};
            use #rt::sim::compiled::{self as sim, Cell};
            use #rt::sim::float;
            use #rt::sim::prelude::{Box, String, ToString as _, format, vec};
            use super::rt;

            #machine

            /// What an instruction says to its function.
            pub type Args = [u64; #args];
            /// An instruction made ready.
            pub type Op = sim::Op<State, #args>;
            type Step<'a> = #rt::sim::Step<'a>;

            /// What each form does, by number: a function, and what it is told of the word.
            pub static DISPATCH: [sim::Entry<State, #args>; #count] = [#(#entries),*];

            #engine
            #evals
            #(#functions)*
            #(#units)*
        }
    })
}

/// The function of a form, and its row in the table.
fn form(units: &mut Units<'_>, form: &Form, name: &Ident, args: &mut Args) -> (TokenStream, TokenStream) {
    let Some(behaviour) = &form.behaviour else {
        return (TokenStream::new(), quote!(sim::Entry { run: None, args: &[] }));
    };
    let guard = behaviour.guard.as_ref().and_then(|g| units.guard(form, g, args));
    let after = units.body(form, "after", &behaviour.after, args);
    let body = units.body(form, "body", &behaviour.body, args);
    let table: Vec<TokenStream> = args.all.iter().flat_map(|(key, _)| units.args(form, behaviour, *key)).collect();
    units.count_args(table.len());
    let on = match guard {
        Some(guard) => quote!(let on = #guard(a, s, step);),
        None => quote!(let on = step.active;),
    };
    let body = body.map(|body| quote!(#on #body(a, s, step, on);));
    let after = after.map(|after| quote!(#after(a, s, step, step.active);));
    let docs = semantics_docs(units.cx, form);
    let function = quote! {
        #docs
        fn #name(a: &Args, s: &mut State, step: &mut Step<'_>) {
            #body
            #after
        }
    };
    let entry = quote!(sim::Entry { run: Some(#name), args: &[#(sim::#table),*] });
    (function, entry)
}

/// What the specification says that a form does.
fn semantics_docs(cx: &Cx<'_>, form: &Form) -> TokenStream {
    let instruction = cx.isa.instruction(form.instruction);
    let source = instruction.semantics.as_ref().map_or("", |s| s.source.trim_end());
    let mut docs = DocLines::new(cx.isa, &[&format!("`{}`", form.name)]);
    if source.trim().is_empty() {
        docs.paragraph("It does nothing.");
    } else {
        docs.code("text", source);
    }
    docs.place(instruction.span).tokens()
}

impl Units<'_> {
    /// How an argument is found in a word of the form.
    fn args(&self, form: &Form, behaviour: &Behaviour, key: ArgKey) -> Vec<TokenStream> {
        let rt = &self.cx.rt;
        match key {
            ArgKey::Field(index) => {
                let field = &form.fields[index];
                let width = field_width(field);
                let bits: Vec<TokenStream> = field
                    .bits
                    .0
                    .iter()
                    .map(|r| {
                        let (hi, lo) = (Literal::u32_unsuffixed(r.hi), Literal::u32_unsuffixed(r.lo));
                        quote!((#hi, #lo))
                    })
                    .collect();
                let (inverted, raw) = (field.inverted, Literal::u32_unsuffixed(field.bits.width()));
                let number = match field.kind {
                    isa_spec::model::Kind::Int { signed, scale, bias, .. } if (signed, scale, bias) != (false, 1, 0) => {
                        let (scale, bias) = (Literal::i64_unsuffixed(scale), Literal::i64_unsuffixed(bias));
                        Some(quote!(.number(#signed, #scale, #bias)))
                    }
                    _ => None,
                };
                let inverted = inverted.then(|| quote!(.inverted()));
                (0..width.div_ceil(64).max(1))
                    .map(|slot| {
                        let (from, wanted) = (64 * slot, (width - 64 * slot).min(64));
                        let part = (from > 0 || wanted != field.bits.width()).then(|| {
                            let (from, wanted) = (Literal::u32_unsuffixed(from), Literal::u32_unsuffixed(wanted));
                            quote!(.part(#from, #wanted))
                        });
                        quote!(Arg::field(&[#(#bits),*], #raw)#inverted #number #part)
                    })
                    .collect()
            }
            ArgKey::Condition(index) => {
                let set = &behaviour.conditions[index].words;
                let cubes = super::sets::cubes(&super::sets::list(set), rt);
                vec![quote!(Arg::Condition(&#rt::Set(#cubes)))]
            }
        }
    }
}
