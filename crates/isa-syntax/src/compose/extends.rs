//! An instruction set that extends another one: the tree of that, patched by its own.

use super::params::Params;
use super::{Composer, Role};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, nearest, with_this_mnemonic};
use std::collections::HashMap;
use std::path::Path;

impl Composer<'_> {
    /// True if the errata of what is extended are evidence of this instruction set, too.
    pub(super) fn is_inherited(&mut self, node: &Node) -> bool {
        let text = self.text(node, "`evidence`");
        if let Some(text) = text.filter(|text| text.value != "inherited") {
            self.error("extends", format!("`evidence` is `inherited`, or is not said, not `{}`", text.value), text.span);
        }
        true
    }

    /// The tree of the instruction set that a file extends: another file, or a shipped instruction set by its name.
    pub(super) fn base(&mut self, name: &Text, folder: &Path, params: &mut Params<'_>) -> Option<Node> {
        let Some((store, path)) = self.store.shipped(folder, &name.value) else {
            if self.store.is_unknown(folder, &name.value) {
                let message = format!("`{}`: there is no such file, and no shipped instruction set of this name", name.value);
                let error = Diagnostic::error("read", message, name.span);
                self.diags.push(match nearest(&name.value, self.store.shipped_names()) {
                    Some(near) => error.with_help(format!("did you mean `{near}`?")),
                    None => error,
                });
                return None;
            }
            if self.store.lacks(folder, &name.value) {
                let error = Diagnostic::error("read", format!("`{}`: there is no such file", name.value), name.span);
                let help = "shipped instruction sets are known by their names to `isagen` alone: here, `extends` takes the path of a file";
                self.diags.push(error.with_help(help));
                return None;
            }
            return self.other(name, None, folder, Role::Whole, params);
        };
        let own = std::mem::replace(&mut self.store, store);
        let tree = self.other(&Text::new(path.display().to_string(), name.span), None, Path::new(""), Role::Whole, params);
        self.store = own;
        tree
    }

    /// Changes a tree by another: a mapping goes into a mapping, `~` takes out, anything else replaces.
    pub(super) fn patch(&mut self, base: &mut Node, own: Node, level: Level) {
        let (NodeKind::Map(entries), NodeKind::Map(changes)) = (&mut base.kind, own.kind) else { return };
        let places: HashMap<String, usize> = entries.iter().enumerate().map(|(i, (key, _))| (level.name(key), i)).collect();
        let mut there: Vec<Option<(Text, Node)>> = std::mem::take(entries).into_iter().map(Some).collect();
        for (key, node) in changes {
            let found = places.get(&level.name(&key)).copied();
            let inner = level.inner(&key);
            match (found, &node.kind) {
                (Some(i), NodeKind::Null) => there[i] = None,
                // An empty section changes nothing.
                (None, NodeKind::Null) if level == Level::File => {}
                (None, NodeKind::Null) => {
                    let error = Diagnostic::error("extends", format!("there is no `{}` to remove", key.value), key.span);
                    let names = || there.iter().flatten();
                    let with_mnemonic: Vec<&str> = names()
                        .filter(|(_, entry)| mnemonic(entry) == Some(&key.value))
                        .map(|(name, _)| name.value.as_str())
                        .collect();
                    self.diags.push(if !with_mnemonic.is_empty() {
                        error.with_help(with_this_mnemonic(&key.value, &with_mnemonic))
                    } else if let Some(near) = nearest(&key.value, names().map(|(name, _)| name.value.as_str())) {
                        error.with_help(format!("did you mean `{near}`?"))
                    } else {
                        error
                    });
                }
                (Some(i), NodeKind::Map(_)) => match &mut there[i] {
                    Some((old, entry)) if matches!(entry.kind, NodeKind::Map(_)) => {
                        // Parameters that it names are its parameters from now on.
                        if key.value.contains('(') {
                            *old = key;
                        }
                        self.patch(entry, node, inner);
                    }
                    old => *old = Some((key, node)),
                },
                (Some(i), _) => there[i] = Some((key, node)),
                (None, _) => there.push(Some((key, node))),
            }
        }
        *entries = there.into_iter().flatten().collect();
    }
}

/// The mnemonic that an entry states.
fn mnemonic(entry: &Node) -> Option<&String> {
    let NodeKind::Map(keys) = &entry.kind else { return None };
    let (_, value) = keys.iter().find(|(key, _)| key.value == "mnemonic")?;
    match &value.kind {
        NodeKind::Scalar { text, .. } => Some(&text.value),
        _ => None,
    }
}

/// The level of the tree that is patched.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Level {
    /// The sections of a file.
    File,
    /// The entries of a section whose keys name their parameters: `Described(ur, width?)`.
    WithParameters,
    /// The entries of another section, and everything below them.
    Entries,
}

impl Level {
    /// The part of a key that names the entry.
    fn name(self, key: &Text) -> String {
        let name = if self == Self::WithParameters { bare(&key.value) } else { &key.value };
        name.to_string()
    }

    /// The level of the entry of this key.
    fn inner(self, key: &Text) -> Self {
        match (self, key.value.as_str()) {
            (Self::File, "operands" | "choices") => Self::WithParameters,
            _ => Self::Entries,
        }
    }
}

/// The name of an operand or a choice without its parameters.
pub(super) fn bare(key: &str) -> &str {
    key.split('(').next().unwrap_or_default().trim()
}
