//! The checks on which the engine relies: every reference is in range, and every chain of references ends.
//!
//! Printing and decoding check every access, so that wrong numbers lead to wrong answers at most. The checks here find numbers
//! that would lead to wrong answers silently.

use super::image::BadImage;
use super::tables::{
    Common, DIFFERS, EITHER, ENUM, FIELD, FULL, GIVEN, HOLDS, LITERAL, NO_FIELD, ONE_OF, ONLY, REGISTER, RETURN, Rows, SET, Str,
    TEXT_ONLY, Tables, UNLESS_DIFFERS, UNLESS_SET, UNLESS_TEST, VALUE,
};
use super::{Bits, Record, Table};
use crate::Assembly;
use crate::machine::{MachineInfo, ObjectFiles};
use crate::stored::Stored as _;
use crate::value::Step;

/// Checks tables.
///
/// # Errors
/// When a number is out of range.
pub(super) fn validate<W: Bits>(t: &Tables<'_, W>) -> Result<(), BadImage> {
    let has = Has { bits: W::BITS, rows: t.rows.len(), forms: t.forms.len(), cubes: t.cubes.len() };
    common(t, &has)?;
    let text = |text: Str| is_text(t, text);
    let set = |root: u32| (root as usize) < t.nodes.len();
    // The words of a text-only instruction set occur in no stream.
    let head = t.head();
    let in_units = |bits: u16| head.flags & TEXT_ONLY != 0 || bits.is_multiple_of(head.unit);
    all("lengths", t.lengths, &mut |_, l| {
        u32::from(l.bits) <= W::BITS && l.bits > 0 && in_units(l.bits) && set(l.prefix) && set(l.words)
    })?;
    all("rows", t.rows, &mut |i, r| i == 0 || (usize::from(r.form) < t.forms.len() && usize::from(r.next) < i && set(r.rest)))?;
    all("forms", t.forms, &mut |_, f| {
        text(f.name)
            && usize::from(f.insn) < t.insns.len()
            && u32::from(f.length) <= W::BITS
            && [f.fields, f.operands].into_iter().all(|list| is_list(t, list))
            && within(f.fixed, t.fixed.len())
            && set(f.words)
            && set(f.legal)
            && set(f.one_way)
            && within(f.exclusions, t.exclusions.len())
            && within(f.rules, t.rules.len())
            && within(f.accesses, t.accesses.len())
            && within(f.control, t.control.len())
    })?;
    all("holes", t.holes, &mut |_, h| text(h.name) && text(h.summary))?;
    all("regions", t.regions, &mut |_, r| text(r.name))
}

/// The number of rows of tables with words, and the bits of these.
struct Has {
    bits: u32,
    rows: usize,
    forms: usize,
    cubes: usize,
}

fn is_text(t: &Common<'_>, text: Str) -> bool {
    let at = text.at as usize;
    let bytes = at.checked_add(text.len as usize).and_then(|end| t.bytes.bytes().get(at..end));
    bytes.is_some_and(|bytes| core::str::from_utf8(bytes).is_ok())
}

/// Returns true if rows are among those of a table.
fn within(rows: Rows, len: usize) -> bool {
    (rows.at as usize).checked_add(rows.len as usize).is_some_and(|end| end <= len)
}

/// Returns true if a list has fields.
fn is_list(t: &Common<'_>, list: Rows) -> bool {
    within(list, t.lists.len()) && t.lists.slice(list).iter().all(|field| usize::from(field) < t.fields.len())
}

/// Checks the tables without words.
fn common(t: &Common<'_>, has: &Has) -> Result<(), BadImage> {
    let text = |text: Str| is_text(t, text);
    let set = |root: u32| (root as usize) < t.nodes.len();
    let bit = |bit: u8| u32::from(bit) < has.bits;
    // Rows of these tables have 16-bit indices, and the last index means none.
    let counted = [
        ("rows", has.rows),
        ("insns", t.insns.len()),
        ("forms", has.forms),
        ("fields", t.fields.len()),
        ("templates", t.templates.len()),
        ("keys", t.keys.len()),
    ];
    if let Some((what, rows)) = counted.into_iter().find(|(_, rows)| *rows > usize::from(u16::MAX)) {
        return Err(BadImage::Row(what, rows));
    }
    all("nodes", t.nodes, &mut |i, n| i < 2 || ((n.lo as usize) < i && (n.hi as usize) < i && bit(n.bit)))?;
    let head = t.head();
    if t.nodes.len() < 2
        || !text(head.name)
        || !text(head.summary)
        || head.unit == 0
        || u32::from(head.unit) > has.bits
        || head.longest > 1 << 20
    {
        return Err(BadImage::Row("head", 0));
    }
    all("strings", t.strings, &mut |_, s| text(s))?;
    all("index", t.index, &mut |_, row| usize::from(row) < has.rows)?;
    all("orders", t.orders, &mut |_, b| bit(b))?;
    all("order_of", t.order_of, &mut |_, o| within(o.order, t.orders.len()) && o.order.len <= has.bits)?;
    all("insns", t.insns, &mut |_, insn| {
        text(insn.name)
            && text(insn.mnemonic)
            && usize::from(insn.first) + usize::from(insn.forms) <= has.forms
            && insn.names <= 256
    })?;
    if t.texts.len() != has.forms {
        return Err(BadImage::Row("texts", t.texts.len().min(has.forms)));
    }
    all("texts", t.texts, &mut |_, texts| {
        within(texts.text, t.ops.len()) && within(texts.base, t.ops.len()) && within(texts.full, t.ops.len())
    })?;
    all("accesses", t.accesses, &mut |_, a| usize::from(a.field) < t.fields.len() && set(a.when))?;
    let ways = t.shorter;
    all("shorter", ways, &mut |i, row| {
        let is_behind = ways.get(i.wrapping_sub(1)).is_none_or(|before| before.long <= row.long);
        let is_form = |form: u16| usize::from(form) < has.forms;
        is_behind && is_form(row.long) && is_form(row.short) && within(row.held, t.held.len())
    })?;
    all("held", t.held, &mut |_, row| {
        usize::from(row.field) < t.fields.len() && (row.from == NO_FIELD || usize::from(row.from) < t.fields.len())
    })?;
    all("control", t.control, &mut |_, c| text(c.list) && text(c.item) && set(c.when))?;
    all("ranges", t.ranges, &mut |_, r| r.hi >= r.lo && bit(r.hi))?;
    let width = |rows: Rows| -> u32 { t.ranges.slice(rows).iter().map(|r| u32::from(r.hi.saturating_sub(r.lo)) + 1).sum() };
    all("fields", t.fields, &mut |_, f| {
        let of = f.of as usize;
        let is_there = match f.label {
            REGISTER => of < t.registers.len(),
            ENUM => of < t.enums.len(),
            label => label <= SET,
        };
        text(f.path)
            && within(f.ranges, t.ranges.len())
            && is_there
            && f.width <= 128
            && width(f.ranges) == f.width.into()
            && (f.code as usize) < t.codes.len()
            && (f.spelling as usize) < t.spellings.len()
    })?;
    all("codes", t.codes, &mut |_, code| {
        let map = t.mapped.slice(code.map);
        let is_ordered = || map.iter().zip(map.iter().skip(1)).all(|(one, next)| one.bits < next.bits);
        within(code.steps, t.code_steps.len()) && within(code.map, t.mapped.len()) && is_ordered()
    })?;
    all("code_steps", t.code_steps, &mut |_, step| Step::from_parts(step.kind, step.by).parts() == (step.kind, step.by))?;
    all("spellings", t.spellings, &mut |_, parts| within(parts, t.parts.len()))?;
    all("parts", t.parts, &mut |_, part| {
        [part.before, part.after, part.halves[0], part.halves[1]].into_iter().all(text)
            && within(part.printed, t.names.len())
            && within(part.read, t.names.len())
            && within(part.patterns, t.patterns.len())
            && part.other <= GIVEN
            && part.lo < 128
            && part.width <= 128
    })?;
    all("names", t.names, &mut |_, n| text(n.text))?;
    all("patterns", t.patterns, &mut |_, classes| within(classes, t.classes.len()))?;
    all("registers", t.registers, &mut |_, r| text(r.name) && text(r.of) && (r.spelling as usize) < t.spellings.len())?;
    all("enums", t.enums, &mut |_, e| text(e.name) && (e.spelling as usize) < t.spellings.len())?;
    all("fixed", t.fixed, &mut |_, f| text(f.name) && within(f.ranges, t.ranges.len()) && width(f.ranges) <= 128)?;
    all("exclusions", t.exclusions, &mut |_, e| {
        set(e.when) && text(e.why) && (e.field == super::tables::NO_FIELD || usize::from(e.field) < t.fields.len())
    })?;
    all("rules", t.rules, &mut |_, r| set(r.holds) && text(r.why) && within(r.fields, t.lists.len()))?;
    all("ops", t.ops, &mut |_, op| {
        let base = op.base as usize;
        match op.kind {
            FIELD => base < t.fields.len() && (op.spelling as usize) < t.spellings.len(),
            UNLESS_TEST => base < t.tests.len(),
            UNLESS_SET => set(op.base),
            UNLESS_DIFFERS => base < has.cubes,
            kind => kind < UNLESS_TEST,
        }
    })?;
    all("steps", t.steps, &mut |i, s| {
        let of = s.of as usize;
        let is_there = match s.kind {
            LITERAL => of < t.strings.len(),
            VALUE => of < t.fields.len() && (s.spelling as usize) < t.spellings.len(),
            HOLDS | ONLY => set(s.of),
            DIFFERS => of < has.cubes,
            _ => s.kind <= RETURN,
        };
        // Steps come after their successors.
        let ahead = match s.kind {
            HOLDS | DIFFERS | EITHER | ONE_OF => (s.next as usize) < i && (s.body as usize) < i,
            FULL => (s.body as usize) < i,
            LITERAL | VALUE | ONLY => (s.next as usize) < i,
            _ => true,
        };
        is_there && ahead && (s.initials as usize) < t.initials.len()
    })?;
    all("templates", t.templates, &mut |_, row| {
        usize::from(row.form) < has.forms && (row.step as usize) < t.steps.len() && text(row.word) && text(row.longest)
    })?;
    all("keys", t.keys, &mut |_, key| {
        let exist = t.lists.slice(key.templates).iter().all(|n| usize::from(n) < t.templates.len());
        text(key.word) && within(key.templates, t.lists.len()) && exist
    })?;
    all("refused", t.refused, &mut |_, r| usize::from(r.form) < has.forms && (r.step as usize) < t.steps.len() && text(r.why))?;
    let stored = [
        ("assembly", Assembly::of_all(t.assembly.bytes()).is_some_and(|assembly| assembly.is_bounded())),
        ("objects", t.objects.is_empty() || ObjectFiles::of(t).is_some()),
        ("machine", MachineInfo::of_all(t.machine.bytes()).is_some_and(|info| info.units == t.units() && info.is_bounded())),
    ];
    stored.into_iter().try_for_each(|(table, is_good)| if is_good { Ok(()) } else { Err(BadImage::Row(table, 0)) })
}

/// Checks a condition for each row of a table. Compiled for each kind of row, not for each condition: there are many of both.
fn all<T: Record>(name: &'static str, table: Table<'_, T>, is_good: &mut dyn FnMut(usize, T) -> bool) -> Result<(), BadImage> {
    for row in 0..table.len() {
        if !table.get(row).is_some_and(|content| is_good(row, content)) {
            return Err(BadImage::Row(name, row));
        }
    }
    Ok(())
}
