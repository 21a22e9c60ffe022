//! Functions of floats: what they mean and what is refused, with the whole message.

use super::rules::{form, means, refused};

#[test]
fn floats_by_the_rules_of_the_machine() {
    means("let t = fadd(zext(a, 64), 1, rz);", "v0 = Fadd:64(Zext:64(r0[f3]), 0x1:64, 0x1:3)");
    means("let t = fsqrt(a[15..0], ru, ftz);", "v0 = Fsqrt:16(r0[f3][0+:16], 0x3:3, ftz_in, ftz_out)");
    means("R[rd] = fmul(a, b, ra);", "r0[f2] = Fmul:32(r0[f3], r0[f2], 0x4:3)");
    means("R[rd] = ffma(a, b, a, x[2..0], ieee, sat);", "r0[f2] = Ffma:32(r0[f3], r0[f2], r0[f3], f0[0+:3], sat)");
    means(
        "R[rd] = fmin(a, b, nan) + fmax(b, a, second, ftz);",
        "r0[f2] = (Fmin:32(r0[f3], r0[f2], Nan) + Fmax:32(r0[f2], r0[f3], ftz_in, ftz_out, Second))",
    );
    means("P[0] = fcmp(a, b, signalling)[0];", "r1[0x0:3] = Fcmp:4(r0[f3], r0[f2], signalling)[0+:1]");
    means("let t = f2f(a, 64, rn);", "v0 = F2f:64(r0[f3], 0x0:3)");
    means("let t = i2f_s(s, 64, rd);", "v0 = I2fS:64(f1, 0x2:3)");
    means("let t = i2f_u(s, x[2..0]);", "v0 = I2fU:32(f1, f0[0+:3])");
    means("let t = f2i_u(zext(a, 64), 8, rz);", "v0 = F2iU:8(Zext:64(r0[f3]), 0x1:3)");
    means("let t = fneg(zext(a, 64));", "v0 = Fneg:64(Zext:64(r0[f3]))");
    means("R[rd] = fadd(a, b, rn);", "r0[f2] = Fadd:32(r0[f3], r0[f2], 0x0:3)");
    means("R[rd] = fneg(a) + rcp(b, ftz);", "r0[f2] = (Fneg:32(r0[f3]) + Rcp:32(r0[f2], ftz_in, ftz_out))");
    means("let t = f2h(a, rz);", "v0 = F2h:16(r0[f3], 0x1:3)");
    let others = "(other formats are `bf16`, `tf32`, `e4m3fn`, `e5m2`)";
    let say = |at: &str| format!("{at}: a float has 16, 32 or 64 bits where its format isn't named, this has");
    refused("R[rd] = fadd(x, x, rn, ieee);", &format!("{} 8 bits {others}", say("x")));
    refused("let t = f2f(a, 24, rn);", &format!("{} 24 bits {others}", say("24")));
    refused("R[rd] = fadd(a, b, x);", "x: a rounding mode has 3 bits, this has 8 bits (`trunc(…, 3)` takes the lowest bits)");
    refused("R[rd] = fadd(a, b, rx, ftz);", "rx: `fadd` takes no such argument: it is written `fadd(a, b, rn, ftz)`");
    refused("R[rd] = fcmp(a, b, nan);", "nan: `fcmp` takes no such argument: it is written `fcmp(a, b, ftz)`");
    means("let t = f2i_s(zext(a, 64), 256, rz);", "v0 = F2iS:256(Zext:64(r0[f3]), 0x1:3)");
    refused("let t = f2i_s(zext(a, 64), 257, rz);", "257: a width is 1 to 256");
    refused(
        "let t = fadd(zext(a, 64), b, rn);",
        "b: an argument of `fadd` has 64 bits, this has 32 bits (`zext(…, 64)` or `sext(…, 64)` widens it)",
    );
}

#[test]
fn formats_by_their_names() {
    means("let t = fadd.bf16(a[15..0], 1, rn);", "v0 = Fadd.bf16:16(r0[f3][0+:16], 0x1:16, 0x0:3)");
    means("let t = ffma.e4m3fn(x, x, x, rz, ftz_out, sat);", "v0 = Ffma.e4m3fn:8(f0, f0, f0, 0x1:3, ftz_out, sat)");
    means("let t = f2f(a, e4m3fn, rn, satfinite);", "v0 = F2f:8.e4m3fn(r0[f3], 0x0:3, satfinite)");
    means("let t = f2f.e5m2(x, f64, rn);", "v0 = F2f.e5m2:64(f0, 0x0:3)");
    means("let t = f2i_s.tf32(a[31..13], 8, rz);", "v0 = F2iS.tf32:8(r0[f3][13+:19], 0x1:3)");
    means("let t = i2f_u(s, bf16, rn);", "v0 = I2fU.bf16:16(f1, 0x0:3)");
    means("let t = fneg.bf16(a[15..0]);", "v0 = Fneg.bf16:16(r0[f3][0+:16])");
    means("let t = fclass(a);", "v0 = Fclass:10(r0[f3])");
    means("R[rd] = fadd(a, b, rn, ftz_in);", "r0[f2] = Fadd:32(r0[f3], r0[f2], 0x0:3, ftz_in)");
    // A name of binary32 says nothing new.
    means("R[rd] = fadd.f32(a, b, rn, ieee);", "r0[f2] = Fadd:32(r0[f3], r0[f2], 0x0:3)");
    refused(
        "let t = fsqrt.f16(a, rn);",
        "a: an argument of `fsqrt` has 16 bits, this has 32 bits (`trunc(…, 16)` takes the lowest bits)",
    );
    refused("let t = fadd.bf61(a, b, rn);", "fadd.bf61: there is no format of floats `bf61` (did you mean `bf16`?)");
    refused(
        "let t = fadd.f8(a, b, rn);",
        "fadd.f8: there is no format of floats `f8` (there are `f16`, `f32`, `f64`, `bf16`, `tf32`, `e4m3fn`, `e5m2`)",
    );
    refused("let t = rcp.bf16(a, ftz);", "rcp.bf16: no format is named behind `rcp`");
    refused("let t = i2f_s.bf16(a, rn);", "i2f_s.bf16: no format is named behind `i2f_s` (`i2f_s(x, bf16, rn)`)");
    refused("let t = f2h.bf16(a, rn);", "f2h.bf16: no format is named behind `f2h` (`f2f` converts between all formats)");
    refused(
        "let t = fadd(a, b, rn, satfinite);",
        "satfinite: `fadd` takes no such argument: it is written `fadd(a, b, rn, ftz)`",
    );
    refused("let t = fadd(a, b, rn, ftz, ftz_in);", "ftz_in: `ftz_in`: an argument of this kind is given already");
}

#[test]
fn directions_by_the_list_of_the_machine() {
    let scene = || form().state("frm", 2);
    let all = scene().rounding(&["rn", "rd", "ru", "rz"]);
    let chosen = "match f0[0+:2] {0x0 => 0x0:3, 0x1 => 0x2:3, 0x2 => 0x3:3, 0x3 => 0x1:3, else => 0x7:3}";
    assert_eq!(all.typed("R[rd] = fadd(a, b, x[1..0]);"), format!("r0[f2] = Fadd:32(r0[f3], r0[f2], {chosen})"));
    let some = scene().rounding(&["rn", "rz", "illegal", "frm"]);
    let nested = "match state2 {0x0 => 0x0:3, 0x1 => 0x1:3, 0x2 => 0x7:3, 0x3 => 0x7:3, else => 0x7:3}";
    let chosen = format!("match f0[0+:2] {{0x0 => 0x0:3, 0x1 => 0x1:3, 0x2 => 0x7:3, 0x3 => {nested}, else => 0x7:3}}");
    // A value without a direction ends the body before the statement.
    assert_eq!(
        some.typed("R[rd] = fadd(a, b, x[1..0]);"),
        format!("v0 = {chosen}\nif (v0 == 0x7:3) {{ Illegal() }}\nr0[f2] = Fadd:32(r0[f3], r0[f2], v0)")
    );
    assert_eq!(
        some.faults("R[rd] = fadd(a, b, x[2..0]);"),
        "x[2..0]: a rounding mode has 2 bits, this has 3 bits (`trunc(…, 2)` takes the lowest bits)"
    );
    assert_eq!(some.typed("R[rd] = fadd(a, b, rz);"), "r0[f2] = Fadd:32(r0[f3], r0[f2], 0x1:3)");
}

#[test]
fn sums_of_products() {
    means("R[rd] = fdot.f16(a, b, b, rz);", "r0[f2] = Fdot:32(r0[f3], r0[f2], r0[f2], 0x1:3, 2 by 2)");
    means(
        "R[rd] = fdot.e4m3fn(a, b, 1, rz, blocks(2), aligned(13));",
        "r0[f2] = Fdot.e4m3fn:32(r0[f3], r0[f2], 0x1:32, 0x1:3, 4 by 2, aligned 13)",
    );
    means(
        "R[rd] = fdot(a, b ++ a, a ++ b, x[2..0]);",
        "r0[f2] = Fdot:32(r0[f3], (r0[f2] ++ r0[f3]), (r0[f3] ++ r0[f2]), f0[0+:3], 2 by 2)",
    );
    refused("let t = fdot.tf32(a, b, b, rz);", "b: elements of 19 bits are as many times as wide together, this has 32 bits");
    refused(
        "let t = fdot.f16(a, b, x, rz);",
        "x: an argument of `fdot` has 32 bits, this has 8 bits (`zext(…, 32)` or `sext(…, 32)` widens it)",
    );
    refused("let t = fdot.f16(a, b, b, rz, blocks(0));", "0: this is 1 to 256");
    refused("let t = fdot.f16(a, b, b, rz, aligned(65));", "65: this is 0 to 64");
    refused(
        "let t = fdot.f16(a, b, b, rz, steps(2));",
        "steps(2): `fdot` takes no such argument: it is written `fdot.f16(c, a, b, rz, blocks(4), aligned(24))`",
    );
}

#[test]
fn flags_are_those_of_a_call() {
    means(
        "let t = fadd(a, b, rn, ieee); R[rd] = t; P[0] = any(raised(t));",
        "v1 = r0[f3]\nv2 = r0[f2]\nv0 = Fadd:32(v1, v2, 0x0:3)\nr0[f2] = v0\nr1[0x0:3] = Any:1(Fadd:32(v1, v2, 0x0:3, raised))",
    );
    let say = "`raised` takes a variable that a function of floats with flags defines, and that is not assigned again \
               (`let x = fadd(a, b, rn); … raised(x)`)";
    for (source, at) in [
        ("P[0] = any(raised(a));", "a"),
        ("let t = a; P[0] = any(raised(t));", "t"),
        ("let t = fadd(a, b, rn) + a; P[0] = any(raised(t));", "t"),
        ("let t = fneg(a); P[0] = any(raised(t));", "t"),
        ("let t = fclass(a); P[0] = any(raised(t));", "t"),
        ("let t = rcp(a, ftz_in); P[0] = any(raised(t));", "t"),
        ("let t = fadd(a, b, rn); t = a; P[0] = any(raised(t));", "t"),
        ("P[0] = any(raised(fadd(a, b, rn)));", "fadd(a, b, rn)"),
    ] {
        let found = form().faults(source);
        assert_eq!(found, format!("{at}: {say}"), "{source}");
    }
    let functions = "fn sum(x:n, y:n) : 5 { let r = fadd(x, y, rn); return raised(r); }";
    assert_eq!(form().functions(functions).faults("P[0] = any(sum(a, b));"), "");
    refused("let t = raised();", "raised(): `raised(x)` takes 1 argument, this has 0");
}
