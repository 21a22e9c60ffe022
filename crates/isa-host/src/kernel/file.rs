//! Launch files of cubins.
//!
//! ```json
//! { "program": "saxpy.sm_80.cubin", "kernel": "saxpy", "grid": [4, 1, 1], "block": [256, 1, 1],
//!   "buffers": { "x": { "file": "x.bin" }, "y": { "file": "y.bin", "save": "y.out.bin" } },
//!   "arguments": [ { "u32": 1000 }, { "f32": 2.0 }, { "buffer": "x" }, { "buffer": "y" } ],
//!   "expect": [ { "buffer": "y", "file": "y.expect.bin", "as": "f32", "ulp": 0 } ] }
//! ```

use super::values::{TYPES, Type};
use crate::launch::{Report, parse_bytes, read_keys, size};
use isa_runtime::literal;
use isa_stream::{Stop, read_bytes};
use isa_syntax::keys::{Key, KeyTable, Reader};
use isa_syntax::yaml::{Node, NodeKind, Text};
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
            |r, d, node, _| d.launch.made.grid = size(r, node),
            "The number of blocks along x, y and z.",
        ),
        Key::own(
            "block",
            "list of one to three numbers",
            |r, d, node, _| d.launch.made.block = size(r, node),
            "The number of threads of a block along x, y and z.",
        ),
        Key::number(
            "shared",
            0..=1 << 24,
            |d, n, _| d.launch.made.shared = n,
            "Bytes of shared memory in addition to those that the cubin declares.",
        ),
        Key::own("arguments", "list of arguments", |r, d, node, what| arguments(r, &mut d.launch, node, what), "The arguments."),
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

static LAUNCH: KeyTable<DeclaredLaunch> = KeyTable::new(
    "a launch",
    &[&[
        Key::text("kernel", "name of a kernel", |l| &mut l.kernel, "The kernel."),
        Key::own(
            "grid",
            "list of one to three numbers",
            |r, l, node, _| l.made.grid = size(r, node),
            "The number of blocks along x, y and z.",
        ),
        Key::own(
            "block",
            "list of one to three numbers",
            |r, l, node, _| l.made.block = size(r, node),
            "The number of threads of a block along x, y and z.",
        ),
        Key::number(
            "shared",
            0..=1 << 24,
            |l, n, _| l.made.shared = n,
            "Bytes of shared memory in addition to those that the cubin declares.",
        ),
        Key::own("arguments", "list of arguments", arguments, "The arguments."),
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
fn listings() -> Vec<isa_syntax::keys::Listing> {
    vec![(&FILE).into(), (&LAUNCH).into(), (&CONTENTS).into(), (&EXPECT).into()]
}

#[derive(Default)]
struct Declared {
    program: Option<Text>,
    arch: Option<Text>,
    launch: DeclaredLaunch,
    launches: Option<Vec<DeclaredLaunch>>,
    buffers: Vec<(Text, Contents)>,
    symbols: Vec<(Text, Contents)>,
    set: Vec<(Text, Text)>,
    expect: Vec<DeclaredExpected>,
}

/// A launch as it is parsed.
#[derive(Default)]
struct DeclaredLaunch {
    kernel: Option<Text>,
    /// The buffers that arguments name.
    used: Vec<Text>,
    made: Launch,
}

impl DeclaredLaunch {
    fn launch(self) -> Launch {
        Launch { kernel: self.kernel.map(|name| name.value).unwrap_or_default(), ..self.made }
    }
}

/// A launch of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The name of the kernel.
    pub kernel: String,
    /// Blocks, in x, y and z; 1 by default.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block, in x, y and z; 1 by default.
    pub block: Option<[u32; 3]>,
    /// Bytes of shared memory in addition to those of the cubin.
    pub shared: u64,
    /// The arguments.
    pub arguments: Vec<Given>,
}

/// An argument in a launch file.
#[derive(Clone, Debug)]
pub enum Given {
    /// The address of the buffer with this name, and bytes from there.
    Buffer(String, u64),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The contents of a buffer.
#[derive(Default)]
struct Contents {
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
pub enum Of {
    /// A buffer.
    Buffer(String),
    /// A variable of the cubin.
    Symbol(String),
}

/// Expected contents after the last launch.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The memory.
    pub of: Of,
    /// The first byte that is compared.
    pub at: u64,
    /// The contents.
    pub bytes: Vec<u8>,
    /// The name of their file.
    pub name: String,
    /// The type of the numbers.
    pub kind: Type,
    /// The allowed distance in numbers of the type.
    pub ulp: Option<u64>,
    /// The allowed error of a float.
    pub absolute: f64,
    /// The allowed error as a part of the expected value.
    pub relative: f64,
}

/// Memory of a launch file.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its bytes at the start; a variable without them has those of the cubin.
    pub bytes: Option<Vec<u8>>,
    /// The file that its bytes are written to after the last launch.
    pub save: Option<PathBuf>,
}

/// A launch file of a cubin.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The file of the cubin.
    pub program: Option<PathBuf>,
    /// The architecture of the cubin, if the file contains several.
    pub arch: Option<String>,
    /// The launches, in their order.
    pub launches: Vec<Launch>,
    /// Buffers in global memory.
    pub buffers: Vec<Named>,
    /// Variables of the cubin.
    pub symbols: Vec<Named>,
    /// Variants of the machine, `NAME=VALUE`.
    pub set: Vec<String>,
    /// What memory must hold after the last launch.
    pub expect: Vec<Expected>,
}

/// True if a launch file is of a cubin: it names kernels.
pub fn is_of_cubins(path: &Path) -> bool {
    let named = |node: &Node, _: &mut Reader<'_>| match &node.kind {
        NodeKind::Map(entries) => entries.iter().any(|(key, _)| ["kernel", "launches"].contains(&key.value.as_str())),
        _ => false,
    };
    read_keys(path, &mut |_, _| {}, named).ok().flatten().unwrap_or(false)
}

impl File {
    /// Reads a launch file; `None` if it has errors, which `report` receives.
    ///
    /// # Errors
    /// When it, or a file that it names, can't be read.
    pub fn read(path: &Path, report: Report<'_>) -> Result<Option<Self>, Stop> {
        let declared = |node: &Node, reader: &mut Reader<'_>| {
            let mut declared = Declared::default();
            reader.fill(&FILE, &mut declared, node);
            check(reader, &mut declared, node);
            declared
        };
        let Some(declared) = read_keys(path, report, declared)? else { return Ok(None) };
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
        let mut named = |(name, of): &(Text, Contents), is_buffer: bool| -> Result<Named, Stop> {
            let has_start = is_buffer || of.file.is_some() || of.bytes.is_some();
            let bytes = if has_start { Some(bytes(of)?) } else { None };
            let save = of.save.as_ref().map(|save| folder.join(&save.value));
            Ok(Named { name: name.value.clone(), bytes, save })
        };
        let buffers = declared.buffers.iter().map(|buffer| named(buffer, true)).collect::<Result<_, _>>()?;
        let symbols = declared.symbols.iter().map(|symbol| named(symbol, false)).collect::<Result<_, _>>()?;
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
        let launches = declared.launches.unwrap_or_else(|| vec![declared.launch]);
        Ok(Self {
            program: declared.program.map(|program| folder.join(program.value)),
            arch: declared.arch.map(|arch| arch.value),
            launches: launches.into_iter().map(DeclaredLaunch::launch).collect(),
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
        for name in launch.used.iter().filter(|name| !known.contains(&name.value.as_str())) {
            reader.error("launch", format!("there is no buffer `{}`", name.value), name.span);
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

fn launch(reader: &mut Reader<'_>, node: &Node) -> DeclaredLaunch {
    let mut launch = DeclaredLaunch::default();
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

fn arguments(reader: &mut Reader<'_>, of: &mut DeclaredLaunch, node: &Node, what: &str) {
    let used = &mut of.used;
    of.made.arguments = reader.list(node, what).iter().filter_map(|node| argument(reader, used, node)).collect();
}

/// `{ "u32": 1000 }`, `{ "buffer": "y", "offset": 16 }`, `{ "bytes": "00ff" }`
fn argument(reader: &mut Reader<'_>, used: &mut Vec<Text>, node: &Node) -> Option<Given> {
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
        ("buffer", rest) if rest.iter().all(|(key, _)| key.value == "offset") && rest.len() < 2 => {
            let mut offset = 0;
            if let [(_, by)] = rest {
                let by = reader.text(by, "an offset")?;
                match literal::number(&by.value) {
                    Ok(by) => offset = by.low() as u64,
                    Err(why) => return fail(reader, why.to_string()),
                }
            }
            let name = text.value.clone();
            used.push(text);
            Some(Given::Buffer(name, offset))
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
    use isa_syntax::keys::put_into_page;
    use std::path::Path;

    /// `BLESS=1` writes the keys into the page.
    #[test]
    fn keys_are_those_of_the_page() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kernels.md");
        let text = std::fs::read_to_string(&page).expect("the page");
        let tables: Vec<String> =
            super::listings().iter().map(|of| format!("\nKeys of {}:\n\n{}", of.what, of.markdown())).collect();
        let wanted = put_into_page(&text, "kernel-keys", &tables.concat()).expect("a place for the keys");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, wanted).expect("the page can be written");
        } else {
            assert!(text == wanted, "docs/kernels.md has other keys: BLESS=1 cargo test -p isa-host kernel");
        }
    }
}
