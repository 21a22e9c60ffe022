//! Object files: their contents, their listings, and edited ones.

use crate::errors::{AssemblyError, Fault, ObjectError, lines, of_faults};
use crate::isa::Isa;
use isa_asm::lines::Comments;
use isa_listing::{Format, Listed, Look, PutBack, Targets, Writer, demangled, is_named};
use isa_object::{Code, Entry, EntryKind, FunctionKind, Object, Resources};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::Arc;

/// True if bytes begin like an object file.
#[pyfunction]
pub(crate) fn is_object(data: &[u8]) -> bool {
    isa_object::is_object(data)
}

/// The shipped instruction set for the code in ELF files of this machine and architecture.
#[pyfunction]
pub(crate) fn reader(machine: u16, arch: &str) -> Option<&'static str> {
    let sets = generated::NAMES.iter().filter_map(|name| Some((*name, generated::image(name)?)));
    isa_engine::reader_of(sets, |of| of.elf_machine == machine && of.architectures.iter().any(|own| own == arch))
}

/// The contents of an object file, as dicts: the files inside, with sections, functions, relocations and resources; and the
/// errors of unreadable parts.
#[pyfunction]
pub(crate) fn inspect<'py>(py: Python<'py>, data: &Bound<'py, PyBytes>) -> PyResult<(Bound<'py, PyList>, Vec<String>)> {
    let bytes = data.as_bytes();
    let contents = isa_object::contents(bytes);
    let mut faults: Vec<String> = contents.faults.iter().map(ToString::to_string).collect();
    let all = PyList::empty(py);
    for (index, entry) in contents.entries.iter().enumerate() {
        let parsed = match entry.kind {
            EntryKind::Elf => Some(py.detach(|| {
                let data = entry.data()?;
                Object::parse(&data).map(Object::into_owned)
            })),
            _ => None,
        };
        let object = match parsed.transpose() {
            Ok(object) => object,
            Err(why) => {
                faults.push(why.to_string());
                None
            }
        };
        all.append(of_entry(py, index + 1, entry, object.as_ref())?)?;
    }
    Ok((all, faults))
}

fn of_entry<'py>(py: Python<'py>, number: usize, entry: &Entry<'_>, object: Option<&Object<'_>>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("number", number)?;
    all.set_item("part", &entry.part)?;
    all.set_item("arch", &entry.arch)?;
    all.set_item("machine", entry.machine)?;
    all.set_item("size", entry.size)?;
    let kind = match entry.kind {
        EntryKind::Elf => "elf".to_owned(),
        EntryKind::Ptx => "ptx".to_owned(),
        EntryKind::Other(kind) => format!("kind {kind}"),
    };
    all.set_item("kind", kind)?;
    let sections = object.map_or(&[][..], |object| &object.sections);
    all.set_item("sections", sections.iter().map(|code| of_section(py, code)).collect::<PyResult<Vec<_>>>()?)?;
    Ok(all)
}

fn of_section<'py>(py: Python<'py>, code: &Code<'_>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("index", code.index)?;
    all.set_item("name", &*code.name)?;
    all.set_item("address", code.address)?;
    all.set_item("data", PyBytes::new(py, &code.data))?;
    let functions = PyList::empty(py);
    for function in &code.functions {
        let kind = match function.kind {
            FunctionKind::Kernel => "kernel",
            FunctionKind::Global => "function",
            FunctionKind::Local => "local",
            FunctionKind::Label => "label",
        };
        functions.append((&*function.name, demangled(&function.name), function.offset, function.size, kind))?;
    }
    all.set_item("functions", functions)?;
    let relocations = PyList::empty(py);
    for relocation in &code.relocations {
        relocations.append((relocation.offset, relocation.kind, relocation.kind_name, &*relocation.symbol, relocation.addend))?;
    }
    all.set_item("relocations", relocations)?;
    all.set_item("resources", code.resources.as_ref().map(|own| of_resources(py, own)).transpose()?)?;
    Ok(all)
}

fn of_resources<'py>(py: Python<'py>, own: &Resources) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("registers", own.registers)?;
    all.set_item("barriers", own.barriers)?;
    all.set_item("shared", own.shared)?;
    all.set_item("frame", own.frame)?;
    all.set_item("min_stack", own.min_stack)?;
    all.set_item("constants", own.constants.clone())?;
    all.set_item("param_base", own.param_base)?;
    let params: Vec<_> = own.params.iter().map(|param| (param.ordinal, param.offset, param.size)).collect();
    all.set_item("params", params)?;
    all.set_item("max_threads", own.max_threads)?;
    all.set_item("required_threads", own.required_threads)?;
    Ok(all)
}

/// The listing of one of the files inside an object file, as `isagen disasm` prints it; only of these functions, if there are
/// any.
#[pyfunction]
#[pyo3(signature = (isa, data, name, number, functions, *, control = false, hex = false, raw = false, demangle = false))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn listing(
    py: Python<'_>,
    isa: &Isa,
    data: &Bound<'_, PyBytes>,
    name: &str,
    number: usize,
    functions: Vec<String>,
    control: bool,
    hex: bool,
    raw: bool,
    demangle: bool,
) -> PyResult<String> {
    let data = data.as_bytes();
    let lines = py.detach(|| {
        let contents = isa_object::contents(data);
        let is_one = contents.entries.len() == 1;
        let Some(entry) = number.checked_sub(1).and_then(|at| contents.entries.get(at)) else {
            return Err(format!("{name}: there is no file number {number} in it"));
        };
        let failed = |why: isa_object::Error| format!("{name}: {why}");
        let bytes = entry.data().map_err(failed)?;
        let mut object = Object::parse(&bytes).map_err(failed)?.into_owned();
        Ok(isa.shared.with(|codec| {
            let comments = Comments::new(&codec.assembly());
            let look = Look { format: Format { control, json: false }, hex, raw, demangle, mark: comments.mark() };
            let mut head = Vec::new();
            if !look.is_bare() {
                look.file(name, &object, entry, (!is_one).then_some(number), &mut head);
            }
            let of = Arc::new(Listed::new(&mut object, !look.is_bare(), codec, &mut Targets::default()));
            let mut parts = of.parts(|section| match functions.is_empty() {
                true => std::iter::once(0..section.code.data.len() as u64).collect(),
                false => section.named(|name| is_named(&functions, name)),
            });
            if let Some(first) = parts.first_mut() {
                first.head = head;
            }
            let (mut writer, mut lines) = (Writer::new(codec.fork(), look), Vec::new());
            parts.iter().for_each(|part| {
                writer.part(part, &mut lines);
            });
            lines
        }))
    });
    let lines = lines.map_err(ObjectError::new_err)?;
    Ok(String::from_utf8_lossy(&lines).into_owned())
}

/// The bytes of an object file with the code of an edited listing.
#[pyfunction]
pub(crate) fn put_back<'py>(
    py: Python<'py>,
    isa: &Isa,
    data: &Bound<'py, PyBytes>,
    name: &str,
    listing: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let old = data.as_bytes();
    let result = py.detach(|| {
        isa.shared.with(|codec| {
            let mut back = PutBack::new(codec.fork(), "<listing>", (name, old)).map_err(Ok)?;
            for (number, line) in listing.lines().enumerate() {
                back.line(number + 1, line);
            }
            back.finish().map_err(Err)
        })
    });
    match result {
        Ok(new) => Ok(PyBytes::new(py, &new)),
        Err(Ok(why)) => Err(ObjectError::new_err(format!("{name}: {why}"))),
        Err(Err(faults)) => {
            let fault = |fault: &isa_listing::Fault| -> Fault {
                let (line, text, at) = fault.place.clone().unwrap_or((0, String::new(), 0..0));
                let column = text.get(..at.start).map_or(1, |before| before.chars().count() + 1);
                ("<listing>".to_owned(), line, column, text, fault.message.clone())
            };
            let faults: Vec<Fault> = faults.iter().map(fault).collect();
            Err(of_faults(py, AssemblyError::new_err(lines(&faults)), &faults))
        }
    }
}
