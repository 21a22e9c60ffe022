//! Registers at the end of a run, and those that an instruction has changed.

use crate::json;
use isa_sim::{Machine, Register, RegistersInfo, Traced};
use isa_stream::Escaped;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

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
pub(super) fn trace_line(to: &mut impl Write, t: &Traced<'_>) -> io::Result<()> {
    write!(to, "{:#06x}  {}", t.pc, t.text)?;
    for change in t.changes() {
        write!(to, "  {}={:#x}", change.register, change.value)?;
    }
    writeln!(to)
}

/// The lines of a trace on standard error, which are written together, and before anything else that the program prints.
#[derive(Clone)]
pub(super) struct Trace(Arc<Mutex<Escaped<BufWriter<io::Stderr>>>>);

impl Trace {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Escaped(BufWriter::with_capacity(1 << 16, io::stderr())))))
    }

    /// Adds a line; writes all if a host, which may print something, comes next.
    pub(super) fn add(&self, t: &Traced<'_>) -> io::Result<()> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        trace_line(&mut *lines, t)?;
        if t.is_interrupted { lines.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// Standard output, for devices: it is written after the lines of a trace so far.
pub(super) struct AfterTrace(pub(super) Trace);

impl Write for AfterTrace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Without a reader of the trace the run ends, but not here.
        let _ = self.0.flush();
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}
