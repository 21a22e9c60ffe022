//! A text as a relation: for each piece of a template, and each place of the text where it can begin, where it can end and for which
//! words. Each is computed once, so a text that can be read in very many ways takes no longer than one that can be read in one.

use super::Template;
use super::reading::Reading;
use isa_spec::model::{Piece, When, Word};
use isa_spec::sets::{Set, Solver, TooLarge};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

/// Places of the text, each with the words for which reading gets there, or goes on from there.
type Places = BTreeMap<usize, Set>;

/// The form of a [`Reading`], matched against its text.
pub(super) struct Relation<'t> {
    reading: Reading<'t>,
    solver: Solver<'t>,
    /// The ends of pieces, by the address of the piece, or of its texts if it is one of several, and by its start.
    known: HashMap<(usize, usize), Rc<Places>>,
    /// The places of names, by [`isa_spec::model::Named::place`].
    names: Vec<Range<usize>>,
}

/// The result of reading a text: the word, and the places of names.
pub(super) type Read = (Word, Vec<Range<usize>>);

impl<'t> Relation<'t> {
    pub(super) fn new(reading: Reading<'t>) -> Self {
        let names = vec![0..0; reading.isa.instruction(reading.form.instruction).names.len()];
        Self { solver: Solver::new(reading.isa.order(reading.form.length)), reading, known: HashMap::new(), names }
    }

    /// Reads the text if it is a text of the template, perhaps with the additions of `--full`.
    ///
    /// If there are several ways to read it, the first one that leads to a word of the form counts; of several words, the one with
    /// the fewest bits that differ from the form's defaults, and of several such words the smallest.
    ///
    /// # Errors
    /// If the words at some place need a diagram that is too large.
    pub(super) fn solve(mut self, template: Template<'t>) -> Result<Option<Read>, TooLarge> {
        let Template { form, text: template, when } = template;
        // The additions, and their start after the template.
        let added: &'t [Piece] = &form.full;
        let start = |relation: &mut Self, at: usize| {
            let is_there = !added.is_empty() && !relation.is_over(at);
            is_there.then(|| relation.reading.literal(" ", at)).flatten()
        };
        let (mut ends, mut ends_added) = (Places::new(), Places::new());
        for at in self.through_all(template, 0)?.into_keys() {
            if self.is_over(at) {
                ends.insert(at, Set::ALL);
            } else if let Some(start) = start(&mut self, at) {
                let over = self.through_all(added, start)?.into_keys().filter(|at| self.is_over(*at));
                ends_added.extend(over.map(|at| (at, Set::ALL)));
                let words = self.onward(added, start, &ends_added)?[0].get(&start).copied();
                ends.extend(words.map(|words| (at, words)));
            }
        }
        if ends.is_empty() {
            return Ok(None);
        }
        let legal = self.solver.attempt(|solver| {
            let (words, legal) = (solver.import(&form.words)?, solver.import(&form.legal)?);
            let legal = solver.and(words, legal)?;
            when.map_or(Ok(legal), |when| {
                let when = solver.import(when)?;
                solver.and(legal, when)
            })
        })?;
        let Some((at, mut words)) = self.follow(template, 0, legal, &ends)? else { return Ok(None) };
        if let Some(start) = start(&mut self, at) {
            let Some(found) = self.follow(added, start, words, &ends_added)? else { return Ok(None) };
            words = found.1;
        }
        let word = self.solver.freeze(words).nearest(form.default_word(), Word::ZERO);
        Ok(word.map(|word| (word, self.names)))
    }

    /// True if all of the text has been read.
    fn is_over(&self, at: usize) -> bool {
        self.reading.blanks(at) == self.reading.text.len()
    }

    fn both(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        self.solver.attempt(|solver| solver.and(a, b))
    }

    /// Adds words to those of a place.
    fn add(&mut self, places: &mut Places, at: usize, words: Set) -> Result<(), TooLarge> {
        if words != Set::NONE {
            let known = places.get(&at).copied().unwrap_or(Set::NONE);
            places.insert(at, self.solver.attempt(|solver| solver.or(known, words))?);
        }
        Ok(())
    }

    /// The words with which a group can be there, and those with which it can be missing.
    fn divide(&mut self, when: &'t When) -> Result<(Set, Set), TooLarge> {
        let (reading, solver) = (&self.reading, &mut self.solver);
        solver.attempt(|solver| match when {
            When::Holds(condition) => {
                let holds = solver.import(&condition.words)?;
                Ok((holds, solver.not(holds)?))
            }
            When::Differs(fields) => {
                let default = solver.cube(reading.form.at_default(fields))?;
                Ok((if reading.pass.is_strict() { solver.not(default)? } else { Set::ALL }, default))
            }
        })
    }

    /// The ways to read a literal, a field or what is fixed, in the order in which they count: where each ends, and the words that say so.
    fn ways(&mut self, piece: &'t Piece, at: usize) -> Result<Vec<(usize, Set)>, TooLarge> {
        let (index, spelling) = match piece {
            Piece::Literal(text) => return Ok(self.reading.literal(text, at).map(|to| (to, Set::ALL)).into_iter().collect()),
            Piece::Field { field, spelling } => (*field, spelling),
            Piece::Reading(reading) => {
                let (field, from) = (&reading.field, self.reading.token(at));
                // All bits of one number are one way.
                let mut ways: Vec<(usize, Set)> = Vec::new();
                for way in self.reading.values(field, &field.spelling, from) {
                    let words = self.solver.attempt(|solver| solver.cube(way.cube(field)))?;
                    match ways.iter_mut().find(|(end, _)| *end == way.end) {
                        Some((_, all)) => *all = self.solver.attempt(|solver| solver.or(*all, words))?,
                        None => ways.push((way.end, words)),
                    }
                }
                return Ok(ways);
            }
            Piece::Group { .. } | Piece::OneOf(_) => return Ok(Vec::new()),
        };
        let form = self.reading.form;
        let (field, from) = (&form.fields[index], self.reading.token(at));
        if form.names.iter().any(|n| n.field == index) {
            return Ok(self.reading.register_name(field, from).map(|name| (name.end, Set::ALL)).into_iter().collect());
        }
        let values = self.reading.values(field, spelling, from).into_iter();
        values.map(|way| Ok((way.end, self.solver.attempt(|solver| solver.cube(way.cube(field)))?))).collect()
    }

    /// The ends of a piece that begins at a place.
    fn through(&mut self, piece: &'t Piece, at: usize) -> Result<Rc<Places>, TooLarge> {
        let texts = if let Piece::OneOf(list) = piece { &self.reading.form.bodies[*list][..] } else { &[] };
        let key = if texts.is_empty() { std::ptr::from_ref(piece).addr() } else { texts.as_ptr().addr() };
        if let Some(places) = self.known.get(&(key, at)) {
            return Ok(Rc::clone(places));
        }
        let mut places = Places::new();
        for (to, words) in self.ways(piece, at)? {
            self.add(&mut places, to, words)?;
        }
        if let Piece::Group { when, body } = piece {
            let (with, without) = self.divide(when)?;
            for (to, words) in self.through_all(body, at)? {
                let words = self.both(words, with)?;
                self.add(&mut places, to, words)?;
            }
            self.add(&mut places, at, without)?;
        }
        for text in texts {
            for (to, words) in self.through_all(text, at)? {
                self.add(&mut places, to, words)?;
            }
        }
        let places = Rc::new(places);
        self.known.insert((key, at), Rc::clone(&places));
        Ok(places)
    }

    /// The ends of a sequence of pieces that begins at a place.
    fn through_all(&mut self, pieces: &'t [Piece], at: usize) -> Result<Places, TooLarge> {
        let mut places = Places::from([(at, Set::ALL)]);
        for piece in pieces {
            let mut next = Places::new();
            for (at, words) in places {
                for (to, more) in &*self.through(piece, at)? {
                    let words = self.both(words, *more)?;
                    self.add(&mut next, *to, words)?;
                }
            }
            places = next;
        }
        Ok(places)
    }

    /// For each number of pieces that are read, and each place where that can lead from `at`, the words for which the others lead to
    /// one of the ends.
    fn onward(&mut self, pieces: &'t [Piece], at: usize, ends: &Places) -> Result<Vec<Places>, TooLarge> {
        let mut rest = vec![Places::from([(at, Set::ALL)])];
        for piece in pieces {
            let mut next = Places::new();
            for at in rest[rest.len() - 1].keys() {
                next.extend(self.through(piece, *at)?.keys().map(|to| (*to, Set::ALL)));
            }
            rest.push(next);
        }
        if let Some(last) = rest.last_mut() {
            last.retain(|at, words| ends.get(at).map(|end| *words = *end).is_some());
        }
        for (count, piece) in pieces.iter().enumerate().rev() {
            let mut now = Places::new();
            for at in std::mem::take(&mut rest[count]).into_keys() {
                for (to, words) in &*self.through(piece, at)? {
                    let after = rest[count + 1].get(to).copied().unwrap_or(Set::NONE);
                    let words = self.both(*words, after)?;
                    self.add(&mut now, at, words)?;
                }
            }
            rest[count] = now;
        }
        Ok(rest)
    }

    /// The first way through the pieces to one of the ends that some of the words go: where it ends, and those that go it.
    fn follow(
        &mut self,
        pieces: &'t [Piece],
        mut at: usize,
        words: Set,
        ends: &Places,
    ) -> Result<Option<(usize, Set)>, TooLarge> {
        let rest = self.onward(pieces, at, ends)?;
        let Some((_, mut words)) = self.first(vec![(at, Set::ALL)], &rest[0], words)? else { return Ok(None) };
        for (piece, after) in pieces.iter().zip(&rest[1..]) {
            let found = match piece {
                Piece::Literal(_) | Piece::Reading(_) => {
                    let ways = self.ways(piece, at)?;
                    self.first(ways, after, words)?
                }
                Piece::Field { field, .. } => {
                    let form = self.reading.form;
                    if let Some(named) = form.names.iter().find(|n| n.field == *field) {
                        let from = self.reading.token(at);
                        self.names[named.place] = self.reading.register_name(&form.fields[*field], from).unwrap_or_default();
                    }
                    let ways = self.ways(piece, at)?;
                    self.first(ways, after, words)?
                }
                Piece::Group { when, body } => {
                    let (with, without) = self.divide(when)?;
                    let inside = self.both(words, with)?;
                    match self.follow(body, at, inside, after)? {
                        Some(found) => Some(found),
                        None => self.first(vec![(at, without)], after, words)?,
                    }
                }
                Piece::OneOf(list) => {
                    let mut found = None;
                    for text in &self.reading.form.bodies[*list] {
                        found = self.follow(text, at, words, after)?;
                        if found.is_some() {
                            break;
                        }
                    }
                    found
                }
            };
            let Some(found) = found else { return Ok(None) };
            (at, words) = found;
        }
        Ok(Some((at, words)))
    }

    /// The first of these ways that some of the words go, and from whose end they go on.
    fn first(&mut self, ways: Vec<(usize, Set)>, after: &Places, words: Set) -> Result<Option<(usize, Set)>, TooLarge> {
        for (to, way) in ways {
            let way = self.both(way, after.get(&to).copied().unwrap_or(Set::NONE))?;
            let way = self.both(way, words)?;
            if way != Set::NONE {
                return Ok(Some((to, way)));
            }
        }
        Ok(None)
    }
}
