//! Instructions, and words that are not instructions.

use crate::shared::Shared;
use isa_engine::{Accessed, Codec, Word, bytes_of};
use isa_listing::Objects;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::Arc;

/// A word as an `int`.
pub(crate) fn to_int(py: Python<'_>, word: Word) -> PyResult<Bound<'_, PyAny>> {
    match word.limbs() {
        [low, 0, 0, 0] => Ok(low.into_pyobject(py)?.into_any()),
        limbs => {
            let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
            py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))
        }
    }
}

/// The word of an `int`.
pub(crate) fn from_int(number: &Bound<'_, PyAny>) -> PyResult<Word> {
    if let Ok(small) = number.extract::<u64>() {
        return Ok(Word::from(small));
    }
    let index = number.py().import("operator")?.getattr("index")?.call1((number,))?;
    let bytes = index
        .call_method1("to_bytes", (32, "little"))
        .map_err(|_| pyo3::exceptions::PyOverflowError::new_err("a word is a number from 0 to 2**256 - 1"))?;
    let bytes: [u8; 32] = bytes.extract()?;
    let mut limbs = [0; 4];
    for (limb, bytes) in limbs.iter_mut().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_le_bytes(bytes.try_into().expect("chunks have eight bytes"));
    }
    Ok(Word::from_limbs(limbs))
}

/// A field of an instruction.
#[pyclass(frozen, module = "isagen", get_all)]
pub(crate) struct Field {
    /// Its name.
    name: String,
    /// Its bits as a number.
    value: u128,
    /// Its text.
    text: String,
    /// Its ranges of bits, the high part first: `((31, 24),)`.
    bits: Vec<(u32, u32)>,
    /// True if it has the value that texts omit.
    is_default: bool,
}

#[pymethods]
impl Field {
    fn __repr__(&self) -> String {
        format!("Field({:?}, value={:#x}, text={:?})", self.name, self.value, self.text)
    }

    fn __index__(&self) -> u128 {
        self.value
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}

/// An instruction: a decoded word.
#[pyclass(frozen, module = "isagen")]
pub(crate) struct Insn {
    pub(crate) isa: Arc<Shared>,
    pub(crate) word: Word,
    pub(crate) bits: u32,
    pub(crate) form: usize,
    /// Its address.
    #[pyo3(get)]
    pub(crate) address: u64,
    /// Its text.
    #[pyo3(get)]
    pub(crate) text: String,
}

/// The text of a value without one.
const NAMELESS: &str = "???";

/// The names of the registers that `count` returns for each access: that of the field, and the following ones.
fn registers(codec: &dyn Codec, insn: &Insn, count: impl Fn(&Accessed) -> u32) -> Vec<String> {
    let anatomy = codec.anatomy(insn.form, insn.word);
    let (mut raw, mut all) = (Vec::new(), Vec::new());
    codec.raw_fields(insn.form, insn.word, &mut raw);
    for accessed in &anatomy.accesses {
        let Some(field) = anatomy.fields.get(accessed.place) else { continue };
        for more in 0..count(accessed) {
            let mut left = raw.get(accessed.place).map_or(Word::ZERO, |raw| Word::from(raw.saturating_add(more.into())));
            let mut word = insn.word;
            for range in field.bits.iter().rev() {
                let ones = Word::ones(range.hi - range.lo + 1);
                word = word & !(ones << range.lo) | (left & ones) << range.lo;
                left >>= range.hi - range.lo + 1;
            }
            // There are no registers after the last one.
            if left == Word::ZERO {
                all.push(codec.value_text(insn.form, accessed.place, word, insn.address));
            }
        }
    }
    all.retain(|name| !name.starts_with(NAMELESS));
    all.sort();
    all.dedup();
    all
}

#[pymethods]
impl Insn {
    /// Its word.
    #[getter]
    fn word<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, self.word)
    }

    /// Its bytes in memory.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.isa.with(|codec| codec.shape().units.write(self.word, self.bits).collect());
        PyBytes::new(py, &bytes)
    }

    /// Bits of its word.
    #[getter]
    fn length(&self) -> u32 {
        self.bits
    }

    /// The mnemonic of its instruction.
    #[getter]
    fn mnemonic(&self) -> String {
        self.isa.with(|codec| codec.form(self.form).mnemonic.to_owned())
    }

    /// The name of its form.
    #[getter]
    fn form(&self) -> String {
        self.isa.with(|codec| codec.form(self.form).name.to_owned())
    }

    /// Its full text, which assembles back to the very same word.
    #[getter]
    fn full(&self) -> String {
        let mut text = Vec::new();
        self.isa.with(|codec| codec.print_full(self.form, self.word, self.address, &mut text));
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Its fields by name, in the order of the form.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = self.isa.with(|codec| {
            let anatomy = codec.anatomy(self.form, self.word);
            let mut raw = Vec::new();
            codec.raw_fields(self.form, self.word, &mut raw);
            let field = |(place, (field, value)): (usize, (&isa_engine::FieldBits<'_>, &u128))| Field {
                name: field.path.to_owned(),
                value: *value,
                text: codec.value_text(self.form, place, self.word, self.address),
                bits: field.bits.iter().map(|range| (range.hi, range.lo)).collect(),
                is_default: field.is_default,
            };
            anatomy.fields.iter().zip(&raw).enumerate().map(field).collect::<Vec<_>>()
        });
        let all = PyDict::new(py);
        for field in fields {
            all.set_item(field.name.clone(), field)?;
        }
        Ok(all)
    }

    /// Fixed values of its form: name and ranges of bits.
    #[getter]
    fn fixed(&self) -> Vec<(String, Vec<(u32, u32)>)> {
        self.isa.with(|codec| {
            let anatomy = codec.anatomy(self.form, self.word);
            let fixed = anatomy.fixed.iter();
            fixed.map(|fixed| (fixed.name.to_owned(), fixed.bits.iter().map(|range| (range.hi, range.lo)).collect())).collect()
        })
    }

    /// The registers that it reads, by name; those with a constant value are included.
    #[getter]
    fn reads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.isa.with(|codec| registers(codec, self, |accessed| accessed.reads)))
    }

    /// The registers that it writes.
    #[getter]
    fn writes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.isa.with(|codec| registers(codec, self, |accessed| accessed.writes)))
    }

    /// The values that its text leaves open, such as scheduling, by name: as in `control` of `isagen disasm --json`.
    #[getter]
    fn control<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut json = Vec::new();
        self.isa.with(|codec| Objects::default().control(codec, self.form, self.word, self.address, &mut json));
        py.import("json")?.call_method1("loads", (String::from_utf8_lossy(&json),))
    }

    /// The address after it.
    #[getter]
    fn end(&self) -> u64 {
        self.address.wrapping_add(bytes_of(self.bits))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Insn(0x{:0digits$x}, {:?})", self.word, self.text, digits = self.bits.div_ceil(4) as usize)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let is_same_isa = std::ptr::eq(self.isa.image.bytes(), other.isa.image.bytes());
            is_same_isa && (self.word, self.bits, self.address) == (other.word, other.bits, other.address)
        })
    }

    fn __hash__(&self) -> u64 {
        let [a, b, c, d] = self.word.limbs();
        [b, c, d, self.address].iter().fold(a, |hash, limb| hash.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ limb)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("isagen._html")?.call_method1("insn", (slf,))
    }
}

/// A word of a stream that is not an instruction.
#[pyclass(frozen, module = "isagen")]
pub(crate) struct Refused {
    pub(crate) word: Word,
    /// Bytes that it takes in the stream.
    #[pyo3(get)]
    pub(crate) size: u64,
    /// Its address.
    #[pyo3(get)]
    pub(crate) address: u64,
    /// The reason.
    #[pyo3(get)]
    pub(crate) reason: String,
}

#[pymethods]
impl Refused {
    /// The word, or its existing part.
    #[getter]
    fn word<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, self.word)
    }

    fn __repr__(&self) -> String {
        format!("Refused({:#x}, address={:#x}, reason={:?})", self.word, self.address, self.reason)
    }
}
