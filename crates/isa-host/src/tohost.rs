//! Programs that end, and print, by stores to the symbol `tohost`, as RISC-V's test programs do.
//!
//! The highest byte of the 64 bits is a device and the next one a command: command 1 of device 1 prints the character in the
//! lowest byte, and the memory is 0 again after that. Any other value with its lowest bit set ends the program; the rest of it is
//! the status.

use crate::load::LoadError;
use isa_object::Executable;
use isa_sim::{Answer, Exit, Guest, Hit, Host, Machine, NoSpace, Watch};
use std::io::Write;

/// The symbol that is stored to.
pub const SYMBOL: &str = "tohost";
/// The symbol that answers are stored to.
pub const ANSWERS: &str = "fromhost";

/// Bytes of the value.
const SIZE: u64 = 8;
/// The number of the console, and its command for printing a character.
const CONSOLE: u64 = 1;
const PUT: u64 = 1;

/// Answers stores to `tohost`, a [`Host`].
struct ToHost<'h> {
    at: u64,
    answers: Option<u64>,
    is_big: bool,
    output: Box<dyn Write + 'h>,
}

/// Makes a machine answer the stores of its loaded program to the symbol `tohost`; returns false if there is no such symbol.
///
/// # Errors
/// When the machine has no memory for programs.
pub fn start<'e>(machine: &mut Machine<'e>, executable: &Executable<'_>, output: Box<dyn Write + 'e>) -> Result<bool, LoadError> {
    let Some(symbol) = executable.symbol(SYMBOL) else { return Ok(false) };
    let at = symbol.address;
    let last = at.checked_add(SIZE - 1).ok_or(NoSpace::At(at))?;
    let space = machine.info().program_space().ok_or(NoSpace::Program)?;
    let answers = executable.symbol(ANSWERS).map(|symbol| symbol.address);
    machine.watch(space, Watch { at: at..=last, reads: false, writes: true });
    machine.set_host(ToHost { at, answers, is_big: !executable.is_little_endian, output });
    Ok(true)
}

impl ToHost<'_> {
    /// The bytes of a value.
    fn bytes(&self, value: u64) -> [u8; SIZE as usize] {
        if self.is_big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    /// Writes memory without a store of the program.
    fn put(&self, guest: &mut Guest<'_>, at: u64, value: u64) -> Result<(), Answer> {
        let pages = guest.pages().ok_or(Answer::Nothing)?;
        pages.poke(at, &self.bytes(value)).map_err(|_| Answer::Fault(format!("there is no memory at {at:#x} to answer")))
    }

    fn answer(&mut self, guest: &mut Guest<'_>, value: u64) -> Result<Answer, Answer> {
        let (device, command) = (value >> 56, value >> 48 & 0xff);
        if (device, command) != (CONSOLE, PUT) {
            return if value & 1 != 0 {
                Ok(Answer::Exit(Exit::Status(i32::try_from(value >> 1).unwrap_or(i32::MAX))))
            } else if value == 0 {
                Ok(Answer::GoOn)
            } else {
                Err(Answer::Fault(format!("the program asks command {command} of device {device}, which is not there")))
            };
        }
        let written = self.output.write_all(&[(value & 0xff) as u8]).and_then(|()| self.output.flush());
        written.map_err(|error| Answer::Fault(format!("its output can't be written: {error}")))?;
        self.put(guest, self.at, 0)?;
        if let Some(answers) = self.answers {
            self.put(guest, answers, CONSOLE << 56 | PUT << 48)?;
        }
        Ok(Answer::GoOn)
    }
}

impl Host for ToHost<'_> {
    fn call(&mut self, _: &mut Guest<'_>) -> Answer {
        Answer::Nothing
    }

    fn used(&mut self, guest: &mut Guest<'_>, hit: Hit) -> Answer {
        let last = hit.address.saturating_add(u64::from(hit.bytes).saturating_sub(1));
        if last < self.at || hit.address > self.at + (SIZE - 1) {
            return Answer::Nothing;
        }
        let mut bytes = [0; SIZE as usize];
        let Some(pages) = guest.pages() else { return Answer::Nothing };
        if pages.peek(self.at, &mut bytes).is_err() {
            return Answer::Nothing;
        }
        let value = if self.is_big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) };
        // A 32-bit program stores halves. One half alone can only end the program before the other one is there.
        if u64::from(hit.bytes) < SIZE && value & 1 == 0 && value >> 32 == 0 {
            return Answer::GoOn;
        }
        self.answer(guest, value).unwrap_or_else(|answer| answer)
    }
}
