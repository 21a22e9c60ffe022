//! A program: an ELF file, the bytes of memory, or words.

use crate::commands::asm;
use crate::object;
use crate::output::Reporter;
use crate::spec;
use isa_asm::{Options, PieceKind};
use isa_engine::Sized;
use isa_object::{CUDA, Executable};
use isa_reference::codec::{Codec, Object, object_files};
use isa_sim::Placed;
use isa_spec::model::Isa;
use isa_stream::{Content, Input, Stop, WordReader, no_base, read_bytes};
use std::path::Path;

/// The words of the longest program.
const MAX_PROGRAM: usize = 1 << 21;
/// The bytes of data in the longest program of words.
const MAX_DATA: usize = 1 << 24;
/// The bytes of the largest ELF file.
const MAX_FILE: u64 = 1 << 30;

/// A program.
pub(super) enum Program<'d> {
    /// Words by address, and bytes of data between them.
    Words(Words),
    /// The bytes of memory from an address on, code and data.
    Image(u64, Vec<u8>),
    /// An ELF file.
    Elf(Executable<'d>),
}

/// The words of a program.
#[derive(Default)]
pub(super) struct Words {
    pub(super) words: Vec<Placed>,
    /// Consecutive bytes, by the address of the first. There are none unless the code is in memory.
    pub(super) data: Vec<(u64, Vec<u8>)>,
    /// The symbols of a program in assembly, with their values.
    pub(super) symbols: Vec<(String, u64)>,
}

/// True if a file is assembly, by its ending.
pub(super) fn is_assembly(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["asm", "s"].iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// The ELF file of a program in assembly, for a machine that has its code in memory, and whether it defines its start; `None` if
/// it has faults, which are reported.
pub(super) fn assembled(isa: &Isa, path: &Path, reporter: &Reporter) -> Result<Option<(Vec<u8>, bool)>, Stop> {
    let reference = Codec::new(isa);
    let codec = Object::new(&reference);
    let mut program = asm::read(&codec, Some(path), &Options::default())?;
    program.is_64 = isa.machine.pc > 32;
    if asm::report(&program, reporter) {
        return Ok(None);
    }
    let has_start = program.symbols.iter().any(|symbol| symbol.is_defined && &*symbol.name == "_start");
    let machine = object_files(isa).map_or(0, |of| of.elf_machine);
    let bytes = isa_asm::output::elf(&program, machine, false);
    bytes.map(|bytes| Some((bytes, has_start))).map_err(|why| Stop::new(format!("{}: {why}", path.display())))
}

/// True if the code of an instruction set is in memory.
pub(super) fn has_code_in_memory(isa: &Isa) -> bool {
    isa.machine.spaces.iter().any(|space| space.program)
}

/// The bytes of a program's file, if it is an ELF file.
pub(super) fn elf(path: &Path) -> Result<Option<Vec<u8>>, Stop> {
    object::is_object(path).then(|| read_bytes(path, MAX_FILE)).transpose()
}

/// The shipped instruction set of an ELF file.
pub(super) fn spec_of(path: &Path, bytes: &[u8]) -> Result<String, Stop> {
    let program = executable(path, bytes)?;
    spec::shipped_for(program.machine, &program.arch).map(str::to_owned).ok_or_else(|| {
        let message =
            format!("{}: no shipped instruction set is that of {} (machine {})", path.display(), program.arch, program.machine);
        Stop::with_help(message, format!("`isagen run SPEC {}`", path.display()))
    })
}

fn executable<'d>(path: &Path, bytes: &'d [u8]) -> Result<Executable<'d>, Stop> {
    Executable::parse(bytes).map_err(|why| {
        let (file, message) = (path.display(), format!("{}: {why}", path.display()));
        let is_cubin = isa_object::contents(bytes).entries.iter().any(|entry| entry.machine == Some(CUDA));
        if is_cubin { Stop::with_help(message, format!("`isagen run {file} --launch FILE.json`")) } else { Stop::new(message) }
    })
}

impl<'d> Program<'d> {
    /// The symbols, with their values.
    pub(super) fn symbols(&self) -> Vec<(&str, u64)> {
        match self {
            Self::Words(words) => words.symbols.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            Self::Image(..) => Vec::new(),
            Self::Elf(program) => program.symbols().iter().map(|symbol| (&*symbol.name, symbol.address)).collect(),
        }
    }

    /// Reads a program from the bytes of an ELF file or from its path; `None` if some words are invalid, which is reported.
    /// `base` is the address of the first byte of a raw stream, if it was requested.
    pub(super) fn read(
        isa: &Isa,
        path: &Path,
        elf: Option<&'d [u8]>,
        base: Option<u64>,
        reporter: &Reporter,
    ) -> Result<Option<Self>, Stop> {
        if base.is_some() && (elf.is_some() || is_assembly(path)) {
            return Err(no_base());
        }
        if let Some(bytes) = elf {
            let program = executable(path, bytes)?;
            if let Some(of) = object_files(isa)
                && of.elf_machine != program.machine
            {
                let (file, machine, own) = (path.display(), program.machine, of.elf_machine);
                return Err(Stop::new(format!("{file}: its code is of machine {machine}, and {} is {own}", isa.name)));
            }
            return Ok(Some(Self::Elf(program)));
        }
        if has_code_in_memory(isa) && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bin")) {
            let base = base.unwrap_or_else(|| isa.assembly.text_start());
            return Ok(Some(Self::Image(base, read_bytes(path, MAX_FILE)?)));
        }
        Ok(words(isa, path, base, reporter)?.map(Self::Words))
    }
}

/// The words of a program; `None` if some are invalid, which is reported.
fn words(isa: &Isa, path: &Path, base: Option<u64>, reporter: &Reporter) -> Result<Option<Words>, Stop> {
    let reference = Codec::new(isa);
    let codec = Object::new(&reference);
    let name = path.display();
    let (Words { mut words, mut data, mut symbols }, mut bytes) = (Words::default(), 0);
    let mut failed = false;
    let add = |words: &mut Vec<Placed>, placed: Placed| {
        words.push(placed);
        if words.len() > MAX_PROGRAM {
            let message = format!("{name}: more than {MAX_PROGRAM} words, the maximum of a program");
            return Err(Stop::new(message));
        }
        Ok(())
    };
    if is_assembly(path) {
        let program = asm::read(&codec, Some(path), &Options::default())?;
        failed = asm::report(&program, reporter);
        let units = isa_engine::Codec::shape(&codec).units;
        for piece in program.pieces() {
            match piece.kind {
                PieceKind::Word { form, .. } => {
                    let bits = isa.forms[form].length;
                    add(&mut words, Placed { address: piece.address, word: units.read(piece.bytes), bits })?;
                }
                PieceKind::Data(_) if !failed => {
                    return Err(no_room(isa, format!("{name}:{}: data is beside code", piece.line)));
                }
                _ => {}
            }
        }
        let defined = program.symbols.iter().filter(|symbol| symbol.is_defined);
        symbols.extend(defined.map(|symbol| (symbol.name.to_string(), symbol.value)));
    } else {
        let mut reader = WordReader::new(Input::open(Some(path))?, &codec)?.with_base(base)?;
        while let Some(item) = reader.next_word()? {
            match item.content {
                Ok(Content::Word(Sized { word, bits })) => add(&mut words, Placed { address: item.address, word, bits })?,
                Ok(Content::Byte(_)) if bytes == MAX_DATA => {
                    return Err(Stop::new(format!("{name}: more than {MAX_DATA} bytes of data, the maximum of a program")));
                }
                Ok(Content::Byte(byte)) if has_code_in_memory(isa) => {
                    bytes += 1;
                    match data.last_mut() {
                        Some((at, run)) if at.wrapping_add(run.len() as u64) == item.address => run.push(byte),
                        _ => data.push((item.address, vec![byte])),
                    }
                }
                Ok(Content::Byte(byte)) => {
                    let message = format!("{name}: `{byte:02x}` at {:#x}: data is beside code", item.address);
                    return Err(no_room(isa, message));
                }
                Err(bad) => {
                    failed = true;
                    let (text, address, reason) = (bad.text, item.address, bad.reason);
                    reporter.fault("word", &format!("{name}: `{text}` at {address:#x}: {reason}"), None);
                }
            }
        }
    }
    Ok((!failed).then_some(Words { words, data, symbols }))
}

/// The end of a run whose program has data, for a machine that has no memory with both.
fn no_room(isa: &Isa, what: String) -> Stop {
    Stop::with_help(format!("{what}, and {} has no memory with both", isa.name), "`--memory SPACE@ADDRESS=FILE` fills memories")
}
