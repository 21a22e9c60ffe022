//! Floats for the reference evaluator: `rustc_apfloat` computes, independently of what generated code links to. Only the
//! six functions that machines approximate are the same for both.

use isa_sim::float as shared;
use isa_spec::semantics::arith::{compare_u, negated, ones, shl, shr};
use isa_spec::semantics::builtins::{FloatFunction, Modes, Rounding};
use isa_spec::semantics::int::Int;
use rustc_apfloat::ieee::{Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

const NAN: u32 = 0x7fff_ffff;
const NAN16: u32 = 0x7fff;
const SIGN: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;

/// A function of floats: its arguments, the first one's width, the width of the result.
pub(super) fn function(function: FloatFunction, args: &[Int], from: u32, to: u32, modes: Modes) -> Int {
    let arg = |i: usize| args[i].low() as u32;
    let read = |i: usize| operand(arg(i), modes);
    let round = round(modes);
    let bits = match function {
        FloatFunction::Fadd => finish(read(0).add_r(read(1), round).value, modes),
        FloatFunction::Fsub => finish(read(0).add_r(-read(1), round).value, modes),
        FloatFunction::Fmul => finish(read(0).mul_r(read(1), round).value, modes),
        FloatFunction::Ffma => finish(read(0).mul_add_r(read(1), read(2), round).value, modes),
        FloatFunction::Fdiv => finish(read(0).div_r(read(1), round).value, modes),
        FloatFunction::Fsqrt => finish(square_root(read(0), round), modes),
        FloatFunction::Fround => finish(read(0).round_to_integral(round).value, modes),
        FloatFunction::Fneg => arg(0) ^ SIGN,
        FloatFunction::Fabs => arg(0) & !SIGN,
        FloatFunction::Fsat => limited(arg(0)),
        FloatFunction::Fnan => u32::from(Single::from_bits(arg(0).into()).is_nan()),
        FloatFunction::Fmin => finish(chosen(read(0), read(1), Ordering::Less), modes),
        FloatFunction::Fmax => finish(chosen(read(0), read(1), Ordering::Greater), modes),
        FloatFunction::Fcmp => match read(0).partial_cmp(&read(1)) {
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 4,
            None => 8,
        },
        FloatFunction::F2iS | FloatFunction::F2iU => {
            return integer(read(0).round_to_integral(round).value, to, function == FloatFunction::F2iS);
        }
        FloatFunction::I2fS | FloatFunction::I2fU => {
            let negative = function == FloatFunction::I2fS && args[0].bit(from - 1);
            from_integer(if negative { negated(args[0].sign_extended(from)) } else { args[0] }, negative, round)
        }
        FloatFunction::F2h => {
            let half: Half = read(0).convert_r(round, &mut false).value;
            match half {
                _ if half.is_nan() => NAN16,
                _ if modes.flush && half.is_denormal() => half.to_bits() as u32 & 0x8000,
                _ => half.to_bits() as u32,
            }
        }
        FloatFunction::H2f => {
            let half = Half::from_bits(u128::from(arg(0)));
            let half = if modes.flush && half.is_denormal() { Half::ZERO.copy_sign(half) } else { half };
            let single: Single = half.convert_r(round, &mut false).value;
            finish(single, modes)
        }
        FloatFunction::Rcp => shared::rcp(arg(0), modes.flush, modes.saturate),
        FloatFunction::Rsq => shared::rsq(arg(0), modes.flush, modes.saturate),
        FloatFunction::Sin => shared::sin(arg(0), modes.flush, modes.saturate),
        FloatFunction::Cos => shared::cos(arg(0), modes.flush, modes.saturate),
        FloatFunction::Ex2 => shared::ex2(arg(0), modes.flush, modes.saturate),
        FloatFunction::Lg2 => shared::lg2(arg(0), modes.flush, modes.saturate),
        FloatFunction::Sinpi => shared::sinpi(arg(0), modes.flush, modes.saturate),
        FloatFunction::Cospi => shared::cospi(arg(0), modes.flush, modes.saturate),
        FloatFunction::Tanh => shared::tanh(arg(0), modes.flush, modes.saturate),
        FloatFunction::F2f | FloatFunction::Fclass | FloatFunction::Fdot => unreachable!("they follow the rules of the machine"),
    };
    Int::from(u128::from(bits))
}

/// A function that doesn't round gives the same in all directions.
fn round(modes: Modes) -> Round {
    match modes.rounding {
        Rounding::Nearest => Round::NearestTiesToEven,
        Rounding::Zero => Round::TowardZero,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
    }
}

fn flushed(x: Single, modes: Modes) -> Single {
    if modes.flush && x.is_denormal() { Single::ZERO.copy_sign(x) } else { x }
}

fn operand(bits: u32, modes: Modes) -> Single {
    flushed(Single::from_bits(bits.into()), modes)
}

fn finish(x: Single, modes: Modes) -> u32 {
    let x = flushed(x, modes);
    let bits = if x.is_nan() { NAN } else { x.to_bits() as u32 };
    if modes.saturate { limited(bits) } else { bits }
}

/// To 0…1; NaN and -0 give +0.
fn limited(bits: u32) -> u32 {
    let x = Single::from_bits(bits.into());
    match x.partial_cmp(&Single::ZERO) {
        Some(Ordering::Greater) if x > Single::from_bits(ONE.into()) => ONE,
        Some(Ordering::Greater) => bits,
        _ => 0,
    }
}

/// The lesser or the greater one; of two zeros the negative one is less, and a number goes before NaN.
fn chosen(a: Single, b: Single, want: Ordering) -> Single {
    match a.partial_cmp(&b) {
        _ if b.is_nan() => a,
        None => b,
        Some(Ordering::Equal) => {
            if a.is_negative() == (want == Ordering::Less) {
                a
            } else {
                b
            }
        }
        Some(order) => {
            if order == want {
                a
            } else {
                b
            }
        }
    }
}

/// The significand of a finite number, without its sign, and the exponent of 2 that it is multiplied by.
fn significand(x: Single) -> (u128, i32) {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 23 & 0xff) as i32, bits & 0x7f_ffff);
    if exponent == 0 { (fraction, -149) } else { (fraction | 0x80_0000, exponent - 150) }
}

/// An integral float as an integer of `width` bits; the nearest if it doesn't fit, 0 for NaN.
fn integer(x: Single, width: u32, signed: bool) -> Int {
    let negative = x.is_negative();
    let most = match (signed, negative) {
        (true, false) => ones(width - 1),
        (true, true) => ones(width - 1).wrapping_add(Int::from(1)),
        (false, false) => ones(width),
        (false, true) => Int::default(),
    };
    let magnitude = match significand(x) {
        _ if x.is_nan() => Int::default(),
        _ if x.is_infinite() => most,
        (number, exponent) if exponent < 0 => shr(Int::from(number), exponent.unsigned_abs().into()),
        (number, exponent) => shl(Int::from(number), exponent.unsigned_abs().into()),
    };
    let near = if compare_u(magnitude, most).is_gt() { most } else { magnitude };
    if negative { negated(near).truncated(width) } else { near }
}

/// A number with a sign, rounded: its highest bits, and whether there are others below, say how.
fn from_integer(magnitude: Int, negative: bool, round: Round) -> u32 {
    let below = magnitude.bits().saturating_sub(64);
    let high = i128::from(shr(magnitude, below.into()).low());
    let rest = magnitude.truncated(below) != Int::default();
    let number = high << 1 | i128::from(rest);
    let near = Single::from_i128_r(if negative { -number } else { number }, round).value;
    near.scalbn_r(below as i32 - 1, round).to_bits() as u32
}

/// The root of a number of at least 80 bits, and whether there is a remainder, rounded.
fn square_root(x: Single, round: Round) -> Single {
    match x {
        _ if x.is_nan() || x.is_zero() => x,
        _ if x.is_negative() => Single::NAN,
        _ if x.is_infinite() => x,
        _ => {
            let (number, exponent) = significand(x);
            let (number, exponent) = if exponent % 2 == 0 { (number, exponent) } else { (number << 1, exponent - 1) };
            let wide = number << 80;
            let root = wide.isqrt();
            let number = root << 1 | u128::from(root * root != wide);
            Single::from_u128_r(number, round).value.scalbn((exponent - 80) / 2 - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Random;
    use isa_sim::float as compiled;

    const ROUNDINGS: [Rounding; 4] = [Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down];

    /// Floats at the limits of ranges; each is also tried with the other sign.
    const EDGES: [u32; 38] = [
        0,
        1,
        2,
        0x40_0000,
        0x7f_fffe,
        0x7f_ffff,
        0x80_0000,
        0x80_0001,
        0xff_ffff,
        0x100_0000,
        0x0c80_0000,
        0x1f80_0000,
        0x3300_0000,
        0x3380_0000,
        0x3380_0001,
        0x3e80_0000,
        0x3eff_ffff,
        0x3f00_0000,
        0x3f00_0001,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3fc0_0000,
        0x4000_0000,
        0x4020_0000,
        0x4040_0000,
        0x477f_e000,
        0x477f_efff,
        0x477f_f000,
        0x4aff_ffff,
        0x4b00_0000,
        0x4b00_0001,
        0x4eff_ffff,
        0x4f00_0000,
        0x4f7f_ffff,
        0x4f80_0000,
        0x7e80_0000,
        0x7f7f_ffff,
    ];
    const NO_NUMBERS: [u32; 5] = [0x7f80_0000, 0x7f80_0001, 0x7fbf_ffff, 0x7fc0_0000, 0x7fff_ffff];

    trait Operands {
        fn float(&mut self, near: u32) -> u32;
    }

    impl Operands for Random {
        /// A float: any bits, or near an edge, or near one.
        fn float(&mut self, near: u32) -> u32 {
            let r = self.next_u64();
            let any = (r >> 32) as u32;
            let sign = any & SIGN;
            match r % 8 {
                0 | 1 => any,
                2 => sign | EDGES[(r >> 8) as usize % EDGES.len()],
                3 => sign | NO_NUMBERS[(r >> 8) as usize % NO_NUMBERS.len()],
                4 => sign | EDGES[(r >> 8) as usize % EDGES.len()].wrapping_add(any & 7).wrapping_sub(4) & !SIGN,
                5 => near ^ sign ^ (any & 0xff),
                // Few bits, so that results are often exact or in the middle; of about the size of the other one.
                6 => {
                    sign | ((near >> 23 & 0xff).wrapping_add(r as u32 >> 8 & 0x3f).wrapping_sub(32) & 0xff) << 23
                        | any & 0x60_0003
                }
                _ => (any & 0x87ff_ffff) | 0x3800_0000,
            }
        }
    }

    fn all_floats() -> Vec<u32> {
        EDGES.into_iter().chain(NO_NUMBERS).flat_map(|a| [a, a | SIGN]).collect()
    }

    fn all_modes() -> impl Iterator<Item = Modes> {
        ROUNDINGS.into_iter().flat_map(|rounding| {
            [(false, false), (false, true), (true, false), (true, true)]
                .map(|(flush, saturate)| Modes::new(rounding, flush, saturate))
        })
    }

    fn reference(f: FloatFunction, args: &[u32], to: u32, modes: Modes) -> u32 {
        let args: Vec<Int> = args.iter().map(|a| Int::from(u128::from(*a))).collect();
        let from = if f == FloatFunction::H2f { 16 } else { 32 };
        function(f, &args, from, to, modes).low() as u32
    }

    type Three = fn(&[u32; 3], Modes) -> u32;

    /// Functions of floats to floats, and how many arguments they have.
    const FUNCTIONS: [(FloatFunction, usize, Three); 13] = [
        (FloatFunction::Fadd, 2, |a, m| compiled::fadd(a[0], a[1], m)),
        (FloatFunction::Fsub, 2, |a, m| compiled::fsub(a[0], a[1], m)),
        (FloatFunction::Fmul, 2, |a, m| compiled::fmul(a[0], a[1], m)),
        (FloatFunction::Fdiv, 2, |a, m| compiled::fdiv(a[0], a[1], m)),
        (FloatFunction::Ffma, 3, |a, m| compiled::ffma(a[0], a[1], a[2], m)),
        (FloatFunction::Fsqrt, 1, |a, m| compiled::fsqrt(a[0], m)),
        (FloatFunction::Fround, 1, |a, m| compiled::fround(a[0], m)),
        (FloatFunction::Fneg, 1, |a, _| compiled::fneg(a[0])),
        (FloatFunction::Fabs, 1, |a, _| compiled::fabs(a[0])),
        (FloatFunction::Fsat, 1, |a, _| compiled::fsat(a[0])),
        (FloatFunction::Fnan, 1, |a, _| compiled::fnan(a[0]).into()),
        (FloatFunction::Fcmp, 2, |a, m| compiled::fcmp(a[0], a[1], m.flush)),
        (FloatFunction::F2h, 1, |a, m| compiled::f2h(a[0], m).into()),
    ];

    #[track_caller]
    fn same(f: FloatFunction, args: &[u32], to: u32, modes: Modes, compiled: u32) {
        let reference = reference(f, args, to, modes);
        assert_eq!(reference, compiled, "{f:?} of {args:x?}, {:?}: {reference:#x}, compiled {compiled:#x}", modes);
    }

    #[test]
    fn compiled_functions_agree_at_the_edges() {
        let floats = all_floats();
        let floats: Vec<(usize, u32)> = floats.into_iter().enumerate().collect();
        for modes in all_modes() {
            for (f, count, compiled) in FUNCTIONS {
                for (i, a) in &floats {
                    for (j, b) in &floats[..if count > 1 { floats.len() } else { 1 }] {
                        // Every pair with some of the third ones.
                        for (_, c) in floats.iter().skip((i + j) % 8).step_by(8).take(if count > 2 { floats.len() } else { 1 }) {
                            same(f, &[*a, *b, *c][..count], 32, modes, compiled(&[*a, *b, *c], modes));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn compiled_functions_agree_on_random_numbers() {
        let mut random = Random::new(0x0f10_a7ed);
        for modes in all_modes() {
            for _ in 0..20_000 {
                let a = random.float(ONE);
                let b = random.float(a);
                // Near the product, too, where fused sums cancel.
                let product = f32::from_bits(a) * f32::from_bits(b);
                let c = if random.next_u64().is_multiple_of(2) { random.float(product.to_bits()) } else { random.float(b) };
                for (f, count, compiled) in FUNCTIONS {
                    same(f, &[a, b, c][..count], 32, modes, compiled(&[a, b, c], modes));
                }
            }
        }
    }

    #[test]
    fn the_lesser_and_the_greater_agree() {
        for flush in [false, true] {
            let modes = Modes::new(Rounding::Nearest, flush, false);
            for a in all_floats() {
                for b in all_floats() {
                    same(FloatFunction::Fmin, &[a, b], 32, modes, compiled::fmin(a, b, flush));
                    same(FloatFunction::Fmax, &[a, b], 32, modes, compiled::fmax(a, b, flush));
                }
            }
        }
    }

    #[test]
    fn every_float_of_16_bits_agrees() {
        for flush in [false, true] {
            let modes = Modes::new(Rounding::Nearest, flush, false);
            for a in 0..=u16::MAX {
                same(FloatFunction::H2f, &[a.into()], 32, modes, compiled::h2f(a, flush));
            }
        }
    }

    #[test]
    fn integers_of_floats_agree() {
        let mut random = Random::new(0x0f10_a7ee);
        let mut floats = all_floats();
        floats.extend((0..2_000).map(|_| random.float(0x4f00_0000)));
        // Around the greatest integers of every width.
        floats.extend(
            (0..130).flat_map(|n| [(n + 127) << 23, ((n + 127) << 23) - 1, ((n + 127) << 23) + 1]).flat_map(|a| [a, a | SIGN]),
        );
        for modes in all_modes().filter(|m| !m.saturate) {
            for width in [1, 2, 7, 8, 16, 24, 31, 32, 33, 48, 63, 64, 65, 104, 127, 128] {
                for a in &floats {
                    let wide = |f| super::function(f, &[Int::from(u128::from(*a))], 32, width, modes);
                    let (s, u) = (wide(FloatFunction::F2iS), wide(FloatFunction::F2iU));
                    let (cs, cu) = (compiled::f2i_s_wide(*a, width, modes), compiled::f2i_u_wide(*a, width, modes));
                    assert_eq!((s, u), (Int::from(cs), Int::from(cu)), "{a:#x} to {width} bits, {:?}", modes);
                    if width <= 64 {
                        let narrow = (compiled::f2i_s(*a, width, modes), compiled::f2i_u(*a, width, modes));
                        assert_eq!((u128::from(narrow.0), u128::from(narrow.1)), (cs, cu), "{a:#x} to {width} bits, {:?}", modes);
                    }
                }
            }
        }
        // The integer value of a 32-bit float never needs more than 129 bits.
        let far = super::function(FloatFunction::F2iS, &[Int::from(0xff7f_ffff)], 32, 256, all_modes().next().expect("some"));
        assert_eq!(far, negated(shl(Int::from(0xff_ffff), 104)));
    }

    #[test]
    fn floats_of_integers_agree() {
        let mut random = Random::new(0x0f10_a7ef);
        for modes in all_modes().filter(|m| !m.flush && !m.saturate) {
            for width in 1..=128u32 {
                for turn in 0..300 {
                    let any = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
                    let x = match turn % 4 {
                        0 => any,
                        1 => any >> (random.next_u64() % 128),
                        // In the middle of two floats, or next to it.
                        2 => (any & 0xff_ffff | 0x80_0000) << 1 << (random.next_u64() % 104),
                        _ => ((any & 0x1ff_ffff) << (random.next_u64() % 104))
                            .wrapping_add(u128::from(random.next_u64() % 3))
                            .wrapping_sub(1),
                    } & u128::MAX >> (128 - width);
                    let of = |f| super::function(f, &[Int::from(x)], width, 32, modes).low() as u32;
                    let (s, u) = (of(FloatFunction::I2fS), of(FloatFunction::I2fU));
                    let way = modes.rounding;
                    let wide = (compiled::i2f_s_wide(x, width, way), compiled::i2f_u_wide(x, way));
                    assert_eq!((s, u), wide, "{x:#x} of {width} bits, {way:?}");
                    if width <= 64 {
                        let narrow = (compiled::i2f_s(x as u64, width, way), compiled::i2f_u(x as u64, way));
                        assert_eq!((s, u), narrow, "{x:#x} of {width} bits, {way:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_greatest_integers_agree() {
        for modes in all_modes() {
            let of = super::function(FloatFunction::I2fU, &[Int::from(u128::MAX)], 128, 32, modes).low() as u32;
            assert_eq!(of, compiled::i2f_u_wide(u128::MAX, modes.rounding), "{:?}", modes.rounding);
        }
    }

    #[test]
    fn integers_of_256_bits_overflow_as_they_round() {
        let of = |x: Int, signed, rounding| {
            let f = if signed { FloatFunction::I2fS } else { FloatFunction::I2fU };
            super::function(f, &[x], 256, 32, Modes { rounding, ..Modes::default() }).low() as u32
        };
        let least = shl(Int::from(1), 255);
        assert_eq!(of(least, false, Rounding::Nearest), 0x7f80_0000);
        assert_eq!(of(least, false, Rounding::Zero), 0x7f7f_ffff);
        assert_eq!(of(least, true, Rounding::Up), 0xff7f_ffff);
        assert_eq!(of(least, true, Rounding::Down), 0xff80_0000);
        assert_eq!(of(ones(256), true, Rounding::Nearest), 0xbf80_0000);
    }

    /// The rules of `docs/semantics.md`.
    #[test]
    fn rules_are_as_written() {
        let modes = Modes::new;
        let (rn, ftz, sat) = (
            modes(Rounding::Nearest, false, false),
            modes(Rounding::Nearest, true, false),
            modes(Rounding::Nearest, false, true),
        );
        let of = |f, args: &[u32], modes| reference(f, args, 32, modes);
        // A NaN that is made is one NaN, whatever went in.
        assert_eq!(of(FloatFunction::Fadd, &[0x7f80_0000, 0xff80_0000], rn), NAN);
        assert_eq!(of(FloatFunction::Fmul, &[0xffc1_2345, ONE], rn), NAN);
        assert_eq!(of(FloatFunction::Fmin, &[0x7fc0_0000, 0xffc0_0000], rn), NAN);
        assert_eq!(of(FloatFunction::Fneg, &[NAN], rn), u32::MAX);
        // Subnormal operands and results are zeros with their signs.
        assert_eq!(of(FloatFunction::Fadd, &[0x8000_0001, 0x8000_0001], ftz), SIGN);
        assert_eq!(of(FloatFunction::Fmul, &[0x8080_0000, 0x3f00_0000], ftz), SIGN);
        assert_eq!(of(FloatFunction::Fmul, &[0x8080_0000, 0x3f00_0000], rn), 0x8040_0000);
        // A result that rounds up to the least normal number is normal.
        assert_eq!(of(FloatFunction::Fmul, &[0xff_ffff, 0x3f00_0000], ftz), 0x80_0000);
        // Limits.
        assert_eq!(of(FloatFunction::Fadd, &[NAN, ONE], sat), 0);
        assert_eq!(of(FloatFunction::Fadd, &[0x8000_0000, 0x8000_0000], sat), 0);
        assert_eq!(of(FloatFunction::Fadd, &[ONE, ONE], sat), ONE);
        // Zeros and NaN in comparisons.
        assert_eq!(of(FloatFunction::Fmin, &[0, SIGN], rn), SIGN);
        assert_eq!(of(FloatFunction::Fmax, &[SIGN, 0], rn), 0);
        assert_eq!(of(FloatFunction::Fmax, &[NAN, 0xff80_0000], rn), 0xff80_0000);
        assert_eq!([of(FloatFunction::Fcmp, &[SIGN, 0], rn), of(FloatFunction::Fcmp, &[NAN, NAN], rn)], [2, 8]);
        assert_eq!([of(FloatFunction::Fcmp, &[1, 0], rn), of(FloatFunction::Fcmp, &[1, 0], ftz)], [4, 2]);
        // Integers.
        assert_eq!(of(FloatFunction::F2iS, &[NAN], rn), 0);
        assert_eq!([of(FloatFunction::F2iS, &[0x4f00_0000], rn), of(FloatFunction::F2iU, &[0xbf80_0000], rn)], [0x7fff_ffff, 0]);
        assert_eq!(of(FloatFunction::Fround, &[0xbe80_0000], modes(Rounding::Zero, false, false)), SIGN);
        assert_eq!(
            [
                of(FloatFunction::Fround, &[1], modes(Rounding::Up, false, false)),
                of(FloatFunction::Fround, &[1], modes(Rounding::Up, true, false))
            ],
            [ONE, 0]
        );
        // An exact 0 of numbers that are not is -0 when rounding down only.
        assert_eq!(of(FloatFunction::Fsub, &[ONE, ONE], modes(Rounding::Down, false, false)), SIGN);
        assert_eq!(of(FloatFunction::Fsub, &[ONE, ONE], modes(Rounding::Up, false, false)), 0);
        // Floats of 16 bits.
        assert_eq!([of(FloatFunction::F2h, &[NAN], rn), of(FloatFunction::F2h, &[0x477f_f000], rn)], [NAN16, 0x7c00]);
        assert_eq!([of(FloatFunction::F2h, &[0x3300_0001], rn), of(FloatFunction::F2h, &[0x3300_0001], ftz)], [1, 0]);
        assert_eq!([of(FloatFunction::H2f, &[0x7c01], rn), of(FloatFunction::H2f, &[0x8001], ftz)], [NAN, SIGN]);
    }
}
