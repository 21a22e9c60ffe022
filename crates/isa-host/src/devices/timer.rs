//! Clocks and timers.

use super::Order;
use super::latch::{load, store};
use isa_sim::{Device, Refused, Signal};

/// Eight bytes of time, which counts from 0 or from the last value written.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The offset from the time of the machine.
    ahead: u64,
    order: Order,
}

impl Clock {
    /// A clock that shows the time of the machine.
    pub fn new(order: Order) -> Self {
        Self { ahead: 0, order }
    }

    fn at(&self, now: u64) -> u64 {
        now.wrapping_add(self.ahead)
    }
}

impl Device for Clock {
    fn size(&self) -> u64 {
        8
    }

    fn load(&mut self, at: u64, bytes: u32, now: u64) -> Result<u64, Refused> {
        Ok(load(&self.order.bytes(self.at(now)), at, bytes))
    }

    fn store(&mut self, at: u64, bytes: u32, value: u64, now: u64) -> Result<(), Refused> {
        let mut time = self.order.bytes(self.at(now));
        store(&mut time, at, bytes, value);
        self.ahead = self.order.number(&time).wrapping_sub(now);
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

impl Timer {
    /// A timer that is never due.
    pub fn new(order: Order) -> Self {
        Self { compare: [u8::MAX; 8], clock: Clock::new(order) }
    }
}

impl Device for Timer {
    fn size(&self) -> u64 {
        16
    }

    fn load(&mut self, at: u64, bytes: u32, now: u64) -> Result<u64, Refused> {
        let mut all = [0; 16];
        all[..8].copy_from_slice(&self.compare);
        all[8..].copy_from_slice(&self.clock.order.bytes(self.clock.at(now)));
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
        let (time, compare) = (self.clock.at(now), self.clock.order.number(&self.compare));
        match compare.checked_sub(time) {
            None | Some(0) => Signal { line: true, again: None },
            Some(left) => Signal { line: false, again: now.checked_add(left) },
        }
    }
}
