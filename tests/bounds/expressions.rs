//! Long and deep expressions, in each place of a specification or a program that has them, are computed or refused in a stack of 1 MiB.

use harness::amount;
use harness::bounded::{Limits, alone, tell};
use isa_asm::{Assembler, Options};

const LIMITS: Limits = Limits { seconds: 60, mebibytes: 2000 };

/// A specification with an expression in the place of `@`, of values `x`.
const SPECS: [(&str, &str); 9] = [
    ("x", r#"  a: { fields: { x: 7..0 }, readings: { q: "@" }, text: "a {x}, {q}" }"#),
    ("P", r#"  a: { fields: { x: 7..2 }, fix: { 1..0: "$(@)" }, text: "a {x}" }"#),
    ("1", r#"  "$n": { for: { n: [a, b], v: "@" }, fields: { x: 7..2 }, fix: { 1..0: $v }, text: "$n {x}" }"#),
    ("x", r#"  a: { fields: { x: 7..0 }, not: "@", text: "a {x}" }"#),
    ("x", r#"  a: { fields: { x: 7..0 }, text: "a {x}<when @: .w>" }"#),
    ("x", r#"  a: { fields: { x: 7..0 }, text: "a {x}", semantics: "R[0] = @;" }"#),
    ("P", "  a: { fields: { x: 7..0 }, text: \"a {x}\" }\nassembly: { modifiers: { lo: { is: \"@\" } } }"),
    ("P", "  a: { fields: { x: 7..0 }, text: \"a {x}\" }\nassembly: { pseudo: [ { text: \"b {n:expr}\", is: \"a {n} + @\" } ] }"),
    (
        "P",
        "  a: { fields: { x: 7..0 }, text: \"a {x}\" }\nassembly: { pseudo: [ { text: \"b {n:expr}\", is: [ { when: \"@\", is: \"a {n}\" } ] } ] }",
    ),
];

/// The statements of a program with an expression in the place of `@`.
const STATEMENTS: [&str; 8] =
    [".byte @", ".if @\n.endif", ".equ v, @\na v", "a @", ".space @", ".org @", ".fill @, 1, 1", ".rept @\n.endr"];

const OPERATORS: [&str; 28] = [
    "+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "++", "!", "<>", ">>s",
    "<s", "/u", " in ", ".", "[0]", ",",
];
const SIGNS: [&str; 9] = ["-", "- ", "+", "~", "!", "(", "[", "$", "lo("];

/// Expressions of about this number of bytes, of values `x`.
fn expressions(value: &str, bytes: usize) -> impl Iterator<Item = String> {
    let chains = OPERATORS.map(|sign| format!("{value}{sign}").repeat(bytes / (value.len() + sign.len())) + value);
    let nested = SIGNS.map(|sign| sign.repeat(bytes / sign.len()) + value);
    chains.into_iter().chain(nested)
}

#[test]
fn long_expressions_are_computed_or_refused() {
    let ended = alone("expressions::each_expression", &[("RUST_MIN_STACK", "1048576")], LIMITS);
    assert!(ended.well, "{:?}: {}", ended.told.last(), ended.story);
}

#[test]
#[ignore = "a child of the test above"]
fn each_expression() {
    let bytes = amount(1 << 18, 16_000);
    let of_a_stack = std::thread::Builder::new().stack_size(1 << 20);
    let work = of_a_stack.spawn(move || {
        let mut refused = 0;
        for (value, entry) in SPECS {
            for expression in expressions(value, bytes) {
                tell(&format!("{}…: {entry}", &expression[..10]));
                refused += u32::from(load(&entry.replace('@', &expression)).isa.is_none());
            }
        }
        let isa = load(SPECS[6].1.replace('@', "x & 255").as_str()).isa.expect("it is sound");
        let image = isa_tables::image(&isa).expect("it fits tables");
        for statement in STATEMENTS {
            for expression in expressions("1", bytes) {
                tell(&format!("{}…: {statement}", &expression[..10]));
                let codec = isa_engine::open(&image, isa_engine::Style::default()).expect("an image of this version");
                let mut assembler = Assembler::new(codec, "program.s", Options::default()).expect("the syntax is sound");
                let mut lines = statement.lines().enumerate();
                let full = lines.any(|(number, line)| assembler.line(number + 1, &line.replace('@', &expression)).is_err());
                refused += u32::from(full || assembler.finish().faults_in_order().next().is_some());
            }
        }
        refused
    });
    let refused = work.expect("a thread").join().expect("no expression panics");
    let all = (SPECS.len() + STATEMENTS.len()) * (OPERATORS.len() + SIGNS.len());
    assert!(refused > 300 && (refused as usize) < all - 60, "{refused} of {all} are refused");
}

fn load(entry: &str) -> isa_spec::Loaded {
    let machine = "machine: { pc: 8, spaces: { memory: { address: 8, program: true } } }";
    let registers = "registers: { R: { index: 2, width: 8, text: \"r{n}\" } }";
    isa_spec::load_str(
        "e.yaml",
        &format!("isa: e\nword: 8\nparams: {{ P: 1 }}\n{registers}\n{machine}\ninstructions:\n{entry}\n"),
        None,
    )
}
