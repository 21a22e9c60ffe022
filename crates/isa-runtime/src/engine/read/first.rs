//! The first path through a template, which suffices for most texts that are written as they are printed.
//!
//! No alternatives are kept. If the first path fails, the template is read in the general way.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, END, FULL, HOLDS, LITERAL, ONE_OF, RETURN, VALUE};
use super::alike::alike;
use super::attempt::{AHEAD, Attempt, MAX_STEPS, State, Trial};
use super::pending::{Pending, TooMany};
use super::ready::{Field, Numbered, Numbers, Other, Part, Ready, Step, Way};
use super::task::{GAP, Task};
use crate::value::Style;

/// The number at this place between two texts, as it is printed, if no other number can be read there.
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

/// The number of several parts by their names, if exactly one name of each part matches.
fn only_names<W>(task: &Task<'_>, field: &Field<W>, parts: &[Part<'_>], at: usize) -> Option<Way> {
    let (mut bits, mut end) = (0, at);
    for part in parts {
        if !matches!(part.other, Other::None) || part.has_empty_name() {
            return None;
        }
        let first = task.bytes.get(end).copied().unwrap_or(0);
        let mut names = part.names_with(first).iter().filter(|name| name.is_printed && task.stands(&name.text, end));
        let (name, None) = (names.next()?, names.next()) else { return None };
        bits |= name.value.checked_shl(part.row.lo.into())?;
        end += name.text.len();
    }
    Some(Way { raw: field.code.bits(bits)?, open: 0, end, is_printed: true })
}

impl<W: Bits> Attempt<W> {
    /// The word of a text written as it is printed, if the template that begins at `step` reads it: usually the first path does.
    pub(super) fn exactly(&mut self, trial: &Trial<'_, '_, W>, step: u32) -> Result<Option<W>, TooMany> {
        self.begin(trial.tables, trial.form, MAX_STEPS);
        let mut has_others = false;
        match self.first_way(trial, step, &mut has_others) {
            None if has_others => self.run(trial, step),
            word => Ok(word),
        }
    }

    /// The longest reading of a field, the first of equally long ones; and whether another reading leads on.
    #[inline]
    fn longest(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        step: &Step,
        field: &Field<W>,
        at: usize,
    ) -> Option<(Way, bool)> {
        let part = tables.only_part(step);
        match part.map(|part| (part, &part.other)) {
            Some((part, Other::Numbered(between))) => {
                if let Some(way) = numbered(tables, task, field, part, between, at) {
                    return Some((way, field.code.has_twins));
                }
                // A name at this place excludes such a number.
                if between.is_simple
                    && let Some(found) = self.longest_name(tables, task, step, &field.code, part, at)
                {
                    return Some(found);
                }
            }
            Some((part, Other::None)) => {
                self.steps = self.steps.saturating_sub(part.cost());
                return self.longest_name(tables, task, step, &field.code, part, at);
            }
            Some((part, _)) => {
                if let Some(style) = part.style() {
                    if style == Style::Hex
                        && let Some((raw, length)) = field.code.hexadecimal(task.rest(at))
                    {
                        return Some((Way { raw, open: 0, end: at + length, is_printed: true }, false));
                    }
                    let way = self.number(tables, task, field, &field.code, style, at).filter(|way| way.is_printed)?;
                    let leads_on = alike(&field.code, style, way, &task.bytes[at..way.end], false).next().is_some();
                    return Some((way, leads_on));
                }
            }
            None => {}
        }
        let spelling = tables.all_spellings.get(step.spelling as usize)?;
        self.steps = self.steps.saturating_sub(spelling.cost);
        if part.is_none()
            && let Some(way) = only_names(task, field, tables.ready_parts(spelling), at)
        {
            return Some((way, field.code.has_twins));
        }
        self.ways.clear();
        self.ways(tables, task, step, field, at);
        let all = self.ways.iter().enumerate();
        let (longest, _) = all.max_by_key(|(i, way)| (way.end, core::cmp::Reverse(*i)))?;
        let way = self.ways.swap_remove(longest);
        Some((way, self.ways.iter().any(|other| self.ahead(tables, task, step.next, other.end, AHEAD))))
    }

    /// The longest name of a part at this place; and whether another one leads on.
    #[inline(always)]
    fn longest_name(
        &self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        step: &Step,
        code: &Numbers,
        part: &Part<'_>,
        at: usize,
    ) -> Option<(Way, bool)> {
        let mut longest: Option<Way> = None;
        // The longest names come first.
        for names in [part.names_with(task.bytes.get(at).copied().unwrap_or(0)), part.empty_names()] {
            for name in names {
                if !name.is_printed || !task.stands(&name.text, at) {
                    continue;
                }
                let (Some(raw), end) = (code.bits(name.value), at + name.text.len()) else { continue };
                match longest {
                    None => longest = Some(Way { raw, open: 0, end, is_printed: true }),
                    Some(longest) if self.ahead(tables, task, step.next, end, AHEAD) => return Some((longest, true)),
                    Some(_) => {}
                }
            }
        }
        longest.map(|longest| (longest, code.has_twins))
    }

    /// Returns whether the body of a step may lead on, and whether the step after it may, according to the next characters.
    #[inline(always)]
    fn leads(&self, tables: &Ready<'_, W>, task: &Task<'_>, step: &Step, at: usize) -> Option<(bool, bool)> {
        let begins = |step: u32| Some(task.can_begin(tables.initials(tables.steps.get(step as usize)?), at));
        match (begins(step.body)?, begins(step.next)?) {
            (true, true) => {
                let ahead = |step| self.ahead(tables, task, step, at, AHEAD);
                Some((ahead(step.body), ahead(step.next)))
            }
            one => Some(one),
        }
    }

    /// The word that the first path leads to; sets `has_others` if there are other paths.
    fn first_way(&mut self, trial: &Trial<'_, '_, W>, step: u32, has_others: &mut bool) -> Option<W> {
        let Trial { tables, task, form, .. } = *trial;
        let mut now = State { step, at: 0, word: form.value, known: form.mask, pending: 0, frame: 0 };
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let step = tables.steps.get(now.step as usize)?;
            match step.kind {
                LITERAL => {
                    let text = tables.literal(step);
                    if !task.stands(text, now.at) {
                        return None;
                    }
                    (now.step, now.at) = (step.next, now.at + text.len());
                }
                VALUE => {
                    let field = tables.all_fields.get(step.of as usize)?;
                    if field.is_given {
                        (now.step, now.at) = (step.next, self.name(tables, task, step, field, now.at)?);
                        continue;
                    }
                    if field.code.takes_nearest {
                        *has_others = true;
                        return None;
                    }
                    let (way, other) = self.longest(tables, task, step, field, now.at)?;
                    *has_others |= other;
                    let bits = field.place(tables, way.raw);
                    if (now.word ^ bits) & now.known & field.mask != W::zero() {
                        return None;
                    }
                    (now.step, now.at) = (step.next, way.end);
                    (now.word, now.known) = (now.word | bits, now.known | field.mask);
                }
                HOLDS => {
                    // If only one path is left, whether it leads on shows soon enough.
                    let (mut with, mut without) = self.leads(tables, task, step, now.at)?;
                    if with && without {
                        match tables.end_of(step.of, now.word, now.known) {
                            Some(holds) => (with, without) = (holds, !holds),
                            None => *has_others = true,
                        }
                    }
                    match tables.says(step, with) {
                        Some((mask, bits)) if (now.word ^ bits) & now.known & mask == W::zero() => {
                            (now.word, now.known) = (now.word | bits, now.known | mask);
                        }
                        Some(_) => return None,
                        None => self.push(Some(if with { Pending::In(step.of) } else { Pending::NotIn(step.of) }), &mut now),
                    }
                    match (with, without) {
                        (true, _) => now.step = step.body,
                        (false, true) => now.step = step.next,
                        (false, false) => return None,
                    }
                }
                DIFFERS => {
                    let (with, mut without) = self.leads(tables, task, step, now.at)?;
                    let cube = tables.cubes.get(step.of as usize)?;
                    let default = form.default & cube.mask;
                    without &= (now.word ^ default) & now.known & cube.mask == W::zero();
                    *has_others |= with && without;
                    match (with, without) {
                        (true, _) => {
                            self.push(Some(Pending::Differs(step.of)), &mut now);
                            now.step = step.body;
                        }
                        (false, true) => {
                            (now.word, now.known) = (now.word | default, now.known | cube.mask);
                            now.step = step.next;
                        }
                        (false, false) => return None,
                    }
                }
                EITHER => {
                    let (first, second) = self.leads(tables, task, step, now.at)?;
                    *has_others |= first && second;
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
