//! Words to text.

use super::{Codec, Statement};
use isa_spec::model::{Form, FormId, Piece, Word};
use isa_spec::print::{print_pieces, print_value};

impl Codec<'_> {
    /// Appends the text of a word at `address`. Registers that programs name get names as in examples.
    pub fn print(&self, form: FormId, word: Word, address: u64, out: &mut String) {
        let form = self.isa.form(form);
        print_pieces(form, self.text_of(form), (word, &[]), address, &mut |_| 0, out);
    }

    /// Appends the text of an instruction at `address`.
    pub fn print_statement(&self, statement: &Statement, address: u64, out: &mut String) {
        let form = self.isa.form(statement.form);
        print_pieces(form, self.text_of(form), (statement.word, &statement.names), address, &mut |_| 0, out);
    }

    pub(super) fn text_of<'f>(&self, form: &'f Form) -> &'f [Piece] {
        if self.aliases { &form.text } else { form.base() }
    }

    /// Appends the text of a word in another way that is read and never printed: `which` of [`Form::also`]. Where a piece is one
    /// of several texts, `choose` picks one, given their number.
    ///
    /// # Panics
    /// If `which` or the result of `choose` is out of range.
    pub fn print_also(
        &self,
        (form, which): (FormId, usize),
        word: Word,
        address: u64,
        choose: &mut dyn FnMut(usize) -> usize,
        out: &mut String,
    ) {
        let form = self.isa.form(form);
        print_pieces(form, &form.also[which], (word, &[]), address, choose, out);
    }

    /// Appends what the format's `full` template says.
    pub(super) fn print_added(&self, form: FormId, word: Word, address: u64, out: &mut String) {
        let form = self.isa.form(form);
        print_pieces(form, &form.full, (word, &[]), address, &mut |_| 0, out);
    }

    /// The text of a field's value.
    pub fn value_text(&self, form: FormId, field: usize, word: Word, address: u64) -> String {
        let mut out = String::new();
        let field = &self.isa.form(form).fields[field];
        print_value(&field.code, &field.spelling, field.bits.get(word), address, &mut out);
        out
    }
}
