//! Inputs to begin with. None is stored: they are made of files of the tests.

use crate::program::CUBIN;
use crate::words::IMAGES;
use isa_engine::{Style, Word};
use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the project.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The files of a folder whose names end like this, by name.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(project(folder)).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).collect()
}

/// Small specifications, good ones and faulty ones.
pub(crate) fn specs() -> Vec<Vec<u8>> {
    let folders = ["tests/specs/accepted", "tests/specs/refused", "tests/specs/warned", "tests/specs/programs"];
    folders.into_iter().flat_map(|folder| files(folder, ".yaml")).collect()
}

/// Images of small instruction sets.
pub(crate) fn images() -> Vec<Vec<u8>> {
    let specs = ["tests/specs/accepted/letters.yaml", "tests/specs/accepted/choices.yaml", "tests/specs/programs/core.yaml"];
    let specs = specs.into_iter().chain(["examples/6502/6502.yaml"]).map(|name| isa_spec::load(&project(name)).isa);
    specs.map(|isa| isa_tables::image(&isa.expect("a good specification")).expect("a small instruction set")).collect()
}

/// An image with the checksum that its bytes have.
pub fn sealed(mut image: Vec<u8>) -> Vec<u8> {
    isa_runtime::engine::image::seal(&mut image);
    image
}

/// Texts of forms of the shipped instruction sets, after the number of the set.
pub(crate) fn texts() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for (which, image) in IMAGES.iter().enumerate() {
        let mut codec = isa_engine::open(image, Style::default()).expect("an image of this version");
        for form in (0..codec.forms()).step_by(5) {
            let mut text = vec![which as u8];
            codec.print_full(form, Word::from(0x0404_2010_0804_0201u64), 0x1000, &mut text);
            texts.push(text);
        }
    }
    texts
}

/// Cubins, fatbins, ELF files and archives.
pub(crate) fn objects() -> Vec<Vec<u8>> {
    [".cubin", ".fatbin", ".a", ".elf"].into_iter().flat_map(|ending| files("crates/isa-object/tests/data", ending)).collect()
}

/// Listings of the cubin: the one that a session of the command shows, and a line of it.
pub(crate) fn listings() -> Vec<Vec<u8>> {
    let session = fs::read_to_string(project("isagen/tests/sessions/into.txt")).expect("the session is there");
    let (_, rest) = session.split_once("$ isagen disasm ampere saxpy.cubin --control\n").expect("it shows the listing");
    let listing = rest.split("\n$").next().unwrap_or_default();
    assert!(listing.contains("saxpy") && !CUBIN.is_empty());
    [listing, listing.lines().next().unwrap_or_default()].map(|text| text.as_bytes().to_vec()).into()
}

/// Programs for RISC-V.
pub(crate) fn programs() -> Vec<Vec<u8>> {
    files("tests/programs/asm", ".s")
}

/// Packets of GDB.
pub(crate) fn sessions() -> Vec<Vec<u8>> {
    let lines = [
        "qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+",
        "?\ng\nG00000000\nm100,8\nM200,2:abcd\nX200,2:ab",
        "p0\nP0=01000000\np3\nZ0,102,1\nvCont;c\nz0,102,1\ns\nc",
        "qXfer:features:read:target.xml:0,fff\nqXfer:memory-map:read::0,fff\nqRcmd,68656c70",
        "Z2,200,4\nZ3,200,4\nvCont;s:1\nHg0\nT1\nqAttached\nD",
        "vMustReplyEmpty\nQStartNoAckMode\nk",
    ];
    let framed: Vec<u8> = lines[1].split('\n').flat_map(|body| crate::session::frame(body.as_bytes())).collect();
    let bodies = lines.iter().map(|lines| format!("%{lines}").into_bytes());
    bodies.chain([framed, b"+$g#67-$?#3f\x03".to_vec()]).collect()
}
