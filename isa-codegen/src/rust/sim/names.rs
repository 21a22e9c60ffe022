//! The names of registers, flags and named values in generated code, and the documentation of a form there.

use super::scan::File;
use crate::rust::Cx;
use crate::rust::docs::DocLines;
use isa_spec::model::{Form, Isa};
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::typed::{ExprKind, Register};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// `r0`, `f0`, `x0`: the rows of a register file, of registers of flags, of a named value.
pub(super) fn file_name(isa: &Isa, file: File) -> Ident {
    match file {
        File::Registers(file) => format_ident!("r{file}"),
        File::Flags(file) => format_ident!("f{file}"),
        File::Value(state) => format_ident!("x{}", isa.machine.state_place(state)),
    }
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

/// The named values that instructions write, by their numbers among all.
pub(super) fn written(isa: &Isa) -> Vec<usize> {
    let all = &isa.machine.state;
    (0..all.len()).filter(|state| all[*state].kind == StateKind::Written).collect()
}

/// True if a warp has it once: its row has one value.
pub(super) fn of_warp(isa: &Isa, file: File) -> bool {
    match file {
        File::Registers(file) => isa.registers[file].of_warp,
        File::Flags(_) => false,
        File::Value(state) => isa.machine.state[state].of_warp,
    }
}

/// `[255, 255]`: the registers of a file that are constants.
pub(super) fn constants(isa: &Isa, file: File) -> TokenStream {
    let list = match file {
        File::Registers(file) => [isa.registers[file].zero, isa.registers[file].one],
        File::Flags(_) | File::Value(_) => [None, None],
    };
    let mut list = list.into_iter().flatten().map(Literal::u128_unsuffixed);
    match (list.next(), list.next()) {
        (Some(a), Some(b)) => quote!([#a, #b]),
        (Some(a), None) => quote!([#a, #a]),
        _ => quote!(sim::NONE),
    }
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
