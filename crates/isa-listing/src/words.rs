//! Words to lines, in batches.

use crate::objects::{At, Line, Objects};
use isa_engine::digits::{hex, hex_address};
use isa_engine::{Codec, Sized, Word};
use isa_stream::{Content, Item, Stop, Then, WordReader, shortest};

/// The greatest number of words that are answered together.
const BATCH: usize = 1024;
/// The number of bytes after which no word is added to a batch.
const MOST: u64 = 1 << 18;

/// Words that are answered together.
#[derive(Default)]
pub struct Batch {
    /// The word before them.
    before: Option<Item>,
    items: Vec<Item>,
    /// Their lines.
    lines: Vec<u8>,
    failed: bool,
}

impl Batch {
    /// Reads words without blocking for more, after the word before them; `last` becomes their last one.
    pub fn read(&mut self, reader: &mut WordReader<'_>, last: &mut Option<Item>) -> Result<Then, Stop> {
        self.before = last.take();
        self.items.clear();
        let then = self.fill(reader);
        *last = self.items.last().cloned();
        then
    }

    fn fill(&mut self, reader: &mut WordReader<'_>) -> Result<Then, Stop> {
        let most = reader.read() + MOST;
        while let Some(item) = reader.next_word()? {
            self.items.push(item);
            if reader.may_wait() {
                return Ok(Then::Pause);
            }
            if self.items.len() == BATCH || reader.read() > most {
                return Ok(Then::More);
            }
        }
        Ok(Then::End)
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.items.len()
    }

    /// The lines of the words, once they are printed.
    pub fn lines(&self) -> &[u8] {
        &self.lines
    }

    /// True if a word has no text.
    pub fn failed(&self) -> bool {
        self.failed
    }
}

/// Writes a line for each word: its text or its JSON object, or the reason why it has none.
pub struct Printer<'c> {
    codec: Box<dyn Codec + 'c>,
    full: bool,
    /// `None` if lines are texts.
    objects: Option<Objects>,
    /// The word and the text of an object.
    word: Vec<u8>,
    text: Vec<u8>,
}

/// The kind of an item.
enum Decoded {
    /// A word of a form.
    Insn(usize, Word),
    Data(u8),
    /// Neither, with the reason.
    Refused(String),
}

impl<'c> Printer<'c> {
    /// Prints texts: all that a word says if `full`, JSON objects if `json`.
    pub fn new(codec: Box<dyn Codec + 'c>, full: bool, json: bool) -> Self {
        Self { codec, full, objects: json.then(Objects::default), word: Vec::new(), text: Vec::new() }
    }

    /// Writes the lines of a batch.
    pub fn print(&mut self, batch: &mut Batch) {
        let Batch { before, items, lines, failed } = batch;
        lines.clear();
        *failed = false;
        let shortest = shortest(self.codec.shape());
        // The address after the line before; the first line is at 0.
        let mut end = before.as_ref().map_or(0, |item| item.end(shortest));
        // The assembler does not know the length of a line without a text.
        let mut is_known = before.as_ref().is_none_or(|item| !matches!(self.decoded(item), Decoded::Refused(_)));
        for item in items {
            let decoded = self.decoded(item);
            if self.objects.is_some() {
                self.object(item, &decoded, lines);
            } else {
                let is_moved = end != item.address;
                let has_address = is_moved && item.is_in_program || self.full && (is_moved || item.is_placed || !is_known);
                self.line(item, &decoded, has_address, lines);
            }
            lines.push(b'\n');
            is_known = !matches!(decoded, Decoded::Refused(_));
            *failed |= !is_known;
            end = item.end(shortest);
        }
    }

    #[inline]
    fn decoded(&self, item: &Item) -> Decoded {
        match &item.content {
            Ok(Content::Word(Sized { word, bits })) => match self.codec.decode(*word, *bits) {
                Ok(form) => Decoded::Insn(form, *word),
                Err(refused) => Decoded::Refused(refused.message),
            },
            Ok(Content::Byte(byte)) => Decoded::Data(*byte),
            Err(bad) => Decoded::Refused(bad.reason.clone()),
        }
    }

    /// Writes the text of an item, or the reason why there is none.
    fn line(&mut self, item: &Item, decoded: &Decoded, has_address: bool, out: &mut Vec<u8>) {
        if let Decoded::Refused(reason) = decoded {
            out.extend_from_slice(b"! ");
            out.extend(reason.bytes().map(|b| if b == b'\n' { b' ' } else { b }));
            return;
        }
        if has_address {
            hex_address(item.address, out);
            out.extend_from_slice(b": ");
        }
        self.text(decoded, item.address, out);
    }

    #[inline]
    fn text(&mut self, decoded: &Decoded, address: u64, out: &mut Vec<u8>) {
        match decoded {
            Decoded::Insn(form, word) if self.full => {
                self.codec.print_full(*form, *word, address, out);
            }
            Decoded::Insn(form, word) => self.codec.print(*form, *word, address, out),
            Decoded::Data(byte) => {
                out.extend_from_slice(b".byte 0x");
                hex(Word::from(*byte), 2, out);
            }
            Decoded::Refused(_) => {}
        }
    }

    /// Writes the object of an item.
    fn object(&mut self, item: &Item, decoded: &Decoded, out: &mut Vec<u8>) {
        let (mut text, mut digits) = (std::mem::take(&mut self.text), std::mem::take(&mut self.word));
        text.clear();
        digits.clear();
        match &item.content {
            Ok(Content::Word(Sized { word, bits })) => hex(*word, bits.div_ceil(4), &mut digits),
            Ok(Content::Byte(byte)) => hex(Word::from(*byte), 2, &mut digits),
            Err(bad) => digits.extend_from_slice(bad.text.as_bytes()),
        }
        self.text(decoded, item.address, &mut text);
        let at = At { word: &String::from_utf8_lossy(&digits), address: item.address, function: None };
        let line = match decoded {
            Decoded::Insn(form, word) => Line::Insn(*form, *word, &text),
            Decoded::Data(_) => Line::Data(&text),
            Decoded::Refused(reason) => Line::Refused(reason),
        };
        self.objects.get_or_insert_default().push(&*self.codec, &at, line, out);
        (self.text, self.word) = (text, digits);
    }
}
