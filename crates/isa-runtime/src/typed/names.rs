//! Registers and values of enumerations, by their names.

use crate::engine::Common;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// A text that is not a register, or not a value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The register file or enumeration.
    pub of: &'static str,
    /// The text.
    pub text: String,
    /// Names that there are, for a message.
    pub known: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, text, known } = self;
        match text.is_empty() {
            true => write!(f, "an empty text is not a name of {of}: there are {known}"),
            false => write!(f, "`{}` is not a name of {of}: there are {known}", text.escape_debug()),
        }
    }
}

impl core::error::Error for UnknownName {}

/// A number that is not a register, or not a value of an enumeration.
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
pub fn show_register(f: &mut fmt::Formatter<'_>, tables: &Common<'_>, file: usize, index: u64) -> fmt::Result {
    tables.registers.get(file).map_or(Ok(()), |file| show(f, tables, file.spelling, index))
}

/// Shows a value of an enumeration.
pub fn show_value(f: &mut fmt::Formatter<'_>, tables: &Common<'_>, of: usize, value: u64) -> fmt::Result {
    tables.enums.get(of).map_or(Ok(()), |of| show(f, tables, of.spelling, value))
}

fn show(f: &mut fmt::Formatter<'_>, tables: &Common<'_>, spelling: u32, number: u64) -> fmt::Result {
    crate::text::pad(tables, f, |out| tables.print_number(spelling, u128::from(number).into(), u64::BITS, out))
}

/// The register that a text names.
pub fn read_register(tables: &Common<'static>, file: usize, text: &str) -> Result<u64, UnknownName> {
    let file = tables.registers.get(file).unwrap_or_default();
    read(tables, file.spelling, text).ok_or_else(|| unknown(tables, tables.text(file.name), file.spelling, text))
}

/// The value that a text names.
pub fn read_value(tables: &Common<'static>, of: usize, text: &str) -> Result<u64, UnknownName> {
    let of = tables.enums.get(of).unwrap_or_default();
    read(tables, of.spelling, text).ok_or_else(|| unknown(tables, tables.text(of.name), of.spelling, text))
}

/// Characters of a text that a message shows.
const SHOWN: usize = 60;

#[cold]
fn unknown(tables: &Common<'static>, of: &'static str, spelling: u32, text: &str) -> UnknownName {
    let text = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => String::from(text),
    };
    UnknownName { of, text, known: tables.some_names(spelling) }
}

fn read(tables: &Common<'_>, spelling: u32, text: &str) -> Option<u64> {
    u64::try_from(tables.number_named(spelling, text)?).ok()
}

/// Checks that a number has at most `bits` bits.
pub fn fits(of: &'static str, value: u64, bits: u32) -> Result<(), UnknownValue> {
    if value.checked_shr(bits).unwrap_or(0) == 0 { Ok(()) } else { Err(UnknownValue { of, value }) }
}
