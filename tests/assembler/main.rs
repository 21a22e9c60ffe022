//! The assembler of programs: against GNU as, on programs that are at fault, and its page.

mod blocks;
mod compilers;
mod gnu;
mod lines;
mod linked;
mod mutated;
mod others;
mod page;
mod syntax;

use isa_asm::{Assembler, Options, Program};
use isa_engine::{Lengths, Style};

/// Assembles a program for an instruction set by its image.
fn assemble(image: &[u8], text: &str, options: Options) -> Program {
    let codec = isa_engine::open(image, options.style).expect("an image of this version");
    let mut assembler = Assembler::new(codec, "program.s", options).expect("the syntax is sound");
    for (number, line) in text.lines().enumerate() {
        assembler.line(number + 1, line).unwrap_or_else(|full| panic!("{}", full.0));
    }
    assembler.finish()
}

/// The image of a specification.
fn image(spec: &str) -> Vec<u8> {
    let loaded = isa_spec::load_str("spec.yaml", spec, None);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    isa_tables::image(&isa).expect("it fits tables")
}

/// Options that take the longest words, or the shortest.
fn options(long: bool) -> Options {
    let lengths = if long { Lengths::LongestFirst } else { Lengths::Shortest };
    Options { style: Style { lengths, ..Style::default() }, ..Options::default() }
}

/// The errors in a program: line, column and message of each.
fn faults(program: &Program) -> Vec<String> {
    program.faults_in_order().map(|fault| format!("{}:{}: {}", fault.line, fault.at.start + 1, fault.message)).collect()
}
