//! Operators and functions at the edges.

use super::super::*;
use super::load;
use isa_spec::semantics::{self, Is, Machine, Referent, Scope, parse_expr};

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
            supplied: isa_sim::Supplied::default(),
            steps: 0,
            memory: &mut scene.memory,
            executing: 1 << 5,
            on: 1 << 5,
            asked: &[],
            of_warp: Vec::new(),
            flow: &mut flow,
            written: None,
        };
        let vars = vec![Int::default(); value.vars.len()];
        let mut lane =
            Lane { reference: &reference, op: None, lane: 5, state: &mut state, world: &mut world, vars, has_fault: false };
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

/// Subnormal operands and results of functions that machines approximate become zeros separately.
#[test]
fn approximations_of_subnormal_numbers() {
    gives(&[
        ("rcp(0x40000000:32, ftz_in)", "0x3f000000:32"),
        ("rcp(0x400000:32, ieee)", "0x7f000000:32"),
        ("rcp(0x400000:32, ftz_out)", "0x7f000000:32"),
        ("rcp(0x400000:32, ftz_in)", "0x7f800000:32"),
        ("rcp(0x7f000000:32, ieee)", "0x400000:32"),
        ("rcp(0x7f000000:32, ftz_in)", "0x400000:32"),
        ("rcp(0xff000000:32, ftz_out)", "0x80000000:32"),
        ("rsq(0x40800000:32, ftz_in, sat)", "0x3f000000:32"),
        ("rsq(0x3e800000:32, ftz_out, sat)", "0x3f800000:32"),
        ("ex2(0x3f800000:32, ftz_out)", "0x40000000:32"),
        ("lg2(0x40000000:32, ftz_in)", "0x3f800000:32"),
        ("sin(0x1:32, ftz_in)", "0x0:32"),
        ("cos(0x1:32, ftz_out)", "0x3f800000:32"),
        ("tanh(0x1:32, ftz_out)", "0x0:32"),
        ("sinpi(0x3f000000:32, ftz_in)", "0x3f800000:32"),
        ("cospi(0x3f800000:32, ftz_in)", "0xbf800000:32"),
    ]);
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
        ("clmul(0x1b:8, 0x83:8)", "0xad:8"),
        ("clmul(0x1b:16, 0x83:16)", "0xdad:16"),
        ("clmul(fill(1:1, 256), fill(1:1, 256))", &format!("0x{}:256", "5".repeat(64))),
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
