//! Marks of comments, and those between statements, that come together from several pieces. A piece contains none (`expand::marks`); one
//! that is made of the end of a piece and of the beginning of another one would be taken for a mark by an assembler.

use crate::automaton::{Automaton, Query, TextSet};
use crate::text_graph::Token;
use isa_model::diag::Diagnostic;
use isa_model::model::{Assembly, Instruction, Isa, Piece};
use std::collections::HashSet;

/// The marks of comments and between statements that texts can have in several pieces.
pub(super) fn marks(isa: &Isa) -> Vec<&str> {
    let Assembly { comments, separators, blocks, .. } = &isa.assembly;
    let block = Some(Assembly::BLOCK[0]).filter(|_| *blocks);
    let marks = comments.iter().chain(separators).map(String::as_str).chain(block);
    // A shorter one is always in one piece.
    let mut marks: Vec<&str> = marks.filter(|mark| mark.chars().count() > 1).collect();
    if marks.is_empty() {
        return marks;
    }
    let printed = characters(isa);
    marks.retain(|mark| mark.chars().all(|c| printed.contains(&c) || c.is_ascii_alphanumeric() || "+-.".contains(c)));
    marks
}

/// Finds a text of a form of an instruction that has one of these marks.
pub(super) fn finding(instruction: &Instruction, automaton: &mut Automaton<'_>, marks: &[&str]) -> Option<Diagnostic> {
    if marks.is_empty() {
        return None;
    }
    let words = automaton.words(&automaton.form.words);
    let ends = automaton.ends(&mut Marks(marks), TextSet::All, &Some(""), words);
    let example = ends.into_iter().find_map(|(begun, (_, example))| begun.is_none().then_some(example))?;
    let message = format!("a text of `{}` has a mark of a comment, made of several pieces: `{example}`", instruction.name);
    let help = "an assembler would take it for the mark; separate the pieces, or write them as one, so that it is none";
    Some(Diagnostic::error("text-line", message, instruction.span).with_help(help))
}

/// The characters of all texts but those of numbers.
fn characters(isa: &Isa) -> HashSet<char> {
    let mut all = HashSet::new();
    for form in &isa.forms {
        let texts = form.templates().map(|text| text.0).chain([&form.full]).chain(form.bodies.iter().flatten());
        let mut open: Vec<&Piece> = texts.flatten().collect();
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Literal(text) => all.extend(text.chars()),
                Piece::Group { body, .. } => open.extend(body),
                _ => {
                    let spelling = piece.shown(&form.fields).map(|(_, spelling)| spelling);
                    all.extend(spelling.into_iter().flat_map(|spelling| spelling.texts()).flat_map(str::chars));
                    // Names that programs give can begin with one.
                    all.extend(spelling.and_then(|spelling| spelling.given()).map(|_| '*'));
                }
            }
        }
    }
    all
}

/// The marks that a text must not have in several pieces.
struct Marks<'m>(&'m [&'m str]);

impl<'m> Query<'_> for Marks<'m> {
    /// The longest beginning of a mark that the text ends with, or none if it has a mark.
    type State = Option<&'m str>;

    fn is_last(&self, begun: &Self::State) -> bool {
        begun.is_none()
    }

    fn token(&mut self, from: &Self::State, token: &Token<'_>, _: bool) -> Vec<(Self::State, String)> {
        let text = match token {
            Token::Text(text) => *text,
            // Names that programs give can begin with one.
            Token::Name { begins, .. } if begins >> b'*' & 1 == 1 => "*",
            Token::Digits(_) | Token::Float(_) | Token::Name { .. } => "0",
        };
        let before = from.unwrap_or_default();
        let all = format!("{before}{text}");
        let is_across = |mark: &&str| {
            let mut places = before.char_indices();
            places.any(|(at, _)| all[at..].starts_with(*mark) && at + mark.len() > before.len())
        };
        let beginnings = self.0.iter().flat_map(|mark| mark.char_indices().map(|(at, _)| &mark[..at]));
        let begun = beginnings.filter(|begun| all.ends_with(begun)).max_by_key(|begun| begun.len()).unwrap_or_default();
        let next = if self.0.iter().any(is_across) { None } else { Some(begun) };
        vec![(next, text.to_owned())]
    }
}
