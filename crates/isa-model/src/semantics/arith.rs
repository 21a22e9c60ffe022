//! Arithmetic on numbers of up to 256 bits, in a width: results keep the lowest bits, operands have none above.

use super::ast::{BinaryOp, UnaryOp};
use super::builtins::IntFunction;
use super::int::{Int, MAX_WIDTH};
use std::cmp::Ordering;

/// All `width` bits set; 0 to 256.
pub fn ones(width: u32) -> Int {
    Int::ones(width)
}

/// A condition as a number of one bit.
pub fn bit(value: bool) -> Int {
    Int::from(u128::from(value))
}

/// The lowest 64 bits, or the greatest number if there are more.
pub fn saturating_u64(a: Int) -> u64 {
    if a.bits() > 64 { u64::MAX } else { a.low() }
}

/// Bit by bit.
pub fn and(a: Int, b: Int) -> Int {
    Int(a.0 & b.0)
}

/// Bit by bit.
pub fn or(a: Int, b: Int) -> Int {
    Int(a.0 | b.0)
}

/// Bit by bit.
pub fn xor(a: Int, b: Int) -> Int {
    Int(a.0 ^ b.0)
}

/// Every bit, of 256.
pub fn not(a: Int) -> Int {
    Int(!a.0)
}

/// Two's complement, of 256 bits.
pub fn negated(a: Int) -> Int {
    Int(a.0.wrapping_neg())
}

/// To the left; 256 and more give 0.
pub fn shl(a: Int, count: u64) -> Int {
    if count >= u64::from(MAX_WIDTH) { Int::default() } else { Int(a.0 << count as u32) }
}

/// To the right, bringing in zeros; 256 and more give 0.
pub fn shr(a: Int, count: u64) -> Int {
    if count >= u64::from(MAX_WIDTH) { Int::default() } else { Int(a.0 >> count as u32) }
}

/// The order of two unsigned numbers.
pub fn compare_u(a: Int, b: Int) -> Ordering {
    a.cmp(&b)
}

/// The order of two numbers of `width` bits in two's complement.
pub fn compare_s(a: Int, b: Int, width: u32) -> Ordering {
    match (a.bit(width - 1), b.bit(width - 1)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => compare_u(a, b),
    }
}

/// Quotient and remainder of unsigned numbers; of a division by 0, all ones and the left operand.
fn divide_u(a: Int, b: Int, width: u32) -> (Int, Int) {
    if b.bits() == 0 {
        return (ones(width), a);
    }
    (Int(a.0 / b.0), Int(a.0 % b.0))
}

/// Quotient and remainder of signed numbers: rounded towards zero, the remainder with the sign of the left operand.
fn divide_s(a: Int, b: Int, width: u32) -> (Int, Int) {
    if b.bits() == 0 {
        return (ones(width), a);
    }
    let (quotient, rest) = divide_u(absolute(a, width), absolute(b, width), width);
    let signed = |n: Int, negative: bool| if negative { negated(n).truncated(width) } else { n };
    (signed(quotient, a.bit(width - 1) != b.bit(width - 1)), signed(rest, a.bit(width - 1)))
}

/// The signed number without its sign; the least one stays as it is.
fn absolute(a: Int, width: u32) -> Int {
    if a.bit(width - 1) { negated(a).truncated(width) } else { a }
}

/// A unary operator on a number of `width` bits.
pub fn unary(op: UnaryOp, a: Int, width: u32) -> Int {
    match op {
        UnaryOp::Neg => negated(a),
        UnaryOp::Not | UnaryOp::LogicNot => not(a),
    }
    .truncated(width)
}

/// An operator between; `width` is that of the left operand.
pub fn binary(op: BinaryOp, a: Int, b: Int, width: u32) -> Int {
    use BinaryOp::*;
    let count = || saturating_u64(b);
    match op {
        LogicOr | Or => or(a, b),
        LogicAnd | And => and(a, b),
        Xor => xor(a, b),
        Eq => bit(a == b),
        Ne => bit(a != b),
        LtU => bit(compare_u(a, b).is_lt()),
        LeU => bit(compare_u(a, b).is_le()),
        GtU => bit(compare_u(a, b).is_gt()),
        GeU => bit(compare_u(a, b).is_ge()),
        LtS => bit(compare_s(a, b, width).is_lt()),
        LeS => bit(compare_s(a, b, width).is_le()),
        GtS => bit(compare_s(a, b, width).is_gt()),
        GeS => bit(compare_s(a, b, width).is_ge()),
        Shl => shl(a, count()).truncated(width),
        ShrU => shr(a, count()),
        ShrS => {
            let sign = if a.bit(width - 1) { not(shr(ones(width), count())).truncated(width) } else { Int::default() };
            or(shr(a, count()), sign)
        }
        Add => a.wrapping_add(b).truncated(width),
        Sub => a.wrapping_add(negated(b)).truncated(width),
        Mul => a.wrapping_mul(b).truncated(width),
        DivU => divide_u(a, b, width).0,
        RemU => divide_u(a, b, width).1,
        DivS => divide_s(a, b, width).0,
        RemS => divide_s(a, b, width).1,
        // Parts with widths of their own are joined where these are known.
        Concat => unreachable!("`++` is a list of parts in a typed tree"),
    }
}

/// The number of `to` bits that is nearest to one of `from` bits, with or without signs.
fn nearest(x: Int, from: u32, to: u32, signs: (bool, bool)) -> Int {
    let negative = signs.0 && x.bit(from - 1);
    let magnitude = if negative { negated(x.sign_extended(from)) } else { x };
    let most = if signs.1 { ones(to - 1) } else { ones(to) };
    match negative {
        false if compare_u(magnitude, most).is_gt() => most,
        false => magnitude,
        true if !signs.1 => Int::default(),
        // One more than the greatest one is the least one's magnitude.
        true if compare_u(magnitude, most).is_gt() => most.wrapping_add(Int::from(1)),
        true => negated(magnitude).truncated(to),
    }
}

/// A function of integers: its arguments, the first one's width, the width of the result.
pub fn function(function: IntFunction, args: &[Int], from: u32, to: u32) -> Int {
    let a = args[0];
    let order = |signed: bool| if signed { compare_s(a, args[1], from) } else { compare_u(a, args[1]) };
    let pick = |first: bool| if first { a } else { args[1] };
    let number = |n: u32| Int::from(u128::from(n)).truncated(to);
    match function {
        IntFunction::Zext => a,
        IntFunction::Sext => a.sign_extended(from).truncated(to),
        IntFunction::Trunc => a.truncated(to),
        IntFunction::Fill => {
            if a.bit(0) {
                ones(to)
            } else {
                Int::default()
            }
        }
        IntFunction::SatSS => nearest(a, from, to, (true, true)),
        IntFunction::SatSU => nearest(a, from, to, (true, false)),
        IntFunction::SatUS => nearest(a, from, to, (false, true)),
        IntFunction::SatUU => nearest(a, from, to, (false, false)),
        IntFunction::Abs => absolute(a, from),
        IntFunction::Clz => number(from - a.bits()),
        IntFunction::Ctz => number((0..from).find(|i| a.bit(*i)).unwrap_or(from)),
        IntFunction::Popcount => number(a.0.count_ones()),
        IntFunction::Reverse => {
            (0..from).filter(|i| a.bit(*i)).fold(Int::default(), |r, i| or(r, shl(Int::from(1), (from - 1 - i).into())))
        }
        IntFunction::Clmul => {
            let rows = (0..from).filter(|i| a.bit(*i));
            rows.fold(Int::default(), |sum, i| xor(sum, shl(args[1], i.into()))).truncated(to)
        }
        IntFunction::MinS => pick(order(true).is_le()),
        IntFunction::MaxS => pick(order(true).is_ge()),
        IntFunction::MinU => pick(order(false).is_le()),
        IntFunction::MaxU => pick(order(false).is_ge()),
        IntFunction::Any => bit(a != Int::default()),
        IntFunction::All => bit(a == ones(from)),
        IntFunction::Parity => bit(a.0.count_ones() % 2 == 1),
        IntFunction::CmpS => Int::from(1 << (order(true) as i8 + 1)),
        IntFunction::CmpU => Int::from(1 << (order(false) as i8 + 1)),
    }
}
