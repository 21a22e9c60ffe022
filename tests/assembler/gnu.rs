//! Programs of which GNU as 2.40 and ld have made bytes (`tests/programs/asm/build.sh`).
//!
//! With `-- --ignored`, `ISA_RISCV_TESTS=DIR` assembles the sources of riscv-tests there as well, after the C preprocessor, and compares them with
//! what `riscv64-linux-gnu-as` and `-ld` make of them; `ISA_QEMU=qemu-riscv64` links object files with C and runs them.

use super::{assemble, faults, options};
use isa_asm::output;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The addresses of the sections.
const SECTIONS: [(&str, u64); 5] =
    [(".text", 0x10000), (".rodata", 0x12000), (".data", 0x12400), (".other", 0x12600), (".bss", 0x12800)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/asm")
}

fn bytes_of(machine: &str, text: &str, long: bool, sections: &[(&str, u64)]) -> Result<Vec<u8>, Vec<String>> {
    let mut options = options(long);
    options.sections = sections.iter().map(|(name, address)| ((*name).to_owned(), *address)).collect();
    let program = assemble(generated::image(machine).expect("it is shipped"), text, options);
    if program.has_failed() { Err(faults(&program)) } else { Ok(output::bytes(&program, 0).expect("it is small")) }
}

#[test]
fn programs_have_the_bytes_that_gnu_as_makes() {
    let mut compared = 0;
    for entry in std::fs::read_dir(folder()).expect("the folder is there").flatten() {
        let name = entry.file_name().into_string().expect("names are plain");
        let Some(stem) = name.strip_suffix(".bin") else { continue };
        let (program, machine) = stem.split_once('.').expect("program and machine");
        let (machine, long) = machine.strip_suffix("-long").map_or((machine, false), |machine| (machine, true));
        let text = std::fs::read_to_string(folder().join(format!("{program}.s"))).expect("the program is there");
        let own = bytes_of(machine, &text, long, &SECTIONS).unwrap_or_else(|faults| panic!("{stem}: {faults:#?}"));
        let wanted = std::fs::read(entry.path()).expect("it can be read");
        let first = own.iter().zip(&wanted).position(|(a, b)| a != b);
        assert!(own == wanted, "{stem}: {} and {} bytes, the first other one at {first:?}", own.len(), wanted.len());
        compared += 1;
    }
    assert_eq!(compared, 23, "programs and machines");
}

#[test]
fn what_an_object_file_leaves_open() {
    let text = ".globl main\nmain: call puts\n la a0, text\n lw a1, %lo(word)(a2)\n sw a1, %lo(word+4)(a2)\n beq a0, a1, other\n j other\n\
                .data\nword: .dword text + 2, puts\ntext: .byte 1\n";
    let mut options = options(false);
    options.relocatable = true;
    let program = assemble(generated::image("rv64gc").expect("it is shipped"), text, options);
    assert_eq!(faults(&program), [""; 0]);
    let found: Vec<_> = program.relocations.iter().map(|own| (own.section, own.offset, own.kind, own.addend)).collect();
    let wanted = [
        (0, 0, 19, 0),
        (0, 8, 23, 16),
        (0, 12, 24, 0),
        (0, 16, 27, 0),
        (0, 20, 28, 4),
        (0, 24, 16, 0),
        (0, 28, 17, 0),
        (1, 0, 2, 18),
        (1, 8, 2, 0),
    ];
    assert_eq!(found, wanted);
    assert_eq!(program.flags, 4, "doubles in registers, and no short words");
}

/// Runs a tool, if it is there and succeeds.
pub(crate) fn tool(name: &str, arguments: &[&str]) -> bool {
    Command::new(name).args(arguments).stderr(std::process::Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
#[ignore = "needs the sources of riscv-tests, which ISA_RISCV_TESTS names, and the GNU toolchain"]
fn riscv_tests_from_their_sources() {
    let source = PathBuf::from(std::env::var_os("ISA_RISCV_TESTS").expect("ISA_RISCV_TESTS names riscv-tests"));
    let work = std::env::temp_dir().join(format!("isa-asm-{}", std::process::id()));
    std::fs::create_dir_all(&work).expect("a folder for what is made");
    let at = |name: &str| work.join(name).to_str().expect("a plain path").to_owned();
    let header = folder().join("../riscv-tests");
    let (mut same, mut other) = (0, Vec::new());
    for suite in ["rv64ui", "rv64um", "rv64ua", "rv32ui", "rv32um", "rv32ua"] {
        let bits = &suite[2..4];
        let (abi, emulation, machine) = match bits {
            "64" => ("lp64d", "elf64lriscv", "rv64gc"),
            _ => ("ilp32", "elf32lriscv", "rv32imac"),
        };
        let mut sources: Vec<PathBuf> = std::fs::read_dir(source.join("isa").join(suite))
            .expect("the suite is there")
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "S"))
            .collect();
        sources.sort();
        for (file, c) in sources.iter().flat_map(|file| [(file, "c"), (file, "")]) {
            let arch = if bits == "64" { format!("rv64imafd{c}_zicsr_zifencei") } else { format!("rv32ima{c}_zicsr_zifencei") };
            let (march, mabi) = (format!("-march={arch}"), format!("-mabi={abi}"));
            let header = format!("-I{}", header.display());
            let macros = format!("-I{}", source.join("isa/macros/scalar").display());
            let path = file.to_str().expect("a plain path");
            let made = tool("riscv64-linux-gnu-gcc", &[&march, &mabi, &header, &macros, "-E", path, "-o", &at("p.s")])
                && tool("riscv64-linux-gnu-as", &[&march, &mabi, "-mno-relax", &at("p.s"), "-o", &at("p.o")])
                && tool(
                    "riscv64-linux-gnu-ld",
                    &[
                        "-m",
                        emulation,
                        "-static",
                        "--no-relax",
                        "--no-warn-rwx-segments",
                        "-Ttext=0x10000",
                        "-Tdata=0x20000",
                        "-Tbss=0x30000",
                        &at("p.o"),
                        "-o",
                        &at("p.elf"),
                    ],
                )
                && tool("riscv64-linux-gnu-objcopy", &["-O", "binary", &at("p.elf"), &at("p.bin")]);
            if !made {
                continue;
            }
            let text = std::fs::read_to_string(at("p.s")).expect("it was made");
            let wanted = std::fs::read(at("p.bin")).expect("it was made");
            let name = format!("{suite}-{}{c}", file.file_stem().and_then(|stem| stem.to_str()).unwrap_or(""));
            match bytes_of(machine, &text, c.is_empty(), &[(".text", 0x10000), (".data", 0x20000), (".bss", 0x30000)]) {
                Ok(own) if own == wanted => same += 1,
                Ok(_) => other.push(name),
                Err(faults) => panic!("{name}: {faults:#?}"),
            }
        }
    }
    let _ = std::fs::remove_dir_all(&work);
    // GNU as leaves `jal zero,label` long, which is `j label`.
    assert_eq!(other, ["rv64ui-jalc", "rv32ui-jalc"], "{same} are equal");
}

/// Functions and data that `CALLER` uses, and that use it.
const CALLED: &str = r#"
        .globl  sum
        .type   sum, @function
sum:    li      a5, 0
1:      beqz    a1, 2f
        ld      a4, 0(a0)
        add     a5, a5, a4
        addi    a0, a0, 8
        addi    a1, a1, -1
        j       1b
2:      la      a4, counter
        sd      a5, 0(a4)
        ld      t0, scale
        mul     a0, a5, t0
        bnez    a0, done
        tail    never
done:   ret
        .size   sum, . - sum
        .globl  via
via:    addi    sp, sp, -16
        sd      ra, 8(sp)
        call    twice
        lui     a4, %hi(counter)
        ld      a5, %lo(counter)(a4)
        addi    a5, a5, 1
        sd      a5, %lo(counter)(a4)
        ld      ra, 8(sp)
        addi    sp, sp, 16
        addi    a0, a0, 1
        ret
        .weak   never
        .section .rodata
first:  .asciz  "first"
second: .asciz  "second"
        .data
        .balign 8
        .globl  names
names:  .dword  first, second, first + 2
        .globl  counter
counter: .dword 0
"#;

const CALLER: &str = r#"
#include <stdio.h>
long sum(const long *p, long n);
long via(long x);
extern const char *names[];
extern long counter;
long scale = 3;
long twice(long x) { return 2 * x; }
int main(void) {
  const long numbers[] = { 1, 2, 3, 4 };
  long total = sum(numbers, 4);
  long more = via(20);
  printf("%ld %ld %ld %s %s %s\n", total, more, counter, names[0], names[1], names[2]);
  return counter == 11 ? 7 : 1;
}
"#;

#[test]
#[ignore = "needs QEMU, which ISA_QEMU names, and the GNU toolchain"]
fn object_files_link_with_c_and_run() {
    let qemu = std::env::var_os("ISA_QEMU").expect("ISA_QEMU names qemu-riscv64");
    let work = std::env::temp_dir().join(format!("isa-asm-link-{}", std::process::id()));
    std::fs::create_dir_all(&work).expect("a folder for what is made");
    let at = |name: &str| work.join(name).to_str().expect("a plain path").to_owned();
    std::fs::write(at("caller.c"), CALLER).expect("the folder can be written");
    for long in [false, true] {
        let options = isa_asm::Options { relocatable: true, ..options(long) };
        let program = assemble(generated::image("rv64gc").expect("it is shipped"), CALLED, options);
        assert_eq!(faults(&program), [""; 0]);
        std::fs::write(at("called.o"), output::elf(&program, 243, true).expect("it fits an object file"))
            .expect("it can be written");
        let arguments = ["-static", "-no-pie", "-fno-pie", &at("caller.c"), &at("called.o"), "-o", &at("linked")];
        assert!(tool("riscv64-linux-gnu-gcc", &arguments), "it links");
        let ran = Command::new(&qemu).arg(at("linked")).output().expect("qemu runs");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "30 41 11 first second rst\n");
        assert_eq!(ran.status.code(), Some(7));
    }
    let _ = std::fs::remove_dir_all(&work);
}

#[test]
fn words_by_their_formats() {
    let text = ".insn r 0x33, 0, 0, a0, a1, a2\n.insn 0x00c58533\n.insn 4, 0x00c58533\n.insn i 0x13, 0, a0, a1, 10\n\
                .insn i 0x3, 2, a0, 10(a1)\n.insn s 0x23, 2, a0, 10(a1)\n.insn sb 0x63, 0, a0, a1, .\n.insn b 0x6b, 5, a0, a1, 1f\n\
                .insn u 0x37, a0, 0x12345\n1: .insn uj 0x6f, a0, .\n.insn r 0xb, 1, 2, a0, a1, a2\n\
                .insn ci 0x1, 0, a0, 5\n.insn cr 0x2, 8, a0, a1\n.insn ca 1, 0x23, 0, a0, a1\n.insn ciw 0, 0, a0, 1\n.insn ciw 1, 7, s0, 255\n\
                .insn css 2, 6, ra, 63\n.insn css 2, 1, a0, 5\n.insn cl 0, 2, a0, 31(a1)\n.insn cl 0, 3, a0, 9(s1)\n\
                .insn cs 0, 6, a2, 31(a1)\n.insn cs 0, 7, a2, 2(a5)\nx: .insn cb 1, 6, a0, x\n.insn cb 2, 7, s1, x\n\
                .insn cj 1, 5, x\n.insn cj 2, 1, x\n.insn r4 0x43, 7, 2, fa0, fa1, fa2, fa3\n";
    let bytes = bytes_of("rv64gc", text, false, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    // As riscv64-linux-gnu-as 2.40 does.
    let wanted = "3385c5003385c5003385c5001385a50003a5a50023a5a5006300b5006b54b500375534126f0500000b95c50415052e850d8d\
                  2800e1ff86dfaa22e85da868f0ddd0e301c1fefcf5bfee3f43f5c56c";
    assert_eq!(hex, wanted);
    let wrong = [
        ".insn 2, 0x00c58533",
        ".insn x 1",
        ".insn r 0x33, 0, 0, a0, q, a2",
        ".altered 1, 2, nop",
        ".insn ciw 0, 0, a0, 256",
        ".insn css 2, 6, ra, 64",
        ".insn cl 0, 2, a0, 32(a1)",
        ".insn cs 0, 2, a0, -1(a1)",
        ".insn cs 0, 2, a0, 1(t0)",
    ];
    for line in wrong {
        assert_eq!(bytes_of("rv64gc", line, false, &[]).map_err(|faults| faults.len()), Err(1), "{line}");
    }
}

#[test]
fn jumps_to_registers_without_an_offset() {
    for machine in ["rv64gcb", "rv32gc"] {
        let text = "jr (a1)\njalr (a1)\njalr ra,(a1)\njalr zero,(a1)\njalr a0,(a1)\njr (zero)\njalr (zero)\n";
        // Without short words, those of riscv64-linux-gnu-as 2.40.
        for (long, wanted) in [
            (true, "67800500e7800500e7800500678005006785050067000000e7000000"),
            (false, "82858295829582856785050067000000e7000000"),
        ] {
            let bytes = bytes_of(machine, text, long, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, wanted, "{machine}");
        }
    }
}

#[test]
fn extensions_are_selected_where_the_instruction_set_declares_it() {
    let text = "c: addi a0, a0, 1\n.option push\n.option arch, -c\naddi a0, a0, 1\n.option arch, +zba, +c\naddi a0, a0, 1\n\
                .option arch, -c\n.option pop\naddi a0, a0, 1\n";
    let bytes = bytes_of("rv64gcb", text, false, &[]);
    assert_eq!(bytes, Ok(vec![0x05, 0x05, 0x13, 0x05, 0x15, 0x00, 0x05, 0x05, 0x05, 0x05]));
    let wrong = bytes_of("rv64gc", ".option arch, +zba\n.option arch, +m, -m\n.option arch, +xyz\n", false, &[]);
    assert_eq!(wrong.map_err(|faults| faults.len()), Err(3));
}
