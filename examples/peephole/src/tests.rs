use super::*;

fn optimised(texts: &[&str]) -> Vec<String> {
    let at = |(text, address): (&&str, u64)| Insn::parse_at(text, address).expect("an instruction");
    let mut program: Vec<Insn> = texts.iter().zip((0..).step_by(SIZE)).map(at).collect();
    optimise(&mut program);
    program.iter().zip((0..).step_by(SIZE)).map(|(insn, address)| insn.at(address).to_string()).collect()
}

#[test]
fn what_does_nothing_is_replaced() {
    let found = optimised(&["MOV R2, R3", "MOV R3, R2", "IADD3 R4, RZ, R4, RZ", "IADD3 R3, RZ, RZ, R2"]);
    assert_eq!(found, ["MOV R2, R3", "NOP", "NOP", "IADD3 R3, RZ, RZ, R2"]);
}

#[test]
fn all_else_stays() {
    let program = ["@P0 MOV R2, R3", "MOV R3, R2", "IADD3 R2, R3, -R2, RZ", "MOV R3, 0x1", "IADD3 R4, -R4, RZ, RZ"];
    assert_eq!(optimised(&program), program);
    let loops = ["MOV R2, R3", "MOV R3, R2", "BRA 0x10"];
    assert_eq!(optimised(&loops), loops);
}

#[test]
fn control_codes_stay() {
    let insn = Insn::parse_at("MOV R2, R2", 0).expect("a move");
    let Insn::Mov(mov) = insn else { panic!("{insn} is no move") };
    let mut program = [mov.edit().stall(7).wait(3).build().expect("a move").into()];
    assert_eq!(optimise(&mut program), 1);
    assert_eq!((program[0].stall(), program[0].wait(), program[0].mnemonic()), (7, 3, "NOP"));
}
