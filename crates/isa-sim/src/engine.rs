//! The interface between the machine and the engine of an instruction set.

use super::fault::NotExecutable;
use super::masks;
use super::memory::Memories;
use core::ops::Index;
use isa_runtime::U256;
use isa_runtime::action::{Action, ActionArg};
use isa_runtime::machine::{MachineInfo, Routine, Write};

/// The greatest number of lanes of a warp.
pub const MAX_LANES: usize = 64;

/// The instructions of an instruction set.
pub trait Engine: Sync {
    /// Registers, flags and values of a warp.
    type State: State + Clone;
    /// A prepared instruction.
    type Op: Send + Sync;

    /// The machine.
    fn machine(&self) -> &MachineInfo;

    /// Prepares a word of `bits` bits.
    ///
    /// # Errors
    /// The reason why it is not an instruction, or not one that can be executed.
    fn prepare(&self, word: U256, bits: u32) -> Result<Self::Op, NotExecutable>;

    /// Bits of the word that begins with this unit of a program; `None` if no word does.
    fn length_of(&self, unit: U256) -> Option<u32>;

    /// The text of a word of `bits` bits at an address, for traces and faults.
    fn text(&self, word: U256, bits: u32, address: u64) -> String;

    /// The registers, flags and values that a word of `bits` bits may write; `None` if that is not known.
    fn writes(&self, _word: U256, _bits: u32) -> Option<Vec<Write>> {
        None
    }

    /// The initial registers of a warp: all zero, except those that read as ones.
    fn state(&self) -> Self::State;

    /// True if the machine has this routine.
    fn has(&self, _routine: Routine) -> bool {
        false
    }

    /// Runs a routine of the machine; nothing if there is none. Its control-flow requests are in `step.flow` afterwards.
    fn routine(&self, _routine: Routine, _state: &mut Self::State, _step: &mut Step<'_>) {}

    /// Executes an instruction in the lanes of `step.active`, at least one, the guard of the instruction included.
    ///
    /// Invalid accesses are noted in `step.memory`, and control-flow requests in `step.flow`: the machine handles both
    /// afterwards.
    fn execute(&self, op: &Self::Op, state: &mut Self::State, step: &mut Step<'_>);
}

/// Registers, flags and values of a warp, for external access: traces, `eval`, tests.
pub trait State: Send {
    /// A register of a lane; 0 beyond the end of the file.
    fn register(&self, file: usize, index: usize, lane: usize) -> u128;
    /// Writes a register of a lane; ignored beyond the end of the file, and for registers that are constants.
    fn set_register(&mut self, file: usize, index: usize, lane: usize, value: u128);
    /// A register of flags.
    fn flags(&self, file: usize, index: usize, lane: usize) -> u64;
    /// Writes a register of flags.
    fn set_flags(&mut self, file: usize, index: usize, lane: usize, value: u64);
    /// A value that instructions write.
    fn value(&self, index: usize, lane: usize) -> u128;
    /// Writes such a value.
    fn set_value(&mut self, index: usize, lane: usize, value: u128);
}

/// One instruction of one warp.
#[derive(Debug)]
pub struct Step<'m> {
    /// The lanes that execute it: bit n is lane n.
    pub active: u64,
    /// The address of the instruction.
    pub pc: u64,
    /// The address of the one that follows it.
    pub next: u64,
    /// The memory that the warp sees.
    pub memory: Memories<'m>,
    /// The launch values: for each of [`MachineInfo::launch_values`] the lanes' values.
    pub launch_values: &'m [[u32; MAX_LANES]],
    /// The value of each of [`MachineInfo::variants`].
    pub variants: &'m [usize],
    /// The inputs of a core besides registers and memory.
    pub supplied: Supplied,
    /// The control-flow requests of the lanes.
    pub flow: Flow,
}

impl Step<'_> {
    /// True if something other than the next instruction follows this one.
    #[inline(always)]
    pub(crate) const fn has_news(&self) -> bool {
        !self.flow.is_plain() || self.memory.has_news()
    }

    /// The number of instructions that the core or the warp has executed before this one.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.memory.now
    }
}

/// The inputs of a core besides registers and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Supplied {
    /// The number of the core.
    pub hart: u64,
    /// The lines of devices: a bit for each of [`MachineInfo::lines`].
    pub lines: u64,
    /// The cause that was raised, for [`Routine::Raise`].
    pub cause: u64,
    /// The value of the cause.
    pub value: u64,
    /// The word that is not an instruction, for [`Routine::Illegal`].
    pub word: u64,
    /// The address that can't be accessed, for [`Routine::Access`] and similar ones.
    pub address: u64,
    /// The access is a store.
    pub write: bool,
    /// The number of lanes that came with a value of 1 to the barrier that the warp left last.
    pub reduced: u64,
}

/// The control-flow requests of lanes at the end of an instruction.
#[derive(Clone, Debug)]
pub struct Flow {
    wanted: Wanted,
    /// The lanes with any request, and those with a request other than a branch.
    any: u64,
    rare: u64,
    /// The lanes that have a target.
    aimed: u64,
    /// The target of all of them, if it is the same; the cause, if something is raised.
    common: Option<u64>,
    /// The target of each of them, if they differ.
    targets: [u64; MAX_LANES],
    /// The second argument of each lane's action, if it has one: a mask of lanes to meet, the number of lanes that a barrier waits
    /// for, the value of a raised cause.
    seconds: [u64; MAX_LANES],
    /// The lanes that come to a barrier with a value of 1.
    ones: u64,
}

/// The lanes of each request, a bit for each lane, by [`Action`]; a lane has at most one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted([u64; Action::ALL.len()]);

impl Index<Action> for Wanted {
    type Output = u64;

    #[inline(always)]
    fn index(&self, action: Action) -> &u64 {
        &self.0[action as usize]
    }
}

impl Wanted {
    /// These requests without those of some actions.
    #[must_use]
    pub fn without(mut self, actions: &[Action]) -> Self {
        actions.iter().for_each(|action| self.0[*action as usize] = 0);
        self
    }
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            wanted: Wanted::default(),
            any: 0,
            rare: 0,
            aimed: 0,
            common: None,
            targets: [0; MAX_LANES],
            seconds: [0; MAX_LANES],
            ones: 0,
        }
    }
}

impl Flow {
    /// Records the target of a request of `lanes`.
    #[inline]
    fn aim(&mut self, lanes: u64, target: u64) {
        if self.aimed == 0 {
            self.common = Some(target);
        } else if self.common != Some(target) {
            self.scatter(lanes, target);
        }
        self.aimed |= lanes;
    }

    #[cold]
    fn scatter(&mut self, lanes: u64, target: u64) {
        if let Some(common) = self.common.take() {
            self.targets = [common; MAX_LANES];
        }
        masks::lanes(lanes).for_each(|lane| self.targets[lane] = target);
    }

    /// The target of a lane.
    pub fn target(&self, lane: usize) -> u64 {
        self.common.unwrap_or(self.targets[lane])
    }

    /// The target of all lanes that have one, if it is the same.
    #[inline]
    pub fn common_target(&self) -> Option<u64> {
        self.common
    }

    /// Records a request of lanes with the arguments of the action; those that are left out are 0.
    #[inline(always)]
    pub fn request<const N: usize>(&mut self, action: Action, lanes: u64, args: [u64; N]) {
        self.wanted.0[action as usize] |= lanes;
        self.any |= lanes;
        if action != Action::Branch {
            self.rare |= lanes;
        }
        let arg = |place: usize| args.get(place).copied().unwrap_or(0);
        let takes = action.args();
        if !takes.is_empty() {
            self.aim(lanes, arg(0));
        }
        if takes.len() > 1 {
            masks::lanes(lanes).for_each(|lane| self.seconds[lane] = arg(1));
        }
        if takes.len() > 2 && arg(2) != 0 {
            self.ones |= lanes;
        }
    }

    /// The second argument of a lane's action: the lanes that it meets, the number of lanes that its barrier waits for, the value of a
    /// raised cause.
    pub fn second(&self, lane: usize) -> u64 {
        self.seconds.get(lane).copied().unwrap_or(0)
    }

    /// The lanes that have come to a barrier with a value of 1, or meet to continue alone.
    pub const fn ones(&self) -> u64 {
        self.ones
    }

    /// The requests of a lane: `branch=0x10`, `exit`, `raise=0x7,0x1`. Arguments that may be left out are not shown if they are 0.
    pub fn shown(&self, lane: usize) -> Vec<String> {
        let wanted = Action::ALL.iter().filter(|action| self.wanted[**action] >> lane & 1 == 1);
        let shown = wanted.filter(|action| !action.name().is_empty()).map(|action| {
            let numbers = [self.target(lane), self.second(lane), self.ones >> lane & 1];
            let takes = action.args().iter().zip(numbers);
            let is_shown = |(arg, number): (&ActionArg, u64)| number != 0 || !arg.is_optional();
            let count = takes.clone().rposition(is_shown).map_or(0, |last| last + 1);
            let numbers: Vec<String> = takes.take(count).map(|(_, number)| format!("{number:#x}")).collect();
            if numbers.is_empty() { action.name().into() } else { format!("{}={}", action.name(), numbers.join(",")) }
        });
        shown.collect()
    }

    /// The cause that is raised, and its value.
    pub fn raised(&self) -> Option<(u64, u64)> {
        (self.wanted[Action::Raise] != 0).then(|| (self.target(0), self.second(0)))
    }

    /// Returns true if the instruction must not be completed: with one lane, the rest of its body is skipped.
    #[inline]
    pub fn ends_body(&self) -> bool {
        self.rare != 0 && Action::ALL.iter().any(|action| action.is_fault() && self.wanted[*action] != 0)
    }

    /// Drops all requests.
    #[inline]
    pub fn clear(&mut self) {
        self.wanted = Wanted::default();
        (self.any, self.rare, self.aimed, self.common, self.ones) = (0, 0, 0, None, 0);
    }

    /// True if there are no requests.
    #[inline]
    pub const fn is_plain(&self) -> bool {
        self.any == 0
    }

    /// True if there are requests other than branches.
    pub(crate) const fn is_rare(&self) -> bool {
        self.rare != 0
    }

    /// The target, if all these lanes branch to one place, as they usually do. The requests are dropped.
    #[inline(always)]
    pub(crate) fn take_branch_of_all(&mut self, lanes: u64) -> Option<u64> {
        let target = self.common.filter(|_| self.rare == 0 && self.wanted[Action::Branch] == lanes)?;
        (self.wanted.0[Action::Branch as usize], self.any, self.aimed, self.common) = (0, 0, 0, None);
        Some(target)
    }

    /// The lanes of each request.
    #[inline]
    pub const fn wanted(&self) -> &Wanted {
        &self.wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_have_targets_of_their_own() {
        let mut flow = Flow::default();
        flow.request(Action::Branch, 0b0011, [8]);
        flow.request(Action::Branch, 0b0100, [8]);
        assert_eq!((flow.common_target(), flow.wanted()[Action::Branch]), (Some(8), 7));
        flow.request(Action::Branch, 0b1000, [16]);
        flow.request(Action::Sync, 1 << 63, [24]);
        assert_eq!((flow.common_target(), [0, 2, 3, 63].map(|l| flow.target(l))), (None, [8, 8, 16, 24]));
        flow.clear();
        assert!(flow.is_plain());
        flow.request(Action::Call, 1, [4]);
        assert_eq!((flow.common_target(), flow.is_plain()), (Some(4), false));
    }
}
