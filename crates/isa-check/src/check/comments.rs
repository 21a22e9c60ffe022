//! Marks of comments, and those between statements, that come together from several pieces. A piece contains none (`expand::marks`); one
//! that is made of the end of a piece and of the beginning of another one would be taken for a mark by an assembler.

use super::lines::{both_of, divide, either_of};
use crate::text_graph::{Numbers, TextGraph, Token};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Assembly, Field, Form, InstructionId, Isa, Piece, Raw, When};
use isa_model::sets::{Cube, Set, Solver};
use std::collections::{BTreeMap, HashSet};

/// Checks the instructions, except those with an earlier finding (`said`).
pub(super) fn check(isa: &Isa, said: &HashSet<InstructionId>, diags: &mut Diagnostics) {
    let Assembly { comments, separators, blocks, .. } = &isa.assembly;
    let block = Some(Assembly::BLOCK[0]).filter(|_| *blocks);
    let marks = comments.iter().chain(separators).map(String::as_str).chain(block);
    // A shorter one is always in one piece.
    let mut marks: Vec<&str> = marks.filter(|mark| mark.chars().count() > 1).collect();
    let printed = characters(isa);
    marks.retain(|mark| mark.chars().all(|c| printed.contains(&c) || c.is_ascii_alphanumeric() || "+-.".contains(c)));
    if marks.is_empty() {
        return;
    }
    for instruction in isa.instructions.iter().filter(|instruction| !said.contains(&instruction.id)) {
        let found = isa.forms_of(instruction).iter().find_map(|form| {
            let mut walk =
                Walk { form, solver: Solver::new(isa.order(form.length)), marks: &marks, lists: BTreeMap::new(), found: None };
            let words = walk.solver.attempt(|solver| solver.import(&form.words)).unwrap_or(Set::ALL);
            for text in std::iter::once(&form.text).chain(&form.also).chain([&form.full]) {
                let start = State { words, text: String::new() };
                walk.pieces(text, vec![start]);
            }
            walk.found
        });
        if let Some(example) = found {
            let message =
                format!("a text of `{}` has a mark of a comment, made of several pieces: `{example}`", instruction.name);
            let help = "an assembler would take it for the mark; separate the pieces, or write them as one, so that it is none";
            diags.push(Diagnostic::error("text-line", message, instruction.span).with_help(help));
        }
    }
}

/// The characters of all texts but those of numbers.
fn characters(isa: &Isa) -> HashSet<char> {
    let mut all = HashSet::new();
    let spellings = isa.enums.iter().map(|e| &e.spelling).chain(isa.registers.iter().map(|file| &file.spelling));
    for spelling in spellings.chain(isa.forms.iter().flat_map(|form| form.fields.iter().map(|field| &field.spelling))) {
        all.extend(spelling.texts().flat_map(str::chars));
        // Names that programs give can begin with one.
        all.extend(spelling.given().map(|_| '*'));
    }
    for form in &isa.forms {
        let lists = form.bodies.iter().flatten();
        let mut open: Vec<&Piece> =
            form.text.iter().chain(form.also.iter().flatten()).chain(&form.full).chain(lists.flatten()).collect();
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Literal(text) => all.extend(text.chars()),
                Piece::Group { body, .. } => open.extend(body),
                Piece::Field { .. } | Piece::Reading(_) | Piece::OneOf(_) => {}
            }
        }
    }
    all
}

/// The end of the text printed so far, for some words.
#[derive(Clone)]
struct State {
    words: Set,
    /// An example, or the end of one.
    text: String,
}

/// Looks through the texts of a form.
struct Walk<'a> {
    form: &'a Form,
    solver: Solver<'a>,
    marks: &'a [&'a str],
    /// The states after one of several texts, by the list of texts and the beginning of a mark before it.
    lists: BTreeMap<(usize, &'a str), Vec<State>>,
    /// A text with a mark.
    found: Option<String>,
}

impl<'a> Walk<'a> {
    /// The states after some pieces: one for each beginning of a mark that the text can end with.
    fn pieces(&mut self, pieces: &[Piece], mut states: Vec<State>) -> Vec<State> {
        for piece in pieces {
            let mut after = Vec::new();
            for state in states {
                self.piece(piece, &state, &mut after);
            }
            states = self.joined(after);
        }
        states
    }

    fn piece(&mut self, piece: &Piece, state: &State, after: &mut Vec<State>) {
        match piece {
            Piece::Literal(text) => self.text(state, state.words, text, after),
            Piece::Field { field, .. } => self.field(&self.form.fields[*field], state, after),
            Piece::Reading(reading) => self.field(&reading.field, state, after),
            Piece::Group { when, body } => {
                let (inside, outside) = match when {
                    When::Holds(condition) => divide(&mut self.solver, state.words, condition),
                    When::Differs(fields) => {
                        let default = self.form.at_default(fields);
                        let divided = self.solver.attempt(|solver| {
                            let default = solver.cube(default)?;
                            Ok((solver.minus(state.words, default)?, solver.and(state.words, default)?))
                        });
                        divided.unwrap_or((state.words, state.words))
                    }
                };
                after.extend(self.pieces(body, vec![State { words: inside, ..state.clone() }]));
                after.push(State { words: outside, ..state.clone() });
            }
            Piece::OneOf(list) => {
                let begun = self.begun(&state.text);
                for way in self.one_of(*list, begun) {
                    let words = both_of(&mut self.solver, state.words, way.words);
                    after.push(State { words, text: format!("{}{}", state.text, &way.text[begun.len()..]) });
                }
            }
        }
    }

    /// The states after one of the texts of a list, for all words, from the beginning of a mark on.
    fn one_of(&mut self, list: usize, begun: &'a str) -> Vec<State> {
        if let Some(known) = self.lists.get(&(list, begun)) {
            return known.clone();
        }
        let form = self.form;
        let start = || vec![State { words: Set::ALL, text: begun.to_owned() }];
        let all = form.bodies[list].iter().flat_map(|text| self.pieces(text, start())).collect();
        let all = self.joined(all);
        self.lists.insert((list, begun), all.clone());
        all
    }

    /// Some words print a text.
    fn text(&mut self, state: &State, words: Set, text: &str, after: &mut Vec<State>) {
        if words == Set::NONE {
            return;
        }
        let all = format!("{}{text}", state.text);
        let is_across = |mark: &&&str| {
            let from = state.text.len().saturating_sub(mark.len());
            let mut places = (from..state.text.len()).filter(|at| all.is_char_boundary(*at));
            places.any(|at| all[at..].starts_with(**mark) && at + mark.len() > state.text.len())
        };
        if self.found.is_none() && self.marks.iter().any(|mark| is_across(&mark)) {
            self.found = Some(all.clone());
        }
        after.push(State { words, text: all });
    }

    fn field(&mut self, field: &Field, state: &State, after: &mut Vec<State>) {
        let mut states = vec![state.clone()];
        for ways in &TextGraph::of_field(field).parts {
            let mut next = Vec::new();
            for (state, way) in states.iter().flat_map(|state| ways.iter().map(move |way| (state, way))) {
                let words = match way.of {
                    Numbers::One(name) if way.bits.is_none() => self.with_value(field, name.number, state.words),
                    _ => state.words,
                };
                let example = |token: &Token<'_>| match token {
                    Token::Text(text) => (*text).to_owned(),
                    // Names that programs give can begin with one.
                    Token::Name { begins, .. } if begins >> b'*' & 1 == 1 => "*".to_owned(),
                    Token::Digits(_) | Token::Float(_) | Token::Name { .. } => "0".to_owned(),
                };
                self.text(state, words, &way.tokens.iter().map(example).collect::<String>(), &mut next);
            }
            states = self.joined(next);
        }
        after.append(&mut states);
    }

    /// The subset of `words` in which a field has a value.
    fn with_value(&mut self, field: &Field, value: Raw, words: Set) -> Set {
        let raw = field.bits_of(value).unwrap_or(value);
        let cube = Cube::new(field.bits.mask(), field.bits.place(raw));
        let with = self.solver.attempt(|solver| solver.cube(cube));
        with.map_or(words, |with| both_of(&mut self.solver, words, with))
    }

    /// States that end in the same beginning of a mark, as one.
    fn joined(&mut self, states: Vec<State>) -> Vec<State> {
        let mut joined: Vec<(&str, State)> = Vec::new();
        for state in states.into_iter().filter(|state| state.words != Set::NONE) {
            let end = self.begun(&state.text);
            match joined.iter_mut().find(|(known, _)| *known == end) {
                Some((_, known)) => known.words = either_of(&mut self.solver, known.words, state.words),
                None => joined.push((end, state)),
            }
        }
        joined.into_iter().map(|(_, state)| state).collect()
    }

    /// The longest beginning of a mark that a text ends with.
    fn begun(&self, text: &str) -> &'a str {
        let beginnings = self.marks.iter().flat_map(|mark| mark.char_indices().map(|(at, _)| &mark[..at]));
        beginnings.filter(|begun| text.ends_with(begun)).max_by_key(|begun| begun.len()).unwrap_or_default()
    }
}
