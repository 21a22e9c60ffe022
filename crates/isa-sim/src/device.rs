//! Devices: memory-mapped hardware in the place of memory.

use std::fmt;

/// A device, for [`Machine::attach`](crate::Machine::attach).
///
/// ```
/// use isa_sim::{Device, Refused, Signal};
///
/// /// Counts writes, and activates its line from the third one on.
/// struct Counter(u64);
///
/// impl Device for Counter {
///     fn size(&self) -> u64 {
///         1
///     }
///
///     fn load(&mut self, _at: u64, _bytes: u32, _now: u64) -> Result<u64, Refused> {
///         Ok(self.0)
///     }
///
///     fn store(&mut self, _at: u64, _bytes: u32, value: u64, _now: u64) -> Result<(), Refused> {
///         if value == 0 {
///             return Err(Refused("it counts no zeros"));
///         }
///         self.0 += 1;
///         Ok(())
///     }
///
///     fn signal(&mut self, _now: u64) -> Signal {
///         Signal { line: self.0 >= 3, again: None }
///     }
/// }
/// ```
///
/// Its addresses begin at 0; its time counts instructions, or the multiples of them that its region gives. The bytes that it reads
/// and writes are passed as a number, the byte at the lowest address in the low bits, in a space of either byte order.
pub trait Device: Send {
    /// The number of its addresses.
    fn size(&self) -> u64;

    /// Reads 1, 2, 4 or 8 bytes for an instruction, all within the device.
    ///
    /// # Errors
    /// The reason why it can't be read, which is a fault of the program.
    fn load(&mut self, at: u64, bytes: u32, now: u64) -> Result<u64, Refused>;

    /// Writes 1, 2, 4 or 8 bytes for an instruction.
    ///
    /// # Errors
    /// The reason why they can't be written, which is a fault of the program.
    fn store(&mut self, at: u64, bytes: u32, value: u64, now: u64) -> Result<(), Refused>;

    /// Its signal now. It is polled after each access to the device, and at the time that it gave before.
    fn signal(&mut self, _now: u64) -> Signal {
        Signal::default()
    }
}

/// A signal of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signal {
    /// Its line is active.
    pub line: bool,
    /// The time at which it is to be polled again; `None` if only after an access.
    pub again: Option<u64>,
}

/// The reason why a device refuses an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Refused {}
