//! The runtime goes by another name, and code for an instruction is chosen by a handler.
mod support {
    pub(super) use isa_runtime as engine;
}

isa_macros::define_isa!(
    crate = crate::renamed::support::engine,
    r#"
isa: counter
word: 8
instructions:
  step: { fix: { 7..4: 1 }, fields: { n: 3..0 }, text: "step {n}" }
  stop: { fix: { 7..0: 0 }, text: "stop" }
"#
);

use counter::{Dispatch, Handler, Insn, Step};

/// Counts; `false` ends the program.
struct Counter(u64);

impl Handler for Counter {
    type Output = bool;

    fn step(&mut self, insn: Step) -> bool {
        self.0 += u64::from(insn.n());
        true
    }

    fn other(&mut self, _: Insn) -> bool {
        false
    }
}

#[test]
fn runs() {
    let mut counter = Counter(0);
    let words = [0x13, 0x14, 0x00];
    let ran: Vec<bool> = words.map(|word| Dispatch::<Counter>::run(&mut counter, counter::decode(word).expect("good"))).into();
    assert_eq!((ran, counter.0), (vec![true, true, false], 7));
}
