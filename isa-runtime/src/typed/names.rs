//! Registers and values of enumerations, by their names.

use crate::engine::tables::{Enum, Registers};
use crate::engine::{Bits, Tables};
use core::fmt;

/// A text that is not a register, or no value of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The register file or enumeration.
    pub of: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no such name", self.of)
    }
}

impl core::error::Error for UnknownName {}

/// A number that is not a register, or no value of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownValue {
    /// The register file or enumeration.
    pub of: &'static str,
    /// The number.
    pub value: u64,
}

impl fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no value {}", self.of, self.value)
    }
}

impl core::error::Error for UnknownValue {}

/// Shows a register of a file, by the number of the file.
pub fn show_register<W: Bits>(f: &mut fmt::Formatter<'_>, tables: &Tables<'_, W>, file: usize, index: u64) -> fmt::Result {
    let Some(file) = tables.registers.get(file) else { return Ok(()) };
    crate::text::pad(tables, f, |out| tables.print_register(&file, index.into(), out))
}

/// Shows a value of an enumeration.
pub fn show_value<W: Bits>(f: &mut fmt::Formatter<'_>, tables: &Tables<'_, W>, of: usize, value: u64) -> fmt::Result {
    let Some(of) = tables.enums.get(of) else { return Ok(()) };
    crate::text::pad(tables, f, |out| tables.print_enum(&of, value.into(), out))
}

/// Decimal digits without a zero before them.
fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|c| c.is_ascii_digit());
    if digits && (text == "0" || !text.starts_with('0')) { text.parse().ok() } else { None }
}

/// The register that a text names.
pub fn read_register<W: Bits>(tables: &Tables<'static, W>, file: usize, text: &str) -> Result<u64, UnknownName> {
    let Some(file) = tables.registers.get(file) else { return Err(UnknownName { of: "" }) };
    register(tables, &file, text).ok_or(UnknownName { of: tables.text(file.name) })
}

fn register<W: Bits>(tables: &Tables<'_, W>, file: &Registers, text: &str) -> Option<u64> {
    if let Some(special) = tables.names.slice(file.special).iter().find(|s| tables.text(s.text) == text) {
        return u64::try_from(special.value).ok();
    }
    let rest = text.strip_prefix(tables.text(file.prefix))?.strip_suffix(tables.text(file.suffix))?;
    let index = match file.halved {
        0 => number(rest)?,
        _ => [0, 1].into_iter().find_map(|half| {
            let digits = rest.strip_suffix(tables.text(file.halves[half as usize]))?;
            number(digits)?.checked_mul(2)?.checked_add(half)
        })?,
    };
    let is_special = tables.names.slice(file.special).iter().any(|s| s.value == index.into() && s.also == 0);
    (u128::from(index) < file.count && !is_special).then_some(index)
}

/// The value that a text names.
pub fn read_value<W: Bits>(tables: &Tables<'static, W>, of: usize, text: &str) -> Result<u64, UnknownName> {
    let Some(of) = tables.enums.get(of) else { return Err(UnknownName { of: "" }) };
    value(tables, &of, text).ok_or(UnknownName { of: tables.text(of.name) })
}

fn value<W: Bits>(tables: &Tables<'_, W>, of: &Enum, text: &str) -> Option<u64> {
    if let Some(named) = tables.names.slice(of.texts).iter().find(|n| tables.text(n.text) == text) {
        return u64::try_from(named.value).ok();
    }
    if of.open == 0 {
        return None;
    }
    number(text.strip_prefix(tables.text(of.around[0]))?.strip_suffix(tables.text(of.around[1]))?)
}

/// Whether a register file has a register with this index, of so many bits.
pub fn register_exists<W: Bits>(tables: &Tables<'static, W>, file: usize, index: u64, bits: u32) -> Result<(), UnknownValue> {
    let Some(file) = tables.registers.get(file) else { return Err(UnknownValue { of: "", value: index }) };
    let is_special = || tables.names.slice(file.special).iter().any(|s| s.value == index.into());
    let exists = index.checked_shr(bits).unwrap_or(0) == 0 && (u128::from(index) < file.count || is_special());
    if exists { Ok(()) } else { Err(UnknownValue { of: tables.text(file.name), value: index }) }
}

/// Whether a number has at most so many bits.
pub fn fits(of: &'static str, value: u64, bits: u32) -> Result<(), UnknownValue> {
    if value.checked_shr(bits).unwrap_or(0) == 0 { Ok(()) } else { Err(UnknownValue { of, value }) }
}
