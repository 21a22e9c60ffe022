//! Groups of lanes of a warp that take turns.

use std::collections::VecDeque;

/// The groups of a warp that are not executing.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Groups that can continue, in the order of their turns.
    pub(super) ready: VecDeque<Group>,
    /// The remaining turns of the executing group before others, if it has met alone.
    pub(super) alone: u32,
    /// Groups that wait for others of the warp.
    pub(super) met: Vec<Met>,
    /// Groups that wait at a barrier of the block.
    pub(super) held: Vec<Held>,
    /// Lanes have done something since those of `met` last tried.
    pub(super) has_changed: bool,
    /// Lanes that execute a `meet` again without having done anything else.
    pub(super) again: u64,
}

/// Lanes that can continue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) pc: u64,
    pub(super) lanes: u64,
    /// They have met to continue alone: others that come to the same place do not join them.
    pub(super) is_alone: bool,
}

/// The number of consecutive turns of a group that has met to continue alone.
pub(super) const ALONE: u32 = 64;

/// Lanes that wait at a `meet`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) key: u64,
    pub(super) lanes: u64,
    /// The address of the instruction, and of the one after it.
    pub(super) pc: u64,
    pub(super) next: u64,
}

/// Lanes that wait at a barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// The number of the barrier.
    pub(super) barrier: u64,
    /// The number of lanes that it waits for; 0 for all live ones of the block.
    pub(super) count: u64,
    pub(super) lanes: u64,
    /// The lanes that came with a value of 1.
    pub(super) ones: u64,
    /// They do not wait, but have only arrived.
    pub(super) is_arrival: bool,
    pub(super) pc: u64,
    pub(super) next: u64,
}

impl Groups {
    /// The lanes that wait for others of their warp, and the address.
    pub(super) fn stuck(&self) -> Option<(u64, u64)> {
        self.met.first().map(|met| (met.pc, self.met.iter().fold(0, |lanes, met| lanes | met.lanes)))
    }

    /// Lets lanes continue; those at one place form one group.
    pub(super) fn wake(&mut self, pc: u64, lanes: u64) {
        if lanes == 0 {
            return;
        }
        match self.ready.iter_mut().find(|group| group.pc == pc && !group.is_alone) {
            Some(group) => group.lanes |= lanes,
            None => self.ready.push_back(Group { pc, lanes, is_alone: false }),
        }
    }

    /// Lets waiting groups try again.
    pub(super) fn look_again(&mut self) {
        self.has_changed = false;
        for met in std::mem::take(&mut self.met) {
            self.again |= met.lanes;
            self.wake(met.pc, met.lanes);
        }
    }
}
