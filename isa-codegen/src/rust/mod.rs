//! The Rust back end: an instruction set as a module of typed instructions.
//!
//! One file for each thing that is emitted:
//!
//! - `types`: register files and enumerations; `operands`: operands and choices;
//! - `plan`, `instructions`, `setters`: the instructions, their accessors, and how they are built;
//! - `insn`: the enums of all instructions and of all forms; `statement`: instructions with the names of their registers;
//! - `decode`: from word to instruction; `text`, `conditions`: from instruction to text; `templates`, `letters`: the tables for the way back;
//! - `sim`: what each form does, as a function over the lanes of a warp;
//! - `expand`: what `define_isa!` makes of all this.
//!
//! A typed instruction is a newtype over its checked word. Decoding is a look-up and a mask check, encoding is nothing, and
//! bits that no field speaks of survive.

mod conditions;
mod decode;
mod docs;
mod expand;
mod fields;
mod insn;
mod instructions;
mod letters;
mod names;
mod operands;
mod plan;
mod sets;
mod setters;
mod sim;
mod statement;
mod templates;
mod text;
mod types;

pub use expand::expand;

use crate::backend::{Backend, File};
use docs::DocLines;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{EnumId, FieldType, Form, Instruction, Isa, Kind, Raw, RegisterId};
use names::Names;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::{HashMap, HashSet};

/// What all emitters need.
struct Cx<'a> {
    isa: &'a Isa,
    /// What the module calls `isa_runtime`.
    rt: Ident,
    names: Names,
    /// For each register file its table, `R_FILE`.
    register_files: Vec<Ident>,
    /// For each enumeration its table, `EVICT_TEXTS`.
    enum_tables: Vec<Ident>,
    /// Bits of the values of each enumeration.
    enum_widths: Vec<u32>,
    /// Whether any field has values of each register file, and of each enumeration.
    used_registers: Vec<bool>,
    used_enums: Vec<bool>,
    /// What variables are called that have the value of a field, by its path.
    paths: HashMap<&'a str, String>,
    /// Bits of the longest word, and of the type that holds it.
    bits: u32,
    word_bits: u32,
    /// Whether there are words of several lengths.
    several: bool,
}

impl<'a> Cx<'a> {
    fn new(isa: &'a Isa) -> Self {
        let names = Names::new(isa);
        let bits = isa.forms.iter().map(|f| f.length).max().unwrap_or(0).max(isa.max_bits());
        let lengths: std::collections::BTreeSet<u32> = isa.forms.iter().map(|f| f.length).collect();
        Self {
            isa,
            rt: format_ident!("rt"),
            register_files: names.registers.iter().map(|n| types::table_name(n, "FILE")).collect(),
            enum_tables: names.enums.iter().map(|n| types::table_name(n, "TEXTS")).collect(),
            enum_widths: enum_widths(isa),
            used_registers: (0..isa.registers.len()).map(|i| is_used(isa, &Kind::Register(RegisterId(i as u32)))).collect(),
            used_enums: (0..isa.enums.len()).map(|i| is_used(isa, &Kind::Enum(EnumId(i as u32)))).collect(),
            paths: paths(isa),
            names,
            bits,
            word_bits: [32, 64].into_iter().find(|b| bits <= *b).unwrap_or(128),
            several: lengths.len() > 1 || isa.words.lengths.len() > 1,
        }
    }

    /// The most names of registers that an instruction has.
    fn names_of_insn(&self) -> usize {
        self.isa.instructions.iter().map(|i| i.names.len()).max().unwrap_or(0)
    }

    /// Whether the instruction has words of different lengths.
    fn is_mixed(&self, insn: &Instruction) -> bool {
        let forms = self.isa.forms_of(insn);
        forms.iter().any(|f| f.length != forms[0].length)
    }

    fn has_mixed(&self) -> bool {
        self.isa.instructions.iter().any(|i| self.is_mixed(i))
    }
}

/// `a.r` is `a_r`; paths that would come out alike are numbered.
fn paths(isa: &Isa) -> HashMap<&str, String> {
    let mut known = HashSet::new();
    let fields = isa.forms.iter().flat_map(|f| &f.fields).map(|f| f.path.as_str());
    let paths: Vec<&str> = fields.filter(|path| known.insert(*path)).collect();
    let mut taken = HashSet::new();
    let free = |path: &&str| {
        let mut names = names::candidates(&names::snake(path), "");
        names.find(|name| taken.insert(name.clone())).expect("there is always a larger number")
    };
    let names: Vec<String> = paths.iter().map(free).collect();
    paths.into_iter().zip(names).collect()
}

fn is_used(isa: &Isa, kind: &Kind) -> bool {
    isa.forms.iter().any(|form| form.fields.iter().any(|f| f.kind == *kind))
}

/// The bits that the values of each enumeration take: those of its widest field.
fn enum_widths(isa: &Isa) -> Vec<u32> {
    let in_values = |e: &isa_spec::model::Enum| e.values.iter().map(|v| Raw::BITS - v.value.leading_zeros()).max().unwrap_or(0);
    let mut widths: Vec<u32> = isa.enums.iter().map(|e| in_values(e).max(1)).collect();
    let mut widen = |kind: &Kind, width: u32| {
        if let Kind::Enum(id) = kind {
            widths[id.index()] = widths[id.index()].max(width);
        }
    };
    let fields = isa.forms.iter().flat_map(|f: &Form| &f.fields);
    fields.for_each(|f| widen(&f.kind, f.bits.width()));
    let types = isa.operand_types.iter().flat_map(|o| &o.fields);
    let alternatives = isa.choice_types.iter().flat_map(|c| &c.alternatives).flat_map(|a| &a.fields);
    types.chain(alternatives).for_each(|f: &FieldType| widen(&f.kind, f.width));
    widths
}

/// The Rust back end: `NAME.rs`, a [`module`].
#[derive(Debug)]
pub struct Rust;

impl Backend for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(vec![File::new(format!("{}.rs", isa.module_name()), module(isa)?)])
    }
}

/// The contents of a module, formatted: `isa_runtime` is found as `::isa_runtime`.
///
/// # Errors
/// When a condition is too large for generated code.
pub fn module(isa: &Isa) -> Result<String, Box<Diagnostic>> {
    if let Some(finding) = sets::too_long(isa).or_else(|| sets::too_large(isa)) {
        return Err(Box::new(finding));
    }
    let items = items(isa, &quote!(::isa_runtime));
    let file = syn::parse2(items).expect("emitters emit Rust");
    let docs = DocLines::new(isa, &[&isa.summary, &format!("The instruction set {}.", isa.name)])
        .paragraph(&isa.notes)
        .paragraph(&format!("Generated by isagen from `{}`. Don't edit: change the specification.", spec_name(isa)))
        .lines()
        .map(|l| if l.is_empty() { "//!\n".to_owned() } else { format!("//! {l}\n") })
        .collect::<String>();
    let mut module = format!("{docs}\n{}", spaced(&prettyplease::unparse(&file)));
    if let Some(sim) = sim::module(&Cx::new(isa)) {
        let file = syn::parse2(sim).expect("emitters emit Rust");
        // Formatted by itself: what stands inside of a macro's braces is not.
        module.push_str(&format!("\n::isa_runtime::if_sim! {{\n{}}}\n", spaced(&prettyplease::unparse(&file))));
    }
    Ok(module)
}

/// Whether the module has an engine, `sim::Compiled`, where the runtime's feature `sim` is on.
pub fn is_simulated(isa: &Isa) -> bool {
    sim::is_simulated(isa)
}

/// `pub mod NAME { … }` as tokens, for a procedural macro.
///
/// # Errors
/// When a condition is too large for generated code.
pub fn tokens(isa: &Isa, runtime: &TokenStream) -> Result<TokenStream, Box<Diagnostic>> {
    if let Some(finding) = sets::too_long(isa).or_else(|| sets::too_large(isa)) {
        return Err(Box::new(finding));
    }
    let name = names::ident(&isa.module_name());
    let docs = DocLines::new(isa, &[&isa.summary, &format!("The instruction set {}.", isa.name)]).paragraph(&isa.notes).tokens();
    let items = items(isa, runtime);
    let sim = sim::module(&Cx::new(isa)).map(|sim| quote!(#runtime::if_sim! { #sim }));
    Ok(quote! {
        #docs
        // Nobody uses all of an instruction set, and nobody wants to read lints about code that a machine wrote.
        #[allow(dead_code, clippy::all)]
        pub mod #name { #items #sim }
    })
}

fn spec_name(isa: &Isa) -> &str {
    let name = isa.files.file(isa.span.file).name.as_str();
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// An empty line before each item, which the printer leaves out.
fn spaced(code: &str) -> String {
    let mut out = String::with_capacity(code.len() + code.len() / 16);
    let mut last = "";
    for line in code.lines() {
        let indent = line.len() - line.trim_start().len();
        let begins = indent <= 4 && !line.trim_start().starts_with('}');
        let ends = |l: &str| l == "}" || l == "    }" || l == "};" || l.ends_with("];") && !l.starts_with("        ");
        if begins && ends(last) && !line.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        last = line;
    }
    out
}

/// All items of the module.
fn items(isa: &Isa, runtime: &TokenStream) -> TokenStream {
    let cx = Cx::new(isa);
    let rt = &cx.rt;
    let word = format_ident!("u{}", cx.word_bits);
    let word = if isa.is_text() {
        quote! {
            /// An instruction as bits. They are nobody's but this module's: there is text alone.
            type Word = #word;
        }
    } else {
        quote! {
            /// A word of the instruction set.
            pub type Word = #word;
        }
    };
    let statement = statement::statement(&cx);
    let registers = (0..isa.registers.len()).map(|i| types::register(&cx, i));
    let enums = (0..isa.enums.len()).map(|i| types::enumeration(&cx, i));
    let operands = (0..isa.operand_types.len()).map(|i| operands::operand(&cx, i));
    let choices = (0..isa.choice_types.len()).map(|i| operands::choice(&cx, i));
    let (texts, has_full) = text::Texts::new(&cx).emit();
    let insn = insn::insn_enum(&cx, has_full);
    let forms = insn::form_enum(&cx);
    let instructions: TokenStream = isa.instructions.iter().map(|i| instructions::instruction(&cx, i)).collect();
    let by_look_up = [&insn, &instructions].iter().any(|t| text::uses(t, "form_of"));
    let decoder = decode::decoder(&cx, by_look_up);
    let tables = templates::tables(&cx);
    let handler = sim::handler(&cx);
    quote! {
        use #runtime as #rt;
        use #rt::Word as _;

        #word

        #insn
        #statement
        #forms
        #(#registers)*
        #(#enums)*
        #(#operands)*
        #(#choices)*
        #instructions
        #decoder
        #texts
        #tables
        #handler
    }
}
