//! Executables in the memory of a machine.

use isa_object::{Executable, Segment};
use isa_sim::{Machine, NoSpace, PAGE, Rights};
use std::fmt;

/// A reason why a machine can't load an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The machine has no memory for it, or too little.
    Memory(NoSpace),
    /// The program and the machine have addresses of different widths.
    Width {
        /// Bits of the program's addresses.
        program: u32,
        /// Bits of the machine's addresses of code.
        machine: u32,
    },
    /// The program's byte order is not the machine's; true if the program's high bytes come first.
    ByteOrder(bool),
    /// A segment is at addresses that programs can't have.
    Outside {
        /// Its first address.
        first: u64,
        /// Its last address.
        last: u64,
        /// The first address that programs can't have.
        end: u64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(why) => why.fmt(f),
            Self::Width { program, machine } => {
                write!(f, "the program is a {program}-bit one, and addresses of this machine have {machine} bits")
            }
            Self::ByteOrder(is_big) => {
                let order = if *is_big { "big" } else { "little" };
                write!(f, "the program is {order}-endian, and the memory of this machine is not")
            }
            Self::Outside { first, last, end } => {
                write!(f, "the program has a segment at {first:#x} to {last:#x}, and its memory ends at {end:#x}")
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl From<NoSpace> for LoadError {
    fn from(why: NoSpace) -> Self {
        Self::Memory(why)
    }
}

/// Writes the segments of an executable into a machine, and sets its start address. All of the memory can be used.
///
/// # Errors
/// When the machine can't load it.
pub fn load(machine: &mut Machine<'_>, executable: &Executable<'_>) -> Result<(), LoadError> {
    fits(machine, executable)?;
    for segment in &executable.segments {
        machine.load(segment.address, segment.data)?;
        // The zeros after it are there already.
        if segment.last() > machine.program()?.last() {
            return Err(NoSpace::At(segment.last()).into());
        }
    }
    machine.set_pc(executable.entry);
    Ok(())
}

/// Makes the segments of an executable the only memory, each with its rights, in whole pages below an address.
pub(crate) fn map(machine: &mut Machine<'_>, executable: &Executable<'_>, end: u64) -> Result<(), LoadError> {
    fits(machine, executable)?;
    for segment in &executable.segments {
        let (first, last) = (segment.address, segment.last());
        if last >= end {
            return Err(LoadError::Outside { first, last, end });
        }
    }
    let pages = machine.program()?;
    pages.clear();
    let mut before: Option<(u64, Rights)> = None;
    for segment in &executable.segments {
        let mut rights = rights(segment);
        let mut first = segment.address / PAGE * PAGE;
        let last = segment.last() / PAGE * PAGE + (PAGE - 1);
        // A page that two segments share has the rights of both.
        if let Some((end, other)) = before.filter(|(end, _)| *end >= first) {
            let both = Rights {
                read: rights.read || other.read,
                write: rights.write || other.write,
                execute: rights.execute || other.execute,
            };
            pages.map(first..=end, both);
            first = end.saturating_add(1);
            if first > last {
                rights = both;
            }
        }
        if first <= last {
            pages.map(first..=last, rights);
        }
        pages.poke(segment.address, segment.data).map_err(NoSpace::from)?;
        before = Some((last, rights));
    }
    machine.refetch();
    machine.set_pc(executable.entry);
    Ok(())
}

fn rights(segment: &Segment<'_>) -> Rights {
    Rights { read: segment.read || segment.write, write: segment.write, execute: segment.execute }
}

/// Checks that addresses and byte order are the machine's.
fn fits(machine: &mut Machine<'_>, executable: &Executable<'_>) -> Result<(), LoadError> {
    let info = machine.info();
    if executable.is_64 != (info.pc > 32) {
        return Err(LoadError::Width { program: if executable.is_64 { 64 } else { 32 }, machine: info.pc });
    }
    let space = info.program_space().and_then(|space| info.spaces.get(space)).ok_or(NoSpace::Program)?;
    if space.big_endian == executable.is_little_endian {
        return Err(LoadError::ByteOrder(!executable.is_little_endian));
    }
    Ok(())
}
