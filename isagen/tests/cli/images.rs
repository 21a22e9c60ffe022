//! Images of tables in the place of specifications: `disasm`, `asm`, `fmt`, `explain`, `stats`.

use super::session::{MIXED, Session, with_tiny};
use isa_runtime::engine::image::seal;
use std::fs;
use std::path::Path;

/// The answer on both outputs and the exit status. The reference codec is not run.
fn answer(s: &mut Session, command: &str, input: &str) -> String {
    let start = s.log.len();
    s.run_once(command, input);
    let log = s.log.split_off(start);
    // The command and its input come first.
    let lines = log.lines().skip(1 + input.lines().count());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn images() {
    let mut s = with_tiny("images");
    s.run("isagen build tiny.yaml -o .");
    s.run_once("isagen disasm tiny.isat --full", "1b08a003\n83000002 0x100\n4308b000\n");
    s.run_once("isagen asm tiny.isat", "add r1, r2, 0x3 // three\nadd r1, r2, 0x99999\n");
    s.run_once("isagen fmt tiny.isat", "add  r1,r2,3\n");
    s.say("All but what is documented.");
    s.run_once("isagen explain tiny.isat 1b08a003", "");
    s.run_once("isagen explain tiny.isat 0x4308a003", "");
    s.run_once("isagen explain tiny.isat 1b08840a", "");
    s.run_once("isagen explain tiny.isat fc000000", "");
    s.run_once("isagen explain tiny.isat 1b08a00", "");
    s.say("An image is known by what it holds, too.");
    let image = fs::read(s.folder.join("tiny.isat")).expect("it was built");
    s.file("tables", &image);
    s.run_once("isagen disasm tables", "1b08a003\n");
    s.say("What needs a specification says so.");
    s.run("isagen disasm tiny.isat --engine reference");
    s.run("isagen explain tiny.isat 1b08a003 --engine reference");
    s.run("isagen check tiny.isat");
    for command in
        ["tiny.isat", "docs tables -o site", "map tiny.isat", "diff tiny.yaml tiny.isat", "eval tiny.isat 'add r1, r2, 0x3'"]
    {
        let answer = answer(&mut s, &format!("isagen {command}"), "");
        assert!(answer.contains("is an image of tables: this command needs a specification\n"), "{command}: {answer}");
        assert!(answer.ends_with("= exit status 2\n\n"), "{command}: {answer}");
    }
    s.say("There are no words.");
    s.file("text.isat", generated::image("ptx-vop4").expect("it ships"));
    s.run_once("isagen fmt text.isat", "vmin4.u32.u32.u32 a ,b,c, d;\n");
    s.run_once("isagen disasm text.isat", "0\n");
    s.run_once("isagen asm text.isat", "vadd4.u32.u32.u32 r1, r2, r3, r4;\n");
    s.run_once("isagen explain text.isat 0", "");
    s.say("Files that are not images.");
    s.file("empty.isat", "");
    s.file("other.isat", "isa: tiny\n");
    fs::create_dir(s.folder.join("folder.isat")).expect("the folder for tests can be written to");
    let other_version = [&image[..4], &u32::MAX.to_le_bytes(), &image[8..]].concat();
    s.file("version.isat", other_version);
    let mut flipped = image.clone();
    flipped[image.len() / 2] ^= 0x10;
    s.file("flipped.isat", flipped);
    s.file("cut.isat", &image[..image.len() - 1]);
    s.file("longer.isat", [&image[..], b"\n"].concat());
    for name in ["empty", "other", "folder", "version", "flipped", "cut", "longer", "missing"] {
        s.run_once(&format!("isagen disasm {name}.isat"), "1b08a003\n");
    }
    s.end();
}

/// An image gives the same answers as its specification.
#[test]
fn images_answer_as_their_specifications() {
    let mut s = with_tiny("images-answer");
    s.file("mixed.yaml", MIXED);
    s.run("isagen build tiny.yaml mixed.yaml -o .");
    for name in ["rv64gc", "sm80"] {
        s.file(&format!("{name}.isat"), generated::image(name).expect("it ships"));
    }
    let tiny = "1b08a003\n83000002\n4308907f\n4308a003\nfc000000\n1b08840a\n1b08a00\n";
    let mixed = "0024\n00000025\n2ffe\n0x100: 0025\n8000\n";
    let rv64gc = "00000013\n00c58533\n4505\n9002\n00052503\nfff50513 0x1000\nffffffff\n0000\n00000073\nfe0518e3\n12\n";
    let sm80 = "000fc00003fee0560000007834127210\n000fc000000000000000000000007918\n000fc000000000000000000000007fff\n\
                000fe20000000f00ff0000000001798a\n000fc00003fee0560000007834127211\n";
    for (spec, image, words) in [
        ("tiny.yaml", "tiny.isat", tiny),
        ("mixed.yaml", "mixed.isat", mixed),
        ("rv64gc", "rv64gc.isat", rv64gc),
        ("sm80", "sm80.isat", sm80),
    ] {
        let mut both = |command: &str, options: &str, input: &str| {
            let of_spec = answer(&mut s, &format!("isagen {command} {spec}{options}"), input);
            let of_image = answer(&mut s, &format!("isagen {command} {image}{options}"), input);
            assert_eq!(of_image, of_spec, "{command} {image}{options}");
            of_spec
        };
        for options in ["", " --full", " --json", " --no-aliases"] {
            both("disasm", options, words);
        }
        let listing = both("disasm", " --full", words);
        for options in ["", " --no-compress", " --bits 32"] {
            both("asm", options, &listing);
        }
        for options in ["", " --full", " --no-aliases"] {
            both("fmt", options, &listing);
        }
        // The additions of the specification come after the contents of the image.
        for word in words.lines().map(|line| line.split(' ').next().unwrap_or(line)) {
            let answers = [spec, image].map(|of| answer(&mut s, &format!("isagen explain {of} {word}"), ""));
            // An image does not distinguish ignored bits from undocumented ones.
            let [of_spec, of_image] = answers.map(|answer| {
                let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").replace('?', "-");
                answer.lines().map(plain).collect::<Vec<_>>()
            });
            let is_of_both = |line: &&String| {
                !line.ends_with(" kept without a meaning") && !line.starts_with(&format!("! {image}: documentation"))
            };
            let mut of_spec = of_spec.iter();
            for line in of_image.iter().filter(is_of_both) {
                assert!(of_spec.any(|full| full.starts_with(line)), "explain {image} {word}: `{line}`");
            }
        }
    }
}

/// An image contains the kinds of object files with its code.
#[test]
fn object_files_by_images() {
    let mut s = Session::new("images-objects");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/isa-object/tests/data");
    for file in ["saxpy.cubin", "riscv64.elf"] {
        s.file(file, fs::read(data.join(file)).expect("a file of the tests"));
    }
    for name in ["rv64gc", "sm80"] {
        s.file(&format!("{name}.isat"), generated::image(name).expect("it ships"));
    }
    let listing = s.run_once("isagen disasm sm80 saxpy.cubin --control", "");
    assert_eq!(s.run_once("isagen disasm sm80.isat saxpy.cubin --control", ""), listing);
    s.log.clear();
    let stats = answer(&mut s, "isagen stats sm80 saxpy.cubin", "");
    assert_eq!(answer(&mut s, "isagen stats sm80.isat saxpy.cubin", ""), stats);
    let other = answer(&mut s, "isagen disasm sm80.isat riscv64.elf --raw", "");
    let message = "! warning: riscv64.elf: the code is for riscv64, and `sm80.isat` is the instruction set of sm_80";
    assert!(other.contains(message), "{other}");
    // A register that the kernel does not have: its file contains the number of registers.
    assert!(listing.contains("R2"), "{listing}");
    let lines = listing.lines().map(|line| if line.contains("FFMA") { line.replacen("R2", "R250", 1) } else { line.to_owned() });
    s.file("edited.txt", lines.collect::<Vec<_>>().join("\n"));
    let by =
        |s: &mut Session, spec: &str| answer(s, &format!("isagen asm {spec} edited.txt --into saxpy.cubin -o new.cubin"), "");
    let refused = by(&mut s, "sm80");
    assert!(refused.contains("R250") && refused.ends_with("= exit status 1\n\n"), "{refused}");
    assert_eq!(by(&mut s, "sm80.isat"), refused);
}

/// Any contents of an image lead to an answer or an error: a panic would stop [`Session::run_once`].
#[test]
fn damaged_images() {
    let mut s = Session::new("images-damaged");
    let image = generated::image("flexgrip").expect("it ships");
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for end in [0, 3, 4, 7, 8, 12, 19, 20, 43, 44, 100, image.len() / 3, image.len() / 2, image.len() - 1] {
        s.file("cut.isat", &image[..end]);
        let answer = answer(&mut s, "isagen disasm cut.isat", "1001e003\n");
        assert!(answer.starts_with("! error: cut.isat: "), "{end}: {answer}");
        assert!(answer.ends_with("`isagen build SPEC` writes a new one\n= exit status 2\n\n"), "{end}: {answer}");
    }
    for _ in 0..8 {
        let mut bytes = image.to_vec();
        bytes[20 + random(image.len() - 20)] ^= 1 << random(8);
        s.file("flipped.isat", bytes);
        let answer = answer(&mut s, "isagen explain flipped.isat 1001e003", "");
        assert!(answer.starts_with("! error: flipped.isat: the checksum of the image is wrong"), "{answer}");
    }
    // Errors that a checksum does not find.
    for round in 0..60 {
        let mut bytes = image.to_vec();
        // The head and the lengths are near the beginning of the records, after the strings.
        let at = if round % 2 == 0 { 20 + random(40) } else { 20 + random(image.len() - 20) };
        bytes[at] ^= 1 << random(8);
        seal(&mut bytes);
        s.file("sealed.isat", bytes);
        for (command, input) in [
            ("isagen disasm sealed.isat --json", "1001e003\n1001e00300000780\n"),
            ("isagen asm sealed.isat", "BRA 0x10\nMOV R1, R2\n"),
            ("isagen explain sealed.isat 1001e00300000780", ""),
        ] {
            answer(&mut s, command, input);
        }
    }
}
