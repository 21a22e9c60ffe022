//! Tables that make several entries of one, and conditions under which an entry is there.

use super::params::{Budget, Params};
use super::tree::without;
use crate::lang::{self, Column, SyntaxFault};
use crate::yaml::{MAX_NODES, Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::span::Span;
use std::collections::{HashMap, HashSet};

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
        let table = without(&mut node, "for");
        let when = without(&mut node, "when").map(|(_, when)| when);
        let Some((_, table)) = table else {
            if when.is_none_or(|when| is_there(&when, params, diags)) {
                entries.push((key, node));
            }
            continue;
        };
        let rows = rows(&key, &table, params, diags);
        let (errors, mut is_idle) = (diags.error_count(), !rows.is_empty());
        for row in rows {
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
                is_idle = false;
            }
        }
        // Where a file is included, its parameters may be others.
        let when = when.filter(|when| is_idle && diags.error_count() == errors && !params.are_in(when));
        if let Some(when) = when {
            let message = "this condition holds for no row of the table";
            diags.push(Diagnostic::warning("idle-condition", message, when.span).with_label(table.span, "the table"));
        }
    }
    // If tables made several entries with one key, keep the first.
    let mut known: HashMap<String, Span> = HashMap::new();
    entries.retain(|(key, _)| {
        let Some(first) = known.insert(key.value.clone(), key.span) else { return true };
        let message = format!("there is already an entry `{}`", key.value);
        diags.push(Diagnostic::error("duplicate", message, key.span).with_label(first, "first here"));
        false
    });
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

/// A value for each parameter of a table, or of several.
type Row = Vec<(Text, String)>;

/// The rows of a table, or of several tables each with each: every column is a parameter.
fn rows(key: &Text, tables: &Node, params: &Params<'_>, diags: &mut Diagnostics) -> Vec<Row> {
    let list = if let NodeKind::Seq(list) = &tables.kind { list.as_slice() } else { std::slice::from_ref(tables) };
    let mut rows: Vec<Row> = vec![Vec::new()];
    for table in list {
        let (mut more, mut values) = (Vec::new(), 0usize);
        for row in &rows {
            match columns(table, row, params) {
                Ok(own) => {
                    values = own.iter().fold(values, |values, own: &Row| values.saturating_add(row.len() + own.len()));
                    more.extend(own.into_iter().map(|own| row.iter().cloned().chain(own).collect()));
                }
                Err(fault) => {
                    diags.push(*fault);
                    return Vec::new();
                }
            }
            if values > MAX_NODES {
                let message = format!("the tables of an entry have more than {MAX_NODES} values together");
                diags.push(Diagnostic::error("too-large", message, table.span));
                return Vec::new();
            }
        }
        rows = more;
    }
    let name = |row: &Row| {
        let own = Params::row(row.clone(), params);
        own.put_into_text(key).ok().flatten().map(|text| text.value)
    };
    let names: HashSet<Option<String>> = rows.iter().map(name).collect();
    if names.len() < rows.len() {
        let first = rows[0].first().map_or("", |(name, _)| name.value.as_str());
        let message =
            format!("each row makes an entry: the key must contain a parameter of the table, as in `{}.${first}`", key.value);
        diags.push(Diagnostic::error("for", message, key.span));
        return Vec::new();
    }
    rows
}

/// A column as it is written: values, one for each row, or a sum that has one for each row.
enum Values {
    List(Vec<String>),
    Sum(lang::Sum),
}

/// The rows of one table, where these are the values of the tables before it.
fn columns(table: &Node, before: &Row, params: &Params<'_>) -> Result<Vec<Row>, Box<Diagnostic>> {
    let fault = |message: String, span: Span| Box::new(Diagnostic::error("for", message, span));
    let NodeKind::Map(columns) = &table.kind else {
        return Err(fault("`for` is a table, a list for each parameter: `{ f: [s, d] }`".to_string(), table.span));
    };
    let mut list: Vec<(&Text, &Node, Values)> = Vec::new();
    let mut count: Option<usize> = None;
    for (name, column) in columns {
        let values = match &column.kind {
            NodeKind::Seq(items) => {
                let item = |item: &Node| match &item.kind {
                    NodeKind::Scalar { text, .. } => Ok(text.value.clone()),
                    _ => Err(fault("a value of a table is a text".to_string(), item.span)),
                };
                Values::List(items.iter().map(item).collect::<Result<_, _>>()?)
            }
            NodeKind::Scalar { text, .. } => numbers(text, before, params)?,
            _ => {
                let message = format!("`{}` is a list, a range (`0..63`) or a sum (`64 - r`)", name.value);
                return Err(fault(message, column.span));
            }
        };
        if let Values::List(values) = &values {
            let rows = *count.get_or_insert(values.len());
            if values.len() != rows {
                let message = format!("`{}` has {} of {rows} values: one for each row", name.value, values.len());
                return Err(fault(message, name.span));
            }
        }
        list.push((name, column, values));
    }
    if count.is_none_or(|count| count == 0) {
        let message = match list.as_slice() {
            [] => "the table has no rows",
            _ if count.is_some() => "the table has no rows",
            _ => "the table has no rows: a list (`[s, d]`) or a range (`0..63`) says how many there are",
        };
        return Err(fault(message.to_string(), table.span));
    }
    (0..count.unwrap_or(0)).map(|row| one_row(&list, row, before, params)).collect()
}

/// The values of a row; a sum can name the columns before it.
fn one_row(list: &[(&Text, &Node, Values)], number: usize, before: &Row, params: &Params<'_>) -> Result<Row, Box<Diagnostic>> {
    let mut row: Row = Vec::new();
    for (name, column, values) in list {
        let value = match values {
            Values::List(values) => values[number].clone(),
            Values::Sum(sum) => {
                let of = |name: &str| found(&row, name).or_else(|| found(before, name)).or_else(|| params.value_of(name));
                sum.value(&of).map_err(|f| at_column(f, column))?.to_string()
            }
        };
        row.push(((*name).clone(), value));
    }
    Ok(row)
}

fn found<'r>(row: &'r Row, name: &str) -> Option<&'r str> {
    row.iter().find(|(column, _)| column.value == name).map(|(_, value)| value.as_str())
}

/// A column that is no list: `0..63`, or `64 - r`.
fn numbers(text: &Text, before: &Row, params: &Params<'_>) -> Result<Values, Box<Diagnostic>> {
    let at = |f: SyntaxFault| Box::new(Diagnostic::error("for", f.message, text.at(f.range)));
    let of = |name: &str| found(before, name).or_else(|| params.value_of(name));
    match lang::parse_column(&text.value).map_err(at)? {
        Column::Each(sum) => Ok(Values::Sum(sum)),
        Column::Rows(first, last) => {
            let (first, last) = (first.value(&of).map_err(at)?, last.value(&of).map_err(at)?);
            if first.abs_diff(last) >= MAX_NODES as u128 {
                let message = format!("the tables of an entry have more than {MAX_NODES} values together");
                return Err(Box::new(Diagnostic::error("too-large", message, text.span)));
            }
            let numbers: Vec<String> = match first <= last {
                true => (first..=last).map(|n| n.to_string()).collect(),
                false => (last..=first).rev().map(|n| n.to_string()).collect(),
            };
            Ok(Values::List(numbers))
        }
    }
}

fn at_column(fault: SyntaxFault, column: &Node) -> Box<Diagnostic> {
    let place = match &column.kind {
        NodeKind::Scalar { text, .. } => text.at(fault.range),
        _ => column.span,
    };
    Box::new(Diagnostic::error("for", fault.message, place))
}
