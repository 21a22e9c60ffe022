//! The specifications that ship with isagen, as texts: what `isagen` loads by name, and what the crate `generated` is compiled from.
#![no_std]

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The names of the instruction sets: those of their files, without `.yaml`.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETS.iter().map(|(name, _)| *name)
}

/// The text of the instruction set of this name.
pub fn text(name: &str) -> Option<&'static str> {
    let (name, _) = SETS.iter().find(|set| set.0 == name)?;
    FILES.iter().find(|(path, _)| path.strip_suffix(".yaml") == Some(name)).map(|(_, text)| *text)
}

/// Other names of an instruction set: those of its key `also`.
pub fn others(name: &str) -> impl Iterator<Item = &'static str> {
    SETS.iter().filter(move |set| set.0 == name).flat_map(|(_, others)| *others).copied()
}

/// The name of the instruction set that has this name, or this other name.
pub fn own_name(name: &str) -> Option<&'static str> {
    names().find(|own| *own == name).or_else(|| names().find(|own| others(own).any(|other| other == name)))
}
