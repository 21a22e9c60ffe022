//! Lines for later input: words or texts, each preceded by its address if there is a gap before it.

use super::Print;
use isa_engine::bytes_of;
use isa_engine::digits::{hex, hex_address};
use isa_engine::{Codec, Statement};

/// Writes lines for later input: after a gap they begin with the address.
pub(super) struct Writer<'c> {
    pub(super) codec: Box<dyn Codec + 'c>,
    print: Print,
    /// The length in bytes assumed for a line without a word.
    shortest: u64,
    /// The address of a line without one; there is none in a text-only instruction set.
    pub(super) next: Option<u64>,
    has_addresses: bool,
}

impl<'c> Writer<'c> {
    pub(super) fn new(print: Print, codec: Box<dyn Codec + 'c>, next: Option<u64>) -> Self {
        let shortest = bytes_of(codec.shape().lengths.first().copied().unwrap_or(0));
        let has_addresses = !codec.is_text();
        Self { codec, print, shortest, next, has_addresses }
    }

    /// Writes the address of an instruction, if it does not follow the one before it.
    pub(super) fn address(&self, address: u64, out: &mut Vec<u8>) {
        if self.has_addresses && self.next != Some(address) {
            hex_address(address, out);
            out.extend_from_slice(b": ");
        }
    }

    /// Writes the line of an instruction.
    pub(super) fn instruction(&mut self, statement: &Statement, address: u64, out: &mut Vec<u8>) {
        self.address(address, out);
        let Self { codec, .. } = self;
        let bits = codec.length(statement.form);
        match self.print {
            Print::Word => hex(statement.word, bits.div_ceil(4), out),
            // The text of a text-only instruction set is complete.
            Print::Full if !codec.is_text() => {
                codec.print_full(statement.form, statement.word, address, out);
            }
            Print::Full | Print::Text => codec.print_statement(statement, address, out),
        }
        out.push(b'\n');
        self.next = Some(address.wrapping_add(bytes_of(bits)));
    }

    /// Writes data at an address: numbers of `size` bytes.
    pub(super) fn data(&mut self, address: u64, bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        let is_little = self.codec.shape().units.little_endian;
        for (place, own) in bytes.chunks(size.max(1)).enumerate() {
            let at = address.wrapping_add((place * size) as u64);
            self.address(at, out);
            let mut write = |byte: &u8| hex((*byte).into(), 2, out);
            if is_little {
                own.iter().rev().for_each(&mut write)
            } else {
                own.iter().for_each(&mut write)
            }
            out.push(b'\n');
            self.next = Some(at.wrapping_add(own.len() as u64));
        }
    }

    /// Writes fill bytes: zeros are a gap; others are shown as instructions.
    pub(super) fn filled(&mut self, address: u64, bytes: &[u8], out: &mut Vec<u8>) {
        if bytes.iter().all(|byte| *byte == 0) {
            return;
        }
        let units = self.codec.shape().units;
        let (mut at, unit) = (0, (units.bits / 8).max(1) as usize);
        while at < bytes.len() {
            let bits = bytes.get(at..at + unit).and_then(|first| self.codec.length_of(units.read(first)));
            let size = bits.map_or(1, |bits| bytes_of(bits) as usize);
            let own = &bytes[at..(at + size).min(bytes.len())];
            match bits.filter(|_| own.len() == size) {
                Some(bits) => {
                    let here = address.wrapping_add(at as u64);
                    self.address(here, out);
                    hex(units.read(own), bits.div_ceil(4), out);
                    out.push(b'\n');
                    self.next = Some(here.wrapping_add(size as u64));
                }
                None => self.data(address.wrapping_add(at as u64), own, 1, out),
            }
            at += own.len();
        }
    }

    /// Writes the line of a fault.
    pub(super) fn fault(&mut self, message: &str, address: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(b"! ");
        out.extend_from_slice(message.replace('\n', " ").as_bytes());
        out.push(b'\n');
        self.next = self.next.map(|_| address.wrapping_add(self.shortest));
    }
}
