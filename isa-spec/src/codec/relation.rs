//! A text as a relation: for each place of a template and of the text, the set of words of which the rest of the template is the
//! rest of the text. So a text that can be read in very many ways takes no longer than one that can be read in one.

use super::parse::Matcher;
use crate::model::{Field, Form, Piece, Radix, When, Word};
use crate::sets::{Cube, Set, Solver, TooLarge};
use std::collections::HashMap;

/// A piece of a template, and the number of what follows it.
struct Step<'t> {
    piece: Kind<'t>,
    next: usize,
}

enum Kind<'t> {
    Literal(&'t str),
    Field(usize, Option<Radix>),
    /// A group, with the number of its first piece.
    Group(&'t When, usize),
    /// The text is over here, or what may be added follows.
    End(Option<usize>),
}

/// A template matched against a text.
pub(super) struct Relation<'t> {
    matcher: Box<Matcher<'t>>,
    steps: Vec<Step<'t>>,
    first: usize,
    solver: Solver<'t>,
    known: HashMap<(usize, usize), Set>,
}

impl<'t> Relation<'t> {
    pub(super) fn new(matcher: Matcher<'t>, template: &'t [Piece], full: &'t [Piece], gap: &'t [Piece]) -> Self {
        let solver = Solver::new(matcher.isa.order(matcher.form.length));
        let mut steps = vec![Step { piece: Kind::End(None), next: 0 }];
        let end = if full.is_empty() {
            0
        } else {
            let added = chain(&mut steps, full, 0);
            let added = chain(&mut steps, gap, added);
            steps.push(Step { piece: Kind::End(Some(added)), next: 0 });
            steps.len() - 1
        };
        let first = chain(&mut steps, template, end);
        Self { matcher: Box::new(matcher), steps, first, solver, known: HashMap::new() }
    }

    /// The word of the text, with the matcher that knows its names.
    ///
    /// # Errors
    /// When the words at some place take a diagram that is too large.
    pub(super) fn solve(mut self) -> Result<(Box<Matcher<'t>>, Option<Word>), TooLarge> {
        let form = self.matcher.form;
        let legal = self.solver.attempt(|solver| {
            let (words, legal) = (solver.import(&form.words)?, solver.import(&form.legal)?);
            solver.and(words, legal)
        })?;
        let read = self.words(self.first, 0)?;
        let mut set = self.both(legal, read)?;
        if set == Set::NONE {
            return Ok((self.matcher, None));
        }
        // Along the first way that leads to a word, as one who tries one way after the other would find it.
        let (mut step, mut at) = (self.first, 0);
        loop {
            let Step { piece, next } = &self.steps[step];
            let next = *next;
            (step, at) = match *piece {
                Kind::Literal(text) => match self.matcher.literal(text, at) {
                    Some(to) => (next, to),
                    None => return Ok((self.matcher, None)),
                },
                Kind::Field(field, radix) => {
                    let mut found = None;
                    for (bits, to) in self.ways(field, radix, at) {
                        let rest = self.words(next, to)?;
                        let here = self.both(bits, rest)?;
                        let here = self.both(set, here)?;
                        if here != Set::NONE {
                            found = Some((here, to));
                            break;
                        }
                    }
                    let Some((here, to)) = found else { return Ok((self.matcher, None)) };
                    set = here;
                    (next, to)
                }
                Kind::Group(when, body) => {
                    let (with, without) = self.group(when, body, next, at)?;
                    let inside = self.both(set, with)?;
                    if inside == Set::NONE {
                        set = self.both(set, without)?;
                        (next, at)
                    } else {
                        set = inside;
                        (body, at)
                    }
                }
                Kind::End(added) => {
                    if self.is_end(at) {
                        let word = self.solver.freeze(set).nearest(self.matcher.default, Word::ZERO);
                        return Ok((self.matcher, word));
                    }
                    match added {
                        Some(added) => (added, at),
                        None => return Ok((self.matcher, None)),
                    }
                }
            };
        }
    }

    fn both(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        self.solver.attempt(|solver| solver.and(a, b))
    }

    fn is_end(&self, at: usize) -> bool {
        self.matcher.blanks(at) == self.matcher.text.len()
    }

    /// The ways to read a field: the words that say so, and where its text ends.
    fn ways(&mut self, index: usize, radix: Option<Radix>, at: usize) -> Vec<(Set, usize)> {
        let form: &'t Form = self.matcher.form;
        let field: &'t Field = &form.fields[index];
        let from = self.matcher.token(at);
        if let Some(named) = form.names.iter().find(|n| n.field == index) {
            return self.matcher.register_name(field, named.place, from).map(|to| (Set::ALL, to)).into_iter().collect();
        }
        let ways = self.matcher.ways(field, radix, from);
        let cube = |raw| Cube::new(field.bits.mask(), field.bits.place(raw));
        ways.into_iter().filter_map(|(raw, to)| Some((self.solver.cube(cube(raw)).ok()?, to))).collect()
    }

    /// The words with the group and those without it, for the rest of the text.
    fn group(&mut self, when: &'t When, body: usize, next: usize, at: usize) -> Result<(Set, Set), TooLarge> {
        let (with, without) = (self.words(body, at)?, self.words(next, at)?);
        match when {
            When::Holds(condition) => {
                let holds = self.solver.attempt(|solver| solver.import(&condition.words))?;
                self.solver.attempt(|solver| Ok((solver.and(with, holds)?, solver.minus(without, holds)?)))
            }
            When::Differs(fields) => {
                let (default, is_strict) = (self.matcher.at_default(fields), self.matcher.pass.is_strict());
                self.solver.attempt(|solver| {
                    let default = solver.cube(default)?;
                    Ok((if is_strict { solver.minus(with, default)? } else { with }, solver.and(without, default)?))
                })
            }
        }
    }

    /// The words of which the rest of the template from this step on is the rest of the text from there on.
    fn words(&mut self, step: usize, at: usize) -> Result<Set, TooLarge> {
        if let Some(set) = self.known.get(&(step, at)) {
            return Ok(*set);
        }
        let Step { piece, next } = &self.steps[step];
        let next = *next;
        let set = match *piece {
            Kind::Literal(text) => match self.matcher.literal(text, at) {
                Some(to) => self.words(next, to)?,
                None => Set::NONE,
            },
            Kind::Field(field, radix) => {
                let mut all = Set::NONE;
                for (bits, to) in self.ways(field, radix, at) {
                    let rest = self.words(next, to)?;
                    all = self.solver.attempt(|solver| {
                        let words = solver.and(bits, rest)?;
                        solver.or(all, words)
                    })?;
                }
                all
            }
            Kind::Group(when, body) => {
                let (with, without) = self.group(when, body, next, at)?;
                self.solver.attempt(|solver| solver.or(with, without))?
            }
            Kind::End(added) => match added {
                _ if self.is_end(at) => Set::ALL,
                Some(added) => self.words(added, at)?,
                None => Set::NONE,
            },
        };
        self.known.insert((step, at), set);
        Ok(set)
    }
}

/// Adds the pieces before what is numbered `next`; the number of the first.
fn chain<'t>(steps: &mut Vec<Step<'t>>, pieces: &'t [Piece], mut next: usize) -> usize {
    for piece in pieces.iter().rev() {
        let piece = match piece {
            Piece::Literal(text) => Kind::Literal(text),
            Piece::Field { field, radix } => Kind::Field(*field, *radix),
            Piece::Group { when, body } => Kind::Group(when, chain(steps, body, next)),
        };
        steps.push(Step { piece, next });
        next = steps.len() - 1;
    }
    next
}
