//! Appends numbers and ranges of bits to messages and full texts, without the machinery of formatting.

use super::print::Out;
use super::tables::Range;
use crate::word::U256;
use alloc::string::String;
use core::fmt::Write as _;

/// The parts that are appended to a message.
pub(super) trait Append {
    /// A number: `0x1f`.
    fn hex(&mut self, value: U256);

    /// A number: `31`.
    fn decimal(&mut self, value: u32);

    /// Bits: `59..34,21..16`.
    fn ranges(&mut self, ranges: impl Iterator<Item = Range>);
}

impl Append for String {
    fn hex(&mut self, value: U256) {
        if value.high() != 0 {
            let _ = write!(self, "{value:#x}");
            return;
        }
        number(self, value.low(), 16);
    }

    fn decimal(&mut self, value: u32) {
        number(self, value.into(), 10);
    }

    fn ranges(&mut self, ranges: impl Iterator<Item = Range>) {
        for (i, range) in ranges.enumerate() {
            self.push_str(if i > 0 { "," } else { "" });
            self.decimal(range.hi.into());
            if range.hi != range.lo {
                self.push_str("..");
                self.decimal(range.lo.into());
            }
        }
    }
}

fn number(out: &mut String, value: u128, radix: u8) {
    // 128 bits have 39 decimal digits.
    let mut room = [0; 64];
    let mut digits = Out::new(&mut room);
    digits.number(false, value, radix, 1);
    out.push_str(core::str::from_utf8(digits.as_bytes()).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        let mut message = String::new();
        message.hex(U256::from(0x1fu32));
        message.push(' ');
        message.decimal(120);
        message.push(' ');
        message.ranges([Range { hi: 59, lo: 34 }, Range { hi: 3, lo: 3 }].into_iter());
        message.push(' ');
        message.hex(U256::ones(132));
        assert_eq!(message, "0x1f 120 59..34,3 0xfffffffffffffffffffffffffffffffff");
    }
}
