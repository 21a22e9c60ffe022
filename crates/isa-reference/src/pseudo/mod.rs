//! Findings about the assembler's additions to the instructions: directives, modifiers and pseudo-instructions.

mod effects;

use effects::Doing;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Instruction, Isa, Piece};

/// The findings about the directives, the modifiers and the pseudo-instructions of an instruction set.
pub fn findings(isa: &Isa) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = isa.instructions.iter().filter_map(|instruction| taken(isa, instruction)).collect();
    if isa.is_text() || isa.assembly_places.is_empty() {
        return all;
    }
    // An instruction set without tables has other findings.
    let Ok(image) = isa_tables::image(isa) else { return all };
    let Ok(codec) = isa_engine::open(&image, isa_engine::Style::default()) else { return all };
    // A few registers of each file, and a number.
    let of = |file: &isa_spec::model::RegisterFile| -> Vec<String> {
        let named = [1, 10].into_iter().filter_map(|n| file.special.iter().find(|(own, _)| *own == n));
        let named: Vec<String> = named.map(|(_, name)| name.clone()).collect();
        if named.is_empty() { vec![format!("{}1{}", file.prefix, file.suffix)] } else { named }
    };
    let whole = isa.registers.iter().filter(|file| file.part_of.is_none());
    let mut names: Vec<String> = whole.flat_map(of).collect();
    names.push("1".to_owned());
    let found = isa_asm::check(&*codec, &names);
    let finding = |(place, message): (usize, String)| {
        let span = *isa.assembly_places.get(place)?;
        Some(Diagnostic::error("assembly", message, span))
    };
    // A statement that can't be assembled can't be run.
    let can_run = found.is_empty();
    all.extend(found.into_iter().filter_map(finding));
    if can_run && let Some(doing) = Doing::new(isa) {
        let samples = isa_asm::samples(&*codec, &names, &|pseudo| doing.is_known(pseudo));
        all.extend(doing.findings(&samples, &*codec));
    }
    all
}

/// The finding about an instruction with a text that would be read as a directive.
fn taken(isa: &Isa, instruction: &Instruction) -> Option<Diagnostic> {
    let texts = isa.forms_of(instruction).iter().flat_map(|form| form.templates().map(|text| text.0));
    let (word, directive) = texts.into_iter().find_map(|text| {
        let Some(Piece::Literal(first)) = text.first() else { return None };
        let word = first.split(char::is_whitespace).next()?;
        Some((word, isa_asm::directive_named(&isa.assembly, word)?))
    })?;
    let message =
        format!("a text of `{}` begins with `{word}`, which programs read as the directive `{directive}`", instruction.name);
    let help = "give the directive another name in `directives`, or the instruction another text";
    Some(Diagnostic::error("assembly", message, instruction.span).with_help(help))
}
