//! Natural mistakes in writing RV64GC: each is one finding that says what to do, or one message of the assembler.

use isa_reference::codec::Codec;
use isa_reference::lint;
use isa_spec::diag::render_terminal;
use isa_spec::{Loaded, load_texts};
use std::fs;
use std::path::Path;

/// The files of the specification.
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs");
    let mut paths = vec!["rv64gc.yaml".to_string()];
    let parts = fs::read_dir(folder.join("riscv")).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    paths.extend(parts.map(|name| format!("riscv/{}", name.to_string_lossy())));
    paths.into_iter().map(|path| (fs::read_to_string(folder.join(&path)).map(|text| (path, text))).expect("a file")).collect()
}

fn loaded(files: &[(String, String)]) -> Loaded {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    load_texts("rv64gc.yaml", &files)
}

/// A file, a piece of it, the same with a mistake, and the message about it.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    // A field that a format leaves to its instructions.
    (
        "i",
        "slti: { also: \"slt {rd},{rs1},{imm}\", extends: immediate, fix: { opcode: 0x13, funct3: 2 }",
        "slti: { also: \"slt {rd},{rs1},{imm}\", extends: immediate, fix: { opcode: 0x13 }",
        "slti does not fix `funct3`, and all other instructions of the format `immediate` do: `fix: { funct3: … }`",
    ),
    ("i", "fix: { opcode: 0x13, funct3: 2 }", "fix: { opcode: 0x13, func3: 2 }", "did you mean `funct3`?"),
    ("i", "fix: { opcode: 0x13, funct3: 2 }", "fix: { opcode: 0x13, funct3: 9 }", "9 is out of range: 0 to 7"),
    ("i", "reserved: [31..28, 19..15, 11..7]", "reserved: [31..28, 19..15]", "bits 11..7 of `fence` are not assigned"),
    ("i", "sub: { extends: register,", "sub: { extends: register, text: \"sub {rd},{rs1},{rs2}\",", "has no `{body}`"),
    ("i", "sub: { extends: register,", "sub: { extends: regster,", "did you mean `register`?"),
    // Texts and aliases.
    ("i", "is: \"li {rd},{imm}\"", "is: \"li {rd},{im}\"", "did you mean `imm`?"),
    ("i", "{ when: rs1 == zero, is: \"li", "{ when: rs == zero, is: \"li", "there is no field `rs`"),
    ("i", "{ when: rs1 == zero, is: \"li", "{ when: rs1 == zer, is: \"li", "`zer` is not a register of `X`"),
    (
        "i",
        "aliases: [{ when: imm == -1,",
        "aliases: [\"xor {rd},{rs1},{imm}\", { when: imm == -1,",
        "this alias is never printed",
    ),
    ("i", "when: imm == 1,", "when: imm == 4096,", "4096 is out of range: -2048 to 2047"),
    // Compressed instructions.
    ("c", "c_two: { extends: c, fields: { rd: 9..7 Xc", "c_two: { extends: c, fields: { rd: 9..7 (3) X", "`Xc: { of: X"),
    ("c", "Xc: { of: X, from: 8, index: 3 }", "Xc: { of: X, from: 7, index: 3 }", "must begin at a multiple of 8"),
    ("c", "Xc: { of: X, from: 8, index: 3 }", "Xc: { of: Y, from: 8, index: 3 }", "there is no register file `Y`"),
    ("c", "expands: { addi: { rs1: sp } }", "expands: { addi: { rs: sp } }", "did you mean `rs1`?"),
    ("c", "expands: { addi: { rs1: sp } }", "expands: { add1: { rs1: sp } }", "did you mean `addi`?"),
    ("c", "expands: { addi: { rs1: sp } }", "expands: { addi: { rs1: sq } }", "`sq` is not a register of `X`"),
    ("c", "expands: { addi: { rs1: sp } }", "expands: addi", "`rs1` of `addi` has no value here"),
    ("c", "signed wraps(20) hex", "signed wraps(5) hex", "numbers of 6 bits wrap in 6 to 64 bits"),
    ("c", "fields: { rd: 4..2 Xc, imm: 10..7 ++ 12..11", "fields: { rd: 0b01 ++ 4..2 X, imm: 10..7 ++ 12..11", "`Xc: { of: X"),
    // Files, parameters and tables.
    ("m", "include: i.yaml", "include: j.yaml", "j.yaml"),
    ("m", "$wide) *", "$wid) *", "there is no parameter `wid`"),
    ("m", "of: [\"\", su, u], f3: [1, 2, 3]", "of: [\"\", su, u], f3: [1, 2]", "`f3` has 2 of 3 values"),
    ("i", "when: w != d || XLEN == 64", "when: w != d || XLN == 64", "did you mean `XLEN`?"),
    ("i", "\nregisters:\n", "\nregsters:\n", "did you mean `registers`?"),
    // Values.
    ("f", "3: rup, 4: rmm", "3: rup, 4: rup", "`4: { like: 3 }`"),
    ("csr", "else: \"{n:x}\"", "else: \"csr\"", "`SR{n:x}`"),
    // Semantics.
    ("i", "X[rd] = X[rs1] + ext(imm, $XLEN);", "X[rd] = X[rs1] + imm;", "widens the narrower one"),
    ("i", "X[rd] = pc + sext", "X[dr] = pc + sext", "there is no `dr` here"),
];

#[test]
fn a_mistake_in_a_specification_is_one_finding() {
    let good = files();
    let Loaded { isa, diagnostics, .. } = loaded(&good);
    assert!(isa.as_ref().is_some_and(|isa| lint::all(isa).is_empty()) && diagnostics.is_empty(), "it is as it should be");
    let mut wrong = Vec::new();
    for (file, right, mistake, says) in MISTAKES {
        let mut files = good.clone();
        let (_, text) = files.iter_mut().find(|(path, _)| *path == format!("riscv/{file}.yaml")).expect("a file");
        assert!(text.contains(right), "{file}: {right}");
        *text = text.replacen(right, mistake, 1);
        let Loaded { isa, mut diagnostics, files } = loaded(&files);
        diagnostics.extend(isa.iter().flat_map(lint::all));
        let shown: Vec<String> = diagnostics.iter().map(|d| render_terminal(d, &files, false)).collect();
        if shown.len() != 1 || !shown[0].contains(says) {
            wrong.push(format!("{file}: {mistake}\n{} findings, not one with: {says}\n{}", shown.len(), shown.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n\n"));
}

/// Texts that are not instructions, and the messages about them.
const TEXTS: &[(&str, &str)] = &[
    ("call printf", "there is no instruction `call`; did you mean `ecall`?"),
    ("foo a0", "there is no instruction `foo`"),
    ("la a0,foo", "there is no instruction `la`; did you mean `lb`?"),
    ("bgx a0,a1,0x100", "there is no instruction `bgx`; did you mean `bge`?"),
    ("addi a0 a0 1", "expected `,`, found `a0`"),
    ("sub a0,a0,1", "expected a register X, found `1`"),
    ("addi a0,a0,5000", "5000 is out of range: `imm` takes -2048 to 2047"),
    ("lw a0,4(a1", "expected `)`, found the end"),
    ("beq a0,a1,loop", "there is no label `loop`"),
    ("add a0,a1,x32", "there is no `x32`: the last register is `t6`"),
];

#[test]
fn a_mistake_in_a_text_is_said_in_words() {
    let isa = loaded(&files()).isa.expect("it is as it should be");
    let codec = Codec::new(&isa);
    let said = |text: &str| codec.parse(text, 0, &|_| None).err().map_or("nothing".to_string(), |error| error.to_string());
    let wrong: Vec<String> =
        TEXTS.iter().filter(|(text, says)| said(text) != *says).map(|(text, _)| format!("`{text}`: {}", said(text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
