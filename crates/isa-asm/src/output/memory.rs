//! The contents of memories.

use crate::{Program, Section};
use std::fmt::Write as _;
use std::io::{self, Read as _};

/// Consecutive bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The address of the first one.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The sections with loaded bytes in files, and their places, by their addresses.
fn loaded(program: &Program) -> Vec<(usize, &Section)> {
    let sections = program.sections.iter().enumerate();
    let mut sections: Vec<_> = sections.filter(|(_, section)| section.is_loaded && section.file_size() > 0).collect();
    sections.sort_by_key(|(_, section)| section.address);
    sections
}

/// The loaded bytes of a program, in consecutive ranges by their addresses.
pub fn ranges(program: &Program) -> Vec<Range> {
    let mut all: Vec<Range> = Vec::new();
    for (place, section) in loaded(program) {
        let (address, bytes) = (section.address, program.bytes(place));
        match all.last_mut().filter(|last| last.address.wrapping_add(last.bytes.len() as u64) == address) {
            Some(last) => last.bytes.extend(bytes),
            None => all.push(Range { address, bytes }),
        }
    }
    all
}

/// Consecutive bytes of a memory image, behind a number of equal ones.
pub struct Stretch<'p> {
    count: u64,
    fill: u8,
    bytes: &'p [u8],
}

impl Stretch<'_> {
    /// Writes the bytes.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        io::copy(&mut io::repeat(self.fill).take(self.count), out)?;
        out.write_all(self.bytes)
    }
}

/// The bytes from the lowest address to the highest one, gaps between sections filled.
///
/// # Errors
/// When that exceeds the limit of a program.
pub fn stretches(program: &Program, fill: u8) -> Result<Vec<Stretch<'_>>, String> {
    let sections = loaded(program);
    let Some((_, first)) = sections.first() else { return Ok(Vec::new()) };
    let end = |(_, own): &(usize, &Section)| own.address.wrapping_sub(first.address).saturating_add(own.size);
    let size = sections.iter().map(end).max().unwrap_or(0);
    if size > crate::assembler::MOST_BYTES {
        return Err(format!(
            "from {:#x} to the end there are {size} bytes, gaps included: another format leaves gaps out",
            first.address
        ));
    }
    let (mut all, mut next) = (Vec::new(), 0);
    for (place, section) in &sections {
        let begin = section.address - first.address;
        let Some(count) = begin.checked_sub(next) else { return Err(format!("`{}` begins in another section", section.name)) };
        all.push(Stretch { count, fill, bytes: &[] });
        next = begin;
        for (offset, bytes) in program.runs(*place) {
            all.push(Stretch { count: begin + offset - next, fill: 0, bytes });
            next = begin + offset + bytes.len() as u64;
        }
        all.push(Stretch { count: begin + section.size - next, fill: 0, bytes: &[] });
        next = begin + section.size;
    }
    Ok(all)
}

/// The same in memory.
///
/// # Errors
/// When that exceeds the limit of a program.
pub fn bytes(program: &Program, fill: u8) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for stretch in stretches(program, fill)? {
        out.resize(out.len() + stretch.count as usize, stretch.fill);
        out.extend_from_slice(stretch.bytes);
    }
    Ok(out)
}

/// The number of bytes in a record.
const RECORD: usize = 16;

/// Intel HEX.
///
/// # Errors
/// When an address has more than 32 bits.
pub fn ihex(program: &Program) -> Result<String, String> {
    let mut records = Vec::new();
    let mut high = 0u16;
    for range in ranges(program) {
        for (place, chunk) in range.bytes.chunks(RECORD).enumerate() {
            let mut at = range.address.wrapping_add((place * RECORD) as u64);
            // A record does not cross a boundary of 64 KiB.
            let room = (0x1_0000 - (at & 0xffff)) as usize;
            for part in [&chunk[..chunk.len().min(room)], &chunk[chunk.len().min(room)..]] {
                if part.is_empty() {
                    continue;
                }
                let upper = u16::try_from(at >> 16)
                    .map_err(|_| format!("{at:#x} does not fit Intel HEX, whose addresses have 32 bits"))?;
                if upper != high {
                    records.push(ihex::Record::ExtendedLinearAddress(upper));
                    high = upper;
                }
                records.push(ihex::Record::Data { offset: at as u16, value: part.to_vec() });
                at = at.wrapping_add(part.len() as u64);
            }
        }
    }
    records.push(ihex::Record::EndOfFile);
    let mut text = ihex::create_object_file_representation(&records).map_err(|error| error.to_string())?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Motorola S-records, with the shortest addresses that suffice.
///
/// # Errors
/// When an address has more than 32 bits.
pub fn srec(program: &Program) -> Result<String, String> {
    let ranges = ranges(program);
    let last = ranges.iter().map(|range| range.address.saturating_add(range.bytes.len() as u64 - 1)).max().unwrap_or(0);
    let (kind, end, digits) = match last {
        0..=0xffff => (1, 9, 4),
        0x1_0000..=0xff_ffff => (2, 8, 6),
        0x100_0000..=0xffff_ffff => (3, 7, 8),
        _ => return Err(format!("{last:#x} does not fit an S-record, whose addresses have 32 bits")),
    };
    let record = |kind: u8, address: u64, bytes: &[u8], digits: usize| {
        let count = digits / 2 + bytes.len() + 1;
        let address_bytes = address.to_be_bytes();
        let sum = address_bytes[8 - digits / 2..].iter().chain(bytes).fold(count as u8, |sum, byte| sum.wrapping_add(*byte));
        let mut line = format!("S{kind}{count:02X}{address:0digits$X}");
        bytes.iter().for_each(|byte| _ = write!(line, "{byte:02X}"));
        let _ = writeln!(line, "{:02X}", !sum);
        line
    };
    let mut out = record(0, 0, b"isagen", 4);
    for range in &ranges {
        for (place, chunk) in range.bytes.chunks(RECORD).enumerate() {
            out.push_str(&record(kind, range.address + (place * RECORD) as u64, chunk, digits));
        }
    }
    out.push_str(&record(end, 0, &[], digits));
    Ok(out)
}

/// The format of `$readmemh`: words of `width` bytes, one a line, and `@` with the number of the word after a gap.
///
/// # Errors
/// When a range does not begin at a word.
pub fn mem(program: &Program, width: u32, fill: u8) -> Result<String, String> {
    let size = width as usize;
    let mut out = String::new();
    let mut next = 0;
    for range in ranges(program) {
        if range.address % u64::from(width) != 0 {
            return Err(format!("{:#x} is not the address of a word of {width} bytes", range.address));
        }
        let word = range.address / u64::from(width);
        if word != next {
            let _ = writeln!(out, "@{word:x}");
        }
        for chunk in range.bytes.chunks(size) {
            let own = chunk.iter().copied().chain(std::iter::repeat_n(fill, size - chunk.len()));
            let own: Vec<u8> = if program.is_little { own.rev_all() } else { own.collect() };
            own.iter().for_each(|byte| _ = write!(out, "{byte:02x}"));
            out.push('\n');
        }
        next = word + range.bytes.len().div_ceil(size) as u64;
    }
    Ok(out)
}

/// The items in reverse order.
trait Reversed: Iterator<Item = u8> + Sized {
    fn rev_all(self) -> Vec<u8> {
        let mut all: Vec<u8> = self.collect();
        all.reverse();
        all
    }
}

impl<I: Iterator<Item = u8>> Reversed for I {}
