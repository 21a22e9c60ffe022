//! Executables made by hand, and streams whose bytes are kept.

mod kept;

pub(crate) use kept::Kept;

/// The address of an executable's first page.
pub(crate) const CODE: u64 = 0x1_0000;
/// The address of its data, 16 pages.
pub(crate) const DATA: u64 = 0x2_0000;

/// A 64-bit executable of these words, with symbols.
pub(crate) fn executable(words: &[u32], symbols: &[(&str, u64)]) -> Vec<u8> {
    executable_of(true, false, words, symbols)
}

/// An executable with addresses of 64 or 32 bits and either byte order.
pub(crate) fn executable_of(is_64: bool, is_big: bool, words: &[u32], symbols: &[(&str, u64)]) -> Vec<u8> {
    // Bytes of a word.
    let w = if is_64 { 8 } else { 4 };
    let put = |out: &mut Vec<u8>, values: &[(u64, usize)]| {
        for (value, size) in values {
            let start = out.len();
            out.extend_from_slice(&value.to_le_bytes()[..*size]);
            if is_big {
                out[start..].reverse();
            }
        }
    };
    let mut code = Vec::new();
    words.iter().for_each(|word| put(&mut code, &[(u64::from(*word), 4)]));
    let (head, program, entry, section_size) = if is_64 { (64, 56, 24, 64) } else { (52, 32, 16, 40) };
    let start = head + 2 * program;
    let (mut names, mut table) = (b"\0".to_vec(), vec![0; entry]);
    for (name, value) in symbols {
        let (name_at, value, size, kind, section) = ((names.len() as u64, 4), (*value, w), (8, w), [(0x11, 1), (0, 1)], (1, 2));
        if is_64 {
            put(&mut table, &[name_at, kind[0], kind[1], section, value, size]);
        } else {
            put(&mut table, &[name_at, value, size, kind[0], kind[1], section]);
        }
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    let names_at = start + code.len() as u64;
    let table_at = names_at + names.len() as u64;
    let sections = table_at + table.len() as u64;
    let mut out = [0x7f, b'E', b'L', b'F', 1 + u8::from(is_64), 1 + u8::from(is_big), 1, 0].to_vec();
    out.resize(16, 0);
    put(&mut out, &[(2, 2), (243, 2), (1, 4), (CODE + start, w), (head, w), (sections, w), (0, 4)]);
    put(&mut out, &[(head, 2), (program, 2), (2, 2), (section_size, 2), (3, 2), (2, 2)]);
    for (flags, at, stored, size) in [(5, CODE, names_at, names_at), (6, DATA, 0, 0x1_0000)] {
        let (early, late) = if is_64 { (4, 0) } else { (0, 4) };
        put(&mut out, &[(1, 4), (flags, early), (0, w), (at, w), (at, w), (stored, w), (size, w), (flags, late), (0x1000, w)]);
    }
    out.extend_from_slice(&code);
    out.extend_from_slice(&names);
    out.extend_from_slice(&table);
    for [kind, at, size, link, entry] in
        [[0; 5], [2, table_at, table.len() as u64, 2, entry as u64], [3, names_at, names.len() as u64, 0, 0]]
    {
        put(&mut out, &[(0, 4), (kind, 4), (0, w), (0, w), (at, w), (size, w), (link, 4), (1, 4), (1, w), (entry, w)]);
    }
    out
}
