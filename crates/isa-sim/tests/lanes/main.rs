//! The machine against a second one, which has no warps and no masks: each lane runs alone, with a program counter and calls of
//! its own, until it ends or waits at a barrier; when all live lanes wait, they continue. Programs are random: branches, loops,
//! calls, returns and exits of some lanes, barriers, memory of a block and of the grid, atomics. Their results do not depend on
//! the order in which lanes run: between two barriers, a word is written by one lane only, or read only, or changed by additions
//! only.

mod naive;
mod programs;
#[path = "../support/mod.rs"]
mod support;
mod toy;

use isa_sim::simt::{Launch, Program, run};
use isa_sim::{Divergence, Placed};
use naive::Naive;
use programs::Writer;
use toy::toy;

const LANES: usize = 8;
const REGISTERS: usize = 6;
const SHARED: usize = 0;
const GLOBAL: usize = 1;
/// The register with the number of the lane in its block, and the one with the start of its words of `global`.
const TID: usize = 4;
const HOME: usize = 5;
/// Bytes of a lane in each memory.
const ROOM: u32 = 16;
/// The lanes of a block: the last warp is not full.
const BLOCK: u32 = 21;
const BLOCKS: u32 = 3;
/// The place of sums in `shared`, and their number.
const SUMS: u32 = BLOCK * ROOM;

/// The address of bytes of another lane, from the first register of the reading lane.
fn address(space: usize, tid: u32, home: u32, by: u32, at: u32) -> u32 {
    match space {
        SHARED => (tid + by) % BLOCK * ROOM + at,
        _ => (home / ROOM + by) % (BLOCK * BLOCKS) * ROOM + at,
    }
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
