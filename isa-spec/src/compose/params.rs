//! Parameters of files, conditions on them, and tables that make several entries of one.

use crate::diag::{Diagnostic, Diagnostics, nearest};
use crate::files::MAX_FILE;
use crate::lang::{self, Compare, CondAst, Lhs, Name, Value};
use crate::span::{FileId, Span};
use crate::yaml::{MAX_NODES, Node, NodeKind, Text};
use isa_runtime::value::Number;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// What may still be made: so many bytes of texts, and so many nodes.
pub(super) struct Budget {
    bytes: usize,
    nodes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { bytes: MAX_FILE as usize, nodes: MAX_NODES }
    }
}

/// Parameters by name. Of several with one name the first counts, that of the file that includes the others; but what is given to a
/// file counts there, and in what it includes.
#[derive(Default)]
pub(super) struct Params<'o> {
    list: Vec<Param>,
    /// The one of each name that counts.
    index: HashMap<String, usize>,
    /// Those around a table's.
    outer: Option<&'o Params<'o>>,
}

/// How many parameters there were, and which of them counted.
pub(super) struct Mark {
    count: usize,
    index: HashMap<String, usize>,
}

#[derive(Clone)]
struct Param {
    name: Text,
    value: String,
    used: Cell<bool>,
}

impl<'o> Params<'o> {
    /// Those of a row of a table, and others around them.
    fn row(row: Vec<Param>, outer: &'o Self) -> Self {
        let mut params = Self { outer: Some(outer), ..Self::default() };
        row.into_iter().for_each(|param| params.push(param));
        params
    }

    fn push(&mut self, param: Param) {
        self.index.entry(param.name.value.clone()).or_insert(self.list.len());
        self.list.push(param);
    }

    /// Those that there are now, for [`Params::forget_since`].
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

    fn value_of(&self, name: &str) -> Option<&str> {
        self.find(name).map(|p| p.value.as_str())
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
            let value =
                value.map(|text| text.with_parameters(&|name| self.value_of(name)).map_or(text.value.clone(), |t| t.value));
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
    fn report_shared(&self, head: &Text, diags: &mut Diagnostics) {
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
        if self.list.is_empty() {
            return;
        }
        let put = |text: &mut Text, budget: &mut Budget, diags: &mut Diagnostics| {
            if let Some(new) = text.with_parameters(&|name| self.value_of(name)) {
                match budget.bytes.checked_sub(new.value.len()) {
                    Some(rest) => {
                        budget.bytes = rest;
                        *text = new;
                    }
                    None => {
                        let message = format!("with its parameters the specification has more than {MAX_FILE} bytes");
                        diags.push(Diagnostic::error("too-large", message, text.span));
                    }
                }
            }
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

    /// Whether a condition on parameters holds; not if it is none.
    fn holds(&self, text: &Text, diags: &mut Diagnostics) -> bool {
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

    fn condition(&self, ast: &CondAst) -> Result<bool, lang::SyntaxFault> {
        let fault = |range: &std::ops::Range<usize>, message: &str| Err(lang::SyntaxFault::new(range.clone(), message));
        match ast {
            CondAst::Or(parts) => self.all(parts).map(|parts| parts.contains(&true)),
            CondAst::And(parts) => self.all(parts).map(|parts| !parts.contains(&false)),
            CondAst::Not(part) => self.condition(part).map(|part| !part),
            CondAst::Is { slot, alternatives } => {
                let name = Name { path: slot.0.clone(), optional: false, range: slot.1.clone() };
                let value = self.named(&name)?.unwrap_or_default();
                Ok(alternatives.iter().any(|(word, _)| word == value))
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

    fn all(&self, parts: &[CondAst]) -> Result<Vec<bool>, lang::SyntaxFault> {
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

    fn named(&self, name: &Name) -> Result<Option<&str>, lang::SyntaxFault> {
        match self.value_of(&name.path) {
            None if !name.optional => {
                Err(lang::SyntaxFault::new(name.range.clone(), format!("there is no parameter `{}`", name.path)))
            }
            value => Ok(value),
        }
    }
}

/// The value of a parameter has so many bytes at most.
const MAX_VALUE: usize = 1 << 16;

/// Whether the value of a parameter passes a test. Numbers compare as numbers, words as equal or not.
fn test(
    value: &str,
    arith: Option<(char, Number)>,
    compare: &Compare,
    range: &std::ops::Range<usize>,
) -> Result<bool, lang::SyntaxFault> {
    let fault = |message: String| Err(lang::SyntaxFault::new(range.clone(), message));
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
        _ => Err(lang::SyntaxFault::new(range.clone(), "words have no order: compare them with `==` or `!=`".to_string())),
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

/// Makes as many entries of each declaration as its `for` says, and takes those out whose `when` does not hold.
pub(super) fn expand(tree: &mut Node, params: &Params<'_>, budget: &mut Budget, diags: &mut Diagnostics) {
    let NodeKind::Map(sections) = &mut tree.kind else { return };
    for (section, node) in sections {
        if let ("operands" | "choices", NodeKind::Map(entries)) = (section.value.as_str(), &node.kind) {
            entries.iter().for_each(|(head, _)| params.report_shared(head, diags));
        }
        match section.value.as_str() {
            "registers" | "enums" | "codes" | "holes" => declarations(node, params, budget, diags),
            "operands" | "formats" | "instructions" => parts(node, params, budget, diags),
            "choices" => {
                let NodeKind::Map(choices) = &mut node.kind else { continue };
                choices.iter_mut().for_each(|(_, choice)| parts(choice, params, budget, diags));
            }
            _ => {}
        }
    }
}

/// Declarations that have fields and choices of their own.
fn parts(node: &mut Node, params: &Params<'_>, budget: &mut Budget, diags: &mut Diagnostics) {
    declarations(node, params, budget, diags);
    let NodeKind::Map(entries) = &mut node.kind else { return };
    for part in
        entries.iter_mut().filter_map(|(_, part)| if let NodeKind::Map(keys) = &mut part.kind { Some(keys) } else { None })
    {
        for (key, node) in part {
            match (key.value.as_str(), &mut node.kind) {
                ("fields", _) => declarations(node, params, budget, diags),
                ("choose", NodeKind::Map(choices)) => {
                    choices.iter_mut().for_each(|(_, choice)| parts(choice, params, budget, diags));
                }
                _ => {}
            }
        }
    }
}

fn declarations(node: &mut Node, params: &Params<'_>, budget: &mut Budget, diags: &mut Diagnostics) {
    let NodeKind::Map(entries) = &mut node.kind else { return };
    let is_plain = |(_, node): &(Text, Node)| match &node.kind {
        NodeKind::Map(keys) => !keys.iter().any(|(key, _)| key.value == "for" || key.value == "when"),
        _ => true,
    };
    if entries.iter().all(is_plain) {
        return;
    }
    for (key, mut node) in std::mem::take(entries) {
        let table = super::tree::without(&mut node, "for");
        let when = super::tree::without(&mut node, "when").map(|(_, when)| when);
        let Some((_, table)) = table else {
            if when.is_none_or(|when| is_there(&when, params, diags)) {
                entries.push((key, node));
            }
            continue;
        };
        for row in rows(&key, &table, diags) {
            let size = size(&node);
            let Some(rest) = budget.nodes.checked_sub(size) else {
                let message = format!("the tables make more than {MAX_NODES} keys and values");
                diags.push(Diagnostic::error("too-large", message, table.span));
                return;
            };
            budget.nodes = rest;
            let row = Params::row(row, params);
            let mut made = Node { span: key.span, kind: NodeKind::Map(vec![(key.clone(), node.clone())]) };
            row.put_into(&mut made, budget, diags);
            if when.as_ref().is_none_or(|when| is_there(when, &row, diags))
                && let NodeKind::Map(made) = made.kind
            {
                entries.extend(made);
            }
        }
    }
}

fn is_there(when: &Node, params: &Params<'_>, diags: &mut Diagnostics) -> bool {
    let NodeKind::Scalar { text, .. } = &when.kind else {
        diags.push(Diagnostic::error("shape", "`when` is a condition on parameters: `XLEN == 64`", when.span));
        return false;
    };
    params.holds(text, diags)
}

fn size(node: &Node) -> usize {
    1 + match &node.kind {
        NodeKind::Null | NodeKind::Scalar { .. } => 0,
        NodeKind::Seq(items) => items.iter().map(size).sum(),
        NodeKind::Map(entries) => entries.iter().map(|(_, node)| size(node)).sum(),
    }
}

/// The rows of a table, or of several tables each with each: every column is a parameter.
fn rows(key: &Text, tables: &Node, diags: &mut Diagnostics) -> Vec<Vec<Param>> {
    let list = if let NodeKind::Seq(list) = &tables.kind { list.as_slice() } else { std::slice::from_ref(tables) };
    let mut rows: Vec<Vec<Param>> = vec![Vec::new()];
    for table in list {
        let more = match columns(table) {
            Ok(more) => more,
            Err((message, span)) => {
                diags.push(Diagnostic::error("for", message, span));
                return Vec::new();
            }
        };
        let columns = rows[0].len() + more[0].len();
        if rows.len().saturating_mul(more.len()).saturating_mul(columns) > MAX_NODES {
            let message = format!("the tables of an entry have more than {MAX_NODES} values together");
            diags.push(Diagnostic::error("too-large", message, table.span));
            return Vec::new();
        }
        let both = |a: &Vec<Param>, b: &Vec<Param>| a.iter().chain(b).cloned().collect();
        rows = rows.iter().flat_map(|a| more.iter().map(move |b| both(a, b))).collect();
    }
    let name = |row: &[Param]| {
        let value = |name: &str| row.iter().find(|p| p.name.value == name).map(|p| p.value.as_str());
        key.with_parameters(&value).map(|text| text.value)
    };
    let names: HashSet<Option<String>> = rows.iter().map(|row| name(row)).collect();
    if names.len() < rows.len() {
        let first = rows[0].first().map_or("", |p| p.name.value.as_str());
        let message =
            format!("each row makes an entry: the key must contain a parameter of the table, as in `{}.${first}`", key.value);
        diags.push(Diagnostic::error("for", message, key.span));
        return Vec::new();
    }
    rows
}

/// The rows of one table.
fn columns(table: &Node) -> Result<Vec<Vec<Param>>, (String, Span)> {
    let NodeKind::Map(columns) = &table.kind else {
        return Err(("`for` is a table, a list for each parameter: `{ f: [s, d] }`".to_string(), table.span));
    };
    let mut rows: Vec<Vec<Param>> = Vec::new();
    for (index, (name, column)) in columns.iter().enumerate() {
        let NodeKind::Seq(items) = &column.kind else {
            return Err((format!("`{}` is a list: one value for each row", name.value), column.span));
        };
        if index == 0 {
            rows.resize_with(items.len(), Vec::new);
        }
        if items.len() != rows.len() {
            let message = format!("`{}` has {} of {} values: one for each row", name.value, items.len(), rows.len());
            return Err((message, name.span));
        }
        for (row, item) in rows.iter_mut().zip(items) {
            let NodeKind::Scalar { text, .. } = &item.kind else {
                return Err(("a value of a table is a text".to_string(), item.span));
            };
            row.push(Param { name: name.clone(), value: text.value.clone(), used: Cell::new(true) });
        }
    }
    if rows.is_empty() { Err(("the table has no rows".to_string(), table.span)) } else { Ok(rows) }
}
