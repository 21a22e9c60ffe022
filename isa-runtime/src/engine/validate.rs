//! What the engine relies on: every number that leads somewhere does, and what it follows comes to an end.
//!
//! Printing and decoding look up every place with a check, so that wrong numbers are wrong answers at most. What is checked here is
//! what would make them wrong without being seen.

use super::Bits;
use super::image::BadImage;
use super::tables::{
    DIFFERS, EITHER, ENUM, FIELD, FLAG, FULL, HOLDS, LETTERS, LITERAL, NAME, NUMBER, ONE_OF, REGISTER, RETURN, Rows, Str, Tables,
    UNLESS_DIFFERS, UNLESS_SET, UNLESS_TEST, VALUE,
};
use alloc::format;

/// Checks tables.
///
/// # Errors
/// When a number leads nowhere.
pub(super) fn validate<W: Bits>(t: &Tables<'_, W>) -> Result<(), BadImage> {
    let bad = |what: &str, row: usize| BadImage(format!("the image is damaged: row {row} of `{what}` leads nowhere"));
    let all = |what: &str, rows: usize, is_good: &dyn Fn(usize) -> bool| match (0..rows).find(|row| !is_good(*row)) {
        Some(row) => Err(bad(what, row)),
        None => Ok(()),
    };
    let text = |s: Str| {
        let at = s.at as usize;
        at.checked_add(s.len as usize).and_then(|end| t.bytes.get(at..end)).is_some_and(|b| core::str::from_utf8(b).is_ok())
    };
    let within = |rows: Rows, len: usize| (rows.at as usize).checked_add(rows.len as usize).is_some_and(|end| end <= len);
    let set = |root: u32| (root as usize) < t.nodes.len();
    let bit = |bit: u8| u32::from(bit) < W::BITS;
    // Rows of these are counted in 16 bits, and the last number stands for none.
    let counted = [
        ("rows", t.rows.len()),
        ("insns", t.insns.len()),
        ("forms", t.forms.len()),
        ("fields", t.fields.len()),
        ("templates", t.templates.len()),
        ("keys", t.keys.len()),
    ];
    if let Some((what, rows)) = counted.into_iter().find(|(_, rows)| *rows > usize::from(u16::MAX)) {
        return Err(bad(what, rows));
    }
    all("nodes", t.nodes.len(), &|i| {
        i < 2 || t.nodes.get(i).is_some_and(|n| (n.lo as usize) < i && (n.hi as usize) < i && bit(n.bit))
    })?;
    if t.nodes.len() < 2 || !text(t.head.name) || !text(t.head.summary) || t.head.unit == 0 || t.head.longest > 1 << 20 {
        return Err(bad("head", 0));
    }
    all("strings", t.strings.len(), &|i| text(t.strings[i]))?;
    all("lengths", t.lengths.len(), &|i| {
        let l = &t.lengths[i];
        u32::from(l.bits) <= W::BITS && l.bits > 0 && set(l.prefix) && set(l.words)
    })?;
    all("index", t.index.len(), &|i| usize::from(t.index[i]) < t.rows.len())?;
    all("rows", t.rows.len(), &|i| {
        let r = &t.rows[i];
        i == 0 || (usize::from(r.form) < t.forms.len() && usize::from(r.next) < i && set(r.rest))
    })?;
    all("orders", t.orders.len(), &|i| bit(t.orders[i]))?;
    all("order_of", t.order_of.len(), &|i| {
        let order = t.order_of[i].order;
        within(order, t.orders.len()) && order.len <= W::BITS
    })?;
    all("insns", t.insns.len(), &|i| {
        let insn = &t.insns[i];
        text(insn.name)
            && text(insn.mnemonic)
            && usize::from(insn.first) + usize::from(insn.forms) <= t.forms.len()
            && insn.names <= 256
    })?;
    if t.texts.len() != t.forms.len() {
        return Err(bad("texts", t.texts.len().min(t.forms.len())));
    }
    all("texts", t.texts.len(), &|i| within(t.texts[i].text, t.ops.len()) && within(t.texts[i].full, t.ops.len()))?;
    all("forms", t.forms.len(), &|i| {
        let f = &t.forms[i];
        let fields = Tables::<W>::rows_of(t.lists, f.fields);
        text(f.name)
            && usize::from(f.insn) < t.insns.len()
            && u32::from(f.length) <= W::BITS
            && within(f.fields, t.lists.len())
            && fields.iter().all(|field| usize::from(*field) < t.fields.len())
            && within(f.fixed, t.fixed.len())
            && set(f.words)
            && set(f.legal)
            && within(f.exclusions, t.exclusions.len())
            && within(f.rules, t.rules.len())
    })?;
    all("ranges", t.ranges.len(), &|i| t.ranges[i].hi >= t.ranges[i].lo && bit(t.ranges[i].hi))?;
    let width = |rows: Rows| -> u32 {
        Tables::<W>::rows_of(t.ranges, rows).iter().map(|r| u32::from(r.hi.saturating_sub(r.lo)) + 1).sum()
    };
    all("fields", t.fields.len(), &|i| {
        let f = &t.fields[i];
        let of = f.of as usize;
        let is_there = match f.kind {
            NUMBER => of < t.numbers.len(),
            REGISTER | NAME => of < t.registers.len(),
            ENUM => of < t.enums.len(),
            FLAG | LETTERS => of < t.strings.len(),
            _ => false,
        };
        text(f.path)
            && within(f.ranges, t.ranges.len())
            && is_there
            && f.width <= 128
            && width(f.ranges) == f.width.into()
            && f.width > 0
    })?;
    all("numbers", t.numbers.len(), &|i| t.numbers[i].scale != 0)?;
    all("registers", t.registers.len(), &|i| {
        let r = &t.registers[i];
        [r.name, r.prefix, r.suffix, r.halves[0], r.halves[1]].into_iter().all(text)
            && within(r.special, t.names.len())
            && within(r.spellings, t.spellings.len())
    })?;
    all("names", t.names.len(), &|i| text(t.names[i].text))?;
    all("enums", t.enums.len(), &|i| {
        let e = &t.enums[i];
        [e.name, e.around[0], e.around[1]].into_iter().all(text)
            && within(e.values, t.names.len())
            && within(e.texts, t.names.len())
    })?;
    all("spellings", t.spellings.len(), &|i| within(t.spellings[i], t.parts.len()))?;
    all("fixed", t.fixed.len(), &|i| text(t.fixed[i].name) && within(t.fixed[i].ranges, t.ranges.len()))?;
    all("exclusions", t.exclusions.len(), &|i| {
        let e = &t.exclusions[i];
        set(e.when) && text(e.why) && (e.field == super::tables::NO_FIELD || usize::from(e.field) < t.fields.len())
    })?;
    all("rules", t.rules.len(), &|i| {
        let r = &t.rules[i];
        set(r.holds) && text(r.why) && within(r.fields, t.lists.len())
    })?;
    all("holes", t.holes.len(), &|i| text(t.holes[i].name) && text(t.holes[i].refusal))?;
    all("regions", t.regions.len(), &|i| text(t.regions[i].name))?;
    all("ops", t.ops.len(), &|i| {
        let op = &t.ops[i];
        let base = op.base as usize;
        match op.kind {
            FIELD => base < t.fields.len(),
            UNLESS_TEST => base < t.tests.len(),
            UNLESS_SET => set(op.base),
            UNLESS_DIFFERS => base < t.cubes.len(),
            kind => kind < UNLESS_TEST,
        }
    })?;
    all("steps", t.steps.len(), &|i| {
        let s = &t.steps[i];
        let of = s.of as usize;
        let is_there = match s.kind {
            LITERAL => of < t.strings.len(),
            VALUE => of < t.fields.len(),
            HOLDS => set(s.of),
            DIFFERS => of < t.cubes.len(),
            _ => s.kind <= RETURN,
        };
        // Steps stand behind those that they go on at.
        let ahead = match s.kind {
            HOLDS | DIFFERS | EITHER | ONE_OF => (s.next as usize) < i && (s.body as usize) < i,
            FULL => (s.body as usize) < i,
            LITERAL | VALUE => (s.next as usize) < i,
            _ => true,
        };
        is_there && ahead && (s.initials as usize) < t.initials.len()
    })?;
    all("templates", t.templates.len(), &|i| {
        let row = &t.templates[i];
        usize::from(row.form) < t.forms.len() && (row.step as usize) < t.steps.len() && text(row.word) && text(row.longest)
    })?;
    all("keys", t.keys.len(), &|i| {
        let templates = Tables::<W>::rows_of(t.lists, t.keys[i].templates);
        let exist = templates.iter().all(|n| usize::from(*n) < t.templates.len());
        text(t.keys[i].word) && within(t.keys[i].templates, t.lists.len()) && exist
    })?;
    all("refused", t.refused.len(), &|i| {
        let r = &t.refused[i];
        usize::from(r.form) < t.forms.len() && (r.step as usize) < t.steps.len() && text(r.why)
    })
}
