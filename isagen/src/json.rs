//! The output of the command line as JSON, one object a line.

use isa_docs::json;
use isa_spec::diag::{Diagnostic, Severity};
use isa_spec::span::{SourceMap, Span};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value on one line.
pub(crate) fn line(value: &impl Serialize) -> String {
    json::line(value).expect("keys are texts, and memory is written to")
}

/// A finding: of a specification, of the input, or of a run.
pub(crate) struct Finding<'a> {
    pub(crate) severity: &'a str,
    pub(crate) code: &'a str,
    pub(crate) message: &'a str,
    pub(crate) help: Option<&'a str>,
    pub(crate) labels: &'a [Label<'a>],
}

/// A place of a finding, with its message.
pub(crate) struct Label<'a> {
    pub(crate) file: &'a str,
    /// Line and column, from 1.
    pub(crate) from: (usize, usize),
    /// The same of the place after it.
    pub(crate) to: (usize, usize),
    pub(crate) text: &'a str,
}

/// A finding in a specification on one line.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, files: &SourceMap) -> String {
    let label = |(span, text): &'_ (Span, String)| {
        let file = files.file(span.file);
        (file, file.line_col(span.start as usize), file.line_col(span.end as usize), text.clone())
    };
    let labels: Vec<_> = diagnostic.labels.iter().map(label).collect();
    let labels: Vec<Label<'_>> =
        labels.iter().map(|(file, from, to, text)| Label { file: &file.name, from: *from, to: *to, text }).collect();
    let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
    let (code, message, help) = (diagnostic.code, diagnostic.message.as_str(), diagnostic.help.as_deref());
    line(&Finding { severity, code, message, help, labels: &labels })
}

impl Serialize for Finding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("severity", self.severity)?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("message", self.message)?;
        if let Some(help) = self.help {
            map.serialize_entry("help", help)?;
        }
        map.serialize_entry("labels", self.labels)?;
        map.end()
    }
}

impl Serialize for Label<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", self.file)?;
        map.serialize_entry("line", &self.from.0)?;
        map.serialize_entry("column", &self.from.1)?;
        map.serialize_entry("end_line", &self.to.0)?;
        map.serialize_entry("end_column", &self.to.1)?;
        map.serialize_entry("text", self.text)?;
        map.end()
    }
}
