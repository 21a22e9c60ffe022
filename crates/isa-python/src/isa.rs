//! Instruction sets.

use crate::asm::{self, Program};
use crate::errors::{AssemblyError, DecodeError, Error, SpecError, lines, of_faults};
use crate::insn::{Insn, Refused, from_int, to_int};
use crate::shared::{Image, Shared};
use isa_engine::{Codec, Lengths, Sized, Style, Symbol, Word, bytes_of, nearest, sized, word_at};
use isa_spec::Loaded;
use isa_spec::diag::{Severity, render_terminal};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest image that is read, in bytes.
const MAX_IMAGE: u64 = 256 << 20;
/// The longest stream that is decoded to objects, in bytes: these take a hundred times as much memory.
const MAX_STREAM: usize = 1 << 26;
/// Words that are decoded together while other threads of Python can run.
const TOGETHER: usize = 1 << 14;

/// An instruction set: it decodes words and assembles texts. Threads can share it.
#[pyclass(frozen, module = "isagen")]
pub(crate) struct Isa {
    pub(crate) shared: Arc<Shared>,
}

/// Loads an instruction set: the name of a shipped one, or the path of a specification or of an image.
#[pyfunction]
#[pyo3(signature = (spec, aliases = true))]
pub(crate) fn load(py: Python<'_>, spec: PathBuf, aliases: bool) -> PyResult<Isa> {
    py.detach(|| find(&spec, Style { aliases, ..Style::default() })).map(|shared| Isa { shared: Arc::new(shared) })
}

/// The instruction set with a name or a path.
pub(crate) fn find(spec: &Path, style: Style) -> PyResult<Shared> {
    let failed = |why: String| SpecError::new_err(why);
    let name = spec.to_string_lossy();
    if let Some(own) = isa_specs::own_name(&name)
        && let Some(image) = generated::image(own)
    {
        return Shared::new(Image::Shipped(image), own, None, style).map_err(failed);
    }
    let about = exists(spec)?;
    let path = Some(spec.to_path_buf());
    if spec.extension().is_some_and(|end| end.eq_ignore_ascii_case("isat")) {
        if about.len() > MAX_IMAGE {
            return Err(failed(format!("{name}: more than {} MiB, the maximum", MAX_IMAGE >> 20)));
        }
        let bytes = std::fs::read(spec).map_err(|why| failed(format!("{name}: {why}")))?;
        return Shared::new(Image::Own(bytes.into()), &name, None, style).map_err(|why| failed(format!("{name}: {why}")));
    }
    let loaded = loaded(spec).map_err(failed)?;
    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: Vec<String> = errors.map(|diagnostic| render_terminal(diagnostic, &loaded.files, false)).collect();
    let Some(isa) = loaded.isa.filter(|_| errors.is_empty()) else { return Err(failed(errors.join("\n\n"))) };
    let image = isa_tables::image(&isa).map_err(|why| failed(why.message.clone()))?;
    Shared::new(Image::Own(image.into()), &name, path, style).map_err(failed)
}

/// The specification with a name or a path, with the findings of its loading.
pub(crate) fn loaded(spec: &Path) -> Result<Loaded, String> {
    match isa_specs::own_name(&spec.to_string_lossy()) {
        Some(name) => Ok(isa_spec::load_texts(&format!("{name}.yaml"), isa_specs::FILES)),
        None => isa_spec::try_load_beside(spec, isa_specs::FILES).map_err(|why| why.to_string()),
    }
}

/// A file, which is not a folder.
pub(crate) fn exists(spec: &Path) -> PyResult<Metadata> {
    let failed = |why: String| SpecError::new_err(why);
    let name = spec.to_string_lossy();
    let about = std::fs::metadata(spec).map_err(|why| {
        let names = generated::NAMES.iter().copied().chain(generated::NAMES.iter().flat_map(|name| isa_specs::others(name)));
        let near = nearest(&name, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        match why.kind() {
            std::io::ErrorKind::NotFound => {
                failed(format!("there is no file `{name}` and no shipped instruction set of that name{near}"))
            }
            _ => failed(format!("{name}: {why}")),
        }
    })?;
    if about.is_dir() {
        return Err(failed(format!("{name}: is a directory")));
    }
    Ok(about)
}

/// A word of a stream, decoded.
enum Decoded {
    Insn { sized: Sized, form: usize, address: u64, text: String },
    Refused { word: Word, size: u64, address: u64, reason: String },
}

fn decoded(codec: &mut dyn Codec, sized: Result<Sized, String>, size: u64, address: u64, rest: Word) -> Decoded {
    let refused = |word: Word, reason: String| Decoded::Refused { word, size, address, reason };
    let sized = match sized {
        Ok(sized) => sized,
        Err(reason) => return refused(rest, reason),
    };
    match codec.decode(sized.word, sized.bits) {
        Ok(form) => {
            let mut text = Vec::new();
            codec.print(form, sized.word, address, &mut text);
            Decoded::Insn { sized, form, address, text: String::from_utf8_lossy(&text).into_owned() }
        }
        Err(why) => refused(sized.word, why.message),
    }
}

impl Isa {
    fn object<'py>(&self, py: Python<'py>, decoded: Decoded, keeps: bool) -> PyResult<Bound<'py, PyAny>> {
        match decoded {
            Decoded::Insn { sized: Sized { word, bits }, form, address, text } => {
                let insn = Insn { isa: self.shared.clone(), word, bits, form, address, text };
                Ok(Bound::new(py, insn)?.into_any())
            }
            Decoded::Refused { word, size, address, reason } if keeps => {
                Ok(Bound::new(py, Refused { word, size, address, reason })?.into_any())
            }
            Decoded::Refused { word, address, reason, .. } => {
                let error = DecodeError::new_err(format!("{word:#x} at {address:#x}: {reason}"));
                let value = error.value(py);
                value.setattr("word", to_int(py, word)?)?;
                value.setattr("address", address)?;
                value.setattr("reason", reason)?;
                Err(error)
            }
        }
    }

    /// The instructions of a stream.
    fn stream<'py>(&self, py: Python<'py>, bytes: &[u8], address: u64, keeps: bool) -> PyResult<Bound<'py, PyAny>> {
        if bytes.len() > MAX_STREAM {
            let why = format!(
                "a stream of {} bytes: more than {MAX_STREAM} are decoded in parts, or as a column of words",
                bytes.len()
            );
            return Err(Error::new_err(why));
        }
        let all = PyList::empty(py);
        let mut at = 0;
        while at < bytes.len() {
            let (next, some) = py.detach(|| {
                self.shared.with(|codec| {
                    let (mut at, mut some) = (at, Vec::new());
                    while at < bytes.len() && some.len() < TOGETHER {
                        let (length, word) = word_at(codec, &bytes[at..]);
                        let rest = bytes[at..at + length].iter().rev().take(32);
                        let rest = rest.fold(Word::ZERO, |word, byte| word << 8 | Word::from(*byte));
                        some.push(decoded(codec, word, length as u64, address.wrapping_add(at as u64), rest));
                        at += length;
                    }
                    (at, some)
                })
            });
            at = next;
            for decoded in some {
                all.append(self.object(py, decoded, keeps)?)?;
            }
        }
        Ok(all.into_any())
    }

    fn needs_words(&self) -> PyResult<()> {
        self.shared.with(|codec| match codec.is_text() {
            true => Err(Error::new_err(format!("{} has no binary form: it is text-only", codec.name()))),
            false => Ok(()),
        })
    }
}

#[pymethods]
impl Isa {
    /// Its name.
    #[getter]
    fn name(&self) -> String {
        self.shared.with(|codec| codec.name().to_owned())
    }

    /// Bits of its words, ascending.
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shared.with(|codec| codec.shape().lengths.clone()))
    }

    /// The architectures whose object files it reads.
    #[getter]
    fn architectures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shared.with(|codec| codec.objects().map_or(Vec::new(), |of| of.architectures)))
    }

    /// Its mnemonics, in the order of the specification.
    #[getter]
    fn mnemonics(&self) -> Vec<String> {
        self.shared.with(|codec| {
            let mut seen = std::collections::HashSet::new();
            let all = (0..codec.forms()).map(|form| codec.form(form).mnemonic.to_owned());
            all.filter(|name| seen.insert(name.clone())).collect()
        })
    }

    /// Decodes a word (`int`), a stream of words (`bytes`), or words (an iterable of `int`). A word that is not an instruction
    /// raises `DecodeError`, or with `errors="keep"` is a `Refused`.
    #[pyo3(signature = (words, address = 0, *, errors = "raise"))]
    fn disasm<'py>(&self, py: Python<'py>, words: &Bound<'py, PyAny>, address: u64, errors: &str) -> PyResult<Bound<'py, PyAny>> {
        let keeps = keeps(errors)?;
        self.needs_words()?;
        if words.hasattr("__index__")? && !words.hasattr("__len__")? {
            let word = from_int(words)?;
            let one = self.shared.with(|codec| {
                let sized = sized(codec, word);
                decoded(codec, sized, 0, address, word)
            });
            return self.object(py, one, keeps);
        }
        if let Ok(bytes) = words.cast::<PyBytes>() {
            return self.stream(py, bytes.as_bytes(), address, keeps);
        }
        if is_bytes_like(words)? {
            return self.stream(py, &PyBuffer::<u8>::get(words)?.to_vec(py)?, address, keeps);
        }
        let all = PyList::empty(py);
        let mut at = address;
        let items = words.try_iter().map_err(|_| PyTypeError::new_err("words are an int, bytes, or an iterable of ints"))?;
        for word in items {
            let word = from_int(&word?)?;
            let (one, size) = self.shared.with(|codec| {
                let sized = sized(codec, word);
                let shortest = codec.shape().lengths.first().copied().unwrap_or(0);
                let size = bytes_of(sized.as_ref().map_or(shortest, |sized| sized.bits));
                (decoded(codec, sized, size, at, word), size)
            });
            all.append(self.object(py, one, keeps)?)?;
            at = at.wrapping_add(size);
        }
        Ok(all.into_any())
    }

    /// The instruction of a text at an address; `symbols` are names that it may use.
    #[pyo3(signature = (text, address = 0, symbols = None))]
    fn assemble(&self, py: Python<'_>, text: &str, address: u64, symbols: Option<HashMap<String, u64>>) -> PyResult<Insn> {
        self.needs_words()?;
        let symbols = symbols.unwrap_or_default();
        let read = self.shared.with(|codec| {
            let read = codec.read(text, address, &|rest| Symbol::label(rest, |name| symbols.get(name).copied()))?;
            let mut printed = Vec::new();
            codec.print(read.form, read.word, address, &mut printed);
            Ok((read, String::from_utf8_lossy(&printed).into_owned()))
        });
        match read {
            Ok((read, printed)) => {
                let bits = self.shared.with(|codec| codec.length(read.form));
                Ok(Insn { isa: self.shared.clone(), word: read.word, bits, form: read.form, address, text: printed })
            }
            Err(isa_engine::ReadError { at, message }) => {
                let column = text.get(..at).map_or(1, |before| before.chars().count() + 1);
                let fault = [("<text>".to_owned(), 1, column, text.to_owned(), message)];
                Err(of_faults(py, AssemblyError::new_err(lines(&fault)), &fault))
            }
        }
    }

    /// Assembles a program: directives, labels, macros, as `isagen asm` does.
    #[pyo3(signature = (text, *, name = "<text>", defines = None, include = None))]
    fn program(
        &self,
        py: Python<'_>,
        text: &str,
        name: &str,
        defines: Option<&Bound<'_, PyDict>>,
        include: Option<Vec<PathBuf>>,
    ) -> PyResult<Program> {
        asm::program(py, &self.shared, text, (name, Lengths::Shortest), defines, include.unwrap_or_default())
    }

    /// The words of the instructions of a program, one after the other.
    fn words<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyList>> {
        let program = asm::program(py, &self.shared, text, ("<text>", Lengths::Preferred), None, Vec::new())?;
        PyList::new(py, program.words.iter().map(|word| to_int(py, *word)).collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self) -> String {
        format!("isagen.load({:?})", self.shared.spec)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("isagen")?.getattr("load")?, (self.shared.spec.clone(),)))
    }
}

/// Reads the argument that says whether refused words are kept.
fn keeps(errors: &str) -> PyResult<bool> {
    match errors {
        "raise" => Ok(false),
        "keep" => Ok(true),
        _ => Err(pyo3::exceptions::PyValueError::new_err("errors is \"raise\" or \"keep\"")),
    }
}

fn is_bytes_like(words: &Bound<'_, PyAny>) -> PyResult<bool> {
    let builtins = words.py().import("builtins")?;
    Ok(words.is_instance(&builtins.getattr("bytearray")?)? || words.is_instance(&builtins.getattr("memoryview")?)?)
}
