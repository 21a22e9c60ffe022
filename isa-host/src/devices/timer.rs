//! Clocks and timers.

use super::latch::{load, store};
use isa_sim::{Device, Refused, Signal};

/// Eight bytes of time, which counts from 0 or from the last value written.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The offset from the time of the machine.
    ahead: u64,
}

impl Clock {
    fn at(&self, now: u64) -> u64 {
        now.wrapping_add(self.ahead)
    }
}

impl Device for Clock {
    fn size(&self) -> u64 {
        8
    }

    fn load(&mut self, at: u64, bytes: u32, now: u64) -> Result<u64, Refused> {
        Ok(load(&self.at(now).to_le_bytes(), at, bytes))
    }

    fn store(&mut self, at: u64, bytes: u32, value: u64, now: u64) -> Result<(), Refused> {
        let mut time = self.at(now).to_le_bytes();
        store(&mut time, at, bytes, value);
        self.ahead = u64::from_le_bytes(time).wrapping_sub(now);
        Ok(())
    }
}

/// Eight bytes with a time to compare, followed by the eight bytes of a [`Clock`]. The line is active while the clock has reached
/// that time, which is all ones at the start.
#[derive(Clone, Debug)]
pub struct Timer {
    compare: [u8; 8],
    clock: Clock,
}

impl Default for Timer {
    fn default() -> Self {
        Self { compare: [u8::MAX; 8], clock: Clock::default() }
    }
}

impl Device for Timer {
    fn size(&self) -> u64 {
        16
    }

    fn load(&mut self, at: u64, bytes: u32, now: u64) -> Result<u64, Refused> {
        let mut all = [0; 16];
        all[..8].copy_from_slice(&self.compare);
        all[8..].copy_from_slice(&self.clock.at(now).to_le_bytes());
        Ok(load(&all, at, bytes))
    }

    fn store(&mut self, at: u64, bytes: u32, value: u64, now: u64) -> Result<(), Refused> {
        match at.checked_sub(8) {
            Some(at) => self.clock.store(at, bytes, value, now),
            None if at + u64::from(bytes) > 8 => Err(Refused("it has two registers of 8 bytes, and this is a part of both")),
            None => {
                store(&mut self.compare, at, bytes, value);
                Ok(())
            }
        }
    }

    fn signal(&mut self, now: u64) -> Signal {
        let (time, compare) = (self.clock.at(now), u64::from_le_bytes(self.compare));
        match compare.checked_sub(time) {
            None | Some(0) => Signal { line: true, again: None },
            Some(left) => Signal { line: false, again: now.checked_add(left) },
        }
    }
}
