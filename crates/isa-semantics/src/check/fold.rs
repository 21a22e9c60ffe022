//! Evaluation without running: numbers without a width, and conditions that decide which part of a text a form reaches.

use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::int::Int;
use isa_model::semantics::typed::{Expr, ExprKind};
use std::ops::Range;

/// The result of an operator on numbers without a width; for a comparison 0 or 1. `None` if it is out of range.
pub(super) fn numbers(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    use BinaryOp::*;
    let bit = |c: bool| Some(i128::from(c));
    let count = || u32::try_from(b).ok().filter(|b| *b < 128);
    // A negative number has no unsigned counterpart before it has a width.
    let unsigned = a >= 0 && b >= 0;
    match op {
        Add => a.checked_add(b),
        Sub => a.checked_sub(b),
        Mul => a.checked_mul(b),
        DivS => a.checked_div(b),
        RemS => a.checked_rem(b),
        DivU if unsigned => a.checked_div(b),
        RemU if unsigned => a.checked_rem(b),
        And => Some(a & b),
        Or => Some(a | b),
        Xor => Some(a ^ b),
        Shl => a.checked_mul(1i128.checked_shl(count()?).filter(|p| *p > 0)?),
        ShrS => Some(a >> count()?),
        ShrU if a >= 0 => Some(a >> count()?),
        Eq => bit(a == b),
        Ne => bit(a != b),
        LtS => bit(a < b),
        LeS => bit(a <= b),
        GtS => bit(a > b),
        GeS => bit(a >= b),
        LtU if unsigned => bit(a < b),
        LeU if unsigned => bit(a <= b),
        GtU if unsigned => bit(a > b),
        GeU if unsigned => bit(a >= b),
        LogicAnd => bit(a != 0 && b != 0),
        LogicOr => bit(a != 0 || b != 0),
        _ => None,
    }
}

/// The value of a condition, if it is known.
pub(super) fn known(e: &Expr) -> Option<bool> {
    match e.kind {
        ExprKind::Const(value) if e.width == 1 => Some(value.bit(0)),
        _ => None,
    }
}

/// `-a`, `~a`, `!a`
pub(super) fn unary(op: UnaryOp, a: Expr, range: Range<usize>) -> Expr {
    let width = a.width;
    let kind = match (op, &a.kind) {
        (UnaryOp::LogicNot | UnaryOp::Not, ExprKind::Const(v)) if width == 1 => ExprKind::Const(Int::from(u128::from(!v.bit(0)))),
        _ => ExprKind::Unary(op, Box::new(a)),
    };
    Expr { kind, width, range }
}

/// `a op b`, of `width` bits.
pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr, width: u32, range: Range<usize>) -> Expr {
    use BinaryOp::*;
    let bit = |value: bool| ExprKind::Const(Int::from(u128::from(value)));
    let kind = match (op, known(&a), known(&b), &a.kind, &b.kind) {
        (LogicAnd, Some(false), ..) | (LogicAnd, _, Some(false), ..) => bit(false),
        (LogicOr, Some(true), ..) | (LogicOr, _, Some(true), ..) => bit(true),
        (LogicAnd, Some(true), ..) | (LogicOr, Some(false), ..) => return Expr { range, ..b },
        (LogicAnd, _, Some(true), ..) | (LogicOr, _, Some(false), ..) => return Expr { range, ..a },
        (Eq, .., ExprKind::Const(x), ExprKind::Const(y)) => bit(x == y),
        (Ne, .., ExprKind::Const(x), ExprKind::Const(y)) => bit(x != y),
        _ => ExprKind::Binary(op, Box::new(a), Box::new(b)),
    };
    Expr { kind, width, range }
}

/// The bits of `of` from `lo` up; they are inside.
pub(super) fn slice(of: Expr, lo: u32, width: u32, range: Range<usize>) -> Expr {
    if width == of.width {
        return Expr { range, ..of };
    }
    let kind = match of.kind {
        ExprKind::Const(value) => ExprKind::Const(Int(value.0 >> lo).truncated(width)),
        ExprKind::Slice { of, lo: below } => ExprKind::Slice { of, lo: lo + below },
        kind => ExprKind::Slice { of: Box::new(Expr { kind, ..of }), lo },
    };
    Expr { kind, width, range }
}
