//! Lanes that take turns, and meet; barriers with counts; memory in parts.

use crate::toy::Do::*;
use crate::toy::{GLOBAL, SHARED, TID, fault_of, lanes, start, steps, toy};
use isa_sim::Divergence::{Fair, LowestPc};
use isa_sim::simt::{BadLaunch, Image, Launch, Part, RunError};

#[test]
fn lanes_that_parted_meet() {
    let program = [TID, BranchLess { r: 0, n: 2, to: 3 }, Nothing, Meet { key: 1, mask: 0xf }, Exit];
    assert_eq!(steps(Fair, &program), "0xxxx 1xxxx 2..xx 3..xx 3xx.. 4xxxx");
    // They meet under one key at any place, and each continues where it was.
    let places = [TID, BranchLess { r: 0, n: 1, to: 4 }, Meet { key: 1, mask: 0xf }, Exit, Meet { key: 1, mask: 0xf }, Exit];
    assert_eq!(steps(Fair, &places), "0xxxx 1xxxx 2.xxx 4x... 3.xxx 5x...");
    // Lanes that have ended, and those that are not of the mask, are not waited for.
    let some = [TID, BranchLess { r: 0, n: 1, to: 4 }, Meet { key: 1, mask: 0xf }, Exit, Exit];
    assert_eq!(steps(Fair, &some), "0xxxx 1xxxx 2.xxx 4x... 2.xxx 3.xxx");
    let others = [TID, BranchLess { r: 0, n: 1, to: 4 }, Meet { key: 1, mask: 0xe }, Exit, Meet { key: 1, mask: 0xe }, Exit];
    assert_eq!(steps(Fair, &others), "0xxxx 1xxxx 2.xxx 3.xxx 4x... 5x...");
}

#[test]
fn lanes_with_different_masks_go_on_alone() {
    // R0 is 3 in lanes 0 and 1, 12 in the others.
    let program = [
        TID,
        BranchLess { r: 0, n: 2, to: 4 },
        Set { r: 0, to: 12 },
        Branch { to: 5 },
        Set { r: 0, to: 3 },
        Meet { key: 1, mask: 0xf },
        MeetAlone { r: 0 },
        Nothing,
        Exit,
    ];
    assert_eq!(steps(Fair, &program), "0xxxx 1xxxx 2..xx 3..xx 5..xx 4xx.. 5xx.. 6xxxx 7xx.. 8xx.. 7..xx 8..xx");
}

#[test]
fn every_lane_makes_progress() {
    // Lane 0 waits for a value that the others write, at a lower address.
    let program = [
        TID,
        BranchLess { r: 0, n: 1, to: 4 },
        Set { r: 1, to: 7 },
        Branch { to: 7 },
        Load { r: 1, space: SHARED, bank: 0, at: 2, bytes: 4 },
        BranchLess { r: 1, n: 1, to: 4 },
        Branch { to: 9 },
        Nothing,
        Store { r: 1, space: SHARED, at: 2 },
        Exit,
    ];
    for schedule in [None, Some(1), Some(2), Some(3)] {
        let done = start(&toy(Fair, &program), &Launch { schedule, ..lanes(4) });
        assert!(done.is_ok(), "{schedule:?}");
    }
    let fault = fault_of(&toy(LowestPc, &program), &Launch { limit: 10_000, ..lanes(4) });
    assert!(fault.starts_with("the run has not ended after 10000 warp instructions"), "{fault}");
    // A pause lets others proceed at once.
    let paused = [TID, BranchLess { r: 0, n: 1, to: 5 }, Nothing, Pause, Exit, Nothing, Exit];
    assert_eq!(steps(Fair, &paused), "0xxxx 1xxxx 2.xxx 3.xxx 5x... 6x... 4.xxx");
}

#[test]
fn who_waits_for_ever_is_told() {
    let keys = [TID, BranchLess { r: 0, n: 2, to: 4 }, Meet { key: 1, mask: 0xf }, Exit, Meet { key: 2, mask: 0xf }, Exit];
    assert_eq!(
        fault_of(&toy(Fair, &keys), &lanes(4)),
        "these lanes wait for others of their warp that never come to meet them\n  at 0x8: Meet { key: 1, mask: 15 }\n  in block (0, 0, 0), \
         warp 0, lanes 0..3"
    );
    let barrier = [TID, BranchLess { r: 0, n: 8, to: 3 }, Exit, BarrierOf { number: 1, count: 12 }, Exit];
    assert_eq!(
        fault_of(&toy(Fair, &barrier), &lanes(12)),
        "a barrier can never open: 8 lanes of the block are at barrier 1, which waits for 12, and no lane can make progress\n  at 0xc: \
         BarrierOf { number: 1, count: 12 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
}

#[test]
fn barriers_open_when_enough_have_come() {
    // Two warps wait, one arrives and continues; a third barrier waits for all.
    let program = [
        TID,
        BranchLess { r: 0, n: 8, to: 4 },
        Arrive { number: 3, count: 12 },
        Branch { to: 5 },
        BarrierOf { number: 3, count: 12 },
        BarrierOf { number: 0, count: 0 },
        Exit,
    ];
    for schedule in [None, Some(5), Some(6)] {
        let done = start(&toy(Fair, &program), &Launch { schedule, ..lanes(12) }).expect("it ends");
        assert_eq!(done.statistics.thread_instructions, 12 * 4 + 8 + 4 * 2);
    }
    // Endless arrivals at a barrier that waits for more are a fault, without growing memory.
    let fault = fault_of(&toy(Fair, &[Arrive { number: 1, count: 100_000 }, Branch { to: 0 }]), &lanes(1));
    assert!(fault.starts_with("a barrier can never open: lanes of the warp have arrived 4096 times"), "{fault}");
    // A warp with fewer lanes counts as a full one.
    let few = [BarrierOf { number: 1, count: 8 }, Exit];
    assert!(start(&toy(Fair, &few), &lanes(6)).is_ok());
}

#[test]
fn there_is_nothing_between_parts_of_memory() {
    let program = [
        Set { r: 2, to: 0x100 },
        Load { r: 1, space: GLOBAL, bank: 0, at: 2, bytes: 4 },
        Set { r: 2, to: 0x20c },
        Store { r: 1, space: GLOBAL, at: 2 },
        Exit,
    ];
    let part = |address: u64, bytes: u64| Part { space: GLOBAL, address, bytes };
    let images = vec![Image { space: GLOBAL, bank: 0, address: 0x100, bytes: vec![1, 2, 3, 4] }];
    let launch = |parts: Vec<Part>| Launch { parts, images: images.clone(), ..lanes(1) };
    let done = start(&toy(Fair, &program), &launch(vec![part(0x200, 16), part(0x100, 4)])).expect("it ends");
    assert_eq!((done.memory[GLOBAL][0].bytes(0x20c, 4), done.memory[GLOBAL][0].bytes(0x104, 1)), (Some(vec![1, 2, 3, 4]), None));
    let fault = fault_of(&toy(Fair, &program), &launch(vec![part(0x200, 15), part(0x100, 4)]));
    assert!(fault.starts_with("a write of 4 bytes at 0x20c of `global`: "), "{fault}");
    for parts in [vec![part(0x100, 0x101), part(0x200, 4)], vec![part(0x108, 4)], vec![Part { space: SHARED, ..part(0x100, 4) }]]
    {
        let refused = start(&toy(Fair, &program), &launch(parts.clone())).map(|_| ());
        assert!(matches!(refused, Err(RunError::Launch(BadLaunch::Part { .. }))), "{parts:?}: {refused:?}");
    }
}
