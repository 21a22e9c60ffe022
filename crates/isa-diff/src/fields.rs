//! The fields of a form in both versions: their bits, their meanings, and their defaults.

use super::change::What;
use super::found::{Changes, Side};
use super::names::{Changed, Matched};
use super::versions::{Versions, legal};
use isa_runtime::value::{FloatStyle, Step, Style};
use isa_spec::bits::{Raw, ones};
use isa_spec::model::{Field, Form, Isa, Label};
use isa_spec::print::value_text;
use isa_spec::sets::Solver;

/// The changes of a form's fields that affect other comparisons.
#[derive(Default)]
pub(super) struct Fields {
    /// Fields (of both forms) that changed, with the change and its old and new values.
    pub(super) changed: Vec<([usize; 2], What, [String; 3])>,
    /// Values of fields of the old form with changed texts, which are reported for the enumeration or register file.
    pub(super) values: Vec<(usize, Vec<Raw>)>,
    /// Texts differ because fields do.
    pub(super) is_other: bool,
}

/// Compares the fields: those with one name, then those at one place.
pub(super) fn compare(versions: &Versions<'_>, names: &Matched, forms: [&Form; 2], changes: &mut Changes) -> Fields {
    let [old, new] = forms;
    let mut found = Fields::default();
    let mut left: Vec<&Field> = new.fields.iter().filter(|f| old.field(&f.path).is_none()).collect();
    for (i, field) in old.fields.iter().enumerate() {
        let place = Some((Side::Old, old));
        let same = new.fields.iter().position(|f| f.path == field.path);
        let now = same.or_else(|| {
            // In a text-only instruction set the place of a field does not identify it.
            let at = left.iter().position(|f| !versions.is_text() && f.bits == field.bits && names.is_same(field, f))?;
            let now = left.remove(at);
            changes.add_in(What::FieldRenamed, ["", &field.path, &now.path], place, || None);
            new.fields.iter().position(|f| f.path == now.path)
        });
        match now {
            Some(now) => pair(versions, names, forms, [i, now], &mut found, changes),
            None => changes.add_in(What::FieldRemoved, [&field.path, "", ""], place, || versions.first(old)),
        }
    }
    for field in left {
        changes.add_in(What::FieldAdded, [&field.path, "", ""], Some((Side::New, new)), || None);
    }
    found
}

/// Compares two matched fields.
fn pair(versions: &Versions<'_>, names: &Matched, forms: [&Form; 2], at: [usize; 2], found: &mut Fields, changes: &mut Changes) {
    let [old, new] = [&forms[0].fields[at[0]], &forms[1].fields[at[1]]];
    let [was, is] =
        [&old.bits, &new.bits].map(|bits| if versions.is_text() { format!("{} bits", bits.width()) } else { bits.to_string() });
    let what = match old.bits.width().cmp(&new.bits.width()) {
        std::cmp::Ordering::Less => Some(What::FieldWidened),
        std::cmp::Ordering::Greater => Some(What::FieldNarrowed),
        std::cmp::Ordering::Equal if old.bits != new.bits && !versions.is_text() => Some(What::FieldMoved),
        std::cmp::Ordering::Equal => None,
    };
    if let Some(what) = what {
        found.is_other |= what != What::FieldMoved;
        found.changed.push((at, what, [old.path.clone(), was, is]));
    }
    let place = Some((Side::Old, forms[0]));
    if !names.is_same(old, new) {
        found.is_other = true;
        let meanings = [meaning(versions.isas[0], old), meaning(versions.isas[1], new)];
        let [was, is] = &meanings;
        match other_number([versions.isas[0], versions.isas[1]], [old, new]) {
            Some(raw) if old.bits.width() == new.bits.width() => {
                let wanted = old.bits.set(forms[0].default_word(), raw);
                let word = || {
                    legal(forms[0], &mut Solver::new(versions.isas[0].order(forms[0].length)))
                        .ok()?
                        .nearest(wanted, old.bits.mask())
                };
                let example = || word().map(|word| versions.example(word, forms[0].length));
                changes.add_in(What::FieldNumbers, [&old.path, was, is], place, example);
            }
            _ => changes.add_in(What::FieldMeaning, [&old.path, was, is], place, || versions.first(forms[0])),
        }
        return;
    }
    match names.changed((versions.isas[0], old), (versions.isas[1], new)) {
        Some(Changed::All) => found.is_other = true,
        Some(Changed::Values(values)) => {
            let raws = values.into_iter().filter_map(|v| old.bits_of(v));
            found.values.push((at[0], raws.collect()));
        }
        None => {}
    }
    if (old.default, old.has_default) != (new.default, new.has_default) {
        let shown = |field: &Field| match field.has_default {
            true => format!("`{}`", value_text(field, field.default)),
            false => "none".to_owned(),
        };
        let [was, is] = [shown(old), shown(new)];
        changes.add_in(What::FieldDefault, [&old.path, &was, &is], place, || None);
    }
}

/// The first bits for which two declared codes give different numbers.
fn other_number(isas: [&Isa; 2], fields: [&Field; 2]) -> Option<Raw> {
    let [old, new] = [fields[0], fields[1]].map(|field| &field.code);
    if let (Some(old), Some(new)) = (old.map(), new.map()) {
        let differs = |(bits, number): &&(u16, i128)| new.number((*bits).into()).is_some_and(|other| other != *number);
        return old.numbers().iter().find(differs).or_else(|| old.numbers().first()).map(|(bits, _)| (*bits).into());
    }
    isas[0].code_of(old).zip(isas[1].code_of(new))?;
    // Each bit of a number is an exclusive-or of bits.
    let some = std::iter::once(0).chain((0..old.width).map(|bit| 1 << bit));
    let mut differ = some.filter(|bits: &Raw| old.number_bits(*bits) != new.number_bits(*bits));
    differ.next()
}

/// The meaning of a field, in the notation of specifications.
fn meaning(isa: &Isa, field: &Field) -> String {
    let mut text = match field.label {
        Label::Register(id) => isa.registers[id.index()].name.clone(),
        Label::Enum(id) => isa.enums[id.index()].name.clone(),
        Label::Flag => format!("{:?}", value_text(field, field.bits_of(1).unwrap_or(1))),
        Label::Set => format!("bitset {:?}", value_text(field, field.bits_of(ones(field.code.width)).unwrap_or(0))),
        Label::Number if let Some(code) = isa.code_of(&field.code) => {
            format!("{}{}", code.name, if field.code.is_signed() { " signed" } else { "" })
        }
        Label::Number => if field.code.is_signed() { "signed" } else { "unsigned" }.to_owned(),
    };
    for step in field.code.steps() {
        match step {
            Step::Sign => {}
            Step::Times(factor) => text.push_str(&format!(" *{factor}")),
            Step::Plus(more) => text.push_str(&format!(" +{more}")),
            Step::Page(_) => {}
            Step::Relative(offset) => {
                let page = field.code.relative().map_or(0, |origin| origin.page);
                let page = if page > 0 { format!(" page({page})") } else { String::new() };
                text.push_str(&format!(" target({offset}){page}"));
            }
            Step::Modulo(_) if field.is_target() => text.push_str(" wraps"),
            Step::Modulo(bits) => text.push_str(&format!(" wraps({bits})")),
            Step::Not => text.push_str(" inverted"),
            Step::Flip(_) | Step::Xor { .. } => {}
        }
    }
    if field.code.reads_other_sign {
        text.push_str(" wraps");
    }
    match field.spelling.style().filter(|style| *style != isa.numbers) {
        Some(Style::Hex | Style::PaddedHex(_)) => text.push_str(" hex"),
        Some(Style::Float(FloatStyle { format, digits: 0 })) => text.push_str(&format!(" f{format}")),
        Some(Style::Float(FloatStyle { format, digits })) => text.push_str(&format!(" f{format}({digits})")),
        Some(Style::Dec | Style::Padded(_)) => text.push_str(" dec"),
        None => {}
    }
    text
}
