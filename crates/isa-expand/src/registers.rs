//! Register files, and those that are a part of another one.

use super::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::model::{MAX_NAMES, ObjectFiles, PartOf, Raw, RegisterFile, RegisterId, ones};
use isa_syntax::lang;
use isa_syntax::read::{ObjectDecl, RegisterDecl};
use std::collections::HashMap;
use std::sync::Arc;

pub(super) fn registers(cx: &Context<'_, '_>) -> Vec<RegisterFile> {
    let mut files: Vec<RegisterFile> = cx.spec.registers.iter().map(|r| register(cx, r)).collect();
    for (index, r) in cx.spec.registers.iter().enumerate() {
        let Some(of) = &r.of else { continue };
        let whole = cx.spec.registers.iter().position(|other| other.name.value == of.value && other.of.is_none());
        let Some(whole) = whole else {
            let known = cx.spec.registers.iter().filter(|other| other.of.is_none()).map(|other| other.name.value.as_str());
            cx.unknown("register file", &of.value, of.span, known);
            continue;
        };
        cx.mark_used(files[whole].span);
        files[index] = part(cx, &files[index], (&files[whole], RegisterId(whole as u32)), r.from);
    }
    files
}

/// The files that hold code, with the register file that they count.
pub(super) fn object(cx: &Context<'_, '_>, object: &ObjectDecl) -> ObjectFiles {
    let registers = object.registers.as_ref().and_then(|of| {
        let place = cx.spec.registers.iter().position(|file| file.name.value == of.value);
        if place.is_none() {
            cx.unknown("register file", &of.value, of.span, cx.spec.registers.iter().map(|file| file.name.value.as_str()));
        }
        place.map(|place| RegisterId(place as u32))
    });
    let architectures = object.architectures.iter().map(|name| name.value.clone()).collect();
    ObjectFiles { elf_machine: object.elf_machine, architectures, registers }
}

/// The greatest number of registers in a part of a register file.
const MAX_PART: u32 = 8;

/// A register file whose registers are those of another one, from a number on.
fn part(cx: &Context<'_, '_>, own: &RegisterFile, (whole, file): (&RegisterFile, RegisterId), from: u32) -> RegisterFile {
    let last = u128::from(from) + ones(own.index.min(MAX_PART));
    let is_aligned = u128::from(from) & ones(own.index.min(MAX_PART)) == 0;
    let is_whole = own.index == whole.index;
    if own.index > MAX_PART
        || last > ones(whole.index)
        || !is_aligned
        || is_whole
        || whole.halves.is_some()
        || whole.names.is_some()
    {
        let message = match own.index > MAX_PART {
            true => format!("a part of a register file is numbered by at most {MAX_PART} bits"),
            false if is_whole => format!("all registers of `{}` are numbered by {} bits: use that file", whole.name, whole.index),
            false if !is_aligned => format!("a part of {0} registers must begin at a multiple of {0}", 1 << own.index),
            false if last > ones(whole.index) => format!("`{}` has no register {last}", whole.name),
            false => format!("registers of `{}` are halves, or named by programs: it can't have parts", whole.name),
        };
        cx.error("range", message, own.span);
        return own.clone();
    }
    let numbers = u128::from(from)..=last;
    let own_number = |n: u128| n - u128::from(from);
    let also = whole.also.iter().filter(|(n, _)| numbers.contains(n)).map(|(n, name)| (own_number(*n), name.clone()));
    // A register with a name of its own can also be written with its number.
    let numbered = numbers.clone().filter(|n| whole.special.iter().any(|s| s.0 == *n) && *n < whole.count);
    let numbered = numbered.map(|n| (own_number(n), format!("{}{n}{}", whole.prefix, whole.suffix)));
    let known = |n: Option<Raw>| n.filter(|n| numbers.contains(n)).map(own_number);
    RegisterFile {
        width: whole.width,
        count: 0,
        prefix: whole.prefix.clone(),
        suffix: whole.suffix.clone(),
        special: numbers.clone().filter_map(|n| Some((own_number(n), whole.name_of(n)?))).collect(),
        also: also.chain(numbered).collect(),
        part_of: Some(PartOf { file, from }),
        of_warp: whole.of_warp,
        zero: known(whole.zero),
        one: known(whole.one),
        ..own.clone()
    }
    .spelt()
}

fn register(cx: &Context<'_, '_>, r: &RegisterDecl) -> RegisterFile {
    let default = format!("{}{{n}}", r.name.value);
    let pattern = r.text.as_ref().map_or(default.as_str(), |t| t.value.as_str());
    let pattern = pattern.replace("{half}", "");
    let (prefix, suffix) = pattern.split_once("{n}").unwrap_or_else(|| {
        let message = "the text of a register file must contain the number: `R{n}`";
        let error = Diagnostic::error("name", message, r.text.as_ref().map_or(r.name.span, |t| t.span));
        let width = if r.width == 0 { 16 } else { r.width };
        let help =
            format!("a single register is a value of the machine: `machine: {{ state: {{ {}: {width} }} }}`", r.name.value);
        cx.report(if pattern.contains('{') { error } else { error.with_help(help) });
        (pattern.as_str(), "")
    });
    let endings = r.halves.as_ref().map_or(vec![suffix.to_owned()], |h| h.iter().map(|half| format!("{half}{suffix}")).collect());
    for ending in endings {
        cx.after_number(&ending, false, r.text.as_ref().map_or(r.name.span, |t| t.span));
    }
    let all = ones(r.index);
    let names = r.names.as_ref().and_then(|text| {
        if !cx.spec.word.as_ref().is_some_and(|w| w.lengths.is_empty()) {
            cx.error("names", "programs name registers only in a text-only instruction set: `word: none`", text.span);
        }
        let names = cx.whole(lang::parse_names(&text.value), text)?;
        let mut examples = (0..MAX_NAMES).map(|n| format!("{prefix}{n}{suffix}"));
        if let Some(example) = examples.find(|example| names.longest(example) != Some(example.len())) {
            let message = format!("`{example}` does not match `names`; `text:` is the name of a register in examples: `r{{n}}`");
            cx.error("names", message, r.text.as_ref().map_or(r.name.span, |t| t.span));
        }
        Some(names)
    });
    let also: Vec<(u128, String)> = r.also.iter().map(|(n, t)| (*n, t.value.clone())).collect();
    let special: Vec<(u128, String)> = r.special.iter().map(|(n, _, t)| (*n, t.value.clone())).collect();
    let mut known: HashMap<&str, u128> = HashMap::new();
    for (n, span, text) in &r.special {
        if *n > all {
            cx.error("range", format!("register {n} does not fit into {} bits", r.index), *span);
        }
        let number = text
            .value
            .strip_prefix(prefix)
            .and_then(|t| t.strip_suffix(suffix))
            .filter(|_| r.halves.is_none())
            .and_then(|t| t.parse::<u128>().ok());
        if let Some(other) = number.filter(|other| other != n && *other < r.count.map_or(all + 1, |c| c.0)) {
            cx.error("ambiguous-text", format!("`{}` is already the name of register {other}", text.value), text.span);
        }
        if let Some(other) = known.insert(&text.value, *n) {
            cx.error(
                "ambiguous-text",
                format!("the registers {other} and {n} have the same name, so it can't be read back"),
                text.span,
            );
        }
    }
    for (n, text) in &r.also {
        if known.insert(&text.value, *n).is_some() {
            cx.error("ambiguous-text", format!("`{}` is already the name of a register", text.value), text.span);
        }
    }
    let mut file = RegisterFile {
        name: r.name.value.clone(),
        index: r.index,
        width: r.width,
        count: r.count.map_or(all + 1, |c| c.0).max(1),
        prefix: prefix.to_string(),
        suffix: suffix.to_string(),
        halves: r.halves.clone(),
        special,
        also,
        names,
        spelling: Arc::default(),
        part_of: None,
        of_warp: r.of_warp,
        zero: None,
        one: None,
        summary: r.summary.clone(),
        doc: cx.doc(r.doc.as_ref()),
        span: r.name.span,
    };
    if let Some((_, span)) = r.count.filter(|c| c.0 > all + 1) {
        cx.error("range", format!("{} bits number at most {} registers", r.index, all + 1), span);
    }
    for (text, which) in [(&r.zero, 0), (&r.one, 1)] {
        let Some(text) = text else { continue };
        let index = find_register(&file, &text.value);
        if index.is_none() {
            cx.error("unknown-name", format!("`{}` is not a register of this file", text.value), text.span);
        }
        if which == 0 {
            file.zero = index;
        } else {
            file.one = index;
        }
    }
    file.spelt()
}

/// The number of the register with this name.
pub(super) fn find_register(file: &RegisterFile, name: &str) -> Option<u128> {
    if let Some((n, _)) = file.special.iter().chain(&file.also).find(|(_, s)| s == name) {
        return Some(*n);
    }
    let rest = name.strip_prefix(&file.prefix)?.strip_suffix(&file.suffix)?;
    let index = match &file.halves {
        None => rest.parse::<u128>().ok()?,
        Some([low, high]) => match (rest.strip_suffix(low.as_str()), rest.strip_suffix(high.as_str())) {
            (Some(n), _) => n.parse::<u128>().ok()? * 2,
            (_, Some(n)) => n.parse::<u128>().ok()? * 2 + 1,
            _ => return None,
        },
    };
    (index < file.count && index <= ones(file.index)).then_some(index)
}
