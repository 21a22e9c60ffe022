//! What the machine asks of those who know instructions, and what it gives them.

use super::fault::NotExecutable;
use super::masks;
use super::memory::Memories;
use isa_runtime::U256;
use isa_runtime::machine::{MachineInfo, Routine};

/// The most lanes that a warp has.
pub const MAX_LANES: usize = 64;

/// What instructions do.
pub trait Engine: Sync {
    /// Registers, flags and values of a warp.
    type State: State + Clone;
    /// An instruction, made ready.
    type Op: Send + Sync;

    /// The machine.
    fn machine(&self) -> &MachineInfo;

    /// Makes a word of so many bits ready.
    ///
    /// # Errors
    /// Why it is not an instruction, or one that cannot be executed.
    fn prepare(&self, word: U256, bits: u32) -> Result<Self::Op, NotExecutable>;

    /// Bits of the word that begins with this unit of a program; `None` where none does.
    fn length_of(&self, unit: U256) -> Option<u32>;

    /// The text of a word of so many bits at an address, for traces and faults.
    fn text(&self, word: U256, bits: u32, address: u64) -> String;

    /// Registers as a warp starts with them: all zero, but those that read as ones.
    fn state(&self) -> Self::State;

    /// Whether the machine says what it does then.
    fn has(&self, _routine: Routine) -> bool {
        false
    }

    /// What the machine does beside instructions; nothing where it does not say. What it wants of the flow of control is in `step.flow`
    /// afterwards.
    fn routine(&self, _routine: Routine, _state: &mut Self::State, _step: &mut Step<'_>) {}

    /// Executes an instruction in the lanes of `step.active`, at least one, the guard of the instruction included.
    ///
    /// Addresses that are no good are noted in `step.memory`, and what the flow of control is to do in `step.flow`: the machine
    /// looks at both afterwards.
    fn execute(&self, op: &Self::Op, state: &mut Self::State, step: &mut Step<'_>);
}

/// Registers, flags and values of a warp, for those who look at them from outside: traces, `eval`, tests.
pub trait State: Send {
    /// A register of a lane; 0 beyond the end of the file.
    fn register(&self, file: usize, index: usize, lane: usize) -> u128;
    /// Writes a register of a lane; nothing happens beyond the end of the file, and to registers that are constants.
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
    /// What the launch set: for each of [`MachineInfo::launch_values`] the lanes' values.
    pub launch_values: &'m [[u32; MAX_LANES]],
    /// Which value each of [`MachineInfo::variants`] has.
    pub variants: &'m [usize],
    /// What a core has beside registers and memory.
    pub supplied: Supplied,
    /// What the lanes want of the flow of control.
    pub flow: Flow,
}

impl Step<'_> {
    /// Whether anything but the next instruction comes after this one.
    #[inline(always)]
    pub(crate) const fn has_news(&self) -> bool {
        !self.flow.is_plain() || self.memory.has_news()
    }

    /// How many instructions the core has executed before this one.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.memory.now
    }
}

/// What a core has beside registers and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Supplied {
    /// The number of the core.
    pub hart: u64,
    /// The lines of devices: a bit for each of [`MachineInfo::lines`].
    pub lines: u64,
    /// What was raised, where [`Routine::Raise`] is asked for.
    pub cause: u64,
    /// What belongs to the cause.
    pub value: u64,
    /// The word that is no instruction, where [`Routine::Illegal`] is asked for.
    pub word: u64,
    /// The address that can't be used, where [`Routine::Access`] and the like are asked for.
    pub address: u64,
    /// The access writes.
    pub write: bool,
    /// How many lanes came with a value of 1 to the barrier that the warp left last.
    pub reduced: u64,
}

/// What lanes want of the flow of control, when the instruction has ended.
#[derive(Clone, Debug)]
pub struct Flow {
    wanted: Wanted,
    /// The lanes that want anything, and those that want anything but a branch.
    any: u64,
    rare: u64,
    /// The lanes that have a target.
    aimed: u64,
    /// The target of all of them, as long as they have one; of what is raised the cause.
    common: Option<u64>,
    /// What belongs to the cause.
    value: u64,
    /// The target of each of them, if they have several.
    targets: [u64; MAX_LANES],
    /// A second number of each lane that meets others or comes to a barrier: a mask of lanes, or how many are waited for.
    seconds: [u64; MAX_LANES],
    /// The lanes that come to a barrier with a value of 1.
    ones: u64,
}

/// A bit for each lane that wants something of the flow of control; a lane wants one thing at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Go on at the lane's target.
    pub branch: u64,
    /// The same, and come back.
    pub call: u64,
    /// Come back from a call.
    pub ret: u64,
    /// End.
    pub exit: u64,
    /// Wait for the block, at the barrier with the lane's target as number.
    pub barrier: u64,
    /// Count at the barrier with the lane's target as number, and go on.
    pub arrive: u64,
    /// Wait for the lanes of a mask.
    pub meet: u64,
    /// Let others of the warp go on.
    pub pause: u64,
    /// Reconverge.
    pub sync: u64,
    /// Wait for those that parted.
    pub join: u64,
    /// End the run with a fault.
    pub trap: u64,
    /// End the run as at a word that is no instruction.
    pub illegal: u64,
    /// End the run: the specification does not say what the instruction does here.
    pub undescribed: u64,
    /// Have the host do what registers say.
    pub host: u64,
    /// See what was stored into code.
    pub refetch: u64,
    /// Raise something, in the place of the instruction.
    pub raise: u64,
    /// Ask whether there is an interrupt.
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
    /// Has some lanes want something with a target of theirs.
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

    /// These lanes go on at `target`.
    #[inline]
    pub fn branch(&mut self, lanes: u64, target: u64) {
        self.wanted.branch |= lanes;
        self.aim(lanes, target);
    }

    /// These lanes go on at `target`, and come back.
    #[inline]
    pub fn call(&mut self, lanes: u64, target: u64) {
        self.wanted.call |= lanes;
        self.want(lanes);
        self.aim(lanes, target);
    }

    /// These lanes reconverge.
    #[inline]
    pub fn sync(&mut self, lanes: u64, target: u64) {
        self.wanted.sync |= lanes;
        self.want(lanes);
        self.aim(lanes, target);
    }

    /// These lanes wait at a barrier.
    #[inline]
    pub fn barrier(&mut self, lanes: u64, number: u64) {
        self.wanted.barrier |= lanes;
        self.want(lanes);
        self.aim(lanes, number);
    }

    /// These lanes wait at a barrier for so many lanes, 0 for all; those of a value of 1 are counted.
    #[inline]
    pub fn barrier_of(&mut self, lanes: u64, number: u64, count: u64, value: u64) {
        self.barrier(lanes, number);
        self.set_second(lanes, count);
        self.ones |= if value != 0 { lanes } else { 0 };
    }

    /// These lanes are counted at a barrier, and do not wait.
    #[inline]
    pub fn arrive(&mut self, lanes: u64, number: u64, count: u64) {
        self.wanted.arrive |= lanes;
        self.want(lanes);
        self.aim(lanes, number);
        self.set_second(lanes, count);
    }

    /// These lanes wait until all live lanes of a mask wait with the same key; where `alone` is not 0, they go on alone then.
    #[inline]
    pub fn meet(&mut self, lanes: u64, key: u64, mask: u64, alone: u64) {
        self.ones |= if alone != 0 { lanes } else { 0 };
        self.wanted.meet |= lanes;
        self.want(lanes);
        self.aim(lanes, key);
        self.set_second(lanes, mask);
    }

    /// These lanes let others go on.
    #[inline]
    pub fn pause(&mut self, lanes: u64) {
        self.wanted.pause |= lanes;
        self.want(lanes);
    }

    fn set_second(&mut self, lanes: u64, number: u64) {
        masks::lanes(lanes).for_each(|lane| self.seconds[lane] = number);
    }

    /// The second number of a lane: the lanes that it meets, or how many a barrier waits for that it has come to.
    pub fn second(&self, lane: usize) -> u64 {
        self.seconds.get(lane).copied().unwrap_or(0)
    }

    /// The lanes that have come to a barrier with a value of 1, or meet to go on alone.
    pub const fn ones(&self) -> u64 {
        self.ones
    }

    /// These lanes come back from a call.
    #[inline]
    pub fn ret(&mut self, lanes: u64) {
        self.wanted.ret |= lanes;
        self.want(lanes);
    }

    /// These lanes end.
    #[inline]
    pub fn exit(&mut self, lanes: u64) {
        self.wanted.exit |= lanes;
        self.want(lanes);
    }

    /// These lanes wait for those that parted.
    #[inline]
    pub fn join(&mut self, lanes: u64) {
        self.wanted.join |= lanes;
        self.want(lanes);
    }

    /// These lanes end the run with a fault.
    #[inline]
    pub fn trap(&mut self, lanes: u64) {
        self.wanted.trap |= lanes;
        self.want(lanes);
    }

    /// These lanes end the run as at a word that is no instruction.
    #[inline]
    pub fn illegal(&mut self, lanes: u64) {
        self.wanted.illegal |= lanes;
        self.want(lanes);
    }

    /// These lanes end the run, since the specification does not say what they do.
    #[inline]
    pub fn undescribed(&mut self, lanes: u64) {
        self.wanted.undescribed |= lanes;
        self.want(lanes);
    }

    /// These lanes call the host.
    #[inline]
    pub fn host(&mut self, lanes: u64) {
        self.wanted.host |= lanes;
        self.want(lanes);
    }

    /// These lanes want to see what was stored into code.
    #[inline]
    pub fn refetch(&mut self, lanes: u64) {
        self.wanted.refetch |= lanes;
        self.want(lanes);
    }

    /// The lane raises something, in the place of its instruction.
    #[inline]
    pub fn raise(&mut self, cause: u64, value: u64) {
        self.wanted.raise |= 1;
        self.want(1);
        (self.common, self.value) = (Some(cause), value);
    }

    /// The cause that is raised, and what belongs to it.
    pub fn raised(&self) -> Option<(u64, u64)> {
        self.common.filter(|_| self.wanted.raise != 0).map(|cause| (cause, self.value))
    }

    /// Returns true if an instruction is kept from being executed: where there is one lane, nothing behind that is done.
    #[inline]
    pub const fn ends_body(&self) -> bool {
        self.wanted.trap | self.wanted.illegal | self.wanted.undescribed | self.wanted.raise != 0
    }

    /// What interrupts depend on may have changed.
    #[inline]
    pub fn ask(&mut self, lanes: u64) {
        self.wanted.ask |= lanes;
        self.want(lanes);
    }

    /// Forgets what was wanted.
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

    /// Whether the lanes just go on.
    #[inline]
    pub const fn is_plain(&self) -> bool {
        self.any == 0
    }

    /// The target, if all these lanes branch, and to one place: as nearly always. What they wanted is forgotten.
    #[inline(always)]
    pub(crate) fn take_branch_of_all(&mut self, lanes: u64) -> Option<u64> {
        let target = self.common.filter(|_| self.rare == 0 && self.wanted.branch == lanes)?;
        (self.wanted.branch, self.any, self.aimed, self.common) = (0, 0, 0, None);
        Some(target)
    }

    /// What is wanted, and by which lanes.
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
