//! `NAME=VALUE`: a value for a place in the state of a lane.

use crate::output::count;
use crate::places::Place;
use isa_runtime::literal::{self, Literal};
use isa_spec::model::Isa;
use isa_spec::semantics::Int;
use isa_spec::semantics::machine::StateKind;

/// The name and the number.
pub(crate) fn split(text: &str) -> Result<(&str, &str), String> {
    let (name, number) = text.split_once('=').ok_or_else(|| format!("`{text}`: a value is set as NAME=VALUE"))?;
    Ok((name.trim(), number.trim()))
}

/// The value of a number for a place with a name, and the number of bits that are set.
pub(crate) fn value(isa: &Isa, (name, place): (&str, Place), number: &str) -> Result<(Int, u32), String> {
    let read = Literal::whole(number, literal::SIGNED).map_err(|why| why.to_string())?;
    let value = Int(read.digits.magnitude.unwrap_or_default());
    let width = match place {
        // The number of bytes follows from the digits.
        Place::Memory(..) if read.radix == 16 => {
            let digits = number[read.start..].chars().filter(|c| *c != '_').count();
            (4 * digits as u32).next_multiple_of(8).min(256)
        }
        Place::Memory(..) => value.bits().next_multiple_of(8).max(32),
        _ => width(isa, place),
    };
    let value = if !read.is_negative {
        Some(value).filter(|v| v.bits() <= width)
    } else {
        // A negative number is set in two's complement.
        let least = i128::MIN >> (128 - width.min(128));
        value.to_i128().map(|n| -n).filter(|n| *n >= least).map(|n| Int::from_i128(n, width))
    };
    let Some(value) = value else {
        return Err(format!("`{name}` has {}: {number} does not fit", count(width as usize, "bit")));
    };
    if place == Place::Lane && value.low() >= u64::from(isa.machine.lanes) {
        return Err(format!("a warp has {} lanes, numbered from 0", isa.machine.lanes));
    }
    Ok((value, width))
}

/// The width in bits of a place that is not in memory.
pub(crate) fn width(isa: &Isa, place: Place) -> u32 {
    let value = |kind, index| {
        let mut values = isa.machine.state.iter().filter(|s| s.kind == kind);
        values.nth(index).map_or(0, |s| s.width)
    };
    match place {
        Place::Register(file, _) => isa.registers[file].width,
        Place::Flags(file, _) => isa.machine.flags[file].flags.len() as u32,
        Place::Flag(..) => 1,
        Place::Value(index) => value(StateKind::Written, index),
        Place::Launch(index) => value(StateKind::Launch, index).min(32),
        Place::Memory(..) => 256,
        Place::Pc => isa.machine.pc.min(64),
        Place::Lane => 32,
    }
}
