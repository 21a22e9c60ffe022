//! A cubin as a driver loads it: the contents of memory and of constant banks for its kernels, and the symbols of places there.

use crate::elf::{Budget, Head, Relocation, is_64, place};
use crate::{Error, arch, relocation};
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, Rel as _, Rela as _, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex};
use std::borrow::Cow;

/// The loaded parts of a cubin besides its code.
#[derive(Clone, Debug, Default)]
pub struct Module<'d> {
    /// The sections in memory or in constant banks, in the order of the file.
    pub sections: Vec<Data<'d>>,
    /// Symbols with a name and a place, global ones first.
    pub symbols: Vec<DataSymbol<'d>>,
}

/// A section without code.
#[derive(Clone, Debug)]
pub struct Data<'d> {
    /// Its number in the file.
    pub index: usize,
    /// Its name: `.nv.constant3`, `.nv.global.init`, `.nv.shared.kernel`.
    pub name: Cow<'d, str>,
    /// Its bytes; empty if they are zeros.
    pub bytes: Cow<'d, [u8]>,
    /// The number of its bytes in memory.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub align: u64,
    /// Its relocations, by offset.
    pub relocations: Vec<Relocation<'d>>,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSymbol<'d> {
    /// Its name.
    pub name: Cow<'d, str>,
    /// The number of its section in the file; `None` if it is defined elsewhere.
    pub section: Option<usize>,
    /// Bytes from the beginning of the section.
    pub value: u64,
    /// Its bytes; 0 if they are not in the file.
    pub size: u64,
    /// It is visible to other files.
    pub is_global: bool,
}

impl<'d> Module<'d> {
    /// Reads the loaded parts of a cubin.
    ///
    /// # Errors
    /// If it is damaged, or not a cubin.
    pub fn parse(data: &'d [u8]) -> Result<Self, Error> {
        let head = Head::read(data)?;
        if head.machine != arch::CUDA {
            return Err(Error::new(format!("its code is of machine {}, and a cubin is of {}", head.machine, arch::CUDA)));
        }
        if is_64(data) { parse::<FileHeader64<Endianness>>(data) } else { parse::<FileHeader32<Endianness>>(data) }
    }

    /// The symbol with a name.
    pub fn symbol(&self, name: &str) -> Option<&DataSymbol<'d>> {
        self.symbols.iter().find(|symbol| symbol.name == name)
    }

    /// The section with a number.
    pub fn section(&self, index: usize) -> Option<&Data<'d>> {
        self.sections.iter().find(|section| section.index == index)
    }
}

fn parse<'d, Elf: FileHeader<Endian = Endianness>>(data: &'d [u8]) -> Result<Module<'d>, Error> {
    let file = Elf::parse(data)?;
    let endian = file.endian()?;
    let sections = file.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let mut budget = Budget::new(data);
    let mut module = Module::default();
    for (index, section) in sections.enumerate() {
        let flags = section.sh_flags(endian).0;
        let kind = section.sh_type(endian);
        let is_data = kind == elf::SHT_PROGBITS || kind == elf::SHT_NOBITS;
        let name = budget.text(sections.section_name(endian, section)?)?;
        // Banks have types of their own; loaded data is allocated, and not code.
        let is_loaded = flags & elf::SHF_ALLOC.0 != 0 && flags & elf::SHF_EXECINSTR.0 == 0;
        if !is_loaded || !(is_data || name.starts_with(".nv.constant")) {
            continue;
        }
        let bytes = match place::<Elf>(section, endian, data) {
            _ if kind == elf::SHT_NOBITS => &[][..],
            Some(place) => budget.bytes(&data[place])?,
            None => return Err(Error::new(format!("section {name} is outside of the file"))),
        };
        let align: u64 = section.sh_addralign(endian).into();
        let align = if align.is_power_of_two() { align } else { 1 };
        let (size, relocations) = (section.sh_size(endian).into(), Vec::new());
        module.sections.push(Data { index: index.0, name, bytes: bytes.into(), size, align, relocations });
    }
    for (index, symbol) in symbols.enumerate().filter(|(index, _)| index.0 != 0) {
        let name = symbols.symbol_name(endian, symbol)?;
        let section: Option<SectionIndex> = symbols.symbol_section(endian, symbol, index)?;
        if name.is_empty() {
            continue;
        }
        module.symbols.push(DataSymbol {
            name: budget.text(name)?,
            section: section.map(|section| section.0),
            value: symbol.st_value(endian).into(),
            size: symbol.st_size(endian).into(),
            is_global: symbol.st_bind() != elf::STB_LOCAL,
        });
    }
    module.symbols.sort_by_key(|symbol| !symbol.is_global);
    for section in sections.iter() {
        let target = section.sh_info(endian) as usize;
        let Some(of) = module.sections.iter_mut().find(|of| of.index == target) else { continue };
        let mut add = |offset: u64, kind: u32, symbol: u32, addend: i64| -> Result<(), Error> {
            let index = object::SymbolIndex(symbol as usize);
            let mut name = symbols.symbol_name(endian, symbols.symbol(index)?)?;
            if name.is_empty()
                && let Some(section) = symbols.symbol_section(endian, symbols.symbol(index)?, index)?
            {
                name = sections.section_name(endian, sections.section(section)?)?;
            }
            of.relocations.push(Relocation {
                offset,
                kind,
                kind_name: relocation::name(arch::CUDA, kind),
                operand: None,
                symbol: budget.text(name)?,
                addend,
            });
            Ok(())
        };
        if let Some((rels, _)) = section.rel(endian, data)? {
            for rel in rels {
                add(rel.r_offset(endian).into(), rel.r_type(endian).0, rel.r_sym(endian), 0)?;
            }
        }
        if let Some((relas, _)) = section.rela(endian, data)? {
            for rela in relas {
                let (kind, symbol) = (rela.r_type(endian, false).0, rela.r_sym(endian, false));
                add(rela.r_offset(endian).into(), kind, symbol, rela.r_addend(endian).into())?;
            }
        }
    }
    Ok(module)
}
