//! From a typed semantics to Rust: values of up to 32 bits are `u32`, up to 64 `Pair`, up to 256 `Long`.
//!
//! Expressions are here, calls in `functions`, statements and the places that they write in `statements`.

mod functions;
mod statements;

use super::scan::{File, Scan};
use super::tidy::Keys;
use super::tree::any;
use super::uniform::Uniform;
use super::{flags_name, operands, register_name, state_place, value_name};
use crate::rust::Cx;
use isa_spec::model::Isa;
use isa_spec::semantics::Int;
use isa_spec::semantics::ast::{BinaryOp, UnaryOp};
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::typed::{Access, Expr, ExprKind, Flags, Register};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a value of so many bits.
pub(super) fn kind(width: u32) -> Ident {
    format_ident!(
        "{}",
        if width <= 32 {
            "u32"
        } else if width <= 64 {
            "Pair"
        } else {
            "Long"
        }
    )
}

fn room(width: u32) -> u32 {
    if width <= 32 {
        32
    } else if width <= 64 {
        64
    } else {
        256
    }
}

/// The cell that keeps a register of so many bits.
pub(super) fn cell(width: u32) -> Ident {
    format_ident!("u{}", [8, 16, 32, 64].into_iter().find(|w| width <= *w).unwrap_or(128))
}

pub(super) fn lit(n: impl Into<u64>) -> Literal {
    Literal::u64_unsuffixed(n.into())
}

/// A number as a value.
fn number(value: Int, width: u32) -> TokenStream {
    let hex = |n: u64| -> Literal { if n < 10 { lit(n) } else { format!("{n:#x}").parse().expect("a number") } };
    match room(width) {
        32 => {
            // Methods need to know what a bare number is.
            let value: Literal = format!("{}_u32", hex(value.low())).parse().expect("a number");
            quote!(#value)
        }
        64 => {
            let value = hex(value.low());
            quote!(Pair::of64(#value))
        }
        _ => {
            let limbs = value.limbs().map(hex);
            quote!(Long([#(#limbs),*]))
        }
    }
}

/// Something that a function is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The value of a field, by the number that forms share.
    Field(usize),
    /// A condition, by the number that forms share.
    Condition(usize),
    /// A parameter, by its variable.
    Param(usize),
}

/// What a function is told: keys with their places among its arguments.
#[derive(Clone)]
pub(super) struct Told {
    /// The number of its first argument; without one it is said when it is called, as `at`.
    start: Option<usize>,
    /// With the number of the first of each, and how many it takes.
    pub(super) all: Vec<(Key, usize, usize)>,
    /// How many arguments there are.
    pub(super) count: usize,
    /// What the function at hand needs: its declarations.
    here: BTreeMap<usize, TokenStream>,
}

impl Told {
    pub(super) fn new(start: Option<usize>) -> Self {
        Self { start, all: Vec::new(), count: 0, here: BTreeMap::new() }
    }

    /// The number of the first of so many arguments.
    pub(super) fn place(&mut self, key: Key, slots: usize) -> usize {
        if let Some((_, first, _)) = self.all.iter().find(|(k, ..)| *k == key) {
            return *first;
        }
        self.all.push((key, self.count, slots));
        self.count += slots;
        self.count - slots
    }

    /// An argument as it stands in `a`.
    fn argument(&self, number: usize) -> TokenStream {
        match self.start {
            Some(start) => {
                let number = Literal::usize_unsuffixed(start + number);
                quote!(a[#number])
            }
            None => {
                let number = Literal::usize_unsuffixed(number);
                quote!(a[at + #number])
            }
        }
    }

    /// The number of an argument for all functions.
    pub(super) fn number(&self, key: Key) -> usize {
        let found = self.all.iter().find(|(k, ..)| *k == key);
        self.start.unwrap_or(0) + found.map_or(0, |(_, first, _)| *first)
    }

    /// The declarations of a function that is ready, and begins with nothing declared.
    pub(super) fn declarations(&mut self) -> TokenStream {
        let here = std::mem::take(&mut self.here);
        here.into_values().collect()
    }
}

/// What stands for a variable that a body is given.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// A row.
    Row(Ident),
    /// A number.
    Number,
    /// A constant of the function: whether it holds.
    Choice(Ident),
}

/// Where lanes stand while code is emitted.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// In front of any lane: only what is the same for all.
    Warp,
    /// In a loop over all lanes that only computes: registers are rows, what is written goes into rows of its own.
    Straight,
    /// In a loop over some lanes, one after the other.
    Lanes,
    /// Once, without lanes: registers are operands whose values are given, and what is written is given back.
    Operands,
}

/// Emits the code of one body.
pub(super) struct Lower<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) keys: &'a Keys,
    pub(super) vars: &'a [u32],
    pub(super) uniform: &'a Uniform,
    pub(super) told: &'a mut Told,
    /// Variables that the body is given.
    pub(super) given: &'a BTreeMap<usize, Given>,
    /// Variables that are declared where they are set.
    pub(super) lets: &'a BTreeSet<usize>,
    pub(super) mode: Mode,
    /// What is written.
    pub(super) scan: Scan,
    /// Rows that are read: by the code that finds them, their names.
    pub(super) rows: BTreeMap<String, (Ident, TokenStream)>,
    /// Rows that are written.
    pub(super) outs: Vec<Out>,
    /// The variables that the loop sets. Rows are found in front of it: what their numbers need of these is computed there.
    pub(super) inside: Vec<usize>,
    /// The code that computes it, by variable.
    pub(super) hoisted: BTreeMap<usize, TokenStream>,
    /// Memories, by the code that finds them.
    pub(super) memories: BTreeMap<String, (Ident, TokenStream)>,
}

impl Lower<'_> {
    /// What stands in front of a loop.
    pub(super) fn in_front(&self) -> TokenStream {
        let hoisted = self.hoisted.values();
        let memories = self.memories.values().map(|(name, code)| quote!(let #name = #code;));
        quote!(#(#hoisted)* #(#memories)*)
    }
}

/// A row that is written.
pub(super) struct Out {
    pub(super) key: String,
    pub(super) name: Ident,
    pub(super) file: File,
    /// The register's number, as code.
    pub(super) index: TokenStream,
    pub(super) width: u32,
    /// Its old values, if they are kept where nothing is written.
    pub(super) old: Option<Ident>,
    /// It is put back only if this holds.
    pub(super) when: Option<TokenStream>,
}

impl<'a> Lower<'a> {
    fn isa(&self) -> &'a Isa {
        self.cx.isa
    }

    /// The name of an argument.
    fn arg(&mut self, key: Key, width: u32) -> TokenStream {
        let slots = width.div_ceil(64).max(1) as usize;
        let first = self.told.place(key, slots);
        let name = match key {
            // Functions that several operands share have no names of one.
            _ if self.told.start.is_none() => format_ident!("f_{first}"),
            Key::Field(key) => format_ident!("f_{}", self.cx.paths[self.keys.fields[key].0.as_str()]),
            Key::Condition(key) => format_ident!("c_{key}"),
            Key::Param(var) => format_ident!("p_{var}"),
        };
        let at: Vec<TokenStream> = (first..first + slots).map(|i| self.told.argument(i)).collect();
        let value = match room(width) {
            32 => quote!(#(#at)* as u32),
            64 => quote!(Pair::of64(#(#at)*)),
            _ => {
                let limbs = at.into_iter().chain(std::iter::repeat_n(quote!(0), 4 - slots));
                quote!(Long([#(#limbs),*]))
            }
        };
        self.told.here.insert(first, quote!(let #name = #value;));
        quote!(#name)
    }

    /// The value of a variable.
    fn variable(&mut self, v: usize, width: u32) -> TokenStream {
        match self.given.get(&v) {
            None => {
                let name = var(v);
                quote!(#name)
            }
            Some(Given::Row(name)) => quote!(#name[l]),
            Some(Given::Number) => self.arg(Key::Param(v), width),
            Some(Given::Choice(name)) => quote!(u32::from(#name)),
        }
    }

    fn convert(&self, code: TokenStream, from: u32, to: u32) -> TokenStream {
        if room(from) == room(to) {
            return code;
        }
        let kind = kind(to);
        quote!(#code.to::<#kind>())
    }

    fn keep(&self, code: TokenStream, width: u32) -> TokenStream {
        if width == room(width) {
            return code;
        }
        let width = lit(width);
        quote!(#code.keep(#width))
    }

    /// A value of one bit as a condition.
    pub(super) fn cond(&mut self, e: &Expr) -> TokenStream {
        use BinaryOp::*;
        if let ExprKind::Var(v) = &e.kind
            && let Some(Given::Choice(name)) = self.given.get(v)
        {
            return quote!(#name);
        }
        match &e.kind {
            ExprKind::Const(v) => {
                let holds = v.bit(0);
                quote!(#holds)
            }
            ExprKind::Unary(UnaryOp::LogicNot | UnaryOp::Not, of) => {
                let of = self.cond(of);
                quote!(!#of)
            }
            ExprKind::Binary(LogicAnd | And, a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                quote!((#a & #b))
            }
            ExprKind::Binary(LogicOr | Or, a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                quote!((#a | #b))
            }
            ExprKind::Binary(op @ (Eq | Ne | LtU | LtS | LeU | LeS | GtU | GtS | GeU | GeS), a, b) => {
                let width = lit(a.width);
                let (a, b) = (self.expr(a), self.expr(b));
                match op {
                    Eq => quote!((#a == #b)),
                    Ne => quote!((#a != #b)),
                    LtU => quote!(#a.less(#b)),
                    GtU => quote!(#b.less(#a)),
                    LeU => quote!(!#b.less(#a)),
                    GeU => quote!(!#a.less(#b)),
                    LtS => quote!(#a.less_s(#b, #width)),
                    GtS => quote!(#b.less_s(#a, #width)),
                    LeS => quote!(!#b.less_s(#a, #width)),
                    _ => quote!(!#a.less_s(#b, #width)),
                }
            }
            _ => {
                let code = self.expr(e);
                quote!((#code != 0))
            }
        }
    }

    /// An expression that can be followed by a method.
    pub(super) fn expr(&mut self, e: &Expr) -> TokenStream {
        let width = e.width;
        match &e.kind {
            ExprKind::Const(v) => number(*v, width),
            ExprKind::Var(v) => self.variable(*v, width),
            ExprKind::Field(key) => self.arg(Key::Field(*key), width),
            ExprKind::Condition(key) => self.arg(Key::Condition(*key), 1),
            ExprKind::Register(r) => self.register(r),
            ExprKind::Flags(f) => self.flags(f),
            ExprKind::State(s) => self.state(*s, width),
            ExprKind::Lane => quote!((l as u32)),
            ExprKind::Pc => self.address(quote!(step.pc), width),
            ExprKind::Next => self.address(quote!(step.next), width),
            ExprKind::Variant(v) => {
                let v = Literal::usize_unsuffixed(*v);
                quote!((step.variants[#v] as u32))
            }
            ExprKind::Slice { of, lo } => {
                let code = self.expr(of);
                self.slice(code, of.width, &shift(*lo), width)
            }
            ExprKind::Part { of, at } => {
                let at = self.count(at);
                let code = self.expr(of);
                self.slice(code, of.width, &Some(at), width)
            }
            ExprKind::Concat(parts) => {
                let mut parts = parts.iter();
                let first = parts.next().expect("a row of parts has parts");
                let code = self.expr(first);
                let start = self.convert(code, first.width, width);
                parts.fold(start, |high, part| {
                    let code = self.expr(part);
                    let low = self.convert(code, part.width, width);
                    let by = lit(part.width);
                    quote!(#high.shl(#by).or(#low))
                })
            }
            ExprKind::Unary(UnaryOp::Neg, of) => {
                let code = self.expr(of);
                self.keep(quote!(#code.neg()), width)
            }
            ExprKind::Unary(UnaryOp::Not, of) => {
                let code = self.expr(of);
                self.keep(quote!(#code.not()), width)
            }
            ExprKind::Unary(UnaryOp::LogicNot, of) => {
                let code = self.expr(of);
                quote!((#code ^ 1))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e),
            ExprKind::If { arms, otherwise } => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, value)| {
                        let (cond, value) = (self.cond(cond), self.expr(value));
                        quote!(if #cond { #value } else)
                    })
                    .collect();
                let otherwise = self.expr(otherwise);
                quote!((#(#arms)* { #otherwise }))
            }
            ExprKind::Match { on, arms, otherwise } => {
                let code = self.expr(on);
                let arms: Vec<(Vec<Int>, TokenStream)> = arms.iter().map(|(labels, v)| (labels.clone(), self.expr(v))).collect();
                let otherwise = self.expr(otherwise);
                let code = choose(code, on.width, &arms, otherwise);
                quote!((#code))
            }
            ExprKind::Load(access) => {
                let ((first, place), bytes) = (self.access(access), lit(width.div_ceil(8)));
                let load = match self.opened(access, false).filter(|_| width == 32) {
                    Some(opened) => quote!(step.memory.load32_from(#opened, #place)),
                    None if width == 32 => quote!(step.memory.load32(#place)),
                    None => quote!(step.memory.load(#place, #bytes)),
                };
                let load = match room(width) {
                    _ if width == 32 => load,
                    32 => quote!((#load as u32)),
                    64 => quote!(Pair::of64(#load as u64)),
                    _ => quote!(Long::of128(#load)),
                };
                if first.is_empty() { load } else { quote!({ #first #load }) }
            }
            ExprKind::Call { function, args, modes } => self.call(*function, args, *modes, e),
            ExprKind::Block(stmts, value) => {
                let stmts = self.stmts(stmts);
                let value = self.expr(value);
                quote!({ #stmts #value })
            }
        }
    }

    fn address(&self, code: TokenStream, width: u32) -> TokenStream {
        match room(width) {
            32 => quote!((#code as u32)),
            64 => quote!(Pair::of64(#code)),
            _ => quote!(Long::of64(#code)),
        }
    }

    /// Bits from `lo` up.
    fn slice(&self, code: TokenStream, from: u32, lo: &Option<TokenStream>, width: u32) -> TokenStream {
        let code = match lo {
            Some(lo) => quote!(#code.shr(#lo)),
            None => code,
        };
        let code = self.convert(code, from, width);
        self.keep(code, width)
    }

    /// A count of any width, as a number that stays too large if it is.
    fn count(&mut self, e: &Expr) -> TokenStream {
        let code = self.expr(e);
        if room(e.width) == 32 { code } else { quote!(#code.count()) }
    }

    /// The number of a register, as an index.
    pub(super) fn index(&mut self, e: &Expr, plus: u32) -> TokenStream {
        self.hoist(e);
        let code = self.expr(e);
        let code = match room(e.width) {
            32 => quote!(#code as usize),
            _ => quote!(#code.low() as usize),
        };
        if plus == 0 {
            return quote!((#code));
        }
        let plus = lit(plus);
        quote!((#code + #plus))
    }

    /// Has the variables that the number of a row depends on computed in front of the loop.
    fn hoist(&mut self, e: &Expr) {
        let uniform = self.uniform;
        for (v, value) in uniform.values(e, &self.inside) {
            if !self.hoisted.contains_key(&v) {
                let (name, value) = (var(v), self.expr(value));
                self.hoisted.insert(v, quote!(let mut #name = #value;));
            }
        }
    }

    fn register(&mut self, r: &Register) -> TokenStream {
        if self.mode == Mode::Operands {
            let name = self.operand(r);
            return quote!(#name);
        }
        let (file, index) = (register_name(r.file), self.index(&r.index, r.plus));
        let row = self.register_row(r, &index);
        self.cell(&file, index, row)
    }

    /// The variable of an operand's value; only bodies without other registers are made so.
    fn operand(&self, r: &Register) -> Ident {
        match operands::field(r) {
            Some(field) => operands::operand_name(self.cx, &self.keys.fields[field].0),
            None => unreachable!("registers are operands here"),
        }
    }

    /// The row of a register. One that is there whatever its number is need not be copied.
    fn register_row(&self, r: &Register, index: &TokenStream) -> TokenStream {
        let (file, of) = (register_name(r.file), &self.isa().registers[r.file]);
        let bits = of.index;
        if r.plus == 0 && r.index.width <= bits && of.end() == 1 << bits {
            let last = Literal::usize_unsuffixed((1 << bits) - 1);
            return quote!(&s.#file[#index & #last]);
        }
        quote!(sim::row(&s.#file, #index))
    }

    fn flags(&mut self, f: &Flags) -> TokenStream {
        let (file, index) = (flags_name(f.file), self.index(&f.index, 0));
        let row = quote!(sim::row(&s.#file, #index));
        self.cell(&file, index, row)
    }

    fn cell(&mut self, name: &Ident, index: TokenStream, row: TokenStream) -> TokenStream {
        if self.mode == Mode::Lanes {
            return quote!(sim::cell(&s.#name, #index, l).value());
        }
        let row = self.row(name, &index, row);
        quote!(#row[l].value())
    }

    /// The name of a row that is read.
    fn row(&mut self, name: &Ident, index: &TokenStream, row: TokenStream) -> Ident {
        let next = format_ident!("row{}", self.rows.len());
        self.rows.entry(format!("{name} {index}")).or_insert((next, row)).0.clone()
    }

    /// A named value of the machine.
    fn state(&mut self, state: usize, width: u32) -> TokenStream {
        let place = state_place(self.isa(), state);
        match self.isa().machine.state[state].kind {
            StateKind::Launch => {
                let at = Literal::usize_unsuffixed(place);
                self.keep(quote!(step.launch_values[#at][l]), width)
            }
            StateKind::Written => {
                let name = value_name(place);
                if self.mode == Mode::Lanes {
                    return quote!(s.#name[l].value());
                }
                let row = self.row(&name, &TokenStream::new(), quote!(s.#name));
                quote!(#row[l].value())
            }
        }
    }

    /// The memory of accesses of 32 bits, where all lanes have one: it is found in front of the loop, by what the instruction says.
    fn opened(&mut self, access: &Access, write: bool) -> Option<Ident> {
        let is_computed = |e: &Expr| any(e, |kind| matches!(kind, ExprKind::Var(v) if !self.given.contains_key(v)));
        let is_same = access.bank.as_ref().is_none_or(|bank| self.uniform.is(bank) && !is_computed(bank));
        if self.mode != Mode::Straight || !is_same {
            return None;
        }
        let space = Literal::usize_unsuffixed(access.space);
        let bank = match &access.bank {
            Some(bank) => {
                let code = self.expr(bank);
                quote!(#code.low64())
            }
            None => quote!(0),
        };
        let next = format_ident!("m{}", self.memories.len());
        let open = quote!(step.memory.open(#space, #bank, #write));
        Some(self.memories.entry(open.to_string()).or_insert((next, open)).0.clone())
    }

    /// What comes before an access to memory, and where it goes: space, bank, lane, address.
    fn access(&mut self, access: &Access) -> (TokenStream, TokenStream) {
        let space = Literal::usize_unsuffixed(access.space);
        let (bank_first, bank) = match &access.bank {
            Some(bank) => self.before(bank, "bank"),
            None => (quote!(), quote!(0)),
        };
        let bank = if access.bank.is_some() { quote!(#bank.low64()) } else { bank };
        let (address_first, address) = self.before(&access.address, "address");
        (quote!(#bank_first #address_first), quote!(#space, #bank, l, #address.low64()))
    }

    /// A value that goes into an access to memory: what comes first, and the value. What may read memory itself does so first.
    fn before(&mut self, e: &Expr, name: &str) -> (TokenStream, TokenStream) {
        let code = self.expr(e);
        if !any(e, |kind| matches!(kind, ExprKind::Load(_) | ExprKind::Block(..) | ExprKind::Call { .. })) {
            return (quote!(), code);
        }
        let name = format_ident!("{name}");
        (quote!(let #name = #code;), quote!(#name))
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr) -> TokenStream {
        use BinaryOp::*;
        let width = e.width;
        match op {
            LogicOr | LogicAnd | Eq | Ne | LtU | LtS | LeU | LeS | GtU | GtS | GeU | GeS => {
                let cond = self.cond(e);
                quote!(u32::from(#cond))
            }
            Concat => {
                let (high, low) = (self.expr(a), self.expr(b));
                let (high, low) = (self.convert(high, a.width, width), self.convert(low, b.width, width));
                let by = lit(b.width);
                quote!(#high.shl(#by).or(#low))
            }
            Shl | ShrU | ShrS => {
                let (code, by) = (self.expr(a), self.count(b));
                let of = lit(width);
                match op {
                    Shl => self.keep(quote!(#code.shl(#by)), width),
                    ShrU => quote!(#code.shr(#by)),
                    _ => self.keep(quote!(#code.sar(#of, #by)), width),
                }
            }
            _ => {
                if let (Add, Some(parts)) = (op, sum_with_carry(a, b, width)) {
                    let [x, y, carry] = parts.map(|e| self.expr(e));
                    return quote!(Pair::sum(#x, #y, #carry));
                }
                let (x, y) = (self.expr(a), self.expr(b));
                let of = lit(width);
                match op {
                    Or => quote!(#x.or(#y)),
                    Xor => quote!(#x.xor(#y)),
                    And => quote!(#x.and(#y)),
                    Add => self.keep(quote!(#x.add(#y)), width),
                    Sub => self.keep(quote!(#x.sub(#y)), width),
                    Mul => self.keep(quote!(#x.mul(#y)), width),
                    DivU => self.keep(quote!(#x.div_rem(#y).0), width),
                    RemU => quote!(#x.div_rem(#y).1),
                    DivS => self.keep(quote!(#x.div_rem_s(#y, #of).0), width),
                    _ => self.keep(quote!(#x.div_rem_s(#y, #of).1), width),
                }
            }
        }
    }
}

/// A shift by so many bits; none by 0.
fn shift(by: u32) -> Option<TokenStream> {
    (by > 0).then(|| {
        let by = lit(by);
        quote!(#by)
    })
}

pub(super) fn var(v: usize) -> Ident {
    format_ident!("v{v}")
}

/// The code whose label equals a value.
pub(super) fn choose(on: TokenStream, width: u32, arms: &[(Vec<Int>, TokenStream)], otherwise: TokenStream) -> TokenStream {
    // Arms that came out alike are one.
    let mut different: Vec<(Vec<Int>, TokenStream)> = Vec::new();
    let text = otherwise.to_string();
    for (labels, code) in arms.iter().filter(|arm| arm.1.to_string() != text) {
        match different.iter_mut().find(|d| d.1.to_string() == code.to_string()) {
            Some(same) => same.0.extend(labels),
            None => different.push((labels.clone(), code.clone())),
        }
    }
    let arms = different;
    if room(width) == 32 {
        let arms = arms.iter().map(|(labels, code)| {
            let labels = labels.iter().map(|l| number(*l, width));
            quote!(#(#labels)|* => { #code })
        });
        return quote!(match #on { #(#arms)* _ => { #otherwise } });
    }
    let arms = arms.iter().map(|(labels, code)| {
        let labels = labels.iter().map(|l| number(*l, width));
        quote!(if #(chosen == #labels)||* { #code } else)
    });
    quote!({ let chosen = #on; #(#arms)* { #otherwise } })
}

/// `zext(x, n) + zext(y, n) + zext(c, n)`, of numbers of up to 32 bits and a carry, in more than 32 bits: how specifications write an
/// addition whose carry they want.
fn sum_with_carry<'e>(a: &'e Expr, b: &'e Expr, width: u32) -> Option<[&'e Expr; 3]> {
    let zext = |e: &'e Expr, most: u32| match &e.kind {
        ExprKind::Call { function: Function::Zext, args, .. } => args.first().filter(|x| x.width <= most),
        _ => None,
    };
    let ExprKind::Binary(BinaryOp::Add, x, y) = &a.kind else { return None };
    if !(33..=64).contains(&width) {
        return None;
    }
    Some([zext(x, 32)?, zext(y, 32)?, zext(b, 1)?])
}
