//! Conversion of numbers to digits and back, fast enough for every word of a large input.

use crate::Word;

/// The value of each hexadecimal digit; other characters have a larger one.
const VALUES: [u8; 256] = {
    let mut values = [0xff; 256];
    let mut n = 0;
    while n < 16 {
        values[DIGITS[n] as usize] = n as u8;
        values[DIGITS[n].to_ascii_uppercase() as usize] = n as u8;
        n += 1;
    }
    values
};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The word of some hexadecimal digits; `None` if they are not digits. Excess digits are dropped.
pub fn parse_hex(digits: &[u8]) -> Option<Word> {
    let mut limbs = [0; 4];
    let mut all = 0;
    for (limb, digits) in limbs.iter_mut().zip(digits.rchunks(16)) {
        for digit in digits {
            let value = VALUES[usize::from(*digit)];
            all |= value;
            *limb = *limb << 4 | u64::from(value & 15);
        }
    }
    (all < 16).then(|| Word::from_limbs(limbs))
}

/// Appends `digits` hexadecimal digits of a word.
pub fn hex(word: Word, digits: u32, out: &mut Vec<u8>) {
    for limb in (0..digits.div_ceil(16) as usize).rev() {
        let value = word.limbs()[limb];
        let here = (digits - 16 * limb as u32).min(16);
        out.extend((0..here).rev().map(|i| DIGITS[(value >> (4 * i) & 15) as usize]));
    }
}

/// Appends an address: `0x` and the digits without leading zeros.
pub fn hex_address(address: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    hex(address.into(), (u64::BITS - address.leading_zeros()).div_ceil(4).max(1), out);
}

/// Appends a number in decimal.
pub fn decimal(value: u128, out: &mut Vec<u8>) {
    // The largest number has 39 digits.
    let mut digits = [0; 39];
    let mut at = digits.len();
    let (mut high, mut low) = (value, value as u64);
    while high > u128::from(u64::MAX) {
        at -= 1;
        digits[at] = b'0' + (high % 10) as u8;
        high /= 10;
        low = high as u64;
    }
    loop {
        at -= 1;
        digits[at] = b'0' + (low % 10) as u8;
        low /= 10;
        if low == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}
