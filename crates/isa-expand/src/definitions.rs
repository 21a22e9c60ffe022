//! Sources and groups; names that are declared twice.

use super::context::Context;
use super::semantics;
use isa_model::diag::Diagnostic;
use isa_model::model::{Group, GroupId, Isa, Source, SourceId};
use isa_model::span::Text;
use isa_syntax::read::{GroupDecl, PartDecl, SourceDecl};
use std::collections::HashMap;

pub(super) fn sources(cx: &Context<'_, '_>) -> Vec<Source> {
    let source = |s: &SourceDecl| Source {
        name: s.name.value.clone(),
        title: s.title.clone(),
        file: s.file.clone(),
        note: s.note.clone(),
        span: s.name.span,
    };
    cx.spec.sources.iter().map(source).collect()
}

/// The source that `follows` names.
pub(super) fn follows(cx: &Context<'_, '_>) -> Option<SourceId> {
    let text = cx.spec.follows.as_ref()?;
    let index = cx.sources.source_names.iter().position(|n| *n == text.value);
    if index.is_none() {
        cx.unknown("source", &text.value, text.span, cx.sources.source_names.iter().map(String::as_str));
    }
    index.map(|i| {
        cx.mark_used(cx.spec.sources[i].name.span);
        SourceId(i as u32)
    })
}

/// The groups of instructions.
pub(super) fn groups(cx: &Context<'_, '_>) -> Vec<Group> {
    let group = |g: &GroupDecl| Group {
        name: g.name.value.clone(),
        summary: g.summary.clone(),
        notes: g.notes.clone(),
        guard: semantics::read(cx, g.guard.as_ref()),
        span: g.name.span,
    };
    cx.spec.groups.iter().map(group).collect()
}

/// A file and what it includes may declare a name twice; YAML itself refuses that in one file only.
pub(super) fn report_duplicates(cx: &Context<'_, '_>) {
    let spec = cx.spec;
    // A field's meaning is a register file, an enumeration or a code, so those share their names.
    let meanings: Vec<&Text> = spec.meanings().collect();
    let formats: Vec<&Text> = spec.formats.iter().map(|(name, _)| name).collect();
    let sources: Vec<&Text> = spec.sources.iter().map(|s| &s.name).collect();
    let instructions: Vec<&Text> = spec.instructions.iter().map(|(name, _)| name).collect();
    let all = [
        ("a register file, enumeration or code", meanings),
        ("a format", formats),
        ("a source", sources),
        ("an instruction", instructions),
    ];
    for (what, mut names) in all {
        // Included definitions come first.
        names.sort_by_key(|n| std::cmp::Reverse(n.span.file));
        let mut known: HashMap<&str, &Text> = HashMap::new();
        for name in names {
            if let Some(first) = known.get(name.value.as_str()) {
                let d = Diagnostic::error("duplicate", format!("there is already {what} `{}`", name.value), name.span);
                cx.report(d.with_label(first.span, "first here"));
            }
            known.entry(&name.value).or_insert(name);
        }
    }
}

/// The group that an instruction says, or else the nearest of its formats.
pub(super) fn group_of(cx: &Context<'_, '_>, isa: &Isa, part: &PartDecl, formats: &[(&Text, &PartDecl)]) -> Option<GroupId> {
    let name = part.group.as_ref().or_else(|| formats.iter().rev().find_map(|(_, format)| format.group.as_ref()))?;
    let found = isa.groups.iter().position(|g| g.name == name.value);
    if found.is_none() {
        cx.unknown("group", &name.value, name.span, isa.groups.iter().map(|g| g.name.as_str()));
    }
    found.map(|i| GroupId(i as u32))
}
