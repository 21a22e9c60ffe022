//! The isagen specification language.
//!
//! A specification goes through these stages, one module each:
//!
//! 1. [`yaml`]: text to a tree of nodes that know their place;
//! 2. [`lang`]: the small languages inside strings (fields, conditions, templates, layouts), each with a pest grammar;
//! 3. `read`: tree to declarations, every key known, every name checked later;
//! 4. `expand`: declarations to the [`model`], choices multiplied out into forms, names resolved;
//! 5. `check`: the rules that a model keeps: every bit accounted for, no clashes, texts that can be read back;
//! 6. [`codec`]: decode, encode, print and parse by walking the model.
//!
//! With the feature `eval`, `eval` runs what instructions do, by walking the model too.
//!
//! [`load`] and [`load_str`] run 1 to 5 and give the model with all findings.

pub mod certificate;
mod check;
pub mod codec;
pub mod cubes;
pub mod diag;
pub mod escape;
#[cfg(feature = "eval")]
pub mod eval;
pub mod evidence;
mod excerpt;
mod expand;
pub mod lang;
pub mod lint;
pub mod model;
mod read;
pub mod semantics;
pub mod space;
pub mod span;
pub mod yaml;

use diag::{Diagnostic, Diagnostics};
use model::Isa;
use span::SourceMap;
use std::path::Path;

/// What came of loading a specification.
#[derive(Debug)]
pub struct Loaded {
    /// The model, if there was no error.
    pub isa: Option<Isa>,
    /// All findings, by place: with a model, warnings; without one, at least one error.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that were read, for rendering.
    pub files: SourceMap,
}

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 4 << 20;

/// Why a file can't be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub path: std::path::PathBuf,
    /// What is the matter.
    pub reason: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for ReadError {}

/// Reads the text of a specification.
///
/// # Errors
/// When there is no such file, when it is a directory, larger than [`MAX_FILE`], or not UTF-8.
pub fn read_file(path: &Path) -> Result<String, ReadError> {
    let fail = |reason: String| ReadError { path: path.to_path_buf(), reason };
    let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => fail("there is no such file".to_string()),
        _ => fail(e.to_string()),
    })?;
    if meta.is_dir() {
        return Err(fail("this is a directory, not a specification".to_string()));
    }
    if meta.len() > MAX_FILE {
        return Err(fail(format!("{} bytes; a specification has at most {MAX_FILE}", meta.len())));
    }
    let bytes = std::fs::read(path).map_err(|e| fail(e.to_string()))?;
    String::from_utf8(bytes).map_err(|e| fail(format!("not UTF-8: byte {} is not text", e.utf8_error().valid_up_to())))
}

/// Loads a specification from a file.
pub fn load(path: &Path) -> Loaded {
    match read_file(path) {
        Ok(text) => load_file(&path.display().to_string(), Some(path), &text, path.parent()),
        Err(error) => {
            let mut files = SourceMap::default();
            let file = files.add(span::SourceFile::new(path.display().to_string(), None, ""));
            let diagnostic = Diagnostic::error("read", error.reason, span::Span::new(file, 0..0));
            Loaded { isa: None, diagnostics: vec![diagnostic], files }
        }
    }
}

/// Loads a specification from a text; `name` stands for it in messages, files that it includes are relative to `base`.
pub fn load_str(name: &str, text: &str, base: Option<&Path>) -> Loaded {
    load_file(name, None, text, base)
}

fn load_file(name: &str, path: Option<&Path>, text: &str, base: Option<&Path>) -> Loaded {
    let mut files = SourceMap::default();
    let mut diags = Diagnostics::default();
    let id = files.add(span::SourceFile::new(name, path.map(Path::to_path_buf), text));
    let spec = match yaml::parse(text, id) {
        Ok(node) => {
            let mut spec = read::Reader { diags: &mut diags }.spec(&node, false);
            include(&mut spec, base, &mut files, &mut diags);
            Some(spec)
        }
        Err(diagnostic) => {
            diags.push(*diagnostic);
            None
        }
    };
    let mut isa = spec.and_then(|spec| expand::expand(&spec, files.clone(), &mut diags));
    if let Some(isa) = isa.as_mut().filter(|_| !diags.has_errors()) {
        check::check(isa, &mut diags);
    }
    if diags.has_errors() {
        isa = None;
    }
    Loaded { isa, diagnostics: diags.into_sorted(), files }
}

/// Adds what the included files offer.
fn include(spec: &mut read::Spec, base: Option<&Path>, files: &mut SourceMap, diags: &mut Diagnostics) {
    for name in std::mem::take(&mut spec.include) {
        let path = base.unwrap_or(Path::new(".")).join(&name.value);
        let text = match read_file(&path) {
            Ok(text) => text,
            Err(error) => {
                diags.push(Diagnostic::error("read", format!("{error}"), name.span));
                continue;
            }
        };
        let id = files.add(span::SourceFile::new(path.display().to_string(), Some(path.clone()), text.as_str()));
        match yaml::parse(&text, id) {
            Ok(node) => {
                let mut reader = read::Reader { diags };
                let mut part = reader.spec(&node, true);
                if let Some(nested) = part.include.first() {
                    diags.push(Diagnostic::error("include", "an included file does not include others", nested.span));
                }
                spec.sources.append(&mut part.sources);
                spec.registers.append(&mut part.registers);
                spec.enums.append(&mut part.enums);
                spec.operands.append(&mut part.operands);
                spec.choices.append(&mut part.choices);
                spec.formats.append(&mut part.formats);
            }
            Err(diagnostic) => diags.push(*diagnostic),
        }
    }
}
