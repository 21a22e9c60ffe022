//! Enumerations, register files, holes, and the stream of words.

use super::change::{Example, What};
use super::found::{Changes, Side};
use super::versions::Versions;
use isa_runtime::value::{Step, Style};
use isa_spec::model::{Enum, Field, Isa, Label, Otherwise, Prefer, Raw, RegisterFile, Words};
use std::collections::{BTreeSet, HashMap};

/// The values of a field whose texts have changed.
pub(super) enum Changed {
    /// These values.
    Values(BTreeSet<Raw>),
    /// Any value: the texts can't be compared.
    All,
}

/// The enumerations and register files of the old version that exist in the new one, by their places there.
#[derive(Default)]
pub(super) struct Matched {
    enums: HashMap<usize, usize>,
    registers: HashMap<usize, usize>,
    /// The style of plain numbers in each version.
    numbers: Option<[Style; 2]>,
}

impl Matched {
    /// True if two fields have the same meaning, apart from the names of values.
    pub(super) fn is_same(&self, old: &Field, new: &Field) -> bool {
        let is_label = match (old.label, new.label) {
            (Label::Enum(a), Label::Enum(b)) => self.enums.get(&a.index()) == Some(&b.index()),
            (Label::Register(a), Label::Register(b)) => self.registers.get(&a.index()) == Some(&b.index()),
            (a, b) => a == b && (old.spelling == new.spelling || self.are_plain(old, new)),
        };
        // A change of the width of addresses is not reported for each target.
        let is_step = |(a, b): (&Step, &Step)| a == b || old.is_target() && matches!((a, b), (Step::Modulo(_), Step::Modulo(_)));
        let [a, b] = [old, new].map(|field| field.code.steps());
        let is_code = a.len() == b.len() && a.iter().zip(b).all(is_step);
        is_label && is_code && old.code.map() == new.code.map() && old.code.reads_other_sign == new.code.reads_other_sign
    }

    /// Returns true if each of two numbers is in the style of its version.
    fn are_plain(&self, old: &Field, new: &Field) -> bool {
        let styles = [old, new].map(|field| field.spelling.style());
        self.numbers.is_some_and(|plain| styles == plain.map(Some))
    }

    /// The values of a field of both versions with different texts; `None` if all print the same.
    pub(super) fn changed(&self, old: (&Isa, &Field), new: (&Isa, &Field)) -> Option<Changed> {
        let changed = match (old.1.label, new.1.label) {
            (Label::Enum(a), Label::Enum(b)) => values(&old.0.enums[a.index()], &new.0.enums[b.index()]),
            (Label::Register(a), Label::Register(b)) => numbers(&old.0.registers[a.index()], &new.0.registers[b.index()]),
            _ if old.1.spelling != new.1.spelling => Changed::All,
            _ => return None,
        };
        match changed {
            Changed::Values(values) if values.is_empty() => None,
            changed => Some(changed),
        }
    }
}

/// The values whose texts differ.
fn values(old: &Enum, new: &Enum) -> Changed {
    if old.otherwise != new.otherwise {
        return Changed::All;
    }
    let all = old.values.iter().chain(&new.values).map(|v| v.value);
    Changed::Values(all.filter(|value| old.text_of(*value) != new.text_of(*value)).collect())
}

/// The registers whose names differ.
fn numbers(old: &RegisterFile, new: &RegisterFile) -> Changed {
    if (&old.prefix, &old.suffix, &old.halves, &old.names, old.count)
        != (&new.prefix, &new.suffix, &new.halves, &new.names, new.count)
    {
        return Changed::All;
    }
    let all = old.special.iter().chain(&new.special).map(|(number, _)| *number);
    Changed::Values(all.filter(|number| old.name_of(*number) != new.name_of(*number)).collect())
}

/// Compares everything that does not belong to a form.
pub(super) fn compare(versions: &Versions<'_>, changes: &mut Changes) -> Matched {
    let [old, new] = versions.isas;
    stream(old, new, changes);
    let words = [What::EnumRemoved, What::EnumRenamed, What::EnumAdded];
    let same = |a: &Enum, b: &Enum| texts(a) == texts(b);
    let enums = pair([&old.enums, &new.enums], |e| &e.name, same, words, changes);
    let words = [What::RegistersRemoved, What::RegistersRenamed, What::RegistersAdded];
    let same = |a: &RegisterFile, b: &RegisterFile| looks(a) == looks(b);
    let registers = pair([&old.registers, &new.registers], |r| &r.name, same, words, changes);
    for (a, b) in &enums {
        let at = [*a, *b];
        let is_it = |side: Side| move |label: Label| matches!(label, Label::Enum(id) if id.index() == at[side as usize]);
        let example = |side: Side, value: Raw| versions.example_of(side, is_it(side), value);
        enumeration(&old.enums[*a], &new.enums[*b], &mut Values { changes, example: &example });
    }
    for (a, b) in &registers {
        let at = [*a, *b];
        let is_it = |side: Side| move |label: Label| matches!(label, Label::Register(id) if id.index() == at[side as usize]);
        let example = |side: Side, value: Raw| versions.example_of(side, is_it(side), value);
        register_file(&old.registers[*a], &new.registers[*b], &mut Values { changes, example: &example });
    }
    for hole in old.holes.iter().filter(|hole| !new.holes.iter().any(|h| h.name == hole.name)) {
        changes.add(What::HoleRemoved, [&hole.name, "", ""]);
    }
    for hole in new.holes.iter().filter(|hole| !old.holes.iter().any(|h| h.name == hole.name)) {
        changes.add(What::HoleAdded, [&hole.name, "", ""]);
    }
    Matched {
        enums: enums.into_iter().collect(),
        registers: registers.into_iter().collect(),
        numbers: Some([old.numbers, new.numbers]),
    }
}

/// Pairs items with the same name, and then equal items with different names.
fn pair<T>(
    [old, new]: [&[T]; 2],
    name: impl Fn(&T) -> &str,
    is_same: impl Fn(&T, &T) -> bool,
    [removed, renamed, added]: [What; 3],
    changes: &mut Changes,
) -> Vec<(usize, usize)> {
    let places: HashMap<&str, usize> = new.iter().enumerate().map(|(at, item)| (name(item), at)).collect();
    let mut pairs: Vec<(usize, usize)> =
        old.iter().enumerate().filter_map(|(at, item)| Some((at, *places.get(name(item))?))).collect();
    let mut left: Vec<usize> = (0..new.len()).filter(|at| !pairs.iter().any(|(_, b)| b == at)).collect();
    let lost: Vec<usize> = (0..old.len()).filter(|at| !pairs.iter().any(|(a, _)| a == at)).collect();
    for at in lost {
        match left.iter().position(|b| is_same(&old[at], &new[*b])) {
            Some(i) => {
                let b = left.remove(i);
                changes.add(renamed, ["", name(&old[at]), name(&new[b])]);
                pairs.push((at, b));
            }
            None => changes.add(removed, [name(&old[at]), "", ""]),
        }
    }
    for at in left {
        changes.add(added, [name(&new[at]), "", ""]);
    }
    pairs
}

fn texts(e: &Enum) -> (Vec<(Raw, &str)>, &Option<Otherwise>) {
    (e.values.iter().map(|v| (v.value, v.text.as_str())).collect(), &e.otherwise)
}

/// The description of a register file on one line.
fn looks(file: &RegisterFile) -> String {
    let text = match (&file.names, &file.halves) {
        (Some(names), _) => names.to_string(),
        (None, Some([low, high])) => format!("{}n{low} and {}n{high}{}", file.prefix, file.prefix, file.suffix),
        (None, None) => format!("{}n{}", file.prefix, file.suffix),
    };
    let width = if file.width > 0 { format!(" of {} bits", file.width) } else { String::new() };
    format!("{} registers{width}, {text}", file.count)
}

/// Changes of values, with words as examples.
struct Values<'c> {
    changes: &'c mut Changes,
    /// A word of a version with a value.
    example: &'c dyn Fn(Side, Raw) -> Option<Example>,
}

impl Values<'_> {
    fn add(&mut self, what: What, words: [&str; 3], side: Side, value: Raw) {
        self.changes.add_in(what, words, None, || (self.example)(side, value));
    }
}

fn enumeration(old: &Enum, new: &Enum, found: &mut Values<'_>) {
    let shown = |text: &str| format!("`{text}`");
    let value = |number: Raw| format!("{} {number}", new.name);
    let rest = |e: &Enum| e.otherwise.as_ref().map_or("no value".to_owned(), |other| format!("`{other}`").replace("{n}", "n"));
    if old.otherwise != new.otherwise {
        let what = if old.otherwise.is_none() { What::ValueAdded } else { What::ValueText };
        let name = if old.otherwise.is_none() { new.name.clone() } else { format!("{}, where it has no name,", new.name) };
        found.changes.add(what, [&name, &rest(old), &rest(new)]);
    }
    for v in &old.values {
        match (new.text_of(v.value), new.values.iter().find(|n| n.value == v.value)) {
            (None, _) => found.add(What::ValueRemoved, [&new.name, &shown(&v.text), ""], Side::Old, v.value),
            (Some(text), _) if text != v.text => {
                found.add(What::ValueText, [&value(v.value), &shown(&v.text), &shown(&text)], Side::Old, v.value);
            }
            (Some(text), now) => {
                let name = now.and_then(|n| n.name.as_ref());
                if name != v.name.as_ref() {
                    let called = |name: Option<&String>| name.map_or("by its text", |name| name.as_str()).to_owned();
                    found
                        .changes
                        .add(What::ValueName, [&format!("{} `{text}`", new.name), &called(v.name.as_ref()), &called(name)]);
                }
            }
        }
    }
    for v in new.values.iter().filter(|v| !old.values.iter().any(|o| o.value == v.value)) {
        match old.text_of(v.value) {
            None => found.add(What::ValueAdded, [&new.name, "", &shown(&v.text)], Side::New, v.value),
            Some(text) if text != v.text => {
                found.add(What::ValueText, [&value(v.value), &shown(&text), &shown(&v.text)], Side::New, v.value);
            }
            Some(_) => {}
        }
    }
    let also = |e: &Enum| e.values.iter().flat_map(|v| v.also.iter().map(move |t| (v.value, t.clone()))).collect::<Vec<_>>();
    spellings(also(old), also(new), value, found.changes);
}

/// Texts that are read and not printed.
fn spellings(old: Vec<(Raw, String)>, new: Vec<(Raw, String)>, name: impl Fn(Raw) -> String, changes: &mut Changes) {
    for (number, text) in old.iter().filter(|one| !new.contains(one)) {
        changes.add(What::SpellingRemoved, [&name(*number), &format!("`{text}`"), ""]);
    }
    for (number, text) in new.iter().filter(|one| !old.contains(one)) {
        changes.add(What::SpellingAdded, [&name(*number), "", &format!("`{text}`")]);
    }
}

fn register_file(old: &RegisterFile, new: &RegisterFile, found: &mut Values<'_>) {
    if looks(old) != looks(new) {
        found.changes.add(What::Registers, [&new.name, &looks(old), &looks(new)]);
    }
    let value = |number: Raw| format!("{} {number}", new.name);
    let special: BTreeSet<Raw> = old.special.iter().chain(&new.special).map(|(number, _)| *number).collect();
    for number in special {
        match (old.name_of(number), new.name_of(number)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                found.add(What::ValueText, [&value(number), &format!("`{a}`"), &format!("`{b}`")], Side::Old, number);
            }
            (Some(a), None) => found.add(What::ValueRemoved, [&new.name, &format!("`{a}`"), ""], Side::Old, number),
            (None, b) => {
                let name = format!("`{}`", b.unwrap_or_default());
                found.add(What::ValueAdded, [&new.name, "", &name], Side::New, number);
            }
        }
    }
    for (what, a, b) in [("zero", old.zero, new.zero), ("all ones", old.one, new.one)] {
        if a != b {
            let shown = |file: &RegisterFile, number: Option<Raw>| match number.and_then(|n| file.name_of(n)) {
                Some(name) => format!("{name} reads as {what}"),
                None => format!("no register reads as {what}"),
            };
            found.changes.add(What::Registers, [&new.name, &shown(old, a), &shown(new, b)]);
        }
    }
    spellings(old.also.clone(), new.also.clone(), value, found.changes);
}

/// Compares the lengths of words, their order in a stream, the format of numbers, and the choice of assembled words.
fn stream(old: &Isa, new: &Isa, changes: &mut Changes) {
    let order = |words: &Words| if words.low_first { "low-first" } else { "high-first" };
    let bytes = |words: &Words| if words.little_endian { "little" } else { "big" };
    let (a, b) = (&old.words, &new.words);
    if !old.is_text() && !new.is_text() {
        let mut differ = |name: &str, x: String, y: String| {
            if x != y {
                changes.add(What::Stream, [name, &x, &y]);
            }
        };
        differ("the unit", format!("{} bits", a.unit), format!("{} bits", b.unit));
        differ("the order", order(a).to_owned(), order(b).to_owned());
        differ("the byte order", bytes(a).to_owned(), bytes(b).to_owned());
    }
    for length in a.lengths.iter().filter(|l| !b.lengths.iter().any(|m| m.bits == l.bits)) {
        changes.add(What::Length, ["", &length.bits.to_string(), ""]);
    }
    for length in b.lengths.iter().filter(|l| !a.lengths.iter().any(|m| m.bits == l.bits)) {
        changes.add(What::LengthAdded, ["", "", &length.bits.to_string()]);
    }
    if old.numbers != new.numbers {
        let shown = |style: Style| if style == Style::Hex { "hexadecimal" } else { "decimal" };
        changes.add(What::ValueText, ["a number", shown(old.numbers), shown(new.numbers)]);
    }
    if old.prefer != new.prefer {
        let shown = |prefer: Prefer| if prefer == Prefer::First { "first" } else { "shortest" };
        changes.add(What::Prefer, ["", shown(old.prefer), shown(new.prefer)]);
    }
}
