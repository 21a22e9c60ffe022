//! The machine without warps: each lane runs alone.

use crate::programs::Do;
use crate::{BLOCK, HOME, REGISTERS, ROOM, SHARED, SUMS, TID, address};

/// The machine without warps.
pub(crate) struct Naive<'p> {
    pub(crate) program: &'p [Do],
    pub(crate) global: Vec<u8>,
    pub(crate) steps: u64,
}

struct Lane {
    pc: usize,
    registers: [u32; REGISTERS],
    calls: Vec<usize>,
    waits: bool,
    is_live: bool,
}

impl Naive<'_> {
    pub(crate) fn block(&mut self, block: u32) {
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
