//! The texts of a form as an automaton, with the words that have them: checks of texts are questions to it.

use crate::text_graph::{Numbers, TextGraph, Token, Way};
use isa_model::model::{Field, Form, Isa, Piece, When};
use isa_model::sets::{Cube, Set, Solver, TooLarge, WordSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// The texts of a form. Each is a row of edges, in their order in the text; a list of texts that several texts contain is a single edge
/// in these.
pub struct Automaton<'f> {
    /// The form.
    pub form: &'f Form,
    /// Its sets of words.
    pub sets: Sets<'f>,
    edges: Vec<Edge<'f>>,
    /// The number of states of the text that is being made.
    states: usize,
    /// The text, and those that are only read.
    texts: Vec<Text>,
    /// The addition of `--full`.
    full: Vec<Text>,
    lists: Vec<Vec<Text>>,
}

/// A text from its first state to its last one.
#[derive(Clone)]
struct Text {
    edges: Range<usize>,
    states: usize,
    /// The words that have it, besides what its groups say.
    words: Set,
}

/// A step from one state of a text to a later one.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'f> {
    /// The state before it; the first one is 0.
    pub from: usize,
    /// The state after it; that of the last edge is the last one.
    pub to: usize,
    /// The words that take it in texts that are printed.
    pub printed: Set,
    /// The words that take it in texts that are read.
    read: Set,
    /// What is printed, if anything is; no group.
    pub piece: Option<&'f Piece>,
}

/// Sets of words, in which a word for which it is too entangled to be known is one.
pub struct Sets<'f> {
    solver: Solver<'f>,
    /// Nothing was too entangled.
    pub(crate) is_exact: bool,
}

impl Sets<'_> {
    /// A computed set, or all these words.
    pub fn compute(&mut self, otherwise: Set, compute: impl FnOnce(&mut Solver<'_>) -> Result<Set, TooLarge>) -> Set {
        let set = self.solver.attempt(compute);
        self.is_exact &= set.is_ok();
        set.unwrap_or(otherwise)
    }

    /// The words in both.
    pub fn and(&mut self, a: Set, b: Set) -> Set {
        if b == Set::ALL { a } else { self.compute(a, |solver| solver.and(a, b)) }
    }

    /// The words in either.
    pub fn or(&mut self, a: Set, b: Set) -> Set {
        if a == Set::NONE { b } else { self.compute(Set::ALL, |solver| solver.or(a, b)) }
    }

    /// The set as data.
    pub fn freeze(&mut self, words: Set) -> WordSet {
        self.solver.freeze(words)
    }

    /// The words that a way of a field's text is for.
    pub fn of_way(&mut self, field: &Field, way: &Way<'_>) -> Set {
        match way.of {
            Numbers::One(name) if way.bits.is_none() && field.code.is_one_to_one() => match field.bits_of(name.number) {
                Some(raw) => self.compute(Set::ALL, |solver| solver.cube(Cube::new(field.bits.mask(), field.bits.place(raw)))),
                None => Set::NONE,
            },
            _ => Set::ALL,
        }
    }
}

impl<'f> Automaton<'f> {
    /// The automaton of a form.
    pub fn new(isa: &'f Isa, form: &'f Form) -> Self {
        let sets = Sets { solver: Solver::new(isa.order(form.length)), is_exact: true };
        let (texts, full, lists) = (Vec::new(), Vec::new(), Vec::new());
        let mut new = Self { form, sets, edges: Vec::new(), states: 0, texts, full, lists };
        new.texts = form.templates().map(|(text, words)| new.text(text, words)).collect();
        new.full = vec![new.text(&form.full, None)];
        new.lists = form.bodies.iter().map(|texts| texts.iter().map(|text| new.text(text, None)).collect()).collect();
        new
    }

    fn text(&mut self, pieces: &'f [Piece], words: Option<&WordSet>) -> Text {
        let words = words.map_or(Set::ALL, |words| self.words(words));
        let edges = self.edges.len();
        self.states = 1;
        self.pieces(pieces, 0);
        Text { edges: edges..self.edges.len(), states: self.states, words }
    }

    fn state(&mut self) -> usize {
        self.states += 1;
        self.states - 1
    }

    /// Adds pieces from a state on, and returns the state after them.
    fn pieces(&mut self, pieces: &'f [Piece], mut from: usize) -> usize {
        let always = Edge { from, to: from, printed: Set::ALL, read: Set::ALL, piece: None };
        for piece in pieces {
            let Piece::Group { when, body } = piece else {
                let to = self.state();
                self.edges.push(Edge { from, to, piece: Some(piece), ..always });
                from = to;
                continue;
            };
            let (inside, outside) = self.divided(when);
            // A group of what differs from a default may be there or missing in texts that are read.
            let read = |words| if matches!(when, When::Differs(_)) { Set::ALL } else { words };
            let first = self.state();
            self.edges.push(Edge { from, to: first, printed: inside, read: read(inside), ..always });
            let last = self.pieces(body, first);
            let to = self.state();
            self.edges.push(Edge { from: last, to, ..always });
            self.edges.push(Edge { from, to, printed: outside, read: read(outside), ..always });
            from = to;
        }
        from
    }

    /// The words that print a group, and all others.
    fn divided(&mut self, when: &When) -> (Set, Set) {
        let form = self.form;
        let sets = self.sets.solver.attempt(|solver| match when {
            When::Holds(condition) => {
                let inside = solver.import(&condition.words)?;
                Ok((inside, solver.not(inside)?))
            }
            When::Differs(fields) => {
                let outside = solver.cube(form.at_default(fields))?;
                Ok((solver.not(outside)?, outside))
            }
        });
        self.sets.is_exact &= sets.is_ok();
        sets.unwrap_or((Set::ALL, Set::ALL))
    }

    /// The edges of the text, and those of the addition of `--full`.
    pub fn printed(&self) -> [&[Edge<'f>]; 2] {
        [&self.texts[0], &self.full[0]].map(|text| &self.edges[text.edges.clone()])
    }

    /// Imports a set of words.
    pub(crate) fn words(&mut self, words: &WordSet) -> Set {
        self.sets.compute(Set::ALL, |solver| solver.import(words))
    }

    /// The states in which texts of some words end.
    pub(crate) fn ends<Q: Query<'f>>(&mut self, query: &mut Q, texts: TextSet, start: &Q::State, words: Set) -> States<Q::State> {
        let of_form = match texts {
            TextSet::Printed => &self.texts[..1],
            TextSet::Own => &self.texts[..=self.form.also.len()],
            TextSet::Read | TextSet::All => &self.texts,
        };
        let full = if matches!(texts, TextSet::Own | TextSet::Read) { &[] } else { &*self.full };
        let asked = [of_form, full].concat();
        let mut walk = Walk { automaton: self, query, is_printed: texts == TextSet::Printed, lists: BTreeMap::new() };
        walk.any(&asked, start, words)
    }
}

/// The states in which a text can be, each with the words for which it is, and an example of what led there.
pub(crate) type States<S> = BTreeMap<S, (Set, String)>;

/// Some texts of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSet {
    /// The text, and the addition of `--full`, as they are printed.
    Printed,
    /// The text, and those of `also`.
    Own,
    /// These, and aliases and variants where another one is printed.
    Read,
    /// These, and the addition of `--full`.
    All,
}

/// A question about texts.
pub(crate) trait Query<'f> {
    /// What is remembered of a text so far.
    type State: Clone + Ord;

    /// Texts are looked at from their ends to their beginnings.
    const IS_BACKWARD: bool = false;

    /// True if nothing that follows changes this state.
    fn is_last(&self, state: &Self::State) -> bool;

    /// The states after some characters, of a field or between fields, with examples of them.
    fn token(&mut self, from: &Self::State, token: &Token<'_>, is_field: bool) -> Vec<(Self::State, String)>;

    /// The states after a field or a reading, if it is not looked into.
    fn value(&mut self, _from: &Self::State, _piece: &'f Piece, _sets: &mut Sets<'f>) -> Option<States<Self::State>> {
        None
    }
}

struct Walk<'w, 'f, Q: Query<'f>> {
    automaton: &'w mut Automaton<'f>,
    query: &'w mut Q,
    is_printed: bool,
    /// The states after one of the texts of a list, by the list and the state before, for all words.
    lists: BTreeMap<(usize, Q::State), States<Q::State>>,
}

impl<'f, Q: Query<'f>> Walk<'_, 'f, Q> {
    /// The states after any of these texts.
    fn any(&mut self, texts: &[Text], start: &Q::State, words: Set) -> States<Q::State> {
        let mut all = States::new();
        for text in texts {
            let mut states = vec![States::new(); text.states];
            let turned = |[from, to]: [usize; 2]| if Q::IS_BACKWARD { [to, from] } else { [from, to] };
            let [first, last] = turned([0, states.len() - 1]);
            states[first].insert(start.clone(), (self.automaton.sets.and(words, text.words), String::new()));
            for i in text.edges.clone() {
                let i = if Q::IS_BACKWARD { text.edges.start + text.edges.end - 1 - i } else { i };
                let edge = self.automaton.edges[i];
                let [from, to] = turned([edge.from, edge.to]);
                let before = std::mem::take(&mut states[from]);
                let words = if self.is_printed { edge.printed } else { edge.read };
                self.then(&before, words, &mut states[to], |walk, state| walk.after(edge.piece, state));
                states[from] = before;
            }
            self.then(&states[last], Set::ALL, &mut all, |_, state| same(state));
        }
        all
    }

    /// Adds the states after a step from each of these states, for some words.
    fn then(
        &mut self,
        states: &States<Q::State>,
        of: Set,
        after: &mut States<Q::State>,
        mut step: impl FnMut(&mut Self, &Q::State) -> States<Q::State>,
    ) {
        for (state, (words, example)) in states {
            let words = self.automaton.sets.and(*words, of);
            let next = if self.query.is_last(state) { same(state) } else { step(self, state) };
            for (state, (of, text)) in next {
                let sets = &mut self.automaton.sets;
                let words = sets.and(words, of);
                match after.get_mut(&state) {
                    _ if words == Set::NONE => {}
                    Some((known, _)) => *known = sets.or(*known, words),
                    None => {
                        let is_long = example.len() > LONG && !self.query.is_last(&state);
                        let example = if is_long { example.clone() } else { [example, &*text].concat() };
                        after.insert(state, (words, example));
                    }
                }
            }
        }
    }

    fn after(&mut self, piece: Option<&'f Piece>, from: &Q::State) -> States<Q::State> {
        match piece {
            None => same(from),
            Some(Piece::Literal(text)) => self.token(from, &Token::Text(text), false),
            Some(Piece::OneOf(list)) => {
                let key = (*list, from.clone());
                if let Some(known) = self.lists.get(&key) {
                    return known.clone();
                }
                let texts = self.automaton.lists[*list].clone();
                let all = self.any(&texts, from, Set::ALL);
                self.lists.insert(key, all.clone());
                all
            }
            Some(piece) => self.query.value(from, piece, &mut self.automaton.sets).unwrap_or_else(|| self.value(from, piece)),
        }
    }

    fn token(&mut self, from: &Q::State, token: &Token<'_>, is_field: bool) -> States<Q::State> {
        self.query.token(from, token, is_field).into_iter().map(|(state, text)| (state, (Set::ALL, text))).collect()
    }

    /// The states after the texts of a field.
    fn value(&mut self, from: &Q::State, piece: &Piece) -> States<Q::State> {
        let mut states = same(from);
        let Some((field, spelling)) = piece.shown(&self.automaton.form.fields) else { return states };
        let mut parts = TextGraph::of(&field.code, spelling).parts;
        if Q::IS_BACKWARD {
            parts.reverse();
            parts.iter_mut().flatten().for_each(|way| way.tokens.reverse());
        }
        for ways in &parts {
            let mut after = States::new();
            for way in ways {
                let mut ends = states.clone();
                for token in &way.tokens {
                    let mut next = States::new();
                    self.then(&ends, Set::ALL, &mut next, |walk, state| walk.token(state, token, true));
                    ends = next;
                }
                if !ends.is_empty() {
                    let words = self.automaton.sets.of_way(field, way);
                    self.then(&ends, words, &mut after, |_, state| same(state));
                }
            }
            states = after;
        }
        states
    }
}

/// An example that goes on need not be longer.
const LONG: usize = 1000;

/// The state itself, for all words.
fn same<S: Clone + Ord>(state: &S) -> States<S> {
    States::from([(state.clone(), (Set::ALL, String::new()))])
}
