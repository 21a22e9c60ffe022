//! Registers at the end of a run, and those that an instruction has changed.

use crate::json;
use isa_sim::{AnyEngine, Machine, Register, RegistersInfo, Traced};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write as _;

/// The number of registers above which those that are 0 are not shown.
const MANY: usize = 64;
/// The greatest width of a line.
const COLUMNS: usize = 100;

/// Names and values.
type Named = Vec<(String, u128)>;

/// Registers, flags and values as JSON.
struct State<'a>(&'a Machine<'a>);

/// Names and values, in their order.
struct Object(Named);

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, format!("{value:#x}"))))
    }
}

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("pc", &format!("{:#x}", self.0.pc()))?;
        map.serialize_entry("instructions", &self.0.steps())?;
        for (file, registers) in files(self.0) {
            map.serialize_entry(&file.name, &Object(registers))?;
        }
        map.serialize_entry("flags", &Object(flags(self.0)))?;
        map.serialize_entry("values", &Object(values(self.0)))?;
        map.end()
    }
}

/// Some registers.
fn named(machine: &Machine<'_>, is_wanted: impl Fn(Register) -> bool) -> Named {
    let all = Register::all(machine.info()).filter(|register| is_wanted(*register));
    all.map(|register| (register.name(machine.info()), register.get(machine.state()))).collect()
}

/// The registers of each file.
fn files<'m>(machine: &'m Machine<'_>) -> Vec<(&'m RegistersInfo, Named)> {
    let of = |f: usize, file: &RegistersInfo| -> Named {
        let mut all = named(machine, |register| matches!(register, Register::Number(of, _) if of == f));
        all.retain(|(_, value)| file.count <= MANY || *value != 0);
        all
    };
    machine.info().registers.iter().enumerate().filter(|(_, file)| !file.is_view).map(|(f, file)| (file, of(f, file))).collect()
}

fn flags(machine: &Machine<'_>) -> Named {
    named(machine, |register| matches!(register, Register::Flags(..)))
}

fn values(machine: &Machine<'_>) -> Named {
    named(machine, |register| matches!(register, Register::Value(_)))
}

/// The registers of a machine, several a line.
pub(super) fn text(machine: &Machine<'_>) -> String {
    let digits = machine.info().pc.div_ceil(4) as usize;
    let mut out = format!("pc 0x{:0digits$x}\n", machine.pc());
    for (file, registers) in files(machine) {
        rows(&mut out, &registers, file.width.div_ceil(4) as usize);
    }
    rows(&mut out, &flags(machine), 1);
    rows(&mut out, &values(machine), 1);
    out
}

fn rows(out: &mut String, all: &[(String, u128)], digits: usize) {
    let names = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let a_line = (COLUMNS / (names + digits + 5)).max(1);
    for row in all.chunks(a_line) {
        let cells: Vec<String> = row.iter().map(|(name, value)| format!("{name:names$} 0x{value:0digits$x}")).collect();
        let _ = writeln!(out, "{}", cells.join("  "));
    }
}

/// The same as a JSON object.
pub(super) fn json(machine: &Machine<'_>) -> String {
    json::line(&State(machine))
}

/// `0x0008  addi a0,a0,1  a0=0x5`
pub(super) fn trace_line(engine: &dyn AnyEngine, t: &Traced<'_>) -> String {
    let mut line = format!("{:#06x}  {}", t.pc, engine.text(t.word, t.bits, t.pc));
    for change in t.changes() {
        let _ = write!(line, "  {}={:#x}", change.register, change.value);
    }
    line
}
