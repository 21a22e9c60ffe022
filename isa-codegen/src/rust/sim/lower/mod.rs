//! From a typed semantics to Rust: expressions here, and
//!
//! - `kinds`: the types of values; `arguments`: what a function takes of an instruction;
//! - `functions` and `floats`: calls; `registers` and `memory`: what is read there;
//! - `statements`, and `places`, which they write.

mod arguments;
mod floats;
mod functions;
mod kinds;
mod memory;
mod places;
mod registers;
mod statements;

pub(super) use arguments::{Arguments, Key};
pub(super) use floats::rules;
pub(super) use kinds::{Kinds, cell, is_one, lit};

use super::names::own_name;
use super::scan::{self, Held, Scan};
use super::scope::{Given, Scope};
use super::tidy::Keys;
use super::tree::Choice;
use crate::rust::Cx;
use isa_spec::model::Isa;
use isa_spec::semantics::ast::{BinaryOp, UnaryOp};
use isa_spec::semantics::builtins::{Function, IntFunction, Supplied};
use isa_spec::semantics::typed::{Expr, ExprKind};
use kinds::{room, shift, var};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The position of the emitted code relative to the loop over lanes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// In front of any lane: only what is the same for all.
    Warp,
    /// In a loop over all lanes that only computes: registers are rows, what is written goes into rows of its own.
    Straight,
    /// In a loop over some lanes, one after the other.
    Lanes,
    /// In the one lane that the machine has: registers are numbers, and what is written is there at once.
    One,
    /// Once, without lanes: registers are operands whose values are given, and what is written is given back.
    Operands,
}

/// A memory: its space and bank, and whether it is written.
pub(super) type MemoryKey = (usize, Option<Box<Expr>>, bool);

/// Emits the code of one body.
pub(super) struct Lower<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) keys: &'a Keys,
    pub(super) scope: &'a Scope,
    pub(super) arguments: &'a mut Arguments,
    pub(super) mode: Mode,
    /// The function is a body of a machine of one lane, which an access that can't be ends.
    pub(super) is_body_of_core: bool,
    /// The state that is written.
    pub(super) scan: Scan,
    /// Rows that are read, with their names and the code that finds them.
    pub(super) rows: Vec<(scan::Key, Ident, TokenStream)>,
    /// Rows that are written.
    pub(super) outs: Vec<Out>,
    /// Memories that are found in front of the loop, with their names and the code that finds them.
    pub(super) memories: Vec<(MemoryKey, Ident, TokenStream)>,
    /// Calls for flags, and the variables that have them beside the result.
    pub(super) raised: Vec<(ExprKind, Ident)>,
}

/// The name of what is found in front of a loop; new if it is not known.
fn found<K: PartialEq>(all: &mut Vec<(K, Ident, TokenStream)>, prefix: &str, key: K, code: TokenStream) -> Ident {
    if let Some((_, name, _)) = all.iter().find(|known| known.0 == key) {
        return name.clone();
    }
    let name = format_ident!("{prefix}{}", all.len());
    all.push((key, name.clone(), code));
    name
}

impl<'a> Lower<'a> {
    pub(super) fn new(
        (cx, keys): (&'a Cx<'a>, &'a Keys),
        scope: &'a Scope,
        arguments: &'a mut Arguments,
        mode: Mode,
        scan: Scan,
    ) -> Self {
        let (rows, outs, memories, raised) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { cx, keys, scope, arguments, mode, is_body_of_core: false, scan, rows, outs, memories, raised }
    }
}

impl Lower<'_> {
    /// The declarations of what is found in front of a loop: memories that accesses go to, and rows that are read.
    pub(super) fn in_front(&self) -> [TokenStream; 2] {
        let declared = |name: &Ident, code: &TokenStream| quote!(let #name = #code;);
        [
            self.memories.iter().map(|(_, name, code)| declared(name, code)).collect(),
            self.rows.iter().map(|(_, name, code)| declared(name, code)).collect(),
        ]
    }

    /// A choice without equal arms, and the code of that by which it is made.
    pub(super) fn decided<'e, T: PartialEq>(&mut self, choice: Choice<'e, T>) -> (Vec<TokenStream>, Choice<'e, T>) {
        let choice = choice.joined();
        let is_match = matches!(choice, Choice::Match { .. });
        (choice.by().into_iter().map(|e| if is_match { self.expr(e) } else { self.cond(e) }).collect(), choice)
    }

    /// A choice, with the code of what it chooses among.
    fn choice<T: PartialEq>(&mut self, choice: Choice<'_, T>, mut code: impl FnMut(&mut Self, T) -> TokenStream) -> TokenStream {
        let (by, choice) = self.decided(choice);
        let choice = choice.map(|of| code(self, of));
        self.kinds().choose((by, choice))
    }

    fn kinds(&self) -> Kinds {
        Kinds::of(self.cx.isa)
    }

    /// The number of the lane at hand.
    fn lane(&self) -> TokenStream {
        if self.mode == Mode::One { quote!(0) } else { quote!(l) }
    }
}

/// A row that is written.
pub(super) struct Out {
    pub(super) key: scan::Key,
    pub(super) name: Ident,
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
        let first = self.arguments.place(key, slots);
        let name = match key {
            // Functions that several operands share have no names of one.
            _ if self.arguments.start.is_none() => format_ident!("f_{first}"),
            Key::Field(key) => {
                let path = &self.keys.fields[key].0;
                let name = &self.cx.paths[path.as_str()];
                // Fields of one name can have several widths, and be in one body.
                match self.keys.fields.iter().position(|field| field.0 == *path) {
                    Some(first) if first != key => format_ident!("f_{name}_{key}"),
                    _ => format_ident!("f_{name}"),
                }
            }
            Key::Condition(key) => format_ident!("c_{key}"),
            Key::Param(var) => format_ident!("p_{var}"),
        };
        let at: Vec<TokenStream> = (first..first + slots).map(|i| self.arguments.argument(i)).collect();
        let value = match room(width) {
            32 => quote!(#(#at)* as u32),
            64 => self.kinds().of64(quote!(#(#at)*), width),
            room => {
                let limbs = at.into_iter().chain(std::iter::repeat_n(quote!(0), 4 - slots));
                let kind = format_ident!("{}", if room == 128 { "u128" } else { "Long" });
                quote!(#kind::of_limbs([#(#limbs),*]))
            }
        };
        self.arguments.here.insert(first, quote!(let #name = #value;));
        quote!(#name)
    }

    /// The value of a variable.
    fn variable(&mut self, v: usize, width: u32) -> TokenStream {
        match self.scope.given.get(&v) {
            None => {
                let name = var(v);
                quote!(#name)
            }
            Some(Given::Row(name)) if is_one(self.isa()) => self.kinds().of64(quote!(#name), width),
            Some(Given::Row(name)) => quote!(#name[l]),
            Some(Given::Number) => self.arg(Key::Param(v), width),
            Some(Given::Choice(name)) => quote!(u32::from(#name)),
        }
    }

    fn convert(&self, code: TokenStream, from: u32, to: u32) -> TokenStream {
        if room(from) == room(to) {
            return code;
        }
        let kind = self.kinds().kind(to);
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
            && let Some(Given::Choice(name)) = self.scope.given.get(v)
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
            ExprKind::Const(v) => self.kinds().number(*v, width),
            ExprKind::Var(v) => self.variable(*v, width),
            ExprKind::Field(key) => self.arg(Key::Field(*key), width),
            ExprKind::Condition(key) => self.arg(Key::Condition(*key), 1),
            ExprKind::Register(r) => self.register(r),
            ExprKind::Flags(f) => self.held(Held::flags(f)),
            ExprKind::State(s) => self.state(*s, width),
            ExprKind::Supplied(what) => self.supplied(*what, width),
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
            ExprKind::If { .. } | ExprKind::Match { .. } => {
                let code = Choice::of_expr(e).map(|choice| self.choice(choice, Self::expr));
                quote!((#code))
            }
            ExprKind::Other { value, lane } => {
                let (row, lane) = (self.lanes_row(value), self.count(lane));
                quote!(sim::other(#row, #lane, on))
            }
            ExprKind::Ballot(of) => {
                let row = self.lanes_row(of);
                self.kinds().of64(quote!(sim::ballot(#row, on)), width)
            }
            ExprKind::Load(access) => self.load(access, width),
            ExprKind::Call { function, args, exact } => match (*function, exact) {
                (Function::Int(function), _) => self.int(function, args, e),
                (Function::Float(function), Some(exact)) => self.exact(function, args, exact, e),
                (Function::Float(_), None) => unreachable!("a call of a function of floats has modes"),
                (Function::Own(number), _) => {
                    let (name, args) = (own_name(number), args.iter().map(|a| self.expr(a)));
                    quote!(#name(#(#args),*))
                }
            },
            ExprKind::Block(stmts, value) => {
                let code = self.value_after(stmts, value);
                quote!({ #code })
            }
        }
    }

    /// The values that lanes had before the body.
    fn lanes_row(&self, e: &Expr) -> &'a Ident {
        match &e.kind {
            ExprKind::Var(v) if let Some(Given::Row(name)) = self.scope.given.get(v) => name,
            _ => unreachable!("bodies are given what their lanes ask of each other"),
        }
    }

    /// A value that the machine supplies.
    fn supplied(&self, what: Supplied, width: u32) -> TokenStream {
        let code = match what {
            Supplied::Lane if self.mode == Mode::One => return quote!(0_u32),
            Supplied::Lane => return quote!((l as u32)),
            Supplied::Active => quote!(on),
            Supplied::Executing => quote!(step.active),
            Supplied::Reduced => quote!(step.supplied.reduced),
            Supplied::Pc => quote!(step.pc),
            Supplied::Next => quote!(step.next),
            Supplied::Steps => quote!(step.steps()),
            Supplied::Hart => quote!(step.supplied.hart),
            Supplied::Line(line) => {
                let line = Literal::usize_unsuffixed(line);
                quote!((step.supplied.lines >> #line & 1))
            }
            Supplied::Cause => quote!(step.supplied.cause),
            Supplied::Value => quote!(step.supplied.value),
            Supplied::Word => quote!(step.supplied.word),
            Supplied::Address => quote!(step.supplied.address),
            Supplied::Write => quote!(u64::from(step.supplied.write)),
        };
        let value = self.kinds().of64(code, width);
        // They are 64 bits wide, and may have more than is wanted.
        if matches!(what, Supplied::Word | Supplied::Address | Supplied::Hart) { self.keep(value, width) } else { value }
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
                if let (Add, Some(parts), false) = (op, sum_with_carry(a, b, width), is_one(self.isa())) {
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

/// `zext(x, n) + zext(y, n) + zext(c, n)`, of numbers of up to 32 bits and a carry, in more than 32 bits: how specifications write an
/// addition whose carry they want.
fn sum_with_carry<'e>(a: &'e Expr, b: &'e Expr, width: u32) -> Option<[&'e Expr; 3]> {
    let zext = |e: &'e Expr, most: u32| match &e.kind {
        ExprKind::Call { function: Function::Int(IntFunction::Zext), args, .. } => args.first().filter(|x| x.width <= most),
        _ => None,
    };
    let ExprKind::Binary(BinaryOp::Add, x, y) = &a.kind else { return None };
    if !(33..=64).contains(&width) {
        return None;
    }
    Some([zext(x, 32)?, zext(y, 32)?, zext(b, 1)?])
}
