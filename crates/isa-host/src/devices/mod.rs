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

/// The byte order of the numbers of a device, which is that of its memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The low byte has the lowest address.
    Little,
    /// The high byte has the lowest address.
    Big,
}

impl Order {
    fn bytes(self, number: u64) -> [u8; 8] {
        match self {
            Self::Little => number.to_le_bytes(),
            Self::Big => number.to_be_bytes(),
        }
    }

    fn number(self, bytes: &[u8]) -> u64 {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            Self::Little => bytes.iter().rev().fold(0, add),
            Self::Big => bytes.iter().fold(0, add),
        }
    }
}

/// A device of a kind; `None` if the kind does not exist. Serial ports are connected to the console.
pub fn make(kind: &str, console: &Console, order: Order) -> Option<Box<dyn Device>> {
    Some(match kind {
        "uart16550" => Box::new(Uart16550::new(console.clone())),
        "timer" => Box::new(Timer::new(order)),
        "clock" => Box::new(Clock::new(order)),
        "latch" => Box::new(Latch::new(order)),
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
        let is_big_endian = machine.info().spaces.get(space).is_some_and(|space| space.big_endian);
        let order = if is_big_endian { Order::Big } else { Order::Little };
        let device = make(kind, console, order).ok_or_else(|| fail(FurnishErrorKind::NoDevice(kind.clone())))?;
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
