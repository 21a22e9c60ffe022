//! A launch file of a cubin as it is read.

use super::values::{TYPES, Type};
use crate::launch::{parse_bytes, read_keys, size};
use crate::output::Reporter;
use isa_runtime::literal;
use isa_spec::diag::Diagnostics;
use isa_spec::keys::{Key, KeyTable, Reader};
use isa_spec::yaml::{Node, NodeKind, Text};
use isa_stream::{Stop, read_bytes};
use std::path::{Path, PathBuf};

/// The largest size of a buffer's file, and of all buffers together, in bytes.
const MOST: u64 = 1 << 32;

static FILE: KeyTable<Declared> = KeyTable::ignoring_others(
    "a launch file of a cubin",
    &[&[
        Key::own("name", "text", |_, _, _, _| {}, "For readers."),
        Key::own("flags", "text, or list of texts", |_, _, _, _| {}, "For readers: how the source was compiled."),
        Key::text("program", "path", |d| &mut d.program, "The cubin, or a file that contains cubins."),
        Key::text("arch", "text", |d| &mut d.arch, "The architecture of the cubin, if the file contains several: `sm_80`."),
        Key::text("kernel", "name of a kernel", |d| &mut d.launch.kernel, "The kernel that is launched."),
        Key::own(
            "grid",
            "list of one to three numbers",
            |r, d, node, _| d.launch.grid = size(r, node),
            "The number of blocks along x, y and z.",
        ),
        Key::own(
            "block",
            "list of one to three numbers",
            |r, d, node, _| d.launch.block = size(r, node),
            "The number of threads of a block along x, y and z.",
        ),
        Key::number(
            "shared",
            0..=1 << 24,
            |d, n, _| d.launch.shared = n,
            "Bytes of shared memory in addition to those that the cubin declares.",
        ),
        Key::own(
            "arguments",
            "list of arguments",
            |r, d, node, what| d.launch.arguments = arguments(r, node, what),
            "The arguments.",
        ),
        Key::own(
            "launches",
            "list of launches",
            |r, d, node, what| d.launches = Some(r.list(node, what).iter().map(|node| launch(r, node)).collect()),
            "Several launches, one after the other, instead of one: each with `kernel`, `grid`, `block`, `shared` and `arguments`.",
        ),
        Key::own(
            "buffers",
            "mapping of names to buffers",
            |r, d, node, what| d.buffers = r.each(node, what, contents),
            "Buffers in global memory, which persist between launches.",
        ),
        Key::own(
            "symbols",
            "mapping of names to buffers",
            |r, d, node, what| d.symbols = r.each(node, what, symbol),
            "Initial contents of variables of the cubin, and files to which they are saved.",
        ),
        Key::pairs("set", "mapping of names to values", |d| &mut d.set, "Variants of the machine."),
        Key::own(
            "expect",
            "list of expectations",
            |r, d, node, what| d.expect = r.list(node, what).iter().filter_map(|node| expected(r, node)).collect(),
            "Contents that buffers and variables must have after the last launch.",
        ),
    ]],
);

static LAUNCH: KeyTable<Launch> = KeyTable::new(
    "a launch",
    &[&[
        Key::text("kernel", "name of a kernel", |l| &mut l.kernel, "The kernel."),
        Key::own(
            "grid",
            "list of one to three numbers",
            |r, l, node, _| l.grid = size(r, node),
            "The number of blocks along x, y and z.",
        ),
        Key::own(
            "block",
            "list of one to three numbers",
            |r, l, node, _| l.block = size(r, node),
            "The number of threads of a block along x, y and z.",
        ),
        Key::number(
            "shared",
            0..=1 << 24,
            |l, n, _| l.shared = n,
            "Bytes of shared memory in addition to those that the cubin declares.",
        ),
        Key::own("arguments", "list of arguments", |r, l, node, what| l.arguments = arguments(r, node, what), "The arguments."),
    ]],
);

static CONTENTS: KeyTable<Contents> = KeyTable::new(
    "a buffer",
    &[&[
        Key::text("file", "path", |c| &mut c.file, "The file with its bytes."),
        Key::number("bytes", 0..=MOST, |c, n, _| c.bytes = Some(n), "The number of bytes; they are 0 without `file`."),
        Key::text("save", "path", |c| &mut c.save, "The file that its bytes are written to after the last launch."),
    ]],
);

static EXPECT: KeyTable<DeclaredExpected> = KeyTable::new(
    "an expectation",
    &[&[
        Key::text("buffer", "name of a buffer", |e| &mut e.buffer, "The buffer that is compared."),
        Key::text(
            "symbol",
            "name of a variable",
            |e| &mut e.symbol,
            "The variable of the cubin that is compared instead of a buffer.",
        ),
        Key::required(
            "needs `file`, the file of what is expected: `file: FILE`",
            Key::text("file", "path", |e| &mut e.file, "The file with the bytes."),
        ),
        Key::text(
            "as",
            "type",
            |e| &mut e.kind,
            "The type of the numbers: `u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64`; `u8` by default.",
        ),
        Key::number(
            "ulp",
            0..=u64::MAX,
            |e, n, _| e.ulp = Some(n),
            "The allowed distance, counted in numbers of the type. With 0, the default, the bits must be equal; any NaN equals any NaN.",
        ),
        Key::own(
            "absolute",
            "number",
            |r, e, node, what| e.absolute = real(r, node, what),
            "A floating-point value also passes if its error is at most `absolute` + `relative` × the size of the expected value.",
        ),
        Key::own(
            "relative",
            "number",
            |r, e, node, what| e.relative = real(r, node, what),
            "The factor of the expected value: see `absolute`.",
        ),
        Key::number(
            "at",
            0..=u64::MAX,
            |e, n, _| e.at = n,
            "The first byte that is compared; 0 by default. The size of the file determines how many are compared.",
        ),
    ]],
);

/// The keys of launch files of cubins.
#[cfg(test)]
fn listings() -> Vec<isa_spec::keys::Listing> {
    vec![(&FILE).into(), (&LAUNCH).into(), (&CONTENTS).into(), (&EXPECT).into()]
}

#[derive(Default)]
struct Declared {
    program: Option<Text>,
    arch: Option<Text>,
    launch: Launch,
    launches: Option<Vec<Launch>>,
    buffers: Vec<(Text, Contents)>,
    symbols: Vec<(Text, Contents)>,
    set: Vec<(Text, Text)>,
    expect: Vec<DeclaredExpected>,
}

/// A launch as it is parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launch {
    pub(crate) kernel: Option<Text>,
    pub(crate) grid: Option<[u32; 3]>,
    pub(crate) block: Option<[u32; 3]>,
    pub(crate) shared: u64,
    pub(crate) arguments: Vec<Given>,
}

/// An argument as it is parsed.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    /// The address of a buffer, and bytes from there.
    Buffer(Text, u64),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The contents of a buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    file: Option<Text>,
    bytes: Option<u64>,
    save: Option<Text>,
}

#[derive(Default)]
struct DeclaredExpected {
    buffer: Option<Text>,
    symbol: Option<Text>,
    file: Option<Text>,
    kind: Option<Text>,
    ulp: Option<u64>,
    absolute: f64,
    relative: f64,
    at: u64,
    /// The type that was named.
    found: Option<Type>,
}

/// The memory that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Buffer(String),
    Symbol(String),
}

/// Expected contents after the last launch.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) of: Of,
    pub(crate) at: u64,
    pub(crate) bytes: Vec<u8>,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) kind: Type,
    pub(crate) ulp: Option<u64>,
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
}

/// A launch file of a cubin.
#[derive(Debug)]
pub(crate) struct KernelFile {
    pub(crate) program: Option<PathBuf>,
    pub(crate) arch: Option<String>,
    pub(crate) launches: Vec<Launch>,
    /// Name, bytes, and the file that they are written to.
    pub(crate) buffers: Vec<(String, Vec<u8>, Option<PathBuf>)>,
    /// Name, bytes at the start if not those of the cubin, and the file that they are written to.
    pub(crate) symbols: Vec<(String, Option<Vec<u8>>, Option<PathBuf>)>,
    /// `NAME=VALUE`
    pub(crate) set: Vec<String>,
    pub(crate) expect: Vec<Expected>,
}

/// True if a launch file is of a cubin: it names kernels.
pub(crate) fn is_of_cubins(path: &Path) -> bool {
    let silent = Reporter::silent();
    let named = |node: &Node, _: &mut Diagnostics| match &node.kind {
        NodeKind::Map(entries) => entries.iter().any(|(key, _)| ["kernel", "launches"].contains(&key.value.as_str())),
        _ => false,
    };
    read_keys(path, &silent, named).ok().flatten().unwrap_or(false)
}

impl KernelFile {
    /// Reads a launch file; `None` if it has errors, which are reported.
    pub(crate) fn read(path: &Path, reporter: &Reporter) -> Result<Option<Self>, Stop> {
        let declared = |node: &Node, diags: &mut Diagnostics| {
            let (mut declared, mut reader) = (Declared::default(), Reader::new(diags));
            reader.fill(&FILE, &mut declared, node);
            check(&mut reader, &mut declared, node);
            declared
        };
        let Some(declared) = read_keys(path, reporter, declared)? else { return Ok(None) };
        Self::of(declared, path.parent().unwrap_or(Path::new(""))).map(Some)
    }

    /// Reads the files that it names.
    fn of(declared: Declared, folder: &Path) -> Result<Self, Stop> {
        let mut left = MOST;
        let mut bytes = |of: &Contents| -> Result<Vec<u8>, Stop> {
            let mut bytes = match &of.file {
                Some(file) => read_bytes(&folder.join(&file.value), left)?,
                None => Vec::new(),
            };
            let size = of.bytes.unwrap_or(bytes.len() as u64);
            if size > left || (bytes.len() as u64) > size {
                let file = of.file.as_ref().map_or("", |file| &file.value);
                return Err(Stop::new(format!(
                    "{file}: {} bytes for a buffer of {size}, and all have at most {MOST}",
                    bytes.len()
                )));
            }
            left -= size;
            bytes.resize(size as usize, 0);
            Ok(bytes)
        };
        let mut buffers = Vec::new();
        for (name, of) in &declared.buffers {
            buffers.push((name.value.clone(), bytes(of)?, of.save.as_ref().map(|save| folder.join(&save.value))));
        }
        let mut symbols = Vec::new();
        for (name, of) in &declared.symbols {
            let start = if of.file.is_some() || of.bytes.is_some() { Some(bytes(of)?) } else { None };
            symbols.push((name.value.clone(), start, of.save.as_ref().map(|save| folder.join(&save.value))));
        }
        let mut expect = Vec::new();
        for of in declared.expect {
            let (Some(file), Some(kind)) = (&of.file, of.found) else { continue };
            let path = folder.join(&file.value);
            let bytes = read_bytes(&path, MOST)?;
            if bytes.len() % kind.bytes() != 0 {
                return Err(Stop::new(format!("{}: {} bytes are no row of {}", path.display(), bytes.len(), kind.name())));
            }
            let of_what = match (of.buffer, of.symbol) {
                (Some(name), _) => Of::Buffer(name.value),
                (None, symbol) => Of::Symbol(symbol.map(|name| name.value).unwrap_or_default()),
            };
            let (ulp, absolute, relative) = (of.ulp, of.absolute, of.relative);
            expect.push(Expected {
                of: of_what,
                at: of.at,
                bytes,
                name: path.display().to_string(),
                kind,
                ulp,
                absolute,
                relative,
            });
        }
        Ok(Self {
            program: declared.program.map(|program| folder.join(program.value)),
            arch: declared.arch.map(|arch| arch.value),
            launches: declared.launches.unwrap_or_else(|| vec![declared.launch]),
            buffers,
            symbols,
            set: declared.set.iter().map(|(name, value)| format!("{}={}", name.value, value.value)).collect(),
            expect,
        })
    }
}

/// Reports unknown names, and keys that exclude each other.
fn check(reader: &mut Reader<'_>, declared: &mut Declared, node: &Node) {
    let mut known: Vec<&str> = Vec::new();
    for (name, _) in &declared.buffers {
        if known.contains(&name.value.as_str()) {
            reader.error("launch", format!("there are two buffers `{}`", name.value), name.span);
        }
        known.push(&name.value);
    }
    if declared.launches.is_some() && declared.launch.kernel.is_some() {
        reader.error("launch", "`kernel` and `launches` exclude each other", node.span);
    }
    let launches = declared.launches.iter().flatten().chain(declared.launches.is_none().then_some(&declared.launch));
    for launch in launches {
        if launch.kernel.is_none() {
            reader.error("launch", "a launch needs `kernel`: `kernel: saxpy`", node.span);
        }
        for given in &launch.arguments {
            if let Given::Buffer(name, _) = given
                && !known.contains(&name.value.as_str())
            {
                reader.error("launch", format!("there is no buffer `{}`", name.value), name.span);
            }
        }
    }
    for of in &mut declared.expect {
        let name = of.kind.as_ref().map_or("u8", |kind| &kind.value);
        of.found = Type::of(name);
        let at = of.kind.as_ref().map_or(node.span, |kind| kind.span);
        if of.found.is_none() {
            let known: Vec<&str> = TYPES.iter().map(|known| known.0).collect();
            reader.error("launch", format!("`{name}` is no type: there are {}", known.join(", ")), at);
        }
        match (&of.buffer, &of.symbol) {
            (Some(name), None) if !known.contains(&name.value.as_str()) => {
                reader.error("launch", format!("there is no buffer `{}`", name.value), name.span);
            }
            (Some(_), None) | (None, Some(_)) => {}
            _ => reader.error("launch", "an expectation is of one `buffer` or of one `symbol`", node.span),
        }
    }
}

fn launch(reader: &mut Reader<'_>, node: &Node) -> Launch {
    let mut launch = Launch::default();
    reader.fill(&LAUNCH, &mut launch, node);
    launch
}

fn contents(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<(Text, Contents)> {
    let is_enough = |contents: &Contents| contents.file.is_some() || contents.bytes.is_some();
    filled(reader, (name, node), is_enough, "`file` or `bytes`")
}

/// The same as for a buffer; a variable that is only saved keeps its contents in the cubin.
fn symbol(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<(Text, Contents)> {
    let is_enough = |contents: &Contents| contents.file.is_some() || contents.bytes.is_some() || contents.save.is_some();
    filled(reader, (name, node), is_enough, "`file`, `bytes` or `save`")
}

/// Reads the contents of something with a name. What is missing is asked for unless something else is wrong with it.
fn filled(
    reader: &mut Reader<'_>,
    (name, node): (&Text, &Node),
    is_enough: impl Fn(&Contents) -> bool,
    needed: &str,
) -> Option<(Text, Contents)> {
    let (mut contents, errors) = (Contents::default(), reader.diags.error_count());
    reader.fill(&CONTENTS, &mut contents, node);
    if reader.diags.error_count() == errors && !is_enough(&contents) {
        reader.error("launch", format!("`{}` needs {needed}", name.value), name.span);
    }
    Some((name.clone(), contents))
}

fn expected(reader: &mut Reader<'_>, node: &Node) -> Option<DeclaredExpected> {
    let mut expected = DeclaredExpected::default();
    reader.fill(&EXPECT, &mut expected, node);
    Some(expected)
}

fn real(reader: &mut Reader<'_>, node: &Node, what: &str) -> f64 {
    let Some(text) = reader.text(node, what) else { return 0.0 };
    let value: Option<f64> = text.value.parse().ok().filter(|value: &f64| *value >= 0.0);
    value.unwrap_or_else(|| {
        reader.error("launch", format!("{what} is a number that is not negative"), text.span);
        0.0
    })
}

fn arguments(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<Given> {
    reader.list(node, what).iter().filter_map(|node| argument(reader, node)).collect()
}

/// `{ "u32": 1000 }`, `{ "buffer": "y", "offset": 16 }`, `{ "bytes": "00ff" }`
fn argument(reader: &mut Reader<'_>, node: &Node) -> Option<Given> {
    let usage = "an argument is one of `buffer` (with `offset`), `bytes`, or a type with a number: `{ \"u32\": 1000 }`";
    let entries = reader.map(node, "an argument");
    let [(key, value), rest @ ..] = entries else {
        reader.error("launch", usage, node.span);
        return None;
    };
    let text = reader.text(value, "an argument")?;
    let fail = |reader: &mut Reader<'_>, why: String| {
        reader.error("launch", why, text.span);
        None
    };
    match (key.value.as_str(), rest) {
        ("buffer", []) => Some(Given::Buffer(text, 0)),
        ("buffer", [(offset, by)]) if offset.value == "offset" => {
            let by = reader.text(by, "an offset")?;
            match literal::number(&by.value) {
                Ok(by) => Some(Given::Buffer(text, by.low() as u64)),
                Err(why) => fail(reader, why.to_string()),
            }
        }
        ("bytes", []) => match parse_bytes(&text.value) {
            Ok(bytes) => Some(Given::Bytes(bytes)),
            Err(why) => fail(reader, why),
        },
        (name, []) if let Some(kind) = Type::of(name) => match kind.parse(&text.value) {
            Ok(bits) => Some(Given::Bytes(bits.to_le_bytes()[..kind.bytes()].to_vec())),
            Err(why) => fail(reader, why),
        },
        _ => {
            reader.error("launch", usage, key.span);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use isa_spec::keys::put_into_page;
    use std::path::Path;

    /// `BLESS=1` writes the keys into the page.
    #[test]
    fn keys_are_those_of_the_page() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/kernels.md");
        let text = std::fs::read_to_string(&page).expect("the page");
        let tables: Vec<String> =
            super::listings().iter().map(|of| format!("\nKeys of {}:\n\n{}", of.what, of.markdown())).collect();
        let wanted = put_into_page(&text, "kernel-keys", &tables.concat()).expect("a place for the keys");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, wanted).expect("the page can be written");
        } else {
            assert!(text == wanted, "docs/kernels.md has other keys: BLESS=1 cargo test -p isagen kernels");
        }
    }
}
