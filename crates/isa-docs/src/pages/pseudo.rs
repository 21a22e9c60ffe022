//! Pseudo-instructions: what an assembler makes of statements.

use isa_spec::model::Isa;

/// One expansion of a pseudo-instruction.
pub(super) struct Pseudo {
    /// Its syntax: `li {rd},{x}`; empty behind its first expansion.
    pub(super) text: String,
    /// The values that it names; empty behind its first expansion.
    pub(super) with: String,
    /// The condition of this expansion; empty if there is none.
    pub(super) when: String,
    /// The statements that it becomes.
    pub(super) becomes: Vec<String>,
}

impl Pseudo {
    /// The expansions of all pseudo-instructions.
    pub(super) fn all(isa: &Isa) -> Vec<Self> {
        let mut all = Vec::new();
        for own in &isa.assembly.pseudo {
            for (at, (when, becomes)) in own.cases.iter().enumerate() {
                let far = own.far.then(|| "it does not reach".to_owned());
                let when: Vec<String> = far.into_iter().chain((!when.is_empty()).then(|| when.clone())).collect();
                let (text, with) = match at {
                    0 => (
                        own.text.replace(":expr}", "}"),
                        own.values.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
                    ),
                    _ => (String::new(), Vec::new()),
                };
                all.push(Self { text, with: with.join("; "), when: when.join("; "), becomes: becomes.clone() });
            }
        }
        all
    }
}
