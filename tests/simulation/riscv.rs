//! RISC-V without an operating system, on both engines: programs that say what they leave, and `misa`. `isagen verify --run`
//! compares more, with another machine.

use isa_asm::{Assembler, Options, output};
use isa_engine::{Lengths, Style};
use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, FaultKind, Machine, Stopped};
use std::path::Path;

const BASE: u64 = 0x8000_0000;

/// The bytes of a program, and the registers that its lines `# NAME: a0=1` say it leaves.
fn program(name: &str, text: &str) -> (Vec<u8>, Vec<(String, u128)>) {
    let style = Style { lengths: Lengths::Shortest, ..Style::default() };
    let xlen = if name.contains("64") { "64" } else { "32" };
    let (defines, sections) = (vec![("XLEN".into(), xlen.into())], vec![(".text".into(), BASE)]);
    let codec = isa_engine::open(generated::image(name).expect("it is shipped"), style).expect("an image of this version");
    let options = Options { style, defines, sections, ..Options::default() };
    let mut assembler = Assembler::new(codec, name, options).expect("the syntax is sound");
    for (number, line) in text.lines().enumerate() {
        assembler.line(number + 1, line).unwrap_or_else(|full| panic!("{}", full.0));
    }
    let assembled = assembler.finish();
    assert!(!assembled.has_failed(), "{name}: {:?}", assembled.faults);
    let says = text.lines().filter_map(|line| line.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix(": "));
    let register = |word: &str| {
        let (name, value) = word.split_once('=')?;
        let value = value.strip_prefix("0x").map_or_else(|| value.parse(), |digits| u128::from_str_radix(digits, 16));
        Some((name.to_owned(), value.ok()?))
    };
    (output::bytes(&assembled, 0).expect("it is small"), says.flat_map(|line| line.split(' ').map_while(register)).collect())
}

/// The machine after a program, which ends with `ebreak`.
fn run<'e>(engine: &'e dyn AnyEngine, program: &[u8]) -> Machine<'e> {
    let mut machine = Machine::new(engine).expect("one lane");
    machine.load(BASE, program).expect("memory");
    machine.set_pc(BASE);
    match machine.run(1_000) {
        Stopped::Fault(fault) if fault.kind == FaultKind::Trap => machine,
        other => panic!("{other}"),
    }
}

fn on_both(name: &str, act: impl Fn(&dyn AnyEngine)) {
    let reference = Reference::new(harness::shipped_isa(name)).expect("it can be simulated");
    act(&reference);
    if let Some(compiled) = generated::engine(name) {
        act(&*compiled);
    }
}

#[test]
fn programs_leave_what_they_say() {
    let mut compared = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/machine")).expect("a folder").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a program");
        for name in ["rv64gc", "rv32gc"].into_iter().filter(|name| text.contains(&format!("# {name}: "))) {
            let (bytes, registers) = program(name, &text);
            assert!(!registers.is_empty());
            on_both(name, |engine| {
                let machine = run(engine, &bytes);
                for (register, value) in &registers {
                    let found = machine.get(register).expect("a register");
                    assert_eq!(found, *value, "{}: {register} of {name} is {found:#x}", entry.path().display());
                }
            });
            compared += 1;
        }
    }
    assert_eq!(compared, 5, "programs and instruction sets");
}

/// `misa` has a bit for the group of each extension with a letter, and for user mode.
#[test]
fn misa_is_what_is_described() {
    for (name, width) in [("rv64gc", 64), ("rv64gcb", 64), ("rv32gc", 32), ("rv32imac", 32)] {
        let letters = harness::shipped_isa(name).groups.iter().filter_map(|group| match group.name.as_bytes() {
            [letter] => Some(letter - b'A'),
            _ => None,
        });
        let letters = letters.chain([b'U' - b'A']).fold(0u128, |all, letter| all | 1 << letter);
        let kind = u128::from(width / 32u32) << (width - 2);
        let bytes = program(if name == "rv64gcb" { "rv64gc" } else { name }, " csrr a0, misa\n ebreak\n").0;
        on_both(name, |engine| assert_eq!(run(engine, &bytes).get("a0").expect("a register"), kind | letters, "{name}"));
    }
}
