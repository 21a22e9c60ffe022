//! Two words of different meaning with one text: decided for all words, not tried on some.
//!
//! The texts of two forms are compared piece by piece, from their ends to their beginnings, as sets of pairs of words: for each
//! piece of the one and of the other, and for what the one has already printed more than the other, the pairs of which the rest of
//! the one text is the rest of the other. Numbers end where no digit and no letter follows (the check of templates sees to it), so
//! two numbers that begin at one place are one number.

use super::shapes::{Begins, Shapes};
use crate::model::{Cond, Enum, EnumId, Field, Form, Isa, Kind, Piece, PlainKind, Radix, Raw, RegisterId, When, Word, ones};
use crate::sets::{self, Linear, Order, Set, Solver, TooLarge, WordSet};
use crate::value_text::{modulus, print_alike, print_value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
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

/// Compares the texts of forms.
pub(crate) struct Texts<'f> {
    isa: &'f Isa,
    shapes: Shapes<'f>,
    /// An enumeration of more values is not written out.
    many: usize,
}

impl<'f> Texts<'f> {
    pub(crate) fn new(isa: &'f Isa) -> Self {
        Self { isa, shapes: Shapes::new(isa), many: MANY }
    }

    /// For texts that are compared with those of another version.
    pub(crate) fn of_version(isa: &'f Isa) -> Self {
        Self { isa, shapes: Shapes::new(isa), many: usize::MAX }
    }

    /// Whether a word of `a` and one of `b` have a text in common, with what `--full` adds to it; of one form, two words that differ in more than bits that are kept.
    pub(crate) fn compare(&self, a: &'f Form, b: &'f Form) -> Verdict {
        if a.id == b.id && self.says_all(a) {
            return Verdict::Apart;
        }
        // Numbers are spelt out, where there are few, only if digits of a number meet other characters.
        for spelt in [0, MAX_SPELT] {
            match compare_with(self, [a, b], spelt) {
                Ok((Some(words), _)) => return Verdict::Same(words),
                Ok((None, false)) => return Verdict::Apart,
                Ok((None, true)) => {}
                Err(TooLarge) => return Verdict::Undecided,
            }
        }
        Verdict::Undecided
    }

    /// Whether a text plainly says all there is: every value is printed, and where each ends is seen at the next character. Most
    /// texts are so.
    fn says_all(&self, form: &Form) -> bool {
        let mut said = Vec::new();
        let mut next = Begins::end();
        if !form.full.is_empty() {
            if !self.is_plain(form, &form.full, None, &mut next, &mut said) {
                return false;
            }
            next = Begins::with(" ");
        }
        self.is_plain(form, &form.text, None, &mut next, &mut said) && (0..form.fields.len()).all(|field| said.contains(&field))
    }

    /// Whether two words print the same with these pieces only if they print the same with each of them. `next` is what follows, and
    /// becomes that with which the pieces begin; `said` gets the fields whose values they tell. A field `other` than its default is
    /// the only one that the pieces depend on.
    fn is_plain(&self, form: &Form, pieces: &[Piece], other: Option<usize>, next: &mut Begins, said: &mut Vec<usize>) -> bool {
        for piece in pieces.iter().rev() {
            match piece {
                Piece::Literal(text) => *next = Begins::with(text).then(next),
                Piece::Field { field, .. } => {
                    let shape = self.shapes.of(&form.fields[*field]);
                    if !shape.is_one || shape.goes_on.meets(next) {
                        return false;
                    }
                    said.push(*field);
                    let is_missing = other == Some(*field) && self.is_empty(&form.fields[*field]);
                    *next = if is_missing { shape.begins.not_empty() } else { shape.begins.then(next) };
                }
                Piece::Group { when, body } => {
                    let (mut inside, mut shown) = (next.clone(), Vec::new());
                    let other = match when {
                        When::Differs(fields) if fields.len() == 1 => Some(fields[0]),
                        _ => None,
                    };
                    // That the group is there is seen if it begins unlike what follows.
                    if !self.is_plain(form, body, other, &mut inside, &mut shown) || inside.meets(next) {
                        return false;
                    }
                    match when {
                        When::Differs(fields) => shown.retain(|field| fields.contains(field)),
                        When::Holds(condition) => shown = single_bit(&condition.cond, form).into_iter().collect(),
                    }
                    said.append(&mut shown);
                    *next = inside.or(next);
                }
                // Only in texts that are read.
                Piece::OneOf(_) => return false,
            }
        }
        true
    }

    /// Whether nothing is printed for the default of a field.
    fn is_empty(&self, field: &Field) -> bool {
        let mut text = String::new();
        print_value(self.isa, field, field.default, None, 0, &mut text);
        text.is_empty()
    }
}

/// The field of one bit that a condition asks for, and nothing else.
fn single_bit(cond: &Cond, form: &Form) -> Option<usize> {
    match cond {
        Cond::Not(inner) => single_bit(inner, form),
        Cond::Test { field, values } if form.fields[*field].bits.width() == 1 && !values.is_all() && !values.is_empty() => {
            Some(*field)
        }
        _ => None,
    }
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

/// The longest texts that are compared, in steps: each is a call inside another.
const MAX_DEPTH: u32 = 1000;

/// Numbers of so many bits can be spelt out.
const MAX_SPELT: u32 = 10;

/// The bits of the second word stand behind those of the first.
const SECOND: u32 = Word::BITS;

/// Two words with one text, if there are any, and whether something was left undecided.
fn compare_with<'f>(texts: &Texts<'f>, forms: [&'f Form; 2], spelt: u32) -> Result<(Option<[Word; 2]>, bool), TooLarge> {
    let order = pair_order([texts; 2], forms);
    let mut comparison = Comparison::new(&order, [texts; 2], forms, spelt);
    let mut set = comparison.same_texts()?;
    for (side, form) in forms.into_iter().enumerate() {
        for words in [&form.words, &form.legal] {
            let words = import(&mut comparison.solver, words, side as u32 * SECOND)?;
            set = comparison.solver.attempt(|solver| solver.and(set, words))?;
        }
    }
    if forms[0].id == forms[1].id {
        let same = same(&mut comparison, forms[0])?;
        set = comparison.solver.attempt(|solver| solver.minus(set, same))?;
    }
    Ok((comparison.witness(set), comparison.is_undecided))
}

/// Two words of a form of two versions, `same` in these pairs of bits, the first of them `among` these, whose texts differ: `Some(None)` if
/// there are none, `None` if that takes too long to decide. `is_other` says whether the texts of two words differ.
pub(crate) fn differ<'f>(
    texts: [&Texts<'f>; 2],
    forms: [&'f Form; 2],
    among: &WordSet,
    same: &[(u32, u32)],
    is_other: impl Fn([Word; 2]) -> bool,
) -> Result<Option<Option<[Word; 2]>>, TooLarge> {
    let order = pair_order(texts, forms);
    // As when texts of one version are compared.
    for spelt in [0, MAX_SPELT] {
        let mut comparison = Comparison::new(&order, texts, forms, spelt);
        let mut set = comparison.equal_bits(same.iter().map(|(a, b)| (*a, b + SECOND)).collect())?;
        let sides = [(among, 0), (&forms[1].words, SECOND), (&forms[1].legal, SECOND)];
        for (words, shift) in sides {
            let words = import(&mut comparison.solver, words, shift)?;
            set = comparison.solver.attempt(|solver| solver.and(set, words))?;
        }
        let alike = comparison.same_texts()?;
        set = comparison.solver.attempt(|solver| solver.minus(set, alike))?;
        match comparison.witness(set) {
            None => return Ok(Some(None)),
            Some(words) if is_other(words) => return Ok(Some(Some(words))),
            Some(_) => {}
        }
    }
    Ok(None)
}

fn pair_order(texts: [&Texts<'_>; 2], forms: [&Form; 2]) -> Order {
    let [first, second] = [0, 1].map(|side| texts[side].isa.order(forms[side].length));
    Order::paired(first, second)
}

/// The pairs that differ in no bit that has a meaning. What names are called is the text's own.
fn same(comparison: &mut Comparison<'_, '_>, form: &Form) -> Result<Set, TooLarge> {
    let kept = form.plain.iter().filter(|p| p.what != PlainKind::Reserved).fold(Word::ZERO, |mask, p| mask | p.bits.mask());
    let names = form.names.iter().fold(Word::ZERO, |mask, n| mask | form.fields[n.field].bits.mask());
    let bits = (0..form.length).filter(|bit| !(form.mask | kept | names).has(*bit));
    comparison.equal_bits(bits.map(|bit| (bit, bit + SECOND)).collect())
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
    /// A field that is not looked into, for what is the same on both sides.
    Field(usize, Option<Radix>, usize),
    /// A value of an enumeration of very many, none of whose texts begins like another.
    OneOfMany(EnumId, Vec<u32>, usize),
}

/// An enumeration of more values is not written out where the other text is of the same version.
const MANY: usize = 1024;

struct Digits {
    radix: Radix,
    value: Linear,
    /// The number is the value modulo so many bits.
    modulo: Option<u32>,
    /// The bits of the pair that the field is.
    places: Vec<u32>,
}

/// Makes the steps of one of the two texts.
struct Side<'t, 'f> {
    texts: &'t Texts<'f>,
    isa: &'f Isa,
    form: &'f Form,
    shift: u32,
    spelt: u32,
    steps: Vec<Rc<Step>>,
    /// What each step, and what follows it, begins with.
    begins: Vec<Begins>,
    /// The steps that fields are made of, by the step of the field.
    made: FxHashMap<usize, usize>,
}

impl<'t, 'f> Side<'t, 'f> {
    fn new(texts: &'t Texts<'f>, form: &'f Form, shift: u32, spelt: u32) -> Self {
        let (steps, begins) = (vec![Rc::new(Step::End)], vec![Begins::end()]);
        Self { texts, isa: texts.isa, form, shift, spelt, steps, begins, made: FxHashMap::default() }
    }

    fn push(&mut self, step: Step) -> usize {
        let shape = |field: &Field| self.texts.shapes.of(field).begins;
        let begins = match &step {
            Step::End => Begins::end(),
            Step::Text(text, next) => Begins::with(text).then(&self.begins[*next]),
            Step::Digits(digits, _) => Begins::digits(digits.radix == Radix::Hex),
            Step::Name(id, _) => {
                let names = self.isa.registers[id.index()].names.as_ref();
                names.map_or_else(Begins::any, |names| Begins::of_ascii(names.begins()))
            }
            Step::Choice(ways, _) => ways.iter().fold(Begins::default(), |all, way| all.or(&self.begins[way.1])),
            Step::Field(field, _, next) => shape(&self.form.fields[*field]).then(&self.begins[*next]),
            Step::OneOfMany(id, _, next) => {
                let texts = self.isa.enums[id.index()].values.iter().map(|v| v.text.as_str());
                Begins::of_texts(texts).then(&self.begins[*next])
            }
        };
        self.steps.push(Rc::new(step));
        self.begins.push(begins);
        self.steps.len() - 1
    }

    /// The step that a field is made of.
    fn expand(&mut self, at: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let Step::Field(field, radix, next) = *self.steps[at] else { return Ok(at) };
        if let Some(made) = self.made.get(&at) {
            return Ok(*made);
        }
        let form = self.form;
        let made = self.field(&form.fields[field], radix, next, solver)?;
        self.made.insert(at, made);
        Ok(made)
    }

    fn text(&mut self, text: &str, next: usize) -> usize {
        if text.is_empty() { next } else { self.push(Step::Text(text.to_owned(), next)) }
    }

    /// The pieces, and then what is numbered `next`; the number of the first.
    fn chain(&mut self, pieces: &'f [Piece], mut next: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        for piece in pieces.iter().rev() {
            next = match piece {
                Piece::Literal(text) => self.text(text, next),
                Piece::Field { field, radix } => match self.form.names.iter().any(|n| n.field == *field) {
                    true => self.field(&self.form.fields[*field], *radix, next, solver)?,
                    false => self.push(Step::Field(*field, *radix, next)),
                },
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
                // It is printed by no word.
                Piece::OneOf(_) => self.push(Step::Choice(Vec::new(), 0)),
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
                if let Some(bits) = modulus(self.isa, field) {
                    // Modulo a power of two the sign of the number is nothing of its own.
                    let digits = Digits { radix, value, modulo: Some(bits), places };
                    let digits = self.push(Step::Digits(digits, next));
                    return Ok(self.text(if radix == Radix::Hex { "0x" } else { "" }, digits));
                }
                if let Radix::Float(_) = radix {
                    // As far as can be told here, numbers of other bits have other texts, and none is that of an integer.
                    let bits = self.number(value, places, Radix::Hex, next, solver)?;
                    return Ok(self.text("f", bits));
                }
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
                if e.values.len() > self.texts.many
                    && e.otherwise.is_none()
                    && !field.inverted
                    && begin_differently(e)
                    && e.values.iter().all(|v| v.like.is_none())
                {
                    return Ok(self.push(Step::OneOfMany(*id, places, next)));
                }
                // That one value prints as another does has been said.
                let named = e.values.iter().filter(|v| v.value <= ones(width) && v.like.is_none());
                let named = named.map(|v| (v.value, v.text.as_str()));
                let others = e.otherwise.as_ref();
                let before = others.map(|o| if o.is_hex { format!("{}0x", o.before) } else { o.before.clone() });
                let radix = if others.is_some_and(|o| o.is_hex) { Radix::Hex } else { Radix::Dec };
                let numbered = others.zip(before.as_deref()).map(|(o, before)| (before, o.after.as_str(), None));
                let taken = e.values.iter().filter(|v| v.value <= ones(width) && v.like.is_some()).map(|v| v.value).collect();
                self.named(field, named.collect(), (numbered.into_iter().collect(), radix, taken), next, solver)
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
                self.named(field, named, (numbered, Radix::Dec, Vec::new()), next, solver)
            }
        }
    }

    /// Each value that has a name, and numbers for the others (but for some): what stands before and after them, and the half that
    /// they are for; and their radix.
    fn named(
        &mut self,
        field: &Field,
        named: Vec<(Raw, &str)>,
        (numbered, radix, silent): (Vec<Numbered<'_>>, Radix, Vec<Raw>),
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
        for value in silent {
            taken.push(self.raw(field, if field.inverted { ones(width) - value } else { value }, solver)?);
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
            let digits = self.push(Step::Digits(Digits { radix, value, modulo: None, places: digits }, after));
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
                let digits = self.push(Step::Digits(Digits { radix, value, modulo: None, places: places.clone() }, next));
                let mark = if radix == Radix::Hex { format!("{sign}0x") } else { sign.to_owned() };
                let number = self.text(&mark, digits);
                choice.push((words, number));
            }
        }
        Ok(self.push(Step::Choice(choice, 0)))
    }
}

/// What stands before and after a number, and the half of a register that it is for.
type Numbered<'a> = (&'a str, &'a str, Option<bool>);

/// Which side has printed more than the other, and what.
type Ahead = (usize, String);

/// Bits of one side and of the other that are to be alike.
type Pairs = Vec<(u32, u32)>;

struct Comparison<'t, 'f> {
    order: &'t Order,
    sides: [Side<'t, 'f>; 2],
    solver: Solver<'t>,
    known: FxHashMap<([usize; 2], Ahead), Set>,
    /// A case was met that is not decided.
    is_undecided: bool,
    /// How many steps the one at hand is behind the first.
    depth: u32,
}

impl<'t, 'f> Comparison<'t, 'f> {
    fn new(order: &'t Order, texts: [&'t Texts<'f>; 2], forms: [&'f Form; 2], spelt: u32) -> Self {
        let sides = [0, 1].map(|side| Side::new(texts[side], forms[side], side as u32 * SECOND, spelt));
        Self { order, sides, solver: Solver::new(order), known: FxHashMap::default(), is_undecided: false, depth: 0 }
    }

    /// The pairs that have one text, with what `--full` adds to it.
    fn same_texts(&mut self) -> Result<Set, TooLarge> {
        let mut first = [0, 0];
        for (side, first) in self.sides.iter_mut().zip(&mut first) {
            let form = side.form;
            let mut next = 0;
            if !form.full.is_empty() {
                next = side.chain(&form.full, next, &mut self.solver)?;
                next = side.text(" ", next);
            }
            *first = side.chain(&form.text, next, &mut self.solver)?;
        }
        self.rest(first, (0, String::new()))
    }

    /// A pair of words of a set, if there is one.
    fn witness(&self, set: Set) -> Option<[Word; 2]> {
        let bits = self.solver.path(set)?.into_iter().filter(|(_, one)| *one);
        Some(bits.fold([Word::ZERO; 2], |mut words: [Word; 2], (bit, _)| {
            words[(bit / SECOND) as usize] |= Word::bit(bit % SECOND);
            words
        }))
    }

    /// The pairs of which the rest of one text is the rest of the other, after what one of them is ahead.
    fn rest(&mut self, at: [usize; 2], ahead: Ahead) -> Result<Set, TooLarge> {
        let begins = |side: usize| &self.sides[side].begins[at[side]];
        let can_go_on = match ahead.1.as_str() {
            "" => begins(0).meets(begins(1)),
            text => begins(1 - ahead.0).meets(&Begins::with(text)),
        };
        if !can_go_on {
            return Ok(Set::NONE);
        }
        let key = (at, ahead);
        if let Some(set) = self.known.get(&key) {
            return Ok(*set);
        }
        if self.known.len() >= MAX_STATES || self.depth >= MAX_DEPTH {
            return Err(TooLarge);
        }
        self.depth += 1;
        let set = self.compute(at, &key.1)?;
        self.depth -= 1;
        self.known.insert(key, set);
        Ok(set)
    }

    /// The pairs that have the same in the bits of each of these pairs of bits.
    fn equal_bits(&mut self, mut bits: Pairs) -> Result<Set, TooLarge> {
        // From the last one asked on: each step then adds to the top of the diagram.
        let order = self.order;
        bits.sort_by_key(|(a, b)| std::cmp::Reverse(order.level(*a).min(order.level(*b))));
        bits.into_iter().try_fold(Set::ALL, |set, (a, b)| {
            self.solver.attempt(|solver| {
                let (a, b) = (solver.bit(a)?, solver.bit(b)?);
                let differ = solver.differ(a, b)?;
                solver.minus(set, differ)
            })
        })
    }

    /// Where both sides print a field of one kind whose texts end in the same place: its bits, and the steps that follow.
    fn alike(&self, at: [usize; 2]) -> Option<(Pairs, [usize; 2])> {
        let [Step::Field(a, ra, na), Step::Field(b, rb, nb)] = [0, 1].map(|side| &*self.sides[side].steps[at[side]]) else {
            return None;
        };
        let [left, right] = &self.sides;
        let (a, b) = (&left.form.fields[*a], &right.form.fields[*b]);
        let shape = left.texts.shapes.of(a);
        let is_one = shape.is_one && ra == rb && print_alike((left.isa, a), (right.isa, b));
        let ends = |side: &Side<'_, '_>, next: usize| !shape.goes_on.meets(&side.begins[next]);
        if !is_one || !ends(left, *na) || !ends(right, *nb) {
            return None;
        }
        Some((left.places(a).into_iter().zip(right.places(b)).collect(), [*na, *nb]))
    }

    fn compute(&mut self, mut at: [usize; 2], ahead: &Ahead) -> Result<Set, TooLarge> {
        if ahead.1.is_empty()
            && let Some((bits, next)) = self.alike(at)
        {
            let rest = self.rest(next, (0, String::new()))?;
            if rest == Set::NONE {
                return Ok(rest);
            }
            let same = self.equal_bits(bits)?;
            return self.solver.attempt(|solver| solver.and(same, rest));
        }
        for (side, at) in at.iter_mut().enumerate() {
            // What is ahead has printed already.
            if ahead.1.is_empty() || side != ahead.0 {
                *at = self.sides[side].expand(*at, &mut self.solver)?;
            }
        }
        let step = |side: usize| self.sides[side].steps[at[side]].clone();
        let steps = [step(0), step(1)];
        // What is behind prints next; of two that are level, one that has something to choose.
        let is_choice = |side: usize| matches!(*steps[side], Step::Choice(..));
        let side = match ahead.1.is_empty() {
            true => usize::from(!is_choice(0) && (is_choice(1) || matches!(*steps[0], Step::End))),
            false => 1 - ahead.0,
        };
        let moved = |to: usize| if side == 0 { [to, at[1]] } else { [at[0], to] };
        let level = || (0, String::new());
        match &*steps[side] {
            // A field is made of other steps.
            Step::Field(..) => Ok(Set::NONE),
            Step::Choice(ways, sorted) => {
                let mut sets = Vec::new();
                let (texts, others) = ways.split_at(*sorted);
                let made: Vec<Rc<Step>> = texts.iter().map(|way| self.sides[side].steps[way.1].clone()).collect();
                // Of many texts only those that begin as the other side goes on, or are a beginning of that.
                let from = made.partition_point(|step| step.as_text() < ahead.1.as_str());
                let longer = (from..made.len()).take_while(|i| made[*i].as_text().starts_with(ahead.1.as_str()));
                let shorter = (1..ahead.1.len()).filter(|end| ahead.1.is_char_boundary(*end));
                let shorter = shorter.filter_map(|end| made.binary_search_by(|step| step.as_text().cmp(&ahead.1[..end])).ok());
                let texts = longer.chain(shorter).map(|i| &texts[i]);
                for (words, to) in texts.chain(others).copied() {
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
            Step::End => match (&*steps[1 - side], ahead.1.is_empty()) {
                (Step::End, true) => Ok(Set::ALL),
                _ => Ok(Set::NONE),
            },
            step @ (Step::Digits(..) | Step::Name(..)) if !ahead.1.is_empty() => {
                // The other side has printed characters here: some numbers and names begin like them.
                self.is_undecided |= can_begin(self.sides[side].isa, step, &ahead.1);
                Ok(Set::NONE)
            }
            Step::Digits(digits, next) => match &*steps[1 - side] {
                Step::Digits(others, other) => {
                    let to = if side == 0 { [*next, *other] } else { [*other, *next] };
                    if digits.radix != others.radix {
                        self.is_undecided = true;
                        return Ok(Set::NONE);
                    }
                    let (a, b) = (digits, others);
                    let bits = match (a.modulo, b.modulo) {
                        (None, None) => sets::VECTOR,
                        (Some(bits), Some(other)) if bits == other => bits,
                        _ => {
                            self.is_undecided = true;
                            return Ok(Set::NONE);
                        }
                    };
                    let same =
                        self.solver.attempt(|solver| sets::equal(solver, (a.value, &a.places), (b.value, &b.places), bits))?;
                    let rest = self.rest(to, level())?;
                    self.solver.attempt(|solver| solver.and(same, rest))
                }
                other => self.meet(side, at, other),
            },
            Step::Name(_, next) => match &*steps[1 - side] {
                Step::Name(_, other) => {
                    let to = if side == 0 { [*next, *other] } else { [*other, *next] };
                    self.rest(to, level())
                }
                other => self.meet(side, at, other),
            },
            Step::OneOfMany(id, places, next) => match &*steps[1 - side] {
                Step::OneOfMany(other_id, others, other) if id == other_id && ahead.1.is_empty() => {
                    let to = if side == 0 { [*next, *other] } else { [*other, *next] };
                    let rest = self.rest(to, level())?;
                    let same = self.equal_bits(places.iter().copied().zip(others.iter().copied()).collect())?;
                    self.solver.attempt(|solver| solver.and(same, rest))
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
