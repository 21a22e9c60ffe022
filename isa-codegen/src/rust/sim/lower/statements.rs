//! Statements, and the places that they write.

use super::super::scan::File;
use super::super::uniform::indices;
use super::super::{constants, flags_name, no_constants, register_name, state_place, value_name};
use super::{Lower, Mode, Out, choose, kind, lit, shift, var};
use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::{Action, AtomicOp};
use isa_spec::semantics::typed::{Expr, Place, PlaceKind, Stmt, StmtKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

impl Lower<'_> {
    pub(in super::super) fn stmts(&mut self, stmts: &[Stmt]) -> TokenStream {
        stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let value = self.expr(value);
                self.assign(place, value)
            }
            StmtKind::If { arms, otherwise } => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, body)| {
                        let (cond, body) = (self.cond(cond), self.stmts(body));
                        quote!(if #cond { #body })
                    })
                    .collect();
                let otherwise = self.stmts(otherwise);
                let last = (!otherwise.is_empty()).then(|| quote!(else { #otherwise }));
                quote!(#(#arms)else* #last)
            }
            StmtKind::Match { on, arms, otherwise } => {
                let code = self.expr(on);
                let arms: Vec<(Vec<Int>, TokenStream)> =
                    arms.iter().map(|(labels, body)| (labels.clone(), self.stmts(body))).collect();
                let otherwise = self.stmts(otherwise);
                choose(code, on.width, &arms, otherwise)
            }
            StmtKind::Store(access, value) => {
                let bytes = lit(value.width.div_ceil(8));
                let ((first, place), width) = (self.access(access), value.width);
                let (then, value) = self.before(value, "value");
                let store = match self.opened(access, true).filter(|_| width == 32) {
                    Some(opened) => quote!(step.memory.store32_to(#opened, #place, #value);),
                    None if width == 32 => quote!(step.memory.store32(#place, #value);),
                    None => quote!(step.memory.store(#place, #bytes, #value.low128());),
                };
                if first.is_empty() && then.is_empty() { store } else { quote!({ #first #then #store }) }
            }
            StmtKind::Atomic { op, at, args, old } => {
                let width = args.first().map_or(32, |a| a.width);
                let ((first, place), bytes) = (self.access(at), lit(width.div_ceil(8)));
                let (then, codes): (Vec<_>, Vec<_>) =
                    args.iter().enumerate().map(|(i, a)| self.before(a, &format!("arg{i}"))).unzip();
                let (kind, w) = (kind(width), lit(width));
                let change = atomic(*op, &codes, &w);
                let access = quote!(step.memory.atomic(#place, #bytes, |old| {
                    let old = Long::of128(old).to::<#kind>();
                    (#change).low128()
                }));
                let access = match old {
                    Some(v) => {
                        let name = var(*v);
                        quote!(#name = Long::of128(#access).to::<#kind>();)
                    }
                    None => quote!(#access;),
                };
                if first.is_empty() && then.iter().all(TokenStream::is_empty) {
                    access
                } else {
                    quote!({ #first #(#then)* #access })
                }
            }
            StmtKind::Action(action, args) => self.action(*action, args),
        }
    }

    /// An action of the lanes of `on`, all of them or this one.
    fn action(&mut self, action: Action, args: &[Expr]) -> TokenStream {
        let name = match action {
            Action::Branch => "branch",
            Action::Call => "call",
            Action::Ret => "ret",
            Action::Exit => "exit",
            Action::Barrier => "barrier",
            Action::Sync => "sync",
            Action::Join => "join",
            Action::Trap => "trap",
        };
        let name = format_ident!("{name}");
        let who = if self.mode == Mode::Warp { quote!(on) } else { quote!((1 << l)) };
        match args.first() {
            Some(target) => {
                let target = self.expr(target);
                quote!(step.flow.#name(#who, #target.low64());)
            }
            None => quote!(step.flow.#name(#who);),
        }
    }

    /// The statement by which a place takes a value of its own width.
    fn assign(&mut self, place: &Place, value: TokenStream) -> TokenStream {
        match &place.kind {
            PlaceKind::Var(v) => {
                let name = var(*v);
                if self.is_local(*v) { quote!(let #name = #value;) } else { quote!(#name = #value;) }
            }
            PlaceKind::Slice { of, lo } => {
                let lo = lit(*lo);
                self.insert(of, quote!(#lo), place.width, value)
            }
            PlaceKind::Part { of, at } => {
                let at = self.count(at);
                self.insert(of, at, place.width, value)
            }
            PlaceKind::Concat(parts) => {
                let starts = parts.iter().rev().scan(0, |end, part| {
                    *end += part.width;
                    Some(*end - part.width)
                });
                let mut parts: Vec<(u32, &Place)> = starts.zip(parts.iter().rev()).collect();
                // All parts take their values at once: variables that say where other parts are take theirs last. Of two parts that
                // are one register, the higher one counts.
                parts.sort_by_key(|(_, part)| (sets_variable(part), indices(part).is_empty()));
                let pieces: Vec<TokenStream> = parts
                    .into_iter()
                    .map(|(lo, part)| {
                        let piece = self.slice(quote!(value), place.width, &shift(lo), part.width);
                        self.assign(part, piece)
                    })
                    .collect();
                quote!({ let value = #value; #(#pieces)* })
            }
            PlaceKind::Register(r) if self.mode == Mode::Operands => {
                let name = format_ident!("w_{}", self.operand(r));
                quote!(#name = #value;)
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => match self.mode {
                Mode::Lanes => self.assign_lane(place, value),
                _ => {
                    let out = self.out(place);
                    quote!(#out = #value;)
                }
            },
        }
    }

    /// Some bits of a place change, the others stay.
    fn insert(&mut self, of: &Place, lo: TokenStream, width: u32, value: TokenStream) -> TokenStream {
        let (kind, all, w) = (kind(of.width), lit(of.width), lit(width));
        let old = self.current(of);
        let value = self.convert(value, width, of.width);
        let new = quote!({
            let at = #lo;
            #old.and(#kind::ones(#w).shl(at).not()).or(#value.shl(at)).keep(#all)
        });
        self.assign(of, new)
    }

    /// What a place has.
    fn current(&mut self, place: &Place) -> TokenStream {
        match &place.kind {
            PlaceKind::Var(v) => {
                let name = var(*v);
                quote!(#name)
            }
            PlaceKind::Slice { of, lo } => {
                let code = self.current(of);
                self.slice(code, of.width, &shift(*lo), place.width)
            }
            PlaceKind::Part { of, at } => {
                let at = self.count(at);
                let code = self.current(of);
                self.slice(code, of.width, &Some(at), place.width)
            }
            PlaceKind::Concat(parts) => {
                let kind = kind(place.width);
                parts.iter().fold(quote!(#kind::default()), |high, part| {
                    let code = self.current(part);
                    let low = self.convert(code, part.width, place.width);
                    let by = lit(part.width);
                    quote!(#high.shl(#by).or(#low))
                })
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => match self.mode {
                Mode::Lanes => match &place.kind {
                    PlaceKind::Register(r) => self.register(r),
                    PlaceKind::Flags(f) => self.flags(f),
                    PlaceKind::State(s) => self.state(*s, place.width),
                    _ => TokenStream::new(),
                },
                _ => {
                    let out = self.out(place);
                    quote!(#out)
                }
            },
        }
    }

    fn assign_lane(&mut self, place: &Place, value: TokenStream) -> TokenStream {
        let (name, index, constants) = match &place.kind {
            PlaceKind::Register(r) => (register_name(r.file), self.index(&r.index, r.plus), constants(self.isa(), r.file)),
            PlaceKind::Flags(f) => (flags_name(f.file), self.index(&f.index, 0), no_constants()),
            PlaceKind::State(s) => {
                let name = value_name(state_place(self.isa(), *s));
                return quote!(s.#name[l] = Cell::of(#value););
            }
            _ => return TokenStream::new(),
        };
        // What is found by registers is found before they change.
        quote!({ let (value, index) = (Cell::of(#value), #index); sim::put_lane(&mut s.#name, index, #constants, l, value); })
    }

    /// The variable of a lane for a row that is written.
    fn out(&mut self, place: &Place) -> Ident {
        let (file, name, index, keeps) = match &place.kind {
            PlaceKind::Register(r) => {
                let keeps = self.scan.keeps(File::Registers(r.file), Some(&r.index), r.plus);
                (File::Registers(r.file), register_name(r.file), Some(&r.index), keeps)
            }
            PlaceKind::Flags(f) => {
                let keeps = self.scan.keeps(File::Flags(f.file), Some(&f.index), 0);
                (File::Flags(f.file), flags_name(f.file), Some(&f.index), keeps)
            }
            PlaceKind::State(s) => {
                let place = state_place(self.isa(), *s);
                (File::Value(place), value_name(place), None, self.scan.keeps(File::Value(*s), None, 0))
            }
            _ => unreachable!("only these are rows"),
        };
        let (is_part, when) = (keeps.0, keeps.1.cloned());
        let plus = if let PlaceKind::Register(r) = &place.kind { r.plus } else { 0 };
        let index = index.map_or_else(TokenStream::new, |index| self.index(index, plus));
        let key = format!("{name} {index}");
        if let Some(at) = self.outs.iter().position(|o| o.key == key) {
            // The row that is written last is put back last.
            let out = self.outs.remove(at);
            let found = out.name.clone();
            self.outs.push(out);
            return found;
        }
        let row = match &place.kind {
            PlaceKind::Register(r) => self.register_row(r, &index),
            PlaceKind::Flags(_) => quote!(sim::row(&s.#name, #index)),
            _ => quote!(s.#name),
        };
        let old = is_part.then(|| self.row(&name, &index, row));
        let when = when.map(|when| self.cond(&when));
        let out = format_ident!("out{}", self.outs.len());
        self.outs.push(Out { key, name: out.clone(), file, index, width: place.width, old, when });
        out
    }

    /// Whether a variable is declared where it is set. What is the same for all lanes is also asked for outside of the loop that sets it.
    fn is_local(&self, v: usize) -> bool {
        self.lets.contains(&v) && !self.uniform.var(v)
    }

    /// Declarations of the variables, but those that are the same for all lanes.
    pub(in super::super) fn declare(&self, used: &[usize], uniform: bool) -> TokenStream {
        let is_here = |v: &usize| self.uniform.var(*v) == uniform && !self.is_local(*v);
        let mut used: Vec<usize> = used.iter().copied().filter(is_here).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter()
            .map(|v| {
                let (name, kind) = (var(v), kind(self.vars[v]));
                quote!(let mut #name = #kind::default();)
            })
            .collect()
    }
}

fn sets_variable(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => true,
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => sets_variable(of),
        PlaceKind::Concat(parts) => parts.iter().any(sets_variable),
        PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => false,
    }
}

/// What memory has after an atomic access, of `old`.
fn atomic(op: AtomicOp, args: &[TokenStream], width: &Literal) -> TokenStream {
    let x = &args[0];
    match op {
        AtomicOp::Add => quote!(old.add(#x).keep(#width)),
        AtomicOp::And => quote!(old.and(#x)),
        AtomicOp::Or => quote!(old.or(#x)),
        AtomicOp::Xor => quote!(old.xor(#x)),
        AtomicOp::MinS => quote!(if old.less_s(#x, #width) { old } else { #x }),
        AtomicOp::MaxS => quote!(if old.less_s(#x, #width) { #x } else { old }),
        AtomicOp::MinU => quote!(if old.less(#x) { old } else { #x }),
        AtomicOp::MaxU => quote!(if old.less(#x) { #x } else { old }),
        AtomicOp::Exchange => quote!(#x),
        AtomicOp::Inc => quote!(if old.less(#x) { old.add(Bits::of32(1)) } else { Bits::of32(0) }),
        AtomicOp::Dec => quote!(if old.less(Bits::of32(1)) || #x.less(old) { #x } else { old.sub(Bits::of32(1)) }),
        AtomicOp::CompareExchange => {
            let new = &args[1];
            quote!(if old == #x { #new } else { old })
        }
        AtomicOp::CompareS | AtomicOp::CompareU => {
            let (mask, new) = (&args[1], &args[2]);
            let less = if op == AtomicOp::CompareS { quote!(old.less_s(#x, #width)) } else { quote!(old.less(#x)) };
            quote!({
                let order = if #less { 1 } else if old == #x { 2 } else { 4 };
                if #mask.and(Bits::of32(order)).less(Bits::of32(1)) { old } else { #new }
            })
        }
    }
}
