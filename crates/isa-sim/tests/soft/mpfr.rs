//! Against MPFR. `ISA_MPFR` is a C compiler, which finds MPFR and GMP with their headers (Debian's `libmpfr-dev`).
//!
//! ```text
//! ISA_MPFR=cc ISA_SOFT_CASES=10000000 cargo test --release -p isa-sim --test soft mpfr -- --ignored --nocapture
//! ```

use crate::arithmetic::soft;
use crate::exact::{OPS, Op};
use crate::many;
use crate::operands::{ROUNDS, Random, few, hard};
use isa_sim::soft::{self, *};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An inexact result is tiny before it is rounded: the highest flag of `mpfr.c`.
const TINY_BEFORE: Raised = 1 << 5;

fn compiled(compiler: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soft/mpfr.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpfr");
    let mut command = Command::new(compiler);
    command.args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(source).args(["-lmpfr", "-lgmp", "-lm"]);
    assert!(command.status().expect("the compiler runs").success(), "{command:?}");
    program
}

fn operands_of(op: Op) -> usize {
    match op {
        Op::Sqrt => 1,
        Op::Fma => 3,
        _ => 2,
    }
}

/// All tuples of hard operands, or of fewer for triples, and then random ones.
fn operands(op: Op, f: Format, cases: u64) -> impl Iterator<Item = [u64; 3]> + Send {
    let hard = if op == Op::Fma { few(f) } else { hard(f) };
    let more = |n: usize| if operands_of(op) > n { hard.clone() } else { vec![0] };
    let (second, third) = (more(1), more(2));
    let pairs = hard.into_iter().flat_map(move |a| second.clone().into_iter().map(move |b| (a, b)));
    let triples = pairs.flat_map(move |(a, b)| third.clone().into_iter().map(move |c| [a, b, c]));
    let mut random = Random(op as u64 + 77);
    triples.chain((0..cases).map(move |_| random.triple(f)))
}

/// Compares an answer of the program: a result and its flags for each direction. MPFR has one NaN, which is not signalling: for
/// NaNs, only results are compared, not flags.
fn compare(op: Op, f: Format, operands: [u64; 3], answer: &[u64]) {
    let of_nan = operands[..operands_of(op)].iter().any(|x| soft::classify(f, *x) >= 1 << 8);
    for (round, theirs) in ROUNDS.into_iter().zip(answer.chunks_exact(2)) {
        let (bits, flags) = (theirs[0], theirs[1] as Raised);
        for tiny_before in [false, true] {
            let underflow = if tiny_before { flags / TINY_BEFORE * UNDERFLOW } else { flags & UNDERFLOW };
            let expected = (bits, flags & (INEXACT | OVERFLOW | DIVISION_BY_ZERO | INVALID) | underflow);
            let found = soft(op, f, &Rules { tiny_before, ..Rules::RISCV }, operands, round);
            let same = if of_nan { found.0 == bits } else { found == expected };
            assert!(same, "{op:?} {f:?} {round:?} {operands:x?}: {found:x?}, expected {expected:x?}");
        }
    }
}

fn run(program: &Path, op: Op, f: Format) -> u64 {
    let mut command = Command::new(program);
    command.args([format!("{op:?}"), f.exponent.to_string(), f.fraction.to_string()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
    let mut input = BufWriter::with_capacity(1 << 16, child.stdin.take().expect("it is piped"));
    let mut output = BufReader::with_capacity(1 << 16, child.stdout.take().expect("it is piped"));
    let cases = many();
    // If a comparison fails, the output is dropped, which ends the program and the thread that writes to it.
    let compared = std::thread::scope(move |scope| {
        let mut compared = 0;
        scope.spawn(move || {
            for x in operands(op, f, cases).flatten() {
                input.write_all(&x.to_ne_bytes()).expect("the program reads");
            }
            input.flush().expect("the program reads");
        });
        for x in operands(op, f, cases) {
            let mut bytes = [0; 16 * ROUNDS.len()];
            output.read_exact(&mut bytes).expect("an answer");
            let answer: Vec<u64> = bytes.chunks_exact(8).map(|x| u64::from_ne_bytes(x.try_into().expect("8 bytes"))).collect();
            compare(op, f, x, &answer);
            compared += 1;
        }
        compared
    });
    assert!(child.wait().expect("the program ends").success());
    compared
}

#[test]
#[ignore = "needs MPFR"]
fn mpfr() {
    let program = compiled(&std::env::var("ISA_MPFR").expect("ISA_MPFR is a C compiler"));
    for f in [Format::F16, Format::F32, Format::F64] {
        for op in OPS {
            let cases = run(&program, op, f);
            println!("{op:?} of {} bits: {cases} cases in five directions, no difference", f.width());
        }
    }
}
