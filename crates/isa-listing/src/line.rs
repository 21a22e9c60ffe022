//! The lines of instructions.

use crate::look::Look;
use crate::objects::{At, Line, Objects};
use crate::part::Part;
use crate::section::Section;
use crate::symbol::{self, Symbol};
use crate::target::Targets;
use isa_engine::digits::hex;
use isa_engine::{Codec, Sized, word_at};
use isa_object::Resources;
use std::io::Write;

/// The start of the control column and of the column of comments, in characters from the beginning of the text.
const CONTROL: usize = 56;
const COMMENT: usize = 84;
/// The prefix of an operand in constant bank 0, which contains the parameters.
const BANK: &str = "c[0x0][0x";

/// Writes parts of sections.
pub struct Writer<'a> {
    codec: Box<dyn Codec + 'a>,
    look: Look<'a>,
    targets: Targets,
    objects: Objects,
    /// The text of the instruction, its control codes, its comments, and the digits of its word.
    text: Vec<u8>,
    control: Vec<u8>,
    comments: Vec<u8>,
    digits: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// A writer with a codec of its own.
    pub fn new(codec: Box<dyn Codec + 'a>, look: Look<'a>) -> Self {
        let targets = Targets::default();
        let (text, control, comments, digits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { codec, look, targets, objects: Objects::default(), text, control, comments, digits }
    }

    /// Appends the lines of a part of a section; returns whether it has a word without a text.
    pub fn part(&mut self, part: &Part, out: &mut Vec<u8>) -> bool {
        let look = self.look;
        let (of, section) = part.section();
        let (lines, (range, is_first)) = (&of.lines, part.range());
        let data = &section.code.data[..range.end as usize];
        let is_bare = look.is_bare();
        let mut at = range.start;
        if !is_bare && is_first {
            out.extend_from_slice(&part.head);
            look.section(section, out);
        }
        // The source line of the instruction before this part, which another part contains.
        let mut last = at.checked_sub(1).filter(|_| !is_first).and_then(|before| lines.at(section.code.index, before));
        let mut failed = false;
        while at < range.end {
            if !is_bare {
                look.place(section, at, out);
                look.source(lines, section, at, &mut last, out);
            }
            let bytes = &data[at as usize..];
            let (length, word) = word_at(&*self.codec, bytes);
            let bytes = &bytes[..length];
            match word {
                Ok(sized) => failed |= !self.word(section, at, sized, out),
                Err(reason) => {
                    failed = true;
                    self.digits.clear();
                    let (shape, bits) = (self.codec.shape(), bytes.len() as u32 * 8);
                    if shape.lengths.contains(&bits) {
                        hex(shape.units.read(bytes), bits / 4, &mut self.digits);
                    } else {
                        let _ = bytes.iter().try_for_each(|byte| write!(self.digits, "{byte:02x}"));
                    }
                    self.refused(section, at, &reason, out);
                }
            }
            out.push(b'\n');
            at += length as u64;
        }
        failed
    }

    /// Appends the line of a word; returns whether it has a text.
    fn word(&mut self, section: &Section<'_>, at: u64, sized: Sized, out: &mut Vec<u8>) -> bool {
        let Sized { word, bits } = sized;
        let look = self.look;
        if look.hex || look.format.json {
            self.digits.clear();
            hex(word, bits.div_ceil(4), &mut self.digits);
        }
        let form = match self.codec.decode(word, bits) {
            Ok(form) => form,
            Err(refused) => {
                self.digits.clear();
                hex(word, bits.div_ceil(4), &mut self.digits);
                self.refused(section, at, &refused.message, out);
                return false;
            }
        };
        let address = section.code.address.wrapping_add(at);
        self.text.clear();
        self.control.clear();
        if look.format.control {
            let text = self.codec.print_full(form, word, address, &mut self.text);
            self.control.extend_from_slice(self.text.get(text..).unwrap_or_default().trim_ascii_start());
            self.text.truncate(text);
        } else {
            self.codec.print(form, word, address, &mut self.text);
        }
        if !look.raw
            && let Some((place, target)) = self.targets.find(&mut *self.codec, form, word, address, &self.text)
            && let Some(label) = section.label_of(target)
        {
            self.text.splice(place, label.bytes());
        }
        let relocations = section.relocations(at, u64::from(bits / 8));
        // A listing for assembling shows the actual bits.
        let is_named =
            !look.raw && !look.format.control && symbol::put(&mut *self.codec, form, word, address, relocations, &mut self.text);
        let control = self.control.as_slice();
        if look.format.json {
            if !control.is_empty() {
                self.text.push(b' ');
                self.text.extend_from_slice(control);
            }
            let digits = String::from_utf8_lossy(&self.digits);
            let function = Some(section.function_of(at).map(|function| &*function.name));
            let at = At { word: &digits, address: at, function };
            self.objects.push(&*self.codec, &at, Line::Insn(form, word, &self.text), out);
            return true;
        }
        if look.raw {
            out.extend_from_slice(&self.text);
            if !control.is_empty() {
                out.push(b' ');
                out.extend_from_slice(control);
            }
            return true;
        }
        let _ = write!(out, "  0x");
        hex(address.into(), 4.max((u64::BITS - address.leading_zeros()).div_ceil(4)), out);
        out.extend_from_slice(b": ");
        let start = out.len();
        out.extend_from_slice(&self.text);
        if !control.is_empty() {
            pad(out, start, CONTROL);
            out.extend_from_slice(control);
        }
        self.comments.clear();
        if look.hex {
            self.comments.extend_from_slice(&self.digits);
        }
        for relocation in relocations {
            separate(&mut self.comments);
            let is_said = is_named && relocation.operand.is_some() || relocation.symbol.is_empty() && relocation.addend == 0;
            let _ = match (relocation.kind_name, is_said) {
                (Some(kind), true) => write!(self.comments, "{kind}"),
                (Some(kind), false) => write!(self.comments, "{kind} {}", Symbol(relocation)),
                (None, _) => write!(self.comments, "relocation {} {}", relocation.kind, Symbol(relocation)),
            };
        }
        comments(section, at, &self.text, &mut self.comments);
        if let Some(mark) = look.mark.filter(|_| !self.comments.is_empty()) {
            pad(out, start, if look.format.control { COMMENT } else { CONTROL });
            out.extend_from_slice(mark.as_bytes());
            out.push(b' ');
            out.extend_from_slice(&self.comments);
        }
        true
    }

    /// Appends the line of a word without a text, whose digits are known.
    fn refused(&mut self, section: &Section<'_>, at: u64, reason: &str, out: &mut Vec<u8>) {
        let look = self.look;
        let digits = String::from_utf8_lossy(&self.digits);
        if look.format.json {
            let function = Some(section.function_of(at).map(|function| &*function.name));
            let at = At { word: &digits, address: at, function };
            return self.objects.push(&*self.codec, &at, Line::Refused(reason), out);
        }
        let reason = reason.replace('\n', " ");
        let address = section.code.address.wrapping_add(at);
        let _ = match look.raw {
            true => write!(out, "! {reason}"),
            false => write!(out, "! {address:#06x}: 0x{digits}: {reason}"),
        };
    }
}

/// Appends blanks up to a column, at least one.
fn pad(out: &mut Vec<u8>, start: usize, column: usize) {
    let length = out.len() - start;
    out.resize(out.len() + column.saturating_sub(length).max(1), b' ');
}

/// Separates comments.
fn separate(out: &mut Vec<u8>) {
    if !out.is_empty() {
        out.extend_from_slice(b"; ");
    }
}

/// Appends the kernel's information about an instruction: branch targets, parameters.
fn comments(section: &Section<'_>, at: u64, text: &[u8], out: &mut Vec<u8>) {
    let Some(resources) = &section.code.resources else { return };
    let branches = &resources.branches;
    let first = branches.partition_point(|branch| u64::from(branch.offset) < at);
    for branch in branches[first..].iter().take_while(|branch| u64::from(branch.offset) == at) {
        separate(out);
        out.extend_from_slice(b"to");
        for target in &branch.targets {
            let target = u64::from(*target);
            let _ = match section.label(target) {
                Some(label) => write!(out, " {label}"),
                None => write!(out, " {target:#x}"),
            };
        }
    }
    params(resources, text, |ordinal, inside| {
        separate(out);
        let _ = match inside {
            0 => write!(out, "param_{ordinal}"),
            inside => write!(out, "param_{ordinal}+{inside:#x}"),
        };
    });
}

/// The parameters that a text reads: their places, and the byte of each.
fn params(resources: &Resources, text: &[u8], mut each: impl FnMut(u32, u32)) {
    let mut rest = text;
    while let Some(at) = memchr::memmem::find(rest, BANK.as_bytes()) {
        rest = &rest[at + BANK.len()..];
        let end = rest.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(rest.len());
        let address = std::str::from_utf8(&rest[..end]).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some((param, inside)) = address.and_then(|address| resources.param_at(address)) {
            each(param.ordinal, inside);
        }
    }
}
