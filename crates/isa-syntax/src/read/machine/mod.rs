//! The `machine:` section, from YAML.

mod events;
mod floats;
mod host;
mod pieces;
mod spaces;
mod state;
mod windows;

pub use events::{check_regions, region};

use self::pieces::{body, error, is_name, names, read_or_report, routine};
use self::spaces::{SPACE, space};
use self::state::{FLAGS, STATE, flags, launch_value, view, written};
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::lang::semantics::{parse_functions, read_expression};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::semantics::builtins::{SUPPLIED, SuppliedIn};
use isa_model::semantics::machine::{Divergence, MAX_PC, Machine, Params, Routine, StateKind, Variant};
use isa_model::span::Span;

static MACHINE: KeyTable<Machine> = KeyTable::new(
    "a machine",
    &[&[
        Key::number(
            "lanes",
            1..=64,
            |m, n, _| m.lanes = n as u32,
            "The number of lanes of a warp. With 1, the default, the machine is a core and has no warps.",
        ),
        Key::number("pc", 1..=MAX_PC as u64, |m, n, _| m.pc = n as u32, "Bits of a code address; 32 by default."),
        Key::word(
            "divergence",
            &["stack", "lowest-pc", "fair"],
            |m, word, _| m.divergence = Divergence::ALL[word],
            "How the lanes of a warp diverge and reconverge; `stack` is the default.",
        ),
        Key::each(
            || (&SPACE).into(),
            Key::own(
                "spaces",
                "mapping of memory spaces",
                |r, m, node, what| m.spaces = r.each(node, what, space),
                "The memory spaces.",
            ),
        ),
        Key::each(
            || (&FLAGS).into(),
            Key::own(
                "flags",
                "mapping of registers of flags",
                |r, m, node, what| m.flags = r.each(node, what, flags),
                "The flag registers.",
            ),
        ),
        Key::own(
            "views",
            "mapping of names to register files",
            |r, m, node, what| m.views = r.each(node, what, view),
            "Register files whose registers are parts of the registers of another file.",
        ),
        Key::own(
            "launch-values",
            "mapping of names to bits",
            |r, m, node, what| m.state.extend(r.each(node, what, launch_value)),
            "Values of the launch, such as the position of a lane in its block; instructions can only read them.",
        ),
        Key::each(
            || (&STATE).into(),
            Key::own(
                "state",
                "mapping of named values",
                |r, m, node, what| m.state.extend(r.each(node, what, written)),
                "Values that instructions can write; they start as 0.",
            ),
        ),
        Key::each(
            || (&VARIANT).into(),
            Key::own(
                "variants",
                "mapping of variants",
                |r, m, node, what| m.variants = r.each(node, what, variant),
                "Differences between machines of this instruction set, chosen with `--set NAME=VALUE`.",
            ),
        ),
        Key::part(
            || (&PARAMS).into(),
            Key::own("params", "mapping", params, "The memory and the address of a kernel's parameters, 32 bits each."),
        ),
        Key::part(
            || (&floats::FLOATS).into(),
            Key::own("floats", "mapping", floats::floats, "The choices that IEEE 754 leaves to machines."),
        ),
        Key::part(
            || (&host::LINUX).into(),
            Key::own("linux", "mapping", host::linux, "The system call convention of Linux, for `host()`."),
        ),
        Key::part(|| (&host::DEBUGGER).into(), Key::own("debugger", "mapping", host::debugger, "The registers that GDB sees.")),
        Key::own(
            "guard",
            "expression",
            |r, m, node, what| m.guard = r.text(node, what).and_then(|text| read_or_report(r, &text, read_expression(&text))),
            "An expression of one bit, checked for each form: 1 if a lane takes part in the body.",
        ),
        Key::own(
            "after",
            "statements",
            |r, m, node, what| m.after = body(r, node, what),
            "Statements that every instruction executes after its own body, in all active lanes, whether or not the guard admits \
             them.",
        ),
        routine!(
            "launch",
            Launch,
            "Statements that each lane executes before its first instruction; they can also write spaces that are `read-only`."
        ),
        routine!(
            "raise",
            Raise,
            "Statements that are executed in place of an instruction that performs `raise(cause, value)`; `pc` is its address. \
             Only with one lane."
        ),
        Key::part(
            || (&events::FAULTS).into(),
            Key::own(
                "faults",
                "mapping of faults",
                events::faults,
                "Statements that are executed at faults, in place of ending the run.",
            ),
        ),
        routine!(
            "interrupts",
            Interrupts,
            "Statements that are executed between two instructions when something that they read has changed; `pc` is the \
             address of the next instruction."
        ),
        Key::own("lines", "list of names", events::lines, "The device lines: one bit each, which instructions can read."),
        Key::each(
            || (&events::ACCESSORS).into(),
            Key::own(
                "accessors",
                "mapping of register files",
                |r, m, node, what| m.accessors = r.each(node, what, events::accessors),
                "Register files whose registers are read and written by functions.",
            ),
        ),
        Key::own("functions", "functions, or list of functions", functions, "Functions that all semantics can call."),
    ]],
);

static VARIANT: KeyTable<Variant> = KeyTable::or_short(
    "values",
    "a variant",
    &[&[
        Key::required(
            "needs `values`: `values: [fused, rounded]`",
            Key::own(
                "values",
                "list of names",
                |r, v, node, what| v.values = names(r, node, what),
                "The names of its values; the first is the default.",
            ),
        ),
        Key::prose("summary", |v| &mut v.summary, "A description in one line."),
    ]],
);

static PARAMS: KeyTable<(Option<Text>, u32, u64)> = KeyTable::new(
    "`params`",
    &[&[
        Key::required(
            "needs `space`: `space: shared`",
            Key::text("space", "name of a memory space", |p| &mut p.0, "The memory space."),
        ),
        Key::number("bank", 0..=65_535, |p, n, _| p.1 = n as u32, "The bank, in a space that has banks; 0 by default."),
        Key::number("at", 0..=u64::MAX, |p, n, _| p.2 = n, "The address of the first parameter; 0 by default."),
    ]],
);

/// The keys of a machine, and of each of its parts.
pub(crate) fn listings() -> Vec<Listing> {
    let machine = [(&MACHINE).into(), (&SPACE).into(), (&FLAGS).into(), (&STATE).into(), (&VARIANT).into(), (&PARAMS).into()];
    let machine = machine.into_iter().chain(events::listings());
    machine.chain([windows::listing()]).chain(floats::listings()).chain(host::listings()).collect()
}

/// Reads a `machine:` section. Its faults are added to `diagnostics`; the rest is read all the same.
pub fn read_machine(node: &Node, diagnostics: &mut Diagnostics) -> Machine {
    let mut machine = Machine { span: node.span, ..Machine::default() };
    let mut reader = Reader::new(diagnostics);
    reader.fill(&MACHINE, &mut machine, node);
    whole(&mut reader, &machine);
    if machine.lanes == 1 {
        one_lane(&mut reader, node);
    } else {
        several_lanes(&mut reader, node, &machine);
    }
    machine
}

/// Has keys that only say something of several lanes be errors.
fn one_lane(reader: &mut Reader<'_>, machine: &Node) {
    let mut refuse = |node: &Node, keys: &[&str]| {
        let NodeKind::Map(entries) = &node.kind else { return };
        for (key, _) in entries.iter().filter(|(key, _)| keys.contains(&key.value.as_str())) {
            let message = format!("`{}` says something of several lanes, and this machine has one", key.value);
            reader
                .diags
                .push(Diagnostic::error("machine", message, key.span).with_help("`lanes: 32` is a machine with warps of 32"));
        }
    };
    refuse(machine, &["divergence", "launch-values", "params"]);
    let NodeKind::Map(entries) = &machine.kind else { return };
    for (_, spaces) in entries.iter().filter(|(key, _)| key.value == "spaces") {
        let NodeKind::Map(spaces) = &spaces.kind else { continue };
        spaces.iter().for_each(|(_, space)| refuse(space, &["of", "windows", "elsewhere"]));
    }
    for (_, values) in entries.iter().filter(|(key, _)| key.value == "state") {
        let NodeKind::Map(values) = &values.kind else { continue };
        values.iter().for_each(|(_, value)| refuse(value, &["of"]));
    }
}

/// Has keys that only say something of a core be errors.
fn several_lanes(reader: &mut Reader<'_>, node: &Node, machine: &Machine) {
    if let Some(space) = machine.spaces.iter().find(|space| space.program) {
        let message = format!("`{}` holds the program: this machine has several lanes, and its code is no memory", space.name);
        error(reader, message, space.span);
    }
    if let Some(space) = machine.spaces.iter().find(|space| !space.regions.is_empty()) {
        let message = format!("`{}` has regions, which are of machines with one lane; this one has several", space.name);
        error(reader, message, space.span);
    }
    let NodeKind::Map(entries) = &node.kind else { return };
    for (key, _) in entries.iter().filter(|(key, _)| ["raise", "faults", "interrupts", "lines"].contains(&key.value.as_str())) {
        error(reader, format!("`{}` is for machines with one lane, and this one has several", key.value), key.span);
    }
}

fn variant(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<Variant> {
    let mut made = Variant { name: name.value.clone(), values: Vec::new(), summary: String::new(), span: name.span };
    reader.fill_at(&VARIANT, &mut made, node, name.span);
    if made.values.len() > 256 {
        error(reader, "a variant has at most 256 values", name.span);
    }
    Some(made)
}

fn params(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, _: &str) {
    let mut made = (None, 0, 0);
    reader.fill(&PARAMS, &mut made, node);
    machine.params = made.0.map(|space| Params { space: space.value, bank: made.1, at: made.2, span: node.span });
}

/// Functions: one text of them, or one of each file that has some.
fn functions(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, what: &str) {
    let texts = reader.texts(node, what);
    let mut places: Vec<Span> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        for mut function in read_or_report(reader, text, parse_functions(&text.value)).unwrap_or_default() {
            let (name, place) = (&function.name.text, text.at(function.name.range.clone()));
            if let Some(first) = machine.functions.iter().position(|f| f.name.text == *name) {
                let message = format!("there are two functions `{name}`");
                reader.diags.push(Diagnostic::twice("machine", message, [places[first], place]));
            } else {
                places.push(place);
                function.text = index;
                machine.functions.push(function);
            }
        }
    }
    machine.functions_source = texts.iter().map(|text| text.value.trim_end()).collect::<Vec<_>>().join("\n");
    machine.function_texts = texts;
}

/// Checks that need the whole machine.
fn whole(reader: &mut Reader<'_>, machine: &Machine) {
    let mut names: Vec<(&str, Span)> = Vec::new();
    names.extend(machine.flags.iter().map(|f| (f.name.as_str(), f.span)));
    names.extend(machine.state.iter().map(|s| (s.name.as_str(), s.span)));
    names.extend(machine.lines.iter().map(|line| (line.name.as_str(), line.span)));
    let has = |routines: &[Routine]| machine.routines.iter().any(|(routine, _)| routines.contains(routine));
    let is_supplied = |name: &str| {
        SUPPLIED.iter().any(|row| {
            row.0 == name
                && match row.3 {
                    SuppliedIn::All => true,
                    SuppliedIn::Warps => machine.lanes > 1,
                    SuppliedIn::Cores => machine.lanes == 1,
                    SuppliedIn::Routines(routines) => has(routines),
                }
        })
    };
    for (i, (name, span)) in names.iter().enumerate() {
        if is_supplied(name) {
            error(reader, format!("`{name}` is already defined: the machine supplies it"), *span);
        } else if names[..i].iter().any(|n| n.0 == *name) {
            error(reader, format!("`{name}` is already defined"), *span);
        }
    }
    for state in machine.state.iter().filter(|state| state.kind == StateKind::Launch) {
        let space = state.name.strip_prefix("size.");
        if let Some(space) = space.filter(|space| machine.spaces.iter().all(|of| of.name != *space)) {
            error(reader, format!("there is no memory space `{space}`, of which this would be the size"), state.span);
        }
    }
    for flags in &machine.flags {
        if !is_name(&flags.name, false) {
            error(reader, format!("`{}` is not a name", flags.name), flags.span);
        }
    }
    if let [_, second, ..] = machine.spaces.iter().filter(|space| space.program).collect::<Vec<_>>().as_slice() {
        error(reader, format!("`{}` holds the program, and another memory does: one can", second.name), second.span);
    }
    if let Some(space) = machine.spaces.iter().find(|space| space.coherent && !space.program) {
        error(reader, format!("`{}` is coherent with code, and holds no program: `program: true`", space.name), space.span);
    }
    if let Some(space) = machine.spaces.iter().find(|space| space.program && space.banks.is_some()) {
        error(reader, format!("`{}` holds the program, and has banks: an address of code names none", space.name), space.span);
    }
    events::whole(reader, machine);
    windows::whole(reader, machine);
    floats::whole(reader, machine);
    if let Some(params) = &machine.params {
        match machine.spaces.iter().find(|s| s.name == params.space) {
            None => error(reader, format!("there is no memory space `{}`", params.space), params.span),
            Some(space) if params.bank >= space.banks.unwrap_or(1) => {
                error(reader, format!("`{}` has no bank {}", space.name, params.bank), params.span);
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
