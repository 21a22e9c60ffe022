//! Exceptions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(isagen, Error, PyValueError, "An input that isagen refuses.");
pyo3::create_exception!(isagen, SpecError, Error, "A specification or an image that can't be loaded.");
pyo3::create_exception!(isagen, DecodeError, Error, "A word that is no instruction. It has `word`, `address` and `reason`.");
pyo3::create_exception!(
    isagen,
    AssemblyError,
    Error,
    "A text that is no instruction or no program. `faults` are all of them, each with `file`, `line`, `column`, `text`, `message`."
);
pyo3::create_exception!(isagen, ObjectError, Error, "An object file that can't be read, or a listing that does not fit it.");
pyo3::create_exception!(isagen, RunError, Error, "A program that can't be run, or that has not come to its end.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("SpecError", py.get_type::<SpecError>())?;
    module.add("DecodeError", py.get_type::<DecodeError>())?;
    module.add("AssemblyError", py.get_type::<AssemblyError>())?;
    module.add("ObjectError", py.get_type::<ObjectError>())?;
    module.add("RunError", py.get_type::<RunError>())
}

/// An error in a line: file, line and column from 1, the line, the reason.
pub(crate) type Fault = (String, usize, usize, String, String);

/// The exception for errors in lines.
pub(crate) fn of_faults(py: Python<'_>, error: PyErr, faults: &[Fault]) -> PyErr {
    let list = || -> PyResult<()> {
        let kind = py.import("isagen._types")?.getattr("Fault")?;
        let faults: Vec<_> = faults.iter().map(|fault| kind.call1(fault.clone())).collect::<PyResult<_>>()?;
        error.value(py).setattr("faults", faults)
    };
    match list() {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Faults as lines: `file:line:column: reason`.
pub(crate) fn lines(faults: &[Fault]) -> String {
    let line = |(file, line, column, text, why): &Fault| match line {
        0 => format!("{file}: {why}"),
        _ => format!("{file}:{line}:{column}: {why}\n    {text}"),
    };
    let mut lines: Vec<String> = faults.iter().take(20).map(line).collect();
    if let Some(more) = faults.len().checked_sub(lines.len()).filter(|more| *more > 0) {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}
