//! The parameters of a program's start: launch files, and texts with the same or more settings.
//!
//! ```json
//! {
//!   "program": "kernel.hex", "block": [32, 1, 1], "grid": [2, 1], "params": ["0x0", "0x80"],
//!   "constant": { "1": "ff03ff03" }, "global_memory": "kernel.global.hex",
//!   "expect": { "address": "0x100", "words": "kernel.expect.hex" }
//! }
//! ```
//!
//! Paths are relative to the launch file.

use isa_sim::MachineInfo;
use isa_sim::simt::Image;
use isa_spec::diag::{Diagnostic, Diagnostics, nearest};
use isa_spec::keys::{Key, KeyTable, Reader};
use isa_spec::span::{SourceFile, SourceMap};
use isa_spec::yaml::{self, Node, NodeKind, Text};
use isa_stream::{Input, Stop, read_bytes, read_text};
use std::path::{Path, PathBuf};

static LAUNCH: KeyTable<Declared> = KeyTable::ignoring_others(
    "a launch file",
    &[&[
        Key::own("name", "text", |_, _, _, _| {}, "For readers."),
        Key::text("program", "path", |d| &mut d.program, "The program."),
        Key::own(
            "block",
            "list of one to three numbers",
            |r, d, node, _| d.block = size(r, node),
            "Threads of a block along x, y and z; numbers that are left out are 1.",
        ),
        Key::own(
            "grid",
            "list of one to three numbers",
            |r, d, node, _| d.grid = size(r, node),
            "Blocks of the grid, in the same way.",
        ),
        Key::own(
            "params",
            "list of numbers",
            |r, d, node, what| {
                d.params = r.list(node, what).iter().filter_map(|n| value(r, n, "a parameter", parse_param)).collect()
            },
            "Parameters of the kernel, 32 bits each.",
        ),
        Key::own(
            "constant",
            "mapping of numbers to bytes",
            |r, d, node, what| d.constants = r.each(node, what, constant),
            "The contents of banks of the memory `const`: bytes in hexadecimal.",
        ),
        Key::text(
            "global_memory",
            "path",
            |d| &mut d.global,
            "The contents of the memory `global` from address 0: a file with a word of 32 bits a line in hexadecimal, or a \
             `.bin` file of bytes.",
        ),
        Key::pairs("set", "mapping of names to values", |d| &mut d.set, "Variants of the machine."),
        Key::own(
            "expect",
            "mapping",
            |r, d, node, _| {
                let expect = d.expect.get_or_insert_default();
                r.fill(&EXPECT, expect, node);
            },
            "Words that `global` must hold after the run.",
        ),
    ]],
);

static EXPECT: KeyTable<DeclaredWords> = KeyTable::ignoring_others(
    "`expect`",
    &[&[
        Key::own(
            "address",
            "number",
            |r, e, node, what| e.address = value(r, node, what, parse_number).unwrap_or(0),
            "The address of the first word; 0 by default.",
        ),
        Key::required(
            "needs `words`, the file of the expected words: `words: FILE`",
            Key::text("words", "path", |e| &mut e.words, "The file of the words: one word of 32 bits a line, in hexadecimal."),
        ),
        Key::own("source", "text", |_, _, _, _| {}, "For readers."),
    ]],
);

/// A launch file as it is parsed, before its files are read.
#[derive(Default)]
struct Declared {
    program: Option<Text>,
    block: Option<[u32; 3]>,
    grid: Option<[u32; 3]>,
    params: Vec<u32>,
    constants: Vec<(u32, Vec<u8>)>,
    global: Option<Text>,
    set: Vec<(Text, Text)>,
    expect: Option<DeclaredWords>,
}

/// `expect` as it is parsed.
#[derive(Default)]
struct DeclaredWords {
    address: u64,
    words: Option<Text>,
}

/// The settings of a launch file.
#[derive(Debug, Default)]
pub struct LaunchFile {
    /// The program.
    pub program: Option<PathBuf>,
    /// Threads of a block along x, y and z.
    pub block: Option<[u32; 3]>,
    /// Blocks of the grid.
    pub grid: Option<[u32; 3]>,
    /// Parameters of the kernel.
    pub params: Vec<u32>,
    /// Banks of `const`.
    pub constants: Vec<(u32, Vec<u8>)>,
    /// The contents of `global`.
    pub global: Option<Vec<u8>>,
    /// `NAME=VALUE`
    pub set: Vec<String>,
    /// The words that `global` must hold after the run.
    pub expect: Option<Expect>,
}

/// The expected words in `global` after the run.
#[derive(Debug)]
pub struct Expect {
    /// The name of their file.
    pub name: String,
    /// The address of the first.
    pub address: u64,
    /// The words.
    pub words: Vec<u32>,
}

impl LaunchFile {
    /// Reads a launch file; `None` if it has errors, which `report` receives.
    ///
    /// # Errors
    /// When it, or a file that it names, can't be read.
    pub fn read(path: &Path, report: Report<'_>) -> Result<Option<Self>, Stop> {
        let declared = read_keys(path, report, declared)?;
        declared.map(|declared| Self::of(declared, path.parent().unwrap_or(Path::new("")))).transpose()
    }

    /// Reads the files that it names.
    fn of(declared: Declared, folder: &Path) -> Result<Self, Stop> {
        let expect = declared.expect.and_then(|e| Some((e.address, folder.join(e.words?.value))));
        let expect = expect.map(|(address, path)| {
            let name = path.display().to_string();
            Ok::<_, Stop>(Expect { name, address, words: word_file(&path)? })
        });
        Ok(Self {
            program: declared.program.map(|program| folder.join(program.value)),
            block: declared.block,
            grid: declared.grid,
            params: declared.params,
            constants: declared.constants,
            global: declared.global.map(|global| memory_file(&folder.join(global.value))).transpose()?,
            set: declared.set.iter().map(|(name, value)| format!("{}={}", name.value, value.value)).collect(),
            expect: expect.transpose()?,
        })
    }
}

fn declared(node: &Node, reader: &mut Reader<'_>) -> Declared {
    let mut declared = Declared::default();
    reader.fill(&LAUNCH, &mut declared, node);
    declared
}

/// Receives the findings about a file of keys, in their order.
pub type Report<'a> = &'a mut dyn FnMut(&Diagnostic, &SourceMap);

/// Reads a file of keys in JSON or YAML; `None` if it has errors, which `report` receives.
///
/// # Errors
/// When it is empty, or can't be read.
pub fn read_keys<T>(path: &Path, report: Report<'_>, read: impl FnOnce(&Node, &mut Reader<'_>) -> T) -> Result<Option<T>, Stop> {
    let text = read_text(path)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return Err(Stop::new(format!("{}: is empty", path.display())));
    }
    Ok(read_keys_of((&path.display().to_string(), Some(path)), text, report, read))
}

/// Reads the text of a file of keys, which has a name and perhaps a path.
pub fn read_keys_of<T>(
    (name, path): (&str, Option<&Path>),
    text: &str,
    report: Report<'_>,
    read: impl FnOnce(&Node, &mut Reader<'_>) -> T,
) -> Option<T> {
    let mut files = SourceMap::default();
    let file = files.add(SourceFile::new(name, path.map(PathBuf::from), text));
    let mut diags = Diagnostics::default();
    let made = match yaml::parse(text, file) {
        Ok(node) => Some(read(&node, &mut Reader::new(&mut diags))),
        Err(diagnostic) => {
            diags.push(*diagnostic);
            None
        }
    };
    let is_wrong = diags.has_errors();
    diags.into_sorted().iter().for_each(|finding| report(finding, &files));
    made.filter(|_| !is_wrong)
}

/// A value that `parse` reads; its error is reported.
fn value<T>(reader: &mut Reader<'_>, node: &Node, what: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
    let text = reader.text(node, what)?;
    parse(&text.value).map_err(|why| reader.error("launch", why, text.span)).ok()
}

/// `32`, `[32]`, `[16, 2]`, `[8, 2, 2]`
pub(crate) fn size(reader: &mut Reader<'_>, node: &Node) -> Option<[u32; 3]> {
    let NodeKind::Seq(items) = &node.kind else { return value(reader, node, "a size", parse_size) };
    if !(1..=3).contains(&items.len()) {
        reader.error("launch", "a size is one to three numbers: x, y and z", node.span);
        return None;
    }
    let mut size = [1; 3];
    for (axis, item) in size.iter_mut().zip(items) {
        *axis = value(reader, item, "a size", parse_count)?;
    }
    Some(size)
}

fn constant(reader: &mut Reader<'_>, bank: &Text, bytes: &Node) -> Option<(u32, Vec<u8>)> {
    let number = parse_count(&bank.value).map_err(|why| reader.error("launch", why, bank.span)).ok();
    Some((number?, value(reader, bytes, "a bank", parse_bytes)?))
}

/// Decimal, or hexadecimal with `0x`.
///
/// # Errors
/// When it is written in another way.
pub fn parse_number(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(format!("`{text}` is not a number: 100 and 0x64 are"));
    }
    u64::from_str_radix(digits, radix).map_err(|_| format!("{text} has more than 64 bits"))
}

fn parse_count(text: &str) -> Result<u32, String> {
    parse_number(text)?.try_into().map_err(|_| format!("{text} has more than 32 bits"))
}

/// A number of 32 bits, optionally with a sign.
///
/// # Errors
/// When it is written in another way.
pub fn parse_param(text: &str) -> Result<u32, String> {
    let too_wide = || format!("the parameter {text} has more than 32 bits");
    match text.strip_prefix('-') {
        None => parse_number(text)?.try_into().map_err(|_| too_wide()),
        Some(digits) => match parse_number(digits)? {
            n if n <= 1 << 31 => Ok((n as u32).wrapping_neg()),
            _ => Err(too_wide()),
        },
    }
}

/// `32`, `16,2`, `8,2,2`
///
/// # Errors
/// When it is written in another way.
pub fn parse_size(text: &str) -> Result<[u32; 3], String> {
    let mut size = [1; 3];
    let parts: Vec<_> = text.split(',').collect();
    if parts.len() > 3 {
        return Err(format!("`{text}` has more than x, y and z"));
    }
    for (axis, part) in size.iter_mut().zip(parts) {
        *axis = parse_count(part)?;
    }
    Ok(size)
}

/// Bytes in hexadecimal, the one at the lowest address first.
///
/// # Errors
/// When it is written in another way.
pub fn parse_bytes(text: &str) -> Result<Vec<u8>, String> {
    let digit = |c: u8| (c as char).to_digit(16).ok_or_else(|| format!("`{text}` is not a row of bytes in hexadecimal"));
    let digits = text.bytes().map(digit).collect::<Result<Vec<_>, _>>()?;
    if digits.len() % 2 != 0 {
        return Err(format!("`{text}` ends in the middle of a byte"));
    }
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// `1=ff03ff03`
///
/// # Errors
/// When it is written in another way.
pub fn parse_constant(text: &str) -> Result<(u32, Vec<u8>), String> {
    let (bank, bytes) = text.split_once('=').ok_or("it is written BANK=HEXBYTES")?;
    Ok((parse_count(bank)?, parse_bytes(bytes)?))
}

/// `global=0x100000`
///
/// # Errors
/// When it is written in another way.
pub fn parse_memory_size(text: &str) -> Result<(String, u64), String> {
    let (space, size) = text.split_once('=').ok_or("it is written SPACE=BYTES")?;
    Ok((space.to_owned(), parse_number(size)?))
}

/// Memory to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dump {
    /// Words of `global`.
    Words {
        /// The address of the first.
        address: u64,
        /// The number of words.
        words: u64,
    },
    /// Bytes of a space.
    Bytes {
        /// The name of the space.
        space: String,
        /// The address of the first.
        address: u64,
        /// The number of bytes.
        bytes: u64,
    },
}

/// `0x100+32`, `memory@0x100+32`
///
/// # Errors
/// When it is written in another way.
pub fn parse_dump(text: &str) -> Result<Dump, String> {
    let usage = "it is written SPACE@ADDRESS+BYTES, or ADDRESS+WORDS for words of `global`";
    let (at, count) = text.split_once('+').ok_or(usage)?;
    match at.split_once('@') {
        None => Ok(Dump::Words { address: parse_number(at)?, words: parse_number(count)? }),
        Some((space, address)) => {
            Ok(Dump::Bytes { space: space.to_owned(), address: parse_number(address)?, bytes: parse_number(count)? })
        }
    }
}

/// A file with the contents of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFile {
    /// The name of the space.
    pub space: String,
    /// The address of the first byte.
    pub address: u64,
    /// The file.
    pub file: PathBuf,
}

/// `memory@0x1000=data.bin`
///
/// # Errors
/// When it is written in another way.
pub fn parse_memory(text: &str) -> Result<MemoryFile, String> {
    let usage = "it is written SPACE@ADDRESS=FILE";
    let (place, file) = text.split_once('=').ok_or(usage)?;
    let (space, address) = place.split_once('@').ok_or(usage)?;
    Ok(MemoryFile { space: space.to_owned(), address: parse_number(address)?, file: file.into() })
}

/// The largest memory image or list of expected words, in bytes.
const MAX_IMAGE: u64 = 128 << 20;

/// The words of a file: 32 bits a line, in hexadecimal; `#` begins a comment.
///
/// # Errors
/// When it can't be read, is too large, or has another line.
pub fn word_file(path: &Path) -> Result<Vec<u32>, Stop> {
    let mut words = Vec::new();
    let mut lines = Input::open(Some(path))?.lines("hexadecimal words are");
    while let Some((number, line)) = lines.next_line()? {
        let line = line.split('#').next().unwrap_or("").trim();
        let digits = line.strip_prefix("0x").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        let place = || format!("{}:{number}", path.display());
        let word = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
        words.push(word.ok_or_else(|| Stop::new(format!("{}: `{line}` is not a word of 32 bits in hexadecimal", place())))?);
        if 4 * words.len() as u64 > MAX_IMAGE {
            return Err(Stop::new(format!("{}: more than {} MiB, the maximum", place(), MAX_IMAGE >> 20)));
        }
    }
    Ok(words)
}

/// The bytes of a memory: words as in [`word_file`], or the bytes themselves if the name ends in `.bin`.
///
/// # Errors
/// When it can't be read, or is too large.
pub fn memory_file(path: &Path) -> Result<Vec<u8>, Stop> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bin")) {
        return read_bytes(path, MAX_IMAGE);
    }
    Ok(word_file(path)?.iter().flat_map(|w| w.to_le_bytes()).collect())
}

/// The number of a memory space.
///
/// # Errors
/// When the machine has none of this name.
pub fn space(machine: &MachineInfo, name: &str) -> Result<usize, Stop> {
    machine.spaces.iter().position(|s| s.name == name).ok_or_else(|| {
        let known: Vec<_> = machine.spaces.iter().map(|s| s.name.as_str()).collect();
        let help = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        Stop::with_help(format!("the machine has no memory `{name}`"), help)
    })
}

/// Bytes in a space from 0 on.
///
/// # Errors
/// When the machine has none of this name.
pub fn image(machine: &MachineInfo, name: &str, bank: u32, bytes: Vec<u8>) -> Result<Image, Stop> {
    Ok(Image { space: space(machine, name)?, bank, address: 0, bytes })
}

/// The number of the value of each variant of a machine; `set` are those that are chosen, `NAME=VALUE`. `of` is the machine's name
/// in messages.
///
/// # Errors
/// When there is no such variant or value.
pub fn variants(of: &str, machine: &MachineInfo, set: &[String]) -> Result<Vec<usize>, Stop> {
    let mut chosen = vec![0; machine.variants.len()];
    for setting in set {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Stop::with_help(format!("`--set {setting}`"), "it is written `--set NAME=VALUE`"));
        };
        let known = || machine.variants.iter().map(|v| v.name.as_str());
        let Some(index) = known().position(|v| v == name) else {
            let help = match nearest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known().next().is_none() => "it declares none".to_owned(),
                None => format!("it has {}", known().collect::<Vec<_>>().join(", ")),
            };
            return Err(Stop::with_help(format!("{of} has no variant `{name}`"), help));
        };
        let values = &machine.variants[index].values;
        let Some(value) = values.iter().position(|v| v == value) else {
            return Err(Stop::with_help(format!("`{name}` can't be `{value}`"), format!("it is one of {}", values.join(", "))));
        };
        chosen[index] = value;
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_spec::diag::Severity;
    use isa_spec::keys::{Listing, put_into_page};

    #[test]
    fn numbers() {
        assert_eq!(parse_number("0x1F"), Ok(31));
        assert_eq!(parse_number("010"), Ok(10));
        for wrong in ["", "0x", "+1", "1_0", "ff", "-1"] {
            assert_eq!(parse_number(wrong), Err(format!("`{wrong}` is not a number: 100 and 0x64 are")));
        }
        assert_eq!(parse_number("18446744073709551616"), Err("18446744073709551616 has more than 64 bits".into()));
        assert_eq!((parse_param("-1"), parse_param("-0x80000000")), (Ok(u32::MAX), Ok(1 << 31)));
        assert_eq!(parse_param("0x100000000"), Err("the parameter 0x100000000 has more than 32 bits".into()));
        assert_eq!(parse_param("-2147483649"), Err("the parameter -2147483649 has more than 32 bits".into()));
    }

    #[test]
    fn keys_that_resemble_known_ones_are_mistakes() {
        let judge = |key: &str| {
            let mut files = SourceMap::default();
            let text = format!("{{ {key}: 1 }}");
            let file = files.add(SourceFile::new("f", None, text.as_str()));
            let node = yaml::parse(&text, file).expect("a mapping");
            let mut diags = Diagnostics::default();
            declared(&node, &mut Reader::new(&mut diags));
            let found = diags.into_sorted().into_iter().find(|d| d.code == "unknown-key");
            found.map_or_else(
                || "known".to_owned(),
                |d| if d.severity == Severity::Warning { "ignored".to_owned() } else { d.help.unwrap_or_default() },
            )
        };
        for (key, near) in [
            ("girds", "grid"),
            ("gird", "grid"),
            ("Grid", "grid"),
            ("blcoks", "block"),
            ("parms", "params"),
            ("constants", "constant"),
            ("global", "global_memory"),
            ("golbal_memroy", "global_memory"),
            ("sets", "set"),
            ("expects", "expect"),
            ("progam", "program"),
        ] {
            assert_eq!(judge(key), format!("did you mean `{near}`?"), "{key}");
        }
        for key in ["date", "author", "source", "threads", "comment", "kernel", "x"] {
            assert_eq!(judge(key), "ignored", "{key}");
        }
        assert_eq!(judge("grid"), "known");
    }

    /// `BLESS=1` writes the keys into the page.
    #[test]
    fn keys_are_those_of_the_page() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/simulation.md");
        let text = std::fs::read_to_string(&page).expect("the page");
        let tables =
            [Listing::from(&LAUNCH), Listing::from(&EXPECT)].map(|l| format!("\nKeys of {}:\n\n{}", l.what, l.markdown()));
        let wanted = put_into_page(&text, "keys", &tables.concat()).expect("a place for the keys");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, wanted).expect("the page can be written");
        } else {
            assert!(text == wanted, "docs/simulation.md has other keys: BLESS=1 cargo test -p isa-host launch");
        }
    }

    #[test]
    fn sizes_and_bytes() {
        assert_eq!((parse_size("32"), parse_size("4,0x2"), parse_size("1,2,3")), (Ok([32, 1, 1]), Ok([4, 2, 1]), Ok([1, 2, 3])));
        assert_eq!(parse_size("1,2,3,4"), Err("`1,2,3,4` has more than x, y and z".into()));
        assert_eq!(parse_size("4294967296"), Err("4294967296 has more than 32 bits".into()));
        assert_eq!(parse_constant("1=ff03"), Ok((1, vec![0xff, 3])));
        assert_eq!(parse_constant("1=ff0"), Err("`ff0` ends in the middle of a byte".into()));
        assert_eq!(parse_constant("1=é0"), Err("`é0` is not a row of bytes in hexadecimal".into()));
        assert_eq!(parse_dump("0x100+3"), Ok(Dump::Words { address: 0x100, words: 3 }));
        assert_eq!(parse_dump("m@0x100+3"), Ok(Dump::Bytes { space: "m".into(), address: 0x100, bytes: 3 }));
        assert_eq!(parse_memory("m@8=a=b").map(|m| (m.space, m.address, m.file)), Ok(("m".into(), 8, "a=b".into())));
    }
}
