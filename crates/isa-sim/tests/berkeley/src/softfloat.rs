//! The functions of SoftFloat, on patterns in the low bits of 64.

use isa_sim::soft::{Raised, Round};
use softfloat_sys::*;
use std::collections::HashMap;

/// A function of at most three operands. It rounds in this direction, as an argument or as the thread's mode.
pub(crate) type Theirs = Box<dyn Fn([u64; 3], Round) -> u64>;

trait Pattern {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! patterns {
    (floats: $($float:ident of $bits:ty),+; integers: $($integer:ty),+) => {
        $(impl Pattern for $float {
            fn of(bits: u64) -> Self {
                Self { v: bits as $bits }
            }

            fn bits(self) -> u64 {
                self.v.into()
            }
        })+
        $(impl Pattern for $integer {
            fn of(bits: u64) -> Self {
                bits as $integer
            }

            fn bits(self) -> u64 {
                self as u64
            }
        })+
    };
}
patterns!(floats: float16_t of u16, float32_t of u32, float64_t of u64; integers: u32, i32, u64, i64);

fn direction(round: Round) -> u8 {
    match round {
        Round::Nearest => softfloat_round_near_even,
        Round::Zero => softfloat_round_minMag,
        Round::Down => softfloat_round_min,
        Round::Up => softfloat_round_max,
        Round::Away => softfloat_round_near_maxMag,
    }
}

/// The result of a call and the flags that it raises. SoftFloat's flags have the same numbers as those here.
pub(crate) fn raised(tiny_before: bool, round: Round, call: impl FnOnce() -> u64) -> (u64, Raised) {
    let tininess = if tiny_before { softfloat_tininess_beforeRounding } else { softfloat_tininess_afterRounding };
    // SAFETY: these are functions without preconditions, on variables of the thread; as all functions below.
    unsafe {
        softfloat_detectTininess_write_helper(tininess);
        softfloat_roundingMode_write_helper(direction(round));
        softfloat_exceptionFlags_write_helper(0);
        let result = call();
        (result, softfloat_exceptionFlags_read_helper().into())
    }
}

fn one<A: Pattern + 'static, R: Pattern + 'static>(f: unsafe extern "C" fn(A) -> R) -> Theirs {
    // SAFETY: see above.
    Box::new(move |[a, ..], _| unsafe { f(A::of(a)) }.bits())
}

fn two<A: Pattern + 'static>(f: unsafe extern "C" fn(A, A) -> A) -> Theirs {
    // SAFETY: see above.
    Box::new(move |[a, b, _], _| unsafe { f(A::of(a), A::of(b)) }.bits())
}

fn three<A: Pattern + 'static>(f: unsafe extern "C" fn(A, A, A) -> A) -> Theirs {
    // SAFETY: see above.
    Box::new(move |[a, b, c], _| unsafe { f(A::of(a), A::of(b), A::of(c)) }.bits())
}

fn holds<A: Pattern + 'static>(f: unsafe extern "C" fn(A, A) -> bool) -> Theirs {
    // SAFETY: see above.
    Box::new(move |[a, b, _], _| unsafe { f(A::of(a), A::of(b)) }.into())
}

/// To an integer, which is a float or has at least 64 bits; inexact results are flagged.
fn whole<A: Pattern + 'static, R: Pattern + 'static>(f: unsafe extern "C" fn(A, u8, bool) -> R) -> Theirs {
    // SAFETY: see above.
    Box::new(move |[a, ..], round| unsafe { f(A::of(a), direction(round), true) }.bits())
}

/// The same to one of 32 bits.
fn low<A: Pattern + 'static, R: Pattern + 'static>(f: unsafe extern "C" fn(A, u8, bool) -> R) -> Theirs {
    let whole = whole(f);
    Box::new(move |operands, round| whole(operands, round) & u64::from(u32::MAX))
}

macro_rules! functions {
    ($($shape:ident: $($function:ident)+;)+) => {
        [$($((stringify!($function), $shape($function)),)+)+].into()
    };
}

pub(crate) fn theirs() -> HashMap<&'static str, Theirs> {
    functions! {
        one: f16_sqrt f32_sqrt f64_sqrt f16_to_f32 f16_to_f64 f32_to_f16 f32_to_f64 f64_to_f16 f64_to_f32;
        one: i32_to_f16 i32_to_f32 i32_to_f64 ui32_to_f16 ui32_to_f32 ui32_to_f64;
        one: i64_to_f16 i64_to_f32 i64_to_f64 ui64_to_f16 ui64_to_f32 ui64_to_f64;
        two: f16_add f16_sub f16_mul f16_div f32_add f32_sub f32_mul f32_div f64_add f64_sub f64_mul f64_div;
        three: f16_mulAdd f32_mulAdd f64_mulAdd;
        holds: f16_eq f16_le f16_lt f16_eq_signaling f16_le_quiet f16_lt_quiet;
        holds: f32_eq f32_le f32_lt f32_eq_signaling f32_le_quiet f32_lt_quiet;
        holds: f64_eq f64_le f64_lt f64_eq_signaling f64_le_quiet f64_lt_quiet;
        whole: f16_roundToInt f32_roundToInt f64_roundToInt f16_to_i64 f32_to_i64 f64_to_i64 f16_to_ui64 f32_to_ui64 f64_to_ui64;
        low: f16_to_i32 f32_to_i32 f64_to_i32 f16_to_ui32 f32_to_ui32 f64_to_ui32;
    }
}
