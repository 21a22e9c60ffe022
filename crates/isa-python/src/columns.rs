//! Columns of Arrow.

use crate::errors::{Error, ObjectError};
use crate::isa::Isa;
use crate::shared::Shared;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{ArrayRef, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use isa_arrow::{Error as Why, Format, Options, Scan, Sets, Sink};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatchReader, PySchema};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn error(why: Why) -> PyErr {
    match why {
        Why::Words(_) | Why::Addresses(_) => PyTypeError::new_err(why.to_string()),
        Why::TooLarge => pyo3::exceptions::PyOverflowError::new_err(why.to_string()),
        Why::Object(_) | Why::NoReader(_) => ObjectError::new_err(why.to_string()),
        Why::Io(why) => why.into(),
        why => Error::new_err(why.to_string()),
    }
}

/// The schema of columns: `of` is `"words"`, the fields of the struct that `disasm` returns, or `"scan"`, the columns of scanned
/// object files.
#[pyfunction]
#[pyo3(signature = (of = "words"))]
pub(crate) fn schema(of: &str) -> PyResult<PySchema> {
    match of {
        "words" => Ok(PySchema::new(Arc::new(Schema::new(isa_arrow::fields())))),
        "scan" => Ok(PySchema::new(isa_arrow::scan_schema())),
        _ => Err(Error::new_err("of is \"words\" or \"scan\"")),
    }
}

fn decode(shared: &Shared, words: &ArrayRef, addresses: Option<UInt64Array>, options: &Options) -> PyResult<ArrayRef> {
    let options = Options { addresses, ..options.clone() };
    let rows = shared.with_rows(|rows| isa_arrow::decode(rows, words, &options)).map_err(error)?;
    Ok(Arc::new(rows))
}

/// Decodes a column of words.
#[pyfunction]
#[pyo3(signature = (isa, words, *, addresses, fields, byteorder))]
pub(crate) fn disasm<'py>(
    py: Python<'py>,
    isa: &Isa,
    words: AnyArray,
    addresses: Option<AnyArray>,
    fields: bool,
    byteorder: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let little_endian = match byteorder {
        "big" => false,
        "little" => true,
        _ => return Err(Error::new_err("byteorder is \"big\" or \"little\"")),
    };
    let options = Options { no_fields: !fields, little_endian, addresses: None };
    let mut addresses = addresses.map(Addresses::new).transpose()?;
    let field = Arc::new(Field::new("disasm", isa_arrow::struct_type(), true));
    match words {
        AnyArray::Array(array) => {
            let (words, _) = array.into_inner();
            let addresses = addresses.as_mut().map(|all| all.take(words.len())).transpose()?;
            let rows = py.detach(|| decode(&isa.shared, &words, addresses, &options))?;
            Ok(PyArray::new(rows, field).into_pyobject(py)?.into_any())
        }
        AnyArray::Stream(reader) => {
            let (chunks, _) = reader.into_chunked_array()?.into_inner();
            let mut rows = Vec::with_capacity(chunks.len());
            for words in chunks {
                let addresses = addresses.as_mut().map(|all| all.take(words.len())).transpose()?;
                rows.push(py.detach(|| decode(&isa.shared, &words, addresses, &options))?);
            }
            Ok(PyChunkedArray::try_new(rows, field)?.into_pyobject(py)?.into_any())
        }
    }
}

/// The addresses of words, in chunks of their own.
struct Addresses {
    chunks: Vec<ArrayRef>,
    /// The number of addresses taken from the first chunk.
    taken: usize,
}

impl Addresses {
    fn new(column: AnyArray) -> PyResult<Self> {
        let (mut chunks, field) = column.into_chunked_array()?.into_inner();
        if *field.data_type() != DataType::UInt64 {
            return Err(PyTypeError::new_err(format!("addresses are uint64; these are {}", field.data_type())));
        }
        chunks.reverse();
        Ok(Self { chunks, taken: 0 })
    }

    /// The next addresses.
    fn take(&mut self, mut count: usize) -> PyResult<UInt64Array> {
        let mut all = UInt64Array::builder(count);
        while count > 0 {
            let Some(chunk) = self.chunks.last() else {
                return Err(PyTypeError::new_err("there are fewer addresses than words"));
            };
            let here = count.min(chunk.len() - self.taken);
            all.append_array(chunk.slice(self.taken, here).as_primitive::<UInt64Type>());
            (self.taken, count) = (self.taken + here, count - here);
            if self.taken == chunk.len() {
                self.chunks.pop();
                self.taken = 0;
            }
        }
        Ok(all.finish())
    }
}

/// The options for scanning object files.
fn scan_of(isa: Option<&Isa>, fields: bool, lenient: bool, file: Option<String>) -> Scan {
    let sets = match isa {
        Some(isa) => Arc::new(Sets::one(&isa.shared.spec, isa.shared.image.bytes().into())),
        None => shipped(),
    };
    Scan { sets, no_fields: !fields, lenient, file }
}

/// The shipped instruction sets, whose images are copied once.
fn shipped() -> Arc<Sets> {
    static ALL: std::sync::OnceLock<Arc<Sets>> = std::sync::OnceLock::new();
    let all = || {
        let images = generated::NAMES.iter().filter_map(|name| Some(((*name).to_owned(), Arc::from(generated::image(name)?))));
        let images = images.filter(|(_, image): &(String, Arc<[u8]>)| isa_engine::object_files(image).is_some());
        Arc::new(Sets::new(images.collect()))
    };
    ALL.get_or_init(all).clone()
}

/// All instructions of an object file, in batches.
#[pyfunction]
#[pyo3(signature = (data, *, isa, fields, lenient, file))]
pub(crate) fn scan_object(
    py: Python<'_>,
    data: &Bound<'_, PyBytes>,
    isa: Option<&Isa>,
    fields: bool,
    lenient: bool,
    file: Option<String>,
) -> PyRecordBatchReader {
    let bytes: Arc<[u8]> = data.as_bytes().into();
    let of = scan_of(isa, fields, lenient, file);
    py.detach(|| PyRecordBatchReader::new(Box::new(isa_arrow::batches(bytes, of))))
}

/// Writes a file that appears only when it is complete.
fn replacing<T>(path: &Path, write: impl FnOnce(BufWriter<File>) -> PyResult<(BufWriter<File>, T)>) -> PyResult<T> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let done = (|| {
        let (mut file, result) = write(BufWriter::new(File::create(&part)?))?;
        file.flush()?;
        std::fs::rename(&part, path)?;
        Ok(result)
    })();
    if done.is_err() {
        // It may never have existed.
        let _ = std::fs::remove_file(&part);
    }
    done
}

fn format_of(format: &str) -> PyResult<Format> {
    match format {
        "parquet" => Ok(Format::Parquet),
        "arrow" => Ok(Format::Arrow),
        _ => Err(Error::new_err("format is \"parquet\" or \"arrow\"")),
    }
}

/// Writes all instructions of object files into one file; returns the number of rows.
#[pyfunction]
#[pyo3(signature = (paths, output, *, isa, fields, lenient, format))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn write_corpus(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    output: PathBuf,
    isa: Option<&Isa>,
    fields: bool,
    lenient: bool,
    format: &str,
) -> PyResult<u64> {
    let format = format_of(format)?;
    py.detach(|| {
        replacing(&output, |to| {
            let mut sink = Sink::new(to, format, &isa_arrow::scan_schema()).map_err(error)?;
            let mut rows = 0;
            for path in &paths {
                let name = path.display().to_string();
                let data = std::fs::read(path).map_err(|why| std::io::Error::new(why.kind(), format!("{name}: {why}")))?;
                if lenient && !isa_object::is_object(&data) {
                    continue;
                }
                let of = scan_of(isa, fields, lenient, Some(name.clone()));
                let mut written = Ok(());
                let scanned = isa_arrow::scan(&data, &of, &mut |batch| {
                    rows += batch.num_rows() as u64;
                    written = sink.write(&batch);
                    written.is_ok()
                });
                written.map_err(error)?;
                scanned.map_err(|why| ObjectError::new_err(format!("{name}: {why}")))?;
                Python::attach(|py| py.check_signals())?;
            }
            Ok((sink.finish().map_err(error)?, rows))
        })
    })
}

/// Writes batches, which are read one after the other, into one file; returns the number of rows.
#[pyfunction]
pub(crate) fn write_words(py: Python<'_>, batches: PyRecordBatchReader, output: PathBuf, format: &str) -> PyResult<u64> {
    let format = format_of(format)?;
    let batches = batches.into_reader()?;
    py.detach(|| {
        replacing(&output, |to| {
            let mut sink = Sink::new(to, format, &batches.schema()).map_err(error)?;
            let mut rows = 0;
            for batch in batches {
                let batch = batch.map_err(|why| Error::new_err(why.to_string()))?;
                rows += batch.num_rows() as u64;
                sink.write(&batch).map_err(error)?;
            }
            Ok((sink.finish().map_err(error)?, rows))
        })
    })
}
