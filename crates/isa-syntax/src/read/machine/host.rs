//! `machine.linux` and `machine.debugger`, from YAML.

use super::pieces::body;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};
use isa_model::semantics::Semantics;
use isa_model::semantics::machine::{Debugger, Linux, Machine, Routine};

/// `linux` as it is written.
#[derive(Default)]
pub(super) struct DeclaredLinux {
    machine: Option<Text>,
    number: Option<Text>,
    arguments: Vec<Text>,
    result: Option<Text>,
    stack: Option<Text>,
    features: u64,
    start: Option<Semantics>,
    calls: Vec<(u32, Text)>,
}

pub(super) static LINUX: KeyTable<DeclaredLinux> = KeyTable::new(
    "`linux`",
    &[&[
        Key::required(
            "needs `machine`, the name that `uname` has: `machine: riscv64`",
            Key::text("machine", "text", |l| &mut l.machine, "The name of the machine that `uname` reports."),
        ),
        Key::required(
            "needs `number`, the register of the number of a call: `number: a7`",
            Key::text("number", "register", |l| &mut l.number, "The register with the number of the call."),
        ),
        Key::required(
            "needs `arguments`, the registers of the arguments of a call",
            Key::texts("arguments", "list of registers", |l| &mut l.arguments, "The registers with the arguments, at most 6."),
        ),
        Key::required(
            "needs `result`, the register that takes the result: `result: a0`",
            Key::text(
                "result",
                "register",
                |l| &mut l.result,
                "The register that takes the result, or the negative number of the error.",
            ),
        ),
        Key::required(
            "needs `stack`, the stack pointer: `stack: sp`",
            Key::text("stack", "register", |l| &mut l.stack, "The stack pointer."),
        ),
        Key::number(
            "features",
            0..=u64::MAX,
            |l, n, _| l.features = n,
            "The hardware features that are reported to programs (`AT_HWCAP`).",
        ),
        Key::own(
            "start",
            "statements",
            |r, l, node, what| l.start = body(r, node, what),
            "Statements that are executed before the first instruction of a program.",
        ),
        Key::own("calls", "mapping of numbers to names", calls, "The names that Linux has for the calls, by number."),
    ]],
);

pub(super) static DEBUGGER: KeyTable<Debugger> = KeyTable::new(
    "`debugger`",
    &[&[
        Key::text("architecture", "text", |d| &mut d.architecture, "The name that GDB has for the architecture: `riscv:rv64`."),
        Key::own(
            "features",
            "mapping of names to lists",
            |r, d, node, what| d.features = r.each(node, what, |r, name, node| Some((name.clone(), r.texts(node, "a feature")))),
            "GDB's register sets, by the names that GDB has for them, each with its register files; `pc` is the address of the \
             instruction.",
        ),
    ]],
);

pub(super) fn linux(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, _: &str) {
    let mut made = DeclaredLinux::default();
    reader.fill(&LINUX, &mut made, node);
    let DeclaredLinux { machine: name, number, arguments, result, stack, features, start, calls } = made;
    machine.routines.extend(start.map(|body| (Routine::Linux, body)));
    if let Some(extra) = arguments.get(6) {
        reader.error("machine", "a call has at most 6 arguments", extra.span);
    }
    machine.linux =
        (|| Some(Linux { machine: name?, number: number?, arguments, result: result?, stack: stack?, features, calls }))();
}

fn calls(reader: &mut Reader<'_>, linux: &mut DeclaredLinux, node: &Node, what: &str) {
    linux.calls = reader.each(node, what, |reader, number, name| {
        let Ok(known) = number.value.parse() else {
            reader.error("machine", format!("`{}` is not the number of a call", number.value), number.span);
            return None;
        };
        Some((known, reader.text(name, "the name of a call")?))
    });
    linux.calls.sort_by_key(|call| call.0);
}

pub(super) fn debugger(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, _: &str) {
    let mut made = Debugger { architecture: None, features: Vec::new() };
    reader.fill(&DEBUGGER, &mut made, node);
    machine.debugger = Some(made);
}

/// The keys of `linux` and `debugger`.
pub(super) fn listings() -> [Listing; 2] {
    [(&LINUX).into(), (&DEBUGGER).into()]
}
