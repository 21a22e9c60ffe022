//! The error in a text: the failure farthest to the right, over all templates that it could be meant for.

use super::super::Bits;
use super::super::print::Out;
use super::super::tables::{Exclusion, HAS_BASE, Rule, SHORTENS, TEXT_ONLY};
use super::attempt::{Attempt, State, Trial};
use super::nearest::{STEPS_FOR_A_MESSAGE, meets};
use super::pass::Pass;
use super::task::{Task, is_word};
use super::{BITS, Reader, no_symbols};
use crate::assembly::Case;
use crate::near::nearest;
use crate::why::{Farthest, ReadError, Wrong, WrongNumber, word_before};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The number of refused numbers of a text for which a nearest one is tried.
const MOST_NUMBERS: usize = 8;

impl<W: Bits> Attempt<W> {
    /// True if a template, which begins at a step, reads the text after a wrong number is replaced by the nearest valid one.
    fn reads_nearest(&mut self, wrong: &WrongNumber, trial: &Trial<'_, '_, W>, step: u32) -> bool {
        let task = trial.task;
        let (before, after) = (task.text.get(..wrong.at.start), task.text.get(wrong.at.end..));
        let text = format!("{}{}{}", before.unwrap_or(""), wrong.nearest, after.unwrap_or(""));
        let task = Task { pass: task.pass, ..Task::exact(&text, task.address, task.symbols) };
        self.run(&Trial { task: &task, ..*trial }, step).is_ok_and(|read| read.is_some())
    }

    /// Notes why no word has the bits of the text.
    pub(super) fn blame(&mut self, trial: &Trial<'_, '_, W>, now: &State<W>) {
        let Trial { tables, task, form, .. } = *trial;
        let possible = |set: u32| meets(tables, set, now.word, now.known, 1, STEPS_FOR_A_MESSAGE);
        let rules = tables.rules.slice(form.rules);
        let broken = rules.iter().find(|rule| !possible(rule.holds));
        let broken = broken.map(|Rule { fields, why, .. }| (why, tables.lists.slice(fields).iter().collect::<Vec<u16>>()));
        let said = (form.default & !now.known) | now.word;
        let excluded = || {
            let mut all = tables.exclusions.slice(form.exclusions).iter().filter(|_| !possible(form.words));
            let about = |Exclusion { field, why, .. }: Exclusion| (why, Vec::from([field]));
            all.find(|e| tables.is_in(e.when, said)).map(about)
        };
        let name = tables.text(form.name);
        match broken.or_else(excluded) {
            Some((why, fields)) => {
                // Blame the last field involved, and show the word that contains it.
                let read = self.notes.read.iter().filter(|(field, _)| fields.iter().any(|f| u32::from(*f) == *field));
                let place = read.map(|(_, at)| *at).max().map_or(now.at, |last| word_before(task.text, last));
                let wrong = || Wrong::Form { form: name.to_string(), why: tables.text(why).to_string() };
                self.notes.wrong(task, place, now.at, wrong);
            }
            // The form of the word is looked for if this is the error that is reported.
            None => self.notes.wrong(task, now.at, now.at, || Wrong::Taken {
                form: name.to_string(),
                word: said.wide(),
                bits: form.length.into(),
                by: if possible(form.words) { name.to_string() } else { String::new() },
                text: String::new(),
            }),
        }
    }
}

impl<'t, W: Bits> Reader<'t, W> {
    /// True if the text of an instruction can begin with this one, whose last character is one of a literal or of a name.
    pub fn begins(&mut self, text: &str) -> bool {
        let folded = Case::of_flags(self.tables.head().flags).and_then(|case| case.fold(text));
        self.begins_as_written(text) || folded.is_some_and(|folded| self.begins_as_written(&folded))
    }

    fn begins_as_written(&mut self, text: &str) -> bool {
        let last = text.bytes().last().map_or(0, |c| BITS[usize::from(c.min(127))]);
        for pass in [Pass::Loose, Pass::Also, Pass::Spelt] {
            for template in self.tables.templates.iter().filter(|template| template.made_of & last != 0) {
                let Some(form) = self.tables.form(template.form) else { continue };
                if !pass.reads(template.which.into(), form.flags & HAS_BASE != 0) {
                    continue;
                }
                let task = Task { pass, notes: true, ..Task::exact(text, 0, &no_symbols) };
                self.attempt.notes.clear();
                let trial = Trial { tables: &self.tables, task: &task, form: &form, number: template.form };
                let read = self.attempt.run(&trial, template.step);
                if read.is_ok_and(|read| read.is_some()) || self.attempt.notes.take().reached >= text.len() {
                    return true;
                }
            }
        }
        false
    }

    /// The error in a text that no form reads.
    pub(super) fn explain(&mut self, task: Task<'_>) -> ReadError<'t> {
        let mut best: Option<Farthest> = None;
        let mut number: Option<WrongNumber> = None;
        let mut has_several = vec![false; self.tables.forms.len()];
        for template in self.tables.templates.iter().filter(|template| usize::from(template.which) == Pass::SPELT) {
            let own = self.tables.form(template.form).is_some_and(|form| form.flags & SHORTENS == 0);
            has_several.get_mut(usize::from(template.form)).into_iter().for_each(|several| *several = own);
        }
        for pass in Pass::ALL.into_iter().filter(|pass| !pass.is_exact()) {
            for template in self.tables.templates.iter() {
                let hint = self.tables.text(template.longest);
                // A single character says too little about what was meant.
                if hint.len() > 1 && !task.text.contains(hint) {
                    continue;
                }
                let Some(form) = self.tables.form(template.form) else { continue };
                if !pass.reads(template.which.into(), form.flags & HAS_BASE != 0) {
                    continue;
                }
                // Each alias and variant says more than the texts that are made of all of them.
                let several = has_several.get(usize::from(template.form)).is_some_and(|several| *several);
                if pass != Pass::Also && several != (pass == Pass::Spelt) {
                    continue;
                }
                let task = Task { pass, notes: true, ..task };
                self.attempt.notes.clear();
                // A text that can be read in too many ways has failed somewhere, too.
                let trial = Trial { tables: &self.tables, task: &task, form: &form, number: template.form };
                let _ = self.attempt.run(&trial, template.step);
                let mut failure = self.attempt.notes.take();
                for wrong in failure.numbers.drain(..).take(MOST_NUMBERS) {
                    let is_wider = number.as_ref().is_none_or(|number| wrong.span > number.span);
                    if is_wider && self.attempt.reads_nearest(&wrong, &trial, template.step) {
                        number = Some(wrong);
                    }
                }
                best = Some(match best {
                    Some(best) => best.and(failure),
                    None => failure,
                });
            }
        }
        let reached = best.as_ref().map_or(0, |b| b.reached);
        if let Some((_, at, why)) = self.known_wrong(task).filter(|r| r.0 >= reached) {
            return ReadError { at, wrong: Wrong::Known(why) };
        }
        // All else is right: of several forms, the one with the largest range counts.
        if let Some(number) = number {
            return ReadError { at: number.at.start, wrong: number.wrong };
        }
        match best {
            Some(best) => {
                let error = best.error(task.text, || self.no_such_mnemonic(task));
                ReadError { wrong: self.taken(error.wrong, task.address), ..error }
            }
            None => self.no_such_mnemonic(task),
        }
    }

    /// The same fault; with the text of the word, and its form if that is another one.
    fn taken(&self, wrong: Wrong<'t>, address: u64) -> Wrong<'t> {
        let Wrong::Taken { form, word, bits, by: expected, .. } = wrong else { return wrong };
        let own = W::from_wide(word);
        let by = self.tables.find_form(own, bits).filter(|_| self.tables.head().flags & TEXT_ONLY == 0);
        let Some((number, by)) = by.and_then(|by| Some((by, self.tables.text(self.tables.form(by)?.name)))) else {
            return Wrong::NotCanonical;
        };
        if by != form && !expected.is_empty() {
            return Wrong::NotCanonical;
        }
        let mut room = vec![0; self.tables.room()];
        let mut text = Out::new(&mut room);
        self.tables.print(self.tables.texts(number).text, own, address, &[], &mut text);
        let text = String::from_utf8_lossy(text.as_bytes()).into_owned();
        if by == form {
            return Wrong::Printed { text };
        }
        Wrong::Taken { form, word, bits, by: by.to_string(), text }
    }

    /// The longest match among the known wrong ways to write an instruction: its end, the place of the error, and the reason.
    fn known_wrong(&mut self, task: Task<'_>) -> Option<(usize, usize, &'t str)> {
        let mut best: Option<(usize, usize, &str)> = None;
        for refused in self.tables.refused.iter() {
            let Some(form) = self.tables.form(refused.form) else { continue };
            let task = Task { pass: Pass::Loose, prefix: true, notes: false, ..task };
            self.attempt.notes.clear();
            let _ =
                self.attempt.run(&Trial { tables: &self.tables, task: &task, form: &form, number: refused.form }, refused.step);
            if let Some((end, at)) = self.attempt.notes.longest
                && best.as_ref().is_none_or(|b| (end, Reverse(at)) >= (b.0, Reverse(b.1)))
            {
                best = Some((end, at, self.tables.text(refused.why)));
            }
        }
        best
    }

    fn no_such_mnemonic(&mut self, task: Task<'_>) -> ReadError<'t> {
        let at = self.mnemonic_at(task);
        let rest = task.text.get(at..).unwrap_or("");
        let word = &rest[..rest.bytes().take_while(|c| is_word(*c)).count()];
        if word.is_empty() {
            return ReadError { at, wrong: Wrong::NoMnemonic };
        }
        if let Some(hole) = self.tables.holes.iter().find(|h| self.tables.text(h.name) == word) {
            return ReadError { at, wrong: Wrong::Word(Box::new(self.tables.hole(&hole))) };
        }
        if self.mnemonics.is_empty() {
            self.mnemonics = self.in_texts();
        }
        let near = nearest(word, self.mnemonics.iter().copied()).map(ToString::to_string);
        ReadError { at, wrong: Wrong::NoInstruction { word: word.to_string(), near } }
    }

    /// The mnemonics that occur in texts; the name of an instruction can be another.
    fn in_texts(&self) -> Vec<&'t str> {
        let tables = &self.tables;
        let literals = || tables.strings.iter().map(|text| tables.text(text));
        let mnemonics = tables.insns.iter().map(|insn| tables.text(insn.mnemonic));
        mnemonics.filter(|mnemonic| literals().any(|text| text.contains(mnemonic))).collect()
    }

    /// The place of the mnemonic: where the literal that contains it is expected.
    fn mnemonic_at(&mut self, task: Task<'_>) -> usize {
        let mut farthest = task.text.len() - task.text.trim_start().len();
        for template in self.tables.templates.iter().filter(|t| t.which == 0).take(PROBES) {
            let Some(form) = self.tables.form(template.form) else { continue };
            let Some(insn) = self.tables.insns.get(usize::from(form.insn)) else { continue };
            let task = Task { pass: Pass::Loose, notes: true, ..task };
            self.attempt.notes.clear();
            self.attempt.notes.mnemonic = Some((insn.mnemonic, 0));
            let _ =
                self.attempt.run(&Trial { tables: &self.tables, task: &task, form: &form, number: template.form }, template.step);
            farthest = farthest.max(self.attempt.notes.mnemonic.map_or(0, |m| m.1));
        }
        farthest
    }
}

/// The number of templates that are asked for the text before a mnemonic.
const PROBES: usize = 8;
