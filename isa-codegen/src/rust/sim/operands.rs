//! `eval` for text-only instruction sets, which have no programs and no registers: what an instruction computes, of the
//! values of its operands.
//!
//! `pub fn eval(self, a: u32, b: u32, c: u32) -> u32`, of an instruction; of `Insn` too, if all instructions have the same operands.

use super::closed::simple;
use super::forms::Forms;
use super::lower::{Arguments, Kinds, Lower, Mode, cell};
use super::names::{field, operand_name, semantics_docs};
use super::scan::Scan;
use super::scope::Scope;
use super::tidy::Tidy;
use super::unit::Units;
use crate::rust::Cx;
use crate::rust::names::snake;
use isa_spec::model::{Form, Instruction, Label};
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};

/// The fields whose registers a body reads and writes, if it does nothing else: all is read before anything is written.
#[derive(Default)]
struct Operands {
    read: BTreeSet<usize>,
    /// In the order of writing.
    written: Vec<usize>,
    more: bool,
}

impl Operands {
    fn of(body: &Body) -> Option<Self> {
        let mut operands = Self::default();
        operands.stmts(&body.stmts, true);
        (!operands.more && !operands.written.is_empty()).then_some(operands)
    }

    fn stmts(&mut self, stmts: &[Stmt], always: bool) {
        for stmt in stmts {
            stmt.exprs().into_iter().for_each(|e| self.expr(e));
            match &stmt.kind {
                StmtKind::Set(place, _) => self.place(place, always),
                StmtKind::If { .. } | StmtKind::Match { .. } => {
                    stmt.ways().into_iter().for_each(|body| self.stmts(body, false));
                }
                StmtKind::Store(..) | StmtKind::Atomic { .. } | StmtKind::Action(..) => self.more = true,
            }
        }
    }

    fn place(&mut self, place: &Place, always: bool) {
        match &place.kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Register(r) => match field(r).filter(|f| always && !self.written.contains(f)) {
                Some(field) => self.written.push(field),
                None => self.more = true,
            },
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } if is_var(of) => {}
            _ => self.more = true,
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Register(r) => match field(r).filter(|_| self.written.is_empty()) {
                Some(field) => {
                    self.read.insert(field);
                }
                None => self.more = true,
            },
            ExprKind::Flags(_)
            | ExprKind::State(_)
            | ExprKind::Supplied(_)
            | ExprKind::Variant(_)
            | ExprKind::Load(_)
            | ExprKind::Other { .. }
            | ExprKind::Ballot(_) => self.more = true,
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts, false);
                self.expr(value);
            }
            _ => e.children().into_iter().for_each(|c| self.expr(c)),
        }
    }
}

fn is_var(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => true,
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => is_var(of),
        _ => false,
    }
}

/// An operand: its field, and bits of a register.
type Operand = (String, u32);

fn operand(cx: &Cx<'_>, form: &Form, path: &str) -> Operand {
    let width = match form.field(path).map(|field| field.label) {
        Some(Label::Register(file)) => cx.isa.registers[file.index()].width,
        _ => 128,
    };
    (path.to_owned(), width)
}

/// `eval` of the instructions whose forms only compute; and of all of them together, where all take and give the same.
pub(super) fn evals(units: &mut Units<'_>, tidied: &[Option<Tidy>], table: &mut Forms) -> TokenStream {
    let cx = units.cx;
    let instructions = &cx.isa.instructions;
    let made: Vec<(&Instruction, Eval)> = instructions.iter().filter_map(|i| Some((i, eval(units, i, tidied, table)?))).collect();
    let methods = made.iter().map(|(_, eval)| &eval.method);
    let all = made.first().filter(|(_, first)| {
        let same = |e: &Eval| (&e.inputs, &e.results) == (&first.inputs, &first.results);
        made.len() == instructions.len() && made.iter().all(|(_, e)| same(e))
    });
    let all = all.map(|(_, eval)| {
        let Eval { inputs, results, .. } = eval;
        let (names, params, output) = (public(inputs), params(&public(inputs), inputs), output(results));
        let insns = made.iter().map(|(i, _)| &cx.names.instructions[i.id.index()]);
        let (docs, given) = (doc(inputs, results), quote!((#(#names),*)));
        quote! {
            impl super::Insn {
                #[doc = #docs]
                pub fn eval(self, #(#params),*) -> #output {
                    match self {
                        #(Self::#insns(insn) => insn.eval #given,)*
                    }
                }
            }
        }
    });
    quote!(#all #(#methods)*)
}

struct Eval {
    inputs: Vec<Operand>,
    results: Vec<Operand>,
    method: TokenStream,
}

/// Parameters have the names that the specification has.
fn public(inputs: &[Operand]) -> Vec<Ident> {
    crate::rust::names::distinct(inputs.iter().map(|i| snake(&i.0)))
}

fn params(names: &[Ident], inputs: &[Operand]) -> Vec<TokenStream> {
    let one = |(name, (_, width)): (&Ident, &Operand)| {
        let cell = cell(*width);
        quote!(#name: #cell)
    };
    names.iter().zip(inputs).map(one).collect()
}

fn output(results: &[Operand]) -> TokenStream {
    let cells: Vec<Ident> = results.iter().map(|r| cell(r.1)).collect();
    if let [one] = &cells[..] { quote!(#one) } else { quote!((#(#cells),*)) }
}

fn doc(inputs: &[Operand], results: &[Operand]) -> String {
    let list = |all: &[Operand]| all.iter().map(|o| format!("`{}`", o.0)).collect::<Vec<_>>().join(", ");
    let (results, inputs) = (list(results), list(inputs));
    format!(" The new {results}, of the values of {inputs}. Guards and the names of registers play no part.")
}

fn eval(units: &mut Units<'_>, instruction: &Instruction, tidied: &[Option<Tidy>], table: &mut Forms) -> Option<Eval> {
    let cx = units.cx;
    let path = |key: &usize| units.keys.fields[*key].0.as_str();
    let forms: Vec<&Form> = cx.isa.forms.iter().filter(|f| f.instruction == instruction.id).collect();
    let bodies: Option<Vec<(&Form, &Tidy, Body)>> = forms
        .iter()
        .map(|form| {
            let tidy = tidied[form.id.index()].as_ref()?;
            tidy.after.stmts.is_empty().then_some(())?;
            Some((*form, tidy, simple(&tidy.body)))
        })
        .collect();
    let bodies = bodies?;
    let bodies: Option<Vec<_>> =
        bodies.into_iter().map(|(form, tidy, body)| Operands::of(&body).map(|operands| (form, tidy, body, operands))).collect();
    let bodies = bodies?;
    let (first, _, _, operands) = bodies.first()?;
    let results: Vec<Operand> = operands.written.iter().map(|f| operand(cx, first, path(f))).collect();
    // All operands that any form reads, in the order of the fields.
    let mut inputs: Vec<Operand> = Vec::new();
    for (form, _, _, operands) in &bodies {
        let written: Vec<Operand> = operands.written.iter().map(|f| operand(cx, form, path(f))).collect();
        if written != results {
            return None;
        }
        let place = |key: &&usize| form.fields.iter().position(|f| f.path == path(key));
        let mut read: Vec<&usize> = operands.read.iter().collect();
        read.sort_by_key(place);
        for field in read {
            let found = operand(cx, form, path(field));
            match inputs.iter().find(|i| i.0 == found.0) {
                Some(same) if *same != found => return None,
                Some(_) => {}
                None => inputs.push(found),
            }
        }
    }
    let names: Vec<Ident> = inputs.iter().map(|i| operand_name(cx, &i.0)).collect();
    let (private, output) = (params(&names, &inputs), output(&results));
    let mut arms: BTreeMap<(usize, usize), Vec<Ident>> = BTreeMap::new();
    for (form, tidy, body, operands) in &bodies {
        let key = ((*body).clone(), names.clone());
        let (function, arguments) = units.computes.known(&key).unwrap_or_else(|| {
            let (name, (code, arguments)) = (units.computes.next(), compute(units, form, body, operands));
            units.functions.push(quote! {
                pub(super) fn #name(a: &Args, at: usize, #(#private),*) -> #output {
                    #code
                }
            });
            units.computes.add(key, quote!(#name), arguments)
        });
        let at = table.arguments(cx, form.id.index(), &tidy.own, &arguments);
        arms.entry((function, at)).or_default().push(cx.names.forms[form.id.index()].clone());
    }
    let last = arms.len() - 1;
    let arms = arms.iter().enumerate().map(|(i, ((function, at), forms))| {
        let (function, at) = (&units.computes.table[*function], Literal::usize_unsuffixed(*at));
        // The instruction has no other forms.
        let which = if i == last { quote!(_) } else { quote!(#(super::Form::#forms)|*) };
        quote!(#which => #function(&args, #at, #(#names),*),)
    });
    let insn = &cx.names.instructions[instruction.id.index()];
    let (what, semantics) = (doc(&inputs, &results), semantics_docs(cx, first, &format!("`{}`", first.name)));
    let public = public(&inputs);
    let params = params(&public, &inputs);
    let method = quote! {
        impl super::#insn {
            #[doc = #what]
            #[doc = ""]
            #semantics
            pub fn eval(self, #(#params),*) -> #output {
                #(let #names = #public;)*
                let form = self.form();
                let args = CODE.args(&super::TABLES, form as u16, self.word());
                match form {
                    #(#arms)*
                }
            }
        }
    };
    Some(Eval { inputs, results, method })
}

/// The body of a function of the operands' values, and its arguments.
fn compute(units: &Units<'_>, form: &Form, body: &Body, operands: &Operands) -> (TokenStream, Arguments) {
    let cx = units.cx;
    let path = |key: &usize| units.keys.fields[*key].0.as_str();
    let (scope, mut arguments) = (Scope::of(body, BTreeMap::new(), []), Arguments::new(None));
    let mut lower = Lower::new((cx, units.keys), &scope, &mut arguments, Mode::Operands, Scan::default());
    let used = Scan::of(&body.stmts, &scope.uniform).sets_vars;
    let declared = lower.declare(&used);
    let code = lower.stmts(&body.stmts);
    let told_here = arguments.declarations();
    let reads = operands.read.iter().map(|f| {
        let name = operand_name(cx, path(f));
        quote!(let #name = #name.value();)
    });
    let results = operands.written.iter().map(|f| {
        let (path, width) = operand(cx, form, path(f));
        let (name, kind) = (format_ident!("w_{}", operand_name(cx, &path)), Kinds::of(cx.isa).kind(width));
        (quote!(let #name: #kind;), quote!(Cell::of(#name)))
    });
    let (outs, values): (Vec<_>, Vec<_>) = results.unzip();
    let value = if let [one] = &values[..] { one.clone() } else { quote!((#(#values),*)) };
    (quote!(#told_here #declared #(#reads)* #(#outs)* #code #value), arguments)
}
