//! A register that drives a line.

use super::Order;
use isa_sim::{Device, Refused, Signal};

/// Four bytes that keep the last value written; the lowest bit of their number drives the line.
#[derive(Clone, Debug)]
pub struct Latch {
    bytes: [u8; 4],
    order: Order,
}

impl Latch {
    /// A latch with zeros.
    pub fn new(order: Order) -> Self {
        Self { bytes: [0; 4], order }
    }
}

impl Device for Latch {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn load(&mut self, at: u64, bytes: u32, _: u64) -> Result<u64, Refused> {
        Ok(load(&self.bytes, at, bytes))
    }

    fn store(&mut self, at: u64, bytes: u32, value: u64, _: u64) -> Result<(), Refused> {
        store(&mut self.bytes, at, bytes, value);
        Ok(())
    }

    fn signal(&mut self, _: u64) -> Signal {
        Signal { line: self.order.number(&self.bytes) & 1 != 0, again: None }
    }
}

/// Bytes as a number, the one at the lowest address in its low bits.
pub(super) fn load(from: &[u8], at: u64, bytes: u32) -> u64 {
    let parts = from.iter().skip(at as usize).take(bytes as usize);
    parts.zip(0..).fold(0, |value, (byte, place)| value | u64::from(*byte) << (8 * place))
}

/// Writes the bytes of such a number.
pub(super) fn store(to: &mut [u8], at: u64, bytes: u32, value: u64) {
    let parts = to.iter_mut().skip(at as usize).take(bytes as usize);
    parts.zip(value.to_le_bytes()).for_each(|(part, byte)| *part = byte);
}
