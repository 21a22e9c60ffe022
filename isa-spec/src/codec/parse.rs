//! Text to words: each form's template is matched against the text, with backtracking; what the text leaves open takes its
//! default, or the nearest value that makes the conditions of the template true.

use super::relation::Relation;
use super::{Codec, Statement, print_value};
use crate::model::{Enum, Field, Form, Isa, Kind, Named, Piece, Radix, Raw, When, Word, ones};
use crate::sets::{Cube, Set, Solver, TooLarge, WordSet};
use std::ops::Range;

/// Why a text is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Byte of the text.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// What is known of a form without trying it.
#[derive(Debug)]
pub(super) struct Scanner {
    /// For the text, and for each of those that are read as well.
    needles: Vec<Needle>,
}

/// What all texts of a template contain.
#[derive(Debug)]
struct Needle {
    /// A word.
    word: String,
    /// Characters in this order, perhaps with others between them.
    characters: Vec<u8>,
    /// Those of them that are ASCII.
    set: u128,
}

impl Scanner {
    pub(super) fn new(form: &Form) -> Self {
        let mut bodies: Vec<u128> = Vec::new();
        for texts in &form.bodies {
            bodies.push(texts.iter().fold(u128::MAX, |all, text| all & Needle::new(text, &bodies).set));
        }
        Self { needles: texts(form).map(|text| Needle::new(text, &bodies)).collect() }
    }
}

impl Needle {
    /// With the characters that all texts of each list have.
    fn new(text: &[Piece], bodies: &[u128]) -> Self {
        let literals = || {
            text.iter().filter_map(|p| match p {
                Piece::Literal(text) => Some(text),
                _ => None,
            })
        };
        let words = literals().filter_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|w| w.len()));
        let word = words.max_by_key(|w| w.len()).unwrap_or("").to_string();
        let characters: Vec<u8> = literals().flat_map(|text| text.bytes()).filter(|c| *c != b' ').collect();
        let of_list = |piece: &Piece| if let Piece::OneOf(list) = piece { bodies[*list] } else { 0 };
        let set = text.iter().fold(set_of(&characters), |set, piece| set | of_list(piece));
        Self { word, characters, set }
    }

    /// Whether a text, with the set of its characters, can be one of the template's.
    fn is_in(&self, text: &str, set: u128) -> bool {
        let mut rest = text.bytes();
        self.set & !set == 0 && self.characters.iter().all(|c| rest.any(|t| t == *c)) && text.contains(self.word.as_str())
    }
}

/// The ASCII characters of a text.
fn set_of(text: &[u8]) -> u128 {
    text.iter().filter(|c| c.is_ascii()).fold(0, |set, c| set | 1 << c)
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// To the letter as it is printed. So a text that a word prints is read as a word that prints it.
    Exact,
    /// Blanks, and other ways to write values, as people like them.
    Lenient,
    /// Groups that would be printed may be missing, too.
    Loose,
    /// Texts that are only read.
    Also,
}

impl Pass {
    const ALL: [Self; 4] = [Self::Exact, Self::Lenient, Self::Loose, Self::Also];

    /// Whether groups that are printed when something differs from its default must then differ.
    pub(super) fn is_strict(self) -> bool {
        matches!(self, Self::Exact | Self::Lenient)
    }
}

/// So many pieces are looked at with backtracking before a text is read as a relation, without it.
const MAX_STEPS: u32 = 4096;

/// The text of a form, and those that are read as well.
fn texts(form: &Form) -> impl Iterator<Item = &Vec<Piece>> {
    std::iter::once(&form.text).chain(&form.also)
}

/// The rest of a template: pieces, and what follows them.
#[derive(Clone, Copy)]
struct Todo<'t, 'n> {
    pieces: &'t [Piece],
    next: Option<&'n Todo<'t, 'n>>,
}

/// The bits that the text has said so far.
#[derive(Clone, Copy, Default)]
struct Bits {
    word: Word,
    known: Word,
}

impl Bits {
    /// Adds bits; `None` if they contradict what is known.
    fn with(self, cube: Cube) -> Option<Self> {
        ((self.word ^ cube.value) & self.known & cube.mask)
            .is_zero()
            .then_some(Self { word: self.word | cube.value, known: self.known | cube.mask })
    }
}

/// What must turn out true when the text is read.
enum Pending<'t> {
    In(&'t WordSet),
    NotIn(&'t WordSet),
    Differs(&'t [usize]),
}

pub(super) struct Matcher<'t> {
    pub(super) isa: &'t Isa,
    pub(super) form: &'t Form,
    pub(super) text: &'t str,
    address: u64,
    labels: &'t dyn Fn(&str) -> Option<u64>,
    pub(super) pass: Pass,
    /// How many more pieces are looked at.
    steps: u32,
    /// Whether what fails is noted, to say what is wrong. Most texts are right.
    notes: bool,
    /// What may follow the text, if it has not begun.
    full: Option<&'t [Piece]>,
    pending: Vec<Pending<'t>>,
    /// The ways to read the fields that are being read, one field after the other.
    ways: Vec<(Raw, usize)>,
    pub(super) default: Word,
    /// Where names stand, by [`Named::place`].
    pub(super) names: Vec<Range<usize>>,
    /// Where each field was read.
    read: Vec<Option<usize>>,
    /// Where the last literal was read.
    literal_at: usize,
    /// Where the last literal with the mnemonic was to begin.
    mnemonic_at: usize,
    /// The text may go on where the template ends; where the longest beginning ends that was found, and its last literal begins.
    prefix: Option<Option<(usize, usize)>>,
    /// The failure farthest to the right: where it counts, where it is shown, what was expected or is wrong there.
    reached: usize,
    at: usize,
    expected: Vec<String>,
    fault: Option<String>,
}

impl Codec<'_> {
    /// The word of a text without a `{…}` tail; of so many bits, if that is known.
    pub(super) fn parse_text(
        &self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        labels: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<Statement, ParseError> {
        self.find_text(text, bits, address, labels).unwrap_or_else(|| Err(self.explain_text(text, address, labels)))
    }

    /// The first form that reads the text.
    fn find_text(
        &self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        labels: &dyn Fn(&str) -> Option<u64>,
    ) -> Option<Result<Statement, ParseError>> {
        let set = set_of(text.as_bytes());
        for pass in Pass::ALL {
            for (form, template, needle) in self.templates(pass != Pass::Also) {
                if !needle.is_in(text, set) || bits.is_some_and(|bits| bits != form.length) {
                    continue;
                }
                let full = (!form.full.is_empty()).then_some(form.full.as_slice());
                let mut m = Matcher { pass, full, ..Matcher::new(self.isa, form, text, address, labels) };
                let start = Bits { word: form.value, known: form.mask };
                let mut found = m.run(&Todo { pieces: template, next: None }, 0, start);
                if found.is_none() && m.steps == 0 {
                    match Relation::new(m.afresh(), template, full.unwrap_or_default(), &self.gap).solve() {
                        Ok((matcher, word)) => (m, found) = (*matcher, word),
                        Err(error) => {
                            let message = format!("{}: this text can be read in too many ways: {error}", form.name);
                            return Some(Err(ParseError { at: 0, message }));
                        }
                    }
                }
                if let Some(word) = found {
                    return Some(Ok(m.statement(word)));
                }
            }
        }
        None
    }

    /// The templates of all forms: those that are printed, or those that are only read.
    fn templates(&self, printed: bool) -> impl Iterator<Item = (&Form, &[Piece], &Needle)> {
        let forms = self.isa.forms.iter().zip(&self.scanners);
        let templates = forms.flat_map(|(form, scanner)| {
            texts(form).zip(&scanner.needles).enumerate().map(move |(i, (template, needle))| (i == 0, form, template, needle))
        });
        templates.filter(move |t| t.0 == printed).map(|(_, form, template, needle)| (form, template.as_slice(), needle))
    }

    /// What is wrong with a text that no form reads.
    fn explain_text(&self, text: &str, address: u64, labels: &dyn Fn(&str) -> Option<u64>) -> ParseError {
        let mut best: Option<(usize, usize, Vec<String>, Option<String>)> = None;
        for pass in Pass::ALL.into_iter().filter(|pass| *pass != Pass::Exact) {
            for (form, template, needle) in self.templates(pass != Pass::Also) {
                if !text.contains(needle.word.as_str()) {
                    continue;
                }
                for added in [false, true] {
                    if added && form.full.is_empty() {
                        continue;
                    }
                    let mut m = Matcher { pass, ..Matcher::new(self.isa, form, text, address, labels).noting() };
                    let start = Bits { word: form.value, known: form.mask };
                    let tail = Todo { pieces: if added { &form.full } else { &[] }, next: None };
                    let gap = Todo { pieces: if added { &self.gap } else { &[] }, next: Some(&tail) };
                    let todo = Todo { pieces: template, next: Some(&gap) };
                    m.run(&todo, 0, start);
                    if best.as_ref().is_none_or(|b| m.reached > b.0) {
                        best = Some((m.reached, m.at, m.expected, m.fault));
                    } else if let Some(b) = best.as_mut().filter(|b| b.0 == m.reached) {
                        b.2.extend(m.expected);
                        b.3 = b.3.take().or(m.fault);
                    }
                }
            }
        }
        let reached = best.as_ref().map_or(0, |b| b.0);
        if let Some((_, at, why)) = self.refused(text, address, labels).filter(|r| r.0 >= reached) {
            return ParseError { at, message: why.to_string() };
        }
        let unknown = || self.no_such_mnemonic(text, address, labels);
        let Some((_, at, mut expected, fault)) = best else { return unknown() };
        if let Some(message) = fault {
            return ParseError { at, message };
        }
        expected.sort_unstable();
        expected.dedup();
        // Where the mnemonic is to stand, its name helps more than a long list of what could follow there.
        let says_more = text[at..].starts_with(is_word) || expected.len() > FEW;
        match Some(unknown()).filter(|unknown| unknown.at == at && says_more) {
            Some(unknown) => unknown,
            None => ParseError { at, message: expectation(text, at, &expected) },
        }
    }

    /// Of the known wrong ways to write an instruction the one that goes on for longest: where it ends, where it is wrong, and why.
    fn refused(&self, text: &str, address: u64, labels: &dyn Fn(&str) -> Option<u64>) -> Option<(usize, usize, &str)> {
        let refused = self.isa.forms.iter().flat_map(|f| f.refused.iter().map(move |r| (f, r)));
        let read = refused.filter_map(|(form, refused)| {
            let mut m = Matcher { prefix: Some(None), ..Matcher::new(self.isa, form, text, address, labels) };
            m.run(&Todo { pieces: &refused.begins, next: None }, 0, Bits { word: form.value, known: form.mask });
            let (end, at) = m.prefix.flatten()?;
            Some((end, at, refused.why.as_str()))
        });
        read.max_by_key(|(end, at, _)| (*end, std::cmp::Reverse(*at)))
    }

    fn no_such_mnemonic(&self, text: &str, address: u64, labels: &dyn Fn(&str) -> Option<u64>) -> ParseError {
        let at = self.mnemonic_at(text, address, labels);
        let rest = &text[at..];
        let word = &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())];
        if word.is_empty() {
            return ParseError { at, message: "an instruction begins with its mnemonic".to_string() };
        }
        if let Some(hole) = self.isa.holes.iter().find(|h| h.name == word) {
            return ParseError { at, message: hole.refusal() };
        }
        let mut message = format!("there is no instruction `{word}`");
        if let Some(near) = crate::diag::nearest(word, self.isa.instructions.iter().map(|i| i.mnemonic.as_str())) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        ParseError { at, message }
    }

    /// Where the mnemonic stands: where the literal is to begin that has it, in the texts of the first forms.
    fn mnemonic_at(&self, text: &str, address: u64, labels: &dyn Fn(&str) -> Option<u64>) -> usize {
        let start = text.len() - text.trim_start().len();
        let forms = self.isa.forms.iter().take(PROBES).map(|form| {
            let mut m = Matcher::new(self.isa, form, text, address, labels).noting();
            m.run(&Todo { pieces: &form.text, next: None }, 0, Bits { word: form.value, known: form.mask });
            m.mnemonic_at
        });
        forms.max().unwrap_or(0).max(start)
    }
}

/// So many forms are asked what stands before a mnemonic.
const PROBES: usize = 8;

const NOT_CANONICAL: &str = "this is not how the instruction prints; a part of it belongs elsewhere or goes without saying";

fn expectation(text: &str, at: usize, expected: &[String]) -> String {
    let list = match expected.split_last() {
        None => return NOT_CANONICAL.to_string(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    };
    let found = &text[word_at(text, at)];
    let before = &text[word_before(text, at)..at];
    // The word before may be at fault: it is too long, or should go on.
    let goes_on =
        found.starts_with(is_word) || expected.iter().any(|e| e.strip_prefix('`').is_some_and(|e| e.starts_with(is_word)));
    let after = if before.is_empty() || !goes_on { String::new() } else { format!(" after `{before}`") };
    match found {
        "" => format!("expected {list}{after}, found the end"),
        " " | "\t" => format!("expected {list}{after}, found a blank"),
        found => format!("expected {list}{after}, found `{found}`"),
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The word that begins there, with the mark before it, or else the character.
fn word_at(text: &str, at: usize) -> Range<usize> {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return at..at };
    let mark = usize::from(".@$%-".contains(first));
    let word = rest[mark..].find(|c| !is_word(c)).unwrap_or(rest.len() - mark);
    at..at + (mark + word).max(first.len_utf8())
}

/// Where the word begins that is not over there.
fn word_before(text: &str, at: usize) -> usize {
    let start = text[..at].trim_end_matches(is_word).len();
    if text[..start].ends_with(['.', '@', '$', '%']) { start - 1 } else { start }
}

/// Up to so many texts are all said.
const FEW: usize = 8;

/// The texts that print something.
fn texts_of(e: &Enum) -> Vec<String> {
    e.values.iter().filter(|v| !v.text.is_empty()).map(|v| format!("`{}`", v.text)).collect()
}

/// Mask (`.b0`, `.b1`, `.b10`, …)
fn many_texts(e: &Enum) -> String {
    format!("{} ({}, …)", e.name, texts_of(e)[..3].join(", "))
}

impl<'t> Matcher<'t> {
    fn new(isa: &'t Isa, form: &'t Form, text: &'t str, address: u64, labels: &'t dyn Fn(&str) -> Option<u64>) -> Self {
        Self {
            isa,
            form,
            text,
            address,
            labels,
            pass: Pass::Loose,
            steps: MAX_STEPS,
            notes: false,
            full: None,
            pending: Vec::new(),
            ways: Vec::new(),
            default: form.default_word(),
            names: vec![0..0; isa.instruction(form.instruction).names.len()],
            read: Vec::new(),
            literal_at: 0,
            mnemonic_at: 0,
            prefix: None,
            reached: 0,
            at: 0,
            expected: Vec::new(),
            fault: None,
        }
    }

    /// The same from the beginning.
    fn afresh(&self) -> Self {
        Self { pass: self.pass, ..Self::new(self.isa, self.form, self.text, self.address, self.labels) }
    }

    /// Takes notes of what fails.
    fn noting(self) -> Self {
        Self { notes: true, read: vec![None; self.form.fields.len()], ..self }
    }

    /// What was read, with the numbers of its names.
    fn statement(&self, word: Word) -> Statement {
        let name = |place: usize| &self.text[self.names[place].clone()];
        let number = |place: usize| (0..place).find(|other| name(*other) == name(place)).unwrap_or(place);
        let numbered = |word, named: &Named| self.form.fields[named.field].bits.set(word, number(named.place) as Raw);
        let names =
            (0..self.names.len()).map(|place| if number(place) == place { name(place).to_string() } else { String::new() });
        Statement { form: self.form.id, word: self.form.names.iter().fold(word, numbered), names: names.collect() }
    }

    fn fail(&mut self, at: usize, expected: impl FnOnce() -> String) {
        if !self.notes {
            return;
        }
        if at > self.reached {
            self.reached = at;
            self.at = at;
            self.expected.clear();
            self.fault = None;
        }
        if at == self.reached {
            let expected = expected();
            if !expected.is_empty() && !self.expected.contains(&expected) {
                self.expected.push(expected);
            }
        }
    }

    /// A value that is read well and can't be meant: worth more than what else was expected there.
    fn wrong(&mut self, from: usize, to: usize, message: impl FnOnce() -> String) {
        if self.notes && to >= self.reached {
            self.reached = to;
            self.at = from;
            self.expected.clear();
            self.fault = Some(message());
        }
    }

    pub(super) fn blanks(&self, at: usize) -> usize {
        if self.pass == Pass::Exact {
            return at;
        }
        at + self.text[at..].bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Where a token may begin: after blanks, if they stand after one of `, [ ( +`.
    pub(super) fn token(&self, at: usize) -> usize {
        match self.text[..at].bytes().next_back() {
            None | Some(b',' | b'[' | b'(' | b'+') => self.blanks(at),
            Some(_) => at,
        }
    }

    fn run(&mut self, todo: &Todo<'t, '_>, at: usize, bits: Bits) -> Option<Word> {
        self.steps = self.steps.checked_sub(1)?;
        let Some((piece, rest)) = todo.pieces.split_first() else {
            return match todo.next {
                Some(next) => self.run(next, at, bits),
                None => self.end(at, bits),
            };
        };
        let rest = Todo { pieces: rest, next: todo.next };
        match piece {
            Piece::Literal(literal) => {
                let start = self.blanks(at);
                if self.notes && literal.contains(&self.isa.instruction(self.form.instruction).mnemonic) {
                    self.mnemonic_at = self.mnemonic_at.max(start);
                }
                let at = self.literal(literal, at)?;
                self.literal_at = start;
                self.run(&rest, at, bits)
            }
            Piece::Field { field: index, radix } => {
                let from = self.token(at);
                let field = &self.form.fields[*index];
                if let Some(named) = self.form.names.iter().find(|n| n.field == *index) {
                    let to = self.register_name(field, named.place, from)?;
                    return self.run(&rest, to, bits);
                }
                let first = self.ways.len();
                self.values(field, *radix, from);
                let longest = self.ways[first..].iter().map(|way| way.1).max();
                for way in first..self.ways.len() {
                    let (raw, to) = self.ways[way];
                    if self.notes {
                        self.read[*index] = Some(self.blanks(from));
                    }
                    let cube = Cube::new(field.bits.mask(), field.bits.place(raw));
                    match bits.with(cube) {
                        Some(bits) => {
                            if let Some(word) = self.run(&rest, to, bits) {
                                return Some(word);
                            }
                        }
                        None => self.fail(from, String::new),
                    }
                }
                self.ways.truncate(first);
                if self.notes {
                    self.read[*index] = None;
                }
                if let (Kind::Enum(id), Some(end)) = (&field.kind, longest) {
                    self.whole_word(&self.isa.enums[id.index()], self.blanks(from), end);
                }
                None
            }
            Piece::Group { when, body } => self.group(when, body, &rest, at, bits),
            Piece::OneOf(list) => {
                let mut texts = self.form.bodies[*list].iter();
                texts.find_map(|text| self.run(&Todo { pieces: text, next: Some(&rest) }, at, bits))
            }
        }
    }

    /// Reads a name: where it ends.
    pub(super) fn register_name(&mut self, field: &Field, place: usize, from: usize) -> Option<usize> {
        let Kind::Register(id) = field.kind else { return None };
        let file = &self.isa.registers[id.index()];
        let length = file.names.as_ref().and_then(|names| {
            // What could belong to the word before does.
            let runs_on = self.text[..from].ends_with(is_word)
                && self.text[from..].bytes().next().is_some_and(|b| b.is_ascii() && names.goes_on() >> b & 1 == 1);
            names.longest(&self.text[from..]).filter(|_| !runs_on)
        });
        let Some(length) = length else {
            self.fail(from, || format!("a register {}", file.name));
            return None;
        };
        self.names[place] = from..from + length;
        Some(from + length)
    }

    /// A word that begins as a text of the enumeration, and after which nothing goes on: all of it is at fault.
    fn whole_word(&mut self, e: &Enum, from: usize, end: usize) {
        if !self.notes {
            return;
        }
        let word = word_at(self.text, from);
        let is_inside = self.text[from..].starts_with(is_word) && self.text[..from].ends_with(is_word);
        if end <= from || end >= word.end || self.reached > end || is_inside {
            return;
        }
        let texts = texts_of(e);
        let wanted = if texts.len() > FEW { format!("no {}", many_texts(e)) } else { format!("not {}", texts.join(" or ")) };
        self.wrong(from, word.end, || format!("`{}` is {wanted}", &self.text[word.clone()]));
    }

    fn group(&mut self, when: &'t When, body: &'t [Piece], rest: &Todo<'t, '_>, at: usize, bits: Bits) -> Option<Word> {
        let inner = Todo { pieces: body, next: Some(rest) };
        let depth = self.pending.len();
        match when {
            When::Holds(condition) => {
                let words = &condition.words;
                if words.meets(bits.word, bits.known) {
                    self.pending.push(Pending::In(words));
                    let found = self.run(&inner, at, bits);
                    self.pending.truncate(depth);
                    if found.is_some() {
                        return found;
                    }
                }
                if words.covers(bits.word, bits.known) {
                    return None;
                }
                self.pending.push(Pending::NotIn(words));
                let found = self.run(rest, at, bits);
                self.pending.truncate(depth);
                found
            }
            When::Differs(fields) => {
                if self.pass.is_strict() {
                    self.pending.push(Pending::Differs(fields));
                }
                let found = self.run(&inner, at, bits);
                self.pending.truncate(depth);
                if found.is_some() {
                    return found;
                }
                let bits = bits.with(self.at_default(fields))?;
                self.run(rest, at, bits)
            }
        }
    }

    pub(super) fn literal(&mut self, literal: &str, from: usize) -> Option<usize> {
        if self.pass == Pass::Exact {
            return self.text[from..].starts_with(literal).then_some(from + literal.len());
        }
        let mut at = from;
        let mut chars = literal.chars().peekable();
        while let Some(c) = chars.next() {
            if c == ' ' {
                let next = self.blanks(at);
                let alone = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_');
                let after = self.text[next..].chars().next();
                if next == at && !alone(self.text[..at].chars().next_back()) && !alone(after) {
                    self.fail(at, || "a blank".to_string());
                    return None;
                }
                at = next;
                continue;
            }
            let start = if c.is_ascii_alphanumeric() || c == '_' { self.token(at) } else { self.blanks(at) };
            if !self.text[start..].starts_with(c) {
                let rest: String = std::iter::once(c).chain(chars).take_while(|c| *c != ' ').collect();
                self.fail(start, || format!("`{rest}`"));
                return None;
            }
            at = start + c.len_utf8();
        }
        Some(at)
    }

    /// Where the text of a value can begin: after blanks, if it begins with punctuation.
    fn mark(&self, text: &str, at: usize) -> usize {
        if text.is_empty() || text.starts_with(is_word) { at } else { self.blanks(at) }
    }

    /// Adds the ways in which a field can be read at a place, the longest first: its bits, and where it ends.
    pub(super) fn values(&mut self, field: &'t Field, radix: Option<Radix>, at: usize) {
        let width = field.bits.width();
        let flip = |raw: Raw| if field.inverted { ones(width) - raw } else { raw };
        let text = &self.text[at..];
        let mut list = std::mem::take(&mut self.ways);
        let first = list.len();
        match &field.kind {
            Kind::Flag(name) => {
                let start = self.mark(name, at);
                if !name.is_empty() && self.text[start..].starts_with(name.as_str()) {
                    list.push((flip(1), start + name.len()));
                }
                list.push((flip(0), at));
                self.fail(start, || format!("`{name}`"));
            }
            Kind::Bitset(letters) => {
                let mut raw = 0;
                let mut found = text.chars();
                let good = letters.chars().enumerate().all(|(i, letter)| match found.next() {
                    Some('-') => true,
                    Some(c) if c == letter => {
                        raw |= 1 << i;
                        true
                    }
                    _ => false,
                });
                if good {
                    list.push((flip(raw), self.text.len() - found.as_str().len()));
                } else {
                    self.fail(at, || format!("`{letters}` with `-` for what is clear"));
                }
            }
            Kind::Register(id) => {
                let file = &self.isa.registers[id.index()];
                for (n, name) in &file.special {
                    if text.starts_with(name.as_str()) && *n <= ones(width) {
                        list.push((flip(*n), at + name.len()));
                    }
                }
                if let Some(rest) = text.strip_prefix(file.prefix.as_str()) {
                    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                    let end = at + file.prefix.len() + digits;
                    if let (true, Ok(n)) = (digits > 0, rest[..digits].parse::<Raw>()) {
                        let halves = match &file.halves {
                            None => [Some((n, end)), None],
                            Some(names) => [0, 1].map(|h| {
                                let is_there = rest[digits..].starts_with(names[h].as_str());
                                is_there.then(|| (n.saturating_mul(2).saturating_add(h as Raw), end + names[h].len()))
                            }),
                        };
                        for (n, end) in halves.into_iter().flatten() {
                            if !self.text[end..].starts_with(file.suffix.as_str()) {
                                continue;
                            }
                            let end = end + file.suffix.len();
                            if n < file.count && n <= ones(width) {
                                list.push((flip(n), end));
                            } else {
                                let last = (file.count.min(ones(width).saturating_add(1))).saturating_sub(1);
                                let (name, last) = (&self.text[at..end], || file.name_of(last).unwrap_or_default());
                                self.wrong(at, end, || format!("there is no `{name}`: the last is `{}`", last()));
                            }
                        }
                    }
                }
                if list.len() == first {
                    self.fail(at, || format!("a register {}", file.name));
                }
            }
            Kind::Enum(id) => {
                let e = &self.isa.enums[id.index()];
                for v in e.values.iter().filter(|v| v.value <= ones(width)) {
                    for name in std::iter::once(&v.text).chain(&v.also) {
                        let start = self.mark(name, at);
                        if self.text[start..].starts_with(name.as_str()) {
                            list.push((flip(v.value), start + name.len()));
                        }
                    }
                }
                if let Some((before, after)) = &e.otherwise
                    && let Some(rest) = text.strip_prefix(before.as_str())
                {
                    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                    if let (Ok(n), true) = (rest[..digits].parse::<Raw>(), rest[digits..].starts_with(after.as_str())) {
                        let end = at + before.len() + digits + after.len();
                        if n <= ones(width) {
                            list.push((flip(n), end));
                        } else {
                            let (name, last) = (&self.text[at..end], ones(width));
                            self.wrong(at, end, || format!("`{name}` is out of range: the last is {before}{last}{after}"));
                        }
                    }
                }
                if self.notes {
                    self.fail_enum(e, at);
                }
            }
            Kind::Int { .. } => list.extend(self.integer(field, at)),
        }
        if self.pass == Pass::Exact {
            let mut printed = String::new();
            let mut place = 0..first;
            list.retain(|(raw, end)| {
                if place.next().is_some() {
                    return true;
                }
                printed.clear();
                print_value(self.isa, field, *raw, radix, self.address, &mut printed);
                self.text[at..*end] == printed
            });
        }
        list[first..].sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        self.ways = list;
    }

    /// The ways in which a field can be read at a place, and nothing else.
    pub(super) fn ways(&mut self, field: &'t Field, radix: Option<Radix>, at: usize) -> Vec<(Raw, usize)> {
        self.ways.clear();
        self.values(field, radix, at);
        std::mem::take(&mut self.ways)
    }

    /// No text of the enumeration stands there.
    fn fail_enum(&mut self, e: &Enum, at: usize) {
        let texts = texts_of(e);
        let marks = e.values.iter().all(|v| !v.text.starts_with(is_word));
        let place = if marks { self.blanks(at) } else { at };
        match texts.len() {
            0 => self.fail(place, || format!("`{}`", e.name)),
            1..=FEW => texts.into_iter().for_each(|text| self.fail(place, || text)),
            _ => self.fail(place, || many_texts(e)),
        }
    }

    fn integer(&mut self, field: &Field, at: usize) -> Option<(Raw, usize)> {
        let Kind::Int { signed, scale, bias, target, .. } = &field.kind else { return None };
        let text = &self.text[at..];
        let sign = text.len() - text.trim_start_matches(['-', '+']).len();
        let negative = text.starts_with('-');
        let digits = &text[sign.min(1)..];
        let (radix, skip) = if digits.starts_with("0x") || digits.starts_with("0X") { (16, 2) } else { (10, 0) };
        let count = digits[skip..].bytes().take_while(|b| (*b as char).is_digit(radix)).count();
        let end = at + sign.min(1) + skip + count;
        if count == 0 || sign > 1 {
            if sign == 0 && (target.is_some() || self.is_label(at)) {
                return self.label(field, at);
            }
            self.fail(at, || "a number".to_string());
            return None;
        }
        if self.text[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            self.fail(end, || "the end of the number".to_string());
            return None;
        }
        let shown = &self.text[at..end];
        let Ok(magnitude) = Raw::from_str_radix(&digits[skip..skip + count], radix) else {
            self.wrong(at, end, || format!("{shown} is too large"));
            return None;
        };
        let width = field.bits.width();
        if width > 126 && !signed && !negative && *scale == 1 && *bias == 0 {
            return (magnitude <= ones(width)).then_some((magnitude, end));
        }
        let Ok(value) = i128::try_from(magnitude) else {
            self.wrong(at, end, || format!("{shown} is too large"));
            return None;
        };
        let value = if negative { -value } else { value };
        self.encode_number(field, value, at, end)
    }

    /// How long the name is that stands here.
    fn name(&self, at: usize) -> usize {
        self.text[at..].bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')).count()
    }

    /// Whether the name of a place in the program stands here: its address can be any number.
    fn is_label(&self, at: usize) -> bool {
        (self.labels)(&self.text[at..at + self.name(at)]).is_some()
    }

    fn label(&mut self, field: &Field, at: usize) -> Option<(Raw, usize)> {
        let text = &self.text[at..];
        let length = self.name(at);
        let end = at + length;
        if length == 0 || text.starts_with(|c: char| c.is_ascii_digit()) {
            self.fail(at, || "an address or a label".to_string());
            return None;
        }
        match (self.labels)(&text[..length]) {
            Some(address) => self.encode_number(field, i128::from(address), at, end),
            None => {
                self.wrong(at, end, || format!("there is no label `{}`", &text[..length]));
                None
            }
        }
    }

    /// The bits of a number, if it is one that the field can hold.
    fn encode_number(&mut self, field: &Field, value: i128, at: usize, end: usize) -> Option<(Raw, usize)> {
        let Kind::Int { signed, scale, bias, target, .. } = &field.kind else { return None };
        let width = field.bits.width();
        let shown = &self.text[at..end];
        let base = match target {
            Some(offset) => i128::from((self.address as i64).wrapping_add(*offset)),
            None => 0,
        } + i128::from(*bias);
        let scale = i128::from(*scale);
        // A target wraps as an address does, and not in its field.
        let wraps = field.wraps && target.is_none();
        let (low, high) = if *signed {
            let most = (ones(width) >> 1) as i128;
            (-most - 1, if wraps && width < 128 { ones(width) as i128 } else { most })
        } else {
            (if wraps { -(1i128 << (width.min(127) - 1)) } else { 0 }, (ones(width) >> u32::from(width > 127)) as i128)
        };
        let Some(distance) = value.checked_sub(base) else {
            self.wrong(at, end, || format!("{shown} is too large"));
            return None;
        };
        let distance = if field.wraps && target.is_some() {
            let turn = 1i128 << crate::value_text::address_bits(self.isa);
            let ahead = (distance + i128::from(*bias)).rem_euclid(turn) - i128::from(*bias);
            let fits = |d: &i128| d % scale == 0 && (low..=high).contains(&(d / scale));
            let near = if ahead + i128::from(*bias) < turn / 2 { ahead } else { ahead - turn };
            let other = || some_turn(ahead, turn, scale, [low * scale, high * scale]);
            [near, ahead].into_iter().find(fits).or_else(other).unwrap_or(near)
        } else {
            distance
        };
        if distance % scale != 0 {
            self.wrong(at, end, || match (target, bias) {
                (Some(_), _) => format!("{shown} is not at a multiple of {scale} from here"),
                (None, 0) => format!("{shown} is not a multiple of {scale}"),
                (None, bias) => format!("{shown} is not {bias} more than a multiple of {scale}"),
            });
            return None;
        }
        let raw = distance / scale;
        if raw < low || raw > high {
            let (a, b) = (low * scale + base, high * scale + base);
            let hex = |n: i128| format!("{}{:#x}", if n < 0 { "-" } else { "" }, n.unsigned_abs());
            self.wrong(at, end, || {
                format!("{shown} is out of range: `{}` takes {} to {}", field.path, hex(a.min(b)), hex(a.max(b)))
            });
            return None;
        }
        let raw = raw as Raw & ones(width);
        Some((if field.inverted { ones(width) - raw } else { raw }, end))
    }

    fn end(&mut self, at: usize, bits: Bits) -> Option<Word> {
        if let Some(longest) = &mut self.prefix {
            if longest.is_none_or(|longest| at > longest.0) {
                *longest = Some((at, self.literal_at));
            }
            return None;
        }
        let end = self.blanks(at);
        if end < self.text.len() {
            if let Some(full) = self.full.take() {
                let start = self.literal(" ", at);
                let found = start.and_then(|at| self.run(&Todo { pieces: full, next: None }, at, bits));
                self.full = Some(full);
                return found;
            }
            self.fail(end, || "the end".to_string());
            return None;
        }
        match self.settle(bits) {
            Ok(Some(word)) => return Some(word),
            Ok(None) if self.notes => self.blame(at, bits),
            Ok(None) => {}
            Err(error) => self.wrong(at, at, || format!("{}: what the text leaves open is {error}", self.form.name)),
        }
        None
    }

    /// Says why no word has the bits that the text says.
    fn blame(&mut self, at: usize, bits: Bits) {
        let possible = |set: &WordSet| set.meets(bits.word, bits.known);
        let broken = self.form.constraints.iter().find(|c| !possible(&c.that.words)).map(|c| (&c.why, c.fields.clone()));
        let said = (self.default & !bits.known) | bits.word;
        let excluded = || {
            let mut exclusions = self.form.exclusions.iter().filter(|_| !possible(&self.form.words));
            exclusions.find(|e| e.when.words.contains(said)).map(|e| (&e.why, e.field.into_iter().collect()))
        };
        match broken.or_else(excluded) {
            Some((why, fields)) => {
                // With the last of the fields concerned it is clear; the word that it stands in is shown.
                let last = fields.into_iter().filter_map(|f| self.read[f]).max();
                let place = last.map_or(at, |last| word_before(self.text, last));
                self.wrong(place, at, || format!("{}: {why}", self.form.name));
            }
            None => self.wrong(at, at, || NOT_CANONICAL.to_string()),
        }
    }

    /// Defaults for what is not known; where something then fails, the nearest word with which nothing does: the one that changes
    /// the fewest bits, and of several the smallest.
    fn settle(&self, bits: Bits) -> Result<Option<Word>, TooLarge> {
        let word = (self.default & !bits.known) | bits.word;
        let form = self.form;
        if form.words.contains(word) && form.legal.contains(word) && self.pending.iter().all(|p| self.keeps(p, word)) {
            return Ok(Some(word));
        }
        let known = Cube::new(bits.known, bits.word);
        let mut solver = Solver::new(self.isa.order(form.length));
        let set = solver.attempt(|solver| {
            let mut all = Set::ALL;
            for set in [&form.words, &form.legal] {
                let set = solver.import(set)?;
                let set = solver.restrict(set, known)?;
                all = solver.and(all, set)?;
            }
            for pending in &self.pending {
                let set = match pending {
                    Pending::In(words) | Pending::NotIn(words) => solver.import(words)?,
                    Pending::Differs(fields) => solver.cube(self.at_default(fields))?,
                };
                let set = solver.restrict(set, known)?;
                all = match pending {
                    Pending::In(_) => solver.and(all, set)?,
                    Pending::NotIn(_) | Pending::Differs(_) => solver.minus(all, set)?,
                };
            }
            Ok(all)
        })?;
        Ok(solver.freeze(set).nearest(word, bits.known))
    }

    /// The words in which all of these fields are at their defaults.
    pub(super) fn at_default(&self, fields: &[usize]) -> Cube {
        Cube::new(fields.iter().fold(Word::ZERO, |mask, i| mask | self.form.fields[*i].bits.mask()), self.default)
    }

    fn keeps(&self, pending: &Pending<'_>, word: Word) -> bool {
        match pending {
            Pending::In(words) => words.contains(word),
            Pending::NotIn(words) => !words.contains(word),
            Pending::Differs(fields) => !self.at_default(fields).contains(word),
        }
    }
}

/// The least of the numbers between two others, whichever is the lesser, that is a multiple of `scale`, and so many turns away from
/// `distance`.
fn some_turn(distance: i128, turn: i128, scale: i128, ends: [i128; 2]) -> Option<i128> {
    let scale = scale.abs();
    // Euclid's algorithm: `factor * turn` leaves the common divisor when it is divided by the scale.
    let (mut common, mut rest, mut factor, mut next) = (turn, scale, 1i128, 0i128);
    while rest != 0 {
        let times = common / rest;
        (common, rest) = (rest, common - times * rest);
        (factor, next) = (next, factor - times * next);
    }
    if distance % common != 0 {
        return None;
    }
    let period = scale / common;
    let turns = (-distance / common).rem_euclid(period) * factor.rem_euclid(period) % period;
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let first = distance + turns * turn;
    Some(low + (first - low).rem_euclid(turn * period)).filter(|found| *found <= high)
}

#[cfg(test)]
mod tests {
    use super::some_turn;

    #[test]
    fn a_multiple_some_turns_away() {
        for turn in [2, 4, 8, 16] {
            for scale in [-6i128, -4, -3, -1, 1, 2, 3, 5, 12] {
                for (low, high) in [(0, 3), (-4, 3), (5, 40), (-40, -20)] {
                    for distance in -20..20i128 {
                        let (a, b) = (low * scale, high * scale);
                        let is_it = |n: &i128| n % scale == 0 && (n - distance) % turn == 0;
                        let found = (a.min(b)..=a.max(b)).find(is_it);
                        assert_eq!(some_turn(distance, turn, scale, [a, b]), found, "{distance} {turn} {scale} {low}..{high}");
                    }
                }
            }
        }
    }
}
