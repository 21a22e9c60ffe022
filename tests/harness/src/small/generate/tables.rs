//! Instructions that a table makes.

use super::Generator;
use crate::small::spec::{At, FixKey, Part, Piece, Table};

impl Generator {
    /// Adds copies of an instruction, which fix other numbers and have numbers after their mnemonics.
    pub(super) fn table(&mut self) {
        let numbered = |part: &Part| match (part.fix.first(), part.text.as_slice()) {
            (Some((FixKey::Bits(At::Here(at)), _)), [(None, text)]) => {
                at.width() > 1 && matches!(text.first(), Some(Piece::Literal(_))) && part.expands.is_none()
            }
            _ => false,
        };
        let like: Vec<usize> = (0..self.spec.instructions.len()).filter(|i| numbered(&self.spec.instructions[*i].1)).collect();
        if like.is_empty() {
            return;
        }
        let like = like[self.extra_below(like.len())];
        let mut part = self.spec.instructions[like].1.clone();
        // A layout draws what is fixed; a line of syntax has no numbers in it.
        (part.layout, part.syntax) = (None, false);
        part.also.clear();
        let Some((FixKey::Bits(At::Here(at)), _)) = part.fix.first().cloned() else { return };
        let count = (2 + self.extra_below(3)).min(1 << at.width());
        let step = 1 + self.extra_below(((1 << at.width()) - 1) / (count - 1)) as i64;
        let first = self.extra_below((1 << at.width()) - step as usize * (count - 1)) as i64;
        let fixed = if self.extra(30) { (first + step * (count as i64 - 1), -step) } else { (first, step) };
        let split = if self.extra(50) { 1 + self.extra_below(count - 1) } else { count };
        let rows = [(0..split).collect::<Vec<_>>(), (split..count).collect()];
        let table = Table { rows: rows.into_iter().filter(|rows| !rows.is_empty()).collect(), fixed };
        for row in 0..count {
            self.spec.instructions.push((format!("T{row}"), part.row(table.number(row), &row.to_string())));
        }
        self.spec.table = Some(table);
    }
}
