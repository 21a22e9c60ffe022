//! The isagen specification language.
//!
//! A specification goes through these stages, one module each:
//!
//! 1. [`yaml`]: text to a tree of nodes that know their place;
//! 2. [`lang`]: the small languages inside strings (fields, conditions, templates, layouts), each with a pest grammar;
//! 3. `compose`: the trees of several files to one, parameters put in;
//! 4. `read`: tree to declarations by tables of [`keys`], every key known, every name checked later;
//! 5. `expand`: declarations to the [`model`], choices multiplied out into forms, names resolved;
//! 6. `solve`: conditions to [`sets`] of words;
//! 7. `resolve`: which forms specialise which (two that share words otherwise clash), and what no form has;
//! 8. `check`: the rules that a model keeps, a file each: every bit accounted for, no words of the wrong length, texts that can be read
//!    back. It changes nothing.
//!
//! [`load`] and [`load_str`] run them and give the model with all findings. [`same_text`] decides for two
//! forms whether they have a text in common, and [`print`](mod@print) prints a word. What walks the model otherwise is in crates of its own:
//! `isa-reference` decodes, reads and executes, `isa-diff` compares two models.

// Generated parsers name it.
extern crate alloc;

pub mod bits;
mod check;
mod compose;
pub mod describe;
pub mod diag;
pub mod errata;
pub mod escape;
mod excerpt;
mod expand;
mod files;
mod float_layout;
pub mod keys;
pub mod lang;
pub mod model;
pub mod opcode_map;
pub mod print;
mod read;
mod resolve;
pub mod same_text;
pub mod semantics;
pub mod sets;
mod shapes;
pub mod shorter;
mod solve;
pub mod span;
pub mod text_graph;
pub mod yaml;

pub use files::{MAX_FILE, ReadError, read_file};

use diag::{Diagnostic, Diagnostics};
use files::{decode, read_bytes};
use model::Isa;
use span::SourceMap;
use std::path::Path;

/// The machine of an instruction set, as programs are run with it.
pub fn machine_info(isa: &Isa) -> isa_runtime::machine::MachineInfo {
    isa.machine.info(isa.words.units(), isa.registers.iter().map(|file| file.info(&isa.machine)).collect())
}

/// The result of loading a specification.
#[derive(Debug)]
pub struct Loaded {
    /// The model, if there was no error.
    pub isa: Option<Isa>,
    /// All findings, by place: with a model, warnings; without one, at least one error.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that were read, for rendering.
    pub files: SourceMap,
}

/// Loads a specification from a file.
pub fn load(path: &Path) -> Loaded {
    try_load(path).unwrap_or_else(|error| {
        let mut files = SourceMap::default();
        let file = files.add(span::SourceFile::new(path.display().to_string(), None, ""));
        let diagnostic = Diagnostic::error("read", error.reason, span::Span::new(file, 0..0));
        Loaded { isa: None, diagnostics: vec![diagnostic], files }
    })
}

/// Loads a specification from a file, which is read once.
///
/// # Errors
/// When there is no such file, when it is not a regular file, or larger than [`MAX_FILE`]. Invalid UTF-8 is a finding.
pub fn try_load(path: &Path) -> Result<Loaded, ReadError> {
    try_load_beside(path, &[])
}

/// Loads a specification from a file that can extend instruction sets of other texts by their names: `extends: sm80` is the text with
/// the path `sm80.yaml`.
///
/// # Errors
/// As those of [`try_load`].
pub fn try_load_beside(path: &Path, shipped: &[(&str, &str)]) -> Result<Loaded, ReadError> {
    let fail = |reason: String| ReadError { path: path.to_path_buf(), reason };
    let bytes = read_bytes(path, MAX_FILE).map_err(fail)?;
    Ok(match decode(path, bytes) {
        Ok(text) => {
            let folder = path.parent().unwrap_or(Path::new("."));
            load_file(&path.display().to_string(), Some(path), text, compose::Store::Folder(folder, shipped))
        }
        Err(fault) => {
            let (file, diagnostic) = *fault;
            let mut files = SourceMap::default();
            files.add(file);
            Loaded { isa: None, diagnostics: vec![diagnostic], files }
        }
    })
}

/// Loads a specification from a text; `name` identifies it in messages, files that it includes are relative to `base`.
pub fn load_str(name: &str, text: &str, base: Option<&Path>) -> Loaded {
    load_file(name, None, text.to_string(), compose::Store::Folder(base.unwrap_or(Path::new(".")), &[]))
}

/// Loads a specification from texts in memory, each with its path, and all that it includes and extends from there, too.
///
/// # Panics
/// When `name` is none of the paths.
pub fn load_texts(name: &str, files: &[(&str, &str)]) -> Loaded {
    let text = files.iter().find(|(path, _)| *path == name).expect("the specification is one of the texts").1;
    load_file(name, None, text.to_string(), compose::Store::Texts(files))
}

/// The keys of specifications, for the reference: first those of a whole specification, then those of each section.
pub fn key_listings() -> Vec<keys::Listing> {
    let mut list = read::listings();
    list.insert(1, (&compose::INCLUDED).into());
    list
}

/// The keys of a `machine:` section, followed by those of each part of it.
pub fn machine_key_listings() -> Vec<keys::Listing> {
    semantics::machine_listings()
}

fn load_file(name: &str, path: Option<&Path>, text: String, store: compose::Store<'_>) -> Loaded {
    let mut files = SourceMap::default();
    let mut diags = Diagnostics::default();
    let id = files.add(span::SourceFile::new(name, path.map(Path::to_path_buf), text));
    let spec = compose::compose(id, store, &mut files, &mut diags).and_then(|tree| {
        let lost = diags.has_errors();
        let mut reader = keys::Reader { diags: &mut diags, lost };
        let spec = read::spec(&mut reader, &tree);
        // Names in unreadable parts cannot be resolved; do not report them.
        (!reader.lost).then_some(spec)
    });
    let mut isa = spec.and_then(|spec| expand::expand(&spec, files.clone(), &mut diags));
    if let Some(isa) = isa.as_mut().filter(|_| !diags.has_unsound_forms()) {
        solve::solve(isa, &mut diags);
    }
    if let Some(isa) = isa.as_mut().filter(|_| !diags.has_unsound_forms())
        && check::is_whole(isa, &mut diags)
    {
        resolve::resolve(isa, &mut diags);
        check::check(isa, &mut diags);
    }
    if diags.has_errors() {
        isa = None;
    }
    let mut diagnostics = diag::folded(diags.into_sorted());
    diagnostics.iter_mut().for_each(|diagnostic| blame_comment(diagnostic, &files));
    Loaded { isa, diagnostics, files }
}

/// Moves an error about a missing value to the comment that is in its place.
fn blame_comment(diagnostic: &mut Diagnostic, files: &SourceMap) {
    let span = diagnostic.span();
    let text = &files.file(span.file).text;
    let line = text[span.range().start..].lines().next().unwrap_or_default();
    let comment = line.trim_start_matches([' ', ':']);
    if diagnostic.help.is_none() && comment.starts_with('#') && text[span.range()].trim_matches([' ', ':']).is_empty() {
        let start = span.range().start + line.len() - comment.len();
        diagnostic.labels[0].0 = span::Span::new(span.file, start..start + comment.trim_end().len());
        diagnostic.help = Some("` #` begins a comment in YAML: a text with `#` is written in quotes".to_string());
    }
}
