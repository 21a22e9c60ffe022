//! Parameters of files, and conditions on them.

use crate::files::MAX_FILE;
use crate::lang::{self, Compare, CondAst, Lhs, Name, SyntaxFault, Value};
use crate::yaml::{Hole, MAX_NODES, Node, NodeKind, Part, Text};
use isa_model::diag::{Diagnostic, Diagnostics, nearest};
use isa_model::span::FileId;
use isa_runtime::value::Number;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

/// The bytes of text and the nodes that may still be made.
pub(super) struct Budget {
    bytes: usize,
    pub(super) nodes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { bytes: MAX_FILE as usize, nodes: MAX_NODES }
    }
}

/// Parameters by name. If several have one name, the first counts, which is that of the including file; but a value given to a
/// file takes precedence in that file and those that it includes.
#[derive(Default)]
pub(super) struct Params<'o> {
    list: Vec<Param>,
    /// The one of each name that counts.
    index: HashMap<String, usize>,
    /// The parameters around those of a table.
    outer: Option<&'o Params<'o>>,
}

/// The number of parameters at some point, and which of them counted.
pub(super) struct Mark {
    count: usize,
    index: HashMap<String, usize>,
}

struct Param {
    name: Text,
    value: String,
    used: Cell<bool>,
}

impl<'o> Params<'o> {
    /// The parameters of a row of a table, inside others.
    pub(super) fn row(row: Vec<(Text, String)>, outer: &'o Self) -> Self {
        let mut params = Self { outer: Some(outer), ..Self::default() };
        row.into_iter().for_each(|(name, value)| params.push(Param { name, value, used: Cell::new(true) }));
        params
    }

    fn push(&mut self, param: Param) {
        self.index.entry(param.name.value.clone()).or_insert(self.list.len());
        self.list.push(param);
    }

    /// The current parameters, for [`Params::forget_since`].
    pub(super) fn mark(&self) -> Mark {
        Mark { count: self.list.len(), index: self.index.clone() }
    }

    /// Forgets those that were declared or given later.
    pub(super) fn forget_since(&mut self, mark: Mark) {
        self.list.truncate(mark.count);
        self.index = mark.index;
    }

    /// Reads what a file is given, which counts before what others are called that are declared around it.
    pub(super) fn give(&mut self, node: &Node, diags: &mut Diagnostics) {
        let count = self.list.len();
        self.declare(node, diags);
        for (at, param) in self.list.iter().enumerate().skip(count).rev() {
            self.index.insert(param.name.value.clone(), at);
        }
    }

    fn find(&self, name: &str) -> Option<&Param> {
        let Some(found) = self.index.get(name) else { return self.outer?.find(name) };
        self.list[*found].used.set(true);
        Some(&self.list[*found])
    }

    /// All names.
    fn names(&self) -> Vec<&str> {
        let outer = self.outer.map_or_else(Vec::new, Params::names);
        self.list.iter().map(|p| p.name.value.as_str()).chain(outer).collect()
    }

    /// True if a condition has the name of a parameter in it.
    pub(super) fn are_in(&self, when: &Node) -> bool {
        let NodeKind::Scalar { text, .. } = &when.kind else { return false };
        let names = self.names();
        text.value.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| names.contains(&word))
    }

    pub(super) fn value_of(&self, name: &str) -> Option<&str> {
        self.find(name).map(|p| p.value.as_str())
    }

    /// The text with the parameters replaced that have a value, and the others kept; `None` if it has none of them.
    ///
    /// # Errors
    /// If a sum of parameters has no number.
    pub(super) fn put_into_text(&self, text: &Text) -> Result<Option<Text>, SyntaxFault> {
        text.replaced(|hole, range| match hole {
            Hole::Name(name) => Ok(self.value_of(name).map(|value| (range, Cow::Borrowed(value))).into_iter().collect()),
            Hole::Sum(sum) => self.sum(sum, range),
        })
    }

    /// The number of a sum in a text. If it has parameters of operands, only the known ones are replaced.
    fn sum(&self, text: &str, range: Range<usize>) -> Result<Vec<Part<'_>>, SyntaxFault> {
        // Other texts in brackets may belong to instructions.
        let Ok(sum) = lang::parse_sum(text) else { return Ok(Vec::new()) };
        let start = range.start + "$(".len();
        let (mut known, mut is_whole) = (Vec::new(), true);
        sum.each_name(&mut |name, at| match self.value_of(name) {
            Some(value) => {
                let dollar = usize::from(text[..at.start].ends_with('$'));
                known.push((at.start + start - dollar..at.end + start, Cow::Borrowed(value.trim())));
            }
            None => is_whole = false,
        });
        if !is_whole {
            return Ok(known);
        }
        let moved = |f: SyntaxFault| SyntaxFault::new(f.range.start + start..f.range.end + start, f.message);
        let number = sum.value(&|name| self.value_of(name)).map_err(moved)?;
        Ok(vec![(range, Cow::Owned(number.to_string()))])
    }

    /// Reads `params:`. A value is a text, which may use those before it, or one for each of several cases.
    pub(super) fn declare(&mut self, node: &Node, diags: &mut Diagnostics) {
        let NodeKind::Map(entries) = &node.kind else {
            diags.push(Diagnostic::error("shape", "`params` is a mapping", node.span));
            return;
        };
        for (name, node) in entries {
            let is_name = name.value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if !is_name {
                let message = format!("`{}` is not a name for a parameter: it has letters, digits and `_`", name.value);
                diags.push(Diagnostic::error("name", message, name.span));
                continue;
            }
            let value = match &node.kind {
                NodeKind::Scalar { text, .. } => Some(text),
                NodeKind::Map(cases) => self.case(cases, name, diags),
                _ => {
                    let message = format!("the parameter `{}` is a text, or one for each of several cases", name.value);
                    diags.push(Diagnostic::error("shape", message, node.span));
                    None
                }
            };
            let value = value.map(|text| match self.put_into_text(text) {
                Ok(new) => new.map_or(text.value.clone(), |new| new.value),
                Err(fault) => {
                    diags.push(Diagnostic::error("params", fault.message, text.at(fault.range)));
                    String::new()
                }
            });
            if value.as_ref().is_some_and(|value| value.len() > MAX_VALUE) {
                let message = format!("the value of a parameter has at most {MAX_VALUE} bytes");
                diags.push(Diagnostic::error("too-large", message, node.span));
            } else {
                self.push(Param { name: name.clone(), value: value.unwrap_or_default(), used: Cell::new(false) });
            }
        }
    }

    /// The value of the first case that holds.
    fn case<'n>(&self, cases: &'n [(Text, Node)], name: &Text, diags: &mut Diagnostics) -> Option<&'n Text> {
        let errors = diags.error_count();
        let found = cases.iter().find(|(when, _)| when.value == "else" || self.holds(when, diags));
        match found.map(|(_, node)| &node.kind) {
            Some(NodeKind::Scalar { text, .. }) => Some(text),
            _ if diags.error_count() > errors => None,
            Some(_) => {
                diags.push(Diagnostic::error("shape", "the value of a case is a text", name.span));
                None
            }
            None => {
                let message = format!("no case of the parameter `{}` holds", name.value);
                diags.push(Diagnostic::error("missing", message, name.span).with_help("add `else: VALUE`"));
                None
            }
        }
    }

    /// Reports parameters of an operand or a choice that have the name of one of these, which is put in before.
    pub(super) fn report_shared(&self, head: &Text, diags: &mut Diagnostics) {
        let Ok(parsed) = lang::parse_head(&head.value) else { return };
        for (name, _) in parsed.parameters.iter().filter(|(name, _)| self.find(name).is_some()) {
            let message = format!("`{name}` is already a parameter of the file");
            diags.push(Diagnostic::error("params", message, head.span));
        }
    }

    /// Parameters of the first file that no file uses.
    pub(super) fn report_unused(&self, file: FileId, diags: &mut Diagnostics) {
        for param in self.list.iter().filter(|p| p.name.span.file == file && !p.used.get()) {
            let message = format!("nothing uses the parameter `{}`", param.name.value);
            diags.push(Diagnostic::warning("unused", message, param.name.span));
        }
    }

    /// Puts the parameters into all texts of a tree.
    pub(super) fn put_into(&self, node: &mut Node, budget: &mut Budget, diags: &mut Diagnostics) {
        let put = |text: &mut Text, budget: &mut Budget, diags: &mut Diagnostics| match self.put_into_text(text) {
            Ok(None) => {}
            Ok(Some(new)) => match budget.bytes.checked_sub(new.value.len()) {
                Some(rest) => {
                    budget.bytes = rest;
                    *text = new;
                }
                None => {
                    let message = format!("with its parameters the specification has more than {MAX_FILE} bytes");
                    diags.push(Diagnostic::error("too-large", message, text.span));
                }
            },
            Err(fault) => diags.push(Diagnostic::error("params", fault.message, text.at(fault.range))),
        };
        match &mut node.kind {
            NodeKind::Null => {}
            NodeKind::Scalar { text, .. } => put(text, budget, diags),
            NodeKind::Seq(items) => items.iter_mut().for_each(|item| self.put_into(item, budget, diags)),
            NodeKind::Map(entries) => {
                for (key, node) in entries {
                    put(key, budget, diags);
                    self.put_into(node, budget, diags);
                }
            }
        }
    }

    /// True if a condition on parameters holds; not if it is none.
    pub(super) fn holds(&self, text: &Text, diags: &mut Diagnostics) -> bool {
        let holds = lang::parse_condition(&text.value).and_then(|ast| self.condition(&ast));
        holds.unwrap_or_else(|fault| {
            let mut diagnostic = Diagnostic::error("params", fault.message, text.at(fault.range.clone()));
            let name = text.value.get(fault.range).unwrap_or("");
            let known = self.names();
            if let Some(near) = nearest(name, known.iter().copied()).filter(|_| !name.contains(' ') && !known.contains(&name)) {
                diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
            }
            diags.push(diagnostic);
            false
        })
    }

    fn condition(&self, ast: &CondAst) -> Result<bool, SyntaxFault> {
        let fault = |range: &Range<usize>, message: &str| Err(SyntaxFault::new(range.clone(), message));
        match ast {
            CondAst::Or(parts) => self.all(parts).map(|parts| parts.contains(&true)),
            CondAst::And(parts) => self.all(parts).map(|parts| !parts.contains(&false)),
            CondAst::Not(part) => self.condition(part).map(|part| !part),
            CondAst::Is { slot, alternatives } => {
                let name = Name { path: slot.0.clone(), optional: false, range: slot.1.clone() };
                let value = self.named(&name)?.unwrap_or_default();
                Ok(alternatives.iter().any(|word| word.name == value))
            }
            CondAst::Test { lhs: Lhs::Term(term), arith, compare, range } if term.is_plain() => match self.named(&term.name)? {
                Some(value) => test(value, *arith, &self.resolved(compare), range),
                None => Ok(false),
            },
            CondAst::Has(_, range) | CondAst::OneHot(Name { range, .. }) | CondAst::Test { range, .. } => {
                fault(range, "this is a condition on parameters: `XLEN == 64`")
            }
        }
    }

    fn all(&self, parts: &[CondAst]) -> Result<Vec<bool>, SyntaxFault> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    /// A comparison with the values of the parameters that it names.
    fn resolved(&self, compare: &Compare) -> Compare {
        let value = |value: &Value| match value {
            Value::Name(name) => match self.value_of(name) {
                Some(text) => lang::wide_number(text.trim()).map_or_else(|| Value::Text(text.to_string()), Value::Number),
                None => value.clone(),
            },
            value => value.clone(),
        };
        match compare {
            Compare::NotZero => Compare::NotZero,
            Compare::With(op, right, range) => Compare::With(op, value(right), range.clone()),
            Compare::In(list) => {
                let each =
                    |(low, high, range): &(Value, Option<Value>, _)| (value(low), high.as_ref().map(value), Clone::clone(range));
                Compare::In(list.iter().map(each).collect())
            }
            Compare::Field(..) => compare.clone(),
        }
    }

    fn named(&self, name: &Name) -> Result<Option<&str>, SyntaxFault> {
        match self.value_of(&name.path) {
            None if !name.optional => Err(SyntaxFault::new(name.range.clone(), format!("there is no parameter `{}`", name.path))),
            value => Ok(value),
        }
    }
}

/// The greatest number of bytes in the value of a parameter.
const MAX_VALUE: usize = 1 << 16;

/// Tests the value of a parameter. Numbers compare as numbers, words as equal or not.
fn test(value: &str, arith: Option<(char, Number)>, compare: &Compare, range: &Range<usize>) -> Result<bool, SyntaxFault> {
    let fault = |message: String| Err(SyntaxFault::new(range.clone(), message));
    let left = lang::wide_number(value.trim()).map(Number::clamped);
    let left = match (arith, left) {
        (None, left) => left,
        (Some(('%', by)), Some(left)) if by.clamped() > 0 => Some(left.rem_euclid(by.clamped())),
        (Some(('&', by)), Some(left)) => Some(left & by.clamped()),
        _ => return fault(format!("`{value}` is not a number that has this remainder")),
    };
    let equals = |right: &Value| match (right, left) {
        (Value::Number(right), Some(left)) => right.clamped() == left,
        (Value::Number(_), None) => false,
        (Value::Name(right) | Value::Text(right), _) => right == value,
    };
    let above = |right: &Value| match (right, left) {
        (Value::Number(right), Some(left)) => Ok(left.cmp(&right.clamped())),
        _ => Err(SyntaxFault::new(range.clone(), "words have no order: compare them with `==` or `!=`".to_string())),
    };
    Ok(match compare {
        Compare::NotZero => match left {
            Some(left) => left != 0,
            None => return fault(format!("`{value}` is not a number: a word is compared, as in `f == s`")),
        },
        Compare::With("==", right, _) => equals(right),
        Compare::With("!=", right, _) => !equals(right),
        Compare::With("<", right, _) => above(right)?.is_lt(),
        Compare::With("<=", right, _) => above(right)?.is_le(),
        Compare::With(">", right, _) => above(right)?.is_gt(),
        Compare::With(_, right, _) => above(right)?.is_ge(),
        Compare::Field(..) => return fault("parameters are compared with words and numbers".to_string()),
        Compare::In(list) => {
            let mut found = false;
            for (low, high, _) in list {
                found |= match high {
                    None => equals(low),
                    Some(high) => above(low)?.is_ge() && above(high)?.is_le(),
                };
            }
            found
        }
    })
}
