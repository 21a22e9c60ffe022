//! The forms that words are made for: all of them, or those that are named.

use isa_spec::diag::nearest_within;
use isa_spec::model::Isa;
use isa_stream::Stop;
use std::collections::BTreeSet;

/// The forms that words are made for.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Indices of forms, in their order.
    pub(crate) forms: Vec<usize>,
    /// They were named.
    pub(crate) is_some: bool,
}

/// The number of names that are suggested for one that is unknown.
const MOST_NEAR: usize = 6;

impl Chosen {
    /// All forms.
    pub fn all(isa: &Isa) -> Self {
        Self { forms: (0..isa.forms.len()).collect(), is_some: false }
    }

    /// The forms with these names: those of an instruction, by its key or its mnemonic, or a single one.
    ///
    /// # Errors
    /// When no form has one of the names.
    pub fn named(isa: &Isa, names: &[String]) -> Result<Self, Stop> {
        let mut forms = BTreeSet::new();
        for name in names.iter().map(|name| name.trim()) {
            let has_name = |form: &usize| {
                let form = &isa.forms[*form];
                let instruction = isa.instruction(form.instruction);
                [&form.name, &instruction.name, &instruction.mnemonic].into_iter().any(|known| known == name)
            };
            let mut found = (0..isa.forms.len()).filter(has_name).peekable();
            if found.peek().is_none() {
                return Err(unknown(isa, name));
            }
            forms.extend(found);
        }
        Ok(Self { forms: forms.into_iter().collect(), is_some: true })
    }
}

/// The error for a name that no form has, with names like it.
fn unknown(isa: &Isa, name: &str) -> Stop {
    let of_instructions = isa.instructions.iter().flat_map(|insn| [insn.name.as_str(), insn.mnemonic.as_str()]);
    let known: Vec<&str> = of_instructions.chain(isa.forms.iter().map(|form| form.name.as_str())).collect();
    let lower = name.to_lowercase();
    let mut near: Vec<&str> = Vec::new();
    let limit = (name.chars().count() / 3).max(1);
    while near.len() < MOST_NEAR
        && let Some(found) = nearest_within(name, known.iter().copied().filter(|known| !near.contains(known)), limit)
    {
        near.push(found);
    }
    for known in known.iter().filter(|known| !lower.is_empty() && known.to_lowercase().contains(&lower)) {
        if near.len() < MOST_NEAR && !near.contains(known) {
            near.push(known);
        }
    }
    let message = format!("`{name}` is no form, instruction or mnemonic of {}", isa.name);
    match near.is_empty() {
        true => Stop::with_help(message, "`isagen map SPEC` lists the forms"),
        false => Stop::with_help(message, format!("similar names: {}", near.join(", "))),
    }
}
