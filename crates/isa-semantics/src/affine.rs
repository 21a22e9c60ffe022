//! Bodies that compute from one field alone, executed for all its bits at once: each bit of a value is a sum, modulo two, of bits of
//! the field.

use isa_model::semantics::arith;
use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::builtins::{Function, IntFunction};
use isa_model::semantics::int::Int;
use isa_model::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::ops::Range;

/// The reason for which a body has no such values, by its bytes in the source.
pub enum Fault {
    /// It reads more than the field, or does more than compute.
    Impure(Range<usize>),
    /// A bit is no sum of bits of the field, or has not been found to be one.
    NoSum(Range<usize>),
}

/// A sum, modulo two, of bits of a field and a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The bits of the field.
    pub of: u128,
    /// The value where these are all clear.
    pub start: bool,
}

/// The bits of a value, the least significant first.
type Value = Vec<Sum>;

impl Sum {
    fn constant(start: bool) -> Self {
        Self { of: 0, start }
    }

    fn not(self) -> Self {
        Self { start: !self.start, ..self }
    }

    fn plus(self, other: Self) -> Self {
        Self { of: self.of ^ other.of, start: self.start ^ other.start }
    }

    /// The product, where it is a sum.
    fn and(self, other: Self) -> Option<Self> {
        match (self.of, other.of) {
            (0, _) => Some(if self.start { other } else { self }),
            (_, 0) => other.and(self),
            (a, b) if a == b => Some(if self.start == other.start { self } else { Self::default() }),
            _ => None,
        }
    }

    fn or(self, other: Self) -> Option<Self> {
        Some(self.not().and(other.not())?.not())
    }

    /// One of two values, where this is set or clear.
    fn choose(self, set: Self, clear: Self) -> Option<Self> {
        Some(clear.plus(self.and(set.plus(clear))?))
    }
}

fn constant(value: Int, width: u32) -> Value {
    (0..width).map(|bit| Sum::constant(value.bit(bit))).collect()
}

/// The number that a value is, if it does not depend on the field.
fn known(value: &[Sum]) -> Option<Int> {
    let bits = value.iter().rev().map(|bit| (bit.of == 0).then_some(bit.start));
    bits.into_iter().try_fold(Int::default(), |n, bit| Some(arith::or(arith::shl(n, 1), arith::bit(bit?))))
}

/// Each bit of two values together.
fn each(a: &[Sum], b: &[Sum], of: impl Fn(Sum, Sum) -> Option<Sum>) -> Option<Value> {
    a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()
}

/// The sum and a carry, in the width of the numbers.
fn add(a: &[Sum], b: &[Sum], carry: bool) -> Option<Value> {
    let mut carry = Some(Sum::constant(carry));
    let mut sum = Value::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let differ = a.plus(*b);
        let below = carry?;
        sum.push(differ.plus(below));
        // At most one of the two products is 1.
        carry = a.and(*b).zip(below.and(differ)).map(|(both, passed)| both.plus(passed));
    }
    Some(sum)
}

fn not(a: &[Sum]) -> Value {
    a.iter().map(|bit| bit.not()).collect()
}

/// `width` bits from `lo` up; those beyond the top are 0.
fn slice(a: &[Sum], lo: u64, width: u32) -> Value {
    let bit = |at: u64| usize::try_from(at).ok().and_then(|at| a.get(at)).copied().unwrap_or_default();
    (0..u64::from(width)).map(|at| bit(lo.saturating_add(at))).collect()
}

fn shift_left(a: &[Sum], by: u64) -> Value {
    let bit = |at: usize| (at as u64).checked_sub(by).map_or(Sum::default(), |at| a[at as usize]);
    (0..a.len()).map(bit).collect()
}

/// All bits are clear.
fn is_zero(a: &[Sum]) -> Option<Sum> {
    if a.iter().any(|bit| *bit == Sum::constant(true)) {
        return Some(Sum::default());
    }
    a.iter().try_fold(Sum::constant(true), |all, bit| all.and(bit.not()))
}

fn unary(op: UnaryOp, a: &[Sum]) -> Option<Value> {
    match op {
        UnaryOp::Neg => add(&not(a), &constant(Int::default(), a.len() as u32), true),
        UnaryOp::Not | UnaryOp::LogicNot => Some(not(a)),
    }
}

fn binary(op: BinaryOp, a: &[Sum], b: &[Sum]) -> Option<Value> {
    use BinaryOp::*;
    let width = a.len() as u32;
    let count = || known(b).map(arith::saturating_u64);
    match op {
        LogicOr | Or => return each(a, b, Sum::or),
        LogicAnd | And => return each(a, b, Sum::and),
        Xor => return each(a, b, |a, b| Some(a.plus(b))),
        Add => return add(a, b, false),
        Sub => return add(a, &not(b), true),
        Shl => return Some(shift_left(a, count()?)),
        ShrU => return Some(slice(a, count()?, width)),
        ShrS => {
            let by = count()?.min(u64::from(width));
            let signs = std::iter::repeat_n(*a.last()?, by as usize);
            return Some(a[by as usize..].iter().copied().chain(signs).collect());
        }
        Eq | Ne => {
            let equal = is_zero(&each(a, b, |a, b| Some(a.plus(b)))?)?;
            return Some(vec![if op == Eq { equal } else { equal.not() }]);
        }
        _ => {}
    }
    let value = arith::binary(op, known(a)?, known(b)?, width);
    let is_test = matches!(op, LtU | LeU | GtU | GeU | LtS | LeS | GtS | GeS);
    Some(constant(value, if is_test { 1 } else { width }))
}

fn function(function: IntFunction, args: &[Value], width: u32) -> Option<Value> {
    let a = args.first()?;
    let extended = |top: Sum| a.iter().copied().chain(std::iter::repeat(top)).take(width as usize).collect();
    Some(match function {
        IntFunction::Zext | IntFunction::Trunc => extended(Sum::default()),
        IntFunction::Sext => extended(*a.last()?),
        IntFunction::Fill => vec![*a.first()?; width as usize],
        IntFunction::Reverse => a.iter().rev().copied().collect(),
        IntFunction::Parity => vec![a.iter().fold(Sum::default(), |sum, bit| sum.plus(*bit))],
        IntFunction::Any => vec![is_zero(a)?.not()],
        IntFunction::All => vec![is_zero(&not(a))?],
        _ => {
            let values = args.iter().map(|arg| known(arg)).collect::<Option<Vec<_>>>()?;
            constant(arith::function(function, &values, a.len() as u32, width), width)
        }
    })
}

/// A run of a body for all values of a field of `width` bits.
struct Run {
    vars: Vec<Value>,
    width: u32,
}

/// The value of a variable when the body has run, for all bits of a field.
pub fn run(body: &Body, width: u32, var: usize) -> Result<Vec<Sum>, Fault> {
    let vars = body.vars.iter().map(|width| constant(Int::default(), *width)).collect();
    let mut run = Run { vars, width };
    run.stmts(&body.stmts)?;
    Ok(run.vars.swap_remove(var))
}

impl Run {
    fn stmts(&mut self, stmts: &[Stmt]) -> Result<(), Fault> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Fault> {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let value = self.expr(value)?;
                self.set(place, &value)
            }
            StmtKind::If { arms, otherwise } => {
                let ways = arms.iter().map(|(condition, body)| (condition, body.as_slice()));
                self.first(ways.collect(), &|run, condition| Ok(run.expr(condition)?[0]), otherwise, &stmt.range)
            }
            StmtKind::Match { on, arms, otherwise } => {
                let on = self.expr(on)?;
                let range = &stmt.range;
                let ways = arms.iter().map(|(labels, body)| (labels, body.as_slice()));
                self.first(ways.collect(), &|_, labels| is_one(&on, labels, range), otherwise, range)
            }
            StmtKind::Store(..) | StmtKind::Atomic { .. } | StmtKind::Action(..) => Err(Fault::Impure(stmt.range.clone())),
        }
    }

    /// The first way of which the condition holds, or the last.
    fn first<C: Copy>(
        &mut self,
        mut ways: Vec<(C, &[Stmt])>,
        condition: &dyn Fn(&mut Self, C) -> Result<Sum, Fault>,
        otherwise: &[Stmt],
        range: &Range<usize>,
    ) -> Result<(), Fault> {
        if ways.is_empty() {
            return self.stmts(otherwise);
        }
        let (way, body) = ways.remove(0);
        let holds = condition(self, way)?;
        if holds.of == 0 {
            return if holds.start { self.stmts(body) } else { self.first(ways, condition, otherwise, range) };
        }
        let before = self.vars.clone();
        self.stmts(body)?;
        let set = std::mem::replace(&mut self.vars, before);
        self.first(ways, condition, otherwise, range)?;
        for (clear, set) in self.vars.iter_mut().zip(&set) {
            *clear = each(set, clear, |set, clear| holds.choose(set, clear)).ok_or_else(|| Fault::NoSum(range.clone()))?;
        }
        Ok(())
    }

    /// The value of the first way of which the condition holds, or the last.
    fn one<C: Copy>(
        &mut self,
        mut ways: Vec<(C, &Expr)>,
        condition: &dyn Fn(&mut Self, C) -> Result<Sum, Fault>,
        otherwise: &Expr,
        range: &Range<usize>,
    ) -> Result<Value, Fault> {
        if ways.is_empty() {
            return self.expr(otherwise);
        }
        let (way, value) = ways.remove(0);
        let holds = condition(self, way)?;
        if holds == Sum::constant(true) {
            return self.expr(value);
        }
        let clear = |run: &mut Self, ways| run.one(ways, condition, otherwise, range);
        if holds == Sum::constant(false) {
            return clear(self, ways);
        }
        let (set, clear) = (self.expr(value)?, clear(self, ways)?);
        each(&set, &clear, |set, clear| holds.choose(set, clear)).ok_or_else(|| Fault::NoSum(range.clone()))
    }

    fn set(&mut self, place: &Place, value: &[Sum]) -> Result<(), Fault> {
        match &place.kind {
            PlaceKind::Var(var) => {
                self.vars[*var] = value.to_vec();
                Ok(())
            }
            PlaceKind::Slice { of, lo } => self.set_part(of, (*lo).into(), value),
            PlaceKind::Part { of, at } => {
                let at = known(&self.expr(at)?).ok_or_else(|| Fault::NoSum(at.range.clone()))?;
                self.set_part(of, arith::saturating_u64(at), value)
            }
            PlaceKind::Concat(parts) => {
                let mut lo = 0;
                for part in parts.iter().rev() {
                    self.set(part, &slice(value, lo, part.width))?;
                    lo += u64::from(part.width);
                }
                Ok(())
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => Err(Fault::Impure(place.range.clone())),
        }
    }

    /// Sets the bits of a place from `lo` up; those beyond the top are dropped.
    fn set_part(&mut self, of: &Place, lo: u64, value: &[Sum]) -> Result<(), Fault> {
        let mut all = self.get(of)?;
        for (at, bit) in (lo..).zip(value) {
            if let Some(old) = usize::try_from(at).ok().and_then(|at| all.get_mut(at)) {
                *old = *bit;
            }
        }
        self.set(of, &all)
    }

    /// The bits that a place has.
    fn get(&mut self, place: &Place) -> Result<Value, Fault> {
        match &place.kind {
            PlaceKind::Var(var) => Ok(self.vars[*var].clone()),
            PlaceKind::Slice { of, lo } => Ok(slice(&self.get(of)?, (*lo).into(), place.width)),
            PlaceKind::Part { of, at } => {
                let at = known(&self.expr(at)?).ok_or_else(|| Fault::NoSum(at.range.clone()))?;
                Ok(slice(&self.get(of)?, arith::saturating_u64(at), place.width))
            }
            PlaceKind::Concat(parts) => {
                let parts = parts.iter().rev().map(|part| self.get(part)).collect::<Result<Vec<_>, _>>()?;
                Ok(parts.concat())
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => Err(Fault::Impure(place.range.clone())),
        }
    }

    fn expr(&mut self, e: &Expr) -> Result<Value, Fault> {
        let no_sum = || Fault::NoSum(e.range.clone());
        match &e.kind {
            ExprKind::Const(value) => Ok(constant(*value, e.width)),
            ExprKind::Var(var) => Ok(self.vars[*var].clone()),
            ExprKind::Field(_) => Ok((0..self.width).map(|bit| Sum { of: 1 << bit, start: false }).collect()),
            ExprKind::Slice { of, lo } => Ok(slice(&self.expr(of)?, (*lo).into(), e.width)),
            ExprKind::Part { of, at } => {
                let at = known(&self.expr(at)?).ok_or_else(no_sum)?;
                Ok(slice(&self.expr(of)?, arith::saturating_u64(at), e.width))
            }
            ExprKind::Concat(parts) => {
                let parts = parts.iter().rev().map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
                Ok(parts.concat())
            }
            ExprKind::Unary(op, of) => unary(*op, &self.expr(of)?).ok_or_else(no_sum),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                binary(*op, &a, &b).ok_or_else(no_sum)
            }
            ExprKind::If { arms, otherwise } => {
                let ways = arms.iter().map(|(condition, value)| (condition, value)).collect();
                self.one(ways, &|run, condition| Ok(run.expr(condition)?[0]), otherwise, &e.range)
            }
            ExprKind::Match { on, arms, otherwise } => {
                let on = self.expr(on)?;
                let ways = arms.iter().map(|(labels, value)| (labels, value)).collect();
                self.one(ways, &|_, labels| is_one(&on, labels, &e.range), otherwise, &e.range)
            }
            ExprKind::Call { function: Function::Int(called), args, .. } => {
                let args = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>, _>>()?;
                function(*called, &args, e.width).ok_or_else(no_sum)
            }
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts)?;
                self.expr(value)
            }
            ExprKind::Condition(_)
            | ExprKind::Register(_)
            | ExprKind::Flags(_)
            | ExprKind::State(_)
            | ExprKind::Supplied(_)
            | ExprKind::Variant(_)
            | ExprKind::Load(_)
            | ExprKind::Other { .. }
            | ExprKind::Ballot(_)
            | ExprKind::Call { .. } => Err(Fault::Impure(e.range.clone())),
        }
    }
}

/// A value is one of these numbers.
fn is_one(value: &[Sum], labels: &[Int], range: &Range<usize>) -> Result<Sum, Fault> {
    let width = value.len() as u32;
    let is = |label: &Int| is_zero(&each(value, &constant(*label, width), |a, b| Some(a.plus(b)))?);
    let any = labels.iter().try_fold(Sum::default(), |any, label| any.or(is(label)?));
    any.ok_or_else(|| Fault::NoSum(range.clone()))
}
