//! Registers, flags and values of a warp.

use isa_sim::MachineInfo;
use isa_spec::model::Isa;
use isa_spec::semantics::machine::StateKind;

/// Registers, flags and values of the lanes of a warp.
#[derive(Clone, Debug)]
pub struct State {
    lanes: usize,
    files: Vec<File>,
    flags: Vec<Vec<u64>>,
    values: Vec<Vec<u128>>,
    /// The named values that a warp has once: they are the same in all lanes.
    values_of_warp: Vec<bool>,
}

/// A register file; for each number, the registers of all lanes are adjacent.
#[derive(Clone, Debug)]
struct File {
    width: u32,
    count: usize,
    zero: Option<usize>,
    one: Option<usize>,
    /// A warp has them once: they are the same in all lanes.
    of_warp: bool,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Own(Vec<u128>),
    /// Registers made of `parts` registers of another file.
    Parts {
        of: usize,
        parts: usize,
    },
}

/// Something that can be assigned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Var(usize),
    Register(usize, usize),
    Flags(usize, usize),
    Value(usize),
}

pub(super) fn ones(width: u32) -> u128 {
    u128::MAX.checked_shr(128 - width).unwrap_or(0)
}

impl State {
    pub(super) fn new(isa: &Isa, info: &MachineInfo) -> Self {
        let lanes = info.lanes as usize;
        let file = |registers: &isa_sim::RegistersInfo| {
            let view = isa.machine.views.iter().find(|v| v.name == registers.name);
            let of = view.and_then(|v| isa.registers.iter().position(|r| r.name == v.of));
            let place = match of {
                Some(of) => Place::Parts { of, parts: (info.registers[of].width / registers.width) as usize },
                None => Place::Own(vec![0; registers.count * lanes]),
            };
            let of_warp = isa.registers.iter().any(|file| file.name == registers.name && file.of_warp);
            File { width: registers.width, count: registers.count, zero: registers.zero, one: registers.one, of_warp, place }
        };
        Self {
            lanes,
            files: info.registers.iter().map(file).collect(),
            flags: info.flags.iter().map(|f| vec![0; f.count * lanes]).collect(),
            values: info.values.iter().map(|_| vec![0; lanes]).collect(),
            values_of_warp: isa.machine.state.iter().filter(|s| s.kind == StateKind::Written).map(|s| s.of_warp).collect(),
        }
    }

    /// True if a warp has a named value once.
    pub(super) fn is_value_of_warp(&self, index: usize) -> bool {
        self.values_of_warp[index]
    }

    /// Writes what the warp has once.
    pub(super) fn set_of_warp(&mut self, target: Target, value: u128) {
        match target {
            Target::Register(file, index) => isa_sim::State::set_register(self, file, index, 0, value),
            Target::Value(index) => isa_sim::State::set_value(self, index, 0, value),
            Target::Var(_) | Target::Flags(..) => unreachable!("a warp has registers and named values"),
        }
    }

    /// The register that one of a view is, or is a part of; others are their own.
    pub fn own(&self, file: usize, index: usize) -> (usize, usize) {
        match self.files[file].place {
            Place::Own(_) => (file, index),
            Place::Parts { of, parts } => self.own(of, index / parts),
        }
    }

    /// True if a register can change.
    pub fn is_writable(&self, file: usize, index: usize) -> bool {
        let this = &self.files[file];
        if this.zero == Some(index) || this.one == Some(index) || index >= this.count {
            return false;
        }
        match this.place {
            Place::Own(_) => true,
            Place::Parts { of, parts } => self.is_writable(of, index / parts),
        }
    }
}

impl isa_sim::State for State {
    fn register(&self, file: usize, index: usize, lane: usize) -> u128 {
        let this = &self.files[file];
        match &this.place {
            _ if this.zero == Some(index) => 0,
            _ if this.one == Some(index) => ones(this.width),
            _ if index >= this.count => 0,
            Place::Own(registers) => registers[index * self.lanes + lane],
            Place::Parts { of, parts } => {
                let at = (index % parts) as u32 * this.width;
                self.register(*of, index / parts, lane) >> at & ones(this.width)
            }
        }
    }

    fn set_register(&mut self, file: usize, index: usize, lane: usize, value: u128) {
        if !self.is_writable(file, index) {
            return;
        }
        let this = &mut self.files[file];
        let value = value & ones(this.width);
        match &mut this.place {
            Place::Own(registers) if this.of_warp => registers[index * self.lanes..][..self.lanes].fill(value),
            Place::Own(registers) => registers[index * self.lanes + lane] = value,
            Place::Parts { of, parts } => {
                let (of, whole, at, mask) = (*of, index / *parts, (index % *parts) as u32 * this.width, ones(this.width));
                let others = self.register(of, whole, lane) & !(mask << at);
                self.set_register(of, whole, lane, others | value << at);
            }
        }
    }

    fn flags(&self, file: usize, index: usize, lane: usize) -> u64 {
        self.flags[file].get(index.saturating_mul(self.lanes).saturating_add(lane)).copied().unwrap_or(0)
    }

    fn set_flags(&mut self, file: usize, index: usize, lane: usize, value: u64) {
        if let Some(flags) = self.flags[file].get_mut(index.saturating_mul(self.lanes).saturating_add(lane)) {
            *flags = value;
        }
    }

    fn value(&self, index: usize, lane: usize) -> u128 {
        self.values[index][lane]
    }

    fn set_value(&mut self, index: usize, lane: usize, value: u128) {
        match self.values_of_warp[index] {
            true => self.values[index].fill(value),
            false => self.values[index][lane] = value,
        }
    }
}
