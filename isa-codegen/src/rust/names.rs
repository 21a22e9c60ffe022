//! Names of the spec as names of Rust: each kind in its case, none taken twice, none a keyword.

use isa_spec::model::Isa;
use proc_macro2::{Ident, Span};
use std::collections::HashSet;

/// Types that generated code has for every instruction set, or takes from the prelude.
const RESERVED: [&str; 25] = [
    "Insn",
    "Statement",
    "Form",
    "Word",
    "TextBuf",
    "Room",
    "TextFn",
    "At",
    "Option",
    "Result",
    "Some",
    "None",
    "Ok",
    "Err",
    "Self",
    "Copy",
    "Clone",
    "Debug",
    "PartialEq",
    "Eq",
    "From",
    "Into",
    "Default",
    "Fn",
    "Row",
];

/// The names of all types of a module.
pub(super) struct Names {
    pub(super) registers: Vec<Ident>,
    pub(super) enums: Vec<Ident>,
    pub(super) operands: Vec<Ident>,
    pub(super) choices: Vec<Ident>,
    pub(super) instructions: Vec<Ident>,
    pub(super) forms: Vec<Ident>,
}

impl Names {
    pub(super) fn new(isa: &Isa) -> Self {
        let mut taken: HashSet<String> = RESERVED.iter().map(|s| (*s).to_owned()).collect();
        let mut all = |names: Vec<&str>, suffix: &str| -> Vec<Ident> {
            names.into_iter().map(|name| ident(&unique(&mut taken, &camel(name), suffix))).collect()
        };
        Self {
            registers: all(isa.registers.iter().map(|r| r.name.as_str()).collect(), "Register"),
            enums: all(isa.enums.iter().map(|e| e.name.as_str()).collect(), "Value"),
            operands: all(isa.operand_types.iter().map(|o| o.name.as_str()).collect(), "Operand"),
            choices: all(isa.choice_types.iter().map(|c| c.name.as_str()).collect(), "Choice"),
            instructions: all(isa.instructions.iter().map(|i| i.name.as_str()).collect(), "Insn"),
            forms: distinct(isa.forms.iter().map(|f| camel(&f.name))),
        }
    }
}

/// Identifiers of which none is another; a number tells equal names apart.
pub(super) fn distinct(names: impl IntoIterator<Item = String>) -> Vec<Ident> {
    let mut taken = HashSet::new();
    names.into_iter().map(|name| ident(&unique(&mut taken, &name, ""))).collect()
}

fn unique(taken: &mut HashSet<String>, name: &str, suffix: &str) -> String {
    let numbered = (2..).map(|n| format!("{name}{suffix}{n}"));
    let mut candidates = [name.to_owned(), format!("{name}{suffix}")].into_iter().chain(numbered);
    let name = candidates.find(|c| !taken.contains(c)).expect("there is always a larger number");
    taken.insert(name.clone());
    name
}

/// An identifier, made one if it isn't.
pub(super) fn ident(name: &str) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        return Ident::new(name, Span::call_site());
    }
    // A keyword gets `_` behind it, a number `N` before it.
    let fixed = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { format!("{name}_") };
    Ident::new(&fixed, Span::call_site())
}

/// Letters and digits in runs, the rest dropped.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| !p.is_empty())
}

/// `IADD3.imm` → `Iadd3Imm`; `SrcB` and names of two capitals (`UR`) stay.
pub(super) fn camel(name: &str) -> String {
    if name.len() <= 2 && name.chars().all(|c| c.is_ascii_alphanumeric()) && name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.to_owned();
    }
    let mut out = String::new();
    for part in parts(name) {
        let shout = !part.contains(|c: char| c.is_ascii_lowercase());
        let (first, rest) = part.split_at(1);
        // Two numbers side by side would read as one.
        if out.ends_with(|c: char| c.is_ascii_digit()) && first.starts_with(|c: char| c.is_ascii_digit()) {
            out.push('_');
        }
        out.push_str(&first.to_ascii_uppercase());
        out.push_str(&if shout { rest.to_ascii_lowercase() } else { rest.to_owned() });
    }
    if out.is_empty() { "Unnamed".to_owned() } else { out }
}

/// `guardNot`, `GUARD.NOT` → `guard_not`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    for part in parts(name) {
        if !out.is_empty() {
            out.push('_');
        }
        let mut lower = false;
        for c in part.chars() {
            if c.is_ascii_uppercase() && lower {
                out.push('_');
            }
            lower = c.is_ascii_lowercase();
            out.push(c.to_ascii_lowercase());
        }
    }
    if out.is_empty() { "unnamed".to_owned() } else { out }
}

/// `SR_LaneId` → `SR_LANE_ID`.
pub(super) fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases() {
        assert_eq!(camel("IADD3.imm"), "Iadd3Imm");
        assert_eq!(camel("SrcB"), "SrcB");
        assert_eq!(camel("UR"), "UR");
        assert_eq!(camel("VOTE_ALL"), "VoteAll");
        assert_eq!(camel("I2I.16.32"), "I2i16_32");
        assert_eq!(snake("RA"), "ra");
        assert_eq!(snake("guardNot"), "guard_not");
        assert_eq!(screaming("SR_LaneId"), "SR_LANE_ID");
        assert_eq!(ident("type").to_string(), "type_");
        assert_eq!(ident("64").to_string(), "N64");
        assert_eq!(distinct(["a".to_owned(), "a".to_owned()]).map_to_strings(), ["a", "a2"]);
    }

    trait MapToStrings {
        fn map_to_strings(&self) -> Vec<String>;
    }
    impl MapToStrings for Vec<Ident> {
        fn map_to_strings(&self) -> Vec<String> {
            self.iter().map(ToString::to_string).collect()
        }
    }
}
