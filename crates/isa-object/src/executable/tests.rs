use super::*;

/// A writer of the numbers of a file.
struct Out {
    bytes: Vec<u8>,
    is_64: bool,
    is_big: bool,
}

impl Out {
    fn number(&mut self, value: u64, size: usize) {
        let bytes = value.to_le_bytes();
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..size]);
        if self.is_big {
            self.bytes[start..].reverse();
        }
    }

    fn word(&mut self, value: u64) {
        self.number(value, if self.is_64 { 8 } else { 4 });
    }

    fn program_header(&mut self, kind: u64, flags: u64, [offset, address, stored, size]: [u64; 4]) {
        self.number(kind, 4);
        if self.is_64 {
            self.number(flags, 4);
        }
        [offset, address, address, stored, size].into_iter().for_each(|value| self.word(value));
        if !self.is_64 {
            self.number(flags, 4);
        }
        self.word(0x1000);
    }

    fn section(&mut self, [name, kind, offset, size, link, entry]: [u64; 6]) {
        self.number(name, 4);
        self.number(kind, 4);
        [0, 0, offset, size].into_iter().for_each(|value| self.word(value));
        self.number(link, 4);
        self.number(1, 4);
        [1, entry].into_iter().for_each(|value| self.word(value));
    }

    fn symbol(&mut self, name: u64, value: u64, size: u64, info: u64) {
        self.number(name, 4);
        if self.is_64 {
            [(info, 1), (0, 1), (1, 2), (value, 8), (size, 8)].into_iter().for_each(|(value, size)| self.number(value, size));
        } else {
            [(value, 4), (size, 4), (info, 1), (0, 1), (1, 2)].into_iter().for_each(|(value, size)| self.number(value, size));
        }
    }
}

/// A file with two segments and two symbols.
fn file(is_64: bool, is_big: bool, kind: u64, extra: &[(u64, [u64; 4])]) -> Vec<u8> {
    let mut out = Out { bytes: Vec::new(), is_64, is_big };
    out.bytes.extend_from_slice(&[0x7f, b'E', b'L', b'F', 1 + u8::from(is_64), 1 + u8::from(is_big), 1, 0]);
    out.bytes.extend_from_slice(&[0; 8]);
    let (head, program, section, symbol) = if is_64 { (64, 56, 64, 24) } else { (52, 32, 40, 16) };
    let count = 2 + extra.len() as u64;
    let code = head + program * count;
    let names = code + 12;
    let symbols = names + 32;
    let sections = symbols + 3 * symbol;
    [(kind, 2), (243, 2), (1, 4)].into_iter().for_each(|(value, size)| out.number(value, size));
    [0x1_0000 + code, head, sections].into_iter().for_each(|value| out.word(value));
    out.number(0, 4);
    [head, program, count, section, 4, 2].into_iter().for_each(|value| out.number(value, 2));
    out.program_header(1, 5, [0, 0x1_0000, code + 8, code + 8]);
    out.program_header(1, 6, [code + 8, 0x2_0008, 4, 0x1234]);
    extra.iter().for_each(|(kind, place)| out.program_header(*kind, 4, *place));
    out.bytes.extend_from_slice(b"code....data");
    out.bytes.extend_from_slice(b"\0main\0tohost\0.strtab\0.symtab\0\0\0\0");
    assert_eq!(out.bytes.len() as u64, symbols);
    out.symbol(0, 0, 0, 0);
    out.symbol(1, 0x1_0000 + code, 8, 0x12);
    out.symbol(6, 0x2_0008, 8, 1);
    out.section([0; 6]);
    out.section([21, 2, symbols, 3 * symbol, 2, symbol]);
    out.section([13, 3, names, 32, 0, 0]);
    out.section([0, 0, 0, 0, 0, 0]);
    out.bytes
}

fn message(data: &[u8]) -> String {
    Executable::parse(data).expect_err("not an executable").to_string()
}

#[test]
fn either_class_and_byte_order() {
    for (is_64, is_big) in [(false, false), (false, true), (true, false), (true, true)] {
        let data = file(is_64, is_big, 2, &[]);
        let program = Executable::parse(&data).expect("an executable");
        let code = if is_64 { 64 + 2 * 56 } else { 52 + 2 * 32 };
        let arch = if is_64 { "riscv64" } else { "riscv32" };
        assert_eq!((program.machine, &*program.arch, program.is_64, program.is_little_endian), (243, arch, is_64, !is_big));
        assert_eq!(program.entry, 0x1_0000 + code);
        let [text, bss] = program.segments[..] else { panic!("{:?}", program.segments) };
        assert_eq!((text.address, text.size, text.read, text.write, text.execute), (0x1_0000, code + 8, true, false, true));
        assert_eq!((bss.address, bss.data, bss.size, bss.write, bss.execute), (0x2_0008, &b"data"[..], 0x1234, true, false));
        assert_eq!(bss.last(), 0x2_123b);
        let (head, size) = if is_64 { (64, 56) } else { (52, 32) };
        assert_eq!(program.headers, ProgramHeaders { address: Some(0x1_0000 + head), size, count: 2 });
        assert_eq!(program.symbol("main").map(|symbol| (symbol.address, symbol.is_global)), Some((0x1_0000 + code, true)));
        assert_eq!(program.symbol("tohost").map(|symbol| symbol.address), Some(0x2_0008));
        assert_eq!((program.symbol("ma"), program.symbol("zzz")), (None, None));
    }
}

#[test]
fn files_that_are_not_static_executables() {
    assert_eq!(message(b"#!/bin/sh"), "this is not an ELF file");
    assert_eq!(message(&file(true, false, 1, &[])), "this is a relocatable file, which is still to be linked");
    assert_eq!(message(&file(true, false, 4, &[])), "this is a memory dump and not an executable");
    assert_eq!(message(&file(true, false, 77, &[])), "ELF files of type 77 are not executables");
    assert_eq!(message(&file(true, false, 2, &[(3, [0; 4])])), "it is dynamically linked: only static executables can run");
    let wraps = (1, [0, u64::MAX - 4, 0, 6]);
    assert_eq!(
        message(&file(true, false, 2, &[wraps])),
        "its segment at 0xfffffffffffffffb of 0x6 bytes does not fit in the addresses"
    );
    let wraps = (1, [0, 0xffff_fffe, 0, 3]);
    assert_eq!(message(&file(false, false, 2, &[wraps])), "its segment at 0xfffffffe of 0x3 bytes does not fit in the addresses");
    let overlaps = (1, [0, 0x2_123b, 0, 1]);
    assert_eq!(message(&file(true, true, 2, &[overlaps])), "its segments at 0x20008 and 0x2123b overlap");
    let longer = (1, [0, 0x9_0000, 9, 8]);
    assert_eq!(message(&file(true, true, 2, &[longer])), "its segment at 0x90000 has 9 bytes in the file and only 8 in memory");
    let outside = (1, [9999, 0x9_0000, 9, 9]);
    assert_eq!(message(&file(true, true, 2, &[outside])), "its segment at 0x90000 is outside of the file");
    let wraps = (1, [u64::MAX, 0x9_0000, 9, 9]);
    assert_eq!(message(&file(true, true, 2, &[wraps])), "its segment at 0x90000 is outside of the file");
    let empty = (1, [0, 0x9_0000, 0, 0]);
    assert_eq!(Executable::parse(&file(true, true, 2, &[empty])).map(|program| program.segments.len()), Ok(2));
}

#[test]
fn position_independent_programs() {
    let data = file(true, false, 3, &[]);
    assert_eq!(Executable::parse(&data).map(|program| program.segments[0].address), Ok(0x1_0000));
    let low = file(true, false, 3, &[(1, [0, 0, 4, 4])]);
    let program = Executable::parse(&low).expect("an executable");
    assert_eq!((program.segments[0].address, program.segments[1].address), (0x1_0000, 0x2_0000));
    assert_eq!(program.symbol("tohost").map(|symbol| symbol.address), Some(0x3_0008));
    // A dynamic section that overlaps the data, patched to contain DT_RELASZ.
    let mut data = file(true, false, 3, &[(2, [64 + 3 * 56, 0x1_0000, 32, 32])]);
    let at = 64 + 3 * 56;
    data[at..at + 16].copy_from_slice(&[8, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(
        message(&data),
        "it is position-independent and has relocations, which are not applied: link it with -no-pie -static"
    );
    data[at] = 1;
    assert_eq!(message(&data), "it needs shared libraries: only static executables can run");
}

#[test]
fn damaged_files_are_errors() {
    for (is_64, is_big) in [(false, true), (true, false)] {
        let data = file(is_64, is_big, 2, &[]);
        let sections = data.len() - if is_64 { 64 } else { 40 };
        for end in 0..sections {
            assert!(Executable::parse(&data[..end]).is_err(), "the first {end} bytes");
        }
        for at in 0..data.len() {
            for value in [0, 1, 2, 4, 0x7f, 0x80, 0xff] {
                let mut bad = data.clone();
                bad[at] = value;
                let _ = Executable::parse(&bad);
                // A whole field.
                let end = (at + 8).min(bad.len());
                bad[at..end].fill(value);
                let _ = Executable::parse(&bad);
            }
        }
    }
}
