//! Lines that are made of a specification, each against what other assemblers make of it: every text of every form, with registers and numbers at
//! the edges, and every pseudo-instruction.
//!
//! `programs/asm/lines/` has some of them with the bytes that GNU as 2.40 (with and without compressed instructions) and ca65 2.19 make. The tests
//! that need these assemblers try all lines; with `BLESS=1` they write the files.

use super::{assemble, options};
use harness::{Codec, load};
use isa_asm::output;
use isa_spec::model::{Field, Form, Isa, Label, Word};
use isa_spec::print::print_pieces;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The bytes between the beginnings of two lines: more than any of them has.
const APART: usize = 48;

/// What follows the bytes of a line.
const MARK: [u8; 3] = [0xee; 3];

/// The greatest number of words of a form whose texts are lines.
const WORDS: usize = 160;

/// The address at which targets are shown, and which stands for `.`.
const HERE: u64 = 0x4560;

fn registers(field: &Field, isa: &Isa) -> Option<Vec<u128>> {
    let Label::Register(file) = field.label else { return None };
    let file = &isa.registers[file.index()];
    let first = file.part_of.map_or(0, |part| u128::from(part.from));
    Some([0, 1, 2, 10, 11, 5, 8].into_iter().filter_map(|number: u128| field.bits_of(number.checked_sub(first)?)).collect())
}

/// The bits of a field that are tried.
fn values(field: &Field, isa: &Isa) -> Vec<u128> {
    let width = field.bits.width();
    let ones = u128::MAX >> (128 - width);
    let mut all = match registers(field, isa) {
        _ if field.is_target() => vec![0],
        Some(registers) => registers,
        None if width <= 2 => (0..=ones).collect(),
        None => {
            let names = field.spelling.parts.iter().flat_map(|part| &part.names).map(|name| name.number);
            let edges = [0, 1, 2, 5, 31, ones >> 1, (ones >> 1) + 1, ones - 1, ones];
            edges.into_iter().chain(names.step_by(37)).filter(|raw| *raw <= ones).collect()
        }
    };
    all.dedup();
    all
}

/// The words of a form with these values.
fn words(codec: &Codec<'_>, form: &Form) -> Vec<Word> {
    let isa = codec.isa();
    let fields: Vec<(&Field, Vec<u128>)> = form.fields.iter().map(|field| (field, values(field, isa))).collect();
    let count: usize = fields.iter().map(|(_, values)| values.len()).product();
    let word = |number: usize| {
        let mut rest = number;
        fields.iter().fold(form.default_word(), |word, (field, values)| {
            let value = values[rest % values.len()];
            rest /= values.len();
            field.bits.set(word, value)
        })
    };
    // The step has no divisor in common with the numbers of values.
    let step = if count > WORDS { (count / WORDS).next_multiple_of(2) * 3 * 5 * 7 + 1 } else { 1 };
    let all = (0..count.min(WORDS)).map(|i| word(i * step % count));
    all.filter(|word| codec.decode(*word, form.length) == Ok(form.id)).collect()
}

/// All texts of the forms of an instruction set; a target is `here`, or what follows it.
fn texts(isa: &Isa, here: &str) -> BTreeSet<String> {
    let codec = Codec::new(isa);
    let mut all = BTreeSet::new();
    for form in &isa.forms {
        for word in words(&codec, form) {
            let always = std::iter::once(&form.text).chain(&form.also);
            let spelt = form.spelt.iter().filter(|spelt| spelt.when.words.contains(word)).map(|spelt| &spelt.text);
            for pieces in always.chain(spelt) {
                let mut text = String::new();
                print_pieces(form, pieces, (word, &[]), HERE, &mut |_| 0, &mut text);
                all.insert(text.replace("0x4560", here).replace("0x4562", &format!("{here}+2")));
            }
        }
    }
    all
}

/// All pseudo-instructions, with registers and numbers in the place of what they leave open.
fn pseudo(isa: &Isa) -> BTreeSet<String> {
    let registers = ["zero", "ra", "sp", "a0", "a1", "t0", "s0"].map(str::to_owned);
    let numbers = [
        "0",
        "1",
        "-1",
        "5",
        "-32",
        "31",
        "32",
        "2047",
        "-2048",
        "2048",
        "-2049",
        "4095",
        "0x7ffff000",
        "0x7fffffff",
        "-0x80000000",
        "0x80000000",
        "0xffffffff",
        "0x12345678",
        "0x100000000",
        "0x123456789abcdef0",
        "-0x8000000000000000",
    ];
    let mut all = BTreeSet::new();
    for pseudo in &isa.assembly.pseudo {
        let mut lines = vec![String::new()];
        let mut rest = pseudo.text.as_str();
        while let Some((before, inside)) = rest.split_once('{') {
            let (name, after) = inside.split_once('}').expect("braces are closed");
            let ways: Vec<String> = match name.split_once(':') {
                None => registers.to_vec(),
                Some(("x" | "n", "expr")) => numbers.map(str::to_owned).to_vec(),
                Some((_, "expr")) => vec![".".to_owned()],
                Some((_, names)) => names.split('|').map(str::to_owned).collect(),
            };
            let with = |line: &String| ways.iter().map(|way| format!("{line}{before}{way}")).collect::<Vec<_>>();
            lines = lines.iter().flat_map(with).collect();
            rest = after;
        }
        all.extend(lines.into_iter().map(|line| line + rest));
    }
    all
}

/// The bytes of each line; none where it is refused. `around` puts a line into a program, `make` assembles a program, or returns the numbers of
/// the lines that are wrong.
fn bytes(
    lines: &[String],
    around: fn(usize, &str) -> String,
    mut make: impl FnMut(&str) -> Result<Vec<u8>, BTreeSet<usize>>,
) -> Vec<Made> {
    let mut refused: BTreeSet<usize> = BTreeSet::new();
    for _ in 0..4 {
        let line = |(i, line): (usize, &String)| around(i, if refused.contains(&i) { "" } else { line });
        let program: String = lines.iter().enumerate().map(line).collect();
        match make(&program) {
            Ok(found) => {
                let own = |i: usize| {
                    let own = &found[i * APART..((i + 1) * APART).min(found.len())];
                    let end = own.windows(MARK.len()).rposition(|at| at == MARK).expect("a mark follows each line");
                    (!refused.contains(&i)).then(|| own[..end].to_vec())
                };
                return (0..lines.len()).map(own).collect();
            }
            Err(wrong) => {
                assert!(!wrong.is_empty(), "the program is refused without a line");
                refused.extend(wrong.into_iter().map(|number| (number - 1) / 3));
            }
        }
    }
    panic!("lines are refused again and again");
}

fn in_gnu_syntax(number: usize, line: &str) -> String {
    in_own_syntax(number, line).replace('*', ".")
}

fn in_own_syntax(number: usize, line: &str) -> String {
    format!("L{number}: {line}\n .byte 0xee, 0xee, 0xee\n .space {APART} - (* - L{number})\n")
}

fn in_ca65_syntax(number: usize, line: &str) -> String {
    let line = line.replace("0x", "$");
    format!("L{number}: {line}\n .byte $ee, $ee, $ee\n .res {APART} - (* - L{number})\n")
}

/// What is made of a line: its bytes, or none where it is refused.
type Made = Option<Vec<u8>>;

fn own(image: &[u8], lines: &[String], around: fn(usize, &str) -> String, long: bool) -> Vec<Made> {
    bytes(lines, around, |program| {
        let program = assemble(image, program, options(long));
        let wrong: BTreeSet<usize> = program.faults_in_order().map(|fault| fault.line).collect();
        if program.has_failed() { Err(wrong) } else { Ok(output::bytes(&program, 0).expect("it is small")) }
    })
}

fn written(made: &Made) -> String {
    made.as_ref().map_or("refused".to_owned(), |bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads or, with `BLESS=1`, writes some of the lines and what the other assembler makes of them, and returns them.
fn sample(name: &str, lines: Option<&[(String, Vec<Made>)]>) -> Vec<(String, Vec<Made>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/asm/lines/{name}.txt"));
    if let Some(lines) = lines.filter(|_| std::env::var_os("BLESS").is_some()) {
        let row = |(line, made): &(String, Vec<Made>)| {
            std::iter::once(line.clone()).chain(made.iter().map(written)).collect::<Vec<_>>().join(" | ") + "\n"
        };
        let some: String = lines.iter().step_by(lines.len() / SAMPLE).map(row).collect();
        std::fs::write(&path, some).expect("the folder is there");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).expect("digits"), 16).expect("digits");
    let made = |hex: &str| (hex != "refused").then(|| hex.as_bytes().chunks(2).map(byte).collect());
    let row = |row: &str| {
        let mut parts = row.split(" | ");
        (parts.next().expect("a line").to_owned(), parts.map(made).collect())
    };
    text.lines().map(row).collect()
}

/// The number of lines in a sample.
const SAMPLE: usize = 600;

/// The lines of which something else is made than of GNU as: none, but for those that the manual of the assembler explains.
fn other_than_gnu(name: &str, lines: &[(String, Vec<Made>)]) -> Vec<String> {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../specs/{name}.yaml")));
    let image = isa_tables::image(isa).expect("it fits tables");
    let texts: Vec<String> = lines.iter().map(|(line, _)| line.clone()).collect();
    let [short, long] = [false, true].map(|long| own(&image, &texts, in_gnu_syntax, long));
    let is_less = |ours: &Made, theirs: &Made| ours.as_ref().zip(theirs.as_ref()).is_some_and(|(a, b)| a.len() < b.len());
    let mut other = Vec::new();
    for (((line, theirs), short), long) in lines.iter().zip(short).zip(long) {
        // The words of short instructions do not depend on what is preferred, and GNU as does not have them then.
        let is_long_right = long == theirs[1] || line.starts_with("c.");
        let is_short_right = short == theirs[0] || is_long_right && is_less(&short, &theirs[0]);
        let is_known = match line.as_str() {
            // objdump prints it.
            "c.addi16sp sp,0" => short.is_some(),
            // Nothing is written to the register `zero`, in one word.
            _ if line.starts_with("li zero,") => is_less(&long, &theirs[1]) || short.is_none() && name == "rv32gc",
            // GNU as loads 0.
            _ if line.starts_with("li ") && name == "rv32gc" => long.is_none(),
            // -1, in 32 bits.
            _ if line.starts_with('j') && line.ends_with(",0xffffffff") && name == "rv32gc" => long.is_none(),
            _ => false,
        };
        if !(is_long_right && is_short_right || is_known) {
            let made = [&short, &theirs[0], &long, &theirs[1]].map(written);
            other.push(format!("{line}: {} for {}, {} for {}", made[0], made[1], made[2], made[3]));
        }
    }
    other
}

#[test]
fn some_lines_of_specifications_are_those_of_gnu_as() {
    for name in ["rv64gcb", "rv32gc"] {
        assert_eq!(other_than_gnu(name, &sample(name, None)), [""; 0], "{name}");
    }
}

/// The lines of which something else is made than of ca65.
fn other_than_ca65(lines: &[(String, Vec<Made>)]) -> Vec<String> {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/6502/6502.yaml"));
    let image = isa_tables::image(isa).expect("it fits tables");
    let texts: Vec<String> = lines.iter().map(|(line, _)| line.clone()).collect();
    let ours = own(&image, &texts, in_own_syntax, false);
    let other = lines.iter().zip(&ours).filter(|((_, theirs), ours)| theirs[0] != **ours);
    other.map(|((line, theirs), ours)| format!("{line}: {} for {}", written(ours), written(&theirs[0]))).collect()
}

#[test]
fn some_lines_of_the_6502_are_those_of_ca65() {
    assert_eq!(other_than_ca65(&sample("6502", None)), [""; 0]);
}

fn gnu(work: &Path, [arch, abi, emulation]: [&str; 3], program: &str) -> Result<Vec<u8>, BTreeSet<usize>> {
    let at = |name: &str| work.join(name).to_str().expect("a plain path").to_owned();
    std::fs::write(at("p.s"), program).expect("the folder for tests can be written to");
    let run = |tool: &str, arguments: &[&str]| {
        Command::new(format!("riscv64-linux-gnu-{tool}")).args(arguments).output().expect("the GNU toolchain is there")
    };
    let (arch, abi) = (format!("-march={arch}"), format!("-mabi={abi}"));
    let said = run("as", &[&arch, &abi, "-mno-relax", &at("p.s"), "-o", &at("p.o")]);
    if !said.status.success() {
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let line = |line: &str| line.split_once(": Error")?.0.rsplit_once(':')?.1.parse().ok();
        return Err(said.lines().filter_map(line).collect());
    }
    let linked = run(
        "ld",
        &["-m", emulation, "-static", "--no-relax", "--no-warn-rwx-segments", "-Ttext=0", &at("p.o"), "-o", &at("p.elf")],
    );
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    assert!(run("objcopy", &["-O", "binary", "-j", ".text", &at("p.elf"), &at("p.bin")]).status.success());
    Ok(std::fs::read(at("p.bin")).expect("it was made"))
}

#[test]
#[ignore = "needs GNU as and ld 2.40 for RISC-V"]
fn lines_of_specifications_are_those_of_gnu_as() {
    let work = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gnu-lines");
    std::fs::create_dir_all(&work).expect("a folder for what is made");
    let machines = [
        ("rv64gcb", ["rv64gc_zba_zbb_zbs", "rv64g_zba_zbb_zbs"], ["lp64d", "elf64lriscv"]),
        ("rv32gc", ["rv32gc", "rv32g"], ["ilp32d", "elf32lriscv"]),
    ];
    for (name, archs, [abi, emulation]) in machines {
        let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../specs/{name}.yaml")));
        // GNU as 2.40 does not have Zicond; a mnemonic that ends with a point is a part of others; `.insn` and `.option` have other
        // tests, as have variables of threads, whose place can't be here.
        let not_theirs = ["czero", "insn.", "option.", "la.tls."];
        let is_theirs = |line: &String| {
            !not_theirs.iter().any(|begin| line.starts_with(begin)) && !line.contains(". ") && !line.contains("%tprel_add")
        };
        let lines = texts(isa, ".").into_iter().chain(pseudo(isa)).filter(is_theirs);
        let lines: Vec<String> = lines.collect::<BTreeSet<_>>().into_iter().collect();
        let [short, long] = archs.map(|arch| bytes(&lines, in_gnu_syntax, |program| gnu(&work, [arch, abi, emulation], program)));
        let made = short.into_iter().zip(long).map(|(short, long)| vec![short, long]);
        let lines: Vec<(String, Vec<Made>)> = lines.into_iter().zip(made).collect();
        println!("{name}: {} lines", lines.len());
        sample(name, Some(&lines));
        assert_eq!(other_than_gnu(name, &lines), [""; 0], "{name}");
    }
}

fn ca65(work: &Path, program: &str) -> Result<Vec<u8>, BTreeSet<usize>> {
    let at = |name: &str| work.join(name).to_str().expect("a plain path").to_owned();
    std::fs::write(at("p.s"), program).expect("the folder for tests can be written to");
    let memory = "MEMORY { M: start = 0, size = $200000, file = %O; } SEGMENTS { CODE: load = M, type = ro; }";
    std::fs::write(at("p.cfg"), memory).expect("the folder for tests can be written to");
    let run = |tool: &str, arguments: &[&str]| Command::new(tool).args(arguments).output().expect("cc65 is there");
    let said = run("ca65", &[&at("p.s"), "-o", &at("p.o")]);
    if !said.status.success() {
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let line = |line: &str| line.split_once("): Error")?.0.rsplit_once('(')?.1.parse().ok();
        return Err(said.lines().filter_map(line).collect());
    }
    let linked = run("ld65", &["-C", &at("p.cfg"), &at("p.o"), "-o", &at("p.bin")]);
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    Ok(std::fs::read(at("p.bin")).expect("it was made"))
}

#[test]
#[ignore = "needs ca65 and ld65 of cc65"]
fn lines_of_the_6502_are_those_of_ca65() {
    let work = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ca65-lines");
    std::fs::create_dir_all(&work).expect("a folder for what is made");
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/6502/6502.yaml"));
    // An operand of two bytes can be written so, whatever its value is.
    let prefixed = |text: String| match text.split_once(" 0x") {
        Some((mnemonic, rest)) => vec![text.clone(), format!("{mnemonic} a:0x{rest}")],
        None => vec![text],
    };
    let lines: BTreeSet<String> = texts(isa, "*").into_iter().flat_map(prefixed).collect();
    let lines: Vec<String> = lines.into_iter().collect();
    let theirs = bytes(&lines, in_ca65_syntax, |program| ca65(&work, program));
    let lines: Vec<(String, Vec<Made>)> = lines.into_iter().zip(theirs.into_iter().map(|made| vec![made])).collect();
    println!("{} lines", lines.len());
    sample("6502", Some(&lines));
    assert_eq!(other_than_ca65(&lines), [""; 0]);
}
