//! Probes an opcode that a specification lacks, and drafts its entry.
//!
//! Words of the opcode are made from words of the existing forms. One that the oracle has a text for is the base: each of its
//! bits is inverted, and the change in the text shows the meaning of the bit. Bits that change the same place are one field, or
//! several whose texts are adjacent: pairs of bits decide which. All values of a small field are tried.

use crate::entry::{Draft, Entry, Piece};
use crate::inherited::inherited;
use crate::opcode::{Opcode, plainest};
use crate::oracle::Case;
use crate::slots::{Operand, Slot, literals, operand, signed};
use crate::tokens::{Hunk, hunks, number, tokens};
use isa_engine::Sized;
use isa_reference::samples::Samples;
use isa_spec::model::{Form, Isa, Word};
use isa_stream::Stop;
use isa_stream::count;
use std::collections::BTreeMap;

/// The number of words of an opcode that are tried to find one with a text.
const SEEDS: usize = 4096;
/// The width in bits up to which all values of a field are tried.
const MOST_BITS: usize = 8;

/// Asks the oracle for texts.
pub(crate) type Ask<'a> = &'a dyn Fn(&[Sized]) -> Result<Vec<Case>, Stop>;

/// A text of the opcode, and the means to ask for more.
struct Probe<'a> {
    isa: &'a Isa,
    ask: Ask<'a>,
    bits: u32,
    base: Word,
    tokens: Vec<String>,
    /// The token that is an address of the program.
    target: Option<usize>,
}

/// Drafts the entry of an opcode, or returns the reason why the oracle has no text for it.
pub(crate) fn draft(isa: &Isa, opcode: &Opcode, format: Option<&str>, ask: Ask<'_>) -> Result<Result<Draft, String>, Stop> {
    let inherited = inherited(isa, opcode, format)?;
    let free = opcode.free_bits() & !inherited.fields;
    let (base, text) = match base(isa, opcode, free, inherited.format.as_deref(), ask)? {
        Ok(base) => base,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut probe = Probe { isa, ask, bits: opcode.bits, base, tokens: tokens(&text), target: None };
    // Addresses of the program are relative to this word, which was not the first one of the query.
    if let Some(Some(text)) = probe.texts(&[base])?.into_iter().next() {
        probe.tokens = tokens(&text);
    }
    probe.target = probe.find_target()?;
    let bits: Vec<u32> = (0..opcode.bits).filter(|bit| !(free & Word::bit(*bit)).is_zero()).collect();
    let turned: Vec<Word> = bits.iter().map(|bit| base ^ Word::bit(*bit)).collect();
    let mut entry = Entry::new(opcode, inherited, &probe.tokens.concat(), base);
    let mut slots: BTreeMap<(usize, usize), Slot> = BTreeMap::new();
    for (bit, said) in bits.iter().zip(probe.texts(&turned)?) {
        let Some(text) = said else {
            entry.must(*bit);
            continue;
        };
        match probe.hunks(&text).as_slice() {
            [] => entry.silent(*bit),
            [Hunk { from, to, text }] => {
                let base = probe.tokens[*from..*to].concat();
                let slot = Slot { from: *from, to: *to, base, bits: Vec::new() };
                slots.entry((*from, *to)).or_insert(slot).bits.push((*bit, text.clone()));
            }
            several if several.iter().all(|hunk| hunk.from == hunk.to) => {
                entry.literals(*bit, several.iter().flat_map(|hunk| literals(isa, &hunk.text)));
                entry.around(*bit, several);
            }
            _ => entry.unclear(*bit, &text),
        }
    }
    let hidden = hidden(&mut slots);
    for slot in slots.into_values() {
        let is_target = probe.target.is_some_and(|at| slot.from <= at && at < slot.to);
        let place = (slot.from, slot.to);
        match (operand(isa, &slot, base, is_target), hidden.get(&place)) {
            (Some(operand), None) => entry.operand(place, operand),
            (Some(mut operand), Some((from, to))) => {
                operand.before = probe.tokens[*from..slot.from].concat();
                operand.after = probe.tokens[slot.to..*to].concat();
                operand.default = Some("0".to_owned());
                entry.operand((*from, *to), operand);
            }
            (None, _) => probe.choices(slot, &mut entry)?,
        }
    }
    Ok(Ok(entry.draft(&probe.tokens)))
}

/// A place of a text: a range of tokens.
type Place = (usize, usize);

/// Finds numbers with exactly one bit set, which vanish when it is inverted, together with more than the number. That bit becomes
/// one of the number's. Returns, for the place of each such number, the place of everything that vanishes.
fn hidden(slots: &mut BTreeMap<Place, Slot>) -> BTreeMap<Place, Place> {
    let vanishes = |slot: &Slot| slot.from < slot.to && slot.bits.len() == 1 && slot.bits[0].1.is_empty();
    let outer: Vec<Place> = slots.values().filter(|slot| vanishes(slot)).map(|slot| (slot.from, slot.to)).collect();
    let mut hidden = BTreeMap::new();
    for place in outer {
        let is_inside = |slot: &&Slot| {
            (slot.from, slot.to) != place && place.0 <= slot.from && slot.to <= place.1 && number(&slot.base).is_some()
        };
        let Some(inner) = slots.values().find(is_inside).map(|slot| (slot.from, slot.to)) else { continue };
        let bits = slots.remove(&place).map_or(Vec::new(), |slot| slot.bits);
        let zero = |bit: u32| (bit, "0".to_owned());
        slots.entry(inner).and_modify(|slot| slot.bits.extend(bits.iter().map(|(bit, _)| zero(*bit))));
        hidden.insert(inner, place);
    }
    hidden
}

/// The base word of the opcode and its text, or the reason why there is none.
fn base(
    isa: &Isa,
    opcode: &Opcode,
    free: Word,
    format: Option<&str>,
    ask: Ask<'_>,
) -> Result<Result<(Word, String), String>, Stop> {
    let is_like = |form: &&Form| {
        let name = isa.instruction(form.instruction).format.map(|id| isa.formats[id.index()].name.as_str());
        form.length == opcode.bits && name == format
    };
    let mut plain = isa.forms.iter().filter(is_like).map(|form| Samples::new(isa, form).plain());
    let words = match opcode.word {
        // The format's fields are as in plain words, if the word still has a text then.
        Some(word) => {
            let with = plain.next().map(|plain| word & (free | opcode.mask) | plain & !(free | opcode.mask));
            with.into_iter().chain([word]).map(|word| opcode.sized(word)).collect()
        }
        None => opcode.words(isa, &plain.collect::<Vec<_>>(), free, SEEDS),
    };
    let mut refused = None;
    let said = ask(&words)?.into_iter().filter_map(|case| match case.oracle {
        Ok(text) => Some((case.word.word, text)),
        Err(reason) => {
            refused.get_or_insert(reason);
            None
        }
    });
    let base = match opcode.word {
        Some(_) => { said }.next(),
        None => plainest(said, free),
    };
    Ok(base.ok_or_else(|| match opcode.word {
        Some(word) => {
            format!("the oracle has no text for {}: {}", opcode.sized(word), refused.unwrap_or_default())
        }
        None => {
            let bits = isa_spec::bits::fixed_bits(opcode.mask, opcode.value);
            format!("the oracle has no text for any of {} with {bits}", count(words.len(), "word"))
        }
    }))
}

impl Probe<'_> {
    /// The texts of words, `None` if they are refused. Addresses of the program are made relative to the word.
    fn texts(&self, words: &[Word]) -> Result<Vec<Option<String>>, Stop> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let sized: Vec<Sized> = words.iter().map(|word| Sized { word: *word, bits: self.bits }).collect();
        let text = |case: Case| {
            let text = case.oracle.ok()?.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(self.moved(text, case.address.into()))
        };
        Ok((self.ask)(&sized)?.into_iter().map(text).collect())
    }

    /// The text of a word at an address, converted to address 0.
    fn moved(&self, text: String, address: i128) -> String {
        let mut tokens = tokens(&text);
        let Some(at) = self.target else { return text };
        // Tokens inserted before it shift its index.
        let is_same_behind = tokens.ends_with(&self.tokens[at + 1..]);
        let at = if is_same_behind { (at + tokens.len()).checked_sub(self.tokens.len()) } else { Some(at) };
        let Some(token) = at.and_then(|at| tokens.get_mut(at)) else { return text };
        if let Some((value, is_hex)) = number(token) {
            let (sign, size) = (if value < address { "-" } else { "" }, (value - address).unsigned_abs());
            *token = if is_hex { format!("{sign}{size:#x}") } else { format!("{sign}{size}") };
        }
        tokens.concat()
    }

    /// The token that differs when the same word is at another address.
    fn find_target(&self) -> Result<Option<usize>, Stop> {
        let [Some(a), Some(b)] = &self.texts(&[self.base; 2])?[..] else { return Ok(None) };
        Ok(match hunks(&tokens(a), &tokens(b)).as_slice() {
            [Hunk { from, to, .. }] if from + 1 == *to => Some(*from),
            _ => None,
        })
    }

    fn hunks(&self, text: &str) -> Vec<Hunk> {
        hunks(&self.tokens, &tokens(text))
    }

    /// The text at a place, if the rest of the text is that of the base.
    fn at(&self, slot: &Slot, text: &str) -> Option<String> {
        let (before, after) = (self.tokens[..slot.from].concat(), self.tokens[slot.to..].concat());
        let rest = text.strip_prefix(&before)?;
        rest.strip_suffix(&after).map(str::to_owned)
    }

    fn word(&self, bits: &[u32]) -> Word {
        bits.iter().fold(self.base, |word, bit| word ^ Word::bit(*bit))
    }

    /// Fields whose values are texts: bits with adjacent texts are fields of their own.
    fn choices(&self, slot: Slot, entry: &mut Entry<'_>) -> Result<(), Stop> {
        let pairs: Vec<(usize, usize)> =
            (0..slot.bits.len()).flat_map(|a| (a + 1..slot.bits.len()).map(move |b| (a, b))).collect();
        let words: Vec<Word> = pairs.iter().map(|(a, b)| self.word(&[slot.bits[*a].0, slot.bits[*b].0])).collect();
        let mut group: Vec<usize> = (0..slot.bits.len()).collect();
        // The number of texts before each.
        let mut before = vec![0; slot.bits.len()];
        for ((a, b), text) in pairs.into_iter().zip(self.texts(&words)?) {
            let text = text.and_then(|text| self.at(&slot, &text));
            let (first, second) = (&slot.bits[a].1, &slot.bits[b].1);
            match text {
                Some(text) if slot.base.is_empty() && text == format!("{first}{second}") => before[b] += 1,
                Some(text) if slot.base.is_empty() && text == format!("{second}{first}") => before[a] += 1,
                _ => {
                    let (from, to) = (group[b], group[a]);
                    group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        group.iter().enumerate().for_each(|(bit, group)| groups.entry(*group).or_default().push(bit));
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort_by_key(|members| members.iter().map(|bit| before[*bit]).min());
        for members in groups {
            let bits: Vec<u32> = members.iter().map(|member| slot.bits[*member].0).collect();
            let own = Slot { bits: members.iter().map(|member| slot.bits[*member].clone()).collect(), ..slot.clone() };
            if let Some(operand) = operand(self.isa, &own, self.base, false).filter(|operand: &Operand| operand.bits.len() > 1) {
                entry.operand((slot.from, slot.to), operand);
            } else if bits.len() > MOST_BITS {
                bits.iter().zip(&members).for_each(|(bit, member)| entry.unclear(*bit, &slot.bits[*member].1));
            } else {
                let values = self.values(&slot, &bits)?;
                let piece = match signed(self.isa, &bits, &values) {
                    Some((bit, sign, operand)) => Piece::signed((bit, &sign), operand),
                    None => {
                        if let ([bit], true) = (bits.as_slice(), slot.base.is_empty()) {
                            entry.literals(*bit, literals(self.isa, &slot.bits[members[0]].1));
                        }
                        Piece::choice(bits, values)
                    }
                };
                entry.piece((slot.from, slot.to), piece);
            }
        }
        Ok(())
    }

    /// The texts of all values of bits, the lowest bit first.
    fn values(&self, slot: &Slot, bits: &[u32]) -> Result<Vec<Option<String>>, Stop> {
        let mask = bits.iter().fold(Word::ZERO, |mask, bit| mask | Word::bit(*bit));
        let word = |value: usize| {
            let set = bits.iter().enumerate().filter(|(k, _)| value >> k & 1 == 1);
            set.fold(self.base & !mask, |word, (_, bit)| word | Word::bit(*bit))
        };
        let words: Vec<Word> = (0..1 << bits.len()).map(word).collect();
        Ok(self.texts(&words)?.into_iter().map(|text| self.at(slot, &text?)).collect())
    }
}
