//! The names of registers, flags and named values in generated code, and the documentation of a form there.

use super::scan::File;
use crate::rust::Cx;
use crate::rust::docs::DocLines;
use isa_spec::model::{Form, Isa};
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::typed::{ExprKind, Register};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// `r0`: the rows of a register file.
pub(super) fn register_name(file: usize) -> Ident {
    format_ident!("r{file}")
}

/// `f0`: registers of flags.
pub(super) fn flags_name(file: usize) -> Ident {
    format_ident!("f{file}")
}

/// `x0`: a named value.
pub(super) fn value_name(value: usize) -> Ident {
    format_ident!("x{value}")
}

/// `own_2`: a function that bodies call.
pub(super) fn own_name(number: usize) -> Ident {
    format_ident!("own_{number}")
}

/// `window_4`: the function that finds the memory of an address, of a space that shows others.
pub(super) fn window_name(space: usize) -> Ident {
    format_ident!("window_{space}")
}

/// The variable of an operand's value, by the path of its field.
pub(super) fn operand_name(cx: &Cx<'_>, path: &str) -> Ident {
    format_ident!("o_{}", cx.paths[path])
}

/// The field that has the number of a register.
pub(super) fn field(r: &Register) -> Option<usize> {
    match r.index.kind {
        ExprKind::Field(field) if r.plus == 0 => Some(field),
        _ => None,
    }
}

/// The index of a named value of the machine among those of its kind.
pub(super) fn state_place(isa: &Isa, state: usize) -> usize {
    let all = &isa.machine.state;
    all[..state].iter().filter(|s| s.kind == all[state].kind).count()
}

pub(super) fn states(isa: &Isa, kind: StateKind) -> impl Iterator<Item = &isa_spec::semantics::machine::State> {
    isa.machine.state.iter().filter(move |s| s.kind == kind)
}

/// True if a warp has it once: its row has one value.
pub(super) fn of_warp(isa: &Isa, file: File) -> bool {
    match file {
        File::Registers(file) => isa.registers[file].of_warp,
        File::Flags(_) => false,
        File::Value(place) => states(isa, StateKind::Written).nth(place).is_some_and(|state| state.of_warp),
    }
}

/// `[255, 255]`: the registers that are constants.
pub(super) fn constants(isa: &Isa, file: usize) -> TokenStream {
    let file = &isa.registers[file];
    let mut list = [file.zero, file.one].into_iter().flatten().map(Literal::u128_unsuffixed);
    match (list.next(), list.next()) {
        (Some(a), Some(b)) => quote!([#a, #b]),
        (Some(a), None) => quote!([#a, #a]),
        _ => no_constants(),
    }
}

pub(super) fn no_constants() -> TokenStream {
    quote!(sim::NONE)
}

/// Documentation with the semantics that the specification gives to the forms of an instruction.
pub(super) fn semantics_docs(cx: &Cx<'_>, form: &Form, about: &str) -> TokenStream {
    let instruction = cx.isa.instruction(form.instruction);
    let source = cx.isa.semantics_text(instruction);
    let mut docs = DocLines::new(cx.isa, &[about]);
    if source.trim().is_empty() {
        docs.paragraph("It does nothing.");
    } else {
        docs.code("text", source.trim_end());
    }
    docs.place(instruction.span).tokens()
}
