//! Checks that adjacent pieces of a text can be told apart: a number ends where no digit or letter follows.

use crate::text_graph::{TextGraph, Token};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Field, Form, Isa, Label, Piece, When};
use isa_model::sets::{Set, Solver, TooLarge};
use std::collections::{BTreeMap, BTreeSet};

/// A number ends where no digit or letter follows, so none may.
pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    for form in &isa.forms {
        let solver = Solver::new(isa.order(form.length));
        let (fields, starts) = (form.fields.iter().collect(), BTreeMap::new());
        let mut neighbours = Neighbours { isa, form, fields, solver, diags, starts, lists: Vec::new(), met: BTreeSet::new() };
        if neighbours.form().is_err() {
            let span = isa.instruction(form.instruction).span;
            let message = format!("whether the text of {} can be read back: {TooLarge}", form.name);
            diags.push(Diagnostic::error("entangled", message, span));
        }
    }
}

/// The pieces that may come directly before, with the words for which they do: a field that ends in digits, or a name. `None`,
/// within one of several texts: the piece before the whole text.
type Before = Vec<(Option<usize>, Set)>;

/// The beginning of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Start {
    /// Characters: a word, or one that is in none.
    Text(String),
    Field(usize),
}

/// The beginnings and ends of a list of texts.
struct Ends {
    starts: BTreeMap<Start, Set>,
    /// The pieces it can end with; `None`: the piece before it, where it can print nothing.
    last: BTreeMap<Option<usize>, Set>,
}

/// The pairs of pieces that can be adjacent in the texts of a form.
struct Neighbours<'a> {
    isa: &'a Isa,
    form: &'a Form,
    /// The fields of the form, and the fixed ones that print as fields.
    fields: Vec<&'a Field>,
    solver: Solver<'a>,
    diags: &'a mut Diagnostics,
    /// The beginnings of the texts of the current list.
    starts: BTreeMap<Start, Set>,
    /// For each list of texts what is known of it.
    lists: Vec<Ends>,
    /// Behind what each of them was met.
    met: BTreeSet<(usize, Before)>,
}

impl<'a> Neighbours<'a> {
    fn form(&mut self) -> Result<(), TooLarge> {
        let form = self.form;
        for texts in &form.bodies {
            let mut last = BTreeMap::new();
            for text in texts {
                let mut before = vec![(None, Set::ALL)];
                self.pieces(text, &mut before)?;
                before.into_iter().try_for_each(|(what, words)| add(&mut last, what, words, &mut self.solver))?;
            }
            let starts = std::mem::take(&mut self.starts);
            self.met.clear();
            self.lists.push(Ends { starts, last });
        }
        let mut texts = std::iter::once(&form.text).chain(&form.also).chain([&form.full]);
        texts.try_for_each(|text| self.pieces(text, &mut Vec::new()))
    }

    fn pieces(&mut self, pieces: &'a [Piece], before: &mut Before) -> Result<(), TooLarge> {
        for piece in pieces {
            match piece {
                Piece::Literal(text) => {
                    let word = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
                    let first = text.chars().next().map_or(0, char::len_utf8);
                    self.meet(before, &Start::Text(text[..word.max(first)].to_owned()))?;
                    before.clear();
                }
                Piece::Field { field, .. } => {
                    self.meet(before, &Start::Field(*field))?;
                    if !starts(self.fields[*field]).1 {
                        before.clear();
                    }
                    if may_go_on(self.fields[*field]) {
                        before.push((Some(*field), Set::ALL));
                    }
                }
                Piece::Reading(reading) => {
                    let number = self.fields.len();
                    self.fields.push(&reading.field);
                    self.meet(before, &Start::Field(number))?;
                    if !starts(&reading.field).1 {
                        before.clear();
                    }
                    if may_go_on(&reading.field) {
                        before.push((Some(number), Set::ALL));
                    }
                }
                Piece::Group { when, body } => {
                    let mut inner = before.clone();
                    match when {
                        When::Differs(_) => self.pieces(body, &mut inner)?,
                        When::Holds(condition) => {
                            let words = self.solver.import(&condition.words)?;
                            let others = self.solver.not(words)?;
                            restrict(&mut inner, words, &mut self.solver)?;
                            self.pieces(body, &mut inner)?;
                            restrict(&mut inner, words, &mut self.solver)?;
                            restrict(before, others, &mut self.solver)?;
                        }
                    }
                    inner.retain(|entry| !before.contains(entry));
                    before.append(&mut inner);
                }
                Piece::OneOf(list) => {
                    if !before.is_empty() && self.met.insert((*list, before.clone())) {
                        for (start, words) in self.lists[*list].starts.clone() {
                            let mut before = before.clone();
                            restrict(&mut before, words, &mut self.solver)?;
                            self.meet(&before, &start)?;
                        }
                    }
                    let last = &self.lists[*list].last;
                    restrict(before, last.get(&None).copied().unwrap_or(Set::NONE), &mut self.solver)?;
                    let last = last.iter().map(|(what, words)| (*what, *words)).filter(|(what, _)| what.is_some());
                    let last: Before = last.filter(|entry| !before.contains(entry)).collect();
                    before.extend(last);
                }
            }
        }
        Ok(())
    }

    /// Notes that something begins after `before`.
    fn meet(&mut self, before: &Before, start: &Start) -> Result<(), TooLarge> {
        let (isa, form) = (self.isa, self.form);
        let first = match start {
            Start::Text(text) => text.chars().take(1).collect(),
            Start::Field(field) => starts(self.fields[*field]).0,
        };
        if let Some(field) = stuck_to(&self.fields, before, &first) {
            let field = self.fields[field];
            self.diags.push(match start {
                Start::Text(word) => not_separate(isa, form, field, &format!("the text `{word}`")),
                Start::Field(second) => {
                    let second = self.fields[*second];
                    not_separate(isa, form, field, &format!("`{}`", second.path)).with_label(second.span, "the second")
                }
            });
        }
        let mut outside = before.iter().filter(|(what, _)| what.is_none());
        outside.try_for_each(|(_, words)| add(&mut self.starts, start.clone(), *words, &mut self.solver))
    }
}

/// Adds words to those of a key.
fn add<K: Ord>(map: &mut BTreeMap<K, Set>, key: K, words: Set, solver: &mut Solver<'_>) -> Result<(), TooLarge> {
    let known = map.entry(key).or_insert(Set::NONE);
    *known = solver.or(*known, words)?;
    Ok(())
}

fn restrict(before: &mut Before, words: Set, solver: &mut Solver<'_>) -> Result<(), TooLarge> {
    for (_, when) in before.iter_mut() {
        *when = solver.and(*when, words)?;
    }
    before.retain(|(_, when)| *when != Set::NONE);
    Ok(())
}

/// The field before that can't be told from what begins with one of these characters.
fn stuck_to(fields: &[&Field], before: &Before, starts: &[char]) -> Option<usize> {
    let goes_on = |field: usize| {
        let set = TextGraph::of_field(fields[field]).last().iter().fold(0, |set, token| set | token.goes_on());
        starts.iter().any(|c| c.is_ascii() && set >> *c as u32 & 1 == 1)
    };
    before.iter().filter_map(|(field, _)| *field).find(|field| goes_on(*field))
}

/// The characters with which a field's text can begin, and true if it can be empty.
fn starts(field: &Field) -> (Vec<char>, bool) {
    // A point before no digit belongs to no number.
    let apart = |text: &str| text.starts_with('.') && !text[1..].starts_with(|c: char| c.is_ascii_digit());
    let (first, is_nullable) = TextGraph::of_field(field).first();
    let begin = |token: &Token<'_>| match token {
        Token::Text(text) if apart(text) => vec![' '],
        Token::Text(text) => text.chars().take(1).collect(),
        Token::Digits(_) | Token::Float(_) => {
            vec!['0', '-', '+'].into_iter().filter(|c| token.begins() >> *c as u32 & 1 == 1).collect()
        }
        token => (0..128u8).filter(|c| token.begins() >> c & 1 == 1).map(char::from).collect(),
    };
    (first.iter().flat_map(begin).collect(), is_nullable)
}

fn may_go_on(field: &Field) -> bool {
    TextGraph::of_field(field).last().iter().any(|token| token.goes_on() != 0)
}

fn not_separate(isa: &Isa, form: &Form, first: &Field, second: &str) -> Diagnostic {
    let instruction = isa.instruction(form.instruction);
    let message =
        format!("the text of `{}` can't be read back: there is nothing between `{}` and {second}", instruction.name, first.path);
    Diagnostic::error("ambiguous-text", message, instruction.span)
        .with_label(first.span, "the first")
        .with_help(goes_on(isa, first))
}

/// The characters with which the text of a field goes on, in words.
fn goes_on(isa: &Isa, field: &Field) -> String {
    let last = TextGraph::of_field(field).last();
    let token = last.iter().find(|token| token.goes_on() != 0);
    match token {
        Some(Token::Float(_)) => "a number goes on with letters, digits, `_` and `.`".to_owned(),
        Some(Token::Name { .. }) if let Label::Register(id) = field.label => {
            format!("a name of `{0}` goes on with what `names` of `{0}` allows", isa.registers[id.index()].name)
        }
        Some(Token::Digits(digits)) if digits.is_whole => {
            "a number goes on with letters, digits and `_`: `1_000`, `0x7f`".to_owned()
        }
        Some(Token::Digits(digits)) if digits.is_hex => "a hexadecimal number goes on with digits and `a` to `f`".to_owned(),
        _ => "a number goes on with digits".to_owned(),
    }
}
