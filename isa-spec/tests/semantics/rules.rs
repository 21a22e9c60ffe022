//! Every rule, with the whole message; the smallest text that has the fault.

use super::fixture::Scene;

/// Fields `x` (8 bits), `s` (signed, 16), `rd` (a register), operands `a`, `b` (32 bits) and `k` (not to be assigned).
pub(crate) fn form() -> Scene {
    Scene::new()
        .field("x", 8)
        .signed("s", 16)
        .reg("rd", "R")
        .reg("a.r", "R")
        .operand("a", "R[r]")
        .operand("b", "if neg? { -R[rd] } else { R[rd] }")
        .operand("k", "load.const(1, zext(x, 32), 32)")
        .slot("size", &["lo", "wide"], "wide")
        .enumeration("op", 2, &[".ADD", ".SUB", ".MAX"])
        .fixed("ex", 1, 0)
}

#[track_caller]
pub(crate) fn refused(source: &str, message: &str) {
    assert_eq!(form().faults(source), message, "{source}");
}

#[track_caller]
pub(crate) fn means(source: &str, typed: &str) {
    assert_eq!(form().typed(source), typed, "{source}");
}

/// Asserts the fault of a source on a machine with one lane.
#[track_caller]
fn of_core(source: &str, message: &str) {
    assert_eq!(form().core().faults(source), message, "{source}");
}

#[test]
fn a_core_uses_memory_in_the_order_of_the_text() {
    for good in [
        "let t = load.shared(a, 32); store.shared(a, t + 1);",
        "store.shared(a, b); R[rd] = load.shared(a, 32);",
        "let old = atomic.shared(a, 32, was => was + b); store.shared(old, b); R[rd] = load.shared(a, 32) + load.shared(b, 32);",
        "host(); refetch();",
    ] {
        of_core(good, "");
    }
    of_core(
        "R[rd] = a; P[0] = a == 0;",
        "a: this register file was written above and can't be read here (read what is needed later first, with `let`)",
    );
    for action in ["barrier(0)", "sync(pc)", "join()"] {
        let name = action.split('(').next().unwrap_or_default();
        let message = format!(
            "{action}: `{name}` is about several lanes, and this machine has one (`lanes: 32` is a machine with warps of 32)"
        );
        of_core(&format!("{action};"), &message);
    }
    refused("host();", "host(): `host` is for machines with one lane");
    refused("refetch();", "refetch(): `refetch` is for machines with one lane");
}

#[test]
fn a_variable_that_is_a_field_names_registers_as_the_field_does() {
    let scene = || {
        form().functions(
            "fn set(r:8, x:32) { R[r] = x; }\nfn both(r:8) { set(r, 1); set(2, 3); }\n\
             fn next(r:8) { r = r + 1; R[r] = 0; }\nfn either(r:8) { if x[0] { r = 1; } R[r] = 0; }",
        )
    };
    assert_eq!(scene().typed("set(rd, a);"), "v0 = f2\nv1 = r0[f3]\nr0[f2] = v1");
    assert_eq!(scene().typed("both(rd);"), "v0 = f2\nv1 = v0\nv2 = 0x1:32\nr0[f2] = v2\nv3 = 0x2:8\nv4 = 0x3:32\nr0[0x2:8] = v4");
    assert_eq!(scene().typed("let r = rd; R[r] = 0; P[r[2..0]] = 1;"), "v0 = f2\nr0[f2] = 0x0:32\nr1[v0[0+:3]] = 0x1:1");
    // Not after it has had another value.
    assert_eq!(scene().typed("next(rd);"), "v0 = f2\nv0 = (v0 + 0x1:8)\nr0[v0] = 0x0:32");
    assert_eq!(scene().typed("either(rd);"), "v0 = f2\nif f0[0+:1] { v0 = 0x1:8 }\nr0[v0] = 0x0:32");
}

#[test]
fn operators_take_one_width() {
    means("R[rd] = a + b;", "r0[f2] = (r0[f3] + r0[f2])");
    refused(
        "R[rd] = a + x;",
        "+: `+` takes two values of the same width, these have 32 bits and 8 bits (`zext(…, 32)` or `sext(…, 32)` widens the narrower one)",
    );
    refused(
        "if a ==  x { }",
        "==: `==` takes two values of the same width, these have 32 bits and 8 bits (`zext(…, 32)` or `sext(…, 32)` widens the narrower one)",
    );
    refused(
        "R[rd] = zext(x, 16) ++ a;",
        "zext(x, 16) ++ a: the destination has 32 bits, this has 48 bits (`trunc(…, 32)` takes the lowest bits)",
    );
    refused("R[rd] = x;", "x: the destination has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)");
    refused(
        "R[x[3..0]] = a;",
        "x[3..0]: the number of a register of `R` has 8 bits, this has 4 bits (`zext(…, 8)` or `sext(…, 8)` widens it)",
    );
}

#[test]
fn numbers_take_the_width_of_their_context() {
    means("R[rd] = a + 1;", "r0[f2] = (r0[f3] + 0x1:32)");
    means("R[rd] = 1 - a;", "r0[f2] = (0x1:32 - r0[f3])");
    means("R[rd] = -1;", "r0[f2] = 0xffffffff:32");
    means("R[rd] = 2 * 3 + (1 << 4);", "r0[f2] = 0x16:32");
    means("R[rd] = a << 4;", "r0[f2] = (r0[f3] << 0x4:32)");
    means("R[rd] = a >>s x;", "r0[f2] = (r0[f3] >>s f0)");
    means("R[rd] = if a == 0 { 1 } else { 0 };", "r0[f2] = if (r0[f3] == 0x0:32) {0x1:32} else {0x0:32}");
    means("R[rd] = (if x[0] { 1 } else { 0 }) + a;", "r0[f2] = (if f0[0+:1] {0x1:32} else {0x0:32} + r0[f3])");
    means("let t:34 = 0; R[rd] = t[31..0];", "v0 = 0x0:34\nr0[f2] = v0[0+:32]");
    means("let t = 0xffffffffffffffffffffffffffffffff:128;", "v0 = 0xffffffffffffffffffffffffffffffff:128");
    refused("let t = 1;", "1: the width of 1 is not known here (write `1:32` for 32 bits)");
    refused("let t = 1 ++ x;", "1: the width of 1 is not known here (write `1:32` for 32 bits)");
    refused("let t = x + 256;", "256: 256 doesn't fit in 8 bits");
    refused("let t = x + -129;", "-129: -129 doesn't fit in 8 bits");
    refused(
        "let t = x + 0xffffffffffffffffffffffffffffffff;",
        "0xffffffffffffffffffffffffffffffff: 0xffffffffffffffffffffffffffffffff doesn't fit in 8 bits",
    );
    refused("let t = x + (1 /s 0);", "(1 /s 0): `/s` of these numbers has no value without a width");
    refused("let t = x << -1;", "-1: a shift by a negative number");
}

#[test]
fn conditions_are_one_bit() {
    means("if x[0] && !x[1] { exit(); }", "if (f0[0+:1] && !f0[1+:1]) { Exit() }");
    refused("if x { }", "x: a condition is one bit, this has 8 bits (compare it (`x != 0`), or ask for `any(x)`)");
    refused("if x && x[0] { }", "x: `&&` is for single bits, this has 8 bits (`~`, `&`, `|` and `^` work on every bit)");
    refused("if !x { }", "x: `!` is for single bits, this has 8 bits (`~`, `&`, `|` and `^` work on every bit)");
    refused(
        "R[rd] = if x { a } else { b };",
        "x: a condition is one bit, this has 8 bits (compare it (`x != 0`), or ask for `any(x)`)",
    );
}

#[test]
fn slices_are_inside() {
    means("R[rd] = a[15..0] ++ a[31..16];", "r0[f2] = (r0[f3][0+:16] ++ r0[f3][16+:16])");
    means("P[0] = a[x[4..0]];", "r1[0x0:3] = r0[f3][f0[0+:5]+:1]");
    means("R[rd][15..8] = x;", "r0[f2][8+:8] = f0");
    means("R[rd][x +: 8] = x; ", "r0[f2][f0+:8] = f0");
    means("let t = a[8 +: 8][3..0];", "v0 = r0[f3][8+:4]");
    refused("let t = a[32];", "32: there is no bit 32 in 32 bits");
    refused("let t = a[32..1];", "32: there is no bit 32 in 32 bits");
    refused("let t = a[0..3];", "0..3: bits are written high to low (write `[3..0]`)");
    refused("let t = a[x..0];", "x: a bit must be a constant");
    refused("let t = a[28 +: 8];", "a[28 +: 8]: there is no bit 35 in 32 bits");
    refused("let t = a[0 +: 0];", "0: a width is 1 to 256");
    refused("R[rd][35..28] = x;", "35: there is no bit 35 in 32 bits");
}

#[test]
fn registers_and_flags() {
    means("R[rd +: 2] = R[a.r + 1] ++ a;", "(r0[f2+1] ++ r0[f2]) = (r0[(f3 + 0x1:8)] ++ r0[f3])");
    means("C[x[1..0]].z = a == 0;", "flags0[f0[0+:2]][0+:1] = (r0[f3] == 0x0:32)");
    means("let t = C[3]; C[0] = t;", "v0 = flags0[0x3:32]\nflags0[0x0:32] = v0");
    means("CC.x = CC.x & CC;", "flags1[0x0:1][0+:1] = (flags1[0x0:1] & flags1[0x0:1])");
    means("mode = trunc(tid.x, 2);", "state1 = state0[0+:2]");
    means("RH[s[8..0]] = s;", "r0[f1[1+:8]][((0x0:15 ++ f1[0+:1]) * 0x10:16)+:16] = f1");
    refused("R = a;", "R: `R` can't be assigned");
    refused("let t = R;", "R: `R` is a register file: say which register, `R[…]`");
    refused("let t = C;", "C: `C` is several registers of flags: say which, `C[…]`");
    refused("let t = C[4];", "4: there is no `C[4]`: there are 4");
    refused("let t = C[0].q;", "q: `C` has no flag `q` (it has `z`, `s`, `c`, `o`)");
    refused("let t = a.z;", "a.z: there is no `a.z` here (did you mean `a.r`?)");
    refused("let t = R[rd].z;", "R[rd]: only registers of flags have parts with names");
    refused("RH[s[8..0] +: 2] = a;", "RH[s[8..0] +: 2]: `RH[…]` is one register of 16 bits, a part of `R`");
    refused("R[rd +: 9] = a;", "R[rd +: 9]: this has 288 bits, the maximum is 256");
    refused("tid.x = 0;", "tid.x: `tid.x` is set by the launch and can't be assigned");
}

#[test]
fn names_are_known() {
    refused("R[rd] = c;", "c: there is no `c` here (did you mean `C`?)");
    refused("R[re] = a;", "re: there is no `re` here (did you mean `R`?)");
    refused("t = a;", "t: there is no `t` here (a new variable is declared with `let t = …;`)");
    refused("if x[0] { let t = a; } R[rd] = t;", "t: there is no `t` here");
    refused("let a = b;", "a: `a` is already defined");
    refused("let t = a; let t = b;", "t: `t` is already defined");
    refused("let t = true;", "true: there is no `true` here (a bit is `1`)");
    means("let t = zext(q?, 8) | x;", "v0 = (0x0:8 | f0)");
    means("if present(q) { q = 1; } else { exit(); }", "Exit()");
}

#[test]
fn fields_are_not_assigned() {
    refused("rd = a;", "rd: `rd` is the number of a register, and part of the instruction (the register itself is `R[rd]`)");
    refused("x = 1;", "x: `x` is a field: part of the instruction");
    refused("next = 0;", "next: `next` can't be assigned (`branch(target)` goes elsewhere)");
    refused(
        "a + b = 1;",
        "a + b: this can't be assigned (what can be assigned is a register, a flag, a variable, or bits of one)",
    );
}

#[test]
fn operands_are_their_values() {
    means("a = b;", "r0[f3] = r0[f2]");
    means("b = a;", "r0[f2] = r0[f3]");
    refused(
        "k = a;",
        "k: in the value of `k`: this can't be assigned (what can be assigned is a register, a flag, a variable, or bits of one)",
    );
    let scene = Scene::new().reg("rd", "R").operand("a", "R[r]").operand("b", "c").operand("c", "b");
    assert_eq!(scene.faults("R[rd] = a;"), "a: in the value of `a`: there is no `r` here (did you mean `R`?)");
    let faults = scene.faults("R[rd] = b;");
    assert_eq!(faults, "b: in the value of `c`: the value of `b` contains itself, or functions are nested more than 12 deep");
}

#[test]
fn choices_and_texts() {
    means("if size is wide { R[rd] = a; } else { R[rd] = nonsense; }", "r0[f2] = r0[f3]");
    means("R[rd] = if size is lo | wide { a } else { b };", "r0[f2] = r0[f3]");
    means("if size is low? { exit(); } else if size is low? | wide { trap(); }", "Trap()");
    means("if op == \".SUB\" || ex == 1 { exit(); }", "if (f7 == 0x1:2) { Exit() }");
    means("if q? == \"yes\" { exit(); }", "");
    means(
        "R[rd] = match op { \".ADD\" => a + b, \".SUB\" => a - b, else => 0 };",
        "r0[f2] = match f7 {0x0 => (r0[f3] + r0[f2]), 0x1 => (r0[f3] - r0[f2]), else => 0x0:32}",
    );
    means("match q? { 0 => { exit(); } \"yes\" => { trap(); } }", "Exit()");
    means("R[rd] = match q? { \"yes\" => b, \"no\" => b, else => a };", "r0[f2] = r0[f3]");
    means("match ex { 1 => { exit(); } else => { trap(); } }", "Trap()");
    refused("if siz is lo { }", "siz: there is no choice `siz` here");
    refused("if size is low { }", "low: `size` has no alternative `low` (did you mean `lo`?)");
    refused("if op == \".ADDX\" { }", "\".ADDX\": this is never `.ADDX` (did you mean `.ADD`?)");
    refused("if op == \"X\" { }", "\"X\": this is never `X` (it has `.ADD`, `.SUB`, `.MAX`)");
    refused("if x == \"X\" { }", "\"X\": what this is compared with has no texts");
    refused("if \"X\" == x { }", "\"X\": a text goes on the right: `field == \"text\"`");
    refused(
        "let t = \"X\";",
        "\"X\": a text is not a value (`field == \"text\"` compares, `match field { \"text\" => … }` chooses)",
    );
    refused("match op { 0 => { } \".ADD\" => { } }", "\".ADD\": this label occurs above");
    refused("match op { 4 => { } }", "4: 4 doesn't fit in 2 bits");
    refused(
        "R[rd] = match op { 0 => a, 1 => x, else => b };",
        "x: all arms must have the same width: this one has 8 bits, the first 32 bits",
    );
    refused("R[rd] = if x[0] { a } else { x };", "x: all arms must have the same width: this one has 8 bits, the first 32 bits");
    refused("let t = if x[0] { 1 } else { 0 };", "1: the width of 1 is not known here (write `1:32` for 32 bits)");
}

#[test]
fn variants() {
    means("R[rd] = if variant(fmad) == fused { a } else { b };", "r0[f2] = if (variant0 == 0x0:8) {r0[f3]} else {r0[f2]}");
    means("match variant(fmad) { rounded => { exit(); } }", "match variant0 { 0x1 => { Exit() } else => {  } }");
    refused("if variant(fma) == fused { }", "fma: there is no variant `fma` (did you mean `fmad`?)");
    refused("if variant(fmad) == fusd { }", "fusd: this is never `fusd` (did you mean `fused`?)");
}

#[test]
fn functions_of_the_language() {
    means(
        "R[rd] = zext(x, 32) + sext(s, 32) + ext(s, 32) + ext(x, 32);",
        "r0[f2] = (((Zext:32(f0) + Sext:32(f1)) + Sext:32(f1)) + Zext:32(f0))",
    );
    means("R[rd] = min_s(0, a) + max_u(a, 1);", "r0[f2] = (MinS:32(0x0:32, r0[f3]) + MaxU:32(r0[f3], 0x1:32))");
    means("P[0] = any(cmp_s(a, b) & x[2..0]);", "r1[0x0:3] = Any:1((CmpS:3(r0[f3], r0[f2]) & f0[0+:3]))");
    means("R[rd] = zext(sat_su(a, 8), 32) | fill(x[0], 32);", "r0[f2] = (Zext:32(SatSU:8(r0[f3])) | Fill:32(f0[0+:1]))");
    means("R[rd] = fadd(a, b, rz, ftz, sat);", "r0[f2] = Fadd:32(r0[f3], r0[f2], 0x1:3, ftz_in, ftz_out, sat)");
    means(
        "R[rd] = zext(fcmp(a, b, ieee), 32) + f2i_s(a, 32, rz, ftz);",
        "r0[f2] = (Zext:32(Fcmp:4(r0[f3], r0[f2])) + F2iS:32(r0[f3], 0x1:3, ftz_in, ftz_out))",
    );
    means("R[rd] = i2f_s(s, rn);", "r0[f2] = I2fS:32(f1, 0x0:3)");
    means("R[rd] = a /u b %s a;", "r0[f2] = ((r0[f3] /u r0[f2]) %s r0[f3])");
    refused("R[rd] = zxt(x, 32);", "zxt: there is no function `zxt` (did you mean `zext`?)");
    refused("R[rd] = zext(x);", "zext(x): `zext(x, n)` takes 2 arguments, this has 1");
    refused("R[rd] = zext(a, 16);", "zext(a, 16): `zext` can't narrow 32 bits to 16 (`trunc` does)");
    refused("R[rd] = trunc(x, 32);", "trunc(x, 32): `trunc` can't widen 8 bits to 32 (`zext` does)");
    refused("R[rd] = zext(x, x);", "x: how many must be a constant");
    refused("R[rd] = zext(x, 300);", "300: a width is 1 to 256");
    refused("R[rd] = ext(a, 64);", "a: `ext` takes a field (`zext` and `sext` take any value)");
    refused(
        "R[rd] = min_s(a, x);",
        "x: the other argument of `min_s` has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)",
    );
    refused("R[rd] = fadd(a, b, ftz);", "fadd(a, b, ftz): `fadd` needs a rounding mode: `rn`, `rz`, `ru` or `rd`");
    refused("R[rd] = fadd(a, b, rn, ftz, rz);", "rz: `rz`: an argument of this kind is given already");
    refused("R[rd] = rcp(a, rn, ftz);", "rn: `rcp` takes no such argument: it is written `rcp(a, ftz)`");
    refused(
        "R[rd] = fadd(a, x, rn, ftz);",
        "x: an argument of `fadd` has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)",
    );
    refused("zext(x, 32);", "zext(x, 32): the value of `zext` is not used");
    // What would be right depends on the width that is expected.
    let differ = "takes two values of the same width, these have 32 bits and 8 bits";
    refused("R[rd] = a + x;", &format!("+: `+` {differ} (`zext(…, 32)` or `sext(…, 32)` widens the narrower one)"));
    let differ = "takes two values of the same width, these have 8 bits and 32 bits";
    let trunc = "takes the lowest bits: a value of 8 bits is expected here";
    refused("R[rd][7..0] = x + a;", &format!("+: `+` {differ} (`trunc(a, 8)` {trunc})"));
    refused("R[rd][7..0] = x + (a | b);", &format!("+: `+` {differ} (`trunc(…, 8)` {trunc})"));
}

#[test]
fn memory() {
    means("R[rd +: 2] = load.global(a + 4, 64);", "(r0[f2+1] ++ r0[f2]) = load0((r0[f3] + 0x4:32)):64");
    means("R[rd] = k;", "r0[f2] = load2(0x1:32, Zext:32(f0)):32");
    means("store.shared(a, x);", "store1(r0[f3]) = f0");
    means("let old = atomic.shared(a, 32, was => was + b); R[rd] = old;", "v0 = atomic1(r0[f3]) = (v0 + r0[f2])\nr0[f2] = v0");
    means(
        "R[rd] = atomic.global(a, 32, was => if was == b { 1 } else { was });",
        "v0 = atomic0(r0[f3]) = if (v0 == r0[f2]) {0x1:32} else {v0}\nr0[f2] = v0",
    );
    means("atomic.global(a, 32, was => b);", "v0 = atomic0(r0[f3]) = r0[f2]");
    refused(
        "atomic.global(a, 32, b);",
        "b: the last argument of `atomic` is what memory takes, made of what was there (`old => old + x` adds, `old => x` exchanges)",
    );
    refused(
        "atomic.global(a, b => b);",
        "atomic.global(a, b => b): `atomic.global(address, bits, old => new)` takes 3 arguments, this has 2",
    );
    refused("R[rd] = zext(o => o, 32);", "o => o: a value made of what was there, `old => …`, is an argument of `atomic`");
    refused(
        "atomic.global(a, 32, o => o[7..0]);",
        "o[7..0]: what memory takes has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)",
    );
    refused(
        "atomic.global(a, 32, o => o + load.shared(b, 32));",
        "load.shared(b, 32): what memory takes can't read memory: nothing comes between an atomic access and itself (read what is needed first, with `let`)",
    );
    refused("let o = a; atomic.global(a, 32, o => o);", "o: `o` is already defined");
    refused("R[rd] = load.gobal(a, 32);", "gobal: there is no memory space `gobal` (did you mean `global`?)");
    refused("R[rd] = load.x(a, 32);", "x: there is no memory space `x` (there are `global`, `shared`, `const`)");
    refused("R[rd] = load.global(a);", "load.global(a): `load.global(address, bits)` takes 2 arguments, this has 1");
    refused("R[rd] = load.const(a, 32);", "load.const(a, 32): `load.const(bank, address, bits)` takes 3 arguments, this has 2");
    refused("R[rd] = load.const(16, a, 32);", "16: there is no bank 16: there are 16");
    refused(
        "R[rd] = load.global(x, 32);",
        "x: an address of `global` has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)",
    );
    refused(
        "R[rd] = load.global(a, 24);",
        "24: `global` is accessed in 8 bits, or 2, 4, 8, … times as many up to 128, not in 24",
    );
    refused(
        "R[rd +: 8] = load.global(a, 256);",
        "256: `global` is accessed in 8 bits, or 2, 4, 8, … times as many up to 128, not in 256",
    );
    refused("store.const(0, a, x);", "store.const: `const` can only be read");
    refused("R[rd] = store.global(a, b);", "store.global(a, b): `store` is a statement and has no value");
    refused(
        "R[rd] = 1 + atomic.global(a, 32, o => b);",
        "atomic.global(a, 32, o => b): `atomic` is a statement of its own (write `let old = atomic.global(…);` first)",
    );
    refused("load.global(a, 32);", "load.global(a, 32): the value of `load.global` is not used");
}

#[test]
fn actions() {
    means("if P[0] { branch(next + sext(s, 32)); }", "if r1[0x0:3] { Branch((next + Sext:32(f1))) }");
    means("barrier(0); sync(pc); join(); call(a); ret();", "Barrier(0x0:32)\nSync(pc)\nJoin()\nCall(r0[f3])\nRet()");
    refused("branch(s);", "s: an address of code has 32 bits, this has 16 bits (`zext(…, 32)` or `sext(…, 32)` widens it)");
    refused("exit(1);", "exit(1): it is written `exit()`");
    refused("branch();", "branch(): it is written `branch(target)`");
    refused("let t = exit();", "exit(): `exit` is a statement and has no value");
    refused("brunch(a);", "brunch: there is no function `brunch` (did you mean `branch`?)");
}

#[test]
fn loops_are_unrolled() {
    means(
        "let t:32 = 0; for i in 0..2 { t[8 * i +: 8] = a[8 * i + 7 .. 8 * i]; if i == 1 { exit(); } }",
        "v0 = 0x0:32\nv0[0+:8] = r0[f3][0+:8]\nv0[8+:8] = r0[f3][8+:8]\nExit()",
    );
    means("for i in 0..4 { if i[1] && i[0] { R[rd] = i; } }", "r0[f2] = 0x3:32");
    refused("for i in 0..x { }", "x: where a loop ends must be a constant");
    refused("for i in 2..0 { }", "2..0: a loop counts up, and runs at most 256 times");
    refused("for i in 0..2 { i = 1; }", "i: `i` is the variable of a loop");
    refused("for i in 0..9 { let t = a[4 * i +: 4]; }", "4 * i: there is no bit 32 in 32 bits");
    let deep = "for i in 0..200 { for j in 0..200 { R[rd] = 1; } }";
    refused(deep, "1: this is too much when its loops are unrolled and its functions put in (the limit is 50000 operations)");
}

#[test]
fn functions_of_the_spec() {
    let scene = form().functions(
        "fn carry(a:32, b:32) : 1 { let t = zext(a, 33) + zext(b, 33); return t[32]; }
         fn zero(value:32) { if x[0] { C[0].z = value == 0; } }
         fn bad(a:8) : 8 { return a + nothing; }
         fn outer(a:8) : 8 { return bad(a); }
         fn worse(a:8) : 8 { exit(); return a; }
         fn turn(a:8) : 8 { return turn(a); }
         fn top(a:n, b:n) : n { return a[n - 1] ++ b[n - 2..0]; }
         fn lost(a:8) : m { return a; }",
    );
    for (source, meant) in [
        ("R[rd] = top(a, 1);", "v0 = r0[f3]; v1 = 0x1:32; (v0[31+:1] ++ v1[0+:31])"),
        ("let t = top(x, 1);", "v0 = f0; v1 = 0x1:8; (v0[7+:1] ++ v1[0+:7])"),
    ] {
        assert!(scene.typed(source).contains(meant), "{}", scene.typed(source));
    }
    assert_eq!(
        scene.typed("P[0] = carry(b, a); zero(b);"),
        "r1[0x0:3] = { v0 = r0[f2]; v1 = r0[f3]; v2 = (Zext:33(v0) + Zext:33(v1)); v2[32+:1] }
v3 = r0[f2]
if f0[0+:1] { flags0[0x0:32][0+:1] = (v3 == 0x0:32) }"
    );
    for (source, message) in [
        ("let t = top(a, x);", "x: `b` of `top` has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)"),
        ("let t = lost(x);", "m < lost(x): no parameter of `lost` is as wide as `m`"),
        ("P[0] = carry(a);", "carry(a): `carry(a, b)` takes 2 arguments, this has 1"),
        ("P[0] = carry(a, x);", "x: `b` of `carry` has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)"),
        ("carry(a, b);", "carry(a, b): the value of `carry` is not used"),
        ("R[rd] = zero(a);", "zero(a): `zero` returns nothing"),
        ("let t = bad(x);", "nothing < bad(x): there is no `nothing` here"),
        (
            "let t = worse(x) + 1;",
            "worse(x): `worse` is used within an expression, and does more than set variables of its own (`let x = …;` with \
             nothing else in it does that first)",
        ),
        ("let t:9 = worse(x);", "worse(x): the destination has 9 bits, this has 8 bits"),
        ("let t = outer(x);", "nothing < bad(a) < outer(x): there is no `nothing` here"),
        ("let t = outer(nothing);", "nothing: there is no `nothing` here"),
        ("let t = turn(x);", "turn(a) < turn(x): `turn` contains itself, or functions are nested more than 12 deep"),
    ] {
        assert_eq!(scene.faults(source), message, "{source}");
    }
}

#[test]
fn state_is_read_before_it_is_written() {
    refused(
        "R[rd] = a; P[0] = a == 0;",
        "a: this register file was written above and can't be read here (read what is needed later first, with `let`)",
    );
    refused(
        "C[0].z = 1; if C[1].z { }",
        "C[1]: these flags were written above and can't be read here (read what is needed later first, with `let`)",
    );
    refused(
        "mode = 1; let t = mode;",
        "mode: this was written above and can't be read here (read what is needed later first, with `let`)",
    );
    refused(
        "store.shared(a, b); R[rd] = load.shared(a, 32);",
        "load.shared(a, 32): this memory was written above and can't be read here (read what is needed later first, with `let`)",
    );
    refused(
        "let t = load.shared(a, 32); store.shared(a, t + 1);",
        "a: this memory was read above: only `atomic` reads and writes",
    );
    refused(
        "for i in 0..2 { R[rd + i] = R[rd] + i; }",
        "R[rd]: this register file was written above and can't be read here (read what is needed later first, with `let`)",
    );
    means("if x[0] { R[rd] = a; } else { R[rd] = b; }", "if f0[0+:1] { r0[f2] = r0[f3] } else { r0[f2] = r0[f2] }");
    refused(
        "if x[0] { R[rd] = a; } P[0] = a == 0;",
        "a: this register file was written above and can't be read here (read what is needed later first, with `let`)",
    );
}

#[test]
fn all_faults_are_told() {
    refused(
        "R[rd] = y; R[rd] = d; if x { R[rd] = e; }",
        "y: there is no `y` here\nd: there is no `d` here\nx: a condition is one bit, this has 8 bits (compare it (`x != 0`), or ask for `any(x)`)\ne: there is no `e` here",
    );
    refused("let t = q; t = a; R[rd] = t + 1; let u = zext(t, 64); R[rd] = u[31..0];", "q: there is no `q` here");
    refused("let t:8 = q; R[rd] = zext(t, 32);", "q: there is no `q` here");
}

#[test]
fn nothing_exhausts_the_stack() {
    let sum = |of: &str| format!("{of}{}", " + a".repeat(90));
    let mut functions = format!("fn f0(a:8) : 8 {{ return {}; }}", sum("a"));
    for i in 1..11 {
        functions += &format!("fn f{i}(a:8) : 8 {{ return {}; }}", sum(&format!("f{}(a)", i - 1)));
    }
    let faults = form().functions(&functions).faults("let t = f10(x);");
    let message = " < f9(a) < f10(x): this is nested too deeply when functions and operands are put in";
    assert_eq!(faults.lines().map(|fault| fault.split_at(fault.find(" <").expect("a call")).1).collect::<Vec<_>>(), [message; 2]);
    let nested = format!("let t = {}x{};", "zext(".repeat(99), ", 8)".repeat(99));
    means(&nested, "v0 = f0");
    let branches = format!("{}exit();{}", "if x[0] { ".repeat(99), "}".repeat(99));
    refused(&branches, "");
    let arms: String = (0..256).map(|i| format!("{i} => {{ R[rd] = {i}; }} ")).collect();
    refused(&format!("match x {{ {arms} }}"), "");
}

#[test]
fn broken_texts_do_no_harm() {
    let source = "let t = zext(a, 34) + (if x[0] { 1 } else { 0 }); for i in 0..3 { R[rd][8 * i +: 8] = t[i + 7..i]; } match op { \".SUB\" => { C[0].z = -2 <s s; } else => { store.shared(b, fadd(a, b, rn, ftz)); } } if size is wide { branch(next + sext(s, 32)); }";
    let pieces: Vec<&str> = source.split_inclusive([' ', '(', ')', '[', ']', ';', ',']).collect();
    let mut seed = 1u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let scene = form();
    let mut checked = 0;
    for _ in 0..4000 {
        let mut text = pieces.clone();
        for _ in 0..=random(3) {
            let (from, to) = (random(text.len()), random(text.len()));
            match random(3) {
                0 => text[to] = pieces[from % pieces.len()],
                1 => drop(text.remove(to)),
                _ => {
                    text.insert(to, ["340282366920938463463374607431768211455", "-", "~", "[0]", "0", "x", "R[", "++"][from % 8])
                }
            }
        }
        if let Ok(body) = isa_spec::semantics::parse(&text.concat()) {
            checked += 1;
            isa_spec::semantics::check(&body, &scene);
        }
    }
    assert!(checked > 200, "{checked} of the texts were read");
}
