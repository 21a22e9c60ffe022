//! What a program is started with: a launch file, and options that say the same or more.
//!
//! ```json
//! {
//!   "program": "kernel.hex", "block": [32, 1, 1], "grid": [2, 1], "params": ["0x0", "0x80"],
//!   "constant": { "1": "ff03ff03" }, "global_memory": "kernel.global.hex",
//!   "expect": { "address": "0x100", "words": "kernel.expect.hex" }
//! }
//! ```
//!
//! Files are found from where the launch file is.

use crate::input::{Input, read_bytes, read_text};
use crate::output::{Reporter, Stop};
use isa_sim::{Image, MachineInfo};
use isa_spec::diag::{Diagnostic, nearest_within};
use isa_spec::span::{SourceFile, SourceMap, Span};
use isa_spec::yaml::{self, Node, NodeKind, Text};
use std::path::{Path, PathBuf};

/// The keys of a launch file. `name` is for people.
const KEYS: [&str; 9] = ["name", "program", "block", "grid", "params", "constant", "global_memory", "set", "expect"];
/// The keys of `expect`. `source` is for people.
const EXPECT_KEYS: [&str; 3] = ["address", "words", "source"];

/// What a launch file says.
#[derive(Debug, Default)]
pub(crate) struct LaunchFile {
    pub(crate) program: Option<PathBuf>,
    pub(crate) block: Option<[u32; 3]>,
    pub(crate) grid: Option<[u32; 3]>,
    pub(crate) params: Vec<u32>,
    /// Banks of `const`.
    pub(crate) constants: Vec<(u32, Vec<u8>)>,
    /// What stands in `global`.
    pub(crate) global: Option<Vec<u8>>,
    /// `NAME=VALUE`
    pub(crate) set: Vec<String>,
    pub(crate) expect: Option<Expect>,
}

/// The words that must stand in `global` afterwards.
#[derive(Debug)]
pub(crate) struct Expect {
    /// The name of their file.
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) words: Vec<u32>,
}

/// Why there is no launch.
enum Bad {
    At(Box<Diagnostic>),
    Stop(Stop),
}

impl From<Stop> for Bad {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

fn bad(span: Span, message: impl Into<String>) -> Bad {
    Bad::At(Box::new(Diagnostic::error("launch", message, span)))
}

impl LaunchFile {
    /// Reads a launch file; `None` if it says something that it can't, which has been reported then.
    pub(crate) fn read(path: &Path, reporter: &Reporter) -> Result<Option<Self>, Stop> {
        let text = read_text(path)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if text.trim().is_empty() {
            return Err(Stop::new(format!("{}: is empty", path.display())));
        }
        let mut files = SourceMap::default();
        let file = files.add(SourceFile::new(path.display().to_string(), Some(path.to_path_buf()), text));
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut unused = Vec::new();
        let read = yaml::parse(text, file).map_err(Bad::At).and_then(|node| Self::of(&node, folder, &mut unused));
        unused.iter().for_each(|warning| reporter.finding(warning, &files));
        match read {
            Ok(launch) => Ok(Some(launch)),
            Err(Bad::At(diagnostic)) => {
                reporter.finding(&diagnostic, &files);
                Ok(None)
            }
            Err(Bad::Stop(stop)) => Err(stop),
        }
    }

    fn of(node: &Node, folder: &Path, unused: &mut Vec<Diagnostic>) -> Result<Self, Bad> {
        let mut launch = Self::default();
        for (key, node) in entries(node, &KEYS, unused)? {
            match key.value.as_str() {
                "program" => launch.program = Some(folder.join(&text(node)?.value)),
                "block" => launch.block = Some(size(node)?),
                "grid" => launch.grid = Some(size(node)?),
                "params" => launch.params = list(node)?.iter().map(|n| read(n, parse_param)).collect::<Result<_, _>>()?,
                "constant" => launch.constants = constants(node)?,
                "global_memory" => launch.global = Some(memory_file(&folder.join(&text(node)?.value))?),
                "set" => {
                    for (name, value) in mapping(node)? {
                        launch.set.push(format!("{}={}", name.value, text(value)?.value));
                    }
                }
                "expect" => launch.expect = Some(Expect::of(node, folder, unused)?),
                _ => {}
            }
        }
        Ok(launch)
    }
}

impl Expect {
    fn of(node: &Node, folder: &Path, unused: &mut Vec<Diagnostic>) -> Result<Self, Bad> {
        let (mut address, mut words) = (0, None);
        for (key, node) in entries(node, &EXPECT_KEYS, unused)? {
            match key.value.as_str() {
                "address" => address = read(node, parse_number)?,
                "words" => words = Some(folder.join(&text(node)?.value)),
                _ => {}
            }
        }
        let Some(path) = words else { return Err(bad(node.span, "`words` is missing: the file of the expected words")) };
        Ok(Self { name: path.display().to_string(), address, words: word_file(&path)? })
    }
}

fn mapping(node: &Node) -> Result<&[(Text, Node)], Bad> {
    match &node.kind {
        NodeKind::Map(entries) => Ok(entries),
        _ => Err(bad(node.span, "a mapping is expected here")),
    }
}

/// The entries of a mapping, whose keys are known. One that resembles a known key is a mistake; any other is not used, which a warning
/// says.
fn entries<'n>(node: &'n Node, known: &[&str], unused: &mut Vec<Diagnostic>) -> Result<&'n [(Text, Node)], Bad> {
    let entries = mapping(node)?;
    for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.value.as_str())) {
        // A key that is not used is a run with other values than were meant: one more edit than elsewhere is a resemblance here.
        if let Some(near) = nearest_within(&key.value, known.iter().copied(), (key.value.chars().count() * 2 / 5).max(1)) {
            let diagnostic = Diagnostic::error("launch", format!("there is no key `{}` here", key.value), key.span);
            return Err(Bad::At(Box::new(diagnostic.with_help(format!("did you mean `{near}`?")))));
        }
        let diagnostic =
            Diagnostic::warning("launch", format!("`{}` is no key of a launch, and is not used", key.value), key.span);
        unused.push(diagnostic.with_help(format!("known are {}", known.join(", "))));
    }
    Ok(entries)
}

fn list(node: &Node) -> Result<&[Node], Bad> {
    match &node.kind {
        NodeKind::Seq(items) => Ok(items),
        _ => Err(bad(node.span, "a list is expected here")),
    }
}

fn text(node: &Node) -> Result<&Text, Bad> {
    match &node.kind {
        NodeKind::Scalar { text, .. } => Ok(text),
        _ => Err(bad(node.span, "a text or a number is expected here")),
    }
}

fn read<T>(node: &Node, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, Bad> {
    parse(&text(node)?.value).map_err(|why| bad(node.span, why))
}

/// `32`, `[32]`, `[16, 2]`, `[8, 2, 2]`
fn size(node: &Node) -> Result<[u32; 3], Bad> {
    let NodeKind::Seq(items) = &node.kind else { return read(node, parse_size) };
    if !(1..=3).contains(&items.len()) {
        return Err(bad(node.span, "one to three numbers are expected here: x, y and z"));
    }
    let mut size = [1; 3];
    for (axis, item) in size.iter_mut().zip(items) {
        *axis = read(item, parse_count)?;
    }
    Ok(size)
}

fn constants(node: &Node) -> Result<Vec<(u32, Vec<u8>)>, Bad> {
    let one = |(bank, bytes): &(Text, Node)| {
        let number = parse_count(&bank.value).map_err(|why| bad(bank.span, why))?;
        Ok((number, read(bytes, parse_bytes)?))
    };
    mapping(node)?.iter().map(one).collect()
}

/// Decimal, or hexadecimal behind `0x`.
pub(crate) fn parse_number(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(format!("`{text}` is no number: 100 and 0x64 are"));
    }
    u64::from_str_radix(digits, radix).map_err(|_| format!("{text} has more than 64 bits"))
}

fn parse_count(text: &str) -> Result<u32, String> {
    parse_number(text)?.try_into().map_err(|_| format!("{text} has more than 32 bits"))
}

/// A number of 32 bits, which may have a sign.
pub(crate) fn parse_param(text: &str) -> Result<u32, String> {
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
pub(crate) fn parse_size(text: &str) -> Result<[u32; 3], String> {
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
pub(crate) fn parse_bytes(text: &str) -> Result<Vec<u8>, String> {
    let digit = |c: u8| (c as char).to_digit(16).ok_or_else(|| format!("`{text}` is no row of bytes in hexadecimal"));
    let digits = text.bytes().map(digit).collect::<Result<Vec<_>, _>>()?;
    if digits.len() % 2 != 0 {
        return Err(format!("`{text}` ends in the middle of a byte"));
    }
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// `1=ff03ff03`
pub(crate) fn parse_constant(text: &str) -> Result<(u32, Vec<u8>), String> {
    let (bank, bytes) = text.split_once('=').ok_or("it is written BANK=HEXBYTES")?;
    Ok((parse_count(bank)?, parse_bytes(bytes)?))
}

/// `global=0x100000`
pub(crate) fn parse_memory_size(text: &str) -> Result<(String, u64), String> {
    let (space, size) = text.split_once('=').ok_or("it is written SPACE=BYTES")?;
    Ok((space.to_owned(), parse_number(size)?))
}

/// Words of memory to print.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dump {
    pub(crate) address: u64,
    pub(crate) words: u64,
}

/// `0x100+32`
pub(crate) fn parse_dump(text: &str) -> Result<Dump, String> {
    let (address, words) = text.split_once('+').ok_or("it is written ADDR+LEN, and LEN counts words")?;
    Ok(Dump { address: parse_number(address)?, words: parse_number(words)? })
}

/// The largest memory image or list of expected words, in bytes.
const MAX_IMAGE: u64 = 128 << 20;

/// The words of a file: 32 bits a line, in hexadecimal; `#` begins a comment.
pub(crate) fn word_file(path: &Path) -> Result<Vec<u32>, Stop> {
    let mut words = Vec::new();
    let mut lines = Input::open(Some(path))?.lines("hexadecimal words are");
    while let Some((number, line)) = lines.next()? {
        let line = line.split('#').next().unwrap_or("").trim();
        let digits = line.strip_prefix("0x").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        let place = || format!("{}:{number}", path.display());
        let word = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
        words.push(word.ok_or_else(|| Stop::new(format!("{}: `{line}` is no word of 32 bits in hexadecimal", place())))?);
        if 4 * words.len() as u64 > MAX_IMAGE {
            return Err(Stop::new(format!("{}: more than {} MiB, which is the most", place(), MAX_IMAGE >> 20)));
        }
    }
    Ok(words)
}

/// The bytes of a memory: words as in [`word_file`], or the bytes themselves where the name ends in `.bin`.
pub(crate) fn memory_file(path: &Path) -> Result<Vec<u8>, Stop> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bin")) {
        return read_bytes(path, MAX_IMAGE);
    }
    Ok(word_file(path)?.iter().flat_map(|w| w.to_le_bytes()).collect())
}

/// The number of a memory space.
pub(crate) fn space(machine: &MachineInfo, name: &str) -> Result<usize, Stop> {
    machine.spaces.iter().position(|s| s.name == name).ok_or_else(|| {
        let known: Vec<_> = machine.spaces.iter().map(|s| s.name.as_str()).collect();
        let help = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        Stop::with_help(format!("the machine has no memory `{name}`"), help)
    })
}

/// Bytes in a space from 0 on.
pub(crate) fn image(machine: &MachineInfo, name: &str, bank: u32, bytes: Vec<u8>) -> Result<Image, Stop> {
    Ok(Image { space: space(machine, name)?, bank, address: 0, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(parse_number("0x1F"), Ok(31));
        assert_eq!(parse_number("010"), Ok(10));
        for wrong in ["", "0x", "+1", "1_0", "ff", "-1"] {
            assert_eq!(parse_number(wrong), Err(format!("`{wrong}` is no number: 100 and 0x64 are")));
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
            let mut unused = Vec::new();
            match entries(&node, &KEYS, &mut unused) {
                Ok(_) if unused.is_empty() => "known".to_owned(),
                Ok(_) => "not used".to_owned(),
                Err(Bad::At(diagnostic)) => diagnostic.help.unwrap_or_default(),
                Err(Bad::Stop(stop)) => panic!("{stop:?}"),
            }
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
            assert_eq!(judge(key), "not used", "{key}");
        }
        assert_eq!(judge("grid"), "known");
    }

    #[test]
    fn sizes_and_bytes() {
        assert_eq!((parse_size("32"), parse_size("4,0x2"), parse_size("1,2,3")), (Ok([32, 1, 1]), Ok([4, 2, 1]), Ok([1, 2, 3])));
        assert_eq!(parse_size("1,2,3,4"), Err("`1,2,3,4` has more than x, y and z".into()));
        assert_eq!(parse_size("4294967296"), Err("4294967296 has more than 32 bits".into()));
        assert_eq!(parse_constant("1=ff03"), Ok((1, vec![0xff, 3])));
        assert_eq!(parse_constant("1=ff0"), Err("`ff0` ends in the middle of a byte".into()));
        assert_eq!(parse_constant("1=é0"), Err("`é0` is no row of bytes in hexadecimal".into()));
    }
}
