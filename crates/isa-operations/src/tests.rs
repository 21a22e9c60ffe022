//! Random expressions: what the builder makes of them has the value that the expression has, and as few operations as it should.

use crate::{Known, List, Op};
use isa_model::model::Isa;
use isa_model::semantics::arith;
use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::builtins::{Function, IntFunction};
use isa_model::semantics::int::Int;
use isa_model::semantics::typed::{Expr, ExprKind, Value};

const WIDTHS: [u32; 8] = [1, 2, 5, 8, 33, 64, 100, 256];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    /// Often a number at a limit.
    fn number(&mut self, width: u32) -> Int {
        match self.below(6) {
            0 => Int::default(),
            1 => Int::ones(width),
            2 => Int::from(1),
            3 => arith::shl(Int::from(1), u64::from(width) - 1),
            4 => Int::ones(1 + self.below(width as usize) as u32),
            _ => Int::from_limbs([0; 4].map(|_| (self.below(usize::MAX) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
                .truncated(width),
        }
    }
}

/// Fields: one for each width and number.
struct Leaves(Vec<Int>);

impl Known for Leaves {
    fn field(&self, field: usize) -> Option<Int> {
        Some(self.0[field])
    }

    fn condition(&self, _: usize) -> Option<bool> {
        None
    }
}

fn e(kind: ExprKind, width: u32) -> Expr {
    Expr { kind, width, range: 0..0 }
}

fn random(r: &mut Random, width: u32, depth: u32) -> Expr {
    use BinaryOp::{
        Add, And, DivS, DivU, Eq, GeS, GeU, GtS, GtU, LeS, LeU, LtS, LtU, Mul, Ne, Or, RemS, RemU, Shl, ShrS, ShrU, Sub, Xor,
    };
    if depth == 0 || r.below(9) == 0 {
        let at = WIDTHS.iter().position(|known| *known == width);
        return match at.filter(|_| r.below(3) > 0) {
            Some(at) => e(ExprKind::Field(at * 2 + r.below(2)), width),
            None => e(ExprKind::Const(r.number(width)), width),
        };
    }
    let depth = depth - 1;
    let other = WIDTHS[r.below(WIDTHS.len())];
    let boxed = |r: &mut Random, width| Box::new(random(r, width, depth));
    let kind = match r.below(11) {
        0 => ExprKind::Unary([UnaryOp::Neg, UnaryOp::Not][r.below(2)], boxed(r, width)),
        1 => {
            let op = [Add, Sub, Mul, And, Or, Xor, DivU, DivS, RemU, RemS][r.below(10)];
            ExprKind::Binary(op, boxed(r, width), boxed(r, width))
        }
        2 => ExprKind::Binary([Shl, ShrU, ShrS][r.below(3)], boxed(r, width), boxed(r, 5)),
        3 if width == 1 => {
            let op = [Eq, Ne, LtU, LeU, GtU, GeU, LtS, LeS, GtS, GeS][r.below(10)];
            ExprKind::Binary(op, boxed(r, other), boxed(r, other))
        }
        4 if width == 1 => {
            call([IntFunction::Any, IntFunction::All, IntFunction::Parity][r.below(3)], vec![random(r, other, depth)])
        }
        3 | 4 if other < width => call([IntFunction::Zext, IntFunction::Sext][r.below(2)], vec![random(r, other, depth)]),
        5 | 6 if other > width => ExprKind::Slice { of: boxed(r, other), lo: r.below((other - width) as usize + 1) as u32 },
        7 if other > width => ExprKind::Part { of: boxed(r, other), at: boxed(r, 5) },
        8 if other < width => ExprKind::Concat(vec![random(r, other, depth), random(r, width - other, depth)]),
        9 => {
            let arms = vec![(random(r, 1, depth), random(r, width, depth)), (random(r, 1, depth), random(r, width, depth))];
            ExprKind::If { arms, otherwise: boxed(r, width) }
        }
        _ => {
            let labels = [vec![Int::from(0), Int::from(3)], vec![Int::from(2)]];
            let arms = labels.map(|labels| (labels, random(r, width, depth))).into();
            ExprKind::Match { on: boxed(r, 2), arms, otherwise: boxed(r, width) }
        }
    };
    e(kind, width)
}

fn call(function: IntFunction, args: Vec<Expr>) -> ExprKind {
    ExprKind::Call { function: Function::Int(function), args, exact: None }
}

/// The value of an expression, as its parts say.
fn value(of: &Expr, leaves: &Leaves) -> Int {
    let at = |e: &Expr| value(e, leaves);
    match &of.kind {
        ExprKind::Const(number) => *number,
        ExprKind::Field(field) => leaves.0[*field],
        ExprKind::Unary(op, a) => arith::unary(*op, at(a), of.width),
        ExprKind::Binary(op, a, b) => arith::binary(*op, at(a), at(b), a.width),
        ExprKind::Slice { of: a, lo } => arith::shr(at(a), (*lo).into()).truncated(of.width),
        ExprKind::Part { of: a, at: lo } => arith::shr(at(a), arith::saturating_u64(at(lo))).truncated(of.width),
        ExprKind::Concat(parts) => {
            parts.iter().fold(Int::default(), |high, part| arith::or(arith::shl(high, part.width.into()), at(part)))
        }
        ExprKind::If { arms, otherwise } => at(arms.iter().find(|arm| at(&arm.0).bit(0)).map_or(otherwise, |arm| &arm.1)),
        ExprKind::Match { on, arms, otherwise } => {
            let on = at(on);
            at(arms.iter().find(|arm| arm.0.contains(&on)).map_or(otherwise, |arm| &arm.1))
        }
        ExprKind::Call { function: Function::Int(function), args, .. } => {
            let values: Vec<Int> = args.iter().map(at).collect();
            arith::function(*function, &values, args[0].width, of.width)
        }
        _ => unreachable!("the generator makes none"),
    }
}

fn isa() -> Isa {
    isa_spec::load_str(
        "none.yaml",
        "isa: none\nword: 8\nformats: { f: { reserved: 7..0 } }\ninstructions: { nop: { extends: f, text: nop } }\n",
        None,
    )
    .isa
    .expect("it is right")
}

#[test]
fn a_list_has_the_value_of_its_expression() {
    let isa = isa();
    for seed in 1..=4_000 {
        let mut r = Random(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
        let width = WIDTHS[r.below(WIDTHS.len())];
        let of = Value { vars: Vec::new(), expr: random(&mut r, width, 4) };
        let list = List::of_value(&isa, &of);
        for _ in 0..6 {
            let leaves = Leaves((0..WIDTHS.len() * 2).map(|at| r.number(WIDTHS[at / 2])).collect());
            let known = list.with(&isa, &leaves);
            let found = known.result.and_then(|id| known.number(id));
            assert_eq!(found, Some(value(&of.expr, &leaves)), "seed {seed}: {of:?}\n{list:?}");
        }
    }
}

#[test]
fn what_needs_no_operation_has_none() {
    let isa = isa();
    let field = |at: usize| e(ExprKind::Field(at), WIDTHS[at / 2]);
    let number = |n: u128, width| e(ExprKind::Const(Int::from(n)), width);
    let binary = |op, a: Expr, b: Expr| ExprKind::Binary(op, Box::new(a), Box::new(b));
    let slice = |of: Expr, lo, width| e(ExprKind::Slice { of: Box::new(of), lo }, width);
    let join = |a: Expr, b: Expr| {
        let width = a.width + b.width;
        e(ExprKind::Concat(vec![a, b]), width)
    };
    let zext = |of: Expr, width| e(call(IntFunction::Zext, vec![of]), width);
    // Fields 6 and 7 have 8 bits, 10 and 11 have 64.
    let rows: [(Expr, &[&str]); 9] = [
        (e(binary(BinaryOp::Add, field(6), number(0, 8)), 8), &["Field"]),
        (slice(zext(field(6), 33), 0, 8), &["Field"]),
        (slice(join(field(6), field(7)), 8, 8), &["Field"]),
        (join(slice(field(10), 32, 32), slice(field(10), 0, 32)), &["Field"]),
        (e(binary(BinaryOp::ShrU, field(10), number(60, 8)), 64), &["Field", "Slice", "Zext"]),
        (e(binary(BinaryOp::And, field(10), number(0xff, 64)), 64), &["Field", "Slice", "Zext"]),
        (e(binary(BinaryOp::Xor, field(6), field(6)), 8), &["Const"]),
        // A carry that nothing reads.
        (slice(e(binary(BinaryOp::Add, zext(field(6), 33), zext(field(7), 33)), 33), 0, 8), &["Field", "Field", "Binary"]),
        (e(binary(BinaryOp::GtS, field(6), field(6)), 1), &["Const"]),
    ];
    for (expr, ops) in rows {
        let list = List::of_value(&isa, &Value { vars: Vec::new(), expr: expr.clone() });
        let found: Vec<String> = list.nodes.iter().map(|node| format!("{:?}", node.op)).collect();
        let same = found.len() == ops.len() && found.iter().zip(ops).all(|(found, op)| found.starts_with(op));
        assert!(same, "{expr:?}: {found:?}");
        assert!(!list.nodes.iter().any(|node| node.op.has_effect() || matches!(node.op, Op::Read(..))));
    }
}
