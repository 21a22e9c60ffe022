//! The texts of fields by themselves.

use super::super::Bits;
use super::super::tables::Field;
use super::Reader;
use super::pass::Pass;
use super::statement::no_symbols;
use super::task::Task;

impl<W: Bits> Reader<'_, W> {
    /// The bits of a field for its text, in a word at `address`; `None` if it has no such text.
    pub fn bits_of_text(&mut self, field: &Field, text: &str, address: u64) -> Option<u128> {
        let own = self.tables.all_fields.iter().find(|own| own.row == *field)?;
        let task = Task { pass: Pass::Loose, ..Task::exact(text, address, &no_symbols) };
        let step = self.tables.value_step(field);
        self.attempt.ways.clear();
        self.attempt.ways(&self.tables, &task, &step, own, 0);
        let found = self.attempt.ways.iter().find(|way| way.end == text.len()).map(|way| way.raw);
        self.attempt.ways.clear();
        found
    }
}
