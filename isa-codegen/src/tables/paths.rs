//! The texts of a form as a graph of characters, and whether two graphs, or two ways through one, have a text in common.

use isa_spec::model::{Field, Form, Isa, Kind, Piece, Radix, When, ones};
use isa_spec::sets::{Cube, Set, Solver, TooLarge};
use std::collections::{HashMap, HashSet};

/// A text of more characters is not looked at.
const MAX_POSITIONS: usize = 1 << 13;

/// Bytes.
type Bytes = [u128; 2];

fn byte(c: u8) -> Bytes {
    let mut set = [0; 2];
    set[usize::from(c >> 7)] = 1 << (c & 127);
    set
}

fn bytes(all: impl IntoIterator<Item = u8>) -> Bytes {
    all.into_iter().map(byte).fold([0; 2], |a, b| [a[0] | b[0], a[1] | b[1]])
}

fn decimal() -> Bytes {
    bytes(b'0'..=b'9')
}

fn meet(a: Bytes, b: Bytes) -> bool {
    a[0] & b[0] != 0 || a[1] & b[1] != 0
}

/// The texts of a form: positions, each with the bytes that can stand there, and the positions that can follow.
pub(super) struct Graph {
    bytes: Vec<Bytes>,
    next: Vec<Vec<u32>>,
    ends: Vec<bool>,
    /// Positions of digits, and what must not follow them: as many digits are read as there are.
    digits: Vec<(u32, Bytes)>,
    /// Nothing is known that would give a text two ways.
    pub(super) is_clear: bool,
    /// Where texts go apart, and which way is taken there: all, or one.
    pub(super) choices: Vec<Choice>,
    pub(super) picks: Vec<Option<u8>>,
    /// The ways that each position is inside of: the innermost, in `inside`.
    within: Vec<u32>,
    /// A way of a choice, and what is around it; the first entry is none.
    inside: Vec<(usize, u8, u32)>,
    /// The innermost way that is being made.
    current: u32,
}

/// Where a text has come to: the positions that were the last.
type Ends = Vec<u32>;

/// What decides which way texts go.
#[derive(Clone)]
pub(super) enum Choice {
    /// Whether a group is printed: 1 if it is.
    Group(When),
    /// Which special register a field (index) is, or none of them: the last way.
    Register(usize),
    /// Whether a flag (index of the field) is set: 1 if it is.
    Flag(usize),
    /// Whether an enumerated field (index) has a text that another field has as well: 1 if it has.
    Enum(usize),
}

impl Choice {
    pub(super) fn ways(&self, of: &Texts<'_>) -> u8 {
        match self {
            Self::Register(field) => specials(of.isa, &of.form.fields[*field]).len() as u8 + 1,
            Self::Group(_) | Self::Flag(_) | Self::Enum(_) => 2,
        }
    }

    /// The words that go a way.
    pub(super) fn words(&self, of: &Texts<'_>, way: u8, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let Texts { isa, form, ref shared } = *of;
        let is = |solver: &mut Solver<'_>, field: &Field, value: u128| match value <= ones(field.bits.width()) {
            true => solver.cube(Cube::new(field.bits.mask(), field.bits.place(field.bits_of(value).unwrap_or(value)))),
            // The field is too narrow for it.
            false => Ok(Set::NONE),
        };
        let first = match self {
            Self::Group(When::Holds(condition)) => solver.import(&condition.words)?,
            Self::Group(When::Differs(fields)) => {
                let same = solver.cube(form.at_default(fields))?;
                solver.not(same)?
            }
            Self::Flag(field) => is(solver, &form.fields[*field], 1)?,
            Self::Enum(field) => {
                let field = &form.fields[*field];
                let mut sets = Vec::new();
                if let Kind::Enum(id) = field.kind {
                    for value in isa.enums[id.index()].values.iter().filter(|v| shared.contains(v.text.as_str())) {
                        sets.push(is(solver, field, value.value)?);
                    }
                }
                solver.any(sets)?
            }
            Self::Register(field) => {
                let field = &form.fields[*field];
                let mut named = Vec::new();
                for (value, _) in specials(isa, field) {
                    named.push(is(solver, field, *value)?);
                }
                return match named.get(usize::from(way)) {
                    Some(set) => Ok(*set),
                    None => {
                        let any = solver.any(named)?;
                        solver.not(any)
                    }
                };
            }
        };
        if way == 1 { Ok(first) } else { solver.not(first) }
    }
}

/// A form whose texts are looked at.
pub(super) struct Texts<'a> {
    pub(super) isa: &'a Isa,
    pub(super) form: &'a Form,
    /// The texts that several of its enumerated fields have.
    shared: HashSet<&'a str>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(isa: &'a Isa, form: &'a Form) -> Self {
        Self { isa, form, shared: shared_texts(isa, form) }
    }
}

/// The texts that several enumerated fields of a form have.
fn shared_texts<'i>(isa: &'i Isa, form: &Form) -> HashSet<&'i str> {
    let (mut all, mut shared) = (HashSet::new(), HashSet::new());
    for field in &form.fields {
        let Kind::Enum(id) = field.kind else { continue };
        // Two values of one field can have one text.
        let own: HashSet<&str> = isa.enums[id.index()].values.iter().map(|v| v.text.as_str()).filter(|t| !t.is_empty()).collect();
        shared.extend(own.iter().filter(|text| all.contains(*text)));
        all.extend(own);
    }
    shared
}

/// So many special registers of a file are ways of their own.
const MOST_SPECIALS: usize = 3;

fn specials<'i>(isa: &'i Isa, field: &Field) -> &'i [(u128, String)] {
    let all = match field.kind {
        Kind::Register(id) => isa.registers[id.index()].special.as_slice(),
        _ => &[],
    };
    &all[..all.len().min(MOST_SPECIALS)]
}

impl Graph {
    /// The full texts of a form, as they are printed, or also without what `--full` adds; none if they are too long, or not known. With
    /// picks there are only the texts that go these ways; the positions are the same.
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

    /// One digit or more.
    fn digits(&mut self, set: Bytes, apart: Bytes, from: &[u32]) -> Ends {
        let digit = self.position(set, from);
        self.next[digit as usize].push(digit);
        self.digits.push((digit, apart));
        vec![digit]
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

    /// What is read on a way of a choice. Where another way is picked, nothing leads to it.
    fn way(&mut self, choice: usize, way: u8, from: &[u32], make: impl FnOnce(&mut Self, Ends) -> Option<Ends>) -> Option<Ends> {
        let is_open = self.picks.get(choice).copied().flatten().is_none_or(|picked| picked == way);
        self.inside.push((choice, way, self.current));
        let around = std::mem::replace(&mut self.current, self.inside.len() as u32 - 1);
        let ends = make(self, if is_open { from.to_vec() } else { Vec::new() });
        self.current = around;
        ends
    }

    fn pieces(&mut self, of: &Texts<'_>, pieces: &[Piece], mut from: Ends) -> Option<Ends> {
        let Texts { isa, form, .. } = *of;
        for (i, piece) in pieces.iter().enumerate() {
            if self.bytes.len() > MAX_POSITIONS {
                return None;
            }
            if i > 0 && piece.is_else_of(&pieces[i - 1]) {
                continue;
            }
            from = match piece {
                Piece::Literal(text) => self.text(text, &from),
                Piece::Field { field, radix } => {
                    let is_name = form.names.iter().any(|n| n.field == *field);
                    let number = *field;
                    let field = &form.fields[number];
                    match &field.kind {
                        Kind::Number(own) => match radix.or(*own).unwrap_or(isa.numbers) {
                            Radix::Float(_) => self.float(&from),
                            radix => self.number(radix == Radix::Hex, from),
                        },
                        Kind::Register(_) if is_name => return None,
                        _ => self.value(of, number, from),
                    }
                }
                Piece::Fixed(field) => match &field.kind {
                    Kind::Number(radix) => self.number(radix.unwrap_or(isa.numbers) == Radix::Hex, from),
                    _ => return None,
                },
                Piece::Group { when, body } => {
                    let choice = self.choice(Choice::Group(when.clone()));
                    let inside = self.way(choice, 1, &from, |graph, from| graph.pieces(of, body, from))?;
                    let outside = self.way(choice, 0, &from, |graph, from| match pieces.get(i + 1) {
                        Some(Piece::Group { body, .. }) if pieces[i + 1].is_else_of(piece) => graph.pieces(of, body, from),
                        _ => Some(from),
                    })?;
                    self.either([outside, inside])
                }
                Piece::OneOf(_) => return None,
            };
        }
        Some(from)
    }

    fn number(&mut self, is_hex: bool, from: Ends) -> Ends {
        let sign = self.text("-", &from);
        let from = self.either([from, sign]);
        // No character of a word follows a number.
        let apart = bytes((0..128).filter(|c: &u8| c.is_ascii_alphanumeric() || *c == b'_'));
        match is_hex {
            true => {
                let from = self.text("0x", &from);
                self.digits(bytes(*b"0123456789abcdef"), apart, &from)
            }
            false => self.digits(decimal(), apart, &from),
        }
    }

    /// A floating-point number: its characters in any order.
    fn float(&mut self, from: &[u32]) -> Ends {
        self.is_clear = false;
        let character = self.position(bytes(*b"0123456789+-.eINFQSA "), from);
        self.next[character as usize].push(character);
        vec![character]
    }

    fn value(&mut self, of: &Texts<'_>, number: usize, from: Ends) -> Ends {
        let Texts { isa, form, ref shared } = *of;
        let field = &form.fields[number];
        match &field.kind {
            Kind::Flag(text) => {
                let choice = self.choice(Choice::Flag(number));
                let clear = self.way(choice, 0, &from, |_, from| Some(from));
                let set = self.way(choice, 1, &from, |graph, from| Some(graph.text(text, &from)));
                self.either([clear, set].into_iter().flatten())
            }
            Kind::Bitset(letters) => letters.bytes().fold(from, |from, letter| {
                let set = [letter, b'-'].map(|c| vec![self.position(byte(c), &from)]);
                // A letter that is `-` itself says nothing.
                self.is_clear &= letter != b'-';
                self.either(set)
            }),
            Kind::Register(id) => {
                let file = &isa.registers[id.index()];
                let choice = self.choice(Choice::Register(number));
                // Those of larger files are one way.
                let way_of = |i: usize| i.min(MOST_SPECIALS) as u8;
                let mut ways = Vec::new();
                for (i, (_, name)) in file.special.iter().enumerate() {
                    ways.extend(self.way(choice, way_of(i), &from, |graph, from| Some(graph.text(name, &from))));
                }
                let halves: Vec<&str> = file.halves.as_ref().map_or(vec![""], |h| vec![&h[0], &h[1]]);
                let numbered = self.way(choice, way_of(file.special.len()), &from, |graph, from| {
                    let prefix = graph.text(&file.prefix, &from);
                    let digits = graph.digits(decimal(), decimal(), &prefix);
                    let mut ends = Vec::new();
                    for half in halves {
                        let half = graph.text(half, &digits);
                        ends.extend(graph.text(&file.suffix, &half));
                    }
                    Some(ends)
                });
                ways.extend(numbered);
                self.either(ways)
            }
            Kind::Enum(id) => {
                let e = &isa.enums[id.index()];
                let choice = self.choice(Choice::Enum(number));
                let mut ways: Vec<Ends> = Vec::new();
                // What prints like another value is read as that one.
                for value in e.values.iter().filter(|value| value.like.is_none()) {
                    let way = u8::from(shared.contains(value.text.as_str()));
                    ways.extend(self.way(choice, way, &from, |graph, from| Some(graph.text(&value.text, &from))));
                }
                if let Some(other) = &e.otherwise {
                    ways.extend(self.way(choice, 0, &from, |graph, from| {
                        let mut before = graph.text(&other.before, &from);
                        let mut set = decimal();
                        if other.is_hex {
                            (before, set) = (graph.text("0x", &before), bytes(*b"0123456789abcdefABCDEF"));
                        }
                        let digits = graph.digits(set, set, &before);
                        Some(graph.text(&other.after, &digits))
                    }));
                }
                self.either(ways)
            }
            Kind::Number(_) => from,
        }
    }

    /// For each ASCII character those that can follow it.
    pub(super) fn pairs(&self) -> Box<[u128; 128]> {
        let mut pairs = Box::new([0; 128]);
        for (set, next) in self.bytes.iter().zip(&self.next) {
            let follow = next.iter().fold(0, |follow, next| follow | self.bytes[*next as usize][0]);
            (0..128).filter(|c| set[0] >> c & 1 == 1).for_each(|c: usize| pairs[c] |= follow);
        }
        pairs
    }

    /// Whether a text of this graph is one of the other graph, too: then the choices that tell its way apart. `None` if that takes too
    /// many pairs of positions.
    pub(super) fn meets(&self, other: &Self, budget: &mut usize) -> Option<Option<Vec<usize>>> {
        let meeting = self.meeting(other, false, budget)?;
        // Registers with names first, and what stands last.
        Some(meeting.map(|(way, _)| {
            let mut choices: Vec<usize> = self.ways_of(&way).into_iter().map(|(choice, _)| choice).rev().collect();
            choices.sort_by_key(|choice| !matches!(self.choices[*choice], Choice::Register(_)));
            choices
        }))
    }

    /// Whether a text of this graph has another way in the graph of all texts of the form: then the choices in which the ways differ.
    pub(super) fn goes_apart(&self, all: &Self, budget: &mut usize) -> Option<Option<Vec<usize>>> {
        let meeting = self.meeting(all, true, budget)?;
        Some(meeting.map(|(one, other)| {
            let (one, other) = (self.ways_of(&one), self.ways_of(&other));
            // Of what the other way is inside of, whether it is there says something about this one.
            let group = |choice: &usize| matches!(self.choices[*choice], Choice::Group(_) | Choice::Flag(_));
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
        let mut seen: HashMap<(u32, u32), (u32, u32)> = HashMap::from([((0, 0), (0, 0))]);
        let mut open = vec![(0u32, 0u32)];
        let way = |seen: &HashMap<(u32, u32), (u32, u32)>, mut pair: (u32, u32)| {
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
