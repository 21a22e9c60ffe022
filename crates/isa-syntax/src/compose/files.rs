//! Other files, named by a specification: each is read once, and none includes itself.

use super::include::shown;
use super::params::Params;
use super::{Composer, Role, Store};
use crate::files::decode;
use crate::yaml::{Node, Text};
use isa_model::diag::Diagnostic;
use isa_model::span::{FileId, SourceFile};
use std::path::Path;

/// Files include and extend each other so deep at most.
const MAX_DEPTH: usize = 100;

impl Composer<'_> {
    /// True if a file is not in the folder of the specification: it may be anything, and its lines are not shown before it is seen to be
    /// a part of a specification.
    pub(super) fn is_outside(&self, id: FileId) -> bool {
        let Store::Folder(folder, _) = self.store else { return false };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let path = self.files.file(id).path.as_deref();
        !path.is_some_and(|path| self.store.place(path).starts_with(self.store.place(folder)))
    }

    /// Reports that a file can't be read, without its lines.
    pub(super) fn cant_be_read(&mut self, diagnostic: &Diagnostic, name: &Text) {
        let span = diagnostic.labels[0].0;
        let (line, column) = self.files.file(span.file).line_col(span.start as usize);
        let message = format!("`{}` can't be read as YAML at line {line}, column {column}", name.value);
        self.error("include", message, name.span);
    }

    /// The tree of another file, named by this text and given these parameters; `None` if it was read with them before, or can't be
    /// read.
    pub(super) fn other(
        &mut self,
        name: &Text,
        given: Option<&Node>,
        folder: &Path,
        role: Role,
        params: &mut Params<'_>,
    ) -> Option<Node> {
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
}
