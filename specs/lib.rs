//! The specifications that ship with isagen, as texts: what `isagen` loads by name, and what the crate `generated` is compiled from.
#![no_std]

/// All files: their paths, as the files name each other, and their texts. Files without a key `isa` are parts of others.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The names of the instruction sets: those of their files, without `.yaml`.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter(|(_, text)| is_whole(text)).filter_map(|(path, _)| path.strip_suffix(".yaml"))
}

/// The text of the instruction set of this name.
pub fn text(name: &str) -> Option<&'static str> {
    let (_, text) = FILES.iter().find(|(path, _)| path.strip_suffix(".yaml") == Some(name))?;
    is_whole(text).then_some(text)
}

/// Other names of an instruction set: those of its key `also`, a list on a line of its own.
pub fn others(name: &str) -> impl Iterator<Item = &'static str> {
    let line = text(name).into_iter().flat_map(str::lines).find_map(|line| line.strip_prefix("also:"));
    list(line.unwrap_or_default())
}

/// The name of the instruction set that has this name, or this other name.
pub fn own_name(name: &str) -> Option<&'static str> {
    names().find(|own| *own == name).or_else(|| names().find(|own| others(own).any(|other| other == name)))
}

/// The names of a list on one line: `[ a, b ]`.
fn list(line: &'static str) -> impl Iterator<Item = &'static str> {
    line.split(['[', ']', ',']).map(str::trim).filter(|name| !name.is_empty())
}

/// True if a file is an instruction set, not a part of others.
fn is_whole(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("isa:"))
}
