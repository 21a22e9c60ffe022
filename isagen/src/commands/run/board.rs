//! The surroundings of a core's processor: memory and devices, from the specification, a machine file and options.
//!
//! ```json
//! {
//!   "regions": {
//!     "rom": { "at": "0x1000", "size": "0x1000", "read-only": true },
//!     "ram": { "at": "0x80000000", "size": "0x100000" },
//!     "uart": { "at": "0x10000000", "device": "uart16550", "line": "meip" },
//!     "timer": { "at": "0x2004000", "device": "timer", "line": "mtip", "every": 10 }
//!   },
//!   "files": { "rom": "boot.bin" }
//! }
//! ```
//!
//! Paths are relative to the machine file.

use crate::output::Reporter;
use isa_host::devices::{Console, FurnishError, FurnishErrorKind, furnish};
use isa_host::launch::{parse_number, read_keys};
use isa_sim::{Machine, MachineInfo, RegionInfo};
use isa_spec::diag::Diagnostic;
use isa_spec::keys::{Key, KeyTable, Reader};
use isa_spec::machine::{check_regions, region};
use isa_spec::semantics::machine::Region;
use isa_spec::span::SourceMap;
use isa_spec::yaml::{Node, Text};
use isa_stream::{Stop, read_bytes};
use std::path::Path;

static MACHINE: KeyTable<Declared> = KeyTable::new(
    "a machine file",
    &[&[
        Key::text(
            "space",
            "name of a memory space",
            |d| &mut d.space,
            "The memory space; by default the one that programs are in.",
        ),
        Key::own(
            "regions",
            "mapping of regions",
            |r, d, node, what| d.regions = r.each(node, what, region),
            "What is at which addresses of it, as `regions` of a specification says; it replaces what that says.",
        ),
        Key::pairs(
            "files",
            "mapping of regions to paths",
            |d| &mut d.files,
            "What memory has at the start: the bytes of a file.",
        ),
    ]],
);

/// A machine file as it is parsed.
#[derive(Default)]
struct Declared {
    space: Option<Text>,
    regions: Vec<Region>,
    files: Vec<(Text, Text)>,
}

/// A device of an option: `uart16550@0x10000000,line=meip,every=10`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeviceOption {
    kind: String,
    at: u64,
    line: Option<String>,
    every: u64,
}

pub(super) fn parse_device(text: &str) -> Result<DeviceOption, String> {
    let usage = "it is written KIND@ADDRESS, perhaps with ,line=NAME and ,every=NUMBER behind it";
    let mut parts = text.split(',');
    let (kind, at) = parts.next().and_then(|place| place.split_once('@')).ok_or(usage)?;
    let mut made = DeviceOption { kind: kind.to_owned(), at: parse_number(at)?, line: None, every: 1 };
    for part in parts {
        match part.split_once('=') {
            Some(("line", name)) => made.line = Some(name.to_owned()),
            Some(("every", number)) => made.every = parse_number(number)?.max(1),
            _ => return Err(usage.to_owned()),
        }
    }
    Ok(made)
}

/// The memory and devices of a core in a space, and the files loaded into it.
pub(super) struct Board {
    space: usize,
    regions: Vec<RegionInfo>,
    /// The specification has these regions.
    is_of_spec: bool,
    /// Address and bytes.
    contents: Vec<(u64, Vec<u8>)>,
}

impl Board {
    /// Reads a board from a specification, a machine file and options; `None` if the file has errors, which are reported.
    pub(super) fn read(
        info: &MachineInfo,
        file: Option<&Path>,
        devices: &[DeviceOption],
        reporter: &Reporter,
    ) -> Result<Option<Vec<Self>>, Stop> {
        let own = info.spaces.iter().enumerate().filter(|(_, space)| !space.regions.is_empty());
        let of_spec = |(space, of): (usize, &isa_sim::SpaceInfo)| Self {
            space,
            regions: of.regions.clone(),
            is_of_spec: true,
            contents: Vec::new(),
        };
        let mut boards: Vec<Self> = own.map(of_spec).collect();
        if let Some(path) = file {
            let Some(board) = Self::of_file(info, path, reporter)? else { return Ok(None) };
            boards.retain(|known| known.space != board.space);
            boards.push(board);
        }
        if !devices.is_empty() {
            let space = info.program_space().ok_or_else(|| Stop::new("`--device`: no memory of this machine holds programs"))?;
            let mut regions = Vec::new();
            for device in devices {
                let line = device.line.as_ref().map(|name| line(info, name)).transpose()?;
                regions.push(RegionInfo {
                    name: device.kind.clone(),
                    at: device.at,
                    size: None,
                    read_only: false,
                    device: Some(device.kind.clone()),
                    line,
                    every: device.every,
                });
            }
            boards.push(Self { space, regions, is_of_spec: false, contents: Vec::new() });
        }
        Ok(Some(boards))
    }

    fn of_file(info: &MachineInfo, path: &Path, reporter: &Reporter) -> Result<Option<Self>, Stop> {
        let mut report = |finding: &Diagnostic, files: &SourceMap| reporter.finding(finding, files);
        let read = read_keys(path, &mut report, |node, reader| declared(info, node, reader))?;
        let Some((declared, Some(space))) = read else { return Ok(None) };
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut contents = Vec::new();
        for (name, file) in &declared.files {
            let Some(region) = declared.regions.iter().find(|region| region.name == name.value) else { continue };
            let path = folder.join(&file.value);
            let bytes = read_bytes(&path, region.size.unwrap_or(0))?;
            contents.push((region.at, bytes));
        }
        let lines = || info.lines.iter().map(String::as_str);
        Ok(Some(Self {
            space,
            regions: declared.regions.iter().map(|region| region.info(lines())).collect(),
            is_of_spec: false,
            contents,
        }))
    }

    /// Adds the memory and devices of boards to a machine.
    pub(super) fn furnish(boards: &[Self], machine: &mut Machine<'_>, console: &Console) -> Result<(), Stop> {
        let spaces: Vec<_> = boards.iter().map(|board| (board.space, &*board.regions)).collect();
        furnish(machine, &spaces, console).map_err(|why| match &why {
            FurnishError::Region { region, kind: FurnishErrorKind::NoDevice(_) }
                if boards.iter().any(|board| board.is_of_spec && board.regions.iter().any(|own| own.name == *region)) =>
            {
                let help =
                    "`--machine FILE` describes other regions, with memory in its place; a program in Rust can attach the device";
                Stop::with_help(why.to_string(), help)
            }
            _ => Stop::new(why.to_string()),
        })?;
        for Self { space, contents, .. } in boards {
            for (at, bytes) in contents {
                let pages = machine.memory(*space, 0).ok_or_else(|| Stop::new("the machine has no such memory space"))?;
                pages.poke(*at, bytes).map_err(|_| Stop::new(format!("there is no memory at {at:#x}")))?;
            }
        }
        machine.refetch();
        Ok(())
    }
}

/// A machine file as it is parsed, and the space that it is about.
fn declared(info: &MachineInfo, node: &Node, reader: &mut Reader<'_>) -> (Declared, Option<usize>) {
    let mut declared = Declared::default();
    reader.fill(&MACHINE, &mut declared, node);
    let space = match &declared.space {
        None => info.program_space(),
        Some(name) => info.spaces.iter().position(|space| space.name == name.value),
    };
    match space.and_then(|space| info.spaces.get(space)) {
        Some(of) => {
            let lines: Vec<&str> = info.lines.iter().map(String::as_str).collect();
            check_regions(reader, &lines, (&of.name, of.address, of.size), &declared.regions);
        }
        None => {
            let at = declared.space.as_ref().map_or(node.span, |name| name.span);
            reader.error("machine", "the machine has no such memory space that programs are in", at);
        }
    }
    for (name, _) in &declared.files {
        if !declared.regions.iter().any(|region| region.name == name.value && region.device.is_none()) {
            reader.error("machine", format!("there is no memory `{}`", name.value), name.span);
        }
    }
    (declared, space)
}

fn line(info: &MachineInfo, name: &str) -> Result<usize, Stop> {
    info.lines.iter().position(|line| line == name).ok_or_else(|| {
        let known = if info.lines.is_empty() { "none".to_owned() } else { info.lines.join(", ") };
        Stop::new(format!("the machine has no line `{name}`; it has {known}"))
    })
}
