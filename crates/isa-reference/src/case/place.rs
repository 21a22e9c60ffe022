//! Names of the state of a lane: registers, flags, values, memory. `R2`, `C0.z`, `C0`, `mode`, `tid.x`, `global[0x10]`,
//! `const[1][0x10]`.

use super::count;
use crate::eval::named_value;
use isa_runtime::machine::MachineInfo;
use isa_sim::Register;
use isa_spec::diag::nearest;
use isa_spec::model::{Isa, Raw, RegisterFile};
use isa_spec::semantics::Int;
use isa_spec::semantics::machine::{Space, StateKind};

/// A place with a name and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A register, a flag, or a value that instructions write.
    Register(Register),
    /// A value that the launch sets.
    Launch(usize),
    /// Memory: space, bank, address.
    Memory(usize, u64, u64),
    /// The address of the instruction.
    Pc,
    /// The number of the lane.
    Lane,
}

impl Place {
    /// The place of a name.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn find(isa: &Isa, info: &MachineInfo, name: &str) -> Result<Self, String> {
        match name {
            "pc" => return Ok(Self::Pc),
            "lane" => return Ok(Self::Lane),
            _ => {}
        }
        let in_memory = name.strip_suffix(']').and_then(|name| name.split_once('['));
        if let Some((space, rest)) = in_memory.filter(|(space, _)| isa.machine.spaces.iter().any(|known| known.name == *space)) {
            return memory(isa, space, rest.trim_end_matches(']'));
        }
        // Machines do not know the names of halves.
        let half = |(of, file): (usize, &RegisterFile)| {
            let all = 0..file.halves.as_ref().map_or(0, |_| file.count);
            let number = all.into_iter().find(|number| file.name_of(*number).is_some_and(|own| own == name))?;
            Some(Register::Number(of, number as usize))
        };
        let half = isa.registers.iter().enumerate().find_map(half);
        if let Some(register) = half.or_else(|| Register::find(info, name).ok()?) {
            return Ok(Self::Register(register));
        }
        match (named_value(isa, name), in_memory) {
            (Some((StateKind::Launch, index)), _) => Ok(Self::Launch(index)),
            (_, Some((space, rest))) => memory(isa, space, rest.trim_end_matches(']')),
            _ => Err(unknown(isa, name)),
        }
    }

    /// The value of a number for the place, whose name messages have, and the number of bits that are set.
    ///
    /// # Errors
    /// When it is not a number, or does not fit.
    pub fn value(self, isa: &Isa, name: &str, number: &str) -> Result<(Int, u32), String> {
        let digits = number.strip_prefix('-').unwrap_or(number);
        let Some(value) = Int::parse(digits) else {
            return Err(format!("`{number}` is not a number of up to 256 bits"));
        };
        let width = match self {
            // The number of bytes follows from the digits.
            Self::Memory(..) => match digits.strip_prefix("0x") {
                Some(hex) => (4 * hex.chars().filter(|c| *c != '_').count() as u32).next_multiple_of(8).min(256),
                None => value.bits().next_multiple_of(8).max(32),
            },
            _ => self.width(isa),
        };
        let value = if digits == number {
            Some(value).filter(|v| v.bits() <= width)
        } else {
            // A negative number is set in two's complement.
            let least = i128::MIN >> (128 - width.min(128));
            value.to_i128().map(|n| -n).filter(|n| *n >= least).map(|n| Int::from_i128(n, width))
        };
        let Some(value) = value else {
            return Err(format!("`{name}` has {}: {number} does not fit", count(width, "bit")));
        };
        if self == Self::Lane && value.low() >= u64::from(isa.machine.lanes) {
            return Err(format!("a warp has {} lanes, numbered from 0", isa.machine.lanes));
        }
        Ok((value, width))
    }

    /// The width in bits of a place that is not in memory.
    pub(super) fn width(self, isa: &Isa) -> u32 {
        let value = |kind, index| {
            let mut values = isa.machine.state.iter().filter(|s| s.kind == kind);
            values.nth(index).map_or(0, |s| s.width)
        };
        match self {
            Self::Register(Register::Number(file, _)) => isa.registers[file].width,
            Self::Register(Register::Flags(file, _)) => isa.machine.flags[file].flags.len() as u32,
            Self::Register(Register::Flag(..)) => 1,
            Self::Register(Register::Value(index)) => value(StateKind::Written, index),
            Self::Launch(index) => value(StateKind::Launch, index).min(32),
            Self::Memory(..) => 256,
            Self::Pc => isa.machine.pc.min(64),
            Self::Lane => 32,
        }
    }
}

/// `global[ADDRESS]`, `const[BANK][ADDRESS]`: `rest` is the text after the first bracket, without the last one.
fn memory(isa: &Isa, name: &str, rest: &str) -> Result<Place, String> {
    let spaces = &isa.machine.spaces;
    let Some((index, space)) = spaces.iter().enumerate().find(|s| s.1.name == name) else {
        let known = spaces.iter().map(|s| s.name.as_str());
        let near = nearest(name, known).map_or(String::new(), |n| format!(": did you mean `{n}`?"));
        return Err(format!("there is no memory `{name}`{near}"));
    };
    let (bank, address) = match (rest.split_once("]["), space.banks) {
        (Some((bank, address)), Some(_)) => (bank, address),
        (None, None) => ("0", rest),
        (_, Some(_)) => return Err(format!("`{name}` has banks: write `{name}[BANK][ADDRESS]`")),
        (_, None) => return Err(format!("`{name}` has no banks: write `{name}[ADDRESS]`")),
    };
    let number = |text: &str| {
        let number = Int::parse(text).and_then(Int::to_i128).and_then(|n| u64::try_from(n).ok());
        number.ok_or_else(|| format!("`{text}` is not a number of 64 bits"))
    };
    let (bank, address) = (number(bank)?, number(address)?);
    inside(space, bank, address)?;
    Ok(Place::Memory(index, bank, address))
}

fn inside(space: &Space, bank: u64, address: u64) -> Result<(), String> {
    let name = &space.name;
    if bank >= u64::from(space.banks.unwrap_or(1)) {
        return Err(format!("`{name}` has {} banks, and no bank {bank}", space.banks.unwrap_or(1)));
    }
    if space.address < 64 && address >> space.address != 0 {
        return Err(format!("an address of `{name}` has {} bits: {address:#x} does not fit", space.address));
    }
    match space.size {
        Some(size) if address >= size => Err(format!("`{name}` has {size:#x} bytes: there is no address {address:#x}")),
        _ => Ok(()),
    }
}

fn unknown(isa: &Isa, name: &str) -> String {
    if let Some(last) = last_of(isa, name) {
        return format!("there is no `{name}`: the last register is `{last}`");
    }
    let mut known: Vec<String> = isa.machine.state.iter().map(|s| s.name.clone()).collect();
    for flags in &isa.machine.flags {
        known.extend(flags.flags.iter().map(|f| format!("{}{}.{f}", flags.name, if flags.count == 1 { "" } else { "0" })));
    }
    for file in &isa.registers {
        known.extend(file.special.iter().map(|s| s.1.clone()));
        known.extend((0..4).filter(|_| file.names.is_none()).filter_map(|i| file.name_of(i)));
    }
    if let Some(near) = nearest(name, known.iter().map(String::as_str)) {
        return format!("there is no `{name}`: did you mean `{near}`?");
    }
    let mut kinds: Vec<String> = isa.registers.iter().filter(|f| f.names.is_none()).filter_map(|f| f.name_of(0)).collect();
    kinds.extend(isa.machine.flags.iter().map(|f| if f.count == 1 { f.name.clone() } else { format!("{}0", f.name) }));
    kinds.extend(
        isa.machine
            .spaces
            .iter()
            .map(|s| if s.banks.is_some() { format!("{}[BANK][ADDRESS]", s.name) } else { format!("{}[ADDRESS]", s.name) }),
    );
    kinds.extend(isa.machine.state.iter().map(|s| s.name.clone()));
    kinds.push("pc".into());
    format!("there is no `{name}`: names are like {}", kinds.join(", "))
}

/// The last register that is numbered, for a name with a number that is too high.
fn last_of(isa: &Isa, name: &str) -> Option<String> {
    let is_number = |prefix: &str, suffix: &str| {
        let digits = name.strip_prefix(prefix).and_then(|n| n.strip_suffix(suffix));
        digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    let registers = isa.registers.iter().find_map(|file| {
        let special = |i: &Raw| file.special.iter().any(|s| s.0 == *i);
        let last = (0..file.count).rev().find(|i| !special(i))?;
        let suffix = |half: usize| format!("{}{}", file.halves.as_ref().map_or("", |h| &h[half]), file.suffix);
        (is_number(&file.prefix, &suffix(0)) || is_number(&file.prefix, &suffix(1))).then(|| file.name_of(last))?
    });
    registers.or_else(|| {
        let flags = isa.machine.flags.iter().find(|f| f.count > 1 && is_number(&f.name, ""))?;
        Some(format!("{}{}", flags.name, flags.count - 1))
    })
}

/// The name of a place in memory.
pub(super) fn memory_name(isa: &Isa, space: usize, bank: u64, address: u64) -> String {
    let space = &isa.machine.spaces[space];
    match space.banks {
        Some(_) => format!("{}[{bank}][{address:#x}]", space.name),
        None => format!("{}[{address:#x}]", space.name),
    }
}
