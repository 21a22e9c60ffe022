//! External functions that code of a cubin calls: `vprintf`, `__assertfail`, `malloc` and `free`.
//!
//! Parameters and results are in registers from R4 on, those of 64 bits in pairs; the return address is in R20 and R21.

use super::device::{Device, Heap};
use super::format::{Formatting, Wanted, format};
use super::module::{HOST, Module};
use isa_sim::simt::{Call, Host};
use isa_sim::{FaultKind, MachineInfo, State};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The limit of bytes of a text.
const TEXT: u64 = 1 << 16;
/// The bytes of each allocated block of the heap, by its address.
type Taken = BTreeMap<u64, u64>;

/// The granularity of heap blocks.
const UNIT: u64 = 16;
/// The register of the first parameter, and of the result.
const FIRST: usize = 4;
/// The registers of the return address.
const BACK: usize = 20;
/// The offsets in constant bank 0 of the addresses of the windows of shared and of local memory among generic addresses.
const WINDOWS: [u64; 2] = [0x18, 0x20];
/// The number of addresses of a window.
const WINDOW: u64 = 1 << 24;

/// The output of kernels; the standard output by default.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// An output to this writer.
    pub fn new(to: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(to)))
    }
}

impl Default for Output {
    fn default() -> Self {
        Self::new(io::stdout())
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}

/// The functions of a launch.
#[derive(Debug)]
pub(super) struct Functions {
    names: Vec<String>,
    output: Output,
    registers: usize,
    /// The spaces of global, shared, local and constant memory.
    spaces: [usize; 4],
    /// The heap from its first address to its end, and its allocated blocks.
    heap: Option<(u64, u64, Mutex<Taken>)>,
}

impl Functions {
    /// The functions that a module calls; `None` if it calls none, or if the machine lacks registers or memories of these names.
    pub(super) fn new(module: &Module, device: &mut Device, machine: &MachineInfo, output: Output) -> Option<Self> {
        if module.host.is_empty() {
            return None;
        }
        let space = |name: &str| machine.spaces.iter().position(|space| space.name == name);
        let spaces = [space("global")?, space("shared")?, space("local")?, space("const")?];
        let registers = machine.registers.iter().position(|file| file.name == "R" && file.count > BACK + 1)?;
        let heap = module.host.iter().any(|name| name == "malloc" || name == "free").then(|| {
            let Heap { buffer, taken } = device.heap().clone();
            let from = device.address(buffer);
            (from, from + device.bytes(buffer).len() as u64, Mutex::new(taken))
        });
        Some(Self { names: module.host.clone(), output, registers, spaces, heap })
    }

    /// Returns the heap's state to the device.
    pub(super) fn finish(&self, device: &mut Device) {
        if let Some((_, _, taken)) = &self.heap {
            device.heap().taken = taken.lock().unwrap_or_else(PoisonError::into_inner).clone();
        }
    }

    fn name(&self, address: u64) -> Option<&str> {
        let at = address.checked_sub(HOST).filter(|at| at.is_multiple_of(16))? / 16;
        self.names.get(usize::try_from(at).ok()?).map(String::as_str)
    }

    fn number(&self, state: &dyn State, register: usize, lane: usize) -> u64 {
        state.register(self.registers, register, lane) as u64
    }

    /// A pair of registers.
    fn pair(&self, state: &dyn State, register: usize, lane: usize) -> u64 {
        self.number(state, register, lane) | self.number(state, register + 1, lane) << 32
    }

    fn set(&self, state: &mut dyn State, register: usize, lane: usize, value: u64) {
        state.set_register(self.registers, register, lane, u128::from(value & 0xffff_ffff));
    }

    /// The value at a generic address.
    fn load(&self, call: &mut Call<'_, '_>, address: u64, bytes: u32) -> u64 {
        let [global, shared, local, constant] = self.spaces;
        let (mut space, mut place) = (global, address);
        for (at, window) in WINDOWS.into_iter().zip([shared, local]) {
            let from = call.memory.load(constant, 0, call.lane, at, 8) as u64;
            if from != 0 && address.wrapping_sub(from) < WINDOW {
                (space, place) = (window, address.wrapping_sub(from));
            }
        }
        call.memory.load(space, 0, call.lane, place, bytes) as u64
    }

    /// The bytes of a text up to its end.
    fn text(&self, call: &mut Call<'_, '_>, address: u64) -> Result<Vec<u8>, FaultKind> {
        let mut text = Vec::new();
        for at in 0..TEXT {
            let byte = self.load(call, address.wrapping_add(at), 1) as u8;
            if byte == 0 || call.memory.has_trouble() {
                return Ok(text);
            }
            text.push(byte);
        }
        Err(FaultKind::Host(format!("the text at {address:#x} has more than {TEXT} bytes")))
    }

    fn print(&self, call: &mut Call<'_, '_>, (text, arguments): (u64, u64)) -> Result<u64, FaultKind> {
        let text = self.text(call, text)?;
        let (mut at, mut count) = (arguments, 0);
        let mut out = Vec::new();
        let done = format(&text, &mut out, &mut |wanted| {
            let bytes: u32 = if wanted == Wanted::Short { 4 } else { 8 };
            at = at.next_multiple_of(bytes.into());
            let value = self.load(call, at, bytes);
            at += u64::from(bytes);
            count += 1;
            if wanted != Wanted::Text {
                return Ok(Formatting::Number(value));
            }
            self.text(call, value).map(Formatting::Text)
        });
        done?;
        if !call.memory.has_trouble() {
            let mut output = self.output.0.lock().unwrap_or_else(PoisonError::into_inner);
            let written = output.write_all(&out).and_then(|()| output.flush());
            written.map_err(|why| FaultKind::Host(format!("what the kernel prints can't be written: {why}")))?;
        }
        Ok(count)
    }

    fn failed(&self, call: &mut Call<'_, '_>, state: &dyn State) -> FaultKind {
        let lane = call.lane;
        let mut text = |register: usize| {
            let address = self.pair(state, register, lane);
            self.text(call, address).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
        };
        let (message, file, function) = (text(4), text(6), text(10));
        let line = self.number(state, 8, lane);
        FaultKind::Host(format!("{file}:{line}: {function}: assertion `{message}` failed"))
    }

    fn allocate(&self, bytes: u64) -> u64 {
        let Some((from, end, taken)) = &self.heap else { return 0 };
        let Some(bytes) = bytes.checked_next_multiple_of(UNIT).filter(|bytes| *bytes != 0) else { return 0 };
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = *from;
        for (start, size) in taken.iter() {
            if start - at >= bytes {
                break;
            }
            at = start + size;
        }
        if end.saturating_sub(at) < bytes {
            return 0;
        }
        taken.insert(at, bytes);
        at
    }

    fn release(&self, address: u64) -> Result<(), FaultKind> {
        let Some((_, _, taken)) = self.heap.as_ref().filter(|_| address != 0) else { return Ok(()) };
        let was = taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&address);
        was.map(drop)
            .ok_or_else(|| FaultKind::Host(format!("`free` of {address:#x}, which `malloc` has not given, or which is free")))
    }
}

impl Host for Functions {
    fn is_at(&self, address: u64) -> bool {
        self.name(address).is_some_and(|name| ["vprintf", "__assertfail", "malloc", "free"].contains(&name))
    }

    fn call(&self, call: &mut Call<'_, '_>, state: &mut dyn State) -> Result<u64, FaultKind> {
        let lane = call.lane;
        let first = self.pair(state, FIRST, lane);
        match self.name(call.address).unwrap_or_default() {
            "vprintf" => {
                let count = self.print(call, (first, self.pair(state, FIRST + 2, lane)))?;
                self.set(state, FIRST, lane, count);
            }
            "malloc" => {
                let address = self.allocate(first);
                self.set(state, FIRST, lane, address);
                self.set(state, FIRST + 1, lane, address >> 32);
            }
            "free" => self.release(first)?,
            _ => return Err(self.failed(call, state)),
        }
        Ok(self.pair(state, BACK, lane))
    }
}
