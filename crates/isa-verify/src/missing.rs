//! Opcodes that an oracle has and a specification lacks.

use crate::opcode::{Opcode, OpcodeBits, plainest};
use crate::oracle::Oracle;
use crate::tokens::mnemonic;
use isa_engine::Sized;
use isa_reference::samples::Samples;
use isa_spec::model::{FormatId, Isa, Word};
use isa_stream::Stop;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::{BTreeSet, HashMap};

/// An opcode without a form for which the oracle has a text.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The number of the opcode.
    pub number: Word,
    /// Its mnemonics in texts of the oracle: one, or several.
    pub mnemonics: Vec<String>,
    /// The plainest word with a text.
    pub word: Sized,
    /// Its text.
    pub text: String,
}

/// The least and the greatest number of words that are tried for each opcode.
const TRIES: [usize; 2] = [16, 4096];
/// The number of words in one query.
const BATCH: usize = 1 << 14;

/// The opcodes that no form has and the oracle has a text for, found with about `count` words; with the number of opcodes that no
/// form has. An opcode is `bits`, or the bits that all instructions of a length fix; `done` receives the number of opcodes so far,
/// and of all.
///
/// # Errors
/// When the opcodes are too many, or the oracle fails.
pub fn missing(
    isa: &Isa,
    oracle: &dyn Oracle,
    bits: Option<&OpcodeBits>,
    count: usize,
    mut done: impl FnMut(usize, usize),
) -> Result<(Vec<Missing>, usize), Stop> {
    let opcodes = Opcode::free(isa, bits)?;
    let tries = (count / opcodes.len().max(1)).clamp(TRIES[0], TRIES[1]);
    let mut plain: HashMap<u32, Vec<Word>> = HashMap::new();
    let mut found = Vec::new();
    let (mut so_far, all) = (0, opcodes.len());
    for opcodes in opcodes.chunks((BATCH / tries).max(1)) {
        let mut words = Vec::new();
        let mut counts = Vec::new();
        for opcode in opcodes {
            let plain = plain.entry(opcode.bits).or_insert_with(|| plain_words(isa, opcode.bits, tries));
            let own = opcode.words(isa, plain, opcode.free_bits(), tries.saturating_sub(plain.len()));
            counts.push(own.len());
            words.extend(own);
        }
        let mut said = oracle.ask(&words)?.into_iter();
        for (opcode, count) in opcodes.iter().zip(counts) {
            let texts: Vec<(Word, String)> =
                said.by_ref().take(count).filter_map(|case| Some((case.word.word, case.oracle.ok()?))).collect();
            let names: BTreeSet<String> = texts.iter().map(|(_, text)| mnemonic(text, false).to_owned()).collect();
            let Some((word, text)) = plainest(texts.into_iter(), opcode.free_bits()) else { continue };
            let word = opcode.sized(word);
            found.push(Missing { number: opcode.number, mnemonics: names.into_iter().collect(), word, text });
        }
        so_far += opcodes.len();
        done(so_far, all);
    }
    Ok((found, all))
}

/// Plain words of a length: one for each format, at most half the number of tries.
fn plain_words(isa: &Isa, length: u32, tries: usize) -> Vec<Word> {
    let mut seen: BTreeSet<Option<FormatId>> = BTreeSet::new();
    let forms = isa.forms.iter().filter(|form| form.length == length);
    let first = forms.filter(|form| seen.insert(isa.instruction(form.instruction).format));
    first.map(|form| Samples::new(isa, form).plain()).take(tries / 2).collect()
}

/// `{"opcode","mnemonics":[…],"word","text"}`
impl Serialize for Missing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("opcode", &format!("{:#x}", self.number))?;
        map.serialize_entry("mnemonics", &self.mnemonics)?;
        map.serialize_entry("word", &self.word.to_string())?;
        map.serialize_entry("text", &self.text)?;
        map.end()
    }
}
