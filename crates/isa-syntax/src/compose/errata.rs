//! Errata in a file of their own, put where what they are about is declared.

use super::extends::bare;
use super::tree::entries;
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, Diagnostics, nearest};
use isa_model::span::Span;

/// The sections of a file of errata: the name, what an entry is, and the number of names above a list of errata.
const SECTIONS: [(&str, &str, usize); 5] = [
    ("formats", "format", 1),
    ("operands", "operand", 1),
    ("choices", "choice", 2),
    ("instructions", "instruction", 1),
    (OWN, "", 0),
];

/// The section of errata that belong to no entry.
const OWN: &str = "errata";

/// True if a file of errata has a section of this name.
pub(super) fn is_section(name: &str) -> bool {
    SECTIONS.iter().any(|section| section.0 == name)
}

/// Gives the entries of a tree their errata.
pub(super) fn attach(tree: &mut Node, part: Node, diags: &mut Diagnostics) {
    let NodeKind::Map(sections) = part.kind else { return };
    for (section, node) in sections {
        let Some((_, what, depth)) = SECTIONS.iter().find(|known| known.0 == section.value) else { continue };
        if *depth == 0 {
            add(tree, node, section.span);
        } else {
            let span = section.span;
            let empty = || (section, Node { kind: NodeKind::Map(Vec::new()), span });
            if let Some(there) = section_of(tree, empty) {
                descend(there, node, (what, *depth), diags);
            }
        }
    }
}

/// The section of a tree, which is made where there is none.
fn section_of(tree: &mut Node, empty: impl FnOnce() -> (Text, Node)) -> Option<&mut Node> {
    let list = entries(tree)?;
    let made = empty();
    let at = list.iter().position(|(key, _)| key.value == made.0.value).unwrap_or_else(|| {
        list.push(made);
        list.len() - 1
    });
    Some(&mut list[at].1)
}

/// Finds the entry of each name.
fn descend(tree: &mut Node, part: Node, (what, depth): (&str, usize), diags: &mut Diagnostics) {
    let NodeKind::Map(named) = part.kind else {
        diags.push(Diagnostic::error("shape", format!("errata are given here by {what}"), part.span));
        return;
    };
    for (name, node) in named {
        let list = entries(tree).map(std::mem::take).unwrap_or_default();
        // Operands and choices are declared with their parameters.
        let is_it = |key: &Text| bare(&key.value) == name.value;
        let at = list.iter().position(|(key, _)| is_it(key));
        if at.is_none() {
            let names = list.iter().map(|(key, _)| bare(&key.value));
            let error = Diagnostic::error("unknown-name", format!("there is no {what} `{}`", name.value), name.span);
            diags.push(match nearest(&name.value, names) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error,
            });
        }
        if let Some(there) = entries(tree) {
            *there = list;
            match at {
                Some(at) if depth == 1 => add(&mut there[at].1, node, name.span),
                Some(at) => descend(&mut there[at].1, node, ("alternative", depth - 1), diags),
                None => {}
            }
        }
    }
}

/// Adds errata to what an entry has.
fn add(entry: &mut Node, errata: Node, span: Span) {
    let Some(list) = entries(entry) else { return };
    match list.iter_mut().find(|(key, _)| key.value == OWN).map(|(_, node)| &mut node.kind) {
        Some(NodeKind::Map(own)) => {
            if let NodeKind::Map(more) = errata.kind {
                own.extend(more);
            }
        }
        Some(_) => {}
        None => list.push((Text::new(OWN, span), errata)),
    }
}

/// Makes the evidence of all errata of a tree evidence about another machine, which is shown and not executed.
pub(super) fn set_elsewhere(tree: &mut Node) {
    for (section, _, depth) in SECTIONS {
        let list = entries(tree).into_iter().flatten().find(|(key, _)| key.value == section);
        if let Some((_, node)) = list {
            set_elsewhere_below(node, depth);
        }
    }
}

/// Does the same for errata under `depth` names.
fn set_elsewhere_below(node: &mut Node, depth: usize) {
    for (_, inner) in entries(node).into_iter().flatten() {
        match depth {
            0 => move_evidence(inner),
            1 => {
                let errata = entries(inner).into_iter().flatten().find(|(key, _)| key.value == OWN);
                errata.into_iter().for_each(|(_, errata)| set_elsewhere_below(errata, 0));
            }
            _ => set_elsewhere_below(inner, depth - 1),
        }
    }
}

/// Moves the evidence of an erratum to what is shown.
fn move_evidence(erratum: &mut Node) {
    let Some(list) = entries(erratum) else { return };
    let Some(at) = list.iter().position(|(key, _)| key.value == "evidence") else { return };
    if list.iter().all(|(key, _)| key.value != "elsewhere") {
        list[at].0.value = "elsewhere".to_string();
        return;
    }
    let (_, evidence) = list.remove(at);
    let there = list.iter_mut().find(|(key, _)| key.value == "elsewhere").and_then(|(_, node)| entries(node));
    if let (Some(there), NodeKind::Map(more)) = (there, evidence.kind) {
        let new = more.into_iter().filter(|(word, _)| there.iter().all(|(known, _)| known.value != word.value));
        let new: Vec<_> = new.collect();
        there.extend(new);
    }
}
