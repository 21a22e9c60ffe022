//! Which words are those of an opcode.

use crate::digits::parse_hex;
use crate::output::Stop;
use isa_spec::bits::{BitRange, Bits, MAX_WORD, ranges};
use isa_spec::model::{Isa, Word};
use std::str::FromStr;

/// What is probed: these bits have this value, in words of so many bits.
#[derive(Clone, Debug)]
pub(crate) struct Opcode {
    pub(crate) mask: Word,
    pub(crate) value: Word,
    pub(crate) bits: u32,
}

/// Bits as they are given, the high part first: `91,11..0`.
#[derive(Clone, Debug)]
pub(crate) struct OpcodeBits(Bits);

impl FromStr for OpcodeBits {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let wrong = || format!("`{list}` is not a list of bits; one is `91,11..0`");
        let bit = |text: &str| text.trim().parse::<u32>().ok().filter(|bit| *bit < MAX_WORD).ok_or_else(wrong);
        let range = |part: &str| {
            let (hi, lo) = part.split_once("..").unwrap_or((part, part));
            let (hi, lo) = (bit(hi)?, bit(lo)?);
            if hi < lo { Err(wrong()) } else { Ok(BitRange { hi, lo }) }
        };
        let bits = list.split(',').map(range).collect::<Result<Vec<_>, _>>()?;
        let mut seen = Word::ZERO;
        for range in &bits {
            if !(seen & range.mask()).is_zero() {
                return Err(format!("`{list}` has a bit twice"));
            }
            seen |= range.mask();
        }
        Ok(Self(Bits(bits)))
    }
}

/// The words of an opcode: of the first length whose words can begin so.
pub(crate) fn find(isa: &Isa, value: &str, bits: Option<&OpcodeBits>) -> Result<Opcode, Stop> {
    let digits = value.trim_start_matches("0x");
    let wrong = || Stop::new(format!("`{value}` is not an opcode: a hexadecimal number"));
    let number: Word = parse_hex(digits.as_bytes()).filter(|_| !digits.is_empty() && digits.len() <= 64).ok_or_else(wrong)?;
    for length in &isa.words.lengths {
        let bits = match bits {
            Some(OpcodeBits(bits)) => bits.clone(),
            None => {
                let forms = isa.forms.iter().filter(|form| form.length == length.bits);
                Bits(ranges(forms.fold(Word::ones(length.bits), |mask, form| mask & form.mask)))
            }
        };
        let mask = bits.mask();
        let fits = (mask & !Word::ones(length.bits)).is_zero() && (number & !Word::ones(bits.width())).is_zero();
        let opcode = Opcode { mask, value: bits.set_all(Word::ZERO, number), bits: length.bits };
        let prefix = isa.first_unit(opcode.value, length.bits);
        if fits && !mask.is_zero() && length.prefix.contains(prefix) {
            return Ok(opcode);
        }
    }
    let help = "--opcode BITS says which bits the opcode is: `--opcode 91,11..0`";
    Err(Stop::with_help(format!("no word of {} can have the opcode `{value}`", isa.name), help))
}
