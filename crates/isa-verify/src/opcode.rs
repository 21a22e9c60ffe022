//! Opcodes and their words.

use crate::tokens::tokens;
use isa_engine::Sized;
use isa_engine::digits::parse_hex;
use isa_reference::samples::Random;
use isa_spec::bits::{BitRange, Bits, MAX_WORD, ranges};
use isa_spec::model::{Form, Isa, Word};
use isa_stream::Stop;
use std::collections::HashMap;
use std::str::FromStr;

/// An opcode: bits with a value, in words of a length.
#[derive(Clone, Debug)]
pub(crate) struct Opcode {
    pub(crate) mask: Word,
    pub(crate) value: Word,
    /// The value as a number: the opcode in the notation of the command line.
    pub(crate) number: Word,
    pub(crate) bits: u32,
    /// A word of it, if one was given.
    pub(crate) word: Option<Word>,
}

/// The greatest number of opcode bits if all opcodes are tried.
const MOST_OPCODE_BITS: u32 = 16;

/// Bits in the notation of the command line, the high part first: `91,11..0`.
#[derive(Clone, Debug)]
pub struct OpcodeBits(Bits);

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

impl OpcodeBits {
    /// The bits of an opcode in words of a length: those given, or those that all instructions of the length fix.
    pub(super) fn of(bits: Option<&Self>, isa: &Isa, length: u32) -> Bits {
        bits.map_or_else(
            || {
                let forms = isa.forms.iter().filter(|form| form.length == length);
                Bits(ranges(forms.fold(Word::ones(length), |mask, form| mask & form.mask)))
            },
            |OpcodeBits(bits)| bits.clone(),
        )
    }
}

impl Opcode {
    /// An opcode in the notation of the command line: its value, or, with all digits of a word, that word.
    pub(crate) fn find(isa: &Isa, given: &str, bits: Option<&OpcodeBits>) -> Result<Self, Stop> {
        let digits = given.trim_start_matches("0x");
        let wrong = || Stop::new(format!("`{given}` is not an opcode: a hexadecimal number"));
        let number: Word = parse_hex(digits.as_bytes()).filter(|_| !digits.is_empty() && digits.len() <= 64).ok_or_else(wrong)?;
        for length in &isa.words.lengths {
            let opcode = OpcodeBits::of(bits, isa, length.bits);
            let mask = opcode.mask();
            let is_word = digits.len() as u32 == length.bits.div_ceil(4) && opcode.width() < length.bits;
            let word = if is_word { number } else { opcode.set_all(Word::ZERO, number) };
            let width = if is_word { length.bits } else { opcode.width() };
            let fits = (mask & !Word::ones(length.bits)).is_zero() && (number & !Word::ones(width)).is_zero();
            if fits && !mask.is_zero() && length.prefix.contains(isa.first_unit(word, length.bits)) {
                let number = opcode.get_all(word);
                return Ok(Self { mask, value: word & mask, number, bits: length.bits, word: is_word.then_some(word) });
            }
        }
        let lengths = || isa.words.lengths.iter().map(|length| length.bits);
        let opcode = lengths().map(|bits_of_word| OpcodeBits::of(bits, isa, bits_of_word).width()).max().unwrap_or(0).div_ceil(4);
        let count = digits.len() as u32;
        if count > opcode && lengths().all(|bits_of_word| count != bits_of_word.div_ceil(4)) {
            let word = lengths().max().unwrap_or(0).div_ceil(4);
            let message = format!("`{given}` has {count} digits: an opcode has at most {opcode}, a whole word {word}");
            return Err(Stop::new(message));
        }
        let help = "--opcode BITS says which bits the opcode is: `--opcode 91,11..0`";
        Err(Stop::with_help(format!("no word of {} can have the opcode `{given}`", isa.name), help))
    }

    /// All opcodes of all lengths that no form of an instruction set has.
    pub(crate) fn free(isa: &Isa, bits: Option<&OpcodeBits>) -> Result<Vec<Self>, Stop> {
        let mut free = Vec::new();
        for length in &isa.words.lengths {
            let opcode = OpcodeBits::of(bits, isa, length.bits);
            let mask = opcode.mask();
            if mask.is_zero() || !(mask & !Word::ones(length.bits)).is_zero() {
                continue;
            }
            if opcode.width() > MOST_OPCODE_BITS {
                let message =
                    format!("opcodes of {} bits are more than can be tried: at most {MOST_OPCODE_BITS}", opcode.width());
                return Err(Stop::with_help(message, "--opcode BITS says which bits the opcode is: `--opcode 91,11..0`"));
            }
            let forms: Vec<&Form> = isa.forms.iter().filter(|form| form.length == length.bits).collect();
            let has = |value: Word| forms.iter().any(|form| ((form.value ^ value) & form.mask & mask).is_zero());
            let numbers = (0..1u32 << opcode.width()).map(Word::from);
            let all = numbers.map(|number| (number, opcode.set_all(Word::ZERO, number))).filter(|(_, value)| !has(*value));
            free.extend(all.map(|(number, value)| Self { mask, value, number, bits: length.bits, word: None }));
        }
        Ok(free)
    }

    /// The bits of its words that are not the opcode.
    pub(super) fn free_bits(&self) -> Word {
        Word::ones(self.bits) & !self.mask
    }

    /// A word with its length.
    pub(super) fn sized(&self, word: Word) -> Sized {
        Sized { word, bits: self.bits }
    }

    /// Words of the opcode: the given ones, with the opcode's bits, and `count` ones in which few or many free bits are changed.
    pub(super) fn words(&self, isa: &Isa, plain: &[Word], free: Word, count: usize) -> Vec<Sized> {
        let mut random = Random::new(0x5eed);
        let mut words: Vec<Word> = plain.iter().map(|word| *word & !self.mask | self.value).collect();
        if words.is_empty() {
            words.push(self.value);
        }
        let bases = words.len();
        for i in 0..count {
            let flips = (0..i % 4).fold(random.word(self.bits), |word, _| word & random.word(self.bits));
            words.push(words[i % bases] ^ flips & free);
        }
        words.dedup();
        let length = isa.words.lengths.iter().find(|length| length.bits == self.bits);
        words.retain(|word| length.is_some_and(|length| length.prefix.contains(isa.first_unit(*word, self.bits))));
        words.into_iter().map(|word| self.sized(word)).collect()
    }
}

/// The base word among those with a text: of the most frequent texts with the same names in the same order, the one with the
/// fewest of these bits set.
pub(super) fn plainest(said: impl Iterator<Item = (Word, String)>, free: Word) -> Option<(Word, String)> {
    let mut shapes: HashMap<String, Vec<(u32, Word, String)>> = HashMap::new();
    for (word, text) in said {
        let shape =
            tokens(&text).iter().map(|token| token.trim_end_matches(|c: char| c.is_ascii_hexdigit() || c == 'x')).collect();
        shapes.entry(shape).or_default().push(((word & free).count_ones(), word, text));
    }
    // A text without a proper name is not a good base.
    let is_odd = |shape: &str| shape.contains('?') || shape.contains("INVALID");
    let most = shapes.into_iter().max_by_key(|(shape, words)| (!is_odd(shape), words.len(), std::cmp::Reverse(shape.clone())));
    let (_, word, text) = most.and_then(|(_, words)| words.into_iter().min())?;
    Some((word, text.split_whitespace().collect::<Vec<_>>().join(" ")))
}
