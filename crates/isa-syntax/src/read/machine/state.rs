//! Flags, named values and views of registers of a machine, from YAML.

use super::pieces::{error, is_name, names};
use crate::keys::{Key, KeyTable, Reader};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, nearest};
use isa_model::semantics::machine::{Flags, LAUNCH_VALUES, MAX_FLAGS, MAX_STATE, State, StateKind, View};

pub(super) static FLAGS: KeyTable<Flags> = KeyTable::or_short(
    "flags",
    "a register of flags",
    &[&[
        Key::number("count", 1..=65_536, |f, n, _| f.count = n as u32, "The number of registers; 1 by default."),
        Key::required(
            "needs `flags`: `flags: [z, s]`",
            Key::own(
                "flags",
                "list of names",
                |r, f, node, what| f.flags = names(r, node, what),
                "The names of the flags; the first is bit 0.",
            ),
        ),
        Key::prose("summary", |f| &mut f.summary, "A description in one line."),
    ]],
);

pub(super) static STATE: KeyTable<State> = KeyTable::or_short(
    "bits",
    "a named value",
    &[&[
        Key::required(
            "needs `bits`: `bits: 8`",
            Key::number("bits", 1..=MAX_STATE as u64, |s, n, _| s.width = n as u32, "The width in bits."),
        ),
        Key::word(
            "of",
            &["lane", "warp"],
            |s, word, _| s.of_warp = word == 1,
            "What has a value of its own: each lane (the default) or each warp. Only with several lanes.",
        ),
        Key::prose("summary", |s| &mut s.summary, "A description in one line."),
    ]],
);

pub(super) fn flags(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<Flags> {
    let mut made = Flags { name: name.value.clone(), count: 1, flags: Vec::new(), summary: String::new(), span: name.span };
    let errors = reader.diags.error_count();
    reader.fill_at(&FLAGS, &mut made, node, name.span);
    if made.flags.len() > MAX_FLAGS {
        error(reader, format!("`{}` has 1 to {MAX_FLAGS} flags", name.value), name.span);
    }
    made.flags.truncate(MAX_FLAGS);
    debug_assert!(!made.flags.is_empty() || reader.diags.error_count() > errors, "flags that are missing are reported");
    // Later steps need some value.
    made.flags.resize(made.flags.len().max(1), "?".to_owned());
    Some(made)
}

pub(super) fn view(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<View> {
    let of = reader.text(node, "the register file that a view is of")?;
    Some(View { name: name.value.clone(), of: of.value, span: name.span })
}

fn width(reader: &mut Reader<'_>, name: &Text, node: &Node) -> u32 {
    let width = reader.number(node, &format!("the width of `{}`", name.value), 1..=u64::from(MAX_STATE));
    width.map_or(32, |n| n as u32)
}

/// A value that instructions write.
pub(super) fn written(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<State> {
    let mut made = State::new(&name.value, 32, StateKind::Written, name.span);
    if !is_name(&name.value, true) {
        error(reader, format!("`{}` is not a name", name.value), name.span);
    }
    match node.kind {
        NodeKind::Map(_) => reader.fill_at(&STATE, &mut made, node, name.span),
        _ => made.width = width(reader, name, node),
    }
    Some(made)
}

/// A value that a launch sets.
pub(super) fn launch_value(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<State> {
    let width = width(reader, name, node);
    let is_size = name.value.strip_prefix("size.").is_some_and(|space| is_name(space, false));
    if !is_size && !LAUNCH_VALUES.contains(&name.value.as_str()) {
        let help = match nearest(&name.value, LAUNCH_VALUES) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it can have: {}, size.SPACE", LAUNCH_VALUES.join(", ")),
        };
        let message = format!("a launch has no `{}`", name.value);
        reader.diags.push(Diagnostic::error("unknown-key", message, name.span).with_help(help));
    }
    Some(State::new(&name.value, width, StateKind::Launch, name.span))
}
