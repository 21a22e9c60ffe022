//! Programs: `eval`, `run`, text-only instruction sets; help.

use super::session::{SMALL, Session, with_tiny};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// A machine with registers, halves of them, predicates, flags, values and memory.
const MACHINE: &str = "isa: machine
word: 32
registers:
  R: { index: 4, width: 32, special: { 15: RZ }, zero: RZ }
  RH: { index: 5, width: 16, text: \"R{n}{half}\", halves: [L, H] }
  P: { index: 2, width: 1, special: { 3: PT }, one: PT }
machine:
  lanes: 32
  spaces: { global: { size: 0x1000 }, const: { banks: 2, read-only: true } }
  views: { RH: R }
  flags: { C: { count: 2, flags: [z, s] }, CC: [x] }
  launch-values: { tid.x: 16 }
  state: { mode: 2 }
  variants: { way: [up, down] }
  guard: P[g]
  after: |
    if ends { exit(); }
formats:
  all: { fields: { op: 31..26, g: 25..24 P = PT, ends: '23 \".E\"' }, text: \"<@{g} >{body}\" }
  three: { extends: all, fields: { d: 3..0 R, a: 7..4 R, b: 11..8 R }, rest: reserved }
instructions:
  ADD: { extends: three, fix: { op: 1 }, text: \"ADD{ends} {d}, {a}, {b}\", semantics: \"let r = R[a] + R[b]; R[d] = r; C[0] = r[31] ++ (r == 0); CC.x = r[0];\" }
  HALF: { extends: all, fix: { op: 2 }, fields: { d: 4..0 RH, a: 9..5 RH }, rest: reserved, text: \"HALF{ends} {d}, {a}\", semantics: \"RH[d] = RH[a] + 1;\" }
  LD: { extends: three, fix: { op: 3 }, text: \"LD{ends} {d}, [{a}], {b}\", semantics: \"R[d] = load.global(R[a], 32) + load.const(1, R[b], 32);\" }
  ST: { extends: three, fix: { op: 4 }, text: \"ST{ends} {d}, [{a}], {b}\", semantics: \"store.global(R[a], R[d] ++ R[b]);\" }
  GO: { extends: all, fix: { op: 5 }, fields: { to: 15..0 signed *4 target(4) }, rest: reserved, text: \"GO{ends} {to}\", semantics: \"branch(next + sext(to, 32));\" }
  VALUE: { extends: three, fix: { op: 6 }, text: \"VALUE{ends} {d}, {a}, {b}\", semantics: \"R[d] = if variant(way) == up { zext(tid.x, 32) } else { lane }; mode = 2;\" }
  LDB: { extends: three, fix: { op: 8 }, text: \"LDB{ends} {d}, [{a}], {b}\", semantics: \"R[d] = zext(load.global(R[a], 8), 32) + R[b];\" }
  VOID: { extends: three, fix: { op: 7 }, text: \"VOID{ends} {d}, {a}, {b}\" }
";

const NUMBERS: &str = r#"isa: numbers
word: 32
registers: { R: { index: 3, width: 32, text: "r{n}" } }
machine: { pc: 32 }
instructions:
  fixed$k:
    for: { k: [1, 2, 3, 4, 5], n: ["1_0", "0o12", "0XA", "+10", "0B1010"] }
    fix: { 31..24: $k, 23..0: $n }
    text: "fixed$k"
  default$k:
    for: { k: [1, 2, 3, 4, 5], n: ["1_0", "0o12", "0XA", "+10", "0B1010"] }
    fix: { 31..24: $(k + 0x1_0) }
    fields: { n: "23..0 = $n" }
    text: "default$k<when n != 0o12: {n}>"
  add:
    fix: { 31..24: 0x80 }
    fields: { d: 23..21 R, n: 15..0 signed }
    reserved: 20..16
    text: "add {d}, {n}"
    semantics: "R[d] = R[d] + sext(n, 32) + 0o1_0 - 0X8;"
"#;

/// Numbers have one form in specifications, statements, expressions, values and options.
#[test]
fn numbers() {
    const FORMS: [&str; 5] = ["1_0", "0o12", "0XA", "+10", "0B1010"];
    const WRONG: [&str; 6] = ["1_", "1__0", "0x", "0b2", "0o8", "5x"];
    let mut s = Session::new("numbers");
    s.file("numbers.yaml", NUMBERS);
    let each = |line: &dyn Fn(&str) -> String| FORMS.map(line).concat();
    let own = |name: &str| (1..=5).map(|k| format!("{name}{k}\n")).collect::<String>();
    let program =
        own("fixed") + &own("default") + &each(&|n| format!("add r1, {n}\n")) + &format!(".word {}\n", FORMS.join(", "));
    s.run_with("isagen asm numbers.yaml", program);
    let cases = each(&|n| format!("add r1, 0\tr1={n}\n")) + &each(&|n| format!("add r1, {n}\tpc={n}\n"));
    s.run_with("isagen eval numbers.yaml", cases);
    s.say("What is no number is refused everywhere.");
    s.run_with("isagen asm numbers.yaml", WRONG.map(|n| format!("add r1, {n}\n.word {n}\n")).concat());
    s.run_with("isagen eval numbers.yaml", WRONG.map(|n| format!("add r1, 0\tr1={n}\n")).concat());
    for wrong in WRONG {
        s.file("wrong.yaml", NUMBERS.replace("0o1_0", wrong).replace("0x1_0", wrong));
        s.run("isagen check wrong.yaml");
    }
    s.end();
}

#[test]
fn eval() {
    let mut s = Session::new("eval");
    s.file("machine.yaml", MACHINE);
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' R2=0x7fffffff R3=1");
    s.run("isagen eval machine.yaml 'GO.E 0x10' pc=0x100");
    s.run("isagen eval machine.yaml 'VALUE R1, R2, R3' tid.x=0x40 --set way=down");
    s.say("One case a line.");
    s.run_with(
        "isagen eval machine.yaml",
        "# a comment\n\
         ADD R1, R2, R3\tR2=-1\tR3=0b10\n\
         ADD RZ, R2, R3\tR2H=0x8000\n\
         @P1 ADD.E R1, R2, R3\tP1=0\n\
         HALF R1H, R2L  // of R1 and R2\tR2=0x1234ffff\tR1=0xabcdabcd\n\
         \n\
         LD R1, [R2], R3\tR2=0x10\tglobal[0x10]=0x11223344\tconst[1][0]=0x01\n\
         ST R1, [R2], R3\tR1=1\tR2=0x20\tR3=2\n\
         VALUE R1, R2, R3\ttid.x=0x40\tmode=1\tC1.s=1\tC0=2\tCC.x=1\tlane=3\n",
    );
    s.say("Faults are reported at their characters.");
    s.run_with(
        "isagen eval machine.yaml",
        "ADD R1, R2\n\
         SUB R1, R2, R3\n\
         VOID R1, R2, R3\n\
         ADD R1, R2, R3\tR2=0x100000000\n\
         ADD R1, R2, R3\tR2=-0x80000001\n\
         ADD R1, R2, R3\tR2=two\n\
         ADD R1, R2, R3\tR2\n\
         ADD R1, R2, R3\tR2=1\tR3=1\tR2=2\n\
         ADD R1, R2, R3\tRZ=1\n\
         ADD R1, R2, R3\tR16=1\n\
         ADD R1, R2, R3\tanything=1\n\
         ADD R1, R2, R3\tC2=1\n\
         ADD R1, R2, R3\tglobl[0x10]=1\n\
         ADD R1, R2, R3\tglobal[0x1000]=1\n\
         ADD R1, R2, R3\tconst[0x10]=1\n\
         ADD R1, R2, R3\tconst[2][0x10]=1\n\
         ADD R1, R2, R3\tlane=32\n\
         LD R1, [R2], R3\tR2=0x11\n\
         LD R1, [R2], R3\tR2=0x1000\n\
         LDB R1, [R2], R3\tR2=0x1000\n",
    );
    s.say("On either engine.");
    let cases = "IADD3 R1, P0, P1, R2, R3, R4\tR2=-1\tR3=-1\tR4=-1\n\
                 STL.64 [R2+0x10], R4\tR2=0x100\tR4=1\tR5=2\n\
                 IMAD R1, R2, c[0x3][0x20], RZ\tR2=3\tconst[3][0x20]=0x10\n\
                 @P0 BRA 0x50\tP0=1\tpc=0x40\n\
                 LDL.64 R2, [R1]\tR1=4\n";
    let compiled = s.run_with("isagen eval ampere --engine compiled", cases);
    assert_eq!(s.run_with("isagen eval ampere --engine reference", cases), compiled);
    s.run("isagen eval flexgrip 'SHR.S32.C0 R1, R2, 0x1' R2=0x80000001");
    s.run("isagen eval flexgrip 'FMAD R1, R2, R3, R4' R2=0x3f800001 R3=0x3f800001 R4=0xbf800002 --set fmad=rounded");
    s.run("isagen eval flexgrip 'GLD.U32 R1, global14[R2]' R2=0xfffffff0 global[0xfffffff0]=0x12345678");
    s.run("isagen eval flexgrip 'GLD.U32 R1, global14[R2]' R2=0xfffffff0 --engine compiled");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --engine compiled");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --set wy=up");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --set way=sideways");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --set way");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' R4=x --diagnostics json");
    // A floating-point number by its class: a signalling NaN, and a single that is not boxed.
    s.run("isagen eval rv64gc 'fclass.d a0,fa0' fa0=0x7ff0000000000001");
    s.run("isagen eval rv64gc 'fclass.s a0,fa0' fa0=0x3f800000");
    // A scaled product is rounded once: it may be too large before, or subnormal.
    s.run("isagen eval sm80 'FMUL.D8 R0, R1, R2' R1=0x7f000000 R2=0x40800000");
    s.run("isagen eval sm80 'FMUL.M8 R0, R1, R2' R1=0x00000001 R2=0x3f000000 --engine reference");
    s.run("isagen eval sm80 'FMUL.D2 R0, R1, R2' R1=0x00c00001 R2=0x3f800000");
    s.run("isagen eval sm80 'FMUL.FTZ.D2 R0, R1, R2' R1=0x00c00001 R2=0x3f800000");
    s.end();
}

#[test]
fn run() {
    let mut s = Session::new("run");
    s.file("small.yaml", SMALL);
    let program = "        get r1, 0      # the thread's number\n        load r0, 2     # the parameter's high half\n        add r0, 5\n        add r1, 0\n        add r2, 4\n\
                   0x0a:   store r2, 0    # a comment\n        stop r0, 0\n";
    s.file("program.s", program);
    s.run("isagen run small.yaml program.s --dump 0x4+2 --param 0x70000");
    let words = s.run("isagen asm small.yaml program.s");
    s.file("program.hex", &words);
    let bytes: Vec<u8> = words.lines().flat_map(|w| u16::from_str_radix(w, 16).expect("a word").to_le_bytes()).collect();
    s.file("program.bin", bytes);
    s.run("isagen run small.yaml program.bin --dump 0x4+1 --dump 8+1 --stats --block 2 --param 0");
    s.run("isagen run small.yaml program.hex --block 2 --param 0 --set step=two --trace --dump 8+1");
    s.run("isagen run small.yaml program.hex --grid 2 --param 0 --threads 4000000000 --stats");
    s.say("A launch file says it all; options go before it.");
    s.file("global.hex", "11111111 # where a thread writes\n\n0x22222222\n33333333\n");
    s.file("expect.hex", "22222222\n00000005\n");
    s.file(
        "launch.json",
        "{ \"name\": \"kernel\", \"program\": \"program.hex\", \"block\": [3, 1], \"grid\": 2, \"params\": [\"0x0\", 0],\n  \"constant\": { \"1\": \"ff00\" }, \"global_memory\": \"global.hex\",\n  \"expect\": { \"address\": \"0x0\", \"words\": \"expect.hex\", \"source\": \"by hand\" } }\n",
    );
    s.run("isagen run small.yaml --launch launch.json");
    s.file("expect.hex", "11111111\n00000005\n");
    s.run("isagen run small.yaml --launch launch.json --stats");
    s.run("isagen run small.yaml --launch launch.json --param 0x10000 --dump 0+1");
    s.run("isagen run small.yaml --launch launch.json --set step=two --diagnostics json");
    s.say("Launches that are refused.");
    s.file("bad.json", "{ \"girds\": 2 }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{ \"program\": \"program.hex\",\n  \"blck\": [1] }\n");
    s.run("isagen run small.yaml --launch bad.json");
    s.file("more.json", "{ \"program\": \"program.s\",\n  \"date\": \"today\" }\n");
    s.run("isagen run small.yaml --launch more.json --param 0");
    s.file("bad.json", "{ \"program\": \"program.hex\",\n  \"params\": [\"1\", \"twelve\"] }\n");
    s.run("isagen run small.yaml --launch bad.json");
    s.file("bad.json", "{ \"grid\": [1, 2, 3, 4] }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{ \"expect\": { \"address\": 0 }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{ \"expect\": { \"address\": 0 } }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{}");
    s.run("isagen run small.yaml --launch bad.json");
    s.file("bad.json", "");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.run("isagen run small.yaml program.s --launch none.json");
    s.run("isagen run small.yaml");
    s.run("isagen run small.yaml program.s --block 17");
    s.run("isagen run small.yaml program.s --block 0");
    s.run("isagen run small.yaml program.s --block x");
    s.run("isagen run small.yaml program.s --const 2=ff");
    s.run("isagen run small.yaml program.s --const 1=f");
    s.run("isagen run small.yaml program.s --size locl=4");
    s.run("isagen run small.yaml program.s --size shared=65");
    s.run("isagen run small.yaml program.s --dump 0x10000+1 --param 0");
    s.run("isagen run small.yaml program.s --set step=three");
    s.run("isagen run small.yaml program.s --engine compiled");
    s.file("params.json", format!("{{ \"params\": [{}] }}", vec!["1"; 17].join(", ")));
    s.run("isagen run small.yaml program.s --launch params.json");
    s.file("global.hex", "1\n2 3\n");
    s.run("isagen run small.yaml program.s --global global.hex");
    s.say("Programs that are refused.");
    s.run("isagen run small.yaml none.s");
    s.file("bad.s", "set r1, 1\nset r1\n");
    s.run("isagen run small.yaml bad.s");
    s.file("bad.hex", "0001\n12345\n");
    s.run("isagen run small.yaml bad.hex");
    s.file("bad.hex", "0: 0001\n0: 0001\n");
    s.run("isagen run small.yaml bad.hex");
    s.file("bad.hex", "0: 0001\n3: 0001\n");
    s.run("isagen run small.yaml bad.hex");
    s.file("empty.s", "# nothing\n");
    s.run("isagen run small.yaml empty.s");
    s.run("isagen run tiny.yaml program.s");
    s.end();
}

#[test]
fn faults() {
    let mut s = Session::new("faults");
    s.file("small.yaml", SMALL);
    let mut fault = |name: &str, program: &str, options: &str| {
        s.file(&format!("{name}.s"), program);
        s.run(&format!("isagen run small.yaml {name}.s{options}"));
    };
    fault("outside", "set r1, 0x3fc\nadd r1, 0x3fc\nget r2, 0\nstore r1, 0x3fc\nstop r0, 0\n", " --size global=0xbf6 --block 3");
    fault("misaligned", "get r1, 0\nstore r1, 4\n", " --block 4");
    fault("no-instruction", "jump r0, 0x100\n", "");
    fault("inside", "jump r0, 1\n", "");
    fault("past-the-end", "set r0, 1\n", " --block 6");
    fault("for-ever", "jump r0, 0\n", " --limit 1000 --grid 2");
    fault("join", "join r0, 0\n", "");
    fault("deep", "meet r0, 0\njump r0, 0\n", "");
    fault("trap", "trap r0, 0\n", " --diagnostics json");
    fault("barrier", "get r0, 0\nloop r0, 6\nwait r0, 1\nwait r0, 2\nstop r0, 0\n", " --block 8");
    fault("apart", "get r0, 0\nadd r0, 2\nloop r0, 8\nset r1, 1\nwait r0, 1\nstop r0, 0\n", " --block 4");
    s.file("undecodable.hex", "0000\nf000\n");
    s.run("isagen run small.yaml undecodable.hex");
    s.say("Parameters that the launch does not have.");
    s.file("sum.s", "MOV R1, g[0x4]\nMOV R2, g[0x5]\nRET\n");
    s.file("constant.s", "MOV R1, c[0x0][0x160]\nMOV R2, c[0x0][0x168]\nRET.REL.NODEC R20 0x0\n");
    for engine in ["compiled", "reference"] {
        s.run(&format!("isagen run flexgrip sum.s --param 1 --block 33 --engine {engine}"));
        s.run(&format!("isagen run flexgrip sum.s --param 1 --param 2 --block 33 --engine {engine} --stats"));
        s.run(&format!("isagen run ampere constant.s --param 1 --param 2 --engine {engine}"));
        s.run(&format!("isagen run ampere constant.s --param 1 --param 2 --param 3 --engine {engine} --stats"));
    }
    s.say("The compiled engine says the same.");
    s.file("jump.hex", "10000003\n00000780\n");
    for engine in ["compiled", "reference"] {
        s.run(&format!("isagen run flexgrip jump.hex --limit 20 --engine {engine}"));
    }
    s.end();
}

/// Instructions with `=`, and assignments.
#[test]
fn assignments() {
    let mut s = Session::new("assignments");
    s.file(
        "equals.yaml",
        "isa: equals\nword: 8\nenums:\n  To: [\"\", \"M=\", \"D=\", { text: \"MD=\", also: [\"DM=\"] }]\n  \
         What: [\"0\", \"1\", \"-1\", D, M, \"D+1\", \"M+1\", \"D+M\"]\ninstructions:\n  \
         compute: { fix: { 7..5: 1 }, fields: { to: 4..3 To, what: 2..0 What }, text: \"{to}{what}\" }\n",
    );
    s.run_with(
        "isagen asm equals.yaml",
        "D=M+1\nDM=1\nx = 3\ny=x+1\n.byte y\nD=M+2\nDM=2\nM = 1\nD = M + 1\nd=m+1\nz = nothing\n",
    );
    s.run("isagen explain equals.yaml D=M+2");
    s.say("The words of one instruction are taken from another one.");
    s.file(
        "taken.yaml",
        "isa: taken\nword: 16\nregisters: { R: { index: 3, width: 16, text: \"r{n}\" } }\ninstructions:\n  \
         li: { fix: { 15..12: 1 }, fields: { d: 11..9 R, n: 8..0 }, text: \"li {d}, {n}\" }\n  \
         add: { fix: { 15..12: 1 }, fields: { d: 11..9 R, a: 8..6 R, b: 5..3 R }, reserved: 2..0, text: \"add {d}, {a}, {b}\" }\n",
    );
    s.run_with("isagen asm taken.yaml", "li r1, 8\nli r1, 9\n");
    s.end();
}

/// Files that are missing, the place of the output, and its format.
#[test]
fn files() {
    let mut s = Session::new("files");
    s.run("isagen run collatz");
    s.run("isagen run ./collatz.elf");
    s.run("isagen run mine.yaml");
    s.run("isagen run rv64gc program.s");
    s.run("isagen run --launch nosuch/launch.json");
    s.file("program.s", "start:  nop\nend:    ret\n");
    s.run("isagen run program.s");
    s.say("`-` is the standard output.");
    s.run("isagen asm rv64gc program.s -o program.elf --symbols -");
    s.run("isagen asm rv64gc program.s --listing - --map -");
    s.run("isagen asm rv64gc program.s -o - --format srec");
    s.run("isagen asm rv64gc program.s -o -");
    assert!(!s.folder.join("-").exists());
    s.say("Formats.");
    s.run("isagen asm rv64gc program.s -o program.hack");
    s.run("isagen asm rv64gc program.s -o program");
    s.end();
}

/// Without `--limit` there is a limit on either engine; a trace that is no longer read ends the run.
#[test]
fn a_loop_without_an_end() {
    let mut s = Session::new("endless-run");
    s.file("small.yaml", SMALL);
    s.file("loop.s", "l: jump r0, 0\n");
    s.file("bra.s", "L: BRA L\n");
    // The time to reach it depends on how isagen was compiled: the help is checked instead.
    let help = s.run("isagen run --help").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("else 2^28, and 2^25 divided by the lanes of a warp on the evaluator"), "{help}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_isagen"))
        .args(["run", "small.yaml", "loop.s", "--trace", "--limit", "0xffffffffffffffff"])
        .current_dir(&s.folder)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("isagen starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    assert_eq!(lines.next().expect("a trace").expect("a line"), "(0, 0, 0) 0  0x0000 1  jump r0, 0x0");
    drop(lines);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A text-only instruction set: texts are read and printed; there are no words.
#[test]
fn text_alone() {
    let mut s = Session::new("text-alone");
    s.run("isagen check ptx-vop4 --deny warnings");
    s.run_with(
        "isagen fmt ptx-vop4",
        "# comments and labels as everywhere, but `;` belongs to the text\n\
         start: vadd4.s32.s32.u32.sat  r1, r2, r3, r1; // the document's first example\n\
         @!%p vmin4.sat.u32.s32.u32 d.b3210 , a .b3210, b.b7654, c ;\n",
    );
    s.say("The document's third example is wrong.");
    s.run_with(
        "isagen fmt ptx-vop4",
        "vmin4.s32.u32.u32.add  r1.b00, r2.b0000, r3.b2222, r1;\nvadd4.u32.u32.u32.sat.add r1, r2, r3, r4;\n",
    );
    s.run_with("isagen fmt --full ptx-vop4", "vabsdiff4.u32.u32.u32 r1, r2, r3.b0123, r4;\n");
    s.say("A name is a register.");
    s.run_with(
        "isagen eval ptx-vop4",
        "vadd4.u32.u32.u32 r1, r2, r3, r4;\tr2=0x01020304\tr3=0x1\tr4=0x0\n\
         @p vsub4.s32.s32.s32.add pc, pc, pc.b3333, pc;\tp=1\tpc=0x01020304\n\
         @p vsub4.s32.s32.s32.add pc, pc, pc.b3333, pc;\tp=0\n\
         vmin4.u32.u32.u32 a, b, c, d;\tr0=1\n",
    );
    s.say("There are no words.");
    s.run_with("isagen disasm ptx-vop4", "0\n");
    s.run_with("isagen asm ptx-vop4", "vadd4.u32.u32.u32 r1, r2, r3, r4;\n");
    s.run("isagen explain ptx-vop4 0");
    s.run("isagen map ptx-vop4");
    s.run("isagen build ptx-vop4 -o out");
    let files = fs::read_dir(s.folder.join("out")).expect("a folder").map(|e| e.expect("a file").file_name());
    let mut files: Vec<_> = files.map(|f| f.to_string_lossy().into_owned()).collect();
    files.sort();
    let named = ["", ".html", ".isat", ".json", ".md"].map(|end| format!("ptx-vop4{end}"));
    assert_eq!(files, [&["index.html".to_owned()], &named[..], &["ptx_vop4.rs".to_owned(), "site".to_owned()]].concat());
    s.end();
}

#[test]
fn completions_and_help() {
    let mut s = with_tiny("usage");
    for (shell, mark) in [
        ("bash", "_isagen()"),
        ("zsh", "#compdef isagen"),
        ("fish", "complete -c isagen"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = s.run(&format!("isagen completions {shell}"));
        assert!(script.contains(mark) && script.contains("disasm"), "{shell}");
    }
    // Their text is clap's, or names the shipped instruction sets: it is checked in part, not compared.
    assert!(s.run("isagen --version").starts_with("isagen "));
    assert!(s.run("isagen --help").contains("Exit status: 0 clean"));
    s.log.clear();
    s.run("isagen completions tcsh");
    s.run("isagen check tiny.yaml --diagnostics xml");
    s.run("isagen explain tiny.yaml");
    s.end();
}
