//! Every operator, function, place and statement, on values at the edges and on random ones.

use super::arith::{compare_u, negated, ones as all, or, shl, shr};
use super::*;
use crate::semantics::{self, Is, Machine, Referent, Scope, parse_expr};
use isa_sim::{State as _, TroubleKind};

/// No names but those of the machine.
struct Bare(Machine);

impl Scope for Bare {
    fn machine(&self) -> &Machine {
        &self.0
    }
    fn name(&self, _: &str) -> Option<Referent> {
        None
    }
    fn is(&self, _: &str, _: &str) -> Is {
        Is::NoSlot
    }
    fn texts(&self, _: &str) -> Option<Vec<(String, Int)>> {
        None
    }
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn load(text: &str) -> Isa {
    let loaded = crate::load_str("test.yaml", text, None);
    let found: Vec<String> = loaded.diagnostics.iter().map(|d| crate::diag::render_terminal(d, &loaded.files, false)).collect();
    loaded.isa.unwrap_or_else(|| panic!("{}", found.join("\n")))
}

/// An instruction set in which nothing happens, to evaluate expressions in.
struct Calculator(Isa);

impl Calculator {
    fn new() -> Self {
        Self(load("isa: none\nword: 8\ninstructions: { X: { fields: { n: 7..0 } } }\n"))
    }

    /// The value of an expression and its width.
    #[track_caller]
    fn of(&self, source: &str) -> (Int, u32) {
        let expr = parse_expr(source).unwrap_or_else(|f| panic!("{source}: {f:?}"));
        let value = semantics::elaborate_value(&expr, None, None, &Bare(Machine::default()));
        let value = value.unwrap_or_else(|f| panic!("{source}: {f:?}"));
        let reference = Reference::new(&self.0).expect("it can be simulated");
        let (mut state, mut scene, mut flow) = (State::new(&self.0, &reference.info), reference.scene(), Flow::default());
        let mut world = World {
            pc: 0x100,
            next: 0x108,
            launch_values: &scene.launch_values,
            variants: &scene.variants,
            memory: &mut scene.memory,
            flow: &mut flow,
            written: None,
        };
        let vars = vec![Int::default(); value.vars.len()];
        let mut lane = Lane { reference: &reference, op: None, lane: 5, state: &mut state, world: &mut world, vars };
        (lane.expr(&value.expr), value.expr.width)
    }
}

#[track_caller]
fn gives(cases: &[(&str, &str)]) {
    let calculator = Calculator::new();
    for (source, want) in cases {
        let (value, width) = calculator.of(source);
        assert_eq!(format!("{value}:{width}"), *want, "{source}");
    }
}

#[test]
fn operators_at_the_edges() {
    gives(&[
        ("-0x80:8", "0x80:8"),
        ("-1:8", "0xff:8"),
        ("~0:4", "0xf:4"),
        ("!(1:1)", "0x0:1"),
        ("0xff:8 * 0xff:8", "0x1:8"),
        ("7:8 /u 0:8", "0xff:8"),
        ("7:8 %u 0:8", "0x7:8"),
        ("-7:8 /s 0:8", "0xff:8"),
        ("-7:8 %s 0:8", "0xf9:8"),
        ("-7:8 /s 2:8", "0xfd:8"),
        ("-7:8 %s 2:8", "0xff:8"),
        ("7:8 %s -2:8", "0x1:8"),
        ("0x80:8 /s 0xff:8", "0x80:8"),
        ("0x80:8 %s 0xff:8", "0x0:8"),
        ("0xff:8 + 1", "0x0:8"),
        ("0:8 - 1", "0xff:8"),
        ("0x81:8 << 1", "0x2:8"),
        ("0x81:8 << 8", "0x0:8"),
        ("0x81:8 << 0xffffffffffffffffffff:80", "0x0:8"),
        ("0x81:8 >> 7", "0x1:8"),
        ("0x81:8 >> 0xffffffffffffffffffff:80", "0x0:8"),
        ("0x81:8 >>s 1", "0xc0:8"),
        ("0x81:8 >>s 8", "0xff:8"),
        ("0x71:8 >>s 8", "0x0:8"),
        ("0x81:8 >>s 0xffffffffffffffffffff:80", "0xff:8"),
        ("0xc:4 & 0xa:4", "0x8:4"),
        ("0xc:4 ^ 0xa:4", "0x6:4"),
        ("0xc:4 | 0xa:4", "0xe:4"),
        ("0x1:4 ++ 0x23:8 ++ 1:1", "0x247:13"),
        ("0x80:8 <u 0x7f:8", "0x0:1"),
        ("0x80:8 <s 0x7f:8", "0x1:1"),
        ("0x7f:8 <=s 0x7f:8", "0x1:1"),
        ("0x80:8 >s 0x7f:8", "0x0:1"),
        ("0x80:8 >u 0x7f:8", "0x1:1"),
        ("0x80:8 >=u 0x80:8", "0x1:1"),
        ("0x7f:8 >=s 0x80:8", "0x1:1"),
        ("0x7f:8 <=u 0x80:8", "0x1:1"),
        ("0x7f:8 == 0x7f:8 && 0:8 != 1:8", "0x1:1"),
        ("0:8 == 1:8 || 1:1 == 0", "0x0:1"),
        ("(0xabcd:16)[11..4]", "0xbc:8"),
        ("(0xabcd:16)[15]", "0x1:1"),
        ("(0xabcd:16)[12:8 +: 8]", "0xa:8"),
        ("(0xabcd:16)[16:8 +: 8]", "0x0:8"),
        ("(0xabcd:16)[0xffffffffffffffffffff:80 +: 8]", "0x0:8"),
        ("if 0:1 { 1:4 } else if 1:1 { 2:4 } else { 3:4 }", "0x2:4"),
        ("match 3:4 { 0, 3 => 7:4, else => 0 }", "0x7:4"),
        ("match 4:4 { 0, 3 => 7:4, else => 1:4 }", "0x1:4"),
        ("lane", "0x5:32"),
        ("pc", "0x100:32"),
        ("next - pc", "0x8:32"),
    ]);
}

#[test]
fn functions_at_the_edges() {
    gives(&[
        ("zext(0x80:8, 16)", "0x80:16"),
        ("sext(0x80:8, 16)", "0xff80:16"),
        ("sext(0x80:8, 256)", &format!("0x{}80:256", "f".repeat(62))),
        ("trunc(0x1234:16, 8)", "0x34:8"),
        ("fill(1:1, 256)", &format!("0x{}:256", "f".repeat(64))),
        ("fill(0:1, 9)", "0x0:9"),
        ("sat_ss(0x7fff:16, 8)", "0x7f:8"),
        ("sat_ss(0x8000:16, 8)", "0x80:8"),
        ("sat_ss(0xff80:16, 8)", "0x80:8"),
        ("sat_ss(0xff7f:16, 8)", "0x80:8"),
        ("sat_ss(0xffff:16, 8)", "0xff:8"),
        ("sat_ss(0x80:8, 16)", "0xff80:16"),
        ("sat_ss(0x1:1, 1)", "0x1:1"),
        ("sat_ss(0x1:2, 1)", "0x0:1"),
        ("sat_su(0x8000:16, 8)", "0x0:8"),
        ("sat_su(0x7fff:16, 8)", "0xff:8"),
        ("sat_su(0x80:8, 256)", "0x0:256"),
        ("sat_us(0xff:8, 8)", "0x7f:8"),
        ("sat_us(0xff:8, 9)", "0xff:9"),
        ("sat_uu(0x100:16, 8)", "0xff:8"),
        ("sat_uu(0xff:8, 16)", "0xff:16"),
        ("sat_ss(fill(1:1, 256), 8)", "0xff:8"),
        ("sat_su(1:256 << 255, 8)", "0x0:8"),
        ("sat_us(1:256 << 255, 256)", &format!("0x7{}:256", "f".repeat(63))),
        ("abs(0x80:8)", "0x80:8"),
        ("abs(0xff:8)", "0x1:8"),
        ("abs(0x7f:8)", "0x7f:8"),
        ("clz(0:8)", "0x8:8"),
        ("clz(0x10:8)", "0x3:8"),
        ("clz(0:1)", "0x1:1"),
        ("clz(0:2)", "0x2:2"),
        ("ctz(0:8)", "0x8:8"),
        ("ctz(0x90:8)", "0x4:8"),
        ("popcount(0xff:8)", "0x8:8"),
        ("popcount(1:1)", "0x1:1"),
        ("reverse(0x13:8)", "0xc8:8"),
        ("min_s(0x80:8, 0x7f:8)", "0x80:8"),
        ("max_s(0x80:8, 0x7f:8)", "0x7f:8"),
        ("min_u(0x80:8, 0x7f:8)", "0x7f:8"),
        ("max_u(0x80:8, 0x7f:8)", "0x80:8"),
        ("any(0:8)", "0x0:1"),
        ("any(0x80:8)", "0x1:1"),
        ("all(0xff:8)", "0x1:1"),
        ("all(0xfe:8)", "0x0:1"),
        ("parity(0x7:8)", "0x1:1"),
        ("parity(0xff:8)", "0x0:1"),
        ("cmp_s(0x80:8, 0)", "0x1:3"),
        ("cmp_u(0x80:8, 0)", "0x4:3"),
        ("cmp_s(1:8, 1)", "0x2:3"),
        ("fadd(0x3f800000, 0x3f800000, rn, ftz)", "0x40000000:32"),
        ("fsub(0x3f800000, 0x33000000, rd, ftz)", "0x3f7fffff:32"),
        ("fmul(0x3fffffff, 0x3fffffff, rz, ieee)", "0x407ffffe:32"),
        ("fdiv(0x3f800000, 0x40400000, ru, ieee)", "0x3eaaaaab:32"),
        ("fdiv(0x3f800000, 0x40400000, rz, ieee)", "0x3eaaaaaa:32"),
        ("ffma(0x3f800001, 0x3f800001, 0xbf800002, rn, ieee)", "0x28800000:32"),
        ("fsqrt(0x40000000, rn, ftz)", "0x3fb504f3:32"),
        ("fsqrt(0x40000000, ru, ftz)", "0x3fb504f4:32"),
        ("fsqrt(0xbf800000, rn, ftz)", "0x7fffffff:32"),
        ("fadd(0x3f800000, 0x3f800000, rn, ftz, sat)", "0x3f800000:32"),
        ("fround(0x40200000, rn, ftz)", "0x40000000:32"),
        ("fround(0xbe800000, ru, ftz)", "0x80000000:32"),
        ("f2i_s(0xc0200000, 8, rd, ftz)", "0xfd:8"),
        ("f2i_s(0xc3800000, 8, rd, ftz)", "0x80:8"),
        ("f2i_u(0xc3800000, 8, rd, ftz)", "0x0:8"),
        ("f2i_u(0x7f800000, 200, rz, ftz)", &format!("0x{}:200", "f".repeat(50))),
        ("f2i_s(0xff800000, 256, rz, ftz)", &format!("0x8{}:256", "0".repeat(63))),
        ("i2f_s(0x80:8, rn)", "0xc3000000:32"),
        ("i2f_u(0x80:8, rn)", "0x43000000:32"),
        ("i2f_u(0x1000001:32, rn)", "0x4b800000:32"),
        ("i2f_u(0x1000001:32, ru)", "0x4b800001:32"),
        ("i2f_s(-0x1000001:32, ru)", "0xcb800000:32"),
        ("f2h(0x3f800000, rn, ieee)", "0x3c00:16"),
        ("h2f(0x3c00:16, ieee)", "0x3f800000:32"),
        ("fneg(0x7fffffff)", "0xffffffff:32"),
        ("fabs(0x80000000)", "0x0:32"),
        ("fsat(0x40000000)", "0x3f800000:32"),
        ("fnan(0x7f800001)", "0x1:1"),
        ("fmin(0x7fffffff, 0x3f800000, ftz)", "0x3f800000:32"),
        ("fmax(0x80000000, 0, ftz)", "0x0:32"),
        ("fcmp(0x80000000, 0, ftz)", "0x2:4"),
        ("rcp(0x40400000, ftz)", "0x3eaaaaab:32"),
        ("rsq(0x40800000, ftz)", "0x3f000000:32"),
        ("sin(0x3f800000, ftz)", "0x3f576aa4:32"),
        ("cos(0, ftz)", "0x3f800000:32"),
        ("ex2(0x40400000, ftz, sat)", "0x3f800000:32"),
        ("lg2(0x41000000, ftz)", "0x40400000:32"),
    ]);
}

#[test]
fn atomics_at_the_edges() {
    use crate::semantics::builtins::AtomicOp::*;
    let of = |op, old: u128, args: &[u128]| {
        let args: Vec<Int> = args.iter().map(|a| Int::from(*a)).collect();
        arith::atomic(op, Int::from(old), &args, 8).low_u128()
    };
    assert_eq!(of(Add, 0xff, &[2]), 1);
    assert_eq!([of(And, 0xc, &[0xa]), of(Or, 0xc, &[0xa]), of(Xor, 0xc, &[0xa]), of(Exchange, 0xc, &[0xa])], [8, 0xe, 6, 0xa]);
    assert_eq!([of(MinS, 0x80, &[1]), of(MaxS, 0x80, &[1]), of(MinU, 0x80, &[1]), of(MaxU, 0x80, &[1])], [0x80, 1, 1, 0x80]);
    assert_eq!([of(Inc, 6, &[7]), of(Inc, 7, &[7]), of(Inc, 0xff, &[7]), of(Inc, 0, &[0])], [7, 0, 0, 0]);
    assert_eq!([of(Dec, 0, &[7]), of(Dec, 8, &[7]), of(Dec, 7, &[7]), of(Dec, 1, &[7])], [7, 7, 6, 0]);
    assert_eq!([of(CompareExchange, 5, &[5, 9]), of(CompareExchange, 6, &[5, 9])], [9, 6]);
    assert_eq!([of(CompareS, 0x80, &[0, 1, 9]), of(CompareU, 0x80, &[0, 1, 9]), of(CompareU, 0, &[0, 2, 9])], [9, 0x80, 9]);
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Of so many bits; often at an edge.
    fn int(&mut self, width: u32) -> Int {
        let any = Int::from_limbs([self.next(), self.next(), self.next(), self.next()]).truncated(width);
        match self.next() % 6 {
            0 => Int::from(u128::from(self.next() % 3)).truncated(width),
            1 => all(width),
            2 => shl(Int::from(1), u64::from(width) - 1),
            3 => all(width - 1),
            4 => shr(any, self.next() % u64::from(width)),
            _ => any,
        }
    }
}

/// Against arithmetic of 128 bits, in widths that it has room for.
#[test]
fn operators_agree_with_machine_arithmetic() {
    use crate::semantics::ast::BinaryOp::*;
    let mut random = Random(0x0ddba11);
    for _ in 0..40_000 {
        let width = 1 + (random.next() % 64) as u32;
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
        let to = 1 + (random.next() % 64) as u32;
        let (most, least) = ((1i128 << (to - 1)) - 1, -(1i128 << (to - 1)));
        let top = (1i128 << to) - 1;
        for (function, want) in [
            (semantics::builtins::Function::SatSS, sa.clamp(least, most)),
            (semantics::builtins::Function::SatSU, sa.clamp(0, top)),
            (semantics::builtins::Function::SatUS, (ua as i128).min(most)),
            (semantics::builtins::Function::SatUU, (ua as i128).min(top)),
        ] {
            let got = arith::function(function, &[a], width, to).expect("it is not a float");
            assert_eq!(got, Int::from_i128(want, to), "{function:?} of {a}, {width} to {to} bits");
        }
    }
}

/// What must hold in the widths that no machine has.
#[test]
fn wide_numbers_keep_the_laws() {
    use crate::semantics::ast::BinaryOp::*;
    let mut random = Random(0x0ddba12);
    for _ in 0..2_000 {
        let width = 129 + (random.next() % 128) as u32;
        let (a, b) = (random.int(width), random.int(width));
        let of = |op, a, b| arith::binary(op, a, b, width);
        let (q, r) = (of(DivU, a, b), of(RemU, a, b));
        if b != Int::default() {
            assert_eq!(of(Add, of(Mul, q, b), r), a, "{a} /u {b}");
            assert!(compare_u(r, b).is_lt(), "{a} %u {b} is {r}");
            assert_eq!(of(Add, of(Mul, of(DivS, a, b), b), of(RemS, a, b)), a, "{a} /s {b}");
        }
        assert_eq!(of(Sub, a, b), of(Add, a, negated(b).truncated(width)));
        let n = random.next() % u64::from(width);
        let count = Int::from(u128::from(n));
        assert_eq!(or(shl(of(ShrU, a, count), n), a.truncated(n as u32)), a, "{a} >> {n}");
        let sign = if a.bit(width - 1) { shl(all(n as u32), u64::from(width) - n) } else { Int::default() };
        assert_eq!(of(ShrS, a, count), or(of(ShrU, a, count), sign), "{a} >>s {n}");
    }
}

/// A machine with one of everything, and an instruction for each kind of statement.
const EVERYTHING: &str = r#"
isa: everything
word: 16
registers:
  R: { index: 4, width: 32, count: 12, special: { 11: RZ }, zero: RZ }
  H: { index: 5, width: 16 }
  P: { index: 2, width: 1, special: { 3: PT }, one: PT }
machine:
  lanes: 4
  spaces:
    global: { of: grid }
    local: { of: lane, size: 64 }
    const: { of: grid, banks: 2, read-only: true }
  views: { H: R }
  flags:
    C: { count: 2, flags: [z, s] }
    CC: [x]
  launch-values: { tid.x: 16 }
  state: { mode: 2, wide: 100 }
  variants: { way: [one, two, three] }
  guard: P[g]
  after: |
    if f == 15 { exit(); }
  functions: |
    fn twice(x:32) : 32 { let y = x + x; return y; }
formats:
  all: { fields: { op: 15..10, g: 9..8 P = PT, f: 7..4, d: 3..0 R }, text: "{body} {d}, {f}, {g}" }
instructions:
  ADD:     { extends: all, fix: { op: 0 },  text: ADD,     semantics: "R[d] = twice(R[f]) + 1;" }
  SLICE:   { extends: all, fix: { op: 1 },  text: SLICE,   semantics: "R[d][15..8] = 0xab; H[zext(d, 5) << 1 | 1] = 0x1234;" }
  PART:    { extends: all, fix: { op: 2 },  text: PART,    semantics: "R[d][f +: 8] = 0xff; R[d +: 2][60:8 +: 8] = 0xaa;" }
  CONCAT:  { extends: all, fix: { op: 3 },  text: CONCAT,  semantics: "C[0].s ++ R[d] ++ CC.x ++ R[f] = 1:1 ++ 0x11111111:32 ++ 1:1 ++ 0x22222222:32;" }
  FLAGS:   { extends: all, fix: { op: 4 },  text: FLAGS,   semantics: "let old = C[1]; C[f] = 3; R[d] = zext(old, 32);" }
  STATE:   { extends: all, fix: { op: 5 },  text: STATE,   semantics: "R[d] = zext(tid.x, 32) + lane; mode = f[1..0]; wide = 1:100 << 99;" }
  VARIANT: { extends: all, fix: { op: 6 },  text: VARIANT, semantics: "R[d] = match variant(way) { one => 1, two => 2, else => 3 };" }
  LD:      { extends: all, fix: { op: 7 },  text: LD,      semantics: "R[d +: 2] = load.global(R[f], 64);" }
  ST:      { extends: all, fix: { op: 8 },  text: ST,      semantics: "store.global(R[f], R[d][15..0]);" }
  LOCAL:   { extends: all, fix: { op: 9 },  text: LOCAL,   semantics: "store.local(R[f], R[d +: 4]);" }
  CONST:   { extends: all, fix: { op: 10 }, text: CONST,   semantics: "R[d] = load.const(f, 4, 32);" }
  INC:     { extends: all, fix: { op: 11 }, text: INC,     semantics: "let old = atomic.global(add, R[f], 1:32); R[d] = old;" }
  CAS:     { extends: all, fix: { op: 12 }, text: CAS,     semantics: "atomic.global(cas, R[f], 5:32, R[d]);" }
  CASM:    { extends: all, fix: { op: 16 }, text: CASM,    semantics: "if f[3] { atomic.global(cas_s, 0x20, R[1], f[2..0], R[d]); } else { atomic.global(cas_u, 0x20, R[1], f[2..0], R[d]); }" }
  MATCH:   { extends: all, fix: { op: 13 }, text: MATCH,   semantics: "match f { 0, 1 => { R[d] = 1; } 2 => { R[d] = 2; } else => { if R[d] == 7 { P[1] = 1; } else if R[d] == 8 { P[3] = 0; } else { branch(next + R[d]); } } }" }
  NONE:    { extends: all, fix: { op: 14 }, text: NONE }
  FLOW:    { extends: all, fix: { op: 15 }, text: FLOW,    semantics: "match f { 0 => { call(R[d]); } 1 => { ret(); } 2 => { barrier(R[d]); } 3 => { sync(R[d]); } 4 => { join(); } 5 => { trap(); } else => { branch(pc); } }" }
"#;

/// All bits of a register of 32.
const WHOLE: u128 = 0xffff_ffff;

/// One lane of that machine.
struct One<'a> {
    reference: &'a Reference<'a>,
    state: State,
    scene: Scene,
}

impl<'a> One<'a> {
    fn new(reference: &'a Reference<'a>) -> Self {
        let mut scene = reference.scene();
        (scene.lane, scene.pc, scene.next) = (2, 0x100, 0x102);
        Self { reference, state: State::new(reference.isa, &reference.info), scene }
    }

    #[track_caller]
    fn run(&mut self, text: &str) -> Trace {
        let (form, word) = self.reference.codec().parse(text, 0, &|_| None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let op = self.reference.op(form, word).unwrap_or_else(|e| panic!("{text}: {e}"));
        self.reference.trace(&op, &mut self.state, &mut self.scene)
    }

    fn r(&self, index: usize) -> u128 {
        self.state.register(0, index, 2)
    }

    fn set(&mut self, index: usize, value: u128) {
        self.state.set_register(0, index, 2, value);
    }

    fn at(&self, space: usize, address: u64) -> Address {
        Address { space, bank: 0, lane: 2, address }
    }
}

#[test]
fn places_are_written_and_told() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.set(3, 0x8000_0001);
    assert_eq!(one.run("ADD R1, 0x3, PT").written, [Written::Register(0, 1, WHOLE)]);
    assert_eq!(one.r(1), 3);
    // A register that is a constant, one beyond the end, a guard that does not hold.
    assert_eq!(one.run("ADD RZ, 0x3, PT").written, []);
    assert_eq!(one.run("ADD R1, 0xe, PT").written, [Written::Register(0, 1, WHOLE)]);
    assert_eq!((one.r(1), one.r(11), one.r(14)), (1, 0, 0));
    assert_eq!(one.run("ADD R1, 0x3, P0").written, []);
    // Bits of registers, and registers that are parts of others.
    one.set(4, 0xffff_ffff);
    assert_eq!(one.run("SLICE R4, 0x0, PT").written, [Written::Register(0, 4, 0xff00), Written::Register(0, 4, 0xffff_0000)]);
    assert_eq!((one.r(4), one.state.register(1, 8, 2), one.state.register(1, 9, 2)), (0x1234_abff, 0xabff, 0x1234));
    one.set(5, 0);
    one.set(6, 0);
    assert_eq!(
        one.run("PART R5, 0x4, PT").written,
        [(5, 0xff0), (6, 0xf000_0000)].map(|(n, mask)| Written::Register(0, n, mask))
    );
    assert_eq!((one.r(5), one.r(6)), (0xff0, 0xa000_0000));
    one.run("PART R5, 0xf, PT");
    assert_eq!(one.r(5), 0x7f_8ff0);
    let written = one.run("CONCAT R1, 0x2, PT").written;
    assert_eq!(
        written,
        [Written::Register(0, 2, WHOLE), Written::Flags(1, 0, 1), Written::Register(0, 1, WHOLE), Written::Flags(0, 0, 2)]
    );
    assert_eq!((one.r(1), one.r(2), one.state.flags(0, 0, 2), one.state.flags(1, 0, 2)), (0x1111_1111, 0x2222_2222, 2, 1));
    // Flags; those that don't exist read 0, and writing them does nothing.
    one.state.set_flags(0, 1, 2, 1);
    assert_eq!(one.run("FLAGS R7, 0x1, PT").written, [Written::Flags(0, 1, 3), Written::Register(0, 7, WHOLE)]);
    assert_eq!((one.r(7), one.state.flags(0, 1, 2)), (1, 3));
    assert_eq!(one.run("FLAGS R7, 0x2, PT").written, [Written::Register(0, 7, WHOLE)]);
    // Named values and variants.
    one.scene.launch_values[0][2] = 0x40;
    assert_eq!(one.run("STATE R7, 0x7, PT").written, [Written::Register(0, 7, WHOLE), Written::Value(0), Written::Value(1)]);
    assert_eq!((one.r(7), one.state.value(0, 2), one.state.value(1, 2)), (0x42, 3, 1 << 99));
    one.scene.variants[0] = 2;
    one.run("VARIANT R7, 0x0, PT");
    assert_eq!(one.r(7), 3);
    // Only the lane that ran has changed.
    assert_eq!((one.state.register(0, 7, 1), one.state.register(0, 7, 3)), (0, 0));
}

#[test]
fn memory_is_read_and_written() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.scene.memory.set(one.at(0, 0x10), 8, Int::from(0x1122_3344_5566_7788));
    one.set(1, 0x10);
    one.run("LD R2, 0x1, PT");
    assert_eq!((one.r(2), one.r(3)), (0x5566_7788, 0x1122_3344));
    assert_eq!(one.run("ST R2, 0x1, PT").written, [Written::Memory(one.at(0, 0x10), 2)]);
    one.set(1, 0x12);
    one.run("ST R3, 0x1, PT");
    assert_eq!(one.scene.memory.get(one.at(0, 0x10), 4), Int::from(0x3344_7788));
    // 128 bits, in memory of the lane.
    one.set(1, 0x20);
    one.run("LOCAL R2, 0x1, PT");
    assert_eq!(one.scene.memory.get(one.at(1, 0x20), 8), Int::from(0x1122_3344_5566_7788));
    assert_eq!(one.scene.memory.get(Address { lane: 1, ..one.at(1, 0x20) }, 8), Int::default());
    one.scene.memory.set(Address { bank: 1, ..one.at(2, 4) }, 4, Int::from(9));
    one.run("CONST R7, 0x1, PT");
    assert_eq!(one.r(7), 9);
    // Atomic.
    one.run("INC R7, 0x1, PT");
    one.run("INC R7, 0x1, PT");
    assert_eq!((one.r(7), one.scene.memory.get(one.at(0, 0x20), 4)), (1, Int::from(2)));
    one.scene.memory.set(one.at(0, 0x20), 4, Int::from(5));
    one.run("CAS R7, 0x1, PT");
    one.set(7, 9);
    one.run("CAS R7, 0x1, PT");
    assert_eq!(one.scene.memory.get(one.at(0, 0x20), 4), Int::from(1));
    // By comparisons of 1 with -1: signed it is greater, unsigned it is less.
    let mut after = |mask: u32, start: u128| {
        one.scene.memory.set(one.at(0, 0x20), 4, Int::from(start));
        one.set(1, 0xffff_ffff);
        one.set(7, 9);
        one.run(&format!("CASM R7, {mask:#x}, PT"));
        one.scene.memory.get(one.at(0, 0x20), 4).low()
    };
    assert_eq!([0x8 | 4, 0x8 | 3, 1, 6].map(|mask| after(mask, 1)), [9, 1, 9, 1]);
    assert_eq!([0x8 | 2, 0x8 | 5, 2, 5].map(|mask| after(mask, 0xffff_ffff)), [9, 0xffff_ffff, 9, 0xffff_ffff]);
    assert_eq!(one.scene.memory.faults, []);
}

#[test]
fn accesses_that_cannot_be_are_told() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    let mut fault = |address: u128, text: &str| {
        one.set(1, address);
        one.set(2, 0x55);
        one.run(text);
        one.scene.memory.faults.pop().map(|f| (f.kind, f.at.address, f.bytes))
    };
    assert_eq!(fault(0x14, "LD R2, 0x1, PT"), Some((TroubleKind::Misaligned, 0x14, 8)));
    assert_eq!(fault(0xffff_fff8, "LD R2, 0x1, PT"), None);
    assert_eq!(fault(0x11, "ST R2, 0x1, PT"), Some((TroubleKind::Misaligned, 0x11, 2)));
    assert_eq!(fault(0x38, "LOCAL R2, 0x1, PT"), Some((TroubleKind::Misaligned, 0x38, 16)));
    assert_eq!(fault(0x40, "LOCAL R2, 0x1, PT"), Some((TroubleKind::Outside, 0x40, 16)));
    assert_eq!(fault(0, "CONST R2, 0x2, PT"), Some((TroubleKind::NoBank, 4, 4)));
    assert_eq!((one.r(2), one.r(1)), (0, 0));
}

#[test]
fn ways_part() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.run("MATCH R1, 0x1, PT");
    one.run("MATCH R2, 0x2, PT");
    one.set(3, 7);
    one.set(4, 8);
    assert_eq!(one.run("MATCH R3, 0x3, PT").written, [Written::Register(2, 1, 1)]);
    assert_eq!(one.run("MATCH R4, 0x3, PT").written, []);
    assert_eq!((one.r(1), one.r(2), one.state.register(2, 1, 2), one.state.register(2, 3, 2)), (1, 2, 1, 1));
    let flow = one.run("MATCH R1, 0x3, PT").flow;
    assert_eq!((flow.wanted().branch, flow.target(2), flow.wanted().exit), (4, 0x103, 0));
    // `after` is for lanes that the guard keeps out, too.
    let flow = one.run("MATCH R1, 0xf, P0").flow;
    assert_eq!((flow.wanted().branch, flow.wanted().exit), (0, 4));
    let mut of = |n: u32| one.run(&format!("FLOW R2, {n:#x}, PT")).flow;
    assert_eq!((of(0).wanted().call, of(0).target(2)), (4, 2));
    assert_eq!((of(1).wanted().ret, of(4).wanted().join, of(5).wanted().trap), (4, 4, 4));
    assert_eq!((of(2).wanted().barrier, of(2).target(2)), (4, 2));
    assert_eq!((of(3).wanted().sync, of(3).target(2)), (4, 2));
    assert_eq!((of(6).wanted().branch, of(6).target(2)), (4, 0x100));
}

#[test]
fn what_cannot_be_simulated_is_told() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let (form, word) = reference.codec().parse("NONE R1, 0x0, PT", 0, &|_| None).expect("an instruction");
    assert_eq!(
        reference.op(form, word).err().map(|why| why.to_string()).as_deref(),
        Some("NONE has no semantics in this specification")
    );
    let refused = |text: &str| {
        let isa = load(&format!("isa: odd\nword: 64\n{text}\n"));
        Reference::new(&isa).map(|_| ()).expect_err("it is refused").to_string()
    };
    let use_r = "instructions: { X: { fields: { r: 31..0 R, n: 63..32 } } }";
    assert_eq!(
        refused(&format!("registers: {{ R: {{ index: 32, width: 256 }} }}\n{use_r}")),
        "registers of `R` have 256 bits: 128 are the most that can be simulated"
    );
    assert_eq!(
        refused(&format!("registers: {{ R: {{ index: 32, width: 32 }} }}\n{use_r}")),
        "`R` has 4294967296 registers: 65536 are the most that can be simulated"
    );
    let none = "instructions: { X: { fields: { n: 63..0 } } }";
    assert_eq!(
        refused(&format!("machine: {{ state: {{ s: 200 }} }}\n{none}")),
        "`s` has 200 bits: 128 are the most that can be simulated"
    );
}
