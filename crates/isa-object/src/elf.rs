//! ELF files: sections with code, functions, relocations.

use crate::lines::{DebugLine, LineTable};
use crate::nv_info::{self, Resources};
use crate::relocation;
use crate::{Error, arch};
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, Rel as _, Rela as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable};
use object::{Endian as _, Endianness, SectionIndex};
use std::borrow::Cow;
use std::ops::Range;

/// The section of a cubin with the architectures that run it.
const COMPAT: &str = ".nv.compat";
/// The bit in `st_other` of a kernel.
const CUDA_ENTRY: u8 = 0x10;
/// The limit of bytes of the names of all symbols and sections together, in multiples of the file's size; [`NAMES_SLACK`] is
/// added. Names can overlap.
const NAMES: usize = 8;
const NAMES_SLACK: usize = 1 << 20;

/// The header of an ELF file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) machine: u16,
    abi: u8,
    flags: u32,
    is_64: bool,
    is_relocatable: bool,
}

impl Head {
    /// The header of a file that begins like an ELF file.
    pub(crate) fn read(data: &[u8]) -> Result<Self, Error> {
        fn of<Elf: FileHeader<Endian = Endianness>>(data: &[u8]) -> Result<Head, Error> {
            let head = Elf::parse(data)?;
            let endian = head.endian()?;
            Ok(Head {
                machine: head.e_machine(endian).0,
                abi: head.e_ident().abi_version,
                flags: head.e_flags(endian).0,
                is_64: head.is_class_64(),
                is_relocatable: head.e_type(endian) == elf::ET_REL,
            })
        }
        if is_64(data) { of::<FileHeader64<Endianness>>(data) } else { of::<FileHeader32<Endianness>>(data) }
    }

    /// The architecture of a file with this header.
    pub(crate) fn arch(&self, data: &[u8]) -> String {
        let Self { machine, abi, flags, is_64, .. } = *self;
        let says = || {
            sections_named(data, |name| name == COMPAT)
                .is_ok_and(|all| all.into_iter().any(|at| nv_info::is_accelerated(&data[at])))
        };
        let is_accelerated = machine == arch::CUDA && (arch::is_accelerated(abi, flags) || says());
        arch::of_elf(machine, abi, flags, is_64, is_accelerated)
    }
}

pub(crate) fn is_elf(data: &[u8]) -> bool {
    data.starts_with(b"\x7fELF")
}

pub(crate) fn is_64(data: &[u8]) -> bool {
    data.get(4) == Some(&elf::ELFCLASS64.0)
}

/// The ranges of the sections of a file with requested names.
pub(crate) fn sections_named(data: &[u8], is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Range<usize>>, Error> {
    fn of<Elf: FileHeader<Endian = Endianness>>(
        data: &[u8],
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Range<usize>>, Error> {
        let head = Elf::parse(data)?;
        let endian = head.endian()?;
        let sections = head.sections(endian, data)?;
        let (mut found, mut budget) = (Vec::new(), Budget::new(data));
        for section in sections.iter() {
            let name = budget.text(sections.section_name(endian, section)?)?;
            if is_wanted(&name)
                && let Some(range) = place::<Elf>(section, endian, data)
            {
                budget.bytes(&data[range.clone()])?;
                found.push(range);
            }
        }
        Ok(found)
    }
    if is_64(data) { of::<FileHeader64<Endianness>>(data, is_wanted) } else { of::<FileHeader32<Endianness>>(data, is_wanted) }
}

/// Returns the file range of the bytes of a section, if it has any in the file.
pub(crate) fn place<Elf: FileHeader<Endian = Endianness>>(
    section: &Elf::SectionHeader,
    endian: Endianness,
    data: &[u8],
) -> Option<Range<usize>> {
    let (offset, size) = section.file_range(endian)?;
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    (end <= data.len()).then_some(start..end)
}

/// An ELF file.
#[derive(Clone, Debug)]
pub struct Object<'d> {
    /// The machine's number in ELF; 190 is NVIDIA's.
    pub machine: u16,
    /// The architecture: `sm_80`, `riscv64`.
    pub arch: String,
    /// The version of the ABI; 7 and 8 of cubins.
    pub abi: u8,
    /// True if it is still to be linked.
    pub is_relocatable: bool,
    /// The sections that hold code, in the order of the file.
    pub sections: Vec<Code<'d>>,
    debug_line: Option<DebugLine<'d>>,
}

/// A section that holds code.
#[derive(Clone, Debug)]
pub struct Code<'d> {
    /// Its number in the file.
    pub index: usize,
    /// Its name.
    pub name: Cow<'d, str>,
    /// The address in memory; 0 in cubins.
    pub address: u64,
    /// The offset in the file.
    pub offset: usize,
    /// Its bytes.
    pub data: Cow<'d, [u8]>,
    /// Its functions, by their addresses.
    pub functions: Vec<Function<'d>>,
    /// Its relocations, by offset.
    pub relocations: Vec<Relocation<'d>>,
    /// The resources that its kernel needs, in a cubin.
    pub resources: Option<Resources>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function<'d> {
    /// Its name.
    pub name: Cow<'d, str>,
    /// Bytes from the beginning of its section.
    pub offset: u64,
    /// Its bytes; 0 if they are not in the file.
    pub size: u64,
    /// The kind of the function.
    pub kind: FunctionKind,
}

/// The kind of function that a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// A kernel, which a host starts.
    Kernel,
    /// A function that other files can call.
    Global,
    /// A function of this file.
    Local,
    /// A place in code without a type, as assemblers produce it.
    Label,
}

/// A relocation: a value that a linker writes at a place of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation<'d> {
    /// Bytes from the beginning of the section.
    pub offset: u64,
    /// Its kind as the machine numbers it.
    pub kind: u32,
    /// The name of the kind, if it has one here.
    pub kind_name: Option<&'static str>,
    /// The operand of the instruction that it applies to, if that is known.
    pub operand: Option<relocation::Operand>,
    /// The symbol that it refers to; empty if there is none.
    pub symbol: Cow<'d, str>,
    /// Added to the symbol's value.
    pub addend: i64,
}

impl<'d> Object<'d> {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// If it is damaged: a table or a name is outside of the file.
    pub fn parse(data: &'d [u8]) -> Result<Self, Error> {
        if is_64(data) { parse::<FileHeader64<Endianness>>(data) } else { parse::<FileHeader32<Endianness>>(data) }
    }

    /// The lines of the source that instructions come from; an empty table if the file has none.
    pub fn lines(&self) -> LineTable {
        self.debug_line.as_ref().map(DebugLine::table).unwrap_or_default()
    }

    /// The same with copies of its parts of the file.
    #[must_use]
    pub fn into_owned(self) -> Object<'static> {
        let Self { machine, arch, abi, is_relocatable, sections, debug_line } = self;
        let sections = sections.into_iter().map(Code::into_owned).collect();
        Object { machine, arch, abi, is_relocatable, sections, debug_line: debug_line.map(DebugLine::into_owned) }
    }
}

impl Code<'_> {
    fn into_owned(self) -> Code<'static> {
        let Self { index, name, address, offset, data, functions, relocations, resources } = self;
        Code {
            index,
            name: name.into_owned().into(),
            address,
            offset,
            data: data.into_owned().into(),
            functions: functions.into_iter().map(Function::into_owned).collect(),
            relocations: relocations.into_iter().map(Relocation::into_owned).collect(),
            resources,
        }
    }
}

impl Function<'_> {
    fn into_owned(self) -> Function<'static> {
        let Self { name, offset, size, kind } = self;
        Function { name: name.into_owned().into(), offset, size, kind }
    }
}

impl Relocation<'_> {
    fn into_owned(self) -> Relocation<'static> {
        let Self { offset, kind, kind_name, operand, symbol, addend } = self;
        Relocation { offset, kind, kind_name, operand, symbol: symbol.into_owned().into(), addend }
    }
}

fn parse<'d, Elf: FileHeader<Endian = Endianness>>(data: &'d [u8]) -> Result<Object<'d>, Error> {
    let head = Head::read(data)?;
    let file = Elf::parse(data)?;
    let endian = file.endian()?;
    let sections = file.sections(endian, data)?;
    let mut budget = Budget::new(data);
    let mut symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    if symbols.is_empty() {
        symbols = sections.symbols(endian, data, elf::SHT_DYNSYM)?;
    }
    let mut code = Vec::new();
    let mut numbers = vec![None; sections.len()];
    for (index, section) in sections.enumerate() {
        let is_code = section.sh_type(endian) == elf::SHT_PROGBITS && section.sh_flags(endian).0 & elf::SHF_EXECINSTR.0 != 0;
        if !is_code {
            continue;
        }
        let name = budget.text(sections.section_name(endian, section)?)?;
        let place =
            place::<Elf>(section, endian, data).ok_or_else(|| Error::new(format!("section {name} is outside of the file")))?;
        numbers[index.0] = Some(code.len());
        code.push(Code {
            index: index.0,
            name,
            address: section.sh_addr(endian).into(),
            offset: place.start,
            data: budget.bytes(&data[place])?.into(),
            functions: Vec::new(),
            relocations: Vec::new(),
            resources: None,
        });
    }
    let reader = Reader::<Elf> { data, endian, sections, symbols, numbers };
    reader.functions(&mut code, &head, &mut budget)?;
    reader.relocations(&mut code, &head, &mut budget)?;
    if head.machine == arch::CUDA {
        reader.resources(&mut code, &mut budget)?;
    }
    for section in &mut code {
        section.functions.sort_by(|a, b| (a.offset, b.size, &a.name).cmp(&(b.offset, a.size, &b.name)));
        section.relocations.sort_by_key(|relocation| relocation.offset);
    }
    let debug_line = reader.debug_line(&code, &mut budget)?;
    let Head { machine, abi, is_relocatable, .. } = head;
    Ok(Object { machine, arch: head.arch(data), abi, is_relocatable, sections: code, debug_line })
}

/// The limits of a file. Sections and names of a damaged file can overlap, so that they are longer than the file.
pub(crate) struct Budget {
    names: usize,
    bytes: usize,
}

impl Budget {
    pub(crate) fn new(data: &[u8]) -> Self {
        Self { names: data.len().saturating_mul(NAMES).saturating_add(NAMES_SLACK), bytes: data.len() }
    }

    pub(crate) fn text<'d>(&mut self, name: &'d [u8]) -> Result<Cow<'d, str>, Error> {
        self.names = self.names.checked_sub(name.len()).ok_or_else(|| Error::new("its names are longer than the file"))?;
        Ok(String::from_utf8_lossy(name))
    }

    pub(crate) fn bytes<'d>(&mut self, data: &'d [u8]) -> Result<&'d [u8], Error> {
        self.bytes = self.bytes.checked_sub(data.len()).ok_or_else(|| Error::new("its sections are longer than the file"))?;
        Ok(data)
    }
}

/// An entry of a relocation section: the section that it applies to, offset, kind, symbol, addend.
type Entry = (usize, u64, u32, u32, i64);

/// The tables of an ELF file.
struct Reader<'d, Elf: FileHeader<Endian = Endianness>> {
    data: &'d [u8],
    endian: Endianness,
    sections: SectionTable<'d, Elf>,
    symbols: SymbolTable<'d, Elf>,
    /// The number of each section among those with code.
    numbers: Vec<Option<usize>>,
}

impl<'d, Elf: FileHeader<Endian = Endianness>> Reader<'d, Elf> {
    /// The number of a section among those with code.
    fn number(&self, index: usize) -> Option<usize> {
        *self.numbers.get(index)?
    }

    fn functions(&self, code: &mut [Code<'d>], head: &Head, budget: &mut Budget) -> Result<(), Error> {
        let endian = self.endian;
        for (index, symbol) in self.symbols.enumerate() {
            let Ok(Some(section)) = self.symbols.symbol_section(endian, symbol, index) else { continue };
            let kind = match symbol.st_type() {
                elf::STT_FUNC if head.machine == arch::CUDA && symbol.st_other().0 & CUDA_ENTRY != 0 => FunctionKind::Kernel,
                elf::STT_FUNC if symbol.st_bind() == elf::STB_LOCAL => FunctionKind::Local,
                elf::STT_FUNC => FunctionKind::Global,
                elf::STT_NOTYPE => FunctionKind::Label,
                _ => continue,
            };
            let Some(section) = self.number(section.0).and_then(|number| code.get_mut(number)) else { continue };
            let value: u64 = symbol.st_value(endian).into();
            let start = if head.is_relocatable { 0 } else { section.address };
            let Some(offset) = value.checked_sub(start).filter(|offset| *offset < section.data.len() as u64) else { continue };
            let name = budget.text(self.symbols.symbol_name(endian, symbol)?)?;
            // RISC-V's tools mark code with `$x`.
            if name.is_empty() || kind == FunctionKind::Label && name.starts_with('$') {
                continue;
            }
            section.functions.push(Function { name, offset, size: symbol.st_size(endian).into(), kind });
        }
        Ok(())
    }

    /// The name of a symbol; for a section's symbol the name of the section; empty for number 0, which means none.
    fn symbol_name(&self, index: u32, budget: &mut Budget) -> Result<Cow<'d, str>, Error> {
        if index == 0 {
            return Ok(Cow::Borrowed(""));
        }
        let index = object::SymbolIndex(index as usize);
        let symbol = self.symbols.symbol(index)?;
        let mut name = self.symbols.symbol_name(self.endian, symbol)?;
        if name.is_empty()
            && let Some(section) = self.symbols.symbol_section(self.endian, symbol, index)?
        {
            name = self.sections.section_name(self.endian, self.sections.section(section)?)?;
        }
        budget.text(name)
    }

    fn relocations(&self, code: &mut [Code<'d>], head: &Head, budget: &mut Budget) -> Result<(), Error> {
        for (target, offset, kind, symbol, addend) in self.entries(|index| self.number(index).is_some(), budget)? {
            let Some(section) = self.number(target).and_then(|number| code.get_mut(number)) else { continue };
            let start = if head.is_relocatable { 0 } else { section.address };
            section.relocations.push(Relocation {
                offset: offset.wrapping_sub(start),
                kind,
                kind_name: relocation::name(head.machine, kind),
                operand: relocation::operand(head.machine, kind),
                symbol: self.symbol_name(symbol, budget)?,
                addend,
            });
        }
        Ok(())
    }

    /// The entries of the relocation sections that apply to these sections.
    fn entries(&self, is_wanted: impl Fn(usize) -> bool, budget: &mut Budget) -> Result<Vec<Entry>, Error> {
        let (endian, data) = (self.endian, self.data);
        let mut entries = Vec::new();
        for section in self.sections.iter() {
            let target = section.sh_info(endian) as usize;
            if ![elf::SHT_REL, elf::SHT_RELA].contains(&section.sh_type(endian)) || !is_wanted(target) {
                continue;
            }
            if let Some(place) = place::<Elf>(section, endian, data) {
                budget.bytes(&data[place])?;
            }
            if let Some((rels, _)) = section.rel(endian, data)? {
                let entry = |rel: &Elf::Rel| (target, rel.r_offset(endian).into(), rel.r_type(endian).0, rel.r_sym(endian), 0);
                entries.extend(rels.iter().map(entry));
            }
            if let Some((relas, _)) = section.rela(endian, data)? {
                let entry = |rela: &Elf::Rela| {
                    let addend = rela.r_addend(endian).into();
                    (target, rela.r_offset(endian).into(), rela.r_type(endian, false).0, rela.r_sym(endian, false), addend)
                };
                entries.extend(relas.iter().map(entry));
            }
        }
        Ok(entries)
    }

    /// Reads a cubin's information about its kernels.
    fn resources(&self, code: &mut [Code<'d>], budget: &mut Budget) -> Result<(), Error> {
        let endian = self.endian;
        for section in code.iter_mut() {
            let header = self.sections.section(SectionIndex(section.index))?;
            let info = header.sh_info(endian);
            let is_kernel = section.functions.iter().any(|function| function.kind == FunctionKind::Kernel);
            let registers = Some(info >> 24).filter(|registers| *registers > 0);
            // Before ABI 8 the flags of the section have the barriers.
            let barriers = (header.sh_flags(endian).0 >> 20 & 0x1f) as u32;
            section.resources = is_kernel.then(|| Resources { registers, barriers, min_stack: Some(0), ..Resources::default() });
        }
        let kernels: std::collections::HashMap<String, usize> = code
            .iter()
            .enumerate()
            .filter(|(_, section)| section.resources.is_some())
            .filter_map(|(number, section)| Some((section.name.strip_prefix(".text.")?.to_owned(), number)))
            .collect();
        for section in self.sections.iter() {
            let name = budget.text(self.sections.section_name(endian, section)?)?;
            let bytes = place::<Elf>(section, endian, self.data).map_or(&[][..], |place| &self.data[place]);
            let of = |prefix: &str| name.strip_prefix(prefix).and_then(|kernel| kernels.get(kernel)).copied();
            if name == ".nv.info" {
                nv_info::of_file(budget.bytes(bytes)?, |symbol, add| {
                    let index = object::SymbolIndex(symbol as usize);
                    if let Ok(symbol) = self.symbols.symbol(index)
                        && let Ok(Some(section)) = self.symbols.symbol_section(endian, symbol, index)
                        && symbol.st_other().0 & CUDA_ENTRY != 0
                        && let Some(resources) = self.number(section.0).and_then(|n| code.get_mut(n)?.resources.as_mut())
                    {
                        add(resources);
                    }
                });
            } else if let Some(resources) = of(".nv.info.").and_then(|number| code[number].resources.as_mut()) {
                nv_info::of_kernel(budget.bytes(bytes)?, resources);
            } else if let Some(resources) = of(".nv.shared.").and_then(|number| code[number].resources.as_mut()) {
                resources.shared = section.sh_size(endian).into();
            } else if let Some(rest) = name.strip_prefix(".nv.constant")
                && let Some((bank, kernel)) = rest.split_once('.')
                && let (Ok(bank), Some(number)) = (bank.parse(), kernels.get(kernel))
                && let Some(resources) = code[*number].resources.as_mut()
            {
                resources.constants.push((bank, section.sh_size(endian).into()));
            }
        }
        Ok(())
    }

    /// The line table, with relocations applied.
    fn debug_line(&self, code: &[Code<'d>], budget: &mut Budget) -> Result<Option<DebugLine<'d>>, Error> {
        let endian = self.endian;
        let named = |name: &[u8]| self.sections.section_by_name(endian, name);
        let bytes =
            |section: &Elf::SectionHeader| place::<Elf>(section, endian, self.data).map_or(&[][..], |place| &self.data[place]);
        let Some((index, section)) = named(b".debug_line") else { return Ok(None) };
        let mut addresses = Vec::new();
        for (_, offset, _, symbol, addend) in self.entries(|target| target == index.0, budget)? {
            let index = object::SymbolIndex(symbol as usize);
            if let Ok(symbol) = self.symbols.symbol(index)
                && let Ok(Some(section)) = self.symbols.symbol_section(endian, symbol, index)
                && self.number(section.0).is_some()
            {
                let value: u64 = symbol.st_value(endian).into();
                addresses.push((offset, section.0, value.wrapping_add_signed(addend)));
            }
        }
        addresses.sort_unstable();
        let strings = named(b".debug_line_str").map_or(&[][..], |(_, section)| bytes(section));
        let mut sections: Vec<_> = code.iter().map(|code| (code.address, code.data.len() as u64, code.index)).collect();
        sections.sort_unstable();
        Ok(Some(DebugLine {
            data: bytes(section).into(),
            strings: strings.into(),
            addresses,
            sections,
            is_little: endian.is_little_endian(),
        }))
    }
}
