//! isagen for C: decode, print and assemble words of any instruction set that an image describes.
//!
//! Functions never keep a pointer that they are given, and check everything except the sizes of the memory that pointers point
//! at, which depend on the caller. Texts are written as by `snprintf`: at most as many bytes as there is room for, with a zero at
//! the end; the length of the whole text is returned. An instruction set is for one thread at a time; several threads open it
//! several times.

use isa_engine::{Codec, Style, Symbol, Word, bytes_of, no_symbols, word_at};
use std::ffi::{CStr, c_char};
use std::slice;

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// The bytes, or the text, are not an instruction; `isagen_error` returns the reason.
    Refused = 1,
    /// A pointer is null, a text is not UTF-8, or the instruction set has no words.
    Invalid = 2,
}

type Boxed<'i> = Box<dyn Codec + 'i>;

self_cell::self_cell!(
    struct Owned {
        owner: Vec<u8>,
        #[not_covariant]
        dependent: Boxed,
    }
);

/// An instruction set.
pub struct Isa {
    codec: Owned,
    /// The reason for which the last call refused something.
    error: String,
}

/// An instruction: a word of a form.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Insn {
    /// Its word, the low byte first.
    pub word: [u8; 32],
    /// Bits of its word.
    pub bits: u32,
    /// The number of its form.
    pub form: u32,
    /// Its address.
    pub address: u64,
}

impl Insn {
    fn new(word: Word, bits: u32, form: usize, address: u64) -> Self {
        let mut bytes = [0; 32];
        for (own, limb) in bytes.chunks_exact_mut(8).zip(word.limbs()) {
            own.copy_from_slice(&limb.to_le_bytes());
        }
        Self { word: bytes, bits, form: form as u32, address }
    }

    fn word(&self) -> Word {
        let mut limbs = [0; 4];
        for (limb, bytes) in limbs.iter_mut().zip(self.word.chunks_exact(8)) {
            *limb = bytes.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
        }
        Word::from_limbs(limbs)
    }

    /// Its form, if the instruction set has one with that number and length.
    fn form(&self, codec: &dyn Codec) -> Option<usize> {
        let form = self.form as usize;
        (form < codec.forms() && codec.length(form) == self.bits).then_some(form)
    }
}

impl Isa {
    fn with<T>(&mut self, work: impl FnOnce(&mut dyn Codec) -> Result<T, (Status, String)>) -> Result<T, Status> {
        let result = self.codec.with_dependent_mut(|_, codec| work(&mut **codec));
        result.map_err(|(status, why)| {
            self.error = why;
            status
        })
    }
}

/// Writes a text to a buffer of `size` bytes; returns the length of the whole text.
///
/// # Safety
/// `out` is null, or points at `size` bytes that can be written.
unsafe fn write_text(text: &[u8], out: *mut c_char, size: usize) -> usize {
    if !out.is_null() && size > 0 {
        let count = text.len().min(size - 1);
        // SAFETY: the caller guarantees `size` bytes; `count + 1` are no more. A new text does not overlap them.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast::<c_char>(), out, count);
            *out.add(count) = 0;
        }
    }
    text.len()
}

/// Bytes of the caller; empty if the pointer is null.
///
/// # Safety
/// `bytes` is null, or points at `size` bytes that do not change for as long as the result is used.
unsafe fn bytes_at<'b>(bytes: *const u8, size: usize) -> &'b [u8] {
    if bytes.is_null() || size > isize::MAX as usize {
        return &[];
    }
    // SAFETY: it is not null, no longer than any slice, and the caller guarantees the bytes.
    unsafe { slice::from_raw_parts(bytes, size) }
}

/// Opens an instruction set by its image (`NAME.isat`, which `isagen build` writes); the bytes are copied. Null if it is not an
/// image, with the reason in `error`.
///
/// # Safety
/// `image` points at `size` bytes; `error` is null or points at `error_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_open(image: *const u8, size: usize, error: *mut c_char, error_size: usize) -> *mut Isa {
    // SAFETY: as the caller guarantees.
    let image = unsafe { bytes_at(image, size) }.to_vec();
    match Owned::try_new(image, |image| isa_engine::open(image, Style::default())) {
        Ok(codec) => Box::into_raw(Box::new(Isa { codec, error: String::new() })),
        Err(why) => {
            // SAFETY: as the caller guarantees.
            unsafe { write_text(why.to_string().as_bytes(), error, error_size) };
            std::ptr::null_mut()
        }
    }
}

/// Closes an instruction set.
///
/// # Safety
/// `isa` is null, or from `isagen_open` and not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_close(isa: *mut Isa) {
    if !isa.is_null() {
        // SAFETY: it was made by `Box::into_raw`, and the caller gives it back.
        drop(unsafe { Box::from_raw(isa) });
    }
}

/// Writes the name of an instruction set; returns its length.
///
/// # Safety
/// `isa` is null or open; `out` is null or points at `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_name(isa: *mut Isa, out: *mut c_char, size: usize) -> usize {
    // SAFETY: as the caller guarantees.
    let Some(isa) = (unsafe { isa.as_mut() }) else { return 0 };
    let name = isa.with(|codec| Ok(codec.name().to_owned())).unwrap_or_default();
    // SAFETY: as the caller guarantees.
    unsafe { write_text(name.as_bytes(), out, size) }
}

/// Writes the reason for which the last call refused something; returns its length.
///
/// # Safety
/// `isa` is null or open; `out` is null or points at `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_error(isa: *const Isa, out: *mut c_char, size: usize) -> usize {
    // SAFETY: as the caller guarantees.
    let Some(isa) = (unsafe { isa.as_ref() }) else { return 0 };
    // SAFETY: as the caller guarantees.
    unsafe { write_text(isa.error.as_bytes(), out, size) }
}

/// Decodes the instruction at the beginning of bytes of memory, at an address. `taken` receives the number of its bytes, or of
/// those to skip if there is none; it may be null.
///
/// # Safety
/// `isa` is null or open; `bytes` points at `size` bytes; `insn` and `taken` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_decode(
    isa: *mut Isa,
    bytes: *const u8,
    size: usize,
    address: u64,
    insn: *mut Insn,
    taken: *mut usize,
) -> Status {
    // SAFETY: as the caller guarantees.
    let (isa, bytes, insn) = unsafe { (isa.as_mut(), bytes_at(bytes, size), insn.as_mut()) };
    let (Some(isa), Some(insn)) = (isa, insn) else { return Status::Invalid };
    let mut length = 0;
    let result = isa.with(|codec| {
        let units = codec.shape().units.bits;
        if codec.is_text() || !units.is_multiple_of(8) {
            return Err((Status::Invalid, format!("the words of {} are no bytes", codec.name())));
        }
        let (own, word) = word_at(codec, bytes);
        length = own;
        let word = word.map_err(|why| (Status::Refused, why))?;
        let form = codec.decode(word.word, word.bits).map_err(|why| (Status::Refused, why.message))?;
        Ok(Insn::new(word.word, word.bits, form, address))
    });
    // SAFETY: as the caller guarantees.
    if let Some(taken) = unsafe { taken.as_mut() } {
        *taken = length;
    }
    match result {
        Ok(own) => {
            *insn = own;
            Status::Ok
        }
        Err(status) => status,
    }
}

/// Writes the text that `text` makes of an instruction; returns its length.
///
/// # Safety
/// The same as that of `isagen_text`.
unsafe fn said(
    isa: *mut Isa,
    insn: *const Insn,
    out: *mut c_char,
    size: usize,
    text: impl FnOnce(&mut dyn Codec, &Insn, usize) -> Vec<u8>,
) -> usize {
    // SAFETY: as the caller guarantees.
    let (isa, insn) = unsafe { (isa.as_mut(), insn.as_ref()) };
    let (Some(isa), Some(insn)) = (isa, insn) else { return 0 };
    let text = isa.with(|codec| match insn.form(codec) {
        Some(form) => Ok(text(codec, insn, form)),
        None => Err((Status::Invalid, "there is no such form".to_owned())),
    });
    // SAFETY: as the caller guarantees.
    unsafe { write_text(&text.unwrap_or_default(), out, size) }
}

/// Writes the text of an instruction; with `full`, with all that the text leaves open, so that it assembles back to the very same
/// word. Returns its length.
///
/// # Safety
/// `isa` is null or open; `insn` is null or an instruction of it; `out` is null or points at `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_text(isa: *mut Isa, insn: *const Insn, full: bool, out: *mut c_char, size: usize) -> usize {
    let text = |codec: &mut dyn Codec, insn: &Insn, form| {
        let mut text = Vec::new();
        match full {
            true => drop(codec.print_full(form, insn.word(), insn.address, &mut text)),
            false => codec.print(form, insn.word(), insn.address, &mut text),
        }
        text
    };
    // SAFETY: as the caller guarantees.
    unsafe { said(isa, insn, out, size, text) }
}

/// Writes the mnemonic of an instruction; returns its length.
///
/// # Safety
/// The same as that of `isagen_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_mnemonic(isa: *mut Isa, insn: *const Insn, out: *mut c_char, size: usize) -> usize {
    // SAFETY: as the caller guarantees.
    unsafe { said(isa, insn, out, size, |codec, _, form| codec.form(form).mnemonic.as_bytes().to_vec()) }
}

/// The number of fields of an instruction.
///
/// # Safety
/// `isa` is null or open; `insn` is null or an instruction of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_field_count(isa: *mut Isa, insn: *const Insn) -> usize {
    // SAFETY: as the caller guarantees.
    let (isa, insn) = unsafe { (isa.as_mut(), insn.as_ref()) };
    let (Some(isa), Some(insn)) = (isa, insn) else { return 0 };
    isa.with(|codec| Ok(insn.form(codec).map_or(0, |form| codec.form(form).fields.len()))).unwrap_or(0)
}

/// Writes a text about a field, by its place from 0; returns its length, 0 if there is no such field.
///
/// # Safety
/// The same as that of `isagen_text`.
unsafe fn said_of_field(
    (isa, insn, field): (*mut Isa, *const Insn, usize),
    out: *mut c_char,
    size: usize,
    text: impl FnOnce(&dyn Codec, &Insn, usize) -> String,
) -> usize {
    let text = |codec: &mut dyn Codec, insn: &Insn, form| match field < codec.form(form).fields.len() {
        true => text(codec, insn, form).into_bytes(),
        false => Vec::new(),
    };
    // SAFETY: as the caller guarantees.
    unsafe { said(isa, insn, out, size, text) }
}

/// Writes the name of a field, by its place from 0; returns its length, 0 if there is no such field.
///
/// # Safety
/// The same as that of `isagen_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_field_name(
    isa: *mut Isa,
    insn: *const Insn,
    field: usize,
    out: *mut c_char,
    size: usize,
) -> usize {
    let name = |codec: &dyn Codec, _: &Insn, form| codec.form(form).fields[field].0.to_owned();
    // SAFETY: as the caller guarantees.
    unsafe { said_of_field((isa, insn, field), out, size, name) }
}

/// Writes the text of a field, by its place from 0; returns its length, 0 if there is no such field.
///
/// # Safety
/// The same as that of `isagen_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_field_text(
    isa: *mut Isa,
    insn: *const Insn,
    field: usize,
    out: *mut c_char,
    size: usize,
) -> usize {
    let text = |codec: &dyn Codec, insn: &Insn, form| codec.value_text(form, field, insn.word(), insn.address);
    // SAFETY: as the caller guarantees.
    unsafe { said_of_field((isa, insn, field), out, size, text) }
}

/// The bits of a field, by its place from 0, as a number: the low 64 of them, and with `high` those above.
///
/// # Safety
/// `isa` is null or open; `insn` is null or an instruction of it; `high` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_field_value(isa: *mut Isa, insn: *const Insn, field: usize, high: *mut u64) -> u64 {
    // SAFETY: as the caller guarantees.
    let (isa, insn, high) = unsafe { (isa.as_mut(), insn.as_ref(), high.as_mut()) };
    let (Some(isa), Some(insn)) = (isa, insn) else { return 0 };
    let value = isa.with(|codec| {
        let mut all = Vec::new();
        if let Some(form) = insn.form(codec) {
            codec.raw_fields(form, insn.word(), &mut all);
        }
        Ok(all.get(field).copied().unwrap_or(0))
    });
    let value = value.unwrap_or(0);
    if let Some(high) = high {
        *high = (value >> 64) as u64;
    }
    value as u64
}

/// Finds the value of a name; returns false if there is none.
pub type Lookup = Option<unsafe extern "C" fn(data: *mut std::ffi::c_void, name: *const c_char, value: *mut u64) -> bool>;

/// Reads the instruction of a text at an address. `symbols` finds the names that it uses, and may be null. If the text is
/// refused, `column` receives the offset of the error in bytes; it may be null.
///
/// # Safety
/// `isa` is null or open; `text` ends with a zero; `insn` and `column` are null or can be written; `symbols` takes `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_assemble(
    isa: *mut Isa,
    text: *const c_char,
    address: u64,
    symbols: Lookup,
    data: *mut std::ffi::c_void,
    insn: *mut Insn,
    column: *mut usize,
) -> Status {
    if text.is_null() {
        return Status::Invalid;
    }
    // SAFETY: as the caller guarantees.
    let (isa, text, insn) = unsafe { (isa.as_mut(), CStr::from_ptr(text), insn.as_mut()) };
    let (Some(isa), Some(insn), Ok(text)) = (isa, insn, text.to_str()) else { return Status::Invalid };
    let find = |name: &str| {
        let (name, mut value) = (std::ffi::CString::new(name).ok()?, 0);
        // SAFETY: the caller guarantees that it takes `data`; the name ends with a zero, and the value can be written.
        unsafe { symbols?(data, name.as_ptr(), &mut value) }.then_some(value)
    };
    let mut at = 0;
    let result = isa.with(|codec| {
        if codec.is_text() {
            return Err((Status::Invalid, format!("{} has no words", codec.name())));
        }
        let read = match symbols {
            None => codec.read(text, address, &no_symbols),
            Some(_) => codec.read(text, address, &|rest| Symbol::label(rest, find)),
        };
        let read = read.map_err(|why| {
            at = why.at;
            (Status::Refused, why.message)
        })?;
        Ok(Insn::new(read.word, codec.length(read.form), read.form, address))
    });
    // SAFETY: as the caller guarantees.
    if let Some(column) = unsafe { column.as_mut() } {
        *column = at;
    }
    match result {
        Ok(own) => {
            *insn = own;
            Status::Ok
        }
        Err(status) => status,
    }
}

/// Writes the bytes of an instruction in memory, if there is room for them; returns their number.
///
/// # Safety
/// `isa` is null or open; `insn` is null or an instruction of it; `out` is null or points at `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isagen_bytes(isa: *mut Isa, insn: *const Insn, out: *mut u8, size: usize) -> usize {
    // SAFETY: as the caller guarantees.
    let (isa, insn) = unsafe { (isa.as_mut(), insn.as_ref()) };
    let (Some(isa), Some(insn)) = (isa, insn) else { return 0 };
    let bytes = isa.with(|codec| match insn.form(codec) {
        Some(_) => Ok(codec.shape().units.write(insn.word(), insn.bits).collect::<Vec<u8>>()),
        None => Err((Status::Invalid, "there is no such form".to_owned())),
    });
    let bytes = bytes.unwrap_or_default();
    debug_assert!(bytes.is_empty() || bytes.len() as u64 == bytes_of(insn.bits));
    if !out.is_null() && bytes.len() <= size {
        // SAFETY: there is room for them, and new bytes do not overlap it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len()) };
    }
    bytes.len()
}
