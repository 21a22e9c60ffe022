//! Memory spaces of a machine, from YAML.

use super::pieces::{error, is_name};
use super::{events, windows};
use crate::keys::{Key, KeyTable, Reader};
use crate::yaml::{Node, Text};
use isa_model::semantics::machine::{MAX_ACCESS, Sharing, Space};

pub(super) static SPACE: KeyTable<Space> = KeyTable::new(
    "a memory space",
    &[&[
        Key::number(
            "address",
            1..=64,
            |s, n, _| s.address = n as u32,
            "Bits of an address; 32 by default. Addresses count bytes.",
        ),
        Key::word(
            "of",
            &["grid", "block", "lane"],
            |s, word, _| s.owner = [Sharing::Grid, Sharing::Block, Sharing::Lane][word],
            "What has a memory of its own: the grid (the default), each block or each lane.",
        ),
        Key::number("size", 1..=u64::MAX, |s, n, _| s.size = Some(n), "The size in bytes; by default, the launch decides."),
        Key::own("unit", "8, 16, 32, 64 or 128", unit, "Bits of the smallest access; 8 by default."),
        Key::number(
            "banks",
            1..=65_536,
            |s, n, _| s.banks = Some(n as u32),
            "The number of banks; each access names one of them.",
        ),
        Key::flag("read-only", |s| &mut s.read_only, "Instructions can't write it."),
        Key::flag("program", |s| &mut s.program, "Instructions are fetched from this space. Only with one lane."),
        Key::flag(
            "coherent",
            |s| &mut s.coherent,
            "Stores into code take effect at the next instruction; by default, only after `refetch()`. Only with `program`.",
        ),
        Key::word(
            "unaligned",
            &["fault", "allowed"],
            |s, word, _| s.unaligned = word == 1,
            "An access whose address is not a multiple of its size is a fault (the default) or allowed. An unaligned `atomic` is \
             always a fault.",
        ),
        Key::word(
            "order",
            &["little", "big"],
            |s, word, _| s.big_endian = word == 1,
            "The byte order: little-endian (`little`, the default) or big-endian (`big`).",
        ),
        Key::each(
            || (&events::REGION).into(),
            Key::own(
                "regions",
                "mapping of regions",
                |r, s, node, what| s.regions = r.each(node, what, events::region),
                "The memory map: memory and devices by address; by default, there is memory at all addresses. Only with one \
                 lane.",
            ),
        ),
        Key::each(
            || (&windows::WINDOW).into(),
            Key::own(
                "windows",
                "mapping of memory spaces to windows",
                |r, s, node, what| s.windows = r.each(node, what, windows::window),
                "Other spaces that are shown at some of this space's addresses. Only with several lanes.",
            ),
        ),
        Key::text(
            "elsewhere",
            "name of a memory space",
            |s| &mut s.elsewhere,
            "The space that is shown at all addresses outside of the windows. A space with this key has no memory of its own.",
        ),
        Key::prose("summary", |s| &mut s.summary, "A description in one line."),
    ]],
);

pub(super) fn space(reader: &mut Reader<'_>, name: &Text, node: &Node) -> Option<Space> {
    let mut space = Space {
        name: name.value.clone(),
        address: 32,
        unit: 8,
        banks: None,
        size: None,
        read_only: false,
        program: false,
        coherent: false,
        unaligned: false,
        big_endian: false,
        owner: Sharing::Grid,
        regions: Vec::new(),
        windows: Vec::new(),
        elsewhere: None,
        summary: String::new(),
        span: name.span,
    };
    if !is_name(&name.value, false) {
        error(reader, format!("`{}` is not a name", name.value), name.span);
    }
    reader.fill(&SPACE, &mut space, node);
    Some(space)
}

fn unit(reader: &mut Reader<'_>, space: &mut Space, node: &Node, _: &str) {
    let Some(unit) = reader.number(node, "the smallest access", 8..=u64::from(MAX_ACCESS)) else { return };
    if !unit.is_power_of_two() {
        error(reader, "the smallest access is 8, 16, 32, … bits", node.span);
    }
    space.unit = (unit as u32).next_power_of_two().min(MAX_ACCESS);
}
