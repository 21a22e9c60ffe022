//! The interface between the machine and the engine of an instruction set.

use super::fault::NotExecutable;
use super::masks;
use super::memory::Memories;
use isa_runtime::U256;
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
    /// The value of the cause.
    value: u64,
    /// The target of each of them, if they differ.
    targets: [u64; MAX_LANES],
    /// A second number of each lane that meets others or comes to a barrier: a mask of lanes, or the number of lanes to wait for.
    seconds: [u64; MAX_LANES],
    /// The lanes that come to a barrier with a value of 1.
    ones: u64,
}

/// A bit for each lane with a control-flow request; a lane has at most one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Continue at the lane's target.
    pub branch: u64,
    /// The same, and return later.
    pub call: u64,
    /// Return from a call.
    pub ret: u64,
    /// End.
    pub exit: u64,
    /// Wait for the block, at the barrier with the lane's target as number.
    pub barrier: u64,
    /// Count at the barrier with the lane's target as number, and continue.
    pub arrive: u64,
    /// Wait for the lanes of a mask.
    pub meet: u64,
    /// Let others of the warp proceed.
    pub pause: u64,
    /// Reconverge.
    pub sync: u64,
    /// Wait for the lanes that diverged.
    pub join: u64,
    /// End the run with a fault.
    pub trap: u64,
    /// End the run as at a word that is not an instruction.
    pub illegal: u64,
    /// End the run: the specification does not describe the instruction in this case.
    pub undescribed: u64,
    /// Call the host, with arguments in registers.
    pub host: u64,
    /// Let stores into code take effect.
    pub refetch: u64,
    /// Raise a cause, in the place of the instruction.
    pub raise: u64,
    /// Check for an interrupt.
    pub ask: u64,
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            wanted: Wanted::default(),
            any: 0,
            rare: 0,
            aimed: 0,
            common: None,
            value: 0,
            targets: [0; MAX_LANES],
            seconds: [0; MAX_LANES],
            ones: 0,
        }
    }
}

impl Flow {
    /// Records a control-flow request of `lanes` with a target.
    #[inline]
    fn aim(&mut self, lanes: u64, target: u64) {
        self.any |= lanes;
        if self.aimed == 0 {
            self.common = Some(target);
        } else if self.common != Some(target) {
            self.scatter(lanes, target);
        }
        self.aimed |= lanes;
    }

    #[inline]
    fn want(&mut self, lanes: u64) {
        self.any |= lanes;
        self.rare |= lanes;
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

    /// Requests that these lanes continue at `target`.
    #[inline]
    pub fn branch(&mut self, lanes: u64, target: u64) {
        self.wanted.branch |= lanes;
        self.aim(lanes, target);
    }

    /// Requests that these lanes continue at `target`, and return later.
    #[inline]
    pub fn call(&mut self, lanes: u64, target: u64) {
        self.wanted.call |= lanes;
        self.want(lanes);
        self.aim(lanes, target);
    }

    /// Requests that these lanes reconverge.
    #[inline]
    pub fn sync(&mut self, lanes: u64, target: u64) {
        self.wanted.sync |= lanes;
        self.want(lanes);
        self.aim(lanes, target);
    }

    /// Requests that these lanes wait at a barrier.
    #[inline]
    pub fn barrier(&mut self, lanes: u64, number: u64) {
        self.wanted.barrier |= lanes;
        self.want(lanes);
        self.aim(lanes, number);
    }

    /// Requests that these lanes wait at a barrier for `count` lanes, 0 for all; those with a value of 1 are counted.
    #[inline]
    pub fn barrier_of(&mut self, lanes: u64, number: u64, count: u64, value: u64) {
        self.barrier(lanes, number);
        self.set_second(lanes, count);
        self.ones |= if value != 0 { lanes } else { 0 };
    }

    /// Requests that these lanes are counted at a barrier without waiting.
    #[inline]
    pub fn arrive(&mut self, lanes: u64, number: u64, count: u64) {
        self.wanted.arrive |= lanes;
        self.want(lanes);
        self.aim(lanes, number);
        self.set_second(lanes, count);
    }

    /// Requests that these lanes wait until all live lanes of a mask wait with the same key; if `alone` is not 0, they then
    /// continue alone.
    #[inline]
    pub fn meet(&mut self, lanes: u64, key: u64, mask: u64, alone: u64) {
        self.ones |= if alone != 0 { lanes } else { 0 };
        self.wanted.meet |= lanes;
        self.want(lanes);
        self.aim(lanes, key);
        self.set_second(lanes, mask);
    }

    /// Requests that these lanes let others proceed.
    #[inline]
    pub fn pause(&mut self, lanes: u64) {
        self.wanted.pause |= lanes;
        self.want(lanes);
    }

    fn set_second(&mut self, lanes: u64, number: u64) {
        masks::lanes(lanes).for_each(|lane| self.seconds[lane] = number);
    }

    /// The second number of a lane: the lanes that it meets, or the number of lanes that its barrier waits for.
    pub fn second(&self, lane: usize) -> u64 {
        self.seconds.get(lane).copied().unwrap_or(0)
    }

    /// The lanes that have come to a barrier with a value of 1, or meet to continue alone.
    pub const fn ones(&self) -> u64 {
        self.ones
    }

    /// Requests that these lanes return from a call.
    #[inline]
    pub fn ret(&mut self, lanes: u64) {
        self.wanted.ret |= lanes;
        self.want(lanes);
    }

    /// Requests that these lanes end.
    #[inline]
    pub fn exit(&mut self, lanes: u64) {
        self.wanted.exit |= lanes;
        self.want(lanes);
    }

    /// Requests that these lanes wait for those that diverged.
    #[inline]
    pub fn join(&mut self, lanes: u64) {
        self.wanted.join |= lanes;
        self.want(lanes);
    }

    /// Requests that these lanes end the run with a fault.
    #[inline]
    pub fn trap(&mut self, lanes: u64) {
        self.wanted.trap |= lanes;
        self.want(lanes);
    }

    /// Requests that these lanes end the run as at a word that is not an instruction.
    #[inline]
    pub fn illegal(&mut self, lanes: u64) {
        self.wanted.illegal |= lanes;
        self.want(lanes);
    }

    /// Requests that these lanes end the run, since the specification does not describe them.
    #[inline]
    pub fn undescribed(&mut self, lanes: u64) {
        self.wanted.undescribed |= lanes;
        self.want(lanes);
    }

    /// Requests that these lanes call the host.
    #[inline]
    pub fn host(&mut self, lanes: u64) {
        self.wanted.host |= lanes;
        self.want(lanes);
    }

    /// Requests that stores into code take effect for these lanes.
    #[inline]
    pub fn refetch(&mut self, lanes: u64) {
        self.wanted.refetch |= lanes;
        self.want(lanes);
    }

    /// Requests that the lane raises a cause, in the place of its instruction.
    #[inline]
    pub fn raise(&mut self, cause: u64, value: u64) {
        self.wanted.raise |= 1;
        self.want(1);
        (self.common, self.value) = (Some(cause), value);
    }

    /// The cause that is raised, and its value.
    pub fn raised(&self) -> Option<(u64, u64)> {
        self.common.filter(|_| self.wanted.raise != 0).map(|cause| (cause, self.value))
    }

    /// Returns true if the instruction must not be completed: with one lane, the rest of its body is skipped.
    #[inline]
    pub const fn ends_body(&self) -> bool {
        self.wanted.trap | self.wanted.illegal | self.wanted.undescribed | self.wanted.raise != 0
    }

    /// Requests a check for interrupts, whose conditions may have changed.
    #[inline]
    pub fn ask(&mut self, lanes: u64) {
        self.wanted.ask |= lanes;
        self.want(lanes);
    }

    /// Drops all requests.
    #[inline]
    pub fn clear(&mut self) {
        if self.wanted_seconds() {
            (self.seconds, self.ones) = ([0; MAX_LANES], 0);
        }
        self.wanted = Wanted::default();
        (self.any, self.rare, self.aimed, self.common) = (0, 0, 0, None);
    }

    const fn wanted_seconds(&self) -> bool {
        (self.wanted.barrier | self.wanted.arrive | self.wanted.meet) != 0
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
        let target = self.common.filter(|_| self.rare == 0 && self.wanted.branch == lanes)?;
        (self.wanted.branch, self.any, self.aimed, self.common) = (0, 0, 0, None);
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
        flow.branch(0b0011, 8);
        flow.branch(0b0100, 8);
        assert_eq!((flow.common_target(), flow.wanted().branch), (Some(8), 7));
        flow.branch(0b1000, 16);
        flow.sync(1 << 63, 24);
        assert_eq!((flow.common_target(), [0, 2, 3, 63].map(|l| flow.target(l))), (None, [8, 8, 16, 24]));
        flow.clear();
        assert!(flow.is_plain());
        flow.call(1, 4);
        assert_eq!((flow.common_target(), flow.is_plain()), (Some(4), false));
    }
}
