//! Faults, which end a run early.

use super::memory::{Access, Trouble, TroubleKind};
use isa_runtime::machine::MachineInfo;
use std::fmt;

/// A fault at an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The address of the instruction.
    pub pc: u64,
    /// Its text; empty if there is none.
    pub text: String,
    /// The lanes concerned, for a machine with several lanes.
    pub place: Option<Place>,
}

/// Some lanes of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: [u32; 3],
    /// The warp in the block.
    pub warp: u32,
    /// A bit for each lane.
    pub lanes: u64,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An access to memory is invalid.
    Memory {
        /// The access.
        trouble: Trouble,
        /// The name of the space.
        space: String,
        /// The number of banks, if it has banks.
        banks: Option<u32>,
    },
    /// The word reached is not an instruction, or not one that can be executed.
    NotExecutable(NotExecutable),
    /// No instruction begins at the address reached.
    NoInstruction,
    /// Lanes wait at a barrier that can't open.
    Barrier(BadBarrier),
    /// Lanes wait for others of their warp that never arrive.
    Meeting,
    /// The stack is empty at a `join`.
    StackUnderflow,
    /// The stack of masks has become too deep.
    StackOverflow(usize),
    /// A lane has too many nested calls.
    CallOverflow(usize),
    /// A `trap`.
    Trap,
    /// A `host` without a host.
    NoHost,
    /// The host can't continue, for this reason.
    Host(String),
    /// `raise` if faults are handled by the host instead of the machine: the cause and its value.
    Raised(u64, u64),
    /// A cause was raised before an instruction of the handler was executed.
    RaisedAgain(u64, u64),
    /// The limit of warp instructions is reached.
    StepLimit(u64),
    /// The limit of instructions is reached.
    Limit(u64),
}

/// A reason why a word can't be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotExecutable {
    /// It is not an instruction, for this reason.
    Illegal(String),
    /// The specification does not describe the instruction for these field values.
    Unsaid,
    /// The specification does not describe the instruction.
    Undescribed {
        /// The name of the instruction.
        instruction: String,
    },
}

impl NotExecutable {
    /// The reason of `illegal()`.
    pub(crate) fn defined() -> Self {
        Self::Illegal("it is defined to be illegal".to_owned())
    }
}

impl fmt::Display for NotExecutable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(why) => f.write_str(why),
            Self::Unsaid => {
                f.write_str("the specification does not say what the instruction does with these modifiers and operands")
            }
            Self::Undescribed { instruction } => write!(f, "{instruction} has no semantics in this specification"),
        }
    }
}

impl std::error::Error for NotExecutable {}

/// A reason why a barrier can't open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadBarrier {
    /// Other lanes of the warp are on another path, and come after those that wait.
    Path,
    /// Lanes of a warp have arrived this number of times, but nothing has opened.
    Arrivals(usize),
    /// Too few lanes of the block come to it, and none can make progress.
    Few {
        /// Its number.
        barrier: u64,
        /// The number of lanes at the barrier.
        there: u64,
        /// The number of lanes that it waits for.
        wanted: u64,
    },
    /// Lanes of the warp wait at different barriers.
    Lanes {
        /// The barrier of some.
        barrier: u64,
        /// The barrier of others.
        there: u64,
    },
    /// Warps wait at different barriers, and no other warp can make progress.
    Warps {
        /// A warp.
        warp: u32,
        /// Its barrier.
        barrier: u64,
        /// Another warp.
        other: u32,
        /// The barrier of that one.
        there: u64,
    },
}

impl fmt::Display for BadBarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path => f.write_str("other lanes of the warp have diverged, and run only after these"),
            Self::Arrivals(most) => write!(f, "lanes of the warp have arrived {most} times at barriers that do not open"),
            Self::Few { barrier, there, wanted } => {
                write!(
                    f,
                    "{there} lanes of the block are at barrier {barrier}, which waits for {wanted}, and no lane can make progress"
                )
            }
            Self::Lanes { barrier, there } => write!(f, "lanes of the warp wait at barrier {barrier}, others at barrier {there}"),
            Self::Warps { warp, barrier, other, there } => write!(
                f,
                "warp {warp} waits at barrier {barrier}, warp {other} at barrier {there}, and no other warp can make progress"
            ),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { trouble, space, banks } => trouble.show(space, *banks, f),
            Self::NotExecutable(why) => write!(f, "this can't be executed: {why}"),
            Self::NoInstruction => f.write_str("no instruction of the program begins there"),
            Self::Barrier(why) => write!(f, "a barrier can never open: {why}"),
            Self::Meeting => f.write_str("these lanes wait for others of their warp that never come to meet them"),
            Self::StackUnderflow => f.write_str("a join on an empty stack of masks"),
            Self::StackOverflow(most) => write!(f, "the stack of masks has more than {most} entries"),
            Self::CallOverflow(most) => write!(f, "a lane has more than {most} nested calls"),
            Self::Trap => f.write_str("trap"),
            Self::NoHost => f.write_str("the program calls its host, and has none"),
            Self::Host(why) => f.write_str(why),
            Self::Raised(cause, value) => write!(f, "the program raises cause {cause:#x}, value {value:#x}"),
            Self::RaisedAgain(cause, value) => write!(
                f,
                "cause {cause:#x}, value {value:#x}, is raised by the first instruction of the handler of causes: this would repeat forever"
            ),
            Self::Limit(limit) => write!(f, "the run has not ended after {limit} instructions, the limit"),
            Self::StepLimit(limit) => write!(f, "the run has not ended after {limit} warp instructions, the limit"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FaultKind::NoInstruction => write!(f, "no instruction of the program begins at {:#x}", self.pc)?,
            kind => kind.fmt(f)?,
        }
        write!(f, "\n  at {:#x}", self.pc)?;
        if !self.text.is_empty() {
            write!(f, ": {}", self.text)?;
        }
        let Some(Place { block: [x, y, z], warp, lanes }) = self.place else { return Ok(()) };
        write!(f, "\n  in block ({x}, {y}, {z}), warp {warp}, {}", Lanes(lanes))
    }
}

impl std::error::Error for Fault {}

impl Trouble {
    fn show(&self, space: &str, banks: Option<u32>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, address) = (self.bytes, self.address);
        let what = match self.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Fetch => "fetch",
        };
        let bank = if banks.is_some() { format!(", bank {}", self.bank) } else { String::new() };
        write!(f, "a {what} of {bytes} byte{} at {address:#x} of `{space}`{bank}: ", if bytes == 1 { "" } else { "s" })?;
        match self.kind {
            TroubleKind::Outside if self.size == 0 => f.write_str("this memory is empty"),
            TroubleKind::Outside => write!(f, "the memory ends at {:#x}", self.size),
            TroubleKind::Misaligned => write!(f, "the address is not a multiple of {bytes}"),
            TroubleKind::NoBank => write!(f, "there are banks 0 to {}", banks.unwrap_or(1).saturating_sub(1)),
            TroubleKind::ReadOnly => f.write_str("instructions only read it"),
            TroubleKind::Unmapped(at) => write!(f, "there is no memory at {at:#x}"),
            TroubleKind::Protected(at) => match self.access {
                Access::Read => write!(f, "the memory at {at:#x} can't be read"),
                Access::Write => write!(f, "the memory at {at:#x} can't be written"),
                Access::Fetch => write!(f, "the memory at {at:#x} holds no code"),
            },
            TroubleKind::Full(most) => write!(f, "more than {most} bytes of memory would be written, the maximum"),
            TroubleKind::Refused(why) => write!(f, "the device refuses it: {why}"),
            TroubleKind::MissingParameter => f.write_str("the launch has no parameter there, and nothing was written"),
        }
    }
}

/// `lane 3`, `lanes 0..4, 7`
struct Lanes(u64);

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for lane in (0..64).filter(|l| self.0 >> l & 1 != 0) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == lane => *last = lane,
                _ => runs.push((lane, lane)),
            }
        }
        f.write_str(if self.0.count_ones() == 1 { "lane " } else { "lanes " })?;
        if runs.is_empty() {
            return f.write_str("none");
        }
        for (i, (first, last)) in runs.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            if first == last { write!(f, "{first}")? } else { write!(f, "{first}..{last}")? }
        }
        Ok(())
    }
}

impl FaultKind {
    pub(crate) fn memory(trouble: Trouble, machine: &MachineInfo) -> Self {
        let space = &machine.spaces[trouble.space.min(machine.spaces.len() - 1)];
        Self::Memory { trouble, space: space.name.clone(), banks: space.banks }
    }
}
