//! The parts that make a machine a computer, from YAML: handling of faults, lines of devices, registers that functions read and
//! write, and regions of addresses.

use super::pieces::{body, error, name_list, routine};
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};
use isa_model::semantics::machine::{Accessors, Line, Machine, Region, Routine};

pub(super) static FAULTS: KeyTable<Machine> = KeyTable::new(
    "`faults`",
    &[&[
        routine!("illegal", Illegal, "At a word that is not an instruction, and at `illegal()`; `word` is that word."),
        routine!(
            "misaligned",
            Misaligned,
            "At an access whose `address` is not a multiple of its size, unless the space allows that; `write` is 1 for a write."
        ),
        routine!(
            "access",
            Access,
            "At an access to an `address` that has no memory, or memory that can't be accessed in this way; `write` is 1 for a \
             write."
        ),
        routine!("fetch", Fetch, "At an instruction that can't be fetched; `address` is where fetching fails."),
        routine!("trap", Trap, "At `trap()`."),
        routine!("host", Host, "At `host()`, if the program has no host or the host does not answer."),
    ]],
);

pub(super) static REGION: KeyTable<Region> = KeyTable::new(
    "a region",
    &[&[
        Key::required("needs `at`: `at: 0x10000000`", Key::number("at", 0..=u64::MAX, |r, n, _| r.at = n, "The first address.")),
        Key::number("size", 1..=u64::MAX, |r, n, _| r.size = Some(n), "The size in bytes; by default, that of the device."),
        Key::flag("read-only", |r| &mut r.read_only, "Instructions can't write this memory."),
        Key::own(
            "device",
            "name of a kind of device",
            |r, region, node, what| region.device = r.text(node, what).map(|text| text.value),
            "The kind of device at these addresses, such as `uart16550` or `timer`, or one that the simulating program supplies; \
             without it, the region is memory.",
        ),
        Key::own(
            "line",
            "name of a line",
            |r, region, node, what| region.line = r.text(node, what).map(|text| text.value),
            "The line that the device drives, one of `lines`.",
        ),
        Key::number(
            "every",
            1..=u64::MAX,
            |r, n, _| r.every = n,
            "The number of instructions in one unit of the device's time; 1 by default.",
        ),
        Key::prose("summary", |r| &mut r.summary, "A description in one line."),
    ]],
);

pub(super) static ACCESSORS: KeyTable<Accessors> = KeyTable::new(
    "accessors",
    &[&[
        Key::text(
            "read",
            "name of a function",
            |a| &mut a.read,
            "The function that reads a register. Its parameter is the number of the register.",
        ),
        Key::text(
            "write",
            "name of a function",
            |a| &mut a.write,
            "The function that writes a register. Its parameters are the number of the register and the value.",
        ),
    ]],
);

pub(super) fn listings() -> [Listing; 3] {
    [(&FAULTS).into(), (&REGION).into(), (&ACCESSORS).into()]
}

pub(super) fn faults(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, _: &str) {
    reader.fill(&FAULTS, machine, node);
}

pub(super) fn lines(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, what: &str) {
    let names = name_list(reader, node, what).into_iter().flatten();
    machine.lines.extend(names.map(|name| Line { name: name.value, span: name.span }));
    if let Some(line) = machine.lines.get(MAX_LINES) {
        error(reader, format!("a machine has at most {MAX_LINES} lines"), line.span);
    }
}

/// The most lines.
const MAX_LINES: usize = 64;

/// A region of a name.
pub fn region(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<Region> {
    let mut region = Region {
        name: name.value.clone(),
        at: 0,
        size: None,
        read_only: false,
        device: None,
        line: None,
        every: 1,
        summary: String::new(),
        span: name.span,
    };
    reader.fill_at(&REGION, &mut region, node, name.span);
    Some(region)
}

pub(super) fn accessors(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<Accessors> {
    let mut made = Accessors { file: name.clone(), read: None, write: None };
    reader.fill_at(&ACCESSORS, &mut made, node, name.span);
    Some(made)
}

/// Checks that need the whole machine.
pub(super) fn whole(reader: &mut Reader<'_>, machine: &Machine) {
    for accessors in &machine.accessors {
        let file = &accessors.file;
        if let Some(view) = machine.views.iter().find(|view| [&view.name, &view.of].contains(&&file.value)) {
            let (name, of) = (&view.name, &view.of);
            error(
                reader,
                format!("`{name}` is a view of `{of}`: registers of views have no accessors, nor have those they are of"),
                file.span,
            );
        }
        if accessors.read.is_none() && accessors.write.is_none() {
            error(reader, format!("`{}` has neither `read` nor `write`", file.value), file.span);
        }
        for (name, params, what) in [(&accessors.read, 1, "a number"), (&accessors.write, 2, "a number and a value")] {
            let Some(name) = name else { continue };
            match machine.functions.iter().find(|function| function.name.text == name.value) {
                None => error(reader, format!("there is no function `{}`", name.value), name.span),
                Some(function) if function.params.len() != params => {
                    error(reader, format!("`{}` takes {what}, to be an accessor", name.value), name.span);
                }
                Some(function) if params == 1 && function.value.is_none() => {
                    error(reader, format!("`{}` returns nothing, and is to read a register", name.value), name.span);
                }
                Some(function) if params == 2 && function.value.is_some() => {
                    error(reader, format!("`{}` returns a value, and is to write a register", name.value), name.span);
                }
                Some(_) => {}
            }
        }
    }
    let lines: Vec<&str> = machine.lines.iter().map(|line| line.name.as_str()).collect();
    for space in machine.spaces.iter().filter(|space| !space.regions.is_empty()) {
        if space.banks.is_some() {
            error(reader, format!("`{}` has banks, and no regions", space.name), space.span);
        }
        check_regions(reader, &lines, (&space.name, space.address, space.size), &space.regions);
    }
}

/// Reports the faults of the regions of a space, on a machine with these lines. The space is given by its name, the width of an
/// address in bits, and its size in bytes.
pub fn check_regions(
    reader: &mut Reader<'_>,
    lines: &[&str],
    (space, address, size): (&str, u32, Option<u64>),
    regions: &[Region],
) {
    let reach = isa_runtime::word::ones(address);
    let reach = size.map_or(reach, |size| reach.min(size.saturating_sub(1)));
    for (i, region) in regions.iter().enumerate() {
        let mut say = |message: String| error(reader, message, region.span);
        let name = &region.name;
        let last = |of: &Region| of.at.saturating_add(of.size.unwrap_or(1) - 1);
        if last(region) > reach {
            say(format!("`{name}` ends at {:#x}, and `{space}` at {reach:#x}", last(region)));
        }
        if let Some(other) = regions[..i].iter().find(|other| other.at <= last(region) && region.at <= last(other)) {
            say(format!("`{name}` and `{}` are both at {:#x}", other.name, other.at.max(region.at)));
        }
        match (&region.device, &region.line) {
            (None, _) if region.size.is_none() => say(format!("`{name}` is memory, and needs `size`")),
            (None, Some(_)) => say(format!("`{name}` is memory, and drives no line")),
            (Some(_), _) if region.read_only => say(format!("`{name}` is a device, and not read-only memory")),
            (Some(_), Some(line)) if !lines.contains(&line.as_str()) => {
                let known = if lines.is_empty() { "none".to_owned() } else { lines.join(", ") };
                say(format!("there is no line `{line}`; `lines` has {known}"));
            }
            _ => {}
        }
    }
}
