//! `specs/ptx-vop4.yaml` against ptxas, which decides what is a statement, and against the statements of a reference model:
//! reference codec and generated code read, print and refuse in the same way, and their results are those of the model.

use harness::{Codec, GeneratedText, Warp, WarpEngine, agree_text, amount, ask, generated_text, load, same};
use isa_reference::eval::Reference;
use isa_spec::model::Isa;
use std::path::Path;
use std::sync::LazyLock;

const SPEC: &str = "../specs/ptx-vop4.yaml";
const GENERATED: GeneratedText = generated_text!(generated::ptx_vop4);

static ISA: LazyLock<&Isa> = LazyLock::new(|| load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(SPEC)));

/// The lines of a file of `vectors/`, in columns.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let columns = |line: &str| line.split('\t').map(str::to_string).collect();
    text.lines().filter(|l| !l.starts_with('#')).map(columns).collect()
}

/// A statement in the one way in which it is printed: one blank before the operands, no mask or selector that goes without saying.
fn canonical(statement: &str) -> String {
    let (head, operands) = statement.split_once(' ').expect("a statement has operands");
    let operands: Vec<&str> = operands.trim_end_matches(';').split(',').map(str::trim).collect();
    let usual = [".b3210", ".b3210", ".b7654", ""];
    let operands: Vec<&str> = operands.iter().zip(usual).map(|(o, usual)| o.strip_suffix(usual).unwrap_or(o)).collect();
    format!("{head} {};", operands.join(", "))
}

#[test]
fn reference_codec_and_generated_code_agree() {
    agree_text(SPEC, 100, &GENERATED);
}

#[test]
fn statements_print_in_one_way_and_are_read_back() {
    let list = lines("ptx-vop4.tsv");
    assert_eq!(list.len(), 6_000);
    let codec = Codec::new(&ISA);
    let some: Vec<_> = list.iter().step_by(amount(1, 4)).collect();
    let wrong = ask(&some, |columns| {
        let statement = &columns[0];
        let seen = match same(&codec, &GENERATED, statement) {
            Ok(seen) => seen,
            Err(error) => return Some(format!("`{statement}` is refused: {error}")),
        };
        let again = same(&codec, &GENERATED, &seen.text);
        (seen.text != canonical(statement) || again.as_ref() != Ok(&seen))
            .then(|| format!("`{statement}`: {seen:?}, then {again:?}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// Statements as types: read, changed, given other names, and made from their parts.
#[test]
fn types() {
    use generated::ptx_vop4::{Byte, Guard, Insn, Mask, P, R, Secondary, Selector, Statement, Type, Vadd4};
    // One name is one register.
    let text = "@!p1 vadd4.s32.u32.s32.sat r1.b0, r2, r3.b0123, r1;";
    let read: Statement = text.parse().expect("a statement");
    assert_eq!(read.to_string(), text);
    let Insn::Vadd4(add) = read.insn() else { panic!("a vadd4") };
    assert_eq!((add.dtype(), add.mask(), add.secondary()), (Type::S32, Mask::B0, Secondary::Merge { sat: true }));
    assert_eq!(add.d(), add.c());
    let Guard::Predicate { not: true, p } = add.guard() else { panic!("a guard") };
    assert_eq!([read.name(add.d()), read.name(add.a()), read.name(p)], ["r1", "r2", "p1"]);

    // Changed, and with other names.
    let add = add.edit().secondary(Secondary::Add).mask(Mask::B3210).build().expect("a form");
    let (_, names) = read.into_parts();
    let changed = Statement::new(add.into(), &names).expect("names for all registers");
    assert_eq!(changed.to_string(), "@!p1 vadd4.s32.u32.s32.add r1, r2, r3.b0123, r1;");

    // Made from its parts.
    let [d, a, b, c] = [0, 1, 2, 3].map(R::n);
    let usual = Selector { x: Byte::A3, y: Byte::A2, z: Byte::A1, w: Byte::A0 };
    let made = |asel| Vadd4::new(Guard::Always, Secondary::Merge { sat: false }, d, a, asel, b, usual, c);
    let insn: Insn = made(usual).expect("an instruction").into();
    assert_eq!(insn.to_string(), "vadd4.u32.u32.u32 r0, r1, r2.b3210, r3;");
    let statement = Statement::new(insn, &["%a", "%b", "%c", "%a"]).expect("names for all registers");
    assert_eq!(Ok(statement), "vadd4.u32.u32.u32 %a, %b, %c.b3210, %a;".parse::<Statement>());

    // A combination that can't be written can't be built.
    assert!(made(Selector { x: Byte::A1, y: Byte::A0, z: Byte::A2, w: Byte::B0 }).is_err());
    let error = Statement::new(insn, &["a", "b", "c", "4d", ""]).expect_err("no name");
    assert_eq!(error.to_string(), "the name of register 3 is none that registers R can have");
    let error = Statement::new(insn, &["a", "b", "c"]).expect_err("no name");
    assert_eq!(error.to_string(), "there is no name for register 3");
    assert!(P::new(16).is_err());
}

/// Each statement with values in its registers, on the evaluator and on compiled semantics.
#[test]
fn results_are_those_of_the_reference_model() {
    results(&Reference::new(&ISA).expect("it can be simulated"));
    results(&generated::ptx_vop4::sim::Compiled::new());
}

fn results(engine: &dyn WarpEngine) {
    let codec = Codec::new(&ISA);
    let list = lines("ptx-vop4.tsv");
    assert_eq!(list.len(), 6_000);
    let mut warp = Warp::new(engine, 0);
    for columns in list.iter().step_by(amount(1, 4)) {
        let statement = codec.parse_statement(&columns[0], 0, &|_| None).unwrap_or_else(|e| panic!("`{}`: {e}", columns[0]));
        let number = |name: &str| statement.names.iter().position(|n| n == name).expect("all statements have these names");
        let value = |column: &str| u128::from_str_radix(column, 16).expect("a value");
        for (name, column) in ["r2", "r3", "r4"].iter().zip(&columns[1..]) {
            warp.state_mut().set_register(0, number(name), 0, value(column));
        }
        warp.run(statement.word, ISA.form(statement.form).length, 1);
        assert_eq!(warp.state().register(0, number("r1"), 0), value(&columns[4]), "{}", columns.join(" "));
    }
}

/// The same through `eval` of what is generated, in which operands are values.
#[test]
fn results_of_eval_are_those_of_the_reference_model() {
    let mut parser = generated::ptx_vop4::Parser::new();
    for columns in &lines("ptx-vop4.tsv") {
        let statement = parser.parse_statement(&columns[0]).unwrap_or_else(|e| panic!("`{}`: {e}", columns[0]));
        let value = |i: usize| u32::from_str_radix(&columns[i], 16).expect("a value");
        assert_eq!(statement.insn().eval(value(1), value(2), value(3)), value(4), "{}", columns.join(" "));
    }
}

/// One name is one register, and is read before it is written; a statement whose predicate is false does nothing.
#[test]
fn names_are_registers() {
    let codec = Codec::new(&ISA);
    let reference = Reference::new(&ISA).expect("it can be simulated");
    let mut warp = Warp::new(&reference, 0);
    warp.state_mut().set_register(0, 0, 0, 0x0102_0304);
    let mut run = |text: &str| {
        let statement = codec.parse_statement(text, 0, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e}"));
        warp.run(statement.word, ISA.form(statement.form).length, 1);
        warp.state().register(0, 0, 0)
    };
    assert_eq!(run("vadd4.u32.u32.u32 x, x, x, x;"), 0x0204_0608);
    assert_eq!(run("@p vadd4.u32.u32.u32 x, x, x, x;"), 0x0204_0608);
    assert_eq!(run("@!p vadd4.u32.u32.u32 x, x, x, x;"), 0x0408_0c10);
    assert_eq!(run("vadd4.u32.u32.u32.add x, x, x, x;"), 0x0408_0c10 + 2 * (0x04 + 0x08 + 0x0c + 0x10));
}

#[test]
fn what_ptxas_accepts_is_accepted_and_nothing_else() {
    let list = lines("ptx-vop4-syntax.tsv");
    assert_eq!(list.len(), 347);
    let codec = Codec::new(&ISA);
    for columns in &list {
        let (accepted, statement) = (columns[0] == "1", &columns[4]);
        let seen = same(&codec, &GENERATED, statement);
        assert_eq!(seen.is_ok(), accepted, "`{statement}`: {seen:?}; ptxas: {}", columns[5]);
    }
}

/// Blanks and names that ptxas accepts or refuses, and that the vectors do not have.
#[test]
fn blanks_and_names() {
    let codec = Codec::new(&ISA);
    let read = |text: &str| same(&codec, &GENERATED, text).map(|seen| seen.text);
    for (text, printed) in [
        ("vadd4.u32.u32.u32  r1 .b0 ,r2 .b0123,\tr3, r4 ;", "vadd4.u32.u32.u32 r1.b0, r2.b0123, r3, r4;"),
        ("vadd4.u32.u32.u32 %r1, $x, _y, a_$0;", "vadd4.u32.u32.u32 %r1, $x, _y, a_$0;"),
        ("@!%p vadd4.u32.u32.u32 vadd4, vsub4, p, p;", "@!%p vadd4.u32.u32.u32 vadd4, vsub4, p, p;"),
        ("@vadd4 vsub4.sat.u32.u32.s32 r1, r1, r1, r1;", "@vadd4 vsub4.u32.u32.s32.sat r1, r1, r1, r1;"),
    ] {
        assert_eq!(read(text), Ok(printed.to_string()));
    }
    for text in [
        "vadd4.u32.u32.u32 _, r2, r3, r4;",
        "vadd4.u32.u32.u32 %, r2, r3, r4;",
        "vadd4.u32.u32.u32 1r, r2, r3, r4;",
        "vadd4.u32.u32.u32 r1. b0, r2, r3, r4;",
        "vadd4.u32.u32.u32 r1.b 0, r2, r3, r4;",
        "vadd4.u32.u32.u32$x, r2, r3, r4;",
        "vadd4.u32.u32.u32 r1, r2, r3, r4",
    ] {
        assert!(read(text).is_err(), "`{text}` is {:?}", read(text));
    }
}

/// The caret is under the byte at fault; ptxas says, in this order: "Incorrect video selector for operand 0", the same, "… 1",
/// "Unknown video selector: '.b00000'", "Parsing error near '.b1024': syntax error", "Video selector is not allowed on 'source C'
/// operand", "Illegal combination of .sat and .add modifiers" twice, "Unexpected instruction types specified for 'vadd4'" twice,
/// "Incorrect video selector for operand 2", "Operand negation not allowed for instruction 'vadd4'", "Not a name of any known
/// instruction: 'VADD4'".
#[test]
fn refused_statements_say_why() {
    let codec = Codec::new(&ISA);
    for (text, caret, message) in [
        ("vadd4.s32.s32.s32 r1.b012, r2, r3, r4;", "                    ^", "`.b012` is no Mask (`.b0`, `.b1`, `.b10`, …)"),
        (
            "vadd4.s32.s32.s32.add r1.h0, r2, r3, r4;",
            "                        ^",
            "expected Mask (`.b0`, `.b1`, `.b10`, …) or `,`, found `.h0`",
        ),
        (
            "vadd4.u32.u32.u32 r1, r2.b10, r3, r4;",
            "                            ^",
            "expected `0`, `1`, `2`, `3`, `4`, `5`, `6` or `7` after `.b10`, found `,`",
        ),
        ("vadd4.u32.u32.u32 r1, r2.b00000, r3, r4;", "                              ^", "expected `,` after `.b0000`, found `0`"),
        (
            "vmax4.u32.u32.s32 r1, r2.b1024, r3, r4;",
            "                        ^",
            "vmax4.merge.always: ptxas reads .b1024 as a type, in every version",
        ),
        ("vadd4.u32.u32.u32 r1, r2, r3, r4.b3210;", "                                ^", "c has no selector"),
        ("vadd4.u32.u32.u32.sat.add r1, r2, r3, r4;", "                 ^", ".sat cannot be used with .add"),
        ("@p vadd4.u32.u32.u32.add.sat r1, r2, r3, r4;", "                    ^", ".sat cannot be used with .add"),
        ("vadd4.b32.u32.u32 r1, r2, r3, r4;", "     ^", "expected `.s32`, `.sat` or `.u32`, found `.b32`"),
        ("vadd4.u32.u32 r1, r2, r3, r4;", "              ^", "expected `.s32` or `.u32`, found `r1`"),
        ("vadd4.u32.u32.u32 r1, r2, 7, r4;", "                          ^", "expected a register R, found `7`"),
        ("vadd4.u32.u32.u32 r1, r2, r3, -r4;", "                              ^", "expected a register R, found `-r4`"),
        ("VADD4.u32.u32.u32 r1, r2, r3, r4;", "^", "there is no instruction `VADD4`; did you mean `vadd4`?"),
    ] {
        let error = codec.parse(text, 0, &|_| None).expect_err(text);
        assert_eq!((error.at, error.to_string().as_str()), (caret.len() - 1, message), "`{text}`");
        assert_eq!((GENERATED.read)(text).err().as_deref(), Some(message), "`{text}`");
    }
}
