//! Two words of different meaning with one text: decided for all words, not tried on some.
//!
//! The texts of two forms are compared piece by piece, from their ends to their beginnings, as sets of pairs of words: for each
//! piece of the one and of the other, and for what the one has already printed more than the other, the pairs of which the rest of
//! the one text is the rest of the other. Numbers end where no digit and no letter follows (the check of templates sees to it), so
//! two numbers that begin at one place are one number.

use crate::model::{Enum, EnumId, Field, Form, Isa, Kind, Piece, PlainKind, Radix, Raw, RegisterId, When, Word, ones};
use crate::sets::{self, Linear, Order, Set, Solver, TooLarge, WordSet};
use crate::value_text::print_value;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Whether two forms have a text in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// They have none.
    Apart,
    /// They have, and these words have it.
    Same([Word; 2]),
    /// It takes too long to find out.
    Undecided,
}

/// Whether a word of `a` and one of `b` have a text in common, with what `--full` adds to it; of one form, two words that differ in more than bits that are kept.
pub(crate) fn compare(isa: &Isa, a: &Form, b: &Form) -> Verdict {
    if a.id == b.id && says_all(isa, a) {
        return Verdict::Apart;
    }
    // Numbers are spelt out, where there are few, only if digits of a number meet other characters.
    for spelt in [0, MAX_SPELT] {
        match compare_with(isa, [a, b], spelt) {
            Ok((Some(words), _)) => return Verdict::Same(words),
            Ok((None, false)) => return Verdict::Apart,
            Ok((None, true)) => {}
            Err(TooLarge) => return Verdict::Undecided,
        }
    }
    Verdict::Undecided
}

/// Whether a text plainly says all there is: every field is printed, as a number or as a register, and ends before a character that
/// neither has. Most texts are so.
fn says_all(isa: &Isa, form: &Form) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$%-".contains(c);
    let is_one = |field: &Field| match &field.kind {
        Kind::Int { .. } => true,
        Kind::Register(id) => {
            let file = &isa.registers[id.index()];
            let names = file.special.iter().map(|(_, name)| name.as_str()).chain([file.prefix.as_str(), file.suffix.as_str()]);
            file.names.is_none() && file.halves.is_none() && names.into_iter().all(|name| name.chars().all(is_part))
        }
        _ => false,
    };
    let ends = |next: Option<&Piece>| match next {
        None => form.full.is_empty(),
        Some(Piece::Literal(text)) => !text.starts_with(is_part),
        Some(_) => false,
    };
    let mut said = vec![false; form.fields.len()];
    for (i, piece) in form.text.iter().enumerate() {
        match piece {
            Piece::Literal(_) => {}
            Piece::Field { field, .. } if is_one(&form.fields[*field]) && ends(form.text.get(i + 1)) => said[*field] = true,
            _ => return false,
        }
    }
    said.into_iter().all(|said| said)
}

/// The characters with which all texts of a form begin: forms that begin differently have no text in common.
pub(crate) fn head(form: &Form) -> &str {
    match form.text.first() {
        Some(Piece::Literal(text)) => text,
        _ => "",
    }
}

/// So many states a comparison of two forms may have.
const MAX_STATES: usize = 1 << 15;

/// Numbers of so many bits can be spelt out.
const MAX_SPELT: u32 = 10;

/// The bits of the second word stand behind those of the first.
const SECOND: u32 = Word::BITS;

/// Two words with one text, if there are any, and whether something was left undecided.
fn compare_with(isa: &Isa, forms: [&Form; 2], spelt: u32) -> Result<(Option<[Word; 2]>, bool), TooLarge> {
    let order = Order::paired(isa.order(forms[0].length), isa.order(forms[1].length));
    let mut solver = Solver::new(&order);
    let mut sides =
        [0, 1].map(|side| Side { isa, form: forms[side], shift: side as u32 * SECOND, spelt, steps: vec![Step::End] });
    let mut first = [0, 0];
    for (side, first) in sides.iter_mut().zip(&mut first) {
        let form = side.form;
        let mut next = 0;
        if !form.full.is_empty() {
            next = side.chain(&form.full, next, &mut solver)?;
            next = side.text(" ", next);
        }
        *first = side.chain(&form.text, next, &mut solver)?;
    }
    let is_one = forms[0].id == forms[1].id;
    let sides = sides.map(|side| Rc::new(side.steps));
    let mut comparison = Comparison { isa, sides, solver, known: HashMap::new(), is_undecided: false };
    let mut set = comparison.rest(first, (0, String::new()))?;
    for (side, form) in forms.into_iter().enumerate() {
        for words in [&form.words, &form.legal] {
            let words = import(&mut comparison.solver, words, side as u32 * SECOND)?;
            set = comparison.solver.attempt(|solver| solver.and(set, words))?;
        }
    }
    if is_one {
        let differ = differ(&mut comparison.solver, forms[0])?;
        set = comparison.solver.attempt(|solver| solver.and(set, differ))?;
    }
    let words = comparison.solver.path(set).map(|bits| {
        let set = bits.into_iter().filter(|(_, one)| *one);
        set.fold([Word::ZERO; 2], |mut words: [Word; 2], (bit, _)| {
            words[(bit / SECOND) as usize] |= Word::bit(bit % SECOND);
            words
        })
    });
    Ok((words, comparison.is_undecided))
}

/// The pairs that differ in a bit that has a meaning. What names are called is the text's own.
fn differ(solver: &mut Solver<'_>, form: &Form) -> Result<Set, TooLarge> {
    let kept = form.plain.iter().filter(|p| p.what != PlainKind::Reserved).fold(Word::ZERO, |mask, p| mask | p.bits.mask());
    let names = form.names.iter().fold(Word::ZERO, |mask, n| mask | form.fields[n.field].bits.mask());
    let mut sets = Vec::new();
    for bit in (0..form.length).filter(|bit| !(form.mask | kept | names).has(*bit)) {
        sets.push(solver.attempt(|solver| {
            let (a, b) = (solver.bit(bit)?, solver.bit(bit + SECOND)?);
            solver.differ(a, b)
        })?);
    }
    solver.attempt_any(sets)
}

fn import(solver: &mut Solver<'_>, words: &WordSet, shift: u32) -> Result<Set, TooLarge> {
    solver.attempt(|solver| solver.import_shifted(words, shift))
}

/// A piece of a text, which names the one that follows.
enum Step {
    End,
    Text(String, usize),
    /// Digits of a number that is not negative.
    Digits(Digits, usize),
    /// A name that a program gives.
    Name(RegisterId, usize),
    /// What is printed depends on the word. So many of the ways, which stand first, begin with a text, and are sorted by it.
    Choice(Vec<(Set, usize)>, usize),
    /// A value of an enumeration of very many, none of whose texts begins like another.
    OneOfMany(EnumId, Vec<u32>, usize),
}

/// An enumeration of more values is not written out.
const MANY: usize = 1024;

#[derive(Clone)]
struct Digits {
    radix: Radix,
    value: Linear,
    /// The bits of the pair that the field is.
    places: Vec<u32>,
}

/// Makes the steps of one of the two texts.
struct Side<'f> {
    isa: &'f Isa,
    form: &'f Form,
    shift: u32,
    spelt: u32,
    steps: Vec<Step>,
}

impl<'f> Side<'f> {
    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn text(&mut self, text: &str, next: usize) -> usize {
        if text.is_empty() { next } else { self.push(Step::Text(text.to_owned(), next)) }
    }

    /// The pieces, and then what is numbered `next`; the number of the first.
    fn chain(&mut self, pieces: &'f [Piece], mut next: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        for piece in pieces.iter().rev() {
            next = match piece {
                Piece::Literal(text) => self.text(text, next),
                Piece::Field { field, radix } => self.field(&self.form.fields[*field], *radix, next, solver)?,
                Piece::Group { when, body } => {
                    let inside = match when {
                        When::Holds(condition) => import(solver, &condition.words, self.shift)?,
                        When::Differs(fields) => {
                            let fields = fields.iter().map(|i| &self.form.fields[*i]);
                            let default = fields.map(|f| self.raw(f, f.default, solver)).collect::<Result<Vec<_>, _>>()?;
                            let default =
                                default.into_iter().try_fold(Set::ALL, |all, one| solver.attempt(|s| s.and(all, one)))?;
                            solver.attempt(|solver| solver.not(default))?
                        }
                    };
                    let outside = solver.attempt(|solver| solver.not(inside))?;
                    let body = self.chain(body, next, solver)?;
                    self.push(Step::Choice(vec![(inside, body), (outside, next)], 0))
                }
            };
        }
        Ok(next)
    }

    fn places(&self, field: &Field) -> Vec<u32> {
        field.bits.places().into_iter().map(|bit| bit + self.shift).collect()
    }

    /// The words in which a field has these bits.
    fn raw(&self, field: &Field, raw: Raw, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let places = self.places(field);
        solver.attempt(|solver| {
            places.iter().enumerate().rev().try_fold(Set::ALL, |set, (i, place)| {
                let bit = solver.bit(*place)?;
                if raw >> i & 1 == 1 { solver.and(set, bit) } else { solver.minus(set, bit) }
            })
        })
    }

    fn field(&mut self, field: &'f Field, radix: Option<Radix>, next: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let width = field.bits.width();
        let places = self.places(field);
        let raw_of = |value: Raw| if field.inverted { ones(width) - value } else { value };
        let file = match field.kind {
            Kind::Register(id) => Some(&self.isa.registers[id.index()]),
            _ => None,
        };
        match &field.kind {
            Kind::Register(id) if file.is_some_and(|f| f.names.is_some()) => Ok(self.push(Step::Name(*id, next))),
            Kind::Bitset(letters) => {
                let mut next = next;
                let letters: Vec<(char, u32)> = letters.chars().zip(places).collect();
                for (letter, place) in letters.into_iter().rev() {
                    let set = solver.attempt(|solver| solver.bit(place))?;
                    let clear = solver.attempt(|solver| solver.not(set))?;
                    let (set, clear) = if field.inverted { (clear, set) } else { (set, clear) };
                    let (letter, dash) = (self.text(&letter.to_string(), next), self.text("-", next));
                    next = self.push(Step::Choice(vec![(set, letter), (clear, dash)], 0));
                }
                Ok(next)
            }
            Kind::Int { .. } | Kind::Register(_) if width <= self.spelt => self.spell(field, radix, next, solver),
            Kind::Int { signed, scale, bias, radix: own, target } => {
                let radix = radix.or(*own).unwrap_or(self.isa.numbers);
                let bias = bias.saturating_add(target.unwrap_or(0));
                let value = Linear { bits: width, signed: *signed, inverted: field.inverted, scale: *scale, bias };
                self.number(value, places, radix, next, solver)
            }
            Kind::Flag(text) => {
                let set = self.raw(field, raw_of(1), solver)?;
                let clear = self.raw(field, raw_of(0), solver)?;
                let text = self.text(text, next);
                Ok(self.push(Step::Choice(vec![(set, text), (clear, next)], 0)))
            }
            Kind::Enum(id) => {
                let e = &self.isa.enums[id.index()];
                if e.values.len() > MANY && e.otherwise.is_none() && !field.inverted && begin_differently(e) {
                    return Ok(self.push(Step::OneOfMany(*id, places, next)));
                }
                let named = e.values.iter().filter(|v| v.value <= ones(width)).map(|v| (v.value, v.text.as_str()));
                let numbered = e.otherwise.as_ref().map(|(before, after)| (before.as_str(), after.as_str(), None));
                self.named(field, named.collect(), numbered.into_iter().collect(), next, solver)
            }
            Kind::Register(_) => {
                let Some(file) = file else { return Ok(next) };
                let named = file.special.iter().filter(|s| s.0 <= ones(width)).map(|(n, name)| (*n, name.as_str())).collect();
                let halves =
                    file.halves.as_ref().map(|[low, high]| [format!("{low}{}", file.suffix), format!("{high}{}", file.suffix)]);
                let numbered = match &halves {
                    None => vec![(file.prefix.as_str(), file.suffix.as_str(), None)],
                    Some([low, high]) => {
                        vec![(file.prefix.as_str(), low.as_str(), Some(false)), (file.prefix.as_str(), high.as_str(), Some(true))]
                    }
                };
                self.named(field, named, numbered, next, solver)
            }
        }
    }

    /// Each value that has a name, and numbers for the others: what stands before and after them, and the half that they are for.
    fn named(
        &mut self,
        field: &Field,
        named: Vec<(Raw, &str)>,
        numbered: Vec<(&str, &str, Option<bool>)>,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let (width, places) = (field.bits.width(), self.places(field));
        let mut texts: BTreeMap<&str, Vec<Set>> = BTreeMap::new();
        for (value, text) in named {
            let raw = if field.inverted { ones(width) - value } else { value };
            texts.entry(text).or_default().push(self.raw(field, raw, solver)?);
        }
        let mut choice = Vec::new();
        let mut taken = Vec::new();
        let nothing = texts.remove("");
        for (text, sets) in texts {
            let set = solver.attempt_any(sets)?;
            taken.push(set);
            choice.push((set, self.text(text, next)));
        }
        let sorted = choice.len();
        if let Some(sets) = nothing {
            let set = solver.attempt_any(sets)?;
            taken.push(set);
            choice.push((set, next));
        }
        let taken = solver.attempt_any(taken)?;
        let rest = solver.attempt(|solver| solver.not(taken))?;
        for (before, after, half) in numbered {
            let after = self.text(after, next);
            let whole = Linear { bits: width, signed: false, inverted: field.inverted, scale: 1, bias: 0 };
            let (value, digits, words) = match half {
                None => (whole, places.clone(), rest),
                Some(is_high) => {
                    let words = solver.attempt(|solver| {
                        let bit = solver.bit(places[0])?;
                        if is_high != field.inverted { solver.and(rest, bit) } else { solver.minus(rest, bit) }
                    })?;
                    (Linear { bits: width - 1, ..whole }, places[1..].to_vec(), words)
                }
            };
            let digits = self.push(Step::Digits(Digits { radix: Radix::Dec, value, places: digits }, after));
            let number = self.text(before, digits);
            choice.push((words, number));
        }
        Ok(self.push(Step::Choice(choice, sorted)))
    }

    /// Each value of a number.
    fn spell(&mut self, field: &Field, radix: Option<Radix>, next: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let mut texts: BTreeMap<String, Vec<Raw>> = BTreeMap::new();
        for raw in 0..=ones(field.bits.width()) {
            let mut text = String::new();
            print_value(self.isa, field, raw, radix, 0, &mut text);
            texts.entry(text).or_default().push(raw);
        }
        let mut choice = Vec::new();
        for (text, values) in texts {
            let sets = values.into_iter().map(|raw| self.raw(field, raw, solver)).collect::<Result<_, _>>()?;
            choice.push((solver.attempt_any(sets)?, self.text(&text, next)));
        }
        let sorted = choice.len();
        Ok(self.push(Step::Choice(choice, sorted)))
    }

    /// The sign, `0x`, and the digits.
    fn number(
        &mut self,
        value: Linear,
        places: Vec<u32>,
        radix: Radix,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let negative = solver.attempt(|solver| sets::negative(solver, value, &places))?;
        let positive = solver.attempt(|solver| solver.not(negative))?;
        let opposite = Linear { scale: -value.scale, bias: -value.bias, ..value };
        let mut choice = Vec::new();
        for (words, sign, value) in [(positive, "", value), (negative, "-", opposite)] {
            if words != Set::NONE {
                let digits = self.push(Step::Digits(Digits { radix, value, places: places.clone() }, next));
                let mark = if radix == Radix::Hex { format!("{sign}0x") } else { sign.to_owned() };
                let number = self.text(&mark, digits);
                choice.push((words, number));
            }
        }
        Ok(self.push(Step::Choice(choice, 0)))
    }
}

/// Which side has printed more than the other, and what.
type Ahead = (usize, String);

struct Comparison<'f, 'o> {
    isa: &'f Isa,
    sides: [Rc<Vec<Step>>; 2],
    solver: Solver<'o>,
    known: HashMap<([usize; 2], Ahead), Set>,
    /// A case was met that is not decided.
    is_undecided: bool,
}

impl Comparison<'_, '_> {
    /// The pairs of which the rest of one text is the rest of the other, after what one of them is ahead.
    fn rest(&mut self, at: [usize; 2], ahead: Ahead) -> Result<Set, TooLarge> {
        let key = (at, ahead);
        if let Some(set) = self.known.get(&key) {
            return Ok(*set);
        }
        if self.known.len() >= MAX_STATES {
            return Err(TooLarge);
        }
        let set = self.compute(at, &key.1)?;
        self.known.insert(key, set);
        Ok(set)
    }

    fn compute(&mut self, at: [usize; 2], ahead: &Ahead) -> Result<Set, TooLarge> {
        let sides = self.sides.clone();
        // What is behind prints next; of two that are level, one that has something to choose.
        let is_choice = |side: usize| matches!(sides[side][at[side]], Step::Choice(..));
        let side = match ahead.1.is_empty() {
            true => usize::from(!is_choice(0) && (is_choice(1) || matches!(sides[0][at[0]], Step::End))),
            false => 1 - ahead.0,
        };
        let moved = |to: usize| if side == 0 { [to, at[1]] } else { [at[0], to] };
        let level = || (0, String::new());
        match &sides[side][at[side]] {
            Step::Choice(ways, sorted) => {
                let mut sets = Vec::new();
                let (texts, others) = ways.split_at(*sorted);
                let text = |way: &(Set, usize)| sides[side][way.1].as_text();
                // Of many texts only those that begin as the other side goes on, or are a beginning of that.
                let from = texts.partition_point(|way| text(way) < ahead.1.as_str());
                let longer = texts[from..].iter().take_while(|way| text(way).starts_with(ahead.1.as_str()));
                let shorter = (1..ahead.1.len()).filter(|end| ahead.1.is_char_boundary(*end)).filter_map(|end| {
                    let wanted = &ahead.1[..end];
                    texts.binary_search_by(|way| text(way).cmp(wanted)).ok().map(|i| &texts[i])
                });
                for (words, to) in longer.chain(shorter).chain(others).copied() {
                    let rest = self.rest(moved(to), ahead.clone())?;
                    if rest != Set::NONE {
                        sets.push(self.solver.attempt(|solver| solver.and(words, rest))?);
                    }
                }
                self.solver.attempt_any(sets)
            }
            Step::Text(text, next) => {
                let next = *next;
                if let Some(more) = ahead.1.strip_prefix(text.as_str()) {
                    let ahead = if more.is_empty() { level() } else { (ahead.0, more.to_owned()) };
                    return self.rest(moved(next), ahead);
                }
                match text.strip_prefix(ahead.1.as_str()) {
                    Some(more) => self.rest(moved(next), (side, more.to_owned())),
                    None => Ok(Set::NONE),
                }
            }
            // The other side is over as well, or has more.
            Step::End => match (&sides[1 - side][at[1 - side]], ahead.1.is_empty()) {
                (Step::End, true) => Ok(Set::ALL),
                _ => Ok(Set::NONE),
            },
            step @ (Step::Digits(..) | Step::Name(..)) if !ahead.1.is_empty() => {
                // The other side has printed characters here: some numbers and names begin like them.
                self.is_undecided |= can_begin(self.isa, step, &ahead.1);
                Ok(Set::NONE)
            }
            Step::Digits(digits, next) => match &sides[1 - side][at[1 - side]] {
                Step::Digits(others, other) => {
                    let to = if side == 0 { [*next, *other] } else { [*other, *next] };
                    if digits.radix != others.radix {
                        self.is_undecided = true;
                        return Ok(Set::NONE);
                    }
                    let (a, b) = (digits, others);
                    let same = self.solver.attempt(|solver| sets::equal(solver, (a.value, &a.places), (b.value, &b.places)))?;
                    let rest = self.rest(to, level())?;
                    self.solver.attempt(|solver| solver.and(same, rest))
                }
                other => self.meet(side, at, other),
            },
            Step::Name(_, next) => match &sides[1 - side][at[1 - side]] {
                Step::Name(_, other) => {
                    let to = if side == 0 { [*next, *other] } else { [*other, *next] };
                    self.rest(to, level())
                }
                other => self.meet(side, at, other),
            },
            Step::OneOfMany(id, places, next) => match &sides[1 - side][at[1 - side]] {
                Step::OneOfMany(other_id, others, other) if id == other_id && ahead.1.is_empty() => {
                    let to = if side == 0 { [*next, *other] } else { [*other, *next] };
                    let mut pairs = places.iter().copied().zip(others.iter().copied());
                    let rest = self.rest(to, level())?;
                    pairs.try_fold(rest, |set, (a, b)| {
                        self.solver.attempt(|solver| {
                            let (a, b) = (solver.bit(a)?, solver.bit(b)?);
                            let differ = solver.differ(a, b)?;
                            solver.minus(set, differ)
                        })
                    })
                }
                _ => {
                    self.is_undecided = true;
                    Ok(Set::NONE)
                }
            },
        }
    }

    /// Something that is not written out on one side, and something else on the other.
    fn meet(&mut self, side: usize, at: [usize; 2], other: &Step) -> Result<Set, TooLarge> {
        match other {
            Step::End => Ok(Set::NONE),
            Step::Text(text, next) => {
                let to = if side == 0 { [at[0], *next] } else { [*next, at[1]] };
                let ahead = (1 - side, text.clone());
                self.rest(to, ahead)
            }
            _ => {
                self.is_undecided = true;
                Ok(Set::NONE)
            }
        }
    }
}

impl Step {
    fn as_text(&self) -> &str {
        match self {
            Self::Text(text, _) => text,
            _ => "",
        }
    }
}

/// Whether texts of the enumeration differ before one of them ends.
fn begin_differently(e: &Enum) -> bool {
    let mut texts: Vec<&str> = e.values.iter().map(|v| v.text.as_str()).collect();
    texts.sort_unstable();
    // What begins like another stands behind it.
    texts.windows(2).all(|pair| !pair[1].starts_with(pair[0]))
}

/// Whether digits, or a name, can begin as the text does.
fn can_begin(isa: &Isa, step: &Step, text: &str) -> bool {
    let Some(first) = text.bytes().next() else { return true };
    match step {
        Step::Digits(Digits { radix: Radix::Hex, .. }, _) => first.is_ascii_hexdigit(),
        Step::Digits(..) => first.is_ascii_digit(),
        Step::Name(id, _) => {
            let names = isa.registers[id.index()].names.as_ref();
            names.is_some_and(|names| first.is_ascii() && names.begins() >> first & 1 == 1)
        }
        _ => true,
    }
}
