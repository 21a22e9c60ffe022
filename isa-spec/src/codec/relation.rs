//! A text as a relation: for each piece of a template and each place of the text where it can stand, where it can end and for
//! which words. So a text that can be read in very many ways takes no longer than one that can be read in one.

use super::parse::Matcher;
use crate::model::{Field, Form, Piece, Radix, When, Word};
use crate::sets::{Cube, Set, Solver, TooLarge};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

/// Places of the text, each with the words for which reading gets there, or goes on from there.
type Places = BTreeMap<usize, Set>;

/// A template matched against a text.
pub(super) struct Relation<'t> {
    matcher: Box<Matcher<'t>>,
    /// The template, and what may be added to it.
    pieces: Vec<&'t Piece>,
    /// Where the text can be over: behind the template, and behind all.
    template: usize,
    solver: Solver<'t>,
    /// Where what stands in another text ends, by where it is kept and where it begins.
    known: HashMap<(*const Piece, usize), Rc<Places>>,
    /// The same for one of several texts, by the number of the list.
    lists: HashMap<(usize, usize), Rc<Places>>,
    /// Where names stand, by their places.
    names: Vec<(usize, Range<usize>)>,
}

impl<'t> Relation<'t> {
    pub(super) fn new(matcher: Matcher<'t>, template: &'t [Piece], full: &'t [Piece], gap: &'t [Piece]) -> Self {
        let solver = Solver::new(matcher.isa.order(matcher.form.length));
        let added = if full.is_empty() { &[] } else { gap };
        Self {
            matcher: Box::new(matcher),
            pieces: template.iter().chain(added).chain(full).collect(),
            template: template.len(),
            solver,
            known: HashMap::new(),
            lists: HashMap::new(),
            names: Vec::new(),
        }
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
        // Along the first way that leads to a word, as one who tries one way after the other would find it.
        let pieces = std::mem::take(&mut self.pieces);
        let rest = self.rest(&pieces, 0, None)?;
        let Some((_, set)) = self.follow(&pieces, &rest, 0, legal, true)? else { return Ok((self.matcher, None)) };
        let word = self.solver.freeze(set).nearest(self.matcher.default, Word::ZERO);
        for (place, range) in self.names {
            self.matcher.names[place] = range;
        }
        Ok((self.matcher, word))
    }

    fn both(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        self.solver.attempt(|solver| solver.and(a, b))
    }

    /// Adds words to those of a place.
    fn add(&mut self, places: &mut Places, at: usize, set: Set) -> Result<(), TooLarge> {
        if set != Set::NONE {
            let known = places.get(&at).copied().unwrap_or(Set::NONE);
            places.insert(at, self.solver.attempt(|solver| solver.or(known, set))?);
        }
        Ok(())
    }

    /// Whether all of the text is read with so many pieces of the whole.
    fn is_over(&self, pieces: usize, all: usize, at: usize) -> bool {
        (pieces == self.template || pieces == all) && self.matcher.blanks(at) == self.matcher.text.len()
    }

    /// For each number of pieces that are read, and each place where that can lead from `at`, the words for which the others
    /// lead to one of the ends; without these, to the end of the text.
    fn rest(&mut self, pieces: &[&'t Piece], at: usize, ends: Option<&Places>) -> Result<Vec<Places>, TooLarge> {
        let mut reached = vec![BTreeSet::from([at])];
        for (count, piece) in pieces.iter().enumerate() {
            let mut next = BTreeSet::new();
            for at in &reached[count] {
                if ends.is_some() || !self.is_over(count, pieces.len(), *at) {
                    next.extend(self.moves(piece, *at)?.iter().map(|to| to.0));
                }
            }
            reached.push(next);
        }
        let mut rest = vec![Places::new(); pieces.len() + 1];
        for count in (0..=pieces.len()).rev() {
            for at in &reached[count] {
                let mut set = Set::NONE;
                if let (Some(ends), true) = (ends, count == pieces.len()) {
                    set = ends.get(at).copied().unwrap_or(Set::NONE);
                } else if ends.is_none() && self.is_over(count, pieces.len(), *at) {
                    set = Set::ALL;
                } else if let Some(piece) = pieces.get(count) {
                    for (to, words) in self.moves(piece, *at)? {
                        let after = rest[count + 1].get(&to).copied().unwrap_or(Set::NONE);
                        set = self.solver.attempt(|solver| {
                            let words = solver.and(words, after)?;
                            solver.or(set, words)
                        })?;
                    }
                }
                if set != Set::NONE {
                    rest[count].insert(*at, set);
                }
            }
        }
        Ok(rest)
    }

    /// The first way through the pieces, of the whole text or of one inside it, with what is known of the rest: where it ends,
    /// and those of the words that go it.
    fn follow(
        &mut self,
        pieces: &[&'t Piece],
        rest: &[Places],
        mut at: usize,
        mut set: Set,
        is_whole: bool,
    ) -> Result<Option<(usize, Set)>, TooLarge> {
        for (count, piece) in pieces.iter().enumerate() {
            // Nothing is added.
            if is_whole && self.is_over(count, pieces.len(), at) {
                return Ok(Some((at, set)));
            }
            let after = &rest[count + 1];
            let found = match piece {
                Piece::Literal(_) => {
                    let to = self.moves(piece, at)?;
                    self.first(to, after, set)?
                }
                Piece::Field { field, .. } => {
                    let to = self.moves(piece, at)?;
                    let found = self.first(to, after, set)?;
                    if let Some(named) = self.matcher.form.names.iter().find(|n| n.field == *field) {
                        self.names.push((named.place, self.matcher.names[named.place].clone()));
                    }
                    found
                }
                Piece::Group { when, body } => {
                    let (with, without) = self.divide(when)?;
                    let mut ends = Places::new();
                    for (to, words) in after {
                        let words = self.both(*words, with)?;
                        self.add(&mut ends, *to, words)?;
                    }
                    match self.within(body, at, &ends, set)? {
                        Some(found) => Some(found),
                        None => self.first(vec![(at, without)], after, set)?,
                    }
                }
                Piece::OneOf(list) => {
                    let texts: &'t [Vec<Piece>] = &self.matcher.form.bodies[*list];
                    let mut found = None;
                    for text in texts {
                        found = self.within(text, at, after, set)?;
                        if found.is_some() {
                            break;
                        }
                    }
                    found
                }
            };
            let Some(found) = found else { return Ok(None) };
            (at, set) = found;
        }
        let words = rest[pieces.len()].get(&at).copied().unwrap_or(Set::NONE);
        let set = self.both(set, words)?;
        Ok((set != Set::NONE).then_some((at, set)))
    }

    /// The first of these ways that some of the words go, and from whose end they go on.
    fn first(&mut self, ways: Vec<(usize, Set)>, after: &Places, set: Set) -> Result<Option<(usize, Set)>, TooLarge> {
        for (to, words) in ways {
            let words = self.both(words, after.get(&to).copied().unwrap_or(Set::NONE))?;
            let words = self.both(set, words)?;
            if words != Set::NONE {
                return Ok(Some((to, words)));
            }
        }
        Ok(None)
    }

    /// The first way through a text inside the text, if some of the words go one that leads to one of these ends.
    fn within(&mut self, text: &'t [Piece], at: usize, ends: &Places, set: Set) -> Result<Option<(usize, Set)>, TooLarge> {
        let pieces: Vec<&'t Piece> = text.iter().collect();
        let to = self.ends(text, at)?;
        let ways = to.iter().map(|(to, words)| (*to, *words)).collect();
        if self.first(ways, ends, set)?.is_none() {
            return Ok(None);
        }
        let rest = self.rest(&pieces, at, Some(ends))?;
        self.follow(&pieces, &rest, at, set, false)
    }

    /// Where a text inside the text can end that begins there.
    fn ends(&mut self, text: &'t [Piece], at: usize) -> Result<Rc<Places>, TooLarge> {
        let key = (text.as_ptr(), at);
        if let Some(places) = self.known.get(&key) {
            return Ok(Rc::clone(places));
        }
        let mut places = Places::from([(at, Set::ALL)]);
        for piece in text {
            let mut next = Places::new();
            for (at, set) in places {
                for (to, words) in self.moves(piece, at)? {
                    let words = self.both(set, words)?;
                    self.add(&mut next, to, words)?;
                }
            }
            places = next;
        }
        let places = Rc::new(places);
        self.known.insert(key, Rc::clone(&places));
        Ok(places)
    }

    /// Where a piece can end that begins there, in the order in which the ways are tried.
    fn moves(&mut self, piece: &'t Piece, at: usize) -> Result<Vec<(usize, Set)>, TooLarge> {
        Ok(match piece {
            Piece::Literal(text) => self.matcher.literal(text, at).map(|to| (to, Set::ALL)).into_iter().collect(),
            Piece::Field { field, radix } => self.ways(*field, *radix, at),
            Piece::Group { when, body } => {
                let (with, without) = self.divide(when)?;
                let mut places = Places::new();
                for (to, words) in &*self.ends(body, at)? {
                    let words = self.both(*words, with)?;
                    self.add(&mut places, *to, words)?;
                }
                self.add(&mut places, at, without)?;
                places.into_iter().collect()
            }
            Piece::OneOf(list) => {
                if let Some(places) = self.lists.get(&(*list, at)) {
                    return Ok(places.iter().map(|(to, words)| (*to, *words)).collect());
                }
                let texts: &'t [Vec<Piece>] = &self.matcher.form.bodies[*list];
                let mut places = Places::new();
                for text in texts {
                    for (to, words) in &*self.ends(text, at)? {
                        self.add(&mut places, *to, *words)?;
                    }
                }
                self.lists.insert((*list, at), Rc::new(places.clone()));
                places.into_iter().collect()
            }
        })
    }

    /// The ways to read a field: where its text ends, and the words that say so.
    fn ways(&mut self, index: usize, radix: Option<Radix>, at: usize) -> Vec<(usize, Set)> {
        let form: &'t Form = self.matcher.form;
        let field: &'t Field = &form.fields[index];
        let from = self.matcher.token(at);
        if let Some(named) = form.names.iter().find(|n| n.field == index) {
            return self.matcher.register_name(field, named.place, from).map(|to| (to, Set::ALL)).into_iter().collect();
        }
        let ways = self.matcher.ways(field, radix, from);
        let cube = |raw| Cube::new(field.bits.mask(), field.bits.place(raw));
        ways.into_iter().filter_map(|(raw, to)| Some((to, self.solver.cube(cube(raw)).ok()?))).collect()
    }

    /// The words with which a group can be there, and those with which it can be missing.
    fn divide(&mut self, when: &'t When) -> Result<(Set, Set), TooLarge> {
        match when {
            When::Holds(condition) => self.solver.attempt(|solver| {
                let holds = solver.import(&condition.words)?;
                Ok((holds, solver.not(holds)?))
            }),
            When::Differs(fields) => {
                let (default, is_strict) = (self.matcher.at_default(fields), self.matcher.pass.is_strict());
                self.solver.attempt(|solver| {
                    let default = solver.cube(default)?;
                    Ok((if is_strict { solver.not(default)? } else { Set::ALL }, default))
                })
            }
        }
    }
}
