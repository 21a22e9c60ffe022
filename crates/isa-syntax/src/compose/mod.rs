//! Files to one tree: what a file includes is joined to it, what it extends is patched by it, parameters are put in, errata of a
//! file of their own are put where they belong.
//!
//! All of this works on the tree of YAML, so that whatever comes later sees one specification, each node of which has its file and
//! place.

mod errata;
mod extends;
mod files;
mod include;
mod params;
mod store;
mod tables;
mod tree;

use crate::files::MAX_FILE;
use crate::keys::Reader;
use crate::read;
use crate::yaml::{self, Node, NodeKind, Text};
use extends::Level;
use include::{already, join, shown};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::span::{FileId, SourceMap, Span};
use params::{Budget, Params};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tree::{entries, without};

pub(crate) use include::INCLUDED;
pub use store::Store;

/// The keys of a first file that an included one can't have.
const WHOLE: [&str; 9] = ["isa", "also", "word", "numbers", "prefer", "follows", "object", "extends", "evidence"];

/// The tree of the specification that begins with this file; `None` if the file has none. Faults are reported.
pub(crate) fn compose(file: FileId, store: Store<'_>, files: &mut SourceMap, diags: &mut Diagnostics) -> Option<Node> {
    let room = MAX_FILE.saturating_sub(files.files().iter().map(|f| f.text.len() as u64).sum());
    let first = files.file(file);
    let (open, folder) = match store {
        Store::Folder(folder, _) => (first.path.as_deref().map(|path| store.place(path)), folder.to_path_buf()),
        Store::Texts(_) | Store::Shipped(_) => {
            let place = store.place(Path::new(&first.name));
            let folder = place.parent().unwrap_or(Path::new("")).to_path_buf();
            (Some(place), folder)
        }
    };
    let open: Vec<PathBuf> = open.into_iter().collect();
    let known = open.iter().map(|place| (place.clone(), String::new())).collect();
    let mut composer = Composer { store, files, diags, room, known, open, budget: Budget::default() };
    let mut params = Params::default();
    let tree = composer.file(file, None, &folder, Role::Whole, &mut params);
    if !diags.has_errors() {
        params.report_unused(file, diags);
    }
    tree
}

/// The role of a file in the one that names it.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// An instruction set.
    Whole,
    /// A part of one.
    Included,
    /// The errors in documents.
    Errata,
}

struct Composer<'a> {
    store: Store<'a>,
    files: &'a mut SourceMap,
    diags: &'a mut Diagnostics,
    /// The number of bytes that may still be read.
    room: u64,
    /// The files that have been read, each with the parameters that it was given.
    known: HashSet<(PathBuf, String)>,
    /// The files that are being composed, each named by the one before it.
    open: Vec<PathBuf>,
    budget: Budget,
}

/// True if a tree is a mapping without any section of a specification.
fn is_foreign(root: &Node) -> bool {
    let NodeKind::Map(entries) = &root.kind else { return false };
    !entries.iter().any(|(key, _)| read::is_section(&key.value) || errata::is_section(&key.value))
}

impl Composer<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diags.push(Diagnostic::error(code, message, span));
    }

    fn text(&mut self, node: &Node, what: &str) -> Option<Text> {
        Reader::new(self.diags).text(node, what)
    }

    /// The tree of a file, if another one `named` it by that, with what it extends and includes; `params` are those of the files around
    /// it, and get its own.
    fn file(&mut self, id: FileId, named: Option<&Text>, folder: &Path, role: Role, params: &mut Params<'_>) -> Option<Node> {
        let text = self.files.file(id).text.clone();
        let root = match (yaml::parse(&text, id), named.filter(|_| self.is_outside(id))) {
            (Ok(root), Some(name)) if is_foreign(&root) => {
                self.error("include", format!("`{}` has none of the sections of a specification", name.value), name.span);
                return None;
            }
            (Ok(root), _) if yaml::deceptive(&root, self.diags) => return None,
            (Ok(root), _) => root,
            (Err(diagnostic), Some(name)) => {
                self.cant_be_read(&diagnostic, name);
                return None;
            }
            (Err(diagnostic), None) => {
                self.diags.push(*diagnostic);
                return None;
            }
        };
        let entries = match (root.kind, named) {
            (NodeKind::Map(entries), _) => entries,
            (NodeKind::Null, None) => {
                let empty = Diagnostic::error("yaml", "the specification is empty", root.span);
                self.diags.push(empty.with_help("`isagen new NAME` writes a small one to start from"));
                return None;
            }
            (kind, None) => return Some(Node { kind, span: root.span }),
            (kind, Some(name)) => {
                let found = match kind {
                    NodeKind::Null => "is empty",
                    NodeKind::Seq(_) => "is a list",
                    _ => "is a text",
                };
                let message = format!("`{}` {found}, not a mapping of sections: `instructions: {{ … }}`", name.value);
                self.error("include", message, name.span);
                return None;
            }
        };
        let mut own = Own::default();
        let mut rest = Vec::new();
        for (key, node) in entries {
            match key.value.as_str() {
                name if role == Role::Errata && !errata::is_section(name) => {
                    let message = format!(
                        "a file of errata has no `{name}`: it has errata, and those of formats, operands, choices and instructions"
                    );
                    self.error("include", message, key.span);
                }
                "errata" if role != Role::Errata && matches!(node.kind, NodeKind::Scalar { .. }) => own.errata = Some(node),
                "params" => own.params = Some(node),
                "include" => own.include = Some(node),
                "extends" if role == Role::Whole => own.extends = Some(node),
                "group" => own.group = Some(node),
                "evidence" if role == Role::Whole => own.evidence = Some(node),
                name if role == Role::Included && WHOLE.contains(&name) => {
                    self.error("include", format!("an included file has no `{name}`: the file that includes it does"), key.span);
                }
                _ => rest.push((key, node)),
            }
        }
        if let Some(node) = &own.params {
            params.declare(node, self.diags);
        }
        let mut tree = Node { kind: NodeKind::Map(rest), span: root.span };
        params.put_into(&mut tree, &mut self.budget, self.diags);
        tables::expand(&mut tree, params, &mut self.budget, self.diags);
        own.group.iter_mut().for_each(|node| params.put_into(node, &mut self.budget, self.diags));
        if let Some(group) = own.group.take().and_then(|node| self.text(&node, "`group`")) {
            set_group(&mut tree, &group, role);
        }
        if let Some(node) = &own.extends
            && let Some(name) = self.text(node, "`extends`")
            && let Some(mut base) = self.base(&name, folder, params)
        {
            // The names of an instruction set are its own.
            without(&mut base, "isa");
            without(&mut base, "also");
            // Evidence for one instruction set does not hold for another one.
            if !own.evidence.as_ref().is_some_and(|node| self.is_inherited(node)) {
                errata::set_elsewhere(&mut base);
            }
            self.patch(&mut base, tree, Level::File);
            tree = Node { span: root.span, ..base };
        } else if let (Some(node), None) = (&own.evidence, &own.extends) {
            self.error(
                "extends",
                "`evidence` is that of an instruction set that this one extends, and it extends none",
                node.span,
            );
        }
        let mut named = HashSet::new();
        for (name, given) in own.include.as_ref().map_or_else(Vec::new, |node| self.includes(node, params)) {
            if !named.insert((name.value.clone(), given.as_ref().map_or_else(String::new, shown))) {
                self.error("include", "this file is already included", name.span);
            } else if let Some(part) = self.other(&name, given.as_ref(), folder, Role::Included, params) {
                match already(&tree, &part) {
                    Some((first, count)) if own.extends.is_some() && count > 1 => self.is_included(&name, &first, count),
                    _ => join(&mut tree, part),
                }
            }
        }
        if let Some(node) = &own.errata
            && let Some(name) = self.text(node, "`errata`")
            && let Some(part) = self.other(&name, None, folder, Role::Errata, params)
        {
            errata::attach(&mut tree, part, self.diags);
        }
        Some(tree)
    }
}

/// The keys that control how a file is composed.
#[derive(Default)]
struct Own {
    params: Option<Node>,
    include: Option<Node>,
    extends: Option<Node>,
    group: Option<Node>,
    errata: Option<Node>,
    evidence: Option<Node>,
}

/// Gives the instructions of a file its group, except those whose formats in the file have another one. If the file is a part of
/// an instruction set, its summary and notes are those of the group.
fn set_group(tree: &mut Node, group: &Text, role: Role) {
    let node = |text: &Text| Node { span: text.span, kind: NodeKind::Scalar { text: text.clone(), quoted: true } };
    let key = |name: &str| Text::new(name, group.span);
    let about = if role == Role::Included { ["summary", "notes"].map(|name| without(tree, name)) } else { [None, None] };
    let map = |entries| Node { span: group.span, kind: NodeKind::Map(entries) };
    let about = map(about.into_iter().flatten().collect());
    let grouped = grouped_formats(tree);
    let Some(sections) = entries(tree) else { return };
    for (section, list) in sections.iter_mut() {
        let list = entries(list).filter(|_| section.value == "instructions");
        for own in list.into_iter().flatten().filter_map(|(_, part)| entries(part)) {
            if own.iter().all(|(key, _)| key.value != "group") && !extended(own).is_some_and(|format| grouped.contains(format)) {
                own.push((key("group"), node(group)));
            }
        }
    }
    match sections.iter_mut().find(|(section, _)| section.value == "groups").map(|(_, node)| &mut node.kind) {
        Some(NodeKind::Map(groups)) if groups.iter().any(|(name, _)| name.value == group.value) => {}
        Some(NodeKind::Map(groups)) => groups.push((group.clone(), about)),
        _ => sections.push((key("groups"), map(vec![(group.clone(), about)]))),
    }
}

/// The format that an entry extends.
fn extended(entry: &[(Text, Node)]) -> Option<&str> {
    entry.iter().find(|(key, _)| key.value == "extends").and_then(|(_, node)| match &node.kind {
        NodeKind::Scalar { text, .. } => Some(text.value.as_str()),
        _ => None,
    })
}

/// The formats of a file that have a group, or extend one that has.
fn grouped_formats(tree: &Node) -> HashSet<String> {
    let section = |name: &str| match &tree.kind {
        NodeKind::Map(sections) => sections.iter().find(|(key, _)| key.value == name).map(|(_, node)| &node.kind),
        _ => None,
    };
    let Some(NodeKind::Map(formats)) = section("formats") else { return HashSet::new() };
    let mut grouped: HashSet<String> = HashSet::new();
    // The limit on the length of a chain of formats.
    for _ in 0..=100 {
        let is_new = |(name, node): &&(Text, Node)| match &node.kind {
            NodeKind::Map(entry) => {
                let has_group = entry.iter().any(|(key, _)| key.value == "group");
                (has_group || extended(entry).is_some_and(|format| grouped.contains(format))) && !grouped.contains(&name.value)
            }
            _ => false,
        };
        let more: Vec<String> = formats.iter().filter(is_new).map(|(name, _)| name.value.clone()).collect();
        if more.is_empty() {
            break;
        }
        grouped.extend(more);
    }
    grouped
}
