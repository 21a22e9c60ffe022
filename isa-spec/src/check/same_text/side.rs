//! One of two texts as steps, each of which names the one that follows.

use super::Spelt;
use super::floats::{Float, all_of};
use super::texts::Texts;
use crate::check::shapes::Begins;
use crate::model::{Enum, EnumId, Field, Form, Isa, Kind, Piece, Radix, Raw, RegisterId, When, ones};
use crate::sets::{self, Set, Solver, TooLarge, WordSet};
use crate::value_text::print_value;
use isa_runtime::value::{Code, Step as CodeStep};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A piece of a text, which names the one that follows.
pub(super) enum Step {
    End,
    Text(String, usize),
    /// Digits of a number that is not negative.
    Digits(Digits, usize),
    /// A floating-point number.
    Float(Float, usize),
    /// A name that a program gives.
    Name(RegisterId, usize),
    /// What is printed depends on the word. So many of the ways, which stand first, begin with a text, and are sorted by it.
    Choice(Vec<(Set, usize)>, usize),
    /// A field that is not looked into, for what is the same on both sides.
    Field(usize, Option<Radix>, usize),
    /// A value of an enumeration of very many, none of whose texts begins like another.
    OneOfMany(EnumId, Vec<u32>, usize),
}

impl Step {
    pub(super) fn as_text(&self) -> &str {
        match self {
            Self::Text(text, _) => text,
            _ => "",
        }
    }
}

pub(super) struct Digits {
    pub(super) radix: Radix,
    /// The way from the bits to the number, but for what is left of it.
    pub(super) code: Code,
    /// The number is what is left modulo so many bits.
    pub(super) modulo: Option<u32>,
    /// The bits of the pair that the field is.
    pub(super) places: Vec<u32>,
}

impl Digits {
    /// Words that have a number, and its digits: all such words, unless the number is a rest.
    pub(super) fn of(&self, number: u128, solver: &mut Solver<'_>) -> Result<(Set, String), TooLarge> {
        let text = match self.radix {
            Radix::Hex => format!("{number:x}"),
            Radix::Padded(digits) => format!("{number:0width$}", width = usize::from(digits)),
            Radix::Dec | Radix::Float(_) => number.to_string(),
        };
        let is_rest = |bits: u32| number <= ones(bits);
        let raw = self.code.bits(number.into()).ok().filter(|_| self.modulo.is_none_or(is_rest));
        let Some(raw) = raw else { return Ok((Set::NONE, text)) };
        let set = all_of(solver, self.places.iter().enumerate().map(|(i, place)| (*place, raw >> i & 1 == 1)))?;
        Ok((set, text))
    }
}

/// Makes the steps of one of the two texts.
pub(super) struct Side<'t, 'f> {
    pub(super) texts: &'t Texts<'f>,
    pub(super) isa: &'f Isa,
    pub(super) form: &'f Form,
    pub(super) shift: u32,
    pub(super) spelt: Spelt,
    pub(super) steps: Vec<Rc<Step>>,
    /// What each step, and what follows it, begins with.
    pub(super) begins: Vec<Begins>,
    /// The steps that fields are made of, by the step of the field.
    pub(super) made: FxHashMap<usize, usize>,
}

/// What stands before and after a number, and the half of a register that it is for.
pub(super) type Numbered<'a> = (&'a str, &'a str, Option<bool>);

impl<'t, 'f> Side<'t, 'f> {
    pub(super) fn new(texts: &'t Texts<'f>, form: &'f Form, shift: u32, spelt: Spelt) -> Self {
        let (steps, begins) = (vec![Rc::new(Step::End)], vec![Begins::end()]);
        Self { texts, isa: texts.isa, form, shift, spelt, steps, begins, made: FxHashMap::default() }
    }

    pub(super) fn push(&mut self, step: Step) -> usize {
        let shape = |field: &Field| self.texts.shapes.of(field).begins;
        let begins = match &step {
            Step::End => Begins::end(),
            Step::Text(text, next) => Begins::with(text).then(&self.begins[*next]),
            Step::Digits(digits, _) => Begins::digits(digits.radix == Radix::Hex),
            Step::Float(..) => Begins::float(),
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
    pub(super) fn expand(&mut self, at: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let Step::Field(field, radix, next) = *self.steps[at] else { return Ok(at) };
        if let Some(made) = self.made.get(&at) {
            return Ok(*made);
        }
        let form = self.form;
        let made = self.field(&form.fields[field], radix, next, solver)?;
        self.made.insert(at, made);
        Ok(made)
    }

    pub(super) fn text(&mut self, text: &str, next: usize) -> usize {
        if text.is_empty() { next } else { self.push(Step::Text(text.to_owned(), next)) }
    }

    /// The text with what `--full` adds to it; the number of the first step.
    pub(super) fn whole(&mut self, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let form = self.form;
        let mut next = 0;
        if !form.full.is_empty() {
            next = self.chain(&form.full, next, solver)?;
            next = self.text(" ", next);
        }
        self.chain(&form.text, next, solver)
    }

    /// The pieces, and then what is numbered `next`; the number of the first.
    pub(super) fn chain(&mut self, pieces: &'f [Piece], mut next: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        // What is there instead of the group before.
        let mut instead: Option<usize> = None;
        for (i, piece) in pieces.iter().enumerate().rev() {
            next = match piece {
                Piece::Literal(text) => self.text(text, next),
                Piece::Field { field, radix } => match self.form.names.iter().any(|n| n.field == *field) {
                    true => self.field(&self.form.fields[*field], *radix, next, solver)?,
                    false => self.push(Step::Field(*field, *radix, next)),
                },
                Piece::Fixed(field) => self.field(field, None, next, solver)?,
                Piece::Group { when, body } => {
                    let inside = self.holds(when, solver)?;
                    let outside = solver.attempt(|solver| solver.not(inside))?;
                    let body = self.chain(body, next, solver)?;
                    if i > 0 && piece.is_else_of(&pieces[i - 1]) {
                        instead = Some(body);
                        continue;
                    }
                    let outside = (outside, instead.take().unwrap_or(next));
                    self.push(Step::Choice(vec![(inside, body), outside], 0))
                }
                Piece::OneOf(list) => {
                    let form = self.form;
                    let texts = form.bodies[*list].iter();
                    let ways = texts.map(|text| Ok((Set::ALL, self.chain(text, next, solver)?))).collect::<Result<_, _>>()?;
                    self.push(Step::Choice(ways, 0))
                }
            };
        }
        Ok(next)
    }

    /// The words that print a group.
    pub(super) fn holds(&self, when: &When, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        match when {
            When::Holds(condition) => import(solver, &condition.words, self.shift),
            When::Differs(fields) => {
                let fields = fields.iter().map(|i| &self.form.fields[*i]);
                let default = fields.map(|f| self.raw(f, f.default, solver)).collect::<Result<Vec<_>, _>>()?;
                let default = default.into_iter().try_fold(Set::ALL, |all, one| solver.attempt(|s| s.and(all, one)))?;
                solver.attempt(|solver| solver.not(default))
            }
        }
    }

    pub(super) fn places(&self, field: &Field) -> Vec<u32> {
        field.bits.places().into_iter().map(|bit| bit + self.shift).collect()
    }

    /// The words in which a field has these bits.
    pub(super) fn raw(&self, field: &Field, raw: Raw, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let bits = self.places(field).into_iter().enumerate().map(|(i, place)| (place, raw >> i & 1 == 1));
        all_of(solver, bits.rev())
    }

    pub(super) fn field(
        &mut self,
        field: &'f Field,
        radix: Option<Radix>,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let width = field.bits.width();
        let places = self.places(field);
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
                    let (set, clear) = if field.code.is_inverted() { (clear, set) } else { (set, clear) };
                    let (letter, dash) = (self.text(&letter.to_string(), next), self.text("-", next));
                    next = self.push(Step::Choice(vec![(set, letter), (clear, dash)], 0));
                }
                Ok(next)
            }
            Kind::Number(_) if self.spelt.numbers > 0 && width <= self.spelt.numbers => self.spell(field, radix, next, solver),
            Kind::Register(_) if width <= self.spelt.named => self.spell(field, radix, next, solver),
            Kind::Enum(id) if width <= self.spelt.named && self.isa.enums[id.index()].otherwise.is_some() => {
                self.spell(field, radix, next, solver)
            }
            Kind::Number(own) => {
                let radix = radix.or(*own).unwrap_or(self.isa.numbers);
                // Texts are compared at one address.
                let offset = CodeStep::Plus(field.code.relative().unwrap_or(0));
                let code = Code::plain(width).then_all(field.code.value_steps()).then(offset);
                if let Some(bits) = field.code.modulo() {
                    // Modulo a power of two the sign of the number is nothing of its own.
                    let digits = Digits { radix, code, modulo: Some(bits), places };
                    let digits = self.push(Step::Digits(digits, next));
                    return Ok(self.text(if radix == Radix::Hex { "0x" } else { "" }, digits));
                }
                if let Radix::Float(format) = radix {
                    return Ok(self.push(Step::Float(Float::new(format, places), next)));
                }
                self.number(code, places, radix, next, solver)
            }
            Kind::Flag(text) => {
                let [set, clear] = [1, 0].map(|index| field.bits_of(index));
                let set = set.map_or(Ok(Set::NONE), |raw| self.raw(field, raw, solver))?;
                let clear = clear.map_or(Ok(Set::NONE), |raw| self.raw(field, raw, solver))?;
                let text = self.text(text, next);
                Ok(self.push(Step::Choice(vec![(set, text), (clear, next)], 0)))
            }
            Kind::Enum(id) => {
                let e = &self.isa.enums[id.index()];
                if e.values.len() > self.texts.many
                    && e.otherwise.is_none()
                    && field.code.is_plain()
                    && begin_differently(e)
                    && e.values.iter().all(|v| v.like.is_none())
                {
                    return Ok(self.push(Step::OneOfMany(*id, places, next)));
                }
                let named = e.values.iter().filter(|v| v.value <= ones(width)).map(|v| (v.value, v.text.as_str()));
                let others = e.otherwise.as_ref();
                let before = others.map(|o| if o.is_hex { format!("{}0x", o.before) } else { o.before.clone() });
                let radix = if others.is_some_and(|o| o.is_hex) { Radix::Hex } else { Radix::Dec };
                let numbered = others.zip(before.as_deref()).map(|(o, before)| (before, o.after.as_str(), None));
                self.named(field, named.collect(), (numbered.into_iter().collect(), radix), next, solver)
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
                self.named(field, named, (numbered, Radix::Dec), next, solver)
            }
        }
    }

    /// Each value that has a name, and numbers for the others: what stands before and after them, and the half that they are for; and
    /// their radix.
    pub(super) fn named(
        &mut self,
        field: &Field,
        named: Vec<(Raw, &str)>,
        (numbered, radix): (Vec<Numbered<'_>>, Radix),
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let (width, places) = (field.bits.width(), self.places(field));
        let mut texts: BTreeMap<&str, Vec<Set>> = BTreeMap::new();
        for (value, text) in named {
            let set = field.bits_of(value).map_or(Ok(Set::NONE), |raw| self.raw(field, raw, solver))?;
            texts.entry(text).or_default().push(set);
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
            let code = |width| Code::plain(width).then_all(field.code.value_steps());
            let (code, digits, words) = match half {
                None => (code(width), places.clone(), rest),
                Some(is_high) => {
                    let words = solver.attempt(|solver| {
                        let bit = solver.bit(places[0])?;
                        if is_high != field.code.is_inverted() { solver.and(rest, bit) } else { solver.minus(rest, bit) }
                    })?;
                    (code(width - 1), places[1..].to_vec(), words)
                }
            };
            let digits = self.push(Step::Digits(Digits { radix, code, modulo: None, places: digits }, after));
            let number = self.text(before, digits);
            choice.push((words, number));
        }
        Ok(self.push(Step::Choice(choice, sorted)))
    }

    /// Each value of a number, a register file or an enumeration.
    pub(super) fn spell(
        &mut self,
        field: &Field,
        radix: Option<Radix>,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let mut texts: BTreeMap<String, Vec<Raw>> = BTreeMap::new();
        // That one value prints as another does has been said.
        let is_like = |raw: Raw| match field.kind {
            Kind::Enum(id) => self.isa.enums[id.index()].values.iter().any(|v| v.value == field.index(raw) && v.like.is_some()),
            _ => false,
        };
        for raw in (0..=ones(field.bits.width())).filter(|raw| !is_like(*raw)) {
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
    pub(super) fn number(
        &mut self,
        code: Code,
        places: Vec<u32>,
        radix: Radix,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let negative = solver.attempt(|solver| sets::negative(solver, &code, &places))?;
        let positive = solver.attempt(|solver| solver.not(negative))?;
        let opposite = code.clone().then(CodeStep::Times(-1));
        let mut choice = Vec::new();
        for (words, sign, code) in [(positive, "", code), (negative, "-", opposite)] {
            if words != Set::NONE {
                let digits = self.push(Step::Digits(Digits { radix, code, modulo: None, places: places.clone() }, next));
                let mark = if radix == Radix::Hex { format!("{sign}0x") } else { sign.to_owned() };
                let number = self.text(&mark, digits);
                choice.push((words, number));
            }
        }
        Ok(self.push(Step::Choice(choice, 0)))
    }
}

/// Whether texts of the enumeration differ before one of them ends.
fn begin_differently(e: &Enum) -> bool {
    let mut texts: Vec<&str> = e.values.iter().map(|v| v.text.as_str()).collect();
    texts.sort_unstable();
    // What begins like another stands behind it.
    texts.windows(2).all(|pair| !pair[1].starts_with(pair[0]))
}

pub(super) fn import(solver: &mut Solver<'_>, words: &WordSet, shift: u32) -> Result<Set, TooLarge> {
    solver.attempt(|solver| solver.import_shifted(words, shift))
}
