//! Arithmetic on random numbers, and laws that it keeps.

use isa_reference::samples::Random;
use isa_spec::semantics;
use isa_spec::semantics::arith::{self, compare_u, negated, ones as all, or, shl, shr};
use isa_spec::semantics::int::Int;

trait Operands {
    fn int(&mut self, width: u32) -> Int;
}

impl Operands for Random {
    /// A number of `width` bits; often at a limit.
    fn int(&mut self, width: u32) -> Int {
        let any = Int::from_limbs([self.next_u64(), self.next_u64(), self.next_u64(), self.next_u64()]).truncated(width);
        match self.next_u64() % 6 {
            0 => Int::from(u128::from(self.next_u64() % 3)).truncated(width),
            1 => all(width),
            2 => shl(Int::from(1), u64::from(width) - 1),
            3 => all(width - 1),
            4 => shr(any, self.next_u64() % u64::from(width)),
            _ => any,
        }
    }
}

/// Against arithmetic of 128 bits, in widths that it has room for.
#[test]
fn operators_agree_with_machine_arithmetic() {
    use isa_spec::semantics::ast::BinaryOp::*;
    let mut random = Random::new(0x0ddba11);
    for _ in 0..40_000 {
        let width = 1 + (random.next_u64() % 64) as u32;
        let (a, b) = (random.int(width), random.int(width));
        let (ua, ub) = (a.low_u128(), b.low_u128());
        let signed = |u: u128| (u as i128) << (128 - width) >> (128 - width);
        let (sa, sb) = (signed(ua), signed(ub));
        let mask = (1u128 << width) - 1;
        let bit = |c: bool| u128::from(c);
        let cases = [
            (Add, ua + ub),
            (Sub, ua.wrapping_sub(ub)),
            (Mul, ua * ub),
            (DivU, ua.checked_div(ub).unwrap_or(mask)),
            (RemU, ua.checked_rem(ub).unwrap_or(ua)),
            (DivS, sa.checked_div(sb).unwrap_or(-1) as u128),
            (RemS, sa.checked_rem(sb).unwrap_or(sa) as u128),
            (And, ua & ub),
            (Or, ua | ub),
            (Xor, ua ^ ub),
            (Shl, if ub < 64 { ua << ub } else { 0 }),
            (ShrU, if ub < 64 { ua >> ub } else { 0 }),
            (ShrS, (sa >> ub.min(127)) as u128),
            (Eq, bit(ua == ub)),
            (Ne, bit(ua != ub)),
            (LtU, bit(ua < ub)),
            (LeU, bit(ua <= ub)),
            (GtU, bit(ua > ub)),
            (GeU, bit(ua >= ub)),
            (LtS, bit(sa < sb)),
            (LeS, bit(sa <= sb)),
            (GtS, bit(sa > sb)),
            (GeS, bit(sa >= sb)),
        ];
        for (op, want) in cases {
            let got = arith::binary(op, a, b, width);
            assert_eq!(got, Int::from(want & mask), "{a} {} {b} of {width} bits", op.text());
        }
        let to = 1 + (random.next_u64() % 64) as u32;
        let (most, least) = ((1i128 << (to - 1)) - 1, -(1i128 << (to - 1)));
        let top = (1i128 << to) - 1;
        for (function, want) in [
            (semantics::builtins::IntFunction::SatSS, sa.clamp(least, most)),
            (semantics::builtins::IntFunction::SatSU, sa.clamp(0, top)),
            (semantics::builtins::IntFunction::SatUS, (ua as i128).min(most)),
            (semantics::builtins::IntFunction::SatUU, (ua as i128).min(top)),
        ] {
            let got = arith::function(function, &[a], width, to);
            assert_eq!(got, Int::from_i128(want, to), "{function:?} of {a}, {width} to {to} bits");
        }
    }
}

/// Laws that must hold in the widths that no machine has.
#[test]
fn wide_numbers_keep_the_laws() {
    use isa_spec::semantics::ast::BinaryOp::*;
    let mut random = Random::new(0x0ddba12);
    for _ in 0..2_000 {
        let width = 129 + (random.next_u64() % 128) as u32;
        let (a, b) = (random.int(width), random.int(width));
        let of = |op, a, b| arith::binary(op, a, b, width);
        let (q, r) = (of(DivU, a, b), of(RemU, a, b));
        if b != Int::default() {
            assert_eq!(of(Add, of(Mul, q, b), r), a, "{a} /u {b}");
            assert!(compare_u(r, b).is_lt(), "{a} %u {b} is {r}");
            assert_eq!(of(Add, of(Mul, of(DivS, a, b), b), of(RemS, a, b)), a, "{a} /s {b}");
        }
        assert_eq!(of(Sub, a, b), of(Add, a, negated(b).truncated(width)));
        let n = random.next_u64() % u64::from(width);
        let count = Int::from(u128::from(n));
        assert_eq!(or(shl(of(ShrU, a, count), n), a.truncated(n as u32)), a, "{a} >> {n}");
        let sign = if a.bit(width - 1) { shl(all(n as u32), u64::from(width) - n) } else { Int::default() };
        assert_eq!(of(ShrS, a, count), or(of(ShrU, a, count), sign), "{a} >>s {n}");
    }
}
