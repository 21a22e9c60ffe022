//! Diagnostics are data: they are collected where faults are found, and rendered where they are shown.

use crate::escape::escape;
use crate::excerpt::excerpts;
use crate::span::{SourceMap, Span};
pub use isa_runtime::near::{nearest, nearest_within};
use std::collections::{HashMap, HashSet};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The spec works; something in it is probably not meant.
    Warning,
    /// The spec can't be used.
    Error,
}

/// One finding, with the place of every party.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// A short stable name of the rule: `clash`, `unknown-key`.
    pub code: &'static str,
    /// The severity; errors make a specification unusable.
    pub severity: Severity,
    /// The message, without place and help.
    pub message: String,
    /// The places; the first is the primary one. Each has a text that may be empty.
    pub labels: Vec<(Span, String)>,
    /// A way to fix it, if one is known.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self { code, severity: Severity::Error, message: message.into(), labels: vec![(span, String::new())], help: None }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message, span) }
    }

    /// Says something at the primary place.
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.labels[0].1 = text.into();
        self
    }

    /// Adds a place.
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Says what would be right.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// An error about a second declaration. The declarations of included files come before a file's own.
    pub fn twice(code: &'static str, message: impl Into<String>, spans: [Span; 2]) -> Self {
        let [one, other] = spans;
        let (first, second) = if one.file < other.file { (other, one) } else { (one, other) };
        Self::error(code, message, second).with_label(first, "first here")
    }

    /// The primary place.
    pub fn span(&self) -> Span {
        self.labels[0].0
    }
}

/// Findings, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: HashSet<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Adds a finding, unless the very same one is already there (a shared piece is checked once for each user).
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.seen.insert(diagnostic.clone()) {
            self.errors += usize::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
        }
    }

    /// The number of findings.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Removes all findings but the first ones.
    pub fn truncate(&mut self, len: usize) {
        for removed in self.list.drain(len.min(self.list.len())..) {
            self.errors -= usize::from(removed.severity == Severity::Error);
            self.seen.remove(&removed);
        }
    }

    /// True if there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// True if an error leaves forms or their conditions unknown: errors in semantics don't.
    pub fn has_unsound_forms(&self) -> bool {
        self.has_errors() && self.list.iter().any(|d| d.severity == Severity::Error && d.code != "semantics")
    }

    /// The number of errors.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// All of them, by place.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.span().file, d.span().start));
        self.list
    }
}

/// Help for a mnemonic in the place of the key of an instruction.
pub fn with_this_mnemonic(mnemonic: &str, keys: &[&str]) -> String {
    format!("instructions with the mnemonic {mnemonic}: {}", keys.join(", "))
}

/// The number of findings with one message that are listed one by one, and of those with messages that differ in a few words.
const MOST_ALIKE: [usize; 2] = [3, 20];

/// Codes of findings that are grouped by their causes where they are made, or of which each is about another pair.
const OWN_GROUPS: [&str; 5] = ["clash", "overlap", "empty", "ambiguous-text", "unknown-name"];

/// The findings; of many that say the same of different places or names, which one slip usually makes, the first, with the places
/// of some others and their number.
pub fn folded(list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let (own, list): (Vec<_>, Vec<_>) = list.into_iter().partition(|d| OWN_GROUPS.contains(&d.code));
    let list = alike(list, MOST_ALIKE[0], |d| d.message.clone());
    let mut list = alike(list, MOST_ALIKE[1], |d| shape(&d.message));
    list.extend(own);
    list.sort_by_key(|d| (d.span().file, d.span().start));
    list
}

/// One finding in the place of each group of more than `most` with one key.
fn alike(list: Vec<Diagnostic>, most: usize, key: impl Fn(&Diagnostic) -> String) -> Vec<Diagnostic> {
    let mut places: HashMap<(&'static str, Severity, String), usize> = HashMap::new();
    let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
    for diagnostic in list {
        let place = *places.entry((diagnostic.code, diagnostic.severity, key(&diagnostic))).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(diagnostic),
            None => groups.push(vec![diagnostic]),
        }
    }
    let fold = |mut group: Vec<Diagnostic>| {
        if group.len() > most {
            let others = group.split_off(1);
            let first = &mut group[0];
            first.labels.extend(others.iter().take(MOST_PLACES).map(|other| (other.span(), "so is this".to_owned())));
            let more = format!("{} more findings say the same of other places", others.len());
            first.help = Some(first.help.take().map_or(more.clone(), |help| format!("{help}; {more}")));
        }
        group
    };
    groups.into_iter().flat_map(fold).collect()
}

/// The greatest number of other places that a finding shows.
const MOST_PLACES: usize = 8;

/// A message without its names and numbers.
fn shape(message: &str) -> String {
    let parts = message.split('`').enumerate().map(|(i, part)| if i % 2 == 1 { "`" } else { part });
    let text = parts.collect::<Vec<_>>().concat();
    let is_plain = |word: &str| !word.contains(|c: char| c.is_ascii_digit() || c.is_uppercase() || "._".contains(c));
    text.split(' ').map(|word| if is_plain(word) { word } else { "_" }).collect::<Vec<_>>().join(" ")
}

/// The finding as a person reads it in a terminal: message, snippet, help.
pub fn render_terminal(diagnostic: &Diagnostic, files: &SourceMap, colour: bool) -> String {
    use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(escape(&diagnostic.message))
        .id(diagnostic.code)
        .elements(std::iter::empty::<annotate_snippets::Element<'_>>());
    let primary = diagnostic.span().file;
    let mut order: Vec<_> = vec![primary];
    order.extend(diagnostic.labels.iter().map(|(s, _)| s.file).filter(|f| *f != primary));
    order.dedup();
    for id in order {
        let file = files.file(id);
        let labels: Vec<_> = diagnostic.labels.iter().enumerate().filter(|(_, (s, _))| s.file == id).collect();
        let places: Vec<_> = labels.iter().map(|(_, (span, _))| span.range()).collect();
        let Some(excerpts) = excerpts(file, &places) else {
            for (_, (span, _)) in labels {
                let (line, column) = file.line_col(span.start as usize);
                group = group.element(Origin::path(escape(&file.name)).line(line).char_column(column));
            }
            continue;
        };
        for excerpt in excerpts {
            let mut snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line).path(escape(&file.name)).fold(true);
            for (which, place) in excerpt.places {
                let (i, (_, text)) = labels[which];
                let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let annotation = kind.span(place);
                snippet = snippet.annotation(if text.is_empty() { annotation } else { annotation.label(escape(text)) });
            }
            group = group.element(snippet);
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(escape(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}
