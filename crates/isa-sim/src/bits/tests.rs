//! All kinds give the same results.

use super::{Bits, Long, Pair};

const VALUES: [u64; 9] =
    [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_8000_0001];

/// Numbers of up to 64 bits behave like those of the machine, in every kind that has the room.
fn like_the_machine<T: Bits + std::fmt::Debug>(width: u32) {
    let ones = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let signed = |x: u64| ((x << (64 - width)) as i64) >> (64 - width);
    for a in VALUES.map(|v| v & ones) {
        let x = T::of64(a);
        assert_eq!(x.sext(width).keep(width).low64(), a);
        assert_eq!(x.neg().keep(width).low64(), a.wrapping_neg() & ones);
        assert_eq!(u64::from(x.clz(width)), u64::from(a.leading_zeros() - (64 - width)));
        assert_eq!(x.popcount(), a.count_ones());
        assert_eq!(x.reverse(width).low64(), a.reverse_bits() >> (64 - width));
        assert_eq!(x.ctz(width), a.trailing_zeros().min(width));
        for by in [0, 1, width - 1, width, width + 1, 300] {
            let shifted = |n: u32, f: fn(u64, u32) -> Option<u64>| f(a, n).unwrap_or(0) & ones;
            assert_eq!(x.shl(by).keep(width).low64(), shifted(by, u64::checked_shl), "{a:#x} << {by}");
            assert_eq!(x.shr(by).keep(width).low64(), shifted(by, u64::checked_shr), "{a:#x} >> {by}");
            assert_eq!(x.sar(width, by).keep(width).low64(), (signed(a) >> by.min(63)) as u64 & ones, "{a:#x} >>s {by}");
        }
        for b in VALUES.map(|v| v & ones) {
            let y = T::of64(b);
            assert_eq!(x.add(y).keep(width).low64(), a.wrapping_add(b) & ones);
            assert_eq!(x.sub(y).keep(width).low64(), a.wrapping_sub(b) & ones);
            assert_eq!(x.mul(y).keep(width).low64(), a.wrapping_mul(b) & ones);
            let rows = (0..width).filter(|i| a >> i & 1 == 1);
            assert_eq!(x.clmul(y).keep(width).low64(), rows.fold(0, |sum, i| sum ^ b << i) & ones);
            assert_eq!((x.less(y), x.less_s(y, width)), (a < b, signed(a) < signed(b)));
            let (q, r) = x.div_rem(y);
            assert_eq!(
                (q.keep(width).low64(), r.keep(width).low64()),
                (a.checked_div(b).unwrap_or(ones) & ones, a.checked_rem(b).unwrap_or(a))
            );
            let (q, r) = x.div_rem_s(y, width);
            let quotient = if b == 0 { -1 } else { signed(a).wrapping_div(signed(b)) };
            let rest = if b == 0 { signed(a) } else { signed(a).wrapping_rem(signed(b)) };
            assert_eq!((q.keep(width).low64(), r.keep(width).low64()), (quotient as u64 & ones, rest as u64 & ones));
        }
    }
}

#[test]
fn every_kind_computes_alike() {
    like_the_machine::<u32>(32);
    like_the_machine::<u32>(7);
    like_the_machine::<u64>(64);
    like_the_machine::<u64>(33);
    like_the_machine::<Pair>(64);
    like_the_machine::<Pair>(33);
    like_the_machine::<u128>(64);
    like_the_machine::<u128>(34);
    like_the_machine::<Long>(64);
    like_the_machine::<Long>(34);
}

#[test]
fn long_numbers_carry_through_all_limbs() {
    let all = Long::of_limbs([u64::MAX; 4]);
    assert_eq!(all.add(Long::of32(1)), Long::default());
    assert_eq!(Long::default().sub(Long::of32(1)), all);
    assert_eq!(all.mul(all), Long::of32(1));
    assert_eq!(Long::of32(1).shl(255).shr(255), Long::of32(1));
    assert_eq!(Long::of32(1).shl(255).sext(256), Long::of32(1).shl(255));
    assert_eq!(
        all.div_rem(Long::of_limbs([0, 0, 0, 1 << 63])),
        (Long::of32(1), Long::of_limbs([u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1]))
    );
    assert_eq!(Long::of_limbs([1, 2, 3, 4]).div_rem(Long::of_limbs([0, 1, 0, 0])), (Long::of_limbs([2, 3, 4, 0]), Long::of32(1)));
    assert_eq!((all.clz(256), all.ctz(256), Long::default().ctz(200)), (0, 0, 200));
}

#[test]
fn saturation_goes_to_the_nearest() {
    let sat = |x: u32, signed, to, to_signed| x.saturate(10, signed, to, to_signed).keep(to);
    assert_eq!([sat(0x3ff, true, 8, true), sat(0x200, true, 8, true), sat(0x1ff, true, 8, true)], [0xff, 0x80, 0x7f]);
    assert_eq!([sat(0x3ff, true, 8, false), sat(0x1ff, true, 8, false), sat(0x3ff, false, 8, false)], [0, 0xff, 0xff]);
    assert_eq!([sat(0x3ff, false, 8, true), sat(0x7f, false, 8, true), sat(0x3ff, true, 12, true)], [0x7f, 0x7f, 0xfff]);
}

#[test]
fn a_sum_has_its_carry_above() {
    for a in VALUES.map(|v| v as u32) {
        for b in VALUES.map(|v| v as u32) {
            for carry in [0, 1] {
                assert_eq!(Pair::sum(a, b, carry).low64(), u64::from(a) + u64::from(b) + u64::from(carry));
            }
        }
    }
}
