//! Programs.

use crate::errors::{AssemblyError, Error, Fault, lines, of_faults};
use crate::insn::to_int;
use crate::shared::Shared;
use isa_asm::{Options, output};
use isa_engine::{Lengths, Style, Word};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::path::PathBuf;

/// An assembled program.
#[pyclass(frozen, module = "isagen")]
pub(crate) struct Program {
    pub(crate) words: Vec<Word>,
    sections: Vec<(String, u64, Vec<u8>)>,
    symbols: Vec<(String, u64)>,
    /// Warnings: `file:line:column: reason`.
    #[pyo3(get)]
    warnings: Vec<String>,
    /// The files that it can be written to, by format.
    files: Vec<(&'static str, Result<Vec<u8>, String>)>,
}

/// A section of a program.
#[pyclass(frozen, module = "isagen", get_all)]
pub(crate) struct Section {
    /// Its name.
    name: String,
    /// Its address.
    address: u64,
    /// Its bytes.
    bytes: Py<PyBytes>,
}

#[pymethods]
impl Section {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Section({:?}, address={:#x}, bytes={})", self.name, self.address, self.bytes.as_bytes(py).len())
    }
}

#[pymethods]
impl Program {
    /// The words of its instructions, one after the other.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.words.iter().map(|word| to_int(py, *word)).collect::<PyResult<Vec<_>>>()?)
    }

    /// Its sections, in the order in which they were named.
    #[getter]
    fn sections(&self, py: Python<'_>) -> Vec<Section> {
        let section = |(name, address, bytes): &(String, u64, Vec<u8>)| Section {
            name: name.clone(),
            address: *address,
            bytes: PyBytes::new(py, bytes).unbind(),
        };
        self.sections.iter().map(section).collect()
    }

    /// Its symbols and their values.
    #[getter]
    fn symbols<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        self.symbols.iter().try_for_each(|(name, value)| all.set_item(name, *value))?;
        Ok(all)
    }

    /// The program as a file: `bin`, `ihex`, `srec`, `mem8`, `mem16`, `mem32`, `elf`.
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let Some((_, bytes)) = self.files.iter().find(|(name, _)| *name == format) else {
            let names: Vec<&str> = self.files.iter().map(|(name, _)| *name).collect();
            return Err(Error::new_err(format!("there is no format `{format}`; there are {}", names.join(", "))));
        };
        bytes.as_ref().map(|bytes| PyBytes::new(py, bytes)).map_err(|why| Error::new_err(why.clone()))
    }
}

/// Assembles a program.
pub(crate) fn program(
    py: Python<'_>,
    shared: &Shared,
    text: &str,
    (name, lengths): (&str, Lengths),
    defines: Option<&Bound<'_, PyDict>>,
    include: Vec<PathBuf>,
) -> PyResult<Program> {
    let mut own = Vec::new();
    for (name, value) in defines.into_iter().flatten() {
        own.push((name.extract::<String>()?, value.str()?.to_string()));
    }
    let options = Options { style: Style { lengths, ..Style::default() }, defines: own, include, ..Options::default() };
    let result = py.detach(|| {
        shared.with(|codec| {
            if codec.is_text() {
                return Err(Err(format!("{} has no binary form: it is text-only", codec.name())));
            }
            let program = isa_asm::assemble(codec, name, options, text.lines()).map_err(Err)?;
            let (mut faults, mut warnings) = (Vec::new(), Vec::new());
            for fault in program.faults_in_order() {
                let column = fault.text.get(..fault.at.start).map_or(1, |before| before.chars().count() + 1);
                let own: Fault = (fault.file.to_string(), fault.line, column, fault.text.to_string(), fault.message.clone());
                if fault.is_warning {
                    warnings.push(lines(std::slice::from_ref(&own)));
                } else {
                    faults.push(own);
                }
            }
            if program.has_failed() {
                return Err(Ok(faults));
            }
            let words = program.words(codec).map(|(.., word)| word).collect();
            let machine = codec.objects().map_or(0, |of| of.elf_machine);
            let files = vec![
                ("bin", output::bytes(&program, 0)),
                ("ihex", output::ihex(&program).map(String::into_bytes)),
                ("srec", output::srec(&program).map(String::into_bytes)),
                ("mem8", output::mem(&program, 1, 0).map(String::into_bytes)),
                ("mem16", output::mem(&program, 2, 0).map(String::into_bytes)),
                ("mem32", output::mem(&program, 4, 0).map(String::into_bytes)),
                ("elf", output::elf(&program, machine, false)),
            ];
            let symbols = program.symbols.iter().filter(|symbol| symbol.is_defined);
            let symbols = symbols.map(|symbol| (symbol.name.to_string(), symbol.value)).collect();
            let sections = program.sections.iter().enumerate();
            let sections =
                sections.map(|(place, section)| (section.name.to_string(), section.address, program.bytes(place))).collect();
            Ok(Program { words, sections, symbols, warnings, files })
        })
    });
    result.map_err(|why| match why {
        Ok(faults) => of_faults(py, AssemblyError::new_err(lines(&faults)), &faults),
        Err(why) => AssemblyError::new_err(why),
    })
}
