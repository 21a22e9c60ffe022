//! Compares the results of a specification and an oracle for words.

use crate::oracle::{Case, Oracle, Said};
use isa_engine::Sized;
use isa_engine::{Codec, Word};
use isa_runtime::engine::Bits;
use isa_stream::Stop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The kind of a disagreement about a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It has two different texts.
    Text,
    /// The specification refuses it, but the oracle has a text.
    Refused,
    /// The oracle refuses it, but the specification has a text.
    Accepted,
}

/// A word with a disagreement.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its kind.
    pub kind: Kind,
    /// The word.
    pub word: Sized,
    /// The form of the word, or the one that it comes closest to.
    pub form: Option<usize>,
    /// The specification's result.
    pub spec: Said,
    /// The oracle's result.
    pub oracle: Said,
}

/// The result of a comparison.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Both have the same text: a word of this form.
    Same(usize),
    /// Both refuse it.
    Neither,
    Differ(Box<Difference>),
}

impl Verdict {
    /// The form that the specification decodes the word to, and whether both have the same text.
    pub(crate) fn form(&self) -> Option<(usize, bool)> {
        match self {
            Self::Same(form) => Some((*form, true)),
            Self::Differ(difference) if difference.kind != Kind::Refused => Some((difference.form?, false)),
            Self::Neither | Self::Differ(_) => None,
        }
    }
}

/// The form of a word at an address, or the one that it comes closest to, and the result of a codec.
pub(crate) fn said(codec: &mut dyn Codec, Sized { word, bits }: Sized, address: u64) -> (Option<usize>, Said) {
    let word = Word::from_wide(word);
    match codec.decode(word, bits) {
        Ok(form) => {
            let mut text = Vec::new();
            codec.print(form, word, address, &mut text);
            (Some(form), Ok(String::from_utf8_lossy(&text).into_owned()))
        }
        Err(refused) => (refused.form, Err(refused.message)),
    }
}

/// Compares a codec's result for a case with the oracle's. The number of consecutive blanks does not count.
pub(crate) fn judge(codec: &mut dyn Codec, case: Case) -> Verdict {
    let Case { word, address, oracle } = case;
    let (form, spec) = said(codec, word, address);
    let kind = match (&spec, &oracle) {
        (Err(_), Err(_)) => return Verdict::Neither,
        (Err(_), Ok(_)) => Kind::Refused,
        (Ok(_), Err(_)) => Kind::Accepted,
        (Ok(a), Ok(b)) if a.split_whitespace().eq(b.split_whitespace()) => return Verdict::Same(form.unwrap_or_default()),
        (Ok(_), Ok(_)) => Kind::Text,
    };
    Verdict::Differ(Box::new(Difference { kind, word, form, spec, oracle }))
}

/// The number of words in one query: enough that the start of a program does not matter.
const BATCH: usize = 1 << 14;

/// Asks the oracle about all words, on `threads` threads, and judges its answers; `done` receives the number of words so far.
pub(crate) fn ask(
    codec: &dyn Codec,
    oracle: &dyn Oracle,
    words: &[Sized],
    threads: usize,
    done: impl Fn(usize) + Sync,
) -> Result<Vec<Verdict>, Stop> {
    let batches: Vec<&[Sized]> = words.chunks(BATCH.min(words.len().div_ceil(threads).max(1))).collect();
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::new());
    let work = |mut codec: Box<dyn Codec + '_>| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = batches.get(index) else { break };
            let cases = oracle.ask(batch);
            let is_wrong = cases.is_err();
            let verdicts = cases.map(|cases| cases.into_iter().map(|case| judge(&mut *codec, case)).collect::<Vec<_>>());
            let mut answers = answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            answers.push((index, verdicts));
            let so_far: usize = answers.iter().map(|(index, _)| batches[*index].len()).sum();
            drop(answers);
            done(so_far);
            if is_wrong {
                // The other threads stop too.
                next.store(batches.len(), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for codec in (0..threads).map(|_| codec.fork()) {
            scope.spawn(|| work(codec));
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    answers.sort_by_key(|(index, _)| *index);
    let mut all = Vec::with_capacity(words.len());
    for (_, verdicts) in answers {
        all.extend(verdicts?);
    }
    Ok(all)
}
