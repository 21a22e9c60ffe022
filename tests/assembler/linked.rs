//! Object files: what a linker is left, in sections, symbols and relocations.

use super::{assemble, faults, options};
use isa_asm::{Options, Program, RelocationOf};

fn object(text: &str) -> Program {
    let options = Options { relocatable: true, ..options(false) };
    assemble(generated::image("rv64gc").expect("it is shipped"), text, options)
}

/// The relocations: the section's name, the offset, the kind, and the target with its addend.
#[track_caller]
fn relocations(text: &str) -> Vec<String> {
    let program = object(text);
    assert_eq!(faults(&program), [""; 0]);
    let name = |of| match of {
        RelocationOf::Symbol(place) => program.symbols[place].name.to_string(),
        RelocationOf::Section(place) => program.sections[place].name.to_string(),
    };
    let all = program.relocations.iter();
    all.map(|own| format!("{}+{}: {} {}{:+}", program.sections[own.section].name, own.offset, own.kind, name(own.of), own.addend))
        .collect()
}

#[test]
fn differences_across_sections_have_two_relocations() {
    let text = "nop\nt: ecall\n.section .rodata\n.word 7\nb: .word t-b, t-b+4\n.dword t-other\n.half .-b\n.byte b-t\n";
    // The addend of a place is counted from its section; the first relocation has that of both.
    let wanted = [
        ".rodata+4: 35 .text-2",
        ".rodata+4: 39 .rodata+0",
        ".rodata+8: 35 .text+2",
        ".rodata+8: 39 .rodata+0",
        ".rodata+12: 36 .text+2",
        ".rodata+12: 40 other+0",
        ".rodata+22: 33 .rodata+2",
        ".rodata+22: 37 .text+0",
    ];
    assert_eq!(relocations(text), wanted);
}

#[test]
fn what_a_linker_can_not_compute_is_an_error() {
    let program = object("t: ecall\n.data\n.word t*2\n.word t+t\n.word -t\n.byte t\nlw a0, %hi(t)(a0)\n.short other\n");
    let wanted = [
        "3:7: a linker can't compute this from its addresses",
        "4:7: a linker can't compute this from its addresses",
        "5:7: a linker can't compute this from its addresses",
        "6:7: the instruction set has no relocation for 1 bytes of data",
        "7:1: the instruction set has no relocation for bits 31..20 with `%hi`",
        "8:8: the instruction set has no relocation for 2 bytes of data",
    ];
    assert_eq!(faults(&program), wanted);
}

#[test]
fn tables_of_addresses_and_threads_are_a_linkers() {
    let text = ".option pic\nla a0, x\nlla a0, x\n.option nopic\nla a0, x\nla.tls.ie a1, v\nla.tls.gd a1, v\n\
                lui a2,%tprel_hi(v)\nadd a2,a2,tp,%tprel_add(v)\nsw a0,%tprel_lo(v)(a2)\nlw a0,%tprel_lo(v+4)(a2)\ncall f@plt\ntail f@plt\n";
    let kinds: Vec<u32> = object(text).relocations.iter().map(|own| own.kind).collect();
    assert_eq!(kinds, [20, 24, 23, 24, 23, 24, 21, 24, 22, 24, 29, 32, 31, 30, 19, 19]);
    let program = object(text);
    let kind = |name: &str| program.symbols.iter().find(|symbol| *symbol.name == *name).map(|symbol| symbol.kind);
    assert_eq!((kind("v"), kind("x")), (Some(6), Some(0)), "of threads; of any kind");
    let flat = assemble(generated::image("rv64gc").expect("it is shipped"), "lui a2,%tprel_hi(v)\nv:", options(false));
    assert_eq!(faults(&flat), ["1:8: only a linker can compute `%tprel_hi`: write an object file"]);
}

#[test]
fn places_behind_the_reach_of_a_field_have_relocations() {
    // The offset of the statement is more than 12 bits can hold.
    let text = format!(".space 0x9000\n{}", "lw a0, %lo(x)(a1)\nlui a0, %hi(x)\njal ra, x\n");
    assert_eq!(relocations(&text), [".text+36864: 27 x+0", ".text+36868: 26 x+0", ".text+36872: 17 x+0"]);
}

#[test]
fn weak_and_global_symbols_are_named() {
    let text = ".globl g\n.weak w\ng: nop\nw: nop\nl: nop\ncall g\ncall w\ncall l\nj w\nj g\n.data\n.dword g+8, w, l\n";
    let wanted = [
        ".text+6: 19 g+0",
        ".text+14: 19 w+0",
        ".text+22: 19 .text+4",
        ".text+30: 17 w+0",
        ".data+0: 2 g+8",
        ".data+8: 2 w+0",
        ".data+16: 2 .text+4",
    ];
    assert_eq!(relocations(text), wanted);
    // A symbol with two values: each use has the one before it.
    let text = ".globl x\nx = a\n.dword x\nx = b\n.dword x\na: nop\n.data\nb: .word 1\n";
    assert_eq!(relocations(text), [".text+0: 2 .text+16", ".text+8: 2 x+0"]);
}

#[test]
fn sections_and_symbols_as_compilers_write_them() {
    let text = ".section .text.f,\"axG\",@progbits,f,comdat\n.weak f\n.hidden f\n.type f, @function\nf: ret\n\
                .section .text.f,\"axG\",@progbits,g,comdat\ng: ret\n.section .tbss,\"awT\",@nobits\nv: .zero 8\n\
                .section .init_array\n.dword f\n.local s\n.comm s,16,8\n.comm c,40,16\n.section .rodata.str1.8,\"aMS\",@progbits,1\n.string \"x\"\n";
    let program = object(text);
    assert_eq!(faults(&program), [""; 0]);
    let symbol = |name: &str| program.symbols.iter().find(|symbol| *symbol.name == *name).expect("it is named");
    assert_eq!((symbol("f").kind, symbol("f").visibility, symbol("f").is_weak), (2, 2, true));
    assert_eq!((symbol("v").kind, symbol("c").common, symbol("c").is_defined), (6, Some(16), false));
    assert!(symbol("s").is_defined && !symbol("s").is_global && symbol("s").common.is_none());
    let groups: Vec<_> = program.sections.iter().filter_map(|own| own.group.map(|group| &*program.symbols[group].name)).collect();
    assert_eq!(groups, ["f", "g"]);
    let kinds: Vec<_> = program.sections.iter().filter_map(|own| Some((&*own.name, own.kind?))).collect();
    assert_eq!(kinds, [(".init_array", 14)]);
    let file = isa_asm::output::elf(&program, 243, true).expect("it fits");
    let object = isa_object::Object::parse(&file);
    assert!(object.is_ok(), "{:?}", object.err());
}

#[test]
fn zeros_and_relocations_are_inside_of_their_sections() {
    let program =
        object(".bss\n.zero 4\n.byte 1\nnop\n.text 1\n.text 0\nnop\n.reloc 2, 1, foo\n.reloc 8, 1, foo\n.reloc -1, 1, foo\n");
    let wanted = [
        "3:1: the section `.bss` has only zeros, because it has no bytes in files",
        "4:1: the section `.bss` has only zeros, because it has no bytes in files",
        "5:7: there are no subsections: a part of a section is a section of its own",
        "9:1: 8 is not in this section, which has 2 bytes",
        "10:1: -1 is not in this section, which has 2 bytes",
    ];
    assert_eq!(faults(&program), wanted);
}

#[test]
fn another_name_of_a_symbol_has_its_type_and_size() {
    let program =
        object(".type f, @function\nf: nop\nret\n.size f, .-f\n.set g, f\nh = i\ni: ret\n.type i, @object\n.size i, 2\n");
    assert_eq!(faults(&program), [""; 0]);
    let of = |name: &str| {
        let symbol = program.symbols.iter().find(|symbol| &*symbol.name == name).expect("it is there");
        (symbol.kind, symbol.size)
    };
    assert_eq!([of("f"), of("i")], [(2, 4), (1, 2)]);
    assert_eq!([of("g"), of("h")], [of("f"), of("i")]);
}
