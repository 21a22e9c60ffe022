//! Memory spaces that show others: at some addresses one, elsewhere another one.

use super::pieces::error;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};
use isa_model::semantics::machine::{Machine, Sharing, Space, Window};

pub(super) static WINDOW: KeyTable<Window> = KeyTable::new(
    "a window",
    &[&[
        Key::required(
            "needs `at`, its first address",
            Key::number("at", 0..=u64::MAX, |w, n, _| w.at = n, "The first address, which shows address 0 of the other space."),
        ),
        Key::required("needs `size`", Key::number("size", 1..=u64::MAX, |w, n, _| w.size = n, "The size in bytes.")),
    ]],
);

pub(super) fn listing() -> Listing {
    (&WINDOW).into()
}

/// A window on the space of a name.
pub(super) fn window(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<Window> {
    let mut window = Window { space: name.clone(), at: 0, size: 1 };
    reader.fill_at(&WINDOW, &mut window, node, name.span);
    Some(window)
}

/// Checks what only the whole machine shows.
pub(super) fn whole(reader: &mut Reader<'_>, machine: &Machine) {
    for space in &machine.spaces {
        match (&space.elsewhere, space.windows.as_slice()) {
            (None, []) => {}
            (None, _) => {
                let say = format!("`{}` has windows, and needs `elsewhere`: the space at all other addresses", space.name);
                error(reader, say, space.span);
            }
            (Some(elsewhere), windows) => {
                check(reader, space);
                let reach = isa_runtime::word::ones(space.address);
                shown(reader, machine, space, (elsewhere, reach));
                for (i, window) in windows.iter().enumerate() {
                    let (name, span) = (&window.space.value, window.space.span);
                    if window.last() > reach {
                        error(reader, format!("`{name}` ends at {:#x}, and `{}` at {reach:#x}", window.last(), space.name), span);
                    }
                    let before = windows[..i].iter().find(|other| other.at <= window.last() && window.at <= other.last());
                    if let Some(other) = before {
                        let both = other.at.max(window.at);
                        error(reader, format!("`{name}` and `{}` are both at {both:#x}", other.space.value), span);
                    }
                    shown(reader, machine, space, (&window.space, window.size - 1));
                }
            }
        }
    }
}

/// Checks the declaration of a space that shows others.
fn check(reader: &mut Reader<'_>, space: &Space) {
    let own = [
        (space.size.is_some(), "size"),
        (space.banks.is_some(), "banks"),
        (space.read_only, "read-only"),
        (space.owner != Sharing::Grid, "of"),
    ];
    for (_, key) in own.iter().filter(|own| own.0) {
        error(reader, format!("`{}` shows other spaces, and has no `{key}` of its own", space.name), space.span);
    }
}

/// A space that another one shows, up to an address of it.
fn shown(reader: &mut Reader<'_>, machine: &Machine, by: &Space, (name, last): (&Text, u64)) {
    let Some(of) = machine.spaces.iter().find(|of| of.name == name.value) else {
        return error(reader, format!("there is no memory space `{}`", name.value), name.span);
    };
    let ways = |s: &Space| (s.unit, s.unaligned, s.big_endian);
    let say = match () {
        () if of.elsewhere.is_some() || !of.windows.is_empty() => format!("`{}` shows other spaces itself", of.name),
        () if of.banks.is_some() => format!("`{}` has banks, of which an address of `{}` names none", of.name, by.name),
        () if last > isa_runtime::word::ones(of.address) => {
            format!("`{}` has addresses of {} bits, and more of it would be shown", of.name, of.address)
        }
        () if ways(of) != ways(by) => {
            format!("`{}` and `{}` must have the same `unit`, `unaligned` and `order`", of.name, by.name)
        }
        () => return,
    };
    error(reader, say, name.span);
}
