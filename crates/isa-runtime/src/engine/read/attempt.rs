//! One text and one template: the paths through its graph of steps, one after the other.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, END, FULL, Form, HOLDS, LITERAL, NO_PLACE, ONE_OF, ONLY, RETURN, VALUE};
use super::nearest::{self, nearest};
use super::notes::Notes;
use super::pending::{Pending, TooMany};
use super::ready::{Field, Other, Ready, Step, Way};
use super::statement::Statement;
use super::task::{GAP, Literal, Task, is_word};
use crate::why::Expected;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// The number of steps with a template after which its text counts as readable in too many ways. Slow steps count as several.
pub const MAX_STEPS: u32 = 1 << 16;

/// The same limit while the error in a text is looked for.
const MAX_NOTED: u32 = 1 << 12;

/// The number of steps of lookahead where a text could go on in several ways.
pub(super) const AHEAD: u8 = 4;

/// The text and the template that are matched.
#[derive(Clone, Copy)]
pub(super) struct Trial<'x, 't, W> {
    pub(super) tables: &'x Ready<'t, W>,
    pub(super) task: &'x Task<'x>,
    /// The form whose text it may be, and its number.
    pub(super) form: &'x Form<W>,
    pub(super) number: u16,
}

/// The bits read so far, and the place where reading continues.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State<W> {
    pub(super) step: u32,
    pub(super) at: usize,
    pub(super) word: W,
    pub(super) known: W,
    /// The number of pending conditions.
    pub(super) pending: usize,
    /// The frame in which reading continues after one of several texts, or 0.
    pub(super) frame: u32,
}

/// One template and one text. The buffers are used again and again.
#[derive(Debug, Default)]
pub(super) struct Attempt<W> {
    open: Vec<Open<W>>,
    pub(super) pending: Vec<Pending>,
    pub(super) ways: Vec<Way>,
    /// The steps that follow lists of texts, with the frames around them; and an index of the same.
    pub(super) frames: Vec<(u32, u32)>,
    known_frames: BTreeMap<(u32, u32), u32>,
    /// The ranges of names in the text, by their places.
    pub(super) names: Vec<Range<usize>>,
    /// Steps, places and frames from which nothing can be read.
    hopeless: Hopeless,
    pub(super) nearest: nearest::Room<W>,
    /// The number of steps so far whose result depends on context (not memoised).
    pub(super) met: u32,
    pub(super) steps: u32,
    /// The words of the form, and its fixed bits: which, and their values.
    pub(super) words: u32,
    pub(super) fixed: (W, W),
    pub(super) notes: Notes,
}

/// Steps, places and frames from which nothing can be read.
#[derive(Debug, Default)]
struct Hopeless {
    /// The first few: usually there are no others.
    few: Vec<(u32, usize, u32)>,
    many: BTreeSet<(u32, usize, u32)>,
}

impl Hopeless {
    fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many.clear();
        }
    }

    fn insert(&mut self, place: (u32, usize, u32)) {
        if self.few.len() < 8 {
            self.few.push(place);
        } else {
            self.many.insert(place);
        }
    }

    fn contains(&self, place: &(u32, usize, u32)) -> bool {
        self.few.contains(place) || (!self.many.is_empty() && self.many.contains(place))
    }
}

/// A way that has not been tried yet.
#[derive(Clone, Copy, Debug)]
enum Open<W> {
    Way(State<W>, Option<Pending>),
    /// All readings of a field have been tried: its start, and the end of the longest of its texts.
    Over {
        field: u32,
        from: usize,
        longest: Option<usize>,
    },
    /// All paths from here have been tried; `met` is the count before them.
    Tried {
        step: u32,
        at: usize,
        frame: u32,
        met: u32,
    },
}

impl<W: Bits> Attempt<W> {
    /// The word of a text, if the template that begins at `step` reads it.
    pub(super) fn run(&mut self, trial: &Trial<'_, '_, W>, step: u32) -> Result<Option<W>, TooMany> {
        let Trial { tables, task, form, .. } = *trial;
        self.begin(tables, form, if task.notes { MAX_NOTED } else { MAX_STEPS });
        let start = State { step, at: 0, word: form.value, known: form.mask, pending: 0, frame: 0 };
        let mut state = Some(start);
        loop {
            if let Some(now) = state
                && let Some(word) = self.follow(trial, now)?
            {
                return Ok(Some(word));
            }
            state = None;
            match self.open.pop() {
                None => return Ok(None),
                Some(Open::Way(next, add)) => {
                    self.pending.truncate(next.pending);
                    let mut next = next;
                    if let Some(add) = add {
                        self.pending.push(add);
                        next.pending += 1;
                    }
                    state = Some(next);
                }
                Some(Open::Over { field, from, longest }) => {
                    self.notes.read(field, None);
                    if let (Some(field), Some(end)) = (tables.all_fields.get(field as usize), longest) {
                        self.notes.whole_word(tables, task, field, from, end);
                    }
                }
                Some(Open::Tried { step, at, frame, met }) => {
                    if met == self.met && !task.notes {
                        self.hopeless.insert((step, at, frame));
                    }
                }
            }
        }
    }

    pub(super) fn begin(&mut self, tables: &Ready<'_, W>, form: &Form<W>, steps: u32) {
        self.open.clear();
        self.pending.clear();
        self.frames.clear();
        if !self.known_frames.is_empty() {
            self.known_frames.clear();
        }
        self.names.clear();
        self.hopeless.clear();
        self.met = 0;
        self.steps = steps;
        self.words = form.words;
        self.fixed = (form.mask, form.value);
        if let Some(insn) = tables.insns.get(usize::from(form.insn)).filter(|insn| insn.names > 0) {
            self.names.resize(insn.names.into(), 0..0);
        }
    }

    /// Continues from a state until the text fails or is read completely.
    fn follow(&mut self, trial: &Trial<'_, '_, W>, mut now: State<W>) -> Result<Option<W>, TooMany> {
        let Trial { tables, task, .. } = *trial;
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(TooMany)?;
            let Some(step) = tables.steps.get(now.step as usize) else { return Ok(None) };
            match step.kind {
                LITERAL => {
                    let text = tables.literal(step).text;
                    let start = task.blanks(now.at);
                    if let Some((word, at)) = &mut self.notes.mnemonic
                        && text.windows(word.len.max(1) as usize).any(|part| part == tables.bytes_of(*word))
                    {
                        *at = start.max(*at);
                    }
                    let Some(end) = self.literal(task, tables.literal(step), now.at) else { return Ok(None) };
                    self.notes.literal_at = start;
                    (now.step, now.at) = (step.next, end);
                }
                VALUE => {
                    let Some(field) = tables.all_fields.get(step.of as usize) else { return Ok(None) };
                    if !self.value(tables, task, step, field, &mut now) {
                        return Ok(None);
                    }
                }
                HOLDS | DIFFERS => {
                    if !self.group(trial, step, &mut now) {
                        return Ok(None);
                    }
                }
                ONLY => {
                    self.push(Some(Pending::In(step.of)), &mut now);
                    now.step = step.next;
                }
                EITHER => {
                    let (first, second) =
                        (self.can_go(tables, task, step.body, &now), self.can_go(tables, task, step.next, &now));
                    if first && second {
                        self.open.push(Open::Way(State { step: step.next, ..now }, None));
                        self.open.push(Open::Tried { step: step.body, at: now.at, frame: now.frame, met: self.met });
                    }
                    match (first, second) {
                        (true, _) => now.step = step.body,
                        (false, true) => now.step = step.next,
                        (false, false) => return Ok(None),
                    }
                }
                ONE_OF => {
                    let frame = (step.next, now.frame);
                    now.frame = *self.known_frames.entry(frame).or_insert_with(|| {
                        self.frames.push(frame);
                        self.frames.len() as u32
                    });
                    now.step = step.body;
                }
                RETURN => {
                    let Some((next, frame)) = (now.frame as usize).checked_sub(1).and_then(|i| self.frames.get(i)) else {
                        return Ok(None);
                    };
                    (now.step, now.frame) = (*next, *frame);
                }
                END | FULL => {
                    if task.prefix {
                        self.met += 1;
                        self.notes.prefix(now.at);
                        return Ok(None);
                    }
                    let end = task.blanks(now.at);
                    if end >= task.bytes.len() {
                        self.met += 1;
                        return self.end(trial, &now);
                    }
                    if step.kind == FULL {
                        self.notes.fail(task, end, || Expected::End);
                        let Some(at) = self.literal(task, &GAP, now.at) else { return Ok(None) };
                        (now.step, now.at) = (step.body, at);
                        continue;
                    }
                    self.notes.fail(task, end, || Expected::End);
                    return Ok(None);
                }
                _ => return Ok(None),
            }
        }
    }

    /// The word of a text that is read completely, if some word satisfies all conditions. Of several bits of a reading, those of the
    /// nearest word are taken.
    pub(super) fn end(&mut self, trial: &Trial<'_, '_, W>, now: &State<W>) -> Result<Option<W>, TooMany> {
        let reads = |pending: &Pending| if let Pending::Reads(field, raw) = *pending { Some((field, raw)) } else { None };
        let reads: Vec<(u32, u16)> = self.pending.iter().filter_map(reads).collect();
        if reads.is_empty() {
            return self.end_of(trial, now);
        }
        let mut best = None;
        self.nearest_of(trial, *now, &reads, &mut best)?;
        Ok(best.map(|(_, word)| word))
    }

    /// Improves on the best word so far, by the bits that it changes, with the bits of these readings.
    fn nearest_of(
        &mut self,
        trial: &Trial<'_, '_, W>,
        now: State<W>,
        reads: &[(u32, u16)],
        best: &mut Option<(u32, W)>,
    ) -> Result<(), TooMany> {
        let changed = |word: W, of: W| ((word ^ trial.form.default) & of).wide().count_ones();
        let Some(((field, raw), rest)) = reads.split_first() else {
            let found = self.end_of(trial, &now)?.map(|word| (changed(word, !W::zero()), word));
            *best = [*best, found].into_iter().flatten().min();
            return Ok(());
        };
        let Some(field) = trial.tables.all_fields.get(*field as usize) else { return Ok(()) };
        let known = now.known | field.mask;
        let twins = field.code.twins((*raw).into()).map(|raw| field.place(trial.tables, raw));
        let fit = twins.filter(|bits| (now.word ^ *bits) & now.known & field.mask == W::zero()).map(|bits| now.word | bits);
        let mut words: Vec<(u32, W)> = fit.map(|word| (changed(word, known), word)).collect();
        words.sort_unstable();
        for (least, word) in words {
            if best.is_some_and(|(best, _)| least > best) {
                break;
            }
            self.steps = self.steps.checked_sub(1).ok_or(TooMany)?;
            self.nearest_of(trial, State { word, known, ..now }, rest, best)?;
        }
        Ok(())
    }

    fn end_of(&mut self, trial: &Trial<'_, '_, W>, now: &State<W>) -> Result<Option<W>, TooMany> {
        let Trial { tables, task, form, number } = *trial;
        let word = (form.default & !now.known) | now.word;
        let pending = &self.pending;
        let is_legal = match tables.length(form.length.into()) {
            Some(length) => tables.decode(word, &length) == Some(number),
            None => tables.is_in(form.words, word) && tables.is_in(form.legal, word),
        };
        if is_legal && pending.iter().all(|p| p.holds(tables, word)) {
            return Ok(Some(word));
        }
        // Usually, one condition alone excludes all words.
        let is_possible = |pending: &Pending| match *pending {
            Pending::In(set) => nearest::meets(tables, set, now.word, now.known, 1, nearest::FEW_STEPS),
            Pending::NotIn(set) => nearest::meets(tables, set, now.word, now.known, 0, nearest::FEW_STEPS),
            Pending::Differs(_) | Pending::Reads(..) => true,
        };
        let found = match pending.iter().all(is_possible) {
            true => nearest(tables, form, word, now.known, pending, &mut self.nearest, &mut self.steps),
            false => Ok(None),
        };
        match found {
            Ok(Some(word)) => Ok(Some(word)),
            Ok(None) => {
                if task.notes {
                    self.blame(trial, now);
                }
                Ok(None)
            }
            Err(TooMany) => Err(TooMany),
        }
    }

    /// Reads a value; returns whether reading can continue.
    fn value(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, step: &Step, field: &Field<W>, now: &mut State<W>) -> bool {
        let from = task.token(now.at);
        if field.is_given {
            let Some(end) = self.name(tables, task, step, field, from) else { return false };
            (now.step, now.at) = (step.next, end);
            return true;
        }
        let start = *now;
        let first = self.ways.len();
        self.ways(tables, task, step, field, from);
        // Each reading is kept until it is tried, and there can be many names.
        let names = tables.all_spellings.get(step.spelling as usize).map_or(0, |spelling| spelling.cost);
        self.steps = self.steps.saturating_sub(names + (self.ways.len() - first) as u32);
        if task.notes {
            let longest = self.ways[first..].iter().map(|way| way.end).max();
            self.notes.read(step.of, Some(task.blanks(from)));
            self.open.push(Open::Over { field: step.of, from: task.blanks(from), longest });
        }
        // The longest first; of equally long ones the first.
        if self.ways.len() - first > 1 {
            self.ways[first..].sort_by_key(|way| core::cmp::Reverse(way.end));
        }
        let mut found = false;
        for i in (first..self.ways.len()).rev() {
            let way = self.ways[i];
            let mask = field.mask & !field.place(tables, way.open);
            let mut bits = field.place(tables, way.raw) & mask;
            let (mut fits, mut add) = ((start.word ^ bits) & start.known & mask == W::zero(), None);
            if field.code.is_chosen(task) {
                let mut twins = field.code.twins(way.raw).map(|raw| field.place(tables, raw));
                let mut next = || twins.find(|bits| (start.word ^ *bits) & start.known & mask == W::zero());
                let one = next();
                fits = one.is_some();
                bits = one.unwrap_or(bits);
                add = next().map(|_| Pending::Reads(step.of, way.raw as u16));
            }
            if !fits {
                self.met += 1;
                self.notes.contradict(task, from);
                continue;
            }
            let next = State { step: step.next, at: way.end, ..start };
            let next = if add.is_some() { next } else { State { word: start.word | bits, known: start.known | mask, ..next } };
            if i == first {
                (*now, found) = (next, true);
                self.push(add, now);
            } else {
                self.open.push(Open::Way(next, add));
            }
        }
        self.ways.truncate(first);
        if !found {
            // The first reading contradicts what is known; the others wait.
            return false;
        }
        true
    }

    /// Reads a group, or what follows it; returns whether reading can continue.
    fn group(&mut self, trial: &Trial<'_, '_, W>, step: &Step, now: &mut State<W>) -> bool {
        let Trial { tables, task, form, .. } = *trial;
        let mut with = self.can_go(tables, task, step.body, now);
        let mut without = self.can_go(tables, task, step.next, now);
        let (start, body) = (*now, step.body);
        let (inside, outside);
        let mut next = State { step: step.next, ..start };
        if step.kind == HOLDS {
            (inside, outside) = (Some(Pending::In(step.of)), Some(Pending::NotIn(step.of)));
            // If the next character leaves both paths open, the known bits may decide; otherwise the end of the text does.
            if with && without {
                with = nearest::meets(tables, step.of, now.word, now.known, 1, nearest::FEW_STEPS);
                without = nearest::meets(tables, step.of, now.word, now.known, 0, nearest::FEW_STEPS);
                self.met += u32::from(!with) + u32::from(!without);
            }
        } else {
            (inside, outside) = (task.pass.is_strict().then_some(Pending::Differs(step.of)), None);
            let Some(cube) = tables.cubes.get(step.of as usize) else { return false };
            let default = form.default & cube.mask;
            if without && (start.word ^ default) & start.known & cube.mask != W::zero() {
                (without, self.met) = (false, self.met + 1);
            }
            next.word = start.word | default;
            next.known = start.known | cube.mask;
        }
        match (with, without) {
            (true, _) => {
                if without {
                    self.open.push(Open::Way(next, outside));
                    self.open.push(Open::Tried { step: body, at: start.at, frame: start.frame, met: self.met });
                }
                self.push(inside, now);
                now.step = body;
                true
            }
            (false, true) => {
                *now = next;
                self.push(outside, now);
                true
            }
            (false, false) => false,
        }
    }

    /// True if something can be read from a step on, according to the next characters and earlier attempts.
    fn can_go(&self, tables: &Ready<'_, W>, task: &Task<'_>, step: u32, now: &State<W>) -> bool {
        task.notes || (self.ahead(tables, task, step, now.at, AHEAD) && !self.hopeless.contains(&(step, now.at, now.frame)))
    }

    /// True if something can be read from a step on, according to the next `steps` steps.
    pub(super) fn ahead(&self, tables: &Ready<'_, W>, task: &Task<'_>, step: u32, at: usize, steps: u8) -> bool {
        let Some(step) = tables.steps.get(step as usize) else { return false };
        if !task.can_begin(tables.initials(step), at) {
            return false;
        }
        let Some(steps) = steps.checked_sub(1) else { return true };
        let next = |end: usize| self.ahead(tables, task, step.next, end, steps);
        match step.kind {
            LITERAL if !task.pass.is_exact() => task.word_stands(tables.literal(step), at),
            HOLDS | DIFFERS | EITHER => self.ahead(tables, task, step.body, at, steps) || next(at),
            _ if !task.pass.is_exact() => true,
            LITERAL => task.stands(tables.literal(step), at) && next(at + tables.literal(step).len()),
            VALUE => match tables.only_part(step) {
                Some(part) if matches!(part.other, Other::None) => {
                    let first = task.bytes.get(at).copied().unwrap_or(0);
                    part.names_with(first).iter().any(|name| task.stands(&name.text, at)) || (part.has_empty_name() && next(at))
                }
                _ => true,
            },
            _ => true,
        }
    }

    pub(super) fn push(&mut self, add: Option<Pending>, now: &mut State<W>) {
        if let Some(add) = add {
            self.pending.push(add);
            now.pending += 1;
        }
    }

    /// Reads a literal; returns its end.
    pub(super) fn literal(&mut self, task: &Task<'_>, literal: &Literal<'_>, from: usize) -> Option<usize> {
        if task.pass.is_exact() {
            return task.stands(literal, from).then_some(from + literal.len());
        }
        let mut at = from;
        for (i, c) in literal.text.iter().enumerate() {
            if *c == b' ' {
                let next = task.blanks(at);
                let is_alone = |c: Option<&u8>| c.is_none_or(|c| !is_word(*c));
                let before = at.checked_sub(1).and_then(|before| task.bytes.get(before));
                if next == at && !is_alone(before) && !is_alone(task.bytes.get(next)) {
                    self.notes.fail(task, at, || Expected::Blank);
                    return None;
                }
                at = next;
                continue;
            }
            let start = if is_word(*c) { task.token(at) } else { task.blanks(at) };
            if task.bytes.get(start) != Some(c) {
                self.notes.fail(task, start, || {
                    let rest = literal.text[i..].split(|c| *c == b' ').next().unwrap_or_default();
                    Expected::Text(String::from_utf8_lossy(rest).into_owned())
                });
                return None;
            }
            at = start + 1;
        }
        Some(at)
    }

    /// The statement that was read, with the numbers of its names.
    pub(super) fn statement(&self, trial: &Trial<'_, '_, W>, word: W) -> Statement<W> {
        let Trial { tables, task, form, number } = *trial;
        if self.names.is_empty() {
            return Statement { form: number, word, names: Vec::new() };
        }
        let name = |place: usize| self.names.get(place).and_then(|at| task.text.get(at.clone())).unwrap_or("");
        let first = |place: usize| (0..place).find(|other| name(*other) == name(place)).unwrap_or(place);
        let named = tables.fields_of(form).filter(|f| f.place != NO_PLACE);
        let word = named.fold(word, |word, f| tables.with_raw(&f, word, first(f.place.into()) as u128));
        let names =
            (0..self.names.len()).map(|place| if first(place) == place { name(place).to_string() } else { String::new() });
        Statement { form: number, word, names: names.collect() }
    }
}
