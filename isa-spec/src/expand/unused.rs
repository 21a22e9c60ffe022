//! Definitions that nothing uses.

use super::context::Context;
use crate::diag::Diagnostic;
use std::collections::HashSet;

/// Definitions that nothing uses: probably a slip in a name.
pub(super) fn report_unused(cx: &Context<'_, '_>) {
    // With errors, what seems unused may stand in what could not be read.
    if cx.errors() {
        return;
    }
    let unplaced = cx.unplaced.borrow();
    let mut unplaced: Vec<_> = unplaced.iter().filter(|(span, _)| !cx.used.borrow().contains(span)).collect();
    unplaced.sort_by_key(|(span, _)| span.start);
    for (span, name) in unplaced {
        cx.error("no-bits", format!("the bits of `{name}` are missing: no layout draws it"), *span);
    }
    let spec = cx.spec;
    let names = (spec.registers.iter().map(|r| ("register file", &r.name)))
        .chain(spec.enums.iter().map(|e| ("enumeration", &e.name)))
        .chain(spec.operands.iter().map(|o| ("operand", &o.0)))
        .chain(spec.choices.iter().map(|c| ("choice", &c.0)))
        .chain(spec.formats.iter().map(|f| ("format", &f.0)));
    for (what, name) in names {
        // What an included file offers need not all be used.
        if name.span.file == spec.span.file && !cx.used.borrow().contains(&name.span) {
            cx.report(Diagnostic::warning("unused", format!("nothing uses the {what} `{}`", name.value), name.span));
        }
    }
    report_unused_details(cx);
}

/// Definitions of conditions that nothing asks for, and sources that nothing refers to.
fn report_unused_details(cx: &Context<'_, '_>) {
    let spec = cx.spec;
    let is_used = |span| cx.used.borrow().contains(&span);
    for (_, part) in spec.formats.iter().chain(&spec.instructions) {
        for (name, text) in &part.define {
            if name.span.file == spec.span.file && !is_used(text.span) {
                let message = format!("nothing uses the definition `{}`", name.value);
                cx.report(Diagnostic::warning("unused", message, name.span));
            }
        }
    }
    let parts = spec.formats.iter().chain(&spec.instructions).chain(&spec.operands).map(|(_, part)| part);
    let alternatives = spec.choices.iter().flat_map(|(_, c)| c.alternatives.iter().map(|(_, part)| part));
    let errata = parts.chain(alternatives).flat_map(|part| &part.errata).chain(&spec.errata);
    let by: HashSet<&str> = errata.flat_map(|e| e.by.split(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c))).collect();
    for source in spec.sources.iter().filter(|s| s.name.span.file == spec.span.file) {
        if !is_used(source.name.span) && !by.contains(source.name.value.as_str()) {
            let message = format!("nothing refers to the source `{}`", source.name.value);
            cx.report(Diagnostic::warning("unused", message, source.name.span));
        }
    }
}
