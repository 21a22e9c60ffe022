//! The isagen specification language.
//!
//! A specification goes through these stages, each in a crate that can be used without those after it:
//!
//! 1. `isa-syntax`: text to declarations. [`yaml`] makes a tree of nodes that know their place, tables of [`keys`] make declarations of
//!    it, [`lang`] has the small languages inside strings;
//! 2. `isa-expand`: declarations to the [`model`], choices multiplied out into forms, names resolved. `isa-semantics` finds out what
//!    texts in the language of [`semantics`] mean in a form;
//! 3. `isa-check`: conditions to [`sets`] of words, forms that specialise others, and the rules that a model keeps.
//!
//! All of them work on `isa-model`. [`load`] and [`load_str`] run them and give the model with all findings. [`same_text`] decides for
//! two forms whether they have a text in common, and [`print`](mod@print) prints a word. What walks the model otherwise is in crates of
//! its own: `isa-reference` decodes, reads and executes, `isa-diff` compares two models.

pub use isa_check::{same_text, text_graph};
pub use isa_model::{bits, describe, diag, errata, escape, machine_info, model, opcode_map, print, sets, shorter, span};
pub use isa_syntax::files::{MAX_FILE, ReadError, read_file};
pub use isa_syntax::read::machine;
pub use isa_syntax::{key_listings, keys, lang, machine_key_listings, yaml};

/// The language of semantics: texts, trees, machines.
pub mod semantics {
    pub use isa_model::semantics::*;
    pub use isa_semantics::{Is, Referent, Scope, check, elaborate, elaborate_value};
    pub use isa_syntax::lang::semantics::*;
}

use diag::{Diagnostic, Diagnostics};
use isa_syntax::compose::Store;
use isa_syntax::files::{decode, read_bytes};
use model::Isa;
use span::SourceMap;
use std::path::Path;

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
            load_file(&path.display().to_string(), Some(path), text, Store::Folder(folder, shipped))
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
    load_file(name, None, text.to_string(), Store::Folder(base.unwrap_or(Path::new(".")), &[]))
}

/// Loads a specification from texts in memory, each with its path, and all that it includes and extends from there, too.
///
/// # Panics
/// When `name` is none of the paths.
pub fn load_texts(name: &str, files: &[(&str, &str)]) -> Loaded {
    let text = files.iter().find(|(path, _)| *path == name).expect("the specification is one of the texts").1;
    load_file(name, None, text.to_string(), Store::Texts(files))
}

fn load_file(name: &str, path: Option<&Path>, text: String, store: Store<'_>) -> Loaded {
    let mut files = SourceMap::default();
    let mut diags = Diagnostics::default();
    let id = files.add(span::SourceFile::new(name, path.map(Path::to_path_buf), text));
    let spec = isa_syntax::declarations(id, store, &mut files, &mut diags);
    let mut isa = spec.and_then(|spec| isa_expand::expand(&spec, files.clone(), &mut diags));
    if let Some(isa) = isa.as_mut().filter(|_| !diags.has_unsound_forms()) {
        isa_check::solve(isa, &mut diags);
    }
    if let Some(isa) = isa.as_mut().filter(|_| !diags.has_unsound_forms())
        && isa_check::is_whole(isa, &mut diags)
    {
        isa_check::resolve(isa, &mut diags);
        isa_check::check(isa, &mut diags);
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
