//! One of two texts as steps, each of which names the one that follows.

use super::Spelt;
use super::floats::{Float, all_of};
use super::texts::Texts;
use crate::shapes::Begins;
use crate::text_graph::{DECIMAL, HEX, Numbers, TextGraph, Token, Way, ascii};
use isa_model::model::{Field, Form, Piece, Raw, When, elses, ones};
use isa_model::print::print_value;
use isa_model::sets::{self, Set, Solver, TooLarge, WordSet};
use isa_runtime::value::{Bits, Code, Map, Origin, Other, Part, Role, Spelling, Step as CodeStep, Style};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A piece of a text, which names the one that follows.
pub(super) enum Step {
    End,
    Text(String, usize),
    /// Digits of a number that is not negative.
    Digits(Digits, usize),
    /// A floating-point number.
    Float(Float, usize),
    /// A name that a program gives.
    Name(Arc<Spelling>, usize),
    /// The text depends on the word. The number is that of the ways that begin with a text; these come first, sorted by it.
    Choice(Vec<(Set, usize)>, usize),
    /// A field that is not looked into, for what is the same on both sides.
    Field(usize, Arc<Spelling>, usize),
    /// One of very many texts, none of which begins like another.
    OneOfMany(Arc<Spelling>, Vec<u32>, usize),
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
    pub(super) style: Style,
    /// The way from the bits to the number, but for what is left of it.
    pub(super) code: Code,
    /// The number of bits that the number is reduced to, if it is.
    pub(super) modulo: Option<u32>,
    /// The origin of the number, if it is a target.
    pub(super) target: Option<Origin>,
    /// The bits of the pair that the field is.
    pub(super) places: Vec<u32>,
}

impl Digits {
    /// True if two numbers that are equal at one address are equal at all.
    pub(super) fn moves_with(&self, other: &Self) -> bool {
        let [Some(one), Some(other)] = [self.target, other.target] else { return true };
        one == other || (one.page, other.page) == (0, 0)
    }

    /// Words that have a number, and its digits: all such words, unless the number is a rest.
    pub(super) fn of(&self, number: u128, solver: &mut Solver<'_>) -> Result<(Set, String), TooLarge> {
        let text = match self.style {
            Style::Hex => format!("{number:x}"),
            Style::PaddedHex(digits) => format!("{number:0width$x}", width = usize::from(digits)),
            Style::Padded(digits) => format!("{number:0width$}", width = usize::from(digits)),
            Style::Dec | Style::Float(_) => number.to_string(),
        };
        let is_rest = |bits: u32| number <= ones(bits);
        if let Some(map) = self.code.map() {
            let bits = i128::try_from(number).ok().into_iter().flat_map(|number| map.bits(number));
            let words = bits.map(|bits| self.words(bits.into(), solver)).collect::<Result<_, _>>()?;
            return Ok((solver.attempt_any(words)?, text));
        }
        let raw = self.code.bits(number.into()).ok().filter(|_| self.modulo.is_none_or(is_rest));
        let Some(raw) = raw else { return Ok((Set::NONE, text)) };
        Ok((self.words(raw, solver)?, text))
    }

    /// The characters with which a number begins.
    pub(super) fn begins(&self) -> Begins {
        Begins::of_chars(ascii(self.characters()))
    }

    fn characters(&self) -> &'static str {
        if self.style.is_hex() { HEX } else { DECIMAL }
    }

    /// The number of digits with which a text begins.
    pub(super) fn longest(&self, text: &str) -> usize {
        text.chars().take_while(|c| self.characters().contains(*c)).count()
    }

    /// The words that print a text, of those that print digits; `None` if no number is printed so.
    pub(super) fn printed(&self, text: &str, solver: &mut Solver<'_>) -> Result<Option<Set>, TooLarge> {
        let base = if self.style.is_hex() { 16 } else { 10 };
        // No field prints a larger number.
        let Ok(number) = u128::from_str_radix(text, base) else { return Ok(None) };
        let (words, shown) = self.of(number, solver)?;
        Ok(Some(words).filter(|_| shown == text))
    }

    /// The words that have these bits.
    fn words(&self, raw: Raw, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        all_of(solver, self.places.iter().enumerate().map(|(i, place)| (*place, raw >> i & 1 == 1)))
    }
}

/// Makes the steps of one of the two texts.
pub(super) struct Side<'t, 'f> {
    pub(super) texts: &'t Texts<'f>,
    pub(super) form: &'f Form,
    pub(super) shift: u32,
    pub(super) spelt: Spelt,
    pub(super) steps: Vec<Rc<Step>>,
    /// The characters that each step, with the steps after it, can begin with.
    pub(super) begins: Vec<Begins>,
    /// The steps that fields are made of, by the step of the field.
    pub(super) made: FxHashMap<usize, usize>,
}

impl<'t, 'f> Side<'t, 'f> {
    pub(super) fn new(texts: &'t Texts<'f>, form: &'f Form, shift: u32, spelt: Spelt) -> Self {
        let (steps, begins) = (vec![Rc::new(Step::End)], vec![Begins::end()]);
        Self { texts, form, shift, spelt, steps, begins, made: FxHashMap::default() }
    }

    pub(super) fn push(&mut self, step: Step) -> usize {
        let shape = |field: &Field, spelling: &Arc<Spelling>| self.texts.shapes.of(field, spelling).begins;
        let begins = match &step {
            Step::End => Begins::end(),
            Step::Text(text, next) => Begins::with(text).then(&self.begins[*next]),
            Step::Digits(digits, _) => digits.begins(),
            Step::Float(float, _) => Begins::of_chars(Token::Float(float.style).begins()),
            Step::Name(spelling, _) => spelling.given().map_or_else(Begins::any, |names| Begins::of_chars(names.begins())),
            Step::Choice(ways, _) => ways.iter().fold(Begins::default(), |all, way| all.or(&self.begins[way.1])),
            Step::Field(field, spelling, next) => shape(&self.form.fields[*field], spelling).then(&self.begins[*next]),
            Step::OneOfMany(spelling, _, next) => {
                let texts = printed(&spelling.parts[0]).map(|(_, text)| text);
                Begins::of_texts(texts).then(&self.begins[*next])
            }
        };
        self.steps.push(Rc::new(step));
        self.begins.push(begins);
        self.steps.len() - 1
    }

    /// The step that a field is made of.
    pub(super) fn expand(&mut self, at: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let Step::Field(field, spelling, next) = &*self.steps[at].clone() else { return Ok(at) };
        if let Some(made) = self.made.get(&at) {
            return Ok(*made);
        }
        let form = self.form;
        let made = self.field(&form.fields[*field], spelling, *next, solver)?;
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
        // The pieces printed in place of the previous group.
        let mut instead: Option<usize> = None;
        let elses = elses(pieces);
        for (i, piece) in pieces.iter().enumerate().rev() {
            next = match piece {
                Piece::Literal(text) => self.text(text, next),
                Piece::Field { field, spelling } => match self.form.names.iter().any(|n| n.field == *field) {
                    true => self.field(&self.form.fields[*field], spelling, next, solver)?,
                    false => self.push(Step::Field(*field, spelling.clone(), next)),
                },
                Piece::Reading(reading) => self.field(&reading.field, &reading.field.spelling, next, solver)?,
                Piece::Group { when, body } => {
                    let inside = self.holds(when, solver)?;
                    let outside = solver.attempt(|solver| solver.not(inside))?;
                    let body = self.chain(body, next, solver)?;
                    if elses[i] {
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

    /// The steps of a field that is spelt so.
    pub(super) fn field(
        &mut self,
        field: &'f Field,
        spelling: &Arc<Spelling>,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let width = field.bits.width();
        let is_spelt = |most: u32| most > 0 && width <= most;
        if let Some(style) = spelling.style() {
            let is_listed = field.code.map().is_some() && matches!(style, Style::Float(_));
            if is_listed || is_spelt(self.spelt.numbers) {
                return self.spell(field, spelling, next, solver);
            }
        } else if field.code.map().is_some() {
            return self.spell(field, spelling, next, solver);
        }
        match spelling.parts.as_slice() {
            [part] if matches!(part.other, Some(Other::Given { .. })) => Ok(self.push(Step::Name(spelling.clone(), next))),
            [part] if part.other.is_some() && spelling.style().is_none() && is_spelt(self.spelt.named) => {
                self.spell(field, spelling, next, solver)
            }
            [part] if self.is_one_of_many(field, part) => {
                Ok(self.push(Step::OneOfMany(spelling.clone(), self.places(field), next)))
            }
            _ => {
                let graph = TextGraph::of(&field.code, spelling);
                // Digits of a part of a number, and of halves that depend on each other, are listed.
                let is_whole = |way: &Way<'_>| match way.of {
                    Numbers::One(_) => true,
                    Numbers::Half(_) => way.bits.is_none() && field.code.without_lowest().is_some(),
                    Numbers::Others | Numbers::Negative(_) => way.bits.is_none(),
                };
                if !graph.ways().all(is_whole) {
                    return self.spell(field, spelling, next, solver);
                }
                graph.parts.iter().rev().try_fold(next, |next, ways| self.part(field, ways, next, solver))
            }
        }
    }

    /// True if a part has very many texts, none of which begins like another.
    fn is_one_of_many(&self, field: &Field, part: &Part) -> bool {
        part.names.len() > self.texts.many
            && part.other.is_none()
            && field.code.is_plain()
            && part.names.iter().all(|name| name.role != Role::Print)
            && begin_differently(part)
    }

    /// The words in which some bits of the number of a field are these.
    fn with_bits(&self, field: &Field, of: Option<Bits>, number: Raw, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let Some(of) = of else {
            return field.bits_of(number).map_or(Ok(Set::NONE), |raw| self.raw(field, raw, solver));
        };
        let places = self.places(field);
        solver.attempt(|solver| {
            let bits = sets::bits(solver, &field.code, &places)?;
            let bits = bits.into_iter().skip(of.lo.into()).take(of.width.into()).enumerate();
            bits.into_iter().try_fold(
                Set::ALL,
                |set, (i, bit)| {
                    if number >> i & 1 == 1 { solver.and(set, bit) } else { solver.minus(set, bit) }
                },
            )
        })
    }

    /// The texts of a part: each number that has a text of its own, and digits for the others.
    fn part(&mut self, field: &Field, ways: &[Way<'_>], next: usize, solver: &mut Solver<'_>) -> Result<usize, TooLarge> {
        let mut texts: BTreeMap<&str, Vec<Set>> = BTreeMap::new();
        for way in ways {
            if let Numbers::One(name) = way.of {
                let set = self.with_bits(field, way.bits, name.number, solver)?;
                texts.entry(&name.text).or_default().push(set);
            }
        }
        let nothing = texts.remove("");
        let mut choice = Vec::new();
        for (text, sets) in texts {
            choice.push((solver.attempt_any(sets)?, self.text(text, next)));
        }
        let sorted = choice.len();
        if let Some(sets) = nothing {
            choice.push((solver.attempt_any(sets)?, next));
        }
        let taken = solver.attempt_any(choice.iter().map(|(words, _)| *words).collect())?;
        for way in ways.iter().filter(|way| !matches!(way.of, Numbers::One(_))) {
            let (code, places, words) = self.number(field, way.of, solver)?;
            let words = solver.attempt(|solver| solver.minus(words, taken))?;
            if words == Set::NONE {
                continue;
            }
            let is_shown = matches!(way.of, Numbers::Negative(_));
            let (modulo, target) = (field.code.modulo().filter(|_| is_shown), field.code.relative().filter(|_| is_shown));
            let first = way.tokens.iter().rev().fold(next, |next, token| match token {
                Token::Text(text) => self.text(text, next),
                Token::Digits(digits) => {
                    let (style, code, places) = (digits.style(), code.clone(), places.clone());
                    self.push(Step::Digits(Digits { style, code, modulo, target, places }, next))
                }
                Token::Float(style) => self.push(Step::Float(Float::new(*style, places.clone()), next)),
                // The names that programs give are steps of their own.
                Token::Name { .. } => next,
            });
            choice.push((words, first));
        }
        Ok(self.push(Step::Choice(choice, sorted)))
    }

    /// The way from the bits of a field to the digits of some numbers, these bits, and the words that have such a number.
    fn number(&self, field: &Field, of: Numbers<'_>, solver: &mut Solver<'_>) -> Result<(Code, Vec<u32>, Set), TooLarge> {
        let places = self.places(field);
        let Numbers::Negative(is_negative) = of else {
            let whole = Code::plain(field.code.width).then_all(field.code.value_steps().iter().copied());
            let (Numbers::Half(is_odd), Some(code)) = (of, field.code.without_lowest()) else {
                return Ok((whole, places, Set::ALL));
            };
            let words = solver.attempt(|solver| {
                let lowest = sets::bits(solver, &field.code, &places)?[0];
                if is_odd { Ok(lowest) } else { solver.not(lowest) }
            })?;
            return Ok((code, places[1..].to_vec(), words));
        };
        // Texts are compared at one address.
        let offset = CodeStep::Plus(field.code.relative().map_or(0, |origin| origin.at(0)));
        let code = field.code.value_code().then(offset);
        if field.code.modulo().is_some() {
            // Modulo a power of two the sign of the number is nothing of its own.
            return Ok((code, places, Set::ALL));
        }
        let negative = solver.attempt(|solver| sets::negative(solver, &code, &places))?;
        if !is_negative {
            return Ok((code, places, solver.attempt(|solver| solver.not(negative))?));
        }
        let opposite = match code.map() {
            Some(map) => {
                let numbers = map.numbers().iter().map(|(bits, number)| (*bits, -number));
                Code::mapped(code.width, Arc::new(Map::new(numbers, map.several())))
            }
            None => code.then(CodeStep::Times(-1)),
        };
        Ok((opposite, places, negative))
    }

    /// The text of each value.
    pub(super) fn spell(
        &mut self,
        field: &Field,
        spelling: &Spelling,
        next: usize,
        solver: &mut Solver<'_>,
    ) -> Result<usize, TooLarge> {
        let mut texts: BTreeMap<String, Vec<Raw>> = BTreeMap::new();
        // Values that print as another one were reported.
        let names = spelling.parts.iter().flat_map(|part| &part.names).filter(|name| name.role == Role::Print);
        let likes: Vec<Raw> = names.map(|name| name.number).collect();
        let is_printed =
            |raw: &Raw| field.code.value(*raw).is_some() && (likes.is_empty() || !likes.contains(&field.index(*raw)));
        for raw in (0..=ones(field.bits.width())).filter(is_printed) {
            let mut text = String::new();
            print_value(&field.code, spelling, raw, 0, &mut text);
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
}

/// The texts of a part that are printed, with their numbers.
fn printed(part: &Part) -> impl Iterator<Item = (Raw, &str)> {
    let names = part.names.iter().filter(|name| name.role != Role::Read);
    names.map(|name| (name.number, name.text.as_str()))
}

/// True if texts of a part differ before one of them ends.
fn begin_differently(part: &Part) -> bool {
    let mut texts: Vec<&str> = printed(part).map(|(_, text)| text).collect();
    texts.sort_unstable();
    // A text comes directly after those that it begins with.
    texts.windows(2).all(|pair| !pair[1].starts_with(pair[0]))
}

pub(super) fn import(solver: &mut Solver<'_>, words: &WordSet, shift: u32) -> Result<Set, TooLarge> {
    solver.attempt(|solver| solver.import_shifted(words, shift))
}
