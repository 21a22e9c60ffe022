//! The contents of the cubins, fatbins and archives of `data/`, as text, compared with `data/expected.txt`.
//!
//! `BLESS=1 cargo test -p isa-object --test objects` writes that file.

use isa_object::{Code, EntryKind, Object, Resources};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The files of `data/`, by name.
fn files() -> Vec<PathBuf> {
    let is_object =
        |path: &PathBuf| path.extension().is_some_and(|e| ["cubin", "fatbin", "a", "elf"].iter().any(|known| e == *known));
    let mut files: Vec<_> = fs::read_dir(data()).expect("data").map(|e| e.expect("an entry").path()).filter(is_object).collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_name().expect("a file").to_string_lossy().into_owned()
}

fn resources(r: &Resources, out: &mut String) {
    writeln!(
        out,
        "    registers {:?} of {:?}, barriers {}, shared {}, frame {}, stack {:?}, constants {:?}",
        r.registers, r.max_registers, r.barriers, r.shared, r.frame, r.min_stack, r.constants
    )
    .expect("a String");
    let params: Vec<String> = r.params.iter().map(|p| format!("{}: {:#x}+{}", p.ordinal, p.offset, p.size)).collect();
    writeln!(out, "    params at {:#x}, {} bytes: {}", r.param_base, r.param_size, params.join(", ")).expect("a String");
    writeln!(out, "    threads {:?} {:?}, exits {:x?}", r.max_threads, r.required_threads, r.exits).expect("a String");
    for list in &r.instructions {
        writeln!(out, "    {} {:x?}", list.name, list.offsets).expect("a String");
    }
    for branch in &r.branches {
        writeln!(out, "    branch {:#x}: {:x?}", branch.offset, branch.targets).expect("a String");
    }
}

fn code(code: &Code<'_>, object: &Object<'_>, out: &mut String) {
    let Code { index, name, address, offset, data, functions, relocations, .. } = code;
    writeln!(out, "  [{index}] {name}: {} bytes at {address:#x}, {offset:#x} in the file", data.len()).expect("a String");
    for f in functions {
        writeln!(out, "    {:?} {} at {:#x}, {} bytes", f.kind, f.name, f.offset, f.size).expect("a String");
    }
    for r in relocations {
        writeln!(out, "    {:#x}: {:?} {} + {:#x}", r.offset, r.kind_name, r.symbol, r.addend).expect("a String");
    }
    if let Some(r) = &code.resources {
        resources(r, out);
    }
    let lines = object.lines();
    let mut last = None;
    for at in (0..data.len() as u64).step_by(16) {
        let place = lines.at(*index, at);
        if place != last {
            let text = place.map_or("none".to_owned(), |p| {
                let file = lines.file(p.file).rsplit('/').next().unwrap_or_default();
                format!("{file}:{}", p.line)
            });
            writeln!(out, "    line of {at:#x}: {text}").expect("a String");
            last = place;
        }
    }
}

#[test]
fn all_of_it() {
    let mut out = String::new();
    for path in files() {
        let bytes = fs::read(&path).expect("a file");
        let contents = isa_object::contents(&bytes);
        writeln!(out, "{}", name(&path)).expect("a String");
        assert_eq!(contents.faults, []);
        for entry in &contents.entries {
            let isa_object::Entry { part, kind, arch, offset, compression, size, .. } = entry;
            writeln!(out, " {part:?} {kind:?} {arch} {offset:#x} {compression:?} {size}").expect("a String");
            if *kind == EntryKind::Elf {
                let data = entry.data().expect("it is good");
                assert_eq!(data.len() as u64, *size);
                let object = Object::parse(&data).expect("it is good");
                assert_eq!(object.arch, *arch);
                assert_eq!(Some(object.machine), entry.machine);
                writeln!(out, "  ABI {}, relocatable {}", object.abi, object.is_relocatable).expect("a String");
                object.sections.iter().for_each(|section| code(section, &object, &mut out));
            }
        }
    }
    let path = data().join("expected.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &out).expect("it can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let differ = out.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(out == expected, "line {differ:?} differs:\n{out}");
}

/// Code that runs on one architecture alone, by the flags of both versions of the ABI.
#[test]
fn architectures() {
    for (file, flag, name) in [("saxpy.cubin", 0x8, "sm_80a"), ("older.cubin", 0x800, "sm_80a"), ("older.cubin", 0, "sm_80")] {
        let mut bytes = fs::read(data().join(file)).expect("a file");
        let flags = u32::from_le_bytes(bytes[48..52].try_into().expect("four bytes")) | flag;
        bytes[48..52].copy_from_slice(&flags.to_le_bytes());
        assert_eq!(Object::parse(&bytes).expect("it is good").arch, name);
        assert_eq!(isa_object::contents(&bytes).entries[0].arch, name);
    }
}

/// A stack that is not known, as with recursion.
#[test]
fn unknown_stack() {
    let mut bytes = fs::read(data().join("calls.cubin")).expect("a file");
    // Format, code and size of the attribute, the number of a symbol, and the bytes of the stack.
    let stack = |bytes: &[u8]| {
        (0..bytes.len() - 12).find(|at| bytes[*at..].starts_with(&[4, 0x12, 8, 0]) && bytes[*at + 5..*at + 8] == [0; 3])
    };
    let mut start = 0;
    while let Some(at) = stack(&bytes[start..]) {
        bytes[start + at + 8..start + at + 12].fill(0xff);
        start += at + 12;
    }
    let object = Object::parse(&bytes).expect("it is good");
    let resources = object.sections[0].resources.as_ref().expect("a kernel has resources");
    assert_eq!((start > 0, resources.min_stack), (true, None));
}

/// Relocations may have no symbol: its number is 0.
#[test]
fn no_symbol() {
    let mut bytes = fs::read(data().join("relocatable.cubin")).expect("a file");
    // An entry: offset, kind, symbol.
    let entry = [0x80u64.to_le_bytes(), 0x3au64.to_le_bytes()].map(|part| part[..4].to_vec());
    let is_entry = |at: &usize| bytes[*at..].starts_with(&entry[0]) && bytes[*at + 8..].starts_with(&entry[1]);
    let at = (0..bytes.len() - 16).find(is_entry).expect("a relocation of a call");
    bytes[at + 12..at + 16].fill(0);
    let object = Object::parse(&bytes).expect("it is good");
    let mut relocations = object.sections.iter().flat_map(|section| &section.relocations);
    let call = relocations.find(|relocation| relocation.offset == 0x80).expect("the call");
    assert_eq!((call.kind_name, call.symbol.as_ref(), call.addend), (Some("R_CUDA_ABS47_34"), "", 0));
}

/// Every entry of every fatbin has the bytes that cuobjdump extracts. Set `CUOBJDUMP` to its path.
#[test]
#[ignore = "needs cuobjdump"]
fn entries_are_cuobjdumps() {
    let cuobjdump = std::env::var("CUOBJDUMP").expect("the path of cuobjdump");
    let asked = std::env::args().skip_while(|arg| arg != "--").skip(1).map(PathBuf::from);
    let mut all: Vec<PathBuf> =
        files().into_iter().filter(|path| path.extension().is_some_and(|e| e != "cubin" && e != "elf")).collect();
    all.extend(std::env::var("OBJECTS").iter().flat_map(|list| list.split(':')).map(PathBuf::from).chain(asked));
    let mut compared = 0;
    for path in all {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("xelf").join(name(&path));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for tests");
        let path = path.canonicalize().expect("a file");
        let status = Command::new(&cuobjdump).args(["-xelf", "all"]).arg(&path).current_dir(&folder).output().expect("it starts");
        assert!(status.status.success(), "{status:?}");
        let mut theirs: Vec<Vec<u8>> =
            fs::read_dir(&folder).expect("the folder").map(|e| fs::read(e.expect("an entry").path()).expect("a file")).collect();
        let bytes = fs::read(&path).expect("a file");
        let contents = isa_object::contents(&bytes);
        assert_eq!(contents.faults, []);
        let elfs = contents.entries.iter().filter(|entry| entry.kind == EntryKind::Elf);
        let mut ours: Vec<Vec<u8>> = elfs.map(|entry| entry.data().expect("it is good").into_owned()).collect();
        theirs.sort();
        ours.sort();
        assert!(ours == theirs, "{}: {} entries, {} of cuobjdump's", path.display(), ours.len(), theirs.len());
        compared += ours.len();
    }
    println!("{compared} entries are equal");
    assert!(compared > 0);
}
