//! ELF files: executables, and object files for a linker.

use crate::{Program, Relocation, RelocationOf};
use object::Endianness;
use object::elf;
use object::write::elf::{FileHeader, ProgramHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer};

/// The page size for mapping files.
const PAGE: u64 = 4096;

/// The ELF file of a program, for a machine by its number: an executable, or with `relocatable` an object file.
///
/// # Errors
/// When the program does not fit such a file.
pub fn elf(program: &Program, machine: u16, relocatable: bool) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let endian = if program.is_little { Endianness::Little } else { Endianness::Big };
    let mut writer = Writer::new(endian, program.is_64, &mut out);
    let failed = |error: object::write::Error| error.to_string();

    // An empty section is omitted unless a symbol refers to it.
    let is_there = |place: usize| {
        let section = &program.sections[place];
        section.size > 0 || program.symbols.iter().any(|symbol| symbol.section == Some(place))
    };
    let kept: Vec<usize> = (0..program.sections.len()).filter(|place| is_there(*place)).collect();
    let number_of = |place: usize| kept.iter().position(|kept| *kept == place);
    let mut by_section: Vec<Vec<&Relocation>> = vec![Vec::new(); program.sections.len()];
    program.relocations.iter().for_each(|own| by_section[own.section].push(own));
    let relocated: Vec<usize> = kept.iter().copied().filter(|place| !by_section[*place].is_empty()).collect();
    let relocation_names: Vec<Vec<u8>> =
        relocated.iter().map(|place| format!(".rela{}", program.sections[*place].name).into_bytes()).collect();

    writer.reserve_file_header();
    let loaded: Vec<usize> = kept
        .iter()
        .copied()
        .filter(|place| !relocatable && program.sections[*place].is_loaded && program.sections[*place].size > 0)
        .collect();
    writer.reserve_program_headers(loaded.len() as u32);
    writer.reserve_null_section_index();
    // Groups come before their sections.
    let group_of = |place: usize| program.sections[place].group.filter(|_| relocatable);
    let mut groups: Vec<usize> = kept.iter().filter_map(|place| group_of(*place)).collect();
    groups.sort_unstable();
    groups.dedup();
    let group_names: Vec<_> = groups
        .iter()
        .map(|_| {
            let name = writer.add_section_name(b".group");
            writer.reserve_section_index();
            name
        })
        .collect();
    let mut names = Vec::new();
    let mut indices = Vec::new();
    for place in &kept {
        names.push(writer.add_section_name(program.sections[*place].name.as_bytes()));
        indices.push(writer.reserve_section_index());
    }
    let relocation_indices: Vec<_> = relocation_names
        .iter()
        .map(|name| {
            let name = writer.add_section_name(name);
            (name, writer.reserve_section_index())
        })
        .collect();

    // Symbols: those of sections and local ones before global ones.
    let is_global = |symbol: &crate::Symbol| symbol.is_global || symbol.is_weak || !symbol.is_defined;
    let mut is_used = vec![false; program.symbols.len()];
    for own in &program.relocations {
        if let RelocationOf::Symbol(place) = own.of {
            is_used[place] = true;
        }
    }
    groups.iter().for_each(|group| is_used[*group] = true);
    let is_kept = |place: &usize| {
        let symbol = &program.symbols[*place];
        // Generated labels are omitted.
        let is_named = symbol.is_defined && !symbol.name.starts_with(".L") || symbol.is_global || is_used[*place];
        is_named && (symbol.is_defined || relocatable)
    };
    let mut order: Vec<usize> = (0..program.symbols.len()).filter(is_kept).collect();
    order.sort_by_key(|place| is_global(&program.symbols[*place]));
    let locals = 1 + kept.len() + order.iter().filter(|place| !is_global(&program.symbols[**place])).count();
    let strings: Vec<_> = order.iter().map(|place| writer.add_string(program.symbols[*place].name.as_bytes())).collect();
    writer.reserve_null_symbol_index();
    for _ in 0..kept.len() + order.len() {
        writer.reserve_symbol_index(None);
    }
    let symtab = writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();

    let mut offsets = Vec::new();
    for place in &kept {
        let section = &program.sections[*place];
        let align = section.align.clamp(1, 1 << 16);
        let offset = match section.is_empty_in_files {
            true => writer.reserved_len(),
            false if section.is_loaded && !relocatable => {
                // In mapped files, offsets and addresses have equal low bits.
                let next = writer.reserved_len();
                writer.reserve_until(next + (section.address.wrapping_sub(next) & (PAGE - 1)));
                writer.reserve(section.file_size(), 1)
            }
            false => writer.reserve(section.file_size(), align),
        };
        offsets.push(offset);
    }
    let members: Vec<Vec<SectionIndex>> = groups
        .iter()
        .map(|group| {
            let of = |place: &&usize| group_of(**place) == Some(*group);
            let own = kept.iter().zip(&indices).filter(|(place, _)| of(place)).map(|(_, index)| *index);
            let relocations = relocated.iter().zip(&relocation_indices).filter(|(place, _)| of(place)).map(|(_, own)| own.1);
            own.chain(relocations).collect()
        })
        .collect();
    let group_offsets: Vec<u64> = members.iter().map(|members| writer.reserve_comdat(members.len())).collect();
    let counts: Vec<usize> = relocated.iter().map(|place| by_section[*place].len()).collect();
    let relocation_offsets: Vec<u64> = counts.iter().map(|count| writer.reserve_relocations(*count, true)).collect();
    writer.reserve_symtab();
    writer.reserve_strtab().map_err(failed)?;
    writer.reserve_shstrtab().map_err(failed)?;
    writer.reserve_section_headers();

    let entry = program.symbols.iter().find(|symbol| &*symbol.name == "_start" && symbol.is_defined).map(|symbol| symbol.value);
    let code = loaded.iter().map(|place| &program.sections[*place]).filter(|section| section.is_code);
    let first = code.map(|section| section.address).min();
    writer
        .write_file_header(&FileHeader {
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            e_type: if relocatable { elf::ET_REL } else { elf::ET_EXEC },
            e_machine: elf::Machine(machine),
            e_entry: if relocatable { 0 } else { entry.or(first).unwrap_or(0) },
            e_flags: elf::FileFlags(program.flags),
        })
        .map_err(failed)?;
    if !loaded.is_empty() {
        writer.write_align_program_headers();
    }
    for place in &loaded {
        let section = &program.sections[*place];
        let offset = number_of(*place).map_or(0, |number| offsets[number]);
        let mut flags = elf::PF_R;
        if section.is_code {
            flags |= elf::PF_X;
        }
        if section.is_written {
            flags |= elf::PF_W;
        }
        writer.write_program_header(&ProgramHeader {
            p_type: elf::PT_LOAD,
            p_flags: flags,
            p_offset: offset,
            p_vaddr: section.address,
            p_paddr: section.address,
            p_filesz: section.file_size(),
            p_memsz: section.size,
            p_align: PAGE,
        });
    }
    for (place, offset) in kept.iter().zip(&offsets) {
        let section = &program.sections[*place];
        if !section.is_empty_in_files {
            writer.pad_until(*offset);
            for (at, bytes) in program.runs(*place) {
                writer.pad_until(*offset + at);
                writer.write(bytes);
            }
            writer.pad_until(*offset + section.size);
        }
    }
    for members in &members {
        writer.write_comdat_header();
        members.iter().for_each(|member| writer.write_comdat_entry(*member));
    }
    let mut numbers = vec![0; program.symbols.len()];
    for (number, place) in order.iter().enumerate() {
        numbers[*place] = (1 + kept.len() + number) as u32;
    }
    let symbol_number = |of: RelocationOf| match of {
        RelocationOf::Section(place) => number_of(place).map_or(0, |number| number as u32 + 1),
        RelocationOf::Symbol(place) => numbers[place],
    };
    for place in &relocated {
        writer.write_align_relocation();
        for own in &by_section[*place] {
            writer.write_relocation(
                true,
                &Rel {
                    r_offset: own.offset,
                    r_sym: symbol_number(own.of),
                    r_type: elf::RelocationType(own.kind),
                    r_addend: own.addend,
                },
            );
        }
    }
    writer.write_null_symbol();
    for index in &indices {
        writer.write_symbol(&symbol(None, elf::STB_LOCAL, elf::STT_SECTION, Some(index), 0, 0));
    }
    for (place, string) in order.iter().zip(&strings) {
        let own = &program.symbols[*place];
        let bind = match (own.is_weak, is_global(own)) {
            (true, _) => elf::STB_WEAK,
            (_, true) => elf::STB_GLOBAL,
            _ => elf::STB_LOCAL,
        };
        let section = own.section.and_then(number_of).and_then(|number| indices.get(number));
        let name = writer.string_offset(Some(*string));
        let mut row = symbol(Some(name), bind, elf::SymbolType(own.kind), section, own.value, own.size);
        row.st_other = elf::SymbolOther(own.visibility);
        if let Some(align) = own.common.filter(|_| !own.is_defined) {
            (row.st_shndx, row.st_value) = (elf::SHN_COMMON, align);
        }
        if own.is_defined && own.section.is_none() {
            row.st_shndx = elf::SHN_ABS;
        }
        writer.write_symbol(&row);
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    for (((group, name), members), offset) in groups.iter().zip(group_names).zip(&members).zip(group_offsets) {
        writer.write_comdat_section_header(name, symtab, SymbolIndex(numbers[*group]), offset, members.len());
    }
    for ((place, name), offset) in kept.iter().zip(&names).zip(&offsets) {
        let section = &program.sections[*place];
        let mut flags = elf::SectionFlags(section.flags);
        if group_of(*place).is_some() {
            flags |= elf::SHF_GROUP;
        }
        if section.is_loaded {
            flags |= elf::SHF_ALLOC;
        }
        if section.is_code {
            flags |= elf::SHF_EXECINSTR;
        }
        if section.is_written {
            flags |= elf::SHF_WRITE;
        }
        writer.write_section_header(&SectionHeader {
            sh_name: writer.section_name_offset(Some(*name)),
            sh_type: match (section.is_empty_in_files, section.kind) {
                (true, _) => elf::SHT_NOBITS,
                (false, kind) => kind.map_or(elf::SHT_PROGBITS, elf::SectionType),
            },
            sh_flags: flags,
            sh_addr: section.address,
            sh_offset: *offset,
            sh_size: section.size,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: section.align,
            sh_entsize: 0,
        });
    }
    for (((place, (name, _)), offset), count) in relocated.iter().zip(&relocation_indices).zip(&relocation_offsets).zip(&counts) {
        let section = number_of(*place).and_then(|number| indices.get(number)).copied().unwrap_or(SectionIndex(0));
        writer.write_relocation_section_header(*name, section, symtab, *offset, *count, true);
    }
    writer.write_symtab_section_header(locals as u32);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(out)
}

fn symbol(
    name: Option<u32>,
    bind: elf::SymbolBind,
    kind: elf::SymbolType,
    section: Option<&SectionIndex>,
    value: u64,
    size: u64,
) -> Sym {
    Sym {
        section: section.map(|index| index.0),
        st_name: name.unwrap_or(0),
        st_info: elf::SymbolInfo::new(bind, kind),
        st_other: elf::SymbolOther(0),
        st_shndx: elf::SHN_UNDEF,
        st_value: value,
        st_size: size,
    }
}
