//! The machine by itself: how warps part and meet, barriers, launches, and every fault with its whole message. The engine is a few
//! lines of Rust, so that nothing but the machine is looked at.

use isa_runtime::U256;
use isa_sim::{
    Divergence, Engine, Finished, Image, Launch, LaunchValue, MachineInfo, NotExecutable, ParamsInfo, Placed, Program,
    RegistersInfo, RunError, Sharing, SpaceInfo, State, Step, Traced, run,
};
use std::sync::Mutex;

const LANES: u32 = 4;
const GLOBAL: usize = 0;
const SHARED: usize = 1;
const CONST: usize = 2;
const LOCAL: usize = 3;

/// What an instruction does; `r` is a register, `to` the number of an instruction.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code)]
enum Do {
    Set {
        r: usize,
        to: u32,
    },
    Tid {
        r: usize,
    },
    Block {
        r: usize,
    },
    Add {
        r: usize,
        n: u32,
    },
    Load {
        r: usize,
        space: usize,
        bank: u64,
        at: usize,
        bytes: u32,
    },
    Store {
        r: usize,
        space: usize,
        at: usize,
    },
    Branch {
        to: u64,
    },
    /// The lanes whose register is less than `n`.
    BranchLess {
        r: usize,
        n: u32,
        to: u64,
    },
    /// Each lane to the instruction that its register names.
    BranchTo {
        r: usize,
    },
    Call {
        to: u64,
    },
    /// The lanes whose register is less than `n`.
    RetLess {
        r: usize,
        n: u32,
    },
    ExitLess {
        r: usize,
        n: u32,
    },
    BarrierLess {
        r: usize,
        n: u32,
    },
    TrapLess {
        r: usize,
        n: u32,
    },
    Barrier {
        number: u64,
    },
    Ret,
    Exit,
    Sync,
    Join,
    Nothing,
    Unknown,
}
use Do::*;

struct Toy {
    machine: MachineInfo,
    program: Vec<Do>,
}

#[derive(Clone)]
struct Registers([[u32; LANES as usize]; 4]);

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

/// The address of an instruction: each has four bytes.
fn address(number: u64) -> u64 {
    4 * number
}

impl Engine for Toy {
    type State = Registers;
    type Op = Do;

    fn machine(&self) -> &MachineInfo {
        &self.machine
    }

    fn prepare(&self, word: U256, _: u32) -> Result<Do, NotExecutable> {
        match self.program[word.low() as usize] {
            Unknown => Err(NotExecutable::Illegal("no instruction has this opcode".into())),
            op => Ok(op),
        }
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        format!("{:?}", self.program[word.low() as usize])
    }

    fn state(&self) -> Registers {
        Registers([[0; LANES as usize]; 4])
    }

    fn launch(&self, _: &mut Registers, _: &mut Step<'_>) {}

    fn execute(&self, op: &Do, Registers(all): &mut Registers, step: &mut Step<'_>) {
        let active = step.active;
        let lanes = || (0..LANES as usize).filter(move |lane| active >> lane & 1 != 0);
        let less = |row: &[u32], n: u32| lanes().filter(|lane| row[*lane] < n).fold(0, |mask, lane| mask | 1 << lane);
        match *op {
            Set { r, to } => lanes().for_each(|lane| all[r][lane] = to),
            Tid { r } => lanes().for_each(|lane| all[r][lane] = step.launch_values[0][lane]),
            Block { r } => lanes().for_each(|lane| all[r][lane] = step.launch_values[1][lane]),
            Add { r, n } => lanes().for_each(|lane| all[r][lane] = all[r][lane].wrapping_add(n)),
            Load { r, space, bank, at, bytes } => {
                lanes().for_each(|l| all[r][l] = step.memory.load(space, bank, l, all[at][l].into(), bytes) as u32);
            }
            Store { r, space, at } => lanes().for_each(|l| step.memory.store32(space, 0, l, all[at][l].into(), all[r][l])),
            Branch { to } => step.flow.branch(active, address(to)),
            BranchLess { r, n, to } => match less(&all[r], n) {
                0 => {}
                lanes => step.flow.branch(lanes, address(to)),
            },
            BranchTo { r } => lanes().for_each(|lane| step.flow.branch(1 << lane, address(all[r][lane].into()))),
            Call { to } => step.flow.call(active, address(to)),
            RetLess { r, n } => step.flow.ret(less(&all[r], n)),
            ExitLess { r, n } => step.flow.exit(less(&all[r], n)),
            BarrierLess { r, n } => match less(&all[r], n) {
                0 => {}
                lanes => step.flow.barrier(lanes, 0),
            },
            TrapLess { r, n } => step.flow.trap(less(&all[r], n)),
            Barrier { number } => step.flow.barrier(active, number),
            Ret => step.flow.ret(active),
            Exit => step.flow.exit(active),
            Sync => step.flow.sync(active, step.next),
            Join => step.flow.join(active),
            Nothing | Unknown => {}
        }
    }
}

fn toy(divergence: Divergence, program: &[Do]) -> Toy {
    let space =
        |name: &str, owner, size, banks, read_only| SpaceInfo { name: name.into(), address: 32, banks, size, read_only, owner };
    let machine = MachineInfo {
        lanes: LANES,
        pc: 32,
        unit: 4,
        registers: vec![RegistersInfo { name: "R".into(), width: 32, count: 4, zero: None, one: None, is_view: false }],
        flags: Vec::new(),
        launch_values: vec![LaunchValue { name: "tid.x".into(), width: 4 }, LaunchValue { name: "ctaid.x".into(), width: 8 }],
        values: Vec::new(),
        spaces: vec![
            space("global", Sharing::Grid, None, None, false),
            space("shared", Sharing::Block, Some(32), None, false),
            space("const", Sharing::Grid, Some(16), Some(2), true),
            space("local", Sharing::Lane, Some(8), None, false),
        ],
        variants: Vec::new(),
        divergence,
        params: Some(ParamsInfo { space: SHARED, bank: 0, at: 0x10 }),
    };
    Toy { machine, program: program.to_vec() }
}

fn words(toy: &Toy) -> Vec<Placed> {
    (0..toy.program.len()).map(|i| Placed { address: address(i as u64), word: (i as u128).into(), bits: 32 }).collect()
}

fn start(toy: &Toy, launch: &Launch) -> Result<Finished, RunError> {
    run(toy, &Program::new(toy, &words(toy)).expect("words one after the other"), launch, None)
}

fn lanes(count: u32) -> Launch {
    Launch { block: [count, 1, 1], limit: 1_000_000, ..Launch::default() }
}

/// The numbers of the instructions that a warp executes, each with its lanes, lane 0 first.
fn steps(divergence: Divergence, program: &[Do]) -> String {
    let toy = toy(divergence, program);
    let steps = Mutex::new(Vec::new());
    let mut trace = |t: &Traced<'_, Registers>| {
        let lanes: String = (0..LANES).map(|lane| if t.active >> lane & 1 != 0 { 'x' } else { '.' }).collect();
        steps.lock().expect("nobody panics").push(format!("{}{lanes}", t.pc / 4));
    };
    let program = Program::new(&toy, &words(&toy)).expect("words one after the other");
    let end = run(&toy, &program, &lanes(LANES), Some(&mut trace));
    let mut steps = steps.into_inner().expect("nobody panics");
    if let Err(RunError::Fault(fault)) = end {
        steps.push(fault.to_string().lines().next().unwrap_or_default().to_owned());
    }
    steps.join(" ")
}

fn fault_of(toy: &Toy, launch: &Launch) -> String {
    start(toy, launch).map(|_| ()).expect_err("a fault").to_string()
}

fn fault(program: &[Do]) -> String {
    fault_of(&toy(Divergence::Stack, program), &lanes(LANES))
}

const TID: Do = Tid { r: 0 };

#[test]
fn lanes_that_branch_go_first_and_meet_at_the_join() {
    let program = [TID, Sync, BranchLess { r: 0, n: 2, to: 4 }, Nothing, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 4xx.. 3..xx 4..xx 5xxxx");
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2xxxx 3..xx 4xxxx 5xxxx");
    // Without a join they go to their ends one after the other.
    let apart = [TID, BranchLess { r: 0, n: 1, to: 3 }, Nothing, Exit];
    assert_eq!(steps(Divergence::Stack, &apart), "0xxxx 1xxxx 3x... 2.xxx 3.xxx");
}

#[test]
fn joins_nest() {
    let program =
        [TID, Sync, BranchLess { r: 0, n: 3, to: 4 }, Branch { to: 7 }, Sync, BranchLess { r: 0, n: 1, to: 6 }, Join, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 4xxx. 5xxx. 6x... 6.xx. 7xxx. 3...x 7...x 8xxxx");
}

#[test]
fn lanes_leave_a_loop_one_by_one() {
    let program = [TID, Sync, Add { r: 0, n: 1 }, BranchLess { r: 0, n: 4, to: 2 }, Join, Exit];
    assert_eq!(
        steps(Divergence::Stack, &program),
        "0xxxx 1xxxx 2xxxx 3xxxx 2xxx. 3xxx. 2xx.. 3xx.. 2x... 3x... 4x... 4.x.. 4..x. 4...x 5xxxx"
    );
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2xxxx 3xxxx 2xxx. 3xxx. 2xx.. 3xx.. 2x... 3x... 4xxxx 5xxxx");
}

#[test]
fn lanes_may_branch_to_places_of_their_own() {
    let program = [TID, Add { r: 0, n: 4 }, Sync, BranchTo { r: 0 }, Nothing, Nothing, Join, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 3xxxx 4x... 5x... 6x... 5.x.. 6.x.. 6..x. 7...x 8xxxx");
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2xxxx 3xxxx 4x... 5xx.. 6xxx. 7xxxx 8xxxx");
}

#[test]
fn calls_come_back_to_the_next_instruction() {
    let program = [TID, Call { to: 3 }, Exit, Call { to: 5 }, Ret, RetLess { r: 0, n: 2 }, Nothing, Ret];
    let both = "0xxxx 1xxxx 3xxxx 5xxxx 6..xx 7..xx 4xxxx 2xxxx";
    assert_eq!(steps(Divergence::Stack, &program), both);
    let lowest = "0xxxx 1xxxx 3xxxx 5xxxx 4xx.. 2xx.. 6..xx 7..xx 4..xx 2..xx";
    assert_eq!(steps(Divergence::LowestPc, &program), lowest);
    // Outside of a call it is the end.
    for divergence in [Divergence::Stack, Divergence::LowestPc] {
        assert_eq!(steps(divergence, &[TID, RetLess { r: 0, n: 3 }, Ret]), "0xxxx 1xxxx 2...x");
    }
}

#[test]
fn lanes_that_have_ended_do_not_come_back() {
    let program = [TID, Sync, BranchLess { r: 0, n: 2, to: 4 }, Branch { to: 5 }, ExitLess { r: 0, n: 1 }, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 4xx.. 5.x.. 3..xx 5..xx 6.xxx");
}

#[test]
fn barriers_open_when_all_warps_have_come() {
    // Each warp of the block writes what the one before it has written, and one more.
    let program = [
        TID,
        Tid { r: 1 },
        // Lane 0 of warp 0 and of warp 1 stand for their warps.
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
fn with_lowest_pc_lanes_of_a_warp_may_wait_for_each_other() {
    let program = [TID, BranchLess { r: 0, n: 2, to: 3 }, Nothing, Barrier { number: 0 }, Exit];
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2..xx 3xxxx 4xxxx");
    let two_places = [TID, BranchLess { r: 0, n: 2, to: 4 }, Barrier { number: 0 }, Exit, Barrier { number: 0 }, Exit];
    assert_eq!(steps(Divergence::LowestPc, &two_places), "0xxxx 1xxxx 2..xx 4xx.. 3..xx 5xx..");
}

#[test]
fn threads_give_the_same() {
    // Each block counts to 200, and writes that to a place of its own.
    let program = [
        TID,
        Block { r: 1 },
        Add { r: 2, n: 1 },
        BranchLess { r: 2, n: 200, to: 2 },
        // R3 is four times the block's number, by adding.
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
    // One that is not reached does no harm.
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
        "a barrier can never open: other lanes of the warp are on another path, and come after these\n  \
         at 0xc: Barrier { number: 0 }\n  in block (0, 0, 0), warp 0, lane 0"
    );
    assert_eq!(
        fault(&[TID, BarrierLess { r: 0, n: 2 }, Exit]),
        "a barrier can never open: other lanes of the warp are on another path, and come after these\n  \
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
        "a join without lanes to come back: the stack of masks is empty\n  at 0x4: Join\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[Call { to: 0 }]),
        "the stack of masks has more than 65536 entries\n  at 0x0: Call { to: 0 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    assert_eq!(
        fault(&[Sync, Branch { to: 0 }]),
        "the stack of masks has more than 65536 entries\n  at 0x0: Sync\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
    // With a pc for each lane it is the calls that are counted.
    assert_eq!(
        fault_of(&toy(Divergence::LowestPc, &[Call { to: 0 }]), &lanes(LANES)),
        "a lane has more than 65536 calls to come back from\n  at 0x0: Call { to: 0 }\n  in block (0, 0, 0), warp 0, lanes 0..3"
    );
}

#[test]
fn traps_and_limits() {
    assert_eq!(
        fault(&[TID, TrapLess { r: 0, n: 2 }]),
        "trap\n  at 0x4: TrapLess { r: 0, n: 2 }\n  in block (0, 0, 0), warp 0, lanes 0..1"
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
    // What ends with its last instruction has ended.
    assert!(start(&toy(Divergence::Stack, &[Nothing, Exit]), &Launch { limit: 2, ..lanes(1) }).is_ok());
    assert!(start(&toy(Divergence::Stack, &[Nothing, Exit]), &Launch { limit: 1, ..lanes(1) }).is_err());
}

/// A value that no launch has, or whose largest has more bits than it is declared with, is refused and never cut off.
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
fn a_run_ends_when_it_is_stopped() {
    let toy = toy(Divergence::Stack, &[Branch { to: 0 }]);
    let program = Program::new(&toy, &words(&toy)).expect("a program");
    let launch = Launch { grid: [3, 1, 1], limit: u64::MAX, ..lanes(1) };
    let mut traced = 0;
    let mut trace = |_: &Traced<'_, Registers>| {
        traced += 1;
        if traced == 5000 {
            assert_eq!(launch.control.warp_instructions(), 4096, "counted at the end of each turn of a warp");
            launch.control.stop();
        }
    };
    assert_eq!(run(&toy, &program, &launch, Some(&mut trace)).map(|_| ()), Err(RunError::Stopped));
    assert_eq!(traced, 5000);
    // A run that is stopped before it begins does nothing.
    assert_eq!(start(&toy, &launch).map(|_| ()), Err(RunError::Stopped));
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
    assert_eq!(why(lanes(0)), "a grid and a block have at least one of each direction");
    assert_eq!(why(Launch { block: [1, 1025, 1024], ..lanes(1) }), "a block has at most 1048576 lanes");
    assert_eq!(why(Launch { grid: [1, u32::MAX, 2], threads: 0, ..image(CONST, 2, 0, 1) }), "`const` has no bank 2");
    assert_eq!(why(image(CONST, 0, 8, 9)), "`const` has 16 bytes: what is to stand there ends at 0x11");
    assert_eq!(why(image(LOCAL, 0, 0, 1)), "every lane has a `local` of its own: nothing can stand there at the start");
    assert_eq!(why(Launch { sizes: vec![(SHARED, 33)], ..lanes(1) }), "`shared` has 32 bytes in this machine, not 33");
    assert_eq!(
        why(Launch { sizes: vec![(GLOBAL, 1 << 40)], ..lanes(1) }),
        "the memories of this launch have 1099511627848 bytes together; 8589934592 is the most"
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
