//! The values of fields in texts, by the parts of their spellings.

use super::super::Bits;
use super::super::spelling::{goes_on, longest};
use super::super::tables::{ENUM, REGISTER, SET};
use super::alike::alike;
use super::attempt::Attempt;
use super::number::has_leading_zero;
use super::ready::{Field, Numbered, Numbers, Other, Part, Ready, Spelling, Step, Way};
use super::task::{Task, is_word};
use crate::U256;
use crate::literal::Digits;
use crate::why::{Expected, Wrong};
use alloc::string::{String, ToString};

/// The limit of readings of the first parts of a text that are kept for the parts that follow.
const MOST_WAYS: usize = 64;

impl<W: Bits> Attempt<W> {
    /// Adds the readings of a field at a place: its bits, and their ends.
    pub(super) fn ways(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, step: &Step, field: &Field<W>, at: usize) {
        let first = self.ways.len();
        let Some(spelling) = tables.all_spellings.get(step.spelling as usize) else { return };
        let only = tables.only_part(step);
        match only {
            // Blanks are allowed before a value, not within it.
            Some(part) => self.part(tables, task, field, &field.code, part, at, task.blanks(at)),
            None => self.parts(tables, task, field, tables.ready_parts(spelling), at),
        }
        if only.is_none_or(|part| part.style().is_none())
            && let Some(map) = field.code.code.map().filter(|_| !field.code.is_chosen(task))
        {
            // Several bit patterns of one reading can have the same name.
            for i in first..self.ways.len() {
                let way = self.ways[i];
                let all = map.number(way.raw).into_iter().flat_map(|number| map.bits(number)).map(u128::from);
                self.ways.extend(all.filter(|raw| *raw != way.raw).map(|raw| Way { raw, ..way }));
            }
        }
        if task.notes && only.is_none_or(|part| part.style().is_none()) {
            let is_read = self.ways.len() > first;
            self.expected(tables, task, field, spelling, at, is_read);
        }
        if task.pass.is_exact() {
            let mut kept = first;
            for i in first..self.ways.len() {
                if self.ways[i].is_printed {
                    self.ways[kept] = self.ways[i];
                    kept += 1;
                }
            }
            self.ways.truncate(kept);
        }
    }

    /// The readings of parts, one after the other.
    fn parts(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, field: &Field<W>, parts: &[Part<'_>], at: usize) {
        let first = self.ways.len();
        self.ways.push(Way { raw: 0, open: 0, end: at, is_printed: true });
        for part in parts {
            let Some(plain) = tables.plain(if part.row.width == 0 { field.row.width } else { part.row.width }) else { return };
            let before = self.ways.len();
            for i in first..before {
                let (so_far, begin) = (self.ways[i], self.ways.len());
                self.part(tables, task, field, plain, part, so_far.end, so_far.end);
                for way in &mut self.ways[begin..] {
                    way.raw = so_far.raw | way.raw.checked_shl(part.row.lo.into()).unwrap_or(0);
                    way.is_printed &= so_far.is_printed;
                }
            }
            self.ways.drain(first..before);
            self.ways.truncate(first + MOST_WAYS);
        }
        let mut kept = first;
        for i in first..self.ways.len() {
            if let Some(raw) = field.code.bits(self.ways[i].raw) {
                self.ways[kept] = Way { raw, ..self.ways[i] };
                kept += 1;
            }
        }
        self.ways.truncate(kept);
    }

    /// The readings of a part: its bits by a code. Punctuation can begin at `mark`, all else at `at`.
    #[expect(clippy::too_many_arguments, reason = "a part, its field and its place")]
    fn part(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        code: &Numbers,
        part: &Part<'_>,
        at: usize,
        mark: usize,
    ) {
        let (before, first) = (self.ways.len(), task.bytes.get(mark).copied().unwrap_or(0));
        // A text that begins like a word is allowed only after the blanks that any value may have before it.
        let names = if mark == at || !is_word(first) { part.names_with(first) } else { &[] };
        for name in names.iter().filter(|name| task.stands(&name.text, mark)) {
            if let Some(raw) = code.bits(name.value) {
                self.ways.push(Way { raw, open: 0, end: mark + name.text.len(), is_printed: name.is_printed });
            }
        }
        for name in part.empty_names() {
            if let Some(raw) = code.bits(name.value) {
                self.ways.push(Way { raw, open: 0, end: at, is_printed: name.is_printed });
            }
        }
        match &part.other {
            Other::Number(style) => {
                // Symbols of a program are never written as numbers are printed.
                if !task.pass.is_exact()
                    && let Some(way) = self.symbol(tables, task, field, code, *style, at)
                {
                    self.ways.push(way);
                }
                if let Some(way) = self.number(tables, task, field, code, *style, at) {
                    self.ways.push(way);
                    self.ways.extend(alike(code, *style, way, &task.bytes[at..way.end], code.is_chosen(task)));
                }
            }
            Other::Numbered(numbered) => {
                self.numbered(tables, task, field, code, part, numbered, at);
                // A value of an enumeration can be written as any number. Its names are not read as symbols.
                let style = if field.row.label == ENUM { part.else_style().filter(|_| code.code.map().is_none()) } else { None };
                if let Some(style) = style.filter(|_| !task.pass.is_exact()) {
                    let symbol = self.symbol(tables, task, field, code, style, at);
                    let number = self.number(tables, task, field, code, style, at);
                    let named = self.ways[before..].iter().map(|way| way.end).max().unwrap_or(0);
                    self.ways.extend(symbol.into_iter().chain(number).filter(|way| way.end > named));
                }
            }
            Other::None | Other::Given => {}
        }
    }

    /// The readings of a number between two texts.
    #[expect(clippy::too_many_arguments, reason = "a part, its field and its place")]
    fn numbered(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        code: &Numbers,
        part: &Part<'_>,
        numbered: &Numbered<'_>,
        at: usize,
    ) {
        if !task.stands(&numbered.before, at) {
            return;
        }
        let start = at + numbered.before.len();
        let Some(rest) = task.rest(start).strip_prefix(if numbered.is_hex { &b"0x"[..] } else { b"" }) else { return };
        let digits = Digits::read(rest, if numbered.is_hex { 16 } else { 10 }, false);
        let own = &rest[..digits.length];
        if own.is_empty() {
            return;
        }
        let behind = task.bytes.len() - rest.len() + digits.length;
        let number = match !numbered.is_hex && !numbered.has_letters && has_leading_zero(own) {
            true => self.with_leading_zero(tables, task, own, start..behind).flatten(),
            false => digits.magnitude.and_then(U256::to_u128),
        };
        let Some(number) = number else { return };
        for (half, name) in (0..).zip(&numbered.halves) {
            let after = behind + name.len();
            if !task.stands(name, behind) || !task.stands(&numbered.after, after) {
                continue;
            }
            let end = after + numbered.after.len();
            let number = number.saturating_mul(numbered.halves.len() as u128).saturating_add(half);
            match code.bits(number).filter(|_| number <= part.row.last) {
                Some(raw) => {
                    let is_plain = digits.is_plain && (own.len() == 1 || own[0] != b'0');
                    let is_printed = is_plain && !part.is_named(tables, number);
                    self.ways.push(Way { raw, open: 0, end, is_printed });
                }
                None => self.notes.wrong(task, at, end, || {
                    let last = tables.part_text(&part.row, part.row.last.min(code.greatest()));
                    let shown = task.text[at..end].to_string();
                    match field.row.label {
                        REGISTER => Wrong::NoRegister { shown, last },
                        _ => Wrong::NoValue { shown, last },
                    }
                }),
            }
        }
    }

    /// Notes the values that a field can have at a place where it was read, or not.
    fn expected(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        spelling: &Spelling,
        at: usize,
        is_read: bool,
    ) {
        match field.row.label {
            REGISTER | SET if is_read => {}
            REGISTER => {
                let file = tables.registers.get(field.row.of as usize).unwrap_or_default();
                self.notes.fail(task, at, || Expected::Register(tables.text(file.of).to_string()));
            }
            SET => {
                let member = |part: &Part<'_>| tables.printed(&part.row, 1).map_or("", |named| tables.text(named.text));
                self.notes
                    .fail(task, at, || Expected::Letters(tables.ready_parts(spelling).iter().map(member).collect::<String>()));
            }
            _ => self.notes.fail_texts(tables, task, field, spelling, at),
        }
    }

    /// Reads a name given by the program; returns its end.
    pub(super) fn name(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        step: &Step,
        field: &Field<W>,
        from: usize,
    ) -> Option<usize> {
        let patterns = tables.patterns_of(step.spelling);
        // A character that could belong to the word before does belong to it.
        let rest = task.rest(from);
        let is_inside = from.checked_sub(1).and_then(|before| task.bytes.get(before)).is_some_and(|c| is_word(*c));
        let runs_on = is_inside && rest.first().is_some_and(|c| patterns.clone().any(|classes| goes_on(classes, *c)));
        let Some(length) = patterns.filter_map(|classes| longest(classes, rest)).max().filter(|_| !runs_on) else {
            if task.notes
                && let Some(spelling) = tables.all_spellings.get(step.spelling as usize)
            {
                self.expected(tables, task, field, spelling, from, false);
            }
            return None;
        };
        if let Some(name) = self.names.get_mut(usize::from(field.row.place)) {
            *name = from..from + length;
        }
        Some(from + length)
    }
}
