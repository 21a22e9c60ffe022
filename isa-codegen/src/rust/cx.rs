//! The context of all emitters: the instruction set, and the names of its parts in generated code.

use super::names::{self, Names};
use isa_spec::model::{FieldType, Form, Isa, Label, Raw};
use proc_macro2::Ident;
use quote::format_ident;
use std::collections::{HashMap, HashSet};

/// The context of all emitters.
pub(super) struct Cx<'a> {
    pub(super) isa: &'a Isa,
    /// The path of `isa_runtime` in the module.
    pub(super) rt: Ident,
    pub(super) names: Names,
    /// Bits of the values of each enumeration.
    pub(super) enum_widths: Vec<u32>,
    /// The names of variables that hold the values of fields, by path.
    pub(super) paths: HashMap<&'a str, String>,
}

impl<'a> Cx<'a> {
    pub(super) fn new(isa: &'a Isa) -> Self {
        Self { isa, rt: format_ident!("rt"), names: Names::new(isa), enum_widths: enum_widths(isa), paths: paths(isa) }
    }

    /// The type of its words.
    pub(super) fn word(&self) -> &'static str {
        match isa_tables::word_bits(self.isa) {
            32 => "u32",
            64 => "u64",
            128 => "u128",
            _ => "rt::U256",
        }
    }

    /// The lengths of words, ascending; none in a text-only instruction set.
    pub(super) fn lengths(&self) -> std::collections::BTreeSet<u32> {
        let lengths = self.isa.forms.iter().map(|form| form.length).chain(self.isa.words.lengths.iter().map(|l| l.bits));
        lengths.filter(|_| !self.isa.is_text()).collect()
    }
}

/// `a.r` is `a_r`; paths that would give the same name are numbered.
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

/// The bits that the values of each enumeration take: those of its widest field.
fn enum_widths(isa: &Isa) -> Vec<u32> {
    let in_values = |e: &isa_spec::model::Enum| e.values.iter().map(|v| Raw::BITS - v.value.leading_zeros()).max().unwrap_or(0);
    let mut widths: Vec<u32> = isa.enums.iter().map(|e| in_values(e).max(1)).collect();
    let mut widen = |label: Label, width: u32| {
        if let Label::Enum(id) = label {
            widths[id.index()] = widths[id.index()].max(width);
        }
    };
    let fields = isa.forms.iter().flat_map(|f: &Form| &f.fields);
    fields.for_each(|f| widen(f.label, f.bits.width()));
    let types = isa.operand_types.iter().flat_map(|o| &o.fields);
    let alternatives = isa.choice_types.iter().flat_map(|c| &c.alternatives).flat_map(|a| &a.fields);
    types.chain(alternatives).for_each(|f: &FieldType| widen(f.label, f.code.width));
    widths
}
