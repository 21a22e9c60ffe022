//! Diagnostics are data: they are collected where faults are found, and rendered where they are shown.

use crate::escape::escape;
use crate::excerpt::excerpts;
use crate::span::{SourceMap, Span};
pub use isa_runtime::near::{nearest, nearest_within};
use std::collections::HashSet;

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
    pub(crate) fn twice(code: &'static str, message: impl Into<String>, spans: [Span; 2]) -> Self {
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

    /// True if there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
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
