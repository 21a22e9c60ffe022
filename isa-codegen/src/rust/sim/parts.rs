//! Parts of values.

use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::{Function, IntFunction};
use isa_spec::semantics::typed::{Expr, ExprKind};

/// Some bits of an expression, taken from an operand where they are separate.
pub(super) fn part(e: &Expr, lo: u32, width: u32) -> Expr {
    if (lo, width) == (0, e.width) {
        return e.clone();
    }
    match &e.kind {
        ExprKind::Const(value) => {
            Expr { kind: ExprKind::Const(Int::from(value.low_u128() >> lo).truncated(width)), width, range: 0..0 }
        }
        ExprKind::Concat(parts) => {
            let mut start = e.width;
            for p in parts {
                start -= p.width;
                if start <= lo && lo + width <= start + p.width {
                    return part(p, lo - start, width);
                }
            }
            slice(e, lo, width)
        }
        ExprKind::Call { function: Function::Int(IntFunction::Zext), args, .. } => match &args[0] {
            x if lo >= x.width => Expr { kind: ExprKind::Const(Int::from(0u128)), width, range: 0..0 },
            x if lo + width <= x.width => part(x, lo, width),
            _ => slice(e, lo, width),
        },
        _ => slice(e, lo, width),
    }
}

fn slice(e: &Expr, lo: u32, width: u32) -> Expr {
    Expr { kind: ExprKind::Slice { of: Box::new(e.clone()), lo }, width, range: 0..0 }
}
