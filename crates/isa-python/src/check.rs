//! Findings about specifications.

use crate::errors::SpecError;
use crate::isa::{exists, loaded};
use isa_reference::examine;
use isa_spec::diag::{Severity, render_terminal};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::{Path, PathBuf};

/// A finding as `isagen._types.Finding` takes it: severity, code, message, help, text, labels.
type Finding = (&'static str, &'static str, String, Option<String>, String, Vec<Label>);

/// A place: file, line, column, end line, end column, text.
type Label = (String, usize, usize, usize, usize, String);

/// The findings of `isagen check`, in its order.
#[pyfunction]
pub(crate) fn check<'py>(py: Python<'py>, spec: PathBuf) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let findings = py.detach(|| findings(&spec))?;
    let types = py.import("isagen._types")?;
    let (finding, label) = (types.getattr("Finding")?, types.getattr("Label")?);
    let object = |(severity, code, message, help, text, labels): Finding| {
        let labels: Vec<_> = labels.into_iter().map(|own| label.call1(own)).collect::<PyResult<_>>()?;
        finding.call1((severity, code, message, help, text, PyTuple::new(py, labels)?))
    };
    findings.into_iter().map(object).collect()
}

fn findings(spec: &Path) -> PyResult<Vec<Finding>> {
    if isa_specs::own_name(&spec.to_string_lossy()).is_none() {
        exists(spec)?;
    }
    let mut found = loaded(spec).map_err(SpecError::new_err)?;
    if let Some(isa) = &found.isa {
        found.diagnostics.extend(examine::all(isa));
    }
    let finding = |diagnostic: &isa_spec::diag::Diagnostic| {
        let label = |(span, text): &(isa_spec::span::Span, String)| {
            let file = found.files.file(span.file);
            let ((line, column), (end_line, end_column)) = (file.line_col(span.start as usize), file.line_col(span.end as usize));
            (file.name.to_string(), line, column, end_line, end_column, text.clone())
        };
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        let text = render_terminal(diagnostic, &found.files, false);
        let labels = diagnostic.labels.iter().map(label).collect();
        (severity, diagnostic.code, diagnostic.message.clone(), diagnostic.help.clone(), text, labels)
    };
    Ok(found.diagnostics.iter().map(finding).collect())
}
