//! The first way through a template: what most texts that are as they are printed take.
//!
//! Nothing is kept to come back to. Where that was not enough, the template is read as all others are.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, END, FULL, HOLDS, LITERAL, ONE_OF, RETURN, VALUE};
use super::alike::alike;
use super::attempt::{AHEAD, Attempt, MAX_STEPS, State, Trial, Way};
use super::pending::{Pending, TooMany};
use super::ready::{Field, Numbered, Other, Part, Ready, Step};
use super::task::{GAP, Task};

/// The number that stands there between two texts, as it is printed, if it can be read in no other way.
fn numbered<W: Bits>(
    tables: &Ready<'_, W>,
    task: &Task<'_>,
    field: &Field<W>,
    part: &Part<'_>,
    numbered: &Numbered<'_>,
    at: usize,
) -> Option<Way> {
    if !numbered.is_simple || !task.stands(&numbered.before, at) {
        return None;
    }
    let digits = task.rest(at + numbered.before.len());
    let digit = |i: usize| digits.get(i).map(|c| c.wrapping_sub(b'0')).filter(|digit| *digit < 10);
    let first = digit(0)?;
    let (mut n, mut count) = (u32::from(first), 1);
    while let Some(digit) = digit(count) {
        // A number of more digits is left to the step that reads all of it.
        if first == 0 || count == 9 {
            return None;
        }
        n = n * 10 + u32::from(digit);
        count += 1;
    }
    let n = u128::from(n);
    let is_there = n <= part.row.last && !part.is_named(tables, n);
    let raw = field.code.bits(n).filter(|_| is_there)?;
    Some(Way { raw, open: 0, end: at + numbered.before.len() + count, is_printed: true })
}

impl<W: Bits> Attempt<W> {
    /// The word of a text that is as it is printed, if the template that begins at `step` reads it: mostly the first way does.
    pub(super) fn exactly(&mut self, trial: &Trial<'_, '_, W>, step: u32) -> Result<Option<W>, TooMany> {
        self.begin(trial.tables, trial.form, MAX_STEPS);
        let mut has_others = false;
        match self.first_way(trial, step, &mut has_others) {
            None if has_others => self.run(trial, step),
            word => Ok(word),
        }
    }

    /// The longest of the ways to read a field, of equally long ones the first; whether one of the others leads on.
    #[inline]
    fn longest(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        step: &Step<'_>,
        field: &Field<W>,
        at: usize,
    ) -> Option<(Way, bool)> {
        let spelling = tables.all_spellings.get(step.spelling as usize)?;
        match spelling.parts.as_slice() {
            [part @ Part { other: Other::Numbered(between), .. }] if part.row.width == 0 => {
                if let Some(way) = numbered(tables, task, field, part, between, at) {
                    return Some((way, false));
                }
            }
            [part @ Part { other: Other::None, .. }] if part.row.width == 0 => {
                self.steps = self.steps.saturating_sub(spelling.cost);
                let first = task.bytes.get(at).copied().unwrap_or(0);
                // The longest texts come first.
                let names = part.names_with(first).iter().filter(|name| task.stands(&name.text, at));
                let mut ways = names.chain(part.empty_names()).filter(|name| name.is_printed).filter_map(|name| {
                    let raw = field.code.bits(name.value)?;
                    Some(Way { raw, open: 0, end: at + name.text.len(), is_printed: true })
                });
                let longest = ways.next()?;
                return Some((longest, ways.any(|way| self.ahead(tables, task, step.next, way.end, AHEAD))));
            }
            _ => {}
        }
        if let Some(style) = spelling.style() {
            let way = self.number(tables, task, field, &field.code, style, at).filter(|way| way.is_printed)?;
            let leads_on = alike(&field.code, style, way, &task.bytes[at..way.end]).next().is_some();
            return Some((way, leads_on));
        }
        self.steps = self.steps.saturating_sub(spelling.cost);
        self.ways.clear();
        self.ways(tables, task, step, field, at);
        let all = self.ways.iter().enumerate();
        let (longest, _) = all.max_by_key(|(i, way)| (way.end, core::cmp::Reverse(*i)))?;
        let way = self.ways.swap_remove(longest);
        Some((way, self.ways.iter().any(|other| self.ahead(tables, task, step.next, other.end, AHEAD))))
    }

    /// The word that the first way leads to; whether there are others.
    fn first_way(&mut self, trial: &Trial<'_, '_, W>, step: u32, has_others: &mut bool) -> Option<W> {
        let Trial { tables, task, form, .. } = *trial;
        let mut now = State { step, at: 0, word: form.value, known: form.mask, pending: 0, frame: 0 };
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let step = tables.steps.get(now.step as usize)?;
            match step.kind {
                LITERAL => (now.step, now.at) = (step.next, self.literal(task, &step.text, now.at)?),
                VALUE => {
                    let field = tables.all_fields.get(step.of as usize)?;
                    if field.is_given {
                        (now.step, now.at) = (step.next, self.name(tables, task, step, field, now.at)?);
                        continue;
                    }
                    let (way, other) = self.longest(tables, task, step, field, now.at)?;
                    *has_others |= other;
                    let bits = tables.place(field.row.ranges, way.raw);
                    if (now.word ^ bits) & now.known & field.mask != W::zero() {
                        return None;
                    }
                    (now.step, now.at) = (step.next, way.end);
                    (now.word, now.known) = (now.word | bits, now.known | field.mask);
                }
                HOLDS | DIFFERS => {
                    let mut with = self.ahead(tables, task, step.body, now.at, AHEAD);
                    // Where only one way is left, it shows soon enough whether it leads on.
                    let mut without = !with || self.ahead(tables, task, step.next, now.at, AHEAD);
                    let cube = match step.kind {
                        DIFFERS => tables.cubes.get(step.of as usize)?,
                        _ => Default::default(),
                    };
                    let default = form.default & cube.mask;
                    if with && without && step.kind == HOLDS {
                        match tables.end_of(step.of, now.word, now.known) {
                            Some(holds) => (with, without) = (holds, !holds),
                            None => *has_others = true,
                        }
                    } else if without && (now.word ^ default) & now.known & cube.mask != W::zero() {
                        without = false;
                    }
                    *has_others |= with && without;
                    let pending = match (with, step.kind) {
                        (true, HOLDS) => Some(Pending::In(step.of)),
                        (true, _) => Some(Pending::Differs(step.of)),
                        (false, HOLDS) => Some(Pending::NotIn(step.of)),
                        (false, _) => None,
                    };
                    self.push(pending, &mut now);
                    match (with, without) {
                        (true, _) => now.step = step.body,
                        (false, true) => {
                            (now.word, now.known) = (now.word | default, now.known | cube.mask);
                            now.step = step.next;
                        }
                        (false, false) => return None,
                    }
                }
                EITHER => {
                    let first = self.ahead(tables, task, step.body, now.at, AHEAD);
                    *has_others |= first && self.ahead(tables, task, step.next, now.at, AHEAD);
                    now.step = if first { step.body } else { step.next };
                }
                ONE_OF => {
                    self.frames.push((step.next, 0));
                    now.step = step.body;
                }
                RETURN => now.step = self.frames.pop()?.0,
                END | FULL if now.at >= task.bytes.len() => {
                    return self.end(trial, &now).unwrap_or_else(|_| {
                        *has_others = true;
                        None
                    });
                }
                FULL => (now.step, now.at) = (step.body, self.literal(task, &GAP, now.at)?),
                _ => return None,
            }
        }
    }
}
