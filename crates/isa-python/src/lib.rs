//! isagen for Python: the module `isagen._isagen`, under the package in `python/isagen`.
//!
//! [`shared`] keeps instruction sets and their codecs, one for each active thread; [`isa`] and [`insn`] are their classes,
//! [`asm`] assembles programs, [`object`] reads object files and writes edited ones, [`run`] runs programs, [`columns`] makes
//! columns of Arrow, [`check`] has the findings about specifications.

mod asm;
mod check;
mod columns;
mod errors;
mod insn;
mod isa;
mod object;
mod run;
mod shared;

use pyo3::prelude::*;

/// Instruction sets: the native part of the package `isagen`.
#[pymodule]
fn _isagen(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NAMES", generated::NAMES.to_vec())?;
    errors::add(module)?;
    module.add_class::<isa::Isa>()?;
    module.add_class::<insn::Insn>()?;
    module.add_class::<insn::Field>()?;
    module.add_class::<insn::Refused>()?;
    module.add_class::<asm::Program>()?;
    module.add_class::<asm::Section>()?;
    module.add_class::<pyo3_arrow::PyArray>()?;
    module.add_class::<pyo3_arrow::PyChunkedArray>()?;
    module.add_class::<pyo3_arrow::PyRecordBatchReader>()?;
    module.add_class::<pyo3_arrow::PySchema>()?;
    module.add_function(wrap_pyfunction!(isa::load, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(object::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(object::listing, module)?)?;
    module.add_function(wrap_pyfunction!(object::put_back, module)?)?;
    module.add_function(wrap_pyfunction!(object::reader, module)?)?;
    module.add_function(wrap_pyfunction!(object::is_object, module)?)?;
    module.add_function(wrap_pyfunction!(run::program, module)?)?;
    module.add_function(wrap_pyfunction!(run::kernel, module)?)?;
    module.add_function(wrap_pyfunction!(columns::schema, module)?)?;
    module.add_function(wrap_pyfunction!(columns::disasm, module)?)?;
    module.add_function(wrap_pyfunction!(columns::scan_object, module)?)?;
    module.add_function(wrap_pyfunction!(columns::write_corpus, module)?)?;
    module.add_function(wrap_pyfunction!(columns::write_words, module)?)?;
    Ok(())
}
