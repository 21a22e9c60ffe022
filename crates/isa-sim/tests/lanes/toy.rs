//! The same instructions for the machine.

use crate::programs::Do;
use crate::support::{self, machine, space};
use crate::{BLOCK, BLOCKS, HOME, LANES, REGISTERS, ROOM, SHARED, SUMS, TID, address};
use isa_runtime::U256;
use isa_sim::{Action, Divergence, Engine, LaunchValue, MachineInfo, NotExecutable, Routine, Sharing, Step};

type Registers = support::Registers<LANES, REGISTERS>;

pub(crate) struct Toy {
    machine: MachineInfo,
    program: Vec<Do>,
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

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        format!("{:?}", self.program[word.low() as usize])
    }

    fn state(&self) -> Registers {
        Registers::new()
    }

    fn routine(&self, _: Routine, state: &mut Registers, step: &mut Step<'_>) {
        for lane in 0..LANES {
            let [tid, block] = [0, 1].map(|value| step.launch_values[value][lane]);
            (state.0[TID][lane], state.0[HOME][lane]) = (tid, (block * BLOCK + tid) * ROOM);
        }
    }

    fn execute(&self, op: &Do, support::Registers(r): &mut Registers, step: &mut Step<'_>) {
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
                step.memory
                    .atomic(SHARED, 0, l, (SUMS + 4 * at).into(), 4, &mut |old| (old + u128::from(r[from][l])) & 0xffff_ffff);
            }),
            Do::LoadSum { at, r: to } => {
                lanes().for_each(|l| r[to][l] = step.memory.load32(SHARED, 0, l, (SUMS + 4 * at).into()));
            }
            Do::BranchIf { r: of, bit, to } => match set(&r[of], bit) {
                0 => {}
                lanes => step.flow.request(Action::Branch, lanes, [pc(to)]),
            },
            Do::Branch { to } => step.flow.request(Action::Branch, active, [pc(to)]),
            Do::Again { r: of, to } => lanes().for_each(|l| {
                if r[of][l] != 0 {
                    r[of][l] -= 1;
                    step.flow.request(Action::Branch, 1 << l, [pc(to)]);
                }
            }),
            Do::Few { r: to, of } => lanes().for_each(|l| r[to][l] = r[of][l] & 3),
            Do::Call { to } => step.flow.request(Action::Call, active, [pc(to)]),
            Do::RetIf { r: of, bit } => step.flow.request(Action::Ret, set(&r[of], bit), []),
            Do::ExitIf { r: of, bit } => step.flow.request(Action::Exit, set(&r[of], bit), []),
            Do::Ret => step.flow.request(Action::Ret, active, []),
            Do::Exit => step.flow.request(Action::Exit, active, []),
            Do::Barrier => step.flow.request(Action::Barrier, active, [0]),
            Do::Sync => step.flow.request(Action::Sync, active, [step.next]),
            Do::Join => step.flow.request(Action::Join, active, []),
        }
    }
}

pub(crate) fn toy(divergence: Divergence, program: &[Do]) -> Toy {
    let value = |name: &str| LaunchValue { name: name.into(), width: 16 };
    let machine = MachineInfo {
        launch_values: vec![value("tid.x"), value("ctaid.x")],
        spaces: vec![
            space("shared", Sharing::Block, Some((SUMS + 8).into())),
            space("global", Sharing::Grid, Some((BLOCK * BLOCKS * ROOM).into())),
        ],
        ..machine::<LANES, REGISTERS>(divergence)
    };
    Toy { machine, program: program.to_vec() }
}
