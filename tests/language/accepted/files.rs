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
fn tables_have_ranges_and_sums() {
    exam("tables-of-numbers", |e| {
        let names: Vec<_> = e.codec.isa().forms.iter().map(|form| form.name.as_str()).collect();
        assert_eq!(names, ["s0", "s1", "s2", "s3", "s10", "s11", "s8", "p.w0", "p.w1"]);
        e.both(0x1c0f, "s0", "s0 3, 15!");
        e.both(0x130c, "s3", "s3 0, 21!");
        e.both(0x22a5, "s10", "s10.one 165");
        e.both(0x2001, "s8", "s8.zero 1");
        e.refuses(0x2100, "no such instruction; the closest is s11, but bits 9..8 are 0x1, not 0x3");
        e.both(0x3852, "p.w1", "p.5 5:R2");
        e.both(0x30f1, "p.w0", "p.4 15:R1");
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
