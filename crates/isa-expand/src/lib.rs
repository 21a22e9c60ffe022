//! Declarations to the model: names are resolved, parameters replaced, choices multiplied out into forms.

mod access;
mod assembly;
mod codes;
mod compared;
mod conditions;
mod context;
mod definitions;
mod documents;
mod elaborated;
mod enums;
mod env;
mod errata;
mod expansion;
mod form;
mod formats;
mod instruction;
mod marks;
mod overlap;
mod readings;
mod registers;
mod semantics;
mod texts;
mod types;
mod unused;
mod values;
mod words;

use context::Context;
use isa_model::diag::Diagnostics;
use isa_model::model::{Assembly, Bits, Form, Isa, Prefer, Word, Words};
use isa_model::semantics::Machine;
use isa_model::span::SourceMap;
use isa_syntax::read::Spec;
use isa_syntax::read::machine::read_machine;

/// The model of a specification, as far as it could be made: with errors among the findings it is not to be used.
pub fn expand(spec: &Spec, files: SourceMap, diags: &mut Diagnostics) -> Option<Isa> {
    let mut isa = Isa {
        name: spec.name.as_ref()?.value.clone(),
        span: spec.name.as_ref()?.span,
        summary: spec.summary.clone(),
        notes: spec.notes.clone(),
        words: Words { unit: 0, low_first: true, little_endian: true, lengths: Vec::new() },
        space: Vec::new(),
        holes: Vec::new(),
        numbers: spec.numbers.unwrap_or(isa_runtime::value::Style::Hex),
        prefer: if spec.shortest { Prefer::Shortest } else { Prefer::First },
        assembly: Assembly::default(),
        assembly_places: Vec::new(),
        pseudo_semantics: Vec::new(),
        groups: Vec::new(),
        sources: Vec::new(),
        registers: Vec::new(),
        enums: Vec::new(),
        codes: Vec::new(),
        operand_types: Vec::new(),
        choice_types: Vec::new(),
        formats: Vec::new(),
        instructions: Vec::new(),
        forms: Vec::new(),
        errata: Vec::new(),
        machine: spec.machine.as_ref().map_or_else(Machine::default, |node| read_machine(node, diags)),
        routines: Vec::new(),
        follows: None,
        also: spec.also.iter().map(|name| name.value.clone()).collect(),
        object: None,
        files,
        orders: Vec::new(),
    };
    // Reading the machine can fail, and semantics depend on it.
    let unsound = diags.has_errors();
    let cx = Context::new(spec, diags);
    cx.report.unsound.set(unsound);
    let whole = model(&cx, &mut isa);
    cx.tell_too_wide();
    cx.tell_unknown();
    whole.map(|()| isa)
}

/// Fills the model in; `None` if the rest depends on a part that is invalid.
fn model(cx: &Context<'_, '_>, isa: &mut Isa) -> Option<()> {
    let spec = cx.spec;
    isa.sources = definitions::sources(cx);
    isa.groups = definitions::groups(cx);
    isa.follows = definitions::follows(cx);
    isa.words = words::words(cx)?;
    isa.space = words::space(cx, isa.words.unit);
    isa.holes = words::holes(cx, &isa.words);
    definitions::report_duplicates(cx);
    isa.registers = registers::registers(cx);
    isa.object = spec.object.as_ref().map(|object| registers::object(cx, object));
    isa.enums = enums::enums(cx);
    isa.codes = codes::codes(cx);
    isa.formats = formats::formats(cx);
    isa.errata = errata::errata(cx, &spec.errata, None);
    isa.routines = semantics::routines(cx, isa);
    let mut types = types::Types::default();
    for (name, part) in spec.instructions.iter().take_while(|_| !cx.budget.is_full.get()) {
        instruction::instruction(cx, isa, &mut types, name, part);
    }
    types.finish(isa);
    let except = spec.instructions.iter().flat_map(|(_, part)| &part.executes).flat_map(|executes| &executes.except);
    for name in except.filter(|name| !spec.instructions.iter().any(|(known, _)| known.value == name.value)) {
        cx.unknown("instruction", &name.value, name.span, spec.instructions.iter().map(|(known, _)| known.value.as_str()));
    }
    overlap::resolve(cx, isa);
    semantics::limits(cx, isa);
    if isa.is_text() && !cx.errors() {
        number_forms(cx, isa);
    }
    isa.assembly = marks::assembly(cx, isa);
    isa.assembly_places = marks::places(cx);
    isa.pseudo_semantics = spec.assembly.pseudo.iter().map(|pseudo| semantics::read(cx, pseudo.does.as_ref())).collect();
    unused::report_unused(cx);
    Some(())
}

/// In a text-only instruction set: the number of each form above all fields, so that all forms have one length and none has a word of
/// another.
fn number_forms(cx: &Context<'_, '_>, isa: &mut Isa) {
    let top = |form: &Form| form.fields.iter().map(|f| &f.bits).chain(form.fixed.iter().map(|f| &f.bits)).map(Bits::mask).max();
    let fields = Word::BITS - isa.forms.iter().filter_map(top).max().unwrap_or(Word::ZERO).leading_zeros();
    let length = fields + isa.forms.len().next_power_of_two().ilog2().max(1);
    if length > Word::BITS {
        cx.error(
            "range",
            format!("forms and fields need {length} bits together, and there is room for {}", Word::BITS),
            isa.span,
        );
        return;
    }
    for form in &mut isa.forms {
        let free = form.fields.iter().fold(Word::ZERO, |mask, f| mask | f.bits.mask());
        form.length = length;
        form.mask = Word::ones(length) & !free;
        form.value |= Word::from(form.id.0) << fields;
    }
}
