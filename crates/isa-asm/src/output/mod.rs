//! Programs in the formats of memories, programmers and linkers.

mod elf;
mod memory;

pub use elf::elf;
pub use memory::{Range, Stretch, bytes, ihex, mem, ranges, srec, stretches};

use crate::{PieceKind, Program};
use std::fmt::Write as _;

/// The symbols by their addresses, one a line: `address name`.
pub fn symbols(program: &Program) -> String {
    let mut all: Vec<_> = program.symbols.iter().filter(|symbol| symbol.is_defined).collect();
    all.sort_by(|a, b| (a.value, &a.name).cmp(&(b.value, &b.name)));
    let width = if all.iter().any(|symbol| symbol.value > u32::MAX.into()) { 16 } else { 8 };
    all.iter().fold(String::new(), |mut out, symbol| {
        let kind = if symbol.section.is_none() { " = " } else { "   " };
        let _ = writeln!(out, "{:0width$x}{kind}{}", symbol.value, symbol.name);
        out
    })
}

/// The sections in memory: start, end, bytes and name of each.
pub fn map(program: &Program) -> String {
    let mut all: Vec<_> = program.sections.iter().filter(|section| section.is_loaded && section.size > 0).collect();
    all.sort_by_key(|section| section.address);
    let mut out = String::new();
    for section in all {
        let last = section.address.wrapping_add(section.size - 1);
        let kind = match (section.is_code, section.is_written, section.is_empty_in_files) {
            (true, ..) => "code",
            (_, _, true) => "zeros",
            (_, true, _) => "data",
            _ => "constants",
        };
        let _ = writeln!(out, "{:#010x}..{last:#010x} {:>8} {kind:<9} {}", section.address, section.size, section.name);
    }
    out
}

/// The number of bytes in a line of a listing.
const PER_LINE: usize = 8;

/// A listing: the address and the bytes of each line, and the line.
pub fn listing(program: &Program) -> String {
    let mut own: Vec<Vec<(u64, Vec<u8>)>> = vec![Vec::new(); program.lines().count() + 1];
    let mut faults: Vec<Vec<String>> = vec![Vec::new(); own.len()];
    for piece in program.pieces() {
        let line = piece.line.min(own.len() - 1);
        if let PieceKind::Fault(fault) = piece.kind {
            faults[line].push(fault.message.clone());
            continue;
        }
        match own[line].last_mut().filter(|(address, bytes)| address.wrapping_add(bytes.len() as u64) == piece.address) {
            Some((_, bytes)) => bytes.extend_from_slice(piece.bytes),
            None => own[line].push((piece.address, piece.bytes.to_vec())),
        }
    }
    let width = if program.sections.iter().any(|section| section.address.saturating_add(section.size) > u32::MAX.into()) {
        16
    } else {
        8
    };
    let mut out = String::new();
    for (number, text) in program.lines().enumerate().map(|(number, text)| (number + 1, text)) {
        let mut text = Some(text);
        let mut row = |address: Option<u64>, bytes: &[u8]| {
            let address = address.map_or(" ".repeat(width), |address| format!("{address:0width$x}"));
            let bytes = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
            let shown = match text.take() {
                Some(text) => format!("{number:>5}  {address}  {bytes:<23}  {text}"),
                None => format!("{:>5}  {address}  {bytes}", ""),
            };
            let _ = writeln!(out, "{}", shown.trim_end());
        };
        if own[number].is_empty() {
            row(None, &[]);
        }
        for (address, bytes) in &own[number] {
            for (place, chunk) in bytes.chunks(PER_LINE).enumerate() {
                row(Some(address.wrapping_add((place * PER_LINE) as u64)), chunk);
            }
            if bytes.is_empty() {
                row(None, &[]);
            }
        }
        for fault in &faults[number] {
            let _ = writeln!(out, "       ! {fault}");
        }
    }
    out
}
