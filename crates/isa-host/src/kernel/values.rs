//! Numbers of launch files: their notation and their comparison.

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer.
    Integer {
        /// Its bits.
        bits: u32,
        /// It has a sign.
        signed: bool,
    },
    /// A float.
    Float {
        /// Bits of the exponent.
        exponent: u32,
        /// Bits of the fraction.
        fraction: u32,
    },
}

/// The types by name.
pub(crate) const TYPES: [(&str, Type); 12] = [
    ("u8", Type::Integer { bits: 8, signed: false }),
    ("s8", Type::Integer { bits: 8, signed: true }),
    ("u16", Type::Integer { bits: 16, signed: false }),
    ("s16", Type::Integer { bits: 16, signed: true }),
    ("u32", Type::Integer { bits: 32, signed: false }),
    ("s32", Type::Integer { bits: 32, signed: true }),
    ("u64", Type::Integer { bits: 64, signed: false }),
    ("s64", Type::Integer { bits: 64, signed: true }),
    ("f16", Type::Float { exponent: 5, fraction: 10 }),
    ("bf16", Type::Float { exponent: 8, fraction: 7 }),
    ("f32", Type::Float { exponent: 8, fraction: 23 }),
    ("f64", Type::Float { exponent: 11, fraction: 52 }),
];

impl Type {
    /// The type with a name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        TYPES.iter().find(|known| known.0 == name).map(|known| known.1)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TYPES.iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }

    /// Its bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Integer { bits, .. } => bits,
            Self::Float { exponent, fraction } => 1 + exponent + fraction,
        }
    }

    /// Its bytes.
    pub const fn bytes(self) -> usize {
        (self.bits() / 8) as usize
    }

    /// The bits of a number in a launch file; for a float also a text such as `nan`, `-inf` or `0x7f800000`.
    pub(crate) fn parse(self, text: &str) -> Result<u64, String> {
        let name = self.name();
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        if let Some(digits) = hex {
            let value = u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
            return value
                .filter(|value| self.bits() == 64 || value >> self.bits() == 0)
                .ok_or_else(|| format!("`{text}` is no {name}"));
        }
        match self {
            Self::Integer { bits, signed } => {
                let value: i128 = text.parse().map_err(|_| format!("`{text}` is no {name}"))?;
                let (least, most) =
                    if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
                if !(least..=most).contains(&value) {
                    return Err(format!("`{text}` is no {name}: it has numbers from {least} to {most}"));
                }
                Ok(value as u64 & u64::MAX >> (64 - bits))
            }
            Self::Float { exponent: 8, fraction: 23 } => {
                text.parse::<f32>().map(|value| value.to_bits().into()).map_err(|_| format!("`{text}` is no {name}"))
            }
            Self::Float { exponent, fraction } => {
                let value: f64 = text.parse().map_err(|_| format!("`{text}` is no {name}"))?;
                Ok(narrow(value, exponent, fraction))
            }
        }
    }

    /// A number as text.
    pub fn show(self, bits: u64) -> String {
        match self {
            Self::Integer { bits: width, signed: true } => ((bits << (64 - width)) as i64 >> (64 - width)).to_string(),
            Self::Integer { .. } => bits.to_string(),
            Self::Float { exponent: 8, fraction: 23 } => format!("{:?}", f32::from_bits(bits as u32)),
            Self::Float { .. } => format!("{:?}", self.value(bits)),
        }
    }

    /// The value of a float; for an integer the nearest float.
    pub(crate) fn value(self, bits: u64) -> f64 {
        match self {
            Self::Integer { bits: width, signed: true } => ((bits << (64 - width)) as i64 >> (64 - width)) as f64,
            Self::Integer { .. } => bits as f64,
            Self::Float { exponent, fraction } => widen(bits, exponent, fraction),
        }
    }

    /// True if it is a NaN.
    pub(crate) const fn is_nan(self, bits: u64) -> bool {
        match self {
            Self::Integer { .. } => false,
            Self::Float { exponent, fraction } => {
                let ones = (1 << exponent) - 1;
                bits >> fraction & ones == ones && bits & ((1 << fraction) - 1) != 0
            }
        }
    }

    /// The rank of a float among all of its type, or the integer: consecutive numbers differ by 1.
    pub(crate) const fn place(self, bits: u64) -> i128 {
        match self {
            Self::Integer { bits: width, signed: true } => ((bits << (64 - width)) as i64 >> (64 - width)) as i128,
            Self::Integer { .. } => bits as i128,
            Self::Float { exponent, fraction } => {
                let sign = 1u64 << (exponent + fraction);
                let size = (bits & (sign - 1)) as i128;
                if bits & sign != 0 { -size } else { size }
            }
        }
    }
}

/// The float of these sizes that is nearest to a number; ties go to the even one.
fn narrow(value: f64, exponent: u32, fraction: u32) -> u64 {
    if (exponent, fraction) == (11, 52) {
        return value.to_bits();
    }
    let sign = if value.is_sign_negative() { 1u64 << (exponent + fraction) } else { 0 };
    let infinity = ((1u64 << exponent) - 1) << fraction;
    if value.is_nan() {
        return sign | infinity | 1 << (fraction - 1);
    }
    let size = value.abs();
    let bias = (1i32 << (exponent - 1)) - 1;
    let least = 1 - bias - fraction as i32;
    // The unit in the last place of the number, or that of the smallest numbers.
    let power = if size == 0.0 { least } else { ((size.to_bits() >> 52) as i32 - 1023 - fraction as i32).max(least) };
    let units = (size / 2f64.powi(power)).round_ties_even();
    if !units.is_finite() || power > bias {
        return sign | infinity;
    }
    // The units contain the hidden bit, which adds one to the exponent.
    let bits = units as u64 + (((power - least) as u64) << fraction);
    sign | bits.min(infinity)
}

fn widen(bits: u64, exponent: u32, fraction: u32) -> f64 {
    if (exponent, fraction) == (11, 52) {
        return f64::from_bits(bits);
    }
    let ones = (1u64 << exponent) - 1;
    let (sign, power, rest) = (bits >> (exponent + fraction) & 1, bits >> fraction & ones, bits & ((1 << fraction) - 1));
    let bias = (1i32 << (exponent - 1)) - 1;
    let size = match power {
        _ if power == ones && rest != 0 => f64::NAN,
        _ if power == ones => f64::INFINITY,
        0 => rest as f64 * 2f64.powi(1 - bias - fraction as i32),
        _ => (rest | 1 << fraction) as f64 * 2f64.powi(power as i32 - bias - fraction as i32),
    };
    if sign != 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_all_sizes_keep_their_bits() {
        for name in ["f16", "bf16"] {
            let of = Type::of(name).expect("it is a type");
            for bits in (0..=u64::from(u16::MAX)).filter(|bits| !of.is_nan(*bits)) {
                assert_eq!(of.parse(&of.show(bits)), Ok(bits), "{name} {bits:#x}");
            }
        }
    }

    #[test]
    fn numbers() {
        let parse = |name: &str, text: &str| Type::of(name).expect("it is a type").parse(text);
        assert_eq!((parse("u8", "255"), parse("s8", "-128"), parse("s64", "-1")), (Ok(255), Ok(0x80), Ok(u64::MAX)));
        assert_eq!(parse("s8", "128"), Err("`128` is no s8: it has numbers from -128 to 127".to_owned()));
        assert_eq!(
            (parse("f32", "nan"), parse("f32", "0x7f800000"), parse("f64", "-0.5")),
            (Ok(0x7fc0_0000), Ok(0x7f80_0000), Ok(0xbfe0 << 48))
        );
        assert_eq!((parse("f16", "65520"), parse("f16", "65519"), parse("f16", "1e-7")), (Ok(0x7c00), Ok(0x7bff), Ok(2)));
        assert_eq!(parse("u32", "1.5"), Err("`1.5` is no u32".to_owned()));
        assert!(parse("u16", "0x10000").is_err() && parse("u16", "0x+1").is_err());
    }
}
