//! `cargo bench -p benches --bench simulate`: instructions a second, compiled semantics on one thread. Loops, beside the same loop in
//! Rust: SM 1.0 and SM 8.0 have 32 lanes, RV64GC one. C programs, beside `qemu-riscv64` where it is installed. Prints Markdown tables; `warps`,
//! `loops` and `programs` as arguments pick some of them.

use generated::{flexgrip, rv64gc, sm80};
use isa_host::linux::{self, Options, Stream};
use isa_object::Executable;
use isa_runtime::U256;
use isa_sim::simt::{Launch, Program, run};
use isa_sim::{Engine, Exit, FaultKind, Machine, Placed, Stopped};
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

const LANES: usize = 32;
/// Runs of each loop, one after the other in turn: short ones and many, so that the best of them had a core for itself.
const RUNS: usize = 300;
/// Turns of a loop on SM 1.0, and on RV64GC.
const TURNS: u32 = 0x2000;
const TURNS_OF_ONE: u64 = 0x8000;

/// Five instructions a turn.
const INTEGER: &str = "
    0000020310008011 # MVI R4, 0x2000
    0000000310018005 # MVI R1, 0x1
    0000000310008009 # MVI R2, 0x0
    040007c020000205 # 0x18: IADD.C0 R1, R1, R0
    0000000320018409 # IADD32I R2, R2, 0x1
    040047802040060d # IADD R3, R3, -R1
    040107c8204005fd # IADD.C0 o[0x7f], R2, -R4
    0000028010003003 # BRA C0.NE, 0x18
    0000078030000003 # RET
";
/// Seven instructions a turn, of SM 8.0.
const INTEGER_OF_SM80: &str = "
    000fde0000000f000000200000047802 # MOV R4, 0x2000
    000fde0000000f000000000100017802 # MOV R1, 0x1
    000fde0000000f00000000ff00027202 # MOV R2, RZ
    000fde0007ffe0ff0000000301017210 # 0x30: IADD3 R1, R1, R3, RZ
    000fde00078e3cff0000000103037212 # LOP3.LUT R3, R3, R1, RZ, 0x3c, !PT
    000fde00000006ff0000000301057819 # SHF.L.U32 R5, R1, 0x3, RZ
    000fde00078e02030000000505037824 # IMAD R3, R5, 0x5, R3
    000fde0007ffe0ff0000000102027810 # IADD3 R2, R2, 0x1, RZ
    000fde0003f05270000000040200720c # ISETP.NE.AND P0, PT, R2, R4, PT
    000fde000383ffffffffff9000000947 # @P0 BRA 0x30
    000fde0003800000000000000000794d # EXIT
";
/// Six instructions a turn, two of which are accesses.
const MEMORY: &str = "
    0000020310008011 # MVI R4, 0x2000
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
/// Six instructions a turn.
const INTEGER_OF_ONE: &str = "
    6521     # lui a0,0x8
    95aa     # 0x2: add a1,a1,a0
    8e2d     # xor a2,a2,a1
    00759693 # slli a3,a1,0x7
    9636     # add a2,a2,a3
    fff50513 # addi a0,a0,-1
    fe0519e3 # bne a0,zero,0x2
    00000073 # ecall
";
/// Seven instructions a turn, three of which are accesses.
const MEMORY_OF_ONE: &str = "
    6521     # lui a0,0x8
    6582     # 0x2: ld a1,0(sp)
    962e     # add a2,a2,a1
    8da9     # xor a1,a1,a0
    e42e     # sd a1,8(sp)
    e032     # sd a2,0(sp)
    fff50513 # addi a0,a0,-1
    fe0519e3 # bne a0,zero,0x2
    00000073 # ecall
";

/// Names of the files in `programs`; what each prints.
const PROGRAMS: [(&str, &str); 5] = [
    ("sort", "sort 3ebcf6a0bd30a1fd\n"),
    ("crc32", "crc32 b8d9eff084742d70\n"),
    ("sieve", "sieve 08722a1cbca0d1b1\n"),
    ("matrix", "matrix 5b312eb7b3b30002\n"),
    ("records", "records 5be92a3c1148f5d5\n"),
];
/// Runs of each program, which take a second or so.
const PROGRAM_RUNS: usize = 5;
/// Instructions that are timed together: of each run of them the best counts, since each run is the same.
const SLICE: u64 = 1 << 20;

fn main() {
    let picked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |table: &str| picked.is_empty() || picked.iter().any(|name| name == table);
    if is_wanted("warps") {
        println!("The best of {RUNS} runs, one thread; a block of {LANES} threads is a warp.\n");
        println!(
            "| loop on SM 1.0, on SM 8.0 | thread instructions a second, one warp | eight warps | in Rust, over {LANES} lanes | ratio |"
        );
        println!("|---|---:|---:|---:|---:|");
        let (sm10, sm80) = (flexgrip::sim::Compiled::new(), sm80::sim::Compiled::new());
        warps(&sm10, "integer: four that compute, two of them with flags, and a branch", INTEGER, 5, native_integer);
        warps(&sm10, "memory: a load, a store, three that compute, and a branch", MEMORY, 6, native_memory);
        warps(&sm80, "SM 8.0, integer: six that compute, and a branch", INTEGER_OF_SM80, 7, native_integer_of_sm80);
    }
    if is_wanted("loops") {
        println!("\n| loop on RV64GC | instructions a second | in Rust | ratio |\n|---|---:|---:|---:|");
        one("integer: five that compute, and a branch", INTEGER_OF_ONE, 6, native_integer_of_one);
        one("memory: a load, two stores, three that compute, and a branch", MEMORY_OF_ONE, 7, native_memory_of_one);
    }
    if is_wanted("programs") {
        println!(
            "\nMillions of instructions a second, the best of {PROGRAM_RUNS} runs: of isagen each {SLICE} instructions, of qemu its process.\n"
        );
        println!("| program on RV64GC | instructions | isagen | qemu-riscv64 | ratio |\n|---|---:|---:|---:|---:|");
        programs();
    }
}

/// The programs, and the geometric means.
fn programs() {
    let (mut all, mut of_qemu) = (Vec::new(), Vec::new());
    for (name, text) in PROGRAMS {
        let path = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/{}"), name);
        let file = std::fs::read(&path).expect("a program");
        let executable = Executable::parse(&file).expect("an executable");
        let (mut steps, mut slices, mut qemu) = (0, Vec::new(), None);
        for _ in 0..PROGRAM_RUNS {
            steps = simulated(&executable, text, &mut slices);
            let start = Instant::now();
            if let Ok(output) = Command::new("qemu-riscv64").arg(&path).output() {
                assert_eq!(String::from_utf8_lossy(&output.stdout), text);
                qemu = Some(qemu.unwrap_or(Duration::MAX).min(start.elapsed()));
            }
        }
        let ours = slices.iter().sum();
        let speed = |time: Duration| steps as f64 / time.as_secs_f64() / 1e6;
        all.push(speed(ours));
        of_qemu.extend(qemu.map(speed));
        let (qemu, ratio) = qemu.map_or(("–".to_owned(), "–".to_owned()), |qemu| {
            (format!("{:.0}", speed(qemu)), format!("{:.1}", speed(qemu) / speed(ours)))
        });
        println!("| {name} | {steps} | {:.0} | {qemu} | {ratio} |", speed(ours));
    }
    let mean = |all: &[f64]| (all.iter().map(|speed| speed.ln()).sum::<f64>() / all.len() as f64).exp();
    let (ours, qemu) = (mean(&all), mean(&of_qemu));
    match of_qemu.is_empty() {
        true => println!("| geometric mean | | {ours:.0} | – | – |"),
        false => println!("| geometric mean | | {ours:.0} | {qemu:.0} | {:.1} |", qemu / ours),
    }
}

/// Runs a program: how many instructions it has. Of each slice of them the least time so far is kept.
fn simulated(executable: &Executable<'_>, text: &str, slices: &mut Vec<Duration>) -> u64 {
    let engine = rv64gc::sim::Compiled::new();
    let mut written = Vec::new();
    let mut machine = Machine::new(&engine).expect("one lane");
    let output = Stream { io: Box::new(&mut written) as Box<dyn std::io::Write>, is_terminal: false, file: None };
    linux::start(&mut machine, executable, Options { output, ..Options::default() }).expect("a process");
    for slice in 0.. {
        let start = Instant::now();
        let stopped = machine.run(SLICE);
        let took = start.elapsed();
        match slices.get_mut(slice) {
            Some(least) => *least = took.min(*least),
            None => slices.push(took),
        }
        if stopped != Stopped::Budget {
            assert_eq!(stopped, Stopped::Exit(Exit::Status(0)), "{stopped}");
            break;
        }
    }
    let steps = machine.steps();
    drop(machine);
    assert_eq!(String::from_utf8_lossy(&written), text);
    steps
}

/// The least time that each of some functions takes, in seconds.
fn best<const N: usize>(mut all: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [Duration::MAX; N];
    for _ in 0..RUNS {
        for (once, least) in all.iter_mut().zip(&mut least) {
            let start = Instant::now();
            once();
            *least = (*least).min(start.elapsed());
        }
    }
    least.map(|least| least.as_secs_f64())
}

/// A loop of some instructions a turn, in lanes.
fn warps<E: Engine>(engine: &E, what: &str, program: &str, instructions: u64, mut native: fn()) {
    let program = Program::new(engine, &words(program)).expect("words one after the other");
    let of = |warps: u32| {
        let launch = Launch { block: [LANES as u32 * warps, 1, 1], ..Launch::default() };
        let program = &program;
        move || drop(run(engine, program, &launch, None).expect("it ends"))
    };
    let [native, one, eight] = best([&mut native, &mut of(1), &mut of(8)]);
    let all = (instructions * u64::from(TURNS) * LANES as u64) as f64;
    println!("| {what} | {:.2e} | {:.2e} | {:.2e} | {:.2} |", all / one, 8.0 * all / eight, all / native, one / native);
}

/// A loop of some instructions a turn, in one lane.
fn one(what: &str, program: &str, instructions: u64, mut native: fn()) {
    let engine = rv64gc::sim::Compiled::new();
    let mut machine = Machine::new(&engine).expect("one lane");
    machine.load_words(&words(program)).expect("words one after the other");
    machine.set("sp", 0x8000).expect("a register");
    let mut simulated = || {
        machine.set_pc(0);
        match machine.run(u64::MAX) {
            Stopped::Fault(fault) if fault.kind == FaultKind::NoHost => {}
            other => panic!("it ends at the ecall: {other}"),
        }
    };
    let [native, simulated] = best([&mut native, &mut simulated]);
    let all = (instructions * TURNS_OF_ONE) as f64;
    println!("| {what} | {:.2e} | {:.2e} | {:.1} |", all / simulated, all / native, simulated / native);
}

/// The words of a listing, of 16, 32 or 64 bits.
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

fn native_integer() {
    let mut s = Registers::new(TURNS);
    loop {
        for lane in 0..LANES {
            (s.r[1][lane], s.flags[lane]) = add(s.r[1][lane], s.r[0][lane], false);
            s.r[2][lane] = s.r[2][lane].wrapping_add(1);
            s.r[3][lane] = s.r[3][lane].wrapping_sub(s.r[1][lane]);
            s.flags[lane] = add(s.r[2][lane], !s.r[4][lane], true).1;
        }
        // Each turn leaves its state in memory, where it can be looked at between instructions.
        black_box(&mut s);
        if s.flags.iter().all(|f| f & 1 != 0) {
            break;
        }
    }
}

fn native_integer_of_sm80() {
    let mut s = Registers::new(TURNS);
    loop {
        for lane in 0..LANES {
            s.r[1][lane] = s.r[1][lane].wrapping_add(s.r[3][lane]);
            s.r[3][lane] ^= s.r[1][lane];
            s.r[5][lane] = s.r[1][lane] << 3;
            s.r[3][lane] = s.r[5][lane].wrapping_mul(5).wrapping_add(s.r[3][lane]);
            s.r[2][lane] = s.r[2][lane].wrapping_add(1);
            s.flags[lane] = u8::from(s.r[2][lane] == s.r[4][lane]);
        }
        black_box(&mut s);
        if s.flags.iter().all(|f| f & 1 != 0) {
            break;
        }
    }
}

fn native_memory() {
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
}

fn native_integer_of_one() {
    let mut x = [TURNS_OF_ONE, 0, 0, 0];
    while x[0] != 0 {
        x[1] = x[1].wrapping_add(x[0]);
        x[2] ^= x[1];
        x[3] = x[1] << 7;
        x[2] = x[2].wrapping_add(x[3]);
        x[0] -= 1;
        black_box(&mut x);
    }
}

fn native_memory_of_one() {
    let mut x = [TURNS_OF_ONE, 0, 0];
    let mut memory = vec![0u64; 1 << 13];
    while x[0] != 0 {
        x[1] = memory[0];
        x[2] = x[2].wrapping_add(x[1]);
        x[1] ^= x[0];
        memory[1] = x[1];
        memory[0] = x[2];
        x[0] -= 1;
        black_box((&mut x, &mut memory));
    }
}
