//! The frame that runs programs on both machines: a file of keys, and its program in assembly.

use isa_asm::{Fault, Options, output};
use isa_engine::Lengths;
use isa_host::launch::{parse_number, read_keys_of};
use isa_reference::codec::{Codec, Object};
use isa_spec::diag::Diagnostic;
use isa_spec::keys::{Key, KeyTable, Reader};
use isa_spec::model::{Isa, Word};
use isa_spec::span::SourceMap;
use isa_spec::yaml::{Node, Text};
use isa_stream::{Stop, read_text};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// The harnesses that isagen has, and their programs.
const SHIPPED: [(&str, &str); 3] = [
    ("qemu-system-riscv64.yaml", include_str!("qemu-system-riscv64.yaml")),
    ("qemu-system-riscv32.yaml", include_str!("qemu-system-riscv32.yaml")),
    ("riscv.s", include_str!("riscv.s")),
];

/// A harness, ready to run programs.
pub(super) struct Harness {
    pub(super) command: String,
    /// The address of its program, and all memory from there on.
    pub(super) base: u64,
    pub(super) memory: u64,
    pub(super) inputs: Vec<Input>,
    /// Bytes of code that a program can have.
    pub(super) code: usize,
    pub(super) record: Vec<Kept>,
    /// The values that fields of these names have in programs.
    pub(super) fields: Vec<(String, Vec<u64>)>,
    /// Addresses where the other machine has something else.
    pub(super) avoid: Vec<RangeInclusive<u64>>,
    /// Words about which the machines may differ.
    pub(super) words: Vec<Pattern>,
    /// The program up to `programs`.
    pub(super) image: Vec<u8>,
    symbols: HashMap<String, u64>,
}

/// Numbers that a program begins with.
pub(super) struct Input {
    pub(super) count: usize,
    pub(super) bytes: usize,
    pub(super) of: Vec<Source>,
}

/// The source of a number.
pub(super) enum Source {
    /// Random bits, often a limit.
    Any,
    /// Random bits below ones.
    Boxed,
    /// An address of memory that the program may use.
    Pointer,
    /// The bytes of the program's code.
    Length,
    Number(u64),
}

/// Numbers that a program leaves.
pub(super) struct Kept {
    name: String,
    first: u64,
    count: u64,
    bytes: usize,
    /// The bits that may differ.
    ignored: u64,
}

/// Words with these bits.
pub(super) struct Pattern {
    bits: u32,
    mask: Word,
    value: Word,
}

/// The outcome of a program.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The bytes that the harness sends.
    Record(Vec<u8>),
    /// A fault has ended the run.
    Fault(String),
}

/// A number that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// Here, and on the other machine; `None` if there is no record.
    pub values: Option<[u64; 2]>,
}

/// A finding about a harness.
#[derive(Clone, Copy, Debug)]
pub enum Note<'a> {
    /// About its keys.
    Key(&'a Diagnostic, &'a SourceMap),
    /// About a line of its program.
    Line(&'a Fault),
}

/// The keys of a harness, as they are written.
#[derive(Default)]
struct Declared {
    command: Option<Text>,
    program: Option<Text>,
    define: Vec<(Text, Text)>,
    base: u64,
    memory: u64,
    word: usize,
    inputs: Vec<(Text, NumbersDecl)>,
    record: Vec<(Text, NumbersDecl)>,
    fields: Vec<(Text, Vec<Text>)>,
    avoid: Vec<Text>,
    differs: Vec<(Text, Text)>,
}

#[derive(Default)]
struct NumbersDecl {
    first: u64,
    count: u64,
    bytes: u64,
    ignored: u64,
    of: Vec<Text>,
}

static NUMBERS: KeyTable<NumbersDecl> = KeyTable::new(
    "numbers",
    &[&[
        Key::number(
            "first",
            0..=u64::MAX,
            |n, value, _| n.first = value,
            "The number of the first one in its name; 0 by default.",
        ),
        Key::number("count", 1..=4096, |n, value, _| n.count = value, "How many there are; 1 by default."),
        Key::number("bytes", 1..=8, |n, value, _| n.bytes = value, "The bytes of each; `word` by default."),
        Key::number("ignored", 0..=u64::MAX, |n, value, _| n.ignored = value, "Bits that may differ."),
        Key::texts(
            "of",
            "list",
            |n| &mut n.of,
            "What it is made of: `any`, `boxed`, `pointer`, `length`, or numbers; 0 by default.",
        ),
    ]],
);

static HARNESS: KeyTable<Declared> = KeyTable::new(
    "a harness",
    &[&[
        Key::required(
            "needs `command`: `command: …`",
            Key::text("command", "command line", |d| &mut d.command, "The command of the other machine; `{}` is the image."),
        ),
        Key::required(
            "needs `program`: `program: FILE`",
            Key::text("program", "path", |d| &mut d.program, "The program, in assembly, from which both machines start."),
        ),
        Key::pairs("define", "mapping of names to numbers", |d| &mut d.define, "Symbols of the program."),
        Key::number("base", 0..=u64::MAX, |d, value, _| d.base = value, "The address of the program."),
        Key::number("memory", 1..=1 << 32, |d, value, _| d.memory = value, "The bytes of memory from there on."),
        Key::number("word", 1..=8, |d, value, _| d.word = value as usize, "The bytes of a number."),
        Key::own("inputs", "mapping", |r, d, node, what| d.inputs = r.each(node, what, numbers), "What a program begins with."),
        Key::own("record", "mapping", |r, d, node, what| d.record = r.each(node, what, numbers), "What it leaves."),
        Key::own(
            "fields",
            "mapping of fields to lists",
            |r, d, node, what| d.fields = r.each(node, what, |r, name, node| Some((name.clone(), r.texts(node, "values")))),
            "The values that fields have.",
        ),
        Key::texts("avoid", "list of addresses", |d| &mut d.avoid, "Addresses that programs must not use: `FIRST..LAST`."),
        Key::pairs("differs", "mapping of words to reasons", |d| &mut d.differs, "Words about which implementations differ."),
    ]],
);

fn numbers(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<(Text, NumbersDecl)> {
    let mut made = NumbersDecl { count: 1, ..NumbersDecl::default() };
    reader.fill(&NUMBERS, &mut made, node);
    Some((name.clone(), made))
}

impl Harness {
    /// Reads a harness, by its path or the name of a shipped one, and assembles its program; `None` if something is wrong with
    /// them, which `note` receives.
    pub(super) fn read(isa: &Isa, name: &str, note: &mut dyn FnMut(Note<'_>)) -> Result<Option<Self>, Stop> {
        let shipped = |name: &str| SHIPPED.iter().find(|file| file.0 == name).map(|file| file.1.to_owned());
        let own = shipped(&format!("{name}.yaml"));
        let text = match &own {
            Some(text) => text.clone(),
            None if name.ends_with(".yaml") => read_text(Path::new(name))?,
            None => {
                let known: Vec<&str> = SHIPPED.iter().filter_map(|file| file.0.strip_suffix(".yaml")).collect();
                let help = format!("there are {}, and paths that end in `.yaml`", known.join(", "));
                return Err(Stop::with_help(format!("there is no harness `{name}`"), help));
            }
        };
        let declared = |node: &Node, reader: &mut Reader<'_>| {
            let mut declared = Declared { word: 4, ..Declared::default() };
            reader.fill(&HARNESS, &mut declared, node);
            declared
        };
        let mut report = |finding: &Diagnostic, files: &SourceMap| note(Note::Key(finding, files));
        let Some(declared) = read_keys_of((name, None), &text, &mut report, declared) else { return Ok(None) };
        let program = declared.program.as_ref().map_or("", |program| &program.value);
        let source = match own.and_then(|_| shipped(program)) {
            Some(source) => source,
            None => read_text(&Path::new(name).parent().unwrap_or(Path::new("")).join(program))?,
        };
        let Some((image, symbols)) = assemble(isa, program, &source, &declared, note)? else { return Ok(None) };
        Self::of(declared, image, symbols).map(Some).map_err(|why| Stop::new(format!("{name}: {why}")))
    }

    fn of(declared: Declared, mut image: Vec<u8>, symbols: HashMap<String, u64>) -> Result<Self, String> {
        let number = |text: &Text| parse_number(&text.value);
        let bytes = |decl: &NumbersDecl| if decl.bytes == 0 { declared.word } else { decl.bytes as usize };
        let source = |text: &Text| {
            Ok(match text.value.as_str() {
                "any" => Source::Any,
                "boxed" => Source::Boxed,
                "pointer" => Source::Pointer,
                "length" => Source::Length,
                _ => Source::Number(number(text)?),
            })
        };
        let input = |(_, decl): &(Text, NumbersDecl)| -> Result<Input, String> {
            let of = decl.of.iter().map(source).collect::<Result<Vec<_>, String>>()?;
            Ok(Input { count: decl.count as usize, bytes: bytes(decl), of })
        };
        let kept = |(name, decl): &(Text, NumbersDecl)| Kept {
            name: name.value.clone(),
            first: decl.first,
            count: decl.count,
            bytes: bytes(decl),
            ignored: decl.ignored,
        };
        let range = |text: &Text| {
            let (first, last) = text.value.split_once("..").ok_or(format!("`{}` is not FIRST..LAST", text.value))?;
            Ok(parse_number(first)?..=parse_number(last)?)
        };
        let field = |(name, values): &(Text, Vec<Text>)| {
            Ok((name.value.clone(), values.iter().map(number).collect::<Result<_, String>>()?))
        };
        let of = |name: &str| symbols.get(name).copied().ok_or(format!("its program has no symbol `{name}`"));
        for name in
            ["enter", "handler", "finish", "send", "slot", "slot_end", "record", "record_end", "data", "middle", "data_end"]
        {
            of(name)?;
        }
        image.resize((of("programs")? - declared.base) as usize, 0);
        let made = Self {
            command: declared.command.as_ref().map_or_else(String::new, |command| command.value.clone()),
            base: declared.base,
            memory: declared.memory,
            inputs: declared.inputs.iter().map(input).collect::<Result<_, _>>()?,
            code: of("CODE")? as usize,
            record: declared.record.iter().map(kept).collect(),
            fields: declared.fields.iter().map(field).collect::<Result<_, String>>()?,
            avoid: declared.avoid.iter().map(range).collect::<Result<_, String>>()?,
            words: declared.differs.iter().map(|(pattern, _)| Pattern::read(&pattern.value)).collect::<Result<_, _>>()?,
            image,
            symbols,
        };
        let kept: usize = made.record.iter().map(|kept| kept.count as usize * kept.bytes).sum();
        let (own, room) = (made.record_size(), made.at("record_end") - made.at("record"));
        if own as u64 != room {
            return Err(format!("`record` describes {kept} bytes, and from `record` to `record_end` there are {room}"));
        }
        Ok(made)
    }

    /// The address of a symbol of its program.
    pub(super) fn at(&self, name: &str) -> u64 {
        self.symbols.get(name).copied().unwrap_or(0)
    }

    /// The bytes that a program leaves.
    pub(super) fn record_size(&self) -> usize {
        self.record.iter().map(|kept| kept.count as usize * kept.bytes).sum()
    }

    /// The memory at the start: the program, and the programs that it runs.
    pub(super) fn image(&self, programs: &[&[u8]]) -> Vec<u8> {
        let count = (programs.len() as u64).to_le_bytes();
        [&self.image[..], &count, &programs.concat()].concat()
    }

    /// The numbers that differ between this machine and the other one.
    pub(super) fn differences(&self, outcome: &Outcome, answer: Option<&[u8]>) -> Vec<Difference> {
        let (here, there) = match (outcome, answer) {
            (Outcome::Record(here), Some(there)) => (here, there),
            (Outcome::Fault(fault), _) => return vec![Difference { name: format!("here: {fault}"), values: None }],
            (_, None) => return vec![Difference { name: "the other machine does not end".to_owned(), values: None }],
        };
        let mut differences = Vec::new();
        let mut at = 0;
        for kept in &self.record {
            for number in 0..kept.count {
                let value = |of: &[u8]| {
                    let bytes = of.get(at..at + kept.bytes).unwrap_or_default();
                    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)) & !kept.ignored
                };
                let values = [value(here), value(there)];
                at += kept.bytes;
                if values[0] != values[1] {
                    let number = if kept.count == 1 { String::new() } else { (kept.first + number).to_string() };
                    differences.push(Difference { name: format!("{}{number}", kept.name), values: Some(values) });
                }
            }
        }
        differences
    }
}

impl Pattern {
    /// `0110 0001 ....`, the high bit first.
    fn read(text: &str) -> Result<Self, String> {
        let mut made = Self { bits: 0, mask: Word::ZERO, value: Word::ZERO };
        for digit in text.chars().filter(|digit| !digit.is_whitespace()) {
            let (known, bit) = match digit {
                '0' => (1u32, 0u32),
                '1' => (1, 1),
                '.' => (0, 0),
                _ => return Err(format!("`{text}` is not a word of `0`, `1` and `.`")),
            };
            made.bits += 1;
            made.mask = made.mask << 1 | Word::from(known);
            made.value = made.value << 1 | Word::from(bit);
        }
        Ok(made)
    }

    pub(super) fn has(&self, word: Word, bits: u32) -> bool {
        bits == self.bits && word & self.mask == self.value
    }
}

/// The bytes of a program, and its symbols.
type Assembled = (Vec<u8>, HashMap<String, u64>);

/// Assembles a program; `None` if it has faults, which `note` receives.
fn assemble(
    isa: &Isa,
    name: &str,
    source: &str,
    declared: &Declared,
    note: &mut dyn FnMut(Note<'_>),
) -> Result<Option<Assembled>, Stop> {
    let reference = Codec::new(isa);
    let codec = Object::new(&reference);
    let mut options = Options {
        defines: declared.define.iter().map(|(name, value)| (name.value.clone(), value.value.clone())).collect(),
        sections: vec![(".text".to_owned(), declared.base)],
        ..Options::default()
    };
    options.style.lengths = Lengths::Shortest;
    let program = isa_asm::assemble(&codec, name, options, source.lines()).map_err(Stop::new)?;
    program.faults_in_order().for_each(|fault| note(Note::Line(fault)));
    if program.has_failed() {
        return Ok(None);
    }
    let symbols = program.symbols.iter().filter(|symbol| symbol.is_defined);
    let symbols = symbols.map(|symbol| (symbol.name.to_string(), symbol.value)).collect();
    output::bytes(&program, 0).map(|bytes| Some((bytes, symbols))).map_err(Stop::new)
}
