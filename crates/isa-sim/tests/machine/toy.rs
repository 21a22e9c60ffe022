//! A machine whose instructions are a few lines of Rust, so that only the machine is tested.

use crate::support::{self, machine, space};
use isa_runtime::U256;
use isa_sim::simt::{Finished, Launch, Program, RunError, Traced, run};
use isa_sim::{
    Action, Divergence, Engine, LaunchValue, MachineInfo, NotExecutable, ParamsInfo, Placed, Sharing, SpaceInfo, Step,
};
use std::sync::Mutex;

pub(crate) const LANES: u32 = 4;
pub(crate) const GLOBAL: usize = 0;
pub(crate) const SHARED: usize = 1;
pub(crate) const CONST: usize = 2;
pub(crate) const LOCAL: usize = 3;

pub(crate) type Registers = support::Registers<{ LANES as usize }, 4>;

/// The effect of an instruction; `r` is a register, `to` the number of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Do {
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
    IllegalLess {
        r: usize,
        n: u32,
    },
    Barrier {
        number: u64,
    },
    BarrierOf {
        number: u64,
        count: u64,
    },
    Arrive {
        number: u64,
        count: u64,
    },
    Meet {
        key: u64,
        mask: u64,
    },
    /// Meets the lanes of the mask in a register, to continue alone.
    MeetAlone {
        r: usize,
    },
    Pause,
    Ret,
    Exit,
    Sync,
    Join,
    Nothing,
    Unknown,
}
use Do::*;

pub(crate) struct Toy {
    pub(crate) machine: MachineInfo,
    program: Vec<Do>,
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

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        format!("{:?}", self.program[word.low() as usize])
    }

    fn state(&self) -> Registers {
        Registers::new()
    }

    fn execute(&self, op: &Do, support::Registers(all): &mut Registers, step: &mut Step<'_>) {
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
            Branch { to } => step.flow.request(Action::Branch, active, [address(to)]),
            BranchLess { r, n, to } => match less(&all[r], n) {
                0 => {}
                lanes => step.flow.request(Action::Branch, lanes, [address(to)]),
            },
            BranchTo { r } => {
                lanes().for_each(|lane| step.flow.request(Action::Branch, 1 << lane, [address(all[r][lane].into())]))
            }
            Call { to } => step.flow.request(Action::Call, active, [address(to)]),
            RetLess { r, n } => step.flow.request(Action::Ret, less(&all[r], n), []),
            ExitLess { r, n } => step.flow.request(Action::Exit, less(&all[r], n), []),
            BarrierLess { r, n } => match less(&all[r], n) {
                0 => {}
                lanes => step.flow.request(Action::Barrier, lanes, [0]),
            },
            TrapLess { r, n } => step.flow.request(Action::Trap, less(&all[r], n), []),
            IllegalLess { r, n } => step.flow.request(Action::Illegal, less(&all[r], n), []),
            Barrier { number } => step.flow.request(Action::Barrier, active, [number]),
            BarrierOf { number, count } => step.flow.request(Action::Barrier, active, [number, count, 1]),
            Arrive { number, count } => step.flow.request(Action::Arrive, active, [number, count]),
            Meet { key, mask } => step.flow.request(Action::Meet, active, [key, mask, 0]),
            MeetAlone { r } => {
                lanes().for_each(|l| step.flow.request(Action::Meet, 1 << l, [all[r][l].into(), all[r][l].into(), 1]))
            }
            Pause => step.flow.request(Action::Pause, active, []),
            Ret => step.flow.request(Action::Ret, active, []),
            Exit => step.flow.request(Action::Exit, active, []),
            Sync => step.flow.request(Action::Sync, active, [step.next]),
            Join => step.flow.request(Action::Join, active, []),
            Nothing | Unknown => {}
        }
    }
}

pub(crate) fn toy(divergence: Divergence, program: &[Do]) -> Toy {
    let machine = MachineInfo {
        launch_values: vec![LaunchValue { name: "tid.x".into(), width: 4 }, LaunchValue { name: "ctaid.x".into(), width: 8 }],
        spaces: vec![
            space("global", Sharing::Grid, None),
            space("shared", Sharing::Block, Some(32)),
            SpaceInfo { banks: Some(2), read_only: true, ..space("const", Sharing::Grid, Some(16)) },
            space("local", Sharing::Lane, Some(8)),
        ],
        params: Some(ParamsInfo { space: SHARED, bank: 0, at: 0x10 }),
        ..machine::<{ LANES as usize }, 4>(divergence)
    };
    Toy { machine, program: program.to_vec() }
}

pub(crate) fn words(toy: &Toy) -> Vec<Placed> {
    (0..toy.program.len()).map(|i| Placed { address: address(i as u64), word: (i as u128).into(), bits: 32 }).collect()
}

pub(crate) fn start(toy: &Toy, launch: &Launch) -> Result<Finished, RunError> {
    run(toy, &Program::new(toy, &words(toy)).expect("words one after the other"), launch, None)
}

pub(crate) fn lanes(count: u32) -> Launch {
    Launch { block: [count, 1, 1], limit: 1_000_000, ..Launch::default() }
}

/// The numbers of the instructions that a warp executes, each with its lanes, lane 0 first.
pub(crate) fn steps(divergence: Divergence, program: &[Do]) -> String {
    let toy = toy(divergence, program);
    let steps = Mutex::new(Vec::new());
    let mut trace = |t: &Traced<'_>| {
        let lanes: String = (0..LANES).map(|lane| if t.active >> lane & 1 != 0 { 'x' } else { '.' }).collect();
        steps.lock().expect("no thread panics").push(format!("{}{lanes}", t.pc / 4));
    };
    let program = Program::new(&toy, &words(&toy)).expect("words one after the other");
    let end = run(&toy, &program, &lanes(LANES), Some(&mut trace));
    let mut steps = steps.into_inner().expect("no thread panics");
    if let Err(RunError::Fault(fault)) = end {
        steps.push(fault.to_string().lines().next().unwrap_or_default().to_owned());
    }
    steps.join(" ")
}

pub(crate) fn fault_of(toy: &Toy, launch: &Launch) -> String {
    start(toy, launch).map(|_| ()).expect_err("a fault").to_string()
}

pub(crate) fn fault(program: &[Do]) -> String {
    fault_of(&toy(Divergence::Stack, program), &lanes(LANES))
}

pub(crate) const TID: Do = Tid { r: 0 };
