//! Object files: `disasm`, `stats`, `asm --into`.

use super::session::Session;
use std::fs;
use std::path::Path;

/// A folder with files of `isa-object`'s tests in it.
fn with_objects(name: &'static str, files: &[&str]) -> Session {
    let session = Session::new(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isa-object/tests/data");
    for file in files {
        session.file(file, fs::read(data.join(file)).expect("a file of the tests"));
    }
    session
}

#[test]
fn objects() {
    let mut s = with_objects("objects", &["saxpy.cubin", "lines.cubin", "riscv64.elf", "zstd.fatbin", "host.a", "structs.cubin"]);
    s.say("What a file holds.");
    s.run("isagen disasm --list host.a");
    s.run("isagen disasm --list --json zstd.fatbin");
    s.run("isagen disasm --list zstd.fatbin --arch sm_86");
    s.run("isagen disasm --list saxpy.cubin --arch sm_8");
    s.say("The specification is found by what the file says of its machine.");
    s.run("isagen disasm riscv64.elf --hex");
    s.run("isagen disasm riscv64.elf --function twice --raw");
    s.run("isagen disasm riscv64.elf --function twice --json --raw");
    s.run("isagen disasm riscv64.elf --function twise");
    s.say("Or it is named; a word that it does not know is a line of its own.");
    s.run("isagen disasm ampere saxpy.cubin --control");
    s.run("isagen disasm ampere lines.cubin --function scaled --hex");
    s.run("isagen disasm ampere structs.cubin --function 'void inside<int, 2>' --demangle --raw");
    s.say("What can't be read.");
    let cut = fs::read(s.folder.join("saxpy.cubin")).expect("it was written");
    s.file("cut.cubin", &cut[..2000]);
    s.run("isagen disasm ampere cut.cubin");
    s.run("isagen disasm ampere --control");
    s.run("isagen stats riscv64.elf");
    s.run("isagen stats ampere saxpy.cubin --json");
    s.run("isagen stats session.txt");
    s.end();
}

/// The lists of control codes: both engines have them, wherever the text has `.reuse`.
#[test]
fn control_lists() {
    let mut s = with_objects("control-lists", &["texture.cubin"]);
    let json = s.run("isagen disasm texture.cubin --json");
    assert_eq!(s.run("isagen disasm texture.cubin --json --engine reference"), json);
    let mut lists = 0;
    for line in json.lines() {
        let marks = line
            .split("\"text\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .map_or(0, |text| text.matches(".reuse").count());
        let items = line.split("\"reuse\":[").nth(1).and_then(|rest| rest.split(']').next()).expect("each word has the list");
        assert_eq!(items.matches('"').count(), 2 * marks, "{line}");
        lists += usize::from(marks > 0);
    }
    assert_eq!(lists, 7);
    let stats = s.run("isagen stats texture.cubin");
    assert!(stats.contains("  reuse: A 4, C 4, B 2\n"), "{stats}");
    assert_eq!(s.run("isagen stats texture.cubin --engine reference"), stats);
    s.log.clear();
}

/// A listing with lines replaced.
fn edited(listing: &str, edits: &[(&str, &str)]) -> String {
    let mut text = listing.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "`{from}` in:\n{listing}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// The file with nothing in its sections of code.
fn emptied(file: &[u8]) -> Vec<u8> {
    let object = isa_object::Object::parse(file).expect("it is good");
    let mut empty = file.to_vec();
    for code in &object.sections {
        empty[code.offset..][..code.data.len()].fill(0);
    }
    empty
}

#[test]
fn into_objects() {
    let mut s = with_objects("into", &["saxpy.cubin", "lines.cubin", "zstd.fatbin"]);
    let read = |s: &Session, name: &str| fs::read(s.folder.join(name)).expect("it was written");
    s.say("The code of a file is written from the listing alone, in whatever order it has the sections.");
    for name in ["saxpy.cubin", "lines.cubin"] {
        let original = read(&s, name);
        s.file("empty", emptied(&original));
        let listing = s.run(&format!("isagen disasm ampere {name} --control"));
        let (head, sections) = listing.split_once("\n.section ").expect("a section");
        let turned: Vec<&str> = sections.split("\n.section ").collect();
        let turned = turned.iter().rev().fold(head.to_owned(), |text, section| format!("{text}\n.section {section}\n"));
        s.file("turned.txt", turned);
        s.run("isagen asm ampere turned.txt --into empty -o new");
        assert!(read(&s, "new") == original, "{name}");
    }
    s.say("Edited instructions arrive in the file.");
    let listing = s.run("isagen disasm ampere saxpy.cubin --control");
    let edit = (
        "MOV R9, c[0x0][0xc]                                     [B------:R-:W-:-:S05]",
        "MOV R8, c[0x0][0x10] [B--2---:R-:W-:-:S09]",
    );
    s.file("edited.txt", edited(&listing, &[edit]));
    s.run("isagen asm ampere edited.txt --into saxpy.cubin -o edited.cubin");
    let again = s.run("isagen disasm ampere edited.cubin --control");
    let changed: Vec<&str> = again.lines().filter(|line| !listing.contains(line)).collect();
    let mov = format!("  0x00c0: {:<56}[B--2---:R-:W-:-:S09]", "MOV R8, c[0x0][0x10]");
    assert_eq!(changed, ["// edited.cubin: sm_80, ABI 8", &*mov]);
    s.say("What does not fit is refused, and nothing is written.");
    let nop = "  0x0150: NOP                                                     [B------:R-:W-:-:S00]\n";
    for (name, edits) in [
        ("missing line", (nop, "")),
        ("one too many", (nop, "  0x0150: NOP\n  NOP\n")),
        ("no such label", ("BRA .L_1  ", "BRA .L_9  ")),
        ("a label twice", (nop, ".L_1:\n  0x0150: NOP\n")),
        ("no section", (".section 13 .text.saxpy", "")),
        ("another section", (".section 13 .text.saxpy", ".section 13 .text.other")),
    ] {
        s.say(name);
        s.file("bad.txt", edited(&listing, &[edits]));
        s.run("isagen asm ampere bad.txt --into saxpy.cubin -o bad.cubin");
        assert!(!s.folder.join("bad.cubin").exists(), "{name}");
    }
    s.say("a function is missing");
    let part = s.run("isagen disasm ampere lines.cubin --control --function scaled");
    s.file("bad.txt", part);
    s.run("isagen asm ampere bad.txt --into lines.cubin -o bad.cubin");
    s.say("compressed");
    let listing = s.run("isagen disasm ampere zstd.fatbin --control --arch sm_80");
    s.file("bad.txt", listing);
    s.run("isagen asm ampere bad.txt --into zstd.fatbin -o bad.cubin");
    s.end();
}
