//! Enumerations.

use super::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::model::{Enum, EnumValue, Otherwise};
use std::collections::HashMap;
use std::sync::Arc;

pub(super) fn enums(cx: &Context<'_, '_>) -> Vec<Enum> {
    let mut list = Vec::new();
    for e in &cx.spec.enums {
        let otherwise = e.otherwise.as_ref().and_then(|t| {
            let found = [("{n}", false), ("{n:d}", false), ("{n:x}", true)].into_iter().find_map(|(place, is_hex)| {
                let (before, after) = t.value.split_once(place)?;
                Some(Otherwise { before: before.to_owned(), after: after.to_owned(), is_hex })
            });
            if found.is_none() {
                cx.error(
                    "name",
                    "the text of other values must contain their number: `SR{n}`, or in hexadecimal `SR{n:x}`",
                    t.span,
                );
            }
            if let Some(other) = &found {
                cx.after_number(&other.after, other.is_hex, t.span);
            }
            found
        });
        let mut values: Vec<EnumValue> = Vec::new();
        let mut printed: HashMap<&str, u128> = HashMap::new();
        for v in e.values.iter().filter(|v| v.like.is_none()) {
            if let Some(other) = printed.get(v.text.value.as_str()) {
                let message = format!("the values {other} and {} have the same text, so it can't be read back", v.value);
                let help = format!("if this is intended, state which value is assembled: `{}: {{ like: {other} }}`", v.value);
                cx.report(Diagnostic::error("ambiguous-text", message, v.text.span).with_help(help));
            }
            printed.entry(&v.text.value).or_insert(v.value);
        }
        let mut read: HashMap<&str, u128> = HashMap::new();
        for v in &e.values {
            for also in &v.also {
                let text = also.value.as_str();
                if let Some(other) = printed.get(text).or_else(|| read.get(text)) {
                    cx.error("ambiguous-text", format!("`{text}` is already a text of the value {other}"), also.span);
                }
            }
            for also in &v.also {
                read.entry(&also.value).or_insert(v.value);
            }
            let like = v.like.and_then(|(like, span)| {
                let found = e.values.iter().find(|other| i128::try_from(other.value) == Ok(like) && other.like.is_none());
                if found.is_none() || !v.text.value.is_empty() || !v.also.is_empty() {
                    let message = match found {
                        None => format!("`{}` has no value {like} with a text of its own", e.name.value),
                        Some(_) => format!("the value {} prints what {like} prints: it has no text of its own", v.value),
                    };
                    cx.error("value", message, span);
                }
                found
            });
            values.push(EnumValue {
                value: v.value,
                text: like.map_or(&v.text, |like| &like.text).value.clone(),
                like: like.map(|like| like.value),
                also: v.also.iter().map(|t| t.value.clone()).collect(),
                name: v.name.clone(),
                note: v.note.clone(),
                doc: cx.doc(v.doc.as_ref()),
            });
        }
        let values = Enum {
            name: e.name.value.clone(),
            values,
            otherwise,
            summary: e.summary.clone(),
            doc: cx.doc(e.doc.as_ref()),
            spelling: Arc::default(),
            span: e.name.span,
        };
        list.push(values.spelt());
    }
    list
}
