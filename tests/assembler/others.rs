//! Programs that other assemblers have made bytes of: customasm's examples, and one for a processor of one's own, in the syntax that its specification
//! declares.
//!
//! `customasm/*.bin` is what customasm 0.14.2 makes of its examples `nes_colors.asm` and `gameboy_hello_world.asm`, of the latter with other pictures;
//! `own/main.bin` what it makes of `own/main.s` in its language, with rules for the same processor, and
//! `own/monitor.bin` what it makes of `own/monitor.asm`, which is `own/monitor.s` in its language: `customasm monitor.asm -f binary -o monitor.bin`.
//! `ca65/primes.bin` is what ca65 and ld65 2.19 make of `ca65/primes.ca65`, which is `ca65/primes.s` in the language of ca65.

use super::{assemble, faults};
use isa_asm::{Options, output};
use isa_runtime::Assembly;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/asm").join(name)
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn image(path: &Path) -> Vec<u8> {
    let loaded = isa_spec::load(path);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    isa_tables::image(&isa).expect("it fits tables")
}

/// The bytes of the sections that files have, with their addresses.
fn ranges(image: &[u8], text: &str, folder: &Path, sections: &[(&str, u64)]) -> Vec<(u64, Vec<u8>)> {
    let sections = sections.iter().map(|(name, address)| ((*name).to_owned(), *address)).collect();
    let options = Options { include: vec![folder.to_owned()], sections, ..Options::default() };
    let program = assemble(image, text, options);
    assert_eq!(faults(&program), [""; 0]);
    output::ranges(&program).into_iter().map(|range| (range.address, range.bytes)).collect()
}

#[test]
fn a_cartridge_of_the_nes() {
    let folder = folder("customasm");
    let image = image(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/6502/6502.yaml"));
    let sections = [("header", 0x7ff0), ("zeropage", 0), ("prg", 0x8000), ("vectors", 0xfffa)];
    let found = ranges(&image, &text(&folder.join("nes.s")), &folder, &sections);
    // The file has zeros between the program and the vectors, which are left out here.
    let wanted = std::fs::read(folder.join("nes.bin")).expect("it is there");
    let (program, vectors) = wanted.split_at(wanted.len() - 6);
    assert_eq!(found, [(0x7ff0, program.to_vec()), (0xfffa, vectors.to_vec())]);
}

/// A program that prints prime numbers, for the emulator of cc65.
fn primes() -> Vec<u8> {
    let folder = folder("ca65");
    let image = image(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/6502/6502.yaml"));
    let found = ranges(&image, &text(&folder.join("primes.s")), &folder, &[("prog", 0x1f4), ("data", 0x1000)]);
    let wanted = std::fs::read(folder.join("primes.bin")).expect("it is there");
    assert_eq!(found, [(0x1f4, wanted.clone())]);
    wanted
}

#[test]
fn a_program_for_the_emulator_of_cc65() {
    assert!(!primes().is_empty());
}

#[test]
#[ignore = "needs the emulator of cc65, which ISA_SIM65 names"]
fn the_emulator_of_cc65_runs_it() {
    let emulator = std::env::var_os("ISA_SIM65").expect("ISA_SIM65 names sim65");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("primes.sim65");
    std::fs::write(&path, primes()).expect("the folder for tests can be written to");
    let out = std::process::Command::new(emulator).arg(&path).output().expect("sim65 runs");
    let is_prime = |n: &u32| (2..*n).all(|of| !n.is_multiple_of(of));
    let primes: String = (2..256).filter(is_prime).map(|n| format!("{n} ")).collect();
    assert_eq!((out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned()), (Some(0), primes + "\n"));
}

#[test]
fn a_cartridge_of_the_game_boy() {
    let folder = folder("customasm");
    let options = Options { include: vec![folder.clone()], ..Options::default() };
    let program = assemble(&image(&folder.join("sm83.yaml")), &text(&folder.join("gameboy.s")), options);
    assert_eq!(faults(&program), [""; 0]);
    let mut wanted = std::fs::read(folder.join("gameboy.bin")).expect("it is there");
    // Its rule for `cp n` has the opcode of `cp [hl]`.
    assert_eq!(std::mem::replace(&mut wanted[0x169], 0xfe), 0xbe);
    assert_eq!(output::bytes(&program, 0), Ok(wanted));
}

/// Bytes with those before them; what has none is zero.
fn joined(ranges: Vec<(u64, Vec<u8>)>) -> Vec<u8> {
    let mut all = Vec::new();
    for (address, bytes) in ranges {
        all.resize(address as usize, 0);
        all.extend(bytes);
    }
    all
}

#[test]
fn a_processor_of_ones_own_in_the_syntax_of_its_specification_and_in_that_of_gnu_as() {
    let folder = folder("own");
    let spec = text(&folder.join("own.yaml"));
    let assembly = isa_spec::load_str("own.yaml", &spec, None).isa.expect("a good specification").assembly;
    // The syntax declared by `assembly` is removed, and the programs rewritten in that of GNU as.
    let (before, rest) = spec.split_once("assembly:\n").expect("it declares the syntax");
    let (_, after) = rest.split_once("instructions:\n").expect("instructions follow");
    let plain =
        format!("{before}assembly: {{ modifiers: {{ \"<\": x & 0xff, \">\": (x >> 8) & 0xff }} }}\ninstructions:\n{after}");
    let (own, plain) = (super::image(&spec), super::image(&plain));
    let places: Vec<(&str, u64)> = assembly.sections.iter().map(|(name, address)| (name.as_str(), *address)).collect();
    let more = vec![("prog", 0x40), ("data", 0x340), ("ram", 0x8000)];
    for (name, included, given, sections) in
        [("main", "uart.inc.s", vec![], places), ("monitor", "monitor-math.s", more.clone(), more)]
    {
        let program = text(&folder.join(name).with_extension("s"));
        let wanted = std::fs::read(folder.join(name).with_extension("bin")).expect("it is there");
        assert_eq!(joined(ranges(&own, &program, &folder, &given)), wanted, "{name}");
        let program = program.replace(&format!("        #include \"{included}\""), &text(&folder.join(included)));
        let gnu = in_gnu_syntax(&program, &assembly);
        for sign in ["#d8", "#const", "$ff00", "%10", "\n.loop:"] {
            assert!(program.contains(sign) && !gnu.contains(sign), "{sign} in {gnu}");
        }
        assert_eq!(joined(ranges(&plain, &gnu, &folder, &sections)), wanted, "{gnu}");
    }
}

/// A program with GNU's signs in the place of those that an instruction set declares.
fn in_gnu_syntax(program: &str, assembly: &Assembly) -> String {
    let mut out = String::new();
    let mut label = String::new();
    for line in program.lines() {
        let mut rest = line;
        let mut before = ' ';
        while let Some(c) = rest.chars().next() {
            let name = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
            let (length, new) =
                if let Some(mark) = assembly.comments.iter().find(|mark| rest.starts_with(mark.as_str())) {
                    // The comment is left out.
                    (rest.len().max(mark.len()), String::new())
                } else if c == '"' {
                    let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                    (end, rest[..end].to_owned())
                } else if c == '\'' {
                    (3, rest[..3].to_owned())
                } else if let Some(mark) = assembly.separators.iter().find(|mark| rest.starts_with(mark.as_str())) {
                    (mark.len(), "\n".to_owned())
                } else if let Some((own, is)) = assembly.directives.iter().find(|(own, _)| {
                    rest.strip_prefix(own.as_str()).is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
                }) {
                    // Directives with the same name have other sizes and alignments there.
                    let is = match is.as_str() {
                        ".word" => ".2byte",
                        ".align" => ".balign",
                        is => is,
                    };
                    (own.len(), is.to_owned())
                } else if let Some((prefix, radix)) = assembly.numbers.iter().find(|(prefix, radix)| {
                    rest.strip_prefix(prefix.as_str()).is_some_and(|digits| digits.starts_with(|c: char| c.is_digit(*radix)))
                }) {
                    (prefix.len(), if *radix == 16 { "0x" } else { "0b" }.to_owned())
                } else if let Some(here) = assembly.here.iter().find(|here| rest.starts_with(here.as_str())) {
                    (here.len(), ".".to_owned())
                } else if rest.starts_with(assembly.local.as_str()) && name(&rest[1..]) > 0 && !before.is_alphanumeric() {
                    (1 + name(&rest[1..]), format!("{label}{}", &rest[..1 + name(&rest[1..])]))
                } else if name(rest) > 0 {
                    let own = &rest[..name(rest)];
                    if rest[own.len()..].starts_with(':') {
                        own.clone_into(&mut label);
                    }
                    (own.len(), own.to_owned())
                } else {
                    (c.len_utf8(), c.to_string())
                };
            out.push_str(&new);
            before = rest[..length].chars().next_back().unwrap_or(' ');
            rest = &rest[length..];
        }
        out.push('\n');
    }
    out
}
