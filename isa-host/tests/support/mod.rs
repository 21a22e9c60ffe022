//! Executables made by hand, and streams that are kept.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Where the code of an executable is.
pub(crate) const CODE: u64 = 0x1_0000;
/// Where its data is, 16 pages.
pub(crate) const DATA: u64 = 0x2_0000;

/// Bytes that are kept.
#[derive(Clone, Default)]
pub(crate) struct Kept(pub(crate) Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A 64-bit executable of these words, with symbols.
pub(crate) fn executable(words: &[u32], symbols: &[(&str, u64)]) -> Vec<u8> {
    fn put(out: &mut Vec<u8>, values: &[(u64, usize)]) {
        values.iter().for_each(|(value, size)| out.extend_from_slice(&value.to_le_bytes()[..*size]));
    }
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let start = 64 + 2 * 56;
    let mut names = b"\0".to_vec();
    let mut table = vec![0; 24];
    for (name, value) in symbols {
        put(&mut table, &[(names.len() as u64, 4), (0x11, 1), (0, 1), (1, 2), (*value, 8), (8, 8)]);
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    let names_at = start + code.len() as u64;
    let table_at = names_at + names.len() as u64;
    let sections = table_at + table.len() as u64;
    let mut out = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    put(&mut out, &[(2, 2), (243, 2), (1, 4), (CODE + start, 8), (64, 8), (sections, 8), (0, 4)]);
    put(&mut out, &[(64, 2), (56, 2), (2, 2), (64, 2), (3, 2), (2, 2)]);
    let header = |out: &mut Vec<u8>, flags: u64, at: u64, stored: u64, size: u64| {
        put(out, &[(1, 4), (flags, 4), (0, 8), (at, 8), (at, 8), (stored, 8), (size, 8), (0x1000, 8)]);
    };
    header(&mut out, 5, CODE, names_at, names_at);
    header(&mut out, 6, DATA, 0, 0x1_0000);
    out.extend_from_slice(&code);
    out.extend_from_slice(&names);
    out.extend_from_slice(&table);
    let section = |out: &mut Vec<u8>, kind: u64, at: u64, size: u64, link: u64, entry: u64| {
        put(out, &[(0, 4), (kind, 4), (0, 8), (0, 8), (at, 8), (size, 8), (link, 4), (1, 4), (1, 8), (entry, 8)]);
    };
    section(&mut out, 0, 0, 0, 0, 0);
    section(&mut out, 2, table_at, table.len() as u64, 2, 24);
    section(&mut out, 3, names_at, names.len() as u64, 0, 0);
    out
}
