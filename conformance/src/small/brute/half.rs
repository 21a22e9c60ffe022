//! The texts of floating-point numbers of 16 bits, from their definition.

use crate::small::spec::Word;

/// What a number of 16 bits prints.
pub(super) fn half(bits: Word) -> String {
    let (sign, exponent, fraction) = (if bits >> 15 & 1 == 1 { "-" } else { "" }, bits >> 10 & 31, bits & 1023);
    let size = match (exponent, fraction) {
        (0, 0) => return if sign.is_empty() { "0".to_string() } else { "-0.0".to_string() },
        (31, 0) => return format!("{}INF", if sign.is_empty() { "+" } else { sign }),
        (31, rest) => {
            let kind = if rest >= 512 { "QNAN" } else { "SNAN" };
            return format!("{}{kind}", if sign.is_empty() { "+" } else { sign });
        }
        (0, rest) => f64::from(rest) / f64::from(1 << 24),
        (exponent, rest) => f64::from(1024 + rest) * f64::from(1u32 << exponent) / f64::from(1 << 25),
    };
    // All digits of such a number are fewer than twenty-one where it has few bits; small ones have an exponent of two digits.
    if size >= 1e-4 {
        return format!("{sign}{size}");
    }
    let shown = format!("{size:e}");
    let (digits, power) = shown.split_once("e-").expect("a small number");
    format!("{sign}{digits}e-{power:0>2}")
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn numbers_of_the_standard() {
        let texts = [0, 0x8000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x7c00, 0xfe00, 0x7d00, 0x0400, 0x0300].map(half);
        let right =
            ["0", "-0.0", "1", "-2", "0.333251953125", "65504", "+INF", "-QNAN", "+SNAN", "6.103515625e-05", "4.57763671875e-05"];
        assert_eq!(texts, right);
    }
}
