//! Programs that are cut up and put together again: each is assembled or refused, in a short time, and nothing panics.
//!
//! `ISA_MUTATED=N` tries N of them.

use super::options;
use isa_asm::Assembler;
use isa_reference::samples::Random;

/// Characters that are put into lines.
const SIGNS: &str = "(),:.\\\"'#;+-*/%<>=&|!~ 0x1ab{}";

#[test]
fn mutated_programs_are_assembled_or_refused() {
    let count: usize = std::env::var("ISA_MUTATED").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let sources = ["directives", "macros", "branches", "operators", "pseudo"].map(|name| {
        let path = format!("{}/programs/asm/{name}.s", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the program is there")
    });
    let lines: Vec<&str> = sources.iter().flat_map(|text| text.lines()).collect();
    let extra = [
        ".rept 1000000000",
        ".endr",
        ".macro m x",
        ".endm",
        "m m",
        "m",
        ".if",
        ".else",
        ".endif",
        ".space 1<<62",
        ".align 64",
        ".org -1",
        "x = y",
        "y = x + 1",
        ".word x",
        ".include \"/dev/zero\"",
        ".incbin \"/dev/zero\"",
        ".incbin \".\"",
        ".fill 1<<40, 8, 1",
        "\"",
        "/*",
        "*/",
        "'",
        "((((((((",
        "\\@",
        "%hi(",
        ".byte 1,,2",
        ".ascii \"\\",
        "1:",
        "1: j 1b",
        ".section",
        ".pushsection a",
        ".popsection",
        ".size x, .-x",
        ".irp r,a,b,c",
        ".irpc r,abc",
        "lw a0,%pcrel_lo(1b)(a0)",
        "li a0,x",
        "call",
        ".balign 0",
        ".option pop",
        "é: nop",
        "\u{0}",
        "0x10: nop",
        "10: nop",
        "0a: nop",
    ];
    let image = generated::image("rv64gc").expect("it is shipped");
    let mut random = Random::new(0xa55e);
    let mut below = |n: usize| (random.next_u64() >> 33) as usize % n;
    let mut failed = 0;
    for _ in 0..count {
        let codec = isa_engine::open(image, options(false).style).expect("an image of this version");
        let mut assembler = Assembler::new(codec, "program.s", options(false)).expect("the syntax is sound");
        let length = 1 + below(30);
        for number in 1..=length {
            let mut line = match below(4) {
                0 => extra[below(extra.len())].to_owned(),
                _ => lines[below(lines.len())].to_owned(),
            };
            for _ in 0..below(3) {
                let mut characters: Vec<char> = line.chars().collect();
                let at = below(characters.len() + 1);
                match below(3) {
                    0 if at < characters.len() => _ = characters.remove(at),
                    1 => characters.insert(at, SIGNS.chars().nth(below(SIGNS.len())).unwrap_or('0')),
                    _ => characters.truncate(at),
                }
                line = characters.into_iter().collect();
            }
            if assembler.line(number, &line).is_err() {
                break;
            }
        }
        failed += usize::from(assembler.finish().has_failed());
    }
    assert!(failed > count / 4 && failed < count, "{failed} of {count} are refused");
}
