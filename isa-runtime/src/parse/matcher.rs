//! One form's template against a text, with backtracking.

use super::scan::{Literal, Scanner};
use super::{Differs, Identify, Op, Parsed};
use crate::error::{END, ParseError, Reason};
use crate::form::{Field, FormInfo, Kind, Names, Tables};
use crate::names::NameAt;
use crate::number::Shape;
use crate::set::{Cube, Set};
use crate::word;

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
pub(super) struct Matcher<'m> {
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
    /// Where names stand, by their places.
    names: &'m mut [NameAt],
    /// Only the beginning of the text is of interest: where the longest that was found ends, and where the last characters of
    /// the template are in it.
    beginning: Option<Option<(usize, usize)>>,
    /// Where the last characters of the template were found.
    text_at: usize,
    /// How many steps have been taken.
    steps: u32,
    found: Option<Parsed>,
}

impl<'m> Matcher<'m> {
    pub(super) fn new(
        tables: &'static Tables,
        form: u16,
        scanner: Scanner<'m>,
        address: u64,
        strict: bool,
        identify: Identify,
    ) -> Self {
        let info = &tables.forms[usize::from(form)];
        let (names, beginning, text_at) = (&mut [][..], None, 0);
        Self {
            tables,
            form,
            info,
            scanner,
            address,
            strict,
            identify,
            blame: None,
            names,
            beginning,
            text_at,
            steps: 0,
            found: None,
        }
    }

    /// Says where names stand.
    pub(super) fn naming(mut self, names: &'m mut [NameAt]) -> Self {
        names.fill(NameAt::default());
        self.names = names;
        self
    }

    /// Takes notes of what fails.
    pub(super) fn blaming(mut self, error: &'m mut ParseError) -> Self {
        self.blame = Some(error);
        self
    }

    /// Matches the text of the form.
    pub(super) fn start(&mut self) -> Option<Parsed> {
        self.start_with(self.info.text)
    }

    /// Matches another text of the form.
    pub(super) fn start_with(&mut self, text: &'static [Op]) -> Option<Parsed> {
        let start = State { at: 0, word: self.info.value, known: self.info.mask, promised: None, added: false };
        self.run(text, None, start);
        self.found
    }

    /// Where a text ends that only begins like this, and where the last characters of the template are in it.
    pub(super) fn begins(mut self, text: &'static [Op]) -> Option<(usize, usize)> {
        self.beginning = Some(None);
        self.start_with(text);
        self.beginning.flatten()
    }

    /// Goes on with these pieces, then with those that `then` names. Whether a word was found.
    fn run(&mut self, mut ops: &'static [Op], mut then: Option<&Then<'_>>, mut state: State<'_>) -> bool {
        if self.is_over(state.at) {
            return false;
        }
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
                Op::Text(ref text) => match self.scanner.text(state.at, text) {
                    Ok(at) => {
                        if self.beginning.is_some() {
                            self.text_at = self.scanner.blanks(state.at);
                        }
                        state.at = at;
                    }
                    Err(at) => return self.fail(at, op),
                },
                Op::Field(i) => match self.field(op, i, rest, then, &mut state) {
                    Step::On => {}
                    Step::Done(found) => return found,
                },
                Op::Differs(group) => {
                    if !self.is_missing(group.body, state.at) {
                        let promise = Promise { what: What::Differs(group), before: state.promised };
                        let promised = if self.strict { Some(&promise) } else { state.promised };
                        if self.run(group.body, Some(&Then { ops: rest, then }), State { promised, ..state }) {
                            return true;
                        }
                    }
                    if !state.learn(Cube::new(group.mask, group.default)) {
                        return false;
                    }
                }
                Op::Holds(set, body) => {
                    let set = &self.tables.sets[usize::from(set)];
                    let missing = self.is_missing(body, state.at);
                    let yes = set.may_be(true, state.word, state.known);
                    let no = set.may_be(false, state.word, state.known);
                    if yes && !missing {
                        // What is certain already needs no promise.
                        let promise = Promise { what: What::Inside(set, true), before: state.promised };
                        let promised = if no { Some(&promise) } else { state.promised };
                        if self.run(body, Some(&Then { ops: rest, then }), State { promised, ..state }) {
                            return true;
                        }
                    }
                    if !no {
                        return false;
                    }
                    if yes {
                        let promise = Promise { what: What::Inside(set, false), before: state.promised };
                        return self.run(rest, then, State { promised: Some(&promise), ..state });
                    }
                }
                Op::OneOf(texts) => {
                    let then = Then { ops: rest, then };
                    return texts.iter().any(|text| !self.is_missing(text, state.at) && self.run(text, Some(&then), state));
                }
            }
        }
    }

    /// Takes a step. Whether there have been too many: the ways to read a text can be twice as many with each of its groups.
    #[inline(always)]
    fn is_over(&mut self, at: usize) -> bool {
        self.steps += 1;
        if self.steps <= MAX_STEPS {
            return false;
        }
        if self.steps == MAX_STEPS + 1
            && let Some(error) = &mut self.blame
        {
            error.refuse(usize::MAX, at, TOO_MANY_WAYS);
        }
        self.steps = MAX_STEPS + 2;
        true
    }

    /// Whether the text certainly doesn't go on like this. (When notes are taken it must be tried all the same.)
    #[inline(always)]
    fn is_missing(&self, body: &'static [Op], at: usize) -> bool {
        match body.first() {
            Some(Op::Text(text)) if self.blame.is_none() => self.scanner.text(at, text).is_err(),
            _ => false,
        }
    }

    /// Reads a field. If there are several ways to, goes on with each in turn.
    #[inline(always)]
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
                    if self.take(field, first, rest, then, *state) {
                        return Step::Done(true);
                    }
                    Some(second)
                } else {
                    named.or(numbered)
                }
            }
            Kind::Name { rows, place, .. } => {
                let Some(end) = self.scanner.name(from, rows) else {
                    return Step::Done(self.fail(from, op));
                };
                if let Some(name) = self.names.get_mut(usize::from(place)) {
                    *name = NameAt { start: from, end };
                }
                state.at = end;
                return Step::On;
            }
            Kind::Letters(letters) => self.scanner.letters(from, letters),
            Kind::Int { shape, target, modulo } => self.number(index, shape, (target, modulo), from),
            Kind::Flag(ref text) => {
                let mark = self.scanner.mark(from, text);
                if let Some(at) = self.scanner.starts(mark, text).filter(|at| *at > mark)
                    && self.take(field, (1, at), rest, then, *state)
                {
                    return Step::Done(true);
                }
                self.expect(mark, op);
                Some((0, from))
            }
            Kind::Enum(names) => {
                let mark = self.scanner.blanks(from);
                if self.scanner.can_begin(mark, names) && self.names(field, names, (from, mark), rest, then, state) {
                    return Step::Done(true);
                }
                self.expect(if names.marks() { mark } else { from }, op);
                names.empty.map(|value| (value.into(), from))
            }
        };
        let Some((raw, at)) = read else {
            return Step::Done(self.fail(from, op));
        };
        match field.cube(raw) {
            Some(cube) if state.learn(cube) => {
                state.at = at;
                Step::On
            }
            _ => Step::Done(self.fail(from, op)),
        }
    }

    /// Reads a number: the bits of the field.
    fn number(&mut self, field: u16, shape: Shape, (target, modulo): (Option<i64>, u32), from: usize) -> Option<(u128, usize)> {
        let ((negative, magnitude), at) = self.scanner.number(from)?;
        let plain = shape.is_plain() && target.is_none();
        // The widest fields have numbers beyond i128; and the most usual ones need no more than this.
        if let Some(raw) = magnitude.filter(|m| plain && !negative && *m <= word::wide_ones(shape.bits)) {
            return Some((raw, at));
        }
        let fits = magnitude.and_then(|m| i128::try_from(m).ok());
        // 128 bits without a sign take any `i128` as their bits, but no text has a sign for that.
        let fits = fits.filter(|n| !(plain && negative && *n > 0));
        let number = fits.unwrap_or(i128::MAX);
        let origin = target.map_or(0, |offset| (self.address as i64).wrapping_add(offset));
        let value = (if negative { -number } else { number }).saturating_sub(origin.into());
        let (value, ahead) = if modulo == 0 { (value, None) } else { around(value, modulo) };
        match shape.raw(value).or_else(|e| ahead.ok_or(e).and_then(|ahead| shape.raw(ahead))) {
            Ok(raw) if fits.is_some() => Some((raw, at)),
            _ => {
                let number = [value as u64, (value >> 64) as u64];
                self.because(from, Reason::Range { field, number, origin });
                None
            }
        }
    }

    /// Goes on with each text that stands there, the longest first; not with the empty one. Those that begin with punctuation
    /// can stand at `mark`, behind blanks.
    fn names(
        &mut self,
        field: &'static Field,
        names: &'static Names,
        (from, mark): (usize, usize),
        rest: &'static [Op],
        then: Option<&Then<'_>>,
        state: &State<'_>,
    ) -> bool {
        let mut numbered = self.scanner.numbered(from, names);
        for (text, value) in names.texts {
            let start = if text.is_mark() { mark } else { from };
            let Some(at) = self.scanner.starts(start, text) else { continue };
            if let Some(longer) = numbered.take_if(|n| n.1 > at)
                && self.take(field, longer, rest, then, *state)
            {
                return true;
            }
            if self.take(field, ((*value).into(), at), rest, then, *state) {
                return true;
            }
        }
        numbered.is_some_and(|number| self.take(field, number, rest, then, *state))
    }

    /// Goes on with one way to read a field: the value's bits and where it ends.
    fn take(
        &mut self,
        field: &'static Field,
        (raw, at): (u128, usize),
        rest: &'static [Op],
        then: Option<&Then<'_>>,
        mut state: State<'_>,
    ) -> bool {
        match field.cube(raw) {
            Some(cube) if state.learn(cube) => self.run(rest, then, State { at, ..state }),
            _ => false,
        }
    }

    /// The template is at its end.
    fn end(&mut self, state: State<'_>) -> bool {
        if let Some(longest) = &mut self.beginning {
            if longest.is_none_or(|longest| state.at > longest.0) {
                *longest = Some((state.at, self.text_at));
            }
            return false;
        }
        let at = self.scanner.blanks(state.at);
        if self.scanner.is_end(at) {
            return self.settle(state, 0);
        }
        // What `--full` adds may follow.
        if !state.added && !self.info.full.is_empty() {
            let at = self.scanner.text(state.at, &BLANK).unwrap_or(at);
            return self.run(self.info.full, None, State { at, added: true, ..state });
        }
        self.fail(at, &END)
    }

    /// Fills what is open so that all promises are kept: with defaults, and where they don't do with the nearest values.
    fn settle(&mut self, state: State<'_>, depth: u32) -> bool {
        if self.is_over(state.at) {
            return false;
        }
        let word = state.word | self.info.default & !state.known;
        // A legal word of the form keeps its rules, so that only what the text promised remains to be seen.
        if all_kept(word, state.promised) && self.accept(word, state.at) {
            return true;
        }
        match self.broken(word, state.promised) {
            Some(Broken::Outside(ways)) if depth <= MAX_MENDED => self.mend(ways, word, state, depth),
            // Nothing is broken, and yet it is no word of this form; or there is no way to mend it.
            _ => false,
        }
    }

    /// Makes the word one of those in the cubes, trying the nearest ones first.
    #[cold]
    fn mend(&mut self, ways: &'static [Cube], word: u128, state: State<'_>, depth: u32) -> bool {
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
                if self.settle(State { word, known, ..state }, depth + 1) {
                    return true;
                }
            }
            next = open().map(distance).filter(|d| *d > least).min();
        }
        false
    }

    /// The first thing that must be so and isn't: that the word belongs to the form, its rules, what has been promised.
    fn broken(&self, word: u128, promised: Option<&Promise<'_>>) -> Option<Broken> {
        let misses = |cubes: &[Cube]| !cubes.iter().any(|c| c.contains(word));
        if let Some(part) = self.info.words.iter().find(|part| misses(part)) {
            return Some(Broken::Outside(part));
        }
        if let Some(rule) = self.info.rules.iter().find(|r| misses(r.holds)) {
            return Some(Broken::Outside(rule.holds));
        }
        first_broken(word, promised)
    }

    fn accept(&mut self, word: u128, at: usize) -> bool {
        match (self.identify)(word, self.info.length.into()) {
            Ok(form) if form == self.form => {
                self.found = Some(Parsed { word: self.numbered(word), form });
                true
            }
            // A word of a form inside this one prints as something else.
            Ok(_) => false,
            Err(e) => {
                self.because(at, Reason::Word(e));
                false
            }
        }
    }

    /// The word with the numbers of the names; of a name that stands at several places, only the first one stays.
    fn numbered(&mut self, word: u128) -> u128 {
        let Self { tables, info, scanner, .. } = *self;
        let name = |names: &[NameAt], place: usize| {
            let at = names.get(place)?;
            scanner.bytes().get(at.start..at.end).filter(|name| !name.is_empty())
        };
        let same = |a: Option<&[u8]>, b| a.is_some() && a == b;
        let word = tables.numbered(info, word, |a, b| same(name(self.names, a), name(self.names, b)));
        for place in (0..self.names.len()).rev() {
            let own = name(self.names, place);
            if (0..place).any(|before| same(own, name(self.names, before))) {
                self.names[place] = NameAt::default();
            }
        }
        word
    }

    #[inline(always)]
    fn fail(&mut self, at: usize, expected: &'static Op) -> bool {
        self.expect(at, expected);
        false
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

/// What stands between a text and what `--full` adds.
const BLANK: Literal = Literal::new(" ");

/// How many groups, ways to read a field, and ways to mend a word are tried to read a text by one template.
pub const MAX_STEPS: u32 = 1 << 14;

const TOO_MANY_WAYS: &str = "there are too many ways to read this text; none of those that were tried leads to an instruction";

/// How many promises may be mended one after the other.
const MAX_MENDED: u32 = 8;

impl Promise<'_> {
    #[inline(always)]
    fn is_kept(&self, word: u128) -> bool {
        match self.what {
            What::Inside(set, inside) => set.contains(word) == inside,
            What::Differs(group) => (word ^ group.default) & group.mask != 0,
        }
    }
}

/// A distance between addresses of so many bits: the shorter way, and the way ahead.
fn around(distance: i128, bits: u32) -> (i128, Option<i128>) {
    let turn = 1i128 << bits;
    let ahead = distance.rem_euclid(turn);
    (if ahead < turn / 2 { ahead } else { ahead - turn }, Some(ahead))
}

fn all_kept(word: u128, mut promised: Option<&Promise<'_>>) -> bool {
    while let Some(promise) = promised {
        if !promise.is_kept(word) {
            return false;
        }
        promised = promise.before;
    }
    true
}

/// The oldest promise that the word breaks.
fn first_broken(word: u128, mut promised: Option<&Promise<'_>>) -> Option<Broken> {
    let mut broken = None;
    while let Some(promise) = promised {
        if !promise.is_kept(word) {
            broken = Some(match promise.what {
                What::Inside(set, inside) => Broken::Outside(set.side(inside)),
                What::Differs(_) => Broken::Hopeless,
            });
        }
        promised = promise.before;
    }
    broken
}

/// How reading a field went.
enum Step {
    /// There was one way; the state has it.
    On,
    /// All ways have been tried to the end; whether one led there.
    Done(bool),
}
