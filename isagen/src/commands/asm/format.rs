//! The files that a program is written to.

use crate::output::Reporter;
use clap::ValueEnum as _;
use isa_asm::{Program, output};
use isa_engine::Codec;
use isa_stream::Stop;
use isa_stream::replace_with;
use std::io::{self, Write};
use std::path::Path;

/// The format of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The words in hexadecimal, one a line.
    Hex,
    /// The bytes from the lowest address on; gaps are filled.
    Bin,
    /// Intel HEX.
    Ihex,
    /// Motorola S-records.
    Srec,
    /// The format of `$readmemh`, by bytes.
    Mem8,
    /// The format of `$readmemh`, by 16 bits.
    Mem16,
    /// The format of `$readmemh`, by 32 bits.
    Mem32,
    /// An executable ELF file.
    Elf,
    /// An ELF file for a linker.
    Object,
}

/// The extensions of files, with the format of each.
const ENDINGS: [(&str, Format); 13] = [
    ("hex", Format::Hex),
    ("txt", Format::Hex),
    ("bin", Format::Bin),
    ("ihex", Format::Ihex),
    ("ihx", Format::Ihex),
    ("srec", Format::Srec),
    ("s19", Format::Srec),
    ("s28", Format::Srec),
    ("s37", Format::Srec),
    ("mot", Format::Srec),
    ("mem", Format::Mem8),
    ("elf", Format::Elf),
    ("o", Format::Object),
];

impl Format {
    /// The format requested, or that of the file's extension; words in hexadecimal on standard output.
    pub(super) fn of(asked: Option<Self>, file: Option<&Path>) -> Result<Self, Stop> {
        let file = file.filter(|file| asked.is_none() && !is_stdout(file));
        let Some(file) = file else { return Ok(asked.unwrap_or(Self::Hex)) };
        let ending = file.extension().and_then(|ending| ending.to_str());
        let known = ENDINGS.iter().find(|(own, _)| ending.is_some_and(|ending| own.eq_ignore_ascii_case(ending)));
        known.map(|(_, format)| *format).ok_or_else(|| {
            let message = match ending {
                Some(ending) => format!("{}: the ending `.{ending}` names no format", file.display()),
                None => format!("{}: there is no ending that names a format", file.display()),
            };
            let endings: Vec<String> = ENDINGS.iter().map(|(own, _)| format!(".{own}")).collect();
            let formats: Vec<String> =
                Self::value_variants().iter().filter_map(|own| Some(own.to_possible_value()?.get_name().to_owned())).collect();
            Stop::with_help(message, format!("these do: {}; or `--format` names it: {}", endings.join(" "), formats.join(", ")))
        })
    }
}

/// The name of standard output in the place of a file.
const STDOUT: &str = "-";

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == STDOUT
}

/// Replaces the contents of a file, or writes to standard output.
fn put(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
    if !is_stdout(path) {
        return replace_with(path, |file| {
            let mut out = io::BufWriter::new(file);
            write(&mut out)?;
            out.flush()
        })
        .map_err(|error| Stop::file(path, &error));
    }
    // Bytes are written unescaped.
    let mut out = io::stdout().lock();
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// The files that are written.
pub(crate) struct Files<'a> {
    pub(super) output: Option<&'a Path>,
    pub(super) format: Format,
    pub(super) listing: Option<&'a Path>,
    pub(super) symbols: Option<&'a Path>,
    pub(super) map: Option<&'a Path>,
    pub(super) fill: u8,
}

impl Files<'_> {
    /// No files: lines go to standard output.
    pub(crate) fn none() -> Self {
        Self { output: None, format: Format::Hex, listing: None, symbols: None, map: None, fill: 0 }
    }

    /// True if the whole program is needed before anything is written.
    pub(super) fn wants_all(&self) -> bool {
        self.output.is_some() || self.format != Format::Hex || [self.listing, self.symbols, self.map].iter().any(Option::is_some)
    }

    /// Writes the listing, which shows errors as well.
    pub(super) fn write_listing(&self, program: &Program) -> Result<(), Stop> {
        let write = |path: &Path, text: String| put(path, |out| out.write_all(text.as_bytes()));
        self.listing.map_or(Ok(()), |path| write(path, output::listing(program)))?;
        self.symbols.map_or(Ok(()), |path| write(path, output::symbols(program)))?;
        self.map.map_or(Ok(()), |path| write(path, output::map(program)))
    }

    /// Writes the program; returns false if it does not fit its format, after reporting that.
    pub(super) fn write(
        &self,
        program: &Program,
        codec: &dyn Codec,
        reporter: &Reporter,
        words: impl FnOnce(&mut dyn Write) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let path = self.output.unwrap_or(Path::new(STDOUT));
        let machine = codec.objects().map_or(0, |objects| objects.elf_machine);
        let bytes = match self.format {
            Format::Hex => {
                let mut bytes = Vec::new();
                words(&mut bytes)?;
                Ok(bytes)
            }
            Format::Bin => match output::stretches(program, self.fill) {
                Ok(stretches) => {
                    put(path, |out| stretches.iter().try_for_each(|stretch| stretch.write(out)))?;
                    return Ok(true);
                }
                Err(message) => Err(message),
            },
            Format::Ihex => output::ihex(program).map(String::into_bytes),
            Format::Srec => output::srec(program).map(String::into_bytes),
            Format::Mem8 => output::mem(program, 1, self.fill).map(String::into_bytes),
            Format::Mem16 => output::mem(program, 2, self.fill).map(String::into_bytes),
            Format::Mem32 => output::mem(program, 4, self.fill).map(String::into_bytes),
            Format::Elf => output::elf(program, machine, false),
            Format::Object => output::elf(program, machine, true),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(message) => {
                reporter.fault("format", &message, None);
                return Ok(false);
            }
        };
        put(path, |out| out.write_all(&bytes))?;
        Ok(true)
    }
}

/// `NAME=VALUE`, or `NAME`.
pub(super) fn parse_define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    if name.is_empty() { Err("expected NAME=VALUE".to_owned()) } else { Ok((name.to_owned(), value.to_owned())) }
}

/// `NAME=ADDRESS`.
pub(super) fn parse_section(text: &str) -> Result<(String, u64), String> {
    let (name, address) = text.split_once('=').ok_or("expected NAME=ADDRESS")?;
    Ok((name.to_owned(), isa_host::launch::parse_number(address)?))
}

/// A number of eight bits.
pub(super) fn parse_byte(text: &str) -> Result<u8, String> {
    let number = isa_host::launch::parse_number(text)?;
    u8::try_from(number).map_err(|_| "a byte is at most 255".to_owned())
}
