//! Explains why no form reads a text: all ways to read it are walked, one after the other, and the places where they fail are
//! noted.

use super::reading::{Reading, texts_of};
use super::relation::Relation;
use super::{Codec, Template};
use isa_runtime::engine::read::{Pass, Symbols, no_symbols};
use isa_runtime::why::{Expected, Farthest, ReadError, Wrong, WrongNumber, is_word, word_at, word_before};
use isa_spec::model::{Enum, Form, Label, Piece, When};
use isa_spec::print::print_pieces;
use isa_spec::sets::{Cube, WordSet};

/// The greatest number of pieces of a template that are examined.
const MAX_STEPS: u32 = 4096;

/// The number of forms that are probed for the text before a mnemonic.
const PROBES: usize = 8;

/// The greatest number of numbers tried in a text that a template refuses.
const MOST_NUMBERS: usize = 8;

/// True if a template reads the text with the nearest number that is right in the place of one that is wrong.
fn reads_nearest(wrong: &WrongNumber, reading: &Reading<'_>, template: Template<'_>) -> bool {
    let text = format!("{}{}{}", &reading.text[..wrong.at.start], wrong.nearest, &reading.text[wrong.at.end..]);
    let reading = Reading { text: &text, notes: None, ..reading.clone() };
    Relation::new(reading).solve(template).is_ok_and(|read| read.is_some())
}

/// A template, walked along a text.
struct Walk<'t> {
    reading: Reading<'t>,
    steps: u32,
    /// True if the text may go on where the template ends.
    is_beginning: bool,
    /// The places at which the fields of the current template were read.
    fields: Vec<Option<usize>>,
    /// The place at which the last literal was read.
    literal: usize,
    /// The place at which the last literal with the mnemonic was expected.
    mnemonic: usize,
    /// The end of the longest beginning found, and the start of its last literal.
    longest: Option<(usize, usize)>,
}

/// The rest of a template: pieces, and what follows them.
#[derive(Clone, Copy)]
struct Todo<'t, 'n> {
    pieces: &'t [Piece],
    next: Option<&'n Todo<'t, 'n>>,
}

/// The bits that the text has determined so far.
#[derive(Clone, Copy)]
struct Said(Cube);

impl Said {
    /// Adds bits; `None` if they contradict what is known.
    fn with(self, cube: Cube) -> Option<Self> {
        let Self(said) = self;
        let agree = ((said.value ^ cube.value) & said.mask & cube.mask).is_zero();
        agree.then(|| Self(Cube::new(said.mask | cube.mask, said.value | cube.value)))
    }

    fn meets(self, set: &WordSet) -> bool {
        set.meets(self.0.value, self.0.mask)
    }
}

impl<'t> Walk<'t> {
    /// Walks a template: pieces, and what is added to them.
    fn along(reading: Reading<'t>, parts: [&'t [Piece]; 3], is_beginning: bool) -> Self {
        let form = reading.form;
        let fields = vec![None; form.fields.len()];
        let reading = Reading { notes: Some(Farthest::default()), ..reading };
        let mut walk = Self { reading, steps: MAX_STEPS, is_beginning, fields, literal: 0, mnemonic: 0, longest: None };
        let last = Todo { pieces: parts[2], next: None };
        let middle = Todo { pieces: parts[1], next: Some(&last) };
        walk.go(&Todo { pieces: parts[0], next: Some(&middle) }, 0, Said(Cube::new(form.mask, form.value)));
        walk
    }

    fn notes(&mut self) -> &mut Farthest {
        self.reading.notes.get_or_insert_default()
    }

    fn go(&mut self, todo: &Todo<'t, '_>, at: usize, said: Said) {
        let Some((piece, rest)) = todo.pieces.split_first() else {
            return match todo.next {
                Some(next) => self.go(next, at, said),
                None => self.end(at, said),
            };
        };
        let Some(steps) = self.steps.checked_sub(1) else { return };
        self.steps = steps;
        let rest = Todo { pieces: rest, next: todo.next };
        let form = self.reading.form;
        match piece {
            Piece::Literal(literal) => {
                let start = self.reading.blanks(at);
                if literal.contains(&self.reading.isa.instruction(form.instruction).mnemonic) {
                    self.mnemonic = self.mnemonic.max(start);
                }
                if let Some(to) = self.reading.literal(literal, at) {
                    self.literal = start;
                    self.go(&rest, to, said);
                }
            }
            Piece::Field { field, spelling } => {
                let (index, field, from) = (*field, &form.fields[*field], self.reading.token(at));
                if form.names.iter().any(|n| n.field == index) {
                    if let Some(name) = self.reading.register_name(field, from) {
                        self.go(&rest, name.end, said);
                    }
                    return;
                }
                let ways = self.reading.values(field, spelling, from);
                for way in &ways {
                    self.fields[index] = Some(self.reading.blanks(from));
                    match said.with(way.cube(field)) {
                        Some(said) => self.go(&rest, way.end, said),
                        None => self.notes().fail(from, None),
                    }
                }
                self.fields[index] = None;
                if let (Label::Enum(id), Some(end)) = (field.label, ways.iter().map(|way| way.end).max()) {
                    self.whole_word(&self.reading.isa.enums[id.index()], self.reading.blanks(from), end);
                }
            }
            Piece::Reading(reading) => {
                let (field, from) = (&reading.field, self.reading.token(at));
                let ways = self.reading.values(field, &field.spelling, from);
                for way in &ways {
                    match said.with(way.cube(field)) {
                        Some(said) => self.go(&rest, way.end, said),
                        None => self.notes().fail(from, None),
                    }
                }
                if let (Label::Enum(id), Some(end)) = (field.label, ways.iter().map(|way| way.end).max()) {
                    self.whole_word(&self.reading.isa.enums[id.index()], self.reading.blanks(from), end);
                }
            }
            Piece::Group { when, body } => {
                // If there is an `else`, one of the two groups is read.
                let (instead, after) = match rest.pieces.split_first() {
                    Some((other @ Piece::Group { body, .. }, after)) if other.is_else_of(piece) => (body.as_slice(), after),
                    _ => (&[][..], rest.pieces),
                };
                let after = Todo { pieces: after, next: rest.next };
                let (with, without) = match when {
                    When::Holds(condition) => {
                        let words = &condition.words;
                        (said.meets(words), (!words.covers(said.0.value, said.0.mask)).then_some(said))
                    }
                    When::Differs(fields) => (true, said.with(form.at_default(fields))),
                };
                if with {
                    self.go(&Todo { pieces: body, next: Some(&after) }, at, said);
                }
                if let Some(said) = without {
                    self.go(&Todo { pieces: instead, next: Some(&after) }, at, said);
                }
            }
            Piece::OneOf(list) => {
                form.bodies[*list].iter().for_each(|text| self.go(&Todo { pieces: text, next: Some(&rest) }, at, said));
            }
        }
    }

    fn end(&mut self, at: usize, said: Said) {
        let end = self.reading.blanks(at);
        if self.is_beginning {
            self.longest = self.longest.filter(|longest| longest.0 >= at).or(Some((at, self.literal)));
        } else if end < self.reading.text.len() {
            self.notes().fail(end, Some(Expected::End));
        } else {
            self.blame(at, said);
        }
    }

    /// Says why no word has the bits that the text says.
    fn blame(&mut self, at: usize, said: Said) {
        let form = self.reading.form;
        let broken = form.constraints.iter().find(|c| !said.meets(&c.that.words)).map(|c| (&c.why, c.fields.clone()));
        let word = (form.default_word() & !said.0.mask) | said.0.value;
        let excluded = || {
            let mut exclusions = form.exclusions.iter().filter(|_| !said.meets(&form.words));
            exclusions.find(|e| e.when.words.contains(word)).map(|e| (&e.why, e.field.into_iter().collect()))
        };
        let (place, wrong) = match broken.or_else(excluded) {
            Some((why, fields)) => {
                // Blame the last field involved, and show the word that contains it.
                let last = fields.into_iter().filter_map(|f| self.fields[f]).max();
                let place = last.map_or(at, |last| word_before(self.reading.text, last));
                (place, Wrong::Form { form: form.name.clone(), why: why.clone() })
            }
            // The form of the word is looked for if this is the error that is reported.
            None => {
                let by = if said.meets(&form.words) { form.name.clone() } else { String::new() };
                (at, Wrong::Taken { form: form.name.clone(), word, bits: form.length, by, text: String::new() })
            }
        };
        self.notes().wrong(place, at, wrong);
    }

    /// A word that begins as a text of the enumeration, and after which nothing goes on: all of it is at fault.
    fn whole_word(&mut self, e: &Enum, from: usize, end: usize) {
        let text = self.reading.text;
        let word = word_at(text, from);
        let is_inside = text[from..].starts_with(is_word) && text[..from].ends_with(is_word);
        if end <= from || end >= word.end || self.notes().reached > end || is_inside {
            return;
        }
        let (to, word) = (word.end, text[word].to_string());
        self.notes().wrong(from, to, Wrong::NotOneOf { word, texts: texts_of(e) });
    }
}

impl<'a> Codec<'a> {
    /// True if the text of an instruction can begin with this one, whose last character is one of a literal or of a name.
    pub fn begins(&self, text: &str) -> bool {
        let folded = self.isa.assembly.case.and_then(|case| case.fold(text));
        self.begins_as_written(text) || folded.is_some_and(|folded| self.begins_as_written(&folded))
    }

    fn begins_as_written(&self, text: &str) -> bool {
        [Pass::Loose, Pass::Also, Pass::Spelt].into_iter().any(|pass| {
            self.templates_in(pass).any(|(template, _)| {
                let form = template.form;
                let reading = Reading { isa: self.isa, form, text, address: 0, symbols: &no_symbols, pass, notes: None };
                let notes = Walk::along(reading, [template.text, &[], &[]], false).reading.notes;
                notes.is_some_and(|notes| notes.reached >= text.len())
            })
        })
    }

    /// Explains why no form reads a text.
    pub(super) fn explain_text(&self, text: &str, address: u64, symbols: Symbols<'_>) -> ReadError<'a> {
        let mut notes: Option<Farthest> = None;
        let mut number: Option<WrongNumber> = None;
        for pass in Pass::ALL.into_iter().filter(|pass| !pass.is_exact()) {
            // A single character says too little about what was meant.
            let is_meant = |needle: &str| needle.len() <= 1 || text.contains(needle);
            for (template, _) in self.templates_in(pass).filter(|(_, needle)| is_meant(needle)) {
                let form = template.form;
                // Each alias and variant says more than the texts that are made of all of them.
                let has_several = !form.spelt.is_empty() && !self.shorter.iter().any(|way| way.short == form.id);
                if pass != Pass::Also && has_several != (pass == Pass::Spelt) {
                    continue;
                }
                let reading = Reading { isa: self.isa, form, text, address, symbols, pass, notes: None };
                let gap: &[Piece] = if form.full.is_empty() { &[] } else { &self.gap };
                for (gap, added) in [(&[][..], &[][..]), (gap, &form.full)].into_iter().take(1 + gap.len()) {
                    let mut more =
                        Walk::along(reading.clone(), [template.text, gap, added], false).reading.notes.unwrap_or_default();
                    for wrong in more.numbers.drain(..).take(MOST_NUMBERS) {
                        let is_wider = number.as_ref().is_none_or(|number| wrong.span > number.span);
                        if is_wider && reads_nearest(&wrong, &reading, template) {
                            number = Some(wrong);
                        }
                    }
                    notes = Some(match notes {
                        Some(notes) => notes.and(more),
                        None => more,
                    });
                }
            }
        }
        let reached = notes.as_ref().map_or(0, |notes| notes.reached);
        if let Some((_, at, why)) = self.refused(text, address, symbols).filter(|r| r.0 >= reached) {
            return ReadError { at, wrong: Wrong::Known(why) };
        }
        // All else is right: of several forms it is the one with most room.
        if let Some(number) = number {
            return ReadError { at: number.at.start, wrong: number.wrong };
        }
        let unknown = || self.no_such_mnemonic(text, address, symbols);
        match notes {
            Some(notes) => {
                let error = notes.error(text, unknown);
                ReadError { wrong: self.taken(error.wrong, address), ..error }
            }
            None => unknown(),
        }
    }

    /// The same fault; with the text of the word, and its form if that is another one.
    fn taken(&self, wrong: Wrong<'a>, address: u64) -> Wrong<'a> {
        let Wrong::Taken { form, word, bits, by: expected, .. } = wrong else { return wrong };
        let by = self.decode(word, bits).ok().map(|by| self.isa.form(by)).filter(|_| !self.isa.is_text());
        let Some(by) = by.filter(|by| by.name == form || expected.is_empty()) else { return Wrong::NotCanonical };
        let mut text = String::new();
        print_pieces(by, &by.text, (word, &[]), address, &mut |_| 0, &mut text);
        if by.name == form {
            return Wrong::Printed { text };
        }
        Wrong::Taken { form, word, bits, by: by.name.clone(), text }
    }

    /// The known wrong way to write an instruction that matches the most text: its end, the place of the fault, and the reason.
    fn refused(&self, text: &str, address: u64, symbols: Symbols<'_>) -> Option<(usize, usize, &'a str)> {
        let refused = self.isa.forms.iter().flat_map(|f| f.refused.iter().map(move |r| (f, r)));
        let read = refused.filter_map(|(form, refused)| {
            let reading = Reading { isa: self.isa, form, text, address, symbols, pass: Pass::Loose, notes: None };
            let (end, at) = Walk::along(reading, [&refused.begins, &[], &[]], true).longest?;
            Some((end, at, refused.why.as_str()))
        });
        read.max_by_key(|(end, at, _)| (*end, std::cmp::Reverse(*at)))
    }

    fn no_such_mnemonic(&self, text: &str, address: u64, symbols: Symbols<'_>) -> ReadError<'a> {
        let at = self.mnemonic_at(text, address, symbols);
        let rest = &text[at..];
        let word = &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())];
        if word.is_empty() {
            return ReadError { at, wrong: Wrong::NoMnemonic };
        }
        if let Some(hole) = self.isa.holes.iter().find(|h| h.name == word) {
            return ReadError { at, wrong: Wrong::Word(Box::new(hole.refusal())) };
        }
        let suggested = self.suggested.get_or_init(|| self.in_texts());
        let mnemonics = suggested.iter().map(|number| self.isa.instructions[*number].mnemonic.as_str());
        let near = isa_spec::diag::nearest(word, mnemonics).map(ToString::to_string);
        ReadError { at, wrong: Wrong::NoInstruction { word: word.to_string(), near } }
    }

    /// The instructions whose mnemonics are in texts: one can have another mnemonic by its name alone.
    fn in_texts(&self) -> Vec<usize> {
        let mut literals = Vec::new();
        for form in &self.isa.forms {
            for text in [&form.text, &form.full].into_iter().chain(&form.also).chain(form.bodies.iter().flatten()) {
                literals_of(text, &mut literals);
            }
        }
        literals.sort_unstable();
        literals.dedup();
        let is_in_text = |number: &usize| {
            let mnemonic = self.isa.instructions[*number].mnemonic.as_str();
            literals.iter().any(|text| text.contains(mnemonic))
        };
        (0..self.isa.instructions.len()).filter(is_in_text).collect()
    }

    /// The place of the mnemonic: the expected start of the literal that contains it, in the texts of the forms that are tried
    /// first.
    fn mnemonic_at(&self, text: &str, address: u64, symbols: Symbols<'_>) -> usize {
        let start = text.len() - text.trim_start().len();
        let forms = self.readers.iter().take(PROBES).map(|(form, _): &(&Form, _)| {
            let reading = Reading { isa: self.isa, form, text, address, symbols, pass: Pass::Loose, notes: None };
            Walk::along(reading, [&form.text, &[], &[]], false).mnemonic
        });
        forms.max().unwrap_or(0).max(start)
    }
}

/// The literals among pieces.
fn literals_of<'p>(pieces: &'p [Piece], out: &mut Vec<&'p str>) {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.push(text),
            Piece::Field { .. } | Piece::Reading(_) | Piece::OneOf(_) => {}
            Piece::Group { body, .. } => literals_of(body, out),
        }
    }
}
