//! Object files, listings of them, and programs in assembly.

use crate::words::IMAGES;
use isa_asm::{Assembler, Options};
use isa_engine::Style;
use isa_object::{Executable, Module, Object};

/// The cubin that listings are put back into.
pub(crate) const CUBIN: &[u8] = include_bytes!("../../../crates/isa-object/tests/data/saxpy.cubin");

/// An object file: faults, or parts that can be read.
pub(crate) fn object(input: &[u8]) {
    let contents = isa_object::contents(input);
    assert!(contents.faults.iter().all(|fault| !fault.to_string().is_empty()));
    for entry in &contents.entries {
        let Ok(data) = entry.data() else { continue };
        if let Ok(object) = Object::parse(&data) {
            let lines = object.lines();
            for section in &object.sections {
                lines.at(section.index, section.data.len() as u64 / 2);
            }
        }
        _ = Module::parse(&data);
        _ = Executable::parse(&data);
    }
}

/// A listing that is put back into a file: faults, or a file of the same size.
pub(crate) fn listing(input: &[u8]) {
    let codec = isa_engine::open(&IMAGES[0], Style::default()).expect("an image of this version");
    let mut back = isa_listing::PutBack::new(codec, "<listing>", ("saxpy.cubin", CUBIN)).expect("a good file");
    for (number, line) in String::from_utf8_lossy(input).lines().enumerate() {
        back.line(number + 1, line);
    }
    match back.finish() {
        Ok(file) => assert_eq!(file.len(), CUBIN.len()),
        Err(faults) => {
            assert!(!faults.is_empty());
            for (_, line, at) in faults.iter().filter_map(|fault| fault.place.as_ref()) {
                assert!(line.get(at.clone()).is_some(), "{faults:?}");
            }
        }
    }
}

/// A program in assembly: faults with places, or sections.
pub(crate) fn assembler(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    // Files are those of the tests of the assembler.
    if text.contains(".inc") {
        return;
    }
    let codec = isa_engine::open(&IMAGES[1], Style::default()).expect("an image of this version");
    let mut assembler = Assembler::new(codec, "program.s", Options::default()).expect("the syntax is sound");
    for (number, line) in text.lines().enumerate() {
        if assembler.line(number + 1, line).is_err() {
            break;
        }
    }
    let program = assembler.finish();
    assert!(program.faults.iter().all(|fault| !fault.message.is_empty()));
    if !program.has_failed() && program.sections.iter().map(|section| section.file_size()).sum::<u64>() < 1 << 20 {
        _ = isa_asm::output::elf(&program, 243, false);
    }
}
