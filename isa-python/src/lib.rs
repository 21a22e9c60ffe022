//! isagen for Python: the module `isagen._isagen`, under the package in `python/isagen`.
//!
//! [`shared`] has instruction sets and their codecs, one for each thread that is at work; [`isa`] and [`insn`] are their classes, [`asm`]
//! assembles programs, [`object`] reads object files and writes edited ones, [`run`] runs programs, [`columns`] are columns of Arrow.

mod asm;
mod columns;
mod errors;
mod insn;
mod isa;
mod object;
mod run;
mod shared;

use pyo3::prelude::*;

/// Instruction sets: what `isagen` is built on.
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
