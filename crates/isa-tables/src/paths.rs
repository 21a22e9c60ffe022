//! The texts of a form as a graph of characters, and whether two graphs, or two ways through one, have a text in common.

use isa_check::text_graph::{Numbers, TextGraph, Token, Way};
use isa_model::model::{Field, Form, Isa, Piece, When, elses};
use isa_model::sets::{Cube, Set, Solver, TooLarge};
use isa_runtime::value::{Name, Role, Spelling};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The greatest number of positions in a graph; a form with longer texts is not examined.
const MAX_POSITIONS: usize = 1 << 13;

/// Bytes.
type Bytes = [u128; 2];

fn byte(c: u8) -> Bytes {
    let mut set = [0; 2];
    set[usize::from(c >> 7)] = 1 << (c & 127);
    set
}

fn meet(a: Bytes, b: Bytes) -> bool {
    a[0] & b[0] != 0 || a[1] & b[1] != 0
}

/// The texts of a form: positions, each with the bytes that can be there, and the positions that can follow.
pub(super) struct Graph {
    bytes: Vec<Bytes>,
    next: Vec<Vec<u32>>,
    ends: Vec<bool>,
    /// Positions of digits, with the characters that must not follow them: all consecutive digits are read.
    digits: Vec<(u32, Bytes)>,
    /// Nothing is known that would give a text two ways.
    pub(super) is_clear: bool,
    /// The choices between ways, and the way taken at each: all, or one.
    pub(super) choices: Vec<Choice>,
    pub(super) picks: Vec<Option<u8>>,
    /// The ways that each position is inside of: the innermost, in `inside`.
    within: Vec<u32>,
    /// An alternative of a choice, and the entry that encloses it; the first entry means none.
    inside: Vec<(usize, u8, u32)>,
    /// The innermost way that is being made.
    current: u32,
}

/// The ends of a text so far: the last positions.
type Ends = Vec<u32>;

/// A decision between the ways of texts.
#[derive(Clone)]
pub(super) enum Choice {
    /// A group: 1 if it is printed.
    Group(When),
    /// The name printed for a field (index) with this spelling. Few names: each is a way, and having none is the last one. Many
    /// names: those that another field has as well are way 1.
    Names(usize, Arc<Spelling>),
}

impl Choice {
    pub(super) fn ways(&self, of: &Texts<'_>) -> u8 {
        match self {
            Self::Names(field, spelling) => match few_names(&of.form.fields[*field], spelling) {
                Some(names) => (names.len() + usize::from(has_others(spelling))) as u8,
                None => 2,
            },
            Self::Group(_) => 2,
        }
    }

    /// The words that go a way.
    pub(super) fn words(&self, of: &Texts<'_>, way: u8, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let Texts { form, ref shared, .. } = *of;
        let first = match self {
            Self::Group(When::Holds(condition)) => solver.import(&condition.words)?,
            Self::Group(When::Differs(fields)) => {
                let same = solver.cube(form.at_default(fields))?;
                solver.not(same)?
            }
            Self::Names(field, spelling) => {
                let field = &form.fields[*field];
                let is = |solver: &mut Solver<'_>, name: &Name| match field.bits_of(name.number) {
                    Some(bits) => solver.cube(Cube::new(field.bits.mask(), field.bits.place(bits))),
                    None => Ok(Set::NONE),
                };
                if let Some(few) = few_names(field, spelling) {
                    let mut sets = Vec::new();
                    for name in few {
                        sets.push(is(solver, name)?);
                    }
                    return match sets.get(usize::from(way)) {
                        Some(set) => Ok(*set),
                        None => {
                            let any = solver.any(sets)?;
                            solver.not(any)
                        }
                    };
                }
                let mut sets = Vec::new();
                for name in names(field, spelling).filter(|name| shared.contains(name.text.as_str())) {
                    sets.push(is(solver, name)?);
                }
                solver.any(sets)?
            }
        };
        if way == 1 { Ok(first) } else { solver.not(first) }
    }

    /// Returns true if there are few distinguishable names, all of them visible.
    fn has_few_texts(&self, of: &Form) -> bool {
        self.few(of).is_some_and(|names| names.iter().all(|name| !name.text.is_empty()))
    }

    /// Returns true if one alternative prints something, and another one nothing.
    fn is_optional(&self, of: &Form) -> bool {
        matches!(self, Self::Group(_)) || self.few(of).is_some_and(|names| names.iter().any(|name| name.text.is_empty()))
    }

    fn few<'s>(&'s self, of: &'s Form) -> Option<Vec<&'s Name>> {
        if let Self::Names(field, spelling) = self { few_names(&of.fields[*field], spelling) } else { None }
    }
}

/// A form whose texts are examined.
pub(super) struct Texts<'a> {
    pub(super) isa: &'a Isa,
    pub(super) form: &'a Form,
    /// The names that several of its fields have.
    shared: FxHashSet<&'a str>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(isa: &'a Isa, form: &'a Form) -> Self {
        Self { isa, form, shared: shared_texts(form) }
    }
}

/// The names that several fields of a form have.
fn shared_texts(form: &Form) -> FxHashSet<&str> {
    let (mut all, mut shared) = (FxHashSet::default(), FxHashSet::default());
    for field in &form.fields {
        // Two numbers of one field can have one text.
        let own: FxHashSet<&str> =
            names(field, &field.spelling).map(|name| name.text.as_str()).filter(|text| !text.is_empty()).collect();
        shared.extend(own.iter().filter(|text| all.contains(*text)));
        all.extend(own);
    }
    shared
}

/// The number of names of a field up to which each is a way of its own.
const FEW_NAMES: usize = 3;

/// The names of numbers of a field that are printed and read.
fn names<'s>(field: &'s Field, spelling: &'s Spelling) -> impl Iterator<Item = &'s Name> {
    let parts = spelling.parts.iter().filter(|part| part.of.is_none());
    parts.flat_map(|part| &part.names).filter(|name| name.role == Role::Both && field.bits_of(name.number).is_some())
}

/// The names of a field, if they are few.
fn few_names<'s>(field: &'s Field, spelling: &'s Spelling) -> Option<Vec<&'s Name>> {
    let names: Vec<&Name> = names(field, spelling).take(FEW_NAMES + 1).collect();
    (names.len() <= FEW_NAMES).then_some(names)
}

/// Returns true if numbers without a name have a text.
fn has_others(spelling: &Spelling) -> bool {
    spelling.parts.iter().any(|part| part.other.is_some())
}

impl Graph {
    /// The full texts of a form, as they are printed, or also without the additions of `--full`; `None` if they are too long, or
    /// not known. With picks, only the texts with these alternatives; the positions are the same.
    pub(super) fn new(of: &Texts<'_>, can_be_short: bool, picks: &[Option<u8>]) -> Option<Self> {
        let form = of.form;
        let mut graph = Self {
            bytes: vec![[0; 2]],
            next: vec![Vec::new()],
            ends: Vec::new(),
            digits: Vec::new(),
            is_clear: true,
            choices: Vec::new(),
            picks: picks.to_vec(),
            within: vec![0],
            inside: vec![(usize::MAX, 0, 0)],
            current: 0,
        };
        let mut ends = graph.pieces(of, &form.text, vec![0])?;
        if !form.full.is_empty() {
            let short = if can_be_short { ends.clone() } else { Vec::new() };
            let blank = graph.text(" ", &ends);
            let full = graph.pieces(of, &form.full, blank)?;
            ends = graph.either([short, full]);
        }
        graph.ends = vec![false; graph.bytes.len()];
        ends.iter().for_each(|end| graph.ends[*end as usize] = true);
        for (digit, apart) in &graph.digits {
            let mut follow = graph.next[*digit as usize].iter().filter(|next| *next != digit);
            graph.is_clear &= !follow.any(|next| meet(graph.bytes[*next as usize], *apart));
        }
        (graph.bytes.len() <= MAX_POSITIONS).then_some(graph)
    }

    fn position(&mut self, set: Bytes, from: &[u32]) -> u32 {
        let new = self.bytes.len() as u32;
        self.bytes.push(set);
        self.next.push(Vec::new());
        self.within.push(self.current);
        from.iter().for_each(|from| self.next[*from as usize].push(new));
        new
    }

    fn text(&mut self, text: &str, from: &[u32]) -> Ends {
        let mut ends = from.to_vec();
        for c in text.bytes() {
            ends = vec![self.position(byte(c), &ends)];
        }
        ends
    }

    /// One character or more.
    fn characters(&mut self, token: &Token<'_>, from: &[u32]) -> u32 {
        let position = self.position([token.made_of(), 0], from);
        self.next[position as usize].push(position);
        position
    }

    /// One of several ways.
    fn either(&mut self, ways: impl IntoIterator<Item = Ends>) -> Ends {
        let mut all: Ends = ways.into_iter().flatten().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        self.is_clear &= all.len() == count;
        all
    }

    fn choice(&mut self, choice: Choice) -> usize {
        self.choices.push(choice);
        self.choices.len() - 1
    }

    /// Builds a way of a choice. If another way is picked, nothing leads to it.
    fn way(&mut self, choice: usize, way: u8, from: &[u32], make: impl FnOnce(&mut Self, Ends) -> Option<Ends>) -> Option<Ends> {
        let is_open = self.picks.get(choice).copied().flatten().is_none_or(|picked| picked == way);
        self.inside.push((choice, way, self.current));
        let around = std::mem::replace(&mut self.current, self.inside.len() as u32 - 1);
        let ends = make(self, if is_open { from.to_vec() } else { Vec::new() });
        self.current = around;
        ends
    }

    fn pieces(&mut self, of: &Texts<'_>, pieces: &[Piece], mut from: Ends) -> Option<Ends> {
        let elses = elses(pieces);
        for (i, piece) in pieces.iter().enumerate() {
            if self.bytes.len() > MAX_POSITIONS {
                return None;
            }
            if elses[i] {
                continue;
            }
            from = match piece {
                Piece::Literal(text) => self.text(text, &from),
                Piece::Field { field, spelling } => {
                    let own = &of.form.fields[*field];
                    let choice = Choice::Names(*field, spelling.clone());
                    self.value(of, own, spelling, Some(choice), from)?
                }
                Piece::Reading(reading) => self.value(of, &reading.field, &reading.field.spelling, None, from)?,
                Piece::Group { when, body } => {
                    let choice = self.choice(Choice::Group(when.clone()));
                    let inside = self.way(choice, 1, &from, |graph, from| graph.pieces(of, body, from))?;
                    let outside = self.way(choice, 0, &from, |graph, from| match pieces.get(i + 1) {
                        Some(Piece::Group { body, .. }) if elses[i + 1] => graph.pieces(of, body, from),
                        _ => Some(from),
                    })?;
                    self.either([outside, inside])
                }
                Piece::OneOf(_) => return None,
            };
        }
        Some(from)
    }

    /// The texts of a field that is spelt so; none if programs name it. Names are ways of a choice, if there is one.
    fn value(&mut self, of: &Texts<'_>, field: &Field, spelling: &Spelling, choice: Option<Choice>, from: Ends) -> Option<Ends> {
        let graph = TextGraph::of(&field.code, spelling);
        let choice = choice
            .filter(|_| spelling.parts.len() == 1 && names(field, spelling).next().is_some())
            .map(|choice| self.choice(choice));
        let few = few_names(field, spelling);
        graph.parts.iter().try_fold(from, |from, ways| {
            let mut ends = Vec::new();
            for way in ways {
                let pick = match (&way.of, &few) {
                    // A number that prints like another one is read as that one.
                    (Numbers::One(name), _) if name.role == Role::Print => continue,
                    (Numbers::One(name), Some(few)) => {
                        few.iter().position(|other| std::ptr::eq(*other, *name)).unwrap_or(few.len()) as u8
                    }
                    (Numbers::One(name), None) => of.shared.contains(name.text.as_str()).into(),
                    (_, Some(few)) => few.len() as u8,
                    (_, None) => 0,
                };
                ends.push(match choice {
                    Some(choice) => self.way(choice, pick, &from, |graph, from| graph.tokens(way, from))?,
                    None => self.tokens(way, from.clone())?,
                });
            }
            Some(self.either(ends))
        })
    }

    /// The text of a way; none if programs give it.
    fn tokens(&mut self, way: &Way<'_>, from: Ends) -> Option<Ends> {
        way.tokens.iter().try_fold(from, |from, token| match token {
            Token::Text(text) => Some(self.text(text, &from)),
            Token::Digits(_) => {
                let digit = self.characters(token, &from);
                self.digits.push((digit, [token.goes_on(), 0]));
                Some(vec![digit])
            }
            Token::Float(_) => {
                // Its characters in any order.
                self.is_clear = false;
                Some(vec![self.characters(token, &from)])
            }
            Token::Name { .. } => None,
        })
    }

    /// For each ASCII character those that can follow it.
    pub(super) fn pairs(&self) -> Box<[u128; 128]> {
        let mut pairs = Box::new([0; 128]);
        for (set, next) in self.bytes.iter().zip(&self.next) {
            let follow = next.iter().fold(0, |follow, next| follow | self.bytes[*next as usize][0]);
            let mut rest = set[0];
            while rest != 0 {
                pairs[rest.trailing_zeros() as usize] |= follow;
                rest &= rest - 1;
            }
        }
        pairs
    }

    /// Looks for a text of this graph that is one of the other graph, too: the choices that distinguish its path. `None` if that
    /// takes too many pairs of positions.
    pub(super) fn meets(&self, other: &Self, form: &Form, budget: &mut usize) -> Option<Option<Vec<usize>>> {
        let meeting = self.meeting(other, false, budget)?;
        // Choices with few names first, and the last ones in the text.
        Some(meeting.map(|(way, _)| {
            let mut choices: Vec<usize> = self.ways_of(&way).into_iter().map(|(choice, _)| choice).rev().collect();
            choices.sort_by_key(|choice| !self.choices[*choice].has_few_texts(form));
            choices
        }))
    }

    /// Looks for a text of this graph that has another way in the graph of all texts of the form: the choices in which the ways
    /// differ.
    pub(super) fn goes_apart(&self, all: &Self, form: &Form, budget: &mut usize) -> Option<Option<Vec<usize>>> {
        let meeting = self.meeting(all, true, budget)?;
        Some(meeting.map(|(one, other)| {
            let (one, other) = (self.ways_of(&one), self.ways_of(&other));
            // A group around the other way alone: whether it is printed distinguishes the ways.
            let group = |choice: &usize| self.choices[*choice].is_optional(form);
            let others = other.iter().filter(|way| !one.contains(way)).map(|way| way.0).filter(group);
            let mut choices: Vec<usize> = one.iter().filter(|way| !other.contains(way)).map(|way| way.0).chain(others).collect();
            choices.sort_unstable_by_key(|choice| (!group(choice), *choice));
            choices
        }))
    }

    /// The ways of choices that positions are inside of.
    fn ways_of(&self, positions: &[u32]) -> Vec<(usize, u8)> {
        let mut ways = Vec::new();
        for position in positions {
            let mut at = self.within[*position as usize];
            while at != 0 {
                let (choice, way, around) = self.inside[at as usize];
                if !ways.contains(&(choice, way)) {
                    ways.push((choice, way));
                }
                at = around;
            }
        }
        ways
    }

    /// A text of both graphs: its positions in each; of the same graph, in two ways.
    fn meeting(&self, other: &Self, is_same: bool, budget: &mut usize) -> Option<Option<(Vec<u32>, Vec<u32>)>> {
        // Each pair of positions, and the one before it.
        let mut seen: FxHashMap<(u32, u32), (u32, u32)> = FxHashMap::from_iter([((0, 0), (0, 0))]);
        let mut open = vec![(0u32, 0u32)];
        let way = |seen: &FxHashMap<(u32, u32), (u32, u32)>, mut pair: (u32, u32)| {
            let mut ways = (Vec::new(), Vec::new());
            while pair != (0, 0) {
                ways.0.push(pair.0);
                ways.1.push(pair.1);
                pair = seen[&pair];
            }
            ways.0.reverse();
            ways.1.reverse();
            ways
        };
        while let Some((a, b)) = open.pop() {
            *budget = budget.checked_sub(1)?;
            if self.ends[a as usize] && other.ends[b as usize] && (!is_same || a != b) {
                return Some(Some(way(&seen, (a, b))));
            }
            for x in &self.next[a as usize] {
                for y in &other.next[b as usize] {
                    if !meet(self.bytes[*x as usize], other.bytes[*y as usize]) {
                        continue;
                    }
                    // Two ways that become one.
                    if is_same && a != b && x == y {
                        return Some(Some(way(&seen, (a, b))));
                    }
                    seen.entry((*x, *y)).or_insert_with(|| {
                        open.push((*x, *y));
                        (a, b)
                    });
                }
            }
        }
        Some(None)
    }
}
