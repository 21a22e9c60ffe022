//! `divergence: fair`: the lanes of a warp are in groups, each with a pc of its own. Groups take turns, so that each makes
//! progress; those at the same pc form one group from the next turn on.
//!
//! Lanes meet at `meet(key, mask)`: they wait until all live lanes of the mask wait with the same key. A group that waits
//! executes its instruction again when others have done something, since its mask may have changed.

use super::groups::{ALONE, Group, Held, Met};
use super::schedule::Random;
use super::warp::Paths;
use crate::engine::Flow;
use crate::fault::{BadBarrier, FaultKind};
use crate::masks;
use isa_runtime::action::Action;

/// The limit of arrivals of a warp's lanes at barriers that do not open.
const MOST_ARRIVALS: usize = 1 << 12;

impl Paths {
    /// Advances after an instruction with requests, under `divergence: fair`.
    pub(super) fn flow_fair(&mut self, next: u64, flow: &Flow) -> Result<(), FaultKind> {
        let wanted = *flow.wanted();
        let at = self.pc;
        let lanes = self.active & self.live;
        let mut stays: Vec<(u64, u64)> = Vec::new();
        let mut add = |pc: u64, lanes: u64| match stays.iter_mut().find(|group| group.0 == pc) {
            Some(group) => group.1 |= lanes,
            None if lanes != 0 => stays.push((pc, lanes)),
            None => {}
        };
        let special = wanted[Action::Branch]
            | wanted[Action::Call]
            | wanted[Action::Ret]
            | wanted[Action::Barrier]
            | wanted[Action::Arrive]
            | wanted[Action::Meet];
        add(next, lanes & !special);
        if (wanted[Action::Call] | wanted[Action::Ret]) & lanes != 0 {
            self.calls.resize_with(crate::MAX_LANES, Vec::new);
        }
        for lane in masks::lanes(lanes & special & !wanted[Action::Meet]) {
            let bit = 1 << lane;
            if (wanted[Action::Barrier] | wanted[Action::Arrive]) & bit != 0 {
                let is_arrival = wanted[Action::Arrive] & bit != 0;
                let held = Held {
                    barrier: flow.target(lane),
                    count: flow.second(lane),
                    lanes: bit,
                    ones: flow.ones() & bit,
                    is_arrival,
                    pc: at,
                    next,
                };
                let same = |of: &&mut Held| (of.barrier, of.is_arrival, of.pc) == (held.barrier, is_arrival, at);
                let count = self.groups.held.len();
                match self.groups.held.iter_mut().find(same) {
                    // A lane that has arrived twice counts twice.
                    Some(known) if known.lanes & bit == 0 => {
                        (known.lanes, known.ones) = (known.lanes | bit, known.ones | held.ones)
                    }
                    _ if count >= MOST_ARRIVALS => {
                        return Err(FaultKind::Barrier(BadBarrier::Arrivals(MOST_ARRIVALS)));
                    }
                    _ => self.groups.held.push(held),
                }
                add(next, if is_arrival { bit } else { 0 });
            } else if wanted[Action::Ret] & bit != 0 {
                match self.calls[lane].pop() {
                    Some(back) => add(back, bit),
                    None => self.live &= !bit,
                }
            } else {
                if wanted[Action::Call] & bit != 0 {
                    self.push_call(lane, next)?;
                }
                add(flow.target(lane), bit);
            }
        }
        let mut left = wanted[Action::Meet] & lanes;
        // Lanes that waited before may execute it together with lanes that come to it now: recursive functions have one such place.
        let again = left & self.groups.again;
        let is_again = left != 0 && left == lanes && left == again;
        let mut has_passed = false;
        let mut alone: Vec<Group> = Vec::new();
        self.groups.again &= !lanes;
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let key = flow.target(first);
            let mask = flow.second(first);
            let is_same = |lane: &usize| flow.target(*lane) == key && flow.second(*lane) == mask;
            let same = masks::lanes(left).filter(is_same).fold(0, |mask, lane| mask | 1 << lane);
            left &= !same;
            let here = self.groups.met.iter().filter(|met| met.key == key).fold(same, |lanes, met| lanes | met.lanes);
            let waits = if mask & self.live & !here == 0 {
                // All lanes of the mask are here; others with the same key wait for another mask.
                let is_alone = flow.ones() >> first & 1 != 0;
                let mut here = vec![(next, same & mask)];
                for met in self.groups.met.iter_mut().filter(|met| met.key == key) {
                    here.push((met.next, met.lanes & mask));
                    met.lanes &= !mask;
                }
                for (pc, lanes) in here.into_iter().filter(|group| group.1 != 0) {
                    match alone.iter_mut().find(|group: &&mut Group| group.pc == pc && group.lanes & !mask == 0) {
                        Some(group) => group.lanes |= lanes,
                        None if is_alone => alone.push(Group { pc, lanes, is_alone }),
                        None => add(pc, lanes),
                    }
                }
                self.groups.met.retain(|met| met.lanes != 0);
                same & !mask
            } else {
                same
            };
            // A lane that is not in its own mask does not wait; one that has waited continues to wait.
            let waits = waits & (mask | again);
            add(next, same & !waits & !mask);
            has_passed |= same & !waits != 0;
            if waits != 0 {
                self.groups.met.push(Met { key, lanes: waits, pc: at, next });
            }
        }
        self.groups.has_changed |= has_passed || !is_again;
        (self.active, self.pc) = (0, next);
        // The group with the lowest pc continues.
        stays.sort_unstable();
        let is_alone = self.groups.alone > 0 && stays.len() == 1 && alone.is_empty() && wanted[Action::Meet] & lanes == 0;
        if wanted[Action::Pause] & lanes != 0 {
            // Waiting groups try again, before the lanes that pause.
            self.groups.look_again();
        }
        for (pc, lanes) in stays.into_iter().rev() {
            let (paused, others) = (lanes & wanted[Action::Pause], lanes & !wanted[Action::Pause]);
            if others != 0 {
                self.groups.ready.push_front(Group { pc, lanes: others, is_alone });
            }
            if paused != 0 {
                self.groups.ready.push_back(Group { pc, lanes: paused, is_alone: false });
            }
        }
        alone.into_iter().rev().for_each(|group| self.groups.ready.push_front(group));
        self.merge();
        self.choose(None);
        Ok(())
    }

    /// Merges groups at the same pc.
    fn merge(&mut self) {
        for group in std::mem::take(&mut self.groups.ready) {
            if group.is_alone {
                self.groups.ready.push_back(group);
            } else {
                self.groups.wake(group.pc, group.lanes);
            }
        }
    }

    /// Ends the turn of the executing group.
    pub(super) fn end_turn(&mut self, random: Option<&mut Random>) {
        if self.active != 0 && self.groups.alone > 1 {
            self.groups.alone -= 1;
            return;
        }
        if self.active != 0 {
            let (pc, lanes) = (self.pc, std::mem::take(&mut self.active));
            self.groups.wake(pc, lanes);
            self.groups.has_changed = true;
        }
        if self.groups.has_changed {
            self.groups.look_again();
        }
        self.choose(random);
    }

    /// Selects the next group, if none executes.
    fn choose(&mut self, random: Option<&mut Random>) {
        if self.active != 0 {
            return;
        }
        if self.groups.ready.is_empty() && self.groups.has_changed {
            self.groups.look_again();
        }
        let is_first_alone = self.groups.ready.front().is_some_and(|group| group.is_alone);
        let at = random.filter(|_| !is_first_alone).map_or(0, |random| random.below(self.groups.ready.len() as u64) as usize);
        if let Some(Group { pc, lanes, is_alone }) = self.groups.ready.remove(at) {
            (self.active, self.pc) = (lanes, pc);
            self.groups.alone = if is_alone { ALONE } else { 0 };
        }
    }

    /// Opens a barrier: the lanes that wait at it continue.
    pub(super) fn open(&mut self, barrier: u64) {
        let (open, rest) = std::mem::take(&mut self.groups.held).into_iter().partition(|held| held.barrier == barrier);
        self.groups.held = rest;
        let open: Vec<Held> = open;
        for held in open.iter().filter(|held| !held.is_arrival) {
            self.groups.wake(held.next, held.lanes);
        }
        self.groups.has_changed = true;
        self.choose(None);
    }
}
