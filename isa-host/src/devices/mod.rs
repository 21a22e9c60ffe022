//! Devices, by their names in specifications and machine files.

mod console;
mod latch;
mod timer;
mod uart;

pub use console::{Console, Input};
use isa_sim::{BadRegion, Device, Machine, RegionInfo, Rights};
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

/// The error for a region that a machine can't have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FurnishError {
    /// The name of the region.
    pub region: String,
    /// The reason.
    pub kind: FurnishErrorKind,
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
        write!(f, "`{}`: ", self.region)?;
        match &self.kind {
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

/// Sets up the regions of a memory space: memory at those that are memory, and nowhere else if there is one, and devices at
/// the others.
///
/// # Errors
/// When a device can't be at its addresses, or is not known.
pub fn furnish(machine: &mut Machine<'_>, space: usize, regions: &[RegionInfo], console: &Console) -> Result<(), FurnishError> {
    for region in regions.iter().filter(|region| region.device.is_none()) {
        let last = region.at.saturating_add(region.size.unwrap_or(1).max(1) - 1);
        let rights = Rights { write: !region.read_only, ..Rights::ALL };
        machine.give_memory(space, region.at..=last, rights);
    }
    for region in regions {
        let Some(kind) = &region.device else { continue };
        let fail = |kind| FurnishError { region: region.name.clone(), kind };
        let device = make(kind, console).ok_or_else(|| fail(FurnishErrorKind::NoDevice(kind.clone())))?;
        let own = device.size();
        if region.size.is_some_and(|size| size < own) {
            return Err(fail(FurnishErrorKind::Size(own)));
        }
        let attached = machine.attach(space, region.at, device, region.line, region.every);
        attached.map_err(|why| fail(FurnishErrorKind::Bad(why)))?;
    }
    Ok(())
}
