//! The examples of the reference, each in a form that could have it. Every example of the reference is here.

use super::fixture::{Scene, expr};
use isa_spec::semantics::{elaborate_value, parse_expr, parse_functions};

/// docs/semantics.md. A package has no docs: there the tests of this file have no examples.
fn reference() -> Option<String> {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
    let path = format!("{docs}/semantics.md");
    std::path::Path::new(docs).exists().then(|| std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}")))
}

/// The blocks of the reference that begin with ```` ```KIND ````: the rest of that line, and the text.
fn blocks(kind: &str) -> Vec<(String, String)> {
    let text = reference().unwrap_or_default();
    let mut parts = text.split("\n```").skip(1).step_by(2).filter_map(|b| b.split_once('\n')).collect::<Vec<_>>();
    parts.retain(|(head, _)| head.split(' ').next() == Some(kind));
    parts.into_iter().map(|(head, body)| (head[kind.len()..].trim().to_owned(), body.to_owned())).collect()
}

fn example(name: &str) -> Option<String> {
    reference()?;
    let found = blocks("semantics").into_iter().find(|b| b.0 == name);
    Some(found.unwrap_or_else(|| panic!("the reference has no example {name}")).1)
}

/// An instruction of Ampere with three sources, in the form that reads registers.
fn ampere() -> Scene {
    let signed = "if neg? { ~R[r] } else { R[r] }";
    Scene::new()
        .reg("rd", "R")
        .reg("ra", "R")
        .reg("a.r", "R")
        .reg("b.r", "R")
        .reg("c.r", "R")
        .field("a.neg", 1)
        .operand("a", signed)
        .operand("b", signed)
        .operand("c", signed)
        .reg("pu", "P")
        .reg("pv", "P")
        .reg("pd", "P")
        .reg("pe", "P")
        .reg("px", "P")
        .field("pd_not", 1)
        .field("pe_not", 1)
        .field("px_not", 1)
        .field("x", 1)
        .field("u32", 1)
        .field("hi", 1)
        .field("sx32", 1)
        .field("ex", 1)
        .field("cmp", 3)
        .field("lut", 8)
        .field("shift", 5)
        .enumeration("bool", 2, &[".AND", ".OR", ".XOR"])
        .enumeration("type", 3, &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128"])
        .signed("offset", 24)
}

/// An instruction of SM 1.0.
fn sm10() -> Scene {
    Scene::new()
        .reg("rd", "R")
        .reg("a.r", "R")
        .operand("a", "R[r]")
        .operand("b", "R[a.r]")
        .operand("c", "load.const(1, zext(k[3..0], 32) << 2, 32)")
        .field("kind", 2)
        .field("sat", 1)
        .field("set", 1)
        .field("cd", 2)
        .field("creg", 2)
        .field("cond", 5)
        .field("mark", 2)
        .reg("ar", "A")
        .signed("k", 5)
        .field("post", 1)
        .field("target", 32)
        .signed("offset", 24)
}

fn vop4() -> Scene {
    Scene::new()
        .reg("rd", "R")
        .reg("r", "R")
        .operand("a", "R[r]")
        .operand("b", "R[r]")
        .operand("c", "R[r]")
        .field("mask", 4)
        .field("asel", 12)
        .field("bsel", 12)
        .enumeration("dtype", 1, &[".u32", ".s32"])
        .enumeration("atype", 1, &[".u32", ".s32"])
        .enumeration("btype", 1, &[".u32", ".s32"])
        .enumeration("secondary", 2, &["", ".sat", ".add"])
}

fn size(pick: &'static str) -> Scene {
    ampere().slot("size", &["lo", "hi", "wide"], pick)
}

#[test]
fn every_example_is_correct() {
    for (name, source) in blocks("semantics") {
        let scene = match name.as_str() {
            "iadd3" | "lop3" | "lea" | "isetp" | "ld" => ampere(),
            "imad" => size("lo"),
            "iadd" | "shl" | "bra" | "ssy" | "cal" | "shared" | "fmad" => sm10(),
            "vadd4" => vop4(),
            _ => panic!("`{name}` has no form here"),
        };
        assert_eq!(scene.faults(&source), "", "{name}");
    }
}

#[test]
fn sizes_of_imad_differ() {
    let Some(source) = example("imad") else { return };
    let ends = |pick| size(pick).typed(&source).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let sum = "v2 = ((Zext:65(v0) + Zext:65(v1)) + Zext:65((f17 & (r1[f13] ^ f16))))";
    assert_eq!(ends("lo"), ["v1 = Zext:64(r0[f4])", sum, "r0[f0] = v2[0+:32]", "r1[f9] = v2[64+:1]"]);
    assert_eq!(ends("hi"), ["v1 = (r0[f4+1] ++ r0[f4])", sum, "r0[f0] = v2[32+:32]", "r1[f9] = v2[64+:1]"]);
    assert_eq!(ends("wide"), ["v1 = (r0[f4+1] ++ r0[f4])", sum, "(r0[f0+1] ++ r0[f0]) = v2[0+:64]", "r1[f9] = v2[64+:1]"]);
}

#[test]
fn iadd3_is_this() {
    let Some(iadd3) = example("iadd3") else { return };
    assert_eq!(
        ampere().typed(&iadd3),
        "v0 = if f17 {(Zext:34((r1[f11] ^ f14)) + Zext:34((r1[f12] ^ f15)))} else {((Zext:34(f5) + 0x0:34) + 0x0:34)}
v1 = (((Zext:34(if f5 {~r0[f2]} else {r0[f2]}) + Zext:34(r0[f3])) + Zext:34(r0[f4])) + v0)
r0[f0] = v1[0+:32]
r1[f9] = Any:1(v1[32+:2])
r1[f10] = v1[33+:1]"
    );
}

#[test]
fn loops_and_tables_are_this() {
    let (Some(lop3), Some(vadd4)) = (example("lop3"), example("vadd4")) else { return };
    let lop3 = ampere().typed(&lop3);
    let lines: Vec<&str> = lop3.lines().collect();
    let a = "if f5 {~r0[f2]} else {r0[f2]}";
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[6], format!("v0 = (v0 | (((Fill:32(f23[5+:1]) & {a}) & ~r0[f3]) & r0[f4]))"));
    assert_eq!(lines[10], "r1[f9] = (v0 != 0x0:32)");
    let vadd4 = vop4().typed(&vadd4);
    assert_eq!(
        vadd4.lines().nth(3),
        Some(
            "if f5[1+:1] { v5 = v0[(Zext:6(f6[3+:3]) << 0x3:32)+:8]; v6 = v0[(Zext:6(f7[3+:3]) << 0x3:32)+:8]; \
             v7 = (if (f9 == 0x1:1) {Sext:10(v5)} else {Zext:10(v5)} + if (f10 == 0x1:1) {Sext:10(v6)} else {Zext:10(v6)}); \
             if (f11 == 0x2:2) { v1 = (v1 + Sext:32(v7)) } else { v1[8+:8] = if (f11 != 0x1:2) {v7[0+:8]} else \
             if (f8 == 0x1:1) {SatSS:8(v7)} else {SatSU:8(v7)} } }"
        )
    );
}

#[test]
fn the_machine_of_the_reference_is_correct() {
    let blocks = blocks("functions");
    let Some((_, functions)) = blocks.first() else {
        assert_eq!(reference(), None, "the reference has functions");
        return;
    };
    let list = parse_functions(functions).expect("the functions are correct");
    assert_eq!(list.iter().map(|f| f.name.text.as_str()).collect::<Vec<_>>(), ["holds", "set_flags"]);
    let scene = sm10().functions(functions);
    let guard = parse_expr("if present(cond) { holds(cond, C[creg]) } else { 1 }").expect("the guard is correct");
    let guarded = elaborate_value(&guard, None, Some(1), &scene).expect("the guard is one bit");
    assert_eq!(guarded.vars, [5, 4, 1, 1, 1, 1]);
    assert!(expr(&guarded.expr).starts_with("{ v0 = f10; v1 = flags0[f9]; v2 = v1[0+:1]; "));
    let unguarded = elaborate_value(&guard, None, Some(1), &Scene::new()).expect("a form without condition always runs");
    assert_eq!(expr(&unguarded.expr), "0x1:1");
    let after = "match mark? { 1 => { exit(); } 2 => { join(); } }";
    assert_eq!(sm10().typed(after), "match f11 { 0x1 => { Exit() } 0x2 => { Join() } else => {  } }");
    assert_eq!(Scene::new().typed(after), "");
    assert_eq!(
        Scene::new().typed("R[0] = zext(tid.x, 32) | zext(tid.x, 32) << 16 | zext(tid.x, 32) << 26; store.shared(2, tid.x);"),
        "r0[0x0:8] = ((Zext:32(state0) | (Zext:32(state0) << 0x10:32)) | (Zext:32(state0) << 0x1a:32))\nstore1(0x2:32) = state0"
    );
    let flags = "let s = zext(a, 33) + zext(b, 33); set_flags(s[31..0], s[32], 0); R[rd] = s[31..0];";
    assert_eq!(scene.faults(flags), "");
}
