//! Names of the state of a lane: registers, flags, values, memory. `R2`, `C0.z`, `C0`, `mode`, `tid.x`, `global[0x10]`,
//! `const[1][0x10]`.

use super::count;
use crate::eval::named_value;
use isa_spec::diag::nearest;
use isa_spec::model::{Isa, Raw, RegisterFile};
use isa_spec::semantics::Int;
use isa_spec::semantics::machine::{LAUNCH_VALUES, Space, StateKind};

/// A place with a name and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Register of a file.
    Register(usize, usize),
    /// Register of flags.
    Flags(usize, usize),
    /// One flag.
    Flag(usize, usize, u32),
    /// A value that instructions write.
    Value(usize),
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
    pub fn find(isa: &Isa, name: &str) -> Result<Self, String> {
        match name {
            "pc" => return Ok(Self::Pc),
            "lane" => return Ok(Self::Lane),
            _ => {}
        }
        if let Some(place) = register(isa, name) {
            return Ok(place);
        }
        if let Some((kind, index)) = named_value(isa, name) {
            return Ok(if kind == StateKind::Launch { Self::Launch(index) } else { Self::Value(index) });
        }
        if name.ends_with(']')
            && let Some((space, rest)) = name.split_once('[')
        {
            return memory(isa, space, rest.trim_end_matches(']'));
        }
        flags(isa, name).ok_or_else(|| unknown(isa, name))
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
            Self::Register(file, _) => isa.registers[file].width,
            Self::Flags(file, _) => isa.machine.flags[file].flags.len() as u32,
            Self::Flag(..) => 1,
            Self::Value(index) => value(StateKind::Written, index),
            Self::Launch(index) => value(StateKind::Launch, index).min(32),
            Self::Memory(..) => 256,
            Self::Pc => isa.machine.pc.min(64),
            Self::Lane => 32,
        }
    }
}

fn register(isa: &Isa, name: &str) -> Option<Place> {
    let of = |(i, file): (usize, &RegisterFile)| {
        if let Some((index, _)) = file.special.iter().find(|s| s.1 == name) {
            return Some(Place::Register(i, usize::try_from(*index).ok()?));
        }
        let rest = name.strip_prefix(file.prefix.as_str())?.strip_suffix(file.suffix.as_str())?;
        let halves = file.halves.as_ref().map(|h| [(h[0].as_str(), 0), (h[1].as_str(), 1)]);
        let (digits, half) = match halves {
            Some(halves) => halves.into_iter().find_map(|(text, half)| Some((rest.strip_suffix(text)?, Some(half))))?,
            None => (rest, None),
        };
        let number: Raw = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
        let index = half.map_or(Some(number), |h| number.checked_mul(2)?.checked_add(h))?;
        file.name_of(index).filter(|n| n == name)?;
        Some(Place::Register(i, usize::try_from(index).ok()?))
    };
    // Registers named by programs have no names in the instruction set.
    isa.registers.iter().enumerate().filter(|(_, file)| file.names.is_none()).find_map(of)
}

fn flags(isa: &Isa, name: &str) -> Option<Place> {
    let (register, flag) = name.split_once('.').map_or((name, None), |(r, f)| (r, Some(f)));
    let (file, index) = isa.machine.flags.iter().enumerate().find_map(|(i, f)| {
        let digits = register.strip_prefix(f.name.as_str())?;
        let index = match digits {
            "" if f.count == 1 => 0,
            _ => digits.parse().ok().filter(|n: &usize| *n < f.count as usize && n.to_string() == digits)?,
        };
        Some((i, index))
    })?;
    let Some(flag) = flag else { return Some(Place::Flags(file, index)) };
    let bit = isa.machine.flags[file].flags.iter().position(|f| f == flag)?;
    Some(Place::Flag(file, index, bit as u32))
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

/// The name of a register of flags.
pub(super) fn flags_name(isa: &Isa, file: usize, index: usize) -> String {
    let flags = &isa.machine.flags[file];
    if flags.count == 1 { flags.name.clone() } else { format!("{}{index}", flags.name) }
}

/// The name of a register.
pub(super) fn register_name(isa: &Isa, file: usize, index: usize) -> String {
    let file = &isa.registers[file];
    file.name_of(index as Raw).unwrap_or_else(|| format!("{}[{index}]", file.name))
}

/// The name of a place in memory.
pub(super) fn memory_name(isa: &Isa, space: usize, bank: u64, address: u64) -> String {
    let space = &isa.machine.spaces[space];
    match space.banks {
        Some(_) => format!("{}[{bank}][{address:#x}]", space.name),
        None => format!("{}[{address:#x}]", space.name),
    }
}

/// The name of a value that the launch sets, or that instructions write, by its place among these.
pub(super) fn value_name(isa: &Isa, kind: StateKind, index: usize) -> &str {
    let mut values = isa.machine.state.iter().filter(|s| s.kind == kind);
    values.nth(index).map_or(LAUNCH_VALUES[0], |s| &s.name)
}
