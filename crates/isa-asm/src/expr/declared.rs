//! The syntax that an instruction set declares.

use super::parse::Parser;
use super::syntax::{Modifier, Syntax};
use isa_engine::Assembly;
use isa_runtime::literal;

impl Syntax {
    /// The syntax of an instruction set.
    pub(crate) fn new(assembly: &Assembly) -> Result<Self, String> {
        let mut numbers = assembly.numbers.clone();
        numbers.extend(literal::SIGNED.prefixes.iter().map(|(prefix, radix)| ((*prefix).to_owned(), *radix)));
        numbers.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        let mut here = vec![".".to_owned()];
        here.extend(assembly.here.iter().cloned());
        let mut own = Self {
            numbers,
            octal: assembly.octal,
            precedence: assembly.precedence,
            here,
            modifiers: Vec::new(),
            anchors: Vec::new(),
        };
        // The expressions of specifications have one syntax, independent of its programs.
        let plain = own.of_specifications();
        for modifier in &assembly.modifiers {
            let expr = |text: &str| match text {
                "" => Ok(None),
                text => Parser::whole(&plain, text, 0).map(Some).map_err(|(_, why)| format!("`{}`: {why}", modifier.name)),
            };
            let (value, reaches) = (expr(&modifier.value)?, expr(&modifier.reaches)?);
            let pair = Some(modifier.pair.clone()).filter(|pair| !pair.is_empty());
            own.anchors.extend(pair.clone());
            own.modifiers.push(Modifier { name: modifier.name.clone(), value, reaches, pair });
        }
        Ok(own)
    }
}
