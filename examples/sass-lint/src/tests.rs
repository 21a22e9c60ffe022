//! Small programs with one mistake each, and the code of a compiler, which has none.

use crate::{Line, lint, read};
use generated::ampere::{Barrier, Insn, Isa};
use isa_runtime::Isa as _;

/// The findings in a program of texts; `change` gives instructions their control codes.
fn findings(texts: &[&str], change: impl Fn(usize, Insn) -> Insn) -> Vec<String> {
    let at = |i: usize| 16 * i as u64;
    let insn = |(i, text): (usize, &&str)| (at(i), change(i, Isa::parse(text, at(i)).expect("an instruction")));
    let program: Vec<Line> = texts.iter().enumerate().map(insn).collect();
    lint(&program)
}

/// A load that sets scoreboard 2 for its result.
fn with_scoreboards(insn: Insn) -> Insn {
    match insn {
        Insn::Ldl(load) => load.edit().write(Barrier::Sb2).build().expect("a load").into(),
        other => other,
    }
}

fn waiting_for(insn: Insn, scoreboards: u64) -> Insn {
    match insn {
        Insn::Mov(mov) => mov.edit().wait(scoreboards).build().expect("a move").into(),
        other => other,
    }
}

#[test]
fn a_register_that_nothing_writes() {
    let found = findings(&["MOV R2, 0x1", "IADD3 R3, R2, R4, RZ", "IADD3 R2, R3, R4, R1"], |_, insn| insn);
    assert_eq!(found, ["0x0010: IADD3 R3, R2, R4, RZ: nothing writes R4"]);
}

#[test]
fn a_value_that_is_not_waited_for() {
    let program = ["LDL R2, [R1]", "MOV R3, R2", "STL [R1], R3"];
    let found = findings(&program, |_, insn| with_scoreboards(insn));
    assert_eq!(found, ["0x0010: MOV R3, R2: uses R2 without waiting for scoreboard 2, set at 0x0000"]);
    let found = findings(&program, |i, insn| if i == 1 { waiting_for(insn, 1 << 2) } else { with_scoreboards(insn) });
    assert_eq!(found, [""; 0]);
    let found = findings(&program, |i, insn| if i == 1 { waiting_for(insn, 1 << 3) } else { with_scoreboards(insn) });
    assert_eq!(found.len(), 1);
    // A branch to the instruction may come from code that has waited.
    let found = findings(&["LDL R2, [R1]", "MOV R3, R2", "BRA 0x10"], |_, insn| with_scoreboards(insn));
    assert_eq!(found, [""; 0]);
}

#[test]
fn code_of_a_compiler_is_clean() {
    let text = include_str!("../../../tests/kernels/ampere-saxpy-like.hex");
    let program = read(text).expect("words");
    let found = lint(&program);
    let found: Vec<&str> = found.iter().filter_map(|finding| finding.rsplit(": ").next()).collect();
    // The head of the kernel, which sets these, is not in the file.
    let unwritten = ["R5", "R6", "R7", "UR4", "UR5", "R8", "R9"].map(|register| format!("nothing writes {register}"));
    assert_eq!(found, unwritten);
}
