//! Both versions with their codecs, and examples of words.

use super::change::Example;
use super::found::Side;
use isa_reference::codec::Codec;
use isa_spec::bits::Raw;
use isa_spec::model::{Form, FormId, Isa, Label, Word, ones};
use isa_spec::same_text::Texts;
use isa_spec::sets::{Set, Solver, TooLarge, WordSet};

/// The number of forms that are named if words of one form became words of several others.
const MAX_TAKERS: usize = 8;

/// Both versions with their codecs.
pub(super) struct Versions<'a> {
    pub(super) isas: [&'a Isa; 2],
    pub(super) codecs: [Codec<'a>; 2],
    pub(super) texts: [Texts<'a>; 2],
}

impl<'a> Versions<'a> {
    pub(super) fn new(isas: [&'a Isa; 2]) -> Self {
        Self { isas, codecs: isas.map(Codec::new), texts: isas.map(Texts::of_version) }
    }

    pub(super) fn is_text(&self) -> bool {
        self.isas.iter().any(|isa| isa.is_text())
    }

    /// The result of a version for a word.
    pub(super) fn outcome(&self, side: usize, word: Word, bits: u32, is_full: bool) -> (Option<FormId>, Result<String, String>) {
        let codec = &self.codecs[side];
        match codec.decode(word, bits) {
            Ok(form) => {
                let mut text = String::new();
                if is_full {
                    codec.print_full(form, word, 0, &mut text);
                } else {
                    codec.print(form, word, 0, &mut text);
                }
                (Some(form), Ok(text))
            }
            Err(why) => (None, Err(why.to_string())),
        }
    }

    /// The results of both for a word. If plain texts are the same, the texts of `--full`, then the forms.
    pub(super) fn example(&self, word: Word, bits: u32) -> Example {
        let digits = bits.div_ceil(4) as usize;
        let made = |is_full| [0, 1].map(|side| self.outcome(side, word, bits, is_full));
        let mut both = made(false);
        if both[0].1 == both[1].1 {
            both = made(true);
        }
        if both[0].1 == both[1].1 {
            for (side, (form, text)) in both.iter_mut().enumerate() {
                if let (Some(form), Ok(text)) = (form, text) {
                    *text = format!("{text} ({})", self.isas[side].form(*form).name);
                }
            }
        }
        let [old, new] = both.map(|(_, text)| text);
        Example { word: Some(format!("0x{word:0digits$x}")), old, new }
    }

    /// An example of two forms: with their own words in a text-only instruction set.
    pub(super) fn shown(&self, forms: [&Form; 2], words: [Word; 2]) -> Example {
        if !self.is_text() {
            return self.example(words[0], forms[0].length);
        }
        let [old, new] = [0, 1].map(|side| {
            let mut text = String::new();
            self.codecs[side].print(forms[side].id, words[side], 0, &mut text);
            Ok(text)
        });
        Example { word: None, old, new }
    }

    /// An example of a form that is gone.
    pub(super) fn first(&self, form: &Form) -> Option<Example> {
        self.alone(0, form)
    }

    /// An example of a form that is new.
    pub(super) fn first_new(&self, form: &Form) -> Option<Example> {
        self.alone(1, form)
    }

    pub(super) fn alone(&self, side: usize, form: &Form) -> Option<Example> {
        let word = legal(form, &mut Solver::new(self.isas[side].order(form.length))).ok()?;
        let word = word.nearest(form.default_word(), Word::ZERO)?;
        if !self.is_text() {
            return Some(self.example(word, form.length));
        }
        let mut text = String::new();
        self.codecs[side].print(form.id, word, 0, &mut text);
        let mut both = [Err("there is no such form".to_owned()), Err("there was no such form".to_owned())];
        both.swap(0, 1);
        both[side] = Ok(text);
        let [old, new] = both;
        Some(Example { word: None, old, new })
    }

    /// True if a form of each version has the same words.
    pub(super) fn has_same_words(&self, old: &Form, new: &Form) -> bool {
        let mut solver = Solver::new(self.isas[0].order(old.length));
        let words = solver.attempt(|s| Ok((own(s, old)?, own(s, new)?)));
        words.is_ok_and(|(a, b)| a == b)
    }

    /// A word that shows a value of an enumeration or register file, in the first form that can have it.
    pub(super) fn example_of(&self, side: Side, is_it: impl Fn(Label) -> bool, value: Raw) -> Option<Example> {
        let side = side as usize;
        let isa = self.isas[side];
        let uses = isa.forms.iter().filter_map(|form| Some((form, form.fields.iter().find(|f| is_it(f.label))?)));
        uses.take(MAX_TAKERS).find_map(|(form, field)| {
            if value > ones(field.bits.width()) {
                return None;
            }
            let raw = field.bits_of(value)?;
            let words = legal(form, &mut Solver::new(isa.order(form.length))).ok()?;
            let wanted = field.bits.set(form.default_word(), raw);
            let word = words.nearest(wanted, field.bits.mask())?;
            if !self.is_text() {
                return Some(self.example(word, form.length));
            }
            let other = self.isas[1 - side].forms.iter().find(|f| f.name == form.name)?;
            let there = carry(form, other, word);
            let (forms, words) = if side == 0 { ([form, other], [word, there]) } else { ([other, form], [there, word]) };
            Some(self.shown(forms, words))
        })
    }
}

/// The words that decode to a form.
pub(super) fn own(solver: &mut Solver<'_>, form: &Form) -> Result<Set, TooLarge> {
    let (words, legal) = (solver.import(&form.words)?, solver.import(&form.legal)?);
    solver.and(words, legal)
}

pub(super) fn legal(form: &Form, solver: &mut Solver<'_>) -> Result<WordSet, TooLarge> {
    let set = solver.attempt(|solver| own(solver, form))?;
    Ok(solver.freeze(set))
}

/// The word of another form in which fields with the same name have the same bits.
pub(super) fn carry(from: &Form, to: &Form, word: Word) -> Word {
    to.fields.iter().fold(to.default_word(), |made, field| match from.field(&field.path) {
        Some(other) => field.bits.set(made, other.bits.get(word) & ones(field.bits.width())),
        None => made,
    })
}
