//! `cargo bench -p benches --bench dispatch`: three ways from an instruction that was made ready to the code of its form: a function
//! that the instruction names, a `match` on the number of its form, and functions each of which calls the next. 64 forms, each on 32
//! lanes, in random order. Prints a Markdown table.

use std::hint::black_box;
use std::time::{Duration, Instant};

const LANES: usize = 32;
const REGISTERS: usize = 64;
const LENGTH: usize = 1024;
const RUNS: usize = 2_000;
const REPEATS: usize = 7;

type Registers = [[u32; LANES]; REGISTERS];
type Run = fn(&Op, &mut Registers);
type Next = fn(&[Op], usize, &mut Registers);

struct Op {
    form: u8,
    run: Run,
    next: Next,
    registers: [u8; 3],
}

/// The body of a form: little, so that the way there counts.
#[inline(always)]
fn body<const FORM: u32>(op: &Op, r: &mut Registers) {
    let [d, a, b] = op.registers.map(usize::from);
    let (x, y) = (r[a % REGISTERS], r[b % REGISTERS]);
    for lane in 0..LANES {
        r[d % REGISTERS][lane] = match FORM % 4 {
            0 => x[lane].wrapping_add(y[lane] ^ FORM),
            1 => x[lane].wrapping_sub(y[lane]) ^ FORM,
            2 => (x[lane] & y[lane]).wrapping_add(FORM),
            _ => x[lane] ^ y[lane] ^ FORM,
        };
    }
}

fn run<const FORM: u32>(op: &Op, r: &mut Registers) {
    body::<FORM>(op, r);
}

fn next<const FORM: u32>(program: &[Op], at: usize, r: &mut Registers) {
    body::<FORM>(&program[at], r);
    if let Some(op) = program.get(at + 1) {
        (op.next)(program, at + 1, r);
    }
}

macro_rules! forms {
    ($($form:literal)*) => {
        const FORMS: &[(Run, Next)] = &[$((run::<$form>, next::<$form>)),*];

        fn by_match(op: &Op, r: &mut Registers) {
            match op.form {
                $($form => body::<$form>(op, r),)*
                _ => {}
            }
        }
    };
}

forms! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
}

fn main() {
    let mut seed = 0x5eed_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as u8
    };
    let program: Vec<Op> = (0..LENGTH)
        .map(|_| {
            let form = random() % 64;
            let (run, next) = FORMS[usize::from(form)];
            Op { form, run, next, registers: [random(), random(), random()] }
        })
        .collect();
    println!("{LENGTH} instructions of {} forms; the best of {REPEATS}.\n", FORMS.len());
    println!("| from an instruction to its code | ns an instruction |");
    println!("|---|---:|");
    let mut registers: Registers = [[1; LANES]; REGISTERS];
    row("a function that it names", || program.iter().for_each(|op| (op.run)(op, &mut registers)));
    row("a table, by the number of its form", || {
        program.iter().for_each(|op| black_box(FORMS)[usize::from(op.form)].0(op, &mut registers));
    });
    row("a `match` on the number of its form", || program.iter().for_each(|op| by_match(op, &mut registers)));
    row("functions each of which calls the next", || (program[0].next)(&program, 0, &mut registers));
    black_box(&registers);
}

fn row(what: &str, mut once: impl FnMut()) {
    let time = |once: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..RUNS).for_each(|_| once());
        start.elapsed()
    };
    let least = (0..REPEATS).map(|_| time(&mut once)).min().unwrap_or(Duration::MAX);
    println!("| {what} | {:.2} |", least.as_nanos() as f64 / (RUNS * LENGTH) as f64);
}
