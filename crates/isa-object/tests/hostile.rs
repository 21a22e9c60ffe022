//! Damaged and hostile files: errors, no panic, bounded time and memory.

use isa_object::{Contents, Object, contents};
use std::fs;
use std::path::Path;

/// Reads all parts.
fn read_all(file: &[u8]) -> usize {
    let Contents { entries, faults } = contents(file);
    let mut read = faults.len();
    for entry in &entries {
        let Ok(data) = entry.data() else { continue };
        let Ok(object) = Object::parse(&data) else { continue };
        let lines = object.lines();
        for section in &object.sections {
            read += section.functions.len() + section.relocations.len() + section.data.len();
            read += usize::from(lines.at(section.index, 0).is_some());
        }
    }
    read
}

/// Pseudorandom numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).expect("a file of the tests")
}

#[test]
fn mutated_files() {
    const NAMES: [&str; 10] = [
        "saxpy.cubin",
        "choice.cubin",
        "lines.cubin",
        "relocatable.cubin",
        "older.cubin",
        "older-relocatable.cubin",
        "plain.fatbin",
        "zstd.fatbin",
        "lz4.fatbin",
        "host.a",
    ];
    const EDGES: [u64; 8] = [0, 1, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX];
    let files = NAMES.map(file).map(|file| (read_all(&file), file));
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut whole, mut total) = (0, 0);
    for round in 0..20_000 {
        let (all, original) = &files[round % files.len()];
        let mut bytes = original.clone();
        for _ in 0..=numbers.below(4) {
            // Headers and tables are at both ends; half of the changes are made there.
            let place = match numbers.below(4) {
                0 => numbers.below(0x100),
                1 => bytes.len().saturating_sub(1 + numbers.below(0x600)),
                _ => numbers.below(bytes.len()),
            };
            match numbers.below(6) {
                0 => bytes.truncate(place),
                1 => {
                    let edge = EDGES[numbers.below(EDGES.len())].to_le_bytes();
                    let size = [1, 2, 4, 8][numbers.below(4)];
                    bytes.iter_mut().skip(place & !(size - 1)).zip(&edge[..size]).for_each(|(byte, edge)| *byte = *edge);
                }
                2 => {
                    let (from, length) = (numbers.below(bytes.len()), numbers.below(64));
                    let copied: Vec<u8> = bytes.iter().skip(from).take(length).copied().collect();
                    bytes.iter_mut().skip(place).zip(copied).for_each(|(byte, copy)| *byte = copy);
                }
                _ => {
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte ^= 1 << numbers.below(8);
                    }
                }
            }
        }
        let read = read_all(&bytes);
        whole += usize::from(read == *all);
        total += 1;
    }
    // Some changes have no effect on the result, but most do.
    assert!(total == 20_000 && whole > 1_000 && whole < 19_000, "{whole} of {total}");
}

/// A fatbin of one entry.
fn fatbin(flags: u64, payload: &[u8], size: u64) -> Vec<u8> {
    let padded = payload.len().next_multiple_of(8);
    let mut entry = Vec::new();
    entry.extend_from_slice(&2u16.to_le_bytes());
    entry.extend_from_slice(&0x101u16.to_le_bytes());
    entry.extend_from_slice(&64u32.to_le_bytes());
    entry.extend_from_slice(&(padded as u64).to_le_bytes());
    entry.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    entry.resize(28, 0);
    entry.extend_from_slice(&80u32.to_le_bytes());
    entry.resize(40, 0);
    entry.extend_from_slice(&flags.to_le_bytes());
    entry.resize(56, 0);
    entry.extend_from_slice(&size.to_le_bytes());
    entry.extend_from_slice(payload);
    entry.resize(64 + padded, 0);
    let mut file = 0xba55_ed50u32.to_le_bytes().to_vec();
    file.extend_from_slice(&[1, 0, 16, 0]);
    file.extend_from_slice(&(entry.len() as u64).to_le_bytes());
    file.extend_from_slice(&entry);
    file
}

fn error_of(file: &[u8]) -> String {
    let contents = contents(file);
    match contents.entries.first() {
        Some(entry) => entry.data().expect_err("it is damaged").to_string(),
        None => contents.faults[0].to_string(),
    }
}

/// A zstd frame with `blocks` blocks, each of which is 128 KiB of one byte in four bytes.
fn zstd_bomb(blocks: usize) -> Vec<u8> {
    // Magic number; no content size, a window of 128 KiB; blocks of run length; the last is marked.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    for block in 1..=blocks {
        let head = (128u32 << 10 << 3) | 1 << 1 | u32::from(block == blocks);
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.push(0);
    }
    frame
}

#[test]
fn bombs() {
    // Ten thousand blocks would be 1.3 GB: only the size in the entry is read.
    let bomb = zstd_bomb(10_000);
    assert_eq!(
        error_of(&fatbin(0x8011, &bomb, 1000)),
        "fatbin 1, entry 1: it does not decompress to the 1000 bytes that the container declares"
    );
    assert_eq!(error_of(&fatbin(0x8011, &bomb, 10_000 << 17)), "fatbin 1, entry 1: 40088 bytes claim to hold more than 69674496");
    let good = zstd_bomb(4);
    let file = fatbin(0x8011, &good, 4 << 17);
    assert_eq!(contents(&file).entries[0].data().map(|data| data.len()), Ok(4 << 17));
    // LZ4 can't expand a byte this far.
    assert_eq!(
        error_of(&fatbin(0x2011, &[0; 16], 1 << 20)),
        "fatbin 1, entry 1: 16 compressed bytes claim to hold 1048576; at most 4080 are possible"
    );
    assert_eq!(error_of(&fatbin(0x2011, &[0xf0; 16], 100)).split(':').nth(1), Some(" it can't be decompressed"));
}

#[test]
fn faults() {
    let whole = fatbin(0x11, &[0; 8], 8);
    assert_eq!(error_of(&whole[..40]), "fatbin 1: the container is cut off");
    let mut entries = whole.clone();
    entries[16 + 4..16 + 8].copy_from_slice(&1000u32.to_le_bytes());
    assert_eq!(error_of(&entries), "fatbin 1: entry 1 is cut off");
    let mut version = whole.clone();
    version[4] = 2;
    assert_eq!(error_of(&version), "fatbin 1: a container of version 2; only version 1 is supported");
    let twice = [&whole[..], &[0; 16], b"what"].concat();
    let Contents { entries, faults } = contents(&twice);
    assert_eq!((entries.len(), faults[0].to_string()), (1, "no fatbin begins at byte 0x68".into()));
    assert_eq!(error_of(b"text"), "neither an ELF file nor a fatbin nor an archive");
    assert_eq!(error_of(b"!<thin>\n"), "a thin archive does not contain its members");
}
