//! Texts that fit on a line. Refuses texts that an assembler would drop or take for something else. A line is read without the
//! blanks around it; it can begin with labels and addresses (`loop:`, `0x10:`), or with the `! ` before the reason why there is
//! no text. Marks of comments and between statements are those that the specification declares, and no text has one: see
//! `expand::marks` and `comments`.

use crate::automaton::{Automaton, Query, TextSet};
use crate::text_graph::Token;
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Form, Instruction, Isa, Label, Piece};
use isa_runtime::escape::is_deceptive;

/// Checks that the texts of enumerations and registers fit on a line.
pub(super) fn names(isa: &Isa, diags: &mut Diagnostics) {
    let enums = isa.enums.iter().flat_map(|e| e.values.iter().map(move |v| (&e.name, &v.text, e.span)));
    let registers = isa.registers.iter().flat_map(|r| r.special.iter().map(move |(_, text)| (&r.name, text, r.span)));
    for (name, text, span) in enums.chain(registers).filter(|(_, text, _)| text.contains(['\n', '\r'])) {
        let message = format!("a text of `{name}` has more than one line: `{}`", text.escape_debug());
        diags.push(Diagnostic::error("text-line", message, span).with_help("a text has one line"));
    }
}

/// Finds a text that a form of an instruction can print, or that is read, and that does not fit on a line of its own.
pub(super) fn finding(instruction: &Instruction, automaton: &mut Automaton<'_>) -> Option<Diagnostic> {
    let (wrong, example) = fault(automaton)?;
    let (message, help) = wrong.words(instruction, &example);
    // Without the blank it is read all the same.
    let make = if wrong == Wrong::BlankLast { Diagnostic::warning } else { Diagnostic::error };
    Some(make("text-line", message, instruction.span).with_help(help))
}

fn fault(automaton: &mut Automaton<'_>) -> Option<(Wrong, String)> {
    let form = automaton.form;
    let all = form.templates().map(|text| text.0).chain(form.bodies.iter().flatten()).chain([&form.full]);
    if let Some(example) = all.into_iter().find_map(|text| line_end(form, text)) {
        return Some((Wrong::Line, example));
    }
    let words = automaton.words(&form.words);
    let begun = automaton.ends(&mut Begun, TextSet::Read, &Begin::Nothing, words);
    // A fault before the end is more informative.
    let first = begun.into_iter().rev().find_map(|(begin, (_, example))| match begin {
        Begin::Nothing => Some((Wrong::Empty, example)),
        Begin::Colon => Some((Wrong::Label, example)),
        Begin::Wrong(wrong) => Some((wrong, example)),
        _ => None,
    });
    first.or_else(|| {
        let ended = automaton.ends(&mut Ended, TextSet::Own, &None, words);
        // What is not read is worse.
        ended.into_iter().rev().find_map(|(wrong, (_, example))| Some((wrong?, example)))
    })
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

/// The beginning of a text.
struct Begun;

impl Query<'_> for Begun {
    type State = Begin;

    fn is_last(&self, begin: &Begin) -> bool {
        matches!(begin, Begin::Wrong(_))
    }

    fn token(&mut self, from: &Begin, token: &Token<'_>, _: bool) -> Vec<(Begin, String)> {
        let after = match token {
            Token::Text(text) => vec![after_text(*from, text)],
            Token::Name { begins, goes_on } => after_some(*from, *begins, *goes_on),
            token => after_some(*from, token.begins(), token.made_of()),
        };
        // Whatever follows, an instruction remains one.
        after.into_iter().filter(|(begin, _)| *begin != Begin::Instruction).collect()
    }
}

fn after_text(mut begin: Begin, text: &str) -> (Begin, String) {
    for (at, c) in text.char_indices() {
        begin = step(begin, c);
        if let Begin::Wrong(_) = begin {
            return (begin, text[..at + c.len_utf8()].to_owned());
        }
    }
    (begin, text.to_owned())
}

/// One of these ASCII characters, and any number of those.
fn after_some(begin: Begin, first: u128, rest: u128) -> Vec<(Begin, String)> {
    let mut all: Vec<(Begin, String)> = Vec::new();
    let mut open = vec![(begin, String::new())];
    while let Some((begin, example)) = open.pop() {
        let set = if example.is_empty() { first } else { rest };
        for c in (0..128u8).filter(|c| set >> c & 1 == 1).map(char::from) {
            let next = (step(begin, c), format!("{example}{c}"));
            if all.iter().all(|known| known.0 != next.0) {
                open.push(next.clone());
                all.push(next);
            }
        }
    }
    all
}

/// The end of a text: a blank is wrong.
struct Ended;

impl Query<'_> for Ended {
    type State = Option<Wrong>;

    const IS_BACKWARD: bool = true;

    fn is_last(&self, wrong: &Option<Wrong>) -> bool {
        wrong.is_some()
    }

    fn token(&mut self, _: &Option<Wrong>, token: &Token<'_>, is_field: bool) -> Vec<(Option<Wrong>, String)> {
        match token {
            Token::Text("") => vec![(None, String::new())],
            Token::Text(text) if text.ends_with(char::is_whitespace) => {
                vec![(Some(if is_field { Wrong::NameLast } else { Wrong::BlankLast }), (*text).to_owned())]
            }
            _ => Vec::new(),
        }
    }
}
