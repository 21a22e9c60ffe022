//! Instructions that are written as tables.

use super::spec::{Part, Piece, Spec, Value};
use std::ops::Range;

impl Part {
    /// A copy with the number that a row fixes, and with `mnemonic` added to its mnemonic.
    pub(crate) fn row(&self, number: Value, mnemonic: &str) -> Part {
        let mut part = self.clone();
        if let Some((_, fixed)) = part.fix.first_mut() {
            *fixed = number;
        }
        part.aliases.clear();
        if let Some(Piece::Literal(text)) = part.text.first_mut().and_then(|(_, text)| text.first_mut()) {
            let bare = text.strip_suffix("x0").unwrap_or(text);
            *text = format!("{bare}x{mnemonic}");
        }
        part
    }
}

impl Spec {
    /// The instructions of the table, the last ones; none if they are not all there and as they were made.
    pub(super) fn rows(&self) -> Range<usize> {
        let found = || {
            let table = self.table.as_ref()?;
            let first = self.instructions.iter().position(|(name, _)| name == "T0")?;
            let rows = &self.instructions[first..];
            let is_row = |(row, (name, part)): (usize, &(String, Part))| {
                let like = rows[0].1.row(table.number(row), &row.to_string());
                *name == format!("T{row}") && format!("{like:?}") == format!("{part:?}")
            };
            let is_whole = rows.len() == table.rows.iter().map(Vec::len).sum::<usize>();
            (is_whole && rows.iter().enumerate().all(is_row)).then_some(first..self.instructions.len())
        };
        found().unwrap_or(0..0)
    }

    /// Their tables, and what is common to the rows of each.
    pub(super) fn tables(&self) -> Vec<(String, Part)> {
        let (Some(table), Some(first)) = (&self.table, self.rows().next()) else { return Vec::new() };
        let entry = |rows: &Vec<usize>| {
            let (low, high) = (rows[0], rows[rows.len() - 1]);
            let sum = format!("{} + {} * r", table.fixed.0, table.fixed.1);
            // In a column, or where it is used.
            let (column, text) = match rows.len() % 2 {
                0 => (format!(", fixed: {sum}"), "$fixed".to_string()),
                _ => (String::new(), format!("$({sum})")),
            };
            let part = self.instructions[first].1.row(Value { number: 0, text }, "$r");
            (format!("{{ r: {low}..{high}{column} }}"), part)
        };
        table.rows.iter().map(entry).collect()
    }
}
