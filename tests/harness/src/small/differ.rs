//! Compares the reported difference of two versions of a small spec with that found by trying all words.

use super::brute::{Brute, Class};
use super::spec::{Spec, Word};
use isa_diff::{Change, Diff, Effect, What};
use isa_reference::codec::Codec;
use isa_spec::model::Isa;
use std::collections::BTreeMap;

/// The kinds of difference between two versions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Both are good specs: they were compared.
    pub is_good: bool,
    /// Words or texts are lost.
    pub is_broken: bool,
    /// Texts are assembled as words that they were not assembled as.
    pub is_assembled: bool,
    /// Something was left undecided.
    pub is_undecided: bool,
}

macro_rules! hold {
    ($holds:expr, $($why:tt)*) => {
        if !$holds {
            return Err(format!($($why)*));
        }
    };
}

/// A change to a word or a text of the old version.
struct Loss {
    what: String,
    /// The instruction whose text is reported as assembled to another word.
    instruction: Option<String>,
}

/// Two versions of which everything is known.
struct Both<'s> {
    specs: [&'s Spec; 2],
    brutes: [Brute; 2],
    codecs: [Codec<'s>; 2],
    /// The words of the new version, by their lengths.
    now: BTreeMap<(u32, Word), usize>,
}

/// Checks the difference of two versions, on at most `words` words of each length.
pub(super) fn differ(specs: [&Spec; 2], words: usize) -> Result<Compared, String> {
    let brutes = specs.map(Brute::new);
    if specs[0].is_text || !brutes.iter().all(Brute::is_good) {
        return Ok(Compared::default());
    }
    let isas = specs.map(|spec| isa_spec::load_str("small.yaml", &spec.yaml("small"), None).isa);
    // A changed spec can be wrong in more ways than a generated one.
    let [Some(old), Some(new)] = &isas else { return Ok(Compared::default()) };
    for isa in [old, new] {
        let changes = Diff::new(isa, isa).changes;
        hold!(changes.is_empty(), "a spec differs from itself: {}", shown(&changes));
    }
    let diff = Diff::new(old, new);
    let mut both = Both { specs, brutes, codecs: [Codec::new(old), Codec::new(new)], now: BTreeMap::new() };
    for length in &specs[1].lengths {
        let legal = both.brutes[1].classes(specs[1], length.bits).into_iter().filter_map(|(word, class)| match class {
            Class::Legal(form) => Some(((length.bits, word), form)),
            _ => None,
        });
        both.now.extend(legal);
    }
    let losses = both.losses(words);
    let is_undecided = diff.count(Effect::Undecided) > 0;
    if let Some(loss) = losses.first() {
        hold!(diff.is_breaking(), "{}, and nothing breaks: {}", loss.what, shown(&diff.changes));
    }
    let said = |name: &String| {
        diff.changes
            .iter()
            .any(|change| matches!(change.what, What::Assembled | What::AssembledUndecided) && change.name == *name)
    };
    for loss in &losses {
        if let Some(name) = &loss.instruction {
            hold!(said(name), "{}, and texts of {name} are said to be what they were: {}", loss.what, shown(&diff.changes));
        }
    }
    for change in &diff.changes {
        match change.what {
            What::Assembled => both.is_true(change, [old, new])?,
            What::Text => {
                let differs = change.example.as_ref().is_some_and(|e| e.old != e.new);
                hold!(differs, "without an example: {}", shown(std::slice::from_ref(change)));
            }
            _ => {}
        }
    }
    let is_assembled = diff.changes.iter().any(|change| change.what == What::Assembled);
    Ok(Compared { is_good: true, is_broken: !losses.is_empty(), is_assembled, is_undecided })
}

impl Both<'_> {
    /// The bits and the word that a version assembles a text to.
    fn read(&self, side: usize, text: &str) -> Option<(u32, Word)> {
        let (form, word) = self.codecs[side].parse(text, 0, &|_| None).ok()?;
        Some((self.codecs[side].isa().form(form).length, word.low() as Word))
    }

    /// The changes to words of the old version and to their texts.
    fn losses(&self, words: usize) -> Vec<Loss> {
        let mut losses = Vec::new();
        for length in &self.specs[0].lengths {
            let classes = self.brutes[0].classes(self.specs[0], length.bits);
            let legal: Vec<_> = classes
                .into_iter()
                .filter_map(|(word, class)| match class {
                    Class::Legal(form) => Some((form, word)),
                    _ => None,
                })
                .collect();
            let step = legal.len().div_ceil(words).max(1);
            for (form, word) in legal.into_iter().step_by(step) {
                self.losses_of(length.bits, form, word, &mut losses);
            }
        }
        losses
    }

    fn losses_of(&self, bits: u32, form: usize, word: Word, losses: &mut Vec<Loss>) {
        let own = &self.brutes[0].forms[form];
        let text = own.text(word);
        let kept = self.now.get(&(bits, word)).map(|form| &self.brutes[1].forms[*form]);
        let mut lose = |what: String, instruction: Option<String>| losses.push(Loss { what, instruction });
        match kept {
            None => lose(format!("{word:#x} of {} is refused", own.name), None),
            Some(now) if own.text_and_added(word) != now.text_and_added(word) => {
                lose(format!("{word:#x} of {} prints another text: `{}`", own.name, now.text_and_added(word)), None);
            }
            Some(_) => {}
        }
        let mut texts = own.also(word, 0);
        texts.extend([text.clone(), own.base_at(word, 0)]);
        texts.retain(|text| !text.is_empty());
        for other in texts {
            let Some(was) = self.read(0, &other) else { continue };
            let is = self.read(1, &other);
            if is == Some(was) {
                continue;
            }
            // A text that is printed as before is reported for another instruction.
            let is_own = other == text && was == (bits, word);
            let same = kept.filter(|now| is_own && now.name == own.name && now.text(word) == text);
            let instruction = same.map(|now| self.specs[1].instructions[now.instruction].0.clone());
            let shown = |read: Option<(u32, Word)>| read.map_or("nothing".to_owned(), |(_, word)| format!("{word:#x}"));
            lose(format!("`{other}` is assembled as {}, not as {}", shown(is), shown(Some(was))), instruction);
        }
    }

    /// The example of a change is a text that is assembled as it says.
    fn is_true(&self, change: &Change, isas: [&Isa; 2]) -> Result<(), String> {
        let said = shown(std::slice::from_ref(change));
        let Some(example) = &change.example else { return Err(format!("without an example: {said}")) };
        let [Ok(old), Ok(new)] = [&example.old, &example.new] else { return Err(format!("not a text: {said}")) };
        let (Some((a, was)), Some((b, is))) = (old.rsplit_once(" is 0x"), new.rsplit_once(" is 0x")) else {
            return Err(format!("no words: {said}"));
        };
        let reads = |side: usize, text: &str, word: &str| {
            let word = Word::from_str_radix(word, 16).ok();
            isas[side].forms.len() == self.brutes[side].forms.len() && self.read(side, text).map(|read| read.1) == word
        };
        hold!(a == b && was != is && reads(0, a, was) && reads(1, b, is), "not so: {said}");
        Ok(())
    }
}

fn shown(changes: &[Change]) -> String {
    let line = |change: &Change| {
        let example = change.example.as_ref().map(|e| format!(" ({:?} → {:?})", e.old, e.new));
        format!("\n  {}: {}{}", change.what.code(), change.message(), example.unwrap_or_default())
    };
    changes.iter().map(line).collect()
}
