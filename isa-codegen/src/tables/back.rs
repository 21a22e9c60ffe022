//! Which forms have texts that can be read in one way only: what is read is known without reading.
//!
//! The texts of a form are taken as a graph of characters that has all of them, and some more: conditions are left out, and numbers
//! have any number of digits. If each text has one way only through the graph of its form, and none through those of the forms that
//! are tried before, then reading goes the way that printing went.

use isa_spec::codec::modulus;
use isa_spec::model::{Field, Form, Isa, Kind, Piece, Radix};
use std::collections::HashSet;

/// A text of more characters is not looked at.
const MAX_POSITIONS: usize = 1 << 13;

/// So many pairs of positions are looked at for all forms together; then the forms that are left have to be read.
const MAX_PAIRS: usize = 1 << 22;

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
struct Graph {
    bytes: Vec<Bytes>,
    next: Vec<Vec<u32>>,
    ends: Vec<bool>,
    /// Positions of digits, and what must not follow them: as many digits are read as there are.
    digits: Vec<(u32, Bytes)>,
    /// Nothing is known that would give a text two ways.
    is_clear: bool,
}

/// Where a text has come to: the positions that were the last.
type Ends = Vec<u32>;

impl Graph {
    /// The full texts of a form, as they are printed, or also without what `--full` adds; none if they are too long, or not known.
    fn new(isa: &Isa, form: &Form, can_be_short: bool) -> Option<Self> {
        let mut graph =
            Self { bytes: vec![[0; 2]], next: vec![Vec::new()], ends: Vec::new(), digits: Vec::new(), is_clear: true };
        let mut ends = graph.pieces(isa, form, &form.text, vec![0])?;
        if !form.full.is_empty() {
            let short = if can_be_short { ends.clone() } else { Vec::new() };
            let blank = graph.text(" ", &ends);
            let full = graph.pieces(isa, form, &form.full, blank)?;
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

    fn pieces(&mut self, isa: &Isa, form: &Form, pieces: &[Piece], mut from: Ends) -> Option<Ends> {
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
                    let field = &form.fields[*field];
                    match &field.kind {
                        Kind::Int { radix: own, .. } => match radix.or(*own).unwrap_or(isa.numbers) {
                            Radix::Float(_) => self.float(&from),
                            radix => self.number(radix == Radix::Hex, from),
                        },
                        Kind::Register(_) if is_name => return None,
                        _ => self.value(isa, field, from),
                    }
                }
                Piece::Group { body, .. } => {
                    let inside = self.pieces(isa, form, body, from.clone())?;
                    let outside = match pieces.get(i + 1) {
                        Some(Piece::Group { body, .. }) if pieces[i + 1].is_else_of(piece) => {
                            self.pieces(isa, form, body, from)?
                        }
                        _ => from,
                    };
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

    fn value(&mut self, isa: &Isa, field: &Field, from: Ends) -> Ends {
        match &field.kind {
            Kind::Flag(text) => {
                let set = self.text(text, &from);
                self.either([from, set])
            }
            Kind::Bitset(letters) => letters.bytes().fold(from, |from, letter| {
                let set = [letter, b'-'].map(|c| vec![self.position(byte(c), &from)]);
                // A letter that is `-` itself says nothing.
                self.is_clear &= letter != b'-';
                self.either(set)
            }),
            Kind::Register(id) => {
                let file = &isa.registers[id.index()];
                let mut ways: Vec<Ends> = file.special.iter().map(|(_, name)| self.text(name, &from)).collect();
                let prefix = self.text(&file.prefix, &from);
                let digits = self.digits(decimal(), decimal(), &prefix);
                let halves: Vec<&str> = file.halves.as_ref().map_or(vec![""], |h| vec![&h[0], &h[1]]);
                for half in halves {
                    let half = self.text(half, &digits);
                    ways.push(self.text(&file.suffix, &half));
                }
                self.either(ways)
            }
            Kind::Enum(id) => {
                let e = &isa.enums[id.index()];
                let mut ways: Vec<Ends> = e.values.iter().map(|v| self.text(&v.text, &from)).collect();
                if let Some(other) = &e.otherwise {
                    let mut before = self.text(&other.before, &from);
                    let mut set = decimal();
                    if other.is_hex {
                        (before, set) = (self.text("0x", &before), bytes(*b"0123456789abcdefABCDEF"));
                    }
                    let digits = self.digits(set, set, &before);
                    ways.push(self.text(&other.after, &digits));
                }
                self.either(ways)
            }
            Kind::Int { .. } => from,
        }
    }

    /// For each ASCII character those that can follow it.
    fn pairs(&self) -> Box<[u128; 128]> {
        let mut pairs = Box::new([0; 128]);
        for (set, next) in self.bytes.iter().zip(&self.next) {
            let follow = next.iter().fold(0, |follow, next| follow | self.bytes[*next as usize][0]);
            (0..128).filter(|c| set[0] >> c & 1 == 1).for_each(|c: usize| pairs[c] |= follow);
        }
        pairs
    }

    /// Whether a text of this graph is one of the other graph, too; of the same graph, in another way. None if that takes too many
    /// pairs of positions.
    fn meets(&self, other: &Self, is_same: bool, budget: &mut usize) -> Option<bool> {
        let mut seen: HashSet<(u32, u32)> = HashSet::from([(0, 0)]);
        let mut open = vec![(0u32, 0u32)];
        while let Some((a, b)) = open.pop() {
            *budget = budget.checked_sub(1)?;
            if self.ends[a as usize] && other.ends[b as usize] && (!is_same || a != b) {
                return Some(true);
            }
            for x in &self.next[a as usize] {
                for y in &other.next[b as usize] {
                    if !meet(self.bytes[*x as usize], other.bytes[*y as usize]) {
                        continue;
                    }
                    // Two ways that become one.
                    if is_same && a != b && x == y {
                        return Some(true);
                    }
                    if seen.insert((*x, *y)) {
                        open.push((*x, *y));
                    }
                }
            }
        }
        Some(false)
    }
}

/// Whether equal numbers are equal bits, wherever the word stands; of a target, as long as its address does not wrap.
fn is_exact(isa: &Isa, field: &Field) -> bool {
    let Kind::Int { scale, bias, target, .. } = &field.kind else { return true };
    let bits = field.bits.width() + scale.unsigned_abs().max(1).ilog2() + 2;
    let room = modulus(isa, field).map_or(60, |bits| bits.min(60));
    let is_small = |n: i64| n.unsigned_abs() < 1 << 56;
    *scale != 0 && bits < room && is_small(*bias) && is_small(target.unwrap_or(0))
}

/// Whether numbers of a form are exact, and its text has an end that is seen: that of what `--full` adds.
fn is_plain(isa: &Isa, form: &Form) -> bool {
    let is_seen = form.full.is_empty() || form.full.iter().any(|p| matches!(p, Piece::Literal(text) if !text.is_empty()));
    is_seen && form.names.is_empty() && form.fields.iter().all(|f| is_exact(isa, f))
}

/// What is known of reading the full texts of a form to the letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// No form that is tried before reads one.
    pub(super) is_alone: bool,
    /// Besides, there is one way only.
    pub(super) has_one_way: bool,
}

/// Two ASCII characters that follow each other in all texts of a form.
fn needs(form: &Form) -> Vec<(u8, u8)> {
    let literals = form.text.iter().filter_map(|piece| match piece {
        Piece::Literal(text) => Some(text.as_bytes()),
        _ => None,
    });
    literals.flat_map(|text| text.windows(2).map(|pair| (pair[0], pair[1]))).filter(|pair| pair.0 < 128 && pair.1 < 128).collect()
}

/// What is known of each form.
pub(super) fn forms(isa: &Isa) -> Vec<Known> {
    let mut known = vec![Known::default(); isa.forms.len()];
    if isa.is_text() {
        return known;
    }
    let mut budget = MAX_PAIRS;
    let order = super::reading_order(isa);
    // What is read may end before what `--full` adds.
    let read: Vec<Option<Graph>> = order.iter().map(|form| Graph::new(isa, form, true)).collect();
    let needs: Vec<_> = order.iter().map(|form| needs(form)).collect();
    let mut of = |i: usize| {
        let form = order[i];
        let (own, full) = (read[i].as_ref()?, Graph::new(isa, form, false)?);
        let pairs = full.pairs();
        let has = |(first, second): &(u8, u8)| pairs[usize::from(*first)] >> second & 1 == 1;
        for (graph, needs) in read[..i].iter().zip(&needs) {
            if needs.iter().all(has) && full.meets(graph.as_ref()?, false, &mut budget)? {
                return None;
            }
        }
        let is_clear = is_plain(isa, form) && own.is_clear;
        Some(Known { is_alone: true, has_one_way: is_clear && own.meets(own, true, &mut budget) == Some(false) })
    };
    for (i, form) in order.iter().enumerate() {
        known[form.id.index()] = of(i).unwrap_or_default();
    }
    known
}

#[cfg(test)]
mod tests {
    /// Texts of most forms of Ampere are read in one way.
    #[test]
    fn forms_of_one_way() {
        let isa = isa_spec::load_texts("ampere.yaml", isa_specs::FILES).isa.expect("a good spec");
        let known = super::forms(&isa);
        let of = |name: &str| isa.forms.iter().position(|f| f.name == name).map(|i| (known[i].is_alone, known[i].has_one_way));
        assert_eq!(of("LOP3.reg"), Some((true, true)));
        assert_eq!(of("MOV.imm"), Some((true, true)));
        // Either of two predicates can be missing.
        assert_eq!(of("IADD3.reg"), Some((true, false)));
        // A register and an offset can be missing from an address.
        assert_eq!(of("LDL.reg"), Some((false, false)));
        let one_way = known.iter().filter(|known| known.has_one_way).count();
        assert!(one_way * 2 > known.len(), "{one_way} of {}", known.len());
    }
}
