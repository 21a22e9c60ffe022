//! The first way through a template: what most texts that are as they are printed take.
//!
//! Nothing is kept to come back to. Where that was not enough, the template is read as all others are.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, END, ENUM, FULL, Form, HOLDS, LITERAL, NAME, ONE_OF, RETURN, VALUE};
use super::ready::Ready;
use super::{AHEAD, Attempt, MAX_STEPS, Pending, State, Task, TooMany};

impl<W: Bits> Attempt<W> {
    /// The word of a text that is as it is printed, if the template that begins at `step` reads it: mostly the first way does.
    pub(super) fn exactly(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        form: &Form<W>,
        number: u16,
        step: u32,
    ) -> Result<Option<W>, TooMany> {
        self.begin(tables, form, MAX_STEPS);
        let mut has_others = false;
        match self.first_way(tables, task, form, number, step, &mut has_others) {
            None if has_others => self.run(tables, task, form, number, step),
            word => Ok(word),
        }
    }

    /// The word that the first way leads to; whether there are others.
    fn first_way(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        form: &Form<W>,
        number: u16,
        step: u32,
        has_others: &mut bool,
    ) -> Option<W> {
        let mut now = State { step, at: 0, word: form.value, known: form.mask, pending: 0, frame: 0 };
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let step = tables.steps.get(now.step as usize)?;
            match step.kind {
                LITERAL => {
                    let text = tables.strings.get(step.of as usize).map_or(&[][..], |text| tables.bytes_of(text));
                    (now.step, now.at) = (step.next, self.literal(task, text, now.at)?);
                }
                VALUE => {
                    let (field, mask) = tables.all_fields.get(step.of as usize)?;
                    if field.kind == NAME {
                        (now.step, now.at) = (step.next, self.name(tables, task, field, now.at)?);
                        continue;
                    }
                    self.ways.clear();
                    self.ways(tables, task, field, step.radix, now.at);
                    // The longest; of equally long ones the first.
                    let mut ways = self.ways.iter();
                    let mut way = *ways.next()?;
                    for other in ways {
                        let (longer, shorter) = if other.end > way.end { (*other, way) } else { (way, *other) };
                        way = longer;
                        *has_others |= self.ahead(tables, task, step.next, shorter.end, AHEAD);
                    }
                    if field.kind == ENUM {
                        let texts = tables.sets.get(field.of as usize).map_or(0, |of| of.names.len() as u32 / 16);
                        self.steps = self.steps.saturating_sub(texts + 1);
                    }
                    let bits = tables.place(field.ranges, way.raw);
                    if (now.word ^ bits) & now.known & *mask != W::zero() {
                        return None;
                    }
                    (now.step, now.at) = (step.next, way.end);
                    (now.word, now.known) = (now.word | bits, now.known | *mask);
                }
                HOLDS | DIFFERS => {
                    let (mut with, mut without) =
                        (self.ahead(tables, task, step.body, now.at, AHEAD), self.ahead(tables, task, step.next, now.at, AHEAD));
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
                    let (first, second) =
                        (self.ahead(tables, task, step.body, now.at, AHEAD), self.ahead(tables, task, step.next, now.at, AHEAD));
                    *has_others |= first && second;
                    now.step = match (first, second) {
                        (true, _) => step.body,
                        (false, true) => step.next,
                        (false, false) => return None,
                    };
                }
                ONE_OF => {
                    self.frames.push((step.next, 0));
                    now.step = step.body;
                }
                RETURN => now.step = self.frames.pop()?.0,
                END | FULL if now.at >= task.bytes.len() => {
                    return self.end(tables, task, form, number, &now).unwrap_or_else(|_| {
                        *has_others = true;
                        None
                    });
                }
                FULL => (now.step, now.at) = (step.body, self.literal(task, b" ", now.at)?),
                _ => return None,
            }
        }
    }
}
