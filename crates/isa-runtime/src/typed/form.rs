//! Properties of a form in the tables.

use crate::engine::{Bits, Tables};

/// The name of a form.
pub fn name<W: Bits>(tables: &Tables<'static, W>, form: u16) -> &'static str {
    tables.form(form).map_or("", |form| tables.text(form.name))
}

/// The mnemonic of a form's instruction.
pub fn mnemonic<W: Bits>(tables: &Tables<'static, W>, form: u16) -> &'static str {
    insn(tables, form).map_or("", |insn| tables.text(insn.mnemonic))
}

/// The name of a form's instruction.
pub(super) fn insn_name<W: Bits>(tables: &Tables<'static, W>, form: u16) -> &'static str {
    insn(tables, form).map_or("", |insn| tables.text(insn.name))
}

fn insn<W: Bits>(tables: &Tables<'static, W>, form: u16) -> Option<crate::engine::tables::Insn> {
    tables.form(form).and_then(|form| tables.insns.get(usize::from(form.insn)))
}

/// The number of each form's instruction, from the number of forms of each instruction.
pub const fn insn_of<const N: usize>(counts: &[u16]) -> [u16; N] {
    let mut all = [0; N];
    let (mut form, mut insn) = (0, 0);
    while insn < counts.len() {
        let mut rest = counts[insn];
        while rest > 0 {
            all[form] = insn as u16;
            form += 1;
            rest -= 1;
        }
        insn += 1;
    }
    all
}
