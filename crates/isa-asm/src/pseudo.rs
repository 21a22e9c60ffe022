//! The syntax of pseudo-instructions.

use crate::expr::{Expr, Parser, Syntax};
use std::ops::Range;

/// A pseudo-instruction.
#[derive(Debug)]
pub(crate) struct Pseudo {
    /// Its mnemonics, and the name of the operand that selects one.
    pub(crate) mnemonics: Vec<String>,
    pub(crate) mnemonic: String,
    /// The texts and the names of operands after the mnemonic.
    pub(crate) parts: Vec<Part>,
    /// Values with names.
    pub(crate) values: Vec<(String, Expr)>,
    pub(crate) cases: Vec<(Option<Expr>, Vec<String>)>,
    /// It is an instruction, which is expanded only if it does not reach its target.
    pub(crate) is_far: bool,
}

#[derive(Debug)]
pub(crate) enum Part {
    Text(String),
    /// An operand; and whether it must be an expression.
    Operand(String, bool),
}

impl Pseudo {
    /// A pseudo-instruction as the instruction set declares it.
    pub(crate) fn new(syntax: &Syntax, own: &isa_engine::Pseudo) -> Result<Self, String> {
        let plain = syntax.of_specifications();
        let expr = |text: &str| Parser::whole(&plain, text, 0).map_err(|(_, why)| format!("`{}`: `{text}`: {why}", own.text));
        let end = own.text.find(char::is_whitespace).unwrap_or(own.text.len());
        let mut parts = Vec::new();
        let mut rest = own.text[end..].trim_start();
        while !rest.is_empty() {
            if let Some((name, behind)) = rest.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
                let (name, kind) = name.split_once(':').unwrap_or((name, ""));
                parts.push(Part::Operand(name.to_owned(), kind == "expr"));
                rest = behind;
                continue;
            }
            let to = rest[1..].find('{').map_or(rest.len(), |to| to + 1);
            let text: String = rest[..to].chars().filter(|c| !c.is_whitespace()).collect();
            if !text.is_empty() {
                parts.push(Part::Text(text));
            }
            rest = &rest[to..];
        }
        let values = own.values.iter().map(|(name, value)| Ok((name.clone(), expr(value)?))).collect::<Result<_, String>>()?;
        let case = |(when, statements): &(String, Vec<String>)| {
            let when = if when.is_empty() { None } else { Some(expr(when)?) };
            Ok((when, statements.clone()))
        };
        let cases = own.cases.iter().map(case).collect::<Result<_, String>>()?;
        let (mnemonic, mnemonics) = own.mnemonics();
        let mnemonics = mnemonics.map(str::to_owned).collect();
        Ok(Self { mnemonics, mnemonic: mnemonic.to_owned(), parts, values, cases, is_far: own.far })
    }

    /// Its syntax: `li {rd}, {value}`.
    pub(crate) fn written(&self, mnemonic: &str) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.replace(',', ", "),
            Part::Operand(name, _) => format!("{{{name}}}"),
        };
        format!("{mnemonic} {}", self.parts.iter().map(part).collect::<String>()).trim_end().to_owned()
    }

    /// True if statements begin with this mnemonic and then this text.
    pub(crate) fn begins(&self, mnemonic: &str, text: &str) -> bool {
        let is_next = matches!(self.parts.first(), Some(Part::Text(own)) if own.starts_with(text));
        is_next && !self.is_far && self.mnemonics.iter().any(|own| own == mnemonic)
    }

    /// The names of the operands of a statement, each with its place, if the statement has this syntax.
    pub(crate) fn operands(&self, syntax: &Syntax, text: &str) -> Option<Vec<(&str, Range<usize>)>> {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (mnemonic, rest) = text.split_at(end);
        if !self.mnemonics.iter().any(|own| own == mnemonic) {
            return None;
        }
        let (mut rest, mut operands) = (rest.trim_start(), vec![(self.mnemonic.as_str(), 0..end)]);
        for (place, part) in self.parts.iter().enumerate() {
            match part {
                Part::Text(text) => {
                    for c in text.chars() {
                        rest = rest.trim_start().strip_prefix(c)?;
                    }
                    rest = rest.trim_start();
                }
                Part::Operand(name, is_expression) => {
                    let next = self.parts.get(place + 1).and_then(|part| match part {
                        Part::Text(text) => text.chars().next(),
                        Part::Operand(..) => None,
                    });
                    let end = end_of(rest, next)?;
                    let own = rest[..end].trim();
                    if own.is_empty() || *is_expression && Parser::whole(syntax, own, 0).is_err() {
                        return None;
                    }
                    let start = text.len() - rest.trim_start().len();
                    operands.push((name.as_str(), start..start + own.len()));
                    rest = &rest[end..];
                }
            }
        }
        rest.trim().is_empty().then_some(operands)
    }
}

/// The end of an operand: before this character outside of parentheses, or at the end of the text; an operand contains no comma.
fn end_of(text: &str, next: Option<char>) -> Option<usize> {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        if depth == 0 && Some(c) == next {
            return Some(at);
        }
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    (next.is_none() && depth == 0).then_some(text.len())
}
