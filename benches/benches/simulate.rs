//! `cargo bench -p benches --bench simulate`: thread instructions a second of loops on SM 1.0, compiled semantics on one thread, and
//! how much faster the same loop is in Rust. Prints a Markdown table.

use generated::flexgrip::sim::Compiled;
use isa_runtime::U256;
use isa_sim::{Launch, Placed, Program, run};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LANES: usize = 32;
const RUNS: usize = 7;

/// Five instructions a turn, 0x100000 turns.
const INTEGER: &str = "
    0001000310008011 # MVI R4, 0x100000
    0000000310018005 # MVI R1, 0x1
    0000000310008009 # MVI R2, 0x0
    040007c020000205 # 0x18: IADD.C0 R1, R1, R0
    0000000320018409 # IADD32I R2, R2, 0x1
    040047802040060d # IADD R3, R3, -R1
    040107c8204005fd # IADD.C0 o[0x7f], R2, -R4
    0000028010003003 # BRA C0.NE, 0x18
    0000078030000003 # RET
";
/// Six instructions a turn, two of which are accesses; 0x40000 turns.
const MEMORY: &str = "
    0000400310008011 # MVI R4, 0x40000
    0000000310008009 # MVI R2, 0x0
    c410078030020015 # SHL R5, R0, 0x2
    80c00780d00e0a05 # 0x18: GLD.U32 R1, global14[R5]
    0400878020000205 # IADD R1, R1, R2
    a0c00780d00e0a05 # GST.U32 global14[R5], R1
    0000000320018409 # IADD32I R2, R2, 0x1
    040107c8204005fd # IADD.C0 o[0x7f], R2, -R4
    0000028010003003 # BRA C0.NE, 0x18
    0000078030000003 # RET
";

fn main() {
    println!("The best of {RUNS} runs, one thread; a block of {LANES} threads is a warp.\n");
    println!("| loop | thread instructions a second, one warp | eight warps | in Rust, over {LANES} lanes | ratio |");
    println!("|---|---:|---:|---:|---:|");
    row("integer: four that compute, two of them with flags, and a branch", INTEGER, native_integer());
    row("memory: a load, a store, three that compute, and a branch", MEMORY, native_memory());
}

fn row(what: &str, program: &str, native: f64) {
    let [one, eight] = [1, 8].map(|warps| simulated(program, warps));
    println!("| {what} | {one:.2e} | {eight:.2e} | {native:.2e} | {:.1} |", native / one);
}

/// The words of a listing, of 32 or 64 bits.
fn words(text: &str) -> Vec<Placed> {
    let mut address = 0;
    let words = text.lines().filter_map(|line| line.split('#').next()?.split_whitespace().next()).map(|digits| {
        let bits = 4 * digits.len() as u32;
        let placed = Placed { address, word: U256::from_str_radix(digits, 16).expect("a word"), bits };
        address += u64::from(bits / 8);
        placed
    });
    words.collect()
}

fn simulated(program: &str, warps: u32) -> f64 {
    let engine = Compiled::new();
    let program = Program::new(&engine, &words(program)).expect("words one after the other");
    let launch = Launch { block: [LANES as u32 * warps, 1, 1], ..Launch::default() };
    let rate = || {
        let done = run(&engine, &program, &launch, None).expect("it ends");
        done.statistics.thread_instructions as f64 / done.statistics.time.as_secs_f64()
    };
    (0..RUNS).map(|_| rate()).fold(0.0, f64::max)
}

fn best(instructions: u64, mut once: impl FnMut()) -> f64 {
    let time = |once: &mut dyn FnMut()| {
        let start = Instant::now();
        once();
        start.elapsed()
    };
    let least = (0..RUNS).map(|_| time(&mut once)).min().unwrap_or(Duration::MAX);
    (instructions * LANES as u64) as f64 / least.as_secs_f64()
}

/// Registers and flags of the lanes, as the simulator has them.
#[derive(Clone)]
struct Registers {
    r: [[u32; LANES]; 6],
    flags: [u8; LANES],
}

impl Registers {
    fn new(turns: u32) -> Self {
        let mut r = [[0; LANES]; 6];
        r[0] = std::array::from_fn(|lane| lane as u32);
        r[1] = [1; LANES];
        r[4] = [turns; LANES];
        r[5] = std::array::from_fn(|lane| 4 * lane as u32);
        Self { r, flags: [0; LANES] }
    }
}

/// Sum, and zero, sign, carry and overflow.
fn add(a: u32, b: u32, carry: bool) -> (u32, u8) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let sum = wide as u32;
    let over = (a ^ sum) & (b ^ sum);
    (sum, u8::from(sum == 0) | ((sum >> 31) as u8 * 2) | ((wide >> 32) as u8 * 4) | ((over >> 31) as u8 * 8))
}

fn native_integer() -> f64 {
    const TURNS: u32 = 0x100000;
    best(5 * u64::from(TURNS), || {
        let mut s = Registers::new(TURNS);
        loop {
            for lane in 0..LANES {
                (s.r[1][lane], s.flags[lane]) = add(s.r[1][lane], s.r[0][lane], false);
                s.r[2][lane] = s.r[2][lane].wrapping_add(1);
                s.r[3][lane] = s.r[3][lane].wrapping_sub(s.r[1][lane]);
                s.flags[lane] = add(s.r[2][lane], !s.r[4][lane], true).1;
            }
            // Each turn leaves its state in memory, as a machine does that somebody may look at.
            black_box(&mut s);
            if s.flags.iter().all(|f| f & 1 != 0) {
                break;
            }
        }
    })
}

fn native_memory() -> f64 {
    const TURNS: u32 = 0x40000;
    best(6 * u64::from(TURNS), || {
        let mut s = Registers::new(TURNS);
        let mut memory = vec![0u32; 1 << 14];
        loop {
            for lane in 0..LANES {
                let at = (s.r[5][lane] / 4) as usize;
                s.r[1][lane] = memory[at].wrapping_add(s.r[2][lane]);
                memory[at] = s.r[1][lane];
                s.r[2][lane] = s.r[2][lane].wrapping_add(1);
                s.flags[lane] = add(s.r[2][lane], !s.r[4][lane], true).1;
            }
            black_box((&mut s, &mut memory));
            if s.flags.iter().all(|f| f & 1 != 0) {
                break;
            }
        }
    })
}
