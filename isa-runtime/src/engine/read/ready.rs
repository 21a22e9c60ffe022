//! Rows that every text asks for, decoded once: fields, register files and enumerations.

use super::super::Bits;
use super::super::tables::{Enum, Field, Named, Registers, Rows, Tables};
use alloc::vec::Vec;
use core::ops::Deref;

/// Tables that are ready for reading.
#[derive(Debug)]
pub(super) struct Ready<'t, W> {
    tables: Tables<'t, W>,
    /// Fields, with ones at their bits.
    pub(super) all_fields: Vec<(Field, W)>,
    pub(super) files: Vec<File<'t>>,
    pub(super) sets: Vec<Set<'t>>,
}

/// A register file.
#[derive(Debug)]
pub(super) struct File<'t> {
    pub(super) row: Registers,
    pub(super) prefix: &'t [u8],
    pub(super) suffix: &'t [u8],
    /// What stands behind the number: the names of halves, or nothing.
    pub(super) halves: Vec<&'t [u8]>,
    /// Registers with names of their own.
    pub(super) names: Vec<Name<'t>>,
}

/// The texts of an enumeration.
#[derive(Debug)]
pub(super) struct Set<'t> {
    pub(super) row: Enum,
    pub(super) around: [&'t [u8]; 2],
    /// All texts, the longest first.
    pub(super) names: Vec<Name<'t>>,
    /// The characters with which texts begin, one bit each; the last one stands for all that are not ASCII.
    pub(super) initials: u128,
    /// The first text that is empty.
    pub(super) empty: usize,
}

/// A text for a value.
#[derive(Debug)]
pub(super) struct Name<'t> {
    pub(super) text: &'t [u8],
    pub(super) value: u128,
    pub(super) is_printed: bool,
}

impl<'t, W: Bits> Ready<'t, W> {
    pub(super) fn new(tables: Tables<'t, W>) -> Self {
        let named = |Named { value, text, also }| Name { text: tables.bytes_of(text), value, is_printed: also == 0 };
        let names = |rows: Rows| -> Vec<Name<'t>> { tables.names.slice(rows).iter().map(named).collect() };
        let file = |row: Registers| File {
            prefix: tables.bytes_of(row.prefix),
            suffix: tables.bytes_of(row.suffix),
            halves: match row.halved {
                0 => Vec::from([&[][..]]),
                _ => row.halves.iter().map(|half| tables.bytes_of(*half)).collect(),
            },
            names: names(row.special),
            row,
        };
        let set = |row: Enum| {
            let names = names(row.texts);
            Set {
                around: row.around.map(|text| tables.bytes_of(text)),
                initials: names.iter().filter_map(|n| n.text.first()).fold(0, |set, c| set | 1 << c.min(&127)),
                empty: names.iter().position(|n| n.text.is_empty()).unwrap_or(names.len()),
                names,
                row,
            }
        };
        Self {
            all_fields: tables.fields.iter().map(|field| (field, tables.place(field.ranges, u128::MAX))).collect(),
            files: tables.registers.iter().map(file).collect(),
            sets: tables.enums.iter().map(set).collect(),
            tables,
        }
    }
}

impl<'t, W> Deref for Ready<'t, W> {
    type Target = Tables<'t, W>;

    fn deref(&self) -> &Self::Target {
        &self.tables
    }
}
