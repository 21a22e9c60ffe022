//! One warp: the positions of its lanes, and their divergence and reconvergence.

use super::groups::Groups;
use crate::engine::{Flow, MAX_LANES};
use crate::fault::{BadBarrier, FaultKind, NotExecutable};
use crate::masks;
use isa_runtime::action::Action;
use isa_runtime::machine::Divergence;

/// The limit of entries on the stack of masks.
pub(super) const MAX_DEPTH: usize = 1 << 16;

/// The positions of the lanes of a warp.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    divergence: Divergence,
    /// The executing lanes, and their address.
    pub(super) active: u64,
    pub(super) pc: u64,
    /// The lanes that have not ended.
    pub(super) live: u64,
    /// The lanes that wait at a barrier, and its number.
    pub(super) waiting: u64,
    pub(super) barrier: u64,
    /// The address of the instruction that they wait at.
    pub(super) barrier_at: u64,
    /// With a stack: the entries to return to.
    stack: Vec<Entry>,
    /// With a stack: lanes that have returned, and wait for the others of their call.
    returned: u64,
    /// With the lowest pc: the other lanes, by their pc; no two entries with one pc.
    others: Vec<(u64, u64)>,
    /// With the lowest pc or turns: the return addresses of each lane's calls.
    pub(super) calls: Vec<Vec<u64>>,
    /// With turns: the other lanes.
    pub(super) groups: Groups,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    kind: EntryKind,
    mask: u64,
    pc: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    Sync,
    Apart,
    Call,
}

impl Paths {
    pub(super) fn new(divergence: Divergence, lanes: u64, pc: u64) -> Self {
        Self {
            divergence,
            active: lanes,
            pc,
            live: lanes,
            waiting: 0,
            barrier: 0,
            barrier_at: 0,
            stack: Vec::new(),
            returned: 0,
            others: Vec::new(),
            calls: Vec::new(),
            groups: Groups::default(),
        }
    }

    /// True if there is nothing more to execute.
    pub(super) fn has_ended(&self) -> bool {
        self.live == 0
    }

    /// True if no lane is elsewhere, as far as this is known without a stack.
    #[inline(always)]
    pub(super) fn is_together(&self) -> bool {
        self.others.is_empty()
    }

    /// True if all its live lanes wait.
    pub(super) fn waits(&self) -> bool {
        if self.is_fair() {
            return self.active == 0 && self.live != 0;
        }
        self.waiting != 0 && self.waiting == self.live
    }

    /// True if its lanes take turns.
    #[inline(always)]
    pub(super) fn is_fair(&self) -> bool {
        self.divergence == Divergence::Fair
    }

    /// Opens the barrier.
    pub(super) fn go_on(&mut self) {
        self.waiting = 0;
        if self.divergence == Divergence::LowestPc {
            self.lowest();
        }
    }

    /// Advances after an instruction without requests.
    #[inline(always)]
    pub(super) fn step(&mut self, next: u64) {
        self.pc = next;
        if !self.others.is_empty() {
            self.regroup(&[(next, self.active)]);
        }
    }

    /// Advances after an instruction.
    pub(super) fn flow(&mut self, next: u64, flow: &Flow) -> Result<(), FaultKind> {
        if flow.wanted()[Action::Trap] != 0 {
            return Err(FaultKind::Trap);
        }
        if flow.wanted()[Action::Illegal] != 0 {
            return Err(FaultKind::NotExecutable(NotExecutable::defined()));
        }
        if flow.wanted()[Action::Undescribed] != 0 {
            return Err(FaultKind::NotExecutable(NotExecutable::Unsaid));
        }
        if flow.wanted()[Action::Host] != 0 {
            return Err(FaultKind::NoHost);
        }
        self.live &= !flow.wanted()[Action::Exit];
        if flow.wanted()[Action::Barrier] != 0 {
            self.barrier_at = self.pc;
        }
        match self.divergence {
            Divergence::Stack => self.flow_stack(next, flow),
            Divergence::LowestPc => self.flow_lowest(next, flow),
            Divergence::Fair => self.flow_fair(next, flow),
        }
    }

    fn push(&mut self, kind: EntryKind, mask: u64, pc: u64) -> Result<(), FaultKind> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(FaultKind::StackOverflow(MAX_DEPTH));
        }
        self.stack.push(Entry { kind, mask, pc });
        Ok(())
    }

    fn flow_stack(&mut self, next: u64, flow: &Flow) -> Result<(), FaultKind> {
        self.active &= !flow.wanted()[Action::Exit];
        self.pc = next;
        if flow.wanted()[Action::Ret] & self.active != 0 {
            if self.stack.iter().any(|e| e.kind == EntryKind::Call) {
                self.returned |= flow.wanted()[Action::Ret] & self.active;
            } else {
                self.live &= !flow.wanted()[Action::Ret];
            }
            self.active &= !flow.wanted()[Action::Ret];
        }
        if flow.wanted()[Action::Sync] & self.active != 0 {
            let mask = flow.wanted()[Action::Sync] & self.active;
            self.push(EntryKind::Sync, mask, flow.target(mask.trailing_zeros() as usize))?;
        }
        let goes = (flow.wanted()[Action::Branch] | flow.wanted()[Action::Call]) & self.active;
        if goes != 0 {
            self.part(next, goes, flow)?;
        }
        if flow.wanted()[Action::Barrier] & self.active != 0 {
            self.waiting = self.active;
            self.barrier = flow.target((flow.wanted()[Action::Barrier] & self.active).trailing_zeros() as usize);
            if self.active != self.live || self.active & !flow.wanted()[Action::Barrier] != 0 {
                return Err(FaultKind::Barrier(BadBarrier::Path));
            }
        }
        if flow.wanted()[Action::Join] & self.active != 0 {
            return self.join(next);
        }
        if self.active == 0 {
            self.pop_empty();
        }
        Ok(())
    }

    /// Splits the lanes of `goes`, which branch or call: those with the lowest lane's target continue first, the others later,
    /// and last those that stay.
    fn part(&mut self, next: u64, goes: u64, flow: &Flow) -> Result<(), FaultKind> {
        let stays = self.active & !goes;
        if stays != 0 {
            self.push(EntryKind::Apart, stays, next)?;
        }
        let mut groups: Vec<(u64, u64)> = Vec::new();
        for lane in masks::lanes(goes) {
            let target = flow.target(lane);
            match groups.iter_mut().find(|g| g.0 == target) {
                Some(group) => group.1 |= 1 << lane,
                None => groups.push((target, 1 << lane)),
            }
        }
        for (i, (target, mask)) in groups.iter().enumerate().rev() {
            if flow.wanted()[Action::Call] & mask != 0 {
                self.push(EntryKind::Call, *mask, next)?;
            }
            if i > 0 {
                self.push(EntryKind::Apart, *mask, *target)?;
            } else {
                (self.active, self.pc) = (*mask, *target);
            }
        }
        Ok(())
    }

    /// Handles the active lanes' arrival at a place where others meet them.
    fn join(&mut self, next: u64) -> Result<(), FaultKind> {
        while let Some(entry) = self.stack.pop() {
            let mask = entry.mask & self.live & !self.returned;
            match entry.kind {
                _ if mask == 0 && entry.kind != EntryKind::Call => continue,
                EntryKind::Apart => {
                    // If all others end or return, the lanes that have arrived here continue after the join.
                    if let Some(sync) = self.stack.iter_mut().rev().find(|e| e.kind == EntryKind::Sync) {
                        sync.pc = next;
                    }
                    (self.active, self.pc) = (mask, entry.pc);
                }
                EntryKind::Sync => (self.active, self.pc) = (mask, next),
                EntryKind::Call => break,
            }
            return Ok(());
        }
        Err(FaultKind::StackUnderflow)
    }

    /// Lets the next lanes that were set aside continue, if no lane is active.
    fn pop_empty(&mut self) {
        while let Some(entry) = self.stack.pop() {
            if entry.kind == EntryKind::Call {
                self.returned &= !entry.mask;
            }
            let mask = entry.mask & self.live & !self.returned;
            if mask != 0 {
                (self.active, self.pc) = (mask, entry.pc);
                return;
            }
        }
    }

    /// Records a call of a lane, which returns to an address.
    pub(super) fn push_call(&mut self, lane: usize, back: u64) -> Result<(), FaultKind> {
        if self.calls[lane].len() >= MAX_DEPTH {
            return Err(FaultKind::CallOverflow(MAX_DEPTH));
        }
        self.calls[lane].push(back);
        Ok(())
    }

    fn flow_lowest(&mut self, next: u64, flow: &Flow) -> Result<(), FaultKind> {
        if (flow.wanted()[Action::Call] | flow.wanted()[Action::Ret]) != 0 {
            self.calls.resize_with(MAX_LANES, Vec::new);
        }
        let mut groups: Vec<(u64, u64)> = Vec::new();
        for lane in masks::lanes(self.active & self.live) {
            let bit = 1 << lane;
            let pc = if (flow.wanted()[Action::Branch] | flow.wanted()[Action::Call]) & bit != 0 {
                if flow.wanted()[Action::Call] & bit != 0 {
                    self.push_call(lane, next)?;
                }
                flow.target(lane)
            } else if flow.wanted()[Action::Ret] & bit != 0 {
                match self.calls[lane].pop() {
                    Some(back) => back,
                    None => {
                        self.live &= !bit;
                        continue;
                    }
                }
            } else {
                next
            };
            if flow.wanted()[Action::Barrier] & bit != 0 {
                let number = flow.target(lane);
                if self.waiting != 0 && self.barrier != number {
                    return Err(FaultKind::Barrier(BadBarrier::Lanes { barrier: self.barrier, there: number }));
                }
                self.waiting |= bit;
                self.barrier = number;
            }
            match groups.iter_mut().find(|g| g.0 == pc) {
                Some(group) => group.1 |= bit,
                None => groups.push((pc, bit)),
            }
        }
        self.regroup(&groups);
        Ok(())
    }

    /// Moves the active lanes to the addresses of `groups`; then those at the lowest pc are active.
    fn regroup(&mut self, groups: &[(u64, u64)]) {
        for (pc, mask) in groups {
            match self.others.iter_mut().find(|g| g.0 == *pc) {
                Some(other) => other.1 |= mask,
                None => self.others.push((*pc, *mask)),
            }
        }
        self.active = 0;
        self.lowest();
    }

    /// Activates the lanes at the lowest pc, except those that wait.
    fn lowest(&mut self) {
        if self.active != 0 {
            return;
        }
        let runs = |g: &(u64, u64)| g.1 & !self.waiting != 0;
        let Some(at) = (0..self.others.len()).filter(|i| runs(&self.others[*i])).min_by_key(|i| self.others[*i].0) else {
            return;
        };
        let (pc, mask) = self.others[at];
        let wait = mask & self.waiting;
        (self.active, self.pc) = (mask & !wait, pc);
        if wait == 0 {
            self.others.swap_remove(at);
        } else {
            self.others[at].1 = wait;
        }
    }
}
