//! Formats, and what they extend.

use super::context::Context;
use isa_model::model::{Format, FormatId};
use isa_syntax::lang;

pub(super) fn formats(cx: &Context<'_, '_>) -> Vec<Format> {
    let formats = &cx.spec.formats;
    let mut list = Vec::new();
    for (name, part) in formats {
        let extends = part.extends.as_ref().and_then(|t| {
            let found = cx.sources.formats.get(t.value.as_str()).copied();
            if found.is_none() {
                cx.unknown("format", &t.value, t.span, formats.iter().map(|(n, _)| n.value.as_str()));
            }
            found
        });
        list.push(Format {
            name: name.value.clone(),
            extends: extends.map(|i| FormatId(i as u32)),
            draws: part.layout.as_ref().is_some_and(|t| !matches!(lang::parse_layout(&t.value), Ok(lang::Layout::Split(_)))),
            summary: part.summary.clone(),
            notes: part.notes.clone(),
            doc: cx.doc(part.doc.as_ref()),
            errata: super::errata::errata(cx, &part.errata, None),
            span: name.span,
        });
    }
    report_cycles(cx, &list);
    list
}

/// Formats that extend themselves, and chains of them that are too long to follow for each instruction.
fn report_cycles(cx: &Context<'_, '_>, list: &[Format]) {
    // The number of formats above each one; `None` until it is computed.
    let mut above: Vec<Option<usize>> = vec![None; list.len()];
    for start in 0..list.len() {
        let (mut way, mut at) = (Vec::new(), Some(start));
        while let Some(i) = at.filter(|i| above[*i].is_none()) {
            if let Some(first) = way.iter().position(|w| *w == i) {
                let name = &list[i].name;
                let between: Vec<_> = way[first..].iter().map(|i: &usize| format!("`{}`", list[*i].name)).collect();
                let through = if between.len() > 1 { format!(": {}, `{name}`", between.join(", ")) } else { String::new() };
                cx.error("cycle", format!("format `{name}` extends itself{through}"), list[i].span);
                break;
            }
            way.push(i);
            if way.len() > MAX_CHAIN + 1 {
                break;
            }
            at = list[i].extends.map(FormatId::index);
        }
        let first = at.and_then(|i| above[i]).map_or(0, |n| n + 1);
        for (count, i) in (first..).zip(way.into_iter().rev()) {
            if count == MAX_CHAIN + 1 {
                let message = format!("`{}` extends more than {MAX_CHAIN} formats, one through the other", list[i].name);
                cx.error("too-large", message, list[i].span);
            }
            above[i] = Some(count);
        }
    }
}

/// The greatest length of a chain of formats, each extending the next.
pub(super) const MAX_CHAIN: usize = 100;
