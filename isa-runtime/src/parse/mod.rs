//! Text to word: a matcher that runs the templates that also print.
//!
//! A template is a relation between words and texts. The matcher walks it along the text and collects what the text says of
//! the word: the bits that it determines. Where a template leaves a choice (a group that may be missing, names of which one
//! begins like another) it tries the possibilities in order; what is left open at the end takes its default.
//!
//! Groups that are there *exactly when* a condition holds can speak of bits that the text determines later, or never. So each
//! leaves a promise behind, and promises are settled when the text is at its end: by the defaults if they happen to do, and
//! otherwise by the nearest values of bits that the text leaves open. The rules of the form are promises, too.
//!
//! There is no allocation: what is still to be matched, and what has been promised, are lists on the call stack.

mod candidates;
mod scan;

use crate::error::{DecodeError, END, ParseError, Reason};
use crate::form::{Field, FormInfo, Kind, Tables};
use crate::set::{Cube, Set};
use crate::word;
pub use candidates::{Counts, Limits, initials, lanes};
use scan::Scanner;

/// A piece of a template.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// The characters that the form has before its operands, [`FormInfo::head`]: like instructions share the rest.
    Head,
    /// These characters.
    Text(&'static str),
    /// A field, by its place in [`Tables::fields`].
    Field(u16),
    /// A group that is printed when a field in it is not at its default.
    Differs(&'static Differs),
    /// A group that is printed exactly when the word is in a set, by its place in [`Tables::sets`].
    Holds(u16, &'static [Op]),
}

/// A group that is printed when a field in it is not at its default.
#[derive(Debug)]
pub struct Differs {
    /// The bits of its fields.
    pub mask: u128,
    /// Their defaults.
    pub default: u128,
    /// What it prints.
    pub body: &'static [Op],
}

/// What a text was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The word.
    pub word: u128,
    /// Its form.
    pub form: u16,
}

/// What the generated decoder says of a word of some length: its form.
pub type Identify = fn(word: u128, length: u32) -> Result<u16, DecodeError>;

impl Tables {
    /// The word that the text stands for, at an address.
    ///
    /// Forms are tried in declared order. A text that a form prints is found before one that it only reads: a group with
    /// nothing but defaults in it, for one, is never printed.
    ///
    /// # Errors
    /// The place up to which the text made sense, and what could have gone on there.
    pub fn parse(&'static self, text: &str, address: u64, identify: Identify) -> Result<Parsed, ParseError> {
        let scanner = Scanner::new(text.as_bytes());
        let counts = self.counts(scanner);
        let candidates = self.candidates(scanner);
        for strict in [true, false] {
            for form in candidates.clone() {
                if self.may_be(form, counts) {
                    let info = self.info(form);
                    let mut matcher = Matcher { tables: self, form, info, scanner, address, strict, identify, blame: None };
                    if let Some(parsed) = matcher.start() {
                        return Ok(parsed);
                    }
                }
            }
        }
        Err(self.blame(scanner, address, identify))
    }

    fn info(&'static self, form: u16) -> &'static FormInfo {
        &self.forms[usize::from(form)]
    }

    /// Finds out what is wrong with a text that no form reads, by trying once more and taking notes.
    #[cold]
    fn blame(&'static self, scanner: Scanner<'_>, address: u64, identify: Identify) -> ParseError {
        let mut error = ParseError::new(self);
        let mut run = |form| {
            let (info, blame) = (self.info(form), Some(&mut error));
            let mut matcher = Matcher { tables: self, form, info, scanner, address, strict: false, identify, blame };
            matcher.start();
        };
        // Without a mnemonic that is known, any form may be the one that gets farthest.
        if self.candidates(scanner).next().is_some() {
            self.candidates(scanner).for_each(&mut run);
        } else {
            (0..self.forms.len() as u16).for_each(&mut run);
        }
        error
    }
}

/// What the text has said of the word so far.
#[derive(Clone, Copy)]
struct State<'s> {
    /// How far the text is read.
    at: usize,
    /// The word; bits that are not known are zero.
    word: u128,
    /// The bits that are known.
    known: u128,
    /// What has been promised about the whole word.
    promised: Option<&'s Promise<'s>>,
    /// Whether the text proper is over and what `--full` adds has begun.
    added: bool,
}

const START: State<'_> = State { at: 0, word: 0, known: 0, promised: None, added: false };

impl State<'_> {
    /// Adds bits; `false` if they contradict what is known.
    fn learn(&mut self, cube: Cube) -> bool {
        if !cube.meets(self.word, self.known) {
            return false;
        }
        self.word |= cube.value;
        self.known |= cube.mask;
        true
    }
}

/// Something that must be so when the text is at its end.
struct Promise<'s> {
    what: What,
    before: Option<&'s Promise<'s>>,
}

#[derive(Clone, Copy)]
enum What {
    /// The word is in the set, or outside it.
    Inside(&'static Set, bool),
    /// One of the fields of the group is not at its default.
    Differs(&'static Differs),
}

/// What must be mended in a word.
enum Broken {
    /// It must be in one of these cubes.
    Outside(&'static [Cube]),
    /// There is no way.
    Hopeless,
}

/// What is to be matched after a group.
struct Then<'s> {
    ops: &'static [Op],
    then: Option<&'s Then<'s>>,
}

/// Matches one form.
struct Matcher<'m> {
    tables: &'static Tables,
    form: u16,
    info: &'static FormInfo,
    scanner: Scanner<'m>,
    address: u64,
    /// Groups that are printed when something differs must then differ.
    strict: bool,
    identify: Identify,
    /// Takes the notes when the text is known to be wrong.
    blame: Option<&'m mut ParseError>,
}

impl Matcher<'_> {
    fn start(&mut self) -> Option<Parsed> {
        self.run(self.info.text, None, State { word: self.info.value, known: self.info.mask, ..START })
    }

    fn run(&mut self, mut ops: &'static [Op], mut then: Option<&Then<'_>>, mut state: State<'_>) -> Option<Parsed> {
        loop {
            let Some((op, rest)) = ops.split_first() else {
                match then {
                    Some(next) => (ops, then) = (next.ops, next.then),
                    None => return self.end(state),
                }
                continue;
            };
            ops = rest;
            let op = if let Op::Head = op { &self.info.head } else { op };
            match *op {
                // The head is no head itself.
                Op::Head => {}
                Op::Text(text) => match self.scanner.text(state.at, text) {
                    Ok(at) => state.at = at,
                    Err(at) => return self.fail(at, op),
                },
                Op::Field(i) => match self.field(op, i, rest, then, &mut state) {
                    Step::On => {}
                    Step::Done(parsed) => return parsed,
                },
                // The text doesn't go on as the group begins.
                Op::Differs(group) if self.blame.is_none() && self.is_missing(group.body, state.at) => {
                    if !state.learn(Cube { mask: group.mask, value: group.default }) {
                        return None;
                    }
                }
                Op::Differs(group) => {
                    let promise = Promise { what: What::Differs(group), before: state.promised };
                    let promised = if self.strict { Some(&promise) } else { state.promised };
                    let found = self.run(group.body, Some(&Then { ops: rest, then }), State { promised, ..state });
                    if found.is_some() || !state.learn(Cube { mask: group.mask, value: group.default }) {
                        return found;
                    }
                }
                Op::Holds(set, body) => {
                    let set = &self.tables.sets[usize::from(set)];
                    let [yes, no] = [true, false].map(|inside| set.may_be(inside, state.word, state.known));
                    let missing = self.blame.is_none() && self.is_missing(body, state.at);
                    if yes && missing {
                        if !no {
                            return None;
                        }
                        let promise = Promise { what: What::Inside(set, false), before: state.promised };
                        return self.run(rest, then, State { promised: Some(&promise), ..state });
                    }
                    if yes {
                        // What is certain already needs no promise.
                        let promise = Promise { what: What::Inside(set, true), before: state.promised };
                        let promised = if no { Some(&promise) } else { state.promised };
                        let found = self.run(body, Some(&Then { ops: rest, then }), State { promised, ..state });
                        if found.is_some() || !no {
                            return found;
                        }
                        let promise = Promise { what: What::Inside(set, false), before: state.promised };
                        return self.run(rest, then, State { promised: Some(&promise), ..state });
                    }
                }
            }
        }
    }

    /// Whether the text certainly doesn't go on like this.
    #[inline(always)]
    fn is_missing(&self, body: &'static [Op], at: usize) -> bool {
        match body.first() {
            Some(Op::Text(text)) => self.scanner.text(at, text).is_err(),
            _ => false,
        }
    }

    /// Reads a field. If there are several ways to, goes on with each in turn.
    fn field(
        &mut self,
        op: &'static Op,
        index: u16,
        rest: &'static [Op],
        then: Option<&Then<'_>>,
        state: &mut State<'_>,
    ) -> Step {
        let field = &self.tables.fields[usize::from(index)];
        let from = self.scanner.token(state.at);
        let read = match field.kind {
            Kind::Register(file) => {
                let named = self.scanner.special(from, file);
                let numbered = self.scanner.register(from, file);
                // Both can only be read of files in which one name begins like another; the longer one goes first.
                if let (Some(a), Some(b)) = (named, numbered) {
                    let (first, second) = if b.1 > a.1 { (b, a) } else { (a, b) };
                    let found = self.take(field, first, rest, then, *state);
                    if found.is_some() {
                        return Step::Done(found);
                    }
                    Some(second)
                } else {
                    named.or(numbered)
                }
            }
            Kind::Letters(letters) => self.scanner.letters(from, letters),
            Kind::Int { shape, target } => self.scanner.number(from).and_then(|((negative, magnitude), at)| {
                // The widest fields have numbers beyond i128.
                let plain = shape.is_plain() && target.is_none() && !negative;
                if let Some(raw) = magnitude.filter(|m| plain && *m <= word::wide_ones(shape.bits)) {
                    return Some((raw, at));
                }
                let fits = magnitude.and_then(|m| i128::try_from(m).ok());
                // 128 bits without a sign take any `i128` as their bits, but no text has a sign for that.
                let fits = fits.filter(|n| !(negative && *n > 0 && shape.is_plain() && target.is_none()));
                let number = fits.unwrap_or(i128::MAX);
                let origin = target.map_or(0, |offset| (self.address as i64).wrapping_add(offset));
                let value = (if negative { -number } else { number }).saturating_sub(origin.into());
                match shape.raw(value) {
                    Ok(raw) if fits.is_some() => Some((raw, at)),
                    _ => {
                        let number = [value as u64, (value >> 64) as u64];
                        self.because(from, Reason::Range { field: index, number, origin });
                        None
                    }
                }
            }),
            Kind::Flag(text) => {
                if let Some(at) = self.scanner.starts(from, text).filter(|_| !text.is_empty()) {
                    let found = self.take(field, (1, at), rest, then, *state);
                    if found.is_some() {
                        return Step::Done(found);
                    }
                }
                self.expect(from, op);
                Some((0, from))
            }
            Kind::Enum(names) => {
                let mut numbered = self.scanner.numbered(from, names);
                for &(text, value) in names.texts {
                    let Some(at) = self.scanner.starts(from, text) else { continue };
                    if let Some(longer) = numbered.take_if(|n| n.1 > at) {
                        let found = self.take(field, longer, rest, then, *state);
                        if found.is_some() {
                            return Step::Done(found);
                        }
                    }
                    let found = self.take(field, (value.into(), at), rest, then, *state);
                    if found.is_some() {
                        return Step::Done(found);
                    }
                }
                self.expect(from, op);
                numbered
            }
        };
        let Some((raw, at)) = read else {
            return Step::Done(self.fail(from, op));
        };
        match cube(field, raw) {
            Some(cube) if state.learn(cube) => {
                state.at = at;
                Step::On
            }
            _ => Step::Done(self.fail(from, op)),
        }
    }

    /// Goes on with one way to read a field: the value's bits and where it ends.
    fn take(
        &mut self,
        field: &'static Field,
        (raw, at): (u128, usize),
        rest: &'static [Op],
        then: Option<&Then<'_>>,
        mut state: State<'_>,
    ) -> Option<Parsed> {
        if !state.learn(cube(field, raw)?) {
            return None;
        }
        self.run(rest, then, State { at, ..state })
    }

    /// The template is at its end.
    fn end(&mut self, state: State<'_>) -> Option<Parsed> {
        let at = self.scanner.blanks(state.at);
        if self.scanner.is_end(at) {
            return self.settle(state, 0);
        }
        // What `--full` adds may follow.
        if !state.added && !self.info.full.is_empty() {
            let at = self.scanner.text(state.at, " ").unwrap_or(at);
            return self.run(self.info.full, None, State { at, added: true, ..state });
        }
        self.fail(at, &END)
    }

    /// Fills what is open so that all promises are kept: with defaults, and where they don't do with the nearest values.
    fn settle(&mut self, state: State<'_>, depth: u32) -> Option<Parsed> {
        let word = state.word | self.info.default & !state.known;
        // A legal word of the form keeps its rules, so that only what the text promised remains to be seen.
        if first_broken(word, state.promised).is_none() {
            let found = self.accept(word, state.at);
            if found.is_some() {
                return found;
            }
        }
        let ways = match self.broken(word, state.promised) {
            Some(Broken::Outside(ways)) if depth <= MAX_MENDED => ways,
            // Nothing is broken, and yet it is no word of this form; or there is no way to mend it.
            _ => return None,
        };
        let open = || ways.iter().filter(|c| c.meets(state.word, state.known));
        let distance = |cube: &Cube| ((word ^ cube.value) & cube.mask).count_ones();
        if self.blame.is_some() && open().next().is_none() {
            // No value of what is open helps, so the text itself is at fault.
            if let Err(e) = (self.identify)(word, self.info.length.into()) {
                self.because(state.at, Reason::Word(e));
            }
        }
        let mut next = open().map(distance).min();
        while let Some(least) = next {
            for cube in open().filter(|c| distance(c) == least) {
                let (word, known) = (state.word | cube.value, state.known | cube.mask);
                let found = self.settle(State { word, known, ..state }, depth + 1);
                if found.is_some() {
                    return found;
                }
            }
            next = open().map(distance).filter(|d| *d > least).min();
        }
        None
    }

    /// The first thing that must be so and isn't: that the word belongs to the form, its rules, what has been promised.
    fn broken(&self, word: u128, promised: Option<&Promise<'_>>) -> Option<Broken> {
        let misses = |cubes: &[Cube]| !cubes.iter().any(|c| c.contains(word));
        if !self.info.words.is_empty() && misses(self.info.words) {
            return Some(Broken::Outside(self.info.words));
        }
        if let Some(rule) = self.info.rules.iter().find(|r| misses(r.holds)) {
            return Some(Broken::Outside(rule.holds));
        }
        first_broken(word, promised)
    }

    fn accept(&mut self, word: u128, at: usize) -> Option<Parsed> {
        match (self.identify)(word, self.info.length.into()) {
            // A word of a form inside this one prints as something else.
            Ok(form) => (form == self.form).then_some(Parsed { word, form }),
            Err(e) => {
                self.because(at, Reason::Word(e));
                None
            }
        }
    }

    #[inline(always)]
    fn fail(&mut self, at: usize, expected: &'static Op) -> Option<Parsed> {
        self.expect(at, expected);
        None
    }

    /// Notes what could have stood at a place.
    #[inline(always)]
    fn expect(&mut self, at: usize, expected: &'static Op) {
        if let Some(error) = &mut self.blame {
            error.expect(at, expected);
        }
    }

    /// Notes a reason that says more.
    #[inline(always)]
    fn because(&mut self, at: usize, reason: Reason) {
        if let Some(error) = &mut self.blame {
            error.because(at, reason);
        }
    }
}

/// How many promises may be mended one after the other.
const MAX_MENDED: u32 = 8;

/// The oldest promise that the word breaks.
fn first_broken(word: u128, promised: Option<&Promise<'_>>) -> Option<Broken> {
    let promise = promised?;
    first_broken(word, promise.before).or_else(|| match promise.what {
        What::Inside(set, inside) => (set.contains(word) != inside).then(|| Broken::Outside(set.side(inside))),
        What::Differs(group) => ((word ^ group.default) & group.mask == 0).then_some(Broken::Hopeless),
    })
}

/// How reading a field went.
enum Step {
    /// There was one way; the state has it.
    On,
    /// All ways have been tried to the end.
    Done(Option<Parsed>),
}

/// The words in which a field has a value; none if the value is wider than the field.
fn cube(field: &Field, raw: u128) -> Option<Cube> {
    (raw <= word::wide_ones(word::width(field.bits))).then(|| Cube { mask: word::mask(field.bits), value: field.place(raw) })
}
