//! Texts that fit on a line. Refuses texts that an assembler would drop or take for something else. A line is read without the
//! blanks around it; it can begin with labels and addresses (`loop:`, `0x10:`), or with the `! ` before the reason why there is
//! no text. Marks of comments and between statements are those that the specification declares, and no text has one: see
//! `expand::marks` and `comments`.

use crate::text_graph::{TextGraph, Token};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::escape::is_deceptive;
use isa_model::model::{Condition, Field, Form, Instruction, InstructionId, Isa, Label, Piece, When};
use isa_model::sets::{Set, Solver};
use isa_runtime::value::Spelling;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Checks that each text that a form can print, or that is read, fits on a line of its own. Returns the instructions with a text
/// that does not.
pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) -> HashSet<InstructionId> {
    let enums = isa.enums.iter().flat_map(|e| e.values.iter().map(move |v| (&e.name, &v.text, e.span)));
    let registers = isa.registers.iter().flat_map(|r| r.special.iter().map(move |(_, text)| (&r.name, text, r.span)));
    for (name, text, span) in enums.chain(registers).filter(|(_, text, _)| text.contains(['\n', '\r'])) {
        let message = format!("a text of `{name}` has more than one line: `{}`", text.escape_debug());
        diags.push(Diagnostic::error("text-line", message, span).with_help("a text has one line"));
    }
    let mut known = FxHashMap::default();
    let mut said = HashSet::new();
    for instruction in &isa.instructions {
        let forms = isa.forms_of(instruction);
        let found = forms.iter().find_map(|form| {
            let texts = || std::iter::once(&form.text).chain(&form.also);
            let all = texts().chain(form.bodies.iter().flatten()).chain([&form.full]);
            let line = all.into_iter().find_map(|text| line_end(form, text));
            line.map(|example| (Wrong::Line, example)).or_else(|| {
                let solver = Solver::new(isa.order(form.length));
                let mut lines = Lines { isa, form, known: &mut known, solver, lists: BTreeMap::new(), last: Vec::new() };
                texts().find_map(|text| lines.fault(text))
            })
        });
        if let Some((wrong, example)) = found {
            let (message, help) = wrong.words(instruction, &example);
            // Without the blank it is read all the same.
            let make = if wrong == Wrong::BlankLast { Diagnostic::warning } else { Diagnostic::error };
            diags.push(make("text-line", message, instruction.span).with_help(help));
            said.insert(instruction.id);
        }
    }
    said
}

/// The beginning of a text, as far as it matters for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Begin {
    /// Nothing is there yet.
    Nothing,
    /// `loop`
    Word,
    /// `loop`, and blanks
    Blank,
    /// `loop:`
    Colon,
    /// `!`
    Bang,
    /// Anything else: an instruction.
    Instruction,
    /// A text that no line can hold.
    Wrong(Wrong),
}

/// The fault of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Wrong {
    Empty,
    BlankFirst,
    BlankLast,
    NameLast,
    Label,
    Reason,
    Line,
}

impl Wrong {
    fn words(self, instruction: &Instruction, example: &str) -> (String, &'static str) {
        let name = &instruction.name;
        let text = format!("`{}`", example.escape_debug());
        let what = match self {
            Self::Empty => {
                return (
                    format!("the text of `{name}` can be empty, and an empty line is not an instruction"),
                    "print its mnemonic",
                );
            }
            Self::BlankFirst => "begins with a blank, which is not read",
            Self::BlankLast => "ends with a blank, which is lost at the end of a line",
            Self::NameLast => {
                "ends with a name that ends with a blank, which is lost at the end of a line, and the name is not read"
            }
            Self::Label => "begins like a label or an address",
            Self::Reason => "begins like the line of a refused word",
            Self::Line => "has more than one line, or has an invisible character",
        };
        let help = match self {
            Self::BlankFirst | Self::BlankLast => "put the blank into the group that needs it: `<when x: {x}>`, `< {x}>`",
            Self::NameLast => "leave out the blank, or put a text behind the name",
            Self::Label => "a name before `:` is a label, a name before `::` is not",
            Self::Line => "a text has one line",
            _ => "begin with a mnemonic",
        };
        (format!("a text of `{name}` {what}: {text}"), help)
    }
}

/// The ways in which a text can have begun, each with the words for which it has, and an example.
type States = BTreeMap<Begin, (Set, String)>;

/// The states that can follow one state, each with an example.
type Steps = BTreeMap<Begin, String>;

/// The states after fields of some registers or values, by the state before: enumerations are large, and many texts have them.
type Known = FxHashMap<(*const Spelling, u32, Begin), Steps>;

/// A literal that has more than a line.
fn line_end(form: &Form, text: &[Piece]) -> Option<String> {
    let is_bad = |text: &&str| text.contains(['\n', '\r']) || text.contains(is_deceptive);
    text.iter().find_map(|piece| match piece {
        Piece::Literal(text) => Some(text.as_str()).filter(is_bad).map(str::to_owned),
        Piece::Field { field, spelling } if form.fields[*field].label == Label::Flag => {
            spelling.texts().find(is_bad).map(str::to_owned)
        }
        Piece::Field { .. } | Piece::Reading(_) => None,
        Piece::Group { body, .. } => line_end(form, body),
        // Its texts are checked themselves.
        Piece::OneOf(_) => None,
    })
}

/// The words for which a group is there, and those for which it is not. If that is too entangled to decide, both are `words`.
pub(super) fn divide(solver: &mut Solver<'_>, words: Set, condition: &Condition) -> (Set, Set) {
    let divided = solver.attempt(|solver| {
        let those = solver.import(&condition.words)?;
        Ok((solver.and(words, those)?, solver.minus(words, those)?))
    });
    divided.unwrap_or((words, words))
}

/// The words of both sets; those of the first, where that is too entangled to be known.
pub(super) fn both_of(solver: &mut Solver<'_>, a: Set, b: Set) -> Set {
    solver.attempt(|solver| solver.and(a, b)).unwrap_or(a)
}

/// The words of either set; all, where that is too entangled to be known.
pub(super) fn either_of(solver: &mut Solver<'_>, a: Set, b: Set) -> Set {
    solver.attempt(|solver| solver.or(a, b)).unwrap_or(Set::ALL)
}

/// The end of a text.
#[derive(Clone)]
struct Last {
    /// The words for which it prints nothing.
    nothing: Set,
    /// The words for which it ends with a blank, and an example.
    blank: Option<Blank>,
}

/// The words whose text ends with a blank, an example, and what is wrong with that.
type Blank = (Set, String, Wrong);

/// The texts of a form.
struct Lines<'a> {
    isa: &'a Isa,
    form: &'a Form,
    known: &'a mut Known,
    solver: Solver<'a>,
    /// The states after one of several texts, by the list of texts and the state before.
    lists: BTreeMap<(usize, Begin), States>,
    /// The ends of the texts of each list.
    last: Vec<Last>,
}

impl Lines<'_> {
    fn fault(&mut self, text: &[Piece]) -> Option<(Wrong, String)> {
        let form = self.form;
        if self.solver.is_filling() {
            self.solver = Solver::new(self.isa.order(form.length));
            self.lists.clear();
            self.last.clear();
        }
        let words = self.solver.attempt(|solver| solver.import(&form.words)).unwrap_or(Set::ALL);
        let start = States::from([(Begin::Nothing, (words, String::new()))]);
        // A fault before the end is more informative.
        let end = self.pieces(text, start).into_iter().rev().find_map(|(begin, (_, example))| match begin {
            Begin::Nothing => Some((Wrong::Empty, example)),
            Begin::Colon => Some((Wrong::Label, example)),
            Begin::Wrong(wrong) => Some((wrong, example)),
            _ => None,
        });
        end.or_else(|| self.last(text, words).blank.map(|(_, text, wrong)| (wrong, text)))
    }

    /// The end of these pieces, for these words.
    fn last(&mut self, text: &[Piece], words: Set) -> Last {
        let mut end = Last { nothing: words, blank: None };
        for piece in text.iter().rev() {
            if end.nothing == Set::NONE {
                break;
            }
            let here = match piece {
                Piece::Literal(text) => self.ends_in([text.as_str()], end.nothing, Wrong::BlankLast),
                Piece::Field { field, .. } => self.ends_in(last_texts(&self.form.fields[*field]), end.nothing, Wrong::NameLast),
                Piece::Reading(reading) => self.ends_in(last_texts(&reading.field), end.nothing, Wrong::NameLast),
                Piece::Group { when: When::Holds(condition), body } => {
                    let (inside, outside) = divide(&mut self.solver, end.nothing, condition);
                    let body = self.last(body, inside);
                    Last { nothing: either_of(&mut self.solver, outside, body.nothing), blank: body.blank }
                }
                Piece::Group { when: When::Differs(_), body } => {
                    Last { nothing: end.nothing, blank: self.last(body, end.nothing).blank }
                }
                Piece::OneOf(list) => {
                    let Last { nothing, blank } = self.last_of(*list).clone();
                    let blank = blank.map(|(words, text, wrong)| (both_of(&mut self.solver, words, end.nothing), text, wrong));
                    Last { nothing: both_of(&mut self.solver, nothing, end.nothing), blank }
                }
            };
            end.blank = self.either_blank(end.blank, here.blank);
            end.nothing = here.nothing;
        }
        end
    }

    /// The ends of the texts of a list, for all words.
    fn last_of(&mut self, list: usize) -> &Last {
        let form = self.form;
        for texts in form.bodies.iter().take(list + 1).skip(self.last.len()) {
            let mut all = Last { nothing: Set::NONE, blank: None };
            for text in texts {
                let Last { nothing, blank } = self.last(text, Set::ALL);
                all = Last {
                    nothing: either_of(&mut self.solver, all.nothing, nothing),
                    blank: self.either_blank(all.blank, blank),
                };
            }
            self.last.push(all);
        }
        &self.last[list]
    }

    fn either_blank(&mut self, a: Option<Blank>, b: Option<Blank>) -> Option<Blank> {
        let there = |blank: &Blank| blank.0 != Set::NONE;
        match (a.filter(there), b.filter(there)) {
            (Some(a), Some(b)) => {
                let words = either_of(&mut self.solver, a.0, b.0);
                // What is not read is worse.
                let (_, text, wrong) = if b.2 == Wrong::NameLast && a.2 != b.2 { b } else { a };
                Some((words, text, wrong))
            }
            (a, b) => a.or(b),
        }
    }

    /// The end of a piece that ends in one of these texts.
    fn ends_in<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>, words: Set, wrong: Wrong) -> Last {
        let mut end = Last { nothing: Set::NONE, blank: None };
        for text in texts {
            if text.ends_with(char::is_whitespace) && end.blank.is_none() {
                end.blank = Some((words, text.to_string(), wrong));
            } else if text.is_empty() {
                end.nothing = words;
            }
        }
        end
    }

    /// The states after these pieces.
    fn pieces(&mut self, text: &[Piece], mut states: States) -> States {
        let form = self.form;
        for piece in text {
            if states.keys().all(|begin| matches!(begin, Begin::Instruction | Begin::Wrong(_))) {
                break;
            }
            states = match piece {
                Piece::Literal(text) => each(states, &mut self.solver, |from| after_text(from, text)),
                Piece::Field { field, .. } => {
                    each(states, &mut self.solver, |from| after_field(&form.fields[*field], from, self.known))
                }
                Piece::Reading(reading) => each(states, &mut self.solver, |from| after_field(&reading.field, from, self.known)),
                Piece::Group { when, body } => {
                    let (mut with, mut without) = (States::new(), States::new());
                    for (begin, (words, example)) in states {
                        let (inside, outside) = match when {
                            When::Differs(_) => (words, words),
                            When::Holds(condition) => divide(&mut self.solver, words, condition),
                        };
                        if inside != Set::NONE {
                            with.insert(begin, (inside, example.clone()));
                        }
                        if outside != Set::NONE {
                            without.insert(begin, (outside, example));
                        }
                    }
                    let mut all = self.pieces(body, with);
                    without.into_iter().for_each(|(begin, way)| add(&mut all, begin, way, &mut self.solver));
                    all
                }
                Piece::OneOf(list) => {
                    let mut all = States::new();
                    for (begin, (words, example)) in states {
                        for (to, (those, text)) in self.one_of(*list, begin) {
                            let words = both_of(&mut self.solver, words, those);
                            if words != Set::NONE {
                                add(&mut all, to, (words, longer(&example, &text)), &mut self.solver);
                            }
                        }
                    }
                    all
                }
            };
        }
        states
    }

    /// The states after one of the texts of a list, for all words.
    fn one_of(&mut self, list: usize, begin: Begin) -> States {
        if let Some(states) = self.lists.get(&(list, begin)) {
            return states.clone();
        }
        let mut all = States::new();
        for text in &self.form.bodies[list] {
            let start = States::from([(begin, (Set::ALL, String::new()))]);
            for (to, way) in self.pieces(text, start) {
                add(&mut all, to, way, &mut self.solver);
            }
        }
        self.lists.insert((list, begin), all.clone());
        all
    }
}

/// The texts in which a field ends: those of values with names, and those after numbers.
fn last_texts(field: &Field) -> Vec<&str> {
    let spelling = TextGraph::of_field(field);
    let texts = spelling.last().into_iter().filter_map(|token| if let Token::Text(text) = token { Some(text) } else { None });
    texts.chain(spelling.first().1.then_some("")).collect()
}

fn add(states: &mut States, begin: Begin, (words, example): (Set, String), solver: &mut Solver<'_>) {
    match states.get_mut(&begin) {
        Some((known, _)) => *known = either_of(solver, *known, words),
        None => _ = states.insert(begin, (words, example)),
    }
}

fn each(states: States, solver: &mut Solver<'_>, mut step: impl FnMut(Begin) -> Steps) -> States {
    let mut out = States::new();
    for (begin, (words, example)) in states {
        if matches!(begin, Begin::Wrong(_)) {
            add(&mut out, begin, (words, example), solver);
            continue;
        }
        for (begin, text) in step(begin) {
            add(&mut out, begin, (words, longer(&example, &text)), solver);
        }
    }
    out
}

/// An example that goes on, unless it is long enough.
fn longer(example: &str, text: &str) -> String {
    if example.len() < LONG { format!("{example}{text}") } else { example.to_string() }
}

/// True if the character can occur in the name of a label, or in an address.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_.$".contains(c)
}

fn step(begin: Begin, c: char) -> Begin {
    match (begin, c) {
        (Begin::Instruction | Begin::Wrong(_), _) => begin,
        (Begin::Nothing, c) if c.is_whitespace() => Begin::Wrong(Wrong::BlankFirst),
        (Begin::Nothing, '!') => Begin::Bang,
        (Begin::Bang, ' ') => Begin::Wrong(Wrong::Reason),
        (Begin::Nothing | Begin::Word, c) if is_name(c) => Begin::Word,
        (Begin::Word | Begin::Blank, c) if c.is_whitespace() => Begin::Blank,
        (Begin::Word | Begin::Blank, ':') => Begin::Colon,
        (Begin::Colon, ':') => Begin::Instruction,
        (Begin::Colon, _) => Begin::Wrong(Wrong::Label),
        _ => Begin::Instruction,
    }
}

/// Examples need not be longer.
const LONG: usize = 60;

fn after_text(mut begin: Begin, text: &str) -> Steps {
    for (at, c) in text.char_indices() {
        begin = step(begin, c);
        if let Begin::Wrong(_) = begin {
            return Steps::from([(begin, text[..at + c.len_utf8()].to_string())]);
        }
    }
    Steps::from([(begin, text.to_string())])
}

/// One after the other.
fn then(first: Steps, mut second: impl FnMut(Begin) -> Steps) -> Steps {
    let mut out = Steps::new();
    for (begin, example) in first {
        if let Begin::Wrong(_) = begin {
            out.entry(begin).or_insert(example);
            continue;
        }
        for (begin, text) in second(begin) {
            out.entry(begin).or_insert_with(|| format!("{example}{text}"));
        }
    }
    out
}

fn either<'t>(begin: Begin, texts: impl IntoIterator<Item = &'t str>) -> Steps {
    let mut out = Steps::new();
    for text in texts {
        add_all(&mut out, after_text(begin, text));
    }
    out
}

fn add_all(steps: &mut Steps, more: Steps) {
    more.into_iter().for_each(|(begin, example)| _ = steps.entry(begin).or_insert(example));
}

/// One of these characters, and any number of those.
fn row(begin: Begin, first: &str, rest: &str) -> Steps {
    let letters = |set: &'_ str| set.char_indices().map(|(i, c)| i..i + c.len_utf8()).collect::<Vec<_>>();
    let mut out = either(begin, letters(first).into_iter().map(|r| &first[r]));
    loop {
        let more = then(out.clone(), |begin| either(begin, letters(rest).into_iter().map(|r| &rest[r])));
        let known = out.len();
        add_all(&mut out, more);
        if out.len() == known {
            return out;
        }
    }
}

fn after_field(field: &Field, begin: Begin, known: &mut Known) -> Steps {
    if field.spelling.style().is_some() {
        return after_value(field, begin);
    }
    let of = (Arc::as_ptr(&field.spelling), field.code.number_width(), begin);
    known.entry(of).or_insert_with(|| after_value(field, begin)).clone()
}

fn after_value(field: &Field, begin: Begin) -> Steps {
    let mut steps = Steps::from([(begin, String::new())]);
    for ways in &TextGraph::of_field(field).parts {
        steps = then(steps, |begin| {
            let mut out = Steps::new();
            for way in ways {
                let start = Steps::from([(begin, String::new())]);
                let way = way.tokens.iter().fold(start, |steps, token| then(steps, |begin| after_token(token, begin)));
                add_all(&mut out, way);
            }
            out
        });
    }
    steps
}

fn after_token(token: &Token<'_>, begin: Begin) -> Steps {
    let of = |set: u128| (0..128u8).filter(|c| set >> c & 1 == 1).map(char::from).collect::<String>();
    match token {
        Token::Text(text) => after_text(begin, text),
        Token::Digits(digits) => row(begin, digits.characters(), digits.characters()),
        Token::Float(_) => then(either(begin, ["", "-", "+"]), |begin| row(begin, "0123456789IQS", &of(token.made_of()))),
        Token::Name { begins, goes_on } => row(begin, &of(*begins), &of(*goes_on)),
    }
}
