//! Object files: `disasm`, `stats`, `asm --into`.

use super::session::Session;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with files of `isa-object`'s tests in it.
fn with_objects(name: &'static str, files: &[&str]) -> Session {
    let session = Session::new(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/isa-object/tests/data");
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

/// The lists of control codes: both engines print them for each text with `.reuse`.
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

/// The file with its sections of code emptied.
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
        "MOV R9, c[0x0][0xc]                                     [B------:R-:W-:Y:S05]",
        "MOV R8, c[0x0][0x10] [B--2---:R-:W-:Y:S09]",
    );
    s.file("edited.txt", edited(&listing, &[edit]));
    s.run("isagen asm ampere edited.txt --into saxpy.cubin -o edited.cubin");
    let again = s.run("isagen disasm ampere edited.cubin --control");
    let changed: Vec<&str> = again.lines().filter(|line| !listing.contains(line)).collect();
    let mov = format!("  0x00c0: {:<56}[B--2---:R-:W-:Y:S09]", "MOV R8, c[0x0][0x10]");
    assert_eq!(changed, ["// edited.cubin: sm_80, ABI 8", &*mov]);
    s.say("A listing is a program: it can have macros, repetitions and expressions.");
    let (from, to) = (listing.find("  0x0140: NOP").expect("a line"), listing.find("  0x0190: NOP").expect("a line"));
    let idle = ".macro idle n\n.rept \\n\nNOP [B------:R-:W-:Y:S00]\n.endr\n.endm\n idle 10/2\n";
    s.file("edited.txt", edited(&listing, &[(&listing[from..to], idle)]));
    s.run("isagen asm ampere edited.txt --into saxpy.cubin -o edited.cubin");
    assert!(read(&s, "edited.cubin") == read(&s, "saxpy.cubin"), "the same instructions");
    s.say("What does not fit is refused, and nothing is written.");
    let nop = "  0x0150: NOP                                                     [B------:R-:W-:Y:S00]\n";
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

/// The column of control codes as CuAssembler's `CuControlCode.decode` computes it.
fn cu_assembler(word: u128) -> String {
    let code = (word >> 105) as u32;
    let scoreboard = |at: u32| Some(code >> at & 7).filter(|n| *n != 7).map_or("-".to_owned(), |n| n.to_string());
    let wait: String = (0..6).map(|n| if code >> (11 + n) & 1 == 1 { n.to_string() } else { "-".to_owned() }).collect();
    let yields = if code >> 4 & 1 == 0 { "Y" } else { "-" };
    format!("[B{wait}:R{}:W{}:{yields}:S{:02}]", scoreboard(8), scoreboard(5), code & 15)
}

/// The column has the letters of CuAssembler for every word. `CUBINS` names a folder with others, whose names have `sm_80`.
#[test]
fn control_column() {
    fn cubins(folder: &Path, name: &str, out: &mut Vec<PathBuf>) {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                cubins(&path, name, out);
            } else if path.file_name().is_some_and(|file| file.to_string_lossy().ends_with(name)) {
                out.push(path);
            }
        }
    }
    let mut files = Vec::new();
    cubins(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/isa-object/tests/data"), ".cubin", &mut files);
    if let Some(folder) = std::env::var_os("CUBINS") {
        cubins(Path::new(&folder), "sm_80.cubin", &mut files);
    }
    let mut words = 0;
    let mut s = Session::new("control-column");
    for file in files {
        let bytes = fs::read(&file).expect("a file");
        s.file("x.cubin", &bytes);
        let listing = s.run_once("isagen disasm sm80 x.cubin --control", "");
        let object = isa_object::Object::parse(&bytes).expect("it is good");
        let code: Vec<u8> = object.sections.iter().flat_map(|code| code.data.iter().copied()).collect();
        let lines: Vec<&str> = listing.lines().filter(|line| line.starts_with("  0x") || line.starts_with("! ")).collect();
        assert_eq!(lines.len(), code.len() / 16, "{}", file.display());
        for (line, bytes) in lines.iter().zip(code.chunks(16)) {
            let expected = cu_assembler(u128::from_le_bytes(bytes.try_into().expect("a word")));
            assert!(line.contains(&expected), "{}: {expected}: {line}", file.display());
            words += 1;
        }
        s.log.clear();
    }
    println!("{words} words");
    assert!(words > 1000);
    let mut s = Session::new("control-column-read");
    s.say("`Y` is bit 109 clear, and there are six scoreboards; bits that name another one are in braces.");
    s.run_with(
        "isagen asm sm80",
        "NOP [B------:R-:W-:Y:S05]\nNOP [B------:R-:W-:-:S05]\n[B------:R-:W-:-:S05] @P0 BRA `(.L_1) ;\n.L_1: NOP\n",
    );
    s.run_with("isagen asm sm80", "NOP [B------:R6:W-:Y:S01]\nNOP [B------:R-:W6:Y:S01]\n");
    s.run_with("isagen disasm sm80 --full", "000fa200000000000000000000007918\n000da200000000000000000000007918\n");
    s.run_with("isagen asm sm80", "NOP [B------:R-:W-:-:S01] {write=0x6}\nNOP [B------:R-:W-:-:S01] {read=0x6}\n");
    s.end();
}

/// The listing without addresses, with a line before that of a text, and without a `NOP` that follows.
fn inserted(listing: &str, line: &str, before: &str) -> String {
    let mut lines: Vec<String> =
        listing.lines().map(|l| l.strip_prefix("  0x").and_then(|l| l.split_once(": ")).map_or(l, |l| l.1).to_owned()).collect();
    let at = lines.iter().position(|l| l.contains(before)).expect("the line");
    lines.insert(at, line.to_owned());
    let nop = lines[at..].iter().position(|l| l.starts_with("NOP")).expect("a NOP");
    lines.remove(at + nop);
    lines.join("\n")
}

/// Code that the file refers to keeps its place; edits in place are allowed.
#[test]
fn moved() {
    let mut s = with_objects("moved", &["calls.cubin", "reduce.cubin", "relocatable.cubin", "choice.cubin", "lines.cubin"]);
    for (name, line) in [
        ("calls.cubin", "MOV R20, 0xf0"),
        ("reduce.cubin", "EXIT"),
        ("relocatable.cubin", "CALL.ABS"),
        ("choice.cubin", "BRX"),
        ("lines.cubin", "EXIT"),
    ] {
        s.say(&format!("{name}: an instruction more, before `{line}`"));
        let listing = s.run_once(&format!("isagen disasm sm80 {name} --control"), "");
        s.log.clear();
        s.file("inserted.txt", inserted(&listing, "FADD R0, R0, R0", line));
        s.run_once(&format!("isagen asm sm80 inserted.txt --into {name} -o new.cubin"), "");
        assert!(!s.folder.join("new.cubin").exists(), "{name}");
        let log = std::mem::take(&mut s.log);
        assert!(log.contains("would point at the wrong ones"), "{log}");
        // In the place of another instruction it is allowed.
        let at = listing.lines().find(|l| l.contains(line)).expect("the line");
        let (address, _) = at.split_once(": ").expect("an address");
        s.file("replaced.txt", listing.replacen(at, &format!("{address}: FADD R0, R0, R0"), 1));
        s.run_once(&format!("isagen asm sm80 replaced.txt --into {name} -o new.cubin"), "");
        fs::remove_file(s.folder.join("new.cubin")).expect("it was written");
    }
    let listing = s.run_once("isagen disasm sm80 calls.cubin --control", "");
    s.log.clear();
    s.say("What is meant is named, with its old and its new address.");
    s.file("inserted.txt", inserted(&listing, "FADD R0, R0, R0", "IMAD.MOV.U32 R5, RZ, RZ, c[0x0][0x170]"));
    s.run("isagen asm sm80 inserted.txt --into calls.cubin -o new.cubin");
    s.say("Registers that the kernel does not have, and other resources than those of the file.");
    s.file("edited.txt", edited(&listing, &[("MOV R4, R16", "MOV R60, R16"), ("LDG.E R2,", "LDG.E.128 R28,")]));
    s.run("isagen asm sm80 edited.txt --into calls.cubin -o new.cubin");
    s.file("edited.txt", edited(&listing, &[("registers 30,", "registers 64,"), ("bytes 4", "bytes 8")]));
    s.run("isagen asm sm80 edited.txt --into calls.cubin -o new.cubin");
    s.say("The listing stays what it is.");
    s.file("same.txt", &listing);
    s.run("isagen asm sm80 same.txt --into calls.cubin -o same.txt");
    s.say("No room.");
    s.file("edited.txt", edited(&listing, &[("  0x0050:", "  FADD R0, R0, R0\n  0x0050:")]));
    s.run("isagen asm sm80 edited.txt --into calls.cubin -o new.cubin");
    s.end();
}

#[test]
fn of_other_architectures() {
    let mut s = with_objects("architectures", &["saxpy.cubin", "calls.cubin"]);
    s.say("A specification that is not for the file.");
    s.run("isagen disasm rv64gc saxpy.cubin --function nothing");
    s.say("Functions of a kernel by their own names; each instruction is counted once.");
    s.run("isagen disasm calls.cubin --list --demangle");
    s.run("isagen disasm calls.cubin --function add --raw");
    let stats = s.run("isagen stats calls.cubin");
    let words: usize = stats.lines().filter_map(|line| line.split_once("): ")?.1.split(' ').next()?.parse::<usize>().ok()).sum();
    let object = fs::read(s.folder.join("calls.cubin")).expect("it was written");
    let code: usize = isa_object::Object::parse(&object).expect("it is good").sections.iter().map(|code| code.data.len()).sum();
    assert_eq!(words, code / 16);
    s.run("isagen diff saxpy.cubin calls.cubin");
    s.end();
}
