//! From templates to steps that read. Steps are made from the end of a text to its beginning, and equal ones are one: so forms
//! share the ends of their texts.

use super::builder::{Builder, intern, reading_order, short};
use isa_check::text_graph::{TextGraph, Token};
use isa_model::diag::Diagnostic;
use isa_model::model::{Field, Form, Piece, When, elses};
use isa_runtime::engine::read::pair;
use isa_runtime::engine::tables as t;
use isa_runtime::value::{Role, Spelling};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Every ASCII character; the lowest bit is the end of the text, the highest one means any character beyond ASCII.
const ANY: u128 = u128::MAX;

/// The end of the text.
const END: u128 = 1;

/// The greatest number of steps, enough for every intended instruction set.
const MAX_STEPS: usize = 1 << 22;

/// Steps that are being made.
#[derive(Default)]
struct Steps {
    known: FxHashMap<t::Step, u32>,
    initials: FxHashMap<u128, u32>,
}

/// Adds the templates that read all texts.
pub(super) fn templates(b: &mut Builder<'_>) -> Result<(), Box<Diagnostic>> {
    let mut steps = Steps::default();
    let mut keys: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    for form in reading_order(b.isa) {
        let number = short(form.id.index(), "forms", b.isa)?;
        let end = end(b, &mut steps, form)?;
        // Later lists have earlier ones inside them.
        let mut bodies: Vec<u32> = Vec::new();
        for texts in &form.bodies {
            let list = body(b, &mut steps, form, texts, &bodies)?;
            bodies.push(list);
        }
        for (which, (text, when)) in form.templates().enumerate() {
            let mut step = chain(b, &mut steps, form, text, &bodies, end)?;
            if let Some(when) = when {
                let (of, initials) = (b.set(when), b.initials_of(step));
                step = b.step(&mut steps, t::Step { kind: t::ONLY, of, next: step, ..t::Step::default() }, initials)?;
            }
            let key = key(form, text);
            let template = short(b.out.templates.len(), "texts", b.isa)?;
            if let Some(key) = &key {
                keys.entry(key.clone()).or_default().push(template);
            }
            let row = t::Template {
                form: number,
                which: if when.is_some() { u16::MAX } else { short(which, "texts of a form", b.isa)? },
                step,
                word: b.str(key.as_deref().unwrap_or("")),
                needs: needs(text),
                pairs: pairs(text),
                made_of: made_of(form, text) | made_of(form, &form.full) | set_of(b' '),
                longest: b.str(longest_word(text)),
            };
            b.out.templates.push(row);
        }
        for refused in &form.refused {
            let end = b.step(&mut steps, t::Step { kind: t::END, ..t::Step::default() }, END)?;
            let step = chain(b, &mut steps, form, &refused.begins, &bodies, end)?;
            let why = b.str(&refused.why);
            b.out.refused.push(t::Refused { form: number, step, why });
        }
    }
    for (word, templates) in keys {
        let row = t::Key { word: b.str(&word), templates: b.list(templates) };
        b.out.keys.push(row);
    }
    Ok(())
}

/// The step at which a form's texts end.
fn end(b: &mut Builder<'_>, steps: &mut Steps, form: &Form) -> Result<u32, Box<Diagnostic>> {
    let end = b.step(steps, t::Step { kind: t::END, ..t::Step::default() }, END)?;
    if form.full.is_empty() {
        return Ok(end);
    }
    let full = chain(b, steps, form, &form.full, &[], end)?;
    let initials = b.initials_of(full) | END | 1 << b' ';
    b.step(steps, t::Step { kind: t::FULL, body: full, ..t::Step::default() }, initials)
}

/// The first of several texts inside a text.
fn body(
    b: &mut Builder<'_>,
    steps: &mut Steps,
    form: &Form,
    texts: &[Vec<Piece>],
    bodies: &[u32],
) -> Result<u32, Box<Diagnostic>> {
    let back = b.step(steps, t::Step { kind: t::RETURN, ..t::Step::default() }, ANY)?;
    let mut rest: Option<u32> = None;
    for text in texts.iter().rev() {
        let first = chain(b, steps, form, text, bodies, back)?;
        rest = Some(match rest {
            None => first,
            Some(rest) => {
                let initials = b.initials_of(first) | b.initials_of(rest);
                b.step(steps, t::Step { kind: t::EITHER, body: first, next: rest, ..t::Step::default() }, initials)?
            }
        });
    }
    Ok(rest.unwrap_or(back))
}

/// The first step of some pieces, which are followed by the step `next`.
fn chain(
    b: &mut Builder<'_>,
    steps: &mut Steps,
    form: &Form,
    pieces: &[Piece],
    bodies: &[u32],
    mut next: u32,
) -> Result<u32, Box<Diagnostic>> {
    // The step read instead of the previous group.
    let mut instead: Option<u32> = None;
    let elses = elses(pieces);
    for (i, piece) in pieces.iter().enumerate().rev() {
        let after = b.initials_of(next);
        next = match piece {
            Piece::Literal(text) => {
                let of = b.string(text);
                // Blanks may be missing.
                let first = text.bytes().find(|c| *c != b' ').map_or(after, set_of);
                let blank = if text.starts_with(' ') { 1 << b' ' } else { 0 };
                b.step(steps, t::Step { kind: t::LITERAL, of, next, ..t::Step::default() }, first | blank)?
            }
            Piece::Field { field, spelling } => {
                let of = b.field(form, *field)?.into();
                let (initials, is_optional) = initials(&form.fields[*field], spelling);
                let initials = initials | if is_optional { after } else { 0 };
                let spelling = b.spelling(spelling);
                b.step(steps, t::Step { kind: t::VALUE, spelling, of, next, ..t::Step::default() }, initials)?
            }
            Piece::Reading(reading) => {
                let field = &reading.field;
                let (of, spelling) = (b.reading(field)?.into(), b.spelling(&field.spelling));
                let (initials, is_optional) = initials(field, &field.spelling);
                let initials = initials | if is_optional { after } else { 0 };
                b.step(steps, t::Step { kind: t::VALUE, spelling, of, next, ..t::Step::default() }, initials)?
            }
            Piece::Group { when, body } => {
                let body = chain(b, steps, form, body, bodies, next)?;
                if elses[i] {
                    instead = Some(body);
                    continue;
                }
                let (kind, of) = match when {
                    When::Holds(condition) => (t::HOLDS, b.set(&condition.words)),
                    When::Differs(fields) => (t::DIFFERS, b.cube(form.at_default(fields))),
                };
                let next = instead.take().unwrap_or(next);
                let initials = b.initials_of(body) | b.initials_of(next);
                b.step(steps, t::Step { kind, of, next, body, ..t::Step::default() }, initials)?
            }
            Piece::OneOf(list) => {
                let body = bodies[*list];
                let initials = b.initials_of(body);
                b.step(steps, t::Step { kind: t::ONE_OF, body, next, ..t::Step::default() }, initials)?
            }
        };
    }
    Ok(next)
}

impl Builder<'_> {
    /// The number of a step.
    fn step(&mut self, steps: &mut Steps, step: t::Step, initials: u128) -> Result<u32, Box<Diagnostic>> {
        let initials = intern(&mut steps.initials, &mut self.out.initials, initials);
        if self.out.steps.len() >= MAX_STEPS {
            let message = format!("the texts of `{}` take more than {MAX_STEPS} steps to read", self.isa.name);
            return Err(Box::new(Diagnostic::error("too-large", message, self.isa.span)));
        }
        Ok(intern(&mut steps.known, &mut self.out.steps, t::Step { initials, ..step }))
    }

    /// The first characters of the texts from a step on.
    fn initials_of(&self, step: u32) -> u128 {
        self.out.initials[self.out.steps[step as usize].initials as usize]
    }
}

fn set_of(c: u8) -> u128 {
    1 << c.min(127)
}

/// The characters with which a field that is spelt so can begin, and true if it can be nothing at all.
fn initials(field: &Field, spelling: &Spelling) -> (u128, bool) {
    // Labels and expressions as well.
    let names = || (0..128).filter(|c: &u8| c.is_ascii_alphanumeric() || b"_.$-+(%'~!<>*".contains(c));
    let numbers = || names().fold(0, |all, c| all | set_of(c));
    if spelling.style().is_some() {
        return (numbers(), false);
    }
    let (first, is_nullable) = TextGraph::of(&field.code, spelling).first();
    let also = also_read(spelling).fold(0, |all, text| all | text.bytes().next().map_or(0, set_of));
    let also = if spelling.else_style().is_some() { also | numbers() } else { also };
    (first.iter().fold(also, |all, token| all | token.begins()), is_nullable || also_read(spelling).any(str::is_empty))
}

/// The names that are read and never printed.
fn also_read(spelling: &Spelling) -> impl Iterator<Item = &str> {
    let names = spelling.parts.iter().flat_map(|part| &part.names);
    names.filter(|name| name.role == Role::Read).map(|name| name.text.as_str())
}

/// The ASCII characters that all texts of a template have.
fn needs(text: &[Piece]) -> u128 {
    let of = |piece: &Piece| match piece {
        Piece::Literal(text) => text.bytes().filter(|c| c.is_ascii() && *c != b' ').fold(0, |set, c| set | set_of(c)),
        _ => 0,
    };
    text.iter().fold(0, |set, piece| set | of(piece))
}

/// The pairs of characters that all texts of a template have.
fn pairs(text: &[Piece]) -> u128 {
    literals(text).flat_map(|(_, text)| text.as_bytes().windows(2)).fold(0, |set, two| set | 1 << pair(two[0], two[1]))
}

/// The characters that texts are made of, as they are printed.
fn made_of(form: &Form, text: &[Piece]) -> u128 {
    let of = |text: &str| text.bytes().fold(0, |set, c| set | set_of(c));
    text.iter().fold(0, |set, piece| {
        set | match piece {
            Piece::Literal(text) => of(text),
            Piece::Group { body, .. } => made_of(form, body),
            // Only in texts that are never printed. Lists are inside lists: their texts can be very many.
            Piece::OneOf(_) => ANY,
            Piece::Field { .. } | Piece::Reading(_) => {
                piece.shown(&form.fields).map_or(0, |(field, spelling)| spelt(field, spelling))
            }
        }
    })
}

/// The characters that the texts of a field are made of.
fn spelt(field: &Field, spelling: &Spelling) -> u128 {
    let graph = TextGraph::of(&field.code, spelling);
    let of = |token: &Token<'_>| if let Token::Name { .. } = token { ANY } else { token.made_of() };
    graph.ways().flat_map(|way| &way.tokens).fold(0, |set, token| set | of(token))
}

/// The literals that all texts of a template have.
fn literals(text: &[Piece]) -> impl Iterator<Item = (usize, &str)> {
    text.iter().enumerate().filter_map(|(i, piece)| match piece {
        Piece::Literal(text) => Some((i, text.as_str())),
        _ => None,
    })
}

/// The longest word of a template's literals.
fn longest_word(text: &[Piece]) -> &str {
    let words = literals(text).flat_map(|(_, text)| text.split(|c: char| !c.is_ascii_alphanumeric()));
    // The last one, if several are equally long.
    words.max_by_key(|w| w.len()).unwrap_or("")
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A word that all texts of a template contain as a word: between characters that belong to none.
fn key(form: &Form, text: &[Piece]) -> Option<String> {
    let found = literals(text).find_map(|(i, literal)| {
        let mut start = 0;
        loop {
            let rest = &literal[start..];
            let from = start + rest.find(is_word)?;
            let to = from + literal[from..].find(|c| !is_word(c)).unwrap_or(literal.len() - from);
            let begins = from > 0 || i == 0 || text[..i].iter().all(ends_apart);
            let ends = to < literal.len() || can_end_at(text, i + 1, form);
            if begins && ends {
                return Some(literal[from..to].to_owned());
            }
            start = to;
        }
    });
    found.filter(|word| !word.is_empty())
}

/// True if a piece, if it prints anything, ends with a character that is not a part of a word.
fn ends_apart(piece: &Piece) -> bool {
    match piece {
        Piece::Literal(text) => text.ends_with(|c| !is_word(c)),
        Piece::Group { body, .. } => body.last().is_none_or(ends_apart),
        Piece::Field { .. } | Piece::Reading(_) | Piece::OneOf(_) => false,
    }
}

/// True if a piece, if it prints anything, begins with a character that is not a part of a word.
fn begins_apart(form: &Form, piece: &Piece) -> bool {
    match piece {
        Piece::Literal(text) => apart(text),
        Piece::Group { body, .. } => body.first().is_none_or(|p| begins_apart(form, p)),
        Piece::Field { .. } | Piece::Reading(_) => piece.shown(&form.fields).is_none_or(|(field, spelling)| {
            let is_apart = |token: &Token<'_>| (0..128u8).all(|c| token.begins() >> c & 1 == 0 || !is_word(c.into()));
            let graph = TextGraph::of(&field.code, spelling);
            graph.first().0.iter().all(is_apart) && also_read(spelling).all(apart)
        }),
        Piece::OneOf(_) => false,
    }
}

/// True if a text is empty or begins with a character that is not a part of a word.
fn apart(text: &str) -> bool {
    !text.starts_with(is_word)
}

/// True if the text at a piece, and at those after it while they can be empty, begins with a character that belongs to no word.
fn can_end_at(text: &[Piece], at: usize, form: &Form) -> bool {
    for piece in &text[at..] {
        if !begins_apart(form, piece) {
            return false;
        }
        let can_be_missing = match piece {
            Piece::Literal(text) => text.is_empty(),
            Piece::Group { .. } => true,
            Piece::Field { .. } | Piece::Reading(_) => {
                piece.shown(&form.fields).is_some_and(|(field, spelling)| initials(field, spelling).1)
            }
            Piece::OneOf(_) => true,
        };
        if !can_be_missing {
            return true;
        }
    }
    true
}
