//! Register files and enumerations.

use super::Cx;
use super::code::{Code, quoted};
use super::docs::DocLines;
use super::fields::unsigned;
use super::names::{camel, distinct, distinct_from, screaming};
use isa_spec::model::{EnumValue, RegisterFile};
use std::collections::HashSet;

fn repr(bits: u32) -> String {
    unsigned(bits.min(64))
}

/// `rt::registers! { pub struct R(u8), …; RZ = 255; }`
pub(super) fn register(cx: &Cx<'_>, index: usize, code: &mut Code) {
    let file = &cx.isa.registers[index];
    let name = &cx.names.registers[index];
    let mut docs = DocLines::new(cx.isa, &[&file.summary, &format!("A register of the file {}.", file.name)]);
    docs.cite(&file.doc).place(file.span);
    if file.names.is_some() {
        docs.paragraph("Programs name it; this is its number in an instruction, and a `Statement` has the names.");
    }
    let mut taken = HashSet::new();
    let constants = distinct_from(&mut taken, file.special.iter().map(|(_, n)| screaming(n)));
    let (of, from) = match file.part_of {
        Some(part) => (&cx.isa.registers[part.file.index()].name, part.from),
        None => (&file.name, 0),
    };
    let others = other_names(file);
    let other_constants = distinct_from(&mut taken, others.iter().map(|(_, name)| screaming(name)));
    code.gap().block("rt::registers! {", "}", |code| {
        code.docs(docs.lines());
        let (spec, of) = (quoted(&file.name), quoted(of));
        code.line(format_args!("pub struct {name}({}), file {index} {spec}, of {of} + {from},", repr(file.index)));
        code.list("exists [", numbers(file).iter().map(|[from, to]| format!("{from}..={to}")), "];");
        for ((i, text), constant) in file.special.iter().zip(&constants) {
            let role = match () {
                () if file.zero == Some(*i) => ": reads as zero",
                () if file.one == Some(*i) => ": reads as all ones",
                () => "",
            };
            code.docs(DocLines::new(cx.isa, &[&format!("`{text}`{role}.")]).lines()).line(format_args!("{constant} = {i};"));
        }
        let others = others.iter().zip(&other_constants).map(|((i, _), constant)| format!("{constant} = {i}"));
        code.list("; others [", others, "];");
    });
}

/// Files with more registers have no constants for them.
const MOST_CONSTANTS: u128 = 256;

/// The registers that are called by number, with the texts that say so.
fn other_names(file: &RegisterFile) -> Vec<(u128, String)> {
    if file.names.is_some() || file.end() > MOST_CONSTANTS {
        return Vec::new();
    }
    let is_special = |i: &u128| file.special.iter().any(|(special, _)| special == i);
    (0..file.end()).filter(|i| !is_special(i)).filter_map(|i| Some((i, file.name_of(i)?))).collect()
}

/// The numbers that are registers, as ranges.
fn numbers(file: &RegisterFile) -> Vec<[u128; 2]> {
    let most = 1u128.checked_shl(file.index).map_or(u128::MAX, |end| end - 1);
    if file.names.is_some() {
        return vec![[0, most]];
    }
    let mut ranges: Vec<[u128; 2]> = (file.count > 0).then(|| [0, file.count - 1]).into_iter().collect();
    ranges.extend(file.special.iter().map(|(i, _)| [*i, *i]));
    ranges.sort_unstable();
    let mut joined: Vec<[u128; 2]> = Vec::new();
    for [from, to] in ranges {
        match joined.last_mut() {
            Some([_, end]) if from <= end.saturating_add(1) => *end = to.max(*end),
            _ => joined.push([from, to]),
        }
    }
    joined
}

/// `rt::values! { pub enum Evict(u8), …; Ef = 0; }`, or a `struct` with constants if values without a name are allowed.
pub(super) fn enumeration(cx: &Cx<'_>, index: usize, code: &mut Code) {
    let e = &cx.isa.enums[index];
    let name = &cx.names.enums[index];
    let is_open = e.otherwise.is_some() || e.values.is_empty();
    let mut docs = DocLines::new(cx.isa, &[&e.summary, &format!("A value of {}.", e.name)]);
    docs.cite(&e.doc).place(e.span);
    let case = if is_open { screaming } else { camel };
    let names = distinct(e.values.iter().map(|v| case(&value_name(v))));
    let width = cx.enum_widths[index];
    code.gap().block("rt::values! {", "}", |code| {
        code.docs(docs.lines());
        match is_open {
            true => code.line(format_args!("pub struct {name}({}), number {index}, bits {width};", repr(width))),
            false => code.line(format_args!("pub enum {name}({}), number {index};", repr(width))),
        };
        for (value, name) in e.values.iter().zip(&names) {
            code.docs(value_docs(cx, value).lines()).line(format_args!("{name} = {};", value.value));
        }
    });
}

/// A name for a value: the one it was given, else made of its text, else of its number.
fn value_name(v: &EnumValue) -> String {
    if let Some(name) = &v.name {
        return name.clone();
    }
    let text = v.text.trim_start_matches('.');
    // Signs other than separators would vanish, and with them the difference between `+` and `-`.
    let sayable = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    if sayable { text.to_owned() } else { format!("V{}", v.value) }
}

fn value_docs<'a>(cx: &Cx<'a>, v: &EnumValue) -> DocLines<'a> {
    let text =
        if v.text.is_empty() { format!("{}, which prints nothing.", v.value) } else { format!("{}, `{}`.", v.value, v.text) };
    let mut docs = DocLines::new(cx.isa, &[&text]);
    docs.paragraph(&v.note).cite(&v.doc);
    docs
}
