//! Faults planted into shipped specifications: a text that the semantics no longer agrees with is found.

use isa_reference::lint;
use std::borrow::Cow;

/// The findings of a shipped instruction set after changes of its files: `(file, old, new)`.
fn findings(name: &str, changes: &[(&str, &str, &str)]) -> Vec<String> {
    let mut files: Vec<(&str, Cow<'_, str>)> = isa_specs::FILES.iter().map(|(path, text)| (*path, (*text).into())).collect();
    for (path, old, new) in changes {
        let (_, text) = files.iter_mut().find(|file| file.0 == *path).expect("it is shipped");
        assert_eq!(text.matches(old).count(), 1, "{path} has `{old}` once");
        *text = text.replace(old, new).into();
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_ref())).collect();
    let isa = isa_spec::load_texts(&format!("{name}.yaml"), &files).isa.expect("the change is a slip, and no error");
    lint::meaning(&isa).into_iter().map(|finding| finding.message).collect()
}

#[test]
fn of_risc_v() {
    let changes = [
        // An immediate, a scale that is applied twice, and the wrong base.
        ("riscv/i.yaml", "X[rd] = X[rs1] ^ ext(imm, $XLEN);", "X[rd] = X[rs1] ^ X[rs1];"),
        ("riscv/i.yaml", "X[rd] = next; branch(pc + ext(to, $XLEN));", "X[rd] = next; branch(pc + (ext(to, $XLEN) << 1));"),
        ("riscv/i.yaml", "if X[rs1] <s X[rs2] { branch(pc", "if X[rs1] <s X[rs2] { branch(next"),
    ];
    assert_eq!(
        findings("rv32imac", &changes),
        [
            "the text of xori shows `imm`, which its semantics does not read: `xor zero,zero,0` and `xor zero,zero,1` have the same effect",
            "`j 0x2` at 0x0 (0x0020006f) branches to 0x4, which is not the target of its text",
            "`bltz zero,0x0` at 0x0 (0x00004063) branches to 0x4, which is not the target of its text",
        ]
    );
}

#[test]
fn of_sm_80() {
    let changes = [
        // A sign of one source, and a modifier.
        (
            "sm80/float.yaml",
            "      // PTX add.f32.\n      let x = single(a, a.neg, a.abs);",
            "      let x = single(a, 0, a.abs);",
        ),
        ("sm80/integer.yaml", "let n = if wrap { b & (most - 1) } else { min_u(b, most) };", "let n = b & (most - 1);"),
    ];
    assert_eq!(
        findings("sm80", &changes),
        [
            "the text of SHF shows `wrap`, which no semantics reads: `SHF.L.S64 R0, R0, R0, R0` and `SHF.L.W.S64 R0, R0, R0, R0` have the same \
             effect",
            "the text of FADD shows `a.neg`, which its semantics does not read: `FADD R0, R0, R0` and `FADD R0, -R0, R0` have the same effect",
        ]
    );
}
