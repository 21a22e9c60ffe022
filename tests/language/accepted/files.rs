//! Specs of several files.

use super::exam::exam;

#[test]
fn files_share_definitions() {
    exam("includes", |e| {
        e.counts(&[(4, "0x10", "0x0", &[("A", "0x10")])]);
        e.both(0b1101, "A", "A R3, R1");
        let files: Vec<&str> = e.codec.isa().files.paths().filter_map(|p| p.file_name()?.to_str()).collect();
        assert_eq!(files, ["includes.yaml", "registers.yaml", "operands.yaml"]);
    });
}

#[test]
fn files_bring_instructions_with_parameters_and_tables() {
    exam("composed", |e| {
        let isa = e.codec.isa();
        let group = |i: &isa_spec::model::Instruction| isa.groups[i.group.expect("all have one").index()].name.as_str();
        let instructions: Vec<_> = isa.instructions.iter().map(|i| (i.name.as_str(), group(i))).collect();
        assert_eq!(instructions, [("addi", "I"), ("ori", "I"), ("sll", "I"), ("c.add", "C"), ("c.nop", "I")]);
        let groups: Vec<_> = isa.groups.iter().map(|g| (g.name.as_str(), g.summary.as_str())).collect();
        assert_eq!(groups, [("I", "Integers"), ("C", "Short ones")]);
        assert_eq!(isa.registers[0].width, 16);
        e.both(0x03da, "addi", "addi R2, R3, 0x7");
        e.both(0x25c1, "ori", "ori R1, R0, 0xb");
        e.both(0x4991, "sll", "sll R1, R2, 0x9");
        e.bits = 8;
        e.both(0x21, "c.add", "c.add R1, 0x4");
        e.refuses(0x80, "a word that begins like this has 16 bits, not 8");
    });
}

#[test]
fn an_instruction_set_can_be_another_one_but_for_some_things() {
    exam("extended", |e| {
        assert_eq!(e.codec.isa().name, "extended");
        e.counts(&[(8, "0x4c", "0xb4", &[("A", "0xc"), ("C", "0x40")])]);
        e.both(0x22, "A", "A.big");
        e.both(0x11, "A", "A.mid, 1");
        e.both(0x45, "C", "C 5");
        e.faulty("B 5", "^", "there is no instruction `B`; did you mean `A`?");
    });
}
