//! Launch values, and launches that are not possible.

use crate::toy::Do::*;
use crate::toy::{CONST, GLOBAL, LOCAL, SHARED, TID, lanes, start, toy};
use isa_sim::simt::{Image, Launch, RunError};
use isa_sim::{Divergence, LaunchValue};

/// A launch value that does not exist, or whose largest value has more bits than declared, is refused and never cut off.
#[test]
fn launch_values_are_what_they_say_or_refused() {
    let with = |name: &str, width: u32, launch: Launch| {
        let mut toy = toy(Divergence::Stack, &[Exit]);
        toy.machine.launch_values = vec![LaunchValue { name: name.into(), width }];
        start(&toy, &launch).map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(
        with("smid", 32, lanes(1)),
        Err("the simulated machine has no `smid`: a program that reads it can't be run".into())
    );
    assert_eq!(
        with("tid.w", 32, lanes(1)),
        Err("the simulated machine has no `tid.w`: a program that reads it can't be run".into())
    );
    assert_eq!(with("laneid", 2, lanes(9)), Ok(()));
    assert_eq!(with("laneid", 1, lanes(9)), Err("the warp is too large: `laneid` would be up to 3, and has 1 bit".into()));
    assert_eq!(with("laneid", 1, lanes(2)), Ok(()));
    assert_eq!(with("warpid", 1, lanes(8)), Ok(()));
    assert_eq!(with("warpid", 1, lanes(9)), Err("the block is too large: `warpid` would be up to 2, and has 1 bit".into()));
}

#[test]
fn launches_that_cannot_be() {
    let toy = toy(Divergence::Stack, &[Exit]);
    let why = |launch: Launch| match start(&toy, &launch) {
        Err(RunError::Launch(why)) => why.to_string(),
        other => panic!("{other:?}"),
    };
    let image =
        |space, bank, address, bytes| Launch { images: vec![Image { space, bank, address, bytes: vec![0; bytes] }], ..lanes(1) };
    assert_eq!(why(Launch { params: vec![0; 5], ..lanes(1) }), "5 parameters end at 0x24 of `shared`, which has 32 bytes");
    assert_eq!(why(lanes(17)), "the block is too large: `tid.x` would be up to 16, and has 4 bits");
    assert_eq!(
        why(Launch { grid: [257, 1, 1], ..lanes(1) }),
        "the grid is too large: `ctaid.x` would be up to 256, and has 8 bits"
    );
    assert_eq!(why(lanes(0)), "a grid and a block have at least 1 in each direction");
    assert_eq!(why(Launch { block: [1, 1025, 1024], ..lanes(1) }), "a block has at most 1048576 lanes");
    assert_eq!(why(Launch { grid: [1, u32::MAX, 2], threads: 0, ..image(CONST, 2, 0, 1) }), "`const` has no bank 2");
    assert_eq!(why(image(CONST, 0, 8, 9)), "`const` has 16 bytes: its initial contents end at 0x11");
    assert_eq!(why(image(LOCAL, 0, 0, 1)), "each lane has its own `local`: it can't have initial contents");
    assert_eq!(why(Launch { sizes: vec![(SHARED, 33)], ..lanes(1) }), "`shared` has 32 bytes in this machine, not 33");
    assert_eq!(
        why(Launch { sizes: vec![(GLOBAL, 1 << 40)], ..lanes(1) }),
        "the memories of this launch have 1099511627848 bytes together; the maximum is 8589934592"
    );
}

#[test]
fn what_a_launch_puts_in_memory_is_there() {
    let program = [
        TID,
        Set { r: 1, to: 0x14 },
        Load { r: 2, space: SHARED, bank: 0, at: 1, bytes: 4 },
        Store { r: 2, space: GLOBAL, at: 3 },
        Set { r: 1, to: 2 },
        Load { r: 2, space: CONST, bank: 1, at: 1, bytes: 2 },
        Set { r: 3, to: 4 },
        Store { r: 2, space: GLOBAL, at: 3 },
        Exit,
    ];
    let launch = Launch {
        params: vec![1, 0xabcd],
        images: vec![
            Image { space: CONST, bank: 1, address: 1, bytes: vec![1, 2, 3] },
            Image { space: GLOBAL, bank: 0, address: 8, bytes: vec![9] },
        ],
        grid: [3, 1, 1],
        ..lanes(2)
    };
    let done = start(&toy(Divergence::Stack, &program), &launch).expect("it ends");
    assert_eq!(done.memory[GLOBAL][0].bytes(0, 9), Some(vec![0xcd, 0xab, 0, 0, 2, 3, 0, 0, 9]));
}
