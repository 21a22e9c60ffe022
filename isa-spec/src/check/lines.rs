//! Texts that a line can hold: those that an assembler's lines would swallow or take for something else are refused. A line is
//! read without the blanks around it; it can begin with labels and addresses (`loop:`, `0x10:`), with a comment, or with the
//! `! ` that stands before the reason why there is no text.

use crate::diag::{Diagnostic, Diagnostics};
use crate::escape::is_deceptive;
use crate::model::{Condition, Field, Form, Instruction, Isa, Kind, Piece, When};
use crate::sets::{Set, Solver};
use std::collections::BTreeMap;

/// Each text that a form can print, or that is read, stands on a line of its own.
pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    let enums = isa.enums.iter().flat_map(|e| e.values.iter().map(move |v| (&e.name, &v.text, e.span)));
    let registers = isa.registers.iter().flat_map(|r| r.special.iter().map(move |(_, text)| (&r.name, text, r.span)));
    for (name, text, span) in enums.chain(registers).filter(|(_, text, _)| text.contains(['\n', '\r'])) {
        let message = format!("a text of `{name}` is more than a line: `{}`", text.escape_debug());
        diags.push(Diagnostic::error("text-line", message, span).with_help("a text has one line"));
    }
    let mut known = BTreeMap::new();
    for instruction in &isa.instructions {
        let forms = isa.forms_of(instruction);
        let found = forms.iter().find_map(|form| {
            let texts = std::iter::once(&form.text).chain(&form.also).map(Vec::as_slice);
            let whole = texts.map(|text| (text, true)).chain([(form.full.as_slice(), false)]);
            whole.into_iter().find_map(|(text, begins)| fault(isa, form, text, begins, &mut known))
        });
        if let Some((wrong, example)) = found {
            let (message, help) = wrong.words(instruction, &example);
            // Without the blank it is read all the same.
            let make = if wrong == Wrong::BlankLast { Diagnostic::warning } else { Diagnostic::error };
            diags.push(make("text-line", message, instruction.span).with_help(help));
        }
    }
}

/// How a text goes on, as far as it matters where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// `/`
    Slash,
    /// Anything else: an instruction.
    Instruction,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Empty,
    BlankFirst,
    BlankLast,
    Label,
    Reason,
    Comment,
    Line,
}

impl Wrong {
    fn words(self, instruction: &Instruction, example: &str) -> (String, &'static str) {
        let name = &instruction.name;
        let text = format!("`{}`", example.escape_debug());
        let what = match self {
            Self::Empty => {
                return (
                    format!("the text of `{name}` can be empty, and a line without a text is no instruction"),
                    "print its mnemonic",
                );
            }
            Self::BlankFirst => "begins with a blank, which is not read",
            Self::BlankLast => "ends with a blank, which a line does not keep",
            Self::Label => "begins as a label or an address does",
            Self::Reason => "begins as the reason why a word has no text does",
            Self::Comment => "begins as a comment does",
            Self::Line => "is more than a line, or has a character that is not seen",
        };
        let help = match self {
            Self::BlankFirst | Self::BlankLast => "put the blank into the group that needs it: `<when x: {x}>`, `< {x}>`",
            Self::Label => "a name and a colon stand for an address; `::` does not",
            Self::Line => "a text has one line",
            _ => "begin with a mnemonic",
        };
        (format!("a text of `{name}` {what}: {text}"), help)
    }
}

/// The ways in which a text can have begun, each with the words for which it has, and an example.
type States = BTreeMap<Begin, (Set, String)>;

/// What follows a state.
type Steps = Result<BTreeMap<Begin, String>, (Wrong, String)>;

/// What a kind of field can print from some state on: enumerations are large, and all stand in many texts.
type Known = BTreeMap<(FieldKind, Begin), Steps>;

/// Fields that print the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FieldKind {
    Int,
    Register(usize),
    Enum(usize),
}

fn fault(isa: &Isa, form: &Form, text: &[Piece], begins: bool, known: &mut Known) -> Option<(Wrong, String)> {
    line_end(form, text).map(|example| (Wrong::Line, example)).or_else(|| {
        if !begins {
            return None;
        }
        let mut solver = Solver::new(isa.order(form.length));
        let words = solver.attempt(|solver| solver.import(&form.words)).unwrap_or(Set::ALL);
        let start = States::from([(Begin::Nothing, (words, String::new()))]);
        let end = match pieces(isa, form, text, start, known, &mut solver) {
            Ok(states) => states.into_iter().find_map(|(begin, (_, example))| match begin {
                Begin::Nothing => Some((Wrong::Empty, example)),
                Begin::Colon => Some((Wrong::Label, example)),
                _ => None,
            }),
            Err(wrong) => Some(wrong),
        };
        end.or_else(|| Some((Wrong::BlankLast, last_blank(isa, form, text, words, &mut solver).err()?)))
    })
}

/// A literal that has more than a line.
fn line_end(form: &Form, text: &[Piece]) -> Option<String> {
    let is_bad = |text: &&String| text.contains(['\n', '\r']) || text.contains(is_deceptive);
    text.iter().find_map(|piece| match piece {
        Piece::Literal(text) => Some(text).filter(is_bad).cloned(),
        Piece::Field { field, .. } => match &form.fields[*field].kind {
            Kind::Flag(text) => Some(text).filter(is_bad).cloned(),
            _ => None,
        },
        Piece::Group { body, .. } => line_end(form, body),
    })
}

/// The words for which a group is there, and those for which it is not. Where that is too entangled to be known, either can be.
fn divide(solver: &mut Solver<'_>, words: Set, condition: &Condition) -> (Set, Set) {
    let divided = solver.attempt(|solver| {
        let those = solver.import(&condition.words)?;
        Ok((solver.and(words, those)?, solver.minus(words, those)?))
    });
    divided.unwrap_or((words, words))
}

/// The words of either set; all, where that is too entangled to be known.
fn either_of(solver: &mut Solver<'_>, a: Set, b: Set) -> Set {
    solver.attempt(|solver| solver.or(a, b)).unwrap_or(Set::ALL)
}

/// The words for which these pieces print nothing, unless for some they end with a blank: then what ends so.
fn last_blank(isa: &Isa, form: &Form, text: &[Piece], words: Set, solver: &mut Solver<'_>) -> Result<Set, String> {
    let mut left = words;
    for piece in text.iter().rev() {
        if left == Set::NONE {
            break;
        }
        left = match piece {
            Piece::Literal(text) if text.ends_with(char::is_whitespace) => return Err(text.clone()),
            Piece::Literal(_) => Set::NONE,
            Piece::Field { field, .. } => {
                let texts: Vec<&str> = match &form.fields[*field].kind {
                    Kind::Int { .. } | Kind::Bitset(_) => Vec::new(),
                    Kind::Flag(text) => vec![text, ""],
                    Kind::Register(id) => {
                        let file = &isa.registers[id.index()];
                        let special = file.special.iter().map(|(_, name)| name.as_str());
                        special.chain([file.suffix.as_str()].into_iter().filter(|s| !s.is_empty())).collect()
                    }
                    Kind::Enum(id) => {
                        let e = &isa.enums[id.index()];
                        let other = e.otherwise.as_ref().map(|(_, suffix)| suffix.as_str()).filter(|s| !s.is_empty());
                        e.values.iter().map(|v| v.text.as_str()).chain(other).collect()
                    }
                };
                if let Some(text) = texts.iter().find(|text| text.ends_with(char::is_whitespace)) {
                    return Err((*text).to_string());
                }
                if texts.contains(&"") { left } else { Set::NONE }
            }
            Piece::Group { when: When::Holds(condition), body } => {
                let (inside, outside) = divide(solver, left, condition);
                let nothing = last_blank(isa, form, body, inside, solver)?;
                either_of(solver, outside, nothing)
            }
            Piece::Group { when: When::Differs(_), body } => {
                last_blank(isa, form, body, left, solver)?;
                left
            }
        };
    }
    Ok(left)
}

fn pieces(
    isa: &Isa,
    form: &Form,
    text: &[Piece],
    mut states: States,
    known: &mut Known,
    solver: &mut Solver<'_>,
) -> Result<States, (Wrong, String)> {
    for piece in text {
        if states.keys().all(|begin| *begin == Begin::Instruction) {
            break;
        }
        states = match piece {
            Piece::Literal(text) => each(states, solver, |from| after_text(from, text))?,
            Piece::Field { field, .. } => each(states, solver, |from| after_field(isa, &form.fields[*field], from, known))?,
            Piece::Group { when, body } => {
                let (mut with, mut without) = (States::new(), States::new());
                for (begin, (words, example)) in states {
                    let (inside, outside) = match when {
                        When::Differs(_) => (words, words),
                        When::Holds(condition) => divide(solver, words, condition),
                    };
                    if inside != Set::NONE {
                        with.insert(begin, (inside, example.clone()));
                    }
                    if outside != Set::NONE {
                        without.insert(begin, (outside, example));
                    }
                }
                let mut all = pieces(isa, form, body, with, known, solver)?;
                without.into_iter().for_each(|(begin, way)| add(&mut all, begin, way, solver));
                all
            }
        };
    }
    Ok(states)
}

fn add(states: &mut States, begin: Begin, (words, example): (Set, String), solver: &mut Solver<'_>) {
    match states.get_mut(&begin) {
        Some((known, _)) => *known = either_of(solver, *known, words),
        None => _ = states.insert(begin, (words, example)),
    }
}

fn each(states: States, solver: &mut Solver<'_>, mut step: impl FnMut(Begin) -> Steps) -> Result<States, (Wrong, String)> {
    let mut out = States::new();
    for (begin, (words, example)) in states {
        let longer = |text: &str| if example.len() < LONG { format!("{example}{text}") } else { example.clone() };
        for (begin, text) in step(begin).map_err(|(wrong, text)| (wrong, longer(&text)))? {
            add(&mut out, begin, (words, longer(&text)), solver);
        }
    }
    Ok(out)
}

/// Whether the character can stand in the name of a label, or in an address.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_.$".contains(c)
}

fn step(begin: Begin, c: char) -> Result<Begin, Wrong> {
    Ok(match (begin, c) {
        (Begin::Instruction, _) => Begin::Instruction,
        (Begin::Nothing, c) if c.is_whitespace() => return Err(Wrong::BlankFirst),
        (Begin::Nothing, '#' | ';') => return Err(Wrong::Comment),
        (Begin::Nothing, '!') => Begin::Bang,
        (Begin::Nothing, '/') => Begin::Slash,
        (Begin::Bang, ' ') => return Err(Wrong::Reason),
        (Begin::Slash, '/' | '*') => return Err(Wrong::Comment),
        (Begin::Nothing | Begin::Word, c) if is_name(c) => Begin::Word,
        (Begin::Word | Begin::Blank, c) if c.is_whitespace() => Begin::Blank,
        (Begin::Word | Begin::Blank, ':') => Begin::Colon,
        (Begin::Colon, ':') => Begin::Instruction,
        (Begin::Colon, _) => return Err(Wrong::Label),
        _ => Begin::Instruction,
    })
}

/// Examples need not be longer.
const LONG: usize = 60;

fn after_text(mut begin: Begin, text: &str) -> Steps {
    for (at, c) in text.char_indices() {
        begin = step(begin, c).map_err(|wrong| (wrong, text[..at + c.len_utf8()].to_string()))?;
    }
    Ok(BTreeMap::from([(begin, text.to_string())]))
}

/// One after the other.
fn then(first: Steps, mut second: impl FnMut(Begin) -> Steps) -> Steps {
    let mut out = BTreeMap::new();
    for (begin, example) in first? {
        let both = |text: String| format!("{example}{text}");
        for (begin, text) in second(begin).map_err(|(wrong, text)| (wrong, both(text)))? {
            out.entry(begin).or_insert_with(|| both(text));
        }
    }
    Ok(out)
}

fn either<'t>(begin: Begin, texts: impl IntoIterator<Item = &'t str>) -> Steps {
    let mut out = BTreeMap::new();
    for text in texts {
        for (begin, example) in after_text(begin, text)? {
            out.entry(begin).or_insert(example);
        }
    }
    Ok(out)
}

/// One of these characters, and any number of those.
fn row(begin: Begin, first: &str, rest: &str) -> Steps {
    let letters = |set: &'_ str| set.char_indices().map(|(i, c)| i..i + c.len_utf8()).collect::<Vec<_>>();
    let mut out = either(begin, letters(first).into_iter().map(|r| &first[r]))?;
    loop {
        let more = then(Ok(out.clone()), |begin| either(begin, letters(rest).into_iter().map(|r| &rest[r])))?;
        let known = out.len();
        more.into_iter().for_each(|(begin, example)| _ = out.entry(begin).or_insert(example));
        if out.len() == known {
            return Ok(out);
        }
    }
}

const DIGITS: &str = "0123456789";

fn after_field(isa: &Isa, field: &Field, begin: Begin, known: &mut Known) -> Steps {
    let kind = match &field.kind {
        Kind::Int { .. } => FieldKind::Int,
        Kind::Register(id) => FieldKind::Register(id.index()),
        Kind::Enum(id) => FieldKind::Enum(id.index()),
        Kind::Flag(_) | Kind::Bitset(_) => return after_value(isa, field, begin),
    };
    known.entry((kind, begin)).or_insert_with(|| after_value(isa, field, begin)).clone()
}

fn after_value(isa: &Isa, field: &Field, begin: Begin) -> Steps {
    let number = |begin| row(begin, DIGITS, DIGITS);
    let numbered = |begin, prefix: &str, suffix: &str| then(then(after_text(begin, prefix), number), |b| after_text(b, suffix));
    match &field.kind {
        Kind::Int { .. } => then(either(begin, ["", "-"]), |begin| row(begin, DIGITS, "0123456789abcdefx")),
        Kind::Flag(text) => either(begin, ["", text.as_str()]),
        Kind::Bitset(letters) => {
            let letters = format!("{letters}-");
            row(begin, &letters, &letters)
        }
        Kind::Register(id) => {
            let file = &isa.registers[id.index()];
            let of = |set: u128| (0..128u8).filter(|c| set >> c & 1 == 1).map(char::from).collect::<String>();
            if let Some(names) = &file.names {
                return row(begin, &of(names.begins()), &of(names.goes_on()));
            }
            let special = either(begin, file.special.iter().map(|(_, name)| name.as_str()))?;
            let halves = file.halves.as_ref().map_or(vec![""], |halves| halves.iter().map(String::as_str).collect());
            let suffixes: Vec<String> = halves.into_iter().map(|half| format!("{half}{}", file.suffix)).collect();
            let mut out = special;
            for suffix in suffixes {
                numbered(begin, &file.prefix, &suffix)?.into_iter().for_each(|(b, e)| _ = out.entry(b).or_insert(e));
            }
            Ok(out)
        }
        Kind::Enum(id) => {
            let e = &isa.enums[id.index()];
            either(begin, e.values.iter().map(|v| v.text.as_str())).and_then(|mut out| {
                if let Some((prefix, suffix)) = &e.otherwise {
                    numbered(begin, prefix, suffix)?.into_iter().for_each(|(b, e)| _ = out.entry(b).or_insert(e));
                }
                Ok(out)
            })
        }
    }
}
