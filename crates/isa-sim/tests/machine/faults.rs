//! Every fault, with its whole message.

use crate::toy::Do::*;
use crate::toy::{CONST, GLOBAL, LANES, LOCAL, SHARED, TID, fault, fault_of, lanes, start, toy};
use isa_sim::Divergence;
use isa_sim::simt::Launch;

#[test]
fn accesses_that_cannot_be() {
    let load = |space, bank, bytes| Load { r: 1, space, bank, at: 0, bytes };
    assert_eq!(
        fault(&[Set { r: 0, to: 0x10000 }, load(GLOBAL, 0, 4)]),
        "a read of 4 bytes at 0x10000 of `global`: the memory ends at 0x10000\n  \
         at 0x4: Load { r: 1, space: 0, bank: 0, at: 0, bytes: 4 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[TID, Add { r: 0, n: 5 }, Store { r: 1, space: LOCAL, at: 0 }]),
        "a write of 4 bytes at 0x5 of `local`: the memory ends at 0x8\n  \
         at 0x8: Store { r: 1, space: 3, at: 0 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[TID, load(SHARED, 0, 2)]),
        "a read of 2 bytes at 0x1 of `shared`: the address is not a multiple of 2\n  \
         at 0x4: Load { r: 1, space: 1, bank: 0, at: 0, bytes: 2 }\n  in block (0, 0, 0), warp 0, lanes 1, 3"
    );
    assert_eq!(
        fault(&[load(CONST, 2, 1)]),
        "a read of 1 byte at 0x0 of `const`, bank 2: there are banks 0 to 1\n  \
         at 0x0: Load { r: 1, space: 2, bank: 2, at: 0, bytes: 1 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[Store { r: 1, space: CONST, at: 0 }]),
        "a write of 4 bytes at 0x0 of `const`, bank 0: instructions only read it\n  \
         at 0x0: Store { r: 1, space: 2, at: 0 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
}

#[test]
fn instructions_that_cannot_be() {
    assert_eq!(
        fault(&[Nothing, Unknown]),
        "this can't be executed: no instruction has this opcode\n  at 0x4: Unknown\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    // An instruction that is not reached is no error.
    assert!(start(&toy(Divergence::Stack, &[Exit, Unknown]), &lanes(1)).is_ok());
    assert_eq!(
        fault(&[Nothing]),
        "no instruction of the program begins at 0x4\n  at 0x4\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[TID, BranchLess { r: 0, n: 1, to: 1 << 60 }, Exit]),
        "no instruction of the program begins at 0x4000000000000000\n  at 0x4000000000000000\n  in block (0, 0, 0), warp 0, lane 0"
    );
}

#[test]
fn barriers_that_cannot_open() {
    // Two warps at two barriers.
    let program = [TID, BranchLess { r: 0, n: 4, to: 3 }, Barrier { number: 7 }, Barrier { number: 1 }, Exit];
    assert_eq!(
        fault_of(&toy(Divergence::Stack, &program), &lanes(8)),
        "a barrier can never open: warp 0 waits at barrier 1, warp 1 at barrier 7, and no other warp can make progress\n  \
         at 0xc: Barrier { number: 1 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    // Lanes of one warp on two paths.
    let program = [TID, BranchLess { r: 0, n: 1, to: 3 }, Nothing, Barrier { number: 0 }, Exit];
    assert_eq!(
        fault(&program),
        "a barrier can never open: other lanes of the warp have diverged, and run only after these\n  \
         at 0xc: Barrier { number: 0 }\n  in block (0, 0, 0), warp 0, lane 0"
    );
    assert_eq!(
        fault(&[TID, BarrierLess { r: 0, n: 2 }, Exit]),
        "a barrier can never open: other lanes of the warp have diverged, and run only after these\n  \
         at 0x4: BarrierLess { r: 0, n: 2 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    let program = [TID, BranchLess { r: 0, n: 1, to: 3 }, Barrier { number: 1 }, Barrier { number: 2 }, Exit];
    assert_eq!(
        fault_of(&toy(Divergence::LowestPc, &program), &lanes(LANES)),
        "a barrier can never open: lanes of the warp wait at barrier 1, others at barrier 2\n  \
         at 0xc: Barrier { number: 2 }\n  in block (0, 0, 0), warp 0, lane 0"
    );
    // A warp that has ended is not waited for.
    let program = [TID, BranchLess { r: 0, n: 4, to: 3 }, Barrier { number: 0 }, Exit];
    assert!(start(&toy(Divergence::Stack, &program), &lanes(8)).is_ok());
}

#[test]
fn stacks_have_ends() {
    assert_eq!(
        fault(&[Nothing, Join]),
        "a join on an empty stack of masks\n  at 0x4: Join\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[Call { to: 0 }]),
        "the stack of masks has more than 65536 entries\n  at 0x0: Call { to: 0 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[Sync, Branch { to: 0 }]),
        "the stack of masks has more than 65536 entries\n  at 0x0: Sync\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    // With a pc for each lane, calls are counted.
    assert_eq!(
        fault_of(&toy(Divergence::LowestPc, &[Call { to: 0 }]), &lanes(LANES)),
        "a lane has more than 65536 nested calls\n  at 0x0: Call { to: 0 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
}

#[test]
fn traps_and_limits() {
    assert_eq!(
        fault(&[TID, TrapLess { r: 0, n: 2 }]),
        "trap\n  at 0x4: TrapLess { r: 0, n: 2 }\n  in block (0, 0, 0), warp 0, lanes 0..1"
    );
    assert_eq!(
        fault(&[TID, IllegalLess { r: 0, n: 2 }]),
        "this can't be executed: it is defined to be illegal\n  at 0x4: IllegalLess { r: 0, n: 2 }\n  in block (0, 0, 0), warp 0, \
         lanes 0..1"
    );
    for (limit, block, end) in [(10, 1, "lane 0"), (5000, 4, "lanes 0..3"), (4096, 1, "lane 0")] {
        let launch = Launch { limit, ..lanes(block) };
        assert_eq!(
            fault_of(&toy(Divergence::Stack, &[Branch { to: 0 }]), &launch),
            format!(
                "the run has not ended after {limit} warp instructions, the limit\n  \
                 at 0x0: Branch {{ to: 0 }}\n  in block (0, 0, 0), warp 0, {end}"
            )
        );
    }
    // A program that ends with the last permitted instruction has ended.
    assert!(start(&toy(Divergence::Stack, &[Nothing, Exit]), &Launch { limit: 2, ..lanes(1) }).is_ok());
    assert!(start(&toy(Divergence::Stack, &[Nothing, Exit]), &Launch { limit: 1, ..lanes(1) }).is_err());
}
