//! Rows that every text asks for, decoded once: templates, their forms and steps, fields, register files and enumerations.

use super::super::Bits;
use super::super::tables::{self, Enum, FLAG, Field, Form, LETTERS, LITERAL, Named, Registers, Rows, Tables, Template, VALUE};
use super::task::Literal;
use alloc::vec::Vec;
use core::ops::Deref;

/// Tables that are ready for reading.
#[derive(Debug)]
pub(super) struct Ready<'t, W> {
    tables: Tables<'t, W>,
    pub(super) templates: Vec<Template>,
    pub(super) forms: Vec<Form<W>>,
    pub(super) steps: Vec<Step<'t>>,
    /// Fields, with ones at their bits.
    pub(super) all_fields: Vec<(Field, W)>,
    pub(super) files: Vec<File<'t>>,
    pub(super) sets: Vec<Set<'t>>,
}

/// A step of a template.
#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) kind: u8,
    pub(super) radix: [u8; 2],
    pub(super) of: u32,
    pub(super) next: u32,
    pub(super) body: u32,
    /// The characters with which what is read from here on can begin.
    pub(super) initials: u128,
    /// The characters of a literal, or of the flag or the letters that a field is.
    pub(super) text: Literal<'t>,
}

/// A register file.
#[derive(Debug)]
pub(super) struct File<'t> {
    pub(super) row: Registers,
    pub(super) prefix: Literal<'t>,
    pub(super) suffix: Literal<'t>,
    /// What stands behind the number: the names of halves, or nothing.
    pub(super) halves: Vec<Literal<'t>>,
    /// Registers with names of their own.
    pub(super) names: Vec<Name<'t>>,
    /// What begins with the prefix and a digit is not such a name, and ends with the last digit.
    pub(super) is_plain: bool,
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
    pub(super) text: Literal<'t>,
    pub(super) value: u128,
    pub(super) is_printed: bool,
}

impl<'t, W: Bits> Ready<'t, W> {
    pub(super) fn new(tables: Tables<'t, W>) -> Self {
        let literal = |text| Literal::new(tables.bytes_of(text));
        let named = |Named { value, text, also }| Name { text: literal(text), value, is_printed: also == 0 };
        let names = |rows: Rows| -> Vec<Name<'t>> { tables.names.slice(rows).iter().map(named).collect() };
        let file = |row: Registers| {
            let (prefix, suffix, names) = (tables.bytes_of(row.prefix), tables.bytes_of(row.suffix), names(row.special));
            let has_digit = |text: &[u8]| text.first().is_some_and(u8::is_ascii_digit);
            let is_numbered =
                |name: &Name<'_>| name.text.text.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || has_digit(rest));
            let is_part = |name: &Name<'_>| prefix.starts_with(name.text.text);
            File {
                is_plain: row.halved == 0 && suffix.is_empty() && !names.iter().any(|name| is_numbered(name) || is_part(name)),
                prefix: Literal::new(prefix),
                suffix: Literal::new(suffix),
                halves: match row.halved {
                    0 => Vec::from([Literal::default()]),
                    _ => row.halves.iter().map(|half| literal(*half)).collect(),
                },
                names,
                row,
            }
        };
        let set = |row: Enum| {
            let names = names(row.texts);
            Set {
                around: row.around.map(|text| tables.bytes_of(text)),
                initials: names.iter().filter_map(|n| n.text.text.first()).fold(0, |set, c| set | 1 << c.min(&127)),
                empty: names.iter().position(|n| n.text.len() == 0).unwrap_or(names.len()),
                names,
                row,
            }
        };
        let text = |string: u32| tables.strings.get(string as usize).map_or(&[][..], |text| tables.bytes_of(text));
        let step = |tables::Step { kind, radix, of, next, body, initials, .. }| Step {
            text: Literal::new(match (kind, tables.fields.get(of as usize)) {
                (LITERAL, _) => text(of),
                (VALUE, Some(Field { kind: FLAG | LETTERS, of, .. })) => text(of),
                _ => &[],
            }),
            initials: tables.initials.get(initials as usize).unwrap_or(u128::MAX),
            kind,
            radix,
            of,
            next,
            body,
        };
        Self {
            templates: tables.templates.iter().collect(),
            forms: tables.forms.iter().collect(),
            steps: tables.steps.iter().map(step).collect(),
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
