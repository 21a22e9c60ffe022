//! Texts that are assembled as another word. Among several words with one text one is assembled; with other forms, words or
//! defaults, and in another order of the forms, it can be another one, even if each word prints the same text as before.

use super::alike::is_alike;
use super::change::{Example, What};
use super::found::{Changes, Side};
use super::spelt::spelt;
use super::versions::{Versions, legal, own};
use isa_spec::model::{Form, FormId, Isa, Prefer, Word};
use isa_spec::same_text::{Template, heads_of, losers, unchanged};
use isa_spec::sets::{Set, Solver, TooLarge, WordSet};
use std::collections::HashMap;

/// A template with the order in which it is tried: templates that are printed come first, then those without aliases, then those
/// that are only read, each in the order of the forms.
#[derive(Clone, Copy)]
struct Reader<'a> {
    template: Template<'a>,
    rank: (usize, u32, FormId, usize),
    /// The common beginning of all its texts.
    head: &'a str,
}

/// The templates of a version.
fn readers<'a>(isa: &'a Isa) -> Vec<Reader<'a>> {
    let of_form = |form: &'a Form| {
        let templates = std::iter::once(&form.text).chain(&form.also).enumerate();
        templates.map(move |(at, text)| {
            let pass = if at == 1 && !form.has_base { 2 } else { at.min(2) };
            let length = if isa.prefer == Prefer::Shortest { form.length } else { 0 };
            Reader { template: Template { form, text }, rank: (pass, length, form.id, at), head: "" }
        })
    };
    let mut all: Vec<Reader<'a>> = isa.forms.iter().flat_map(of_form).collect();
    let templates: Vec<Template<'a>> = all.iter().map(|reader| reader.template).collect();
    for (reader, head) in all.iter_mut().zip(heads_of(&templates)) {
        reader.head = head;
    }
    all
}

impl Reader<'_> {
    fn is(&self, other: &Self) -> bool {
        self.rank == other.rank
    }

    /// True if the texts of two templates can begin with the same characters.
    fn meets(&self, other: &Self) -> bool {
        self.head.starts_with(other.head) || other.head.starts_with(self.head)
    }
}

/// A template of the new version, and its counterpart.
struct Kept<'a> {
    reader: Reader<'a>,
    /// The template in the old version, if it existed.
    was: Option<Reader<'a>>,
    /// The words that print the same text as before.
    same: WordSet,
    /// Its other words.
    fresh: WordSet,
}

impl<'a> Kept<'a> {
    fn new(versions: &Versions<'a>, reader: Reader<'a>, was: Option<Reader<'a>>, is_alike: bool) -> Result<Self, TooLarge> {
        let now = reader.template;
        let mut solver = Solver::new(versions.isas[1].order(now.form.length));
        let own_words = solver.attempt(|solver| own(solver, now.form))?;
        let was = was.filter(|was| was.template.form.length == now.form.length);
        let same = match was {
            None => Set::NONE,
            Some(_) if is_alike => own_words,
            Some(before) => {
                let both = solver.attempt(|solver| {
                    let words = own(solver, before.template.form)?;
                    solver.and(words, own_words)
                })?;
                match unchanged([&versions.texts[0], &versions.texts[1]], [before.template, now]) {
                    Ok(Some(words)) => solver.attempt(|solver| {
                        let words = solver.import(&words)?;
                        solver.and(both, words)
                    })?,
                    // It may be any of them. If none is lost, none was; if one is, an example shows it.
                    Ok(None) | Err(TooLarge) => {
                        let (same, fresh) = (solver.freeze(both), solver.freeze(own_words));
                        return Ok(Self { reader, was, same, fresh });
                    }
                }
            }
        };
        let fresh = solver.attempt(|solver| solver.minus(own_words, same))?;
        Ok(Self { reader, was, same: solver.freeze(same), fresh: solver.freeze(fresh) })
    }

    /// The words of `other` over which those of this template were preferred, or that did not exist: all but those that were
    /// preferred before.
    fn rivals(&self, was: &Reader<'a>, other: &Self, versions: &Versions<'a>) -> Result<WordSet, TooLarge> {
        let default = |reader: &Reader<'_>| reader.template.form.default_word();
        let is_own = self.reader.is(&other.reader);
        let was_first = match &other.was {
            // The choice among them is the same.
            Some(_) if is_own => {
                let written = |reader: &Reader<'_>| spelt(reader.template.form, reader.template.text);
                default(was) == default(&self.reader) && written(was) == written(&self.reader)
            }
            Some(first) => first.rank < was.rank,
            None => false,
        };
        if was_first { Ok(other.fresh.clone()) } else { all(versions, 1, &other.reader) }
    }
}

/// The words of a template.
fn all(versions: &Versions<'_>, side: usize, reader: &Reader<'_>) -> Result<WordSet, TooLarge> {
    let form = reader.template.form;
    legal(form, &mut Solver::new(versions.isas[side].order(form.length)))
}

/// Compares the words that texts are assembled as. `pairs` are the forms of both versions.
pub(super) fn compare<'a>(versions: &Versions<'a>, pairs: &HashMap<FormId, &'a Form>, changes: &mut Changes) {
    if versions.is_text() {
        return;
    }
    let [old, new] = versions.isas.map(readers);
    let was: HashMap<FormId, FormId> = pairs.iter().map(|(was, is)| (is.id, *was)).collect();
    let kept = |reader: &Reader<'a>| {
        let before = was.get(&reader.template.form.id).map(|was| versions.isas[0].form(*was));
        let is_alike = before.is_some_and(|before| is_alike([before, reader.template.form]));
        let same = |old: &&Reader<'_>| match (old.rank.0, reader.rank.0) {
            (2, 2) if !is_alike => {
                spelt(old.template.form, old.template.text) == spelt(reader.template.form, reader.template.text)
            }
            (was, is) => was == is && old.rank.3 == reader.rank.3,
        };
        let was = before.and_then(|before| old.iter().filter(|old| old.template.form.id == before.id).find(same));
        Kept::new(versions, *reader, was.copied(), is_alike)
    };
    let kept: Vec<Result<Kept<'_>, TooLarge>> = new.iter().map(kept).collect();
    for (reader, now) in new.iter().zip(&kept) {
        let form = reader.template.form;
        let name = &versions.isas[1].instruction(form.instruction).name;
        let place = Some((Side::New, form));
        let lost = match now {
            Ok(Kept { was: None, .. }) => continue,
            Ok(now) => lost(versions, &old, now, &kept),
            Err(TooLarge) => Err(TooLarge),
        };
        match (lost, now) {
            (Ok(Some(words)), Ok(Kept { was: Some(was), .. })) => {
                let Some(word) = words.nearest(form.default_word(), Word::ZERO) else { continue };
                match example(versions, was, word) {
                    Some(example) => changes.add_in(What::Assembled, [name, "", ""], place, || Some(example)),
                    None => changes.add_in(What::AssembledUndecided, [name, "", ""], place, || None),
                }
            }
            _ => changes.add_in(What::AssembledUndecided, [name, "", ""], place, || None),
        }
    }
}

/// The words of a template whose text was assembled as them and no longer is. `None` if that can't be decided.
fn lost<'a>(
    versions: &Versions<'a>,
    old: &[Reader<'a>],
    now: &Kept<'a>,
    kept: &[Result<Kept<'a>, TooLarge>],
) -> Result<Option<WordSet>, TooLarge> {
    let Some(was) = now.was.filter(|_| !now.same.is_empty()) else { return Ok(Some(WordSet::empty())) };
    let mut solver = Solver::new(versions.isas[1].order(now.reader.template.form.length));
    let mut lost = Set::NONE;
    let before = |reader: &Reader<'a>, first: &Reader<'a>| (first.rank < reader.rank || first.is(reader)) && first.meets(reader);
    for first in kept {
        let Ok(first) = first else { return Err(TooLarge) };
        if !before(&now.reader, &first.reader) {
            continue;
        }
        let rivals = now.rivals(&was, first, versions)?;
        let templates = [now.reader.template, first.reader.template];
        let Some(words) = losers(&versions.texts[1], templates, [&now.same, &rivals])? else { return Ok(None) };
        lost = solver.attempt(|solver| {
            let words = solver.import(&words)?;
            solver.or(lost, words)
        })?;
    }
    for first in old {
        if lost == Set::NONE {
            break;
        }
        if before(&was, first) {
            let (words, rivals) = (solver.freeze(lost), all(versions, 0, first)?);
            let templates = [was.template, first.template];
            let Some(words) = losers(&versions.texts[0], templates, [&words, &rivals])? else { return Ok(None) };
            lost = solver.attempt(|solver| {
                let words = solver.import(&words)?;
                solver.minus(lost, words)
            })?;
        }
    }
    Ok(Some(solver.freeze(lost)))
}

/// A text of a word, with the words that it is read as in both versions.
fn example(versions: &Versions<'_>, reader: &Reader<'_>, word: Word) -> Option<Example> {
    let form = reader.template.form;
    let shown = |text: &str, side: usize| {
        let (form, word) = versions.codecs[side].parse(text, 0, &|_| None).ok()?;
        let digits = versions.isas[side].form(form).length.div_ceil(4) as usize;
        Some(format!("{text} is 0x{word:0digits$x}"))
    };
    (0..MAX_WAYS).find_map(|way| {
        let mut text = String::new();
        match reader.rank.3 {
            0 => versions.codecs[0].print(form.id, word, 0, &mut text),
            also => versions.codecs[0].print_also((form.id, also - 1), word, 0, &mut |ways| way.min(ways - 1), &mut text),
        }
        let (old, new) = (shown(&text, 0)?, shown(&text, 1)?);
        (old != new).then_some(Example { word: None, old: Ok(old), new: Ok(new) })
    })
}

/// The number of spellings of a part that are tried for an example.
const MAX_WAYS: usize = 16;
