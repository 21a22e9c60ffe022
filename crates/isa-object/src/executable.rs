//! Executables: the segments that a program consists of, its entry, its symbols.

use crate::elf::{self as files, Budget};
use crate::{Error, arch};
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader, ProgramHeader as _, Sym as _};
use object::{Endian as _, Endianness};
use std::borrow::Cow;

/// The address of the first page of a position-independent program, which has none of its own.
const BASE: u64 = 0x1_0000;

/// A static ELF executable.
#[derive(Clone, Debug)]
pub struct Executable<'d> {
    /// The machine's number in ELF.
    pub machine: u16,
    /// The architecture: `riscv64`.
    pub arch: String,
    /// True if addresses have 64 bits instead of 32.
    pub is_64: bool,
    /// True if the low byte of a number comes first.
    pub is_little_endian: bool,
    /// The address of the first instruction.
    pub entry: u64,
    /// The segments that are loaded, by their addresses. They do not overlap.
    pub segments: Vec<Segment<'d>>,
    /// The program headers.
    pub headers: ProgramHeaders,
    symbols: Vec<Symbol<'d>>,
}

/// A part of the initial memory of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'d> {
    /// The address of its first byte.
    pub address: u64,
    /// The bytes of the file, at the beginning of the segment; zeros follow.
    pub data: &'d [u8],
    /// Bytes in memory, at least one and at least those of the file.
    pub size: u64,
    /// The program can read it.
    pub read: bool,
    /// The program can write it.
    pub write: bool,
    /// It has instructions.
    pub execute: bool,
}

impl Segment<'_> {
    /// The address of its last byte.
    pub fn last(&self) -> u64 {
        self.address.saturating_add(self.size.saturating_sub(1))
    }
}

/// The table of program headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramHeaders {
    /// Its address in memory, if it is in a segment.
    pub address: Option<u64>,
    /// Bytes of a header.
    pub size: u64,
    /// The number of headers.
    pub count: u64,
}

/// A function, an object, or a place without a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'d> {
    /// Its name.
    pub name: Cow<'d, str>,
    /// Its address.
    pub address: u64,
    /// Its bytes; 0 if they are not in the file.
    pub size: u64,
    /// It is visible to other files, unlike a local symbol.
    pub is_global: bool,
}

impl<'d> Executable<'d> {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file is damaged, or is not a static executable.
    pub fn parse(data: &'d [u8]) -> Result<Self, Error> {
        if !files::is_elf(data) {
            return Err(Error::new("this is not an ELF file"));
        }
        if files::is_64(data) { parse::<FileHeader64<Endianness>>(data) } else { parse::<FileHeader32<Endianness>>(data) }
    }

    /// The symbols by their names; among those with one name the global ones come first.
    pub fn symbols(&self) -> &[Symbol<'d>] {
        &self.symbols
    }

    /// The symbol with a name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol<'d>> {
        let first = self.symbols.partition_point(|symbol| *symbol.name < *name);
        self.symbols.get(first).filter(|symbol| symbol.name == name)
    }
}

fn parse<'d, Elf: FileHeader<Endian = Endianness>>(data: &'d [u8]) -> Result<Executable<'d>, Error> {
    let head = Elf::parse(data)?;
    let endian = head.endian()?;
    if head.e_machine(endian).0 == arch::CUDA {
        return Err(Error::new("this is a cubin: its kernels are launched, each with its arguments"));
    }
    let kind = head.e_type(endian);
    match kind {
        elf::ET_EXEC | elf::ET_DYN => {}
        elf::ET_REL => return Err(Error::new("this is a relocatable file, which is still to be linked")),
        elf::ET_CORE => return Err(Error::new("this is a memory dump and not an executable")),
        other => return Err(Error::new(format!("ELF files of type {} are not executables", other.0))),
    }
    let table = head.program_headers(endian, data)?;
    let move_by = displacement::<Elf>(table, endian, data, kind == elf::ET_DYN)?;
    let is_64 = head.is_class_64();
    let mut segments = Vec::new();
    for header in table.iter().filter(|header| header.p_type(endian) == elf::PT_LOAD) {
        segments.extend(segment::<Elf>(header, endian, data, move_by, is_64)?);
    }
    segments.sort_by_key(|segment| segment.address);
    if let Some(pair) = segments.windows(2).find(|pair| pair[0].last() >= pair[1].address) {
        return Err(Error::new(format!("its segments at {:#x} and {:#x} overlap", pair[0].address, pair[1].address)));
    }
    if segments.is_empty() {
        return Err(Error::new("it has no segments to load"));
    }
    let offset: u64 = head.e_phoff(endian).into();
    let size = u64::from(head.e_phentsize(endian));
    let count = table.len() as u64;
    let covered = table.iter().filter(|header| header.p_type(endian) == elf::PT_LOAD).find_map(|header| {
        let (start, bytes): (u64, u64) = (header.p_offset(endian).into(), header.p_filesz(endian).into());
        let inside = offset.checked_sub(start)?;
        let fits = inside.checked_add(size * count).is_some_and(|end| end <= bytes);
        let address: u64 = header.p_vaddr(endian).into();
        fits.then(|| address.wrapping_add(inside).wrapping_add(move_by))
    });
    let file = files::Head::read(data)?;
    Ok(Executable {
        machine: file.machine,
        arch: arch::of_elf(file.machine, 0, 0, is_64, false),
        is_64,
        is_little_endian: endian.is_little_endian(),
        entry: head.e_entry(endian).into().wrapping_add(move_by),
        segments,
        headers: ProgramHeaders { address: covered, size, count },
        symbols: symbols(head, endian, data, move_by)?,
    })
}

/// The number that is added to each address, if the program is position-independent. Refuses files that need a dynamic linker.
fn displacement<Elf: FileHeader<Endian = Endianness>>(
    table: &[Elf::ProgramHeader],
    endian: Endianness,
    data: &[u8],
    is_independent: bool,
) -> Result<u64, Error> {
    for header in table {
        if header.p_type(endian) == elf::PT_INTERP {
            return Err(Error::new("it is dynamically linked: only static executables can run"));
        }
        if !is_independent || header.p_type(endian) != elf::PT_DYNAMIC {
            continue;
        }
        for entry in header.dynamic(endian, data)?.unwrap_or_default() {
            let (tag, value): (i64, u64) = (entry.d_tag(endian).0, entry.d_val(endian).into());
            if tag == elf::DT_NULL.0 {
                break;
            }
            let sizes = [elf::DT_RELSZ.0, elf::DT_RELASZ.0, elf::DT_RELRSZ.0, elf::DT_PLTRELSZ.0];
            if sizes.contains(&tag) && value > 0 {
                return Err(Error::new(
                    "it is position-independent and has relocations, which are not applied: link it with -no-pie -static",
                ));
            }
            if tag == elf::DT_NEEDED.0 {
                return Err(Error::new("it needs shared libraries: only static executables can run"));
            }
        }
    }
    let loaded = table.iter().filter(|header| header.p_type(endian) == elf::PT_LOAD);
    let lowest: u64 = loaded.map(|header| header.p_vaddr(endian).into()).min().unwrap_or(0);
    Ok(if is_independent && lowest < BASE { BASE } else { 0 })
}

/// A segment that has any bytes.
fn segment<'d, Elf: FileHeader<Endian = Endianness>>(
    header: &Elf::ProgramHeader,
    endian: Endianness,
    data: &'d [u8],
    move_by: u64,
    is_64: bool,
) -> Result<Option<Segment<'d>>, Error> {
    let own: u64 = header.p_vaddr(endian).into();
    let size: u64 = header.p_memsz(endian).into();
    let stored: u64 = header.p_filesz(endian).into();
    if stored > size {
        return Err(Error::new(format!("its segment at {own:#x} has {stored} bytes in the file and only {size} in memory")));
    }
    let Some(more) = size.checked_sub(1) else { return Ok(None) };
    let end = if is_64 { u64::MAX } else { u32::MAX.into() };
    let address = own.checked_add(move_by);
    let last = address.and_then(|address| address.checked_add(more)).filter(|last| *last <= end);
    let (Some(address), Some(_)) = (address, last) else {
        return Err(Error::new(format!("its segment at {own:#x} of {size:#x} bytes does not fit in the addresses")));
    };
    let bytes = header.data(endian, data);
    let bytes = bytes.map_err(|()| Error::new(format!("its segment at {own:#x} is outside of the file")))?;
    let flags = header.p_flags(endian).0;
    Ok(Some(Segment {
        address,
        data: bytes,
        size,
        read: flags & elf::PF_R.0 != 0,
        write: flags & elf::PF_W.0 != 0,
        execute: flags & elf::PF_X.0 != 0,
    }))
}

/// Functions, objects and places, sorted for [`Executable::symbol`].
fn symbols<'d, Elf: FileHeader<Endian = Endianness>>(
    head: &Elf,
    endian: Endianness,
    data: &'d [u8],
    move_by: u64,
) -> Result<Vec<Symbol<'d>>, Error> {
    let sections = head.sections(endian, data)?;
    let table = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let (mut symbols, mut budget) = (Vec::new(), Budget::new(data));
    for symbol in table.iter() {
        let is_wanted = [elf::STT_FUNC, elf::STT_OBJECT, elf::STT_NOTYPE].contains(&symbol.st_type());
        if !is_wanted || symbol.is_undefined(endian) {
            continue;
        }
        let name = budget.text(table.symbol_name(endian, symbol)?)?;
        // RISC-V's tools mark code with `$x`.
        if name.is_empty() || name.starts_with('$') {
            continue;
        }
        let value: u64 = symbol.st_value(endian).into();
        let address = if symbol.is_absolute(endian) { value } else { value.wrapping_add(move_by) };
        symbols.push(Symbol {
            name,
            address,
            size: symbol.st_size(endian).into(),
            is_global: symbol.st_bind() != elf::STB_LOCAL,
        });
    }
    symbols.sort_by(|a, b| (&a.name, !a.is_global, a.address).cmp(&(&b.name, !b.is_global, b.address)));
    Ok(symbols)
}

#[cfg(test)]
mod tests;
