//! The list of an object file's contents.

use super::{demangled, files, on_one_line};
use crate::json;
use crate::output::{Reporter, count};
use isa_object::{Compression, Contents, Entry, EntryKind, FunctionKind, Object};
use isa_stream::{Stop, out};
use std::io::Write;

/// The number of characters shown of a section's name.
const LONGEST: usize = 60;

/// Prints the contents of a file, of one architecture if one was requested; returns whether a part could not be read.
pub(super) fn print(
    contents: &Contents<'_>,
    arch: Option<&str>,
    (is_json, demangle): (bool, bool),
    file: &str,
    reporter: &Reporter,
) -> Result<bool, Stop> {
    if let Some(arch) = arch {
        files::check_arch(file, arch, &contents.entries)?;
    }
    let mut out = out();
    let mut failed = false;
    for (index, entry) in contents.entries.iter().enumerate().filter(|(_, entry)| arch.is_none_or(|arch| entry.arch == arch)) {
        let functions = match functions(entry) {
            Ok(functions) => functions,
            Err(error) => {
                reporter.fault("object", &format!("{file}: {error}"), None);
                failed = true;
                Vec::new()
            }
        };
        if is_json {
            out.write_all(object(index + 1, entry, &functions).as_bytes())?;
            continue;
        }
        let Entry { part, arch, size, .. } = entry;
        let (kind, compression) = (kind(entry), compression(entry));
        let compression = if compression == "none" { String::new() } else { format!(", {compression}") };
        let part = if part.is_empty() { String::new() } else { format!(": {}", on_one_line(part)) };
        writeln!(out, "{} {arch} {kind}, {}{compression}{part}", index + 1, count(*size as usize, "byte"))?;
        for Found { name, section, offset, size, kind } in &functions {
            let shown = demangled(name).filter(|_| demangle).unwrap_or_else(|| on_one_line(name));
            // The section of a kernel is named after it.
            let is_own = section.strip_prefix(".text.") == Some(name);
            let within = if is_own { String::new() } else { format!(" in {}", cut(&on_one_line(section))) };
            writeln!(out, "    {kind} {shown}{within} at {offset:#x}, {}", count(*size as usize, "byte"))?;
        }
    }
    out.flush()?;
    Ok(failed)
}

/// The beginning of a long name.
fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// A function of a file.
struct Found {
    name: String,
    section: String,
    offset: u64,
    size: u64,
    kind: &'static str,
}

fn functions(entry: &Entry<'_>) -> Result<Vec<Found>, isa_object::Error> {
    if entry.kind != EntryKind::Elf {
        return Ok(Vec::new());
    }
    let data = entry.data()?;
    let object = Object::parse(&data)?;
    let functions = object.sections.iter().flat_map(|section| {
        section.functions.iter().filter(|function| function.kind != FunctionKind::Label).map(|function| Found {
            name: function.name.clone().into_owned(),
            section: section.name.clone().into_owned(),
            offset: function.offset,
            size: function.size,
            kind: match function.kind {
                FunctionKind::Kernel => "kernel",
                FunctionKind::Local => "local",
                FunctionKind::Global | FunctionKind::Label => "function",
            },
        })
    });
    Ok(functions.collect())
}

fn kind(entry: &Entry<'_>) -> String {
    match entry.kind {
        EntryKind::Elf if entry.arch.starts_with("sm_") => "cubin".to_owned(),
        EntryKind::Elf => "ELF file".to_owned(),
        EntryKind::Ptx => "PTX".to_owned(),
        EntryKind::Other(kind) => format!("entry of kind {kind}"),
    }
}

fn compression(entry: &Entry<'_>) -> &'static str {
    match entry.compression {
        Compression::None => "none",
        Compression::Lz4 => "lz4",
        Compression::Zstd => "zstd",
    }
}

fn object(number: usize, entry: &Entry<'_>, functions: &[Found]) -> String {
    let text = |text: &str| json::line(&text);
    let function = |f: &Found| {
        let Found { name, section, offset, size, kind } = f;
        let (name, section) = (text(name), text(section));
        format!("{{\"name\":{name},\"section\":{section},\"offset\":{offset},\"bytes\":{size},\"kind\":\"{kind}\"}}")
    };
    let functions: Vec<String> = functions.iter().map(function).collect();
    let (part, arch, kind) = (text(&entry.part), text(&entry.arch), text(&kind(entry)));
    format!(
        "{{\"object\":{number},\"part\":{part},\"arch\":{arch},\"kind\":{kind},\"compression\":\"{}\",\"bytes\":{},\"functions\":[{}]}}\n",
        compression(entry),
        entry.size,
        functions.join(",")
    )
}
