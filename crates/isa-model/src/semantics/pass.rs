//! Passes that rebuild typed semantics. What is rebuilt has no places in the source, so that equal trees compare equal.

use super::builtins;
use super::typed::{Access, Body, Expr, ExprKind, Flags, Place, PlaceKind, Register, Stmt, StmtKind};

/// The kinds of what typed semantics have by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Numbers {
    Fields,
    Conditions,
    Registers,
    Flags,
    Spaces,
    State,
    Variants,
    Lines,
}

/// A pass over semantics. A node whose method is not overridden is kept, and the pass is applied to its children.
pub trait Pass {
    /// An expression.
    fn expr(&mut self, e: &Expr) -> Expr {
        inside(self, e)
    }

    /// A place.
    fn place(&mut self, place: &Place) -> Place {
        inside_place(self, place)
    }

    /// The variable that an atomic access sets.
    fn variable(&mut self, v: usize) -> usize {
        v
    }

    /// A number of something that is declared elsewhere.
    fn number(&mut self, _: Numbers, number: usize) -> usize {
        number
    }

    /// Statements in their order.
    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        stmts.iter().map(|s| self.stmt(s)).collect()
    }

    /// A statement.
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        inside_stmt(self, stmt)
    }

    /// A body.
    fn body(&mut self, body: &Body) -> Body {
        Body { vars: body.vars.clone(), stmts: self.stmts(&body.stmts) }
    }
}

fn boxed<P: Pass + ?Sized>(pass: &mut P, e: &Expr) -> Box<Expr> {
    Box::new(pass.expr(e))
}

/// The expression with what is in it passed over.
pub fn inside<P: Pass + ?Sized>(pass: &mut P, e: &Expr) -> Expr {
    use ExprKind::*;
    let kind = match &e.kind {
        Const(_) | Var(_) => e.kind.clone(),
        Field(field) => Field(pass.number(Numbers::Fields, *field)),
        Condition(condition) => Condition(pass.number(Numbers::Conditions, *condition)),
        State(state) => State(pass.number(Numbers::State, *state)),
        Variant(variant) => Variant(pass.number(Numbers::Variants, *variant)),
        Supplied(builtins::Supplied::Line(line)) => Supplied(builtins::Supplied::Line(pass.number(Numbers::Lines, *line))),
        Supplied(_) => e.kind.clone(),
        Register(r) => Register(register(pass, r)),
        Flags(f) => Flags(flags(pass, f)),
        Slice { of, lo } => Slice { of: boxed(pass, of), lo: *lo },
        Part { of, at } => Part { of: boxed(pass, of), at: boxed(pass, at) },
        Concat(parts) => Concat(parts.iter().map(|p| pass.expr(p)).collect()),
        Unary(op, of) => Unary(*op, boxed(pass, of)),
        Binary(op, a, b) => Binary(*op, boxed(pass, a), boxed(pass, b)),
        If { arms, otherwise } => {
            If { arms: arms.iter().map(|(c, v)| (pass.expr(c), pass.expr(v))).collect(), otherwise: boxed(pass, otherwise) }
        }
        Match { on, arms, otherwise } => Match {
            on: boxed(pass, on),
            arms: arms.iter().map(|(labels, v)| (labels.clone(), pass.expr(v))).collect(),
            otherwise: boxed(pass, otherwise),
        },
        Load(at) => Load(access(pass, at)),
        Other { value, lane } => Other { value: boxed(pass, value), lane: boxed(pass, lane) },
        Ballot(of) => Ballot(boxed(pass, of)),
        Call { function, args, exact } => {
            let args = args.iter().map(|a| pass.expr(a)).collect();
            Call { function: *function, args, exact: *exact }
        }
        Block(stmts, value) => {
            let stmts = pass.stmts(stmts);
            Block(stmts, boxed(pass, value))
        }
    };
    Expr { kind, width: e.width, range: 0..0 }
}

fn register<P: Pass + ?Sized>(pass: &mut P, r: &Register) -> Register {
    Register { file: pass.number(Numbers::Registers, r.file), index: boxed(pass, &r.index), plus: r.plus }
}

fn flags<P: Pass + ?Sized>(pass: &mut P, f: &Flags) -> Flags {
    Flags { file: pass.number(Numbers::Flags, f.file), index: boxed(pass, &f.index) }
}

fn access<P: Pass + ?Sized>(pass: &mut P, at: &Access) -> Access {
    let bank = at.bank.as_ref().map(|bank| boxed(pass, bank));
    Access { space: pass.number(Numbers::Spaces, at.space), bank, address: boxed(pass, &at.address), aligned: at.aligned }
}

/// The place with what is in it passed over.
pub fn inside_place<P: Pass + ?Sized>(pass: &mut P, place: &Place) -> Place {
    let kind = match &place.kind {
        PlaceKind::Var(_) => place.kind.clone(),
        PlaceKind::State(state) => PlaceKind::State(pass.number(Numbers::State, *state)),
        PlaceKind::Register(r) => PlaceKind::Register(register(pass, r)),
        PlaceKind::Flags(f) => PlaceKind::Flags(flags(pass, f)),
        PlaceKind::Slice { of, lo } => PlaceKind::Slice { of: Box::new(pass.place(of)), lo: *lo },
        PlaceKind::Part { of, at } => PlaceKind::Part { of: Box::new(pass.place(of)), at: boxed(pass, at) },
        PlaceKind::Concat(parts) => PlaceKind::Concat(parts.iter().map(|p| pass.place(p)).collect()),
    };
    Place { kind, width: place.width, range: 0..0 }
}

/// The statement with what is in it passed over.
pub fn inside_stmt<P: Pass + ?Sized>(pass: &mut P, stmt: &Stmt) -> Stmt {
    let kind = match &stmt.kind {
        StmtKind::Set(place, value) => {
            let value = pass.expr(value);
            StmtKind::Set(pass.place(place), value)
        }
        StmtKind::If { arms, otherwise } => StmtKind::If {
            arms: arms.iter().map(|(c, body)| (pass.expr(c), pass.stmts(body))).collect(),
            otherwise: pass.stmts(otherwise),
        },
        StmtKind::Match { on, arms, otherwise } => StmtKind::Match {
            on: pass.expr(on),
            arms: arms.iter().map(|(labels, body)| (labels.clone(), pass.stmts(body))).collect(),
            otherwise: pass.stmts(otherwise),
        },
        StmtKind::Store(at, value) => {
            let at = access(pass, at);
            StmtKind::Store(at, pass.expr(value))
        }
        StmtKind::Atomic { at, old, new } => {
            StmtKind::Atomic { at: access(pass, at), old: pass.variable(*old), new: pass.expr(new) }
        }
        StmtKind::Action(action, args) => StmtKind::Action(*action, args.iter().map(|a| pass.expr(a)).collect()),
    };
    Stmt { kind, range: 0..0 }
}

/// The pass that only takes the places in the source away.
#[derive(Debug)]
pub struct Placeless;

impl Pass for Placeless {}
