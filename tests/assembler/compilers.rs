//! The output of compilers. With `-- --ignored`, gcc and clang compile the programs of `tests/programs/c` in several ways; each is
//! assembled, linked by GNU ld and run by qemu, as what GNU as makes of it.

use super::gnu::tool;
use super::{assemble, faults, options};
use isa_asm::{Options, Program, RelocationOf, output};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/c")
}

fn object(text: &str) -> Program {
    let options = Options { relocatable: true, ..options(false) };
    assemble(generated::image("rv64gc").expect("it is shipped"), text, options)
}

/// What a linker sees: the bytes of sections, the relocations with their symbols, and the symbols that are global.
fn facts(program: &Program) -> String {
    let mut out = String::new();
    for (place, section) in program.sections.iter().enumerate().filter(|(_, section)| section.size > 0) {
        let _ = writeln!(out, "{} {} align {}", section.name, section.size, section.align);
        for line in program.bytes(place).chunks(32) {
            let _ = writeln!(out, "  {}", line.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        }
        for own in program.relocations.iter().filter(|own| own.section == place) {
            let of = match own.of {
                RelocationOf::Symbol(symbol) => &program.symbols[symbol].name,
                RelocationOf::Section(section) => &program.sections[section].name,
            };
            let _ = writeln!(out, "  {:#x}: {} {of} {:+}", own.offset, own.kind, own.addend);
        }
    }
    for symbol in program.symbols.iter().filter(|symbol| symbol.is_global || symbol.is_weak || !symbol.is_defined) {
        let _ = writeln!(out, "{} type {} size {}", symbol.name, symbol.kind, symbol.size);
    }
    out
}

#[test]
fn what_compilers_have_written_assembles() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "s") {
            continue;
        }
        let program = object(&std::fs::read_to_string(&path).expect("it is text"));
        assert_eq!(faults(&program), [""; 0], "{}", path.display());
        let (made, file) = (facts(&program), path.with_extension("facts"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, &made).expect("it can be written");
        }
        assert_eq!(made, std::fs::read_to_string(&file).unwrap_or_default(), "{}", file.display());
        count += 1;
    }
    assert_eq!(count, 4, "files of compilers");
}

#[test]
#[ignore = "needs gcc and binutils for riscv64-linux-gnu, clang, and qemu-riscv64, which ISA_QEMU names"]
fn the_output_of_compilers_runs_as_with_gnu_as() {
    let qemu = std::env::var_os("ISA_QEMU").expect("ISA_QEMU names qemu-riscv64");
    let work = std::env::temp_dir().join(format!("isa-compilers-{}", std::process::id()));
    std::fs::create_dir_all(&work).expect("a folder for what is made");
    let at = |name: &str| work.join(name).to_str().expect("a plain path").to_owned();
    let gcc = "riscv64-linux-gnu-gcc";
    let clang = ["--target=riscv64-linux-gnu", "-I/usr/riscv64-linux-gnu/include"];
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder()).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "c") {
            continue;
        }
        let source = path.to_str().expect("a plain path");
        for (compiler, more) in [(gcc, &[][..]), ("clang", &clang)] {
            for level in ["-O0", "-O1", "-O2", "-Os"] {
                for pic in ["-fno-pic", "-fPIC"] {
                    let name = format!("{source} {compiler} {level} {pic}");
                    let out = at("p.s");
                    let arguments = [more, &["-w", level, pic, "-S", source, "-o", &out]].concat();
                    assert!(tool(compiler, &arguments), "{name}");
                    let text = std::fs::read_to_string(work.join("p.s")).expect("it was made");
                    // GNU as does not know the tables of clang's own linker.
                    let plain =
                        text.lines().filter(|line| !line.contains(".addrsig")).fold(String::new(), |all, line| all + line + "\n");
                    std::fs::write(work.join("g.s"), plain).expect("it can be written");
                    let program = object(&text);
                    let faults = faults(&program);
                    if !faults.is_empty() {
                        wrong.push(format!("{name}: {faults:#?}"));
                        continue;
                    }
                    std::fs::write(work.join("o.o"), output::elf(&program, 243, true).expect("it fits"))
                        .expect("it can be written");
                    assert!(
                        tool("riscv64-linux-gnu-as", &["-march=rv64gc", "-mno-relax", &at("g.s"), "-o", &at("g.o")]),
                        "{name}"
                    );
                    let run = |object: &str, program: &str| {
                        assert!(tool(gcc, &["-static", &at(object), "-o", &at(program)]), "{name}: {object}");
                        Command::new(&qemu).arg(at(program)).output().expect("qemu starts")
                    };
                    if run("o.o", "own") != run("g.o", "gnu") {
                        wrong.push(name);
                    }
                    count += 1;
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&work);
    assert_eq!(wrong, [""; 0], "{count} ran");
    assert_eq!(count, 40 * 16);
}
