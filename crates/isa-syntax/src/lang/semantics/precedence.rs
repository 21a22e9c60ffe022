//! Operators and how strongly they bind.

use isa_model::semantics::MeaningFault;
use isa_model::semantics::ast::{BinaryOp, Expr, ExprKind};
use std::ops::Range;

/// Every operator between operands.
pub(super) const OPERATORS: [BinaryOp; 26] = {
    use BinaryOp::*;
    [
        LogicOr, LogicAnd, Eq, Ne, LtU, LtS, LeU, LeS, GtU, GtS, GeU, GeS, Concat, Or, Xor, And, Shl, ShrU, ShrS, Add, Sub, Mul,
        DivU, DivS, RemU, RemS,
    ]
};

/// The precedence of an operator.
fn strength(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        LogicOr => 1,
        LogicAnd => 2,
        Eq | Ne | LtU | LtS | LeU | LeS | GtU | GtS | GeU | GeS => 3,
        Concat => 4,
        Or => 5,
        Xor => 6,
        And => 7,
        Shl | ShrU | ShrS => 8,
        Add | Sub => 9,
        Mul | DivU | DivS | RemU | RemS => 10,
    }
}

/// The tree of `terms` with `operators` between them (one fewer). All associate to the left, and comparisons not at all.
pub(super) fn tree(terms: Vec<Expr>, operators: Vec<(BinaryOp, Range<usize>)>, faults: &mut Vec<MeaningFault>) -> Expr {
    let mut terms = terms.into_iter();
    let mut done = vec![terms.next().expect("an expression has a term")];
    let mut waiting: Vec<(BinaryOp, Range<usize>)> = Vec::new();
    for ((op, at), term) in operators.into_iter().zip(terms) {
        while let Some((top, _)) = waiting.last().filter(|w| strength(w.0) >= strength(op)) {
            if top.is_comparison() && op.is_comparison() {
                let help = Some("join two comparisons with `&&`".into());
                faults.push(MeaningFault { help, ..MeaningFault::new(at.clone(), "comparisons don't chain") });
            }
            join(&mut done, &mut waiting);
        }
        waiting.push((op, at));
        done.push(term);
    }
    while !waiting.is_empty() {
        join(&mut done, &mut waiting);
    }
    done.pop().expect("one tree is left")
}

fn join(done: &mut Vec<Expr>, waiting: &mut Vec<(BinaryOp, Range<usize>)>) {
    let (op, at) = waiting.pop().expect("an operator waits");
    let right = Box::new(done.pop().expect("it has a right operand"));
    let left = Box::new(done.pop().expect("it has a left operand"));
    let range = left.range.start..right.range.end;
    done.push(Expr { kind: ExprKind::Binary { op, at, left, right }, range });
}
