//! The comparison of texts.

use crate::chosen::Chosen;
use crate::coverage::{Coverage, Share};
use crate::groups::{self, Group};
use crate::judge::{self, Verdict};
use crate::oracle::Oracle;
use crate::vectors::{self, Columns};
use crate::words;
use isa_engine::Codec;
use isa_spec::model::{Isa, Word};
use isa_stream::Stop;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::path::Path;

/// The other texts.
pub enum Against<'a> {
    /// A disassembler, asked about words that are made.
    Oracle(&'a dyn Oracle, Tried<'a>),
    /// The words and texts of a file.
    Vectors(&'a Path, &'a Columns),
}

/// The words that an oracle is asked about.
pub struct Tried<'a> {
    /// Their approximate number.
    pub count: usize,
    /// The seed of the random ones.
    pub seed: u64,
    /// The number of oracles that run at the same time.
    pub threads: usize,
    /// Receives the number of words so far, and of all.
    pub done: &'a (dyn Fn(usize, usize) + Sync),
}

/// The results for all words.
pub struct Report<'a> {
    /// The disagreements.
    pub groups: Vec<Group>,
    /// The parts of the specification that occurred in words with one text.
    pub coverage: Coverage<'a>,
    /// The number of words.
    pub words: usize,
    /// The number of words with one text.
    pub same: usize,
    /// The number of words that both refuse.
    pub neither: usize,
    /// The forms that were named: those of their words with one text, and all.
    pub named: Vec<(&'a str, Share)>,
    /// The lines of the file that have no word, each with its place and the reason.
    pub faults: Vec<String>,
}

/// Compares the texts of a codec with others.
///
/// # Errors
/// When the oracle fails, or the file can't be read.
pub fn compare<'a>(isa: &'a Isa, codec: &dyn Codec, chosen: &'a Chosen, against: &Against<'_>) -> Result<Report<'a>, Stop> {
    let mut faults = Vec::new();
    let verdicts: Vec<(Word, Verdict)> = match against {
        Against::Oracle(oracle, tried) => {
            let words = words::words(isa, chosen, tried.count, tried.seed);
            let verdicts = judge::ask(codec, *oracle, &words, tried.threads, |done| (tried.done)(done, words.len()))?;
            words.iter().map(|word| word.word).zip(verdicts).collect()
        }
        Against::Vectors(path, columns) => {
            let cases = vectors::read(path, columns, codec.shape(), |line| faults.push(line))?;
            let mut codec = codec.fork();
            cases.into_iter().map(|case| (case.word.word, judge::judge(&mut *codec, case))).collect()
        }
    };
    let mut coverage = Coverage::new(isa, &chosen.forms);
    let (words, mut same, mut neither) = (verdicts.len(), 0, 0);
    let mut of_forms: Vec<Share> = vec![Share(0, 0); isa.forms.len()];
    for (word, verdict) in &verdicts {
        if let Some((form, is_same)) = verdict.form() {
            of_forms[form].0 += usize::from(is_same);
            of_forms[form].1 += 1;
        }
        match verdict {
            Verdict::Same(form) => {
                same += 1;
                coverage.add(*form, *word);
            }
            Verdict::Neither => neither += 1,
            Verdict::Differ(_) => {}
        }
    }
    let named = chosen.forms.iter().filter(|_| chosen.is_some);
    let named = named.map(|form| (isa.forms[*form].name.as_str(), of_forms[*form])).collect();
    let spec = |word| judge::said(&mut *codec.fork(), word, 0).1;
    let groups = match against {
        Against::Oracle(oracle, tried) => {
            let again = |words: &[_]| judge::ask(codec, *oracle, words, tried.threads, |_| {});
            groups::groups(isa, verdicts, &spec, Some(&again))?
        }
        Against::Vectors(..) => groups::groups(isa, verdicts, &spec, None)?,
    };
    Ok(Report { groups, coverage, words, same, neither, named, faults })
}

/// `{"words","same","neither","forms":[seen,all],"fields":[…],"values":[…],"unseen":[…],"unseen_values":[…]}`; with `--only` also
/// `"only":{form:[same,all]}`
impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pair = |Share(some, all): Share| [some, all];
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("words", &self.words)?;
        map.serialize_entry("same", &self.same)?;
        map.serialize_entry("neither", &self.neither)?;
        map.serialize_entry("forms", &pair(self.coverage.forms()))?;
        map.serialize_entry("fields", &pair(self.coverage.fields()))?;
        map.serialize_entry("values", &pair(self.coverage.values()))?;
        map.serialize_entry("unseen", &self.coverage.unseen())?;
        map.serialize_entry("unseen_values", &self.coverage.unseen_values())?;
        if !self.named.is_empty() {
            let named: BTreeMap<&str, [usize; 2]> = self.named.iter().map(|(form, share)| (*form, pair(*share))).collect();
            map.serialize_entry("only", &named)?;
        }
        map.end()
    }
}
