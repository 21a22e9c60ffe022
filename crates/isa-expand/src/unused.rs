//! Definitions that nothing uses.

use super::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::span::Text;
use isa_syntax::read::{Choose, PartDecl};
use std::collections::HashSet;

/// Definitions that nothing uses: probably a slip in a name.
pub(super) fn report_unused(cx: &Context<'_, '_>) {
    // After errors, the uses may be in parts that could not be read.
    if cx.errors() {
        return;
    }
    let unplaced = cx.report.unplaced.borrow();
    let mut unplaced: Vec<_> = unplaced.iter().filter(|(span, _)| !cx.report.used.borrow().contains(span)).collect();
    unplaced.sort_by_key(|(span, _)| span.start);
    for (span, name) in unplaced {
        cx.error("no-bits", format!("the bits of `{name}` are missing: no layout draws it"), *span);
    }
    let spec = cx.spec;
    let names = (spec.registers.iter().map(|r| ("register file", &r.name)))
        .chain(spec.enums.iter().map(|e| ("enumeration", &e.name)))
        .chain(spec.codes.iter().map(|code| ("code", &code.name)))
        .chain(spec.operands.iter().map(|o| ("operand", &o.0)))
        .chain(spec.choices.iter().map(|c| ("choice", &c.0)))
        .chain(spec.formats.iter().map(|f| ("format", &f.0)));
    for (what, name) in names {
        // An included file may offer more than is used.
        if name.span.file == spec.span.file && !cx.report.used.borrow().contains(&name.span) {
            cx.report(Diagnostic::warning("unused", format!("nothing uses the {what} `{}`", name.value), name.span));
        }
    }
    report_unused_details(cx);
    report_absent(cx);
}

/// Names in `reads`, `writes` and `no-effect` that may be missing, and that no form has.
fn report_absent(cx: &Context<'_, '_>) {
    let spec = cx.spec;
    let used = cx.report.used.borrow();
    let is_used = |name: &&(Text, PartDecl)| used.contains(&name.0.span);
    let parts = spec.formats.iter().chain(&spec.operands).filter(is_used).chain(&spec.instructions).map(|(_, part)| part);
    let choices = spec.choices.iter().filter(|(name, _)| used.contains(&name.span));
    let inline = parts.clone().flat_map(|part| &part.choose).filter_map(|(_, choose)| match choose {
        Choose::Inline(choice) => Some(choice),
        Choose::Named(_) => None,
    });
    let alternatives = choices.map(|(_, choice)| choice).chain(inline).flat_map(|choice| &choice.alternatives);
    for part in parts.chain(alternatives.map(|(_, part)| part)) {
        let registers = [&part.reads, &part.writes].into_iter().flatten().flatten().map(|decl| ("a register", &decl.name));
        let shown = part.no_effect.iter().map(|(name, _)| ("a field or choice", name));
        for (what, text) in registers.chain(shown) {
            if let Some(name) = text.value.strip_suffix('?').filter(|_| !used.contains(&text.span)) {
                let message = format!("no form that this is part of has {what} `{name}`");
                cx.report(Diagnostic::warning("unused", message, text.span));
            }
        }
    }
}

/// Definitions of conditions that nothing asks for, and sources that nothing refers to.
fn report_unused_details(cx: &Context<'_, '_>) {
    let spec = cx.spec;
    let is_used = |span| cx.report.used.borrow().contains(&span);
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
