//! Registers by name.

use crate::engine::State;
use isa_runtime::machine::{MachineInfo, Which, Write};
use std::fmt;

/// A register, a flag, or a value, found by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A register: file and number.
    Number(usize, usize),
    /// A register of flags: the index of the flags, and the number.
    Flags(usize, usize),
    /// A flag: the index of the flags, the number of the register, and the bit.
    Flag(usize, usize, u32),
    /// A value that instructions write.
    Value(usize),
}

/// The error for a name without a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRegister {
    /// The name.
    pub name: String,
    /// The known names.
    pub known: Vec<String>,
}

impl fmt::Display for NoRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the machine has no register `{}`", self.name)
    }
}

impl std::error::Error for NoRegister {}

impl Register {
    /// The register with a name: in the notation of texts (`a0`), of semantics (`X[10]`, `C[0].z`), or with its number appended
    /// (`X10`). `None` is `pc`.
    ///
    /// # Errors
    /// When there is none with this name.
    pub fn find(info: &MachineInfo, name: &str) -> Result<Option<Self>, NoRegister> {
        if let Some((file, number)) = info.register(name) {
            return Ok(Some(Self::Number(file, number)));
        }
        if let Some(value) = info.values.iter().position(|value| value.0 == name) {
            return Ok(Some(Self::Value(value)));
        }
        let (of, flag) = name.split_once('.').map_or((name, None), |(of, flag)| (of, Some(flag)));
        for (i, flags) in info.flags.iter().enumerate() {
            let Some(rest) = of.strip_prefix(flags.name.as_str()) else { continue };
            let digits = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(rest);
            let number = if rest.is_empty() && flags.count == 1 { Some(0) } else { digits.parse().ok() };
            let Some(number) = number.filter(|number| *number < flags.count) else { continue };
            match flag.map(|flag| flags.flags.iter().position(|known| known == flag)) {
                None => return Ok(Some(Self::Flags(i, number))),
                Some(Some(bit)) => return Ok(Some(Self::Flag(i, number, bit as u32))),
                Some(None) => {}
            }
        }
        if name == "pc" {
            return Ok(None);
        }
        let files = info.registers.iter().flat_map(|file| {
            let own = file.names.iter().map(|name| name.text.clone());
            own.chain((0..file.count.min(64)).map(|number| file.name_of(number)))
        });
        let values = info.values.iter().map(|value| value.0.clone()).chain(info.flags.iter().map(|flags| flags.name.clone()));
        Err(NoRegister { name: name.to_owned(), known: files.chain(values).chain(["pc".to_owned()]).collect() })
    }

    /// All registers of a machine except views: the registers of each file, then those of flags, then values.
    pub fn all(info: &MachineInfo) -> impl Iterator<Item = Self> + '_ {
        Self::writes_of_all(info).into_iter().flat_map(|write| Self::of_write(write, info))
    }

    /// The writes that are these registers.
    pub(super) fn writes_of_all(info: &MachineInfo) -> Vec<Write> {
        let files =
            info.registers.iter().zip(0..).filter(|(file, _)| !file.is_view).map(|(_, file)| Write::Register(file, Which::All));
        let flags = (0..info.flags.len() as u32).map(|of| Write::Flags(of, Which::All));
        files.chain(flags).chain((0..info.values.len() as u32).map(Write::Value)).collect()
    }

    /// The registers, registers of flags, and values of a write.
    pub(super) fn of_write(write: Write, info: &MachineInfo) -> impl Iterator<Item = Self> {
        let numbers = |which, count: usize| match which {
            Which::One(number) => number as usize..(number as usize + 1).min(count),
            Which::All | Which::Field { .. } => 0..count,
        };
        let numbers = match write {
            Write::Register(file, which) => numbers(which, info.registers[file as usize].count),
            Write::Flags(of, which) => numbers(which, info.flags[of as usize].count),
            Write::Value(_) => 0..1,
        };
        numbers.map(move |number| match write {
            Write::Register(file, _) => Self::Number(file as usize, number),
            Write::Flags(of, _) => Self::Flags(of as usize, number),
            Write::Value(value) => Self::Value(value as usize),
        })
    }

    /// Its name on this machine: `a0`, `C0`; without a number for a single register of flags.
    ///
    /// # Panics
    /// When the machine does not have it.
    pub fn name(self, info: &MachineInfo) -> String {
        let flags = |of: usize, number: usize| {
            let flags = &info.flags[of];
            if flags.count == 1 { flags.name.clone() } else { format!("{}{number}", flags.name) }
        };
        match self {
            Self::Number(of, number) => info.registers[of].name_of(number),
            Self::Flags(of, number) => flags(of, number),
            Self::Flag(of, number, bit) => format!("{}.{}", flags(of, number), info.flags[of].flags[bit as usize]),
            Self::Value(of) => info.values[of].0.clone(),
        }
    }

    /// Its value in the first lane.
    pub fn get(self, state: &dyn State) -> u128 {
        self.get_in(state, 0)
    }

    /// Its value in a lane.
    pub fn get_in(self, state: &dyn State, lane: usize) -> u128 {
        match self {
            Self::Number(file, number) => state.register(file, number, lane),
            Self::Flags(of, number) => state.flags(of, number, lane).into(),
            Self::Flag(of, number, bit) => u128::from(state.flags(of, number, lane) >> bit & 1),
            Self::Value(value) => state.value(value, lane),
        }
    }

    /// Writes it in the first lane; a constant stays.
    pub fn set(self, state: &mut dyn State, value: u128) {
        self.set_in(state, 0, value);
    }

    /// Writes it in a lane; a constant stays.
    pub fn set_in(self, state: &mut dyn State, lane: usize, value: u128) {
        match self {
            Self::Number(file, number) => state.set_register(file, number, lane, value),
            Self::Flags(of, number) => state.set_flags(of, number, lane, value as u64),
            Self::Flag(of, number, bit) => {
                let old = state.flags(of, number, lane);
                state.set_flags(of, number, lane, old & !(1 << bit) | (value as u64 & 1) << bit);
            }
            Self::Value(of) => state.set_value(of, lane, value),
        }
    }
}
