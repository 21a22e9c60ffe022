//! Names of the spec as names of Rust: each kind in its case, none taken twice, none a keyword.

use isa_spec::model::Isa;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::collections::HashSet;

/// The names that a generated module itself declares or takes from the prelude, in the cases that types can have: no type of a
/// specification gets one of these names. `tests/specs/generated/own-names.yaml` has instructions with all these names.
const RESERVED: [&str; 39] = [
    // Types and traits.
    "Builder",
    "DecodeError",
    "Dispatch",
    "Form",
    "Handler",
    "Insn",
    "Isa",
    "Parser",
    "Statement",
    "TextBuf",
    "Word",
    // Tables and constants.
    "FORMS",
    "INSN_OF",
    "NOWHERE",
    "NO_FORM",
    "TABLES",
    // The prelude.
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Err",
    "Fn",
    "From",
    "FromIterator",
    "Into",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Result",
    "Self",
    "Sized",
    "Some",
    "String",
    "TryFrom",
    "Vec",
];

/// The keywords of all editions, reserved ones too.
const KEYWORDS: [&str; 53] = [
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut",
    "override", "priv", "pub", "ref", "return", "Self", "self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
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
        // Tables are called after types, so these differ in more than the cases of their letters.
        let mut tables = HashSet::new();
        let mut all = |names: Vec<&str>, suffix: &str| -> Vec<Ident> {
            let name = |name: &str| {
                let name = ident(&camel(name)).to_string();
                let fits = |c: &String| !taken.contains(c) && !tables.contains(&screaming(c));
                let name = candidates(&name, suffix).find(fits).expect(ENOUGH);
                taken.insert(name.clone());
                tables.insert(screaming(&name));
                ident(&name)
            };
            names.into_iter().map(name).collect()
        };
        // If two names are equal, the one listed first here keeps it.
        Self {
            registers: all(isa.registers.iter().map(|r| r.name.as_str()).collect(), "Register"),
            enums: all(isa.enums.iter().map(|e| e.name.as_str()).collect(), "Value"),
            instructions: all(isa.instructions.iter().map(|i| i.name.as_str()).collect(), "Insn"),
            operands: all(isa.operand_types.iter().map(|o| o.name.as_str()).collect(), "Operand"),
            choices: all(isa.choice_types.iter().map(|c| c.name.as_str()).collect(), "Choice"),
            forms: distinct(isa.forms.iter().map(|f| camel(&f.name))),
        }
    }
}

impl Names {
    /// The names that types of a module have, and those that are reserved.
    pub(super) fn types(&self) -> HashSet<String> {
        let all = [&self.registers, &self.enums, &self.operands, &self.choices, &self.instructions];
        RESERVED.iter().map(|name| (*name).to_owned()).chain(all.into_iter().flatten().map(ToString::to_string)).collect()
    }
}

/// Identifiers of which none is another; a number tells equal names apart.
pub(super) fn distinct(names: impl IntoIterator<Item = String>) -> Vec<Ident> {
    distinct_from(&mut HashSet::new(), names)
}

/// The same, and none is one of these, to which they are added.
pub(super) fn distinct_from(taken: &mut HashSet<String>, names: impl IntoIterator<Item = String>) -> Vec<Ident> {
    let free = |name: String| {
        let name = candidates(&ident(&name).to_string(), "").find(|c| !taken.contains(c)).expect(ENOUGH);
        taken.insert(name.clone());
        ident(&name)
    };
    names.into_iter().map(free).collect()
}

const ENOUGH: &str = "there is always a larger number";

/// The name, then with a suffix for its kind, then with a number after that.
pub(super) fn candidates(name: &str, suffix: &str) -> impl Iterator<Item = String> + use<> {
    // A name with a suffix is not a keyword.
    let whole = format!("{}{suffix}", name.trim_end_matches('_'));
    let second = if suffix.is_empty() { name.to_owned() } else { whole.clone() };
    let numbered = (2..).map(move |n| format!("{whole}{n}"));
    [name.to_owned(), second].into_iter().chain(numbered)
}

/// An identifier, made one if it isn't.
pub(super) fn ident(name: &str) -> Ident {
    let is_ident = |tokens: TokenStream| matches!(tokens.into_iter().collect::<Vec<_>>()[..], [TokenTree::Ident(_)]);
    if !KEYWORDS.contains(&name) && name.parse().is_ok_and(is_ident) {
        return Ident::new(name, Span::call_site());
    }
    // A keyword gets a `_` as suffix, a number an `N` as prefix.
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
        // Two adjacent numbers would read as one.
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
        match part.starts_with(|c: char| c.is_ascii_digit()) {
            _ if !out.is_empty() => out.push('_'),
            true => out.push('n'),
            false => {}
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
        assert_eq!(snake("2x.y"), "n2x_y");
        assert_eq!(snake("guardNot"), "guard_not");
        assert_eq!(screaming("SR_LaneId"), "SR_LANE_ID");
        assert_eq!(ident("type").to_string(), "type_");
        assert_eq!(["gen", "64"].map(|n| ident(n).to_string()), ["gen_", "N64"]);
        assert_eq!(
            distinct(["64", "N64", "type", "type"].map(str::to_owned)).map_to_strings(),
            ["N64", "N642", "type_", "type2"]
        );
        assert_eq!(distinct(["a".to_owned(), "a".to_owned()]).map_to_strings(), ["a", "a2"]);
    }

    #[test]
    fn names_of_several_kinds() {
        let text = "isa: t\nword: 8\nchoices: { Sta2: { a: { fix: { 0: 0 }, text: '.a' }, b: { fix: { 0: 1 }, text: '.b' } } }\n\
                    instructions: { sta2: { fix: { 7..1: 0 }, choose: { s: Sta2 }, text: 'sta2{s}' } }\n";
        let isa = isa_spec::load_str("t.yaml", text, None).isa.expect("it is valid");
        assert_eq!(isa.choice_types[0].name, "Sta2");
        let names = Names::new(&isa);
        assert_eq!([&names.instructions[0], &names.choices[0]].map(ToString::to_string), ["Sta2", "Sta2Choice"]);
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
