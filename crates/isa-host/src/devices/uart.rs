//! A serial port.

use super::Console;
use isa_sim::{Device, Refused, Signal};

/// The registers of a 16550 that programs without a modem use, a byte each: data, interrupts enabled and pending, FIFO and line
/// control, line status, scratch, divisor. A byte that is written is sent at once.
pub struct Uart16550 {
    console: Console,
    /// The byte that was received but not read yet.
    received: Option<u8>,
    /// Enabled interrupts: bit 0 for received bytes, bit 1 for the empty transmitter.
    enabled: u8,
    /// The transmitter became empty, and the program has not been notified.
    is_empty: bool,
    has_fifo: bool,
    line: u8,
    modem: u8,
    scratch: u8,
    divisor: [u8; 2],
}

/// The bit of the line control that puts the divisor in the place of the first two registers.
const DIVISOR: u8 = 0x80;
/// Line status: a byte was received; the transmitter is empty.
const RECEIVED: u8 = 1;
const EMPTY: u8 = 0x60;
/// The time between two polls of the input.
const PAUSE: u64 = 1000;

impl Uart16550 {
    /// A port at a console.
    pub fn new(console: Console) -> Self {
        Self {
            console,
            received: None,
            enabled: 0,
            is_empty: false,
            has_fifo: false,
            line: 0,
            modem: 0,
            scratch: 0,
            divisor: [0; 2],
        }
    }

    fn look(&mut self) {
        if self.received.is_none() {
            self.received = self.console.next();
        }
    }

    /// The pending interrupt, as encoded in the register.
    fn pending(&self) -> u8 {
        match self.enabled {
            enabled if enabled & 1 != 0 && self.received.is_some() => 4,
            enabled if enabled & 2 != 0 && self.is_empty => 2,
            _ => 1,
        }
    }
}

impl Device for Uart16550 {
    fn size(&self) -> u64 {
        8
    }

    fn load(&mut self, at: u64, bytes: u32, _: u64) -> Result<u64, Refused> {
        if bytes != 1 {
            return Err(Refused("its registers are bytes, read one at a time"));
        }
        let has_divisor = self.line & DIVISOR != 0;
        Ok(match at {
            0 | 1 if has_divisor => self.divisor[at as usize],
            0 => {
                self.look();
                self.received.take().unwrap_or(0)
            }
            1 => self.enabled,
            2 => {
                let pending = self.pending();
                // Reading it notifies the program.
                self.is_empty &= pending != 2;
                pending | if self.has_fifo { 0xc0 } else { 0 }
            }
            3 => self.line,
            4 => self.modem,
            5 => {
                self.look();
                EMPTY | if self.received.is_some() { RECEIVED } else { 0 }
            }
            // Clear to send, data set ready, carrier.
            6 => 0xb0,
            _ => self.scratch,
        }
        .into())
    }

    fn store(&mut self, at: u64, bytes: u32, value: u64, _: u64) -> Result<(), Refused> {
        if bytes != 1 {
            return Err(Refused("its registers are bytes, written one at a time"));
        }
        let value = value as u8;
        match at {
            0 | 1 if self.line & DIVISOR != 0 => self.divisor[at as usize] = value,
            0 => {
                self.console.put(value);
                self.is_empty = true;
            }
            1 => {
                self.is_empty |= value & 2 != 0 && self.enabled & 2 == 0;
                self.enabled = value & 0xf;
            }
            2 => {
                self.has_fifo = value & 1 != 0;
                if value & 2 != 0 {
                    self.received = None;
                }
            }
            3 => self.line = value,
            4 => self.modem = value & 0x1f,
            7 => self.scratch = value,
            // The status registers are read-only.
            _ => {}
        }
        Ok(())
    }

    fn signal(&mut self, now: u64) -> Signal {
        let listens = self.enabled & 1 != 0;
        if listens {
            self.look();
        }
        let waits = listens && self.received.is_none() && self.console.may_come();
        Signal { line: self.pending() != 1, again: waits.then(|| now.saturating_add(PAUSE)) }
    }
}
