//! The table of opcodes of an instruction set whose streams are made of bytes: which instructions a first byte begins.

use super::forms;
use isa_spec::model::{Form, Isa, Word};

/// Instructions of a cell, at most; of more, the others are counted.
const MOST: usize = 3;

/// The opcodes with one high digit.
pub(super) struct Row {
    /// `A`.
    pub(super) digit: String,
    /// The cells, one for each low digit.
    pub(super) cells: Vec<Cell>,
}

/// A first byte.
#[derive(Default)]
pub(super) struct Cell {
    pub(super) entries: Vec<Entry>,
    /// The number of forms that are not among the entries.
    pub(super) more: usize,
}

/// A form.
pub(super) struct Entry {
    /// Number of the instruction.
    pub(super) instruction: usize,
    pub(super) mnemonic: String,
    /// The alternatives: `indx`; empty for the only form of an instruction.
    pub(super) picks: String,
    pub(super) bytes: u32,
}

/// The table; none where the first unit is not a byte.
pub(super) fn rows(isa: &Isa) -> Vec<Row> {
    if isa.words.unit != 8 || isa.words.lengths.is_empty() {
        return Vec::new();
    }
    let digits = 0..16;
    digits
        .clone()
        .map(|high| Row { digit: format!("{high:X}"), cells: digits.clone().map(|low| cell(isa, high << 4 | low)).collect() })
        .collect()
}

/// The first byte of a form's words, if streams are made of bytes and the form fixes it.
pub(super) fn opcode(isa: &Isa, form: &Form) -> Option<u8> {
    let at = first_byte(isa, form).filter(|_| isa.words.unit == 8 && !isa.words.lengths.is_empty())?;
    let byte = Word::from(0xffu32);
    (form.mask >> at & byte == byte).then(|| (form.value >> at & byte).low() as u8)
}

/// The lowest bit of the byte that comes first in a stream.
fn first_byte(isa: &Isa, form: &Form) -> Option<u32> {
    if isa.words.low_first { Some(0) } else { form.length.checked_sub(8) }
}

fn cell(isa: &Isa, byte: u32) -> Cell {
    let mut cell = Cell::default();
    for form in &isa.forms {
        let Some(at) = first_byte(isa, form) else { continue };
        if !form.words.meets(Word::from(byte) << at, Word::from(0xffu32) << at) {
            continue;
        }
        if cell.entries.len() == MOST {
            cell.more += 1;
            continue;
        }
        let instruction = isa.instruction(form.instruction);
        let short = forms::short(isa, form);
        cell.entries.push(Entry {
            instruction: form.instruction.index(),
            mnemonic: instruction.mnemonic.clone(),
            picks: if short == form.name { String::new() } else { short.to_owned() },
            bytes: form.length / 8,
        });
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_byte_begins_instructions() {
        let spec = "\
isa: t
word: { unit: 8, lengths: { 8: 'prefix[7] == 0', 16: 'prefix[7] == 1' } }
choices: { Mode: { imm: { fix: { 0: 0 } }, zp: { fix: { 0: 1 } } } }
instructions:
  nop: { length: 8, fix: { 7..0: 0x12 }, text: nop }
  '$op': { for: { op: [a, b, c, d, e], is: 0..4 }, length: 16, fix: { 7..0: 0xcb, 10..8: $is, 15..11: 0 }, text: $op }
  lda: { length: 16, fix: { 7..1: 0x50 }, choose: { m: Mode }, fields: { n: 15..8 }, text: 'lda {n}<when m is zp: ,z>' }
";
        let loaded = isa_spec::load_str("t.yaml", spec, None);
        let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let rows = rows(&isa);
        let shown = |high: usize, low: usize| {
            let cell = &rows[high].cells[low];
            let all = cell.entries.iter().map(|e| format!("{} {} {}", e.mnemonic, e.picks, e.bytes));
            (all.collect::<Vec<_>>().join(", "), cell.more)
        };
        assert_eq!((rows.len(), rows[10].digit.as_str()), (16, "A"));
        assert_eq!(shown(1, 2), ("nop  1".to_owned(), 0));
        assert_eq!(shown(10, 0), ("lda imm 2".to_owned(), 0));
        assert_eq!(shown(10, 1), ("lda zp 2".to_owned(), 0));
        assert_eq!(shown(12, 11), ("a  2, b  2, c  2".to_owned(), 2));
        assert_eq!(shown(0, 0), (String::new(), 0));
        let opcodes = isa.forms.iter().filter_map(|form| Some(format!("{} {:x}", form.name, opcode(&isa, form)?)));
        let opcodes: Vec<_> = opcodes.collect();
        assert_eq!(opcodes, ["nop 12", "a cb", "b cb", "c cb", "d cb", "e cb", "lda.imm a0", "lda.zp a1"]);
    }
}
