//! `isagen verify` finds mistakes in a specification: it is compared with the disassembler of the right one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A mistake: a text of the specification, its replacement, and the texts of the report, which are all in the head of one group.
struct Mistake {
    what: &'static str,
    right: &'static str,
    wrong: &'static str,
    told: &'static [&'static str],
}

/// A list of mistakes in ampere.yaml. Each `right` occurs in it exactly once.
const MISTAKES: &[Mistake] = &[
    Mistake {
        what: "a wrong bit",
        right: "      pe_not: 80 (1) \"!\" = 1 @46                    # !PE",
        wrong: "      pe_not: 76 (1) \"!\" = 1 @46",
        told: &["IADD3"],
    },
    Mistake {
        what: "two values of an enumeration the wrong way round",
        right: "1: .LT, 2: .EQ, 3: .LE, 4: .GT, 5: .NE, 6: .GE, 7: .T,",
        wrong: "1: .LE, 2: .EQ, 3: .LT, 4: .GT, 5: .NE, 6: .GE, 7: .T,",
        told: &["ISETP", "two texts", "`cmp`"],
    },
    Mistake {
        what: "a missing sign",
        right: "    fields: { base: 31..24 (8) R, offset: $offset signed }",
        wrong: "    fields: { base: 31..24 (8) R, offset: $offset }",
        told: &["STL", "two texts", "`at.offset`"],
    },
    Mistake {
        what: "a wrong scale",
        right: "    fields: { offset: 53..40 (14) signed *4, bank: 58..54 (5), neg: '$neg \"-\"' }",
        wrong: "    fields: { offset: 53..40 (14) signed *8, bank: 58..54 (5), neg: '$neg \"-\"' }",
        told: &["IADD3.const", "two texts", "`b.offset`"],
    },
    Mistake {
        what: "a missing register",
        right: "  UR: { index: 6, width: 32, of: warp, special: { 63: URZ }, zero: URZ,",
        wrong: "  UR: { index: 6, width: 32, of: warp, special: { },",
        told: &["IADD3.ur", "two texts", "`b.ur`"],
    },
    Mistake {
        what: "a wrong opcode",
        right: "    fix: { op: 0x918, u: 0 }",
        wrong: "    fix: { op: 0x919, u: 0 }",
        told: &["NOP", "refused by the specification alone"],
    },
    Mistake {
        what: "a field that is too narrow",
        right: "      shift:  79..75 (5) @348                       # UIMM2\n",
        wrong: "      shift:  78..75 (4) @348\n",
        told: &["LEA.low", "two texts", "79"],
    },
    Mistake {
        what: "a wrong default",
        right: "      mask: 75..72 (4) = 0xf @118                   # UIMM2",
        wrong: "      mask: 75..72 (4) = 0x7 @118",
        told: &["MOV", "two texts"],
    },
    Mistake {
        what: "a field that is not inverted",
        right: "      p:     66..64 (3) P inverted = PT @172        # PB",
        wrong: "      p:     66..64 (3) P = PT @172",
        told: &["LD.", "two texts", "`p`"],
    },
    Mistake {
        what: "a missing rule",
        right: "      - { that: 'write == \"-\"', why: \"`write` of a jump is 7\", doc: nvdisasm }\n",
        wrong: "",
        told: &["BRA", "refused by the oracle alone", "`write`"],
    },
];

fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs")
}

/// ampere.yaml with all mistakes, in a folder of its own.
fn mistaken() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let read = |name: &str| fs::read_to_string(specs().join(name)).expect("a specification");
    let mut text = read("ampere.yaml");
    for mistake in MISTAKES {
        assert_eq!(text.matches(mistake.right).count(), 1, "{}: what is right occurs once in the specification", mistake.what);
        text = text.replace(mistake.right, mistake.wrong);
    }
    // Bits that a mistake leaves unused, or takes.
    let others = [
        ("    ignored: 76, 73\n", "    ignored: 80, 73\n"),
        (
            "    ignored: 86..84\n    reads:  { a: 1, b: 1, c?: 1, px: { x: 1 } }",
            "    ignored: 86..84, 79\n    reads:  { a: 1, b: 1, c?: 1, px: { x: 1 } }",
        ),
        ("errata: ampere.errata.yaml\n", ""),
    ];
    for (right, wrong) in others {
        assert!(text.contains(right), "{right}");
        text = text.replace(right, wrong);
    }
    let path = folder.join("mistaken.yaml");
    fs::write(&path, text).expect("the folder for tests can be written to");
    path
}

fn verify(spec: &Path, arguments: &[&str]) -> Output {
    let oracle = format!("'{}' disasm ampere", env!("CARGO_BIN_EXE_isagen"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_isagen"));
    command.arg("verify").arg(spec).args(["--oracle", &oracle, "--count", "30000"]).args(arguments);
    command.output().expect("isagen starts")
}

#[test]
fn every_mistake_is_told() {
    let output = verify(&mistaken(), &[]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}{report}", String::from_utf8_lossy(&output.stderr));
    for mistake in MISTAKES {
        let mut heads = report.lines().filter(|line| !line.starts_with(' '));
        let is_told = heads.any(|head| mistake.told.iter().all(|told| head.contains(told)));
        assert!(is_told, "{} is not told:\n{}{report}", mistake.what, String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_right_specification_has_no_disagreement() {
    let output = verify(&specs().join("ampere.yaml"), &["--seed", "7", "--json"]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}{report}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(report.lines().count(), 1, "{report}");
    assert!(report.contains("\"unseen\":[]"), "{report}");
}

/// `isagen new acme` in a folder of its own, and the result of `verify acme.yaml` with more arguments: its status, its output,
/// and the errors.
fn verify_acme(folder: &str, spec: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    fs::write(folder.join("acme.yaml"), include_str!("../src/commands/new.yaml").replace("NAME", "acme")).expect("written");
    fs::write(folder.join("cut.yaml"), "isa: cut\nextends: acme.yaml\ninstructions: { cmp: ~, jump: ~ }\n").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_isagen"));
    let output = command.args(["verify", spec]).args(arguments).current_dir(&folder).output().expect("isagen starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The output of an oracle, its time and the number of its starts are all limited.
#[cfg(unix)]
#[test]
fn oracles_are_bounded() {
    let begun = std::time::Instant::now();
    for (oracle, told) in [
        ("yes", "bytes to standard output for 50"),
        ("cat /dev/zero", "words: \\u{0}"),
        ("tr '\\0' x < /dev/zero", "words: xxx"),
        ("yes >&2", "bytes to standard error for 50"),
        ("sleep 1000", "`sleep 1000` did not end within 1 second, for 50"),
        ("sleep 1000 & cat > /dev/null", "did not end within 1 second"),
        ("head -1", "did not print a line for each word, "),
        ("read line; exit 3", "prints no text for any word: 0 lines for "),
        ("sleep 0.1; head -1", "did not print a line for each word, "),
    ] {
        // With more words, an oracle that prints one line is started too often, however fast it is.
        let count = if oracle.ends_with("head -1") { "4000" } else { "1000" };
        let arguments = ["--oracle", oracle, "--count", count, "--threads", "2", "--timeout", "1"];
        let (status, out, err) = verify_acme("bounded", "acme.yaml", &arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{oracle}: {err}");
        assert!(err.starts_with("error: ") && err.contains(told), "{oracle}: {err}");
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// Words without an instruction in the specification are grouped by the oracle's mnemonic.
#[test]
fn what_is_missing_has_the_mnemonic_of_the_oracle() {
    let oracle = format!("'{}' disasm acme.yaml", env!("CARGO_BIN_EXE_isagen"));
    let (status, report, _) = verify_acme("missing", "cut.yaml", &["--oracle", &oracle, "--count", "30000"]);
    assert_eq!(status, Some(1), "{report}");
    let heads: Vec<&str> = report.lines().filter(|line| line.contains("refused by the specification alone")).collect();
    assert!(heads.iter().all(|head| head.starts_with("cmp:") || head.starts_with("jump:")), "{report}");
    assert_eq!(heads.len(), 2, "{report}");
    let (_, lines, _) = verify_acme("missing", "cut.yaml", &["--oracle", &oracle, "--count", "30000", "--json"]);
    assert!(lines.contains("{\"kind\":\"refused\",\"forms\":[],\"mnemonic\":\"jump\",\"about\":[],"), "{lines}");
}

/// Even with few words, those with the values of enumerations come first.
#[test]
fn enumerated_values_are_tried_first() {
    let oracle = format!("'{}' disasm acme.yaml", env!("CARGO_BIN_EXE_isagen"));
    let (status, report, _) = verify_acme("values", "acme.yaml", &["--oracle", &oracle, "--count", "40"]);
    assert_eq!(status, Some(0), "{report}");
    assert!(report.contains("7 of 7 enumerated values (100 %)"), "{report}");
    let (_, report, _) = verify_acme("values", "acme.yaml", &["--oracle", "sed 's/.*/!/'", "--count", "40"]);
    assert!(
        report.ends_with("no word with Size=0, Size .b, Size .h, Compare .eq, Compare .ne, Compare .lt and 1 more\n"),
        "{report}"
    );
}

/// `isagen new acme` without its instruction cmp, and the other files that a draft of it needs.
#[test]
fn a_draft_is_a_good_entry() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("draft");
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let isagen = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_isagen")).args(arguments).current_dir(&folder).output();
        let output = output.expect("isagen starts");
        (output.status.code(), format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
    };
    fs::write(folder.join("acme.yaml"), include_str!("../src/commands/new.yaml").replace("NAME", "acme")).expect("written");
    fs::write(folder.join("cut.yaml"), "isa: cut\nextends: acme.yaml\ninstructions: { cmp: ~, jump: ~ }\n").expect("written");
    let oracle = format!("'{}' disasm acme.yaml", env!("CARGO_BIN_EXE_isagen"));
    let draft = |opcodes: &[&str], bits: &str| {
        let ends =
            [&["verify", "cut.yaml", "--oracle", &oracle, "--format", "word", "--opcode", bits, "--draft"], opcodes].concat();
        isagen(&ends)
    };
    let drafted = |opcodes: &[&str], bits: &str| {
        let (status, text) = draft(opcodes, bits);
        assert_eq!(status, Some(0), "{text}");
        text
    };
    let (cmp, jump) = (drafted(&["e"], "31..26,13"), drafted(&["20"], "31..26"));
    // From a word of the opcode, whatever its guard.
    let from_word = drafted(&["80000010"], "31..26");
    assert!(from_word.contains("text: \"jump {to}\"\n    # drafted from 0x83000010  jump 0x44\n"), "{from_word}");
    // An opcode without a text does not end the run.
    let (status, text) = draft(&["3f", "20"], "31..26");
    let (out, err) = text.split_once("error").unwrap_or_default();
    assert_eq!((status, out), (Some(1), jump.as_str()), "{text}");
    assert!(err.starts_with(": the oracle has no text for any of ") && err.contains(" with 31..26=0x3f"), "{text}");
    // Opcodes of one mnemonic form one entry.
    let both = drafted(&["e", "f"], "31..26,13");
    let parts = [
        "  cmp:\n    extends: word\n    fix: { op: 0x7, 19: 0x0 }\n    fields:\n      mode: '21..20 cmp_mode'\n",
        "    choose:\n      kind:\n        xe:\n          fix: { 13: 0x0, 7..0: 0x0 }\n",
        "        xf:\n          fix: { 13: 0x1 }\n          fields:\n            imm: '12..0 signed'\n          text: \"{imm}\"\n",
        "    text: \"cmp{mode} {p}, {r_14}, {kind}\"\n",
    ];
    assert!(parts.iter().all(|part| both.contains(part)), "{both}");
    for (draft, parts) in [
        (&cmp, ["'23..22 P'", "0: { text: \".eq\"", "3: { text: \".ge\"", "'18..14 R'"]),
        (&jump, ["'23..0 signed *4 target(4)'", "extends: word", "fix: { op: 0x20 }", "text: \"jump {to}\""]),
    ] {
        assert!(parts.iter().all(|part| draft.contains(part)), "{draft}");
    }
    fs::write(folder.join("cmp.yaml"), both).expect("written");
    fs::write(folder.join("jump.yaml"), jump).expect("written");
    let with = fs::read_to_string(folder.join("cut.yaml")).expect("read") + "include: [cmp.yaml, jump.yaml]\n";
    fs::write(folder.join("with.yaml"), with).expect("written");
    let (status, text) = isagen(&["check", "with.yaml"]);
    assert_eq!(status, Some(0), "{text}");
    // The drafts give the same texts as the instructions.
    let (_, text) = isagen(&["verify", "with.yaml", "--oracle", &oracle, "--count", "4000", "--json"]);
    let is_drafted = |line: &&str| line.contains("\"forms\":[\"jump") || line.contains("\"forms\":[\"cmp");
    assert_eq!(text.lines().find(is_drafted), None, "{text}");
}

/// Opcodes without a form that the oracle has.
#[test]
fn missing_opcodes_are_listed() {
    let oracle = format!("'{}' disasm acme.yaml", env!("CARGO_BIN_EXE_isagen"));
    let missing = |spec: &str, arguments: &[&str]| {
        let all = [&["--oracle", &oracle, "--missing", "--opcode", "31..26"], arguments].concat();
        verify_acme("opcodes", spec, &all)
    };
    let (status, out, err) = missing("cut.yaml", &[]);
    let heads: Vec<&str> = out.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        (status, heads),
        (Some(1), vec!["0x7  cmp", "0x20  jump", "2 opcodes with a text, of 62 that no form has"]),
        "{out}{err}"
    );
    let (_, out, _) = missing("cut.yaml", &["--json"]);
    assert!(out.contains("{\"opcode\":\"0x20\",\"mnemonics\":[\"jump\"],\"word\":\"0x83000000\",\"text\":\"jump 0x"), "{out}");
    let (status, out, err) = missing("acme.yaml", &[]);
    assert_eq!((status, out.as_str()), (Some(0), "0 opcodes with a text, of 60 that no form has\n"), "{err}");
    let (status, _, err) = verify_acme("opcodes", "acme.yaml", &["--oracle", &oracle, "--missing", "--opcode", "31..10"]);
    assert!(status == Some(2) && err.contains("opcodes of 22 bits are more than can be tried: at most 16"), "{err}");
    let (status, _, err) = verify_acme("opcodes", "acme.yaml", &["--oracle", &oracle, "--opcode", "31..26"]);
    assert!(status == Some(2) && err.contains("--opcode is for `--draft` and `--missing`"), "{err}");
}

/// Files in a folder of their own, and the command there: its status, its output, and the errors.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("the folder for tests can be written to");
        let folder = Self(folder);
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("written");
    }

    fn isagen(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_isagen")).args(arguments).current_dir(&self.0).output();
        let output = output.expect("isagen starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    /// The draft of opcodes of `pick.yaml`, for a specification that lacks them.
    fn draft(&self, spec: &str, opcodes: &[&str]) -> (Option<i32>, String, String) {
        let oracle = format!("'{}' disasm pick.yaml", env!("CARGO_BIN_EXE_isagen"));
        self.isagen(&[&["verify", spec, "--oracle", &oracle, "--opcode", "31..28", "--draft"], opcodes].concat())
    }
}

/// Two instructions that a bit tells apart, and one with an operand that may be hidden, with a sign, and with one that a flag
/// shows.
const PICK: &str = r#"
isa: pick
word: 32
registers: { R: { index: 3, width: 16, text: "r{n}" }, Q: { index: 2, width: 1, text: "q{n}", special: { 3: qt } } }
formats:
  base: { fields: { op: 31..28, late: 27 }, text: "{body}", full: "[{late}]", control: { reuse: late } }
instructions:
  dense: { extends: base, mnemonic: foo, fix: { op: 1, 8: 0 }, fields: { a: 2..0 R }, rest: ignored, text: "foo.dense {a}" }
  sparse: { extends: base, mnemonic: foo, fix: { op: 1, 8: 1, 7: 0 }, fields: { a: 2..0 R, b: 5..3 R }, rest: ignored, text: "foo.sparse {a}, {b}" }
  pick:
    extends: base
    fix: { op: 2 }
    fields: { a: 2..0 R, b: 5..3 R, q: 7..6 Q = qt, not: '8 "!"', x: 9, c: 12..10 R, kept: '13 ".reuse"' }
    rest: ignored
    text: "pick{kept} {a}, <{not}{q}, >{b}<when x: , {c}>"
  bar: { extends: base, fix: { op: 3 }, fields: { a: 2..0 R }, rest: ignored, text: "bar {a}" }
"#;
const PICK_CUT: &str = "isa: cut\nextends: pick.yaml\ninstructions: { dense: ~, sparse: ~, pick: ~ }\n";
const PICK_MINE: &str = "isa: mine\nextends: cut.yaml\ninclude: draft.yaml\n";

/// The words that a draft is made from have the same text with it, although a bit leads to another instruction.
#[test]
fn a_draft_reads_its_own_words() {
    let folder = Folder::new("drafted", &[("pick.yaml", PICK), ("cut.yaml", PICK_CUT), ("mine.yaml", PICK_MINE)]);
    // Twice the same word is one draft.
    let (status, draft, err) = folder.draft("cut.yaml", &["10000000", "10000108", "10000108"]);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{draft}");
    for part in [
        "        x1:\n          fix: { 8: 0x0 }\n          text: \".dense {r_0}\"\n",
        "        x1_2:\n          fix: { 8..7: 0x2 }\n          fields:\n            r_3: '5..3 R'\n          text: \".sparse {r_0}, {r_3}\"\n",
        "# bit 8 is fixed, since it makes it: foo.sparse r0, r0 (another draft, from 0x10000100)\n",
        "    rest: unknown\n    text: \"foo{kind}\"\n",
    ] {
        assert!(draft.contains(part), "{part}{draft}");
    }
    assert!(!draft.contains("x1_3"), "{draft}");
    folder.write("draft.yaml", &draft);
    let (status, out, err) = folder.isagen(&["check", "mine.yaml"]);
    assert_eq!(status, Some(0), "{out}{err}");
    // The format adds a text that the oracle doesn't have.
    folder.write("late.yaml", "isa: late\nextends: cut.yaml\nformats: { base: { text: \"{body} late\" } }\n");
    let (status, out, err) = folder.draft("late.yaml", &["10000000"]);
    let told = "with this draft, 0x10000000 is `foo.dense r0 late`, not `foo.dense r0`";
    assert!(status == Some(1) && out.ends_with(&format!("# {told}\n")) && err.contains(told), "{out}{err}");
    // The specification has the instruction already.
    let (status, out, _) = folder.draft("pick.yaml", &["10000000"]);
    assert!(status == Some(1) && out.contains("\n# `isagen check` reports: "), "{out}");
}

/// An operand with a sign, a hidden one, bits that are not printed, and names that the format has.
#[test]
fn a_draft_knows_signs_defaults_and_names() {
    let folder = Folder::new("signs", &[("pick.yaml", PICK), ("cut.yaml", PICK_CUT), ("mine.yaml", PICK_MINE)]);
    let (status, draft, err) = folder.draft("cut.yaml", &["20001cc8"]);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{draft}");
    let expected = "instructions:\n  pick:\n    extends: base\n    fix: { op: 0x2 }\n    fields:\n      reuse_13: '13 \".reuse\"'\n      \
                    r_0: '2..0 R'\n      not: '8 \"!\"'\n      q: '7..6 Q = qt'\n      r_3: '5..3 R'\n      r7: '9 \", r7\"'\n      \
                    unprinted: '12..10 = 0x7'\n    rest: unknown\n    text: \"pick{reuse_13} {r_0}, <{not}{q}, >{r_3}{r7}\"\n    \
                    # `r7` may be a field: draft again from 0x20001ec8\n    # drafted from 0x20001cc8  pick r0, r1\n";
    assert_eq!(draft, expected);
    folder.write("draft.yaml", &draft);
    folder.write("words.hex", "20001cc8\n20001c08\n20001dc8\n");
    let (_, out, err) = folder.isagen(&["disasm", "mine.yaml", "words.hex"]);
    assert_eq!(out, "pick r0, r1\npick r0, q0, r1\npick r0, !qt, r1\n", "{err}");
}

/// A group names the bits that matter and no others, as ranges, and bits beside one field of a form are one group.
#[test]
fn groups_are_about_what_matters() {
    let folder = Folder::new("matters", &[("pick.yaml", PICK)]);
    folder.write(
        "mine.yaml",
        "isa: mine\nextends: pick.yaml\ninstructions:\n  pick: { fields: { c: ~ }, text: \"pick{kept} {a}, <{not}{q}, >{b}<when x: , r0>\" }\n",
    );
    let oracle = format!("'{}' disasm pick.yaml", env!("CARGO_BIN_EXE_isagen"));
    let (status, report, err) = folder.isagen(&["verify", "mine.yaml", "--oracle", &oracle, "--count", "3000"]);
    assert_eq!(status, Some(1), "{report}{err}");
    let heads: Vec<&str> = report.lines().filter(|line| line.starts_with("pick: ")).collect();
    let about = |head: &&str| head.rsplit_once(", ").map(|(about, _)| about.to_owned());
    let about: Vec<String> = heads.iter().filter_map(about).collect();
    assert!(about.contains(&"pick: two texts: `x` 9, bits 12..10".to_owned()), "{report}");
    assert!(about.len() <= 2 && about.iter().all(|about| about.starts_with("pick: two texts: `x` 9")), "{report}");
}

/// Words of named forms only: a mistake elsewhere is not told.
#[test]
fn words_of_named_forms() {
    let oracle = format!("'{}' disasm acme.yaml", env!("CARGO_BIN_EXE_isagen"));
    let only = |spec: &str, names: &str, arguments: &[&str]| {
        verify_acme("only", spec, &[&["--oracle", &oracle, "--count", "2000", "--only", names], arguments].concat())
    };
    let (status, report, err) = only("acme.yaml", "add,cmp.imm", &[]);
    assert_eq!(status, Some(0), "{report}{err}");
    let lines: Vec<&str> = report.lines().collect();
    let of_form =
        |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)?.split(' ').next()?.replace(',', "").parse().ok());
    let counts = ["add.reg: ", "add.imm: ", "cmp.imm: "].map(|name| of_form(name).unwrap_or(0usize));
    assert!(counts.iter().all(|count| *count > 400) && counts.iter().sum::<usize>() <= 2001, "{report}");
    assert!(report.contains("seen with one text: 3 of 3 forms (100 %)") && !report.contains("no word of"), "{report}");
    let (_, line, _) = only("acme.yaml", "jump", &["--json"]);
    assert!(line.contains("\"forms\":[1,1]") && line.contains("\"only\":{\"jump\":["), "{line}");
    // `cut.yaml` lacks cmp and jump.
    let (status, report, err) = only("cut.yaml", "add", &[]);
    assert_eq!(status, Some(0), "{report}{err}");
    let (status, _, err) = only("acme.yaml", "add,jmp", &[]);
    assert_eq!(status, Some(2));
    assert_eq!(err, "error: `jmp` is no form, instruction or mnemonic of acme\nhelp: similar names: cmp, jump\n");
}

/// A harness whose other machine is isagen with the shipped rv64gc, in a folder of its own.
fn harness_of_isagen(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).expect("the folder for tests can be written to");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/isa-verify/src/run");
    fs::copy(own.join("riscv.s"), folder.join("riscv.s")).expect("the program is there");
    let board = r#"{ "regions": { "ram": { "at": "0x80000000", "size": "0x1000000" }, "uart": { "at": "0x10000000", "device": "uart16550" } } }"#;
    fs::write(folder.join("board.json"), board).expect("written");
    let text = fs::read_to_string(own.join("qemu-system-riscv64.yaml")).expect("the harness is there");
    let (before, rest) = text.split_once("command: >-\n").expect("a command");
    let (_, after) = rest.split_once("\nprogram: ").expect("a program");
    let (isagen, board) = (env!("CARGO_BIN_EXE_isagen"), folder.join("board.json"));
    let command = format!(
        "'{isagen}' run rv64gc {{}} --host none --base 0x80000000 --machine '{}' 2>/dev/null </dev/null",
        board.display()
    );
    let path = folder.join("isagen.yaml");
    fs::write(&path, format!("{before}command: >-\n  {command}\nprogram: {after}")).expect("written");
    path
}

/// Random programs show what a specification does otherwise, as short as it can be.
#[cfg(unix)]
#[test]
fn execution_is_compared() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("execution");
    let harness = harness_of_isagen(&folder);
    let run = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_isagen"));
        command.arg("verify").arg(folder.join(name)).arg("--run").arg(&harness).args(["--count", "25", "--seed", "3"]);
        let output = command.output().expect("isagen starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    assert_eq!(run("right.yaml", "isa: right\nextends: rv64gc\n"), (Some(0), "25 programs: 0 differ\n".to_owned()));
    // Floats of double precision are executed while they are off.
    let (status, report) = run("wrong.yaml", "isa: wrong\nextends: rv64gc\ngroups: { D: { guard: ~ } }\n");
    assert_eq!(status, Some(1), "{report}");
    assert!(report.starts_with("0x80000") && report.contains("\n    traps: ") && report.contains("\n25 programs: "), "{report}");
}

#[test]
#[ignore = "needs qemu-system-riscv64 and qemu-system-riscv32"]
fn riscv_is_what_qemu_executes() {
    for (spec, oracle) in [("rv64gc", "qemu-system-riscv64"), ("rv32gc", "qemu-system-riscv32")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isagen"));
        let output = command.args(["verify", spec, "--run", oracle, "--count", "1000"]).output().expect("isagen starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "1,000 programs: 0 differ\n");
    }
}
