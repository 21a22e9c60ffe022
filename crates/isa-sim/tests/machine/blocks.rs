//! Warps of a block, and blocks of a grid.

use crate::toy::Do::*;
use crate::toy::{GLOBAL, LOCAL, SHARED, TID, fault_of, lanes, start, toy, words};
use isa_sim::Divergence;
use isa_sim::simt::{Launch, Program, RunError, Traced, run};

#[test]
fn barriers_open_when_all_warps_have_come() {
    // Each warp of the block writes the value of the one before it plus one.
    let program = [
        TID,
        Tid { r: 1 },
        // Lane 0 of warp 0 and of warp 1 represent their warps.
        ExitLess { r: 2, n: 0 },
        Store { r: 1, space: SHARED, at: 2 },
        Barrier { number: 1 },
        Load { r: 3, space: SHARED, bank: 0, at: 2, bytes: 4 },
        Add { r: 3, n: 1 },
        Barrier { number: 1 },
        Store { r: 3, space: SHARED, at: 2 },
        Barrier { number: 2 },
        Load { r: 3, space: SHARED, bank: 0, at: 2, bytes: 4 },
        Store { r: 3, space: GLOBAL, at: 2 },
        Exit,
    ];
    for divergence in [Divergence::Stack, Divergence::LowestPc] {
        let done = start(&toy(divergence, &program), &lanes(12)).expect("it ends");
        // Thread 11 writes last before the barrier; all read that, and add one.
        assert_eq!(done.memory[GLOBAL][0].bytes(0, 4), Some(vec![12, 0, 0, 0]));
        assert_eq!(done.statistics.warp_instructions, 3 * program.len() as u64);
        assert_eq!(done.statistics.thread_instructions, 12 * program.len() as u64);
    }
}

#[test]
fn threads_give_the_same() {
    // Each block counts to 200, and writes that to a place of its own.
    let program = [
        TID,
        Block { r: 1 },
        Add { r: 2, n: 1 },
        BranchLess { r: 2, n: 200, to: 2 },
        // R3 is four times the block's number, by additions.
        Store { r: 1, space: LOCAL, at: 3 },
        BranchLess { r: 1, n: 1, to: 9 },
        Add { r: 3, n: 4 },
        Add { r: 1, n: u32::MAX },
        Branch { to: 5 },
        Add { r: 3, n: 0 },
        Store { r: 2, space: GLOBAL, at: 3 },
        Exit,
    ];
    let toy = toy(Divergence::Stack, &program);
    let of = |threads| {
        let done = start(&toy, &Launch { grid: [50, 1, 1], threads, ..lanes(1) }).expect("it ends");
        (done.memory[GLOBAL][0].bytes(0, 200), done.statistics.warp_instructions)
    };
    let alone = of(1);
    assert_eq!(alone.0, Some([200, 0, 0, 0].repeat(50)));
    assert_eq!((of(2), of(7)), (alone.clone(), alone));
}

#[test]
fn of_several_faults_the_first_block_s_is_told() {
    let program = [Block { r: 0 }, BranchLess { r: 0, n: 3, to: 3 }, TrapLess { r: 1, n: 1 }, Exit];
    let toy = toy(Divergence::Stack, &program);
    for threads in [1, 4] {
        let fault = fault_of(&toy, &Launch { grid: [40, 1, 1], threads, ..lanes(2) });
        assert_eq!(
            fault, "trap\n  at 0x8: TrapLess { r: 1, n: 1 }\n  in block (3, 0, 0), warp 0, lanes 0..1",
            "{threads} threads"
        );
    }
}

#[test]
fn a_run_ends_when_it_is_stopped() {
    let toy = toy(Divergence::Stack, &[Branch { to: 0 }]);
    let program = Program::new(&toy, &words(&toy)).expect("a program");
    let launch = Launch { grid: [3, 1, 1], limit: u64::MAX, ..lanes(1) };
    let mut traced = 0;
    let mut trace = |_: &Traced<'_>| {
        traced += 1;
        if traced == 5000 {
            assert_eq!(launch.control.warp_instructions(), 4096, "counted at the end of each turn of a warp");
            launch.control.stop();
        }
    };
    assert_eq!(run(&toy, &program, &launch, Some(&mut trace)).map(|_| ()), Err(RunError::Stopped));
    assert_eq!(traced, 5000);
    // A run that is stopped before it begins executes nothing.
    assert_eq!(start(&toy, &launch).map(|_| ()), Err(RunError::Stopped));
}
