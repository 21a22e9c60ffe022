//! The Rust back end: an instruction set as a module of typed instructions.
//!
//! A module is a list of declarations, in the macros of `isa_runtime::typed`: what the types of an instruction set are called, and
//! where their fields are. No form has code of its own; decoding, texts and the way back are the engine's, which works on the tables
//! in the module's image. One file for each thing that is emitted:
//!
//! - `types`: register files and enumerations; `operands`: operands and choices;
//! - `plan`, `fields`, `instructions`: the instructions, and what they have;
//! - `insn`: the instruction set, its forms, and the enum of its instructions;
//! - `sim`: what each form does, as a function over the lanes of a warp;
//! - `expand`: what `define_isa!` makes of all this; `files`: modules as files; `code`, `docs`, `names`: how it is written.
//!
//! Declarations are text, because a reader of a file sees them as they are written here: formatters leave the syntax of macros alone.
//! Simulators are Rust, so they are tokens; prettyplease formats those in files, and the compiler gets those of `define_isa!` as they are.

mod code;
mod cx;
mod docs;
mod expand;
mod fields;
#[cfg(feature = "files")]
mod files;
mod insn;
mod instructions;
mod names;
mod operands;
mod plan;
mod sets;
mod sim;
mod types;

pub use expand::{Place, expand};
#[cfg(feature = "files")]
pub use files::{Rust, Simulator, module};

use code::{Code, quoted};
use cx::Cx;
use docs::DocLines;
use isa_runtime::engine::print::ROOM;
use isa_spec::diag::Diagnostic;
use isa_spec::model::Isa;
use plan::Plan;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// `pub mod sim { … }`, where anything can be executed; `machine` is where `isa_sim` is found.
fn simulator(cx: &Cx<'_>, machine: &TokenStream, has_types: bool) -> Result<Option<TokenStream>, Box<Diagnostic>> {
    if !sim::is_simulated(cx.isa) {
        return Ok(None);
    }
    match sets::too_large(cx.isa) {
        Some(finding) => Err(Box::new(finding)),
        None => Ok(sim::module(cx, machine, has_types)),
    }
}

/// True if the module has an engine, `sim::Compiled`, where its crate's feature `sim` is on.
pub fn is_simulated(isa: &Isa) -> bool {
    sim::is_simulated(isa)
}

/// `pub mod NAME { … }` as tokens, for a procedural macro: with its tables, and with a simulator if the path of `isa_sim` is
/// given.
///
/// # Errors
/// If there are no tables of the instruction set, or a condition is too large for a simulator.
pub fn tokens(isa: &Isa, runtime: &TokenStream, machine: Option<&TokenStream>) -> Result<TokenStream, Box<Diagnostic>> {
    let cx = Cx::new(isa);
    let name = names::ident(&isa.module_name());
    let docs = DocLines::new(isa, &[&isa.summary, &format!("The instruction set {}.", isa.name)]).paragraph(&isa.notes).tokens();
    let parsed = |code: Code| code.finish().parse::<TokenStream>().expect("emitters emit Rust");
    let [mut uses, mut about, mut rest] = <[Code; 3]>::default();
    uses.line(USES);
    declaration(&cx, &mut about);
    items(&cx, &mut rest);
    let [uses, about, items] = [uses, about, rest].map(parsed);
    // The image is not a text: as a literal it takes no time to read.
    let image = Literal::byte_string(&isa_tables::image(isa)?);
    let sim = machine.map(|machine| simulator(&cx, machine, true)).transpose()?.flatten();
    Ok(quote! {
        #docs
        // Few programs use all of an instruction set, and lints about generated code are of no use.
        #[allow(dead_code, missing_docs, clippy::all)]
        pub mod #name {
            use #runtime as rt;
            #uses
            rt::isa! { #about tables #image }
            #items
            #sim
        }
    })
}

/// The names in the macros' declarations.
const USES: &str = "#[allow(unused_imports)]\nuse rt::typed::member::{NO_FORM, NOWHERE, at, split};";

/// What `rt::isa!` is given before the tables: names, widths, and what the forms are.
fn declaration(cx: &Cx<'_>, code: &mut Code) {
    let isa = cx.isa;
    let lengths: Vec<String> = cx.lengths().iter().map(u32::to_string).collect();
    let longest = 2 * (isa_tables::longest_text(isa) + ROOM);
    let counts = isa.instructions.iter().map(|insn| isa.forms_of(insn).len());
    code.line(format_args!("{}, word {}, lengths [{}], text {longest},", quoted(&isa.name), cx.word(), lengths.join(", ")));
    code.list("forms [", counts, "],");
    let expansions: Vec<String> = isa.forms.iter().filter_map(insn::expansion).collect();
    if !expansions.is_empty() {
        code.list("expands [", expansions, "],");
    }
}

/// All other items of the module.
fn items(cx: &Cx<'_>, code: &mut Code) {
    let isa = cx.isa;
    insn::forms(cx, code);
    let plans: Vec<Plan<'_>> = isa.instructions.iter().map(|insn| Plan::new(cx, insn)).collect();
    insn::insns(cx, &plans, code);
    if isa.instructions.iter().any(|insn| !insn.names.is_empty()) {
        code.gap().docs(["An instruction with the names that a program gives to its registers."]);
        code.line("pub type Statement = rt::typed::statement::Statement<Isa>;");
    }
    (0..isa.registers.len()).for_each(|i| types::register(cx, i, code));
    (0..isa.enums.len()).for_each(|i| types::enumeration(cx, i, code));
    (0..isa.operand_types.len()).for_each(|i| operands::operand(cx, i, code));
    (0..isa.choice_types.len()).for_each(|i| operands::choice(cx, i, code));
    instructions::instructions(cx, &plans, code);
    insn::handler(cx, code);
}
