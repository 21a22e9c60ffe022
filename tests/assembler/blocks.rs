//! Random programs of nested blocks, with separators and line ends at random, against an expansion of their trees by brute
//! force; with `-- --ignored`, `riscv64-linux-gnu-as` makes bytes of 10,000 of them as well.

use super::{assemble, faults, image, options};
use isa_reference::samples::Random;
use std::fmt::Write as _;

/// A statement or a block. Parameters are numbers into the values that are known where it is.
enum Node {
    Byte(Term),
    /// A string, which may look like separators and comments.
    Text(&'static str),
    Repeat(u64, Vec<Node>),
    /// `.irp`, or with one digit for each value `.irpc`.
    Each(Vec<Term>, bool, Vec<Node>),
    If(Condition, Vec<Node>, Vec<Node>),
    /// A use of a macro, with its argument.
    Use(usize, Term),
    Leave,
}

#[derive(Clone, Copy)]
enum Term {
    Number(u64),
    Parameter(usize),
}

/// A term compared with a number: by value, or by text.
struct Condition(Term, u64, bool);

const TEXTS: [&str; 5] = ["a;b", ".endr", "; .endm ;", "# no", "x\\ty"];

struct Maker<'r> {
    random: &'r mut Random,
    /// The macros that may be used: those before.
    macros: usize,
    /// The number of nodes that may still be made.
    left: u32,
}

impl Maker<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit
    }

    fn term(&mut self, known: usize) -> Term {
        match self.below(2) {
            0 if known > 0 => Term::Parameter(self.below(known as u64) as usize),
            _ => Term::Number(self.below(10)),
        }
    }

    fn list(&mut self, known: usize, depth: u32, may_leave: bool) -> Vec<Node> {
        (0..self.below(4)).map(|_| self.node(known, depth, may_leave)).collect()
    }

    fn node(&mut self, known: usize, depth: u32, may_leave: bool) -> Node {
        self.left = self.left.saturating_sub(1);
        match if depth == 5 || self.left == 0 { self.below(3) } else { self.below(12) } {
            3 | 4 => Node::Repeat(self.below(4), self.list(known, depth + 1, true)),
            5 | 6 => {
                let by_digit = self.below(2) == 0;
                let values = (0..1 + self.below(3)).map(|_| self.term(if by_digit { 0 } else { known })).collect();
                Node::Each(values, by_digit, self.list(known + 1, depth + 1, true))
            }
            7 | 8 => {
                let condition = Condition(self.term(known), self.below(3), self.below(2) == 0);
                let first = self.list(known, depth + 1, may_leave);
                Node::If(condition, first, self.list(known, depth + 1, may_leave))
            }
            9 | 10 if self.macros > 0 => Node::Use(self.below(self.macros as u64) as usize, self.term(known)),
            11 if may_leave => Node::Leave,
            2 => Node::Text(TEXTS[self.below(TEXTS.len() as u64) as usize]),
            _ => Node::Byte(self.term(known)),
        }
    }
}

/// A program: the bodies of its macros, which are defined in this order, and statements after each definition.
struct Program(Vec<(Vec<Node>, Vec<Node>)>);

impl Program {
    fn new(random: &mut Random) -> Self {
        let mut maker = Maker { random, macros: 0, left: 60 };
        let mut all = Vec::new();
        for macros in 0..3 {
            maker.macros = macros;
            let body = maker.list(1, 1, true);
            maker.macros += 1;
            all.push((body, maker.list(0, 0, false)));
        }
        Self(all)
    }

    /// The statements of the program's text.
    fn statements(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (number, (body, rest)) in self.0.iter().enumerate() {
            out.push(format!(".macro m{number} p0"));
            body.iter().for_each(|node| node.write(1, &mut out));
            out.push(".endm".to_owned());
            rest.iter().for_each(|node| node.write(0, &mut out));
        }
        out
    }

    /// The bytes of the program; `None` if they are many.
    fn bytes(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        self.0.iter().all(|(_, rest)| self.run(rest, &[], &mut out).is_some()).then_some(out)
    }

    /// Appends the bytes of statements; returns true if they leave the innermost macro or repetition.
    fn run(&self, nodes: &[Node], values: &[u64], out: &mut Vec<u8>) -> Option<bool> {
        let value = |term: &Term| match *term {
            Term::Number(number) => number,
            Term::Parameter(place) => values[place],
        };
        for node in nodes {
            match node {
                Node::Byte(term) => out.push(value(term) as u8),
                Node::Text(text) => out.extend(text.replace("\\t", "\t").bytes()),
                Node::Repeat(count, body) => {
                    for _ in 0..*count {
                        if self.run(body, values, out)? {
                            break;
                        }
                    }
                }
                Node::Each(all, _, body) => {
                    for term in all {
                        if self.run(body, &[values, &[value(term)]].concat(), out)? {
                            break;
                        }
                    }
                }
                Node::If(Condition(term, number, _), first, second) => {
                    if self.run(if value(term) == *number { first } else { second }, values, out)? {
                        return Some(true);
                    }
                }
                Node::Use(number, term) => _ = self.run(&self.0[*number].0, &[value(term)], out)?,
                Node::Leave => return Some(true),
            }
            if out.len() > 1 << 14 {
                return None;
            }
        }
        Some(false)
    }
}

impl Node {
    fn write(&self, known: usize, out: &mut Vec<String>) {
        let shown = |term: &Term| match term {
            Term::Number(number) => number.to_string(),
            Term::Parameter(place) => format!("\\p{place}"),
        };
        let mut block = |begin: String, known: usize, parts: &[(&str, &[Node])]| {
            out.push(begin);
            for (end, body) in parts {
                body.iter().for_each(|node| node.write(known, out));
                out.push((*end).to_owned());
            }
        };
        match self {
            Self::Byte(term) => out.push(format!(".byte {}", shown(term))),
            Self::Text(text) => out.push(format!(".ascii \"{text}\"")),
            Self::Repeat(count, body) => block(format!(".rept {count}"), known, &[(".endr", body)]),
            Self::Each(values, by_digit, body) => {
                let values: Vec<String> = values.iter().map(shown).collect();
                let begin = match by_digit {
                    true => format!(".irpc p{known},{}", values.concat()),
                    false => format!(".irp p{known},{}", values.join(",")),
                };
                block(begin, known + 1, &[(".endr", body)]);
            }
            Self::If(Condition(term, number, by_text), first, second) => {
                let begin = match by_text {
                    true => format!(".ifc {},{number}", shown(term)),
                    false => format!(".if {} == {number}", shown(term)),
                };
                block(begin, known, &[(".else", first), (".endif", second)]);
            }
            Self::Use(number, term) => out.push(format!("m{number} {}", shown(term))),
            Self::Leave => out.push(".exitm".to_owned()),
        }
    }
}

/// A text of statements, each pair with a separator or the end of a line between, perhaps with a comment.
fn text(statements: &[String], separator: &str, random: &mut Random) -> String {
    let mut out = String::new();
    for (number, statement) in statements.iter().enumerate() {
        let between = match random.next_u64() % 6 {
            _ if number == 0 => "",
            0 | 1 => separator,
            2 => &format!(" {separator} {separator}"),
            3 => "\n\n  ",
            4 => &format!("   # not a {separator} .endr\n"),
            _ => "\n",
        };
        // GNU as takes no local label before a directive of a block.
        let may_have = [".byte", ".ascii", "m"].iter().any(|begin| statement.starts_with(begin));
        let label = if may_have && random.next_u64().is_multiple_of(4) { "1: " } else { "" };
        let _ = write!(out, "{between}{label}{statement}");
    }
    out + "\n"
}

/// A random program and its bytes.
fn program(random: &mut Random) -> (Program, Vec<u8>) {
    loop {
        let program = Program::new(random);
        if let Some(bytes) = program.bytes() {
            return (program, bytes);
        }
    }
}

#[test]
fn blocks_begin_and_end_anywhere_on_a_line() {
    let spec =
        "isa: own\nword: 8\nassembly: { comments: [\"#\"], separators: \"|\" }\ninstructions: { nop: { fix: { 7..0: 0 } } }\n";
    let own = image(spec);
    let mut random = Random::new(11);
    for round in 0..400 {
        let (program, bytes) = program(&mut random);
        // Texts have `;` in them, and no `|`.
        let (image, separator) =
            if round % 2 == 0 { (generated::image("rv64gc").expect("it is shipped"), ";") } else { (&*own, "|") };
        let text = text(&program.statements(), separator, &mut random);
        let made = assemble(image, &text, options(false));
        assert_eq!(faults(&made), [""; 0], "{text}");
        assert!(made.bytes(0) == bytes, "{:?}, not {bytes:?}:\n{text}", made.bytes(0));
    }
}

#[test]
#[ignore = "needs riscv64-linux-gnu-as and -objcopy"]
fn blocks_are_those_of_gnu_as() {
    let work = std::env::temp_dir().join(format!("isa-blocks-{}", std::process::id()));
    std::fs::create_dir_all(&work).expect("a folder for what is made");
    let at = |name: &str| work.join(name).to_str().expect("a plain path").to_owned();
    let mut random = Random::new(12);
    // Programs in sections of one file, because starting GNU as takes longer than assembling.
    for _ in 0..100 {
        let mut all = String::new();
        let mut wanted = Vec::new();
        for number in 0..100 {
            let (program, bytes) = program(&mut random);
            let text = text(&program.statements(), ";", &mut random);
            let _ = write!(all, ".section .data.{number},\"aw\",@progbits\n{text}.purgem m0\n.purgem m1;.purgem m2\n");
            wanted.push((text, bytes));
        }
        std::fs::write(work.join("p.s"), &all).expect("it can be written");
        assert!(super::gnu::tool("riscv64-linux-gnu-as", &[&at("p.s"), "-o", &at("p.o")]), "{all}");
        let made = assemble(generated::image("rv64gc").expect("it is shipped"), &all, options(false));
        assert_eq!(faults(&made), [""; 0]);
        for (number, (text, bytes)) in wanted.iter().enumerate() {
            let name = format!(".data.{number}");
            let section = made.sections.iter().position(|section| *section.name == name).expect("it is written");
            assert!(made.bytes(section) == *bytes, "{text}");
            if !bytes.is_empty() {
                let only = format!("--only-section={name}");
                assert!(super::gnu::tool("riscv64-linux-gnu-objcopy", &["-O", "binary", &only, &at("p.o"), &at("p.bin")]));
                assert!(std::fs::read(work.join("p.bin")).expect("it was made") == *bytes, "GNU as differs: {text}");
            }
        }
    }
    let _ = std::fs::remove_dir_all(&work);
}
