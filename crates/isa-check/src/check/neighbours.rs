//! Checks that adjacent pieces of a text can be told apart: a number ends where no digit or letter follows.

use crate::automaton::{Automaton, Query, Sets, States, TextSet};
use crate::text_graph::{TextGraph, Token};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Field, Form, Isa, Label, Piece};
use isa_model::sets::{Set, TooLarge};

/// A number ends where no digit or letter follows, so none may.
pub(super) fn check(isa: &Isa, automaton: &mut Automaton<'_>, diags: &mut Diagnostics) {
    let form = automaton.form;
    let mut query = Neighbours { form, values: Vec::new() };
    let ends = automaton.ends(&mut query, TextSet::All, &Last { value: None, next: None }, Set::ALL);
    for Last { value, next } in ends.into_keys() {
        let Some((value, next)) = value.zip(next) else { continue };
        let first = &query.values[value];
        diags.push(match next {
            Next::Text(word) => not_separate(isa, form, first, &format!("the text `{word}`")),
            Next::Value(second) => {
                let second = query.values[second].field;
                not_separate(isa, form, first, &format!("`{}`", second.path)).with_label(second.span, "the second")
            }
        });
    }
    if !automaton.sets.is_exact {
        let message = format!("whether the text of {} can be read back: {TooLarge}", form.name);
        diags.push(Diagnostic::error("entangled", message, isa.instruction(form.instruction).span));
    }
}

/// The end of a text so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Last {
    /// A field that may go on.
    value: Option<usize>,
    /// What can't be told from it.
    next: Option<Next>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// Characters: a word, or one that is in none.
    Text(String),
    Value(usize),
}

/// A field or a reading of a form.
struct Value<'f> {
    field: &'f Field,
    /// The ASCII characters with which its text begins, and those with which what is read goes on at its end, one bit each.
    begins: u128,
    goes_on: u128,
    /// Its text can be empty.
    is_nullable: bool,
}

/// The pairs of pieces that can be adjacent in the texts of a form.
struct Neighbours<'f> {
    form: &'f Form,
    values: Vec<Value<'f>>,
}

impl<'f> Neighbours<'f> {
    /// The number of a field or a reading.
    fn number(&mut self, piece: &'f Piece) -> Option<usize> {
        let (field, spelling) = piece.shown(&self.form.fields)?;
        if let Some(known) = self.values.iter().position(|value| std::ptr::eq(value.field, field)) {
            return Some(known);
        }
        let graph = TextGraph::of(&field.code, spelling);
        let (first, is_nullable) = graph.first();
        // A point before no digit belongs to no number.
        let is_apart = |text: &str| text.starts_with('.') && !text[1..].starts_with(|c: char| c.is_ascii_digit());
        let first = first.iter().filter(|token| !matches!(token, Token::Text(text) if is_apart(text)));
        let begins = first.fold(0, |set, token| set | token.begins());
        let goes_on = graph.last().iter().fold(0, |set, token| set | token.goes_on());
        self.values.push(Value { field, begins, goes_on, is_nullable });
        Some(self.values.len() - 1)
    }

    /// The state if something that begins with one of these characters can't be told from the field before.
    fn meet(&self, last: &Last, begins: u128, next: impl FnOnce() -> Next) -> Option<Last> {
        let value = last.value.filter(|value| self.values[*value].goes_on & begins != 0);
        value.map(|_| Last { next: Some(next()), ..last.clone() })
    }
}

impl<'f> Query<'f> for Neighbours<'f> {
    type State = Last;

    fn is_last(&self, last: &Last) -> bool {
        last.next.is_some()
    }

    fn token(&mut self, from: &Last, token: &Token<'_>, _: bool) -> Vec<(Last, String)> {
        let Token::Text(text) = token else { return Vec::new() };
        let word = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let first = text.chars().next().map_or(0, char::len_utf8);
        let met = self.meet(from, token.begins(), || Next::Text(text[..word.max(first)].to_owned()));
        met.into_iter().chain([Last { value: None, next: None }]).map(|last| (last, String::new())).collect()
    }

    fn value(&mut self, from: &Last, piece: &'f Piece, _: &mut Sets<'f>) -> Option<States<Last>> {
        let number = self.number(piece)?;
        let value = &self.values[number];
        let next = Last { value: Some(number).filter(|_| value.goes_on != 0), next: None };
        let met = self.meet(from, value.begins, || Next::Value(number));
        let without = Some(from.clone()).filter(|_| value.is_nullable);
        Some([met, without, Some(next)].into_iter().flatten().map(|last| (last, (Set::ALL, String::new()))).collect())
    }
}

fn not_separate(isa: &Isa, form: &Form, first: &Value<'_>, second: &str) -> Diagnostic {
    let instruction = isa.instruction(form.instruction);
    let message = format!(
        "the text of `{}` can't be read back: there is nothing between `{}` and {second}",
        instruction.name, first.field.path
    );
    Diagnostic::error("ambiguous-text", message, instruction.span)
        .with_label(first.field.span, "the first")
        .with_help(goes_on(isa, first.field))
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
