//! Files to one tree: what a file includes is joined to it, what it extends is patched by it, parameters are put in, errata of a
//! file of their own are put where they belong.
//!
//! All of this works on the tree of YAML, so that whatever comes later sees one specification, each node of which has its file and
//! place.

mod errata;
mod params;
mod tree;

use crate::diag::{Diagnostic, Diagnostics, nearest};
use crate::files::{MAX_FILE, decode, read_bytes};
use crate::keys::{Key, KeyTable, Reader};
use crate::read;
use crate::span::{FileId, SourceFile, SourceMap, Span};
use crate::yaml::{self, Node, NodeKind, Text};
use params::{Budget, Params};
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use tree::{entries, without};

/// What the first file says and an included one does not.
const WHOLE: [&str; 10] = ["isa", "also", "word", "numbers", "prefer", "follows", "assembly", "object", "extends", "evidence"];

/// A file that is included, with the parameters that it is given.
pub(crate) static INCLUDED: KeyTable<(Option<Text>, Option<Node>)> = KeyTable::new(
    "a file that is included",
    &[&[
        Key::required(
            "needs `file`: `file: float.yaml`",
            Key::text("file", "path", |i| &mut i.0, "The file, by a path relative to the file that names it."),
        ),
        Key::own(
            "params",
            "mapping of names to texts",
            |_, i, node, _| i.1 = Some(node.clone()),
            "The parameters that it is given.",
        ),
    ]],
);

/// Where other files are.
#[derive(Clone, Copy)]
pub(crate) enum Store<'a> {
    /// On disk: the folder of the first file, and the shipped files, of which instruction sets can be extended by name.
    Folder(&'a Path, &'a [(&'a str, &'a str)]),
    /// In memory, by their paths.
    Texts(&'a [(&'a str, &'a str)]),
    /// Shipped files that a file on disk extends: in memory, by their paths below [`SHIPPED`].
    Shipped(&'a [(&'a str, &'a str)]),
}

/// What stands for the folder of shipped files in the names of files.
const SHIPPED: &str = "<shipped>";

impl Store<'_> {
    /// The file by whatever name it is called.
    fn place(self, path: &Path) -> PathBuf {
        match self {
            Self::Folder(..) => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
            Self::Texts(_) | Self::Shipped(_) => {
                let mut place = PathBuf::new();
                for part in path.components() {
                    match part {
                        Component::CurDir => {}
                        Component::ParentDir => drop(place.pop()),
                        part => place.push(part),
                    }
                }
                place
            }
        }
    }

    fn read(self, path: &Path, place: &Path, room: u64) -> Result<Vec<u8>, String> {
        match self {
            Self::Folder(..) => read_bytes(path, room),
            Self::Texts(files) => text_of(files, place),
            Self::Shipped(files) => text_of(files, place.strip_prefix(SHIPPED).unwrap_or(place)),
        }
    }

    /// The names of shipped files of which a file on disk can extend one.
    fn shipped_names(&self) -> impl Iterator<Item = &str> {
        let files = if let Self::Folder(_, files) = self { *files } else { &[] };
        files.iter().filter_map(|(file, _)| file.strip_suffix(".yaml").filter(|name| !name.contains(['.', '/'])))
    }

    /// Whether this is neither a file nor looks like the path of one, where there are shipped instruction sets.
    fn is_unknown(self, folder: &Path, name: &str) -> bool {
        matches!(self, Self::Folder(_, files) if !files.is_empty())
            && !name.contains(['.', '/', '\\'])
            && !folder.join(name).exists()
    }

    /// The shipped instruction set of this name, if there is no such file: where it is, and its path.
    fn shipped(self, folder: &Path, name: &str) -> Option<(Self, PathBuf)> {
        let path = format!("{name}.yaml");
        let is_there = |files: &[(&str, &str)]| files.iter().any(|(file, _)| *file == path);
        match self {
            _ if name.contains(['.', '/', '\\']) => None,
            Self::Folder(_, files) if is_there(files) && !folder.join(name).is_file() => {
                Some((Self::Shipped(files), Path::new(SHIPPED).join(path)))
            }
            Self::Texts(files) if is_there(files) => Some((self, PathBuf::from(path))),
            _ => None,
        }
    }
}

/// The text of a file in memory.
fn text_of(files: &[(&str, &str)], place: &Path) -> Result<Vec<u8>, String> {
    let found = files.iter().find(|(name, _)| Path::new(name) == place);
    found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| "there is no such file".to_string())
}

/// The tree of the specification that begins with this file; `None` if the file has none. What is wrong is reported.
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

/// Files include and extend each other so deep at most.
const MAX_DEPTH: usize = 100;

/// What a file is to the one that names it.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// An instruction set.
    Whole,
    /// A part of one.
    Included,
    /// What documents have wrong.
    Errata,
}

struct Composer<'a> {
    store: Store<'a>,
    files: &'a mut SourceMap,
    diags: &'a mut Diagnostics,
    /// So many bytes may still be read.
    room: u64,
    /// The files that have been read, each with the parameters that it was given.
    known: HashSet<(PathBuf, String)>,
    /// The files that are being composed, each named by the one before it.
    open: Vec<PathBuf>,
    budget: Budget,
}

/// Whether a tree is a mapping without any section of a specification.
fn is_foreign(root: &Node) -> bool {
    let NodeKind::Map(entries) = &root.kind else { return false };
    !entries.iter().any(|(key, _)| read::is_section(&key.value) || errata::is_section(&key.value))
}

impl Composer<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diags.push(Diagnostic::error(code, message, span));
    }

    /// Whether a file is not in the folder of the specification: it may be anything, and its lines are not shown before it is seen to be
    /// a part of a specification.
    fn is_outside(&self, id: FileId) -> bool {
        let Store::Folder(folder, _) = self.store else { return false };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let path = self.files.file(id).path.as_deref();
        !path.is_some_and(|path| self.store.place(path).starts_with(self.store.place(folder)))
    }

    /// Reports that a file can't be read, without its lines.
    fn cant_be_read(&mut self, diagnostic: &Diagnostic, name: &Text) {
        let span = diagnostic.labels[0].0;
        let (line, column) = self.files.file(span.file).line_col(span.start as usize);
        let message = format!("`{}` can't be read as YAML at line {line}, column {column}", name.value);
        self.error("include", message, name.span);
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
        params::expand(&mut tree, params, &mut self.budget, self.diags);
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
            // What is evidence of one instruction set says nothing of another one.
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
                join(&mut tree, part);
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

    /// The files of an `include`, with the parameters that they are given: `i.yaml`, `{ file: float.yaml, params: { f: d } }`.
    fn includes(&mut self, node: &Node, params: &Params<'_>) -> Vec<(Text, Option<Node>)> {
        let mut list = Vec::new();
        let items = if let NodeKind::Seq(items) = &node.kind { items.as_slice() } else { std::slice::from_ref(node) };
        for item in items {
            if !matches!(item.kind, NodeKind::Map(_)) {
                list.extend(self.text(item, "a file").map(|name| (name, None)));
                continue;
            }
            let mut item = item.clone();
            params.put_into(&mut item, &mut self.budget, self.diags);
            let mut file = (None, None);
            Reader::new(self.diags).fill(&INCLUDED, &mut file, &item);
            list.extend(file.0.map(|name| (name, file.1)));
        }
        list
    }

    fn text(&mut self, node: &Node, what: &str) -> Option<Text> {
        Reader::new(self.diags).text(node, what)
    }

    /// Whether the errata of what is extended are evidence of this instruction set, too.
    fn is_inherited(&mut self, node: &Node) -> bool {
        let text = self.text(node, "`evidence`");
        if let Some(text) = text.filter(|text| text.value != "inherited") {
            self.error("extends", format!("`evidence` is `inherited`, or is not said, not `{}`", text.value), text.span);
        }
        true
    }

    /// The tree of the instruction set that a file extends: another file, or a shipped instruction set by its name.
    fn base(&mut self, name: &Text, folder: &Path, params: &mut Params<'_>) -> Option<Node> {
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
            return self.other(name, None, folder, Role::Whole, params);
        };
        let own = std::mem::replace(&mut self.store, store);
        let tree = self.other(&Text::new(path.display().to_string(), name.span), None, Path::new(""), Role::Whole, params);
        self.store = own;
        tree
    }

    /// The tree of another file, named by this text and given these parameters; `None` if it was read with them before, or can't be
    /// read.
    fn other(&mut self, name: &Text, given: Option<&Node>, folder: &Path, role: Role, params: &mut Params<'_>) -> Option<Node> {
        let path = folder.join(&name.value);
        let place = self.store.place(&path);
        if let Some(start) = self.open.iter().position(|open| *open == place) {
            let between: Vec<String> = self.open[start..].iter().skip(1).map(|path| self.name_of(path)).collect();
            let through = if between.is_empty() { String::new() } else { format!(" by way of {}", between.join(", ")) };
            self.error("include", format!("the file includes itself{through}"), name.span);
            return None;
        }
        if self.open.len() > MAX_DEPTH {
            self.error("too-large", format!("files include and extend each other deeper than {MAX_DEPTH}"), name.span);
            return None;
        }
        // A file that several others include is read once, unless it is given other parameters.
        if !self.known.insert((place.clone(), given.map_or_else(String::new, shown))) {
            return None;
        }
        let again =
            self.files.files().iter().position(|f| self.store.place(f.path.as_deref().unwrap_or(Path::new(&f.name))) == place);
        let id = match again {
            Some(id) => FileId(id as u32),
            None => self.read(&path, &place, name)?,
        };
        self.open.push(place);
        let around = params.mark();
        given.into_iter().for_each(|given| params.give(given, self.diags));
        let tree = self.file(id, Some(name), path.parent().unwrap_or(Path::new(".")), role, params);
        params.forget_since(around);
        self.open.pop();
        tree
    }

    /// A file as messages call it.
    fn name_of(&self, path: &Path) -> String {
        let is_it = |f: &&SourceFile| self.store.place(f.path.as_deref().unwrap_or(Path::new(&f.name))) == path;
        let file = self.files.files().iter().find(is_it);
        format!("`{}`", file.map_or_else(|| path.display().to_string(), |f| f.name.clone()))
    }

    fn read(&mut self, path: &Path, place: &Path, name: &Text) -> Option<FileId> {
        let bytes = match self.store.read(path, place, self.room) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.error("read", format!("{}: {reason}", path.display()), name.span);
                return None;
            }
        };
        self.room = self.room.saturating_sub(bytes.len() as u64);
        match decode(path, bytes) {
            Ok(text) => {
                let on_disk = matches!(self.store, Store::Folder(..)).then(|| path.to_path_buf());
                Some(self.files.add(SourceFile::new(path.display().to_string(), on_disk, text)))
            }
            Err(fault) => {
                let (file, mut diagnostic) = *fault;
                diagnostic.labels[0].0.file = self.files.add(file);
                let id = diagnostic.labels[0].0.file;
                if self.is_outside(id) {
                    self.cant_be_read(&diagnostic, name);
                } else {
                    self.diags.push(diagnostic);
                }
                None
            }
        }
    }

    /// Changes a tree by another: a mapping goes into a mapping, `~` takes out, anything else replaces.
    fn patch(&mut self, base: &mut Node, own: Node, level: Level) {
        let (NodeKind::Map(entries), NodeKind::Map(changes)) = (&mut base.kind, own.kind) else { return };
        let places: HashMap<String, usize> = entries.iter().enumerate().map(|(i, (key, _))| (level.name(key), i)).collect();
        let mut there: Vec<Option<(Text, Node)>> = std::mem::take(entries).into_iter().map(Some).collect();
        for (key, node) in changes {
            let found = places.get(&level.name(&key)).copied();
            let inner = level.inner(&key);
            match (found, &node.kind) {
                (Some(i), NodeKind::Null) => there[i] = None,
                // What a section has that is empty is nothing.
                (None, NodeKind::Null) if level == Level::File => {}
                (None, NodeKind::Null) => {
                    self.error("extends", format!("there is no `{}` to remove", key.value), key.span);
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

/// What is patched.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    /// The sections of a file.
    File,
    /// The entries of a section whose keys name their parameters: `Described(ur, width?)`.
    WithParameters,
    /// The entries of another section, and all that stands deeper.
    Entries,
}

impl Level {
    /// The part of a key that names the entry.
    fn name(self, key: &Text) -> String {
        let name = if self == Self::WithParameters { bare(&key.value) } else { &key.value };
        name.to_string()
    }

    /// What stands in the entry of this key.
    fn inner(self, key: &Text) -> Self {
        match (self, key.value.as_str()) {
            (Self::File, "operands" | "choices") => Self::WithParameters,
            _ => Self::Entries,
        }
    }
}

/// The name of an operand or a choice without its parameters.
fn bare(key: &str) -> &str {
    key.split('(').next().unwrap_or_default().trim()
}

/// What a file says of its composition.
#[derive(Default)]
struct Own {
    params: Option<Node>,
    include: Option<Node>,
    extends: Option<Node>,
    group: Option<Node>,
    errata: Option<Node>,
    evidence: Option<Node>,
}

/// What a node says, to tell it from others.
fn shown(node: &Node) -> String {
    match &node.kind {
        NodeKind::Null => "~".to_string(),
        NodeKind::Scalar { text, .. } => format!("{:?}", text.value),
        NodeKind::Seq(items) => items.iter().map(|item| shown(item) + ",").collect(),
        NodeKind::Map(entries) => entries.iter().map(|(key, node)| format!("{:?}:{};", key.value, shown(node))).collect(),
    }
}

/// Gives the instructions of a file its group. Where the file is a part of an instruction set, its summary and notes are those of the
/// group.
fn set_group(tree: &mut Node, group: &Text, role: Role) {
    let node = |text: &Text| Node { span: text.span, kind: NodeKind::Scalar { text: text.clone(), quoted: true } };
    let key = |name: &str| Text::new(name, group.span);
    let about = if role == Role::Included { ["summary", "notes"].map(|name| without(tree, name)) } else { [None, None] };
    let map = |entries| Node { span: group.span, kind: NodeKind::Map(entries) };
    let about = map(about.into_iter().flatten().collect());
    let Some(sections) = entries(tree) else { return };
    for (section, list) in sections.iter_mut() {
        let list = entries(list).filter(|_| section.value == "instructions");
        for own in list.into_iter().flatten().filter_map(|(_, part)| entries(part)) {
            if own.iter().all(|(key, _)| key.value != "group") {
                own.push((key("group"), node(group)));
            }
        }
    }
    sections.push((key("groups"), map(vec![(group.clone(), about)])));
}

/// Adds the entries of a part to those of a whole, section by section.
fn join(whole: &mut Node, part: Node) {
    let (Some(sections), NodeKind::Map(more)) = (entries(whole), part.kind) else { return };
    for (key, node) in more {
        if ["summary", "notes"].contains(&key.value.as_str()) {
            continue;
        }
        let Some((_, there)) = sections.iter_mut().find(|(k, _)| k.value == key.value) else {
            sections.push((key, node));
            continue;
        };
        match (&mut there.kind, node.kind) {
            (NodeKind::Map(_), NodeKind::Map(entries)) if key.value == "machine" => {
                let span = there.span;
                join(there, Node { span, kind: NodeKind::Map(entries) });
            }
            (NodeKind::Map(entries), NodeKind::Map(more)) => {
                // A group that several files belong to is one.
                let known: HashSet<String> = match key.value.as_str() {
                    "groups" => entries.iter().map(|(name, _)| name.value.clone()).collect(),
                    _ => HashSet::new(),
                };
                entries.extend(more.into_iter().filter(|(name, _)| !known.contains(&name.value)));
            }
            (NodeKind::Seq(items), NodeKind::Seq(more)) => items.extend(more),
            (NodeKind::Null, kind) => there.kind = kind,
            (_, NodeKind::Null) => {}
            // Of another shape: what is read later says so.
            (_, kind) => sections.push((key, Node { span: node.span, kind })),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::codec::Codec;
    use crate::model::Isa;

    fn isa(text: &str) -> Isa {
        let loaded = crate::load_str("t.yaml", text, None);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        loaded.isa.unwrap_or_else(|| panic!("{messages:?}"))
    }

    fn names(isa: &Isa) -> Vec<&str> {
        isa.instructions.iter().map(|i| i.name.as_str()).collect()
    }

    #[test]
    fn what_a_file_is_given_wins_over_the_parameters_around_it() {
        let main = "isa: a\nword: 8\nparams: { n: y }\ninclude: [ { file: p.yaml, params: { n: z } } ]\n\
                    instructions: { \"main$n\": { fix: { 7..0: 0 }, text: x } }\n";
        let part = "params: { n: own }\ninclude: q.yaml\ninstructions: { \"i$n\": { fix: { 7..0: 1 }, text: \"t$n\" } }\n";
        let inner = "instructions: { \"q$n\": { fix: { 7..0: 2 }, text: \"q$n\" } }\n";
        let loaded = crate::load_texts("m.yaml", &[("m.yaml", main), ("p.yaml", part), ("q.yaml", inner)]);
        assert_eq!(names(&loaded.isa.expect("a good spec")), ["mainy", "iz", "qz"]);
    }

    #[test]
    fn files_that_are_named_are_mappings() {
        let message = |key: &str, other: &str| {
            let main = format!("isa: a\nword: 8\n{key}: o.yaml\ninstructions: {{ x: {{ fix: {{ 7..0: 0 }}, text: x }} }}\n");
            let loaded = crate::load_texts("m.yaml", &[("m.yaml", &main), ("o.yaml", other)]);
            loaded.diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>()
        };
        for key in ["include", "extends", "errata"] {
            for (other, found) in [("- a\n", "is a list"), ("a\n", "is a text"), ("# a\n", "is empty")] {
                let expected = format!("`o.yaml` {found}, not a mapping of sections: `instructions: {{ … }}`");
                assert_eq!(message(key, other), [expected], "{key}: {other}");
            }
        }
    }

    #[test]
    fn lines_of_other_files_elsewhere_are_not_shown() {
        let folder = std::env::temp_dir().join(format!("isa-spec-elsewhere-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("spec")).expect("a folder");
        let messages = |other: &str| {
            std::fs::write(folder.join("other"), other).expect("a file");
            let main = "isa: a\nword: 8\ninclude: ../other\ninstructions: { x: { fix: { 7..0: 0 }, text: x } }\n";
            let loaded = crate::load_str("main.yaml", main, Some(&folder.join("spec")));
            loaded.diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>()
        };
        assert_eq!(messages("root:*:20228:0:::\n"), ["`../other` has none of the sections of a specification"]);
        assert_eq!(messages("[secret\n"), ["`../other` can't be read as YAML at line 1, column 1"]);
        assert_eq!(messages("instructions: { y: { fix: { 7..0: 1 }, txt: y } }\n"), ["an instruction has no `txt`"]);
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
    }

    #[test]
    fn rows_of_a_table_are_entries_and_conditions_ask_for_each() {
        let isa = isa(
            "isa: t\nword: 8\nparams: { N: 3, M: { N < 3: 1, N % 2 == 1: $N, else: 7 } }\ninstructions:\n  \"a$f${c}x\":\n    \
             for: { f: [s, d, h], c: [1, 2, 3] }\n    when: \"f is s|h && M == 3 || c in { 0, 2 .. 2 } && N > 3\"\n    \
             fix: { 7..4: $c, 3..0: $M }\n    text: \"{mnemonic} $f\"\n",
        );
        assert_eq!(names(&isa), ["as1x", "ah3x"]);
        assert_eq!(isa.forms.iter().map(|f| f.value.to_string()).collect::<Vec<_>>(), ["19", "51"]);
        let mut text = String::new();
        Codec::new(&isa).print(isa.forms[1].id, isa.forms[1].value, 0, &mut text);
        assert_eq!(text, "ah3x h");
    }

    #[test]
    fn alternatives_and_fields_can_depend_on_parameters() {
        let isa = isa(
            "isa: t\nword: 8\nparams: { WIDE: 0 }\nchoices: { C: { r: { fix: { 7: 0 } }, w: { when: WIDE, fix: { 7: 1 } } } }\n\
             instructions:\n  A:\n    choose: { c: C, d: { \"x$n\": { for: { n: [0, 1] }, fix: { 6: $n } } } }\n    \
             fields: { a: { is: 5..3, when: WIDE }, b: 2..0 }\n    rest: ignored\n    text: \"A {b}\"\n",
        );
        assert_eq!(isa.forms.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["A.x0", "A.x1"]);
        assert_eq!(isa.forms[0].fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn the_shortest_word_of_a_text_is_assembled_where_the_spec_prefers_it() {
        let word = |prefer: &str| {
            let isa = isa(&format!(
                "isa: t\nword: {{ unit: 8, lengths: {{ 8: \"prefix[0] == 0\", 16: \"prefix[0] == 1\" }} }}\n{prefer}instructions:\n  \
                 long: {{ length: 16, fix: {{ 0: 1 }}, fields: {{ n: 15..8 }}, ignored: 7..1, text: \"A {{n}}\" }}\n  \
                 short: {{ length: 8, fix: {{ 0: 0 }}, fields: {{ n: 7..1 }}, text: \"A {{n}}\" }}\n"
            ));
            let codec = Codec::new(&isa);
            ["A 0x3", "A 0x83"].map(|text| codec.parse(text, 0, &|_| None).map(|(_, word)| word.to_string()).unwrap_or_default())
        };
        assert_eq!(word(""), ["769", "33537"]);
        assert_eq!(word("prefer: shortest\n"), ["6", "33537"]);
    }

    #[test]
    fn files_can_be_in_memory() {
        let files = [
            (
                "riscv/m.yaml",
                "include: ../base/./i.yaml\ngroup: M\ninstructions: { MUL: { fix: { 7..0: 2 }, text: \"MUL$W\" } }\n",
            ),
            ("base/i.yaml", "params: { W: 8 }\ngroup: I\ninstructions: { ADD: { fix: { 7..0: 1 }, text: \"ADD$W\" } }\n"),
            ("t.yaml", "isa: t\nword: 8\nparams: { W: 4 }\ninclude: [riscv/m.yaml, base/i.yaml]\n"),
            ("none.yaml", "isa: t\nword: 8\ninclude: riscv/q.yaml\n"),
        ];
        let isa = crate::load_texts("t.yaml", &files).isa.expect("a good spec");
        assert_eq!(names(&isa), ["MUL", "ADD"]);
        assert_eq!(isa.groups.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["M", "I"]);
        let mut text = String::new();
        Codec::new(&isa).print(isa.forms[1].id, isa.forms[1].value, 0, &mut text);
        assert_eq!(text, "ADD4");
        let messages: Vec<_> = crate::load_texts("none.yaml", &files).diagnostics.into_iter().map(|d| d.message).collect();
        assert_eq!(messages, ["riscv/q.yaml: there is no such file"]);
    }

    const PARENT: &str = "isa: parent\nalso: [other]\nword: 8\noperands: { \"N(at)\": { fields: { n: $at }, text: \"{n}\" } }\ninstructions:\n  \
                          A: { fix: { 7..4: 1 }, bind: { n: N(3..0) }, text: \"A {n}\", errata: { E1: { is: so, evidence: { 13: A 0x3 }, elsewhere: { 1f: B } } } }\n";

    /// The model of a child of `PARENT`, and how many pieces of evidence do not hold.
    fn child(text: &str) -> (Isa, usize) {
        let files = [("parent.yaml", PARENT), ("child.yaml", text)];
        let loaded = crate::load_texts("child.yaml", &files);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        let isa = loaded.isa.unwrap_or_else(|| panic!("{messages:?}"));
        let wrong = crate::evidence::check(&isa).len();
        (isa, wrong)
    }

    #[test]
    fn evidence_of_what_is_extended_is_evidence_if_it_is_said_so() {
        let changed = "instructions: { A: { text: \"C {n}\" } }\n";
        let (isa, wrong) = child(&format!("isa: child\nextends: parent\n{changed}"));
        assert_eq!((wrong, isa.also.len()), (0, 0));
        let (_, erratum) = isa.all_errata().next().expect("the erratum of the parent");
        assert_eq!((erratum.evidence.len(), erratum.elsewhere.len()), (0, 2));
        assert_eq!(child(&format!("isa: child\nextends: parent.yaml\nevidence: inherited\n{changed}")).1, 1);
    }

    #[test]
    fn what_has_parameters_is_patched_by_its_bare_name() {
        for key in ["N", "\"N(at)\"", "\"N(at, spare?)\""] {
            let (isa, _) = child(&format!("isa: child\nextends: parent\noperands: {{ {key}: {{ text: \"[{{n}}]\" }} }}\n"));
            let mut text = String::new();
            Codec::new(&isa).print(isa.forms[0].id, isa.forms[0].value, 0, &mut text);
            assert_eq!(text, "A [0x0]", "{key}");
        }
    }

    #[test]
    fn a_file_extends_what_is_shipped_by_name() {
        let folder = std::env::temp_dir().join(format!("isa-spec-extends-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("child.yaml");
        let load = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            crate::try_load_beside(&path, &[("parent.yaml", PARENT)]).expect("a file that can be read")
        };
        let isa = load("isa: child\nextends: parent\ninstructions: { B: { fix: { 7..0: 0x20 }, text: B } }\n").isa;
        let fault = load("isa: child\nextends: parnet\n").diagnostics;
        std::fs::remove_dir_all(&folder).expect("the folder is there");
        assert_eq!(names(&isa.expect("a good spec")), ["A", "B"]);
        let message = &fault[0].message;
        assert!(message.ends_with("there is no such file, and no shipped instruction set of this name"), "{message}");
        assert_eq!(fault[0].help.as_deref(), Some("did you mean `parent`?"));
    }

    #[test]
    fn what_tables_make_is_bounded() {
        let list = (0..2000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
        let keys: String = (0..1000).map(|i| format!("{i}: 1, ")).collect();
        let text = format!(
            "isa: t\nword: 8\nenums: {{ \"E$n\": {{ for: {{ n: [{list}] }}, {keys} }} }}\ninstructions: {{ A: {{ fix: {{ 7..0: 1 }} }} }}\n"
        );
        let loaded = crate::load_str("t.yaml", &text, None);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, ["the tables make more than 1000000 keys and values"]);
    }
}
