//! Expansion of pseudo-instructions.

use crate::Full;
use crate::assembler::Assembler;
use crate::expr::{Expr, Kind, Problem, Scope, Value, evaluate, is_operator};
use crate::lines::Source;
use crate::place::{Line, Made};
use crate::pseudo::Pseudo;
use std::ops::Range;

/// The limit of nested expansions.
const DEEPEST: u32 = 8;

/// The operands of a statement and the values computed from them.
struct Operands<'a, 'c> {
    assembler: &'a Assembler<'c>,
    text: &'a str,
    operands: &'a [(&'a str, Range<usize>)],
    values: Vec<(&'a str, Value)>,
}

impl<'a> Operands<'a, '_> {
    /// The operand with a name, and its place in the statement.
    fn operand(&self, name: &str) -> Option<(&'a str, Range<usize>)> {
        let (_, at) = self.operands.iter().find(|(own, _)| *own == name)?;
        Some((&self.text[at.clone()], at.clone()))
    }
}

impl Scope for Operands<'_, '_> {
    fn symbol(&self, name: &str) -> Result<Value, Problem> {
        if let Some((_, value)) = self.values.iter().find(|(own, _)| *own == name) {
            return Ok(*value);
        }
        let Some((text, _)) = self.operand(name) else {
            let is_linked = self.assembler.world.relocatable;
            match name {
                "linked" => return Ok(Value::number(is_linked.into())),
                "pic" => return Ok(Value::number((is_linked && self.assembler.words.pic).into())),
                _ => {}
            }
            return Err(Problem::Wrong(0..0, format!("`{name}` is no operand")));
        };
        let parsed = self.assembler.parse(text, 0).map_err(|(_, why)| Problem::Wrong(0..0, format!("`{text}`: {why}")))?;
        self.assembler.value_now(&parsed)
    }
    fn here(&self) -> Result<Value, Problem> {
        self.assembler.value_now(&Expr { kind: Kind::Here, at: 0..0 })
    }
    fn paired(&self, _: usize, _: Value) -> Result<Value, bool> {
        Err(false)
    }
    fn modified(&self, _: usize, _: Value) {}
}

impl Assembler<'_> {
    /// Assembles the expansion of a statement, if it has one, and returns the result.
    ///
    /// A statement that may still be an instruction is not expanded before all its symbols are defined.
    pub(crate) fn expansion(&mut self, line: &Line, text: &str, at: usize, may_wait: bool) -> Option<Result<(), Full>> {
        let mut failed = None;
        for place in 0..self.macros.pseudo.len() {
            let pseudo = &self.macros.pseudo[place];
            if pseudo.is_far {
                continue;
            }
            let Some(operands) = pseudo.operands(&self.world.syntax, text) else { continue };
            // An operand of the statement can be an expression, which stays one operand.
            match self.statements(pseudo, text, &operands) {
                Ok(Some(mut statements)) => {
                    // Names that are written in full are longer.
                    if line.text.get(at..).is_none_or(|rest| !rest.starts_with(text)) {
                        statements.iter_mut().for_each(|made| made.copied.clear());
                    }
                    let name = operands.first().map_or(String::new(), |(_, mnemonic)| text[mnemonic.clone()].to_owned());
                    return Some(self.expand(line, at..at + text.len(), &name, statements));
                }
                Ok(None) => {}
                Err(message) => failed = failed.or(Some(message)),
            }
        }
        let message = failed.filter(|_| !may_wait)?;
        self.fault(line, at..at + text.len(), message);
        Some(Ok(()))
    }

    /// The expansion of an instruction that does not reach its target.
    pub(crate) fn far(&self, text: &str) -> Option<Vec<String>> {
        self.macros.pseudo.iter().filter(|pseudo| pseudo.is_far).find_map(|pseudo| {
            let operands = pseudo.operands(&self.world.syntax, text)?;
            let statements = self.statements(pseudo, text, &operands).ok().flatten()?;
            Some(statements.into_iter().map(|made| made.text).collect())
        })
    }

    /// The statements of the first case that holds; copied parts refer to the text of the statement.
    fn statements(&self, pseudo: &Pseudo, text: &str, operands: &[(&str, Range<usize>)]) -> Result<Option<Vec<Made>>, String> {
        let mut scope = Operands { assembler: self, text, operands, values: Vec::new() };
        let plain = self.world.syntax.of_specifications();
        let said = |problem: Problem| match problem {
            Problem::Undefined(name) => format!("`{name}` is needed here, and no line before this one defines it"),
            Problem::Wrong(_, message) => message,
        };
        for (name, expr) in &pseudo.values {
            let value = evaluate(&plain, expr, &scope).map_err(said)?;
            scope.values.push((name, value));
        }
        for (when, statements) in &pseudo.cases {
            let holds = match when {
                Some(when) => evaluate(&plain, when, &scope).map_err(said)?.number != 0,
                None => true,
            };
            if holds {
                return Ok(Some(statements.iter().map(|statement| self.filled(statement, &scope)).collect()));
            }
        }
        Ok(None)
    }

    /// A statement with operands and values in the place of their names.
    fn filled(&self, statement: &str, scope: &Operands<'_, '_>) -> Made {
        let (mut out, mut copied) = (String::new(), Vec::new());
        let mut rest = statement;
        while let Some((before, inside)) = rest.split_once('{') {
            out.push_str(before);
            let Some((name, behind)) = inside.split_once('}') else {
                rest = inside;
                break;
            };
            if name == "@" {
                out.push_str(&self.macros.uses.to_string());
            } else if let Some((_, value)) = scope.values.iter().find(|(own, _)| *own == name) {
                out.push_str(&value.number.to_string());
            } else if let Some((text, at)) = scope.operand(name) {
                // An operand in an expression stays one operand.
                let is_beside = before.trim_end().ends_with(is_operator) || behind.trim_start().starts_with(is_operator);
                let is_closed = is_beside && text.contains(is_operator);
                out.push_str(if is_closed { "(" } else { "" });
                copied.push((out.len()..out.len() + text.len(), at));
                out.push_str(text);
                out.push_str(if is_closed { ")" } else { "" });
            } else {
                // `{16 bits}`, or `{end}`, which is replaced later.
                out.push_str(&format!("{{{name}}}"));
            }
            rest = behind;
        }
        out.push_str(rest);
        Made { text: out, copied }
    }

    fn expand(&mut self, line: &Line, at: Range<usize>, name: &str, statements: Vec<Made>) -> Result<(), Full> {
        if self.input.expanding == DEEPEST {
            self.fault(line, at, format!("`{name}` becomes statements that become others, more than {DEEPEST} deep"));
            return Ok(());
        }
        self.input.expanding += 1;
        self.macros.uses += 1;
        let comments = self.input.comments.clone();
        for made in statements {
            let own = line.becomes(name, at.clone(), made);
            let text = own.text.clone();
            self.statement(&own, Source::new(&text, &comments))?;
        }
        self.input.expanding -= 1;
        Ok(())
    }
}
