//! What an instruction may write is known from its word: of both engines the same, and all that it then writes.

use harness::load;
use isa_reference::eval::{Reference, Written};
use isa_reference::samples::Random;
use isa_sim::{Engine, State as _, Which, Write};
use isa_spec::model::{Isa, Word};
use std::path::Path;

/// Random words of each form, on random registers.
fn all_is_known(file: &str, compiled: &impl Engine) {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    let (known, all) = are_known(isa, |word, bits, writes| assert_eq!(compiled.writes(word, bits).as_ref(), Some(writes)));
    // Some numbers are computed.
    assert!(2 * known > all && all > 20, "{file}: {known} of {all}");
}

/// The words all of whose registers are known, and all words.
fn are_known(isa: &Isa, check: impl Fn(Word, u32, &Vec<Write>)) -> (usize, usize) {
    let reference = Reference::new(isa).expect("it can be simulated");
    let (mut state, mut scene, info) = (reference.state(), reference.scene(), reference.machine());
    let mut random = Random::new(1);
    let (mut known, mut all) = (0, 0);
    for form in isa.forms.iter().filter(|form| form.behaviour.is_some()) {
        for _ in 0..4 {
            let word = random.word_of(form);
            let Ok(op) = reference.prepare(word, form.length) else { continue };
            let text = || reference.text(word, form.length, 0);
            let writes = reference.writes(word, form.length).expect("it is an instruction");
            check(word, form.length, &writes);
            for (file, registers) in info.registers.iter().enumerate() {
                for index in 0..registers.count.min(32) {
                    state.set_register(file, index, 0, random.value(registers.width));
                }
            }
            for written in reference.trace(&op, &mut state, &mut scene).written {
                let holds = |which: Which, index: usize| which == Which::All || which == Which::One(index as u32);
                let is_known = |write: &Write| match (*write, written) {
                    (Write::Register(own, which), Written::Register(file, index, _)) => {
                        let (file, index) = state.own(file, index);
                        own as usize == file && holds(which, index)
                    }
                    (Write::Flags(own, which), Written::Flags(file, index, _)) => own as usize == file && holds(which, index),
                    (Write::Value(own), Written::Value(value, _)) => own as usize == value,
                    (_, Written::Memory(..)) => true,
                    _ => false,
                };
                assert!(
                    writes.iter().any(is_known) || matches!(written, Written::Memory(..)),
                    "{}: {written:?} of {writes:?}",
                    text()
                );
            }
            all += 1;
            known += usize::from(!writes.iter().any(|write| matches!(write, Write::Register(_, Which::All))));
        }
    }
    (known, all)
}

/// Parts of registers, numbers that are added to and computed, parts of flags, functions and variables.
#[test]
fn writes_of_each_kind() {
    let text = r#"
isa: kinds
word: 16
registers: { R: { index: 3, width: 16 }, H: { index: 4, width: 8 } }
machine:
  pc: 16
  views: { H: R }
  flags: { F: { count: 2, flags: [z, c] } }
  state: { a: 8, b: 8 }
  functions: |
    fn put(n: 3, x: 16) { let to = n; R[to] = x; a = x[7..0]; }
formats: { f: { fields: { op: 15..12, d: 6..4, n: 3..0 }, rest: ignored } }
instructions:
  half: { extends: f, fix: { op: 1 }, text: "half {d}, {n}", semantics: "H[n] = 1;" }
  two: { extends: f, fix: { op: 2 }, text: "two {d}, {n}", semantics: "put(d, 7); R[3] = 1;" }
  some: { extends: f, fix: { op: 3 }, text: "some {d}, {n}", semantics: "let i = d; if n == 3 { i = 2; } R[i] = 4;" }
  bits: { extends: f, fix: { op: 4 }, text: "bits {d}, {n}", semantics: "let r = R[0]; R[d][3..0] = n; F[n[0]].c = 1; a ++ b = r;" }
  sum: { extends: f, fix: { op: 5 }, text: "sum {d}, {n}", semantics: "R[d + 1] = 1;" }
"#;
    let isa = isa_spec::load_texts("kinds.yaml", &[("kinds.yaml", text)]);
    let isa = isa.isa.unwrap_or_else(|| panic!("{:#?}", isa.diagnostics));
    are_known(&isa, |word, _, writes| {
        let n = |lo: u32, bits: u32| (word.low() >> lo) as u32 & ((1 << bits) - 1);
        let (d, n) = (n(4, 3), n(0, 4));
        let register = |number| Write::Register(0, Which::One(number));
        let expected = match word.low() >> 12 & 0xf {
            1 => vec![register(n / 2)],
            2 => vec![register(3), register(d), Write::Value(0)],
            4 => vec![register(d), Write::Flags(0, Which::All), Write::Value(0), Write::Value(1)],
            _ => vec![Write::Register(0, Which::All)],
        };
        assert_eq!(*writes, expected, "{word:#x}");
    });
}

#[test]
fn writes_of_riscv() {
    all_is_known("../specs/rv64gc.yaml", &generated::rv64gc::sim::Compiled::new());
}

#[test]
fn writes_of_other_cores() {
    all_is_known("specs/programs/core.yaml", &crate::engines::core::sim::Compiled::new());
    all_is_known("specs/programs/events.yaml", &crate::engines::events::sim::Compiled::new());
    all_is_known("specs/programs/scalar.yaml", &crate::engines::scalar::sim::Compiled::new());
}
