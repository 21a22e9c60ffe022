//! The texts of a form as a graph of bytes, with the words that have them, and the words whose text has another way.

use isa_check::automaton::{Automaton, Edge, Sets};
use isa_check::text_graph::{Numbers, TextGraph, Token};
use isa_model::model::{Field, Piece};
use isa_model::sets::Set;
use isa_runtime::value::{Role, Spelling};
use std::collections::BTreeMap;

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

/// Positions, and the words for which each is followed by what comes next.
type Ends = Vec<(u32, Set)>;

/// For each position of a graph the positions of another one that are to be examined with it, and the words that get there.
pub(super) type Open = Vec<BTreeMap<u32, Set>>;

/// The full texts of a form: positions, each with the bytes that can be there, and the later positions that can follow it.
#[derive(Default)]
pub(super) struct Graph {
    bytes: Vec<Bytes>,
    next: Vec<Ends>,
    /// The ends of the texts, and of those without the addition of `--full`, where the text that is read may end as well.
    full: BTreeMap<u32, Set>,
    short: BTreeMap<u32, Set>,
    /// Positions of digits, with the characters that must not follow them: all consecutive digits are read.
    digits: Vec<(u32, Bytes)>,
    /// A text has two ways that are not told apart by positions.
    is_double: bool,
}

impl Graph {
    /// The texts of a form as they are printed; `None` if they are too long, or not known.
    pub(super) fn new(automaton: &mut Automaton<'_>) -> Option<Self> {
        let mut graph = Self::default();
        let [text, full] = automaton.printed().map(<[Edge<'_>]>::to_vec);
        let start = graph.position([0; 2], &[]);
        let short = graph.text(automaton, &text, vec![(start, Set::ALL)])?;
        graph.short = short.iter().copied().collect();
        if full.is_empty() {
            graph.full = graph.short.clone();
        } else {
            let blank = graph.characters(" ", short);
            graph.full = graph.text(automaton, &full, blank)?.into_iter().collect();
        }
        Some(graph)
    }

    fn position(&mut self, set: Bytes, from: &[(u32, Set)]) -> u32 {
        let new = self.bytes.len() as u32;
        self.bytes.push(set);
        self.next.push(Vec::new());
        from.iter().for_each(|(from, words)| self.next[*from as usize].push((new, *words)));
        new
    }

    fn characters(&mut self, text: &str, from: Ends) -> Ends {
        text.bytes().fold(from, |from, c| vec![(self.position(byte(c), &from), Set::ALL)])
    }

    /// Adds a text; its ends.
    fn text(&mut self, automaton: &mut Automaton<'_>, edges: &[Edge<'_>], from: Ends) -> Option<Ends> {
        let last = edges.last().map_or(0, |edge| edge.to);
        let mut ends: Vec<Ends> = vec![Vec::new(); last + 1];
        ends[0] = from;
        for edge in edges {
            let from = among(&ends[edge.from], edge.printed, &mut automaton.sets);
            let to = match edge.piece {
                None => from,
                Some(Piece::Literal(text)) => self.characters(text, from),
                Some(piece) => {
                    let (field, spelling) = piece.shown(&automaton.form.fields)?;
                    self.value(field, spelling, &from, &mut automaton.sets)?
                }
            };
            self.join(&mut ends[edge.to], to)?;
        }
        Some(ends.swap_remove(last))
    }

    /// Adds the texts of a field; none if programs name it.
    fn value(&mut self, field: &Field, spelling: &Spelling, from: &Ends, sets: &mut Sets<'_>) -> Option<Ends> {
        TextGraph::of(&field.code, spelling).parts.iter().try_fold(from.clone(), |from, ways| {
            let mut ends = Ends::new();
            // A number that prints like another one is read as that one.
            for way in ways.iter().filter(|way| !matches!(way.of, Numbers::One(name) if name.role == Role::Print)) {
                let words = sets.of_way(field, way);
                let mut to = among(&from, words, sets);
                if to.is_empty() {
                    continue;
                }
                for token in &way.tokens {
                    to = match token {
                        Token::Text(text) => self.characters(text, to),
                        Token::Digits(_) | Token::Float(_) => {
                            // One or more; those of a floating-point number in any order.
                            let position = self.position([token.made_of(), 0], &to);
                            self.next[position as usize].push((position, Set::ALL));
                            self.digits.push((position, [token.goes_on(), 0]));
                            self.is_double |= matches!(token, Token::Float(_));
                            vec![(position, Set::ALL)]
                        }
                        Token::Name { .. } => return None,
                    };
                }
                self.join(&mut ends, to)?;
            }
            Some(ends)
        })
    }

    /// Adds ends of one way to those of others; none if the texts are too long.
    fn join(&mut self, ends: &mut Ends, more: Ends) -> Option<()> {
        self.is_double |= more.iter().any(|(end, _)| ends.iter().any(|(known, _)| known == end));
        ends.extend(more);
        (self.bytes.len() <= MAX_POSITIONS).then_some(())
    }

    /// True if different ways of a text are different positions, and a number ends where no digit follows.
    pub(super) fn is_clear(&self) -> bool {
        let ends = |(digit, apart): &(u32, Bytes)| {
            let mut follow = self.next[*digit as usize].iter().filter(|(next, _)| next != digit);
            follow.all(|(next, _)| !meet(self.bytes[*next as usize], *apart))
        };
        !self.is_double && self.digits.iter().all(ends)
    }

    /// No pairs of positions.
    pub(super) fn open(&self) -> Open {
        self.bytes.iter().map(|_| BTreeMap::new()).collect()
    }

    /// For each ASCII character those that can follow it.
    pub(super) fn pairs(&self) -> Box<[u128; 128]> {
        let mut pairs = Box::new([0; 128]);
        for (set, next) in self.bytes.iter().zip(&self.next) {
            let follow = next.iter().fold(0, |follow, (next, _)| follow | self.bytes[*next as usize][0]);
            let mut rest = set[0];
            while rest != 0 {
                pairs[rest.trailing_zeros() as usize] |= follow;
                rest &= rest - 1;
            }
        }
        pairs
    }

    /// The words of the form whose full text is read in another graph, or in this one in another way. `None` if that takes too many
    /// pairs of positions.
    pub(super) fn elsewhere(&self, other: &Self, open: &mut Open, sets: &mut Sets<'_>, budget: &mut usize) -> Option<Set> {
        let is_same = std::ptr::eq(self, other);
        let mut found = Set::NONE;
        // No position follows a later one.
        open[0].insert(0, Set::ALL);
        for a in 0..self.bytes.len() as u32 {
            while let Some((b, words)) = open[a as usize].pop_first() {
                *budget = budget.checked_sub(1)?;
                let is_one = is_same && a == b;
                let is_end = !is_one && (other.full.contains_key(&b) || other.short.contains_key(&b));
                if let Some(end) = self.full.get(&a).filter(|_| is_end) {
                    let words = sets.and(words, *end);
                    found = sets.or(found, words);
                }
                for (x, on) in &self.next[a as usize] {
                    for (y, _) in &other.next[b as usize] {
                        if (a, b) == (*x, *y) || !meet(self.bytes[*x as usize], other.bytes[*y as usize]) {
                            continue;
                        }
                        let words = sets.and(words, *on);
                        // Two ways that become one are two ways.
                        let becomes_one = is_same && !is_one && x == y;
                        let known = if becomes_one { &mut found } else { open[*x as usize].entry(*y).or_insert(Set::NONE) };
                        *known = sets.or(*known, words);
                    }
                }
            }
        }
        Some(found)
    }
}

/// Those ends that some words get to.
fn among(ends: &Ends, words: Set, sets: &mut Sets<'_>) -> Ends {
    let ends = ends.iter().map(|(end, of)| (*end, sets.and(*of, words)));
    ends.filter(|(_, words)| *words != Set::NONE).collect()
}
