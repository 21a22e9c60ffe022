//! The machine against a second one, which has no warps and no masks: each lane runs alone, with a program counter and calls of its
//! own, until it ends or waits at a barrier, and when all that live wait, they go on. Programs are random: branches, loops, calls,
//! returns and exits of some lanes, barriers, memory of a block and of the grid, atomics. They are such that no lane can see in which
//! order lanes run: between two barriers, a word is written by one lane only, or read only, or changed by additions only.

use isa_runtime::U256;
use isa_sim::{
    Divergence, Engine, Launch, LaunchValue, MachineInfo, NotExecutable, Placed, Program, RegistersInfo, Sharing, SpaceInfo,
    State, Step, run,
};

const LANES: usize = 8;
const REGISTERS: usize = 6;
const SHARED: usize = 0;
const GLOBAL: usize = 1;
/// The register that has the number of the lane in its block, and the one that has where its words of `global` begin.
const TID: usize = 4;
const HOME: usize = 5;
/// Bytes that a lane has in each memory.
const ROOM: u32 = 16;
/// The lanes of a block: the last warp is not full.
const BLOCK: u32 = 21;
const BLOCKS: u32 = 3;
/// Where sums stand in `shared`, and how many there are.
const SUMS: u32 = BLOCK * ROOM;

#[derive(Clone, Copy, Debug)]
enum Do {
    /// `r = a * n + b`
    Compute {
        r: usize,
        a: usize,
        n: u32,
        b: usize,
    },
    /// So many bytes of a word of the lane itself take a register.
    Store {
        space: usize,
        at: u32,
        bytes: u32,
        r: usize,
    },
    /// A register takes bytes of the lane that is so many after it, in its block or in its grid.
    Load {
        space: usize,
        by: u32,
        at: u32,
        bytes: u32,
        r: usize,
    },
    /// A register is added to a sum.
    Sum {
        at: u32,
        r: usize,
    },
    LoadSum {
        at: u32,
        r: usize,
    },
    /// Where a bit of the register is set.
    BranchIf {
        r: usize,
        bit: u32,
        to: usize,
    },
    Branch {
        to: usize,
    },
    /// Where the register is not 0, which becomes one less.
    Again {
        r: usize,
        to: usize,
    },
    Few {
        r: usize,
        of: usize,
    },
    Call {
        to: usize,
    },
    RetIf {
        r: usize,
        bit: u32,
    },
    ExitIf {
        r: usize,
        bit: u32,
    },
    Ret,
    Exit,
    Barrier,
    Sync,
    Join,
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as u32) % n
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// Writes programs.
struct Writer {
    random: Random,
    program: Vec<Do>,
    /// Between these barriers, words are written.
    writes: bool,
    /// The registers that count turns, of loops that are around.
    counters: usize,
    functions: Vec<usize>,
}

impl Writer {
    fn program(seed: u64) -> Vec<Do> {
        let mut writer = Self { random: Random(seed), program: Vec::new(), writes: true, counters: 0, functions: Vec::new() };
        writer.program.push(Do::Branch { to: 0 });
        for writes in [true, false] {
            writer.writes = writes;
            let start = writer.program.len();
            writer.block(2, true);
            writer.program.push(Do::Ret);
            writer.functions.push(start);
        }
        writer.program[0] = Do::Branch { to: writer.program.len() };
        for phase in 0..4 + writer.random.below(4) {
            writer.writes = phase % 2 == 0;
            writer.block(3, false);
            writer.program.push(Do::Barrier);
        }
        writer.program.push(Do::Exit);
        writer.program
    }

    fn register(&mut self) -> usize {
        self.random.below(4) as usize
    }

    fn block(&mut self, depth: u32, in_function: bool) {
        for _ in 0..2 + self.random.below(4) {
            match self.random.below(if depth > 0 { 9 } else { 5 }) {
                0 | 1 => {
                    let (r, a, b) = (self.register(), self.random.below(6) as usize, self.random.below(6) as usize);
                    let n = self.random.below(1 << 16) | 1;
                    self.program.push(Do::Compute { r: self.free(r), a, n, b });
                }
                2..5 => self.access(),
                5 | 6 => self.choice(depth, in_function),
                7 => self.repeated(depth, in_function),
                _ if in_function => {
                    let (r, bit) = (self.register(), self.random.below(8));
                    self.program.push(Do::RetIf { r, bit });
                }
                _ if self.random.one_in(4) => {
                    let (r, bit) = (self.register(), self.random.below(8));
                    self.program.push(Do::ExitIf { r, bit });
                }
                _ => {
                    let to = self.functions[usize::from(!self.writes)];
                    self.program.push(Do::Call { to });
                }
            }
        }
    }

    /// A register that counts no turns.
    fn free(&self, r: usize) -> usize {
        if self.counters & 1 << r == 0 {
            r
        } else {
            (0..4).find(|r| self.counters & 1 << r == 0).expect("few loops are in others")
        }
    }

    fn access(&mut self) {
        let (space, bytes) = (self.random.below(2) as usize, 1 << self.random.below(3));
        let at = self.random.below(ROOM / bytes) * bytes;
        let (r, by) = (self.register(), self.random.below(40));
        self.program.push(match (self.writes, self.random.one_in(4)) {
            (true, false) => Do::Store { space, at, bytes, r },
            (true, true) => Do::Sum { at: self.random.below(2), r },
            (false, false) => Do::Load { space, by, at, bytes, r: self.free(r) },
            (false, true) => Do::LoadSum { at: self.random.below(2), r: self.free(r) },
        });
    }

    fn choice(&mut self, depth: u32, in_function: bool) {
        self.program.push(Do::Sync);
        let branch = self.program.len();
        let (r, bit) = (self.random.below(5) as usize, self.random.below(3));
        self.program.push(Do::Exit);
        self.block(depth - 1, in_function);
        let leave = self.program.len();
        self.program.push(Do::Exit);
        self.program[branch] = Do::BranchIf { r, bit, to: self.program.len() };
        if self.random.one_in(2) {
            self.block(depth - 1, in_function);
        }
        self.program[leave] = Do::Branch { to: self.program.len() };
        self.program.push(Do::Join);
    }

    fn repeated(&mut self, depth: u32, in_function: bool) {
        let (r, of) = (self.register(), self.random.below(5) as usize);
        // Functions are called inside of loops, and keep their hands off the counters of others.
        if in_function || self.counters.count_ones() > 1 || self.counters & 1 << r != 0 {
            return;
        }
        self.counters |= 1 << r;
        self.program.extend([Do::Few { r, of }, Do::Sync]);
        let start = self.program.len();
        let calls = std::mem::take(&mut self.functions);
        self.plain(depth - 1);
        self.functions = calls;
        self.program.extend([Do::Again { r, to: start }, Do::Join]);
        self.counters &= !(1 << r);
    }

    /// A block without calls.
    fn plain(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(if depth > 0 { 4 } else { 3 }) {
                0 => {
                    let (r, a, b) = (self.register(), self.random.below(6) as usize, self.random.below(6) as usize);
                    self.program.push(Do::Compute { r: self.free(r), a, n: 3, b });
                }
                1 | 2 => self.access(),
                _ => {
                    self.program.push(Do::Sync);
                    let branch = self.program.len();
                    let (r, bit) = (self.random.below(5) as usize, self.random.below(3));
                    self.program.push(Do::Exit);
                    self.plain(depth - 1);
                    self.program[branch] = Do::BranchIf { r, bit, to: self.program.len() };
                    self.program.push(Do::Join);
                }
            }
        }
    }
}

/// The first register of the lane that reads, of so many bytes of another lane.
fn address(space: usize, tid: u32, home: u32, by: u32, at: u32) -> u32 {
    match space {
        SHARED => (tid + by) % BLOCK * ROOM + at,
        _ => (home / ROOM + by) % (BLOCK * BLOCKS) * ROOM + at,
    }
}

/// The machine without warps.
struct Naive<'p> {
    program: &'p [Do],
    global: Vec<u8>,
    steps: u64,
}

struct Lane {
    pc: usize,
    registers: [u32; REGISTERS],
    calls: Vec<usize>,
    waits: bool,
    is_live: bool,
}

impl Naive<'_> {
    fn block(&mut self, block: u32) {
        let mut shared = vec![0; (SUMS + 8) as usize];
        let lane = |tid: u32| {
            let mut registers = [0; REGISTERS];
            (registers[TID], registers[HOME]) = (tid, (block * BLOCK + tid) * ROOM);
            Lane { pc: 0, registers, calls: Vec::new(), waits: false, is_live: true }
        };
        let mut lanes: Vec<Lane> = (0..BLOCK).map(lane).collect();
        while lanes.iter().any(|lane| lane.is_live) {
            for lane in &mut lanes {
                while lane.is_live && !lane.waits {
                    self.step(lane, &mut shared);
                }
            }
            lanes.iter_mut().for_each(|lane| lane.waits = false);
        }
    }

    fn step(&mut self, lane: &mut Lane, shared: &mut [u8]) {
        self.steps += 1;
        let next = lane.pc + 1;
        lane.pc = next;
        let r = &mut lane.registers;
        let is_set = |value: u32, bit: u32| value >> bit & 1 != 0;
        let memories = [shared, &mut self.global[..]];
        match self.program[next - 1] {
            Do::Compute { r: to, a, n, b } => r[to] = r[a].wrapping_mul(n).wrapping_add(r[b]),
            Do::Store { space, at, bytes, r: from } => {
                let at = address(space, r[TID], r[HOME], 0, at) as usize;
                memories[space][at..at + bytes as usize].copy_from_slice(&r[from].to_le_bytes()[..bytes as usize]);
            }
            Do::Load { space, by, at, bytes, r: to } => {
                let at = address(space, r[TID], r[HOME], by, at) as usize;
                let mut value = [0; 4];
                value[..bytes as usize].copy_from_slice(&memories[space][at..at + bytes as usize]);
                r[to] = u32::from_le_bytes(value);
            }
            Do::Sum { at, r: from } => {
                let word = &mut memories[SHARED][(SUMS + 4 * at) as usize..][..4];
                let sum = u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_add(r[from]);
                word.copy_from_slice(&sum.to_le_bytes());
            }
            Do::LoadSum { at, r: to } => {
                let word = &memories[SHARED][(SUMS + 4 * at) as usize..][..4];
                r[to] = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            }
            Do::BranchIf { r: of, bit, to } if is_set(r[of], bit) => lane.pc = to,
            Do::Branch { to } => lane.pc = to,
            Do::Again { r: of, to } => {
                if r[of] != 0 {
                    r[of] -= 1;
                    lane.pc = to;
                }
            }
            Do::Few { r: to, of } => r[to] = r[of] & 3,
            Do::Call { to } => {
                lane.calls.push(next);
                lane.pc = to;
            }
            Do::RetIf { r: of, bit } if !is_set(r[of], bit) => {}
            Do::ExitIf { r: of, bit } if !is_set(r[of], bit) => {}
            Do::Ret | Do::RetIf { .. } => match lane.calls.pop() {
                Some(back) => lane.pc = back,
                None => lane.is_live = false,
            },
            Do::Exit | Do::ExitIf { .. } => lane.is_live = false,
            Do::Barrier => lane.waits = true,
            Do::BranchIf { .. } | Do::Sync | Do::Join => {}
        }
    }
}

/// The same instructions for the machine.
struct Toy {
    machine: MachineInfo,
    program: Vec<Do>,
}

#[derive(Clone)]
struct Registers([[u32; LANES]; REGISTERS]);

impl State for Registers {
    fn register(&self, _: usize, index: usize, lane: usize) -> u128 {
        self.0[index][lane].into()
    }
    fn set_register(&mut self, _: usize, index: usize, lane: usize, value: u128) {
        self.0[index][lane] = value as u32;
    }
    fn flags(&self, _: usize, _: usize, _: usize) -> u64 {
        0
    }
    fn set_flags(&mut self, _: usize, _: usize, _: usize, _: u64) {}
    fn value(&self, _: usize, _: usize) -> u128 {
        0
    }
    fn set_value(&mut self, _: usize, _: usize, _: u128) {}
}

impl Engine for Toy {
    type State = Registers;
    type Op = Do;

    fn machine(&self) -> &MachineInfo {
        &self.machine
    }

    fn prepare(&self, word: U256, _: u32) -> Result<Do, NotExecutable> {
        Ok(self.program[word.low() as usize])
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        format!("{:?}", self.program[word.low() as usize])
    }

    fn state(&self) -> Registers {
        Registers([[0; LANES]; REGISTERS])
    }

    fn launch(&self, state: &mut Registers, step: &mut Step<'_>) {
        for lane in 0..LANES {
            let [tid, block] = [0, 1].map(|value| step.launch_values[value][lane]);
            (state.0[TID][lane], state.0[HOME][lane]) = (tid, (block * BLOCK + tid) * ROOM);
        }
    }

    fn execute(&self, op: &Do, Registers(r): &mut Registers, step: &mut Step<'_>) {
        let active = step.active;
        let lanes = move || (0..LANES).filter(move |lane| active >> lane & 1 != 0);
        let set = |row: &[u32; LANES], bit: u32| lanes().filter(|l| row[*l] >> bit & 1 != 0).fold(0, |mask, l| mask | 1u64 << l);
        let pc = |to: usize| 4 * to as u64;
        let at =
            |r: &[[u32; LANES]; REGISTERS], l: usize, space, by, at| u64::from(address(space, r[TID][l], r[HOME][l], by, at));
        match *op {
            Do::Compute { r: to, a, n, b } => lanes().for_each(|l| r[to][l] = r[a][l].wrapping_mul(n).wrapping_add(r[b][l])),
            Do::Store { space, at: offset, bytes, r: from } => {
                lanes().for_each(|l| step.memory.store(space, 0, l, at(r, l, space, 0, offset), bytes, r[from][l].into()));
            }
            Do::Load { space, by, at: offset, bytes, r: to } => {
                lanes().for_each(|l| r[to][l] = step.memory.load(space, 0, l, at(r, l, space, by, offset), bytes) as u32);
            }
            Do::Sum { at, r: from } => lanes().for_each(|l| {
                step.memory.atomic(SHARED, 0, l, (SUMS + 4 * at).into(), 4, |old| (old + u128::from(r[from][l])) & 0xffff_ffff);
            }),
            Do::LoadSum { at, r: to } => {
                lanes().for_each(|l| r[to][l] = step.memory.load32(SHARED, 0, l, (SUMS + 4 * at).into()));
            }
            Do::BranchIf { r: of, bit, to } => match set(&r[of], bit) {
                0 => {}
                lanes => step.flow.branch(lanes, pc(to)),
            },
            Do::Branch { to } => step.flow.branch(active, pc(to)),
            Do::Again { r: of, to } => lanes().for_each(|l| {
                if r[of][l] != 0 {
                    r[of][l] -= 1;
                    step.flow.branch(1 << l, pc(to));
                }
            }),
            Do::Few { r: to, of } => lanes().for_each(|l| r[to][l] = r[of][l] & 3),
            Do::Call { to } => step.flow.call(active, pc(to)),
            Do::RetIf { r: of, bit } => step.flow.ret(set(&r[of], bit)),
            Do::ExitIf { r: of, bit } => step.flow.exit(set(&r[of], bit)),
            Do::Ret => step.flow.ret(active),
            Do::Exit => step.flow.exit(active),
            Do::Barrier => step.flow.barrier(active, 0),
            Do::Sync => step.flow.sync(active, step.next),
            Do::Join => step.flow.join(active),
        }
    }
}

fn toy(divergence: Divergence, program: &[Do]) -> Toy {
    let space = |name: &str, owner, size| SpaceInfo {
        name: name.into(),
        address: 32,
        banks: None,
        size: Some(size),
        read_only: false,
        owner,
    };
    let file = RegistersInfo { name: "R".into(), width: 32, count: REGISTERS, zero: None, one: None, is_view: false };
    let value = |name: &str| LaunchValue { name: name.into(), width: 16 };
    let machine = MachineInfo {
        lanes: LANES as u32,
        pc: 32,
        unit: 4,
        registers: vec![file],
        flags: Vec::new(),
        launch_values: vec![value("tid.x"), value("ctaid.x")],
        values: Vec::new(),
        spaces: vec![
            space("shared", Sharing::Block, (SUMS + 8).into()),
            space("global", Sharing::Grid, (BLOCK * BLOCKS * ROOM).into()),
        ],
        variants: Vec::new(),
        divergence,
        params: None,
    };
    Toy { machine, program: program.to_vec() }
}

fn agree(divergence: Divergence, seeds: u64) -> u64 {
    let mut steps = 0;
    for seed in 0..seeds {
        let program = Writer::program(seed);
        let mut naive = Naive { program: &program, global: vec![0; (BLOCK * BLOCKS * ROOM) as usize], steps: 0 };
        (0..BLOCKS).for_each(|block| naive.block(block));
        let toy = toy(divergence, &program);
        let words = (0..program.len()).map(|i| Placed { address: 4 * i as u64, word: (i as u128).into(), bits: 32 });
        let ready = Program::new(&toy, &words.collect::<Vec<_>>()).expect("words one after the other");
        let launch = Launch { block: [BLOCK, 1, 1], grid: [BLOCKS, 1, 1], limit: 1 << 22, ..Launch::default() };
        let done = run(&toy, &ready, &launch, None).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{program:#?}"));
        let global = done.memory[GLOBAL][0].bytes(0, naive.global.len() as u64).expect("all of it");
        assert!(global == naive.global, "seed {seed}: memory differs\n{program:#?}");
        assert_eq!(done.statistics.thread_instructions, naive.steps, "seed {seed}");
        steps += naive.steps;
    }
    steps
}

#[test]
fn a_stack_of_masks_is_lanes_alone() {
    assert!(agree(Divergence::Stack, 300) > 1_000_000);
}

#[test]
fn the_lowest_pc_is_lanes_alone() {
    assert!(agree(Divergence::LowestPc, 300) > 1_000_000);
}
