//! Devices, by their names in specifications and machine files.

mod console;
mod latch;
mod timer;
mod uart;

pub use console::{Console, Input};
use isa_sim::{BadRegion, Device, FaultKind, Machine, RegionInfo, Rights, Routine};
pub use latch::Latch;
use std::fmt;
pub use timer::{Clock, Timer};
pub use uart::Uart16550;

/// The kinds of devices, with descriptions.
pub const KINDS: [(&str, &str); 4] = [
    ("uart16550", "a serial port: what is written to it is printed, and what is typed is read from it"),
    ("timer", "8 bytes to compare with and 8 bytes of time; its line is active from when time has come to the first"),
    ("clock", "8 bytes of time"),
    ("latch", "4 bytes of which the lowest bit drives the line, as of an interrupt of software"),
];

/// A device of a kind; `None` if the kind does not exist. Serial ports are connected to the console.
pub fn make(kind: &str, console: &Console) -> Option<Box<dyn Device>> {
    Some(match kind {
        "uart16550" => Box::new(Uart16550::new(console.clone())),
        "timer" => Box::new(Timer::default()),
        "clock" => Box::new(Clock::default()),
        "latch" => Box::new(Latch::default()),
        _ => return None,
    })
}

/// The error for surroundings that a machine can't have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FurnishError {
    /// A region is not possible.
    Region {
        /// Its name.
        region: String,
        /// The reason.
        kind: FurnishErrorKind,
    },
    /// The routine before the first instruction faults.
    Launch(FaultKind),
}

/// A reason why a region is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FurnishErrorKind {
    /// There is no device of this kind.
    NoDevice(String),
    /// A device can't be at these addresses.
    Bad(BadRegion),
    /// The device has more addresses than the region: this number.
    Size(u64),
}

impl fmt::Display for FurnishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (region, kind) = match self {
            Self::Region { region, kind } => (region, kind),
            Self::Launch(why) => return write!(f, "`machine.launch`, which is done before the first instruction: {why}"),
        };
        write!(f, "`{region}`: ")?;
        match kind {
            FurnishErrorKind::NoDevice(kind) => {
                let known: Vec<&str> = KINDS.iter().map(|known| known.0).collect();
                write!(f, "there is no device `{kind}`; there are {}", known.join(", "))
            }
            FurnishErrorKind::Bad(why) => why.fmt(f),
            FurnishErrorKind::Size(bytes) => write!(f, "its device has {bytes:#x} addresses, more than the region"),
        }
    }
}

impl std::error::Error for FurnishError {}

/// Sets up the regions of memory spaces, each given with its number: memory at those that are memory, and nowhere else in a space
/// that has one, and devices at the others. Then the routine before the first instruction is performed, which can use the devices
/// and write all memory.
///
/// # Errors
/// When a device can't be at its addresses, or is not known, or the routine faults.
pub fn furnish(machine: &mut Machine<'_>, spaces: &[(usize, &[RegionInfo])], console: &Console) -> Result<(), FurnishError> {
    let all = || spaces.iter().flat_map(|(space, regions)| regions.iter().map(|region| (*space, region)));
    let memory = |(space, region): (usize, &RegionInfo)| {
        let last = region.at.saturating_add(region.size.unwrap_or(1).max(1) - 1);
        region.device.is_none().then_some((space, region.at..=last, region.read_only))
    };
    for (space, at, _) in all().filter_map(memory) {
        machine.give_memory(space, at, Rights::ALL);
    }
    for (space, region) in all() {
        let Some(kind) = &region.device else { continue };
        let fail = |kind| FurnishError::Region { region: region.name.clone(), kind };
        let device = make(kind, console).ok_or_else(|| fail(FurnishErrorKind::NoDevice(kind.clone())))?;
        let own = device.size();
        if region.size.is_some_and(|size| size < own) {
            return Err(fail(FurnishErrorKind::Size(own)));
        }
        let attached = machine.attach(space, region.at, device, region.line, region.every);
        attached.map_err(|why| fail(FurnishErrorKind::Bad(why)))?;
    }
    machine.perform(Routine::Launch).map_err(FurnishError::Launch)?;
    for (space, at, _) in all().filter_map(memory).filter(|(.., read_only)| *read_only) {
        let Some(pages) = machine.memory(space, 0) else { continue };
        // Not where a device is in its place.
        for (own, rights) in pages.ranges() {
            let (first, last) = (*own.start().max(at.start()), *own.end().min(at.end()));
            if first <= last {
                pages.map(first..=last, Rights { write: false, ..rights });
            }
        }
    }
    Ok(())
}
