//! Symbols in the place of operands that a linker fills in.

use crate::on_one_line;
use crate::target::changed;
use isa_engine::{Codec, Word};
use isa_object::{AddressPart, Operand, Relocation};
use std::fmt::{self, Display};

/// The symbol of a relocation, and the addend.
pub(super) struct Symbol<'r>(pub(super) &'r Relocation<'r>);

impl Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&on_one_line(&self.0.symbol))?;
        match self.0.addend {
            0 => Ok(()),
            addend if addend < 0 => write!(f, "-{:#x}", addend.unsigned_abs()),
            addend => write!(f, "+{addend:#x}"),
        }
    }
}

/// Puts a symbol into the text of a word, in the place of the operand that a linker fills in; returns whether there is one.
///
/// The operand is the part of the text that changes with its bits.
pub(super) fn put(
    codec: &mut dyn Codec,
    form: usize,
    word: Word,
    address: u64,
    relocations: &[Relocation<'_>],
    text: &mut Vec<u8>,
) -> bool {
    let named = |relocation: &&Relocation<'_>| relocation.operand.is_some() && !relocation.symbol.is_empty();
    let Some(relocation) = relocations.iter().find(named) else { return false };
    let Some(Operand { low, width, part }) = relocation.operand else { return false };
    let bits = codec.length(form);
    let field = |value: u128| Word::from(value) << low;
    // A value that is already there is added to the symbol, and may be scaled.
    if low + width > bits || word & field((1 << width) - 1) != Word::ZERO {
        return false;
    }
    let texts = [0x120 + (1 << (width - 5)), 0x248 + (2 << (width - 5))].map(|value| {
        let word = word | field(value);
        let is_same = codec.decode(word, bits).is_ok_and(|other| other == form);
        let mut text = Vec::new();
        codec.print(form, word, address, &mut text);
        is_same.then_some(text)
    });
    let [Some(mut one), Some(two)] = texts else { return false };
    let Some((place, _)) = changed(&one, &two) else { return false };
    if !one[place.clone()].iter().all(|byte| byte.is_ascii_hexdigit() || b"x][".contains(byte)) {
        return false;
    }
    let symbol = Symbol(relocation);
    let symbol = match part {
        AddressPart::Whole => symbol.to_string(),
        AddressPart::Low => format!("32@lo({symbol})"),
        AddressPart::High => format!("32@hi({symbol})"),
    };
    one.splice(place, symbol.bytes());
    *text = one;
    true
}
