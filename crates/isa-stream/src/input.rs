//! Words from a file or standard input: hexadecimal text, one word a line, or a raw stream.
//!
//! ```text
//! # a comment
//! 000fc000000000000000000000007918            a word, with or without 0x
//! 0xa5b0: 000fc000000000000000000000007918    the same at an address
//! 000fc000000000000000000000007918  0xa5b0    the same again: a second column is the address
//! ```
//!
//! If words have several lengths, a line may also hold one unit of the stream; a unit that begins a longer word takes the lines
//! that follow.
//!
//! If no word has two digits, a line of two digits is a byte of data, as the assembler writes them.
//!
//! A line that begins with `! ` is the error of an earlier command in the pipeline; it is passed on. Without an address, a word
//! follows the one before it; the first is at 0, and that of a raw stream where the section `.text` begins.

use crate::lines::Lines;
use crate::stop::Stop;
use isa_engine::digits::parse_hex;
use isa_engine::{Codec, Sized, Word, WordShape, bytes_of};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// A word or a byte of the input, or an error in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The address of the word in the machine's memory.
    pub address: u64,
    /// The input gives the address.
    pub is_placed: bool,
    /// An address that does not follow the one before is a part of the program: not one in a second column, which only says what
    /// the address of the word is.
    pub is_in_program: bool,
    /// The word or the data, or the error.
    pub content: Result<Content, Box<Bad>>,
}

impl Item {
    /// The address after it; an item that is not a word counts as the shortest one.
    pub fn end(&self, shortest: u32) -> u64 {
        self.address.wrapping_add(bytes_of(self.content.as_ref().map_or(shortest, Content::bits)))
    }
}

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A word.
    Word(Sized),
    /// A byte of data.
    Byte(u8),
}

impl Content {
    /// Its length in bits.
    pub fn bits(&self) -> u32 {
        match self {
            Self::Word(sized) => sized.bits,
            Self::Byte(_) => u8::BITS,
        }
    }
}

/// An error in the place of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// The text of the input.
    pub text: String,
    /// The reason.
    pub reason: String,
}

impl Bad {
    fn new(text: impl Into<String>, reason: impl Into<String>) -> Box<Self> {
        Box::new(Self { text: text.into(), reason: reason.into() })
    }
}

/// The input of a command.
pub struct Input {
    /// Its name in messages.
    pub name: String,
    /// Bytes, if that is known.
    pub size: Option<u64>,
    /// A raw stream, according to its name.
    pub is_raw: bool,
    reader: Box<dyn Read>,
}

impl Input {
    /// Opens the file; none, or `-`, is standard input.
    pub fn open(file: Option<&Path>) -> Result<Self, Stop> {
        let Some(path) = file.filter(|f| f.as_os_str() != "-") else {
            return Ok(Self { name: "<stdin>".into(), size: None, is_raw: false, reader: Box::new(io::stdin().lock()) });
        };
        let open = || -> io::Result<(File, std::fs::Metadata)> {
            let file = File::open(path)?;
            let about = file.metadata()?;
            Ok((file, about))
        };
        let (file, about) = open().map_err(|e| Stop::file(path, &e))?;
        if about.is_dir() {
            return Err(Stop::new(format!("{}: is a directory", path.display())));
        }
        Ok(Self {
            name: path.display().to_string(),
            size: about.is_file().then_some(about.len()),
            is_raw: path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bin")),
            reader: Box::new(file),
        })
    }

    /// Its lines; `expected` describes them in messages: `text is`.
    pub fn lines(self, expected: &'static str) -> Lines {
        Lines::new(self.name, self.reader, expected, None)
    }
}

/// The largest text that is read as a whole, in bytes.
const MAX_TEXT: u64 = 64 << 20;

/// The text of a small file that is read as a whole.
pub fn read_text(path: &Path) -> Result<String, Stop> {
    let bytes = read_bytes(path, MAX_TEXT)?;
    if bytes.contains(&0) {
        return Err(Stop::new(format!("{}: binary input where text is expected", path.display())));
    }
    String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        Stop::new(format!("{}:{line}: this is not UTF-8", path.display()))
    })
}

/// The bytes of a file, at most `most`; they are counted while they are read, since devices and pipes have no size.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, Stop> {
    let input = Input::open(Some(path))?;
    let mut bytes = Vec::new();
    input.reader.take(most + 1).read_to_end(&mut bytes).map_err(|e| Stop::file(path, &e))?;
    if bytes.len() as u64 > most {
        return Err(Stop::new(format!("{}: more than {} MiB, the maximum", path.display(), most >> 20)));
    }
    Ok(bytes)
}

/// The words of an input, one after the other.
pub struct WordReader<'c> {
    codec: &'c dyn Codec,
    shape: &'c WordShape,
    is_raw: bool,
    /// Each valid line of a listing is a complete word.
    is_plain: bool,
    lines: Lines,
    address: u64,
    /// A line that was read, but does not continue the word before it.
    ahead: Option<Item>,
}

impl<'c> WordReader<'c> {
    /// Reads the words of an instruction set.
    pub fn new(input: Input, codec: &'c dyn Codec) -> Result<Self, Stop> {
        let shape = codec.shape();
        let unit = shape.units.bits;
        if input.is_raw && !unit.is_multiple_of(8) {
            let message = format!("{}: a unit of {unit} bits is not a whole number of bytes", input.name);
            return Err(Stop::with_help(message, "give the words as hexadecimal text"));
        }
        let help = "a raw stream is read from a file whose name ends in `.bin`";
        let lines = Lines::new(input.name, input.reader, "hexadecimal words are", Some(help));
        let is_plain = !input.is_raw && shape.lengths == [unit];
        // The assembler writes a raw stream without its address.
        let address = if input.is_raw { codec.assembly().text_start() } else { 0 };
        Ok(Self { codec, shape, is_raw: input.is_raw, is_plain, lines, address, ahead: None })
    }

    /// Sets the address of the first word of a raw stream; by default, the beginning of the section `.text`, or 0.
    ///
    /// # Errors
    /// When the input is a listing, which has addresses of its own.
    pub fn with_base(self, base: Option<u64>) -> Result<Self, Stop> {
        let Some(address) = base else { return Ok(self) };
        if self.is_raw { Ok(Self { address, ..self }) } else { Err(no_base()) }
    }

    /// The next word, or an error in its place; `None` at the end.
    pub fn next_word(&mut self) -> Result<Option<Item>, Stop> {
        match self.next_plain() {
            Some(item) => Ok(Some(item)),
            None if self.is_raw => self.next_raw(),
            None => self.next_listed(),
        }
    }

    /// The word of a line that contains nothing else, as most lines do; `None` if a line may be a part of a word.
    #[inline(always)]
    fn next_plain(&mut self) -> Option<Item> {
        let shape = self.shape;
        if !self.is_plain {
            return None;
        }
        let sized = self.lines.next_if(|line| plain_word(line, shape))?;
        let address = self.address;
        self.address = address.wrapping_add(bytes_of(sized.bits));
        Some(Item { address, is_placed: false, is_in_program: true, content: Ok(Content::Word(sized)) })
    }

    /// True if the next word may have to wait for the writer of the input.
    pub fn may_wait(&self) -> bool {
        if self.is_raw { self.lines.may_wait_for(self.unit_bytes()) } else { self.lines.may_wait() }
    }

    /// Bytes that have been read.
    pub fn read(&self) -> u64 {
        self.lines.read
    }

    /// A word of a listing: a line, or several lines of one unit each, according to the first of them.
    fn next_listed(&mut self) -> Result<Option<Item>, Stop> {
        let first = match self.ahead.take() {
            Some(item) => Some(item),
            None => self.next_line()?,
        };
        let (unit, lengths) = (self.shape.units.bits, &self.shape.lengths);
        let Some(mut first) = first else { return Ok(None) };
        let Ok(Content::Word(Sized { word, bits })) = first.content else { return Ok(Some(first)) };
        if lengths.as_slice() == [unit] {
            return Ok(Some(first));
        }
        let Some(length) = self.codec.length_of(word).filter(|length| bits == unit && *length > unit) else {
            return Ok(Some(first));
        };
        let mut units = vec![word];
        while (units.len() as u32) < length / unit {
            match self.next_line()? {
                Some(Item { address, is_placed, content: Ok(Content::Word(Sized { word, bits })), .. })
                    if bits == unit && (!is_placed || address == first.address + bytes_of(unit) * units.len() as u64) =>
                {
                    units.push(word);
                }
                other => {
                    self.ahead = other;
                    let digits = unit.div_ceil(4) as usize;
                    let text = units.iter().map(|u| format!("{:0digits$x}", u)).collect::<Vec<_>>().join(" ");
                    let reason =
                        format!("a word of {length} bits begins like this, and ends after {}", units.len() as u32 * unit);
                    first.content = Err(Bad::new(text, reason));
                    return Ok(Some(first));
                }
            }
        }
        let word = join(self.shape, units.into_iter());
        first.content = Ok(Content::Word(Sized { word, bits: length }));
        Ok(Some(first))
    }

    fn next_line(&mut self) -> Result<Option<Item>, Stop> {
        while let Some((_, line)) = self.lines.next_line()? {
            if let Some(item) = parse_line(line, self.shape, self.address) {
                self.address = self.after(&item);
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn next_raw(&mut self) -> Result<Option<Item>, Stop> {
        let unit = self.unit_bytes();
        let mut buffer = [0; (Word::BITS / 8) as usize];
        let mut read = self.fill(&mut buffer, 0..unit)?;
        if read == 0 {
            return Ok(None);
        }
        let mut length = unit;
        let mut known = true;
        if read == unit {
            match self.codec.length_of(self.shape.units.read(&buffer[..unit])) {
                Some(bits) => length = (bits / 8) as usize,
                None => known = false,
            }
            read += self.fill(&mut buffer, unit..length)?;
        }
        let is_whole = read == length;
        let bytes = &buffer[..read];
        let text = || bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
        let content = match (is_whole, known) {
            (true, true) => Ok(Content::Word(Sized { word: self.shape.units.read(bytes), bits: length as u32 * 8 })),
            (true, false) => Err(Bad::new(text(), self.codec.no_word(self.shape.units.read(bytes)))),
            (false, _) => Err(Bad::new(text(), format!("the stream ends inside a word of {length} bytes"))),
        };
        let item = Item { address: self.address, is_placed: false, is_in_program: true, content };
        self.address = self.after(&item);
        Ok(Some(item))
    }

    /// Fills a part of a buffer from the stream; returns the number of bytes read.
    fn fill(&mut self, buffer: &mut [u8], part: Range<usize>) -> Result<usize, Stop> {
        let bytes = self.lines.bytes(part.len())?;
        buffer[part.start..][..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }

    fn unit_bytes(&self) -> usize {
        (self.shape.units.bits / 8) as usize
    }

    /// The address after an item.
    fn after(&self, item: &Item) -> u64 {
        item.end(shortest(self.shape))
    }
}

/// Bits of the shortest word.
pub fn shortest(shape: &WordShape) -> u32 {
    shape.lengths.first().copied().unwrap_or(shape.units.bits)
}

/// The error for the address of a raw stream where there is none.
pub fn no_base() -> Stop {
    Stop::new("--base is for a raw stream, a file whose name ends in `.bin`")
}

/// The word of some units, in the order of a stream.
fn join(shape: &WordShape, units: impl DoubleEndedIterator<Item = Word>) -> Word {
    let push = |word: Word, unit: Word| word << shape.units.bits | unit;
    if shape.units.low_first { units.rev().fold(Word::ZERO, push) } else { units.fold(Word::ZERO, push) }
}

/// The word in a line; `None` for a line without one.
pub fn parse_line(line: &str, shape: &WordShape, address: u64) -> Option<Item> {
    // Errors of an earlier command are passed on.
    if let Some(reason) = line.strip_prefix("! ") {
        return Some(Item { address, is_placed: false, is_in_program: true, content: Err(Bad::new(line.trim(), reason.trim())) });
    }
    let line = line.split('#').next().unwrap_or(line).trim();
    if line.is_empty() {
        return None;
    }
    let (before, rest) = match line.split_once(':') {
        Some((a, rest)) => (Some(a.trim()), rest.trim()),
        None => (None, line),
    };
    let mut columns = rest.split_whitespace();
    let word = columns.next().unwrap_or("");
    let place = match (before, columns.next()) {
        (Some(_), Some(extra)) => Err(format!("`{extra}` after the word")),
        (Some(a), None) | (None, Some(a)) => parse_address(a).map(Some),
        (None, None) => Ok(None),
    };
    let place =
        place.and_then(|p| columns.next().map_or(Ok(p), |extra| Err(format!("`{extra}` after the word and its address"))));
    let (place, content) = match place {
        Ok(place) => (place, parse_content(word, shape)),
        Err(reason) => (None, Err(reason)),
    };
    Some(Item {
        address: place.unwrap_or(address),
        is_placed: place.is_some(),
        is_in_program: before.is_some(),
        content: content.map_err(|reason| Bad::new(line, reason)),
    })
}

/// Hexadecimal with or without `0x`.
fn parse_address(text: &str) -> Result<u64, String> {
    let digits = strip_0x(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(format!("`{text}` is not a hexadecimal address"));
    }
    u64::from_str_radix(digits, 16).map_err(|_| format!("the address `{text}` has more than 64 bits"))
}

/// Hexadecimal with or without `0x`, with as many digits as a word of the instruction set has, or as a byte.
fn parse_content(text: &str, shape: &WordShape) -> Result<Content, String> {
    if let Some(sized) = plain_word(text.as_bytes(), shape) {
        return Ok(Content::Word(sized));
    }
    let digits = strip_0x(text);
    if digits.is_empty() {
        return Err("no word".into());
    }
    if let Some(c) = digits.chars().find(|c| !c.is_ascii_hexdigit()) {
        return Err(format!("`{c}` is not a hexadecimal digit"));
    }
    match shape.lengths.iter().find(|bits| bits.div_ceil(4) as usize == digits.len()) {
        Some(bits) => Err(format!("{digits} has more than {bits} bits")),
        None if digits.len() == 2 && shape.units.bits.is_multiple_of(u8::BITS) => {
            u8::from_str_radix(digits, 16).map(Content::Byte).map_err(|why| why.to_string())
        }
        None => {
            let lengths: Vec<_> = shape.lengths.iter().map(|bits| bits.div_ceil(4).to_string()).collect();
            let s = if digits.len() == 1 { "" } else { "s" };
            Err(format!("{} digit{s}, and a word has {}", digits.len(), lengths.join(" or ")))
        }
    }
}

/// The word in a line of hexadecimal digits, with or without `0x`.
#[inline(always)]
fn plain_word(line: &[u8], shape: &WordShape) -> Option<Sized> {
    let digits = match line {
        [b'0', b'x' | b'X', digits @ ..] => digits,
        digits => digits,
    };
    let bits = *shape.lengths.iter().find(|bits| bits.div_ceil(4) as usize == digits.len())?;
    let word = parse_hex(digits)?;
    (word >> bits == Word::ZERO).then_some(Sized { word, bits })
}

fn strip_0x(text: &str) -> &str {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(lengths: &[u32]) -> WordShape {
        WordShape {
            units: isa_runtime::word::Units { bits: 16, low_first: true, little_endian: true },
            lengths: lengths.to_vec(),
        }
    }

    fn word_of(content: Content) -> Word {
        match content {
            Content::Word(sized) => sized.word,
            Content::Byte(byte) => panic!("{byte:#x} is not a word"),
        }
    }

    fn read(line: &str) -> Option<(u64, Result<Word, String>)> {
        parse_line(line, &words(&[16, 32]), 8).map(|i| (i.address, i.content.map(word_of).map_err(|b| b.reason)))
    }

    #[test]
    fn lines() {
        let word = |address, word: u32| Some((address, Ok(Word::from(word))));
        assert_eq!(read(""), None);
        assert_eq!(read("  # 1234"), None);
        assert_eq!(read("1234"), word(8, 0x1234));
        assert_eq!(read(" 0xABCD1234 # x\r\n"), word(8, 0xabcd1234));
        assert_eq!(read("a0: 1234"), word(0xa0, 0x1234));
        assert_eq!(read("0xa0:1234"), word(0xa0, 0x1234));
        assert_eq!(read("1234\t0xa0"), word(0xa0, 0x1234));
        let bad = |reason: &str| Some((8, Err(reason.to_owned())));
        assert_eq!(read("123"), bad("3 digits, and a word has 4 or 8"));
        assert_eq!(read("12g4"), bad("`g` is not a hexadecimal digit"));
        assert_eq!(read("+123"), bad("`+` is not a hexadecimal digit"));
        assert_eq!(read("1234 a0 b"), bad("`b` after the word and its address"));
        assert_eq!(read("a0: 1234 b"), bad("`b` after the word"));
        assert_eq!(read("x: 1234"), bad("`x` is not a hexadecimal address"));
        assert_eq!(read("11112222333344445: 1234"), bad("the address `11112222333344445` has more than 64 bits"));
        assert_eq!(read("! no such thing: 5"), bad("no such thing: 5"));
        assert_eq!(read("a0:").map(|r| r.1), Some(Err("no word".into())));
    }

    #[test]
    fn a_word_has_its_own_width() {
        let seven = words(&[7]);
        let word = |word, bits| Ok(Content::Word(Sized { word, bits }));
        assert_eq!(parse_content("7f", &seven), word(Word::ones(7), 7));
        assert_eq!(parse_content("80", &seven), Err("80 has more than 7 bits".into()));
        let wide = words(&[128]);
        assert_eq!(parse_content(&"f".repeat(33), &wide), Err("33 digits, and a word has 32".into()));
        assert_eq!(parse_content(&"f".repeat(32), &wide), word(Word::ones(128), 128));
        let wider = words(&[64, 256]);
        assert_eq!(parse_content(&"f".repeat(64), &wider), word(Word::MAX, 256));
        assert_eq!(parse_content(&"f".repeat(65), &wider), Err("65 digits, and a word has 16 or 64".into()));
    }

    #[test]
    fn two_digits_are_data_where_no_word_has_two() {
        let item = parse_line("0xA0: 6f", &words(&[16, 32]), 8).expect("an item");
        assert_eq!((item.address, item.content), (0xa0, Ok(Content::Byte(0x6f))));
        assert_eq!(parse_content("6f", &words(&[8])), Ok(Content::Word(Sized { word: Word::from(0x6f_u8), bits: 8 })));
    }
}
