//! Memory spaces that show others: at some addresses one, elsewhere another one.

use super::machine::{Machine, Sharing, Space, Window};
use super::machine_pieces::error;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};

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

impl Machine {
    /// Returns true if a space shows others, and is no memory itself.
    pub fn shows_others(&self, space: usize) -> bool {
        self.spaces[space].elsewhere.is_some()
    }

    /// The spaces that a space shows: windows with their first and last addresses, and the one at all other addresses.
    pub fn windows(&self, space: usize) -> (Vec<(u64, u64, usize)>, Option<usize>) {
        let find = |name: &Text| self.spaces.iter().position(|of| of.name == name.value);
        let space = &self.spaces[space];
        let windows = space.windows.iter().filter_map(|w| Some((w.at, w.last(), find(&w.space)?)));
        (windows.collect(), space.elsewhere.as_ref().and_then(find))
    }

    /// The memory that an address of a space is in, and the address there.
    pub fn memory_at(&self, space: usize, address: u64) -> (usize, u64) {
        let (windows, elsewhere) = self.windows(space);
        let window = windows.into_iter().find(|(first, last, _)| (*first..=*last).contains(&address));
        window.map_or((elsewhere.unwrap_or(space), address), |(first, _, of)| (of, address - first))
    }

    /// The memories that an access to a space can go to.
    pub fn reached(&self, space: usize) -> Vec<usize> {
        if !self.shows_others(space) {
            return vec![space];
        }
        let (windows, elsewhere) = self.windows(space);
        windows.into_iter().map(|window| window.2).chain(elsewhere).collect()
    }
}

impl Window {
    /// The last address.
    pub fn last(&self) -> u64 {
        self.at.saturating_add(self.size - 1)
    }
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
